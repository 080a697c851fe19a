/* The questions that are put to a program, apart from submissions that are not as they should be. */
#include "identify/job.h"

#include "number/random.h"
#include "number/text_number.h"

#include <math.h>
#include <string.h>

enum { ROWS = 29, DRAWS = 16, FIRST_RUNS = 6, MOST_CLASSES = 40 };
#define QUICK 0.25 /* seconds of a run */

double ll_identify_other(const ll_task *task, double label)
{
    long values = ll_task_values(task);
    if (task->classes > 0)
        return (double)(((long)label + 1) % values);
    long k = lround((label - task->low) / task->step);
    return ll_task_value(task, (k + 1 + values / 2) % values);
}

int ll_identify_is_seen(const ll_identify_job *job, const char *name)
{
    for (const char *at = job->request->unseen; at != NULL && *at;) {
        size_t length = strcspn(at, ",");
        if (length > 0 && strncmp(name, at, length) == 0)
            return 0;
        at += length + (at[length] == ',');
    }
    return 1;
}

static ll_status add(ll_identify_job *job, ll_probe **out, ll_sent_kind input, uint64_t labels, uint64_t entries,
                     double right)
{
    ll_status status = ll_run_pool_add(&job->pool, out, job->error);
    if (status == LL_OK)
        status = ll_probe_create(*out, &job->task, input, job->task.rows, job->error);
    if (status != LL_OK)
        return status;
    ll_probe_draw_labels(*out, &job->task, labels);
    ll_probe_draw_entries(*out, &job->task, entries, right);
    return LL_OK;
}

/* ---- what does it take? ---- */

/* The kinds in the order in which they are preferred. */
static const ll_sent_kind of_two[] = {LL_SENT_PROBABILITY, LL_SENT_CLASS, LL_SENT_PROBABILITIES, LL_SENT_NUMBER};
static const ll_sent_kind of_more[] = {LL_SENT_PROBABILITIES, LL_SENT_CLASS, LL_SENT_NUMBER};
static const ll_sent_kind of_numbers[] = {LL_SENT_NUMBER};

static const ll_sent_kind *kinds_of(const ll_task *task, long *count)
{
    *count = task->classes == 2 ? 4 : task->classes > 2 ? 3 : 1;
    return task->classes == 2 ? of_two : task->classes > 2 ? of_more : of_numbers;
}

/* Labels differ in the first three runs, the submission in the others: do all give an answer, and does it follow both? */
static int is_live(const ll_identify_job *job, long first)
{
    const ll_probe *probes = &job->pool.probes[first];
    for (int i = 0; i < FIRST_RUNS; i++)
        if (probes[i].reply.failed)
            return 0;
    int follows_labels =
        !ll_run_pool_is_same(&job->pool, first, first + 1, 0) || !ll_run_pool_is_same(&job->pool, first, first + 2, 0);
    for (int i = 3; i < FIRST_RUNS && follows_labels; i++)
        if (!ll_run_pool_is_same(&job->pool, first, first + i, 0))
            return 1;
    return 0;
}

static ll_status try_task(ll_identify_job *job, int *found)
{
    long count;
    const ll_sent_kind *kinds = kinds_of(&job->task, &count);
    ll_probe *probe;
    ll_span span;
    ll_status status = LL_OK;
    for (long k = 0; k < count && status == LL_OK; k++)
        for (uint64_t i = 0; i < FIRST_RUNS && status == LL_OK; i++) {
            status = add(job, &probe, kinds[k], 1, 1, 0.5);
            if (status == LL_OK && i > 0 && i < 3)
                ll_probe_draw_labels(probe, &job->task, 1 + i);
            if (status == LL_OK && i >= 3)
                ll_probe_draw_entries(probe, &job->task, i, i == 3 ? 0.15 : 0.5);
        }
    double start = ll_clock();
    if (status == LL_OK)
        status = ll_run_pool_run(&job->pool, &span, job->error);
    job->first_seconds = (ll_clock() - start) / (double)(count * FIRST_RUNS);
    *found = 0;
    memset(job->takes, 0, sizeof job->takes);
    for (long k = 0; k < count && status == LL_OK; k++) {
        job->takes[kinds[k]] = (unsigned char)is_live(job, span.first + k * FIRST_RUNS);
        if (job->takes[kinds[k]] && !*found) {
            job->input = kinds[k];
            *found = 1;
        }
    }
    return status;
}

