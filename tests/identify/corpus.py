"""All scripts, as folders: SCRIPT FOLDER writes them and a manifest."""
import json
import pathlib
import sys
from typing import List

import blind
import clean
import homemade
import hosts
import known
import leaks
from shapes import Case


def cases() -> List[Case]:
    return known.cases() + blind.cases() + hosts.cases() + leaks.cases() + clean.cases() + homemade.cases()


def placed(text: str, folder: pathlib.Path) -> str:
    """`@` at the beginning of a path stands for the folder of the case."""
    return text.replace("@/", f"{folder}/")


def write(case: Case, root: pathlib.Path) -> pathlib.Path:
    folder = root / case.name
    for path, content in case.files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def manifest(root: pathlib.Path) -> None:
    """For people who want to run the scripts by hand."""
    table = {}
    for case in cases():
        folder = write(case, root)
        table[case.name] = {"interface": case.interface, "program": placed(case.program, folder),
                            "options": [placed(option, folder) for option in case.options], **case.truth}
    (root / "manifest.json").write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    manifest(pathlib.Path(sys.argv[1]).absolute())
