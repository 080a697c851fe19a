/* Scores in FPA(phi): every operation of clip, loss, sum and mean is rounded to its format, so that the score is one
 * definite number. Rows, loss and sum may have formats of their own, each holding the one before. */
#include "metric/scoring.h"
#include "number/sum.h"

#include <stdlib.h>

typedef struct {
    const ll_scoring *scoring;
    const ll_predictions *predictions;
    const ll_exact **exacts;
    ll_exact *converted;
    ll_value *row;                 /* in the rows' format */
    ll_value *wide;                /* the same in the loss's */
    ll_value low, high, one, q, s; /* in the rows' format */
    ll_value bound, number, term;  /* bound of LL_LOG_CLAMP, q and the loss, in the loss's format */
    ll_value addend;               /* the loss in the sum's format */
    ll_sum *sum;
} pass;

static const ll_operations *const fpa = &ll_arithmetic_fpa;

static const ll_value *clip(pass *p, const ll_value *x)
{
    const ll_arithmetic *a = &p->scoring->how->rows;
    if (fpa->less(a, x, &p->low) == LL_TRUE)
        return &p->low;
    return fpa->less(a, &p->high, x) == LL_TRUE ? &p->high : x;
}

static void raise_to(pass *p, ll_value *x, const ll_value *least)
{
    const ll_arithmetic *a = &p->scoring->how->rows;
    if (fpa->less(a, x, least) == LL_TRUE)
        fpa->set(a, x, least);
}

/* s = the sum of the clipped row; one column: of 1-c and c. */
static int sum_row(pass *p, const ll_value *c)
{
    const ll_arithmetic *a = &p->scoring->how->rows;
    long columns = p->predictions->columns;
    ll_sum *sum = ll_sum_create(a, p->scoring->how->order, columns == 1 ? 2 : columns);
    if (!sum)
        return 0;
    if (columns == 1) {
        fpa->sub(a, &p->s, &p->one, c);
        ll_sum_add(sum, &p->s);
        ll_sum_add(sum, c);
    }
    for (long j = 0; columns > 1 && j < columns; ++j)
        ll_sum_add(sum, clip(p, &p->row[j]));
    ll_sum_get(sum, &p->s);
    ll_sum_destroy(sum);
    return 1;
}

/* q, the number whose logarithm is the loss. 0 where memory ended. */
static int find_q(pass *p, long label)
{
    const ll_arithmetic *a = &p->scoring->how->rows;
    ll_clip_mode mode = p->scoring->how->clip_mode;
    int one_column = p->predictions->columns == 1;
    const ll_value *x = &p->row[one_column ? 0 : label];
    if (mode == LL_CLIP || mode == LL_CLIP_RENORMALISE || mode == LL_LOG_PLUS)
        x = clip(p, x);
    if (mode == LL_CLIP_RENORMALISE && !sum_row(p, x))
        return 0;
    if (one_column && label == 0)
        fpa->sub(a, &p->q, &p->one, x);
    else
        fpa->set(a, &p->q, x);
    if (mode == LL_CLIP_RENORMALISE)
        fpa->div(a, &p->q, &p->q, &p->s);
    if (p->scoring->how->adds_clip)
        fpa->add(a, &p->q, &p->q, &p->low);
    if (mode == LL_FLOOR)
        raise_to(p, &p->q, &p->low);
    return 1;
}

static ll_status log_term(pass *p, long row, ll_error *error)
{
    const ll_arithmetic *a = &p->scoring->how->term;
    if (!find_q(p, p->scoring->labels[row]))
        return ll_fail(error, LL_MEMORY, "no memory for the sum of a row");
    ll_format_set(&a->format, p->number.fpa, p->q.fpa);
    fpa->log(a, &p->term, &p->number);
    fpa->neg(a, &p->term, &p->term);
    if (p->scoring->how->clip_mode == LL_LOG_CLAMP && fpa->less(a, &p->bound, &p->term) == LL_TRUE)
        fpa->set(a, &p->term, &p->bound);
    if (fpa->is_finite(a, &p->term) != LL_TRUE)
        return ll_rows_fail(p->predictions, row, error, LL_DOMAIN,
                            "the true class has probability 0 in %s: the score is infinite",
                            p->scoring->how->arithmetic);
    return LL_OK;
}

