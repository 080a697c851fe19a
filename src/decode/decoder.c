/* What all decoders share: watching what is stored, and taking scores one by one. */
#include "decode/decoder.h"

#include <stdlib.h>
#include <string.h>

/* Repeats are added up query by query; 0 where memory ended. */
static int create_repeats(ll_decoder *d)
{
    size_t queries = (size_t)ll_plan_distinct(d->plan);
    if (d->plan->bounds.repeats == 1)
        return 1;
    d->heard = calloc(queries, sizeof *d->heard);
    if (d->heard != NULL)
        d->totals = _arb_vec_init((slong)queries);
    return d->heard != NULL;
}

static void init_margins(ll_margins *m)
{
    arb_init(m->gap);
    arb_init(m->noise);
    arb_init(m->rounding);
    arb_init(m->residual);
}

static void clear_margins(ll_margins *m)
{
    arb_clear(m->gap);
    arb_clear(m->noise);
    arb_clear(m->rounding);
    arb_clear(m->residual);
}

/* The other numbers of an answer are heard where there are some, and each answer is heard once. */
static void create_observed(ll_decoder *d)
{
    long numbers = ll_scorer_count_numbers(d->plan->answer);
    if (numbers > 1 && d->plan->bounds.repeats == 1)
        d->observed = _arb_vec_init(numbers);
}

ll_status ll_decoder_create(ll_decoder **out, const ll_plan *plan, ll_error *error)
{
    const ll_strategy *strategy = plan->strategy;
    ll_decoder *d = calloc(1, strategy->decoder_size);
    if (d == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a decoder");
    d->plan = plan;
    d->query = -1;
    d->counted = plan->scoring.rows;
    d->labels = malloc(sizeof *d->labels * (size_t)plan->rows);
    const size_t cells = (size_t)plan->rows * (size_t)ll_plan_listed(plan);
    d->candidates = cells > 0 ? malloc(cells) : NULL;
    d->answered = calloc((size_t)plan->queries, 1);
    d->complete = calloc((size_t)plan->queries, 1);
    arb_init(d->missing);
    init_margins(&d->tightest);
    create_observed(d);
    if (strategy->keeps_numbers)
        d->numbers = _arb_vec_init(ll_plan_distinct(plan));
    if (d->labels == NULL || (d->candidates == NULL && cells > 0) || d->answered == NULL || d->complete == NULL ||
        !create_repeats(d) || (strategy->begin != NULL && !strategy->begin(d)) ||
        ll_stored_error_init(&d->stored_error, plan) != LL_OK) {
        ll_decoder_destroy(d);
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", plan->rows);
    }
    if (cells > 0)
        memset(d->candidates, 1, cells);
    for (long i = 0; i < plan->rows; i++)
        d->labels[i] = -1;
    *out = d;
    return LL_OK;
}

void ll_decoder_destroy(ll_decoder *d)
{
    if (d == NULL)
        return;
    ll_stored_error_clear(&d->stored_error, d->plan);
    clear_margins(&d->tightest);
    arb_clear(d->missing);
    free(d->labels);
    free(d->candidates);
    if (d->numbers != NULL)
        _arb_vec_clear(d->numbers, ll_plan_distinct(d->plan));
    if (d->totals != NULL)
        _arb_vec_clear(d->totals, ll_plan_distinct(d->plan));
    if (d->observed != NULL)
        _arb_vec_clear(d->observed, ll_scorer_count_numbers(d->plan->answer));
    free(d->heard);
    free(d->complete);
    if (d->plan->strategy->end != NULL)
        d->plan->strategy->end(d);
    free(d->answered);
    free(d);
}

/* ---- watching ---- */

static ll_status measure_block(ll_decoder *d, const ll_block *block, long first, ll_error *error)
{
    const ll_code *code = ll_plan_code(d->plan, d->query);
    if (first != d->next_row)
        d->next_row = first == 0 ? 0 : -1;
    if (d->next_row < 0)
        return LL_OK;
    if (first == 0)
        ll_stored_error_reset(&d->stored_error);
    for (long i = 0; i < block->rows;) {
        ll_status status;
        long rows = 1, row = ll_plan_row(d->plan, d->query, first + i);
        if (row >= 0 && d->plan->state->writer->measure_rows != NULL) {
            rows = code->rows - row < block->rows - i ? code->rows - row : block->rows - i;
            status = d->plan->state->writer->measure_rows(d->plan, code, &d->stored_error, block, i, row, rows, error);
        } else {
            status = d->plan->state->writer->measure(d->plan, code, &d->stored_error, block, i, row, error);
        }
        if (status != LL_OK)
            return status;
        i += rows;
    }
    d->next_row += block->rows;
    return LL_OK;
}

static ll_status watched_get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    ll_decoder *d = self;
    ll_status status = d->stored.get(d->stored.self, out, first, count, error);
    return status == LL_OK ? measure_block(d, out, first, error) : status;
}

