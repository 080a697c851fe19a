/* Counts of a confusion matrix, read group by group (docs/proofs/several.md).
 *
 * matrix: an answer has the count of every label among the rows that are predicted a class, and these are of one group.
 * diagonal: it has numbers of each class, which tell its right predictions once its rows, n, are supposed; n is the
 * same in all answers, and what the group counts add up to. Every n is tried; those that leave no rows are out. What is
 * left is every labelling that explains the counts; a single one is held against all numbers of all answers. */
#include "code/positional.h"
#include "decode/decoder.h"
#include "metric/counts/confusion.h"
#include "metric/counts/counting.h"
#include "metric/view.h"
#include "strategy/cells/cells.h"
#include "strategy/cells/cells_code.h"
#include "strategy/common/writers.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_decoder common;
    arb_ptr observed;              /* [query * numbers] */
    unsigned char *with, *without; /* [label * rows]: some rows that explain the counts have, have not, the label */
    unsigned char *has;            /* [rows]: scratch */
    int64_t *counts;               /* [queries of a group]: scratch */
    int is_open;                   /* a count was not known */
} decoder;

static long numbers_of(const decoder *own)
{
    return ll_scorer_count_numbers(own->common.plan->answer);
}

static int init(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    size_t cells = (size_t)d->plan->rows * (size_t)d->plan->classes;
    own->observed = _arb_vec_init(d->plan->queries * numbers_of(own));
    own->with = calloc(cells, 1);
    own->without = calloc(cells, 1);
    own->has = calloc((size_t)(d->plan->rows + ll_cells_size(d->plan->state->code)), 1);
    own->counts = calloc((size_t)ll_cells_queries(d->plan->state->code), sizeof *own->counts);
    return own->with && own->without && own->has && own->counts && d->observed;
}

static void clear(ll_decoder *d)
{
    decoder *own = (decoder *)d;
    if (own->observed != NULL)
        _arb_vec_clear(own->observed, d->plan->queries * numbers_of(own));
    free(own->with);
    free(own->without);
    free(own->has);
    free(own->counts);
}

static ll_status keep(ll_decoder *d, const arb_t released, ll_error *error)
{
    decoder *own = (decoder *)d;
    (void)released;
    (void)error;
    _arb_vec_set(own->observed + d->query * numbers_of(own), d->observed, numbers_of(own));
    return LL_OK;
}

/* ---- one count ---- */

static arb_srcptr observed_at(const decoder *own, long query, long number)
{
    return own->observed + query * numbers_of(own) + number;
}

/* May so many true positives, of so many rows predicted the class and `support` rows of it, have got all numbers of the
 * class? */
static int explains(const decoder *own, ll_worked *scratch, long query, long label, int64_t tp, int64_t guessed,
                    int64_t support)
{
    const ll_plan *plan = own->common.plan;
    for (long i = 0; i < numbers_of(own); i++) {
        const ll_computation *how = &ll_scorer_get_number(plan->answer, i)->computation;
        const ll_work balls = ll_view_work(how, plan->prec);
        if (ll_metric_class(how->metric) != label)
            continue;
        if (ll_counts_score_class(how, &balls, scratch, tp, guessed, support, plan->rows) != LL_OK ||
            !arb_overlaps(scratch->ball, observed_at(own, query, i)))
            return 0;
    }
    return 1;
}

static int64_t count_predicted(const ll_plan *plan, long query, long column)
{
    const ll_code *code = ll_plan_code(plan, query);
    int64_t count = 0;
    for (long row = 0; row < code->rows; row++)
        count += code->row->predict(code, row) == column;
    return count;
}

/* The true positives of a class in one query, its rows supposed: how many are possible, 2 for more. */
static int find_tp(const decoder *own, int64_t *out, long query, long label, int64_t support)
{
    const ll_plan *plan = own->common.plan;
    int64_t guessed = count_predicted(plan, query, label), most = guessed < support ? guessed : support;
    ll_worked scratch;
    int found = 0;
    ll_worked_init(&scratch);
    for (int64_t tp = guessed + support > plan->rows ? guessed + support - plan->rows : 0; tp <= most && found < 2;
         tp++)
        if (explains(own, &scratch, query, label, tp, guessed, support)) {
            *out = tp;
            found++;
        }
    ll_worked_clear(&scratch);
    return found;
}

/* The count of a label among the rows that are predicted a class. truth: rows of the label, where that is supposed;
 * else -1. */
