/* Attacks that are run against simulated curators (ll_curator), one row of a table each. What is claimed of a release
 * where no plan counts it, and what `verified` and "no known attack" stand on. */
#ifndef LL_AUDIT_TRIAL_H
#define LL_AUDIT_TRIAL_H

#include "audit/channel.h"

/* Rows x queries that one attack may take: a second or so. More are not tried. Runs again take a quarter of that.
 * An answer costs as much as so many rows of its own: its text, its noise, reading it. */
#define LL_TRIAL_WORK 6e6
#define LL_TRIAL_REPEATS 1.1e6
#define LL_TRIAL_ANSWER 60
/* Where a limit is proved, attacks only show how far they stay from it: this part of the work is enough. */
#define LL_TRIAL_PROVED 0.1

typedef struct {
    const ll_scorer *scorer; /* with the limit that attacks keep to; rows and classes set */
    const ll_channel *channel;
    const ll_plan_choice *code; /* the code that plans promise most of; NULL: none serves */
    const ll_plan_request *request;
    uint64_t seed;
    int is_proved; /* no attack passes the target, whatever is tried */
} ll_trial;

typedef struct {
    const char *name; /* for reports; the code's own name where it is one */
    int of_several;   /* takes answers of several numbers */
    int is_reader;    /* reads labels one by one: where none of these was tried, nothing is said of a release */
    /* Rows x queries of one run; 0: does not serve this release. */
    double (*work)(const ll_trial *trial);
    /* LL_UNABLE: does not serve after all. */
    ll_status (*run)(const ll_trial *trial, ll_tried *out, ll_error *error);
} ll_attack_kind;

extern const ll_attack_kind ll_attack_kinds[];
extern const long ll_attack_kind_count;

/* Every kind that serves. *all: was none of them too large, and at least one of them a reader? tried[LL_TRIED]. */
LL_CHECK ll_status ll_trial_run(const ll_trial *trial, ll_tried *tried, long *count, int *all, ll_error *error);

/* The share that the attacks tried are good for: means, less two standard errors; at least `guess`. */
double ll_tried_share(const ll_tried *tried, long count, double guess);
/* The share that one of them may have, up to chance: means and two standard errors. */
double ll_tried_most(const ll_tried *tried, long count);

/* Is every row scored, and counts as much as any other: no groups, weights or hidden split? */
int ll_trial_rows_alike(const ll_trial *trial);

/* ---- the kinds ---- */

double ll_averages_work(const ll_trial *trial);
LL_CHECK ll_status ll_averages_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_labellings_work(const ll_trial *trial);
LL_CHECK ll_status ll_labellings_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_counts_work(const ll_trial *trial);
LL_CHECK ll_status ll_counts_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_climb_work(const ll_trial *trial);
LL_CHECK ll_status ll_climb_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_best_blocks_work(const ll_trial *trial);
LL_CHECK ll_status ll_best_blocks_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_one_row_work(const ll_trial *trial);
LL_CHECK ll_status ll_one_row_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_pooled_work(const ll_trial *trial);
LL_CHECK ll_status ll_pooled_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_far_work(const ll_trial *trial);
LL_CHECK ll_status ll_far_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_row_by_row_work(const ll_trial *trial);
LL_CHECK ll_status ll_row_by_row_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_halving_work(const ll_trial *trial);
LL_CHECK ll_status ll_halving_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_designs_work(const ll_trial *trial);
LL_CHECK ll_status ll_designs_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_first_answer_work(const ll_trial *trial);
LL_CHECK ll_status ll_first_answer_run(const ll_trial *trial, ll_tried *out, ll_error *error);

/* ---- what they share ---- */

/* The work of so many answers, each row of them of this cost. */
double ll_trial_work(const ll_channel *channel, double queries, double cost);
/* How often to run an attack of this work: from fewest to most times, within LL_TRIAL_REPEATS. */
long ll_trial_runs(const ll_trial *trial, double work, long fewest, long most);

/* Has the caller had enough? Then what is run ends with LL_UNABLE. */
int ll_trial_is_stopped(const ll_trial *trial);
/* Labels as the scorer's are drawn, for run `run`. */
void ll_trial_labels(const ll_trial *trial, int32_t *labels, uint64_t run);
/* Attack a curator with `scorer` by a plan; share of right labels, open ones guessed. */
LL_CHECK ll_status ll_trial_plan(const ll_trial *trial, const ll_plan *plan, double *share, uint64_t run,
                                 ll_error *error);
/* The mean and its standard error of `runs` shares of so many rows. */
void ll_tried_set(ll_tried *out, const char *attack, const double *shares, long runs, long rows);
/* One answer: its text, or "" for a refusal; to be freed. LL_MEMORY. */
LL_CHECK ll_status ll_trial_ask(ll_curator *curator, char **text, const ll_predictions *predictions, ll_error *error);

/* Submissions that say a label in every row, sure of it: weight 1 of it, `sure` of the way. */
typedef struct {
    const ll_trial *trial;
    const int32_t *labels; /* NULL: `label` in every row */
    int32_t label;
    double sure;         /* probability of that label (logits: 4 sure - 2 above the others) */
    const double *blurs; /* rows x classes numbers in (0,1) that take the place of labels; NULL: none */
} ll_submission;

void ll_submission_predictions(ll_submission *self, ll_predictions *out);

#endif
