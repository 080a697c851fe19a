/* What an audit takes an answer of several numbers to be, against every labelling of small worlds: how far one label
 * stands out of the noise on all numbers together, how many different answers there are, how many texts the number of
 * all rows can have where those of the groups are known. Every one of these is reached in some world, so that none may
 * be less. LL_TEST_SEED, LL_TEST_MULTIPLIER. */
#include "../unit/curator_tools.h"
#include "audit/channel.h"
#include "audit/limits.h"
#include "scorer/several.h"
#include "worlds.h"

#include <math.h>

enum { MOST_ROWS = 5, MOST_COUNT = 250, MOST_NUMBERS = 40 };

typedef struct {
    char metric[40], groups[40], also[200], first[40]; /* first: noise of the first number */
    long rows, classes, columns, count, numbers;
    int is_clipped, is_rooted;
    double x[MOST_ROWS * 3];
    ll_scorer *plain, *noisy, *rounded;
    double values[MOST_COUNT][MOST_NUMBERS]; /* NAN: no number */
} world;

static long worlds, reached[2], failing[2];

/* ---- descriptions ---- */

static ll_scorer *describe(const world *w, const char *release, const char *value)
{
    char rows[8], classes[8];
    ll_scorer *s = NULL;
    (void)snprintf(rows, sizeof rows, "%ld", w->rows);
    (void)snprintf(classes, sizeof classes, "%ld", w->classes);
    const char *const set[][2] = {
        {"metric", w->metric},
        {"arithmetic", "fp64"},
        {"classes", classes},
        {w->groups[0] ? "groups" : "rows", w->groups[0] ? w->groups : rows},
        {"also", w->also[0] ? w->also : NULL},
        {"clip", strcmp(w->metric, "log-loss") != 0 ? NULL
                 : w->is_clipped                    ? "0.01"
                                                    : "none"},
        {"columns", strcmp(w->metric, "log-loss") == 0 || strcmp(w->metric, "squared") == 0 ? "all" : NULL},
        {"transform", w->is_rooted ? "root" : NULL},
        {release, value}};
    ll_status status = ll_scorer_create(&s, NULL);
    for (size_t i = 0; i < sizeof set / sizeof set[0] && status == LL_OK; i++)
        if (set[i][1] != NULL)
            status = ll_scorer_set(s, set[i][0], set[i][1], NULL);
    if (status == LL_OK && ll_scorer_resolve(s, NULL, NULL) == LL_OK)
        return s;
    ll_scorer_destroy(s);
    return NULL;
}

static void draw_noise(char *out, size_t size, int is_laplace)
{
    (void)snprintf(out, size, "%s:%.3g", is_laplace ? "laplace" : "gaussian", below(4) ? 0.1 + 3 * uniform() : 1e5);
}

/* Numbers of one kind of predictions, each with noise of its own size, or of groups of up to three kinds of rows. */
static void draw_description(world *w, int is_laplace)
{
    static const char *const of_labels[] = {"accuracy", "zero-one", "f1",       "recall", "balanced-accuracy",
                                            "mcc",      "kappa",    "macro-f1", "cell:1", "confusion-matrix"};
    static const char *const of_shares[] = {"log-loss", "squared"};
    char noise[40];
    int shares = below(4) == 0;
    w->rows = 2 + below(MOST_ROWS - 1);
    w->classes = 2 + below(2);
    w->also[0] = w->groups[0] = '\0';
    w->is_clipped = (int)below(2);
    draw_noise(w->first, sizeof w->first, is_laplace);
    (void)snprintf(w->metric, sizeof w->metric, "%s", shares ? of_shares[below(2)] : of_labels[below(10)]);
    for (long i = 0, parted = below(2); i < w->rows && parted; i++)
        (void)snprintf(w->groups + strlen(w->groups), 4, "%s%c", i ? "," : "", (char)('a' + below(3)));
    for (long i = below(4); i > 0 && w->groups[0] == '\0'; i--) {
        draw_noise(noise, sizeof noise, is_laplace);
        size_t used = strlen(w->also);
        (void)snprintf(w->also + used, sizeof w->also - used, "%s%s:noise=%s", used ? ";" : "",
                       shares ? of_shares[below(2)] : of_labels[below(10)], noise);
    }
}

