/* hadamard: every query asks about every row, with weights 0 and 1 by the signs of a Sylvester matrix
 * (docs/proofs/hadamard.md; the regime is that of Dinur and Nissim 2003). It averages noise over all queries, and works
 * where no query alone tells any two labellings apart; its answers have probabilities (src/soft), and are certified
 * where Parseval's identity leaves room for one labelling only.
 *
 * More than two classes: bit t = 1 .. T of a label k is the parity of k & t, T = 2^m - 1, and query q asks about bit
 * 1 + q mod T of all rows. Two labels differ in 2^(m-1) of the T bits, more than half; one bit for each label would
 * separate them by half only.
 *
 * Lines and columns are images of 0, 1, 2, ... under a bijection of the m-bit numbers that keeps 0 (odd factors and
 * shifted exclusive-ors), so that they are different without a table, and column 0, whose sums a constant error of all
 * scores would spoil, is no row's. Signs are flipped at random row by row: then sums do not depend on how many labels
 * are 1. */
#include "code/hadamard.h"
#include "code/rows.h"
#include "number/random.h"

#include <stdlib.h>

enum { MOST_BITS = 30 };

typedef struct {
    uint64_t factors[3];
    uint64_t mask;
    int shift;
} mixer;

static mixer mixer_of(uint64_t seed, uint64_t stream, int bits)
{
    mixer m = {.mask = ((uint64_t)1 << bits) - 1, .shift = (bits + 1) / 2};
    for (uint64_t i = 0; i < 3; i++)
        m.factors[i] = ll_random_bits(seed, stream, i) | 1;
    return m;
}

/* A bijection of 0 .. mask with 0 -> 0: each step is one. */
static uint64_t mix(const mixer *m, uint64_t x)
{
    for (int i = 0; i < 3; i++) {
        x = x * m->factors[i] & m->mask;
        if (m->shift > 0)
            x ^= x >> m->shift;
    }
    return x;
}

const ll_hadamard *ll_hadamard_get(const ll_code *code)
{
    return code->data;
}

/* Streams of the generator: a group's columns and flips, then the lines. */
void ll_hadamard_set_seed(ll_code *code, uint64_t seed)
{
    ll_hadamard *h = code->data;
    uint64_t size = (uint64_t)1 << h->bits;
    for (int t = 0; t < h->groups; t++) {
        mixer m = mixer_of(seed, 0x48616400u + 3 * (uint64_t)t, h->bits);
        for (long row = 0; row < code->rows; row++) {
            uint64_t flip = ll_random_bits(seed, 0x48616401u + 3 * (uint64_t)t, (uint64_t)row) & 1;
            h->columns[(long)t * code->rows + row] = (uint32_t)(2 * mix(&m, (uint64_t)row + 1) + flip);
        }
    }
    for (int t = 0; t < h->groups; t++) {
        mixer m = mixer_of(seed, 0x48616402u + 3 * (uint64_t)t, h->bits);
        for (long q = t; q < code->queries; q += h->groups)
            h->lines[q] = (uint32_t)(mix(&m, (size - 1 - (uint64_t)(q / h->groups)) & m.mask));
    }
}

static void clear(ll_code *code)
{
    ll_hadamard *h = code->data;
    if (h == NULL)
        return;
    free(h->columns);
    free(h->lines);
    free(h);
}

static int bits_of(long n)
{
    int bits = 0;
    while (bits < 62 && 1L << bits < n)
        bits++;
    return bits;
}

/* levels is the number of queries. */
static ll_status create(ll_code *code, ll_error *error)
{
    ll_hadamard *h = calloc(1, sizeof *h);
    if (h == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a code");
    code->data = h;
    code->queries = code->levels > 0 ? (long)code->levels : 1;
    code->levels = 1;
    h->label_bits = bits_of(code->classes);
    if (h->label_bits < 1 || h->label_bits > MOST_BITS / 2)
        return ll_fail(error, LL_DOMAIN, "hadamard is for at most %d classes", 1 << MOST_BITS / 2);
    h->groups = (1 << h->label_bits) - 1;
    long lines = (code->queries - 1) / h->groups + 1;
    h->bits = bits_of(lines > code->rows + 1 ? lines : code->rows + 1);
    if (h->bits > MOST_BITS)
        return ll_fail(error, LL_DOMAIN, "hadamard is for fewer than 2^%d rows and queries", MOST_BITS);
    h->columns = malloc(sizeof *h->columns * (size_t)h->groups * (size_t)code->rows);
    h->lines = malloc(sizeof *h->lines * (size_t)code->queries);
    if (h->columns == NULL || h->lines == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows and %ld queries", code->rows, code->queries);
    ll_hadamard_set_seed(code, 0);
    return LL_OK;
}

int ll_hadamard_kind(const ll_code *code, long row)
{
    const ll_hadamard *h = code->data;
    long group = code->query % h->groups;
    uint32_t line = 2 * h->lines[code->query] + 1;
    return (int)(2 * group) + __builtin_parity(line & h->columns[group * code->rows + row]);
}

int ll_hadamard_level(int kind, long label)
{
    return __builtin_parityl((unsigned long)label & (unsigned long)(kind / 2 + 1)) != (kind & 1);
}

static int64_t level(const ll_code *code, long row, long label)
{
    return ll_hadamard_level(ll_hadamard_kind(code, row), label);
}

static void get_span(const ll_code *code, arb_t out, slong prec)
{
    (void)prec;
    arb_set_si(out, code->rows);
}

/* Sums that are known exactly are not what this code is for. */
static ll_status decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    (void)sums;
    (void)error;
    ll_decoded_set_open(out, code->rows, code->classes);
    return LL_OK;
}

const ll_code_row ll_code_hadamard = {
    .info = {.name = "hadamard",
             .variants = "",
             .result = "",
             .guarantee = "heuristic",
             .weights = "0 and 1 by random columns of a Sylvester matrix, every row in every query",
             .gap = "none: labels have probabilities; proved where Parseval's identity leaves one labelling",
             .bits = "log2(N)/2 a query, or what rounding leaves of them",
             .cost = "some ten Walsh-Hadamard transforms, Q log2(Q) each",
             .classes = "2 or more"},
    .is_soft = 1,
    .create = create,
    .clear = clear,
    .get_span = get_span,
    .level = level,
    .decode_levels = decode_levels,
};
