#include "curator/part.h"
#include "number/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- which rows ---- */

enum { STREAM = 0x9a27 }; /* of the draws of a part */

static long size_of(const ll_scorer *scorer, long rows)
{
    long most = scorer->counted_most < rows ? scorer->counted_most : rows, least = scorer->counted_least;
    if (most - least <= 1) /* told, or a share that falls between two counts */
        return least;
    long size = (3 * rows + 5) / 10;
    return size < least ? least : size > most ? most : size;
}

static ll_status check_size(const ll_curator *curator, long size, ll_error *error)
{
    const ll_scorer *s = curator->scorer;
    if (size < 1)
        return ll_fail(error, LL_DOMAIN, "no row is public: there is nothing to score");
    if (size >= s->counted_least && size <= s->counted_most)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "%ld rows are public, but the setting public says %s", size,
                   ll_scorer_text(s, LL_SET_PUBLIC));
}

/* Labels and rows of the scoring are those of the rows that are marked. */
static ll_status set_part(ll_curator *curator, const unsigned char *is_public, ll_error *error)
{
    long size = 0;
    for (long i = 0; i < curator->rows; i++)
        size += is_public[i] != 0;
    ll_status status = check_size(curator, size, error);
    if (status != LL_OK)
        return status;
    long *part = malloc(sizeof *part * (size_t)size);
    int32_t *labels = malloc(sizeof *labels * (size_t)size);
    if (part == NULL || labels == NULL) {
        free(part);
        free(labels);
        return ll_fail(error, LL_MEMORY, "no memory for %ld public rows", size);
    }
    for (long i = 0, k = 0; i < curator->rows; i++)
        if (is_public[i]) {
            labels[k] = curator->labels[i];
            part[k++] = i;
        }
    free(curator->part);
    free(curator->part_labels);
    curator->part = part;
    curator->scoring.labels = curator->part_labels = labels;
    curator->scoring.rows = size;
    return LL_OK;
}

/* Every row is taken with the chance that leaves all parts of that size equally likely. */
ll_status ll_part_draw(ll_curator *curator, uint64_t seed, ll_error *error)
{
    if (!curator->scorer->is_part)
        return LL_OK;
    if (curator->scorer->rows == 0)
        return ll_fail(error, LL_DOMAIN, "a public part needs the number of rows");
    long rows = curator->rows, wanted = size_of(curator->scorer, rows);
    unsigned char *is_public = calloc((size_t)rows, 1);
    if (is_public == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", rows);
    for (long i = 0; i < rows; i++) {
        uint64_t draw = ll_random_below(seed, STREAM, (uint64_t)i, (uint64_t)(rows - i));
        is_public[i] = draw < (uint64_t)wanted;
        wanted -= is_public[i];
    }
    ll_status status = set_part(curator, is_public, error);
    free(is_public);
    return status;
}

ll_status ll_curator_set_public(ll_curator *curator, const unsigned char *is_public, long n, ll_error *error)
{
    if (!curator->scorer->is_part)
        return ll_fail(error, LL_DOMAIN, "every row is scored: the setting public says otherwise");
    if (n != curator->rows)
        return ll_fail(error, LL_DOMAIN, "%ld rows are said to be public or not, but there are %ld labels", n,
                       curator->rows);
    return set_part(curator, is_public, error);
}

void ll_curator_get_public(const ll_curator *curator, unsigned char *is_public)
{
    memset(is_public, curator->part == NULL, (size_t)curator->rows);
    for (long i = 0; curator->part != NULL && i < curator->scoring.rows; i++)
        is_public[curator->part[i]] = 1;
}

/* ---- their predictions ---- */

static void copy_entry(void *to, const ll_block *from, long at, long entry)
{
    if (from->entries == LL_ENTRIES_DOUBLE)
        ((double *)to)[entry] = from->doubles[at];
    else if (from->entries == LL_ENTRIES_FLOAT)
        ((float *)to)[entry] = from->floats[at];
    else
        ll_exact_set((ll_exact *)to + entry, from->exacts + at);
}

static void *reserve(ll_block *out, ll_entries entries, long rows, long columns)
{
    return entries == LL_ENTRIES_DOUBLE  ? (void *)ll_block_reserve_doubles(out, rows, columns)
           : entries == LL_ENTRIES_FLOAT ? (void *)ll_block_reserve_floats(out, rows, columns)
                                         : (void *)ll_block_reserve_exacts(out, rows, columns);
}

/* All rows from one public row to the next are read, so that whoever watches the predictions sees each of them. */
static ll_status read_to(ll_part_view *view, long from, long to, ll_error *error)
{
    enum { ROWS = 4096 };
    ll_status status = LL_OK;
    for (long first = from; first <= to && status == LL_OK; first += ROWS) {
        long count = to - first + 1 < ROWS ? to - first + 1 : ROWS;
        status = view->all->get(view->all->self, &view->block, first, count, error);
    }
    return status;
}

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    ll_part_view *view = self;
    const long *part = view->part, columns = view->all->columns, size = view->size;
    void *to = reserve(out, view->all->entries, count, columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of predictions", count);
    ll_status status = LL_OK;
    for (long i = 0; i < count && status == LL_OK; i++) {
        long row = part[first + i], before = first + i > 0 ? part[first + i - 1] + 1 : 0;
        status = read_to(view, before, row, error);
        for (long c = 0; c < columns && status == LL_OK; c++)
            copy_entry(to, &view->block, (view->block.rows - 1) * columns + c, i * columns + c);
    }
    if (status == LL_OK && first + count == size && part[size - 1] + 1 < view->all->rows)
        status = read_to(view, part[size - 1] + 1, view->all->rows - 1, error);
    return status;
}

static void where(void *self, char *text, size_t size, long row)
{
    const ll_part_view *view = self;
    view->all->where(view->all->self, text, size, view->part[row]);
}

void ll_part_view_init(ll_part_view *view, ll_predictions *out, const long *part, long size, const ll_predictions *all)
{
    *view = (ll_part_view){.part = part, .size = size, .all = all};
    ll_block_init(&view->block);
    *out = (ll_predictions){.self = view,
                            .rows = size,
                            .columns = all->columns,
                            .entries = all->entries,
                            .get = get,
                            .where = all->where != NULL ? where : NULL};
}

void ll_part_view_clear(ll_part_view *view)
{
    ll_block_clear(&view->block);
}
