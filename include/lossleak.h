/* lossleak: how many of the private labels behind a score does the released score reveal?
 *
 * The main header of liblossleak. Two more headers declare further parts of the same library: lossleak/history.h (the
 * investigation of many submissions) and lossleak/identify.h (finding out what a program releases by running it).
 * lossleak/model.h (networks), lossleak/paper.h (the paper's experiments, hardness) and lossleak/guard.h (a guard in
 * front of a scorer) belong to libraries of their own. All of them include this header.
 * Rules that hold for every function:
 *
 *   arguments   the handle that the function works on comes first, then outputs, then inputs, then scalars; the
 *               error comes last. A function that creates a handle or only fills a value has that output first
 *               (ll_plan_create, ll_audit_run); a method of a handle has the handle first (ll_curator_score).
 *               A length follows its array
 *   status      LL_OK, or the reason why there is no answer. The text for people is in the ll_error.
 *               On failure, outputs are unchanged unless the contract says otherwise
 *   ownership   handles come in pairs create/destroy, values in pairs init/clear; destroy and clear accept NULL and
 *               cleared values. Anything else that the library allocated is freed with ll_free. Strings given to the
 *               library are not copied unless the contract says so, and must outlive their user. A resolved scorer
 *               is kept alive by every handle made with it, so its creator may destroy it at any time
 *   sizes       structs may grow in later versions, and the library has to know which version a program was built with.
 *               So either a struct begins with `size`, which its init sets; or the function that fills it takes the
 *               size of the struct, which a macro with the function's name passes. (Other languages, which have no such
 *               macros, call ll_value_init(value, size) in place of every init, and pass the size themselves: it comes
 *               before the error, or last.)
 *               New fields are added at the end, so a program that does not know them keeps working. A field that is 0
 *               has its default. Rows of tables and elements of lists, which come by const pointer from a getter, may
 *               grow at the end too. These never grow: ll_error, ll_block, ll_predictions, ll_oracle, ll_number,
 *               ll_separation_below, ll_tried, ll_failures
 *   unknown     an unknown double is NAN. Infinity means: no limit, no bound, or that no number is enough. A missing
 *               index is -1. A missing text is NULL, or "" in an array of characters. A field that differs from this
 *               says so
 *   words       a label is one of the numbers 0 .. classes-1. A labelling is one label for every row. It explains
 *               scores, or fits, if the scorer as described can release these scores for it
 *   settings    a contract that names a setting ("rows") means ll_scorer_set and ll_scorer_get with that name
 *   budget      NULL is the default. A call that takes a request has its budget there; any other call takes it as
 *               the last argument before the error
 *   threads     there is no global state; one handle belongs to one thread at a time
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
    LL_UNABLE, /* there may be such a value, but it was not found within the precision or the budget */
    LL_MEMORY, /* an allocation failed */
    LL_SYSTEM  /* a file or a process failed */
} ll_status;

typedef enum { LL_FALSE = 0, LL_TRUE = 1, LL_UNKNOWN = 2 } ll_truth;

/* A message for people. A NULL ll_error * is allowed everywhere; the text is then dropped. */
typedef struct {
    ll_status status;
    char text[480];
} ll_error;

/* Set *error to a status and a printf-style text; returns the status. Text that does not fit is cut, and
 * control characters become question marks, so the text is always one line. */