static void watched_where(void *self, char *text, size_t size, long row)
{
    ll_decoder *d = self;
    d->stored.where(d->stored.self, text, size, row);
}

ll_status ll_decoder_watch(ll_decoder *d, ll_predictions *out, const ll_predictions *stored, long query,
                           ll_error *error)
{
    const ll_plan *plan = d->plan;
    if (query < 0 || query >= plan->queries)
        return ll_fail(error, LL_DOMAIN, "there is no query %ld: the plan has %ld", query, plan->queries);
    if (stored->rows != plan->rows || stored->columns != plan->columns || stored->entries != plan->entries)
        return ll_fail(error, LL_DOMAIN, "query %ld: stored predictions are %ld x %ld, the plan's %ld x %ld", query,
                       stored->rows, stored->columns, plan->rows, plan->columns);
    d->stored = *stored;
    d->query = query;
    d->next_row = 0;
    *out = *stored;
    if (plan->strategy->hear != NULL) /* it reads them when the answer is there */
        return LL_OK;
    out->self = d;
    out->get = watched_get;
    out->where = stored->where != NULL ? watched_where : NULL;
    return LL_OK;
}

/* Read what nobody asked for. */
static ll_status measure_all(ll_decoder *d, ll_error *error)
{
    enum { ROWS = 16 };
    ll_block block;
    ll_block_init(&block);
    ll_status status = LL_OK;
    d->next_row = 0;
    for (long first = 0; first < d->plan->rows && status == LL_OK; first += ROWS) {
        long count = d->plan->rows - first < ROWS ? d->plan->rows - first : ROWS;
        status = watched_get(d, &block, first, count, error);
    }
    ll_block_clear(&block);
    return status;
}

/* ---- one score ---- */

long ll_decoder_query(const ll_decoder *d)
{
    return d->query / d->plan->bounds.repeats;
}

long ll_decoder_first_query(const ll_decoder *d)
{
    return ll_plan_first_query(d->plan, ll_plan_block(d->plan, d->query));
}

/* Are all queries of the block answered? This one is now. From the end, the first that lacks is found at once. */
static int is_block_complete(const ll_decoder *d)
{
    long first = ll_decoder_first_query(d), own = ll_decoder_query(d);
    for (long q = first + ll_plan_code(d->plan, d->query)->queries - 1; q >= first; q--)
        if (!d->complete[q] && q != own)
            return 0;
    return 1;
}

