/* The one table of settings: names, values, defaults and meanings. The command line's options, its help and man pages,
 * the keys of JSON, and error texts are made from it. */
#include "number/text_number.h"
#include "scorer/scorer.h"

#include "metric/targets.h"
#include "number/refuse.h"
#include "number/whole.h"
#include "release/laws.h"
#include "scorer/groups.h"
#include "scorer/reading.h"
#include "scorer/several.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHO "The scorer (default: log-loss as scikit-learn computes it, nothing noised or rounded):"
#define HOW "How it computes:"
#define OUT "What is released:"

static const ll_setting_info table[LL_SETTINGS] = {
    [LL_SET_PROFILE] = {"scorer", "PROFILE", "", WHO, "sklearn-1.2/log_loss",
                        "Start from the profile of a real scorer, for example sklearn-1.2/log_loss (`lossleak "
                        "scorers' lists them); every option below overrides one of its settings"},
    [LL_SET_METRIC] = {"metric", "NAME", "log-loss", WHO, "squared",
                       "log-loss, sigmoid-ce, softmax-ce, itakura-saito, squared, norm:ALPHA, bregman:EXPR (phi of x), "
                       "accuracy, zero-one, lp:P, f1, mcc, kappa, auc, macro-auc, average-precision, of numeric "
                       "targets mse, rmse, mae "
                       "... (`lossleak metrics' lists them all), or another name of one (roc_auc_score)"},
    [LL_SET_TRANSFORM] =
        {"transform", "NAME", "identity", WHO, "root,percent",
         LL_TRANSFORM_FORMS
         "or identity; several, separated by commas, are applied from left to right: negate,offset:1 is 1 - accuracy"},
    [LL_SET_ROWS] = {"rows", "N", "", WHO, "2201", "Rows (default: as many as there are labels)"},
    [LL_SET_CLASSES] = {"classes", "K", "", WHO, "2", "Classes (default: as many as the labels show, at least 2)"},
    [LL_SET_TARGETS] =
        {"targets", "LO:HI:STEP", "", WHO, "0:9:1",
         "Labels are numbers, LO, LO+STEP, ..., HI (mse, rmse, mae, ...): label files then hold such "
         "numbers, and classes follows from them. STEP is the resolution that the targets really "
         "have: what is certain is so if every target is on this grid; of others the code shifts:each tells a "
         "number that is less than a STEP off"},
    [LL_SET_CLIP_TARGETS] = {"clip-targets", "", "no", HOW, "",
                             "Predictions are clipped to the range of the targets before they are scored"},
    [LL_SET_COLUMNS] = {"columns", "1|all|either", "either", WHO, "1",
                        "The columns that the scorer reads for two classes: 1, only the column of class 1 "
                        "(it computes 1-p itself); all, one per class; either, whichever the submission has"},
    [LL_SET_CLIP] = {"clip", "EPS", "none", HOW, "1e-15",
                     "Clip probabilities at EPS (for log-clamp: the bound on -ln); auto is the epsilon of the "
                     "arithmetic, none removes it (default: as scikit-learn's function of this metric does in fp64, "
                     "else none)"},
    [LL_SET_CLIP_MODE] =
        {"clip-mode", "MODE", "", HOW, "clip-renormalise",
         "clip (to [EPS, 1-EPS]), clip-renormalise (then divide by the row's sum), log-clamp (ln is at "
         "least -EPS: PyTorch), log-plus (EPS inside the logarithm too: Keras 2), floor (max(p,EPS) "
         "and max(1-p,EPS) apart: XGBoost) or log-shift (nothing is clipped: log(p + EPS))"},
    [LL_SET_ARITHMETIC] =
        {"arithmetic", "NAME", "fp64", HOW, "fp32",
         "exact, fp64, fp32, bf16, fp16, tf32, fp8-e4m3, fp8-e5m2, fpa:PHI or fpa:E,F (E exponent and "
         "F fraction bits; PHI bits are E = floor((PHI-1)/2), F = PHI-1-E)"},
    [LL_SET_SUM] = {"sum", "ORDER", "pairwise", HOW, "naive",
                    "naive, pairwise (NumPy), cascade (PyTorch), compensated or exact"},
    [LL_SET_SUM_ARITHMETIC] = {"sum-arithmetic", "NAME", "same", HOW, "fp64",
                               "Arithmetic of logarithm and sum where it differs from the rows' (scikit-learn: "
                               "fp64); same removes it"},
    [LL_SET_LOSS_ARITHMETIC] = {"loss-arithmetic", "NAME", "same", HOW, "rows",
                                "Arithmetic of the logarithm (the loss) where it differs from the sum's; rows: as the "
                                "rows'; same removes it"},
    [LL_SET_LOG_ULPS] = {"log-ulps", "ULPS", "", HOW, "2",
                         "Error of the scorer's logarithm in units of the last place (default: 2, in fp32 4)"},
    [LL_SET_PRECISION] = {"precision", "BITS", "", HOW, "200",
                          "An exact score is correct to within 2^-BITS (default: chosen, at least 64)"},
    [LL_SET_DECIMALS] = {"decimals", "D", "none", OUT, "5", "Score rounded to D decimals; none: all its digits"},
    [LL_SET_DIGITS] = {"digits", "S", "none", OUT, "10", "Score rounded to S significant digits"},
    [LL_SET_TRUNCATE] = {"truncate", "", "no", OUT, "", "Cut to those decimals or digits instead of rounding"},
    [LL_SET_NOISE] = {"noise", "KIND:SIZE", "none", OUT, "bounded:0.01",
                      "Noise on the score: " LL_LAW_FORMS "or none." LL_LAW_SENTENCES},
    [LL_SET_RELEASE] =
        {"release", "HOW", "plain", OUT, "ladder:0.01",
         "levels:BASE:BEST:COUNT, a new score is shown only if it beats the account's best, on COUNT levels between "
         "BASE and BEST; levels:G0,G1,..., the same on any list from the baseline to the best (on the command line "
         "also "
         "a file with one level per line); ladder:STEP, levels at the multiples of STEP; or plain"},
    [LL_SET_START] = {"start", "S|none", "", OUT, "0.69",
                      "The start of the levels of ladder:STEP; scores that are not better are not shown. Default: "
                      "the score of the best constant under the prior. none: the Ladder of 0.2, which always shows "
                      "the first score, and rounds"},
    [LL_SET_IMPROVEMENTS] = {"improvements", "B", "", OUT, "10",
                             "Most improvements that are shown per account, if the release is by levels"},
    [LL_SET_SCOPE] = {"scope", "account|leaderboard", "account", OUT, "leaderboard",
                      "The best score that must be beaten if the release is by levels: that of the account, or that "
                      "of all accounts together (only a new record is shown)"},
    [LL_SET_OWN_LEVELS] =
        {"own-levels", "COUNT", "", OUT, "3",
         "Beside the records of scope leaderboard: levels that each account is shown for its own best, "
         "evenly spaced between the baseline and the best of the release, neither of which is one of them"},
    [LL_SET_ACCOUNTS] = {"accounts", "A", "", OUT, "3",
                         "Accounts that may pool what they see, each with its own queries; scores of other accounts "
                         "on a public leaderboard count too (default: 1)"},
    [LL_SET_PER_DAY] = {"per-day", "D", "", OUT, "5",
                        "Submissions per day and account: with days, the same as queries"},
    [LL_SET_DAYS] = {"days", "N", "", OUT, "60", "Days that submissions are taken, beside per-day"},
    [LL_SET_TEAMS] = {"teams", "M", "", OUT, "100", "The same as accounts"},
    [LL_SET_HONEST] = {"honest", "LO:HI", "", OUT, "0.4:0.5",
                       "The expected range of scores of honest models: defend places levels there, and noise that "
                       "hides the whole range is not proposed"},
    [LL_SET_QUERIES] =
        {"queries", "Q", "", OUT, "150",
         "Number of queries that are answered per account (default: no limit): 5 tries per day for 30 days are 150. "
         "Multiply by the number of accounts if several pool what they see. Sizes may be written 20k or 1.5M"},
    [LL_SET_PRIOR] = {"prior", "P0,P1,...", "", OUT, "0.7,0.3", "The shares of the classes, if known"},
    [LL_SET_ZERO_DIVISION] = {"zero-division", "0|1|raise", "0", HOW, "1",
                              "The value of 0/0 in a metric of counts (precision without a positive prediction, for "
                              "example); raise: the program fails, as an unguarded division does"},
    [LL_SET_COUNTS] = {"counts", "N0,N1,...", "", OUT, "1490,711",
                       "The number of rows of every class, if known; their sum is the number of rows"},
    [LL_SET_PUBLIC] = {"public", "SHARE|COUNT|unknown", "", OUT, "0.3",
                       "The score is over a hidden public split: its share of the rows (0.3), its number of rows "
                       "(300), or unknown if its size is hidden too. Every row is then public with its label, or "
                       "absent"},
    [LL_SET_ALSO] =
        {"also", "NAME[:decimals=D,...]", "", OUT, "f1:decimals=3",
         "A further number of every answer: a metric or a profile, and its release if that differs from the first "
         "number (decimals, digits, truncate, transform, noise, zero-division ...); repeat the option, or separate "
         "by semicolons, for more. An answer then has all numbers in this order, separated by blanks"},
    [LL_SET_WEIGHTS] = {"weights", "W0,W1,...", "", HOW, "1,2,0.5",
                        "The weight of every row, one number of at least 0 per row (sample_weight): in the mean, sum "
                        "of w t / sum of w, or in the counts of F1 and others"},
    [LL_SET_CLASS_WEIGHTS] = {"class-weights", "balanced|W0,W1,...", "", HOW, "balanced",
                              "The weight of a row by its class; balanced is N / (K n_c), as in scikit-learn. The "
                              "divisor of the score then depends on the class counts, so attacks need counts"},
    [LL_SET_GROUPS] = {"groups", "NAME*COUNT,...", "", OUT, "north*300,south*200",
                       "Each answer has the score of all rows, then the score of every group of rows, in the order "
                       "in which the groups begin. The value names the group of every row, NAME*COUNT for COUNT "
                       "consecutive rows; on the command line also a file with one name per line, or FILE:COLUMN"},
    [LL_SET_UNDEFINED] =
        {"undefined", "NUMBER|fails", "", HOW, "fails",
         "The value of r2, explained-variance, pearson and spearman if all targets are the same (for correlations: "
         "or all predictions): a number, or fails if the program returns NaN or an error. Default: as in "
         "scikit-learn and SciPy: 0 for r2 and explained-variance (1 if predictions have no error), fails for "
         "correlations"},
    [LL_SET_THRESHOLD] =
        {"threshold", "open|[above:|from:]X|argmax", "open", HOW, "from:0.5",
         "How a further number that counts classes (accuracy, f1) turns probabilities or logits into a class: class "
         "1 if p > X (above:X), if p >= X (from:X), or X if it is not known which of the two; argmax: the first "
         "greatest column. open: 0.5 (for a logit 0) or the greatest column, and a tie may go either way. Ties that "
         "are not decided stay undecided in infer and in the interval of score"},
    [LL_SET_SEED] = {"seed", "S", "1", OUT, "2", "Of simulated noise, and of a simulated public part"},
    [LL_SET_FAILURES] = {"failures", "counted|free", "counted", OUT, "free",
                         "Does a submission that fails count against queries? If it does not, and labels decide "
                         "whether it fails, no limit holds"},
};

