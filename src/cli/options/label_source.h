/* Where labels come from: --labels F or --dataset NAME, for every command that holds labels. */
#ifndef LL_CLI_LABEL_SOURCE_H
#define LL_CLI_LABEL_SOURCE_H

#include "cli/options/syntax.h"
#include "io/formats/labels.h"
#include "lossleak.h"

typedef struct {
    const char *file, *dataset; /* as given; NULL: not */
    const char *public_rows;    /* file that says which rows are scored; NULL: drawn */
    ll_io_labels held;          /* after ll_cli_labels_read */
    long *counts;               /* of each class */
    int32_t *states; /* after ll_cli_labels_curator: the label of every row, or `classes' where it is absent */
} ll_label_source;

/* Its argp's input is an ll_label_source. */
extern const ll_option_group ll_cli_label_group;

/* NULL where exactly one of the two was given, else what is wrong. */
const char *ll_cli_labels_complain(const ll_label_source *source);

/* Read them: as many rows and classes as the scorer says, or the numbers of its targets. */
LL_CHECK ll_status ll_cli_labels_read(ll_label_source *source, const ll_scorer *scorer, uint64_t seed,
                                      size_t max_memory, ll_error *error);

/* A curator that holds them, and scores the rows that are public where not all are. */
LL_CHECK ll_status ll_cli_labels_curator(ll_curator **out, ll_label_source *source, const ll_scorer *scorer,
                                         size_t max_memory, ll_error *error);

/* The labels of a verdict as CSV, called as the file called them (source may be NULL), else by the scorer's targets. */
LL_CHECK ll_status ll_cli_labels_write_verdict(const char *path, const ll_verdict *verdict,
                                               const ll_label_source *source, const ll_scorer *scorer, ll_error *error);

/* "0 = no, 1 = yes" of labels that were mapped, cut after a few. */
void ll_cli_labels_write_mapping(char *text, size_t size, const ll_label_source *source);

#endif
