/* JSON through jansson. Every maker below answers NULL where memory ended; jansson's _new functions take a
 * NULL value as a failure, so one check of the whole object at the end is enough. */
#ifndef LL_REPORT_JSON_H
#define LL_REPORT_JSON_H

#include "lossleak.h"
#include <jansson.h>

/* NULL becomes null; what is not printable becomes \xNN (io/files/printable.h), in the value as well as in its text. */
json_t *ll_report_json_string(const char *text);
/* An integer where a double holds it, else its digits as a string. */
json_t *ll_report_json_unsigned(uint64_t value);
json_t *ll_report_json_counts(const long *counts, long count);
json_t *ll_report_json_strings(char *const *texts, long count);
/* Open rows with their candidates, the first hundred; none where no labelling fits. */
json_t *ll_report_json_open(const ll_verdict *verdict);
/* The scorer: a key an option. */

/* Codes against a scorer: {"code", "labels_per_query", "queries", "recovered_within_limit", "guarantee", ...} each. */
json_t *ll_report_json_choices(const ll_plan_choice *choices, long count);

/* A defence, as in audit and defend. */
json_t *ll_report_json_defence(const ll_defence *defence);

/* An object that is told of every key that could not be set. */
typedef struct {
    json_t *object;
    int failed;
} ll_json;

/* The number of the contract that every object keeps to: keys are added, never renamed. */
enum { LL_JSON_SCHEMA = 2 };

/* {"command": command, "schema": 2} */
void ll_report_json_begin(ll_json *json, const char *command);
/* Takes the value, NULL too. */
void ll_report_json_add(ll_json *json, const char *key, json_t *value);
/* Print it on stdout and free it. LL_MEMORY where anything of it is missing: then nothing is printed. */
LL_CHECK ll_status ll_report_json_end(ll_json *json, ll_error *error);

#endif
