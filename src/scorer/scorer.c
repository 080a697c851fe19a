/* A scorer's parts: their defaults, what their texts mean, and whether they fit together. */
#include "scorer/scoring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ll_scorer_init(ll_scorer *scorer)
{
    *scorer = (ll_scorer){.loss = "log-loss", .arithmetic = "exact"};
}

/* ---- copies ---- */

static int copy_text(const char **text)
{
    if (*text && !(*text = strdup(*text)))
        return 0;
    return 1;
}

/* What was not copied is NULL. */
int ll_scorer_copy(ll_scorer *out, const ll_scorer *scorer)
{
    *out = *scorer;
    const char **texts[] = {&out->profile,    &out->loss,           &out->clip,
                            &out->arithmetic, &out->sum_arithmetic, &out->loss_arithmetic,
                            &out->noise_size, &out->ladder};
    int good = 1;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        good &= copy_text(texts[i]);
    if (scorer->prior) {
        size_t size = (size_t)scorer->prior_count * sizeof *scorer->prior;
        double *prior = malloc(size);
        if (prior)
            memcpy(prior, scorer->prior, size);
        out->prior = prior;
        good &= prior != NULL;
    }
    return good;
}

void ll_scorer_drop(ll_scorer *scorer)
{
    const void *owned[] = {scorer->profile,    scorer->loss,           scorer->clip,
                           scorer->arithmetic, scorer->sum_arithmetic, scorer->loss_arithmetic,
                           scorer->noise_size, scorer->ladder,         scorer->prior};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i)
        free((void *)owned[i]);
}

/* ---- numbers ---- */

static ll_status read_positive(ll_exact *out, const char *what, const char *text, ll_error *error)
{
    if (!text || ll_exact_set_text(out, text, strlen(text)) != LL_OK || ll_exact_sgn(out) <= 0)
        return ll_fail(error, LL_DOMAIN, "%s '%.60s' is not a number above 0", what, text ? text : "");
    return LL_OK;
}

static int is_short(const fmpz_t exponent)
{
    return fmpz_cmp_si(exponent, LL_EXACT_FIVES) <= 0 && fmpz_cmp_si(exponent, -LL_EXACT_FIVES) >= 0;
}

/* out = 1 - eps, exactly: eps = m*2^a*5^b with a, b brought to at most 0 gives (2^-a*5^-b - m)*2^a*5^b. */
static void set_complement(ll_exact *out, const ll_exact *eps)
{
    fmpz_t power, mantissa;
    fmpz_init(power);
    fmpz_init_set(mantissa, eps->mantissa);
    fmpz_set_ui(power, 5);
    fmpz_pow_ui(power, power, fmpz_sgn(eps->five) < 0 ? (ulong)-fmpz_get_si(eps->five) : (ulong)fmpz_get_si(eps->five));
    fmpz_set(out->five, eps->five);
    fmpz_set(out->two, eps->two);
    if (fmpz_sgn(eps->five) > 0) {
        fmpz_mul(mantissa, mantissa, power);
        fmpz_one(power);
        fmpz_zero(out->five);
    }
    /* eps < 1/2, so two < 0 wherever five is 0; where five < 0 a positive two goes into the mantissa. */
    if (fmpz_sgn(eps->two) > 0) {
        fmpz_mul_2exp(mantissa, mantissa, (ulong)fmpz_get_si(eps->two));
        fmpz_zero(out->two);
    }
    fmpz_mul_2exp(power, power, (ulong)-fmpz_get_si(out->two));
    fmpz_sub(out->mantissa, power, mantissa);
    fmpz_clear(mantissa);
    fmpz_clear(power);
}

/* ---- arithmetic ---- */

static int is_native(const ll_arithmetic *a)
{
    return a->ops == &ll_arithmetic_fp64 || a->ops == &ll_arithmetic_fp32;
}

static ll_status parse_arithmetics(ll_resolved *out, const ll_scorer *scorer, ll_error *error)
{
    if (!scorer->arithmetic)
        return ll_fail(error, LL_DOMAIN, "the scorer has no arithmetic");
    ll_status status = ll_arithmetic_parse(&out->rows, scorer->arithmetic, error);
    if (status != LL_OK)
        return status;
    out->total = out->term = out->rows;
    if (out->rows.ops == &ll_arithmetic_ball) /* exact rows are summed exactly, whatever the profile says */
        return LL_OK;
    if (scorer->sum_arithmetic && (status = ll_arithmetic_parse(&out->total, scorer->sum_arithmetic, error)) != LL_OK)
        return status;
    out->term = out->total;
    if (!scorer->loss_arithmetic)
        return LL_OK;
    if (strcmp(scorer->loss_arithmetic, "rows") == 0)
        out->term = out->rows;
    else
        status = ll_arithmetic_parse(&out->term, scorer->loss_arithmetic, error);
    return status;
}

