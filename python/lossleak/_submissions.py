"""Histories of submissions as records: DataFrames, lists of dictionaries, arrays, and folders with a list of their files.

Files are read by the rules of the program (CSV with a header or of one column, .npy, either gzip'd); what may be read in two ways is refused."""
from __future__ import annotations

import csv
import datetime
import gzip
import io
import os
import pathlib
import re
import zlib
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

import numpy as np

from ._arrays import _is_missing
from ._library import Error, listed
from ._plan import score_text

# What people call the columns, as the program knows them; "predictions" is the package's own.
_COLUMNS = {"predictions": ("predictions",), "file": ("file", "submission", "filename", "path"), "score": ("score", "public_score", "publicscore"),
            "account": ("account", "team", "teamname", "user", "participant"),
            "time": ("time", "date", "submitted", "timestamp", "submissiondate")}
_LISTS = ("scores.csv", "submissions.csv", "index.csv")
_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[+-]?\d+)?)", re.I | re.A)


class Submission(NamedTuple):
    """One submission; ``predictions`` is None where they are in the file ``path``."""

    name: str
    predictions: Any
    path: str
    account: str
    time: Optional[str]
    score: Optional[str]


# ---- columns ----

def _columns_of(names: Iterable[Any], where: str) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for name in names:
        for column, known in _COLUMNS.items():
            if str(name).lower() in known:
                if column in found:
                    raise Error(f"{where}: two columns for the {column} of a submission, {found[column]!r} and {name!r}")
                found[column] = name
    return found


def _need(columns: Dict[str, Any], where: str) -> None:
    if "predictions" not in columns and "file" not in columns:
        raise Error(f"{where}: no column 'predictions': there are predictions (or file), score, account and time")
    if "score" not in columns:
        raise Error(f"{where}: no column 'score': there are predictions (or file), score, account and time")


def _is_none(value: Any) -> bool:
    return isinstance(value, str) and not value or np.ndim(value) == 0 and _is_missing(value)


def _score(value: Any, where: str) -> Optional[str]:
    if _is_none(value):
        return None
    text = score_text(value, where)
    wrong = next((word for word in text.split() if not _NUMBER.fullmatch(word)), None)
    if wrong is not None:
        raise Error(f"{where}: the score {wrong!r} is no number")
    return text


def _time(value: Any) -> Optional[str]:
    if _is_none(value):
        return None
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _submission(record: Dict[str, Any], place: int, folder: str, where: str) -> Submission:
    at = f"{where}[{place}]"
    name, account = record.get("file"), record.get("account")
    if _is_none(name) and "predictions" not in record:
        raise Error(f"{at}: no file: every line names the file of a submission")
    shown = f"submission {place + 1}" if _is_none(name) else str(name)
    return Submission(shown, record.get("predictions"), os.path.join(folder, shown), "-" if _is_none(account) else str(account), _time(record.get("time")),
                      _score(record["score"], f"{at}.score"))


# ---- order ----

def _order(times: List[Any], where: str) -> List[int]:
    """Places in the order of the times: dates as dates, numbers as numbers, other texts as they stand. Without times they stand as they are."""
    known = [not _is_none(time) for time in times]
    if any(known) and not all(known):
        raise Error(f"{where}[{known.index(False)}]: some submissions have a time and some have none")
    if not any(known):
        return list(range(len(times)))
    if not all(isinstance(time, datetime.date) for time in times):
        texts = [_time(time) or "" for time in times]
        times = [_double(text) for text in texts] if all(map(_NUMBER.fullmatch, texts)) else [text.encode() for text in texts]
    try:
        return sorted(range(len(times)), key=times.__getitem__)
    except TypeError as error:
        raise Error(f"{where}: times that have no order: {error}") from None


def _of_records(records: List[Dict[str, Any]], columns: Dict[str, Any], folder: str, where: str) -> List[Submission]:
    if not records:
        raise Error(f"{where}: no submission")
    _need(columns, where)
    for place, record in enumerate(records):
        missing = next((name for name in columns.values() if name not in record), None)
        if missing is not None:
            raise Error(f"{where}[{place}]: no {missing!r}, which others have")
    plain = [{column: record[name] for column, name in columns.items()} for record in records]
    made = [_submission(record, place, folder, where) for place, record in enumerate(plain)]
    return [made[place] for place in _order([record.get("time") for record in plain], where)]


# ---- folders ----

def _rows(path: str) -> List[List[str]]:
    try:
        data = pathlib.Path(path).read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8-sig")
        rows = [[field.strip() for field in row] for row in csv.reader(io.StringIO(text, newline=""), strict=True)]
    except OSError as error:
        raise Error(f"{path}: {error.strerror or error}", "system") from None
    except (EOFError, UnicodeDecodeError, csv.Error, zlib.error) as error:
        raise Error(f"{path}: {error}") from None
    while rows and not any(rows[-1]):
        rows.pop()
    for line, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise Error(f"{path}: row {line} has {len(row)} fields, but the first has {len(rows[0])}")
    return rows


def _list_of(folder: str) -> str:
    for name in _LISTS:
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    raise Error(f"{folder}: no scores.csv in it: give scores=FILE.csv with the columns file, score, account and time")


