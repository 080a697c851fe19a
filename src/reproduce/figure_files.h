/* A figure as files of a folder. */
#ifndef LL_REPRODUCE_FIGURE_FILES_H
#define LL_REPRODUCE_FIGURE_FILES_H

#include "reproduce/curves.h"

/* "folder/name" + ending, allocated; NULL where memory ended. */
char *ll_reproduce_path(const char *folder, const char *name, const char *ending);

/* FIGURE.csv: what is drawn, a line a point; FIGURE-units.csv: the counts behind it, a line a work unit. Of a table
 * only the first. */
LL_CHECK ll_status ll_figure_write_csv(const ll_figure *figure, const char *folder, const ll_units *units,
                                       const ll_settings *settings, ll_error *error);

/* PANEL.svg and PANEL.png of every panel, by gnuplot. *drawn is 0, and nothing is written, where there is no gnuplot.
 */
LL_CHECK ll_status ll_figure_draw(const ll_figure *figure, const char *folder, const ll_units *units,
                                  const ll_settings *settings, int *drawn, ll_error *error);

#endif
