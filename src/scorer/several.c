#include "scorer/several.h"

#include "scorer/groups.h"
#include "scorer/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What all numbers share, whatever they are. */
static const ll_setting population[] = {LL_SET_ROWS,     LL_SET_CLASSES, LL_SET_TARGETS,   LL_SET_COLUMNS,
                                        LL_SET_QUERIES,  LL_SET_PRIOR,   LL_SET_COUNTS,    LL_SET_PUBLIC,
                                        LL_SET_FAILURES, LL_SET_SEED,    LL_SET_THRESHOLD, LL_SET_ACCOUNTS,
                                        LL_SET_PER_DAY,  LL_SET_DAYS,    LL_SET_TEAMS};
/* What a number has as the first one has it, unless an option of its own says otherwise. */
static const ll_setting released[] = {LL_SET_DECIMALS, LL_SET_DIGITS, LL_SET_TRUNCATE, LL_SET_NOISE};
static const ll_setting computed[] = {LL_SET_ARITHMETIC,      LL_SET_SUM,      LL_SET_SUM_ARITHMETIC,
                                      LL_SET_LOSS_ARITHMETIC, LL_SET_LOG_ULPS, LL_SET_ZERO_DIVISION,
                                      LL_SET_PRECISION};
/* The same, where both read the same kind of predictions. That a profile does not clip says nothing of other metrics. */
static const ll_setting clipped[] = {LL_SET_CLIP_TARGETS, LL_SET_CLIP, LL_SET_CLIP_MODE};
/* Options of an item. */
static const ll_setting options[] = {LL_SET_DECIMALS,   LL_SET_DIGITS, LL_SET_TRUNCATE,  LL_SET_NOISE,
                                     LL_SET_TRANSFORM,  LL_SET_CLIP,   LL_SET_CLIP_MODE, LL_SET_ZERO_DIVISION,
                                     LL_SET_ARITHMETIC, LL_SET_SUM,    LL_SET_UNDEFINED, LL_SET_THRESHOLD};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- texts ---- */

/* Is it "word=", as an option begins? */
static int begins_option(const char *text)
{
    size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyz-");
    return letters > 0 && text[letters] == '=';
}

/* Where the options of an item begin: its end where it has none. A parameter of the metric comes before them. */
static const char *find_options(const char *item)
{
    for (const char *at = item; *at; at++)
        if (*at == ':' && begins_option(at + 1))
            return at;
    return item + strlen(item);
}

/* Cut at the next mark before an option (is_option) or at the next mark at all: what follows, or NULL. */
static char *cut(char *text, char mark, int is_option)
{
    for (char *at = text; *at; at++)
        if (*at == mark && (!is_option || begins_option(at + 1))) {
            *at = '\0';
            return at + 1;
        }
    return NULL;
}

static ll_status fail_option(const char *option, ll_error *error)
{
    char all[200] = "";
    for (size_t i = 0; i < COUNT(options); i++)
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", ll_setting_name(options[i]));
    return ll_fail(error, LL_DOMAIN, "%.60s is no option of a number; accepted: %s", option, all);
}

static ll_status set_option(ll_scorer *number, char *option, ll_error *error)
{
    char *value = cut(option, '=', 0);
    int setting = value != NULL ? ll_setting_find(option) : -1;
    for (size_t i = 0; i < COUNT(options); i++)
        if ((int)options[i] == setting)
            return ll_scorer_set(number, option, value, error);
    return fail_option(option, error);
}

static int is_profile(const char *name)
{
    return ll_profile_check(name, NULL) == LL_OK;
}

/* Metric (or profile) and options of one item, into a new scorer. The text is cut into pieces. */
static ll_status set_item(ll_scorer *number, char *item, ll_error *error)
{
    char *rest = (char *)find_options(item);
    if (*rest)
        *rest++ = '\0';
    ll_status status = ll_scorer_set(number, is_profile(item) ? "scorer" : "metric", item, error);
    for (char *next; status == LL_OK && rest != NULL && *rest; rest = next) {
        next = cut(rest, ',', 1);
        status = set_option(number, rest, error);
    }
    return status;
}

static ll_status name_item(ll_status status, const char *item, const ll_error *why, ll_error *error)
{
    return status == LL_OK ? LL_OK : ll_fail(error, status, "also %.80s: %.400s", item, why->text);
}

