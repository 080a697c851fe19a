/* Labels from counts of matches: the groups' values against the predictions they come from, every sum of every set, the
 * labels back from exact counts, and attacks under noise, rounding, roots and percent, up to the largest that fits and
 * beyond it. What is called unique is the truth. */
#include "code_tools.h"
#include "curator_tools.h"
#include "scorer_tools.h"

#include "code/match_group.h"
#include "code/match_seeds.h"
#include "strategy/common/parity.h"

/* ---- groups ---- */

/* value(k) = plus cells where k is predicted - minus cells, counted one by one. */
static void check_values(const ll_match_group *group, long classes, int ones, long size)
{
    int64_t cells = (int64_t)1 << ones;
    for (long t = 0; t < size; t++) {
        int64_t counted[16] = {0};
        for (int64_t rank = 0; rank < cells; rank++) {
            int32_t label = ll_match_predict(group, t, (uint64_t)rank);
            assert_in_range(label, 0, classes - 1);
            counted[label] += (ones - __builtin_popcountll((uint64_t)rank)) % 2 == 0 ? 1 : -1;
        }
        for (long k = 0; k < classes; k++)
            assert_int_equal(counted[k], ll_match_value(group, t, k));
    }
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Every labelling of the group: its sum is read back; a number that is no sum is refused. */
static void check_reading(const ll_match_group *group, long classes, long size)
{
    long count = 1;
    for (long t = 0; t < size; t++)
        count *= classes;
    int64_t *sums = malloc(sizeof *sums * (size_t)count);
    assert_non_null(sums);
    int32_t labels[64];
    for (long i = 0; i < count; i++) {
        sums[i] = 0;
        for (long t = 0, rest = i; t < size; t++, rest /= classes)
            sums[i] += ll_match_value(group, t, rest % classes);
        assert_true(ll_match_read(group, labels, sums[i]));
        for (long t = 0, rest = i; t < size; t++, rest /= classes)
            assert_int_equal(labels[t], rest % classes);
    }
    qsort(sums, (size_t)count, sizeof *sums, by_number);
    for (long i = 0; i < count; i++) {
        assert_true(i == 0 || sums[i] > sums[i - 1]);
        if (i == count - 1 || sums[i + 1] > sums[i] + 1)
            assert_false(ll_match_read(group, labels, sums[i] + 1));
    }
    assert_false(ll_match_read(group, labels, sums[0] - 1));
    free(sums);
}

static void groups(void **state)
{
    (void)state;
    long checked = 0;
    for (long classes = 2; classes <= 12; classes++)
        for (int ones = 0; ones <= 12; ones++) {
            long capacity = ll_match_capacity(classes, ones);
            if (ones > 0 && classes == 2)
                assert_int_equal(capacity, ones);
            for (long size = 1; size <= capacity; size++) {
                ll_match_group *group = ll_match_create(classes, ones, size);
                assert_non_null(group);
                check_values(group, classes, ones, size);
                if (pow((double)classes, (double)size) < 2e5)
                    check_reading(group, classes, size);
                ll_match_destroy(group);
                checked++;
            }
        }
    print_message("%ld groups\n", checked);
    assert_true(checked > 200);
}

/* The sets that were found by search, against what they promise; each is used where it is the best. */
static void seeds(void **state)
{
    (void)state;
    for (int i = 0; i < ll_match_seed_count; i++) {
        const ll_match_seed *s = &ll_match_seeds[i];
        for (long t = 0; t < s->size; t++) {
            long sum = 0, positive = 0;
            for (long k = 0; k < s->classes; k++) {
                long value = s->values[t * s->classes + k];
                sum += value;
                positive += value > 0 ? value : 0;
            }
            assert_int_equal(sum, 0);
            assert_true(positive <= 1L << (s->ones - 1));
        }
        assert_int_equal(ll_match_capacity(s->classes, s->ones), s->size);
        assert_true(ll_match_capacity(s->classes, s->ones - 1) < s->size);
    }
    assert_true(ll_match_seed_count > 5);
}

/* ---- the code ---- */

static void count_matches(ll_code *code, int64_t *sums, const int32_t *labels)
{
    for (code->query = 0; code->query < code->queries; code->query++) {
        sums[code->query] = 0;
        for (long row = 0; row < code->rows; row++)
            sums[code->query] += code->row->predict(code, row) == labels[row];
    }
    code->query = 0;
}

static void counts(void **state)
{
    (void)state;
    static const long wanted[][3] = {{1, 2, 1},         {2, 2, 2},      {3, 2, 3},       {5, 2, 4},
                                     {4000, 2, 852},    {1, 3, 2},      {1, 7, 6},       {4, 10, 33},
                                     {70000, 2, 10774}, {1000, 3, 368}, {6430, 6, 3838}, {1000, 10, 1440}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        ll_code *code;
        assert_int_equal(create_code(&code, "detecting:labels", wanted[i][0], wanted[i][1], NULL, 0, NULL), LL_OK);
        assert_int_equal(code->queries, wanted[i][2]);
        ll_code_destroy(code);
    }
    /* two classes: 1 + the ones of all masks below Q */
    for (long queries = 1, rows = 1; queries < 300; rows += __builtin_popcountl((unsigned long)queries), queries++) {
        ll_code *code;
        assert_int_equal(create_code(&code, "detecting:labels", rows, 2, NULL, 0, NULL), LL_OK);
        assert_int_equal(code->queries, queries);
        ll_code_destroy(code);
    }
}

static void random_worlds(void **state)
{
    (void)state;
    for (long n = 0; n < 40 * multiplier; n++) {
        long classes = 2 + below(below(2) ? 3 : 11), rows = 1 + below(n % 10 == 0 ? 3000 : 200);
        ll_code *code;
        ll_decoded decoded;
        assert_int_equal(create_code(&code, "detecting:labels", rows, classes, NULL, 0, NULL), LL_OK);
        assert_int_equal(ll_decoded_init(&decoded, rows, classes), LL_OK);
        int32_t *labels = malloc(sizeof *labels * (size_t)rows);
        int64_t *sums = malloc(sizeof *sums * (size_t)code->queries),
                *again = malloc(sizeof *again * (size_t)code->queries);
        long likely = below(classes);
        for (long i = 0; i < rows; i++)
            labels[i] = (int32_t)(below(4) ? below(classes) : likely);
        count_matches(code, sums, labels);
        assert_int_equal(ll_code_decode_levels(code, &decoded, sums, NULL), LL_OK);
        assert_int_equal(decoded.count, 1);
        assert_memory_equal(decoded.labels, labels, sizeof *labels * (size_t)rows);
        /* another sum: no labelling's, or that of the labels found */
        sums[below(code->queries)] += below(5) ? below(2) * 2 - 1 : (int64_t)1 << below(62);
        assert_int_equal(ll_code_decode_levels(code, &decoded, sums, NULL), LL_OK);
        if (decoded.count == 1) {
            count_matches(code, again, decoded.labels);
            assert_memory_equal(again, sums, sizeof *sums * (size_t)code->queries);
        }
        free(labels);
        free(sums);
        free(again);
        ll_decoded_clear(&decoded);
        ll_code_destroy(code);
    }
}

/* ---- attacks ---- */

static ll_status plan_for(ll_plan **out, const ll_scorer *scorer, ll_error *error)
{
    ll_plan_request request;
    ll_plan_request_init(&request);
    return ll_plan_create(out, scorer, &request, error);
}

/* Asks a curator with random labels. */
static ll_verdict_kind attack(const ll_scorer *scorer)
{
    ll_plan *plan;
    ll_curator *curator;
    ll_error error = {0};
    ll_verdict verdict;
    ll_verdict_init(&verdict);
    if (plan_for(&plan, scorer, &error) != LL_OK)
        fail_msg("%s", error.text);
    int32_t *labels = malloc(sizeof *labels * (size_t)scorer->rows);
    for (long i = 0; i < scorer->rows; i++)
        labels[i] = (int32_t)below(scorer->classes);
    assert_int_equal(ll_curator_create(&curator, scorer, labels, scorer->rows, &error), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    if (ll_attack_run(plan, &verdict, &oracle, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    ll_verdict_kind kind = verdict.kind;
    for (long i = 0; i < scorer->rows; i++) {
        assert_true(verdict.labels[i] < 0 || verdict.labels[i] == labels[i]);
        assert_true(kind == LL_NONE || verdict.candidates[i * scorer->classes + labels[i]]);
    }
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
    free(labels);
    return kind;
}

/* Resolved, with a seed of its own; `more`: other settings. */
static ll_scorer *scorer_of(const char *loss, const char *arithmetic, long rows, long classes, const char *more)
{
    return scorer_of_text("metric=%s; arithmetic=%s; rows=%ld; classes=%ld; seed=%lu; %s", loss, arithmetic, rows,
                          classes, (unsigned long)(seed + (uint64_t)below(1000000)), more);
}

/* The same, attacked. */
static ll_verdict_kind attack_one(const char *loss, const char *arithmetic, long rows, long classes, const char *more)
{
    ll_scorer *s = scorer_of(loss, arithmetic, rows, classes, more);
    ll_verdict_kind kind = attack(s);
    ll_scorer_destroy(s);
    return kind;
}

/* Every scorer that counts, in every arithmetic that can. */
static void scorers(void **state)
{
    (void)state;
    static const char *const losses[] = {"accuracy", "zero-one", "lp:1", "lp:2", "lp:0.5", "lp:3.25"};
    static const char *const arithmetics[] = {"exact", "fp64", "fp32", "fpa:40", "fp16"};
    static const char *const transforms[] = {"identity", "negate", "root", "percent", "root,percent"};
    for (size_t l = 0; l < 6; l++)
        for (size_t a = 0; a < 5; a++)
            for (size_t t = 0; t < 5; t++) {
                char more[80];
                (void)snprintf(more, sizeof more, "transform=%s; sum=%s", transforms[t],
                               below(2) ? "naive" : "pairwise");
                long rows = a == 4 ? 1 + below(6) : 1 + below(70);
                assert_int_equal(attack_one(losses[l], arithmetics[a], rows, 2 + below(4), more), LL_UNIQUE);
            }
}

/* scikit-learn's accuracy of 4000 rows: 852 queries, every label. Three classes of as many rows as are quick. */
static void thousands(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of_text("scorer=sklearn/accuracy; rows=4000; classes=2");
    ll_scorer *three = scorer_of_text("scorer=sklearn/accuracy; rows=1000; classes=3");
    ll_plan *plan;
    ll_plan_info info;
    assert_int_equal(plan_for(&plan, s, NULL), LL_OK);
    ll_plan_get_info(plan, &info);
    assert_int_equal(info.queries, 852);
    ll_plan_destroy(plan);
    assert_int_equal(attack(s), LL_UNIQUE);
    assert_int_equal(attack(three), LL_UNIQUE);
    ll_scorer_destroy(s);
    ll_scorer_destroy(three);
}

static const char *const draws[] = {"uniform", "plus", "minus"};

/* Noise at its largest, always the same way, up to 1/2 of a match: certain. */
static void noise(void **state)
{
    (void)state;
    for (long n = 0; n < 12 * multiplier; n++) {
        char more[80];
        long rows = 2 + below(60);
        (void)snprintf(more, sizeof more, "noise=bounded:%.12g,%s", 0.49999 / (double)rows, draws[below(3)]);
        assert_int_equal(attack_one("accuracy", n % 2 ? "fp64" : "exact", rows, 2 + below(3), more), LL_UNIQUE);
    }
}

/* Two classes: all counts have one parity. Noise that leaves two candidates a query: where it is drawn at random, some
 * query shows the parity; where it always pushes the same way, a labelling of the other parity can fit as well, and
 * then the verdict must say so. */
static void parity(void **state)
{
    (void)state;
    long unique = 0, open = 0;
    for (long n = 0; n < 40 * multiplier; n++) {
        char more[80];
        long rows = 2 + below(60);
        (void)snprintf(more, sizeof more, "noise=bounded:%.12g,%s", (0.55 + 0.44 * uniform()) / (double)rows,
                       draws[n % 2 ? 0 : below(3)]);
        ll_verdict_kind kind = attack_one("accuracy", "fp64", rows, 2, more);
        unique += kind == LL_UNIQUE;
        open += kind == LL_AMBIGUOUS;
    }
    print_message("noise above half a match: %ld unique, %ld open\n", unique, open);
    assert_true(unique > 10 * multiplier && open > 0 && unique + open == 40 * multiplier);
}

/* Two candidates for every count but one: that one shows the parity, and the labels are certain. A count of three
 * candidates leaves all open. */
static void one_known_count(void **state)
{
    (void)state;
    for (long n = 0; n < 100 * multiplier; n++) {
        long rows = 2 + below(40);
        ll_code *code, views[64];
        ll_decoded decoded;
        ll_sum_range ranges[64];
        int64_t sums[64];
        int32_t labels[64];
        for (long i = 0; i < rows; i++)
            labels[i] = (int32_t)below(2);
        assert_int_equal(create_code(&code, "detecting:labels", rows, 2, NULL, 0, NULL), LL_OK);
        assert_int_equal(ll_decoded_init(&decoded, rows, 2), LL_OK);
        count_matches(code, sums, labels);
        long known = below(code->queries);
        for (long q = 0; q < code->queries; q++) {
            views[q] = *code;
            views[q].query = q;
            ranges[q] = (ll_sum_range){sums[q] - (q == known ? 0 : below(2)), q == known ? 1 : 2};
        }
        assert_int_equal(ll_parity_decode(views, &decoded, ranges, code->queries, NULL), LL_OK);
        assert_int_equal(decoded.count, 1);
        assert_memory_equal(decoded.labels, labels, sizeof *labels * (size_t)rows);
        ranges[known].count = 3;
        assert_int_equal(ll_parity_decode(views, &decoded, ranges, code->queries, NULL), LL_OK);
        assert_int_equal(decoded.count, 2);
        assert_int_equal(decoded.labels[0], -1);
        ll_decoded_clear(&decoded);
        ll_code_destroy(code);
    }
}

/* N = 10^D rows and D decimals: the scores are multiples of the grid, and half a match is no tie. */
static void rounding(void **state)
{
    (void)state;
    assert_int_equal(attack_one("accuracy", "fp64", 100, 3, "decimals=2"), LL_UNIQUE);
    /* half a grid is 0.65 of a match: parity */
    assert_int_equal(attack_one("accuracy", "fp64", 130, 2, "decimals=2"), LL_UNIQUE);
}

static void refuse(ll_scorer *s, const ll_plan_request *request, const char *text)
{
    ll_plan *plan;
    ll_error error = {0};
    assert_int_equal(ll_plan_create(&plan, s, request, &error), LL_DOMAIN);
    if (strstr(error.text, text) == NULL)
        fail_msg("%s", error.text);
    ll_scorer_destroy(s);
}

static void refusals(void **state)
{
    (void)state;
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.code = "detecting:labels";
    refuse(scorer_of("accuracy", "fp64", 130, 3, "decimals=2"), &request, "by up to 0.650, and it must stay below 0.5");
    refuse(scorer_of("accuracy", "fp64", 130, 2, "decimals=1"), &request, "by up to 6.50, and it must stay below 1 ");
    request.code = NULL;
    refuse(scorer_of("accuracy", "fp16", 3000, 2, ""), &request, "counts exactly up to 2048 only");
    request.code = "powers";
    refuse(scorer_of("accuracy", "fp64", 30, 2, ""), &request, "the code powers needs others; use detecting");
    request.code = "detecting";
    request.block = 10;
    refuse(scorer_of("accuracy", "fp64", 30, 2, ""), &request, "asks about every row in every query");
    request.block = 0;
    request.code = "detecting:labels";
    refuse(scorer_of("log-loss", "fp64", 30, 2, ""), &request,
           "is for metrics that take labels; log-loss takes a probability");
}

/* A stored prediction that was changed is taken as it is. */
static ll_status changed_get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const ll_predictions *plain = self;
    ll_status status = plain->get(plain->self, out, first, count, error);
    double *x = (double *)(uintptr_t)out->doubles;
    for (long i = first; status == LL_OK && i < first + count; i += 7)
        x[i - first] = 1 - x[i - first];
    return status;
}

static void changed_predictions(void **state)
{
    (void)state;
    ll_scorer *s = scorer_of("accuracy", "fp64", 7, 2, "");
    ll_plan *plan;
    ll_curator *curator;
    ll_decoder *decoder;
    ll_verdict verdict;
    int32_t labels[7] = {1, 0, 0, 1, 1, 0, 1};
    ll_verdict_init(&verdict);
    assert_int_equal(plan_for(&plan, s, NULL), LL_OK);
    assert_int_equal(ll_curator_create(&curator, s, labels, 7, NULL), LL_OK);
    assert_int_equal(ll_decoder_create(&decoder, plan, NULL), LL_OK);
    ll_plan_info info;
    ll_plan_get_info(plan, &info);
    for (long q = 0; q < info.queries; q++) {
        ll_predictions own, watched;
        ll_score score;
        ll_score_init(&score);
        assert_int_equal(ll_plan_predictions(plan, &own, q, NULL), LL_OK);
        ll_predictions changed = own;
        changed.self = &own;
        changed.get = changed_get;
        assert_int_equal(ll_decoder_watch(decoder, &watched, &changed, q, NULL), LL_OK);
        assert_int_equal(ll_curator_score(curator, &score, &watched, NULL), LL_OK);
        assert_int_equal(ll_decoder_score(decoder, score.text, NULL), LL_OK);
        ll_score_clear(&score);
    }
    assert_int_equal(ll_decoder_verdict(decoder, &verdict, NULL), LL_OK);
    assert_int_not_equal(verdict.kind, LL_NONE);
    for (long i = 0; i < 7; i++)
        assert_true(verdict.labels[i] < 0 || verdict.labels[i] == labels[i]);
    ll_verdict_clear(&verdict);
    ll_decoder_destroy(decoder);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
    ll_scorer_destroy(s);
}

int main(void)
{
    read_environment("t-matches");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups),        cmocka_unit_test(seeds),    cmocka_unit_test(counts),
        cmocka_unit_test(random_worlds), cmocka_unit_test(scorers),  cmocka_unit_test(thousands),
        cmocka_unit_test(noise),         cmocka_unit_test(parity),   cmocka_unit_test(one_known_count),
        cmocka_unit_test(rounding),      cmocka_unit_test(refusals), cmocka_unit_test(changed_predictions)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
