/* What `identify` says. */
#ifndef LL_REPORT_IDENTIFY_REPORT_H
#define LL_REPORT_IDENTIFY_REPORT_H

#include "report/json.h"

#include <lossleak/identify.h>
#include <stdio.h>

typedef struct ll_identify_report {
    const ll_identification *found;
    const char *program;                    /* as given */
    const char *format;                     /* of its files, or NULL */
    const char *platform;                   /* what the platform's configuration says, in words; NULL: there is none */
    json_t *limits;                         /* the same as an object, borrowed; NULL: there is none */
    double processor;                       /* seconds of processor time, of the runs and of the comparison */
    const char *without_sandbox;            /* why there was none; NULL: there was one */
    const ll_program_attack_result *attack; /* NULL: none was run */
    int is_open; /* neither options nor an example say what labels there are: two classes are a guess */
} ll_identify_report;

/* The surprises, which come before everything else; and the rest. */
void ll_report_identify_brief(const ll_identify_report *report);
void ll_report_identify_rest(const ll_identify_report *report);
LL_CHECK ll_status ll_report_identify_json(const ll_identify_report *report, ll_error *error);

/* The same as an object. */
json_t *ll_report_identify_object(const ll_identify_report *report);
/* What a page says of a program, before the verdict and after it. */
void ll_report_identify_surprises(FILE *out, const ll_identify_report *report);
void ll_report_identify_channels(FILE *out, const ll_identify_report *report);

/* Write a page (audit_page.c). */
LL_CHECK ll_status ll_report_page_write(const char *path, const char *text, size_t size, ll_error *error);

/* The page of a program that is not recognised: surprises, what was measured, the bound with its assumption, and levels. */
typedef struct {
    const ll_identify_report *program;
    const char *answer, *bound, *todo; /* bound "": there is none */
    int leaks;
} ll_unknown_page;

LL_CHECK ll_status ll_report_unknown_page(const char *path, const ll_unknown_page *page, ll_error *error);

#endif
