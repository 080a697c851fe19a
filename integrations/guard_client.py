"""Sends a submission to `lossleak serve` and returns its answer. Only Python's standard library; copy it beside the script that uses it.

Settings, from a file `guard.json` beside this one or from the environment:
    {"address": "https://guard.example.org", "tokens": {"anna": "...", "*": "..."}}       LOSSLEAK_GUARD names another such file
`tokens` maps the platform's name of a team to the token of its account; "*" is for everybody who has none."""
import contextlib
import io
import json
import os
import pathlib
import time
import urllib.error
import urllib.request

TRIES, PAUSE, SECONDS = 5, 1.0, 60


class Refused(Exception):
    """The guard gave no score: the submission is invalid, or a limit is reached. Its text depends on no label."""


def settings():
    path = pathlib.Path(os.environ.get("LOSSLEAK_GUARD", pathlib.Path(__file__).resolve().parent / "guard.json"))
    return json.loads(path.read_text(encoding="utf-8"))


def _ask(request):
    """(status, object); None where the server is not there, or asks to try again."""
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            return reply.status, json.loads(reply.read())
    except urllib.error.HTTPError as error:
        if error.code == 503:
            return None
        try:
            return error.code, json.loads(error.read())
        except ValueError:
            return error.code, {}
    except (OSError, ValueError):
        return None


def submit(path, team=None):
    """The answer to the predictions in this file: "score" (a text), "submission", "improved", "left", "receipt". The same values are charged once,
    so that asking again after a failure loses nothing."""
    known = settings()
    tokens = known["tokens"]
    token = tokens.get(str(team), tokens.get("*"))
    if token is None:
        raise Refused("this team has no account with the guard")
    request = urllib.request.Request(known["address"].rstrip("/") + "/v1/submissions", data=pathlib.Path(path).read_bytes(),
                                     headers={"Authorization": f"Bearer {token}", "Content-Type": "application/octet-stream"}, method="POST")
    for attempt in range(TRIES):
        time.sleep(PAUSE * attempt)
        reply = _ask(request)
        if reply is not None:
            status, answer = reply
            if status == 200:
                return answer
            raise Refused(str(answer.get("error") or f"the guard answered with status {status}"))
    raise Refused("the guard cannot be reached: submit the same file again later, it is charged once")


@contextlib.contextmanager
def silent():
    """What is printed meanwhile goes nowhere: platforms show it to participants."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield
