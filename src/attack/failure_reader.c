#include "attack/failure_reader.h"

#include "number/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GUESSED = 16 };

typedef struct {
    int32_t *labels;
    ll_failure_cost *cost;
    const ll_failure_way *way;
    const ll_failure_oracle *oracle;
    long limit;
    int8_t *guesses;
    ll_error *error;
} reader;

/* ---- one submission ---- */

/* LL_UNABLE: no further one may be counted. */
static ll_status ask(reader *r, int *failed, long first, long count)
{
    if (r->limit > 0 && r->cost->counted >= (double)r->limit)
        return LL_UNABLE;
    ll_status status = r->oracle->ask(r->oracle->self, failed, r->guesses, first, count, r->error);
    r->cost->submissions++;
    r->cost->counted += status == LL_OK && !*failed;
    return status;
}

static void set_labels(reader *r, long first, long count, int label)
{
    for (long i = first; i < first + count; i++)
        r->labels[i] = label;
    r->cost->labels += (double)count;
}

/* ---- it fails without a hit ---- */

/* Does one of the rows have label 1? */
static ll_status has_one(reader *r, int *has, long first, long count)
{
    int failed = 0;
    memset(r->guesses, 1, (size_t)count);
    ll_status status = ask(r, &failed, first, count);
    *has = !failed;
    return status;
}

/* Row by row; where all but the last were cleared, the last is the one. */
static ll_status read_singles(reader *r, long first, long count)
{
    ll_status status = LL_OK;
    int any = 0;
    for (long i = first; i < first + count && status == LL_OK; i++) {
        int has = 1;
        if (any || i + 1 < first + count)
            status = has_one(r, &has, i, 1);
        if (status == LL_OK)
            set_labels(r, i, 1, has);
        any |= has;
    }
    return status;
}

static ll_status read_group(reader *r, long first, long count, int known);

static ll_status read_halves(reader *r, long first, long count)
{
    long left = count / 2;
    int has = 0;
    ll_status status = has_one(r, &has, first, left);
    if (status != LL_OK)
        return status;
    if (!has)
        set_labels(r, first, left, 0);
    else
        status = read_group(r, first, left, 1);
    return status == LL_OK ? read_group(r, first + left, count - left, !has) : status;
}

/* known: one of the rows has label 1. */
static ll_status read_group(reader *r, long first, long count, int known)
{
    int has = 1;
    ll_status status = known ? LL_OK : has_one(r, &has, first, count);
    if (status != LL_OK)
        return status;
    if (!has || count == 1) {
        set_labels(r, first, count, has);
        return LL_OK;
    }
    return r->way->halves ? read_halves(r, first, count) : read_singles(r, first, count);
}

/* ---- it fails on a miss ---- */

/* The guess of number `index`, the unlikelier labels first: what fails is free. */
static void set_guess(reader *r, long index, long count, int rare)
{
    for (long i = 0; i < count; i++)
        r->guesses[i] = (int8_t)((index >> i & 1) ^ rare);
}

/* All labellings of the rows but one are tried, until one does not fail. */
static ll_status read_guesses(reader *r, long first, long count, double share)
{
    ll_status status = LL_OK;
    long last = (1L << count) - 1;
    int failed = 1;
    for (long index = 0; index <= last && failed && status == LL_OK; index++) {
        set_guess(r, index, count, share < 0.5);
        if (index < last)
            status = ask(r, &failed, first, count);
        else
            failed = 0;
    }
    for (long i = 0; i < count && status == LL_OK; i++)
        set_labels(r, first + i, 1, r->guesses[i]);
    return status;
}

/* ---- all rows ---- */

static ll_status read_all(reader *r, long rows, double share)
{
    ll_status status = LL_OK;
    for (long first = 0; first < rows && status == LL_OK; first += r->way->group) {
        long count = rows - first < r->way->group ? rows - first : r->way->group;
        status =
            r->way->kind == LL_FAILS_ON_MISS ? read_guesses(r, first, count, share) : read_group(r, first, count, 0);
    }
    return status == LL_UNABLE ? LL_OK : status;
}

