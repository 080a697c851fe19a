/* A scorer: settings by name, and what they mean together. */
#include "scorer/scorer.h"

#include "number/text_number.h"
#include "scorer/baseline.h"
#include "scorer/groups.h"
#include "scorer/sensitivity.h"
#include "scorer/several.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- handles ---- */

ll_status ll_scorer_create(ll_scorer **out, ll_error *error)
{
    ll_scorer *scorer = calloc(1, sizeof *scorer);
    if (scorer == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a scorer");
    ll_scorer_find_standard(scorer);
    *out = scorer;
    return LL_OK;
}

static void clear_meaning(ll_scorer *scorer)
{
    ll_several_clear(scorer);
    if (scorer->is_borrowed)
        scorer->computation = (ll_computation){0};
    else
        ll_computation_clear(&scorer->computation);
    scorer->is_borrowed = 0;
    ll_release_clear(&scorer->release);
    free(scorer->prior);
    scorer->prior = NULL;
    free(scorer->counts);
    scorer->counts = NULL;
    ll_row_groups_destroy(scorer->groups);
    scorer->groups = NULL;
}

void ll_scorer_destroy(ll_scorer *scorer)
{
    if (scorer == NULL)
        return;
    if (scorer->references != NULL && __atomic_sub_fetch(scorer->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (scorer->is_resolved)
        clear_meaning(scorer);
    for (int i = 0; i < LL_SETTINGS; i++)
        free(scorer->given[i]);
    ll_scorer_leave(scorer->lender);
    free(scorer->references);
    free(scorer);
}

const ll_scorer *ll_scorer_share(const ll_scorer *scorer)
{
    __atomic_add_fetch(scorer->references, 1, __ATOMIC_ACQ_REL);
    return scorer;
}

/* Whoever is the last to leave owns it. */
void ll_scorer_leave(const ll_scorer *scorer)
{
    ll_scorer_destroy((ll_scorer *)scorer);
}

void ll_scorer_borrow(ll_scorer *scorer, const ll_scorer *lender)
{
    ll_scorer_leave(scorer->lender);
    while (lender != NULL && lender->is_borrowed)
        lender = lender->lender;
    scorer->lender = lender != NULL ? ll_scorer_share(lender) : NULL;
}

ll_status ll_scorer_need(const ll_scorer *scorer, ll_error *error)
{
    if (scorer != NULL && scorer->is_resolved)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "the scorer is not resolved: call ll_scorer_resolve after its settings");
}

ll_status ll_scorer_need_whole(const ll_scorer *scorer, const char *who, ll_error *error)
{
    if (!scorer->is_part)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN,
                   "public %s: %s does not apply to a score over a hidden public split; attacks do. If the split is "
                   "known, describe it as a scorer of its rows",
                   ll_scorer_text(scorer, LL_SET_PUBLIC), who);
}

ll_status ll_scorer_need_plain(const ll_scorer *scorer, const char *who, ll_error *error)
{
    ll_status status = ll_scorer_need_whole(scorer, who, error);
    if (status != LL_OK || !scorer->computation.is_weighted)
        return status;
    return ll_fail(error, LL_DOMAIN,
                   "weights: %s is not known for weighted scores, which does not make them safe; score, attack, infer "
                   "and audit are",
                   who);
}

ll_status ll_scorer_need_list(const ll_scorer *scorer, const char *who, ll_error *error)
{
    if (scorer->classes <= LL_LISTED_CLASSES)
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "%s looks at every target of the grid, at most %d, and this one has %ld, which does not make it safe: "
        "score, attack and audit take it",
        who, LL_LISTED_CLASSES, scorer->classes);
}

/* ---- settings ---- */

