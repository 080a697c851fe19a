/* Scorers for people and in JSON, from the library's table of settings. */
#ifndef LL_REPORT_SCORER_TEXT_H
#define LL_REPORT_SCORER_TEXT_H

#include "lossleak.h"
#include <jansson.h>

/* The scorer in one line: "sklearn-1.2/log_loss: log-loss, clip 2.2e-16, fp64, pairwise sum, ...". */
void ll_report_write_scorer(char *text, size_t size, const ll_scorer *scorer);

/* Every setting with the value that counts, by its name with '_' for '-' ("profile" for the scorer's, "loss" for the
 * metric's); NULL where memory ended. */
json_t *ll_report_json_scorer(const ll_scorer *scorer);

/* A resolved scorer from such an object. Strict: every key, no other one, each of its type. LL_DOMAIN with the key and
 * the reason otherwise. `warning`: see ll_scorer_resolve. */
LL_CHECK ll_status ll_report_read_scorer(ll_scorer **out, const json_t *object, ll_error *warning, ll_error *error);

/* Append to text, cut to size. */
__attribute__((format(printf, 3, 4))) void ll_report_append(char *text, size_t size, const char *format, ...);
/* Append "--clip 0.01 --noise proportional:2" of settings "clip=0.01 noise=proportional:2". */
void ll_report_write_options(char *text, size_t size, const char *settings);

#endif
