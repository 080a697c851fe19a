/* One attack, traced: the linker puts counters before the functions that matter (--wrap in tests/CMakeLists.txt).
 * docs/architecture.md tells what they count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "audit/audit_private.h"
#include "cli/command.h"
#include "cli/options/parse.h"
#include "code/code.h"
#include "planner/planner.h"
#include "scorer_tools.h"

extern const ll_command ll_command_attack, ll_command_audit;

static long resolved, scorers, proposals, clips, plans, codes, numbers;

/* What a resolved scorer works with is made here. */
ll_status __real_ll_computation_init(ll_computation *out, const ll_computation_texts *texts, ll_error *error);
ll_status __wrap_ll_computation_init(ll_computation *out, const ll_computation_texts *texts, ll_error *error);
ll_status __wrap_ll_computation_init(ll_computation *out, const ll_computation_texts *texts, ll_error *error)
{
    resolved++;
    return __real_ll_computation_init(out, texts, error);
}

/* A scorer that is resolved, whether it has a computation of its own or borrows one. */
ll_status __real_ll_release_check_levels(const ll_release *release, ll_error *error);
ll_status __wrap_ll_release_check_levels(const ll_release *release, ll_error *error);
ll_status __wrap_ll_release_check_levels(const ll_release *release, ll_error *error)
{
    scorers++;
    return __real_ll_release_check_levels(release, error);
}

/* What an audit proposes, and how often one is made. */
ll_status __real_ll_defences_find(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer,
                                  const ll_audit_request *request, ll_error *error);
ll_status __wrap_ll_defences_find(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer,
                                  const ll_audit_request *request, ll_error *error);
ll_status __wrap_ll_defences_find(ll_audit *audit, const ll_channel *channel, const ll_scorer *scorer,
                                  const ll_audit_request *request, ll_error *error)
{
    ll_status status = __real_ll_defences_find(audit, channel, scorer, request, error);
    proposals += audit->defence_count;
    for (long i = 0; i < audit->defence_count; i++)
        clips += strstr(audit->defences[i].settings, "clip") != NULL;
    return status;
}

/* A plan of one code, tried. */
ll_status __real_ll_plan_make(ll_plan **out, const ll_question *q, ll_error *error);
ll_status __wrap_ll_plan_make(ll_plan **out, const ll_question *q, ll_error *error);
ll_status __wrap_ll_plan_make(ll_plan **out, const ll_question *q, ll_error *error)
{
    plans++;
    return __real_ll_plan_make(out, q, error);
}

/* A block of it, tried. */
ll_status __real_ll_code_create(ll_code **out, const ll_code_row *row, const char *variant, long rows, long classes,
                                const ll_exact *step, int64_t levels, ll_error *error);
ll_status __wrap_ll_code_create(ll_code **out, const ll_code_row *row, const char *variant, long rows, long classes,
                                const ll_exact *step, int64_t levels, ll_error *error);
ll_status __wrap_ll_code_create(ll_code **out, const ll_code_row *row, const char *variant, long rows, long classes,
                                const ll_exact *step, int64_t levels, ll_error *error)
{
    codes++;
    return __real_ll_code_create(out, row, variant, rows, classes, step, levels, error);
}

/* A number that is made of a text. */
ll_status __real_ll_exact_set_text(ll_exact *out, const char *text, size_t length);
ll_status __wrap_ll_exact_set_text(ll_exact *out, const char *text, size_t length);
ll_status __wrap_ll_exact_set_text(ll_exact *out, const char *text, size_t length)
{
    numbers++;
    return __real_ll_exact_set_text(out, text, length);
}

double __real_ll_read_double(const char *text, char **end);
double __wrap_ll_read_double(const char *text, char **end);
double __wrap_ll_read_double(const char *text, char **end)
{
    numbers++;
    return __real_ll_read_double(text, end);
}

/* Codes that are tried where nobody names one; hadamard is compared only where labels need not be certain. */
static long candidates(void)
{
    long count = 0;
    for (long i = 0; i < ll_code_count(); i++) {
        const ll_candidate *c = ll_candidate_get(i);
        count += c->rank == 1 && !c->averages && !ll_candidate_takes_absent(c);
    }
    return count;
}

static long log2_above(long n)
{
    long bits = 0;
    while (1L << bits < n)
        bits++;
    return bits;
}