/* Every item of the text, as a copy that may be cut. */
static ll_status each_item(const char *text, ll_status (*visit)(void *state, char *item, ll_error *error), void *state,
                           ll_error *error)
{
    char *all = strdup(text);
    ll_status status = all != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a setting");
    for (char *item = all, *next; status == LL_OK && item != NULL; item = next) {
        next = cut(item, ';', 0);
        status = visit(state, item, error);
    }
    free(all);
    return status;
}

static ll_status check_item(void *state, char *item, ll_error *error)
{
    (void)state;
    ll_scorer *number = NULL;
    ll_error why = {0};
    char *name = strdup(item);
    ll_status status = name != NULL ? ll_scorer_create(&number, &why) : LL_MEMORY;
    if (status == LL_OK)
        status = set_item(number, item, &why);
    status = name_item(status, name != NULL ? name : "", &why, error);
    ll_scorer_destroy(number);
    free(name);
    return status;
}

ll_status ll_several_check(const char *text, ll_error *error)
{
    return each_item(text, check_item, NULL, error);
}

/* ---- numbers ---- */

/* Does a setting say more than that nothing was said? Whoever spells out what a scorer has anyway, as plan.json does,
 * describes the same numbers. */
static ll_status find_told(const ll_scorer *s, ll_setting setting, int *is_told, ll_error *error)
{
    int is_usual = 1;
    ll_status status = s->given[setting] != NULL ? ll_scorer_is_usual(s, &is_usual, ll_setting_name(setting)) : LL_OK;
    *is_told = !is_usual;
    return status == LL_OK ? LL_OK : ll_fail(error, status, "no memory for a setting");
}

/* told_only: only what was told, or is the profile's that was named. */
static ll_status copy_texts(ll_scorer *number, const ll_scorer *s, const ll_setting *list, size_t count, int told_only,
                            ll_error *error)
{
    ll_status status = LL_OK;
    for (size_t i = 0; i < count && status == LL_OK; i++) {
        int is_told = 1;
        if (told_only && s->given[LL_SET_PROFILE] == NULL)
            status = find_told(s, list[i], &is_told, error);
        const char *text = is_told ? ll_scorer_text(s, list[i]) : NULL;
        if (status == LL_OK && text != NULL && number->given[list[i]] == NULL)
            status = ll_scorer_set(number, ll_setting_name(list[i]), text, error);
    }
    return status;
}

/* Digits of its own take the place of the first number's decimals, and the other way round. */
static ll_status copy_release(ll_scorer *number, const ll_scorer *s, ll_error *error)
{
    int own = number->given[LL_SET_DECIMALS] != NULL || number->given[LL_SET_DIGITS] != NULL;
    const char *steps = s->given[LL_SET_TRANSFORM]; /* a profile's are those of its own metric */
    int is_told;
    ll_status status = find_told(s, LL_SET_TRANSFORM, &is_told, error);
    if (status == LL_OK && is_told && number->given[LL_SET_TRANSFORM] == NULL)
        status = ll_scorer_set(number, ll_setting_name(LL_SET_TRANSFORM), steps, error);
    return status == LL_OK ? copy_texts(number, s, released + (own ? 2 : 0), COUNT(released) - (own ? 2 : 0), 0, error)
                           : status;
}

/* Without a profile, what was not given is as scikit-learn's function of each metric has it. */
static ll_status copy_computation(ll_scorer *number, const ll_scorer *s, ll_error *error)
{
    ll_metric *metric = NULL;
    ll_status status = ll_metric_create(&metric, ll_scorer_text(number, LL_SET_METRIC), error);
    int same = status == LL_OK && ll_metric_reads_alike(metric, s->computation.metric);
    ll_metric_destroy(metric);
    if (status == LL_OK)
        status = copy_texts(number, s, computed, COUNT(computed), 1, error);
    int is_told = 0;
    if (status == LL_OK)
        status = find_told(s, LL_SET_CLIP, &is_told, error);
    const char *clip = ll_scorer_text(s, LL_SET_CLIP);
    int has_clip = is_told || (clip != NULL && strcmp(clip, "none") != 0);
    return status == LL_OK && same ? copy_texts(number, s, clipped, has_clip ? COUNT(clipped) : 1, 1, error) : status;
}

