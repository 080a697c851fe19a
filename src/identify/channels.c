/* The channels of a program: what moves each number, and what it is; texts are in text_channels.c. */
#include "identify/job.h"
#include "identify/noise_law.h"
#include "number/memory.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS_NAMED = 40, MORE_RUNS = 24 };

ll_status ll_identify_no_memory(const ll_identify_job *job)
{
    return ll_fail(job->error, LL_MEMORY, "no memory for the channels of a program");
}

ll_channel_found *ll_identify_add(ll_identify_job *job, const char *name)
{
    ll_identification *out = job->out;
    ll_channel_found *all = ll_grow(out->channels, &job->channel_room, out->channel_count, sizeof *all);
    if (all == NULL)
        return NULL;
    out->channels = all;
    ll_channel_found *channel = &all[out->channel_count++];
    *channel = (ll_channel_found){.name = ll_texts_add(job->texts, "%s", name),
                                  .decimals = -1,
                                  .digits = -1,
                                  .settings = "",
                                  .also_fits = "",
                                  .noise_size = (double)NAN,
                                  .evidence = "",
                                  .low = (double)NAN,
                                  .high = (double)NAN,
                                  .rows_read = (double)NAN};
    return channel;
}

/* ---- one number through the runs ---- */

static const ll_shown *shown_in(const ll_identify_job *job, long run, const ll_shown *what, long place)
{
    const ll_probe *probe = &job->pool.probes[run];
    return probe->reply.failed ? NULL : ll_numbers_get(&job->pool.numbers[run], what->name, place);
}

/* Is it the same text in both runs? -1: one of them failed. */
static int is_same(const ll_identify_job *job, long run, const ll_shown *what, long place)
{
    const ll_shown *other = shown_in(job, run, what, place);
    if (other == NULL)
        return job->pool.probes[run].reply.failed ? -1 : 0;
    return strcmp(other->text, what->text) == 0;
}

static long count_different(const ll_identify_job *job, ll_span span, const ll_shown *what, long place)
{
    long different = 0;
    for (long i = span.first; i < span.first + span.count; i++)
        different += is_same(job, i, what, place) == 0;
    return different;
}

/* Does the number move with labels under another submission than the base, which may say of all rows that count what no label changes? */
static int moves_elsewhere(const ll_identify_job *job, const ll_shown *what, long place)
{
    for (long i = job->varied.first; i < job->varied.first + job->varied.count; i++)
        for (long k = job->varied.first; k < i; k++) {
            const ll_probe *one = &job->pool.probes[i], *other = &job->pool.probes[k];
            const ll_shown *shown = shown_in(job, i, what, place);
            if (shown != NULL && one->input == other->input && one->run.sent == other->run.sent &&
                memcmp(one->entries, other->entries,
                       sizeof *one->entries * (size_t)(one->run.sent * one->run.columns)) == 0 &&
                is_same(job, k, shown, place) == 0)
                return 1;
        }
    return 0;
}

/* The one row whose label decides this number, -1: none. Labels of that row alone move it, and wherever it is the base's
 * the number is. */
static long row_followed(const ll_identify_job *job, const ll_shown *what, long place)
{
    const ll_probe *base = &job->pool.probes[job->same.first];
    long row = -1;
    for (long i = 0; i < job->flipped.count; i++) {
        if (is_same(job, job->flipped.first + i, what, place) != 0)
            continue;
        if (row >= 0)
            return -1;
        row = i;
    }
    for (long i = 1; i < job->same.count && row >= 0; i++) {
        long run = job->same.first + i;
        int is_label = job->pool.probes[run].labels[row] == base->labels[row], same = is_same(job, run, what, place);
        if (same >= 0 && same != is_label)
            return -1;
    }
    return row;
}

/* ---- what it is ---- */

static long collect(ll_seen *seen, ll_fit_case *c, const ll_identify_job *job, const ll_shown *what, long place,
                    ll_span span)
{
    long count = 0;
    for (long i = span.first; i < span.first + span.count; i++) {
        const ll_probe *probe = &job->pool.probes[i];
        const ll_shown *shown = shown_in(job, i, what, place);
        int is_number = shown != NULL && isfinite(shown->value);
        if (!is_number && (probe->kind == LL_PROBE_PLAIN || probe->kind == LL_PROBE_WIDE))
            continue;
        seen[count++] = (ll_seen){.probe = probe,
                                  .text = is_number ? shown->text : NULL,
                                  .value = is_number ? shown->value : (double)NAN,
                                  .unit = is_number ? pow(10, -(double)shown->decimals) : 0};
        if (is_number && shown->decimals > c->decimals)
            c->decimals = shown->decimals;
        if (is_number && shown->digits > c->digits &&
            probe->kind != LL_PROBE_WIDE) /* a large number rounded to decimals has many */
            c->digits = shown->digits;
    }
    return count;
}

