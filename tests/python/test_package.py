"""Arrays, errors, Ctrl-C, threads, memory, results."""
import concurrent.futures
import importlib.metadata
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import textwrap
import time
import warnings

import numpy as np
import pytest

import lossleak as ll

P = np.array([0.9, 0.2, 0.6, 0.7])
Y = np.array([1, 0, 0, 1])


def test_version():
    assert ll.__version__ == "0.3.0"


# ---- arrays ----

@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint64", "bool", "float64", str, object])
def test_labels_of_every_type(dtype):
    assert ll.score(Y.astype(dtype), P, "sklearn/brier").score == ll.score(Y, P, "sklearn/brier").score


def test_names_of_classes_are_mapped_in_their_order():
    scored = ll.score(["no", "yes", "yes"], [0.1, 0.9, 0.8], "sklearn/brier")
    assert scored.mapping == ["no", "yes"] and float(scored) < 0.03
    assert ll.score([-1, 1, 1], [0.1, 0.9, 0.8], "sklearn/brier").score == scored.score


def test_arrays_are_not_copied():
    from lossleak._arrays import Predictions
    from lossleak._library import Stop, ffi

    for dtype, kind in (("float64", "doubles"), ("float32", "floats")):
        array = np.linspace(0, 1, 12).reshape(6, 2).astype(dtype)
        source = Predictions(array, "p", Stop())
        assert int(ffi.cast("uintptr_t", getattr(source._source, kind))) == array.ctypes.data
    from lossleak._arrays import labels_of
    held = np.array([0, 1, 1], dtype=np.int32)
    assert labels_of(held, "y")[0] is held


def test_other_layouts_and_libraries():
    expected = ll.score(Y, P, "sklearn-1.2/log_loss").score
    two = np.asfortranarray(np.stack([1 - P, P], axis=1))
    assert ll.score(Y, two[:, 1], "sklearn-1.2/log_loss").score == expected
    assert ll.score(Y[::-1], P[::-1], "sklearn/brier").score == ll.score(Y, P, "sklearn/brier").score
    assert float(ll.score(Y, two, "sklearn-1.2/log_loss")) == pytest.approx(float(expected))
    assert ll.score(list(Y), list(P), "sklearn-1.2/log_loss").score == expected
    import pandas
    import torch

    assert ll.score(pandas.Series(Y), pandas.DataFrame({"p": P}), "sklearn-1.2/log_loss").score == expected
    assert ll.score(torch.tensor(Y), torch.tensor(P, requires_grad=True), "sklearn-1.2/log_loss").score == expected


def test_exact_numbers_are_texts():
    assert ll.score([0, 1], ["0.1", "0x1.8p-1"], "squared", arithmetic="exact").score.rstrip("0") == "0.03625"
    plan = ll.plan("log-loss", rows=6, arithmetic="exact", noise="bounded:1")
    assert plan[0].dtype == object and plan.info.entries == "exact"
    curator = ll.Curator([0, 1, 1, 0, 0, 1], "log-loss", arithmetic="exact", noise="bounded:1,plus")
    assert plan.decode([curator.release(plan[0]).score]).labels.tolist() == [0, 1, 1, 0, 0, 1]


# ---- errors ----

