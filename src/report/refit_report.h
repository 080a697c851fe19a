/* Descriptions that would fit where the given one does not, for attack, decode and infer. */
#ifndef LL_REPORT_REFIT_REPORT_H
#define LL_REPORT_REFIT_REPORT_H

#include "lossleak.h"
#include "report/json.h"
#include <jansson.h>

/* Fields `instead' and `scores'; none where there is nothing to say. refit may be NULL. */
void ll_report_refit_text(const ll_refit *refit, int is_none);
/* An array of settings, options and why. */
json_t *ll_report_refit_json(const ll_refit *refit);
/* "; --decimals 4 would fit", or "": to the end of an error's text. */
void ll_report_add_refit(ll_error *error, const ll_refit *refit);

enum { LL_REPORT_CONDITION = 240 };
/* " if the description is right", " if every target is on the grid 0:9:1", both, or "", behind the word certain. */
void ll_report_write_condition(char text[LL_REPORT_CONDITION], const ll_scorer *scorer, const ll_verdict *verdict);
/* "wrong_description_chance", "conditional" and "premise". */
void ll_report_condition_json(ll_json *json, const ll_scorer *scorer, const ll_verdict *verdict);

#endif
