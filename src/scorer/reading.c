#include "scorer/reading.h"

#include "number/exact.h"
#include "number/refuse.h"

#include <math.h>
#include <string.h>

/* ---- which ---- */

/* Of one column: its order counts. */
static int is_ranking(const ll_metric *metric)
{
    return ll_metric_takes_labels(metric) && !ll_metric_reads_labels(metric);
}

/* Of a column per class: the order of each counts. */
static int is_ranking_classes(const ll_metric *metric)
{
    return ll_metric_reads_order(metric) && !ll_metric_has_terms(metric);
}

/* Do predictions say how likely each class is? */
static int says_classes(const ll_metric *metric)
{
    return ll_metric_reads_probabilities(metric) || ll_metric_reads_logits(metric) || is_ranking(metric) ||
           is_ranking_classes(metric);
}

static ll_status fail_reading(const ll_metric *first, const ll_metric *metric, ll_error *error)
{
    return ll_fail(error, LL_DOMAIN, "it reads a %s%s, and the submission is one of %s, a %s%s",
                   ll_metric_row(metric)->input, ll_metric_reads_order(metric) ? " a class" : "",
                   ll_metric_row(first)->name, ll_metric_row(first)->input,
                   ll_metric_reads_order(first) ? " a class" : "");
}

ll_status ll_reading_find(ll_reading_kind *out, const ll_metric *first, const ll_scorer *number, ll_error *error)
{
    const ll_metric *metric = number->computation.metric;
    int of_classes = is_ranking_classes(first) || is_ranking_classes(metric);
    *out = LL_READ_ALL;
    if (is_ranking(first) == is_ranking(metric) && ll_metric_reads_alike(first, metric) &&
        ll_metric_reads_order(first) == ll_metric_reads_order(metric))
        return LL_OK;
    if (ll_metric_takes_targets(first) || ll_metric_takes_targets(metric))
        return fail_reading(first, metric, error);
    if (of_classes && (ll_metric_reads_probabilities(first) || ll_metric_reads_probabilities(metric)))
        return LL_OK;
    if (ll_metric_reads_labels(metric) && says_classes(first))
        *out = ll_metric_reads_logits(first) ? LL_READ_CLASS_OF_LOGITS : LL_READ_CLASS;
    else if (is_ranking(metric) && (says_classes(first) || ll_metric_reads_labels(first)))
        *out = LL_READ_LAST;
    else if (!ll_metric_reads_probabilities(metric) || !ll_metric_reads_labels(first) || number->classes > 2)
        return fail_reading(first, metric, error);
    return LL_OK;
}

/* ---- the threshold ---- */

static int reads_classes(const ll_scorer *number)
{
    return number->reading == LL_READ_CLASS || number->reading == LL_READ_CLASS_OF_LOGITS;
}

int ll_scorer_reads_classes(const ll_scorer *s)
{
    int reads = 0;
    for (long i = 0; i < ll_scorer_count_numbers(s); i++)
        reads |= reads_classes(ll_scorer_get_number(s, i));
    return reads;
}

/* Words in front of a threshold, and whether it is class 1 itself; without one that is not known. */
static const struct {
    const char *word;
    int takes_tie;
} sides[] = {{"above:", 0}, {"from:", 1}};

/* The number behind such a word, or the text. *side: its place, or -1. */
static const char *find_number(const char *text, int *side)
{
    *side = -1;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        if (strncmp(text, sides[i].word, strlen(sides[i].word)) == 0) {
            *side = (int)i;
            return text + strlen(sides[i].word);
        }
    return text;
}

static int is_word(const char *text)
{
    return strcmp(text, "open") == 0 || strcmp(text, "argmax") == 0;
}

