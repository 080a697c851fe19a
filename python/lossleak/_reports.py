"""scikit-learn's classification report, a text or nested dictionaries, as the numbers that the metric classification-report has: four per
class, the accuracy, three per average."""
from __future__ import annotations

import re
from typing import Any, Dict, List

HEADER = re.compile(r"\s*precision\s+recall\s+f1-score\s+support\s*\n")


def _of_average(name: str, numbers: List[Any]) -> List[Any]:
    """Where the report is told a class that nobody has, it calls the accuracy a micro average: precision and recall are the same then."""
    return numbers[:1] if name.startswith("micro") and numbers[0] == numbers[1] else numbers


def _of_text(text: str) -> List[str]:
    numbers: List[str] = []
    for line in text.splitlines()[1:]:
        words = re.findall(r"(?<=\s)[\d.]+(?=\s|$)", line)
        numbers += words[-2:-1] if "accuracy" in line else _of_average(line.strip(), words[-4:-1]) if " avg " in line else words[-4:]
    return numbers


def _of_rows(rows: Dict[str, Any]) -> List[Any]:
    numbers: List[Any] = []
    for name, row in rows.items():
        numbers += [row] if not isinstance(row, dict) else _of_average(name, list(row.values())[:3]) if name.endswith(" avg") else list(row.values())
    return numbers


def numbers_of(answer: Any) -> Any:
    """The numbers of a report; that of a dictionary that has one alone, as Hugging Face's evaluate gives; another answer as it is."""
    if isinstance(answer, str) and HEADER.match(answer):
        return _of_text(answer)
    if not isinstance(answer, dict):
        return answer
    return _of_rows(answer) if "weighted avg" in answer else list(answer.values()) if len(answer) == 1 else answer
