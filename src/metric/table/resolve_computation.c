/* What a computation's texts mean, and whether they fit together. */
#include "metric/metric_private.h"

#include <math.h>
#include <string.h>

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

static ll_status parse_arithmetics(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    if (!texts->arithmetic)
        return ll_fail(error, LL_DOMAIN, "the scorer has no arithmetic");
    ll_status status = ll_arithmetic_parse(&out->rows, texts->arithmetic, error);
    if (status != LL_OK)
        return status;
    out->total = out->term = out->rows;
    if (out->rows.ops == &ll_arithmetic_ball) /* exact rows are summed exactly, whatever the profile says */
        return LL_OK;
    if (texts->sum_arithmetic && (status = ll_arithmetic_parse(&out->total, texts->sum_arithmetic, error)) != LL_OK)
        return status;
    out->term = out->total;
    if (!texts->loss_arithmetic)
        return LL_OK;
    if (strcmp(texts->loss_arithmetic, "rows") == 0)
        out->term = out->rows;
    else
        status = ll_arithmetic_parse(&out->term, texts->loss_arithmetic, error);
    return status;
}

static int is_wider(const ll_format *a, const ll_format *b)
{
    return a->exponent_bits > b->exponent_bits || a->fraction_bits > b->fraction_bits;
}

/* Rows go into the loss and terms into the sum without rounding: each format holds the one before. */
static ll_status resolve_arithmetic(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    ll_status status = parse_arithmetics(out, texts, error);
    if (status != LL_OK)
        return status;
    out->kind = LL_KIND_EXACT;
    if (out->rows.ops == &ll_arithmetic_ball)
        return LL_OK;
    if (out->term.ops == &ll_arithmetic_ball || out->total.ops == &ll_arithmetic_ball)
        return ll_fail(error, LL_DOMAIN, "rows in %s cannot be summed exactly: only exact rows can", texts->arithmetic);
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
    if (!(texts->log_ulps >= 0 && texts->log_ulps <= 1e6))
        return ll_fail(error, LL_DOMAIN, "the error of the logarithm, %g ulp, is not in 0 .. 1e6", texts->log_ulps);
    out->log_ulps = texts->log_ulps > 0 ? texts->log_ulps : out->term.format.fraction_bits == 23 ? 4 : 2;
    return LL_OK;
}

/* ---- metric ---- */

static ll_status fail_more_classes(const char *name, long classes, ll_error *error)
{
    for (long i = 0; i < ll_metric_count(); i++) {
        const char *other = ll_metric_get_info(i)->name;
        if (strncmp(other, "macro-", 6) == 0 && strcmp(other + 6, name) == 0)
            return ll_fail(error, LL_DOMAIN, "%s is for two classes, not for %ld; the mean over more classes is %s",
                           name, classes, other);
    }
    return ll_fail(error, LL_DOMAIN, "%s is for two classes, not for %ld", name, classes);
}

static ll_status check_metric_classes(const ll_computation *how, long classes, ll_error *error)
{
    if (classes < 0 || classes == 1 || classes > INT32_MAX)
        return ll_fail(error, LL_DOMAIN, "%ld classes: a scorer has 2 or more", classes);
    if (!ll_metric_takes_classes(how->metric, classes))
        return fail_more_classes(ll_metric_row(how->metric)->name, classes, error);
    return classes > 0 ? ll_metric_check_classes(how->metric, classes, error) : LL_OK;
}

static ll_status check_target_classes(const ll_computation *how, const char *targets, long classes, ll_error *error)
{
    long count = ll_metric_target_count(how->metric);
    if (!ll_metric_takes_targets(how->metric) || classes <= 0 || classes == count)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "%ld classes, and targets %.80s are %ld numbers: leave classes out", classes,
                   targets, count);
}

static ll_status check_column_classes(const ll_computation *how, long classes, ll_error *error)
{
    if (how->columns == LL_COLUMNS_ONE && classes > 2 && ll_metric_has_rows(how->metric))
        return ll_fail(error, LL_DOMAIN, "columns 1: %ld classes need one column a class", classes);
    return LL_OK;
}

ll_status ll_computation_check_classes(const ll_computation *how, const char *targets, long classes, ll_error *error)
{
    ll_status status = check_metric_classes(how, classes, error);
    if (status == LL_OK)
        status = check_target_classes(how, targets, classes, error);
    return status == LL_OK ? check_column_classes(how, classes, error) : status;
}

static ll_status resolve_targets(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    const char *name = ll_metric_row(out->metric)->name;
    long fraction = out->kind == LL_KIND_NATIVE ? out->rows.format.fraction_bits : 0;
    if (!ll_metric_takes_targets(out->metric))
        return texts->targets || texts->clip_targets
                   ? ll_fail(error, LL_DOMAIN, "%s has classes, no numeric targets: leave targets out", name)
                   : LL_OK;
    if (!texts->targets)
        return ll_fail(error, LL_DOMAIN,
                       "%s needs numeric targets: give targets LO:HI:STEP, the numbers that labels can be", name);
    ll_status status = ll_metric_set_targets(out->metric, texts->targets, fraction, error);
    return status == LL_OK ? check_target_classes(out, texts->targets, texts->classes, error) : status;
}

static ll_status resolve_metric(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    ll_status status = ll_metric_create(&out->metric, texts->metric ? texts->metric : "", error);
    if (status == LL_OK)
        status = check_metric_classes(out, texts->classes, error);
    return status == LL_OK ? resolve_targets(out, texts, error) : status;
}

