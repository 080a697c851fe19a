#include "report/audit_report.h"

#include "report/identify_report.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 700, CELL = 40, MOST_CELLS = 512 };

const char ll_report_always[] = "Base the final ranking on rows that were never scored. Look at submissions that score "
                                "worse than a constant (honest models do not, codes often do), but answer and count "
                                "them like all others: a refusal tells labels, too. Count submissions over all "
                                "accounts together.";

const char *ll_report_regime_name(ll_regime regime)
{
    static const char *const names[] = {[LL_REGIME_ONE_QUERY] = "one-query",
                                        [LL_REGIME_EXACT] = "exact",
                                        [LL_REGIME_STATISTICAL] = "statistical",
                                        [LL_REGIME_BOUNDED] = "bounded"};
    return names[regime];
}

void ll_report_write_number(char *text, size_t size, double x, int digits)
{
    if (isnan(x))
        (void)snprintf(text, size, "-");
    else if (isinf(x))
        (void)snprintf(text, size, "no limit");
    else if (x == floor(x) && fabs(x) < 1e15)
        (void)snprintf(text, size, "%.0f", x);
    else
        (void)snprintf(text, size, "%.*g", digits, x);
}

void ll_report_write_setting(char *text, size_t size, const ll_defence *d)
{
    char number[CELL];
    ll_report_write_number(number, sizeof number, d->setting, 3);
    if (isnan(d->setting))
        (void)snprintf(text, size, "none");
    else if (isinf(d->setting))
        (void)snprintf(text, size, "%s", number);
    else if (strcmp(d->unit, "decimals") == 0)
        (void)snprintf(text, size, "%s decimal%s", number, d->setting == 1 ? "" : "s");
    else if (strcmp(d->unit, "queries") == 0)
        (void)snprintf(text, size, "%s %s", number, d->setting == 1 ? "query" : "queries");
    else
        (void)snprintf(text, size, "%s %s", d->unit, number);
}

/* ------------------------------------------------------------------ tables */

/* Cells of text in one array, so that a table is a list of pointers into it. Tables of codes and of defences have a few
 * dozen rows at most; room for them is there, so that none can be missing. */
typedef struct {
    char cells[MOST_CELLS][CELL];
    const char *pointers[MOST_CELLS];
    long columns, count;
} grid;

static void grid_init(grid *g, long columns)
{
    g->columns = columns;
    g->count = 0;
}

static void grid_add(grid *g, const char *text)
{
    assert(g->count < MOST_CELLS);
    (void)snprintf(g->cells[g->count], CELL, "%s", text);
    g->pointers[g->count] = g->cells[g->count];
    g->count++;
}

static void grid_add_number(grid *g, double x, int digits)
{
    char text[CELL];
    ll_report_write_number(text, sizeof text, x, digits);
    grid_add(g, text);
}

static void grid_print(const grid *g)
{
    ll_report_table(stdout, g->pointers, g->count / g->columns, g->columns);
}

static void add_choice(grid *g, const ll_plan_choice *c, int is_best, int has_limit)
{
    char name[CELL];
    (void)snprintf(name, sizeof name, "%s%s", c->code, is_best ? " *" : "");
    grid_add(g, name);
    grid_add_number(g, c->labels_per_query, 4);
    grid_add_number(g, (double)c->queries, 6);
    if (has_limit)
        grid_add_number(g, (double)c->recovered, 6);
    grid_add_number(g, ceil(c->score_bits), 6);
    grid_add(g, c->guarantee == LL_CERTIFIED ? "certified" : "likely");
}

static long count_applicable(const ll_plan_choice *choices, long count)
{
    long applicable = 0;
    for (long i = 0; i < count; i++)
        applicable += choices[i].status == LL_OK;
    return applicable;
}

static void print_applicable(const ll_plan_choice *choices, long count, long best, int has_limit)
{
    grid g;
    grid_init(&g, has_limit ? 6 : 5);
    grid_add(&g, "code");
    grid_add(&g, "labels per query");
    grid_add(&g, "queries for all");
    if (has_limit)
        grid_add(&g, "labels within limit");
    grid_add(&g, "bits of score");
    grid_add(&g, "guarantee");
    for (long i = 0; i < count; i++)
        if (choices[i].status == LL_OK)
            add_choice(&g, choices + i, i == best, has_limit);
    grid_print(&g);
}

void ll_report_choices(const ll_plan_choice *choices, long count, long best, int has_limit)
{
    long applicable = count_applicable(choices, count), others = count - applicable;
    if (applicable > 0)
        print_applicable(choices, count, best, has_limit);
    if (others > 0)
        printf("%ld %scode%s not apply to this scorer.\n", others, applicable > 0 ? "more " : "",
               others == 1 ? " does" : "s do");
}

