/* Items and their options, and the sorted sums of a part of them. */
#include "search/meet_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 4096, BITS = 61 };

/* ---- items ---- */

static long allowed_labels(const ll_linear *s, long row, long *out)
{
    long n = 0;
    for (long k = 0; k < s->classes; k++)
        if (s->allowed[row * s->classes + k])
            out[n++] = k;
    return n;
}

/* C(m+n-1, n-1), or more than MOST_OPTIONS. Two labels give m+1, always taken. */
static double patterns(long m, long n)
{
    double count = 1;
    for (long j = 1; j < n; j++)
        count = count * (double)(m + j) / (double)j;
    return count;
}

/* The largest part of a group of `size` rows that makes one item. */
static long item_size(long size, long n)
{
    while (n > 2 && size > 1 && patterns(size, n) > MOST_OPTIONS)
        size = (size + 1) / 2;
    return size;
}

static ll_status list_items(ll_items *p)
{
    const ll_linear *s = p->system;
    long *labels = calloc((size_t)s->classes, sizeof *labels);
    p->items = calloc((size_t)s->rows, sizeof *p->items);
    p->plain = 1;
    for (long g = 0; labels && p->items && g < p->groups.count; g++) {
        long n = allowed_labels(s, p->groups.order[p->groups.first[g]], labels);
        long step = item_size(p->groups.first[g + 1] - p->groups.first[g], n);
        for (long at = p->groups.first[g]; at < p->groups.first[g + 1]; at += step) {
            long left = p->groups.first[g + 1] - at, size = left < step ? left : step;
            ll_item item = {at, size, lround(patterns(size, n)), p->options};
            p->plain &= size == 1 || n == 1;
            p->options += item.options;
            p->items[p->count++] = item;
        }
    }
    ll_status status = labels && p->items ? LL_OK : LL_MEMORY;
    free(labels);
    return status;
}

/* All ways to split `size` into counts of the labels: the next one after `counts`, 0 after the last. The first has
 * all in the last label. */
static int next_pattern(int32_t *counts, const long *labels, long n)
{
    long j = n - 1; /* the last label that has any: one of them goes to the label before, the others to the end */
    while (j > 0 && counts[labels[j]] == 0)
        j--;
    if (j == 0)
        return 0;
    int32_t moved = counts[labels[j]] - 1;
    counts[labels[j]] = 0;
    counts[labels[j - 1]]++;
    counts[labels[n - 1]] = moved;
    return 1;
}

static void list_options(ll_items *p, const ll_item *item, long *labels)
{
    const ll_linear *s = p->system;
    long n = allowed_labels(s, p->groups.order[item->first], labels), option = item->first_option;
    int32_t *counts = p->counts + option * s->classes;
    counts[labels[n - 1]] = (int32_t)item->size;
    for (long j = 1; j < item->options; j++, counts += s->classes) {
        memcpy(counts + s->classes, counts, sizeof *counts * (size_t)s->classes);
        (void)next_pattern(counts + s->classes, labels, n);
    }
    fmpz_t choose;
    fmpz_init(choose);
    for (; option < item->first_option + item->options; option++) {
        long left = item->size;
        fmpz_one(p->ways + option);
        for (long k = 0; k < s->classes; k++) {
            long have = p->counts[option * s->classes + k];
            fmpz_bin_uiui(choose, (ulong)left, (ulong)have);
            fmpz_mul(p->ways + option, p->ways + option, choose);
            left -= have;
        }
    }
    fmpz_clear(choose);
}

/* ---- integers ---- */

static void option_weight(fmpz_t out, const ll_items *p, const ll_item *item, long option, long q)
{
    const ll_linear *s = p->system;
    long row = p->groups.order[item->first];
    fmpz_zero(out);
    for (long k = 0; k < s->classes; k++)
        fmpz_addmul_ui(out, ll_linear_weight(s, q, row, k), (ulong)p->counts[option * s->classes + k]);
}

/* x / 2^shift to nearest */
static int64_t shifted(const fmpz_t x, ulong shift)
{
    fmpz_t y;
    fmpz_init_set(y, x);
    if (shift > 0) {
        fmpz_t half;
        fmpz_init(half);
        fmpz_one(half);
        fmpz_mul_2exp(half, half, shift - 1);
        fmpz_add(y, y, half);
        fmpz_fdiv_q_2exp(y, y, shift);
        fmpz_clear(half);
    }
    int64_t value = fmpz_get_si(y);
    fmpz_clear(y);
    return value;
}

