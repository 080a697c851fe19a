/* An audit: every code, the bounds, the regime, the defences, one sentence. */
#include "audit/audit_private.h"
#include "audit/climb.h"
#include "audit/keeps_target.h"
#include "audit/trial.h"
#include "code/code.h"
#include "number/budget.h"
#include "number/text_number.h"
#include "number/value.h"
#include "planner/planner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ll_audit_clear(ll_audit *audit)
{
    ll_audit *all = ll_value_whole(audit, sizeof *all);
    if (all == NULL)
        return;
    free(all->choices);
    free(all->bound);
    free(all->defences);
    free(all->texts);
    free(all->answer);
    free(all->noise);
    free(all->assumed_arithmetic);
    free(all->assumed_prior);
    ll_audit_forget_proposals(all);
    if (all->split != NULL)
        free(all->split->text);
    free(all->split);
    ll_value_reset(audit);
}

const ll_plan_choice *ll_audit_get_choice(const ll_audit *audit, long index)
{
    return index >= 0 && index < audit->choice_count ? &audit->choices[index] : NULL;
}

const ll_defence *ll_audit_get_defence(const ll_audit *audit, long index)
{
    return index >= 0 && index < audit->defence_count ? &audit->defences[index] : NULL;
}

/* ---- bounds ---- */

static void set_bound(ll_audit_bound *out, const ll_channel *c, double queries, double delta)
{
    *out = (ll_audit_bound){
        .bits_per_query = ll_limit_bits_alone(c),
        .bits_per_query_fixed = ll_limit_bits_alone_fixed(c),
        .label_bits = (double)c->rows * c->label_bits,
        .max_share = ll_limit_share(c, queries),
        .epsilon = ll_limit_epsilon(c, queries, delta),
        .delta = c->noise != NULL && c->noise->is_normal ? delta : 0,
        .private_share = ll_limit_private_share(c, queries),
        .reach = c->reach,
        .sensitivity = c->sensitivity,
    };
    out->min_queries = ll_limit_queries(c, ll_limit_bits(c), out->bits_per_query);
    out->min_queries_fixed = ll_limit_queries(c, ll_limit_bits_fixed(c), out->bits_per_query_fixed);
    if (c->fails_free) {
        out->bits_per_query = out->bits_per_query_fixed = out->epsilon = INFINITY;
        out->min_queries = out->min_queries_fixed = 0;
        out->max_share = out->private_share = 1;
    }
}

ll_status(ll_audit_limit)(ll_audit_bound *out, const ll_scorer *scorer, double queries, size_t size, ll_error *error)
{
    ll_channel channel;
    ll_audit_bound made;
    ll_status status = ll_channel_init(&channel, scorer, error);
    if (status != LL_OK)
        return status;
    set_bound(&made, &channel, queries, LL_AUDIT_DELTA);
    ll_value_copy(out, size, &made, sizeof made);
    return LL_OK;
}

/* ---- what is asked ---- */

static ll_status set_target(ll_audit *a, const ll_channel *c, const ll_audit_request *request, ll_error *error)
{
    a->guess = c->guess;
    a->target_share = request->target_share > 0 ? request->target_share : fmin(c->guess + 0.05, (1 + c->guess) / 2);
    if (request->target_bits > 0)
        a->target_share = ll_limit_share_of_bits(c, request->target_bits / (double)c->rows);
    if (a->target_share > 1)
        return ll_fail(error, LL_DOMAIN, "a target share of %g: it must be above 0 and at most 1", a->target_share);
    if (request->epsilon < 0 || request->delta < 0 || request->delta >= 1)
        return ll_fail(error, LL_DOMAIN, "epsilon must be above 0, and delta below 1");
    a->epsilon = request->epsilon > 0 ? request->epsilon : ll_limit_epsilon_of_share(c, a->target_share);
    a->delta = request->delta > 0 ? request->delta : LL_AUDIT_DELTA;
    return LL_OK;
}

/* Some of the codes and attacks are not all of them. The budget is that of limit_plans. */
static ll_status check_stop(const ll_audit_request *request, ll_error *error)
{
    const ll_deadline *deadline = request->budget->self;
    if (!ll_budget_is_stopped(request->budget))
        return LL_OK;
    if (ll_budget_is_stopped(deadline->budget))
        return ll_fail(error, LL_UNABLE, "the audit was stopped");
    return ll_fail(error, LL_UNABLE, "the audit did not end within %g seconds", ll_budget_seconds(deadline->budget));
}