void ll_report_refusals(const ll_plan_choice *choices, long count)
{
    char text[TEXT];
    for (long i = 0; i < count; i++)
        if (choices[i].status != LL_OK) {
            (void)snprintf(text, sizeof text, "%s: %s", choices[i].code, choices[i].why);
            ll_report_paragraph(stdout, "", text);
        }
}

ll_defence ll_report_shown_defence(const ll_audit *a, long index)
{
    static char note[] = "what keeps the target would hide every difference between honest models";
    ll_defence d = *ll_audit_get_defence(a, index);
    if (!(d.distance > a->honest_range))
        return d;
    d.setting = d.noise_over_sampling_error = d.distance = (double)NAN;
    d.epsilon = (double)INFINITY;
    d.share = a->share;
    d.bound = a->bound->max_share;
    d.verified = d.proved = 0;
    d.tried_count = 0;
    d.note = note;
    return d;
}

static void add_defence(grid *g, const ll_defence *d)
{
    char text[CELL];
    grid_add(g, d->kind);
    ll_report_write_setting(text, sizeof text, d);
    grid_add(g, text);
    ll_report_write_number(text, sizeof text, d->epsilon, 3);
    grid_add(g, isinf(d->epsilon) ? "none" : text);
    (void)snprintf(text, sizeof text, "%.1f%%", 100 * d->share);
    grid_add(g, text);
    (void)snprintf(text, sizeof text, "%.1f%%", 100 * d->bound);
    grid_add(g, text);
    grid_add_number(g, d->noise_over_sampling_error, 3);
    grid_add_number(g, d->distance, 3);
    grid_add(g, d->verified && !isnan(d->setting) ? "yes" : "no");
}

static void print_note(const ll_defence *d)
{
    char text[TEXT];
    (void)snprintf(text, sizeof text, "%s: %s", d->kind, d->note);
    ll_report_paragraph(stdout, "", text);
}

static void print_defences(const ll_audit *a)
{
    static const char *const headings[] = {"defence",      "setting",       "epsilon",  "best attack",
                                           "proved limit", "over sampling", "distance", "verified"};
    grid g;
    grid_init(&g, 8);
    for (int i = 0; i < 8; i++)
        grid_add(&g, headings[i]);
    for (long i = 0; i < a->defence_count; i++) {
        const ll_defence d = ll_report_shown_defence(a, i);
        add_defence(&g, &d);
    }
    grid_print(&g);
    for (long i = 0; i < a->defence_count; i++) {
        const ll_defence d = ll_report_shown_defence(a, i);
        if (d.note[0] != '\0')
            print_note(&d);
    }
}

/* ------------------------------------------------------------------ text */

static void write_bound(char *text, size_t size, const ll_audit *a)
{
    char bits[CELL], fixed[CELL], least[CELL], least_fixed[CELL];
    const ll_audit_bound *b = a->bound;
    ll_report_write_number(bits, sizeof bits, b->bits_per_query, 4);
    ll_report_write_number(fixed, sizeof fixed, b->bits_per_query_fixed, 4);
    ll_report_write_number(least, sizeof least, b->min_queries, 6);
    ll_report_write_number(least_fixed, sizeof least_fixed, b->min_queries_fixed, 6);
    (void)snprintf(
        text, size,
        "one answer tells at most %s bits of the %.0f that the labels have, %s where all submissions are fixed "
        "beforehand: all labels take at least %s submission%s, %s fixed one%s. Within the limit no attack gets "
        "more than %.2f%% right on average. These limits are for %s.",
        bits, b->label_bits, fixed, least, ll_report_plural(b->min_queries > 1 ? 2 : 1), least_fixed,
        ll_report_plural(b->min_queries_fixed > 1 ? 2 : 1), 100 * b->max_share, a->assumptions);
}

static void print_bound(const ll_audit *a)
{
    char text[TEXT] =
        "nothing bounds what one answer tells: its digits have no end, or how many there are is not known";
    const ll_audit_bound *b = a->bound;
    if (isfinite(b->bits_per_query) || b->max_share < 1)
        write_bound(text, sizeof text, a);
    ll_report_paragraph(stdout, "bound", text);
    if (isfinite(b->epsilon))
        ll_report_field(stdout, "privacy", "all answers together are label-private with epsilon %.3g%s", b->epsilon,
                        b->delta > 0 ? " (delta 1e-6)" : "");
}

static void print_share(const ll_audit *a)
{
    ll_report_field(stdout, "share",
                    "%.2f%% of the labels right by the best attack, guessing %.2f%%: advantage %.2f points",
                    100 * a->share, 100 * a->guess, 100 * (a->share - a->guess));
    ll_report_field(stdout, "leaks", "%s (target %.2f%%)", ll_report_leaks(a), 100 * a->target_share);
}

double ll_report_tried_share(const ll_tried *tried)
{
    return fmax(0, tried->share - 2 * tried->error);
}

