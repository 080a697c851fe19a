/* A curator with a memory: a policy says what is scored, what is shown of it and what all answers together may tell; a
 * ledger keeps what was shown and what it cost. The public header of liblossleak-guard; the rules of lossleak.h hold
 * here, too. docs/guard.md has the promises, docs/proofs/meter.md their proof.
 *
 *   threads     one ll_guard belongs to one thread at a time. A server opens one handle per thread: handles on one
 *               ledger, of one process or of several, do not get into each other's way
 *   crashes     an answer is given only after what it costs is on disk. A charge without an answer can remain, an
 *               answer without a charge cannot. Whoever submits again gets the answer that was stored
 *   secrets     no function returns a label or an unreleased score, and no error names one
 */
#ifndef LOSSLEAK_GUARD_H
#define LOSSLEAK_GUARD_H

#include <lossleak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ policies */

/* What a guard keeps to; docs/guard.md lists the members of its JSON. */
typedef struct ll_policy ll_policy;

/* From JSON text. LL_DOMAIN names the member that is unknown, missing or contradicts another one. */
LL_API LL_CHECK ll_status ll_policy_read(ll_policy **out, const char *json, size_t length, ll_error *error);
LL_API void ll_policy_destroy(ll_policy *policy);
/* The same as JSON, every member with its value in force, in one fixed order; text of the policy. */
LL_API const char *ll_policy_get_json(const ll_policy *policy);
/* 64 hexadecimal digits: the digest of that text, which has the code of answers, too. */
LL_API const char *ll_policy_get_digest(const ll_policy *policy);
/* Its scorer, resolved; it lives as long as the policy. */
LL_API const ll_scorer *ll_policy_get_scorer(const ll_policy *policy);

/* A member of "program", the host's own scoring program: "command", "interface", "score", "format", "phase", "examples",
 * "field" or "sandbox". NULL: the policy does not have it. The library runs no program: whoever opens a ledger with such
 * a policy gives a metric that does (ll_guard_set_metric), as lossleak guard and lossleak serve do. */
LL_API const char *ll_policy_get_program(const ll_policy *policy, const char *member);

/* ------------------------------------------------------------------ guards */

/* A ledger that is open, with its policy and labels. */
typedef struct ll_guard ll_guard;

enum { LL_GUARD_KEY = 32 }; /* bytes of a key */

/* Make a ledger and open it. url: "sqlite:FILE" or just a file, which must not exist and gets the mode 0600, or
 * "postgresql://...", a database without a ledger. The labels (0 .. classes-1) are stored in it, encrypted with
 * key[LL_GUARD_KEY], or as they are where key is NULL. LL_DOMAIN: a policy and labels that do not fit, or there is a
 * ledger; LL_SYSTEM: the file or the server fails. */
LL_API LL_CHECK ll_status ll_guard_create(ll_guard **out, const char *url, const ll_policy *policy,
                                          const int32_t *labels, long n, const unsigned char *key, ll_error *error);
/* Open a ledger that is there; older ones are brought to the present form. LL_DOMAIN: no ledger, a newer one, a wrong
 * key, or a key is missing. */
LL_API LL_CHECK ll_status ll_guard_open(ll_guard **out, const char *url, const unsigned char *key, ll_error *error);
LL_API void ll_guard_close(ll_guard *guard);
/* It lives as long as the guard. */
LL_API const ll_policy *ll_guard_get_policy(const ll_guard *guard);

/* The host's own metric: the number of these labels and predictions, as *score. It must depend on nothing else, and not on
 * what was submitted before. A status other than LL_OK, or a number that is not finite, is answered like a submission
 * that does not improve. Its text goes nowhere. */
typedef ll_status (*ll_guard_metric)(void *self, double *score, const int32_t *labels, long n,
                                     const ll_predictions *predictions, ll_error *error);

/* For a policy that says which scores are "better" in place of a metric: how this handle scores. LL_DOMAIN where the
 * policy has a metric. */
LL_API LL_CHECK ll_status ll_guard_set_metric(ll_guard *guard, ll_guard_metric metric, void *self, ll_error *error);

/* A new key, from the operating system's generator. */
LL_API void ll_guard_make_key(unsigned char *key);

/* ------------------------------------------------------------------ accounts */

typedef enum {
    LL_ROLE_NONE,        /* no such account, or a token that is wrong */
    LL_ROLE_PARTICIPANT, /* submits */
    LL_ROLE_HOST         /* sees the ledger; does not submit */
} ll_guard_role;

enum { LL_GUARD_TOKEN = 44, LL_GUARD_NAME = 65 }; /* characters of a token and of the longest name, the end included */

/* Names are 1 to 64 letters, digits and ". _ - @"; token[LL_GUARD_TOKEN] gets a secret of which the ledger keeps a
 * digest only, NULL: the account has none. LL_DOMAIN: a name that is taken or none, or as many accounts as the policy
 * allows. */
LL_API LL_CHECK ll_status ll_guard_add_account(ll_guard *guard, char *token, const char *name, ll_guard_role role,
                                               ll_error *error);
/* Whose token it is: account[LL_GUARD_NAME] and *role, LL_ROLE_NONE where it is nobody's. Takes as long whatever the
 * token. */
LL_API LL_CHECK ll_status ll_guard_check_token(ll_guard *guard, char *account, ll_guard_role *role, const char *token,
                                               ll_error *error);
/* Take the token of an account away and forget its name: its entries, which the meter needs, stay under "forgotten-N".
 * LL_DOMAIN: there is no such account. */
LL_API LL_CHECK ll_status ll_guard_forget_account(ll_guard *guard, const char *name, ll_error *error);

/* ------------------------------------------------------------------ submissions */

