/* Parsing only keeps what was typed; finishing hands it to the library, setting by setting, so the order on the command
 * line does not matter. A setting given twice counts as it was given last. The options are made from the library's
 * table before main runs, since argp wants them as an array. */
#include "cli/options/scorer_options.h"

#include "cli/options/common_options.h"
#include "io/formats/groups_file.h"
#include "io/formats/number_lines.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_FIRST = 0x2000, ROWS = 2 * LL_SCORER_OPTIONS };

static struct argp_option options_table[ROWS];

/* Settings that people type most: they are on the first screen of help ("": with the first clause of their text, ".":
 * with its first sentence), some with a short option (else 0). */
static const struct {
    const char *name;
    int letter;
    const char *brief;
} first[] = {
    {"scorer", 's', "A real scorer, such as sklearn/log_loss (`lossleak scorers' lists them)"},
    {"metric", 'l', "Or a metric by its name, such as f1, auc or rmse (`lossleak metrics' lists them)"},
    {"rows", 0, "Rows of the hidden test set"},
    {"classes", 0, "Classes of the labels (default 2)"},
    {"targets", 0, "Labels are numbers: LO, LO+STEP, ..., HI, and none between two of them"},
    {"arithmetic", 'a', "fp64, fp32, exact, ..."},
    {"decimals", 'd', "The score is rounded to D decimals"},
    {"noise", 0, "."},
    {"prior", 0, ""},
    {"queries", 'q', "Submissions that are answered (default: no limit)"},
    {"release", 0, "levels:BASE:BEST:COUNT shows a score only where it beats the best so far, on COUNT levels"},
    {"public", 0, "The score is over a hidden part of the rows: a share or a count"},
    {"counts", 0, "Rows of every class, where they are public"},
    {"also", 0, "A further number in each answer"},
};

enum { FIRST = sizeof first / sizeof first[0] };

static const char *brief(const char *name)
{
    for (size_t i = 0; i < FIRST; i++)
        if (strcmp(first[i].name, name) == 0)
            return first[i].brief;
    return NULL;
}

static int key_of(long setting)
{
    const char *name = ll_setting_get_info(setting)->name;
    for (size_t i = 0; i < FIRST; i++)
        if (first[i].letter && strcmp(first[i].name, name) == 0)
            return first[i].letter;
    return KEY_FIRST + (int)setting;
}

/* Settings that are options of another group. */
static int is_elsewhere(const char *name)
{
    return strcmp(name, "seed") == 0;
}

/* Lists as long as the rows are files, one number a line. */
static int is_file(const char *name)
{
    return strcmp(name, "weights") == 0;
}

static void add_option(int *row, long setting)
{
    const ll_setting_info *info = ll_setting_get_info(setting);
    options_table[(*row)++] = (struct argp_option){.name = info->name,
                                                   .key = key_of(setting),
                                                   .arg = is_file(info->name) ? "FILE"
                                                          : info->values[0]   ? info->values
                                                                              : NULL,
                                                   .doc = info->meaning};
    if (strcmp(info->name, "metric") == 0)
        options_table[(*row)++] = (struct argp_option){.name = "loss", .flags = OPTION_ALIAS};
}

/* Is it the first setting of its group? */
static int begins_group(long setting)
{
    for (long i = 0; i < setting; i++)
        if (strcmp(ll_setting_get_info(i)->group, ll_setting_get_info(setting)->group) == 0)
            return 0;
    return 1;
}

/* Group by group, each under one heading. */
__attribute__((constructor)) static void make_options(void)
{
    int row = 0, number = LL_GROUP_SCORER;
    assert(ll_setting_count() <= LL_SCORER_OPTIONS);
    for (long g = 0; g < ll_setting_count(); g++) {
        const char *group = ll_setting_get_info(g)->group;
        if (!begins_group(g))
            continue;
        options_table[row++] = (struct argp_option){.doc = group, .group = number++};
        for (long i = g; i < ll_setting_count() && row < ROWS - 3; i++)
            if (strcmp(group, ll_setting_get_info(i)->group) == 0 && !is_elsewhere(ll_setting_get_info(i)->name))
                add_option(&row, i);
    }
}

/* Settings whose text may be in a file. */
static int is_from_file(const char *name)
{
    return strcmp(name, "groups") == 0;
}

/* Settings that are lists: what is given again is one more. */
static int is_list(const char *name)
{
    return strcmp(name, "also") == 0;
}

