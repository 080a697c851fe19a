#include "guard/meter.h"

#include <lossleak.h>

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- rates ---- */

static double fixed_rate(const ll_tariff *tariff, const ll_meter *meter)
{
    (void)meter;
    return tariff->rate;
}

/* Krichevsky and Trofimov: half an answer of each kind was there before the first. */
static double learned_rate(const ll_tariff *tariff, const ll_meter *meter)
{
    (void)tariff;
    return ((double)meter->improved + 0.5) / ((double)meter->improved + (double)meter->silent + 1);
}

static const ll_rate_kind kinds[] = {{"fixed", fixed_rate}, {"learned", learned_rate}};

const ll_rate_kind *ll_rate_kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

/* ---- prices ---- */

int64_t ll_meter_round_up(double bits)
{
    double units = ceil(bits * (double)LL_METER_BIT * (1 + 0x1p-50));
    return units < 0x1p62 ? (int64_t)units : INT64_MAX;
}

int64_t ll_meter_round_down(double bits)
{
    double units = floor(bits * (double)LL_METER_BIT * (1 - 0x1p-50));
    return units < 0x1p62 ? (int64_t)units : INT64_MAX;
}

static int is_uniform(const ll_tariff *tariff, const ll_stand *stand)
{
    return stand->is_first && tariff->is_first_uniform;
}

int64_t ll_meter_price(const ll_tariff *tariff, const ll_meter *meter, const ll_stand *stand, long climbed)
{
    assert(climbed >= 0 && climbed <= stand->left);
    if (stand->left == 0)
        return 0;
    if (is_uniform(tariff, stand))
        return ll_meter_round_up(log2((double)stand->left + 1) * (1 + 0x1p-48));
    return ll_meter_round_up(ll_answer_price(tariff->rate_kind->rate(tariff, meter), climbed, stand->left));
}

static int fits(const ll_tariff *tariff, const ll_meter *meter, int64_t price)
{
    return tariff->budget == INT64_MAX || price <= tariff->budget - meter->spent;
}

/* Climbs get more expensive, level by level: the most that fits. */
static long highest_that_fits(const ll_tariff *tariff, const ll_meter *meter, const ll_stand *stand, long climbed)
{
    while (climbed > 0 && !fits(tariff, meter, ll_meter_price(tariff, meter, stand, climbed)))
        climbed--;
    return climbed;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t ll_meter_most(const ll_tariff *tariff, const ll_meter *meter, const ll_stand *stand)
{
    long climb = tariff->is_nearest ? highest_that_fits(tariff, meter, stand, stand->left) : stand->left;
    return larger(ll_meter_price(tariff, meter, stand, 0), ll_meter_price(tariff, meter, stand, climb));
}

/* Where answers are shown at the nearest level that fits, one level at least must. */
int ll_meter_admits(const ll_tariff *tariff, const ll_meter *meter, const ll_stand *stand)
{
    long climb = stand->left > 0 && tariff->is_nearest ? 1 : stand->left;
    return fits(tariff, meter, ll_meter_price(tariff, meter, stand, 0)) &&
           fits(tariff, meter, ll_meter_price(tariff, meter, stand, climb));
}

long ll_meter_show(const ll_tariff *tariff, const ll_meter *meter, const ll_stand *stand, long climbed)
{
    return tariff->is_nearest ? highest_that_fits(tariff, meter, stand, climbed) : climbed;
}

void ll_meter_pay(const ll_tariff *tariff, ll_meter *meter, const ll_stand *stand, long shown)
{
    meter->spent += ll_meter_price(tariff, meter, stand, shown);
    if (stand->left == 0 || is_uniform(tariff, stand))
        return;
    meter->improved += shown > 0;
    meter->silent += shown == 0;
}
