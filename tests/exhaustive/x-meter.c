/* The meter (docs/proofs/meter.md) against all adaptive strategies, by brute force in small worlds. Prices come from the
 * library; accounts, levels and labellings are kept here. Prices of one submission satisfy Kraft's inequality; no
 * transcript is paid with more than the budget; no strategy reaches more than 2^B transcripts, whatever its submissions
 * are; and with accuracy over real labellings no strategy expects a larger share than the audit says of B bits, and no
 * answer is expected to cost less than it tells.
 * LL_TEST_LONG: larger worlds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/scorer_tools.h"

#include "guard/meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACCOUNTS = 2 };

/* What everybody knows. */
typedef struct {
    ll_meter meter;
    int answered[ACCOUNTS];
    long level[ACCOUNTS];
} known;

static ll_tariff tariff;
static long levels, nodes;
static int64_t most_spent;

static ll_stand stand_of(const known *k, int account)
{
    return (ll_stand){.is_first = !k->answered[account], .left = levels - k->level[account]};
}

static known after(const known *k, int account, long climbed)
{
    known next = *k;
    ll_stand stand = stand_of(k, account);
    ll_meter_pay(&tariff, &next.meter, &stand, climbed);
    next.answered[account] = 1;
    next.level[account] += climbed;
    return next;
}

/* All answers to one submission, whether they are given or not. */
static void check_kraft(const known *k, const ll_stand *stand)
{
    long double sum = 0;
    for (long climbed = 0; climbed <= stand->left; climbed++)
        sum += exp2l(-(long double)ll_meter_price(&tariff, &k->meter, stand, climbed) / (long double)LL_METER_BIT);
    assert_true(sum <= 1);
}

/* ---- transcripts: submissions can be any function of the labels ---- */

static double count_transcripts(const known *k, int submissions)
{
    double most = 1;
    nodes++;
    assert_true(k->meter.spent <= tariff.budget);
    most_spent = k->meter.spent > most_spent ? k->meter.spent : most_spent;
    for (int account = 0; account < ACCOUNTS && submissions > 0; account++) {
        ll_stand stand = stand_of(k, account);
        double sum = 0;
        check_kraft(k, &stand);
        if (!ll_meter_admits(&tariff, &k->meter, &stand))
            continue;
        for (long climbed = 0; climbed <= stand.left; climbed++)
            if (ll_meter_show(&tariff, &k->meter, &stand, climbed) == climbed) {
                known next = after(k, account, climbed);
                sum += count_transcripts(&next, submissions - 1);
            }
        most = sum > most ? sum : most;
    }
    return most;
}

/* ---- shares: accuracy over all labellings ---- */

static int rows;

/* Level j needs rows - levels + j right rows. */
static long reached(unsigned labels, unsigned submission)
{
    long right = rows - __builtin_popcount(labels ^ submission), level = right - (rows - levels);
    return level > 0 ? level : 0;
}

static double guess(uint64_t mask)
{
    int best = 0;
    for (int row = 0; row < rows; row++) {
        int ones = 0, all = __builtin_popcountll(mask);
        for (unsigned y = 0; y < 1u << rows; y++)
            ones += (mask >> y & 1) && (y >> row & 1);
        best += ones > all - ones ? ones : all - ones;
    }
    return best;
}

static double luckiest; /* bits that a run showed beyond what it paid for */

/* The expected price of an answer is at least its entropy; a single one can tell more than it costs. */
static void check_information(const known *k, const ll_stand *stand, uint64_t mask, const uint64_t *parts)
{
    double entropy = 0, price = 0, all = __builtin_popcountll(mask);
    for (long climbed = 0; climbed <= stand->left; climbed++) {
        double share = __builtin_popcountll(parts[climbed]) / all;
        double bits = (double)ll_meter_price(&tariff, &k->meter, stand, climbed) / (double)LL_METER_BIT;
        if (share == 0)
            continue;
        entropy -= share * log2(share);
        price += share * bits;
        luckiest = fmax(luckiest, -log2(share) - bits);
    }
    assert_true(entropy <= price + 1e-9);
}

