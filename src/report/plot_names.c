/* Names stand at their curves, in their colours. Places are shares of the frame; names at the ends of curves keep a line's
 * distance from each other. */
#include "report/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64, WRAP = 13 };

static const double line_height = 0.08;

/* Okabe and Ito's colours and some between them: told apart by colour-blind readers, on light and on dark. Green is for
 * what is proved, and for nothing else. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#cc79a7", "#b58900", "#56b4e9",
                                      "#7f7f7f", "#8c564b", "#e31a1c", "#6a51a3", "#e69f00"};
static const char green[] = "#009e73", grey[] = "#9a9a9a";

const char *ll_curve_colour(const ll_curve *c)
{
    if (c->style == LL_CURVE_LIMIT)
        return green;
    return c->style == LL_CURVE_OTHER ? grey : colours[c->colour % (int)(sizeof colours / sizeof colours[0])];
}

void ll_plot_range(const ll_plot *f, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (int i = 0; i < f->curves; i++)
        for (int j = 0; j < f->curve[i].count; j++) {
            *least = fmin(*least, f->curve[i].x[j]);
            *most = fmax(*most, f->curve[i].x[j]);
        }
    if (f->marker > 0) {
        *least = fmin(*least, f->marker);
        *most = fmax(*most, f->marker);
    }
    if (!(*most > *least)) {
        *least = isfinite(*least) ? *least : 1;
        *most = f->log_x ? *least * 10 : *least + 1;
    }
}

/* ---- places ---- */

typedef struct {
    const ll_curve *curve;
    double x, y; /* shares of the frame */
    int lines;
    char text[NAME];
} name;

static double share_of(double value, double low, double high, int is_log)
{
    return is_log ? log(value / low) / log(high / low) : (value - low) / (high - low);
}

static double x_share(const ll_plot *f, double x)
{
    double least, most;
    ll_plot_range(f, &least, &most);
    return share_of(x, least, most, f->log_x);
}

static double y_share(const ll_plot *f, double y)
{
    return share_of(y, f->low, f->high, f->log_y);
}

/* Where the curve first passes that height; -1: nowhere. */
static double cross(const ll_plot *f, const ll_curve *c, double height)
{
    for (int i = 1; i < c->count; i++) {
        double before = y_share(f, c->y[i - 1]) - height, after = y_share(f, c->y[i]) - height;
        double from = x_share(f, c->x[i - 1]), to = x_share(f, c->x[i]);
        if (before * after <= 0 && before != after)
            return from + (to - from) * before / (before - after);
    }
    return -1;
}

/* Two lines where one is long. */
static int wrap(char *text, const char *from)
{
    (void)snprintf(text, NAME, "%s", from);
    size_t length = strlen(text), best = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] == ' ' && labs((long)(2 * i) - (long)length) < labs((long)(2 * best) - (long)length))
            best = i;
    if (length <= WRAP || best == 0)
        return 1;
    memmove(text + best + 2, text + best + 1, length - best);
    text[best] = '\\';
    text[best + 1] = 'n';
    return 2;
}

static name place(const ll_plot *f, const ll_curve *c)
{
    int last = c->count - 1;
    double crossed = c->place == LL_NAME_CROSS ? cross(f, c, c->height) : -1;
    name n = {.curve = c, .lines = 1, .x = x_share(f, c->x[last]), .y = 1.045};
    (void)snprintf(n.text, sizeof n.text, "%s", c->name);
    if (crossed >= 0) {
        n.x = crossed;
        n.y = c->height;
    } else if (c->place != LL_NAME_TOP) {
        n.y = y_share(f, c->y[last]);
        n.lines = wrap(n.text, c->name);
    }
    return n;
}

static int compare(const void *a, const void *b)
{
    const name *first = a, *second = b;
    return (first->y > second->y) - (first->y < second->y);
}

/* The distance of the middles of two names that stand one above the other. */
static double distance(const name *a, const name *b)
{
    return line_height * (a->lines + b->lines) / 2;
}

/* Upwards from the lowest, then down again from the top. */
static void keep_apart(name *list, int count)
{
    qsort(list, (size_t)count, sizeof *list, compare);
    for (int i = 1; i < count; i++)
        list[i].y = fmax(list[i].y, list[i - 1].y + distance(&list[i], &list[i - 1]));
    if (count > 0)
        list[count - 1].y = fmin(list[count - 1].y, 1);
    for (int i = count - 2; i >= 0; i--)
        list[i].y = fmin(list[i].y, list[i + 1].y - distance(&list[i], &list[i + 1]));
}

/* ---- commands ---- */

/* A name that ends here would be crossed by the line of the marker, and there is room behind it. */
static int is_crossed(const ll_plot *f, const name *n)
{
    double x = f->marker > 0 ? x_share(f, f->marker) : -1;
    return x > n->x - 0.3 && x < n->x && n->x < 0.8;
}

static void print_name(const ll_plot *f, FILE *out, const name *n)
{
    const char *side = n->curve->place == LL_NAME_TOP && n->x > 0.25 && !is_crossed(f, n) ? "right" : "left";
    (void)fprintf(out, "set label \"%s\" at graph %.4f, graph %.4f %s tc rgb '%s' front\n", n->text,
                  n->x + (n->curve->place == LL_NAME_TOP ? 0 : 0.02), n->y + line_height * (n->lines - 1) / 2, side,
                  ll_curve_colour(n->curve));
}

static void print_marker(const ll_plot *f, FILE *out)
{
    double x = x_share(f, f->marker);
    const char *side = x > 0.8 ? "right" : x < 0.2 ? "left" : "center";
    (void)fprintf(out, "set arrow from graph %.4f, graph 0 to graph %.4f, graph 1.08 nohead lw 1.5 lc rgb 'black'\n", x,
                  x);
    (void)fprintf(out, "set label \"%s\" at graph %.4f, graph 1.12 %s\n", f->marker_name, x, side);
}

/* Room on the right for names that begin near the frame's end, in characters. */
static int right_margin(const name *list, int count)
{
    double most = 2;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(list[i].text), first = (size_t)(strstr(list[i].text, "\\n") - list[i].text);
        double widest = list[i].lines == 1 ? (double)length : fmax((double)first, (double)(length - first - 2));
        if (list[i].curve->place != LL_NAME_TOP)
            most = fmax(most, widest + 2 - 50 * (1 - list[i].x));
    }
    return (int)ceil(most);
}

void ll_plot_print_names(const ll_plot *f, FILE *out)
{
    name list[LL_CURVES] = {{.text = ""}}, others[LL_CURVES];
    int count = 0, other_count = 0;
    for (int i = 0; i < f->curves; i++) {
        const ll_curve *c = &f->curve[i];
        if (c->count > 0 && c->place == LL_NAME_END)
            list[count++] = place(f, c);
        else if (c->count > 0 && c->place != LL_NAME_NONE)
            others[other_count++] = place(f, c);
    }
    keep_apart(list, count);
    for (int i = 0; i < other_count; i++)
        list[count++] = others[i];
    (void)fprintf(out, "set rmargin %d\nset tmargin %d\n", right_margin(list, count), f->marker > 0 ? 4 : 2);
    for (int i = 0; i < count; i++)
        print_name(f, out, &list[i]);
    if (f->marker > 0)
        print_marker(f, out);
}