long ll_setting_count(void)
{
    return LL_SETTINGS;
}

const ll_setting_info *ll_setting_get_info(long index)
{
    return index >= 0 && index < LL_SETTINGS ? &table[index] : NULL;
}

const char *ll_setting_name(ll_setting setting)
{
    return table[setting].name;
}

int ll_setting_find(const char *name)
{
    for (int i = 0; i < LL_SETTINGS; i++)
        if (strcmp(table[i].name, name) == 0)
            return i;
    return strcmp(name, "loss") == 0 ? LL_SET_METRIC : -1; /* its older name */
}

/* ---- values ---- */

/* Words in the order of the enum they stand for. */
static const char *const clip_modes[] = {"none",     "clip",  "clip-renormalise", "log-clamp",
                                         "log-plus", "floor", "log-shift",        NULL};
static const char *const orders[] = {"naive", "pairwise", "cascade", "compensated", "exact", NULL};
static const char *const columns[] = {"either", "1", "all", NULL};
static const char *const divisions[] = {"0", "1", "raise", NULL};
static const char *const failures[] = {"counted", "free", NULL};
static const char *const scopes[] = {"account", "leaderboard", NULL};

_Static_assert(LL_ZERO_RAISE == 2 && LL_LOG_SHIFT == 6 && LL_SUM_EXACT == 4 && LL_COLUMNS_ALL == 2,
               "the words stand in the order of the enums");

