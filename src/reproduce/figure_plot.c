/* Scripts for gnuplot: the points of a panel inline, one curve after the other. */
#include "reproduce/figure_files.h"

#include "report/gnuplot.h"

#include <stdio.h>
#include <stdlib.h>

/* Colours that the colour-blind can tell apart (Okabe and Ito 2008). */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
enum { COLOURS = sizeof colours / sizeof *colours };

static int is_own(const ll_curve *curve)
{
    return curve->series->kind >= LL_UNIT_OWN_SINGLE && curve->series->kind <= LL_UNIT_OWN_ALL;
}

static void write_data(FILE *out, const ll_curves *curves)
{
    for (long i = 0; i < curves->count; i++) {
        (void)fprintf(out, "$c%ld << end\n", i);
        for (long j = 0; j < curves->list[i].count; j++)
            (void)fprintf(out, "%.10g %.10g\n", curves->list[i].points[j].x, curves->list[i].points[j].y);
        (void)fputs("end\n", out);
    }
}

/* In accuracy panels a colour is a noise magnitude and a dash a series; else a colour is a series. */
static void write_style(FILE *out, const ll_panel *panel, const ll_curve *curve, long index)
{
    long series = curve->series - panel->series, tau = 0, count;
    const char *const *taus = ll_figure_taus(&count, panel->measure, 1);
    for (long t = 0; curve->tau && t < count; t++)
        tau = taus[t] == curve->tau ? t : tau;
    long colour = panel->measure == LL_ACCURACY ? tau : index;
    if (curve->series->is_limit)
        (void)fprintf(out, "with %s lc rgb '#808080' dt 2 lw 1 pt 8 ps 1.2", curve->count > 1 ? "lines" : "points");
    else if (is_own(curve))
        (void)fprintf(out, "with linespoints lc rgb '%s' lw 2 pt %d ps 1.2", colours[colour % COLOURS],
                      curve->series->kind == LL_UNIT_OWN_BLOCKS ? 7 : 5);
    else
        (void)fprintf(out, "with linespoints lc rgb '%s' dt %ld lw 1.5 pt %ld ps 0.5", colours[colour % COLOURS],
                      1 + series % 4, panel->measure == LL_ACCURACY ? 1 + series : 1 + index);
}

static void write_axes(FILE *out, const ll_panel *panel)
{
    (void)fprintf(out,
                  "set title \"%s\"\nset logscale x\nset key outside right top font ',9'\nset grid lc rgb '#dddddd'\n",
                  panel->title);
    if (panel->measure == LL_ACCURACY)
        (void)fputs("set xlabel 'queries'\nset ylabel 'share of labels right'\nset yrange [-0.02:1.02]\n", out);
    else
        (void)fputs("set xlabel 'noise magnitude tau'\nset ylabel 'labels of one query'\nset yrange [0:*]\n"
                    "set format x '10^{%L}'\n",
                    out);
}

static void write_plot(FILE *out, const ll_panel *panel, const ll_curves *curves)
{
    const char *between = "plot ";
    for (long i = 0; i < curves->count; i++) {
        if (curves->list[i].count == 0)
            continue;
        (void)fprintf(out, "%s$c%ld using 1:2 title \"%s\" ", between, i, curves->list[i].title);
        write_style(out, panel, &curves->list[i], i);
        between = ", \\\n  ";
    }
    (void)fputs("\nunset output\n", out);
}

/* A path inside quotes: gnuplot doubles a single quote. */
static void write_output(FILE *out, const char *folder, const char *name, const char *ending)
{
    (void)fputs("set output '", out);
    for (const char *p = folder; *p; p++)
        (void)fprintf(out, *p == '\'' ? "''" : "%c", *p);
    (void)fprintf(out, "/%s%s'\n", name, ending);
}

static void write_script(FILE *out, const ll_panel *panel, const ll_curves *curves, const char *folder)
{
    write_data(out, curves);
    (void)fputs("set encoding utf8\nset terminal svg size 860,460 dynamic background '#ffffff' noenhanced font "
                "'sans,12'\nset termoption enhanced\n",
                out);
    write_output(out, folder, panel->name, ".svg");
    write_axes(out, panel);
    write_plot(out, panel, curves);
    (void)fputs("set terminal pngcairo size 860,460 font 'sans,10'\n", out);
    write_output(out, folder, panel->name, ".png");
    write_plot(out, panel, curves);
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