/* What there is where the metric has no value. */
static ll_status resolve_undefined(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    const char *own = ll_metric_undefined(out->metric), *text = texts->undefined ? texts->undefined : own;
    ll_exact number;
    if (own == NULL)
        return texts->undefined ? ll_fail(error, LL_DOMAIN, "undefined %.40s: %s takes no such setting",
                                          texts->undefined, ll_metric_row(out->metric)->name)
                                : LL_OK;
    ll_exact_init(&number);
    out->has_undefined = ll_exact_set_text(&number, text, strlen(text)) == LL_OK;
    out->undefined = out->has_undefined ? ll_exact_get_d(&number) : (double)NAN;
    ll_exact_clear(&number);
    return LL_OK;
}

/* ---- clip ---- */

static ll_status read_clip(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    if (texts->clip && strcmp(texts->clip, "auto") == 0 && texts->clip_mode != LL_LOG_CLAMP) {
        long fraction = out->kind == LL_KIND_EXACT ? 52 : out->rows.format.fraction_bits;
        if (fraction > LL_EXACT_FIVES)
            return ll_fail(error, LL_DOMAIN, "clip auto, 2^-%ld, is too small to compute with", fraction);
        fmpz_one(out->low.mantissa);
        fmpz_set_si(out->low.two, -fraction);
        return LL_OK;
    }
    return read_positive(&out->low, "clip", texts->clip, error);
}

static double round_to_rows(const ll_computation *resolved, const ll_exact *x)
{
    return resolved->rows.format.fraction_bits == 23 ? (double)ll_exact_get_f(x) : ll_exact_get_d(x);
}

static ll_status resolve_bounds(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    static const ll_exact half = {{1}, {-1}, {0}}; /* small fmpz are their own values */
    if (!is_short(out->low.two) || !is_short(out->low.five) || fmpz_bits(out->low.mantissa) > LL_EXACT_FIVES)
        return ll_fail(error, LL_DOMAIN, "clip '%.60s' is too long to compute with", texts->clip);
    if (texts->clip_mode != LL_LOG_CLAMP) {
        if (ll_exact_cmp(&out->low, &half) >= 0)
            return ll_fail(error, LL_DOMAIN, "clip '%.60s' is not below 1/2", texts->clip);
        set_complement(&out->high, &out->low);
    }
    if (out->kind != LL_KIND_NATIVE)
        return LL_OK;
    out->float_low = round_to_rows(out, &out->low);
    double high = 1.0 - out->float_low;
    out->float_high = out->rows.format.fraction_bits == 23 ? (double)(float)high : high;
    if (!(out->float_low > 0) || !isfinite(out->float_low))
        return ll_fail(error, LL_DOMAIN, "clip '%.60s' is %s in %s", texts->clip, out->float_low > 0 ? "infinite" : "0",
                       texts->arithmetic);
    return LL_OK;
}

/* Predictions are held to the range of the targets. */
static void clip_to_targets(ll_computation *out)
{
    out->clip_mode = LL_CLIP;
    ll_metric_get_target(out->metric, &out->low, 0);
    ll_metric_get_target(out->metric, &out->high, ll_metric_target_count(out->metric) - 1);
    out->float_low = round_to_rows(out, &out->low);
    out->float_high = round_to_rows(out, &out->high);
}

static ll_status resolve_clip(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    if (texts->clip_targets && texts->clip_mode == LL_CLIP_NONE) {
        clip_to_targets(out);
        return texts->clip ? ll_fail(error, LL_DOMAIN, "clip '%.60s' and clip-targets: give one of them", texts->clip)
                           : LL_OK;
    }
    if (texts->clip_mode == LL_CLIP_NONE)
        return texts->clip ? ll_fail(error, LL_DOMAIN, "clip '%.60s' without a clip mode", texts->clip) : LL_OK;
    if (texts->clip_mode != LL_CLIP && !ll_metric_is_log(out->metric))
        return ll_fail(error, LL_DOMAIN, "only log-loss has this clip mode; %s can be clipped plainly",
                       ll_metric_row(out->metric)->name);
    if (!ll_metric_reads_probabilities(out->metric))
        return ll_fail(error, LL_DOMAIN, "loss %s takes no probabilities: there is nothing to clip",
                       ll_metric_row(out->metric)->name);
    ll_status status = read_clip(out, texts, error);
    return status == LL_OK ? resolve_bounds(out, texts, error) : status;
}

/* ---- columns ---- */

static ll_status resolve_columns(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    out->columns = texts->columns;
    if (out->columns == LL_COLUMNS_ALL && !ll_metric_has_rows(out->metric))
        return ll_fail(error, LL_DOMAIN, "columns all: %s reads one column", ll_metric_row(out->metric)->name);
    return check_column_classes(out, texts->classes, error);
}

/* ---- all of it ---- */

ll_status ll_computation_init(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    memset(out, 0, sizeof *out);
    ll_exact_init(&out->low);
    ll_exact_init(&out->high);
    arb_init(out->weight_total);
    out->arithmetic = texts->arithmetic;
    out->sum_arithmetic = texts->sum_arithmetic ? texts->sum_arithmetic : texts->arithmetic;
    out->order = texts->order;
    out->clip_mode = texts->clip_mode;
    out->adds_clip = texts->clip_mode == LL_LOG_PLUS || texts->clip_mode == LL_LOG_SHIFT;
    out->zero_division = texts->zero_division;
    ll_status status = resolve_arithmetic(out, texts, error);
    if (status == LL_OK)
        status = resolve_metric(out, texts, error);
    if (status == LL_OK && out->metric->row->family->resolve != NULL)
        status = out->metric->row->family->resolve(out, error);
    if (status == LL_OK)
        status = resolve_undefined(out, texts, error);
    if (status == LL_OK)
        status = resolve_clip(out, texts, error);
    if (status == LL_OK)
        status = resolve_columns(out, texts, error);
    if (status != LL_OK)
        ll_computation_clear(out);
    return status;
}
