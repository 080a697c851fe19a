/* A history of submissions: a CSV file with a line for each, which names its file, account, time and score.
 *
 * The first line names the columns, in any order and any case: file (or submission, filename, path), score
 * (or public_score, publicscore), and, where they are known, account (or team, teamname, user, participant) and time (or
 * date, submitted, timestamp, submissiondate). Other columns do not count. Times are all numbers, or all texts that sort
 * as they stand (2026-11-18T05:06:07Z); without them the order of the lines is that of the submissions. */
#ifndef LL_IO_HISTORY_FILE_H
#define LL_IO_HISTORY_FILE_H

#include "lossleak.h"

typedef struct {
    char *path;    /* of the predictions, as it can be opened */
    char *name;    /* as it was written */
    char *account; /* "-" where there is no such column */
    char *time;    /* NULL: not known */
    char *score;   /* one finite number, or several with blanks between; NULL: not known */
    long line;
} ll_io_history_entry;

typedef struct {
    ll_io_history_entry *entries; /* in the order of their times */
    long count;
} ll_io_history;

/* `path`: a folder of submissions, whose list is `scores` or, where that is NULL, its file scores.csv, submissions.csv or
 * index.csv; or the list itself, with `scores` NULL. Files are looked for beside the list if it is the argument, else in the
 * folder. LL_DOMAIN with file, line and reason. Clear it in any case. */
LL_CHECK ll_status ll_io_read_history(ll_io_history *out, const char *path, const char *scores, size_t max_memory,
                                      ll_error *error);
void ll_io_clear_history(ll_io_history *history);

#endif
