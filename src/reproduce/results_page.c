#include "reproduce/results_page.h"

#include "reproduce/figure_files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ figures */

static void write_reach_row(ll_page *page, const ll_curve *curve)
{
    char cells[LL_CURVE_POINTS][24];
    const char *row[LL_CURVE_POINTS + 2] = {curve->title};
    for (long i = 0; i < curve->count; i++) {
        (void)snprintf(cells[i], sizeof cells[i], "%.0f%s", curve->points[i].y,
                       curve->points[i].is_least ? " or more" : "");
        row[i + 1] = cells[i];
    }
    ll_page_row(page, row);
}

/* Labels of one query: a row a series, a column a noise magnitude. */
static void write_reach(ll_page *page, const ll_curves *curves, const ll_panel *panel, const ll_settings *settings)
{
    long count;
    const char *const *taus = ll_figure_taus(&count, panel->measure, settings->quick);
    const char *headings[LL_CURVE_POINTS + 2] = {"tau"};
    for (long t = 0; t < count; t++)
        headings[t + 1] = taus[t];
    ll_page_table(page, headings);
    for (long i = 0; i < curves->count; i++)
        write_reach_row(page, &curves->list[i]);
    ll_page_table_end(page);
}

static double best_accuracy(const ll_curve *curve)
{
    double best = 0;
    for (long i = 0; i < curve->count; i++)
        best = fmax(best, curve->points[i].y);
    return best;
}

static void write_accuracy_row(ll_page *page, const ll_curve *curve)
{
    char all[40] = "never", best[40];
    for (long i = curve->count - 1; i >= 0; i--)
        if (curve->points[i].y == 1)
            (void)snprintf(all, sizeof all, "%.0f%s", curve->points[i].x,
                           curve->points[i].is_planned ? " (planned, not run)" : "");
    if (curve->count == 0)
        (void)snprintf(best, sizeof best, "no plan is certified");
    else
        (void)snprintf(best, sizeof best, "%.2f %%", 100 * best_accuracy(curve));
    const char *cells[] = {curve->title, all, curve->series->is_limit ? "" : best, NULL};
    ll_page_row(page, cells);
}

/* Many queries: how few suffice for every label. */
static void write_accuracy(ll_page *page, const ll_curves *curves)
{
    static const char *const headings[] = {"series", "queries for every label", "best accuracy", NULL};
    ll_page_table(page, headings);
    for (long i = 0; i < curves->count; i++)
        write_accuracy_row(page, &curves->list[i]);
    ll_page_table_end(page);
}

/* What is drawn, for a reader who sees the picture alone. */
static void write_picture(const ll_results *r, ll_page *page, const ll_panel *panel)
{
    static const char *const right[] = {[LL_ALL_RUNS] = "every run gives all labels",
                                        [LL_HALF_RUNS] = "half of the runs give all labels",
                                        [LL_HALF_LABELS] = "half of the labels are right"};
    char file[80], caption[1200];
    (void)snprintf(file, sizeof file, "%s.svg", panel->name);
    if (panel->measure == LL_ACCURACY)
        (void)snprintf(
            caption, sizeof caption,
            "%s: the share of the labels of the whole data set that are right, against the number of queries, in "
            "IEEE doubles. One panel per construction, one colour per magnitude of the uniform noise; N: every "
            "query scores all rows, M: its block alone. Bars are 95%% intervals from the counts. Squares (N) and "
            "circles (M) are lossleak's plans, where every label is proved; the triangle is the limit of a score of "
            "53 bits.",
            panel->title);
    else
        (void)snprintf(
            caption, sizeof caption,
            "%s: the most labels of one query for which %s, against the magnitude of the uniform noise; %ld label "
            "sets of each length, in IEEE doubles. One colour per data set, one dash per construction; squares are "
            "lossleak's plans, where every label is proved; dotted lines are the limit of a score of 53 bits.",
            panel->title, right[panel->measure], r->settings->runs);
    ll_page_picture(page, file, panel->title, caption);
}

static ll_status write_panel(const ll_results *r, ll_page *page, const ll_panel *panel, ll_error *error)
{
    ll_curves curves;
    ll_status status = ll_curves_init(&curves, panel, r->units, r->settings, error);
    if (status != LL_OK)
        return status;
    if (r->drawn)
        write_picture(r, page, panel);
    else
        ll_page_paragraph(page, "%s", panel->title);
    if (panel->measure == LL_ACCURACY)
        write_accuracy(page, &curves);
    else
        write_reach(page, &curves, panel, r->settings);
    ll_curves_clear(&curves);
    return LL_OK;
}

