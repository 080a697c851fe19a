/* The numbers that programs make of a confusion matrix, step by step as scikit-learn 1.2 takes them
 * (sklearn/metrics/_classification.py); a class that neither labels nor predictions show is no class there, and what
 * becomes of 0/0 is the setting zero-division. docs/proofs/counts.md. */
#include "metric/counts/counting.h"

#include <stdlib.h>

/* N^2 must be exact in fp64 where a program squares it. */
#define MOST_SQUARED_ROWS (INT64_C(1) << 26)

/* ---- of one class, or averaged over all ---- */

static int64_t matches_of(const ll_confusion *c)
{
    int64_t matches = 0;
    for (long k = 0; k < c->classes; k++)
        matches += c->cells[k * c->classes + k];
    return matches;
}

/* All classes together. */
static ll_class_part whole_of(const ll_confusion *c)
{
    const ll_worked *weighed = c->weighed != NULL ? c->weighed->all : NULL;
    return (ll_class_part){matches_of(c), c->rows, c->rows, c->rows, weighed};
}

static ll_worked *make_terms(long n, ll_error *error)
{
    ll_worked *terms = malloc((size_t)n * sizeof *terms);
    for (long i = 0; terms != NULL && i < n; i++)
        ll_worked_init(&terms[i]);
    if (terms == NULL)
        (void)ll_fail(error, LL_MEMORY, "no memory for %ld classes", n);
    return terms;
}

static void free_terms(ll_worked *terms, long n)
{
    for (long i = 0; i < n; i++)
        ll_worked_clear(&terms[i]);
    free(terms);
}

static ll_status take_micro(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                            ll_share of, ll_error *error)
{
    (void)error;
    ll_class_part all = whole_of(c);
    of(how, work, out, &all);
    return LL_OK;
}

static ll_status take_mean(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                           ll_share of, int is_all, ll_error *error)
{
    ll_worked *terms = make_terms(c->classes + 1, error);
    long n = 0;
    if (terms == NULL)
        return LL_MEMORY;
    for (long k = 0; k < c->classes; k++)
        if (is_all || ll_confusion_shows(c, k)) {
            ll_class_part p = ll_part_of(c, k);
            of(how, work, &terms[n++], &p);
        }
    ll_worked_sum(work, out, terms, n);
    ll_worked_set(work, &terms[n], n);
    ll_worked_div(work, out, out, &terms[n]);
    free_terms(terms, c->classes + 1);
    return LL_OK;
}

/* The mean over the classes that there are. */
static ll_status take_macro(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                            ll_share of, ll_error *error)
{
    return take_mean(how, work, out, c, of, 0, error);
}

/* The mean over all classes: a program that is told them counts one that nobody has, too. */
static ll_status take_all_classes(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                                  ll_share of, ll_error *error)
{
    return take_mean(how, work, out, c, of, 1, error);
}

/* The mean, every class as often as it is true. */
static ll_status take_weighted(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                               ll_share of, ll_error *error)
{
    ll_worked *terms = make_terms(c->classes + 1, error);
    long n = 0;
    if (terms == NULL)
        return LL_MEMORY;
    ll_worked *weight = &terms[c->classes];
    for (long k = 0; k < c->classes; k++)
        if (ll_confusion_shows(c, k)) {
            ll_class_part p = ll_part_of(c, k);
            of(how, work, &terms[n], &p);
            ll_class_amount(work, weight, &p, LL_SUPPORT);
            ll_worked_mul(work, &terms[n], &terms[n], weight);
            n++;
        }
    ll_worked_sum(work, out, terms, n);
    ll_class_part all = whole_of(c);
    ll_class_amount(work, weight, &all, LL_SUPPORT);
    ll_worked_div(work, out, out, weight);
    free_terms(terms, c->classes + 1);
    return LL_OK;
}

/* ---- 0/0: does a program that does not look out for it fail? ---- */

static int misses_take_micro(const ll_confusion *c, int (*is_none)(const ll_class_part *))
{
    ll_class_part all = whole_of(c);
    return is_none(&all);
}

static int misses_take_macro(const ll_confusion *c, int (*is_none)(const ll_class_part *))
{
    int none = 0;
    for (long k = 0; k < c->classes; k++) {
        ll_class_part p = ll_part_of(c, k);
        none += ll_confusion_shows(c, k) && is_none(&p);
    }
    return none > 0;
}

