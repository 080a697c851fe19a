/* The paper's figures, and two tables beside them, as one table of data. */
#ifndef LL_REPRODUCE_FIGURES_H
#define LL_REPRODUCE_FIGURES_H

#include "reproduce/units.h"

typedef enum {
    LL_ALL_RUNS,    /* x: tau, y: most labels of one query that every run got right */
    LL_HALF_RUNS,   /* the same for half of the runs (the caption's count) */
    LL_HALF_LABELS, /* the same for half of the labels (the text's count) */
    LL_ACCURACY     /* x: queries, y: share of a whole data set's labels that came back right; a curve for every tau */
} ll_measure;

typedef struct {
    const char *title;
    int is_limit;      /* bits of a double's mantissa / log2 K labels a query; no units */
    ll_unit_kind kind; /* SINGLE or OWN_SINGLE; with LL_ACCURACY BLOCKS, OWN_BLOCKS or OWN_ALL */
    const char *what, *dataset;
    int all_rows;
    long longest; /* lengths 1 .. longest */
} ll_series;

typedef struct {
    const char *name, *title;
    ll_measure measure;
    const ll_series *series;
    long count;
} ll_panel;

typedef struct {
    const char *name;  /* "fig1a" */
    const char *title; /* one line */
    const char *about; /* what the paper draws, and what stands beside it here */
    const ll_panel *panels;
    long count;                                                    /* 0: a table, with units of its own */
    ll_status (*add)(ll_units *, const ll_settings *, ll_error *); /* those; NULL: those of its panels */
} ll_figure;

long ll_figure_count(void);
const ll_figure *ll_figure_get(long index);
/* NULL: no such name. */
const ll_figure *ll_figure_find(const char *name);

/* The noise magnitudes of a panel, as text. */
const char *const *ll_figure_taus(long *count, ll_measure measure, int quick);

/* A unit of a series. */
ll_unit ll_figure_unit(const ll_series *series, const char *tau, long length, const ll_settings *settings);

/* All units of a figure. */
LL_CHECK ll_status ll_figure_add(ll_units *units, const ll_figure *figure, const ll_settings *settings,
                                 ll_error *error);

/* Labels a query that the mantissa of a double can tell apart, whatever the code: 53 / log2 K. */
double ll_figure_limit(long classes);

/* The tables' units. */
ll_unit ll_figure_exact_unit(const char *dataset);
long ll_figure_labelinf_count(void);
enum { LL_LABELINF_SLICES = 16 };
/* LabelInf in both ways on attack `index`: slice -1 is the search that prunes. */
ll_unit ll_figure_labelinf_unit(long index, long slice, const ll_settings *settings);

#endif
