/* A history as a whole: what each account knows, what all know together, and what that says of them. */
#include "investigate/account_groups.h"
#include "investigate/suspicion.h"

#include "number/budget.h"
#include "number/text_number.h"
#include "number/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Submissions that are followed together, whatever their accounts: a design among many honest submissions is read more
 * easily without them. A design is looked for in the first, the second, ... of these: the first names the fewest
 * bystanders. The core is what is left of one of them without bystanders, and is followed after the others. */
typedef enum { CROWD_BLIND, CROWD_WEAK, CROWD_ALL, CROWD_CORE, CROWDS } crowd;

/* Labels beyond the number of submissions that make a design. */
static const long gain_of_crowd[CROWDS] = {12, 12, 16, 12};
enum { GAIN_OF_ACCOUNT = 16 };

typedef struct {
    const ll_history *history;
    ll_investigation *out;
    ll_knowledge **alone; /* [account] */
    ll_knowledge *crowds[CROWDS];
    long *after_alone; /* [account * rows + row]: the submission, -1: open */
    ll_history_marks marks;
    ll_design design;
    unsigned char *in_design, *in_core; /* [submission] */
    ll_deadline deadline;
    ll_error *error;
} job;

void ll_investigation_clear(ll_investigation *investigation)
{
    ll_investigation *all = ll_value_whole(investigation, sizeof *all);
    if (all != NULL) {
        for (long i = 0; i < all->account_count && all->accounts != NULL; i++)
            free((char *)all->accounts[i].why);
        free(all->moments);
        free(all->accounts);
        free(all->labels);
        free(all->after);
        free(all->by);
        free(all->untold);
        free(all->verdict);
    }
    ll_value_reset(investigation);
}

const ll_history_moment *ll_investigation_get_moment(const ll_investigation *investigation, long index)
{
    return index >= 0 && index < investigation->moment_count ? &investigation->moments[index] : NULL;
}

const ll_history_account *ll_investigation_get_account(const ll_investigation *investigation, long index)
{
    return index >= 0 && index < investigation->account_count ? &investigation->accounts[index] : NULL;
}

/* ---- setting up ---- */

static void set_moments(const job *j)
{
    const ll_history *h = j->history;
    for (long s = 0; s < h->count; s++) {
        const ll_history_item *item = &h->items[s];
        j->out->moments[s] = (ll_history_moment){.name = item->name,
                                                 .time = item->time,
                                                 .score = item->score,
                                                 .account = item->account,
                                                 .mark = item->mark != NULL ? item->mark : "none",
                                                 .why = item->why};
        j->out->accounts[item->account].submissions++;
    }
}

static ll_status reserve(job *j)
{
    const ll_history *h = j->history;
    ll_investigation *out = j->out;
    size_t rows = (size_t)h->rows, accounts = (size_t)h->account_count, moments = (size_t)h->count;
    out->rows = h->rows;
    out->classes = h->classes;
    out->moment_count = h->count;
    out->account_count = h->account_count;
    out->contradicted = -1;
    out->moments = calloc(moments, sizeof *out->moments);
    out->accounts = calloc(accounts, sizeof *out->accounts);
    out->labels = malloc(sizeof *out->labels * rows);
    out->after = malloc(sizeof *out->after * rows);
    out->by = calloc(rows * accounts, 1);
    j->alone = calloc(accounts, sizeof(ll_knowledge *));
    j->after_alone = malloc(sizeof *j->after_alone * rows * accounts);
    j->in_design = calloc(moments, 1);
    j->in_core = calloc(moments, 1);
    if (!out->moments || !out->accounts || !out->labels || !out->after || !out->by || !j->alone || !j->after_alone ||
        !j->in_design || !j->in_core)
        return LL_MEMORY;
    memset(out->labels, -1, sizeof *out->labels * rows);
    memset(out->after, -1, sizeof *out->after * rows);
    memset(j->after_alone, -1, sizeof *j->after_alone * rows * accounts);
    for (size_t a = 0; a < accounts; a++)
        out->accounts[a].name = h->accounts[a];
    set_moments(j);
    return ll_design_init(&j->design, h->count);
}

static int is_in_crowd(const job *j, crowd c, long s)
{
    return c == CROWD_BLIND  ? j->marks.is_blind[s]
           : c == CROWD_WEAK ? j->marks.is_weak[s]
           : c == CROWD_CORE ? j->in_core[s]
                             : 1;
}

static long count_crowd(const job *j, crowd c)
{
    return c == CROWD_BLIND ? j->marks.blind : c == CROWD_WEAK ? j->marks.weak : j->history->count;
}

