/* One budget for everything: whoever is stopped, wherever that is, says so; seconds end an audit that nobody stops; and
 * labels are reported even where their defence was not found in time. Every field that is set is read, every other has
 * its default, also of a caller that was built before the field was there. */
#include "audit/row_terms.h"
#include "audit_tools.h"
#include "number/budget.h"
#include "report/defence.h"

#include <math.h>
#include <stddef.h>
#include <time.h>

static int stop_after(void *self)
{
    return --*(long *)self < 0;
}

/* Is it audited at all? */
static int check_defence(const ll_scorer *scorer, const char *name, long after)
{
    char text[4000];
    long left = after;
    ll_chosen_defence chosen;
    ll_error error = {0};
    const ll_plan_info plan = {.writer = "", .queries = 3, .rows = 30, .classes = 2};
    const ll_verdict verdict = {.kind = LL_UNIQUE};
    ll_budget budget;
    ll_budget_init(&budget);
    budget.stop = stop_after;
    budget.self = &left;
    assert_int_equal(ll_report_choose_defence(&chosen, scorer, 3, &budget, &error), LL_OK);
    ll_report_write_defence(text, sizeof text, scorer, &plan, &verdict, &chosen);
    int says_so = strstr(text, "was not computed within --max-seconds") != NULL, stopped = left < 0;
    if (says_so != chosen.is_late || (chosen.is_late && (chosen.first != NULL || !stopped)) || strlen(text) == 0)
        fail_msg("%s, stopped after %ld questions: %s", name, after, text);
    int audited = chosen.audit.rows > 0;
    ll_report_chosen_clear(&chosen);
    return audited;
}

/* Every metric that an audit takes, stopped at the first question, at the second, the fourth... and never. */
static void test_late_defences(void **state)
{
    (void)state;
    long late = 0;
    for (long i = 0; i < ll_metric_count(); i++) {
        const char *name = ll_metric_get_info(i)->name;
        if (strchr(name, ':') != NULL || strcmp(ll_metric_get_info(i)->input, "number") == 0)
            continue;
        ll_scorer *s = scorer_of_text("metric=%s; rows=30; classes=2; decimals=3", name);
        int audited = check_defence(s, name, 1000000);
        for (long after = 0; after < 1000; after = 4 * after + (after == 0))
            late += audited && !check_defence(s, name, after);
        if (audited && check_defence(s, name, 0))
            fail_msg("%s: nobody asked whether to stop", name);
        ll_scorer_destroy(s);
    }
    assert_true(late > 60);
}

/* Nobody stops it, but its seconds do. */
static void test_seconds(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("scorer=sklearn/brier; rows=30; queries=20; decimals=3");
    ll_audit a;
    ll_audit_request request;
    ll_error error = {0};
    ll_audit_init(&a);
    ll_audit_request_init(&request);
    request.budget = LL_BUDGET(.seconds = 1e-9);
    assert_int_equal(ll_audit_run(&a, s, &request, &error), LL_UNABLE);
    assert_string_equal(error.text, "the audit did not end within 1e-09 seconds");
    ll_scorer_destroy(s);
}

/* Terms that become doubles take no more bits than doubles have, however many decimals are released; and they are the
 * same doubles. */
static void test_short_terms(void **state)
{
    (void)state;
    for (long i = 0; i < ll_metric_count(); i++) {
        const ll_metric_info *info = ll_metric_get_info(i);
        if (strchr(info->name, ':') != NULL || strcmp(info->link, "mean") != 0 || strcmp(info->input, "number") == 0)
            continue;
        ll_scorer *few = scorer_of_text("metric=%s; rows=3; classes=2; decimals=3", info->name);
        ll_scorer *many = scorer_of_text("metric=%s; rows=3; classes=2; decimals=2000", info->name);
        double terms[2][2] = {{0}}, row = 0.25;
        const ll_scoring scorings[] = {{.how = &few->computation, .rows = 1, .classes = 2},
                                       {.how = &many->computation, .rows = 1, .classes = 2}};
        ll_status status[2];
        for (int k = 0; k < 2; k++)
            status[k] = ll_row_terms(&scorings[k], terms[k], &row, 1, NULL, 2);
        assert_true(many->computation.precision > 6000); /* of which doubles know nothing */
        assert_int_equal(status[0], status[1]);
        for (int k = 0; k < 2 && status[0] == LL_OK; k++)
            assert_true(fabs(terms[0][k] - terms[1][k]) <= 1e-12 * fabs(terms[0][k]) + 1e-12);
        ll_scorer_destroy(few);
        ll_scorer_destroy(many);
    }
}

/* ---- fields ---- */

static long progressed;

static int say(void *self)
{
    return *(int *)self;
}

static void note(void *self, long done, long total)
{
    (void)self;
    progressed = 100 * done + total;
}

/* All that is set, as far as a caller of this size can have set it. */
static ll_budget budget_of(size_t size, int *stop)
{
    ll_budget budget;
    memset(&budget, 0, sizeof budget);
    budget.size = size;
    budget.memory = 12345;
    budget.seconds = 0.25;
    budget.threads = 3;
    budget.stop = say;
    budget.self = stop;
    budget.progress = note;
    return budget;
}

static int knows(size_t size, size_t offset, size_t length)
{
    return size >= offset + length;
}

#define KNOWS(size, field) knows(size, offsetof(ll_budget, field), sizeof((ll_budget *)0)->field)

static void test_fields(void **state)
{
    (void)state;
    double memory = ll_budget_memory(NULL), seconds = ll_budget_seconds(NULL);
    assert_true(memory > 1e9 && seconds > 60 && ll_budget_threads(NULL) == 0 && !ll_budget_is_stopped(NULL));
    for (size_t size = sizeof(size_t); size <= sizeof(ll_budget); size++) {
        int stop = 1;
        ll_budget b = budget_of(size, &stop);
        assert_true(ll_budget_memory(&b) == (KNOWS(size, memory) ? 12345 : memory));
        assert_true(ll_budget_seconds(&b) == (KNOWS(size, seconds) ? 0.25 : seconds));
        assert_int_equal(ll_budget_threads(&b), KNOWS(size, threads) ? 3 : 0);
        assert_int_equal(ll_budget_is_stopped(&b), KNOWS(size, stop));
        progressed = 0;
        ll_budget_progress(&b, 7, 9);
        assert_int_equal(progressed, KNOWS(size, progress) ? 709 : 0);
    }
}

static void test_deadline(void **state)
{
    (void)state;
    int stop = 0;
    const struct timespec some = {0, 300000000};
    ll_budget b = budget_of(sizeof b, &stop);
    double before = ll_clock();
    ll_deadline deadline = ll_deadline_start(&b), endless = ll_deadline_start(NULL);
    assert_true(deadline.until >= before + 0.25 && deadline.until < ll_clock() + 0.26);
    stop = 1;
    assert_true(ll_deadline_is_over(&deadline));
    stop = 0;
    (void)nanosleep(&some, NULL);
    assert_true(ll_deadline_is_over(&deadline) && !ll_deadline_is_over(&endless));
    b.seconds = 1e6;
    deadline = ll_deadline_start(&b);
    assert_false(ll_deadline_is_over(&deadline));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_late_defences), cmocka_unit_test(test_seconds),
                                       cmocka_unit_test(test_short_terms), cmocka_unit_test(test_fields),
                                       cmocka_unit_test(test_deadline)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
