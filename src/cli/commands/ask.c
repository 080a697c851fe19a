/* lossleak ask: four questions that end in a command and its answer. On a terminal they are asked on stderr, and a bad
 * answer is asked for again; otherwise the answers are lines of standard input, and a bad one ends the command. */
#include "cli/options/option_walk.h"
#include "cli/options/parse.h"
#include "cli/signals.h"
#include "report/message.h"
#include <ctype.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { LINE = 2000, SETTINGS = 16, NUMBERS = 3, MOST_GROUPS = 4096 };

/* The commands that questions end in. */
extern const ll_command ll_command_audit, ll_command_defend;

typedef struct {
    ll_common_options common;
} options;

/* What the answers say so far. */
typedef struct {
    int on_terminal, is_unknown; /* is_unknown: the metric is not modelled, so that only levels can be proposed */
    ll_scorer *scorer;           /* the same settings, to check each */
    const char *names[SETTINGS]; /* options of the command line, without dashes */
    char *values[SETTINGS];
    long count;
    char *program; /* or NULL */
} interview;

/* A question is asked where it applies. `take` refuses an answer that cannot be meant. */
typedef struct {
    const char *text;
    int is_needed; /* an empty answer will not do */
    int (*applies)(const interview *self);
    ll_status (*take)(interview *self, char *answer, ll_error *error);
} question;

