#include "reproduce/figures.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ the table */

enum { MANTISSA_BITS = 53 };

/* Lengths: past the place where each construction's curve has come to its end. */
enum {
    LONG = 64,
    MIDDLE = 24,
    SIX = 8,
    TEN = 5,
    DIRECT_SIX = 24,
    DIRECT_TEN = 16,
    BLOCK_TWO = 32,
    BLOCK_SIX = 13,
    BLOCK_TEN = 9
};

#define ONE(title, what, dataset, longest)                                                                             \
    {                                                                                                                  \
        title, 0, LL_UNIT_SINGLE, what, dataset, 0, longest                                                            \
    }
#define OWN_ONE(title, metric, dataset)                                                                                \
    {                                                                                                                  \
        title, 0, LL_UNIT_OWN_SINGLE, metric, dataset, 0, 0                                                            \
    }
#define MANY(title, what, dataset, all_rows, longest)                                                                  \
    {                                                                                                                  \
        title, 0, LL_UNIT_BLOCKS, what, dataset, all_rows, longest                                                     \
    }
#define OWN(metric, dataset)                                                                                           \
    {"lossleak, certified, N", 0, LL_UNIT_OWN_ALL, metric, dataset, 1, 0},                                             \
    {                                                                                                                  \
        "lossleak, certified, M", 0, LL_UNIT_OWN_BLOCKS, metric, dataset, 0, 0                                         \
    }
#define LIMIT(title, dataset)                                                                                          \
    {                                                                                                                  \
        title, 1, LL_UNIT_SINGLE, "", dataset, 0, 0                                                                    \
    }
#define PANEL(name, title, measure, list)                                                                              \
    {                                                                                                                  \
        name, title, measure, list, sizeof(list) / sizeof *(list)                                                      \
    }
#define FIGURE(name, title, about, list)                                                                               \
    {                                                                                                                  \
        name, title, about, list, sizeof(list) / sizeof *(list), NULL                                                  \
    }

static const ll_series fig1a[] = {
    ONE("titanic, closed form", "is-closed", "titanic", MIDDLE), ONE("imdb, closed form", "is-closed", "imdb", MIDDLE),
    ONE("titanic, inverse", "is-inverse", "titanic", LONG),      ONE("imdb, inverse", "is-inverse", "imdb", LONG),
    OWN_ONE("lossleak, certified", "itakura-saito", "titanic"),  LIMIT("limit: 53 bits", "titanic"),
};
static const ll_panel panels1a[] = {PANEL("fig1a", "Itakura-Saito, 100 %", LL_ALL_RUNS, fig1a)};

#define ENTROPY_TWO ONE("titanic", "ce", "titanic", MIDDLE), ONE("imdb", "ce", "imdb", MIDDLE)
#define ENTROPY_MORE                                                                                                   \
    ONE("satellite", "ce", "satellite", SIX), ONE("mnist", "ce", "mnist", TEN), ONE("cifar10", "ce", "cifar10", TEN)
#define LIMITS_MORE LIMIT("limit, K = 6", "satellite"), LIMIT("limit, K = 10", "mnist")

static const ll_series fig1b_two[] = {
    ENTROPY_TWO,
    ONE("titanic, icml21", "icml21", "titanic", MIDDLE),
    ONE("titanic, icml21 as printed", "icml21-printed", "titanic", MIDDLE),
    ONE("titanic, construction 1", "ce-inverse", "titanic", MIDDLE),
    OWN_ONE("lossleak, certified", "log-loss", "titanic"),
    LIMIT("limit: 53 bits", "titanic"),
};
static const ll_series fig1b_more[] = {
    ENTROPY_MORE,
    OWN_ONE("lossleak, K = 6", "log-loss", "satellite"),
    OWN_ONE("lossleak, K = 10", "log-loss", "mnist"),
    LIMITS_MORE,
};
static const ll_panel panels1b[] = {
    PANEL("fig1b-two", "cross-entropy, two classes, 100 %", LL_ALL_RUNS, fig1b_two),
    PANEL("fig1b-more", "cross-entropy, more classes, 100 %", LL_ALL_RUNS, fig1b_more),
};

