/* Made-up runs. */
#include "identify/probe.h"

#include "number/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS = 0x6c6162, ENTRIES = 0x656e74, CHOICES = 0x63686f };

long ll_task_values(const ll_task *task)
{
    return task->classes > 0 ? task->classes : task->targets;
}

double ll_task_value(const ll_task *task, long k)
{
    return task->classes > 0 ? (double)k : task->low + task->step * (double)k;
}

/* ---- memory ---- */

static void point(ll_probe *probe)
{
    probe->run.labels = probe->labels;
    probe->run.entries = probe->entries;
    probe->run.ids = probe->ids;
    probe->run.words = probe->words;
}

static void clear(ll_probe *probe)
{
    free(probe->labels);
    free(probe->entries);
    free(probe->ids);
    free((void *)probe->words);
    ll_reply_clear(&probe->reply);
    *probe = (ll_probe){0};
}

static ll_status reserve(ll_probe *probe, ll_error *error)
{
    size_t rows = (size_t)probe->run.rows, sent = (size_t)probe->run.sent, entries = sent * (size_t)probe->run.columns;
    probe->labels = calloc(rows + 1, sizeof *probe->labels);
    probe->entries = calloc(entries + 1, sizeof *probe->entries);
    probe->ids = calloc(sent + 1, sizeof *probe->ids);
    point(probe);
    if (probe->labels != NULL && probe->entries != NULL && probe->ids != NULL)
        return LL_OK;
    clear(probe);
    return ll_fail(error, LL_MEMORY, "no memory for a run of %zu rows", rows);
}

ll_status ll_probe_create(ll_probe *out, const ll_task *task, ll_sent_kind input, long sent, ll_error *error)
{
    *out = (ll_probe){.input = input};
    out->run = (ll_run){.rows = task->rows, .classes = task->classes, .sent = sent};
    out->run.columns = input == LL_SENT_PROBABILITIES ? task->classes : 1;
    out->run.is_class = input == LL_SENT_CLASS;
    ll_status status = reserve(out, error);
    for (long i = 0; i < sent && status == LL_OK; i++)
        out->ids[i] = i;
    return status;
}

void ll_probes_clear(ll_probe *probes, long count)
{
    for (long i = 0; probes != NULL && i < count; i++)
        clear(&probes[i]);
}

ll_status ll_probe_copy(ll_probe *out, const ll_probe *probe, ll_error *error)
{
    *out = (ll_probe){.run = probe->run, .kind = probe->kind, .input = probe->input};
    ll_status status = reserve(out, error);
    if (status != LL_OK)
        return status;
    size_t sent = (size_t)probe->run.sent;
    memcpy(out->labels, probe->labels, sizeof *out->labels * (size_t)probe->run.rows);
    memcpy(out->entries, probe->entries, sizeof *out->entries * sent * (size_t)probe->run.columns);
    memcpy(out->ids, probe->ids, sizeof *out->ids * sent);
    for (long i = 0; probe->words != NULL && i < probe->run.sent && status == LL_OK; i++)
        status = probe->words[i] != NULL ? ll_probe_say(out, i, probe->words[i], error) : LL_OK;
    if (status != LL_OK)
        clear(out);
    return status;
}

