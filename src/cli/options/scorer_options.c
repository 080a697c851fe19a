/* Parsing only keeps what was typed; finishing applies the settings in the order of one table, the profile first,
 * so the order on the command line does not matter. A setting given twice counts as it was given last. */
#include "cli/options/scorer_options.h"

#include "cli/options/common_options.h"
#include "cli/options/option_value.h"
#include "report/scorer_names.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROFILE,
    LOSS,
    TRANSFORM,
    ROWS,
    CLASSES,
    CLIP,
    CLIP_MODE,
    ARITHMETIC,
    SUM,
    SUM_ARITHMETIC,
    LOSS_ARITHMETIC,
    PRECISION,
    DECIMALS,
    DIGITS,
    TRUNCATE,
    NOISE,
    RELEASE,
    QUERIES,
    PRIOR
};

_Static_assert(PRIOR + 1 == LL_SCORER_SETTINGS, "one place a setting");

enum { KEY_FIRST = 0x2000 };
#define KEY(setting) (KEY_FIRST + (setting))

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "The scorer (default: exact log-loss, nothing clipped, noised or rounded):", LL_GROUP_SCORER},
    {"scorer", 's', "PROFILE", 0,
     "Begin as a real scorer, sklearn-1.2/log_loss for one (`lossleak scorers' lists them); every option below "
     "overrides a part of it",
     0},
    {"loss", 'l', "NAME", 0,
     "log-loss, sigmoid-ce, softmax-ce, itakura-saito, squared, norm:ALPHA, bregman:EXPR (phi of x), accuracy, lp:P "
     "(`lossleak losses' lists them)",
     LL_GROUP_LOSS},
    {"transform", KEY(TRANSFORM), "NAME", 0, "identity, negate (neg_log_loss), root (RMSE, L_p) or percent", 0},
    {"rows", KEY(ROWS), "N", 0, "Rows (default: as many as there are labels)", 0},
    {"classes", KEY(CLASSES), "K", 0, "Classes (default: as many as the labels show, at least 2)", 0},

    {NULL, 0, NULL, 0, "How it computes:", LL_GROUP_COMPUTATION},
    {"clip", KEY(CLIP), "EPS", 0,
     "Clip probabilities at EPS (for log-clamp: the bound on -ln); auto is the epsilon of the arithmetic, none takes "
     "it away",
     0},
    {"clip-mode", KEY(CLIP_MODE), "MODE", 0,
     "clip (to [EPS, 1-EPS]), clip-renormalise (then divide by the row's sum), log-clamp (ln is at least -EPS: "
     "PyTorch), "
     "log-plus (EPS inside the logarithm too: Keras 2) or floor (max(p,EPS) and max(1-p,EPS) apart: XGBoost)",
     0},
    {"arithmetic", 'a', "NAME", 0,
     "exact, fp64, fp32, bf16, fp16, tf32, fp8-e4m3, fp8-e5m2, fpa:PHI or fpa:E,F (E exponent and F fraction bits; "
     "PHI bits are E = floor((PHI-1)/2), F = PHI-1-E)",
     0},
    {"sum", KEY(SUM), "ORDER", 0, "naive, pairwise (NumPy), cascade (PyTorch), compensated or exact", 0},
    {"sum-arithmetic", KEY(SUM_ARITHMETIC), "NAME", 0,
     "Arithmetic of logarithm and sum where it differs from --arithmetic (scikit-learn: fp64); same takes it away", 0},
    {"loss-arithmetic", KEY(LOSS_ARITHMETIC), "NAME", 0,
     "Arithmetic of the logarithm (the loss) where it differs from the sum's; rows: as the rows'; same takes it away",
     0},
    {"precision", KEY(PRECISION), "BITS", 0, "An exact score is right to 2^-BITS (default: chosen, at least 64)", 0},

    {NULL, 0, NULL, 0, "What is released:", LL_GROUP_RELEASE},
    {"decimals", 'd', "D", 0, "Score rounded to D decimals", 0},
    {"digits", KEY(DIGITS), "S", 0, "Score rounded to S significant digits", 0},
    {"truncate", KEY(TRUNCATE), NULL, 0, "Cut to those decimals or digits instead of rounding", 0},
    {"noise", KEY(NOISE), "KIND:SIZE", 0,
     "bounded:TAU[,uniform|plus|minus] (the suffix: how it is simulated, uniform or as bad as it can be), "
     "gaussian:SIGMA, laplace:B, or none",
     0},
    {"release", KEY(RELEASE), "HOW", 0, "ladder:STEP, the Ladder mechanism in place of plain scores; or plain", 0},
    {"queries", 'q', "Q", 0,
     "How many queries are answered (default: no limit). Tries x days x accounts is your arithmetic: 5 tries a day "
     "for 30 days with 2 accounts are --queries 300",
     0},
    {"prior", KEY(PRIOR), "P0,P1,...", 0, "Shares of the classes, where they are known", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    ll_scorer_options *options = state->input;
    static const struct {
        int letter, setting;
    } letters[] = {{'s', PROFILE}, {'l', LOSS}, {'a', ARITHMETIC}, {'d', DECIMALS}, {'q', QUERIES}};
    int setting = key - KEY_FIRST;
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (key == letters[i].letter)
            setting = letters[i].setting;
    if (setting < 0 || setting >= LL_SCORER_SETTINGS)
        return ARGP_ERR_UNKNOWN;
    options->given[setting] = value ? value : "";
    return 0;
}

