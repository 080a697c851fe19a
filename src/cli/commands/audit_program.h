/* `audit --program`: a program is identified and attacked as it is, before what was found is audited. */
#ifndef LL_CLI_AUDIT_PROGRAM_H
#define LL_CLI_AUDIT_PROGRAM_H

#include "cli/options/common_options.h"
#include "cli/options/program_options.h"
#include "cli/options/scorer_options.h"
#include "report/identify_report.h"

typedef struct {
    ll_run_program *program;
    ll_identification found;
    ll_program_attack_result measured;
    ll_platform platform;
    json_t *limits;            /* of it, for reports; NULL: none */
    ll_identify_report report; /* of all */
    char texts[4000];          /* of options that were found */
    size_t used;
} ll_audited_program;

/* Run it. Classes and targets are those of the scorer's options. */
LL_CHECK ll_status ll_cli_program_ask(ll_audited_program *out, const ll_program_choice *choice,
                                      const ll_scorer_options *scorer, ll_common_options *common, ll_error *error);
/* What was found becomes options of the scorer, as if they had been given, where they were not. Their texts live as long as `asked`. */
LL_CHECK ll_status ll_cli_program_describe(ll_audited_program *asked, ll_scorer_options *scorer, ll_error *error);
void ll_cli_program_clear(ll_audited_program *asked);

/* Does the attack that was measured pass the target share (0: 5 points above guessing), by three standard errors? */
int ll_cli_program_leaks(const ll_audited_program *asked, double target_share);
/* Does it show labels of single rows as they are? */
int ll_cli_program_shows_rows(const ll_audited_program *asked);
/* The option of the scorer of this name, as it was given; NULL: it was not. */
const char *ll_cli_program_given(const ll_scorer_options *scorer, const char *name);

/* The report of a program that is not recognised (audit_unknown.c): measured, and bounded under an assumption that is
 * named. `html`: a page is written, too; NULL: none. */
LL_CHECK ll_status ll_cli_program_print(const ll_audited_program *asked, const ll_scorer_options *scorer,
                                        const char *html, int is_json, int leaks, ll_error *error);

#endif
