"""scikit-learn's weighted kappas behind an oracle, class counts not told: every grade certain and right, in no fewer
submissions than the limit. 1000 rows of 5 grades, 5 decimals; fewer rows, fewer decimals, grades that nobody has.
LOSSLEAK names the program."""
from class_attacks import attack_all

CASES = [  # kappa, rows, grades that there are, grades that are used, decimals, told
    ("quadratic", 1000, 5, [0, 1, 2, 3, 4], 5, False),
    ("linear", 300, 5, [0, 1, 2, 3, 4], 5, False),
    ("quadratic", 60, 6, [1, 2, 5], 5, False),
    ("linear", 60, 6, [1, 2, 5], 5, False),
    ("quadratic", 10, 5, [2, 3], 4, False),
    ("linear", 10, 4, [0, 3], 4, False),
    ("quadratic", 200, 4, [0, 1, 2, 3], 3, True),
]

if __name__ == "__main__":
    attack_all([(f"{kappa}-kappa", f"cohen_kappa_score:weights={kappa}", *case, False) for kappa, *case in CASES],
               lambda metric, rows: True)
