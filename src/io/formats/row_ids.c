#include "io/formats/row_ids.h"

#include "io/files/io_fail.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

ll_io_id_answer ll_io_names_id(const ll_io_field *f)
{
    static const char *const whole[] = {"", "row", "id", "index"};
    for (int i = 0; i < 4; i++)
        if (strcasecmp(f->text, whole[i]) == 0)
            return LL_IO_IS_ID;
    const char *end = f->length >= 2 ? f->text + f->length - 2 : "";
    if (strcmp(end, "Id") == 0 || strcmp(end, "ID") == 0)
        return LL_IO_IS_ID;
    if (strcasecmp(end, "id") != 0)
        return LL_IO_NO_ID;
    return f->length > 2 && !isalpha((unsigned char)end[-1]) ? LL_IO_IS_ID : LL_IO_MAY_BE_ID;
}

ll_status ll_io_ids_begin(ll_io_ids *ids, const char *path, const char *column, ll_error *error)
{
    ids->path = strdup(path);
    ids->column = strdup(column);
    if (ids->path != NULL && ids->column != NULL)
        return LL_OK;
    ll_io_ids_clear(ids);
    return ll_io_fail(error, LL_MEMORY, path, 0, "out of memory");
}

ll_status ll_io_ids_add(ll_io_ids *ids, const ll_io_field *id, size_t limit, ll_error *error)
{
    ll_status status = ll_io_strings_add(&ids->values, id->text, id->length, limit);
    if (status == LL_MEMORY)
        return ll_io_fail(error, LL_MEMORY, ids->path, 0, "out of memory");
    return status == LL_OK ? LL_OK : ll_io_fail_budget(error, ids->path, limit);
}

void ll_io_ids_clear(ll_io_ids *ids)
{
    free(ids->path);
    free(ids->column);
    ll_io_strings_clear(&ids->values);
    *ids = (ll_io_ids){0};
}

static int is_position(const char *column)
{
    return *column == '\0' || strcasecmp(column, "row") == 0 || strcasecmp(column, "index") == 0;
}

int ll_io_ids_are_shared(const ll_io_ids *a, const ll_io_ids *b)
{
    if (a->column == NULL || b->column == NULL)
        return 0;
    return strcasecmp(a->column, b->column) == 0 || (!is_position(a->column) && !is_position(b->column));
}

/* ---- the order ---- */

typedef struct {
    const char *id;
    long row;
} place;

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    int by_id = strcmp(x->id, y->id);
    return by_id != 0 ? by_id : (x->row > y->row) - (x->row < y->row);
}

static int compare_id(const void *id, const void *p)
{
    return strcmp(id, ((const place *)p)->id);
}

static int is_same_order(const ll_io_ids *wanted, const ll_io_ids *found)
{
    if (wanted->values.count != found->values.count)
        return 0;
    for (long i = 0; i < wanted->values.count; i++)
        if (strcmp(ll_io_strings_get(&wanted->values, i), ll_io_strings_get(&found->values, i)) != 0)
            return 0;
    return 1;
}

typedef struct {
    const ll_io_ids *wanted, *found;
    long (*line_of)(const void *self, long row);
    const void *self;
    place *sorted; /* the ids of wanted */
    long *order;   /* -1: not found yet */
} matching;

static ll_status refuse(const ll_io_ids *ids, long row, long line, const char *why, const char *other, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE], where[120] = "";
    const char *id = ll_io_strings_get(&ids->values, row);
    if (other != NULL)
        ll_io_place(where, sizeof where, other, 0);
    return ll_io_fail(error, LL_DOMAIN, ids->path, line, "the id %s %s%s", ll_io_quote(quoted, id, strlen(id)), why,
                      where);
}

static ll_status sort(matching *m, ll_error *error)
{
    const ll_io_strings *ids = &m->wanted->values;
    for (long i = 0; i < ids->count; i++) {
        m->sorted[i] = (place){ll_io_strings_get(ids, i), i};
        m->order[i] = -1;
    }
    qsort(m->sorted, (size_t)ids->count, sizeof *m->sorted, compare);
    for (long i = 1; i < ids->count; i++)
        if (strcmp(m->sorted[i - 1].id, m->sorted[i].id) == 0)
            return refuse(m->wanted, m->sorted[i].row, 0, "stands there twice, and the rows have another order in ",
                          m->found->path, error);
    return LL_OK;
}

static ll_status place_row(matching *m, long row, ll_error *error)
{
    const char *id = ll_io_strings_get(&m->found->values, row);
    const place *p = bsearch(id, m->sorted, (size_t)m->wanted->values.count, sizeof *p, compare_id);
    long line = m->line_of(m->self, row);
    if (p == NULL)
        return refuse(m->found, row, line, "is not in ", m->wanted->path, error);
    if (m->order[p->row] >= 0)
        return refuse(m->found, row, line, "stands there twice", NULL, error);
    m->order[p->row] = row;
    return LL_OK;
}

static ll_status place_all(matching *m, ll_error *error)
{
    ll_status status = sort(m, error);
    for (long i = 0; i < m->found->values.count && status == LL_OK; i++)
        status = place_row(m, i, error);
    for (long i = 0; i < m->wanted->values.count && status == LL_OK; i++)
        if (m->order[i] < 0)
            status = refuse(m->wanted, i, 0, "is not in ", m->found->path, error);
    return status;
}

ll_status ll_io_ids_match(long **order, const ll_io_ids *wanted, const ll_io_ids *found,
                          long (*line_of)(const void *self, long row), const void *self, ll_error *error)
{
    matching m = {.wanted = wanted, .found = found, .line_of = line_of, .self = self};
    size_t count = (size_t)wanted->values.count;
    *order = NULL;
    if (is_same_order(wanted, found))
        return LL_OK;
    m.sorted = malloc(count * sizeof *m.sorted + 1);
    m.order = malloc(count * sizeof *m.order + 1);
    ll_status status =
        m.sorted && m.order ? place_all(&m, error) : ll_io_fail(error, LL_MEMORY, found->path, 0, "out of memory");
    free(m.sorted);
    if (status == LL_OK)
        *order = m.order;
    else
        free(m.order);
    return status;
}
