/* Laws that every audit obeys, each a property over the product of the tables (questions.h). Whoever can do more, or
 * is told more, never gets less: more submissions, more accounts, more digits, less noise, one more number, one more
 * group, told class counts, failures that are free. So of two questions that differ in such a setting the stronger one
 * never has a lower share, never "no leak" where the weaker one leaks, never fewer certain labels, and its proved
 * limit holds for the weaker one, too; one more number never lowers the limit itself, nor does the end of all noise.
 * Shares that are simulated may differ by chance: by four of the standard errors that the audits state. No audit says
 * that more labels are certain than are right. Certain labels are not compared where scores of groups are shown to the
 * weaker one: there the plan of the largest group decides, and a better one of it may read fewer labels of the others
 * within a limit. Who is told class counts gets no less on average over the counts; a group that is cut in two tells
 * no less where its score is the mean of the others' and no rounding or noise hides part of them.
 *
 * LL_TEST_MULTIPLIER=M: M times as many pairs; LL_TEST_SECONDS=S: as many as S seconds of processor time are enough
 * for. LL_TEST_ROWS=N: of at most N rows, N >= 16. LL_TEST_SHOW=1: violations are listed, and the test goes on. */
#include "questions.h"

#include <time.h>

/* ---- what changes ---- */

static int more_submissions(question *q)
{
    if (q->queries == 0)
        return 0;
    q->queries = below(8) == 0 ? 0 : below(2) ? q->queries + 1 : q->queries * (2 + below(8));
    return 1;
}

static int more_accounts(question *q)
{
    q->accounts += 1 + below(3);
    return q->queries > 0;
}

/* Up to all of them, written out: the short text of a number that is not said to be rounded may be a shortened one. */
static int more_digits(question *q)
{
    enum { ALL = 17 };
    if (q->decimals >= 0)
        q->decimals = below(4) ? q->decimals + 1 + below(3) : ALL;
    else if (q->digits > 0)
        q->digits = below(4) ? q->digits + 1 + below(3) : ALL;
    else
        return 0;
    return 1;
}

/* Of scores that are not rounded: before rounding noise may help, since it moves scores across edges that they would not
 * have passed. */
static int less_noise(question *q)
{
    if (q->law == NULL || q->decimals >= 0 || q->digits > 0)
        return 0;
    if (below(4) == 0)
        q->law = NULL;
    else
        q->noise /= pow(10, 3 * uniform());
    return 1;
}

static int one_more_number(question *q)
{
    static world_list metrics;
    if (metrics.count == 0)
        metrics = list_metrics();
    if (q->also != NULL)
        return 0;
    q->also = metrics.names[below(metrics.count)];
    return 1;
}

/* The score of each group beside that of all rows. */
static int scores_of_groups(question *q)
{
    if (q->groups > 0)
        return 0;
    question_draw_groups(q);
    return 1;
}

/* Scores of two halves tell that of both only where it is their mean and is shown as it is. */
static int is_plain_mean(const question *q)
{
    int is_mean = 0;
    for (long i = 0; i < ll_metric_count(); i++) {
        const ll_metric_info *info = ll_metric_get_info(i);
        size_t length = strcspn(info->name, ":");
        if (strncmp(info->name, q->metric, length) == 0 && strcspn(q->metric, ":") == length)
            is_mean = strcmp(info->link, "mean") == 0;
    }
    return is_mean && q->decimals < 0 && q->digits == 0 && q->law == NULL;
}

/* The same groups, one of them in two. */
static int one_more_group(question *q)
{
    long last = q->groups - 1;
    if (q->groups == 0 || q->groups == QUESTION_GROUPS || q->group_rows[last] < 2 || !is_plain_mean(q))
        return 0;
    q->group_rows[last + 1] = q->group_rows[last] / 2;
    q->group_rows[last] -= q->group_rows[last + 1];
    q->groups++;
    return 1;
}

static int free_failures(question *q)
{
    q->fails_free = !q->fails_free;
    return q->fails_free;
}

/* Who knows the shares of the classes is told how many rows of each there are: whichever these are (ask_counts). */
static int known_counts(question *q)
{
    enum { MOST_COUNTED = 10 };
    if (q->classes != 2 || q->counts >= 0 || q->rows < 2 || q->rows > MOST_COUNTED)
        return 0;
    q->counts = 0;
    return 1;
}

static const struct {
    const char *name;
    int (*strengthen)(question *q);
} laws[] = {
    {"more submissions", more_submissions}, {"more accounts", more_accounts},
    {"more digits", more_digits},           {"less noise", less_noise},
    {"one more number", one_more_number},   {"scores of groups", scores_of_groups},
    {"one more group", one_more_group},     {"told counts", known_counts},
    {"free failures", free_failures},
};
enum { LAWS = sizeof laws / sizeof laws[0] };

