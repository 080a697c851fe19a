/* Every point is asked of the library: plans are counted, bounds computed for a changed scorer. */
#include "report/audit_figures.h"
#include "report/audit_report.h"

#include "report/scorer_text.h"

#include <math.h>
#include <string.h>

enum { STEPS = 28, COLOUR_CODE = 0, COLOUR_FIXED = 5 };

static double share_of(const ll_audit *a, double labels)
{
    return 100 * (labels + ((double)a->rows - labels) * a->guess) / (double)a->rows;
}

/* ---- labels against queries ---- */

/* The best code has a name and a colour; the others are grey. */
static ll_status add_code(ll_plot *f, const ll_audit *a, const ll_scorer *scorer, long index, double *most,
                          ll_error *error)
{
    const char *code = a->choices[index].code;
    long rows[STEPS] = {0}, queries[STEPS], count = 0;
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.code = code;
    for (int i = 0; i < STEPS; i++) {
        long next = (long)llround(pow((double)a->rows, (double)i / (STEPS - 1)));
        if (count == 0 || next > rows[count - 1])
            rows[count++] = next;
    }
    ll_status status = ll_plan_count(queries, rows, count, scorer, &request, error);
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_OK;
    ll_curve *curve = ll_plot_add(f, code, index == a->best ? LL_CURVE_LINE : LL_CURVE_OTHER, COLOUR_CODE);
    if (curve != NULL)
        curve->place = index == a->best ? LL_NAME_TOP : LL_NAME_NONE;
    for (long i = 0; i < count; i++) {
        ll_curve_add(curve, (double)queries[i], share_of(a, (double)rows[i]));
        *most = fmax(*most, (double)queries[i]);
    }
    return LL_OK;
}

/* Codes that do just as another does are drawn once, and those that prove nothing not at all. */
static int is_new(const ll_audit *a, long index)
{
    const ll_plan_choice *c = a->choices + index;
    for (long i = 0; i < index; i++)
        if (a->choices[i].status == LL_OK && a->choices[i].queries == c->queries && a->choices[i].block == c->block)
            return 0;
    return c->status == LL_OK && strcmp(ll_code_get_info(index)->guarantee, "proved") == 0;
}

static ll_status add_share_limit(ll_plot *f, const ll_scorer *scorer, double most, ll_error *error)
{
    ll_curve *curve = ll_plot_add(f, "no method gets more", LL_CURVE_LIMIT, 0);
    for (int i = 0; i < 2 * STEPS; i++) {
        ll_audit_bound bound;
        double queries = pow(most, (double)i / (2 * STEPS - 1));
        ll_status status = ll_audit_limit(&bound, scorer, queries, error);
        if (status != LL_OK)
            return status;
        ll_curve_add(curve, queries, 100 * bound.max_share);
    }
    return LL_OK;
}

/* How many submissions the host allows. */
static void mark_limit(ll_plot *f, const ll_audit *a)
{
    if (!isfinite(a->queries))
        return;
    f->marker = a->queries;
    (void)snprintf(f->marker_name, sizeof f->marker_name, "you allow %.0f", a->queries);
}

/* As high as tens of percents must be. */
static void fit_top(ll_plot *f)
{
    double most = f->low;
    for (int i = 0; i < f->curves; i++)
        for (int j = 0; j < f->curve[i].count; j++)
            most = fmax(most, f->curve[i].y[j]);
    f->high = fmin(100, fmax(f->low + 10, ceil(most / 10) * 10));
}

static ll_status draw_labels(ll_plot *f, const ll_audit *a, const ll_scorer *scorer, ll_error *error)
{
    *f = (ll_plot){.name = "labels",
                   .title = "Labels against submissions",
                   .x_label = "submissions",
                   .y_label = "labels right, percent",
                   .log_x = 1,
                   .low = floor(100 * a->guess / 10) * 10,
                   .high = 100};
    double most = 1;
    ll_status status = LL_OK;
    for (long i = 0; i < a->choice_count && status == LL_OK; i++)
        if (is_new(a, i))
            status = add_code(f, a, scorer, i, &most, error);
    if (isfinite(a->queries))
        most = fmax(most, a->queries);
    most = fmax(most, 10);
    if (status == LL_OK)
        status = add_share_limit(f, scorer, most, error);
    int has_code = f->curves - 1;
    mark_limit(f, a);
    fit_top(f);
    (void)snprintf(
        f->alt, sizeof f->alt,
        "The share of %ld labels%s against the number of submissions%s. What is shaded, above the dashed line, "
        "is proved to be out of reach of every method, known or not.%s",
        a->rows, has_code ? " that the best code gets right, those not reached guessed," : "",
        has_code == 1  ? ""
        : has_code > 1 ? "; other codes in grey"
                       : "; no code applies here",
        isfinite(a->queries) ? " The vertical line is the number of submissions that the host answers." : "");
    return status;
}

/* ---- labels a query, against one setting ---- */