/* What stands behind the metric in "metric=accuracy decimals=5". */
static const char *behind_metric(const char *settings)
{
    return settings + strcspn(settings, " ");
}

/* Another description that fits: its metric alone where all else is the same. */
static void add_other(char *text, size_t size, const ll_fit *fit, const ll_fit *best)
{
    int is_alike = strcmp(behind_metric(fit->settings), behind_metric(best->settings)) == 0;
    ll_print_more(text, size, "%s%s", text[0] ? "; " : "", is_alike ? fit->metric : fit->settings);
}

static void describe(ll_channel_found *channel, const ll_identify_job *job, const ll_fit *fits, long count)
{
    char also[600] = "", others[600] = "";
    const ll_fit *best = &fits[0];
    channel->recognised = 1;
    channel->metric = ll_texts_add(job->texts, "%s", best->metric);
    channel->profile = best->profile[0] ? ll_texts_add(job->texts, "%s", best->profile) : NULL;
    channel->settings = ll_texts_add(job->texts, "%s", best->settings);
    channel->compared = best->compared;
    for (long i = 1; i < count; i++)
        if (fits[i].cost / LL_FIT_RULE == best->cost / LL_FIT_RULE && strcmp(fits[i].settings, best->settings) != 0) {
            ll_print_more(also, sizeof also, "%s%s", also[0] ? "; " : "", fits[i].settings);
            add_other(others, sizeof others, &fits[i], best);
        }
    channel->also_fits = ll_texts_add(job->texts, "%s", also);
    channel->evidence = ll_texts_add(
        job->texts, "%s %s in %s%ld runs with different labels and predictions%s%s.%s%s", best->settings,
        best->misfit > 0 ? "is as near to the number as such noise allows (likely, not certain)" : "held the number",
        best->misfit > 0 ? "" : "each of ", best->compared, best->reading[0] ? "; " : "", best->reading,
        also[0] ? " These fit every run as well: " : "", others);
}

/* The rows whose label moves the number; 0 where that is all of them, or none. */
static long find_scored(unsigned char *is_scored, const ll_identify_job *job, const ll_shown *what, long place)
{
    long moved = 0;
    for (long i = 0; i < job->flipped.count; i++) {
        is_scored[i] = is_same(job, job->flipped.first + i, what, place) == 0;
        moved += is_scored[i];
    }
    return moved == job->flipped.count ? 0 : moved;
}

static void add_public(ll_channel_found *channel, const ll_identify_job *job, long scored)
{
    channel->settings =
        ll_texts_add(job->texts, "%s public=%.3g", channel->settings, (double)scored / (double)job->task.rows);
    channel->evidence = ll_texts_add(
        job->texts, "Only %ld of %ld rows count: the labels of the others never move the number. On those rows, %s",
        scored, job->task.rows, channel->evidence);
}

/* Equal predictions: of two rows, or in one row where it has one per class. */
static int has_ties(const ll_probe *probe)
{
    long columns = probe->run.columns, lines = columns > 1 ? probe->run.sent : 1,
         length = columns > 1 ? columns : probe->run.sent;
    for (long i = 0; i < lines; i++)
        for (long j = 0; j < length; j++)
            for (long k = j + 1; k < length; k++)
                if (probe->entries[i * columns + j] == probe->entries[i * columns + k])
                    return 1;
    return 0;
}