const struct argp ll_cli_scorer_argp = {options_table, parse_option, NULL, NULL, NULL, NULL, NULL};

/* ------------------------------------------------------------------ one function a setting */

/* Place of value among names, or -1 and the refusal. */
static int choose(const char *option, ll_names names, const char *value, ll_error *error)
{
    char accepted[200];
    int place = ll_report_find_name(names, value, strlen(value));
    ll_report_list_names(accepted, sizeof accepted, names);
    if (place < 0)
        ll_cli_refuse(error, option, value, "no such name", accepted);
    return place;
}

/* The library's word on a loss or an arithmetic alone, so that its refusal can name the option. */
static ll_status check_alone(const ll_scorer *scorer, const char *option, const char *value, ll_error *error)
{
    ll_error why = {0};
    ll_status status = ll_scorer_check(scorer, NULL, &why);
    if (status != LL_OK)
        ll_fail(error, status, "--%s %.80s: %s", option, *value ? value : "''", why.text);
    return status;
}

static ll_status set_profile(ll_scorer_options *o, const char *value, ll_error *error)
{
    ll_error why = {0};
    ll_status status = ll_scorer_set_profile(&o->scorer, value, &why);
    if (status != LL_OK)
        ll_fail(error, status, "--scorer %.80s: %s", *value ? value : "''", why.text);
    return status;
}

static ll_status set_loss(ll_scorer_options *o, const char *value, ll_error *error)
{
    ll_scorer alone;
    ll_scorer_init(&alone);
    alone.loss = o->scorer.loss = value;
    return check_alone(&alone, "loss", value, error);
}

static ll_status set_transform(ll_scorer_options *o, const char *value, ll_error *error)
{
    int place = choose("transform", ll_report_transforms, value, error);
    if (place < 0)
        return LL_DOMAIN;
    o->scorer.transform = (ll_transform)place;
    return LL_OK;
}

static ll_status set_rows(ll_scorer_options *o, const char *value, ll_error *error)
{
    return ll_cli_read_count(&o->scorer.rows, "rows", value, 1, LONG_MAX, error);
}

static ll_status set_classes(ll_scorer_options *o, const char *value, ll_error *error)
{
    return ll_cli_read_count(&o->scorer.classes, "classes", value, 2, INT32_MAX, error);
}

/* A mode without an EPS of its own keeps the profile's; an EPS without a mode keeps the profile's mode. */
static ll_status set_clip(ll_scorer_options *o, const char *value, ll_error *error)
{
    if (strcmp(value, "none") == 0) {
        o->scorer.clip_mode = LL_CLIP_NONE;
        o->scorer.clip = NULL;
        return LL_OK;
    }
    if (o->scorer.clip_mode == LL_CLIP_NONE)
        o->scorer.clip_mode = LL_CLIP;
    o->scorer.clip = value;
    if (strcmp(value, "auto") == 0)
        return LL_OK;
    return ll_cli_check_positive("clip", value, "a number above 0 (1e-15, 0x1p-52), auto or none", error);
}

static ll_status set_clip_mode(ll_scorer_options *o, const char *value, ll_error *error)
{
    int place = choose("clip-mode", ll_report_clip_modes, value, error);
    if (place < 0)
        return LL_DOMAIN;
    if (place == LL_CLIP_NONE && o->given[CLIP] && o->scorer.clip)
        return ll_fail(error, LL_DOMAIN, "--clip-mode none: contradicts --clip %.80s", o->given[CLIP]);
    if (place == LL_CLIP_NONE)
        o->scorer.clip = NULL;
    else if (!o->scorer.clip)
        return ll_fail(error, LL_DOMAIN, "--clip-mode %s: needs --clip EPS, or a profile that clips", value);
    o->scorer.clip_mode = (ll_clip_mode)place;
    return LL_OK;
}

