#include "report/separation_report.h"

#include "report/json.h"
#include "report/scorer_text.h"
#include "report/text_table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 12, TEXT = 4000 };

static const char *const truths[] = {[LL_FALSE] = "no", [LL_TRUE] = "yes", [LL_UNKNOWN] = "not known"};

/* ------------------------------------------------------------------ text */

/* "row 3: 1 or 0, row 7: 0 or 1" */
static long write_rows(char *text, size_t size, const int32_t *pair, long rows, long most)
{
    long differ = 0;
    size_t used = 0;
    text[0] = '\0';
    for (long i = 0; i < rows; i++) {
        if (pair[i] == pair[rows + i])
            continue;
        if (differ++ < most && used + 1 < size)
            used += (size_t)snprintf(text + used, size - used, "%srow %ld: %ld or %ld", used ? ", " : "", i,
                                     (long)pair[i], (long)pair[rows + i]);
    }
    return differ;
}

static void print_pair(const char *name, const int32_t *pair, long rows, int full)
{
    char rows_text[TEXT], text[TEXT + 100];
    if (full) {
        printf("%-10s", name);
        for (long i = 0; i < 2 * rows; i++)
            printf("%s%ld", i == rows ? " and " : i ? "," : "", (long)pair[i]);
        putchar('\n');
        return;
    }
    long differ = write_rows(rows_text, sizeof rows_text, pair, rows, SHOWN);
    (void)snprintf(text, sizeof text, "%ld row%s differ%s: %s%s", differ, ll_report_plural(differ),
                   differ == 1 ? "s" : "", rows_text, differ > SHOWN ? ", ..." : "");
    ll_report_paragraph(stdout, name, text);
}

static void print_gap(const ll_separation *s)
{
    if (s->proved)
        ll_report_field(stdout, "gap", "%s (proved)", s->gap.text);
    else
        ll_report_field(stdout, "gap",
                        "%s of the pair below; the least of all pairs is only known to be in the interval",
                        s->gap.text);
    ll_report_field(stdout, "interval", "[%s, %s]", s->lower.text, s->upper.text);
    if (strcmp(s->largest_noise.text, "0") != 0)
        ll_report_field(stdout, "noise", "below %s labels can be told from the score", s->largest_noise.text);
    else if (strcmp(s->upper.text, "0") == 0)
        ll_report_field(stdout, "noise", "not even without noise can labels be told from the score");
    else
        ll_report_field(stdout, "noise", "none is proved to be small enough to tell labels from the score");
}

static void print_bounds(const ll_separation *s)
{
    if (s->pigeonhole.text)
        ll_report_field(stdout, "bounds", "range %s; any predictions of this range have a gap of at most %s",
                        s->range.text, s->pigeonhole.text);
    else
        ll_report_field(stdout, "bounds", "range %s", s->range.text);
    if (s->monotone.text)
        ll_report_field(stdout, "", "one label of one row changes the score by %s at least; range over rows is %s",
                        s->monotone.text, s->bounded_monotone.text);
    if (isfinite(s->score_bits))
        ll_report_field(stdout, "", "one score holds %.1f bits at most, the labels %.1f", s->score_bits, s->label_bits);
}

static void print_states(const ll_separation *s)
{
    if (s->step.text)
        ll_report_field(stdout, "different",
                        "%.0f scores in all, %s apart at least: noise below half of that hides none", s->different,
                        s->step.text);
    else if (s->different > 0)
        ll_report_field(stdout, "different", "one score in all, whatever the labels");
}

