#include "audit/trial.h"

#include "audit/label_law.h"

#include "code/code.h"
#include "curator/curator.h"
#include "number/budget.h"
#include "number/random.h"
#include "number/text_number.h"
#include "planner/planner.h"
#include "posterior/posterior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ll_trial_is_stopped(const ll_trial *t)
{
    return ll_budget_is_stopped(t->request->budget);
}

/* ---- labels, answers, shares ---- */

enum { STREAM = 0x747261, MOST_RUNS = 32 };

void ll_trial_labels(const ll_trial *t, int32_t *labels, uint64_t run)
{
    ll_labels_draw(labels, t->scorer, t->channel->rows, t->channel->classes, t->seed + run, STREAM);
}

ll_status ll_trial_ask(ll_curator *curator, char **text, const ll_predictions *predictions, ll_error *error)
{
    ll_status status = ll_curator_answer(curator, text, predictions, error);
    if (status != LL_OK)
        *text = status == LL_MEMORY ? NULL : strdup("");
    return *text != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for an answer");
}

/* *variance: that of the mean; 0 of a single run. */
static double mean_of(const double *values, long runs, double *variance)
{
    double mean = 0, square = 0;
    for (long i = 0; i < runs; i++)
        mean += values[i] / (double)runs;
    for (long i = 0; i < runs; i++)
        square += (values[i] - mean) * (values[i] - mean);
    *variance = runs > 1 ? square / (double)(runs - 1) / (double)runs : 0;
    return mean;
}

/* No mean of so many labels is known better than that of so many guesses. */
void ll_tried_set(ll_tried *out, const char *attack, const double *shares, long runs, long rows)
{
    double sampled, mean = mean_of(shares, runs, &sampled);
    double guesses = fmax(mean * (1 - mean), 0.01) / (double)runs / (double)rows;
    *out = (ll_tried){.attack = attack, .runs = runs, .share = mean, .error = sqrt(fmax(sampled, guesses))};
}

double ll_tried_share(const ll_tried *tried, long count, double guess)
{
    double share = guess;
    for (long i = 0; i < count; i++)
        share = fmax(share, tried[i].share - 2 * tried[i].error);
    return share;
}

double ll_tried_most(const ll_tried *tried, long count)
{
    double share = 0;
    for (long i = 0; i < count; i++)
        share = fmax(share, tried[i].share + 2 * tried[i].error);
    return share;
}

/* ---- plans ---- */

/* The label of a row: as read, or of its candidates the one with the largest share. */
static int32_t read_label(const ll_trial *t, const ll_verdict *v, long row)
{
    int32_t best = -1;
    if (v->labels[row] >= 0)
        return v->labels[row];
    if (v->lowest != NULL)
        return v->lowest[row] + (v->highest[row] - v->lowest[row]) / 2;
    for (long k = 0; k < v->classes; k++) {
        int open = v->candidates == NULL || v->candidates[row * v->classes + k];
        if (open &&
            (best < 0 || ll_label_share(t->scorer, v->classes, k) > ll_label_share(t->scorer, v->classes, best)))
            best = (int32_t)k;
    }
    return best < 0 ? 0 : best;
}

/* Without a verdict every label is guessed. */
static double share_right(const ll_trial *t, const ll_verdict *v, const int32_t *labels)
{
    long right = 0;
    for (long i = 0; i < t->channel->rows; i++)
        right += (v->labels != NULL ? read_label(t, v, i) : (int32_t)t->channel->guess_class) == labels[i];
    return (double)right / (double)t->channel->rows;
}

