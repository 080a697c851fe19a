#include "report/history_report.h"

#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ text */

static void print_accounts(const ll_investigation *found)
{
    enum { CELLS = 5, WIDTH = 24 };
    long rows = found->account_count + 1;
    const char **cells = calloc((size_t)(rows * CELLS), sizeof(char *));
    char(*numbers)[WIDTH] = calloc((size_t)(rows * CELLS), WIDTH);
    static const char *const heads[CELLS] = {"account", "submissions", "marked", "labels alone", "labels with others"};
    if (cells == NULL || numbers == NULL) {
        free(cells);
        free(numbers);
        return;
    }
    memcpy(cells, heads, sizeof heads);
    for (long a = 0; a < found->account_count; a++) {
        const ll_history_account *account = ll_investigation_get_account(found, a);
        const long values[] = {account->submissions, account->marked, account->determined, account->shared};
        cells[(a + 1) * CELLS] = account->name;
        for (int c = 1; c < CELLS; c++) {
            (void)snprintf(numbers[(a + 1) * CELLS + c], WIDTH, "%ld", values[c - 1]);
            cells[(a + 1) * CELLS + c] = numbers[(a + 1) * CELLS + c];
        }
    }
    ll_report_table(stdout, cells, rows, CELLS);
    free(cells);
    free(numbers);
}

static void print_suspects(const ll_investigation *found)
{
    char text[700];
    for (long a = 0; a < found->account_count; a++) {
        const ll_history_account *account = ll_investigation_get_account(found, a);
        if (!account->is_suspicious)
            continue;
        (void)snprintf(text, sizeof text, "%.120s: %.500s", account->name, account->why);
        ll_report_paragraph(stdout, "suspicion", text);
    }
}

/* The submissions after which most labels became determined. */
static void print_moments(const ll_investigation *found)
{
    enum { SHOWN = 10 };
    long shown = 0, before = 0;
    for (long s = 0; s < found->moment_count && shown < SHOWN; s++) {
        const ll_history_moment *m = ll_investigation_get_moment(found, s);
        if (m->together > before)
            ll_report_field(stdout, shown++ == 0 ? "after" : "", "%s by %s: %ld label%s, %ld more", m->name,
                            ll_investigation_get_account(found, m->account)->name, m->together,
                            ll_report_plural(m->together), m->together - before);
        before = m->together > before ? m->together : before;
    }
    if (shown == SHOWN)
        ll_report_field(stdout, "", "and later ones: --json has every submission, --html a picture");
}

void ll_report_history_text(const ll_history_report *r)
{
    char text[600];
    const ll_investigation *found = r->found;
    ll_report_field(stdout, "history", "%s", r->source);
    ll_report_write_scorer(text, sizeof text, r->scorer);
    ll_report_field(stdout, "scorer", "%s; %ld row%s of %ld classes", text, found->rows, ll_report_plural(found->rows),
                    found->classes);
    ll_report_paragraph(stdout, "verdict", found->verdict);
    print_suspects(found);
    print_moments(found);
    if (!found->is_complete)
        ll_report_paragraph(stdout, "note",
                            "there are too many submissions and rows to combine all sums: more labels may be "
                            "determined than are listed.");
    if (r->html)
        ll_report_field(stdout, "page", "%s", r->html);
    ll_report_field(stdout, "time", "%.3g s", r->total_seconds);
    (void)putchar('\n');
    print_accounts(found);
}

/* ------------------------------------------------------------------ JSON */

/* NULL where anything of it is missing. */
static json_t *take(ll_json *item)
{
    if (!item->failed)
        return item->object;
    json_decref(item->object);
    return NULL;
}