/* ---- what is compared ---- */

typedef struct {
    char text[QUESTION_TEXT];
    double share, guess, limit, error; /* error: the largest that is stated */
    ll_truth leaks;
    double certain;
    long rows;
    int is_mean, is_wrong; /* the mean over class counts: of `certain`, each was rounded down; of one more labels are
                              certain than are right */
} answer;

/* Of averages it depends on chance whether they prove the labels. */
static long most_certain(const ll_audit *a)
{
    long most = 0;
    for (long i = 0; i < a->choice_count; i++) {
        const ll_plan_choice *choice = ll_audit_get_choice(a, i);
        if (choice->status == LL_OK && choice->guarantee == LL_CERTIFIED && choice->recovered > most &&
            !ll_candidate_is_average(choice->code))
            most = choice->recovered;
    }
    return most;
}

/* 0: there is no scorer of out->text, or no audit of it. */
static int ask_text(answer *out, double target)
{
    ll_scorer *scorer = NULL;
    ll_audit audit;
    ll_audit_request request;
    ll_error error = {0};
    if (try_scorer_text(&scorer, out->text, &error) != LL_OK)
        return 0;
    ll_audit_init(&audit);
    ll_audit_request_init(&request);
    request.without_defences = 1;
    request.target_share = target;
    ll_status status = ll_audit_run(&audit, scorer, &request, &error);
    if (status == LL_OK) {
        out->share = audit.share;
        out->guess = audit.guess;
        out->limit = audit.bound->max_share;
        out->leaks = audit.leaks;
        out->certain = (double)most_certain(&audit);
        out->rows = audit.rows;
        out->is_mean = out->is_wrong = 0;
        out->error = 0;
        for (long i = 0; i < audit.tried_count; i++)
            out->error = fmax(out->error, audit.tried[i].error);
    }
    ll_audit_clear(&audit);
    ll_scorer_destroy(scorer);
    return status == LL_OK;
}

static int ask(answer *out, const question *q, double target)
{
    question_write(out->text, q);
    return ask_text(out, target);
}

/* Labels that are certain are right. */
static int is_beyond_share(const answer *a)
{
    double part = a->certain / (double)a->rows;
    if (a->is_mean)
        return a->is_wrong;
    return part + (1 - part) * a->guess > a->share + 4 * a->error + 1e-5;
}

static double chance_of(long count, const question *q)
{
    double n = (double)q->rows, k = (double)count, p = q->prior > 0 ? q->prior : 0.5;
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p));
}

/* The mean over all counts that the shares of the classes may have led to. 0: there is no audit of some. */
static int ask_counts(answer *out, const question *q, double target)
{
    static answer one;
    question told = *q;
    *out = (answer){.leaks = LL_FALSE, .rows = q->rows, .is_mean = 1};
    for (told.counts = 0; told.counts <= q->rows; told.counts++) {
        double chance = chance_of(told.counts, q);
        if (!ask(&one, &told, target))
            return 0;
        (void)snprintf(out->text, sizeof out->text, "%s", one.text);
        out->share += chance * one.share;
        out->guess += chance * one.guess;
        out->limit += chance * one.limit;
        out->error += chance * one.error;
        out->leaks = one.leaks != LL_FALSE ? LL_UNKNOWN : out->leaks;
        out->certain += chance * (one.guess < 1 ? one.certain : (double)q->rows);
        out->is_wrong |= is_beyond_share(&one);
    }
    return 1;
}

/* What is wrong; NULL: nothing. */
static const char *find_fault(const answer *weaker, const answer *stronger)
{
    double chance = 4 * (weaker->error + stronger->error) + 1e-9;
    if (stronger->share < weaker->share - chance)
        return "a lower share";
    if (weaker->leaks == LL_TRUE && stronger->leaks == LL_FALSE)
        return "no leak any more";
    if (stronger->certain + stronger->is_mean < weaker->certain && strstr(weaker->text, "groups=") == NULL)
        return "fewer certain labels";
    if (weaker->share > stronger->limit + chance)
        return "an attack above the limit of a stronger attacker";
    if (is_beyond_share(weaker) || is_beyond_share(stronger))
        return "more certain labels than right ones";
    return NULL;
}

/* ---- a name and its profile ---- */

