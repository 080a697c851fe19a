#include "optimum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LABELLINGS = 1024, MOST_ROWS = 10, MOST_CLASSES = 4, MOST_OPTIONS = 12, CELLS = 32, MOST_TABLE = 1 << 22 };
enum { MOST_NUMBERS = 4, FEW_CELLS = 8 };

/* ---- losses, row by row ---- */

static const char *const label_metrics[] = {"accuracy", "zero-one", "lp"};
static const char *const other_metrics[] = {"log-loss", "sigmoid-ce", "softmax-ce", "itakura-saito",
                                            "squared",  "norm",       "bregman",    "focal"};

static int is_among(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

/* Does the metric read labels? */
static int reads_labels(const char *metric)
{
    return is_among(metric, label_metrics, 3) || strcmp(metric, "f1") == 0;
}

static long count_numbers(const slow_world *w)
{
    return 1 + w->also_count;
}

/* Number 0 is the world's own. */
static const slow_world *get_number(const slow_world *w, long n)
{
    return n == 0 ? w : &w->also[n - 1];
}

static int is_noisy(const slow_world *w)
{
    int noisy = 0;
    for (long n = 0; n < count_numbers(w); n++)
        noisy |= get_number(w, n)->noise != 0;
    return noisy;
}

int slow_is_exact(const slow_world *w)
{
    return reads_labels(w->metric) && !is_noisy(w);
}

int slow_knows(const char *metric)
{
    return is_among(metric, label_metrics, 3) || is_among(metric, other_metrics, 8);
}

static double limited(const slow_world *w, double p)
{
    double low = w->clip > 0 ? w->clip : 1e-9;
    return p < low ? low : p > 1 - low ? 1 - low : p;
}

/* p: the probability of class 1; the others of the table of losses, for two classes. bregman: phi = x^3 + x^2. */
static double binary_loss(const slow_world *w, double p, long label)
{
    double q = label == 1 ? p : 1 - p, a = w->parameter;
    if (strcmp(w->metric, "squared") == 0)
        return (1 - q) * (1 - q);
    if (strcmp(w->metric, "norm") == 0)
        return 1 + (a - 1) * pow(q, a) - a * pow(q, a - 1) + (a - 1) * pow(1 - q, a);
    if (strcmp(w->metric, "bregman") == 0) {
        double y = (double)label;
        return y * y * y + y * y - p * p * p - p * p - (3 * p * p + 2 * p) * (y - p);
    }
    if (strcmp(w->metric, "focal") == 0)
        return -pow(1 - q, a) * log(limited(w, q));
    if (strcmp(w->metric, "itakura-saito") == 0)
        return 1 / limited(w, q) + log(limited(w, q)) - 1;
    return -log(limited(w, q));
}

/* One row of probabilities. */
static double row_loss(const slow_world *w, const double *row, long label)
{
    double sum = 0;
    if (strcmp(w->metric, "squared") != 0)
        return -log(limited(w, row[label]));
    for (long k = 0; k < w->classes; k++)
        sum += ((k == label) - row[k]) * ((k == label) - row[k]);
    return sum;
}

/* ---- what can be submitted for a row: value[option][label], said[option] ---- */

typedef struct {
    long options;
    double value[MOST_OPTIONS][MOST_CLASSES];
    long said[MOST_OPTIONS]; /* the class, where the number reads one */
} menu;

static const double column[] = {0, 1, 0.5, 0.3, 0.85, 0.42};

/* Classes that are submitted, or read of a column. */
static void add_labels(menu *m, const slow_world *w, const slow_world *first)
{
    int right = strcmp(w->metric, "accuracy") == 0, is_read = !reads_labels(first->metric);
    m->options = is_read ? 6 : first->classes;
    for (long o = 0; o < m->options; o++) {
        m->said[o] = is_read ? column[o] > w->threshold : o;
        for (long k = 0; k < first->classes; k++)
            m->value[o][k] = (m->said[o] == k) == right;
    }
}

static void add_column(menu *m, const slow_world *w)
{
    m->options = 6;
    for (long o = 0; o < m->options; o++)
        for (long k = 0; k < 2; k++)
            m->value[o][k] = binary_loss(w, column[o], k);
}

/* One class alone, all alike, and two rows without symmetry. */
static void add_rows(menu *m, const slow_world *w)
{
    static const double uneven[2][MOST_CLASSES] = {{0.5, 0.3, 0.15, 0.05}, {0.1, 0.35, 0.2, 0.35}};
    long classes = w->classes;
    m->options = classes + 3;
    for (long o = 0; o < m->options; o++) {
        double row[MOST_CLASSES], sum = 0;
        for (long k = 0; k < classes; k++) {
            row[k] = o < classes ? o == k : o == classes ? 1 : uneven[o - classes - 1][k];
            sum += row[k];
        }
        for (long k = 0; k < classes; k++)
            row[k] /= sum;
        for (long k = 0; k < classes; k++)
            m->value[o][k] = row_loss(w, row, k);
    }
}

static void make_menu(menu *m, const slow_world *w, const slow_world *first)
{
    if (reads_labels(w->metric))
        add_labels(m, w, first);
    else if (first->classes == 2 && first->columns == 1)
        add_column(m, w);
    else
        add_rows(m, w);
}

/* ---- the score ---- */

static double finish_score(const slow_world *w, double sum, double rows)
{
    double score = strcmp(w->metric, "lp") == 0   ? pow(sum, 1 / w->parameter)
                   : strcmp(w->metric, "f1") == 0 ? sum
                                                  : sum / rows;
    switch (w->transform) {
    case 'n':
        return -score;
    case 'r':
        return sqrt(score);
    case 'p':
        return 100 * score;
    case 's':
        return -3 * score;
    case 'o':
        return score + 1;
    case 'l':
        return log(score + 0.01);
    default:
        return score;
    }
}

/* ---- tables ---- */

typedef struct {
    const slow_world *world;
    menu menus[MOST_NUMBERS];
    long numbers, labellings, submissions, stride, answers, radix;
    double weight[MOST_LABELLINGS];
    unsigned char label[MOST_LABELLINGS][MOST_ROWS];
    double *score;         /* [(submission * labellings + labelling) * numbers + number] */
    double *chance;        /* [(submission * labellings + labelling) * answers + answer], noisy */
    int *answer;           /* [submission * labellings + labelling], not noisy */
    unsigned char *sorted; /* submission: are its rows in rising order? The others are the same for the first query */
} tables;

static long power(long base, long exponent)
{
    long out = 1;
    while (exponent-- > 0)
        out *= base;
    return out;
}

static int has_counts(const slow_world *w, const unsigned char *labels)
{
    long seen[MOST_CLASSES] = {0};
    for (long i = 0; i < w->rows; i++)
        seen[labels[i]]++;
    return memcmp(seen, w->counts, sizeof *seen * (size_t)w->classes) == 0;
}

static void keep_counts(tables *t)
{
    double sum = 0;
    for (long l = 0; l < t->labellings; l++)
        sum += t->weight[l] = has_counts(t->world, t->label[l]);
    for (long l = 0; l < t->labellings; l++)
        t->weight[l] /= sum;
}

static void list_labellings(tables *t)
{
    const slow_world *w = t->world;
    for (long l = 0; l < t->labellings; l++) {
        long rest = l;
        t->weight[l] = 1;
        for (long i = 0; i < w->rows; i++, rest /= w->classes) {
            t->label[l][i] = (unsigned char)(rest % w->classes);
            t->weight[l] *= w->prior ? w->prior[rest % w->classes] : 1 / (double)w->classes;
        }
    }
    if (w->counts)
        keep_counts(t);
}

static int is_of(const slow_world *number, long row)
{
    return number->rows_of == 0 || (number->rows_of >> row & 1);
}

/* 2 TP / (said 1 + label 1), 0 where there is neither. */
static double overlap(const tables *t, long n, const long *option, const unsigned char *label)
{
    double hits = 0, all = 0;
    for (long i = 0; i < t->world->rows; i++) {
        long said = t->menus[n].said[option[i]];
        if (!is_of(get_number(t->world, n), i))
            continue;
        hits += said == 1 && label[i] == 1;
        all += (double)(said == 1) + (double)(label[i] == 1);
    }
    return all > 0 ? 2 * hits / all : 0;
}

static double score_of(const tables *t, long n, const long *option, const unsigned char *label)
{
    const slow_world *number = get_number(t->world, n);
    double sum = 0, rows = 0;
    for (long i = 0; i < t->world->rows; i++)
        if (is_of(number, i)) {
            sum += t->menus[n].value[option[i]][label[i]];
            rows++;
        }
    return finish_score(number, strcmp(number->metric, "f1") == 0 ? overlap(t, n, option, label) : sum, rows);
}

/* Are rows alike, but for their labels? */
static int has_groups(const slow_world *w)
{
    int found = 0;
    for (long n = 0; n < count_numbers(w); n++)
        found |= get_number(w, n)->rows_of != 0;
    return found;
}

static void list_scores(tables *t)
{
    const slow_world *w = t->world;
    for (long s = 0; s < t->submissions; s++) {
        long option[MOST_ROWS], rest = s * t->stride;
        t->sorted[s] = 1;
        for (long i = 0; i < w->rows; i++, rest /= t->menus[0].options) {
            option[i] = rest % t->menus[0].options;
            if (i > 0 && option[i] < option[i - 1])
                t->sorted[s] = t->stride > 1 || has_groups(w);
        }
        for (long l = 0; l < t->labellings; l++)
            for (long n = 0; n < t->numbers; n++)
                t->score[(s * t->labellings + l) * t->numbers + n] = score_of(t, n, option, t->label[l]);
    }
}

static double find_range(const tables *t, long n, double *least)
{
    double most = -INFINITY;
    *least = INFINITY;
    for (long i = n; i < t->submissions * t->labellings * t->numbers; i += t->numbers) {
        *least = fmin(*least, t->score[i]);
        most = fmax(most, t->score[i]);
    }
    return most - *least;
}

/* ---- answers without noise: what rounding leaves, numbered from 0 for each submission ---- */

static double rounded(const slow_world *w, double score)
{
    char text[64];
    if (w->grid > 0)
        return rint(score / w->grid) * w->grid;
    if (w->digits == 0)
        return score;
    (void)snprintf(text, sizeof text, "%.*e", w->digits - 1, score);
    return strtod(text, NULL);
}

/* The place of x among those seen, or a new one. */
static int place_of(double *seen, int *count, double x)
{
    int at = 0;
    while (at < *count && fabs(seen[at] - x) > 1e-10 * (1 + fabs(x)))
        at++;
    if (at == *count)
        seen[(*count)++] = x;
    return at;
}

/* Which of the answers to one submission it is: of all numbers together, one after the other. */
static void number_answers(tables *t)
{
    for (long s = 0; s < t->submissions; s++)
        for (long l = 0, first = s * t->labellings; l < t->labellings; l++)
            t->answer[first + l] = 0;
    for (long n = 0; n < t->numbers; n++)
        for (long s = 0; s < t->submissions; s++) {
            double values[MOST_LABELLINGS], pairs[MOST_LABELLINGS];
            int value_count = 0, pair_count = 0;
            for (long l = 0, first = s * t->labellings; l < t->labellings; l++) {
                double x = rounded(get_number(t->world, n), t->score[(first + l) * t->numbers + n]);
                int at = place_of(values, &value_count, x);
                t->answer[first + l] =
                    place_of(pairs, &pair_count, (double)t->answer[first + l] * MOST_LABELLINGS + at);
            }
        }
}

/* ---- noisy answers: cells ---- */

static double distribution(const slow_world *w, double x)
{
    x /= w->size;
    if (w->noise == 'g')
        return 0.5 * erfc(-x / sqrt(2));
    if (w->noise == 'l')
        return x < 0 ? 0.5 * exp(x) : 1 - 0.5 * exp(-x);
    return x < -1 ? 0 : x > 1 ? 1 : (x + 1) / 2;
}

/* Cells of equal width from below the least score to above the greatest, the outer ones open; on a grid their ends lie
 * between its points. */
static void fill_chances(tables *t, long n, long cells)
{
    const slow_world *w = get_number(t->world, n);
    double least, range = find_range(t, n, &least), tail = (w->noise == 'u' ? 1 : 3) * w->size;
    double width = (range + 2 * tail) / (double)cells, first = least - tail;
    if (w->grid > 0) {
        width = w->grid * fmax(1, ceil(width / w->grid));
        first = w->grid * (floor(first / w->grid) + 0.5);
    }
    for (long i = 0; i < t->submissions * t->labellings; i++) {
        double below = 0, chances[CELLS], *out = t->chance + i * t->answers;
        for (long a = 0; a < cells; a++) {
            double end = first + width * (double)(a + 1);
            double next = a == cells - 1 ? 1 : distribution(w, end - t->score[i * t->numbers + n]);
            chances[a] = next - below;
            below = next;
        }
        for (long a = 0; a < t->answers; a++) /* cells of the numbers before, then this one's */
            out[a] *= chances[a / t->radix % cells];
    }
    t->radix *= cells;
}

/* The few answers that a number without noise has, each a cell; those beyond are one. */
static void fill_plain(tables *t, long n, long cells)
{
    for (long s = 0; s < t->submissions; s++) {
        double seen[MOST_LABELLINGS];
        int count = 0;
        for (long l = 0; l < t->labellings; l++) {
            long i = s * t->labellings + l;
            int at = place_of(seen, &count, rounded(get_number(t->world, n), t->score[i * t->numbers + n]));
            at = at < cells ? at : (int)cells - 1;
            for (long a = 0; a < t->answers; a++)
                t->chance[i * t->answers + a] *= a / t->radix % cells == at;
        }
    }
    t->radix *= cells;
}

static void fill_all(tables *t)
{
    long cells = t->numbers == 1 ? CELLS : t->numbers == 2 ? FEW_CELLS : FEW_CELLS / 2;
    t->radix = 1;
    for (long i = 0; i < t->submissions * t->labellings * t->answers; i++)
        t->chance[i] = 1;
    for (long n = 0; n < t->numbers; n++)
        (get_number(t->world, n)->noise ? fill_chances : fill_plain)(t, n, cells);
}

/* Answers that are told apart. */
static long count_answers(const slow_world *w)
{
    long numbers = count_numbers(w);
    return numbers == 1   ? CELLS
           : numbers == 2 ? FEW_CELLS * FEW_CELLS
                          : (long)pow((double)FEW_CELLS / 2, (double)numbers);
}

static int make_tables(tables *t, const slow_world *w)
{
    int noisy = is_noisy(w);
    *t = (tables){.world = w, .stride = 1, .answers = count_answers(w), .numbers = count_numbers(w)};
    if (t->numbers > MOST_NUMBERS)
        return 0;
    for (long n = 0; n < t->numbers; n++)
        make_menu(&t->menus[n], get_number(w, n), w);
    t->labellings = power(w->classes, w->rows);
    if (t->labellings > MOST_LABELLINGS || w->rows > MOST_ROWS)
        return 0;
    long all = power(t->menus[0].options, w->rows), most = MOST_TABLE / t->labellings / (noisy ? 8 * CELLS : 1);
    if (noisy && most > 256)
        most = 256;
    if (all > most && slow_is_exact(w))
        return 0;
    t->stride = all > most ? (all / most) | 1 : 1;
    t->submissions = all / t->stride;
    size_t size = (size_t)(t->submissions * t->labellings);
    t->score = malloc(size * (size_t)t->numbers * sizeof *t->score);
    t->answer = malloc(size * sizeof *t->answer);
    t->sorted = malloc((size_t)t->submissions);
    t->chance = malloc(noisy ? size * (size_t)t->answers * sizeof *t->chance : 1);
    if (!t->score || !t->answer || !t->sorted || !t->chance)
        abort();
    list_labellings(t);
    list_scores(t);
    return 1;
}

static void free_tables(tables *t)
{
    free(t->score);
    free(t->answer);
    free(t->sorted);
    free(t->chance);
}

/* ---- dynamic programming: the value of a posterior (not normalised) with so many queries left ---- */

static double guess(const tables *t, const double *weight)
{
    const slow_world *w = t->world;
    double share[MOST_ROWS][MOST_CLASSES] = {{0}}, value = 0;
    for (long l = 0; l < t->labellings; l++)
        if (weight[l] > 0)
            for (long i = 0; i < w->rows; i++)
                share[i][t->label[l][i]] += weight[l];
    for (long i = 0; i < w->rows; i++) {
        double most = 0;
        for (long k = 0; k < w->classes; k++)
            most = fmax(most, share[i][k]);
        value += most / (double)w->rows;
    }
    return value;
}

static double best_value(const tables *t, const double *weight, long queries, int is_first);

/* Sum over answers of the value of what they leave. */
static double value_of(const tables *t, const double *weight, long s, long queries)
{
    double left[MOST_LABELLINGS], value = 0;
    const int *answer = t->answer + s * t->labellings;
    const double *chance = t->chance + s * t->labellings * t->answers;
    int noisy = is_noisy(t->world);
    long answers = noisy ? t->answers : 0;
    for (long l = 0; l < t->labellings && !noisy; l++)
        answers = answer[l] >= answers ? answer[l] + 1 : answers;
    for (long a = 0; a < answers; a++) {
        double sum = 0;
        for (long l = 0; l < t->labellings; l++) {
            left[l] = weight[l] <= 0   ? 0
                      : noisy          ? weight[l] * chance[l * t->answers + a]
                      : answer[l] == a ? weight[l]
                                       : 0;
            sum += left[l];
        }
        if (sum > 0)
            value += best_value(t, left, queries - 1, 0);
    }
    return value;
}

static double best_value(const tables *t, const double *weight, long queries, int is_first)
{
    double best = guess(t, weight), all = 0;
    for (long l = 0; l < t->labellings; l++)
        all += weight[l];
    for (long s = 0; s < t->submissions && queries > 0 && best < all * (1 - 1e-13); s++)
        if (!is_first || t->sorted[s])
            best = fmax(best, value_of(t, weight, s, queries));
    return best;
}

double slow_range(const slow_world *w)
{
    tables t;
    double least, range = -1;
    if (make_tables(&t, w)) {
        range = find_range(&t, 0, &least);
        free_tables(&t);
    }
    return range;
}

double slow_optimum(const slow_world *w)
{
    tables t;
    if (!make_tables(&t, w))
        return -1;
    if (is_noisy(w))
        fill_all(&t);
    else
        number_answers(&t);
    double most = w->effort > 0 ? w->effort : 1e6;
    double work =
        pow((double)t.submissions * (is_noisy(w) ? (double)t.answers : 4), (double)w->queries) * (double)t.labellings;
    double best = work > most ? -1 : best_value(&t, t.weight, w->queries, 1);
    free_tables(&t);
    return best;
}
