/* What does a program release that scores predictions against hidden labels? It is run on labels that are made up here,
 * and whatever it answers is compared. The second public header of liblossleak; the rules of lossleak.h hold here, too.
 * docs/identify.md says what is looked at, and what a result is worth.
 *
 *   ll_identify          runs the program, finds the channels that depend on labels, and what each of them is
 *   ll_program_attack    reads labels through the program with attacks that need no description, and counts them
 *
 * Nothing of the host's labels is needed: every run comes with its own.
 */
#ifndef LOSSLEAK_IDENTIFY_H
#define LOSSLEAK_IDENTIFY_H

#include <lossleak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ one run of the program */

/* Labels, and a submission for them. The submission need not fit: rows may be missing, there twice or unknown, and
 * entries may be no numbers. Arrays are the library's and are valid during the call. */
typedef struct {
    long rows;             /* hidden labels */
    long classes;          /* of them; 0: labels are numbers */
    const double *labels;  /* [rows] the class 0 .. classes-1, or the number; NULL: the program's own, which are hidden */
    long sent;             /* rows of the submission; 0: it is empty */
    const long *ids;       /* [sent] the row that each is for, 0 .. rows-1; from `rows` on: a row that there is not */
    long columns;          /* 1, or one per class */
    const double *entries; /* [sent * columns], row after row; NAN: the submission says NaN */
    int is_class;          /* entries are classes (1 column): to be written as labels are, words for words */
    const char *const *words; /* [sent] what stands in place of a row's entries, "" for an empty field; NULL: its
                                 entries. NULL: no row has any */
} ll_run;

/* What the program showed in one run. */
typedef struct ll_reply ll_reply;

/* One channel: a text under a name that is the same in every run ("stdout", "stderr", "scores.json", "status",
 * "result"); the one that is added first holds the score. Numbers are found inside texts, each under the word before it, so a whole file is one
 * channel. A channel that is not there in some runs is a finding, too. Both texts are copied. LL_MEMORY. */
LL_API LL_CHECK ll_status ll_reply_add(ll_reply *reply, const char *channel, const char *text, ll_error *error);
/* The run failed: an exit status other than 0, an exception, no score. `reason`: what the submitter would see of it,
 * copied; NULL: nothing. */
LL_API LL_CHECK ll_status ll_reply_fail(ll_reply *reply, const char *reason, ll_error *error);

/* The program. `run` makes `count` runs, in any order or at the same time, and fills replies[i] for runs[i]. LL_OK also
 * where the program fails (ll_reply_fail); anything else ends the call that asked. */
typedef struct {
    void *self;
    ll_status (*run)(void *self, ll_reply *const *replies, const ll_run *runs, long count, ll_error *error);
} ll_program;

/* ------------------------------------------------------------------ identification */

typedef struct {
    size_t size;
    long classes;        /* of the made-up labels; 0: 2, and others where the program does not take 2; -1: numbers of a grid
                            that is chosen */
    const char *targets; /* labels are numbers of this grid, "LO:HI:STEP"; NULL: classes */
    long rows;           /* of the made-up labels; 0: chosen, a few dozen */
    long runs;           /* of the program, at most; 0: 300 */
    uint64_t seed;       /* of the made-up labels; 0: 1 */
    const char *hint;    /* a metric that the caller takes it for, by name or profile; it is checked as any other, and
                            stands first where several fit; NULL: none */
    const ll_budget *budget; /* seconds of the clock, progress and stop; NULL: the default, 120 seconds */
    /* Channels that participants do not see (logs that are not shown), separated by commas, as beginnings of their
     * names; NULL: they see all of them. */
    const char *unseen;
} ll_identify_request;

#define ll_identify_request_init(request) LL_INIT(ll_identify_request, request)

/* One channel, or one number in it. Texts live as long as the identification. */
typedef struct {
    const char *name;           /* "stdout:accuracy", "stderr", "status" */
    int is_number;              /* a number in every run that succeeded; else a text */
    ll_truth depends_on_labels; /* do labels move it, the submission being the same? */
    ll_truth is_deterministic;  /* is it the same when the same is run again? */
    int tells_rows;      /* it shows labels of single rows as they are, without any attack (a list, a table, a traceback) */
    long decimals;       /* the most that were seen; -1: no number */
    long digits;         /* significant ones, the most that were seen; -1: no number */
    int recognised;      /* some metric's certified interval held every number that was seen */
    const char *metric;  /* of the table; NULL: none fits */
    const char *profile; /* a scorer of the table that is the same in every setting found; NULL: none */
    const char *settings;  /* what was found, "metric=accuracy decimals=5", names and values of ll_scorer_set; "": none */
    const char *also_fits; /* other descriptions that fit every number as well, separated by "; "; "": none */
    const char *noise;     /* a law that the setting noise takes, or "unknown", where it is not deterministic; NULL: none */
    double noise_size;     /* standard deviation of the noise; NAN: none, or not known */
    long compared;         /* numbers that the description was compared with */
    const char *evidence;  /* a sentence or two */
    double low, high;      /* the least and the greatest number seen; NAN: no number */
    double rows_read;      /* share of the rows whose label moves it; NAN: not looked at */
    int better;                 /* 1: the number was greater where every row was right than where one was, -1: smaller; 0: neither was seen */
    int is_described;           /* one of the numbers that the identification's `settings` describe, in the order of the channels */
} ll_channel_found;

/* What the program makes of submissions that are not as they should be. */
typedef struct {
    const char *name;           /* "missing", "one-row", "first-rows", "duplicates", "extra", "reordered", "nan", "words",
                                   "blank", "one-class", "empty" */
    const char *words;          /* the submission in words: "only one row" */
    ll_truth accepted;          /* does it give a score? LL_UNKNOWN: that depends on labels */
    ll_truth failure_depends;   /* does failing, or the text of the failure, depend on labels? */
    int reads_row;              /* one row's label alone decides the score: one label per submission */
    const char *evidence;       /* a sentence */
} ll_form_found;