static int misses_take_all_classes(const ll_confusion *c, int (*is_none)(const ll_class_part *))
{
    int none = 0;
    for (long k = 0; k < c->classes; k++) {
        ll_class_part p = ll_part_of(c, k);
        none += is_none(&p);
    }
    return none > 0;
}

static int misses_take_weighted(const ll_confusion *c, int (*is_none)(const ll_class_part *))
{
    return misses_take_macro(c, is_none);
}

static int is_never_zero(const ll_confusion *c)
{
    (void)c;
    return 0;
}

#define KIND(name, needs_, tells_, body) KIND_UNLESS(name, needs_, is_never_zero, tells_, body)
#define KIND_UNLESS(name, needs_, zero_, tells_, body)                                                                 \
    static ll_status work_##name(const ll_computation *how, const ll_work *work, ll_worked *out,                       \
                                 const ll_confusion *c, ll_error *error)                                               \
    {                                                                                                                  \
        body                                                                                                           \
    }                                                                                                                  \
    static const ll_count_kind name##_kind = {work_##name, needs_, zero_, .tells = (tells_)};

#define OF_CLASS(name, of, k)                                                                                          \
    static int zero_##name(const ll_confusion *c)                                                                      \
    {                                                                                                                  \
        ll_class_part p = ll_part_of(c, k);                                                                            \
        return ll_no_##of(&p);                                                                                         \
    }                                                                                                                  \
    KIND_UNLESS(name, LL_NEEDS_CELLS, zero_##name, LL_TELLS_NOT, (void)error; ll_class_part p = ll_part_of(c, k);      \
                ll_share_##of(how, work, out, &p); return LL_OK;)
#define AVERAGE(name, take, of, needs_, tells_)                                                                        \
    static int zero_##name(const ll_confusion *c)                                                                      \
    {                                                                                                                  \
        return misses_##take(c, ll_no_##of);                                                                           \
    }                                                                                                                  \
    KIND_UNLESS(name, needs_, zero_##name, tells_, return take(how, work, out, c, ll_share_##of, error);)

OF_CLASS(precision, precision, 1)
OF_CLASS(recall, recall, 1)
OF_CLASS(specificity, recall, 0)
OF_CLASS(jaccard, jaccard, 1)
OF_CLASS(f_score, f_score, 1)
AVERAGE(macro_precision, take_macro, precision, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(macro_recall, take_macro, recall, LL_NEEDS_TP, LL_TELLS_FALLS)
AVERAGE(macro_f1, take_macro, f_score, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(macro_jaccard, take_macro, jaccard, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(all_precision, take_all_classes, precision, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(all_recall, take_all_classes, recall, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(all_f1, take_all_classes, f_score, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(all_jaccard, take_all_classes, jaccard, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(micro_precision, take_micro, precision, LL_NEEDS_MATCHES, LL_TELLS_NOT)
AVERAGE(micro_recall, take_micro, recall, LL_NEEDS_MATCHES, LL_TELLS_NOT)
AVERAGE(micro_f1, take_micro, f_score, LL_NEEDS_MATCHES, LL_TELLS_NOT)
AVERAGE(micro_jaccard, take_micro, jaccard, LL_NEEDS_MATCHES, LL_TELLS_NOT)
AVERAGE(weighted_precision, take_weighted, precision, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(weighted_recall, take_weighted, recall, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(weighted_f1, take_weighted, f_score, LL_NEEDS_TP, LL_TELLS_TOTALS)
AVERAGE(weighted_jaccard, take_weighted, jaccard, LL_NEEDS_TP, LL_TELLS_TOTALS)

/* ---- of the whole matrix ---- */

/* The mean recall of the classes that labels show. */
static ll_status work_balanced(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                               long *present, ll_error *error)
{
    ll_worked *terms = make_terms(c->classes + 1, error);
    long n = 0;
    if (terms == NULL)
        return LL_MEMORY;
    for (long k = 0; k < c->classes; k++)
        if (c->support[k] > 0) {
            ll_class_part p = ll_part_of_matrix(c, k);
            ll_share_recall(how, work, &terms[n++], &p);
        }
    ll_worked_sum(work, out, terms, n);
    ll_worked_set(work, &terms[n], n);
    ll_worked_div(work, out, out, &terms[n]);
    free_terms(terms, c->classes + 1);
    *present = n;
    return LL_OK;
}

KIND(balanced_accuracy, LL_NEEDS_TP, LL_TELLS_FALLS, long present;
     return work_balanced(how, work, out, c, &present, error);)

/* (balanced accuracy - 1/n) / (1 - 1/n), n classes: what chance gives is 0. */
static ll_status work_youden(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                             ll_error *error)
{
    ll_worked chance, rest;
    long present = 0;
    ll_status status = work_balanced(how, work, out, c, &present, error);
    if (status != LL_OK)
        return status;
    if (present < 2)
        return ll_fail(error, LL_DOMAIN, "the labels are all of one class: %s has no value",
                       ll_metric_row(how->metric)->name);
    ll_worked_init(&chance);
    ll_worked_init(&rest);
    ll_worked_ratio(work, &chance, 1, present);
    ll_worked_set(work, &rest, 1);
    ll_worked_sub(work, &rest, &rest, &chance);
    ll_worked_sub(work, out, out, &chance);
    ll_worked_div(work, out, out, &rest);
    ll_worked_clear(&chance);
    ll_worked_clear(&rest);
    return LL_OK;
}

static const ll_count_kind youden_kind = {work_youden, LL_NEEDS_TP, is_never_zero, .tells = LL_TELLS_FALLS};

static ll_status check_squares(const ll_computation *how, const ll_confusion *c, ll_error *error)
{
    if (c->rows <= MOST_SQUARED_ROWS)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "%s of more than 2^26 rows: their square is not exact in fp64",
                   ll_metric_row(how->metric)->name);
}

static int64_t dot(const int64_t *x, const int64_t *y, long n)
{
    int64_t sum = 0;
    for (long i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static int is_of_one(const int64_t *rows, long n)
{
    long some = 0;
    for (long i = 0; i < n; i++)
        some += rows[i] > 0;
    return some <= 1;
}

static int has_no_mcc(const ll_confusion *c)
{
    return is_of_one(c->support, c->classes) || is_of_one(c->predicted, c->classes);
}

/* cov(y,p) / sqrt(cov(y,y) cov(p,p)), covariances times N^2: integers; 0 where one is 0. */
static ll_status work_mcc(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                          ll_error *error)
{
    ll_status status = check_squares(how, c, error);
    if (status != LL_OK)
        return status;
    if (has_no_mcc(c)) {
        ll_worked_set(work, out, 0);
        return LL_OK;
    }
    if (c->weighed != NULL)
        return ll_weighed_mcc(work, out, c->weighed, error);
    int64_t square = c->rows * c->rows, own = square - dot(c->support, c->support, c->classes);
    int64_t others = square - dot(c->predicted, c->predicted, c->classes);
    ll_worked below, factor;
    ll_worked_init(&below);
    ll_worked_init(&factor);
    ll_worked_set(work, &below, own);
    ll_worked_set(work, &factor, others);
    ll_worked_mul(work, &below, &below, &factor);
    ll_worked_sqrt(work, &below, &below);
    ll_worked_set(work, out, matches_of(c) * c->rows - dot(c->support, c->predicted, c->classes));
    ll_worked_div(work, out, out, &below);
    ll_worked_clear(&below);
    ll_worked_clear(&factor);
    return LL_OK;
}

static const ll_count_kind mcc_kind = {work_mcc, LL_NEEDS_COUNTS, has_no_mcc, .cancels = 1};

/* What a pair of classes costs, by their places among the classes that there are. */
typedef int64_t (*cost)(int64_t distance);

static int64_t cost_one(int64_t d)
{
    return d != 0;
}

static int64_t cost_linear(int64_t d)
{
    return d < 0 ? -d : d;
}

static int64_t cost_square(int64_t d)
{
    return d * d;
}

/* The cost of chance, term by term: cost * (truth * guesses / N); and the cost that there is. */
static int64_t add_costs(const ll_work *work, ll_worked *terms, const ll_confusion *c, cost of)
{
    int64_t observed = 0;
    long n = 0, place = 0, k = c->classes;
    for (long i = 0; i < k; i++) {
        long other = 0;
        if (!ll_confusion_shows(c, i))
            continue;
        for (long j = 0; j < k; j++) {
            if (!ll_confusion_shows(c, j))
                continue;
            int64_t each = of(place - other++);
            observed += each * c->cells[i * k + j];
            if (each == 0)
                continue;
            ll_worked_ratio(work, &terms[n], c->support[i] * c->predicted[j], c->rows);
            ll_worked_set(work, &terms[k * k], each);
            ll_worked_mul(work, &terms[n], &terms[n], &terms[k * k]);
            n++;
        }
        place++;
    }
    ll_worked_sum(work, &terms[k * k], terms, n);
    return observed;
}

/* 1 - cost / cost of chance. */
static ll_status work_costs(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                            cost of, ll_error *error)
{
    ll_status status = check_squares(how, c, error);
    long size = c->classes * c->classes + 1;
    int some = 0;
    for (long k = 0; k < c->classes; k++)
        some += c->support[k] + c->predicted[k] > 0;
    if (c->weighed != NULL && some > 1) {
        ll_weighed_kappa(work, out, c->weighed, of);
        return LL_OK;
    }
    ll_worked *terms = status == LL_OK ? make_terms(size, error) : NULL;
    if (terms == NULL)
        return status == LL_OK ? LL_MEMORY : status;
    ll_worked *chance = &terms[size - 1];
    int64_t observed = add_costs(work, terms, c, of);
    if (some > 1) {
        ll_worked_set(work, out, observed);
        ll_worked_div(work, chance, out, chance);
        ll_worked_set(work, out, 1);
        ll_worked_sub(work, out, out, chance);
    } else {
        status = ll_fail(error, LL_DOMAIN, "labels and predictions are all of one class: %s is 0/0",
                         ll_metric_row(how->metric)->name);
    }
    free_terms(terms, size);
    return status;
}

#define KIND_OF_COSTS(name, costs_, of)                                                                                \
    static ll_status work_##name(const ll_computation *how, const ll_work *work, ll_worked *out,                       \
                                 const ll_confusion *c, ll_error *error)                                               \
    {                                                                                                                  \
        return work_costs(how, work, out, c, of, error);                                                               \
    }                                                                                                                  \
    static const ll_count_kind name##_kind = {work_##name, LL_NEEDS_CELLS, is_never_zero, .costs = (costs_)};

KIND(kappa, LL_NEEDS_COUNTS, LL_TELLS_FALLS, return work_costs(how, work, out, c, cost_one, error);)
KIND_OF_COSTS(linear_kappa, LL_COSTS_LINES, cost_linear)
KIND_OF_COSTS(quadratic_kappa, LL_COSTS_SQUARES, cost_square)

/* ---- the rows ---- */

/* Beyond it a square, or a weight, is lost beside the other. */
static int is_beta(const ll_exact *beta)
{
    double b = ll_exact_get_d(beta);
    return b >= 1e-3 && b <= 1e3;
}

#define INFO(name_, classes_, formula_, summary_, least_)                                                              \
    LL_INFO_OF_ALL(name_, "label", (least_) < 0 ? "[-1, 1]" : "[0, 1]", classes_, "counts", formula_, summary_),       \
        .family = &ll_family_counts, .input = LL_INPUT_LABEL, .is_gain = 1, .least = (least_), .most = 1

#define OF_TWO(name_, kind_, least_, formula_, summary_)                                                               \
    {                                                                                                                  \
        INFO(name_, "2", formula_, summary_, least_), .form = LL_FORM_BINARY, .own = &kind_##_kind                     \
    }
/* Those that are 0/0 where labels, or labels and predictions, show one class alone. */
#define OF_SOME(name_, kind_, least_, formula_, summary_)                                                              \
    {                                                                                                                  \
        INFO(name_, "2 or more", formula_, summary_, least_), .form = LL_FORM_MATCH, .own = &kind_##_kind,             \
                                                              .may_fail = 1                                            \
    }
#define OF_ALL(name_, kind_, least_, formula_, summary_)                                                               \
    {                                                                                                                  \
        INFO(name_, "2 or more", formula_, summary_, least_), .form = LL_FORM_MATCH, .own = &kind_##_kind              \
    }

static const ll_count_kind f1_kind = {work_f_score, LL_NEEDS_CELLS, zero_f_score, .is_f1 = 1};

const ll_metric_row_kind ll_metric_count_rows[] = {
    {INFO("f1", "2", "2 TP / (2 TP + FP + FN)", "F1 of class 1, the Dice coefficient", 0), .form = LL_FORM_BINARY,
     .own = &f1_kind},
    {INFO("fbeta:B", "2", "(1 + B^2) TP / ((1 + B^2) TP + B^2 FN + FP)", "F of class 1, recall B times as important",
          0),
     .form = LL_FORM_BINARY, .own = &f_score_kind,
     .parameter = {LL_PARAMETER_NUMBER, is_beta, "a number from 0.001 to 1000"}},
    OF_TWO("jaccard", jaccard, 0, "TP / (TP + FP + FN)", "Jaccard index of class 1, intersection over union"),
    OF_TWO("precision", precision, 0, "TP / (TP + FP)", "share of the rows predicted 1 that are"),
    OF_TWO("recall", recall, 0, "TP / (TP + FN)", "share of the rows of class 1 that are found"),
    OF_TWO("specificity", specificity, 0, "TN / (TN + FP)", "share of the rows of class 0 that are found"),
    OF_ALL("balanced-accuracy", balanced_accuracy, 0, "mean of TP_k / (TP_k + FN_k)",
           "mean recall of the classes that the labels have"),
    OF_SOME("youden", youden, -1, "(b - 1/n) / (1 - 1/n), b balanced accuracy of n classes",
            "balanced accuracy with chance at 0; two classes: TPR - FPR"),
    OF_ALL("mcc", mcc, -1, "cov(y, p) / sqrt(cov(y, y) cov(p, p))", "Matthews's correlation coefficient"),
    OF_SOME("kappa", kappa, -1, "1 - misses / misses of chance", "Cohen's kappa"),
    OF_SOME("linear-kappa", linear_kappa, -1, "1 - sum |y - p| / the same of chance",
            "Cohen's kappa, a miss weighs as its distance"),
    OF_SOME("quadratic-kappa", quadratic_kappa, -1, "1 - sum (y - p)^2 / the same of chance",
            "Cohen's kappa, a miss weighs as its distance squared"),
    OF_ALL("macro-precision", macro_precision, 0, "mean of TP_k / (TP_k + FP_k)", "mean precision of the classes"),
    OF_ALL("macro-recall", macro_recall, 0, "mean of TP_k / (TP_k + FN_k)", "mean recall of the classes"),
    OF_ALL("macro-f1", macro_f1, 0, "mean of 2 TP_k / (2 TP_k + FP_k + FN_k)", "mean F1 of the classes"),
    OF_ALL("macro-jaccard", macro_jaccard, 0, "mean of TP_k / (TP_k + FP_k + FN_k)", "mean Jaccard index, mean IoU"),
    OF_ALL("macro-precision-all", all_precision, 0, "sum of TP_k / (TP_k + FP_k), divided by K",
           "mean precision of all K classes, those that nobody has, too: with labels="),
    OF_ALL("macro-recall-all", all_recall, 0, "sum of TP_k / (TP_k + FN_k), divided by K",
           "mean recall of all K classes, those that nobody has, too: with labels="),
    OF_ALL("macro-f1-all", all_f1, 0, "sum of 2 TP_k / (2 TP_k + FP_k + FN_k), divided by K",
           "mean F1 of all K classes, those that nobody has, too: with labels="),
    OF_ALL("macro-jaccard-all", all_jaccard, 0, "sum of TP_k / (TP_k + FP_k + FN_k), divided by K",
           "mean Jaccard index of all K classes, those that nobody has, too: with labels="),
    OF_ALL("micro-precision", micro_precision, 0, "matches / N", "precision over all classes together: accuracy"),
    OF_ALL("micro-recall", micro_recall, 0, "matches / N", "recall over all classes together: accuracy"),
    OF_ALL("micro-f1", micro_f1, 0, "matches / N", "F1 over all classes together: accuracy"),
    OF_ALL("micro-jaccard", micro_jaccard, 0, "matches / (2 N - matches)", "Jaccard index over all classes together"),
    OF_ALL("weighted-precision", weighted_precision, 0, "mean of TP_k / (TP_k + FP_k), weights TP_k + FN_k",
           "precision, every class as often as it is true"),
    OF_ALL("weighted-recall", weighted_recall, 0, "mean of TP_k / (TP_k + FN_k), weights TP_k + FN_k",
           "recall, every class as often as it is true: accuracy"),
    OF_ALL("weighted-f1", weighted_f1, 0, "mean of 2 TP_k / (2 TP_k + FP_k + FN_k), weights TP_k + FN_k",
           "F1, every class as often as it is true"),
    OF_ALL("weighted-jaccard", weighted_jaccard, 0, "mean of TP_k / (TP_k + FP_k + FN_k), weights TP_k + FN_k",
           "Jaccard index, every class as often as it is true"),
};

const long ll_metric_count_row_count = sizeof ll_metric_count_rows / sizeof ll_metric_count_rows[0];