/* ---- the attack side ---- */

/* How many submissions averaging takes for all labels is found by forecasts that take long, and says nothing where a
 * limit is proved: the row of a defence does without, and no attack that is run depends on it. */
static int is_left_out(const ll_audit *a, const ll_defence *row, const char *code)
{
    return row != NULL && a->proved && ll_candidate_is_average(code);
}

static ll_status compare_codes(ll_audit *a, const ll_channel *c, const ll_scorer *scorer,
                               const ll_audit_request *request, const ll_defence *row, ll_error *error)
{
    ll_scorer *asked = NULL;
    ll_plan_request plan;
    a->choice_count = ll_code_count();
    a->choices = calloc((size_t)a->choice_count, sizeof *a->choices);
    if (a->choices == NULL)
        return ll_fail(error, LL_MEMORY, "no memory to compare codes");
    ll_audit_plan_request(&plan, request, scorer);
    ll_status status = ll_average_drop_rounding(&asked, scorer, c, error);
    for (long i = 0; i < a->choice_count && status == LL_OK && !ll_budget_is_stopped(request->budget); i++) {
        const char *code = ll_code_get_info(i)->name;
        if (is_left_out(a, row, code))
            a->choices[i] = (ll_plan_choice){.code = code, .status = LL_UNABLE};
        else if (plan.guarantee == LL_LIKELY && ll_candidate_is_average(code))
            status = ll_average_choice(&a->choices[i], c, scorer, code, plan.failure);
        else
            status = ll_plan_compare_code(&a->choices[i], code, asked, &plan);
    }
    if (status != LL_OK)
        (void)ll_fail(error, status, "no memory to compare codes");
    else
        status = check_stop(request, error);
    ll_scorer_destroy(asked);
    a->best = status == LL_OK ? ll_plan_choose(a->choices, a->choice_count) : -1;
    return status;
}

void ll_audit_plan_request(ll_plan_request *out, const ll_audit_request *request, const ll_scorer *scorer)
{
    ll_plan_request_init(out);
    if (!ll_release_is_bounded(&scorer->release))
        out->guarantee = LL_LIKELY; /* nothing is certain under unbounded noise */
    out->failure = LL_PLAN_FAILURE;
    out->budget = request->budget;
}

/* Labels that are certain, the rest guessed. */
double ll_audit_share_of_labels(const ll_channel *c, double labels)
{
    return fmin(1, (labels + ((double)c->rows - labels) * c->guess) / (double)c->rows);
}

static ll_regime find_regime(const ll_audit *a)
{
    if (a->proved)
        return LL_REGIME_BOUNDED;
    if (a->best >= 0 && a->choices[a->best].queries == 1 && a->choices[a->best].guarantee == LL_CERTIFIED)
        return LL_REGIME_ONE_QUERY;
    return a->best >= 0 && a->choices[a->best].guarantee == LL_CERTIFIED ? LL_REGIME_EXACT : LL_REGIME_STATISTICAL;
}

/* The share that plans are good for. Of metrics that are no sums a plan only expects to tell counts apart: attacks on
 * those are run. A likely one fails once in a million; the forecast of averaging is one of many
 * rows. */
static double planned_share(const ll_audit *a, const ll_channel *c)
{
    double share = c->guess;
    for (long i = 0; i < a->choice_count && c->is_sum; i++) {
        const ll_plan_choice *choice = a->choices + i;
        if (choice->status != LL_OK || (ll_candidate_is_average(choice->code) && c->rows < LL_AVERAGE_ROWS))
            continue;
        double sure = choice->guarantee == LL_CERTIFIED ? 1 : 1 - 1e-6;
        share = fmax(share, ll_audit_share_of_labels(c, sure * (double)choice->recovered));
    }
    return fmax(share, a->average_share);
}

/* Where plans do not settle the question, and in small worlds, where forecasts are not to be trusted. A Ladder has no
 * plans: what is said of one is what trials get. Where a limit is proved, attacks show how far they stay from it, here
 * as in the row of the defences: one release has one figure. */
static int needs_trial(const ll_audit *a, const ll_channel *c)
{
    if (c->ladder > 0 || a->proved)
        return 1;
    return a->share < 1 && (a->share <= a->target_share || c->rows < LL_AVERAGE_ROWS);
}