/* A number's computation may be that of the number in the same place of the scorer that s is a copy of. */
static ll_status resolve_number(ll_scorer *s, ll_scorer *number, ll_error *error)
{
    ll_scorer_borrow(number, s->lender != NULL ? ll_scorer_get_number(s->lender, s->number_count) : NULL);
    return ll_scorer_resolve(number, NULL, error);
}

static ll_status append(ll_scorer *s, ll_scorer *number, ll_error *error)
{
    if (s->number_count >= LL_MOST_NUMBERS)
        return ll_fail(error, LL_DOMAIN, "more than %d numbers in one answer", LL_MOST_NUMBERS);
    const ll_scorer **more = realloc(s->numbers, (size_t)(s->number_count + 1) * sizeof(const ll_scorer *));
    if (more == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for the numbers of an answer");
    s->numbers = more;
    s->numbers[s->number_count++] = number;
    return LL_OK;
}

/* One number, all of whose own settings are there: what it shares with the others is added. */
static ll_status add_number(ll_scorer *s, ll_scorer *number, ll_error *error)
{
    ll_status status = copy_texts(number, s, population, COUNT(population), 0, error);
    if (status == LL_OK)
        status = copy_release(number, s, error);
    if (status == LL_OK && number->given[LL_SET_PROFILE] == NULL)
        status = copy_computation(number, s, error);
    if (status == LL_OK)
        status = resolve_number(s, number, error);
    if (status == LL_OK)
        status = ll_reading_find(&number->reading, s->computation.metric, number, error);
    if (status == LL_OK)
        status = ll_threshold_resolve(number, error);
    return status == LL_OK ? append(s, number, error) : status;
}

/* What says no more than the metric does of itself says nothing of its parts. */
static ll_status forget_usual(ll_scorer *item, ll_error *error)
{
    ll_status status = LL_OK;
    for (size_t i = 0; i < COUNT(computed) && status == LL_OK; i++) {
        int is_told;
        status = find_told(item, computed[i], &is_told, error);
        if (status == LL_OK && !is_told)
            status = ll_scorer_set(item, ll_setting_name(computed[i]), NULL, error);
    }
    return status;
}

/* A metric that is many numbers, part by part; else itself. */
static ll_status add_parts(ll_scorer *s, ll_scorer *item, ll_error *error)
{
    ll_metric *metric = NULL;
    long classes = s->classes > 0 ? s->classes : 2;
    ll_status status = ll_metric_create(&metric, ll_scorer_text(item, LL_SET_METRIC), error);
    long parts = status == LL_OK ? ll_metric_part_count(metric, classes) : 0;
    if (parts > 1)
        status = forget_usual(item, error);
    for (long i = 0; i < parts && status == LL_OK; i++) {
        char name[80];
        ll_scorer *number = NULL;
        status = ll_scorer_copy(&number, item, error);
        if (status == LL_OK && ll_metric_write_part(metric, name, sizeof name, i, classes))
            status = ll_scorer_set(number, "metric", name, error);
        if (status == LL_OK)
            status = add_number(s, number, error);
        if (status != LL_OK)
            ll_scorer_destroy(number);
    }
    ll_metric_destroy(metric);
    return status;
}

static ll_status add_item(void *state, char *item, ll_error *error)
{
    ll_scorer *s = state, *made = NULL;
    ll_error why = {0};
    char *name = strdup(item);
    ll_status status = name != NULL ? ll_scorer_create(&made, &why) : LL_MEMORY;
    if (status == LL_OK)
        status = set_item(made, item, &why);
    if (status == LL_OK)
        status = add_parts(s, made, &why);
    status = name_item(status, name != NULL ? name : "", &why, error);
    ll_scorer_destroy(made);
    free(name);
    return status;
}

static ll_status set_rows(ll_scorer *number, long rows, ll_error *error)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", rows);
    return ll_scorer_set(number, ll_setting_name(LL_SET_ROWS), text, error);
}

