/* Attacks on a program that need no description of it (docs/proofs/designs.md): one row per submission where the program
 * scores only what is there; one row at a time against a baseline; random designs, read by the regularised
 * pseudo-inverse. Two runs on made-up labels tell which way a better score lies. */
#include "identify/numbers.h"
#include "identify/probe.h"
#include "identify/texts.h"

#include "number/random.h"
#include "number/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 200, RUNS = 50, DESIGN = 0x646573 };
#define RIDGE 1e-3

void ll_program_attack_result_clear(ll_program_attack_result *result)
{
    ll_program_attack_result *all = ll_value_whole(result, sizeof *all);
    if (all == NULL)
        return;
    free(all->labels);
    free(all->tried);
    ll_texts_destroy(all->texts);
    ll_value_reset(result);
}

const ll_attack_measured *ll_program_attack_get_tried(const ll_program_attack_result *result, long index)
{
    return index >= 0 && index < result->tried_count ? &result->tried[index] : NULL;
}

typedef struct {
    const ll_program *program;
    const ll_identification *known;
    ll_program_attack_request request;
    ll_task task;
    ll_sent_kind input;
    const char *channel; /* the number that is read */
    double truth_sign;   /* +1: a better submission has the higher number */
    double *labels;      /* [rows] made up; unused where they are hidden */
    int32_t *claimed;    /* [rows] what the attack at hand claims; -1: nothing */
    ll_program_attack_result *out;
    ll_error *error;
} attack;

/* ---- submissions ---- */

/* Row `row` says class `label`, clearly but not extremely. */
static void say(ll_probe *probe, const attack *a, long row, long label)
{
    long columns = probe->run.columns;
    double *entry = &probe->entries[row * columns];
    if (columns > 1)
        for (long k = 0; k < columns; k++)
            entry[k] = k == label ? 0.75 : 0.25 / (double)(columns - 1);
    else if (a->input == LL_SENT_PROBABILITY)
        entry[0] = label ? 0.75 : 0.25;
    else if (a->input == LL_SENT_CLASS)
        entry[0] = (double)label;
    else
        entry[0] =
            a->task.classes > 0 ? 2.0 * (double)label - 1 : ll_task_value(&a->task, label ? a->task.targets - 1 : 0);
}

static ll_status make_run(ll_probe *probe, const attack *a, long sent)
{
    ll_status status = ll_probe_create(probe, &a->task, a->input, sent, a->error);
    if (status == LL_OK)
        memcpy(probe->labels, a->labels, sizeof *a->labels * (size_t)a->task.rows);
    return status;
}

/* Run them, and read the channel: NAN where there is no number. */
static ll_status ask(const attack *a, double *answers, ll_probe *probes, long count, int is_own)
{
    ll_asker asker = {.program = a->program, .deadline = ll_deadline_start(a->request.budget), .most = count};
    for (long i = 0; i < count && a->request.is_hidden && !is_own; i++)
        probes[i].run.labels = NULL;
    ll_status status = ll_asker_run(&asker, probes, count, a->error);
    for (long i = 0; i < count && status == LL_OK; i++) {
        ll_numbers numbers;
        status = ll_numbers_find(&numbers, &probes[i].reply, a->error);
        if (status != LL_OK)
            break;
        const ll_shown *shown = probes[i].reply.failed ? NULL : ll_numbers_get(&numbers, a->channel, 0);
        answers[i] = shown != NULL ? shown->value : (double)NAN;
        ll_numbers_clear(&numbers);
    }
    return status;
}

/* Every row right, against every row wrong, on labels of our own. */
static ll_status find_sign(attack *a)
{
    ll_probe pair[2];
    double answers[2];
    memset(pair, 0, sizeof pair);
    ll_status status = LL_OK;
    for (int i = 0; i < 2 && status == LL_OK; i++) {
        status = make_run(&pair[i], a, a->task.rows);
        for (long row = 0; row < a->task.rows && status == LL_OK; row++)
            say(&pair[i], a, row, i == 0 ? a->claimed[row] : (a->claimed[row] + 1) % ll_task_values(&a->task));
    }
    if (status == LL_OK)
        status = ask(a, answers, pair, 2, 1);
    if (status == LL_OK)
        a->truth_sign = answers[0] >= answers[1] ? 1 : -1;
    ll_probes_clear(pair, 2);
    return status;
}

/* ---- one row per submission ---- */

