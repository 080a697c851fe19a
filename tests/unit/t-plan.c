/* Plans: predictions are functions of the plan; what is stored decides; no label is called certain that is not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number/random.h"
#include "plan/plan.h"
#include "scorer_tools.h"
#include "search/exhaustive.h"
#include "strategy/groups/groups.h"

static uint64_t seed(void)
{
    const char *text = getenv("LL_TEST_SEED");
    return text != NULL ? strtoull(text, NULL, 0) : 1912;
}

static long multiplier(void)
{
    const char *text = getenv("LL_TEST_MULTIPLIER");
    return text != NULL ? strtol(text, NULL, 10) : 1;
}

typedef struct {
    const char *loss, *code, *arithmetic, *tau;
    long rows, classes, block;
} sample;

/* one of every writer, in one query and in several */
static const sample samples[] = {
    {"log-loss", "powers", "exact", "1", 9, 2, 0},
    {"log-loss", "powers", "exact", "1", 9, 2, 4},
    {"log-loss", "paper-multiclass", "exact", "0.5", 5, 3, 2},
    {"log-loss", "icml21", "exact", "1", 6, 2, 0},
    {"sigmoid-ce", "powers", "exact", "2", 7, 2, 3},
    {"softmax-ce", "paper-multiclass", "exact", "1", 4, 4, 0},
    {"log-loss", "prime-rows", "exact", NULL, 5, 3, 0},
    {"itakura-saito", "powers", "exact", "1", 8, 2, 0},
    {"itakura-saito", "powers:closed", "exact", "0.01", 4, 2, 0},
    {"log-loss", "primes", "exact", "1", 7, 2, 0},
    {"squared", "primes:c=sqrt", "exact", NULL, 7, 2, 0},
    {"bregman:x^4+x^2", "powers", "exact", "0.001", 7, 2, 0},
    {"log-loss", "powers", "fp64", "0.001", 40, 2, 0},
    {"itakura-saito", "powers", "fp64", "1", 60, 2, 0},
    {"log-loss", "paper-multiclass", "fp32", "0.001", 10, 3, 0},
    {"squared", "powers", "fp64", "0.0001", 20, 2, 0},
    {"log-loss", "powers", "bf16", NULL, 6, 2, 0},
    {"log-loss", "sum-distinct", "fp64", "0.001", 40, 2, 0},
    {"log-loss", "detecting", "fp64", "0.0005", 40, 3, 0},
    {"log-loss", "detecting:odd", "fp64", "0.0005", 60, 2, 37}, /* whose last block has fewer kinds of rows */
    {"log-loss", "detecting:odd", "fp64", "0.005", 50, 2, 20},
    {"mrr", "detecting", "fp64", "0.001", 20, 4, 0},
};

#define SAMPLES ((long)(sizeof samples / sizeof samples[0]))

static ll_scorer *scorer_of(const sample *s)
{
    return scorer_of_text("metric=%s; arithmetic=%s; rows=%ld; classes=%ld; sum=pairwise; precision=300; noise=%s%s",
                          s->loss, s->arithmetic, s->rows, s->classes, s->tau ? "bounded:" : "none",
                          s->tau ? s->tau : "");
}

static ll_plan *plan_of(const sample *s)
{
    ll_scorer *scorer = scorer_of(s);
    ll_plan *plan = NULL;
    ll_error error;
    if (ll_plan_create(&plan, scorer,
                       &(ll_plan_request){.size = sizeof(ll_plan_request), .code = s->code, .block = s->block},
                       &error) != LL_OK)
        fail_msg("%s %s %s: %s", s->loss, s->code, s->arithmetic, error.text);
    ll_scorer_destroy(scorer); /* the plan keeps it */
    return plan;
}

/* ---- digests */

#define FLOATS "arithmetic=fp64; rows=6; decimals=5"

