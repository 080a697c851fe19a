/* Code, writer and unit of a plan, and how many rows a query can carry. */
#include "plan/plan.h"
#include "plan/signs.h"

#include <math.h>
#include <string.h>

static const ll_writer *const writers[] = {&ll_writer_changes, &ll_writer_labels,    &ll_writer_one_hot,
                                           &ll_writer_fit,     &ll_writer_ranks,     &ll_writer_signs,
                                           &ll_writer_levels,  &ll_writer_exponents, &ll_writer_primes,
                                           &ll_writer_logits,  &ll_writer_inverse,   &ll_writer_floats};

/* Some forty numbers of the size of a score are alive at once; 5 bytes for each bit. */
#define BYTES_A_BIT 5.0

ll_status ll_plan_create_code(const ll_plan *plan, ll_code **out, long rows, ll_error *error)
{
    ll_exact step;
    ll_exact_init(&step);
    ll_release_get_noise(&plan->scorer->release, &step, plan->bound);
    fmpz_mul_si(step.mantissa, step.mantissa, plan->rows);
    ll_status status = ll_code_create(out, plan->code_name, rows, plan->classes, &step, plan->levels, error);
    ll_exact_clear(&step);
    if (status == LL_OK && (*out)->row->is_soft)
        ll_signs_set_seed(plan, *out);
    if (status == LL_OK)
        (*out)->others = plan->rows - rows;
    return status;
}

void ll_plan_drop_code(ll_plan *plan)
{
    if (plan->writer != NULL && plan->writer->clear != NULL)
        plan->writer->clear(plan);
    plan->data = NULL;
    ll_code_destroy(plan->code);
    plan->code = NULL;
}

/* Code, writer and unit for `block` rows a query, under plan->noise. */
static ll_status try_once(ll_plan *plan, long block, ll_error *error)
{
    ll_plan_drop_code(plan);
    plan->block = block;
    double bits = ll_code_predict_bits(plan->code_name, block, plan->classes);
    if (bits * BYTES_A_BIT > plan->max_memory)
        return ll_fail(
            error, LL_UNABLE,
            "%ld rows a query of the code %s are numbers of %.3g bits, about %.3g bytes in all, over the budget "
            "of %.3g: use smaller blocks",
            block, plan->code_name, bits, bits * BYTES_A_BIT, plan->max_memory);
    ll_status status = LL_OK;
    if (ll_code_name_is_soft(plan->code_name))
        status = ll_plan_find_signs(plan, error);
    else if (ll_code_find(plan->code_name) != NULL && ll_code_find(plan->code_name)->is_graded)
        status = ll_plan_find_grades(plan, error);
    else if (ll_code_name_has_levels(plan->code_name) && plan->levels == 0)
        status = ll_plan_find_levels(plan, error);
    if (plan->is_forecast)
        return status;
    if (status == LL_OK)
        status = ll_plan_create_code(plan, &plan->code, block, error);
    if (status != LL_OK)
        return status;
    plan->writer = NULL;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0] && plan->writer == NULL; i++)
        if (writers[i]->suits(plan))
            plan->writer = writers[i];
    if (plan->writer == NULL)
        return ll_fail(error, LL_DOMAIN, "the code %s cannot be written for %s in %s arithmetic with this clip",
                       plan->code_name, ll_plan_metric_name(plan), plan->scoring.how->arithmetic);
    plan->entries = LL_ENTRIES_EXACT;
    status = plan->writer->prepare(plan, error);
    if (status == LL_OK && (double)plan->prec * BYTES_A_BIT > plan->max_memory)
        status =
            ll_fail(error, LL_UNABLE, "numbers of 2^%.1f bits are over the budget of %.3g bytes: use smaller blocks",
                    log2((double)plan->prec), plan->max_memory);
    return status == LL_OK ? ll_computation_check_shape(plan->scoring.how, plan->columns, plan->scoring.classes, error)
                           : status;
}

/* Is that the first variant of its row, which a plain name stands for? */
static int is_first_variant(const char *name, const ll_code_row *row)
{
    const char *variant = name + strcspn(name, ":") + 1;
    size_t length = strcspn(row->info.variants, " ");
    return strlen(variant) == length && strncmp(variant, row->info.variants, length) == 0;
}

