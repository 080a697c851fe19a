"""The tables of docs/results/infer.md from docs/results/infer.csv; with --check, are they what stands there?

    /usr/bin/python3 bench/infer_tables.py [--check]
"""
import csv
import pathlib
import sys

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "docs" / "results"
KINDS = {"log": {"double": "double", "12": "12 decimals", "float32": "float32"},
         "noise": {"12": "12 decimals", "float32": "float32"}}


def cell(row):
    return " / ".join(row[name] or "-" for name in ("needed", "lll", "blocks")) if row else "-"


def table(rows, source):
    kinds = KINDS[source]
    measured = {(row["kind"], int(row["rows"])): row for row in rows if row["source"] == source}
    yield f"**{source}** (any method / LLL / with blocks, - not measured)\n"
    yield f"| rows | {' | '.join(kinds.values())} |"
    yield "|---" * (len(kinds) + 1) + "|"
    for size in sorted({size for _, size in measured}):
        yield f"| {size} | {' | '.join(cell(measured.get((kind, size))) for kind in kinds)} |"


def main(options):
    with open(RESULTS / "infer.csv") as file:
        rows = list(csv.DictReader(file))
    tables = ["\n".join(table(rows, source)) + "\n" for source in KINDS]
    if options != ["--check"]:
        print("\n".join(tables), end="")
        return 0
    page = (RESULTS / "infer.md").read_text()
    wrong = [made for made in tables if made + "\n" not in page]
    for made in wrong:
        print("infer.md has not this table of infer.csv:\n" + made)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
