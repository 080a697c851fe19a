/* A scorer from the JSON object that ll_report_json_scorer made. */
#ifndef LL_REPORT_SCORER_READ_H
#define LL_REPORT_SCORER_READ_H

#include "lossleak.h"
#include <jansson.h>

typedef struct {
    ll_scorer scorer; /* its strings are the object's, or one of these */
    char *noise_size;
    double *prior;
} ll_scorer_read;

/* Strict: every key, no other one, each of its type. LL_DOMAIN with the key and the reason otherwise. The object must
 * outlive *out. Whether the parts fit together is for ll_scorer_check. */
LL_CHECK ll_status ll_report_read_scorer(ll_scorer_read *out, const json_t *object, ll_error *error);
void ll_report_clear_scorer(ll_scorer_read *read);

#endif
