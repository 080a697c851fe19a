/* A curator with a memory. A policy says what is scored, what is shown of it, and what all answers together may reveal;
 * a ledger keeps what was shown and what it cost. The public header of liblossleak-guard; the rules of lossleak.h hold
 * here too. docs/guard.md lists the promises, docs/proofs/meter.md proves them.
 *
 *   threads     one ll_guard belongs to one thread at a time. A server opens one handle per thread. Several handles, of
 *               one process or of several, may use one ledger at the same time
 *   crashes     an answer is given only after its charge is on disk. So a crash can leave a charge whose answer nobody
 *               saw, but never an answer without a charge. Whoever submits the same values again gets the stored answer
 *   secrets     no function returns a label or an unreleased score, and no error message contains one. The only code
 *               outside the library that sees labels is a metric of the host's own (ll_guard_set_metric)
 *   costs       are in bits of information about the labels
 */
#ifndef LOSSLEAK_GUARD_H
#define LOSSLEAK_GUARD_H

#include <lossleak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ policies */

/* The rules of a guard, written as JSON; docs/guard.md lists the members. */
typedef struct ll_policy ll_policy;

/* Read a policy from JSON text. LL_DOMAIN names the member that is unknown, missing or contradicts another one. */
LL_API LL_CHECK ll_status ll_policy_read(ll_policy **out, const char *json, size_t length, ll_error *error);
LL_API void ll_policy_destroy(ll_policy *policy);
/* The policy as JSON in one fixed form: every member in a fixed order, defaults written out. The text belongs to the
 * policy, and so does every text below. */
LL_API const char *ll_policy_get_json(const ll_policy *policy);
/* The digest of that text, as 64 hexadecimal digits. It covers the prices of answers too, since the text has "code". */
LL_API const char *ll_policy_get_digest(const ll_policy *policy);
/* The policy's scorer, resolved. It lives as long as the policy. */
LL_API const ll_scorer *ll_policy_get_scorer(const ll_policy *policy);

/* One member of "program", which describes the host's own scoring program: "command", "interface", "score", "format",
 * "phase", "examples", "field" or "sandbox". NULL if the policy does not have it. This library does not run programs.
 * Whoever opens a ledger with such a policy must set a metric that runs it (ll_guard_set_metric), as the commands
 * lossleak guard and lossleak serve do. */
LL_API const char *ll_policy_get_program(const ll_policy *policy, const char *member);

/* ------------------------------------------------------------------ guards */

/* An open ledger, with its policy and labels. */
typedef struct ll_guard ll_guard;

enum { LL_GUARD_KEY = 32 }; /* bytes of a key */

/* Create a ledger and open it. `url` is "sqlite:FILE" or just FILE, a file that must not exist yet and is created with
 * mode 0600; or "postgresql://...", a database that must not have a ledger yet. The n labels (0 .. classes-1) are
 * stored in the ledger: encrypted with key[LL_GUARD_KEY], or in plain if key is NULL. LL_DOMAIN if the labels do not
 * fit the policy or a ledger exists already; LL_SYSTEM if the file or the database server fails. */
LL_API LL_CHECK ll_status ll_guard_create(ll_guard **out, const char *url, const ll_policy *policy,
                                          const int32_t *labels, long n, const unsigned char *key, ll_error *error);
/* Open an existing ledger. A ledger of an older version is converted to the present form. LL_DOMAIN if there is no
 * ledger, if a newer version made it, or if the key is wrong or missing. */
LL_API LL_CHECK ll_status ll_guard_open(ll_guard **out, const char *url, const unsigned char *key, ll_error *error);
LL_API void ll_guard_close(ll_guard *guard);
/* The policy that the ledger was created with. It lives as long as the guard. */
LL_API const ll_policy *ll_guard_get_policy(const ll_guard *guard);

/* The host's own metric: sets *score to the score of these predictions with these labels. The score must depend on
 * nothing else, in particular not on earlier submissions. If the function returns another status than LL_OK, or a
 * number that is not finite, the submission is answered like one that does not improve; the text of the error is
 * dropped, because it could depend on labels. */
typedef ll_status (*ll_guard_metric)(void *self, double *score, const int32_t *labels, long n,
                                     const ll_predictions *predictions, ll_error *error);

/* Set the metric of this handle, if the policy has "better" ("higher" or "lower") in place of a metric. Without it
 * ll_guard_submit fails with LL_SYSTEM. LL_DOMAIN if the policy has a metric. */
