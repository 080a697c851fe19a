/* What the tests of the audit share: scorers, audits and attacks in one call. */
#ifndef LL_TESTS_AUDIT_TOOLS_H
#define LL_TESTS_AUDIT_TOOLS_H

#include "audit/audit_private.h"
#include "curator_tools.h"
#include "scorer_tools.h"

static inline int is_long(void)
{
    const char *text = getenv("LL_TEST_LONG");
    return text && *text && strcmp(text, "0") != 0;
}

static inline int is_light(void)
{
    return getenv("LL_TEST_LIGHT") != NULL;
}

/* `few` usually, a third of it under sanitizers, `many` in the long tests. */
static inline long trials(long few, long many)
{
    return is_long() ? many : is_light() ? 1 + few / 3 : few;
}

/* A profile with two classes; decimals below 0: its own. */
static inline ll_scorer *profile(const char *name, long rows, int decimals)
{
    char text[40] = "";
    if (decimals >= 0)
        (void)snprintf(text, sizeof text, "decimals=%d", decimals);
    return scorer_of_text("scorer=%s; rows=%ld; classes=%ld; %s", name, rows, profile_classes(name), text);
}

/* Changes that replace the scorer itself. */
static inline void change(ll_scorer **s, const char *text)
{
    ll_scorer *old = *s;
    *s = vary_scorer(old, "%s", text);
    ll_scorer_destroy(old);
}

static inline const char *metric_of(const ll_scorer *s)
{
    return ll_scorer_get(s, "metric");
}

static inline const char *name_of(const ll_scorer *s)
{
    const char *name = ll_scorer_get(s, "scorer");
    return name != NULL && *name ? name : metric_of(s);
}

static inline const ll_plan_choice *choice(const ll_audit *a, long index)
{
    return ll_audit_get_choice(a, index);
}

static inline const ll_defence *defence(const ll_audit *a, long index)
{
    return ll_audit_get_defence(a, index);
}

static inline void audit(ll_audit *a, const ll_scorer *s, int defences)
{
    ll_audit_request request;
    ll_error error = {0};
    ll_audit_request_init(&request);
    request.without_defences = !defences;
    ll_audit_init(a);
    if (ll_audit_run(a, s, &request, &error) != LL_OK)
        fail_msg("audit of %s, %ld rows: %s", name_of(s), s->rows, error.text);
}

static inline ll_status run_attack(const ll_scorer *s, const ll_plan_request *request, ll_verdict *verdict,
                                   int32_t *labels, ll_error *error)
{
    ll_plan *plan;
    ll_curator *curator;
    ll_status status = ll_plan_create(&plan, s, request, error);
    if (status != LL_OK)
        return status;
    for (long i = 0; i < s->rows; i++)
        labels[i] = (int32_t)below(s->classes);
    assert_int_equal(ll_curator_create(&curator, s, labels, s->rows, error), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    status = ll_attack_run(plan, verdict, &oracle, NULL, error);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
    return status;
}

#endif
