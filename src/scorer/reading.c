#include "scorer/reading.h"

#include "number/exact.h"

/* ---- which ---- */

/* Of one column. */
static int is_ranking(const ll_metric *metric)
{
    return ll_metric_view(metric) == LL_VIEW_RANKS && !ll_metric_is_one_vs_rest(metric);
}

/* Scores of classes, which may be any numbers; targets are one. */
static int has_column_a_class(const ll_metric *metric)
{
    return ll_metric_form(metric) == LL_FORM_RANK;
}

ll_status ll_reading_find(ll_reading_kind *out, const ll_metric *first, const ll_scorer *number, ll_error *error)
{
    const ll_metric *metric = number->computation.metric;
    ll_input from = ll_metric_input(first), to = ll_metric_input(metric);
    int two = number->classes <= 2, targets = ll_metric_takes_targets(first) || ll_metric_takes_targets(metric);
    *out = LL_READ_ALL;
    if (is_ranking(first) == is_ranking(metric) && from == to &&
        has_column_a_class(first) == has_column_a_class(metric))
        return LL_OK;
    int of_rows = from == LL_INPUT_PROBABILITY || from == LL_INPUT_LOGIT || ll_metric_view(first) == LL_VIEW_RANKS;
    int of_classes = ll_metric_is_one_vs_rest(first) || ll_metric_is_one_vs_rest(metric);
    if (!targets && of_classes && (from == LL_INPUT_PROBABILITY || to == LL_INPUT_PROBABILITY))
        return LL_OK;
    if (!targets && to == LL_INPUT_LABEL && of_rows) {
        *out = from == LL_INPUT_LOGIT ? LL_READ_CLASS_OF_LOGITS : LL_READ_CLASS;
        return LL_OK;
    }
    if (!targets && is_ranking(metric) && (of_rows || from == LL_INPUT_LABEL)) {
        *out = LL_READ_LAST;
        return LL_OK;
    }
    if (!targets && to == LL_INPUT_PROBABILITY && from == LL_INPUT_LABEL && two)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "it reads a %s%s, and the submission is one of %s, a %s%s",
                   ll_metric_row(metric)->input, has_column_a_class(metric) ? " a class" : "",
                   ll_metric_row(first)->name, ll_metric_row(first)->input,
                   has_column_a_class(first) ? " a class" : "");
}

/* ---- rows ---- */

static double entry_of(const ll_block *block, long at)
{
    return block->entries == LL_ENTRIES_DOUBLE  ? block->doubles[at]
           : block->entries == LL_ENTRIES_FLOAT ? (double)block->floats[at]
                                                : ll_exact_get_d(block->exacts + at);
}

/* Of numbers that doubles cannot tell apart, too. */
static int is_above(const ll_block *block, long a, long b)
{
    if (block->entries == LL_ENTRIES_EXACT)
        return ll_exact_cmp(block->exacts + a, block->exacts + b) > 0;
    return entry_of(block, a) > entry_of(block, b);
}

static int is_above_half(const ll_block *block, long at)
{
    ll_exact half;
    if (block->entries != LL_ENTRIES_EXACT)
        return entry_of(block, at) > 0.5;
    ll_exact_init(&half);
    ll_exact_set_d(&half, 0.5);
    int above = ll_exact_cmp(block->exacts + at, &half) > 0;
    ll_exact_clear(&half);
    return above;
}

static long class_of(const ll_reading_view *view, long row)
{
    const ll_block *block = &view->block;
    long columns = view->all->columns, best = 0, at = row * columns;
    if (columns == 1)
        return view->kind == LL_READ_CLASS ? is_above_half(block, at) : entry_of(block, at) > 0;
    for (long c = 1; c < columns; c++)
        if (is_above(block, at + c, at + best))
            best = c;
    return best;
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
                          const ll_predictions *all)
{
    *view = (ll_reading_view){.kind = number->reading, .all = all};
    ll_block_init(&view->block);
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
    ll_block_clear(&view->block);
}
