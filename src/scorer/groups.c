#include "scorer/groups.h"
#include "number/refuse.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 4096 };
#define MOST_ROWS (1L << 40)

typedef struct {
    const char *name;
    size_t length;
    long count;
} item;

/* The item at *at, which moves behind it; 0 where it is none. */
static int next_item(item *out, const char **at)
{
    const char *name = *at;
    char *end;
    *out = (item){name, strcspn(name, ",*"), 1};
    *at = name + out->length;
    if (**at == '*') {
        errno = 0;
        out->count = (*at)[1] >= '0' && (*at)[1] <= '9' ? strtol(*at + 1, &end, 10) : 0;
        if (errno || out->count < 1 || out->count > MOST_ROWS)
            return 0;
        *at = end;
    }
    int good = out->length > 0 && (**at == ',' || **at == '\0');
    *at += **at == ',';
    return good;
}

ll_status ll_row_groups_check(const char *text, ll_error *error)
{
    static const char accepted[] = "the group of every row in order, NAME or NAME*COUNT, separated by commas";
    long rows = 0;
    item i;
    if (!ll_is_utf8(text)) /* a plan keeps the names as JSON */
        return ll_fail(error, LL_DOMAIN, "groups %.40s: a name is not UTF-8", text);
    for (const char *at = text; *at || at == text || at[-1] == ',';) {
        if (!next_item(&i, &at))
            return ll_fail(error, LL_DOMAIN, "groups %.40s: an entry is not a name or NAME*COUNT; accepted: %s", text,
                           accepted);
        if ((rows += i.count) > MOST_ROWS)
            return ll_fail(error, LL_DOMAIN, "groups %.40s: more than 2^40 rows", text);
    }
    return LL_OK;
}

/* The group of that name, a new one where there is none; -1: no memory, or too many. */
static long find_group(ll_row_groups *g, const item *i)
{
    for (long k = 0; k < g->count; k++)
        if (strncmp(g->names[k], i->name, i->length) == 0 && g->names[k][i->length] == '\0')
            return k;
    char **names = g->count < MOST_GROUPS ? realloc(g->names, (size_t)(g->count + 1) * sizeof *names) : NULL;
    if (names == NULL)
        return -1;
    g->names = names;
    g->names[g->count] = strndup(i->name, i->length);
    return g->names[g->count] != NULL ? g->count++ : -1;
}

static int set_rows(ll_row_groups *g, const char *text)
{
    item i;
    long row = 0;
    for (const char *at = text; row < g->rows && next_item(&i, &at);) {
        long group = find_group(g, &i);
        if (group < 0)
            return 0;
        for (long k = 0; k < i.count; k++)
            g->of[row++] = (int32_t)group;
    }
    return 1;
}

static int set_lists(ll_row_groups *g)
{
    g->sizes = calloc((size_t)g->count, sizeof *g->sizes);
    g->list = calloc((size_t)g->count, sizeof *g->list);
    if (g->sizes == NULL || g->list == NULL)
        return 0;
    for (long row = 0; row < g->rows; row++)
        g->place[row] = g->sizes[g->of[row]]++;
    for (long k = 0; k < g->count; k++)
        if ((g->list[k] = malloc((size_t)g->sizes[k] * sizeof *g->list[k])) == NULL)
            return 0;
    for (long row = 0; row < g->rows; row++) {
        long *list = g->list[g->of[row]];
        assert(list != NULL);
        list[g->place[row]] = row;
    }
    return 1;
}

ll_status ll_row_groups_create(ll_row_groups **out, const char *text, ll_error *error)
{
    item i;
    ll_row_groups *g = calloc(1, sizeof *g);
    for (const char *at = text; g != NULL && *at && next_item(&i, &at);)
        g->rows += i.count;
    if (g != NULL) {
        g->of = calloc((size_t)g->rows, sizeof *g->of);
        g->place = malloc((size_t)g->rows * sizeof *g->place);
    }
    if (g == NULL || g->of == NULL || g->place == NULL || !set_rows(g, text) || !set_lists(g)) {
        int many = g != NULL && g->count >= MOST_GROUPS;
        ll_row_groups_destroy(g);
        return many ? ll_fail(error, LL_DOMAIN, "more than %d groups", MOST_GROUPS)
                    : ll_fail(error, LL_MEMORY, "no memory for the groups of rows");
    }
    *out = g;
    return LL_OK;
}

void ll_row_groups_destroy(ll_row_groups *g)
{
    if (g == NULL)
        return;
    for (long k = 0; k < g->count; k++) {
        free(g->names[k]);
        if (g->list != NULL)
            free(g->list[k]);
    }
    free(g->names);
    free(g->list);
    free(g->sizes);
    free(g->place);
    free(g->of);
    free(g);
}