REFUSED = [
    (lambda: ll.score(Y, P[:3], "sklearn/brier"), "3 rows"),
    (lambda: ll.score(Y, np.zeros((2, 2, 2)), "sklearn/brier"), r"predictions: an array of shape \(2, 2, 2\)"),
    (lambda: ll.score(Y, P + 1j, "sklearn/brier"), "predictions: an array of complex128"),
    (lambda: ll.score(Y + 0.5, P, "sklearn/brier"), r"labels\[0\]: 1.5 is no label"),
    (lambda: ll.score([], [], "sklearn/brier"), r"labels: an array of shape \(0,\)"),
    (lambda: ll.score(Y, P + 1, "sklearn/brier"), "row 0"),
    (lambda: ll.score([0, 1], ["0.1", "x"], "squared"), "row 1: x is no number"),
    (lambda: ll.score(Y, P, "sklearn/brier", rows=5), "labels: 4 of them, but 5 rows"),
    (lambda: ll.audit("sklearn/brier"), "no rows: give rows=N"),
    (lambda: ll.audit("sklearn/brier", rows=5, target_share=2), "target_share 2: out of range"),
    (lambda: ll.attack(5, rows=5), "oracle: int is not callable"),
    (lambda: ll.attack(lambda p: None, "sklearn/brier", rows=5), "answer to query 1: None is no score"),
    (lambda: ll.attack(lambda p: float("nan"), "sklearn/brier", rows=5), "answer to query 1: nan is no score: it is not finite"),
    (lambda: ll.attack(lambda p: "high", "sklearn/brier", rows=5), "high"),
    (lambda: ll.attack(lambda p: 0, "sklearn/brier", rows=5, code="nothing"), "nothing"),
    (lambda: ll.attack(lambda p: 0, "sklearn/brier", rows=5, guarantee="sure"), "guarantee sure: it is certified or likely"),
    (lambda: ll.infer([P, P], [0.1, 0.2, 0.3], "sklearn/brier"), "2 predictions but 3 scores"),
    (lambda: ll.infer(P, 0.1, "sklearn/brier", method="magic"), "method magic: no such method"),
    (lambda: ll.dataset("nothing"), "dataset nothing: "),
    (lambda: ll.plan("sklearn/brier", rows=5).decode([0.1] * 9), "scores: 9 of them, but the plan has"),
    (lambda: ll.separate_table([1, 2, 3]), "3"),
    (lambda: ll.audit("sklearn/accuracy", rows=40, queries=5, defences=False).plot("nothing"), "plot nothing: no such picture"),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_what_is_refused_names_the_argument(place):
    call, text = REFUSED[place]
    with pytest.raises(ll.Error, match=text):
        call()


def test_an_exception_of_the_oracle_comes_through():
    def oracle(p):
        raise RuntimeError("the server is down")

    with pytest.raises(RuntimeError, match="the server is down"):
        ll.attack(oracle, "sklearn/brier", rows=20)


# ---- Ctrl-C ----

def interrupt(code, seconds=1.5):
    """How a process ends that is interrupted while it works, and after how long."""
    script = "import lossleak as ll, numpy as np, sys, time\nprint('ready', flush=True)\n" + textwrap.dedent(code)
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(seconds)
    started = time.monotonic()
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    return said, time.monotonic() - started


def test_ctrl_c_while_the_oracle_is_asked():
    said, seconds = interrupt("ll.attack(lambda p: time.sleep(0.1) or 0.5, 'sklearn/accuracy', rows=3000)")
    assert "KeyboardInterrupt" in said and seconds < 5


def test_ctrl_c_while_the_library_works():
    said, seconds = interrupt("ll.audit('sklearn/brier', rows=50, noise='laplace:0.05', queries=30)")
    assert "KeyboardInterrupt" in said and seconds < 5


# ---- threads, memory ----

def attack_once(seed):
    secret = np.random.default_rng(seed).integers(0, 2, 30)
    found = ll.attack(lambda p: round(np.mean((secret - p) ** 2), 5), "sklearn/brier", rows=30, decimals=5, code="powers")
    return found.certain == 30 and np.array_equal(found.labels, secret)


def test_four_threads_at_once():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(attack_once, range(40)))


def pages():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1])


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps what is freed")
def test_many_attacks_do_not_grow_memory():
    attacks = 1000 if "LL_TEST_LONG" in os.environ else 150
    for seed in range(60):
        assert attack_once(seed)
    before = pages()
    for seed in range(attacks):
        attack_once(seed)
    assert (pages() - before) * resource.getpagesize() < 1_500_000


# ---- results ----

def results():
    plan = ll.plan("sklearn/brier", rows=8)
    curator = ll.Curator([0, 1] * 4, "sklearn/brier")
    yield ll.audit("sklearn/accuracy", rows=40, queries=5)
    yield ll.attack(curator)
    yield plan.decode([curator(p) for p in plan])
    yield ll.infer(P, ll.score(Y, P, "sklearn/brier").score, "sklearn/brier")
    yield ll.separate(P, "sklearn/brier")
    yield ll.separate_table([0, 1, 2, 4])
    yield ll.score(Y, P, "sklearn/brier")
    yield ll.inspect(P, "sklearn/brier")


def test_results_are_small_objects():
    for result in results():
        assert len(repr(result).split("\n")) == 3, result
        assert json.loads(result.to_json()) == result.to_dict() and result.to_dict()["command"] == result.command
        page = result._repr_html_()
        assert page.startswith("<style>") and page.count("<div") == page.count("</div>") and page.count("<tr") == page.count("</tr>")


def test_pictures(tmp_path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    audit = ll.audit("sklearn/accuracy", rows=200, queries=20)
    for what in ("labels", "decimals", "defences"):
        ax = audit.plot(what)
        assert ax.get_title() and len(ax.lines) > 1
        ax.figure.savefig(tmp_path / f"{what}.png")
        plt.close(ax.figure)


def test_a_bar_where_it_is_asked_for(capsys):
    secret = np.array([0, 1] * 10)
    ll.attack(lambda p: np.mean(secret == p), "sklearn/accuracy", rows=20, progress=True)
    assert "attack" in capsys.readouterr().err


def test_nothing_is_printed(capfd):
    list(results())
    assert capfd.readouterr() == ("", "")


def test_a_missing_module_is_a_failure(pytester):
    pytester.makeconftest((pathlib.Path(__file__).parent / "conftest.py").read_text())
    pytester.makepyfile(test_inside="import pytest\ndef test_a(): pytest.importorskip('no_such_module')\n",
                        test_outside="import pytest\npytest.importorskip('no_such_module')\ndef test_b(): pass\n")
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "test_inside.py").assert_outcomes(failed=1)
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "test_outside.py").assert_outcomes(errors=1)


