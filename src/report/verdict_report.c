#include "report/verdict_report.h"

#include "report/audit_report.h"
#include "report/defence.h"
#include "report/json.h"
#include "report/refit_report.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {[LL_UNIQUE] = "unique", [LL_AMBIGUOUS] = "ambiguous", [LL_NONE] = "none"};

enum { TEXT = 4096, OPEN_SHOWN = 5 };

/* Rows that are given a label. */
static long count_recovered(const ll_verdict *v)
{
    long recovered = 0;
    for (long i = 0; i < v->rows; i++)
        recovered += v->labels[i] >= 0;
    return recovered;
}

/* Rows that are public for certain, with their label. */
static long count_public(const ll_verdict *v)
{
    long count = 0;
    for (long i = 0; i < v->rows; i++)
        count += v->labels[i] >= 0 && v->labels[i] != v->absent;
    return count;
}

/* Mean over the rows of the probability that their label is right. */
static double mean_share(const ll_verdict *v)
{
    double sum = 0;
    for (long i = 0; i < v->rows; i++)
        sum += v->labels[i] >= 0 ? v->shares[i * v->classes + v->labels[i]] : 0;
    return sum / (double)v->rows;
}

long ll_report_count_right(const ll_verdict *v, const int32_t *truth)
{
    long right = 0;
    for (long i = 0; i < v->rows; i++)
        right += v->labels[i] >= 0 && v->labels[i] == truth[i];
    return right;
}

/* Bits of the scores that were read. */
static double bits_of(const ll_outcome *o)
{
    return o->plan->score_bits * (double)o->verdict->queries / (double)o->plan->queries;
}

/* ------------------------------------------------------------------ text */

/* "0 or 1" */
static void write_candidates(char *text, size_t size, const ll_verdict *v, long row)
{
    size_t used = 0;
    text[0] = '\0';
    if (v->candidates == NULL)
        (void)snprintf(text, size, "%d to %d", (int)v->lowest[row], (int)v->highest[row]);
    for (long k = 0; v->candidates != NULL && k < v->classes && used < size; k++)
        if (v->candidates[row * v->classes + k])
            used += v->absent > 0 && k == v->absent
                        ? (size_t)snprintf(text + used, size - used, "%sabsent", used ? " or " : "")
                        : (size_t)snprintf(text + used, size - used, "%s%ld", used ? " or " : "", k);
}

static void print_open(const ll_verdict *v)
{
    char text[TEXT] = "", candidates[80];
    long shown = 0, open = v->rows - count_recovered(v);
    size_t used = 0;
    for (long row = 0; row < v->rows && shown < OPEN_SHOWN; row++)
        if (v->labels[row] < 0) {
            write_candidates(candidates, sizeof candidates, v, row);
            used += (size_t)snprintf(text + used, sizeof text - used, "%srow %ld (%s)", shown++ ? ", " : "", row,
                                     candidates);
        }
    ll_report_field(stdout, "open", "%ld row%s: %s%s", open, ll_report_plural(open), text, open > shown ? ", ..." : "");
}

static void print_likely(const ll_verdict *v)
{
    long recovered = count_recovered(v);
    if (v->probability < 0.5)
        ll_report_field(
            stdout, "recovered",
            "%ld of %ld label%s for certain; the likeliest label of %ld row%s, all right with probability at least %.9g",
            v->certain, v->rows, ll_report_plural(v->rows), recovered, ll_report_plural(recovered), v->probability);
    else
        ll_report_field(stdout, "recovered", "%ld of %ld label%s, likely: all right with probability at least %.9g",
                        recovered, v->rows, ll_report_plural(v->rows), v->probability);
    ll_report_field(stdout, "expected", "%.2f%% of the labels are right", 100 * mean_share(v));
    if (recovered < v->rows)
        print_open(v);
}

/* Of rows that may be absent. */
static void print_states(const ll_verdict *v, const char *condition)
{
    long shown = count_public(v), absent = v->certain - shown;
    ll_report_field(stdout, "recovered", "%ld row%s public, with the label, and %ld absent, %scertain%s; %ld open",
                    shown, ll_report_plural(shown), absent, v->certain == v->rows ? "every one " : "", condition,
                    v->rows - v->certain);
    if (v->kind == LL_AMBIGUOUS)
        print_open(v);
}

