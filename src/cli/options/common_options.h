/* The options that every command takes. */
#ifndef LL_CLI_COMMON_OPTIONS_H
#define LL_CLI_COMMON_OPTIONS_H

#include "cli/options/syntax.h"
#include "lossleak.h"

typedef struct {
    ll_error error; /* why parsing ended, where it did; parsers of commands write it too */
    int stopped_at; /* argument where getopt stopped, where it refused one */
    int help, help_all, version;
    int json;
    size_t max_memory;
    double max_seconds;
    uint64_t seed;
    long threads; /* 0: as many as there are processors */
} ll_common_options;

/* Its argp's input is an ll_common_options. */
extern const ll_option_group ll_cli_common_group;

/* Help groups: lower is earlier. A command's own options have group 1. */
enum { LL_GROUP_SCORER = 10, LL_GROUP_LOSS, LL_GROUP_COMPUTATION, LL_GROUP_RELEASE, LL_GROUP_COMMON = 20 };

/* max_seconds 0: 600. */
void ll_cli_common_init(ll_common_options *options, double max_seconds);

/* "WHAT needs about NEEDED bytes of memory, N are allowed (--max-memory)", LL_UNABLE; LL_OK where they are enough. */
LL_CHECK ll_status ll_cli_common_check_memory(const ll_common_options *options, const char *what, double needed,
                                              ll_error *error);

/* Set the number of threads that the library uses, fewer than asked for (with a warning) where they cannot be started.
 */
void ll_cli_common_set_threads(ll_common_options *options);

/* What the library may use; it is stopped by a signal or when the time is up. */
ll_budget ll_cli_budget(const ll_common_options *options);

#endif
