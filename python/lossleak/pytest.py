"""The plugin of pytest: what a function's scorer gives away, checked before it runs.

    @pytest.mark.leaks(rows=2000, decimals=3, queries=50, share=0.6)
    def my_metric(): ...

    @pytest.mark.leaks("sklearn/accuracy", rows=10000, decimals=2, queries=10, share=0.6)
    def test_leaderboard(): ...

A test with the mark fails where `lossleak.testing.assert_safe` does with the same arguments; several marks are all checked. The
fixture `audit` is the audit of the last one.
"""
from __future__ import annotations

from typing import Any, Optional

import pytest

from ._audit import Audit
from .testing import assert_safe

__all__ = ["assert_safe"]

_AUDIT = pytest.StashKey[Any]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "leaks(metric, rows=..., queries=..., share=..., ...): fail where this scorer gives away more "
                                       "labels than the share (lossleak.testing.assert_safe)")


@pytest.fixture
def audit(request: pytest.FixtureRequest) -> Any:
    """The audit of the test's mark `leaks`."""
    return request.node.stash.get(_AUDIT, None)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("leaks"):
        failed = ""
        try:
            item.stash[_AUDIT] = assert_safe(*mark.args, **mark.kwargs)
        except AssertionError as failure:
            failed = str(failure)
        if failed:
            pytest.fail(failed, pytrace=False)