static void draw_predictions(world *w)
{
    int shares = !ll_metric_reads_labels(w->plain->computation.metric);
    w->columns = shares ? w->classes : 1;
    for (long i = 0; i < w->rows; i++) {
        double sum = 0, *row = w->x + i * w->columns;
        for (long k = 0; k < w->columns; k++)
            sum += row[k] = shares ? (below(2) ? uniform() : (double)below(2)) : (double)below(w->classes);
        for (long k = 0; k < w->columns && shares; k++)
            row[k] = sum > 0 ? row[k] / sum : 1 / (double)w->columns;
    }
}

/* ---- every labelling ---- */

/* NULL where these labels have no answer. */
static char *answer(const world *w, const ll_scorer *scorer, long labelling)
{
    int32_t labels[MOST_ROWS];
    ll_score score;
    ll_score_init(&score);
    world_labelling(labels, labelling, w->rows, w->classes);
    int has = score_doubles(&score, scorer, labels, w->x, w->rows, w->columns, NULL) == LL_OK;
    char *text = has ? strdup(score.text) : NULL;
    ll_score_clear(&score);
    return text;
}

static void set_values(world *w)
{
    for (long y = 0; y < w->count; y++) {
        char *text = answer(w, w->plain, y), *at = text;
        for (long i = 0; i < w->numbers; i++)
            w->values[y][i] = text != NULL ? strtod(at, &at) : (double)NAN;
        free(text);
    }
}

/* ---- noise ---- */

/* Both at once: of Laplace noise the sum of moves over scales, of Gaussian noise the root of squares. */
static double stands_out(const world *w, long one, long other, int is_laplace)
{
    double sum = 0;
    for (long i = 0; i < w->numbers; i++) {
        double size = ll_release_get_figures(&ll_scorer_get_number(w->noisy, i)->release).noise;
        double ratio = fabs(w->values[one][i] - w->values[other][i]) / size;
        sum += is_laplace ? ratio : ratio * ratio;
    }
    return is_laplace ? sum : sqrt(sum);
}

/* The power of the best test of one normal law against another, `distance` standard deviations away, that is wrong of
 * the first with probability `size`. */
static double power_of(double size, double distance)
{
    double low = -40, high = 40; /* the threshold */
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        *(0.5 * erfc(middle / M_SQRT2) > size ? &low : &high) = middle;
    }
    return 0.5 * erfc((high - distance) / M_SQRT2);
}

/* The same submission so many times, where labels are alike but for one row: no less than what the best test between
 * two laws gets may be called the limit; of more labels, all alike, than tests of the size 1/K (docs/proofs/audit.md).
 * Nor less than guessing where one label is likely. */
static void hold_composed(const ll_channel *c, double out, int is_laplace)
{
    double classes = (double)c->classes;
    for (double queries = 1; queries < 50 && isfinite(out); queries *= 3) {
        ll_channel uneven = *c;
        double epsilon = queries * out, distance = sqrt(queries) * out;
        double best = is_laplace        ? 1 / (1 + (classes - 1) * exp(-epsilon))
                      : c->classes == 2 ? 0.5 * erfc(-distance / 2 / M_SQRT2)
                                        : power_of(1 / classes, distance);
        assert_true(ll_limit_private_share(c, queries) > best - 1e-9);
        uneven.guess = 0.9;
        assert_true(ll_limit_private_share(&uneven, queries) >= 0.9 - 1e-12);
    }
}

/* Of accuracy in groups what is stated is what the smallest group's labels do. */
static void hold_noise(const world *w, int is_laplace)
{
    ll_channel c;
    double most = 0;
    assert_int_equal(ll_channel_init(&c, w->noisy, NULL), LL_OK);
    double stated = is_laplace ? c.joint_epsilon : c.joint_distance;
    for (long y = 0; y < w->count; y++)
        for (long i = 0, step = 1; i < w->rows; i++, step *= w->classes)
            for (long k = y / step % w->classes + 1; k < w->classes; k++) {
                double out = stands_out(w, y, y + (k - y / step % w->classes) * step, is_laplace);
                most = isnan(out) ? INFINITY : fmax(out, most); /* failing is seen through any noise */
            }
    if (most > stated * (1 + 1e-9))
        fail_msg("%s also '%s' groups '%s' noise %s: a label stands out by %.12g, stated %.12g", w->metric, w->also,
                 w->groups, w->first, most, stated);
    hold_composed(&c, most, is_laplace);
    if (w->groups[0] && strcmp(w->metric, "accuracy") == 0) {
        assert_true(most > stated * (1 - 1e-9));
        reached[is_laplace]++;
    }
    assert_true(isinf(is_laplace ? c.joint_distance : c.joint_epsilon));
}