static const ll_series fig1c[] = {
    ENTROPY_TWO,
    ENTROPY_MORE,
    OWN_ONE("lossleak, K = 2", "log-loss", "titanic"),
    OWN_ONE("lossleak, K = 10", "log-loss", "mnist"),
    LIMIT("limit, K = 2", "titanic"),
    LIMITS_MORE,
};
static const ll_panel panels1c[] = {
    PANEL("fig1c-runs", "cross-entropy, half of the runs (as the caption says)", LL_HALF_RUNS, fig1c),
    PANEL("fig1c-labels", "cross-entropy, half of the labels (as the text says)", LL_HALF_LABELS, fig1c),
};

static const ll_series fig1d[] = {
    ONE("titanic", "softmax", "titanic", MIDDLE),
    ONE("imdb", "softmax", "imdb", MIDDLE),
    ONE("satellite", "softmax", "satellite", SIX),
    ONE("mnist", "softmax", "mnist", TEN),
    ONE("cifar10", "softmax", "cifar10", TEN),
    ONE("titanic, logits directly", "softmax-direct", "titanic", LONG),
    ONE("satellite, logits directly", "softmax-direct", "satellite", DIRECT_SIX),
    ONE("mnist, logits directly", "softmax-direct", "mnist", DIRECT_TEN),
    OWN_ONE("lossleak, K = 2", "softmax-ce", "titanic"),
    OWN_ONE("lossleak, K = 10", "softmax-ce", "mnist"),
    LIMIT("limit, K = 2", "titanic"),
    LIMITS_MORE,
};
static const ll_panel panels1d[] = {
    PANEL("fig1d-runs", "softmax cross-entropy, half of the runs (as the caption says)", LL_HALF_RUNS, fig1d),
    PANEL("fig1d-labels", "softmax cross-entropy, half of the labels (as the text says)", LL_HALF_LABELS, fig1d),
};

/* N: every query scores the whole set. M: it scores its block alone, as if nothing else were there. */
#define ITAKURA(dataset)                                                                                               \
    MANY("inverse, N", "is-inverse", dataset, 1, LONG), MANY("closed form, N", "is-closed", dataset, 1, MIDDLE),       \
        MANY("closed form, M", "is-closed", dataset, 0, MIDDLE), OWN("itakura-saito", dataset),                        \
        LIMIT("limit: 53 bits a score", dataset)
#define SOFTMAX(dataset, longest, direct)                                                                              \
    MANY("softmax, N", "softmax", dataset, 1, longest), MANY("softmax, M", "softmax", dataset, 0, longest),            \
        MANY("logits directly, N", "softmax-direct", dataset, 1, direct), OWN("softmax-ce", dataset),                  \
        LIMIT("limit: 53 bits a score", dataset)
#define ENTROPY(dataset, longest)                                                                                      \
    MANY("closed form, N", "ce", dataset, 1, longest), MANY("closed form, M", "ce", dataset, 0, longest)

static const ll_series fig2_is_titanic[] = {ITAKURA("titanic")}, fig2_is_imdb[] = {ITAKURA("imdb")};
static const ll_series fig2_titanic[] = {SOFTMAX("titanic", MIDDLE, BLOCK_TWO)};
static const ll_series fig2_satellite[] = {SOFTMAX("satellite", SIX, BLOCK_SIX)};
static const ll_series fig2_mnist[] = {SOFTMAX("mnist", TEN, BLOCK_TEN)};
static const ll_series fig2_cifar10[] = {SOFTMAX("cifar10", TEN, BLOCK_TEN)};
static const ll_panel panels2[] = {
    PANEL("fig2-is-titanic", "Itakura-Saito, titanic", LL_ACCURACY, fig2_is_titanic),
    PANEL("fig2-is-imdb", "Itakura-Saito, imdb", LL_ACCURACY, fig2_is_imdb),
    PANEL("fig2-softmax-titanic", "softmax, titanic", LL_ACCURACY, fig2_titanic),
    PANEL("fig2-softmax-satellite", "softmax, satellite", LL_ACCURACY, fig2_satellite),
    PANEL("fig2-softmax-mnist", "softmax, mnist", LL_ACCURACY, fig2_mnist),
    PANEL("fig2-softmax-cifar10", "softmax, cifar10", LL_ACCURACY, fig2_cifar10),
};

