/* Part of liblossleak: what does a program that scores predictions against hidden labels release? The program is run
 * many times on made-up labels, and its outputs are compared. docs/identify.md says what is looked at, and what a
 * result is worth. The rules of lossleak.h hold here too.
 *
 *   ll_identify          runs the program, finds the outputs that depend on labels, and describes each of them
 *   ll_program_attack    reads labels through the program by attacks that need no description of it, and counts them
 *
 * The host's own labels are not needed: every run comes with made-up ones.
 */
#ifndef LOSSLEAK_IDENTIFY_H
#define LOSSLEAK_IDENTIFY_H

#include <lossleak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ one run of the program */

/* The input of one run: labels, and a submission for them. The submission may be malformed on purpose: rows may be
 * missing, repeated or unknown, and entries may be no numbers. The arrays belong to the library and are valid during
 * the call. */
typedef struct {
    long rows;             /* number of hidden labels */
    long classes;          /* number of classes; 0: labels are numbers */
    const double *labels;  /* [rows]: the class 0 .. classes-1, or the number; NULL: the program's own, hidden ones */
    long sent;             /* rows of the submission; 0: it is empty */
    const long *ids;       /* [sent]: the hidden row that each row of the submission is for, 0 .. rows-1; `rows` or
                              more: a row that does not exist */
    long columns;          /* 1, or one per class */
    const double *entries; /* [sent * columns], row by row; NAN: write "NaN" there */
    int is_class;          /* nonzero: entries are classes (1 column); write them as labels are, words included */
    const char *const *words; /* NULL, or [sent]: a text to write in place of a row's entries ("": an empty field), or
                                 NULL to write the entries of that row */
} ll_run;

/* What the program showed in one run; the caller's `run` (below) fills it. */
typedef struct ll_reply ll_reply;

/* Add one channel: its text, under a name that is the same in every run ("stdout", "stderr", "scores.json", "status",
 * "result"). The channel that is added first holds the score. Pass a whole file as one channel: the library finds the
 * numbers in it and names each by the word before it. A channel may be missing in some runs; that is reported. Both
 * texts are copied. LL_MEMORY if memory runs out. */
LL_API LL_CHECK ll_status ll_reply_add(ll_reply *reply, const char *channel, const char *text, ll_error *error);
/* Say that the run failed: an exit status other than 0, an exception, or no score. `reason` is what the submitter would
 * see of the failure, and is copied; NULL: nothing. */
LL_API LL_CHECK ll_status ll_reply_fail(ll_reply *reply, const char *reason, ll_error *error);

/* The program, as a function of the caller. `run` makes `count` runs, in any order or at the same time, and fills
 * replies[i] for runs[i]. It returns LL_OK even if the program fails (ll_reply_fail says so). Any other status ends the
 * identification or attack, which passes it on. */
typedef struct {
    void *self;
    ll_status (*run)(void *self, ll_reply *const *replies, const ll_run *runs, long count, ll_error *error);
} ll_program;

/* ------------------------------------------------------------------ identification */

typedef struct {
    size_t size;
    long classes;        /* number of classes of the made-up labels; 0: 2, or others if the program does not accept 2;
                            -1: labels are numbers, on a grid that the library chooses */
    const char *targets; /* labels are numbers on this grid, "LO:HI:STEP"; NULL: as `classes` says */
    long rows;           /* number of made-up labels; 0: the library chooses, a few dozen */
    long runs;           /* most runs of the program; 0: 300 */
    uint64_t seed;       /* seed of the made-up labels; 0: 1 */
    const char *hint;    /* the metric that the caller expects, by name or profile. It is checked like any other, and is
                            named first if several fit; NULL: none */
    const ll_budget *budget; /* its seconds (by the clock), progress and stop are used; NULL: 120 seconds */
    /* Channels that participants do not see, such as logs: the beginnings of their names, separated by commas. NULL:
     * participants see every channel. */
    const char *unseen;
} ll_identify_request;

#define ll_identify_request_init(request) LL_INIT(ll_identify_request, request)

