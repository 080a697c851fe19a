#include "cli/commands/guard_command.h"
#include "io/files/io_fail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

ll_status ll_cli_guard_read_whole(ll_io_whole *out, const char *path, size_t limit, ll_error *error)
{
    ll_io_bytes *bytes = NULL;
    ll_status status = ll_io_bytes_open(&bytes, path, error);
    if (status == LL_OK)
        status = ll_io_bytes_whole(bytes, out, limit, error);
    ll_io_bytes_close(bytes);
    return status;
}

ll_status ll_cli_guard_read_policy(ll_policy **out, const ll_guard_options *o, ll_error *error)
{
    enum { MOST = 64 << 20 };
    ll_io_whole whole = {0};
    ll_status status = ll_cli_guard_read_whole(&whole, o->policy, MOST, error);
    if (status == LL_OK) {
        status = ll_policy_read(out, (const char *)whole.data, whole.size, error);
        if (status != LL_OK)
            ll_io_name_file(error, o->policy);
    }
    ll_io_whole_clear(&whole);
    return status;
}

static ll_status make_key(const char *path, ll_error *error)
{
    unsigned char key[LL_GUARD_KEY];
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0)
        return errno == EEXIST ? LL_OK : ll_io_fail_errno(error, path, errno);
    ll_guard_make_key(key);
    ssize_t written = write(file, key, sizeof key);
    ll_status status =
        written == (ssize_t)sizeof key && fsync(file) == 0 ? LL_OK : ll_io_fail_errno(error, path, errno);
    if (close(file) != 0 && status == LL_OK)
        status = ll_io_fail_errno(error, path, errno);
    return status;
}

ll_status ll_cli_guard_read_key(unsigned char *key, int *is_given, const char *path, int is_new, ll_error *error)
{
    ll_io_whole whole = {0};
    *is_given = path != NULL;
    if (path == NULL)
        return LL_OK;
    ll_status status = is_new ? make_key(path, error) : LL_OK;
    if (status == LL_OK)
        status = ll_cli_guard_read_whole(&whole, path, 4096, error);
    if (status == LL_OK && whole.size != LL_GUARD_KEY)
        status = ll_io_fail(error, LL_DOMAIN, path, 0, "a key has 32 bytes; guard init makes one");
    if (status == LL_OK)
        memcpy(key, whole.data, LL_GUARD_KEY);
    ll_io_whole_clear(&whole);
    return status;
}
