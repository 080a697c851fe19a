/* The table of losses: vectors from mpmath, closed forms against the expressions, floats operation by operation, rows,
 * labels, every error. Weights and reaches: t-weight.c. */
#include "metric_bench.h"

#include "metric/metric_private.h"

#include <math.h>

static const char *const losses[] = {
    "log-loss",         "sigmoid-ce", "softmax-ce",
    "itakura-saito",    "squared",    "norm:2",
    "norm:2.7",         "norm:40",    "bregman:x*log(x)+(1-x)*log(1-x)",
    "bregman:x^2",      "accuracy",   "zero-one",
    "bregman:exp(x)-x", "lp:2",       "norm:1e3",
};
#define LOSS_COUNT ((long)(sizeof losses / sizeof losses[0]))

/* ---- the table ---- */

static void test_table(void **state)
{
    static const char *const names[] = {"log-loss", "sigmoid-ce", "softmax-ce",  "itakura-saito",
                                        "squared",  "norm:ALPHA", "focal:GAMMA", "bregman:EXPR",
                                        "accuracy", "zero-one",   "lp:P"};
    (void)state;
    const long sums = sizeof names / sizeof *names;
    assert_true(ll_metric_count() > sums);
    for (long i = 0; i < ll_metric_count(); i++) {
        const ll_metric_info *info = ll_metric_get_info(i);
        if (i < sums)
            assert_string_equal(info->name, names[i]);
        assert_true(info->input[0] && info->reach[0] && info->classes[0] && info->summary[0] && info->link[0]);
        if (info->formula == NULL)
            assert_true(info->when_one[0] && info->when_zero[0] && info->weight[0]);
        for (long j = 0; j < i; j++)
            assert_string_not_equal(info->name, ll_metric_get_info(j)->name);
    }
    assert_null(ll_metric_get_info(-1));
    assert_null(ll_metric_get_info(ll_metric_count()));
}

static void test_rows(void **state)
{
    static const struct {
        const char *name;
        ll_input input;
        ll_form form;
    } rows[] = {
        {"log-loss", LL_INPUT_PROBABILITY, LL_FORM_COORDINATE}, {"sigmoid-ce", LL_INPUT_LOGIT, LL_FORM_BINARY},
        {"softmax-ce", LL_INPUT_LOGIT, LL_FORM_SOFTMAX},        {"squared", LL_INPUT_PROBABILITY, LL_FORM_BRIER},
        {"norm:2", LL_INPUT_PROBABILITY, LL_FORM_BINARY},       {"lp:1", LL_INPUT_LABEL, LL_FORM_MATCH}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ll_metric *loss = open_loss(rows[i].name);
        assert_int_equal(ll_metric_input(loss), rows[i].input);
        assert_int_equal(ll_metric_form(loss), rows[i].form);
        assert_int_equal(ll_metric_is_sum(loss), rows[i].name[0] == 'l' && rows[i].name[1] == 'p');
        assert_int_equal(ll_metric_is_convex(loss), LL_TRUE);
        assert_int_equal(ll_metric_parameter(loss) != NULL, strchr(rows[i].name, ':') != NULL);
        assert_memory_equal(ll_metric_row(loss)->name, rows[i].name, strcspn(rows[i].name, ":"));
        ll_metric_destroy(loss);
    }
    ll_metric_destroy(NULL);
}

static void refused(const char *name, const char *part)
{
    ll_metric *loss = NULL;
    ll_error error = {0};
    if (ll_metric_create(&loss, name, &error) != LL_DOMAIN || loss || !strstr(error.text, part))
        fail_msg("%s: %s", name, loss ? "not refused" : error.text);
    assert_int_equal(error.status, LL_DOMAIN);
    assert_int_equal(ll_metric_create(&loss, name, NULL), LL_DOMAIN);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("log-los", "did you mean log-loss?");
    refused("squarred", "did you mean squared?");
    refused("", "not modelled; that does not mean it is safe");
    refused("normm:3", "did you mean norm:ALPHA?");
    refused("a name that is a good deal longer than any loss there could ever be", "not modelled");
    refused("log-loss:2", "takes no parameter");
    refused("norm", "lacks its parameter");
    refused("norm:", "lacks its parameter");
    refused("norm:1.5", "at least 2");
    refused("norm:1.99999999999999999999999999999", "at least 2");
    refused("norm:1e301", "at most 1e300");
    refused("lp:0", "above 0");
    refused("lp:inf", "above 0");
    refused("bregman:", "lacks its parameter");
    refused("bregman:x^^2", "column 3");
    refused("bregman:sin(x)", "column 1");
    refused("bregman:alpha*x^2", "alpha");
}

