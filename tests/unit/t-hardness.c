/* The function behind a formula against every labelling, and the decision against all its values. */
#include "hardness/hardness.h"

#include "number/random.h"
#include "slow_formula.h"
#include <flint/flint.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 11, drawn;
static long multiplier = 1;

enum { ROOM = SLOW_CLAUSES * SLOW_WIDTH };
#define MEMORY 1e9

static int below(int n)
{
    return (int)ll_random_below(seed, 0, drawn++, (uint64_t)n);
}

/* ------------------------------------------------------------------ formulas */

typedef struct {
    size_t starts[SLOW_CLAUSES + 1];
    int32_t literals[ROOM];
    ll_cnf cnf;
} storage;

static const ll_cnf *convert(storage *s, const slow_formula *f)
{
    size_t count = 0;
    for (int c = 0; c < f->clauses; c++) {
        s->starts[c] = count;
        for (int i = 0; i < f->width[c]; i++)
            s->literals[count++] = f->literal[c][i];
    }
    s->starts[f->clauses] = count;
    s->cnf = (ll_cnf){f->variables, f->clauses, s->starts, s->literals};
    return &s->cnf;
}

static void add_clause(slow_formula *f, int width, const int *literals)
{
    memcpy(f->literal[f->clauses], literals, (size_t)width * sizeof *literals);
    f->width[f->clauses++] = width;
}

static void add_random_clause(slow_formula *f, int used, int least)
{
    int literals[SLOW_WIDTH] = {0}, width = used > 0 ? least + below(4 - least) : 0;
    for (int i = 0; i < width; i++)
        literals[i] = (1 + below(used)) * (below(2) ? 1 : -1);
    if (width > 1 && below(12) == 0)
        literals[1] = -literals[0]; /* a tautology */
    add_clause(f, width, literals);
    if (below(12) == 0 && f->clauses < SLOW_CLAUSES)
        add_clause(f, f->width[f->clauses - 1], f->literal[f->clauses - 1]); /* the same again */
}

/* Any number of clauses a variable, so that none, one and many models all happen; in one of four formulas some
 * variables do not occur; empty clauses are rare. */
static slow_formula random_formula(int most)
{
    slow_formula f = {.variables = below(most + 1)};
    int used = f.variables > 0 && below(4) == 0 ? below(f.variables) : f.variables;
    int clauses = below(6 * used + 4), least = below(10) == 0 ? 0 : 1;
    if (used == 0 && below(2))
        clauses = 0; /* else the clauses are empty ones */
    while (f.clauses < clauses && f.clauses < SLOW_CLAUSES)
        add_random_clause(&f, used, below(4) ? 1 : least);
    return f;
}

/* ------------------------------------------------------------------ against every labelling */

static void unpack(int32_t *labels, int variables, unsigned sigma)
{
    for (int i = 0; i < variables; i++)
        labels[i] = (int32_t)(sigma >> i & 1);
}

static slow_value get_value(const fmpz_t value)
{
    fmpz_t high, low;
    fmpz_init(high);
    fmpz_init(low);
    fmpz_fdiv_q_2exp(high, value, 64);
    fmpz_fdiv_r_2exp(low, value, 64);
    slow_value result = (slow_value)fmpz_get_ui(high) << 64 | fmpz_get_ui(low);
    fmpz_clear(high);
    fmpz_clear(low);
    return result;
}

/* All values of f, as the product computes them and as the reference does. */
static int check_values(const slow_formula *f, const ll_cnf *cnf)
{
    static slow_value values[1 << SLOW_VARIABLES];
    int32_t labels[SLOW_VARIABLES];
    unsigned count = 1u << f->variables;
    fmpz_t value;
    fmpz_init(value);
    for (unsigned sigma = 0; sigma < count; sigma++) {
        unpack(labels, f->variables, sigma);
        assert_int_equal(ll_hardness_evaluate(value, cnf, labels), LL_OK);
        values[sigma] = slow_reduction(f, sigma);
        assert_true(get_value(value) == values[sigma]);
    }
    fmpz_clear(value);
    return slow_all_differ(values, count);
}