static int find_count(const decoder *own, int64_t *out, long query, long label, long column, int64_t support)
{
    long cell = ll_plan_find_cell(own->common.plan, label, column);
    return cell >= 0 ? ll_code_count_integers(out, observed_at(own, query, cell))
                     : find_tp(own, out, query, label, support);
}

/* ---- one label ---- */

/* Group by group into own->has. *found: 1 where there are such rows, 0 where not, more where a count is not known. */
static ll_status find_rows(decoder *own, int *found, long label, int64_t support, ll_error *error)
{
    const ll_code *code = own->common.plan->state->code;
    *found = 1;
    for (long group = 0; group < ll_cells_groups(code) && *found == 1; group++) {
        long first = ll_cells_first_query(code, group, label), column = ll_cells_column(code, group, label);
        for (long q = 0; q < ll_cells_queries(code) && *found == 1; q++)
            *found = find_count(own, &own->counts[q], first + q, label, column, support);
        if (*found != 1)
            return LL_OK;
        ll_status status = ll_cells_decode(code, own->has + ll_cells_first_row(code, group), own->counts, found, error);
        if (status != LL_OK)
            return status;
        for (long row = ll_cells_first_row(code, group + 1);
             row < code->rows + ll_cells_size(code) && row < ll_cells_first_row(code, group) + ll_cells_size(code);
             row++)
            *found = *found == 1 && !own->has[row]; /* rows that are not there have no label */
    }
    return LL_OK;
}

/* Rows that are asked about: the first ones. */
static long asked_rows(const decoder *own)
{
    const ll_code *code = own->common.plan->state->code;
    return code->rows - code->counted;
}

static void note_rows(decoder *own, long label)
{
    long rows = own->common.plan->rows;
    for (long row = 0; row < asked_rows(own); row++)
        (own->has[row] ? own->with : own->without)[label * rows + row] = 1;
}

/* Does a number that is the rows of the class itself say otherwise? */
static int is_support(const decoder *own, long label, int64_t support)
{
    const ll_plan *plan = own->common.plan;
    int agrees = 1;
    arb_t rows;
    arb_init(rows);
    arb_set_si(rows, support);
    for (long i = 0; i < numbers_of(own) && agrees; i++) {
        const ll_metric *metric = ll_scorer_get_number(plan->answer, i)->computation.metric;
        if (ll_metric_class(metric) == label && ll_metric_is_whole(metric))
            agrees = arb_overlaps(rows, observed_at(own, 0, i));
    }
    arb_clear(rows);
    return agrees;
}

/* Do the groups' own totals, which a query with all rows in tells, add up to what is supposed, but for rows that are not
 * asked about? */
static int is_total(const decoder *own, long label, int64_t support)
{
    const ll_code *code = own->common.plan->state->code;
    int64_t sum = 0, count = 0;
    if (!is_support(own, label, support))
        return 0;
    for (long group = 0; group < ll_cells_groups(code); group++) {
        int found = find_count(own, &count, ll_cells_first_query(code, group, label), label,
                               ll_cells_column(code, group, label), support);
        if (found != 1)
            return found > 1;
        sum += count;
    }
    return sum <= support && support <= sum + code->counted;
}

static ll_status try_total(decoder *own, long label, int64_t support, int *left, ll_error *error)
{
    int found = 0;
    if (!is_total(own, label, support))
        return LL_OK;
    ll_status status = find_rows(own, &found, label, support, error);
    own->is_open |= found > 1;
    *left += found != 0;
    if (status == LL_OK && found == 1)
        note_rows(own, label);
    return status;
}

/* Every number of rows that the label may have, where counts are not known as such. */
static ll_status try_label(decoder *own, long label, int *left, ll_error *error)
{
    const ll_plan *plan = own->common.plan;
    ll_status status = LL_OK;
    int found = 0;
    if (ll_plan_find_cell(plan, label, ll_cells_column(plan->state->code, 0, label)) < 0) {
        for (int64_t support = 0; support <= plan->rows && status == LL_OK && !own->is_open; support++)
            if (plan->scorer->counts == NULL || plan->scorer->counts[label] == support)
                status = try_total(own, label, support, left, error);
        return status;
    }
    status = find_rows(own, &found, label, -1, error);
    own->is_open |= found > 1;
    *left += found != 0;
    if (status == LL_OK && found == 1)
        note_rows(own, label);
    return status;
}