/* ---- vectors ---- */

static void score_vector(char **words, long count, const char *line)
{
    ll_metric *loss = open_loss(words[0]);
    ll_arithmetic a;
    ll_value x, out;
    arb_t wanted;
    assert_int_equal(count, 4);
    ll_arithmetic_set_ball(&a, 4000);
    arb_init(x.ball);
    arb_init(out.ball);
    arb_init(wanted);
    ball_text(x.ball, words[2], 4000);
    ball_rounded(wanted, words[3]);
    if (ll_metric_score(loss, &a, &out, &x, 1, strtol(words[1], NULL, 10)) != LL_OK)
        fail_msg("%s", line);
    check_ball(line, out.ball, wanted, 170);
    arb_clear(x.ball);
    arb_clear(out.ball);
    arb_clear(wanted);
    ll_metric_destroy(loss);
}

static void infinite_vector(char **words, long count, const char *line)
{
    static const char *const arithmetics[] = {"exact", "fp64", "fp32", "fp16"};
    ll_metric *loss = open_loss(words[0]);
    ll_exact number;
    assert_int_equal(count, 3);
    ll_exact_init(&number);
    set_text(&number, words[2]);
    for (int i = 0; i < 4; i++) {
        ll_arithmetic a;
        ll_value x, out;
        assert_int_equal(ll_arithmetic_parse(&a, arithmetics[i], NULL), LL_OK);
        a.ops->init(&a, &x);
        a.ops->init(&a, &out);
        a.ops->set_exact(&a, &x, &number);
        if (ll_metric_score(loss, &a, &out, &x, 1, strtol(words[1], NULL, 10)) != LL_DOMAIN)
            fail_msg("%s in %s", line, arithmetics[i]);
        a.ops->clear(&a, &x);
        a.ops->clear(&a, &out);
    }
    ll_exact_clear(&number);
    ll_metric_destroy(loss);
}

static void row_vector(char **words, long count, const char *line)
{
    ll_metric *loss = open_loss(words[0]);
    long columns = count - 3;
    ll_arithmetic a;
    ll_value row[64], out;
    arb_t wanted;
    ll_arithmetic_set_ball(&a, 256);
    arb_init(out.ball);
    arb_init(wanted);
    for (long j = 0; j < columns; j++) {
        arb_init(row[j].ball);
        ball_text(row[j].ball, words[3 + j], 256);
    }
    ball_rounded(wanted, words[2]);
    if (ll_metric_score(loss, &a, &out, row, columns, strtol(words[1], NULL, 10)) != LL_OK)
        fail_msg("%s", line);
    check_ball(line, out.ball, wanted, 230);
    for (long j = 0; j < columns; j++)
        arb_clear(row[j].ball);
    arb_clear(out.ball);
    arb_clear(wanted);
    ll_metric_destroy(loss);
}

static void test_vectors(void **state)
{
    (void)state;
    assert_true(each_vector("score", score_vector) > 300);
    assert_true(each_vector("infinite", infinite_vector) > 5);
    assert_true(each_vector("row", row_vector) > 30);
}

/* ---- closed forms against the expressions ---- */

/* A dyadic x of the loss's domain: ordinary, or near an end or 1/2; a logit of any size; a label. */
static void random_input(arb_t out, const ll_metric *loss)
{
    arb_set_ui(out, 1 + draw(1 << 20));
    arb_mul_2exp_si(out, out, -21);
    switch (draw(4)) {
    case 0:
        arb_mul_2exp_si(out, out, -(slong)draw(300));
        break;
    case 1:
        arb_mul_2exp_si(out, out, -(slong)draw(300));
        arb_sub_ui(out, out, 1, ARF_PREC_EXACT);
        arb_neg(out, out);
        break;
    case 2:
        arb_mul_2exp_si(out, out, -(slong)draw(300) - 2);
        arb_mul_si(out, out, draw(2) ? 2 : -2, ARF_PREC_EXACT);
        arb_add_ui(out, out, 1, ARF_PREC_EXACT);
        arb_mul_2exp_si(out, out, -1);
        break;
    }
    if (ll_metric_input(loss) == LL_INPUT_LOGIT) {
        arb_mul_2exp_si(out, out, (slong)draw(12));
        arb_mul_si(out, out, draw(2) ? 1 : -1, ARF_PREC_EXACT);
    } else if (ll_metric_input(loss) == LL_INPUT_LABEL) {
        arb_set_ui(out, draw(2));
    }
}

