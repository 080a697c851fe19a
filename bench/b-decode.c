/* How the time of decoding one score grows with the number of rows: ll_decoder_score alone, after the rows were shown
 * to the decoder, for every code as far as a whole attack ends in seconds; where it does not, the code's own decoder
 * (ll_code_decode) on the sum that the labels make. The baseline is the same with a tenth of the rows: 10 is linear. */
#include "../tests/unit/code_tools.h"
#include "attack.h"
#include "bench.h"
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 100, LAST = 100000 };

typedef struct {
    const char *code;
    long classes;
    const char *noise;
    long most_rows; /* of a whole attack */
    long most_code; /* of the code's own decoder, where that goes further */
} curve;

/* primes: N logarithms of N log N bits must be kept to write the predictions, 0.2 GB for 10^4 rows and 20 GB for
 * 10^5; prime-rows needs a score right to some 20 bits a row and label, one logarithm of that length. */
static const curve curves[] = {
    {"powers", 2, "1", LAST, 0},
    {"icml21", 2, "1", LAST, 0},
    {"paper-multiclass", 10, "1", LAST, 0},
    {"radix", 10, "1", LAST, 0},
    {"primes", 2, "1", FIRST * 10, LAST},
    {"primes:c=sqrt", 2, "1", FIRST * 10, FIRST * 100},
    {"prime-rows", 2, NULL, LAST, 0},
};

static void fail(const curve *c, long rows, const char *why)
{
    fprintf(stderr, "b-decode: %s, %ld rows: %s\n", c->code, rows, why);
    exit(1);
}

static void fill_labels(int32_t *labels, long rows, long classes)
{
    uint64_t state = 1;
    for (long i = 0; i < rows; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        labels[i] = (int32_t)((state >> 33) % (uint64_t)classes);
    }
}

/* One query: the plan's predictions go through the decoder to a curator, and only the reading of the score is timed. */
static double decode_score(const curve *c, const ll_plan *plan, ll_curator *curator, const int32_t *labels)
{
    ll_decoder *decoder;
    ll_predictions own, watched;
    ll_score score;
    ll_verdict verdict;
    ll_error error = {0};
    ll_score_init(&score);
    ll_verdict_init(&verdict);
    if (ll_decoder_create(&decoder, plan, &error) != LL_OK || ll_plan_predictions(plan, &own, 0, &error) != LL_OK ||
        ll_decoder_watch(decoder, &watched, &own, 0, &error) != LL_OK ||
        ll_curator_score(curator, &score, &watched, &error) != LL_OK)
        fail(c, plan->rows, error.text);
    double start = bench_now();
    if (ll_decoder_score(decoder, score.text, &error) != LL_OK)
        fail(c, plan->rows, error.text);
    double spent = bench_now() - start;
    if (ll_decoder_verdict(decoder, &verdict, &error) != LL_OK || !bench_all_right(&verdict, labels))
        fail(c, plan->rows, "not every label is right and certain");
    ll_verdict_clear(&verdict);
    ll_score_clear(&score);
    ll_decoder_destroy(decoder);
    return spent;
}

static double whole(const curve *c, const int32_t *labels, long rows)
{
    ll_plan *plan;
    ll_curator *curator;
    ll_error error = {0};
    ll_scorer *scorer = bench_scorer(rows, c->classes, c->noise);
    if (c->noise == NULL) { /* enough for prime-rows: its primes have fewer than 22 bits */
        ll_scorer *plain = scorer;
        scorer = vary_scorer(plain, "precision=%ld", 22 * rows * c->classes + 64);
        ll_scorer_destroy(plain);
    }
    if (ll_plan_create(&plan, scorer,
                       &(ll_plan_request){.size = sizeof(ll_plan_request),
                                          .code = c->code,
                                          .block = rows,
                                          .budget = LL_BUDGET(.memory = 1e10, .seconds = 1e9)},
                       &error) != LL_OK ||
        ll_curator_create(&curator, scorer, labels, rows, &error) != LL_OK)
        fail(c, rows, error.text);
    double best = 1e300;
    for (long run = 0; run < (rows > 10000 ? 1 : 3); run++) {
        double spent = decode_score(c, plan, curator, labels);
        best = spent < best ? spent : best;
    }
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
    ll_scorer_destroy(scorer);
    return best;
}

static double code_alone(const curve *c, const int32_t *labels, long rows)
{
    ll_code *code;
    ll_decoded decoded;
    ll_error error = {0};
    arb_t sum, span;
    arb_init(sum);
    arb_init(span);
    if (create_code(&code, c->code, rows, c->classes, NULL, 0, &error) != LL_OK ||
        ll_decoded_init(&decoded, rows, c->classes) != LL_OK)
        fail(c, rows, error.text);
    ll_code_gap(code, span, 64);
    slong prec = 64 - arf_abs_bound_lt_2exp_si(arb_midref(span));
    ll_code_span(code, span, 64);
    prec += arf_abs_bound_lt_2exp_si(arb_midref(span));
    ll_code_sum_labelling(code, sum, labels, prec);
    double start = bench_now();
    if (ll_code_decode(code, &decoded, sum, &error) != LL_OK || decoded.count != 1)
        fail(c, rows, "the code's sum was not decoded");
    double spent = bench_now() - start;
    ll_decoded_clear(&decoded);
    ll_code_destroy(code);
    arb_clear(sum);
    arb_clear(span);
    return spent;
}

static void run(const curve *c, const char *what, double (*time_of)(const curve *, const int32_t *, long),
                const int32_t *labels, long most)
{
    double before = 0;
    for (long rows = FIRST; rows <= most; rows *= 10) {
        char thing[80], size[40];
        double spent = time_of(c, labels, rows);
        snprintf(thing, sizeof thing, "%s %s", what, c->code);
        snprintf(size, sizeof size, "%ld x %ld", rows, c->classes);
        if (rows > FIRST)
            bench_print(thing, size, spent, "a tenth of the rows", before);
        before = spent;
    }
}

int main(int argc, char **argv)
{
    int32_t *labels = malloc(sizeof *labels * LAST);
    if (labels == NULL)
        return 1;
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        const curve *c = curves + i;
        if (argc > 1 && strcmp(argv[1], c->code) != 0)
            continue;
        fill_labels(labels, LAST, c->classes);
        run(c, "decode", whole, labels, c->most_rows);
        run(c, "decode the sum of", code_alone, labels, c->most_code);
    }
    free(labels);
    flint_cleanup();
    return 0;
}