ll_status ll_threshold_check(const char *text, ll_error *error)
{
    int side;
    ll_exact x;
    const char *number = find_number(text, &side);
    if (is_word(text))
        return LL_OK;
    ll_exact_init(&x);
    int good =
        strlen(number) < 40 && ll_exact_set_text(&x, number, strlen(number)) == LL_OK && fabs(ll_exact_get_d(&x)) < 1e9;
    ll_exact_clear(&x);
    return good ? LL_OK
                : ll_refuse(error, ll_setting_name(LL_SET_THRESHOLD), text, "not a number below 1e9",
                            "0.5, above:0.5, from:0.5, argmax or open");
}

ll_status ll_threshold_resolve(const ll_scorer *number, ll_error *error)
{
    const char *text = ll_scorer_text(number, LL_SET_THRESHOLD);
    if (!reads_classes(number) || is_word(text) || number->classes <= 2)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "threshold %.60s: of %ld classes the greatest column is taken: argmax or open",
                   text, number->classes);
}

int ll_reading_is_shared(const ll_scorer *number, const ll_scorer *other)
{
    if (reads_classes(number) != reads_classes(other))
        return 0;
    return !reads_classes(number) ||
           strcmp(ll_scorer_text(number, LL_SET_THRESHOLD), ll_scorer_text(other, LL_SET_THRESHOLD)) == 0;
}

/* open: the greatest column and, of two classes, the last one against a half, each with ties on either side. */
long ll_reading_ways(const ll_scorer *number)
{
    int side;
    if (!reads_classes(number)) /* asked for every answer: before the text is looked for */
        return 1;
    const char *text = ll_scorer_text(number, LL_SET_THRESHOLD);
    if (strcmp(text, "argmax") == 0)
        return 1;
    if (strcmp(text, "open") == 0)
        return number->classes <= 2 && number->reading == LL_READ_CLASS ? LL_MOST_WAYS : 2;
    (void)find_number(text, &side);
    return side < 0 ? 2 : 1;
}

static void set_rule(ll_reading_rule *out, const ll_scorer *number, long columns, long way)
{
    int side;
    const char *text = ll_scorer_text(number, LL_SET_THRESHOLD), *at = find_number(text, &side);
    way %= ll_reading_ways(number);
    *out = (ll_reading_rule){.takes_tie = side < 0 ? (int)(way % 2) : sides[side].takes_tie};
    ll_exact_init(&out->at);
    out->is_argmax = is_word(text) && columns > 1 && way < 2;
    int is_given = !is_word(text) && ll_exact_set_text(&out->at, at, strlen(at)) == LL_OK;
    if (!is_given && number->reading == LL_READ_CLASS)
        ll_exact_set_d(&out->at, 0.5);
}

/* ---- rows ---- */

static double entry_of(const ll_block *block, long at)
{
    return block->entries == LL_ENTRIES_DOUBLE  ? block->doubles[at]
           : block->entries == LL_ENTRIES_FLOAT ? (double)block->floats[at]
                                                : ll_exact_get_d(block->exacts + at);
}

/* x in the program's format. */
static void hold(const ll_reading_view *view, ll_exact *out, double x)
{
    ll_exact_set_d(out, view->fraction_bits == 23 ? (double)(float)x : x);
}

/* As the program holds it. */
static void get_entry(const ll_reading_view *view, ll_exact *out, long at)
{
    const ll_block *block = &view->block;
    if (block->entries == LL_ENTRIES_EXACT && view->fraction_bits == 0) {
        ll_exact_set(out, block->exacts + at);
        return;
    }
    hold(view, out, entry_of(block, at));
}

static int is_beyond(const ll_reading_view *view, const ll_exact *a, const ll_exact *b)
{
    int order = ll_exact_cmp(a, b);
    return order > 0 || (order == 0 && view->rule.takes_tie);
}

static long greatest(const ll_reading_view *view, long at)
{
    long best = 0;
    ll_exact most, x;
    ll_exact_init(&most);
    ll_exact_init(&x);
    get_entry(view, &most, at);
    for (long c = 1; c < view->all->columns; c++) {
        get_entry(view, &x, at + c);
        if (!is_beyond(view, &x, &most))
            continue;
        best = c;
        ll_exact_set(&most, &x);
    }
    ll_exact_clear(&most);
    ll_exact_clear(&x);
    return best;
}

