#include "investigate/history.h"

#include "audit/read_values.h"
#include "number/value.h"

#include <stdlib.h>
#include <string.h>

ll_status ll_history_create(ll_history **out, const ll_scorer *scorer, ll_error *error)
{
    ll_evidence *tried = NULL;
    ll_status status = ll_scorer_need(scorer, error);
    if (status == LL_OK && (scorer->rows < 1 || scorer->classes < 2))
        status = ll_fail(error, LL_DOMAIN, "the number of rows and of classes must be known");
    if (status != LL_OK)
        return status;
    ll_history *h = calloc(1, sizeof *h);
    if (h == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a history");
    status = ll_evidence_create(&tried, scorer, &h->reason);
    ll_evidence_destroy(tried);
    if (status == LL_MEMORY) {
        free(h);
        return ll_fail(error, status, "no memory for a history");
    }
    h->tells = status == LL_OK;
    h->scorer = ll_scorer_share(scorer);
    h->rows = scorer->rows;
    h->classes = scorer->classes;
    *out = h;
    return LL_OK;
}

static void clear_item(ll_history_item *item)
{
    free(item->name);
    free(item->time);
    free(item->score);
    free(item->values);
    free(item->mark);
    free(item->why);
}

void ll_history_destroy(ll_history *h)
{
    if (h == NULL)
        return;
    for (long i = 0; i < h->count; i++) {
        clear_item(&h->items[i]);
        ll_score_sums_clear(&h->revealed[i]);
    }
    for (long i = 0; i < h->account_count; i++)
        free(h->accounts[i]);
    free((void *)h->accounts);
    free(h->items);
    free(h->revealed);
    ll_scorer_leave(h->scorer);
    free(h);
}

/* ---- adding ---- */

static int make_room(ll_history *h)
{
    if (h->count < h->room)
        return 1;
    size_t room = 2 * (size_t)h->room + 16;
    ll_history_item *items = realloc(h->items, sizeof *items * room);
    if (items != NULL)
        h->items = items;
    ll_score_sums *revealed = realloc(h->revealed, sizeof *revealed * room);
    if (revealed != NULL)
        h->revealed = revealed;
    if (items == NULL || revealed == NULL)
        return 0;
    h->room = (long)room;
    return 1;
}

/* The place of an account, which is new or not; -1: no memory. */
static long find_account(ll_history *h, const char *name)
{
    for (long i = 0; i < h->account_count; i++)
        if (strcmp(h->accounts[i], name) == 0)
            return i;
    char **grown = realloc((void *)h->accounts, sizeof(char *) * (size_t)(h->account_count + 1));
    if (grown == NULL)
        return -1;
    h->accounts = grown;
    grown[h->account_count] = strdup(name);
    return grown[h->account_count] != NULL ? h->account_count++ : -1;
}

static ll_status read_values(ll_history_item *item, const ll_predictions *predictions, ll_error *error)
{
    size_t cells = (size_t)predictions->rows * (size_t)predictions->columns;
    item->columns = predictions->columns;
    item->values = malloc(sizeof *item->values * cells + 1);
    if (item->values == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", predictions->rows);
    return ll_read_values(item->values, predictions, error);
}

/* What the predictions alone look like; metrics that inspect does not know leave no mark. */
static ll_status inspect(ll_history_item *item, const ll_scorer *scorer, const ll_predictions *predictions,
                         ll_error *error)
{
    ll_inspection found;
    ll_error ignored;
    ll_inspection_init(&found);
    ll_status status = ll_inspect_predictions(&found, scorer, predictions, NULL, &ignored);
    if (status == LL_OK && found.finding == LL_FINDING_CODED) {
        item->mark = strdup(found.mark);
        item->why = strdup(found.why);
        if (item->mark == NULL || item->why == NULL)
            status = LL_MEMORY;
    }
    ll_inspection_clear(&found);
    return status == LL_MEMORY ? ll_fail(error, status, "no memory for a mark") : LL_OK;
}

static ll_status copy_text(char **out, const char *text, ll_error *error)
{
    *out = text != NULL ? strdup(text) : NULL;
    return text == NULL || *out != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a text");
}

static ll_status fill_item(ll_history *h, ll_history_item *item, ll_score_sums *revealed,
                           const ll_predictions *predictions, const char *score, ll_error *error)
{
    ll_status status = read_values(item, predictions, error);
    if (status == LL_OK && h->tells && score != NULL)
        status = ll_score_sums_read(revealed, h->scorer, predictions, score, error);
    return status == LL_OK ? inspect(item, h->scorer, predictions, error) : status;
}

ll_status ll_history_add(ll_history *h, const ll_predictions *predictions, const char *name, const char *account,
                         const char *time, const char *score, ll_error *error)
{
    ll_history_item item = {0};
    ll_score_sums revealed = {0};
    if (predictions->rows != h->rows)
        return ll_fail(error, LL_DOMAIN, "%ld rows of predictions, but there are %ld", predictions->rows, h->rows);
    ll_status status = copy_text(&item.name, name, error);
    if (status == LL_OK)
        status = copy_text(&item.time, time, error);
    if (status == LL_OK)
        status = copy_text(&item.score, score, error);
    if (status == LL_OK)
        status = fill_item(h, &item, &revealed, predictions, score, error);
    if (status == LL_OK && !make_room(h))
        status = ll_fail(error, LL_MEMORY, "no memory for another submission");
    if (status == LL_OK && (item.account = find_account(h, account)) < 0)
        status = ll_fail(error, LL_MEMORY, "no memory for another account");
    if (status == LL_OK) {
        h->items[h->count] = item;
        h->revealed[h->count++] = revealed;
    } else {
        clear_item(&item);
        ll_score_sums_clear(&revealed);
    }
    return status;
}
