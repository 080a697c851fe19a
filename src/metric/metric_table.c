/* The table of losses, and a loss from its name. A new loss is one row here. */
#include "metric/metric_private.h"
#include "number/name_distance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* alpha = 10^300000 would be 10^6 bits in every step. */
static int is_norm(const ll_exact *alpha)
{
    ll_exact bound;
    int yes;
    ll_exact_init(&bound);
    ll_exact_set_si(&bound, 2);
    yes = ll_exact_cmp(alpha, &bound) >= 0;
    ll_exact_set_d(&bound, 1e300);
    yes = yes && ll_exact_cmp(alpha, &bound) <= 0;
    ll_exact_clear(&bound);
    return yes;
}

static int above_zero(const ll_exact *p)
{
    return ll_exact_sgn(p) > 0;
}

/* -ln x, or -ln(1-x) without losing a small x in 1 - x. */
static void score_log(arb_t out, const arb_t x, long label, slong prec)
{
    if (label) {
        arb_log(out, x, prec);
    } else if (arf_cmpabs_2exp_si(arb_midref(x), -2) < 0) {
        arb_neg(out, x);
        arb_log1p(out, out, prec);
    } else {
        ll_metric_complement(out, x, prec);
        arb_log(out, out, prec);
    }
    arb_neg(out, out);
}

/* The softmax loss of the logits 0 and z: max(0, -+z) + log1p(exp(-|z|)). */
static void score_logit(arb_t out, const arb_t x, long label, slong prec)
{
    arb_struct z[2];
    arb_init(&z[0]);
    z[1] = *x; /* borrowed */
    ll_metric_log_sum_exp(out, z, 2, label, prec);
    arb_clear(&z[0]);
}