ll_status ll_trial_plan(const ll_trial *t, const ll_plan *plan, double *share, double *certain, uint64_t run,
                        ll_error *error)
{
    ll_curator *curator = NULL;
    ll_verdict verdict;
    long rows = t->channel->rows;
    int32_t *labels = malloc(sizeof *labels * (size_t)rows);
    if (labels == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", rows);
    ll_trial_labels(t, labels, run);
    ll_verdict_init(&verdict);
    ll_status status = ll_curator_create_seeded(&curator, t->scorer, labels, rows, t->seed + run, error);
    if (status == LL_OK) {
        ll_oracle oracle = ll_curator_oracle(curator);
        status = ll_attack_run(plan, &verdict, &oracle, t->request->budget, error);
    }
    if (status == LL_DOMAIN) /* the metric has no value of these labels: no score is shown */
        status = LL_OK;
    if (status == LL_OK) {
        *share = share_right(t, &verdict, labels);
        *certain = (double)verdict.certain;
    }
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    free(labels);
    return status;
}

double ll_trial_work(const ll_channel *c, double queries, double cost)
{
    return queries * ((double)c->rows * cost + LL_TRIAL_ANSWER);
}

static double part_of(const ll_trial *t)
{
    return t->is_proved ? LL_TRIAL_PROVED : 1;
}

/* What one run may take. What a Ladder gives away is forecast by nothing but a run, so there runs have all of it. Of few
 * rows one run says little: as many are afforded as have SAMPLE labels together. */
static double most_work(const ll_trial *t)
{
    enum { FEW_ROWS = 64, SAMPLE = 128 };
    if (t->channel->ladder > 0)
        return LL_TRIAL_WORK;
    if (t->channel->rows < FEW_ROWS)
        return part_of(t) * LL_TRIAL_REPEATS * (double)t->channel->rows / SAMPLE;
    return part_of(t) * LL_TRIAL_WORK;
}

long ll_trial_runs(const ll_trial *t, double work, long fewest, long most)
{
    return (long)fmax((double)fewest, fmin((double)most, part_of(t) * LL_TRIAL_REPEATS / work));
}

/* Numbers of thousands of digits take longer to write than their rows say (LL_TRIAL_WORK): the most for one run, and for
 * all. Where every moment of the labels is tried, scores take longer to read. */
#define RUN_SECONDS 1.0
#define REPEAT_SECONDS 0.25
#define READ_SECONDS 1.5

/* A code under attack: its plans are made for limits of submissions, and run. */
typedef struct {
    const ll_trial *trial;
    const ll_scorer *asked; /* whose labels vary */
    ll_plan_request request;
    long times;
} code_trial;

/* Degenerate labels may leave some open. Averages prove all labels or none, and have to prove them every time. */
static int is_kept(const code_trial *own, const ll_code_runs *runs)
{
    double slack = ll_candidate_is_average(own->request.code) ? 0 : 2 * runs->error;
    return runs->certain + slack >= (double)runs->promised;
}

static long count_read(const code_trial *own, const ll_code_runs *runs)
{
    if (is_kept(own, runs))
        return runs->promised;
    return ll_candidate_is_average(own->request.code) ? 0 : (long)(runs->certain + 1e-9);
}

static ll_status run_plan(const code_trial *own, const ll_plan *plan, ll_tried *out, ll_code_runs *runs,
                          ll_error *error)
{
    const ll_trial *t = own->trial;
    double shares[MOST_RUNS] = {0}, certain[MOST_RUNS], variance, seconds = ll_plan_seconds(plan);
    double reading = plan->strategy->get_seconds != NULL ? plan->strategy->get_seconds(plan) : 0;
    double most = fmin(REPEAT_SECONDS / fmax(seconds, 1e-9), READ_SECONDS / fmax(reading, 1e-9));
    long times = (long)fmax(1, fmin((double)own->times, most));
    ll_status status = seconds <= RUN_SECONDS ? LL_OK : LL_UNABLE;
    for (long run = 0; run < times && status == LL_OK; run++)
        status = ll_trial_is_stopped(t) ? LL_UNABLE
                                        : ll_trial_plan(t, plan, &shares[run], &certain[run], (uint64_t)run, error);
    if (status != LL_OK)
        return status;
    ll_tried_set(out, own->request.code, shares, times, t->channel->rows);
    runs->certain = mean_of(certain, times, &variance);
    runs->error = sqrt(variance);
    runs->read = count_read(own, runs);
    return LL_OK;
}

/* The plan for so many submissions, 0: for any number. */
static ll_status run_limited(const code_trial *own, long limit, ll_tried *out, ll_code_runs *runs, ll_error *error)
{
    ll_plan *plan = NULL;
    ll_status status = ll_plan_create_within(&plan, own->asked, &own->request, limit, error);
    if (status != LL_OK)
        return status;
    runs->promised = ll_plan_rows_within(plan, limit);
    runs->queries = limit > 0 && limit < plan->queries ? limit : plan->queries;
    status = run_plan(own, plan, out, runs, error);
    ll_plan_destroy(plan);
    return status;
}

/* How many limits are tried, if each is run as often as the first. */
static long count_steps(const code_trial *own, double work)
{
    enum { FEWEST = 4, MOST = 24 };
    return (long)fmax(FEWEST, fmin(MOST, LL_TRIAL_WORK / (work * (double)own->times)));
}

/* A few runs show most promises that are not kept. */
static ll_status run_briefly(const code_trial *own, long limit, ll_tried *out, ll_code_runs *runs, ll_error *error)
{
    enum { FEW = 4 };
    code_trial brief = *own;
    brief.times = own->times < FEW ? own->times : FEW;
    ll_status status = run_limited(&brief, limit, out, runs, error);
    int is_clear = status != LL_OK || !is_kept(own, runs) || brief.times == own->times;
    return is_clear ? status : run_limited(own, limit, out, runs, error);
}

/* A plan for many submissions may fail as a whole where one for fewer reads what it promises, and whoever may make more
 * submissions may make fewer: find the most with which the promise is kept. */
static ll_status run_with_fewer(const code_trial *own, double work, ll_tried *out, ll_code_runs *runs, ll_error *error)
{
    long steps = count_steps(own, work), step = (runs->queries + steps - 1) / steps;
    int is_over = 0;
    for (long limit = runs->queries - step; limit > 0 && !is_over; limit -= step) {
        ll_tried tried;
        ll_code_runs fewer = {0};
        ll_status status = run_briefly(own, limit, &tried, &fewer, error);
        if (status == LL_MEMORY || ll_trial_is_stopped(own->trial))
            return status;
        is_over = status != LL_OK || is_kept(own, &fewer) || fewer.promised <= runs->read;
        if (status == LL_OK && is_kept(own, &fewer) && tried.share - 2 * tried.error > out->share - 2 * out->error)
            *out = tried;
        if (status == LL_OK && fewer.read > runs->read)
            runs->read = fewer.read;
    }
    return LL_OK;
}

/* A plan of its own for the code, then run again and again. Whatever stands against it but memory: it does not serve.
 */
static ll_status run_code(const ll_trial *t, ll_tried *out, const char *code, ll_guarantee guarantee, double work,
                          ll_error *error)
{
    code_trial own = {.trial = t, .request = *t->request, .times = ll_trial_runs(t, work, 1, MOST_RUNS)};
    ll_code_runs runs;
    ll_scorer *asked = NULL;
    own.request.code = code;
    own.request.guarantee = guarantee;
    ll_status status = ll_labels_vary(&asked, t->scorer, error);
    own.asked = asked;
    if (status == LL_OK)
        status = run_limited(&own, asked->queries, out, &runs, error);
    if (status == LL_OK && t->runs != NULL && guarantee == LL_CERTIFIED && !is_kept(&own, &runs))
        status = run_with_fewer(&own, work, out, &runs, error);
    if (status == LL_OK && t->runs != NULL)
        *t->runs = runs;
    ll_scorer_destroy(asked);
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}

/* The odds of an answer are weighed row against row, and all labellings near the best one are added up: so many
 * additions take as long as one row of an answer. Where that is too large, plain averages stand in for it if they are
 * run with all submissions. */
#define ADDITIONS 64

static double posterior_work(const ll_trial *t, double queries)
{
    const ll_channel *c = t->channel;
    double near = ll_posterior_search_work(c->rows, c->classes, queries, ll_law_is_random(c->noise)) / ADDITIONS;
    double work = ll_trial_work(c, queries, c->cost + (double)c->rows / 64) + near, plain = ll_averages_work(t);
    return work > LL_TRIAL_WORK && plain > 0 && plain <= most_work(t) ? 0 : work;
}

/* Numbers of any length cost what their length does. */
static double code_work(const ll_trial *t)
{
    const ll_plan_choice *code = t->code;
    if (code == NULL)
        return 0;
    const ll_channel *c = t->channel;
    double queries = fmin((double)code->queries, c->queries);
    if (ll_candidate_is_average(code->code))
        return posterior_work(t, queries);
    double digits = 16 + code->score_bits / (double)code->queries / 32;
    return ll_trial_work(c, queries, c->is_long ? digits : c->cost);
}

int ll_trial_rows_alike(const ll_trial *t)
{
    const ll_scorer *s = t->scorer;
    return s->groups == NULL && !s->computation.is_weighted && ll_scorer_text(s, LL_SET_PUBLIC) == NULL;
}

/* Where a plan of all rows is too large to be run, one of fewer rows is: the part of its labels that it reads there is
 * expected of the large one, too. Sums need no such check: there a plan is a promise. */
enum { FEWER_ROWS = 400 };

static int stands_for_more(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    return t->code != NULL && !c->is_sum && c->numbers == 0 && c->rows > FEWER_ROWS && t->code->recovered > 0 &&
           t->code->guarantee == LL_CERTIFIED && ll_trial_rows_alike(t) && !ll_release_is_history(&t->scorer->release);
}

static ll_status vary_rows(ll_scorer **out, const ll_trial *t, ll_error *error)
{
    char rows[32];
    ll_scorer *labels = NULL;
    (void)snprintf(rows, sizeof rows, "%d", FEWER_ROWS);
    ll_status status = ll_labels_vary(&labels, t->scorer, error);
    if (status == LL_OK)
        status = ll_scorer_vary(out, labels, error, "rows", rows, "counts", (char *)NULL, "queries", (char *)NULL,
                                (char *)NULL);
    ll_scorer_destroy(labels);
    return status;
}

static ll_status run_fewer_rows(const ll_trial *t, ll_tried *out, ll_error *error)
{
    ll_scorer *scorer = NULL;
    ll_channel fewer;
    ll_tried tried;
    ll_status status = vary_rows(&scorer, t, error);
    if (status == LL_OK)
        status = ll_channel_init(&fewer, scorer, error);
    if (status == LL_OK) {
        ll_trial trial = {.scorer = scorer, .channel = &fewer, .request = t->request, .seed = t->seed, .runs = t->runs};
        status = run_code(&trial, &tried, t->code->code, t->request->guarantee, LL_TRIAL_REPEATS, error);
    }
    ll_scorer_destroy(scorer);
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_UNABLE;
    double guess = t->channel->guess, read = fmax(0, (tried.share - guess) / (1 - guess));
    double part = (double)t->code->recovered / (double)t->channel->rows;
    if (t->runs != NULL && t->runs->promised > 0)
        t->runs->read = (long)((double)t->code->recovered * (double)t->runs->read / (double)t->runs->promised);
    *out = (ll_tried){.attack = t->code->code, .share = guess + part * read * (1 - guess), .error = part * tried.error};
    return LL_OK;
}

static double best_work(const ll_trial *t)
{
    double work = code_work(t);
    return work > LL_TRIAL_WORK && stands_for_more(t) ? LL_TRIAL_REPEATS : work;
}

static ll_status run_best(const ll_trial *t, ll_tried *out, ll_error *error)
{
    double work = code_work(t);
    if (work > LL_TRIAL_WORK)
        return run_fewer_rows(t, out, error);
    return run_code(t, out, t->code->code, t->request->guarantee, work, error);
}

/* ---- averaging ---- */

static const char *sign_code(void)
{
    for (long i = 0; i < ll_code_count(); i++)
        if (ll_candidate_is_average(ll_code_get_info(i)->name))
            return ll_code_get_info(i)->name;
    return NULL;
}

static double averaging_work(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    int twice = t->code != NULL && ll_candidate_is_average(t->code->code);
    if (twice || c->ladder > 0 || !c->is_linear || c->is_count)
        return 0;
    return posterior_work(t, c->queries);
}

static ll_status run_averaging(const ll_trial *t, ll_tried *out, ll_error *error)
{
    return run_code(t, out, sign_code(), LL_LIKELY, averaging_work(t), error);
}

/* ---- the table ---- */

const ll_attack_kind ll_attack_kinds[] = {
    {"code", 1, 1, 1, best_work, run_best},
    {"averaging", 0, 1, 0, averaging_work, run_averaging},
    {"averages", 1, 1, 0, ll_averages_work, ll_averages_run},
    {"far predictions", 0, 1, 0, ll_far_work, ll_far_run},
    {"moved rows", 0, 0, 1, ll_moved_rows_work, ll_moved_rows_run},
    {"every labelling", 1, 1, 0, ll_labellings_work, ll_labellings_run},
    {"class counts", 0, 0, 0, ll_counts_work, ll_counts_run},
    {"first answer", 0, 0, 0, ll_first_answer_work, ll_first_answer_run},
    {"climbing", 0, 1, 0, ll_climb_work, ll_climb_run},
    {"best blocks", 0, 0, 0, ll_best_blocks_work, ll_best_blocks_run},
    {"one row", 0, 0, 0, ll_one_row_work, ll_one_row_run},
    {"pooled accounts", 0, 0, 0, ll_pooled_work, ll_pooled_run},
    {"row by row", 0, 0, 0, ll_row_by_row_work, ll_row_by_row_run},
    {"halving", 0, 0, 0, ll_halving_work, ll_halving_run},
    {"random designs", 0, 0, 0, ll_designs_work, ll_designs_run},
};
const long ll_attack_kind_count = sizeof ll_attack_kinds / sizeof ll_attack_kinds[0];

/* ---- as many submissions as the work allows ---- */

#define MOST_CUT 0x1p30

/* The most submissions with which the attack takes no more work than it may; 0: it takes more with any. */
static double find_affordable(const ll_trial *t, const ll_attack_kind *kind)
{
    ll_channel fewer = *t->channel;
    ll_trial cut = *t;
    double least = 0, beyond = fmin(fewer.queries, MOST_CUT);
    cut.channel = &fewer;
    while (beyond - least > 1) {
        fewer.queries = floor((least + beyond) / 2);
        if (kind->work(&cut) <= most_work(&cut))
            least = fewer.queries;
        else
            beyond = fewer.queries;
    }
    fewer.queries = fmax(least, 1);
    double work = kind->work(&cut);
    return work > 0 && work <= most_work(&cut) ? fewer.queries : 0;
}

/* An attack that is too large is run with fewer submissions: whoever may make more of them gets no less. LL_UNABLE: it
 * is too large with any. */
static ll_status run_cut(const ll_trial *t, const ll_attack_kind *kind, ll_tried *out, ll_error *error)
{
    char queries[32];
    ll_scorer *scorer = NULL;
    ll_channel fewer = *t->channel;
    ll_trial cut = *t;
    fewer.queries = find_affordable(t, kind);
    if (fewer.queries < 1)
        return LL_UNABLE;
    (void)ll_print(queries, sizeof queries, "%.0f", fewer.queries);
    ll_status status = ll_scorer_vary(&scorer, t->scorer, error, "queries", queries, "accounts", (char *)NULL, "teams",
                                      (char *)NULL, (char *)NULL);
    cut.scorer = scorer;
    cut.channel = &fewer;
    cut.runs = NULL; /* that so few read less than they promise does not say that more do */
    if (status == LL_OK)
        status = kind->run(&cut, out, error);
    ll_scorer_destroy(scorer);
    return status;
}

/* *whole: with all submissions that are answered? */
static ll_status run_kind(const ll_trial *t, const ll_attack_kind *kind, double work, ll_tried *out, int *whole,
                          ll_error *error)
{
    *whole = work <= most_work(t);
    return *whole ? kind->run(t, out, error) : run_cut(t, kind, out, error);
}

ll_status ll_trial_run_code(const ll_trial *t, ll_tried *out, ll_error *error)
{
    int whole;
    double work = best_work(t);
    return work > 0 ? run_kind(t, &ll_attack_kinds[0], work, out, &whole, error) : LL_UNABLE;
}

ll_status ll_trial_run(const ll_trial *t, ll_tried *tried, long *count, int *all, ll_error *error)
{
    const int has_memory = (double)t->channel->rows * LL_TRIAL_ROW_BYTES <= ll_budget_memory(t->request->budget);
    int readers = 0, left_out = 0, whole = 1;
    *count = 0;
    for (long i = 0; i < ll_attack_kind_count && !ll_trial_is_stopped(t); i++) {
        const ll_attack_kind *kind = &ll_attack_kinds[i];
        if (t->channel->is_numeric && t->channel->classes > LL_TRIAL_TARGETS && !kind->takes_long_grids) {
            left_out = 1;
            continue;
        }
        double work = t->channel->numbers > 0 && !kind->of_several ? 0 : kind->work(t);
        if (work <= 0)
            continue;
        if (*count == LL_TRIED || !has_memory) { /* kinds for levels and kinds for plain scores share places */
            left_out = 1;
            continue;
        }
        ll_error why = {0};
        ll_status status = run_kind(t, kind, work, &tried[*count], &whole, &why);
        if (status == LL_MEMORY)
            return ll_fail(error, status, "%s", why.text);
        readers += status == LL_OK && kind->is_reader;
        left_out |= !whole;
        *count += status == LL_OK;
    }
    *all = readers > 0 && !left_out;
    return LL_OK;
}
