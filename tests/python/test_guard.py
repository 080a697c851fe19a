"""Guards: the answers of the command line on the same ledger, two processes on one ledger, threads, forks, keys, errors."""
import json
import multiprocessing
import os
import pathlib
import pickle
import stat
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import lossleak as ll

ROWS = 60
LABELS = np.random.default_rng(1).integers(0, 2, ROWS)
POLICY = {"scorer": {"metric": "accuracy", "rows": ROWS, "release": "levels:0.4:1:12"}, "promise": {"bits": 200}, "limits": {"per_account": 30}}


def right(count, seed=0):
    """Predictions with so many right labels."""
    given = 1 - LABELS
    rows = np.random.default_rng(seed).permutation(ROWS)[:count]
    given[rows] = LABELS[rows]
    return given


@pytest.fixture
def guard(tmp_path):
    with ll.Guard(POLICY, ledger=tmp_path / "test.db", labels=LABELS) as made:
        made.add_account("anna")
        made.add_account("bert")
        yield made


def test_answers_are_levels_and_are_charged(guard):
    first = guard.score("anna", right(40))
    assert (first.outcome, first.score, first.submission) == ("accepted", "0.65", 1) and len(first.receipt) == 64
    assert first.spent.answer == pytest.approx(np.log2(13), abs=1e-5)
    again = guard.score("anna", right(40).astype(float))  # the same values, of another type
    assert again.outcome == "repeated" and again.score == "0.65" and again.spent.answer == 0 and again.receipt == first.receipt
    worse = guard.score("anna", right(20))
    assert worse.score == "0.65" and not worse.improved and 0 < worse.spent.answer < 2
    better = guard.score("anna", right(60))
    assert better.score == "1" and better.improved
    assert better.left == {"today": None, "account": 27, "all": None}
    assert [(row.place, row.account, row.score) for row in guard.leaderboard()] == [(1, "anna", "1")]
    status = guard.status()
    assert status.spent.bits == pytest.approx(first.spent.answer + worse.spent.answer + better.spent.answer)
    assert status.share.guess == pytest.approx(0.5, abs=1e-5) and status.share.guess < status.share.spent < status.share.promised <= 1
    assert [entry.score for entry in guard.entries()] == ["0.65", "0.65", "1"] and len(guard.entries(after=2)) == 1
    guard.verify()
    guard.verify(first.receipt)
    with pytest.raises(ll.Error, match="does not hold this receipt"):
        guard.verify("0" * 64)


def test_invalid_submissions_are_answers_and_count(guard):
    for wrong in (right(40)[:-1], np.full(ROWS, 0.5), np.where(np.arange(ROWS) == 7, np.nan, 1.0)):
        answer = guard.score("anna", wrong)
        assert answer.outcome == "invalid" and answer.score is None and answer.text
    assert guard.status().invalid == 3
    assert guard.account("anna").left.account == 27
    with pytest.raises(ll.Error, match="no account"):
        guard.score("nobody", right(3))
    with pytest.raises(ll.Error, match="predictions: an array of shape"):
        guard.score("anna", np.zeros((2, 2, 2)))


def test_limits_are_refusals_that_say_what_is_left(tmp_path):
    policy = {**POLICY, "limits": {"per_account": 2}}
    with ll.Guard(policy, ledger=tmp_path / "a.db", labels=LABELS) as guard:
        guard.add_account("anna")
        assert [guard.score("anna", right(30, seed)).outcome for seed in range(3)] == ["accepted", "accepted", "refused"]
        refused = guard.score("anna", right(31))
        assert refused.left.account == 0 and "no submission left" in refused.text and refused.submission is None
    with ll.Guard({**POLICY, "promise": {"bits": 5}}, ledger=tmp_path / "b.db", labels=LABELS) as guard:
        guard.add_account("anna")
        answers = [guard.score("anna", right(30, seed)) for seed in range(40)]
        assert answers[-1].outcome == "refused" and "bits are spent" in answers[-1].text
        assert all(a.spent.bits <= a.spent.budget for a in answers)


def test_the_command_line_says_the_same(guard, command, tmp_path):
    np.save(tmp_path / "p.npy", right(45))
    said = command("guard", "score", ledger=tmp_path / "test.db", account="anna", predictions=tmp_path / "p.npy")
    here = guard.score("bert", right(45)).to_dict()
    assert set(said) == set(here) and said["score"] == here["score"] and here["submission"] == said["submission"] + 1
    told = command("guard", "status", ledger=tmp_path / "test.db")
    mine = guard.status().to_dict()
    assert {key: told[key] for key in mine if key != "share"} == {key: mine[key] for key in mine if key != "share"}
    assert told["share"] == pytest.approx(mine["share"])
    assert told["leaderboard"] == [row.to_dict() for row in guard.leaderboard()]
    assert json.dumps(here) and pickle.loads(pickle.dumps(guard.status())) == guard.status()


