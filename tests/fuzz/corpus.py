#!/usr/bin/env python3
"""Corpora between libFuzzer's folders (a file an input) and the one text file a target that is kept (a line an input,
as replay.c reads it). usage: corpus.py pack FOLDER FILE | unpack FILE FOLDER"""
import hashlib
import pathlib
import re
import sys

NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", "\\": "\\\\"}
BYTES = {name[1]: byte for byte, name in NAMED.items()}


def escape(data):
    return "".join(NAMED.get(c) or (c if " " <= c <= "~" else f"\\x{ord(c):02x}") for c in data.decode("latin-1"))


def unescape(line):
    return re.sub(r"\\(x..|.)", lambda m: BYTES.get(m[1]) or chr(int(m[1][1:], 16)), line).encode("latin-1")


def inputs(text):
    return [unescape(line) for line in text.split("\n")[:-1] if not line.startswith("#")]


def pack(folder, file):
    data = [path.read_bytes() for path in pathlib.Path(folder).iterdir()]
    # A line that begins with # would be a remark.
    lines = [re.sub("^#", r"\\x23", escape(item)) for item in sorted(data, key=lambda item: (len(item), item))]
    pathlib.Path(file).write_text("".join(line + "\n" for line in lines))
    assert sorted(inputs(pathlib.Path(file).read_text())) == sorted(data)


def unpack(file, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for item in inputs(pathlib.Path(file).read_text()):
        (folder / hashlib.sha1(item).hexdigest()).write_bytes(item)


{"pack": pack, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])
