/* Part of liblossleak: the investigation of a history of submissions. Which labels did the scores of many submissions
 * determine, after which submission, for which account, and for several accounts together? Which submissions look like
 * parts of a design? docs/investigate.md describes it. The rules of lossleak.h hold here too. */
#ifndef LOSSLEAK_HISTORY_H
#define LOSSLEAK_HISTORY_H

#include <lossleak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Submissions of many accounts to one scorer, in the order in which they were made. */
typedef struct ll_history ll_history;

/* The settings "rows" and "classes" must be set. If nothing is certain after the release (unbounded noise, the Ladder),
 * scores are kept, but only marks are searched for. */
LL_API LL_CHECK ll_status ll_history_create(ll_history **out, const ll_scorer *scorer, ll_error *error);
LL_API void ll_history_destroy(ll_history *history);

/* Add a submission. All texts are copied. `name` and `account` are for people; `time` is NULL if it is not known;
 * `score` is text of which every digit counts, or NULL if it is not known. LL_DOMAIN names the row, or says what is
 * wrong with the score or the shape. */
LL_API LL_CHECK ll_status ll_history_add(ll_history *history, const ll_predictions *predictions, const char *name,
                                         const char *account, const char *time, const char *score, ll_error *error);

/* One submission of a history. */
typedef struct {
    const char *name, *time, *score; /* as given */
    long account;
    long alone;       /* labels that the submissions of its account determine, up to this one */
    long together;    /* labels that the submissions of all accounts determine together, up to this one */
    int is_weak;      /* its predictions have nothing in common with those of other submissions */
    const char *mark; /* "none", "step", "design", or the mark that ll_inspect_predictions finds */
    const char *why;  /* a sentence, or NULL */
} ll_history_moment;

typedef struct {
    const char *name;
    long submissions;
    long marked;       /* submissions with a mark */
    long determined;   /* labels that its submissions determine alone */
    long shared;       /* labels that no account determines alone, but a group that includes this one does */
    int is_suspicious; /* some of its submissions only make sense as parts of a design */
    const char *why;   /* a sentence, or NULL */
} ll_history_account;

typedef struct {
    size_t size;
    void *whole; /* private */
    long rows, classes;
    ll_history_moment *moments; /* private: ll_investigation_get_moment */
    long moment_count;
    ll_history_account *accounts; /* private: ll_investigation_get_account */
    long account_count;
    int32_t *labels;   /* [rows]: the labels that the scores determine; -1: undecided */
    long *after;       /* [rows]: the first submission after which the accounts `by` have it; -1: undecided */
    unsigned char *by; /* [rows * account_count]: nonzero for the accounts whose submissions determine the label */
    long determined;   /* number of rows with a label */
    long suspicious;   /* number of suspicious accounts */
    long contradicted; /* the first submission whose score no labels explain together with the scores before it; -1:
                          none. If there is one, no label is called determined */
    int is_complete;   /* nonzero: every method was tried; 0: too many submissions or rows, so that sums were
                          not combined */
    char *untold;      /* why these scores determine nothing, a sentence; NULL: they may */
    char *verdict;     /* a sentence or two */
} ll_investigation;

#define ll_investigation_init(investigation) LL_INIT(ll_investigation, investigation)
LL_API void ll_investigation_clear(ll_investigation *investigation);

/* One submission, in the order of the history, and one account. NULL outside 0..count-1. */
LL_API const ll_history_moment *ll_investigation_get_moment(const ll_investigation *investigation, long index);
LL_API const ll_history_account *ll_investigation_get_account(const ll_investigation *investigation, long index);

/* *out must be initialised; texts in it live as long as the history. LL_DOMAIN without a submission; LL_UNABLE when the
 * budget's seconds are used up. */
LL_API LL_CHECK ll_status ll_history_investigate(const ll_history *history, ll_investigation *out,
                                                 const ll_budget *budget, ll_error *error);

#ifdef __cplusplus
}
#endif
#endif
