/* Messages for people: always one line on stderr, "lossleak: " first. */
#ifndef LL_REPORT_MESSAGE_H
#define LL_REPORT_MESSAGE_H

#include "lossleak.h"

/* What is not printable (a newline in a file's name) is shown as \xNN, so that one message stays one line. */
void ll_report_error(const ll_error *error);
void ll_report_warning(const char *text);
/* Something to know that is no trouble. */
void ll_report_note(const char *text);

#endif
