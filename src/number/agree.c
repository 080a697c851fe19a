#include "number/agree.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    const char *many, *one; /* one is not longer, or one letter longer for a verb, whose noun has become shorter */
} form;

static const form nouns[] = {{"rows", "row"},
                             {"labels", "label"},
                             {"classes", "class"},
                             {"bytes", "byte"},
                             {"submissions", "submission"},
                             {"numbers", "number"},
                             {"runs", "run"},
                             {"columns", "column"},
                             {"queries", "query"},
                             {"labellings", "labelling"},
                             {"bits", "bit"},
                             {"values", "value"},
                             {"scores", "score"},
                             {"weights", "weight"},
                             {"dimensions", "dimension"},
                             {"primes", "prime"},
                             {"levels", "level"},
                             {"variables", "variable"},
                             {"predictions", "prediction"},
                             {"answers", "answer"},
                             {"times", "time"},
                             {"targets", "target"},
                             {"fields", "field"},
                             {"features", "feature"},
                             {"entries", "entry"},
                             {"inputs", "input"},
                             {"outputs", "output"},
                             {"groups", "group"},
                             {"elements", "element"},
                             {"clauses", "clause"},
                             {"threads", "thread"},
                             {"shares", "share"},
                             {"files", "file"},
                             {"digits", "digit"},
                             {"decimals", "decimal"},
                             {"characters", "character"},
                             {"accounts", "account"},
                             {"days", "day"},
                             {"teams", "team"},
                             {"keys", "key"},
                             {"units", "unit"},
                             {"points", "point"},
                             {"seconds", "second"},
                             {"ones", "one"}};
static const form verbs[] = {{"are", "is"}, {"were", "was"}, {"have", "has"}, {"need", "needs"}, {"hold", "holds"}};
static const form adjectives[] = {{"hidden", ""},    {"public", ""}, {"further", ""}, {"other", ""},
                                  {"different", ""}, {"half", ""},   {"random", ""},  {"work", ""}};

static int ends_word(char c)
{
    return c == '\0' || strchr(" .,;:)(\"'-?!", c) != NULL;
}

/* The form that the word at text is, or NULL. */
static const form *find(const form *forms, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(forms[i].many);
        if (strncmp(text, forms[i].many, length) == 0 && ends_word(text[length]))
            return &forms[i];
    }
    return NULL;
}
#define FIND(forms, text) find(forms, sizeof(forms) / sizeof(forms)[0], text)

/* The place of the noun behind the number that ends before `text`, or NULL. */
static char *find_noun(char *text)
{
    const form *adjective = *text == ' ' ? FIND(adjectives, text + 1) : NULL;
    if (adjective != NULL)
        text += 1 + strlen(adjective->many);
    return *text == ' ' && FIND(nouns, text + 1) != NULL ? text + 1 : NULL;
}

static char *put(char *text, const form *f)
{
    size_t many = strlen(f->many), one = strlen(f->one);
    memmove(text + one, text + many, strlen(text + many) + 1);
    memcpy(text, f->one, one);
    return text + one;
}

static int is_one(const char *text, const char *at)
{
    return at == text || strchr(" (\"'`", at[-1]) != NULL;
}

/* The noun is at least one letter shorter then, which is room for the verb. */
static void make_one(char *noun)
{
    const form *f = FIND(nouns, noun);
    char *end = put(noun, f);
    const form *verb = *end == ' ' ? FIND(verbs, end + 1) : NULL;
    if (verb != NULL)
        (void)put(end + 1, verb);
}

void ll_agree(char *text)
{
    for (char *at = strchr(text, '1'); at != NULL; at = strchr(at + 1, '1')) {
        char *noun = is_one(text, at) ? find_noun(at + 1) : NULL;
        if (noun != NULL)
            make_one(noun);
    }
}
