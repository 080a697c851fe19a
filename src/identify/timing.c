/* Does the running time depend on labels? The labellings of `same` with the longest and with the shortest run are run
 * again, in an order drawn at random, each run alone: a test of ranks says how likely such times are by chance, whatever
 * else the machine does. Nothing is read through it. */
#include "identify/job.h"

#include "number/order.h"
#include "number/random.h"
#include "number/text_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 10, ORDER = 0x74696d };
#define MOST_CHANCE 1e-4      /* of calling a program slow that is not */
#define LEAST_DIFFERENCE 1e-3 /* seconds; what is less is not reported */
#define MOST_SECONDS 0.25     /* of one run; slower programs are not asked again */

typedef struct {
    long slow, fast; /* runs of `same` */
    double slow_seconds[TIMES], fast_seconds[TIMES];
} race;

/* ---- ranks ---- */

/* ways[n][m][u]: orders of n times and m others in which u pairs have the first longer (Mann and Whitney). */
double ll_rank_chance(long pairs, long each)
{
    enum { MOST = 12, PAIRS = MOST * MOST + 1 };
    static const size_t line = sizeof(double) * (MOST + 1) * PAIRS;
    double above = 0, all = 0, *ways = calloc(MOST + 1, line);
    if (ways == NULL || each > MOST)
        return free(ways), 1;
    for (long n = 0; n <= each; n++)
        for (long m = 0; m <= each; m++)
            for (long u = 0; u <= n * m; u++) {
                double *at = &ways[(n * (MOST + 1) + m) * PAIRS + u];
                *at = n == 0 || m == 0;
                if (n > 0 && m > 0)
                    *at = (u >= m ? *(at - (MOST + 1) * PAIRS - m) : 0) + *(at - PAIRS);
                if (n == each && m == each)
                    all += *at, above += u >= pairs ? *at : 0;
            }
    free(ways);
    return above / all;
}

static double middle(double *seconds)
{
    qsort(seconds, TIMES, sizeof *seconds, ll_compare_doubles);
    return (seconds[TIMES / 2 - 1] + seconds[TIMES / 2]) / 2;
}

static long count_longer(const race *r)
{
    long pairs = 0;
    for (int i = 0; i < TIMES; i++)
        for (int j = 0; j < TIMES; j++)
            pairs += r->slow_seconds[i] > r->fast_seconds[j];
    return pairs;
}

/* ---- runs ---- */

/* 0: runs did not succeed alone, or take too long. */
static int choose(race *r, const ll_identify_job *job)
{
    const ll_probe *all = &job->pool.probes[job->same.first];
    double sum = 0;
    for (long i = 0; i < job->same.count; i++) {
        if (all[i].reply.failed || !(all[i].seconds > 0))
            return 0;
        sum += all[i].seconds;
        r->slow = all[i].seconds > all[r->slow].seconds ? i : r->slow;
        r->fast = all[i].seconds < all[r->fast].seconds ? i : r->fast;
    }
    return sum / (double)job->same.count <= MOST_SECONDS && r->slow != r->fast;
}

static void draw_order(unsigned char *is_slow, uint64_t seed)
{
    for (int i = 0; i < 2 * TIMES; i++)
        is_slow[i] = i % 2 == 0;
    for (int i = 2 * TIMES - 1; i > 0; i--) {
        long with = (long)ll_random_below(seed, ORDER, (uint64_t)i, (uint64_t)i + 1);
        unsigned char kept = is_slow[i];
        is_slow[i] = is_slow[with];
        is_slow[with] = kept;
    }
}

static ll_status run_again(race *r, ll_identify_job *job)
{
    unsigned char is_slow[2 * TIMES];
    long slow = 0, fast = 0;
    ll_status status = LL_OK;
    draw_order(is_slow, job->task.seed);
    for (int i = 0; i < 2 * TIMES && status == LL_OK; i++) {
        ll_probe *probe;
        ll_span span;
        status =
            ll_run_pool_add_copy(&job->pool, &probe, job->same.first + (is_slow[i] ? r->slow : r->fast), job->error);
        if (status == LL_OK)
            status = ll_run_pool_run(&job->pool, &span, job->error);
        if (status == LL_OK && is_slow[i])
            r->slow_seconds[slow++] = probe->seconds;
        else if (status == LL_OK)
            r->fast_seconds[fast++] = probe->seconds;
    }
    return status;
}

/* ---- sentences about it ---- */

static void say(race *r, ll_identify_job *job)
{
    ll_identification *out = job->out;
    double chance = ll_rank_chance(count_longer(r), TIMES), slow = 1e3 * middle(r->slow_seconds),
           fast = 1e3 * middle(r->fast_seconds);
    out->time_chance = chance;
    out->time_difference = (slow - fast) / 1e3;
    out->time_depends = chance <= MOST_CHANCE && out->time_difference >= LEAST_DIFFERENCE ? LL_TRUE : LL_FALSE;
    if (out->time_depends == LL_TRUE)
        out->time_evidence = ll_texts_add(
            job->texts,
            "Running time depends on labels: %.1f ms with some, %.1f ms with others, the submission being the same (medians of %d runs each, in an order "
            "drawn at random; by chance that is seen once in %.0f programs). Who sees when an answer comes may read labels from it; nothing here does.",
            slow, fast, TIMES, 1 / chance);
    else
        out->time_evidence = ll_texts_add(
            job->texts,
            "Running time was not seen to depend on labels: %.1f ms and %.1f ms with two labellings (medians of %d runs each). Less than %.0f ms is not looked for.",
            slow, fast, TIMES, 1e3 * LEAST_DIFFERENCE);
}

ll_status ll_identify_time(ll_identify_job *job)
{
    race r = {0};
    ll_identification *out = job->out;
    out->time_depends = LL_UNKNOWN;
    out->time_difference = out->time_chance = (double)NAN;
    out->time_evidence = ll_texts_add(
        job->texts, "Running time was not looked at: a run fails, takes more than %g s, or no more runs were left.",
        MOST_SECONDS);
    if (!choose(&r, job) || !ll_asker_has(&job->pool.asker, 2 * TIMES))
        return LL_OK;
    ll_status status = run_again(&r, job);
    if (status == LL_OK)
        say(&r, job);
    return status == LL_UNABLE ? LL_OK : status; /* out of time: what is known stands */
}