/* Labels a query by the best code, and by the two bounds, at x. */
static ll_status add_setting(ll_plot *f, const ll_scorer *scorer, double x, ll_error *error)
{
    ll_plan_request request;
    ll_audit_bound bound;
    ll_error why = {0};
    long rows = ll_scorer_get_count(scorer, "rows"), queries = 0;
    ll_plan_request_init(&request);
    ll_status status = ll_audit_limit(&bound, scorer, 1, error);
    if (status != LL_OK)
        return status;
    double bits = bound.label_bits / (double)rows;
    ll_curve_add(&f->curve[0], x, fmin((double)rows, bound.bits_per_query / bits));
    ll_curve_add(&f->curve[1], x, fmin((double)rows, bound.bits_per_query_fixed / bits));
    f->high = fmax(f->high, fmin((double)rows, bound.bits_per_query / bits));
    request.code = "detecting";
    status = ll_plan_count(&queries, &rows, 1, scorer, &request, &why);
    if (status == LL_MEMORY)
        return ll_fail(error, status, "%s", why.text);
    if (status == LL_OK) /* else the code is not applicable there */
        ll_curve_add(&f->curve[2], x, (double)rows / (double)queries);
    return LL_OK;
}

static void begin_settings(ll_plot *f)
{
    (void)ll_plot_add(f, "no method gets more", LL_CURVE_LIMIT, 0);
    (void)ll_plot_add(f, "nor a fixed set of submissions", LL_CURVE_PROVED, COLOUR_FIXED);
    (void)ll_plot_add(f, "detecting", LL_CURVE_LINE, COLOUR_CODE);
    f->low = 0;
    f->high = 1;
}

/* The same of the scorer with other decimals or noise. */
static ll_status add_varied(ll_plot *f, const ll_scorer *scorer, double x, const char *decimals, const char *noise,
                            ll_error *error)
{
    ll_scorer *varied = NULL;
    ll_status status = ll_scorer_vary(&varied, scorer, error, "decimals", decimals, "digits", (char *)NULL, "truncate",
                                      (char *)NULL, "noise", noise, (char *)NULL);
    if (status == LL_OK)
        status = add_setting(f, varied, x, error);
    ll_scorer_destroy(varied);
    return status;
}

static ll_status draw_decimals(ll_plot *f, const ll_scorer *scorer, ll_error *error)
{
    *f = (ll_plot){.name = "decimals",
                   .title = "Labels per submission, against decimals shown",
                   .x_label = "decimals",
                   .y_label = "labels per submission"};
    begin_settings(f);
    ll_status status = LL_OK;
    for (int places = 0; places <= 12 && status == LL_OK; places++) {
        char text[16];
        (void)snprintf(text, sizeof text, "%d", places);
        status = add_varied(f, scorer, places, text, ll_scorer_get(scorer, "noise"), error);
    }
    f->high = ceil(f->high * 1.05);
    (void)snprintf(
        f->alt, sizeof f->alt,
        "Labels that one submission tells, if that many decimals are shown: by the code detecting, and at most by a "
        "proof, for any method and for submissions that are fixed beforehand. Where the line of the code is missing, it "
        "reads no label for certain.");
    return status;
}

static ll_status draw_noise(ll_plot *f, const ll_scorer *scorer, ll_error *error)
{
    *f = (ll_plot){.name = "noise",
                   .title = "Labels per submission, against bounded noise",
                   .x_label = "noise, at most",
                   .y_label = "labels per submission",
                   .log_x = 1};
    begin_settings(f);
    char size[60];
    ll_status status = LL_OK;
    for (int i = 0; i <= 20 && status == LL_OK; i++) {
        double tau = pow(10, -10 + i * 0.5);
        (void)snprintf(size, sizeof size, "bounded:%.17g", tau);
        status = add_varied(f, scorer, tau, "none", size, error);
    }
    f->high = ceil(f->high * 1.05);
    (void)snprintf(
        f->alt, sizeof f->alt,
        "Labels that one submission tells under noise that never exceeds a bound: by the code detecting, and at "
        "most by a proof. Beyond the end of its line the code reads none for certain; averaging over many "
        "submissions still does.");
    return status;
}

/* ---- what is left, against noise ---- */

/* Is it noise alone, whose scale and deviation are known? Its kind is then the law's name. */
static int is_noise(const ll_defence *d)
{
    return strncmp(d->settings, "noise=", strlen("noise=")) == 0 && d->error > 0;
}

/* "Gaussian" */
static void write_caption(char *text, size_t size, const char *law)
{
    (void)snprintf(text, size, "%s", law);
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
}

static ll_status add_noise_point(ll_curve *curve, const ll_defence *d, const ll_audit *a, const ll_scorer *scorer,
                                 double ratio, ll_error *error)
{
    ll_audit_bound bound;
    char noise[60];
    ll_scorer *noisy = NULL;
    (void)snprintf(noise, sizeof noise, "%s:%.17g", d->kind, ratio * a->sampling_error * d->scale / d->error);
    ll_status status = ll_scorer_vary(&noisy, scorer, error, "noise", noise, "release", "plain", (char *)NULL);
    if (status == LL_OK)
        status = ll_audit_limit(&bound, noisy, d->queries, error);
    ll_scorer_destroy(noisy);
    if (status == LL_OK)
        ll_curve_add(curve, ratio, 100 * bound.max_share);
    return status;
}

