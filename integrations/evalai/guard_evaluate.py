"""EvalAI's evaluate() behind a guard: copy this file as `main.py`, with `guard_client.py` and `guard.json` beside it, into `evaluation_script`.

It has no labels: the annotations of the challenge are not read. The score is what `lossleak serve` shows, after its ledger was charged."""
import guard_client

METRIC = "Score"  # as leaderboard in challenge_config.yaml has it


def _team(kwargs):
    """EvalAI's name of the participants' team; None: not told."""
    told = kwargs.get("submission_metadata") or {}
    return told.get("participant_team_name") or told.get("participant_team")


def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
    """A failure says what the guard says, which depends on no label, and nothing else."""
    try:
        with guard_client.silent():
            answer = guard_client.submit(user_submission_file, _team(kwargs))
            scores = {METRIC: float(answer["score"])}
    except guard_client.Refused as refused:
        reason = str(refused)
    except Exception:  # whatever it is: its text may hold what nobody should read
        reason = "the submission could not be scored"
    else:
        return {"result": [{phase_codename: scores}], "submission_result": scores}
    raise RuntimeError(reason) from None