/* A question about this profile that has an answer; 0: none was drawn. */
static int ask_profile(answer *out, question *q, const char *profile, const char *metric, double target)
{
    for (int again = 0; again < 400; again++) {
        question_draw(q, 60);
        q->profile = profile;
        q->metric = metric;
        q->is_exact = q->clip = 0;
        if (ask(out, q, target))
            return 1;
    }
    return 0;
}

static void assert_same(const answer *a, const answer *b)
{
    if (a->share != b->share || a->guess != b->guess || a->limit != b->limit || a->leaks != b->leaks ||
        a->certain != b->certain)
        fail_msg("two answers:\n  %s\n    share %.6f, limit %.6f, leaks %d, certain %g\n  %s\n    share %.6f, limit "
                 "%.6f, leaks %d, certain %g",
                 a->text, a->share, a->limit, a->leaks, a->certain, b->text, b->share, b->limit, b->leaks, b->certain);
}

/* Of some versions of one function the name means the newest, which the name without a version finds, too. */
static int is_newest(const char *profile)
{
    char name[80];
    const char *slash = strchr(profile, '/');
    (void)snprintf(name, sizeof name, "%.*s%s", (int)strcspn(profile, "-/"), profile, slash);
    return strcmp(ll_profile_full_name(name), profile) == 0;
}

/* The same question by the name of a metric and by the profile of scikit-learn's (or SciPy's) function: one answer. */
static void test_names(void **state)
{
    static answer by_profile, by_name;
    int is_short = getenv("LL_TEST_LIGHT") != NULL || getenv("LL_TEST_SECONDS") != NULL;
    long questions = is_short ? 1 : 2 * (multiplier < 10 ? multiplier : 10), asked = 0, profiles = 0;
    (void)state;
    for (long i = 0; i < ll_profile_count(); i++) {
        question q;
        const char *profile = ll_profile_get_info(i)->name, *metric = ll_profile_text(profile, LL_SET_METRIC);
        if ((strncmp(profile, "sklearn", 7) != 0 && strncmp(profile, "scipy", 5) != 0) || !is_newest(profile))
            continue;
        profiles++;
        for (long again = 0; again < questions; again++) {
            if (!ask_profile(&by_profile, &q, profile, metric, 0))
                fail_msg("%s: no question was answered", profile);
            q.profile = "";
            assert_true(ask(&by_name, &q, 0));
            assert_same(&by_profile, &by_name);
            asked++;
        }
    }
    printf("%ld questions by the profiles of %ld functions and by the names of their metrics\n", asked, profiles);
    assert_true(profiles > 20);
}

/* ---- pairs ---- */

/* The target of the stronger question is that of the weaker one. */
static double target_of(const answer *weaker)
{
    return fmin(weaker->guess + 0.05, (1 + weaker->guess) / 2);
}

static long pairs[LAWS], faults[LAWS];

static void report(int law, const char *fault, const answer *weaker, const answer *stronger)
{
    faults[law]++;
    printf("%s: %s\n  %s\n    share %.4f, limit %.4f, leaks %d, certain %g, error %.4f\n  %s\n    share %.4f, limit "
           "%.4f, leaks %d, certain %g, error %.4f\n",
           laws[law].name, fault, weaker->text, weaker->share, weaker->limit, weaker->leaks, weaker->certain,
           weaker->error, stronger->text, stronger->share, stronger->limit, stronger->leaks, stronger->certain,
           stronger->error);
}

/* Two questions that differ by that law; 0: none of some that were drawn. */
static int draw_pair(question *weaker, question *stronger, int law, long most_rows)
{
    ll_scorer *scorer = NULL;
    for (int again = 0; again < 40; again++) {
        if (!question_draw_valid(weaker, &scorer, most_rows))
            continue;
        ll_scorer_destroy(scorer);
        *stronger = *weaker;
        if (laws[law].strengthen(stronger))
            return 1;
    }
    return 0;
}

/* Noise of a fixed size looks at no labels, so whoever knows it has an answer without. */
static int loses_its_noise(const question *weaker, const question *stronger)
{
    return weaker->law != NULL && stronger->law == NULL && strcmp(weaker->law, "proportional") != 0;
}

static void try_pair(long most_rows)
{
    static answer before, after;
    question weaker, stronger;
    int law = (int)below(LAWS);
    if (!draw_pair(&weaker, &stronger, law, most_rows) || !ask(&before, &weaker, 0))
        return;
    if (!(laws[law].strengthen == known_counts ? ask_counts : ask)(&after, &stronger, target_of(&before)))
        return;
    pairs[law]++;
    const char *fault = find_fault(&before, &after);
    if (fault == NULL && laws[law].strengthen == one_more_number && before.limit > after.limit + 1e-9)
        fault = "a lower proved limit";
    if (fault == NULL && loses_its_noise(&weaker, &stronger) && before.limit > after.limit + 1e-9)
        fault = "a limit that is looser with noise";
    if (fault != NULL)
        report(law, fault, &before, &after);
}

