"""The command line beside the package: the same settings, as options and as keywords."""
import json
import os
import subprocess

import numpy as np
import pytest

pytest_plugins = ["pytester"]


def _fail_where_skipped(outcome):
    """What a test needs is installed by tools/setup: one that would leave itself out while it runs has failed."""
    report = outcome.get_result()
    if report.skipped and report.when in ("call", "collect"):
        report.outcome, report.longrepr = "failed", str(report.longrepr)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport():
    _fail_where_skipped((yield))


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report():
    _fail_where_skipped((yield))


@pytest.fixture
def command(tmp_path):
    """command("audit", rows=5) is what `lossleak audit --rows 5 --json` prints; arrays become files."""

    def run(name, *arguments, **options):
        words = [os.environ["LOSSLEAK"], name, *map(str, arguments), "--json"]
        for option, value in options.items():
            for place, one in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(one, np.ndarray):
                    path = tmp_path / f"{option}-{place}.npy"
                    np.save(path, one)
                    one = path
                words.append(f"--{option.replace('_', '-')}" + ("" if one is True else f"={one}"))
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
        return json.loads(done.stdout)

    return run
