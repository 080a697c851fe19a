/* What an audit proposes and shows leaves something of the score: every metric of the table x sizes x releases. Noise, or
 * levels, that hide every difference between honest models are neither proposed nor a row of a table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exhaustive/worlds.h"
#include "report/audit_report.h"

static long audits, proposals, shown, withdrawn, kept;

/* Of a metric with a number: its distance and its deviation are within what honest models differ by. */
static void check_shown(const ll_audit *a, const char *text)
{
    for (long i = 0; i < a->defence_count; i++) {
        const ll_defence *own = ll_audit_get_defence(a, i), d = ll_report_shown_defence(a, i);
        shown += d.distance <= a->honest_range;
        withdrawn += isnan(d.distance) && own->distance > a->honest_range;
        if (d.distance > a->honest_range || (!isnan(d.setting) && d.error > a->honest_range))
            fail_msg("%s: %s of %g is shown; honest models differ by %g", text, d.kind, d.setting, a->honest_range);
    }
    for (long i = 0; i < a->proposal_count; i++, proposals++) {
        const ll_defence *d = ll_audit_get_defence(a, ll_audit_get_proposal(a, i)->defence);
        if (d->distance > a->honest_range || d->error > a->honest_range)
            fail_msg("%s: %s of %g is proposed; honest models differ by %g", text, d->kind, d->setting,
                     a->honest_range);
    }
}

/* Where the limit holds without noise, none is proposed: it would cost something and prove nothing more. */
static void check_needed(const ll_audit *a, const char *text)
{
    kept += a->bound->max_share <= a->target_share;
    for (long i = 0; i < a->proposal_count && a->bound->max_share <= a->target_share; i++) {
        const ll_defence *d = ll_audit_get_defence(a, ll_audit_get_proposal(a, i)->defence);
        if (strstr(d->settings, "noise=") != NULL)
            fail_msg("%s: %s is proposed, and nothing is needed", text, d->settings);
    }
}

static void try_audit(const char *metric, long rows, const char *release)
{
    char text[300];
    ll_scorer *scorer = NULL;
    ll_audit audit;
    ll_audit_request request;
    (void)snprintf(text, sizeof text, "metric=%s; arithmetic=fp64; rows=%ld; queries=%ld; %s", metric, rows,
                   audits % 4 ? rows / 4 : 1 + audits % 3, release);
    if (try_scorer_text(&scorer, text, NULL) != LL_OK)
        return;
    ll_audit_init(&audit);
    ll_audit_request_init(&request);
    request.proofs_only = 1;
    request.target_share = audits % 3 ? 0 : 0.6 + (double)(audits % 7) / 18;
    if (ll_audit_run(&audit, scorer, &request, NULL) == LL_OK) {
        check_shown(&audit, text);
        check_needed(&audit, text);
        ll_audit_clear(&audit);
        audits++;
    }
    ll_scorer_destroy(scorer);
}

static void test_all(void **state)
{
    static const long sizes[] = {8, 60, 1000, 20000};
    static const char *const releases[] = {"decimals=5", "transform=percent; decimals=1", "classes=3; decimals=4",
                                           "targets=0:100:1; decimals=5", "honest=0.4:0.6; decimals=4"};
    const world_list metrics = list_metrics();
    (void)state;
    for (long m = 0; m < metrics.count; m++)
        for (long i = 0; i < WORLDS_COUNT(sizes) * WORLDS_COUNT(releases); i++)
            if (getenv("LL_TEST_LONG") != NULL || (m + i) % 3 == 0)
                try_audit(metrics.names[m], sizes[i % WORLDS_COUNT(sizes)], releases[i / WORLDS_COUNT(sizes)]);
    printf("%ld audits: %ld proposals, %ld rows with a distance, %ld withdrawn, %ld need nothing\n", audits, proposals,
           shown, withdrawn, kept);
    assert_true(audits > 0 && proposals > 0 && withdrawn > 0 && kept > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
