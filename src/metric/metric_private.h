/* What the families share: the row of a table, and the metric. */
#ifndef LL_METRIC_METRIC_PRIVATE_H
#define LL_METRIC_METRIC_PRIVATE_H

#include "metric/family.h"
#include "metric/metric.h"
#include "metric/targets.h"

/* What a prediction is. */
typedef enum {
    LL_INPUT_PROBABILITY,
    LL_INPUT_LOGIT,
    LL_INPUT_LABEL,
    LL_INPUT_NUMBER /* any finite number */
} ll_input;

/* How the term of a row is made of its columns. */
typedef enum {
    LL_FORM_BINARY,     /* one column, two labels, nothing else */
    LL_FORM_COORDINATE, /* K columns: s(k) = when_one at column k (log-loss) */
    LL_FORM_SOFTMAX,    /* K logits: ln sum_j exp z_j - z_k */
    LL_FORM_BRIER,      /* K columns: sum over j of ([j = k] - x_j)^2 */
    LL_FORM_MATCH,      /* one column that is a label: [x = k] or [x != k] */
    LL_FORM_TARGET,     /* one column, a number: the error of x for the target that label k stands for */
    LL_FORM_RANK        /* K columns of scores: a gain of the rank of column k */
} ll_form;

typedef enum { LL_PARAMETER_NONE, LL_PARAMETER_NUMBER, LL_PARAMETER_PHI } ll_metric_takes;

typedef struct {
    ll_metric_takes takes;
    int (*allows)(const ll_exact *parameter); /* of a number */
    const char *range;                        /* the same for people */
} ll_metric_parameter_kind;

/* A metric that is many numbers at once, of so many classes: how many, and what part `index` is called. */
typedef struct {
    long (*count)(long classes);
    void (*write)(char *text, size_t size, long index, long classes);
} ll_metric_parts;

/* One metric: a row of the table of its family. */
typedef struct {
    ll_metric_info info;
    const ll_metric_family *family;
    const void *own; /* what the family alone knows: ll_term_kind, ll_count_kind, ll_rank_kind, ll_fit_kind */
    ll_input input;
    ll_form form;
    ll_metric_parameter_kind parameter;
    int is_gain;
    int may_fail;                 /* has it no value for some labels? */
    int is_whole;                 /* is it a count itself, no share? */
    double least, most;           /* of numbers that are no sum of terms */
    const char *of_two;           /* what two classes have in its place; NULL: it is for two as well */
    const char *undefined;        /* of targets that are all the same: a number, or "fails" */
    const ll_metric_parts *parts; /* NULL: it is one number */
} ll_metric_row_kind;

struct ll_metric {
    const ll_metric_row_kind *row;
    ll_expression *when_one, *when_zero; /* of every row but bregman */
    ll_expression *phi;                  /* of bregman */
    ll_exact parameter;
    ll_truth convex;
    ll_targets grid;   /* of numeric targets; count 0: not set */
    long fraction;     /* of the format that the program reads them in; 0: as they are */
    ll_exact *targets; /* what label k stands for, of at most LL_LISTED_CLASSES */
};

/* ---- parts of the table ---- */

/* The texts of a metric that is a function of all rows together, no sum of terms. */
#define LL_INFO_OF_ALL(name_, input_, reach_, classes_, link_, formula_, summary_)                                     \
    .info = {.name = (name_),                                                                                          \
             .input = (input_),                                                                                        \
             .when_one = "",                                                                                           \
             .when_zero = "",                                                                                          \
             .weight = "",                                                                                             \
             .reach = (reach_),                                                                                        \
             .classes = (classes_),                                                                                    \
             .summary = (summary_),                                                                                    \
             .link = (link_),                                                                                          \
             .formula = (formula_)}

extern const ll_metric_row_kind ll_metric_term_rows[]; /* term_table.c */
extern const long ll_metric_term_row_count;
extern const ll_metric_row_kind ll_metric_count_rows[]; /* count_metrics.c */
extern const long ll_metric_count_row_count;
extern const ll_metric_row_kind ll_metric_class_rows[]; /* class_metrics.c */
extern const long ll_metric_class_row_count;
extern const ll_metric_row_kind ll_metric_rank_rows[]; /* rank_metrics.c */
extern const long ll_metric_rank_row_count;
extern const ll_metric_row_kind ll_metric_fit_rows[]; /* fit_metrics.c */
extern const long ll_metric_fit_row_count;
extern const ll_metric_row_kind ll_metric_gain_rows[]; /* gains.c */
extern const long ll_metric_gain_row_count;
extern const ll_metric_row_kind ll_metric_target_rows[]; /* target_table.c */
extern const long ll_metric_target_row_count;

ll_input ll_metric_input(const ll_metric *metric);
ll_form ll_metric_form(const ll_metric *metric); /* with K > 2; LL_FORM_BINARY where it has none */
void ll_metric_clear_targets(ll_metric *metric);

#endif