static const char *const *words_of(ll_setting setting)
{
    return setting == LL_SET_CLIP_MODE       ? clip_modes
           : setting == LL_SET_SUM           ? orders
           : setting == LL_SET_COLUMNS       ? columns
           : setting == LL_SET_ZERO_DIVISION ? divisions
           : setting == LL_SET_FAILURES      ? failures
           : setting == LL_SET_SCOPE         ? scopes
                                             : NULL;
}

int ll_setting_find_word(ll_setting setting, const char *word)
{
    const char *const *words = words_of(setting);
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

/* Names with parameters (fpa:PHI) and compositions are not among them. */
const char *ll_setting_word(ll_setting setting, long index)
{
    const char *const *words = words_of(setting);
    if (setting == LL_SET_ARITHMETIC)
        return index == 0 ? "exact" : ll_format_name(index - 1);
    if (setting == LL_SET_TRANSFORM)
        return index == 0 ? "identity" : ll_release_step_name(index - 1);
    if (setting == LL_SET_NOISE)
        return ll_release_law_name(index);
    for (long i = 0; words != NULL && words[i]; i++)
        if (i == index)
            return words[i];
    return NULL;
}

static ll_status check_word(ll_setting setting, const char *text, ll_error *error)
{
    char all[200] = "";
    const char *const *words = words_of(setting);
    if (ll_setting_find_word(setting, text) >= 0)
        return LL_OK;
    for (int i = 0; words[i]; i++)
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? "|" : "", words[i]);
    return ll_refuse(error, table[setting].name, text, "no such name", all);
}