static void print_below(const char *what, const ll_separation_below *b, long rows)
{
    char text[TEXT];
    if (b->bits == 0)
        return;
    if (b->overflows) {
        size_t used = 0;
        for (long i = 0; i < rows && used + 8 < sizeof text; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%ld", i ? "," : "", (long)b->witness[i]);
        ll_report_field(stdout, "", "with %ld %s the score of %s is not finite", b->bits, what, text);
        return;
    }
    (void)write_rows(text, sizeof text, b->witness, rows, SHOWN);
    ll_report_field(stdout, "", "with %ld %s two labellings have %s (%s)", b->bits, what, b->score, text);
}

static void print_bits(const ll_separation_bits *b, long rows)
{
    if (b->fraction == 0) {
        ll_report_field(stdout, "fraction", "no size keeps the labellings apart");
        print_below("fraction bits", &b->fraction_below, rows);
        return;
    }
    ll_report_field(stdout, "fraction",
                    "%ld bits and more keep them apart (1 .. %ld were scored; the gap is 2^-%.1f of "
                    "the score)",
                    b->fraction, b->sweep, b->needed);
    if (b->first_fraction < b->fraction)
        ll_report_field(stdout, "", "with %ld bits they are apart by chance", b->first_fraction);
    print_below("fraction bits", &b->fraction_below, rows);
    ll_report_field(stdout, "exponent", "%ld bits with that fraction: fpa:%ld,%ld", b->exponent, b->exponent,
                    b->fraction);
    print_below("exponent bits", &b->exponent_below, rows);
    ll_report_field(stdout, "phi", "fpa:%ld (Proposition 3 asks for %.4g)", b->phi, b->paper_phi);
    print_below("bits in all", &b->phi_below, rows);
}

void ll_report_separation_text(const ll_separation_report *r)
{
    char scorer[800];
    const ll_separation *s = r->separation;
    print_gap(s);
    if (r->asked)
        ll_report_field(stdout, "separable", "%s: the gap must be %s", truths[s->separable], s->threshold);
    print_pair("witness", s->witness, s->rows, r->full);
    ll_report_field(stdout, "scores", "%s and %s", s->scores[0].text, s->scores[1].text);
    if (s->searched > 0)
        ll_report_field(stdout, "method", "%s: %ld of %ld row%s searched", s->method, s->searched, s->rows,
                        ll_report_plural(s->rows));
    else
        ll_report_field(stdout, "method", "%s", s->method);
    print_states(s);
    print_bounds(s);
    if (r->bits)
        print_bits(r->bits, s->rows);
    ll_report_write_scorer(scorer, sizeof scorer, r->scorer);
    ll_report_field(stdout, "scorer", "%s", scorer);
}

/* ------------------------------------------------------------------ JSON */

static json_t *labels(const int32_t *list, long rows)
{
    json_t *array = json_array();
    for (long i = 0; array && i < rows; i++)
        if (json_array_append_new(array, json_integer(list[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

static json_t *truth(ll_truth value)
{
    return value == LL_UNKNOWN ? json_null() : json_boolean(value == LL_TRUE);
}

static json_t *number_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *below(const ll_separation_below *b, long rows)
{
    if (b->bits == 0)
        return json_null();
    json_t *witness = b->overflows ? json_pack("[o]", labels(b->witness, rows))
                                   : json_pack("[o, o]", labels(b->witness, rows), labels(b->witness + rows, rows));
    return json_pack("{s:I, s:s, s:o, s:o}", "bits", (json_int_t)b->bits, "why",
                     b->overflows ? "not finite" : "too close", "witness", witness, "score",
                     b->overflows ? json_null() : ll_report_json_string(b->score));
}

static json_t *size_or_null(long bits)
{
    return bits ? json_integer(bits) : json_null();
}

static json_t *bits_object(const ll_separation_bits *b, long rows)
{
    ll_json json = {json_object(), 0};
    ll_report_json_add(&json, "fraction", size_or_null(b->fraction));
    ll_report_json_add(&json, "exponent", size_or_null(b->exponent));
    ll_report_json_add(&json, "phi", size_or_null(b->phi));
    ll_report_json_add(&json, "first_fraction", size_or_null(b->first_fraction));
    ll_report_json_add(&json, "sweep", json_integer(b->sweep));
    ll_report_json_add(&json, "needed", number_or_null(b->needed));
    ll_report_json_add(&json, "paper_phi", number_or_null(b->paper_phi));
    ll_report_json_add(&json, "below_fraction", below(&b->fraction_below, rows));
    ll_report_json_add(&json, "below_exponent", below(&b->exponent_below, rows));
    ll_report_json_add(&json, "below_phi", below(&b->phi_below, rows));
    if (!json.failed)
        return json.object;
    json_decref(json.object);
    return NULL;
}

static json_t *bounds_object(const ll_separation *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:f, s:o}", "range", ll_report_json_string(s->range.text), "pigeonhole",
                     ll_report_json_string(s->pigeonhole.text), "monotone", ll_report_json_string(s->monotone.text),
                     "bounded_monotone", ll_report_json_string(s->bounded_monotone.text), "label_bits", s->label_bits,
                     "score_bits", number_or_null(s->score_bits));
}

static void add_answer(ll_json *json, const ll_separation *s)
{
    ll_report_json_add(json, "gap", ll_report_json_string(s->gap.text));
    ll_report_json_add(json, "largest_noise", ll_report_json_string(s->largest_noise.text));
    ll_report_json_add(json, "proved", json_boolean(s->proved));
    ll_report_json_add(json, "interval",
                       json_pack("[o, o]", ll_report_json_string(s->lower.text), ll_report_json_string(s->upper.text)));
    ll_report_json_add(json, "witness",
                       json_pack("[o, o]", labels(s->witness, s->rows), labels(s->witness + s->rows, s->rows)));
    ll_report_json_add(
        json, "scores",
        json_pack("[o, o]", ll_report_json_string(s->scores[0].text), ll_report_json_string(s->scores[1].text)));
    ll_report_json_add(json, "separable", truth(s->separable));
    ll_report_json_add(json, "threshold", ll_report_json_string(s->threshold));
    ll_report_json_add(json, "method", ll_report_json_string(s->method));
    ll_report_json_add(json, "searched", json_integer(s->searched));
    ll_report_json_add(json, "rows", json_integer(s->rows));
    ll_report_json_add(json, "classes", json_integer(s->classes));
    ll_report_json_add(json, "bounds", bounds_object(s));
    ll_report_json_add(json, "different", s->different > 0 ? json_integer((json_int_t)s->different) : json_null());
    ll_report_json_add(json, "step", ll_report_json_string(s->step.text));
}

ll_status ll_report_separation_json(const ll_separation_report *r, ll_error *error)
{
    ll_json json;
    ll_report_json_begin(&json, "separate");
    add_answer(&json, r->separation);
    if (r->bits)
        ll_report_json_add(&json, "bits", bits_object(r->bits, r->separation->rows));
    ll_report_json_add(&json, "predictions", ll_report_json_string(r->file));
    ll_report_json_add(&json, "warning", ll_report_json_string(r->warning));
    ll_report_json_add(&json, "scorer", ll_report_json_scorer(r->scorer));
    return ll_report_json_end(&json, error);
}

/* ------------------------------------------------------------------ set functions */

/* "{0,2}" */
static void write_set(char *text, size_t size, uint32_t set)
{
    size_t used = (size_t)snprintf(text, size, "{");
    for (int i = 0; i < 32; i++)
        if (set >> i & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%d", used > 1 ? "," : "", i);
    (void)snprintf(text + used, size - used, "}");
}

static void print_sets(const char *name, const char *format, const char *value, const uint32_t sets[2])
{
    char one[160], two[160], text[TEXT];
    write_set(one, sizeof one, sets[0]);
    write_set(two, sizeof two, sets[1]);
    (void)snprintf(text, sizeof text, format, value, one, two);
    ll_report_field(stdout, name, "%s", text);
}

void ll_report_table_text(const ll_table_separation *t, const char *noise)
{
    print_sets("gap", "%s, of %s and %s", t->gap.text, t->witness);
    if (strcmp(t->gap.text, "0") != 0)
        ll_report_field(stdout, "noise", "below %s the set can be told from the value", t->largest_noise.text);
    else
        ll_report_field(stdout, "noise", "not even without noise can the set be told from the value");
    if (noise)
        ll_report_field(stdout, "separable", "%s: the gap must be >= 2 * %s", t->separable ? "yes" : "no", noise);
    if (t->monotone)
        ll_report_field(stdout, "monotone", "yes");
    else
        print_sets("monotone", "%s: the value falls from %s to %s", "no", t->decreasing);
    print_sets("bounds", "one more element changes the value by %s at least: %s and %s", t->marginal.text,
               t->marginal_sets);
    ll_report_field(stdout, "", "range %s: a gap of at most %s on %ld elements", t->range.text, t->pigeonhole.text,
                    t->elements);
    if (t->bounded_monotone.text)
        ll_report_field(stdout, "", "range over elements: %s", t->bounded_monotone.text);
}

static json_t *set_array(uint32_t set)
{
    json_t *array = json_array();
    for (int i = 0; array && i < 32; i++)
        if (set >> i & 1 && json_array_append_new(array, json_integer(i)) != 0) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

static json_t *set_pair(const uint32_t sets[2])
{
    return json_pack("[o, o]", set_array(sets[0]), set_array(sets[1]));
}

ll_status ll_report_table_json(const ll_table_separation *t, const char *file, ll_error *error)
{
    ll_json json;
    ll_report_json_begin(&json, "separate");
    ll_report_json_add(&json, "gap", ll_report_json_string(t->gap.text));
    ll_report_json_add(&json, "largest_noise", ll_report_json_string(t->largest_noise.text));
    ll_report_json_add(&json, "proved", json_true());
    ll_report_json_add(&json, "interval",
                       json_pack("[o, o]", ll_report_json_string(t->gap.text), ll_report_json_string(t->gap.text)));
    ll_report_json_add(&json, "witness", set_pair(t->witness));
    ll_report_json_add(&json, "separable", json_boolean(t->separable));
    ll_report_json_add(&json, "elements", json_integer(t->elements));
    ll_report_json_add(&json, "monotone", json_boolean(t->monotone));
    ll_report_json_add(&json, "decreasing", t->monotone ? json_null() : set_pair(t->decreasing));
    ll_report_json_add(&json, "marginal", ll_report_json_string(t->marginal.text));
    ll_report_json_add(&json, "marginal_sets", set_pair(t->marginal_sets));
    ll_report_json_add(&json, "bounds",
                       json_pack("{s:o, s:o, s:o}", "range", ll_report_json_string(t->range.text), "pigeonhole",
                                 ll_report_json_string(t->pigeonhole.text), "bounded_monotone",
                                 ll_report_json_string(t->bounded_monotone.text)));
    ll_report_json_add(&json, "table", ll_report_json_string(file));
    return ll_report_json_end(&json, error);
}
