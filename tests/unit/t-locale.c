/* A host program may have any locale: everything that the library reads, computes and says is the same, byte for byte,
 * in one that writes a comma for the point, and in one whose small i is another letter. The locales are made here, out
 * of Debian's sources of them (package locales). */
#include "audit_tools.h"

#include <locale.h>

enum { ROWS = 6, MOST_PREDICTIONS = 3 * ROWS };

/* Settings whose texts have a point in them, or become a number that has. */
static const char *const variants[] = {
    "log-ulps=1.99",
    "decimals=3; queries=4",
    "noise=gaussian:0.25; queries=9",
    "noise=bounded:0.0125; queries=20",
    "noise=laplace:0.5,seed; queries=3",
    "noise=proportional:2.24; queries=3",
    "clip=0.125; clip-mode=clip",
    "prior=0.25,0.75; queries=5",
    "prior=0,25,0,75",
    "transform=percent; decimals=1",
    "weights=0.5,1.5,0.25,1.75,1.0,2.5",
    "class-weights=0.5,1.5; counts=3,3",
    "release=ladder:0.0125; queries=30",
    "zero-division=0.5",
    "also=accuracy:decimals=2; decimals=3",
    "metric=norm:1.5",
    "metric=quantile:0.3; targets=0:1.5:0.5",
    "metric=bregman:x^1.5",
    "targets=0.5:2.5:0.5; decimals=2",
    "public=0.5",
    "failures=free; zero-division=raise",
    "arithmetic=fpa:8,20; decimals=4",
    "sum-arithmetic=fp32; arithmetic=fp32",
};

enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* A number without printf's help. */
static void put(FILE *out, const char *name, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    (void)fprintf(out, " %s=%llx", name, (unsigned long long)bits);
}

static void put_status(FILE *out, const char *what, ll_status status, const ll_error *error)
{
    (void)fprintf(out, "\n%s: %d %s", what, (int)status, status == LL_OK ? "" : error->text);
}

static void put_settings(FILE *out, const ll_scorer *s)
{
    for (long i = 0; i < ll_setting_count(); i++) {
        const char *value = ll_scorer_get(s, ll_setting_get_info(i)->name);
        (void)fprintf(out, " %s", value ? value : "-");
    }
}

static void put_audit(FILE *out, const ll_scorer *s, int proofs_only)
{
    ll_audit a;
    ll_audit_request request;
    ll_error error = {0};
    ll_audit_init(&a);
    ll_audit_request_init(&request);
    request.combinations = 1;
    request.proofs_only = proofs_only;
    request.default_queries = 3;
    put_status(out, "audit", ll_audit_run(&a, s, &request, &error), &error);
    if (a.bound != NULL) {
        (void)fprintf(out, "\n%s|%s|%s|%s", a.verdict, a.assumptions, a.failures, a.several);
        put(out, "share", a.share);
        put(out, "limit", a.bound->max_share);
        put(out, "bits", a.bound->bits_per_query);
        put(out, "sampling", a.sampling_error);
    }
    for (long i = 0; i < a.defence_count; i++)
        (void)fprintf(out, "\n%s|%s|%s", defence(&a, i)->kind, defence(&a, i)->settings, defence(&a, i)->note);
    for (long i = 0; i < a.choice_count; i++)
        (void)fprintf(out, "\n%s|%s", choice(&a, i)->code, choice(&a, i)->why);
    ll_audit_clear(&a);
}

static void put_verdict(FILE *out, const ll_verdict *v)
{
    const ll_number *const numbers[] = {&v->gap, &v->noise, &v->rounding, &v->residual, &v->explains};
    for (int i = 0; i < 5; i++)
        (void)fprintf(out, " %s", numbers[i]->text ? numbers[i]->text : "-");
    for (long i = 0; v->labels && i < v->rows; i++)
        (void)fprintf(out, " %d", (int)v->labels[i]);
    put(out, "probability", v->probability);
}

static void put_attack(FILE *out, const ll_scorer *s, const int32_t *labels)
{
    ll_plan *plan = NULL;
    ll_curator *curator = NULL;
    ll_verdict verdict;
    ll_error error = {0};
    char digest[65] = "";
    ll_plan_request request;
    ll_verdict_init(&verdict);
    ll_plan_request_init(&request);
    ll_status status = ll_plan_create(&plan, s, &request, &error);
    put_status(out, "plan", status, &error);
    if (status == LL_OK) {
        ll_plan_digest(plan, digest, sizeof digest);
        status = ll_curator_create(&curator, s, labels, ROWS, &error);
    }
    if (status == LL_OK) {
        ll_oracle oracle = ll_curator_oracle(curator);
        status = ll_attack_run(plan, &verdict, &oracle, NULL, &error);
    }
    put_status(out, digest, status, &error);
    put_verdict(out, &verdict);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
}

