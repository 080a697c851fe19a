/* A hash table by name. An integer is known by its value, so that 1, 01 and 1.0 are one class. */
#include "io/formats/class_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ll_io_classes_init(ll_io_classes *table, size_t limit)
{
    *table = (ll_io_classes){.limit = limit};
}

void ll_io_classes_clear(ll_io_classes *t)
{
    for (int32_t i = 0; i < t->count; i++)
        free(t->classes[i].name);
    free(t->classes);
    free(t->slots);
    *t = (ll_io_classes){0};
}

/* FNV-1a (Fowler, Noll, Vo), then a multiply to spread the high bits. */
static size_t hash(const char *name, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)name[i]) * 0x100000001b3u;
    return (size_t)((h ^ h >> 29) * 0x9e3779b97f4a7c15u >> 16);
}

/* The slot that holds the name, or the free one where it belongs. Half of the slots are free. */
static size_t find_slot(const ll_io_classes *t, const char *name, size_t length)
{
    size_t slot = hash(name, length) & (t->slot_count - 1);
    while (t->slots[slot] != 0) {
        const ll_io_class *c = &t->classes[t->slots[slot] - 1];
        if (c->length == length && memcmp(c->name, name, length) == 0)
            break;
        slot = (slot + 1) & (t->slot_count - 1);
    }
    return slot;
}

/* Room for one class more; slots are a power of two and at least twice the room. */
static ll_status grow(ll_io_classes *t)
{
    if ((size_t)t->count < t->room)
        return LL_OK;
    size_t room = t->room == 0 ? 64 : 2 * t->room;
    if (room > INT32_MAX / 2)
        return LL_UNABLE;
    size_t added = (room - t->room) * (sizeof *t->classes + 2 * sizeof *t->slots);
    if (added > t->limit - t->bytes)
        return LL_UNABLE;
    ll_io_class *classes = realloc(t->classes, room * sizeof *classes);
    if (!classes)
        return LL_MEMORY;
    t->classes = classes;
    int32_t *slots = calloc(2 * room, sizeof *slots);
    if (!slots)
        return LL_MEMORY;
    free(t->slots);
    t->slots = slots;
    t->slot_count = 2 * room;
    t->room = room;
    t->bytes += added;
    for (int32_t i = 0; i < t->count; i++)
        slots[find_slot(t, classes[i].name, classes[i].length)] = i + 1;
    return LL_OK;
}

/* The class of this name; *is_new where it was made now. */
static ll_status find_or_add(ll_io_classes *t, int32_t *index, int *is_new, const char *name, size_t length)
{
    ll_status status = grow(t);
    if (status != LL_OK)
        return status;
    size_t slot = find_slot(t, name, length);
    *is_new = t->slots[slot] == 0;
    if (*is_new) {
        if (length + 1 > t->limit - t->bytes)
            return LL_UNABLE;
        char *copy = malloc(length + 1);
        if (!copy)
            return LL_MEMORY;
        memcpy(copy, name, length);
        copy[length] = '\0';
        t->bytes += length + 1;
        t->classes[t->count] = (ll_io_class){.name = copy, .length = length};
        t->slots[slot] = ++t->count;
    }
    *index = t->slots[slot] - 1;
    return LL_OK;
}

ll_status ll_io_classes_add_word(ll_io_classes *t, int32_t *index, const char *word, size_t length, long row, long line)
{
    int is_new;
    ll_status status = find_or_add(t, index, &is_new, word, length);
    if (status == LL_OK && is_new) {
        t->classes[*index].row = row;
        t->classes[*index].line = line;
    }
    return status;
}

static int is_small(int64_t value)
{
    return value >= 0 && value < LL_IO_SMALL;
}

long ll_io_classes_find_integers(const ll_io_classes *t, int32_t *indexes, const int64_t *values, long n)
{
    long i = 0;
    for (; i < n && is_small(values[i]) && t->small[values[i]] != 0; i++)
        indexes[i] = t->small[values[i]] - 1;
    return i;
}

