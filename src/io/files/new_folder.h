/* A folder of files that is there whole or not at all: made beside its final name and renamed at the end. */
#ifndef LL_IO_NEW_FOLDER_H
#define LL_IO_NEW_FOLDER_H

#include "lossleak.h"

typedef struct ll_io_folder ll_io_folder;

/* LL_DOMAIN where path is there already, unless it is an empty folder. The path is copied. */
LL_CHECK ll_status ll_io_folder_open(ll_io_folder **out, const char *path, ll_error *error);

/* Where a file of this name is to be written for now; allocated, NULL where memory ended. */
char *ll_io_folder_file(const ll_io_folder *folder, const char *name);

/* Finish: after LL_OK the folder is there. Frees the handle either way. */
LL_CHECK ll_status ll_io_folder_commit(ll_io_folder *folder, ll_error *error);
/* Give up: nothing is left. Takes NULL. */
void ll_io_folder_abandon(ll_io_folder *folder);

#endif