/* The first number alone: every setting but the others. */
static ll_status add_first(ll_scorer *s, ll_error *error)
{
    ll_scorer *alone = NULL;
    ll_status status = ll_scorer_copy(&alone, s, error);
    if (status == LL_OK)
        status = ll_scorer_set(alone, ll_setting_name(LL_SET_ALSO), NULL, error);
    if (status == LL_OK)
        status = ll_scorer_set(alone, ll_setting_name(LL_SET_GROUPS), NULL, error);
    if (status == LL_OK && s->groups != NULL)
        status = set_rows(alone, s->rows, error);
    if (status == LL_OK)
        status = add_parts(s, alone, error);
    ll_scorer_destroy(alone);
    return status;
}

/* ---- groups of rows ---- */

/* The first number, of the rows of one group. What is told of all rows says little of them. */
static ll_status add_group(ll_scorer *s, long group, ll_error *error)
{
    ll_scorer *number = NULL;
    ll_status status = ll_scorer_copy(&number, s, error);
    if (status == LL_OK)
        status = ll_scorer_set(number, ll_setting_name(LL_SET_GROUPS), NULL, error);
    if (status == LL_OK)
        status = ll_scorer_set(number, ll_setting_name(LL_SET_COUNTS), NULL, error);
    if (status == LL_OK)
        status = set_rows(number, s->groups->sizes[group], error);
    if (status == LL_OK)
        status = resolve_number(s, number, error);
    if (status == LL_OK)
        status = append(s, number, error);
    if (status == LL_OK)
        number->own_rows = s->groups->list[group];
    else
        ll_scorer_destroy(number);
    return status;
}

static ll_status resolve_groups(ll_scorer *s, ll_error *error)
{
    if (ll_metric_part_count(s->computation.metric, s->classes > 0 ? s->classes : 2) > 1)
        return ll_fail(error, LL_DOMAIN, "groups: %s is many numbers, and that for each group is not modelled",
                       ll_scorer_text(s, LL_SET_METRIC));
    ll_status status = add_first(s, error);
    for (long g = 0; g < s->groups->count && status == LL_OK; g++)
        status = add_group(s, g, error);
    return status;
}

ll_status ll_several_resolve(ll_scorer *s, ll_error *error)
{
    const char *also = ll_scorer_text(s, LL_SET_ALSO);
    long classes = s->classes > 0 ? s->classes : 2;
    s->number_count = 0;
    s->numbers = NULL;
    if (s->groups == NULL && also == NULL && ll_metric_part_count(s->computation.metric, classes) == 1) {
        s->number_count = 1;
        return LL_OK;
    }
    int is_listed = s->groups != NULL && also == NULL && ll_release_has_levels(&s->release) && s->own_levels == 0;
    if (ll_release_is_history(&s->release) && !is_listed) /* groups have a staircase each */
        return ll_fail(error, LL_DOMAIN, "release %s: a Ladder tells one number, and there are several",
                       ll_scorer_text(s, LL_SET_RELEASE));
    ll_status status = s->groups != NULL ? resolve_groups(s, error) : add_first(s, error);
    if (status == LL_OK && also != NULL)
        status = each_item(also, add_item, s, error);
    if (status != LL_OK)
        ll_several_clear(s);
    return status;
}

void ll_several_clear(ll_scorer *s)
{
    for (long i = 0; s->numbers != NULL && i < s->number_count; i++)
        ll_scorer_leave(s->numbers[i]);
    free(s->numbers);
    s->numbers = NULL;
    s->number_count = 0;
}

long ll_scorer_count_numbers(const ll_scorer *s)
{
    return s->number_count;
}

const ll_scorer *ll_scorer_get_number(const ll_scorer *s, long index)
{
    if (index < 0 || index >= s->number_count)
        return NULL;
    return s->numbers != NULL ? s->numbers[index] : s;
}

ll_status ll_scorer_need_one(const ll_scorer *s, const char *who, ll_error *error)
{
    if (s->number_count == 1)
        return LL_OK;
    return ll_fail(
        error, LL_DOMAIN,
        "an answer has %ld numbers: %s works with one number; that does not mean the others are safe. Attacks take all of "
        "them; otherwise describe one",
        s->number_count, who);
}

/* ---- fewer of them ---- */

long ll_several_count_items(const ll_scorer *s)
{
    const char *also = ll_scorer_text(s, LL_SET_ALSO);
    long items = 1 + (also != NULL);
    for (; also != NULL && *also; also++)
        items += *also == ';';
    return items;
}

