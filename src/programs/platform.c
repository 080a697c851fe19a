#include "programs/platform.h"

#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <yaml.h>

/* One row per interface that has a platform. */
typedef struct {
    const char *interface;
    const char *const *files;
    const char *phases, *phase_names[4]; /* the list, and the names by which one is asked for */
    const char *total[3];
    const char *hides[3]; /* of a phase: files and logs are not shown */
    int shows_files;      /* a participant gets the result file whatever the configuration says */
} kind;

static const char *const evalai_files[] = {"challenge_config.yaml", "challenge_config.yml", NULL};
static const char *const codabench_files[] = {"competition.yaml", "competition.yml", NULL};

static const kind kinds[] = {
    {"evalai", evalai_files, "challenge_phases", {"codename", "name", "id"}, {"max_submissions"}, {NULL}, 1},
    {"codabench",
     codabench_files,
     "phases",
     {"name", "index", "label"},
     {"max_submissions"},
     {"hide_output", "hide_score_output"},
     0},
};

/* ---- nodes ---- */

typedef struct {
    yaml_document_t *document;
} tree;

static const yaml_node_t *get(const tree *t, const yaml_node_t *map, const char *name)
{
    if (map == NULL || map->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(t->document, pair->key);
        if (key != NULL && key->type == YAML_SCALAR_NODE && strcmp((const char *)key->data.scalar.value, name) == 0)
            return yaml_document_get_node(t->document, pair->value);
    }
    return NULL;
}

static const char *text(const yaml_node_t *node)
{
    return node != NULL && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static long number(const yaml_node_t *node, long missing)
{
    const char *value = text(node);
    char *end;
    long read = value != NULL ? strtol(value, &end, 10) : missing;
    return value != NULL && end != value && *end == '\0' && read >= 0 ? read : missing;
}

static int is_true(const yaml_node_t *node)
{
    const char *value = text(node);
    return value != NULL &&
           (strcasecmp(value, "true") == 0 || strcasecmp(value, "yes") == 0 || strcasecmp(value, "on") == 0);
}

/* Elements of a list; a mapping's values are one, too, as older files have it. */
static long count_of(const yaml_node_t *list)
{
    if (list == NULL || (list->type != YAML_SEQUENCE_NODE && list->type != YAML_MAPPING_NODE))
        return 0;
    return list->type == YAML_SEQUENCE_NODE ? list->data.sequence.items.top - list->data.sequence.items.start
                                            : list->data.mapping.pairs.top - list->data.mapping.pairs.start;
}

static const yaml_node_t *at(const tree *t, const yaml_node_t *list, long index)
{
    return yaml_document_get_node(t->document, list->type == YAML_SEQUENCE_NODE
                                                   ? list->data.sequence.items.start[index]
                                                   : list->data.mapping.pairs.start[index].value);
}

/* ---- the phase ---- */

static int is_named(const tree *t, const yaml_node_t *phase, const kind *k, const char *name)
{
    for (int i = 0; k->phase_names[i] != NULL; i++) {
        const char *own = text(get(t, phase, k->phase_names[i]));
        if (own != NULL && strcasecmp(own, name) == 0)
            return 1;
    }
    return 0;
}

static long total_of(const tree *t, const yaml_node_t *phase, const kind *k)
{
    long total = 0;
    for (int i = 0; k->total[i] != NULL; i++)
        total = number(get(t, phase, k->total[i]), total);
    return total;
}

/* The one that was asked for, or the one with the most submissions: it tells the most. */
static const yaml_node_t *choose_phase(const tree *t, const yaml_node_t *phases, const kind *k, const char *name)
{
    const yaml_node_t *best = NULL;
    for (long i = 0; i < count_of(phases); i++) {
        const yaml_node_t *phase = at(t, phases, i);
        if (name != NULL && is_named(t, phase, k, name))
            return phase;
        if (best == NULL || total_of(t, phase, k) > total_of(t, best, k))
            best = phase;
    }
    return best;
}

/* Three numbers with a dash between them; 0: they are not. */
static int read_date(long *parts, const char *date)
{
    for (int i = 0; i < 3; i++) {
        char *end;
        parts[i] = strtol(date, &end, 10);
        if (end == date || (i < 2 && *end != '-'))
            return 0;
        date = end + 1;
    }
    return 1;
}

/* Days since some day, of YYYY-MM-DD or MM-DD-YYYY; 0: no date. */
static long day_of(const char *date)
{
    long parts[3];
    if (date == NULL || !read_date(parts, date))
        return 0;
    const long a = parts[0], b = parts[1], c = parts[2];
    long year = a > 31 ? a : c, month = a > 31 ? b : a, day = a > 31 ? c : b;
    year -= month <= 2; /* years that begin in March */
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * ((month + 9) % 12) + 2) / 5 + day;
}