static ll_status check_count(ll_setting setting, const char *text, long low, long high, ll_error *error)
{
    char accepted[80];
    long count;
    ll_whole whole = ll_whole_read(&count, text);
    (void)snprintf(accepted, sizeof accepted, "a whole number from %ld to %ld", low, high);
    if (whole == LL_WHOLE && count >= low && count <= high)
        return LL_OK;
    return ll_refuse(error, table[setting].name, text, whole == LL_WHOLE_NOT ? "not a whole number" : "out of range",
                     accepted);
}

static ll_status check_seed(const char *text, ll_error *error)
{
    char *end;
    errno = 0;
    (void)strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno)
        return ll_refuse(error, "seed", text, "not a whole number of 64 bits", "a whole number from 0 to 2^64 - 1");
    return LL_OK;
}

static ll_status check_positive(ll_setting setting, const char *text, const char *takes, ll_error *error)
{
    ll_exact x;
    ll_exact_init(&x);
    int number = ll_exact_set_text(&x, text, strlen(text)) == LL_OK, above = number && ll_exact_sgn(&x) > 0;
    ll_exact_clear(&x);
    return above ? LL_OK : ll_refuse(error, table[setting].name, text, number ? "not above 0" : "not a number", takes);
}

static ll_status check_clip(const char *text, ll_error *error)
{
    if (strcmp(text, "none") == 0 || strcmp(text, "auto") == 0)
        return LL_OK;
    return check_positive(LL_SET_CLIP, text, "a number above 0 (1e-15, 0x1p-52), auto or none", error);
}

static ll_status check_undefined(const char *text, ll_error *error)
{
    static const char accepted[] = "a number from -1 to 1, or fails";
    ll_exact x;
    if (strcmp(text, "fails") == 0)
        return LL_OK;
    ll_exact_init(&x);
    int number = ll_exact_set_text(&x, text, strlen(text)) == LL_OK;
    int small = number && fabs(ll_exact_get_d(&x)) <= 1;
    ll_exact_clear(&x);
    return small ? LL_OK
                 : ll_refuse(error, table[LL_SET_UNDEFINED].name, text, number ? "out of range" : "not a number",
                             accepted);
}

static ll_status name_setting(ll_setting setting, const char *text, ll_status status, const ll_error *why,
                              ll_error *error)
{
    if (status != LL_OK)
        (void)ll_fail(error, status, "%s %.80s: %s", table[setting].name, *text ? text : "''", why->text);
    return status;
}

static ll_status check_metric(const char *text, ll_error *error)
{
    ll_metric *metric = NULL;
    ll_error why = {0};
    ll_status status = ll_metric_create(&metric, text, &why);
    ll_metric_destroy(metric);
    return name_setting(LL_SET_METRIC, text, status, &why, error);
}

static ll_status check_profile(const char *text, ll_error *error)
{
    ll_error why = {0};
    return name_setting(LL_SET_PROFILE, text, ll_profile_check(text, &why), &why, error);
}

static ll_status check_arithmetic(ll_setting setting, const char *text, ll_error *error)
{
    ll_arithmetic a;
    ll_error why = {0};
    int other = (setting != LL_SET_ARITHMETIC && strcmp(text, "same") == 0) ||
                (setting == LL_SET_LOSS_ARITHMETIC && strcmp(text, "rows") == 0);
    return other ? LL_OK : name_setting(setting, text, ll_arithmetic_parse(&a, text, &why), &why, error);
}

