/* The exact log-loss of 70,000 rows x 10 classes whose entries are 2^-e, e up to 233,000 bits, against one
 * pass that writes and reads every entry once: the least that a curator who looks at everything can do. */
#include "../tests/unit/scorer_tools.h"
#include "bench.h"
#include "number/exact.h"

#include <gmp.h>
#include <stdlib.h>

enum { ROWS = 70000, CLASSES = 10 };

typedef struct {
    mp_ptr base; /* 10^(row+2), grown row by row */
    mp_size_t size;
    mp_ptr buffer;
    long next;
    int32_t *labels;
    mp_limb_t seen;
} source;

static void rewind_source(source *s)
{
    s->base[0] = 100; /* so that even the first row sums to 1 within 2^-99 */
    s->size = 1;
    s->next = 0;
}

static void grow(source *s)
{
    mp_limb_t carry = mpn_mul_1(s->base, s->base, s->size, 10);
    if (carry != 0)
        s->base[s->size++] = carry;
    s->next++;
}

/* entry (row, k) is 2^-(k * 10^(row+2)), written straight into the block's number */
static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    source *s = self;
    if (first == 0)
        rewind_source(s);
    if (first != s->next)
        return ll_fail(error, LL_DOMAIN, "rows are made in order");
    ll_exact *entry = ll_block_reserve_exacts(out, count, CLASSES);
    if (entry == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a block");
    for (long i = 0; i < count; i++, grow(s)) {
        for (long k = 0; k < CLASSES; k++, entry++) {
            fmpz_one(entry->mantissa);
            fmpz_zero(entry->five);
            if (k == 0) {
                fmpz_zero(entry->two);
                continue;
            }
            mpz_ptr z = _fmpz_promote(entry->two);
            mp_ptr limbs = mpz_limbs_write(z, s->size + 1);
            limbs[s->size] = mpn_mul_1(limbs, s->base, s->size, (mp_limb_t)k);
            mpz_limbs_finish(z, -(s->size + (limbs[s->size] != 0)));
            _fmpz_demote_val(entry->two);
        }
    }
    return LL_OK;
}

static void ours(void *context)
{
    source *s = context;
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; clip=none; classes=%d", CLASSES);
    ll_predictions predictions = {.self = s, .rows = ROWS, .columns = CLASSES, .entries = LL_ENTRIES_EXACT, .get = get};
    ll_curator *curator;
    ll_score score;
    ll_error error;
    ll_score_init(&score);
    if (ll_curator_create(&curator, scorer, s->labels, ROWS, &error) != LL_OK ||
        ll_curator_score(curator, &score, &predictions, &error) != LL_OK) {
        fprintf(stderr, "b-score-exact: %s\n", error.text);
        exit(1);
    }
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
}

static void one_pass(void *context)
{
    source *s = context;
    rewind_source(s);
    for (long i = 0; i < ROWS; i++, grow(s)) {
        for (long k = 1; k < CLASSES; k++) {
            mp_ptr limbs = s->buffer + (k - 1) * (s->size + 1);
            limbs[s->size] = mpn_mul_1(limbs, s->base, s->size, (mp_limb_t)k);
        }
        for (long k = 0; k < (CLASSES - 1) * (s->size + 1); k++)
            s->seen ^= s->buffer[k];
    }
}

int main(void)
{
    source s = {.base = calloc(4096, sizeof(mp_limb_t)),
                .buffer = calloc(4096 * CLASSES, sizeof(mp_limb_t)),
                .labels = malloc(ROWS * sizeof(int32_t))};
    ll_error error;
    if (s.base == NULL || s.buffer == NULL || s.labels == NULL ||
        ll_dataset_labels(s.labels, ROWS, "mnist", 1, &error) != LL_OK)
        return 1;
    double best[2];
    bench_pair(best, ours, one_pass, &s, 3);
    bench_print("exact log-loss", "70000 x 10", best[0], "one pass over every entry", best[1]);
    fprintf(stderr, "b-score-exact: peak %.0f MB\n", bench_peak_megabytes());
    free(s.base);
    free(s.buffer);
    free(s.labels);
    flint_cleanup();
    return s.seen == 1; /* keeps the baseline's reading alive */
}
