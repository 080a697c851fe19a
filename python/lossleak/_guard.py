"""A curator with a memory: liblossleak-guard, found when the first guard is opened.

The guard library needs SQLite, libpq, libsodium and jansson, so a wheel of this package does not carry it: it is found where it is installed."""
from __future__ import annotations

import json
import math
import os
import pathlib
import threading
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ._arrays import Predictions, labels_of, read, targets_of
from ._library import Error, Stop, c_text, log
from ._library import ffi as core
from ._result import SCHEMA, Record, _plain, number
from ._scorer import Scorer

LIBRARY = "liblossleak-guard.so.1"
KEY = 32  # bytes

_STATUS = {1: "domain", 2: "unable", 3: "memory", 4: "system"}


class _Library:
    """The functions of lossleak/guard.h, or the reason why there are none."""

    def __init__(self) -> None:
        self._found: Optional[Tuple[Any, Any]] = None

    @staticmethod
    def _places() -> List[str]:
        here = pathlib.Path(__file__).resolve().parent
        named = os.environ.get("LOSSLEAK_GUARD_LIBRARY")
        folders = [here / "libraries", here.parents[2]]  # what a wheel carries; the libraries of the build or of the installation
        return [named] if named else [*(str(folder / LIBRARY) for folder in folders if (folder / LIBRARY).exists()), LIBRARY]

    def find(self) -> Tuple[Any, Any]:
        if self._found is None:
            self._found = self._open()
        return self._found

    def _open(self) -> Tuple[Any, Any]:
        try:
            from ._guard_header import ffi
        except ImportError:
            raise Error("Guard: this package was built without lossleak/guard.h: build it from the source tree, or where liblossleak-guard-dev is installed",
                        "system") from None
        reasons = []
        for place in self._places():
            try:
                return ffi, ffi.dlopen(place)
            except OSError as error:
                reasons.append(str(error).split("  Additionally")[0])
        raise Error(f"Guard: {LIBRARY} is not found: install liblossleak-guard1, or name the file in LOSSLEAK_GUARD_LIBRARY ({'; '.join(reasons)})", "system")


_library = _Library()


class GuardAnswer(Record):
    """What a submission is answered: ``outcome`` ("accepted", "repeated", "refused" or "invalid"), ``score`` (what is shown, a text, or
    None), ``text`` (a sentence for whoever submitted), ``improved``, ``submission`` and ``receipt`` (its entry in the ledger), ``spent``
    (bits: ``answer`` for this one, ``bits`` by all accounts, of a ``budget``) and ``left`` (submissions: ``today``, ``account``, ``all``)."""

    action = "score"

    def to_dict(self) -> Dict[str, Any]:
        """The object that ``lossleak guard ACTION --json`` prints."""
        return {"command": "guard", "schema": SCHEMA, "action": self.action, **_plain(self)}


class GuardStatus(GuardAnswer):
    """The meter: ``spent`` (``bits`` of a ``budget``), the ``share`` of the labels that a promise of what was ``spent`` would be, that no method passes on average after all that is
    ``promised``, and by ``guess``; ``row_share``, the same of the most exposed single label where the policy keeps that; the price of the ``next`` answer, counts, and ``head``, the digest of the last entry."""

    action = "status"


class GuardPlace(Record):
    """A row of the leaderboard: ``place``, ``account``, ``score``, ``submissions``, ``time``."""

    def to_dict(self) -> Dict[str, Any]:
        return _plain(self)


class GuardEntry(GuardPlace):
    """An entry of the ledger: ``submission``, ``account``, ``outcome``, ``score``, ``digest``, ``charged``, ``time``, ``chain``."""