/* A list of what `make` makes of 0 .. count-1; json_null is left out. NULL where memory ended. */
static json_t *make_list(const ll_investigation *found, long count, json_t *(*make)(const ll_investigation *, long))
{
    json_t *list = json_array();
    for (long i = 0; i < count && list != NULL; i++) {
        json_t *item = make(found, i);
        if (!json_is_null(item) && json_array_append_new(list, item) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *make_by(const ll_investigation *found, long row)
{
    json_t *list = json_array();
    for (long a = 0; a < found->account_count && list != NULL; a++)
        if (found->by[row * found->account_count + a] &&
            json_array_append_new(list, ll_report_json_string(ll_investigation_get_account(found, a)->name)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *make_label(const ll_investigation *found, long row)
{
    if (found->labels[row] < 0)
        return json_null();
    ll_json item = {.object = json_object()};
    ll_report_json_add(&item, "row", json_integer(row));
    ll_report_json_add(&item, "label", json_integer(found->labels[row]));
    ll_report_json_add(&item, "by", make_by(found, row));
    ll_report_json_add(&item, "after",
                       ll_report_json_string(ll_investigation_get_moment(found, found->after[row])->name));
    return take(&item);
}

static json_t *make_account(const ll_investigation *found, long index)
{
    const ll_history_account *a = ll_investigation_get_account(found, index);
    ll_json item = {.object = json_object()};
    ll_report_json_add(&item, "account", ll_report_json_string(a->name));
    ll_report_json_add(&item, "submissions", json_integer(a->submissions));
    ll_report_json_add(&item, "determined", json_integer(a->determined));
    ll_report_json_add(&item, "determined_with_others", json_integer(a->shared));
    ll_report_json_add(&item, "marks", json_integer(a->marked));
    ll_report_json_add(&item, "suspicion", json_boolean(a->is_suspicious));
    ll_report_json_add(&item, "why", ll_report_json_string(a->why));
    return take(&item);
}

static json_t *make_moment(const ll_investigation *found, long index)
{
    const ll_history_moment *m = ll_investigation_get_moment(found, index);
    ll_json item = {.object = json_object()};
    ll_report_json_add(&item, "submission", ll_report_json_string(m->name));
    ll_report_json_add(&item, "account", ll_report_json_string(ll_investigation_get_account(found, m->account)->name));
    ll_report_json_add(&item, "time", ll_report_json_string(m->time));
    ll_report_json_add(&item, "score", ll_report_json_string(m->score));
    ll_report_json_add(&item, "determined_alone", json_integer(m->alone));
    ll_report_json_add(&item, "determined_together", json_integer(m->together));
    ll_report_json_add(&item, "mark", ll_report_json_string(m->mark));
    ll_report_json_add(&item, "why", ll_report_json_string(m->why));
    ll_report_json_add(&item, "unlike_others", json_boolean(m->is_weak));
    return take(&item);
}

ll_status ll_report_history_json(const ll_history_report *r, ll_error *error)
{
    ll_json json;
    const ll_investigation *found = r->found;
    ll_report_json_begin(&json, "investigate");
    ll_report_json_add(&json, "rows", json_integer(found->rows));
    ll_report_json_add(&json, "classes", json_integer(found->classes));
    ll_report_json_add(&json, "submissions", json_integer(found->moment_count));
    ll_report_json_add(&json, "verdict", ll_report_json_string(found->verdict));
    ll_report_json_add(&json, "suspicious", json_integer(found->suspicious));
    ll_report_json_add(&json, "contradicted",
                       found->contradicted < 0
                           ? json_null()
                           : ll_report_json_string(ll_investigation_get_moment(found, found->contradicted)->name));
    ll_report_json_add(&json, "complete", json_boolean(found->is_complete));
    ll_report_json_add(&json, "untold", ll_report_json_string(found->untold));
    ll_report_json_add(&json, "determined", make_list(found, found->rows, make_label));
    ll_report_json_add(&json, "accounts", make_list(found, found->account_count, make_account));
    ll_report_json_add(&json, "timeline", make_list(found, found->moment_count, make_moment));
    ll_report_json_add(&json, "source", ll_report_json_string(r->source));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(r->scorer));
    ll_report_json_add(&json, "seconds", json_pack("{s:f,s:f}", "read", r->read_seconds, "total", r->total_seconds));
    return ll_report_json_end(&json, error);
}
