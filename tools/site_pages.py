"""What make site adds to mkdocs. The pages are written for readers of the repository; here they become pages of a site:
links to files outside docs/ lead to copies of them, Markdown that mkdocs reads in its own way means what it means elsewhere,
and every link of the result is followed. A warning is an error (mkdocs build --strict)."""
import html.parser
import logging
import os
import pathlib
import re
import urllib.parse

log = logging.getLogger("mkdocs.hooks.site")
CODE = re.compile(r"^```.*?^```$|^ {4}[^\n]*$|(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", re.M | re.S)
STAR = re.compile(r"\\\*|(?<![\w*])(\*{1,2})(?=[^\s*])(?:(?!\n\n).)+?(?<=[^\s*])\1(?!\*)|^ *\* |\*", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
COPIES = "source"
copies = set()


def outside(page, docs, target):
    """The file outside docs/ that a link of a page names, from the root of the tree, or None."""
    root = docs.parent
    file = pathlib.Path(os.path.normpath((docs / page).parent / target))
    return file.relative_to(root) if root in file.parents and docs not in file.parents and file.is_file() else None


def rewrite_link(page, docs, match):
    target = match[1].partition("#")[0]
    file = None if urllib.parse.urlsplit(target).scheme or not target else outside(page, docs, target)
    if file is None:
        return match[0]
    copies.add(file)
    here = pathlib.PurePosixPath(page).parent
    return f"]({'../' * len(here.parts)}{COPIES}/{file.as_posix()}.txt)"


def on_config(config):
    """A folder with a README.md and an index.html (results/paper) has one index: the README. mkdocs 1.5 and later know files to leave out."""
    if "exclude_docs" in config:
        from pathspec.gitignore import GitIgnoreSpec

        config["exclude_docs"] = GitIgnoreSpec.from_lines(["index.html"])
    return config


def on_files(files, config):
    """Files outside docs/ that pages link to are copied as text, and mkdocs is told of them before it looks at links."""
    from mkdocs.structure.files import File

    docs, site = pathlib.Path(config["docs_dir"]), config["site_dir"]
    for file in [file for file in files if pathlib.PurePath(file.src_path).name == "index.html"]:
        files.remove(file)  # mkdocs 1.4
    for page in docs.rglob("*.md"):
        for match in LINK.finditer(page.read_text()):
            rewrite_link(page.relative_to(docs).as_posix(), docs, match)
    for file in sorted(copies):
        name = pathlib.Path(site).parent / "site-files" / COPIES / f"{file}.txt"
        name.parent.mkdir(parents=True, exist_ok=True)
        name.write_bytes((docs.parent / file).read_bytes())
        files.append(File(f"{COPIES}/{file}.txt", str(name.parents[len(file.parts)]), site, False))
    return files


def prose(text):
    """No page has HTML of its own but comments, so < is a character, and so is a star that neither begins emphasis nor a list."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S).replace("<", "&lt;")
    return STAR.sub(lambda match: "\\*" if match[0] == "*" else match[0], text)


def on_page_markdown(markdown, page, config, files):
    docs, name, code = pathlib.Path(config["docs_dir"]), page.file.src_path.replace(os.sep, "/"), []

    def put_away(match):
        code.append(re.sub(r"^```(\S+) .*$", r"```\1", match[0], flags=re.M))
        return f"\x00{len(code) - 1}\x00"

    text = prose(CODE.sub(put_away, markdown))
    text = re.sub("\x00([0-9]+)\x00", lambda match: code[int(match[1])], text)
    return LINK.sub(lambda match: rewrite_link(name, docs, match), text)


def on_page_content(html, page, config, files):
    """A wide table is moved by itself on a phone (the theme's class), not the page with it."""
    return html.replace("<table>", '<div class="table-responsive"><table>').replace("</table>", "</table></div>")


class Page(html.parser.HTMLParser):
    """What a page of the site defines and where it leads."""

    def __init__(self, file):
        super().__init__()
        self.names, self.links, self.loads = set(), set(), set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.names |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and given.get("href"):
            self.links.add(given["href"])
        self.loads |= {given[key] for key in ("src", "href") if given.get(key) and tag != "a"}


def resolve(file, target):
    path = urllib.parse.unquote(target.partition("#")[0])
    return pathlib.Path(os.path.normpath(file.parent / path)) if path else file


def fault(file, target, pages, loaded):
    """What is wrong with a link, or None."""
    parts = urllib.parse.urlsplit(target)
    if parts.scheme or parts.netloc:
        return "is loaded from another host" if loaded else None
    found = resolve(file, parts.path.split("?")[0])
    if not found.is_file():
        return "leads nowhere"
    if parts.fragment and found in pages and urllib.parse.unquote(parts.fragment) not in pages[found].names:
        return "names no place of that page"
    return None


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    pages = {file: Page(file) for file in site.rglob("*.html") if file.name != "404.html"}
    reached = {site / "index.html", site / "search.html"}
    for file, page in sorted(pages.items()):
        for target in sorted(page.links | page.loads):
            reason = fault(file, target, pages, target in page.loads)
            if reason:
                log.warning("%s: %s %s", file.relative_to(site), target, reason)
            elif resolve(file, target) != file:
                reached.add(resolve(file, target))
    for file in sorted(set(pages) - reached):
        log.warning("%s: no page leads to it", file.relative_to(site))