static void print_recovered(const ll_outcome *o)
{
    const ll_verdict *v = o->verdict;
    char condition[LL_REPORT_CONDITION];
    ll_report_write_condition(condition, o->scorer, v);
    if (v->absent > 0) {
        print_states(v, condition);
        return;
    }
    if (v->guarantee == LL_LIKELY && v->kind != LL_NONE) {
        print_likely(v);
        return;
    }
    if (v->certain == v->rows)
        ll_report_field(stdout, "recovered", "%ld of %ld label%s, every one certain%s", v->certain, v->rows,
                        ll_report_plural(v->rows), condition);
    else
        ll_report_field(stdout, "recovered", "%ld of %ld label%s, certain%s; %ld open", v->certain, v->rows,
                        ll_report_plural(v->rows), condition, v->rows - v->certain);
    if (v->kind == LL_AMBIGUOUS)
        print_open(v);
}

/* Noise and rounding together, against half the gap; "" where doubles cannot tell. */
static const char *compare_margins(const ll_verdict *v)
{
    double gap = v->gap.value, moved = v->noise.value + v->rounding.value;
    if (!isfinite(gap) || !isfinite(moved) || gap == 0)
        return "";
    return 2 * moved < gap ? ", together less than half the gap" : ", which leaves room for no other labelling";
}

static void write_margins(char *text, size_t size, const ll_verdict *v)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used,
                   " %s any two labellings have scores at least %s apart (gap); noise moves a score by at most %s, the "
                   "scorer's own rounding and that of the predictions by at most %s%s. The labels found give the "
                   "released score to within %s (residual).",
                   v->queries == 1 ? "With these predictions" : "In the query with the smallest margin", v->gap.text,
                   v->noise.text, v->rounding.text, compare_margins(v), v->residual.text);
}

/* What is known of labels that are only likely. */
static void print_belief(const ll_verdict *v)
{
    char text[TEXT];
    if (!v->gap.text) {
        ll_report_paragraph(stdout, "belief",
                            v->probability > 0
                                ? "Each label has its own probability (--out writes it), from all scores together; "
                                  "nothing is proved."
                                : "Each label has its own probability (--out writes it), from all scores together. The "
                                  "likeliest labels taken together do not explain every score, so some are wrong.");
        return;
    }
    (void)snprintf(text, sizeof text,
                   "just one labelling explains the score%s while noise and rounding stay within bounds that hold with "
                   "probability %.7g.",
                   ll_report_plural(v->queries), v->probability);
    write_margins(text, sizeof text, v);
    ll_report_paragraph(stdout, "belief", text);
}

/* Nothing fits: a proof where bounds are sure; where they hold with a probability, they may have been passed. */
static void write_none(char *text, size_t size, const ll_outcome *o)
{
    const ll_verdict *v = o->verdict;
    int used = snprintf(text, size, "none: no labelling explains the score%s", ll_report_plural(v->queries));
    if (v->guarantee == LL_LIKELY)
        used += snprintf(text + used, size - (size_t)used,
                         " within the bounds that noise and rounding were planned to keep: they passed them, which has "
                         "a chance of at most %.3g (--failure), or the scorer is not what you described.",
                         o->plan->allowed);
    else
        used += snprintf(text + used, size - (size_t)used, ": the scorer is not what you described.");
    if (v->explains.text)
        (void)snprintf(text + used, size - (size_t)used, " With about %s more noise one would.", v->explains.text);
}

static void print_certificate(const ll_outcome *o)
{
    const ll_verdict *v = o->verdict;
    char text[TEXT];
    if (v->guarantee == LL_LIKELY && v->kind != LL_NONE) {
        print_belief(v);
        return;
    }
    if (v->kind == LL_UNIQUE)
        (void)snprintf(text, sizeof text, "unique: no other labelling explains the score%s.",
                       ll_report_plural(v->queries));
    else if (v->kind == LL_AMBIGUOUS)
        (void)snprintf(text, sizeof text,
                       "ambiguous: several labellings may explain the score%s; labels given are "
                       "those that all of them share.",
                       ll_report_plural(v->queries));
    else
        write_none(text, sizeof text, o);
    if (v->kind != LL_NONE && v->gap.text)
        write_margins(text, sizeof text, v);
    if (v->kind == LL_NONE && ll_scorer_get(o->scorer, "targets") != NULL)
        (void)snprintf(
            text + strlen(text), sizeof text - strlen(text),
            " So it is, too, where a target lies between two numbers of the grid: STEP is to be their resolution.");
    if (v->kind == LL_NONE && o->query_seconds >= 0 && v->queries < o->plan->queries)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), " Nothing was asked after query %ld of %ld.",
                       v->queries, o->plan->queries);
    ll_report_paragraph(stdout, v->guarantee == LL_LIKELY ? "belief" : "proof", text);
}