static ll_status put(ll_scorer *scorer, ll_setting setting, const char *value, ll_error *error)
{
    char name[120]; /* a word that means no more than a metric becomes its name */
    if (setting == LL_SET_METRIC)
        value = ll_metric_spelling(name, sizeof name, value);
    /* How bounded noise is drawn is part of its canonical text. */
    const ll_law *law = setting == LL_SET_NOISE ? ll_law_find(value, strcspn(value, ":")) : NULL;
    int plain = law != NULL && !law->is_random && strchr(value, ',') == NULL;
    size_t size = strlen(value) + sizeof ",uniform";
    char *text = malloc(size);
    if (text == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a setting");
    (void)snprintf(text, size, "%s%s", value, plain ? ",uniform" : "");
    free(scorer->given[setting]);
    scorer->given[setting] = text;
    if (setting == LL_SET_METRIC || setting == LL_SET_ARITHMETIC)
        ll_scorer_find_standard(scorer);
    return LL_OK;
}

ll_status ll_scorer_set(ll_scorer *scorer, const char *name, const char *value, ll_error *error)
{
    int setting = ll_setting_find(name);
    if (setting < 0)
        return ll_fail(error, LL_DOMAIN, "no setting is called '%.60s'", name);
    if (scorer->is_resolved)
        return ll_fail(error, LL_DOMAIN, "%s: a resolved scorer does not change; set it in a copy", name);
    if (value == NULL) {
        free(scorer->given[setting]);
        scorer->given[setting] = NULL;
        ll_scorer_find_standard(scorer);
        return LL_OK;
    }
    char room[LL_SETTING_NUMBER];
    ll_status status = ll_setting_check((ll_setting)setting, value, error);
    if (status == LL_OK)
        status = put(scorer, (ll_setting)setting, ll_setting_canonical((ll_setting)setting, value, room), error);
    return status;
}

/* Digits that are asked for take the place of a profile's decimals, and the other way round. */
static int is_displaced(const ll_scorer *scorer, ll_setting setting)
{
    return (setting == LL_SET_DECIMALS && scorer->given[LL_SET_DIGITS] != NULL) ||
           (setting == LL_SET_DIGITS && scorer->given[LL_SET_DECIMALS] != NULL);
}

/* Without a clip there is no mode, and a clip without a mode is a plain one. */
static const char *mode_of(const ll_scorer *scorer)
{
    const char *clip = ll_scorer_text(scorer, LL_SET_CLIP);
    const char *own = ll_scorer_profile_text(scorer, LL_SET_CLIP_MODE);
    if (clip == NULL || strcmp(clip, "none") == 0)
        return "none";
    return own != NULL ? own : "clip";
}

const char *ll_scorer_text(const ll_scorer *scorer, ll_setting setting)
{
    const char *standard = ll_setting_get_info(setting)->standard;
    if (scorer->given[setting] != NULL)
        return scorer->given[setting];
    if (setting == LL_SET_CLIP_MODE)
        return mode_of(scorer);
    const char *text = !is_displaced(scorer, setting) ? ll_scorer_profile_text(scorer, setting) : NULL;
    return text != NULL ? text : *standard != '\0' ? standard : NULL;
}

const char *ll_scorer_get(const ll_scorer *scorer, const char *name)
{
    int setting = ll_setting_find(name);
    return setting >= 0 ? ll_scorer_text(scorer, (ll_setting)setting) : NULL;
}

long ll_scorer_get_count(const ll_scorer *scorer, const char *name)
{
    const char *text = ll_scorer_get(scorer, name);
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

ll_status ll_scorer_copy(ll_scorer **out, const ll_scorer *scorer, ll_error *error)
{
    ll_scorer *copy;
    ll_status status = ll_scorer_create(&copy, error);
    if (status != LL_OK)
        return status;
    for (int i = 0; i < LL_SETTINGS && status == LL_OK; i++)
        if (scorer->given[i] != NULL)
            status = put(copy, (ll_setting)i, scorer->given[i], error);
    if (scorer->is_resolved)
        ll_scorer_borrow(copy, scorer);
    if (status == LL_OK)
        *out = copy;
    else
        ll_scorer_destroy(copy);
    return status;
}

ll_status ll_scorer_vary(ll_scorer **out, const ll_scorer *scorer, ll_error *error, ...)
{
    va_list pairs;
    ll_scorer *varied = NULL;
    ll_status status = ll_scorer_copy(&varied, scorer, error);
    if (status != LL_OK)
        return status;
    va_start(pairs, error);
    for (const char *name; status == LL_OK && (name = va_arg(pairs, const char *)) != NULL;)
        status = ll_scorer_set(varied, name, va_arg(pairs, const char *), error);
    va_end(pairs);
    if (status == LL_OK)
        status = ll_scorer_resolve(varied, NULL, error);
    if (status == LL_OK)
        *out = varied;
    else
        ll_scorer_destroy(varied);
    return status;
}

/* ---- what they mean ---- */

static const char *unless(const char *text, const char *word)
{
    return text != NULL && strcmp(text, word) == 0 ? NULL : text;
}

static int is_yes(const ll_scorer *s, ll_setting setting)
{
    const char *text = ll_scorer_text(s, setting);
    return text != NULL && strcmp(text, "yes") == 0;
}

enum { TARGETS_TEXT = 40 };

/* `targets` holds a text that no setting has. */
static ll_computation_texts computation_of(const ll_scorer *s, char targets[TARGETS_TEXT])
{
    const char *ulps = ll_scorer_text(s, LL_SET_LOG_ULPS);
    ll_computation_texts texts = {
        .metric = ll_scorer_text(s, LL_SET_METRIC),
        .arithmetic = ll_scorer_text(s, LL_SET_ARITHMETIC),
        .sum_arithmetic = unless(ll_scorer_text(s, LL_SET_SUM_ARITHMETIC), "same"),
        .loss_arithmetic = unless(ll_scorer_text(s, LL_SET_LOSS_ARITHMETIC), "same"),
        .clip = unless(ll_scorer_text(s, LL_SET_CLIP), "none"),
        .clip_mode = (ll_clip_mode)ll_setting_find_word(LL_SET_CLIP_MODE, ll_scorer_text(s, LL_SET_CLIP_MODE)),
        .order = (ll_order)ll_setting_find_word(LL_SET_SUM, ll_scorer_text(s, LL_SET_SUM)),
        .columns = (ll_columns)ll_setting_find_word(LL_SET_COLUMNS, ll_scorer_text(s, LL_SET_COLUMNS)),
        .zero_division = ll_setting_find_word(LL_SET_ZERO_DIVISION, ll_scorer_text(s, LL_SET_ZERO_DIVISION)),
        .undefined = ll_scorer_text(s, LL_SET_UNDEFINED),
        .classes = s->classes,
        .targets = ll_scorer_targets_text(s, targets, TARGETS_TEXT),
        .clip_targets = is_yes(s, LL_SET_CLIP_TARGETS),
        .log_ulps = ulps != NULL ? ll_read_double(ulps, NULL) : 0,
    };
    if (texts.clip_mode == LL_CLIP_NONE && s->given[LL_SET_CLIP] == NULL)
        texts.clip = NULL; /* a mode of none takes the profile's clip away */
    return texts;
}

static int is_same(const char *one, const char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

/* But for the number of classes, which a computation is only checked against. */
static int is_same_computation(const ll_computation_texts *a, const ll_computation_texts *b)
{
    return is_same(a->metric, b->metric) && is_same(a->arithmetic, b->arithmetic) &&
           is_same(a->sum_arithmetic, b->sum_arithmetic) && is_same(a->loss_arithmetic, b->loss_arithmetic) &&
           is_same(a->clip, b->clip) && is_same(a->targets, b->targets) && is_same(a->undefined, b->undefined) &&
           a->clip_targets == b->clip_targets && a->clip_mode == b->clip_mode && a->order == b->order &&
           a->columns == b->columns && a->zero_division == b->zero_division && a->log_ulps == b->log_ulps;
}

/* Weights are resolved for the rows, classes and counts that there are. */
static int has_same_weights(const ll_scorer *s, const ll_scorer *other)
{
    const char *rows = ll_scorer_text(s, LL_SET_WEIGHTS), *classes = ll_scorer_text(s, LL_SET_CLASS_WEIGHTS);
    if (!is_same(rows, ll_scorer_text(other, LL_SET_WEIGHTS)) ||
        !is_same(classes, ll_scorer_text(other, LL_SET_CLASS_WEIGHTS)))
        return 0;
    return (rows == NULL && classes == NULL) ||
           (s->rows == other->rows && s->classes == other->classes &&
            is_same(ll_scorer_text(s, LL_SET_COUNTS), ll_scorer_text(other, LL_SET_COUNTS)));
}

/* The lender's computation, where it is the same one. */
static int borrow_computation(ll_scorer *s, const ll_computation_texts *texts)
{
    char targets[TARGETS_TEXT];
    if (s->lender == NULL || !has_same_weights(s, s->lender))
        return 0;
    const ll_computation_texts others = computation_of(s->lender, targets);
    if (!is_same_computation(texts, &others))
        return 0;
    s->computation = s->lender->computation;
    s->is_borrowed = 1;
    return 1;
}

static ll_status resolve_computation(ll_scorer *s, ll_error *error)
{
    char targets[TARGETS_TEXT];
    const ll_computation_texts texts = computation_of(s, targets);
    if (texts.clip_mode != LL_CLIP_NONE && texts.clip == NULL)
        return ll_fail(error, LL_DOMAIN, "clip-mode %s: needs a clip, or a profile that clips",
                       ll_scorer_text(s, LL_SET_CLIP_MODE));
    if (borrow_computation(s, &texts))
        return ll_computation_check_classes(&s->computation, texts.targets, texts.classes, error);
    const ll_weight_texts weights = {
        .weights = ll_scorer_text(s, LL_SET_WEIGHTS),
        .class_weights = ll_scorer_text(s, LL_SET_CLASS_WEIGHTS),
        .rows = s->rows,
        .classes = s->classes,
        .counts = s->counts,
    };
    ll_status status = ll_computation_init(&s->computation, &texts, error);
    return status == LL_OK ? ll_computation_set_weights(&s->computation, &weights, error) : status;
}

/* What the metric's name means beyond the metric, then what is asked for. */
static ll_status set_transform(ll_scorer *s, ll_error *error)
{
    const char *own = ll_metric_own_transform(ll_scorer_text(s, LL_SET_METRIC));
    const char *asked = ll_scorer_text(s, LL_SET_TRANSFORM);
    char text[400];
    if (own == NULL)
        return ll_release_set_transform(&s->release, asked, error);
    int is_more = strcmp(asked, "identity") != 0;
    (void)snprintf(text, sizeof text, "%s%s%s", own, is_more ? "," : "", is_more ? asked : "");
    return ll_release_set_transform(&s->release, text, error);
}

/* Counts are shown as they are, however shares beside them are rounded. */
static ll_status set_whole(ll_release *r, ll_error *error)
{
    r->truncate = 0;
    return ll_release_set_decimals(r, "0", error);
}

static ll_status set_release(ll_scorer *s, ll_error *error)
{
    ll_release *r = &s->release;
    const char *decimals = unless(ll_scorer_text(s, LL_SET_DECIMALS), "none");
    const char *digits = unless(ll_scorer_text(s, LL_SET_DIGITS), "none");
    if (decimals != NULL && digits != NULL)
        return ll_fail(error, LL_DOMAIN, "decimals %.20s and digits %.20s contradict each other: give one of them",
                       decimals, digits);
    ll_status status = set_transform(s, error);
    if (status == LL_OK)
        status = ll_release_set_noise(r, ll_scorer_text(s, LL_SET_NOISE), error);
    if (status == LL_OK)
        status = ll_release_set_mechanism(r, ll_scorer_text(s, LL_SET_RELEASE), error);
    if (status == LL_OK && decimals != NULL)
        status = ll_release_set_decimals(r, decimals, error);
    if (status == LL_OK && digits != NULL)
        status = ll_release_set_digits(r, digits, error);
    r->truncate = is_yes(s, LL_SET_TRUNCATE);
    if (status == LL_OK && ll_metric_is_whole(s->computation.metric) && ll_release_has_no_noise(r))
        status = set_whole(r, error);
    return status == LL_OK ? ll_release_check(r, error) : status;
}

/* What the computation hands over to the release, and the precision that the release asks of an exact one. */
static void join(ll_scorer *s)
{
    ll_computation *how = &s->computation;
    ll_release *r = &s->release;
    r->is_float = how->kind != LL_KIND_EXACT;
    r->is_native = how->kind == LL_KIND_NATIVE;
    r->is_gain = ll_metric_is_gain(how->metric);
    int is_gain = ll_metric_reads_order(how->metric); /* of two values, perhaps: as few as counts */
    double least = 0, most = 0;
    ll_metric_range(how->metric, &least, &most);
    /* -ln(1 + eps) is below 0, and so may be the rounded difference that a Bregman loss is */
    int is_difference = r->is_float && ll_metric_is_difference(how->metric);
    r->is_nonnegative = !how->adds_clip && !is_difference && least >= 0;
    if (r->is_float)
        r->format = how->total.format;
    if (how->is_weighted)
        r->value_bits = (double)INFINITY;
    else if (!ll_metric_has_terms(how->metric) || (ll_metric_counts(how->metric) != 0 && s->is_part))
        r->value_bits = 0; /* ratios of small counts, or of so few rows, perhaps, that every text is short */
    else if ((ll_metric_counts(how->metric) != 0 || is_gain) && s->rows > 0)
        r->value_bits = log2((double)s->rows + 1);
    how->precision = ll_scorer_count(s, LL_SET_PRECISION);
    if (how->precision == 0)
        how->precision = ll_release_choose_precision(r);
    r->precision = how->precision;
}

/* A number that may be below 0 has no root; what one label can move must be known for noise that follows it. */
static ll_status check_steps(const ll_scorer *s, ll_error *error)
{
    if (s->computation.is_weighted && (s->is_part || ll_scorer_text(s, LL_SET_ALSO) != NULL))
        return ll_fail(error, LL_DOMAIN, "weights: not known of a part of the rows, nor of several numbers at once");
    if (ll_release_follows_spread(&s->release)) {
        ll_status status = ll_scorer_check_spread(s, error);
        if (status != LL_OK)
            return status;
    }
    double least = 0, most = 0;
    const char *step = ll_release_needs_sign(&s->release);
    ll_metric_range(s->computation.metric, &least, &most);
    if (least >= 0 || step == NULL)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "transform %s: %s may be below 0", step,
                   ll_metric_row(s->computation.metric)->name);
}

/* Where a Ladder begins: as told, else at the best constant's score, where there is one and a list from there. */
static ll_status resolve_start(ll_scorer *s, ll_error *error)
{
    const char *text = ll_scorer_text(s, LL_SET_START);
    if (!ll_release_takes_start(&s->release))
        return text == NULL || ll_release_is_history(&s->release) == 0
                   ? LL_OK
                   : ll_fail(error, LL_DOMAIN, "start %s: a list of levels begins with its baseline", text);
    if (text != NULL && strcmp(text, "none") == 0)
        return LL_OK;
    double start = text != NULL ? ll_read_double(text, NULL) : ll_scorer_baseline(s);
    if (isnan(start))
        return LL_OK;
    ll_error why = {0};
    ll_status status = ll_release_set_start(&s->release, start, ll_scorer_best(s), &why);
    return status == LL_DOMAIN && text == NULL ? LL_OK
           : status == LL_OK                   ? status
                                               : ll_fail(error, status, "%s", why.text);
}

/* What a release by levels shows, and to whom. */
static ll_status resolve_levels(ll_scorer *s, ll_error *error)
{
    ll_status status = ll_release_check_levels(&s->release, error);
    s->release.improvements = ll_scorer_count(s, LL_SET_IMPROVEMENTS);
    if (status == LL_OK)
        status = resolve_start(s, error);
    if (status == LL_OK && s->own_levels > 0 && !(s->is_leaderboard && ll_release_has_levels(&s->release)))
        status = ll_fail(error, LL_DOMAIN,
                         "own-levels stand beside records: set scope to leaderboard, and release to levels");
    return status;
}

ll_status ll_scorer_resolve(ll_scorer *s, ll_error *warning, ll_error *error)
{
    if (warning != NULL)
        *warning = (ll_error){0};
    if (s->is_resolved)
        return LL_OK;
    ll_release_init(&s->release);
    ll_status status = ll_scorer_resolve_population(s, error);
    if (status == LL_OK)
        status = resolve_computation(s, error);
    if (status == LL_OK)
        status = set_release(s, error);
    if (status == LL_OK)
        status = check_steps(s, error);
    if (status == LL_OK) {
        join(s);
        status = ll_release_check_numbers(&s->release, error);
    }
    if (status == LL_OK)
        status = resolve_levels(s, error);
    if (status == LL_OK)
        status = ll_several_resolve(s, error);
    if (status == LL_OK && (s->references = malloc(sizeof *s->references)) == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for a scorer");
    if (status != LL_OK) {
        clear_meaning(s);
        return status;
    }
    *s->references = 1;
    s->is_resolved = 1;
    if (!s->is_borrowed)
        ll_scorer_borrow(s, NULL);
    if (warning != NULL && ll_metric_is_convex(s->computation.metric) == LL_UNKNOWN)
        (void)snprintf(warning->text, sizeof warning->text,
                       "%.300s: phi is neither proved nor refuted to be strictly convex on (0,1)",
                       ll_scorer_text(s, LL_SET_METRIC));
    return LL_OK;
}