static int read_grid(ll_task *task, const char *grid)
{
    char *end;
    double low = ll_read_double(grid, &end), high = *end == ':' ? ll_read_double(end + 1, &end) : low;
    double step = *end == ':' ? ll_read_double(end + 1, &end) : 0;
    if (*end != '\0' || !(step > 0) || !(high > low))
        return 0;
    *task = (ll_task){.rows = task->rows,
                      .seed = task->seed,
                      .low = low,
                      .step = step,
                      .grid = grid,
                      .targets = lround((high - low) / step) + 1};
    return 1;
}

/* The last line that is not empty: of a traceback that is the exception. */
static const char *find_last_line(const char *text, int *length)
{
    static const char blank[] = " \t\r\n";
    const char *end = text + strlen(text), *start;
    while (end > text && strchr(blank, end[-1]) != NULL)
        end--;
    for (start = end; start > text && start[-1] != '\n';)
        start--;
    *length = end - start < 200 ? (int)(end - start) : 200;
    return start;
}

static ll_status refuse(const ll_identify_job *job)
{
    int length;
    const ll_reply *reply = &job->pool.probes[0].reply;
    const char *text = reply->reason != NULL ? reply->reason : reply->count > 0 ? reply->parts[0].text : "";
    text = find_last_line(text, &length);
    return ll_fail(job->error, LL_DOMAIN, "%s: it says '%.*s'",
                   reply->failed ? "the program fails whatever it is given"
                                 : "what the program shows does not depend on labels",
                   length, text);
}

/* Tasks that are tried where the caller names none. */
static const struct {
    long classes;
    const char *grid;
} tasks[] = {{2, NULL}, {3, NULL}, {0, "0.5:4.5:0.5"}};

static ll_status try_tasks(ll_identify_job *job)
{
    const ll_identify_request *r = job->request;
    int found = 0;
    ll_status status = LL_OK;
    if (r->targets != NULL && !read_grid(&job->task, r->targets))
        return ll_fail(job->error, LL_DOMAIN, "targets '%s' are not LO:HI:STEP", r->targets);
    if (r->targets != NULL || r->classes > 0) {
        job->task.classes = r->targets != NULL ? 0 : r->classes;
        status = try_task(job, &found);
    }
    for (size_t i = 0;
         i < sizeof tasks / sizeof *tasks && status == LL_OK && !found && r->targets == NULL && r->classes <= 0; i++) {
        if (r->classes < 0 && tasks[i].grid == NULL)
            continue;
        job->task.classes = tasks[i].classes;
        if (tasks[i].grid != NULL && !read_grid(&job->task, tasks[i].grid))
            break;
        status = try_task(job, &found);
    }
    return status != LL_OK ? status : found ? LL_OK : refuse(job);
}

ll_status ll_identify_begin(ll_identify_job *job)
{
    const ll_identify_request *r = job->request;
    long least = r->classes > ROWS / 2 && r->classes <= MOST_CLASSES ? 2 * r->classes + 1 : ROWS;
    job->task = (ll_task){.rows = r->rows > 0 ? r->rows : least, .seed = r->seed != 0 ? r->seed : 1};
    if (job->task.rows < 8 || r->classes < -1 || r->classes == 1 || r->classes > job->task.rows / 2)
        return ll_fail(job->error, LL_DOMAIN, "%ld rows of %ld classes: at least 8 rows, and two per class",
                       job->task.rows, r->classes);
    return try_tasks(job);
}

/* ---- the spans ---- */