static ll_status begin_knowledge(job *j)
{
    const ll_history *h = j->history;
    int complete = 1;
    for (long a = 0; a < h->account_count; a++) {
        j->alone[a] = ll_knowledge_create(h->rows, h->classes, h->revealed, h->count, j->out->accounts[a].submissions,
                                          LL_RESIDUE_LABELS);
        complete = complete && j->alone[a] != NULL;
    }
    for (crowd c = 0; c < CROWDS; c++) {
        j->crowds[c] =
            ll_knowledge_create(h->rows, h->classes, h->revealed, h->count, count_crowd(j, c), LL_RESIDUE_LABELS);
        complete = complete && j->crowds[c] != NULL;
    }
    return complete ? LL_OK : LL_MEMORY;
}

/* ---- one submission after the other ---- */

static void note_contradiction(const job *j, const ll_knowledge *k, long s)
{
    if (j->out->contradicted < 0 && ll_knowledge_is_contradicted(k))
        j->out->contradicted = s;
}

static long find_label(const job *j, long account, long row)
{
    long label = ll_knowledge_get(j->alone[account], row);
    for (crowd c = 0; c < CROWDS && label < 0; c++)
        label = ll_knowledge_get(j->crowds[c], row);
    return label;
}

static void note_labels(const job *j, long s)
{
    const ll_history *h = j->history;
    long a = h->items[s].account;
    for (long i = 0; i < h->rows; i++) {
        long *after = &j->after_alone[a * h->rows + i], label = find_label(j, a, i);
        *after = *after < 0 && ll_knowledge_get(j->alone[a], i) >= 0 ? s : *after;
        if (label >= 0 && j->out->labels[i] < 0) {
            j->out->labels[i] = (int32_t)label;
            j->out->after[i] = s;
            j->out->determined++;
        }
    }
    j->out->moments[s].alone = ll_knowledge_count(j->alone[a]);
    j->out->moments[s].together = j->out->determined;
}

/* One submission more for its account and its crowds. */
static ll_status follow_one(const job *j, long s)
{
    ll_knowledge *alone = j->alone[j->history->items[s].account];
    ll_status status = ll_knowledge_add(alone, s);
    note_contradiction(j, alone, s);
    for (crowd c = 0; c < CROWD_CORE && status == LL_OK; c++)
        if (is_in_crowd(j, c, s)) {
            status = ll_knowledge_add(j->crowds[c], s);
            note_contradiction(j, j->crowds[c], s);
        }
    return status;
}

static ll_status follow(job *j)
{
    const ll_history *h = j->history;
    for (long s = 0; s < h->count; s++) {
        ll_status status = follow_one(j, s);
        if (status != LL_OK)
            return status;
        if (j->out->contradicted < 0)
            note_labels(j, s);
        ll_budget_progress(j->deadline.budget, s + 1, h->count);
        if (ll_deadline_is_over(&j->deadline))
            return ll_fail(j->error, LL_UNABLE, "time is over after %ld of %ld submissions; allow more seconds", s + 1,
                           h->count);
    }
    return LL_OK;
}

/* Scores that contradict each other, or the scorer as described, determine nothing. */
static void forget_labels(const job *j)
{
    ll_investigation *out = j->out;
    memset(out->labels, -1, sizeof *out->labels * (size_t)out->rows);
    memset(out->after, -1, sizeof *out->after * (size_t)out->rows);
    memset(j->after_alone, -1, sizeof *j->after_alone * (size_t)(out->rows * out->account_count));
    out->determined = 0;
    for (long s = 0; s < out->moment_count; s++)
        out->moments[s].alone = out->moments[s].together = 0;
}

/* ---- by whom ---- */

/* An account that determines the label alone is named; the first is the one that counts for `after`. 0: there is none. */
static int name_alone(const job *j, long row)
{
    ll_investigation *out = j->out;
    long first = -1;
    for (long a = 0; a < out->account_count; a++) {
        long after = j->after_alone[a * out->rows + row];
        out->accounts[a].determined += after >= 0;
        out->by[row * out->account_count + a] = after >= 0;
        first = after >= 0 && (first < 0 || after < first) ? after : first;
    }
    out->after[row] = first >= 0 ? first : out->after[row];
    return first >= 0;
}

static ll_status name_accounts(const job *j)
{
    ll_investigation *out = j->out;
    unsigned char *is_shared = calloc((size_t)out->rows + 1, 1);
    if (is_shared == NULL)
        return LL_MEMORY;
    for (long i = 0; i < out->rows; i++)
        is_shared[i] = out->labels[i] >= 0 && !name_alone(j, i);
    ll_status status =
        ll_groups_name(j->history, (const ll_knowledge *const *)j->crowds, CROWDS, is_shared, out->by, out->after);
    for (long i = 0; i < out->rows; i++)
        for (long a = 0; is_shared[i] && a < out->account_count; a++)
            out->accounts[a].shared += out->by[i * out->account_count + a];
    free(is_shared);
    return status;
}

/* ---- suspicion ---- */

