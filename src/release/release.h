/* What happens to a program's number on its way to the text that people see, and back (docs/proofs/release.md):
 *
 *     number -> transform, step by step -> noise -> Ladder, or rounding -> text
 *
 * forward: as a curator does it (forward.c); backward: from a text to the interval of numbers that can have become it
 * (backward.c); bound: how wide that interval can be (bound.c); range: what can be released at all (range.c); the
 * laws of noise (law.h). Nobody outside this room knows what a decimal, a percent or a Ladder is. */
#ifndef LL_RELEASE_RELEASE_H
#define LL_RELEASE_RELEASE_H

#include "number/unreleased.h"
#include "release/law.h"
#include "release/levels.h"
#include "release/transform.h"

typedef enum { LL_ROUND_NONE, LL_ROUND_DECIMALS, LL_ROUND_DIGITS } ll_rounding;

enum { LL_RELEASE_STEPS = 4 };

typedef struct {
    ll_transform_step steps[LL_RELEASE_STEPS];
    int step_count;
    const ll_law *noise; /* NULL: none */
    ll_draw draw;        /* how a simulated curator draws bounded noise */
    ll_exact noise_size; /* tau, sigma, b or c */
    ll_rounding rounding;
    int places; /* decimals or significant digits */
    int truncate;
    int has_ladder; /* answers are the best so far, in multiples of `ladder`: a step, or the unit of levels */
    ll_exact ladder;
    ll_levels levels;  /* the multiples that are shown; no list: every one, as the Ladder of 0.2 does */
    long improvements; /* that an account is shown at most, where there are levels; 0: no limit */

    /* What the computation hands over. */
    int is_float;       /* a value of `format`; else a ball, right to 2^-precision */
    int is_native;      /* fp64 or fp32: noise is added in fp64 */
    int is_nonnegative; /* the number is never below 0 */
    int is_gain;        /* a higher number is better, before any step */
    ll_format format;
    long precision;
    double value_bits; /* log2 of how many different numbers it can be; infinity: not known */
} ll_release;

void ll_release_init(ll_release *release); /* the number itself, exact */
void ll_release_clear(ll_release *release);

/* ---- texts of settings (release_settings.c); LL_DOMAIN with the reason ---- */

/* Steps as settings name them, names of laws of noise and of ways to draw the bounded one, from 0 on; NULL past the
 * last. */
const char *ll_release_step_name(long index);
const char *ll_release_law_name(long index);
const char *ll_release_draw_name(long index);
/* "identity", "root", "root,percent", "negate,offset:1", ... */
LL_CHECK ll_status ll_release_set_transform(ll_release *r, const char *text, ll_error *error);
/* "none", or the name of a law, a colon and its size */
LL_CHECK ll_status ll_release_set_noise(ll_release *r, const char *text, ll_error *error);
/* "plain", "ladder:STEP", "levels:BASE:BEST:COUNT", "levels:G0,G1,..." (mechanism.c) */
LL_CHECK ll_status ll_release_set_mechanism(ll_release *r, const char *text, ll_error *error);
/* What a host is asked to do for such a text, % standing for what is behind the colon; NULL: there is no such mechanism. */
const char *ll_release_mechanism_advice(const char *text);
/* A Ladder becomes a list of levels, the multiples of its step from `start` to `best`, as they are released. */
LL_CHECK ll_status ll_release_set_start(ll_release *r, double start, double best, ll_error *error);
/* Level `level` of the list as it is shown; to be freed, NULL: no memory. */
char *ll_release_level_text(const ll_release *r, long level);
/* Do levels get better as scores do? */
LL_CHECK ll_status ll_release_check_levels(const ll_release *r, ll_error *error);
LL_CHECK ll_status ll_release_set_decimals(ll_release *r, const char *text, ll_error *error);
LL_CHECK ll_status ll_release_set_digits(ll_release *r, const char *text, ll_error *error);
/* Do the parts fit together, and can the noise be computed with? */
LL_CHECK ll_status ll_release_check(const ll_release *r, ll_error *error);
/* Are the numbers of its steps numbers of the arithmetic, once that is known (is_float, format)? */
LL_CHECK ll_status ll_release_check_numbers(const ll_release *r, ll_error *error);
/* Bits of an exact number that this release needs: at least 64, 64 more than its noise, and those of the places that
 * it is rounded to. */
long ll_release_choose_precision(const ll_release *r);

/* ---- questions ---- */

