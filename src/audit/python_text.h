/* A proposed release as Python: release(labels, predictions, account), whatever the metric and the defence are. The
 * parts of it, one after the other. */
#ifndef LL_AUDIT_PYTHON_TEXT_H
#define LL_AUDIT_PYTHON_TEXT_H

#include "audit/audit_private.h"

enum { LL_PYTHON_LINES = 700 };

typedef struct {
    const ll_scorer *scorer; /* with the release of the defence (ll_settings_apply) */
    const ll_defence *defence;
    long classes;
    const char *groups; /* the file that the groups of rows are read from; "": none was named */
    const char *why;    /* a sentence: why there is no code */
} ll_python_draft;

/* "scored", which computes the host's own number and hides that it failed, and "answered", which counts answers per
 * account and keeps what each has reached (account_python.c). */
void ll_python_write_store(char *text, size_t size, const ll_python_draft *draft);
/* "PARTS" and "rows": all rows, and those of each group. */
void ll_python_write_parts(char *text, size_t size, const ll_python_draft *draft);

/* By levels (levels_python.c), and behind noise (release_python.c). 0, and draft->why, where there is no code. */
int ll_python_write_levels(char *text, size_t size, ll_python_draft *draft);
int ll_python_write_noisy(char *text, size_t size, ll_python_draft *draft);

#endif
