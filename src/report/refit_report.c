#include "report/refit_report.h"

#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS = 160 };
#define LITTLE 1e-3 /* chance from which it is told */

static void write_options(char *text, const ll_redescription *fit)
{
    text[0] = '\0';
    ll_report_write_options(text, OPTIONS, fit->settings);
}

void ll_report_refit_text(const ll_refit *refit, int is_none)
{
    char options[OPTIONS], text[480];
    for (long i = 0; refit != NULL && i < refit->fit_count; i++) {
        write_options(options, ll_refit_get_fit(refit, i));
        (void)snprintf(text, sizeof text, "%s would%s: %s", options, i ? ", too" : "", ll_refit_get_fit(refit, i)->why);
        ll_report_paragraph(stdout, "instead", text);
    }
    if (refit != NULL && refit->note != NULL)
        ll_report_paragraph(stdout, "scores", refit->note);
    if (refit != NULL && refit->chance > LITTLE) {
        (void)snprintf(text, sizeof text,
                       "hardly: a wrong description would explain these scores as well with a chance of about %.2g. "
                       "Smaller blocks (--block) leave more room to tell.",
                       refit->chance);
        ll_report_paragraph(stdout, "checked", text);
    }
    if (refit != NULL && is_none && refit->fit_count == 0 && refit->note == NULL)
        ll_report_paragraph(
            stdout, "instead",
            "no other description that was tried would, as far as so few scores can tell: digits, percentages, "
            "negations, roots, clips, columns, arithmetic and fewer rows");
}

json_t *ll_report_refit_json(const ll_refit *refit)
{
    char options[OPTIONS];
    json_t *array = json_array();
    for (long i = 0; array != NULL && i < refit->fit_count; i++) {
        const ll_redescription *fit = ll_refit_get_fit(refit, i);
        write_options(options, fit);
        json_t *one = json_pack("{s:s, s:s, s:s, s:b}", "settings", fit->settings, "options", options, "why", fit->why,
                                "proved", fit->proved);
        if (json_array_append_new(array, one) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

void ll_report_add_refit(ll_error *error, const ll_refit *refit)
{
    char options[OPTIONS], text[sizeof error->text];
    if (refit->fit_count == 0)
        return;
    write_options(options, ll_refit_get_fit(refit, 0));
    memcpy(text, error->text, sizeof text);
    (void)ll_fail(error, error->status, "%.300s; %s would fit", text, options);
}

/* Every proof about numeric targets supposes it (docs/proofs/targets.md). */
static void write_premise(char text[LL_REPORT_CONDITION], const ll_scorer *scorer, const ll_verdict *verdict)
{
    const char *grid = ll_scorer_get(scorer, "targets");
    text[0] = '\0';
    if (grid != NULL && verdict->certain > 0)
        (void)snprintf(text, LL_REPORT_CONDITION, "every target is on the grid %.100s%s", grid,
                       verdict->holds_between ? ", or else less than a step off" : "");
}

void ll_report_write_condition(char text[LL_REPORT_CONDITION], const ll_scorer *scorer, const ll_verdict *verdict)
{
    char premise[LL_REPORT_CONDITION];
    int is_conditional = ll_verdict_is_conditional(verdict);
    write_premise(premise, scorer, verdict);
    (void)snprintf(text, LL_REPORT_CONDITION, "%s%s%.180s", is_conditional ? " if the description is right" : "",
                   premise[0] == '\0' ? ""
                   : is_conditional   ? " and "
                                      : " if ",
                   premise);
}

void ll_report_condition_json(ll_json *json, const ll_scorer *scorer, const ll_verdict *verdict)
{
    char premise[LL_REPORT_CONDITION];
    int known = verdict->kind != LL_NONE && isfinite(verdict->wrong_description);
    ll_report_json_add(json, "wrong_description_chance", known ? json_real(verdict->wrong_description) : json_null());
    ll_report_json_add(json, "conditional", json_boolean(ll_verdict_is_conditional(verdict)));
    write_premise(premise, scorer, verdict);
    ll_report_json_add(json, "premise", ll_report_json_string(premise[0] != '\0' ? premise : NULL));
}
