#include "report/inference_report.h"

#include "report/json.h"
#include "report/refit_report.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ll_report_methods[] = {"auto", "exhaustive", "meet", "lattice", "linear", "states", NULL};

enum { TEXT = 2400, OPEN_SHOWN = 5 };

long ll_report_inference_recovered(const ll_inference *inference)
{
    long given = 0;
    for (long i = 0; i < inference->verdict->rows; i++)
        given += inference->verdict->labels[i] >= 0;
    return given;
}

static const char *verdict_word(const ll_inference *i)
{
    static const char *const kinds[] = {[LL_UNIQUE] = "unique", [LL_AMBIGUOUS] = "ambiguous", [LL_NONE] = "none"};
    int likely = i->is_likely && ll_report_inference_recovered(i) == i->verdict->rows;
    return likely ? "likely" : kinds[i->verdict->kind];
}

/* ------------------------------------------------------------------ text */

static void print_open(const ll_verdict *v, long open)
{
    char text[TEXT] = "";
    long shown = 0;
    size_t used = 0;
    for (long row = 0; row < v->rows && shown < OPEN_SHOWN; row++)
        if (v->labels[row] < 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%ld", shown++ ? ", " : "", row);
    ll_report_field(stdout, "open", "%ld row%s: %s%s", open, ll_report_plural(open), text, open > shown ? ", ..." : "");
}

static void print_recovered(const ll_inference *i, const ll_scorer *scorer)
{
    const ll_verdict *v = i->verdict;
    char condition[LL_REPORT_CONDITION], likely[60] = "likely, none certain";
    long given = ll_report_inference_recovered(i);
    ll_report_write_condition(condition, scorer, v);
    if (v->certain > 0)
        (void)snprintf(likely, sizeof likely, "likely, %ld of them certain", v->certain);
    if (given == 0)
        ll_report_field(stdout, "recovered", "0 of %ld label%s", v->rows, ll_report_plural(v->rows));
    else if (given < v->rows)
        ll_report_field(stdout, "recovered", "%ld of %ld label%s, %s%s; %ld open", given, v->rows,
                        ll_report_plural(v->rows),
                        !i->is_likely    ? "certain"
                        : v->certain > 0 ? likely
                                         : "likely",
                        condition, v->rows - given);
    else
        ll_report_field(stdout, "recovered", "%ld of %ld label%s, %s%s", given, v->rows, ll_report_plural(v->rows),
                        i->is_likely ? likely : "every one certain", condition);
    if (given < v->rows && v->kind != LL_NONE)
        print_open(v, v->rows - given);
}

/* "2^-400", or the number where it is of a size for people. */
static void write_power(char *text, size_t size, double bits)
{
    if (fabs(bits) < 20)
        (void)snprintf(text, size, "%.3g", exp2(bits));
    else
        (void)snprintf(text, size, "2^%.0f", bits);
}

/* All digits of a count, up to as many as people read; --json has them all. */
static void write_count(char *text, size_t size, const char *digits)
{
    size_t length = strlen(digits);
    if (length <= 18)
        (void)snprintf(text, size, "%s", digits);
    else
        (void)snprintf(text, size, "about %c.%.3se%zu", digits[0], digits + 1, length - 1);
}

static void print_count(const ll_inference *i)
{
    char power[40], count[40];
    write_power(power, sizeof power, i->spurious_bits);
    if (i->count) {
        write_count(count, sizeof count, i->count);
        ll_report_field(stdout, "fit", "%s%s labelling%s; by chance %s wrong ones are expected to",
                        i->is_most ? "at most " : "", count, strcmp(i->count, "1") == 0 ? "" : "s", power);
    } else {
        ll_report_field(stdout, "fit", "not counted; by chance %s wrong labellings are expected to", power);
    }
}

static void write_proof(char *text, size_t size, const ll_inference *i)
{
    const ll_verdict *v = i->verdict;
    const char *s = ll_report_plural(v->queries);
    if (v->kind == LL_NONE)
        (void)snprintf(text, size,
                       "none: no labelling explains the score%s: the scorer is not what you described (a program's "
                       "arithmetic is --scorer or --arithmetic, rounding --decimals or --digits, noise --noise "
                       "bounded:TAU).",
                       s);
    else if (v->kind == LL_UNIQUE)
        (void)snprintf(text, size, "unique: no other labelling explains the score%s.", s);
    else if (i->is_likely && i->probability > 0.5)
        (void)snprintf(text, size,
                       "likely: these labels explain every score, and that they do so by chance has a probability of "
                       "about %.3g under a Gaussian model of the scores. That no other labelling does is not proved.",
                       1 - i->probability > 1e-15 ? 1 - i->probability : exp2(i->spurious_bits));
    else if (i->is_likely)
        (void)snprintf(text, size,
                       "ambiguous: a labelling was found that explains the score%s, but many others are expected to as "
                       "well: none is given.",
                       s);
    else if (i->count)
        (void)snprintf(text, size,
                       "ambiguous: all labellings that explain the score%s were found; labels given are those that "
                       "all of them share.",
                       s);
    else
        (void)snprintf(text, size,
                       "ambiguous: no labelling was found that explains the score%s; that says nothing about whether "
                       "there is one. More scores of the same rows, or more digits, would help.",
                       s);
}

static void print_proof(const ll_inference *i)
{
    char text[TEXT];
    const ll_verdict *v = i->verdict;
    write_proof(text, sizeof text, i);
    size_t used = strlen(text);
    if (v->residual.text && v->kind != LL_NONE)
        (void)snprintf(text + used, sizeof text - used,
                       " %s within %s of what was released (residual); noise and rounding of the release allow %s, "
                       "the scorer's own rounding %s.",
                       v->queries == 1 ? "They score" : "In the score with the smallest margin they are",
                       v->residual.text, v->noise.text, v->rounding.text);
    ll_report_paragraph(stdout, "proof", text);
}

static void write_defence(char *text, size_t size, const ll_inference *i)
{
    const ll_verdict *v = i->verdict;
    double bits = v->queries > 0 ? i->score_bits / (double)v->queries : 0;
    (void)snprintf(text, size,
                   "A score of honest predictions can tell %.0f bits here, and all labels together are %.0f: release "
                   "fewer digits (every decimal dropped takes 3.3 bits from a score), fewer scores of the same rows, "
                   "or none on rows whose labels are secret. Rounding only delays it: with enough scores labels come "
                   "out again. Laplace noise of scale W/(N epsilon) on every score, W the largest weight of a row, "
                   "bounds what any method can learn.",
                   bits, (double)v->rows * log2((double)v->classes));
}

void ll_report_inference_text(const ll_inference_outcome *o)
{
    char text[TEXT];
    const ll_inference *i = o->inference;
    ll_report_write_scorer(text, sizeof text, o->scorer);
    ll_report_field(stdout, "scorer", "%s", text);
    ll_report_field(stdout, "method", "%s: %ld score%s of %ld row%s, %.0f bits in all", ll_report_methods[i->method],
                    i->verdict->queries, ll_report_plural(i->verdict->queries), i->verdict->rows,
                    ll_report_plural(i->verdict->rows), i->score_bits);
    print_recovered(i, o->scorer);
    print_count(i);
    print_proof(i);
    ll_report_refit_text(o->refit, i->verdict->kind == LL_NONE);
    if (o->out)
        ll_report_field(stdout, "labels", "%s", o->out);
    ll_report_field(stdout, "seconds", "%.3f in all: read %.3f, infer %.3f", o->total_seconds, o->read_seconds,
                    o->infer_seconds);
    write_defence(text, sizeof text, i);
    ll_report_paragraph(stdout, "defence", text);
}

/* ------------------------------------------------------------------ JSON */

static json_t *make_labelling(const int32_t *labels, long rows)
{
    json_t *array = json_array();
    for (long i = 0; array && i < rows; i++)
        if (json_array_append_new(array, json_integer(labels[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *make_labellings(const ll_inference *i)
{
    json_t *array = json_array();
    for (long j = 0; array && j < i->kept; j++)
        if (json_array_append_new(array, make_labelling(i->labellings + j * i->verdict->rows, i->verdict->rows)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *make_certificate(const ll_inference *i)
{
    const ll_verdict *v = i->verdict;
    return json_pack("{s:s, s:n, s:o, s:o, s:o}", "verdict", verdict_word(i), "gap", "noise",
                     ll_report_json_string(v->noise.text), "rounding", ll_report_json_string(v->rounding.text),
                     "residual", ll_report_json_string(v->residual.text));
}

/* The number where a double holds it, else text. */
static json_t *make_spurious(double bits)
{
    char text[40];
    if (bits > -1000 && bits < 1000)
        return json_real(exp2(bits));
    (void)snprintf(text, sizeof text, "2^%.1f", bits);
    return json_string(text);
}

static json_t *make_count(const char *count)
{
    return count && strlen(count) <= 15 ? json_integer(strtoll(count, NULL, 10)) : ll_report_json_string(count);
}

static double to_millionths(double seconds)
{
    return round(seconds * 1e6) / 1e6;
}

/* null where nothing was found and nothing excluded. */
static json_t *make_guarantee(const ll_inference *i)
{
    if (i->is_likely)
        return json_string("likely");
    return i->count || i->verdict->certain > 0 ? json_string("certified") : json_null();
}

ll_status ll_report_inference_json(const ll_inference_outcome *o, ll_error *error)
{
    ll_json json;
    const ll_inference *i = o->inference;
    const ll_verdict *v = i->verdict;
    long given = ll_report_inference_recovered(i);
    char defence[TEXT];
    ll_report_json_begin(&json, "infer");
    ll_report_json_add(&json, "method", json_string(ll_report_methods[i->method]));
    ll_report_json_add(&json, "queries", json_integer(v->queries));
    ll_report_json_add(&json, "rows", json_integer(v->rows));
    ll_report_json_add(&json, "classes", json_integer(v->classes));
    ll_report_json_add(&json, "recovered", json_integer(given));
    ll_report_json_add(&json, "certain", json_integer(v->certain));
    ll_report_json_add(&json, "guarantee", make_guarantee(i));
    ll_report_json_add(&json, "count", make_count(i->count));
    ll_report_json_add(&json, "count_is_bound", json_boolean(i->is_most));
    ll_report_json_add(&json, "spurious", make_spurious(i->spurious_bits));
    ll_report_json_add(&json, "spurious_log2", json_real(i->spurious_bits));
    ll_report_json_add(&json, "open", ll_report_json_open(v));
    ll_report_json_add(&json, "open_count", json_integer(v->rows - given));
    ll_report_json_add(&json, "probability", v->kind == LL_NONE ? json_null() : json_real(i->probability));
    ll_report_json_add(&json, "certificate", make_certificate(i));
    if (o->refit) {
        ll_report_json_add(&json, "would_fit", ll_report_refit_json(o->refit));
        ll_report_json_add(&json, "scores_note", ll_report_json_string(o->refit->note));
    }
    ll_report_condition_json(&json, o->scorer, v);
    ll_report_json_add(&json, "labellings", make_labellings(i));
    ll_report_json_add(&json, "score_bits", json_real(i->score_bits));
    ll_report_json_add(&json, "seconds",
                       json_pack("{s:f, s:f, s:f}", "read", to_millionths(o->read_seconds), "decode",
                                 to_millionths(o->infer_seconds), "total", to_millionths(o->total_seconds)));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(o->scorer));
    ll_report_json_add(&json, "warning", ll_report_json_string(o->warning[0] ? o->warning : NULL));
    write_defence(defence, sizeof defence, i);
    ll_report_json_add(&json, "defence", ll_report_json_string(defence));
    return ll_report_json_end(&json, error);
}