static const ll_metric_row_kind rows[] = {
    {
        .info = {.name = "log-loss",
                 .input = "probability",
                 .when_one = "-log(x)",
                 .when_zero = "-log(1 - x)",
                 .weight = "log((1 - x)/x)",
                 .reach = "all real numbers",
                 .classes = "2 or more",
                 .summary = "cross-entropy of probabilities (binary: of class 1)",
                 .link = "mean"},
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_COORDINATE,
        .kernel = LL_KERNEL_LOG,
        .score = score_log,
        .weight = ll_metric_weight_log,
        .invert = ll_metric_invert_log,
        .reach = ll_metric_reach_all,
    },
    {
        .info = {.name = "sigmoid-ce",
                 .input = "logit",
                 .when_one = "log(1 + exp(-x))",
                 .when_zero = "log(1 + exp(x))",
                 .weight = "-x",
                 .reach = "all real numbers",
                 .classes = "2",
                 .summary = "cross-entropy of one logit through a sigmoid",
                 .link = "mean"},
        .input = LL_INPUT_LOGIT,
        .form = LL_FORM_BINARY,
        .kernel = LL_KERNEL_SIGMOID,
        .score = score_logit,
        .weight = ll_metric_weight_logit,
        .invert = ll_metric_invert_logit,
        .reach = ll_metric_reach_all,
    },
    {
        .info = {.name = "softmax-ce",
                 .input = "logit",
                 .when_one = "log(1 + exp(-x))",
                 .when_zero = "log(1 + exp(x))",
                 .weight = "x_0 - x_k",
                 .reach = "all real numbers",
                 .classes = "2 or more",
                 .summary = "cross-entropy of a row of logits through a softmax (one column: of class 1 against 0)",
                 .link = "mean"},
        .input = LL_INPUT_LOGIT,
        .form = LL_FORM_SOFTMAX,
        .kernel = LL_KERNEL_SOFTMAX,
        .score = score_logit,
        .weight = ll_metric_weight_logit,
        .invert = ll_metric_invert_logit,
        .reach = ll_metric_reach_all,
    },
    {
        .info = {.name = "itakura-saito",
                 .input = "probability",
                 .when_one = "1/x + log(x) - 1",
                 .when_zero = "1/(1 - x) + log(1 - x) - 1",
                 .weight = "1/x - 1/(1 - x) + log(x/(1 - x))",
                 .reach = "all real numbers",
                 .classes = "2",
                 .summary = "Itakura-Saito distance of 1 and the true class's probability",
                 .link = "mean"},
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_BINARY,
        .has_closed_powers = 1,
        .weight = ll_metric_weight_itakura_saito,
        .invert = ll_metric_invert_itakura_saito,
        .reach = ll_metric_reach_all,
    },
    {
        .info = {.name = "squared",
                 .input = "probability",
                 .when_one = "(1 - x)^2",
                 .when_zero = "x^2",
                 .weight = "1 - 2*x",
                 .reach = "[-1, 1]",
                 .classes = "2 or more",
                 .summary = "squared error, Brier score (K columns: the sum over the row)",
                 .link = "mean"},
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_BRIER,
        .kernel = LL_KERNEL_SQUARED,
        .weight = ll_metric_weight_squared,
        .invert = ll_metric_invert_squared,
        .reach = ll_metric_reach_one,
    },
    {
        .info = {.name = "norm:ALPHA",
                 .input = "probability",
                 .when_one = "1 + (alpha - 1)*x^alpha - alpha*x^(alpha - 1) + (alpha - 1)*(1 - x)^alpha",
                 .when_zero = "1 + (alpha - 1)*(1 - x)^alpha - alpha*(1 - x)^(alpha - 1) + (alpha - 1)*x^alpha",
                 .weight = "alpha*((1 - x)^(alpha - 1) - x^(alpha - 1))",
                 .reach = "[-alpha, alpha]",
                 .classes = "2",
                 .summary = "norm-like divergence, alpha >= 2",
                 .link = "mean"},
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_BINARY,
        .is_norm = 1,
        .takes = LL_PARAMETER_NUMBER,
        .allows = is_norm,
        .range = "a number, at least 2 and at most 1e300",
        .weight = ll_metric_weight_norm,
        .invert = ll_metric_invert_norm,
        .reach = ll_metric_reach_norm,
    },
    {
        .info = {.name = "bregman:EXPR",
                 .input = "probability",
                 .when_one = "phi(1) - phi(x) - phi'(x)*(1 - x)",
                 .when_zero = "phi(0) - phi(x) - phi'(x)*(0 - x)",
                 .weight = "phi(1) - phi(0) - phi'(x)",
                 .reach = "[phi(1) - phi(0) - phi'(1), phi(1) - phi(0) - phi'(0)]",
                 .classes = "2",
                 .summary = "Bregman divergence of a strictly convex phi(x) = EXPR, finite at 0 and 1",
                 .link = "mean"},
        .input = LL_INPUT_PROBABILITY,
        .form = LL_FORM_BINARY,
        .takes = LL_PARAMETER_PHI,
        .weight = ll_metric_weight_bregman,
        .invert = ll_metric_invert_bregman,
        .reach = ll_metric_reach_bregman,
    },
    {
        .info = {.name = "accuracy",
                 .input = "label",
                 .when_one = "x",
                 .when_zero = "1 - x",
                 .weight = "2*x - 1",
                 .reach = "-1 and 1",
                 .classes = "2 or more",
                 .summary = "share of rows whose predicted label is right",
                 .link = "mean"},
        .input = LL_INPUT_LABEL,
        .form = LL_FORM_MATCH,
        .kernel = LL_KERNEL_MATCH,
        .counts = 1,
        .is_gain = 1,
        .weight = ll_metric_weight_match,
        .invert = ll_metric_invert_match,
        .reach = ll_metric_reach_one,
    },
    {
        .info = {.name = "zero-one",
                 .input = "label",
                 .when_one = "1 - x",
                 .when_zero = "x",
                 .weight = "1 - 2*x",
                 .reach = "-1 and 1",
                 .classes = "2 or more",
                 .summary = "share of rows whose predicted label is wrong",
                 .link = "mean"},
        .input = LL_INPUT_LABEL,
        .form = LL_FORM_MATCH,
        .kernel = LL_KERNEL_MATCH,
        .counts = -1,
        .weight = ll_metric_weight_miss,
        .invert = ll_metric_invert_miss,
        .reach = ll_metric_reach_one,
    },
    {
        .info = {.name = "lp:P",
                 .input = "label",
                 .when_one = "1 - x",
                 .when_zero = "x",
                 .weight = "1 - 2*x",
                 .reach = "-1 and 1",
                 .classes = "2 or more",
                 .summary = "discrete L_P distance: the P-th root of the number of wrong labels, P > 0",
                 .link = "root"},
        .input = LL_INPUT_LABEL,
        .form = LL_FORM_MATCH,
        .kernel = LL_KERNEL_MATCH,
        .counts = -1,
        .is_sum = 1,
        .takes = LL_PARAMETER_NUMBER,
        .allows = above_zero,
        .range = "a number above 0",
        .weight = ll_metric_weight_miss,
        .invert = ll_metric_invert_miss,
        .reach = ll_metric_reach_one,
    },
};

