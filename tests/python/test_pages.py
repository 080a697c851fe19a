"""The Python of the README and of docs/python.md, run and compared."""
import doctest
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_examples(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text(encoding="utf-8")
    examples = "\n".join(block for block in re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S) if ">>> " in block)
    test = doctest.DocTestParser().get_doctest(examples, {}, page, page, 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
