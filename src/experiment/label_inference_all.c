/* LabelInf as it is written: every labelling, its score rounded as the curator's is. The sum of the first rows is
 * shared: a slice fixes rows 0 .. s-1, the next rows fill a table of 2^TABLE sums, and the last ones are walked as a
 * tree whose nodes are whole tables, so that a labelling costs about two additions and one comparison, vectorised. */
#include "experiment/experiment.h"

#include <math.h>
#include <stdlib.h>

enum { TABLE = 11 };

typedef struct {
    const ll_weighing *w;
    double target, distance;
    uint64_t labelling;
    int found;
    long table_first, table_rows; /* rows of the table */
    long size;                    /* 2^table_rows */
    double *tables;               /* one a row of the tree, and the first */
} walk;

static double least_distance(const walk *v, const double *sums)
{
    double least = INFINITY;
    for (long i = 0; i < v->size; i++) {
        double distance = fabs(sums[i] / v->w->divisor - v->target);
        least = distance < least ? distance : least;
    }
    return least;
}

/* labelling: the labels of all rows outside the table. Labellings come in increasing order, so the first of equals is
 * kept. */
static void look(walk *v, const double *sums, uint64_t labelling)
{
    double least = least_distance(v, sums);
    if (!(least < INFINITY) || (v->found && least >= v->distance))
        return;
    for (long i = 0; i < v->size; i++) {
        double distance = fabs(sums[i] / v->w->divisor - v->target);
        if (distance == least && (!v->found || least < v->distance)) {
            v->found = 1;
            v->distance = least;
            v->labelling = labelling | (uint64_t)i << v->table_first;
        }
    }
}

static void descend(walk *v, const double *sums, long row, uint64_t labelling)
{
    if (row == v->w->rows) {
        look(v, sums, labelling);
        return;
    }
    double *next = v->tables + (row + 1 - v->table_first - v->table_rows) * v->size;
    for (uint64_t label = 0; label < 2; label++) {
        double term = v->w->terms[2 * row + (long)label];
        for (long i = 0; i < v->size; i++)
            next[i] = sums[i] + term;
        descend(v, next, row + 1, labelling | label << row);
    }
}

/* Sums of the rows of the slice and of the table, for every labelling of the table's. */
static void fill_table(const walk *v, long slice)
{
    double sum = v->w->before;
    for (long i = 0; i < v->table_first; i++)
        sum += v->w->terms[2 * i + (slice >> i & 1)];
    v->tables[0] = sum;
    for (long j = 0; j < v->table_rows; j++)
        for (long i = (1L << j) - 1; i >= 0; i--) {
            const double *term = v->w->terms + 2 * (v->table_first + j);
            v->tables[i + (1L << j)] = v->tables[i] + term[1];
            v->tables[i] += term[0];
        }
}

ll_status ll_label_inference_all(const ll_weighing *w, uint64_t *labelling, double *distance, int *found, double score,
                                 long slice, long slices, ll_error *error)
{
    long first = 0;
    while (1L << first < slices)
        first++;
    long rows = w->rows - first < TABLE ? w->rows - first : TABLE, size = 1L << rows;
    double *tables = calloc((size_t)(w->rows - first - rows + 1) * (size_t)size, sizeof *tables);
    if (!tables)
        return ll_fail(error, LL_MEMORY, "out of memory for the sums of %ld rows", w->rows);
    walk v = {.w = w, .target = score, .table_first = first, .table_rows = rows, .size = size, .tables = tables};
    fill_table(&v, slice);
    descend(&v, tables, first + rows, (uint64_t)slice);
    free(tables);
    *labelling = v.labelling;
    *distance = v.distance;
    *found = v.found;
    return LL_OK;
}