static void trace(const char *settings)
{
    enum { ROWS = 200 };
    int32_t labels[ROWS];
    ll_plan *plan = NULL;
    ll_curator *curator = NULL;
    ll_plan_request request;
    ll_verdict verdict;
    ll_plan_request_init(&request);
    ll_verdict_init(&verdict);
    for (long i = 0; i < ROWS; i++)
        labels[i] = i * i % 7 < 3;
    resolved = plans = codes = numbers = 0;
    ll_scorer *scorer = scorer_of_text("%s; rows=%d", settings, ROWS);
    long before = numbers;
    assert_int_equal(ll_plan_create(&plan, scorer, &request, NULL), LL_OK);
    assert_int_equal(ll_curator_create(&curator, scorer, labels, ROWS, NULL), LL_OK);
    assert_int_equal(numbers, before); /* planning reads no text at all */
    ll_oracle oracle = ll_curator_oracle(curator);
    assert_int_equal(ll_attack_run(plan, &verdict, &oracle, NULL, NULL), LL_OK);
    assert_int_equal(verdict.kind, LL_UNIQUE);
    assert_memory_equal(verdict.labels, labels, sizeof labels);
    print_message("%s: resolved %ld time, %ld plans, %ld codes; %ld queries, %ld numbers from text\n", settings,
                  resolved, plans, codes, plan->queries, numbers - before);
    assert_int_equal(resolved, 1);
    assert_true(plans >= 1 && plans <= candidates());
    assert_true(codes <= plans * (2 * log2_above(ROWS) + 6)); /* doublings, halvings, the last block, half levels */
    assert_int_equal(numbers - before, plan->queries);        /* one score each */
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
    ll_scorer_destroy(scorer);
}

static void attacks(void **state)
{
    (void)state;
    trace("metric=log-loss; arithmetic=fp64; sum=pairwise; decimals=5");
    trace("metric=log-loss; precision=400; noise=bounded:0.01");
    trace("metric=accuracy; arithmetic=fp64; transform=percent; decimals=2");
}

/* ---- whole commands ---- */

/* The scorer of a command is resolved once, and at most once more for each release that is proposed: only a proposal
 * that changes what is computed, a clip, has a computation of its own. parts: numbers of one answer. */
static void run_command(const ll_command *command, long parts, int count, char **words)
{
    ll_exit status;
    void *options = calloc(1, command->syntax->size);
    assert_non_null(options);
    resolved = scorers = proposals = clips = 0;
    assert_true(ll_cli_parse(&status, command->syntax, options, count, words));
    assert_int_equal(command->work(options), LL_EXIT_DONE);
    ll_cli_clear(command->syntax, options);
    free(options);
    (void)fflush(stdout);
    print_message("%s %s: %ld computations, %ld scorers; %ld proposals, %ld with a clip\n", words[0], words[2],
                  resolved, scorers, proposals, clips);
    assert_true(proposals > 0);
    assert_true(resolved >= 1 && resolved <= (parts > 1 ? 1 + parts : 1) + parts * clips);
    assert_true(clips <= proposals);
}
#define RUN(command, numbers, ...)                                                                                     \
    run_command(&ll_command_##command, numbers, sizeof((char *[]){#command, __VA_ARGS__}) / sizeof(char *),            \
                (char *[]){#command, __VA_ARGS__, NULL})

static void commands(void **state)
{
    (void)state;
    RUN(attack, 1, "--scorer", "sklearn/log_loss", "--decimals", "5", "--dataset", "titanic");
    RUN(attack, 1, "--metric", "f1", "--dataset", "titanic");
    RUN(audit, 1, "--scorer", "sklearn/log_loss", "--decimals", "5", "--rows", "60", "--queries", "20");
    RUN(audit, 1, "--metric", "auc", "--decimals", "5", "--rows", "60", "--queries", "20");
    RUN(audit, 1, "--metric", "rmse", "--decimals", "5", "--rows", "60", "--queries", "20", "--targets", "0:9:1");
    RUN(audit, 1, "--metric", "accuracy", "--public", "0.5", "--rows", "60", "--queries", "20");
    RUN(audit, 2, "--scorer", "sklearn/log_loss", "--also", "accuracy", "--decimals", "5", "--rows", "60", "--queries",
        "5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(attacks), cmocka_unit_test(commands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
