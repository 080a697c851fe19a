/* Weights grow with the row, and so do their texts; so the sum over a block is at most the sum over stretches of rows
 * of (rows of the stretch) * (length of its last row). All blocks of a plan are alike but the last, which is shorter.
 */
#include "cli/commands/craft_size.h"

#include "cli/options/plan_options.h"

#include <math.h>
#include <string.h>

enum { STRETCHES = 32 };

/* Characters of one row's entries, with a comma each. */
static ll_status row_length(double *out, const ll_predictions *predictions, long row, ll_error *error)
{
    ll_block block;
    ll_block_init(&block);
    ll_status status = predictions->get(predictions->self, &block, row, 1, error);
    *out = 0;
    for (long i = 0; i < predictions->columns && status == LL_OK; i++) {
        char *text = ll_exact_write(block.exacts, i);
        if (!text)
            status = ll_fail(error, LL_MEMORY, "no memory for the text of a prediction");
        *out += text ? (double)strlen(text) + 1 : 0;
        ll_free(text);
    }
    ll_block_clear(&block);
    return status;
}

/* Bytes of the rows of the first block, and of one row outside of it. */
static ll_status measure(double *inside, double *outside, const ll_plan *plan, const ll_plan_info *info,
                         ll_error *error)
{
    ll_predictions predictions;
    ll_status status = ll_plan_predictions(plan, &predictions, 0, error);
    *inside = *outside = 0;
    if (status == LL_OK && info->block < info->rows)
        status = row_length(outside, &predictions, info->block, error);
    for (long i = 0, done = 0; i < STRETCHES && status == LL_OK; i++) {
        long end = (long)((double)info->block * (double)(i + 1) / STRETCHES);
        double length = 0;
        if (i == STRETCHES - 1)
            end = info->block;
        if (end > done)
            status = row_length(&length, &predictions, end - 1, error);
        *inside += (double)(end - done) * length;
        done = end;
    }
    return status;
}

static ll_status predict(double *out, const ll_plan *plan, const ll_scorer *scorer, int npy, ll_error *error)
{
    enum { DOUBLE_TEXT = 25 }; /* "-1.2345678901234567e-300," */
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    double rows = (double)info.rows, queries = (double)ll_cli_plan_asked(&info, scorer), columns = (double)info.columns;
    double numbers = rows * (log10(rows) + 2), inside, outside; /* the rows' own numbers and line ends */
    if (info.entries != LL_ENTRIES_EXACT) {
        *out = queries * (npy ? 128 + 8 * rows * columns : numbers + DOUBLE_TEXT * rows * columns);
        return LL_OK;
    }
    ll_status status = measure(&inside, &outside, plan, &info, error);
    *out = queries * (numbers + inside + (rows - (double)info.block) * outside);
    return status;
}

/* The largest of block/2, block/4, ... whose files fit; 0 where none does. */
static long find_block(double *bytes, const ll_plan_info *info, const ll_scorer *scorer, int npy, double most)
{
    for (long block = info->block / 2; block > 0; block /= 2) {
        ll_plan *plan;
        const ll_budget any = {.size = sizeof any, .memory = 1e300, .seconds = 1e300};
        ll_plan_request request = {.size = sizeof request, .code = info->code, .block = block, .budget = &any};
        if (ll_plan_create(&plan, scorer, &request, NULL) != LL_OK)
            return 0;
        ll_status status = predict(bytes, plan, scorer, npy, NULL);
        ll_plan_destroy(plan);
        if (status != LL_OK)
            return 0;
        if (*bytes <= most)
            return block;
    }
    return 0;
}

ll_status ll_cli_check_size(const ll_plan *plan, const ll_scorer *scorer, int npy, size_t most, ll_error *error)
{
    ll_plan_info info;
    double bytes, smaller;
    ll_status status = predict(&bytes, plan, scorer, npy, error);
    if (status != LL_OK || bytes <= (double)most)
        return status;
    ll_plan_get_info(plan, &info);
    long block = find_block(&smaller, &info, scorer, npy, (double)most);
    if (block > 0)
        return ll_fail(
            error, LL_UNABLE,
            "over budget: the files would need about %.3g bytes, --max-memory allows %.3g; --block %ld needs "
            "about %.3g",
            bytes, (double)most, block, smaller);
    return ll_fail(error, LL_UNABLE,
                   "over budget: the files would need about %.3g bytes, --max-memory allows %.3g; no smaller block "
                   "fits: use fewer rows, another code, or `lossleak attack', which writes no files",
                   bytes, (double)most);
}
