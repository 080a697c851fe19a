"""Runs a scoring program on labels and submissions that come as lines of JSON, and says what it showed: the part of lossleak that stands beside the
program in its sandbox. One line in: {"runs": [...]}; one line out: {"replies": [...]}. The first line has the options."""
import ast
import csv
import gc
import glob
import importlib
import importlib.util
import inspect
import io
import json
import os
import re
import resource
import runpy
import select
import shlex
import shutil
import signal
import sys
import tempfile
import traceback
import types

FORMATS = ["csv", "json-dict", "json-list", "jsonl", "columns", "npy"]
LONGEST = 200_000


# ---- files

class Example:
    """How one of the two files looks: its format, the names of its columns, how ids and labels are written."""

    def __init__(self, form, field, key="row", fields=None, words=None, ids=None, other=None, between=None):
        self.form, self.field, self.key, self.fields, self.words, self.ids = form, field, key, fields, words, ids
        self.other = other or [{}]  # the fields of each row that are neither its name nor its label
        self.between = between or (" " if form == "columns" else ",")  # cells of a line
        self.columns, self.is_inner = None, False  # names of one column per class, in the order of the classes; of an object within the field
        self.classes = 0  # of the labels, as classes_of has them
        self.around = None  # an object and the name in it under which the rows stand
        self.name = None  # of the file

    def id(self, number):
        if self.ids is None:
            return number
        if number < len(self.ids):
            return self.ids[number]
        found = re.match(r"(.*?)(\d+)$", str(self.ids[-1]))
        made = found.group(1) + str(int(found.group(2)) + number - len(self.ids) + 1).zfill(len(found.group(2))) if found else f"{self.ids[-1]}{number}"
        return int(made) if isinstance(self.ids[0], int) else made

    def word(self, text, is_class):
        if is_class and self.words is not None and re.fullmatch(r"-?\d+(\.0*)?", text):
            number = int(float(text))
            return self.words[number] if number < len(self.words) else text
        return text


def value_of(text):
    """A number where it is one, as JSON has it."""
    try:
        return text if isinstance(text, bool) else int(text) if re.fullmatch(r"-?\d+", text) else float(text)
    except ValueError:
        return text


def table_of(example, ids, rows, is_class):
    columns = len(rows[0]) if rows else 1
    names = example.columns or ([example.field] if columns == 1 else [f"{example.field}{k}" for k in range(columns)])
    if len(names) != columns:
        raise ValueError(f"{len(names)} columns, not {columns}")
    return names, [(example.id(i), [example.word(t, is_class) for t in row], example.other[i % len(example.other)]) for i, row in zip(ids, rows)]


def write_table(path, example, ids, rows, is_class):
    names, table = table_of(example, ids, rows, is_class)
    if example.form == "npy":
        return write_npy(path, [row for _, row, _ in table])
    with open(path, "w", encoding="utf-8") as out:
        WRITERS[example.form](out, example, names, table)


def write_csv(out, example, names, table):
    head = [*([example.key] if example.key is not None else []), *names, *example.other[0]]
    if example.fields:  # the order of the example
        head = [f for f in example.fields if f in head] + [n for n in head if n not in example.fields]
    writer = csv.writer(out, delimiter=example.between, lineterminator="\n")
    writer.writerow(head)
    for key, row, other in table:
        made = {example.key: key, **dict(zip(names, row)), **other}
        writer.writerow([made[h] for h in head])


def cell(row):
    return value_of(row[0]) if len(row) == 1 else [value_of(t) for t in row]


def cells(example, row):
    """The fields of an object: one, or one per class."""
    made = dict(zip(example.columns, map(value_of, row))) if example.columns else cell(row)
    return made if example.columns and not example.is_inner else {example.field: made}


def write_list(out, example, names, table):
    named = lambda key: {} if example.key is None else {example.key: key}
    made = [{**named(key), **other, **cells(example, row)} if example.fields or example.key is not None else cell(row) for key, row, other in table]
    json.dump(made if example.around is None else {**example.around[0], example.around[1]: made}, out)


