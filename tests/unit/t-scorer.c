/* Settings, profiles and resolved scorers: what is accepted, what is refused, and with which words. */
#include "curator_tools.h"
#include "scorer/reading.h"
#include "scorer/several.h"
#include "scorer_tools.h"

static ll_error error;

static ll_scorer *fresh(void)
{
    ll_scorer *scorer = NULL;
    assert_int_equal(ll_scorer_create(&scorer, &error), LL_OK);
    return scorer;
}

static void expect_word(const char *word)
{
    if (!strstr(error.text, word))
        fail_msg("'%s' does not say '%s'", error.text, word);
}

/* ---- the table of settings ---- */

/* Values that a setting takes, and that it does not, each list ended by NULL. */
static const struct {
    const char *name;
    const char *good[8], *bad[13];
} values[] = {
    {"scorer", {"kaggle/log_loss", "torch/bce"}, {"", "kaggle", "sklearn-1.2/loglos"}},
    {"metric", {"squared", "norm:2.5", "lp:3", "bregman:x^4", "auc", "f1"}, {"", "logless", "norm:1", "bregman:x^"}},
    {"transform",
     {"identity", "root", "root,percent", "negate,percent,negate", "negate,offset:1", "scale:0.5,offset:0"},
     {"", "log", "root,", "root percent", "percent,percent,percent,percent,percent", "offset", "offset:", "offset:x",
      "scale:0", "scale:1e13", "percent:2", "offset:1e-13"}},
    {"rows", {"1", "2201"}, {"", "0", "-1", "1.5", "99999999999999999999", " 5", "5 "}},
    {"classes", {"2", "10"}, {"", "1", "0", "-2", "4294967296", "+2", "\t2"}},
    {"targets", {"0:9:1", "-1:1:0.25", "0:1e3:1e1", "0:1e9:1"}, {"", "9", "0:9", "0:9:0", "0:9:-1", "9:0:1", "0:9:2"}},
    {"columns", {"1", "all", "either"}, {"", "2", "both"}},
    {"clip", {"1e-15", "0x1p-52", "auto", "none"}, {"", "0", "-1", "nan", "1e"}},
    {"clip-mode",
     {"none", "clip", "clip-renormalise", "log-clamp", "log-plus", "floor", "log-shift"},
     {"", "clip-normalise", "Clip"}},
    {"clip-targets", {"yes", "no"}, {"", "1"}},
    {"arithmetic", {"exact", "fp64", "fpa:5,6", "fpa:20"}, {"", "fp65", "fpa:", "fpa:5,0", "same"}},
    {"sum", {"naive", "pairwise", "cascade", "compensated", "exact"}, {"", "sideways"}},
    {"sum-arithmetic", {"same", "fp64"}, {"", "rows", "fp65"}},
    {"loss-arithmetic", {"same", "rows", "fp32"}, {"", "fp65"}},
    {"log-ulps", {"2", "0.5"}, {"", "0", "-1", "nan", "two"}},
    {"precision", {"1", "1000"}, {"", "0", "-5", "67108865"}},
    {"decimals", {"0", "5", "none"}, {"", "-1", "1.5", "1000001", "+5", "\v5"}},
    {"digits", {"1", "10", "none"}, {"", "0", "-1", "1000001"}},
    {"truncate", {"yes", "no"}, {"", "1", "true", "maybe"}},
    {"noise",
     {"none", "bounded:0.01,uniform", "bounded:1e-400,plus", "bounded:1,minus", "gaussian:0.1", "laplace:2"},
     {"", "bounded", "bounded:0", "bounded:-1", "bounded:1,both", "gaussian:1,plus", "none:1"}},
    {"release",
     {"plain", "ladder:0.01", "levels:0.7:0:7", "levels:0.5,0.6,0.75"},
     {"", "ladder:0", "slide:1", "levels:0.5", "levels:1:1:3", "levels:0,1,0.5"}},
    {"queries", {"1", "150"}, {"", "0", "-1", "k", "1.5", "1.2345k"}},
    {"prior", {"0.7,0.3", "0.2,0.3,0.5"}, {"", "1", "0.5,0.6", "0.5;0.5", "-1,2", "0.5,0.5,"}},
    {"seed", {"0", "18446744073709551615"}, {"", "-1", "18446744073709551616", "x"}},
    {"zero-division", {"0", "1", "raise"}, {"", "2", "-1", "warn"}},
    {"counts", {"3,4", "1,0,2"}, {"", "3", "3,", "-1,4", "3,x", "1.5,2"}},
    {"failures", {"counted", "free"}, {"", "no", "1"}},
    {"public",
     {"0.3", "300", "unknown", "1", "1e-3", "0x1p-2"},
     {"", "0", "-1", "1.0", "1.5", "0.0", "some", "99999999999999999999"}},
    {"also",
     {"f1", "f1:decimals=3", "fbeta:2:decimals=3,zero-division=1;sklearn/accuracy", "confusion-matrix",
      "log-loss:noise=bounded:0.1,uniform,digits=4"},
     {"", "f1;", "q9", "f1:decimal=3", "f1:decimals=x", "fbeta:decimals=3", "f1:rows=3", "f1:also=mcc"}},
    {"weights", {"1,2,0.5", "0,1", "3"}, {"", "balanced", "1,-2", "1,x", "0,0", "nan", "1,,2"}},
    {"class-weights", {"balanced", "1,2", "0,3.5"}, {"", "Balanced", "1,-2", "0,0", "1,inf"}},
    {"groups",
     {"a", "a,b,a", "north*300,south*200", "a*1,b"},
     {"", "a,", "a,,b", "*3", "a*", "a*0", "a*2x", "a*1099511627776,b"}},
    {"undefined", {"0", "0.5", "-1", "fails"}, {"", "nan", "2", "raise", "1e"}},
    {"threshold",
     {"open", "0.5", "above:0.5", "from:-1e-3", "argmax"},
     {"", "half", "above:", "below:0.5", "from:x", ">0.5"}},
    {"start", {"none", "0.69", "-1"}, {"", "x", "nan"}},
    {"improvements", {"1", "10"}, {"", "0", "-1"}},
    {"scope", {"account", "leaderboard"}, {"", "team"}},
    {"own-levels", {"1", "10"}, {"", "0", "-1"}},
    {"accounts", {"1", "100"}, {"", "0", "-1"}},
    {"per-day", {"5"}, {"", "0"}},
    {"days", {"60"}, {"", "0"}},
    {"teams", {"100"}, {"", "0"}},
    {"honest", {"0.4:0.5", "-1:1"}, {"", "0.5", "0.5:0.4", "0.4:0.4", "a:b"}},
};