/* Two values of a setting, and scorers that both serve. Plans that differ in it must not take each other's scores. */
static const struct {
    const char *setting, *with, *one, *other;
} told[] = {
    {"metric", FLOATS, "log-loss", "squared"},
    {"transform", FLOATS, "identity", "negate"},
    {"rows", FLOATS, "6", "7"},
    {"classes", FLOATS, "2", "3"},
    {"targets", FLOATS "; metric=mse", "0:9:1", "10:19:1"},
    {"columns", FLOATS, "1", "all"},
    {"clip", FLOATS, "1e-15", "1e-7"},
    {"clip-mode", FLOATS "; clip=1e-7", "clip", "floor"},
    {"clip-targets", FLOATS "; metric=mse; targets=0:9:1", "no", "yes"},
    {"arithmetic", FLOATS, "fp64", "fp32"},
    {"sum", FLOATS, "naive", "pairwise"},
    {"sum-arithmetic", FLOATS "; arithmetic=fp32", "same", "fp64"},
    {"loss-arithmetic", FLOATS "; arithmetic=fp32; sum-arithmetic=fp64", "same", "rows"},
    {"log-ulps", FLOATS, "2", "3"},
    {"precision", "rows=6; noise=bounded:1", "200", "300"},
    {"decimals", FLOATS, "5", "6"},
    {"digits", FLOATS "; decimals=none", "5", "6"},
    {"truncate", FLOATS, "no", "yes"},
    {"noise", FLOATS, "none", "bounded:0.001"},
    {"zero-division", FLOATS "; metric=f1", "0", "1"},
    {"counts", FLOATS "; metric=f1", "3,3", "2,4"},
    {"public", FLOATS, "4", "5"},
    {"also", FLOATS "; metric=f1", "accuracy", "recall"},
    {"weights", FLOATS "; metric=squared", "1,1,1,1,1,2", "1,1,1,1,1,3"},
    {"class-weights", FLOATS "; metric=squared; counts=3,3", "1,2", "1,3"},
    {"groups", FLOATS, "a*3,b*3", "a*4,b*2"},
    {"undefined", FLOATS "; metric=r2; targets=0:1:1", "0", "fails"},
    {"threshold", FLOATS "; also=accuracy", "open", "above:0.5"},
};
/* What neither predictions nor their decoding depend on by itself. A profile is the settings that it stands for; a
 * Ladder has no plan; hadamard's seed and queries are a part of its code. */
static const char *const untold[] = {"scorer",   "release", "queries",      "prior",  "seed",
                                     "failures", "start",   "improvements", "scope",  "accounts",
                                     "per-day",  "days",    "teams",        "honest", "own-levels"};

static void digest_with(char *out, const char *with, const char *setting, const char *value)
{
    ll_scorer *scorer = scorer_of_text("%s; %s=%s", with, setting, value);
    ll_plan *plan = NULL;
    ll_plan_request request;
    ll_error error = {0};
    ll_plan_request_init(&request);
    if (ll_plan_create(&plan, scorer, &request, &error) != LL_OK)
        fail_msg("%s; %s=%s: %s", with, setting, value, error.text);
    ll_plan_digest(plan, out, 80);
    ll_plan_destroy(plan);
    ll_scorer_destroy(scorer);
}

static void settings_tell_plans_apart(void **state)
{
    (void)state;
    size_t rows = sizeof told / sizeof told[0], others = sizeof untold / sizeof untold[0];
    assert_int_equal(rows + others, ll_setting_count()); /* a new setting is decided on */
    for (size_t i = 0; i < others; i++)
        assert_true(ll_setting_find(untold[i]) >= 0);
    for (size_t i = 0; i < rows; i++) {
        char one[80], again[80], other[80];
        digest_with(one, told[i].with, told[i].setting, told[i].one);
        digest_with(again, told[i].with, told[i].setting, told[i].one);
        digest_with(other, told[i].with, told[i].setting, told[i].other);
        assert_string_equal(one, again);
        if (strcmp(one, other) == 0)
            fail_msg("%s: %s and %s have one digest", told[i].setting, told[i].one, told[i].other);
    }
}

/* Every part of a code that queries follow from, changed for itself. */
enum { PART_NAME, PART_WRITER, PART_BLOCK, PART_COLUMNS, PART_REPEATS, PART_UNIT, PART_QUERIES, PARTS };

