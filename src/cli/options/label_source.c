#include "cli/options/label_source.h"

#include "cli/options/help.h"
#include "cli/options/syntax.h"
#include "io/files/printable.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "What it works on:", 1},
    {"labels", 'y', "FILE", 0,
     "Labels: one per line, FILE:COLUMN of CSV or JSON lines (a name or a number from 1), .npy or IDX, gzip'd or not; - is stdin. Names "
     "of classes that are not 0..K-1 are mapped, and the mapping is shown",
     0},
    {"dataset", LL_TEXT(ll_label_source, dataset), "NAME", 0,
     "Labels of an embedded data set (`lossleak datasets' lists them): generated from its real class counts, in an "
     "order that --seed gives",
     0},
    {"public-rows", LL_TEXT(ll_label_source, public_rows), "FILE", 0,
     "Which rows the simulated curator scores (with --public), 1 or 0 for every row, read as --labels is; names are "
     "taken in their order, so that FILE.csv:Usage of `Private' and `Public' will do (default: drawn by --seed; of an "
     "unknown number 3 in 10)",
     0},
    {0}};

static const ll_place places[] = {{'y', LL_TEXT(ll_label_source, file)}, {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    return ll_cli_put(state->input, places, key, value);
}

static void clear(void *self)
{
    ll_label_source *source = self;
    free(source->states);
    ll_io_clear_labels(&source->held);
    free(source->counts);
    *source = (ll_label_source){0};
}

const ll_option_group ll_cli_label_group = {
    {options_table, parse_option, NULL, NULL, NULL, NULL, NULL}, clear, ll_cli_brief_clause};

const char *ll_cli_labels_complain(const ll_label_source *source)
{
    if (source->file && source->dataset)
        return "--labels and --dataset contradict each other: give one of them";
    return source->file || source->dataset ? NULL : "no labels: give --labels FILE or --dataset NAME";
}

static const ll_dataset_info *find_dataset(const char *name)
{
    for (long i = 0; i < ll_dataset_count(); i++)
        if (strcmp(ll_dataset_get_info(i)->name, name) == 0)
            return ll_dataset_get_info(i);
    return NULL;
}

/* The library's text names the data sets it knows. */
static ll_status refuse_dataset(const char *name, ll_error *error)
{
    ll_error why = {0};
    int32_t none;
    ll_status status = ll_dataset_labels(&none, 0, name, 0, &why);
    return ll_fail(error, status == LL_OK ? LL_DOMAIN : status, "--dataset %.80s: %s", name, why.text);
}

static ll_status make_dataset(ll_io_labels *out, const ll_dataset_info *info, long rows, long classes, uint64_t seed,
                              ll_error *error)
{
    if (rows && rows != info->rows)
        return ll_fail(error, LL_DOMAIN, "--rows %ld: %s has %ld", rows, info->name, info->rows);
    if (classes && classes < info->classes)
        return ll_fail(error, LL_DOMAIN, "--classes %ld: %s has %ld", classes, info->name, info->classes);
    int32_t *labels = malloc((size_t)info->rows * sizeof *labels);
    if (!labels)
        return ll_fail(error, LL_MEMORY, "no memory for the labels of %s", info->name);
    ll_status status = ll_dataset_labels(labels, info->rows, info->name, seed, error);
    if (status != LL_OK) {
        free(labels);
        return status;
    }
    *out = (ll_io_labels){.labels = labels, .rows = info->rows, .classes = classes ? classes : info->classes};
    return LL_OK;
}

static ll_status read_file(ll_label_source *source, const ll_scorer *scorer, long rows, long classes, size_t max_memory,
                           ll_error *error)
{
    ll_io_targets targets;
    ll_status status = ll_io_targets_init(&targets, scorer, error);
    if (status != LL_OK)
        return status;
    status = targets.count > 0 ? ll_io_read_targets(&source->held, source->file, rows, &targets, max_memory, error)
                               : ll_io_read_labels(&source->held, source->file, rows, classes, max_memory, error);
    ll_io_targets_clear(&targets);
    return status;
}

static ll_status read_any(ll_label_source *source, const ll_scorer *scorer, uint64_t seed, size_t max_memory,
                          ll_error *error)
{
    long rows = ll_scorer_get_count(scorer, "rows"), classes = ll_scorer_get_count(scorer, "classes");
    if (ll_scorer_count_targets(scorer) > 0)
        classes = ll_scorer_count_targets(scorer);
    if (source->file)
        return read_file(source, scorer, rows, classes, max_memory, error);
    const ll_dataset_info *info = find_dataset(source->dataset);
    return info ? make_dataset(&source->held, info, rows, classes, seed, error)
                : refuse_dataset(source->dataset, error);
}

ll_status ll_cli_labels_read(ll_label_source *source, const ll_scorer *scorer, uint64_t seed, size_t max_memory,
                             ll_error *error)
{
    ll_status status = read_any(source, scorer, seed, max_memory, error);
    if (status != LL_OK)
        return status;
    if (source->held.classes > LL_LISTED_CLASSES)
        return LL_OK;
    source->counts = calloc((size_t)source->held.classes, sizeof *source->counts);
    if (!source->counts)
        return ll_fail(error, LL_MEMORY, "no memory for the counts of %ld classes", source->held.classes);
    for (long i = 0; i < source->held.rows; i++)
        source->counts[source->held.labels[i]]++;
    return LL_OK;
}

/* Of a file of two values, the greater is public. */
static ll_status read_public(const ll_label_source *source, ll_curator *curator, size_t max_memory, ll_error *error)
{
    ll_io_labels read = {0};
    long rows = source->held.rows;
    ll_status status = ll_io_read_labels(&read, source->public_rows, rows, 2, max_memory, error);
    unsigned char *is_public = status == LL_OK ? malloc((size_t)rows) : NULL;
    if (status == LL_OK && is_public == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for %ld rows", rows);
    for (long i = 0; i < rows && status == LL_OK; i++)
        is_public[i] = read.labels[i] == 1;
    if (status == LL_OK) {
        ll_error why = {0};
        status = ll_curator_set_public(curator, is_public, rows, &why);
        if (status != LL_OK)
            (void)ll_fail(error, status, "%s: %s", source->public_rows, why.text);
    }
    free(is_public);
    ll_io_clear_labels(&read);
    return status;
}

/* What an attack may find at best. */
static ll_status keep_states(ll_label_source *source, const ll_curator *curator, ll_error *error)
{
    long rows = source->held.rows;
    unsigned char *is_public = malloc((size_t)rows);
    source->states = malloc(sizeof *source->states * (size_t)rows);
    if (is_public == NULL || source->states == NULL) {
        free(is_public);
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", rows);
    }
    ll_curator_get_public(curator, is_public);
    for (long i = 0; i < rows; i++)
        source->states[i] = is_public[i] ? source->held.labels[i] : (int32_t)source->held.classes;
    free(is_public);
    return LL_OK;
}

/* What a curator keeps for every row while it scores, where that is more than its label; measured, in bytes. */
static double bytes_a_row(const char *metric)
{
    static const struct {
        const char *link;
        double bytes;
    } kept[] = {{"all targets together", 420}, {"ranks", 40}};
    for (long i = 0; i < ll_metric_count(); i++)
        for (size_t k = 0; k < sizeof kept / sizeof kept[0] && strcmp(ll_metric_get_info(i)->name, metric) == 0; k++)
            if (strcmp(ll_metric_get_info(i)->link, kept[k].link) == 0)
                return kept[k].bytes;
    return 0;
}

static ll_status check_memory(const ll_scorer *scorer, long rows, size_t max_memory, ll_error *error)
{
    double needed = 0;
    for (long i = 0; i < ll_scorer_count_numbers(scorer); i++)
        needed += bytes_a_row(ll_scorer_get(ll_scorer_get_number(scorer, i), "metric")) * (double)rows;
    if (needed <= (double)max_memory)
        return LL_OK;
    return ll_fail(error, LL_UNABLE,
                   "over budget: to score %ld rows needs about %.0f bytes of memory, %zu are allowed (--max-memory)",
                   rows, needed, max_memory);
}

ll_status ll_cli_labels_curator(ll_curator **out, ll_label_source *source, const ll_scorer *scorer, size_t max_memory,
                                ll_error *error)
{
    ll_curator *curator = NULL;
    if (source->public_rows != NULL && ll_scorer_get(scorer, "public") == NULL)
        return ll_fail(error, LL_DOMAIN, "--public-rows %.200s: every row is scored; give --public, too",
                       source->public_rows);
    ll_status status = check_memory(scorer, source->held.rows, max_memory, error);
    if (status == LL_OK)
        status = ll_curator_create(&curator, scorer, source->held.labels, source->held.rows, error);
    if (status == LL_OK && source->public_rows != NULL)
        status = read_public(source, curator, max_memory, error);
    if (status == LL_OK)
        status = keep_states(source, curator, error);
    if (status == LL_OK)
        *out = curator;
    else
        ll_curator_destroy(curator);
    return status;
}

/* Each row has a name of its own: its number. */
static ll_status write_long_grid(const char *path, const ll_verdict *verdict, const ll_io_targets *targets,
                                 ll_error *error)
{
    enum { TEXT = 64 };
    const size_t rows = (size_t)verdict->rows;
    ll_verdict shown = *verdict;
    char *texts = calloc(rows, TEXT), **names = calloc(rows, sizeof *names);
    shown.labels = calloc(rows, sizeof *shown.labels);
    ll_status status = texts && names && shown.labels ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for labels");
    for (size_t i = 0; i < rows && status == LL_OK; i++) {
        names[i] = texts + i * TEXT;
        shown.labels[i] = verdict->labels[i] < 0 ? -1 : (int32_t)i;
        if (verdict->labels[i] >= 0)
            status = ll_io_targets_write(targets, names[i], TEXT, verdict->labels[i], error);
    }
    if (status == LL_OK)
        status = ll_io_write_verdict(path, &shown, (const char *const *)names, verdict->rows, error);
    free(texts);
    free((void *)names);
    free(shown.labels);
    return status;
}

ll_status ll_cli_labels_write_verdict(const char *path, const ll_verdict *verdict, const ll_label_source *source,
                                      const ll_scorer *scorer, ll_error *error)
{
    ll_io_targets targets = {0};
    if (source != NULL && source->held.names != NULL)
        return ll_io_write_verdict(path, verdict, (const char *const *)source->held.names, source->held.name_count,
                                   error);
    ll_status status = ll_io_targets_init(&targets, scorer, error);
    if (status == LL_OK && targets.count > LL_LISTED_CLASSES)
        status = write_long_grid(path, verdict, &targets, error);
    else if (status == LL_OK)
        status = ll_io_write_verdict(path, verdict, (const char *const *)targets.names, targets.count, error);
    ll_io_targets_clear(&targets);
    return status;
}

void ll_cli_labels_write_mapping(char *text, size_t size, const ll_label_source *source)
{
    enum { SHOWN = 12 };
    const ll_io_labels *held = &source->held;
    size_t used = 0;
    for (long k = 0; k < held->name_count && k < SHOWN && used < size; k++) {
        char name[44];
        ll_io_printable(name, sizeof name, held->names[k], strlen(held->names[k]));
        used += (size_t)snprintf(text + used, size - used, "%s%ld = %s", k ? ", " : "", k, name);
    }
    if (held->name_count > SHOWN && used < size)
        (void)snprintf(text + used, size - used, ", ... (%ld in all)", held->name_count);
}
