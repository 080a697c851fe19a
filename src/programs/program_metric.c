#include "programs/program_metric.h"

#include "programs/run_program.h"

#include <math.h>
#include <stdlib.h>

struct ll_program_metric {
    const ll_policy *policy;
    ll_run_program *running; /* NULL: it has ended, and is started again for the next submission */
};

static const char *text_or(const char *text, const char *other)
{
    return text != NULL ? text : other;
}

/* Files have one form, whatever is in them: which one is not tried out on the host's labels. */
static ll_status start(ll_program_metric *p, ll_error *error)
{
    const char *why_not, *sandbox = ll_policy_get_program(p->policy, "sandbox");
    ll_program_options options = {.program = ll_policy_get_program(p->policy, "command"),
                                  .interface = text_or(ll_policy_get_program(p->policy, "interface"), "pair"),
                                  .examples = ll_policy_get_program(p->policy, "examples"),
                                  .field = ll_policy_get_program(p->policy, "field"),
                                  .phase = ll_policy_get_program(p->policy, "phase"),
                                  .format = text_or(ll_policy_get_program(p->policy, "format"), "csv"),
                                  .without_sandbox = sandbox != NULL && sandbox[0] == 'n' && sandbox[1] == 'o'};
    ll_status status = p->running == NULL ? ll_run_program_open(&p->running, &options, error) : LL_OK;
    if (status == LL_OK && !options.without_sandbox && !ll_run_program_is_sandboxed(p->running, &why_not))
        status = ll_fail(error, LL_SYSTEM, "the program of the policy needs a sandbox: %s", why_not);
    return status;
}

/* ---- one run ---- */

typedef struct {
    double *labels, *entries;
    long *ids;
} arrays;

static void clear(arrays *a)
{
    free(a->labels);
    free(a->entries);
    free(a->ids);
}

static ll_status reserve(arrays *a, long rows, long columns, ll_error *error)
{
    a->labels = calloc((size_t)rows, sizeof *a->labels);
    a->entries = calloc((size_t)rows * (size_t)columns, sizeof *a->entries);
    a->ids = calloc((size_t)rows, sizeof *a->ids);
    return a->labels != NULL && a->entries != NULL && a->ids != NULL
               ? LL_OK
               : ll_fail(error, LL_MEMORY, "no memory for %ld rows", rows);
}

static double entry_of(const ll_block *block, long index)
{
    return block->entries == LL_ENTRIES_DOUBLE  ? block->doubles[index]
           : block->entries == LL_ENTRIES_FLOAT ? (double)block->floats[index]
                                                : ll_exact_double(block->exacts, index);
}

static ll_status read_entries(double *out, const ll_predictions *p, ll_error *error)
{
    enum { ROWS = 4096 };
    ll_block block;
    ll_status status = LL_OK;
    ll_block_init(&block);
    for (long first = 0; first < p->rows && status == LL_OK; first += ROWS) {
        long rows = p->rows - first < ROWS ? p->rows - first : ROWS;
        status = p->get(p->self, &block, first, rows, error);
        for (long i = 0; i < rows * p->columns && status == LL_OK; i++)
            out[first * p->columns + i] = entry_of(&block, i);
    }
    ll_block_clear(&block);
    return status;
}

static ll_status run(ll_program_metric *p, double *score, const arrays *a, long rows, long columns, ll_error *error)
{
    long classes = ll_scorer_get_count(ll_policy_get_scorer(p->policy), "classes");
    ll_run one = {.rows = rows,
                  .classes = classes > 0 ? classes : 2,
                  .labels = a->labels,
                  .sent = rows,
                  .ids = a->ids,
                  .columns = columns,
                  .entries = a->entries};
    for (long i = 0; i < rows; i++)
        a->ids[i] = i;
    ll_status status = start(p, error);
    if (status == LL_OK)
        status = ll_run_program_score(p->running, score, &one, ll_policy_get_program(p->policy, "score"), error);
    if (status != LL_OK) {
        ll_run_program_close(p->running);
        p->running = NULL;
    }
    return status;
}

/* An ll_guard_metric. */
static ll_status score_rows(void *self, double *score, const int32_t *labels, long n, const ll_predictions *predictions,
                            ll_error *error)
{
    arrays a = {0};
    ll_status status = reserve(&a, n, predictions->columns, error);
    for (long i = 0; i < n && status == LL_OK; i++)
        a.labels[i] = labels[i];
    if (status == LL_OK)
        status = read_entries(a.entries, predictions, error);
    if (status == LL_OK)
        status = run(self, score, &a, n, predictions->columns, error);
    clear(&a);
    return status;
}

/* Labels 0, 1, 0, 1, ..., and a submission that has them all right. */
static ll_status try_out(ll_program_metric *p, ll_error *error)
{
    arrays a = {0};
    double score = (double)NAN;
    long rows = ll_scorer_get_count(ll_policy_get_scorer(p->policy), "rows");
    ll_status status = reserve(&a, rows, 1, error);
    for (long i = 0; i < rows && status == LL_OK; i++)
        a.labels[i] = a.entries[i] = (double)(i % 2);
    if (status == LL_OK)
        status = run(p, &score, &a, rows, 1, error);
    if (status == LL_OK && !isfinite(score))
        status = ll_fail(error, LL_DOMAIN,
                         "the program of the policy shows no number on labels that are made up; look with: lossleak "
                         "identify --program, and at the policy's \"score\"");
    clear(&a);
    return status;
}

/* NULL where the policy names none. */
static ll_status open_program(ll_program_metric **out, const ll_policy *policy, ll_error *error)
{
    *out = NULL;
    if (ll_policy_get_program(policy, "command") == NULL && ll_policy_get_program(policy, "interface") == NULL)
        return LL_OK;
    ll_program_metric *p = calloc(1, sizeof *p);
    if (p == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a program");
    p->policy = policy;
    ll_status status = try_out(p, error);
    if (status != LL_OK)
        ll_program_metric_close(p);
    else
        *out = p;
    return status;
}

ll_status ll_program_metric_check(const ll_policy *policy, ll_error *error)
{
    ll_program_metric *p = NULL;
    ll_status status = open_program(&p, policy, error);
    ll_program_metric_close(p);
    return status;
}

ll_status ll_program_metric_use(ll_program_metric **out, ll_guard *guard, ll_error *error)
{
    ll_status status = open_program(out, ll_guard_get_policy(guard), error);
    return status == LL_OK && *out != NULL ? ll_guard_set_metric(guard, score_rows, *out, error) : status;
}

void ll_program_metric_close(ll_program_metric *p)
{
    if (p == NULL)
        return;
    ll_run_program_close(p->running);
    free(p);
}