static const long own_count = sizeof rows / sizeof rows[0];

/* The table is this file's rows, then those of other files. */
static const struct {
    const ll_metric_row_kind *rows;
    const long *count;
} parts[] = {{rows, &own_count},
             {ll_metric_count_rows, &ll_metric_count_row_count},
             {ll_metric_class_rows, &ll_metric_class_row_count},
             {ll_metric_rank_rows, &ll_metric_rank_row_count},
             {ll_metric_target_rows, &ll_metric_target_row_count},
             {ll_metric_gain_rows, &ll_metric_gain_row_count},
             {ll_metric_fit_rows, &ll_metric_fit_row_count}};

#define PART_COUNT (sizeof parts / sizeof parts[0])

long ll_metric_count(void)
{
    long count = 0;
    for (size_t i = 0; i < PART_COUNT; i++)
        count += *parts[i].count;
    return count;
}

/* NULL outside 0 .. count - 1 */
static const ll_metric_row_kind *row_at(long index)
{
    for (size_t i = 0; i < PART_COUNT && index >= 0; i++) {
        if (index < *parts[i].count)
            return &parts[i].rows[index];
        index -= *parts[i].count;
    }
    return NULL;
}

const ll_metric_info *ll_metric_get_info(long index)
{
    const ll_metric_row_kind *row = row_at(index);
    return row != NULL ? &row->info : NULL;
}

/* ---- names ---- */

/* Length of the name before a parameter. */
static size_t stem(const char *name)
{
    return strcspn(name, ":");
}

static const ll_metric_row_kind *find(const char *name)
{
    const ll_metric_row_kind *row;
    for (long i = 0; (row = row_at(i)) != NULL; i++)
        if (stem(name) == stem(row->info.name) && !memcmp(name, row->info.name, stem(name)))
            return row;
    return NULL;
}

enum { MISTYPED = 2 }; /* letters: what is farther from every name is another word */

/* What is not in the table is not thereby safe: all that is known of it is how many values its text can show. */
static ll_status fail_unknown(const char *name, ll_error *error)
{
    const char *best = "";
    long near = stem(name) < 6 ? 2 : MISTYPED + 1, least = near;
    for (long i = 0; i < ll_metric_count(); i++) {
        const char *other = row_at(i)->info.name;
        long d = ll_name_distance(name, stem(name), other, stem(other));
        if (d < least) {
            least = d;
            best = other;
        }
    }
    return ll_fail(error, LL_DOMAIN,
                   "not modelled; that does not mean it is safe: a number from 0 to 1 with D decimals can give away "
                   "log2(10^D + 1) bits of the labels in every answer, 16.6 with 5%s%s%s",
                   least < near ? " (did you mean " : "", least < near ? best : "", least < near ? "?)" : "");
}

/* ---- a loss ---- */