enum { VALUES = sizeof values / sizeof *values };

/* Every row of the table is tried here. */
static void test_table(void **state)
{
    (void)state;
    assert_int_equal(ll_setting_count(), VALUES);
    for (long i = 0; i < ll_setting_count(); i++) {
        const ll_setting_info *info = ll_setting_get_info(i);
        assert_string_equal(info->name, values[i].name);
        assert_true(*info->group && *info->meaning);
        assert_true(*info->example || !*info->values);
    }
    assert_null(ll_setting_get_info(-1));
    assert_null(ll_setting_get_info(ll_setting_count()));
}

/* What is set is read back; NULL takes it back. */
static void test_set_and_get(void **state)
{
    (void)state;
    for (int i = 0; i < VALUES; i++) {
        const ll_setting_info *info = ll_setting_get_info(i);
        ll_scorer *scorer = fresh(), *never = fresh();
        for (int k = 0; values[i].good[k]; k++) {
            if (ll_scorer_set(scorer, info->name, values[i].good[k], &error) != LL_OK)
                fail_msg("%s", error.text);
            assert_string_equal(ll_scorer_get(scorer, info->name), values[i].good[k]);
        }
        if (*info->example)
            assert_int_equal(ll_scorer_set(scorer, info->name, info->example, &error), LL_OK);
        assert_int_equal(ll_scorer_set(scorer, info->name, NULL, &error), LL_OK);
        const char *back = ll_scorer_get(scorer, info->name);
        if (*info->standard && strcmp(info->name, "clip") != 0) /* the clip is that of the metric */
            assert_string_equal(back, info->standard);
        if (ll_scorer_get(never, info->name) != NULL)
            assert_string_equal(back, ll_scorer_get(never, info->name));
        else
            assert_null(back);
        ll_scorer_destroy(scorer);
        ll_scorer_destroy(never);
    }
}

/* A refusal names the setting, and what was there before stays. */
static void test_bad_values(void **state)
{
    (void)state;
    for (int i = 0; i < VALUES; i++) {
        ll_scorer *scorer = fresh();
        assert_int_equal(ll_scorer_set(scorer, values[i].name, values[i].good[0], &error), LL_OK);
        for (int k = 0; values[i].bad[k]; k++) {
            error.text[0] = '\0';
            if (ll_scorer_set(scorer, values[i].name, values[i].bad[k], &error) != LL_DOMAIN)
                fail_msg("%s takes '%s'", values[i].name, values[i].bad[k]);
            expect_word(strcmp(values[i].name, "metric") == 0 ? "" : values[i].name);
            assert_true(strlen(error.text) > 10);
            assert_string_equal(ll_scorer_get(scorer, values[i].name), values[i].good[0]);
        }
        ll_scorer_destroy(scorer);
    }
}

