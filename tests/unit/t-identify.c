/* Programs written here, of which everything is known, against what ll_identify says of them; and labels that are read
 * through them without any description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "identify/job.h"
#include "identify/noise_law.h"

#include <lossleak/identify.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static ll_error error;

/* ---- programs ---- */

typedef struct program program;

struct program {
    const char *format; /* of the number */
    double clip;        /* of log-loss; 0: accuracy */
    int is_strict;      /* refuses what has not every row once, a number in each */
    int shows_labels;   /* on a second channel */
    int shows_more;     /* the number with all digits, on a second channel */
    int raises;         /* fails where no row is both of class 1 and predicted 1 */
    double noise;       /* uniform sum of twelve: nearly Gaussian */
    double late;        /* weight of the last row against the first: no metric of the tables */
    long wait;          /* microseconds where the first label is 1, in runs that are made alone */
    long runs;
    uint64_t state;
    const double *hidden; /* labels of its own */
};

static double draw(program *p)
{
    p->state = p->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(p->state >> 11) / 9007199254740992.0;
}

static double gaussian(program *p)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += draw(p);
    return sum;
}

static int is_whole(const ll_run *run)
{
    unsigned char seen[1024] = {0};
    for (long i = 0; i < run->sent; i++)
        if (run->ids[i] >= run->rows || seen[run->ids[i]]++ || isnan(run->entries[i]) ||
            (run->words != NULL && run->words[i] != NULL))
            return 0;
    return run->sent == run->rows;
}

/* The mean over the rows that are there: inner join, words and NaN dropped. */
static double score(const program *p, const ll_run *run, const double *labels, long *tp)
{
    double sum = 0, weights = 0;
    *tp = 0;
    for (long i = 0; i < run->sent; i++) {
        if (run->ids[i] >= run->rows || isnan(run->entries[i]) || (run->words != NULL && run->words[i] != NULL))
            continue;
        double y = labels[run->ids[i]], x = run->entries[i],
               weight = 1 + p->late * (double)run->ids[i] / (double)run->rows;
        double q = fmin(fmax(x, p->clip), 1 - p->clip);
        sum += weight * (p->clip > 0 ? -log(y > 0 ? q : 1 - q) : (x > 0.5) == (y > 0));
        weights += p->late > 0 ? 1 : weight;
        *tp += x > 0.5 && y > 0;
    }
    return weights > 0 ? sum / weights : NAN;
}