static void change_part(ll_plan *plan, int part)
{
    static const ll_writer other = {.name = "other"};
    switch (part) {
    case PART_NAME:
        plan->name = "other";
        break;
    case PART_WRITER:
        plan->state->writer = &other;
        break;
    case PART_BLOCK:
        plan->block++;
        break;
    case PART_COLUMNS:
        plan->columns++;
        break;
    case PART_REPEATS:
        plan->bounds.repeats++;
        break;
    case PART_UNIT:
        arb_add_ui(plan->state->unit, plan->state->unit, 1, 300);
        break;
    default:
        plan->queries++; /* of hadamard, whose lines they are */
    }
}

static void parts_tell_plans_apart(void **state)
{
    (void)state;
    static const char *const descriptions[] = {FLOATS, FLOATS "; queries=16; noise=gaussian:0.1",
                                               FLOATS "; groups=a*3,b*3"};
    for (int i = 0; i < 3; i++) {
        ll_scorer *scorer = scorer_of_text("%s", descriptions[i]);
        ll_plan *plan = NULL;
        ll_plan_request request;
        ll_plan_request_init(&request);
        request.guarantee = i == 1 ? LL_LIKELY : LL_CERTIFIED;
        request.code = i == 1 ? "hadamard" : NULL;
        assert_int_equal(ll_plan_create(&plan, scorer, &request, NULL), LL_OK);
        ll_plan *inner = scorer->groups != NULL ? ll_groups_plan(plan, 1) : plan;
        for (int part = 0; part < PARTS - (i != 1); part++) {
            char one[80], other[80];
            ll_plan kept = *inner;
            ll_plan_state kept_state = *inner->state;
            arb_init(inner->state->unit);
            arb_set(inner->state->unit, kept_state.unit);
            ll_plan_digest(plan, one, sizeof one);
            change_part(inner, part);
            ll_plan_digest(plan, other, sizeof other);
            arb_clear(inner->state->unit);
            *inner->state = kept_state;
            *inner = kept;
            if (strcmp(one, other) == 0)
                fail_msg("%s: part %d of the code is not told", descriptions[i], part);
        }
        ll_plan_destroy(plan);
        ll_scorer_destroy(scorer);
    }
}

/* ---- predictions */

static int same_entry(const ll_block *a, long i, const ll_block *b, long j)
{
    if (a->exacts != NULL)
        return fmpz_equal(a->exacts[i].mantissa, b->exacts[j].mantissa) &&
               fmpz_equal(a->exacts[i].two, b->exacts[j].two) && fmpz_equal(a->exacts[i].five, b->exacts[j].five);
    return memcmp(a->doubles + i, b->doubles + j, sizeof(double)) == 0;
}

/* Rows in blocks from the end are those of the whole query. */
static void compare_blocks(ll_plan *plan, ll_plan *again)
{
    ll_predictions whole, part;
    ll_block all, some;
    ll_block_init(&all);
    ll_block_init(&some);
    for (long q = 0; q < plan->queries; q++) {
        assert_int_equal(ll_plan_predictions(plan, &whole, q, NULL), LL_OK);
        assert_int_equal(ll_plan_predictions(again, &part, q, NULL), LL_OK);
        assert_int_equal(whole.get(whole.self, &all, 0, plan->rows, NULL), LL_OK);
        for (long first = plan->rows - 1; first >= 0; first--) {
            long count = plan->rows - first < 3 ? plan->rows - first : 3;
            assert_int_equal(part.get(part.self, &some, first, count, NULL), LL_OK);
            for (long i = 0; i < count * plan->columns; i++)
                assert_true(same_entry(&all, first * plan->columns + i, &some, i));
        }
    }
    assert_int_equal(ll_plan_predictions(plan, &whole, plan->queries, NULL), LL_DOMAIN);
    ll_block_clear(&all);
    ll_block_clear(&some);
}

static void any_block_at_any_time(void **state)
{
    (void)state;
    for (long n = 0; n < SAMPLES; n++) {
        ll_plan *plan = plan_of(&samples[n]), *again = plan_of(&samples[n]);
        char one[80], two[80];
        ll_plan_digest(plan, one, sizeof one);
        ll_plan_digest(again, two, sizeof two);
        assert_string_equal(one, two);
        assert_int_equal(strlen(one), 64);
        compare_blocks(plan, again);
        ll_plan_destroy(plan);
        ll_plan_destroy(again);
    }
}

