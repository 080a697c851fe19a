/* The audit as JSON. Keys may be added, never renamed. */
#include "report/audit_report.h"
#include "report/identify_report.h"
#include "report/json.h"
#include "report/scorer_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1500 };

/* Infinite and missing numbers are null: "no limit" and "none". */
static json_t *make_number(double x)
{
    if (!isfinite(x))
        return json_null();
    return x == floor(x) && fabs(x) < 9e15 ? json_integer((json_int_t)x) : json_real(x);
}

static json_t *make_choice(const ll_plan_choice *c)
{
    if (c->status != LL_OK)
        return json_pack("{s:s, s:n, s:n, s:i, s:s, s:o}", "code", c->code, "labels_per_query", "queries",
                         "recovered_within_limit", 0, "guarantee", "none", "why", ll_report_json_string(c->why));
    return json_pack("{s:s, s:f, s:I, s:I, s:s, s:I, s:o}", "code", c->code, "labels_per_query", c->labels_per_query,
                     "queries", (json_int_t)c->queries, "recovered_within_limit", (json_int_t)c->recovered, "guarantee",
                     c->guarantee == LL_CERTIFIED ? "certified" : "likely", "block", (json_int_t)c->block, "score_bits",
                     make_number(c->score_bits));
}

json_t *ll_report_json_choices(const ll_plan_choice *choices, long count)
{
    json_t *array = json_array();
    for (long i = 0; i < count; i++)
        if (json_array_append_new(array, make_choice(choices + i)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *make_bound(const ll_audit_bound *b, const char *assumptions)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:f, s:o, s:o, s:s}", "bits_per_query",
                     make_number(b->bits_per_query), "bits_per_query_nonadaptive", make_number(b->bits_per_query_fixed),
                     "label_bits", make_number(b->label_bits), "min_queries", make_number(b->min_queries),
                     "min_queries_nonadaptive", make_number(b->min_queries_fixed), "max_share_within_limit",
                     b->max_share, "epsilon", make_number(b->epsilon), "delta", make_number(b->delta), "private_share",
                     b->private_share, "reach", make_number(b->reach), "sensitivity", make_number(b->sensitivity),
                     "assumptions", assumptions);
}

