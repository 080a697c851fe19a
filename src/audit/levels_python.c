/* A release by levels as code: complete but for the metric itself, where that is none of scikit-learn's.
 * tests/real/r-levels.py runs what is printed here, in two processes at once, and kills them. */
#include "audit/audit_private.h"
#include "audit/settings_text.h"
#include "number/text_number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 3, PART = 40 };

static const char code[] =
    "import sqlite3\n"
    "from contextlib import closing\n"
    "%s\n"
    "\n"
    "BASE, BEST, COUNT = %s, %s, %s  # fixed before the first submission: a new list is a new promise\n"
    "LEVELS = [round(BASE + (BEST - BASE) * level / COUNT, %d) for level in range(COUNT + 1)]\n"
    "ANSWERS = %s  # %s\n"
    "\n"
    "def reached(labels, predictions):  # the best level that this score is good enough for\n"
    "    try:\n"
    "        score = float(metric(labels, predictions))\n"
    "    except Exception:  # labels may decide whether a metric fails: that must not be seen\n"
    "        return 0\n"
    "    return sum(%s for level in LEVELS[1:])  # none for nan\n"
    "\n"
    "def release(labels, predictions, account, store=\"levels.sqlite\"):\n"
    "    # Returns LEVELS[0] while nothing is above the baseline. Check the form of the file before you call this.\n"
    "    best, key = reached(labels, predictions), %s\n"
    "    with closing(sqlite3.connect(store, timeout=60, isolation_level=None)) as db:\n"
    "        db.execute(\"PRAGMA synchronous = FULL\")\n"
    "        db.execute(\"BEGIN IMMEDIATE\")  # one process at a time; a kill before COMMIT leaves nothing\n"
    "        db.execute(\"CREATE TABLE IF NOT EXISTS best (account TEXT PRIMARY KEY, level INTEGER, answers "
    "INTEGER)\")\n"
    "        row = db.execute(\"SELECT level, answers FROM best WHERE account = ?\", (key,)).fetchone() or (0, 0)\n"
    "        if ANSWERS is not None and row[1] >= ANSWERS:\n"
    "            raise ValueError(\"refused: all submissions have been used\")\n"
    "        best = max(row[0], best)\n"
    "        db.execute(\"INSERT OR REPLACE INTO best VALUES (?, ?, ?)\", (key, best, row[1] + 1))\n"
    "        db.execute(\"COMMIT\")  # stored before it is shown\n"
    "    return LEVELS[best]\n";

/* Metrics that scikit-learn has under a name of its own. */
static const struct {
    const char *metric, *function;
} functions[] = {
    {"log-loss", "log_loss"},
    {"accuracy", "accuracy_score"},
    {"zero-one", "zero_one_loss"},
    {"squared", "brier_score_loss"},
    {"f1", "f1_score"},
    {"auc", "roc_auc_score"},
    {"mcc", "matthews_corrcoef"},
    {"kappa", "cohen_kappa_score"},
    {"balanced-accuracy", "balanced_accuracy_score"},
    {"average-precision", "average_precision_score"},
    {"mse", "mean_squared_error"},
    {"mae", "mean_absolute_error"},
    {"r2", "r2_score"},
};

static void write_import(char *text, size_t size, const ll_scorer *scorer)
{
    const char *name = ll_scorer_get(scorer, "metric");
    int is_plain = strcmp(ll_scorer_get(scorer, "transform"), "identity") == 0;
    for (size_t i = 0; is_plain && i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].metric, name) == 0) {
            (void)ll_print(text, size, "from sklearn.metrics import %s as metric", functions[i].function);
            return;
        }
    (void)ll_print(text, size, "from your_metric import metric  # a function of labels and predictions: one number");
}

/* Decimals of a text, and one more than its step needs. */
static int count_decimals(double base, double best, long count)
{
    char step[40];
    double size = (best > base ? best - base : base - best) / (double)count;
    int places = 1;
    for (; size < 1 && places < 15; places++)
        size *= 10;
    (void)ll_print(step, sizeof step, "%.10g", best);
    size_t point = strcspn(step, ".");
    int own = step[point] == '.' ? (int)strlen(step + point + 1) : 0;
    return (own > places ? own : places) + 1;
}

/* "levels:BASE:BEST:COUNT"; 0: it is none. */
static int split(char parts[PARTS][PART], const char *levels)
{
    static const char begin[] = "levels";
    const char *at = levels;
    int count = 0;
    if (strncmp(at, begin, strlen(begin)) != 0)
        return 0;
    for (at += strcspn(at, ":"); *at == ':' && count < PARTS; at += strcspn(at, ":"), count++) {
        at++;
        (void)snprintf(parts[count], PART, "%.*s", (int)strcspn(at, ":"), at);
    }
    return count == PARTS && *at == '\0';
}

int ll_audit_write_levels_python(char *text, size_t size, const ll_scorer *scorer, const ll_defence *defence)
{
    char import[160], parts[PARTS][PART], levels[140], scope[40], answers[32] = "None";
    ll_settings_get(levels, sizeof levels, defence->settings, "release");
    ll_settings_get(scope, sizeof scope, defence->settings, "scope");
    if (!split(parts, levels))
        return 0;
    int is_leaderboard = strcmp(scope, "leaderboard") == 0;
    double base = ll_read_double(parts[0], NULL), best = ll_read_double(parts[1], NULL);
    long each = ll_scorer_get_count(scorer, "queries");
    each = each > 0 ? each : ll_scorer_get_count(scorer, "per-day") * ll_scorer_get_count(scorer, "days");
    if (is_leaderboard || each > 0)
        (void)ll_print(answers, sizeof answers, "%.0f", is_leaderboard ? defence->queries : (double)each);
    write_import(import, sizeof import, scorer);
    (void)ll_print(text, size, code, import, parts[0], parts[1], parts[2],
                   count_decimals(base, best, strtol(parts[2], NULL, 10)), answers,
                   is_leaderboard ? "of all accounts together" : "of each account",
                   best > base ? "score >= level" : "score <= level",
                   is_leaderboard ? "\"leaderboard\"  # only a new record of all accounts is shown" : "str(account)");
    return 1;
}
