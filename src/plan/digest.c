/* A digest of everything that a plan's predictions depend on: the text of its parameters, through SHA-256. */
#include "plan/plan.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

static void add_text(struct sha256_ctx *hash, const char *name, const char *value)
{
    sha256_update(hash, strlen(name), (const uint8_t *)name);
    sha256_update(hash, 1, (const uint8_t *)"=");
    if (value != NULL)
        sha256_update(hash, strlen(value), (const uint8_t *)value);
    sha256_update(hash, 1, (const uint8_t *)"\n");
}

static void add_number(struct sha256_ctx *hash, const char *name, long value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", value);
    add_text(hash, name, text);
}

/* What few scorers set: it counts where it is not the standard, so that it leaves the digests of all others as they
 * are. */
static void add_beside(struct sha256_ctx *hash, const ll_scorer *s)
{
    static const ll_setting beside[] = {LL_SET_TARGETS, LL_SET_CLIP_TARGETS, LL_SET_ZERO_DIVISION, LL_SET_COUNTS};
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        const char *text = ll_scorer_text(s, beside[i]);
        if (text != NULL && strcmp(text, ll_setting_get_info(beside[i])->standard) != 0)
            add_text(hash, ll_setting_name(beside[i]), text);
    }
}

/* Everything that predictions and their decoding depend on, as its settings say. */
static void add_scorer(struct sha256_ctx *hash, const ll_scorer *s)
{
    static const ll_setting digested[] = {LL_SET_METRIC,         LL_SET_TRANSFORM,  LL_SET_ROWS,
                                          LL_SET_CLASSES,        LL_SET_COLUMNS,    LL_SET_CLIP,
                                          LL_SET_CLIP_MODE,      LL_SET_ARITHMETIC, LL_SET_SUM,
                                          LL_SET_SUM_ARITHMETIC, LL_SET_LOG_ULPS,   LL_SET_LOSS_ARITHMETIC,
                                          LL_SET_PRECISION,      LL_SET_DECIMALS,   LL_SET_DIGITS,
                                          LL_SET_TRUNCATE,       LL_SET_NOISE};
    for (size_t i = 0; i < sizeof digested / sizeof digested[0]; i++)
        add_text(hash, ll_setting_name(digested[i]), ll_scorer_text(s, digested[i]));
    static const ll_setting weights[] = {LL_SET_WEIGHTS, LL_SET_CLASS_WEIGHTS, LL_SET_COUNTS};
    for (size_t i = 0; i < sizeof weights / sizeof weights[0] && s->computation.is_weighted; i++)
        add_text(hash, ll_setting_name(weights[i]), ll_scorer_text(s, weights[i]));
    add_beside(hash, s);
    if (s->is_part)
        add_text(hash, ll_setting_name(LL_SET_PUBLIC), ll_scorer_text(s, LL_SET_PUBLIC));
}

static void add_code(struct sha256_ctx *hash, const ll_plan *plan)
{
    add_text(hash, "code", plan->code_name);
    add_text(hash, "writer", plan->writer->name);
    add_number(hash, "block", plan->block);
    add_number(hash, "columns", plan->columns);
    add_number(hash, "bits", plan->writer->get_bits != NULL ? plan->writer->get_bits(plan) : 0);
    if (plan->code->row->is_soft) {
        char seed[32];
        (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)plan->scorer->seed);
        add_text(hash, "seed", seed);
        add_number(hash, "queries", plan->queries);
    }
    if (plan->repeats > 1)
        add_number(hash, "repeats", plan->repeats);
    char *unit = arf_dump_str(arb_midref(plan->unit));
    add_text(hash, "unit", unit);
    flint_free(unit);
}

/* Groups: which rows they are of, and the code of each. */
static void add_groups(struct sha256_ctx *hash, const ll_plan *plan)
{
    add_text(hash, ll_setting_name(LL_SET_GROUPS), ll_scorer_text(plan->scorer, LL_SET_GROUPS));
    for (long g = 0; g + 1 < ll_scorer_count_numbers(plan->answer); g++)
        add_code(hash, plan->groups[g]);
}

void ll_plan_digest(const ll_plan *plan, char *text, size_t size)
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    add_text(&hash, "lossleak plan", "2");
    add_scorer(&hash, plan->scorer);
    for (long i = 0; ll_scorer_count_numbers(plan->answer) > 1 && i < ll_scorer_count_numbers(plan->answer); i++)
        add_scorer(&hash, ll_scorer_get_number(plan->answer, i));
    if (plan->groups != NULL)
        add_groups(&hash, plan);
    else
        add_code(&hash, plan);
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&hash, sizeof bytes, bytes);
    if (size > 0)
        text[0] = '\0';
    for (size_t i = 0; i < sizeof bytes && 2 * i + 2 < size; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}
