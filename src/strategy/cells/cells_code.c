/* For answers that show counts of a confusion matrix: rows are cut into groups, K - 1 of which are asked about at a
 * time, by predicting a class of its own for the rows of a set of each, and class 0 for all others. How many rows
 * predicted class c have label k is then a count over one group alone, so K - 1 groups are read at once, each with the
 * sets of detecting:labels for two classes, and every label's rows apart (docs/proofs/several.md). Groups are as large
 * as they can be, or as the levels say, where larger counts are not known.
 *
 * matrix: group g is predicted class 1 + g mod (K - 1); the column of that class counts every label. diagonal: only
 * rows whose prediction is right are counted, so the queries come K - 1 times, and in phase p group g is predicted
 * class 1 + (g + p) mod (K - 1). contrast: the same with all rows in one group, for a single number that right
 * predictions of class 0 and of one other move (docs/proofs/contrast.md); with levels above 1 there are a few small
 * sets besides, of 1, 3, 12, 48 .. rows, from which the rows of each class are found.
 *
 * Some rows of many: only the first rows are in sets that tell labels, and the others are predicted 0. contrast then has
 * one set more, of all rows, before the others. */
#include "strategy/cells/cells_code.h"
#include "code/match_group.h"
#include "code/rows.h"
#include "strategy/cells/cells.h"

#include <stdlib.h>

typedef struct {
    ll_code *sets;  /* of one group, two classes; its views look at one query each */
    ll_code *views; /* [query of one phase] */
    long size;      /* rows of a group; the last has fewer */
    long limit;     /* the most that it may have */
    long samples;   /* small sets */
    long stride;    /* rows of small sets are so far apart, so that an order of the rows does not matter */
} state;

enum { GROWTH = 4 };

static int is_diagonal(const ll_code *code)
{
    return !ll_code_is_variant(code, LL_CELLS_MATRIX);
}

static int is_contrast(const ll_code *code)
{
    return ll_code_is_variant(code, LL_CELLS_CONTRAST);
}

static long at_once(const ll_code *code)
{
    return code->classes - 1;
}

static long asked_rows(const ll_code *code)
{
    return code->rows - code->counted;
}

long ll_cells_groups(const ll_code *code)
{
    const state *s = code->data;
    return (asked_rows(code) + s->size - 1) / s->size;
}

long ll_cells_whole_sets(const ll_code *code)
{
    return is_contrast(code) && code->counted > 0;
}

static long phases_of(const ll_code *code)
{
    return is_diagonal(code) ? at_once(code) : 1;
}

/* Queries of one phase of the groups that are asked about together. */
static long each_of(const ll_code *code)
{
    const state *s = code->data;
    return ll_cells_whole_sets(code) + s->sets->queries + s->samples;
}

long ll_cells_first_row(const ll_code *code, long group)
{
    const state *s = code->data;
    long first = group * s->size;
    return first < asked_rows(code) ? first : asked_rows(code);
}

/* Rows that are in the set of a query: turned round, row by row, so that the first query has them all. Labels are
 * turned round with them, and matches stay what they are. */
static int is_turned(const state *s, long row)
{
    return s->views[0].row->predict(&s->views[0], row) == 0;
}

/* Small set number j has the places 4^j - 1 over 3 times .. of all rows, taken `stride` apart. */
static int is_sampled(const ll_code *code, long sample, long row)
{
    const state *s = code->data;
    long place = (long)((uint64_t)row * (uint64_t)s->stride % (uint64_t)code->rows), first = 0, count = 1;
    for (long j = 0; j < sample; j++) {
        first += count;
        count = first * (GROWTH - 1);
    }
    return place >= first && place < first + count;
}

/* A row of a group, in one of the sets that tell labels. */
static int is_told(const state *s, long set, long row)
{
    const ll_code *view = &s->views[set];
    return row < s->size && (view->row->predict(view, row) != 0) != is_turned(s, row);
}

static int is_in(const ll_code *code, long query, long row)
{
    const state *s = code->data;
    long set = query - ll_cells_whole_sets(code);
    if (set >= s->sets->queries)
        return is_sampled(code, set - s->sets->queries, row);
    return set < 0 || is_told(s, set, row);
}

/* The code of labels that there is, for two classes. */
static ll_status create_sets(state *s, ll_error *error)
{
    return ll_code_create(&s->sets, &ll_code_detecting_labels, NULL, s->size, 2, NULL, 1, error);
}

