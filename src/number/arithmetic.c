/* Which table computes which arithmetic; the tables are in arithmetic_ball.c, arithmetic_fpa.c and
 * arithmetic_native.c. */
#include "number/arithmetic.h"

#include <string.h>

static const ll_format fp64 = {11, 52}, fp32 = {8, 23};

void ll_arithmetic_set_ball(ll_arithmetic *out, slong prec)
{
    *out = (ll_arithmetic){.ops = &ll_arithmetic_ball, .prec = prec};
}

void ll_arithmetic_set_format(ll_arithmetic *out, ll_format format)
{
    *out = (ll_arithmetic){.ops = &ll_arithmetic_fpa, .format = format};
}

static ll_status parse_format(ll_arithmetic *out, const char *name, ll_error *error)
{
    ll_format format;
    ll_status status = ll_format_parse(&format, name, error);
    if (status == LL_OK)
        ll_arithmetic_set_format(out, format);
    return status;
}

ll_status ll_arithmetic_parse(ll_arithmetic *out, const char *name, ll_error *error)
{
    if (!strcmp(name, "exact"))
        ll_arithmetic_set_ball(out, 128);
    else if (!strcmp(name, "fp64"))
        *out = (ll_arithmetic){.ops = &ll_arithmetic_fp64, .format = fp64};
    else if (!strcmp(name, "fp32"))
        *out = (ll_arithmetic){.ops = &ll_arithmetic_fp32, .format = fp32};
    else if (!strncmp(name, "fpa:", strlen("fpa:")))
        return parse_format(out, name, error);
    else if (parse_format(out, name, NULL) != LL_OK)
        return ll_fail(error, LL_DOMAIN, "unknown arithmetic '%.60s': known are exact, " LL_FORMAT_NAMES, name);
    return LL_OK;
}

void ll_value_set_si(const ll_arithmetic *a, ll_value *out, long x)
{
    ll_exact number;
    ll_exact_init(&number);
    ll_exact_set_si(&number, x);
    a->ops->set_exact(a, out, &number);
    ll_exact_clear(&number);
}