/* Nothing fits every run: does something fit those without equal predictions? Then their order is the program's own. */
static ll_status look_without_ties(ll_channel_found *channel, ll_identify_job *job, ll_fit *fits, ll_seen *seen,
                                   const ll_fit_case *all)
{
    ll_fit_case c = *all;
    long count;
    c.count = 0;
    c.is_scored = NULL;
    for (long i = 0; i < all->count; i++)
        if (!has_ties(seen[i].probe))
            seen[c.count++] = seen[i];
    if (c.count == all->count || c.count == 0)
        return LL_OK;
    ll_status status = ll_fit_find(fits, &count, &c, job->error);
    if (status == LL_OK && count > 0)
        channel->evidence = ll_texts_add(
            job->texts,
            "It changes with labels where nothing else does. %s held the number in each of %ld runs without equal predictions, and not in those with equal ones, "
            "which the program orders in a way of its own: no description of the tables fits it.",
            fits[0].settings, fits[0].compared);
    return status;
}

/* Nothing fits every run: does something fit those without large predictions? Then the program may hold them in a range. */
static ll_status look_within_range(long *count, ll_identify_job *job, ll_fit *fits, ll_seen *seen, ll_fit_case *c)
{
    long kept = 0;
    for (long i = 0; i < c->count; i++)
        if (seen[i].probe->kind != LL_PROBE_WIDE)
            seen[kept++] = seen[i];
    if (kept == c->count)
        return LL_OK;
    c->count = kept;
    return ll_fit_find(fits, count, c, job->error);
}

static ll_status recognise(ll_channel_found *channel, ll_identify_job *job, const ll_shown *what, long place,
                           double noise)
{
    ll_fit *fits = calloc(LL_FITS, sizeof *fits);
    ll_seen *seen = malloc(sizeof *seen * (size_t)(job->pool.ran + 1));
    unsigned char *is_scored = calloc((size_t)job->task.rows, 1);
    ll_fit_case c = {.task = &job->task, .seen = seen, .noise = noise, .hint = job->request->hint};
    long count = 0, scored = 0, all = 0;
    ll_status status = fits && seen && is_scored ? LL_OK : ll_identify_no_memory(job);
    if (status == LL_OK) {
        c.count = collect(seen, &c, job, what, place, job->same);
        c.count += collect(seen + c.count, &c, job, what, place, job->varied);
        if (noise > 0) /* the spread of the noise shows best where everything else is the same */
            c.count += collect(seen + c.count, &c, job, what, place, job->again);
        channel->decimals = c.decimals;
        channel->digits = c.digits;
        status = ll_fit_find(fits, &count, &c, job->error);
    }
    all = c.count;
    if (status == LL_OK && count == 0 && noise == 0)
        status = look_within_range(&count, job, fits, seen, &c);
    if (status == LL_OK && count == 0 && noise == 0 && (scored = find_scored(is_scored, job, what, place)) > 0) {
        c.is_scored = is_scored;
        status = ll_fit_find(fits, &count, &c, job->error);
    }
    if (status == LL_OK && count == 0 && noise == 0)
        status = look_without_ties(channel, job, fits, seen, &c);
    if (status == LL_OK && count > 0)
        describe(channel, job, fits, count);
    if (status == LL_OK && count > 0 && c.count < all)
        channel->evidence = ll_texts_add(
            job->texts,
            "%s Not with large predictions, which the program may hold in a range: the description is of others.",
            channel->evidence);
    if (status == LL_OK && count > 0 && scored > 0)
        add_public(channel, job, scored);
    free(fits);
    free(seen);
    free(is_scored);
    return status;
}

/* ---- noise ---- */

typedef struct {
    double mean, deviation;
    long count;
} moments;

static moments moments_of(const ll_identify_job *job, ll_span span, const ll_shown *what, long place)
{
    moments m = {0};
    double second = 0;
    for (int pass = 0; pass < 2; pass++) {
        m.count = 0;
        for (long i = span.first; i < span.first + span.count; i++) {
            const ll_shown *shown = shown_in(job, i, what, place);
            if (shown == NULL || !isfinite(shown->value))
                continue;
            double off = shown->value - m.mean;
            m.count++;
            if (pass == 0)
                m.mean += off / (double)m.count; /* the running mean */
            else
                second += off * off;
        }
    }
    m.deviation = m.count > 1 ? sqrt(second / (double)(m.count - 1)) : 0;
    return m;
}

/* The law of numbers that differ where nothing else does, NULL: none that is known. */
static ll_status find_law(const ll_law **law, double *size, ll_identify_job *job, const ll_shown *what, long place,
                          const moments *m)
{
    long count = 0;
    double *numbers = malloc(sizeof *numbers * (size_t)m->count + 1);
    if (numbers == NULL)
        return ll_identify_no_memory(job);
    for (long i = job->again.first; i < job->again.first + job->again.count; i++) {
        const ll_shown *shown = shown_in(job, i, what, place);
        if (shown != NULL && isfinite(shown->value))
            numbers[count++] = shown->value;
    }
    *law = ll_noise_law_find(size, numbers, count, m->mean, m->deviation);
    free(numbers);
    return LL_OK;
}

