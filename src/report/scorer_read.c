#include "report/scorer_read.h"

#include "report/scorer_names.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The reading of one object: the first thing that is wrong ends it. */
typedef struct {
    const json_t *object;
    size_t keys; /* that were read */
    ll_error *error;
    ll_status status;
} reader;

static void fail(reader *r, const char *key, const char *why)
{
    if (r->status == LL_OK)
        r->status = ll_fail(r->error, LL_DOMAIN, "scorer: %s: %s", key, why);
}

static const json_t *value_of(reader *r, const char *key)
{
    const json_t *value = json_object_get(r->object, key);
    r->keys++;
    if (!value)
        fail(r, key, "is missing");
    return value;
}

/* A string, or NULL for null where that may be. */
static const char *read_text(reader *r, const char *key, int may_be_null)
{
    const json_t *value = value_of(r, key);
    if (value && !json_is_string(value) && !(may_be_null && json_is_null(value)))
        fail(r, key, may_be_null ? "is neither a string nor null" : "is not a string");
    return json_string_value(value);
}

/* null is `absent`. */
static long read_count(reader *r, const char *key, long absent)
{
    const json_t *value = value_of(r, key);
    if (!value || json_is_null(value))
        return absent;
    json_int_t count = json_integer_value(value);
    if (!json_is_integer(value) || count < 0 || count > LONG_MAX / 64)
        fail(r, key, "is neither a count nor null");
    return (long)count;
}

static int read_name(reader *r, const char *key, ll_names names)
{
    const char *text = read_text(r, key, 0);
    int place = text ? ll_report_find_name(names, text, strlen(text)) : 0;
    if (place < 0)
        fail(r, key, "no such name");
    return place < 0 ? 0 : place;
}

static void read_rounding(reader *r, ll_scorer *scorer)
{
    long decimals = read_count(r, "decimals", -1), digits = read_count(r, "digits", -1);
    const json_t *truncate = value_of(r, "truncate");
    if (decimals >= 0 && digits >= 0)
        fail(r, "decimals", "contradicts digits");
    if (decimals > INT_MAX || digits > INT_MAX)
        fail(r, "decimals", "out of range");
    scorer->rounding = decimals >= 0 ? LL_ROUND_DECIMALS : digits >= 0 ? LL_ROUND_DIGITS : LL_ROUND_NONE;
    scorer->places = (int)(decimals >= 0 ? decimals : digits >= 0 ? digits : 0);
    scorer->truncate = json_is_true(truncate);
    if (truncate && !json_is_boolean(truncate))
        fail(r, "truncate", "is not true or false");
}

/* "bounded:TAU,uniform", "gaussian:SIGMA", "none" */
static void read_noise(reader *r, ll_scorer_read *out)
{
    const char *text = read_text(r, "noise", 0);
    if (!text)
        return;
    size_t length = strcspn(text, ":");
    int noise = ll_report_find_name(ll_report_noises, text, length), draw = 0;
    const char *size = text[length] ? text + length + 1 : text + length, *comma = strchr(size, ',');
    if (comma)
        draw = ll_report_find_name(ll_report_draws, comma + 1, strlen(comma + 1));
    if (noise < 0 || draw < 0 || (noise == LL_NOISE_NONE) != !*size || (comma != NULL) != (noise == LL_NOISE_BOUNDED)) {
        fail(r, "noise", "no such noise");
        return;
    }
    out->scorer.noise = (ll_noise)noise;
    out->scorer.draw = (ll_draw)draw;
    if (noise == LL_NOISE_NONE)
        return;
    out->noise_size = strndup(size, comma ? (size_t)(comma - size) : strlen(size));
    if (!out->noise_size)
        r->status = ll_fail(r->error, LL_MEMORY, "no memory for a scorer");
    out->scorer.noise_size = out->noise_size;
}

