/* Rows of the table of metrics: gains of the rank that a row of scores, one a class, gives to its true class; and the
 * hinge of one decision value. Ranks come from comparisons, which every arithmetic does exactly; what is rounded
 * afterwards is followed operation by operation. */
#include "metric/terms/terms.h"

/* ---- ranks ---- */

typedef struct {
    long above; /* classes with a greater score */
    long ties;  /* with the same one, itself counted */
    long later; /* of these, those of a higher number */
} ll_place;

/* A gain of ranks: of the place of the label's score among all, which `gain` has found. */
typedef struct {
    ll_term_kind term; /* first, as the functions of terms see it */
    void (*place_gain)(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_place *p, long columns);
} gain_kind;

static ll_status find_place(const ll_arithmetic *a, ll_place *out, const ll_value *row, long columns, long label)
{
    *out = (ll_place){0};
    for (long j = 0; j < columns; j++) {
        ll_truth less = a->ops->less(a, &row[label], &row[j]), more = a->ops->less(a, &row[j], &row[label]);
        if (less == LL_UNKNOWN || more == LL_UNKNOWN) {
            if (j != label)
                return LL_UNABLE;
            less = more = LL_FALSE; /* a ball does not know that it is itself */
        }
        out->above += less == LL_TRUE;
        out->ties += less == LL_FALSE && more == LL_FALSE;
        out->later += j > label && less == LL_FALSE && more == LL_FALSE;
    }
    return LL_OK;
}

static ll_status gain(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *row, long columns,
                      long label)
{
    ll_place p;
    ll_status status = find_place(a, &p, row, columns, label);
    if (status == LL_OK)
        ((const gain_kind *)metric->row->own)->place_gain(metric, a, out, &p, columns);
    return status;
}

static long cut_of(const ll_metric *metric, long columns)
{
    double k =
        metric->row->parameter.takes == LL_PARAMETER_NUMBER ? ll_exact_get_d(&metric->parameter) : (double)columns;
    return k < (double)columns ? (long)k : columns;
}

/* scikit-learn: a stable sort, read backwards: of equal scores the one with the higher number stands first. */
static void gain_top(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_place *p, long columns)
{
    ll_value_set_si(a, out, p->above + p->later < cut_of(metric, columns));
}

static void reciprocal(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, long columns, long rank)
{
    ll_value below;
    a->ops->init(a, &below);
    ll_value_set_si(a, &below, rank);
    ll_value_set_si(a, out, rank <= cut_of(metric, columns));
    a->ops->div(a, out, out, &below);
    a->ops->clear(a, &below);
}

/* 1 / rank, equal scores sharing the worst rank (scikit-learn's label ranking); 0 beyond the cut. */
static void gain_reciprocal(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_place *p,
                            long columns)
{
    reciprocal(metric, a, out, columns, p->above + p->ties);
}

/* The rank where equal scores stand in the order of the classes (XGBoost: a stable sort). */
static long first_rank(const ll_place *p)
{
    return p->above + p->ties - p->later;
}

/* The same of the K highest: argsort(-scores), stable. */
static void gain_top_first(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_place *p,
                           long columns)
{
    ll_value_set_si(a, out, first_rank(p) <= cut_of(metric, columns));
}

static void gain_reciprocal_first(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_place *p,
                                  long columns)
{
    reciprocal(metric, a, out, columns, first_rank(p));
}

/* 1 / (ln(1 + rank) / ln 2): 1 at the first place in every arithmetic, and a fraction where 1 + rank is a power of 2.
 */
static void set_discount(const ll_arithmetic *a, ll_value *out, long rank)
{
    long power = 0;
    ll_value two;
    while (1L << power < 1 + rank)
        power++;
    a->ops->init(a, &two);
    ll_value_set_si(a, out, power);
    if (rank > 1 && (a->ops != &ll_arithmetic_rational || 1L << power != 1 + rank)) {
        ll_value_set_si(a, &two, 2);
        a->ops->log(a, &two, &two);
        ll_value_set_si(a, out, 1 + rank);
        a->ops->log(a, out, out);
        a->ops->div(a, out, out, &two);
    }
    ll_value_set_si(a, &two, 1);
    a->ops->div(a, out, &two, out);
    a->ops->clear(a, &two);
}