static ll_status look_at_noise(ll_channel_found *channel, ll_identify_job *job, const ll_shown *what, long place)
{
    moments alike = moments_of(job, job->again, what, place), drawn = moments_of(job, job->same, what, place);
    if (!(alike.deviation > 0))
        return LL_OK;
    const ll_law *law = NULL;
    double size = 0;
    ll_status status = find_law(&law, &size, job, what, place, &alike);
    if (status != LL_OK)
        return status;
    channel->noise = law != NULL ? law->name : "unknown";
    channel->noise_size = alike.deviation;
    moments varied = moments_of(job, job->varied, what, place); /* what noise alone explains is no metric */
    status = varied.deviation > 2.5 * alike.deviation ? recognise(channel, job, what, place, alike.deviation) : LL_OK;
    int spreads = alike.count >= MORE_RUNS / 2 &&
                  drawn.deviation > 2.2 * alike.deviation; /* a few runs in a row may be alike by chance */
    channel->depends_on_labels = channel->recognised || spreads            ? LL_TRUE
                                 : drawn.deviation < 1.5 * alike.deviation ? LL_FALSE
                                                                           : LL_UNKNOWN;
    if (channel->recognised && law != NULL)
        channel->settings = ll_texts_add(job->texts, "%s noise=%s:%.2g", channel->settings, law->name, size);
    if (channel->recognised)
        channel->evidence = ll_texts_add(
            job->texts,
            "The same run again gives another number: noise of standard deviation %.2g, %s by its shape in %ld runs. %s",
            alike.deviation, law != NULL ? law->name : "no law that is known", alike.count, channel->evidence);
    return status;
}

/* ---- channels ---- */

static void set_range(ll_channel_found *channel, const ll_identify_job *job, const ll_shown *what, long place)
{
    for (long i = 0; i < job->pool.ran; i++) {
        const ll_shown *shown = shown_in(job, i, what, place);
        if (shown == NULL || !isfinite(shown->value) || job->pool.probes[i].kind == LL_PROBE_WIDE)
            continue;
        channel->low = isnan(channel->low) ? shown->value : fmin(channel->low, shown->value);
        channel->high = isnan(channel->high) ? shown->value : fmax(channel->high, shown->value);
        channel->decimals = shown->decimals > channel->decimals ? shown->decimals : channel->decimals;
        channel->digits = shown->digits > channel->digits ? shown->digits : channel->digits;
    }
}

static int better_way(const ll_identify_job *job, const ll_shown *what, long place)
{
    const ll_shown *right = shown_in(job, job->varied.first + LL_VARIED_RIGHT, what, place),
                   *wrong = shown_in(job, job->varied.first + LL_VARIED_WRONG, what, place);
    return right == NULL || wrong == NULL ? 0 : (right->value > wrong->value) - (right->value < wrong->value);
}

static ll_status add_number(ll_identify_job *job, const ll_shown *what, long place)
{
    ll_channel_found *channel = ll_identify_add(job, what->name);
    ll_status status = LL_OK;
    if (channel == NULL)
        return ll_identify_no_memory(job);
    channel->is_number = 1;
    channel->is_deterministic = count_different(job, job->again, what, place) == 0 ? LL_TRUE : LL_FALSE;
    set_range(channel, job, what, place);
    channel->better = better_way(job, what, place);
    if (channel->is_deterministic == LL_FALSE)
        return look_at_noise(channel, job, what, place);
    channel->depends_on_labels =
        count_different(job, job->same, what, place) > 0 || moves_elsewhere(job, what, place) ? LL_TRUE : LL_FALSE;
    if (channel->depends_on_labels != LL_TRUE)
        return status;
    channel->rows_read = (double)count_different(job, job->flipped, what, place) / (double)job->task.rows;
    long row = row_followed(job, what, place);
    if (row >= 0) {
        channel->tells_rows = 1;
        channel->evidence = ll_texts_add(job->texts, "It follows the label of row %ld and no other label.", row);
        return LL_OK;
    }
    status = recognise(channel, job, what, place, 0);
    if (status == LL_OK && !channel->recognised && channel->evidence[0] == '\0')
        channel->evidence = ll_texts_add(
            job->texts, "It changes with labels where nothing else does; no metric of the tables fits it.");
    return status;
}

