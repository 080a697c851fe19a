/* Honest predictions stand where the rows stand, and rows may be sorted or come in groups. So a mark is only what such an
 * order does not explain: a stretch that comes again, beyond what each change says of the next one, and a stretch in
 * order within a file that is not. docs/proofs/audit.md has where the lines are drawn. */
#include "audit/positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COINCIDENCE 24.0 /* bits of evidence */

/* Kinds of predictions of which stretches are compared; of more, orders are. */
enum { MOST_KINDS = 8 };

/* ---- a stretch that comes again ---- */

/* Steps from one row to the next, modulo the number of kinds, so that a stretch with all kinds shifted is the same;
 * bits[i]: what the steps before it leave open of step i, added up. */
typedef struct {
    unsigned char *steps;
    double *bits;
    uint64_t *hashes; /* of all steps before */
    long count, kinds, order;
} walk;

typedef struct {
    uint64_t hash;
    long at, length;
} stretch;

static const uint64_t base = 0x9e3779b97f4a7c15;

static void walk_clear(walk *w)
{
    free(w->steps);
    free(w->bits);
    free(w->hashes);
}

/* The steps before step i, as a number. */
static long context_of(const walk *w, long i)
{
    long context = 0;
    for (long k = 1; k <= w->order; k++)
        context = context * w->kinds + (i >= k ? w->steps[i - k] : 0);
    return context;
}

/* Bits by the frequencies of steps after the same one or two steps. */
static void weigh(walk *w)
{
    enum { MOST_CONTEXTS = MOST_KINDS * MOST_KINDS };
    long seen[MOST_CONTEXTS][MOST_KINDS] = {{0}}, all[MOST_CONTEXTS] = {0};
    for (long i = 0; i < w->count; i++) {
        seen[context_of(w, i)][w->steps[i]]++;
        all[context_of(w, i)]++;
    }
    w->bits[0] = 0;
    w->hashes[0] = 0;
    for (long i = 0; i < w->count; i++) {
        long context = context_of(w, i);
        w->bits[i + 1] = w->bits[i] + log2((double)all[context] / (double)seen[context][w->steps[i]]);
        w->hashes[i + 1] = w->hashes[i] * base + w->steps[i] + 1;
    }
}

static int walk_init(walk *w, const int32_t *symbols, long rows, long kinds)
{
    size_t count = (size_t)rows;
    *w = (walk){.steps = malloc(count),
                .bits = malloc(sizeof(double) * count),
                .hashes = malloc(sizeof(uint64_t) * count),
                .count = rows - 1,
                .kinds = kinds,
                .order = kinds == 2 ? 2 : 1};
    if (w->steps == NULL || w->bits == NULL || w->hashes == NULL)
        return 0;
    for (long i = 0; i < w->count; i++)
        w->steps[i] = (unsigned char)((symbols[i + 1] - symbols[i] + kinds) % kinds);
    weigh(w);
    return 1;
}

static uint64_t hash_of(const walk *w, long at, long length)
{
    uint64_t power = 1, square = base;
    for (long n = length; n > 0; n /= 2, square *= square)
        power = n % 2 ? power * square : power;
    return w->hashes[at + length] - w->hashes[at] * power;
}

static int compare(const void *a, const void *b)
{
    const stretch *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* From every row on, the shortest stretch with so many bits; the first steps are not counted, since what stood before
 * them may differ. */
static long list_stretches(const walk *w, stretch *out, double needed)
{
    long count = 0;
    for (long at = 0, end = 0; at + w->order < w->count; at++) {
        end = end > at + w->order ? end : at + w->order;
        while (end < w->count && w->bits[end] - w->bits[at + w->order] < needed)
            end++;
        if (w->bits[end] - w->bits[at + w->order] < needed)
            break;
        out[count++] = (stretch){hash_of(w, at, end - at), at, end - at};
    }
    qsort(out, (size_t)count, sizeof *out, compare);
    return count;
}

/* Two stretches that do not overlap. */
static int is_again(const walk *w, const stretch *a, const stretch *b)
{
    return a->hash == b->hash && a->length == b->length && b->at - a->at >= a->length &&
           memcmp(w->steps + a->at, w->steps + b->at, (size_t)a->length) == 0;
}

/* How far the stretch goes on in both places. */
static long extend(const walk *w, long a, long b, long length)
{
    while (b + length < w->count && a + length < b && w->steps[a + length] == w->steps[b + length])
        length++;
    return length;
}

static int find_again(ll_trace *out, const walk *w, const stretch *list, long count)
{
    for (long i = 0, first = 0; i < count; i++) {
        first = list[first].hash == list[i].hash && list[first].length == list[i].length ? first : i;
        if (!is_again(w, &list[first], &list[i]))
            continue;
        long length = 1 + extend(w, list[first].at, list[i].at, list[i].length);
        out->name = "repeats";
        return ll_trace_say(out,
                            "the predictions of %ld rows from row %ld on come again from row %ld on, step by step: of "
                            "rows that are not copies of each other a model's do not",
                            length, list[first].at, list[i].at);
    }
    return 0;
}

static int repeats(ll_trace *out, const int32_t *symbols, long rows, long kinds)
{
    walk w;
    stretch *list = malloc(sizeof *list * (size_t)rows);
    double needed = COINCIDENCE + 2 * log2((double)rows);
    int found = walk_init(&w, symbols, rows, kinds) && list != NULL &&
                find_again(out, &w, list, list_stretches(&w, list, needed));
    walk_clear(&w);
    free(list);
    return found;
}

/* ---- a stretch in order ---- */

/* log2 of the number of orders of rows at .. at + length, of which one is in order; alike rows count once. */
static double order_bits(const int32_t *symbols, long at, long length)
{
    double bits = lgamma((double)length + 1);
    long alike = 0;
    for (long i = at; i < at + length; i++) {
        alike = i > at && symbols[i] == symbols[i - 1] ? alike + 1 : 1;
        bits -= log((double)alike);
    }
    return bits / log(2);
}

/* The end of the longest stretch from `at` on that goes up (sign 1) or down (-1). */
static long find_end(const int32_t *symbols, long rows, long at, int sign)
{
    long end = at + 1;
    while (end < rows && sign * (symbols[end] - symbols[end - 1]) >= 0)
        end++;
    return end;
}

/* Stretches that are in order by more than chance. A file that mostly consists of such has rows in order. */
static int is_ordered(ll_trace *out, const int32_t *symbols, long rows, int sign)
{
    double needed = COINCIDENCE + 1 + log2((double)rows);
    long covered = 0, first = 0, longest = 0;
    for (long at = 0, end; at < rows; at = end) {
        end = find_end(symbols, rows, at, sign);
        if (order_bits(symbols, at, end - at) < needed)
            continue;
        covered += end - at;
        first = end - at > longest ? at : first;
        longest = end - at > longest ? end - at : longest;
    }
    if (longest == 0 || 10 * covered > 8 * rows)
        return 0;
    out->name = "in-order";
    return ll_trace_say(out,
                        "the predictions of %ld rows from row %ld on are in order, %s, and those of the others are not",
                        longest, first, sign > 0 ? "none below the one before it" : "none above the one before it");
}

int ll_trace_positions(ll_trace *out, const int32_t *symbols, long rows, long kinds)
{
    const long fewest = 16;
    if (rows < fewest || kinds < 2)
        return 0;
    if (kinds <= MOST_KINDS)
        return repeats(out, symbols, rows, kinds);
    return is_ordered(out, symbols, rows, 1) || is_ordered(out, symbols, rows, -1);
}
