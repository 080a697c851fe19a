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

static void add_scorer(struct sha256_ctx *hash, const ll_scorer *s)
{
    add_text(hash, "loss", s->loss);
    add_text(hash, "arithmetic", s->arithmetic);
    add_text(hash, "loss_arithmetic", s->loss_arithmetic);
    add_text(hash, "sum_arithmetic", s->sum_arithmetic);
    add_text(hash, "clip", s->clip);
    add_text(hash, "noise_size", s->noise_size);
    const struct {
        const char *name;
        long value;
    } numbers[] = {{"transform", s->transform}, {"rows", s->rows},         {"classes", s->classes},
                   {"clip_mode", s->clip_mode}, {"order", s->order},       {"rounding", s->rounding},
                   {"places", s->places},       {"truncate", s->truncate}, {"noise", s->noise},
                   {"precision", s->precision}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add_number(hash, numbers[i].name, numbers[i].value);
    char ulps[40];
    (void)snprintf(ulps, sizeof ulps, "%a", s->log_ulps);
    add_text(hash, "log_ulps", ulps);
}

void ll_plan_digest(const ll_plan *plan, char *text, size_t size)
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    add_text(&hash, "lossleak plan", "1");
    add_scorer(&hash, &plan->scoring.scorer);
    add_text(&hash, "code", plan->code_name);
    add_text(&hash, "writer", plan->writer->name);
    add_number(&hash, "block", plan->block);
    add_number(&hash, "columns", plan->columns);
    add_number(&hash, "bits", plan->bits);
    if (plan->code->row->is_soft) {
        char seed[32];
        (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)plan->scoring.scorer.seed);
        add_text(&hash, "seed", seed);
        add_number(&hash, "queries", plan->queries);
    }
    if (plan->repeats > 1)
        add_number(&hash, "repeats", plan->repeats);
    char *unit = arf_dump_str(arb_midref(plan->unit));
    add_text(&hash, "unit", unit);
    flint_free(unit);
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&hash, sizeof bytes, bytes);
    if (size > 0)
        text[0] = '\0';
    for (size_t i = 0; i < sizeof bytes && 2 * i + 2 < size; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}