/* A finding that the host should read first, worst first. */
typedef struct {
    const char *kind; /* "chosen-rows", "row-labels", "failure", "more-digits", "other-channel" */
    const char *channel; /* or the form of submission */
    const char *text;    /* a sentence or two: what, and what to do */
} ll_surprise;

typedef struct {
    size_t size;
    void *whole; /* private */
    long rows, classes; /* of the made-up labels; classes 0: numbers */
    long runs;          /* of the program */
    double seconds;
    const char *input;  /* what the program reads: "class", "probability", "probabilities" (one per class) or "number" */
    ll_channel_found *channels; /* private, as the next two lists: ll_identification_get_channel and its like */
    long channel_count;         /* the score first, then those that depend on labels */
    ll_form_found *forms;
    long form_count;
    ll_surprise *surprises;
    long surprise_count;
    int recognised;          /* every number that depends on labels is recognised, and no other channel does */
    ll_truth failure_depends; /* can a submission be chosen whose failure depends on labels? */
    const char *failures;    /* a sentence about it */
    const char *settings;    /* of the whole answer: "metric=accuracy decimals=5 also=f1:decimals=3"; "": none */
    const char *command_line; /* the same as options of the command line: "--metric accuracy --decimals 5"; "": none */
    const char *summary;     /* a sentence or two */
    void *texts;             /* private */
    ll_truth time_depends;   /* was a run's time seen to depend on labels? LL_FALSE: no difference of a millisecond was;
                                LL_UNKNOWN: it was not looked at */
    double time_difference;  /* in seconds, of the medians of two labellings; NAN: not looked at */
    double time_chance;      /* that ranks as these come about where labels change nothing; NAN: not looked at */
    const char *time_evidence; /* a sentence */
    double low, high;        /* the least and the greatest of made-up numbers; NAN: classes */
    const char *targets;     /* their grid, LO:HI:STEP; NULL: classes */
} ll_identification;

#define ll_identification_init(identification) LL_INIT(ll_identification, identification)
LL_API void ll_identification_clear(ll_identification *identification);

/* Elements of the lists, which live as long as the identification. NULL outside 0..count-1. */
LL_API const ll_channel_found *ll_identification_get_channel(const ll_identification *identification, long index);
LL_API const ll_form_found *ll_identification_get_form(const ll_identification *identification, long index);
LL_API const ll_surprise *ll_identification_get_surprise(const ll_identification *identification, long index);

/* *out must be initialised; what it held is cleared. A metric is named only where the certified interval of this
 * library's own score held the number in every run. LL_DOMAIN: the program fails whatever it is given, or its answers
 * do not depend on labels at all: the text quotes it. LL_UNABLE: stopped, or out of time before a first answer. */
LL_API LL_CHECK ll_status ll_identify(ll_identification *out, const ll_program *program,
                                      const ll_identify_request *request, ll_error *error);

/* Set what was found on a scorer that is not resolved: every pair of `settings`. */
LL_API LL_CHECK ll_status ll_identification_set(const ll_identification *identification, ll_scorer *scorer,
                                                ll_error *error);

/* ------------------------------------------------------------------ attacks that need no description */

typedef struct {
    size_t size;
    long rows;      /* hidden labels; 0: 200 */
    long runs;      /* submissions that the attack may make; 0: 50 */
    uint64_t seed;  /* of the labels and of the designs; 0: 1 */
    int is_hidden;  /* the program has its own labels: runs have none (NULL), and nothing is counted as right */
    const char *attack; /* "chosen-rows", "rows", "designs"; NULL: every one, and the best is kept */
    const ll_budget *budget;
} ll_program_attack_request;

#define ll_program_attack_request_init(request) LL_INIT(ll_program_attack_request, request)

/* One attack that was run. */
typedef struct {
    const char *attack;  /* as in the request */
    const char *channel; /* that it read */
    long runs;           /* submissions */
    long read;           /* labels that it read; the others are guessed */
    double share;        /* of right labels, the guessed ones among them; NAN where labels are hidden */
    double error;        /* its standard error */
} ll_attack_measured;

typedef struct {
    size_t size;
    void *whole; /* private */
    long rows, classes, runs; /* runs: submissions of the best attack */
    double guess;        /* share that guessing gets */
    int32_t *labels;     /* [rows] what the best attack says; -1: it was not read */
    ll_attack_measured *tried; /* private: ll_program_attack_get_tried */
    long tried_count;
    double bits_per_answer; /* that one answer of the channel can tell at most, by its digits, if its range is that which
                               was seen; infinity: all its digits are shown, or it is noisy */
    double max_share;       /* no attack with that many runs gets more labels right on average: proved; NAN: not known */
    const char *evidence;   /* a sentence: "95.0% of 200 made-up labels in 50 runs" */
    void *texts;            /* private */
} ll_program_attack_result;

#define ll_program_attack_result_init(result) LL_INIT(ll_program_attack_result, result)
LL_API void ll_program_attack_result_clear(ll_program_attack_result *result);

/* One attack that was run, the best first. NULL outside 0..tried_count-1. */
LL_API const ll_attack_measured *ll_program_attack_get_tried(const ll_program_attack_result *result, long index);

/* What was found by ll_identify says which channels to read and what to submit. LL_DOMAIN: no channel depends on
 * labels. */
LL_API LL_CHECK ll_status ll_program_attack(ll_program_attack_result *out, const ll_program *program,
                                            const ll_identification *identification,
                                            const ll_program_attack_request *request, ll_error *error);

#ifdef __cplusplus
}
#endif
#endif
