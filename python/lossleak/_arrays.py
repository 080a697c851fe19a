"""NumPy arrays, and what becomes one, as predictions and labels; without a copy where the type allows.

A value that is missing (masked, None, nan among labels, pandas.NA) is an error that says where, and so is whatever would change on the way: numbers
among texts, integers and long floats that no double holds."""
from __future__ import annotations

import numbers
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from ._library import Error, Stop, c_text, ffi, lib, quick, string


def _at(name: str, array: np.ndarray, where: np.ndarray) -> str:
    """name[3] or name[3, 1]: the first place where something is true."""
    place = np.unravel_index(int(np.flatnonzero(where)[0]), array.shape)
    return f"{name}[{', '.join(map(str, place))}]"


def _without_mask(values: Any, name: str) -> Any:
    """Masked values have no value; lists may hold them, or masked rows."""
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        if mask.any():
            raise Error(f"{_at(name, mask, mask)}: masked, so that there is no value; fill it or leave the row out")
        return np.ma.getdata(values)
    if isinstance(values, (list, tuple)) and any(issubclass(kind, (list, tuple, np.ma.MaskedArray)) for kind in set(map(type, values))):
        return [_without_mask(value, f"{name}[{place}]") for place, value in enumerate(values)]
    return values


def _is_missing(value: Any) -> bool:
    if value is None or value is np.ma.masked:
        return True
    try:
        return bool(value != value)
    except Exception:  # pandas.NA is neither equal to itself nor not
        return True


def _of_objects(array: np.ndarray, name: str) -> np.ndarray:
    """All texts, all bytes, all bools, all whole numbers or all numbers."""
    flat = array.ravel().tolist()
    inner = np.array([isinstance(value, (list, tuple, dict, set, np.ndarray)) for value in flat])
    if inner.any():
        raise Error(f"{_at(name, array, inner)}: {type(flat[int(np.flatnonzero(inner)[0])]).__name__}, where one value is asked for")
    missing = np.array([_is_missing(value) for value in flat])
    if missing.any():
        raise Error(f"{_at(name, array, missing)}: {flat[int(np.flatnonzero(missing)[0])]!r}, a missing value")
    for kind, dtype in (((str,), None), ((bytes,), None), ((bool, np.bool_), bool), ((numbers.Integral,), np.int64), ((numbers.Real,), np.float64)):
        if all(isinstance(value, kind) for value in flat):
            try:
                return array if dtype is None else np.array(flat, dtype=dtype).reshape(array.shape)
            except (OverflowError, TypeError, ValueError) as error:
                raise Error(f"{name}: {error}") from None
    kinds = sorted({type(value).__name__ for value in flat})
    raise Error(f"{name}: values of the types {', '.join(kinds)}; accepted: numbers, or texts, not both")


def _is_frame(values: Any) -> bool:
    return hasattr(values, "columns") and hasattr(values, "iloc")


def _id_column(frame: Any) -> Any:
    """The column of a DataFrame that names rows instead of predicting anything; None: there is none."""
    for column in frame.columns:
        word = str(column).lower().replace("_", "").replace("-", "").replace(" ", "")
        if word in ("id", "row", "rowid", "index", "unnamed:0") or word.endswith("id") and frame[column].is_unique and frame.shape[1] > 1:
            return column
    return None


def _refuse_ids(frame: Any, name: str) -> None:
    column = _id_column(frame)
    if column is not None:
        raise Error(f"{name}: the column {column!r} looks like the names of rows, not like predictions or labels; leave it out: "
                    f"frame.drop(columns={column!r}), with the rows in the order of the labels")


def matched_by_ids(labels: Any, predictions: Any) -> Tuple[Any, Any]:
    """Two DataFrames whose ids are in columns of one name: without them, the predictions in the order of the labels. All else is unchanged; a
    column called row or index is a position in one table."""
    if not _is_frame(labels) or not _is_frame(predictions):
        return labels, predictions
    column = _id_column(labels)
    if column is None or column != _id_column(predictions) or not str(column).lower().endswith("id"):
        return labels, predictions
    ours, theirs = labels[column], predictions[column]
    for name, wrong, what in (("labels", ours.duplicated(), "stands there twice"), ("predictions", theirs.duplicated(), "stands there twice"),
                              ("labels", ~ours.isin(theirs), "is not in the predictions"), ("predictions", ~theirs.isin(ours), "is not in the labels")):
        if wrong.any():
            raise Error(f"{name}: the {column} {(ours if name == 'labels' else theirs)[wrong].tolist()[0]!r} {what}")
    moved = predictions.set_index(column).loc[ours.tolist()]
    return labels.drop(columns=column).reset_index(drop=True), moved.reset_index(drop=True)


def refuse_other_order(labels: Any, predictions: Any) -> None:
    """Two pandas objects that name the same rows in another order: arrays have no names, and would be compared place by place."""
    ours: Any = getattr(labels, "index", None)
    theirs: Any = getattr(predictions, "index", None)
    if hasattr(ours, "equals") and hasattr(theirs, "equals") and not ours.equals(theirs) and ours.sort_values().equals(theirs.sort_values()):
        raise Error("predictions: their index has the rows of the labels in another order; give predictions.loc[labels.index], "
                    "or predictions.to_numpy() if their order is right")


