/* Submissions that fail and are not counted: where labels decide which ones do, no limit on answers holds
 * (docs/proofs/failures.md). */
#include "attack/failure_reader.h"
#include "audit/audit_private.h"
#include "audit/label_law.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is right once these labels are read and the others guessed. */
static double share_of(const ll_channel *c, double labels)
{
    return ll_audit_share_of_labels(c, fmin(labels, (double)c->rows));
}

static void write_read(ll_audit *a, const ll_failure_cost *cost)
{
    size_t used = (size_t)ll_print(a->failures, LL_FAILURES_SIZE,
                                   "Submissions that fail are not counted, and labels decide which ones fail: "
                                   "%.0f that fail and %.0f that get a score read ",
                                   cost->submissions - cost->counted, cost->counted);
    if (cost->labels >= (double)a->rows)
        used += (size_t)snprintf(a->failures + used, LL_FAILURES_SIZE - used, "all %ld labels", a->rows);
    else
        used += (size_t)ll_print(a->failures + used, LL_FAILURES_SIZE - used, "about %.0f of %ld labels", cost->labels,
                                 a->rows);
    (void)snprintf(a->failures + used, LL_FAILURES_SIZE - used,
                   "%s. No limit on answers holds: count submissions that fail, or give a number instead.",
                   isinf(a->queries) ? "" : ", and only those that get one are counted");
}

static void write_unread(ll_audit *a)
{
    (void)snprintf(a->failures, LL_FAILURES_SIZE,
                   "Submissions that fail are not counted, and labels may decide which ones fail: no limit on answers "
                   "holds, and what can be read from failures is not known. Count submissions that fail.");
}

ll_status ll_audit_failures(ll_audit *a, const ll_channel *c, const ll_scorer *scorer, uint64_t seed, ll_error *error)
{
    ll_failure_kind kind = ll_scorer_failures(scorer);
    ll_failure_way way;
    ll_failure_cost cost = {0};
    a->failures_tell = LL_FALSE;
    if (!c->fails_free)
        return LL_OK;
    a->failed_submissions = a->counted_submissions = (double)NAN;
    a->failures_tell = kind == LL_FAILS_SOMEHOW ? LL_UNKNOWN : LL_TRUE;
    if (kind == LL_FAILS_SOMEHOW) {
        write_unread(a);
        a->leaks = a->share > a->target_share ? LL_TRUE : LL_UNKNOWN;
        return LL_OK;
    }
    double one = ll_label_share(scorer, c->classes, 1);
    ll_status status = ll_failure_choose(&way, &cost, kind, c->rows, scorer->queries, one, seed, error);
    if (status != LL_OK)
        return status;
    a->failed_submissions = cost.submissions - cost.counted;
    a->counted_submissions = cost.counted;
    write_read(a, &cost);
    a->share = fmax(a->share, share_of(c, cost.labels));
    a->leaks = a->share > a->target_share ? LL_TRUE : LL_UNKNOWN;
    return LL_OK;
}

/* A defence holds where failures are counted: that belongs to it. */
void ll_audit_count_failures(ll_defence *defences, long count)
{
    static const char part[] = "failures=counted";
    for (long i = 0; i < count; i++) {
        size_t used = strlen(defences[i].settings), room = LL_SETTINGS_SIZE;
        if (used > 0 && used + sizeof part + 1 <= room)
            (void)snprintf(defences[i].settings + used, room - used, " %s", part);
    }
}