/* The profile's error of the logarithm belongs to the profile's arithmetic. */
static ll_status set_arithmetic(ll_scorer_options *o, const char *value, ll_error *error)
{
    ll_scorer alone;
    ll_scorer_init(&alone);
    alone.arithmetic = o->scorer.arithmetic = value;
    o->scorer.log_ulps = 0;
    return check_alone(&alone, "arithmetic", value, error);
}

static ll_status set_sum(ll_scorer_options *o, const char *value, ll_error *error)
{
    int place = choose("sum", ll_report_orders, value, error);
    if (place < 0)
        return LL_DOMAIN;
    o->scorer.order = (ll_order)place;
    return LL_OK;
}

/* The arithmetic of a later step: a name, or "same" for the step before. */
static ll_status set_later(const char **out, ll_scorer_options *o, const char *option, const char *value,
                           ll_error *error)
{
    ll_scorer alone;
    o->scorer.log_ulps = 0;
    *out = NULL;
    if (strcmp(value, "same") == 0)
        return LL_OK;
    ll_scorer_init(&alone);
    alone.arithmetic = *out = value;
    return check_alone(&alone, option, value, error);
}

static ll_status set_sum_arithmetic(ll_scorer_options *o, const char *value, ll_error *error)
{
    return set_later(&o->scorer.sum_arithmetic, o, "sum-arithmetic", value, error);
}

static ll_status set_loss_arithmetic(ll_scorer_options *o, const char *value, ll_error *error)
{
    o->scorer.loss_arithmetic = "rows";
    if (strcmp(value, "rows") == 0)
        return LL_OK;
    return set_later(&o->scorer.loss_arithmetic, o, "loss-arithmetic", value, error);
}

static ll_status set_precision(ll_scorer_options *o, const char *value, ll_error *error)
{
    return ll_cli_read_count(&o->scorer.precision, "precision", value, 1, LONG_MAX / 64, error);
}

static ll_status set_places(ll_scorer_options *o, ll_rounding rounding, const char *option, const char *value, long low,
                            ll_error *error)
{
    long places;
    ll_status status = ll_cli_read_count(&places, option, value, low, 1000000, error);
    if (status == LL_OK) {
        o->scorer.rounding = rounding;
        o->scorer.places = (int)places;
    }
    return status;
}

static ll_status set_decimals(ll_scorer_options *o, const char *value, ll_error *error)
{
    if (o->given[DIGITS])
        return ll_fail(error, LL_DOMAIN, "--decimals %.20s and --digits %.20s contradict each other: give one of them",
                       value, o->given[DIGITS]);
    return set_places(o, LL_ROUND_DECIMALS, "decimals", value, 0, error);
}

static ll_status set_digits(ll_scorer_options *o, const char *value, ll_error *error)
{
    return set_places(o, LL_ROUND_DIGITS, "digits", value, 1, error);
}

static ll_status set_truncate(ll_scorer_options *o, const char *value, ll_error *error)
{
    (void)value;
    if (o->scorer.rounding == LL_ROUND_NONE)
        return ll_fail(error, LL_DOMAIN, "--truncate: needs --decimals D or --digits S");
    o->scorer.truncate = 1;
    return LL_OK;
}

static const char noise_accepted[] = "bounded:TAU[,uniform|plus|minus], gaussian:SIGMA, laplace:B or none";

static ll_status set_noise_size(ll_scorer_options *o, const char *value, const char *size, ll_error *error)
{
    size_t length = strcspn(size, ",");
    const char *draw = size[length] ? size + length + 1 : "uniform";
    int place = ll_report_find_name(ll_report_draws, draw, strlen(draw));
    if (size[length] && (o->scorer.noise != LL_NOISE_BOUNDED || place < 0))
        return ll_cli_refuse(error, "noise", value, "bad suffix after the comma", noise_accepted);
    free(o->noise_size);
    o->noise_size = strndup(size, length);
    if (!o->noise_size)
        return ll_fail(error, LL_MEMORY, "no memory for the value of --noise");
    o->scorer.noise_size = o->noise_size;
    o->scorer.draw = (ll_draw)place;
    if (ll_cli_check_positive("noise", o->noise_size, "", NULL) != LL_OK)
        return ll_cli_refuse(error, "noise", value, "its size is not a number above 0", noise_accepted);
    return LL_OK;
}

