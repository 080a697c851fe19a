/* What the tests of losses share: opening a loss, numbers from text, vectors from a file, random draws. */
#ifndef METRIC_BENCH_H
#define METRIC_BENCH_H

#include "metric/metric.h"
#include "metric/terms/terms.h"
#include "number/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1, drawn;
static long multiplier = 1;

static inline void read_environment(void)
{
    const char *s = getenv("LL_TEST_SEED"), *m = getenv("LL_TEST_MULTIPLIER");
    seed = s ? strtoull(s, NULL, 10) : 1;
    multiplier = m ? strtol(m, NULL, 10) : 1;
    printf("LL_TEST_SEED=%llu LL_TEST_MULTIPLIER=%ld\n", (unsigned long long)seed, multiplier);
}

static inline uint64_t draw(uint64_t n)
{
    return ll_random_below(seed, 0, drawn++, n);
}

static inline ll_metric *open_loss(const char *name)
{
    ll_metric *loss = NULL;
    ll_error error;
    if (ll_metric_create(&loss, name, &error) != LL_OK)
        fail_msg("%s: %s", name, error.text);
    return loss;
}

static inline void set_text(ll_exact *out, const char *text)
{
    if (ll_exact_set_text(out, text, strlen(text)) != LL_OK)
        fail_msg("not a number: %s", text);
}

static inline void ball_text(arb_t out, const char *text, slong prec)
{
    ll_exact x;
    ll_exact_init(&x);
    set_text(&x, text);
    ll_exact_get_ball(out, &x, prec);
    ll_exact_clear(&x);
}

/* A number of 50 digits: right to 10^-49 of itself. */
static inline void ball_rounded(arb_t out, const char *text)
{
    arb_t slack;
    arb_init(slack);
    ball_text(out, text, 300);
    arb_set_ui(slack, 10);
    arb_pow_ui(slack, slack, 49, 300);
    arb_div(slack, out, slack, 64);
    arb_add_error(out, slack);
    arb_clear(slack);
}

static inline void fail_ball(const char *what, const arb_t found, const arb_t wanted)
{
    printf("found  ");
    arb_printn(found, 60, 0);
    printf("\nwanted ");
    arb_printn(wanted, 60, 0);
    printf("\n");
    fail_msg("%.300s", what);
}

/* found is a true ball of what is wanted, and knows it to `bits`. */
static inline void check_ball(const char *what, const arb_t found, const arb_t wanted, slong bits)
{
    if (!arb_overlaps(found, wanted) || (!arb_contains_si(wanted, 0) && arb_rel_accuracy_bits(found) < bits))
        fail_ball(what, found, wanted);
}

/* Call f for every line of loss.txt that begins with kind: words[0] is the loss. Returns how many. */
static inline long each_vector(const char *kind, void (*f)(char **words, long count, const char *line))
{
    static char line[8192], copy[8192];
    char *words[64] = {0};
    long lines = 0;
    FILE *file = fopen(LL_TEST_VECTORS "/loss.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        long count = 0;
        strcpy(copy, line);
        for (char *word = strtok(copy, " \n"); word && count < 64; word = strtok(NULL, " \n"))
            words[count++] = word;
        if (count == 0 || strcmp(words[0], kind) != 0)
            continue;
        f(words + 1, count - 1, line);
        lines++;
    }
    fclose(file);
    return lines;
}

/* The weight at x, whose mirror is worked out from it. */
static inline ll_status weight_at(const ll_metric *metric, arb_t out, const arb_t x, slong prec)
{
    arb_t mirror;
    arb_init(mirror);
    if (ll_metric_reads_logits(metric))
        arb_neg(mirror, x);
    else
        ll_metric_complement(mirror, x, prec + 10);
    ll_status status = ll_metric_weight_pair(metric, out, x, mirror, prec);
    arb_clear(mirror);
    return status;
}

#endif