def as_array(values: Any, name: str) -> np.ndarray:
    """NumPy, pandas, torch (also on a device, also with a gradient), lists; of objects only where all are texts."""
    try:
        if _is_frame(values):
            _refuse_ids(values, name)
        if hasattr(values, "detach"):
            values = values.detach().cpu().numpy()
        values = _without_mask(values, name)
        array = np.asarray(values)
        if array.dtype.kind in "US" and not hasattr(values, "dtype"):  # numbers among texts became texts, and a NUL at the end is lost
            array = np.asarray(values, dtype=object)
    except Error:
        raise
    except Exception as error:  # whatever an object has to say for itself
        raise Error(f"{name}: not an array: {error}") from None
    return _of_objects(array, name) if array.dtype.kind == "O" and array.size and array.ndim else array


def _floats(array: np.ndarray, name: str) -> np.ndarray:
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    if array.dtype not in (np.float64, np.float32):
        if array.dtype.kind not in "biuf":
            raise Error(f"{name}: an array of {array.dtype}; accepted: numbers, float64 or float32 without a copy")
        given, array = array, array.astype(np.float64)
        longer = (given > 2**53) | (-(2**53) > given) if given.dtype.kind in "iu" else np.isfinite(given) & (array != given)
        if longer.any():
            raise Error(f"{_at(name, given, longer)}: {given[longer][0]} has more digits than a double; give texts for exact arithmetic")
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
        texts = [ffi.new("char[]", c_text(str(text), "predictions")) for text in array.flat]
        self._source.texts = pointers = ffi.new("char *[]", texts)
        return texts, pointers


def _count_places(array: np.ndarray, classes: int) -> int:
    """K where these numbers are 0 .. K-1, for so many classes or as many as there are; 0 where they are not."""
    count = int(array.max()) + 1
    return count if array.min() >= 0 and (count <= classes or count <= len(np.unique(array))) else 0


def labels_of(values: Any, name: str, classes: Optional[int] = None) -> Tuple[np.ndarray, int, Optional[List[Any]]]:
    """(int32 labels from 0, classes, what they were called where that is not 0 .. K-1)"""
    array = _column(as_array(values, name), name)
    if array.dtype.kind == "f":
        strange = ~np.isfinite(array) | (array != np.floor(array)) | (np.abs(array) >= 2**53)
        if strange.any():
            raise Error(f"{_at(name, array, strange)}: {array[strange][0]} is no label, of an array of {array.dtype}; accepted: whole numbers, bools or "
                        "names of classes")
        array = array.astype(np.int64)
    places = 2 if array.dtype.kind == "b" else _count_places(array, classes or 2) if array.dtype.kind in "iu" else 0
    if places:
        return np.ascontiguousarray(array, dtype=np.int32), classes or max(2, places), None
    if array.dtype.kind not in "iuUSO":
        raise Error(f"{name}: an array of {array.dtype}; accepted: whole numbers, bools or names of classes")
    names, found = _names(array, name)
    if classes and len(names) > classes:
        raise Error(f"{name}: {len(names)} different labels, but {classes} classes")
    return found, classes or max(2, len(names)), names


def _column(array: np.ndarray, name: str) -> np.ndarray:
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1 or array.size == 0:
        raise Error(f"{name}: an array of shape {array.shape}; accepted: (rows,)")
    return array


def _names(array: np.ndarray, name: str) -> Tuple[List[Any], np.ndarray]:
    """The different labels in their order, and the place of each row's; texts as Python has them, a NUL at the end included."""
    if array.dtype.kind in "iu":
        different, found = np.unique(array, return_inverse=True)
        return different.tolist(), found.astype(np.int32)
    try:
        given = [value.decode() if isinstance(value, bytes) else str(value) for value in array.tolist()]
    except UnicodeDecodeError as error:
        raise Error(f"{name}: {error}") from None
    names = sorted(set(given))
    places = {text: place for place, text in enumerate(names)}
    return names, np.array([places[text] for text in given], dtype=np.int32)


def _is_word(text: str) -> bool:
    """No number, and no slip of one."""
    if text[:1] in "+-.0123456789":
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def numbers_of_names(predictions: Any, names: Optional[Sequence[Any]]) -> np.ndarray:
    """Predictions whose first one is a word name classes of the labels, and become their numbers; all others are as they were."""
    array = as_array(predictions, "predictions")
    if not isinstance(names, list) or array.dtype.kind not in "USO" or array.size == 0 or array.ndim != 1 and array.shape[1:] != (1,):
        return array
    given = [value.decode(errors="replace") if isinstance(value, bytes) else value for value in array.ravel().tolist()]
    if not _is_word(given[0]) or not isinstance(names[0], str):
        return array
    places = {name: place for place, name in enumerate(names)}
    for row, text in enumerate(given):
        if text not in places:
            raise Error(f"predictions[{row}]: {text!r} is none of the classes of the labels: {', '.join(map(repr, names[:12]))}{', ...' * (len(names) > 12)}")
    return np.array([places[text] for text in given], dtype=np.float64)


def targets_of(values: Any, name: str, numbers_: Sequence[str]) -> Tuple[np.ndarray, int, Sequence[Any]]:
    """The same of numeric targets: each is one of `numbers_`, which increase by even steps."""
    array = _column(as_array(values, name), name)
    if array.dtype.kind not in "biuf":
        raise Error(f"{name}: an array of {array.dtype}; accepted: numbers")
    array = _floats(array, name).astype(np.float64)
    low, last = float(numbers_[0]), len(numbers_) - 1
    places = np.clip(np.nan_to_num(np.rint((array - low) / (float(numbers_[last]) - low) * last)), 0, last)
    wrong = np.flatnonzero(np.array([float(numbers_[int(place)]) for place in places]) != array)
    if len(wrong):
        raise Error(f"{name}[{wrong[0]}]: {array[wrong[0]]} is none of the targets")
    return places.astype(np.int32), len(numbers_), numbers_


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
