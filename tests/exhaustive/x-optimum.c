/* Proved limits and claimed attacks against the exact optimum over all adaptive strategies, in every small world: each
 * metric of the table x transform x release x classes x rows x queries. LL_TEST_LONG: all of them, else a sample.
 * Random worlds have a second number, with a release and a threshold of its own, or scores of groups of rows. */
#include "../unit/curator_tools.h"
#include "optimum.h"
#include "worlds.h"

#include <math.h>

static const double uneven2[] = {0.7, 0.3}, uneven3[] = {0.5, 0.25, 0.25}, uneven4[] = {0.4, 0.3, 0.2, 0.1};
static const double *const priors[] = {NULL, NULL, uneven2, uneven3, uneven4};

typedef struct {
    char text[900], metric[40];
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
    if (strchr("inrpso", name[0]) == NULL)
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

/* The limit; 1 where there is no optimum to compare with. */
static double check(const pair *p)
{
    ll_audit_bound bound;
    ll_error error = {0};
    double optimum = slow_optimum(&p->world);
    if (optimum < 0)
        return 1;
    if (ll_audit_limit(&bound, p->scorer, (double)p->world.queries, &error) != LL_OK)
        fail_msg("%s: %s", p->text, error.text);
    worlds++;
    if (optimum > bound.max_share + 1e-9) {
        fail_with(p, "above the proved limit", optimum, bound.max_share);
        failures++;
    }
    if (slow_is_exact(&p->world) && !p->is_noisy)
        check_claim(p, optimum);
    return bound.max_share;
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
            for (int variant = 0; variant < 8; variant++) { /* bits: all columns, a prior, counts known */
                int one = classes == 2 && (variant & 1) == 0;
                if ((variant & 1) != 0 && (classes > 2 || !is_for_many(info)))
                    continue;
                if (getenv("LL_TEST_LIGHT") && (r + variant + transform) % 5 != 0)
                    continue;
                if (!is_long() && (r + queries + variant + rows + (long)transform + (long)parameter) % 16 != 0)
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
                (void)check(&p);
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

/* ---- several numbers, groups ---- */

static const char *const firsts[] = {"accuracy", "zero-one", "lp:1", "lp:2", "squared", "log-loss"};
static const char *const seconds[] = {"accuracy", "zero-one", "f1", "lp:1", "squared"};
enum { MOST_ALSO = 2 };

typedef struct {
    pair p;
    slow_world also[MOST_ALSO];
} several;

static int takes_labels(const char *metric)
{
    return strcmp(metric, "squared") != 0 && strcmp(metric, "log-loss") != 0;
}

/* A release of a number in the world's words; its text, as settings or as options of a number, with what is between. */
static void draw_release(slow_world *w, char *text, size_t size, const char *between)
{
    static const char laws[] = {0, 0, 'g', 'l', 'u'};
    char noise[80] = "none";
    int decimals = (int)below(5) - 2;
    w->noise = laws[below((long)sizeof laws)];
    w->size = pow(10, 1 - 2.5 * uniform());
    w->grid = decimals >= 0 ? pow(10, -decimals) : 0;
    if (w->noise)
        (void)snprintf(noise, sizeof noise, "%s:%.17g", law_of(w->noise), w->size);
    if (decimals >= 0)
        (void)snprintf(text, size, "decimals=%d%snoise=%s", decimals, between, noise);
    else
        (void)snprintf(text, size, "decimals=none%snoise=%s", between, noise);
}

static void draw_first(several *w)
{
    char release[160];
    pair *p = &w->p;
    const char *metric = firsts[below(WORLDS_COUNT(firsts))];
    long classes = takes_labels(metric) ? 2 + below(2) : 2;
    set_metric(p, metric, strchr(metric, ':') ? strtod(strchr(metric, ':') + 1, NULL) : 1);
    p->world.metric = p->metric;
    set_sizes(p, 1 + below(classes == 2 ? 4 : 3), classes, 1 + below(2), below(3) == 0);
    if (below(3) == 0)
        set_counts(p);
    p->world.columns = 1;
    p->world.effort = is_long() ? 1e7 : 1e6;
    set_clip(p, 0.1);
    set_transform(p, 0);
    draw_release(&p->world, release, sizeof release, "; ");
    append(p, "; columns=1; %s", release);
    p->world.also = w->also;
}

static void draw_also(several *w)
{
    char release[160];
    slow_world *also = &w->also[0];
    static const double thresholds[] = {0.5, 0.4, 0.25};
    int of_labels = takes_labels(w->p.metric);
    do
        also->metric = seconds[below(WORLDS_COUNT(seconds))];
    while ((of_labels && !takes_labels(also->metric)) || (w->p.world.classes > 2 && strcmp(also->metric, "f1") == 0));
    append(&w->p, "; also=%s", also->metric);
    also->parameter = 1;
    also->transform = 'i';
    also->metric = strcmp(also->metric, "lp:1") == 0 ? "lp" : also->metric;
    also->threshold = thresholds[below(WORLDS_COUNT(thresholds))];
    draw_release(also, release, sizeof release, ",");
    append(&w->p, ":%s", release);
    if (!of_labels && takes_labels(also->metric))
        append(&w->p, ",threshold=above:%g", also->threshold);
    w->p.world.also_count = 1;
}

/* A third number, of classes at another threshold: its table is another one. */
static void draw_threshold(several *w)
{
    slow_world *also = &w->also[1];
    if (takes_labels(w->p.metric) || below(2))
        return;
    *also = (slow_world){.metric = "accuracy", .transform = 'i', .threshold = 0.6};
    append(&w->p, "|accuracy:decimals=none,noise=none,threshold=above:%g", also->threshold);
    w->p.world.also_count = 2;
}

/* Of the first number, two groups: some rows and all others. */
static void draw_groups(several *w)
{
    long rows = w->p.world.rows;
    unsigned all = (1U << rows) - 1, one = 1 + 2 * (unsigned)below(1L << (rows - 1)); /* the first row is in it */
    w->p.world.also_count = one == all ? 1 : 2;
    for (long g = 0; g < w->p.world.also_count; g++) {
        w->also[g] = w->p.world;
        w->also[g].also = NULL;
        w->also[g].also_count = 0;
        w->also[g].rows_of = g == 0 ? one : all & ~one;
    }
    for (long i = 0; i < rows; i++)
        append(&w->p, "%s%c", i == 0 ? "; groups=" : ",", one >> i & 1 ? 'a' : 'b');
}

static void test_several(void **state)
{
    long count = is_long() ? 20000 : getenv("LL_TEST_LIGHT") ? 60 : 150, seen[2][2] = {{0}}, below_one = 0;
    (void)state;
    worlds = exact_worlds = 0;
    for (long i = 0; i < count * multiplier; i++) {
        several w;
        memset(&w, 0, sizeof w);
        draw_first(&w);
        int of_groups = i % 2 == 0;
        if (of_groups)
            draw_groups(&w);
        else {
            draw_also(&w);
            draw_threshold(&w);
        }
        for (long n = 0; n < w.p.world.also_count; n++)
            w.p.is_noisy |= w.also[n].noise != 0;
        w.p.is_noisy |= w.p.world.noise != 0;
        w.p.scorer = scorer_of_text("%s", w.p.text);
        long before = worlds;
        below_one += check(&w.p) < 1;
        seen[of_groups][w.p.world.counts != NULL] += worlds - before;
        ll_scorer_destroy(w.p.scorer);
    }
    printf("%ld worlds of several numbers (%ld of them with told counts), %ld of groups (%ld); %ld exact, %ld with a "
           "limit below 1\n",
           seen[0][0] + seen[0][1], seen[0][1], seen[1][0] + seen[1][1], seen[1][1], exact_worlds, below_one);
    assert_true(seen[0][0] > 5 && seen[0][1] > 5 && seen[1][0] > 5 && seen[1][1] > 5);
    assert_int_equal(failures, 0);
}

/* ---- a step that is no power: limits only count what can be answered ---- */

static double logarithm(double x, double own)
{
    (void)own;
    return log(x + 0.01);
}

/* As steep as 100 at the bottom, where a bound made for a power would take it for flat. No answer is computed here. */
static const ll_transform other_form = {.name = "other", .example = "other", .needs_sign = 1, .plain = logarithm};

static void check_other_form(const char *metric, double parameter, long rows, long queries, int r, long *below_one)
{
    pair p;
    memset(&p, 0, sizeof p);
    set_metric(&p, metric, parameter);
    p.world.metric = p.metric;
    set_sizes(&p, rows, 2, queries, 0);
    p.world.columns = 1;
    p.world.effort = 1e5;
    set_clip(&p, 0.1);
    append(&p, "; transform=root");
    p.world.transform = 'l';
    set_release(&p, r);
    p.is_noisy = 1; /* attacks are not run */
    p.scorer = scorer_of_text("%s", p.text);
    p.scorer->release.steps[0].row = &other_form;
    *below_one += check(&p) < 1;
    ll_scorer_destroy(p.scorer);
}

static void test_other_form(void **state)
{
    static const struct {
        const char *name;
        double parameter;
    } metrics[] = {{"accuracy", 1}, {"lp:P", 1}, {"squared", 1}, {"log-loss", 1}, {"f1", 1}};
    long below_one = 0;
    (void)state;
    worlds = failures = 0;
    for (size_t m = 0; m < WORLDS_COUNT(metrics); m++)
        for (long rows = 1; rows <= 4; rows++)
            for (long queries = 1; queries <= 2; queries++)
                for (int r = 0; r < RELEASES; r++)
                    check_other_form(metrics[m].name, metrics[m].parameter, rows, queries, r, &below_one);
    printf("%ld worlds after a step of another form, %ld with a limit below 1\n", worlds, below_one);
    assert_true(worlds > 100 && below_one > 0);
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
                                       cmocka_unit_test(test_worlds), cmocka_unit_test(test_several),
                                       cmocka_unit_test(test_other_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
