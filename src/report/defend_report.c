/* Releases in the order in which a host should read them: those with a proof, the cheapest first; then those that only
 * stand against the attacks that were run. */
#include "report/defend_report.h"

#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 900, LINE = 600, MOST = 32 };

typedef struct {
    const ll_defence *rows[MOST];
    long count, proved; /* the first `proved` have a proof */
} list;

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* ---- order ---- */

static const ll_defence *get(const ll_audit *a, long i)
{
    return (const ll_defence *)(const void *)((const char *)a->defences + (size_t)i * a->defence_size);
}

/* Proofs first; answers given up come after noise that costs less than twice the sampling error's worth of nothing. */
static int compare(const void *x, const void *y)
{
    const ll_defence *a = *(const ll_defence *const *)x, *b = *(const ll_defence *const *)y;
    if (a->proved != b->proved)
        return b->proved - a->proved;
    if (a->queries != b->queries) /* fewer answers are a price, too */
        return a->queries > b->queries ? -1 : 1;
    return a->noise_over_sampling_error < b->noise_over_sampling_error ? -1 : 1;
}

static list sort(const ll_defend_report *r)
{
    list l = {0};
    const ll_audit *a = r->audit->audit;
    for (long i = 0; i < a->defence_count && l.count < MOST; i++) {
        const ll_defence *d = get(a, i);
        if (d->settings[0] == '\0' || isnan(d->setting) || !(d->noise_over_sampling_error <= r->most))
            continue;
        l.rows[l.count++] = d;
        l.proved += d->proved;
    }
    qsort(l.rows, (size_t)l.count, sizeof(const ll_defence *), compare);
    return l;
}

/* ---- the command that checks one ---- */

/* Is the setting one of "name=value name=value"? */
static int is_among(const char *settings, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = settings; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return 1;
    return 0;
}

/* " --clip 0.01 --noise proportional:2" */
static void add_settings(char *text, size_t size, const char *settings)
{
    for (const char *at = settings; *at != '\0'; at += strcspn(at, " "), at += *at == ' ') {
        size_t name = strcspn(at, "="), value = strcspn(at + name + 1, " ");
        append(text, size, "%s--%.*s %.*s", text[0] ? " " : "", (int)name, at, (int)value, at + name + 1);
    }
}

/* Options that are not the profile's own. */
static ll_status add_own(char *text, size_t size, const ll_scorer *scorer, const char *settings)
{
    ll_scorer *profile = NULL;
    const char *name = ll_scorer_get(scorer, "scorer");
    ll_status status = ll_scorer_create(&profile, NULL);
    if (status == LL_OK && name != NULL)
        status = ll_scorer_set(profile, "scorer", name, NULL);
    for (long i = 0; i < ll_setting_count() && status == LL_OK; i++) {
        const ll_setting_info *info = ll_setting_get_info(i);
        const char *value = ll_scorer_get(scorer, info->name), *usual = ll_scorer_get(profile, info->name);
        int same = strcmp(info->name, "scorer") != 0 && usual != NULL && value != NULL && strcmp(value, usual) == 0;
        if (value == NULL || value[0] == '\0' || same || is_among(settings, info->name) ||
            strcmp(info->name, "seed") == 0)
            continue;
        append(text, size, " --%s", info->name);
        if (info->values[0] != '\0')
            append(text, size, " %s", value);
    }
    ll_scorer_destroy(profile);
    return status;
}

static void write_check(char *text, size_t size, const ll_defend_report *r, const ll_defence *d)
{
    text[0] = '\0';
    append(text, size, "lossleak audit");
    if (add_own(text, size, r->audit->scorer, d->settings) != LL_OK)
        return;
    add_settings(text, size, d->settings);
    append(text, size, " --target-share %.4g --fail-on-%s", r->audit->audit->target_share,
           d->proved ? "bound" : "leak");
}

/* ---- text ---- */

static void write_tried(char *text, size_t size, const ll_defence *d)
{
    for (long i = 0; i < d->tried_count; i++)
        append(text, size, "%s%s %.1f%% (%ld run%s)", i > 0 ? ", " : "", d->tried[i].attack, 100 * d->tried[i].share,
               d->tried[i].runs, d->tried[i].runs == 1 ? "" : "s");
}

static void write_cost(char *text, size_t size, const ll_defend_report *r, const ll_defence *d)
{
    double asked = r->audit->audit->queries;
    if (d->error > 0)
        append(text, size, "Cost: %.3g sampling errors; two models must differ by %.2g to be told apart. ",
               d->noise_over_sampling_error, d->distance);
    else
        append(text, size, "Cost: no noise. ");
    if (d->queries < asked || (isinf(asked) && strcmp(d->unit, "queries") == 0))
        append(text, size, "It gives up answers: %.0f in all. ", d->queries);
}

static void print_release(const ll_defend_report *r, const ll_defence *d, long number)
{
    char text[TEXT] = "", name[24], tried[300] = "";
    (void)snprintf(name, sizeof name, "%ld", number);
    add_settings(text, sizeof text, d->settings);
    ll_report_paragraph(stdout, name, text);
    text[0] = '\0';
    if (d->proved)
        append(text, sizeof text, "Proved: nobody can expect more than %.1f%% of the labels right. ", 100 * d->bound);
    else
        append(text, sizeof text, "No proof below %.1f%%; the best known attack gets %.1f%%. ", 100 * d->bound,
               100 * d->share);
    write_cost(text, sizeof text, r, d);
    write_tried(tried, sizeof tried, d);
    append(text, sizeof text, "%s%s%s", tried[0] ? "Attacks that were run against it got: " : "No attack was run.",
           tried, tried[0] ? "." : "");
    ll_report_paragraph(stdout, "", text);
    if (!d->proved && d->note[0])
        ll_report_paragraph(stdout, "", d->note);
    write_check(text, sizeof text, r, d);
    ll_report_field(stdout, "check", "%s", text);
    putchar('\n');
}

void ll_report_defend_text(const ll_defend_report *r)
{
    const ll_audit *a = r->audit->audit;
    list l = sort(r);
    ll_report_paragraph(stdout, "now", a->verdict);
    ll_report_field(stdout, "goal", "nobody gets more than %.1f%% of the labels right; guessing gets %.1f%%",
                    100 * a->target_share, 100 * a->guess);
    printf("\n%s\n\n", l.proved > 0 ? "Releases with a proof, cheapest first:" : "No release here has a proof.");
    for (long i = 0; i < l.count; i++) {
        if (i == l.proved)
            printf("%s\n\n", "Without a proof (known attacks only; a better one may get more):");
        print_release(r, l.rows[i], i + 1);
    }
    ll_report_paragraph(
        stdout, "always",
        "Rank the end on rows that were never scored before. Refuse submissions that score worse than a "
        "constant: honest models do not, codes often do. Count answers over all accounts together.");
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
    write_check(check, sizeof check, r, d);
    if (object == NULL || json_object_set_new(object, "settings", make_settings(d->settings)) != 0 ||
        json_object_set_new(object, "check", ll_report_json_string(check)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *make_releases(const ll_defend_report *r)
{
    list l = sort(r);
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