static ll_status check_release(ll_setting setting, const char *text, ll_error *error)
{
    ll_release r;
    if ((setting == LL_SET_DECIMALS || setting == LL_SET_DIGITS) && strcmp(text, "none") == 0)
        return LL_OK;
    ll_release_init(&r);
    ll_status status = setting == LL_SET_TRANSFORM  ? ll_release_set_transform(&r, text, error)
                       : setting == LL_SET_NOISE    ? ll_release_set_noise(&r, text, error)
                       : setting == LL_SET_RELEASE  ? ll_release_set_mechanism(&r, text, error)
                       : setting == LL_SET_DECIMALS ? ll_release_set_decimals(&r, text, error)
                                                    : ll_release_set_digits(&r, text, error);
    ll_release_clear(&r);
    return status;
}

static ll_status check_start(const char *text, ll_error *error)
{
    ll_exact x;
    ll_exact_init(&x);
    int good = strcmp(text, "none") == 0 ||
               (ll_exact_set_text(&x, text, strlen(text)) == LL_OK && fabs(ll_exact_get_d(&x)) < 1e15);
    ll_exact_clear(&x);
    return good ? LL_OK : ll_refuse(error, "start", text, "not a number", "a score (0.69), or none");
}

int ll_setting_range(double *low, double *high, const char *text)
{
    char *end;
    *low = ll_read_double(text, &end);
    int good = end != text && *end == ':' && isfinite(*low);
    const char *second = good ? end + 1 : text;
    *high = ll_read_double(second, &end);
    return good && end != second && *end == '\0' && isfinite(*high) && *low < *high;
}

static ll_status check_honest(const char *text, ll_error *error)
{
    double low, high;
    return ll_setting_range(&low, &high, text) ? LL_OK
                                               : ll_refuse(error, "honest", text, "not a range",
                                                           "LO:HI, two scores of which LO is the smaller (0.4:0.5)");
}

static ll_status check_flag(ll_setting setting, const char *text, ll_error *error)
{
    int good = strcmp(text, "yes") == 0 || strcmp(text, "no") == 0;
    return good ? LL_OK : ll_refuse(error, table[setting].name, text, "no such name", "yes|no");
}

static ll_status check_targets(const char *text, ll_error *error)
{
    ll_targets grid;
    ll_status status = ll_targets_init(&grid, text, error);
    if (status == LL_OK)
        ll_targets_clear(&grid);
    return status;
}

static ll_status check_counts(const char *text, ll_error *error)
{
    static const char accepted[] = "whole numbers, one a class, separated by commas";
    for (const char *at = text;; at++) {
        char *end;
        errno = 0;
        long count = strtol(at, &end, 10);
        if (*at < '0' || *at > '9' || errno || count > LL_SCORER_CELLS || (*end != ',' && *end != '\0'))
            return ll_refuse(error, "counts", text, "an entry is not a whole number", accepted);
        if (*(at = end) == '\0')
            break;
    }
    return strchr(text, ',') ? LL_OK : ll_refuse(error, "counts", text, "one class alone", accepted);
}

/* A whole number is a count, any other one a share. */
static ll_status check_public(const char *text, ll_error *error)
{
    static const char accepted[] = "a share above 0 and below 1 (0.3), a count of rows (300), or unknown";
    long count;
    ll_exact share, one;
    if (strcmp(text, "unknown") == 0)
        return LL_OK;
    ll_whole whole = ll_whole_read(&count, text);
    if (whole != LL_WHOLE_NOT)
        return whole == LL_WHOLE && count >= 1 ? LL_OK : ll_refuse(error, "public", text, "out of range", accepted);
    ll_exact_init(&share);
    ll_exact_init(&one);
    ll_exact_set_si(&one, 1);
    int number = ll_exact_set_text(&share, text, strlen(text)) == LL_OK && strlen(text) < 40;
    int good = number && ll_exact_sgn(&share) > 0 && ll_exact_cmp(&share, &one) < 0;
    ll_exact_clear(&share);
    ll_exact_clear(&one);
    return good ? LL_OK : ll_refuse(error, "public", text, number ? "no share" : "not a number", accepted);
}

