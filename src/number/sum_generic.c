/* Running sums over ll_arithmetic: balls left to right, FPA in every order.
 *
 * An FPA number may have a million digits, so nothing is collected. The pairwise order is walked term by term: a stack
 * of what is still to come (right parts, and marks where two results meet) and a stack of results. A split leaves
 * at most half the terms and 8 more, so that a part of LL_SUM_CHUNK is a leaf after at most 7 of them: 64 + 16 <= 128.
 *
 * The exact order keeps one arf that nothing is rounded in, as long as it spans no more than `reach` bits.
 * Terms outside are kept as they are, and arf_sum adds all of them with one rounding at the end. */
#include "number/memory.h"
#include "number/sum_private.h"

#include <stdlib.h>

enum { DEEPEST = 8, MEET = 0 };

typedef struct {
    long left;              /* terms in pieces to come */
    long todo[2 * DEEPEST]; /* sizes of right parts, or MEET */
    int todo_count;
    long leaf, index; /* size of the leaf under way, and how much of it was added */
    ll_value lanes[LL_SUM_LANES];
    ll_value results[DEEPEST + 1]; /* of finished parts; [result_count] is that of the leaf under way */
    int result_count;
} pairwise_walk;

typedef struct {
    arf_t sum, term;
    arf_struct *far;
    long far_count, far_room;
    int lost; /* no memory for a far term */
} exact_terms;

struct ll_sum_generic {
    ll_arithmetic a;
    ll_order order;
    ll_value sum, rest, t, cut; /* t and cut are scratch */
    pairwise_walk *walk;
    exact_terms *exact;
    int is_special; /* exact: some term was not finite, and sum is the sum of those */
};

/* ------------------------------------------------------------------ create and destroy */

static pairwise_walk *walk_create(const ll_arithmetic *a, long terms)
{
    pairwise_walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return NULL;
    walk->left = terms;
    for (int i = 0; i < LL_SUM_LANES; i++)
        a->ops->init(a, &walk->lanes[i]);
    for (int i = 0; i <= DEEPEST; i++)
        a->ops->init(a, &walk->results[i]);
    return walk;
}

static void walk_destroy(const ll_arithmetic *a, pairwise_walk *walk)
{
    if (!walk)
        return;
    for (int i = 0; i < LL_SUM_LANES; i++)
        a->ops->clear(a, &walk->lanes[i]);
    for (int i = 0; i <= DEEPEST; i++)
        a->ops->clear(a, &walk->results[i]);
    free(walk);
}

static exact_terms *exact_create(void)
{
    exact_terms *exact = calloc(1, sizeof *exact);
    if (!exact)
        return NULL;
    arf_init(exact->sum);
    arf_init(exact->term);
    return exact;
}

static void exact_destroy(exact_terms *exact)
{
    if (!exact)
        return;
    for (long i = 0; i < exact->far_count; i++)
        arf_clear(&exact->far[i]);
    free(exact->far);
    arf_clear(exact->sum);
    arf_clear(exact->term);
    free(exact);
}

ll_sum_generic *ll_sum_generic_create(const ll_arithmetic *a, ll_order order, long terms)
{
    ll_sum_generic *sum = calloc(1, sizeof *sum);
    if (!sum)
        return NULL;
    sum->a = *a;
    sum->order = a->ops == &ll_arithmetic_ball ? LL_SUM_NAIVE : order;
    ll_value *values[] = {&sum->sum, &sum->rest, &sum->t, &sum->cut};
    for (int i = 0; i < 4; i++)
        a->ops->init(a, values[i]);
    int is_pairwise = sum->order == LL_SUM_PAIRWISE || sum->order == LL_SUM_CASCADE;
    int is_exact = sum->order == LL_SUM_EXACT;
    sum->walk = is_pairwise ? walk_create(a, terms) : NULL;
    sum->exact = is_exact ? exact_create() : NULL;
    if ((is_pairwise && !sum->walk) || (is_exact && !sum->exact)) {
        ll_sum_generic_destroy(sum);
        return NULL;
    }
    return sum;
}

