/* Files for the tests of the io room: a folder of their own under TMPDIR, removed at the end. */
#ifndef LL_TEST_IO_FILES_H
#define LL_TEST_IO_FILES_H

#include "lossleak.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

static char test_folder[256];

static inline int make_folder(void **state)
{
    const char *base = getenv("TMPDIR");
    (void)state;
    snprintf(test_folder, sizeof test_folder, "%s/lossleak-io-XXXXXX", base ? base : "/tmp");
    return mkdtemp(test_folder) ? 0 : -1;
}

/* How many names are in the folder; removes them where asked. */
static inline int count_files(int and_remove)
{
    DIR *folder = opendir(test_folder);
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            count++;
            if (and_remove)
                unlinkat(dirfd(folder), entry->d_name, 0);
        }
    if (folder)
        closedir(folder);
    return count;
}

static inline int remove_folder(void **state)
{
    (void)state;
    count_files(1);
    return rmdir(test_folder);
}

static inline const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder, name);
    return path;
}

static inline const char *put_bytes(const char *name, const void *data, size_t size)
{
    const char *path = in_folder(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *put(const char *name, const char *text)
{
    return put_bytes(name, text, strlen(text));
}

static inline const char *put_gzip(const char *name, const void *data, size_t size)
{
    const char *path = in_folder(name);
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, data, (unsigned)size), size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

/* The whole of a file, with a NUL behind it; free it. */
static inline char *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *data = malloc(1 << 20);
    assert_non_null(data);
    *size = fread(data, 1, (1 << 20) - 1, file);
    data[*size] = '\0';
    fclose(file);
    return data;
}

/* A name for /dev/full that no writer, however broken, can replace by a file: tests may run as root. */
static inline const char *full_device(void)
{
    static char name[40];
    if (!name[0]) {
        int file = open("/dev/full", O_WRONLY | O_CLOEXEC);
        struct stat about;
        assert_true(file >= 0 && fstat(file, &about) == 0 && S_ISCHR(about.st_mode));
        snprintf(name, sizeof name, "/dev/fd/%d", file);
    }
    return name;
}

/* The error is one printable line that has this text in it. */
static inline void expect_error(const ll_error *error, const char *text)
{
    for (const char *p = error->text; *p; p++)
        assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
    if (!strstr(error->text, text))
        fail_msg("\"%s\" is not in \"%s\"", text, error->text);
}

#endif
