/* Pictures by gnuplot, where it is installed. */
#ifndef LL_REPORT_GNUPLOT_H
#define LL_REPORT_GNUPLOT_H

#include "lossleak.h"

/* Is there a gnuplot in PATH? */
int ll_report_has_gnuplot(void);

/* Run gnuplot on a script. LL_SYSTEM with the first line of what it said where it fails. */
LL_CHECK ll_status ll_report_gnuplot(const char *script, ll_error *error);
/* The same; what it drew on its standard output is allocated. */
LL_CHECK ll_status ll_report_gnuplot_text(char **out, const char *script, ll_error *error);

#endif
