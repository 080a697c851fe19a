#include "report/defend_report.h"

#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1500 };

/* ---- text ---- */

static void write_tried(char *text, size_t size, const ll_defence *d)
{
    for (long i = 0; i < d->tried_count; i++)
        if (d->tried[i].runs == 0)
            ll_report_append(text, size, "%s%s %.1f%% (forecast)", i > 0 ? ", " : "", d->tried[i].attack,
                             100 * d->tried[i].share);
        else
            ll_report_append(text, size, "%s%s %.1f%% (%ld run%s)", i > 0 ? ", " : "", d->tried[i].attack,
                             100 * d->tried[i].share, d->tried[i].runs, d->tried[i].runs == 1 ? "" : "s");
}

static int has_levels(const ll_defence *d)
{
    return strstr(d->settings, "release=levels") != NULL && d->proved;
}

/* A cost that is not known is within no limit. */
static int is_within(const ll_defend_report *r, const ll_defence *d)
{
    return r->is_unknown ? has_levels(d) : isinf(r->most) || d->noise_over_sampling_error <= r->most;
}

/* The releases within the cost that was asked for, from *next on; NULL past the last. */
static const ll_proposal *next_release(const ll_defend_report *r, long *next)
{
    const ll_audit *a = r->audit->audit;
    const ll_proposal *p = ll_audit_get_proposal(a, (*next)++);
    while (p != NULL && !is_within(r, ll_audit_get_defence(a, p->defence)))
        p = ll_audit_get_proposal(a, (*next)++);
    return p;
}

static void print_notice(const ll_proposal *p)
{
    char text[TEXT] = "";
    ll_report_append(text, sizeof text, "Participants notice: %s", p->notice);
    ll_report_paragraph(stdout, "", text);
}

/* Of a metric that is not known: what is shown, and no cost in sampling errors, which are those of another one. */
static void print_levels(const ll_defence *d, const ll_proposal *p, const char *name)
{
    char text[TEXT] = "";
    ll_report_write_options(text, sizeof text, d->settings);
    ll_report_paragraph(stdout, name, text);
    text[0] = '\0';
    int is_record = isnan(d->distance); /* below it nothing is told apart */
    ll_report_append(text, sizeof text, "%s This holds for every metric. A step is %.3g%s", p->effect,
                     d->error * sqrt(12),
                     is_record ? ": by that much a record is beaten for certain."
                               : ": that is what two models must differ by to be told apart for certain.");
    ll_report_paragraph(stdout, "", text);
    print_notice(p);
    ll_report_field(stdout, "check", "%s", p->check);
    ll_report_paragraph(stdout, "", "The metric of this command stands in for yours; its limit is the same.");
    putchar('\n');
}

static void print_release(const ll_defend_report *r, const ll_proposal *p, long number)
{
    const ll_audit *a = r->audit->audit;
    const ll_defence *d = ll_audit_get_defence(a, p->defence);
    char text[TEXT] = "", name[24], tried[300] = "";
    (void)snprintf(name, sizeof name, "%ld", number);
    ll_report_write_options(text, sizeof text, d->settings);
    ll_report_paragraph(stdout, name, text);
    text[0] = '\0';
    write_tried(tried, sizeof tried, d);
    ll_report_append(text, sizeof text, "%s %s %s%s%s", p->effect, p->cost,
                     tried[0] ? "Attacks that were run against it got: " : "No attack was run.", tried,
                     tried[0] ? "." : "");
    ll_report_paragraph(stdout, "", text);
    print_notice(p);
    if ((!d->proved || ll_scorer_get(r->audit->scorer, "groups") != NULL) && d->note[0])
        ll_report_paragraph(stdout, "", d->note);
    ll_report_field(stdout, "check", "%s", p->check);
    putchar('\n');
}

/* ---- the first screen: what to change, and what participants notice ---- */

/* The first release with code; NULL: there is none. *number: its place in the list. */
static const ll_proposal *find_python(const ll_defend_report *r, long *number)
{
    long next = 0;
    *number = 1;
    const ll_proposal *p = next_release(r, &next);
    for (; p != NULL && p->python[0] == '\0'; ++*number)
        p = next_release(r, &next);
    return p;
}

