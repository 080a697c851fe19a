"""Results in notebooks: the parts of the page that `lossleak audit --html` writes."""
from __future__ import annotations

import html
from typing import Any, Iterable, List, Optional, Sequence

STYLE = """<style>
.lossleak{font:1rem/1.5 system-ui,sans-serif;max-width:54rem}
.lossleak .verdict{font-size:1.15rem;border-left:.35rem solid #b3261e;padding:.2rem 0 .2rem 1rem;margin:.8rem 0}
.lossleak .verdict.good{border-color:#1b6e3c}.lossleak .verdict.open{border-color:#667}
.lossleak .facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.6rem;padding:0;margin:.8rem 0}
.lossleak .facts li{list-style:none;font-weight:600;border:1px solid #8888;border-radius:.4rem;padding:.4rem .6rem}
.lossleak .facts span{display:block;opacity:.7;font-size:.85rem;font-weight:400}
.lossleak table{border-collapse:collapse;font-variant-numeric:tabular-nums}
.lossleak td,.lossleak th{padding:.2rem .6rem;border-bottom:1px solid #8886;text-align:right}
.lossleak td:first-child,.lossleak th:first-child,.lossleak td.note{text-align:left}.lossleak tr.best{font-weight:700}
.lossleak h3{margin:1rem 0 .2rem}.lossleak .caption{opacity:.7;margin:.2rem 0}
</style>"""


def text(value: Any, digits: int = 6) -> str:
    """For people: None is "no limit"."""
    if value is None:
        return "no limit"
    return html.escape(f"{value:.{digits}g}" if isinstance(value, float) else str(value))


def page(*parts: str) -> str:
    return STYLE + '<div class="lossleak">' + "".join(parts) + "</div>"


def facts(pairs: Iterable[Sequence[Any]]) -> str:
    return '<ul class="facts">' + "".join(f"<li><span>{text(name)}</span> {text(value)}</li>" for name, value in pairs) + "</ul>"


def steps(title: str, sentences: Sequence[str]) -> str:
    """What to do, in order; nothing where there is nothing."""
    items = "".join(f"<li>{text(sentence)}</li>" for sentence in sentences)
    return f"<h3>{text(title)}</h3><ol>{items}</ol>" if items else ""


def table(title: str, caption: str, headings: Sequence[str], rows: Iterable[Sequence[Any]], best: Optional[int] = None) -> str:
    made: List[str] = [f"<h3>{text(title)}</h3><p class=\"caption\">{text(caption)}</p><table><thead><tr>"]
    made += [f"<th scope=\"col\">{text(heading)}</th>" for heading in headings]
    made.append("</tr></thead><tbody>")
    for place, row in enumerate(rows):
        span = f' colspan="{len(headings) - 1}" class="note"' if len(row) == 2 and len(headings) > 2 else ""
        made.append('<tr class="best">' if place == best else "<tr>")
        made += [f"<td{span if column else ''}>{text(cell)}</td>" for column, cell in enumerate(row)]
        made.append("</tr>")
    return "".join(made) + "</tbody></table>"


def document(title: str, body: str) -> str:
    """A whole page, for a file."""
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{text(title)}</title></head><body>{body}</body></html>\n")


def fields(title: str, answer: str, lines: Sequence[str]) -> str:
    """The answer first, then the lines of the text."""
    rows = "".join(f"<tr><td>{text(line[:10].strip())}</td><td class=\"note\">{text(line[10:])}</td></tr>" for line in lines)
    return page(f'<p class="verdict open">{text(answer)}</p>', f"<h3>{text(title)}</h3><table><tbody>{rows}</tbody></table>")


def verdict(sentence: str, leaks: Any, proved: bool) -> str:
    kind = " good" if proved else "" if leaks is True else " open"
    return f'<p class="verdict{kind}">{text(sentence)}</p>'
