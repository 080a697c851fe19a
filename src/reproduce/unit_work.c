/* One work unit. The paper's attacks are ll_experiment_*; the library's own are a plan, a simulated curator with the
 * same arithmetic (doubles, summed from the first row to the last) and the same noise, and a certified decoding. */
#include "lossleak/paper.h"
#include "reproduce/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    OWN_RUNS_SHARE = 50, /* of the label sets, one in so many is attacked by the certified plan too */
    SCORE_BITS = 64      /* no double has more */
};

/* Entries of all predictions of all queries: a plan with more is counted, not run. In full every plan is run. */
static double entries_limit(const ll_settings *settings)
{
    return settings->quick ? 6e6 : INFINITY;
}

/* Seconds of this thread: other work on the machine does not count. */
static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* FNV-1a: a stream of random numbers for every key. */
static uint64_t stream_of(const char *key)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * UINT64_C(0x100000001b3);
    return hash;
}

static ll_status read_labels(int32_t **labels, const ll_dataset_info *info, const ll_settings *settings,
                             ll_error *error)
{
    *labels = malloc((size_t)info->rows * sizeof **labels);
    if (!*labels)
        return ll_fail(error, LL_MEMORY, "out of memory for %ld labels", info->rows);
    return ll_dataset_labels(*labels, info->rows, info->name, settings->seed, error);
}

/* ------------------------------------------------------------------ the paper's */

static ll_experiment make_experiment(const ll_unit *unit, const ll_settings *settings, const int32_t *labels)
{
    const ll_dataset_info *info = ll_units_dataset(unit->dataset);
    return (ll_experiment){.construction = unit->what,
                           .labels = labels,
                           .rows = info->rows,
                           .classes = info->classes,
                           .tau = strtod(unit->tau, NULL),
                           .length = unit->length,
                           .seed = settings->seed,
                           .stream = stream_of(unit->key)};
}

static void take_count(ll_unit_result *out, const ll_experiment_count *count, long length)
{
    out->values[LL_VALUE_ATTACKS] = count->attacks;
    out->values[LL_VALUE_ATTACKS_RIGHT] = count->attacks_right;
    out->values[LL_VALUE_LABELS] = count->labels;
    out->values[LL_VALUE_LABELS_RIGHT] = count->labels_right;
    out->values[LL_VALUE_SILENT] = count->silent;
    out->values[LL_VALUE_LENGTH] = length;
    out->longest = count->longest;
}

static ll_status work_paper(ll_unit_result *out, const ll_unit *unit, const ll_settings *settings,
                            const int32_t *labels, ll_error *error)
{
    ll_experiment experiment = make_experiment(unit, settings, labels);
    ll_experiment_count count = {0};
    ll_status status = unit->kind == LL_UNIT_SINGLE ? ll_experiment_single(&count, &experiment, settings->runs, error)
                                                    : ll_experiment_blocks(&count, &experiment, unit->all_rows, error);
    if (status == LL_OK)
        take_count(out, &count, unit->length);
    return status;
}

static ll_status work_nearest(ll_unit_result *out, const ll_unit *unit, const ll_settings *settings,
                              const int32_t *labels, ll_error *error)
{
    ll_experiment experiment = make_experiment(unit, settings, labels);
    ll_nearest nearest = {0};
    experiment.stream = stream_of(unit->what); /* one attack, in several units */
    ll_status status = unit->kind == LL_UNIT_NEAREST
                           ? ll_experiment_nearest(&nearest, &experiment, error)
                           : ll_experiment_exhaustive(&nearest, &experiment, unit->slice, unit->slices, error);
    out->values[LL_VALUE_FOUND] = nearest.found;
    out->values[LL_VALUE_LABELLING] = (long)nearest.labelling;
    out->values[LL_VALUE_TRUTH] = (long)nearest.truth;
    out->number = nearest.distance;
    return status;
}

/* ------------------------------------------------------------------ the library's own */

