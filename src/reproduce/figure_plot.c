/* Scripts for gnuplot: the points of a panel inline, one curve after the other. No keys: names stand at the curves, or above
 * small panels. */
#include "reproduce/figure_files.h"

#include "report/gnuplot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_own(const ll_curve *curve)
{
    return curve->series->kind >= LL_UNIT_OWN_SINGLE && curve->series->kind <= LL_UNIT_OWN_ALL;
}

static void write_data(FILE *out, const ll_curves *curves)
{
    for (long i = 0; i < curves->count; i++) {
        (void)fprintf(out, "$c%ld << end\n", i);
        for (long j = 0; j < curves->list[i].count; j++) {
            const ll_point *p = &curves->list[i].points[j];
            (void)fprintf(out, "%.10g %.10g %.10g %.10g\n", p->x, p->y, p->low, p->high);
        }
        (void)fputs("end\n", out);
    }
}

/* ---- colours: the colour-blind can tell them apart (Okabe and Ito 2008; viridis for magnitudes) ---- */

static const char own_colour[] = "#D55E00", limit_colour[] = "#707070";
static const char *const tau_colours[] = {"#440154", "#21918C", "#C9A800"};
enum { TAU_COLOURS = sizeof tau_colours / sizeof *tau_colours };

static const char *dataset_colour(const char *dataset)
{
    static const char *const list[][2] = {{"titanic", "#0072B2"},
                                          {"imdb", "#56B4E9"},
                                          {"satellite", "#009E73"},
                                          {"mnist", "#CC79A7"},
                                          {"cifar10", "#E69F00"}};
    const char *colour = "#000000";
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        colour = strcmp(list[i][0], dataset) == 0 ? list[i][1] : colour;
    return colour;
}

static const char *series_colour(const ll_curve *curve)
{
    if (curve->series->is_limit)
        return limit_colour;
    return is_own(curve) ? own_colour : dataset_colour(curve->series->dataset);
}

/* ---- labels of one query: names at the right ends of the curves ---- */

enum { NAMES = 16, NAME = 200 };

typedef struct {
    double y;     /* as a share of the frame's height */
    double value; /* where the curves end */
    const char *colour;
    char text[NAME];
} end_name;

static double highest(const ll_curves *curves)
{
    double most = 1;
    for (long i = 0; i < curves->count; i++)
        for (long j = 0; j < curves->list[i].count; j++)
            most = fmax(most, curves->list[i].points[j].y);
    return ceil(most * 1.08);
}

/* Curves of one colour that end at one height share a line. */
static long collect_names(end_name *names, const ll_curves *curves, double top)
{
    long count = 0;
    for (long i = 0; i < curves->count && count < NAMES; i++) {
        const ll_curve *c = &curves->list[i];
        long same = 0;
        if (c->count == 0)
            continue;
        double value = c->points[c->count - 1].y;
        while (same < count && (names[same].value != value || names[same].colour != series_colour(c)))
            same++;
        if (same == count)
            names[count++] = (end_name){.y = value / top, .value = value, .colour = series_colour(c)};
        size_t used = strlen(names[same].text);
        (void)snprintf(names[same].text + used, NAME - used, "%s%s", used > 0 ? "; " : "", c->title);
    }
    return count;
}

static int compare_names(const void *a, const void *b)
{
    const end_name *first = a, *second = b;
    return (first->y > second->y) - (first->y < second->y);
}

static void write_names(FILE *out, const ll_curves *curves, double top)
{
    end_name names[NAMES] = {0};
    const double line = 0.05;
    long count = collect_names(names, curves, top);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (long i = 1; i < count; i++)
        names[i].y = fmax(names[i].y, names[i - 1].y + line);
    for (long i = 0; i < count; i++) /* a line leads from the curve to its name, which may stand higher */
        (void)fprintf(out,
                      "set arrow from graph 1.008, graph %.4f to graph 1.045, graph %.4f nohead lw 0.7 lc rgb '%s'\n"
                      "set label \"%s\" at graph 1.05, graph %.4f left tc rgb '%s' font ',10'\n",
                      names[i].value / top, names[i].y, names[i].colour, names[i].text, names[i].y, names[i].colour);
}

