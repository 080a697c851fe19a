/* Inspection of predictions for metrics of counts and ranks. Rows with equal predictions are a group: the score depends on
 * how many rows of each group have which label, and on nothing else. */
#include "audit/inspect_groups.h"

#include "audit/positions.h"
#include "audit/read_values.h"
#include "number/text_number.h"
#include "scorer/several.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const ll_scorer *scorer;
    long rows, columns, classes, kinds, groups;
    double *values;   /* [row * columns] */
    int32_t *symbols; /* [row]: the class, or the place among all different numbers */
    long *sizes;      /* [group] */
} grouping;

/* ---- reading ---- */

static ll_status read_all(grouping *g, const ll_predictions *predictions, double max_memory, ll_error *error)
{
    double bytes = (double)g->rows * (8 * (double)g->columns + 96);
    if (bytes > max_memory)
        return ll_fail(error, LL_UNABLE, "%ld rows of %ld columns need %.3g bytes of memory, %.3g are allowed", g->rows,
                       g->columns, bytes, max_memory);
    g->values = malloc(sizeof *g->values * (size_t)(g->rows * g->columns));
    g->symbols = calloc((size_t)g->rows, sizeof *g->symbols);
    g->sizes = calloc((size_t)g->rows, sizeof *g->sizes);
    if (g->values == NULL || g->symbols == NULL || g->sizes == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", g->rows);
    ll_status status = ll_read_values(g->values, predictions, error);
    for (long i = 0; i < g->rows * g->columns && status == LL_OK; i++)
        if (!isfinite(g->values[i]))
            status =
                ll_rows_fail(predictions, i / g->columns, error, LL_DOMAIN, "a prediction must be a finite number");
    return status;
}

/* ---- groups ---- */

typedef struct {
    const double *values;
    long columns, row;
} sorted_row;

static int compare(const void *a, const void *b)
{
    const sorted_row *x = a, *y = b;
    for (long c = 0; c < x->columns; c++)
        if (x->values[c] != y->values[c])
            return x->values[c] < y->values[c] ? -1 : 1;
    return 0;
}

static int32_t largest_column(const double *values, long columns)
{
    int32_t best = 0;
    for (int32_t c = 1; c < columns; c++)
        best = values[c] > values[best] ? c : best;
    return best;
}

/* Of one column the symbols are the groups, of several the columns that are largest. */
static ll_status find_groups(grouping *g, ll_error *error)
{
    sorted_row *order = malloc(sizeof *order * (size_t)g->rows);
    if (order == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", g->rows);
    for (long i = 0; i < g->rows; i++)
        order[i] = (sorted_row){g->values + i * g->columns, g->columns, i};
    qsort(order, (size_t)g->rows, sizeof *order, compare);
    for (long i = 0; i < g->rows; i++) {
        g->groups += i == 0 || compare(&order[i - 1], &order[i]) != 0;
        g->sizes[g->groups - 1]++;
        g->symbols[order[i].row] =
            g->columns == 1 ? (int32_t)g->groups - 1 : largest_column(order[i].values, g->columns);
    }
    g->kinds = g->columns == 1 ? g->groups : g->columns;
    free(order);
    return LL_OK;
}

/* ---- bits ---- */

/* log2 of C(rows + K - 1, K - 1), the numbers of labels of each class in a group; in all no more than every label says. */
static double count_labels(const grouping *g)
{
    double bits = 0, classes = (double)g->classes;
    for (long i = 0; i < g->groups; i++) {
        double n = (double)g->sizes[i];
        bits += (lgamma(n + classes) - lgamma(classes) - lgamma(n + 1)) / log(2);
    }
    return fmin(bits, (double)g->rows * log2(classes));
}

/* log2 of the number of answers in the range of the metric; that there is no number may be one, too. */
static double count_answers(const grouping *g)
{
    const ll_release *release = &g->scorer->release;
    ll_release_figures figures = ll_release_get_figures(release);
    double least, most, low, high, grid = fmax(figures.grid, figures.step), bits = INFINITY;
    ll_metric_range(g->scorer->computation.metric, &least, &most);
    ll_release_get_range(release, &low, &high, least, most);
    if (grid > 0 && isfinite(high - low))
        bits = log2(ceil((high - low) / grid) + 2);
    if (ll_release_has_any_law(release) && figures.noise > 0 && isfinite(high - low))
        bits = fmin(bits, log2((high - low) / (2 * figures.noise) + 2));
    return bits;
}

/* ---- the sentence ---- */

/* The one row that differs from all others; -1: there is none. */
static long find_single(const grouping *g)
{
    if (g->groups != 2 || g->rows < 3 || (g->sizes[0] != 1 && g->sizes[1] != 1))
        return -1;
    long odd = 0;
    while (odd + 2 < g->rows && g->symbols[odd] == g->symbols[odd + 1])
        odd++;
    return odd == 0 ? (g->symbols[0] == g->symbols[2] ? 1 : 0) : odd + 1;
}

static char *write_why(const grouping *g, const ll_inspection *out, const ll_trace *mark)
{
    char text[600], single[160] = "";
    if (find_single(g) >= 0)
        (void)ll_print(single, sizeof single,
                       " All rows but row %ld say the same: beside a constant's score it may tell that row's label.",
                       find_single(g));
    if (out->finding == LL_FINDING_CODED)
        (void)ll_print(text, sizeof text, "%s.", mark->text);
    else if (out->finding == LL_FINDING_CONSTANT)
        (void)ll_print(text, sizeof text,
                       "every row is the same, so the score tells how many labels of each class there are, at most.");
    else
        (void)ll_print(
            text, sizeof text,
            "nothing marks %ld rows with %ld different predictions as a construction.%s That is no proof: one "
            "file of a design whose rows are shuffled looks like one of a bad model. Its score tells up to "
            "%.4g of the %.4g bits of the labels, as an honest model's may.",
            g->rows, g->groups, single, out->bits, (double)g->rows * log2((double)g->classes));
    return strdup(text);
}

static ll_status inspect(ll_inspection *out, const grouping *g, ll_error *error)
{
    ll_trace mark = {.name = g->groups == 1 ? "constant" : "none"};
    out->rows = g->rows;
    out->classes = g->classes;
    out->different = g->groups;
    out->label_bits = count_labels(g);
    out->value_bits = count_answers(g);
    out->spread_bits = INFINITY;
    out->bits = fmax(0, fmin(out->label_bits, out->value_bits));
    out->blind_score = out->blind_spread = out->constant_score = out->worse_than_constant = (double)NAN;
    out->finding = g->groups == 1                                             ? LL_FINDING_CONSTANT
                   : ll_trace_positions(&mark, g->symbols, g->rows, g->kinds) ? LL_FINDING_CODED
                                                                              : LL_FINDING_NONE;
    out->mark = mark.name;
    out->why = write_why(g, out, &mark);
    return out->why != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a sentence");
}

ll_status ll_inspect_groups(ll_inspection *out, const ll_scorer *scorer, const ll_predictions *predictions,
                            double max_memory, ll_error *error)
{
    ll_scoring scoring = {0};
    ll_status status = ll_inspection_scoring(&scoring, scorer, predictions, error);
    grouping g = {.scorer = scorer, .rows = scoring.rows, .columns = predictions->columns, .classes = scoring.classes};
    if (status == LL_OK)
        status = read_all(&g, predictions, max_memory, error);
    if (status == LL_OK)
        status = find_groups(&g, error);
    if (status == LL_OK)
        status = inspect(out, &g, error);
    free(g.values);
    free(g.symbols);
    free(g.sizes);
    return status;
}