static int is_number(const ll_reading_view *view, long at)
{
    double x = view->block.entries == LL_ENTRIES_EXACT && view->fraction_bits == 0 ? 0 : entry_of(&view->block, at);
    return isfinite(view->fraction_bits == 23 ? (float)x : x);
}

/* What is no number is class 0 here: whoever reads the predictions themselves refuses it. */
static long class_of(const ll_reading_view *view, long row)
{
    long columns = view->all->columns;
    ll_exact x;
    for (long c = 0; c < columns; c++)
        if (!is_number(view, row * columns + c))
            return 0;
    if (view->rule.is_argmax)
        return greatest(view, row * columns);
    ll_exact_init(&x);
    get_entry(view, &x, (row + 1) * columns - 1);
    int beyond = is_beyond(view, &x, &view->rule.at);
    ll_exact_clear(&x);
    return beyond;
}

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    ll_reading_view *view = self;
    ll_status status = view->all->get(view->all->self, &view->block, first, count, error);
    if (status != LL_OK)
        return status;
    double *to = ll_block_reserve_doubles(out, count, 1);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of predictions", count);
    for (long i = 0; i < count; i++)
        to[i] = view->kind == LL_READ_LAST ? entry_of(&view->block, (i + 1) * view->all->columns - 1)
                                           : (double)class_of(view, i);
    return LL_OK;
}

static void where(void *self, char *text, size_t size, long row)
{
    const ll_reading_view *view = self;
    view->all->where(view->all->self, text, size, row);
}

void ll_reading_view_init(ll_reading_view *view, ll_predictions *out, const ll_scorer *number,
                          const ll_predictions *all, long way)
{
    const ll_computation *how = &number->computation;
    *view = (ll_reading_view){.kind = number->reading, .all = all};
    view->fraction_bits = how->kind == LL_KIND_EXACT ? 0 : (int)how->rows.format.fraction_bits;
    ll_block_init(&view->block);
    set_rule(&view->rule, number, all->columns, way);
    if (view->fraction_bits > 0) /* a threshold of 0.7 is the float that a prediction of 0.7 is */
        hold(view, &view->rule.at, ll_exact_get_d(&view->rule.at));
    *out = *all;
    if (view->kind == LL_READ_ALL || (view->kind == LL_READ_LAST && all->columns == 1))
        return;
    *out = (ll_predictions){.self = view,
                            .rows = all->rows,
                            .columns = 1,
                            .entries = LL_ENTRIES_DOUBLE,
                            .get = get,
                            .where = all->where != NULL ? where : NULL};
}

void ll_reading_view_clear(ll_reading_view *view)
{
    ll_exact_clear(&view->rule.at);
    ll_block_clear(&view->block);
}

/* ---- ways ---- */

typedef struct {
    ll_predictions *other;
    int same;
} comparison;

static ll_status compare_block(void *state, const ll_block *block, long first, ll_error *error)
{
    comparison *c = state;
    ll_block theirs;
    ll_block_init(&theirs);
    ll_status status = c->other->get(c->other->self, &theirs, first, block->rows, error);
    for (long i = 0; status == LL_OK && i < block->rows; i++)
        c->same &= block->doubles[i] == theirs.doubles[i];
    ll_block_clear(&theirs);
    return status;
}

ll_status ll_reading_compare(const ll_scorer *number, const ll_predictions *all, long way, long other, int *same,
                             ll_error *error)
{
    ll_reading_view a, b;
    ll_predictions one, two;
    comparison c = {.other = &two, .same = 1};
    long ways = ll_reading_ways(number);
    *same = way % ways == other % ways;
    if (*same)
        return LL_OK;
    ll_reading_view_init(&a, &one, number, all, way);
    ll_reading_view_init(&b, &two, number, all, other);
    ll_status status = ll_rows_each(&one, compare_block, &c, error);
    ll_reading_view_clear(&a);
    ll_reading_view_clear(&b);
    *same = c.same;
    return status;
}
