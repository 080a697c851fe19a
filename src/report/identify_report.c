#include "report/identify_report.h"

#include "report/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ text */

static void print_channel(const ll_channel_found *c)
{
    char text[1600];
    const char *what = c->tells_rows   ? "shows labels of single rows. "
                       : c->recognised ? ""
                                       : "not recognised. "; /* the evidence says as what */
    if (c->depends_on_labels == LL_FALSE)
        return;
    (void)snprintf(text, sizeof text, "%s: %s%s%s", c->name, what,
                   c->depends_on_labels == LL_UNKNOWN ? "It is not known whether it depends on labels. " : "",
                   c->evidence);
    ll_report_paragraph(stdout, "channel", text);
}

/* The description, and where its numbers stand: an oracle for `attack` prints them in this order. */
static void print_options(const ll_identification *found)
{
    char names[1200] = "";
    for (long i = 0; i < found->channel_count; i++) {
        const ll_channel_found *c = ll_identification_get_channel(found, i);
        size_t used = strlen(names);
        if (c->is_described)
            (void)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", then " : "", c->name);
    }
    ll_report_field(stdout, "options", "%s", found->command_line);
    ll_report_paragraph(stdout, "of", names);
}

static void print_attack(const ll_program_attack_result *a)
{
    ll_report_paragraph(stdout, "attack", a->evidence);
    if (isfinite(a->bits_per_answer))
        ll_report_field(stdout, "limit",
                        "one answer tells at most %.1f bits, if its digits and range are those that were seen",
                        a->bits_per_answer);
}

void ll_report_identify_brief(const ll_identify_report *r)
{
    for (long i = 0; i < r->found->surprise_count; i++)
        ll_report_paragraph(stdout, "surprise", ll_identification_get_surprise(r->found, i)->text);
}

void ll_report_identify_rest(const ll_identify_report *r)
{
    const ll_identification *found = r->found;
    ll_report_paragraph(stdout, "program", found->summary);
    if (found->classes > 0)
        ll_report_field(stdout, "asked", "%ld run%s on %ld made-up labels of %ld classes, in %.1f s; it reads %s%s%s",
                        found->runs, ll_report_plural(found->runs), found->rows, found->classes, found->seconds,
                        found->input, r->format ? ", files as " : "", r->format ? r->format : "");
    else
        ll_report_field(stdout, "asked", "%ld run%s on %ld made-up numbers, in %.1f s; it reads %s%s%s", found->runs,
                        ll_report_plural(found->runs), found->rows, found->seconds, found->input,
                        r->format ? ", files as " : "", r->format ? r->format : "");
    if (r->is_open && found->classes > 0)
        ll_report_paragraph(
            stdout, "",
            "Nothing said how many classes the labels have: --classes K does, or an example of the files (--template).");
    if (found->targets != NULL)
        ll_report_field(stdout, "", "the numbers were those of %s; --targets LO:HI:STEP names yours", found->targets);
    for (long i = 0; i < found->channel_count; i++)
        print_channel(ll_identification_get_channel(found, i));
    if (r->platform != NULL)
        ll_report_paragraph(stdout, "platform", r->platform);
    ll_report_paragraph(stdout, "failures", found->failures);
    ll_report_paragraph(stdout, "time", found->time_evidence);
    if (r->attack != NULL)
        print_attack(r->attack);
    if (found->command_line[0])
        print_options(found);
    if (r->without_sandbox != NULL)
        ll_report_field(stdout, "sandbox", "none: %s", r->without_sandbox);
}

/* ------------------------------------------------------------------ JSON */

static json_t *truth(ll_truth value)
{
    return value == LL_UNKNOWN ? json_string("unknown") : json_boolean(value == LL_TRUE);
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* A setting's value as the description has it, or null. */
static json_t *setting(const char *settings, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = settings; *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' '))
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return json_stringn(at + length + 1, strcspn(at + length + 1, " "));
    return json_null();
}

