/* No false all-clear: random descriptions are audited, and wherever "leaks" is false every attack of the tool is run
 * against curators of that description: all codes, honest scores read by infer, a Ladder climbed row by row. None may
 * pass the target by more than chance. Descriptions whose predictions nothing bounds are attacked by numbers of any
 * size besides, and so are proved limits; each of several numbers, also of groups, is attacked alone, and random
 * submissions are read by all of them together. LL_TEST_LONG: 2000 descriptions of each of two draws, else 20 and 40;
 * LL_TEST_SECONDS=S: of each as many as S seconds of processor time are enough for. */
#include "../unit/curator_tools.h"
#include "descriptions.h"
#include "far_attack.h"
#include "posterior_attack.h"
#include "worlds.h"

#include <math.h>
#include <time.h>

static int is_long(void)
{
    const char *text = getenv("LL_TEST_LONG");
    return text && *text && strcmp(text, "0") != 0;
}

static long count_trials(void)
{
    return is_long() ? 2000 : getenv("LL_TEST_LIGHT") ? 5 : 10;
}

/* ---- attacks: the share of right labels of one run; negative where it does not serve ---- */

static double share_of(const description *s, const ll_verdict *v, const int32_t *labels)
{
    double right = 0;
    for (long i = 0; i < s->rows; i++)
        right += (v->labels && v->labels[i] >= 0 ? v->labels[i] : likeliest(s)) == labels[i];
    return right / (double)s->rows;
}

static ll_plan *make_plan(const description *s, const char *code)
{
    ll_plan_request request;
    ll_plan *plan;
    ll_error error = {0};
    int random = s->is_random || strcmp(code, "hadamard") == 0;
    ll_plan_request_init(&request);
    request.code = code;
    request.guarantee = random ? LL_LIKELY : LL_CERTIFIED;
    request.budget = LL_BUDGET(.seconds = 5);
    return ll_plan_create(&plan, s->scorer, &request, &error) == LL_OK ? plan : NULL;
}

