import json


def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
    print("Starting evaluation.....")
    with open(test_annotation_file) as file:
        truth = json.load(file)
    with open(user_submission_file) as file:
        submission = json.load(file)

    right = {"negative": 0, "positive": 0}
    total = {"negative": 0, "positive": 0}
    for review, sentiment in submission.items():
        if review not in truth:
            continue
        total[truth[review]] += 1
        right[truth[review]] += sentiment == truth[review]
    accuracy = 100 * sum(right.values()) / sum(total.values())
    print("right per class:", right)

    scores = {"Accuracy": accuracy}
    output = {"result": [{"test_split": scores}], "submission_result": scores}
    print("Completed evaluation for phase", phase_codename)
    return output
