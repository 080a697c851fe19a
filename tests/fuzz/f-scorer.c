/* Settings of a scorer, one a line: name=value. Each is taken or refused, and what they mean together must end with a
 * verdict. What was taken is read back, and a copy of it says the same. */
#include "fuzz.h"

/* Read back it is the same text, or the same number, and stands for itself. */
static void check_kept(ll_scorer *scorer, const char *name, const char *value)
{
    ll_error error;
    char *end, *kept = strdup(ll_scorer_get(scorer, name));
    double number = strtod(value, &end);
    int is_number = end > value && *end == '\0' && number == number; /* nan is a word */
    LL_FUZZ_CHECK(is_number ? strtod(kept, NULL) == number : strncmp(kept, value, strlen(value)) == 0);
    LL_FUZZ_CHECK(ll_scorer_set(scorer, name, kept, &error) == LL_OK);
    LL_FUZZ_CHECK(strcmp(ll_scorer_get(scorer, name), kept) == 0);
    free(kept);
}

static void set_line(ll_scorer *scorer, char *line)
{
    ll_error error;
    char *value = strchr(line, '=');
    if (value != NULL)
        *value++ = '\0';
    if (ll_fuzz_status(ll_scorer_set(scorer, line, value, &error), &error) == LL_OK && value != NULL)
        check_kept(scorer, line, value);
}

static void compare(const ll_scorer *one, const ll_scorer *two)
{
    for (long i = 0; i < ll_setting_count(); i++) {
        const char *name = ll_setting_get_info(i)->name, *a = ll_scorer_get(one, name), *b = ll_scorer_get(two, name);
        LL_FUZZ_CHECK(a == NULL ? b == NULL : b != NULL && strcmp(a, b) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_scorer *scorer = NULL, *copy = NULL;
    ll_error error, warning;
    char *text = ll_fuzz_text(data, size), *rest = text;
    LL_FUZZ_CHECK(ll_scorer_create(&scorer, &error) == LL_OK);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        set_line(scorer, line);
    ll_status status = ll_fuzz_status(ll_scorer_resolve(scorer, &warning, &error), &error);
    LL_FUZZ_CHECK(ll_scorer_copy(&copy, scorer, &error) == LL_OK);
    compare(scorer, copy);
    LL_FUZZ_CHECK(ll_fuzz_status(ll_scorer_resolve(copy, NULL, &error), &error) == status);
    ll_scorer_destroy(copy);
    ll_scorer_destroy(scorer);
    free(text);
    return 0;
}