void ll_sum_generic_destroy(ll_sum_generic *sum)
{
    if (!sum)
        return;
    walk_destroy(&sum->a, sum->walk);
    exact_destroy(sum->exact);
    ll_value *values[] = {&sum->sum, &sum->rest, &sum->t, &sum->cut};
    for (int i = 0; i < 4; i++)
        sum->a.ops->clear(&sum->a, values[i]);
    free(sum);
}

/* ------------------------------------------------------------------ pairwise */

/* Go down to the leaf that comes next. */
static void walk_begin_leaf(pairwise_walk *walk)
{
    long n;
    if (walk->todo_count > 0) {
        n = walk->todo[--walk->todo_count];
    } else {
        n = walk->left < LL_SUM_CHUNK ? walk->left : LL_SUM_CHUNK;
        walk->left -= n;
    }
    while (n > LL_SUM_LEAF) {
        long first = ll_sum_left_part(n);
        walk->todo[walk->todo_count++] = MEET;
        walk->todo[walk->todo_count++] = n - first;
        n = first;
    }
    walk->leaf = n;
}

/* ((r0+r1)+(r2+r3)) + ((r4+r5)+(r6+r7)) */
static void add_lanes(const ll_arithmetic *a, pairwise_walk *walk)
{
    for (int step = 1; step < LL_SUM_LANES; step *= 2)
        for (int i = 0; i < LL_SUM_LANES; i += 2 * step)
            a->ops->add(a, &walk->lanes[i], &walk->lanes[i], &walk->lanes[i + step]);
    a->ops->set(a, &walk->results[walk->result_count], &walk->lanes[0]);
}

static void add_to_leaf(const ll_arithmetic *a, pairwise_walk *walk, const ll_value *x)
{
    long i = walk->index++, whole = walk->leaf - walk->leaf % LL_SUM_LANES;
    ll_value *result = &walk->results[walk->result_count], *lane = &walk->lanes[i % LL_SUM_LANES];
    if (i >= whole && i > 0)
        a->ops->add(a, result, result, x);
    else if (i >= whole)
        a->ops->set(a, result, x);
    else if (i < LL_SUM_LANES)
        a->ops->set(a, lane, x);
    else
        a->ops->add(a, lane, lane, x);
    if (i + 1 == whole)
        add_lanes(a, walk);
}

static void add_pairwise(ll_sum_generic *sum, const ll_value *x)
{
    const ll_arithmetic *a = &sum->a;
    pairwise_walk *walk = sum->walk;
    if (walk->index == 0)
        walk_begin_leaf(walk);
    add_to_leaf(a, walk, x);
    if (walk->index < walk->leaf)
        return;
    walk->index = 0;
    ll_value *last = &walk->results[walk->result_count];
    for (; walk->todo_count > 0 && walk->todo[walk->todo_count - 1] == MEET; last--) {
        a->ops->add(a, last - 1, last - 1, last);
        walk->todo_count--;
        walk->result_count--;
    }
    walk->result_count++;
    if (walk->todo_count == 0) {
        a->ops->add(a, &sum->sum, &sum->sum, &walk->results[0]);
        walk->result_count = 0;
    }
}

/* ------------------------------------------------------------------ compensated */

/* With |a| >= |b| and t = a + b rounded, (a - t) + b is exactly what the rounding cut off (Dekker 1971). */
static void add_compensated(ll_sum_generic *sum, const ll_value *x)
{
    const ll_operations *ops = sum->a.ops;
    const ll_arithmetic *a = &sum->a;
    ops->add(a, &sum->t, &sum->sum, x);
    if (ops->is_finite(a, &sum->t) == LL_TRUE) {
        int sum_is_larger = mpfr_cmpabs(sum->sum.fpa, x->fpa) >= 0;
        const ll_value *larger = sum_is_larger ? &sum->sum : x, *smaller = sum_is_larger ? x : &sum->sum;
        ops->sub(a, &sum->cut, larger, &sum->t);
        ops->add(a, &sum->cut, &sum->cut, smaller);
        ops->add(a, &sum->rest, &sum->rest, &sum->cut);
    }
    ops->set(a, &sum->sum, &sum->t);
}

