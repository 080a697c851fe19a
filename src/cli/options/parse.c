/* argp's own messages are two lines and know no nearest name, and its help exits; so it runs with ARGP_NO_ERRS
 * and without its help (help.h has ours). Where getopt then refuses an option, explain() finds the reason again. */
#include "cli/options/parse.h"

#include "cli/options/help.h"
#include "cli/options/nearest_name.h"
#include "cli/options/option_walk.h"
#include "cli/signals.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the known long options say about a typed one. */
typedef struct {
    const char *typed; /* without dashes and value */
    size_t length;
    int matches;   /* options that begin so */
    ll_option hit; /* the one that is so, or the last that begins so; its name is NULL where there is none */
    int exact;
    const char *nearest;
} search;

static void look_at(void *self, const ll_option *option)
{
    search *s = self;
    char typed[64];
    if (!option->name)
        return;
    if (strncmp(option->name, s->typed, s->length) == 0) {
        int exact = strlen(option->name) == s->length;
        s->matches++;
        s->hit = exact || !s->exact ? *option : s->hit;
        s->exact |= exact;
    }
    (void)snprintf(typed, sizeof typed, "%.*s", (int)s->length, s->typed);
    s->nearest = ll_cli_nearer(typed, s->nearest, option->name);
}

static void explain_long(ll_error *error, const ll_syntax *syntax, const char *word)
{
    search s = {.typed = word + 2, .length = strcspn(word + 2, "=")};
    ll_cli_walk_options(syntax, look_at, &s);
    int length = (int)s.length > 60 ? 60 : (int)s.length;
    if (s.matches > 1 && !s.exact)
        ll_fail(error, LL_DOMAIN, "--%.*s: more than one option begins so; see lossleak %s --help", length, s.typed,
                syntax->command);
    else if (s.hit.name && s.hit.value)
        ll_fail(error, LL_DOMAIN, "--%s: needs a value, %s", s.hit.name, s.hit.value);
    else if (s.hit.name)
        ll_fail(error, LL_DOMAIN, "--%s: takes no value", s.hit.name);
    else if (s.nearest)
        ll_fail(error, LL_DOMAIN, "--%.*s: no such option; did you mean --%s?", length, s.typed, s.nearest);
    else
        ll_fail(error, LL_DOMAIN, "--%.*s: no such option; see lossleak %s --help", length, s.typed, syntax->command);
}

/* getopt stands behind a refused long option or a single short one, and on a refused cluster of short ones. */
static void explain(ll_error *error, const ll_syntax *syntax, int argc, char **argv, int next)
{
    const char *before = next > 1 ? argv[next - 1] : "", *here = next < argc ? argv[next] : "";
    if (strncmp(before, "--", 2) == 0 && before[2])
        explain_long(error, syntax, before);
    else
        ll_fail(error, LL_DOMAIN, "%.60s: no such option, or its value is missing; see lossleak %s --help",
                before[0] == '-' ? before : here, syntax->command);
}

/* What argp hands to the parsers: the tables, and the struct that they fill. */
typedef struct {
    const ll_syntax *syntax;
    void *options;
} target;

static void *part_of(const ll_syntax *syntax, void *options, const ll_option_group *group)
{
    const ll_part *part = syntax->parts;
    while (part->group != group)
        part++;
    return (char *)options + part->offset;
}

static error_t add_text(ll_texts *list, const char *text)
{
    const char **grown = realloc(list->texts, sizeof *grown * (size_t)(list->count + 1));
    if (!grown)
        return ENOMEM;
    list->texts = grown;
    list->texts[list->count++] = text;
    return 0;
}

/* The member of a place of that kind; NULL: it is of another. */
static void *member_of(void *options, int place, int kind)
{
    return place - place % LL_PLACE == kind ? (char *)options + place % LL_PLACE : NULL;
}

error_t ll_cli_put(void *options, const ll_place *places, int key, const char *value)
{
    for (; places && places->place; places++)
        if (places->key == key)
            return ll_cli_put(options, NULL, places->place, value);
    const char **text = member_of(options, key, LL_PLACE_TEXT);
    ll_texts *list = member_of(options, key, LL_PLACE_LIST);
    int *flag = member_of(options, key, LL_PLACE_FLAG);
    if (text)
        *text = value;
    if (flag)
        *flag = 1;
    return list ? add_text(list, value) : text || flag ? 0 : ARGP_ERR_UNKNOWN;
}