def _of_folder(path: str, scores: Any) -> List[Submission]:
    is_folder = os.path.isdir(path)
    if scores is not None and not (is_folder and isinstance(scores, (str, os.PathLike))):
        raise Error(f"{path}: scores names the list of a folder")
    source = os.fspath(scores) if scores is not None else _list_of(path) if is_folder else path
    rows = _rows(source)
    if not rows:
        raise Error(f"{source}: no submission")
    columns = {column: name for column, name in _columns_of(rows[0], source).items() if column != "predictions"}
    records = [dict(zip(rows[0], row)) for row in rows[1:]]
    return _of_records(records, columns, path if is_folder else os.path.dirname(path), source)


# ---- files of predictions ----

def _double(text: str) -> float:
    return float.fromhex(text) if "x" in text.lower() else float(text)


def _has_id(header: List[str], path: str) -> bool:
    name = header[0]
    if name.lower() in ("", "row", "id", "index") or name[-2:] in ("Id", "ID") or re.search(r"[^A-Za-z]id$", name, re.I):
        return True
    if name.lower().endswith("id") and len(header) > 1:
        raise Error(f"{path}: is column {name!r} an id or a class? call it row, or p0, in the header")
    return False


def _check_header(header: List[str], rows: List[List[str]], path: str, has_id: bool) -> None:
    if len(header) == has_id:
        raise Error(f"{path}: only an id column, {header[0]!r}")
    if header[0] == "row" and any(row[0] != str(place) for place, row in enumerate(rows)):
        raise Error(f"{path}: the rows do not count 0, 1, ...")
    numbered = [re.fullmatch(r"p(\d+)", name, re.A) for name in header[has_id:]]
    if len(numbered) > 1 and all(numbered) and any(int(match[1]) != place for place, match in enumerate(numbered) if match):
        raise Error(f"{path}: the columns p0, p1, ... do not stand in that order")


def _body(rows: List[List[str]], path: str) -> Tuple[List[List[str]], bool]:
    """The rows below the header, and whether their first column is an id."""
    first = rows[0] if rows else []
    words = [bool(field) and not _NUMBER.fullmatch(field) and not re.fullmatch(r"[+-]?(?:nan|inf|infinity)", field, re.I) for field in first]
    if len(first) == 1 and not (words[0] and first[0][0] not in "+-.0123456789"):
        return rows, False
    if not any(words) and (not first or first[0]):
        raise Error(f"{path}: no header: columns without names" if first else f"{path}: no predictions")
    has_id = _has_id(first, path)
    _check_header(first, rows[1:], path, has_id)
    return rows[1:], has_id


def read_file(path: str, exact: bool) -> np.ndarray:
    """Predictions of a file: texts where the arithmetic is exact, else doubles."""
    try:
        with open(path, "rb") as file:
            head = file.read(6)
        if head == b"\x93NUMPY":
            return np.asarray(np.load(path, allow_pickle=False))
        if head[:2] == b"\x1f\x8b" and gzip.open(path).read(6) == b"\x93NUMPY":
            return np.asarray(np.load(io.BytesIO(gzip.open(path).read()), allow_pickle=False))
    except OSError as error:
        raise Error(f"{path}: {error.strerror or error}", "system") from None
    except (EOFError, ValueError, zlib.error) as error:
        raise Error(f"{path}: {error}") from None
    rows, has_id = _body(_rows(path), path)
    fields = [row[has_id:] for row in rows]
    for place, row in enumerate(fields):
        wrong = next((field for field in row if not _NUMBER.fullmatch(field)), None)
        if wrong is not None:
            raise Error(f"{path}: row {place}: {wrong!r} is no finite number")
    made = np.array(fields, dtype=object) if exact else np.array([[_double(field) for field in row] for row in fields])
    return made[:, 0] if made.ndim == 2 and made.shape[1] == 1 else made


# ---- all of them ----

def _of_arrays(arrays: List[Any], scores: Any, account_names: Any, times: Any) -> List[Submission]:
    records: List[Dict[str, Any]] = [{"predictions": array} for array in arrays]
    for column, name, values in (("score", "scores", scores), ("account", "account_names", account_names), ("time", "times", times)):
        if values is None:
            continue
        given = listed(values, name)
        if len(given) != len(arrays):
            raise Error(f"{len(arrays)} predictions but {len(given)} {name}: every one needs its {column}")
        for record, value in zip(records, given):
            record[column] = value
    return _of_records(records, {name: name for record in records[:1] for name in record}, "", "history")


def submissions_of(history: Any, scores: Any, account_names: Any, times: Any) -> Tuple[List[Submission], Optional[str]]:
    """The submissions in their order, and the folder or list that they come from."""
    beside = account_names is not None or times is not None
    if isinstance(history, (str, os.PathLike)):
        if beside:
            raise Error("account_names, times: the list of a folder has them in its columns")
        return _of_folder(os.fspath(history), scores), os.fspath(history)
    if hasattr(history, "columns") and hasattr(history, "to_dict") and hasattr(history, "iloc"):
        if not history.columns.is_unique:
            raise Error("history: two columns of one name")
        history = history.to_dict("records")
    items = listed(history, "history")
    if not items or not all(isinstance(item, dict) for item in items):
        return _of_arrays(items, scores, account_names, times), None
    if beside or scores is not None:
        raise Error("scores, account_names, times: records have them as columns; give them beside arrays alone")
    names = dict.fromkeys(name for item in items for name in item)
    return _of_records(items, _columns_of(names, "history"), "", "history"), None
