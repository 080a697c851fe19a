/* Does the output depend on the input?
 *
 * First a proof: the graph run on intervals, over larger and then smaller boxes; where every output entry is fixed, no
 * input of the box changes it. Else by looking: the outputs on rows of features, or on random rows, compared. A spread
 * is measured on the scale of logits where outputs are probabilities, so that a network that is very sure of different
 * things at different places does not look constant; and without what a row's entries share (a sum added to all logits,
 * a factor of all probabilities), which no label can weigh. */
#include "mutnet/mutnet.h"
#include "number/budget.h"
#include "number/random.h"
#include "number/value.h"
#include "onnx/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 1024, RANDOM = 128 };

static const double TOLERANCE = 1e-3;

/* ------------------------------------------------------------------ random inputs */

static double random_entry(const ll_random_rows *random, long row, long column)
{
    uint64_t counter = (uint64_t)row * (uint64_t)random->columns + (uint64_t)column;
    switch (row % 4) {
    case 0:
        return ll_random_gaussian(random->seed, LL_DRAW_ROWS, counter);
    case 1:
        return 10 * ll_random_gaussian(random->seed, LL_DRAW_ROWS, counter);
    case 2:
        return ll_random_uniform(random->seed, LL_DRAW_ROWS, counter);
    default:
        return 255 * ll_random_uniform(random->seed, LL_DRAW_ROWS, counter);
    }
}

static ll_status get_random(void *self, ll_block *block, long first, long count, ll_error *error)
{
    const ll_random_rows *random = self;
    double *x = ll_block_reserve_doubles(block, count, random->columns);
    if (!x)
        return ll_fail(error, LL_MEMORY, "no memory for %ld random rows", count);
    for (long i = 0; i < count; i++)
        for (long j = 0; j < random->columns; j++)
            x[i * random->columns + j] = random_entry(random, first + i, j);
    return LL_OK;
}

void ll_random_rows_source(ll_random_rows *random, ll_predictions *out)
{
    *out = (ll_predictions){random, random->rows, random->columns, LL_ENTRIES_DOUBLE, get_random, NULL};
}

/* ------------------------------------------------------------------ boxes */

typedef struct {
    ll_evaluation *evaluation;
    long rows, features; /* of one run */
    double *low, *high;
} boxes;

static ll_status run_box(boxes *b, int *fixed, ll_error *error)
{
    const ll_tensor *out;
    ll_status status = ll_evaluation_run(b->evaluation, &out, b->low, b->high, b->rows, b->features, error);
    *fixed = status == LL_OK && out->count > 0;
    for (long i = 0; status == LL_OK && i < out->count; i++)
        *fixed &= out->fixed[i];
    return status;
}

static void fill_box(boxes *b, double low, double high)
{
    for (long i = 0; i < b->rows * b->features; i++) {
        b->low[i] = low;
        b->high[i] = high;
    }
}

/* The smallest box that holds all rows of the features. */
static ll_status fill_features(boxes *b, const ll_predictions *features, ll_error *error)
{
    ll_block block;
    ll_status status = LL_OK;
    ll_block_init(&block);
    fill_box(b, INFINITY, -INFINITY);
    for (long first = 0; status == LL_OK && first < features->rows; first += 64) {
        long count = features->rows - first < 64 ? features->rows - first : 64;
        status = features->get(features->self, &block, first, count, error);
        for (long i = 0; status == LL_OK && i < count * b->features; i++) {
            double x = block.entries == LL_ENTRIES_FLOAT ? (double)block.floats[i] : block.doubles[i];
            b->low[i % b->features] = fmin(b->low[i % b->features], x);
            b->high[i % b->features] = fmax(b->high[i % b->features], x);
        }
    }
    ll_block_clear(&block);
    for (long i = b->features; i < b->rows * b->features; i++) {
        b->low[i] = b->low[i % b->features];
        b->high[i] = b->high[i % b->features];
    }
    return status;
}

