/* argp's own messages are two lines and know no nearest name, and its help exits; so it runs with ARGP_NO_ERRS
 * and without its help. Where getopt then refuses an option, explain() finds the reason again. */
#include "cli/parse.h"

#include "cli/nearest.h"
#include "cli/option_walk.h"
#include "cli/signals.h"
#include "report/message.h"
#include <errno.h>
#include <stdio.h>
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

static void explain_long(ll_error *error, const struct argp *argp, const char *command, const char *word)
{
    search s = {.typed = word + 2, .length = strcspn(word + 2, "=")};
    ll_cli_walk_options(argp, look_at, &s);
    int length = (int)s.length > 60 ? 60 : (int)s.length;
    if (s.matches > 1 && !s.exact)
        ll_fail(error, LL_DOMAIN, "--%.*s: more than one option begins so; see lossleak %s --help", length, s.typed,
                command);
    else if (s.hit.name && s.hit.value)
        ll_fail(error, LL_DOMAIN, "--%s: needs a value, %s", s.hit.name, s.hit.value);
    else if (s.hit.name)
        ll_fail(error, LL_DOMAIN, "--%s: takes no value", s.hit.name);
    else if (s.nearest)
        ll_fail(error, LL_DOMAIN, "--%.*s: no such option; did you mean --%s?", length, s.typed, s.nearest);
    else
        ll_fail(error, LL_DOMAIN, "--%.*s: no such option; see lossleak %s --help", length, s.typed, command);
}

/* getopt stands behind a refused long option or a single short one, and on a refused cluster of short ones. */
static void explain(ll_error *error, const struct argp *argp, const char *command, int argc, char **argv, int next)
{
    const char *before = next > 1 ? argv[next - 1] : "", *here = next < argc ? argv[next] : "";
    if (strncmp(before, "--", 2) == 0 && before[2])
        explain_long(error, argp, command, before);
    else
        ll_fail(error, LL_DOMAIN, "%.60s: no such option, or its value is missing; see lossleak %s --help",
                before[0] == '-' ? before : here, command);
}

static void show_help(const char *command, const struct argp *argp)
{
    char name[64];
    (void)snprintf(name, sizeof name, "lossleak %s", command);
    argp_help(argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
}

/* Whoever wants to know the options of a command instead of running it. */
static struct {
    void (*look)(void *self, const struct argp *argp);
    void *self;
} onlooker;

int ll_cli_show_options(const ll_command *command, void (*look)(void *self, const struct argp *argp), void *self)
{
    char *arguments[] = {(char *)command->name, NULL};
    onlooker.look = look;
    onlooker.self = self;
    ll_exit status = command->run(1, arguments);
    onlooker.look = NULL;
    return status == LL_EXIT_DONE;
}

int ll_cli_parse(ll_exit *status, const char *command, const struct argp *argp, ll_common_options *common, void *input,
                 int argc, char **argv)
{
    int next = 0;
    *status = LL_EXIT_DONE;
    if (onlooker.look) {
        onlooker.look(onlooker.self, argp);
        return 0;
    }
    error_t failed = argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, &next, input);
    if (common->help) {
        show_help(command, argp);
        return 0;
    }
    if (common->version) {
        printf("lossleak %s\n", ll_version());
        return 0;
    }
    if (failed == ENOMEM)
        ll_fail(&common->error, LL_MEMORY, "no memory for the options");
    else if (failed && common->error.status == LL_OK)
        explain(&common->error, argp, command, argc, argv, common->stopped_at);
    else if (!failed && next < argc)
        ll_fail(&common->error, LL_DOMAIN, "%.80s: unexpected argument; see lossleak %s --help", argv[next], command);
    if (common->error.status != LL_OK)
        *status = ll_cli_fail(&common->error);
    else
        ll_cli_limit_seconds(common->max_seconds);
    return common->error.status == LL_OK;
}

ll_exit ll_cli_fail(const ll_error *error)
{
    ll_report_error(error);
    return ll_cli_is_interrupted() ? LL_EXIT_INTERRUPTED : LL_EXIT_REFUSED;
}

ll_exit ll_cli_usage_error(const char *command, const char *what)
{
    ll_error error;
    ll_fail(&error, LL_DOMAIN, "%s; see lossleak %s --help", what, command);
    return ll_cli_fail(&error);
}
