/* For clang-tidy alone, which looks at one file at a time: a failure returns the status that it is given. */
#include "io/files/io_fail.h"
#include "lossleak.h"

#define ll_fail(error, status, ...) (ll_fail(error, status, __VA_ARGS__), (status))
#define ll_io_fail(error, status, ...) (ll_io_fail(error, status, __VA_ARGS__), (status))
#define ll_io_fail_errno(error, path, number) (ll_io_fail_errno(error, path, number), LL_SYSTEM)
#define ll_io_fail_budget(error, path, limit) (ll_io_fail_budget(error, path, limit), LL_UNABLE)
