"""The page of `audit --html`: tidy finds nothing, nothing points to a network, every picture and its data are there; the title, a marker at the limit,
and no chart that shows nothing.

LL_TEST_LONG=1: opened in headless Chromium at two widths, with no console message and no request, and printed on two pages (tools/setup browser)."""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

program = os.environ["LOSSLEAK"]
passed = 0
scorers = [
    ["--scorer", "kaggle/log_loss", "--rows", "2201", "--queries", "300", "--prior", "0.68,0.32"],
    ["--scorer", "sklearn/accuracy", "--rows", "400"],
    ["--loss", "log-loss", "--rows", "500"],
    ["--scorer", "torch/bce_logits", "--rows", "500", "--noise", "gaussian:0.1", "--queries", "3"],
]


def check(condition, what):
    global passed
    if not condition:
        print("failed:", what)
        sys.exit(1)
    passed += 1


def look_at(page, options, audit):
    text = page.read_text()
    tidy = subprocess.run(["tidy", "-q", "-e", str(page)], capture_output=True, text=True)
    check(tidy.returncode == 0 and not tidy.stderr.strip(), f"tidy: {options}: {tidy.stderr}")
    outside = re.findall(r"(?:src|href|url)\s*[=(]\s*[\"']?(?!data:|#)([a-z]+:[^\"')\s]*)", text)
    check(not outside, f"links to a network: {outside}")
    check("<script" not in text, "no scripts")
    drawn = text.count("<svg")
    links = re.findall(r'download="([a-z]+\.csv)" href="data:text/csv;charset=utf-8,([^"]*)"', text)
    check(drawn == len(links) >= 2, f"{drawn} pictures, {len(links)} data links")
    for name, data in links:
        lines = urllib.parse.unquote(data).splitlines()
        check(lines[0].startswith("curve,") and len(lines) > 3, f"{name} has data")
        for line in lines[1:]:
            float(line.split(",")[-1])
        values = [float(line.split(",")[-1]) for line in lines[1:]]
        check(max(values) > min(values), f"{name}: a chart that changes nowhere is left out")
    title, subject = re.search("<title>(.*?)</title>", text).group(1), f"of {audit['rows']} hidden rows"
    check(subject in title and re.search(r", \d+ [A-Z][a-z]+ \d{4}$", title), f"metric, rows and date: {title}")
    check(audit["scorer"]["loss"].split(":")[0] in title and subject in re.search("<h1>(.*?)</h1>", text).group(1), title)
    limit = re.search(r"--queries (\d+)", " ".join(options))
    check(bool(limit) == ("you allow" in text[text.index("<svg"):]) and (not limit or f"you allow {limit.group(1)}<" in text), "a marker at the limit")
    ids = re.findall(r"\bid=[\"']([^\"']*)", text)
    check(len(ids) == len(set(ids)), "every mark of the page is there once")
    check(audit["verdict"].replace("&", "&amp;") in text, "the sentence")
    look_at_advice(text, options, audit)


def check_python(line):
    """Noise that follows the submission is there to be copied, with the size that the words name."""
    size, code = re.search(r"\(factor ([0-9.]+)\)", line), re.search(r"<pre>(.*?)</pre>", line, re.S)
    check(bool(size) <= bool(code), f"no code: {line}")
    if code:
        found = {}
        exec(html.unescape(code.group(1)), found)
        check(not size or found["noisy"].__defaults__[0] == float(size.group(1)), "the size of the noise")


def look_at_advice(text, options, audit):
    """Two sentences, at most four things to do with their costs and checks, a picture; everything else is folded."""
    shown = text[:text.index("<details>")]
    plain = re.search(r'<p class="verdict([^"]*)">(.*?)</p>', shown).group(2)
    check(str(audit["rows"]) in plain and "submi" in plain, f"the host's own numbers: {plain}")
    check("quer" not in re.sub(r"<code>.*?</code>", "", shown[shown.index("<body>"):], flags=re.S), "submissions, not queries")
    lines = re.findall(r"<li><strong>(.*?)</li>", shown, re.S)
    check(len(lines) <= 4 and (lines or audit["proved"] or audit["noise"]), f"{len(lines)} things to do")
    for line in lines:
        line = re.sub("</?span>", "", line)
        check_python(line)
        check("Cost: " in line and "<code>lossleak audit " in line, f"cost and check: {line}")
        check(('class="proved"' in line) == ("Proved: " in line), "green is what is proved")
    check(shown.count("<svg") <= 1, "one picture before what is folded")
    cells = re.findall(r'data-name="over sampling error">([^<]*)<', text)
    check(len(cells) >= len(audit["defences"]), "prices bear their names on narrow screens")


def browse(page, folder):
    for width in (390, 1280):
        shot = folder / f"shot-{width}.png"
        log = folder / "net.json"
        run = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
             f"--window-size={width},4000", f"--log-net-log={log}", f"--screenshot={shot}", page.as_uri()],
            capture_output=True, text=True, timeout=300)
        check("CONSOLE" not in run.stderr, f"console at {width}: {run.stderr}")
        check(shot.exists() and shot.stat().st_size > 20000, f"screenshot at {width}")
        paper = folder / "paper.pdf"
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={paper}", page.as_uri()],
                       capture_output=True, timeout=300)
        check(len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes())) <= 2, "two pages of paper")
        urls = re.findall(r'"url":"(https?://[^"]*)"', log.read_text()) if log.exists() else []
        own = [u for u in urls if not re.search(r"(google|gstatic|googleapis|gvt1)\.com|chromium|localhost", u)]
        check(not own, f"requests: {own}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for i, options in enumerate(scorers):
        page = folder / f"page-{i}.html"
        run = subprocess.run([program, "audit", *options, "--json", "--html", str(page)], capture_output=True, text=True, timeout=300)
        check(run.returncode == 0 and not run.stderr, run.stderr)
        look_at(page, options, json.loads(run.stdout))
        if os.environ.get("LL_TEST_LONG", "0") not in ("", "0") and i < 2:
            browse(page, folder)
    # no gnuplot: a page without pictures, and a line that says so
    tools = folder / "bin"
    tools.mkdir()
    page = folder / "plain.html"
    run = subprocess.run([program, "audit", *scorers[1], "--html", str(page)], capture_output=True, text=True, timeout=300,
                         env={**os.environ, "PATH": str(tools)})
    check(run.returncode == 0 and run.stderr.count("\n") == 1 and "gnuplot" in run.stderr, "one line: " + run.stderr)
    text = page.read_text()
    check("<svg" not in text and "data:text/csv" in text, "a page without pictures")
    check(subprocess.run(["tidy", "-q", "-e", str(page)], capture_output=True).returncode == 0, "tidy without pictures")
print(f"{passed} passed, 0 failed")
