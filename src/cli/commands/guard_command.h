/* lossleak guard, in parts: what was asked, the files that it reads (guard_files.c), and what it prints (guard_print.c).
 */
#ifndef LL_CLI_GUARD_COMMAND_H
#define LL_CLI_GUARD_COMMAND_H

#include "cli/command.h"
#include "cli/options/common_options.h"
#include "cli/options/label_source.h"
#include "io/files/byte_stream.h"

#include <lossleak/guard.h>

typedef struct {
    ll_common_options common;
    ll_label_source labels;
    const char *action, *ledger, *policy, *key, *account, *predictions, *receipt;
    int host;
} ll_guard_options;

/* ---- files ---- */

LL_CHECK ll_status ll_cli_guard_read_policy(ll_policy **out, const ll_guard_options *options, ll_error *error);
/* key[LL_GUARD_KEY] from a file. *is_given: is there a key (path is not NULL)? is_new: where there is no such file, it is
 * made, for its owner alone. */
LL_CHECK ll_status ll_cli_guard_read_key(unsigned char *key, int *is_given, const char *path, int is_new,
                                         ll_error *error);
/* A whole file of at most `limit` bytes. */
LL_CHECK ll_status ll_cli_guard_read_whole(ll_io_whole *out, const char *path, size_t limit, ll_error *error);

/* ---- output ---- */

/* What `guard init` and `guard account` made; token: "" where there is none. */
LL_CHECK ll_status ll_cli_guard_print_made(const ll_guard_options *options, const ll_guard *guard, const char *token,
                                           ll_error *error);
LL_CHECK ll_status ll_cli_guard_print_answer(const ll_guard_options *options, const ll_guard_answer *answer,
                                             ll_error *error);
LL_CHECK ll_status ll_cli_guard_print_status(const ll_guard_options *options, ll_guard *guard, ll_error *error);

#endif
