/* `audit --program' of a program that no table knows. */
#include "cli/commands/audit_program.h"
#include "report/text_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What is said first, and what to do. */
typedef struct {
    char answer[600], todo[600], command[300];
} advice;

/* ---- what the text of a number can tell ---- */

typedef struct {
    double bits, share; /* of all submissions */
    long rows, queries;
    char text[1400]; /* "": there is no bound */
} bound;

static ll_status make_world(ll_scorer **out, long rows, long classes, ll_error *error)
{
    char counts[2][24];
    (void)snprintf(counts[0], sizeof counts[0], "%ld", rows);
    (void)snprintf(counts[1], sizeof counts[1], "%ld", classes);
    ll_status status = ll_scorer_create(out, error);
    if (status == LL_OK)
        status = ll_scorer_set(*out, "rows", counts[0], error);
    if (status == LL_OK)
        status = ll_scorer_set(*out, "classes", counts[1], error);
    return status == LL_OK ? ll_scorer_resolve(*out, NULL, error) : status;
}

static long count_of(const ll_scorer_options *scorer, const char *name, long otherwise)
{
    const char *text = ll_cli_program_given(scorer, name);
    return text != NULL ? strtol(text, NULL, 10) : otherwise;
}

/* The number that was attacked. */
static const ll_channel_found *find_number(const ll_identification *found)
{
    for (long i = 0; i < found->channel_count; i++) {
        const ll_channel_found *c = ll_identification_get_channel(found, i);
        if (c->is_number && c->depends_on_labels == LL_TRUE && !c->tells_rows)
            return c;
    }
    return NULL;
}

static void say_bound(bound *b, const ll_identification *found, const ll_channel_found *c, double each)
{
    (void)snprintf(
        b->text, sizeof b->text,
        "Assume that every answer is one number with at most %ld decimals between %g and %g, or one and the same failure, as it was in %ld runs; nothing in the program was seen to ensure that. Then there are "
        "%.0f answers, and one tells at most %.1f bits, whatever the metric is; %ld submissions tell at most %.0f bits about %ld labels of %ld classes, and no attack gets more than %.1f%% of them right on average "
        "(labels independent and uniform).%s Rounding to %ld decimals and holding the number between %g and %g in the release makes the assumption true.",
        c->decimals, c->low, c->high, found->runs, exp2(each), each, b->queries, b->bits, b->rows, found->classes,
        100 * b->share,
        b->share >= 0.9999 ? " That is no limit: fewer submissions, fewer decimals or levels would be one." : "",
        c->decimals, c->low, c->high);
}

/* Where every channel that labels move is this number, and it is printed with fewer digits than a double has. */
static ll_status find_bound(bound *b, const ll_audited_program *asked, const ll_scorer_options *scorer, ll_error *error)
{
    const ll_identification *found = &asked->found;
    const ll_channel_found *c = find_number(found);
    ll_scorer *world = NULL;
    *b = (bound){.rows = count_of(scorer, "rows", 0), .queries = count_of(scorer, "queries", asked->platform.total)};
    if (c == NULL || c->digits >= 15 || found->surprise_count > 0 || found->classes < 2 || b->rows < 1 ||
        b->queries < 1)
        return LL_OK;
    double each = log2((c->high - c->low) * pow(10, (double)c->decimals) + 2); /* the numbers, and a failure */
    b->bits = each * (double)b->queries;
    ll_status status = make_world(&world, b->rows, found->classes, error);
    if (status == LL_OK)
        status = ll_audit_share_of_bits(&b->share, world, b->bits, error);
    ll_scorer_destroy(world);
    if (status == LL_OK)
        say_bound(b, found, c, each);
    return status;
}

/* ---- the report ---- */