static ll_status keep(interview *self, const char *name, const char *value, ll_error *error)
{
    char *copy = strdup(value);
    if (copy == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for an answer");
    self->names[self->count] = name;
    self->values[self->count++] = copy;
    return LL_OK;
}

static ll_status set(interview *self, const char *name, const char *value, ll_error *error)
{
    ll_status status = ll_scorer_set(self->scorer, name, value, error);
    return status == LL_OK ? keep(self, name, value, error) : status;
}

/* ------------------------------------------------------------------ what is shown */

/* The last word where it is a score, "0.43127" or "87.31%", cut off the text; NULL: there is none. A whole number may
 * belong to the name (top 5). */
static char *cut_score(char *text)
{
    char *last = strrchr(text, ' '), *end = NULL;
    if (last == NULL || strpbrk(last, ".%") == NULL)
        return NULL;
    (void)strtod(last + 1, &end);
    if (end == last + 1 || strcmp(end + (*end == '%'), "") != 0)
        return NULL;
    *last = '\0';
    return last + 1;
}

/* Can the scorer show this number? Also where that is not known. */
static int can_show(const ll_scorer *scorer, double score)
{
    ll_scorer *one = NULL;
    ll_error error;
    double low = 0, high = 0;
    if (ll_scorer_vary(&one, scorer, &error, "rows", "2", "classes", "2", (char *)NULL) != LL_OK)
        return 1;
    ll_scorer_get_range(one, &low, &high);
    ll_scorer_destroy(one);
    return score >= low && score <= high;
}

static ll_status take_score(interview *self, char *score, ll_error *error)
{
    char decimals[24];
    char *percent = strchr(score, '%');
    double value = strtod(score, NULL);
    if (percent != NULL)
        *percent = '\0';
    int is_percent = percent != NULL || (!can_show(self->scorer, value) && can_show(self->scorer, value / 100));
    const char *point = strchr(score, '.');
    (void)snprintf(decimals, sizeof decimals, "%zu", point ? strlen(point + 1) : 0);
    ll_status status = set(self, "decimals", decimals, error);
    return status == LL_OK && is_percent ? set(self, "transform", "percent", error) : status;
}

static ll_status take_metric(interview *self, char *answer, ll_error *error)
{
    char *score = cut_score(answer);
    int is_profile = strchr(answer, '/') != NULL;
    ll_status status = set(self, is_profile ? "scorer" : "metric", answer, error);
    self->is_unknown = status == LL_DOMAIN;
    if (status == LL_OK && !is_profile) /* as programs compute it */
        status = set(self, "arithmetic", "fp64", error);
    if (status == LL_OK && score != NULL)
        status = take_score(self, score, error);
    return self->is_unknown ? LL_OK : status;
}

static ll_status take_first_metric(interview *self, char *answer, ll_error *error)
{
    ll_status status = take_metric(self, answer, error);
    if (self->is_unknown && self->on_terminal)
        ll_report_note(error->text);
    return status;
}

static int is_unknown(const interview *self)
{
    return self->is_unknown;
}

/* "higher 0.4:0.7"; what has no range is another name for the metric. */
static ll_status take_direction(interview *self, char *answer, ll_error *error)
{
    char *range = strchr(answer, ' ');
    if (range == NULL || strchr(range, ':') == NULL) {
        ll_status again = take_metric(self, answer, error);
        if (!self->is_unknown || self->on_terminal)
            return again == LL_OK && self->is_unknown ? LL_DOMAIN : again;
        return ll_fail(
            error, LL_DOMAIN,
            "the metric is not modelled, so one more line is needed behind it: which scores are better, and where honest "
            "models score, such as: higher 0.4:0.7; found: %.60s",
            answer);
    }
    *range = '\0';
    ll_status status = set(self, "honest", range + 1, error);
    return status == LL_OK ? keep(self, "better", answer, error) : status;
}

/* A metric of numbers cannot be resolved without knowing which, and can with some. */
static int needs_numbers(const interview *self)
{
    ll_scorer *one = NULL;
    ll_error error;
    int is_whole = ll_scorer_vary(&one, self->scorer, &error, "rows", "2", (char *)NULL) == LL_OK;
    ll_scorer_destroy(one);
    one = NULL;
    int takes_numbers =
        ll_scorer_vary(&one, self->scorer, &error, "rows", "2", "targets", "0:1:1", (char *)NULL) == LL_OK;
    ll_scorer_destroy(one);
    return !self->is_unknown && !is_whole && takes_numbers;
}

static ll_status take_targets(interview *self, char *answer, ll_error *error)
{
    return set(self, "targets", answer, error);
}

/* ------------------------------------------------------------------ numbers */

/* The numbers of a text ("10,000 rows of 10 classes"), in place, without what stands between thousands. */
static long find_numbers(char *text, const char *numbers[NUMBERS])
{
    long count = 0;
    while (*text != '\0' && count < NUMBERS) {
        if (!isdigit((unsigned char)*text)) {
            text++;
            continue;
        }
        char *out = text;
        numbers[count++] = out;
        for (; *text != '\0' && strchr("0123456789.,_kKmM", *text) != NULL; text++)
            if (*text != ',' && *text != '_')
                *out++ = *text;
        text += *text != '\0';
        *out = '\0';
    }
    return count;
}

static ll_status take_numbers(interview *self, char *answer, const char *const names[NUMBERS], const char *hint,
                              ll_error *error)
{
    const char *numbers[NUMBERS];
    ll_status status = LL_OK;
    long count = find_numbers(answer, numbers);
    if (count == 0)
        return ll_fail(error, LL_DOMAIN, "%.80s: no number; %s", answer, hint);
    for (long i = 0; i < NUMBERS && i < count && status == LL_OK; i++)
        status = names[i] ? set(self, names[i], numbers[i], error)
                          : ll_fail(error, LL_DOMAIN, "%.80s: too many numbers; %s", answer, hint);
    return status;
}

/* ------------------------------------------------------------------ groups of rows */

/* The smallest and the largest group, and all others of one size, but for what does not divide. */
static void write_groups(FILE *out, long rows, long groups, long least, long most)
{
    long ends = groups < 2 ? 0 : 2, others = groups - ends, rest = rows - (ends ? least + most : 0);
    if (ends)
        (void)fprintf(out, "g1*%ld,g2*%ld%s", least, most, others > 0 ? "," : "");
    for (long i = 0; i < others; i++)
        (void)fprintf(out, "%sg%ld*%ld", i > 0 ? "," : "", ends + i + 1, rest / others + (i < rest % others));
}

static ll_status set_groups(interview *self, long groups, long least, long most, ll_error *error)
{
    char *text = NULL;
    size_t size;
    long rows = ll_scorer_get_count(self->scorer, "rows");
    if (groups < 1 || groups > MOST_GROUPS || least < 1 || most < least || rows < groups * least ||
        rows < (groups - 1) * least + most || rows > (groups - 1) * most + least)
        return ll_fail(error, LL_DOMAIN, "%ld rows are not %ld groups of %ld to %ld", rows, groups, least, most);
    FILE *out = open_memstream(&text, &size);
    if (out != NULL)
        write_groups(out, rows, groups, least, most);
    ll_status status = out != NULL && fclose(out) == 0 ? set(self, "groups", text, error)
                                                       : ll_fail(error, LL_MEMORY, "no memory for the groups");
    free(text);
    return status;
}

/* "57 groups of 100 to 1534", "3 groups", or a file with the name of every row's group. */
static ll_status take_groups(interview *self, char *answer, ll_error *error)
{
    static const char hint[] = "for example 57 groups of 100 to 1534";
    const char *numbers[NUMBERS];
    if (!isdigit((unsigned char)answer[0]))
        return keep(self, "groups", answer, error);
    char copy[LINE];
    (void)snprintf(copy, sizeof copy, "%s", answer);
    long count = find_numbers(copy, numbers), groups = strtol(numbers[0], NULL, 10);
    long rows = ll_scorer_get_count(self->scorer, "rows");
    if (count == 2)
        return ll_fail(error, LL_DOMAIN, "%.80s: how large is the largest group? %s", answer, hint);
    if (count == 1) {
        long even = groups > 0 ? rows / groups : 0;
        return set_groups(self, groups, even, groups > 0 && rows % groups ? even + 1 : even, error);
    }
    ll_status status = set_groups(self, groups, strtol(numbers[1], NULL, 10), strtol(numbers[2], NULL, 10), error);
    if (status == LL_OK && groups > 3)
        ll_report_note(
            "the sizes between the smallest and the largest group are taken to be equal: give a file with the "
            "group of every row to have the exact answer (10000 rows of 10 classes in FILE)");
    return status;
}

static ll_status take_rows(interview *self, char *answer, ll_error *error)
{
    static const char *const names[NUMBERS] = {"rows", "classes"};
    char *groups = strstr(answer, " in ");
    if (groups != NULL)
        *groups = '\0';
    ll_status status = take_numbers(self, answer, names, "for example 2201, or 10000 rows of 10 classes", error);
    return status == LL_OK && groups != NULL ? take_groups(self, groups + strlen(" in "), error) : status;
}

static ll_status take_limit(interview *self, char *answer, ll_error *error)
{
    static const char *const all[NUMBERS] = {"queries"}, *const parts[NUMBERS] = {"per-day", "days", "teams"};
    static const char hint[] = "for example 200, or 5 x 60 x 100";
    const char *numbers[NUMBERS];
    char copy[LINE];
    (void)snprintf(copy, sizeof copy, "%s", answer);
    return take_numbers(self, answer, find_numbers(copy, numbers) > 1 ? parts : all, hint, error);
}

static ll_status take_program(interview *self, char *answer, ll_error *error)
{
    static const char *const none[] = {"no", "n", "none"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strcasecmp(answer, none[i]) == 0)
            return LL_OK;
    if (strcasecmp(answer, "yes") == 0 || strcasecmp(answer, "y") == 0)
        return ll_fail(error, LL_DOMAIN, "which command is it? Such as: python3 score.py");
    self->program = strdup(answer);
    return self->program ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for an answer");
}

static const question questions[] = {
    {"What do you show? The metric, and a score as it stands there, such as: log_loss 0.43127", 1, NULL,
     take_first_metric},
    {"Which scores are better, and where do honest models score? Such as: higher 0.4:0.7 (or another name)", 1,
     is_unknown, take_direction},
    {"Labels are numbers here: from where to where, in which steps? Such as: 0:100:1", 1, needs_numbers, take_targets},
    {"How many rows has the hidden test set? With more than two classes, or a score per group (subject, region), also "
     "these: 10000 rows of 10 classes, or 14042 rows of 4 classes in 57 groups of 100 to 1534",
     1, NULL, take_rows},
    {"How many submissions do you answer in all? Or per day x days x teams, such as: 5 x 60 x 100 (Enter: no limit)", 0,
     NULL, take_limit},
    {"If you have the scoring script: which command runs it on a file of labels and one of predictions? Such as: python3 "
     "score.py (Enter: none)",
     0, NULL, take_program},
};

enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* ------------------------------------------------------------------ asking */

/* One line without the blanks around it; 0 at the end of the input, or where a signal came. */
static int read_line(char line[LINE])
{
    line[0] = '\0';
    if (fgets(line, LINE, stdin) == NULL || ll_cli_is_interrupted())
        return 0;
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    size_t blanks = strspn(line, " \t");
    memmove(line, line + blanks, length - blanks + 1);
    return 1;
}

static void forget_after(interview *self, long count)
{
    ll_error error;
    while (self->count > count) {
        self->count--;
        (void)!ll_scorer_set(self->scorer, self->names[self->count], NULL, &error);
        free(self->values[self->count]);
    }
}

static ll_status ask_once(interview *self, const question *q, int *is_end, ll_error *error)
{
    char line[LINE];
    if (self->on_terminal)
        (void)fprintf(stderr, "%s\n> ", q->text);
    *is_end = !read_line(line);
    if (line[0] == '\0')
        return q->is_needed ? ll_fail(error, LL_DOMAIN, "no answer to: %s", q->text) : LL_OK;
    long before = self->count;
    ll_status status = q->take(self, line, error);
    if (status != LL_OK)
        forget_after(self, before);
    return status;
}

static ll_status ask(interview *self, const question *q, ll_error *error)
{
    int is_end = 0;
    ll_status status = ask_once(self, q, &is_end, error);
    while (status == LL_DOMAIN && self->on_terminal && !is_end) {
        ll_report_note(error->text);
        status = ask_once(self, q, &is_end, error);
    }
    return status;
}

static ll_status ask_all(interview *self, ll_error *error)
{
    ll_status status = ll_scorer_create(&self->scorer, error);
    for (int i = 0; i < QUESTIONS && status == LL_OK; i++)
        if (questions[i].applies == NULL || questions[i].applies(self))
            status = ask(self, &questions[i], error);
    return status;
}

/* ------------------------------------------------------------------ the command */

static void find_program(void *self, const ll_option *option)
{
    if (option->name != NULL && strcmp(option->name, "program") == 0)
        *(int *)self = 1;
}

/* A program says itself what it shows; where this build cannot run one, the description stays. */
static void use_program(interview *self)
{
    int can_run = 0;
    ll_cli_walk_options(ll_command_audit.syntax, find_program, &can_run);
    if (self->program != NULL && !can_run)
        ll_report_note("this build does not run scoring scripts: the answer is about the metric by its name");
    if (self->program == NULL || can_run)
        return;
    free(self->program);
    self->program = NULL;
}

static long make_words(const interview *self, char *words[], char names[][40], int json)
{
    long count = 0;
    words[count++] = (char *)(self->is_unknown ? "defend" : "audit");
    for (long i = 0; i < self->count; i++) {
        (void)snprintf(names[i], 40, "--%s", self->names[i]);
        words[count++] = names[i];
        words[count++] = self->values[i];
    }
    if (self->program != NULL) {
        words[count++] = (char *)"--program";
        words[count++] = self->program;
    }
    if (!self->is_unknown && !json)
        words[count++] = (char *)"--brief";
    if (json)
        words[count++] = (char *)"--json";
    words[count] = NULL;
    return count;
}

/* A word as a shell reads it. */
static void print_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/=+%@^";
    int is_plain = word[0] != '\0' && word[strspn(word, plain)] == '\0';
    (void)fputs(is_plain ? " " : " '", out);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            (void)fputs("'\\''", out);
        else
            (void)fputc(*word, out);
    if (!is_plain)
        (void)fputc('\'', out);
}