static const ll_series fig3_titanic[] = {
    ENTROPY("titanic", MIDDLE),
    MANY("construction 1, N", "ce-inverse", "titanic", 1, MIDDLE),
    MANY("icml21, N", "icml21", "titanic", 1, MIDDLE),
    OWN("log-loss", "titanic"),
    LIMIT("limit: 53 bits a score", "titanic"),
};
#define ENTROPY_PANEL(dataset, longest)                                                                                \
    {                                                                                                                  \
        ENTROPY(dataset, longest), OWN("log-loss", dataset), LIMIT("limit: 53 bits a score", dataset)                  \
    }
static const ll_series fig3_satellite[] = ENTROPY_PANEL("satellite", SIX), fig3_mnist[] = ENTROPY_PANEL("mnist", TEN),
                       fig3_cifar10[] = ENTROPY_PANEL("cifar10", TEN);
static const ll_panel panels3[] = {
    PANEL("fig3-titanic", "cross-entropy, titanic", LL_ACCURACY, fig3_titanic),
    PANEL("fig3-satellite", "cross-entropy, satellite", LL_ACCURACY, fig3_satellite),
    PANEL("fig3-mnist", "cross-entropy, mnist", LL_ACCURACY, fig3_mnist),
    PANEL("fig3-cifar10", "cross-entropy, cifar10", LL_ACCURACY, fig3_cifar10),
};

static const ll_series fig4_single[] = {
    ONE("titanic, first entry", "sigmoid", "titanic", MIDDLE),
    ONE("titanic, second entry", "sigmoid-second", "titanic", MIDDLE),
    ONE("titanic, plain cross-entropy", "ce", "titanic", MIDDLE),
    OWN_ONE("lossleak, certified", "sigmoid-ce", "titanic"),
    LIMIT("limit: 53 bits", "titanic"),
};
static const ll_series fig4_multi[] = {
    MANY("first entry, N", "sigmoid", "titanic", 1, MIDDLE),
    MANY("first entry, M", "sigmoid", "titanic", 0, MIDDLE),
    MANY("second entry, M", "sigmoid-second", "titanic", 0, MIDDLE),
    OWN("sigmoid-ce", "titanic"),
    LIMIT("limit: 53 bits a score", "titanic"),
};
static const ll_panel panels4[] = {
    PANEL("fig4-runs", "sigmoid, one query, half of the runs", LL_HALF_RUNS, fig4_single),
    PANEL("fig4-labels", "sigmoid, one query, half of the labels", LL_HALF_LABELS, fig4_single),
    PANEL("fig4-queries", "sigmoid, many queries, titanic", LL_ACCURACY, fig4_multi),
};

static ll_status add_exact(ll_units *units, const ll_settings *settings, ll_error *error);
static ll_status add_labelinf(ll_units *units, const ll_settings *settings, ll_error *error);

