/* No allocation and no stdio: a handler may have interrupted either. */
#include "io/files/unfinished.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { ENTRIES = 8 };

/* An entry counts while its name is set. */
static struct {
    atomic_int folder;
    const char *_Atomic name;
} entries[ENTRIES];

int ll_io_unfinished_enter(int folder, const char *name)
{
    for (int i = 0; i < ENTRIES; i++)
        if (!atomic_load(&entries[i].name)) {
            atomic_store(&entries[i].folder, folder);
            atomic_store(&entries[i].name, name);
            return i;
        }
    return -1;
}

void ll_io_unfinished_forget(int entry)
{
    if (entry >= 0)
        atomic_store(&entries[entry].name, NULL);
}

void ll_io_unfinished_remove(void)
{
    for (int i = 0; i < ENTRIES; i++) {
        const char *name = atomic_exchange(&entries[i].name, NULL);
        if (name)
            ll_io_remove(atomic_load(&entries[i].folder), name);
    }
}

static void empty_folder(int folder)
{
    _Alignas(struct dirent64) char room[4096];
    ssize_t got;
    while ((got = getdents64(folder, room, sizeof room)) > 0)
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *entry = (const struct dirent64 *)(const void *)(room + at);
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                unlinkat(folder, entry->d_name, 0);
            at += entry->d_reclen;
        }
}

void ll_io_remove(int folder, const char *name)
{
    if (unlinkat(folder, name, 0) == 0)
        return;
    int inside = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inside >= 0) {
        empty_folder(inside);
        close(inside);
    }
    unlinkat(folder, name, AT_REMOVEDIR);
}
