/* Errata of the paper, appendix on hardness (lem:almost_taut_conpcomplete, thm:conp): docs/errata.md, "Hardness".
 *
 * Its function of a 3-CNF is separable exactly if at most one labelling falsifies the formula, which a look at the
 * clauses one by one decides; and a reduction that stands needs primes above the number of clauses. */
#include "lossleak/paper.h"

#include "slow_formula.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned long long state_of_draws = 5;

static int below(int n)
{
    state_of_draws = state_of_draws * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((state_of_draws >> 33) % (unsigned)n);
}

static void add_clause(slow_formula *f, int width, const int *literals)
{
    memcpy(f->literal[f->clauses], literals, (size_t)width * sizeof *literals);
    f->width[f->clauses++] = width;
}

static int paper_is_separable(const slow_formula *f, const int *theta)
{
    static slow_value values[1 << SLOW_VARIABLES];
    for (unsigned sigma = 0; sigma < 1u << f->variables; sigma++)
        values[sigma] = slow_paper(f, theta, sigma);
    return slow_all_differ(values, 1u << f->variables);
}

/* ------------------------------------------------------------------ the easy way */

/* The cube where a clause is false, as (variables, values); -1 for a tautology, which is never false. */
static int false_cube(const slow_formula *f, int clause, unsigned *variables, unsigned *values)
{
    unsigned positive = 0, negative = 0;
    for (int i = 0; i < f->width[clause]; i++) {
        int v = f->literal[clause][i];
        *(v > 0 ? &positive : &negative) |= 1u << (abs(v) - 1);
    }
    *variables = positive | negative;
    *values = negative;
    return positive & negative ? -1 : 0;
}

/* At most one falsifying labelling: every clause is a tautology, or speaks of all variables and all those are false at
 * the same labelling. One pass over the clauses, no search. */
static int is_almost_tautology(const slow_formula *f)
{
    unsigned all = (1u << f->variables) - 1, variables, values, one = 0;
    int found = 0;
    for (int c = 0; c < f->clauses; c++) {
        if (false_cube(f, c, &variables, &values) != 0)
            continue;
        if (variables != all || (found && values != one))
            return 0;
        one = values;
        found = 1;
    }
    return 1;
}

/* The paper's form: as many clauses as variables, three literals each (any, so that tautologies happen). */
static slow_formula random_three(int variables)
{
    slow_formula f = {.variables = variables};
    int tautologies = below(2);
    for (int c = 0; c < variables; c++) {
        int x = 1 + below(variables), y = (1 + below(variables)) * (below(2) ? 1 : -1);
        if (tautologies && below(8))
            add_clause(&f, 3, (int[]){x, -x, y});
        else
            add_clause(&f, 3, (int[]){below(2) ? x : -x, y, (1 + below(variables)) * (below(2) ? 1 : -1)});
    }
    return f;
}

static void test_easy(void **state)
{
    (void)state;
    int seen[2] = {0};
    for (int i = 0; i < 4000; i++) {
        slow_formula f = random_three(1 + below(7));
        int theta[8], easy = is_almost_tautology(&f);
        for (int c = 0; c < f.clauses; c++)
            theta[c] = 1 + below(3);
        assert_int_equal(paper_is_separable(&f, theta), easy);
        seen[easy]++;
    }
    print_message("3-CNFs: %d separable, %d not, all told by their clauses one by one\n", seen[1], seen[0]);
    assert_true(seen[0] > 500 && seen[1] > 500);
}

/* Over more than three variables nothing but tautologies is left: all 512 clauses over four. */
static void test_four_variables(void **state)
{
    (void)state;
    enum { LITERALS = 8, CLAUSES = LITERALS * LITERALS * LITERALS };
    for (int first = 0; first < CLAUSES; first++) {
        slow_formula f = {.variables = 4};
        int literals[3], tautology = 0;
        for (int i = 0, rest = first; i < 3; i++, rest /= LITERALS)
            literals[i] = (1 + rest % LITERALS / 2) * (rest % 2 ? 1 : -1);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < i; j++)
                tautology |= literals[i] == -literals[j];
        add_clause(&f, 3, literals);
        assert_int_equal(paper_is_separable(&f, (int[]){1}), tautology);
    }
}

/* ------------------------------------------------------------------ in numbers */

/* The paper's own example, (not x1 or x2 or x3) and (x1 or x2 or not x3), the second clause twice: zero at 100 and at
 * 001, each read off one clause. */
