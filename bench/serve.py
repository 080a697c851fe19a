"""Submissions per second and the 99th percentile of their time: `lossleak serve` against Flask behind gunicorn with scikit-learn (serve_flask.py), bodies of
100,000 rows as CSV and .npy, 1, 8 and 64 clients at a time, every body different, both with a synced SQLite ledger. The two servers take turns.

    /usr/bin/python3 bench/serve.py PROGRAM [SECONDS]

Prints CSV: thing,size,seconds,baseline,baseline_seconds,ratio. The seconds of `submission` are 1 / (submissions per second), those of `p99` the percentile,
those of `processor` the processor time (user and system) of the server and its children per submission, which other work on the machine changes least, and those
of `client` that of the clients, which share the processors: each sends a body that lies ready in memory."""
import json
import os
import pathlib
import random
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

ROWS, CLIENTS = 100_000, (1, 8, 64)
here = pathlib.Path(__file__).resolve().parent
program, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
work = pathlib.Path(tempfile.mkdtemp(prefix="lossleak-bench-"))


def make_bodies(p):
    """name: (what comes before the number that changes, that number as bytes, what comes after)"""
    rest = "".join(f"{i},{v!r}\n" for i, v in enumerate(p.tolist()) if i > 0).encode()
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({ROWS},), }}"
    header = (header + " " * (63 - (10 + len(header)) % 64) + "\n").encode()
    return {"csv": (b"row,p\n0,", lambda x: f"{x:.16f}\n".encode(), rest),
            "npy": (b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header, lambda x: np.float64(x).tobytes(), p[1:].tobytes())}


def read_reply(s):
    data = b""
    while b"\r\n\r\n" not in data:
        part = s.recv(65536)
        if not part:
            raise ConnectionError(data)
        data += part
    head, body = data.split(b"\r\n\r\n", 1)
    length = int(next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")).split(b":")[1])
    while len(body) < length:
        body += s.recv(65536)
    return int(head.split()[1]), b"connection: close" in head.lower()


def client(port, token, body, end, times, statuses):
    before, number, after = body
    draw, s = random.Random(), None
    while time.monotonic() < end:
        changed = number(draw.uniform(0.2, 0.8))
        size = len(before) + len(changed) + len(after)
        begun = time.monotonic()
        s = s or socket.create_connection(("127.0.0.1", port))
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        s.sendall(f"POST /v1/submissions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Length: {size}\r\n\r\n".encode() + before + changed)
        s.sendall(after)
        status, is_last = read_reply(s)
        times.append(time.monotonic() - begun)
        statuses[status] = statuses.get(status, 0) + 1
        if is_last:
            s.close()
            s = None


def own_time():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def processor_time(pid):
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    fields = [pathlib.Path(f"/proc/{p}/stat").read_text().rsplit(")", 1)[1].split() for p in [pid, *children]]
    return sum(int(f[11]) + int(f[12]) for f in fields) / os.sysconf("SC_CLK_TCK")


def load(server, body, clients):
    used, own = processor_time(server.process.pid), own_time()
    times, statuses, end = [], {}, time.monotonic() + seconds
    threads = [threading.Thread(target=client, args=(server.port, server.tokens[i], body, end, times, statuses)) for i in range(clients)]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = time.monotonic() - begun
    used, own = processor_time(server.process.pid) - used, own_time() - own
    if set(statuses) != {200}:
        raise RuntimeError(f"statuses {statuses}")
    times.sort()
    return spent / len(times), times[min(len(times) - 1, int(0.99 * len(times)))], used / len(times), own / len(times)


class Own:
    def __init__(self, labels):
        (work / "labels").write_text("".join(f"{y}\n" for y in labels))
        (work / "policy").write_text(json.dumps({"policy": 1, "scorer": {"scorer": "sklearn/log_loss", "rows": ROWS, "release": "levels:0.7:0.3:80"}}))
        self.guard("init", "--policy", work / "policy", "--labels", work / "labels")
        self.tokens = [self.guard("account", "--account", f"a{i}")["token"] for i in range(max(CLIENTS))]
        self.process = subprocess.Popen([program, "serve", "--json", "--quiet", "--ledger", work / "own.db", "--listen", "127.0.0.1:0", "--max-bodies", "1G"], stdout=subprocess.PIPE, text=True)
        text = ""
        while "}" not in text:
            text += self.process.stdout.readline()
        self.port = int(json.loads(text)["address"].rstrip("/").rsplit(":", 1)[1])

    def guard(self, action, *options):
        return json.loads(subprocess.run([program, "guard", action, "--json", "--ledger", work / "own.db", *options], check=True, capture_output=True, text=True).stdout)


class Flask:
    def __init__(self, labels):
        np.save(work / "labels.npy", labels)
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        workers = 2 * os.cpu_count() + 1  # as gunicorn's documentation says
        self.process = subprocess.Popen(["gunicorn", "-w", str(workers), "-b", f"127.0.0.1:{self.port}", "--timeout", "300", "--chdir", here, "serve_flask:app"],
                                        env={**os.environ, "LABELS": str(work / "labels.npy"), "LEDGER": str(work / "flask.db")}, stderr=subprocess.DEVNULL)
        self.tokens = [f"token-{i}" for i in range(max(CLIENTS))]
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                time.sleep(0.2)


def main():
    draw = np.random.default_rng(1)
    p = draw.uniform(0.05, 0.95, ROWS)
    labels = (draw.random(ROWS) < p).astype(np.int64)
    bodies = make_bodies(p)
    servers = [Own(labels), Flask(labels)]
    try:
        for server in servers:  # every worker has scored, and memory for all bodies is there
            load(server, bodies["csv"], max(CLIENTS))
        for name, body in bodies.items():
            for clients in CLIENTS:
                own, other = (load(server, body, clients) for server in servers)
                for what, mine, theirs in zip(("submission", "p99", "processor", "client"), own, other):
                    print(f"serve {name} {what},{clients} clients,{mine:.6f},Flask gunicorn scikit-learn,{theirs:.6f},{mine / theirs:.3g}", flush=True)
    finally:
        for server in servers:
            server.process.terminate()
            server.process.wait()
        shutil.rmtree(work, ignore_errors=True)


main()
