"""The extension module `lossleak._lossleak`: every function and struct of the public headers of liblossleak, read from the headers themselves."""
import os
import pathlib
import platform
import re

import cffi

HERE = pathlib.Path(__file__).resolve().parent

HEADERS = ("lossleak.h", "lossleak/history.h", "lossleak/identify.h")  # of liblossleak

GLUE = """
typedef struct { const double *doubles; const float *floats; const char *const *texts; long columns; volatile int *stop; } lossleak_array;
void lossleak_open(ll_predictions *out, lossleak_array *array, long rows);
ll_status lossleak_fill(double *out, const ll_predictions *predictions, ll_error *error);
ll_status lossleak_texts(char **out, const ll_predictions *predictions, long row, ll_error *error);
char *lossleak_text(const char *text);
void lossleak_budget(ll_budget *out, double memory, double seconds, int threads, volatile int *stop,
                     void (*progress)(void *, long, long));
extern "Python" ll_status lossleak_ask(void *, char **, const ll_predictions *, long, ll_error *);
extern "Python" ll_status lossleak_run(void *, ll_reply *const *, const ll_run *, long, ll_error *);
extern "Python" void lossleak_progress(void *, long, long);
"""


def declarations(header):
    """What cffi reads of a header: no comments, no preprocessor, no attributes."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    text = re.sub(r"^#ifdef __cplusplus.*?^#endif\n", "", text, flags=re.M | re.S)
    text = text.replace("\\\n", " ")
    text = re.sub(r"^#.*\n", "", text, flags=re.M)
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)+", "", text, flags=re.S)
    return re.sub(r"\bLL_API\b|\bLL_CHECK\b", "", text)


HARDENED = ["-fstack-protector-strong"] + (["-fcf-protection=full"] if platform.machine() == "x86_64" else [])


def undefined(header):
    """Macros that hide a function of the same name behind fewer arguments."""
    return "".join(f"#undef {name}\n" for name in re.findall(r"^#define (ll_\w+)\(", header, re.M)
                   if re.search(rf"^LL_API [^;]*\b{name}\(", header, re.M))


def builder(include, libraries, run_path=None):
    """The cffi builder against the headers in `include` and liblossleak in `libraries` (None: where the linker looks)."""
    header = "".join((pathlib.Path(include) / name).read_text(encoding="utf-8") for name in HEADERS)
    ffi = cffi.FFI()
    ffi.cdef(declarations(header) + GLUE)
    # DT_RPATH, unlike DT_RUNPATH, also holds for the libraries of the libraries that a wheel carries.
    link = ["-Wl,--disable-new-dtags", f"-Wl,-rpath,{run_path}"] if run_path else []
    link += ["-Wl,-z,relro", "-Wl,-z,now"]
    ffi.set_source("lossleak._lossleak", (HERE / "glue.c").read_text(encoding="utf-8") + "".join(f"#include <{name}>\n" for name in HEADERS) + undefined(header),
                   libraries=["lossleak"], include_dirs=[str(include)],
                   library_dirs=[str(libraries)] if libraries else [], extra_link_args=link,
                   extra_compile_args=HARDENED + os.environ.get("LOSSLEAK_CFLAGS", "").split())
    return ffi


def guard_builder(include):
    """Declarations of lossleak/guard.h for a library that is found at run time: a module without C of its own. None: the header is not there."""
    header = pathlib.Path(include) / "lossleak" / "guard.h"
    if not header.exists():
        return None
    ffi = cffi.FFI()
    ffi.cdef(declarations((pathlib.Path(include) / "lossleak.h").read_text(encoding="utf-8")))
    ffi.cdef(declarations(header.read_text(encoding="utf-8")))
    ffi.set_source("lossleak._guard_header", None)
    return ffi
