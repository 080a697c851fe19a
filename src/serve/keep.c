/* --keep: a copy of every accepted submission, as lossleak investigate reads them: a folder of files, and scores.csv with
 * a line for each. The ledger does not depend on it: what cannot be written is a line in the log. */
#include "serve/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 4096 };

static int write_all(int file, const void *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t some = write(file, (const char *)bytes + done, size - done);
        if (some < 0 && errno != EINTR)
            return 0;
        done += some > 0 ? (size_t)some : 0;
    }
    return 1;
}

/* Is all of it there? */
static int put(const char *path, int flags, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
    int is_whole = file >= 0 && write_all(file, bytes, size);
    if (file >= 0 && close(file) != 0)
        is_whole = 0;
    return is_whole;
}

static void list_path(char *path, const char *folder)
{
    (void)snprintf(path, LONGEST, "%s/scores.csv", folder);
}

ll_status ll_serve_keep_begin(const char *folder, ll_error *error)
{
    static const char header[] = "file,account,time,score\n";
    char path[LONGEST];
    struct stat about;
    if (folder == NULL)
        return LL_OK;
    list_path(path, folder);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return ll_fail(error, LL_SYSTEM, "--keep %s: %s", folder, strerror(errno));
    if (stat(path, &about) == 0 || put(path, O_EXCL, header, sizeof header - 1))
        return LL_OK;
    return ll_fail(error, LL_SYSTEM, "%s: %s", path, strerror(errno));
}

static const char *ending_of(const ll_request *r)
{
    if (r->body_size > 2 && r->body[0] == 0x1f && r->body[1] == 0x8b)
        return "gz";
    return r->body_size > 6 && memcmp(r->body, "\x93NUMPY", 6) == 0 ? "npy" : "csv";
}

void ll_serve_keep(const ll_request *r, const ll_guard_answer *answer)
{
    const char *folder = r->server->settings->keep;
    char name[64], path[LONGEST], line[256], when[32];
    time_t now = time(NULL);
    struct tm parts;
    if (folder == NULL || answer->outcome != LL_GUARD_ACCEPTED)
        return;
    (void)snprintf(name, sizeof name, "%08ld.%s", answer->submission, ending_of(r));
    (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    int length = snprintf(line, sizeof line, "%s,%s,%s,%s\n", name, r->account, when, answer->shown);
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    int is_kept = put(path, O_EXCL, r->body, r->body_size);
    list_path(path, folder);
    if (!is_kept || !put(path, O_APPEND, line, (size_t)length))
        ll_serve_log_event("error", "text", "a submission could not be kept");
}