ll_status ll_io_classes_add_integer(ll_io_classes *t, int32_t *index, int64_t value, long row, long line)
{
    char name[24];
    if (ll_io_classes_find_integers(t, index, &value, 1) == 1)
        return LL_OK;
    int length = snprintf(name, sizeof name, "%" PRId64, value);
    ll_status status = ll_io_classes_add_word(t, index, name, (size_t)length, row, line);
    if (status == LL_OK) {
        t->classes[*index].is_integer = 1;
        t->classes[*index].value = value;
        if (is_small(value))
            t->small[value] = *index + 1;
    }
    return status;
}

static int by_value(const void *x, const void *y)
{
    int64_t a = (*(ll_io_class *const *)x)->value, b = (*(ll_io_class *const *)y)->value;
    return (a > b) - (a < b);
}

static int by_name(const void *x, const void *y)
{
    const ll_io_class *a = *(ll_io_class *const *)x, *b = *(ll_io_class *const *)y;
    int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static ll_status map_sorted(ll_io_classes *t, int (*order)(const void *, const void *))
{
    ll_io_class **sorted = malloc((size_t)t->count * sizeof(ll_io_class *));
    if (!sorted)
        return LL_MEMORY;
    for (int32_t i = 0; i < t->count; i++)
        sorted[i] = &t->classes[i];
    qsort(sorted, (size_t)t->count, sizeof(ll_io_class *), order);
    for (int32_t i = 0; i < t->count; i++)
        sorted[i]->label = i;
    free(sorted);
    return LL_OK;
}

/* The first class, in order of appearance, outside 0..wanted-1; NULL where all lie inside. */
static const ll_io_class *first_outside(const ll_io_classes *t, int64_t wanted)
{
    for (int32_t i = 0; i < t->count; i++)
        if (t->classes[i].value < 0 || t->classes[i].value >= wanted)
            return &t->classes[i];
    return NULL;
}

static int has_zero(const ll_io_classes *t)
{
    for (int32_t i = 0; i < t->count; i++)
        if (t->classes[i].value == 0)
            return 1;
    return 0;
}

static long keep(ll_io_classes *t)
{
    int32_t largest = 1;
    for (int32_t i = 0; i < t->count; i++) {
        t->classes[i].label = (int32_t)t->classes[i].value;
        largest = t->classes[i].label > largest ? t->classes[i].label : largest;
    }
    return (long)largest + 1;
}

static ll_status decide_integers(ll_io_classes *t, long *classes, int *mapped, const ll_io_class **wrong, long rows,
                                 long wanted)
{
    int64_t bound = wanted > 0 ? wanted : has_zero(t) && rows > 2 ? rows : 2;
    const ll_io_class *outside = first_outside(t, bound < INT32_MAX ? bound : INT32_MAX);
    *mapped = outside != NULL;
    if (outside && wanted > 0 && (t->count != wanted || has_zero(t))) {
        *wrong = outside;
        return LL_DOMAIN;
    }
    if (outside)
        return map_sorted(t, by_value);
    *classes = keep(t);
    return LL_OK;
}

ll_status ll_io_classes_decide(ll_io_classes *t, long *classes, int *mapped, const ll_io_class **wrong, long rows,
                               long wanted)
{
    int integers = 1;
    for (int32_t i = 0; i < t->count; i++)
        integers = integers && t->classes[i].is_integer;
    *classes = t->count > 2 ? t->count : 2;
    *mapped = 1;
    ll_status status = LL_OK;
    if (integers)
        status = decide_integers(t, classes, mapped, wrong, rows, wanted);
    else if (wanted > 0 && t->count > wanted) {
        *wrong = &t->classes[wanted];
        status = LL_DOMAIN;
    } else
        status = map_sorted(t, by_name);
    if (wanted > 0)
        *classes = wanted;
    return status;
}