/* The code that gives most within the limit; where a limit is proved, of those that do not average. */
static const ll_plan_choice *code_to_run(const ll_audit *a)
{
    const ll_plan_choice *best = NULL;
    for (long i = 0; i < a->choice_count; i++) {
        const ll_plan_choice *choice = a->choices + i;
        int fits = choice->status == LL_OK && !(a->proved && ll_candidate_is_average(choice->code));
        if (fits && ll_choice_is_better(choice, best))
            best = choice;
    }
    return best;
}

/* No more is claimed of the code than its runs read. */
static void cut_promise(ll_plan_choice *code, const ll_tried *run, long read)
{
    if (read == 0) {
        code->status = LL_UNABLE;
        (void)ll_print(code->why, sizeof code->why, "runs of %s got %.1f%% of the labels right, not what is promised",
                       run->attack, 100 * run->share);
    }
    code->recovered = read;
    code->labels_per_query = (double)read / (double)code->queries; /* nor that it reads all with more of them */
}

/* The next code: one that was not run promises more than runs have read. NULL: none does. */
static const ll_plan_choice *next_code(const ll_audit *a, const ll_plan_choice *const *before, long count, long read)
{
    const ll_plan_choice *next = code_to_run(a);
    int is_new = next != NULL && next->guarantee == LL_CERTIFIED && next->recovered > read;
    for (long i = 0; i < count; i++)
        is_new &= next != before[i];
    return is_new ? next : NULL;
}

/* The better of two runs of codes stays, in the place of the first. */
static void add_run(ll_audit *a, const char *first, const ll_tried *run)
{
    for (long i = 0; i < a->tried_count; i++)
        if (strcmp(a->tried[i].attack, first) == 0 &&
            run->share - 2 * run->error > a->tried[i].share - 2 * a->tried[i].error)
            a->tried[i] = *run;
}

/* A plan for a metric that is no sum expects to tell counts apart. Where runs of the best one read less than it
 * promises, no more is claimed of it, and the next one is run. *is_cut: one promised too much. */
static ll_status keep_to_runs(ll_audit *a, ll_trial *trial, int *is_cut, ll_error *error)
{
    enum { MOST_CODES = 6 };
    const ll_plan_choice *tried[MOST_CODES];
    const char *first = trial->code->code;
    ll_tried run = {.attack = first};
    ll_status status = LL_OK;
    long most = 0;
    for (long i = 0; i < a->tried_count; i++)
        run = strcmp(a->tried[i].attack, first) == 0 ? a->tried[i] : run;
    for (long count = 0; count < MOST_CODES && trial->code != NULL && status != LL_MEMORY; count++) {
        ll_plan_choice *code = a->choices + (trial->code - a->choices);
        tried[count] = code;
        if (trial->runs->read >= code->recovered)
            break;
        *is_cut = 1;
        cut_promise(code, &run, trial->runs->read);
        most = trial->runs->read > most ? trial->runs->read : most;
        trial->code = next_code(a, tried, count + 1, most);
        trial->runs->read = most; /* of one that cannot be run no more is claimed, either */
        status = trial->code != NULL ? ll_trial_run_code(trial, &run, error) : LL_OK;
        if (status == LL_OK)
            add_run(a, first, &run);
    }
    a->best = ll_plan_choose(a->choices, a->choice_count);
    return status == LL_MEMORY ? status : LL_OK;
}

/* Labels that every run read, whatever the others were: where some runs did not, which rows are read may follow from
 * their labels, and the others are no mere guesses. */
static double sure_labels(const ll_code_runs *runs)
{
    return runs->read >= 0 && runs->certain >= (double)runs->promised ? (double)runs->promised : 0;
}

static ll_status try_attacks(ll_audit *a, const ll_channel *c, const ll_scorer *scorer, const ll_audit_request *request,
                             int *all, int *is_cut, ll_error *error)
{
    ll_plan_request plan;
    ll_code_runs runs = {.read = -1};
    ll_audit_plan_request(&plan, request, scorer);
    ll_trial trial = {.scorer = scorer,
                      .channel = c,
                      .code = code_to_run(a),
                      .request = &plan,
                      .seed = request->seed,
                      .is_proved = a->proved};
    int is_sure = trial.code != NULL && c->is_sum && !ll_candidate_is_average(trial.code->code);
    int is_promise = trial.code != NULL && trial.code->guarantee == LL_CERTIFIED && !is_sure && c->guess < 1;
    trial.runs = is_promise ? &runs : NULL;
    ll_status status = ll_trial_run(&trial, a->tried, &a->tried_count, all, error);
    if (status == LL_OK && runs.read >= 0)
        status = keep_to_runs(a, &trial, is_cut, error);
    double share = fmax(a->share, ll_tried_share(a->tried, a->tried_count, c->guess));
    if (status == LL_OK)
        share = fmax(share, ll_audit_share_of_labels(c, sure_labels(&runs)));
    a->share = fmin(share, a->bound->max_share);
    return status;
}

