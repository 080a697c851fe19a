"""The drop-ins for EvalAI and Codabench against a real `lossleak serve`: scores, one charge for each different submission, failures that say the same
whatever the labels are, and nothing on stdout."""
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import lossleak as ll

INTEGRATIONS = pathlib.Path(__file__).resolve().parents[2] / "integrations"
ROWS = 50
LABELS = np.random.default_rng(2).integers(0, 2, ROWS)
POLICY = {"scorer": {"metric": "accuracy", "rows": ROWS, "release": "levels:0.4:1:12"}, "promise": {"bits": 100}, "limits": {"per_account": 6}}


@pytest.fixture(params=["labels", "other labels"])
def served(request, tmp_path, monkeypatch):
    """A ledger with two accounts behind a server; the labels, so that failures of two ledgers can be compared."""
    labels = LABELS if request.param == "labels" else 1 - LABELS
    with ll.Guard(POLICY, ledger=tmp_path / "test.db", labels=labels) as guard:
        tokens = {"anna": guard.add_account("anna"), "*": guard.add_account("everybody")}
    log = open(tmp_path / "log", "w", encoding="utf-8")
    server = subprocess.Popen([os.environ["LOSSLEAK"], "serve", "--ledger", str(tmp_path / "test.db"), "--listen", "127.0.0.1:0"],
                              stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        address = ""
        while "http://" not in address:
            address = server.stdout.readline()
            assert address, (tmp_path / "log").read_text()
        (tmp_path / "guard.json").write_text(json.dumps({"address": re.search(r"http://\S+", address)[0].rstrip("/"), "tokens": tokens}))
        monkeypatch.setenv("LOSSLEAK_GUARD", str(tmp_path / "guard.json"))
        for folder in (INTEGRATIONS, INTEGRATIONS / "evalai", INTEGRATIONS / "codabench"):
            monkeypatch.syspath_prepend(str(folder))
        yield tmp_path, labels
    finally:
        server.terminate()
        server.wait(30)
        log.close()


def write(path, labels):
    path.write_text("row,p\n" + "".join(f"{row},{label}\n" for row, label in enumerate(labels)))
    return path


FAILURES = set()


def test_evalai(served, capfd):
    folder, labels = served
    main = importlib.import_module("guard_evaluate")
    given = labels.copy()
    given[:10] = 1 - given[:10]
    path = write(folder / "a.csv", given)
    for _ in range(2):  # the same file is charged once
        told = main.evaluate("no such annotations", str(path), "test", submission_metadata={"participant_team_name": "anna"})
        assert told == {"result": [{"test": {"Score": 0.8}}], "submission_result": {"Score": 0.8}}
    assert main.evaluate(None, str(write(folder / "b.csv", labels)), "dev")["result"] == [{"dev": {"Score": 1.0}}]
    texts = []
    for bad in ("row,p\n0,1\n", "nonsense", "row,p\n" + "".join(f"{row},7\n" for row in range(ROWS))):
        (folder / "bad.csv").write_text(bad)
        with pytest.raises(RuntimeError) as caught:
            main.evaluate(None, str(folder / "bad.csv"), "test", submission_metadata={"participant_team_name": "anna"})
        texts.append(str(caught.value))
        assert caught.value.__cause__ is None
    with pytest.raises(RuntimeError, match="could not be scored"):
        main.evaluate(None, str(folder / "none.csv"), "test")
    FAILURES.add(tuple(texts))
    assert len(FAILURES) == 1  # of both sets of labels
    for seed in range(9):
        try:
            main.evaluate(None, str(write(folder / "c.csv", np.random.default_rng(seed).integers(0, 2, ROWS))), "test",
                          submission_metadata={"participant_team_name": "anna"})
        except RuntimeError as error:
            assert "no submission left" in str(error)
            break
    else:
        pytest.fail("no limit was reached")
    assert capfd.readouterr() == ("", "")
    with ll.Guard(ledger=folder / "test.db") as guard:
        guard.verify()
        assert guard.status().submissions == len(guard.entries())


def test_codabench(served):
    folder, labels = served
    (folder / "in" / "res").mkdir(parents=True)
    (folder / "out").mkdir()

    def run():
        return subprocess.run([sys.executable, INTEGRATIONS / "codabench" / "guard_score.py", folder / "in", folder / "out"], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(INTEGRATIONS)}, check=False)

    done = run()
    assert done.returncode == 1 and "one file of predictions" in done.stderr and not done.stdout
    write(folder / "in" / "res" / "predictions.csv", labels)
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert json.loads((folder / "out" / "scores.json").read_text()) == {"score": 1.0}


def test_a_server_that_is_not_there(tmp_path, monkeypatch):
    (tmp_path / "guard.json").write_text(json.dumps({"address": "http://127.0.0.1:9", "tokens": {"*": "x"}}))
    monkeypatch.setenv("LOSSLEAK_GUARD", str(tmp_path / "guard.json"))
    monkeypatch.syspath_prepend(str(INTEGRATIONS))
    client = importlib.import_module("guard_client")
    monkeypatch.setattr(client, "PAUSE", 0)
    with pytest.raises(client.Refused, match="cannot be reached"):
        client.submit(write(tmp_path / "a.csv", LABELS))