def _read_policy(policy: Any) -> bytes:
    """A dict, JSON text, or a file that holds it."""
    if isinstance(policy, dict):
        try:
            return json.dumps(policy, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise Error(f"policy: {error}") from None
    if isinstance(policy, str) and policy.lstrip().startswith("{"):
        return c_text(policy, "policy")
    try:
        return pathlib.Path(policy).read_bytes()
    except (TypeError, OSError) as error:
        raise Error(f"policy: {error}") from None


def _read_key(key: Any) -> Optional[bytes]:
    """32 bytes, or a file that holds them, as the command line writes it."""
    try:
        found = key if key is None or isinstance(key, bytes) else pathlib.Path(key).read_bytes()
    except (TypeError, OSError) as error:
        raise Error(f"key {key}: {error}") from None
    if found is not None and len(found) != KEY:
        raise Error(f"key: {len(found)} bytes, where a key has {KEY}")
    return found


class Guard:
    """Scores submissions under a policy, charges a ledger before it answers, and refuses before a promised share of the labels can be passed.

    ``policy``: a dict, JSON text or a file (docs/guard.md lists its members); ``ledger``: a file, ``sqlite:FILE`` or ``postgresql://...``.
    A ledger that does not exist yet is made with ``labels``, and without them it must be there; then ``policy`` may be left out, and one that
    is given must be the ledger's own. ``key``: 32 bytes, or the file that has them; the labels are encrypted with it.

    ``metric``: for a policy that says which scores are ``"better"`` in place of a metric, the host's own function of (labels, predictions). Where it
    raises, or gives no finite number, the submission is answered like one that does not improve.

    One guard may be used by several threads, which take turns, and not after a fork: every process opens its own, and any number of
    processes may use one ledger.

    >>> import lossleak as ll, tempfile
    >>> policy = {"scorer": {"metric": "accuracy", "rows": 6, "release": "levels:0.5:1:5"}, "promise": {"bits": 20}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with ll.Guard(policy, ledger=folder + "/test.db", labels=[0, 1, 1, 0, 1, 0]) as guard:
    ...         token = guard.add_account("anna")
    ...         guard.score("anna", [0, 1, 1, 0, 0, 1]).score
    '0.6'
    """

    def __init__(self, policy: Any = None, ledger: Any = None, *, labels: Any = None, key: Any = None,
                 metric: Optional[Callable[[np.ndarray, np.ndarray], float]] = None):
        self._ffi, self._lib = _library.find()
        self._lock, self._process, self._handle = threading.RLock(), os.getpid(), None
        if ledger is None:
            raise Error("ledger: give a file, sqlite:FILE or postgresql://...")
        self.ledger = os.fspath(ledger)
        self._key = _read_key(key)
        wanted = None if policy is None else self._make_policy(_read_policy(policy))
        if labels is None or self._is_there():
            self._open(wanted)
        else:
            self._create(wanted, labels)
        self._metric = self._set_metric(metric) if metric is not None else None
        self.policy = Record(json.loads(self._text(self._lib.ll_policy_get_json(self._lib.ll_guard_get_policy(self._handle))) or "{}"))

    # ---- calls ----

    def _text(self, text: Any) -> Optional[str]:
        return None if text == self._ffi.NULL else self._ffi.string(text).decode("utf-8", "replace")

    def _raw(self, function: Callable[..., int], *arguments: Any) -> Tuple[int, str]:
        """Status and text of a call whose error comes last."""
        error = self._ffi.new("ll_error *")
        with self._lock:
            status = function(*arguments, error)
        return status, self._text(error.text) or "out of memory"

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        status, text = self._raw(function, *arguments)
        if status != 0:
            raise Error(text, _STATUS.get(status, "domain"))

    def _use(self) -> Any:
        if self._handle is None:
            raise Error("this guard is closed")
        if self._process != os.getpid():
            raise Error("a guard does not survive a fork: open the ledger again in this process")
        return self._handle

    # ---- opening ----

    def _make_policy(self, text: bytes) -> Any:
        out = self._ffi.new("ll_policy **")
        self._call(self._lib.ll_policy_read, out, text, len(text))
        return self._ffi.gc(out[0], self._lib.ll_policy_destroy)

    def _is_there(self) -> bool:
        """Is there such a ledger? Of a database only trying tells."""
        if "://" not in self.ledger:
            return os.path.exists(self.ledger[7:] if self.ledger.startswith("sqlite:") else self.ledger)
        out = self._ffi.new("ll_guard **")
        status, text = self._raw(self._lib.ll_guard_open, out, c_text(self.ledger, "ledger"), self._key or self._ffi.NULL)
        if status == 0:
            self._lib.ll_guard_close(out[0])
        return status == 0 or "this is no ledger" not in text

    def _keep(self, out: Any) -> None:
        self._handle = self._ffi.gc(out[0], self._close_in(os.getpid()))

    def _close_in(self, process: int) -> Callable[[Any], None]:
        """A fork's copy must not touch the database."""
        lib = self._lib
        return lambda handle: lib.ll_guard_close(handle) if os.getpid() == process else None

    def _open(self, wanted: Any) -> None:
        out = self._ffi.new("ll_guard **")
        self._call(self._lib.ll_guard_open, out, c_text(self.ledger, "ledger"), self._key or self._ffi.NULL)
        self._keep(out)
        digest = self._lib.ll_policy_get_digest
        if wanted is not None and self._text(digest(wanted)) != self._text(digest(self._lib.ll_guard_get_policy(self._handle))):
            self.close()
            raise Error("this ledger has another policy, and a policy cannot be changed: leave it out, or make a new ledger")

    def _create(self, policy: Any, labels: Any) -> None:
        if policy is None:
            raise Error("policy: a new ledger needs one")
        described = json.loads(self._text(self._lib.ll_policy_get_json(policy)) or "{}")["scorer"]
        numbers = Scorer(**{name.replace("-", "_"): text for name, text in described.items() if name == "targets"}).targets()
        classes = int(described.get("classes", 2))
        found = (targets_of(labels, "labels", numbers) if numbers else labels_of(labels, "labels", classes))[0]
        out = self._ffi.new("ll_guard **")
        self._call(self._lib.ll_guard_create, out, c_text(self.ledger, "ledger"), policy, self._ffi.from_buffer("int32_t[]", found), len(found),
                   self._key or self._ffi.NULL)
        self._keep(out)

    def _set_metric(self, metric: Callable[[np.ndarray, np.ndarray], float]) -> Any:
        """The function as the library calls it: what goes wrong in it is said to nobody, because it may depend on labels."""

        def score(_self: Any, out: Any, labels: Any, rows: int, predictions: Any, _error: Any) -> int:
            try:
                truth = np.frombuffer(self._ffi.buffer(labels, 4 * rows), dtype=np.int32).copy()
                given = read(core.cast("ll_predictions *", int(self._ffi.cast("uintptr_t", predictions))), np.float64)
                out[0] = float(metric(truth, given))
                return 0
            except Exception:  # pylint: disable=broad-except
                return 1

        callback = self._ffi.callback("ll_status(void *, double *, const int32_t *, long, const ll_predictions *, ll_error *)", score)
        self._call(self._lib.ll_guard_set_metric, self._use(), callback, self._ffi.NULL)
        return callback

    def close(self) -> None:
        """Ends the use of the ledger; what was answered is on disk already."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                self._ffi.release(handle)

    def __enter__(self) -> "Guard":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Guard {self.ledger}{'' if self._handle is not None else ', closed'}>"

    # ---- accounts ----

    def add_account(self, name: str, *, host: bool = False) -> str:
        """A new account; its token, of which the ledger keeps a digest only: it is shown once."""
        token = self._ffi.new("char[]", self._lib.LL_GUARD_TOKEN)
        self._call(self._lib.ll_guard_add_account, self._use(), token, c_text(name, "account"), self._lib.LL_ROLE_HOST if host else self._lib.LL_ROLE_PARTICIPANT)
        return self._text(token) or ""

    def check_token(self, token: str) -> Optional[str]:
        """The account whose token it is; None: nobody's."""
        account, role = self._ffi.new("char[]", self._lib.LL_GUARD_NAME), self._ffi.new("ll_guard_role *")
        self._call(self._lib.ll_guard_check_token, self._use(), account, role, c_text(token, "token"))
        return None if role[0] == self._lib.LL_ROLE_NONE else self._text(account)

    def forget_account(self, name: str) -> None:
        """Takes the token away and forgets the name; the entries, which the meter needs, stay."""
        self._call(self._lib.ll_guard_forget_account, self._use(), c_text(name, "account"))

    # ---- submissions ----

    def _answer(self, function: Callable[..., int], account: str, *arguments: Any) -> GuardAnswer:
        out = self._ffi.new("ll_guard_answer *")
        out.size = self._ffi.sizeof("ll_guard_answer")
        self._call(function, self._use(), out, c_text(account, "account"), *arguments)
        try:
            return GuardAnswer(account=account, outcome=self._text(self._lib.ll_guard_outcome_name(out.outcome)), text=self._text(out.text),
                               score=self._text(out.shown), improved=bool(out.improved), submission=out.submission or None,
                               receipt=self._text(out.receipt) or None, spent=Record(answer=out.charged, bits=out.spent, budget=number(out.budget)),
                               left=Record(today=number(out.left_today), account=number(out.left_account), all=number(out.left_all)))
        finally:
            self._lib.ll_guard_answer_clear(out)

    def score(self, account: str, predictions: Any) -> GuardAnswer:
        """Checks, scores, charges, stores and answers. A refusal or an invalid submission is an answer, too; an account that does
        not exist is an :class:`Error`."""
        source = Predictions(predictions, "predictions", Stop())
        pointer = self._ffi.cast("ll_predictions *", int(core.cast("uintptr_t", source.handle)))
        answer = self._answer(self._lib.ll_guard_submit, account, pointer)
        log.debug("guard: submission %s is %s", answer.submission, answer.outcome)
        return answer

    def account(self, name: str) -> Record:
        """What an account was shown and has left."""
        answer = self._answer(self._lib.ll_guard_get_account, name)
        return Record(account=name, score=answer.score, left=answer.left)

    # ---- the ledger ----

    def status(self) -> GuardStatus:
        """The meter of all accounts together."""
        out = self._ffi.new("ll_guard_status *")
        self._call(self._lib.ll_guard_get_status, self._use(), out, self._ffi.sizeof("ll_guard_status"))
        counts = ("rows", "levels", "submissions", "invalid", "improvements", "accounts")
        return GuardStatus(**{name: getattr(out, name) for name in counts}, spent=Record(bits=out.spent, budget=number(out.budget)),
                           share=Record(spent=out.share_spent, promised=out.share_promised, guess=out.share_guess),
                           row_share=None if math.isnan(out.row_spent) else Record(spent=out.row_spent, promised=out.row_promised),
                           next=Record(least=out.least, most=out.most), left=Record(all=number(out.left_all)), encrypted=bool(out.is_encrypted),
                           head=self._text(out.head), digest=self._text(self._lib.ll_policy_get_digest(self._lib.ll_guard_get_policy(self._use()))))

    def _list(self, signature: str, function: Callable[..., int], arguments: Tuple[Any, ...], make: Callable[[Any], Record]) -> List[Any]:
        made: List[Any] = []

        def each(_self: Any, row: Any) -> int:
            made.append(make(row))
            return 0

        self._call(function, self._use(), *arguments, self._ffi.callback(signature, each), self._ffi.NULL)
        return made

    def leaderboard(self) -> List[GuardPlace]:
        """Best first. It shows what accounts were shown, so it costs nothing."""
        return self._list("int(void *, const ll_guard_place *)", self._lib.ll_guard_leaderboard, (), lambda row: GuardPlace(
            place=row.place, account=self._text(row.account), score=self._text(row.shown), submissions=row.submissions, time=number(row.time)))

    def entries(self, after: int = 0) -> List[GuardEntry]:
        """All entries of the ledger after one of them, in order: for the host."""
        return self._list("int(void *, const ll_guard_entry *)", self._lib.ll_guard_entries, (int(after),), lambda row: GuardEntry(
            submission=row.submission, account=self._text(row.account), outcome=self._text(self._lib.ll_guard_outcome_name(row.outcome)),
            score=self._text(row.shown), digest=self._text(row.digest), charged=row.charged, time=number(row.time), chain=self._text(row.chain)))

    def verify(self, receipt: Optional[str] = None) -> None:
        """Computes all charges and digests again; an :class:`Error` names the first entry that is not what it says, or says that the
        ledger does not hold the receipt: then it went back in time."""
        self._call(self._lib.ll_guard_verify, self._use(), self._ffi.NULL if receipt is None else c_text(receipt, "receipt"))


def make_key() -> bytes:
    """A new key, from the operating system's generator."""
    return os.urandom(KEY)