/* 0, or ENOMEM. */
static error_t add_to_list(ll_scorer_options *options, long setting, const char *value)
{
    const char *before = options->given[setting];
    size_t size = (before ? strlen(before) : 0) + strlen(value) + 2;
    char *joined = malloc(size);
    if (joined == NULL)
        return ENOMEM;
    (void)snprintf(joined, size, "%s%s%s", before ? before : "", before ? ";" : "", value);
    free(options->list);
    options->given[setting] = options->list = joined;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    ll_scorer_options *options = state->input;
    for (long i = 0; i < ll_setting_count(); i++)
        if (key == key_of(i) && !is_elsewhere(ll_setting_get_info(i)->name)) {
            if (is_list(ll_setting_get_info(i)->name))
                return add_to_list(options, i, value);
            options->given[i] = value ? value : "yes";
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

static void clear(void *self)
{
    ll_scorer_options *options = self;
    ll_scorer_destroy(options->scorer);
    free(options->list);
    free(options->numbers);
    free(options->levels);
}

const ll_option_group ll_cli_scorer_group = {{options_table, parse_option, NULL, NULL, NULL, NULL, NULL}, clear, brief};

/* The library names the setting; here it is an option. */
static ll_status name_option(ll_status status, const ll_error *why, ll_error *error)
{
    return status == LL_OK ? LL_OK : ll_fail(error, status, "--%s", why->text);
}

static ll_status set_all(ll_scorer_options *options, uint64_t seed, ll_error *error)
{
    char text[32];
    ll_error why = {0};
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    ll_status status = ll_scorer_set(options->scorer, "seed", text, &why);
    for (long i = 0; i < ll_setting_count() && status == LL_OK; i++)
        if (options->given[i] != NULL && !is_from_file(ll_setting_get_info(i)->name))
            status = ll_scorer_set(options->scorer, ll_setting_get_info(i)->name, options->given[i], &why);
    return name_option(status, &why, error);
}

/* ---- files ---- */

typedef struct {
    char *text;
    size_t used, room;
} number_list;

static ll_status take_number(ll_io_number_lines *lines, const char *text, size_t length, long line, ll_error *error)
{
    number_list *to = lines->self;
    (void)line;
    if (to->used + length + 2 > to->room) {
        size_t room = 2 * (to->used + length) + 64;
        ll_status status = ll_io_number_lines_charge(lines, room - to->room, error);
        char *more = status == LL_OK ? realloc(to->text, room) : NULL;
        if (more == NULL)
            return status != LL_OK ? status : ll_fail(error, LL_MEMORY, "no memory for a list of numbers");
        to->text = more;
        to->room = room;
    }
    if (to->used > 0)
        to->text[to->used++] = ',';
    memcpy(to->text + to->used, text, length);
    to->used += length;
    to->text[to->used] = '\0';
    return LL_OK;
}

/* How much of a setting's text stands before the name of a file; -1 where no file is named. */
static long before_file(long setting, const char *text)
{
    static const char levels[] = "levels:";
    const char *name = ll_setting_get_info(setting)->name;
    if (text == NULL || is_file(name))
        return text == NULL ? -1 : 0;
    int is_levels = strcmp(name, "release") == 0 && strncmp(text, levels, strlen(levels)) == 0;
    return is_levels && strpbrk(text + strlen(levels), ":,") == NULL && text[strlen(levels)] ? (long)strlen(levels)
                                                                                             : -1;
}

/* The numbers of a file, one per line, behind the first `before` characters of the text; *out is to be freed. */
static ll_status read_file(char **out, const char *name, const char *text, long before, size_t max_memory,
                           ll_error *error)
{
    const char *path = text + before;
    number_list list = {.room = (size_t)before + 1, .text = strndup(text, (size_t)before)};
    ll_io_number_lines lines = {
        .path = path, .what = "number", .limit = max_memory, .take = take_number, .self = &list};
    ll_status status = list.text != NULL ? ll_io_number_lines_read(&lines, path, error)
                                         : ll_fail(error, LL_MEMORY, "no memory for a list of numbers");
    if (status == LL_OK && list.used == 0)
        status = ll_fail(error, LL_DOMAIN, "--%s %.200s: the file holds no number", name, path);
    *out = list.text;
    if (status == LL_OK && before > 0 && (*out = malloc((size_t)before + list.used + 1)) != NULL) {
        (void)snprintf(*out, (size_t)before + list.used + 1, "%.*s%s", (int)before, text, list.text);
        free(list.text);
    }
    return status == LL_OK && *out == NULL ? ll_fail(error, LL_MEMORY, "no memory for a list of numbers") : status;
}

/* For the printed checks. A name that does not fit is left out. */
static void note_file(ll_scorer_options *options, const char *setting, const char *typed)
{
    size_t used = strlen(options->files), room = sizeof options->files - used;
    int more = snprintf(options->files + used, room, "%s=%s\n", setting, typed);
    if (more < 0 || (size_t)more >= room)
        options->files[used] = '\0';
}

/* What is typed names a file; what is set is the numbers in it. */
static ll_status read_files(ll_scorer_options *options, size_t max_memory, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < ll_setting_count() && status == LL_OK; i++) {
        long before = before_file(i, options->given[i]);
        char **kept = before > 0 ? &options->levels : &options->numbers;
        if (before < 0)
            continue;
        note_file(options, ll_setting_get_info(i)->name, options->given[i]);
        status = read_file(kept, ll_setting_get_info(i)->name, options->given[i], before, max_memory, error);
        options->given[i] = *kept;
    }
    return status;
}

/* A number of so many bits, and the dozens of them that a logarithm works with. */
static ll_status check_budget(const ll_scorer *scorer, size_t max_memory, ll_error *error)
{
    enum { BYTES_A_BIT = 4 };
    long precision = ll_scorer_get_count(scorer, "precision");
    if ((size_t)precision <= max_memory / BYTES_A_BIT)
        return LL_OK;
    return ll_fail(error, LL_UNABLE, "--precision %ld: over budget, needs about %zu bytes, --max-memory allows %zu",
                   precision, (size_t)precision * BYTES_A_BIT, max_memory);
}

/* Contradictions are found before any file is read. What was resolved is not lost: the scorer becomes a copy of it, in
 * which rows and classes can be set. */
static ll_status try_to_resolve(ll_scorer_options *options, ll_error *error)
{
    ll_scorer *copy = NULL;
    ll_error warning = {0};
    ll_status status = ll_scorer_resolve(options->scorer, &warning, error);
    if (status == LL_OK)
        status = ll_scorer_copy(&copy, options->scorer, error);
    if (status == LL_OK) {
        ll_scorer_destroy(options->scorer);
        options->scorer = copy;
    }
    memcpy(options->warning, warning.text, sizeof warning.text);
    return status;
}

/* Groups may stand in a file, and say how many rows there are. */
static ll_status set_groups(ll_scorer_options *options, size_t max_memory, ll_error *error)
{
    ll_error why = {0};
    char *text = NULL, count[32];
    long setting = 0, rows = 0;
    while (!is_from_file(ll_setting_get_info(setting)->name))
        setting++;
    const char *given = options->given[setting];
    if (given == NULL)
        return LL_OK;
    ll_status status = ll_io_read_groups(&text, &rows, given, max_memory, error);
    if (status != LL_OK)
        return status;
    if (strcmp(text, given) != 0) /* the file that was named */
        note_file(options, "groups", given);
    status = name_option(ll_scorer_set(options->scorer, "groups", text, &why), &why, error);
    (void)snprintf(count, sizeof count, "%ld", rows);
    if (status == LL_OK && rows > 0 && ll_scorer_get_count(options->scorer, "rows") == 0)
        status = ll_scorer_set(options->scorer, "rows", count, error);
    free(text);
    return status;
}

ll_status ll_cli_scorer_finish(ll_scorer_options *options, uint64_t seed, size_t max_memory, ll_error *error)
{
    ll_status status = ll_scorer_create(&options->scorer, error);
    if (status == LL_OK)
        status = read_files(options, max_memory, error);
    if (status == LL_OK)
        status = set_all(options, seed, error);
    if (status == LL_OK)
        status = set_groups(options, max_memory, error);
    if (status == LL_OK)
        status = check_budget(options->scorer, max_memory, error);
    return status == LL_OK ? try_to_resolve(options, error) : status;
}

static ll_status set_missing(ll_scorer *scorer, const char *name, long value, ll_error *error)
{
    char text[32];
    if (value <= 0 || ll_scorer_get_count(scorer, name) > 0)
        return LL_OK;
    (void)snprintf(text, sizeof text, "%ld", value);
    return ll_scorer_set(scorer, name, text, error);
}

ll_status ll_cli_scorer_resolve(ll_scorer_options *options, long rows, long classes, ll_error *error)
{
    if (ll_scorer_count_targets(options->scorer) > 0)
        classes = ll_scorer_count_targets(options->scorer);
    ll_status status = set_missing(options->scorer, "rows", rows, error);
    if (status == LL_OK)
        status = set_missing(options->scorer, "classes", classes, error);
    return status == LL_OK ? ll_scorer_resolve(options->scorer, NULL, error) : status;
}

ll_status ll_cli_scorer_need_whole(const ll_scorer_options *options, const char *command, ll_error *error)
{
    const char *part = ll_scorer_get(options->scorer, "public");
    if (ll_scorer_get(options->scorer, "weights") != NULL || ll_scorer_get(options->scorer, "class-weights") != NULL)
        return ll_fail(error, LL_DOMAIN,
                       "%s is not known for weighted scores, which does not make them safe; score, attack, infer and "
                       "audit are",
                       command);
    if (part == NULL)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN,
                   "--public %s: %s does not apply to a score over a hidden public split; give the number of its rows "
                   "as --rows",
                   part, command);
}

static int is_setting_given(const ll_scorer_options *options, const char *name)
{
    long setting = 0;
    while (strcmp(ll_setting_get_info(setting)->name, name) != 0)
        setting++;
    return options->given[setting] != NULL;
}

int ll_cli_scorer_names_metric(const ll_scorer_options *options)
{
    return is_setting_given(options, "metric") || is_setting_given(options, "scorer");
}

int ll_cli_scorer_is_given(const ll_scorer_options *options)
{
    for (int i = 0; i < LL_SCORER_OPTIONS; i++)
        if (options->given[i] != NULL)
            return 1;
    return 0;
}

int ll_cli_scorer_needs_exact(const ll_scorer *scorer)
{
    const char *arithmetic = ll_scorer_get(scorer, "arithmetic");
    return strcmp(arithmetic, "fp64") != 0 && strcmp(arithmetic, "fp32") != 0;
}
