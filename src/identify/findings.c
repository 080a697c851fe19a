/* What a host should read first, and the description of the whole answer. */
#include "identify/job.h"

#include "number/memory.h"
#include "number/text_number.h"

#include <stdio.h>
#include <string.h>

static ll_surprise *add(ll_identify_job *job, const char *kind, const char *channel)
{
    ll_identification *out = job->out;
    ll_surprise *all = ll_grow(out->surprises, &job->surprise_room, out->surprise_count, sizeof *all);
    if (all == NULL)
        return NULL;
    out->surprises = all;
    all[out->surprise_count] = (ll_surprise){.kind = kind, .channel = channel, .text = ""};
    return &all[out->surprise_count++];
}

/* The channel that is shown first holds the score. */
static const char *score_part(const ll_identify_job *job)
{
    const ll_reply *base = &job->pool.probes[job->same.first].reply;
    return base->count > 0 ? base->parts[0].channel : "";
}

static int is_of_score(const ll_identify_job *job, const ll_channel_found *channel)
{
    const char *part = score_part(job);
    size_t length = strlen(part);
    return strncmp(channel->name, part, length) == 0 &&
           (channel->name[length] == ':' || channel->name[length] == '#' || channel->name[length] == '\0');
}

/* ---- surprises, the worst first ---- */

static int add_forms(ll_identify_job *job)
{
    char words[600] = "";
    const ll_form_found *first = NULL;
    for (long i = 0; i < job->out->form_count; i++) {
        const ll_form_found *form = &job->out->forms[i];
        if (!form->reads_row)
            continue;
        ll_print_more(words, sizeof words, "%s%s", first != NULL ? ", or " : "", form->words);
        first = first != NULL ? first : form;
    }
    ll_surprise *s = first != NULL ? add(job, "chosen-rows", first->name) : NULL;
    if (s != NULL)
        s->text = ll_texts_add(
            job->texts,
            "The submitter chooses the rows: a submission %s is scored on what is there alone. One row per submission reads that row's label "
            "through any rounding. Refuse submissions that do not have every row exactly once, with a number in each. %s",
            words, first->evidence);
    return first == NULL || s != NULL;
}

static int add_rows(ll_identify_job *job)
{
    for (long i = 0; i < job->out->channel_count; i++) {
        const ll_channel_found *c = &job->out->channels[i];
        if (!c->tells_rows || !ll_identify_is_seen(job, c->name))
            continue;
        ll_surprise *s = add(job, "row-labels", c->name);
        if (s == NULL)
            return 0;
        s->text = ll_texts_add(job->texts, "%s shows labels of single rows as they are. Do not show it. %s", c->name,
                               c->evidence);
    }
    return 1;
}

static int add_failures(ll_identify_job *job)
{
    if (job->out->failure_depends != LL_TRUE)
        return 1;
    ll_surprise *s = add(job, "failure", "status");
    if (s == NULL)
        return 0;
    s->text = ll_texts_add(
        job->texts,
        "Labels decide whether, or how, a submission fails, and failures often do not count against a limit. Check the form of a submission "
        "before a label is read, and let every number be defined. %s",
        job->out->failures);
    return 1;
}

/* The score with the same metric that this channel repeats; NULL: none. */
static const ll_channel_found *find_score(const ll_identify_job *job, const ll_channel_found *like)
{
    for (long i = 0; i < job->out->channel_count; i++) {
        const ll_channel_found *c = &job->out->channels[i];
        if (c != like && is_of_score(job, c) && c->depends_on_labels == LL_TRUE && c->metric != NULL &&
            like->metric != NULL && strcmp(c->metric, like->metric) == 0)
            return c;
    }
    return NULL;
}

static int has_more(const ll_channel_found *c, const ll_channel_found *score)
{
    return c->is_deterministic == LL_TRUE &&
           (score->noise != NULL || (c->decimals > score->decimals && c->digits > score->digits));
}

static int add_other(ll_identify_job *job, const ll_channel_found *c)
{
    const ll_channel_found *score = find_score(job, c);
    int more = score != NULL && has_more(c, score);
    if (c->tells_rows || !ll_identify_is_seen(job, c->name) || (score != NULL && !more) ||
        (is_of_score(job, c) && (c->is_number || !c->is_deterministic)))
        return 1;
    ll_surprise *s = add(job, more ? "more-digits" : "other-channel", c->name);
    if (s == NULL)
        return 0;
    s->text =
        more
            ? ll_texts_add(
                  job->texts,
                  "%s shows the score with %ld digits where the score itself has %ld: rounding protects nothing while it is shown.",
                  c->name, c->digits, score->digits)
            : ll_texts_add(job->texts,
                           "%s depends on labels and is not the score. Hide it, or count it as released. %s", c->name,
                           c->evidence);
    return 1;
}

static int add_others(ll_identify_job *job)
{
    for (long i = 0; i < job->out->channel_count; i++)
        if (job->out->channels[i].depends_on_labels == LL_TRUE && !add_other(job, &job->out->channels[i]))
            return 0;
    return 1;
}

/* ---- the description ---- */