/* The figure that the share of the audit is made of comes first; the mean is said to be one. */
static void print_tried(const ll_audit *a)
{
    for (long i = 0; i < a->tried_count; i++) {
        const ll_tried *tried = &a->tried[i];
        char from[80];
        if (tried->runs == 0)
            (void)snprintf(from, sizeof from, ": a forecast of %.2f%%, less twice its error", 100 * tried->share);
        else if (tried->error > 0)
            (void)snprintf(from, sizeof from, ": the mean of %ld run%s, %.2f%%, less two standard errors", tried->runs,
                           tried->runs == 1 ? "" : "s", 100 * tried->share);
        else
            (void)snprintf(from, sizeof from, ", over %ld case%s", tried->runs, tried->runs == 1 ? "" : "s");
        ll_report_field(stdout, i == 0 ? "tried" : "", "%s: %.2f%% of the labels right%s", tried->attack,
                        100 * ll_report_tried_share(tried), from);
    }
}

const char *ll_report_leaks(const ll_audit *a)
{
    return a->leaks == LL_UNKNOWN ? "not known"
           : a->leaks == LL_TRUE  ? "yes"
           : a->proved            ? "no, proved"
                                  : "no known attack";
}

const char *ll_report_nothing_to_do(const ll_audit *a)
{
    return a->proved
               ? "Nothing has to change for this target, as long as no more submissions are answered."
               : "No setting that was tried here keeps the target. Answer fewer submissions, or show one number by levels in place of scores: `lossleak defend' with the options of that number lists what keeps a share.";
}

/* Two sentences, and what to do; the rest is how that was found. */
static void print_plain(const ll_audit *a)
{
    ll_report_paragraph(stdout, "answer", a->answer);
    if (a->noise[0] != '\0')
        ll_report_paragraph(stdout, "noise", a->noise);
    long count = 0;
    for (long i = 0; i < a->proposal_count; i++) {
        const ll_proposal *p = ll_audit_get_proposal(a, i);
        char line[3 * TEXT] = "", number[32] = "";
        if (!p->recommended)
            continue;
        (void)snprintf(number, sizeof number, "%s%ld", count == 0 ? "to do   " : "        ", count + 1);
        (void)snprintf(line, sizeof line, "%s %s %s", p->change, p->effect, p->cost);
        ll_report_paragraph(stdout, number, line);
        (void)snprintf(line, sizeof line, "Participants notice: %s", p->notice);
        ll_report_paragraph(stdout, "", line);
        ll_report_field(stdout, "", "%s", p->check);
        count++;
    }
    if (count == 0)
        ll_report_paragraph(stdout, "to do", ll_report_nothing_to_do(a));
    putchar('\n');
}

/* The first release to do as code, where there is code for it. */
static void print_python(const ll_audit *a)
{
    long number = 0, printed = 0;
    for (long i = 0; i < a->proposal_count && !printed; i++) {
        const ll_proposal *p = ll_audit_get_proposal(a, i);
        number += p->recommended;
        printed = p->recommended && p->python[0] != '\0';
        if (printed)
            printf("\n%ld of what to do, in Python:\n\n%s", number, p->python);
    }
}

void ll_report_audit_text(const ll_audit_report *r)
{
    char text[TEXT];
    const ll_audit *a = r->audit;
    if (r->program != NULL)
        ll_report_identify_brief(r->program);
    if (a->split != NULL)
        ll_report_paragraph(stdout, "secrecy", a->split->text);
    print_plain(a);
    if (r->is_brief) {
        if (r->html)
            ll_report_field(stdout, "page", "%s", r->html);
        return;
    }
    if (r->program != NULL)
        ll_report_identify_rest(r->program);
    ll_report_paragraph(stdout, "verdict", a->verdict);
    ll_report_write_scorer(text, sizeof text, r->scorer);
    ll_report_field(stdout, "scorer", "%s", text);
    ll_report_field(stdout, "rows", "%ld of %ld classes", a->rows, a->classes);
    ll_report_field(stdout, "regime", "%s", ll_report_regime_name(a->regime));
    print_share(a);
    print_tried(a);
    print_bound(a);
    if (a->several[0] != '\0')
        ll_report_paragraph(stdout, "several", a->several);
    putchar('\n');
    ll_report_choices(a->choices, a->choice_count, a->best, isfinite(a->queries));
    if (isfinite(a->queries) && a->average_share > a->guess)
        ll_report_field(stdout, "averaging", "%.2f%% of the labels right within the limit, none of them certain",
                        100 * a->average_share);
    putchar('\n');
    if (a->defence_count > 0)
        print_defences(a);
    if (isfinite(a->sampling_error))
        ll_report_field(stdout, "sampling",
                        "the score of an average model has an error of %.3g because its rows are a sample",
                        a->sampling_error);
    if (r->html)
        ll_report_field(stdout, "page", "%s", r->html);
    print_python(a);
}
