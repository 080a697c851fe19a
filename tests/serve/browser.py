"""Chromium without a screen, driven by its remote debugging protocol over a WebSocket; nothing but the standard library is needed."""
import base64
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request


class Browser:
    """None is made where there is no Chromium: ask is_there() first."""

    @staticmethod
    def is_there():
        return shutil.which("chromium") is not None

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="lossleak-chromium-")
        self.process = subprocess.Popen(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars", "--remote-debugging-port=0", "--remote-allow-origins=*",
                                         f"--user-data-dir={self.folder}", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"ws://127\.0\.0\.1:(\d+)/", line):
                break
        port = int(found[1])
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=20))
        path = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page").split(f":{port}", 1)[1]
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n".encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            self.data += self.socket.recv(4096)
        self.data = self.data.split(b"\r\n\r\n", 1)[1]
        self.number, self.events = 0, []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def take(self, size):
        while len(self.data) < size:
            part = self.socket.recv(1 << 20)
            if not part:
                raise ConnectionError("the browser has gone")
            self.data += part
        out, self.data = self.data[:size], self.data[size:]
        return out

    def read(self):
        text = b""
        while True:
            first, second = self.take(2)
            size = second & 127
            size = int.from_bytes(self.take(2 if size == 126 else 8), "big") if size > 125 else size
            text += self.take(size)
            if first & 128:
                return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        data = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        head = bytes([129]) + (bytes([128 | len(data)]) if len(data) < 126 else bytes([254]) + len(data).to_bytes(2, "big") if len(data) < 65536 else bytes([255]) + len(data).to_bytes(8, "big"))
        self.socket.sendall(head + bytes(4) + data)
        while True:
            message = self.read()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]
            self.events.append(message)

    def run(self, script):
        """The value of an expression; promises are waited for."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, script, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(script):
                return True
            time.sleep(0.05)
        return False

    def open(self, url):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def shape(self, width, height, dark=False, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def press(self, key, code=0, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **({"text": text} if text and kind == "keyDown" else {}))

    def picture(self, path):
        height = self.run("document.documentElement.scrollHeight")
        width = self.run("window.innerWidth")
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def troubles(self):
        """What the console and the network complained of."""
        out = [e["params"]["entry"]["text"] for e in self.events if e.get("method") == "Log.entryAdded" and e["params"]["entry"]["level"] == "error"]
        return out + [str(e["params"]["exceptionDetails"]) for e in self.events if e.get("method") == "Runtime.exceptionThrown"]

    def addresses(self):
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
        self.socket.close()
        shutil.rmtree(self.folder, ignore_errors=True)