/* ------------------------------------------------------------------ tables */

static void write_exact(const ll_results *r, ll_page *page)
{
    static const char *const headings[] = {
        "data set",     "rows", "classes", "code", "queries", "bits of the score", "seconds of one core",
        "labels right", NULL};
    ll_page_table(page, headings);
    for (long i = 0; i < ll_dataset_count(); i++) {
        const ll_dataset_info *info = ll_dataset_get_info(i);
        ll_unit like = ll_figure_exact_unit(info->name);
        const ll_unit *unit = ll_units_get(r->units, &like);
        char cells[6][32];
        if (!unit)
            continue;
        (void)snprintf(cells[0], sizeof cells[0], "%ld", info->rows);
        (void)snprintf(cells[1], sizeof cells[1], "%ld", info->classes);
        (void)snprintf(cells[2], sizeof cells[2], "%ld", unit->result.values[LL_VALUE_QUERIES]);
        (void)snprintf(cells[3], sizeof cells[3], "%.0f", unit->result.number);
        (void)snprintf(cells[4], sizeof cells[4], "%.2f", unit->result.seconds);
        (void)snprintf(cells[5], sizeof cells[5], "%ld, %ld of them proved", unit->result.values[LL_VALUE_ROWS_RIGHT],
                       unit->result.values[LL_VALUE_ROWS_CERTAIN]);
        const char *row[] = {info->name, cells[0], cells[1], unit->result.note, cells[2], cells[3],
                             cells[4],   cells[5], NULL};
        ll_page_row(page, row);
    }
    ll_page_table_end(page);
}

/* The nearest of all slices: least distance, then least labelling. */
static ll_unit_result nearest_of_slices(const ll_results *r, long index, double *seconds)
{
    ll_unit_result best = {0};
    *seconds = 0;
    for (long slice = 0; slice < LL_LABELINF_SLICES; slice++) {
        ll_unit like = ll_figure_labelinf_unit(index, slice, r->settings);
        const ll_unit *unit = ll_units_get(r->units, &like);
        if (!unit)
            continue;
        const ll_unit_result *s = &unit->result;
        *seconds += s->seconds;
        if (s->values[LL_VALUE_FOUND] &&
            (!best.values[LL_VALUE_FOUND] || s->number < best.number ||
             (s->number == best.number && s->values[LL_VALUE_LABELLING] < best.values[LL_VALUE_LABELLING])))
            best = *s;
    }
    return best;
}

static void write_labelinf_row(const ll_results *r, ll_page *page, long index)
{
    double seconds;
    ll_unit like = ll_figure_labelinf_unit(index, -1, r->settings);
    const ll_unit *unit = ll_units_get(r->units, &like);
    ll_unit_result all = nearest_of_slices(r, index, &seconds);
    char cells[4][48];
    if (!unit)
        return;
    const ll_unit_result *fast = &unit->result;
    int same = fast->values[LL_VALUE_LABELLING] == all.values[LL_VALUE_LABELLING] && fast->number == all.number &&
               fast->values[LL_VALUE_FOUND] == all.values[LL_VALUE_FOUND];
    (void)snprintf(cells[0], sizeof cells[0], "%s, tau = %s", unit->what, unit->tau);
    (void)snprintf(cells[1], sizeof cells[1], "2^%ld", unit->length);
    (void)snprintf(cells[2], sizeof cells[2], "%.2f (%.1e a second)", seconds,
                   ldexp(1, (int)unit->length) / fmax(seconds, 1e-9));
    (void)snprintf(cells[3], sizeof cells[3], "%.2g", fast->seconds);
    const char *row[] = {cells[0],
                         cells[1],
                         cells[2],
                         cells[3],
                         same ? "the same" : "NOT the same",
                         all.values[LL_VALUE_LABELLING] == all.values[LL_VALUE_TRUTH] ? "yes" : "no",
                         NULL};
    ll_page_row(page, row);
}

static void write_labelinf(const ll_results *r, ll_page *page)
{
    static const char *const headings[] = {
        "attack",           "labellings", "all of them, seconds", "pruned, seconds", "answer and distance",
        "is it the truth?", NULL};
    ll_page_table(page, headings);
    for (long i = 0; i < ll_figure_labelinf_count(); i++)
        write_labelinf_row(r, page, i);
    ll_page_table_end(page);
}

