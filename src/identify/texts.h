/* Texts of a result: made one by one, freed together. */
#ifndef LL_IDENTIFY_TEXTS_H
#define LL_IDENTIFY_TEXTS_H

#include <stddef.h>

typedef struct ll_kept_texts ll_kept_texts;

/* A text of at most 2000 characters, which lives until the list is freed; "" where memory ended, and then
 * ll_texts_failed. */
__attribute__((format(printf, 2, 3))) const char *ll_texts_add(ll_kept_texts *texts, const char *format, ...);
ll_kept_texts *ll_texts_create(void);
void ll_texts_destroy(ll_kept_texts *texts);
int ll_texts_failed(const ll_kept_texts *texts);

#endif