static int is_wider(const ll_format *a, const ll_format *b)
{
    return a->exponent_bits > b->exponent_bits || a->fraction_bits > b->fraction_bits;
}

/* Rows go into the loss and terms into the sum without rounding: each format holds the one before. */
static ll_status resolve_arithmetic(ll_resolved *out, const ll_scorer *scorer, ll_error *error)
{
    ll_status status = parse_arithmetics(out, scorer, error);
    if (status != LL_OK)
        return status;
    out->kind = LL_KIND_EXACT;
    if (out->rows.ops == &ll_arithmetic_ball)
        return LL_OK;
    if (out->term.ops == &ll_arithmetic_ball || out->total.ops == &ll_arithmetic_ball)
        return ll_fail(error, LL_DOMAIN, "rows in %s cannot be summed exactly: only exact rows can",
                       scorer->arithmetic);
    if (is_wider(&out->rows.format, &out->term.format) || is_wider(&out->term.format, &out->total.format))
        return ll_fail(error, LL_DOMAIN,
                       "the sum's arithmetic must hold every number of the loss's, and that the rows'");
    out->kind = LL_KIND_NATIVE;
    if (!is_native(&out->rows) || !is_native(&out->term) || !is_native(&out->total)) {
        out->kind = LL_KIND_FORMAT;
        ll_arithmetic_set_format(&out->rows, out->rows.format);
        ll_arithmetic_set_format(&out->term, out->term.format);
        ll_arithmetic_set_format(&out->total, out->total.format);
    }
    if (!(scorer->log_ulps >= 0 && scorer->log_ulps <= 1e6))
        return ll_fail(error, LL_DOMAIN, "the error of the logarithm, %g ulp, is not in 0 .. 1e6", scorer->log_ulps);
    out->log_ulps = scorer->log_ulps > 0 ? scorer->log_ulps : out->term.format.fraction_bits == 23 ? 4 : 2;
    return LL_OK;
}

/* ---- loss ---- */

static ll_kernel choose_kernel(const ll_loss *loss)
{
    const char *name = ll_loss_row(loss)->name;
    if (strcmp(name, "log-loss") == 0)
        return LL_KERNEL_LOG;
    if (strcmp(name, "squared") == 0)
        return LL_KERNEL_SQUARED;
    if (strcmp(name, "sigmoid-ce") == 0)
        return LL_KERNEL_SIGMOID;
    if (ll_loss_form(loss) == LL_FORM_SOFTMAX)
        return LL_KERNEL_SOFTMAX;
    return ll_loss_form(loss) == LL_FORM_MATCH && !ll_loss_is_sum(loss) ? LL_KERNEL_MATCH : LL_KERNEL_OTHER;
}

static ll_status resolve_loss(ll_resolved *out, const ll_scorer *scorer, ll_error *error)
{
    ll_status status = ll_loss_create(&out->loss, scorer->loss ? scorer->loss : "", error);
    if (status != LL_OK)
        return status;
    const char *name = ll_loss_row(out->loss)->name;
    out->kernel = choose_kernel(out->loss);
    if (scorer->classes < 0 || scorer->classes == 1 || scorer->classes > INT32_MAX)
        return ll_fail(error, LL_DOMAIN, "%ld classes: a scorer has 2 or more", scorer->classes);
    if (scorer->classes > 2 && ll_loss_form(out->loss) == LL_FORM_BINARY)
        return ll_fail(error, LL_DOMAIN, "loss %s is for two classes, not for %ld", name, scorer->classes);
    out->higher_is_better = (strcmp(name, "accuracy") == 0) != (scorer->transform == LL_NEGATE);
    return LL_OK;
}

/* ---- clip ---- */

static ll_status read_clip(ll_resolved *out, const ll_scorer *scorer, ll_error *error)
{
    if (scorer->clip && strcmp(scorer->clip, "auto") == 0 && scorer->clip_mode != LL_LOG_CLAMP) {
        long fraction = out->kind == LL_KIND_EXACT ? 52 : out->rows.format.fraction_bits;
        if (fraction > LL_EXACT_FIVES)
            return ll_fail(error, LL_DOMAIN, "clip auto, 2^-%ld, is too small to compute with", fraction);
        fmpz_one(out->low.mantissa);
        fmpz_set_si(out->low.two, -fraction);
        return LL_OK;
    }
    return read_positive(&out->low, "clip", scorer->clip, error);
}