static ll_status read_number(ll_metric *loss, const char *text, ll_error *error)
{
    const ll_metric_row_kind *row = loss->row;
    if (ll_exact_set_text(&loss->parameter, text, strlen(text)) != LL_OK || !row->allows(&loss->parameter))
        return ll_fail(error, LL_DOMAIN, "loss %s needs %s, not \"%.60s\"", row->info.name, row->range, text);
    return LL_OK;
}

static ll_status read_phi(ll_metric *loss, const char *text, ll_error *error)
{
    ll_status status = ll_expression_create(&loss->phi, text, error);
    if (status != LL_OK)
        return status;
    if (ll_expression_uses_alpha(loss->phi))
        return ll_fail(error, LL_DOMAIN, "loss bregman: alpha has no value here; phi is a function of x alone");
    return ll_metric_check_phi(loss, error);
}

static ll_status read_parameter(ll_metric *loss, const char *name, ll_error *error)
{
    const char *colon = strchr(name, ':');
    ll_metric_takes takes = loss->row->takes;
    if (takes == LL_PARAMETER_NONE && colon)
        return ll_fail(error, LL_DOMAIN, "loss %s takes no parameter, found \"%.60s\"", loss->row->info.name, colon);
    if (takes != LL_PARAMETER_NONE && (!colon || !colon[1]))
        return ll_fail(error, LL_DOMAIN, "loss \"%.60s\" lacks its parameter: %s", name, loss->row->info.name);
    if (takes == LL_PARAMETER_NUMBER)
        return read_number(loss, colon + 1, error);
    return takes == LL_PARAMETER_PHI ? read_phi(loss, colon + 1, error) : LL_OK;
}

static ll_status read_expressions(ll_metric *loss, ll_error *error)
{
    ll_status status;
    if (loss->row->takes == LL_PARAMETER_PHI || loss->row->term != NULL || loss->row->gain != NULL ||
        ll_metric_view(loss) != LL_VIEW_TERMS)
        return LL_OK;
    status = ll_expression_create(&loss->when_one, loss->row->info.when_one, error);
    return status == LL_OK ? ll_expression_create(&loss->when_zero, loss->row->info.when_zero, error) : status;
}

ll_status ll_metric_create(ll_metric **out, const char *name, ll_error *error)
{
    ll_status status;
    ll_metric *loss;
    char plain[120];
    name = ll_metric_plain_name(plain, sizeof plain, name);
    const ll_metric_row_kind *row = find(name);
    if (!row)
        return fail_unknown(name, error);
    loss = calloc(1, sizeof *loss);
    if (!loss)
        return ll_fail(error, LL_MEMORY, "no memory for a loss");
    loss->row = row;
    loss->convex = LL_TRUE;
    ll_exact_init(&loss->parameter);
    status = read_parameter(loss, name, error);
    if (status == LL_OK)
        status = read_expressions(loss, error);
    if (status == LL_OK)
        *out = loss;
    else
        ll_metric_destroy(loss);
    return status;
}

void ll_metric_destroy(ll_metric *loss)
{
    if (!loss)
        return;
    ll_expression_destroy(loss->when_one);
    ll_expression_destroy(loss->when_zero);
    ll_expression_destroy(loss->phi);
    ll_exact_clear(&loss->parameter);
    ll_metric_clear_targets(loss);
    free(loss);
}

const ll_metric_info *ll_metric_row(const ll_metric *loss)
{
    return &loss->row->info;
}

ll_input ll_metric_input(const ll_metric *loss)
{
    return loss->row->input;
}

ll_view ll_metric_view(const ll_metric *loss)
{
    const ll_metric_row_kind *row = loss->row;
    return row->count != NULL  ? LL_VIEW_CONFUSION
           : row->rank != NULL ? LL_VIEW_RANKS
           : row->fit != NULL  ? LL_VIEW_FIT
                               : LL_VIEW_TERMS;
}

