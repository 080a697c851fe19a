/* What two answers with discrete noise tell (docs/proofs/row-ledger.md), by brute force: all labellings of 2 to 4 rows,
 * submissions whose scores are sums of integer weights on the grid, both laws, noise down to less than a step, and for
 * every first answer the second submission that tells the most. Information about all labels, and about one label for
 * somebody who knows the others, is computed by its definition and held against the sum of rho/4. The laws are summed
 * here; rho is that of the library's formula, without the step of rounding, as weights are integers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

enum { ROWS = 4, REACH = 40, CELLS = 2 * REACH + 1 };

/* Weights of submissions: aimed at one row, even, and codes. */
static const int submissions[][ROWS] = {{1, 0, 0, 0},  {1, 1, 1, 1},  {1, 2, 4, 8},
                                        {3, -1, 2, 0}, {0, 0, 5, -5}, {2, 1, 1, 0}};
enum { SUBMISSIONS = sizeof submissions / sizeof *submissions };

typedef double noise_law(long z, double size);

static double gaussian(long z, double size)
{
    return exp(-(double)(z * z) / (2 * size * size));
}

static double laplace(long z, double size)
{
    return exp(-fabs((double)z) / size);
}

static double weights[CELLS];
static int rows;

static void set_law(noise_law *law, double size)
{
    double sum = 0;
    for (long z = -REACH; z <= REACH; z++)
        sum += weights[z + REACH] = law(z, size);
    for (long i = 0; i < CELLS; i++)
        weights[i] /= sum;
}

static long score_of(int submission, unsigned y)
{
    long sum = 0;
    for (int i = 0; i < rows; i++)
        sum += (long)(y >> i & 1) * submissions[submission][i];
    return sum;
}

static double probability(int submission, unsigned y, long answer)
{
    long z = answer - score_of(submission, y);
    return labs(z) <= REACH ? weights[z + REACH] : 0;
}

/* Sum over y of p(y) ln(p(y)/p(y with others alike)) less that of the prior: row -1 is all labels together. In nats. */
static double inform(const double *joint, int row)
{
    double total = 0, sum = 0;
    unsigned all = 1u << rows;
    for (unsigned y = 0; y < all; y++)
        sum += joint[y];
    for (unsigned y = 0; y < all; y++) {
        double others = row < 0 ? sum : joint[y] + joint[y ^ 1u << row];
        if (joint[y] > 0)
            total += joint[y] * log(joint[y] / others);
    }
    return total; /* minus the entropy that is left */
}

/* What an answer tells beyond what is known: of all labels (row -1) or of one given the others. */
static double tell(const double *before, int submission, int row, int depth)
{
    double told = -inform(before, row), most = 0;
    unsigned all = 1u << rows;
    for (long answer = -REACH; answer <= REACH; answer++) {
        double joint[1u << ROWS], sum = 0, next = 0;
        for (unsigned y = 0; y < all; y++)
            sum += joint[y] = before[y] * probability(submission, y, answer);
        if (sum < 1e-13)
            continue;
        told += inform(joint, row);
        for (int again = 0; again < SUBMISSIONS && depth > 1; again++)
            if (again != submission)
                next = fmax(next, tell(joint, again, row, depth - 1));
        most += next;
    }
    return told + most;
}

static double rho_of(int submission, int row, double size)
{
    double move = submissions[submission][row];
    return move * move / (2 * size * size);
}

/* The greatest that the second one can cost. */
static double limit_of(int first, int row, double size)
{
    double own = 0, most = 0;
    for (int s = 0; s < SUBMISSIONS; s++) {
        double sum = 0;
        for (int i = 0; i < rows; i++)
            sum += row < 0 || i == row ? fmin(rho_of(s, i, size) / 4, M_LN2) : 0;
        own = s == first ? sum : own;
        most = s != first && sum > most ? sum : most;
    }
    return own + most;
}

static double closest;

static void check(int first, int row, double size, int depth)
{
    double before[1u << ROWS];
    for (unsigned y = 0; y < 1u << rows; y++)
        before[y] = 1 / (double)(1u << rows);
    double told = tell(before, first, row, depth), limit = limit_of(first, row, size);
    if (told > limit * (1 + 1e-9) + 1e-9)
        fail_msg("submission %d, row %d, size %g: %g nats, but %g were charged", first, row, size, told, limit);
    closest = fmax(closest, limit > 0 ? told / limit : 0);
}

static void test_laws(void **state)
{
    static noise_law *const laws[] = {gaussian, laplace};
    static const double sizes[] = {0.4, 0.7, 1, 2, 3};
    (void)state;
    int most_rows = getenv("LL_TEST_LONG") != NULL ? ROWS : 3;
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            set_law(laws[l], sizes[k]);
            for (rows = 2; rows <= most_rows; rows++)
                for (int first = 0; first < SUBMISSIONS; first++)
                    for (int row = -1; row < rows; row++)
                        check(first, row, sizes[k], 2);
        }
    print_message("x-row-ledger: at most %.3f of what was charged\n", closest);
    assert_true(closest > 0.8); /* the bound is near, so the worlds are no toys */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_laws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
