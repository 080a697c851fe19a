/* A new name is safe only when its folder is. */
#ifndef LL_IO_SYNC_FOLDER_H
#define LL_IO_SYNC_FOLDER_H

/* Sync the folder that the name `path` is in. Some file systems cannot: then nothing happens. */
void ll_io_sync_folder_of(const char *path);

#endif