static void test_names(void **state)
{
    (void)state;
    ll_scorer *scorer = fresh();
    assert_int_equal(ll_scorer_set(scorer, "decimal", "5", &error), LL_DOMAIN);
    expect_word("'decimal'");
    assert_null(ll_scorer_get(scorer, "decimal"));
    assert_int_equal(ll_scorer_set(scorer, "loss", "squared", &error), LL_OK); /* the older name */
    assert_string_equal(ll_scorer_get(scorer, "metric"), "squared");
    assert_int_equal(ll_scorer_set(scorer, "noise", "bounded:0.01", &error), LL_OK);
    assert_string_equal(ll_scorer_get(scorer, "noise"), "bounded:0.01,uniform");
    ll_scorer_destroy(scorer);
    ll_scorer_destroy(NULL);
}

/* ---- profiles ---- */

/* Every profile fits together, as it is and with every arithmetic that is sensible for it. */
static void test_profiles(void **state)
{
    (void)state;
    static const char *const names[] = {"fp64", "exact", "fp32", "bf16"};
    assert_true(ll_profile_count() >= 13);
    for (long i = 0; i < ll_profile_count(); ++i) {
        const char *name = ll_profile_get_info(i)->name;
        ll_scorer *scorer = scorer_of_text("scorer=%s; classes=%ld", name, profile_classes(name));
        const ll_metric *metric = scorer->computation.metric; /* others are in fp64, or exact */
        for (int a = 0; a < (ll_metric_has_terms(metric) ? 4 : ll_metric_is_fit(metric) ? 2 : 3); ++a)
            ll_scorer_destroy(vary_scorer(scorer, "arithmetic=%s", names[a]));
        ll_scorer_destroy(scorer);
    }
    assert_null(ll_profile_get_info(-1));
    assert_null(ll_profile_get_info(ll_profile_count()));
}

/* A profile counts as if it came first; digits take the place of its decimals; a part taken back is the profile's. */
static void test_precedence(void **state)
{
    (void)state;
    ll_scorer *scorer = fresh();
    assert_int_equal(set_scorer_text(scorer, "metric=squared; scorer=kaggle/log_loss", &error), LL_OK);
    assert_string_equal(ll_scorer_get(scorer, "metric"), "squared");
    assert_string_equal(ll_scorer_get(scorer, "decimals"), "5");
    assert_string_equal(ll_scorer_get(scorer, "clip-mode"), "clip-renormalise");
    assert_int_equal(ll_scorer_set(scorer, "digits", "3", &error), LL_OK);
    assert_string_equal(ll_scorer_get(scorer, "decimals"), "none");
    assert_int_equal(ll_scorer_set(scorer, "clip", "none", &error), LL_OK);
    assert_string_equal(ll_scorer_get(scorer, "clip-mode"), "none");
    assert_int_equal(ll_scorer_set(scorer, "metric", NULL, &error), LL_OK);
    assert_string_equal(ll_scorer_get(scorer, "metric"), "log-loss");
    assert_int_equal(ll_scorer_resolve(scorer, NULL, &error), LL_OK);
    assert_true(scorer->release.rounding == LL_ROUND_DIGITS && scorer->release.places == 3);
    assert_int_equal(scorer->computation.clip_mode, LL_CLIP_NONE);
    ll_scorer_destroy(scorer);
    scorer = scorer_of_text("scorer=kaggle/log_loss; decimals=none");
    assert_int_equal(scorer->release.rounding, LL_ROUND_NONE);
    ll_scorer_destroy(scorer);
    scorer = scorer_of_text("scorer=kaggle/log_loss; clip-mode=none");
    assert_int_equal(scorer->computation.clip_mode, LL_CLIP_NONE);
    ll_scorer_destroy(scorer);
    scorer = scorer_of_text("clip=1e-3"); /* a clip without a mode is a plain one */
    assert_int_equal(scorer->computation.clip_mode, LL_CLIP);
    ll_scorer_destroy(scorer);
}

