/* ordered: predictions are labels of ordered classes, and label y of a row costs (p - y)^2, or |p - y|, where p is
 * predicted (docs/proofs/ordered.md). Every query predicts every class, so that no program renumbers them.
 *
 * Two parts, each the code grades of some rows, whose shares h choose the prediction: the middle class less h, or for
 * lines the first class and the last. The first part asks about all rows but the first K, which are predicted 0 .. K-1
 * in all its queries; the second about those, and the K rows after them stand for the classes meanwhile.
 *
 * Some rows of many: the first part alone, which asks about the first rows; the last K stand for the classes, and the
 * rows between are predicted alike. They add the same to all sums. */
#include "code/masks.h"
#include "strategy/common/grades_code.h"
#include "strategy/ordered/ordered.h"

#include <stdlib.h>

enum { PARTS = 2 };

typedef struct {
    int is_lines;
    long count; /* of the parts */
    ll_code *parts[PARTS];
} state;

static ll_status create_part(const ll_code *code, state *s, int part, long rows, ll_error *error)
{
    const char *variant = s->is_lines ? "lines" : "squares";
    int64_t levels = s->is_lines ? 1 : (code->classes - 1) / 2;
    ll_status status =
        ll_code_create(&s->parts[part], &ll_code_grades, variant, rows, code->classes, NULL, levels, error);
    if (status == LL_OK)
        s->parts[part]->others = rows; /* what its first query adds is checked here, with all rows */
    return status;
}

static ll_status create(ll_code *code, ll_error *error)
{
    long classes = code->classes;
    state *s = code->data;
    long asked = code->levels > 1 && code->levels - 1 <= code->rows - classes ? (long)code->levels - 1 : code->rows;
    code->levels = (classes - 1) * (classes - 1);
    code->counted = code->rows - asked;
    s->is_lines = ll_code_is_variant(code, "lines");
    s->count = code->counted > 0 ? 1 : PARTS;
    if (classes < 3 || code->rows < 2 * classes)
        return ll_fail(error, LL_DOMAIN,
                       "the code ordered is for 3 classes or more, and at least 2 rows a class: here are %ld rows of "
                       "%ld classes",
                       code->rows, classes);
    ll_status status = create_part(code, s, 0, code->counted > 0 ? asked : asked - classes, error);
    if (status == LL_OK && s->count > 1)
        status = create_part(code, s, 1, classes, error);
    code->queries = 0;
    for (int part = 0; part < s->count && status == LL_OK; part++)
        code->queries += s->parts[part]->queries;
    return status;
}

static void clear(ll_code *code)
{
    state *s = code->data;
    for (int part = 0; part < PARTS; part++)
        ll_code_destroy(s->parts[part]);
}

/* ---- predictions ---- */

static long first_row(const ll_code *code, int part)
{
    return part == 0 && code->counted == 0 ? code->classes : 0;
}

static long first_query(const state *s, int part)
{
    return part == 0 ? 0 : s->parts[0]->queries;
}

/* In a row that the part does not ask about: K of them stand for the classes. */
static int32_t predict_idle(const ll_code *code, const state *s, int part, long row)
{
    long place = part == 0 ? row : row - code->classes;
    if (code->counted > 0)
        place = code->rows - 1 - row;
    if (place < code->classes)
        return (int32_t)place;
    return (int32_t)(s->is_lines ? 0 : (code->classes - 1) / 2);
}

/* Label 1 adds 2 - K + h with shares of squares, 1 - 2 h with those of lines. */
static int32_t predict(const ll_code *code, long row)
{
    const state *s = code->data;
    int part = code->query >= s->parts[0]->queries; /* 0 where there is one */
    long own = row - first_row(code, part);
    if (own < 0 || own >= s->parts[part]->rows)
        return predict_idle(code, s, part, row);
    ll_code view = *s->parts[part];
    view.query = code->query - first_query(s, part);
    int64_t level = view.row->bounded.level(&view, own, 1);
    if (s->is_lines)
        return (int32_t)(level < 0 ? code->classes - 1 : 0);
    return (int32_t)((code->classes - 1) / 2 - (level + code->classes - 2));
}

