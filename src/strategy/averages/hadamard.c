/* hadamard: every query asks about every row, with weights 0 and 1 by signs (docs/proofs/hadamard.md; the regime is
 * that of Dinur and Nissim 2003). It averages noise over all queries, and works where no query alone tells any two
 * labellings apart; its answers have probabilities (src/posterior), and are certified where Parseval's identity leaves
 * room for one labelling only.
 *
 * More than two classes: bit t = 1 .. T of a label k is the parity of k & t, T = 2^m - 1, and a query asks about one
 * bit of every row. Two labels differ in 2^(m-1) of the T bits, more than half; one bit for each label would separate
 * them by half only.
 *
 * Signs are random, and so is the bit of every row and query, where labels will be likely: then the labellings that fit
 * by chance can be counted. They are those of a Sylvester matrix where Parseval's identity is to prove the answer: all
 * its lines are asked, query q about bit 1 + q mod T of all rows. Its columns are no random ones: those of 4, 8, 16
 * rows multiply to a constant, and wrong labels would come in such groups.
 *
 * Lines and columns are images of 0, 1, 2, ... under a bijection of the m-bit numbers that keeps 0 (odd factors and
 * shifted exclusive-ors), so that they are different without a table, and column 0, whose sums a constant error of all
 * scores would spoil, is no row's. Signs are flipped at random row by row: then sums do not depend on how many labels
 * are 1. */
#include "strategy/averages/hadamard.h"
#include "number/random.h"
#include "posterior/posterior.h"
#include "strategy/averages/averages.h"

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
    h->is_random = 0;
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

void ll_hadamard_set_random(ll_code *code, uint64_t seed)
{
    ll_hadamard *h = code->data;
    h->is_random = 1;
    h->seed = seed;
}

static void clear(ll_code *code)
{
    ll_hadamard *h = code->data;
    free(h->columns);
    free(h->lines);
}

/* levels is the number of queries. */
static ll_status create(ll_code *code, ll_error *error)
{
    ll_hadamard *h = code->data;
    code->queries = code->levels > 0 ? (long)code->levels : 1;
    code->levels = 1;
    h->label_bits = ll_posterior_bits(code->classes);
    if (h->label_bits < 1 || h->label_bits > MOST_BITS / 2)
        return ll_fail(error, LL_DOMAIN, "hadamard is for at most %d classes", 1 << MOST_BITS / 2);
    h->groups = (1 << h->label_bits) - 1;
    long lines = (code->queries - 1) / h->groups + 1;
    h->bits = ll_posterior_bits(lines > code->rows + 1 ? lines : code->rows + 1);
    if (h->bits > MOST_BITS)
        return ll_fail(error, LL_DOMAIN, "hadamard is for fewer than 2^%d rows and queries", MOST_BITS);
    h->columns = malloc(sizeof *h->columns * (size_t)h->groups * (size_t)code->rows);
    h->lines = malloc(sizeof *h->lines * (size_t)code->queries);
    if (h->columns == NULL || h->lines == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows and %ld queries", code->rows, code->queries);
    ll_hadamard_set_seed(code, 0);
    return LL_OK;
}

/* A block of the generator, 128 bits, is the signs of 128 rows where there is one bit to ask for; with more, 32 bits
 * are one row's: its sign, and 31 bits, of which T * bits / 2^31 is the bit to ask for, even up to T / 2^31. */
static long rows_of_block(const ll_hadamard *h)
{
    return h->groups == 1 ? 128 : 4;
}

static void draw_block(const ll_hadamard *h, uint32_t out[4], long query, long block)
{
    const uint32_t counter[4] = {(uint32_t)block, (uint32_t)((uint64_t)block >> 32), (uint32_t)query, 0x5369676Eu};
    const uint32_t key[2] = {(uint32_t)h->seed, (uint32_t)(h->seed >> 32)};
    ll_random_philox(out, counter, key);
}

static int kind_of(const ll_hadamard *h, const uint32_t block[4], long row)
{
    if (h->groups == 1)
        return (int)(block[row / 32 % 4] >> (row % 32) & 1);
    uint32_t own = block[row % 4];
    return (int)(2 * ((uint64_t)(own >> 1) * (uint64_t)h->groups >> 31) + (own & 1));
}

static int sylvester_kind(const ll_hadamard *h, long rows, long query, long row)
{
    long group = query % h->groups;
    uint32_t line = 2 * h->lines[query] + 1;
    return (int)(2 * group) + __builtin_parity(line & h->columns[group * rows + row]);
}

static void random_kinds(const ll_hadamard *h, uint16_t *kinds, long rows, long query)
{
    long each = rows_of_block(h);
    uint32_t block[4];
    for (long first = 0; first < rows; first += each) {
        draw_block(h, block, query, first / each);
        for (long row = first; row < first + each && row < rows; row++)
            kinds[row] = (uint16_t)kind_of(h, block, row);
    }
}

void ll_hadamard_kinds(const void *self, uint16_t *kinds, long query)
{
    const ll_code *code = self;
    const ll_hadamard *h = code->data;
    if (h->is_random)
        random_kinds(h, kinds, code->rows, query);
    for (long row = 0; row < code->rows && !h->is_random; row++)
        kinds[row] = (uint16_t)sylvester_kind(h, code->rows, query, row);
}

int ll_hadamard_kind(const ll_code *code, long row)
{
    const ll_hadamard *h = code->data;
    uint32_t block[4];
    if (!h->is_random)
        return sylvester_kind(h, code->rows, code->query, row);
    draw_block(h, block, code->query, row / rows_of_block(h));
    return kind_of(h, block, row);
}

int ll_hadamard_level(int kind, long label)
{
    return __builtin_parityl((unsigned long)label & (unsigned long)(kind / 2 + 1)) != (kind & 1);
}

static int64_t level(const ll_code *code, long row, long label)
{
    return ll_hadamard_level(ll_hadamard_kind(code, row), label);
}

const ll_code_row ll_code_hadamard = {
    .info = {.name = "hadamard",
             .variants = "",
             .result = "",
             .guarantee = "heuristic",
             .weights = "0 and 1 by random signs, or those of a Sylvester matrix, every row in every query",
             .gap = "none: labels have probabilities; proved where Parseval's identity leaves one labelling",
             .bits = "log2(N)/2 a query, or what rounding leaves of them",
             .cost = "some dozen rounds of N Q additions",
             .classes = "2 or more"},
    .state_size = sizeof(ll_hadamard),
    .create = create,
    .clear = clear,
    .bounded = {.level = level},
};