/* A dash tells constructions on one data set apart. */
static void write_reach_style(FILE *out, const ll_panel *panel, const ll_curve *curve)
{
    long dash = 1;
    for (const ll_series *s = panel->series; s < curve->series; s++)
        dash += strcmp(s->dataset, curve->series->dataset) == 0;
    if (curve->series->is_limit)
        (void)fprintf(out, "with lines lc rgb '%s' dt 3 lw 1.5", limit_colour);
    else if (is_own(curve))
        (void)fprintf(out, "with linespoints lc rgb '%s' lw 2 pt 5 ps 0.8", own_colour);
    else
        (void)fprintf(out, "with linespoints lc rgb '%s' dt %ld lw 1.5 pt 7 ps 0.3", series_colour(curve), dash);
}

static void write_reach(FILE *out, const ll_panel *panel, const ll_curves *curves)
{
    static const char *const right[] = {[LL_ALL_RUNS] = "every run right",
                                        [LL_HALF_RUNS] = "half of the runs right",
                                        [LL_HALF_LABELS] = "half of the labels right"};
    double top = highest(curves);
    const char *between = "plot ";
    (void)fprintf(out,
                  "set title \"%s\"\nset xlabel 'noise magnitude tau'\nset ylabel 'most labels of one query, %s'\n"
                  "set yrange [0:%g]\nset format x '10^{%%L}'\nset rmargin at screen 0.66\n",
                  panel->title, right[panel->measure], top);
    write_names(out, curves, top);
    for (long i = 0; i < curves->count; i++) {
        if (curves->list[i].count == 0)
            continue;
        (void)fprintf(out, "%s$c%ld using 1:2 notitle ", between, i);
        write_reach_style(out, panel, &curves->list[i]);
        between = ", \\\n  ";
    }
    (void)fputs("\n", out);
}

/* ---- a whole data set: a small panel for each construction, a colour for each magnitude of noise ---- */

/* Has a panel of its own; the library's plans and the limit are points in every panel. */
static int is_construction(const ll_series *series)
{
    return !series->is_limit && (series->kind < LL_UNIT_OWN_SINGLE || series->kind > LL_UNIT_OWN_ALL);
}

static long count_constructions(const ll_panel *panel)
{
    long count = 0;
    for (long s = 0; s < panel->count; s++)
        count += is_construction(&panel->series[s]);
    return count;
}

static long tau_index(const ll_panel *panel, const char *tau)
{
    long count, found = 0;
    const char *const *taus = ll_figure_taus(&count, panel->measure, 1);
    for (long t = 0; tau != NULL && t < count; t++)
        found = taus[t] == tau ? t : found;
    return found % TAU_COLOURS;
}

/* The words above all panels: what the colours and the marks are. */
static void write_head(FILE *out, const ll_panel *panel)
{
    long count;
    const char *const *taus = ll_figure_taus(&count, panel->measure, 1);
    (void)fprintf(out, "set label 1 \"%s: share of labels right, 95%% intervals\" at screen 0.01, screen 0.965 left\n",
                  panel->title);
    for (long t = 0; t < count; t++)
        (void)fprintf(out, "set label %ld \"noise %s\" at screen %.3f, screen 0.915 left tc rgb '%s'\n", t + 2, taus[t],
                      0.01 + 0.12 * (double)t, tau_colours[t % TAU_COLOURS]);
    (void)fprintf(
        out,
        "set label %ld \"square, circle: lossleak, certified (all rows, blocks); triangle: limit of 53 bits\" at "
        "screen %.3f, screen 0.915 left tc rgb '%s'\n",
        count + 2, 0.03 + 0.12 * (double)count, limit_colour);
}

/* Intervals first, the line over them. */
static void write_measured(FILE *out, long index, const char *colour)
{
    (void)fprintf(
        out,
        "$c%ld using 1:2:3:4 notitle with yerrorbars lc rgb '%s' pt 7 ps 0.25, $c%ld using 1:2 notitle with lines lc "
        "rgb '%s' lw 1.5",
        index, colour, index, colour);
}

static void write_point(FILE *out, const ll_panel *panel, const ll_curve *curve, long index)
{
    int mark = curve->series->is_limit ? 8 : curve->series->kind == LL_UNIT_OWN_BLOCKS ? 6 : 4;
    (void)fprintf(out, "$c%ld using 1:2 notitle with points lc rgb '%s' lw 1.5 pt %d ps 0.9", index,
                  curve->series->is_limit ? limit_colour : tau_colours[tau_index(panel, curve->tau)], mark);
}