static void test_unknown_profile(void **state)
{
    (void)state;
    char longer[200];
    ll_scorer *scorer = fresh();
    assert_int_equal(ll_scorer_set(scorer, "scorer", "sklearn-1.2/loglos", &error), LL_DOMAIN);
    expect_word("sklearn-1.2/log_loss");
    memset(longer, 'x', sizeof longer);
    longer[199] = '\0';
    assert_int_equal(ll_scorer_set(scorer, "scorer", longer, &error), LL_DOMAIN);
    assert_null(ll_scorer_get(scorer, "scorer"));
    ll_scorer_destroy(scorer);
}

/* A name without a version is the newest that was verified, by its full name; a part of a name is none. */
static void test_version(void **state)
{
    (void)state;
    ll_scorer *scorer = fresh();
    assert_int_equal(ll_scorer_set(scorer, "scorer", "sklearn/log_loss", &error), LL_OK);
    assert_string_equal(ll_scorer_get(scorer, "scorer"), "sklearn-1.9/log_loss");
    const char *none[] = {"sklearn",         "sklearn/",           "/log_loss",     "skl/log_loss",
                          "sklearn/log_los", "sklearn-1/log_loss", "-1.9/log_loss", ""};
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i)
        assert_int_equal(ll_scorer_set(scorer, "scorer", none[i], &error), LL_DOMAIN);
    assert_string_equal(ll_scorer_get(scorer, "scorer"), "sklearn-1.9/log_loss");
    ll_scorer_destroy(scorer);
}

/* Which columns real programs read. */
static void test_columns(void **state)
{
    (void)state;
    static const char *const one[] = {"keras2/bce", "keras3/bce", "xgboost/logloss", "torch/bce",
                                      "lightgbm/binary_logloss"};
    double x[4] = {0.5, 0.5, 0.5, 0.5};
    const int32_t labels[] = {0, 1};
    for (int i = 0; i < 5; i++) {
        ll_scorer *scorer = scorer_of_text("scorer=%s", one[i]);
        ll_score score;
        ll_score_init(&score);
        assert_int_equal(ll_computation_columns(&scorer->computation, 2), 1);
        assert_int_equal(score_doubles(&score, scorer, labels, x, 2, 2, &error), LL_DOMAIN);
        expect_word("two columns");
        assert_int_equal(score_doubles(&score, scorer, labels, x, 2, 1, &error), LL_OK);
        ll_score_clear(&score);
        ll_scorer_destroy(scorer);
    }
}

/* ---- what they mean ---- */

/* "auto" follows the dtype; eps and 1-eps are those of the real programs. */
static void test_clip(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("scorer=sklearn-1.2/log_loss");
    const ll_computation *c = &s->computation;
    assert_true(c->float_low == 0x1p-52 && c->float_high == 1 - 0x1p-52 && c->log_ulps == 2);
    ll_scorer_destroy(s);
    s = scorer_of_text("scorer=sklearn-1.2/log_loss; arithmetic=fp32");
    c = &s->computation;
    assert_true(c->float_low == 0x1p-23 && c->float_high == 1 - 0x1p-23);
    assert_int_equal(c->term.format.fraction_bits, 52); /* integer labels promote */
    ll_scorer_destroy(s);
    s = scorer_of_text("scorer=xgboost/logloss");
    c = &s->computation;
    assert_true(c->float_low == (double)1e-16f && c->log_ulps == 4);
    assert_int_equal(c->term.format.fraction_bits, 23);
    assert_int_equal(c->total.format.fraction_bits, 52);
    ll_scorer_destroy(s);
    s = scorer_of_text("scorer=lightgbm/binary_logloss");
    assert_true(s->computation.float_low == (double)-logf(1e-15f)); /* its logarithm is that of a float */
    ll_scorer_destroy(s);
}

/* 1 - eps is exact, also for decimals. */
static void test_complement(void **state)
{
    (void)state;
    static const struct {
        const char *eps, *high;
    } cases[] = {{"1e-15", "0.999999999999999"},
                 {"0x1p-52", "0x1.ffffffffffffep-1"},
                 {"0.25", "0.75"},
                 {"0.3125", "0.6875"},
                 {"16e-2", "0.84"}};
    ll_exact want;
    ll_exact_init(&want);
    for (int i = 0; i < 5; ++i) {
        ll_scorer *s = scorer_of_text("clip=%s", cases[i].eps);
        assert_int_equal(ll_exact_set_text(&want, cases[i].high, strlen(cases[i].high)), LL_OK);
        assert_int_equal(ll_exact_cmp(&want, &s->computation.high), 0);
        ll_scorer_destroy(s);
    }
    ll_exact_clear(&want);
}

