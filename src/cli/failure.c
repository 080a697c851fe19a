#include "cli/failure.h"

#include "cli/signals.h"
#include "report/json.h"
#include "report/message.h"
#include <string.h>

static struct {
    const char *command;
    int json;
} subject;

void ll_cli_fail_about(const char *command, int json)
{
    subject.command = command;
    subject.json = json;
}

int ll_cli_asks_for_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t length = strcspn(argv[i], "=");
        if (strcmp(argv[i], "-j") == 0 || (length > 2 && strncmp("--json", argv[i], length) == 0))
            return 1;
    }
    return 0;
}

/* Without memory for it the line on stderr is all there is. */
static void print_object(const ll_error *error, ll_exit status)
{
    ll_json json;
    ll_error ignored;
    ll_report_json_begin(&json, subject.command);
    ll_report_json_add(&json, "error",
                       json_pack("{s:o, s:i}", "text", ll_report_json_string(error->text), "status", (int)status));
    ll_status printed = ll_report_json_end(&json, &ignored);
    (void)printed;
}

ll_exit ll_cli_fail_as(ll_exit status, const ll_error *error)
{
    ll_exit end = ll_cli_is_interrupted() ? LL_EXIT_INTERRUPTED : status;
    ll_cli_unlimit_seconds(); /* one line is enough */
    ll_report_error(error);
    if (subject.json)
        print_object(error, end);
    return end;
}

ll_exit ll_cli_fail(const ll_error *error)
{
    return ll_cli_fail_as(LL_EXIT_REFUSED, error);
}

ll_exit ll_cli_usage_error(const char *command, const char *what)
{
    ll_error error;
    ll_fail(&error, LL_DOMAIN, "%s; see lossleak %s --help", what, command);
    return ll_cli_fail(&error);
}