static json_t *rounding(const ll_channel_found *c)
{
    static const char *const names[] = {"decimals", "digits"};
    for (int i = 0; i < 2; i++) {
        json_t *places = setting(c->settings, names[i]);
        if (json_is_string(places)) {
            json_t *made = json_pack("{s:I}", names[i], (json_int_t)strtol(json_string_value(places), NULL, 10));
            json_decref(places);
            return made;
        }
        json_decref(places);
    }
    return json_null();
}

/* Texts separated by "; ". */
static json_t *list_json(const char *texts)
{
    json_t *list = json_array();
    for (const char *at = texts; *at;) {
        const char *end = strstr(at, "; ");
        size_t length = end != NULL ? (size_t)(end - at) : strlen(at);
        json_array_append_new(list, json_stringn(at, length));
        at += length + (end != NULL ? 2 : 0);
    }
    return list;
}

static json_t *places(long count)
{
    return count >= 0 ? json_integer(count) : json_null();
}

static json_t *add_figures(json_t *made, const ll_channel_found *c)
{
    json_object_set_new(made, "decimals", places(c->decimals));
    json_object_set_new(made, "digits", places(c->digits));
    json_object_set_new(made, "low", number(c->low));
    json_object_set_new(made, "high", number(c->high));
    json_object_set_new(made, "rows_read", number(c->rows_read));
    json_object_set_new(made, "better", c->better != 0 ? json_string(c->better > 0 ? "higher" : "lower") : json_null());
    return made;
}

static json_t *channel_json(const ll_channel_found *c)
{
    return json_pack(
        "{s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:b, s:b}", "name",
        ll_report_json_string(c->name), "depends_on_labels", truth(c->depends_on_labels), "is_number", c->is_number,
        "tells_rows", c->tells_rows, "deterministic", truth(c->is_deterministic), "metric",
        ll_report_json_string(c->metric), "profile", ll_report_json_string(c->profile), "rounding", rounding(c), "clip",
        setting(c->settings, "clip"), "clip_mode", setting(c->settings, "clip-mode"), "arithmetic",
        setting(c->settings, "arithmetic"), "transform", setting(c->settings, "transform"), "noise",
        c->noise != NULL ? json_pack("{s:s, s:o}", "law", c->noise, "deviation", number(c->noise_size)) : json_null(),
        "settings", ll_report_json_string(c->settings), "also_fits", list_json(c->also_fits), "compared",
        (json_int_t)c->compared, "evidence", ll_report_json_string(c->evidence), "fits", c->recognised, "described",
        c->is_described);
}

static json_t *channels_json(const ll_identification *found)
{
    json_t *list = json_array();
    for (long i = 0; i < found->channel_count; i++)
        json_array_append_new(list, add_figures(channel_json(ll_identification_get_channel(found, i)),
                                                ll_identification_get_channel(found, i)));
    return list;
}

static json_t *surprises_json(const ll_identification *found)
{
    json_t *list = json_array();
    for (long i = 0; i < found->surprise_count; i++) {
        const ll_surprise *s = ll_identification_get_surprise(found, i);
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o}", "kind", s->kind, "channel",
                                        ll_report_json_string(s->channel), "text", ll_report_json_string(s->text)));
    }
    return list;
}

static json_t *forms_json(const ll_identification *found)
{
    json_t *list = json_array();
    for (long i = 0; i < found->form_count; i++) {
        const ll_form_found *f = ll_identification_get_form(found, i);
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o, s:b, s:o}", "name", f->name, "accepted", truth(f->accepted),
                                        "failure_depends_on_labels", truth(f->failure_depends), "reads_row",
                                        f->reads_row, "evidence", ll_report_json_string(f->evidence)));
    }
    return list;
}

static json_t *time_json(const ll_identification *found)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "depends_on_labels", truth(found->time_depends), "difference",
                     number(found->time_difference), "chance", number(found->time_chance), "evidence",
                     ll_report_json_string(found->time_evidence));
}