static const struct {
    const char *text, *word;
} contradictions[] = {
    {"arithmetic=fp64; sum-arithmetic=exact", "summed exactly"},
    {"arithmetic=fp64; sum-arithmetic=fp32", "must hold"},
    {"arithmetic=exact; clip-mode=clip", "clip-mode"},
    {"clip=1e-15; clip-mode=none", "clip"},
    {"clip=auto; clip-mode=log-clamp", "above 0"},
    {"clip=0.5", "1/2"},
    {"clip=1e-60; arithmetic=fp32", "is 0"},
    {"clip=1e-99999999999999999999", "too long"},
    {"metric=squared; clip-mode=floor; clip=1e-3", "only log-loss"},
    {"metric=softmax-ce; clip=1e-3", "nothing to clip"},
    {"metric=itakura-saito; classes=3", "two classes"},
    {"columns=1; classes=3", "columns 1"},
    {"metric=accuracy; columns=all", "columns all"},
    {"arithmetic=fp64; log-ulps=1e7", "logarithm"},
    {"release=ladder:0.1; noise=laplace:1", "Ladder"},
    {"decimals=2; digits=3", "decimals 2 and digits 3"},
    {"truncate=yes", "truncate"},
    {"prior=0.5,0.5; classes=3", "one a class"},
    {"rows=140737488355328; classes=3", "2^48"},
    {"noise=bounded:1e-99999999", "noise"},
};

/* What contradicts itself is refused at the end, and may then be changed. */
static void test_contradictions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof contradictions / sizeof *contradictions; i++) {
        ll_scorer *scorer = fresh();
        assert_int_equal(set_scorer_text(scorer, contradictions[i].text, &error), LL_OK);
        if (ll_scorer_resolve(scorer, NULL, &error) != LL_DOMAIN)
            fail_msg("'%s' is taken", contradictions[i].text);
        expect_word(contradictions[i].word);
        assert_int_equal(ll_scorer_need(scorer, &error), LL_DOMAIN);
        for (long k = 0; k < ll_setting_count(); k++)
            assert_int_equal(ll_scorer_set(scorer, ll_setting_get_info(k)->name, NULL, &error), LL_OK);
        assert_int_equal(ll_scorer_resolve(scorer, NULL, &error), LL_OK);
        ll_scorer_destroy(scorer);
    }
}

static void test_default(void **state)
{
    (void)state;
    ll_error warning;
    ll_scorer *scorer = fresh();
    assert_int_equal(ll_scorer_resolve(scorer, &warning, &error), LL_OK);
    assert_string_equal(warning.text, "");
    assert_string_equal(ll_scorer_get(scorer, "arithmetic"), "fp64");
    assert_string_equal(ll_scorer_get(scorer, "sum"), "pairwise");
    assert_string_equal(ll_scorer_get(scorer, "metric"), "log-loss");
    assert_int_equal(ll_scorer_resolve(scorer, &warning, &error), LL_OK); /* once more is nothing */
    ll_scorer_destroy(scorer);
    scorer = fresh(); /* strictly convex, but phi''(1/3) is 0 */
    assert_int_equal(ll_scorer_set(scorer, "metric", "bregman:(x-1/3)^4", &error), LL_OK);
    assert_int_equal(ll_scorer_resolve(scorer, &warning, &error), LL_OK);
    assert_non_null(strstr(warning.text, "strictly convex"));
    ll_scorer_destroy(scorer);
}

static int is_usual(const ll_scorer *scorer, const char *name)
{
    int usual = 0;
    assert_int_equal(ll_scorer_is_usual(scorer, &usual, name), LL_OK);
    return usual;
}

/* A metric's name means scikit-learn's function; exact arithmetic, other formats and "none" are the metric itself. */
static void test_standard(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *clip, *mode, *columns, *sum;
    } rows[] = {
        {"metric=log-loss", "auto", "clip", "either", "pairwise"},
        {"metric=neg_log_loss; arithmetic=fp64", "auto", "clip", "either", "pairwise"},
        {"metric=squared; arithmetic=fp32", "none", "none", "either", "pairwise"},
        {"metric=log-loss; clip=none", "none", "none", "either", "pairwise"},
        {"metric=log-loss; clip=0.01", "0.01", "clip", "either", "pairwise"},
        {"metric=log-loss; arithmetic=exact", "none", "none", "either", "pairwise"},
        {"metric=log-loss; arithmetic=fpa:16", "none", "none", "either", "pairwise"},
        {"metric=squared", "none", "none", "1", "pairwise"},
        {"metric=squared; classes=3", "none", "none", "either", "pairwise"},
        {"metric=top-k:3; classes=4", "none", "none", "all", "pairwise"},
        {"metric=pearson; targets=0:9:1", "none", "none", "either", "naive"},
        {"scorer=kaggle/log_loss", "1e-15", "clip-renormalise", "either", "naive"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ll_scorer *scorer = scorer_of_text(rows[i].settings);
        assert_string_equal(ll_scorer_get(scorer, "clip"), rows[i].clip);
        assert_string_equal(ll_scorer_get(scorer, "clip-mode"), rows[i].mode);
        assert_string_equal(ll_scorer_get(scorer, "columns"), rows[i].columns);
        assert_string_equal(ll_scorer_get(scorer, "sum"), rows[i].sum);
        int is_said = strstr(rows[i].settings, "clip=") != NULL;
        assert_int_equal(is_usual(scorer, "clip"), !is_said);
        assert_true(is_usual(scorer, "columns") && is_usual(scorer, "prior"));
        ll_scorer_destroy(scorer);
    }
}