ll_status ll_probe_say(ll_probe *probe, long row, const char *word, ll_error *error)
{
    if (probe->words == NULL)
        probe->words = (const char **)calloc((size_t)probe->run.sent + 1, sizeof *probe->words);
    if (probe->words == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for the words of a run");
    probe->words[row] = word;
    point(probe);
    return LL_OK;
}

/* ---- draws ---- */

void ll_probe_draw_labels(ll_probe *probe, const ll_task *task, uint64_t draw)
{
    long values = ll_task_values(task), rows = probe->run.rows;
    for (long i = 0; i < rows; i++)
        probe->labels[i] = ll_task_value(
            task, (long)ll_random_below(task->seed ^ (draw << 20), LABELS, (uint64_t)i, (uint64_t)values));
    /* every class is there, in rows that differ from draw to draw */
    long first = (long)ll_random_below(task->seed ^ (draw << 20), CHOICES, 0, (uint64_t)rows);
    for (long k = 0; k < task->classes && k < rows; k++)
        probe->labels[(first + 3 * k) % rows] = (double)k;
}

static double draw_uniform(const ll_task *task, uint64_t draw, long place)
{
    return ll_random_uniform(task->seed ^ (draw << 20), ENTRIES, (uint64_t)place);
}

/* A multiple of 1/64 in [lo, hi]: sums of such are exact. */
static double on_grid(double uniform, double lo, double hi)
{
    return round(64 * (lo + uniform * (hi - lo))) / 64;
}

static void draw_row(double *row, const ll_task *task, ll_sent_kind input, long label, double u, double v)
{
    long classes = task->classes;
    if (input == LL_SENT_CLASS) {
        row[0] = (double)label;
    } else if (input == LL_SENT_PROBABILITY) {
        row[0] = label != 0 ? 0.5 + 0.4 * u : 0.5 - 0.4 * u;
    } else if (input == LL_SENT_PROBABILITIES) {
        double top = on_grid(u, 0.4, 0.8), rest = 1 - top;
        for (long k = 0; k < classes; k++)
            row[k] = rest / (double)(classes - 1);
        row[label] = top;
        double moved = on_grid(v, 0.05, 0.4) * rest / (double)(classes - 1);
        for (long k = 1; k < classes && classes > 2; k++) /* the others differ from each other */
            row[(label + k) % classes] += moved * (double)(classes - 2 * k) / (double)(classes - 2);
    } else if (task->classes > 0) {
        row[0] = 2.4 * ((double)label - 0.5) + 3 * (u - 0.5);
    } else {
        double value = ll_task_value(task, label) + 3 * task->step * (u - 0.4);
        row[0] = task->low >= 0 ? fabs(value) : value; /* logarithms want no negative ones */
    }
}

void ll_probe_draw_entries(ll_probe *probe, const ll_task *task, uint64_t draw, double right)
{
    long values = ll_task_values(task), columns = probe->run.columns;
    for (long i = 0; i < probe->run.sent; i++) {
        long id = probe->ids[i] < probe->run.rows ? probe->ids[i] : 0;
        long label = (long)lround(task->classes > 0 ? probe->labels[id] : (probe->labels[id] - task->low) / task->step);
        long other =
            (label + 1 +
             (long)ll_random_below(task->seed ^ (draw << 20), CHOICES, (uint64_t)(i + 1), (uint64_t)(values - 1))) %
            values;
        label = draw_uniform(task, draw, 3 * i) < right ? label : other;
        draw_row(&probe->entries[i * columns], task, probe->input, label, draw_uniform(task, draw, 3 * i + 1),
                 draw_uniform(task, draw, 3 * i + 2));
    }
}

/* ---- runs ---- */

int ll_asker_has(const ll_asker *asker, long count)
{
    ll_deadline deadline = asker->deadline;
    return asker->runs + count <= asker->most && !ll_deadline_is_over(&deadline);
}

static ll_status ask(ll_asker *asker, ll_probe *probes, long count, ll_reply **replies, ll_run *runs, ll_error *error)
{
    for (long i = 0; i < count; i++) {
        ll_reply_clear(&probes[i].reply);
        replies[i] = &probes[i].reply;
        runs[i] = probes[i].run;
    }
    asker->runs += count;
    double start = ll_clock();
    ll_status status = asker->program->run(asker->program->self, replies, runs, count, error);
    for (long i = 0; i < count; i++)
        probes[i].seconds = count == 1 ? ll_clock() - start : 0;
    return status;
}

ll_status ll_asker_run(ll_asker *asker, ll_probe *probes, long count, ll_error *error)
{
    if (count == 0)
        return LL_OK;
    if (!ll_asker_has(asker, count))
        return ll_fail(error, LL_UNABLE, "%ld runs of the program took all the time or runs that there were",
                       asker->runs);
    ll_reply **replies = (ll_reply **)malloc(sizeof(ll_reply *) * (size_t)count);
    ll_run *runs = malloc(sizeof *runs * (size_t)count);
    ll_status status = replies != NULL && runs != NULL ? ask(asker, probes, count, replies, runs, error)
                                                       : ll_fail(error, LL_MEMORY, "no memory for %ld runs", count);
    free((void *)replies);
    free(runs);
    return status;
}
