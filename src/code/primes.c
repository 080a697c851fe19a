/* primes: label 1 of row j adds ln p_j (thm:linearly_decomposable_using_primes, docs/proofs/primes.md).
 *
 * A sum is ln Q for a divisor Q of the primorial P. Two divisors that differ have, after cancelling what is common,
 * coprime A < B with AB | P. Variant c=full, the paper's: ln(B/A) >= ln(1 + 1/P) > 2/(3P), so the unit is 3 P N tau.
 * Variant c=sqrt: A(A+1) <= AB <= P, so ln(B/A) >= ln(1 + 1/A) >= 1/sqrt(P + 1/4): half the bits.
 *
 * Decoding: x = e^sum. The integers in the interval of x, or of P/x where that is the smaller, are tried; one that
 * divides P is a labelling. With noise as planned the interval holds just one integer. */
#include "code/primorial.h"
#include "code/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIED = 4096 }; /* integers of an interval that are tried one by one; a wider one is answered "open" */

static const ll_primorial *primorial(const ll_code *code)
{
    return code->data;
}

static double predict_bits(long rows, long classes)
{
    (void)classes;
    double n = (double)rows + 2;
    return n * log2(n * log(n)); /* ln P is near p_N, the N-th prime near N ln N */
}

static ll_status create(ll_code *code, ll_error *error)
{
    if (ll_primorial_init(code->data, code->rows) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for %ld primes", code->rows);
    return LL_OK;
}

static void clear(ll_code *code)
{
    ll_primorial_clear(code->data);
}

enum { GUARD = 16 };

/* All logarithms together pay where many bits are wanted of many. */
static void prepare(ll_code *code, slong prec)
{
    ll_primorial_prepare_logs(code->data, prec + GUARD);
}

static void weight(const ll_code *code, arb_t out, long row, long label, slong prec)
{
    arb_zero(out);
    if (label == 0)
        return;
    if (primorial(code)->log_prec >= prec + GUARD)
        arb_set_round(out, primorial(code)->logs + row, prec);
    else
        arb_log_ui(out, primorial(code)->primes[row], prec);
}

/* One logarithm of one product. */
static void sum_labelling(const ll_code *code, arb_t out, const int32_t *labels, slong prec)
{
    fmpz *primes = _fmpz_vec_init(code->rows);
    for (long row = 0; row < code->rows; row++)
        fmpz_set_ui(primes + row, labels[row] == 1 ? primorial(code)->primes[row] : 1);
    fmpz_t product;
    fmpz_init(product);
    _fmpz_vec_prod(product, primes, code->rows);
    arb_log_fmpz(out, product, prec);
    fmpz_clear(product);
    _fmpz_vec_clear(primes, code->rows);
}

static void get_gap(const ll_code *code, arb_t out, slong prec)
{
    arb_set_round_fmpz(out, primorial(code)->product, prec + 8);
    if (ll_code_is_variant(code, "c=sqrt")) {
        arb_t quarter;
        arb_init(quarter);
        arb_set_d(quarter, 0.25);
        arb_add(out, out, quarter, prec + 8);
        arb_rsqrt(out, out, prec);
        arb_clear(quarter);
    } else {
        arb_mul_ui(out, out, 3, prec + 8);
        arb_ui_div(out, 2, out, prec);
    }
}

static void get_span(const ll_code *code, arb_t out, slong prec)
{
    arb_log_fmpz(out, primorial(code)->product, prec);
}

/* ---- decoding */

typedef struct {
    const ll_code *code;
    ll_decoded *out;
    long found;
    mp_limb_t *residues;
} trial;

/* The labels of a divisor, added to what was found before. */
static void add_divisor(trial *t, const fmpz_t divisor)
{
    const ll_primorial *p = primorial(t->code);
    ll_primorial_residues(p, t->residues, divisor);
    for (long row = 0; row < t->code->rows; row++) {
        int32_t label = t->residues[row] == 0;
        t->out->candidates[2 * row + label] = 1;
        if (t->found == 0)
            t->out->labels[row] = label;
        else if (t->out->labels[row] != label)
            t->out->labels[row] = -1;
    }
    t->found++;
}

/* x or P/x, whichever is smaller: its integers are the sparser. */
static int smaller_side(const ll_code *code, arb_t logarithm, const arb_t sum)
{
    const fmpz *product = primorial(code)->product;
    slong prec = (slong)fmpz_bits(product) + 96;
    arb_t whole;
    arb_init(whole);
    arb_log_fmpz(whole, product, 64);
    arb_mul_2exp_si(whole, whole, -1);
    int is_complement = arf_cmp(arb_midref(sum), arb_midref(whole)) > 0;
    if (is_complement) {
        arb_log_fmpz(whole, product, prec);
        arb_sub(logarithm, whole, sum, prec);
    } else {
        arb_set(logarithm, sum);
    }
    arb_clear(whole);
    return is_complement;
}

static void try_integers(trial *t, fmpz_t low, const fmpz_t high, int is_complement)
{
    const fmpz *product = primorial(t->code)->product;
    fmpz_t divisor;
    fmpz_init(divisor);
    for (; fmpz_cmp(low, high) <= 0; fmpz_add_ui(low, low, 1)) {
        if (!fmpz_divisible(product, low))
            continue;
        if (is_complement)
            fmpz_divexact(divisor, product, low);
        else
            fmpz_set(divisor, low);
        add_divisor(t, divisor);
    }
    fmpz_clear(divisor);
}

/* Clamp to 1..P and count; -1 where there are more than will be tried. */
static long clamp(const ll_code *code, fmpz_t low, fmpz_t high)
{
    if (fmpz_cmp_ui(low, 1) < 0)
        fmpz_one(low);
    if (fmpz_cmp(high, primorial(code)->product) > 0)
        fmpz_set(high, primorial(code)->product);
    fmpz_t width;
    fmpz_init(width);
    fmpz_sub(width, high, low);
    long count = fmpz_sgn(width) < 0 ? 0 : fmpz_cmp_ui(width, MOST_TRIED) >= 0 ? -1 : fmpz_get_si(width) + 1;
    fmpz_clear(width);
    return count;
}

static void decode_range(trial *t, fmpz_t low, fmpz_t high, int is_complement)
{
    long rows = t->code->rows;
    long count = clamp(t->code, low, high);
    if (count < 0) {
        ll_decoded_set_open(t->out, rows, 2);
        return;
    }
    ll_decoded_set_none(t->out, rows, 2);
    try_integers(t, low, high, is_complement);
    t->out->count = t->found < 2 ? (int)t->found : 2;
}

static ll_status decode(const ll_code *code, ll_decoded *out, const arb_t sum, ll_error *error)
{
    trial t = {.code = code, .out = out, .residues = malloc(sizeof(mp_limb_t) * (size_t)code->rows)};
    if (t.residues == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld residues", code->rows);
    arb_t logarithm, span;
    fmpz_t low, high;
    arb_init(logarithm);
    arb_init(span);
    fmpz_init(low);
    fmpz_init(high);
    get_span(code, span, 64);
    int is_complement = smaller_side(code, logarithm, sum);
    ll_primorial_exp_integers(low, high, logarithm, span, (slong)fmpz_bits(primorial(code)->product) + 96);
    decode_range(&t, low, high, is_complement);
    arb_clear(logarithm);
    arb_clear(span);
    fmpz_clear(low);
    fmpz_clear(high);
    free(t.residues);
    return LL_OK;
}

const ll_code_row ll_code_primes = {
    .info = {.name = "primes",
             .variants = "c=full c=sqrt",
             .result = "Theorem 2, Corollary 2",
             .guarantee = "proved",
             .weights = "ln p_j for label 1, p_j the j-th prime",
             .gap = "2/(3P), P the product of the first N primes (c=sqrt: 1/sqrt(P + 1/4))",
             .bits = "log2(3/2 P ln P) (c=sqrt: log2(sqrt(P + 1/4) ln P), about half)",
             .cost = "one exponential, one rounding, one remainder tree",
             .classes = "2"},
    .binary_only = 1,
    .predict_bits = predict_bits,
    .state_size = sizeof(ll_primorial),
    .create = create,
    .clear = clear,
    .prepare = prepare,
    .weight = weight,
    .sum_labelling = sum_labelling,
    .get_gap = get_gap,
    .get_span = get_span,
    .decode = decode,
};
