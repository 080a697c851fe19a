/* A scorer from inside: what its settings say (settings.c) and what they mean (scorer.c).
 *
 *     scorer = computation (metric, arithmetic, clip) + release + population
 *
 * Settings are texts. ll_scorer_resolve makes of them, once, what all rooms work with; from then on nothing changes,
 * and whoever needs the scorer for longer shares it. A copy of a resolved scorer in which only the release or the
 * population is another borrows its computation, so an audit that varies noise and rounding resolves one metric. */
#ifndef LL_SCORER_SCORER_H
#define LL_SCORER_SCORER_H

#include "metric/scoring.h"
#include "release/release.h"

typedef enum {
    LL_SET_PROFILE,
    LL_SET_METRIC,
    LL_SET_TRANSFORM,
    LL_SET_ROWS,
    LL_SET_CLASSES,
    LL_SET_TARGETS,
    LL_SET_COLUMNS,
    LL_SET_CLIP,
    LL_SET_CLIP_MODE,
    LL_SET_CLIP_TARGETS,
    LL_SET_ARITHMETIC,
    LL_SET_SUM,
    LL_SET_SUM_ARITHMETIC,
    LL_SET_LOSS_ARITHMETIC,
    LL_SET_LOG_ULPS,
    LL_SET_PRECISION,
    LL_SET_DECIMALS,
    LL_SET_DIGITS,
    LL_SET_TRUNCATE,
    LL_SET_NOISE,
    LL_SET_RELEASE,
    LL_SET_QUERIES,
    LL_SET_PRIOR,
    LL_SET_SEED,
    LL_SET_ZERO_DIVISION,
    LL_SET_COUNTS,
    LL_SET_FAILURES,
    LL_SET_PUBLIC,
    LL_SET_ALSO,
    LL_SET_WEIGHTS,
    LL_SET_CLASS_WEIGHTS,
    LL_SET_GROUPS,
    LL_SET_UNDEFINED,
    LL_SET_THRESHOLD,
    LL_SET_START,
    LL_SET_IMPROVEMENTS,
    LL_SET_SCOPE,
    LL_SET_OWN_LEVELS,
    LL_SET_ACCOUNTS,
    LL_SET_PER_DAY,
    LL_SET_DAYS,
    LL_SET_TEAMS,
    LL_SET_HONEST,
    LL_SETTINGS
} ll_setting;

/* What a further number of an answer reads from a submission (reading.h). */
typedef enum {
    LL_READ_ALL,             /* as it is */
    LL_READ_CLASS,           /* the class of a row's probabilities */
    LL_READ_CLASS_OF_LOGITS, /* of its logits */
    LL_READ_LAST             /* its last column, as a score of class 1 */
} ll_reading_kind;

typedef struct ll_row_groups ll_row_groups;

struct ll_scorer {
    int *references; /* of a resolved scorer: how many share it */
    int is_resolved;
    char *given[LL_SETTINGS]; /* as they were set; NULL: not set */
    const char *standard;     /* the profile that the metric's name stands for where none is set; NULL: none */

    const ll_scorer *lender; /* the resolved scorer of which this is a copy, or that one's; NULL: none */

    /* Resolved. */
    int is_borrowed; /* the computation is the lender's, but for its precision */
    ll_computation computation;
    ll_release release;
    long rows;                      /* 0: as many as there are labels */
    long classes;                   /* 0: as many as the labels show, at least 2 */
    long queries;                   /* answered for all accounts together; 0: no limit */
    long accounts;                  /* that may pool what they see, at least 1 */
    int is_leaderboard;             /* answers by levels: one staircase for all accounts */
    long own_levels;                /* of the staircase that each account has in addition; 0: none */
    double honest_low, honest_high; /* where honest models' scores are expected; NAN: not known */
    double *prior;                  /* class shares, prior_count of them; NULL: not known */
    long prior_count;
    int64_t *counts; /* rows of every class, one a class; NULL: not known */
    uint64_t seed;   /* of simulated noise, and of a simulated public part */
    int is_part;     /* the score is over a hidden public split; the others are absent */
    long states;     /* of a row: its classes, at least 2, and "absent" where is_part */
    /* The fewest and the most rows that are scored: all, unless is_part; 0: rows are not known yet. */
    long counted_least, counted_most;
    int failures_are_free;     /* a submission that fails is not counted */
    long number_count;         /* of one answer */
    const ll_scorer **numbers; /* each of them alone (several.h); NULL: there is one, this scorer itself */
    ll_reading_kind reading;   /* of one of several */
    ll_row_groups *groups;     /* of rows with numbers of their own (groups.h); NULL: none */
    const long *own_rows;      /* if it is the number of one group: its rows, in order; NULL: all rows */
};

