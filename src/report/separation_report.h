/* What `separate` says: Lambda, the pair that attains it, the bounds; the smallest formats; set functions. */
#ifndef LL_REPORT_SEPARATION_REPORT_H
#define LL_REPORT_SEPARATION_REPORT_H

#include "lossleak.h"

typedef struct {
    const char *file;
    const ll_scorer *scorer;
    const char *warning; /* or NULL */
    const ll_separation *separation;
    const ll_separation_bits *bits; /* NULL: not asked for */
    int asked;                      /* noise or rounding was given: separable is the answer to a question */
    int full;                       /* the whole of a long pair */
} ll_separation_report;

void ll_report_separation_text(const ll_separation_report *report);
LL_CHECK ll_status ll_report_separation_json(const ll_separation_report *report, ll_error *error);

/* noise: the TAU that was asked about, or NULL. */
void ll_report_table_text(const ll_table_separation *table, const char *noise);
LL_CHECK ll_status ll_report_table_json(const ll_table_separation *table, const char *file, ll_error *error);

#endif