/* Where item `index` of the list begins, from 0; *length of it. */
static const char *find_item(const char *also, long index, size_t *length)
{
    for (; index > 0; index--)
        also += strcspn(also, ";") + 1;
    *length = strcspn(also, ";");
    return also;
}

/* The list without that item; NULL: nothing is left of it. */
static ll_status drop_item(ll_scorer *s, const char *also, long index, ll_error *error)
{
    size_t length;
    const char *item = find_item(also, index, &length);
    char *text = strdup(also), *at;
    if (text == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a setting");
    at = text + (item - also);
    if (item[length] == ';')
        memmove(at, at + length + 1, strlen(at + length + 1) + 1);
    else if (at > text)
        at[-1] = '\0';
    else
        *text = '\0';
    ll_status status = ll_scorer_set(s, ll_setting_name(LL_SET_ALSO), *text ? text : NULL, error);
    free(text);
    return status;
}

/* The first item of the list takes the first metric's place; what it does not say itself it has from there. */
static ll_status promote_item(ll_scorer **out, const ll_scorer *s, const char *also, ll_error *error)
{
    size_t length;
    const char *item = find_item(also, 0, &length);
    char *text = strndup(item, length);
    ll_scorer *made = NULL;
    ll_status status =
        text != NULL ? ll_scorer_create(&made, error) : ll_fail(error, LL_MEMORY, "no memory for a setting");
    if (status == LL_OK)
        status = set_item(made, text, error);
    if (status == LL_OK)
        status = copy_texts(made, s, population, COUNT(population), 0, error);
    if (status == LL_OK)
        status = copy_release(made, s, error);
    if (status == LL_OK && made->given[LL_SET_PROFILE] == NULL)
        status = copy_computation(made, s, error);
    if (status == LL_OK)
        status = drop_item(made, also, 0, error);
    if (status == LL_OK)
        ll_scorer_borrow(made, ll_scorer_get_number(s, 1)); /* mostly the same number */
    *out = made;
    free(text);
    return status;
}

ll_status ll_several_without(ll_scorer **out, char *name, size_t size, const ll_scorer *s, long item, ll_error *error)
{
    const char *also = ll_scorer_text(s, LL_SET_ALSO);
    ll_scorer *made = NULL;
    size_t length = 0;
    const char *text = item > 0 ? find_item(also, item - 1, &length) : ll_scorer_text(s, LL_SET_METRIC);
    (void)snprintf(name, size, "%.*s", item > 0 ? (int)length : 100, text);
    ll_status status = item > 0 ? ll_scorer_copy(&made, s, error) : promote_item(&made, s, also, error);
    if (status == LL_OK && item > 0)
        status = drop_item(made, also, item - 1, error);
    if (status == LL_OK)
        status = ll_scorer_resolve(made, NULL, error);
    if (status == LL_OK)
        *out = made;
    else
        ll_scorer_destroy(made);
    return status;
}

/* ---- answers ---- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static long count_words(const char *text)
{
    long words = 0;
    for (int before = 1; *text; before = is_blank(*text++))
        words += before && !is_blank(*text);
    return words;
}

ll_status ll_answer_split(ll_answer *out, const ll_scorer *s, const char *text, ll_error *error)
{
    long count = count_words(text);
    *out = (ll_answer){.count = s->number_count};
    if (s->number_count != 1 && count != s->number_count)
        return ll_fail(error, LL_DOMAIN, "an answer of %ld number%s where the scorer releases %ld", count,
                       count == 1 ? "" : "s", s->number_count);
    out->texts = calloc((size_t)out->count, sizeof *out->texts);
    out->memory = strdup(text);
    if (out->texts == NULL || out->memory == NULL) {
        ll_answer_clear(out);
        return ll_fail(error, LL_MEMORY, "no memory for an answer");
    }
    char *at = out->texts[0] = out->memory;
    for (long i = 0; s->number_count > 1 && i < count; i++) {
        at += strspn(at, " \t");
        out->texts[i] = at;
        at += strcspn(at, " \t");
        if (*at)
            *at++ = '\0';
    }
    return LL_OK;
}

void ll_answer_clear(ll_answer *answer)
{
    free(answer->texts);
    free(answer->memory);
    *answer = (ll_answer){0};
}
