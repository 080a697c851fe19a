#include "reproduce/figure_files.h"

#include "io/files/write_file.h"

#include <stdio.h>
#include <stdlib.h>

char *ll_reproduce_path(const char *folder, const char *name, const char *ending)
{
    char *path;
    return asprintf(&path, "%s/%s%s", folder, name, ending) < 0 ? NULL : path;
}

/* ------------------------------------------------------------------ points */

static ll_status write_curve(ll_io_output *out, const ll_panel *panel, const ll_curve *curve, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < curve->count && status == LL_OK; i++)
        status = ll_io_output_print(out, error, "%s,\"%s\",%s,%s,%.10g,%.10g,%s\n", panel->name, curve->title,
                                    curve->series->dataset, curve->tau ? curve->tau : "", curve->points[i].x,
                                    curve->points[i].y,
                                    curve->points[i].is_planned ? "planned"
                                    : curve->points[i].is_least ? "at-least"
                                    : curve->series->is_limit   ? "bound"
                                                                : "run");
    return status;
}

static ll_status write_panel(ll_io_output *out, const ll_panel *panel, const ll_units *units,
                             const ll_settings *settings, ll_error *error)
{
    ll_curves curves;
    ll_status status = ll_curves_init(&curves, panel, units, settings, error);
    if (status != LL_OK)
        return status;
    for (long i = 0; i < curves.count && status == LL_OK; i++)
        status = write_curve(out, panel, &curves.list[i], error);
    ll_curves_clear(&curves);
    return status;
}

static ll_status write_points(ll_io_output *out, const ll_figure *figure, const ll_units *units,
                              const ll_settings *settings, ll_error *error)
{
    ll_status status = ll_io_output_print(out, error, "panel,series,dataset,tau,x,y,how\n");
    for (long p = 0; p < figure->count && status == LL_OK; p++)
        status = write_panel(out, &figure->panels[p], units, settings, error);
    return status;
}

/* ------------------------------------------------------------------ units */

static int is_own(const ll_unit *unit)
{
    return unit->kind == LL_UNIT_OWN_SINGLE || unit->kind == LL_UNIT_OWN_BLOCKS;
}

/* Seconds are left out: a file is the same whenever and wherever it was made. */
static ll_status write_unit(ll_io_output *out, const ll_unit *unit, ll_error *error)
{
    const long *v = unit->result.values;
    switch (unit->kind) {
    case LL_UNIT_OWN_ALL:
    case LL_UNIT_EXACT:
        return ll_io_output_print(out, error, "%s,%s,%s,%s,%ld,%s,%ld,%ld,%ld,%.10g\n",
                                  unit->kind == LL_UNIT_EXACT ? "exact" : "fp64", unit->what, unit->dataset, unit->tau,
                                  v[LL_VALUE_QUERIES], v[LL_VALUE_WAS_RUN] ? "run" : "planned", v[LL_VALUE_ROWS],
                                  v[LL_VALUE_ROWS_RIGHT], v[LL_VALUE_ROWS_CERTAIN], unit->result.number);
    case LL_UNIT_NEAREST:
    case LL_UNIT_SLICE:
        return ll_io_output_print(out, error, "%s,%s,%ld,%s,%ld,%ld,%ld,%.17g\n", unit->what, unit->tau, unit->length,
                                  unit->kind == LL_UNIT_NEAREST ? "pruned" : "all", unit->slice, v[LL_VALUE_LABELLING],
                                  v[LL_VALUE_TRUTH], unit->result.number);
    default:
        return ll_io_output_print(out, error, "%s,%s,%s,%s,%ld,%s,%ld,%ld,%ld,%ld,%ld\n",
                                  is_own(unit) ? "lossleak" : "paper", unit->what, unit->dataset, unit->tau,
                                  v[LL_VALUE_LENGTH],
                                  unit->kind == LL_UNIT_SINGLE || unit->kind == LL_UNIT_OWN_SINGLE ? "one"
                                  : unit->all_rows                                                 ? "N"
                                                                                                   : "M",
                                  v[LL_VALUE_ATTACKS], v[LL_VALUE_ATTACKS_RIGHT], v[LL_VALUE_LABELS],
                                  v[LL_VALUE_LABELS_RIGHT], v[LL_VALUE_SILENT]);
    }
}

static int is_plan(const ll_unit *unit)
{
    return unit->kind == LL_UNIT_OWN_ALL || unit->kind == LL_UNIT_EXACT;
}

/* Units of the figure: found again as when they were listed. plans: those of OWN_ALL, or all others. */
static ll_status write_units(ll_io_output *out, const ll_figure *figure, const ll_units *units,
                             const ll_settings *settings, int plans, ll_error *error)
{
    ll_units own;
    ll_units_init(&own);
    ll_status status = ll_figure_add(&own, figure, settings, error);
    for (long i = 0; i < own.count && status == LL_OK; i++) {
        const ll_unit *unit = ll_units_find(units, own.list[i].key);
        if (unit && unit->is_done && is_plan(unit) == plans)
            status = write_unit(out, unit, error);
    }
    ll_units_clear(&own);
    return status;
}

typedef struct {
    const char *ending, *head; /* head NULL: the points */
    int plans;
} csv;

static ll_status write_csv(const ll_figure *figure, const csv *file, const char *folder, const ll_units *units,
                           const ll_settings *settings, ll_error *error)
{
    char *path = ll_reproduce_path(folder, figure->name, file->ending);
    ll_io_output *out;
    if (!path)
        return ll_fail(error, LL_MEMORY, "out of memory");
    ll_status status = ll_io_output_open(&out, path, error);
    free(path);
    if (status != LL_OK)
        return status;
    if (!file->head)
        status = write_points(out, figure, units, settings, error);
    else
        status = ll_io_output_print(out, error, "%s\n", file->head);
    if (status == LL_OK && file->head)
        status = write_units(out, figure, units, settings, file->plans, error);
    if (status == LL_OK)
        return ll_io_output_commit(out, error);
    ll_io_output_abandon(out);
    return status;
}

static const char plans_head[] = "arithmetic,loss,dataset,tau,queries,how,rows,right,certain,score_bits";

ll_status ll_figure_write_csv(const ll_figure *figure, const char *folder, const ll_units *units,
                              const ll_settings *settings, ll_error *error)
{
    static const csv points = {".csv", NULL, 0};
    static const csv counts = {
        "-units.csv", "who,construction,dataset,tau,length,rows,attacks,attacks_right,labels,labels_right,silent", 0};
    static const csv plans = {"-plans.csv", plans_head, 1}, exact = {".csv", plans_head, 1};
    static const csv labelinf = {".csv", "construction,tau,length,search,slice,labelling,truth,distance", 0};
    if (figure->count == 0)
        return write_csv(figure, figure->name[0] == 'h' ? &exact : &labelinf, folder, units, settings, error);
    ll_status status = write_csv(figure, &points, folder, units, settings, error);
    if (status == LL_OK)
        status = write_csv(figure, &counts, folder, units, settings, error);
    if (status == LL_OK && figure->panels[figure->count - 1].measure == LL_ACCURACY)
        status = write_csv(figure, &plans, folder, units, settings, error);
    return status;
}
