#!/usr/bin/env python3
"""Processor time of audits of random descriptions with up to 20,000 rows, drawn from the table of metrics: the median, the tenth that takes longest and the
longest, in seconds and as multiples of one audit of the same run (kaggle/log_loss, 2201 rows). The longest are listed.

usage: LOSSLEAK=PROGRAM audits.py [AUDITS [SEED]]"""
import json
import os
import random
import resource
import subprocess
import sys

PROGRAM = os.environ["LOSSLEAK"]
BASELINE = ["--scorer", "kaggle/log_loss", "--rows", "2201"]
RELEASES = [[], ["--release", "ladder:0.01"], ["--noise", "gaussian:0.001"], ["--noise", "gaussian:0.05"], ["--noise", "laplace:0.01"], ["--noise", "bounded:0.001"],
            ["--transform", "percent", "--decimals", "2"]]


def processor_time(options):
    """None: there is no such audit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    made = subprocess.run([PROGRAM, "audit", *options], capture_output=True, text=True, check=False)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before if made.returncode in (0, 1) else None


def draw(metrics):
    metric = random.choice(metrics)
    options = ["--metric", metric["name"], "--rows", str(int(10 ** random.uniform(1, 4.301))), "--arithmetic", "fp64"]
    if metric["input"] == "number":
        options += ["--targets", random.choice(["0:1:1", "0:4:1", "0:100:1"])]
    elif random.random() < 1 / 3:
        options += ["--prior", "0.7,0.3"]
    options += random.choice(RELEASES + 2 * [["--decimals", str(random.randint(1, 6))]] + [["--digits", str(random.randint(2, 6))]])
    return options + random.choice([[]] + 2 * [["--queries", str(int(10 ** random.uniform(0, 3.5)))]])


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    table = json.loads(subprocess.run([PROGRAM, "losses", "--json"], capture_output=True, text=True, check=True).stdout)["losses"]
    metrics = [row for row in table if ":" not in row["name"]]
    base, times = processor_time(BASELINE), []
    while len(times) < count:
        options = draw(metrics)
        seconds = processor_time(options)
        if seconds is not None:
            times.append((seconds, " ".join(options)))
    times.sort(reverse=True)
    for seconds, options in times[:10]:
        print(f"{seconds:7.2f} s  {options}")
    for name, at in [("median", count // 2), ("nine in ten within", count // 10), ("longest", 0)]:
        print(f"{name}: {times[at][0]:.2f} s, {times[at][0] / base:.1f} of the baseline ({base:.2f} s)")


main()