static double run_plan(const description *s, const ll_plan *plan, const int32_t *labels)
{
    ll_curator *curator;
    ll_verdict verdict;
    ll_error error = {0};
    double share = -1;
    assert_int_equal(ll_curator_create(&curator, s->scorer, labels, s->rows, &error), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    ll_verdict_init(&verdict);
    if (ll_attack_run(plan, &verdict, &oracle, NULL, &error) == LL_OK)
        share = share_of(s, &verdict, labels);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    return share;
}

static double entries[MOST_ROWS * 4];

static void honest(table *t, const description *s)
{
    const char *input = s->input;
    int is_number = strcmp(input, "number") == 0;
    long columns = s->classes == 2 || is_number || strcmp(input, "label") == 0 ? 1 : s->classes;
    for (long i = 0; i < s->rows; i++) {
        double sum = 0;
        for (long k = 0; k < columns; k++)
            sum += entries[i * columns + k] = 0.05 + 0.9 * uniform();
        for (long k = 0; k < columns; k++)
            if (strcmp(input, "label") == 0)
                entries[i] = (double)below(s->classes);
            else if (is_number)
                entries[i] = s->low + (s->high - s->low) * entries[i];
            else if (columns > 1)
                entries[i * columns + k] /= sum;
    }
    table_set(t, entries, s->rows, columns, LL_ENTRIES_DOUBLE);
}

/* Honest predictions, their scores, and infer. */
static double run_infer(const description *s, const int32_t *labels)
{
    ll_evidence *evidence;
    ll_curator *curator;
    ll_inference found;
    ll_error error = {0};
    double share = -1;
    if (s->rows > 24 || s->has_ladder || ll_evidence_create(&evidence, s->scorer, &error) != LL_OK)
        return -1;
    assert_int_equal(ll_curator_create(&curator, s->scorer, labels, s->rows, &error), LL_OK);
    ll_status status = LL_OK;
    for (long q = 0; q < s->queries && q < 4 && status == LL_OK; q++) {
        ll_score score;
        table t;
        honest(&t, s);
        ll_score_init(&score);
        status = ll_curator_score(curator, &score, &t.source, &error);
        if (status == LL_OK)
            status = ll_evidence_add(evidence, &t.source, score.text, &error);
        ll_score_clear(&score);
    }
    ll_inference_init(&found);
    if (status == LL_OK && ll_evidence_infer(evidence, &found, LL_METHOD_AUTO,
                                             LL_BUDGET(.memory = 1e9, .seconds = 2, .threads = 1), &error) == LL_OK)
        share = share_of(s, found.verdict, labels);
    ll_inference_clear(&found);
    ll_curator_destroy(curator);
    ll_evidence_destroy(evidence);
    return share;
}

/* A Ladder, one row after the other: kept is what moves the answer. One column only. */
static double run_ladder(const description *s, const int32_t *labels)
{
    ll_curator *curator;
    ll_error error = {0};
    char last[80] = "";
    table t;
    honest(&t, s);
    double right = 0, low = s->has_clip ? 0 : 0.01;
    int label_metric = strcmp(s->input, "label") == 0;
    if (!s->has_ladder || s->classes != 2 || t.columns != 1)
        return -1;
    if (label_metric)
        low = 0;
    for (long i = 0; i < s->rows; i++)
        entries[i] = likeliest(s) ? 1 - low : low;
    assert_int_equal(ll_curator_create(&curator, s->scorer, labels, s->rows, &error), LL_OK);
    for (long q = 0; q < s->queries && q <= s->rows; q++) {
        ll_score score;
        ll_score_init(&score);
        if (q > 0)
            entries[q - 1] = 1 - entries[q - 1];
        ll_status status = ll_curator_score(curator, &score, &t.source, &error);
        int moved = status == LL_OK && strcmp(score.text, last) != 0;
        if (moved)
            (void)snprintf(last, sizeof last, "%s", score.text);
        else if (q > 0)
            entries[q - 1] = 1 - entries[q - 1];
        ll_score_clear(&score);
    }
    ll_curator_destroy(curator);
    for (long i = 0; i < s->rows; i++)
        right += (entries[i] > 0.5) == labels[i];
    return right / (double)s->rows;
}

/* ---- the check ---- */

typedef struct {
    double sum, square;
    long runs;
} sample;

static void add(sample *a, double share)
{
    if (share < 0)
        return;
    a->sum += share;
    a->square += share * share;
    a->runs++;
}

static void check(const sample *a, const char *attack, const description *d, const ll_audit *audit)
{
    double n = (double)a->runs, mean = a->sum / n, rows = (double)d->rows;
    double error = sqrt(fmax(fmax(0, a->square / n - mean * mean) / n, audit->guess * (1 - audit->guess) / n / rows));
    if (a->runs >= 4 && mean > audit->target_share + 4 * error)
        fail_msg("%s: %s gets %.4f +- %.4f, target %.4f, said: %s", d->text, attack, mean, error, audit->target_share,
                 audit->verdict);
}

static void check_limit(const sample *a, const char *attack, const description *d, const ll_audit *audit)
{
    double n = (double)a->runs, mean = a->sum / n, rows = (double)d->rows, limit = audit->bound->max_share;
    double error = sqrt(fmax(fmax(0, a->square / n - mean * mean) / n, audit->guess * (1 - audit->guess) / n / rows));
    if (a->runs >= 4 && mean > limit + 5 * error)
        fail_msg("%s: %s gets %.4f +- %.4f, limit %.4f, said: %s", d->text, attack, mean, error, limit, audit->verdict);
}

static long attacks;

static void draw_labels(description *d, int32_t *labels, long run)
{
    long left[4];
    memcpy(left, d->counts, sizeof left);
    for (long i = 0; i < d->rows; i++) {
        long at = d->has_counts ? below(d->rows - i) : 0, k = 0;
        for (; d->has_counts && at >= left[k]; k++)
            at -= left[k];
        left[k]--;
        labels[i] = d->has_counts ? (int32_t)k : draw_label(d);
    }
    ll_scorer *other = vary_scorer(d->scorer, "seed=%llu", (unsigned long long)(seed + 977 + (uint64_t)run));
    ll_scorer_destroy(d->scorer);
    d->scorer = other;
}

static void check_code(description *d, const ll_audit *audit, const char *code)
{
    int32_t labels[MOST_ROWS];
    sample shares = {0};
    ll_plan *plan = make_plan(d, code);
    for (long run = 0; plan != NULL && run < (d->rows < 40 ? 24 : 5); run++) {
        draw_labels(d, labels, run);
        add(&shares, run_plan(d, plan, labels));
    }
    ll_plan_destroy(plan);
    check(&shares, code, d, audit);
    attacks += shares.runs;
}

/* One number of several, attacked by a code as if it were alone: of a group its own rows, the others guessed. */
static void check_alone(description *d, const ll_audit *audit, const ll_scorer *number, const char *code)
{
    description alone = *d;
    int32_t labels[MOST_ROWS];
    sample shares = {0};
    alone.scorer = vary_scorer(number, "seed=1");
    alone.rows = alone.scorer->rows;
    ll_plan *plan = make_plan(&alone, code);
    for (long run = 0; plan != NULL && run < 8; run++) {
        draw_labels(&alone, labels, run);
        double share = run_plan(&alone, plan, labels), rows = (double)d->rows, own = (double)alone.rows;
        add(&shares, share < 0 ? share : (share * own + audit->guess * (rows - own)) / rows);
    }
    ll_plan_destroy(plan);
    ll_scorer_destroy(alone.scorer);
    check(&shares, code, d, audit);
    attacks += shares.runs;
}

/* Where counts are known the labels of a part of the rows do not have them. */
static void check_each_number(description *d, const ll_audit *audit)
{
    long numbers = ll_scorer_count_numbers(d->scorer);
    for (long n = 0; n < numbers && n < 4 && numbers > 1 && !d->has_counts; n++)
        for (long c = 0; c < ll_code_count(); c++)
            check_alone(d, audit, ll_scorer_get_number(d->scorer, n), ll_code_get_info(c)->name);
}

/* What random submissions tell of every labelling, or of every single label. */
static void check_random(description *d, const ll_audit *audit)
{
    static posterior all;
    static slopes each;
    int32_t labels[MOST_ROWS];
    sample shares = {0};
    ll_error error = {0};
    ll_scorer *plain = NULL;
    long numbers = ll_scorer_count_numbers(d->scorer);
    int is_small = pow((double)d->classes, (double)d->rows) <= POSTERIOR_LABELLINGS;
    int serves = is_small || (d->classes == 2 && d->rows <= POSTERIOR_ROWS);
    if (!serves || d->has_ladder || numbers > POSTERIOR_NUMBERS)
        return;
    assert_int_equal(try_scorer_text(&plain, d->plain, &error), LL_OK);
    design *g = is_small ? &all.design : &each.design;
    draw_design(g, d);
    g->numbers = numbers;
    draw_labels(d, labels, 0);
    if (is_small)
        make_posterior(&all, d, plain);
    else
        make_slopes(&each, d, plain, labels);
    for (long run = 0; run < 32; run++) {
        draw_labels(d, labels, run);
        add(&shares, is_small ? run_posterior(&all, d, labels) : run_slopes(&each, d, labels));
    }
    ll_scorer_destroy(plain);
    check_limit(&shares, is_small ? "the posterior" : "least squares", d, audit);
    if (audit->leaks == LL_FALSE)
        check(&shares, is_small ? "the posterior" : "least squares", d, audit);
    attacks += shares.runs;
}

static void check_clear(description *d, const ll_audit *audit)
{
    check_each_number(d, audit);
    int32_t labels[MOST_ROWS];
    sample infers = {0}, ladders = {0};
    for (long c = 0; c < ll_code_count(); c++)
        check_code(d, audit, ll_code_get_info(c)->name);
    for (long run = 0; run < 24; run++) {
        draw_labels(d, labels, run);
        if (run < 6)
            add(&infers, run_infer(d, labels));
        add(&ladders, run_ladder(d, labels));
    }
    check(&infers, "infer", d, audit);
    check(&ladders, "the Ladder's reader", d, audit);
    attacks += infers.runs + ladders.runs;
}

/* 0: refused, as answers of several numbers may be; d->scorer is gone then. */
static int run_audit(ll_audit *audit, description *d, const ll_audit_request *request)
{
    ll_error error = {0};
    ll_status status = ll_audit_run(audit, d->scorer, request, &error);
    if (status != LL_OK && ll_scorer_count_numbers(d->scorer) < 2)
        fail_msg("%s: %s", d->text, error.text);
    if (status != LL_OK) {
        ll_audit_clear(audit);
        ll_scorer_destroy(d->scorer);
    }
    return status == LL_OK;
}

/* How many descriptions were audited, and how many of them said not to leak: of each kind, and of all. */
typedef struct {
    long verdicts[3], proved, limited, drawn, audited[KINDS + 1], clear[KINDS + 1];
} tally;

static void count(tally *t, const description *d, const ll_audit *audit)
{
    t->verdicts[audit->leaks]++;
    t->proved += audit->proved;
    t->limited += audit->bound->max_share < 0.95;
    for (int k = 0; k <= KINDS; k++)
        if (k == KINDS || (d->kinds & 1 << k)) {
            t->audited[k]++;
            t->clear[k] += audit->leaks == LL_FALSE;
        }
}

static void print_tally(const tally *t, const char *name)
{
    printf("%s: %ld drawn, %ld leak, %ld do not (%ld of them proved), %ld unknown; %ld limits; %ld attacks\n", name,
           t->drawn, t->verdicts[LL_TRUE], t->verdicts[LL_FALSE], t->proved, t->verdicts[LL_UNKNOWN], t->limited,
           attacks);
    for (int k = 0; k <= KINDS; k++)
        printf("  %s: %ld audited, %ld said not to leak\n", k < KINDS ? kind_names[k] : "all", t->audited[k],
               t->clear[k]);
}

static void check_audit(const description *d, const ll_audit *audit)
{
    if (audit->share > audit->bound->max_share || audit->share < audit->guess - 1e-9)
        fail_msg("%s: share %.6f, bound %.6f", d->text, audit->share, audit->bound->max_share);
    assert_true(audit->proved == (audit->bound->max_share <= audit->target_share));
    assert_true(!audit->proved || audit->leaks == LL_FALSE);
}

static void check_all_far(description *d, const ll_audit *audit);

/* Audit one, and attack what it says. */
static void try_description(tally *t, description *d, long turn, int is_far)
{
    ll_audit audit;
    ll_audit_request request;
    ll_audit_init(&audit);
    ll_audit_request_init(&request);
    request.without_defences = 1;
    request.seed = seed + (uint64_t)turn;
    if (!run_audit(&audit, d, &request))
        return;
    check_audit(d, &audit);
    count(t, d, &audit);
    int is_said = audit.leaks == LL_FALSE || audit.bound->max_share < 0.95;
    if (audit.leaks == LL_FALSE)
        check_clear(d, &audit);
    if (is_said)
        check_random(d, &audit);
    if (is_said && is_far)
        check_all_far(d, &audit);
    ll_audit_clear(&audit);
    ll_scorer_destroy(d->scorer);
}

static double seconds_from(double start)
{
    return (double)clock() / CLOCKS_PER_SEC - start;
}

static double most_seconds(void)
{
    return getenv("LL_TEST_SECONDS") ? strtod(getenv("LL_TEST_SECONDS"), NULL) : (double)INFINITY;
}

static void test_all_clear(void **state)
{
    (void)state;
    static tally t;
    double start = seconds_from(0);
    const long least = count_trials() * multiplier, wanted = getenv("LL_TEST_LIGHT") ? 1 : 3; /* few can be cleared */
    for (long i = 0;
         (i < least || (t.verdicts[LL_FALSE] < wanted && i < 20 * least)) && seconds_from(start) < most_seconds();
         i++) {
        description d;
        t.drawn++;
        if (draw_described(&d))
            try_description(&t, &d, i, 0);
    }
    print_tally(&t, "any");
    assert_true(t.verdicts[LL_TRUE] > 0 && t.verdicts[LL_FALSE] > 0);
    assert_true(t.verdicts[LL_UNKNOWN] > 0 || t.drawn < 20); /* under sanitizers few are drawn */
}

/* ---- predictions of any size ---- */

static void check_far(description *d, const ll_audit *audit, const far_kind *kind, double size)
{
    static far_plan plan;
    int32_t labels[MOST_ROWS];
    sample shares = {0};
    far_world w = {d->scorer, d->rows, d->classes, d->queries, 1, likeliest(d), d->low, d->high};
    if (strcmp(d->input, "logit") == 0 && d->classes > 2)
        w.columns = d->classes;
    far_make(&w, &plan, kind, size);
    for (long run = 0; run < (d->rows < 20 ? 24 : 8); run++) {
        draw_labels(d, labels, run);
        w.scorer = d->scorer;
        add(&shares, far_run(&w, &plan, labels));
    }
    check_limit(&shares, kind->name, d, audit);
    if (audit->leaks == LL_FALSE)
        check(&shares, kind->name, d, audit);
    attacks += shares.runs;
}

/* Sizes of all orders, each kind with some. */
static void check_all_far(description *d, const ll_audit *audit)
{
    for (long i = 0; i < WORLDS_COUNT(far_kinds); i++) {
        check_far(d, audit, &far_kinds[i], ldexp(1 + below(2), (int)below(40)));
        check_far(d, audit, &far_kinds[i], ldexp(1, (int)below(52)));
        if (is_long())
            check_far(d, audit, &far_kinds[i], ldexp(1, (int)below(400)));
    }
}

static void test_unbounded(void **state)
{
    static tally t;
    long refused = 0, least = is_long() ? 2000 : getenv("LL_TEST_LIGHT") ? 5 : 20;
    double start = seconds_from(0);
    (void)state;
    attacks = 0;
    for (long i = 0; i < least * multiplier && seconds_from(start) < most_seconds(); i++) {
        description d;
        t.drawn++;
        if (draw_unbounded(&d, i))
            try_description(&t, &d, i, 1);
        else
            refused++;
    }
    print_tally(&t, "unbounded");
    int has_all = t.verdicts[LL_FALSE] > 0 && t.limited > 0; /* ten descriptions need not */
    assert_true(t.verdicts[LL_TRUE] > 0 && (has_all || least < 40) && refused < t.drawn / 4);
}

/* Errors whose slope is bounded: a label moves the sum by at most a step, but where half a unit of a large term is next
 * to it by 2^52 (docs/proofs/targets.md). Both orders of two rows, every labelling, and then through noise. */
static void check_carry(const char *metric)
{
    static far_plan plan;
    description d = {.rows = 2, .classes = 2, .queries = 2, .high = 1, .input = "number"};
    double share = 0;
    ll_error error = {0};
    append(&d, "metric=%s; targets=0:1:1; arithmetic=fp64; rows=2; queries=2; noise=laplace:1000", metric);
    assert_int_equal(try_scorer_text(&d.scorer, d.text, &error), LL_OK);
    far_world w = {d.scorer, 2, 2, 2, 1, 0, 0, 1};
    far_make(&w, &plan, &far_kinds[FAR_CARRY], 0x1p51);
    for (long b = 0; b < 2; b++)
        assert_true(plan.blocks[b].numbers[0] - plan.blocks[b].numbers[1] >= 0x1p50);
    for (long run = 0; run < 20; run++) {
        int32_t labels[2];
        draw_labels(&d, labels, run);
        w.scorer = d.scorer;
        share += far_run(&w, &plan, labels) / 20;
    }
    assert_true(share > 0.999);
    ll_audit audit;
    ll_audit_request request;
    ll_audit_init(&audit);
    ll_audit_request_init(&request);
    request.without_defences = 1;
    assert_int_equal(ll_audit_run(&audit, d.scorer, &request, &error), LL_OK);
    assert_true(audit.leaks != LL_FALSE && audit.bound->max_share == 1);
    ll_audit_clear(&audit);
    ll_scorer_destroy(d.scorer);
}

static void test_carry(void **state)
{
    (void)state;
    check_carry("mae");
    check_carry("huber:1");
    check_carry("quantile:0.5");
}

/* Rounding shows a small move next to an edge, and numbers that nothing bounds bring the sum there: of 100 rows all but
 * one are where their label moves nothing, the last is where its label decides between 0 and 1. */
static const struct {
    const char *metric;
    double idle, far;
} edges[] = {{"mae", 0.5, 51}, {"huber:1", 0.5, 88.625}, {"quantile:0.3", 0.3, 113.657}, {"mse", 0.5, 9}};

static ll_truth audit_text(const char *text)
{
    ll_scorer *scorer = NULL;
    ll_audit audit;
    ll_audit_request request;
    ll_error error = {0};
    ll_audit_init(&audit);
    ll_audit_request_init(&request);
    request.without_defences = 1;
    assert_int_equal(try_scorer_text(&scorer, text, &error), LL_OK);
    assert_int_equal(ll_audit_run(&audit, scorer, &request, &error), LL_OK);
    ll_truth leaks = audit.leaks;
    ll_audit_clear(&audit);
    ll_scorer_destroy(scorer);
    return leaks;
}

static void check_edge(const char *text, long row, double idle, double far)
{
    ll_scorer *scorer = NULL;
    ll_curator *curator;
    ll_error error = {0};
    int32_t labels[100];
    table t;
    for (long i = 0; i < 100; i++) {
        labels[i] = (int32_t)below(2);
        entries[i] = i == row ? far : idle;
    }
    table_set(&t, entries, 100, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(try_scorer_text(&scorer, text, &error), LL_OK);
    assert_int_equal(ll_curator_create(&curator, scorer, labels, 100, &error), LL_OK);
    ll_score score;
    ll_score_init(&score);
    assert_int_equal(ll_curator_score(curator, &score, &t.source, &error), LL_OK);
    assert_string_equal(score.text, labels[row] ? "0" : "1");
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
}

static void test_edges(void **state)
{
    (void)state;
    for (long i = 0; i < WORLDS_COUNT(edges); i++) {
        description d = {.rows = 100};
        append(&d, "metric=%s; targets=0:1:1; rows=100; queries=20; decimals=0; truncate=yes", edges[i].metric);
        for (long row = 0; row < 20; row++)
            check_edge(d.text, row, edges[i].idle, edges[i].far);
        assert_int_not_equal(audit_text(d.text), LL_FALSE);
    }
    /* within the targets, too: 1, 1, 0 is rounded to 1 only if the third label is 1 */
    assert_int_equal(audit_text("metric=quantile:0.3; targets=0:1:1; clip-targets=yes; decimals=0; rows=3; counts=2,1; "
                                "queries=3"),
                     LL_TRUE);
    assert_int_equal(audit_text("metric=mse; targets=0:1:1; rows=100; queries=20; noise=laplace:1000"), LL_TRUE);
    /* counts known: 0 on three rows and 1 on the others is rounded to 1 only if the one label is among the three */
    assert_int_not_equal(audit_text("metric=quantile:0.3; targets=0:1:1; clip-targets=yes; decimals=0; rows=12; "
                                    "counts=11,1; queries=12"),
                         LL_FALSE);
}

/* ---- never crossing ---- */

/* No attack gets above the bound, neither in labels nor in submissions: a certified plan tells all labellings of the
 * rows that it reads apart, and what it gives within the limit, the rest guessed, is a share that is expected. */
static void check_choice(const description *d, const ll_audit *audit, const ll_plan_choice *choice)
{
    const ll_audit_bound *bound = audit->bound;
    double rows = (double)d->rows, queries = (double)choice->queries, told = choice->labels_per_query * queries;
    double share = ((double)choice->recovered + audit->guess * (rows - (double)choice->recovered)) / rows;
    if (share > bound->max_share + 1e-9)
        fail_msg("%s: %s gives %ld within the limit, bound %.6f", d->text, choice->code, choice->recovered,
                 bound->max_share);
    if (choice->guarantee != LL_CERTIFIED || choice->queries == 0)
        return;
    if (told > rows - 0.5 && queries < bound->min_queries)
        fail_msg("%s: %s takes %.0f, bound %.3f", d->text, choice->code, queries, bound->min_queries);
    int is_one = ll_scorer_count_numbers(d->scorer) == 1; /* several may tell the class counts besides, once */
    if (is_one && (told - 1) * bound->label_bits / rows > queries * bound->bits_per_query)
        fail_msg("%s: %s tells %.0f in %.0f, bound %.3f bits each", d->text, choice->code, told, queries,
                 bound->bits_per_query);
}

static void check_bounds(const description *d, const ll_audit *audit)
{
    if (audit->share > audit->bound->max_share)
        fail_msg("%s: share %.6f, bound %.6f", d->text, audit->share, audit->bound->max_share);
    for (long c = 0; c < audit->choice_count; c++) {
        const ll_plan_choice *choice = ll_audit_get_choice(audit, c);
        if (choice->status == LL_OK)
            check_choice(d, audit, choice);
    }
}

/* Weights of rows, of classes, known counts, a further number, groups, another grid: one of them, now and then. */
static void set_extra(description *d)
{
    long kind = below(10);
    if (kind < 2)
        for (long i = 0; i < d->rows && d->rows <= 40; i++)
            append(d, "%s%.3g",
                   i > 0 ? "," : "; weights=", kind == 0 ? (double)below(4) + (i == 0) : exp(4 * uniform() - 2));
    if (kind == 2)
        append(d, "; class-weights=%s", below(2) || d->classes > 2 ? "balanced" : "1,2.5");
    if (kind == 3)
        append(d, "; also=%s:decimals=%ld", below(2) ? "accuracy" : "macro-f1", below(5));
    if (kind == 4)
        for (long i = 0; i < d->rows && d->rows <= 40; i++)
            append(d, "%s%c", i > 0 ? "," : "; groups=", (char)('a' + below(3)));
    if (kind == 5 && d->classes == 2)
        append(d, "; counts=%ld,%ld", d->rows / 3, d->rows - d->rows / 3);
    if (kind == 6)
        append(d, "; targets=1:%ld:2", 2 * d->classes - 1);
}

/* Every metric of the table in turn, from one that is drawn. */
static void test_never_crossing(void **state)
{
    long audited = 0, count = is_long() ? 2000 : getenv("LL_TEST_LIGHT") ? 10 : 30, first = below(ll_metric_count());
    (void)state;
    for (long i = 0; i < count; i++) {
        description d;
        ll_audit audit;
        ll_audit_request request;
        ll_error error = {0};
        make(&d, ll_metric_get_info((first + i) % ll_metric_count()));
        if (below(3) == 0)
            set_prior(&d);
        set_extra(&d);
        if (try_scorer_text(&d.scorer, d.text, &error) != LL_OK)
            continue;
        ll_audit_init(&audit);
        ll_audit_request_init(&request);
        request.without_defences = 1;
        request.seed = seed + (uint64_t)i;
        if (ll_audit_run(&audit, d.scorer, &request, &error) == LL_OK) {
            check_bounds(&d, &audit);
            audited++;
        }
        ll_audit_clear(&audit);
        ll_scorer_destroy(d.scorer);
    }
    printf("%ld of %ld descriptions audited, no attack above its bound\n", audited, count);
    assert_true(audited > count / 3);
}

int main(void)
{
    read_environment("x-all-clear");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_clear), cmocka_unit_test(test_carry),
                                       cmocka_unit_test(test_edges), cmocka_unit_test(test_unbounded),
                                       cmocka_unit_test(test_never_crossing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