/* A resolved scorer does not change, its copy does, and whoever shares it keeps it. */
static void test_resolved(void **state)
{
    (void)state;
    ll_scorer *scorer = scorer_of_text("scorer=kaggle/log_loss; rows=2; seed=7"), *copy = NULL;
    const int32_t labels[] = {0, 1};
    const double x[] = {0.25, 0.75};
    ll_curator *curator;
    ll_score score;
    table t;
    assert_int_equal(ll_scorer_set(scorer, "rows", "3", &error), LL_DOMAIN);
    expect_word("rows");
    assert_int_equal(ll_scorer_set(scorer, "seed", NULL, &error), LL_DOMAIN);
    assert_string_equal(ll_scorer_get(scorer, "rows"), "2");
    assert_int_equal(ll_scorer_copy(&copy, scorer, &error), LL_OK);
    assert_int_equal(ll_curator_create(&curator, copy, labels, 2, &error), LL_DOMAIN);
    expect_word("not resolved");
    assert_int_equal(ll_scorer_set(copy, "decimals", "1", &error), LL_OK);
    assert_int_equal(ll_scorer_resolve(copy, NULL, &error), LL_OK);
    assert_string_equal(ll_scorer_get(copy, "seed"), "7");
    assert_string_equal(ll_scorer_get(copy, "scorer"), "kaggle/log_loss");
    assert_int_equal(scorer->release.places, 5);
    assert_int_equal(ll_curator_create(&curator, copy, labels, 2, &error), LL_OK);
    ll_scorer_destroy(copy);
    ll_scorer_destroy(scorer);
    ll_score_init(&score);
    table_set(&t, x, 2, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_curator_score(curator, &score, &t.source, &error), LL_OK);
    assert_string_equal(score.text, "0.3");
    ll_score_clear(&score);
    ll_curator_destroy(curator);
}

static void test_precision(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("noise=bounded:0x1p-1000");
    assert_true(s->release.precision >= 1063 && s->release.precision <= 1065);
    assert_int_equal(s->computation.precision, s->release.precision);
    ll_scorer_destroy(s);
    s = scorer_of_text("noise=bounded:0x1p-1000; precision=80");
    assert_int_equal(s->release.precision, 80);
    ll_scorer_destroy(s);
}

static void test_direction(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        ll_scorer *s = scorer_of_text("metric=%s; transform=%s", i & 1 ? "accuracy" : "log-loss",
                                      i & 2 ? "negate,percent" : "percent");
        assert_int_equal(ll_release_is_better_high(&s->release), i == 1 || i == 2);
        ll_scorer_destroy(s);
    }
}

