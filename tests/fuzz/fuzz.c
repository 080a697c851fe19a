#include "fuzz.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLOTS = 2 };
static int files[SLOTS] = {-1, -1};

_Noreturn void ll_fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

const char *ll_fuzz_file(int slot, const void *data, size_t size)
{
    static char paths[SLOTS][40];
    if (files[slot] >= 0)
        close(files[slot]);
    files[slot] = memfd_create("fuzz", MFD_CLOEXEC);
    LL_FUZZ_CHECK(files[slot] >= 0);
    LL_FUZZ_CHECK(size == 0 || write(files[slot], data, size) == (ssize_t)size);
    LL_FUZZ_CHECK(lseek(files[slot], 0, SEEK_SET) == 0);
    snprintf(paths[slot], sizeof paths[slot], "/proc/self/fd/%d", files[slot]);
    return paths[slot];
}

char *ll_fuzz_content(int slot, size_t *size)
{
    struct stat about;
    LL_FUZZ_CHECK(fstat(files[slot], &about) == 0);
    char *data = malloc((size_t)about.st_size + 1);
    LL_FUZZ_CHECK(data && pread(files[slot], data, (size_t)about.st_size, 0) == about.st_size);
    data[about.st_size] = '\0';
    *size = (size_t)about.st_size;
    return data;
}

char *ll_fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    LL_FUZZ_CHECK(text);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

ll_status ll_fuzz_status(ll_status status, const ll_error *error)
{
    if (status == LL_OK)
        return status;
    LL_FUZZ_CHECK(error->status == status && error->text[0]);
    for (const char *c = error->text; *c; c++)
        LL_FUZZ_CHECK((unsigned char)*c >= 0x20 && *c != 0x7f);
    return status;
}