static ll_status find_share(ll_audit *a, const ll_channel *c, const ll_scorer *scorer, const ll_audit_request *request,
                            ll_error *error)
{
    double climbed;
    ll_status status = ll_average_share(&a->average_share, c, scorer, c->queries, error);
    if (status == LL_OK)
        status = ll_climb_share(&climbed, c, scorer, request->seed, error);
    if (status != LL_OK)
        return status;
    a->share = fmin(fmax(planned_share(a, c), climbed), a->bound->max_share);
    ll_findings found = {.target = a->target_share, .bound = a->bound->max_share};
    int is_cut = 0;
    if (needs_trial(a, c))
        status = try_attacks(a, c, scorer, request, &found.all, &is_cut, error);
    if (status == LL_OK && c->numbers > 0 && !a->proved)
        status = ll_audit_each_number(a, scorer, request, is_cut, error);
    found.share = a->share;
    found.tried = a->tried;
    found.tried_count = a->tried_count;
    a->leaks = ll_decide_leaks(c, scorer, &found);
    a->regime = find_regime(a);
    return status;
}

/* Nothing is known but the limit. */
static void set_limit(ll_audit *a, const ll_channel *c, const ll_scorer *scorer)
{
    a->share = a->bound->max_share;
    const ll_findings found = {.target = a->target_share, .bound = a->share};
    a->leaks = ll_decide_leaks(c, scorer, &found);
}

ll_status ll_audit_judge(ll_audit *a, const ll_channel *c, const ll_scorer *scorer, const ll_audit_request *request,
                         const ll_defence *row, ll_error *error)
{
    a->rows = c->rows;
    a->classes = c->classes;
    a->queries = c->queries;
    a->guess = c->guess;
    set_bound(a->bound, c, c->queries, a->delta);
    a->proved = ll_decide_proved(c, &(ll_findings){.target = a->target_share, .bound = a->bound->max_share});
    if (request->proofs_only) {
        set_limit(a, c, scorer);
        return LL_OK;
    }
    ll_status status = compare_codes(a, c, scorer, request, row, error);
    if (status == LL_OK)
        status = find_share(a, c, scorer, request, error);
    return status == LL_OK ? ll_audit_failures(a, c, scorer, request->seed, error) : status;
}

static ll_status run(ll_audit *a, const ll_channel *c, const ll_scorer *scorer, const ll_audit_request *request,
                     ll_error *error)
{
    ll_status status = set_target(a, c, request, error);
    if (status == LL_OK)
        status = ll_sampling_error(&a->sampling_error, c, scorer, error);
    if (status == LL_OK)
        status = ll_honest_range(&a->honest_range, c, scorer, error);
    if (status == LL_OK)
        status = ll_audit_judge(a, c, scorer, request, NULL, error);
    if (status == LL_OK && !request->proofs_only)
        status = ll_audit_several(a, c, scorer, request, error);
    if (status == LL_OK && !request->without_defences)
        status = ll_defences_find(a, c, scorer, request, error);
    if (status == LL_OK && c->fails_free)
        ll_audit_count_failures(a->defences, a->defence_count);
    if (status == LL_OK)
        status = check_stop(request, error);
    if (status == LL_OK && !request->proofs_only)
        ll_audit_write_verdict(a, c, scorer);
    if (status == LL_OK)
        status = ll_audit_propose(a, scorer, request, error);
    return status == LL_OK ? ll_audit_write_answer(a, scorer, error) : status;
}

typedef struct {
    char verdict[LL_VERDICT_SIZE], assumptions[LL_ASSUMPTIONS_SIZE], failures[LL_FAILURES_SIZE];
    char stop_first[LL_STOP_FIRST_SIZE], several[LL_SEVERAL_SIZE], alone[LL_ALONE_SIZE];
    struct {
        char note[LL_NOTE_SIZE], settings[LL_SETTINGS_SIZE];
    } defences[LL_DEFENCES];
} texts;

