#include "report/plot.h"

#include "report/gnuplot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

ll_curve *ll_plot_add(ll_plot *figure, const char *name, ll_curve_style style, int colour)
{
    if (figure->curves == LL_CURVES)
        return NULL;
    ll_curve *curve = &figure->curve[figure->curves++];
    *curve = (ll_curve){.style = style, .colour = colour};
    (void)snprintf(curve->name, sizeof curve->name, "%s", name);
    return curve;
}

void ll_curve_add(ll_curve *curve, double x, double y)
{
    if (curve && curve->count < LL_POINTS && isfinite(x) && isfinite(y)) {
        curve->x[curve->count] = x;
        curve->y[curve->count++] = y;
    }
}

/* Is it at the bottom, at the top or at the left, wherever it is? A shade more is seen. */
static int is_on_edge(const ll_plot *f, const ll_curve *c)
{
    double edge = (f->high - f->low) / 100, least, most;
    int bottom = !f->log_y, top = !f->log_y, left = 1;
    ll_plot_range(f, &least, &most);
    for (int i = 0; i < c->count; i++) {
        bottom &= c->y[i] <= f->low + edge;
        top &= c->y[i] >= f->high - edge;
        left &= c->x[i] <= least;
    }
    return bottom || top || (left && c->style != LL_CURVE_POINTS);
}

static int is_same(const ll_curve *a, const ll_curve *b)
{
    int same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = a->x[i] == b->x[i] && (a->y[i] == b->y[i] || (isnan(a->y[i]) && isnan(b->y[i])));
    return same;
}

/* Is it the same line as one of the first `count`? */
static int is_repeated(const ll_plot *f, int count, const ll_curve *c)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found |= is_same(&f->curve[i], c);
    return found;
}

/* Do only limits remain, and none of them changes? */
static int is_constant(const ll_plot *f)
{
    int constant = 1;
    for (int i = 0; i < f->curves; i++)
        for (int j = 0; j < f->curve[i].count; j++)
            constant &= (f->curve[i].style == LL_CURVE_LIMIT || f->curve[i].style == LL_CURVE_PROVED) &&
                        f->curve[i].y[j] == f->curve[i].y[0];
    return constant;
}

void ll_plot_drop_empty(ll_plot *f)
{
    int kept = 0;
    for (int i = 0; i < f->curves; i++)
        if (f->curve[i].count > 0 && !is_on_edge(f, &f->curve[i]) && !is_repeated(f, kept, &f->curve[i]))
            f->curve[kept++] = f->curve[i];
    f->curves = kept;
    f->curves = is_constant(f) ? 0 : kept;
}

void ll_plot_print_csv(const ll_plot *figure, FILE *out)
{
    (void)fprintf(out, "curve,%s,%s\n", figure->x_label, figure->y_label);
    for (int i = 0; i < figure->curves; i++)
        for (int j = 0; j < figure->curve[i].count; j++)
            (void)fprintf(out, "%s,%.8g,%.8g\n", figure->curve[i].name, figure->curve[i].x[j], figure->curve[i].y[j]);
}

/* ---- the script ---- */

static void print_data(const ll_plot *f, FILE *out)
{
    for (int i = 0; i < f->curves; i++) {
        (void)fprintf(out, "$d%d << END\n", i);
        for (int j = 0; j < f->curve[i].count; j++)
            (void)fprintf(out, "%.10g %.10g %.10g\n", f->curve[i].x[j], f->curve[i].y[j], f->high);
        (void)fputs("END\n", out);
    }
}

static void print_curve(const ll_plot *f, int i, FILE *out)
{
    const ll_curve *c = &f->curve[i];
    if (c->style == LL_CURVE_LIMIT) {
        (void)fprintf(
            out, "$d%d using 1:2:3 with filledcurves fc rgb '#7f7f7f' fs transparent solid 0.25 noborder notitle, ", i);
        (void)fprintf(out, "$d%d using 1:2 with lines lw 2 dt 2 lc rgb '%s' notitle", i, ll_curve_colour(c));
        return;
    }
    static const char *const with[] = {[LL_CURVE_LINE] = "lines lw 2",
                                       [LL_CURVE_STEPS] = "steps lw 2",
                                       [LL_CURVE_POINTS] = "points pt 7 ps 0.9",
                                       [LL_CURVE_PROVED] = "lines lw 2 dt 2",
                                       [LL_CURVE_OTHER] = "lines lw 1"};
    (void)fprintf(out, "$d%d using 1:2 with %s lc rgb '%s' notitle", i, with[c->style], ll_curve_colour(c));
}

