/* Code, writer and unit of a plan, and how many rows a query can carry. */
#include "number/budget.h"
#include "plan/strategy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Some forty numbers of the size of a score are alive at once; 5 bytes for each bit. */
#define BYTES_A_BIT 5.0

ll_status ll_plan_create_code(const ll_plan *plan, ll_code **out, long rows, ll_error *error)
{
    ll_exact step;
    ll_exact_init(&step);
    ll_release_get_noise(&plan->scorer->release, &step, plan->bounds.bound);
    fmpz_mul_si(step.mantissa, step.mantissa, plan->rows);
    ll_status status = ll_code_create(out, plan->state->row, plan->state->variant, rows, plan->classes, &step,
                                      plan->state->levels, error);
    ll_exact_clear(&step);
    if (status == LL_OK && plan->strategy->made != NULL)
        plan->strategy->made(plan, *out);
    if (status == LL_OK)
        (*out)->others = plan->rows - rows;
    return status;
}

void ll_plan_drop_code(ll_plan *plan)
{
    if (plan->state->writer != NULL && plan->state->writer->clear != NULL)
        plan->state->writer->clear(plan);
    plan->state->data = NULL;
    ll_code_destroy(plan->state->code);
    plan->state->code = NULL;
}

/* NULL: none suits. */
static const ll_writer *choose_writer(const ll_plan *plan)
{
    const ll_writer *const only[] = {plan->strategy->writer, NULL};
    const ll_writer *const *writer = plan->strategy->writer != NULL ? only : plan->strategy->writers;
    while (*writer != NULL && (*writer)->suits != NULL && !(*writer)->suits(plan))
        writer++;
    return *writer;
}

/* Code, writer and unit for `block` rows a query, under plan->state->noise. */
static ll_status try_once(ll_plan *plan, long block, const ll_question *q, ll_error *error)
{
    const double memory = ll_budget_memory(q->request->budget);
    ll_plan_drop_code(plan);
    plan->block = block;
    double bits = ll_code_predict_bits(plan->state->row, block, plan->classes);
    if (bits * BYTES_A_BIT > memory)
        return ll_fail(
            error, LL_UNABLE,
            "%ld rows a query of the code %s are numbers of %.3g bits, about %.3g bytes in all, over the budget "
            "of %.3g: use smaller blocks",
            block, plan->name, bits, bits * BYTES_A_BIT, memory);
    ll_status status = plan->strategy->prepare != NULL ? plan->strategy->prepare(plan, q, error) : LL_OK;
    if (status == LL_OK)
        status = ll_plan_create_code(plan, &plan->state->code, block, error);
    if (status != LL_OK)
        return status;
    plan->state->writer = choose_writer(plan);
    if (plan->state->writer == NULL)
        return ll_fail(error, LL_DOMAIN, "the code %s cannot be written for %s in %s arithmetic with this clip",
                       plan->name, ll_plan_metric_name(plan), plan->scoring.how->arithmetic);
    plan->entries = LL_ENTRIES_EXACT;
    status = plan->state->writer->prepare(plan, error);
    if (status == LL_OK && (double)plan->prec * BYTES_A_BIT > memory)
        status =
            ll_fail(error, LL_UNABLE, "numbers of 2^%.1f bits are over the budget of %.3g bytes: use smaller blocks",
                    log2((double)plan->prec), memory);
    return status == LL_OK ? ll_computation_check_shape(plan->scoring.how, plan->columns, plan->scoring.classes, error)
                           : status;
}