/* The shift with which |target|, tolerance and the largest weights of all items add up to less than 2^BITS. */
static ulong choose_shift(const ll_items *p, long q)
{
    fmpz_t sum, most, weight;
    fmpz_init(sum);
    fmpz_init(most);
    fmpz_init(weight);
    fmpz_abs(sum, p->system->targets + q);
    fmpz_add(sum, sum, p->system->tolerances + q);
    for (long i = 0; i < p->count; i++) {
        const ll_item *item = p->items + i;
        fmpz_zero(most);
        for (long o = item->first_option; o < item->first_option + item->options; o++) {
            option_weight(weight, p, item, o, q);
            if (fmpz_cmpabs(weight, most) > 0)
                fmpz_abs(most, weight);
        }
        fmpz_add(sum, sum, most);
    }
    long bits = (long)fmpz_bits(sum);
    fmpz_clear(sum);
    fmpz_clear(most);
    fmpz_clear(weight);
    return bits > BITS ? (ulong)(bits - BITS) : 0;
}

static void set_score(ll_items *p, long q)
{
    ulong shift = choose_shift(p, q);
    fmpz_t weight;
    fmpz_init(weight);
    for (long i = 0; i < p->count; i++) {
        const ll_item *item = p->items + i;
        for (long o = item->first_option; o < item->first_option + item->options; o++) {
            option_weight(weight, p, item, o, q);
            p->weights[q * p->options + o] = shifted(weight, shift);
        }
    }
    fmpz_clear(weight);
    int64_t margin = shift > 0 ? p->count / 2 + 2 : 0; /* (n+1)/2 for sum and target, 1 for the tolerance */
    int64_t tolerance = shifted(p->system->tolerances + q, shift);
    p->targets[q] = shifted(p->system->targets + q, shift);
    p->outer[q] = tolerance + margin;
    p->inner[q] = tolerance - margin;
}

/* The score that leaves the fewest labellings. */
static void choose_key(ll_items *p)
{
    double least = INFINITY;
    for (long q = 0; q < p->system->scores; q++) {
        double bits = p->system->scores > 1 ? ll_linear_spurious_bits_of(p->system, q) : 0;
        if (bits < least) {
            least = bits;
            p->key = q;
        }
    }
}

ll_status ll_items_init(ll_items *p, const ll_linear *s)
{
    *p = (ll_items){.system = s};
    ll_status status = ll_groups_init(&p->groups, s);
    if (status == LL_OK)
        status = list_items(p);
    size_t options = (size_t)p->options, scores = (size_t)s->scores;
    if (status == LL_OK) {
        p->counts = calloc(options * (size_t)s->classes, sizeof *p->counts);
        p->weights = malloc(options * scores * sizeof *p->weights);
        p->ways = calloc(options, sizeof *p->ways);
        p->targets = malloc(3 * scores * sizeof *p->targets);
    }
    long *labels = calloc((size_t)s->classes, sizeof *labels);
    if (!p->counts || !p->weights || !p->ways || !p->targets || !labels) {
        free(labels);
        ll_items_clear(p);
        return LL_MEMORY;
    }
    p->outer = p->targets + scores;
    p->inner = p->outer + scores;
    for (long i = 0; i < p->count; i++)
        list_options(p, p->items + i, labels);
    for (long q = 0; q < s->scores; q++)
        set_score(p, q);
    choose_key(p);
    free(labels);
    return LL_OK;
}

void ll_items_clear(ll_items *p)
{
    for (long o = 0; p->ways != NULL && o < p->options; o++)
        fmpz_clear(p->ways + o);
    ll_groups_clear(&p->groups);
    free(p->items);
    free(p->counts);
    free(p->weights);
    free(p->ways);
    free(p->targets);
    *p = (ll_items){0};
}

/* ---- parts ---- */