static ll_status ask_single(const attack *a, double *answers, long first, long count, const long *label_of)
{
    ll_probe *probes = calloc((size_t)count, sizeof *probes);
    ll_status status = probes != NULL ? LL_OK : ll_fail(a->error, LL_MEMORY, "no memory for %ld runs", count);
    for (long i = 0; i < count && status == LL_OK; i++) {
        status = make_run(&probes[i], a, 1);
        if (status != LL_OK)
            break;
        probes[i].ids[0] = first + i;
        say(&probes[i], a, 0, 1);
        if (label_of != NULL)
            probes[i].labels[first + i] = ll_task_value(&a->task, label_of[i]);
    }
    if (status == LL_OK)
        status = ask(a, answers, probes, count, label_of != NULL);
    ll_probes_clear(probes, count);
    free(probes);
    return status;
}

static ll_status read_chosen(attack *a, long *runs)
{
    long count = a->task.rows < a->request.runs ? a->task.rows : a->request.runs;
    static const long both[] = {0, 1};
    double *answers = malloc(sizeof *answers * (size_t)count), known[2];
    ll_status status = answers != NULL ? ask_single(a, known, 0, 2, both)
                                       : ll_fail(a->error, LL_MEMORY, "no memory for %ld answers", count);
    if (status == LL_OK)
        status = ask_single(a, answers, 0, count, NULL);
    for (long i = 0; i < count && status == LL_OK && known[0] != known[1]; i++)
        a->claimed[i] = answers[i] == known[1] ? 1 : answers[i] == known[0] ? 0 : -1;
    free(answers);
    *runs = count;
    return status;
}

/* ---- one row at a time against a baseline ---- */

static ll_status read_rows(attack *a, long *runs)
{
    long count = (a->task.rows + 1 < a->request.runs ? a->task.rows + 1 : a->request.runs);
    ll_probe *probes = calloc((size_t)count, sizeof *probes);
    double *answers = malloc(sizeof *answers * (size_t)count);
    ll_status status =
        probes != NULL && answers != NULL ? LL_OK : ll_fail(a->error, LL_MEMORY, "no memory for %ld runs", count);
    for (long i = 0; i < count && status == LL_OK; i++) {
        status = make_run(&probes[i], a, a->task.rows);
        for (long row = 0; row < a->task.rows && status == LL_OK; row++) {
            long base = (long)ll_random_below(a->request.seed, DESIGN, (uint64_t)row, 2);
            say(&probes[i], a, row, row == i - 1 ? 1 - base : base);
        }
    }
    if (status == LL_OK)
        status = ask(a, answers, probes, count, 0);
    for (long i = 1; i < count && status == LL_OK; i++) {
        long base = (long)ll_random_below(a->request.seed, DESIGN, (uint64_t)(i - 1), 2);
        double step = a->truth_sign * (answers[i] - answers[0]);
        a->claimed[i - 1] = step > 0 ? (int32_t)(1 - base) : step < 0 ? (int32_t)base : -1;
    }
    ll_probes_clear(probes, probes != NULL ? count : 0);
    free(probes);
    free(answers);
    *runs = count;
    return status;
}

/* ---- random designs ---- */

/* Solve (S S' + ridge) x = b in place, S of signs: Cholesky. */
static int solve(double *gram, double *b, long n)
{
    for (long j = 0; j < n; j++) {
        for (long k = 0; k < j; k++)
            for (long i = j; i < n; i++)
                gram[i * n + j] -= gram[i * n + k] * gram[j * n + k];
        if (!(gram[j * n + j] > 0))
            return 0;
        double root = sqrt(gram[j * n + j]);
        for (long i = j; i < n; i++)
            gram[i * n + j] /= root;
    }
    for (long i = 0; i < n; i++) {
        for (long k = 0; k < i; k++)
            b[i] -= gram[i * n + k] * b[k];
        b[i] /= gram[i * n + i];
    }
    for (long i = n - 1; i >= 0; i--) {
        for (long k = i + 1; k < n; k++)
            b[i] -= gram[k * n + i] * b[k];
        b[i] /= gram[i * n + i];
    }
    return 1;
}

static double sign_at(const attack *a, long run, long row)
{
    return ll_random_below(a->request.seed, DESIGN + 1, (uint64_t)(run * a->task.rows + row), 2) ? 1 : -1;
}

static void decode_designs(attack *a, double *answers, double *gram, long count)
{
    double mean = 0;
    for (long i = 0; i < count; i++)
        mean += answers[i] / (double)count;
    for (long i = 0; i < count; i++) {
        answers[i] -= mean;
        for (long j = 0; j < count; j++) {
            double sum = i == j ? RIDGE * (double)a->task.rows : 0;
            for (long row = 0; row < a->task.rows; row++)
                sum += sign_at(a, i, row) * sign_at(a, j, row);
            gram[i * count + j] = sum;
        }
    }
    if (!solve(gram, answers, count))
        return;
    for (long row = 0; row < a->task.rows; row++) {
        double weight = 0;
        for (long i = 0; i < count; i++)
            weight += sign_at(a, i, row) * answers[i];
        a->claimed[row] = a->truth_sign * weight > 0;
    }
}