static json_t *make_tried(const ll_tried *tried, long count)
{
    json_t *array = json_array();
    for (long i = 0; i < count; i++)
        if (json_array_append_new(array, json_pack("{s:s, s:I, s:f, s:f}", "attack", tried[i].attack, "runs",
                                                   (json_int_t)tried[i].runs, "share", tried[i].share, "error",
                                                   tried[i].error)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *make_truth(ll_truth truth)
{
    return truth == LL_UNKNOWN ? json_string("unknown") : json_boolean(truth == LL_TRUE);
}

json_t *ll_report_json_defence(const ll_defence *d)
{
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:s, s:o}", "kind", d->kind, d->unit,
                  make_number(d->setting), "epsilon", make_number(d->epsilon), "verified",
                  d->verified && !isnan(d->setting), "noise_over_sampling_error",
                  make_number(d->noise_over_sampling_error), "delta", make_number(d->delta), "priced_for_queries",
                  make_number(d->queries), "share", d->share, "bound", d->bound, "error", make_number(d->error),
                  "distance", make_number(d->distance), "note", d->note, "tried", make_tried(d->tried, d->tried_count));
    if (json_object_set_new(object, "proved", json_boolean(d->proved)) != 0) {
        json_decref(object);
        return NULL;
    }
    if (d->scale > 0 && strcmp(d->unit, "scale") != 0 &&
        json_object_set_new(object, "scale", make_number(d->scale)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *make_defences(const ll_audit *a)
{
    json_t *array = json_array();
    for (long i = 0; i < a->defence_count; i++)
        if (json_array_append_new(array, ll_report_json_defence(ll_audit_get_defence(a, i))) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* null where failures are counted, or tell nothing. */
static json_t *make_failures(const ll_audit *a)
{
    if (a->failures[0] == '\0')
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:s}", "tell_labels", make_truth(a->failures_tell), "uncounted",
                     make_number(a->failed_submissions), "counted", make_number(a->counted_submissions), "text",
                     a->failures);
}

/* null where an answer has one number. */
static json_t *make_several(const ll_audit *a)
{
    if (a->numbers < 2)
        return json_null();
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:s}", "numbers", (json_int_t)a->numbers, "sum_bits",
                     make_number(a->sum_bits), "stop_first",
                     ll_report_json_string(a->stop_first[0] ? a->stop_first : NULL), "queries_without",
                     a->stop_first[0] ? make_number(a->queries_without) : json_null(), "min_queries_without",
                     a->stop_first[0] ? make_number(a->min_queries_without) : json_null(), "alone",
                     ll_report_json_string(a->alone[0] ? a->alone : NULL), "text", a->several);
}

static json_t *make_split(const ll_public_split *s)
{
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "rows", (json_int_t)s->rows, "public",
                     (json_int_t)s->scored, "known_queries", make_number(s->known), "hidden_queries",
                     make_number(s->hidden), "unsized_queries", make_number(s->unsized), "known_min_queries",
                     make_number(s->known_bound), "hidden_min_queries", make_number(s->hidden_bound), "state_bits",
                     make_number(s->state_bits), "factor", make_number(s->hidden / s->known), "verdict", s->text);
}

static json_t *make_proposal(const ll_audit *a, const ll_proposal *p)
{
    char text[TEXT];
    (void)snprintf(text, sizeof text, "%s %s", p->change, p->effect);
    return json_pack("{s:s, s:s, s:s, s:b, s:s, s:o, s:s, s:o}", "kind", ll_audit_get_defence(a, p->defence)->kind,
                     "text", text, "cost", p->cost, "proved", p->proved, "check", p->check, "python",
                     p->python[0] ? json_string(p->python) : json_null(), "notice", p->notice, "no_python",
                     p->no_python[0] ? json_string(p->no_python) : json_null());
}

static json_t *make_proposals(const ll_audit *a)
{
    json_t *array = json_array();
    for (long i = 0; i < a->proposal_count; i++) {
        const ll_proposal *p = ll_audit_get_proposal(a, i);
        if (p->recommended && json_array_append_new(array, make_proposal(a, p)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *make_assumes(const ll_audit *a)
{
    return json_pack("{s:s, s:s, s:s}", "arithmetic", a->assumed_arithmetic, "prior", a->assumed_prior, "text",
                     a->assumptions);
}

ll_status ll_report_audit_json(const ll_audit_report *r, ll_error *error)
{
    ll_json json;
    const ll_audit *a = r->audit;
    ll_report_json_begin(&json, "audit");
    ll_report_json_add(&json, "regime", json_string(ll_report_regime_name(a->regime)));
    ll_report_json_add(&json, "best", a->best >= 0 ? make_choice(a->choices + a->best) : json_null());
    ll_report_json_add(&json, "codes", ll_report_json_choices(a->choices, a->choice_count));
    ll_report_json_add(&json, "bound", make_bound(a->bound, a->assumptions));
    ll_report_json_add(&json, "defences", make_defences(a));
    ll_report_json_add(&json, "leaks", make_truth(a->leaks));
    ll_report_json_add(&json, "verdict", ll_report_json_string(a->verdict));
    ll_report_json_add(&json, "proved", json_boolean(a->proved));
    ll_report_json_add(&json, "failures", make_failures(a));
    ll_report_json_add(&json, "several", make_several(a));
    ll_report_json_add(&json, "tried", make_tried(a->tried, a->tried_count));
    ll_report_json_add(&json, "rows", json_integer(a->rows));
    ll_report_json_add(&json, "classes", json_integer(a->classes));
    ll_report_json_add(&json, "queries", make_number(a->queries));
    ll_report_json_add(&json, "share", json_real(a->share));
    ll_report_json_add(&json, "guess", json_real(a->guess));
    ll_report_json_add(&json, "advantage", json_real(a->share - a->guess));
    ll_report_json_add(&json, "target_share", json_real(a->target_share));
    ll_report_json_add(&json, "average_share", json_real(a->average_share));
    ll_report_json_add(&json, "sampling_error", make_number(a->sampling_error));
    ll_report_json_add(&json, "honest_range", make_number(a->honest_range));
    ll_report_json_add(&json, "answer", ll_report_json_string(a->answer));
    ll_report_json_add(&json, "noise", ll_report_json_string(a->noise[0] ? a->noise : NULL));
    ll_report_json_add(&json, "proposals", make_proposals(a));
    ll_report_json_add(&json, "assumes", make_assumes(a));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(r->scorer));
    ll_report_json_add(&json, "secrecy", a->split != NULL ? make_split(a->split) : json_null());
    ll_report_json_add(&json, "recognised", json_boolean(r->program == NULL || r->program->found->recognised));
    if (r->program != NULL)
        ll_report_json_add(&json, "identification", ll_report_identify_object(r->program));
    ll_report_json_add(&json, "html", ll_report_json_string(r->html));
    ll_report_json_add(&json, "warning", ll_report_json_string(r->warning));
    return ll_report_json_end(&json, error);
}
