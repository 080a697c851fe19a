/* A formula as a function of labels, by the paper's library alone: (x1), true at 1 only; f(0) = 1 * 2^0, f(1) = 0. */
#include <lossleak/paper.h>
#include <stdio.h>

int main(void)
{
    const size_t starts[] = {0, 1};
    const int32_t literals[] = {1}, labels[] = {0};
    const ll_cnf cnf = {1, 1, starts, literals};
    ll_hardness answer;
    char *value = NULL;
    ll_error error = {LL_OK, ""};
    ll_hardness_init(&answer);
    ll_status status = ll_hardness_decide(&answer, &cnf, NULL, &error);
    if (status == LL_OK)
        status = ll_hardness_value(&value, &cnf, labels, &error);
    if (status == LL_OK)
        printf("models %ld, f(0) = %s\n", answer.models, value);
    else
        fprintf(stderr, "%s\n", error.text);
    ll_free(value);
    ll_hardness_clear(&answer);
    return status == LL_OK ? 0 : 1;
}