static void any_block_of_groups(void **state)
{
    (void)state;
    static const char *const groups[] = {"a*3,b*2,a,c*2,b,a", "a,b,a,b,a,b,a", "a*7", "c,b*4,a*2,c",
                                         "a*4,b*3; counts=4,3"}; /* counts are of all rows */
    for (size_t n = 0; n < sizeof groups / sizeof groups[0]; n++) {
        ll_scorer *scorer = scorer_of_text("metric=squared; arithmetic=fp64; decimals=3; groups=%s", groups[n]);
        ll_plan *plan = NULL, *again = NULL;
        ll_plan_request request;
        ll_plan_request_init(&request);
        assert_int_equal(ll_plan_create(&plan, scorer, &request, NULL), LL_OK);
        assert_int_equal(ll_plan_create(&again, scorer, &request, NULL), LL_OK);
        compare_blocks(plan, again);
        ll_plan_destroy(plan);
        ll_plan_destroy(again);
        ll_scorer_destroy(scorer);
    }
}

/* ---- tampering: the decoder reads what is stored */

typedef struct {
    ll_predictions inner;
    long row; /* whose first entry is spoilt */
} tampered;

static ll_status tampered_get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    tampered *t = self;
    ll_status status = t->inner.get(t->inner.self, out, first, count, error);
    if (status != LL_OK || t->row < first || t->row >= first + count)
        return status;
    long at = (t->row - first) * out->columns;
    if (out->exacts != NULL)
        ll_exact_set_d((ll_exact *)out->exacts + at, 0.375);
    else
        ((double *)out->doubles)[at] = 0.375;
    return LL_OK;
}

/* kind of the verdict when the curator scores one thing and the decoder is shown another */
static ll_verdict_kind attack_tampered(ll_plan *plan, const int32_t *truth, long row, int curator_too)
{
    ll_curator *curator;
    ll_decoder *decoder;
    ll_verdict verdict;
    ll_verdict_init(&verdict);
    assert_int_equal(ll_curator_create(&curator, plan->scorer, truth, plan->rows, NULL), LL_OK);
    assert_int_equal(ll_decoder_create(&decoder, plan, NULL), LL_OK);
    for (long q = 0; q < plan->queries; q++) {
        tampered t = {.row = row};
        ll_score score;
        ll_score_init(&score);
        assert_int_equal(ll_plan_predictions(plan, &t.inner, q, NULL), LL_OK);
        ll_predictions shown = t.inner, watched;
        shown.self = &t;
        shown.get = tampered_get;
        assert_int_equal(ll_curator_score(curator, &score, curator_too ? &shown : &t.inner, NULL), LL_OK);
        assert_int_equal(ll_decoder_watch(decoder, &watched, &shown, q, NULL), LL_OK);
        assert_int_equal(ll_decoder_score(decoder, score.text, NULL), LL_OK);
        ll_score_clear(&score);
    }
    assert_int_equal(ll_decoder_verdict(decoder, &verdict, NULL), LL_OK);
    ll_verdict_kind kind = verdict.kind;
    for (long i = 0; i < plan->rows && curator_too; i++)
        assert_true(verdict.labels[i] == -1 || verdict.labels[i] == truth[i]);
    ll_verdict_clear(&verdict);
    ll_decoder_destroy(decoder);
    ll_curator_destroy(curator);
    return kind;
}

static void stored_entries_decide(void **state)
{
    (void)state;
    const long exact_log_loss[] = {0, 3, 7, 9}; /* samples whose rows may be spoilt and still be scored */
    for (long n = 0; n < 4; n++) {
        ll_plan *plan = plan_of(&samples[exact_log_loss[n]]);
        int32_t truth[16] = {1, 0, 1, 1, 0, 0, 1, 0, 1};
        for (long row = 0; row < plan->rows; row++) {
            if (plan->columns == 1) /* with two columns the spoilt row no longer sums to 1: the curator refuses it */
                (void)attack_tampered(plan, truth, row, 1);
            assert_int_not_equal(attack_tampered(plan, truth, row, 0), LL_UNIQUE);
        }
        ll_plan_destroy(plan);
    }
}