error_t ll_cli_parse_places(int key, char *value, struct argp_state *state)
{
    return ll_cli_put(state->input, NULL, key, value);
}

error_t ll_cli_set_only(const char **place, const char *what, const char *value, ll_error *error)
{
    if (*place) {
        ll_fail(error, LL_DOMAIN, "%.80s: a second %s; give one", value, what);
        return EINVAL;
    }
    *place = value;
    return 0;
}

static error_t parse_own(int key, char *value, struct argp_state *state)
{
    const target *t = state->input;
    const ll_syntax *syntax = t->syntax;
    if (key == ARGP_KEY_INIT) {
        for (long i = 0; syntax->parts[i].group; i++)
            state->child_inputs[i] = (char *)t->options + syntax->parts[i].offset;
        return 0;
    }
    error_t answer = ll_cli_put(t->options, syntax->places, key, value);
    return answer == ARGP_ERR_UNKNOWN && syntax->parse_other ? syntax->parse_other(t->options, key, value) : answer;
}

/* The line for what argp did not take, and the status. */
static ll_status judge(error_t failed, const ll_syntax *syntax, ll_common_options *common, int next, int argc,
                       char **argv)
{
    if (failed == ENOMEM)
        ll_fail(&common->error, LL_MEMORY, "no memory for the options");
    else if (failed && common->error.status == LL_OK)
        explain(&common->error, syntax, argc, argv, common->stopped_at);
    else if (!failed && next < argc)
        ll_fail(&common->error, LL_DOMAIN, "%.80s: unexpected argument; see lossleak %s --help", argv[next],
                syntax->command);
    return common->error.status;
}

/* The children of the argp live as long as `children` does. */
static void make_argp(struct argp *argp, struct argp_child children[LL_PARTS + 1], const ll_syntax *syntax)
{
    for (long i = 0; i <= LL_PARTS; i++)
        children[i] = (struct argp_child){syntax->parts[i].group ? &syntax->parts[i].group->argp : NULL, 0, NULL, 0};
    *argp = (struct argp){syntax->options, parse_own, syntax->arguments, syntax->doc, children, NULL, NULL};
}

int ll_cli_parse(ll_exit *status, const ll_syntax *syntax, void *options, int argc, char **argv)
{
    ll_common_options *common = part_of(syntax, options, &ll_cli_common_group);
    struct argp_child children[LL_PARTS + 1];
    struct argp argp;
    int next = 0;
    make_argp(&argp, children, syntax);
    ll_cli_common_init(common, syntax->max_seconds);
    *status = LL_EXIT_DONE;
    ll_cli_fail_about(syntax->command, ll_cli_asks_for_json(argc, argv));
    error_t failed = argp_parse(&argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, &next,
                                &(target){.syntax = syntax, .options = options});
    if (common->help) {
        ll_cli_show_help(syntax, common->help_all);
        return 0;
    }
    if (common->version) {
        printf("lossleak %s\n", ll_version());
        return 0;
    }
    if (judge(failed, syntax, common, next, argc, argv) != LL_OK) {
        *status = ll_cli_fail(&common->error);
        return 0;
    }
    ll_cli_fail_about(syntax->command, common->json);
    ll_cli_say_json(common->json ? syntax->command : NULL);
    ll_cli_common_set_threads(common);
    ll_cli_limit_seconds(common->max_seconds);
    return 1;
}

static void clear_list(void *options, int place)
{
    ll_texts *list = member_of(options, place, LL_PLACE_LIST);
    if (list)
        free(list->texts);
}

void ll_cli_clear(const ll_syntax *syntax, void *options)
{
    for (const ll_place *place = syntax->places; place && place->place; place++)
        clear_list(options, place->place);
    for (const struct argp_option *o = syntax->options; o && (o->name || o->doc); o++)
        clear_list(options, o->key);
    for (const ll_part *part = syntax->parts; part->group; part++)
        if (part->group->clear)
            part->group->clear((char *)options + part->offset);
}
