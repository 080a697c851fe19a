/* The paper's sentences about its experiments, in our words, each with what our figures say to it. */
#include "reproduce/results_page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *verdict; /* "yes", "no", "partly"; NULL: its figures were not asked for */
    char text[600];
} judgement;

static void judge(judgement *out, const char *verdict, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void judge(judgement *out, const char *verdict, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)vsnprintf(out->text, sizeof out->text, format, values);
    va_end(values);
    out->verdict = verdict;
}

/* ------------------------------------------------------------------ series by name */

static const ll_panel *find_panel(const char *name)
{
    for (long f = 0; f < ll_figure_count(); f++)
        for (long p = 0; p < ll_figure_get(f)->count; p++)
            if (strcmp(ll_figure_get(f)->panels[p].name, name) == 0)
                return &ll_figure_get(f)->panels[p];
    abort(); /* a name of this file that is not in the table */
}

static const ll_series *find_series(const char *panel, const char *title)
{
    const ll_panel *p = find_panel(panel);
    for (long s = 0; s < p->count; s++)
        if (strcmp(p->series[s].title, title) == 0)
            return &p->series[s];
    abort();
}

static long reach(const ll_results *r, const char *panel, const char *title, const char *tau)
{
    return ll_curve_reach(r->units, find_series(panel, title), find_panel(panel)->measure, tau, r->settings);
}

static long queries(const ll_results *r, const char *panel, const char *title, const char *tau)
{
    return ll_curve_queries(r->units, find_series(panel, title), tau, r->settings);
}

static double accuracy(const ll_results *r, const char *panel, const char *title, const char *tau, long length)
{
    return ll_curve_accuracy(r->units, find_series(panel, title), tau, length, r->settings);
}

/* "158 queries", or "never" */
static const char *say_queries(char *text, size_t size, long count)
{
    if (count > 0)
        (void)snprintf(text, size, "%ld", count);
    else
        (void)snprintf(text, size, "never");
    return text;
}

static const char *const ends[] = {"1e-4", "1e-2", "1"};
enum { ENDS = 3, CHANCE = 4 }; /* labels that a rare rounding may cost in one sample and not in another */

/* ------------------------------------------------------------------ the sentences */

/* Every label of titanic with `length` labels a query. */
static void judge_titanic(const ll_results *r, judgement *out, const char *tau, long length, long claimed)
{
    static const char panel[] = "fig2-is-titanic";
    char texts[3][24];
    double inverse = accuracy(r, panel, "inverse, N", tau, length),
           rows = accuracy(r, panel, "closed form, N", tau, length),
           block = accuracy(r, panel, "closed form, M", tau, length);
    if (inverse < 0)
        return;
    judge(out,
          inverse == 1 && rows == 1 && block == 1   ? "yes"
          : inverse == 1 || rows == 1 || block == 1 ? "partly"
                                                    : "no",
          "at %ld labels a query (%ld queries): inverse construction with N %.2f %%, closed form with N %.2f %%, "
          "closed form with the block's M %.2f %%. Fewest queries for every label: %s, %s and %s; lossleak, every "
          "label proved: %ld",
          length, claimed, 100 * inverse, 100 * rows, 100 * block,
          say_queries(texts[0], sizeof texts[0], queries(r, panel, "inverse, N", tau)),
          say_queries(texts[1], sizeof texts[1], queries(r, panel, "closed form, N", tau)),
          say_queries(texts[2], sizeof texts[2], queries(r, panel, "closed form, M", tau)),
          queries(r, panel, "lossleak, certified, N", tau));
}

static void judge_220(const ll_results *r, judgement *out)
{
    judge_titanic(r, out, "1e-4", 10, 221);
}

static void judge_1100(const ll_results *r, judgement *out)
{
    judge_titanic(r, out, "1", 2, 1101);
}

static void judge_falls_with_noise(const ll_results *r, judgement *out)
{
    long closed[ENDS], inverse[ENDS];
    for (int t = 0; t < ENDS; t++) {
        closed[t] = reach(r, "fig1a", "titanic, closed form", ends[t]);
        inverse[t] = reach(r, "fig1a", "titanic, inverse", ends[t]);
    }
    if (closed[0] < 0)
        return;
    int closed_falls = closed[0] > closed[1] && closed[1] > closed[2];
    int inverse_falls = inverse[0] > inverse[2] + CHANCE && inverse[1] > inverse[2];
    judge(out,
          closed_falls && inverse_falls   ? "yes"
          : closed_falls || inverse_falls ? "partly"
                                          : "no",
          "at tau = 1e-4, 1e-2 and 1: closed form %ld, %ld, %ld labels; inverse construction %ld, %ld, %ld: there "
          "the mantissa is the limit, not the noise",
          closed[0], closed[1], closed[2], inverse[0], inverse[1], inverse[2]);
}

