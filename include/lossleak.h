/* lossleak: how many of the private labels behind a released score does it give away?
 *
 * The public header of liblossleak; lossleak/model.h (networks) and lossleak/paper.h (the paper's experiments,
 * hardness) stand on it, each with a library of its own. Rules that hold for every function:
 *
 *   arguments   context first, then outputs, then inputs, then scalars, the error last;
 *               a length follows its array
 *   status      LL_OK, or why there is no answer; the text for people is in the ll_error,
 *               and outputs are unchanged unless the contract says otherwise
 *   ownership   handles come in pairs create/destroy, values in pairs init/clear;
 *               destroy and clear take NULL and cleared values; what else the library allocated
 *               is freed with ll_free; strings given to the library
 *               are not copied unless the contract says so and must outlive their user
 *   sizes       what may grow begins with `size`, which its init sets, or is filled by a function that a macro of
 *               its name tells the size (from other languages: ll_value_init(value, size) is every init, and such a
 *               function takes the size in front of the error, or last). New fields come at the end: a program that
 *               does not know them keeps working. A field that is 0 has its default. Rows of tables, which come by
 *               const pointer, may grow at the end too; arrays of the library say how far their elements are apart
 *               (LL_AT). Never to grow: ll_error, ll_block, ll_predictions, ll_oracle, ll_number, ll_separation_below,
 *               ll_tried, ll_failures
 *   unknown     a double that is not known is NAN; infinity says that there is no end: no limit, no bound, no number
 *               that is enough. A place that is not there is -1; a text that is not there is NULL, in an array of
 *               characters "". Where a field says it otherwise, its contract names it
 *   settings    a contract that names a setting ("rows") means ll_scorer_set and ll_scorer_get of that name
 *   budget      NULL is the default. A call that takes a request has its budget there; any other call takes it as
 *               the last argument before the error
 *   threads     no global state; one handle belongs to one thread at a time
 *   output      the library never prints and never exits
 */
#ifndef LOSSLEAK_H
#define LOSSLEAK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LL_API __attribute__((visibility("default")))
#define LL_CHECK __attribute__((warn_unused_result))
#else
#define LL_API
#define LL_CHECK
#endif

/* ------------------------------------------------------------------ status and errors */

typedef enum {
    LL_OK = 0,
    LL_DOMAIN, /* there is no such value: bad input, or outside a function's domain */
    LL_UNABLE, /* there may be one, but it could not be found within precision or budget */
    LL_MEMORY, /* an allocation failed */
    LL_SYSTEM  /* a file or a process failed */
} ll_status;

typedef enum { LL_FALSE = 0, LL_TRUE = 1, LL_UNKNOWN = 2 } ll_truth;

/* What people must read. A NULL ll_error * is allowed everywhere and drops the text. */
typedef struct {
    ll_status status;
    char text[480];
} ll_error;

/* Set *error to a status and a printf-style text; returns the status. Text that does not fit is cut, and
 * control characters in it become question marks: it is one line. */
