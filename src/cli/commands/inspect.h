/* What `inspect` was asked, and who answers: one function a kind of file. */
#ifndef LL_CLI_INSPECT_H
#define LL_CLI_INSPECT_H

#include "cli/command.h"
#include "cli/options/common_options.h"
#include "cli/options/scorer_options.h"

typedef struct {
    ll_common_options common;
    ll_scorer_options scorer;
    const char *file;     /* as given */
    const char *features; /* --features, or NULL */
    const char *history;  /* --history, or NULL */
} ll_inspect_options;

/* A submission: predictions in any form that `score` reads. */
ll_exit ll_cli_inspect_submission(ll_inspect_options *options);
/* A model: .onnx. */
ll_exit ll_cli_inspect_model(ll_inspect_options *options);

#endif