/* One channel, or one number in it. Texts live as long as the identification. */
typedef struct {
    const char *name;           /* "stdout:accuracy", "stderr", "status" */
    int is_number;              /* a number in every run that succeeded; else a text */
    ll_truth depends_on_labels; /* does it change if only the labels change? */
    ll_truth is_deterministic;  /* does the same input give the same output again? */
    int tells_rows;             /* nonzero: it shows labels of single rows directly (a list, a table, a traceback) */
    long decimals;              /* most decimals that were seen; -1: not a number */
    long digits;                /* most significant digits that were seen; -1: not a number */
    int recognised;        /* nonzero: the certified interval of some metric contained every number that was seen */
    const char *metric;    /* the name of that metric; NULL: none fits */
    const char *profile;   /* a profile that agrees with every setting that was found; NULL: none */
    const char *settings;  /* what was found, as settings of ll_scorer_set: "metric=accuracy decimals=5"; "": nothing */
    const char *also_fits; /* other descriptions that fit every number as well, separated by "; "; "": none */
    const char *noise;     /* if it is not deterministic: a law, as the setting "noise" names it, or "unknown"; else
                              NULL */
    double noise_size;     /* standard deviation of the noise; NAN: none, or not known */
    long compared;         /* how many numbers the description was compared with */
    const char *evidence;  /* a sentence or two */
    double low, high;      /* the least and the greatest number seen; NAN: not a number */
    double rows_read;      /* share of the rows whose label changes it; NAN: not looked at */
    int better;            /* 1: the number was greater if every row was right than if only one was; -1: it was smaller;
                              0: neither was seen */
    int is_described;      /* nonzero: the identification's `settings` describe this number, and the others that are
                              marked so, in the order of the channels */
} ll_channel_found;

/* How the program reacts to one kind of malformed submission. */
typedef struct {
    const char *name;         /* "missing", "one-row", "first-rows", "duplicates", "extra", "reordered", "nan",
                                 "words", "blank", "one-class", "empty" */
    const char *words;        /* the submission, described for people: "only one row" */
    ll_truth accepted;        /* does it get a score? LL_UNKNOWN: that depends on labels */
    ll_truth failure_depends; /* does it depend on labels whether it fails, or with which text? */
    int reads_row;            /* nonzero: the label of one row alone decides the score; every submission reads one */
    const char *evidence;     /* a sentence */
} ll_form_found;

/* A finding that the host should read first. The worst one comes first in the list. */
typedef struct {
    const char *kind;    /* "chosen-rows", "row-labels", "failure", "more-digits", "other-channel" */
    const char *channel; /* the name of the channel, or of the kind of submission (ll_form_found) */
    const char *text;    /* a sentence or two: what was found, and what to do */
} ll_surprise;

typedef struct {
    size_t size;
    void *whole;                /* private */
    long rows, classes;         /* of the made-up labels; classes 0: labels are numbers */
    long runs;                  /* how often the program was run */
    double seconds;             /* how long that took */
    const char *input;          /* what the program reads: "class", "probability", "probabilities" (one per class) or
                                   "number" */
    ll_channel_found *channels; /* private, like the next two lists: ll_identification_get_channel and so on */
    long channel_count;         /* numbers of the score that depend on labels, then what else does, then the others */
    ll_form_found *forms;
    long form_count;
    ll_surprise *surprises;
    long surprise_count;
    int recognised;           /* nonzero: every number that depends on labels is recognised, and nothing else depends on
                                 them */
    ll_truth failure_depends; /* can somebody choose a submission whose failure depends on labels? */
    const char *failures;     /* a sentence about such failures */
    const char *settings;     /* of the whole answer: "metric=accuracy decimals=5 also=f1:decimals=3"; "": none */
    const char *command_line; /* the same as options of the command line: "--metric accuracy --decimals 5"; "": none */
    const char *summary;      /* a sentence or two */
    void *texts;              /* private */
    ll_truth time_depends;    /* does the time of a run depend on labels? LL_TRUE: that was measured; LL_FALSE: no
                                 reliable difference of a millisecond or more was; LL_UNKNOWN: it was not looked at */
    double time_difference;   /* difference of the median times of two labellings, in seconds; NAN: not looked at */
    double time_chance;       /* probability of times ranked like these if labels had no effect; NAN: not looked at */
    const char *time_evidence; /* a sentence */
    double low, high;          /* if labels are numbers: the least and the greatest made-up one; NAN: classes */
    const char *targets;       /* if labels are numbers: their grid, LO:HI:STEP; NULL: classes */
} ll_identification;

