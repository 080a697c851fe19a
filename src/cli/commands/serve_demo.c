/* serve --demo: something to look at, with embedded labels, a policy and accounts. */
#include "cli/commands/serve_command.h"
#include "cli/signals.h"
#include "io/files/temporary_file.h"
#include "report/text_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char policy_text[] =
    "{\"policy\": 1, \"scorer\": {\"metric\": \"accuracy\", \"rows\": 2201, \"release\": \"levels:0.68:0.9:22\"}, "
    "\"promise\": {\"share\": 0.65}, \"limits\": {\"per_account\": 200, \"per_day\": 50}}";
static const char dataset[] = "titanic";
enum { ROWS = 2201, ACCOUNTS = 3 };

static const struct {
    const char *name;
    ll_guard_role role;
} accounts[ACCOUNTS] = {{"anna", LL_ROLE_PARTICIPANT}, {"bert", LL_ROLE_PARTICIPANT}, {"host", LL_ROLE_HOST}};

/* Safe in a signal handler. */
static void remove_files(const void *self)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    const ll_demo *demo = self;
    char path[sizeof demo->ledger + 8];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t length = strlen(demo->ledger);
        memcpy(path, demo->ledger, length);
        memcpy(path + length, ends[i], strlen(ends[i]) + 1);
        (void)unlink(path);
    }
    (void)rmdir(demo->folder);
}

void ll_cli_demo_end(const ll_demo *demo)
{
    ll_cli_on_sudden_end(NULL, NULL);
    if (demo->folder[0])
        remove_files(demo);
}

static ll_status make_folder(ll_demo *demo, ll_error *error)
{
    int length = snprintf(demo->folder, sizeof demo->folder, "%s/lossleak-demo-XXXXXX", ll_io_temporary_folder());
    if (length >= (int)sizeof demo->folder || mkdtemp(demo->folder) == NULL) {
        demo->folder[0] = '\0';
        return ll_fail(error, LL_SYSTEM, "no temporary folder for the demo: %s", strerror(errno));
    }
    (void)snprintf(demo->ledger, sizeof demo->ledger, "%s/demo.db", demo->folder);
    ll_cli_on_sudden_end(remove_files, demo);
    return LL_OK;
}

static ll_status make_ledger(ll_demo *demo, uint64_t seed, ll_error *error)
{
    int32_t labels[ROWS];
    ll_policy *policy = NULL;
    ll_guard *guard = NULL;
    ll_status status = ll_dataset_labels(labels, ROWS, dataset, seed, error);
    if (status == LL_OK)
        status = ll_policy_read(&policy, policy_text, strlen(policy_text), error);
    if (status == LL_OK)
        status = ll_guard_create(&guard, demo->ledger, policy, labels, ROWS, NULL, error);
    for (int i = 0; i < ACCOUNTS && status == LL_OK; i++)
        status = ll_guard_add_account(guard, demo->tokens[i], accounts[i].name, accounts[i].role, error);
    ll_guard_close(guard);
    ll_policy_destroy(policy);
    return status;
}

ll_status ll_cli_demo_begin(ll_demo *demo, const ll_serve_options *o, ll_error *error)
{
    ll_status status = make_folder(demo, error);
    return status == LL_OK ? make_ledger(demo, o->common.seed, error) : status;
}

void ll_cli_demo_print(const ll_demo *demo, const char *address)
{
    ll_report_field(stdout, "address", "%s", address);
    ll_report_field(stdout, "labels", "%d of the data set %s; metric: accuracy; the ledger ends with the demo",
                    (int)ROWS, dataset);
    for (int i = 0; i < ACCOUNTS; i++)
        ll_report_field(stdout, "token", "%s  %s", accounts[i].name, demo->tokens[i]);
    ll_report_field(stdout, "try",
                    "yes 0 | head -%d | curl -H 'Authorization: Bearer %s' -H 'Content-Type: text/csv' "
                    "--data-binary @- %sv1/submissions",
                    (int)ROWS, demo->tokens[0], address);
}