static void take_design(job *j)
{
    for (long s = 0; s < j->history->count; s++)
        j->in_design[s] |= (unsigned char)ll_design_has(&j->design, s);
}

/* The first crowd that reads half of what any reads; the first of all, where none reads enough. */
static crowd choose_crowd(job *j)
{
    long most = 0;
    crowd best = CROWD_BLIND;
    for (crowd c = 0; c < CROWD_CORE; c++)
        if (ll_design_find(&j->design, j->history, j->crowds[c], gain_of_crowd[c]) && j->design.labels > 2 * most) {
            most = j->design.labels;
            best = c;
        }
    return best;
}

/* Labels that the core alone reads, or reads earlier. */
static void note_core(const job *j, long s)
{
    for (long i = 0; i < j->out->rows; i++) {
        long label = ll_knowledge_get(j->crowds[CROWD_CORE], i);
        if (label < 0 || (j->out->after[i] >= 0 && j->out->after[i] <= s))
            continue;
        j->out->determined += j->out->labels[i] < 0;
        j->out->labels[i] = (int32_t)label;
        j->out->after[i] = s;
    }
}

static void count_together(const job *j)
{
    for (long s = 0; s < j->out->moment_count; s++) {
        long count = 0;
        for (long i = 0; i < j->out->rows; i++)
            count += j->out->after[i] >= 0 && j->out->after[i] <= s;
        j->out->moments[s].together = count;
    }
}

static ll_status follow_core(const job *j)
{
    ll_status status = LL_OK;
    for (long s = 0; s < j->history->count && status == LL_OK; s++)
        if (j->in_core[s]) {
            status = ll_knowledge_add(j->crowds[CROWD_CORE], s);
            note_core(j, s);
        }
    count_together(j);
    return status;
}

/* Of all accounts together. */
static ll_status find_common_design(job *j)
{
    const ll_history *h = j->history;
    crowd c = choose_crowd(j);
    for (long s = 0; s < h->count; s++)
        j->in_core[s] = (unsigned char)is_in_crowd(j, c, s);
    ll_status status = ll_history_drop_bystanders(h, j->in_core, j->out->labels);
    if (status == LL_OK)
        status = follow_core(j);
    if (status == LL_OK && ll_design_find(&j->design, h, j->crowds[CROWD_CORE], gain_of_crowd[CROWD_CORE]))
        take_design(j);
    return status;
}

static ll_status find_designs(job *j)
{
    for (long a = 0; a < j->history->account_count; a++)
        if (ll_design_find(&j->design, j->history, j->alone[a], GAIN_OF_ACCOUNT))
            take_design(j);
    return find_common_design(j);
}

/* How many submissions of an account bear each kind of mark. */
typedef struct {
    long coded, steps, designs;
} mark_counts;

/* Honest models with few different numbers read labels, too, but what they submit knows the labels; a design does not. */
static int is_informed(const job *j, long account)
{
    enum { LEAST_LABELS = 16 };
    const double most = 3.5; /* deviations: 2 of 10,000 designs pass it by chance */
    return j->out->determined >= LEAST_LABELS && ll_history_agreement(j->history, account, j->out->labels) > most;
}

/* A file by itself is said to be coded where it also has nothing in common with the others. */
static mark_counts count_marks(const job *j, long account)
{
    mark_counts counts = {0};
    for (long s = 0; s < j->out->moment_count; s++)
        if (j->out->moments[s].account == account) {
            counts.coded += j->history->items[s].mark != NULL && j->marks.is_weak[s];
            counts.steps += j->marks.is_step[s];
            counts.designs += j->in_design[s];
        }
    return counts;
}

static void mark_moments(const job *j, long account, int has_design)
{
    for (long s = 0; s < j->out->moment_count; s++) {
        ll_history_moment *m = &j->out->moments[s];
        if (m->account != account)
            continue;
        m->is_weak = j->marks.is_weak[s];
        int in_design = has_design && j->in_design[s];
        if (j->history->items[s].mark == NULL && (j->marks.is_step[s] || in_design)) {
            m->mark = in_design ? "design" : "step";
            m->why = in_design
                         ? "Together with others it reads more labels than honest scores usually tell."
                         : "It differs from other submissions in one row, as many of them do, each in another row.";
        }
        j->out->accounts[account].marked += m->why != NULL;
    }
}

