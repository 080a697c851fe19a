/* Submissions that are not as they should be: what does the program make of them, and do labels show in it? Each form is
 * run with labels, with the same labels again, with the labels of all other rows changed, with one label changed, and
 * the first and the fourth with more hidden rows behind the others. A program that scores only the rows that are there
 * gives the same score in the third run, another one in the fourth, and more rows change neither: one right row of many
 * would weigh less among more. */
#include "identify/job.h"

#include "number/memory.h"

#include <math.h>
#include <string.h>

enum {
    FIRST,
    AGAIN,
    OTHERS,
    ONE,
    LONGER,
    ONE_LONGER,
    RUNS_PER_FORM,
    MORE_ROWS = 7,
    COPIES = 60,
    FOCUS = 5,
    UNSEEN_IDS = 3
};

/* ---- the forms ---- */

typedef struct form form;

struct form {
    const char *name, *words;
    int (*keeps)(long row); /* the rows that have an entry; NULL: all */
    long focus;             /* the row whose label is changed */
    const char *fill;       /* what the other rows say; NULL: they are missing */
    ll_status (*shape)(ll_probe *probe, const ll_task *task, ll_error *error); /* NULL: nothing else is changed */
};

static int is_one_row(long row)
{
    return row == FOCUS;
}

static int is_first_row(long row)
{
    return row == 0;
}

static int is_some_row(long row)
{
    return row % 2 == 0 && row < 20;
}

static int is_early_row(long row)
{
    return row < 8;
}

static void resize(ll_probe *probe, long sent)
{
    probe->run.sent = sent;
}

static ll_status add_unknown_ids(ll_probe *probe, const ll_task *task, ll_error *error)
{
    (void)task;
    (void)error;
    long sent = probe->run.sent, columns = probe->run.columns;
    for (long i = 0; i < UNSEEN_IDS; i++) {
        probe->ids[sent + i] = probe->run.rows + MORE_ROWS + i;
        memcpy(&probe->entries[(sent + i) * columns], probe->entries, sizeof(double) * (size_t)columns);
    }
    resize(probe, sent + UNSEEN_IDS);
    return LL_OK;
}

static ll_status repeat_row(ll_probe *probe, const ll_task *task, ll_error *error)
{
    (void)task;
    (void)error;
    long sent = probe->run.sent, columns = probe->run.columns;
    for (long i = 0; i < COPIES; i++) {
        probe->ids[sent + i] = FOCUS;
        memcpy(&probe->entries[(sent + i) * columns], &probe->entries[FOCUS * columns],
               sizeof(double) * (size_t)columns);
    }
    resize(probe, sent + COPIES);
    return LL_OK;
}

static ll_status reverse_rows(ll_probe *probe, const ll_task *task, ll_error *error)
{
    (void)task;
    (void)error;
    long sent = probe->run.sent, columns = probe->run.columns;
    for (long i = 0; i < sent / 2; i++) {
        long id = probe->ids[i], other = sent - 1 - i;
        probe->ids[i] = probe->ids[other];
        probe->ids[other] = id;
        for (long k = 0; k < columns; k++) {
            double entry = probe->entries[i * columns + k];
            probe->entries[i * columns + k] = probe->entries[other * columns + k];
            probe->entries[other * columns + k] = entry;
        }
    }
    return LL_OK;
}

/* Every row says class 0 but for one, or no one, which says class 1. */
static void say_zero(ll_probe *probe, const ll_task *task, long but)
{
    long columns = probe->run.columns;
    double low = task->classes > 0 ? 0.05 : task->low, high = task->classes > 0 ? 0.95 : task->low + task->step;
    for (long i = 0; i < probe->run.sent; i++)
        for (long k = 0; k < columns; k++) {
            int is_one = i == but;
            probe->entries[i * columns + k] = probe->run.is_class ? is_one
                                              : columns > 1       ? (k == is_one ? 0.75 : 0.25 / (double)(columns - 1))
                                              : is_one            ? high
                                                                  : low;
        }
}

static ll_status say_one_class(ll_probe *probe, const ll_task *task, ll_error *error)
{
    (void)error;
    say_zero(probe, task, -1);
    return LL_OK;
}