static void read_limits(ll_platform *out, const tree *t, const yaml_node_t *phase, const kind *k)
{
    static const char *const starts[] = {"start_date", "start"}, *const ends[] = {"end_date", "end"};
    const char *name = text(get(t, phase, k->phase_names[0]));
    long first = 0, last = 0;
    (void)snprintf(out->phase, sizeof out->phase, "%.100s", name != NULL ? name : "");
    out->per_day = number(get(t, phase, "max_submissions_per_day"), 0);
    out->total = total_of(t, phase, k);
    for (int i = 0; i < 2; i++) {
        first = first > 0 ? first : day_of(text(get(t, phase, starts[i])));
        last = last > 0 ? last : day_of(text(get(t, phase, ends[i])));
    }
    out->days = first > 0 && last >= first ? last - first + 1 : 0;
    for (int i = 0; k->hides[i] != NULL; i++)
        out->hides_files |= is_true(get(t, phase, k->hides[i]));
    out->hides_files &= !k->shows_files;
}

/* ---- what is shown ---- */

static void add_hidden(ll_platform *out, const char *name)
{
    size_t used = strlen(out->hidden);
    if (name != NULL && used + strlen(name) + 2 < sizeof out->hidden)
        (void)snprintf(out->hidden + used, sizeof out->hidden - used, "%s%s", used > 0 ? "," : "", name);
}

/* EvalAI: decimals of the splits of a phase. */
static void read_splits(ll_platform *out, const tree *t, const yaml_node_t *root, const yaml_node_t *phase)
{
    const yaml_node_t *splits = get(t, root, "challenge_phase_splits");
    const char *id = text(get(t, phase, "id"));
    for (long i = 0; i < count_of(splits); i++) {
        const yaml_node_t *split = at(t, splits, i);
        const char *of = text(get(t, split, "challenge_phase_id"));
        long decimals = number(get(t, split, "leaderboard_decimal_precision"), -1);
        if (id != NULL && of != NULL && strcmp(id, of) == 0 && decimals > out->decimals)
            out->decimals = decimals;
    }
}

/* Codabench: columns of the leaderboards, with their decimals. */
static void read_columns(ll_platform *out, const tree *t, const yaml_node_t *root)
{
    const yaml_node_t *boards = get(t, root, "leaderboards");
    for (long b = 0; b < count_of(boards); b++) {
        const yaml_node_t *columns = get(t, at(t, boards, b), "columns");
        for (long i = 0; i < count_of(columns); i++) {
            const yaml_node_t *column = at(t, columns, i);
            long decimals = number(get(t, column, "precision"), -1);
            if (is_true(get(t, column, "hidden")))
                add_hidden(out, text(get(t, column, "key")));
            else if (decimals > out->decimals)
                out->decimals = decimals;
        }
    }
}

static __attribute__((format(printf, 2, 3))) void add(ll_platform *out, const char *format, ...)
{
    size_t used = strlen(out->words);
    va_list more;
    va_start(more, format);
    (void)vsnprintf(out->words + used, sizeof out->words - used, format, more);
    va_end(more);
}

