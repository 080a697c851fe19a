"""How many of the private labels behind a released score does it give away, and what would stop that?

>>> import lossleak as ll
>>> print(ll.audit("sklearn-1.2/log_loss", rows=2201, decimals=5, queries=200).leaks)
True

Names, defaults and results are those of the command line; :class:`Error`, a ValueError, has the library's own text. Messages go to the
logger ``lossleak``. For scorers that you own or may test.
"""
from ._audit import Audit, audit, audit_report
from ._defend import Defence, defend
from ._guard import Guard, GuardAnswer, GuardEntry, GuardPlace, GuardStatus
from ._identify import Identification, identify
from ._infer import Inference, Inspection, Separation, TableSeparation, infer, inspect, separate, separate_table
from ._investigate import Investigation, investigate
from ._known import metrics, profiles
from ._library import Error, lib as _lib, string as _string
from ._plan import Attack, Decoding, Plan, attack, plan
from ._probe import ProgramAudit
from ._result import Record, Result
from ._score import Curator, Score, SimulatedCurator, dataset, score
from ._scorer import Scorer, settings_table
from . import testing  # noqa: E402

__version__: str = _string(_lib.ll_version()) or ""

__all__ = ["Attack", "Audit", "Curator", "Decoding", "Defence", "Error", "Guard", "GuardAnswer", "GuardEntry", "GuardPlace", "GuardStatus", "Identification", "Inference", "Inspection", "Investigation", "Plan", "ProgramAudit", "Record", "Result", "Score", "Scorer", "SimulatedCurator",
           "Separation", "TableSeparation", "attack", "audit", "audit_report", "dataset", "defend", "identify", "infer", "inspect", "investigate", "metrics", "plan", "profiles", "score",
           "separate", "separate_table", "settings_table", "testing"]
