/* ONNX files in and out. */
#ifndef LL_IO_MODEL_FILE_H
#define LL_IO_MODEL_FILE_H

#include "lossleak/model.h"

/* "-" is standard input; gzip'd or not. LL_DOMAIN with the file and the reason where it is no model, LL_UNABLE over
 * max_memory. */
LL_CHECK ll_status ll_io_read_model(ll_onnx **out, const char *path, size_t max_memory, ll_error *error);

/* See write_file.h for what path may be. */
LL_CHECK ll_status ll_io_write_model(const char *path, const ll_onnx *model, ll_error *error);

#endif
