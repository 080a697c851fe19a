/* One query, exact arithmetic, the sizes of the paper's data sets, adversarial noise of both signs up to tau (1 -
 * 2^-52): every label certain and right. On the embedded label vectors always, and on the real label columns where the
 * folder LL_DATA (by default ../shared/data beside the checkout) has them; it says which. LL_TEST_LONG=1 runs every row
 * of the table with both signs; without it the quick rows with one sign each, and under LL_TEST_LIGHT=1 (sanitizers)
 * only those of up to 30000 rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../unit/scorer_tools.h"

#include <flint/flint.h>

typedef struct {
    const char *dataset, *loss, *code, *tau;
    long precision; /* of a score without noise */
    int is_slow;    /* only under LL_TEST_LONG */
} attack_case;

static const attack_case cases[] = {
    {"titanic", "log-loss", "powers", "1", 0, 0},
    {"imdb", "log-loss", "powers", "1", 0, 0},
    {"titanic", "sigmoid-ce", "powers", "1", 0, 0},
    {"imdb", "sigmoid-ce", "powers", "1", 0, 1},
    {"titanic", "itakura-saito", "powers", "1", 0, 0},
    {"imdb", "itakura-saito", "powers", "1", 0, 1},
    /* phi = x log x + (1-x) log(1-x): a phi of one's own whose weights are endless */
    {"titanic", "bregman:x*log(x)+(1-x)*log(1-x)", "powers", "1", 0, 1},
    {"titanic", "log-loss", "icml21", "1", 0, 0},
    {"titanic", "log-loss", "paper-multiclass", "1", 0, 0},
    {"satellite", "log-loss", "paper-multiclass", "1", 0, 0},
    {"satellite", "softmax-ce", "paper-multiclass", "1", 0, 0},
    {"cifar10", "log-loss", "paper-multiclass", "1", 0, 1},
    {"mnist", "log-loss", "paper-multiclass", "1", 0, 0},
    {"mnist", "softmax-ce", "paper-multiclass", "1", 0, 1},
    {"titanic", "log-loss", "primes", "1", 0, 0},
    {"titanic", "log-loss", "primes:c=sqrt", "1", 0, 0},
    {"titanic", "sigmoid-ce", "primes", "1", 0, 0},
    {"titanic", "squared", "primes", NULL, 40000, 0},
    {"titanic", "norm:2.5", "primes", NULL, 40000, 1},
    {"satellite", "log-loss", "prime-rows", NULL, 150000, 0},
};

static int is_one(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL && strcmp(text, "1") == 0;
}

static int is_long(void)
{
    return is_one("LL_TEST_LONG");
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const ll_dataset_info *find_dataset(const char *name)
{
    for (long i = 0; i < ll_dataset_count(); i++)
        if (strcmp(ll_dataset_get_info(i)->name, name) == 0)
            return ll_dataset_get_info(i);
    return NULL;
}

/* The real label column; 0 where it is not there. */
static int read_labels(int32_t *labels, const ll_dataset_info *set)
{
    const char *folder = getenv("LL_DATA");
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s.labels", folder != NULL ? folder : LL_TEST_DATA, set->name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    char line[32];
    long n = 0;
    while (n < set->rows && fgets(line, sizeof line, file) != NULL)
        labels[n++] = (int32_t)strtol(line, NULL, 10);
    (void)fclose(file);
    assert_int_equal(n, set->rows);
    return 1;
}

static void run(const attack_case *c, const ll_dataset_info *set, const int32_t *labels, const char *draw,
                const char *which)
{
    double start = now();
    char noise[64] = "none", precision[64] = "";
    if (c->tau != NULL)
        (void)snprintf(noise, sizeof noise, "bounded:%s,%s", c->tau, draw);
    if (c->precision > 0)
        (void)snprintf(precision, sizeof precision, "precision=%ld", (long)c->precision);
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; metric=%s; rows=%ld; classes=%ld; noise=%s; %s", c->loss,
                                       set->rows, set->classes, noise, precision);
    ll_plan *plan = NULL;
    ll_curator *curator = NULL;
    ll_verdict verdict;
    ll_error error;
    ll_verdict_init(&verdict);
    if (ll_plan_create(&plan, scorer,
                       &(ll_plan_request){.size = sizeof(ll_plan_request),
                                          .code = c->code,
                                          .budget = LL_BUDGET(.memory = 4e9, .seconds = 3600)},
                       &error) != LL_OK ||
        ll_curator_create(&curator, scorer, labels, set->rows, &error) != LL_OK)
        fail_msg("%s %s %s: %s", c->dataset, c->loss, c->code, error.text);
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    assert_int_equal(info.queries, 1);
    ll_oracle oracle = ll_curator_oracle(curator);
    if (ll_attack_run(plan, &verdict, &oracle, NULL, &error) != LL_OK)
        fail_msg("%s %s %s: %s", c->dataset, c->loss, c->code, error.text);
    assert_int_equal(verdict.kind, LL_UNIQUE);
    assert_int_equal(verdict.certain, set->rows);
    assert_memory_equal(verdict.labels, labels, sizeof *labels * (size_t)set->rows);
    print_message("%-9s %-8s %-14.14s %-16s noise %s: %ld of %ld certain and right, %.0f bits, %.2f s\n", c->dataset,
                  which, c->loss, c->code,
                  c->tau == NULL   ? "0 "
                  : draw[0] == 'p' ? "+1"
                                   : "-1",
                  verdict.certain, set->rows, info.score_bits, now() - start);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
    ll_scorer_destroy(scorer);
}

