/* Attacks that are run against simulated curators (ll_curator); each is a row of a table. They are the evidence for
 * `verified`, for "no known attack", and for releases for which no plan exists. */
#ifndef LL_AUDIT_TRIAL_H
#define LL_AUDIT_TRIAL_H

#include "audit/channel.h"

/* Rows x queries that one attack may use: about a second. Larger attacks are not tried. Repeated runs may use a quarter
 * of it. One answer (its text, noise and reading) costs as much as LL_TRIAL_ANSWER rows. */
#define LL_TRIAL_WORK 6e6
#define LL_TRIAL_REPEATS 1.1e6
#define LL_TRIAL_ANSWER 60
/* A simulated answer keeps up to so many bytes for a row: three numbers of any precision, for a score of fitted values. */
#define LL_TRIAL_ROW_BYTES 450
/* If a limit is proved, attacks only show how far below it they stay: this part of the work is enough. */
#define LL_TRIAL_PROVED 0.1
/* Of more targets, attacks that walk through all of them row by row are left out. */
#define LL_TRIAL_TARGETS 512

/* What runs of a code read for certain. */
typedef struct {
    long promised, queries; /* labels that its plan is made to read, and submissions within the limit that it takes */
    double certain, error;  /* labels that were certain in runs of it: the mean and its standard error */
    long read;              /* what can be claimed of the code: 0 .. promised */
} ll_code_runs;

typedef struct {
    const ll_scorer *scorer; /* with the limit that attacks keep to; rows and classes set */
    const ll_channel *channel;
    const ll_plan_choice *code; /* the code with the best plan; NULL: no code applies */
    const ll_plan_request *request;
    uint64_t seed;
    int is_proved;      /* no attack passes the target, whatever is tried */
    ll_code_runs *runs; /* set by the code's runs; NULL: nobody asks */
} ll_trial;

typedef struct {
    const char *name;     /* for reports; the name of the code if it is one */
    int of_several;       /* takes answers of several numbers */
    int is_reader;        /* reads labels one by one: if none of these was tried, nothing is claimed of a release */
    int takes_long_grids; /* more targets than LL_TRIAL_TARGETS: it does not walk through them */
    /* Rows x queries of one run; 0: not applicable to this release. */
    double (*work)(const ll_trial *trial);
    /* LL_UNABLE: not applicable after all. */
    ll_status (*run)(const ll_trial *trial, ll_tried *out, ll_error *error);
} ll_attack_kind;

extern const ll_attack_kind ll_attack_kinds[];
extern const long ll_attack_kind_count;

/* Run every kind that applies. *all: none of them was too large, and at least one was a reader. tried[LL_TRIED]. */
LL_CHECK ll_status ll_trial_run(const ll_trial *trial, ll_tried *tried, long *count, int *all, ll_error *error);
/* Run the code of the trial alone. LL_UNABLE: it could not be run. */
LL_CHECK ll_status ll_trial_run_code(const ll_trial *trial, ll_tried *out, ll_error *error);

/* The share that the best attack tried reaches: its mean, less two standard errors; at least `guess`. */
double ll_tried_share(const ll_tried *tried, long count, double guess);
/* The largest share that one of them may reach: its mean plus two standard errors. */
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
double ll_moved_rows_work(const ll_trial *trial);
LL_CHECK ll_status ll_moved_rows_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_row_by_row_work(const ll_trial *trial);
LL_CHECK ll_status ll_row_by_row_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_halving_work(const ll_trial *trial);
LL_CHECK ll_status ll_halving_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_designs_work(const ll_trial *trial);
LL_CHECK ll_status ll_designs_run(const ll_trial *trial, ll_tried *out, ll_error *error);
double ll_first_answer_work(const ll_trial *trial);
LL_CHECK ll_status ll_first_answer_run(const ll_trial *trial, ll_tried *out, ll_error *error);

/* ---- what they share ---- */

/* The work of `queries` answers whose rows cost `cost` each. */
double ll_trial_work(const ll_channel *channel, double queries, double cost);
/* How often to run an attack of this work: from fewest to most times, within LL_TRIAL_REPEATS. */
long ll_trial_runs(const ll_trial *trial, double work, long fewest, long most);

/* Did the caller ask to stop? Then the attack ends with LL_UNABLE. */
int ll_trial_is_stopped(const ll_trial *trial);
/* Labels of run `run`, drawn as the scorer says. */
void ll_trial_labels(const ll_trial *trial, int32_t *labels, uint64_t run);
/* Attack a curator with `scorer` by a plan. *share: right labels, where open ones are guessed; *certain: how many were
 * certain. */
LL_CHECK ll_status ll_trial_plan(const ll_trial *trial, const ll_plan *plan, double *share, double *certain,
                                 uint64_t run, ll_error *error);
/* The mean of `runs` shares of `rows` rows, and its standard error. */
void ll_tried_set(ll_tried *out, const char *attack, const double *shares, long runs, long rows);
/* One answer: its text, or "" for a refusal; to be freed. LL_MEMORY. */
LL_CHECK ll_status ll_trial_ask(ll_curator *curator, char **text, const ll_predictions *predictions, ll_error *error);

/* Submissions that predict one label in every row, with probability `sure`. */
typedef struct {
    const ll_trial *trial;
    const int32_t *labels; /* NULL: `label` in every row */
    int32_t label;
    double sure;         /* probability of that label (logits: 4 sure - 2 above the others) */
    const double *blurs; /* rows x classes numbers in (0,1) that take the place of labels; NULL: none */
} ll_submission;

void ll_submission_predictions(ll_submission *self, ll_predictions *out);

#endif