/* Runs of a quick program are made one by one, so that each has its own time. */
static ll_status ask_same(ll_identify_job *job)
{
    ll_probe *probe;
    ll_span span = {0};
    ll_status status = LL_OK;
    long first = job->pool.count;
    int is_quick = job->first_seconds <= QUICK;
    for (uint64_t i = 0; i < DRAWS && status == LL_OK; i++) {
        status = add(job, &probe, job->input, 10, 10, 0.5);
        if (status == LL_OK && i > 0)
            ll_probe_draw_labels(probe, &job->task, 10 + i);
        if (status == LL_OK && (is_quick || i == DRAWS - 1))
            status = ll_run_pool_run(&job->pool, &span, job->error);
    }
    job->same = (ll_span){first, DRAWS};
    for (int i = 0; i < 3 && status == LL_OK; i++)
        status = ll_run_pool_add_copy(&job->pool, &probe, job->same.first, job->error);
    return status == LL_OK ? ll_run_pool_run(&job->pool, &job->again, job->error) : status;
}

/* Probabilities next to 0 and 1 in some rows. */
static void make_extreme(ll_probe *probe, int level)
{
    static const double near[] = {0, 1e-20, 1e-13, 1e-8, 1e-5, 1e-3, 0.015, 0.04};
    long columns = probe->run.columns;
    for (long i = level; i < probe->run.sent; i += 3) {
        double small = near[(i / 3 + level) % 8], *row = &probe->entries[i * columns];
        if (columns == 1)
            row[0] = row[0] > 0.5 ? 1 - small : small;
        for (long k = 0; k < columns && columns > 1; k++)
            row[k] = k == i % columns ? 1 - small : small / (double)(columns - 1);
    }
    probe->kind = LL_PROBE_EXTREME;
}

/* Entries on a coarse grid: ties, and thresholds that are met exactly. */
static void make_ties(ll_probe *probe, const ll_task *task, uint64_t draw)
{
    for (long i = 0; i < probe->run.sent * probe->run.columns && probe->run.columns == 1; i++)
        if (probe->input == LL_SENT_PROBABILITY)
            probe->entries[i] =
                i % 4 == 0 ? 0.5 : (double)(1 + ll_random_below(task->seed, draw, (uint64_t)i, 19)) / 20;
        else if (probe->input == LL_SENT_NUMBER)
            probe->entries[i] = round(2 * probe->entries[i]) / 2;
}

/* The same in every row; where = -1; else the other class there. */
static void make_flat(ll_probe *probe, double value, long where)
{
    long columns = probe->run.columns;
    for (long i = 0; i < probe->run.sent; i++) {
        double predicted = i == where ? 1 - value : value;
        for (long k = 0; k < columns; k++)
            probe->entries[i * columns + k] = columns == 1           ? predicted
                                              : k == (long)predicted ? 0.75
                                                                     : 0.25 / (double)(columns - 1);
        if (columns == 1 && probe->input == LL_SENT_PROBABILITY)
            probe->entries[i] = predicted > 0 ? 0.95 : 0.05;
    }
    probe->kind = LL_PROBE_EDGE;
}

/* A count of right rows whose share a differs in its last digit from 2 a a / (a + a), which is how scikit-learn makes micro-F1 of precision
 * and recall; 0: no count of so many rows does. */
static long find_odd_count(long rows)
{
    for (long right = rows - 1; right > 0; right--) {
        double share = (double)right / (double)rows;
        if (2 * share * share / (share + share) != share)
            return right;
    }
    return 0;
}

static ll_status add_odd_count(ll_identify_job *job)
{
    ll_probe *probe;
    long right = find_odd_count(job->task.rows);
    ll_status status = LL_OK;
    if (right == 0 || job->task.classes == 0)
        return LL_OK;
    status = add(job, &probe, job->input, 95, 95, 1);
    for (long i = right; i < job->task.rows && status == LL_OK; i++)
        probe->labels[i] = ll_identify_other(&job->task, probe->labels[i]);
    return status;
}

