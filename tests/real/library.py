"""The shared library through ctypes, for the tests against real scorers.

LL_LIBRARY names the library. The structs mirror include/lossleak.h; get hands out pointers into NumPy arrays, so that
nothing is copied and thousands of vectors take seconds.
"""
import ctypes as C
import os

import numpy as np

lib = C.CDLL(os.environ["LL_LIBRARY"])

IDENTITY, NEGATE, ROOT, PERCENT = range(4)
NONE, CLIP, CLIP_RENORMALISE, LOG_CLAMP, LOG_PLUS, FLOOR = range(6)
NAIVE, PAIRWISE, CASCADE, COMPENSATED, EXACT = range(5)
DOUBLE, FLOAT, TEXT = 0, 1, 2


class Error(C.Structure):
    _fields_ = [("status", C.c_int), ("text", C.c_char * 480)]


class Block(C.Structure):
    _fields_ = [("rows", C.c_long), ("columns", C.c_long), ("entries", C.c_int),
                ("doubles", C.c_void_p), ("floats", C.c_void_p), ("exacts", C.c_void_p),
                ("storage", C.c_void_p), ("storage_size", C.c_size_t), ("exact_count", C.c_long)]


GET = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(Block), C.c_long, C.c_long, C.c_void_p)


class Predictions(C.Structure):
    _fields_ = [("self", C.c_void_p), ("rows", C.c_long), ("columns", C.c_long), ("entries", C.c_int),
                ("get", GET), ("where", C.c_void_p)]


class Scorer(C.Structure):
    _fields_ = [("profile", C.c_char_p), ("loss", C.c_char_p), ("transform", C.c_int), ("rows", C.c_long),
                ("classes", C.c_long), ("clip_mode", C.c_int), ("clip", C.c_char_p), ("arithmetic", C.c_char_p),
                ("sum_arithmetic", C.c_char_p), ("loss_arithmetic", C.c_char_p), ("order", C.c_int),
                ("log_ulps", C.c_double), ("rounding", C.c_int), ("places", C.c_int), ("truncate", C.c_int),
                ("noise", C.c_int), ("noise_size", C.c_char_p), ("draw", C.c_int), ("ladder", C.c_char_p),
                ("queries", C.c_long), ("prior", C.c_void_p), ("prior_count", C.c_long), ("seed", C.c_uint64),
                ("precision", C.c_long)]


class Score(C.Structure):
    _fields_ = [("text", C.c_char_p), ("lower", C.c_char_p), ("upper", C.c_char_p)]


class Refused(Exception):
    pass


def scorer(profile=None, **parts):
    """A scorer from a profile, with some of its parts replaced; texts as str."""
    s, error = Scorer(), Error()
    lib.ll_scorer_init(C.byref(s))
    if profile and lib.ll_scorer_set_profile(C.byref(s), profile.encode(), C.byref(error)):
        raise Refused(error.text.decode())
    for name, value in parts.items():
        setattr(s, name, value.encode() if isinstance(value, str) else value)
    return s


lib.ll_block_reserve_exacts.restype = C.c_void_p


def array_source(predictions):
    """Predictions out of a NumPy array, and what must stay alive while they are used."""
    array = np.ascontiguousarray(predictions)
    columns = 1 if array.ndim == 1 else array.shape[1]
    entries = {np.dtype(np.float64): DOUBLE, np.dtype(np.float32): FLOAT}[array.dtype]
    step = columns * array.itemsize

    def get(_self, block, first, count, _error):
        b = block.contents
        b.rows, b.columns, b.entries = count, columns, entries
        address = array.ctypes.data + first * step
        b.doubles, b.floats, b.exacts = (address, None, None) if entries == DOUBLE else (None, address, None)
        return 0

    return Predictions(None, array.shape[0], columns, entries, GET(get), None), array


def text_source(rows):
    """Exact predictions from rows of texts."""
    columns = len(rows[0])

    def get(_self, block, first, count, _error):
        numbers = lib.ll_block_reserve_exacts(block, C.c_long(count), C.c_long(columns))
        for i in range(count):
            for j, text in enumerate(rows[first + i]):
                if lib.ll_exact_read(C.c_void_p(numbers), C.c_long(i * columns + j), text.encode(),
                                     C.c_size_t(len(text))):
                    return 1
        return 0

    return Predictions(None, len(rows), columns, TEXT, GET(get), None), rows


def score(s, labels, predictions):
    """(text, lower, upper) of a released score, as str; predictions: an array, or rows of texts."""
    labels = np.ascontiguousarray(labels, dtype=np.int32)
    source, _alive = text_source(predictions) if isinstance(predictions, list) else array_source(predictions)
    curator, out, error = C.c_void_p(), Score(), Error()
    if lib.ll_curator_create(C.byref(curator), C.byref(s), labels.ctypes.data_as(C.c_void_p), C.c_long(len(labels)),
                             C.byref(error)):
        raise Refused(error.text.decode())
    try:
        if lib.ll_curator_score(curator, C.byref(out), C.byref(source), C.byref(error)):
            raise Refused(error.text.decode())
        return out.text.decode(), out.lower.decode(), out.upper.decode()
    finally:
        lib.ll_score_clear(C.byref(out))
        lib.ll_curator_destroy(curator)