static ll_status make_scorer(ll_scorer **out, const ll_unit *unit, long rows, long classes, uint64_t seed,
                             ll_error *error)
{
    char texts[4][80];
    (void)snprintf(texts[0], sizeof texts[0], "%ld", rows);
    (void)snprintf(texts[1], sizeof texts[1], "%ld", classes);
    (void)snprintf(texts[2], sizeof texts[2], "bounded:%s", unit->tau);
    (void)snprintf(texts[3], sizeof texts[3], "%llu", (unsigned long long)seed);
    const char *const settings[][2] = {
        {"metric", unit->what}, {"arithmetic", unit->kind == LL_UNIT_EXACT ? "exact" : "fp64"},
        {"rows", texts[0]},     {"classes", texts[1]},
        {"noise", texts[2]},    {"seed", texts[3]},
        {"clip", "none"}}; /* a name alone would be the function of a library, with its clip */
    ll_scorer *scorer = NULL;
    ll_status status = ll_scorer_create(&scorer, error);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0] && status == LL_OK; i++)
        status = ll_scorer_set(scorer, settings[i][0], settings[i][1], error);
    if (status == LL_OK)
        status = ll_scorer_resolve(scorer, NULL, error);
    if (status == LL_OK)
        *out = scorer;
    else
        ll_scorer_destroy(scorer);
    return status;
}

/* LL_DOMAIN is no failure here: *plan is NULL then, there is none. */
static ll_status make_plan(ll_plan **plan, const ll_scorer *scorer, ll_error *error)
{
    ll_plan_request request;
    ll_plan_request_init(&request);
    *plan = NULL;
    ll_status status = ll_plan_create(plan, scorer, &request, error);
    return status == LL_DOMAIN ? LL_OK : status;
}

typedef struct {
    long right, certain;
} answer;

/* Attack these labels as the plan says. */
static ll_status attack(answer *out, const ll_plan *plan, const ll_scorer *scorer, const int32_t *labels,
                        ll_error *error)
{
    ll_curator *curator;
    ll_verdict verdict;
    long rows = ll_scorer_get_count(scorer, "rows");
    ll_status status = ll_curator_create(&curator, scorer, labels, rows, error);
    if (status != LL_OK)
        return status;
    ll_verdict_init(&verdict);
    ll_oracle oracle = ll_curator_oracle(curator);
    status = ll_attack_run(plan, &verdict, &oracle, NULL, error);
    *out = (answer){.certain = verdict.certain};
    for (long i = 0; status == LL_OK && i < rows; i++)
        out->right += verdict.labels[i] == labels[i];
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    return status;
}

/* A plan for so many rows where one query is enough, else NULL. */
static ll_status plan_one_query(ll_plan **plan, const ll_unit *unit, long rows, long classes, ll_error *error)
{
    ll_plan_info info;
    ll_scorer *scorer = NULL;
    *plan = NULL;
    ll_status status = make_scorer(&scorer, unit, rows, classes, 1, error);
    if (status == LL_OK)
        status = make_plan(plan, scorer, error);
    ll_scorer_destroy(scorer);
    if (status != LL_OK || !*plan)
        return status;
    ll_plan_get_info(*plan, &info);
    if (info.queries > 1) {
        ll_plan_destroy(*plan);
        *plan = NULL;
    }
    return LL_OK;
}

/* The plan for the most rows that one query can read, by bisection: fewer rows need less. */
static ll_status find_longest(ll_plan **best, long *length, const ll_unit *unit, long classes, ll_error *error)
{
    long above = (long)(SCORE_BITS / log2((double)classes)) + 1;
    ll_status status = LL_OK;
    *best = NULL;
    *length = 0;
    while (status == LL_OK && above - *length > 1) {
        long rows = (*length + above) / 2;
        ll_plan *plan = NULL;
        status = plan_one_query(&plan, unit, rows, classes, error);
        if (plan) {
            ll_plan_destroy(*best);
            *best = plan;
            *length = rows;
        } else
            above = rows;
    }
    return status;
}

/* Windows of the data set, whose order is random: some of them, or as many as hold it all. */
static long count_windows(const ll_unit *unit, const ll_settings *settings, long rows, long length)
{
    return unit->kind == LL_UNIT_OWN_BLOCKS ? (rows + length - 1) / length : settings->runs / OWN_RUNS_SHARE + 1;
}

/* The window after the last row is moved back: its first rows are read twice, and counted twice. */
static long window_start(const ll_unit *unit, long run, long rows, long length)
{
    long last = rows - length;
    return unit->kind == LL_UNIT_OWN_BLOCKS && run * length > last ? last : run * length % (last + 1);
}