LL_API ll_status ll_fail(ll_error *error, ll_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The version of this header; ll_version() is that of the library, as text: "0.2.0". */
#define LL_VERSION_MAJOR 0
#define LL_VERSION_MINOR 2
#define LL_VERSION_PATCH 0
#define LL_VERSION_AT_LEAST(major, minor)                                                                              \
    (LL_VERSION_MAJOR > (major) || (LL_VERSION_MAJOR == (major) && LL_VERSION_MINOR >= (minor)))

LL_API const char *ll_version(void);

/* Free what a function of the libraries allocated where its contract says so; NULL is allowed. */
LL_API void ll_free(void *memory);

/* Zeros, and the size in front: what the macros ll_X_init do. */
LL_API void ll_value_init(void *value, size_t size);

#define LL_INIT(type, value) ll_value_init(1 ? (value) : (type *)0, sizeof(type))

/* Element `index` of an array whose elements are `distance` bytes apart. */
#define LL_AT(type, array, index, distance)                                                                            \
    ((const type *)(const void *)((const char *)(array) + (size_t)(index) * (distance)))

/* A number for computing with, and as text where a double is not enough. */
typedef struct {
    double value; /* the nearest double, or the next one on the safe side of a bound; NAN where there is none */
    char *text;   /* NULL where there is none */
} ll_number;

/* ------------------------------------------------------------------ budgets */

/* What a call may use. A NULL budget, and 0 in a field, mean the default. Calls predict what they need and refuse with
 * LL_UNABLE, or stop where they are and say so; what each does is in its contract. */
typedef struct {
    size_t size;
    double memory;  /* bytes; 8 GiB */
    double seconds; /* 600; ll_audit_run ends with LL_UNABLE after them */
    int threads;    /* of searches; all */
    /* Told how far it is (ll_attack_run, after every query). */
    void (*progress)(void *self, long done, long total);
    /* Other than 0 ends the call with LL_UNABLE (ll_attack_run, after every query; ll_audit_run, after every attack
     * that it runs; ll_hardness_decide, all the time). */
    int (*stop)(void *self);
    void *self; /* of both */
} ll_budget;

#define ll_budget_init(budget) LL_INIT(ll_budget, budget)

/* One for the call at hand: LL_BUDGET(.memory = 1e9, .seconds = 60). */
#ifndef __cplusplus
#define LL_BUDGET(...) (&(const ll_budget){.size = sizeof(ll_budget), __VA_ARGS__})
#endif

/* ------------------------------------------------------------------ predictions */

/* A rational number mantissa * 2^a * 5^b with integers of any size: every decimal and every hex
 * float that can be written down, with an exponent of any length. */
typedef struct ll_exact ll_exact;

typedef enum { LL_ENTRIES_DOUBLE, LL_ENTRIES_FLOAT, LL_ENTRIES_EXACT } ll_entries;

/* Some consecutive rows of predictions, row after row. Exactly one of the three pointers is set, as
 * `entries` says. They point either into the block's own storage or into memory of the source
 * (a mapped file); either way they are valid until the next get with this block or its clear. */
typedef struct {
    long rows, columns;
    ll_entries entries;
    const double *doubles;
    const float *floats;
    const ll_exact *exacts;
    void *storage; /* private: owned by the block */
    size_t storage_size;
    long exact_count;
} ll_block;

LL_API void ll_block_init(ll_block *block);
LL_API void ll_block_clear(ll_block *block);

/* Make the block hold rows x columns entries in storage of its own and point at it; the returned
 * array is for writing and is NULL where memory ended or the size overflows. New exact entries are
 * 0; numbers left from an earlier use of the block keep their storage (and any value). */
LL_API double *ll_block_reserve_doubles(ll_block *block, long rows, long columns);
LL_API float *ll_block_reserve_floats(ll_block *block, long rows, long columns);
LL_API ll_exact *ll_block_reserve_exacts(ll_block *block, long rows, long columns);

/* Entry `index` of an array of exact numbers, from text: decimal ("0.25", "-1e-400000000000000000000")
 * or hexadecimal ("0x1.8p-123"), the whole of the first `length` characters, no blanks.
 * LL_DOMAIN for anything else, infinities and NaN among it. */
LL_API LL_CHECK ll_status ll_exact_read(ll_exact *array, long index, const char *text, size_t length);

/* The same number as text that reads back equal: hexadecimal where it is dyadic, else decimal.
 * Free with ll_free; NULL where memory ended. */
LL_API char *ll_exact_write(const ll_exact *array, long index);

/* Nearest double, ties to even, overflowing to infinity and underflowing to zero. */
LL_API double ll_exact_double(const ll_exact *array, long index);

/* A source of predictions: a file, a plan, the outputs of a model. Any block at any time. */
typedef struct {
    void *self;
    long rows, columns; /* columns: 1 (of class 1; for accuracy the label itself) or one a class */
    ll_entries entries; /* what kind of numbers `get` gives */
    /* Rows first .. first+count-1, 0 <= first, count >= 1, first+count <= rows. */
    ll_status (*get)(void *self, ll_block *out, long first, long count, ll_error *error);
    /* Where row `row` stands, for messages ("sub.csv:18"); may be NULL. */
    void (*where)(void *self, char *text, size_t size, long row);
} ll_predictions;

/* ------------------------------------------------------------------ losses */

typedef struct {
    const char *name;      /* of the setting "metric"; "norm:ALPHA" where it takes a parameter */
    const char *input;     /* "probability", "logit", "label" or "number" */
    const char *when_one;  /* s(1, x), in the expression language of docs/expressions.md; "": no sum of terms */
    const char *when_zero; /* s(0, x) */
    const char *weight;    /* s(1, x) - s(0, x), simplified, for people */
    const char *reach;     /* the weights it can reach without a clip, for people */
    const char *classes;   /* "2" or "2 or more" */
    const char *summary;   /* one line */
    const char *link;    /* what the number is of the sum of terms: "mean", or "root": the P-th one; of what else it is
                          * a function: "counts" of label and predicted label, "ranks" of the predictions */
    const char *formula; /* of counts and ranks, for people; NULL: of terms */
} ll_metric_info;

LL_API long ll_metric_count(void);
LL_API const ll_metric_info *ll_metric_get_info(long index); /* NULL outside 0..count-1 */

/* ------------------------------------------------------------------ scorers */

/* What is released, and how it is computed: a metric in some arithmetic, its release, and the rows behind it. Made from
 * settings by name, the same names and texts as the command line's; resolved once, and from then on it does not change
 * and may be shared between threads. */
typedef struct ll_scorer ll_scorer;

#define LL_SCORER_CELLS (1L << 48) /* so many entries of up to 2^14 bytes have a size that a size_t holds */

typedef struct {
    const char *name;     /* "noise" */
    const char *values;   /* for usage lines, "KIND:SIZE"; "" for a flag (whose values are "yes" and "no") */
    const char *standard; /* the default; "": none, or it depends on others */
    const char *group;    /* a heading */
    const char *example;  /* "bounded:0.01" */
    const char *meaning;  /* a sentence or two */
} ll_setting_info;

LL_API long ll_setting_count(void);
LL_API const ll_setting_info *ll_setting_get_info(long index); /* NULL outside 0..count-1 */

/* Exact log-loss, mean, nothing clipped, noised or rounded. */
LL_API LL_CHECK ll_status ll_scorer_create(ll_scorer **out, ll_error *error);
LL_API void ll_scorer_destroy(ll_scorer *scorer);

/* Set one setting. The order does not matter: a profile ("scorer") counts as if it came first, and of several values
 * of one setting the last counts. A value of NULL takes the setting back. LL_DOMAIN says what the setting accepts, or
 * that the scorer is resolved already. */
LL_API LL_CHECK ll_status ll_scorer_set(ll_scorer *scorer, const char *name, const char *value, ll_error *error);

/* The value in force, as text that the scorer owns: the one that was set, the profile's, or the default. NULL for an
 * unknown setting and for one without a value. */
LL_API const char *ll_scorer_get(const ll_scorer *scorer, const char *name);

/* The same of a setting that is a whole number; 0 where it is not set. */
LL_API long ll_scorer_get_count(const ll_scorer *scorer, const char *name);

/* Numeric targets (the setting "targets"): how many there are, 0 where labels are classes; and the number that label
 * `label`, 0 .. count-1, stands for, as decimal text, cut where size is too small. Also of a scorer that is not
 * resolved. LL_DOMAIN where there is no such target. */
LL_API long ll_scorer_count_targets(const ll_scorer *scorer);
LL_API LL_CHECK ll_status ll_scorer_write_target(const ll_scorer *scorer, char *text, size_t size, long label,
                                                 ll_error *error);

/* The least and the greatest number that this scorer can release, with some room; infinite where that is not known.
 * Resolved scorers only. */
LL_API void ll_scorer_get_range(const ll_scorer *scorer, double *low, double *high);

/* A release by levels: how many there are above the baseline, 0 where it is not by levels, and the text of level
 * `level`, 0: the baseline, "" where there is none, cut where size is too small. Resolved scorers of one number only. */
LL_API long ll_scorer_get_level(const ll_scorer *scorer, char *text, size_t size, long level);

/* Work out what the settings mean together. LL_DOMAIN gives the reason where they contradict each other; the scorer may
 * then be changed and resolved again. `warning` (may be NULL) gets a text, or "", about what is allowed but worth
 * knowing (a phi whose convexity is not proved). Every function below needs a resolved scorer. */
LL_API LL_CHECK ll_status ll_scorer_resolve(ll_scorer *scorer, ll_error *warning, ll_error *error);

/* A copy of the settings, open to changes. */
LL_API LL_CHECK ll_status ll_scorer_copy(ll_scorer **out, const ll_scorer *scorer, ll_error *error);

/* A resolved scorer that differs in some settings: name, value, name, value, ..., (char *)NULL. A value of NULL takes a
 * setting back. */
LL_API LL_CHECK ll_status ll_scorer_vary(ll_scorer **out, const ll_scorer *scorer, ll_error *error, ...);

/* How many numbers one answer has: several where the setting "also" says so, or where the metric itself is several
 * (confusion-matrix). Each number is a scorer of its own, which lives as long as this one; NULL outside 0..count-1.
 * Their texts, separated by one blank, make one answer: ll_curator_score gives it, ll_decoder_score takes it. Resolved
 * scorers only. */
LL_API long ll_scorer_count_numbers(const ll_scorer *scorer);
LL_API const ll_scorer *ll_scorer_get_number(const ll_scorer *scorer, long index);
/* Does a number take predictions that are probabilities or logits for classes? Then the setting "threshold" says how,
 * and what it leaves open is open in inferences and in the intervals of scores. Resolved scorers only. */
LL_API int ll_scorer_reads_classes(const ll_scorer *scorer);

typedef struct {
    const char *name;     /* "sklearn-1.2/log_loss" */
    const char *verified; /* the program and version it was checked against, or "" */
    const char *summary;  /* one line */
    const char *source;   /* the file of the program's sources that the profile follows */
} ll_profile_info;

LL_API long ll_profile_count(void);
LL_API const ll_profile_info *ll_profile_get_info(long index);

/* ------------------------------------------------------------------ curators */

/* A released score. All three are decimal text, allocated by the library; of several numbers each has all of them, one
 * blank between. */
typedef struct {
    size_t size;
    void *whole;         /* private */
    char *text;          /* what a simulated curator releases */
    char *lower, *upper; /* where the released number of the real program must lie; with unbounded
                            random noise, where it must lie before the noise is added */
} ll_score;

#define ll_score_init(score) LL_INIT(ll_score, score)
LL_API void ll_score_clear(ll_score *score);

typedef struct ll_curator ll_curator;

/* A curator that holds a copy of the n labels (0 .. classes-1) and scores as *scorer says (shared).
 * LL_DOMAIN for labels out of range. */
LL_API LL_CHECK ll_status ll_curator_create(ll_curator **out, const ll_scorer *scorer, const int32_t *labels, long n,
                                            ll_error *error);
LL_API void ll_curator_destroy(ll_curator *curator);

/* With the setting "public" only some rows are scored, and nobody is told which. A curator draws them by the scorer's
 * seed; this chooses them: is_public[n] is not 0 for each row that is scored. LL_DOMAIN where every row is scored,
 * where n is not the number of labels, or where the setting does not allow that many rows. */
LL_API LL_CHECK ll_status ll_curator_set_public(ll_curator *curator, const unsigned char *is_public, long n,
                                                ll_error *error);
/* is_public[rows]: 1 where the row is scored, else 0. */
LL_API void ll_curator_get_public(const ll_curator *curator, unsigned char *is_public);

/* Score one set of predictions. An answer counts as one query: noise, Ladder and query limit move on. A refusal of what
 * is in the rows counts against the limit only, unless failures are free. Every entry of every row is read: blocks in
 * order, once; in exact arithmetic again from row 0 where the first precision could not decide rounding or the Ladder.
 * LL_DOMAIN names the row: an entry that is not finite or outside [0,1], a row that must sum to 1 and does not; or it
 * says that the score is not finite or that the queries are used up. */
LL_API LL_CHECK ll_status ll_curator_score(ll_curator *curator, ll_score *out, const ll_predictions *predictions,
                                           ll_error *error);

/* What one set of predictions is by itself, whatever was answered before: it is no query, and nothing moves on. For who
 * keeps accounts and draws noise elsewhere (lossleak/guard.h). */
typedef struct {
    long level;    /* that it reaches without noise, 0: the baseline, or it fails; 0 where there is noise, or no levels */
    double spread; /* that noise in proportion is in proportion to, rounded up; 0 where there is none */
} ll_reach;

/* A scorer of one number. Errors as of ll_curator_score. */
LL_API LL_CHECK ll_status ll_curator_reach(ll_curator *curator, ll_reach *out, const ll_predictions *predictions,
                                           size_t size, ll_error *error);
#define ll_curator_reach(curator, out, predictions, error)                                                             \
    ll_curator_reach(curator, out, predictions, sizeof(ll_reach), error)

/* ------------------------------------------------------------------ codes */

typedef struct {
    const char *name;      /* as requests name it */
    const char *variants;  /* separated by blanks, the first is the default ("primes:c=sqrt" names one); "" for none */
    const char *classes;   /* "2" or "2 or more" */
    const char *result;    /* the paper's LaTeX label, "" where it goes beyond */
    const char *guarantee; /* "proved" or "heuristic" */
    const char *weights, *gap, *bits, *cost; /* for people */
} ll_code_info;

LL_API long ll_code_count(void);
LL_API const ll_code_info *ll_code_get_info(long index); /* NULL outside 0..count-1 */

/* ------------------------------------------------------------------ plans */

/* Predictions that make a scorer give its labels away, as a function: scorer -> code -> predictions. */
typedef struct ll_plan ll_plan;

typedef enum {
    LL_GUARANTEE_CERTIFIED, /* every label that is given is proved */
    LL_GUARANTEE_LIKELY,    /* given with a probability: random noise, statistical bounds */
    LL_CERTIFIED = 0,       /* the names of 0.2 */
    LL_LIKELY = 1
} ll_guarantee;

typedef struct {
    size_t size;
    const char *code; /* "powers", "primes:c=sqrt", ...; "auto" or NULL: the one that gives the most labels within
                         the limit, the setting "queries" (of several, the fewest queries, then bits of score) */
    long block;       /* rows a query; 0: as many as the scorer's arithmetic, noise and reach allow */
    ll_guarantee guarantee;
    double failure; /* LL_LIKELY: the whole answer may be wrong with at most this probability; 0: 1e-6 */
    long queries;   /* of the code hadamard; 0: the scorer's limit, or as many as guarantee and failure ask for */
    long repeats;   /* how often each query is asked under random noise; 0: what takes the fewest queries in all */
    const ll_budget *budget; /* NULL: the default */
} ll_plan_request;

/* The code auto, labels certified. */
#define ll_plan_request_init(request) LL_INIT(ll_plan_request, request)

/* The scorer's rows must be set. LL_DOMAIN where the scorer cannot carry the code, with the largest noise and size that
 * fit (auto: what the plainest code says, powers for two classes, paper-multiclass for more); LL_UNABLE where it would
 * need more than the budget's memory or seconds, with what it needs. */
LL_API LL_CHECK ll_status ll_plan_create(ll_plan **out, const ll_scorer *scorer, const ll_plan_request *request,
                                         ll_error *error);
LL_API void ll_plan_destroy(ll_plan *plan);

typedef struct {
    const char *code;   /* with its variant */
    const char *writer; /* how weights become numbers */
    long rows, classes, columns, block, queries;
    ll_entries entries;
    double score_bits; /* that all scores together must carry */
    double unit_bits;  /* log2 of what weight 1 adds to N * score */
    ll_guarantee guarantee;
    double allowed; /* LL_LIKELY: the probability of failure that was asked for; 0 where certified */
    long repeats;   /* how often each query is asked; `queries` counts every time */
    double share;   /* expected share of right labels once all scores are there: 1 but for hadamard */
    double failure; /* probability, estimated for hadamard, that some label will be wrong; 0 where certified */
} ll_plan_info;

LL_API void ll_plan_get_info(const ll_plan *plan, ll_plan_info *out, size_t size);
#define ll_plan_get_info(plan, out) ll_plan_get_info(plan, out, sizeof(ll_plan_info))

/* One code against one scorer. */
typedef struct {
    const char *code; /* its name */
    ll_status status; /* LL_OK, or it does not serve: `why` says what stands against it */
    ll_guarantee guarantee;
    double labels_per_query; /* rows / queries */
    long queries;            /* for all labels */
    long block;              /* rows that are asked about together then */
    double score_bits;       /* that all scores together must carry */
    long recovered;          /* labels within the limit: all of them where there is no limit; of the code hadamard
                                those expected to be right */
    long limit_block;        /* the block that gives so many */
    char why[480];
} ll_plan_choice;

/* Every code of the table: choices[ll_code_count()], in its order. request->code is not looked at. */
LL_API LL_CHECK ll_status ll_plan_compare(ll_plan_choice *choices, const ll_scorer *scorer,
                                          const ll_plan_request *request, size_t size, ll_error *error);
#define ll_plan_compare(choices, scorer, request, error)                                                               \
    ll_plan_compare(choices, scorer, request, sizeof(ll_plan_choice), error)
/* The one with the most labels within the limit, of several the one with the fewest queries for all; -1: none. */
LL_API long ll_plan_choose(const ll_plan_choice *choices, long count, size_t size);
#define ll_plan_choose(choices, count) ll_plan_choose(choices, count, sizeof(ll_plan_choice))
/* queries[i]: what the code takes for the labels of rows[i] rows (1 .. the setting "rows"), the others left alone. */
LL_API LL_CHECK ll_status ll_plan_count(long *queries, const long *rows, long count, const ll_scorer *scorer,
                                        const ll_plan_request *request, ll_error *error);

/* What averaging can do, without running it: the expected share of right labels that the code hadamard and message
 * passing reach with so many queries (docs/proofs/hadamard.md), and an estimate of the probability that some label is
 * wrong, at most 1. The setting "rows" must be set. LL_DOMAIN where the code has no plan for the scorer. */
typedef struct {
    double share, failure;
    double weight; /* what one label adds to N * score, as chosen */
} ll_forecast;

LL_API LL_CHECK ll_status ll_predict_share(ll_forecast *out, const ll_scorer *scorer, long queries, size_t size,
                                           ll_error *error);
#define ll_predict_share(out, scorer, queries, error) ll_predict_share(out, scorer, queries, sizeof(ll_forecast), error)

/* A digest of everything that the predictions depend on, as text of fewer than `size` characters: two plans with the
 * same digest make the same predictions. */
LL_API void ll_plan_digest(const ll_plan *plan, char *text, size_t size);

/* The predictions of one query. The plan must outlive them; nothing to free. */
LL_API LL_CHECK ll_status ll_plan_predictions(const ll_plan *plan, ll_predictions *out, long query, ll_error *error);

/* ------------------------------------------------------------------ decoding */

typedef enum {
    LL_VERDICT_UNIQUE,    /* just one labelling explains the scores under the stated bounds: proved */
    LL_VERDICT_AMBIGUOUS, /* several may: open rows have label -1 and their candidates */
    LL_VERDICT_NONE,      /* none does: the scorer is not what it was said to be */
    LL_UNIQUE = 0,        /* the names of 0.2 */
    LL_AMBIGUOUS = 1,
    LL_NONE = 2
} ll_verdict_kind;

typedef struct {
    size_t size;
    void *whole; /* private */
    ll_verdict_kind kind;
    long rows, classes;
    int32_t *labels;           /* -1 where open */
    unsigned char *candidates; /* rows * classes */
    long certain;              /* rows whose label is proved */
    long queries;              /* scores read so far */
    ll_guarantee guarantee;    /* LL_LIKELY: labels that are not proved are given, too */
    double probability;        /* that every label given is right: 1 where certified */
    double *shares;            /* rows * classes: the probability of each label; NULL where certified */
    /* of the query with the least room, in units of the score: least difference of two labellings, bound on the
     * noise, bound on the curator's own rounding and the predictions' quantisation, |score - that of the labels|
     */
    ll_number gap, noise, rounding, residual;
    ll_number explains; /* LL_NONE: the least extra noise that some labelling would need, where it is known */
    long absent; /* where the score is over a part of the rows that is not told: the label that stands for a row that is
                    not scored, one of the `classes` here; 0: every row is scored */
    double wrong_description; /* about the chance that a wrong description of the scorer would explain such scores as
                                 well; NAN: not known, or nothing is certain */
} ll_verdict;

/* Are the labels certain only if the description of the scorer is right, because scores would hardly contradict a wrong
 * one? Above a chance of 0.01, or where it is not known; 0 where nothing is certain. */
LL_API int ll_verdict_is_conditional(const ll_verdict *verdict);

#define ll_verdict_init(verdict) LL_INIT(ll_verdict, verdict)
LL_API void ll_verdict_clear(ll_verdict *verdict);

typedef struct ll_decoder ll_decoder;

LL_API LL_CHECK ll_status ll_decoder_create(ll_decoder **out, const ll_plan *plan, ll_error *error);
LL_API void ll_decoder_destroy(ll_decoder *decoder);

/* *out passes on every block of `stored`. Reading every row in order through *out records the stored values. Watch one
 * query at a time; `stored` must outlive *out. */
LL_API LL_CHECK ll_status ll_decoder_watch(ll_decoder *decoder, ll_predictions *out, const ll_predictions *stored,
                                           long query, ll_error *error);
/* Take the score of the watched predictions, as text. Reads them once more where they were not read in order. LL_DOMAIN
 * for text that is not a finite number; then the query stays unanswered. */
LL_API LL_CHECK ll_status ll_decoder_score(ll_decoder *decoder, const char *score, ll_error *error);
/* What all scores so far tell. Rows whose queries have no score stay open. */
LL_API LL_CHECK ll_status ll_decoder_verdict(const ll_decoder *decoder, ll_verdict *out, ll_error *error);

/* ------------------------------------------------------------------ attacks */

/* Anything that gives scores: a simulated curator, a child process, a person. */
typedef struct {
    void *self;
    /* The score of the predictions of query `query`, as text allocated with malloc; the caller frees it with ll_free.
     */
    ll_status (*ask)(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error);
} ll_oracle;

/* A curator as an oracle; it must outlive it. */
LL_API ll_oracle ll_curator_oracle(ll_curator *curator);

/* Ask all queries of a plan, or as many as its scorer answers, and decode. Ends at the first score that no labelling
 * explains (LL_NONE); out->queries counts the scores read. Of the budget only progress and stop are used: memory and
 * time are the plan's and the oracle's. LL_UNABLE where it was stopped; a failure of the oracle is passed on. */
LL_API LL_CHECK ll_status ll_attack_run(const ll_plan *plan, ll_verdict *out, const ll_oracle *oracle,
                                        const ll_budget *budget, ll_error *error);

/* Labels read from nothing but whether submissions fail, where failures are free (the setting "failures"). */
typedef struct {
    long submissions; /* in all */
    long counted;     /* of them, those that got a number; the others failed, and nobody counts them */
    long labels;      /* that were read */
} ll_failures;

/* Read labels from failures, where no plan reads them within the scorer's limit. LL_DOMAIN: failures are counted, or
 * labels do not decide them in a way that can be read. The oracle fails a submission with LL_DOMAIN; any other status
 * than LL_OK ends the attack. Labels are certain as long as nothing but labels makes a submission fail. */
LL_API LL_CHECK ll_status ll_attack_failures(const ll_scorer *scorer, ll_verdict *out, ll_failures *told,
                                             const ll_oracle *oracle, const ll_budget *budget, ll_error *error);

/* ------------------------------------------------------------------ separability */

/* How far apart are the scores of any two labellings of given predictions?
 *
 *   Lambda = min over sigma_1 != sigma_2 of |f(sigma_1) - f(sigma_2)|,    f the score after its transform
 *
 * In exact arithmetic f is the number itself. In fpa formats it is the number that this arithmetic gives. In native
 * floats it is the real program's, of which only an interval is known; gap is then that of the simulated curator's
 * numbers. */
typedef struct {
    size_t size;
    void *whole; /* private */
    long rows, classes;
    ll_number gap;           /* |f(witness 1) - f(witness 2)|: Lambda where proved */
    ll_number lower, upper;  /* where Lambda must lie: proved in any case */
    ll_number largest_noise; /* labels can be told from a score under every noise below this: lower / 2 */
    int proved;              /* do lower and upper agree to a millionth? */
    ll_truth separable;  /* Lambda > 0; with the scorer's bounded noise tau, or rounding to a grid g, Lambda >= 2 tau,
                            > g, or >= 2 tau + g */
    char *threshold;     /* what separable asks of Lambda, for people: "> 0", ">= 0.02" */
    const char *method;  /* how it was found */
    long searched;       /* rows that had to be searched */
    int32_t *witness;    /* two labellings, rows labels each */
    ll_number scores[2]; /* theirs */
    /* Bounds that hold for every Lambda (docs/proofs/bounds.md); lambda <= each of them */
    ll_number range;            /* of f over all labellings */
    ll_number pigeonhole;       /* range / (classes^rows - 1); of sums of terms, as the next two */
    ll_number monotone;         /* the least change of f by one label of one row; none where f is a root */
    ll_number bounded_monotone; /* range / rows */
    double label_bits;          /* log2 of the number of labellings */
    double score_bits; /* at most so many can pass through one score of this range, noise and rounding; infinity without
                          either */
    /* Metrics of counts and ranks, two classes, where bounds of sums say nothing and two labellings mostly share a
     * score: how many different scores there are (0: not counted), and the least difference of two of them. */
    double different;
    ll_number step;
} ll_separation;

#define ll_separation_init(separation) LL_INIT(ll_separation, separation)
LL_API void ll_separation_clear(ll_separation *separation);

/* LL_DOMAIN: an entry outside the loss's domain (the row is named), columns that do not fit the classes, noise without
 * a bound, significant digits, the Ladder. Too many rows for the budget are no error: then lower is what is proved. */
LL_API LL_CHECK ll_status ll_separate(ll_separation *out, const ll_scorer *scorer, const ll_predictions *predictions,
                                      const ll_budget *budget, ll_error *error);

/* What a format lacks that is a bit smaller than the smallest. */
typedef struct {
    long bits;        /* the size that fails; 0: none does */
    int overflows;    /* a score is not finite; else two are too close */
    int32_t *witness; /* the labelling that overflows, or the two */
    char *score;      /* the number that both get, or "" */
} ll_separation_below;

/* The smallest float formats in which the scores of given predictions stay apart: by 2 tau with bounded noise, else at
 * all. Rounding can separate by chance (docs/errata.md), so "stay" means this size and every larger one of the sweep.
 */
typedef struct {
    size_t size;
    void *whole;         /* private */
    long fraction;       /* fraction bits, the exponent large enough; 0: none of the sweep */
    long exponent;       /* exponent bits with that fraction */
    long phi;            /* of the formats fpa:PHI */
    long first_fraction; /* the smallest fraction at which they are apart at all */
    long sweep;          /* fraction sizes 1 .. sweep were scored */
    double needed;       /* log2(largest score / gap): what the fraction must resolve */
    double paper_phi;    /* what prop:APAFPA asks for, of the exact gap */
    ll_separation_below fraction_below, exponent_below, phi_below;
} ll_separation_bits;

#define ll_separation_bits_init(bits) LL_INIT(ll_separation_bits, bits)
LL_API void ll_separation_bits_clear(ll_separation_bits *bits);
/* The scorer's arithmetic is not looked at. LL_UNABLE where scoring all labellings in all formats takes longer. */
LL_API LL_CHECK ll_status ll_separate_bits(ll_separation_bits *out, const ll_scorer *scorer,
                                           const ll_predictions *predictions, const ll_budget *budget, ll_error *error);

/* A set function f on N elements, as the table of its 2^N values: bit i of the place is element i. */
typedef struct {
    size_t size;
    void *whole; /* private */
    long elements;
    ll_number gap, largest_noise; /* least difference of two values, and half of it */
    int separable;                /* gap >= 2 noise; without noise, gap > 0 */
    uint32_t witness[2];          /* two sets that attain it */
    int monotone;                 /* is f(A) <= f(B) for all A within B? */
    uint32_t decreasing[2];       /* where not: a set, and one more element, with a smaller value */
    ll_number marginal;           /* least |f(B + element) - f(B)|: thm:separability_monotonic, corrected */
    uint32_t marginal_sets[2];
    ll_number range, bounded_monotone, pigeonhole; /* greatest - least value; over N (none where not monotone); over
                                                      2^N - 1 */
} ll_table_separation;

#define ll_table_separation_init(table) LL_INIT(ll_table_separation, table)
LL_API void ll_table_separation_clear(ll_table_separation *table);
/* count = 2^N, N = 1 .. 24; noise: a number above 0 as text, or NULL. LL_DOMAIN else. LL_UNABLE where the numbers do
 * not fit into the budget's memory. */
LL_API LL_CHECK ll_status ll_separate_table(ll_table_separation *out, const ll_exact *values, long count,
                                            const char *noise, const ll_budget *budget, ll_error *error);

/* ------------------------------------------------------------------ inference from honest scores */

/* Scores of the same rows under predictions that nobody designed: an honest model's, or one model's epoch by epoch. */
typedef struct ll_evidence ll_evidence;

/* The settings "rows" and "classes" must be set; where an answer has several numbers, all of them count. LL_DOMAIN for
 * unbounded noise, and for a Ladder without a start: nothing can be excluded. Of a release by levels, all answers of one
 * account are added in the order in which they were given.
 */
LL_API LL_CHECK ll_status ll_evidence_create(ll_evidence **out, const ll_scorer *scorer, ll_error *error);
LL_API void ll_evidence_destroy(ll_evidence *evidence);

/* One more set of predictions and the score that it got, as text: every digit counts. LL_DOMAIN names the row, or what
 * is wrong with the score or the shape. */
LL_API LL_CHECK ll_status ll_evidence_add(ll_evidence *evidence, const ll_predictions *predictions, const char *score,
                                          ll_error *error);

typedef enum {
    LL_METHOD_AUTO,
    LL_METHOD_EXHAUSTIVE, /* every labelling is looked at */
    LL_METHOD_MEET,       /* meet in the middle: every labelling that fits is found */
    LL_METHOD_LATTICE,    /* lattice reduction and enumeration: all that fit where it ends, else one that is likely */
    LL_METHOD_LINEAR,     /* as many scores as rows: linear algebra, proved */
    LL_METHOD_STATES      /* counts and ranks of two classes: labellings are counted by the sums that decide */
} ll_method;

typedef struct {
    size_t size;
    void *whole;          /* private */
    ll_verdict *verdict;  /* of the inference: labels that are certain, or likely where is_likely; without a gap */
    ll_method method;     /* the one that gave the answer */
    int is_likely;        /* verdict.certain labels are proved, mostly 0; all are right with `probability` */
    char *count;          /* how many labellings fit, in decimal; NULL where that is not known */
    int is_most;          /* does count only bound them from above? */
    double spurious_bits; /* log2 of the number of wrong labellings that a Gaussian model expects to fit */
    double probability;   /* of the labels given: 1 where proved */
    double score_bits;    /* that the scores carried in all */
    long kept;            /* labellings listed, as examples, of those that fit (or the likely one) */
    int32_t *labellings;  /* kept * rows */
} ll_inference;

#define ll_inference_init(inference) LL_INIT(ll_inference, inference)
LL_API void ll_inference_clear(ll_inference *inference);

/* The labels behind the scores. LL_DOMAIN where the scores have so few digits that they were not released as the scorer
 * says. LL_UNABLE, with what would be needed, where that is over the budget's memory or seconds. */
LL_API LL_CHECK ll_status ll_evidence_infer(const ll_evidence *evidence, ll_inference *out, ll_method method,
                                            const ll_budget *budget, ll_error *error);

/* ------------------------------------------------------------------ descriptions that do not fit */

/* Scores that no labelling explains: the scorer is not what it was said to be. What else would fit? Other descriptions
 * are tried, by decoding the same scores again: a percentage, a negation, other digits, a root, another clip, one
 * column, other arithmetic, fewer rows. They are suggestions: no label is taken from them. */
typedef struct {
    char settings[120]; /* what changes, name=value, separated by spaces: "decimals=4" */
    char why[240];      /* a clause or two for people */
    int proved;         /* were labels found that explain the scores? Else their size speaks for it, or their digits */
} ll_redescription;

typedef struct {
    size_t size;
    const ll_plan *plan;               /* whose first `count` queries got the scores; NULL: honest predictions */
    const ll_predictions *predictions; /* without a plan: one a score */
    const char *const *scores;         /* as text */
    long count;
    int explained; /* some labelling explains the scores: only digits that contradict the description are looked at */
    const ll_budget *budget;   /* NULL: the default; a quarter of its seconds is used, 20 at most */
    const ll_verdict *verdict; /* of a plan's decoder, for `chance`; NULL: not at hand */
} ll_refit_request;

#define ll_refit_request_init(request) LL_INIT(ll_refit_request, request)

typedef struct {
    size_t size;
    void *whole;            /* private */
    ll_redescription *fits; /* those that change least; fit_size bytes apart */
    long fit_count;
    size_t fit_size;
    char note[320]; /* what else the scores show (answers that are repeated): a sentence, or "" */
    double chance;  /* that a wrong description would explain such scores as well, about; NAN: not known */
} ll_refit;

#define ll_refit_init(refit) LL_INIT(ll_refit, refit)
LL_API void ll_refit_clear(ll_refit *refit);
/* *out must be initialised; what it held is cleared. Where time runs out, *out has what was found by then. */
LL_API LL_CHECK ll_status ll_refit_find(ll_refit *out, const ll_scorer *scorer, const ll_refit_request *request,
                                        ll_error *error);

/* ------------------------------------------------------------------ audit */

/* What no method can exceed against a scorer (docs/proofs/audit.md). Labels are uniform, drawn from its prior, or
 * uniform among those that have the class counts that were told (docs/proofs/told-counts.md). */
typedef struct {
    double bits_per_query;       /* that one answer can tell in all, whatever is asked */
    double bits_per_query_fixed; /* where all queries are fixed before the first answer */
    double label_bits;           /* of all labels */
    double min_queries;          /* for all labels, by any method; infinity: no number is enough */
    double min_queries_fixed;    /* by any fixed set of queries */
    double max_share;            /* expected share of right labels within the limit, by any method */
    double epsilon, delta;       /* label-differential privacy of all answers within the limit; infinity: none */
    double private_share;        /* success on one label that this leaves, at most; 1: no noise */
    double reach;                /* the most that the loss of one row depends on its label; may be infinite */
    double sensitivity;          /* the most that one label moves the score */
} ll_audit_bound;

/* An attack that was run against simulated curators, and what it got. */
typedef struct {
    const char *attack; /* a code's name or one of the table, "random designs" for one */
    long runs;    /* sets of labels that it was run against, or labellings or counts looked at; 0: a forecast */
    double share; /* of right labels: the mean */
    double error; /* its standard error; 0 where all were looked at */
} ll_tried;

enum { LL_TRIED = 10 };

/* A setting that would bring the leak down, what it costs and what is left. */
typedef struct {
    const char *kind;      /* "laplace", "gaussian", "decimals", "query-limit", "clip", "ladder" */
    const char *unit;      /* what `setting` is: "scale", "sigma", "decimals", "queries", "clip", "step" */
    double setting;        /* NAN: there is none that does it */
    double scale;          /* of the Laplace noise that goes with a clip, else as `setting` for noise, else 0 */
    double queries;        /* answers that it is meant for */
    double epsilon, delta; /* label-differential privacy over all of them; infinity: none */
    double share;          /* the best attack against it: expected or simulated share of right labels */
    double bound;          /* what no attack can exceed */
    int verified; /* leaks is LL_FALSE, and attacks were run against simulated curators with this setting (`tried`) */
    ll_tried tried[LL_TRIED];
    long tried_count;
    double error; /* standard deviation that it adds to a score */
    double noise_over_sampling_error;
    double distance; /* two models must be so far apart to be told apart, 19 times of 20 */
    char note[320];
    char settings[160]; /* the settings that make it, name=value, separated by spaces; "" where none was found */
    int proved;         /* bound <= the target: no attack gets more */
    long place; /* among releases to propose, from 1: those with a proof first, then the cheapest; 0: none of them */
    int follows_labels; /* of F1: noise follows what each label moves with the others as they are */
    double target;      /* the share that it was set for: the audit's, or that of the epsilon that was asked for */
    ll_truth leaks;     /* as in ll_audit, of the scorer with this setting; LL_UNKNOWN where that was not looked at */
    double sensitivity; /* the most that one label moves the score that noise is added to; NAN: not looked at */
} ll_defence;

/* A release that an audit proposes, in words. The texts live as long as the audit. */
typedef struct {
    const char *change; /* what to change: "Add Gaussian noise of standard deviation 0.0282 to every score." */
    const char *effect; /* what that is good for, and whether it is proved */
    const char *cost;
    const char *check;  /* the command that checks it, which exits with status 0 */
    const char *python; /* the release as code, where there is code for it: noise is drawn in integers, the numbers are
                           for this scorer, and whatever is refused is refused before a label is read; "" else */
    int proved;
    int recommended; /* among the few that reports show; the others are for those who ask for all (`defend`) */
    long defence;    /* its place among the defences of the audit */
} ll_proposal;

/* What hiding which rows are scored is worth (docs/proofs/public.md). */
typedef struct {
    long rows, scored;                /* in total, and in the public split */
    double known;                     /* submissions that read the split where it is known; NAN: no certified plan */
    double hidden, unsized;           /* where it is hidden, and where even its size is */
    double known_bound, hidden_bound; /* no method needs fewer */
    double state_bits;                /* of splits and labels */
    char *text;                       /* some sentences */
} ll_public_split;

typedef enum {
    LL_REGIME_ONE_QUERY,   /* one score gives every label */
    LL_REGIME_EXACT,       /* a finite certified plan exists */
    LL_REGIME_STATISTICAL, /* only averaging works */
    LL_REGIME_BOUNDED      /* no attack can beat the target */
} ll_regime;

typedef struct {
    size_t size;
    double target_share;     /* 0: 5 points above guessing */
    double epsilon;          /* of the noise proposed; 0: what keeps success on a label at the target */
    double delta;            /* 0: 1e-6 */
    long default_queries;    /* what defences are priced for where the scorer has no limit; 0: 1000 */
    int without_defences;    /* none are looked for */
    uint64_t seed;           /* of simulated curators; 0: the scorer's */
    const ll_budget *budget; /* NULL: the default */
    int combinations;        /* defences in combinations, too */
    double target_bits; /* that all answers together may tell about the labels, in place of target_share; 0: none */
    int proofs_only;    /* limits and defences by proof: no code is planned, no attack is run */
} ll_audit_request;

#define ll_audit_request_init(request) LL_INIT(ll_audit_request, request)

typedef struct {
    size_t size;
    void *whole; /* private */
    long rows, classes;
    double queries; /* limit; infinity: none */
    ll_regime regime;
    ll_plan_choice *choices; /* one a code of the table, choice_size bytes apart */
    long choice_count, best; /* best: -1 where no code serves */
    size_t choice_size;
    double average_share; /* what averaging reaches within the limit; 0 where it has no use */
    double share;         /* of right labels, by the best known attack within the limit, the rest guessed */
    double guess;         /* share that guessing gets */
    double target_share;
    double epsilon, delta; /* asked of the noise proposed */
    ll_truth leaks; /* LL_TRUE: share > target_share. LL_FALSE: the limit is below it (proved), or every kind of attack
                       that serves this release was run and fell short. LL_UNKNOWN: neither */
    int proved;     /* bound.max_share <= target_share */
    ll_tried tried[LL_TRIED]; /* run where plans alone do not settle it */
    long tried_count;
    double sampling_error; /* of the score of a middling model at that many rows; NAN: not known */
    ll_audit_bound *bound; /* of the audit, as `choices` and `defences` are */
    ll_defence *defences;  /* defence_size bytes apart */
    long defence_count;
    size_t defence_size;
    char verdict[640];     /* a sentence or two */
    char assumptions[240]; /* what the bounds assume of labels and noise */
    /* Where failures are free: do labels decide whether a submission fails? Then no limit holds, and reading all labels
     * takes so many submissions that fail, uncounted, and so many that are counted, on average; NAN: it is not known
     * how. */
    ll_truth failures_tell;
    double failed_submissions, counted_submissions;
    char failures[400]; /* a sentence or two; "": failures are counted, or tell nothing */
    /* Several numbers in one answer: how many, the bits that they could tell one by one (bound has those that they tell
     * together), the one to stop showing first, what the best attack and any method take without it (infinity: no
     * attack is planned), and a sentence or two; "": there is one, or it is one metric. */
    long numbers;
    double sum_bits, queries_without, min_queries_without;
    char stop_first[120];
    char several[640];
    char alone[80]; /* the number that gives most away by itself: choices and tried are of attacks on it; "": of attacks
                       on the answer */
    char *answer; /* the first sentences of every report, for somebody who is no mathematician */
    char *noise;  /* whether the noise that is there is enough, and whether any noise can do it; "": nothing to say */
    long proposal_count;    /* releases to propose, best first: ll_audit_get_proposal */
    ll_proposal *proposals; /* private */
    double honest_range; /* the setting honest; else what separates the score of a perfect model from that of one that
                            knows only the shares of the classes; NAN: not known. Noise that hides it is not proposed */
    ll_public_split *split; /* where the score is over a public split (setting "public"): the audit is of the split, as
                               whoever knows it sees it; else NULL */
    char *assumed_arithmetic; /* "fp64": of the scorer */
    char *assumed_prior;      /* "balanced", the shares of the classes, or "counts N0,N1,..." */
} ll_audit;

#define ll_audit_init(audit) LL_INIT(ll_audit, audit)
LL_API void ll_audit_clear(ll_audit *audit);

/* NULL outside 0..proposal_count-1. */
LL_API const ll_proposal *ll_audit_get_proposal(const ll_audit *audit, long index);

/* The setting "rows" must be set. *out must be initialised; what it held is cleared. LL_DOMAIN for a scorer whose parts
 * do not fit together, a public split of unknown size, or a target that is none. */
LL_API LL_CHECK ll_status ll_audit_run(ll_audit *out, const ll_scorer *scorer, const ll_audit_request *request,
                                       ll_error *error);

/* The bounds alone, for another limit (queries: infinity for none). */
LL_API LL_CHECK ll_status ll_audit_limit(ll_audit_bound *out, const ll_scorer *scorer, double queries, size_t size,
                                         ll_error *error);
#define ll_audit_limit(out, scorer, queries, error) ll_audit_limit(out, scorer, queries, sizeof(ll_audit_bound), error)

/* The greatest expected share of right labels that answers of `bits` bits in all allow, whatever was asked; and the
 * bits that keep the share at or below `share`. LL_DOMAIN as ll_audit_run. */
LL_API LL_CHECK ll_status ll_audit_share_of_bits(double *share, const ll_scorer *scorer, double bits, ll_error *error);
LL_API LL_CHECK ll_status ll_audit_bits_of_share(double *bits, const ll_scorer *scorer, double share, ll_error *error);

/* ------------------------------------------------------------------ the price of an answer */

/* What one answer of a release by levels costs a ledger, in bits: -log2 of its probability under a code that is fixed
 * beforehand (docs/proofs/levels.md, Theorem 2). The probabilities of all answers to one submission sum to at most 1,
 * so everything that is shown tells at most B bits of the labels where prices sum to at most B, whatever the metric is
 * and however submissions are chosen. A ledger adds up the prices of all accounts, and refuses a submission before it
 * is scored unless ll_answer_most still fits.
 *
 * The answer climbs `climbed` of the `left` levels above the best one that was shown so far; 0: no improvement. A
 * submission is expected to improve with probability `rate`, by one level half of the time, by two levels a quarter of
 * the time, and so on; the last level takes what is left over. Rounded up; 0 where no level is left. NAN unless
 * 0 < rate < 1 and 0 <= climbed <= left. */
LL_API double ll_answer_price(double rate, long climbed, long left);
/* The price of the most expensive answer: what the ledger must still have before it scores a submission. */
LL_API double ll_answer_most(double rate, long left);

/* ------------------------------------------------------------------ inspection of a submission */

typedef enum {
    LL_FINDING_NONE,     /* no mark of a construction */
    LL_FINDING_CONSTANT, /* every row is the same: its score tells the class counts, nothing else */
    LL_FINDING_CODED     /* looks built to read labels: `why` says by which mark */
} ll_finding;

/* Does a set of predictions look built to read labels, and how much could its score give away? The figures hold for
 * any labels (uniform, or drawn from the scorer's prior); docs/proofs/audit.md. */
typedef struct {
    size_t size;
    void *whole; /* private */
    ll_finding finding;
    double bits;        /* that the released score of these predictions can tell about the labels: the least of the
                           three below */
    double label_bits;  /* log2 of the number of sums of losses that the labels can make */
    double value_bits;  /* log2 of the number of scores that can be told apart; infinity without noise or rounding */
    double spread_bits; /* by the variance of the score: entropy, or capacity under random noise */
    long rows, classes;
    long neutral;        /* rows whose loss is the same with every label */
    long different;      /* different sizes of weights of the others */
    double unit;         /* of which all weights are multiples, where that is the mark; else 0 */
    const char *mark;    /* "none", "constant", "lattice", ...: docs/proofs/audit.md lists them */
    char *why;           /* a sentence or two */
    double blind_score;  /* expected where labels owe nothing to the predictions (uniform, or from the prior), before a
                            release changes it */
    double blind_spread; /* its standard deviation */
    double constant_score;      /* the same of the shares of the classes as every row's answer; NAN: not known */
    double worse_than_constant; /* by how much the blind score is worse than that; NAN: not known */
} ll_inspection;

#define ll_inspection_init(inspection) LL_INIT(ll_inspection, inspection)
LL_API void ll_inspection_clear(ll_inspection *inspection);

/* Without the setting "rows" there are as many as predictions. LL_DOMAIN names the row: an entry outside the loss's
 * domain, a shape that does not fit. Takes rows * classes doubles of memory; LL_UNABLE where that is over the budget.
 */
LL_API LL_CHECK ll_status ll_inspect_predictions(ll_inspection *out, const ll_scorer *scorer,
                                                 const ll_predictions *predictions, const ll_budget *budget,
                                                 ll_error *error);

/* ------------------------------------------------------------------ histories */

/* Submissions of many accounts to one scorer, in the order in which they were made: which labels did their scores
 * determine, after which submission, for which account, and for accounts together; and which submissions look like
 * parts of a design? docs/investigate.md. */
typedef struct ll_history ll_history;

/* The settings "rows" and "classes" must be set. Scores of releases from which nothing is certain (unbounded noise, the
 * Ladder) are kept, and only marks are looked for. */
LL_API LL_CHECK ll_status ll_history_create(ll_history **out, const ll_scorer *scorer, ll_error *error);
LL_API void ll_history_destroy(ll_history *history);

/* One more submission; all texts are copied. name and account: for people. time: NULL where it is not known. score: as
 * text, every digit counts; NULL where it is not known. LL_DOMAIN names the row, or what is wrong with the score or the
 * shape. */
LL_API LL_CHECK ll_status ll_history_add(ll_history *history, const ll_predictions *predictions, const char *name,
                                         const char *account, const char *time, const char *score, ll_error *error);

/* One submission of a history. */
typedef struct {
    const char *name, *time, *score; /* as given */
    long account;
    long alone;       /* labels that its account's submissions determine, up to this one */
    long together;    /* that all submissions determine together, up to this one */
    int is_weak;      /* its predictions have nothing in common with those of the others */
    const char *mark; /* "none", "step", "design", or the mark that ll_inspect_predictions finds */
    const char *why;  /* a sentence, or NULL */
} ll_history_moment;

typedef struct {
    const char *name;
    long submissions;
    long marked;       /* of them, with a mark */
    long determined;   /* labels that its submissions determine alone */
    long shared;       /* labels that no account determines alone, and that a group determines of which it is one */
    int is_suspicious; /* some of its submissions only make sense as parts of a design */
    const char *why;   /* a sentence, or NULL */
} ll_history_account;

typedef struct {
    size_t size;
    void *whole; /* private */
    long rows, classes;
    ll_history_moment *moments; /* moment_size bytes apart */
    long moment_count;
    size_t moment_size;
    ll_history_account *accounts; /* account_size bytes apart */
    long account_count;
    size_t account_size;
    int32_t *labels;       /* [rows]: what the scores determine; -1: open */
    long *after;           /* [rows]: the first submission after which it was determined for `by`; -1: open */
    unsigned char *by;     /* [rows * account_count]: is the account one of those whose submissions determine it? */
    long determined;       /* rows with a label */
    long suspicious;       /* accounts */
    long contradicted;     /* the first submission whose score no labels explain together with those before; -1: none.
                              Then no label is called determined */
    int is_complete;       /* was every way tried? 0: so many submissions of so many rows that sums were not combined */
    char *untold;          /* why scores determine nothing here, a sentence; NULL: they may */
    char *verdict;         /* a sentence or two */
} ll_investigation;

#define ll_investigation_init(investigation) LL_INIT(ll_investigation, investigation)
LL_API void ll_investigation_clear(ll_investigation *investigation);

/* *out must be initialised; texts in it live as long as the history. LL_DOMAIN without a submission; LL_UNABLE where the
 * budget's seconds are over. */
LL_API LL_CHECK ll_status ll_history_investigate(const ll_history *history, ll_investigation *out,
                                                 const ll_budget *budget, ll_error *error);

/* ------------------------------------------------------------------ embedded data sets */

typedef struct {
    const char *name;
    long rows, classes;
    const long *counts; /* of each class, as published */
    const char *source;
} ll_dataset_info;

LL_API long ll_dataset_count(void);
LL_API const ll_dataset_info *ll_dataset_get_info(long index);
/* Fill labels[rows] with the data set's class counts in a seeded order (only the counts are real: no
 * attack depends on the order of rows). LL_DOMAIN for an unknown name, with the known ones. */
LL_API LL_CHECK ll_status ll_dataset_labels(int32_t *labels, long rows, const char *name, uint64_t seed,
                                            ll_error *error);

#ifdef __cplusplus
}
#endif
#endif
