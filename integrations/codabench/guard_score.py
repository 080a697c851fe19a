"""A Codabench scoring program behind a guard: `python3 guard_score.py INPUT OUTPUT`, with `guard_client.py` and `guard.json` beside it.

It has no labels: `INPUT/ref` is not read. The score is what `lossleak serve` shows, after its ledger was charged; containers of the platform forget, the ledger does not.
metadata.yaml:  command: python3 $program/guard_score.py $input $output"""
import json
import pathlib
import sys

import guard_client

KEY = "score"  # as leaderboard in competition.yaml has it


def _team(folder):
    """The name that the platform tells, in INPUT/res/metadata or not at all."""
    try:
        return json.loads((folder / "metadata.json").read_text(encoding="utf-8")).get("participant")
    except (OSError, ValueError, AttributeError):
        return None


def score(folder):
    """(scores, why there are none)"""
    files = [path for path in sorted((folder / "res").glob("*")) if path.suffix in (".csv", ".npy", ".gz")]
    try:
        with guard_client.silent():
            if len(files) != 1:
                raise guard_client.Refused(f"the submission must have one file of predictions (.csv, .npy or .gz), not {len(files)}")
            answer = guard_client.submit(files[0], _team(folder / "res"))
            return {KEY: float(answer["score"])}, None
    except guard_client.Refused as refused:
        return None, str(refused)
    except Exception:  # whatever it is: its text may hold what nobody should read
        return None, "the submission could not be scored"


def main(folder, out):
    scores, reason = score(pathlib.Path(folder))
    if scores is None:
        print(reason, file=sys.stderr)
        return 1
    (pathlib.Path(out) / "scores.json").write_text(json.dumps(scores) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