static ll_status say_one_positive(ll_probe *probe, const ll_task *task, ll_error *error)
{
    (void)error;
    say_zero(probe, task, FOCUS);
    return LL_OK;
}

static ll_status say_one_word(ll_probe *probe, const ll_task *task, ll_error *error)
{
    (void)task;
    return ll_probe_say(probe, FOCUS, "unknown", error);
}

static ll_status say_one_nan(ll_probe *probe, const ll_task *task, ll_error *error)
{
    (void)task;
    (void)error;
    for (long k = 0; k < probe->run.columns; k++)
        probe->entries[FOCUS * probe->run.columns + k] = (double)NAN;
    return LL_OK;
}

static ll_status send_nothing(ll_probe *probe, const ll_task *task, ll_error *error)
{
    (void)task;
    (void)error;
    resize(probe, 0);
    return LL_OK;
}

static const form forms[] = {
    {"one-row", "of one row", is_one_row, FOCUS, NULL, NULL},
    {"missing", "without some of the rows", is_some_row, 4, NULL, NULL},
    {"first-rows", "that ends after some rows", is_early_row, 4, NULL, NULL},
    {"first-row", "that ends after the first row", is_first_row, 0, NULL, NULL},
    {"nan", "with NaN in some of the rows", is_some_row, 4, "nan", NULL},
    {"one-number", "with NaN in all rows but one", is_one_row, FOCUS, "nan", NULL},
    {"blank", "with empty fields in some of the rows", is_some_row, 4, "", NULL},
    {"words", "with words that are no class in some of the rows", is_some_row, 4, "unknown", NULL},
    {"one-word", "with one word that is no class", NULL, FOCUS, NULL, say_one_word},
    {"one-nan", "with one NaN", NULL, FOCUS, NULL, say_one_nan},
    {"duplicates", "with one row many times", NULL, FOCUS, NULL, repeat_row},
    {"extra", "with rows that there are not", NULL, FOCUS, NULL, add_unknown_ids},
    {"reordered", "with its rows in another order", NULL, FOCUS, NULL, reverse_rows},
    {"one-class", "that says one class alone", NULL, FOCUS, NULL, say_one_class},
    {"one-positive", "that says another class in one row alone", NULL, FOCUS, NULL, say_one_positive},
    {"empty", "without any row", NULL, FOCUS, NULL, send_nothing},
};

enum { FORMS = sizeof forms / sizeof *forms };

/* ---- runs ---- */

static void drop_rows(ll_probe *probe, const form *f)
{
    long columns = probe->run.columns, kept = 0;
    for (long i = 0; i < probe->run.sent; i++) {
        if (!f->keeps(i))
            continue;
        probe->ids[kept] = i;
        memmove(&probe->entries[kept * columns], &probe->entries[i * columns], sizeof(double) * (size_t)columns);
        kept++;
    }
    resize(probe, kept);
}

static ll_status fill_rows(ll_probe *probe, const form *f, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < probe->run.sent && status == LL_OK; i++)
        if (!f->keeps(i))
            status = ll_probe_say(probe, i, f->fill, error);
    return status;
}

static void change_labels(ll_probe *probe, const ll_identify_job *job, const form *f, int run)
{
    for (long i = 0; i < probe->run.rows; i++) {
        int is_kept = f->keeps == NULL || f->keeps(i);
        if ((run == OTHERS && !is_kept) || ((run == ONE || run == ONE_LONGER) && i == f->focus))
            probe->labels[i] = ll_identify_other(&job->task, probe->labels[i]);
    }
}

static ll_status add_run(ll_identify_job *job, const form *f, int run)
{
    ll_task task = job->task;
    ll_probe *probe, full;
    task.rows += run == LONGER || run == ONE_LONGER ? MORE_ROWS : 0;
    ll_status status = ll_run_pool_add(&job->pool, &probe, job->error);
    if (status == LL_OK) /* with room for copies, and as if every row were there */
        status = ll_probe_create(&full, &task, job->input, task.rows + COPIES, job->error);
    if (status != LL_OK)
        return status;
    resize(&full, task.rows);
    memcpy(full.labels, job->pool.probes[job->same.first].labels, sizeof(double) * (size_t)job->task.rows);
    for (long i = job->task.rows; i < task.rows; i++)
        full.labels[i] = full.labels[i % 2];
    ll_probe_draw_entries(&full, &job->task, 200, 0.5);
    *probe = full;
    if (f != NULL && f->keeps != NULL && f->fill == NULL)
        drop_rows(probe, f);
    else if (f != NULL && f->keeps != NULL)
        status = fill_rows(probe, f, job->error);
    if (status == LL_OK && f != NULL && f->shape != NULL)
        status = f->shape(probe, &task, job->error);
    if (status == LL_OK && f != NULL)
        change_labels(probe, job, f, run);
    return status;
}