/* The same of each number alone, whatever the noise on it: failing is seen through any. */
static void hold_alone(const world *w, long number)
{
    ll_channel c;
    assert_int_equal(ll_channel_init(&c, ll_scorer_get_number(w->noisy, number), NULL), LL_OK);
    for (long y = 0; y < w->count; y++)
        for (long i = 0, step = 1; i < w->rows; i++, step *= w->classes) {
            long other = y / step % w->classes ? y - step : y + step;
            double move = fabs(w->values[y][number] - w->values[other][number]);
            if (move > c.sensitivity * (1 + 1e-9) + 1e-15)
                fail_msg("%s: a label moves it by %.12g, stated %.12g", w->metric, move, c.sensitivity);
            if (w->numbers == 1 && isnan(move) && isfinite(c.sensitivity))
                fail_msg("%s: it fails for some labels, and a label is said to move it by %.12g", w->metric,
                         c.sensitivity);
        }
}

/* Whether there is an answer at all is seen through any noise: so much at least it tells. */
static void hold_refusals(const world *w, const ll_scorer *noisy)
{
    ll_channel c;
    double failed = 0;
    assert_int_equal(ll_channel_init(&c, noisy, NULL), LL_OK);
    for (long y = 0; y < w->count; y++)
        failed += isnan(w->values[y][0]) ? 1 / (double)w->count : 0;
    double told = failed > 0 && failed < 1 ? -failed * log2(failed) - (1 - failed) * log2(1 - failed) : 0;
    assert_true(told <= ll_limit_bits(&c) + c.once_bits && told <= ll_limit_bits_fixed(&c) + c.once_bits);
}

/* ---- bits ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static long count_different(char **texts, long count)
{
    long different = count > 0;
    qsort(texts, (size_t)count, sizeof *texts, by_text);
    for (long i = 1; i < count; i++)
        different += strcmp(texts[i], texts[i - 1]) != 0;
    return different;
}

/* Of answers of labels that are all as likely, sorted; those that fail are one more answer. */
static double entropy_of(char **texts, long count, long all)
{
    double bits = 0;
    for (long i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && strcmp(texts[next], texts[i]) == 0;)
            next++;
        double share = (double)(next - i) / (double)all;
        bits -= share * log2(share);
    }
    double failed = (double)(all - count) / (double)all;
    return bits - (failed > 0 ? failed * log2(failed) : 0);
}

/* The most texts that the first number has beside the same texts of all others. */
static long count_beside(char **texts, long count)
{
    long most = 0;
    char *first[MOST_COUNT];
    for (long i = 0; i < count; i++) {
        long found = 0;
        for (long j = 0; j < count; j++)
            if (strcmp(strchr(texts[i], ' '), strchr(texts[j], ' ')) == 0)
                first[found++] = texts[j];
        found = count_different(first, found);
        most = found > most ? found : most;
    }
    return most;
}

static double bits_of_groups(const ll_scorer *scorer, double (*bits_of)(const ll_channel *c))
{
    double bits = 0;
    for (long i = 1; i < ll_scorer_count_numbers(scorer); i++) {
        ll_channel c;
        assert_int_equal(ll_channel_init(&c, ll_scorer_get_number(scorer, i), NULL), LL_OK);
        bits += bits_of(&c);
    }
    return bits;
}

/* The entropy of the first number where those of the groups are known. */
static double entropy_beside(char **texts, long count, long all)
{
    char *rest[MOST_COUNT];
    double both = entropy_of(texts, count, all);
    for (long i = 0; i < count; i++)
        rest[i] = strchr(texts[i], ' ');
    (void)count_different(rest, count);
    return both - entropy_of(rest, count, all);
}

/* Where the class counts are known, a table has the rest: so many bits of a fixed submission, in the mean over counts.
 */