static char *write_why(const ll_history_account *a, const mark_counts *c)
{
    char text[480];
    size_t used = 0;
    const struct {
        long count;
        const char *one, *many;
    } parts[] = {{c->coded, "%ld submission looks built to read labels", "%ld submissions look built to read labels"},
                 {c->designs, "%ld submission is part of a design that reads labels",
                  "%ld submissions are parts of a design that reads labels"},
                 {c->steps, "%ld submission touches one row", "%ld submissions touch one row after the other"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count > 0) {
            used += (size_t)ll_print(text + used, sizeof text - used, "%s", used > 0 ? "; " : "");
            used += (size_t)ll_print(text + used, sizeof text - used,
                                     parts[i].count == 1 ? parts[i].one : parts[i].many, parts[i].count);
        }
    (void)ll_print(text + used, sizeof text - used, ", of %ld.", a->submissions);
    return strdup(text);
}

/* An account whose submissions know nothing of the labels is suspected for one that is coded or part of a design. One row
 * after the other is suspicious by itself. */
static ll_status suspect(const job *j)
{
    enum { SEVERAL = 3 };
    for (long a = 0; a < j->out->account_count; a++) {
        ll_history_account *account = &j->out->accounts[a];
        mark_counts counts = count_marks(j, a);
        int knows = is_informed(j, a);
        counts.designs = knows ? 0 : counts.designs;
        counts.coded = knows ? 0 : counts.coded;
        mark_moments(j, a, counts.designs > 0);
        account->is_suspicious = counts.coded > 0 || counts.designs > 0 || counts.steps >= SEVERAL;
        j->out->suspicious += account->is_suspicious;
        if (account->is_suspicious && (account->why = write_why(account, &counts)) == NULL)
            return LL_MEMORY;
    }
    return LL_OK;
}

/* ---- the sentence ---- */

static ll_status write_verdict(const job *j)
{
    ll_investigation *out = j->out;
    char text[480];
    if (out->contradicted >= 0)
        (void)ll_print(
            text, sizeof text,
            "No labels explain the score of %s together with those before it: the scores, or the scorer, are "
            "not as described, and no label is called determined.",
            out->moments[out->contradicted].name);
    else if (out->untold != NULL)
        (void)ll_print(text, sizeof text, "Nothing is certain from such scores (%s); marks were looked for.",
                       out->untold);
    else
        (void)ll_print(text, sizeof text, "The scores of %ld submissions by %ld account%s determine %ld of %ld labels.",
                       out->moment_count, out->account_count, out->account_count == 1 ? "" : "s", out->determined,
                       out->rows);
    size_t used = strlen(text);
    if (out->suspicious == 0)
        (void)ll_print(text + used, sizeof text - used,
                       " No account has submissions that only make sense as parts of a design.");
    else
        (void)ll_print(text + used, sizeof text - used, " %ld account%s submissions that look built to read labels.",
                       out->suspicious, out->suspicious == 1 ? " has" : "s have");
    out->verdict = strdup(text);
    return out->verdict != NULL ? LL_OK : LL_MEMORY;
}

/* ---- all together ---- */

static ll_status run(job *j)
{
    const ll_history *h = j->history;
    ll_status status = reserve(j);
    if (status == LL_OK)
        status = ll_history_marks_find(&j->marks, h);
    if (status == LL_OK)
        status = begin_knowledge(j);
    if (status == LL_OK)
        status = follow(j);
    if (status == LL_OK && j->out->contradicted < 0)
        status = find_designs(j);
    if (status == LL_OK && j->out->contradicted >= 0)
        forget_labels(j);
    if (status == LL_OK)
        status = name_accounts(j);
    if (status == LL_OK)
        status = suspect(j);
    j->out->is_complete = j->crowds[CROWD_ALL] != NULL && ll_knowledge_is_complete(j->crowds[CROWD_ALL]);
    if (status == LL_OK && !h->tells && (j->out->untold = strdup(h->reason.text)) == NULL)
        status = LL_MEMORY;
    return status == LL_OK ? write_verdict(j) : status;
}

static void clear_job(job *j)
{
    for (long a = 0; a < j->history->account_count && j->alone != NULL; a++)
        ll_knowledge_destroy(j->alone[a]);
    for (crowd c = 0; c < CROWDS; c++)
        ll_knowledge_destroy(j->crowds[c]);
    ll_history_marks_clear(&j->marks);
    ll_design_clear(&j->design);
    free((void *)j->alone);
    free(j->after_alone);
    free(j->in_design);
    free(j->in_core);
}

ll_status ll_history_investigate(const ll_history *h, ll_investigation *out, const ll_budget *budget, ll_error *error)
{
    ll_investigation made;
    job j = {.history = h, .out = &made, .deadline = ll_deadline_start(budget), .error = error};
    if (h->count == 0)
        return ll_fail(error, LL_DOMAIN, "no submission: there is nothing to investigate");
    ll_investigation_init(&made);
    ll_status status = run(&j);
    clear_job(&j);
    if (status == LL_MEMORY)
        status = ll_fail(error, status, "no memory for a history of %ld submissions", h->count);
    if (status == LL_OK) {
        ll_investigation_clear(out);
        status = ll_value_give(out, &made, sizeof made, error);
    }
    if (status != LL_OK)
        ll_investigation_clear(&made);
    return status;
}