/* A part with more numbers than anybody names: how many of them follow one label each? */
static ll_status add_table(ll_identify_job *job, long part)
{
    const ll_numbers *base = &job->pool.numbers[job->same.first];
    long depend = 0, followed = 0, noisy = 0;
    for (long k = 0; k < base->count; k++) {
        if (base->all[k].part != part)
            continue;
        noisy += count_different(job, job->again, &base->all[k], k) > 0;
        if (count_different(job, job->same, &base->all[k], k) == 0)
            continue;
        depend++;
        followed += row_followed(job, &base->all[k], k) >= 0;
    }
    ll_channel_found *channel = ll_identify_add(job, job->pool.probes[job->same.first].reply.parts[part].channel);
    if (channel == NULL)
        return ll_identify_no_memory(job);
    channel->is_deterministic = noisy > 0 ? LL_FALSE : LL_TRUE;
    channel->depends_on_labels = noisy > 0 && followed == 0 ? LL_UNKNOWN : depend > 0 ? LL_TRUE : LL_FALSE;
    channel->tells_rows = followed > 0;
    channel->evidence = ll_texts_add(
        job->texts, "%ld numbers in it change with labels, and %ld of them each follow the label of one row.", depend,
        followed);
    return LL_OK;
}

/* ---- all ---- */

static long count_in_part(const ll_numbers *n, long part)
{
    long count = 0;
    for (long k = 0; k < n->count; k++)
        count += n->all[k].part == part;
    return count;
}

static ll_status add_part(ll_identify_job *job, long part)
{
    const ll_numbers *base = &job->pool.numbers[job->same.first];
    ll_status status = LL_OK;
    if (count_in_part(base, part) > MOST_NUMBERS_NAMED)
        status = add_table(job, part);
    else
        for (long k = 0; k < base->count && status == LL_OK; k++)
            if (base->all[k].part == part)
                status = add_number(job, &base->all[k], k);
    return status == LL_OK ? ll_identify_add_text(job, part) : status;
}

/* Where something is not the same the second time, more runs tell how it spreads. */
static ll_status ask_more(ll_identify_job *job)
{
    const ll_numbers *base = &job->pool.numbers[job->same.first];
    long noisy = 0;
    for (long k = 0; k < base->count; k++)
        noisy += count_different(job, job->again, &base->all[k], k) > 0;
    if (noisy == 0 || !ll_asker_has(&job->pool.asker, MORE_RUNS))
        return LL_OK;
    ll_probe *probe;
    ll_status status = LL_OK;
    for (long i = 0; i < MORE_RUNS && status == LL_OK; i++)
        status = ll_run_pool_add_copy(&job->pool, &probe, job->same.first, job->error);
    return status == LL_OK ? ll_run_pool_run(&job->pool, &job->again, job->error) : status;
}

/* Where noise alone moves every number, it also made the submissions look as if the program read them: another kind might show labels. */
static void doubt_noise(ll_identify_job *job)
{
    ll_channel_found *all = job->out->channels;
    for (long i = 0; i < job->out->channel_count; i++)
        if (all[i].depends_on_labels == LL_TRUE)
            return;
    for (long i = 0; i < job->out->channel_count; i++)
        if (all[i].noise != NULL && all[i].depends_on_labels == LL_FALSE) {
            all[i].depends_on_labels = LL_UNKNOWN;
            all[i].evidence = ll_texts_add(
                job->texts,
                "The same run again gives another number, and labels move it no more than that. Without its noise, identify could tell what it is.");
        }
}

ll_status ll_identify_channels(ll_identify_job *job)
{
    const ll_reply *base = &job->pool.probes[job->same.first].reply;
    ll_status status = base->failed
                           ? ll_fail(job->error, LL_DOMAIN, "the program fails with labels drawn at random: '%.300s'",
                                     base->reason != NULL ? base->reason : "")
                           : ask_more(job);
    for (long part = 0; part < base->count && status == LL_OK; part++)
        status = add_part(job, part);
    if (status == LL_OK)
        doubt_noise(job);
    return status;
}