static const ll_figure figures[] = {
    FIGURE(
        "fig1a", "Figure 1(a): labels of one query, Itakura-Saito",
        "Most labels that one query gives away with every one of the runs right, at that length and at every shorter "
        "one. The paper has two constructions for this loss: the closed form of Corollary 1 "
        "(Itakura-Saito), and the inverse of the weight of Theorem 1 (weights by powers of 2), which it names as the one "
        "used; both are drawn.",
        panels1a),
    FIGURE(
        "fig1b", "Figure 1(b): labels of one query, cross-entropy",
        "The same for multiclass cross-entropy (Theorem 3), with the baseline of Aggarwal et al. 2021 (Theorem 10) on "
        "titanic, once with the exponent that its separation needs and once as printed.",
        panels1b),
    FIGURE("fig1c", "Figure 1(c): 50 % accuracy, cross-entropy",
           "The caption counts runs with every label right, the text counts labels: both are drawn.", panels1c),
    FIGURE("fig1d", "Figure 1(d): 50 % accuracy, softmax cross-entropy",
           "Logits ln theta through the softmax as printed; beside them the same logits written down directly and "
           "scored by log-sum-exp, as real scorers do.",
           panels1d),
    FIGURE("fig2", "Figure 2: many queries, Itakura-Saito and softmax",
           "Accuracy on a whole data set against the number of queries ceil(N/M), M labels a query. The text leaves "
           "open what stands for N in the formulas: the whole set's N, with all N rows in every score, or the block's "
           "M, with the block alone in the score.",
           panels2),
    FIGURE("fig3", "Figure 3: many queries, cross-entropy", "As Figure 2.", panels3),
    FIGURE("fig4", "Figure 4: sigmoid cross-entropy",
           "theta_{i,1} is the first entry of a row where classes are 1..K, as in the formulas, and the second where "
           "they are 0..K-1, as in the definition: both are drawn.",
           panels4),
    {"headline", "All labels of a data set in one query, exactly",
     "Log-loss in exact arithmetic under noise below 1, one query, the code that lossleak chooses.", NULL, 0,
     add_exact},
    {"labelinf", "LabelInf by looking at every labelling",
     "The figures need LabelInf on up to 64 labels. It is computed by a search that prunes and whose answer is the "
     "same, rounding errors and ties included; here it is held against the search over all labellings.",
     NULL, 0, add_labelinf},
};

enum { FIGURES = sizeof figures / sizeof *figures };

long ll_figure_count(void)
{
    return FIGURES;
}

const ll_figure *ll_figure_get(long index)
{
    return index >= 0 && index < FIGURES ? &figures[index] : NULL;
}

const ll_figure *ll_figure_find(const char *name)
{
    for (long i = 0; i < FIGURES; i++)
        if (strcmp(figures[i].name, name) == 0)
            return &figures[i];
    return NULL;
}

/* ------------------------------------------------------------------ its units */

const char *const *ll_figure_taus(long *count, ll_measure measure, int quick)
{
    static const char *const fine[] = {"1e-4", "3e-4", "1e-3", "3e-3", "1e-2", "3e-2", "0.1", "0.3", "1"};
    static const char *const coarse[] = {"1e-4", "1e-2", "1"};
    int is_coarse = quick || measure == LL_ACCURACY;
    *count = is_coarse ? (long)(sizeof coarse / sizeof *coarse) : (long)(sizeof fine / sizeof *fine);
    return is_coarse ? coarse : fine;
}

double ll_figure_limit(long classes)
{
    return MANTISSA_BITS / log2((double)classes);
}

/* Seconds, measured on one slow core; only the time left is made of them. */
static double guess_cost(const ll_series *series, long length, const ll_settings *settings)
{
    const ll_dataset_info *info = ll_units_dataset(series->dataset);
    double rows = (double)info->rows, size = (double)(length * length * info->classes);
    switch (series->kind) {
    case LL_UNIT_SINGLE:
        return 1e-3 + 4e-9 * size * (double)settings->runs;
    case LL_UNIT_BLOCKS:
        return 5e-3 + 4e-7 * (double)info->classes * rows + 4e-9 * size * rows / (double)length;
    case LL_UNIT_OWN_SINGLE:
        return 0.5;
    case LL_UNIT_OWN_BLOCKS:
        return 0.5 + 1e-4 * rows;
    default:
        return settings->quick ? 0.3 : info->classes == 2 ? rows / 1500 : 2e-8 * rows * rows;
    }
}