LL_API LL_CHECK ll_status ll_guard_set_metric(ll_guard *guard, ll_guard_metric metric, void *self, ll_error *error);

/* Fill key[LL_GUARD_KEY] with a new key from the operating system's random generator. */
LL_API void ll_guard_make_key(unsigned char *key);

/* ------------------------------------------------------------------ accounts */

typedef enum {
    LL_ROLE_NONE,        /* no such account, or a wrong token */
    LL_ROLE_PARTICIPANT, /* submits */
    LL_ROLE_HOST         /* sees the ledger; does not submit */
} ll_guard_role;

enum { LL_GUARD_TOKEN = 44, LL_GUARD_NAME = 65 }; /* size of a token and of the longest name, terminating 0 included */

/* Add an account. A name has 1 to 64 characters: letters, digits and ". _ - @". If `token` is not NULL, a new secret is
 * written to token[LL_GUARD_TOKEN]; the ledger keeps only its digest, so it cannot be shown again. If it is NULL, the
 * account has no token. LL_DOMAIN if the name is taken or not allowed, or if the policy allows no further account. */
LL_API LL_CHECK ll_status ll_guard_add_account(ll_guard *guard, char *token, const char *name, ll_guard_role role,
                                               ll_error *error);
/* Find the account that a token belongs to: its name is written to account[LL_GUARD_NAME] and its role to *role. If the
 * token belongs to nobody, the status is LL_OK, the name "" and the role LL_ROLE_NONE. Tokens are looked up by their
 * digest, so the time does not tell how much of a wrong token is right. */
LL_API LL_CHECK ll_status ll_guard_check_token(ll_guard *guard, char *account, ll_guard_role *role, const char *token,
                                               ll_error *error);
/* Delete the token and the name of an account. Its entries stay, because the meter needs them, under the name
 * "forgotten-N". LL_DOMAIN if there is no such account. */
LL_API LL_CHECK ll_status ll_guard_forget_account(ll_guard *guard, const char *name, ll_error *error);

/* ------------------------------------------------------------------ submissions */

typedef enum {
    LL_GUARD_ACCEPTED, /* scored and charged */
    LL_GUARD_REPEATED, /* this account submitted the same values before: the same answer again, free of charge */
    LL_GUARD_REFUSED,  /* a limit is reached, and `text` says which one; nothing was charged */
    LL_GUARD_INVALID   /* cannot be scored whatever the labels are, and `text` says why. It costs no bits, but counts as
                          a submission if the policy says so ("failures": "counted") */
} ll_guard_outcome;

LL_API const char *ll_guard_outcome_name(ll_guard_outcome outcome); /* "accepted", ...; NULL for any other number */

/* The answer to a submission. */
typedef struct {
    size_t size;
    void *whole; /* private */
    ll_guard_outcome outcome;
    long submission; /* number of its entry in the ledger, from 1; 0: it has none */
    char *shown;     /* the released score; with levels the best level that the account has reached; NULL: nothing */
    char *text;      /* a sentence for the participant */
    int improved;    /* is the shown score better than what the account was shown before? */
    double charged;  /* bits that this answer cost */
    double spent, budget; /* bits that all accounts together have spent, and may spend; budget infinity: no limit */
    double left_account;  /* submissions that this account has left in total; infinity: no limit */
    double left_today;    /* submissions that this account has left today (UTC); infinity: no limit */
    double left_all;      /* submissions that all accounts together have left; infinity: no limit */
    char receipt[65];     /* digest of the ledger after this entry, hexadecimal; "" if there is no entry */
} ll_guard_answer;

#define ll_guard_answer_init(answer) LL_INIT(ll_guard_answer, answer)
LL_API void ll_guard_answer_clear(ll_guard_answer *answer);

/* Check, score, charge and store a submission, and answer it. *out must be initialised; its old content is cleared.
 * Whether a submission is invalid, refused or repeated does not depend on labels. A submission whose score fails with
 * the hidden labels (an infinite loss), but would not fail with all others, is answered like one that does not improve.
 * LL_OK for every outcome above. LL_DOMAIN if there is no such account, or if it is a host's. After any other status
 * submit the same values again: either nothing was stored and they are scored now, or they were stored but not
 * confirmed, and the stored answer is returned, without a second charge. */