static unsigned pack(const int32_t *labels, int variables)
{
    unsigned sigma = 0;
    for (int i = 0; i < variables; i++) {
        assert_true(labels[i] == 0 || labels[i] == 1);
        sigma |= (unsigned)labels[i] << i;
    }
    return sigma;
}

/* Decide, and see that the labellings given are different models. Returns how many models it says. */
static long decide(const slow_formula *f, const ll_cnf *cnf)
{
    ll_hardness answer;
    ll_error error = {0};
    unsigned sigma[2];
    ll_hardness_init(&answer);
    if (ll_hardness_decide(&answer, cnf, LL_BUDGET(.memory = MEMORY), &error) != LL_OK)
        fail_msg("%s", error.text);
    for (long i = 0; i < 2; i++) {
        assert_true((answer.zeros[i] != NULL) == (i < answer.models));
        if (answer.zeros[i]) {
            sigma[i] = pack(answer.zeros[i], f->variables);
            assert_int_equal(slow_falsified(f, sigma[i]), 0);
        }
    }
    if (answer.models == 2)
        assert_true(sigma[0] != sigma[1]);
    long models = answer.models;
    ll_hardness_clear(&answer);
    return models;
}

static long check_formula(const slow_formula *f)
{
    storage s;
    const ll_cnf *cnf = convert(&s, f);
    unsigned models = slow_models(f);
    long wanted = models > 2 ? 2 : (long)models;
    assert_int_equal(check_values(f, cnf), models < 2);
    assert_int_equal(decide(f, cnf), wanted);
    return wanted;
}

static void test_random(void **state)
{
    (void)state;
    long seen[3] = {0};
    for (long i = 0; i < 600 * multiplier; i++) {
        slow_formula f = random_formula(i % 60 == 0 ? 12 : i % 6 == 0 ? 9 : 6);
        seen[check_formula(&f)]++;
    }
    print_message("none %ld, one %ld, two or more %ld\n", seen[0], seen[1], seen[2]);
    for (int i = 0; i < 3; i++)
        assert_true(seen[i] > 30);
}

/* Every set of clauses over two variables with up to two literals each: 2^9 formulas, and no corner is left out. */
static void test_all_of_two(void **state)
{
    (void)state;
    static const int clauses[9][3] = {{0},       {1, 1},     {1, -1},    {1, 2},     {1, -2},
                                      {2, 1, 2}, {2, 1, -2}, {2, -1, 2}, {2, -1, -2}};
    for (unsigned set = 0; set < 1u << 9; set++) {
        slow_formula f = {.variables = 2};
        for (int c = 0; c < 9; c++)
            if (set >> c & 1)
                add_clause(&f, clauses[c][0], clauses[c] + 1);
        check_formula(&f);
        f.variables = 3; /* the third occurs nowhere: models double */
        assert_int_not_equal(check_formula(&f), 1);
    }
}

static void test_corners(void **state)
{
    (void)state;
    slow_formula nothing = {0};
    assert_int_equal(check_formula(&nothing), 1); /* the empty labelling is the one model */
    nothing.variables = 1;
    assert_int_equal(check_formula(&nothing), 2);
    slow_formula falsum = {.clauses = 1};
    assert_int_equal(check_formula(&falsum), 0);
    falsum.variables = 5;
    assert_int_equal(check_formula(&falsum), 0);
    slow_formula tautology = {.variables = 1};
    add_clause(&tautology, 2, (int[]){1, -1});
    assert_int_equal(check_formula(&tautology), 2);
    slow_formula unit = {.variables = 1};
    add_clause(&unit, 3, (int[]){-1, -1, -1});
    assert_int_equal(check_formula(&unit), 1);
    add_clause(&unit, 1, (int[]){1});
    assert_int_equal(check_formula(&unit), 0);
    const ll_cnf bare = {.variables = 3}; /* no clause: no array is needed */
    slow_formula three = {.variables = 3};
    assert_int_equal(decide(&three, &bare), 2);
}

/* ------------------------------------------------------------------ the parts */

