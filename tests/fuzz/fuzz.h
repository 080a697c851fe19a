/* What the fuzz targets share. A target is one file f-NAME.c that defines LLVMFuzzerTestOneInput: it gives the bytes to
 * one reader and checks what the reader promises, by aborting where it does not hold. libFuzzer drives it (make fuzz);
 * in make test the inputs of corpus/NAME.txt are run through it again. */
#ifndef LL_FUZZ_H
#define LL_FUZZ_H

#include "lossleak.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Budget of the readers under test. */
enum { LL_FUZZ_MEMORY = 1 << 24 };

/* The path of a file in memory that holds these bytes; valid until the same one of the two slots is filled again.
 * Readers see a regular file, and may map, lock and cut it. */
const char *ll_fuzz_file(int slot, const void *data, size_t size);
/* What it holds now; free it. A NUL follows the last byte. */
char *ll_fuzz_content(int slot, size_t *size);

/* The bytes as text: a NUL behind them; free it. */
char *ll_fuzz_text(const uint8_t *data, size_t size);

/* Abort, saying where, unless it holds. */
#define LL_FUZZ_CHECK(holds) ((holds) ? (void)0 : ll_fuzz_fail(__FILE__, __LINE__, #holds))
_Noreturn void ll_fuzz_fail(const char *file, int line, const char *what);

/* A refusal has a status and one printable line; passes the status on. */
ll_status ll_fuzz_status(ll_status status, const ll_error *error);

#endif