static void print_todo(const ll_defend_report *r)
{
    char text[TEXT] = "";
    long next = 0, number = 0;
    const ll_proposal *first = next_release(r, &next), *coded = find_python(r, &number);
    if (r->audit->audit->bound->max_share <= r->audit->audit->target_share && !r->is_unknown) {
        ll_report_paragraph(
            stdout, "to do",
            "Nothing needs to be changed: the scorer as it is keeps the goal, within the submissions that it answers.");
        return;
    }
    if (first == NULL || !first->proved)
        return;
    int has_levels_first = has_levels(ll_audit_get_defence(r->audit->audit, first->defence));
    ll_report_append(text, sizeof text, "%s %s", first->change,
                     coded == first
                         ? "The Python at the end does it: show what its release(labels, predictions, account) "
                           "returns, in place of the score."
                         : first->no_python);
    ll_report_paragraph(stdout, "to do", text);
    ll_report_paragraph(stdout, "notice", first->notice);
    if (has_levels_first && ll_scorer_get(r->audit->scorer, "honest") == NULL)
        ll_report_paragraph(stdout, "cheaper",
                            "Say where you expect honest models (--honest LO:HI): the same number of levels "
                            "then lies there, and the cost falls with the range.");
}

/* The first release that has code, as code. Every other one has its own in JSON. */
static void print_python(const ll_defend_report *r)
{
    long number = 0;
    const ll_proposal *p = find_python(r, &number);
    if (p != NULL)
        printf("\nRelease %ld in Python:\n\n%s", number, p->python);
}

static void print_unknown(const ll_defend_report *r)
{
    const ll_audit *a = r->audit->audit;
    long next = 0, number = 0;
    ll_report_paragraph(
        stdout, "now",
        "Not known: nothing is said of a metric that is not described, but a release by levels needs no "
        "description of it.");
    ll_report_field(stdout, "goal", "no attack gets more than %.1f%% of the labels right; guessing gets %.1f%%",
                    100 * a->target_share, 100 * a->guess);
    print_todo(r);
    putchar('\n');
    for (const ll_proposal *p; (p = next_release(r, &next)) != NULL;) {
        char name[24];
        (void)snprintf(name, sizeof name, "%ld", ++number);
        print_levels(ll_audit_get_defence(a, p->defence), p, name);
    }
    if (number == 0)
        ll_report_paragraph(stdout, "",
                            "No list of levels keeps that promise: use more rows, fewer answers or accounts, "
                            "or a larger share.");
    ll_report_paragraph(stdout, "always", ll_report_always);
    print_python(r);
}

void ll_report_defend_text(const ll_defend_report *r)
{
    if (r->is_unknown) {
        print_unknown(r);
        return;
    }
    const ll_audit *a = r->audit->audit;
    long next = 0, first = 0, number = 0;
    const ll_proposal *p = next_release(r, &first);
    int was_proved = p != NULL && p->proved;
    ll_report_paragraph(stdout, "now", a->verdict);
    ll_report_field(stdout, "goal", "no attack gets more than %.1f%% of the labels right; guessing gets %.1f%%",
                    100 * a->target_share, 100 * a->guess);
    print_todo(r);
    printf("\n%s\n\n", was_proved ? "Releases with a proof, cheapest first:" : "No release here has a proof.");
    for (int is_first = 1; (p = next_release(r, &next)) != NULL; is_first = 0) {
        if (!p->proved && (was_proved || is_first))
            printf("%s\n\n", "Without a proof (known attacks only; a better one may get more):");
        was_proved = p->proved;
        print_release(r, p, ++number);
    }
    if (a->noise[0] != '\0')
        ll_report_paragraph(stdout, "noise", a->noise);
    ll_report_paragraph(stdout, "always", ll_report_always);
    if (isfinite(a->sampling_error))
        ll_report_field(stdout, "sampling", "a sampling error is %.3g: the error of an average model's score",
                        a->sampling_error);
    print_python(r);
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

static json_t *make_code(const char *text)
{
    return text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *make_release(const ll_audit *a, const ll_proposal *p)
{
    const ll_defence *d = ll_audit_get_defence(a, p->defence);
    json_t *object = ll_report_json_defence(d);
    if (object == NULL || json_object_set_new(object, "settings", make_settings(d->settings)) != 0 ||
        json_object_set_new(object, "change", ll_report_json_string(p->change)) != 0 ||
        json_object_set_new(object, "notice", ll_report_json_string(p->notice)) != 0 ||
        json_object_set_new(object, "python", make_code(p->python)) != 0 ||
        json_object_set_new(object, "no_python", make_code(p->no_python)) != 0 ||
        json_object_set_new(object, "check", ll_report_json_string(p->check)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *make_releases(const ll_defend_report *r)
{
    json_t *array = json_array();
    long next = 0;
    for (const ll_proposal *p; (p = next_release(r, &next)) != NULL;)
        if (json_array_append_new(array, make_release(r->audit->audit, p)) != 0) {
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
    ll_report_json_add(&json, "metric_known", json_boolean(!r->is_unknown));
    ll_report_json_add(&json, "sampling_error",
                       isfinite(a->sampling_error) && !r->is_unknown ? json_real(a->sampling_error) : json_null());
    ll_report_json_add(&json, "verdict", ll_report_json_string(a->verdict));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(r->audit->scorer));
    return ll_report_json_end(&json, error);
}