static ll_status set_noise(ll_scorer_options *o, const char *value, ll_error *error)
{
    size_t length = strcspn(value, ":");
    int kind = ll_report_find_name(ll_report_noises, value, length);
    if (kind < 0)
        return ll_cli_refuse(error, "noise", value, "no such kind of noise", noise_accepted);
    if ((kind == LL_NOISE_NONE) == (value[length] == ':'))
        return ll_cli_refuse(error, "noise", value, kind ? "its size is missing" : "none has no size", noise_accepted);
    o->scorer.noise = (ll_noise)kind;
    return kind == LL_NOISE_NONE ? LL_OK : set_noise_size(o, value, value + length + 1, error);
}

static ll_status set_release(ll_scorer_options *o, const char *value, ll_error *error)
{
    static const char accepted[] = "ladder:STEP with a STEP above 0, or plain", ladder[] = "ladder:";
    if (strcmp(value, "plain") == 0) {
        o->scorer.ladder = NULL;
        return LL_OK;
    }
    if (strncmp(value, ladder, strlen(ladder)) != 0)
        return ll_cli_refuse(error, "release", value, "no such mechanism", accepted);
    o->scorer.ladder = value + strlen(ladder);
    if (ll_cli_check_positive("release", o->scorer.ladder, "", NULL) != LL_OK)
        return ll_cli_refuse(error, "release", value, "its step is not a number above 0", accepted);
    return LL_OK;
}

static ll_status set_queries(ll_scorer_options *o, const char *value, ll_error *error)
{
    return ll_cli_read_count(&o->scorer.queries, "queries", value, 1, LONG_MAX, error);
}

static ll_status set_prior(ll_scorer_options *o, const char *value, ll_error *error)
{
    ll_status status = ll_cli_read_shares(&o->prior, &o->scorer.prior_count, "prior", value, error);
    o->scorer.prior = o->prior;
    return status;
}

static ll_status (*const setters[LL_SCORER_SETTINGS])(ll_scorer_options *, const char *, ll_error *) = {
    [PROFILE] = set_profile,
    [LOSS] = set_loss,
    [TRANSFORM] = set_transform,
    [ROWS] = set_rows,
    [CLASSES] = set_classes,
    [CLIP] = set_clip,
    [CLIP_MODE] = set_clip_mode,
    [ARITHMETIC] = set_arithmetic,
    [SUM] = set_sum,
    [SUM_ARITHMETIC] = set_sum_arithmetic,
    [LOSS_ARITHMETIC] = set_loss_arithmetic,
    [PRECISION] = set_precision,
    [DECIMALS] = set_decimals,
    [DIGITS] = set_digits,
    [TRUNCATE] = set_truncate,
    [NOISE] = set_noise,
    [RELEASE] = set_release,
    [QUERIES] = set_queries,
    [PRIOR] = set_prior,
};

/* ------------------------------------------------------------------ the whole */

void ll_cli_scorer_init(ll_scorer_options *options)
{
    *options = (ll_scorer_options){0};
    ll_scorer_init(&options->scorer);
}

void ll_cli_scorer_clear(ll_scorer_options *options)
{
    free(options->noise_size);
    free(options->prior);
    *options = (ll_scorer_options){0};
}

/* A number of so many bits, and the dozens of them that a logarithm works with. */
static ll_status check_budget(const ll_scorer *scorer, size_t max_memory, ll_error *error)
{
    enum { BYTES_A_BIT = 8 };
    if ((size_t)scorer->precision <= max_memory / BYTES_A_BIT)
        return LL_OK;
    return ll_fail(error, LL_UNABLE, "--precision %ld: over budget, needs about %zu bytes, --max-memory allows %zu",
                   scorer->precision, (size_t)scorer->precision * BYTES_A_BIT, max_memory);
}

ll_status ll_cli_scorer_finish(ll_scorer_options *options, uint64_t seed, size_t max_memory, ll_error *error)
{
    ll_error warning = {0};
    options->scorer.seed = seed;
    for (int i = 0; i < LL_SCORER_SETTINGS; i++) {
        ll_status status = options->given[i] ? setters[i](options, options->given[i], error) : LL_OK;
        if (status != LL_OK)
            return status;
    }
    ll_status status = check_budget(&options->scorer, max_memory, error);
    if (status == LL_OK)
        status = ll_scorer_check(&options->scorer, &warning, error);
    memcpy(options->warning, warning.text, sizeof warning.text);
    return status;
}

int ll_cli_scorer_needs_exact(const ll_scorer *scorer)
{
    return strcmp(scorer->arithmetic, "fp64") != 0 && strcmp(scorer->arithmetic, "fp32") != 0;
}