/* The discounts of places first .. last, none beyond the cut, added in order. */
static void sum_discounts(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, long columns, long first,
                          long last)
{
    long cut = cut_of(metric, columns);
    ll_value discount;
    a->ops->init(a, &discount);
    ll_value_set_si(a, out, 0);
    for (long rank = first; rank <= last && rank <= cut; rank++) {
        set_discount(a, &discount, rank);
        a->ops->add(a, out, out, &discount);
    }
    a->ops->clear(a, &discount);
}

/* The mean discount of the places that equal scores share: scikit-learn's (1 / ties) * (difference of sums); fractions
 * leave out what both sums have, which may be none. */
static void gain_discounted(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_place *p,
                            long columns)
{
    ll_value below, share;
    long first = a->ops == &ll_arithmetic_rational ? p->above + 1 : 1;
    a->ops->init(a, &below);
    a->ops->init(a, &share);
    sum_discounts(metric, a, &below, columns, first, p->above);
    sum_discounts(metric, a, out, columns, first, p->above + p->ties);
    a->ops->sub(a, out, out, &below);
    ll_value_set_si(a, &below, 1);
    ll_value_set_si(a, &share, p->ties);
    a->ops->div(a, &share, &below, &share);
    a->ops->mul(a, out, out, &share);
    a->ops->clear(a, &below);
    a->ops->clear(a, &share);
}

/* The discount, equal scores in the order of the classes. */
static void gain_discounted_first(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_place *p,
                                  long columns)
{
    if (first_rank(p) <= cut_of(metric, columns))
        set_discount(a, out, first_rank(p));
    else
        ll_value_set_si(a, out, 0);
}

/* ---- one class against the others ---- */

/* The others share the worst rank, or the mean of all places but the first. */
static int above_others(const ll_metric *metric, long classes)
{
    (void)metric;
    (void)classes;
    return 1;
}

/* The K highest are the class alone, or all but it; else the order of equal scores decides. */
static int alone(const ll_metric *metric, long classes)
{
    long cut = cut_of(metric, classes);
    return cut == 1 ? 1 : cut == classes - 1 ? -1 : 0;
}

/* ---- hinge ---- */

/* max(0, 1 - x) of label 1, max(0, 1 + x) of label 0. scikit-learn's hinge_loss is this where both classes occur;
 * labels of one class alone are -1 there, whichever it is, so there is no profile of it. */
static ll_status term_hinge(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *x,
                            long columns, long label)
{
    ll_value zero, one;
    (void)metric;
    (void)columns;
    a->ops->init(a, &zero);
    a->ops->init(a, &one);
    ll_value_set_si(a, &one, 1);
    if (label == 1)
        a->ops->sub(a, &one, &one, x);
    else
        a->ops->add(a, &one, &one, x);
    ll_truth below = a->ops->less(a, &one, &zero);
    ll_status status = LL_OK;
    if (below != LL_UNKNOWN)
        a->ops->set(a, out, below == LL_TRUE ? &zero : &one);
    else if (a->ops == &ll_arithmetic_ball)
        arb_union(out->ball, one.ball, zero.ball, a->prec);
    else
        status = LL_UNABLE;
    a->ops->clear(a, &zero);
    a->ops->clear(a, &one);
    return status;
}

static void weight_hinge(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror, slong prec)
{
    arb_t one, zero;
    (void)metric;
    (void)mirror;
    arb_init(one);
    arb_init(zero);
    arb_sub_ui(one, x, 1, prec);
    arb_neg(one, one);
    arb_max(one, one, zero, prec);
    arb_add_ui(out, x, 1, prec);
    arb_max(out, out, zero, prec);
    arb_sub(out, one, out, prec);
    arb_clear(one);
    arb_clear(zero);
}

/* -2x in [-1, 1], 1 - x below, -1 - x above: so x is -w/2, 1 - w or -1 - w. A ball that holds a bend is inverted by its
 * ends: the weight falls with x. */
static void invert_end(arb_t x, const arf_t w, slong prec)
{
    arb_set_arf(x, w);
    if (arf_cmp_si(w, 2) > 0)
        arb_sub_ui(x, x, 1, prec);
    else if (arf_cmp_si(w, -2) < 0)
        arb_add_ui(x, x, 1, prec);
    else
        arb_mul_2exp_si(x, x, -1);
    arb_neg(x, x);
}