static void test_own_example(void **state)
{
    (void)state;
    slow_formula f = {.variables = 3};
    add_clause(&f, 3, (int[]){-1, 2, 3});
    add_clause(&f, 3, (int[]){1, 2, -3});
    add_clause(&f, 3, (int[]){1, 2, -3});
    for (int i = 0; i < 27; i++) {
        const int theta[] = {1 + i % 3, 1 + i / 3 % 3, 1 + i / 9};
        assert_true(slow_paper(&f, theta, 1) == 0); /* x1 = 1 */
        assert_true(slow_paper(&f, theta, 4) == 0); /* x3 = 1 */
        assert_false(paper_is_separable(&f, theta));
    }
    assert_true(slow_paper(&f, (int[]){1, 1, 1}, 7) == 5 * 7 * 11 * 2 * 2 * 2);
    assert_false(is_almost_tautology(&f));
}

/* Every set of the eight clauses of three literals over x1, x2, x3. Each clause is false at one labelling of its own,
 * so the paper's function separates up to one clause, the corrected one from seven clauses on. */
static long decide(const slow_formula *f)
{
    static const size_t starts[] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
    int32_t literals[24];
    for (int i = 0; i < 3 * f->clauses; i++)
        literals[i] = f->literal[i / 3][i % 3];
    const ll_cnf cnf = {3, f->clauses, starts, literals};
    ll_hardness answer;
    ll_hardness_init(&answer);
    assert_int_equal(ll_hardness_decide(&answer, &cnf, NULL, NULL), LL_OK);
    long models = answer.models;
    ll_hardness_clear(&answer);
    return models;
}

static void test_eight_clauses(void **state)
{
    (void)state;
    const int theta[] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (unsigned set = 0; set < 256; set++) {
        slow_formula f = {.variables = 3};
        slow_value values[8];
        for (int c = 0; c < 8; c++)
            if (set >> c & 1)
                add_clause(&f, 3, (int[]){c & 1 ? -1 : 1, c & 2 ? -2 : 2, c & 4 ? -3 : 3});
        assert_int_equal(paper_is_separable(&f, theta), f.clauses <= 1);
        assert_int_equal(decide(&f), f.clauses > 6 ? 8 - f.clauses : 2);
        for (unsigned sigma = 0; sigma < 8; sigma++)
            values[sigma] = slow_reduction(&f, sigma);
        assert_int_equal(slow_all_differ(values, 8), f.clauses >= 7);
    }
}

/* lem:conp_helper is for clauses of three literals. Of five, a clause can itself supply the factor 5: over x1..x5,
 * (not x1 or x2 or x3 or x4 or x5), (not x1 or x2) twice and two tautologies have the same value at 01111 and 11111,
 * and both satisfy the formula. */
static void test_long_clauses(void **state)
{
    (void)state;
    slow_formula f = {.variables = 5};
    add_clause(&f, 5, (int[]){-1, 2, 3, 4, 5});
    add_clause(&f, 2, (int[]){-1, 2});
    add_clause(&f, 2, (int[]){-1, 2});
    add_clause(&f, 2, (int[]){2, -2});
    add_clause(&f, 2, (int[]){2, -2});
    const int theta[] = {1, 1, 1, 1, 1};
    assert_true(slow_paper(&f, theta, 0x1e) == 340340); /* 5 * 2 * 2 times 7 * 11 * 13 * 17 */
    assert_true(slow_paper(&f, theta, 0x1f) == 340340); /* 4 * 1 * 1 times 5 * 7 * 11 * 13 * 17 */
    assert_int_equal(slow_falsified(&f, 0x1e), 0);
    assert_int_equal(slow_falsified(&f, 0x1f), 0);
}

static void check_value(const ll_cnf *cnf, int32_t label, const char *expected)
{
    char *text = NULL;
    assert_int_equal(ll_hardness_value(&text, cnf, &label, NULL), LL_OK);
    assert_string_equal(text, expected);
    ll_free(text);
}

/* Why the primes must be above the number of clauses: (x1) and (x1) over one variable has T = 2 at 0. With p_1 = 2 and
 * a clause more that is false at 1, f(0) = 2 and f(1) = 1 * 2; above 3 they differ. */
static void test_primes_matter(void **state)
{
    (void)state;
    slow_formula f = {.variables = 1};
    add_clause(&f, 1, (int[]){1});
    add_clause(&f, 1, (int[]){1});
    add_clause(&f, 1, (int[]){-1});
    assert_int_equal(slow_falsified(&f, 0) * 1, slow_falsified(&f, 1) * 2);
    assert_int_equal(slow_models(&f), 0);
    assert_true(slow_reduction(&f, 0) == 2);
    assert_true(slow_reduction(&f, 1) == 5);
    const ll_cnf cnf = {1, 3, (const size_t[]){0, 1, 2, 3}, (const int32_t[]){1, 1, -1}};
    check_value(&cnf, 0, "2");
    check_value(&cnf, 1, "5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_easy),          cmocka_unit_test(test_four_variables),
        cmocka_unit_test(test_own_example),   cmocka_unit_test(test_eight_clauses),
        cmocka_unit_test(test_primes_matter), cmocka_unit_test(test_long_clauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
