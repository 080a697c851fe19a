"""An attack by the program (LOSSLEAK) on a real function of this process, behind --oracle: two pipes lead to it and back."""
import json
import os
import subprocess
import tempfile

import numpy as np

ROWS, GRID = 10, np.array([0.0, 1.0, 2.0])


def answer(folder, function, truth, dtype, columns):
    """Score what is asked until the program ends. What is refused has no answer, and the attack ends there."""
    with open(f"{folder}/ask") as ask, open(f"{folder}/reply", "w") as reply:
        for path in ask:
            table = np.loadtxt(path.rstrip("\n"), delimiter=",", skiprows=1, ndmin=2)[:, 1:].astype(dtype)
            try:
                print(repr(float(function(truth, table if columns else table[:, 0]))), file=reply, flush=True)
            except Exception:  # noqa: BLE001, each package refuses in its own way
                return


def read_labels(path):
    with open(path) as file:
        return [line.strip().split(",")[1] for line in file.readlines()[1:]]


def attack(row, seed):
    """{"certain", "wrong", "queries"} of ROWS labels, or the words with which the program refuses."""
    profile, _, _, function, make, _ = row
    rng = np.random.default_rng(seed)
    more, _, example, _ = make(rng, 1)
    columns = example.ndim == 2
    classes = 3 if columns or "targets" in more else 2
    labels = rng.permutation(np.arange(ROWS) % classes)
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(f"{folder}/ask")
        os.mkfifo(f"{folder}/reply")
        command = [os.environ["LOSSLEAK"], "attack", "--json", "--scorer", profile, "--rows", str(ROWS), "--out", f"{folder}/out",
                   "--oracle-mode", "stream", "--oracle", f"exec 3<&0; cat <&3 >{folder}/ask & exec cat {folder}/reply"]
        command += ["--targets", "0:2:1"] if "targets" in more else ["--classes", str(classes)]
        program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        pid = os.fork()
        if pid == 0:
            answer(folder, function, GRID[labels] if "targets" in more else labels, example.dtype, columns)
            os._exit(0)
        out, words = program.communicate(timeout=120)
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        if not out or not os.path.exists(f"{folder}/out"):
            return {"refused": words.strip().splitlines()[-1][:200] if words else "no answer"}
        found = read_labels(f"{folder}/out")
        told = json.loads(out)
        wrong = sum(label != "" and int(label) != int(true) for label, true in zip(found, labels))
        return {"certain": told["certain"], "wrong": wrong, "queries": told["queries"]}
