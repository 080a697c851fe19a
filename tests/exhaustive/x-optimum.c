/* Proved limits and claimed attacks against the exact optimum over all adaptive strategies, in every small world: each
 * metric of the table x transform x release x classes x rows x queries. LL_TEST_LONG: all of them, else a sample. */
#include "../unit/curator_tools.h"
#include "optimum.h"

static const double uneven2[] = {0.7, 0.3}, uneven3[] = {0.5, 0.25, 0.25}, uneven4[] = {0.4, 0.3, 0.2, 0.1};
static const double *const priors[] = {NULL, NULL, uneven2, uneven3, uneven4};

typedef struct {
    char name[80], size[40], clip[40];
    ll_scorer scorer;
    slow_world world;
} pair;

static int is_long(void)
{
    const char *text = getenv("LL_TEST_LONG");
    return text && *text && strcmp(text, "0") != 0;
}

/* ---- one description, told to both ---- */

static void set_metric(pair *p, const char *listed, double parameter)
{
    static char stem[40];
    (void)snprintf(stem, sizeof stem, "%.*s", (int)strcspn(listed, ":"), listed);
    p->world.metric = stem;
    p->world.parameter = parameter;
    if (strcmp(stem, "bregman") == 0)
        (void)snprintf(p->name, sizeof p->name, "bregman:x^3 + x^2");
    else if (strchr(listed, ':'))
        (void)snprintf(p->name, sizeof p->name, "%s:%g", stem, parameter);
    else
        (void)snprintf(p->name, sizeof p->name, "%s", stem);
    p->scorer.loss = p->name;
    p->scorer.arithmetic = "exact";
}

static void set_sizes(pair *p, long rows, long classes, long queries, int has_prior)
{
    p->scorer.rows = p->world.rows = rows;
    p->scorer.classes = p->world.classes = classes;
    p->scorer.queries = p->world.queries = queries;
    p->scorer.prior = p->world.prior = has_prior ? priors[classes] : NULL;
    p->scorer.prior_count = has_prior ? classes : 0;
}

static void set_clip(pair *p, double clip)
{
    const char *m = p->world.metric;
    if (clip <= 0 || (strcmp(m, "log-loss") != 0 && strcmp(m, "itakura-saito") != 0))
        return;
    (void)snprintf(p->clip, sizeof p->clip, "%g", clip);
    p->world.clip = clip;
    p->scorer.clip = p->clip;
    p->scorer.clip_mode = LL_CLIP;
}

static void set_transform(pair *p, int transform)
{
    p->world.transform = "inrp"[transform];
    p->scorer.transform = (ll_transform[]){LL_IDENTITY, LL_NEGATE, LL_ROOT, LL_PERCENT}[transform];
}

/* Releases. The size of noise is a share of the range of the scores. */
static const struct {
    int decimals, digits;
    char noise;
    ll_draw draw;
    double size;
} releases[] = {{-1, 0, 0, 0, 0},     {0, 0, 0, 0, 0},      {1, 0, 0, 0, 0},    {2, 0, 0, 0, 0},
                {-1, 1, 0, 0, 0},     {-1, 0, 'u', 0, 0.5}, {-1, 0, 'u', 0, 2}, {-1, 0, 'u', 1, 1},
                {1, 0, 'u', 2, 1},    {-1, 0, 'g', 0, 0.1}, {-1, 0, 'g', 0, 1}, {0, 0, 'g', 0, 0.3},
                {-1, 0, 'l', 0, 0.1}, {-1, 0, 'l', 0, 0.5}, {-1, 0, 'l', 0, 3}, {1, 0, 'l', 0, 0.2}};
enum { RELEASES = sizeof releases / sizeof releases[0] };