LL_API ll_status ll_fail(ll_error *error, ll_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The version of this header. ll_version() returns the version of the library as text: "0.3.0". */
#define LL_VERSION_MAJOR 0
#define LL_VERSION_MINOR 3
#define LL_VERSION_PATCH 0
#define LL_VERSION_AT_LEAST(major, minor)                                                                              \
    (LL_VERSION_MAJOR > (major) || (LL_VERSION_MAJOR == (major) && LL_VERSION_MINOR >= (minor)))

LL_API const char *ll_version(void);

/* Free memory that a function of the libraries allocated, where its contract says so. NULL is allowed. */
LL_API void ll_free(void *memory);

/* Fill the value with zeros and store its size in front. The macros ll_X_init call this. */
LL_API void ll_value_init(void *value, size_t size);

#define LL_INIT(type, value) ll_value_init(1 ? (value) : (type *)0, sizeof(type))

/* A number as a double, and as text where a double is not precise enough. */
typedef struct {
    double value; /* the nearest double; of a bound, the next one on the safe side; NAN where there is none */
    char *text;   /* NULL where there is none */
} ll_number;

/* ------------------------------------------------------------------ budgets */

/* The resources that a call may use. A NULL budget, or 0 in a field, means the default. A call either predicts what it
 * needs and refuses with LL_UNABLE, or it stops when the budget is used up and says so; its contract says which. */
typedef struct {
    size_t size;
    double memory;  /* in bytes; default 8 GiB */
    double seconds; /* default 600; then ll_audit_run ends with LL_UNABLE */
    int threads;    /* that searches may use; default: all processors */
    /* Both functions are called by the thread that made the call, never by one of its searches, so they may use what
     * that thread may. progress: called with the progress so far (by ll_attack_run after every query). */
    void (*progress)(void *self, long done, long total);
    /* Return nonzero to stop the call, which then ends with LL_UNABLE. Called by ll_attack_run after every query, by
     * ll_audit_run after every attack that it runs, and by ll_hardness_decide all the time. */
    int (*stop)(void *self);
    void *self; /* first argument of both functions */
} ll_budget;

#define ll_budget_init(budget) LL_INIT(ll_budget, budget)

/* A budget for a single call: LL_BUDGET(.memory = 1e9, .seconds = 60). */
#ifndef __cplusplus
#define LL_BUDGET(...) (&(const ll_budget){.size = sizeof(ll_budget), __VA_ARGS__})
#endif

/* ------------------------------------------------------------------ predictions */

/* A rational number mantissa * 2^a * 5^b with integers of any size: every decimal and every hexadecimal
 * floating-point number that can be written down, with an exponent of any length. */
typedef struct ll_exact ll_exact;

typedef enum { LL_ENTRIES_DOUBLE, LL_ENTRIES_FLOAT, LL_ENTRIES_EXACT } ll_entries;

/* Consecutive rows of predictions, stored row by row. Exactly one of the three pointers is set;
 * `entries` says which. It points either into the block's own storage or into memory of the source
 * (a mapped file). In both cases it is valid until the next get with this block or until its clear. */
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

/* Reserve storage for rows x columns entries in the block and make the block point at it. The returned
 * array may be written to; it is NULL if memory runs out or the size overflows. New exact entries are
 * 0; entries left from an earlier use of the block keep their storage and have an unspecified value. */
LL_API double *ll_block_reserve_doubles(ll_block *block, long rows, long columns);
LL_API float *ll_block_reserve_floats(ll_block *block, long rows, long columns);
LL_API ll_exact *ll_block_reserve_exacts(ll_block *block, long rows, long columns);

/* Read entry `index` of an array of exact numbers from text: decimal ("0.25", "-1e-400000000000000000000")
 * or hexadecimal ("0x1.8p-123"). All of the first `length` characters are read, and blanks are not allowed.
 * LL_DOMAIN for anything else, including infinities and NaN. */
LL_API LL_CHECK ll_status ll_exact_read(ll_exact *array, long index, const char *text, size_t length);

/* Write the number as text from which ll_exact_read reads the same number: hexadecimal if it is dyadic, else
 * decimal. Free it with ll_free; NULL if memory runs out. */
LL_API char *ll_exact_write(const ll_exact *array, long index);

/* The nearest double, ties to even. Overflow gives infinity, underflow gives zero. */
LL_API double ll_exact_double(const ll_exact *array, long index);

/* A source of predictions: a file, a plan, the outputs of a model. Any block can be read at any time. */
typedef struct {
    void *self;
    long rows, columns; /* columns: 1 (for class 1; for accuracy the label itself) or one per class */
    ll_entries entries; /* the kind of numbers that `get` returns */
    /* Rows first .. first+count-1, 0 <= first, count >= 1, first+count <= rows. */
    ll_status (*get)(void *self, ll_block *out, long first, long count, ll_error *error);
    /* Write where row `row` comes from, for messages ("sub.csv:18"); may be NULL. */
    void (*where)(void *self, char *text, size_t size, long row);
} ll_predictions;

/* ------------------------------------------------------------------ metrics */

typedef struct {
    const char *name;      /* value of the setting "metric"; "norm:ALPHA" if it takes a parameter */
    const char *input;     /* "probability", "logit", "label" or "number" */
    const char *when_one;  /* s(1, x), in the expression language of docs/expressions.md; "": not a sum of terms */
    const char *when_zero; /* s(0, x) */
    const char *weight;    /* what label 1 adds more than label 0: s(1, x) - s(0, x), simplified, for people */
    const char *reach;     /* the weights that some prediction has, without a clip, for people */
    const char *classes;   /* "2" or "2 or more" */
    const char *summary;   /* one line */
    const char *link;    /* how the sum of terms becomes the score: "mean" or "root" (the P-th root); otherwise what the
                          * score is computed from: "counts" of labels and predicted labels, "ranks" of predictions */
    const char *formula; /* for metrics of counts and ranks, for people; NULL: a sum of terms */
} ll_metric_info;

LL_API long ll_metric_count(void);
LL_API const ll_metric_info *ll_metric_get_info(long index); /* NULL outside 0..count-1 */

/* ------------------------------------------------------------------ scorers */

/* A scorer describes what is released and how it is computed: a metric in some arithmetic, its release, and the rows
 * behind it. It is made from settings, which have the same names and values as on the command line. It is resolved
 * once; from then on it does not change and may be shared between threads. */
typedef struct ll_scorer ll_scorer;

#define LL_SCORER_CELLS (1L << 48) /* most rows * classes; 2^14 bytes for each of them still fit into a size_t */

typedef struct {
    const char *name;     /* "noise" */
    const char *values;   /* for usage lines, "KIND:SIZE"; "" for a flag, whose values are "yes" and "no" */
    const char *standard; /* the default; "": there is none, or it depends on other settings */
    const char *group;    /* the heading under which help lists it */
    const char *example;  /* "bounded:0.01" */
    const char *meaning;  /* a sentence or two */
} ll_setting_info;

LL_API long ll_setting_count(void);
LL_API const ll_setting_info *ll_setting_get_info(long index); /* NULL outside 0..count-1 */

/* Create a scorer with the default settings (ll_setting_info): the mean log-loss as programs compute it, in double
 * precision, without noise or rounding. */
LL_API LL_CHECK ll_status ll_scorer_create(ll_scorer **out, ll_error *error);
LL_API void ll_scorer_destroy(ll_scorer *scorer);

/* Set one setting. The order does not matter: a profile ("scorer") is applied first, and if a setting is set more than
 * once, the last value counts. A value of NULL removes the setting. LL_DOMAIN says what the setting accepts, or that
 * the scorer is already resolved. */
LL_API LL_CHECK ll_status ll_scorer_set(ll_scorer *scorer, const char *name, const char *value, ll_error *error);

/* The current value, as text that the scorer owns: the one that was set, else the profile's, else the default. Without
 * a profile a metric is computed as the function of scikit-learn does it, its clip, columns and sum included, unless
 * the arithmetic is not fp64. NULL for an unknown setting and for one without a value. */
LL_API const char *ll_scorer_get(const ll_scorer *scorer, const char *name);

/* Set *is_usual to 1 if the setting has the value that it would have if it were not set, else to 0. LL_DOMAIN for an
 * unknown name, LL_MEMORY if memory runs out. */
LL_API LL_CHECK ll_status ll_scorer_is_usual(const ll_scorer *scorer, int *is_usual, const char *name);

/* The current value of a setting that is a whole number; 0 if it is not set. */
LL_API long ll_scorer_get_count(const ll_scorer *scorer, const char *name);

/* Numeric targets (the setting "targets"): their count, which is 0 if labels are classes; and the number that label
 * `label`, 0 .. count-1, stands for, as decimal text that is cut if `size` is too small. The scorer need not be
 * resolved. LL_DOMAIN if there is no such target. */
LL_API long ll_scorer_count_targets(const ll_scorer *scorer);
LL_API LL_CHECK ll_status ll_scorer_write_target(const ll_scorer *scorer, char *text, size_t size, long label,
                                                 ll_error *error);

/* A lower and an upper bound on every number that this scorer can release; infinite if no bound is known. Only for
 * resolved scorers. */
LL_API void ll_scorer_get_range(const ll_scorer *scorer, double *low, double *high);

/* A release by levels. Returns the count of levels above the baseline, 0 if the release is not by levels, and writes
 * the text of level `level` (0 is the baseline), "" if there is no such level, cut if `size` is too small. Only for
 * resolved scorers of one number. */
LL_API long ll_scorer_get_level(const ll_scorer *scorer, char *text, size_t size, long level);

/* Resolve the settings: work out what they mean together. LL_DOMAIN says why they contradict each other; the scorer may
 * then be changed and resolved again. `warning` (may be NULL) receives a text, or "", about a setting that is allowed
 * but needs attention (a phi whose convexity is not proved). Every function below needs a resolved scorer. */
LL_API LL_CHECK ll_status ll_scorer_resolve(ll_scorer *scorer, ll_error *warning, ll_error *error);

/* Copy the settings into a new scorer, which is not resolved and may be changed. */
LL_API LL_CHECK ll_status ll_scorer_copy(ll_scorer **out, const ll_scorer *scorer, ll_error *error);

/* Create a resolved scorer that differs in some settings. They follow the error, the only arguments that do: name,
 * value, name, value, ..., (char *)NULL. A value of NULL removes a setting. */
LL_API LL_CHECK ll_status ll_scorer_vary(ll_scorer **out, const ll_scorer *scorer, ll_error *error, ...);

/* The count of numbers in one answer. It is more than 1 if the setting "also" adds metrics, or if the metric itself
 * has several numbers (confusion-matrix). Each number has a scorer of its own, which lives as long as this one; NULL
 * outside 0..count-1. The texts of all numbers, separated by one blank, make one answer: ll_curator_score returns it
 * and ll_decoder_score reads it. Only for resolved scorers. */
LL_API long ll_scorer_count_numbers(const ll_scorer *scorer);
LL_API const ll_scorer *ll_scorer_get_number(const ll_scorer *scorer, long index);

/* Does a number of the answer turn predicted probabilities or logits into classes? Then the setting "threshold" says
 * how, and ties that it does not decide stay undecided in inferences and in the intervals of scores. Only for resolved
 * scorers. */
LL_API int ll_scorer_reads_classes(const ll_scorer *scorer);

typedef struct {
    const char *name;     /* "sklearn-1.2/log_loss" */
    const char *verified; /* the program and version that it was checked against, or "" */
    const char *summary;  /* one line */
    const char *source;   /* the file of the program's sources that the profile follows */
} ll_profile_info;

LL_API long ll_profile_count(void);
LL_API const ll_profile_info *ll_profile_get_info(long index);

/* ------------------------------------------------------------------ curators */

/* A released score. All three texts are decimal and allocated by the library. If an answer has several numbers, each
 * text has all of them, separated by one blank. */
typedef struct {
    size_t size;
    void *whole;         /* private */
    char *text;          /* what a simulated curator releases */
    char *lower, *upper; /* interval that contains the number which the real program releases; with unbounded
                            random noise, the interval that contains it before the noise is added */
} ll_score;

#define ll_score_init(score) LL_INIT(ll_score, score)
LL_API void ll_score_clear(ll_score *score);

typedef struct ll_curator ll_curator;

/* Create a curator: it keeps a copy of the n labels (0 .. classes-1) and scores predictions as *scorer says. LL_DOMAIN
 * for labels out of range. */
LL_API LL_CHECK ll_status ll_curator_create(ll_curator **out, const ll_scorer *scorer, const int32_t *labels, long n,
                                            ll_error *error);
LL_API void ll_curator_destroy(ll_curator *curator);

/* With the setting "public" only the rows of a hidden public split are scored. A curator draws the split with the
 * scorer's seed; this function chooses it instead: is_public[i] is nonzero for each row that is scored. LL_DOMAIN
 * if the setting "public" is not set, if n is not the number of labels, or if the setting does not allow that many
 * rows. */
LL_API LL_CHECK ll_status ll_curator_set_public(ll_curator *curator, const unsigned char *is_public, long n,
                                                ll_error *error);
/* Fill is_public[rows] with 1 for each row that is scored, else 0. */
LL_API void ll_curator_get_public(const ll_curator *curator, unsigned char *is_public);

/* Score one set of predictions. An answer counts as one query: it advances the noise, the Ladder and the query limit. A
 * submission that is refused because of its rows only counts against the limit, unless failures are free. Every entry
 * of every row is read, in blocks and in order, once; in exact arithmetic they are read again from row 0 if the first
 * precision could not decide rounding or the Ladder. LL_DOMAIN names the row: an entry that is not finite or outside
 * [0,1], or a row that must sum to 1 and does not. Otherwise it says that the score is not finite or that no query is
 * left. */
LL_API LL_CHECK ll_status ll_curator_score(ll_curator *curator, ll_score *out, const ll_predictions *predictions,
                                           ll_error *error);

/* The result for one set of predictions alone, independent of earlier answers. It is not a query and advances nothing.
 * For callers that keep accounts and draw noise themselves (lossleak/guard.h). */
typedef struct {
    long level;    /* the level that it reaches; 0: the baseline, or it fails, or the release has noise or no levels */
    double spread; /* the spread that proportional noise is scaled with, rounded up; 0 if there is no such noise */
    double *moves; /* set by the caller, [rows] or NULL: receives the most that the label of each row can move the
                      number before noise, whatever the other labels are, float errors included; it depends on no
                      label */
} ll_reach;

/* Only for scorers of one number. *out must be initialised with 0, except for moves. Errors as in ll_curator_score;
 * LL_DOMAIN also if moves are asked for and unknown for this metric. */
LL_API LL_CHECK ll_status ll_curator_reach(ll_curator *curator, ll_reach *out, const ll_predictions *predictions,
                                           size_t size, ll_error *error);
#define ll_curator_reach(curator, out, predictions, error)                                                             \
    ll_curator_reach(curator, out, predictions, sizeof(ll_reach), error)

/* ------------------------------------------------------------------ codes */

typedef struct {
    const char *name;      /* the name that requests use */
    const char *variants;  /* its variants, separated by blanks, the default first; a request names one as
                              "primes:c=sqrt"; "": none */
    const char *classes;   /* "2" or "2 or more" */
    const char *result;    /* the LaTeX label of the paper's result, "" if it is not in the paper */
    const char *guarantee; /* "proved" or "heuristic" */
    const char *weights, *gap, *bits, *cost; /* for people */
} ll_code_info;

LL_API long ll_code_count(void);
LL_API const ll_code_info *ll_code_get_info(long index); /* NULL outside 0..count-1 */

/* ------------------------------------------------------------------ plans */

/* The predictions of an attack, as a function: scorer -> code -> predictions of each query. */
typedef struct ll_plan ll_plan;

typedef enum {
    LL_GUARANTEE_CERTIFIED, /* every label that is returned is proved */
    LL_GUARANTEE_LIKELY,    /* labels are returned with a probability: random noise, statistical bounds */
    LL_CERTIFIED = 0,       /* the names of 0.2 */
    LL_LIKELY = 1
} ll_guarantee;

typedef struct {
    size_t size;
    const char *code; /* "powers", "primes:c=sqrt", ...; "auto" or NULL: the one that reads the most labels within
                         the limit of the setting "queries"; among equals the fewest queries, then the fewest bits */
    long block;       /* rows per query; 0: as many as the scorer's arithmetic, noise and reach allow */
    ll_guarantee guarantee;
    double failure; /* LL_GUARANTEE_LIKELY: greatest probability that any label is wrong; 0: 1e-6 */
    long queries;   /* only for the code hadamard: how many queries; 0: as many as the scorer's limit allows, or
                       without a limit as many as guarantee and failure need */
    long repeats;   /* how often each query is asked under random noise; 0: so often that the plan has the fewest
                       queries in total */
    const ll_budget *budget; /* NULL: the default */
} ll_plan_request;

/* The default request: the code auto, certified labels. */
#define ll_plan_request_init(request) LL_INIT(ll_plan_request, request)

/* The setting "rows" must be set. LL_DOMAIN if the code does not apply to the scorer; the text has the largest noise
 * and size that would fit. For "auto" it is the text of the simplest code: powers for two classes, paper-multiclass
 * for more. LL_UNABLE if the plan needs more than the budget's memory or seconds; the text says how much. */
LL_API LL_CHECK ll_status ll_plan_create(ll_plan **out, const ll_scorer *scorer, const ll_plan_request *request,
                                         ll_error *error);
LL_API void ll_plan_destroy(ll_plan *plan);

typedef struct {
    const char *code;   /* with its variant */
    const char *writer; /* how weights become numbers */
    long rows, classes, columns, block, queries;
    ll_entries entries;
    double score_bits; /* bits that all scores together must carry */
    double unit_bits;  /* log2 of the amount that weight 1 adds to rows * score */
    ll_guarantee guarantee;
    double allowed; /* LL_GUARANTEE_LIKELY: the requested probability of failure; 0 if certified */
    long repeats;   /* how often each query is asked; `queries` counts all repetitions */
    double share;   /* expected share of right labels among those that it reads; 1 for every code but hadamard */
    double failure; /* probability that some label will be wrong, an estimate for hadamard; 0 if certified */
    long labels;    /* labels that its queries read; fewer than rows if a limit on queries leaves no room for the
                       others, or if the plan cannot read some groups of rows */
} ll_plan_info;

LL_API void ll_plan_get_info(const ll_plan *plan, ll_plan_info *out, size_t size);
#define ll_plan_get_info(plan, out) ll_plan_get_info(plan, out, sizeof(ll_plan_info))

/* The result of planning one code for one scorer. */
typedef struct {
    const char *code; /* its name */
    ll_status status; /* LL_OK, or the code does not apply: `why` has the reason */
    ll_guarantee guarantee;
    double labels_per_query; /* rows / queries */
    long queries;            /* for all labels */
    long block;              /* rows per query in that plan */
    double score_bits;       /* bits that all scores together must carry */
    long recovered;          /* labels read within the limit: all of them if there is no limit; for the code hadamard
                                the number that is expected to be right */
    long limit_block;        /* rows per query of the plan that reads `recovered` labels */
    char why[480];
} ll_plan_choice;

/* Plan every code of the table: choices[ll_code_count()], in the table's order. request->code is ignored. */
LL_API LL_CHECK ll_status ll_plan_compare(ll_plan_choice *choices, const ll_scorer *scorer,
                                          const ll_plan_request *request, size_t size, ll_error *error);
#define ll_plan_compare(choices, scorer, request, error)                                                               \
    ll_plan_compare(choices, scorer, request, sizeof(ll_plan_choice), error)
/* The index of the choice that reads the most labels within the limit; among equals, the fewest queries for all labels;
 * -1: none. */
LL_API long ll_plan_choose(const ll_plan_choice *choices, long count, size_t size);
#define ll_plan_choose(choices, count) ll_plan_choose(choices, count, sizeof(ll_plan_choice))
/* Set queries[i] to the number of queries that the code needs to read the labels of rows[i] rows (1 .. the setting
 * "rows"); the other rows are not read. */
LL_API LL_CHECK ll_status ll_plan_count(long *queries, const long *rows, long count, const ll_scorer *scorer,
                                        const ll_plan_request *request, ll_error *error);

/* Write a digest of everything that the predictions depend on, as text of fewer than `size` characters. Two plans with
 * the same digest make the same predictions. */
LL_API void ll_plan_digest(const ll_plan *plan, char *text, size_t size);

/* The predictions of query `query`, 0 .. queries-1 (ll_plan_get_info), as everywhere below. The plan must outlive them.
 * There is nothing to free. LL_DOMAIN for a query that the plan does not have. */
LL_API LL_CHECK ll_status ll_plan_predictions(const ll_plan *plan, ll_predictions *out, long query, ll_error *error);

/* ------------------------------------------------------------------ decoding */

/* With more classes than this (numeric targets on a long grid) a verdict does not list the possible labels of a row one
 * by one. It has only the least and the greatest of them (`lowest`, `highest`). */
#define LL_LISTED_CLASSES 65536

typedef enum {
    LL_VERDICT_UNIQUE,    /* proved: exactly one labelling explains the scores under the stated bounds */
    LL_VERDICT_AMBIGUOUS, /* several may explain them: undecided rows have label -1 and list their candidates */
    LL_VERDICT_NONE,      /* none explains them: the scorer differs from its description */
    LL_UNIQUE = 0,        /* the names of 0.2 */
    LL_AMBIGUOUS = 1,
    LL_NONE = 2
} ll_verdict_kind;

typedef struct {
    size_t size;
    void *whole; /* private */
    ll_verdict_kind kind;
    long rows, classes;
    int32_t *labels;           /* [rows]; -1: undecided */
    unsigned char *candidates; /* [rows * classes]: nonzero for labels that are still possible; NULL where there are
                                  more than LL_LISTED_CLASSES classes */
    long certain;              /* rows whose label is proved */
    long queries;              /* scores read so far */
    ll_guarantee guarantee;    /* LL_GUARANTEE_LIKELY: labels that are not proved are returned too */
    double probability;        /* that every returned label is right: 1 if certified */
    double *shares;            /* [rows * classes]: the probability of each label; NULL if certified */
    /* These four belong to the query with the smallest margin, in units of the score. gap: the least difference between
     * the scores of two labellings. noise: the bound on the noise. rounding: the bound on what the curator's rounding
     * and the finite digits of the predictions can change. residual: the distance between the released score and the
     * score of the decoded labels. */
    ll_number gap, noise, rounding, residual;
    ll_number explains; /* LL_VERDICT_NONE: the least extra noise with which some labelling would fit, if known */
    long absent; /* with a hidden public split: this label, less than `classes`, means "this row is not scored"; 0:
                    every row is scored */
    double wrong_description;  /* approximate chance that a wrong description of the scorer would explain such scores
                                  too; NAN: not known, or nothing is certain */
    int32_t *lowest, *highest; /* [rows]: without candidates, the least and the greatest label that are possible; else
                                  NULL */
    int holds_between;         /* nonzero: a numeric target that lies between two numbers of the grid is less than a
                                  step off its certain label; 0: labels are certain if every target is on the grid */
} ll_verdict;

/* Every certain label is certain only if the description of the scorer is right. Usually a wrong description shows,
 * because no labelling explains the scores. Returns 1 if that is not to be expected here: wrong_description is above
 * 0.01 or not known. Otherwise 0, also if no label is certain or the labels are only likely. */
LL_API int ll_verdict_is_conditional(const ll_verdict *verdict);

#define ll_verdict_init(verdict) LL_INIT(ll_verdict, verdict)
LL_API void ll_verdict_clear(ll_verdict *verdict);

typedef struct ll_decoder ll_decoder;

LL_API LL_CHECK ll_status ll_decoder_create(ll_decoder **out, const ll_plan *plan, ll_error *error);
LL_API void ll_decoder_destroy(ll_decoder *decoder);

/* `stored` are the predictions of query `query` as the scorer receives them. *out passes every block of them on, and
 * the decoder records the values while all rows are read through *out in order. Watch one query at a time; `stored`
 * must outlive *out. */
LL_API LL_CHECK ll_status ll_decoder_watch(ll_decoder *decoder, ll_predictions *out, const ll_predictions *stored,
                                           long query, ll_error *error);

/* Take the score of the watched predictions, as text. Reads them once more if they were not read in order. LL_DOMAIN
 * for text that is not a finite number; then the query stays unanswered. */
LL_API LL_CHECK ll_status ll_decoder_score(ll_decoder *decoder, const char *score, ll_error *error);

/* The verdict of all scores so far. Rows whose queries have no score stay undecided. */
LL_API LL_CHECK ll_status ll_decoder_verdict(const ll_decoder *decoder, ll_verdict *out, ll_error *error);

/* ------------------------------------------------------------------ attacks */

/* Anything that returns scores: a simulated curator, a child process, a person. */
typedef struct {
    void *self;
    /* Set *score to the score of the predictions of query `query`, which counts from 0, as text allocated with
     * malloc. The caller of `ask` frees it with ll_free; ll_attack_run does. */
    ll_status (*ask)(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error);
} ll_oracle;

/* A curator as an oracle. The curator must outlive the oracle. */
LL_API ll_oracle ll_curator_oracle(ll_curator *curator);

/* Ask all queries of a plan, or as many as its scorer answers, and decode. Ends at the first score that no labelling
 * explains (LL_VERDICT_NONE); out->queries counts the scores read. Only progress and stop of the budget are used,
 * because memory and time depend on the plan and the oracle. LL_UNABLE if it was stopped; a failure of the oracle is
 * passed on. */
LL_API LL_CHECK ll_status ll_attack_run(const ll_plan *plan, ll_verdict *out, const ll_oracle *oracle,
                                        const ll_budget *budget, ll_error *error);

/* The effort of an attack that only observes which submissions fail, where failures are free (the setting
 * "failures"). */
typedef struct {
    long submissions; /* in total */
    long counted;     /* submissions that received a number; the others failed and were not counted */
    long labels;      /* labels that were read */
} ll_failures;

/* Read labels from failures, where no plan reads them within the scorer's limit. LL_DOMAIN: failures are counted, or
 * labels do not decide them in a way that can be read. The oracle reports a failed submission with LL_DOMAIN; any other
 * status than LL_OK ends the attack. The labels are certain provided that only labels make a submission fail. */
LL_API LL_CHECK ll_status ll_attack_failures(const ll_scorer *scorer, ll_verdict *out, ll_failures *effort,
                                             const ll_oracle *oracle, const ll_budget *budget, ll_error *error);

/* ------------------------------------------------------------------ separability */

/* How far apart are the scores of two different labellings of given predictions, at least?
 *
 *   Lambda = min over sigma_1 != sigma_2 of |f(sigma_1) - f(sigma_2)|,    f the score after its transform
 *
 * In exact arithmetic f is the exact number. In fpa formats it is the number that this arithmetic computes. In native
 * floats it is the number of the real program, of which only an interval is known; `gap` is then the gap of the
 * simulated curator's numbers. */
typedef struct {
    size_t size;
    void *whole; /* private */
    long rows, classes;
    ll_number gap;           /* |f(witness 1) - f(witness 2)|; equals Lambda if `proved` */
    ll_number lower, upper;  /* an interval that contains Lambda: always proved */
    ll_number largest_noise; /* one score determines the labels under any noise below this: lower / 2 */
    int proved;              /* do lower and upper agree to a millionth? */
    ll_truth separable;      /* does one score determine the labels? That is Lambda > 0 without noise and rounding;
                                Lambda >= 2 tau with noise bounded by tau; Lambda > g with rounding to a grid g; and
                                Lambda >= 2 tau + g with both */
    char *threshold;         /* the condition on Lambda for `separable`, for people: "> 0", ">= 0.02" */
    const char *method;      /* the method that found it */
    long searched;           /* rows that had to be searched */
    int32_t *witness;        /* two labellings, each of `rows` labels */
    ll_number scores[2];     /* the scores of the two labellings */
    /* Upper bounds on Lambda (docs/proofs/bounds.md). */
    ll_number range;            /* of f over all labellings */
    ll_number pigeonhole;       /* range / (classes^rows - 1); only for sums of terms, like the next two */
    ll_number monotone;         /* the least change of f by the label of one row; absent if f is a root */
    ll_number bounded_monotone; /* range / rows */
    double label_bits;          /* log2 of the number of labellings */
    double score_bits; /* most bits that one score of this range can carry with this noise and rounding; infinity
                          without either */
    /* Metrics of counts and ranks with two classes, where bounds for sums do not apply and most labellings share their
     * score with another: the number of different scores (0: not counted), and the least difference between two. */
    double different;
    ll_number step;
} ll_separation;

#define ll_separation_init(separation) LL_INIT(ll_separation, separation)
LL_API void ll_separation_clear(ll_separation *separation);

/* LL_DOMAIN: an entry outside the metric's domain (the text names the row), columns that do not fit the classes, noise
 * without a bound, significant digits, or the Ladder. Too many rows for the budget are not an error: `lower` then has
 * what is proved. */
LL_API LL_CHECK ll_status ll_separate(ll_separation *out, const ll_scorer *scorer, const ll_predictions *predictions,
                                      const ll_budget *budget, ll_error *error);

/* Why a format with one bit fewer than the smallest sufficient one fails. */
typedef struct {
    long bits;        /* the size that fails; 0: none fails */
    int overflows;    /* nonzero: a score is not finite; 0: two scores are too close */
    int32_t *witness; /* the labelling that overflows, or the two labellings */
    char *score;      /* the score that both have, or "" */
} ll_separation_below;

/* The smallest float formats in which the scores of given predictions stay apart: by 2 tau with bounded noise, else by
 * any distance. Rounding can separate scores by chance (docs/errata.md), so "stay" means in this size and in every
 * larger one of the sweep. */
typedef struct {
    size_t size;
    void *whole;         /* private */
    long fraction;       /* fraction bits, with a sufficient exponent; 0: no size of the sweep */
    long exponent;       /* exponent bits with that fraction */
    long phi;            /* of the formats fpa:PHI */
    long first_fraction; /* the smallest fraction with which they are apart by any distance */
    long sweep;          /* fraction sizes 1 .. sweep were scored */
    double needed;       /* log2(largest score / gap): the resolution that the fraction needs */
    double paper_phi;    /* the phi that the paper's Proposition 3 requires for the exact gap */
    ll_separation_below fraction_below, exponent_below, phi_below;
} ll_separation_bits;

#define ll_separation_bits_init(bits) LL_INIT(ll_separation_bits, bits)
LL_API void ll_separation_bits_clear(ll_separation_bits *bits);
/* The scorer's arithmetic is ignored. LL_UNABLE if scoring all labellings in all formats takes longer than the
 * budget. */
LL_API LL_CHECK ll_status ll_separate_bits(ll_separation_bits *out, const ll_scorer *scorer,
                                           const ll_predictions *predictions, const ll_budget *budget, ll_error *error);

/* A set function f on N elements, as the table of its 2^N values: bit i of an index stands for element i. */
typedef struct {
    size_t size;
    void *whole; /* private */
    long elements;
    ll_number gap, largest_noise; /* least difference between two values, and half of it */
    int separable;                /* gap >= 2 * noise; without noise, gap > 0 */
    uint32_t witness[2];          /* two sets that attain it */
    int monotone;                 /* is f(A) <= f(B) for all A within B? */
    uint32_t decreasing[2];       /* if not monotone: a set, and that set with one more element, whose value is
                                     smaller */
    ll_number marginal;           /* least |f(B + element) - f(B)|: the paper's Theorem 8, corrected */
    uint32_t marginal_sets[2];
    ll_number range, bounded_monotone, pigeonhole; /* greatest - least value; range / N (absent if not monotone);
                                                      range / (2^N - 1) */
} ll_table_separation;

#define ll_table_separation_init(table) LL_INIT(ll_table_separation, table)
LL_API void ll_table_separation_clear(ll_table_separation *table);
/* count is 2^N with N = 1 .. 24; noise is a number above 0 as text, or NULL; otherwise LL_DOMAIN. LL_UNABLE if the
 * numbers do not fit into the budget's memory. */
LL_API LL_CHECK ll_status ll_separate_table(ll_table_separation *out, const ll_exact *values, long count,
                                            const char *noise, const ll_budget *budget, ll_error *error);

/* ------------------------------------------------------------------ inference from honest scores */

/* Scores of the same rows for predictions that were not designed: those of honest models, or of the epochs of one
 * model. */
typedef struct ll_evidence ll_evidence;

/* The settings "rows" and "classes" must be set. If an answer has several numbers, all of them are used. LL_DOMAIN for
 * unbounded noise and for a Ladder without a start, because then no labelling can be excluded. For a release by levels,
 * add all answers of one account in the order in which they were given. */
LL_API LL_CHECK ll_status ll_evidence_create(ll_evidence **out, const ll_scorer *scorer, ll_error *error);
LL_API void ll_evidence_destroy(ll_evidence *evidence);

/* Add a set of predictions and its score, as text: every digit counts. LL_DOMAIN names the row, or says what is wrong
 * with the score or the shape. */
LL_API LL_CHECK ll_status ll_evidence_add(ll_evidence *evidence, const ll_predictions *predictions, const char *score,
                                          ll_error *error);

typedef enum {
    LL_METHOD_AUTO,
    LL_METHOD_EXHAUSTIVE, /* every labelling is tried */
    LL_METHOD_MEET,       /* meet in the middle: every labelling that fits is found */
    LL_METHOD_LATTICE,    /* lattice reduction and enumeration: all labellings that fit if it finishes, else a likely
                             one */
    LL_METHOD_LINEAR,     /* linear algebra, and combinations of scores that see few rows: proved */
    LL_METHOD_STATES      /* counts and ranks of two classes: labellings are counted by the sums that determine the
                             score */
} ll_method;

typedef struct {
    size_t size;
    void *whole;          /* private */
    ll_verdict *verdict;  /* labels that are certain, or likely if is_likely is set; its gap is not set */
    ll_method method;     /* the method that found the answer */
    int is_likely;        /* nonzero: the labels are right with `probability`; only verdict->certain of them, mostly
                             none, are proved */
    char *count;          /* the number of labellings that fit, in decimal; NULL if it is not known */
    int is_most;          /* nonzero: count is only an upper bound */
    double spurious_bits; /* log2 of the number of wrong labellings that a Gaussian model expects to fit */
    double probability;   /* that the returned labels are right: 1 if proved */
    double score_bits;    /* bits that all scores carried together */
    long kept;            /* number of labellings in `labellings`: some that fit, or the likely one */
    int32_t *labellings;  /* [kept * rows] */
} ll_inference;

#define ll_inference_init(inference) LL_INIT(ll_inference, inference)
LL_API void ll_inference_clear(ll_inference *inference);

/* Infer the labels from the scores. LL_DOMAIN if the scores have fewer digits than the scorer's release would show.
 * LL_UNABLE if the budget's memory or seconds are not enough; the text says how much is needed. */
LL_API LL_CHECK ll_status ll_evidence_infer(const ll_evidence *evidence, ll_inference *out, ll_method method,
                                            const ll_budget *budget, ll_error *error);

/* ------------------------------------------------------------------ descriptions that do not fit */

/* If no labelling explains the scores, the scorer differs from its description. Other descriptions are then tried by
 * decoding the same scores again: a percentage, a negation, other digits, a root, another clip, one column, other
 * arithmetic, fewer rows. The ones that fit are suggestions: no label is taken from them. */
typedef struct {
    char *settings; /* the changed settings, name=value, separated by spaces: "decimals=4" */
    char *why;      /* a clause or two for people */
    int proved;     /* nonzero: labels that explain the scores were found; 0: only their size or digits suggest
                       it */
} ll_redescription;

typedef struct {
    size_t size;
    const ll_plan *plan;               /* the scores are those of its first `count` queries; NULL: of `predictions` */
    const ll_predictions *predictions; /* [count], without a plan: the predictions of each score */
    const char *const *scores;         /* [count], as text */
    long count;
    int explained;           /* nonzero: some labelling explains the scores, so only look for digits that contradict the
                                description */
    const ll_budget *budget; /* NULL: the default; a quarter of its seconds is used, 20 at most */
    const ll_verdict *verdict; /* of the plan's decoder, for `chance`; NULL: not available */
} ll_refit_request;

#define ll_refit_request_init(request) LL_INIT(ll_refit_request, request)

typedef struct {
    size_t size;
    void *whole;    /* private */
    void *fits;     /* private: ll_refit_get_fit */
    long fit_count; /* descriptions that fit, with the fewest changes */
    char *note;     /* another observation about the scores, such as repeated answers: a sentence, or NULL */
    double chance;  /* approximate chance that a wrong description would explain such scores too; NAN: not known */
} ll_refit;

#define ll_refit_init(refit) LL_INIT(ll_refit, refit)
LL_API void ll_refit_clear(ll_refit *refit);
/* One of the descriptions that fit; it lives as long as *refit. NULL outside 0..fit_count-1. */
LL_API const ll_redescription *ll_refit_get_fit(const ll_refit *refit, long index);
/* *out must be initialised; its old content is cleared. If time runs out, *out has what was found until then. */
LL_API LL_CHECK ll_status ll_refit_find(ll_refit *out, const ll_scorer *scorer, const ll_refit_request *request,
                                        ll_error *error);

/* ------------------------------------------------------------------ audit */

/* Proved limits that no method exceeds against a scorer (docs/proofs/audit.md). Labels are uniform, drawn from the
 * scorer's prior, or uniform among those with the known class counts (docs/proofs/told-counts.md). */
typedef struct {
    double bits_per_query;       /* most bits that one answer can reveal, for any query */
    double bits_per_query_fixed; /* the same if all queries are fixed before the first answer */
    double label_bits;           /* entropy of all labels */
    double min_queries;          /* fewest queries for all labels, for any method; infinity: no number is enough */
    double min_queries_fixed;    /* the same for any fixed set of queries */
    double max_share;            /* greatest expected share of right labels within the limit, for any method */
    double epsilon, delta;       /* label-differential privacy of all answers within the limit; infinity: none */
    double private_share;        /* greatest success probability on one label that epsilon allows; 1: no noise */
    double reach;                /* greatest difference that its label makes to the loss of one row; may be infinite */
    double sensitivity;          /* greatest change of the score by one label */
} ll_audit_bound;

/* An attack that was run against simulated curators, and its result. */
typedef struct {
    const char *attack; /* the name of a code or of a generic attack such as "random designs" */
    long runs;    /* how many sets of labels it was run against; or, if every case was examined, how many labellings or
                     class counts; 0: it was not run, and its share is a forecast */
    double share; /* mean share of right labels */
    double error; /* standard error of the mean; 0 if every case was examined */
} ll_tried;

enum { LL_TRIED = 10 };

/* A setting that would reduce the leak, its cost, and the leak that remains. */
typedef struct {
    const char *kind;      /* "laplace", "decimals", "query-limit", "clip", "levels", ... */
    const char *unit;      /* the meaning of `setting`: "scale", "sigma", "decimals", "queries", "clip", "step" */
    double setting;        /* NAN: no value is enough */
    double scale;          /* for a clip: the scale of the Laplace noise that goes with it; for noise: the same as
                              `setting`; else 0 */
    double queries;        /* number of answers that it is designed for */
    double epsilon, delta; /* label-differential privacy over all these answers; infinity: none */
    double share;          /* expected or simulated share of right labels of the best attack against it */
    double bound;          /* proved limit on the expected share of right labels of any attack */
    int verified; /* `leaks` is LL_FALSE, and attacks were run against simulated curators with this setting (`tried`) */
    ll_tried tried[LL_TRIED];
    long tried_count;
    double error; /* standard deviation of the noise that it adds to a score */
    double noise_over_sampling_error;
    double distance; /* difference between two models that is recognised 19 times out of 20 */
    char *note;      /* a sentence or two about it, or "" */
    char *settings;  /* the settings of the defence, name=value, separated by spaces; "" if none was found */
    int proved;      /* bound <= target */
    long place; /* rank among the proposed releases, from 1: proved ones first, then the cheapest; 0: not proposed */
    int follows_labels; /* F1 only: the noise is scaled to the change by one label with all other labels fixed */
    double target;      /* the share that it was designed for: the audit's, or the one that the requested epsilon
                           allows */
    ll_truth leaks;     /* as in ll_audit, for the scorer with this setting; LL_UNKNOWN if that was not examined */
    double sensitivity; /* greatest change by one label of the score before noise; NAN: not examined */
} ll_defence;

/* A release that an audit proposes, in sentences. The texts live as long as the audit. */
typedef struct {
    const char *change; /* what to change: "Add Gaussian noise of standard deviation 0.0282 to every score." */
    const char *effect; /* what the change achieves, and whether that is proved */
    const char *cost;   /* what the change costs an honest user */
    const char *check;  /* a command that checks it and exits with status 0 */
    const char *python; /* the release as Python code for this scorer; noise is drawn in integers, and a submission that
                           is refused is refused before any label is read; "" if there is no code for it */
    int proved;
    int recommended;       /* nonzero: one of the few that reports show; `defend` shows the others too */
    long defence;          /* its index among the defences of the audit */
    const char *notice;    /* what participants notice of it */
    const char *no_python; /* a sentence: why there is no code; "" if there is */
} ll_proposal;

/* The effect of hiding which rows are in the public split (docs/proofs/public.md). */
typedef struct {
    long rows, scored;                /* in total, and in the public split */
    double known;                     /* submissions that read its labels if the split is known; NAN: no certified
                                         plan */
    double hidden, unsized;           /* the same if the split is hidden, and if its size is hidden too */
    double known_bound, hidden_bound; /* proved lower bounds on `known` and `hidden` for any method */
    double state_bits;                /* entropy of the split and the labels */
    char *text;                       /* a few sentences */
} ll_public_split;

typedef enum {
    LL_REGIME_ONE_QUERY,   /* one score gives every label */
    LL_REGIME_EXACT,       /* a finite certified plan exists */
    LL_REGIME_STATISTICAL, /* only averaging works */
    LL_REGIME_BOUNDED      /* proved: no attack exceeds the target */
} ll_regime;

typedef struct {
    size_t size;
    double target_share;     /* share of right labels above which a scorer is said to leak; 0: 5 percentage points above
                                guessing */
    double epsilon;          /* label-differential privacy that the proposed noise has; 0: the greatest epsilon with
                                which nobody gets a single label right with a probability above the target */
    double delta;            /* the delta beside epsilon, for Gaussian noise; 0: 1e-6 */
    long default_queries;    /* queries that defences are designed for if the scorer has no limit; 0: 1000 */
    int without_defences;    /* nonzero: do not search for defences */
    uint64_t seed;           /* seed of simulated curators; 0: the scorer's */
    const ll_budget *budget; /* NULL: the default */
    int combinations;        /* nonzero: also try combinations of defences */
    double target_bits; /* in place of target_share: bits that all answers together may reveal about the labels; 0: use
                           target_share */
    int proofs_only;    /* nonzero: only proved limits and defences; no code is planned and no attack is run */
    const char *files;  /* files that settings were read from, as the printed checks name them: "groups=PATH", one per
                           line; NULL: none */
} ll_audit_request;

#define ll_audit_request_init(request) LL_INIT(ll_audit_request, request)

typedef struct {
    size_t size;
    void *whole; /* private */
    long rows, classes;
    double queries; /* limit on queries; infinity: none */
    ll_regime regime;
    ll_plan_choice *choices; /* as ll_audit_get_choice, for programs that were built with this version */
    long choice_count, best; /* one choice per code of the table; best: its index, -1 if no code applies */
    double average_share;    /* share of right labels that averaging reaches within the limit; 0 if it does not apply */
    double share;            /* share of right labels of the best known attack within the limit, guessed labels
                                included. If the attack was simulated, this is the mean less two standard errors
                                (`tried` has the mean) */
    double guess;            /* share of right labels by guessing */
    double target_share;
    double epsilon, delta; /* that the proposed noise was asked to have */
    ll_truth leaks; /* LL_TRUE: share > target_share. LL_FALSE: bound->max_share is not above it (proved), or every
                       kind of attack that applies to this release was run and stayed below. LL_UNKNOWN: neither */
    int proved;     /* bound->max_share <= target_share */
    ll_tried tried[LL_TRIED]; /* attacks that were run because plans alone did not decide it */
    long tried_count;
    double sampling_error; /* of the score of an average model with this number of rows; NAN: not known */
    ll_audit_bound *bound; /* owned by the audit */
    ll_defence *defences;  /* private: ll_audit_get_defence */
    long defence_count;
    char *verdict;     /* a sentence or two */
    char *assumptions; /* the assumptions of the bounds about labels and noise */
    /* If failures are free: do labels decide whether a submission fails? Then no limit holds, and reading all labels
     * takes on average failed_submissions that fail and are not counted, and counted_submissions that are counted; NAN:
     * no way to read them is known. */
    ll_truth failures_tell;
    double failed_submissions, counted_submissions;
    char *failures; /* a sentence or two; "": failures are counted, or reveal nothing */
    /* Answers with several numbers. */
    long numbers;               /* numbers in one answer */
    double sum_bits;            /* sum of the bits that each number could reveal alone; `bound` has the joint bits */
    double queries_without;     /* queries of the best attack without the number stop_first; infinity: no plan */
    double min_queries_without; /* proved lower bound on the queries of any method without that number */
    char *stop_first;           /* the number that should no longer be shown first of all */
    char *several;              /* a sentence or two; "": one number, or one metric with several numbers */
    char *alone; /* if choices and tried are attacks on one number alone, its name: the one that reveals most by itself;
                    "": they are attacks on the whole answer */
    char *answer;        /* the first sentences of every report, for readers without a mathematical background */
    char *noise;         /* whether the present noise is enough, and whether any noise would be; "": nothing to say */
    long proposal_count; /* ll_audit_get_proposal: releases with a proof first, then those that keep more of the
                            answers, then those with less noise (noise_over_sampling_error of the defence) */
    ll_proposal *proposals; /* private */
    void *texts;            /* private */
    double honest_range; /* width of the setting "honest"; else the distance between the score of a perfect model and of
                            one that predicts the class shares; NAN: not known. Noise that hides it is not proposed */
    ll_public_split *split; /* if the score is over a public split (setting "public"), the audit is that of somebody who
                               knows the split; else NULL */
    char *assumed_arithmetic; /* of the scorer, for example "fp64" */
    char *assumed_prior;      /* "balanced", the shares of the classes, or "counts N0,N1,..." */
} ll_audit;

#define ll_audit_init(audit) LL_INIT(ll_audit, audit)
LL_API void ll_audit_clear(ll_audit *audit);

/* Elements of the lists of an audit; they live as long as it does. NULL outside 0..count-1. */
LL_API const ll_plan_choice *ll_audit_get_choice(const ll_audit *audit, long index);
LL_API const ll_defence *ll_audit_get_defence(const ll_audit *audit, long index);
LL_API const ll_proposal *ll_audit_get_proposal(const ll_audit *audit, long index);

/* The setting "rows" must be set. *out must be initialised; its old content is cleared. LL_DOMAIN for a scorer whose
 * parts do not fit together, a public split of unknown size, or an invalid target. */
LL_API LL_CHECK ll_status ll_audit_run(ll_audit *out, const ll_scorer *scorer, const ll_audit_request *request,
                                       ll_error *error);

/* Compute only the bounds (ll_audit.bound), for another limit on queries than the scorer's; infinity: no limit. */
LL_API LL_CHECK ll_status ll_audit_limit(ll_audit_bound *out, const ll_scorer *scorer, double queries, size_t size,
                                         ll_error *error);
#define ll_audit_limit(out, scorer, queries, error) ll_audit_limit(out, scorer, queries, sizeof(ll_audit_bound), error)

/* From bits to a share, and back. The first: the greatest expected share of right labels that any method can have
 * after answers that reveal `bits` bits in total. The second: the most bits for which that share is at most `share`.
 * LL_DOMAIN as in ll_audit_run. */
LL_API LL_CHECK ll_status ll_audit_share_of_bits(double *share, const ll_scorer *scorer, double bits, ll_error *error);
LL_API LL_CHECK ll_status ll_audit_bits_of_share(double *bits, const ll_scorer *scorer, double share, ll_error *error);

/* ------------------------------------------------------------------ the price of an answer */

/* The price of one answer of a release by levels, in bits: -log2 of its probability under a code that is fixed
 * beforehand (docs/proofs/levels.md, Theorem 2). The probabilities of all answers to one submission sum to at most 1.
 * So if the prices of all answers sum to at most B, the answers reveal at most B bits about the labels, for every
 * metric and however submissions are chosen. A ledger adds up the prices of all accounts, and refuses a submission
 * before it is scored unless ll_answer_most still fits.
 *
 * The answer climbs `climbed` of the `left` levels above the best one that was shown so far; 0: no improvement. A
 * submission is expected to improve with probability `rate`, by one level half of the time, by two levels a quarter of
 * the time, and so on; the last level has the remaining probability. The price is rounded up; it is 0 if no level is
 * left, and NAN unless 0 < rate < 1 and 0 <= climbed <= left. */
LL_API double ll_answer_price(double rate, long climbed, long left);

/* The price of the most expensive answer, which climbs no level or all of them: the bits that a ledger must have left
 * before it scores a submission. */
#define ll_answer_most(rate, left)                                                                                     \
    (ll_answer_price(rate, 0, left) > ll_answer_price(rate, left, left) ? ll_answer_price(rate, 0, left)               \
                                                                        : ll_answer_price(rate, left, left))

/* ------------------------------------------------------------------ inspection of a submission */

typedef enum {
    LL_FINDING_NONE,     /* no sign of a construction */
    LL_FINDING_CONSTANT, /* all rows are equal: the score reveals the class counts and nothing else */
    LL_FINDING_CODED     /* looks constructed to read labels: `why` names the mark */
} ll_finding;

/* Do predictions look constructed to read labels, and how much could their score reveal? The figures assume uniform
 * labels, or labels drawn from the scorer's prior (docs/proofs/audit.md). */
typedef struct {
    size_t size;
    void *whole; /* private */
    ll_finding finding;
    double bits;        /* most bits that the released score of these predictions can reveal about the labels: the
                           least of the three below */
    double label_bits;  /* log2 of the number of different sums of losses over all labellings */
    double value_bits;  /* log2 of the number of distinguishable scores; infinity without noise or rounding */
    double spread_bits; /* from the variance of the score: entropy, or capacity under random noise */
    long rows, classes;
    long neutral;          /* rows whose loss is the same for every label */
    long different;        /* number of different absolute weights of the other rows */
    double unit;           /* if the mark is that all weights are multiples of one number: that number; else 0 */
    const char *mark;      /* "none", "constant", "lattice", ...: docs/proofs/audit.md lists them */
    char *why;             /* a sentence or two */
    double blind_score;    /* expected score if labels are independent of the predictions (uniform, or from the prior),
                              before the release */
    double blind_spread;   /* standard deviation of that score */
    double constant_score; /* expected score if every row predicts the class shares; NAN: not known */
    double worse_than_constant; /* how much worse blind_score is than constant_score; NAN: not known */
} ll_inspection;

#define ll_inspection_init(inspection) LL_INIT(ll_inspection, inspection)
LL_API void ll_inspection_clear(ll_inspection *inspection);

/* Without the setting "rows", the number of rows is that of the predictions. LL_DOMAIN names the row: an entry outside
 * the metric's domain, or a shape that does not fit. Needs rows * classes doubles of memory; LL_UNABLE if the budget
 * has less. */
LL_API LL_CHECK ll_status ll_inspect_predictions(ll_inspection *out, const ll_scorer *scorer,
                                                 const ll_predictions *predictions, const ll_budget *budget,
                                                 ll_error *error);

/* ------------------------------------------------------------------ embedded data sets */

typedef struct {
    const char *name;
    long rows, classes;
    const long *counts; /* of each class, as published */
    const char *source;
} ll_dataset_info;

LL_API long ll_dataset_count(void);
LL_API const ll_dataset_info *ll_dataset_get_info(long index);

/* Fill labels[rows] with the data set's class counts in a seeded order. (Only the counts are real: no attack depends on
 * the order of rows.) LL_DOMAIN for an unknown name; the text lists the known ones. */
LL_API LL_CHECK ll_status ll_dataset_labels(int32_t *labels, long rows, const char *name, uint64_t seed,
                                            ll_error *error);

#ifdef __cplusplus
}
#endif
#endif
