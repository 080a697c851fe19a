/* Scores that no labelling explains, and other descriptions of the scorer under which some labelling would. */
#ifndef LL_REFIT_REFIT_H
#define LL_REFIT_REFIT_H

#include "number/budget.h"
#include "plan/plan.h"

/* What is tried with. */
typedef struct {
    const ll_scorer *scorer;
    const ll_plan *plan;               /* NULL: honest predictions */
    const ll_predictions *predictions; /* of each score, where there is no plan */
    const char *const *scores;
    long count;
    double until; /* of ll_clock */
    double memory;
    int threads;
    ll_error *error;
} ll_refit_case;

/* ---- texts (score_texts.c) ---- */

typedef struct {
    long decimals, digits; /* the most that a text has */
    long repeated;         /* texts that an earlier query had already */
    long first, again;     /* queries of the first pair of them, from 0 */
    int never_worse;       /* is every score as good as the one before, lower being better, or every one higher? */
} ll_refit_texts;

void ll_refit_look(ll_refit_texts *out, const char *const *scores, long count);
/* A sentence where so many answers are alike that they are not answers to different questions; "" else. */
void ll_refit_say_repeats(char *text, size_t size, const ll_refit_texts *texts, const char *const *scores, long count);

/* ---- rewrites (rewrites.c) ---- */

/* How one is tried. */
typedef enum { LL_REFIT_RELEASE, LL_REFIT_COMPUTATION, LL_REFIT_ROWS, LL_REFIT_CLIP } ll_refit_way;

enum { LL_REFIT_PARTS = 3, LL_REFIT_TEXT = 40 };

typedef struct {
    ll_refit_way way;
    int count; /* settings that change */
    const char *names[LL_REFIT_PARTS];
    char values[LL_REFIT_PARTS][LL_REFIT_TEXT];
    char words[120];  /* "a percentage" */
    double text_bits; /* -log2 of the chance that texts look so under the description given */
} ll_rewrite;

/* The index-th rewrite for this case, those that change least first; 0: there are no more. */
int ll_refit_propose(ll_rewrite *out, const ll_refit_case *c, const ll_refit_texts *texts, long index);
/* The scorer that it describes. LL_DOMAIN: its parts contradict each other. */
LL_CHECK ll_status ll_refit_vary(ll_scorer **out, const ll_refit_case *c, const ll_rewrite *rewrite);

/* ---- trials ---- */

typedef enum {
    LL_REFIT_NO,   /* no labelling explains the scores */
    LL_REFIT_OPEN, /* that is not shown, nor that one does */
    LL_REFIT_YES   /* one does */
} ll_refit_answer;

typedef struct {
    ll_refit_answer answer;
    long certain;   /* labels that would be certain */
    double chance;  /* that scores which have nothing to do with it would fit as well; 1: not known */
    int proved;     /* labels were found that explain the scores */
    int by_size;    /* the size of the scores speaks for it, nothing else does */
    double surplus; /* by size: -ln of the likelihood, but for a constant */
} ll_refit_trial;

/* Each: LL_OK with *out set, or what stopped it (LL_MEMORY; LL_UNABLE: out of time). */

/* The same scores decoded again; the predictions are the plan's. dropped: of rows behind the last that count. */
LL_CHECK ll_status ll_refit_decode(ll_refit_trial *out, const ll_refit_case *c, const ll_scorer *other,
                                   ll_refit_way way, long dropped);
/* All labellings of the predictions, searched. Of a plan: those of its first query. */
LL_CHECK ll_status ll_refit_infer(ll_refit_trial *out, const ll_refit_case *c, const ll_scorer *other);
/* Two classes, labels drawn with one share. */
LL_CHECK ll_status ll_refit_moments(ll_refit_trial *out, const ll_refit_case *c, const ll_scorer *other);

#endif