int ll_metric_may_fail(const ll_metric *loss)
{
    return loss->row->may_fail;
}

const char *ll_metric_undefined(const ll_metric *loss)
{
    return loss->row->undefined;
}

int ll_metric_counts_pairs(const ll_metric *loss)
{
    return loss->row->rank != NULL && loss->row->rank->counts_pairs;
}

int ll_metric_takes_labels(const ll_metric *loss)
{
    return loss->row->input == LL_INPUT_LABEL ||
           (ll_metric_view(loss) == LL_VIEW_RANKS && !ll_metric_is_one_vs_rest(loss));
}

int ll_metric_is_one_vs_rest(const ll_metric *loss)
{
    return loss->row->rank != NULL && loss->row->rank->of_classes;
}

ll_status ll_metric_check_classes(const ll_metric *loss, long classes, ll_error *error)
{
    long place = loss->row->is_cell ? ll_metric_cell(loss) : ll_metric_class(loss);
    long places = loss->row->is_cell ? classes * classes : classes;
    if (place >= places)
        return ll_fail(error, LL_DOMAIN, "%s: there is no %ld among %ld, counted from 0", loss->row->info.name, place,
                       places);
    if (classes > 2 || loss->row->of_two == NULL)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN, "%s is for 3 classes or more: set the classes; of two classes it is %s",
                   loss->row->info.name, loss->row->of_two);
}

ll_status ll_metric_need_terms(const ll_metric *loss, const char *what, ll_error *error)
{
    if (ll_metric_view(loss) == LL_VIEW_TERMS)
        return LL_OK;
    return ll_fail(error, LL_DOMAIN,
                   "%s is a function of %s, no sum over rows, and %s is not known for such; that does "
                   "not mean it is safe",
                   loss->row->info.name, loss->row->info.link, what);
}

long ll_metric_part_count(const ll_metric *loss, long classes)
{
    return loss->row->count_parts != NULL ? loss->row->count_parts(classes) : 1;
}

int ll_metric_write_part(const ll_metric *loss, char *text, size_t size, long index, long classes)
{
    if (loss->row->write_part != NULL)
        loss->row->write_part(text, size, index, classes);
    return loss->row->write_part != NULL;
}

static long place_of(const ll_metric *loss)
{
    return (long)ll_exact_get_d(&loss->parameter);
}

long ll_metric_cell(const ll_metric *loss)
{
    return loss->row->is_cell ? place_of(loss) : -1;
}

long ll_metric_class(const ll_metric *loss)
{
    return loss->row->of_class != NULL ? place_of(loss) : -1;
}

int ll_metric_is_whole(const ll_metric *loss)
{
    return loss->row->is_whole;
}

void ll_metric_range(const ll_metric *loss, double *least, double *most)
{
    *least = loss->row->least;
    *most = loss->row->most;
}

ll_form ll_metric_form(const ll_metric *loss)
{
    return loss->row->form;
}

int ll_metric_is_sum(const ll_metric *loss)
{
    return loss->row->is_sum;
}

ll_truth ll_metric_is_convex(const ll_metric *loss)
{
    return loss->convex;
}

const ll_exact *ll_metric_parameter(const ll_metric *loss)
{
    return loss->row->takes == LL_PARAMETER_NUMBER ? &loss->parameter : NULL;
}

ll_kernel ll_metric_kernel(const ll_metric *loss)
{
    return loss->row->kernel;
}

int ll_metric_counts(const ll_metric *loss)
{
    return loss->row->counts;
}

int ll_metric_is_gain(const ll_metric *loss)
{
    return loss->row->is_gain;
}

int ll_metric_is_symmetric(const ll_metric *loss)
{
    return loss->row->takes != LL_PARAMETER_PHI && loss->row->term == NULL;
}

int ll_metric_has_closed_powers(const ll_metric *loss)
{
    return loss->row->has_closed_powers;
}

int ll_metric_is_norm(const ll_metric *loss)
{
    return loss->row->is_norm;
}