#define ll_identification_init(identification) LL_INIT(ll_identification, identification)
LL_API void ll_identification_clear(ll_identification *identification);

/* Elements of the lists, which live as long as the identification. NULL outside 0..count-1. */
LL_API const ll_channel_found *ll_identification_get_channel(const ll_identification *identification, long index);
LL_API const ll_form_found *ll_identification_get_form(const ll_identification *identification, long index);
LL_API const ll_surprise *ll_identification_get_surprise(const ll_identification *identification, long index);

/* Identify a program. *out must be initialised; its old content is cleared. A metric is named only if the certified
 * interval of this library's own score contains the program's number in every run. LL_DOMAIN if the program fails on
 * every input, or if its answers do not depend on labels at all; the text quotes the program. LL_UNABLE if the call was
 * stopped, or if time ran out before the first answer. */
LL_API LL_CHECK ll_status ll_identify(ll_identification *out, const ll_program *program,
                                      const ll_identify_request *request, ll_error *error);

/* Set every pair of `settings` on a scorer that is not resolved yet. */
LL_API LL_CHECK ll_status ll_identification_set(const ll_identification *identification, ll_scorer *scorer,
                                                ll_error *error);

/* ------------------------------------------------------------------ attacks that need no description */

typedef struct {
    size_t size;
    long rows;     /* number of hidden labels; 0: 200 */
    long runs;     /* most submissions of one attack; 0: 50 */
    uint64_t seed; /* of the made-up labels and of random designs; 0: 1 */
    int is_hidden; /* nonzero: the program has its own hidden labels. Runs then come without labels (NULL), and nothing
                      can be counted as right */
    const char *attack;      /* "chosen-rows", "rows" or "designs"; NULL: all of them, and the best one is kept */
    const ll_budget *budget; /* NULL: the default */
} ll_program_attack_request;

#define ll_program_attack_request_init(request) LL_INIT(ll_program_attack_request, request)

/* One attack that was run. */
typedef struct {
    const char *attack;  /* its name, as in the request */
    const char *channel; /* the channel that it read */
    long runs;           /* submissions that it made */
    long read;           /* labels that it read; the others are guessed */
    double share;        /* share of right labels, guessed ones included; NAN: the labels are hidden */
    double error;        /* standard error of the share */
} ll_attack_measured;

typedef struct {
    size_t size;
    void *whole;               /* private */
    long rows, classes, runs;  /* runs: submissions of the best attack */
    double guess;              /* share of right labels by guessing */
    int32_t *labels;           /* [rows]: the labels that the best attack read; -1: not read */
    ll_attack_measured *tried; /* private: ll_program_attack_get_tried */
    long tried_count;
    double bits_per_answer; /* most bits that one answer of the channel can reveal, if every answer has the decimals and
                               lies in the range that were seen; infinity: all its digits are shown, or it is noisy */
    double max_share;       /* proved: no attack with so many runs exceeds this share of right labels on average; NAN:
                               not known, as in this version always, since the range is only what was seen */
    const char *evidence;   /* a sentence: "95.0% of 200 made-up labels in 50 runs" */
    void *texts;            /* private */
} ll_program_attack_result;

#define ll_program_attack_result_init(result) LL_INIT(ll_program_attack_result, result)
LL_API void ll_program_attack_result_clear(ll_program_attack_result *result);

/* One attack that was run, the best first. NULL outside 0..tried_count-1. */
LL_API const ll_attack_measured *ll_program_attack_get_tried(const ll_program_attack_result *result, long index);

/* Attack the program. `identification`, the result of ll_identify, says which channels to read and what to submit. *out
 * must be initialised. LL_DOMAIN if no channel depends on labels. */
LL_API LL_CHECK ll_status ll_program_attack(ll_program_attack_result *out, const ll_program *program,
                                            const ll_identification *identification,
                                            const ll_program_attack_request *request, ll_error *error);

#ifdef __cplusplus
}
#endif
#endif
