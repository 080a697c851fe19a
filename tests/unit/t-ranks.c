/* The code ranks: levels come back from their sums; every query's ranks are linear in its levels, by counting them; and
 * labels are read from AUC and Gini, all of them, over class counts from one row to all but one, and as many as were
 * promised where fewer queries are answered. Scores that belong to other labels make nothing certain that is wrong. Where
 * scores are so coarse that one label more hardly moves them, what a plan promises is certain all the same, whatever the
 * labels of few rows are, and wherever in its interval each score is. */
#include <math.h>

#include "../exhaustive/worlds.h"
#include "code/spread_levels.h"
#include "curator_tools.h"
#include "scorer_tools.h"
#include "strategy/ranks/ranks.h"

/* ---- levels ---- */

static void check_levels(long rows, int64_t levels, double share)
{
    ll_code *code;
    ll_decoded decoded;
    ll_spread spread = {rows, levels, share};
    assert_int_equal(ll_spread_create(&code, &spread, NULL), LL_OK);
    assert_int_equal(ll_decoded_init(&decoded, rows, 2), LL_OK);
    assert_int_equal(code->queries, ll_spread_queries(&spread));
    int32_t *labels = malloc(sizeof *labels * (size_t)rows);
    int64_t *sums = calloc((size_t)code->queries, sizeof *sums);
    for (long i = 0; i < rows; i++)
        labels[i] = (int32_t)below(2);
    for (code->query = 0; code->query < code->queries; code->query++) {
        const int32_t *counts = ll_spread_counts(code, code->query);
        long counted = 0;
        for (long i = 0; i < rows; i++) {
            int64_t level = code->row->bounded.level(code, i, 1);
            assert_true(llabs(level) <= levels && counts[level + levels] > 0);
            sums[code->query] += labels[i] * level;
        }
        for (int64_t v = 0; v <= 2 * levels; v++)
            counted += counts[v];
        assert_int_equal(counted, rows);
    }
    assert_int_equal(ll_code_decode_levels(code, &decoded, sums, NULL), LL_OK);
    assert_int_equal(decoded.count, 1);
    assert_memory_equal(decoded.labels, labels, sizeof *labels * (size_t)rows);
    free(labels);
    free(sums);
    ll_decoded_clear(&decoded);
    ll_code_destroy(code);
}

static void levels_come_back(void **state)
{
    static const double shares[] = {1, 0.85, 0.5};
    (void)state;
    for (long rows = 1; rows < 300; rows += 1 + rows / 3)
        for (int64_t levels = 2; levels < 200; levels *= 3)
            check_levels(rows, levels, shares[rows % 3]);
}

/* ---- ranks ---- */

/* Twice the rank of a row, by its definition. */
static int64_t count_rank(const uint16_t *places, long rows, long row)
{
    int64_t below = 0, same = 0;
    for (long i = 0; i < rows; i++) {
        below += places[i] < places[row];
        same += places[i] == places[row];
    }
    return 2 * below + same + 1;
}

/* Every row that is read is on top once, with few others, and those that are not are below. */
static void check_check(const ll_rank_stages *s, const ll_rank_stage *stage, long query, const uint16_t *places)
{
    long top = 0;
    for (long i = 0; i < s->rows; i++) {
        long turn = stage->first_query + i * stage->queries / stage->known;
        assert_true(places[i] == (i < stage->known && turn == query));
        top += places[i];
    }
    assert_true(top > 0 && top <= s->check_rows);
}

static void check_query(const ll_rank_stages *s, long query, uint16_t *places)
{
    const ll_rank_stage *stage = ll_rank_stage_of(s, query);
    ll_rank_query q;
    assert_int_equal(ll_rank_places(s, query, places, &q), LL_OK);
    if (ll_rank_is_check(stage)) {
        check_check(s, stage, query, places);
        return;
    }
    int total = ll_rank_is_total(stage, query);
    assert_true(total ? q.centre - q.rest >= s->least_step : q.step >= s->least_step);
    for (long i = 0; i < stage->asked; i++) {
        int64_t level = total ? 0 : ll_rank_level(stage, query, i);
        assert_int_equal(count_rank(places, s->rows, stage->known + i), q.centre + q.step * level);
    }
    for (long i = stage->known + stage->asked; i < s->rows; i++)
        assert_true(places[i] == 0);
    if (!stage->is_last)
        assert_int_equal(count_rank(places, s->rows, s->rows - 1), q.rest);
    for (long i = 0; i < s->rows; i++)
        assert_true(places[i] < q.ties);
}