static void judge_same_sets(const ll_results *r, judgement *out)
{
    long count, differ = 0, most = 0;
    const char *const *taus = ll_figure_taus(&count, LL_ALL_RUNS, r->settings->quick);
    static const char *const pairs[][3] = {{"fig1a", "titanic, closed form", "imdb, closed form"},
                                           {"fig1a", "titanic, inverse", "imdb, inverse"}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (long t = 0; t < count; t++) {
            long a = reach(r, pairs[p][0], pairs[p][1], taus[t]), b = reach(r, pairs[p][0], pairs[p][2], taus[t]);
            if (a < 0)
                return;
            differ += a != b;
            most = labs(a - b) > most ? labs(a - b) : most;
        }
    judge(out, differ == 0 ? "yes" : "partly",
          "in %ld of %ld places (two constructions, %ld noise magnitudes) titanic and imdb differ, by at most %ld "
          "labels: where rare roundings decide, the share of ones matters",
          differ, 2 * count, count, most);
}

static void judge_classes(const ll_results *r, judgement *out)
{
    long two[ENDS], six[ENDS], ten[ENDS];
    int falls = 1;
    for (int t = 0; t < ENDS; t++) {
        two[t] = reach(r, "fig1b-two", "titanic", ends[t]);
        six[t] = reach(r, "fig1b-more", "satellite", ends[t]);
        ten[t] = reach(r, "fig1b-more", "mnist", ends[t]);
        falls &= two[t] > six[t] && six[t] > ten[t];
    }
    if (two[0] < 0)
        return;
    judge(out, falls ? "yes" : "no",
          "K = 2, 6, 10 at tau = 1e-4: %ld, %ld, %ld labels; at 1e-2: %ld, %ld, %ld; at 1: %ld, %ld, %ld", two[0],
          six[0], ten[0], two[1], six[1], ten[1], two[2], six[2], ten[2]);
}

static void judge_mnist_cifar(const ll_results *r, judgement *out)
{
    long count, differ = 0;
    const char *const *taus = ll_figure_taus(&count, LL_ALL_RUNS, r->settings->quick);
    for (long t = 0; t < count; t++) {
        long a = reach(r, "fig1b-more", "mnist", taus[t]), b = reach(r, "fig1b-more", "cifar10", taus[t]);
        if (a < 0)
            return;
        differ += a != b;
    }
    judge(out, differ == 0 ? "yes" : "no", "mnist and cifar10 differ at %ld of %ld noise magnitudes", differ, count);
}

static void judge_baseline(const ll_results *r, judgement *out)
{
    long own[ENDS], base[ENDS], printed[ENDS];
    for (int t = 0; t < ENDS; t++) {
        own[t] = reach(r, "fig1b-two", "titanic", ends[t]);
        base[t] = reach(r, "fig1b-two", "titanic, icml21", ends[t]);
        printed[t] = reach(r, "fig1b-two", "titanic, icml21 as printed", ends[t]);
    }
    if (own[0] < 0)
        return;
    int ahead = base[0] > own[0] && base[0] - own[0] >= base[2] - own[2] && base[2] >= own[2];
    judge(out,
          !ahead                ? "no"
          : printed[0] > own[0] ? "yes"
                                : "partly",
          "at tau = 1e-4, 1e-2, 1: the baseline %ld, %ld, %ld labels, Theorem 3 %ld, %ld, %ld. That is "
          "with the exponent 2^i N tau; as Theorem 10 is printed, the baseline has %ld, %ld, %ld",
          base[0], base[1], base[2], own[0], own[1], own[2], printed[0], printed[1], printed[2]);
}

static void judge_softmax(const ll_results *r, judgement *out)
{
    static const char *const sets[] = {"titanic", "satellite", "mnist"};
    long plain[3], softmax[3];
    int below = 1;
    for (int s = 0; s < 3; s++) {
        plain[s] = reach(r, "fig1c-runs", sets[s], "1e-4");
        softmax[s] = reach(r, "fig1d-runs", sets[s], "1e-4");
        if (plain[s] < 0 || softmax[s] < 0)
            return;
        below &= softmax[s] < plain[s];
    }
    judge(out, below ? "yes" : "no",
          "titanic, satellite, mnist at tau = 1e-4, half of the runs: softmax %ld, %ld, %ld labels, cross-entropy %ld, "
          "%ld, %ld. Both end where 3^(2^(NK) N tau) overflows; logits written down directly and scored by log-sum-exp "
          "reach %ld, %ld and %ld: logits need fewer bits than probabilities, not more",
          softmax[0], softmax[1], softmax[2], plain[0], plain[1], plain[2],
          reach(r, "fig1d-runs", "titanic, logits directly", "1e-4"),
          reach(r, "fig1d-runs", "satellite, logits directly", "1e-4"),
          reach(r, "fig1d-runs", "mnist, logits directly", "1e-4"));
}

/* Falls of accuracy along more and more queries, over all of the paper's curves of a figure. */
static void judge_more_queries(const ll_results *r, judgement *out)
{
    const ll_figure *figure = ll_figure_find("fig2");
    long curves = 0, falling = 0;
    double most = 0;
    for (long p = 0; p < figure->count; p++)
        for (long s = 0; s < figure->panels[p].count; s++)
            for (int t = 0; t < ENDS; t++) {
                const ll_series *series = &figure->panels[p].series[s];
                double worst = 0, best = 0;
                if (series->is_limit || series->kind != LL_UNIT_BLOCKS)
                    continue;
                for (long length = series->longest; length > 0; length--) {
                    double now = ll_curve_accuracy(r->units, series, ends[t], length, r->settings);
                    if (now < 0)
                        return;
                    best = fmax(best, now);
                    worst = fmax(worst, best - now);
                }
                curves++;
                falling += worst > 0.005;
                most = fmax(most, worst);
            }
    judge(out, falling == 0 ? "yes" : "partly",
          "of %ld curves of figure 2, %ld fall by more than half a point somewhere on the way to more queries; the "
          "deepest fall is %.1f points",
          curves, falling, 100 * most);
}

static void judge_softmax_queries(const ll_results *r, judgement *out)
{
    static const char *const sets[][2] = {{"fig2-softmax-titanic", "fig3-titanic"},
                                          {"fig2-softmax-satellite", "fig3-satellite"},
                                          {"fig2-softmax-mnist", "fig3-mnist"}};
    long softmax[3], plain[3];
    int is_run = 1, worse = 1;
    for (int s = 0; s < 3; s++) {
        is_run &= accuracy(r, sets[s][0], "softmax, M", "1e-4", 1) >= 0;
        is_run &= accuracy(r, sets[s][1], "closed form, M", "1e-4", 1) >= 0;
        softmax[s] = queries(r, sets[s][0], "softmax, M", "1e-4");
        plain[s] = queries(r, sets[s][1], "closed form, M", "1e-4");
        worse &= softmax[s] > plain[s];
    }
    if (is_run)
        judge(out, worse ? "yes" : "no",
              "fewest queries for every label at tau = 1e-4 (block's M), titanic, satellite, mnist: softmax %ld, "
              "%ld, %ld; cross-entropy %ld, %ld, %ld",
              softmax[0], softmax[1], softmax[2], plain[0], plain[1], plain[2]);
}

static void judge_sigmoid(const ll_results *r, judgement *out)
{
    long first = reach(r, "fig4-runs", "titanic, first entry", "1e-4"),
         second = reach(r, "fig4-runs", "titanic, second entry", "1e-4"),
         plain = reach(r, "fig4-runs", "titanic, plain cross-entropy", "1e-4");
    if (first < 0)
        return;
    judge(out,
          first < plain && second < plain   ? "yes"
          : first < plain || second < plain ? "partly"
                                            : "no",
          "half of the runs at tau = 1e-4: sigmoid %ld labels where theta_{i,1} is the first entry of the row (as "
          "printed), %ld where it is the second (1 - p then loses its bits), cross-entropy %ld",
          first, second, plain);
}

static void judge_same_plots(const ll_results *r, judgement *out)
{
    static const char *const pairs[][3] = {{"fig2-is-titanic", "fig2-is-imdb", "inverse, N"},
                                           {"fig2-is-titanic", "fig2-is-imdb", "closed form, M"},
                                           {"fig2-softmax-mnist", "fig2-softmax-cifar10", "softmax, M"},
                                           {"fig2-softmax-mnist", "fig2-softmax-cifar10", "softmax, N"}};
    double most[4] = {0};
    for (int p = 0; p < 4; p++)
        for (int t = 0; t < ENDS; t++)
            for (long length = 1; length <= find_series(pairs[p][0], pairs[p][2])->longest; length++) {
                double a = accuracy(r, pairs[p][0], pairs[p][2], ends[t], length),
                       b = accuracy(r, pairs[p][1], pairs[p][2], ends[t], length);
                if (a < 0)
                    return;
                most[p] = fmax(most[p], fabs(a - b));
            }
    double widest = fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
    judge(out, widest < 0.02 ? "yes" : "partly",
          "largest difference of accuracy at the same labels a query: titanic and imdb %.1f points (inverse, N) and "
          "%.1f (closed form, M), where accuracy is below 100 %% it depends on the share of ones; mnist and cifar10 "
          "%.1f (M) and %.1f (N)",
          100 * most[0], 100 * most[1], 100 * most[2], 100 * most[3]);
}

static void judge_time(const ll_results *r, judgement *out)
{
    const ll_unit *slowest = NULL;
    for (long i = 0; i < r->units->count; i++) {
        const ll_unit *unit = &r->units->list[i];
        if ((unit->kind == LL_UNIT_SINGLE || unit->kind == LL_UNIT_BLOCKS) &&
            (!slowest || unit->result.longest > slowest->result.longest))
            slowest = unit;
    }
    if (!slowest)
        return;
    judge(out, slowest->result.longest <= 10 ? "yes" : "no",
          "the longest of all attacks took %.2g s (%s, %ld label%s), with LabelInf by a search that prunes; looking "
          "at every labelling, as the formula says, ends near 10 s at 33 labels even at 1e9 labellings a second",
          slowest->result.longest, slowest->what, slowest->length, slowest->length == 1 ? "" : "s");
}

static void judge_overflow(const ll_results *r, judgement *out)
{
    double closed = accuracy(r, "fig2-is-titanic", "closed form, N", "1", 1);
    long least = queries(r, "fig2-is-titanic", "closed form, N", "1e-4");
    char text[24];
    if (closed < 0)
        return;
    judge(out, "no",
          "closed form with N = 2201 at tau = 1: 3^(2 N tau) = 3^4402 overflows for the first label already; %.2f %% "
          "right with one label a query (those that are 0 in a block of one), and %s queries for every label at tau = "
          "1e-4. So the paper's figures cannot come from it",
          100 * closed, say_queries(text, sizeof text, least));
}

static const struct {
    const char *claim, *where;
    void (*judge)(const ll_results *, judgement *);
} sentences[] = {
    {"Itakura-Saito on Titanic: every label from 220 queries on at tau = 0.0001 (\"M >= 220\", read as queries)",
     "fig2", judge_220},
    {"The same from 1100 queries on at tau = 1", "fig2", judge_1100},
    {"The closed form of Corollary 1, with the whole set's N, is what was run", "fig2", judge_overflow},
    {"Itakura-Saito, one query: less noise, more labels", "fig1a", judge_falls_with_noise},
    {"Titanic and IMDB give the same, since both are binary", "fig1a", judge_same_sets},
    {"Cross-entropy: fewer labels as K grows from 2 to 10", "fig1b", judge_classes},
    {"Results differ between data sets, but not between MNIST and CIFAR", "fig1b", judge_mnist_cifar},
    {"The baseline of Aggarwal et al. 2021 is slightly ahead on Titanic, more so at small tau", "fig1b",
     judge_baseline},
    {"Softmax cross-entropy gives fewer labels than cross-entropy at 50 %", "fig1c, fig1d", judge_softmax},
    {"Accuracy grows with the number of queries", "fig2", judge_more_queries},
    {"Many queries: accuracy is lower for softmax", "fig2, fig3", judge_softmax_queries},
    {"Data sets with the same number of classes have similar plots", "fig2", judge_same_plots},
    {"Sigmoid cross-entropy is worse than cross-entropy", "fig4", judge_sigmoid},
    {"An attack takes about 10 seconds at most", "all", judge_time},
};

void ll_sentences_write(const ll_results *results, ll_page *page)
{
    static const char *const headings[] = {"the paper says", "where", "holds?", "our figure", NULL};
    ll_page_heading(page, "Sentence by sentence");
    ll_page_table(page, headings);
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        judgement j = {0};
        sentences[i].judge(results, &j);
        const char *row[] = {sentences[i].claim, sentences[i].where, j.verdict ? j.verdict : "not run",
                             j.verdict ? j.text : "its figures were not asked for", NULL};
        ll_page_row(page, row);
    }
    ll_page_table_end(page);
}
