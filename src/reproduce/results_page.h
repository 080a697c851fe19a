/* The results page: figures, tables, and the paper's sentences with our figure beside each. */
#ifndef LL_REPRODUCE_RESULTS_PAGE_H
#define LL_REPRODUCE_RESULTS_PAGE_H

#include "reproduce/curves.h"
#include "reproduce/page.h"

typedef struct {
    const ll_figure *const *figures;
    long count;
    const ll_units *units; /* all done */
    const ll_settings *settings;
    int drawn; /* are there pictures? */
} ll_results;

/* LL_DOMAIN where DIR/README.md or DIR/index.html is there and no such page: somebody else's. */
LL_CHECK ll_status ll_results_check_folder(const char *folder, ll_error *error);

/* DIR/README.md and DIR/index.html. */
LL_CHECK ll_status ll_results_write(const ll_results *results, const char *folder, ll_error *error);

/* sentences.c: the table. */
void ll_sentences_write(const ll_results *results, ll_page *page);

#endif