/* ---- noise beyond what the gap allows: open or none, never a wrong label that is called certain */

static long wrong_runs;

static void attack_noisy(const sample *s, double factor, uint64_t stream)
{
    ll_plan *plan = plan_of(s);
    ll_scorer *scorer = vary_scorer(plan->scorer, "noise=bounded:%.17g; seed=%llu", strtod(s->tau, NULL) * factor,
                                    (unsigned long long)stream);
    arb_t more; /* the decoder is told the truth about the noise, which the plan was not made for */
    ll_scorer_leave(plan->scorer);
    plan->scorer = ll_scorer_share(scorer);
    plan->scoring.how = &scorer->computation;
    arb_init(more);
    arb_set_d(more, factor * (1 + 1e-12));
    arb_mul(plan->state->noise, plan->state->noise, more, 128);
    arb_clear(more);
    int32_t truth[64];
    for (long i = 0; i < plan->rows; i++)
        truth[i] = (int32_t)ll_random_below(seed(), stream, (uint64_t)i, (uint64_t)plan->classes);
    ll_curator *curator;
    ll_verdict verdict;
    ll_error error;
    ll_verdict_init(&verdict);
    assert_int_equal(ll_curator_create(&curator, scorer, truth, plan->rows, &error), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    assert_int_equal(ll_attack_run(plan, &verdict, &oracle, NULL, &error), LL_OK);
    assert_int_not_equal(verdict.kind, LL_NONE);
    for (long i = 0; i < plan->rows; i++) {
        assert_true(verdict.labels[i] == -1 || verdict.labels[i] == truth[i]);
        assert_true(verdict.candidates[i * plan->classes + truth[i]]);
    }
    wrong_runs++;
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
    ll_plan_destroy(plan);
}

static void noise_beyond_the_gap(void **state)
{
    (void)state;
    long rounds = 3 * multiplier() * (getenv("LL_TEST_LONG") != NULL ? 10 : 1);
    for (long round = 0; round < rounds; round++)
        for (long n = 0; n < SAMPLES; n++)
            if (samples[n].tau != NULL) {
                uint64_t stream = (uint64_t)(round * SAMPLES + n);
                attack_noisy(&samples[n], exp(6 * ll_random_uniform(seed(), stream, 99)), stream);
            }
    print_message("%ld attacks under too much noise, no wrong label called certain\n", wrong_runs);
}

/* Scores of another scorer: the verdict is none, and says how much noise would explain them. */
static void another_scorer(void **state)
{
    (void)state;
    ll_plan *plan = plan_of(&samples[0]);
    ll_decoder *decoder;
    ll_predictions own, watched;
    ll_verdict verdict;
    ll_verdict_init(&verdict);
    assert_int_equal(ll_decoder_create(&decoder, plan, NULL), LL_OK);
    assert_int_equal(ll_plan_predictions(plan, &own, 0, NULL), LL_OK);
    assert_int_equal(ll_decoder_watch(decoder, &watched, &own, 0, NULL), LL_OK);
    assert_int_equal(ll_decoder_score(decoder, "not a number", NULL), LL_DOMAIN);
    assert_int_equal(ll_decoder_score(decoder, "-30.5", NULL), LL_OK);
    assert_int_equal(ll_decoder_verdict(decoder, &verdict, NULL), LL_OK);
    assert_int_equal(verdict.kind, LL_NONE);
    assert_int_equal(verdict.certain, 0);
    assert_non_null(verdict.explains.text);
    double extra = strtod(verdict.explains.text, NULL); /* the nearest labelling scores 0: 29.5 more than tau = 1 */
    assert_true(extra > 29 && extra < 30);
    ll_verdict_clear(&verdict);
    ll_decoder_destroy(decoder);
    ll_plan_destroy(plan);
}

/* ---- prop:bound_on_tau_for_label_inference on random predictions, in both directions */

static void separation_bounds_noise(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 40; round++) {
        long classes = 2 + (long)(round % 2), rows = classes == 2 ? 6 : 4, count = 1;
        for (long i = 0; i < rows; i++)
            count *= classes;
        double weights[32], *sums = calloc((size_t)count, sizeof *sums);
        for (long i = 0; i < rows * classes; i++)
            weights[i] = (double)ll_random_below(seed(), 500 + round, (uint64_t)i, 1 << 20); /* sums are exact */
        for (long s = 0; s < count; s++)
            for (long i = 0, rest = s; i < rows; i++, rest /= classes)
                sums[s] += weights[i * classes + rest % classes];
        double lambda = INFINITY, at = 0;
        for (long a = 0; a < count; a++)
            for (long b = 0; b < a; b++)
                if (fabs(sums[a] - sums[b]) < lambda) {
                    lambda = fabs(sums[a] - sums[b]);
                    at = (sums[a] + sums[b]) / 2;
                }
        ll_search_result result;
        assert_int_equal(ll_search_result_init(&result, rows, 4), LL_OK);
        for (long s = 0; s < count && lambda > 0; s++) /* noise below Lambda / 2: LabelInf has one answer, the truth */
            for (int sign = -1; sign <= 1; sign += 2) {
                double noise = lambda / 2 * (1 - 0x1p-20);
                assert_int_equal(ll_search_exhaustive(&result, weights, rows, classes, sums[s] + sign * noise, noise, 4,
                                                      60, 1, NULL),
                                 LL_OK);
                assert_int_equal(result.count, 1);
                for (long i = 0, rest = s; i < rows; i++, rest /= classes)
                    assert_int_equal(result.best[i], rest % classes);
            }
        /* noise of Lambda / 2: two labellings explain the score in their middle */
        assert_int_equal(ll_search_exhaustive(&result, weights, rows, classes, at, lambda / 2, 4, 60, 1, NULL), LL_OK);
        assert_true(result.count >= 2);
        ll_search_result_clear(&result);
        free(sums);
    }
}

