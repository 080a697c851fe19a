/* What infer reports: the labels, what is known of them, and the defence. */
#ifndef LL_REPORT_INFERENCE_REPORT_H
#define LL_REPORT_INFERENCE_REPORT_H

#include "lossleak.h"

typedef struct {
    const ll_scorer *scorer;
    const ll_inference *inference;
    const char *warning;   /* "": none */
    const ll_refit *refit; /* other descriptions that were looked for; NULL: none */
    const char *out;       /* file that got the labels, or NULL */
    double read_seconds, infer_seconds, total_seconds;
} ll_inference_outcome;

/* As --method takes them, in the order of the enum, NULL after the last. */
extern const char *const ll_report_methods[];

/* Rows that were given a label. */
long ll_report_inference_recovered(const ll_inference *inference);

void ll_report_inference_text(const ll_inference_outcome *outcome);
LL_CHECK ll_status ll_report_inference_json(const ll_inference_outcome *outcome, ll_error *error);

#endif