/* Pairs that were drawn once and broke a law: settings, and what is added to the stronger one or to the weaker one. */
static void test_found(void **state)
{
    static const struct {
        const char *settings, *weaker, *stronger;
    } found[] = {
        {"metric=spearman; rows=7; targets=0:3:1; noise=gaussian:0.000218", "queries=36", "queries=144"},
        {"metric=huber:0.3; arithmetic=exact; rows=8; classes=3", "queries=39", ""},
        {"metric=micro-recall; transform=offset:1,percent; rows=13; classes=2; noise=laplace:5.12", "queries=3", ""},
        {"metric=quantile:0.75; rows=2; classes=2; decimals=0; queries=1; counts=1,1", "groups=a*2", "groups=a*1,b*1"},
        {"metric=macro-recall; rows=13; classes=4; noise=bounded:0.0777,plus; queries=30", "", "also=micro-recall"},
        {"metric=auc; arithmetic=exact; rows=5; noise=bounded:4.52,minus; groups=a*3,b*1,c*1", "queries=2",
         "queries=3"},
        {"metric=kappa; rows=2; noise=bounded:0.000388,plus; queries=4", "", "accounts=4"},
        {"metric=macro-recall-all; rows=12; decimals=0; noise=bounded:0.00423,minus; queries=2", "", "also=focal:2"},
        {"metric=macro-auc; rows=8; classes=5; groups=a*3,b*4,c*1", "", "accounts=3"},
        {"metric=squared; arithmetic=exact; rows=37; clip=0.01; clip-mode=clip; groups=a*37; queries=18", "decimals=4",
         "decimals=5"},
        {"metric=ks; transform=percent; rows=1; decimals=3; queries=24", "", "groups=a*1"},
        {"metric=youden; transform=percent; rows=5; decimals=2; queries=3", "", "also=lp:1"},
        {"metric=class-recall:0; rows=5; digits=4; queries=2; counts=3,2", "", "groups=a*4,b*1"},
        {"metric=precision; transform=root,percent; rows=6; decimals=4; queries=10", "", "groups=a*5,b*1"},
        {"metric=macro-precision-all; arithmetic=exact; transform=root,negate; rows=15; classes=5; decimals=1",
         "queries=30", "queries=68"},
        {"metric=focal:0.5; arithmetic=exact; rows=1; clip=0.01; clip-mode=clip; decimals=3; queries=2", "",
         "groups=a*1"},
        {"metric=macro-precision; rows=6; queries=10; prior=0.24184799647923405,0.75815200352076595", "decimals=4", ""},
    };
    static answer before, after;
    (void)state;
    for (size_t i = 0; i < WORLDS_COUNT(found); i++) {
        (void)snprintf(before.text, sizeof before.text, "%s; %s", found[i].settings, found[i].weaker);
        (void)snprintf(after.text, sizeof after.text, "%s; %s", found[i].settings, found[i].stronger);
        assert_true(ask_text(&before, 0) && ask_text(&after, target_of(&before)));
        const char *fault = find_fault(&before, &after);
        if (fault != NULL)
            fail_msg("%s: %s, against %s", after.text, fault, before.text);
    }
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void test_pairs(void **state)
{
    const char *limit = getenv("LL_TEST_SECONDS"), *rows = getenv("LL_TEST_ROWS");
    long most_rows = rows != NULL ? strtol(rows, NULL, 10) : limit != NULL ? 2000 : 120;
    double most = limit != NULL ? strtod(limit, NULL) : (double)INFINITY, start = seconds();
    long wanted = (getenv("LL_TEST_LIGHT") ? 12 : 60) * multiplier, all = 0, wrong = 0;
    (void)state;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    for (long i = 0; i < wanted && seconds() - start < most; i++) {
        try_pair(most_rows);
        if (i % 1000 == 999)
            printf("%ld of %ld drawn, %.0f s\n", i + 1, wanted, seconds() - start);
    }
    for (int i = 0; i < LAWS; i++) {
        printf("%s: %ld pairs, %ld violations\n", laws[i].name, pairs[i], faults[i]);
        all += pairs[i];
        wrong += faults[i];
    }
    printf("%ld pairs, %ld violations, %.1f s\n", all, wrong, seconds() - start);
    assert_true(all > wanted / 20);
    assert_true(wrong == 0 || world_is_one("LL_TEST_SHOW"));
}

int main(void)
{
    read_environment("x-laws");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_found),
                                       cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
