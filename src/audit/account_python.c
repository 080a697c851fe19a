/* What all printed releases share: the host's metric, and a file that counts answers and keeps what accounts have
 * reached, so that two processes and a kill in between give nothing away. tests/real/r-levels.py runs what is printed
 * here, with real metrics. */
#include "audit/python_text.h"
#include "audit/settings_text.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const char *function_of(const ll_scorer *scorer)
{
    const char *name = ll_scorer_get(scorer, "metric");
    int is_plain = strcmp(ll_scorer_get(scorer, "transform"), "identity") == 0 && ll_scorer_get(scorer, "also") == NULL;
    for (size_t i = 0; is_plain && i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].metric, name) == 0)
            return functions[i].function;
    return NULL;
}

static void write_import(char *text, size_t size, const ll_scorer *scorer)
{
    const char *function = function_of(scorer);
    int is_many =
        ll_scorer_get(scorer, "also") != NULL || (ll_scorer_count_numbers(scorer) > 1 && scorer->groups == NULL);
    if (function != NULL)
        (void)ll_print(text, size, "from sklearn.metrics import %s as metric\n", function);
    else
        (void)ll_print(text, size, "from your_metric import metric  # a function of labels and predictions: %s\n",
                       is_many ? "a list of numbers" : "one number");
}

/* ---- counting ---- */

static void write_answers(char *text, size_t size, const ll_python_draft *d)
{
    double accounts = d->scorer->is_leaderboard && d->scorer->own_levels == 0 ? 1 : (double)d->scorer->accounts;
    ll_print_more(text, size, "ANSWERS = %.0f  # of ", ceil(d->defence->queries / accounts));
    if (accounts > 1)
        ll_print_more(text, size,
                      "each of %.0f accounts that may share what they see: more of them need a new promise\n",
                      accounts);
    else
        ll_print_more(text, size, "%s\n", d->scorer->is_leaderboard ? "all accounts together" : "each account");
}

static const char scored[] =
    "def scored(labels, predictions):\n"
    "    try:\n"
    "        return %s(metric(labels, predictions))\n"
    "    except Exception:  # labels may decide whether a metric fails: that must not be seen\n"
    "        return nan\n"
    "\n";

static const char answered[] =
    "def answered(store, account, reached=()):\n"
    "    # Counts an answer, and keeps the best that each staircase has reached: what is returned is stored before.\n"
    "    with closing(sqlite3.connect(store, timeout=60, isolation_level=None)) as db:\n"
    "        db.execute(\"PRAGMA synchronous = FULL\")\n"
    "        db.execute(\"BEGIN IMMEDIATE\")  # one process at a time; a kill before COMMIT leaves nothing\n"
    "        db.execute(\"CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, number INTEGER)\")\n"
    "        old = lambda name: (db.execute(\"SELECT number FROM kept WHERE name = ?\", (repr(name),)).fetchone() or (0,))[0]\n"
    "        put = lambda name, number: db.execute(\"INSERT OR REPLACE INTO kept VALUES (?, ?)\", (repr(name), number))\n"
    "        count = old((\"answers\", account))\n"
    "        if count >= ANSWERS:\n"
    "            raise ValueError(\"refused: all submissions have been used\")\n"
    "        put((\"answers\", account), count + 1)\n"
    "        best = [max(old(name), level) for name, level in reached]\n"
    "        for (name, _), level in zip(reached, best):\n"
    "            put(name, level)\n"
    "        db.execute(\"COMMIT\")\n"
    "    return best\n"
    "\n";

void ll_python_write_store(char *text, size_t size, const ll_python_draft *d)
{
    int is_noisy = d->scorer->release.noise != NULL, is_many = ll_scorer_get(d->scorer, "also") != NULL;
    char import[160] = "";
    if (!is_noisy)
        write_import(import, sizeof import, d->scorer);
    ll_print_more(text, size, "import sqlite3\nfrom contextlib import closing\n%s%s\n",
                  is_noisy ? "" : "from math import nan\n", import);
    write_answers(text, size, d);
    ll_print_more(text, size, "\n");
    if (!is_noisy)
        ll_print_more(text, size, scored, is_many ? "list" : "float");
    ll_print_more(text, size, "%s", answered);
}

