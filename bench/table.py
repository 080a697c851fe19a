"""The figures as one table, a row as soon as its CSV line comes: figures | table.py limits.csv

limits.csv has the greatest ratio that is wanted, by thing and baseline (with * and ? as in file names). The distance to
the limit is limit / ratio: how many times as long it might take. Below 1 the limit is missed, and the row says so.
The input ends with a line `end`; fails where it does not, and where a limit belongs to no figure."""
import csv
import fnmatch
import sys

ROW = "{:<34} {:<30} {:>9} {:<34} {:>9} {:>8} {:>6} {:>9}"


def main(path):
    with open(path, newline="") as file:
        limits = list(csv.DictReader(file))
    print(ROW.format("thing", "size", "ours", "baseline", "", "ratio", "limit", "distance"), flush=True)
    used, ended = set(), False
    for line in csv.reader(iter(sys.stdin.readline, "")):
        ended = line == ["end"]
        if ended:
            break
        thing, size, ours, baseline, other, ratio = line
        limit = distance = "-"
        for i, row in enumerate(limits):
            if fnmatch.fnmatchcase(thing, row["thing"]) and fnmatch.fnmatchcase(baseline, row["baseline"]):
                limit = row["limit"]
                distance = f"{float(limit) / float(ratio):.2f}" + ("" if float(ratio) <= float(limit) else " missed")
                used.add(i)
        print(ROW.format(thing, size, ours, baseline, other, ratio, limit, distance), flush=True)
    if not ended:
        sys.exit("table.py: a benchmark failed")
    for i, row in enumerate(limits):
        if i not in used:
            sys.exit(f"table.py: no figure for the limit of {row['thing']} against {row['baseline']}")


if __name__ == "__main__":
    main(sys.argv[1])
