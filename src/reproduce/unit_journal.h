/* Results as lines of text: between processes, and in the journal of a folder, where a run that was killed finds what
 * it had done.
 *
 *     {"experiments":"0.3.0","seed":1,"runs":1000,"quick":false}
 *     {"unit":"single/is-closed/titanic/1e-4/7/0-0","values":[...],"number":0.0,"seconds":0.01,"longest":1e-5,"note":""}
 */
#ifndef LL_REPRODUCE_UNIT_JOURNAL_H
#define LL_REPRODUCE_UNIT_JOURNAL_H

#include "reproduce/units.h"

/* The line with its end, allocated; NULL where memory ended. */
char *ll_unit_line(const ll_unit *unit, const ll_unit_result *result);
/* Its key (of LL_UNIT_KEY bytes) and result; 0, with the reason in why, where it is no such line. */
int ll_unit_line_read(char *key, ll_unit_result *result, const char *line, size_t length, char *why, size_t size);

typedef struct ll_unit_journal ll_unit_journal;

/* Open or create `path`, and mark as done what it holds of these units; lines of other units are left alone. note: see
 * ll_io_log_open. LL_DOMAIN where it was begun with other settings or another version, is no journal, or is held by
 * another process. */
LL_CHECK ll_status ll_unit_journal_open(ll_unit_journal **out, char *note, size_t size, const char *path,
                                        const ll_settings *settings, ll_units *units, ll_error *error);
void ll_unit_journal_close(ll_unit_journal *journal); /* takes NULL */

/* Set the unit's result and write it down. */
LL_CHECK ll_status ll_unit_journal_add(ll_unit_journal *journal, ll_unit *unit, const ll_unit_result *result,
                                       ll_error *error);

#endif