static void print_script(const ll_plot *f, FILE *out)
{
    double least, most;
    ll_plot_range(f, &least, &most);
    (void)fprintf(out,
                  "set encoding utf8\nset terminal svg size 540,380 dynamic name '%s' font "
                  "'system-ui,sans-serif,14'\n",
                  f->name);
    (void)fprintf(out, "set xlabel \"%s\"\nset ylabel \"%s\"\nset yrange [%.10g:%.10g]\n", f->x_label, f->y_label,
                  f->low, f->high);
    (void)fprintf(out, "set xrange [%.10g:%.10g]\n", least, most);
    (void)fputs("unset key\nset grid lc rgb '#7f7f7f' lw 0.5 dt 3\nset border 3\nset tics nomirror\n", out);
    ll_plot_print_names(f, out);
    if (f->log_x)
        (void)fputs("set logscale x\nset format x '10^{%L}'\n", out);
    if (f->log_y)
        (void)fputs("set logscale y\n", out);
    print_data(f, out);
    (void)fputs("plot ", out);
    int drawn = 0;
    for (int i = 0; i < f->curves; i++)
        if (f->curve[i].count > 0) {
            (void)fputs(drawn++ ? ", " : "", out);
            print_curve(f, i, out);
        }
    (void)fputs("\n", out);
}

/* ---- making it fit into a page ---- */

/* Copy `text` with every `from` replaced by `to`; allocated. */
static char *replace(const char *text, const char *from, const char *to)
{
    char *out = NULL;
    size_t size, length = strlen(from);
    FILE *file = open_memstream(&out, &size);
    if (!file)
        return NULL;
    int whole = 1;
    for (const char *at; (at = strstr(text, from)) != NULL; text = at + length) {
        whole = fwrite(text, 1, (size_t)(at - text), file) == (size_t)(at - text) && whole;
        whole = fputs(to, file) >= 0 && whole;
    }
    whole = fputs(text, file) >= 0 && whole;
    if (fclose(file) == 0 && whole)
        return out;
    free(out);
    return NULL;
}

/* Replace in place; 0 where memory ended. */
static int change(char **text, const char *from, const char *to)
{
    char *changed = replace(*text, from, to);
    free(*text);
    *text = changed;
    return changed != NULL;
}

/* From <svg on; marks of its own, since a page has several; a name that is read out; black follows the page. */
static int fit_into_page(char **svg, const ll_plot *f)
{
    static const char *const changes[][2] = {
        {"id='", "id='%s-"},
        {"id=\"", "id=\"%s-"},
        {"url(#", "url(#%s-"},
        {"xlink:href='#", "href='#%s-"},
        {" xmlns:xlink=\"http://www.w3.org/1999/xlink\"", ""},
        {"<svg", "<svg role=\"img\" aria-label=\"%t\""},
        {"'black'", "'currentColor'"},
        {"\"black\"", "\"currentColor\""},
    };
    char title[120];
    char *start = strstr(*svg, "<svg");
    if (!start)
        return 0;
    memmove(*svg, start, strlen(start) + 1);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char *own = replace(changes[i][1], "%s", f->name);
        int done = own && change(&own, "%t", f->title) && change(svg, changes[i][0], own);
        free(own);
        if (!done)
            return 0;
    }
    (void)snprintf(title, sizeof title, "<title>%s</title>", f->name);
    return change(svg, title, "");
}

ll_status ll_plot_draw(const ll_plot *figure, char **svg, ll_error *error)
{
    char *script = NULL, *drawn = NULL;
    size_t size;
    FILE *file = open_memstream(&script, &size);
    if (!file)
        return ll_fail(error, LL_MEMORY, "no memory for a picture");
    print_script(figure, file);
    ll_status status = fclose(file) == 0 ? ll_report_gnuplot_text(&drawn, script, error)
                                         : ll_fail(error, LL_MEMORY, "no memory for a picture");
    free(script);
    if (status == LL_OK && !fit_into_page(&drawn, figure))
        status = ll_fail(error, LL_SYSTEM, "gnuplot drew no SVG");
    if (status == LL_OK)
        *svg = drawn;
    else
        free(drawn);
    return status;
}
