#include "cli/options/option_value.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ll_status ll_cli_refuse(ll_error *error, const char *option, const char *value, const char *why, const char *accepted)
{
    return ll_fail(error, LL_DOMAIN, "--%s %.80s%s: %s; accepted: %s", option, *value ? value : "''",
                   strlen(value) > 80 ? "..." : "", why, accepted);
}

ll_status ll_cli_read_count(long *out, const char *option, const char *value, long low, long high, ll_error *error)
{
    char accepted[80], *end;
    (void)snprintf(accepted, sizeof accepted, "a whole number from %ld to %ld", low, high);
    errno = 0;
    long number = strtol(value, &end, 10);
    if (!isdigit((unsigned char)value[*value == '-']) || *end) /* no space and no plus */
        return ll_cli_refuse(error, option, value, "not a whole number", accepted);
    if (errno || number < low || number > high)
        return ll_cli_refuse(error, option, value, "out of range", accepted);
    *out = number;
    return LL_OK;
}

static int suffix_shift(const char *suffix)
{
    static const char letters[] = "KMGT";
    const char *letter = *suffix ? strchr(letters, toupper((unsigned char)*suffix)) : NULL;
    if (!*suffix)
        return 0;
    return letter && (!suffix[1] || strcmp(suffix + 1, "iB") == 0) ? 10 * (int)(letter - letters + 1) : -1;
}

ll_status ll_cli_read_bytes(size_t *out, const char *option, const char *value, ll_error *error)
{
    static const char accepted[] = "a number of bytes above 0, with K, M, G or T behind it or not (512M, 8G)";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    int shift = suffix_shift(end);
    if (!isdigit((unsigned char)*value) || shift < 0)
        return ll_cli_refuse(error, option, value, "not a number of bytes", accepted);
    if (errno || number == 0 || number > (SIZE_MAX >> shift))
        return ll_cli_refuse(error, option, value, "out of range", accepted);
    *out = (size_t)number << shift;
    return LL_OK;
}

ll_status ll_cli_read_seconds(double *out, const char *option, const char *value, ll_error *error)
{
    static const char accepted[] = "a number of seconds above 0, up to 1e9";
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end || isspace((unsigned char)*value))
        return ll_cli_refuse(error, option, value, "not a number", accepted);
    if (!(number > 0 && number <= 1e9))
        return ll_cli_refuse(error, option, value, "out of range", accepted);
    *out = number;
    return LL_OK;
}

ll_status ll_cli_read_seed(uint64_t *out, const char *option, const char *value, ll_error *error)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    if (!isdigit((unsigned char)*value) || *end || errno)
        return ll_cli_refuse(error, option, value, "not a seed", "a whole number from 0 to 18446744073709551615");
    *out = number;
    return LL_OK;
}

static ll_status read_exact(const char *text)
{
    ll_block block;
    ll_block_init(&block);
    ll_exact *number = ll_block_reserve_exacts(&block, 1, 1);
    ll_status status = number ? ll_exact_read(number, 0, text, strlen(text)) : LL_MEMORY;
    ll_block_clear(&block);
    return status;
}

/* A number's sign is its mantissa's: a digit other than 0 before the exponent. */
static int is_zero(const char *number)
{
    int hexadecimal = strncasecmp(number, "0x", 2) == 0 || strncasecmp(number, "+0x", 3) == 0;
    const char *digits = hexadecimal ? strpbrk(number, "xX") + 1 : number;
    size_t mantissa = strcspn(digits, hexadecimal ? "pP" : "eE");
    return strspn(digits, "+0.") >= mantissa;
}

ll_status ll_cli_read_positive(double *out, const char *option, const char *value, double most, const char *accepted,
                               ll_error *error)
{
    char percent[64];
    size_t length = value ? strlen(value) : 0;
    if (!value)
        return LL_OK;
    if (length > 1 && value[length - 1] == '%' && length < sizeof percent - 4 && strpbrk(value, "eExX") == NULL) {
        (void)snprintf(percent, sizeof percent, "%.*se-2", (int)length - 1, value);
        return ll_cli_read_positive(out, option, percent, most, accepted, error);
    }
    ll_status status = read_exact(value);
    if (status == LL_MEMORY)
        return ll_fail(error, status, "no memory for the value of --%s", option);
    if (status != LL_OK)
        return ll_cli_refuse(error, option, value, "not a number", accepted);
    if (*value == '-' || is_zero(value))
        return ll_cli_refuse(error, option, value, "not above 0", accepted);
    *out = strtod(value, NULL);
    return *out > 0 && *out <= most ? LL_OK : ll_cli_refuse(error, option, value, "out of range", accepted);
}