/* Right rows, summed over the labellings of the mask, by the best strategy from here on. */
static double best_share(const known *k, uint64_t mask, int submissions)
{
    double most = guess(mask);
    nodes++;
    for (int account = 0; account < ACCOUNTS && submissions > 0; account++) {
        ll_stand stand = stand_of(k, account);
        if (!ll_meter_admits(&tariff, &k->meter, &stand))
            continue;
        for (unsigned x = 0; x < 1u << rows; x++) {
            uint64_t parts[8] = {0};
            double sum = 0;
            for (unsigned y = 0; y < 1u << rows; y++) {
                long climbed = reached(y, x) - k->level[account];
                climbed = ll_meter_show(&tariff, &k->meter, &stand, climbed > 0 ? climbed : 0);
                parts[climbed] |= (mask >> y & 1) << y;
            }
            check_information(k, &stand, mask, parts);
            for (long climbed = 0; climbed <= stand.left; climbed++)
                if (parts[climbed] != 0) {
                    known next = after(k, account, climbed);
                    sum += best_share(&next, parts[climbed], submissions - 1);
                }
            most = sum > most ? sum : most;
        }
    }
    return most;
}

/* ---- all tariffs ---- */

static const double rates[] = {0.01, 0.3, 0.9, 0}, budgets[] = {0.5, 1, 2, 3.3, 5, 8};

static void for_each_tariff(void (*check)(double bits))
{
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
        for (int first = 0; first < 2; first++)
            for (int nearest = 0; nearest < 2; nearest++)
                for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
                    tariff = (ll_tariff){.rate_kind = ll_rate_kind_find(rates[r] > 0 ? "fixed" : "learned"),
                                         .rate = rates[r],
                                         .is_first_uniform = first,
                                         .is_nearest = nearest,
                                         .budget = ll_meter_round_down(budgets[b])};
                    check(budgets[b]);
                }
}

static double closest;

static void check_transcripts(double bits)
{
    const known start = {0};
    int submissions = getenv("LL_TEST_LONG") != NULL ? 7 : 5;
    for (levels = 1; levels <= 3; levels++) {
        double count = count_transcripts(&start, submissions);
        assert_true(count <= exp2(bits));
        closest = fmax(closest, count / exp2(bits));
    }
}

static void check_shares(double bits)
{
    ll_error error;
    int most_rows = getenv("LL_TEST_LONG") != NULL ? 6 : 4;
    for (rows = 2; rows <= most_rows; rows++)
        for (levels = 1; levels <= 3 && levels <= rows; levels++) {
            const known start = {0};
            double share = 0;
            int submissions = rows <= 3 ? 3 : 2;
            uint64_t all = rows == 6 ? UINT64_MAX : (UINT64_C(1) << (1 << rows)) - 1;
            ll_scorer *scorer = scorer_of_text("metric=accuracy; rows=%d; release=levels:0:1:%d", rows, rows);
            assert_int_equal(ll_audit_share_of_bits(&share, scorer, bits, &error), LL_OK);
            double got = best_share(&start, all, submissions) / (double)rows / exp2(rows);
            assert_true(got <= share + 1e-9);
            closest = fmax(closest, got - share);
            ll_scorer_destroy(scorer);
        }
}

static void test_transcripts(void **state)
{
    (void)state;
    nodes = 0;
    closest = 0;
    for_each_tariff(check_transcripts);
    print_message("x-meter: %ld histories; at most %.3f of 2^B transcripts\n", nodes, closest);
    assert_true(closest > 0.4 && most_spent > 0); /* the bound is near, so the worlds are no toys */
}

static void test_shares(void **state)
{
    (void)state;
    nodes = 0;
    closest = -1;
    for_each_tariff(check_shares);
    print_message("x-meter: %ld histories over labellings; the share comes within %.4f of the limit\n", nodes,
                  -closest);
    assert_true(closest > -0.2 && luckiest > 1); /* so what was paid so far is no bound on one run */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_transcripts), cmocka_unit_test(test_shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