static void put_inference(FILE *out, const ll_scorer *s, const ll_predictions *source, const char *score)
{
    ll_evidence *evidence = NULL;
    ll_inference inference;
    ll_error error = {0};
    ll_inference_init(&inference);
    ll_status status = ll_evidence_create(&evidence, s, &error);
    if (status == LL_OK)
        status = ll_evidence_add(evidence, source, score, &error);
    if (status == LL_OK)
        status = ll_evidence_infer(evidence, &inference, LL_METHOD_AUTO, NULL, &error);
    put_status(out, "infer", status, &error);
    if (inference.verdict != NULL)
        put_verdict(out, inference.verdict);
    ll_inference_clear(&inference);
    ll_evidence_destroy(evidence);
}

/* The score of given predictions, and what is told of them. */
static void put_score(FILE *out, const ll_scorer *s, const int32_t *labels, long columns)
{
    double x[MOST_PREDICTIONS];
    table t;
    ll_score score;
    ll_inspection inspection;
    ll_separation separation;
    ll_error error = {0};
    for (long i = 0; i < ROWS * columns; i++)
        x[i] = columns == 1 ? (double)(i + 1) / 16 : 1 / (double)columns;
    ll_score_init(&score);
    ll_inspection_init(&inspection);
    ll_separation_init(&separation);
    table_set(&t, x, ROWS, columns, LL_ENTRIES_DOUBLE);
    put_status(out, "score", score_table(&score, s, labels, &t, &error), &error);
    if (score.text != NULL) {
        (void)fprintf(out, " %s in %s to %s", score.text, score.lower, score.upper);
        put_inference(out, s, &t.source, score.text);
    }
    put_status(out, "inspect", ll_inspect_predictions(&inspection, s, &t.source, NULL, &error), &error);
    (void)fprintf(out, " %s", inspection.why ? inspection.why : "-");
    put_status(out, "separate", ll_separate(&separation, s, &t.source, LL_BUDGET(.seconds = 1), &error), &error);
    (void)fprintf(out, " %s %s", separation.gap.text ? separation.gap.text : "-",
                  separation.threshold ? separation.threshold : "-");
    ll_score_clear(&score);
    ll_inspection_clear(&inspection);
    ll_separation_clear(&separation);
}

static void put_scorer(FILE *out, const char *profile, const char *variant, int proofs_only)
{
    char text[300];
    static const int32_t labels[ROWS] = {0, 1, 1, 0, 1, 0};
    ll_scorer *s = NULL;
    ll_error error = {0};
    long classes = profile_classes(profile);
    (void)snprintf(text, sizeof text, "scorer=%s; rows=%d; classes=%ld; %s", profile, ROWS, classes, variant);
    ll_status status = try_scorer_text(&s, text, &error);
    put_status(out, text, status, &error);
    if (status != LL_OK)
        return;
    put_settings(out, s);
    put_audit(out, s, proofs_only);
    put_attack(out, s, labels);
    put_score(out, s, labels, 1);
    put_score(out, s, labels, classes);
    ll_scorer_destroy(s);
}

/* Every variant, each with a profile that the seed chooses: with every one in the long test. */
static char *transcript(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    long profiles = ll_profile_count(), each = trials(1, profiles);
    for (long k = 0; k < VARIANTS; k++)
        for (long i = 0; i < each; i++) {
            long chosen = (long)ll_random_below(seed, 7, (uint64_t)k, (uint64_t)profiles);
            put_scorer(out, ll_profile_get_info((chosen + i) % profiles)->name, variants[k],
                       !is_long() && (k + (long)seed) % 4 != 0);
        }
    assert_int_equal(fclose(out), 0);
    assert_true(strlen(text) > 5000);
    return text;
}

static void check_same(const char *name, const char *expected, const char *found)
{
    size_t i = 0, line = 0;
    for (; expected[i] == found[i] && expected[i] != '\0'; i++)
        line = expected[i] == '\n' ? i + 1 : line;
    if (expected[i] != found[i])
        fail_msg("%s: \"%.*s\" becomes \"%.*s\"", name, (int)strcspn(expected + line, "\n"), expected + line,
                 (int)strcspn(found + line, "\n"), found + line);
}

static void set_locale(const char *folder, const char *name)
{
    char command[400];
    (void)snprintf(command, sizeof command, "localedef -i %.5s -f %s %s/%s", name, name + 6, folder, name);
    if (system(command) != 0 || setenv("LOCPATH", folder, 1) != 0 || setlocale(LC_ALL, name) == NULL)
        fail_msg("no locale %s: is the package locales installed?", name);
}

static void test_locales(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "tr_TR.ISO-8859-9"};
    char folder[] = "/tmp/t-locale.XXXXXX", clean[60];
    char *expected = transcript();
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        set_locale(folder, names[i]);
        assert_string_equal(localeconv()->decimal_point, ",");
        char *found = transcript();
        (void)setlocale(LC_ALL, "C");
        check_same(names[i], expected, found);
        free(found);
    }
    free(expected);
    (void)snprintf(clean, sizeof clean, "rm -rf %s", folder);
    assert_int_equal(system(clean), 0);
}

int main(void)
{
    read_environment("t-locale");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_locales)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