static void hold_table(const world *w, const ll_scorer *scorer, const ll_channel *c)
{
    double mean = 0;
    char done[MOST_COUNT] = {0}, *texts[MOST_COUNT];
    for (long first = 0; first < w->count && c->once_bits > 0; first++) {
        long own = 0, scored = 0;
        for (long y = first; y < w->count && !done[first]; y++) {
            long counts[2][3] = {{0}};
            for (long i = 0, a = first, b = y; i < w->rows; i++, a /= w->classes, b /= w->classes) {
                counts[0][a % w->classes]++;
                counts[1][b % w->classes]++;
            }
            if (memcmp(counts[0], counts[1], sizeof counts[0]) != 0)
                continue;
            own++;
            done[y] = y > first;
            scored += (texts[scored] = answer(w, scorer, y)) != NULL;
        }
        (void)count_different(texts, scored);
        mean += own > 0 ? (double)own / (double)w->count * entropy_of(texts, scored, own) : 0;
        for (long i = 0; i < scored; i++)
            free(texts[i]);
    }
    if (mean > ll_limit_bits_fixed(c) + 1e-9)
        fail_msg("%s also '%s': %.6g bits beside the class counts, stated %.6g", w->metric, w->also, mean,
                 ll_limit_bits_fixed(c));
}

/* Texts beside those of the groups. */
static long hold_bits(const world *w, const ll_scorer *scorer)
{
    ll_channel c;
    char *texts[MOST_COUNT];
    long count = 0, beside = 0;
    assert_int_equal(ll_channel_init(&c, scorer, NULL), LL_OK);
    for (long y = 0; y < w->count; y++)
        if ((texts[count] = answer(w, scorer, y)) != NULL)
            count++;
    double bits = log2((double)(count_different(texts, count) + (count < w->count)));
    if (bits > ll_limit_bits(&c) + c.once_bits + 1e-9)
        fail_msg("%s also '%s' groups '%s': %.6g bits, stated %.6g", w->metric, w->also, w->groups, bits,
                 ll_limit_bits(&c) + c.once_bits);
    double fixed = ll_limit_bits_fixed(&c) + c.once_bits, entropy = entropy_of(texts, count, w->count);
    if (entropy > fixed + 1e-9)
        fail_msg("%s also '%s' groups '%s': %.6g bits of a submission that is fixed, stated %.6g", w->metric, w->also,
                 w->groups, entropy, fixed);
    if (scorer->groups != NULL) {
        beside = count_beside(texts, count);
        double stated = ll_limit_bits(&c) - bits_of_groups(scorer, ll_limit_bits);
        if (log2((double)beside) > stated + 1e-6)
            fail_msg("%s groups '%s': the first of %ld texts, stated %.6g bits", w->metric, w->groups, beside, stated);
        stated = ll_limit_bits_fixed(&c) - bits_of_groups(scorer, ll_limit_bits_fixed);
        (void)count_different(texts, count);
        assert_true(entropy_beside(texts, count, w->count) <= stated + 1e-6);
    }
    hold_table(w, scorer, &c);
    for (long i = 0; i < count; i++)
        free(texts[i]);
    return beside;
}

/* Does any of them, taken alone? */
static int any_fails(const ll_scorer *scorer)
{
    int fails = 0;
    for (long i = 0; i < ll_scorer_count_numbers(scorer); i++) {
        ll_channel c;
        assert_int_equal(ll_channel_init(&c, ll_scorer_get_number(scorer, i), NULL), LL_OK);
        fails |= c.fails;
    }
    return fails;
}

/* Where a number may fail, that is an answer, too: one more than it has else, a bit more than tables have. */
static void hold_failing(const world *w)
{
    ll_channel c, raising;
    ll_scorer *raises = describe(w, "zero-division", "raise"), *zero = describe(w, "zero-division", "0");
    assert_true(raises != NULL && zero != NULL);
    assert_int_equal(ll_channel_init(&c, zero, NULL), LL_OK);
    assert_int_equal(ll_channel_init(&raising, raises, NULL), LL_OK);
    int by_table = c.once_bits > 0 && raising.once_bits > 0, more = raising.fails && !c.fails;
    double before = ll_limit_bits(&c), bits = ll_limit_bits(&raising);
    if (c.numbers == 0)
        assert_true(more ? exp2(bits) > exp2(before) + 0.999 : bits >= before);
    else if (by_table)
        assert_true(more ? fabs(bits - before - 1) < 1e-9 : bits >= before);
    assert_true(any_fails(raises) == raising.fails && any_fails(zero) == c.fails);
    failing[c.numbers > 0] += more && (c.numbers == 0 || by_table);
    ll_scorer_destroy(raises);
    ll_scorer_destroy(zero);
}

