/* A picture with its data: curves, drawn by gnuplot as SVG that can stand inside a page, or written as CSV. */
#ifndef LL_REPORT_PLOT_H
#define LL_REPORT_PLOT_H

#include "lossleak.h"
#include <stdio.h>

enum { LL_CURVES = 12, LL_POINTS = 64 };

typedef enum {
    LL_CURVE_LINE,
    LL_CURVE_STEPS,
    LL_CURVE_POINTS,
    LL_CURVE_PROVED, /* a bound from above, dashed */
    LL_CURVE_LIMIT,  /* the same, green: what lies above it is shaded */
    LL_CURVE_OTHER   /* thin and grey, for comparison */
} ll_curve_style;

/* Where a curve's name stands: there is no key. */
typedef enum {
    LL_NAME_END,   /* at its last point */
    LL_NAME_TOP,   /* above the frame, over its last point */
    LL_NAME_CROSS, /* to the right of where it first crosses `height` */
    LL_NAME_NONE   /* nowhere: the words below the picture say what it is */
} ll_name_place;

typedef struct {
    char name[48];
    ll_curve_style style;
    int colour; /* of the palette: the same thing has the same one in every picture */
    ll_name_place place;
    double height; /* of LL_NAME_CROSS, as a share of the frame's */
    int count;
    double x[LL_POINTS], y[LL_POINTS];
} ll_curve;

typedef struct {
    const char *name;  /* a word: file names and marks are made of it */
    const char *title; /* for people */
    const char *x_label, *y_label;
    char alt[480]; /* what is to be seen, in words */
    int log_x, log_y;
    double low, high; /* of y */
    double marker;    /* a vertical line at this x; 0: none */
    char marker_name[48];
    int curves;
    ll_curve curve[LL_CURVES];
} ll_plot;

/* A new curve, or NULL where there is no room. Colours begin again behind the last one. */
ll_curve *ll_plot_add(ll_plot *figure, const char *name, ll_curve_style style, int colour);
/* One more point; what is not finite and what no longer fits is left out. */
void ll_curve_add(ll_curve *curve, double x, double y);

/* Take out what shows nothing: curves that lie on an edge of the frame from end to end, or on another curve, and all of
 * them where only limits are left that never change. */
void ll_plot_drop_empty(ll_plot *figure);

/* <svg>...</svg>, allocated; its marks begin with the figure's name, black is the colour of the text around it. */
LL_CHECK ll_status ll_plot_draw(const ll_plot *figure, char **svg, ll_error *error);

/* curve,x,y */
void ll_plot_print_csv(const ll_plot *figure, FILE *out);

/* ---- plot_names.c ---- */

/* Least and largest x of all curves and the marker; they differ. */
void ll_plot_range(const ll_plot *figure, double *least, double *most);
/* Colour of a curve, "#rrggbb". */
const char *ll_curve_colour(const ll_curve *curve);
/* gnuplot's commands for the margins, the names of the curves, and the marker. */
void ll_plot_print_names(const ll_plot *figure, FILE *script);

#endif
