#include "audit/usefulness.h"

#include "audit/label_law.h"
#include "audit/row_terms.h"
#include "scorer/sensitivity.h"

#include <math.h>

enum { POINTS = 128, MOST_CLASSES = 64, MOST_LOOKED = 800 };

/* The labels that are looked at, each for those beside it. Of a long grid fewer, the farther from its low end, near
 * which shares of a target vary most: one in the middle of 1 + 2 floor(k / 64), at most 64 + 33 (1 + ln(K / 64)) of
 * them, and the last. */
typedef struct {
    ll_scoring scoring;
    int is_numeric; /* labels are targets of a grid */
    long count, labels[MOST_LOOKED], stands_for[MOST_LOOKED];
} sample;

static sample sample_of(const ll_channel *c, const ll_scorer *scorer)
{
    const ll_computation *how = &scorer->computation;
    sample s = {.scoring = {.how = how,
                            .rows = 1,
                            .classes = c->is_numeric || c->classes < MOST_CLASSES ? c->classes : MOST_CLASSES},
                .is_numeric = c->is_numeric};
    for (long first = 0, end; first < s.scoring.classes; first = end) {
        long most = s.scoring.classes - 1 - first;
        long count = most == 0 ? 1 : most < 1 + 2 * (first / MOST_CLASSES) ? most : 1 + 2 * (first / MOST_CLASSES);
        end = first + count;
        s.labels[s.count] = first + (count - 1) / 2;
        s.stands_for[s.count++] = count;
    }
    return s;
}

/* Losses of the reference model, label by label, where it gives class 1 the probability p and the others equal parts.
 */
static ll_status get_terms(const sample *s, double *terms, double p)
{
    double row[MOST_CLASSES];
    const ll_metric *metric = s->scoring.how->metric;
    long classes = s->scoring.classes, columns = ll_metric_has_rows(metric) && classes > 2 ? classes : 1;
    for (long c = 0; c < columns; c++)
        row[c] = ll_metric_of_share(metric, columns == 1 || c == 1 ? p : (1 - p) / (double)(classes - 1), columns);
    return ll_row_terms(&s->scoring, terms, row, columns, s->labels, s->count);
}

/* How likely the labels are then. Numeric targets: the model is off by an error whose standard deviation is a quarter
 * of the grid's width. */
static void get_shares(const sample *s, double *shares, double p)
{
    const double most = (double)(s->scoring.classes - 1);
    double all = 0;
    for (long k = 0; k < s->count; k++) {
        double off = (double)s->labels[k] / most - p;
        shares[k] = s->is_numeric ? (double)s->stands_for[k] * exp(-8 * off * off) : k == 1 ? p : (1 - p) / most;
        all += shares[k];
    }
    for (long k = 0; k < s->count && s->is_numeric; k++)
        shares[k] /= all;
}

static double point(int i)
{
    return (i + 0.5) / POINTS;
}

static ll_asked ask(const ll_channel *c, const ll_scorer *scorer)
{
    ll_asked asked = ll_scorer_asked(scorer, c->rows, c->classes);
    asked.proportion = c->proportion;
    return asked;
}

/* Of a first number that is no sum of terms its family answers; 0 of others. */
static int get_reference(const ll_channel *c, const ll_scorer *scorer, ll_reference *out)
{
    ll_asked asked = ask(c, scorer);
    return ll_asked_reference(&asked, out);
}

ll_status ll_sampling_error(double *out, const ll_channel *c, const ll_scorer *scorer, ll_error *error)
{
    const sample s = sample_of(c, scorer);
    double terms[MOST_LOOKED], shares[MOST_LOOKED], mean = 0, square = 0;
    ll_status status = LL_OK;
    (void)error;
    ll_reference reference;
    int is_known = get_reference(c, scorer, &reference);
    *out = reference.sampling_error;
    if (is_known)
        return LL_OK;
    for (int i = 0; i < POINTS && status == LL_OK; i++) {
        status = get_terms(&s, terms, point(i));
        get_shares(&s, shares, point(i));
        for (long k = 0; k < s.count && status == LL_OK; k++) {
            mean += shares[k] * terms[k] / POINTS;
            square += shares[k] * terms[k] * terms[k] / POINTS;
        }
    }
    double each = sqrt(fmax(0, square - mean * mean) / (double)c->rows);
    const ll_shape shape = ll_scorer_shape(scorer, c->rows);
    double part = (double)c->rows / shape.divisor, slope = shape.power * pow(part * mean, shape.power - 1) * part;
    *out = status != LL_OK ? (double)NAN : shape.scale * slope * each;
    return status == LL_MEMORY ? status : LL_OK;
}