/* Class counts that are told leave two labellings of two rows, which the first number tells apart and the second, under
 * so much noise, does not: no less than the best test gets may be called the limit. */
static void test_told_pairs(void **state)
{
    (void)state;
    for (double size = 0.1; size < 20; size *= 1.5) {
        ll_channel c;
        char also[60], noise[40];
        ll_scorer *s = NULL;
        (void)snprintf(also, sizeof also, "zero-one:noise=laplace:%g", 1e6 * size);
        (void)snprintf(noise, sizeof noise, "laplace:%g", size);
        const char *const set[][2] = {{"metric", "accuracy"}, {"arithmetic", "fp64"}, {"rows", "2"},
                                      {"counts", "1,1"},      {"noise", noise},       {"also", also}};
        assert_int_equal(ll_scorer_create(&s, NULL), LL_OK);
        for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
            assert_int_equal(ll_scorer_set(s, set[i][0], set[i][1], NULL), LL_OK);
        assert_int_equal(ll_scorer_resolve(s, NULL, NULL), LL_OK);
        assert_int_equal(ll_channel_init(&c, s, NULL), LL_OK);
        assert_true(ll_limit_private_share(&c, 1) >= 1 - 0.5 * exp(-1 / (2 * size)) - 1e-9);
        ll_scorer_destroy(s);
    }
}

/* The accuracy of labels 0, 1 for two rows whose counts are known is 0 or 1, each as often: they vary together. */
static void test_told_spread(void **state)
{
    (void)state;
    ll_channel c;
    ll_scorer *s = scorer_of_text("metric=accuracy; arithmetic=fp64; rows=2; counts=1,1");
    assert_int_equal(ll_channel_init(&c, s, NULL), LL_OK);
    assert_true(c.spread >= 0.5);
    ll_scorer_destroy(s);
}

/* Whatever class is predicted for one row, its accuracy varies by P(1 - P), which the spread is no less than. */
static void test_prior_spread(void **state)
{
    (void)state;
    static const char *const priors[] = {"0.4,0.3,0.3", "0.49,0.49,0.02", "0.6,0.3,0.1", "0.25,0.25,0.25,0.25",
                                         "0.2,0.8"};
    for (long i = 0; i < WORLDS_COUNT(priors); i++) {
        ll_channel c;
        ll_scorer *s = scorer_of_text("metric=accuracy; arithmetic=fp64; rows=1; prior=%s", priors[i]);
        assert_int_equal(ll_channel_init(&c, s, NULL), LL_OK);
        for (long k = 0; k < s->prior_count; k++)
            assert_true(c.spread >= sqrt(s->prior[k] * (1 - s->prior[k])));
        ll_scorer_destroy(s);
    }
}

/* ---- all ---- */

static void run(world *w, int is_laplace)
{
    static const char *const decimals[] = {"0", "1", "2"};
    draw_description(w, is_laplace);
    w->count = world_power(w->classes, w->rows);
    w->noisy = describe(w, "noise", w->first);
    if (w->noisy != NULL) {
        char *also = w->also; /* the same numbers without their noise */
        for (char *at; (at = strstr(also, ":noise=")) != NULL;)
            memmove(at, at + strcspn(at, ";"), strlen(at + strcspn(at, ";")) + 1);
        w->plain = describe(w, "noise", "none");
        w->rounded = describe(w, "decimals", decimals[below(3)]);
        w->is_rooted = 1;
        ll_scorer *rooted = describe(w, "decimals", decimals[below(2)]);
        w->is_rooted = 0;
        assert_true(w->plain != NULL && w->rounded != NULL);
        w->numbers = ll_scorer_count_numbers(w->plain);
        draw_predictions(w);
        set_values(w);
        for (long i = 0; i < w->numbers; i++)
            hold_alone(w, i);
        hold_refusals(w, w->noisy);
        if (w->numbers > 1) {
            hold_noise(w, is_laplace);
            (void)hold_bits(w, w->rounded);
            if (rooted != NULL)
                (void)hold_bits(w, rooted);
            worlds++;
        }
        ll_scorer_destroy(rooted);
        hold_failing(w);
        ll_scorer_destroy(w->plain);
        ll_scorer_destroy(w->rounded);
    }
    ll_scorer_destroy(w->noisy);
}