# ---- tests of other people ----

def test_assert_safe():
    from lossleak.testing import assert_safe
    assert ll.testing.assert_safe is assert_safe

    assert assert_safe("sklearn/accuracy", rows=4000, queries=5, share=0.6).leaks is False
    with pytest.raises(AssertionError, match="this scorer leaks"):
        assert_safe("sklearn-1.2/log_loss", rows=2201, decimals=5, queries=200)
    with pytest.raises(AssertionError, match="no proof|not known|leaks"):
        assert_safe("sklearn/accuracy", rows=40, queries=5, share=0.55, proved=True)


def test_the_mark_of_pytest(pytester):
    pytester.makepyfile("""
        import pytest

        @pytest.mark.leaks("sklearn/accuracy", rows=4000, queries=5, share=0.6)
        def test_safe(audit):
            assert audit.leaks is False

        @pytest.mark.leaks("sklearn-1.2/log_loss", rows=2201, decimals=5, queries=200)
        def test_leaking():
            pass
    """)
    installed = list(importlib.metadata.distributions(name="lossleak"))  # then the plugin announces itself
    run = pytester.runpytest_inprocess(*([] if installed else ["-p", "lossleak.pytest"]), "--strict-markers")
    run.assert_outcomes(passed=1, errors=1)
    assert "test_leaking" in run.stdout.str()
    run.stdout.fnmatch_lines(["*this scorer leaks: A scorer like this gives away all 2201 labels in 143 submissions*"])


def test_what_would_fit():
    labels = np.random.default_rng(5).integers(0, 2, 100)
    curator = ll.Curator(labels, "sklearn-1.2/log_loss", decimals=5, transform="negate")
    found = ll.attack(lambda p: curator(p), "sklearn-1.2/log_loss", rows=100, decimals=5)
    assert found.certain == 0 and found.proof.verdict == "none"
    assert [fit.options for fit in found.would_fit] == ["--transform negate"] and "--transform negate would fit" in repr(found)
    p = np.round(np.random.default_rng(6).random(12), 3)
    score = -float(ll.score(labels[:12], p, "sklearn-1.2/log_loss", decimals=12).score)
    inferred = ll.infer(p, f"{score:.12f}", "sklearn-1.2/log_loss", decimals=12)
    assert inferred.proof.verdict == "none" and inferred.would_fit[0].settings == "transform=negate"


def test_failures():
    free = ll.audit(metric="f1", zero_division="raise", failures="free", rows=1000, prior="0.99,0.01", queries=20, decimals=4)
    assert free.leaks is True and free.failures.counted <= 20 < free.failures.uncounted and not free.proved
    assert ll.audit(metric="f1", rows=100, queries=2, failures="free", defences=False).failures is None


def test_several_numbers():
    y = np.random.default_rng(18).integers(0, 4, 90)
    found = ll.attack(lambda p: np.histogram2d(y, p, bins=[range(5)] * 2)[0].astype(int), "confusion-matrix", rows=90, classes=4)
    assert found.certain == 90 and (found.labels == y).all() and found.queries < ll.attack(
        lambda p: (p == y).mean(), "accuracy", rows=90, classes=4).queries / 3
    score = ll.score(Y, Y[::-1], "accuracy", also=["f1:decimals=3", "confusion-matrix"], arithmetic="fp64")
    assert [number.metric for number in score.numbers] == ["accuracy", "f1", "cell:0", "cell:1", "cell:2", "cell:3"]
    assert ll.Scorer("accuracy", also=["f1:decimals=3", "auc"]).to_dict()["also"] == ["f1:decimals=3", "auc"]
    with pytest.raises(ll.Error, match="6 numbers"):
        float(score)
    several = ll.audit("kaggle/log_loss", rows=200, also=["accuracy"]).several
    assert several.stop_first == "log-loss" and several.queries_without > 50


def test_curator_is_a_simulation():
    """Its name, its docstring and, with random noise, its first answer say so; without such noise nothing is said."""
    assert ll.Curator.__name__ == "SimulatedCurator" and "simulation" in ll.Curator.__doc__
    with pytest.warns(UserWarning, match="simulation"):
        ll.Curator([0, 1, 1, 0], "sklearn/brier", noise="gaussian:0.1")([0.5] * 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ll.Curator([0, 1, 1, 0], "sklearn/brier", noise="bounded:0.1")([0.5] * 4)
        ll.score([0, 1, 1, 0], [0.5] * 4, "sklearn/brier", noise="gaussian:0.1")