ll_status ll_plan_choose_variant(ll_plan *plan, const char *variant, ll_error *error)
{
    const ll_code_row *row = ll_code_find(plan->code_name);
    int is_plain = strchr(plan->code_name, ':') == NULL;
    char name[64];
    ll_code_write_name(name, sizeof name, row, variant);
    if (strcmp(plan->code_name, name) == 0 || (variant == NULL && !is_plain && is_first_variant(plan->code_name, row)))
        return LL_OK;
    if (!is_plain)
        return ll_fail(error, LL_DOMAIN, "the code %s is not for %s: %s is", plan->code_name, ll_plan_metric_name(plan),
                       name);
    return ll_plan_name_code(plan, name, error);
}

/* out += times (|offset| + |low| + |high|) of the account: at least the size of what its rows add. */
static void add_sizes(arb_t out, const ll_account *account, long times)
{
    arb_t offset;
    arf_t size;
    arb_init(offset);
    arf_init(size);
    ll_product_log(offset, account->product, 64);
    arb_sub(offset, account->offset, offset, 64);
    const arb_struct *parts[] = {offset, account->low, account->high};
    for (int i = 0; i < 3; i++) {
        arb_get_abs_ubound_arf(size, parts[i], 64);
        arf_mul_si(size, size, times, 64, ARF_RND_UP);
        arf_add(arb_midref(out), arb_midref(out), size, 64, ARF_RND_UP);
    }
    arb_clear(offset);
    arf_clear(size);
}