static void write_construction(FILE *out, const ll_panel *panel, const ll_curves *curves, const ll_series *series)
{
    const char *between = "plot ";
    (void)fprintf(out, "set title \"%s\"\n", series->title);
    for (long i = 0; i < curves->count; i++) {
        const ll_curve *c = &curves->list[i];
        if (c->count == 0 || (is_construction(c->series) && c->series != series))
            continue;
        (void)fputs(between, out);
        if (is_construction(c->series))
            write_measured(out, i, tau_colours[tau_index(panel, c->tau)]);
        else
            write_point(out, panel, c, i);
        between = ", \\\n  ";
    }
    (void)fputs("\nunset for [i=1:9] label i\n", out);
}

static void write_accuracy(FILE *out, const ll_panel *panel, const ll_curves *curves)
{
    long count = count_constructions(panel), columns = count > 3 ? (count + 1) / 2 : count;
    (void)fprintf(out,
                  "set xlabel 'queries'\nset yrange [-0.03:1.06]\nset format x '10^{%%L}'\n"
                  "set multiplot layout %ld,%ld margins 0.07,0.98,0.13,0.80 spacing 0.06,0.22\n",
                  (count + columns - 1) / columns, columns);
    write_head(out, panel);
    for (long s = 0; s < panel->count; s++)
        if (is_construction(&panel->series[s]))
            write_construction(out, panel, curves, &panel->series[s]);
    (void)fputs("unset multiplot\n", out);
}

static void write_plot(FILE *out, const ll_panel *panel, const ll_curves *curves)
{
    (void)fputs("set logscale x\nunset key\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\n", out);
    if (panel->measure == LL_ACCURACY)
        write_accuracy(out, panel, curves);
    else
        write_reach(out, panel, curves);
    (void)fputs("unset output\nreset\n", out);
}

/* A path inside quotes: gnuplot doubles a single quote. */
static void write_output(FILE *out, const char *folder, const char *name, const char *ending)
{
    (void)fputs("set output '", out);
    for (const char *p = folder; *p; p++)
        (void)fprintf(out, *p == '\'' ? "''" : "%c", *p);
    (void)fprintf(out, "/%s%s'\n", name, ending);
}

/* For pages, for print, and for where neither can be shown. `unit` is of one of the 420 or 620 that a picture is high. */
static const struct {
    const char *terminal, *size, *more, *ending;
    double unit;
} formats[] = {
    {"svg", "860,%.0f", "dynamic background '#ffffff' enhanced font 'sans,12'", ".svg", 1},
    {"pdfcairo", "8.6in,%.2fin", "enhanced font 'sans,10'", ".pdf", 0.01},
    {"pngcairo", "860,%.0f", "enhanced font 'sans,9'", ".png", 1},
};

static void write_script(FILE *out, const ll_panel *panel, const ll_curves *curves, const char *folder)
{
    int height = panel->measure == LL_ACCURACY && count_constructions(panel) > 3 ? 620 : 420;
    write_data(out, curves);
    (void)fputs("set encoding utf8\n", out);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        (void)fprintf(out, "set terminal %s size ", formats[i].terminal);
        (void)fprintf(out, formats[i].size, height * formats[i].unit);
        (void)fprintf(out, " %s\n", formats[i].more);
        write_output(out, folder, panel->name, formats[i].ending);
        write_plot(out, panel, curves);
    }
}

static ll_status draw_panel(const ll_panel *panel, const char *folder, const ll_units *units,
                            const ll_settings *settings, ll_error *error)
{
    ll_curves curves;
    char *script = NULL;
    size_t size;
    ll_status status = ll_curves_init(&curves, panel, units, settings, error);
    if (status != LL_OK)
        return status;
    FILE *out = open_memstream(&script, &size);
    if (out)
        write_script(out, panel, &curves, folder);
    if (!out || fclose(out) != 0)
        status = ll_fail(error, LL_MEMORY, "out of memory for the picture of %s", panel->name);
    else
        status = ll_report_gnuplot(script, error);
    free(script);
    ll_curves_clear(&curves);
    return status;
}

ll_status ll_figure_draw(const ll_figure *figure, const char *folder, const ll_units *units,
                         const ll_settings *settings, int *drawn, ll_error *error)
{
    ll_status status = LL_OK;
    *drawn = ll_report_has_gnuplot();
    for (long p = 0; *drawn && p < figure->count && status == LL_OK; p++)
        status = draw_panel(&figure->panels[p], folder, units, settings, error);
    return status;
}
