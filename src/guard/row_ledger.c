#include "guard/row_ledger.h"
#include "guard/noisy_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one submission ---- */

static int32_t to_units(double rho)
{
    double units = ceil(rho * LL_RHO_ONE * (1 + 0x1p-40));
    return units < (double)INT32_MAX ? (int32_t)units : INT32_MAX;
}

static double label_bits(const ll_policy *policy)
{
    long classes = ll_scorer_get_count(policy->scorer, "classes");
    return log2((double)(classes > 2 ? classes : 2));
}

/* A submission that moves the score by as much as its size allows: noise in proportion has a size that is larger. */
double ll_row_charge_most(const ll_policy *policy, long rows)
{
    double own = 0, all = label_bits(policy) * (double)rows;
    if (ll_noise_size(&own, policy->noise, 0.5, 0, NULL) != LL_OK || !ll_noise_follows_spread(policy->noise))
        return all;
    return fmin(all, 1 / (own * own) / (2 * LL_RHO_OF_BITS) * (1 + 0x1p-20));
}

static double root_of_squares(const double *moves, long rows)
{
    double sum = 0;
    for (long i = 0; i < rows; i++)
        sum += moves[i] * moves[i];
    return sqrt(sum);
}

/* Of one label no answer tells more than it has to tell. */
static void set_charge(const ll_guard *guard, ll_row_charge *out, const double *moves)
{
    double most = label_bits(guard->policy), bits = 0;
    for (long i = 0; i < guard->rows; i++) {
        double over = (moves[i] + ll_noise_grid()) / out->size, rho = over * over / 2;
        out->rho[i] = to_units(rho);
        bits += fmin(rho / LL_RHO_OF_BITS, most);
    }
    out->price = ll_meter_round_up(bits * (1 + 0x1p-30));
}

ll_status ll_row_charge_measure(ll_guard *guard, ll_row_charge *out, const ll_predictions *predictions, ll_error *error)
{
    double *moves = malloc(sizeof *moves * (size_t)guard->rows);
    ll_reach reach = {.moves = moves};
    *out = (ll_row_charge){.rho = malloc(sizeof *out->rho * (size_t)guard->rows)};
    ll_status status = moves != NULL && out->rho != NULL ? ll_curator_reach(guard->bare, &reach, predictions, error)
                                                         : ll_fail(error, LL_MEMORY, "no memory for a submission");
    if (status == LL_OK)
        status = ll_noise_size(&out->size, guard->policy->noise,
                               root_of_squares(moves, guard->rows) / 2 * (1 + 0x1p-40), guard->rows, error);
    if (status == LL_OK)
        set_charge(guard, out, moves);
    free(moves);
    return status;
}

void ll_row_charge_clear(ll_row_charge *charge)
{
    free(charge->rho);
    *charge = (ll_row_charge){0};
}

/* ---- all answers ---- */

ll_status ll_row_ledger_get(ll_guard *guard, int32_t **rho, ll_error *error)
{
    char *text = NULL;
    long n = guard->rows;
    int is_encrypted = 0;
    *rho = NULL;
    ll_status status = ll_store_run(guard->store, "SELECT rho FROM lossleak_exposure WHERE id = 1", NULL, 0,
                                    ll_ledger_take_text, &text, error);
    if (status == LL_OK && text != NULL)
        status = ll_vault_open(rho, &n, &is_encrypted, text, NULL, error);
    else if (status == LL_OK && (*rho = calloc((size_t)n, sizeof **rho)) == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for what rows were exposed to");
    free(text);
    if (status == LL_OK && n != guard->rows)
        status = ll_fail(error, LL_DOMAIN, "what this ledger says of its rows is damaged");
    return status;
}

ll_status ll_row_ledger_put(ll_guard *guard, const int32_t *rho, ll_error *error)
{
    char *text = NULL;
    ll_status status = ll_vault_close(&text, rho, guard->rows, NULL, error);
    const char *values[] = {text};
    if (status == LL_OK)
        status = ll_store_run(guard->store,
                              "INSERT INTO lossleak_exposure(id, rho) VALUES(1, $1) ON CONFLICT (id) DO UPDATE SET rho "
                              "= excluded.rho",
                              values, 1, NULL, NULL, error);
    free(text);
    return status;
}

static int64_t sum_of(const int32_t *rho, const ll_row_charge *charge, long row)
{
    return (int64_t)rho[row] + charge->rho[row];
}

long ll_row_ledger_find_full(const ll_guard *guard, const int32_t *rho, const ll_row_charge *charge)
{
    double cap = floor(guard->policy->row_cap * LL_RHO_ONE * (1 - 0x1p-40));
    for (long i = 0; i < guard->rows && isfinite(cap); i++)
        if ((double)sum_of(rho, charge, i) > cap)
            return i;
    return -1;
}

void ll_row_ledger_add(const ll_guard *guard, int32_t *rho, const ll_row_charge *charge)
{
    for (long i = 0; i < guard->rows; i++) {
        int64_t sum = sum_of(rho, charge, i);
        rho[i] = sum < INT32_MAX ? (int32_t)sum : INT32_MAX;
    }
}

void ll_row_ledger_digest(const ll_guard *guard, char *out, const int32_t *rho)
{
    ll_digest digest;
    ll_digest_init(&digest, "exposure");
    for (long i = 0; i < guard->rows; i++)
        ll_digest_add_number(&digest, rho[i]);
    ll_digest_finish_text(&digest, out);
}