def test_a_ledger_is_opened_again_under_its_own_policy(guard, tmp_path):
    shown = guard.score("anna", right(50)).score
    guard.close()
    with pytest.raises(ll.Error, match="closed"):
        guard.status()
    path = tmp_path / "test.db"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    file = tmp_path / "policy.json"
    file.write_text(json.dumps(POLICY))
    for policy in (None, POLICY, json.dumps(POLICY), file, str(file)):
        with ll.Guard(policy, ledger=path) as again:
            assert again.score("anna", right(50)).score == shown and again.policy.scorer["metric"] == "accuracy"
    with ll.Guard(POLICY, ledger=f"sqlite:{path}", labels=LABELS) as again:  # labels of a ledger that is there are not taken
        assert again.status().submissions == 1
    with pytest.raises(ll.Error, match="another policy"):
        ll.Guard({**POLICY, "promise": {"bits": 201}}, ledger=path)


@pytest.mark.parametrize("policy, ledger, labels, text", [
    ({**POLICY, "odd": 1}, "x.db", LABELS, "odd, which is not known"),
    (POLICY, "x.db", LABELS[:-1], "59|60"),
    (POLICY, "x.db", np.arange(ROWS), "row 2: its label is none of 2 classes"),
    (None, "x.db", LABELS, "a new ledger needs one"),
    (POLICY, "x.db", None, "x.db"),
    (POLICY, None, LABELS, "ledger: give"),
    ("nowhere.json", "x.db", LABELS, "nowhere.json"),
    (17, "x.db", LABELS, "policy"),
    ({"scorer": {"metric": "accuracy", "rows": float("nan")}}, "x.db", LABELS, "policy"),
])
def test_what_cannot_be_is_said(tmp_path, policy, ledger, labels, text):
    with pytest.raises(ll.Error, match=text):
        ll.Guard(policy, ledger=ledger and tmp_path / ledger, labels=labels)
    assert not (tmp_path / "x.db").exists()


def test_keys(tmp_path, command):
    key = os.urandom(32)
    with ll.Guard(POLICY, ledger=tmp_path / "k.db", labels=LABELS, key=key) as guard:
        guard.add_account("anna")
        assert guard.status().encrypted
    (tmp_path / "key").write_bytes(key)
    with ll.Guard(ledger=tmp_path / "k.db", key=tmp_path / "key") as guard:
        assert guard.score("anna", right(60)).score == "1"
    assert command("guard", "status", ledger=tmp_path / "k.db", key=tmp_path / "key")["submissions"] == 1
    for wrong, text in ((None, "key is missing"), (os.urandom(32), "does not fit"), (b"short", "5 bytes"), (tmp_path / "no", "no")):
        with pytest.raises(ll.Error, match=text):
            ll.Guard(ledger=tmp_path / "k.db", key=wrong)


def test_accounts_and_tokens(guard):
    token = guard.add_account("carl")
    host = guard.add_account("host", host=True)
    assert guard.check_token(token) == "carl" and guard.check_token(host) == "host" and guard.check_token("x") is None
    with pytest.raises(ll.Error, match="carl"):
        guard.add_account("carl")
    with pytest.raises(ll.Error, match="host"):
        guard.score("host", right(3))
    guard.score("carl", right(33))
    guard.forget_account("carl")
    assert guard.check_token(token) is None and "carl" not in repr(guard.entries())
    guard.verify()


# ---- noise, and the host's own metric ----

def test_noise_alone_is_charged_row_by_row(tmp_path, command):
    policy = {"scorer": {"metric": "brier", "rows": ROWS, "noise": "proportional:3"}, "promise": {"share": 0.8, "row_share": 0.7}}
    with ll.Guard(policy, ledger=tmp_path / "n.db", labels=LABELS) as guard:
        guard.add_account("anna")
        rng = np.random.default_rng(3)
        answers = [guard.score("anna", rng.uniform(0, 1, ROWS)) for _ in range(20)]
        assert all(a.outcome == "accepted" and a.spent.answer == pytest.approx(0.7213475 / 9, rel=1e-4) for a in answers)
        assert len({a.score for a in answers}) == 20
        aimed = np.full(ROWS, 0.5)
        for step in range(40):
            aimed[4] = 1 - step / 1000
            answer = guard.score("anna", aimed)
            if answer.outcome == "refused":
                break
        assert "row 4" in answer.text
        status = guard.status()
        assert 0.6 < status.row_share.spent <= 0.7 + 1e-9 and status.row_share.promised == pytest.approx(0.7) and status.levels == 0
        assert command("guard", "status", ledger=tmp_path / "n.db")["row_share"] == pytest.approx(dict(status.row_share))
        guard.verify()


