/* Inside the audit: the parts that audit.c puts together. */
#ifndef LL_AUDIT_PRIVATE_H
#define LL_AUDIT_PRIVATE_H

#include "audit/limits.h"
#include "audit/usefulness.h"

#define LL_AUDIT_DELTA 1e-6
#define LL_AVERAGE_ROWS 64 /* with this many rows or more, the forecast of averaging is used without running it */

enum { LL_DEFENCES = 16 }; /* at most */
/* Sizes of the texts of an audit and of its defences; the public structs do not depend on them. */
enum {
    LL_NOTE_SIZE = 320,
    LL_SETTINGS_SIZE = 160,
    LL_VERDICT_SIZE = 640,
    LL_ASSUMPTIONS_SIZE = 240,
    LL_FAILURES_SIZE = 400,
    LL_STOP_FIRST_SIZE = 120,
    LL_SEVERAL_SIZE = 640,
    LL_ALONE_SIZE = 80
};
enum { LL_PYTHON_SIZE = 12288, LL_CHECK_SIZE = 4096 }; /* bytes that the longest code and command fit into */

/* The request to planners: certain labels; likely ones under random noise. */
void ll_audit_plan_request(ll_plan_request *out, const ll_audit_request *request, const ll_scorer *scorer);

/* The share of right labels if `labels` are certain and the others are guessed. */
double ll_audit_share_of_labels(const ll_channel *channel, double labels);

/* ---- the verdict (audit_run.c) ---- */

/* Allocate what an audit owns. Clear it in any case. */
LL_CHECK ll_status ll_audit_reserve(ll_audit *audit, ll_error *error);
/* What attacks reach, what none can exceed, and whether the target (audit->target_share) is kept. An audit begins with
 * it; for a defence it is called again, for the scorer with that defence. row: the defence; NULL: none, and all codes
 * are compared. */
LL_CHECK ll_status ll_audit_judge(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer,
                                  const ll_audit_request *request, const ll_defence *row, ll_error *error);

/* ---- averaging (averaging.c) ---- */

/* The expected share of right labels by averaging over `queries` answers. It is the guessing share if averaging is
 * useless, or if rows are too few for a forecast (attacks are run instead). */
LL_CHECK ll_status ll_average_share(double *out, const ll_channel *channel, const ll_scorer *scorer, double queries,
                                    ll_error *error);

/* The row of the code hadamard under random noise, from the forecast alone: a plan of that many queries is large.
 * LL_MEMORY. */
LL_CHECK ll_status ll_average_choice(ll_plan_choice *out, const ll_channel *channel, const ll_scorer *scorer,
                                     const char *code, double failure);
/* A scorer without rounding that is negligible beside its random noise, because every step of rounding would be counted
 * otherwise; known counts become shares of a prior. */
LL_CHECK ll_status ll_average_drop_rounding(ll_scorer **out, const ll_scorer *scorer, const ll_channel *channel,
                                            ll_error *error);

/* ---- defences (defences.c) ---- */

LL_CHECK ll_status ll_defences_find(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer,
                                    const ll_audit_request *request, ll_error *error);

/* ---- failures (free_failures.c) ---- */

/* What failed submissions reveal if they are not counted: share, leaks and the sentence. LL_MEMORY. */
LL_CHECK ll_status ll_audit_failures(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer, uint64_t seed,
                                     ll_error *error);
/* Defences that also require failures to be counted. */
void ll_audit_count_failures(ll_defence *defences, long count);

/* ---- several numbers (each_number.c) ---- */

/* Can a submission carry any predictions that an attack on this number alone would use? */
int ll_number_is_free(const ll_scorer *scorer, const ll_scorer *number);
/* Attack one number after the other: audit->share, the attacks of the number that reveals most, and the best choice of
 * every code. is_cut: plans for all numbers read less than they promised, so each is looked at alone. LL_MEMORY. */
LL_CHECK ll_status ll_audit_each_number(ll_audit *audit, const ll_scorer *scorer, const ll_audit_request *request,
                                        int is_cut, ll_error *error);

/* ---- several numbers (which_number.c) ---- */

/* What several numbers reveal together, and which to stop showing first; nothing if there is one. LL_MEMORY. */
LL_CHECK ll_status ll_audit_several(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer,
                                    const ll_audit_request *request, ll_error *error);

/* ---- a public split (public_split.c) ---- */

/* The scorer of the split, as whoever knows it sees it; NULL where every row is scored. LL_DOMAIN where the size of the
 * split is not known. */
LL_CHECK ll_status ll_audit_find_split(ll_scorer **out, const ll_scorer *described, ll_error *error);
/* audit->split, of an audit of the split; nothing where every row is scored. LL_MEMORY. */
LL_CHECK ll_status ll_audit_price_split(ll_audit *audit, const ll_scorer *described, const ll_budget *budget,
                                        ll_error *error);

/* ---- proposals (proposals.c, notice.c, account_python.c) ---- */

/* Would two models, one perfect and one that knows nothing, still look alike? */
int ll_defence_hides_all(const ll_audit *audit, const ll_defence *defence);
LL_CHECK ll_status ll_audit_propose(ll_audit *audit, const ll_scorer *scorer, const ll_audit_request *request,
                                    ll_error *error);
void ll_audit_forget_proposals(ll_audit *audit);
/* A defence as Python, release(labels, predictions, account), cut to size; made: the scorer with its release
 * (ll_settings_apply); groups: the file that groups of rows are read from, or "". A sentence where there is no code for
 * it, and then text is ""; else "". */
const char *ll_audit_write_python(char *text, size_t size, const ll_scorer *made, long classes,
                                  const ll_defence *defence, const char *groups);
/* What participants notice of it, in a sentence or two (notice.c). */
void ll_audit_write_notice(char *text, size_t size, const ll_scorer *made, const ll_defence *defence);

/* ---- words (verdict.c, answer.c) ---- */

/* audit->answer and audit->noise, once there are proposals. LL_MEMORY. */
LL_CHECK ll_status ll_audit_write_answer(ll_audit *audit, const ll_scorer *scorer, ll_error *error);

/* The code that reads all labels in the fewest submissions, as sure as the best within the limit is; NULL: none. Some
 * groups, and rows of weight 0, may stay open. */
const ll_plan_choice *ll_audit_reads_all(const ll_audit *audit);

void ll_audit_write_verdict(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer);

#endif
