/* What answers by levels cost (docs/proofs/meter.md). Prices are whole numbers of LL_METER_BIT-ths of a bit, rounded up,
 * so that their sum is exact.
 *
 * The code of answers: how probable an improvement is (its rate: fixed, or learned from everything that was shown), and
 * what a first answer costs. It looks at answers alone, never at labels otherwise. */
#ifndef LL_GUARD_METER_H
#define LL_GUARD_METER_H

#include <stdint.h>

#define LL_METER_BIT INT64_C(1000000)

typedef struct {
    int64_t spent;         /* by all accounts together */
    long improved, silent; /* answers that showed an improvement and that did not, of those whose price has the rate */
} ll_meter;

typedef struct ll_rate_kind ll_rate_kind;

typedef struct {
    const ll_rate_kind *rate_kind;
    double rate;          /* in (0, 1), of a fixed rate */
    int is_first_uniform; /* the first answer of a staircase: every level is as probable */
    int is_nearest;       /* an answer that does not fit any more is shown at the nearest level that does */
    int64_t budget;       /* INT64_MAX: none */
} ll_tariff;

struct ll_rate_kind {
    const char *name;
    double (*rate)(const ll_tariff *tariff, const ll_meter *meter);
};

/* "fixed" or "learned"; NULL: no such kind. */
const ll_rate_kind *ll_rate_kind_find(const char *name);

/* An answer that is one of a staircase: the first one of it, or not; `left` levels are above the best. */
typedef struct {
    int is_first;
    long left;
} ll_stand;

/* 0 <= climbed <= stand->left. */
int64_t ll_meter_price(const ll_tariff *tariff, const ll_meter *meter, const ll_stand *stand, long climbed);
/* Of the costliest answer that can be given. */
int64_t ll_meter_most(const ll_tariff *tariff, const ll_meter *meter, const ll_stand *stand);

/* Before it is scored: can a submission be answered? */
int ll_meter_admits(const ll_tariff *tariff, const ll_meter *meter, const ll_stand *stand);
/* What is shown of a submission that is admitted and climbs so far: as much, or the most that still fits. */
long ll_meter_show(const ll_tariff *tariff, const ll_meter *meter, const ll_stand *stand, long climbed);
/* It was shown, and is paid. */
void ll_meter_pay(const ll_tariff *tariff, ll_meter *meter, const ll_stand *stand, long shown);

/* Bits as a price, rounded up, and as a budget, rounded down; INT64_MAX: as much or more. */
int64_t ll_meter_round_up(double bits);
int64_t ll_meter_round_down(double bits);

#endif