/* s(1,x) or s(0,x) by the text of the row, at a precision beyond all cancellation. */
static void by_expression(arb_t out, const ll_metric *loss, const char *text, const arb_t x)
{
    ll_expression *e = NULL;
    ll_arithmetic a;
    ll_value at, alpha, value;
    ll_arithmetic_set_ball(&a, 3000);
    arb_init(at.ball);
    arb_init(alpha.ball);
    arb_init(value.ball);
    arb_set(at.ball, x);
    if (ll_metric_parameter(loss))
        ll_exact_get_ball(alpha.ball, ll_metric_parameter(loss), 3000);
    assert_int_equal(ll_expression_create(&e, text, NULL), LL_OK);
    ll_expression_evaluate(e, &a, &value, NULL, NULL, &at, &alpha);
    arb_swap(out, value.ball);
    ll_expression_destroy(e);
    arb_clear(at.ball);
    arb_clear(alpha.ball);
    arb_clear(value.ball);
}

static void compare_once(const char *name, const ll_metric *loss)
{
    ll_arithmetic a;
    ll_value x, score;
    arb_t one, zero, weight;
    ll_arithmetic_set_ball(&a, 128);
    arb_init(x.ball);
    arb_init(score.ball);
    arb_init(one);
    arb_init(zero);
    arb_init(weight);
    random_input(x.ball, loss);
    by_expression(one, loss, ll_metric_row(loss)->when_one, x.ball);
    by_expression(zero, loss, ll_metric_row(loss)->when_zero, x.ball);
    assert_int_equal(ll_metric_score(loss, &a, &score, &x, 1, 1), LL_OK);
    check_ball(name, score.ball, one, -WORD_MAX);
    assert_int_equal(ll_metric_score(loss, &a, &score, &x, 1, 0), LL_OK);
    check_ball(name, score.ball, zero, -WORD_MAX);
    arb_sub(one, one, zero, 3000);
    assert_int_equal(weight_at(loss, weight, x.ball, 128), LL_OK);
    check_ball(name, weight, one, 110);
    arb_clear(x.ball);
    arb_clear(score.ball);
    arb_clear(one);
    arb_clear(zero);
    arb_clear(weight);
}

static void test_closed_forms(void **state)
{
    (void)state;
    for (long i = 0; i < LOSS_COUNT; i++) {
        ll_metric *loss = open_loss(losses[i]);
        for (long k = 0; k < 60 * multiplier && !strstr(losses[i], "bregman"); k++)
            compare_once(losses[i], loss);
        ll_metric_destroy(loss);
    }
}

/* phi = x ln x + (1-x) ln(1-x) is log-loss, x^2 the squared error, and norm:2 twice that. */
static void same_loss(const char *left, const char *right, long factor)
{
    ll_metric *a = open_loss(left), *b = open_loss(right);
    ll_arithmetic ball;
    ll_value x, s, t;
    ll_arithmetic_set_ball(&ball, 500);
    arb_init(x.ball);
    arb_init(s.ball);
    arb_init(t.ball);
    for (long k = 0; k < 40 * multiplier; k++) {
        random_input(x.ball, a);
        for (long label = 0; label < 2; label++) {
            assert_int_equal(ll_metric_score(a, &ball, &s, &x, 1, label), LL_OK);
            assert_int_equal(ll_metric_score(b, &ball, &t, &x, 1, label), LL_OK);
            arb_mul_si(t.ball, t.ball, factor, 500);
            check_ball(left, s.ball, t.ball, -WORD_MAX);
        }
        assert_int_equal(weight_at(a, s.ball, x.ball, 500), LL_OK);
        assert_int_equal(weight_at(b, t.ball, x.ball, 500), LL_OK);
        arb_mul_si(t.ball, t.ball, factor, 500);
        check_ball(left, s.ball, t.ball, 480);
    }
    arb_clear(x.ball);
    arb_clear(s.ball);
    arb_clear(t.ball);
    ll_metric_destroy(a);
    ll_metric_destroy(b);
}

static void test_relatives(void **state)
{
    (void)state;
    same_loss("bregman:x*log(x)+(1-x)*log(1-x)", "log-loss", 1);
    same_loss("bregman:x^2", "squared", 1);
    same_loss("norm:2", "squared", 2);
    same_loss("bregman:2*x^2-x+3", "norm:2", 1);
    same_loss("softmax-ce", "sigmoid-ce", 1);
}

/* ---- floats ---- */