/* ---- refusals */

/* Sample 0 with other settings. */
static void refuse(const char *settings, const char *code, long block, const char *why)
{
    ll_plan *plan;
    ll_error error = {0};
    ll_scorer *good = scorer_of(&samples[0]), *scorer = vary_scorer(good, "%s", settings);
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.code = code;
    request.block = block;
    request.budget = LL_BUDGET(.memory = 1e9, .seconds = 60);
    ll_status status = ll_plan_create(&plan, scorer, &request, &error);
    assert_int_not_equal(status, LL_OK);
    if (strstr(error.text, why) == NULL)
        fail_msg("'%s' does not say '%s'", error.text, why);
    ll_scorer_destroy(scorer);
    ll_scorer_destroy(good);
}

static void refusals(void **state)
{
    (void)state;
    ll_plan *plan;
    ll_error error = {0};
    ll_scorer *rowless = scorer_of_text("noise=bounded:1"), *open = NULL;
    ll_plan_request request = {.size = sizeof(ll_plan_request), .code = "powers"};
    assert_int_equal(ll_plan_create(&plan, rowless, &request, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "rows"));
    assert_int_equal(ll_scorer_copy(&open, rowless, &error), LL_OK);
    assert_int_equal(ll_plan_create(&plan, open, &request, &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "not resolved"));
    refuse("", "powers", 10, "1 to 9");
    refuse("", "fibonacci", 0, "unknown code");
    refuse("noise=gaussian:1", "powers", 0, "bounded");
    refuse("metric=squared", "powers", 0, "largest noise that fits is 0.05"); /* 1/18, and tau is 1 */
    refuse("metric=accuracy", "powers", 0, "labels");
    refuse("rows=50000000", "primes", 0, "budget");
    ll_scorer_destroy(open);
    ll_scorer_destroy(rowless);
}

int main(void)
{
    print_message("seed %llu\n", (unsigned long long)seed());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_block_at_any_time),
        cmocka_unit_test(any_block_of_groups),
        cmocka_unit_test(stored_entries_decide),
        cmocka_unit_test(noise_beyond_the_gap),
        cmocka_unit_test(another_scorer),
        cmocka_unit_test(separation_bounds_noise),
        cmocka_unit_test(refusals),
        cmocka_unit_test(settings_tell_plans_apart),
        cmocka_unit_test(parts_tell_plans_apart),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