static int is_needed(const form *f, int run)
{
    return f->keeps != NULL || (run != OTHERS && run != LONGER && run != ONE_LONGER);
}

static ll_status ask_all(ll_identify_job *job, ll_span *span)
{
    static const form whole = {"whole", "as it should be", NULL, FOCUS, NULL, NULL};
    ll_status status = add_run(job, &whole, FIRST);
    if (status == LL_OK)
        status = add_run(job, &whole, ONE);
    for (int i = 0; i < (int)FORMS && status == LL_OK; i++)
        for (int run = 0; run < RUNS_PER_FORM && status == LL_OK; run++)
            if (is_needed(&forms[i], run))
                status = add_run(job, &forms[i], run);
    return status == LL_OK ? ll_run_pool_run(&job->pool, span, job->error) : status;
}

/* ---- what came back ---- */

typedef struct {
    ll_identify_job *job;
    const form *form;
    const char *number;       /* the name of the score; NULL: the text as a whole is compared */
    long runs[RUNS_PER_FORM]; /* -1: not made */
} reading;

static const ll_shown *score_of(const reading *r, long run)
{
    const ll_shown *shown = r->number != NULL ? ll_numbers_get(&r->job->pool.numbers[run], r->number, 0) : NULL;
    return shown != NULL && isfinite(shown->value) ? shown : NULL;
}

static int failed(const reading *r, int run)
{
    long at = r->runs[run];
    return r->job->pool.probes[at].reply.failed || (r->number != NULL && score_of(r, at) == NULL);
}

static int is_same(const reading *r, int a, int b)
{
    const ll_shown *x = score_of(r, r->runs[a]), *y = score_of(r, r->runs[b]);
    return x != NULL && y != NULL ? strcmp(x->text, y->text) == 0
                                  : ll_run_pool_is_same(&r->job->pool, r->runs[a], r->runs[b], 0);
}

static int chooses_rows(const reading *r)
{
    for (int run = 0; run < RUNS_PER_FORM; run++)
        if (r->runs[run] < 0 || failed(r, run))
            return 0;
    return is_same(r, FIRST, AGAIN) && is_same(r, FIRST, OTHERS) && is_same(r, FIRST, LONGER) &&
           is_same(r, ONE, ONE_LONGER) && !is_same(r, FIRST, ONE);
}

static double moved(const reading *r, long a, long b)
{
    const ll_shown *x = score_of(r, a), *y = score_of(r, b);
    return x != NULL && y != NULL ? fabs(x->value - y->value) : 0;
}

/* A row that is there many times weighs as often as it is there. */
static int weighs_copies(const reading *r, long whole)
{
    return r->form->shape == repeat_row && !failed(r, FIRST) && is_same(r, FIRST, AGAIN) &&
           moved(r, r->runs[FIRST], r->runs[ONE]) > 4 * moved(r, whole, whole + 1) && moved(r, whole, whole + 1) > 0;
}

/* Did one of these runs fail and the other not, or with other words? The first run failed the same way twice. */
static int failure_differs(const reading *r, int other)
{
    const ll_run_pool *pool = &r->job->pool;
    if (r->runs[other] < 0 || pool->probes[r->runs[FIRST]].reply.failed != pool->probes[r->runs[AGAIN]].reply.failed)
        return 0;
    if (failed(r, FIRST) != failed(r, other))
        return failed(r, FIRST) == failed(r, AGAIN);
    return pool->probes[r->runs[FIRST]].reply.failed && ll_run_pool_is_same(pool, r->runs[FIRST], r->runs[AGAIN], -1) &&
           !ll_run_pool_is_same(pool, r->runs[FIRST], r->runs[other], -1);
}

