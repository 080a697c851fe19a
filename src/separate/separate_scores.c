/* Labellings scored one by one, all of them for few rows: in floats rounding makes and unmakes differences, and only
 * the released numbers themselves tell. */
#include "number/sum.h"
#include "separate/separate_private.h"

#include <stdlib.h>

/* ---- all scores ---- */

void ll_scores_unpack(int32_t *labels, uint64_t index, long rows, long classes)
{
    for (long i = 0; i < rows; i++, index /= (uint64_t)classes)
        labels[i] = (int32_t)(index % (uint64_t)classes);
}

static arf_ptr reserve(uint64_t count)
{
    arf_ptr list = malloc((size_t)count * sizeof *list);
    for (uint64_t i = 0; list != NULL && i < count; i++)
        arf_init(list + i);
    return list;
}

static void release(arf_ptr list, uint64_t count)
{
    for (uint64_t i = 0; list != NULL && i < count; i++)
        arf_clear(list + i);
    free(list);
}

/* ---- FPA: the terms once, then only sums; what the scorer does with them afterwards is done here again ---- */

typedef struct {
    const ll_terms *terms;
    const ll_arithmetic *a;
    ll_value *values; /* [row * classes + label] */
    ll_value sum, divisor, exponent;
} formatted;

static const ll_operations *const fpa = &ll_arithmetic_fpa;

static void formatted_init(formatted *f, const ll_terms *terms)
{
    static const ll_exact one = {{1}, {0}, {0}};
    const ll_metric *metric = terms->scoring->how->metric;
    ll_exact rows;
    ll_exact_init(&rows);
    ll_exact_set_si(&rows, terms->rows);
    f->terms = terms;
    f->a = &terms->scoring->how->total;
    fpa->init(f->a, &f->sum);
    fpa->init(f->a, &f->divisor);
    fpa->init(f->a, &f->exponent);
    if (ll_metric_is_sum(metric)) {
        fpa->set_exact(f->a, &f->divisor, ll_metric_parameter(metric));
        fpa->set_exact(f->a, &f->exponent, &one);
        fpa->div(f->a, &f->exponent, &f->exponent, &f->divisor);
    } else {
        fpa->set_exact(f->a, &f->divisor, &rows);
    }
    for (long i = 0; f->values != NULL && i < terms->rows * terms->classes; i++) {
        fpa->init(f->a, &f->values[i]);
        ll_format_set_arf(&f->a->format, f->values[i].fpa, arb_midref(terms->terms + i));
    }
    ll_exact_clear(&rows);
}

static void formatted_clear(formatted *f)
{
    for (long i = 0; f->values != NULL && i < f->terms->rows * f->terms->classes; i++)
        fpa->clear(f->a, &f->values[i]);
    free(f->values);
    fpa->clear(f->a, &f->sum);
    fpa->clear(f->a, &f->divisor);
    fpa->clear(f->a, &f->exponent);
}

static int score_terms(formatted *f, ll_unreleased *out, const int32_t *labels)
{
    const ll_terms *terms = f->terms;
    ll_sum *sum = ll_sum_create(f->a, terms->scoring->how->order, terms->rows);
    if (sum == NULL)
        return 0;
    for (long i = 0; i < terms->rows; i++)
        ll_sum_add(sum, &f->values[i * terms->classes + labels[i]]);
    ll_sum_get(sum, &f->sum);
    ll_sum_destroy(sum);
    if (ll_metric_is_sum(terms->scoring->how->metric))
        fpa->pow(f->a, &f->sum, &f->sum, &f->exponent);
    else
        fpa->div(f->a, &f->sum, &f->sum, &f->divisor);
    fpa->get_ball(f->a, out->number, &f->sum);
    out->is_float = 1;
    out->format = f->a->format;
    arf_set(out->lower, arb_midref(out->number));
    arf_set(out->upper, arb_midref(out->number));
    return 1;
}

static ll_status score_sum(formatted *f, ll_unreleased *out, const int32_t *labels, ll_error *error)
{
    if (!score_terms(f, out, labels))
        return ll_fail(error, LL_MEMORY, "no memory for a sum of %ld rows", f->terms->rows);
    if (!arb_is_finite(out->number))
        return ll_fail(error, LL_DOMAIN, "the score is not finite in %s", f->terms->scoring->how->arithmetic);
    return LL_OK;
}

/* f: of FPA, or NULL. */
static ll_status score_one_by_one(ll_scores *scores, const ll_terms *terms, formatted *f, int32_t *labels, slong bits,
                                  ll_error *error)
{
    ll_unreleased unreleased;
    ll_status status = LL_OK;
    ll_unreleased_init(&unreleased);
    for (scores->scored = 0; scores->scored < scores->count; scores->scored++) {
        uint64_t n = scores->scored;
        ll_scores_unpack(labels, n, terms->rows, terms->classes);
        status = f != NULL ? score_sum(f, &unreleased, labels, error)
                           : ll_terms_score(terms, &unreleased, labels, bits, error);
        if (status == LL_OK)
            status = ll_release_transform(terms->release, &unreleased, bits, error);
        if (status != LL_OK)
            break;
        arf_set(scores->lower + n, unreleased.lower);
        arf_set(scores->upper + n, unreleased.upper);
        arf_set(scores->number + n, arb_midref(unreleased.number));
    }
    ll_unreleased_clear(&unreleased);
    return status;
}