static void print_words(FILE *out, char *const words[])
{
    (void)fputs("lossleak", out);
    for (long i = 0; words[i] != NULL; i++)
        print_word(out, words[i]);
    (void)fputs("\n\n", out);
}

static ll_exit run_words(const ll_command *command, long count, char *words[])
{
    ll_exit status = LL_EXIT_REFUSED;
    ll_error error;
    void *memory = calloc(1, command->syntax->size);
    if (memory == NULL) {
        ll_fail(&error, LL_MEMORY, "no memory for the options");
        return ll_cli_fail(&error);
    }
    if (ll_cli_parse(&status, command->syntax, memory, (int)count, words))
        status = command->work(memory);
    ll_cli_clear(command->syntax, memory);
    free(memory);
    return status;
}

static ll_exit work(void *self)
{
    const options *o = self;
    ll_error error = {0};
    interview talk = {.on_terminal = isatty(STDIN_FILENO)};
    char *words[2 * SETTINGS + 6], names[SETTINGS][40];
    ll_exit done = LL_EXIT_REFUSED;
    ll_cli_unlimit_seconds(); /* people think for as long as they like */
    if (ask_all(&talk, &error) != LL_OK) {
        done = ll_cli_fail(&error);
    } else {
        use_program(&talk);
        long count = make_words(&talk, words, names, o->common.json);
        print_words(o->common.json ? stderr : stdout, words);
        done = run_words(talk.is_unknown ? &ll_command_defend : &ll_command_audit, count, words);
        if (done >
            LL_EXIT_BAD_ANSWER) /* no part of an answer: the command waits in the buffer, unless a terminal shows it */
            __fpurge(stdout);
    }
    forget_after(&talk, 0);
    free(talk.program);
    ll_scorer_destroy(talk.scorer);
    return done;
}

static const char doc[] =
    "Four questions: what do you show, of how many rows, to how many submissions, and is the scoring script at hand? "
    "They end in a command and its answer. On a terminal a question is asked again where its answer cannot be meant; "
    "otherwise the answers are lines of standard input.\v"
    "Behind the rows stand groups that get a score of their own: in 57 groups of 100 to 1534, or in FILE, which has the "
    "group of every row. Of a metric that is not known here the proposal is a release by levels, whose proof holds for every metric.\n\n"
    "Examples:\n"
    "  lossleak ask\n"
    "  printf 'F1 0.8312\\n5,000 rows\\n3 x 30 x 50\\n\\n' | lossleak ask";

static const ll_syntax syntax = {.command = "ask",
                                 .doc = doc,
                                 .size = sizeof(options),
                                 .parts = {LL_PART(&ll_cli_common_group, options, common), {0}}};

const ll_command ll_command_ask = {&syntax, "four questions that lead to a command and its answer: start here", work};
