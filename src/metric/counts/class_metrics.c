/* Numbers of one class or cell of a confusion matrix, and the metrics that are many of them at once: the matrix itself,
 * row by row, and the report that scikit-learn prints of it (docs/proofs/several.md). */
#include "metric/counts/counting.h"

#include <math.h>
#include <stdio.h>

/* Class or cell that the metric is of: its parameter. */
static long place_of(const ll_computation *how)
{
    const ll_exact *parameter = ll_metric_parameter(how->metric);
    return parameter != NULL ? (long)ll_exact_get_d(parameter) : 0;
}

static ll_status need_place(const ll_computation *how, long places, ll_error *error)
{
    if (place_of(how) < places)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "%s: there is no %ld among %ld, counted from 0", ll_metric_row(how->metric)->name,
                   place_of(how), places);
}

/* The share of one class, where the program makes one. */
static ll_status take_part(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p,
                           ll_error *error)
{
    const ll_count_kind *kind = ll_counts_of(how->metric);
    if (how->zero_division == LL_ZERO_RAISE && kind->is_none != NULL && kind->is_none(p))
        return ll_fail(error, LL_DOMAIN, "%s is 0/0 with these labels, and the program fails",
                       ll_metric_row(how->metric)->name);
    kind->of_class(how, work, out, p);
    return LL_OK;
}

static ll_status work_class(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                            ll_error *error)
{
    ll_status status = need_place(how, c->classes, error);
    if (status != LL_OK)
        return status;
    ll_class_part p = ll_part_of(c, place_of(how));
    return take_part(how, work, out, &p, error);
}

ll_status ll_counts_score_class(const ll_computation *how, const ll_work *work, ll_worked *out, int64_t tp,
                                int64_t guessed, int64_t support, int64_t rows)
{
    return take_part(how, work, out, &(ll_class_part){tp, guessed, support, rows, NULL}, NULL);
}

static void take_support(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p)
{
    (void)how;
    ll_class_amount(work, out, p, LL_SUPPORT);
}

static int is_never_zero(const ll_confusion *c)
{
    (void)c;
    return 0; /* the share of the class itself is looked at */
}

static ll_status work_cell(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_confusion *c,
                           ll_error *error)
{
    ll_status status = need_place(how, c->classes * c->classes, error);
    if (status == LL_OK)
        ll_worked_set(work, out, c->cells[place_of(how)]);
    return status;
}

/* ---- many numbers ---- */

static long count_cells(long classes)
{
    return classes <= 4096 ? classes * classes : 4096L * 4096;
}

static void write_cell(char *text, size_t size, long index, long classes)
{
    (void)classes;
    (void)snprintf(text, size, "cell:%ld", index);
}

static const char *const of_class[] = {"class-precision", "class-recall", "class-f1", "support"};
/* A report of K classes shows all of them, so that its means are over all. */
static const char *const of_all[] = {"accuracy",           "macro-precision-all", "macro-recall-all", "macro-f1-all",
                                     "weighted-precision", "weighted-recall",     "weighted-f1"};
enum { OF_CLASS = 4, OF_ALL = 7 };

static long count_report(long classes)
{
    return OF_CLASS * classes + OF_ALL;
}

static void write_report(char *text, size_t size, long index, long classes)
{
    if (index < OF_CLASS * classes)
        (void)snprintf(text, size, "%s:%ld", of_class[index % OF_CLASS], index / OF_CLASS);
    else
        (void)snprintf(text, size, "%s", of_all[index - OF_CLASS * classes]);
}

/* ---- the rows ---- */

static int is_place(const ll_exact *parameter)
{
    double x = ll_exact_get_d(parameter);
    return x >= 0 && x < 0x1p24 && x == floor(x);
}

#define INFO(name_, formula_, summary_, reach_)                                                                        \
    LL_INFO_OF_ALL(name_, "label", reach_, "2 or more", "counts", formula_, summary_),                                 \
        .family = &ll_family_counts, .input = LL_INPUT_LABEL, .is_gain = 1, .form = LL_FORM_MATCH
#define PLACED .parameter = {LL_PARAMETER_NUMBER, is_place, "a whole number from 0 on"}
#define CLASS(of_, none_)                                                                                              \
    .own = &(const ll_count_kind)                                                                                      \
    {                                                                                                                  \
        work_class, LL_NEEDS_CELLS, is_never_zero, .of_class = (of_), .is_none = (none_)                               \
    }
#define CELL(is_one)                                                                                                   \
    .own = &(const ll_count_kind)                                                                                      \
    {                                                                                                                  \
        work_cell, LL_NEEDS_CELLS, is_never_zero, .is_cell = (is_one)                                                  \
    }

static const ll_metric_parts cells = {count_cells, write_cell}, report = {count_report, write_report};

const ll_metric_row_kind ll_metric_class_rows[] = {
    {INFO("class-precision:C", "TP_C / (TP_C + FP_C)", "precision of class C", "[0, 1]"), PLACED,
     CLASS(ll_share_precision, ll_no_precision), .most = 1},
    {INFO("class-recall:C", "TP_C / (TP_C + FN_C)", "recall of class C", "[0, 1]"), PLACED,
     CLASS(ll_share_recall, ll_no_recall), .most = 1},
    {INFO("class-f1:C", "2 TP_C / (2 TP_C + FP_C + FN_C)", "F1 of class C", "[0, 1]"), PLACED,
     CLASS(ll_share_f1, ll_no_f_score), .most = 1},
    {INFO("support:C", "TP_C + FN_C", "rows of class C", "[0, N]"), PLACED, CLASS(take_support, NULL), .most = INFINITY,
     .is_whole = 1},
    {INFO("cell:M", "rows of label M div K that are predicted M mod K", "entry M of the confusion matrix, row by row",
          "[0, N]"),
     PLACED, CELL(1), .most = INFINITY, .is_whole = 1},
    {INFO("confusion-matrix", "rows of every label and prediction, K x K numbers",
          "the whole confusion matrix in one answer, row by row", "[0, N]"),
     CELL(0), .most = INFINITY, .is_whole = 1, .parts = &cells},
    {INFO("classification-report", "precision, recall, F1, support of every class, then the averages",
          "scikit-learn's report in one answer: 4 numbers a class, accuracy, macro and weighted averages", "[0, 1]"),
     CLASS(ll_share_precision, ll_no_precision), .most = 1, .parts = &report},
};

const long ll_metric_class_row_count = sizeof ll_metric_class_rows / sizeof ll_metric_class_rows[0];
