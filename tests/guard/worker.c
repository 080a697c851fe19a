/* Submits to a ledger until it is told to stop, and says what it was answered, one line an answer, as soon as it has it:
 *     ID SHOWN CHARGED RECEIPT
 * usage: worker URL make | worker URL verify [RECEIPT] | worker URL list | worker URL submit ACCOUNT SEED [COUNT] */
#include <lossleak/guard.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 500 };

static double given[ROWS];
static int32_t labels[ROWS];
static ll_error error;

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *unused)
{
    (void)self;
    (void)unused;
    double *to = ll_block_reserve_doubles(out, count, 1);
    memcpy(to, given + first, (size_t)count * sizeof *to);
    return LL_OK;
}

static int fail(void)
{
    (void)fprintf(stderr, "worker: %s\n", error.text);
    return 1;
}

static int make(const char *url)
{
    static const char json[] = "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":500,\"release\":\"levels:0.3:1:70\"},"
                               "\"promise\":{\"bits\":1e9}}";
    ll_policy *policy = NULL;
    ll_guard *guard = NULL;
    if (ll_policy_read(&policy, json, strlen(json), &error) != LL_OK ||
        ll_guard_create(&guard, url, policy, labels, ROWS, NULL, &error) != LL_OK)
        return fail();
    for (char name[] = "a"; name[0] <= 'h'; name[0]++)
        if (ll_guard_add_account(guard, NULL, name, LL_ROLE_PARTICIPANT, &error) != LL_OK)
            return fail();
    ll_guard_close(guard);
    ll_policy_destroy(policy);
    return 0;
}

static int print(void *self, const ll_guard_entry *e)
{
    (void)self;
    printf("%ld %s %.6f %s\n", e->submission, e->shown, e->charged, e->chain);
    return 0;
}

static int submit(ll_guard *guard, const char *account, unsigned seed, long count)
{
    const ll_predictions predictions = {.rows = ROWS, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get};
    ll_guard_answer answer;
    ll_guard_answer_init(&answer);
    for (long i = 0; i < count; i++) {
        for (int row = 0; row < ROWS; row++)
            given[row] = rand_r(&seed) % 100 < 35 ? 1 - labels[row] : labels[row];
        if (ll_guard_submit(guard, &answer, account, &predictions, &error) != LL_OK)
            return fail();
        printf("%ld %s %.6f %s\n", answer.submission, answer.shown, answer.charged, answer.receipt);
        (void)fflush(stdout);
    }
    ll_guard_answer_clear(&answer);
    return 0;
}

int main(int count, char **arguments)
{
    ll_guard *guard = NULL;
    const char *what = count > 2 ? arguments[2] : "";
    for (int i = 0; i < ROWS; i++)
        labels[i] = i % 3 == 0;
    if (strcmp(what, "make") == 0)
        return make(arguments[1]);
    if (count < 3 || ll_guard_open(&guard, arguments[1], NULL, &error) != LL_OK)
        return fail();
    int status = 0;
    if (strcmp(what, "verify") == 0)
        status = ll_guard_verify(guard, count > 3 ? arguments[3] : NULL, &error) == LL_OK ? 0 : fail();
    else if (strcmp(what, "list") == 0)
        status = ll_guard_entries(guard, 0, print, NULL, &error) == LL_OK ? 0 : fail();
    else if (count > 4)
        status = submit(guard, arguments[3], (unsigned)atoi(arguments[4]), count > 5 ? atol(arguments[5]) : 1000000000);
    ll_guard_close(guard);
    return status;
}
