/* The different labels of a file, and which number 0..K-1 each one gets. */
#ifndef LL_IO_CLASS_TABLE_H
#define LL_IO_CLASS_TABLE_H

#include "lossleak.h"

typedef struct {
    char *name; /* an integer's name is its shortest decimal form */
    size_t length;
    int is_integer;
    int64_t value;  /* where is_integer */
    long row, line; /* of its first appearance; line 0: the file has none */
    int32_t label;  /* after ll_io_classes_decide */
} ll_io_class;

enum { LL_IO_SMALL = 256 };

typedef struct {
    ll_io_class *classes; /* in order of appearance */
    int32_t count;
    int32_t *slots; /* open addressing: class + 1, or 0 */
    size_t slot_count, room, bytes, limit;
    int32_t small[LL_IO_SMALL]; /* class + 1 of the integers 0 .. LL_IO_SMALL-1, or 0: most labels are known at once */
} ll_io_classes;

void ll_io_classes_init(ll_io_classes *table, size_t limit); /* limit: on the bytes it may use */
void ll_io_classes_clear(ll_io_classes *table);

/* *index of the class of an integer or of a word. LL_UNABLE beyond the limit. */
LL_CHECK ll_status ll_io_classes_add_integer(ll_io_classes *table, int32_t *index, int64_t value, long row, long line);
/* The classes of values[0 .. n-1], up to the first that is not yet known: how many there were. */
long ll_io_classes_find_integers(const ll_io_classes *table, int32_t *indexes, const int64_t *values, long n);
LL_CHECK ll_status ll_io_classes_add_word(ll_io_classes *table, int32_t *index, const char *word, size_t length,
                                          long row, long line);

/* Give every class its label, and say in *classes how many there are and in *mapped whether any label differs from what
 * the file says. `wanted` classes, or 0 where it is not known. Integers, wanted known: kept where all lie in
 * 0..wanted-1; mapped in numeric order where there are exactly `wanted` of them and 0 is none of them (1..K, -1 and 1);
 * otherwise LL_DOMAIN. Integers, wanted not known: kept where all are 0 or 1, or where 0 occurs, none is negative and
 * all are below the number of rows; otherwise mapped in numeric order. Words, or integers and words: mapped in byte
 * order; LL_DOMAIN where there are more than wanted. LL_DOMAIN names the class that does not fit in *wrong. */
LL_CHECK ll_status ll_io_classes_decide(ll_io_classes *table, long *classes, int *mapped, const ll_io_class **wrong,
                                        long rows, long wanted);

#endif
