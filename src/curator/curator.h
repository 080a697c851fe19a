/* Inside the curator: a scorer with its texts read, one score before its release, and the three ways to compute it.
 *
 *   scorer     -> ll_resolved   every text parsed, every contradiction refused (scorer.c)
 *   rows       -> ll_raw        exact balls, FPA or native floats (score_exact.c, score_format.c, score_native.c)
 *   ll_raw     -> ll_score      transform, noise, Ladder, rounding, text (release.c, ladder.c) */
#ifndef LL_CURATOR_CURATOR_H
#define LL_CURATOR_CURATOR_H

#include "curator/decimal.h"
#include "loss/loss.h"

typedef enum { LL_KIND_EXACT, LL_KIND_FORMAT, LL_KIND_NATIVE } ll_kind;

/* How a row's term is computed natively, and which error model goes with it (docs/proofs/score-interval.md). */
typedef enum {
    LL_KERNEL_LOG,     /* -ln q of one stored number q */
    LL_KERNEL_SQUARED, /* squares of differences */
    LL_KERNEL_MATCH,   /* the prediction is a label */
    LL_KERNEL_SIGMOID, /* one logit */
    LL_KERNEL_SOFTMAX, /* one logit a class */
    LL_KERNEL_OTHER    /* the loss's expression, operation by operation */
} ll_kernel;

/* What a scorer's texts mean. */
typedef struct {
    ll_loss *loss;
    ll_kind kind;
    ll_kernel kernel;
    ll_arithmetic rows, term, total; /* of the stored predictions and the clip; of the loss; of sum and mean */
    double log_ulps;                 /* of term's logarithm */
    ll_exact low, high;              /* eps and 1-eps; with LL_LOG_CLAMP low is the bound on -ln */
    double float_low, float_high;    /* the same, rounded to the format of the rows, 1-eps computed there */
    ll_exact noise, ladder;          /* size and step, where there are any */
    long precision;                  /* of an exact score, chosen where the scorer left it open */
    int higher_is_better;
} ll_resolved;

/* LL_DOMAIN with the reason where the parts do not fit together; *out is then cleared. */
LL_CHECK ll_status ll_resolved_init(ll_resolved *out, const ll_scorer *scorer, ll_error *error);
void ll_resolved_clear(ll_resolved *resolved);

/* The Ladder (Blum and Hardt 2015): the best answer so far as a multiple of the step, for the simulated curator and as
 * an interval for the real one. */
typedef struct {
    int answered;
    fmpz_t best, best_low, best_high;
} ll_ladder;

void ll_ladder_init(ll_ladder *ladder);
void ll_ladder_clear(ll_ladder *ladder);
void ll_ladder_set(ll_ladder *out, const ll_ladder *ladder);

/* The next answer to the score `number` whose real twin lies in [low, high]; out may not alias ladder. LL_UNABLE where
 * the ball is too wide to tell. Lower is better; the caller negates where higher is. */
LL_CHECK ll_status ll_ladder_answer(ll_ladder *out, const ll_ladder *ladder, const arb_t number, const arf_t low,
                                    const arf_t high, const ll_exact *step);

/* A score before its release: what the simulated curator computed (a point where is_float, else a ball), and where the
 * real program's number must lie. */
typedef struct {
    int is_float;
    ll_format format; /* of the score, where is_float: number, lower and upper are values of it */
    arb_t number;
    arf_t lower, upper;
    int is_rational; /* an exact score that is sum / divisor, so that even a tie of the rounding can be decided */
    ll_exact sum;
    long divisor;
} ll_raw;

void ll_raw_init(ll_raw *raw);
void ll_raw_clear(ll_raw *raw);

/* The ends of a ball, rounded outward by next to nothing beside its radius. */
void ll_raw_ends(arf_t low, arf_t high, const arb_t x);

struct ll_curator {
    ll_scorer scorer; /* its strings and prior are the curator's own */
    ll_resolved resolved;
    int32_t *labels;
    long rows, classes;
    long answered; /* queries so far */
    ll_ladder ladder;
};

/* Scores of all rows. bits: an exact score's absolute error is at most 2^-bits. LL_DOMAIN names the row. */
LL_CHECK ll_status ll_score_exact(const ll_curator *curator, ll_raw *out, const ll_predictions *predictions, slong bits,
                                  ll_error *error);
LL_CHECK ll_status ll_score_format(const ll_curator *curator, ll_raw *out, const ll_predictions *predictions,
                                   ll_error *error);
LL_CHECK ll_status ll_score_native(const ll_curator *curator, ll_raw *out, const ll_predictions *predictions,
                                   ll_error *error);

/* Release *raw as answer number curator->answered; the Ladder moves on. LL_UNABLE with *undecided set where an exact
 * ball is too wide for the rounding or the Ladder: nothing has changed, come back with a narrower one. */
LL_CHECK ll_status ll_release(ll_curator *curator, ll_score *out, const ll_raw *raw, int *undecided, ll_error *error);

/* ---- text (score_text.c), by malloc; NULL where memory ended or an exponent is too large to write out ---- */

/* The number itself. LL_UNABLE with *undecided set where the two ends of a ball do not round alike. */
LL_CHECK ll_status ll_text_number(const ll_curator *curator, char **out, const ll_raw *raw, int *undecided);
/* An end of the interval: rounded as the scorer says where `rounded`, else outward in the direction given. */
char *ll_text_end(const ll_curator *curator, const ll_raw *raw, const arf_t x, ll_direction direction, int rounded);
/* k steps of the Ladder, or -k where higher is better. */
char *ll_text_multiple(const ll_curator *curator, const fmpz_t k);

/* ---- rows, block after block (rows.c) ---- */

typedef ll_status (*ll_rows_visit)(void *state, const ll_block *block, long first, ll_error *error);

/* Call visit for every block of rows in order; the size of a block follows the size of its entries, so that a few
 * megabytes suffice. */
LL_CHECK ll_status ll_rows_each(const ll_predictions *predictions, ll_rows_visit visit, void *state, ll_error *error);

/* "sub.csv:18: " or "row 17: ", then the text; returns status. */
ll_status ll_rows_fail(const ll_predictions *predictions, long row, ll_error *error, ll_status status,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Entry `index` of a block as an exact number: a pointer into the block, or to *scratch. NULL where it is not
 * finite. */
const ll_exact *ll_rows_exact(ll_exact *scratch, const ll_block *block, long index);

/* LL_DOMAIN, naming row and value, where x has no place in this loss: a probability outside [0,1], a label that is no
 * class. Costs nothing of the length of x's exponent. x NULL: not finite. */
LL_CHECK ll_status ll_rows_check(const ll_curator *curator, const ll_predictions *predictions, const ll_exact *x,
                                 long row, ll_error *error);

/* Must the entries of a row sum to 1, because nothing in the scorer makes them? Plain log-loss of one column a class.
 */
int ll_rows_must_sum(const ll_curator *curator, long columns);
/* LL_DOMAIN where a row that must sum to 1 does not; the tolerance is scikit-learn's, the square root of the epsilon.
 */
LL_CHECK ll_status ll_rows_check_sum(const ll_curator *curator, const ll_predictions *predictions, double sum, long row,
                                     ll_error *error);
/* The sum of a row, good to 2^-60 or so. */
double ll_rows_sum(const ll_exact *const *row, long columns);

#endif