static ll_status close_block(ll_decoder *d, ll_error *error)
{
    const ll_plan *plan = d->plan;
    ll_decoded decoded;
    long first = ll_plan_block(plan, d->query) * plan->block, rows = ll_plan_code(plan, d->query)->rows;
    if (ll_decoded_init(&decoded, rows, plan->classes) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for a block's labels");
    ll_status status = d->plan->strategy->close(d, &decoded, error);
    if (status == LL_OK) {
        memcpy(d->labels + first, decoded.labels, sizeof *d->labels * (size_t)rows);
        if (d->candidates != NULL)
            memcpy(d->candidates + first * plan->classes, decoded.candidates, (size_t)rows * (size_t)plan->classes);
        d->is_none = d->is_none || decoded.count == 0;
    }
    ll_decoded_clear(&decoded);
    return status;
}

/* All scores of the watched query are there. */
static ll_status decode_query(ll_decoder *d, const arb_t released, ll_error *error)
{
    ll_status status = LL_OK;
    if (d->plan->strategy->keeps_numbers)
        status = ll_plan_read_number(d->plan, d->numbers + ll_decoder_query(d), released);
    if (status == LL_OK && d->plan->strategy->keep != NULL)
        status = d->plan->strategy->keep(d, released, error);
    if (status == LL_DOMAIN) {
        d->is_none = 1;
        arb_indeterminate(d->missing);
        status = LL_OK;
    } else if (status == LL_OK && d->plan->strategy->close != NULL && is_block_complete(d)) {
        status = close_block(d, error);
    }
    if (status == LL_OK)
        d->complete[ll_decoder_query(d)] = 1;
    return status;
}

/* Add a score to those of its query; 1 where it was the last of the repeats, and *score is their mean. */
static int is_last_repeat(ll_decoder *d, arb_t score)
{
    const ll_plan *plan = d->plan;
    long query = ll_decoder_query(d);
    if (d->heard == NULL)
        return 1;
    arb_add(d->totals + query, d->totals + query, score, plan->prec + 64);
    if (++d->heard[query] < plan->bounds.repeats)
        return 0;
    arb_div_si(score, d->totals + query, plan->bounds.repeats, plan->prec + 64);
    return 1;
}

/* Every number of the answer as an interval of its metric's own. *is_none: one is no number that is released so. */
static ll_status hear_others(ll_decoder *d, const ll_answer *answer, int *is_none, ll_error *error)
{
    const slong prec = d->plan->prec + 64;
    ll_status status = LL_OK;
    for (long i = 0; d->observed != NULL && i < answer->count && status == LL_OK; i++) {
        const ll_release *r = &ll_scorer_get_number(d->plan->answer, i)->release;
        status = ll_release_read(r, d->observed + i, answer->texts[i], NULL, LL_STATED_AND_OWN, prec, error);
        if (status == LL_OK && !ll_release_is_bounded(r))
            arb_zero_pm_inf(d->observed + i);
        else if (status == LL_OK && ll_release_undo(r, d->observed + i, 0, LL_STATED_AND_OWN, prec) != LL_OK)
            *is_none = 1;
    }
    return status;
}

/* The number that the plan reads, and the others beside it. */
static ll_status hear(ll_decoder *d, const ll_answer *answer, ll_error *error)
{
    const ll_plan *plan = d->plan;
    const ll_release *release = &plan->scorer->release;
    const char *text = answer->texts[plan->number];
    int is_none = 0;
    arb_t score;
    arb_init(score);
    if (plan->strategy->value_bits != NULL)
        d->texts.next_bits = plan->strategy->value_bits(plan, d->query);
    ll_status status = ll_release_read(release, score, text, &d->texts, LL_STATED_AND_OWN, plan->prec + 64, error);
    if (status == LL_OK)
        status = hear_others(d, answer, &is_none, error);
    if (status == LL_OK && d->next_row != plan->rows)
        status = measure_all(d, error);
    d->is_none = d->is_none || (status == LL_OK && is_none);
    if (status == LL_OK && is_last_repeat(d, score))
        status = decode_query(d, score, error);
    if (status == LL_OK)
        ll_release_note(release, &d->texts, text);
    arb_clear(score);
    return status;
}

ll_status ll_decoder_score(ll_decoder *d, const char *text, ll_error *error)
{
    const ll_plan *plan = d->plan;
    ll_answer answer;
    if (d->query < 0 || d->answered[d->query])
        return ll_fail(error, LL_DOMAIN, "a score without predictions: watch a query first");
    ll_status status = ll_answer_split(&answer, plan->answer, text, error);
    if (status != LL_OK)
        return status;
    status = (plan->strategy->hear != NULL ? plan->strategy->hear : hear)(d, &answer, error);
    ll_answer_clear(&answer);
    if (status == LL_OK) {
        d->answered[d->query] = 1;
        d->scores++;
        d->query = -1;
    }
    return status;
}

int ll_decoder_is_none(const ll_decoder *d)
{
    return d->is_none;
}

int ll_decoder_is_refuted(const ll_decoder *d)
{
    return d->is_none || d->is_refuted;
}
