/* lossleak serve, in parts: what was asked, and the ledger of --demo (serve_demo.c). */
#ifndef LL_CLI_SERVE_COMMAND_H
#define LL_CLI_SERVE_COMMAND_H

#include "cli/command.h"
#include "cli/options/common_options.h"

#include <lossleak/guard.h>

typedef struct {
    ll_common_options common;
    const char *ledger, *key, *listen, *certificate, *certificate_key, *body, *bodies, *connections, *timeout, *keep;
    int demo, quiet;
} ll_serve_options;

/* A ledger for --demo in a folder of its own, which ll_cli_demo_end removes. */
typedef struct {
    char folder[64], ledger[80];
    char tokens[3][LL_GUARD_TOKEN]; /* of anna, bert and the host */
} ll_demo;

LL_CHECK ll_status ll_cli_demo_begin(ll_demo *demo, const ll_serve_options *options, ll_error *error);
void ll_cli_demo_print(const ll_demo *demo, const char *address);
void ll_cli_demo_end(const ll_demo *demo);

#endif
