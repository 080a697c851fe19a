/* Several numbers of one answer: whatever one of them gives away alone, under its own release, the answer does. */
#include "audit_tools.h"

static ll_audit audit_of(const ll_scorer *s)
{
    ll_audit a;
    ll_audit_request request;
    ll_error error = {0};
    ll_audit_init(&a);
    ll_audit_request_init(&request);
    request.without_defences = 1;
    request.seed = seed;
    if (ll_audit_run(&a, s, &request, &error) != LL_OK)
        fail_msg("%s", error.text);
    return a;
}

/* Noise on the first number hides nothing of a second that has none. */
static void test_known(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text(
        "scorer=kaggle/log_loss; rows=100; classes=2; queries=40; noise=gaussian:20; also=f1:noise=none");
    ll_audit a = audit_of(s);
    assert_int_equal(a.leaks, LL_TRUE);
    assert_true(a.share > 0.99);
    assert_string_equal(a.alone, "f1");
    assert_non_null(strstr(a.verdict, "f1 gives most away by itself"));
    ll_audit_clear(&a);
    ll_scorer_destroy(s);
}

/* Beside a first number under much noise: `also` is the second, its release its own. 0: does not fit together. */
static int check_beside(const char *first, const char *metric, const char *release)
{
    char also[200];
    ll_scorer *both = NULL, *alone = NULL;
    ll_error error = {0};
    (void)snprintf(also, sizeof also, "%s; rows=40; classes=2; queries=25; noise=gaussian:1000; also=%s:%s", first,
                   metric, release);
    if (try_scorer_text(&both, also, &error) != LL_OK)
        return 0;
    alone = (ll_scorer *)ll_scorer_get_number(both, 1);
    int is_free = ll_scorer_count_numbers(both) == 2 && ll_number_is_free(both, alone);
    if (is_free) {
        ll_audit one = audit_of(alone), all = audit_of(both);
        if (all.share < fmin(one.share, all.bound->max_share - 1e-6) - 1e-9)
            fail_msg("%s: %.4f of the labels, and %.4f by the second number alone", also, all.share, one.share);
        if (one.leaks == LL_TRUE && all.leaks != LL_TRUE)
            fail_msg("%s: the second number alone leaks", also);
        if (all.leaks == LL_FALSE && !all.proved)
            fail_msg("%s: cleared without a proof: %s", also, all.verdict);
        ll_audit_clear(&one);
        ll_audit_clear(&all);
    }
    ll_scorer_destroy(both);
    return is_free;
}

/* Every metric of the table as the second number; a sample of them in the short form. */
static void test_each_number(void **state)
{
    static const char *const firsts[] = {"metric=log-loss; clip=0.01; clip-mode=clip; arithmetic=fp64",
                                         "metric=accuracy; arithmetic=fp64", "metric=auc; arithmetic=fp64"};
    static const char *const releases[] = {"noise=none", "noise=none,decimals=3", "noise=gaussian:0.05",
                                           "noise=bounded:0.01"};
    long checked = 0, start = below(ll_metric_count()), step = is_long() ? 1 : is_light() ? 12 : 5;
    (void)state;
    for (long i = 0; i < ll_metric_count(); i += step) {
        const char *name = ll_metric_get_info((start + i) % ll_metric_count())->name;
        if (strchr(name, ':') != NULL)
            continue;
        for (int f = 0; f < 3; f++)
            checked += check_beside(firsts[f], name, releases[below(4)]);
    }
    printf("%ld pairs of numbers\n", checked);
    assert_true(checked > (is_light() ? 0 : 3));
}

/* Two numbers that say the same under noise of their own: together they tell more than one. */
static void test_together(void **state)
{
    (void)state;
    ll_scorer *one = scorer_of_text("metric=accuracy; arithmetic=fp64; rows=30; queries=40; noise=gaussian:0.3");
    ll_scorer *two = scorer_of_text(
        "metric=accuracy; arithmetic=fp64; rows=30; queries=40; noise=gaussian:0.3; also=zero-one:noise=gaussian:0.1");
    ll_audit a = audit_of(one), b = audit_of(two);
    long averages = -1;
    for (long i = 0; i < b.tried_count; i++)
        averages = strcmp(b.tried[i].attack, "averages") == 0 ? i : averages;
    assert_true(averages >= 0);
    assert_true(b.tried[averages].share > 0.6 && b.share >= a.share - 1e-9);
    ll_audit_clear(&a);
    ll_audit_clear(&b);
    ll_scorer_destroy(one);
    ll_scorer_destroy(two);
}

/* What a text says that all labels take; 0: nothing. */
static double said_of_all(const char *text, const char *before)
{
    const char *found = strstr(text, before);
    return found != NULL ? strtod(found + strlen(before), NULL) : 0;
}

/* A plan that leaves groups open is not said to read all labels: whatever reads all takes as many submissions as is
 * proved, at least. */
static void test_all_labels(void **state)
{
    static const char *const groups[] = {"rows=300; groups=a*290,b*10", "rows=120; groups=a*60,b*60",
                                         "rows=300; groups=a*150,b*50,c*100", "rows=200; groups=a*10,b*190",
                                         "rows=2900; groups=a*2000,b*900"};
    static const char *const limits[] = {"", "queries=20", "queries=300"};
    long open = 0, all = 0;
    (void)state;
    for (int g = 0; g < 5; g++)
        for (int decimals = 1; decimals <= 3; decimals++) {
            ll_scorer *s = scorer_of_text("metric=accuracy; arithmetic=fp64; classes=%d; decimals=%d; %s; %s",
                                          g % 2 == 0 ? 4 : 2, decimals, groups[g], limits[(g + decimals) % 3]);
            ll_audit a = audit_of(s);
            double with = said_of_all(a.several, "with them all labels take ");
            double would = said_of_all(a.verdict, "all of them would take ");
            if ((with > 0 && with < a.bound->min_queries) || (would > 0 && would < a.bound->min_queries))
                fail_msg("%s, %d decimals, at least %.0f: %s %s", groups[g], decimals, a.bound->min_queries, a.several,
                         a.verdict);
            all += with > 0;
            open += strstr(a.several, "labels that a plan reads take") != NULL;
            ll_audit_clear(&a);
            ll_scorer_destroy(s);
        }
    printf("%ld with all labels read, %ld with some open\n", all, open);
    assert_true(all > 0 && open > 0);
}

int main(void)
{
    read_environment("t-audit-several");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_each_number),
                                       cmocka_unit_test(test_together), cmocka_unit_test(test_all_labels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