/* ---- all labels ---- */

/* Is label 0 what is left where no other label is? */
static int is_rest(const decoder *own)
{
    const ll_code *code = own->common.plan->state->code;
    return ll_code_is_variant(code, LL_CELLS_DIAGONAL);
}

static void set_row(const decoder *own, ll_decoded *out, long row)
{
    long rows = own->common.plan->rows, classes = own->common.plan->classes, count = 0;
    for (long k = 0; k < classes; k++) {
        int may = k == 0 && is_rest(own) ? 1 : own->with[k * rows + row];
        for (long other = is_rest(own); other < classes; other++)
            may = may && (other == k || own->without[other * rows + row]);
        out->candidates[row * classes + k] = (unsigned char)may;
        count += may;
        out->labels[row] = may && count == 1 ? (int32_t)k : count == 1 ? out->labels[row] : -1;
    }
    if (count == 0)
        out->count = 0;
    else if (count > 1 && out->count == 1)
        out->count = 2;
}

/* May these labels have got all numbers of this answer? */
static ll_status check_answer(const decoder *own, const ll_confusion *counts, long query, int *fits)
{
    ll_worked number;
    ll_worked_init(&number);
    for (long i = 0; i < numbers_of(own) && *fits; i++) {
        const ll_computation *how = &ll_scorer_get_number(own->common.plan->answer, i)->computation;
        const ll_work balls = ll_view_work(how, own->common.plan->prec);
        if (ll_metric_is_counts(how->metric))
            *fits = ll_confusion_work(how, &balls, &number, counts, NULL) == LL_OK &&
                    arb_overlaps(number.ball, observed_at(own, query, i));
    }
    ll_worked_clear(&number);
    return LL_OK;
}

static ll_status check_all(const decoder *own, const int32_t *labels, int *fits, ll_error *error)
{
    const ll_plan *plan = own->common.plan;
    ll_confusion counts;
    ll_status status = ll_confusion_init(&counts, plan->classes, error);
    *fits = 1;
    for (long q = 0; q < plan->queries && status == LL_OK && *fits; q++) {
        const ll_code *code = ll_plan_code(plan, q);
        memset(counts.cells, 0, sizeof *counts.cells * (size_t)(plan->classes * plan->classes));
        for (long row = 0; row < plan->rows; row++)
            counts.cells[labels[row] * plan->classes + code->row->predict(code, row)]++;
        ll_confusion_close(&counts);
        status = check_answer(own, &counts, q, fits);
    }
    ll_confusion_clear(&counts);
    return status;
}

static ll_status close_block(ll_decoder *d, ll_decoded *out, ll_error *error)
{
    decoder *own = (decoder *)d;
    const ll_plan *plan = d->plan;
    ll_status status = LL_OK;
    int left = 1, fits = 1;
    for (long label = is_rest(own); label < plan->classes && status == LL_OK && left > 0; label++) {
        left = 0;
        status = try_label(own, label, &left, error);
    }
    ll_decoded_set_open(out, plan->rows, plan->classes);
    arb_indeterminate(d->missing);
    if (status != LL_OK || (own->is_open && left > 0))
        return status;
    out->count = left > 0;
    for (long row = 0; row < asked_rows(own) && out->count > 0; row++)
        set_row(own, out, row);
    if (out->count == 1 && asked_rows(own) < plan->rows)
        out->count = 2;
    if (out->count == 1)
        status = check_all(own, out->labels, &fits, error);
    if (out->count == 0 || !fits)
        ll_decoded_set_none(out, plan->rows, plan->classes);
    return status;
}

const ll_strategy ll_strategy_cells = {
    .name = "cells",
    .proof = "several.md",
    .whole = LL_ASKS_ALL,
    .reads_first = 1,
    .plan = ll_cells_plan,
    .writer = &ll_writer_labels,
    .decoder_size = sizeof(decoder),
    .begin = init,
    .end = clear,
    .keep = keep,
    .close = close_block,
    LL_PLANS_BLOCKS,
};

/* One number is read by contrasts. */
static const ll_strategy *pick(const ll_plan *plan)
{
    return ll_scorer_count_numbers(plan->answer) == 1 ? &ll_strategy_contrast : &ll_strategy_cells;
}

const ll_candidate ll_candidate_cells = {.code = &ll_code_cells, .rank = 1, .pick = pick};
