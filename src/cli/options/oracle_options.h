/* --oracle and what belongs to it: a scorer behind a pipe, and the journal of an attack. */
#ifndef LL_CLI_ORACLE_OPTIONS_H
#define LL_CLI_ORACLE_OPTIONS_H

#include "cli/options/syntax.h"
#include "io/formats/journal.h"
#include "io/process/oracle_process.h"
#include "lossleak.h"

typedef struct {
    const char *command, *mode, *timeout, *retries, *journal; /* as given; NULL: not */
    int npy;
    ll_io_process_options process_options; /* after ll_cli_oracle_finish */
    ll_io_process *process;                /* both: after ll_cli_oracle_open, NULL where not asked for */
    ll_io_journal *journal_file;
    long queries; /* of the plan */
} ll_oracle_options;

/* Its argp's input is an ll_oracle_options. */
extern const ll_option_group ll_cli_oracle_group;

/* NULL, or what contradicts; has_labels: labels are given in some other way. */
const char *ll_cli_oracle_complain(const ll_oracle_options *options, int has_labels);

/* Read the values, before anything long begins. */
LL_CHECK ll_status ll_cli_oracle_finish(ll_oracle_options *options, ll_error *error);

/* Open the journal and the oracle of this plan; says on stderr what the journal held. */
LL_CHECK ll_status ll_cli_oracle_open(ll_oracle_options *options, const ll_plan *plan, const ll_scorer *scorer,
                                      size_t max_memory, ll_error *error);
void ll_cli_oracle_close(ll_oracle_options *options);

/* The oracle behind the pipe, or else the simulated one; the same with the journal before it, where there is one. */
ll_oracle ll_cli_oracle_choose(const ll_oracle_options *options, ll_oracle simulated);
ll_oracle ll_cli_oracle_journalled(const ll_oracle_options *options, ll_oracle inner);

/* A score of the oracle that was refused because no labelling has one like it; NULL: none. */
const char *ll_cli_oracle_strange(const ll_oracle_options *options);

/* What the journal holds, added to the text of an error; nothing without a journal. */
void ll_cli_oracle_add_journal(const ll_oracle_options *options, ll_error *error);

#endif
