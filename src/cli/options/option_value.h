/* Values of options, from text. Every refusal is one line: the option, the value, why, and what is accepted. */
#ifndef LL_CLI_OPTION_VALUE_H
#define LL_CLI_OPTION_VALUE_H

#include "lossleak.h"

/* "--option value: why; accepted: ..."; LL_DOMAIN. */
ll_status ll_cli_refuse(ll_error *error, const char *option, const char *value, const char *why, const char *accepted);

/* A whole number in low..high. */
LL_CHECK ll_status ll_cli_read_count(long *out, const char *option, const char *value, long low, long high,
                                     ll_error *error);
/* Bytes: a positive number with K, M, G or T (of 1024) behind it or not. */
LL_CHECK ll_status ll_cli_read_bytes(size_t *out, const char *option, const char *value, ll_error *error);
/* Seconds above 0. */
LL_CHECK ll_status ll_cli_read_seconds(double *out, const char *option, const char *value, ll_error *error);
LL_CHECK ll_status ll_cli_read_seed(uint64_t *out, const char *option, const char *value, ll_error *error);
/* A number above 0 and at most `most`, decimal or hexadecimal, with an exponent of any length, or
 * a percentage (40%). *out stays where the
 * option is not given (NULL). */
LL_CHECK ll_status ll_cli_read_positive(double *out, const char *option, const char *value, double most,
                                        const char *accepted, ll_error *error);

#endif