def write_dict(out, example, names, table):
    made = {}
    for key, row, other in table:
        made[str(key)] = {**other, **cells(example, row)} if example.fields else cell(row)
    json.dump(made, out)


def write_lines(out, example, names, table):
    for key, row, other in table:
        out.write(json.dumps({**({} if example.key is None else {example.key: key}), **other, **cells(example, row)}) + "\n")


def write_columns(out, example, names, table):
    for key, row, _ in table:
        out.write(example.between.join(([str(key)] if example.ids is not None else []) + [str(t) for t in row]) + "\n")


def write_npy(path, rows):
    import numpy
    array = numpy.array([[float(t) if t != "" else float("nan") for t in row] for row in rows])
    array = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
    if array.size and numpy.all(numpy.isfinite(array)) and numpy.all(array == numpy.round(array)):
        array = array.astype(int)
    with open(path, "wb") as out:
        numpy.save(out, array)


WRITERS = {"csv": write_csv, "json-list": write_list, "json-dict": write_dict, "jsonl": write_lines, "columns": write_columns}


class Parsed:
    """An example as rows, which are objects or plain values."""

    def __init__(self, form, rows, between=" ", ids=None, around=None):
        self.form, self.rows, self.between, self.ids, self.around = form, rows, between, ids, around
        self.names = list(rows[0]) if rows and isinstance(rows[0], dict) else []

    def values(self, field):
        return [row[field] for row in self.rows if field in row] if self.names else self.rows


def parse(path, field):
    if path.endswith(".npy"):
        return Parsed("npy", [])
    text = open(path, encoding="utf-8").read()
    try:
        return parse_json(json.loads(text), field)
    except ValueError:
        return parse_lines([line for line in text.splitlines() if line.strip()], field)


def parse_json(loaded, field):
    if isinstance(loaded, list) and loaded:
        return Parsed("json-list", loaded)
    if not isinstance(loaded, dict) or not loaded:
        return None
    for name, inner in loaded.items():  # rows in a frame: {"info": ..., "annotations": [...]}
        if isinstance(inner, list) and inner and (name == field or isinstance(inner[0], dict) and (field is None or field in inner[0])):
            return Parsed("json-list", inner, around=(loaded, name))
    return Parsed("json-dict", list(loaded.values()), ids=list(loaded))


def is_number(text):
    return isinstance(value_of(text), (int, float))


def is_head(first, second, field):
    """Are these names of columns, and not the first row?"""
    return (field in first or not any(map(is_number, first)) or any(is_number(b) and not is_number(a) for a, b in zip(first, second))
            or len(first) > 2 and first[1:] == [str(k) for k in range(len(first) - 1)] != second[1:])


def parse_lines(lines, field):
    if not lines:
        return None
    if lines[0].lstrip().startswith("{"):
        return Parsed("jsonl", [json.loads(line) for line in lines])
    between = next((mark for mark in ",;\t" if mark in lines[0]), None)
    table = [[c.strip() for c in cells] for cells in csv.reader(lines, delimiter=between)] if between else [line.split() for line in lines]
    if len(table) > 1 and len(table[0]) == len(table[1]) and (between or not is_number(table[0][0]) and is_number(table[1][0]) or table[0] == [field]) and is_head(*table[:2], field):
        return Parsed("csv", [dict(zip(table[0], cells)) for cells in table[1:]], between or " ")
    ids = [value_of(cells[0]) for cells in table] if len(table[0]) > 1 else None
    return Parsed("columns", [cells[-1] for cells in table], between or " ", ids)


def key_of(parsed, but):
    """The first column that may name rows."""
    return next((name for name in parsed.names if name not in but), None) if parsed.ids is None else None


