"""How few scores of the same rows give all labels? The smallest number for every number of rows, as a CSV.

    /usr/bin/python3 bench/infer_curve.py PROGRAM SOURCE KIND ROWS... >>docs/results/infer.csv

PROGRAM is b-fewest. SOURCE: log, the validation losses of a network in training, the first ones of the log, or noise, losses of
predictions and labels at random (tests/real/training.py). KIND: double, a number of decimals to which the double losses are
rounded (12: some 40 bits), or float32. A number of scores is enough if the lattice finds the labels and fewer than 1/2 wrong
labellings are expected to fit, and one score less is not. Columns: source, kind, rows, the number that any method needs (below it
more than 1/2 wrong labellings are expected to fit), LLL alone, its seconds, LLL with passes of blocks, its seconds, and what the
blocks' answer was (proved or found). Empty: not with 300 scores, or not tried (blocks, over 180 rows of a log or 160 of noise).
ROWS:START says with how many scores the tries of LLL begin. Seconds are of the processor. Fails if labels found are wrong."""
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "real"))
import training

SEED, SCORES, PASSES, SECONDS = 20220328, 300, 60, 1000000  # of the clock: none is meant to end there
BLOCK_ROWS = {"log": 180, "noise": 160}  # beyond, a try with blocks that fails takes minutes


class Log:
    def __init__(self, program, folder, source, kind, rows):
        self.dtype = torch.float32 if kind == "float32" else torch.float64
        predictions, scores, truth = getattr(training, source)(rows, SCORES, self.dtype, SEED)
        self.program, self.scores, self.truth = program, os.path.join(folder, "scores"), "".join(map(str, truth))
        self.decimals = kind if kind.isdigit() else "-1"
        self.losses = [f"{s:.{kind}f}" if kind.isdigit() else repr(s) for s in scores]
        self.paths = [os.path.join(folder, f"{i}.npy") for i in range(SCORES)]
        for path, p in zip(self.paths, predictions):
            np.save(path, p)

    def ask(self, count, passes):
        """(log2 of wrong labellings, seconds, answer) with the first `count` scores"""
        with open(self.scores, "w") as file:
            file.write("\n".join(self.losses[:count]) + "\n")
        line = subprocess.run([self.program, training.profile(self.dtype), self.decimals, str(passes), str(SECONDS), self.scores,
                               *self.paths[:count]], check=True, capture_output=True, text=True).stdout
        bits, spent, answer, labels = line.split()
        print(f"  {len(self.truth)} rows, {count} scores, {passes} passes: {bits} {spent} {answer}", file=sys.stderr, flush=True)
        if answer == "none" or answer in ("proved", "found") and float(bits) < -1 and labels != self.truth:
            sys.exit(f"infer_curve.py: {answer}, but wrong: {count} scores of {len(self.truth)} rows")
        return float(bits), float(spent), answer if answer in ("proved", "found") and float(bits) < -1 else "-"

    def needed(self):
        low, high = 0, SCORES
        if self.ask(SCORES, -1)[0] > -1:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.ask(middle, -1)[0] <= -1 else (middle, high)
        return high

    def fewest(self, passes, start, needed):
        """(count, seconds, answer): that count is enough, count - 1 is not. Steps from `start` that double, then halves."""
        low, high, count, step = needed - 1, None, min(max(start, needed), SCORES), max(1, start // 20)
        while high is None or high[0] - low > 1:
            _, spent, answer = self.ask(count, passes)
            if answer != "-":
                high = (count, spent, answer)
            elif count == SCORES:
                return None
            else:
                low = count
            if high is None:
                count = min(count + step, SCORES)
            elif low < needed:
                count = max(high[0] - step, needed)
            else:
                count = (low + high[0]) // 2
            step *= 2
        return high


def main(program, source, kind, sizes):
    start = 1
    for rows, _, hint in (size.partition(":") for size in sizes):
        rows, start = int(rows), int(hint or start)
        with tempfile.TemporaryDirectory() as folder:
            log = Log(program, folder, source, kind, rows)
            needed = log.needed()
            lll = log.fewest(0, max(start, needed), needed) if needed else None
            blocks = log.fewest(PASSES, lll[0] if lll else SCORES, needed) if needed and rows <= BLOCK_ROWS[source] else None
        start = lll[0] if lll else SCORES
        print(",".join(str(x) for x in (source, kind, rows, needed or "", *(lll or ("", ""))[:2], *(blocks or ("", "", "")))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:4], sys.argv[4:])
