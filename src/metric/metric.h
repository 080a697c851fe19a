/* The metrics: each is one row of a table. A loss is first of all two expressions, s(1,x) and s(0,x);
 * weight, inverse, domain and reach follow from them in every arithmetic. Closed-form inverses and
 * fast kernels are optional parts of a row, tested against the expressions. */
#ifndef LL_METRIC_METRIC_H
#define LL_METRIC_METRIC_H

#include "number/expression.h"

typedef struct ll_metric_family ll_metric_family; /* family.h */
typedef struct ll_metric ll_metric;               /* a row with its parameter */

/* "log-loss", "norm:2.5", "bregman:EXPR", ... LL_DOMAIN with the reason: unknown name (the nearest
 * named), parameter out of range, phi not finite at 0 or 1, phi proved not convex (with the point). */
LL_CHECK ll_status ll_metric_create(ll_metric **out, const char *name, ll_error *error);
void ll_metric_destroy(ll_metric *metric);

/* The table's name for a word that people use ("mean_squared_error"), with its parameter: in `text`; or `name` itself,
 * if it is not such a word. */
const char *ll_metric_plain_name(char *text, size_t size, const char *name);
/* The steps that such a word means beyond its metric ("root" of rmse); NULL: none. */
const char *ll_metric_own_transform(const char *name);
/* The name in the spelling of the tables. A word that means steps beyond its metric ("RMSE") stays that word ("rmse").
 */
const char *ll_metric_spelling(char *text, size_t size, const char *name);
/* Which scores are better, "higher" or "lower", for a metric that is known by name but not modelled; NULL: no such
 * metric. */
const char *ll_metric_better_unmodelled(const char *name);
const char *ll_metric_word(long index); /* of the words that people use; NULL after the last */

const ll_metric_info *ll_metric_row(const ll_metric *metric);
/* Is the number a function of the sum of one term per row? Of the confusion matrix? Of all numeric targets together? */
int ll_metric_has_terms(const ll_metric *metric);
int ll_metric_is_counts(const ll_metric *metric);
/* Is it a function of the table of labels and predicted labels? labels: are predictions labels? */
int ll_metric_is_of_table(const ll_metric *metric, int labels);
int ll_metric_is_mean(const ll_metric *metric); /* is it the mean of one term per row? */
int ll_metric_is_fit(const ll_metric *metric);
int ll_metric_is_determination(const ll_metric *metric); /* is it 1 - squared errors / squares about the mean? */
/* Of counts or ranks: are there labels for which a program has no number? */
int ll_metric_may_fail(const ll_metric *metric);
/* What programs return if it has no value: a number as text, or "fails". NULL: the setting `undefined` does not apply
 * to this metric. */
const char *ll_metric_undefined(const ll_metric *metric);
/* May predictions be labels? Metrics of ranks with one column take any numbers, labels among them: two ties. */
int ll_metric_takes_labels(const ll_metric *metric);
/* LL_DOMAIN: it needs more classes, or is about a class that is not among them. */
LL_CHECK ll_status ll_metric_check_classes(const ll_metric *metric, long classes, ll_error *error);
/* LL_DOMAIN: the number is not a sum of terms, which `what` needs. The message says "unknown", never "safe". */
LL_CHECK ll_status ll_metric_need_terms(const ll_metric *metric, const char *what, ll_error *error);
/* How many numbers it has for that many classes; most metrics have one. ll_metric_write_part writes number `index` as
 * the name of a metric; it returns 0, and writes nothing, if there is only one. */
long ll_metric_part_count(const ll_metric *metric, long classes);
int ll_metric_write_part(const ll_metric *metric, char *text, size_t size, long index, long classes);
int ll_metric_is_whole(const ll_metric *metric); /* of counts: is it a count itself? */
/* The cell of a confusion matrix (row by row) or the class that it is about; -1: none. */
long ll_metric_cell(const ll_metric *metric);
long ll_metric_class(const ll_metric *metric);
/* The range of a metric of counts or ranks. */
void ll_metric_range(const ll_metric *metric, double *least, double *most);
int ll_metric_is_sum(const ll_metric *metric);        /* lp: the sum, not the mean, then the P-th root */
int ll_metric_is_brier(const ll_metric *metric);      /* is a term the sum of squares over its row? */
int ll_metric_is_difference(const ll_metric *metric); /* is a term a sum with signs, which floats may round below 0? */
int ll_metric_is_log(const ll_metric *metric);        /* is a term -ln of one stored number? */
int ll_metric_counts(
    const ll_metric *metric); /* its terms count rows: 1 those that match, -1 those that miss; else 0 */
