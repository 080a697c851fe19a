/* The pictures of an audit, as data. */
#ifndef LL_REPORT_AUDIT_FIGURES_H
#define LL_REPORT_AUDIT_FIGURES_H

#include "report/plot.h"

enum { LL_AUDIT_PRICE = 3, LL_AUDIT_PROMISES = 4, LL_AUDIT_STAIRS = 5, LL_AUDIT_FIGURES = 6 };

/* figures[LL_AUDIT_FIGURES]: share of labels against queries; labels a query against decimals, and against noise; the
 * share that is left against noise; where levels are proposed, their cost against answers, and what one account sees. One without curves is not worth drawing. */
LL_CHECK ll_status ll_audit_figures(ll_plot *figures, const ll_audit *audit, const ll_scorer *scorer, ll_error *error);

/* The two of levels (levels_figures.c). */
void ll_figure_stairs(ll_plot *figure, const ll_audit *audit);
LL_CHECK ll_status ll_figure_promises(ll_plot *figure, const ll_audit *audit, const ll_scorer *scorer, ll_error *error);

#endif
