#include "investigate/account_groups.h"

#include <stdlib.h>
#include <string.h>

/* Groups that are followed on their own: each costs as much as all accounts together. */
enum { MOST_GROUPS = 4 };

typedef struct {
    const ll_history *history;
    unsigned char *sets; /* [row * accounts + account] */
    long *after;         /* of one group: [row] */
    unsigned char *is_named;
} naming;

static unsigned char *set_of(const naming *n, long row)
{
    return n->sets + row * n->history->account_count;
}

/* The accounts whose submissions the label follows from. */
static ll_status find_set(const naming *n, const ll_knowledge *crowd, long row)
{
    const ll_history *h = n->history;
    uint64_t *from = calloc((size_t)h->count / 64 + 1, sizeof *from);
    if (from == NULL)
        return LL_MEMORY;
    (void)ll_knowledge_get_from(crowd, row, from);
    for (long s = 0; s < h->count; s++)
        if (from[s / 64] >> (s % 64) & 1)
            set_of(n, row)[h->items[s].account] = 1;
    free(from);
    return LL_OK;
}

/* The row whose set most rows share that are not named yet; -1: none is left. */
static long find_common(const naming *n, const unsigned char *is_shared)
{
    const ll_history *h = n->history;
    long best = -1, most = 0;
    for (long i = 0; i < h->rows; i++) {
        long count = 0;
        for (long j = i; j < h->rows && is_shared[i] && !n->is_named[i]; j++)
            count +=
                is_shared[j] && !n->is_named[j] && memcmp(set_of(n, i), set_of(n, j), (size_t)h->account_count) == 0;
        best = count > most ? i : best;
        most = count > most ? count : most;
    }
    return best;
}

/* When the accounts of a set know each row, on their own. */
static ll_status follow(const naming *n, const unsigned char *set)
{
    const ll_history *h = n->history;
    ll_knowledge *k = ll_knowledge_create(h->rows, h->classes, h->revealed, h->count, h->count, LL_RESIDUE_LABELS);
    ll_status status = k != NULL ? LL_OK : LL_MEMORY;
    for (long i = 0; i < h->rows; i++)
        n->after[i] = -1;
    for (long s = 0; s < h->count && status == LL_OK; s++) {
        if (!set[h->items[s].account])
            continue;
        status = ll_knowledge_add(k, s);
        for (long i = 0; i < h->rows && status == LL_OK; i++)
            if (n->after[i] < 0 && ll_knowledge_get(k, i) >= 0)
                n->after[i] = s;
    }
    ll_knowledge_destroy(k);
    return status;
}

/* Rows whose set is within this one and that it determines. */
static void name_rows(const naming *n, const unsigned char *set, const unsigned char *is_shared, unsigned char *by,
                      long *after)
{
    long accounts = n->history->account_count;
    for (long i = 0; i < n->history->rows; i++) {
        int within = is_shared[i] && !n->is_named[i] && n->after[i] >= 0;
        for (long a = 0; a < accounts; a++)
            within = within && (set[a] || !set_of(n, i)[a]);
        if (!within)
            continue;
        memcpy(by + i * accounts, set, (size_t)accounts);
        after[i] = n->after[i];
        n->is_named[i] = 1;
    }
}

static void name_all(const naming *n, long row, unsigned char *by, long after)
{
    const ll_history *h = n->history;
    for (long s = 0; s <= after; s++)
        by[row * h->account_count + h->items[s].account] = 1;
}

static ll_status name_groups(const naming *n, const unsigned char *is_shared, unsigned char *by, long *after)
{
    ll_status status = LL_OK;
    for (int g = 0; g < MOST_GROUPS && status == LL_OK; g++) {
        long row = find_common(n, is_shared);
        if (row < 0)
            return LL_OK;
        unsigned char *set = set_of(n, row);
        status = follow(n, set);
        if (status == LL_OK)
            name_rows(n, set, is_shared, by, after);
        for (long i = 0; i < n->history->rows && status == LL_OK;
             i++) /* the others of this set are not determined by it */
            if (is_shared[i] && !n->is_named[i] && memcmp(set, set_of(n, i), (size_t)n->history->account_count) == 0) {
                name_all(n, i, by, after[i]);
                n->is_named[i] = 1;
            }
    }
    return status;
}

/* The last, which has no bystanders, or else the first that knows the row. */
static const ll_knowledge *find_crowd(const ll_knowledge *const *crowds, long count, long row)
{
    long c = ll_knowledge_get(crowds[count - 1], row) >= 0 ? count - 1 : 0;
    while (c + 1 < count && ll_knowledge_get(crowds[c], row) < 0)
        c++;
    return crowds[c];
}

ll_status ll_groups_name(const ll_history *h, const ll_knowledge *const *crowds, long crowd_count,
                         const unsigned char *is_shared, unsigned char *by, long *after)
{
    size_t rows = (size_t)h->rows;
    naming n = {.history = h,
                .sets = calloc(rows * (size_t)h->account_count + 1, 1),
                .after = malloc(sizeof *n.after * rows + 1),
                .is_named = calloc(rows + 1, 1)};
    ll_status status = n.sets && n.after && n.is_named ? LL_OK : LL_MEMORY;
    for (long i = 0; i < h->rows && status == LL_OK; i++)
        if (is_shared[i])
            status = find_set(&n, find_crowd(crowds, crowd_count, i), i);
    if (status == LL_OK)
        status = name_groups(&n, is_shared, by, after);
    for (long i = 0; i < h->rows && status == LL_OK; i++)
        if (is_shared[i] && !n.is_named[i])
            name_all(&n, i, by, after[i]);
    free(n.sets);
    free(n.after);
    free(n.is_named);
    return status;
}