static void print_seconds(const ll_outcome *o)
{
    if (o->query_seconds < 0)
        ll_report_field(stdout, "seconds", "%.3f in all: plan %.3f, decode %.3f", o->total_seconds, o->plan_seconds,
                        o->decode_seconds);
    else
        ll_report_field(stdout, "seconds", "%.3f in all: plan %.3f, query %.3f, decode %.3f", o->total_seconds,
                        o->plan_seconds, o->query_seconds, o->decode_seconds);
}

static const ll_code_info *find_code(const char *name)
{
    size_t length = strcspn(name, ":");
    for (long i = 0; i < ll_code_count(); i++) {
        const ll_code_info *info = ll_code_get_info(i);
        if (strlen(info->name) == length && strncmp(info->name, name, length) == 0)
            return info;
    }
    return NULL;
}

static void print_explanation(const ll_outcome *o)
{
    const ll_code_info *info = find_code(o->plan->code);
    char text[TEXT];
    (void)snprintf(text, sizeof text,
                   "Every label of every row of a block of %ld adds a weight of its own to rows x score; the weights "
                   "are such that their sum tells all labellings of the block apart. Weight 1 adds 2^%.4g here. The "
                   "predictions are these weights, written for the loss by the writer '%s'; rows outside of the block "
                   "add the same whatever their label is. From the score back: what the stored numbers add whatever "
                   "the labels are is taken off, and the code gives every labelling whose sum lies in what noise and "
                   "rounding leave open.",
                   o->plan->block, o->plan->unit_bits, o->plan->writer);
    ll_report_paragraph(stdout, "how", text);
    if (!info)
        return;
    ll_report_field(stdout, "weights", "%s", info->weights);
    ll_report_field(stdout, "gap", "%s (of weights)", info->gap);
    ll_report_field(stdout, "bits", "%s (of a score)", info->bits);
    ll_report_field(stdout, "cost", "%s (of decoding)", info->cost);
    ll_report_field(stdout, "result", "%s (%s)", info->result[0] ? info->result : "beyond the paper", info->guarantee);
    ll_report_field(stdout, "digest", "%s", o->digest);
    if (o->choices) {
        putchar('\n');
        ll_report_choices(o->choices, o->choice_count, ll_plan_choose(o->choices, o->choice_count),
                          ll_scorer_get_count(o->scorer, "queries") > 0);
        ll_report_refusals(o->choices, o->choice_count);
        putchar('\n');
    }
}

static void print_defence(const ll_outcome *o, const ll_chosen_defence *chosen)
{
    char text[TEXT];
    ll_report_write_defence(text, sizeof text, o->scorer, o->plan, o->verdict, chosen);
    ll_report_paragraph(stdout, "defence", text);
    if (chosen->first == NULL)
        return;
    ll_report_field(stdout, "check", "%s", chosen->first->check);
    if (chosen->first->python[0] == '\0')
        return;
    ll_report_paragraph(stdout, "python", "the same, for the program that has the labels:");
    (void)printf("\n%s", chosen->first->python); /* at the beginning of its lines, ready to be copied */
}

void ll_report_outcome_text(const ll_outcome *o)
{
    char text[TEXT];
    const ll_verdict *v = o->verdict;
    ll_report_write_scorer(text, sizeof text, o->scorer);
    ll_report_field(stdout, "scorer", "%s", text);
    ll_report_field(stdout, "code", "%s: %ld quer%s of %ld row%s each, %.0f bits of score in all", o->plan->code,
                    v->queries, v->queries == 1 ? "y" : "ies", o->plan->block, ll_report_plural(o->plan->block),
                    bits_of(o));
    if (o->explain)
        print_explanation(o);
    print_recovered(o);
    if (o->decoder && strcmp(o->decoder, "auto") != 0)
        ll_report_field(stdout, "decoder", "%s: every labelling of all rows was looked at", o->decoder);
    print_certificate(o);
    ll_report_refit_text(o->refit, v->kind == LL_NONE);
    long recovered = count_recovered(v), right = o->truth ? ll_report_count_right(v, o->truth) : 0;
    if (o->truth && recovered > 0)
        ll_report_field(stdout, "accuracy", "%.6g: %ld of the %ld recovered are right",
                        (double)right / (double)recovered, right, recovered);
    if (o->out)
        ll_report_field(stdout, "labels", "%s", o->out);
    print_seconds(o);
    print_defence(o, o->defence);
}

/* ------------------------------------------------------------------ JSON */

static json_t *make_certificate(const ll_verdict *v)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "verdict", kinds[v->kind], "gap",
                     ll_report_json_string(v->gap.text), "noise", ll_report_json_string(v->noise.text), "rounding",
                     ll_report_json_string(v->rounding.text), "residual", ll_report_json_string(v->residual.text),
                     "explains", ll_report_json_string(v->explains.text));
}