/* ------------------------------------------------------------------ the page */

static ll_status write_figure(const ll_results *r, ll_page *page, const ll_figure *figure, ll_error *error)
{
    ll_status status = LL_OK;
    ll_page_heading(page, figure->title);
    ll_page_paragraph(page, "%s", figure->about);
    if (strcmp(figure->name, "headline") == 0)
        write_exact(r, page);
    else if (strcmp(figure->name, "labelinf") == 0)
        write_labelinf(r, page);
    for (long p = 0; p < figure->count && status == LL_OK; p++)
        status = write_panel(r, page, &figure->panels[p], error);
    ll_page_paragraph(page, "Data: %s.csv%s.", figure->name,
                      figure->count ? ", and the counts behind it in the files of the same name with -units and -plans"
                                    : "");
    return status;
}

static void write_command(const ll_results *r, ll_page *page)
{
    char text[480] = "lossleak reproduce";
    size_t used = strlen(text);
    for (long i = 0; i < r->count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", r->figures[i]->name);
    if (r->count == ll_figure_count())
        used = (size_t)snprintf(text, sizeof text, "lossleak reproduce all");
    if (used < sizeof text)
        (void)snprintf(text + used, sizeof text - used, "%s --runs %ld --seed %llu --out DIR",
                       r->settings->quick ? " --quick" : "", r->settings->runs, (unsigned long long)r->settings->seed);
    ll_page_code(page, text);
}

static void write_introduction(const ll_results *r, ll_page *page)
{
    ll_page_paragraph(page,
                      "The experiments of Aggarwal, Kasiviswanathan, Xu, Feyisetan and Teissier, \"Reconstructing "
                      "Test Labels from Noisy Loss Functions\" (AISTATS 2022), by lossleak %s, with this command:",
                      ll_version());
    write_command(r, page);
    ll_page_paragraph(
        page,
        "The paper's setting: IEEE doubles, its constructions as printed, uniform noise in (-tau, tau), %ld label "
        "sets of each length drawn from the data set's labels, and LabelInf: the labelling whose computed score is "
        "nearest, of several the first. A score that overflows has no nearest labelling: the attack then gives no "
        "label.",
        r->settings->runs);
    ll_page_paragraph(
        page, "%s",
        "In the same pictures: the most labels of one query, and the fewest queries for a whole set, of lossleak's "
        "certified plans under the same arithmetic and noise, where every label is proved; and the limit of a code "
        "whose scores are evenly apart, 53 mantissa bits / log2 K labels a score.");
}

static const char title[] = "The paper's experiments, reproduced";

/* The title is among the first bytes. */
static int is_page(FILE *file)
{
    char text[256];
    size_t got = fread(text, 1, sizeof text - 1, file);
    text[got] = '\0';
    return strstr(text, title) != NULL;
}

/* No file, or a page of ours. */
static ll_status check_page(const char *path, ll_error *error)
{
    FILE *file = fopen(path, "re");
    if (!file && (errno == ENOENT || errno == ENOTDIR)) /* nothing to lose; a folder that cannot be is told later */
        return LL_OK;
    if (!file)
        return ll_fail(error, LL_SYSTEM, "%.300s: %s", path, strerror(errno));
    int is_ours = is_page(file);
    (void)fclose(file);
    return is_ours ? LL_OK
                   : ll_fail(error, LL_DOMAIN, "%.300s: is there and no page of these experiments; give another folder",
                             path);
}

ll_status ll_results_check_folder(const char *folder, ll_error *error)
{
    static const char *const names[][2] = {{"README", ".md"}, {"index", ".html"}};
    ll_status status = LL_OK;
    for (int i = 0; i < 2 && status == LL_OK; i++) {
        char *path = ll_reproduce_path(folder, names[i][0], names[i][1]);
        status = path ? check_page(path, error) : ll_fail(error, LL_MEMORY, "out of memory");
        free(path);
    }
    return status;
}

ll_status ll_results_write(const ll_results *r, const char *folder, ll_error *error)
{
    ll_page page;
    ll_status status = ll_page_begin(&page, title, error);
    if (status != LL_OK)
        return status;
    write_introduction(r, &page);
    ll_sentences_write(r, &page);
    for (long i = 0; i < r->count && status == LL_OK; i++)
        status = write_figure(r, &page, r->figures[i], error);
    ll_status written = ll_page_write(&page, folder, error);
    return status == LL_OK ? written : status;
}
