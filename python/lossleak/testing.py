"""For the tests of people's own scoring code."""
from __future__ import annotations

from typing import Any, Optional, Union

from ._audit import Audit, audit
from ._probe import ProgramAudit

__all__ = ["assert_safe"]


def assert_safe(metric: Any = None, *, share: Optional[float] = None, proved: bool = False, **settings: Any) -> Union[Audit, ProgramAudit]:
    """Fail where a scorer leaks, or where that is not known: the audit's answer as an assertion.

    ``share`` is the share of right labels that an attack may reach (default: 5 points above guessing). With ``proved`` only a
    proved limit below it will do. The rest describes the scorer, as for :func:`lossleak.audit`. Returns the audit.

    >>> from lossleak.testing import assert_safe
    >>> audit = assert_safe("sklearn/accuracy", rows=10000, decimals=2, queries=10, share=0.6)
    >>> assert_safe("sklearn-1.2/log_loss", rows=2201, decimals=5, queries=200)
    Traceback (most recent call last):
    ...
    AssertionError: this scorer leaks: A scorer like this gives away all 2201 labels in 143 submissions; ...
    """
    __tracebackhide__ = True
    settings.setdefault("defences", False)
    found = audit(metric, target_share=share, **settings)
    if found.leaks is True:
        raise AssertionError(f"this scorer leaks: {found.verdict}")
    if found.leaks != False:  # noqa: E712  "unknown" is no pass
        raise AssertionError(f"it is not known whether this scorer leaks: {found.verdict}")
    if proved and not found.proved:
        raise AssertionError(f"no proof that this scorer is safe: {found.verdict}")
    return found
