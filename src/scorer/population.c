/* Who is scored: rows, classes and what is known of them, groups, a hidden public split; and how many answers there
 * are. */
#include "scorer/groups.h"
#include "scorer/scorer.h"

#include "number/text_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

long ll_scorer_count(const ll_scorer *s, ll_setting setting)
{
    const char *text = ll_scorer_text(s, setting);
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

static ll_status resolve_prior(ll_scorer *s, ll_error *error)
{
    const char *text = ll_scorer_text(s, LL_SET_PRIOR);
    if (text == NULL)
        return LL_OK;
    s->prior_count = 1;
    for (const char *c = text; *c; c++)
        s->prior_count += *c == ',';
    if (s->classes > 0 && s->prior_count != s->classes)
        return ll_fail(error, LL_DOMAIN, "the prior has %ld shares, not one a class", s->prior_count);
    s->classes = s->prior_count;
    s->prior = calloc((size_t)s->prior_count, sizeof *s->prior);
    if (s->prior == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a prior");
    for (long i = 0; i < s->prior_count; i++) {
        char *end;
        s->prior[i] = ll_read_double(text, &end);
        text = end + 1;
    }
    return LL_OK;
}

/* Known counts say how many classes and rows there are. */
static ll_status resolve_counts(ll_scorer *s, ll_error *error)
{
    const char *text = ll_scorer_text(s, LL_SET_COUNTS);
    long classes = 1, rows = 0;
    if (text == NULL)
        return LL_OK;
    for (const char *c = text; *c; c++)
        classes += *c == ',';
    if (s->classes > 0 && classes != s->classes)
        return ll_fail(error, LL_DOMAIN, "the counts are of %ld classes, not of %ld", classes, s->classes);
    s->counts = calloc((size_t)classes, sizeof *s->counts);
    if (s->counts == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for the counts of %ld classes", classes);
    for (long i = 0; i < classes; i++) {
        char *end;
        s->counts[i] = strtol(text, &end, 10);
        rows += s->counts[i];
        text = end + 1;
    }
    if (rows < 1 || (s->rows > 0 && rows != s->rows))
        return ll_fail(error, LL_DOMAIN, "the counts add up to %ld, not to the rows", rows);
    s->classes = classes;
    s->rows = rows;
    return LL_OK;
}

/* floor and ceiling of share * rows */
static ll_status set_share(ll_scorer *s, const char *text, ll_error *error)
{
    ll_exact share;
    fmpq_t part;
    fmpz_t end;
    ll_exact_init(&share);
    fmpq_init(part);
    fmpz_init(end);
    int read = ll_exact_set_text(&share, text, strlen(text)) == LL_OK && ll_exact_get_fmpq(part, &share);
    fmpz_mul_si(fmpq_numref(part), fmpq_numref(part), s->rows);
    fmpz_fdiv_q(end, fmpq_numref(part), fmpq_denref(part));
    s->counted_least = fmpz_sgn(end) > 0 ? fmpz_get_si(end) : 1;
    fmpz_cdiv_q(end, fmpq_numref(part), fmpq_denref(part));
    s->counted_most = fmpz_get_si(end);
    ll_exact_clear(&share);
    fmpq_clear(part);
    fmpz_clear(end);
    return read ? LL_OK : ll_fail(error, LL_DOMAIN, "public %s: its exponent is too large", text);
}

/* What the text says of the number of rows that count: sure of its ends where the rows are known. */
static ll_status resolve_public(ll_scorer *s, ll_error *error)
{
    const char *text = ll_scorer_text(s, LL_SET_PUBLIC);
    s->is_part = text != NULL;
    s->states = (s->classes > 0 ? s->classes : 2) + s->is_part;
    s->counted_least = s->counted_most = s->rows;
    if (!s->is_part)
        return LL_OK;
    if (s->counts != NULL)
        return ll_fail(error, LL_DOMAIN,
                       "public %s: counts are for all rows, not for a hidden public split; remove them", text);
    int is_count = strspn(text, "0123456789") == strlen(text);
    if (is_count && s->rows > 0 && strtol(text, NULL, 10) > s->rows)
        return ll_fail(error, LL_DOMAIN, "public %s: there are %ld rows", text, s->rows);
    if (is_count)
        s->counted_least = s->counted_most = strtol(text, NULL, 10);
    else if (s->rows > 0 && strcmp(text, "unknown") != 0)
        return set_share(s, text, error);
    else if (s->rows > 0)
        s->counted_least = 1;
    return LL_OK;
}

/* Groups say how many rows there are. */
static ll_status resolve_groups(ll_scorer *s, ll_error *error)
{
    const char *text = ll_scorer_text(s, LL_SET_GROUPS);
    if (text == NULL)
        return LL_OK;
    static const ll_setting beside[] = {LL_SET_PUBLIC, LL_SET_ALSO, LL_SET_WEIGHTS, LL_SET_CLASS_WEIGHTS};
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
        if (ll_scorer_text(s, beside[i]) != NULL)
            return ll_fail(error, LL_DOMAIN,
                           "groups: %s beside scores of groups is not modelled; leave one of them out",
                           ll_setting_name(beside[i]));
    ll_status status = ll_row_groups_create(&s->groups, text, error);
    if (status != LL_OK)
        return status;
    if (s->rows > 0 && s->rows != s->groups->rows)
        return ll_fail(error, LL_DOMAIN, "the groups are of %ld rows, and there are %ld", s->groups->rows, s->rows);
    s->rows = s->groups->rows;
    return LL_OK;
}

/* ---- how many answers ---- */

static long first_above(long a, long b, long otherwise)
{
    return a > 0 ? a : b > 0 ? b : otherwise;
}

/* Queries are per account; from here on they are those of all accounts together. What is said by queries and accounts
 * themselves counts. */
static ll_status resolve_answers(ll_scorer *s, ll_error *error)
{
    long per_day = ll_scorer_count(s, LL_SET_PER_DAY), days = ll_scorer_count(s, LL_SET_DAYS), each = 0;
    const char *honest = ll_scorer_text(s, LL_SET_HONEST);
    if ((per_day > 0) != (days > 0))
        return ll_fail(error, LL_DOMAIN, "per-day and days belong together: one of them is missing");
    if (__builtin_mul_overflow(per_day, days, &each) || each > LL_SCORER_CELLS)
        return ll_fail(error, LL_DOMAIN, "per-day %ld for %ld days are more submissions than can be counted", per_day,
                       days);
    s->queries = first_above(ll_scorer_count(s, LL_SET_QUERIES), each, 0);
    s->accounts = first_above(ll_scorer_count(s, LL_SET_ACCOUNTS), ll_scorer_count(s, LL_SET_TEAMS), 1);
    s->is_leaderboard = ll_setting_find_word(LL_SET_SCOPE, ll_scorer_text(s, LL_SET_SCOPE)) == 1;
    s->own_levels = ll_scorer_count(s, LL_SET_OWN_LEVELS);
    s->honest_low = s->honest_high = (double)NAN;
    if (honest != NULL)
        (void)ll_setting_range(&s->honest_low, &s->honest_high, honest);
    if (__builtin_mul_overflow(s->queries, s->accounts, &s->queries) || s->queries > LL_SCORER_CELLS)
        return ll_fail(error, LL_DOMAIN, "accounts %ld: their queries are more than can be counted", s->accounts);
    return LL_OK;
}

ll_status ll_scorer_resolve_population(ll_scorer *s, ll_error *error)
{
    const char *seed = ll_scorer_text(s, LL_SET_SEED);
    s->rows = ll_scorer_count(s, LL_SET_ROWS);
    s->classes = ll_scorer_count(s, LL_SET_CLASSES);
    s->seed = strtoull(seed, NULL, 10);
    s->failures_are_free = ll_setting_find_word(LL_SET_FAILURES, ll_scorer_text(s, LL_SET_FAILURES)) == 1;
    if (ll_scorer_text(s, LL_SET_WEIGHTS) != NULL && s->rows == 0)
        s->rows = ll_weights_count(ll_scorer_text(s, LL_SET_WEIGHTS));
    if (ll_scorer_text(s, LL_SET_TARGETS) != NULL && s->classes == 0)
        s->classes = ll_scorer_count_targets(s);
    long classes = s->classes > 2 ? s->classes : 2;
    if (s->rows > LL_SCORER_CELLS / classes)
        return ll_fail(error, LL_DOMAIN, "%ld rows of %ld classes are more than 2^48 numbers", s->rows, classes);
    ll_status status = resolve_answers(s, error);
    if (status == LL_OK)
        status = resolve_prior(s, error);
    if (status == LL_OK)
        status = resolve_counts(s, error);
    if (status == LL_OK)
        status = resolve_groups(s, error);
    return status == LL_OK ? resolve_public(s, error) : status;
}