/* What a label costs beyond label 0. */
static int64_t cost_beyond(const state *s, int64_t guess, int64_t label)
{
    int64_t distance = guess < label ? label - guess : guess - label;
    return s->is_lines ? distance - guess : distance * distance - guess * guess;
}

static int64_t level(const ll_code *code, long row, long label)
{
    return cost_beyond(code->data, predict(code, row), label);
}

static void get_span(const ll_code *code, arb_t out, slong prec)
{
    arb_set_si(out, code->rows);
    arb_mul_si(out, out, 2 * code->levels, prec);
}

/* ---- labels ---- */

/* The part's sums beyond its first, in shares, over a first sum that any labels may have; 0 where that is no whole
 * number of them. */
static int take_part(const ll_code *code, const state *s, int part, int64_t *out, const int64_t *sums)
{
    const ll_code *own = s->parts[part];
    int64_t last = code->classes - 1, first = s->is_lines ? last * own->rows : -(last * last / 4) * own->rows;
    const int64_t *from = sums + first_query(s, part);
    int whole = 1;
    for (long q = 0; q < own->queries; q++) {
        int64_t beyond = from[q] - from[0];
        whole &= beyond % 2 == 0;
        out[q] = first + (s->is_lines ? beyond : beyond / 2);
    }
    return whole;
}

static ll_status read_part(const ll_code *code, int part, ll_decoded *out, const int64_t *sums, int *found,
                           ll_error *error)
{
    const state *s = code->data;
    const ll_code *own = s->parts[part];
    ll_decoded one;
    int64_t *shares = malloc(sizeof *shares * (size_t)own->queries);
    ll_status status = shares != NULL ? ll_decoded_init(&one, own->rows, own->classes) : LL_MEMORY;
    if (status != LL_OK) {
        free(shares);
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", own->rows);
    }
    *found = take_part(code, s, part, shares, sums);
    if (*found)
        status = ll_code_decode_levels(own, &one, shares, error);
    *found = *found && status == LL_OK && one.count == 1;
    for (long i = 0; *found && i < own->rows; i++)
        out->labels[first_row(code, part) + i] = one.labels[i];
    ll_decoded_clear(&one);
    free(shares);
    return status;
}

/* Do the labels have these sums, all rows together; or all but the same number, which is that of the rows that are not
 * asked about? */
static int has_sums(const ll_code *code, const int32_t *labels, const int64_t *sums)
{
    ll_code view = *code;
    int64_t rest = 0;
    for (view.query = 0; view.query < code->queries; view.query++) {
        int64_t sum = 0;
        for (long row = 0; row < code->rows - code->counted; row++)
            sum += level(&view, row, labels[row]);
        if (view.query == 0 && code->counted > 0)
            rest = sums[0] - sum;
        if (sum + rest != sums[view.query])
            return 0;
    }
    return 1;
}

static long labels_in(const ll_code *code, long queries)
{
    const state *s = code->data;
    if (queries >= code->queries)
        return code->rows - code->counted;
    return ll_code_labels_in(s->parts[0], queries);
}

static ll_status decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    const state *s = code->data;
    int found = ll_sums_are_possible(code, sums);
    for (int part = 0; part < s->count && found; part++) {
        ll_status status = read_part(code, part, out, sums, &found, error);
        if (status != LL_OK)
            return status;
    }
    for (long row = code->rows - code->counted; row < code->rows; row++)
        out->labels[row] = -1;
    if (found && has_sums(code, out->labels, sums))
        ll_decoded_set_unique(out, code->rows, code->classes);
    else
        ll_decoded_set_none(out, code->rows, code->classes);
    return LL_OK;
}

const ll_code_row ll_code_ordered = {
    .info = {.name = "ordered",
             .variants = "squares lines",
             .result = "",
             .guarantee = "proved",
             .weights = "(p - k)^2 - p^2 where class p is predicted; lines: |p - k| - p",
             .gap = "2 in every query",
             .bits = "log2(N K^2) a query",
             .cost = "for every first and second moment that the scores leave, one Moebius transform",
             .classes = "3 or more in order"},
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .get_span = get_span,
    .bounded = {.level = level, .decode = decode_levels, .starts_at_zero = 1},
    .predict = predict,
    .labels_in = labels_in,
};
