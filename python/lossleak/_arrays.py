"""NumPy arrays, and what becomes one, as predictions and labels; without a copy where the type allows."""
from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np

from ._library import Error, Stop, ffi, lib, quick, string


def as_array(values: Any, name: str) -> np.ndarray:
    """NumPy, pandas, torch (also on a device, also with a gradient), lists."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().numpy()
    try:
        return np.asarray(values)
    except ValueError as error:
        raise Error(f"{name}: not an array: {error}") from None


def _floats(array: np.ndarray, name: str) -> np.ndarray:
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    if array.dtype not in (np.float64, np.float32):
        if array.dtype.kind not in "biuf":
            raise Error(f"{name}: an array of {array.dtype}; accepted: numbers, float64 or float32 without a copy")
        array = array.astype(np.float64)
    return np.ascontiguousarray(array)


class Predictions:
    """An array as a source of predictions. It must outlive the calls that read it, and so must this object."""

    def __init__(self, values: Any, name: str, stop: Stop):
        array = as_array(values, name)
        if array.ndim not in (1, 2) or array.size == 0:
            raise Error(f"{name}: an array of shape {array.shape}; accepted: (rows,) or (rows, classes)")
        self.rows = array.shape[0]
        self.columns = 1 if array.ndim == 1 else array.shape[1]
        self._source = ffi.new("lossleak_array *", {"columns": self.columns, "stop": stop.flag})
        texts = array.dtype.kind == "U" or array.dtype.kind == "O" and all(isinstance(text, str) for text in array.flat)
        self._keep = stop, self._point_at_texts(array) if texts else self._point_at(_floats(array, name))
        self.handle = ffi.new("ll_predictions *")
        lib.lossleak_open(self.handle, self._source, self.rows)

    def _point_at(self, array: np.ndarray) -> Any:
        double = array.dtype == np.float64
        pointer = ffi.from_buffer("double[]" if double else "float[]", array)
        setattr(self._source, "doubles" if double else "floats", pointer)
        return pointer

    def _point_at_texts(self, array: np.ndarray) -> Any:
        """Numbers of any size, for exact arithmetic: "0.1" is a tenth, "0x1p-5000" has an exponent that no double has."""
        texts = [ffi.new("char[]", text.encode()) for text in array.flat]
        self._source.texts = pointers = ffi.new("char *[]", texts)
        return texts, pointers


def _count_places(array: np.ndarray, classes: int) -> int:
    """K where these numbers are 0 .. K-1, for so many classes or as many as there are; 0 where they are not."""
    count = int(array.max()) + 1
    return count if array.min() >= 0 and (count <= classes or count <= len(np.unique(array))) else 0


def labels_of(values: Any, name: str, classes: Optional[int] = None) -> Tuple[np.ndarray, int, Optional[List[Any]]]:
    """(int32 labels from 0, classes, what they were called where that is not 0 .. K-1)"""
    array = as_array(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1 or array.size == 0:
        raise Error(f"{name}: an array of shape {array.shape}; accepted: (rows,)")
    if array.dtype.kind == "f" and np.all(np.abs(array) < 2**53) and np.all(array == np.floor(array)):
        array = array.astype(np.int64)
    places = 2 if array.dtype.kind == "b" else _count_places(array, classes or 2) if array.dtype.kind in "iu" else 0
    if places:
        return np.ascontiguousarray(array, dtype=np.int32), classes or max(2, places), None
    if array.dtype.kind not in "iuUSO":
        raise Error(f"{name}: an array of {array.dtype}; accepted: whole numbers, bools or names of classes")
    names, found = np.unique(array.astype(str) if array.dtype.kind == "O" else array, return_inverse=True)
    if classes and len(names) > classes:
        raise Error(f"{name}: {len(names)} different labels, but {classes} classes")
    return found.astype(np.int32), classes or max(2, len(names)), names.tolist()


def targets_of(values: Any, name: str, numbers: List[str]) -> Tuple[np.ndarray, int, List[Any]]:
    """The same of numeric targets: each is one of `numbers`, which increase."""
    array, grid = as_array(values, name).astype(np.float64), np.array([float(number) for number in numbers])
    if array.ndim != 1 or array.size == 0:
        raise Error(f"{name}: an array of shape {array.shape}; accepted: (rows,)")
    places = np.minimum(np.searchsorted(grid, array), len(grid) - 1)
    wrong = np.flatnonzero(grid[places] != array)
    if len(wrong):
        raise Error(f"{name}[{wrong[0]}]: {array[wrong[0]]} is none of the targets")
    return places.astype(np.int32), len(grid), list(numbers)


def read(predictions: Any, dtype: Any) -> np.ndarray:
    """Predictions of the library as a new array: (rows,), or (rows, columns); exact numbers as text."""
    shape = (predictions.rows,) if predictions.columns == 1 else (predictions.rows, predictions.columns)
    if predictions.entries == lib.LL_ENTRIES_EXACT:
        return _read_texts(predictions).reshape(shape)
    out = np.empty(shape)
    quick(lib.lossleak_fill, ffi.from_buffer("double[]", out), predictions)
    return out.astype(dtype, copy=False)


def _read_texts(predictions: Any) -> np.ndarray:
    out = np.empty((predictions.rows, predictions.columns), dtype=object)
    texts = ffi.new("char *[]", predictions.columns)
    for row in range(predictions.rows):
        quick(lib.lossleak_texts, texts, predictions, row)
        for k in range(predictions.columns):
            out[row, k] = string(texts[k])
            lib.ll_free(texts[k])
    return out


def copy_of(pointer: Any, kind: str, count: int) -> np.ndarray:
    """An array of the library's memory, which it keeps."""
    return np.frombuffer(ffi.buffer(pointer, count * ffi.sizeof(kind)), dtype={"int32_t": np.int32, "double": np.float64,
                                                                              "unsigned char": np.uint8}[kind]).copy()
