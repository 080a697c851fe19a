#include "io/files/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

const char *ll_io_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

int ll_io_temporary_open(void)
{
    char name[512];
    const char *folder = ll_io_temporary_folder();
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) && /* not every file system can */
        (size_t)snprintf(name, sizeof name, "%s/lossleak-XXXXXX", folder) < sizeof name) {
        file = mkostemp(name, O_CLOEXEC);
        if (file >= 0)
            unlink(name);
    }
    return file;
}

FILE *ll_io_temporary_stream(void)
{
    int file = ll_io_temporary_open();
    FILE *stream = file >= 0 ? fdopen(file, "w+") : NULL;
    if (file >= 0 && !stream) {
        int why = errno;
        close(file);
        errno = why;
    }
    return stream;
}
