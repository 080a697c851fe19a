/* The one form of a refusal of a value. */
#ifndef LL_NUMBER_REFUSE_H
#define LL_NUMBER_REFUSE_H

#include "lossleak.h"

/* "NAME VALUE: why; accepted: ...", LL_DOMAIN. */
ll_status ll_refuse(ll_error *error, const char *name, const char *value, const char *why, const char *accepted);

/* Is all of the text UTF-8? */
int ll_is_utf8(const char *text);

#endif