static void say(ll_platform *out, const kind *k)
{
    const char *file = strrchr(out->path, '/');
    add(out, "%s, phase %s", file != NULL ? file + 1 : out->path, out->phase);
    if (out->per_day > 0)
        add(out, "; %ld submissions per day", out->per_day);
    if (out->total > 0)
        add(out, "; %ld submissions in total", out->total);
    else if (out->per_day > 0 && out->days > 0)
        add(out, "; %ld days", out->days);
    if (out->decimals >= 0)
        add(out, "; the leaderboard shows %ld decimals", out->decimals);
    if (out->hidden[0])
        add(out, "; it does not show %s", out->hidden);
    if (out->hides_files)
        add(out, "; files and logs of a run are not shown, so that the leaderboard's decimals count");
    else if (out->decimals >= 0 || out->hidden[0])
        add(out,
            k->shows_files
                ? "; the result file that a participant can download has every number with all its digits, so that the leaderboard's rounding protects nothing"
                : "; files and logs of a run are not hidden (hide_output), so that every number in them is seen with all its digits");
    add(out, ".");
}

/* ---- the file ---- */

static ll_status read_document(ll_platform *out, const tree *t, const kind *k, const char *phase_name, ll_error *error)
{
    const yaml_node_t *root = yaml_document_get_root_node(t->document), *phases = get(t, root, k->phases);
    const yaml_node_t *phase = phases != NULL ? choose_phase(t, phases, k, phase_name) : NULL;
    if (phase == NULL)
        return ll_fail(error, LL_DOMAIN, "%s: no '%s' in it", out->path, k->phases);
    read_limits(out, t, phase, k);
    read_splits(out, t, root, phase);
    read_columns(out, t, root);
    say(out, k);
    return LL_OK;
}

static ll_status read_file(ll_platform *out, const kind *k, const char *phase_name, ll_error *error)
{
    yaml_parser_t parser;
    yaml_document_t document;
    FILE *file = fopen(out->path, "rb");
    if (file == NULL || !yaml_parser_initialize(&parser)) {
        if (file != NULL)
            (void)fclose(file);
        return ll_fail(error, LL_SYSTEM, "%s cannot be read", out->path);
    }
    yaml_parser_set_input_file(&parser, file);
    ll_status status = LL_OK;
    if (yaml_parser_load(&parser, &document)) {
        status = read_document(out, &(tree){&document}, k, phase_name, error);
        yaml_document_delete(&document);
    } else {
        status = ll_fail(error, LL_DOMAIN, "%s, line %zu: no YAML: %s", out->path, parser.problem_mark.line + 1,
                         parser.problem != NULL ? parser.problem : "");
    }
    yaml_parser_delete(&parser);
    (void)fclose(file);
    return status;
}

/* Is the file in the program's folder, or in one of the three above? */
static int find_file(ll_platform *out, const kind *k, const char *program)
{
    char folder[PATH_MAX];
    struct stat what;
    if (realpath(program, folder) == NULL || stat(folder, &what) != 0)
        return 0;
    char *here = S_ISDIR(what.st_mode) ? folder : dirname(folder);
    for (int up = 0; up < 4; up++, here = dirname(here))
        for (int i = 0; k->files[i] != NULL; i++) {
            int length = snprintf(out->path, sizeof out->path, "%s/%s", here, k->files[i]);
            if (length < (int)sizeof out->path && stat(out->path, &what) == 0)
                return 1;
        }
    return 0;
}

ll_status ll_platform_read(ll_platform *out, const char *interface, const char *program, const char *phase,
                           ll_error *error)
{
    memset(out, 0, sizeof *out);
    out->decimals = -1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (interface != NULL && program != NULL && strcmp(interface, kinds[i].interface) == 0 &&
            find_file(out, &kinds[i], program))
            return read_file(out, &kinds[i], phase, error);
    out->path[0] = '\0';
    return LL_OK;
}