/* Each item, those with most options first, goes to the smallest part. */
ll_status ll_parts_deal(ll_part *parts, long n, const ll_items *p)
{
    parts[0] = (ll_part){.members = calloc((size_t)(n * p->count + p->count) + 1, sizeof(long)), .size = 1};
    long *members = parts[0].members;
    if (members == NULL)
        return LL_MEMORY;
    for (long j = 1; j < n; j++)
        parts[j] = (ll_part){.members = members + j * p->count, .size = 1};
    long *order = members + n * p->count; /* insertion sort: there are few items, or else it is refused anyway */
    for (long i = 0; i < p->count; i++) {
        long at = i;
        for (; at > 0 && p->items[order[at - 1]].options < p->items[i].options; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (long i = 0; i < p->count; i++) {
        ll_part *least = parts;
        for (long j = 1; j < n; j++)
            least = parts[j].size < least->size ? parts + j : least;
        least->members[least->count++] = order[i];
        least->size *= (double)p->items[order[i]].options;
    }
    return LL_OK;
}

void ll_parts_clear(ll_part *parts, long n)
{
    for (long j = 0; j < n; j++) {
        free(parts[j].sums);
        free(parts[j].codes);
    }
    free(parts[0].members);
}

/* out = the sorted union of x + a and y + b, with the codes of x + c and y + d. No branch depends on the sums. */
static void merge(int64_t *restrict sums, uint32_t *restrict codes, const int64_t *x, const uint32_t *x_codes, size_t n,
                  int64_t a, uint32_t c, const int64_t *y, const uint32_t *y_codes, size_t m, int64_t b, uint32_t d)
{
    size_t i = 0, j = 0, at = 0;
    while (i < n && j < m) {
        int64_t left = x[i] + a, right = y[j] + b;
        uint32_t left_code = x_codes[i] + c, right_code = y_codes[j] + d;
        size_t take = right < left;
        sums[at] = take ? right : left;
        codes[at++] = take ? right_code : left_code;
        j += take;
        i += 1 - take;
    }
    for (; i < n; i++, at++) {
        sums[at] = x[i] + a;
        codes[at] = x_codes[i] + c;
    }
    for (; j < m; j++, at++) {
        sums[at] = y[j] + b;
        codes[at] = y_codes[j] + d;
    }
}

typedef struct {
    int64_t *sums;
    uint32_t *codes;
} list;

static int list_init(list *l, size_t n)
{
    l->sums = calloc(n, sizeof *l->sums); /* pages that were never touched cost nothing to clear */
    l->codes = calloc(n, sizeof *l->codes);
    return l->sums && l->codes;
}

static void list_clear(list *l)
{
    free(l->sums);
    free(l->codes);
    *l = (list){0};
}

/* More than two options: each makes a shifted copy of the list; then runs are merged in pairs. *out holds the result,
 * *spare is as long. */
static void merge_runs(list *out, list *spare, const list *from, size_t n, const int64_t *weights, long options)
{
    for (long o = 0; o < options; o++)
        for (size_t i = 0; i < n; i++) {
            out->sums[(size_t)o * n + i] = from->sums[i] + weights[o];
            out->codes[(size_t)o * n + i] = from->codes[i] + (uint32_t)((size_t)o * n);
        }
    size_t total = n * (size_t)options;
    for (size_t run = n; run < total; run *= 2) {
        for (size_t at = 0; at < total; at += 2 * run) {
            size_t first = total - at < run ? total - at : run;
            size_t second = total - at - first < run ? total - at - first : run;
            merge(spare->sums + at, spare->codes + at, out->sums + at, out->codes + at, first, 0, 0,
                  out->sums + at + first, out->codes + at + first, second, 0, 0);
        }
        list swap = *out;
        *out = *spare;
        *spare = swap;
    }
}

/* The list with one more item; 0 where memory ended. The old list is freed. */
static int extend(list *l, size_t n, const int64_t *weights, long options)
{
    list next = {0}, spare = {0};
    int good = list_init(&next, n * (size_t)options) && (options == 2 || list_init(&spare, n * (size_t)options));
    if (good && options == 2)
        merge(next.sums, next.codes, l->sums, l->codes, n, weights[0], 0, l->sums, l->codes, n, weights[1],
              (uint32_t)n);
    else if (good)
        merge_runs(&next, &spare, l, n, weights, options);
    list_clear(&spare);
    list_clear(l);
    *l = next;
    return good;
}

ll_status ll_part_build(ll_part *part, const ll_items *p)
{
    list l = {0};
    size_t n = 1;
    int good = list_init(&l, 1);
    if (good) {
        l.sums[0] = 0;
        l.codes[0] = 0;
    }
    for (long i = 0; i < part->count && good; i++) {
        const ll_item *item = p->items + part->members[i];
        good = extend(&l, n, p->weights + p->key * p->options + item->first_option, item->options);
        n *= (size_t)item->options;
    }
    if (!good) {
        list_clear(&l);
        return LL_MEMORY;
    }
    part->sums = l.sums;
    part->codes = l.codes;
    return LL_OK;
}
