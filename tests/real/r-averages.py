"""scikit-learn's averages over classes behind an oracle, one number an answer, class counts not told: every label certain
and right, in no fewer submissions than the limit. Balanced accuracy of five classes, 300 and 1000 rows; macro and weighted
averages; kappa; rows in the order of their classes, a class of three rows, a class that nobody has, counts that are told.
Within a limit: the part of the labels that is promised. LL_TEST_LONG: all of that; else three of the cases. LOSSLEAK names the program."""
import os

from class_attacks import attack_all, attack_parts

LONG = "LL_TEST_LONG" in os.environ
CASES = [
    ("balanced-accuracy", "balanced_accuracy_score", 300, 5, range(5), 5, False, False),
    ("balanced-accuracy", "balanced_accuracy_score", 1000, 5, range(5), 5, False, False),
    ("balanced-accuracy", "balanced_accuracy_score", 100, 3, range(3), 4, False, True),
    ("balanced-accuracy", "balanced_accuracy_score", 60, 6, [1, 2, 5], 5, False, False),
    ("balanced-accuracy", "balanced_accuracy_score", 60, 10, range(10), 5, True, False),
    ("macro-f1", "f1_score:average=macro", 300, 3, range(3), 5, False, False),
    ("macro-f1", "f1_score:average=macro", 1000, 3, range(3), 5, False, False),
    ("macro-precision", "precision_score:average=macro", 60, 4, range(4), 5, False, False),
    ("macro-recall", "recall_score:average=macro", 60, 4, [0, 1, 3], 5, False, False),
    ("macro-jaccard", "jaccard_score:average=macro", 60, 3, range(3), 4, False, True),
    ("weighted-f1", "f1_score:average=weighted", 60, 4, range(4), 5, False, False),
    ("weighted-precision", "precision_score:average=weighted", 60, 4, range(4), 5, False, False),
    ("weighted-jaccard", "jaccard_score:average=weighted", 60, 4, range(4), 5, False, False),
    ("kappa", "cohen_kappa_score", 300, 5, range(5), 5, False, False),
]

PARTS = [
    ("macro-f1", "f1_score:average=macro", 2201, 4, 60, 38),
    ("kappa", "cohen_kappa_score", 2201, 4, 300, 289),
    ("macro-f1", "f1_score:average=macro", 20000, 4, 300, 313),
    ("balanced-accuracy", "balanced_accuracy_score", 20000, 4, 300, 285),
    ("quadratic-kappa", "cohen_kappa_score:weights=quadratic", 2201, 5, 300, 812),
    ("linear-kappa", "cohen_kappa_score:weights=linear", 2201, 5, 300, 523),
]

if __name__ == "__main__":
    attack_all(CASES if LONG else [CASES[0], CASES[3], CASES[9]],
               lambda metric, rows: LONG or rows == 300 and metric.startswith("balanced"))
    attack_parts(PARTS if LONG else PARTS[:1])
