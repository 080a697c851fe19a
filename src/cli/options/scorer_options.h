/* The scorer, the same options in every command that needs one: a row each of the library's table of settings. */
#ifndef LL_CLI_SCORER_OPTIONS_H
#define LL_CLI_SCORER_OPTIONS_H

#include "cli/options/syntax.h"
#include "lossleak.h"

enum { LL_SCORER_OPTIONS = 64 }; /* at least as many as there are settings: scorer_options.c asserts it */

/* Values as they were typed, and the scorer they make. */
typedef struct {
    const char *given[LL_SCORER_OPTIONS]; /* by setting; NULL: not given */
    char *list;                           /* memory of one that is a list */
    char *numbers;                        /* memory of one that is read from a file */
    char *levels;                         /* of a file, as a setting */
    char files[2048];                     /* that settings were read from: "groups=PATH", one per line */
    ll_scorer *scorer;                    /* after ll_cli_scorer_finish; resolved by ll_cli_scorer_resolve */
    char warning[480];                    /* of the library's check, or "" */
} ll_scorer_options;

/* Its argp's input is an ll_scorer_options. */
extern const ll_option_group ll_cli_scorer_group;

/* Set what was given, and see that it fits together; what a command finds out later (rows, classes) may still be set.
 * LL_UNABLE where its precision alone would not fit into max_memory. */
LL_CHECK ll_status ll_cli_scorer_finish(ll_scorer_options *options, uint64_t seed, size_t max_memory, ll_error *error);

/* Resolve it, with so many rows and classes where they were not given (0: not known either). */
LL_CHECK ll_status ll_cli_scorer_resolve(ll_scorer_options *options, long rows, long classes, ll_error *error);

/* LL_DOMAIN where the score is over a hidden public split, which the command cannot serve. */
LL_CHECK ll_status ll_cli_scorer_need_whole(const ll_scorer_options *options, const char *command, ll_error *error);

/* Was a metric or a profile given? */
int ll_cli_scorer_names_metric(const ll_scorer_options *options);
/* Was any option of the scorer given? */
int ll_cli_scorer_is_given(const ll_scorer_options *options);

/* Formats that a double does not stand for want their predictions exact. */
int ll_cli_scorer_needs_exact(const ll_scorer *scorer);

#endif