ll_status ll_plan_set_code(ll_plan *plan, const ll_code_row *row, const char *variant, ll_error *error)
{
    char name[64];
    ll_code_write_name(name, sizeof name, row, variant);
    char *copy = strdup(name);
    if (copy == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    free(plan->name);
    plan->name = copy;
    plan->state->row = row;
    plan->state->variant = variant != NULL ? strchr(copy, ':') + 1 : NULL;
    return LL_OK;
}

/* Is that the first variant of its row, which a plain name stands for? */
static int is_first_variant(const ll_plan *plan)
{
    return plan->state->variant == NULL ||
           ll_code_find_variant(plan->state->row, plan->state->variant) == plan->state->row->info.variants;
}

ll_status ll_plan_choose_variant(ll_plan *plan, const char *variant, ll_error *error)
{
    char name[64];
    ll_code_write_name(name, sizeof name, plan->state->row, variant);
    if (strcmp(plan->name, name) == 0 || (variant == NULL && is_first_variant(plan)))
        return LL_OK;
    if (plan->state->variant != NULL)
        return ll_fail(error, LL_DOMAIN, "the code %s is not for %s: %s is", plan->name, ll_plan_metric_name(plan),
                       name);
    return ll_plan_set_code(plan, plan->state->row, variant, error);
}

/* out += times (|offset| + |low| + |high|) of the stored error: at least the size of what its rows add. */
static void add_sizes(arb_t out, const ll_stored_error *stored_error, long times)
{
    arb_t offset;
    arf_t size;
    arb_init(offset);
    arf_init(size);
    ll_product_log(offset, stored_error->product, 64);
    arb_sub(offset, stored_error->offset, offset, 64);
    const arb_struct *parts[] = {offset, stored_error->low, stored_error->high};
    for (int i = 0; i < 3; i++) {
        arb_get_abs_ubound_arf(size, parts[i], 64);
        arf_mul_si(size, size, times, 64, ARF_RND_UP);
        arf_add(arb_midref(out), arb_midref(out), size, 64, ARF_RND_UP);
    }
    arb_clear(offset);
    arf_clear(size);
}

/* The rows around a block, where the writer does not count them by itself: one of them stands for all. */
static ll_status add_neutral(const ll_plan *plan, arb_t out, ll_stored_error *stored_error, ll_block *scratch,
                             ll_error *error)
{
    if (plan->state->writer->close != NULL || plan->rows == plan->block)
        return LL_OK;
    ll_exact *to = ll_block_reserve_exacts(scratch, 1, plan->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    ll_stored_error_reset(stored_error);
    ll_status status = ll_plan_write_row(plan, plan->state->code, to, -1, error);
    if (status == LL_OK)
        status = plan->state->writer->measure(plan, plan->state->code, stored_error, scratch, 0, -1, error);
    add_sizes(out, stored_error, plan->rows - plan->block);
    return status;
}

/* At least the size of every sum of a query: what its rows add with base labels, what the code adds, and deviations. */
static ll_status find_most(const ll_plan *plan, arb_t out, ll_error *error)
{
    ll_stored_error stored_error;
    ll_block scratch;
    if (ll_stored_error_init(&stored_error, plan) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    ll_block_init(&scratch);
    ll_code_span(plan->state->code, out, 64);
    arb_mul(out, out, plan->state->unit, 64);
    arb_get_abs_ubound_arf(arb_midref(out), out, 64);
    mag_zero(arb_radref(out));
    ll_status status = ll_plan_measure_block(plan, &stored_error, &scratch, error);
    add_sizes(out, &stored_error, 1);
    if (status == LL_OK)
        status = add_neutral(plan, out, &stored_error, &scratch, error);
    ll_block_clear(&scratch);
    ll_stored_error_clear(&stored_error, plan);
    return status;
}

/* Where a larger score is known less well, the noise follows from the unit and the unit from the noise: both grow until
 * they agree, or for ever, and then the block is too large. */
static ll_status try_relative(ll_plan *plan, long block, const ll_question *q, ll_error *error)
{
    enum { ROUNDS = 60 };
    arb_t most, reached;
    arb_init(most);
    arb_init(reached);
    arb_one(most);
    ll_status status = LL_UNABLE;
    for (int i = 0; i < ROUNDS; i++) {
        ll_plan_set_noise(plan, most);
        status = try_once(plan, block, q, error);
        if (status == LL_OK && plan->state->row->bounded.level == NULL)
            status = find_most(plan, reached, error);
        if (status != LL_OK || arb_le(reached, most))
            break;
        arb_mul_ui(most, reached, 17, 64);
        arb_mul_2exp_si(most, most, -4);
        arb_get_ubound_arf(arb_midref(most), most, 32);
        mag_zero(arb_radref(most));
        status = LL_UNABLE;
    }
    arb_clear(most);
    arb_clear(reached);
    if (status == LL_UNABLE)
        return ll_fail(error, LL_DOMAIN,
                       "%ld rows a query of the code %s: the larger the score, the less of it is shown; use smaller "
                       "blocks",
                       block, plan->name);
    return status;
}

ll_status ll_plan_try_block(ll_plan *plan, long block, const ll_question *q, ll_error *error)
{
    int reads_noise = ll_plan_takes_labels(plan) || plan->strategy->reads_noise;
    int relative = ll_release_is_relative(&plan->scorer->release) && !reads_noise;
    return relative ? try_relative(plan, block, q, error) : try_once(plan, block, q, error);
}

/* The most rows a query that the certificate allows: all of them in exact arithmetic where the loss's reach is no
 * limit, else searched for, since what fits M rows fits fewer. Floats hold a few dozen rows of most codes, however many
 * there are: those are searched from below. */
static ll_status largest_block(ll_plan *plan, const ll_question *q, ll_error *error)
{
    int from_below = plan->scoring.how->kind != LL_KIND_EXACT && plan->state->row->bounded.level == NULL;
    ll_status status = from_below ? LL_DOMAIN : ll_plan_try_block(plan, plan->rows, q, error);
    if (status != LL_DOMAIN)
        return status;
    ll_error first = {0};
    status = ll_plan_try_block(plan, 1, q, &first);
    if (status != LL_OK) {
        if (error != NULL)
            *error = first;
        return status;
    }
    long fits = 1, fails = plan->rows + from_below;
    while (fails - fits > 1) {
        long middle = fails > 4 * fits ? 2 * fits : fits + (fails - fits) / 2;
        status = ll_plan_try_block(plan, middle, q, error);
        if (status == LL_MEMORY)
            return status; /* tells nothing about the block */
        if (status == LL_OK)
            fits = middle;
        else
            fails = middle;
    }
    return ll_plan_try_block(plan, fits, q, error);
}

ll_status ll_plan_find_block(ll_plan *plan, const ll_question *q, ll_error *error)
{
    long block = q->request->block;
    return block > 0 ? ll_plan_try_block(plan, block, q, error) : largest_block(plan, q, error);
}