static ll_status read_designs(attack *a, long *runs)
{
    long count = a->request.runs;
    ll_probe *probes = calloc((size_t)count, sizeof *probes);
    double *answers = malloc(sizeof *answers * (size_t)count), *gram = malloc(sizeof *gram * (size_t)(count * count));
    ll_status status =
        probes && answers && gram ? LL_OK : ll_fail(a->error, LL_MEMORY, "no memory for %ld runs", count);
    for (long i = 0; i < count && status == LL_OK; i++) {
        status = make_run(&probes[i], a, a->task.rows);
        for (long row = 0; row < a->task.rows && status == LL_OK; row++)
            say(&probes[i], a, row, sign_at(a, i, row) > 0);
    }
    if (status == LL_OK)
        status = ask(a, answers, probes, count, 0);
    int is_whole = status == LL_OK;
    for (long i = 0; i < count && is_whole; i++)
        is_whole = isfinite(answers[i]);
    if (is_whole)
        decode_designs(a, answers, gram, count);
    ll_probes_clear(probes, probes != NULL ? count : 0);
    free(probes);
    free(answers);
    free(gram);
    *runs = count;
    return status;
}

/* ---- all of them ---- */

static int chooses_rows(const ll_identification *known)
{
    for (long i = 0; i < known->form_count; i++) {
        const ll_form_found *form = ll_identification_get_form(known, i);
        if (form->reads_row && strcmp(form->name, "one-row") == 0)
            return 1;
    }
    return 0;
}

static int always(const ll_identification *known)
{
    (void)known;
    return 1;
}

static const struct {
    const char *name;
    int (*applies)(const ll_identification *known);
    ll_status (*read)(attack *a, long *runs);
} attacks[] = {
    {"chosen-rows", chooses_rows, read_chosen}, {"rows", always, read_rows}, {"designs", always, read_designs}};

enum { ATTACKS = sizeof attacks / sizeof *attacks };

/* What was read counts where it is right; what was not, as a guess. */
static void measure(const attack *a, ll_attack_measured *m)
{
    double right = 0, rows = (double)a->task.rows;
    m->read = 0;
    for (long i = 0; i < a->task.rows; i++) {
        m->read += a->claimed[i] >= 0;
        right += a->claimed[i] >= 0 ? a->labels[i] == ll_task_value(&a->task, a->claimed[i]) : a->out->guess;
    }
    m->share = a->request.is_hidden ? (double)NAN : right / rows;
    m->error = a->request.is_hidden ? (double)NAN : sqrt(fmax(m->share * (1 - m->share), 0) / rows);
}

static int is_better(const ll_attack_measured *m, const ll_attack_measured *best, int is_hidden)
{
    return is_hidden ? m->read > best->read : m->share > best->share;
}

static ll_status run_one(attack *a, int which, int *is_first)
{
    ll_attack_measured m = {.attack = attacks[which].name, .channel = ll_texts_add(a->out->texts, "%s", a->channel)};
    memset(a->claimed, 0xff, sizeof *a->claimed * (size_t)a->task.rows);
    ll_status status = attacks[which].read(a, &m.runs);
    if (status != LL_OK)
        return status;
    measure(a, &m);
    ll_attack_measured *tried = a->out->tried;
    if (*is_first || is_better(&m, &tried[0], a->request.is_hidden)) {
        memmove(&tried[1], &tried[0], sizeof *tried * (size_t)a->out->tried_count);
        tried[0] = m;
        memcpy(a->out->labels, a->claimed, sizeof *a->claimed * (size_t)a->task.rows);
        a->out->runs = m.runs;
        *is_first = 0;
    } else {
        tried[a->out->tried_count] = m;
    }
    a->out->tried_count++;
    return LL_OK;
}

static ll_status run_all(attack *a)
{
    int is_first = 1;
    ll_status status = find_sign(a);
    for (int i = 0; i < (int)ATTACKS && status == LL_OK; i++)
        if (attacks[i].applies(a->known) &&
            (a->request.attack == NULL || strcmp(a->request.attack, attacks[i].name) == 0))
            status = run_one(a, i, &is_first);
    if (status == LL_OK && is_first)
        return ll_fail(a->error, LL_DOMAIN, "no such attack, or it does not apply to this program: '%s'",
                       a->request.attack);
    return status;
}