/* What is never below 0: not a difference that was rounded, nor a logarithm of more than 1. */
static void test_sign(void **state)
{
    static const struct {
        const char *text;
        int is_nonnegative;
    } cases[] = {{"metric=log-loss; arithmetic=fp64", 1},
                 {"metric=squared; arithmetic=fp32", 1},
                 {"metric=bregman:exp(x); arithmetic=exact", 1},
                 {"metric=bregman:exp(x); arithmetic=fp64", 0},
                 {"metric=itakura-saito; arithmetic=fpa:8,20", 0},
                 {"metric=log-loss; clip=1e-7; clip-mode=log-plus; arithmetic=fp32", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_scorer *s = scorer_of_text("%s", cases[i].text);
        assert_int_equal(s->release.is_nonnegative, cases[i].is_nonnegative);
        ll_scorer_destroy(s);
    }
}

/* ---- thresholds ---- */

/* The class of a row, once more: the first of the greatest columns or the last, or the last column against a number. */
static long own_class(const double *x, long columns, const char *text, long way)
{
    const char *number = strchr(text, ':') != NULL ? strchr(text, ':') + 1 : text;
    int is_word = strcmp(text, "argmax") == 0 || strcmp(text, "open") == 0;
    int ties = strncmp(text, "from:", 5) == 0 || (number == text && way % 2 == 1);
    long best = 0;
    for (long c = 1; c < columns; c++)
        best = x[c] > x[best] || (ties && x[c] == x[best]) ? c : best;
    double at = is_word ? 0.5 : strtod(number, NULL), last = x[columns - 1];
    return is_word && columns > 1 && way < 2 ? best : last > at || (ties && last == at);
}

/* open: both rules, each with ties on either side; argmax, and a number with its side: one way. */
static long own_ways(const char *text, long classes)
{
    if (strcmp(text, "open") == 0)
        return classes == 2 ? 4 : 2;
    return strcmp(text, "argmax") == 0 || strchr(text, ':') != NULL ? 1 : 2;
}

static void check_threshold(const char *text, const char *arithmetic, long classes, long columns)
{
    static const double grid[] = {0, 0.1, 0.25, 0.5, 0.7, 0.75, 1};
    double x[3 * 60];
    ll_block block;
    table t;
    ll_scorer *s = scorer_of_text("metric=squared; also=accuracy; arithmetic=%s; rows=60; classes=%ld; threshold=%s",
                                  arithmetic, classes, text);
    const ll_scorer *number = ll_scorer_get_number(s, 1);
    for (long i = 0; i < 60 * columns; i++)
        x[i] = grid[below(7)];
    assert_int_equal(ll_reading_ways(number), own_ways(text, classes));
    ll_block_init(&block);
    for (long way = 0; way < own_ways(text, classes); way++) {
        ll_reading_view view;
        ll_predictions read;
        table_set(&t, x, 60, columns, LL_ENTRIES_DOUBLE);
        ll_reading_view_init(&view, &read, number, &t.source, way);
        assert_int_equal(read.get(read.self, &block, 0, 60, &error), LL_OK);
        for (long i = 0; i < 60; i++)
            if ((long)block.doubles[i] != own_class(x + i * columns, columns, text, way))
                fail_msg("threshold %s, %s, way %ld: row %ld is taken for class %g", text, arithmetic, way, i,
                         block.doubles[i]);
        ll_reading_view_clear(&view);
    }
    ll_block_clear(&block);
    ll_scorer_destroy(s);
}

static void test_thresholds(void **state)
{
    (void)state;
    static const char *const texts[] = {"open", "argmax", "0.5", "above:0.7", "from:0.7", "from:0.25"};
    static const char *const arithmetics[] = {"fp64", "fp32", "exact"};
    for (int i = 0; i < 6; i++)
        for (int a = 0; a < 2; a++) {
            check_threshold(texts[i], arithmetics[a], 2, 1);
            check_threshold(texts[i], arithmetics[a], 2, 2);
            if (i < 2)
                check_threshold(texts[i], arithmetics[a], 3, 3);
        }
    check_threshold("0.5", arithmetics[2], 2, 2);
}

/* ---- further numbers ---- */

/* An option of its own counts, whatever the first number has; one that has none has the first one's, but for a
 * transform, a part of what is released of one number. */
static void test_items(void **state)
{
    (void)state;
    static const char *const options[][3] = {{"decimals", "2", "5"},         {"digits", "3", "6"},
                                             {"truncate", "yes", "no"},      {"noise", "gaussian:0.5", "laplace:2"},
                                             {"clip", "0.01", "0.001"},      {"clip-mode", "floor", "clip"},
                                             {"arithmetic", "fp32", "fp64"}, {"sum", "naive", "pairwise"},
                                             {"zero-division", "1", "0"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *name = options[i][0], *own = options[i][1], *first = options[i][2];
        char item[100];
        ll_scorer *s = fresh();
        assert_int_equal(
            set_scorer_text(s, "metric=log-loss; clip=0.1; clip-mode=clip; arithmetic=fp64; rows=6", &error), LL_OK);
        if (strcmp(name, "digits") != 0)
            assert_int_equal(ll_scorer_set(s, "decimals", "4", &error), LL_OK);
        (void)snprintf(item, sizeof item, "log-loss:%s=%s;log-loss", name, own);
        if (ll_scorer_set(s, name, first, &error) != LL_OK || ll_scorer_set(s, "also", item, &error) != LL_OK)
            fail_msg("%s: %s", item, error.text);
        if (ll_scorer_resolve(s, NULL, &error) != LL_OK)
            fail_msg("%s: %s", item, error.text);
        const char *const expected[] = {first, own, first};
        for (long n = 0; n < 3; n++)
            assert_string_equal(ll_scorer_get(ll_scorer_get_number(s, n), name), expected[n]);
        ll_scorer_destroy(s);
    }
}

/* A name means the same in every place of an answer: what a number computes beside another one is what it computes alone. */
static void test_places(void **state)
{
    (void)state;
    static const char *const settings[] = {"arithmetic",    "clip",           "clip-mode",       "clip-targets",
                                           "sum",           "sum-arithmetic", "loss-arithmetic", "log-ulps",
                                           "zero-division", "undefined",      "precision"};
    long pairs = 0;
    for (long i = 0; i < ll_metric_count(); i++)
        for (long k = 0; k < ll_metric_count(); k++) {
            const char *first = ll_metric_get_info(i)->name, *second = ll_metric_get_info(k)->name;
            ll_scorer *both = fresh();
            int is_pair = strchr(first, ':') == NULL && strchr(second, ':') == NULL &&
                          ll_scorer_set(both, "metric", first, &error) == LL_OK &&
                          ll_scorer_set(both, "also", second, &error) == LL_OK &&
                          ll_scorer_resolve(both, NULL, &error) == LL_OK && ll_scorer_count_numbers(both) == 2;
            ll_scorer *alone = is_pair ? scorer_of_text("metric=%s", second) : NULL;
            for (size_t n = 0; is_pair && n < sizeof settings / sizeof settings[0]; n++) {
                const char *beside = ll_scorer_get(ll_scorer_get_number(both, 1), settings[n]);
                const char *own = ll_scorer_get(alone, settings[n]);
                if ((beside == NULL) != (own == NULL) || (own != NULL && strcmp(beside, own) != 0))
                    fail_msg("%s beside %s: %s is %s, alone %s", second, first, settings[n], beside, own);
            }
            pairs += is_pair;
            ll_scorer_destroy(alone);
            ll_scorer_destroy(both);
        }
    assert_true(pairs > 100);
}

/* Digits of its own take the place of the first number's decimals, and the other way round. */
static void test_item_digits(void **state)
{
    (void)state;
    static const char *const settings[][3] = {{"decimals", "squared:digits=3", "digits"},
                                              {"digits", "squared:decimals=3", "decimals"}};
    for (int i = 0; i < 2; i++) {
        ll_scorer *s =
            scorer_of_text("metric=squared; arithmetic=fp64; rows=6; %s=4; also=%s", settings[i][0], settings[i][1]);
        const ll_scorer *number = ll_scorer_get_number(s, 1);
        const char *other = ll_scorer_get(number, settings[i][0]);
        assert_string_equal(ll_scorer_get(number, settings[i][2]), "3");
        assert_true(other == NULL || strcmp(other, "none") == 0);
        ll_scorer_destroy(s);
    }
}

/* An answer has as many numbers as the scorer releases, no fewer and no more. */
static void test_answers(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "0.5", "0.5 0.25", " 0.5\t0.25  1 ", "0.5 0.25 1 0.125"};
    ll_scorer *s = scorer_of_text("metric=accuracy; groups=a*3,b*3; arithmetic=fp64");
    for (long words = 0; words < 5; words++) {
        ll_answer answer;
        ll_status status = ll_answer_split(&answer, s, texts[words], &error);
        assert_int_equal(status, words == 3 ? LL_OK : LL_DOMAIN);
        if (status == LL_OK) {
            assert_string_equal(answer.texts[0], "0.5");
            assert_string_equal(answer.texts[1], "0.25");
            assert_string_equal(answer.texts[2], "1");
            ll_answer_clear(&answer);
        }
    }
    ll_scorer_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),       cmocka_unit_test(test_set_and_get),
        cmocka_unit_test(test_bad_values),  cmocka_unit_test(test_names),
        cmocka_unit_test(test_profiles),    cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_columns),     cmocka_unit_test(test_unknown_profile),
        cmocka_unit_test(test_version),     cmocka_unit_test(test_clip),
        cmocka_unit_test(test_complement),  cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_default),     cmocka_unit_test(test_standard),
        cmocka_unit_test(test_resolved),    cmocka_unit_test(test_precision),
        cmocka_unit_test(test_direction),   cmocka_unit_test(test_sign),
        cmocka_unit_test(test_thresholds),  cmocka_unit_test(test_items),
        cmocka_unit_test(test_answers),     cmocka_unit_test(test_places),
        cmocka_unit_test(test_item_digits),
    };
    read_environment("t-scorer");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
