#include "cli/options/common_options.h"

#include "cli/options/option_value.h"
#include "cli/signals.h"
#include "cli/threads.h"
#include "report/message.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    KEY_JSON = 'j',
    KEY_HELP = 'h',
    KEY_VERSION = 'V',
    KEY_MEMORY = 0x1000,
    KEY_SECONDS,
    KEY_THREADS,
    KEY_SEED,
    KEY_HELP_ALL
};

static const struct argp_option options_table[] = {
    {NULL, 0, NULL, 0, "Every command:", LL_GROUP_COMMON},
    {"json", KEY_JSON, NULL, 0, "One JSON object on stdout instead of text", 0},
    {"max-memory", KEY_MEMORY, "BYTES", 0, "Refuse work that needs more; K, M, G and T are understood (default 8G)", 0},
    {"max-seconds", KEY_SECONDS, "S", 0, "Stop after that long (default 600)", 0},
    {"threads", KEY_THREADS, "T", 0, "Threads (default: one per processor)", 0},
    {"seed", KEY_SEED, "S", 0, "Seed of simulated noise and of embedded data sets (default 1)", 0},
    {"help", KEY_HELP, NULL, 0, "The options that most people need", 0},
    {"help-all", KEY_HELP_ALL, NULL, 0, "All options, with their full text", 0},
    {"version", KEY_VERSION, NULL, 0, "Name and version", 0},
    {0}};

static error_t parse_flag(int key, ll_common_options *options)
{
    switch (key) {
    case KEY_JSON:
        options->json = 1;
        return 0;
    case KEY_HELP:
    case KEY_HELP_ALL:
        options->help = 1;
        options->help_all = key == KEY_HELP_ALL;
        return ECANCELED;
    case KEY_VERSION:
        options->version = 1;
        return ECANCELED;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    ll_common_options *options = state->input;
    ll_status status;
    switch (key) {
    case ARGP_KEY_ERROR:
        options->stopped_at = state->next;
        return 0;
    case KEY_MEMORY:
        status = ll_cli_read_bytes(&options->max_memory, "max-memory", value, &options->error);
        break;
    case KEY_SECONDS:
        status = ll_cli_read_seconds(&options->max_seconds, "max-seconds", value, &options->error);
        break;
    case KEY_THREADS:
        status = ll_cli_read_count(&options->threads, "threads", value, 1, 4096, &options->error);
        break;
    case KEY_SEED:
        status = ll_cli_read_seed(&options->seed, "seed", value, &options->error);
        break;
    default:
        return parse_flag(key, options);
    }
    return status == LL_OK ? 0 : EINVAL;
}

static const char *brief(const char *name)
{
    return strcmp(name, "json") == 0 || strcmp(name, "help") == 0 ? "" : NULL;
}

const ll_option_group ll_cli_common_group = {{options_table, parse_option, NULL, NULL, NULL, NULL, NULL}, NULL, brief};

ll_status ll_cli_common_check_memory(const ll_common_options *options, const char *what, double needed, ll_error *error)
{
    if (needed <= (double)options->max_memory)
        return LL_OK;
    return ll_fail(error, LL_UNABLE, "over budget: %s needs about %.0f bytes of memory, %zu are allowed (--max-memory)",
                   what, needed, options->max_memory);
}

static long default_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

void ll_cli_common_set_threads(ll_common_options *options)
{
    char text[120];
    long wanted = options->threads ? options->threads : default_threads();
    long usable = ll_cli_usable_threads(wanted);
    if (usable < wanted) {
        (void)snprintf(text, sizeof text, "%ld threads cannot be started here; going on with %ld", wanted, usable);
        ll_report_warning(text);
        options->threads = usable;
    }
#ifdef _OPENMP
    omp_set_num_threads((int)usable);
#endif
}

static int should_stop(void *self)
{
    (void)self;
    return ll_cli_is_interrupted() || ll_cli_is_late();
}

ll_budget ll_cli_budget(const ll_common_options *options)
{
    ll_budget budget;
    ll_budget_init(&budget);
    budget.memory = (double)options->max_memory;
    budget.seconds = options->max_seconds;
    budget.threads = (int)options->threads;
    budget.stop = should_stop;
    return budget;
}

void ll_cli_common_init(ll_common_options *options, double max_seconds)
{
    *options = (ll_common_options){
        .max_memory = (size_t)8 << 30, .max_seconds = max_seconds > 0 ? max_seconds : 600, .seed = 1};
}