/* The value in effect: the one set, else the profile's, else the default; NULL: the default is that it is not set. */
const char *ll_scorer_text(const ll_scorer *scorer, ll_setting setting);

/* The same as a count; 0 where there is none. */
long ll_scorer_count(const ll_scorer *scorer, ll_setting setting);

/* LO:HI:STEP of numeric targets: as set or, where only their number is, 0:K-1:1, written to text; NULL: labels are
 * classes. */
const char *ll_scorer_targets_text(const ll_scorer *scorer, char *text, size_t size);

/* The first step of ll_scorer_resolve (population.c). LL_DOMAIN where the settings of rows, classes, groups and the
 * public split contradict each other. */
LL_CHECK ll_status ll_scorer_resolve_population(ll_scorer *scorer, ll_error *error);

/* LL_DOMAIN where it is not resolved. */
LL_CHECK ll_status ll_scorer_need(const ll_scorer *scorer, ll_error *error);

/* LL_DOMAIN: the score is over a hidden public split, to which `who` does not apply. _plain: nor to weights. */
LL_CHECK ll_status ll_scorer_need_whole(const ll_scorer *scorer, const char *who, ll_error *error);
LL_CHECK ll_status ll_scorer_need_plain(const ll_scorer *scorer, const char *who, ll_error *error);
/* LL_DOMAIN: there are more labels than LL_LISTED_CLASSES, each of which `who` looks at. */
LL_CHECK ll_status ll_scorer_need_list(const ll_scorer *scorer, const char *who, ll_error *error);

/* Count one more user of a resolved scorer, and one less. */
const ll_scorer *ll_scorer_share(const ll_scorer *scorer);
void ll_scorer_leave(const ll_scorer *scorer); /* NULL: nothing */

/* `scorer` may take its computation from `lender`, a resolved one or NULL, if its settings mean the same. */
void ll_scorer_borrow(ll_scorer *scorer, const ll_scorer *lender);

/* ---- profiles (profile.c) ---- */

/* What the profile says of a setting; NULL: nothing. */
const char *ll_profile_text(const char *name, ll_setting setting);

/* The profile of the function of scikit-learn (or else of SciPy) that computes this metric, its newest version; NULL
 * where they have none that is described. */
const char *ll_profile_of_metric(const char *metric);

/* To be called when metric or arithmetic have changed: finds `standard`. */
void ll_scorer_find_standard(ll_scorer *scorer);

/* The text of the profile that is set, or else of the standard one. */
const char *ll_scorer_profile_text(const ll_scorer *scorer, ll_setting setting);
/* The name with its version: that of the newest verified one where `name` has none. */
const char *ll_profile_full_name(const char *name);
/* LL_DOMAIN, with the nearest names in the text, for an unknown one. */
LL_CHECK ll_status ll_profile_check(const char *name, ll_error *error);

/* ---- settings (settings.c) ---- */

/* The setting of that name, or -1. */
int ll_setting_find(const char *name);
const char *ll_setting_name(ll_setting setting);
/* Places in the lists of words of a setting; -1. */
int ll_setting_find_word(ll_setting setting, const char *word);
/* The words that a setting takes, from 0 on: what tests go through. NULL past the last, and for settings without. */
const char *ll_setting_word(ll_setting setting, long index);
/* LO:HI, two finite numbers of which the first is the smaller; 0 where the text is none. */
int ll_setting_range(double *low, double *high, const char *text);
/* Is the text a value that this setting can have at all? LL_DOMAIN says what it takes. */
LL_CHECK ll_status ll_setting_check(ll_setting setting, const char *text, ll_error *error);
/* One text for one number, whichever way it was written: 05 is 5, and an error of 1.10 ulps is 1.1. Other texts stay.
 * `room` may hold it. */
enum { LL_SETTING_NUMBER = 40 };
const char *ll_setting_canonical(ll_setting setting, const char *text, char room[LL_SETTING_NUMBER]);

#endif
