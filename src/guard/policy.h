/* A policy, read: the one struct that the meter and the ledger keep to. */
#ifndef LL_GUARD_POLICY_H
#define LL_GUARD_POLICY_H

#include "guard/digest.h"
#include "guard/meter.h"

#include <lossleak/guard.h>

#include <jansson.h>

enum { LL_POLICY_PROGRAM = 8 };

struct ll_policy {
    ll_scorer *scorer; /* as it is released */
    char *json;        /* all members, in one order */
    char digest[LL_DIGEST_TEXT];
    const char *input; /* what the metric takes: ll_metric_info.input */
    long levels;       /* above the baseline */
    char *noise;       /* its setting; NULL: none. The scorer has levels alone */
    ll_scorer *bare;   /* the number alone, without noise and levels; NULL where there is no noise */
    ll_scorer *noisy;  /* that number with noise, which knows how far a submission spreads; NULL: the same */
    ll_tariff tariff;
    const char *better;               /* "higher" or "lower": the metric is the host's own; NULL: it is the scorer's */
    char *program[LL_POLICY_PROGRAM]; /* members of "program" (policy_program.c); NULL: not given */
    int names_metric;                 /* was one given for the scorer? */
    int is_high;                      /* is a higher number better? */
    int keeps_rows;                   /* is what answers tell of single labels kept? */
    double share, bits;               /* promised; NAN: not in this form */
    double row_share, row_rho;        /* promised of every single label; NAN: not in this form */
    double row_cap;                   /* rho of a row at most; infinity: none */
    long submissions, accounts, per_account, per_day, improvements; /* limits; 0: none */
    int are_failures_counted;
    int is_leaderboard; /* one staircase for all accounts */
    int is_public;      /* is the leaderboard? */
};

/* The member "program" of a policy. */
LL_CHECK ll_status ll_policy_read_program(ll_policy *policy, const char *name, const json_t *value, ll_error *error);
/* NULL: it has none. */
json_t *ll_policy_program_json(const ll_policy *policy);
LL_CHECK ll_status ll_policy_check_program(const ll_policy *policy, ll_error *error);

/* json of all members; the caller's to free. NULL: no memory. */
char *ll_policy_write(const ll_policy *policy);

#endif
