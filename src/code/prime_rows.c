/* prime-rows: the worked example of the paper's appendix ([2,3,5]/10, [7,11,13]/31) for any N and K, without noise:
 * label k of row j lowers the log-loss by ln p, p the (jK+k)-th prime, up to a constant of the row. A sum is -ln Q, Q a
 * product of one prime from each row; two of them differ as integers and are at most M, the product of each row's
 * largest, so the gap is at least ln(1 + 1/M) > 1/(M+1) (docs/proofs/prime-rows.md). */
#include "code/primorial.h"
#include "code/rows.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    ll_primorial primes; /* N K of them */
    fmpz_t largest;      /* M */
} state;

static double predict_bits(long rows, long classes)
{
    double n = (double)rows * (double)classes + 2;
    return ((double)rows + 1) * log2(n * log(n));
}

static ll_status create(ll_code *code, ll_error *error)
{
    if (code->classes > (1L << 28) / code->rows)
        return ll_fail(error, LL_UNABLE, "prime-rows needs a prime for each of %ld x %ld entries: too many", code->rows,
                       code->classes);
    state *s = code->data;
    if (ll_primorial_init(&s->primes, code->rows * code->classes) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for %ld primes", code->rows * code->classes);
    fmpz *largest = _fmpz_vec_init(code->rows);
    for (long row = 0; row < code->rows; row++)
        fmpz_set_ui(largest + row, s->primes.primes[(row + 1) * code->classes - 1]);
    fmpz_init(s->largest);
    _fmpz_vec_prod(s->largest, largest, code->rows);
    _fmpz_vec_clear(largest, code->rows);
    return LL_OK;
}

static void clear(ll_code *code)
{
    state *s = code->data;
    ll_primorial_clear(&s->primes);
    fmpz_clear(s->largest);
}

mp_limb_t ll_prime_rows_prime(const ll_code *code, long row, long label)
{
    const state *s = code->data;
    return s->primes.primes[row * code->classes + label];
}

static void weight(const ll_code *code, arb_t out, long row, long label, slong prec)
{
    arb_log_ui(out, ll_prime_rows_prime(code, row, label), prec);
    arb_neg(out, out);
}

/* One logarithm of one product. */
static void sum_labelling(const ll_code *code, arb_t out, const int32_t *labels, slong prec)
{
    fmpz *primes = _fmpz_vec_init(code->rows);
    for (long row = 0; row < code->rows; row++)
        fmpz_set_ui(primes + row, ll_prime_rows_prime(code, row, labels[row]));
    fmpz_t product;
    fmpz_init(product);
    _fmpz_vec_prod(product, primes, code->rows);
    arb_log_fmpz(out, product, prec);
    arb_neg(out, out);
    fmpz_clear(product);
    _fmpz_vec_clear(primes, code->rows);
}

static void get_gap(const ll_code *code, arb_t out, slong prec)
{
    const state *s = code->data;
    arb_set_round_fmpz(out, s->largest, prec + 8);
    arb_add_ui(out, out, 1, prec + 8);
    arb_inv(out, out, prec);
}

static void get_span(const ll_code *code, arb_t out, slong prec)
{
    const state *s = code->data;
    arb_log_fmpz(out, s->largest, prec);
}

/* Is Q a product of one prime from each row? Then label[row] says which. */
static int read_labels(const ll_code *code, int32_t *labels, const fmpz_t q, mp_limb_t *residues)
{
    const state *s = code->data;
    ll_primorial_residues(&s->primes, residues, q);
    fmpz *factors = _fmpz_vec_init(code->rows);
    int is_one_each = 1;
    for (long row = 0; row < code->rows && is_one_each; row++) {
        labels[row] = -1;
        for (long k = 0; k < code->classes; k++) {
            if (residues[row * code->classes + k] != 0)
                continue;
            is_one_each = is_one_each && labels[row] < 0;
            labels[row] = (int32_t)k;
            fmpz_set_ui(factors + row, s->primes.primes[row * code->classes + k]);
        }
        is_one_each = is_one_each && labels[row] >= 0;
    }
    if (is_one_each) {
        fmpz_t product;
        fmpz_init(product);
        _fmpz_vec_prod(product, factors, code->rows);
        is_one_each = fmpz_equal(product, q);
        fmpz_clear(product);
    }
    _fmpz_vec_clear(factors, code->rows);
    return is_one_each;
}

static void decode_range(const ll_code *code, ll_decoded *out, const fmpz_t low, const fmpz_t high, mp_limb_t *residues)
{
    if (fmpz_cmp(low, high) < 0) {
        ll_decoded_set_open(out, code->rows, code->classes);
        return;
    }
    if (fmpz_equal(low, high) && fmpz_sgn(low) > 0 && read_labels(code, out->labels, low, residues))
        ll_decoded_set_unique(out, code->rows, code->classes);
    else
        ll_decoded_set_none(out, code->rows, code->classes);
}

static ll_status decode(const ll_code *code, ll_decoded *out, const arb_t sum, ll_error *error)
{
    const state *s = code->data;
    mp_limb_t *residues = malloc(sizeof *residues * (size_t)s->primes.count);
    if (residues == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld residues", s->primes.count);
    arb_t logarithm, span;
    fmpz_t low, high;
    arb_init(logarithm);
    arb_init(span);
    fmpz_init(low);
    fmpz_init(high);
    get_span(code, span, 64);
    arb_neg(logarithm, sum);
    ll_primorial_exp_integers(low, high, logarithm, span, (slong)fmpz_bits(s->largest) + 96);
    decode_range(code, out, low, high, residues);
    arb_clear(logarithm);
    arb_clear(span);
    fmpz_clear(low);
    fmpz_clear(high);
    free(residues);
    return LL_OK;
}

const ll_code_row ll_code_prime_rows = {
    .info = {.name = "prime-rows",
             .variants = "",
             .result = "the worked example of app:logloss",
             .guarantee = "proved",
             .weights = "-ln p, p the (jK+k)-th prime",
             .gap = "1/(M+1), M the product of each row's largest prime",
             .bits = "log2(M ln M)",
             .cost = "one exponential, one rounding, one remainder tree",
             .classes = "2 or more"},
    .fixed_unit = 1,
    .predict_bits = predict_bits,
    .state_size = sizeof(state),
    .create = create,
    .clear = clear,
    .weight = weight,
    .sum_labelling = sum_labelling,
    .get_gap = get_gap,
    .get_span = get_span,
    .decode = decode,
};