void ll_python_write_parts(char *text, size_t size, const ll_python_draft *d)
{
    ll_print_more(text, size,
                  "import numpy\n"
                  "GROUPS = open(\"%s\").read().splitlines()  # of each row\n"
                  "PARTS = [None, *sorted(set(GROUPS))]  # None: all rows\n"
                  "rows = lambda part: [i for i, group in enumerate(GROUPS) if part in (None, group)]\n"
                  "\n",
                  d->groups[0] != '\0' && strpbrk(d->groups, ",*\"\\") == NULL ? d->groups : "groups");
}

/* ---- scores that are shown as they are, or rounded ---- */

/* What is shown of "x". 0, and d->why, where there is no code for it. */
static int write_shown(char *text, size_t size, ll_python_draft *d)
{
    const char *decimals = ll_scorer_get(d->scorer, "decimals"), *digits = ll_scorer_get(d->scorer, "digits");
    int is_cut = strcmp(ll_scorer_get(d->scorer, "truncate"), "no") != 0;
    if (is_cut)
        d->why = "There is no Python for scores that are cut instead of rounded.";
    else if (decimals != NULL && strcmp(decimals, "none") != 0)
        (void)ll_print(text, size, "round(x, %s)", decimals);
    else if (digits != NULL && strcmp(digits, "none") != 0)
        (void)ll_print(text, size, "float(f\"{x:.%sg}\")", digits);
    else
        (void)ll_print(text, size, "x");
    return !is_cut;
}

static void write_clip(char *text, size_t size, const ll_python_draft *d)
{
    char clip[40];
    ll_settings_get(clip, sizeof clip, d->defence->settings, "clip");
    if (clip[0] != '\0')
        ll_print_more(
            text, size,
            "    predictions = [[min(max(float(p), %s), 1 - %s) for p in row] if hasattr(row, \"__len__\") else "
            "min(max(float(row), %s), 1 - %s) for row in predictions]\n",
            clip, clip, clip, clip);
}

static int write_plain(char *text, size_t size, ll_python_draft *d)
{
    char shown[60];
    if (!write_shown(shown, sizeof shown, d))
        return 0;
    int is_many = ll_scorer_get(d->scorer, "also") != NULL;
    ll_python_write_store(text, size, d);
    if (d->scorer->groups != NULL)
        ll_python_write_parts(text, size, d);
    ll_print_more(text, size,
                  "shown = lambda x: %s\n"
                  "\n"
                  "def release(labels, predictions, account, store=\"release.sqlite\"):\n",
                  shown);
    write_clip(text, size, d);
    if (d->scorer->groups != NULL)
        ll_print_more(
            text, size,
            "    labels, predictions = numpy.asarray(labels), numpy.asarray(predictions)\n"
            "    score = {part: shown(scored(labels[rows(part)], predictions[rows(part)])) for part in PARTS}\n");
    else if (is_many)
        ll_print_more(text, size,
                      "    score = scored(labels, predictions)\n"
                      "    score = [shown(float(x)) for x in score] if isinstance(score, list) else score\n");
    else
        ll_print_more(text, size, "    score = shown(scored(labels, predictions))\n");
    ll_print_more(text, size,
                  "    answered(store, str(account))\n"
                  "    return score\n");
    return 1;
}

/* ---- all of it ---- */

/* Settings under which a score is over other rows than all. */
static const char *find_obstacle(const ll_scorer *scorer)
{
    if (ll_scorer_get(scorer, "public") != NULL)
        return "There is no Python for a score over a hidden part of the rows: describe the public part alone.";
    return NULL;
}

static int write_code(char *text, size_t size, ll_python_draft *d)
{
    const ll_release *r = &d->scorer->release;
    d->why = find_obstacle(d->scorer);
    if (d->why != NULL)
        return 0;
    if (ll_release_is_history(r))
        return ll_python_write_levels(text, size, d);
    return r->noise != NULL ? ll_python_write_noisy(text, size, d) : write_plain(text, size, d);
}

const char *ll_audit_write_python(char *text, size_t size, const ll_scorer *made, long classes,
                                  const ll_defence *defence, const char *groups)
{
    ll_python_draft d = {.scorer = made, .defence = defence, .classes = classes, .groups = groups};
    text[0] = '\0';
    if (!write_code(text, size, &d))
        text[0] = '\0';
    return text[0] == '\0' ? d.why : "";
}
