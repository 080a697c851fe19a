/* What does an F1 leaderboard of 20,000 rows give away in 300 submissions? C and C++ compile it alike.
 *
 *     cc audit.c $(pkg-config --cflags --libs lossleak) -o audit && ./audit
 */
#include <lossleak.h>
#include <stdio.h>

static ll_status describe(ll_scorer **out, ll_error *error)
{
    static const char *const settings[][2] = {
        {"metric", "f1"}, {"rows", "20000"}, {"decimals", "5"}, {"queries", "300"}};
    ll_status status = ll_scorer_create(out, error);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == LL_OK; i++)
        status = ll_scorer_set(*out, settings[i][0], settings[i][1], error);
    return status == LL_OK ? ll_scorer_resolve(*out, NULL, error) : status;
}

int main(void)
{
    ll_scorer *scorer = NULL;
    ll_audit_request request;
    ll_audit audit;
    ll_error error;
    ll_audit_request_init(&request);
    ll_audit_init(&audit);
    request.without_defences = 1;
    ll_status status = describe(&scorer, &error);
    if (status == LL_OK)
        status = ll_audit_run(&audit, scorer, &request, &error);
    if (status == LL_OK)
        printf("%s\n", audit.answer);
    else
        fprintf(stderr, "%s\n", error.text);
    ll_audit_clear(&audit);
    ll_scorer_destroy(scorer);
    return status == LL_OK ? 0 : 1;
}
