"""ONNX Runtime through node, for the tests of written models."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "runtime"
SKIPPED = 77  # SKIP_RETURN_CODE in tests/CMakeLists.txt


def skip_without():
    """Where ONNX Runtime is missing, say what is missing and end the test as skipped."""
    for there, what in ((shutil.which("node"), "node"), ((FOLDER / "node_modules/onnxruntime-node").is_dir(), "tests/runtime/node_modules")):
        if not there:
            print(f"skipped: ONNX Runtime runs in node, and {what} is not there; tools/setup test installs it")
            sys.exit(SKIPPED)


class Runtime:
    def __init__(self):
        skip_without()
        self.folder = tempfile.TemporaryDirectory()
        self.child = subprocess.Popen(["node", str(FOLDER / "run.js")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      text=True)

    def run(self, model, x):
        """The first output of floats of the model in file `model` on the input x."""
        given, got = (os.path.join(self.folder.name, name) for name in ("given", "got"))
        x = np.ascontiguousarray(x)
        x.tofile(given)
        job = {"model": os.path.abspath(model), "input": given, "shape": list(x.shape), "type": str(x.dtype), "output": got}
        self.child.stdin.write(json.dumps(job) + "\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline()
        if not answer:
            raise RuntimeError("ONNX Runtime ended")
        answer = json.loads(answer)
        if "error" in answer:
            raise RuntimeError(f"{model}: {answer['error']}")
        self.names = answer["inputs"], answer["outputs"]
        return np.fromfile(got, answer["type"]).reshape(answer["shape"])

    def close(self):
        self.child.stdin.close()
        self.child.wait()
        self.folder.cleanup()