def choose_fields(labels, sent):
    """Where none are named: `label`, else the last column that both files have behind the one that names rows, else the last."""
    both = [name for name in labels.names if name in sent.names]
    if labels.ids is None and both and len({str(v) for v in labels.values(both[0])}) == len(labels.rows):
        both = both[1:]
    last = lambda parsed: "label" if "label" in parsed.names or not parsed.names else both[-1] if both else parsed.names[-1]
    return last(labels), last(sent)


def class_columns(names, labels):
    """Columns that are one per class: they have the names of the classes, or end with their numbers."""
    words = [str(word) for word in labels.words or []]
    if words and all(word in names for word in words):
        return words
    numbered = [name for name in names if re.search(r"\d$", name)]
    order = [int(re.search(r"\d+$", name).group()) for name in numbered]
    count = labels.classes or 0
    return numbered if count > 1 and order in (list(range(count)), list(range(1, count + 1))) else None


def make_example(parsed, path, field, labels=None):
    """What a file of the host looks like: how ids and labels are written, the other fields of its rows (such as public or private), and how many classes there are. A submission
    gets the example of the labels."""
    values = parsed.values(field) if parsed is not None else []
    if parsed is None or parsed.names and field not in parsed.names:
        raise ValueError(f"{path}: no example of labels or predictions in the field '{field}'; --field names it")
    made = Example(parsed.form, field, key=None, fields=parsed.names or None, ids=parsed.ids, between=parsed.between)
    made.around, made.name = parsed.around, os.path.basename(path)
    if labels is None:
        made.words = words_of(values)
        made.classes = classes_of(values, made.words)
    else:
        inner = list(values[0]) if values and isinstance(values[0], dict) else None
        made.columns, made.is_inner = class_columns(inner or parsed.names, labels), inner is not None
    if parsed.names:
        own = [field, *((not made.is_inner and made.columns) or [])]
        made.key = key_of(parsed, own)
        made.other = [{name: value for name, value in row.items() if name not in own and name != made.key} for row in parsed.rows]
        made.ids = made.ids or ids_of(parsed.rows, made.key)
    return made


def read_examples(files, field):
    paths, named = files.split(","), (field.split(",") * 2)[:2] if field else [None, None]
    labels, sent = parse(paths[0], named[0]), parse(paths[1], named[1])
    if labels is not None and sent is not None and not field:
        named = choose_fields(labels, sent)
    labels = make_example(labels, paths[0], named[0])
    return labels, make_example(sent, paths[1], named[1], labels)


def ids_of(rows, key):
    return [value_of(str(r[key])) if not isinstance(r[key], str) or re.fullmatch(r"\d+", r[key]) and not r[key].startswith("0") else r[key] for r in rows if key in r] or None


def words_of(values):
    """Labels that are words, in order; None: numbers."""
    if values and all(isinstance(v, bool) for v in values):
        return [False, True]
    texts = sorted({str(v).strip() for v in values})
    return texts if any(not re.fullmatch(r"-?\d+(\.\d*)?", t) for t in texts) else None


def classes_of(values, words):
    """How many classes the labels of an example have; -1: they are numbers; 0: not known."""
    if words is not None:
        return len(words)
    found = {float(v) for v in values}
    if any(v != int(v) for v in found):
        return -1
    return len(found) if len(found) > 1 and found == set(range(len(found))) else 0


# ---- one run