static ll_status score_format(ll_scores *scores, ll_terms *terms, int32_t *labels, ll_error *error)
{
    ll_status status = ll_terms_compute(terms, 128, error);
    if (status != LL_OK)
        return score_one_by_one(scores, terms, NULL, labels, 128,
                                error); /* which tells the first labelling that fails */
    formatted f = {.values = calloc((size_t)(terms->rows * terms->classes), sizeof *f.values)};
    formatted_init(&f, terms);
    status = f.values != NULL ? score_one_by_one(scores, terms, &f, labels, 0, error)
                              : ll_fail(error, LL_MEMORY, "no memory for %ld rows", terms->rows);
    formatted_clear(&f);
    return status;
}

/* ---- all of them ---- */

/* K^N, or `most` where that is less. */
static uint64_t count_labellings(const ll_terms *terms, uint64_t most)
{
    uint64_t count = 1;
    for (long i = 0; i < terms->rows && count < most; i++)
        count = count <= most / (uint64_t)terms->classes ? count * (uint64_t)terms->classes : most;
    return count;
}

int ll_scores_reserve(ll_scores *scores, uint64_t count)
{
    *scores = (ll_scores){.lower = reserve(count), .upper = reserve(count), .number = reserve(count)};
    return scores->lower != NULL && scores->upper != NULL && scores->number != NULL;
}

ll_status ll_scores_init(ll_scores *scores, ll_terms *terms, uint64_t most, slong bits, ll_error *error)
{
    uint64_t count = count_labellings(terms, most);
    int32_t *labels = calloc((size_t)terms->rows, sizeof *labels);
    ll_status status;
    int reserved = ll_scores_reserve(scores, count);
    scores->count = count;
    if (!reserved || labels == NULL)
        status =
            ll_fail(error, LL_MEMORY, "no memory for the scores of %llu labellings", (unsigned long long)scores->count);
    else if (terms->scoring->how->kind == LL_KIND_FORMAT)
        status = score_format(scores, terms, labels, error);
    else
        status = score_one_by_one(scores, terms, NULL, labels, bits, error);
    free(labels);
    return status;
}

void ll_scores_clear(ll_scores *scores)
{
    release(scores->lower, scores->count);
    release(scores->upper, scores->count);
    release(scores->number, scores->count);
    *scores = (ll_scores){0};
}

/* ---- the least difference ---- */

void ll_scores_gap_init(ll_scores_gap *gap)
{
    *gap = (ll_scores_gap){0};
    arf_init(gap->lower);
    arf_init(gap->upper);
    arf_init(gap->gap);
}

void ll_scores_gap_clear(ll_scores_gap *gap)
{
    arf_clear(gap->lower);
    arf_clear(gap->upper);
    arf_clear(gap->gap);
}

static int by_number(const void *a, const void *b, void *numbers)
{
    uint64_t i = *(const uint64_t *)a, j = *(const uint64_t *)b;
    int order = arf_cmp((arf_ptr)numbers + i, (arf_ptr)numbers + j);
    return order != 0 ? order : (i > j) - (i < j);
}

static void keep_less(arf_t least, const arf_t x)
{
    if (arf_cmp(x, least) < 0)
        arf_set(least, x);
}

/* Neighbours in the order of numbers: the least difference of numbers, and for each the most that the real ones
 * can be apart. */
static void see_neighbours(const ll_scores *s, ll_scores_gap *out, const uint64_t *order)
{
    arf_t x;
    arf_init(x);
    arf_pos_inf(out->gap);
    arf_pos_inf(out->upper);
    for (uint64_t n = 1; n < s->count; n++) {
        uint64_t i = order[n - 1], j = order[n];
        arf_sub(x, s->number + j, s->number + i, LL_SEPARATE_PREC, ARF_RND_NEAR);
        if (arf_cmp(x, out->gap) < 0) {
            arf_set(out->gap, x);
            out->first = i;
            out->second = j;
        }
        arf_sub(x, s->upper + j, s->lower + i, LL_SEPARATE_PREC, ARF_RND_CEIL);
        keep_less(out->upper, x);
    }
    arf_clear(x);
}

/* In the order of lower ends: each one's distance from the highest upper end so far. */
static void see_gaps(const ll_scores *s, ll_scores_gap *out, const uint64_t *order)
{
    arf_t x, highest;
    arf_init(x);
    arf_init(highest);
    arf_set(highest, s->upper + order[0]);
    arf_pos_inf(out->lower);
    for (uint64_t n = 1; n < s->count; n++) {
        uint64_t i = order[n];
        arf_sub(x, s->lower + i, highest, LL_SEPARATE_PREC, ARF_RND_FLOOR);
        keep_less(out->lower, x);
        if (arf_cmp(s->upper + i, highest) > 0)
            arf_set(highest, s->upper + i);
    }
    if (arf_sgn(out->lower) < 0)
        arf_zero(out->lower);
    arf_clear(x);
    arf_clear(highest);
}

ll_status ll_scores_find(const ll_scores *scores, ll_scores_gap *out)
{
    uint64_t *order = malloc((size_t)scores->count * sizeof *order);
    if (order == NULL)
        return LL_MEMORY;
    for (uint64_t n = 0; n < scores->count; n++)
        order[n] = n;
    qsort_r(order, (size_t)scores->count, sizeof *order, by_number, scores->number);
    see_neighbours(scores, out, order);
    qsort_r(order, (size_t)scores->count, sizeof *order, by_number, scores->lower);
    see_gaps(scores, out, order);
    free(order);
    return LL_OK;
}