enum { LAWS = 3 };                      /* colours of laws come first */
static const double least_noise = 0.01; /* in sampling errors: less is none */

/* Settings with one law of noise share its colour and one entry of the key; the others have their own. */
static ll_curve *find_dots(ll_plot *f, const ll_audit *a, const ll_defence *d)
{
    int colour = LAWS, law = 0;
    const char *name = d->kind;
    for (long i = 0; i < a->defence_count; i++) {
        if (!is_noise(ll_audit_get_defence(a, i)))
            continue;
        if (strstr(d->settings, ll_audit_get_defence(a, i)->kind) != NULL) {
            colour = law;
            name = ll_audit_get_defence(a, i)->kind;
        }
        law++;
    }
    for (int i = 0; i < f->curves; i++) {
        if (f->curve[i].style == LL_CURVE_POINTS && strcmp(f->curve[i].name, name) == 0)
            return &f->curve[i];
        colour += colour >= LAWS && f->curve[i].style == LL_CURVE_POINTS && f->curve[i].colour >= LAWS;
    }
    ll_curve *dots = ll_plot_add(f, name, LL_CURVE_POINTS, colour);
    if (dots != NULL)
        dots->place = colour < LAWS ? LL_NAME_NONE : LL_NAME_END;
    return dots;
}

static void add_proposals(ll_plot *f, const ll_audit *a)
{
    for (long i = 0; i < a->defence_count; i++) {
        const ll_defence d = ll_report_shown_defence(a, i);
        if (!isnan(d.setting) && d.noise_over_sampling_error >= least_noise)
            ll_curve_add(find_dots(f, a, &d), d.noise_over_sampling_error, 100 * d.share);
    }
}

static ll_status draw_price(ll_plot *f, const ll_audit *a, const ll_scorer *scorer, ll_error *error)
{
    *f = (ll_plot){.name = "price",
                   .title = "What noise buys, and what it costs",
                   .x_label = "noise, in sampling errors of the score",
                   .y_label = "percent right",
                   .log_x = 1,
                   .low = floor(100 * a->guess / 10) * 10,
                   .high = 100};
    ll_status status = LL_OK;
    if (!(a->sampling_error > 0) || !isfinite(a->bound->sensitivity))
        return LL_OK;
    int law = 0;
    for (long i = 0; i < a->defence_count && status == LL_OK; i++) {
        char caption[48];
        const ll_defence *d = ll_audit_get_defence(a, i);
        if (!is_noise(d))
            continue;
        write_caption(caption, sizeof caption, d->kind);
        ll_curve *curve = ll_plot_add(f, caption, LL_CURVE_PROVED, law);
        if (curve != NULL) {
            curve->place = LL_NAME_CROSS;
            curve->height = 0.3 + 0.25 * law;
        }
        law++;
        for (int j = 0; j <= 48 && status == LL_OK; j++)
            status = add_noise_point(curve, d, a, scorer, least_noise * pow(10, j * 0.125), error);
    }
    add_proposals(f, a);
    fit_top(f);
    (void)snprintf(
        f->alt, sizeof f->alt,
        "Dashed: the share of labels that no method exceeds in %.0f submissions, against the size of the noise. At 1 the "
        "noise is as large as the error that the score has anyway. Dots: settings that were tried, in the colour of "
        "their noise, and what the best attack gets against them.",
        isfinite(a->queries) ? a->queries : 1000);
    return status;
}

static ll_status draw_all(ll_plot *figures, const ll_audit *audit, const ll_scorer *scorer, ll_error *error)
{
    ll_status status = draw_labels(&figures[0], audit, scorer, error);
    if (status == LL_OK)
        status = draw_decimals(&figures[1], scorer, error);
    if (status == LL_OK)
        status = draw_noise(&figures[2], scorer, error);
    if (status == LL_OK)
        status = draw_price(&figures[LL_AUDIT_PRICE], audit, scorer, error);
    if (status == LL_OK)
        status = ll_figure_promises(&figures[LL_AUDIT_PROMISES], audit, scorer, error);
    ll_figure_stairs(&figures[LL_AUDIT_STAIRS], audit);
    for (int i = 0; i < LL_AUDIT_FIGURES; i++)
        ll_plot_drop_empty(&figures[i]);
    return status;
}

/* Of a public split: as whoever knows it sees it, which is what the audit is of. */
ll_status ll_audit_figures(ll_plot *figures, const ll_audit *audit, const ll_scorer *scorer, ll_error *error)
{
    char rows[32];
    ll_scorer *split = NULL;
    if (audit->split == NULL)
        return draw_all(figures, audit, scorer, error);
    (void)snprintf(rows, sizeof rows, "%ld", audit->rows);
    ll_status status = ll_scorer_vary(&split, scorer, error, "public", (char *)NULL, "rows", rows, (char *)NULL);
    if (status == LL_OK)
        status = draw_all(figures, audit, split, error);
    ll_scorer_destroy(split);
    return status;
}