# Of one run: bytes of address space, seconds of the processor, and of the clock, on which a busy machine is slow.
LIMITS = {"memory": 16 << 30, "seconds": 20, "clock": 120}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (LIMITS["memory"], LIMITS["memory"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def start_child(act, outputs, folder):
    """A process that begins where this one is, in a folder; it ends with the status that `act` returns. It has limits, and a group of its own, so that
    what it started ends with it."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (LIMITS["seconds"], LIMITS["seconds"]))
            for number, path in zip((1, 2), outputs):
                os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
            os.chdir(folder)
            status = act()
        finally:
            os._exit(status & 255)
    return child


def wait_for(child):
    """The exit status of a process, which is stopped where it takes too long."""
    late = False
    try:
        watch = os.pidfd_open(child)
    except (AttributeError, OSError):  # before Python 3.9, Linux 5.3
        watch = None
    if watch is not None:
        late = not select.select([watch], [], [], LIMITS["clock"])[0]
        os.close(watch)
    if late:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    end_group(child)
    return status


def end_group(leader):
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def text_of(path):
    with open(path, "rb") as source:
        return source.read(LONGEST).decode("utf-8", "replace")


def clean(text, *folders):
    for folder in folders:
        text = text.replace(folder, "FOLDER")
    return re.sub(r"0x[0-9a-f]{8,}", "0xADDRESS", text)


def flatten(value, path=""):
    """Numbers and texts in a result, each with its name."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flatten(inner, f"{path}/{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for i, inner in enumerate(value):
            yield from flatten(inner, path if len(value) == 1 else f"{path}_{i}" if path else f"value_{i}")
    else:
        if hasattr(value, "tolist"):
            value = value.tolist()
            if isinstance(value, (list, tuple)):
                yield from flatten(value, path)
                return
        elif hasattr(value, "item"):
            value = value.item()
        yield path or "value", repr(value) if isinstance(value, float) else str(value)


def flat_text(value):
    return "\n".join(f"{name.replace(' ', '_')}: {text}" for name, text in flatten(value))


class Captured:
    """Standard output and error of this process, of C code too, into files."""

    def __init__(self, folder):
        self.paths = [os.path.join(folder, name) for name in (".stdout", ".stderr")]

    def __enter__(self):
        sys.stdout.flush()
        sys.stderr.flush()
        self.kept = [os.dup(1), os.dup(2)]
        for number, path in zip((1, 2), self.paths):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(file, number)
            os.close(file)
        return self

    def __exit__(self, *_):
        sys.stdout.flush()
        sys.stderr.flush()
        for number, kept in zip((1, 2), self.kept):
            os.dup2(kept, number)
            os.close(kept)
        return False

    def texts(self):
        return [text_of(path) for path in self.paths]


class Late(BaseException):
    pass


def ring(*_):
    raise Late()


def in_time(call):
    """(result, None), or (None, what the traceback says)."""
    signal.signal(signal.SIGALRM, ring)
    signal.signal(signal.SIGPROF, ring)
    signal.alarm(LIMITS["clock"])
    signal.setitimer(signal.ITIMER_PROF, LIMITS["seconds"])
    try:
        return call(), None
    except Late:
        return None, "it took too long"
    except SystemExit as end:
        return (None, None) if end.code in (None, 0) else (None, f"exit status {end.code}")
    except BaseException:  # whatever it raises is what it shows
        return None, traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


def script_of(command):
    """The Python script of a command and its arguments, or None: then the command is run as it is."""
    words = shlex.split(command)
    if len(words) > 1 and re.fullmatch(r"(.*/)?python3?(\.\d+)?", words[0]) and words[1].endswith(".py"):
        words = words[1:]
    return words if words and words[0].endswith(".py") and os.path.exists(words[0]) else None


def preload(path):
    """Import what a script imports, so that every run begins with it."""
    try:
        tree = ast.parse(open(path, encoding="utf-8").read())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:  # from scipy import stats: that may be a module, too
            names = [node.module] + [f"{node.module}.{a.name}" for a in node.names]
        for name in names:
            if os.path.exists(os.path.join(os.path.dirname(path), name.split(".")[0] + ".py")):
                continue
            try:
                importlib.import_module(name)
            except BaseException:  # the run itself will say it
                pass


def draw_anew():
    """Generators that were seeded when their module was imported would draw the same in every child."""
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].seed()


def run_script(words):
    """Run a Python script in this process, which is a child: its exit status."""
    draw_anew()
    sys.stdout, sys.stderr = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False)), io.TextIOWrapper(os.fdopen(2, "wb", closefd=False), write_through=True)
    sys.argv = words
    sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
    status = 1
    try:
        runpy.run_path(words[0], run_name="__main__")
        status = 0
    except SystemExit as end:
        status = 0 if end.code is None else end.code if isinstance(end.code, int) else 1
        if not isinstance(end.code, (int, type(None))):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def run_command(words):
    """The same of any other program."""
    try:
        os.execvp(words[0], words)
    except OSError as problem:
        os.write(2, f"{words[0]}: {problem.strerror}\n".encode())
    return 127