ll_unit ll_figure_unit(const ll_series *series, const char *tau, long length, const ll_settings *settings)
{
    return (ll_unit){.kind = series->kind,
                     .what = series->what,
                     .dataset = series->dataset,
                     .tau = tau,
                     .length = length,
                     .all_rows = series->all_rows,
                     .cost = guess_cost(series, length, settings)};
}

static ll_status add_series(ll_units *units, const ll_series *series, ll_measure measure, const ll_settings *settings,
                            ll_error *error)
{
    long count, least = series->longest > 0;
    const char *const *taus = ll_figure_taus(&count, measure, settings->quick);
    ll_status status = LL_OK;
    for (long t = 0; t < count && status == LL_OK; t++)
        for (long length = least; length <= series->longest && status == LL_OK; length++) {
            ll_unit unit = ll_figure_unit(series, taus[t], length, settings);
            status = ll_units_add(units, &unit, error);
        }
    return status;
}

ll_status ll_figure_add(ll_units *units, const ll_figure *figure, const ll_settings *settings, ll_error *error)
{
    if (figure->add)
        return figure->add(units, settings, error);
    ll_status status = LL_OK;
    for (long p = 0; p < figure->count; p++)
        for (long s = 0; s < figure->panels[p].count && status == LL_OK; s++)
            if (!figure->panels[p].series[s].is_limit)
                status = add_series(units, &figure->panels[p].series[s], figure->panels[p].measure, settings, error);
    return status;
}

/* ------------------------------------------------------------------ the tables */

ll_unit ll_figure_exact_unit(const char *dataset)
{
    return (ll_unit){.kind = LL_UNIT_EXACT, .what = "log-loss", .dataset = dataset, .tau = "1", .cost = 1};
}

static ll_status add_exact(ll_units *units, const ll_settings *settings, ll_error *error)
{
    (void)settings;
    ll_status status = LL_OK;
    for (long i = 0; i < ll_dataset_count() && status == LL_OK; i++) {
        ll_unit unit = ll_figure_exact_unit(ll_dataset_get_info(i)->name);
        status = ll_units_add(units, &unit, error);
    }
    return status;
}

enum { LABELINF_ROWS = 30, LABELINF_QUICK = 22 };

/* A length where every label is right, one where the mantissa has ended, one where noise wins (the printed baseline).
 */
static const struct {
    const char *what, *tau;
    long quick, full;
} attacks[] = {
    {"is-inverse", "1e-4", LABELINF_QUICK, LABELINF_ROWS},
    {"is-closed", "1e-8", LABELINF_QUICK, LABELINF_ROWS},
    {"softmax-direct", "1", LABELINF_QUICK, LABELINF_ROWS},
};

long ll_figure_labelinf_count(void)
{
    return (long)(sizeof attacks / sizeof *attacks);
}

ll_unit ll_figure_labelinf_unit(long index, long slice, const ll_settings *settings)
{
    long length = settings->quick ? attacks[index].quick : attacks[index].full;
    ll_unit unit = {.kind = slice < 0 ? LL_UNIT_NEAREST : LL_UNIT_SLICE,
                    .what = attacks[index].what,
                    .dataset = "titanic",
                    .tau = attacks[index].tau,
                    .length = length};
    if (slice >= 0) {
        unit.slice = slice;
        unit.slices = LL_LABELINF_SLICES;
        unit.cost = 3e-9 * ldexp(1, (int)length) / LL_LABELINF_SLICES;
    }
    return unit;
}

static ll_status add_labelinf(ll_units *units, const ll_settings *settings, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < ll_figure_labelinf_count(); i++)
        for (long slice = -1; slice < LL_LABELINF_SLICES && status == LL_OK; slice++) {
            ll_unit unit = ll_figure_labelinf_unit(i, slice, settings);
            status = ll_units_add(units, &unit, error);
        }
    return status;
}
