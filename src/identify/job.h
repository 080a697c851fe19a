/* One identification under way. */
#ifndef LL_IDENTIFY_JOB_H
#define LL_IDENTIFY_JOB_H

#include "identify/number_fit.h"
#include "identify/run_pool.h"
#include "identify/texts.h"

enum { LL_VARIED_RIGHT = 3, LL_VARIED_WRONG = 4 };

typedef struct {
    const ll_identify_request *request;
    ll_task task;
    ll_run_pool pool;
    ll_sent_kind input;                 /* what the program reads */
    unsigned char takes[LL_SENT_KINDS]; /* the kinds of submission that it scores */
    double first_seconds;               /* of one of the first runs, on average */
    ll_span same;  /* one submission, labels drawn again and again; the first is the base of the others */
    ll_span again; /* the first of `same`, once more and once more */
    ll_span
        varied; /* labels and submissions both drawn; in number LL_VARIED_RIGHT every row is right, in LL_VARIED_WRONG one is */
    ll_span flipped; /* the base with one label changed, row after row */
    ll_kept_texts *texts;
    ll_identification *out;
    long channel_room, form_room, surprise_room;
    ll_error *error;
} ll_identify_job;

/* The questions (questions.c): find out what the program takes, then run the spans. */
LL_CHECK ll_status ll_identify_begin(ll_identify_job *job);
LL_CHECK ll_status ll_identify_ask(ll_identify_job *job);
/* The channels of the answers (channels.c), and what each is. */
LL_CHECK ll_status ll_identify_channels(ll_identify_job *job);
/* One more channel of that name, nothing known of it; NULL: no memory, which ll_identify_no_memory says. */
ll_channel_found *ll_identify_add(ll_identify_job *job, const char *name);
ll_status ll_identify_no_memory(const ll_identify_job *job);
/* The text of a part of the answers, if anything changes it (text_channels.c). */
LL_CHECK ll_status ll_identify_add_text(ll_identify_job *job, long part);
/* Submissions that are not as they should be (forms.c). */
LL_CHECK ll_status ll_identify_forms(ll_identify_job *job);
/* Does the running time depend on labels? (timing.c) */
LL_CHECK ll_status ll_identify_time(ll_identify_job *job);
/* The chance that of `each` times and `each` others so many pairs have the first longer, where nothing makes them so. */
double ll_rank_chance(long pairs, long each);
/* What to read first, and the description as a whole (findings.c). */
LL_CHECK ll_status ll_identify_findings(ll_identify_job *job);

/* A label of another value. */
double ll_identify_other(const ll_task *task, double label);
/* Do participants see this channel? */
int ll_identify_is_seen(const ll_identify_job *job, const char *name);

#endif