/* Large numbers: where few decimals are printed, only these tell 32 bits from 64. A program may fail with them. */
static ll_status add_wide(ll_identify_job *job)
{
    ll_probe *probe;
    if (!job->takes[LL_SENT_NUMBER])
        return LL_OK;
    ll_status status = add(job, &probe, LL_SENT_NUMBER, 97, 97, 0.6);
    for (long i = 0; i < job->task.rows && status == LL_OK; i++)
        probe->entries[i] *= job->task.classes > 0 ? 1e5 : 1e3;
    if (status == LL_OK)
        probe->kind = LL_PROBE_WIDE;
    return status;
}

static ll_status add_edges(ll_identify_job *job)
{
    ll_probe *probe;
    ll_status status = LL_OK;
    for (uint64_t i = 0; i < 4 && status == LL_OK && job->task.classes > 0; i++) {
        status = add(job, &probe, job->input, 90 + i / 2, 90, 0.5);
        if (status == LL_OK)
            make_flat(probe, (double)(i % 2), -1);
    }
    return status;
}

/* Another kind of submission in as many columns. */
static int is_beside(ll_sent_kind input, ll_sent_kind other)
{
    return other != input && input != LL_SENT_PROBABILITIES && other != LL_SENT_PROBABILITIES;
}

static ll_status ask_varied(ll_identify_job *job)
{
    static const double right[] = {0.5, 0.9, 0.1, 1, 0, 0.7, 0.3, 0.97};
    ll_probe *probe;
    ll_status status = LL_OK;
    for (uint64_t i = 0; i < 8 && status == LL_OK; i++) {
        status = add(job, &probe, job->input, 40 + i, 60 + i, right[i]);
        if (status == LL_OK &&
            i == LL_VARIED_WRONG) /* one row right: a small score, in which digits and decimals differ */
            probe->labels[0] = ll_identify_other(&job->task, probe->labels[0]);
    }
    for (uint64_t i = 0; i < 3 && status == LL_OK; i++) {
        status = add(job, &probe, job->input, 50 + i, 70 + i, 0.6);
        if (status == LL_OK)
            make_ties(probe, &job->task, 300 + i);
    }
    for (int i = 0;
         i < 3 && status == LL_OK && (job->input == LL_SENT_PROBABILITY || job->input == LL_SENT_PROBABILITIES); i++) {
        status = add(job, &probe, job->input, 80 + (uint64_t)i, 80 + (uint64_t)i, 0.6);
        if (status == LL_OK)
            make_extreme(probe, i);
    }
    if (status == LL_OK)
        status = add_odd_count(job);
    if (status == LL_OK)
        status = add_edges(job);
    /* under noise every answer differs, so what else the program takes is not known; and a program that reads one column
     * does not refuse a file with more of them, of which it reads whichever it finds first */
    int is_noisy = !ll_run_pool_is_same(&job->pool, job->same.first, job->again.first, 0);
    for (int k = 0; k < LL_SENT_KINDS && status == LL_OK && !is_noisy; k++)
        for (uint64_t i = 0; i < 4 && status == LL_OK && job->takes[k] && is_beside(job->input, (ll_sent_kind)k); i++)
            status = add(job, &probe, (ll_sent_kind)k, 100 + i, 100 + i, 0.65);
    if (status == LL_OK && !is_noisy)
        status = add_wide(job);
    return status == LL_OK ? ll_run_pool_run(&job->pool, &job->varied, job->error) : status;
}

static ll_status ask_flipped(ll_identify_job *job)
{
    ll_probe *probe;
    ll_status status = LL_OK;
    for (long i = 0; i < job->task.rows && status == LL_OK; i++) {
        status = ll_run_pool_add_copy(&job->pool, &probe, job->same.first, job->error);
        if (status == LL_OK)
            probe->labels[i] = ll_identify_other(&job->task, probe->labels[i]);
    }
    return status == LL_OK ? ll_run_pool_run(&job->pool, &job->flipped, job->error) : status;
}

ll_status ll_identify_ask(ll_identify_job *job)
{
    ll_status status = ask_same(job);
    if (status == LL_OK)
        status = ask_varied(job);
    return status == LL_OK ? ask_flipped(job) : status;
}