/* A setting's value in "name=value name=value", or "". */
static void get_setting(char *value, size_t size, const char *settings, const char *name)
{
    size_t length = strlen(name);
    value[0] = '\0';
    for (const char *at = settings; *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' '))
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            (void)snprintf(value, size, "%.*s", (int)strcspn(at + length + 1, " "), at + length + 1);
}

/* Of a further number: what its release has of its own. */
static void add_also(char *text, size_t size, const ll_channel_found *c)
{
    static const char *const own[] = {"decimals", "digits", "truncate", "transform", "zero-division"};
    char value[80];
    const char *between = ":";
    ll_print_more(text, size, " also=%s", c->metric);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        get_setting(value, sizeof value, c->settings, own[i]);
        if (value[0] == '\0' || strchr(value, ',') != NULL)
            continue;
        ll_print_more(text, size, "%s%s=%s", between, own[i], value);
        between = ",";
    }
}

static int is_first_of_metric(const ll_identify_job *job, long index)
{
    const ll_channel_found *c = &job->out->channels[index];
    for (long i = 0; i < job->out->channel_count; i++) {
        const ll_channel_found *other = &job->out->channels[i];
        if (i == index || !other->recognised || !ll_identify_is_seen(job, other->name) ||
            strcmp(other->metric, c->metric) != 0)
            continue;
        if (has_more(other, c) || (i < index && !has_more(c, other)))
            return 0; /* the one with more digits stands for both */
    }
    return 1;
}

static void write_settings(ll_identify_job *job)
{
    char text[1200] = "";
    int all = 1, any = 0;
    for (long i = 0; i < job->out->channel_count; i++) {
        ll_channel_found *c = &job->out->channels[i];
        if (c->depends_on_labels == LL_FALSE || !ll_identify_is_seen(job, c->name))
            continue;
        all = all && c->recognised;
        if (!c->recognised || !is_first_of_metric(job, i))
            continue;
        if (!any)
            (void)ll_print(text, sizeof text, "%s", c->settings);
        else
            add_also(text, sizeof text, c);
        c->is_described = any = 1;
    }
    job->out->settings = ll_texts_add(job->texts, "%s", text);
    job->out->recognised = all && any;
}

static void write_command_line(ll_identify_job *job)
{
    char line[1600] = "";
    for (const char *at = job->out->settings; *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' ')) {
        size_t name = strcspn(at, "="), length = strcspn(at, " ");
        int is_flag = strncmp(at + name, "=yes", 4) == 0;
        ll_print_more(line, sizeof line, "%s%c%c%.*s%s%.*s", line[0] ? " " : "", '-', '-', (int)name, at,
                      is_flag ? "" : " ", is_flag ? 0 : (int)(length - name - 1), at + name + 1);
    }
    if (job->task.classes > 2 && line[0])
        ll_print_more(line, sizeof line, " %c%cclasses %ld", '-', '-', job->task.classes);
    if (job->task.grid != NULL && line[0])
        ll_print_more(line, sizeof line, " %c%ctargets %s", '-', '-', job->task.grid);
    job->out->command_line = ll_texts_add(job->texts, "%s", line);
}

static void write_summary(ll_identify_job *job)
{
    const ll_identification *out = job->out;
    long depend = 0;
    for (long i = 0; i < out->channel_count; i++)
        depend += out->channels[i].depends_on_labels == LL_TRUE;
    if (out->recognised)
        job->out->summary = ll_texts_add(job->texts, "The program is recognised: %s. %ld surprise%s.", out->settings,
                                         out->surprise_count, out->surprise_count == 1 ? "" : "s");
    else
        job->out->summary = ll_texts_add(
            job->texts,
            "The program is not recognised as a whole: %ld channel%s depend%s on labels%s%s. %ld surprise%s.", depend,
            depend == 1 ? "" : "s", depend == 1 ? "s" : "", out->settings[0] ? ", among them " : "", out->settings,
            out->surprise_count, out->surprise_count == 1 ? "" : "s");
}

/* The score first, then what depends on labels. */
static int rank_of(const ll_identify_job *job, const ll_channel_found *c)
{
    return c->depends_on_labels == LL_FALSE ? 3 : !is_of_score(job, c) ? 2 : c->recognised ? 0 : 1;
}

static void sort_channels(ll_identify_job *job)
{
    ll_channel_found *all = job->out->channels;
    for (long i = 1; i < job->out->channel_count; i++)
        for (long j = i; j > 0 && rank_of(job, &all[j]) < rank_of(job, &all[j - 1]); j--) {
            ll_channel_found other = all[j];
            all[j] = all[j - 1];
            all[j - 1] = other;
        }
}

ll_status ll_identify_findings(ll_identify_job *job)
{
    static const char *const inputs[] = {"probability", "class", "probabilities", "number"};
    sort_channels(job);
    job->out->input = inputs[job->input];
    if (!add_forms(job) || !add_rows(job) || !add_failures(job) || !add_others(job))
        return ll_fail(job->error, LL_MEMORY, "no memory for what was found");
    write_settings(job);
    write_command_line(job);
    write_summary(job);
    return ll_texts_failed(job->texts) ? ll_fail(job->error, LL_MEMORY, "no memory for what was found") : LL_OK;
}