class Unwritable(Exception):
    """A submission that this form of file cannot hold: words among the numbers of .npy."""


def files_below(folder):
    """Paths of all files, relative to the folder, in order."""
    return sorted(os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names)


class Program:
    """What all interfaces share."""
    is_parallel = False

    def __init__(self, options):
        self.options, self.labels, self.sent = options, None, None
        if options.get("template"):
            self.labels, self.sent = read_examples(options["template"], options.get("field"))
            self.sent.words = self.labels.words
            self.sent.ids = self.sent.ids and (self.labels.ids or self.sent.ids)

    def choose(self, form):
        self.labels, self.sent = Example(form, "label"), Example(form, "p")

    def write(self, run, labels, sent):
        write_table(labels, self.labels, range(run["rows"]), [[t] for t in run["labels"]], run["classes"] > 0)
        rows = run["entries"]
        if run["words"]:
            rows = [[w] * len(r) if w is not None else r for r, w in zip(rows, run["words"])]
        try:
            write_table(sent, self.sent, run["ids"], rows, run["is_class"])
        except (ValueError, IndexError) as problem:
            raise Unwritable(f"a file of this form cannot hold the submission: {problem}")

    def names(self):
        ends = {"csv": ".csv", "npy": ".npy", "jsonl": ".jsonl", "columns": ".txt"}
        return [name + (os.path.splitext(e.name or "")[1] or ends.get(e.form, ".json")) for name, e in (("labels", self.labels), ("predictions", self.sent))]

    def reply(self, status, parts, reason=None):
        return {"failed": status != 0, "reason": reason, "parts": parts}


def with_files(words, labels, predictions):
    """The words of a command with the two files: in place of {labels} and {predictions}, or behind the others."""
    filled = [word.replace("{labels}", labels).replace("{predictions}", predictions) for word in words]
    return filled if filled != words else words + [labels, predictions]


def has_digit(text):
    return re.search(r"\d", text) is not None


class Pair(Program):
    is_parallel = True

    def __init__(self, options):
        super().__init__(options)
        self.words = script_of(options["program"])
        if self.words:
            self.words[0] = os.path.abspath(self.words[0])
            preload(self.words[0])
        # it runs in a folder of its own: files of the command are named in full
        self.command = [os.path.abspath(word) if os.path.isfile(word) else word for word in shlex.split(options["program"])]
        if not self.words and self.command and shutil.which(self.command[0]) is None:
            raise FileNotFoundError(f"{self.command[0]}: " + ("it is not executable" if os.path.isfile(self.command[0]) else "no such file or command"))

    def start(self, run):
        folder = tempfile.mkdtemp(prefix="run-")
        paths = [os.path.join(folder, name) for name in self.names()]
        self.write(run, *paths)
        before = set(files_below(folder))
        outputs = [os.path.join(folder, name) for name in (".stdout", ".stderr")]
        words = with_files(self.words or self.command, *paths)
        child = start_child(lambda: run_script(words) if self.words else run_command(words), outputs, folder)
        return folder, child, outputs, before

    def finish(self, started):
        folder, child, outputs, before = started
        status = wait_for(child)
        shown = [clean(text_of(path), folder) for path in outputs]
        files = [[f"file {name}", clean(text_of(os.path.join(folder, name)), folder)] for name in sorted(set(files_below(folder)) - before - {".stdout", ".stderr"})]
        shutil.rmtree(folder, ignore_errors=True)
        parts = [["stdout", shown[0]], ["stderr", shown[1]], ["status", str(status)]] + files
        if not has_digit(shown[0]):  # the score stands in a file, or on stderr
            parts.sort(key=lambda part: 2 if part[0] == "status" or not has_digit(part[1]) else part[0] == "stderr")
        if re.search(r"\d", shown[0]) and not shown[1].strip():
            status = 0  # it has answered: what its status says is a channel of its own
        if status >= 0:
            parts.append(["exit", f"status: {status}"])
        if status > 0 and not shown[1].strip() and re.search(r"\d", shown[0]):  # a score, and a status that says something of it
            return self.reply(0, parts)
        return self.reply(status, parts, None if status == 0 else f"exit status {status}: {shown[1].strip()[-1500:]}")

    def run(self, run):
        return self.finish(self.start(run))


