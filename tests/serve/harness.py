"""A ledger and a real server for the tests of `lossleak serve`, and a client that speaks HTTP by http.client."""
import gzip
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time


class Ledger:
    """A new ledger with accounts; labels are drawn by the seed where none are given."""

    def __init__(self, program, rows=400, metric="accuracy", release="levels:0.5:0.9:20", accounts=("anna", "bert"), seed=1, url=None, own=None, labels=None, **members):
        self.program = str(program)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lossleak-serve-"))
        draw = random.Random(seed)
        self.labels = labels or [draw.randrange(2) for _ in range(rows)]
        (self.folder / "labels").write_text("".join(f"{y}\n" for y in self.labels))
        scorer = {"metric": metric} if metric else {}
        policy = {"policy": 1, "scorer": {**scorer, "rows": rows, "release": release}, **members, **({"program": own} if own else {})}
        (self.folder / "policy.json").write_text(json.dumps(policy))
        self.url = url or str(self.folder / "ledger.db")
        self.key = ["--key", str(self.folder / "key")]
        self.guard("init", "--policy", self.folder / "policy.json", "--labels", self.folder / "labels")
        self.tokens = {name: self.add(name) for name in accounts}
        self.tokens["host"] = self.add("host", "--host")

    def guard(self, action, *options):
        done = subprocess.run([self.program, "guard", action, "--json", "--ledger", self.url, *self.key, *map(str, options)],
                              capture_output=True, text=True, timeout=600)
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)

    def add(self, name, *options):
        return self.guard("account", "--account", name, *options)["token"]

    def predictions(self, right, draw):
        """CSV of labels of which about that share is right."""
        return "p\n" + "".join(f"{y if draw.random() < right else 1 - y}\n" for y in self.labels)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    def __init__(self, ledger, *options, demo=False):
        self.log = tempfile.TemporaryFile("w+")
        command = [ledger.program, "serve", "--json", "--listen", "127.0.0.1:0", "--ledger", ledger.url, *ledger.key, *map(str, options)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.read_log())
        text = line
        while True:  # the object may have several lines
            try:
                self.start = json.loads(text)
                break
            except json.JSONDecodeError:
                text += self.process.stdout.readline()
        self.port = int(self.start["address"].rstrip("/").rsplit(":", 1)[1])

    def read_log(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self, number=signal.SIGTERM, seconds=20):
        self.process.send_signal(number)
        status = self.process.wait(seconds)
        self.process.stdout.close()
        return status

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def ask(self, path, token=None, method="GET", body=None, **headers):
        """(status, object or text)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            data = response.read()
            self.headers = response.headers
        finally:
            connection.close()
        kind = response.headers.get("Content-Type", "")
        return response.status, json.loads(data) if kind == "application/json" else data.decode()

    def submit(self, token, body, zipped=False, **headers):
        body = body.encode() if isinstance(body, str) else body
        return self.ask("/v1/submissions", token, "POST", gzip.compress(body, 1) if zipped else body, **headers)

    def raw(self, data, seconds=5):
        """Everything that comes back for these bytes, until the server closes or nothing comes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as s:
            s.sendall(data)
            out = b""
            try:
                while part := s.recv(65536):
                    out += part
            except (TimeoutError, ConnectionError):
                pass
            return out

    def memory(self):
        """Resident bytes."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        return 0


def wait_until(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


class Database:
    """A PostgreSQL server of its own, on a socket in a temporary folder."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lossleak-pg-"))
        self.bin = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        self.run("initdb", "-D", self.folder / "data", "-U", "guard", "--auth=trust")
        self.start()
        self.url = f"postgresql://guard@/postgres?host={self.folder}"

    def run(self, program, *arguments):
        subprocess.run([self.bin / program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=self.user, cwd=self.folder,
                       env={"PATH": os.environ["PATH"], "LC_ALL": "C"})

    def start(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o", f"-c listen_addresses='' -c unix_socket_directories={self.folder}", "start")

    def stop(self, how="fast"):
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-m", how, "stop")

    def remove(self):
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)
