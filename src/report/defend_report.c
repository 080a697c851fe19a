#include "report/defend_report.h"

#include "report/advice.h"
#include "report/json.h"
#include "report/releases.h"
#include "report/scorer_text.h"
#include "report/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 900, LINE = 600 };

/* ---- text ---- */

static void write_tried(char *text, size_t size, const ll_defence *d)
{
    for (long i = 0; i < d->tried_count; i++)
        ll_report_append(text, size, "%s%s %.1f%% (%ld run%s)", i > 0 ? ", " : "", d->tried[i].attack,
                         100 * d->tried[i].share, d->tried[i].runs, d->tried[i].runs == 1 ? "" : "s");
}

static void print_release(const ll_defend_report *r, const ll_defence *d, long number)
{
    char text[TEXT] = "", name[24], tried[300] = "";
    (void)snprintf(name, sizeof name, "%ld", number);
    ll_report_write_options(text, sizeof text, d->settings);
    ll_report_paragraph(stdout, name, text);
    text[0] = '\0';
    if (d->proved)
        ll_report_append(text, sizeof text, "Proved: nobody can expect more than %.1f%% of the labels right. ",
                         100 * d->bound);
    else
        ll_report_append(text, sizeof text, "No proof below %.1f%%; the best known attack gets %.1f%%. ",
                         100 * d->bound, 100 * ll_report_best_known(d));
    ll_report_write_cost(text, sizeof text, r->audit->audit, d);
    write_tried(tried, sizeof tried, d);
    ll_report_append(text, sizeof text, "%s%s%s",
                     tried[0] ? "Attacks that were run against it got: " : "No attack was run.", tried,
                     tried[0] ? "." : "");
    ll_report_paragraph(stdout, "", text);
    if (!d->proved && d->note[0])
        ll_report_paragraph(stdout, "", d->note);
    ll_report_write_check(text, sizeof text, r->audit, d);
    ll_report_field(stdout, "check", "%s", text);
    putchar('\n');
}

void ll_report_defend_text(const ll_defend_report *r)
{
    const ll_audit *a = r->audit->audit;
    ll_releases l = ll_report_sort_releases(r->audit->audit, r->most);
    ll_report_paragraph(stdout, "now", a->verdict);
    ll_report_field(stdout, "goal", "nobody gets more than %.1f%% of the labels right; guessing gets %.1f%%",
                    100 * a->target_share, 100 * a->guess);
    printf("\n%s\n\n", l.proved > 0 ? "Releases with a proof, cheapest first:" : "No release here has a proof.");
    for (long i = 0; i < l.count; i++) {
        if (i == l.proved)
            printf("%s\n\n", "Without a proof (known attacks only; a better one may get more):");
        print_release(r, l.rows[i], i + 1);
    }
    ll_report_paragraph(stdout, "always", ll_report_always);
    if (isfinite(a->sampling_error))
        ll_report_field(stdout, "sampling", "a sampling error is %.3g: what a middling model's score is off by anyway",
                        a->sampling_error);
}

/* ---- JSON ---- */

static json_t *make_settings(const char *settings)
{
    json_t *object = json_object();
    for (const char *at = settings; *at != '\0' && object != NULL; at += strcspn(at, " "), at += *at == ' ') {
        char name[40];
        size_t length = strcspn(at, "="), value = strcspn(at + length + 1, " ");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (json_object_set_new(object, name, json_stringn(at + length + 1, value)) != 0) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

static json_t *make_release(const ll_defend_report *r, const ll_defence *d)
{
    char check[LINE];
    json_t *object = ll_report_json_defence(d);
    ll_report_write_check(check, sizeof check, r->audit, d);
    if (object == NULL || json_object_set_new(object, "settings", make_settings(d->settings)) != 0 ||
        json_object_set_new(object, "check", ll_report_json_string(check)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *make_releases(const ll_defend_report *r)
{
    ll_releases l = ll_report_sort_releases(r->audit->audit, r->most);
    json_t *array = json_array();
    for (long i = 0; i < l.count; i++)
        if (json_array_append_new(array, make_release(r, l.rows[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

ll_status ll_report_defend_json(const ll_defend_report *r, ll_error *error)
{
    ll_json json;
    const ll_audit *a = r->audit->audit;
    ll_report_json_begin(&json, "defend");
    ll_report_json_add(&json, "releases", make_releases(r));
    ll_report_json_add(&json, "target_share", json_real(a->target_share));
    ll_report_json_add(&json, "guess", json_real(a->guess));
    ll_report_json_add(&json, "rows", json_integer(a->rows));
    ll_report_json_add(&json, "classes", json_integer(a->classes));
    ll_report_json_add(&json, "share_now", json_real(a->share));
    ll_report_json_add(&json, "sampling_error",
                       isfinite(a->sampling_error) ? json_real(a->sampling_error) : json_null());
    ll_report_json_add(&json, "verdict", ll_report_json_string(a->verdict));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(r->audit->scorer));
    return ll_report_json_end(&json, error);
}