class Loaded(Program):
    """A function in a file, called again and again."""

    def load(self, path):
        path = os.path.abspath(path)
        sys.path.insert(0, os.path.dirname(path))
        package = sys.modules["scored"] = types.ModuleType("scored")  # for `from .other import ...`
        package.__path__ = [os.path.dirname(path)]
        spec = importlib.util.spec_from_file_location("scored.program", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules["scored.program"] = module
        with Captured("/tmp"):
            spec.loader.exec_module(module)
        return module

    def call(self, function):
        folder = tempfile.mkdtemp(prefix="run-")
        kept = os.getcwd()
        os.chdir(folder)
        with Captured(folder) as captured:
            result, problem = in_time(lambda: function(folder))
        os.chdir(kept)
        shown = [clean(t, folder) for t in captured.texts()]
        shutil.rmtree(folder, ignore_errors=True)
        return result, problem and clean(problem, folder), shown


class EvalAI(Loaded):
    def __init__(self, options):
        super().__init__(options)
        path = options["program"]
        if os.path.isdir(path):
            found = [p for p in (os.path.join(path, "evaluation_script", "main.py"), os.path.join(path, "main.py")) if os.path.exists(p)] or sorted(glob.glob(path + "/*.py"))
            if not found:
                raise FileNotFoundError(f"{path}: no evaluation_script/main.py, no main.py, and no metadata.yaml of a scoring program")
            path = found[0]
        self.evaluate = self.load(path).evaluate

    def run(self, run):
        def score(folder):
            paths = [os.path.join(folder, name) for name in self.names()]
            self.write(run, *paths)
            return self.evaluate(*paths, self.options.get("phase") or "test", submission_metadata={"id": 1, "submitted_at": "2000-01-01T00:00:00Z"})
        result, problem, shown = self.call(score)
        parts = []
        if problem is None:
            result = result if isinstance(result, dict) else {"result": result}
            parts.append(["result", flat_text(result.get("result"))])
            parts += [[name, flat_text(result[name])] for name in result if name != "result"]
        return self.reply(problem is not None, parts + [["stdout", shown[0]], ["stderr", shown[1]]], problem)


def takes(function, name):
    try:
        return name in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


class Function(Loaded):
    def __init__(self, options):
        super().__init__(options)
        path, name = options["program"].rsplit(":", 1)
        self.function = getattr(self.load(path), name)
        self.takes_tables = takes(self.function, "row_id_column_name")  # Kaggle's score(solution, submission, row_id_column_name)
        if self.takes_tables and self.labels is None:
            self.labels, self.sent = Example("csv", "label"), Example("csv", "label")

    def score_tables(self, run, folder):
        import pandas
        paths = [os.path.join(folder, name) for name in ("solution.csv", "submission.csv")]
        self.write(run, *paths)
        return self.function(*(pandas.read_csv(path) for path in paths), row_id_column_name=self.labels.key)

    def run(self, run):
        import numpy

        def score(folder):
            if self.takes_tables:
                return self.score_tables(run, folder)
            labels = numpy.array([float(t) for t in run["labels"]])
            rows = [[w] * len(r) if w is not None else r for r, w in zip(run["entries"], run["words"] or [None] * len(run["entries"]))]
            try:
                sent = numpy.array([[float(t) for t in row] for row in rows])
            except ValueError:
                sent = numpy.array(rows, dtype=object)
            if run["classes"] > 0:
                labels = labels.astype(int)
            if run["is_class"] and sent.dtype == float and numpy.all(numpy.isfinite(sent)):
                sent = sent.astype(int)
            return self.function(labels, sent[:, 0] if sent.ndim == 2 and sent.shape[1] == 1 else sent)
        result, problem, shown = self.call(score)
        parts = [] if problem else [["result", flat_text(result)]]
        return self.reply(problem is not None, parts + [["stdout", shown[0]], ["stderr", shown[1]]], problem)


class Codabench(Program):
    """The folder of a scoring program: input/ref, input/res and output as the platform lays them out, under /app."""

    def __init__(self, options):
        super().__init__(options)
        self.folder = os.path.abspath(options["program"])
        inner = [self.folder, os.path.join(self.folder, "scoring_program")]
        self.folder = next((f for f in inner if glob.glob(f + "/metadata*")), self.folder)
        text = "".join(open(p, encoding="utf-8").read() for p in glob.glob(self.folder + "/metadata*"))
        found = re.search(r"^\s*command:\s*(.*)$", text, re.M)
        self.command = found.group(1).strip().strip("'\"") if found else "python3 score.py $input $output"
        self.app = "/app" if os.access("/app", os.W_OK) else tempfile.mkdtemp(prefix="app-")
        sources = "".join(open(p, encoding="utf-8", errors="replace").read() for p in glob.glob(self.folder + "/*.py"))
        self.files = sorted({os.path.basename(n) for n in re.findall(r"""["']([\w./-]+\.(?:csv|json|jsonl|npy|txt|tsv|solution|predict|labels))["']""", sources)} - {"scores.json", "scores.txt"})
        for path in glob.glob(self.folder + "/*.py"):
            preload(path)

    def lay_out(self, run):
        for name in ("input/ref", "input/res", "output"):
            shutil.rmtree(os.path.join(self.app, name), ignore_errors=True)
            os.makedirs(os.path.join(self.app, name))
        shutil.rmtree(os.path.join(self.app, "program"), ignore_errors=True)
        shutil.copytree(self.folder, os.path.join(self.app, "program"))
        names = [[e.name] if e.name else [] for e in (self.labels, self.sent)]  # those of the examples, then those in the source
        ref, res = [[os.path.join(self.app, "input", kind, n) for n in own + [f for f in self.files or (self.names() if not own else []) if f not in own]]
                    for kind, own in zip(("ref", "res"), names)]
        self.write(run, ref[0], res[0])
        for path in ref[1:]:
            shutil.copy(ref[0], path)
        for path in res[1:]:
            shutil.copy(res[0], path)

    def run(self, run):
        self.lay_out(run)
        places = {"$input": self.app + "/input", "$output": self.app + "/output", "$program": self.app + "/program", "$ingestion_program": self.app + "/program"}
        command = self.command
        for word, place in sorted(places.items(), key=lambda p: -len(p[0])):
            command = command.replace(word, place)
        words = shlex.split(command)
        folder = tempfile.mkdtemp(prefix="run-")
        outputs = [os.path.join(folder, name) for name in (".stdout", ".stderr")]
        if len(words) > 1 and re.fullmatch(r"(.*/)?python3?(\.\d+)?", words[0]):
            script = words[1] if os.path.isabs(words[1]) else os.path.join(self.app, "program", words[1])
            child = start_child(lambda: run_script([script] + words[2:]), outputs, folder)
        else:
            child = start_child(lambda: run_command(words), outputs, self.app + "/program")
        status = wait_for(child)
        shown = [clean(text_of(p), folder) for p in outputs]
        shutil.rmtree(folder, ignore_errors=True)
        made = sorted(files_below(self.app + "/output"), key=lambda n: (not n.startswith("scores"), n))
        parts = [[n, clean(text_of(os.path.join(self.app, "output", n)), folder)] for n in made]
        if status == 0 and not any(n.startswith("scores") for n in made):
            status = 1
        if parts and parts[0][0].endswith(".json"):
            try:
                parts[0][1] = flat_text(json.loads(parts[0][1]))
            except ValueError:
                pass
        return self.reply(status, parts + [["stdout", shown[0]], ["stderr", shown[1]]], None if status == 0 else f"exit status {status}: {shown[1].strip()[-1500:]}")


INTERFACES = {"pair": Pair, "evalai": EvalAI, "python": Function, "codabench": Codabench}


def find_interface(program):
    """Of a program that is there, and what to run: by the files of a platform beside it, and by the function that a platform calls."""
    folder = program if os.path.isdir(program) else os.path.dirname(program) or "."
    places = [folder, folder + "/scoring_program"] if os.path.isdir(program) else [folder] if os.path.exists(program) else []
    if any(os.path.isfile(f"{place}/metadata{end}") for place in places for end in ("", ".yaml", ".yml")):
        return "codabench", folder
    if os.path.isdir(program):
        return "evalai", program
    text = open(program, encoding="utf-8", errors="replace").read() if program.endswith(".py") and os.path.isfile(program) else ""
    if re.search(r"^def evaluate\([^)]*(user_submission_file|user_annotation_file|phase_codename)", text, re.M):
        return "evalai", program
    return ("python", program + ":score") if re.search(r"^def score\([^)]*row_id_column_name", text, re.M) else ("pair", program)


# ---- requests

def unwritten(problem):
    return {"failed": True, "reason": str(problem), "parts": []}


def run_one(program, run):
    try:
        return program.run(run)
    except Unwritable as problem:
        return unwritten(problem)


def run_all(program, runs):
    if not program.is_parallel:
        return [run_one(program, r) for r in runs]
    replies, started = [None] * len(runs), []
    for place, run in enumerate(runs):
        if len(started) >= 2 * (os.cpu_count() or 1):
            first, child = started.pop(0)
            replies[first] = program.finish(child)
        try:
            started.append((place, program.start(run)))
        except Unwritable as problem:
            replies[place] = unwritten(problem)
    for place, child in started:
        replies[place] = program.finish(child)
    return replies


def choose_format(program, runs, forced):
    """The first format that a run does not fail with."""
    for form in [forced] if forced else FORMATS:
        program.choose(form)
        for run in runs:
            try:
                if not program.run(run)["failed"]:
                    return form
            except (ImportError, ValueError, Unwritable):
                continue
    program.choose("csv")
    return "csv"


def processor_seconds():
    """Of this process and of all that it has run."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    options = json.loads(sys.stdin.readline())
    LIMITS.update({name: options[name] for name in LIMITS if options.get(name)})
    limit()
    try:
        if options["interface"] is None:
            options["interface"], options["program"] = find_interface(options["program"])
        program = INTERFACES[options["interface"]](options)
        answers.write(json.dumps({"interface": options["interface"], "classes": program.labels.classes if program.labels is not None else 0}) + "\n")
    except BaseException as problem:
        answers.write(json.dumps({"error": f"{type(problem).__name__}: {problem}"}) + "\n")
        return
    answers.flush()
    gc.freeze()  # children copy fewer pages
    for line in sys.stdin:
        runs = json.loads(line)["runs"]
        form = None
        if program.labels is None and not isinstance(program, Function):
            form = choose_format(program, runs[:10:3] or runs, options.get("format"))
        answers.write(json.dumps({"replies": run_all(program, runs), "format": form, "processor": processor_seconds()}) + "\n")
        answers.flush()


main()