typedef enum {
    LL_GUARD_ACCEPTED, /* scored and charged */
    LL_GUARD_REPEATED, /* this account submitted these values before: the same answer again, nothing is charged */
    LL_GUARD_REFUSED,  /* a limit is reached: nothing was scored or charged; `text` says which one */
    LL_GUARD_INVALID   /* cannot be scored, whatever the labels: `text` says why; counted if the policy says so */
} ll_guard_outcome;

LL_API const char *ll_guard_outcome_name(ll_guard_outcome outcome); /* "accepted", ...; NULL outside */

/* What a submission is answered. */
typedef struct {
    size_t size;
    void *whole; /* private */
    ll_guard_outcome outcome;
    long submission; /* number of its entry in the ledger, from 1 on; 0: none */
    char *shown;     /* the released score; NULL where nothing is shown. Of levels: the best that was reached */
    char *text;      /* a sentence for whoever submitted */
    int improved;    /* does it show more than the account was shown before? */
    double charged;  /* bits that this answer cost */
    double spent, budget;   /* bits of all accounts together; budget: infinity where the policy has none */
    double left_account;    /* submissions that this account has left, infinity: no limit */
    double left_today;      /* of these today; infinity: no limit */
    double left_all;        /* of all accounts together; infinity: no limit */
    char receipt[65];       /* digest of the ledger after this entry, hexadecimal; "" where there is no entry */
} ll_guard_answer;

#define ll_guard_answer_init(answer) LL_INIT(ll_guard_answer, answer)
LL_API void ll_guard_answer_clear(ll_guard_answer *answer);

/* Check, score, charge, store, answer. *out must be initialised; what it held is cleared. Whether predictions are
 * invalid, refused or repeated does not depend on labels, and a submission that only some labels make fail is answered
 * like one that does not improve. LL_DOMAIN: no such account, or a host's. Any other status: nothing was stored, try
 * again; or the answer could not be confirmed, and the same submission gets the stored one. */
LL_API LL_CHECK ll_status ll_guard_submit(ll_guard *guard, ll_guard_answer *out, const char *account,
                                          const ll_predictions *predictions, ll_error *error);

/* ------------------------------------------------------------------ the meter */

typedef struct {
    size_t size;
    double spent, budget;    /* bits of all accounts together; infinity: no limit */
    double share_spent;      /* share of right labels that a promise of the bits spent so far would be: no bound on a run
                                that showed more than it paid for (docs/proofs/meter.md, "What was spent so far") */
    double share_promised;   /* share that no method passes on average, after all that the budget allows; 1 where there is none */
    double share_guess;      /* what guessing gets */
    double least, most;      /* bits that the next answer of a new account costs, and at most */
    long rows;
    long submissions, accounts, invalid; /* entries, invalid ones included; accounts of participants */
    long improvements;       /* shown */
    double left_all;         /* submissions; infinity: no limit */
    long levels;             /* above the baseline; 0: scores are not shown by levels */
    double time;             /* of the last entry, seconds since 1970; NAN: none */
    int is_encrypted;        /* are the labels? */
    char head[65];           /* digest of the last entry: keep it elsewhere, and ask ll_guard_verify for it */
    double row_spent, row_promised; /* probability of guessing a single label, for somebody who knows all others, that no
                                     * method passes: of the most exposed row so far, and as promised; 1: no limit, and
                                     * NAN where nothing is kept of single labels */
} ll_guard_status;

/* LL_SYSTEM where the ledger cannot be read. */
LL_API LL_CHECK ll_status ll_guard_get_status(ll_guard *guard, ll_guard_status *out, size_t size, ll_error *error);
#define ll_guard_get_status(guard, out, error) ll_guard_get_status(guard, out, sizeof(ll_guard_status), error)

/* What an account has left and was shown, as an answer to nothing: outcome, submission, charged and receipt say
 * nothing. LL_DOMAIN: no such account. */
LL_API LL_CHECK ll_status ll_guard_get_account(ll_guard *guard, ll_guard_answer *out, const char *account,
                                               ll_error *error);

/* A row of the leaderboard. It shows what its account was shown, so it costs nothing. */
typedef struct {
    long place;          /* from 1 on; equal scores share one */
    const char *account; /* valid during the call */
    const char *shown;
    long submissions;
    double time; /* of the entry that showed it, seconds since 1970 */
} ll_guard_place;

/* Best first. Return nonzero to stop. */
LL_API LL_CHECK ll_status ll_guard_leaderboard(ll_guard *guard, int (*each)(void *self, const ll_guard_place *place),
                                               void *self, ll_error *error);

/* An entry of the ledger, for the host. */
typedef struct {
    long submission;
    const char *account; /* texts are valid during the call */
    ll_guard_outcome outcome;
    const char *shown;  /* NULL: nothing */
    const char *digest; /* of the parsed values that were submitted, hexadecimal */
    double charged;     /* bits */
    double time;        /* seconds since 1970; never goes back */
    const char *chain;  /* digest of this entry and all before it */
} ll_guard_entry;

/* In order, those after entry `after` (0: all). Return nonzero to stop. */
LL_API LL_CHECK ll_status ll_guard_entries(ll_guard *guard, long after,
                                           int (*each)(void *self, const ll_guard_entry *entry), void *self,
                                           ll_error *error);

/* Computes all charges and digests again, in order. LL_DOMAIN names the first entry that is not what it says; and,
 * where receipt (a receipt of an answer, or a head that was kept) is not NULL, that the ledger does not hold it: then
 * it went back in time, or is another one. */
LL_API LL_CHECK ll_status ll_guard_verify(ll_guard *guard, const char *receipt, ll_error *error);

#ifdef __cplusplus
}
#endif
#endif
