/* What `inspect` says of a model. */
#ifndef LL_REPORT_MODEL_REPORT_H
#define LL_REPORT_MODEL_REPORT_H

#include "lossleak/model.h"

typedef struct {
    const char *file, *features; /* features: NULL for random inputs */
    const ll_onnx_info *info;
    const ll_onnx_constancy *constancy;
    const ll_inspection *inspection; /* of its outputs */
    const ll_scorer *scorer;
} ll_model_report;

/* Coded where the outputs are, else constant where they do not depend on the input. */
ll_finding ll_report_model_finding(const ll_model_report *report);

void ll_report_model_text(const ll_model_report *report);
LL_CHECK ll_status ll_report_model_json(const ll_model_report *report, ll_error *error);

#endif
