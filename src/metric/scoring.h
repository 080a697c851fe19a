/* The score of given labels, before its release: a pure function of scorer, labels and predictions, in balls, FPA or
 * native floats (score_exact.c, score_format.c, score_native.c). A curator applies it to its secret; a plan to labels
 * it supposes. */
#ifndef LL_METRIC_SCORING_H
#define LL_METRIC_SCORING_H

#include "metric/computation.h"
#include "number/unreleased.h"

typedef struct {
    const ll_computation *how;
    const int32_t *labels;
    long rows, classes;
} ll_scoring;

/* Scores of all rows. bits: an exact score's absolute error is at most 2^-bits. LL_DOMAIN names the row. */
LL_CHECK ll_status ll_score_any(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                slong bits, ll_error *error); /* as the computation's kind says */
LL_CHECK ll_status ll_score_exact(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                  slong bits, ll_error *error);
LL_CHECK ll_status ll_score_format(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                   ll_error *error);
LL_CHECK ll_status ll_score_native(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions,
                                   ll_error *error);

/* The score of one row of a block, without its weight, before its release. */
LL_CHECK ll_status ll_score_row(const ll_scoring *scoring, ll_unreleased *out, const ll_block *block, long row,
                                long label, ll_error *error);

/* What the simulated curator computes for every row, before the sum: terms[scoring->rows]. */
LL_CHECK ll_status ll_score_native_terms(const ll_scoring *scoring, double *terms, const ll_predictions *predictions,
                                         ll_error *error);

/* The same with every label: terms[row * classes + label], in doubles; where scores are not native, the middle of the
 * ball. scoring->labels is not looked at. */
LL_CHECK ll_status ll_score_all_terms(const ll_scoring *scoring, double *terms, const ll_predictions *predictions,
                                      ll_error *error);

/* Where the real program's term of one row of a block must lie, were its label `label`: clip, loss and rounding of that
 * row as in the whole score (exact: to 2^-(precision+64)). rows and classes of *scoring are not looked at. */
LL_CHECK ll_status ll_scoring_term(const ll_scoring *scoring, arb_t out, const ll_block *block, long row, long label,
                                   ll_error *error);

/* What a simulated scorer makes of that row: native floats only. The real program's may differ by what the error of its
 * logarithm allows. */
LL_CHECK ll_status ll_scoring_term_number(const ll_scoring *scoring, arb_t out, const ll_block *block, long row,
                                          long label, ll_error *error);

/* ---- rows, block after block (rows.c) ---- */

typedef ll_status (*ll_rows_visit)(void *state, const ll_block *block, long first, ll_error *error);

/* *out: `count` rows of a block, from row `first` on. It points into that block. */
void ll_rows_slice(ll_block *out, const ll_block *block, long first, long count);

/* Call visit for every block of rows in order; the size of a block follows the size of its entries, so that a few
 * megabytes suffice. */
LL_CHECK ll_status ll_rows_each(const ll_predictions *predictions, ll_rows_visit visit, void *state, ll_error *error);

/* "sub.csv:18: " or "row 17: ", then the text; returns status. */
ll_status ll_rows_fail(const ll_predictions *predictions, long row, ll_error *error, ll_status status,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));

/* What predictions outside [0,1] may be instead of probabilities: "; these look like percents: ...", or "". */
const char *ll_rows_look_like(const ll_predictions *predictions);

/* Entry `index` of a block as an exact number: a pointer into the block, or to *scratch. NULL where it is not
 * finite. */
const ll_exact *ll_rows_exact(ll_exact *scratch, const ll_block *block, long index);

/* LL_DOMAIN, naming row and value, where x has no place in this loss: a probability outside [0,1], a label that is no
 * class. Costs nothing of the length of x's exponent. x NULL: not finite. */
LL_CHECK ll_status ll_rows_check(const ll_scoring *scoring, const ll_predictions *predictions, const ll_exact *x,
                                 long row, ll_error *error);

/* Must the entries of a row sum to 1, because nothing in the scorer makes them? Plain log-loss of one column a class.
 */
int ll_rows_must_sum(const ll_scoring *scoring, long columns);
/* LL_DOMAIN where a row that must sum to 1 does not; the tolerance is scikit-learn's, the square root of the epsilon.
 */
LL_CHECK ll_status ll_rows_check_sum(const ll_scoring *scoring, const ll_predictions *predictions, double sum, long row,
                                     ll_error *error);
/* The sum of a row, good to 2^-60 or so. */
double ll_rows_sum(const ll_exact *const *row, long columns);

#endif
