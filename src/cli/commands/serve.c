/* lossleak serve: a guard over HTTP. */
#include "serve/serve.h"
#include "cli/commands/guard_command.h"
#include "cli/commands/serve_command.h"
#include "cli/options/option_value.h"
#include "cli/options/parse.h"
#include "cli/signals.h"
#include "io/files/io_fail.h"
#include "programs/program_metric.h"
#include "report/json.h"
#include "report/text_table.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct argp_option options_table[] = {
    {"ledger", LL_TEXT(ll_serve_options, ledger), "URL", 0,
     "The ledger that `guard init' made: sqlite:FILE, or just a file; or postgresql://...", 1},
    {"key", LL_TEXT(ll_serve_options, key), "FILE", 0, "The key that its labels are encrypted with", 1},
    {"listen", LL_TEXT(ll_serve_options, listen), "ADDRESS:PORT", 0,
     "Where to listen (default 127.0.0.1:8080); port 0: any that is free", 1},
    {"certificate", LL_TEXT(ll_serve_options, certificate), "FILE", 0,
     "TLS: the certificate and those that signed it, PEM", 1},
    {"certificate-key", LL_TEXT(ll_serve_options, certificate_key), "FILE", 0,
     "TLS: the private key of the certificate, PEM", 1},
    {"demo", LL_FLAG(ll_serve_options, demo), NULL, 0,
     "An embedded data set, a policy and accounts, in a ledger that ends with the server", 1},
    {"max-body", LL_TEXT(ll_serve_options, body), "BYTES", 0,
     "The largest submission, also when it is inflated (default: what the policy's rows and classes need as CSV)", 1},
    {"max-bodies", LL_TEXT(ll_serve_options, bodies), "BYTES", 0,
     "All submissions that are received or scored at a time (default 256M)", 1},
    {"max-connections", LL_TEXT(ll_serve_options, connections), "N", 0,
     "Connections at a time (default 4096); where there are more, those that have been idle longest are closed", 1},
    {"timeout", LL_TEXT(ll_serve_options, timeout), "S", 0,
     "Seconds for the head of a request, for a response and between requests (default 30); a body has a second more for "
     "every 32 KiB",
     1},
    {"keep", LL_TEXT(ll_serve_options, keep), "DIR", 0,
     "Keep a copy of every accepted submission in this folder, with scores.csv, for `investigate'", 1},
    {"quiet", LL_FLAG(ll_serve_options, quiet), NULL, 0, "No log line for each request", 1},
    {0}};

static const char doc[] =
    "A guard over HTTP: participants submit predictions with their token, and get the score that the policy shows after "
    "the ledger was charged for it. A page for people is at /.\v"
    "Make the ledger and the accounts with `lossleak guard' first. POST /v1/submissions takes CSV or .npy, gzip'd or "
    "not, with the header Authorization: Bearer TOKEN. GET /v1/leaderboard, /v1/account (what is left), /v1/policy, "
    "/v1/ledger (with the host's token), /healthz and /metrics. The log is one JSON object per line on stderr, without "
    "labels and scores. --threads is the number of submissions that are scored at a time. SIGTERM or Ctrl-C ends the "
    "server when what was begun is answered; without --max-seconds nothing else does.\n\n"
    "Examples:\n"
    "  lossleak serve --demo\n"
    "  lossleak serve --ledger test.db --key test.key --listen 127.0.0.1:8080\n"
    "  lossleak serve --ledger postgresql://guard@db/scores --listen [::]:443 --certificate a.pem --certificate-key a.key";

/* ---- signals: the first ends in order, the second at once ---- */

static volatile int stop;

static void on_stop(int number)
{
    (void)number;
    stop++;
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = on_stop};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)sigaction(numbers[i], &action, NULL);
}

/* ---- what was asked ---- */

static const char *complain(const ll_serve_options *o)
{
    if (o->demo && (o->ledger != NULL || o->key != NULL))
        return "--demo makes a ledger of its own: give either --demo or --ledger URL";
    if (!o->demo && o->ledger == NULL)
        return "no ledger: give --ledger URL, or --demo";
    if ((o->certificate == NULL) != (o->certificate_key == NULL))
        return "TLS needs both --certificate FILE and --certificate-key FILE";
    return NULL;
}

static long processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 2 ? 2 : count > 64 ? 64 : count;
}