int ll_release_is_bounded(const ll_release *r); /* has its noise a bound, or is there none? */
int ll_release_has_no_noise(const ll_release *r);
int ll_release_has_any_law(const ll_release *r);        /* is of its noise only a bound known? */
int ll_release_is_history(const ll_release *r);         /* does an answer depend on earlier ones (the Ladder)? */
int ll_release_has_levels(const ll_release *r);         /* are answers levels of a list? */
int ll_release_takes_start(const ll_release *r);        /* a Ladder without a list */
int ll_release_is_linear(const ll_release *r);          /* are all steps linear? */
int ll_release_is_power(const ll_release *r);           /* is each of them linear, or a power? */
const char *ll_release_needs_sign(const ll_release *r); /* the step that takes no number below 0; NULL: there is none */
int ll_release_is_relative(const ll_release *r);        /* does the width of what a text allows depend on its size? */
int ll_release_is_rounded(const ll_release *r);         /* to decimals or digits */
int ll_release_is_better_high(const ll_release *r);
int ll_release_keeps_sign(const ll_release *r); /* is the sign of a number that of the score, or its opposite? */
/* The factor of all steps together, roots left out: a difference of numbers times this is one of released numbers where
 * all steps are linear. As a fraction: exactly. */
double ll_release_scale(const ll_release *r);
void ll_release_get_scale(const ll_release *r, fmpq_t out);
/* Numbers on a grid, for averages over many scores: its width in units of the program's number, and where between two
 * points one becomes the other (0 or 1/2); 0 where there is none, or it is not the same everywhere. */
double ll_release_grid(const ll_release *r, double *boundary);
/* tau, or `bound` where noise has none. */
void ll_release_get_noise(const ll_release *r, ll_exact *out, double bound);
/* Is the noise sized by the submission? Then a curator hands its spread over with the number (ll_unreleased). */
int ll_release_follows_spread(const ll_release *r);
/* The law of random noise, and its size in units of the program's number; NULL where noise has a bound.
 * spread: that of the submission, in the same units, for noise that follows it. */
const ll_law *ll_release_law(const ll_release *r, double *size, double spread);

/* ---- forward (forward.c) ---- */

/* The Ladder (Blum and Hardt 2015): the best answer so far as a multiple of the step, for the simulated curator and as
 * an interval for the real one. */
typedef struct {
    int answered;
    fmpz_t best, best_low, best_high;
    ll_height height; /* where there are levels, these are the three of it */
} ll_ladder;

void ll_ladder_init(ll_ladder *ladder);
void ll_ladder_clear(ll_ladder *ladder);
void ll_ladder_set(ll_ladder *out, const ll_ladder *ladder);

/* The next answer to the score `number` whose real twin lies in [low, high]; out may not alias ladder. LL_UNABLE where
 * the ball is too wide to tell. Lower is better; the caller negates where higher is. */
LL_CHECK ll_status ll_ladder_answer(ll_ladder *out, const ll_ladder *ladder, const arb_t number, const arf_t low,
                                    const arf_t high, const ll_exact *step);

/* What a curator keeps between answers. */
typedef struct {
    uint64_t seed;
    long answered;
    int text_only; /* the interval's ends are not asked for: lower and upper stay NULL */
    ll_ladder ladder;
} ll_release_state;

/* The steps alone, on a number and its interval. LL_DOMAIN: no such value, or it overflows. bits: of roots. */
LL_CHECK ll_status ll_release_transform(const ll_release *r, ll_unreleased *unreleased, slong bits, ll_error *error);
/* Do the steps, or the noise at its bound, make a float of the format that lies in least .. most too large for it? */
int ll_release_overflows(const ll_release *r, const ll_format *format, double least, double most);

/* Release *unreleased as answer number state->answered; the Ladder moves on. LL_UNABLE with *undecided set where an
 * exact ball is too wide for the rounding or the Ladder: nothing has changed, come back with a narrower one and more
 * bits. */
LL_CHECK ll_status ll_release_forward(const ll_release *r, ll_release_state *state, ll_score *out,
                                      const ll_unreleased *unreleased, slong bits, int *undecided, ll_error *error);

/* Where there are levels: the answer to a submission that fails, the account's best again. */
LL_CHECK ll_status ll_release_stay(const ll_release *r, ll_release_state *state, ll_score *out, ll_error *error);

/* ---- backward (backward.c) ---- */

/* What is allowed for: the rounding that is stated, or that and the program's own roundoff. */
typedef enum { LL_STATED, LL_STATED_AND_OWN } ll_allowance;

/* Decimals and significant digits of a decimal text; those of a hexadecimal one are as good as endless. */
void ll_release_count_places(const char *text, long *decimals, long *digits);

/* Texts that were read: how many different ones (told apart up to LL_RELEASE_TEXTS of them), and the most places that
 * one of them had. */