def test_the_metric_of_the_host(tmp_path):
    seen = []

    def profit(labels, predictions):
        seen.append(labels)
        if predictions[0] == 9:
            raise RuntimeError(f"label 3 is {labels[3]}")
        return float(np.sum(predictions * (2 * labels - 1)))

    policy = {"better": "higher", "scorer": {"rows": ROWS, "release": "levels:0:40:20"}, "promise": {"bits": 100}}
    with ll.Guard(policy, ledger=tmp_path / "o.db", labels=LABELS, metric=profit) as guard:
        guard.add_account("anna")
        guard.add_account("bert")
        ones = int(LABELS.sum())
        assert guard.score("anna", LABELS).score == str(min(40, 2 * (ones // 2)))
        assert np.array_equal(seen[0], LABELS)
        failed = guard.score("bert", np.full(ROWS, 9.0))
        assert failed.outcome == "accepted" and not failed.improved and "label" not in failed.text
        assert guard.score("bert", np.where(LABELS == 1, np.inf, 0)).outcome == "invalid"
        guard.verify()
    with ll.Guard(ledger=tmp_path / "o.db") as guard:
        with pytest.raises(ll.Error, match="host's own"):
            guard.score("anna", 1 - LABELS)
    with pytest.raises(ll.Error, match="has a metric"):
        ll.Guard(POLICY, ledger=tmp_path / "p.db", labels=LABELS, metric=profit)


# ---- several at once ----

WORKER = textwrap.dedent("""
    import sys
    import numpy as np
    import lossleak as ll

    path, account, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = np.random.default_rng(seed)
    with ll.Guard(ledger=path) as guard:
        for _ in range(25):
            answer = guard.score(account, rng.integers(0, 2, 60))
            print(answer.submission, answer.score, answer.spent.answer, answer.receipt, flush=True)
""")


def test_two_processes_on_one_ledger(guard):
    """Their answers are one chain, and every charge is in it."""
    running = [subprocess.Popen([sys.executable, "-c", WORKER, guard.ledger, account, str(seed)], stdout=subprocess.PIPE, text=True)
               for seed, account in enumerate(("anna", "bert"))]
    mine = [guard.score("anna", right(count)) for count in range(5)]
    told = [process.communicate(timeout=120)[0].split("\n")[:-1] for process in running]
    assert all(process.returncode == 0 for process in running) and [len(lines) for lines in told] == [25, 25]
    lines = [line.split() for lines in told for line in lines]
    given = {int(number): (score, float(charged), receipt) for number, score, charged, receipt in lines}
    given.update({a.submission: (a.score, a.spent.answer, a.receipt) for a in mine})
    entries = {e.submission: (e.score, e.charged, e.chain) for e in guard.entries()}
    assert len(given) == 55 and given == entries
    assert guard.status().spent.bits == pytest.approx(sum(charged for _, charged, _ in given.values()))
    guard.verify()


def test_two_processes_make_one_ledger(tmp_path):
    """One of them makes it, and the other gets an error or opens it: never two ledgers."""
    code = ("import sys, lossleak as ll\n"
            f"try: ll.Guard({POLICY!r}, ledger={str(tmp_path / 'x.db')!r}, labels={LABELS.tolist()!r}); print('ok')\n"
            "except ll.Error as e: print('error', e)")
    done = [process.communicate(timeout=60)[0] for process in
            [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]]
    assert any(text == "ok\n" for text in done), done
    assert all(text == "ok\n" or text.startswith("error") for text in done), done
    with ll.Guard(POLICY, ledger=tmp_path / "x.db") as guard:
        guard.verify()


def test_threads_take_turns(guard):
    answers = []

    def work(account, seed):
        rng = np.random.default_rng(seed)
        answers.extend(guard.score(account, rng.integers(0, 2, ROWS)) for _ in range(10))

    threads = [threading.Thread(target=work, args=(account, seed)) for seed, account in enumerate(("anna", "bert"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(a.submission for a in answers) == list(range(1, 21))
    guard.verify()


def test_a_fork_opens_its_own(guard):
    guard.score("anna", right(10))
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()

    def child():
        try:
            guard.score("anna", right(11))
            answers.put("scored")
        except ll.Error as error:
            answers.put(str(error))

    process = context.Process(target=child)
    process.start()
    process.join(60)
    assert "does not survive a fork" in answers.get()
    assert guard.score("anna", right(12)).outcome == "accepted"
    guard.verify()


# ---- the library ----

def test_without_the_library_the_rest_works(tmp_path):
    code = ("import lossleak as ll\n"
            "print(ll.score([0, 1, 1], [0.5, 0.9, 0.25], 'sklearn/brier').score[:6])\n"
            "try: ll.Guard({}, ledger='x')\n"
            "except ll.Error as error: print(error.status, error)\n")
    for named in (str(tmp_path / "none.so"), str(pathlib.Path(__file__))):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              env={**os.environ, "LOSSLEAK_GUARD_LIBRARY": named})
        assert done.stdout.startswith("0.2741\nsystem Guard: liblossleak-guard.so.1 is not found: install liblossleak-guard1") and named in done.stdout
