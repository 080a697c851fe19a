/* Proved limits and claimed attacks against the exact optimum over all adaptive strategies, in every small world: each
 * metric of the table x transform x release x classes x rows x queries. LL_TEST_LONG: all of them, else a sample. */
#include "../unit/curator_tools.h"
#include "optimum.h"
#include "worlds.h"

#include <math.h>

static const double uneven2[] = {0.7, 0.3}, uneven3[] = {0.5, 0.25, 0.25}, uneven4[] = {0.4, 0.3, 0.2, 0.1};
static const double *const priors[] = {NULL, NULL, uneven2, uneven3, uneven4};

typedef struct {
    char text[600], metric[40];
    ll_scorer *scorer;
    slow_world world;
    long counts[4];
    int is_noisy;
} pair;

__attribute__((format(printf, 2, 3))) static void append(pair *p, const char *format, ...)
{
    size_t used = strlen(p->text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(p->text + used, sizeof p->text - used, format, arguments);
    va_end(arguments);
}

static int is_long(void)
{
    const char *text = getenv("LL_TEST_LONG");
    return text && *text && strcmp(text, "0") != 0;
}

/* ---- one description, told to both ---- */

static void set_metric(pair *p, const char *listed, double parameter)
{
    (void)snprintf(p->metric, sizeof p->metric, "%.*s", (int)strcspn(listed, ":"), listed);
    p->world.parameter = parameter;
    if (strcmp(p->metric, "bregman") == 0)
        append(p, "metric=bregman:x^3 + x^2");
    else if (strchr(listed, ':'))
        append(p, "metric=%s:%g", p->metric, parameter);
    else
        append(p, "metric=%s", p->metric);
    append(p, "; arithmetic=exact");
}

static void set_sizes(pair *p, long rows, long classes, long queries, int has_prior)
{
    p->world.rows = rows;
    p->world.classes = classes;
    p->world.queries = queries;
    p->world.prior = has_prior ? priors[classes] : NULL;
    append(p, "; rows=%ld; classes=%ld; queries=%ld", rows, classes, queries);
    for (long k = 0; has_prior && k < classes; k++)
        append(p, "%s%g", k == 0 ? "; prior=" : ",", priors[classes][k]);
}

/* Class counts, told to both. */
static void set_counts(pair *p)
{
    for (long i = 0; i < p->world.rows; i++)
        p->counts[below(p->world.classes)]++;
    p->world.counts = p->counts;
    for (long k = 0; k < p->world.classes; k++)
        append(p, "%s%ld", k == 0 ? "; counts=" : ",", p->counts[k]);
}

static void set_clip(pair *p, double clip)
{
    if (clip <= 0 || (strcmp(p->metric, "log-loss") != 0 && strcmp(p->metric, "itakura-saito") != 0))
        return;
    p->world.clip = clip;
    append(p, "; clip=%g; clip-mode=clip", clip);
}

/* The reference knows steps by their first letter. */
static void set_transform(pair *p, int transform)
{
    const char *name = ll_setting_word(LL_SET_TRANSFORM, transform);
    if (strchr("inrp", name[0]) == NULL)
        fail_msg("the reference does not know the step %s: tests/reference/optimum.c", name);
    p->world.transform = name[0];
    append(p, "; transform=%s", name);
}

/* Releases. The size of noise is a share of the range of the scores. */
static const struct {
    int decimals, digits;
    char noise;
    int draw; /* 0: drawn evenly; a constant: 1 plus, 2 minus */
    double size;
} releases[] = {{-1, 0, 0, 0, 0},     {0, 0, 0, 0, 0},      {1, 0, 0, 0, 0},    {2, 0, 0, 0, 0},
                {-1, 1, 0, 0, 0},     {-1, 0, 'u', 0, 0.5}, {-1, 0, 'u', 0, 2}, {-1, 0, 'u', 1, 1},
                {1, 0, 'u', 2, 1},    {-1, 0, 'g', 0, 0.1}, {-1, 0, 'g', 0, 1}, {0, 0, 'g', 0, 0.3},
                {-1, 0, 'l', 0, 0.1}, {-1, 0, 'l', 0, 0.5}, {-1, 0, 'l', 0, 3}, {1, 0, 'l', 0, 0.2}};
enum { RELEASES = sizeof releases / sizeof releases[0] };

/* The reference knows laws by their first letter, but for the bounded one, which it draws evenly. */
static const char *law_of(char noise)
{
    for (long i = 0; ll_release_law_name(i) != NULL; i++)
        if (ll_release_law_name(i)[0] == (noise == 'u' ? 'b' : noise))
            return ll_release_law_name(i);
    fail_msg("no law %c", noise);
    return NULL;
}

/* Every law, and every way to draw the bounded one, has a release above: but noise in proportion to the spread of what
 * is submitted, which is x-proportional's. */
static void every_law_is_there(void **state)
{
    world_list laws = list_laws();
    (void)state;
    for (long i = 0; i < laws.count; i++) {
        int found = strcmp(laws.names[i], "proportional") == 0;
        for (int r = 0; r < RELEASES; r++) {
            char text[WORLD_NAME];
            char noise = releases[r].noise;
            if (noise == 0)
                continue;
            (void)snprintf(text, sizeof text, "%s%s%s", law_of(noise), noise == 'u' ? "," : "",
                           noise == 'u' ? ll_release_draw_name(releases[r].draw) : "");
            found |= strcmp(text, laws.names[i]) == 0;
        }
        if (!found)
            fail_msg("no release of this test has noise of the law %s", laws.names[i]);
    }
}

static void set_release(pair *p, int r)
{
    char noise = releases[r].noise;
    if (releases[r].decimals >= 0)
        append(p, "; decimals=%d", releases[r].decimals);
    if (releases[r].digits)
        append(p, "; digits=%d", releases[r].digits);
    p->world.grid = releases[r].decimals >= 0 ? pow(10, -releases[r].decimals) : 0;
    p->world.digits = releases[r].digits;
    if (noise == 0)
        return;
    p->is_noisy = 1;
    p->world.size = releases[r].size * fmax(slow_range(&p->world), 1e-3);
    append(p, "; noise=%s:%.17g%s%s", law_of(noise), p->world.size, noise == 'u' ? "," : "",
           noise == 'u' ? ll_release_draw_name(releases[r].draw) : "");
    p->world.noise = releases[r].draw == 0 ? noise : 0; /* a constant is none */
}

static void fail_with(const pair *p, const char *what, double optimum, double other)
{
    print_error("%s: %s, %d columns: optimum %.9g, %g\n", what, p->text, p->world.columns, optimum, other);
}

static long worlds, exact_worlds, failures;

/* What the audit's attacks claim, where the optimum is known exactly. */
static void check_claim(const pair *p, double optimum)
{
    ll_audit a;
    ll_audit_request request;
    ll_error error = {0};
    ll_audit_init(&a);
    ll_audit_request_init(&request);
    request.without_defences = 1;
    if (ll_audit_run(&a, p->scorer, &request, &error) != LL_OK)
        fail_msg("%s: %s", p->text, error.text);
    exact_worlds++;
    if (a.share > optimum + 1e-9) {
        fail_with(p, "claimed more than is possible", optimum, a.share);
        failures++;
    }
    ll_audit_clear(&a);
}

static void check(const pair *p)
{
    ll_audit_bound bound;
    ll_error error = {0};
    double optimum = slow_optimum(&p->world);
    if (optimum < 0)
        return;
    if (ll_audit_limit(&bound, p->scorer, (double)p->world.queries, &error) != LL_OK)
        fail_msg("%s: %s", p->text, error.text);
    worlds++;
    if (optimum > bound.max_share + 1e-9) {
        fail_with(p, "above the proved limit", optimum, bound.max_share);
        failures++;
    }
    if (slow_is_exact(&p->world) && !p->is_noisy)
        check_claim(p, optimum);
}

/* ---- all worlds ---- */

static int is_for_many(const ll_metric_info *info)
{
    return strcmp(info->classes, "2") != 0;
}

static void check_releases(const ll_metric_info *info, double parameter, int transform, long classes, long rows)
{
    for (int r = 0; r < RELEASES; r++)
        for (long queries = 1; queries <= 3; queries++)
            for (int variant = 0; variant < 8; variant++) { /* bits: all columns, a prior, counts told */
                int one = classes == 2 && (variant & 1) == 0;
                if ((variant & 1) != 0 && (classes > 2 || !is_for_many(info)))
                    continue;
                if (getenv("LL_TEST_LIGHT") && (r + variant + transform) % 5 != 0)
                    continue;
                if (!is_long() && (r + queries + variant + rows + (long)transform + (long)parameter) % 8 != 0)
                    continue;
                pair p;
                memset(&p, 0, sizeof p);
                set_metric(&p, info->name, parameter);
                p.world.metric = p.metric;
                set_sizes(&p, rows, classes, queries, (variant & 2) != 0);
                if ((variant & 4) != 0)
                    set_counts(&p);
                p.world.columns = one;
                p.world.effort = is_long() ? 1e8 : 1e6;
                set_clip(&p, (double[]){0, 0.1, 0.3}[(variant + r + rows + queries) % 3]);
                set_transform(&p, transform);
                set_release(&p, r);
                p.scorer = scorer_of_text("%s", p.text);
                check(&p);
                ll_scorer_destroy(p.scorer);
            }
}

static void check_metric(const ll_metric_info *info, double parameter)
{
    for (int transform = 0; ll_setting_word(LL_SET_TRANSFORM, transform) != NULL; transform++)
        for (long classes = 2; classes <= (is_for_many(info) ? 4 : 2); classes++)
            for (long rows = 1; rows <= (is_long() ? 5 : 6 - classes); rows++)
                check_releases(info, parameter, transform, classes, rows);
}

static void test_worlds(void **state)
{
    (void)state;
    static const double parameters[] = {1, 2, 0.5};
    for (long i = 0; i < ll_metric_count(); i++) {
        const ll_metric_info *info = ll_metric_get_info(i);
        char stem[40];
        if (info->formula != NULL) /* of counts and ranks: x-counts.c */
            continue;
        if (strcmp(info->input, "number") == 0) /* targets: x-targets.c; gains and hinge have no reference yet */
            continue;
        (void)snprintf(stem, sizeof stem, "%.*s", (int)strcspn(info->name, ":"), info->name);
        if (!slow_knows(stem))
            fail_msg("%s: a metric of the table that the reference of optima does not know", info->name);
        if (strcmp(stem, "lp") == 0)
            for (int k = 0; k < 3; k++)
                check_metric(info, parameters[k]);
        else
            check_metric(info, 2.5);
    }
    printf("%ld worlds, %ld of them exact\n", worlds, exact_worlds);
    assert_true(worlds > 300 && exact_worlds > 20);
    assert_int_equal(failures, 0);
}

/* ---- the reference itself, where the answer is known ---- */

static void test_reference(void **state)
{
    (void)state;
    slow_world w = {.rows = 4, .classes = 2, .queries = 2, .metric = "accuracy", .transform = 'i', .columns = 1};
    assert_true(fabs(slow_optimum(&w) - 0.8125) < 1e-12);
    w.queries = 1; /* E max(c, 4 - c) / 4 = (2 * 4 + 8 * 3 + 6 * 2) / 64 */
    assert_true(fabs(slow_optimum(&w) - 44.0 / 64) < 1e-12);
    w.queries = 3;
    w.effort = 1e8;
    assert_true(slow_optimum(&w) <= 1 && slow_optimum(&w) > 0.8125);
    w = (slow_world){.rows = 1,
                     .classes = 2,
                     .queries = 1,
                     .metric = "lp",
                     .parameter = 1,
                     .transform = 'p',
                     .columns = 1,
                     .noise = 'l',
                     .size = 10};
    assert_true(fabs(slow_optimum(&w) - (1 - 0.5 * exp(-5))) < 1e-3); /* a threshold in the middle */
}

int main(void)
{
    read_environment("x-optimum");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(every_law_is_there),
                                       cmocka_unit_test(test_worlds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