static json_t *scorer_json(const ll_identification *found)
{
    json_t *made = json_object();
    for (const char *at = found->settings; *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' ')) {
        char name[40];
        size_t length = strcspn(at, "="), end = strcspn(at, " ");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, at);
        json_t *value = json_stringn(at + length + 1, end - length - 1), *before = json_object_get(made, name);
        if (before == NULL) {
            json_object_set_new(made, name, value);
            continue;
        }
        json_t *list = json_is_array(before) ? json_incref(before) : json_pack("[O]", before); /* given again: a list */
        json_array_append_new(list, value);
        json_object_set_new(made, name, list);
    }
    return made;
}

static json_t *attack_json(const ll_program_attack_result *a)
{
    json_t *tried = json_array();
    for (long i = 0; i < a->tried_count; i++) {
        const ll_attack_measured *m = ll_program_attack_get_tried(a, i);
        json_array_append_new(tried,
                              json_pack("{s:s, s:o, s:I, s:I, s:o, s:o}", "attack", m->attack, "channel",
                                        ll_report_json_string(m->channel), "runs", (json_int_t)m->runs, "read",
                                        (json_int_t)m->read, "share", number(m->share), "error", number(m->error)));
    }
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "rows", (json_int_t)a->rows, "runs", (json_int_t)a->runs,
                     "guess", number(a->guess), "tried", tried, "bits_per_answer", number(a->bits_per_answer),
                     "max_share", number(a->max_share), "evidence", ll_report_json_string(a->evidence));
}

/* The members of an identification, added to an object that has begun. */
static void add_report(ll_json *json, const ll_identify_report *r)
{
    const ll_identification *found = r->found;
    ll_report_json_add(json, "recognised", json_boolean(found->recognised));
    ll_report_json_add(json, "surprises", surprises_json(found));
    ll_report_json_add(json, "channels", channels_json(found));
    ll_report_json_add(json, "forms", forms_json(found));
    ll_report_json_add(json, "failures",
                       json_pack("{s:o, s:o}", "depend_on_labels", truth(found->failure_depends), "evidence",
                                 ll_report_json_string(found->failures)));
    ll_report_json_add(json, "time", time_json(found));
    ll_report_json_add(json, "identified", scorer_json(found));
    ll_report_json_add(json, "command_line", ll_report_json_string(found->command_line));
    ll_report_json_add(json, "summary", ll_report_json_string(found->summary));
    ll_report_json_add(json, "input", ll_report_json_string(found->input));
    ll_report_json_add(json, "runs", json_integer(found->runs));
    ll_report_json_add(json, "platform", r->limits != NULL ? json_incref(r->limits) : json_null());
    ll_report_json_add(json, "processor_seconds", json_real(r->processor));
    ll_report_json_add(json, "format", ll_report_json_string(r->format));
    ll_report_json_add(json, "sandbox", json_boolean(r->without_sandbox == NULL));
    if (r->attack != NULL)
        ll_report_json_add(json, "measured", attack_json(r->attack));
}

json_t *ll_report_identify_object(const ll_identify_report *r)
{
    ll_json json = {.object = json_object()};
    add_report(&json, r);
    if (!json.failed)
        return json.object;
    json_decref(json.object);
    return NULL;
}

ll_status ll_report_identify_json(const ll_identify_report *r, ll_error *error)
{
    ll_json json;
    ll_report_json_begin(&json, "identify");
    ll_report_json_add(&json, "program", ll_report_json_string(r->program));
    ll_report_json_add(&json, "rows", json_integer(r->found->rows));
    ll_report_json_add(&json, "classes", r->found->classes > 0 ? json_integer(r->found->classes) : json_null());
    ll_report_json_add(&json, "scorer", scorer_json(r->found));
    ll_report_json_add(&json, "seconds", json_real(r->found->seconds));
    add_report(&json, r);
    return ll_report_json_end(&json, error);
}