ll_status ll_failure_read(int32_t *labels, ll_failure_cost *cost, const ll_failure_way *way,
                          const ll_failure_oracle *oracle, long rows, long limit, double share, ll_error *error)
{
    reader r = {.labels = labels, .cost = cost, .way = way, .oracle = oracle, .limit = limit, .error = error};
    r.guesses = malloc((size_t)(way->group > MOST_GUESSED ? way->group : MOST_GUESSED));
    if (r.guesses == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for guesses");
    *cost = (ll_failure_cost){0};
    for (long i = 0; i < rows; i++)
        labels[i] = -1;
    ll_status status = read_all(&r, rows, share);
    free(r.guesses);
    return status;
}

/* ---- which way ---- */

typedef struct {
    ll_failure_kind kind;
    const int8_t *truth;
} drawn;

static ll_status ask_drawn(void *self, int *failed, const int8_t *guesses, long first, long count, ll_error *error)
{
    const drawn *d = self;
    long hits = 0;
    (void)error;
    for (long i = 0; i < count; i++)
        hits += d->truth[first + i] == guesses[i];
    *failed = d->kind == LL_FAILS_ON_MISS ? hits < count : hits == 0;
    return LL_OK;
}

/* What a way costs on labels that are drawn; of many rows a part stands for all. */
static ll_status measure(ll_failure_cost *out, const ll_failure_way *way, const int8_t *truth, long rows, long limit,
                         double share, ll_error *error)
{
    drawn d = {way->kind, truth};
    ll_failure_oracle oracle = {&d, ask_drawn};
    int32_t *labels = malloc(sizeof *labels * (size_t)rows);
    if (labels == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", rows);
    ll_status status = ll_failure_read(labels, out, way, &oracle, rows, limit, share, error);
    free(labels);
    return status;
}

enum { DRAWS = 8 };

/* DRAWS sets of labels, one behind the other. */
static int8_t *draw_labels(long rows, double share, uint64_t seed)
{
    int8_t *truth = malloc(DRAWS * (size_t)rows);
    for (long i = 0; truth != NULL && i < DRAWS * rows; i++)
        truth[i] = ll_random_uniform(seed, 0x6661696cU, (uint64_t)i) < share;
    return truth;
}

/* The mean over the draws, for `scale` times as many rows. */
static ll_status measure_all(ll_failure_cost *out, const ll_failure_way *way, const int8_t *truth, long rows,
                             long limit, double share, double scale, ll_error *error)
{
    *out = (ll_failure_cost){0};
    for (int i = 0; i < DRAWS; i++) {
        ll_failure_cost own;
        ll_status status = measure(&own, way, truth + i * rows, rows, limit, share, error);
        if (status != LL_OK)
            return status;
        out->submissions += own.submissions * scale / DRAWS;
        out->counted += own.counted * scale / DRAWS;
        out->labels += own.labels * scale / DRAWS;
    }
    return LL_OK;
}

/* Better: within the limit where the other is not; then fewer submissions, or fewer that count. */
static int is_better(const ll_failure_cost *a, const ll_failure_cost *b, double limit)
{
    int fits = a->counted + 3 * sqrt(a->counted) <= limit, other = b->counted + 3 * sqrt(b->counted) <= limit;
    if (fits != other)
        return fits;
    return fits ? a->submissions < b->submissions : a->counted < b->counted;
}

static ll_failure_way way_at(ll_failure_kind kind, int index)
{
    if (kind == LL_FAILS_ON_MISS)
        return (ll_failure_way){kind, index + 1, 0};
    return (ll_failure_way){kind, 1L << index / 2, index % 2};
}

ll_status ll_failure_choose(ll_failure_way *way, ll_failure_cost *cost, ll_failure_kind kind, long rows, long limit,
                            double share, uint64_t seed, ll_error *error)
{
    enum { PART = 5000, GROUPS = 22, GUESSES = 14 };
    long part = rows < PART ? rows : PART;
    double scale = (double)rows / (double)part, most = limit > 0 ? (double)limit : INFINITY;
    int8_t *truth = draw_labels(part, share, seed);
    ll_status status = truth != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld labels", part);
    int ways = kind == LL_FAILS_ON_MISS ? GUESSES : GROUPS;
    for (int i = 0; i < ways && status == LL_OK; i++) {
        ll_failure_way own = way_at(kind, i);
        ll_failure_cost price;
        status = measure_all(&price, &own, truth, part, 0, share, scale, error);
        if (status == LL_OK && (i == 0 || is_better(&price, cost, most))) {
            *way = own;
            *cost = price;
        }
    }
    if (status == LL_OK && cost->counted > most) {
        status = measure_all(cost, way, truth, part, (long)(most / scale) + 1, share, scale, error);
        cost->counted = fmin(most, cost->counted);
    }
    free(truth);
    return status;
}