/* Do all features lie in [low, high]? */
static int holds(const boxes *b, double low, double high)
{
    for (long i = 0; i < b->features; i++)
        if (b->low[i] < low || b->high[i] > high)
            return 0;
    return 1;
}

/* Where the features are known only boxes around all of them count: an honest model of incomes is constant on [0, 1].
 */
static ll_status prove(boxes *b, ll_onnx_constancy *out, const ll_predictions *features, ll_error *error)
{
    static const struct {
        const char *name;
        double low, high;
    } tried[] = {{"every input", -INFINITY, INFINITY},
                 {"inputs of 0 or more", 0, INFINITY},
                 {"inputs in [0, 1]", 0, 1},
                 {"inputs in [-1, 1]", -1, 1},
                 {"the box of the features", NAN, NAN}};
    enum { BOXES = sizeof tried / sizeof tried[0], COMMON = BOXES - 1 };
    int is_tried[BOXES];
    ll_status status = features ? fill_features(b, features, error) : LL_OK;
    for (int i = 0; i < BOXES && status == LL_OK; i++)
        is_tried[i] = i == COMMON ? features != NULL : !features || holds(b, tried[i].low, tried[i].high);
    for (int i = 0; i < BOXES && status == LL_OK && !out->proved; i++) {
        if (!is_tried[i])
            continue;
        if (i == COMMON)
            status = fill_features(b, features, error);
        else
            fill_box(b, tried[i].low, tried[i].high);
        if (status == LL_OK)
            status = run_box(b, &out->proved, error);
        out->box = tried[i].name;
    }
    if (!out->proved)
        out->box = NULL;
    return status;
}

static ll_status open_boxes(boxes *b, const ll_onnx *model, long features, double max_memory, ll_error *error)
{
    long dims[LL_TENSOR_RANK];
    int rank = -1;
    *b = (boxes){.features = features};
    ll_onnx_declared(ll_onnx_input(model), dims, LL_TENSOR_RANK, &rank);
    b->rows = rank > 1 && dims[0] > 0 ? dims[0] : 1;
    if ((double)b->rows * (double)features * 16 > max_memory)
        return ll_fail(error, LL_UNABLE, "it takes %ld rows of %ld features at a time, more than memory allows",
                       b->rows, features);
    b->low = malloc((size_t)(b->rows * features) * sizeof *b->low);
    b->high = malloc((size_t)(b->rows * features) * sizeof *b->high);
    return b->low && b->high ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld features", features);
}

static ll_status try_boxes(ll_onnx_constancy *out, const ll_onnx *model, long features, const ll_predictions *rows,
                           const ll_budget *budget, ll_error *error)
{
    boxes b = {0};
    ll_evaluation *evaluation = NULL;
    ll_status status = ll_evaluation_create(&evaluation, model, budget, error);
    if (status == LL_OK)
        status = open_boxes(&b, model, features, ll_budget_memory(budget), error);
    b.evaluation = evaluation;
    if (status == LL_OK)
        status = prove(&b, out, rows, error);
    free(b.low);
    free(b.high);
    ll_evaluation_destroy(evaluation);
    return status;
}

/* ------------------------------------------------------------------ looking */

/* Entry j of a row, less what the row's entries share. Probabilities as logits; ends are as far as a double can
 * tell. */
static double on_scale(const double *row, long columns, long j, int is_probability)
{
    double sum = 0;
    if (!is_probability)
        return columns > 1 ? row[j] - row[j ? 0 : 1] : row[j];
    for (long k = 0; k < columns; k++)
        sum += row[k];
    double x = columns > 1 && sum > 0 ? row[j] / sum : row[j];
    return log(fmax(x, 1e-300)) - log(fmax(1 - x, 1e-17));
}

static double spread_of(const double *x, long rows, long columns, int is_probability)
{
    double widest = 0;
    for (long j = 0; j < columns; j++) {
        double low = INFINITY, high = -INFINITY;
        for (long i = 0; i < rows; i++) {
            double y = on_scale(x + i * columns, columns, j, is_probability);
            low = fmin(low, y);
            high = fmax(high, y);
        }
        widest = fmax(widest, (high - low) / (is_probability ? 1 : 1 + fmin(fabs(low), fabs(high))));
    }
    return widest;
}