/* The rows around a block, where the writer does not count them by itself: one of them stands for all. */
static ll_status add_neutral(const ll_plan *plan, arb_t out, ll_account *account, ll_block *scratch, ll_error *error)
{
    if (plan->writer->close != NULL || plan->rows == plan->block)
        return LL_OK;
    ll_exact *to = ll_block_reserve_exacts(scratch, 1, plan->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    ll_account_reset(account);
    ll_status status = ll_plan_write_row(plan, plan->code, to, -1, error);
    if (status == LL_OK)
        status = plan->writer->account(plan, plan->code, account, scratch, 0, -1, error);
    add_sizes(out, account, plan->rows - plan->block);
    return status;
}

/* At least the size of every sum of a query: what its rows add with base labels, what the code adds, and deviations. */
static ll_status find_most(const ll_plan *plan, arb_t out, ll_error *error)
{
    ll_account account;
    ll_block scratch;
    if (ll_account_init(&account, plan) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    ll_block_init(&scratch);
    ll_code_span(plan->code, out, 64);
    arb_mul(out, out, plan->unit, 64);
    arb_get_abs_ubound_arf(arb_midref(out), out, 64);
    mag_zero(arb_radref(out));
    ll_status status = ll_plan_account_block(plan, &account, &scratch, error);
    add_sizes(out, &account, 1);
    if (status == LL_OK)
        status = add_neutral(plan, out, &account, &scratch, error);
    ll_block_clear(&scratch);
    ll_account_clear(&account, plan);
    return status;
}

/* Where a larger score is known less well, the noise follows from the unit and the unit from the noise: both grow until
 * they agree, or for ever, and then the block is too large. */
static ll_status try_relative(ll_plan *plan, long block, ll_error *error)
{
    enum { ROUNDS = 60 };
    arb_t most, reached;
    arb_init(most);
    arb_init(reached);
    arb_one(most);
    ll_status status = LL_UNABLE;
    for (int i = 0; i < ROUNDS; i++) {
        ll_plan_set_noise(plan, most);
        status = try_once(plan, block, error);
        if (status == LL_OK && !ll_code_name_has_levels(plan->code_name))
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
                       block, plan->code_name);
    return status;
}

ll_status ll_plan_try_block(ll_plan *plan, long block, ll_error *error)
{
    const ll_code_row *row = ll_code_find(plan->code_name);
    int sees_noise = ll_plan_takes_labels(plan) || (row != NULL && (row->is_changes || row->is_ranked));
    int relative = ll_release_is_relative(&plan->scorer->release) && !sees_noise;
    return relative ? try_relative(plan, block, error) : try_once(plan, block, error);
}

/* The most rows a query that the certificate allows: all of them in exact arithmetic where the loss's reach is no
 * limit, else searched for, since what fits M rows fits fewer. Floats hold a few dozen rows of most codes, however many
 * there are: those are searched from below. */
static ll_status choose_block(ll_plan *plan, ll_error *error)
{
    int from_below = plan->scoring.how->kind != LL_KIND_EXACT && !ll_code_name_has_levels(plan->code_name);
    ll_status status = from_below ? LL_DOMAIN : ll_plan_try_block(plan, plan->rows, error);
    if (status != LL_DOMAIN || ll_code_name_is_soft(plan->code_name))
        return status;
    ll_error first = {0};
    status = ll_plan_try_block(plan, 1, &first);
    if (status != LL_OK) {
        if (error != NULL)
            *error = first;
        return status;
    }
    long fits = 1, fails = plan->rows + from_below;
    while (fails - fits > 1) {
        long middle = fails > 4 * fits ? 2 * fits : fits + (fails - fits) / 2;
        status = ll_plan_try_block(plan, middle, error);
        if (status == LL_MEMORY)
            return status; /* tells nothing about the block */
        if (status == LL_OK)
            fits = middle;
        else
            fails = middle;
    }
    return ll_plan_try_block(plan, fits, error);
}

/* ---- which way of asking ---- */

static int is_for_labels(const char *name)
{
    const ll_code_row *row = ll_code_find(name);
    const char *variant = strchr(name, ':');
    return row != NULL && row->labels_variant != NULL && variant != NULL &&
           strcmp(variant + 1, row->labels_variant) == 0;
}

/* Predictions that are labels: every row counts in every query, so only one code serves, and no blocks. */
static ll_status plan_labels(ll_plan *plan, long block, ll_error *error)
{
    const char *loss = ll_plan_metric_name(plan);
    const ll_code_row *row = ll_code_find(plan->code_name);
    char labels[64];
    if (row == NULL || row->labels_variant == NULL)
        return ll_fail(error, LL_DOMAIN,
                       "%s takes labels, whose weights are 0 and 1 only: the code %s needs others; detecting serves",
                       loss, plan->code_name);
    ll_code_write_name(labels, sizeof labels, row, row->labels_variant);
    if (strcmp(plan->code_name, row->info.name) != 0 && strcmp(plan->code_name, labels) != 0)
        return ll_fail(error, LL_DOMAIN, "%s takes labels: of the code %s only the variant %s serves", loss,
                       row->info.name, row->labels_variant);
    if (block > 0 && block != plan->rows)
        return ll_fail(error, LL_DOMAIN,
                       "blocks of %ld rows: %s takes labels, and every row counts in every query; leave the block out",
                       block, loss);
    plan->levels = 1;
    ll_status status = ll_plan_name_code(plan, labels, error);
    return status == LL_OK ? ll_plan_try_block(plan, plan->rows, error) : status;
}

/* Code, writer, unit and block. A code that asks in a way of its own has a mark in its row, and a file find_*.c. */
ll_status ll_plan_find_block(ll_plan *plan, long block, ll_error *error)
{
    static const ll_code_row unmarked;
    const ll_code_row *found = ll_code_find(plan->code_name), *row = found != NULL ? found : &unmarked;
    const ll_metric *metric = plan->scoring.how->metric;
    int asks_labels = ll_plan_takes_labels(plan) || ll_metric_match_side(metric, plan->classes) != 0;
    if (!asks_labels && is_for_labels(plan->code_name))
        return ll_fail(error, LL_DOMAIN, "the code %s is for losses that take labels; %s takes a %s", plan->code_name,
                       ll_plan_metric_name(plan), ll_metric_row(metric)->input);
    if (ll_metric_is_one_vs_rest(metric) && !row->is_ranked)
        return ll_fail(error, LL_DOMAIN, "the code %s adds up terms of rows, and %s ranks them: the code ranks serves",
                       plan->code_name, ll_plan_metric_name(plan));
    if (row->is_changes)
        return ll_plan_find_changes(plan, block, error);
    if (row->is_single)
        return ll_plan_find_single(plan, block, error);
    if (row->is_ranked)
        return ll_plan_find_ranks(plan, block, error);
    if (row->is_ordered)
        return ll_plan_find_ordered(plan, block, error);
    if (row->is_cells)
        return ll_plan_find_cells(plan, block, error);
    if (plan->scorer->is_part && row->is_flipping)
        return ll_plan_find_flip(plan, error);
    if (asks_labels)
        return plan_labels(plan, block, error);
    if (block == 0 && (plan->scorer->is_part || ll_metric_view(metric) == LL_VIEW_FIT))
        block = plan->rows;
    return block > 0 ? ll_plan_try_block(plan, block, error) : choose_block(plan, error);
}
