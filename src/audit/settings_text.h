/* Settings of a defence as text, "name=value name=value". */
#ifndef LL_AUDIT_SETTINGS_TEXT_H
#define LL_AUDIT_SETTINGS_TEXT_H

#include "audit/channel.h"

/* The setting after the one at `at`; its end where that was the last. */
const char *ll_settings_next(const char *at);
/* Where the value of a setting begins (it ends at a blank); NULL: the setting is not among them. */
const char *ll_settings_find(const char *settings, const char *name);
/* The value, cut to size; "" where the setting is not among them. */
void ll_settings_get(char *text, size_t size, const char *settings, const char *name);
/* Append " --name value" for each. */
void ll_settings_add_options(char *text, size_t size, const char *settings);

/* The scorer with those settings that are of its release and its answers; what it computes (the clip, the metric) stays.
 * *out is the caller's to destroy in any case; resolved where that is possible. */
LL_CHECK ll_status ll_settings_apply(ll_scorer **out, const ll_scorer *scorer, const char *settings);

/* "lossleak audit ... --fail-on-bound": exits with status 0 where the release keeps the target; of one that is known
 * not to keep it, the audit alone. seed: that of the simulated curators; files: those of the request. LL_MEMORY. */
LL_CHECK ll_status ll_settings_write_check(char *text, size_t size, const ll_scorer *scorer, uint64_t seed,
                                           const char *files, const ll_defence *defence);
/* The file that a setting was read from, cut to size; "": none. */
void ll_settings_get_file(char *text, size_t size, const char *files, const char *name);

#endif