/* A plan of each part that a plan for all rows promises: of so many rows and queries. More rows take more queries. */
static long check_parts_of(const ll_rank_stages *all, uint16_t *places)
{
    for (long i = 0; i < all->part_count; i++) {
        const ll_rank_part *part = &all->parts[i];
        ll_rank_stages s;
        const ll_rank_design design = {all->rows, part->rows, all->least_step, all->check_rows};
        assert_int_equal(ll_rank_stages_init(&s, &design, NULL), LL_OK);
        const ll_rank_stage *last = &s.stages[s.count - 1 - (s.check_rows > 0)];
        assert_int_equal(last->known + last->asked, part->rows);
        assert_int_equal(s.queries, part->queries);
        assert_int_equal(last->is_last, part->rows == all->rows);
        for (long q = 0; q < s.queries; q++)
            check_query(&s, q, places);
        assert_true(i == 0 || (part[-1].rows < part->rows && part[-1].queries < part->queries));
        ll_rank_stages_clear(&s);
    }
    assert_int_equal(all->parts[all->part_count - 1].rows, all->rows);
    return all->part_count;
}

static void ranks_are_linear(void **state)
{
    static const long sizes[] = {1, 2, 3, 7, 9, 10, 24, 41, 90, 200, 333};
    uint16_t places[333];
    long queries = 0, staged = 0, parts = 0;
    (void)state;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        for (int64_t step = 1; step <= sizes[n]; step = 2 * step + 1) {
            ll_rank_stages s;
            const ll_rank_design design = {sizes[n], sizes[n], step, below(3) == 0 ? 1 + below(sizes[n]) : 0};
            assert_int_equal(ll_rank_stages_init(&s, &design, NULL), LL_OK);
            for (long q = 0; q < s.queries; q++)
                check_query(&s, q, places);
            queries += s.queries;
            staged += s.count > 1;
            parts += check_parts_of(&s, places);
            ll_rank_stages_clear(&s);
        }
    printf("%ld queries, %ld worlds of several stages, %ld parts\n", queries, staged, parts);
    assert_true(staged > 20 && parts > 200);
}

/* ---- labels ---- */

typedef struct {
    ll_curator *curator, *other; /* the last answer is the other's; NULL: it is not */
    long last;
} answering;

static ll_status answer(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    const answering *a = self;
    ll_score made;
    ll_score_init(&made);
    ll_status status =
        ll_curator_score(a->other != NULL && query == a->last ? a->other : a->curator, &made, predictions, error);
    if (status == LL_OK)
        *score = strdup(made.text);
    ll_score_clear(&made);
    return status;
}

static void draw_labels(int32_t *labels, long rows, long ones)
{
    for (long i = 0; i < rows; i++)
        labels[i] = i < ones;
    for (long i = rows - 1; i > 0; i--) {
        long k = below(i + 1);
        int32_t swapped = labels[i];
        labels[i] = labels[k];
        labels[k] = swapped;
    }
}