static ll_form_found *add(ll_identify_job *job)
{
    ll_identification *out = job->out;
    ll_form_found *all = ll_grow(out->forms, &job->form_room, out->form_count, sizeof *all);
    if (all == NULL)
        return NULL;
    out->forms = all;
    return &all[out->form_count++];
}

static const char *reason_of(const reading *r, int run)
{
    const ll_reply *reply = &r->job->pool.probes[r->runs[run]].reply;
    return reply->reason != NULL ? reply->reason : "";
}

static void say(ll_form_found *f, const reading *r, int is_chosen, int is_weighed)
{
    ll_kept_texts *texts = r->job->texts;
    if (is_chosen)
        f->evidence = ll_texts_add(
            texts,
            "The labels of all other rows were changed, and %d rows were added behind them: the score stayed the same. One label of a row that is there was changed: the score changed.",
            MORE_ROWS);
    else if (is_weighed)
        f->evidence = ll_texts_add(
            texts, "A row that is sent %d times moves the score more than four times as much as when it is sent once.",
            COPIES + 1);
    else if (f->failure_depends == LL_TRUE)
        f->evidence =
            ll_texts_add(texts, "A submission %s %s with some labels and %s with others; nothing else was changed.",
                         r->form->words, failed(r, FIRST) ? "fails" : "is scored",
                         failed(r, FIRST) == failed(r, ONE) ? "says something else"
                         : failed(r, ONE)                   ? "fails"
                                                            : "is scored");
    else
        f->evidence = ll_texts_add(texts, "A submission %s %s%.200s", r->form->words,
                                   f->accepted == LL_TRUE ? "gets a score." : "is refused: ",
                                   f->accepted == LL_TRUE ? "" : reason_of(r, FIRST));
}

static ll_status read_form(const reading *r, long whole)
{
    ll_form_found *f = add(r->job);
    if (f == NULL)
        return ll_fail(r->job->error, LL_MEMORY, "no memory for the forms of submissions");
    int is_chosen = chooses_rows(r), is_weighed = weighs_copies(r, whole);
    *f = (ll_form_found){
        .name = r->form->name, .words = r->form->words, .reads_row = is_chosen || is_weighed, .evidence = ""};
    f->failure_depends = failure_differs(r, ONE) || failure_differs(r, OTHERS) ? LL_TRUE : LL_FALSE;
    f->accepted = failed(r, FIRST) != failed(r, ONE) ? LL_UNKNOWN : failed(r, FIRST) ? LL_FALSE : LL_TRUE;
    say(f, r, is_chosen, is_weighed);
    if (f->failure_depends == LL_TRUE && r->job->out->failure_depends != LL_TRUE) {
        r->job->out->failure_depends = LL_TRUE;
        r->job->out->failures = f->evidence;
    }
    return LL_OK;
}

static const char *score_name(const ll_identify_job *job)
{
    const ll_numbers *base = &job->pool.numbers[job->same.first];
    for (long i = 0; i < job->out->channel_count; i++) {
        const ll_channel_found *c = &job->out->channels[i];
        const ll_shown *shown = ll_numbers_get(base, c->name, i);
        if (c->is_number && c->depends_on_labels == LL_TRUE && c->is_deterministic == LL_TRUE && shown != NULL &&
            shown->part == 0)
            return c->name;
    }
    return NULL;
}

ll_status ll_identify_forms(ll_identify_job *job)
{
    ll_span span = {0};
    job->out->failure_depends = LL_FALSE;
    job->out->failures = "No submission was found whose failure depends on labels.";
    if (!ll_asker_has(&job->pool.asker, FORMS * RUNS_PER_FORM + 2)) {
        job->out->failure_depends = LL_UNKNOWN;
        job->out->failures = "There was no time left to look at submissions that are not as they should be.";
        return LL_OK;
    }
    ll_status status = ask_all(job, &span);
    long at = span.first + 2;
    for (int i = 0; i < (int)FORMS && status == LL_OK; i++) {
        reading r = {.job = job, .form = &forms[i], .number = score_name(job)};
        for (int run = 0; run < RUNS_PER_FORM; run++)
            r.runs[run] = is_needed(&forms[i], run) ? at++ : -1;
        status = read_form(&r, span.first);
    }
    return status;
}