static ll_status invert_hinge(const ll_metric *metric, arb_t x, arb_t mirror, const arb_t w, slong prec)
{
    arf_t low, high;
    (void)metric;
    arf_init(low);
    arf_init(high);
    arb_get_interval_arf(low, high, w, prec + 30);
    invert_end(x, low, prec);
    invert_end(mirror, high, prec);
    if (arb_is_exact(w))
        invert_end(x, arb_midref(w), prec);
    else
        arb_union(x, x, mirror, prec);
    arb_neg(mirror, x);
    arf_clear(low);
    arf_clear(high);
    return LL_OK;
}

/* ---- the rows ---- */

static int is_cut(const ll_exact *k)
{
    static const ll_exact most = {{1 << 20}, {0}, {0}}, one = {{1}, {0}, {0}};
    double near = ll_exact_get_d(k);
    return ll_exact_cmp(k, &one) >= 0 && ll_exact_cmp(k, &most) <= 0 && near == (double)(long)near;
}

#define GAIN(n, text, about, function, side)                                                                           \
    .info = {.name = (n),                                                                                              \
             .input = "number",                                                                                        \
             .when_one = (text),                                                                                       \
             .when_zero = (text),                                                                                      \
             .weight = "gain(rank of k) - gain(rank of 0)",                                                            \
             .reach = "[-1, 1]",                                                                                       \
             .classes = "3 or more",                                                                                   \
             .summary = (about),                                                                                       \
             .link = "mean"},                                                                                          \
    .family = &ll_family_gains, .input = LL_INPUT_NUMBER, .form = LL_FORM_RANK, .is_gain = 1,                          \
    .own = &(const gain_kind)                                                                                          \
    {                                                                                                                  \
        {.gain = gain, .match_side = (side), .most = 1}, (function)                                                    \
    }

#define CUT .parameter = {LL_PARAMETER_NUMBER, is_cut, "a whole number from 1 to 2^20"}

const ll_metric_row_kind ll_metric_gain_rows[] = {
    {GAIN("top-k:K", "[rank <= K]", "share of rows whose true class is among the K highest scores", gain_top, alone),
     CUT},
    {GAIN("mrr", "1 / rank", "mean reciprocal rank of the true class, equal scores at their worst", gain_reciprocal,
          above_others)},
    {GAIN("map:K", "1 / rank, 0 beyond K", "mean average precision at K of one true class", gain_reciprocal,
          above_others),
     CUT},
    {GAIN("ndcg:K", "1 / log2(1 + rank), 0 beyond K",
          "normalised discounted gain at K of one true class, ties averaged", gain_discounted, above_others),
     CUT},
    {GAIN("top-k-first:K", "[rank <= K]", "the same as top-k:K, equal scores in the order of the classes",
          gain_top_first, alone),
     CUT},
    {GAIN("map-first:K", "1 / rank, 0 beyond K",
          "the same as map:K, equal scores in the order of the classes (XGBoost's map)", gain_reciprocal_first, NULL),
     CUT},
    {GAIN("ndcg-first:K", "1 / log2(1 + rank), 0 beyond K",
          "the same as ndcg:K, equal scores in the order of the classes (XGBoost's ndcg)", gain_discounted_first, NULL),
     CUT},
    {
        .info = {.name = "hinge",
                 .input = "number",
                 .when_one = "max(0, 1 - x)",
                 .when_zero = "max(0, 1 + x)",
                 .weight = "max(0, 1 - x) - max(0, 1 + x)",
                 .reach = "all real numbers",
                 .classes = "2",
                 .summary = "hinge of a decision value x, without limit",
                 .link = "mean"},
        .family = &ll_family_gains,
        .input = LL_INPUT_NUMBER,
        .form = LL_FORM_BINARY,
        .own =
            &(const ll_term_kind){
                .gain = term_hinge, .weight = weight_hinge, .invert = invert_hinge, .reach = ll_metric_reach_all},
    },
};

const long ll_metric_gain_row_count = sizeof ll_metric_gain_rows / sizeof ll_metric_gain_rows[0];

const ll_metric_family ll_family_gains = {.has_terms = 1,
                                          .score = ll_score_terms,
                                          .score_weighted = ll_score_weighted,
                                          .most = ll_terms_most,
                                          .takes_weights = ll_terms_take_weights,
                                          .spread = ll_terms_spread,
                                          .moves = ll_terms_moves,
                                          .fails = ll_terms_fail};