static double round_to_rows(const ll_resolved *resolved, const ll_exact *x)
{
    return resolved->rows.format.fraction_bits == 23 ? (double)ll_exact_get_f(x) : ll_exact_get_d(x);
}

static ll_status resolve_bounds(ll_resolved *out, const ll_scorer *scorer, ll_error *error)
{
    static const ll_exact half = {{1}, {-1}, {0}}; /* small fmpz are their own values */
    if (!is_short(out->low.two) || !is_short(out->low.five) || fmpz_bits(out->low.mantissa) > LL_EXACT_FIVES)
        return ll_fail(error, LL_DOMAIN, "clip '%.60s' is too long to compute with", scorer->clip);
    if (scorer->clip_mode != LL_LOG_CLAMP) {
        if (ll_exact_cmp(&out->low, &half) >= 0)
            return ll_fail(error, LL_DOMAIN, "clip '%.60s' is not below 1/2", scorer->clip);
        set_complement(&out->high, &out->low);
    }
    if (out->kind != LL_KIND_NATIVE)
        return LL_OK;
    out->float_low = round_to_rows(out, &out->low);
    double high = 1.0 - out->float_low;
    out->float_high = out->rows.format.fraction_bits == 23 ? (double)(float)high : high;
    if (!(out->float_low > 0) || !isfinite(out->float_low))
        return ll_fail(error, LL_DOMAIN, "clip '%.60s' is %s in %s", scorer->clip,
                       out->float_low > 0 ? "infinite" : "0", scorer->arithmetic);
    return LL_OK;
}

static ll_status resolve_clip(ll_resolved *out, const ll_scorer *scorer, ll_error *error)
{
    if (scorer->clip_mode == LL_CLIP_NONE)
        return scorer->clip ? ll_fail(error, LL_DOMAIN, "clip '%.60s' without a clip mode", scorer->clip) : LL_OK;
    if (scorer->clip_mode != LL_CLIP && out->kernel != LL_KERNEL_LOG)
        return ll_fail(error, LL_DOMAIN, "only log-loss has this clip mode; %s can be clipped plainly",
                       ll_loss_row(out->loss)->name);
    if (ll_loss_input(out->loss) != LL_INPUT_PROBABILITY)
        return ll_fail(error, LL_DOMAIN, "loss %s takes no probabilities: there is nothing to clip",
                       ll_loss_row(out->loss)->name);
    ll_status status = read_clip(out, scorer, error);
    return status == LL_OK ? resolve_bounds(out, scorer, error) : status;
}

/* ---- release ---- */

/* At least 64 bits, and 64 more than the noise size needs. */
static ll_status choose_precision(ll_resolved *out, const ll_scorer *scorer, ll_error *error)
{
    const long most = 1L << 26;
    out->precision = scorer->precision;
    if (scorer->precision < 0 || scorer->precision > most)
        return ll_fail(error, LL_DOMAIN, "a precision of %ld bits is not in 0 .. %ld", scorer->precision, most);
    if (scorer->precision > 0)
        return LL_OK;
    out->precision = 64;
    if (scorer->noise == LL_NOISE_NONE)
        return LL_OK;
    arb_t size;
    arb_init(size);
    ll_exact_get_ball(size, &out->noise, 64);
    int fits = fmpz_cmp_si(ARF_EXPREF(arb_midref(size)), -most + 64) >= 0;
    if (fits && fmpz_sgn(ARF_EXPREF(arb_midref(size))) < 0)
        out->precision = 64 - fmpz_get_si(ARF_EXPREF(arb_midref(size)));
    arb_clear(size);
    return fits ? LL_OK : ll_fail(error, LL_DOMAIN, "noise '%.60s' is too small to compute with", scorer->noise_size);
}

static ll_status check_places(const ll_scorer *scorer, ll_error *error)
{
    int least = scorer->rounding == LL_ROUND_DIGITS;
    if (scorer->rounding != LL_ROUND_NONE && (scorer->places < least || scorer->places > 1000000))
        return ll_fail(error, LL_DOMAIN, "%d %s are not in %d .. 1000000", scorer->places,
                       least ? "significant digits" : "decimals", least);
    if (scorer->truncate && scorer->rounding == LL_ROUND_NONE)
        return ll_fail(error, LL_DOMAIN, "truncation needs a number of decimals or digits");
    return LL_OK;
}

