/* What defences share: the question, and a kind of answer to it. */
#ifndef LL_AUDIT_DEFENCE_KINDS_H
#define LL_AUDIT_DEFENCE_KINDS_H

#include "audit/audit_private.h"

enum { LL_STRONGEST = 2 };

typedef struct {
    ll_audit *audit;
    const ll_channel *channel;
    const ll_scorer *scorer;
    const ll_audit_request *request;
    double queries;                      /* priced for */
    double goal;                         /* the share that a setting must stay at or below */
    const char *strongest[LL_STRONGEST]; /* codes that rounded scores are read with; NULL: none */
} ll_defence_search;

typedef struct ll_defence_kind ll_defence_kind;
struct ll_defence_kind {
    const char *name, *unit;
    int is_combined;   /* only where combinations are asked for */
    int is_proved;     /* set by a limit, not by the attacks that are known */
    const char *noise; /* the law of noise that it adds; NULL: none */
    double clip;       /* of probabilities that it sets; 0: none */
    int (*applies)(const ll_defence_search *s, const ll_defence_kind *k);
    /* Find the setting, price and note, and the scorer with it. The setting stays NAN where none does it; *out may stay
     * NULL where attacks were run already. */
    ll_status (*set)(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                     ll_error *error);
};

/* The price of an error of that standard deviation in a score whose own sampling error is given. */
void ll_defence_set_price(ll_defence *d, double error, double sampling_error);

/* " release=plain" for the settings of a defence that takes the place of a Ladder or levels; "" where there is none. */
const char *ll_defence_no_ladder(const ll_defence_search *s);

/* The metric of probabilities that stands in for logits, which no clip bounds. */
#define LL_PROBABILITIES "log-loss"
/* The scorer, over probabilities where it takes logits. */
LL_CHECK ll_status ll_defence_take_probabilities(const ll_defence_search *s, ll_scorer **out, ll_error *error);

/* Without a proof: what an audit of the changed scorer finds, at d->queries answers. */
LL_CHECK ll_status ll_defence_judge(const ll_defence_search *s, ll_defence *d, const ll_scorer *scorer,
                                    ll_error *error);

/* Is there no attack to measure a setting by? Then no setting is proposed, and the note says so. */
int ll_defence_is_unknown(const ll_defence_search *s, ll_defence *d);

/* ---- a limit on submissions (defence_limit.c) ---- */

ll_status ll_defence_set_limit(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                               ll_error *error);

/* ---- an answer of several numbers: what the limit of all of them proves (defences_several.c) ---- */

ll_status ll_defence_several_noise(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                   ll_error *error);
ll_status ll_defence_several_decimals(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d,
                                      ll_scorer **out, ll_error *error);

/* ---- levels per account, records of all accounts, and records beside a few levels per account (defence_levels.c) ---- */

int ll_defence_has_levels(const ll_defence_search *s, const ll_defence_kind *k);
ll_status ll_defence_set_levels(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                ll_error *error);
int ll_defence_has_records(const ll_defence_search *s, const ll_defence_kind *k);
ll_status ll_defence_set_shared(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                ll_error *error);
ll_status ll_defence_set_records(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                                 ll_error *error);

/* ---- noise, alone or behind a clip (defence_noise.c) ---- */

int ll_defence_has_noise(const ll_defence_search *s, const ll_defence_kind *k);
ll_status ll_defence_set_noise(const ll_defence_search *s, const ll_defence_kind *k, ll_defence *d, ll_scorer **out,
                               ll_error *error);

#endif