static void advise(advice *out, const ll_audited_program *asked, const bound *b, int leaks)
{
    const ll_program_attack_result *m = &asked->measured;
    const ll_channel_found *c = find_number(&asked->found);
    char rows[32] = "N", queries[32] = "T", classes[32] = "";
    if (b->rows > 0)
        (void)snprintf(rows, sizeof rows, "%ld", b->rows);
    if (b->queries > 0)
        (void)snprintf(queries, sizeof queries, "%ld", b->queries);
    if (asked->found.classes > 2)
        (void)snprintf(classes, sizeof classes, " --classes %ld", asked->found.classes);
    (void)snprintf(out->command, sizeof out->command,
                   "lossleak defend --better %s --honest LO:HI --rows %s%s --queries %s --share %.2g",
                   c == NULL || c->better == 0 ? "higher|lower"
                   : c->better > 0             ? "higher"
                                               : "lower",
                   rows, classes, queries, m->guess + 0.1);
    (void)snprintf(
        out->todo, sizeof out->todo,
        "Show a new score only where it reaches a new level: what all answers tell is then bounded whatever the metric is. `%s' sets the levels, with proof; LO:HI is where you expect the scores "
        "of honest models.",
        out->command);
    (void)snprintf(
        out->answer, sizeof out->answer,
        "%s An attack that knows nothing of the program got %.1f%% of %ld made-up labels right in %ld submissions, where guessing gets %.1f%%.%s",
        ll_cli_program_shows_rows(asked) ? "This program leaks: it shows labels of single rows."
        : leaks                          ? "This program leaks."
                                         : "It is not known what this program gives away.",
        100 * ll_program_attack_get_tried(m, 0)->share, m->rows, m->runs, 100 * m->guess,
        leaks
            ? ""
            : " That is not enough to be sure that the target is passed, and nothing is proved: it does not mean that the program is safe.");
}

static ll_status print_json(const ll_audited_program *asked, const bound *b, const advice *says, int leaks,
                            ll_error *error)
{
    ll_json json;
    const ll_program_attack_result *m = &asked->measured;
    ll_report_json_begin(&json, "audit");
    ll_report_json_add(&json, "leaks", leaks ? json_true() : json_string("unknown"));
    ll_report_json_add(&json, "proved", json_false());
    ll_report_json_add(&json, "answer", json_string(says->answer));
    ll_report_json_add(&json, "verdict", json_string(says->answer));
    ll_report_json_add(&json, "recognised", json_false());
    ll_report_json_add(&json, "share", json_real(ll_program_attack_get_tried(m, 0)->share));
    ll_report_json_add(&json, "guess", json_real(m->guess));
    ll_report_json_add(&json, "assumed_bound",
                       b->text[0]
                           ? json_pack("{s:f, s:f, s:s}", "bits", b->bits, "max_share", b->share, "text", b->text)
                           : json_null());
    ll_report_json_add(&json, "program", ll_report_json_string(asked->report.program));
    ll_report_json_add(&json, "identification", ll_report_identify_object(&asked->report));
    ll_report_json_add(
        &json, "proposals",
        json_pack(
            "[{s:s, s:s, s:s, s:b, s:s, s:n, s:s, s:s}]", "kind", "levels", "text", says->todo, "cost",
            "Scores that reach no new level are not shown.", "proved", 0, "check", says->command, "python", "notice",
            "Small improvements do not show, a worse submission shows the old score, and close models tie. Whoever has reached no level sees where the list begins.",
            "no_python", "There is no Python here: the command writes it."));
    return ll_report_json_end(&json, error);
}

ll_status ll_cli_program_print(const ll_audited_program *asked, const ll_scorer_options *scorer, const char *html,
                               int is_json, int leaks, ll_error *error)
{
    bound b;
    advice says = {"", "", ""};
    ll_status status = find_bound(&b, asked, scorer, error);
    if (status != LL_OK)
        return status;
    advise(&says, asked, &b, leaks);
    const ll_unknown_page page = {
        .program = &asked->report, .answer = says.answer, .bound = b.text, .todo = says.todo, .leaks = leaks};
    if (html != NULL)
        status = ll_report_unknown_page(html, &page, error);
    if (status != LL_OK || is_json)
        return status == LL_OK ? print_json(asked, &b, &says, leaks, error) : status;
    ll_report_identify_brief(&asked->report);
    ll_report_paragraph(stdout, "answer", says.answer);
    ll_report_paragraph(stdout, "to do", says.todo);
    ll_report_identify_rest(&asked->report);
    if (b.text[0])
        ll_report_paragraph(stdout, "bound", b.text);
    return LL_OK;
}