enum { LL_RELEASE_TEXTS = 16 };
typedef struct {
    long count, most;
    double next_bits; /* log2 of how many numbers the next text can be, for what was submitted; 0: not known */
    double most_bits; /* the most that was known of those noted; 0: one was not */
    uint64_t hashes[LL_RELEASE_TEXTS];
    /* Of levels: the best one so far, and the improvements that were shown; is_shared: answers follow from submissions
     * of others, too. */
    long level, shown;
    int is_shared;
} ll_release_texts;

/* What an answer on a list of levels says of the score that it answers (levels_back.c). */
typedef enum {
    LL_SHOWN_NOTHING,
    LL_SHOWN_BETWEEN,   /* it reaches this level, and not the next one */
    LL_SHOWN_AT_LEAST,  /* it reaches the last level */
    LL_SHOWN_NO_BETTER, /* it does not reach the next level, or the submission failed */
} ll_shown_level;

/* seen: the answers of this account before it, all of them; NULL: they are not known. */
ll_shown_level ll_release_shown(const ll_release *r, const char *text, const ll_release_texts *seen);

/* An interval that holds the number, noise included, whose text this is. A text with fewer digits than the release
 * promises, and than chance and the texts `seen` before it (may be NULL) would explain, is as good as its last digit
 * (docs/proofs/release.md). On a list of levels, where ll_release_shown has only one end, that end. LL_DOMAIN: no
 * finite number, no level, or a level below one before it. */
LL_CHECK ll_status ll_release_read(const ll_release *r, arb_t out, const char *text, const ll_release_texts *seen,
                                   ll_allowance allowance, slong prec, ll_error *error);
/* From that interval (or a mean of several) to one that holds the program's number. Random noise is taken as at most
 * `bound`, whatever its law; 0: not taken off. LL_DOMAIN: there is no such number (a root below 0). */
LL_CHECK ll_status ll_release_undo(const ll_release *r, arb_t x, double bound, ll_allowance allowance, slong prec);

void ll_release_note(const ll_release *r, ll_release_texts *texts, const char *text);
/* LL_DOMAIN, with what the description promises and what the texts have, where they contradict it. */
LL_CHECK ll_status ll_release_check_texts(const ll_release *r, const ll_release_texts *texts, ll_error *error);

/* ---- bound (bound.c) ---- */

/* The half width, at most, of the interval that read and undo give to the text of a number of at most `most` in size:
 * an upper bound as a point, infinite where there is none. */
void ll_release_get_bound(const ll_release *r, arb_t out, const arb_t most, double bound, ll_allowance allowance);

/* The steps, applied to scale * x^power: both change. Where a step has another form scale is infinite and power 0. */
void ll_release_add_steps(const ll_release *r, double *scale, double *power);
/* Figures of a release, in units of what is released, in doubles; 0 where there is no such thing. */
typedef struct {
    double noise, grid,
        step; /* size of the noise; distance of neighbouring answers; step of the Ladder, or of levels */
    double levels, improvements; /* above the baseline; that are shown at most, infinity: no limit */
    double proportion;           /* of noise to the spread of the submission */
    int digits;                  /* significant ones */
} ll_release_figures;
ll_release_figures ll_release_get_figures(const ll_release *r);

/* What can be released of numbers in [least, most], with some room: an interval, infinite where there is no end. */
void ll_release_get_range(const ll_release *r, double *low, double *high, double least, double most);

/* Numbers that differ by at least `difference` and are at most `most` in size are at least that far apart after the
 * steps, rounding of each step allowed for: difference becomes a lower bound, most an upper one. */
void ll_release_least_difference(const ll_release *r, arb_t difference, arb_t most);

/* How far apart two released numbers must be to be told apart whatever the noise: 2 tau + grid. */
typedef struct {
    int given;  /* is there noise or a grid at all? */
    int strict; /* more than that, not just as much */
    arb_t ball;
    int is_rational;
    fmpq_t rational;
} ll_release_gap;

void ll_release_gap_init(ll_release_gap *gap);
void ll_release_gap_clear(ll_release_gap *gap);
/* LL_DOMAIN where no gap is enough, or none is known: noise without a bound, digits, the Ladder. */
LL_CHECK ll_status ll_release_needed_gap(const ll_release *r, ll_release_gap *out, slong prec, ll_error *error);

/* A difference of numbers as a difference of released ones, its midpoint, and a few digits of it; they are to be freed.
 * NULL: no memory. */
ll_number ll_release_margin(const ll_release *r, const arb_t difference);

/* ---- its noise (law.c) ---- */

/* The least x, rounded up, with P(|mean of `repeats` independent draws| > x) <= probability, in units of the score; 0
 * where noise has a bound. Not for noise that follows the submission. repeats <= LL_LAW_REPEATS. */
double ll_release_quantile(const ll_release *r, long repeats, double probability);

#endif