static void test_primes(void **state)
{
    (void)state;
    static const struct {
        long clauses;
        uint64_t primes[3];
    } cases[] = {{0, {2, 3, 5}}, {1, {2, 3, 5}}, {2, {3, 5, 7}}, {3, {5, 7, 11}}, {4, {5, 7, 11}}, {7, {11, 13, 17}}};
    static const size_t starts[8];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ll_cnf cnf = {3, cases[i].clauses, starts, NULL};
        uint64_t primes[3];
        assert_int_equal(ll_hardness_primes(primes, &cnf, NULL), LL_OK);
        assert_memory_equal(primes, cases[i].primes, sizeof primes);
    }
}

static void test_value(void **state)
{
    (void)state;
    slow_formula f = {.variables = 3};
    add_clause(&f, 1, (int[]){1});
    add_clause(&f, 2, (int[]){1, -2});
    storage s;
    char *text = NULL;
    assert_int_equal(ll_hardness_value(&text, convert(&s, &f), (int32_t[]){0, 1, 1}, NULL), LL_OK);
    assert_string_equal(text, "70"); /* both clauses false, 5 * 7 */
    ll_free(text);
    assert_int_equal(ll_hardness_value(&text, &s.cnf, (int32_t[]){1, 1, 1}, NULL), LL_OK);
    assert_string_equal(text, "0");
    ll_free(text);
}

/* The check that stands between the solver and the report does say no. */
static void test_collide(void **state)
{
    (void)state;
    slow_formula f = {.variables = 2};
    add_clause(&f, 2, (int[]){1, 2});
    storage s;
    const ll_cnf *cnf = convert(&s, &f);
    const int32_t a[] = {0, 1}, b[] = {1, 1}, c[] = {0, 0};
    int yes = -1;
    assert_int_equal(ll_hardness_collide(&yes, cnf, a, b), LL_OK);
    assert_int_equal(yes, 1);
    assert_int_equal(ll_hardness_collide(&yes, cnf, a, a), LL_OK);
    assert_int_equal(yes, 0);
    assert_int_equal(ll_hardness_collide(&yes, cnf, a, c), LL_OK);
    assert_int_equal(yes, 0);
}

static void expect_refusal(const ll_cnf *cnf, const char *reason)
{
    ll_error error = {0};
    ll_hardness answer;
    uint64_t primes[2];
    char *text;
    ll_hardness_init(&answer);
    assert_int_equal(ll_hardness_decide(&answer, cnf, LL_BUDGET(.memory = MEMORY), &error), LL_DOMAIN);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, error.text);
    assert_int_equal(answer.models, 0);
    assert_int_equal(ll_hardness_primes(primes, cnf, NULL), LL_DOMAIN);
    assert_int_equal(ll_hardness_value(&text, cnf, (int32_t[]){0, 0}, NULL), LL_DOMAIN);
}

static void test_refusals(void **state)
{
    (void)state;
    static const size_t starts[] = {0, 2};
    expect_refusal(&(ll_cnf){2, 1, starts, (int32_t[]){1, 3}}, "clause 1: 3 is no literal of 2 variables");
    expect_refusal(&(ll_cnf){2, 1, starts, (int32_t[]){0, 1}}, "clause 1: 0 is no literal");
    expect_refusal(&(ll_cnf){2, 1, starts, (int32_t[]){1, INT32_MIN}}, "clause 1: -2147483648 is no literal");
    expect_refusal(&(ll_cnf){-1, 0, NULL, NULL}, "cannot have -1 variables");
    expect_refusal(&(ll_cnf){LL_CNF_VARIABLES + 1, 0, NULL, NULL}, "2147483647 variables: at most");
}

/* ------------------------------------------------------------------ budgets */

/* 12 pigeons in 11 holes: minutes, unless it is stopped. With `extra` there is one model more, told by one variable x:
 * (x or the pigeons), and x forces all others to 0. */
enum { HOLES = 11, PIGEONS = HOLES + 1, PIGEON_VARIABLES = PIGEONS * HOLES };

typedef struct {
    size_t starts[1000];
    int32_t literals[4000];
    long clauses;
    size_t count;
} pigeons;

