import json


def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
    with open(test_annotation_file) as file:
        truth = json.load(file)
    with open(user_submission_file) as file:
        submission = json.load(file)

    # Everything about the submission is checked before a label is looked at, and no message depends on one.
    if not isinstance(submission, dict) or submission.keys() != truth.keys():
        raise ValueError("A submission has one answer for every review of the test set, and no other.")
    if not all(answer in ("negative", "positive") for answer in submission.values()):
        raise ValueError("An answer is negative or positive.")

    right = sum(submission[review] == truth[review] for review in truth)
    scores = {"Accuracy": round(100 * right / len(truth), 2)}
    return {"result": [{"test_split": scores}], "submission_result": scores}