static double in_double(const char *name, double x, long label)
{
    double a = 2.7, y = label ? x : 1 - x, z = label ? 1 - x : x;
    if (!strcmp(name, "log-loss"))
        return -log(y);
    if (!strcmp(name, "sigmoid-ce"))
        return log(1 + exp(label ? -x : x));
    if (!strcmp(name, "itakura-saito"))
        return 1 / y + log(y) - 1;
    if (!strcmp(name, "squared"))
        return label ? (1 - x) * (1 - x) : x * x;
    if (!strcmp(name, "norm:2.7"))
        return 1 + (a - 1) * pow(y, a) - a * pow(y, a - 1) + (a - 1) * pow(z, a);
    return (double)label * label - x * x - 2 * x * ((double)label - x); /* bregman:x^2 */
}

static void test_doubles(void **state)
{
    static const char *const names[] = {"log-loss", "sigmoid-ce", "itakura-saito",
                                        "squared",  "norm:2.7",   "bregman:x^2"};
    ll_arithmetic a;
    ll_value x, out;
    (void)state;
    assert_int_equal(ll_arithmetic_parse(&a, "fp64", NULL), LL_OK);
    for (int i = 0; i < 6; i++) {
        ll_metric *loss = open_loss(names[i]);
        for (long k = 0; k < 200 * multiplier; k++) {
            double want;
            long label = (long)draw(2);
            x.native = ldexp((double)(1 + draw((1UL << 53) - 2)), -53 - (int)(draw(2) * draw(40)));
            want = in_double(names[i], x.native, label);
            assert_int_equal(ll_metric_score(loss, &a, &out, &x, 1, label), LL_OK);
            if (out.native != want)
                fail_msg("%s label %ld at %a: %a, wanted %a", names[i], label, x.native, out.native, want);
        }
        ll_metric_destroy(loss);
    }
}

/* The softmax loss in doubles is ln(sum exp(z_j - m)) - (z_k - m), and logits past exp's range are fine. */
static void test_double_rows(void **state)
{
    ll_metric *loss = open_loss("softmax-ce"), *brier = open_loss("squared"), *sigmoid = open_loss("sigmoid-ce");
    ll_arithmetic a;
    ll_value z[3] = {{.native = 1000}, {.native = 999.5}, {.native = -5}}, out;
    (void)state;
    assert_int_equal(ll_arithmetic_parse(&a, "fp64", NULL), LL_OK);
    assert_int_equal(ll_metric_score(loss, &a, &out, z, 3, 1), LL_OK);
    assert_true(out.native == log(1 + exp(-0.5) + exp(-1005.0)) - -0.5);
    assert_int_equal(ll_metric_score(sigmoid, &a, &out, z, 1, 0), LL_DOMAIN);
    z[0].native = 0.2;
    z[1].native = 0.3;
    z[2].native = 0.5;
    assert_int_equal(ll_metric_score(brier, &a, &out, z, 3, 2), LL_OK);
    assert_true(out.native == 0.2 * 0.2 + 0.3 * 0.3 + 0.5 * 0.5);
    assert_int_equal(ll_metric_score(brier, &a, &out, z, 3, 3), LL_DOMAIN);
    assert_int_equal(ll_metric_score(brier, &a, &out, z, 3, -1), LL_DOMAIN);
    assert_int_equal(ll_metric_score(brier, &a, &out, z, 0, 0), LL_DOMAIN);
    assert_int_equal(ll_metric_score(sigmoid, &a, &out, z, 2, 0), LL_DOMAIN);
    ll_metric_destroy(loss);
    ll_metric_destroy(brier);
    ll_metric_destroy(sigmoid);
}

/* bf16: -log(1 - x) rounds 1 - x first; a probability below half an ulp of 1 costs nothing. */
static void test_small_format(void **state)
{
    ll_metric *loss = open_loss("log-loss");
    ll_arithmetic a;
    ll_value x, out;
    (void)state;
    assert_int_equal(ll_arithmetic_parse(&a, "bf16", NULL), LL_OK);
    a.ops->init(&a, &x);
    a.ops->init(&a, &out);
    mpfr_set_d(x.fpa, 0x1p-10, MPFR_RNDN);
    assert_int_equal(ll_metric_score(loss, &a, &out, &x, 1, 0), LL_OK);
    assert_true(mpfr_zero_p(out.fpa));
    mpfr_set_d(x.fpa, 0.5, MPFR_RNDN);
    assert_int_equal(ll_metric_score(loss, &a, &out, &x, 1, 1), LL_OK);
    assert_true(mpfr_get_d(out.fpa, MPFR_RNDN) == 0.69140625);
    a.ops->clear(&a, &x);
    a.ops->clear(&a, &out);
    ll_metric_destroy(loss);
}

/* ---- labels ---- */