/* ------------------------------------------------------------------ exact */

/* Would sum + term span more than `reach` bits, from the highest to the lowest? */
static int is_far(const arf_t sum, const arf_t term, slong reach)
{
    if (arf_is_zero(sum) || arf_is_zero(term))
        return 0;
    fmpz_t sum_low, term_low;
    fmpz_init(sum_low);
    fmpz_init(term_low);
    fmpz_sub_si(sum_low, ARF_EXPREF(sum), arf_bits(sum));
    fmpz_sub_si(term_low, ARF_EXPREF(term), arf_bits(term));
    const fmpz *high = fmpz_cmp(ARF_EXPREF(sum), ARF_EXPREF(term)) > 0 ? ARF_EXPREF(sum) : ARF_EXPREF(term);
    const fmpz *low = fmpz_cmp(sum_low, term_low) < 0 ? sum_low : term_low;
    fmpz_sub(sum_low, high, low);
    int far = fmpz_cmp_si(sum_low, reach) > 0;
    fmpz_clear(term_low);
    fmpz_clear(sum_low);
    return far;
}

static void keep_far(exact_terms *exact)
{
    arf_struct *far = ll_grow(exact->far, &exact->far_room, exact->far_count, sizeof *far);
    if (far == NULL) {
        exact->lost = 1;
        return;
    }
    exact->far = far;
    arf_init(&exact->far[exact->far_count]);
    arf_set(&exact->far[exact->far_count++], exact->term);
}

static void add_exact(ll_sum_generic *sum, const ll_value *x)
{
    exact_terms *exact = sum->exact;
    slong reach = (1L << 20) + 4 * (sum->a.format.fraction_bits + 1);
    if (sum->a.ops->is_finite(&sum->a, x) != LL_TRUE) {
        sum->a.ops->add(&sum->a, &sum->sum, &sum->sum, x);
        sum->is_special = 1;
        return;
    }
    arf_set_mpfr(exact->term, x->fpa);
    if (is_far(exact->sum, exact->term, reach))
        keep_far(exact);
    else
        arf_add(exact->sum, exact->sum, exact->term, ARF_PREC_EXACT, ARF_RND_DOWN);
}

/* The sum of values of the format is a multiple of its smallest subnormal: rounded to fraction_bits + 1 digits,
 * it is a value of the format or beyond the largest. */
static void get_exact(const ll_sum_generic *sum, ll_value *out)
{
    exact_terms *exact = sum->exact;
    if (exact->lost) {
        mpfr_set_nan(out->fpa);
        return;
    }
    arf_set(exact->term, exact->sum);
    if (exact->far_count > 0) {
        keep_far(exact); /* the near sum is one more term */
        if (exact->lost) {
            mpfr_set_nan(out->fpa);
            return;
        }
        arf_sum(exact->term, exact->far, exact->far_count, sum->a.format.fraction_bits + 1, ARF_RND_NEAR);
        arf_clear(&exact->far[--exact->far_count]);
    }
    ll_format_set_arf(&sum->a.format, out->fpa, exact->term);
}

/* ------------------------------------------------------------------ all orders */

void ll_sum_generic_add(ll_sum_generic *sum, const ll_value *x)
{
    if (sum->walk)
        add_pairwise(sum, x);
    else if (sum->exact)
        add_exact(sum, x);
    else if (sum->order == LL_SUM_COMPENSATED)
        add_compensated(sum, x);
    else
        sum->a.ops->add(&sum->a, &sum->sum, &sum->sum, x);
}

void ll_sum_generic_get(const ll_sum_generic *sum, ll_value *out)
{
    if (sum->exact && !sum->is_special)
        get_exact(sum, out);
    else if (sum->order == LL_SUM_COMPENSATED && sum->a.ops->is_finite(&sum->a, &sum->sum) == LL_TRUE)
        sum->a.ops->add(&sum->a, out, &sum->sum, &sum->rest);
    else
        sum->a.ops->set(&sum->a, out, &sum->sum);
}