/* Right as far as it goes; returns how many are certain. */
static long attack(const ll_scorer *scorer, const int32_t *truth, const int32_t *other)
{
    ll_plan *plan;
    ll_plan_info info;
    ll_plan_request request;
    ll_verdict verdict;
    ll_error error = {0};
    answering a = {0};
    ll_oracle oracle = {.self = &a, .ask = answer};
    ll_plan_request_init(&request);
    ll_verdict_init(&verdict);
    request.code = "ranks";
    if (ll_plan_create(&plan, scorer, &request, &error) != LL_OK)
        fail_msg("%s", error.text);
    ll_plan_get_info(plan, &info);
    a.last = info.queries - 1;
    assert_int_equal(ll_curator_create(&a.curator, scorer, truth, info.rows, NULL), LL_OK);
    if (other != NULL)
        assert_int_equal(ll_curator_create(&a.other, scorer, other, info.rows, NULL), LL_OK);
    if (ll_attack_run(plan, &verdict, &oracle, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    long certain = verdict.certain;
    for (long i = 0; i < info.rows && other == NULL; i++)
        assert_true(verdict.labels[i] < 0 || verdict.labels[i] == truth[i]);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(a.curator);
    ll_curator_destroy(a.other);
    ll_plan_destroy(plan);
    return certain;
}

static void labels_are_read(void **state)
{
    (void)state;
    for (long run = 0; run < 24 * multiplier; run++) {
        int32_t truth[100];
        long rows = 9 + below(90), ones = run % 4 == 0 ? 1 : run % 4 == 1 ? rows - 1 : 1 + below(rows - 1);
        ll_scorer *s = scorer_of_text("metric=%s; arithmetic=%s; rows=%ld; decimals=%ld%s", run % 3 ? "auc" : "gini",
                                      run % 5 ? "fp64" : "exact", rows, 3 + below(4), run % 7 ? "" : "; truncate=yes");
        draw_labels(truth, rows, ones);
        assert_int_equal(attack(s, truth, NULL), rows);
        ll_scorer_destroy(s);
    }
}

/* ---- scores that are coarse ---- */

/* All labels are certain, wherever in its interval each score is. */
static void read_all(const ll_plan *plan, const ll_scorer *s, const int32_t *truth, long rows)
{
    for (int which = 0; which < WORLD_ANSWERS; which++) {
        world_oracle o = {.which = which};
        ll_oracle oracle = {.self = &o, .ask = world_answer};
        ll_verdict verdict;
        ll_verdict_init(&verdict);
        assert_int_equal(ll_curator_create(&o.curator, s, truth, rows, NULL), LL_OK);
        assert_int_equal(ll_attack_run(plan, &verdict, &oracle, NULL, NULL), LL_OK);
        assert_null(world_fault(&verdict, truth, rows, 2));
        assert_int_equal(verdict.kind, LL_UNIQUE);
        ll_verdict_clear(&verdict);
        ll_curator_destroy(o.curator);
    }
}

/* Every labelling of few rows, some of more. */
static void read_each(const ll_plan *plan, const ll_scorer *s, long rows)
{
    int32_t truth[60];
    int light = world_is_one("LL_TEST_LIGHT"), is_each = rows <= (light ? 4 : 7);
    long all = is_each ? world_power(2, rows) - 1 : (rows <= 20 ? 25 : 8) / (light ? 4 : 1);
    for (long k = 1; k < all; k++) {
        if (is_each)
            world_labelling(truth, k, rows, 2);
        else
            draw_labels(truth, rows, 1 + below(rows - 1));
        read_all(plan, s, truth, rows);
    }
}

/* Noise of so much that two rows that change places are hardly seen, up to a little less than that. */
static void coarse_scores_are_read(void **state)
{
    static const long sizes[] = {2, 3, 4, 5, 6, 7, 10, 11, 20, 60};
    static const double shares[] = {0.3, 0.42, 0.55, 0.7, 0.8, 0.9, 0.99};
    long made = 0, refused = 0;
    (void)state;
    for (size_t n = 0; n < WORLDS_COUNT(sizes); n++)
        for (size_t k = 0; k < WORLDS_COUNT(shares); k++) {
            ll_plan *plan;
            ll_error error = {0};
            ll_plan_request request;
            ll_scorer *s = scorer_of_text("metric=auc; arithmetic=fp64; rows=%ld; noise=bounded:%g,%s", sizes[n],
                                          shares[k] / (double)sizes[n], k % 2 ? "uniform" : "plus");
            ll_plan_request_init(&request);
            request.code = "ranks";
            int is_made = ll_plan_create(&plan, s, &request, &error) == LL_OK;
            if (is_made)
                read_each(plan, s, sizes[n]);
            else
                assert_non_null(strstr(error.text, "some labels may be those of others"));
            if (is_made)
                ll_plan_destroy(plan);
            made += is_made;
            refused += !is_made;
            ll_scorer_destroy(s);
        }
    printf("%ld coarse scores are planned for, %ld are not\n", made, refused);
    assert_true(made > 45 && refused < 25);
}

/* Every class has a row. */
static void draw_classes(int32_t *labels, long rows, long classes)
{
    draw_labels(labels, rows, rows - 1);
    for (long i = 0, next = 0; i < rows; i++)
        labels[i] = labels[i] == 0 ? 0 : next < classes - 1 ? (int32_t)++next : (int32_t)below(classes);
}

/* A column a class, each asked about by itself; counts known or not. */
static void classes_are_read(void **state)
{
    (void)state;
    for (long run = 0; run < 12 * multiplier; run++) {
        int32_t truth[100];
        char told[100] = "";
        long rows = 12 + below(60), classes = 3 + below(4), found[7] = {0};
        draw_classes(truth, rows, classes);
        for (long i = 0; i < rows; i++)
            found[truth[i]]++;
        for (long k = 0; k < classes && run % 4 == 0; k++)
            (void)snprintf(told + strlen(told), sizeof told - strlen(told), "%s%ld",
                           k > 0 ? "," : "; counts=", found[k]);
        ll_scorer *s = scorer_of_text("metric=macro-auc; arithmetic=%s; rows=%ld; classes=%ld; decimals=%ld%s",
                                      run % 5 ? run % 3 ? "fp64" : "fp32" : "exact", rows, classes, 4 + below(3), told);
        assert_int_equal(attack(s, truth, NULL), rows);
        ll_scorer_destroy(s);
    }
}

/* Fewer answers give the stages that they complete. */
static void check_parts(const char *metric, const int32_t *truth, long most)
{
    long last = 0, steps = 0;
    for (long limit = 1; limit <= most; limit += most / 15) {
        ll_plan_choice choices[64];
        ll_scorer *s = scorer_of_text("%s; arithmetic=fp64; rows=90; decimals=5; queries=%ld", metric, limit);
        ll_plan_request request;
        ll_plan_request_init(&request);
        assert_true(ll_code_count() <= 64);
        assert_int_equal(ll_plan_compare(choices, s, &request, NULL), LL_OK);
        long certain = attack(s, truth, NULL), promised = 0;
        for (long k = 0; k < ll_code_count(); k++)
            promised = strcmp(choices[k].code, "ranks") == 0 ? choices[k].recovered : promised;
        assert_true(certain >= last && certain <= promised);
        steps += certain > last;
        last = certain;
        ll_scorer_destroy(s);
    }
    assert_true(last == 90 && steps >= 3);
}

static void part_is_read(void **state)
{
    int32_t truth[100];
    (void)state;
    draw_labels(truth, 90, 40);
    check_parts("metric=auc", truth, 30);
    draw_classes(truth, 90, 3);
    check_parts("metric=macro-auc; classes=3", truth, 60);
}

/* An answer about other labels: none explains it, or not those that were meant. */
static void other_answers(void **state)
{
    long certain = 0, runs = 12;
    (void)state;
    for (long run = 0; run < runs; run++) {
        int32_t truth[60], other[60];
        ll_scorer *s = scorer_of_text("metric=auc; arithmetic=fp64; rows=60; decimals=6");
        draw_labels(truth, 60, 20);
        draw_labels(other, 60, 20);
        certain += attack(s, truth, other);
        ll_scorer_destroy(s);
    }
    assert_true(certain < runs * 60 / 4);
}

int main(void)
{
    read_environment("t-ranks");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_come_back),       cmocka_unit_test(ranks_are_linear), cmocka_unit_test(labels_are_read),
        cmocka_unit_test(coarse_scores_are_read), cmocka_unit_test(part_is_read),     cmocka_unit_test(other_answers),
        cmocka_unit_test(classes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