static double to_millionths(double seconds)
{
    return round(seconds * 1e6) / 1e6;
}

static json_t *make_seconds(const ll_outcome *o)
{
    json_t *object = json_pack("{s:f, s:f, s:f}", "plan", to_millionths(o->plan_seconds), "decode",
                               to_millionths(o->decode_seconds), "total", to_millionths(o->total_seconds));
    if (o->query_seconds < 0 || json_object_set_new(object, "query", json_real(to_millionths(o->query_seconds))) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *make_plan(const ll_outcome *o)
{
    return json_pack("{s:I, s:I, s:s, s:s, s:f, s:s, s:I, s:f, s:f}", "block", (json_int_t)o->plan->block, "queries",
                     (json_int_t)o->plan->queries, "writer", o->plan->writer, "entries",
                     o->plan->entries == LL_ENTRIES_EXACT ? "exact" : "double", "unit_bits", o->plan->unit_bits,
                     "digest", o->digest, "repeats", (json_int_t)o->plan->repeats, "share", o->plan->share, "failure",
                     o->plan->failure);
}

static json_t *make_accuracy(const ll_outcome *o)
{
    long recovered = count_recovered(o->verdict);
    return recovered > 0 ? json_real((double)ll_report_count_right(o->verdict, o->truth) / (double)recovered)
                         : json_null();
}

static void add_defence(ll_json *json, const ll_outcome *o, const ll_chosen_defence *chosen)
{
    char text[TEXT];
    ll_report_write_defence(text, sizeof text, o->scorer, o->plan, o->verdict, chosen);
    ll_report_json_add(json, "defence", ll_report_json_string(text));
    ll_report_json_add(json, "check",
                       chosen->first != NULL ? ll_report_json_string(chosen->first->check) : json_null());
    ll_report_json_add(json, "python", json_string(chosen->first != NULL ? chosen->first->python : ""));
}

ll_status ll_report_outcome_json(const ll_outcome *o, ll_error *error)
{
    ll_json json;
    const ll_verdict *v = o->verdict;
    ll_report_json_begin(&json, o->command);
    ll_report_json_add(&json, "code", ll_report_json_string(o->plan->code));
    ll_report_json_add(&json, "queries", json_integer(v->queries));
    ll_report_json_add(&json, "rows", json_integer(v->rows));
    ll_report_json_add(&json, "classes", json_integer(o->plan->classes));
    ll_report_json_add(&json, "recovered", json_integer(count_recovered(v)));
    ll_report_json_add(&json, "certain", json_integer(v->certain));
    if (v->absent > 0)
        ll_report_json_add(&json, "public",
                           json_pack("{s:I, s:I, s:I}", "labelled", (json_int_t)count_public(v), "absent",
                                     (json_int_t)(v->certain - count_public(v)), "open",
                                     (json_int_t)(v->rows - v->certain)));
    ll_report_json_add(&json, "guarantee", json_string(v->guarantee == LL_LIKELY ? "likely" : "certified"));
    if (o->truth)
        ll_report_json_add(&json, "accuracy", make_accuracy(o));
    ll_report_json_add(&json, "open", ll_report_json_open(v));
    ll_report_json_add(&json, "open_count", json_integer(v->rows - count_recovered(v)));
    ll_report_json_add(&json, "probability", v->kind == LL_NONE ? json_null() : json_real(v->probability));
    if (v->shares)
        ll_report_json_add(&json, "expected_share", json_real(mean_share(v)));
    ll_report_json_add(&json, "certificate", make_certificate(v));
    if (o->refit) {
        ll_report_json_add(&json, "would_fit", ll_report_refit_json(o->refit));
        ll_report_json_add(&json, "scores_note", ll_report_json_string(o->refit->note));
    }
    ll_report_condition_json(&json, o->scorer, v);
    ll_report_json_add(&json, "score_bits", json_real(bits_of(o)));
    ll_report_json_add(&json, "seconds", make_seconds(o));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(o->scorer));
    ll_report_json_add(&json, "plan", make_plan(o));
    if (o->decoder)
        ll_report_json_add(&json, "decoder", ll_report_json_string(o->decoder));
    ll_report_json_add(&json, "warning", ll_report_json_string(o->warning[0] ? o->warning : NULL));
    add_defence(&json, o, o->defence);
    if (o->choices)
        ll_report_json_add(&json, "codes", ll_report_json_choices(o->choices, o->choice_count));
    return ll_report_json_end(&json, error);
}