static double find_span(const double *terms, long count, double *low)
{
    double least = terms[0], greatest = terms[0];
    for (long k = 1; k < count; k++) {
        least = fmin(least, terms[k]);
        greatest = fmax(greatest, terms[k]);
    }
    *low = least;
    return greatest - least;
}

ll_status ll_middling_spread(double *out, const ll_channel *c, const ll_scorer *scorer, ll_error *error)
{
    const sample s = sample_of(c, scorer);
    const ll_shape shape = ll_scorer_shape(scorer, c->rows);
    double terms[MOST_LOOKED], spans[POINTS], least = 0, most = 0, sum = 0, rows = (double)c->rows;
    ll_status status = LL_OK;
    (void)error;
    ll_asked asked = ask(c, scorer);
    if (ll_asked_middling_spread(&asked, out))
        return LL_OK;
    for (int i = 0; i < POINTS && status == LL_OK; i++) {
        double low = 0;
        status = get_terms(&s, terms, point(i));
        spans[i] = status == LL_OK ? find_span(terms, s.count, &low) : 0;
        least += low * rows / POINTS;
        most += (low + spans[i]) * rows / POINTS;
    }
    for (int i = 0; i < POINTS && status == LL_OK; i++) {
        double rise = ll_shape_rise(&shape, least, most, spans[i]);
        sum += rise * rise * rows / POINTS;
    }
    *out = status != LL_OK ? (double)NAN : sqrt(sum) / 2;
    return status == LL_MEMORY ? status : LL_OK;
}

/* ---- honest models ---- */

/* Of the labels that one stands for. Where shares are told, the labels are few enough to be listed. */
static double share_of(const sample *s, const ll_scorer *scorer, long k)
{
    const long classes = s->scoring.classes, count = s->stands_for[k], first = s->labels[k] - (count - 1) / 2;
    double share = 0;
    if (scorer->counts == NULL && scorer->prior == NULL)
        return (double)count / (double)classes;
    for (long label = first; label < first + count; label++)
        share += ll_label_share(scorer, classes, label);
    return share;
}

/* The mean loss of a model that knows the shares of the classes, and of one that knows every label. */
static ll_status find_ends(const sample *s, const ll_scorer *scorer, double *blind, double *perfect)
{
    double terms[MOST_LOOKED], sum = 0;
    double one = ll_label_share(scorer, s->scoring.classes, 1);
    ll_status status = get_terms(s, terms, s->is_numeric ? 0.5 : one);
    for (long k = 0; k < s->count && status == LL_OK; k++) {
        double share = share_of(s, scorer, k);
        *blind += share * terms[k];
        sum += share;
    }
    *blind /= sum;
    if (status == LL_OK)
        status = get_terms(s, terms, s->is_numeric ? 0 : 1 - 1e-9);
    *perfect = status == LL_OK ? terms[s->is_numeric ? 0 : 1] : 0;
    return status;
}

ll_status ll_honest_range(double *out, const ll_channel *c, const ll_scorer *scorer, ll_error *error)
{
    const sample s = sample_of(c, scorer);
    const ll_shape shape = ll_scorer_shape(scorer, c->rows);
    double blind = 0, perfect = 0, part = (double)c->rows / shape.divisor;
    (void)error;
    ll_reference reference = {.honest = scorer->honest_high - scorer->honest_low};
    int is_known = !isnan(scorer->honest_low) || get_reference(c, scorer, &reference);
    *out = reference.honest;
    if (is_known)
        return LL_OK;
    ll_status status = find_ends(&s, scorer, &blind, &perfect);
    double range = fabs(pow(fmax(0, part * blind), shape.power) - pow(fmax(0, part * perfect), shape.power));
    *out = status == LL_OK && range > 0 ? shape.scale * range : (double)NAN;
    return status == LL_MEMORY ? status : LL_OK;
}
