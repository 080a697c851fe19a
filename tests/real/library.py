"""The shared library through ctypes, for the tests against real scorers.

LL_LIBRARY names the library. The structs mirror include/lossleak.h, scorers are handles made by the names of their
settings; get hands out pointers into NumPy arrays, so that nothing is copied and thousands of vectors take seconds.
"""
import ctypes as C
import os

import numpy as np

lib = C.CDLL(os.environ["LL_LIBRARY"])

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


class Score(C.Structure):
    _fields_ = [("size", C.c_size_t), ("whole", C.c_void_p), ("text", C.c_char_p), ("lower", C.c_char_p), ("upper", C.c_char_p)]


class Refused(Exception):
    pass


class Scorer:
    """A resolved scorer; it is destroyed with the object."""

    def __init__(self, settings):
        self.handle, error = C.c_void_p(), Error()
        status = lib.ll_scorer_create(C.byref(self.handle), C.byref(error))
        for name, value in settings.items():
            status = status or lib.ll_scorer_set(self.handle, name.encode(), str(value).encode(), C.byref(error))
        if status or lib.ll_scorer_resolve(self.handle, None, C.byref(error)):
            raise Refused(error.text.decode())

    def __del__(self):
        lib.ll_scorer_destroy(self.handle)


def scorer(profile=None, **settings):
    """A scorer from a profile, with some of its settings replaced: clip_mode="floor" sets "clip-mode"."""
    settings = {name.replace("_", "-"): value for name, value in settings.items() if value is not None}
    return Scorer({"scorer": profile, **settings} if profile else settings)


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
    lib.ll_value_init(C.byref(out), C.c_size_t(C.sizeof(out)))
    if lib.ll_curator_create(C.byref(curator), s.handle, labels.ctypes.data_as(C.c_void_p), C.c_long(len(labels)),
                             C.byref(error)):
        raise Refused(error.text.decode())
    try:
        if lib.ll_curator_score(curator, C.byref(out), C.byref(source), C.byref(error)):
            raise Refused(error.text.decode())
        return out.text.decode(), out.lower.decode(), out.upper.decode()
    finally:
        lib.ll_score_clear(C.byref(out))
        lib.ll_curator_destroy(curator)
