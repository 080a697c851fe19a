"""Meet in the middle on one core against sorting lists of the same length once.

    /usr/bin/python3 bench/meet.py PROGRAM

PROGRAM is b-meet. The baseline has the two halves' sums at hand, without their labels, and only sorts them (NumPy, 64-bit integers).
Fails where the labels found are not those drawn."""
import subprocess
import sys
import time

import numpy as np


def ours(program, rows, runs, *form):
    spent, count, drawn, found = subprocess.check_output([program, str(rows), str(runs), *form], text=True).split()
    if count != "1" or drawn != found:
        sys.exit(f"meet.py: {drawn} was drawn, {found} found ({count} fit)")
    return float(spent)


def sums(rows, random):
    out = np.zeros(1, dtype=np.int64)
    for weight in random.integers(0, 1 << 54, rows):
        out = np.concatenate((out, out + weight))
    return out


def sort_both(rows, random):
    lists = [sums(rows // 2, random), sums(rows - rows // 2, random)]
    start = time.process_time()
    for one in lists:
        one.sort()
    return time.process_time() - start


def main(program):
    random = np.random.default_rng(1)
    for rows in 40, 48:
        best, other = float("inf"), float("inf")
        for _ in range(3):
            best = min(best, ours(program, rows, 1))
            other = min(other, sort_both(rows, random))
        size = f"{rows} rows"
        print(f"meet in the middle,{size},{best:.4g},NumPy sort of two lists of 2^{rows // 2},{other:.4g},{best / other:.3g}")
    heaps, lists = ours(program, 40, 2, "heaps"), ours(program, 40, 2)
    print(f"meet in the middle by heaps,40 rows,{heaps:.4g},by lists,{lists:.4g},{heaps / lists:.3g}")


if __name__ == "__main__":
    main(sys.argv[1])
