#include "guard/ledger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 24 }; /* characters of a whole number */

static long number(const char *cell)
{
    return cell != NULL ? strtol(cell, NULL, 10) : 0;
}

/* texts[i] of numbers[i] */
static void write_numbers(char (*texts)[NUMBER], const char **values, const int64_t *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        (void)snprintf(texts[i], NUMBER, "%" PRId64, numbers[i]);
        values[i] = texts[i];
    }
}

/* ---- the meter ---- */

static int take_state(void *self, const char *const *cells)
{
    ll_ledger_state *s = self;
    *s = (ll_ledger_state){.meter = {strtoll(cells[0], NULL, 10), number(cells[1]), number(cells[2])},
                           .entries = number(cells[3]),
                           .invalid = number(cells[4]),
                           .level = number(cells[5]),
                           .improved = number(cells[6]),
                           .at = number(cells[7])};
    (void)snprintf(s->head, sizeof s->head, "%s", cells[8]);
    return 1;
}

ll_status ll_ledger_get_state(ll_store *store, ll_ledger_state *out, ll_error *error)
{
    out->head[0] = 0;
    ll_status status = ll_store_run(store,
                                    "SELECT spent, rated, silent, entries, invalid, level, improved, noted, head "
                                    "FROM lossleak_meter WHERE id = 1",
                                    NULL, 0, take_state, out, error);
    if (status == LL_OK && out->head[0] == 0)
        status = ll_fail(error, LL_DOMAIN, "the ledger has no meter: it is damaged");
    return status;
}

ll_status ll_ledger_put_state(ll_store *store, const ll_ledger_state *s, ll_error *error)
{
    const int64_t numbers[] = {s->meter.spent, s->meter.improved, s->meter.silent, s->entries,
                               s->invalid,     s->level,          s->improved,     s->at};
    char texts[8][NUMBER];
    const char *values[9];
    write_numbers(texts, values, numbers, 8);
    values[8] = s->head;
    return ll_store_run(store,
                        "UPDATE lossleak_meter SET spent = $1, rated = $2, silent = $3, entries = $4, invalid = $5, "
                        "level = $6, improved = $7, noted = $8, head = $9 WHERE id = 1",
                        values, 9, NULL, NULL, error);
}

/* ---- accounts ---- */

static int take_account(void *self, const char *const *cells)
{
    ll_ledger_account *a = self;
    *a = (ll_ledger_account){.id = number(cells[0]),
                             .role = (ll_guard_role)number(cells[2]),
                             .level = number(cells[3]),
                             .improved = number(cells[4]),
                             .submitted = number(cells[5]),
                             .answered = number(cells[6]),
                             .day = number(cells[7]),
                             .today = number(cells[8]),
                             .shown_at = number(cells[9])};
    (void)snprintf(a->name, sizeof a->name, "%s", cells[1]);
    return 1;
}

ll_status ll_ledger_find_account(ll_store *store, ll_ledger_account *out, const char *name, ll_error *error)
{
    out->id = 0;
    return ll_store_run(store,
                        "SELECT id, name, role, level, improved, submitted, answered, day, today, shown_at FROM "
                        "lossleak_accounts WHERE name = $1",
                        &name, 1, take_account, out, error);
}

ll_status ll_ledger_put_account(ll_store *store, const ll_ledger_account *a, ll_error *error)
{
    const int64_t numbers[] = {a->level, a->improved, a->submitted, a->answered, a->day, a->today, a->shown_at, a->id};
    char texts[8][NUMBER];
    const char *values[8];
    write_numbers(texts, values, numbers, 8);
    return ll_store_run(store,
                        "UPDATE lossleak_accounts SET level = $1, improved = $2, submitted = $3, answered = $4, "
                        "day = $5, today = $6, shown_at = $7 WHERE id = $8",
                        values, 8, NULL, NULL, error);
}

/* ---- entries ---- */

void ll_ledger_chain(char *out, const char *head, const ll_ledger_entry *entry)
{
    ll_digest digest;
    ll_digest_init(&digest, "entry");
    ll_digest_add_text(&digest, head);
    ll_digest_add_number(&digest, entry->id);
    ll_digest_add_number(&digest, entry->account);
    ll_digest_add_text(&digest, entry->digest);
    ll_digest_add_number(&digest, (int64_t)entry->outcome);
    ll_digest_add_number(&digest, entry->level);
    ll_digest_add_text(&digest, entry->shown);
    ll_digest_add_number(&digest, entry->cost);
    ll_digest_add_number(&digest, entry->at);
    if (entry->exposure != NULL)
        ll_digest_add_text(&digest, entry->exposure);
    ll_digest_finish_text(&digest, out);
}

ll_status ll_ledger_add_entry(ll_store *store, ll_ledger_state *state, const ll_ledger_entry *e, ll_error *error)
{
    const int64_t numbers[] = {e->id, e->account, (int64_t)e->outcome, e->level, e->cost, e->at};
    char texts[6][NUMBER], head[LL_DIGEST_TEXT];
    const char *values[10];
    write_numbers(texts, values, numbers, 6);
    ll_ledger_chain(head, state->head, e);
    values[6] = e->digest;
    values[7] = e->shown;
    values[8] = head;
    values[9] = e->exposure;
    ll_status status = ll_store_run(store,
                                    "INSERT INTO lossleak_entries(id, account, outcome, level, cost, noted, digest, "
                                    "shown, chain, exposure) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                                    values, 10, NULL, NULL, error);
    if (status == LL_OK)
        memcpy(state->head, head, sizeof head);
    return status;
}