/* The sum of ([j = label] - x_j)^2 in the scorer's order. 0 where memory ended. */
static int sum_squares(pass *p, long label)
{
    const ll_arithmetic *a = &p->scoring->how->term;
    long columns = p->predictions->columns;
    ll_sum *sum = ll_sum_create(a, p->scoring->how->order, columns);
    if (!sum)
        return 0;
    for (long j = 0; j < columns; ++j) {
        ll_format_set_d(&a->format, p->number.fpa, j == label);
        fpa->sub(a, &p->number, &p->number, &p->wide[j]);
        fpa->mul(a, &p->number, &p->number, &p->number);
        ll_sum_add(sum, &p->number);
    }
    ll_sum_get(sum, &p->term);
    ll_sum_destroy(sum);
    return 1;
}

static ll_status other_term(pass *p, long row, ll_error *error)
{
    const ll_computation *resolved = p->scoring->how;
    long columns = p->predictions->columns;
    for (long j = 0; j < columns; ++j) {
        const ll_value *x = p->scoring->how->clip_mode == LL_CLIP ? clip(p, &p->row[j]) : &p->row[j];
        ll_format_set(&resolved->term.format, p->wide[j].fpa, x->fpa);
    }
    if (ll_metric_is_brier(resolved->metric) && columns > 1) {
        if (!sum_squares(p, p->scoring->labels[row]))
            return ll_fail(error, LL_MEMORY, "no memory for the sum of a row");
        if (fpa->is_finite(&resolved->term, &p->term) == LL_TRUE)
            return LL_OK;
    } else if (ll_metric_score(resolved->metric, &resolved->term, &p->term, p->wide, columns,
                               p->scoring->labels[row]) == LL_OK) {
        return LL_OK;
    }
    return ll_rows_fail(p->predictions, row, error, LL_DOMAIN, "the loss is not finite in %s",
                        p->scoring->how->arithmetic);
}

static ll_status read_row(pass *p, const ll_block *block, long i, long row, ll_error *error)
{
    ll_status status = LL_OK;
    for (long j = 0; j < block->columns && status == LL_OK; ++j) {
        p->exacts[j] = ll_rows_exact(&p->converted[j], block, i * block->columns + j);
        status = ll_rows_check(p->scoring, p->predictions, p->exacts[j], row, error);
        if (status == LL_OK)
            fpa->set_exact(&p->scoring->how->rows, &p->row[j], p->exacts[j]);
    }
    if (status == LL_OK && ll_rows_must_sum(p->scoring, block->columns))
        status = ll_rows_check_sum(p->scoring, p->predictions, ll_rows_sum(p->exacts, block->columns), row, error);
    return status;
}

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    pass *p = state;
    int is_log = ll_metric_is_log(p->scoring->how->metric);
    ll_status status = LL_OK;
    for (long i = 0; i < block->rows && status == LL_OK; ++i) {
        status = read_row(p, block, i, first + i, error);
        if (status == LL_OK)
            status = is_log ? log_term(p, first + i, error) : other_term(p, first + i, error);
        if (status == LL_OK) {
            ll_format_set(&p->scoring->how->total.format, p->addend.fpa, p->term.fpa);
            ll_sum_add(p->sum, &p->addend);
        }
    }
    return status;
}

/* ---- the whole pass ---- */