static void run_signs(const attack_case *c, const ll_dataset_info *set, const int32_t *labels, const char *which,
                      long turn)
{
    for (int sign = 0; sign < (c->tau != NULL ? 2 : 1); sign++)
        if (is_long() || c->tau == NULL || sign == turn % 2)
            run(c, set, labels, sign == 0 ? "plus" : "minus", which);
}

static void every_data_set(void **state)
{
    (void)state;
    long real = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ll_dataset_info *set = find_dataset(cases[i].dataset);
        assert_non_null(set);
        if (!is_long() && (cases[i].is_slow || (is_one("LL_TEST_LIGHT") && set->rows > 30000)))
            continue;
        int32_t *labels = malloc(sizeof *labels * (size_t)set->rows);
        assert_non_null(labels);
        assert_int_equal(ll_dataset_labels(labels, set->rows, set->name, 1, NULL), LL_OK);
        run_signs(&cases[i], set, labels, "embedded", (long)i);
        if (read_labels(labels, set)) {
            run_signs(&cases[i], set, labels, "real", (long)i + 1);
            real++;
        }
        free(labels);
    }
    if (real == 0)
        print_message("no real label columns at %s: ran on the embedded ones\n", LL_TEST_DATA);
}

/* Double precision, several queries: figures are asserted as the most queries that are allowed. */
static void doubles(void **state)
{
    (void)state;
    static const struct {
        const char *loss, *tau;
        long most;
    } rows[] = {
        {"itakura-saito", "1e-4", 47}, {"itakura-saito", "1", 47}, {"log-loss", "1e-4", 201}, {"log-loss", NULL, 48}};
    const ll_dataset_info *set = find_dataset("titanic");
    int32_t *labels = malloc(sizeof *labels * (size_t)set->rows);
    assert_int_equal(ll_dataset_labels(labels, set->rows, set->name, 1, NULL), LL_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int sign = 0; sign < 2; sign++) {
            char noise[64] = "none";
            if (rows[i].tau != NULL)
                (void)snprintf(noise, sizeof noise, "bounded:%s,%s", rows[i].tau, sign == 0 ? "plus" : "minus");
            ll_scorer *scorer =
                scorer_of_text("metric=%s; arithmetic=fp64; clip=none; sum=pairwise; rows=%ld; noise=%s", rows[i].loss,
                               set->rows, noise);
            ll_plan *plan;
            ll_curator *curator;
            ll_verdict verdict;
            ll_error error;
            ll_plan_info info;
            ll_verdict_init(&verdict);
            assert_int_equal(ll_plan_create(&plan, scorer,
                                            &(ll_plan_request){.size = sizeof(ll_plan_request), .code = "powers"},
                                            &error),
                             LL_OK);
            ll_plan_get_info(plan, &info);
            assert_true(info.queries <= rows[i].most);
            assert_int_equal(ll_curator_create(&curator, scorer, labels, set->rows, &error), LL_OK);
            ll_oracle oracle = ll_curator_oracle(curator);
            assert_int_equal(ll_attack_run(plan, &verdict, &oracle, NULL, &error), LL_OK);
            assert_int_equal(verdict.certain, set->rows);
            assert_memory_equal(verdict.labels, labels, sizeof *labels * (size_t)set->rows);
            print_message("fp64 %-14s tau %-5s titanic: %ld queries of %ld rows, all certain and right\n", rows[i].loss,
                          rows[i].tau != NULL ? rows[i].tau : "0", info.queries, info.block);
            ll_verdict_clear(&verdict);
            ll_curator_destroy(curator);
            ll_plan_destroy(plan);
            ll_scorer_destroy(scorer);
        }
    }
    free(labels);
}

/* log-loss of doubles reaches 707 at most, and tau = 1 on 2201 rows hides every single label: 2 N tau = 4402. No method
 * at all can do it: two labellings that differ in one row give scores that differ by less than 2 tau in every query. */
static void beyond_reach(void **state)
{
    (void)state;
    ll_plan *plan;
    ll_error error;
    ll_scorer *scorer = scorer_of_text("arithmetic=fp64; clip=none; sum=pairwise; rows=2201; noise=bounded:1");
    assert_int_equal(
        ll_plan_create(&plan, scorer, &(ll_plan_request){.size = sizeof(ll_plan_request), .code = "powers"}, &error),
        LL_DOMAIN);
    assert_non_null(strstr(error.text, "largest noise that fits is 0.16"));
    ll_scorer_destroy(scorer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_data_set), cmocka_unit_test(doubles),
                                       cmocka_unit_test(beyond_reach)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