static void test_labels(void **state)
{
    static const char *const names[] = {"accuracy", "zero-one", "lp:3"};
    ll_arithmetic a;
    ll_value x, out;
    (void)state;
    assert_int_equal(ll_arithmetic_parse(&a, "fp64", NULL), LL_OK);
    for (int i = 0; i < 3; i++) {
        ll_metric *loss = open_loss(names[i]);
        for (long predicted = 0; predicted < 5; predicted++)
            for (long label = 0; label < 5; label++) {
                x.native = (double)predicted;
                assert_int_equal(ll_metric_score(loss, &a, &out, &x, 1, label), LL_OK);
                assert_true(out.native == (i == 0 ? predicted == label : predicted != label));
            }
        x.native = 0.5;
        assert_int_equal(ll_metric_score(loss, &a, &out, &x, 1, 0), LL_DOMAIN);
        x.native = -1;
        assert_int_equal(ll_metric_score(loss, &a, &out, &x, 1, 0), LL_DOMAIN);
        x.native = NAN;
        assert_int_not_equal(ll_metric_score(loss, &a, &out, &x, 1, 0), LL_OK);
        ll_metric_destroy(loss);
    }
}

/* ---- large rows, large logits ---- */

static void test_many_classes(void **state)
{
    enum { CLASSES = 3000 };
    ll_metric *loss = open_loss("softmax-ce");
    ll_arithmetic a;
    static ll_value row[CLASSES];
    ll_value out;
    arb_t want;
    (void)state;
    ll_arithmetic_set_ball(&a, 200);
    arb_init(out.ball);
    arb_init(want);
    for (long j = 0; j < CLASSES; j++)
        arb_init(row[j].ball);
    assert_int_equal(ll_metric_score(loss, &a, &out, row, CLASSES, 17), LL_OK);
    arb_log_ui(want, CLASSES, 400);
    check_ball("ln 3000", out.ball, want, 190);
    for (long j = 0; j < CLASSES; j++)
        arb_clear(row[j].ball);
    arb_clear(out.ball);
    arb_clear(want);
    ll_metric_destroy(loss);
}

/* z = (10^70000, 10^70000 + 1, -10^70000): only exact differences tell the first two apart. */
static void test_large_logits(void **state)
{
    ll_metric *loss = open_loss("softmax-ce");
    ll_arithmetic a;
    ll_value z[3], out;
    arb_t want;
    fmpz_t ten;
    (void)state;
    ll_arithmetic_set_ball(&a, 100);
    fmpz_init(ten);
    arb_init(out.ball);
    arb_init(want);
    for (int j = 0; j < 3; j++)
        arb_init(z[j].ball);
    fmpz_set_ui(ten, 10);
    fmpz_pow_ui(ten, ten, 70000);
    arb_set_fmpz(z[0].ball, ten);
    arb_neg(z[2].ball, z[0].ball);
    arb_add_ui(z[1].ball, z[0].ball, 1, ARF_PREC_EXACT);
    assert_int_equal(ll_metric_score(loss, &a, &out, z, 3, 0), LL_OK);
    arb_set_si(want, -1);
    arb_exp(want, want, 300);
    arb_log1p(want, want, 300);
    arb_add_ui(want, want, 1, 300);
    check_ball("1 + ln(1 + 1/e)", out.ball, want, 95);
    assert_int_equal(ll_metric_score(loss, &a, &out, z, 3, 2), LL_OK);
    arb_set_fmpz(want, ten);
    arb_mul_2exp_si(want, want, 1);
    check_ball("2*10^70000", out.ball, want, 95);
    /* alone against z[0]: e^-(2*10^70000), too small to matter */
    arb_swap(z[1].ball, z[2].ball);
    assert_int_equal(ll_metric_score(loss, &a, &out, z, 2, 0), LL_OK);
    assert_true(mag_cmp_2exp_si(arb_radref(out.ball), -1000000) < 0 &&
                arf_cmpabs_2exp_si(arb_midref(out.ball), -1000000) < 0);
    for (int j = 0; j < 3; j++)
        arb_clear(z[j].ball);
    fmpz_clear(ten);
    arb_clear(out.ball);
    arb_clear(want);
    ll_metric_destroy(loss);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),   cmocka_unit_test(test_rows),         cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_vectors), cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_relatives),
        cmocka_unit_test(test_doubles), cmocka_unit_test(test_double_rows),  cmocka_unit_test(test_small_format),
        cmocka_unit_test(test_labels),  cmocka_unit_test(test_many_classes), cmocka_unit_test(test_large_logits),
    };
    int failed;
    read_environment();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