/* The first number that depends on labels and that participants see. */
static const ll_channel_found *find_channel(const ll_identification *known)
{
    for (long i = 0; i < known->channel_count; i++)
        if (ll_identification_get_channel(known, i)->is_number &&
            ll_identification_get_channel(known, i)->depends_on_labels == LL_TRUE &&
            !ll_identification_get_channel(known, i)->tells_rows)
            return ll_identification_get_channel(known, i);
    return NULL;
}

static ll_status reserve(attack *a)
{
    size_t rows = (size_t)a->task.rows;
    a->labels = malloc(sizeof *a->labels * rows);
    a->claimed = malloc(sizeof *a->claimed * rows);
    a->out->labels = malloc(sizeof *a->out->labels * rows);
    a->out->tried = calloc(ATTACKS + 1, sizeof *a->out->tried);
    a->out->texts = ll_texts_create();
    if (!a->labels || !a->claimed || !a->out->labels || !a->out->tried || !a->out->texts)
        return ll_fail(a->error, LL_MEMORY, "no memory for %zu labels", rows);
    for (size_t i = 0; i < rows; i++) {
        a->claimed[i] = (int32_t)ll_random_below(a->request.seed, DESIGN + 2, i, (uint64_t)ll_task_values(&a->task));
        a->labels[i] = ll_task_value(&a->task, a->claimed[i]);
    }
    return LL_OK;
}

static void say_result(const attack *a, const ll_channel_found *channel)
{
    ll_program_attack_result *out = a->out;
    const ll_attack_measured *best = &out->tried[0];
    double values = channel->is_deterministic == LL_TRUE && channel->digits < 15
                        ? (channel->high - channel->low) * pow(10, (double)channel->decimals) + 1
                        : INFINITY;
    out->bits_per_answer = log2(values);
    out->max_share = (double)NAN; /* the range that was seen is not proved to be the range */
    if (a->request.is_hidden)
        out->evidence =
            ll_texts_add(out->texts, "The attack %s read %ld of %ld hidden labels in %ld submissions, through %s.",
                         best->attack, best->read, out->rows, best->runs, best->channel);
    else
        out->evidence = ll_texts_add(
            out->texts,
            "Measured: the attack %s, which needs no description, gets %.1f%% of %ld made-up labels right in %ld submissions, through %s; guessing gets %.1f%%. "
            "Better attacks may exist.",
            best->attack, 100 * best->share, out->rows, best->runs, best->channel, 100 * out->guess);
}

/* Numbers: the least and the greatest of the grid are two classes. */
static void set_task(attack *a)
{
    const ll_identification *known = a->known;
    static const char *const inputs[] = {"probability", "class", "probabilities", "number"};
    a->task = (ll_task){.rows = a->request.rows, .classes = known->classes, .seed = a->request.seed};
    if (known->classes == 0) {
        a->task.low = known->low;
        a->task.step = known->high - known->low;
        a->task.targets = 2;
    }
    for (int i = 0; i < LL_SENT_KINDS; i++)
        if (strcmp(inputs[i], known->input) == 0)
            a->input = (ll_sent_kind)i;
}

static ll_status run(attack *a)
{
    const ll_channel_found *channel = find_channel(a->known);
    if (channel == NULL)
        return ll_fail(
            a->error, LL_DOMAIN,
            "no number was seen to depend on labels, which does not make it safe: there is nothing to attack");
    set_task(a);
    a->channel = channel->name;
    a->out->rows = a->task.rows;
    a->out->classes = a->known->classes;
    a->out->guess = 1 / (double)ll_task_values(&a->task);
    ll_status status = reserve(a);
    if (status == LL_OK)
        status = run_all(a);
    if (status == LL_OK)
        say_result(a, channel);
    return status;
}

ll_status ll_program_attack(ll_program_attack_result *out, const ll_program *program,
                            const ll_identification *identification, const ll_program_attack_request *request,
                            ll_error *error)
{
    ll_program_attack_result made;
    attack a = {.program = program, .known = identification, .out = &made, .error = error};
    ll_status status = ll_value_read(&a.request, sizeof a.request, request, "program_attack_request", error);
    if (status != LL_OK)
        return status;
    a.request.rows = a.request.rows > 0 ? a.request.rows : ROWS;
    a.request.runs = a.request.runs > 2 ? a.request.runs : RUNS;
    a.request.seed = a.request.seed != 0 ? a.request.seed : 1;
    ll_program_attack_result_init(&made);
    status = run(&a);
    free(a.labels);
    free(a.claimed);
    if (status == LL_OK) {
        ll_program_attack_result_clear(out);
        status = ll_value_give(out, &made, sizeof made, error);
    }
    if (status != LL_OK)
        ll_program_attack_result_clear(&made);
    return status;
}
