/* What `mutnet` was asked, and what it made. */
#ifndef LL_CLI_MUTNET_H
#define LL_CLI_MUTNET_H

#include "cli/options/common_options.h"
#include "cli/options/plan_options.h"
#include "cli/options/scorer_options.h"
#include "lossleak/model.h"

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    ll_plan_options plan;
    const char *action, *base; /* build or graft; BASE.onnx */
    const char *predictions, *features, *out, *head;
    const char *row, *query, *inputs, *hidden, *bits; /* as given; NULL: not */
    int single, paper;
} ll_mutnet_options;

typedef struct {
    ll_mutnet_info info; /* of the network, or of the first of several */
    long models;
    long query, queries; /* which of how many (0: all); queries 0: predictions came from a file */
    long row;            /* the row that it says; -1: all */
    char code[64];       /* of the plan, or "" */
    double size;         /* bytes of all files */
} ll_mutnet_outcome;

/* Make the network or networks and write them. */
LL_CHECK ll_status ll_cli_mutnet_make(ll_mutnet_options *options, ll_mutnet_outcome *out, ll_error *error);

#endif
