/* lossleak hardness: is the function behind a formula separable? */
#include "cli/options/parse.h"
#include "cli/signals.h"
#include "io/files/io_fail.h"
#include "io/files/write_file.h"
#include "io/formats/dimacs.h"
#include "io/formats/function_file.h"
#include "report/json.h"
#include "report/progress.h"
#include "report/text_table.h"
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 400 };

typedef struct {
    ll_common_options common;
    const char *path, *emit;
} options;

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "What it works on:", 1},
    {"emit", LL_TEXT(options, emit), "FILE", 0, "Write f down as JSON (terms and primes), before the search begins", 1},
    {0}};

static error_t parse_other(void *self, int key, char *value)
{
    options *o = self;
    return key == ARGP_KEY_ARG ? ll_cli_set_only(&o->path, "formula", value, &o->common.error) : ARGP_ERR_UNKNOWN;
}

static const char doc[] =
    "Telling whether a function separates all labellings is as hard as SAT. From a formula in DIMACS CNF this makes "
    "the "
    "function f(labels) = (clauses that they falsify) * (product of p_i over the labels i that are 1), with primes "
    "above "
    "the number of clauses. All values of f differ exactly if the formula has at most one model; two models are "
    "two labellings with the same value, 0. A SAT solver (CaDiCaL) decides.\v"
    "FORMULA.cnf may be gzip'd; - is stdin. Exit status 0: separable; 1: not, and two labellings of the same value are "
    "shown; 2: bad input, or undecided within --max-seconds and --max-memory.\n\n"
    "Example:\n"
    "  lossleak hardness formula.cnf --emit f.json";

/* ------------------------------------------------------------------ work */

typedef struct {
    ll_io_formula formula;
    ll_hardness answer;
    double seconds; /* of the search */
} work_state;

static ll_status decide(const options *o, work_state *w, ll_error *error)
{
    ll_error why = {0};
    double start = ll_report_clock();
    const ll_budget budget = ll_cli_budget(&o->common);
    ll_status status = ll_hardness_decide(&w->answer, &w->formula.cnf, &budget, &why);
    w->seconds = ll_report_clock() - start;
    if (status == LL_OK)
        return LL_OK;
    if (ll_cli_is_interrupted())
        return ll_fail(error, LL_UNABLE, "interrupted");
    return ll_io_fail(error, status, o->path, 0, "%.190s%s", why.text,
                      ll_cli_is_late() ? ": the time of --max-seconds is up" : "");
}

static ll_status compute(const options *o, work_state *w, ll_error *error)
{
    ll_status status = o->emit ? ll_io_output_check(o->emit, &o->path, 1, error) : LL_OK;
    if (status == LL_OK)
        status = ll_io_read_formula(&w->formula, o->path, o->common.max_memory, error);
    if (status == LL_OK && o->emit)
        status = ll_io_write_function(o->emit, &w->formula.cnf, o->common.max_memory, error);
    return status == LL_OK ? decide(o, w, error) : status;
}

/* ------------------------------------------------------------------ report */

static json_t *make_labels(const int32_t *labels, long count)
{
    json_t *array = json_array();
    for (long i = 0; i < count; i++)
        if (json_array_append_new(array, json_integer(labels[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *make_witness(const work_state *w)
{
    json_t *array = json_array();
    for (long i = 0; w->answer.models == 2 && i < 2; i++)
        if (json_array_append_new(array, make_labels(w->answer.zeros[i], w->formula.cnf.variables)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static ll_status print_json(const work_state *w, ll_error *error)
{
    ll_json json;
    ll_report_json_begin(&json, "hardness");
    ll_report_json_add(&json, "separable", json_boolean(w->answer.models < 2));
    ll_report_json_add(&json, "models", json_integer(w->answer.models));
    ll_report_json_add(&json, "witness", make_witness(w));
    if (w->answer.models == 1)
        ll_report_json_add(&json, "model", make_labels(w->answer.zeros[0], w->formula.cnf.variables));
    ll_report_json_add(&json, "variables", json_integer(w->formula.cnf.variables));
    ll_report_json_add(&json, "clauses", json_integer(w->formula.cnf.clauses));
    ll_report_json_add(&json, "seconds", json_real(w->seconds));
    return ll_report_json_end(&json, error);
}

static void print_labels(const char *name, const int32_t *labels, long count)
{
    char text[SHOWN + 1];
    long shown = count < SHOWN ? count : SHOWN;
    for (long i = 0; i < shown; i++)
        text[i] = labels[i] ? '1' : '0';
    text[shown] = '\0';
    if (count == 0)
        ll_report_field(stdout, name, "the empty labelling");
    else if (shown == count)
        ll_report_field(stdout, name, "%s", text);
    else
        ll_report_field(stdout, name, "%s... (%ld labels; --json gives all)", text, count);
}

static void print_text(const work_state *w)
{
    static const char *const models[] = {"none", "exactly one", "at least two"};
    const ll_cnf *cnf = &w->formula.cnf;
    const ll_hardness *a = &w->answer;
    ll_report_field(stdout, "formula", "%ld variables, %ld clauses", cnf->variables, cnf->clauses);
    ll_report_field(stdout, "function", "%s",
                    "f(labels) = (clauses falsified) * (product of the primes whose label is 1)");
    ll_report_field(stdout, "models", "%s", models[a->models]);
    if (a->models < 2) {
        ll_report_field(stdout, "answer", "separable: all values of f differ");
        if (a->models == 1)
            print_labels("f = 0 at", a->zeros[0], cnf->variables);
    } else {
        ll_report_field(stdout, "answer", "not separable: two labellings have the same value");
        print_labels("f = 0 at", a->zeros[0], cnf->variables);
        print_labels("and at", a->zeros[1], cnf->variables);
    }
    ll_report_field(stdout, "seconds", "%.3f", w->seconds);
}

static ll_status print(const options *o, const work_state *w, ll_error *error)
{
    ll_cli_unlimit_seconds();
    if (o->common.json)
        return print_json(w, error);
    print_text(w);
    return LL_OK;
}

static ll_exit work(void *self)
{
    const options *o = self;
    ll_error error = {0};
    work_state w = {0};
    if (!o->path)
        return ll_cli_usage_error("hardness", "no formula: give FORMULA.cnf");
    if (o->emit && strcmp(o->emit, "-") == 0)
        return ll_cli_usage_error("hardness", "--emit -: the report is on stdout; give a file");
    ll_hardness_init(&w.answer);
    ll_status status = compute(o, &w, &error);
    if (status == LL_OK)
        status = print(o, &w, &error);
    ll_exit done = status != LL_OK ? ll_cli_fail(&error) : w.answer.models == 2 ? LL_EXIT_BAD_ANSWER : LL_EXIT_DONE;
    ll_hardness_clear(&w.answer);
    ll_io_clear_formula(&w.formula);
    return done;
}

static const ll_syntax syntax = {.command = "hardness",
                                 .arguments = "FORMULA.cnf",
                                 .doc = doc,
                                 .size = sizeof(options),
                                 .options = options_table,
                                 .parts = {LL_PART(&ll_cli_common_group, options, common), {0}},
                                 .parse_other = parse_other};

const ll_command ll_command_hardness = {&syntax, "is the function behind a formula separable? as hard as SAT", work};