static void test_random_worlds(void **state)
{
    (void)state;
    static world w;
    for (long i = 0; i < 800 * multiplier; i++)
        run(&w, (int)(i % 2));
    print_message("%ld worlds, %ld reached, %ld fail\n", worlds, reached[0] + reached[1], failing[0] + failing[1]);
    assert_true(worlds > 400 && reached[0] > 3 && reached[1] > 3 && failing[0] > 10 && failing[1] > 20);
}

/* Ties at both ends of the step: groups that read 2 and 4 leave 2.5, 3 and 3.5 to all rows, and so three texts. */
static void test_three_texts(void **state)
{
    (void)state;
    world w = {.rows = 2, .classes = 7, .columns = 1, .count = 49, .metric = "mae", .groups = "a,b"};
    ll_scorer *s = scorer_of_text("metric=mae; targets=1.5:4.5:0.5; groups=a,b; arithmetic=exact; decimals=0");
    assert_int_equal(hold_bits(&w, s), 3);
    ll_scorer_destroy(s);
}

/* Noise of its own may move the number of all rows further than the groups' tell: it has more than three texts. */
static void test_noisy_texts(void **state)
{
    (void)state;
    ll_channel c;
    ll_scorer *s = scorer_of_text("metric=mae; targets=0:9:1; groups=a,b; arithmetic=exact; decimals=0; "
                                  "noise=bounded:3; clip-targets=yes");
    assert_int_equal(ll_channel_init(&c, s, NULL), LL_OK);
    assert_true(ll_limit_bits(&c) - bits_of_groups(s, ll_limit_bits) > log2(6)); /* of 0, say: -3 to 3 */
    ll_scorer_destroy(s);
}

/* Thresholds between all rows: each number reads another table of the same submission, and together they tell the
 * labels of all rows but two apart. No fewer bits may be stated than log2 of the answers that there are. */
static void test_thresholds(void **state)
{
    (void)state;
    enum { ROWS = 7, COUNT = 1 << ROWS };
    char *texts[COUNT], also[600] = "";
    double x[ROWS];
    ll_channel c;
    for (long i = 0; i < ROWS; i++) {
        x[i] = (double)(2 * i + 1) / 16;
        if (i > 0)
            (void)snprintf(also + strlen(also), sizeof also - strlen(also),
                           "%saccuracy:decimals=none,threshold=above:%g", i > 1 ? "|" : "", (double)(2 * i) / 16);
    }
    ll_scorer *s =
        scorer_of_text("arithmetic=exact; metric=squared; columns=1; rows=%d; decimals=0; also=%s", ROWS, also);
    for (long l = 0; l < COUNT; l++) {
        int32_t labels[ROWS];
        ll_score score;
        ll_score_init(&score);
        world_labelling(labels, l, ROWS, 2);
        assert_int_equal(score_doubles(&score, s, labels, x, ROWS, 1, NULL), LL_OK);
        texts[l] = strdup(score.text);
        ll_score_clear(&score);
    }
    assert_int_equal(ll_channel_init(&c, s, NULL), LL_OK);
    long different = count_different(texts, COUNT);
    assert_true(different >= 1 << (ROWS - 2));
    assert_true(exp2(ll_limit_bits_alone(&c)) >= (double)different);
    assert_true(exp2(c.once_bits + ll_limit_bits(&c)) >= (double)different);
    for (long l = 0; l < COUNT; l++)
        free(texts[l]);
    ll_scorer_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_worlds), cmocka_unit_test(test_three_texts),
                                       cmocka_unit_test(test_noisy_texts),   cmocka_unit_test(test_told_pairs),
                                       cmocka_unit_test(test_told_spread),   cmocka_unit_test(test_prior_spread),
                                       cmocka_unit_test(test_thresholds)};
    read_environment("x-joint-channel");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
