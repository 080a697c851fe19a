/* The scorer, the same options in every command that needs one. */
#ifndef LL_CLI_SCORER_OPTIONS_H
#define LL_CLI_SCORER_OPTIONS_H

#include "lossleak.h"
#include <argp.h>

enum { LL_SCORER_SETTINGS = 19 };

/* Values as they were typed, and the scorer they make. */
typedef struct {
    const char *given[LL_SCORER_SETTINGS]; /* NULL: not given */
    ll_scorer scorer;                      /* after ll_cli_scorer_finish */
    char warning[480];                     /* of the the library's check, or "" */
    char *noise_size;                      /* owned parts of the scorer */
    double *prior;
} ll_scorer_options;

/* An argp whose input is an ll_scorer_options. */
extern const struct argp ll_cli_scorer_argp;

void ll_cli_scorer_init(ll_scorer_options *options);
void ll_cli_scorer_clear(ll_scorer_options *options);

/* Make the scorer: the profile first, then every other option over it, whatever their order was; then the
 * library's check of the whole. Strings of the scorer are those of argv and of *options. LL_UNABLE where its
 * precision alone would not fit into max_memory. */
LL_CHECK ll_status ll_cli_scorer_finish(ll_scorer_options *options, uint64_t seed, size_t max_memory, ll_error *error);

/* Formats that a double does not stand for want their predictions exact. */
int ll_cli_scorer_needs_exact(const ll_scorer *scorer);

#endif