static void put_literal(pigeons *p, int32_t literal)
{
    p->literals[p->count++] = literal;
}

static void end_clause(pigeons *p, int extra)
{
    if (extra)
        put_literal(p, PIGEON_VARIABLES + 1);
    p->starts[++p->clauses] = p->count;
}

static ll_cnf make_pigeons(pigeons *p, int extra)
{
    *p = (pigeons){0};
    for (int32_t i = 0; i < PIGEONS; i++) {
        for (int32_t j = 1; j <= HOLES; j++)
            put_literal(p, HOLES * i + j);
        end_clause(p, extra);
    }
    for (int32_t j = 1; j <= HOLES; j++)
        for (int32_t i = 0; i < PIGEONS; i++)
            for (int32_t k = 0; k < i; k++) {
                put_literal(p, -(HOLES * i + j));
                put_literal(p, -(HOLES * k + j));
                end_clause(p, extra);
            }
    for (int32_t v = 1; extra && v <= PIGEON_VARIABLES; v++) { /* x makes all others false: x alone is one model */
        put_literal(p, -v);
        put_literal(p, -(PIGEON_VARIABLES + 1));
        end_clause(p, 0);
    }
    return (ll_cnf){PIGEON_VARIABLES + (extra ? 1 : 0), p->clauses, p->starts, p->literals};
}

static int stop_after(void *self)
{
    long *left = self;
    return (*left)-- <= 0;
}

static void expect_undecided(const ll_cnf *cnf, int (*stop)(void *), void *self, double memory, const char *reason)
{
    ll_error error = {0};
    ll_hardness answer;
    ll_hardness_init(&answer);
    assert_int_equal(ll_hardness_decide(&answer, cnf, LL_BUDGET(.memory = memory, .stop = stop, .self = self), &error),
                     LL_UNABLE);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, error.text);
    assert_int_equal(answer.models, 0);
    assert_null(answer.zeros[0]);
}

static void test_stop(void **state)
{
    (void)state;
    pigeons p;
    ll_cnf cnf = make_pigeons(&p, 0);
    for (long left = 0; left < 4; left++) {
        long few = left;
        expect_undecided(&cnf, stop_after, &few, MEMORY, "it is not known whether there is a model (the search was");
    }
    long budget = 0; /* an answer that would be there at once is none after a stop */
    expect_undecided(&(ll_cnf){.variables = 1}, stop_after, &budget, MEMORY, "(the search was stopped)");
    cnf = make_pigeons(&p, 1);
    budget = 200;
    expect_undecided(&cnf, stop_after, &budget, MEMORY,
                     "one model was found, and it is not known whether there is a second");
}

static int eat_memory(void *self)
{
    void **eaten = self;
    *eaten = realloc(*eaten, 50000000);
    memset(*eaten, 1, 50000000);
    return 0;
}

static void test_memory(void **state)
{
    (void)state;
    pigeons p;
    ll_cnf cnf = make_pigeons(&p, 0);
    expect_undecided(&cnf, NULL, NULL, 1000, "the search needs about");
    expect_undecided(&(ll_cnf){.variables = LL_CNF_VARIABLES}, NULL, NULL, MEMORY, "the search needs about 5497");
#ifndef __SANITIZE_ADDRESS__ /* its heap is not the one that is measured */
    void *eaten = NULL;
    expect_undecided(&cnf, eat_memory, &eaten, 20000000, "the search outgrew the memory allowed");
    free(eaten);
#else
    (void)eat_memory;
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),   cmocka_unit_test(test_all_of_two), cmocka_unit_test(test_corners),
        cmocka_unit_test(test_primes),   cmocka_unit_test(test_value),      cmocka_unit_test(test_collide),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_stop),       cmocka_unit_test(test_memory),
    };
    const char *text = getenv("LL_TEST_SEED"), *times = getenv("LL_TEST_MULTIPLIER");
    seed = text ? strtoull(text, NULL, 10) : seed;
    multiplier = times ? strtol(times, NULL, 10) : 1;
    print_message("LL_TEST_SEED=%llu\n", (unsigned long long)seed);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