static ll_status begin(pass *p, ll_error *error)
{
    const ll_computation *resolved = p->scoring->how;
    static const ll_exact one = {{1}, {0}, {0}};
    size_t columns = (size_t)p->predictions->columns;
    ll_value *of_rows[] = {&p->low, &p->high, &p->one, &p->q, &p->s}, *of_term[] = {&p->bound, &p->number, &p->term};
    for (size_t i = 0; i < 5; ++i)
        fpa->init(&resolved->rows, of_rows[i]);
    for (size_t i = 0; i < 3; ++i)
        fpa->init(&resolved->term, of_term[i]);
    fpa->init(&resolved->total, &p->addend);
    p->exacts = calloc(columns, sizeof(const ll_exact *));
    p->converted = calloc(columns, sizeof *p->converted);
    p->row = calloc(columns, sizeof *p->row);
    p->wide = calloc(columns, sizeof *p->wide);
    for (size_t j = 0; p->row && p->wide && j < columns; ++j) {
        fpa->init(&resolved->rows, &p->row[j]);
        fpa->init(&resolved->term, &p->wide[j]);
    }
    p->sum = ll_sum_create(&resolved->total, p->scoring->how->order, p->scoring->rows);
    fpa->set_exact(&resolved->rows, &p->one, &one);
    fpa->set_exact(&resolved->rows, &p->low, &resolved->low);
    if (ll_metric_takes_targets(resolved->metric)) /* the range of the targets */
        fpa->set_exact(&resolved->rows, &p->high, &resolved->high);
    else
        fpa->sub(&resolved->rows, &p->high, &p->one, &p->low);
    fpa->set_exact(&resolved->term, &p->bound, &resolved->low);
    if (!p->exacts || !p->converted || !p->row || !p->wide || !p->sum)
        return ll_fail(error, LL_MEMORY, "no memory for rows of %zu columns", columns);
    return LL_OK;
}

static void end(pass *p)
{
    const ll_computation *resolved = p->scoring->how;
    long columns = p->predictions->columns;
    ll_value *of_rows[] = {&p->low, &p->high, &p->one, &p->q, &p->s}, *of_term[] = {&p->bound, &p->number, &p->term};
    for (size_t i = 0; i < 5; ++i)
        fpa->clear(&resolved->rows, of_rows[i]);
    for (size_t i = 0; i < 3; ++i)
        fpa->clear(&resolved->term, of_term[i]);
    fpa->clear(&resolved->total, &p->addend);
    for (long j = 0; p->row && p->wide && j < columns; ++j) {
        fpa->clear(&resolved->rows, &p->row[j]);
        fpa->clear(&resolved->term, &p->wide[j]);
    }
    for (long j = 0; p->converted && j < columns; ++j)
        ll_exact_clear(&p->converted[j]);
    free(p->exacts);
    free(p->converted);
    free(p->row);
    free(p->wide);
    ll_sum_destroy(p->sum);
}

/* sum/N, or the P-th root of the sum as pow(sum, 1/P). */
static void reduce(pass *p)
{
    const ll_computation *resolved = p->scoring->how;
    const ll_arithmetic *a = &resolved->total;
    static const ll_exact one = {{1}, {0}, {0}};
    ll_value other;
    ll_exact rows;
    fpa->init(a, &other);
    ll_exact_init(&rows);
    ll_sum_get(p->sum, &p->addend);
    if (ll_metric_is_sum(resolved->metric)) {
        ll_value degree;
        fpa->init(a, &degree);
        fpa->set_exact(a, &degree, ll_metric_parameter(resolved->metric));
        fpa->set_exact(a, &other, &one);
        fpa->div(a, &other, &other, &degree);
        fpa->pow(a, &p->addend, &p->addend, &other);
        fpa->clear(a, &degree);
    } else {
        ll_exact_set_si(&rows, p->scoring->rows);
        fpa->set_exact(a, &other, &rows);
        fpa->div(a, &p->addend, &p->addend, &other);
    }
    ll_exact_clear(&rows);
    fpa->clear(a, &other);
}

static ll_status finish(pass *p, ll_unreleased *out, ll_error *error)
{
    const ll_arithmetic *a = &p->scoring->how->total;
    reduce(p);
    if (fpa->is_finite(a, &p->addend) != LL_TRUE)
        return ll_fail(error, LL_DOMAIN, "the score is not finite in %s: the sum, or %ld rows, overflow it",
                       p->scoring->how->sum_arithmetic, p->scoring->rows);
    fpa->get_ball(a, out->number, &p->addend);
    arf_set(out->lower, arb_midref(out->number));
    arf_set(out->upper, arb_midref(out->number));
    out->is_float = 1;
    out->format = a->format;
    return LL_OK;
}

ll_status ll_score_format(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                          ll_error *error)
{
    pass p = {.scoring = scoring, .predictions = predictions};
    ll_status status = begin(&p, error);
    if (status == LL_OK)
        status = ll_rows_each(predictions, visit, &p, error);
    if (status == LL_OK)
        status = finish(&p, out, error);
    end(&p);
    return status;
}