/* Gains of ranks, if the scores of all classes but one are equal: 1: all of them have the same gain when that one score
 * is above the others; -1: when it is below; 0: neither. */
int ll_metric_match_side(const ll_metric *metric, long classes);
int ll_metric_is_gain(const ll_metric *metric); /* is a higher number better? */
/* Does a row of weight 0 add the same bits whatever its label, in every arithmetic? */
int ll_metric_is_symmetric(const ll_metric *metric);
/* Is it a norm-like divergence, a difference of powers? */
int ll_metric_is_norm(const ll_metric *metric);
/* Are the weights of the code powers:closed its own? */
int ll_metric_has_closed_powers(const ll_metric *metric);
ll_truth ll_metric_is_convex(
    const ll_metric *metric); /* LL_TRUE, or LL_UNKNOWN for a phi that was neither proved nor refuted */

/* ---- numeric targets (target_table.c) ---- */

/* Does label k stand for a number of a grid? */
int ll_metric_takes_targets(const ll_metric *metric);
/* The grid, as the setting `targets` says it; fraction: 52, 23, as the program's format rounds its numbers; 0: as they
 * are. LL_DOMAIN where the text is none, or the metric has no value at some target. */
LL_CHECK ll_status ll_metric_set_targets(ll_metric *metric, const char *text, long fraction, ll_error *error);
long ll_metric_target_count(const ll_metric *metric); /* 0: none are set */
void ll_metric_get_target(const ll_metric *metric, ll_exact *out, long label);
void ll_metric_target_ball(const ll_metric *metric, arb_t out, long label, slong prec);
double ll_metric_target_double(const ll_metric *metric, long label); /* the nearest double */
double ll_metric_target_width(const ll_metric *metric);              /* at least highest less lowest target */
int ll_metric_is_square(const ll_metric *metric);                    /* is a term (y - x)^2? */
/* Is the number 1 - sum of (y - x)^2 / sum of squares about the mean, errors as they are or less their mean? */
int ll_metric_is_r2(const ll_metric *metric);
/* Then: are the errors taken less their mean? */
int ll_metric_is_centred(const ll_metric *metric);
/* Is the term, for predictions outside the grid, a constant + slope |y - x|? By how far must they lie outside? */
int ll_metric_is_lines(const ll_metric *metric);
void ll_metric_get_lines(const ll_metric *metric, arb_t slope, arb_t margin, slong prec);
/* Is there no limit to what one label can change, since predictions have none? */
int ll_metric_is_unlimited(const ll_metric *metric);
/* Of numeric targets: is the prediction 0 the one that tells least, where no target is below it? Do computed
 * terms keep the order of targets but for errors, none larger than those at the ends of the grid? */
int ll_metric_counts_from_zero(const ll_metric *metric);
int ll_metric_is_rough(const ll_metric *metric);
/* Of numeric targets: no term is above this, whatever the prediction; 0: there is no such limit. */
int ll_metric_most_term(const ll_metric *metric);

const ll_exact *ll_metric_parameter(const ll_metric *metric); /* alpha of norm, P of lp, else NULL */

/* ---- predictions (reads.c) ---- */

/* Is a prediction a class, a probability or a logit? Do two metrics read the same kind? */
int ll_metric_reads_labels(const ll_metric *metric);
int ll_metric_reads_probabilities(const ll_metric *metric);
int ll_metric_reads_logits(const ll_metric *metric);
int ll_metric_reads_alike(const ll_metric *metric, const ll_metric *other);
/* May a prediction be any number, however large? */
int ll_metric_is_free(const ll_metric *metric);
/* May it read one column per class? Does only the order of the columns of a row count? */
int ll_metric_has_rows(const ll_metric *metric);
int ll_metric_reads_order(const ll_metric *metric);
/* Is it defined for that many classes? */
int ll_metric_takes_classes(const ll_metric *metric, long classes);
/* The prediction that says "probability `share`" of a class, in one of `columns` columns; for numeric targets the
 * number at that fraction of the way from the lowest to the highest. */
