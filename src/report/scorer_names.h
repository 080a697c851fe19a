/* The words for the parts of a scorer: what options take, text shows and JSON holds. */
#ifndef LL_REPORT_SCORER_NAMES_H
#define LL_REPORT_SCORER_NAMES_H

#include "lossleak.h"

/* Names in the order of the enum they belong to, NULL after the last. */
typedef const char *const *ll_names;

extern const char *const ll_report_transforms[]; /* ll_transform */
extern const char *const ll_report_clip_modes[]; /* ll_clip_mode */
extern const char *const ll_report_orders[];     /* ll_order */
extern const char *const ll_report_noises[];     /* ll_noise */
extern const char *const ll_report_draws[];      /* ll_draw */

/* Place of `length` characters of a word among the names, or -1. */
int ll_report_find_name(ll_names names, const char *word, size_t length);
/* "a|b|c", cut to size. */
void ll_report_list_names(char *text, size_t size, ll_names names);

/* As --noise and --release take it ("bounded:0.1,uniform", "ladder:0.01"); "none" and "plain" without. */
void ll_report_write_noise(char *text, size_t size, const ll_scorer *scorer);
void ll_report_write_release(char *text, size_t size, const ll_scorer *scorer);
/* The scorer in one line: "sklearn-1.2/log_loss: log-loss, clip 2.2e-16, fp64, pairwise sum, ...". */
void ll_report_write_scorer(char *text, size_t size, const ll_scorer *scorer);

#endif