static ll_status check_prior(const char *text, ll_error *error)
{
    static const char accepted[] = "shares from 0 to 1, one a class, separated by commas";
    double sum = 0;
    for (const char *at = text;; at++) {
        char *end;
        double share = ll_read_double(at, &end);
        if (end == at || !(share >= 0 && share <= 1) || (*end != ',' && *end != '\0'))
            return ll_refuse(error, "prior", text, "an entry is not a number from 0 to 1", accepted);
        sum += share;
        at = end;
        if (*at == '\0')
            break;
    }
    if (!(sum > 1 - 1e-6 && sum < 1 + 1e-6))
        return ll_refuse(error, "prior", text, "the shares do not add up to 1", accepted);
    return strchr(text, ',') ? LL_OK : ll_refuse(error, "prior", text, "one share alone", accepted);
}

const char *ll_setting_canonical(ll_setting setting, const char *text, char room[LL_SETTING_NUMBER])
{
    long whole;
    if (setting == LL_SET_PROFILE)
        return ll_profile_full_name(text);
    if (ll_whole_read(&whole, text) == LL_WHOLE && whole >= 0) {
        (void)snprintf(room, LL_SETTING_NUMBER, "%ld", whole);
        return room;
    }
    double number = setting == LL_SET_LOG_ULPS ? ll_read_double(text, NULL) : HUGE_VAL;
    if (!isfinite(number))
        return text;
    for (int digits = 15; digits <= 17; digits++) {
        (void)ll_print(room, LL_SETTING_NUMBER, "%.*g", digits, number);
        if (ll_read_double(room, NULL) == number)
            break;
    }
    return room;
}

ll_status ll_setting_check(ll_setting setting, const char *text, ll_error *error)
{
    switch (setting) {
    case LL_SET_PROFILE:
        return check_profile(text, error);
    case LL_SET_METRIC:
        return check_metric(text, error);
    case LL_SET_TRANSFORM:
    case LL_SET_DECIMALS:
    case LL_SET_DIGITS:
    case LL_SET_NOISE:
    case LL_SET_RELEASE:
        return check_release(setting, text, error);
    case LL_SET_ROWS:
        return check_count(setting, text, 1, LL_SCORER_CELLS / 2, error);
    case LL_SET_QUERIES:
    case LL_SET_IMPROVEMENTS:
    case LL_SET_OWN_LEVELS:
    case LL_SET_ACCOUNTS:
    case LL_SET_PER_DAY:
    case LL_SET_DAYS:
    case LL_SET_TEAMS:
        return check_count(setting, text, 1, LL_SCORER_CELLS, error);
    case LL_SET_CLASSES:
        return check_count(setting, text, 2, INT32_MAX, error);
    case LL_SET_PRECISION:
        return check_count(setting, text, 1, 1L << 26, error);
    case LL_SET_COLUMNS:
    case LL_SET_CLIP_MODE:
    case LL_SET_SUM:
    case LL_SET_ZERO_DIVISION:
    case LL_SET_FAILURES:
    case LL_SET_SCOPE:
        return check_word(setting, text, error);
    case LL_SET_CLIP:
        return check_clip(text, error);
    case LL_SET_START:
        return check_start(text, error);
    case LL_SET_HONEST:
        return check_honest(text, error);
    case LL_SET_UNDEFINED:
        return check_undefined(text, error);
    case LL_SET_THRESHOLD:
        return ll_threshold_check(text, error);
    case LL_SET_ARITHMETIC:
    case LL_SET_SUM_ARITHMETIC:
    case LL_SET_LOSS_ARITHMETIC:
        return check_arithmetic(setting, text, error);
    case LL_SET_LOG_ULPS:
        return check_positive(setting, text, "a number above 0", error);
    case LL_SET_TRUNCATE:
    case LL_SET_CLIP_TARGETS:
        return check_flag(setting, text, error);
    case LL_SET_TARGETS:
        return check_targets(text, error);
    case LL_SET_PRIOR:
        return check_prior(text, error);
    case LL_SET_SEED:
        return check_seed(text, error);
    case LL_SET_COUNTS:
        return check_counts(text, error);
    case LL_SET_PUBLIC:
        return check_public(text, error);
    case LL_SET_WEIGHTS:
    case LL_SET_CLASS_WEIGHTS:
        return ll_weights_check(table[setting].name, text, setting == LL_SET_CLASS_WEIGHTS, error);
    case LL_SET_ALSO:
        return ll_several_check(text, error);
    case LL_SET_GROUPS:
        return ll_row_groups_check(text, error);
    default:
        return ll_fail(error, LL_DOMAIN, "no such setting");
    }
}
