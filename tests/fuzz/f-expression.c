/* Expressions: what is accepted can be evaluated, in doubles, in a small format and in balls with two derivatives. */
#include "fuzz.h"
#include "number/exact.h"
#include "number/expression.h"

static void evaluate(const ll_expression *expression, const char *arithmetic)
{
    ll_arithmetic a;
    ll_value v[5]; /* value, two derivatives, x, alpha */
    LL_FUZZ_CHECK(ll_arithmetic_parse(&a, arithmetic, NULL) == LL_OK);
    for (int i = 0; i < 5; i++)
        a.ops->init(&a, &v[i]);
    ll_exact point;
    ll_exact_init(&point);
    for (int i = 3; i < 5; i++) {
        ll_exact_set_d(&point, i == 3 ? 0.375 : 2.5);
        a.ops->set_exact(&a, &v[i], &point);
    }
    ll_exact_clear(&point);
    ll_expression_evaluate(expression, &a, &v[0], &v[1], &v[2], &v[3], &v[4]);
    for (int i = 0; i < 5; i++)
        a.ops->clear(&a, &v[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = ll_fuzz_text(data, size);
    ll_expression *expression = NULL;
    ll_error error;
    if (ll_fuzz_status(ll_expression_create(&expression, text, &error), &error) == LL_OK) {
        evaluate(expression, "fp64");
        evaluate(expression, "fpa:16");
        evaluate(expression, "exact");
        ll_expression_destroy(expression);
    }
    free(text);
    return 0;
}
