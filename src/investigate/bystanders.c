/* Accounts whose submissions are among those of a design by chance. */
#include "investigate/suspicion.h"

#include <stdlib.h>
#include <string.h>

/* Sums modulo a prime make up for what an account of a design adds, so that few are decided here. */
enum { FEW_RESIDUES = 0 };

typedef struct {
    long account;
    double share;     /* of its submissions that are members */
    double agreement; /* with the labels */
    int is_out, is_part;
} candidate;

static int compare(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? -1 : 1;
    return (x->agreement < y->agreement) - (x->agreement > y->agreement);
}

static double share_of(const ll_history *h, const unsigned char *is_member, long account)
{
    long members = 0, all = 0;
    for (long s = 0; s < h->count; s++)
        if (h->items[s].account == account) {
            members += is_member[s];
            all++;
        }
    return all > 0 ? (double)members / (double)all : 0;
}

/* Accounts with members, in the order in which they are tried. */
static candidate *list_candidates(const ll_history *h, const unsigned char *is_member, const int32_t *labels,
                                  long *count)
{
    candidate *out = malloc(sizeof *out * (size_t)h->account_count + 1);
    *count = 0;
    for (long a = 0; a < h->account_count && out != NULL; a++) {
        double share = share_of(h, is_member, a);
        if (share > 0)
            out[(*count)++] =
                (candidate){.account = a, .share = share, .agreement = ll_history_agreement(h, a, labels)};
    }
    if (out != NULL)
        qsort(out, (size_t)*count, sizeof *out, compare);
    return out;
}

/* What members know without an account (-1: with all). NULL: no memory. */
static ll_knowledge *follow_without(const ll_history *h, const unsigned char *is_member, long account)
{
    ll_knowledge *knowledge = ll_knowledge_create(h->rows, h->classes, h->revealed, h->count, h->count, FEW_RESIDUES);
    for (long s = 0; s < h->count && knowledge != NULL; s++)
        if (is_member[s] && h->items[s].account != account && ll_knowledge_add(knowledge, s) != LL_OK) {
            ll_knowledge_destroy(knowledge);
            knowledge = NULL;
        }
    return knowledge;
}

/* -1: no memory. */
static long count_without(const ll_history *h, const unsigned char *is_member, long account)
{
    ll_knowledge *knowledge = follow_without(h, is_member, account);
    long count = knowledge != NULL ? ll_knowledge_count(knowledge) : -1;
    ll_knowledge_destroy(knowledge);
    return count;
}

/* Put an account's submissions that were members at first back, or take them out. */
static void set_account(const ll_history *h, unsigned char *is_member, const unsigned char *was_member, long account,
                        int on)
{
    for (long s = 0; s < h->count; s++)
        if (h->items[s].account == account)
            is_member[s] = (unsigned char)(on && was_member[s]);
}

typedef struct {
    const ll_history *history;
    unsigned char *is_member, *was_member, *scratch;
    candidate *list;
    long count;
} narrowing;

/* One after the other is left out if the others know as much. 0: no memory. */
static int drop(const narrowing *n)
{
    const ll_history *h = n->history;
    long all = count_without(h, n->is_member, -1), left = all;
    for (long i = 0; i < n->count && left >= 0; i++) {
        left = count_without(h, n->is_member, n->list[i].account);
        if (100 * left < 98 * all)
            continue;
        set_account(h, n->is_member, n->was_member, n->list[i].account, 0);
        n->list[i].is_out = 1;
        all = left > all ? left : all;
    }
    return left >= 0;
}

/* What an account knows by itself. -1: no memory. */
static long count_alone(const narrowing *n, long account)
{
    memset(n->scratch, 0, (size_t)n->history->count);
    set_account(n->history, n->scratch, n->was_member, account, 1);
    return count_without(n->history, n->scratch, -1);
}

/* Can the account stand in for one of those that are needed, by more than it knows by itself? -1: no memory. */
static int stands_in(const narrowing *n, const candidate *out)
{
    const ll_history *h = n->history;
    long alone = count_alone(n, out->account);
    for (long i = 0; i < n->count; i++) {
        if (n->list[i].is_out)
            continue;
        long without = count_without(h, n->is_member, n->list[i].account);
        set_account(h, n->is_member, n->was_member, out->account, 1);
        long with = count_without(h, n->is_member, n->list[i].account);
        set_account(h, n->is_member, n->was_member, out->account, 0);
        if (without < 0 || with < 0 || alone < 0)
            return -1;
        if (8 * (with - without - alone) >= h->rows)
            return 1;
    }
    return 0;
}

/* Designs repeat themselves: an account that adds nothing to all others is part of one all the same if it adds much to
 * the others without one of them. 0: no memory. */
static int take_back(const narrowing *n)
{
    for (long i = 0; i < n->count; i++) {
        int is_part = n->list[i].is_out ? stands_in(n, &n->list[i]) : 0;
        if (is_part < 0)
            return 0;
        n->list[i].is_part = is_part > 0;
    }
    for (long i = 0; i < n->count; i++)
        if (n->list[i].is_part)
            set_account(n->history, n->is_member, n->was_member, n->list[i].account, 1);
    return 1;
}

ll_status ll_history_drop_bystanders(const ll_history *h, unsigned char *is_member, const int32_t *labels)
{
    narrowing n = {.history = h,
                   .is_member = is_member,
                   .was_member = malloc((size_t)h->count + 1),
                   .scratch = malloc((size_t)h->count + 1)};
    if (n.was_member != NULL)
        memcpy(n.was_member, is_member, (size_t)h->count);
    n.list = list_candidates(h, is_member, labels, &n.count);
    ll_status status =
        n.was_member != NULL && n.scratch != NULL && n.list != NULL && drop(&n) && take_back(&n) ? LL_OK : LL_MEMORY;
    free(n.was_member);
    free(n.scratch);
    free(n.list);
    return status;
}