static long common_divisor(long a, long b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* One group; the small sets have 1, 4, 16 .. rows together, at most half of all. */
static void set_contrast(const ll_code *code, state *s)
{
    s->size = asked_rows(code);
    for (long rows = 1; s->limit > 1 && 2 * rows <= code->rows; rows *= GROWTH)
        s->samples++;
    s->stride = (long)(0.6180339887 * (double)code->rows) + 1;
    while (common_divisor(code->rows, s->stride) != 1)
        s->stride++;
}

static void set_groups(const ll_code *code, state *s)
{
    s->size = (asked_rows(code) + at_once(code) - 1) / at_once(code);
    if (s->limit > 1 && s->limit < s->size)
        s->size = s->limit;
}

/* Levels are below this with all rows asked about. */
static int64_t levels_of_rows(long rows)
{
    return (int64_t)rows + 3;
}

int64_t ll_cells_levels(long rows, int64_t most, long part)
{
    return most + levels_of_rows(rows) * part;
}

static void read_levels(ll_code *code, state *s)
{
    long part = (long)(code->levels / levels_of_rows(code->rows));
    s->limit = (long)(code->levels % levels_of_rows(code->rows));
    code->counted = part > 0 && part < code->rows ? code->rows - part : 0;
    code->levels = 1;
}

static ll_status create(ll_code *code, ll_error *error)
{
    state *s = code->data;
    read_levels(code, s);
    if (is_contrast(code))
        set_contrast(code, s);
    else
        set_groups(code, s);
    ll_status status = create_sets(s, error);
    if (status != LL_OK)
        return status;
    s->views = malloc(sizeof *s->views * (size_t)s->sets->queries);
    if (s->views == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld queries", s->sets->queries);
    for (long q = 0; q < s->sets->queries; q++) {
        s->views[q] = *s->sets;
        s->views[q].query = q;
    }
    code->queries = each_of(code) * phases_of(code) * ((ll_cells_groups(code) + at_once(code) - 1) / at_once(code));
    return LL_OK;
}

static void clear(ll_code *code)
{
    state *s = code->data;
    ll_code_destroy(s->sets);
    free(s->views);
}

static int32_t predict(const ll_code *code, long row)
{
    const state *s = code->data;
    long each = each_of(code), turn = code->query / each, group = is_contrast(code) ? 0 : row / s->size;
    if ((row >= asked_rows(code) && !is_contrast(code)) || group / at_once(code) != turn / phases_of(code) ||
        !is_in(code, code->query % each, row - group * s->size))
        return 0;
    return (int32_t)(1 + (group + turn % phases_of(code)) % at_once(code));
}

static int64_t level(const ll_code *code, long row, long label)
{
    return predict(code, row) == label;
}

/* ---- reading one group ---- */

long ll_cells_column(const ll_code *code, long group, long label)
{
    return is_diagonal(code) ? label : 1 + group % at_once(code);
}

long ll_cells_first_query(const ll_code *code, long group, long label)
{
    long many = at_once(code), phase = is_diagonal(code) ? ((label - 1 - group) % many + many) % many : 0;
    return (group / many * phases_of(code) + phase) * each_of(code);
}

long ll_cells_queries(const ll_code *code)
{
    return each_of(code);
}

long ll_cells_samples(const ll_code *code)
{
    const state *s = code->data;
    return s->samples;
}

/* The sums of matches that the sets are decoded from; counts[0] is of all rows. */
static void set_sums(const state *s, int64_t *sums, const int64_t *counts)
{
    for (long q = 0; q < s->sets->queries; q++) {
        int64_t in = 0;
        for (long row = 0; row < s->size; row++)
            in += is_told(s, q, row);
        sums[q] = s->size - in - counts[0] + 2 * counts[q]; /* in and of the label, or neither */
    }
}

ll_status ll_cells_decode(const ll_code *code, unsigned char *has, const int64_t *counts, int *found, ll_error *error)
{
    const state *s = code->data;
    int64_t *sums = malloc(sizeof *sums * (size_t)s->sets->queries);
    ll_decoded decoded;
    *found = 0;
    if (sums == NULL || ll_decoded_init(&decoded, s->size, 2) != LL_OK) {
        free(sums);
        return ll_fail(error, LL_MEMORY, "no memory for a group of %ld rows", s->size);
    }
    set_sums(s, sums, counts);
    ll_status status = ll_code_decode_levels(s->sets, &decoded, sums, error);
    *found = status == LL_OK && decoded.count == 1;
    for (long row = 0; *found && row < s->size; row++)
        has[row] = (decoded.labels[row] == 1) != is_turned(s, row);
    ll_decoded_clear(&decoded);
    free(sums);
    return status;
}

long ll_cells_size(const ll_code *code)
{
    const state *s = code->data;
    return s->size;
}

/* ---- fewer queries ---- */

/* Rows of a group whose labels so many sets tell. */
static long told_by(long sets)
{
    long rows = 0;
    for (long set = 0; set < sets; set++)
        rows += ll_match_capacity(2, ll_mask_ones((uint64_t)set));
    return rows;
}

static long labels_in(const ll_code *code, long queries)
{
    const state *s = code->data;
    long asked = asked_rows(code), each = queries / phases_of(code), rows;
    if (queries >= code->queries)
        return asked;
    if (is_contrast(code)) {
        rows = told_by(each - 1 - s->samples);
    } else {
        rows = told_by(each);
        rows = at_once(code) * (s->limit > 1 && rows > s->limit ? s->limit : rows);
        long rounds = each / each_of(code) * at_once(code) * s->size; /* of groups as large as they may be */
        rows = rows > rounds ? rows : rounds;
    }
    return rows < asked ? rows : asked;
}

const ll_code_row ll_code_cells = {
    .info = {.name = "cells",
             .variants = "matrix diagonal contrast",
             .result = "",
             .guarantee = "proved",
             .weights = "1 for the label predicted, 0 for the others: counted class by class",
             .gap = "1 in every count",
             .bits = "log2(N + 1) a count",
             .cost = "one Moebius transform a group and class",
             .classes = "2 or more"},
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .bounded = {.level = level},
    .predict = predict,
    .labels_in = labels_in,
};
