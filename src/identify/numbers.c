/* Numbers in texts. */
#include "identify/numbers.h"

#include "number/memory.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 4000 };

/* ---- one number ---- */

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

/* The end of the exponent that begins here, or here. */
static const char *skip_exponent(const char *at)
{
    if (*at != 'e' && *at != 'E')
        return at;
    const char *digits = at + 1 + (at[1] == '+' || at[1] == '-');
    return is_digit(*digits) ? skip_digits(digits) : at;
}

/* Words that stand in place of a number. */
static const char *const none[] = {"nan", "NaN", "NAN", "inf", "-inf", "Infinity", "-Infinity", "None", "null"};

static const char *skip_none(const char *at)
{
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strncmp(at, none[i], strlen(none[i])) == 0 && !is_word(at[strlen(none[i])]))
            return at + strlen(none[i]);
    return NULL;
}

/* The end of the number that begins at `at`, or NULL. `before`: the character in front of it. */
static const char *skip_number(const char *at, char before)
{
    if (is_word(before) || before == '.')
        return NULL;
    const char *end = skip_none(at);
    if (end != NULL)
        return end;
    const char *digits = at + (*at == '-' || *at == '+');
    end = skip_digits(digits);
    long count = (long)(end - digits);
    if (*end == '.') {
        const char *tail = skip_digits(end + 1);
        count += (long)(tail - end - 1);
        end = tail > end + 1 || count > 0 ? tail : end;
    }
    end = skip_exponent(end);
    return count > 0 && !is_word(*end) ? end : NULL;
}

/* ---- what its text shows ---- */

static void count_digits(ll_shown *shown)
{
    long decimals = 0, digits = 0, zeros = 0;
    const char *at = shown->text, *point = NULL;
    for (; *at && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.')
            point = at;
        if (!is_digit(*at))
            continue;
        decimals += point != NULL;
        if (*at != '0' || digits > 0)
            digits++;
        zeros = *at == '0' && digits > 0 && point == NULL ? zeros + 1 : 0;
    }
    long exponent = *at ? strtol(at + 1, NULL, 10) : 0;
    shown->decimals = decimals - exponent > 0 ? decimals - exponent : 0;
    shown->digits = digits > 0 ? digits : 1;
}

static void read_value(ll_shown *shown)
{
    char *end;
    shown->value = ll_read_double(shown->text, &end);
    if (*end != '\0' || !isfinite(shown->value))
        shown->value = (double)NAN;
    count_digits(shown);
}

/* ---- names ---- */

/* The last word before `at` on its line that has a letter. */
static void find_word(char *word, size_t size, const char *line, const char *at)
{
    word[0] = '\0';
    for (const char *c = line; c < at; c++) {
        if (!is_word(*c) || is_digit(*c) || (c > line && is_word(c[-1])))
            continue;
        size_t length = 0;
        for (; c + length < at && (is_word(c[length]) || strchr("@-/%", c[length])); length++)
            ;
        (void)snprintf(word, size, "%.*s", (int)length, c);
        c += length - 1;
    }
}

static void name_number(ll_numbers *n, ll_shown *shown, const char *channel, const char *word)
{
    long same = 1;
    char name[LL_NUMBER_NAME - 24];
    (void)snprintf(name, sizeof name, "%s%s%s", channel, word[0] ? ":" : "", word);
    size_t length = strlen(name);
    for (long i = 0; i < n->count; i++)
        same += n->all[i].part == shown->part && strncmp(n->all[i].name, name, length) == 0 &&
                (n->all[i].name[length] == '\0' || n->all[i].name[length] == '#');
    if (same == 1)
        (void)snprintf(shown->name, sizeof shown->name, "%s", name);
    else
        (void)snprintf(shown->name, sizeof shown->name, "%s#%ld", name, same);
}

static ll_status keep(ll_numbers *n, const ll_shown *shown)
{
    ll_shown *all = ll_grow(n->all, &n->room, n->count, sizeof *all);
    if (all == NULL)
        return LL_MEMORY;
    n->all = all;
    n->all[n->count++] = *shown;
    return LL_OK;
}

static ll_status add_number(ll_numbers *n, const ll_reply_part *part, long index, const char *line, const char *at,
                            const char *end)
{
    ll_shown shown = {.part = index};
    char word[48];
    if (n->count >= MOST_NUMBERS)
        return LL_OK;
    (void)snprintf(shown.text, sizeof shown.text, "%.*s", (int)(end - at), at);
    read_value(&shown);
    find_word(word, sizeof word, line, at);
    name_number(n, &shown, part->channel, word);
    return keep(n, &shown);
}

/* ---- texts ---- */

static ll_status read_part(ll_numbers *n, const ll_reply_part *part, long index)
{
    const char *line = part->text;
    char *rest = malloc(strlen(part->text) + 1), before = ' ';
    size_t length = 0;
    ll_status status = rest != NULL ? LL_OK : LL_MEMORY;
    for (const char *at = part->text; *at && status == LL_OK;) {
        const char *end = skip_number(at, before);
        if (end != NULL) {
            status = add_number(n, part, index, line, at, end);
            rest[length++] = '#';
        } else {
            rest[length++] = *at;
            line = *at == '\n' ? at + 1 : line;
            end = at + 1;
        }
        before = end[-1];
        at = end;
    }
    if (rest != NULL)
        rest[length] = '\0';
    n->rests[index] = rest;
    return status;
}

ll_status ll_numbers_find(ll_numbers *out, const ll_reply *reply, ll_error *error)
{
    *out = (ll_numbers){0};
    out->rests = (char **)calloc((size_t)reply->count + 1, sizeof *out->rests);
    ll_status status = out->rests != NULL ? LL_OK : LL_MEMORY;
    if (status == LL_OK)
        out->rest_count = reply->count;
    for (long i = 0; i < reply->count && status == LL_OK; i++)
        status = read_part(out, &reply->parts[i], i);
    if (status == LL_OK)
        return status;
    ll_numbers_clear(out);
    return ll_fail(error, status, "no memory for the numbers of an answer");
}

void ll_numbers_clear(ll_numbers *numbers)
{
    for (long i = 0; numbers->rests != NULL && i < numbers->rest_count; i++)
        free(numbers->rests[i]);
    free((void *)numbers->rests);
    free(numbers->all);
    *numbers = (ll_numbers){0};
}

const ll_shown *ll_numbers_get(const ll_numbers *numbers, const char *name, long hint)
{
    if (hint >= 0 && hint < numbers->count && strcmp(numbers->all[hint].name, name) == 0)
        return &numbers->all[hint];
    for (long i = 0; i < numbers->count; i++)
        if (strcmp(numbers->all[i].name, name) == 0)
            return &numbers->all[i];
    return NULL;
}