static void set_texts(ll_audit *a, texts *t)
{
    a->texts = t;
    a->verdict = t->verdict;
    a->assumptions = t->assumptions;
    a->failures = t->failures;
    a->stop_first = t->stop_first;
    a->several = t->several;
    a->alone = t->alone;
    for (long i = 0; i < LL_DEFENCES; i++) {
        a->defences[i].note = t->defences[i].note;
        a->defences[i].settings = t->defences[i].settings;
    }
}

ll_status ll_audit_reserve(ll_audit *a, ll_error *error)
{
    texts *t = calloc(1, sizeof *t);
    a->best = -1;
    a->bound = calloc(1, sizeof *a->bound);
    a->defences = calloc(LL_DEFENCES, sizeof *a->defences);
    if (a->defences != NULL && t != NULL)
        set_texts(a, t);
    else
        free(t);
    return a->bound && a->texts ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for an audit");
}

/* What the codes, a simulated curator and its verdict keep for rows; measured: up to 24 bytes a row of two classes, 56
 * of ten. What is left is for plans, of which two are there at a time; one that takes long is no plan for an audit. */
static ll_status limit_plans(ll_budget *few, ll_deadline *deadline, ll_audit_request *request, const ll_channel *c,
                             ll_error *error)
{
    double classes = c->classes > LL_LISTED_CLASSES ? 2 : (double)c->classes;
    double allowed = ll_budget_memory(request->budget), needed = (double)c->rows * (24 + 4 * classes);
    if (needed > allowed)
        return ll_fail(error, LL_UNABLE,
                       "an audit of %ld rows of %ld classes needs about %.0f bytes of memory, over the budget of %.0f",
                       c->rows, c->classes, needed, allowed);
    ll_budget_init(few);
    few->memory = (allowed - needed) / 2;
    few->seconds = fmin(ll_budget_seconds(request->budget), 60);
    few->stop = ll_deadline_is_over;
    few->self = deadline;
    request->budget = few;
    return LL_OK;
}

/* How noise is simulated is not what is known of it: whatever is drawn within a bound is audited alike, evenly drawn.
 */
static ll_status vary_to_law(ll_scorer **out, const ll_scorer *scorer, ll_error *error)
{
    const char *text = ll_scorer_text(scorer, LL_SET_NOISE);
    char *law = text != NULL ? strndup(text, strcspn(text, ",")) : NULL;
    if (text != NULL && law == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for an audit");
    ll_status status = ll_scorer_vary(out, scorer, error, "noise", law, (char *)NULL);
    free(law);
    return status;
}

ll_status ll_audit_run(ll_audit *out, const ll_scorer *described, const ll_audit_request *request, ll_error *error)
{
    ll_channel channel;
    ll_audit audit;
    ll_audit_request asked;
    ll_budget few;
    ll_deadline deadline;
    ll_scorer *scorer = NULL, *split = NULL;
    ll_audit_init(&audit);
    ll_status status = ll_value_read(&asked, sizeof asked, request, "audit_request", error);
    if (status == LL_OK)
        status = ll_scorer_need(described, error);
    deadline = ll_deadline_start(asked.budget);
    if (status == LL_OK)
        status = ll_audit_find_split(&split, described, error);
    if (status == LL_OK)
        status = vary_to_law(&scorer, split != NULL ? split : described, error);
    ll_scorer_destroy(split);
    if (status != LL_OK)
        return status;
    if (asked.seed == 0)
        asked.seed = scorer->seed;
    status = ll_channel_init(&channel, scorer, error);
    if (status == LL_OK)
        status = limit_plans(&few, &deadline, &asked, &channel, error);
    if (status == LL_OK)
        status = ll_audit_reserve(&audit, error);
    if (status == LL_OK)
        status = run(&audit, &channel, scorer, &asked, error);
    if (status == LL_OK && !asked.proofs_only)
        status = ll_audit_price_split(&audit, described, asked.budget, error);
    if (status == LL_OK) {
        ll_audit_clear(out);
        status = ll_value_give(out, &audit, sizeof audit, error);
    }
    if (status != LL_OK)
        ll_audit_clear(&audit);
    ll_scorer_destroy(scorer);
    return status;
}