static void read_release(reader *r, ll_scorer *scorer)
{
    static const char ladder[] = "ladder:";
    const char *text = read_text(r, "release", 0);
    if (!text || strcmp(text, "plain") == 0)
        return;
    if (strncmp(text, ladder, strlen(ladder)) != 0)
        fail(r, "release", "no such mechanism");
    else
        scorer->ladder = text + strlen(ladder);
}

static void read_prior(reader *r, ll_scorer_read *out)
{
    const json_t *array = value_of(r, "prior");
    size_t count = json_array_size(array);
    if (!array || json_is_null(array))
        return;
    if (count < 2) {
        fail(r, "prior", "is neither shares nor null");
        return;
    }
    out->prior = calloc(count, sizeof *out->prior);
    if (!out->prior) {
        r->status = ll_fail(r->error, LL_MEMORY, "no memory for a scorer");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        out->prior[i] = json_number_value(json_array_get(array, i));
        if (!json_is_number(json_array_get(array, i)))
            fail(r, "prior", "a share is not a number");
    }
    out->scorer.prior = out->prior;
    out->scorer.prior_count = (long)count;
}

/* A count, or the digits of one that a double does not hold. */
static void read_seed(reader *r, ll_scorer *scorer)
{
    const json_t *value = value_of(r, "seed");
    const char *text = json_string_value(value);
    char *end = NULL;
    errno = 0;
    scorer->seed = text ? strtoull(text, &end, 10) : (uint64_t)json_integer_value(value);
    int good = text ? *text >= '0' && *text <= '9' && !*end && !errno
                    : json_is_integer(value) && json_integer_value(value) >= 0;
    if (value && !good)
        fail(r, "seed", "is not a seed");
}

static void read_computation(reader *r, ll_scorer *scorer)
{
    scorer->profile = read_text(r, "profile", 1);
    scorer->loss = read_text(r, "loss", 0);
    scorer->transform = (ll_transform)read_name(r, "transform", ll_report_transforms);
    scorer->rows = read_count(r, "rows", 0);
    scorer->classes = read_count(r, "classes", 0);
    scorer->clip = read_text(r, "clip", 1);
    scorer->clip_mode = (ll_clip_mode)read_name(r, "clip_mode", ll_report_clip_modes);
    scorer->arithmetic = read_text(r, "arithmetic", 0);
    scorer->sum_arithmetic = read_text(r, "sum_arithmetic", 1);
    scorer->loss_arithmetic = read_text(r, "loss_arithmetic", 1);
    scorer->order = (ll_order)read_name(r, "sum", ll_report_orders);
    scorer->precision = read_count(r, "precision", 0);
    const json_t *ulps = value_of(r, "log_ulps");
    scorer->log_ulps = json_number_value(ulps);
    if (ulps && !json_is_null(ulps) && !(json_is_number(ulps) && scorer->log_ulps > 0))
        fail(r, "log_ulps", "is neither a number above 0 nor null");
}

/* All keys that are known were looked at: more of them are unknown ones. */
static void refuse_others(reader *r)
{
    if (r->status == LL_OK && json_object_size(r->object) != r->keys)
        r->status =
            ll_fail(r->error, LL_DOMAIN, "scorer: %zu keys where %zu are known", json_object_size(r->object), r->keys);
}

ll_status ll_report_read_scorer(ll_scorer_read *out, const json_t *object, ll_error *error)
{
    reader r = {.object = object, .error = error};
    ll_scorer_read read = {0};
    ll_scorer_init(&read.scorer);
    read_computation(&r, &read.scorer);
    read_rounding(&r, &read.scorer);
    read_noise(&r, &read);
    read_release(&r, &read.scorer);
    read.scorer.queries = read_count(&r, "queries", 0);
    read_prior(&r, &read);
    read_seed(&r, &read.scorer);
    refuse_others(&r);
    if (r.status == LL_OK)
        *out = read;
    else
        ll_report_clear_scorer(&read);
    return r.status;
}

void ll_report_clear_scorer(ll_scorer_read *read)
{
    free(read->noise_size);
    free(read->prior);
    *read = (ll_scorer_read){0};
}