static ll_status set_limits(ll_serve_settings *s, const ll_serve_options *o, ll_error *error)
{
    ll_status status = LL_OK;
    s->workers = o->common.threads > 0 ? o->common.threads : processors();
    s->max_connections = 4096;
    s->max_bodies = (size_t)256 << 20;
    s->timeout = 30;
    if (o->body != NULL)
        status = ll_cli_read_bytes(&s->max_body, "max-body", o->body, error);
    if (status == LL_OK && o->bodies != NULL)
        status = ll_cli_read_bytes(&s->max_bodies, "max-bodies", o->bodies, error);
    if (status == LL_OK && o->connections != NULL)
        status = ll_cli_read_count(&s->max_connections, "max-connections", o->connections, 16, 1000000, error);
    if (status == LL_OK && o->timeout != NULL)
        status = ll_cli_read_seconds(&s->timeout, "timeout", o->timeout, error);
    return status;
}

/* A text with an end; freed with free. */
static ll_status read_text(char **out, const char *path, ll_error *error)
{
    enum { MOST = 1 << 20 };
    ll_io_whole whole = {0};
    ll_status status = path != NULL ? ll_cli_guard_read_whole(&whole, path, MOST, error) : LL_OK;
    if (status != LL_OK || path == NULL)
        return status;
    *out = strndup((const char *)whole.data, whole.size);
    ll_io_whole_clear(&whole);
    return *out != NULL ? LL_OK : ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
}

/* ---- the server ---- */

typedef struct {
    const ll_serve_options *options;
    const ll_demo *demo;
} teller;

static void tell_json(const ll_demo *demo, const char *address)
{
    ll_json json;
    ll_error ignored;
    ll_report_json_begin(&json, "serve");
    ll_report_json_add(&json, "address", ll_report_json_string(address));
    if (demo != NULL)
        ll_report_json_add(
            &json, "tokens",
            json_pack("{s:s, s:s, s:s}", "anna", demo->tokens[0], "bert", demo->tokens[1], "host", demo->tokens[2]));
    ll_status printed = ll_report_json_end(&json, &ignored);
    (void)printed;
}

static void tell(void *self, const char *address)
{
    const teller *t = self;
    if (t->options->common.json)
        tell_json(t->demo, address);
    else if (t->demo != NULL)
        ll_cli_demo_print(t->demo, address);
    else
        ll_report_field(stdout, "address", "%s", address);
    (void)fflush(stdout);
}

/* The program of the policy, where it names one. */
static ll_status equip(void **own, ll_guard *guard, ll_error *error)
{
    ll_program_metric *program = NULL;
    ll_status status = ll_program_metric_use(&program, guard, error);
    *own = program;
    return status;
}

static void unequip(void *own)
{
    ll_program_metric_close(own);
}

static ll_status run(const ll_serve_options *o, const ll_demo *demo, ll_error *error)
{
    unsigned char key[LL_GUARD_KEY];
    int has_key = 0;
    char *certificate = NULL, *certificate_key = NULL;
    teller t = {o, demo};
    ll_serve_settings s = {.ledger = demo != NULL ? demo->ledger : o->ledger,
                           .listen = o->listen != NULL ? o->listen : "127.0.0.1:8080",
                           .seconds = o->common.max_seconds,
                           .keep = o->keep,
                           .is_quiet = o->quiet,
                           .listens = tell,
                           .self = &t,
                           .equip = equip,
                           .unequip = unequip,
                           .stop = &stop};
    ll_status status = set_limits(&s, o, error);
    if (status == LL_OK)
        status = ll_cli_guard_read_key(key, &has_key, o->key, 0, error);
    if (status == LL_OK)
        status = read_text(&certificate, o->certificate, error);
    if (status == LL_OK)
        status = read_text(&certificate_key, o->certificate_key, error);
    s.key = has_key ? key : NULL;
    s.certificate = certificate;
    s.certificate_key = certificate_key;
    if (status == LL_OK)
        status = ll_serve_run(&s, error);
    free(certificate);
    free(certificate_key);
    return status;
}

static ll_exit work(void *self)
{
    const ll_serve_options *o = self;
    ll_error error = {0};
    ll_demo demo = {0};
    const char *complaint = complain(o);
    if (complaint != NULL)
        return ll_cli_usage_error("serve", complaint);
    ll_cli_unlimit_seconds();
    catch_signals();
    ll_status status = o->demo ? ll_cli_demo_begin(&demo, o, &error) : LL_OK;
    if (status == LL_OK)
        status = run(o, o->demo ? &demo : NULL, &error);
    ll_cli_demo_end(&demo);
    return status == LL_OK ? LL_EXIT_DONE : ll_cli_fail(&error);
}

static const ll_syntax syntax = {.command = "serve",
                                 .doc = doc,
                                 .size = sizeof(ll_serve_options),
                                 .options = options_table,
                                 .parts = {LL_PART(&ll_cli_common_group, ll_serve_options, common), {0}},
                                 .max_seconds = 1e9};

const ll_command ll_command_serve = {&syntax, "a guard over HTTP, with a page for people", work};