static int are_probabilities(const double *x, long count)
{
    for (long i = 0; i < count; i++)
        if (!(x[i] >= 0 && x[i] <= 1))
            return 0;
    return 1;
}

/* At the first rows; at more of them as long as all say the same, for they may be sorted. */
static ll_status look(ll_onnx_constancy *out, const ll_predictions *outputs, double max_memory, ll_error *error)
{
    ll_block block;
    long rows = outputs->rows < LOOK ? outputs->rows : LOOK, columns = outputs->columns;
    long most = (long)fmin((double)outputs->rows, max_memory / 8 / (double)columns / sizeof(double));
    ll_block_init(&block);
    ll_status status = LL_OK;
    for (int again = 1; again && status == LL_OK; rows = rows < most / 8 ? 8 * rows : most) {
        status = outputs->get(outputs->self, &block, 0, rows, error);
        if (status != LL_OK)
            continue;
        out->rows = rows;
        out->columns = columns;
        out->are_probabilities = are_probabilities(block.doubles, rows * columns);
        out->spread = spread_of(block.doubles, rows, columns, out->are_probabilities);
        out->tolerance = TOLERANCE;
        out->constant = out->proved || out->spread <= TOLERANCE;
        again = out->constant && !out->proved && rows < most;
    }
    ll_block_clear(&block);
    return status;
}

/* Are all rows the same? Then outputs on them tell nothing of the network. */
static ll_status are_one(const ll_predictions *rows, int *out, ll_error *error)
{
    ll_block block, first;
    ll_block_init(&block);
    ll_block_init(&first);
    ll_status status = rows->get(rows->self, &first, 0, 1, error);
    *out = 1;
    for (long i = 1; i < rows->rows && *out && status == LL_OK; i++) {
        status = rows->get(rows->self, &block, i, 1, error);
        for (long j = 0; status == LL_OK && j < rows->columns; j++)
            *out &= block.entries == LL_ENTRIES_FLOAT ? block.floats[j] == first.floats[j]
                                                      : block.doubles[j] == first.doubles[j];
    }
    ll_block_clear(&block);
    ll_block_clear(&first);
    return status;
}

ll_status(ll_onnx_find_constancy)(ll_onnx_constancy *out, const ll_onnx *model, const ll_predictions *features,
                                  uint64_t seed, const ll_budget *budget, size_t size, ll_error *error)
{
    ll_onnx_info info;
    ll_onnx_outputs *outputs = NULL;
    ll_predictions random, source;
    ll_onnx_constancy found = {.is_random = !features};
    ll_onnx_get_info(model, &info);
    if (!features && info.features == 0)
        return ll_fail(error, LL_DOMAIN, "it does not declare how many features it takes: they must be given");
    ll_random_rows rows = {RANDOM, features ? features->columns : info.features, seed};
    ll_random_rows_source(&rows, &random);
    ll_status status = ll_onnx_outputs_create(&outputs, &source, model, features ? features : &random, budget, error);
    if (status == LL_OK && features)
        status = are_one(features, &found.is_random, error);
    if (status == LL_OK && features && found.is_random) {
        ll_onnx_outputs_destroy(outputs);
        outputs = NULL;
        status = ll_onnx_outputs_create(&outputs, &source, model, &random, budget, error);
    }
    if (status == LL_OK)
        status = try_boxes(&found, model, rows.columns, found.is_random ? NULL : features, budget, error);
    if (status == LL_OK)
        status = ll_onnx_outputs_check(outputs, error);
    if (status == LL_OK)
        status = look(&found, &source, ll_budget_memory(budget), error);
    ll_onnx_outputs_destroy(outputs);
    if (status == LL_OK)
        ll_value_copy(out, size, &found, sizeof found);
    return status;
}