static ll_status check_prior(const ll_scorer *scorer, ll_error *error)
{
    double sum = 0;
    if (!scorer->prior)
        return LL_OK;
    if (scorer->prior_count < 2 || (scorer->classes && scorer->prior_count != scorer->classes))
        return ll_fail(error, LL_DOMAIN, "the prior has %ld shares, not one a class", scorer->prior_count);
    for (long i = 0; i < scorer->prior_count; ++i) {
        if (!(scorer->prior[i] >= 0 && scorer->prior[i] <= 1))
            return ll_fail(error, LL_DOMAIN, "the prior's share %g of class %ld is outside [0,1]", scorer->prior[i], i);
        sum += scorer->prior[i];
    }
    if (!(fabs(sum - 1) <= 1e-6))
        return ll_fail(error, LL_DOMAIN, "the prior's shares sum to %.9g, not to 1", sum);
    return LL_OK;
}

static ll_status resolve_release(ll_resolved *out, const ll_scorer *scorer, ll_error *error)
{
    ll_status status = check_places(scorer, error);
    if (status == LL_OK && scorer->noise != LL_NOISE_NONE)
        status = read_positive(&out->noise, "noise", scorer->noise_size, error);
    if (status == LL_OK && scorer->ladder)
        status = read_positive(&out->ladder, "Ladder step", scorer->ladder, error);
    if (status == LL_OK && scorer->ladder && (!is_short(out->ladder.two) || !is_short(out->ladder.five)))
        status = ll_fail(error, LL_DOMAIN, "Ladder step '%.60s' is too long to compute with", scorer->ladder);
    if (status == LL_OK && scorer->ladder && (scorer->noise == LL_NOISE_GAUSSIAN || scorer->noise == LL_NOISE_LAPLACE))
        status = ll_fail(error, LL_DOMAIN, "a Ladder over unbounded noise: no interval can be given for its answers");
    if (status == LL_OK && (scorer->queries < 0 || scorer->rows < 0))
        status =
            ll_fail(error, LL_DOMAIN, "%ld %s: a count is 0 or more",
                    scorer->queries < 0 ? scorer->queries : scorer->rows, scorer->queries < 0 ? "queries" : "rows");
    if (status == LL_OK && scorer->rows > LL_SCORER_CELLS / (scorer->classes > 2 ? scorer->classes : 2))
        status = ll_fail(error, LL_DOMAIN, "%ld rows of %ld classes are more than 2^48 numbers", scorer->rows,
                         scorer->classes > 2 ? scorer->classes : 2);
    if (status == LL_OK)
        status = check_prior(scorer, error);
    return status == LL_OK ? choose_precision(out, scorer, error) : status;
}

/* ---- all of it ---- */

ll_status ll_resolved_init(ll_resolved *out, const ll_scorer *scorer, ll_error *error)
{
    memset(out, 0, sizeof *out);
    ll_exact_init(&out->low);
    ll_exact_init(&out->high);
    ll_exact_init(&out->noise);
    ll_exact_init(&out->ladder);
    ll_status status = resolve_arithmetic(out, scorer, error);
    if (status == LL_OK)
        status = resolve_loss(out, scorer, error);
    if (status == LL_OK)
        status = resolve_clip(out, scorer, error);
    if (status == LL_OK)
        status = resolve_release(out, scorer, error);
    if (status != LL_OK)
        ll_resolved_clear(out);
    return status;
}

void ll_resolved_clear(ll_resolved *resolved)
{
    ll_loss_destroy(resolved->loss);
    resolved->loss = NULL;
    ll_exact_clear(&resolved->low);
    ll_exact_clear(&resolved->high);
    ll_exact_clear(&resolved->noise);
    ll_exact_clear(&resolved->ladder);
}

ll_status ll_scorer_check(const ll_scorer *scorer, ll_error *warning, ll_error *error)
{
    ll_resolved resolved;
    ll_status status = ll_resolved_init(&resolved, scorer, error);
    if (status != LL_OK)
        return status;
    if (warning) {
        warning->status = LL_OK;
        warning->text[0] = '\0';
        if (ll_loss_is_convex(resolved.loss) == LL_UNKNOWN)
            (void)snprintf(warning->text, sizeof warning->text,
                           "%.300s: phi is neither proved nor refuted to be strictly convex on (0,1)", scorer->loss);
    }
    ll_resolved_clear(&resolved);
    return LL_OK;
}