static ll_status attack_windows(ll_unit_result *out, const ll_plan *plan, const ll_unit *unit,
                                const ll_settings *settings, const int32_t *labels, ll_error *error)
{
    const ll_dataset_info *info = ll_units_dataset(unit->dataset);
    long length = out->values[LL_VALUE_LENGTH], runs = count_windows(unit, settings, info->rows, length);
    ll_status status = LL_OK;
    for (long run = 0; run < runs && status == LL_OK; run++) {
        answer a = {0};
        ll_scorer *scorer = NULL;
        long first = window_start(unit, run, info->rows, length);
        double start = thread_seconds(), taken;
        status = make_scorer(&scorer, unit, length, info->classes, settings->seed + (uint64_t)run, error);
        if (status == LL_OK)
            status = attack(&a, plan, scorer, labels + first, error);
        ll_scorer_destroy(scorer);
        taken = thread_seconds() - start;
        out->longest = taken > out->longest ? taken : out->longest;
        out->values[LL_VALUE_ATTACKS]++;
        out->values[LL_VALUE_ATTACKS_RIGHT] += a.right == length && a.certain == length;
        out->values[LL_VALUE_LABELS] += length;
        out->values[LL_VALUE_LABELS_RIGHT] += a.right;
    }
    return status;
}

static void take_name(ll_unit_result *out, const ll_plan_info *info)
{
    (void)snprintf(out->note, sizeof out->note, "%s", info->code);
}

static ll_status work_own_single(ll_unit_result *out, const ll_unit *unit, const ll_settings *settings,
                                 const int32_t *labels, ll_error *error)
{
    ll_plan *plan;
    ll_status status =
        find_longest(&plan, &out->values[LL_VALUE_LENGTH], unit, ll_units_dataset(unit->dataset)->classes, error);
    if (status == LL_OK && plan) {
        ll_plan_info info;
        ll_plan_get_info(plan, &info);
        take_name(out, &info);
        out->number = info.score_bits;
        status = attack_windows(out, plan, unit, settings, labels, error);
    }
    ll_plan_destroy(plan);
    return status;
}

static ll_status run_own_all(ll_unit_result *out, const ll_plan *plan, const ll_scorer *scorer, const int32_t *labels,
                             double limit, ll_error *error)
{
    ll_plan_info info;
    answer a = {0};
    ll_status status = LL_OK;
    ll_plan_get_info(plan, &info);
    take_name(out, &info);
    out->number = info.score_bits;
    out->values[LL_VALUE_QUERIES] = info.queries;
    out->values[LL_VALUE_WAS_RUN] = (double)info.rows * (double)info.columns * (double)info.queries <= limit;
    if (out->values[LL_VALUE_WAS_RUN])
        status = attack(&a, plan, scorer, labels, error);
    out->values[LL_VALUE_ROWS_RIGHT] = a.right;
    out->values[LL_VALUE_ROWS_CERTAIN] = a.certain;
    return status;
}

static ll_status work_own_all(ll_unit_result *out, const ll_unit *unit, const ll_settings *settings,
                              const int32_t *labels, ll_error *error)
{
    const ll_dataset_info *info = ll_units_dataset(unit->dataset);
    ll_scorer *scorer = NULL;
    ll_plan *plan = NULL;
    ll_status status = make_scorer(&scorer, unit, info->rows, info->classes, settings->seed, error);
    if (status == LL_OK)
        status = make_plan(&plan, scorer, error);
    out->values[LL_VALUE_ROWS] = info->rows;
    if (status == LL_OK && plan)
        status = run_own_all(out, plan, scorer, labels, entries_limit(settings), error);
    ll_scorer_destroy(scorer);
    ll_plan_destroy(plan);
    return status;
}

/* ------------------------------------------------------------------ any */

typedef ll_status (*worker)(ll_unit_result *out, const ll_unit *unit, const ll_settings *settings,
                            const int32_t *labels, ll_error *error);

ll_status ll_unit_work(ll_unit_result *out, const ll_unit *unit, const ll_settings *settings, ll_error *error)
{
    static const worker workers[] = {work_paper,   work_paper,   work_own_single, work_own_single,
                                     work_own_all, work_own_all, work_nearest,    work_nearest};
    int32_t *labels = NULL;
    double start = thread_seconds();
    *out = (ll_unit_result){0};
    ll_status status = read_labels(&labels, ll_units_dataset(unit->dataset), settings, error);
    if (status == LL_OK)
        status = workers[unit->kind](out, unit, settings, labels, error);
    free(labels);
    out->seconds = thread_seconds() - start;
    return status;
}