LL_API LL_CHECK ll_status ll_guard_submit(ll_guard *guard, ll_guard_answer *out, const char *account,
                                          const ll_predictions *predictions, ll_error *error);

/* ------------------------------------------------------------------ the meter */

typedef struct {
    size_t size;
    double spent, budget;  /* bits that all accounts together have spent, and may spend; infinity: no limit */
    double share_spent;    /* share of right labels that a budget of exactly the bits spent so far would promise. It
                              shows how much of the promise is used up. It is no bound on this one run, which can have
                              shown more than it paid for (docs/proofs/meter.md, "What was spent so far") */
    double share_promised; /* share of right labels that no method exceeds on average, even after the whole budget is
                              spent; without a budget, what the limits on submissions allow; 1: no limit at all */
    double share_guess;    /* share of right labels by guessing */
    double least, most;    /* bits that a new account's first answer would cost now, at least and at most */
    long rows;
    long submissions, accounts, invalid; /* entries, invalid ones included; participants; invalid entries */
    long improvements;                   /* improvements that were shown, of all accounts */
    double left_all;                     /* submissions that all accounts together have left; infinity: no limit */
    long levels;                         /* levels above the baseline; 0: scores are not shown by levels */
    double time;                         /* time of the last entry, in seconds since 1970; NAN: there is none */
    int is_encrypted;                    /* nonzero: the labels are encrypted in the ledger */
    char head[65];                  /* digest of the last entry. Keep a copy elsewhere: ll_guard_verify takes it as a
                                       receipt */
    double row_spent, row_promised; /* for somebody who knows all other labels: the probability of guessing the label of
                                       one row that no method exceeds, for the most exposed row so far, and as promised
                                       for every row. 1: no limit; NAN: the policy promises nothing for single labels */
} ll_guard_status;

/* The state of the ledger. LL_SYSTEM if it cannot be read. */
LL_API LL_CHECK ll_status ll_guard_get_status(ll_guard *guard, ll_guard_status *out, size_t size, ll_error *error);
#define ll_guard_get_status(guard, out, error) ll_guard_get_status(guard, out, sizeof(ll_guard_status), error)

/* What an account was shown and has left, in the struct of an answer. Only shown, spent, budget and left_* are set; the
 * other fields mean nothing here. *out must be initialised. LL_DOMAIN if there is no such account. */
LL_API LL_CHECK ll_status ll_guard_get_account(ll_guard *guard, ll_guard_answer *out, const char *account,
                                               ll_error *error);

/* A row of the leaderboard. It repeats what the account was shown before, so it costs nothing. */
typedef struct {
    long place;          /* from 1; accounts with equal scores share a place */
    const char *account; /* both texts are valid during the call */
    const char *shown;
    long submissions;
    double time; /* when the score was first shown, in seconds since 1970; NAN: not known */
} ll_guard_place;

/* Call `each` for every account that has a score, best first, until it returns nonzero. */
LL_API LL_CHECK ll_status ll_guard_leaderboard(ll_guard *guard, int (*each)(void *self, const ll_guard_place *place),
                                               void *self, ll_error *error);

/* An entry of the ledger, for the host. */
typedef struct {
    long submission;
    const char *account; /* texts are valid during the call */
    ll_guard_outcome outcome;
    const char *shown;  /* NULL: nothing */
    const char *digest; /* digest of the submitted numbers, hexadecimal; the submission itself is not kept */
    double charged;     /* bits */
    double time;        /* seconds since 1970; never less than in the entry before */
    const char *chain;  /* digest of this entry and all before it, hexadecimal */
} ll_guard_entry;

/* Call `each` for the entries after number `after` (0: all entries), in order, until it returns nonzero. */
LL_API LL_CHECK ll_status ll_guard_entries(ll_guard *guard, long after,
                                           int (*each)(void *self, const ll_guard_entry *entry), void *self,
                                           ll_error *error);

/* Compute all charges and digests again, in order. LL_DOMAIN names the first entry that does not agree with what is
 * stored. `receipt` is NULL, or the receipt of an answer, or a head that was kept: LL_DOMAIN also if the ledger does
 * not contain it, because then it was restored from an older copy, or is another ledger. (The charge of a noisy answer
 * follows from the submission, which is not kept: of these charges only the sums are checked.) */
LL_API LL_CHECK ll_status ll_guard_verify(ll_guard *guard, const char *receipt, ll_error *error);

#ifdef __cplusplus
}
#endif
#endif