double ll_metric_of_share(const ll_metric *metric, double share, long columns);
/* The prediction that says about class 0 what x says about class 1: 1 - x; for a logit: -x. */
void ll_metric_mirror(const ll_metric *metric, arb_t out, const arb_t x, slong prec);

/* s(label, row) in arithmetic a. columns = 1: x of class 1, label 0 or 1 (for LL_FORM_MATCH any label; softmax-ce: the
 * logit of class 1 against 0); columns = K: the row form. LL_DOMAIN where it has no finite value (label 1 at
 * probability 0, overflow of a float, a column count the loss has no form for), LL_UNABLE where a ball leaves that
 * open. Floats follow the expressions operation by operation (so sigmoid-ce overflows where exp(x) does); rows of
 * softmax-ce subtract the largest logit first: ln(sum exp(z_j - m)) - (z_k - m). Balls are relative to the larger of
 * the score and 2^-(2^30). Values must be initialised in a; out may be one of the row. */
LL_CHECK ll_status ll_metric_score(const ll_metric *metric, const ll_arithmetic *a, ll_value *out, const ll_value *row,
                                   long columns, long label);

/* s(1,x) - s(0,x) of the binary form, in balls, from x and its mirror 1 - x (of a logit: -x), as ll_metric_invert gives
 * them: what one of them does not know near 0 or 1, the other does. x may be as close to 0 or 1 (or, a logit, as large)
 * as arb can hold: no cancellation loss beyond the width of x. LL_DOMAIN where the weight is not a number (x = 0 under
 * log-loss, x outside [0,1], a label loss at x that is no label), LL_UNABLE where a ball leaves that open. */
LL_CHECK ll_status ll_metric_weight_pair(const ll_metric *metric, arb_t out, const arb_t x, const arb_t mirror,
                                         slong prec);
/* The same at an exact number, with a relative error of about 2^-prec (absolute, where |weight| < 2^-(4 prec)). */
LL_CHECK ll_status ll_metric_weight_exact(const ll_metric *metric, arb_t out, const ll_exact *x, slong prec);

/* A ball that contains x with weight(x) = w, for every w in the ball given that is in reach; relative accuracy about
 * prec bits of min(x, 1-x), beyond what the width of w costs: where x would be within 2^-prec of 1, complement != NULL
 * gets its mirror 1 - x (of a logit: -x) to full accuracy. The ends of the reach give the ends of the domain.
 * Certified: closed form in balls, or bisection and interval Newton on the monotone weight.
 * LL_DOMAIN where w is out of reach; LL_UNABLE where the precision cap ended the search. */
LL_CHECK ll_status ll_metric_invert(const ll_metric *metric, arb_t x, arb_t complement, const arb_t w, slong prec);

/* Row forms: classes entries of row from weights w[0..classes-1] (w[0] is the base; row must not overlap w): softmax
 * of -w, the logits -w themselves, or for squared the x_k = x_0 - (w_k - w_0)/2 that sum to 1. LL_DOMAIN for losses
 * without a row form and weights out of reach. */
LL_CHECK ll_status ll_metric_invert_row(const ll_metric *metric, arb_ptr row, arb_srcptr w, long classes, slong prec);

/* The weights that x in [eps, 1-eps], 0 < eps <= 1/2, can reach (clip NULL: the whole domain; ends may be infinite),
 * as balls around the ends, low <= high. A clip of logits or labels is ignored. Of labels only the two ends are
 * weights. LL_UNABLE where the limit of phi' at an end of the domain was not found. */
LL_CHECK ll_status ll_metric_reach(const ll_metric *metric, arb_t low, arb_t high, const ll_exact *clip, slong prec);

#endif