static void set_release(pair *p, int r)
{
    static const char laws[] = "ugl";
    char noise = releases[r].noise;
    p->scorer.rounding = releases[r].decimals >= 0 ? LL_ROUND_DECIMALS
                         : releases[r].digits      ? LL_ROUND_DIGITS
                                                   : LL_ROUND_NONE;
    p->scorer.places = releases[r].decimals >= 0 ? releases[r].decimals : releases[r].digits;
    p->world.grid = releases[r].decimals >= 0 ? pow(10, -releases[r].decimals) : 0;
    p->world.digits = releases[r].digits;
    if (noise == 0)
        return;
    p->world.size = releases[r].size * fmax(slow_range(&p->world), 1e-3);
    (void)snprintf(p->size, sizeof p->size, "%.17g", p->world.size);
    p->scorer.noise = (ll_noise[]){LL_NOISE_BOUNDED, LL_NOISE_GAUSSIAN, LL_NOISE_LAPLACE}[strchr(laws, noise) - laws];
    p->scorer.noise_size = p->size;
    p->scorer.draw = releases[r].draw;
    p->world.noise = releases[r].draw == LL_DRAW_UNIFORM ? noise : 0; /* a constant is none */
}

static void fail_with(const pair *p, const char *what, double optimum, double other)
{
    const ll_scorer *s = &p->scorer;
    print_error(
        "%s: %s%s%s, transform %c, %ld rows of %ld classes%s, %ld queries, %d columns, grid %g, digits %d, noise "
        "%c %s draw %d: optimum %.9g, %g\n",
        what, s->loss, s->clip ? " clip " : "", s->clip ? s->clip : "", p->world.transform, s->rows, s->classes,
        s->prior ? " (prior)" : "", s->queries, p->world.columns, p->world.grid, p->world.digits,
        p->world.noise ? p->world.noise : '-', s->noise_size ? s->noise_size : "", (int)s->draw, optimum, other);
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
    request.defences = 0;
    if (ll_audit_run(&a, &p->scorer, &request, &error) != LL_OK)
        fail_msg("%s: %s", p->scorer.loss, error.text);
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
    if (ll_audit_limit(&bound, &p->scorer, (double)p->world.queries, &error) != LL_OK)
        fail_msg("%s: %s", p->scorer.loss, error.text);
    worlds++;
    if (optimum > bound.max_share + 1e-9) {
        fail_with(p, "above the proved limit", optimum, bound.max_share);
        failures++;
    }
    if (slow_is_exact(&p->world) && p->scorer.noise == LL_NOISE_NONE)
        check_claim(p, optimum);
}

/* ---- all worlds ---- */

static int is_for_many(const ll_loss_info *info)
{
    return strcmp(info->classes, "2") != 0;
}

static void check_releases(const ll_loss_info *info, double parameter, int transform, long classes, long rows)
{
    for (int r = 0; r < RELEASES; r++)
        for (long queries = 1; queries <= 3; queries++)
            for (int variant = 0; variant < 4; variant++) {
                int one = classes == 2 && (variant & 1) == 0;
                if ((variant & 1) != 0 && (classes > 2 || !is_for_many(info)))
                    continue;
                if (!is_long() && (r + queries + variant + rows + (long)transform + (long)parameter) % 5 != 0)
                    continue;
                pair p;
                memset(&p, 0, sizeof p);
                set_metric(&p, info->name, parameter);
                set_sizes(&p, rows, classes, queries, (variant & 2) != 0);
                p.world.columns = one;
                p.world.effort = is_long() ? 1e8 : 1e6;
                set_clip(&p, (variant + r) % 2 ? 0.1 : 0);
                set_transform(&p, transform);
                set_release(&p, r);
                check(&p);
            }
}

static void check_metric(const ll_loss_info *info, double parameter)
{
    for (int transform = 0; transform < 4; transform++)
        for (long classes = 2; classes <= (is_for_many(info) ? 4 : 2); classes++)
            for (long rows = 1; rows <= (is_long() ? 5 : 6 - classes); rows++)
                check_releases(info, parameter, transform, classes, rows);
}

static void test_worlds(void **state)
{
    (void)state;
    static const double parameters[] = {1, 2, 0.5};
    for (long i = 0; i < ll_loss_count(); i++) {
        const ll_loss_info *info = ll_loss_get_info(i);
        char stem[40];
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
    assert_true(worlds > 1000 && exact_worlds > 50);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_worlds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