static ll_status show(program *p, ll_reply *reply, const ll_run *run)
{
    char text[4096];
    const double *labels = run->labels != NULL ? run->labels : p->hidden;
    long tp;
    double value = score(p, run, labels, &tp) + (p->noise > 0 ? p->noise * gaussian(p) : 0);
    p->runs++;
    if (run->columns != 1 || isnan(value) || (p->is_strict && !is_whole(run)) || (p->raises && tp == 0))
        return ll_reply_fail(reply, "it fails", &error);
    (void)snprintf(text, sizeof text, p->format, value);
    ll_status status = ll_reply_add(reply, "stdout", text, &error);
    text[0] = '\0';
    for (long i = 0; i < run->rows && p->shows_labels; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%ld %g\n", i, labels[i]);
    if (p->shows_more)
        (void)snprintf(text, sizeof text, "debug %.17g", value);
    return status == LL_OK ? ll_reply_add(reply, "stderr", text, &error) : status;
}

static void wait(const program *p, const ll_run *runs, long count)
{
    struct timespec left = {0};
    if (count == 1 && runs[0].labels != NULL && runs[0].labels[0] > 0)
        left.tv_nsec = 1000 * p->wait;
    if (left.tv_nsec > 0)
        (void)nanosleep(&left, NULL);
}

static ll_status run_all(void *self, ll_reply *const *replies, const ll_run *runs, long count, ll_error *out)
{
    ll_status status = LL_OK;
    (void)out;
    wait(self, runs, count);
    for (long i = 0; i < count && status == LL_OK; i++)
        status = show(self, replies[i], &runs[i]);
    return status;
}

static void identify(ll_identification *found, program *p)
{
    const ll_program asked = {.self = p, .run = run_all};
    ll_identify_request request;
    ll_identify_request_init(&request);
    ll_identification_init(found);
    p->state = 7;
    p->runs = 0;
    if (ll_identify(found, &asked, &request, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_int_equal(found->runs, p->runs);
    assert_true(found->runs <= 300);
}

static const char *surprise(const ll_identification *found, long index)
{
    return index < found->surprise_count ? ll_identification_get_surprise(found, index)->kind : "";
}

/* ---- what it is ---- */

static void test_recognised(void **state)
{
    (void)state;
    static const struct {
        program p;
        const char *settings[3];
    } rows[] = {
        {{.format = "%.4f", .is_strict = 1}, {"metric=accuracy", "decimals=4", ""}},
        {{.format = "accuracy: %.2f", .is_strict = 1}, {"metric=accuracy", "decimals=2", ""}},
        {{.format = "%.3g", .is_strict = 1}, {"metric=accuracy", "digits=3", ""}},
        {{.format = "%.17g", .is_strict = 1}, {"metric=accuracy", "", ""}},
        {{.format = "%.5f", .clip = 1e-7, .is_strict = 1}, {"metric=log-loss", "decimals=5", "clip=1e-7"}},
        {{.format = "%.8f", .clip = 0.01, .is_strict = 1}, {"metric=log-loss", "decimals=8", "clip=0.01"}},
        {{.format = "%.17g", .clip = 1e-15, .is_strict = 1}, {"metric=log-loss", "", "clip=1e-15"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ll_identification found;
        program p = rows[i].p;
        identify(&found, &p);
        assert_true(found.recognised);
        for (int k = 0; k < 3; k++)
            if (strstr(found.settings, rows[i].settings[k]) == NULL)
                fail_msg("%s is not in %s", rows[i].settings[k], found.settings);
        if (strcmp(rows[i].p.format, "%.17g") == 0)
            assert_null(strstr(found.settings, "decimals"));
        assert_int_equal(found.surprise_count, 0);
        ll_scorer *scorer;
        assert_int_equal(ll_scorer_create(&scorer, &error), LL_OK);
        assert_int_equal(ll_identification_set(&found, scorer, &error), LL_OK);
        assert_int_equal(ll_scorer_resolve(scorer, NULL, &error), LL_OK);
        ll_scorer_destroy(scorer);
        ll_identification_clear(&found);
    }
}

/* Nothing that no table has is called recognised, however near it is: here by one part in a thousand. */
static void test_not_recognised(void **state)
{
    (void)state;
    static const double late[] = {0.5, 0.001};
    for (int i = 0; i < 2; i++) {
        ll_identification found;
        program p = {.format = "%.6f", .is_strict = 1, .late = late[i]};
        identify(&found, &p);
        assert_false(found.recognised);
        assert_string_equal(found.settings, "");
        assert_int_equal(ll_identification_get_channel(&found, 0)->depends_on_labels, LL_TRUE);
        ll_identification_clear(&found);
    }
}

static void test_noise(void **state)
{
    (void)state;
    ll_identification found;
    program p = {.format = "%.17g", .is_strict = 1, .noise = 0.02};
    identify(&found, &p);
    const ll_channel_found *c = ll_identification_get_channel(&found, 0);
    assert_int_equal(c->is_deterministic, LL_FALSE);
    assert_string_equal(c->noise, "gaussian");
    assert_true(c->noise_size > 0.01 && c->noise_size < 0.03);
    assert_string_equal(c->metric, "accuracy");
    ll_identification_clear(&found);
}

/* ---- running time ---- */

static void test_time(void **state)
{
    (void)state;
    for (int is_slow = 0; is_slow < 2; is_slow++) {
        ll_identification found;
        program p = {.format = "%.4f", .is_strict = 1, .wait = is_slow ? 60000 : 0};
        identify(&found, &p);
        assert_int_equal(found.time_depends, is_slow ? LL_TRUE : LL_FALSE);
        assert_true(found.time_chance >= 0 && found.time_chance <= 1);
        assert_int_equal(is_slow && found.time_chance <= 1e-4, is_slow);
        assert_int_equal(found.surprise_count, 0); /* it is reported, not used */
        assert_true(found.recognised);
        ll_identification_clear(&found);
    }
}

/* The chance against every order of `each` times and `each` others. */
static void test_rank_chance(void **state)
{
    (void)state;
    for (long each = 1; each <= 5; each++) {
        long above[26] = {0}, all = 0;
        for (unsigned order = 0; order < 1U << (2 * each); order++) {
            long first = 0, pairs = 0, others = 0;
            for (long i = 0; i < 2 * each; i++) {
                int is_first = order >> i & 1;
                first += is_first;
                others += !is_first;
                pairs += is_first ? others : 0;
            }
            all += first == each;
            for (long u = 0; u <= pairs && first == each; u++)
                above[u]++;
        }
        for (long u = 0; u <= each * each; u++)
            assert_true(fabs(ll_rank_chance(u, each) - (double)above[u] / (double)all) < 1e-12);
    }
}

/* ---- surprises ---- */

static void test_surprises(void **state)
{
    (void)state;
    static const struct {
        program p;
        const char *kind;
    } rows[] = {
        {{.format = "%.4f"}, "chosen-rows"},
        {{.format = "%.4f", .is_strict = 1, .shows_labels = 1}, "row-labels"},
        {{.format = "%.4f", .is_strict = 1, .shows_more = 1}, "more-digits"},
        {{.format = "%.4f", .is_strict = 1, .raises = 1}, "failure"},
        {{.format = "%.4f", .is_strict = 1}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ll_identification found;
        program p = rows[i].p;
        identify(&found, &p);
        assert_string_equal(surprise(&found, 0), rows[i].kind);
        assert_int_equal(found.surprise_count, rows[i].kind[0] != '\0');
        assert_int_equal(found.failure_depends, p.raises ? LL_TRUE : LL_FALSE);
        ll_identification_clear(&found);
    }
}

/* ---- attacks ---- */

/* Labels that the tool did not make: it never sees them, and what it says is counted here. */
static double attack_hidden(program *p, long rows, long runs, const char *name)
{
    const ll_program asked = {.self = p, .run = run_all};
    ll_identification found;
    ll_program_attack_request request;
    ll_program_attack_result result;
    double *labels = malloc(sizeof *labels * (size_t)rows), right = 0;
    identify(&found, p);
    for (long i = 0; i < rows; i++)
        labels[i] = draw(p) < 0.5;
    p->hidden = labels;
    ll_program_attack_request_init(&request);
    ll_program_attack_result_init(&result);
    request.rows = rows;
    request.runs = runs;
    request.is_hidden = 1;
    request.attack = name;
    if (ll_program_attack(&result, &asked, &found, &request, &error) != LL_OK)
        fail_msg("%s", error.text);
    for (long i = 0; i < rows; i++)
        right += result.labels[i] < 0 ? 0.5 : result.labels[i] == (int)labels[i];
    ll_program_attack_result_clear(&result);
    ll_identification_clear(&found);
    free(labels);
    return right / (double)rows;
}

static void test_attacks(void **state)
{
    (void)state;
    program joined = {.format = "%.1f"}, homemade = {.format = "%.4f", .is_strict = 1, .late = 0.5},
            loss = {.format = "%.6f", .is_strict = 1, .clip = 1e-7, .late = 0.5};
    assert_float_equal(attack_hidden(&joined, 60, 60, "chosen-rows"), 1, 0);
    assert_float_equal(attack_hidden(&homemade, 60, 61, "rows"), 1, 0);
    assert_float_equal(attack_hidden(&loss, 60, 61, "rows"), 1, 0); /* the lower, the better */
    /* forecast of docs/proofs/designs.md for r = 1/2: Phi(1) = 84% */
    double share = attack_hidden(&homemade, 200, 100, "designs");
    assert_true(share > 0.75 && share < 0.95);
}

/* ---- what cannot be ---- */

static ll_status always_fails(void *self, ll_reply *const *replies, const ll_run *runs, long count, ll_error *out)
{
    (void)self;
    (void)runs;
    for (long i = 0; i < count; i++)
        if (ll_reply_fail(replies[i], "no such file", out) != LL_OK)
            return LL_MEMORY;
    return LL_OK;
}

static ll_status never_moves(void *self, ll_reply *const *replies, const ll_run *runs, long count, ll_error *out)
{
    (void)self;
    (void)runs;
    for (long i = 0; i < count; i++)
        if (ll_reply_add(replies[i], "stdout", "0.5", out) != LL_OK)
            return LL_MEMORY;
    return LL_OK;
}

static void test_refused(void **state)
{
    (void)state;
    const ll_program failing = {.run = always_fails}, still = {.run = never_moves};
    ll_identify_request request;
    ll_identification found;
    ll_identify_request_init(&request);
    ll_identification_init(&found);
    assert_int_equal(ll_identify(&found, &failing, &request, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "no such file"));
    assert_int_equal(ll_identify(&found, &still, &request, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "does not depend on labels"));
    request.classes = 1;
    assert_int_equal(ll_identify(&found, &still, &request, &error), LL_DOMAIN);
    ll_identification_clear(&found);
}

/* Every law that states its chances is found again in its own quantiles, with its size; even numbers are no law's. */
static void test_laws(void **state)
{
    enum { COUNT = 27 };
    double x[COUNT], size = 0;
    (void)state;
    for (long l = 0; ll_law_get(l) != NULL; l++) {
        const ll_law *law = ll_law_get(l);
        if (law->quantile == NULL)
            continue;
        double second = 0;
        for (int i = 0; i < COUNT; i++) {
            x[i] = 5 + 0.02 * law->quantile((i + 0.5) / COUNT);
            second += (x[i] - 5) * (x[i] - 5);
        }
        assert_ptr_equal(ll_noise_law_find(&size, x, COUNT, 5, sqrt(second / (COUNT - 1))), law);
        assert_true(size > 0.016 && size < 0.024);
    }
    for (int i = 0; i < COUNT; i++)
        x[i] = i - 13;
    assert_null(ll_noise_law_find(&size, x, COUNT, 0, sqrt(63)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),    cmocka_unit_test(test_recognised), cmocka_unit_test(test_not_recognised),
        cmocka_unit_test(test_noise),   cmocka_unit_test(test_surprises),  cmocka_unit_test(test_attacks),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_time),       cmocka_unit_test(test_rank_chance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
