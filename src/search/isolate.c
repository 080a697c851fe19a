/* Scores of designed predictions see all rows at once, but their sums are integers, and combinations of them see few.
 *
 * Weights are multiples of a unit, and where an interval holds one integer the score is an equation in integers,
 * without any tolerance. Such equations hold modulo a prime too, and so do all their combinations: in the reduced
 * echelon form of the matrix, columns in random order, every line misses the columns of all other pivots, and with them
 * all rows that depend on these. A line that sees few rows is an equation of those rows alone: its weights, ratios of
 * small integers, are read from their residues, and the sum of so small weights is told by its residue. Meeting in the
 * middle finds the labels that fit all lines that see no other row. What becomes certain is a constant from then on,
 * and lines see fewer rows. */
#include "search/isolate.h"

#include "number/random.h"
#include "search/linear_forms.h"
#include "search/meet.h"

#include <flint/fmpq.h>
#include <flint/fmpz_vec.h>
#include <flint/nmod_mat.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>
#include <string.h>

/* Orders of columns that are tried in a row without success; rows of one system. */
enum { STALE = 12, MOST_ROWS = 160, MOST_TRIED = 4096 };
/* Of one system of few rows, predicted. */
#define MEET_SECONDS 1.0
#define MEET_BYTES 3e8
#define MEET_BITS 44.0
/* Moduli, as many as make numbers of twice the bits of the largest weight and some more. */
enum { PRIME_BITS = 60, MOST_PRIMES = 8, SPARE_BITS = 20 };
/* An echelon form takes so many seconds for every line, pivot and column. */
#define STEP_SECONDS 2e-9

typedef struct {
    long row, label;
} column;

/* Sum of weights[j] * [row of columns[j] has its label] = sum. */
typedef struct {
    fmpz *weights;
    column *columns;
    long count, rows;
    fmpz_t sum;
} line;

typedef struct {
    ll_forms *forms;
    long *exact; /* forms that are equations */
    long exact_count;
    column *columns;
    long column_count;
    uint64_t turn; /* orders so far */
    ulong primes[MOST_PRIMES];
    long prime_count;
    nmod_mat_t echelons[MOST_PRIMES];
    fmpz_t modulus; /* the product of the primes */
    line *lines;
    long line_count;
    long *place;     /* [row]: in the system of few rows; -1 */
    uint64_t *tried; /* systems of few rows, by their hash */
    long tried_count;
    double until;
    int changed, is_none;
} isolation;

/* ---- the matrix ---- */

static void list_exact(isolation *s)
{
    s->exact_count = 0;
    for (long q = 0; q < s->forms->count; q++)
        if (s->forms->is_whole[q] && fmpz_equal(s->forms->low + q, s->forms->high + q))
            s->exact[s->exact_count++] = q;
}

/* 0: weights are too large. */
static int list_primes(isolation *s)
{
    slong most = 0;
    for (long l = 0; l < s->exact_count; l++) {
        const fmpz *weights = ll_forms_weight(s->forms, s->exact[l], 0, 0);
        slong bits = _fmpz_vec_max_bits(weights, s->forms->rows * s->forms->classes);
        bits = bits < 0 ? -bits : bits;
        most = bits > most ? bits : most;
    }
    slong count = (2 * most + SPARE_BITS) / PRIME_BITS + 1;
    if (count > MOST_PRIMES)
        return 0;
    for (s->prime_count = 0; s->prime_count < count; s->prime_count++) {
        ulong last = s->prime_count > 0 ? s->primes[s->prime_count - 1] : 1UL << PRIME_BITS;
        s->primes[s->prime_count] = n_nextprime(last, 0);
        fmpz_mul_ui(s->modulus, s->modulus, s->primes[s->prime_count]);
    }
    return 1;
}

/* In a new order. */
static void list_columns(isolation *s)
{
    const ll_forms *f = s->forms;
    s->column_count = 0;
    for (long i = 0; i < f->rows; i++)
        for (long k = ll_forms_base(f, i) + 1; k < f->classes; k++)
            if (f->candidates[i * f->classes + k])
                s->columns[s->column_count++] = (column){i, k};
    for (long j = s->column_count - 1; j > 0; j--) {
        long other = (long)ll_random_below(0, s->turn, (uint64_t)j, (uint64_t)j + 1);
        column c = s->columns[j];
        s->columns[j] = s->columns[other];
        s->columns[other] = c;
    }
    s->turn++;
}

static void fill(const isolation *s, nmod_mat_t m, ulong prime)
{
    const ll_forms *f = s->forms;
    fmpz_t number;
    fmpz_init(number);
    for (long l = 0; l < s->exact_count; l++) {
        long q = s->exact[l];
        for (long j = 0; j < s->column_count; j++) {
            long row = s->columns[j].row;
            fmpz_sub(number, ll_forms_weight(f, q, row, s->columns[j].label),
                     ll_forms_weight(f, q, row, ll_forms_base(f, row)));
            nmod_mat_entry(m, l, j) = fmpz_fdiv_ui(number, prime);
        }
        fmpz_set(number, f->low + q);
        for (long i = 0; i < f->rows; i++)
            fmpz_sub(number, number, ll_forms_weight(f, q, i, ll_forms_base(f, i)));
        nmod_mat_entry(m, l, s->column_count) = fmpz_fdiv_ui(number, prime);
    }
    fmpz_clear(number);
}

/* ---- lines that see few rows ---- */

static void clear_line(line *l)
{
    for (long j = 0; l->weights != NULL && j < l->count; j++)
        fmpz_clear(l->weights + j);
    free(l->weights);
    free(l->columns);
    fmpz_clear(l->sum);
}

/* The entry modulo all primes. Whatever the lines of the single primes are, what is combined of them is an equation. */
static void get_entry(const isolation *s, fmpz_t out, long at, long place)
{
    fmpz_t done;
    fmpz_init_set_ui(done, s->primes[0]);
    fmpz_set_ui(out, nmod_mat_entry(s->echelons[0], at, place));
    for (long p = 1; p < s->prime_count; p++) {
        fmpz_CRT_ui(out, out, done, nmod_mat_entry(s->echelons[p], at, place), s->primes[p], 0);
        fmpz_mul_ui(done, done, s->primes[p]);
    }
    fmpz_clear(done);
}

/* Times a common denominator, weights are integers. 0: they are so large that the residue of their sum does not tell
 * it. */
static int set_weights(const isolation *s, line *l, long at, const long *places)
{
    fmpz_t residue, all, most;
    fmpq_t ratio;
    fmpz_init(residue);
    fmpz_init(most);
    fmpz_init_set_ui(all, 1);
    fmpq_init(ratio);
    int small = 1;
    for (long j = 0; j < l->count && small; j++) {
        get_entry(s, l->weights + j, at, places[j]);
        small = fmpq_reconstruct_fmpz(ratio, l->weights + j, s->modulus);
        fmpz_lcm(all, all, fmpq_denref(ratio));
        small = small && fmpz_cmp(all, s->modulus) < 0;
    }
    for (long j = 0; j < l->count && small; j++) {
        fmpz_mul(residue, all, l->weights + j);
        fmpz_smod(l->weights + j, residue, s->modulus);
        fmpz_abs(residue, l->weights + j);
        fmpz_add(most, most, residue);
    }
    fmpz_mul_2exp(most, most, 1);
    small = small && fmpz_cmp(most, s->modulus) < 0; /* every sum, and its residue, is below half of the modulus */
    get_entry(s, residue, at, s->column_count);
    fmpz_mul(residue, residue, all);
    fmpz_smod(l->sum, residue, s->modulus);
    fmpq_clear(ratio);
    fmpz_clear(residue);
    fmpz_clear(all);
    fmpz_clear(most);
    return small;
}

static int is_seen(const isolation *s, long at, long place)
{
    for (long p = 0; p < s->prime_count; p++)
        if (nmod_mat_entry(s->echelons[p], at, place) != 0)
            return 1;
    return 0;
}

/* Line `at` of the echelon form; 0 where it says nothing that could be used. */
static int read_line(isolation *s, line *l, long at, long *places)
{
    long count = 0;
    const long most = MOST_ROWS * s->forms->classes;
    for (long j = 0; j < s->column_count && count <= most; j++)
        if (is_seen(s, at, j))
            places[count++] = j;
    s->is_none |= count == 0 && is_seen(s, at, s->column_count);
    if (count == 0 || count > most)
        return 0;
    *l = (line){.weights = calloc((size_t)count, sizeof(fmpz)), .columns = malloc(sizeof(column) * (size_t)count)};
    fmpz_init(l->sum);
    l->count = l->weights != NULL && l->columns != NULL ? count : 0;
    for (long j = 0; j < l->count; j++) {
        l->columns[j] = s->columns[places[j]];
        l->rows += s->place[l->columns[j].row] < 0;
        s->place[l->columns[j].row] = 0;
    }
    for (long j = 0; j < l->count; j++)
        s->place[l->columns[j].row] = -1;
    if (l->count > 0 && l->rows <= MOST_ROWS && set_weights(s, l, at, places))
        return 1;
    clear_line(l);
    return 0;
}

static int by_rows(const void *a, const void *b)
{
    const line *x = a, *y = b;
    return (x->rows > y->rows) - (x->rows < y->rows);
}

static ll_status read_lines(isolation *s)
{
    list_columns(s);
    long *places = malloc(sizeof *places * (size_t)(s->column_count + 1));
    if (places == NULL)
        return LL_MEMORY;
    for (long p = 0; p < s->prime_count; p++) {
        nmod_mat_init(s->echelons[p], s->exact_count, s->column_count + 1, s->primes[p]);
        fill(s, s->echelons[p], s->primes[p]);
        (void)nmod_mat_rref(s->echelons[p]);
    }
    s->line_count = 0;
    for (long l = 0; l < s->exact_count && !s->is_none; l++)
        s->line_count += read_line(s, &s->lines[s->line_count], l, places);
    qsort(s->lines, (size_t)s->line_count, sizeof *s->lines, by_rows);
    for (long p = 0; p < s->prime_count; p++)
        nmod_mat_clear(s->echelons[p]);
    free(places);
    return LL_OK;
}

/* ---- a system of few rows ---- */

static int is_inside(const isolation *s, const line *l)
{
    for (long j = 0; j < l->count; j++)
        if (s->place[l->columns[j].row] < 0)
            return 0;
    return 1;
}

static void add_line(const isolation *s, ll_linear *system, const line *l)
{
    long q = system->scores++;
    for (long j = 0; j < l->count; j++)
        fmpz_set(ll_linear_weight(system, q, s->place[l->columns[j].row], l->columns[j].label), l->weights + j);
    fmpz_set(system->targets + q, l->sum);
}

/* A label of a line that the row has lost weighs nothing any more; base labels may have changed, but weigh 0 as before
 * in the line. */
static ll_status meet(isolation *s, const ll_linear *system, const long *rows)
{
    ll_search_set set;
    ll_meet_cost cost;
    ll_groups groups;
    if (ll_groups_init(&groups, system) != LL_OK)
        return LL_MEMORY;
    double bits = ll_groups_bits(&groups, system);
    ll_groups_clear(&groups);
    const double left = s->until - ll_clock();
    if (bits > MEET_BITS || ll_search_meet_cost(&cost, system, MEET_BYTES, 1) != LL_OK || cost.bytes > MEET_BYTES ||
        cost.seconds > (left < MEET_SECONDS ? left : MEET_SECONDS))
        return LL_OK;
    if (ll_search_set_init(&set, system->rows, system->classes, 1) != LL_OK)
        return LL_MEMORY;
    ll_status status = ll_search_meet(&set, system, 1, MEET_BYTES, left, 1, -1, NULL);
    for (long i = 0; i < system->rows * system->classes && status == LL_OK; i++) {
        unsigned char *to = &s->forms->candidates[rows[i / system->classes] * system->classes + i % system->classes];
        s->changed |= *to && !set.possible[i];
        *to = *to && set.possible[i];
    }
    s->is_none |= status == LL_OK && fmpz_is_zero(set.count);
    ll_search_set_clear(&set);
    return status == LL_UNABLE ? LL_OK : status;
}

/* Was it met before, with as many lines and the same candidates? */
static int was_tried(isolation *s, const ll_linear *system, const long *rows)
{
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)system->scores;
    for (long i = 0; i < system->rows * system->classes; i++) {
        uint64_t row = (uint64_t)rows[i / system->classes];
        hash = (hash ^ (2 * row + system->allowed[i])) * 0x100000001b3u;
    }
    for (long i = 0; i < s->tried_count; i++)
        if (s->tried[i] == hash)
            return 1;
    if (s->tried_count < MOST_TRIED)
        s->tried[s->tried_count++] = hash;
    return 0;
}

/* The rows of one line, with all lines that see no other. */
static ll_status solve(isolation *s, const line *first)
{
    long rows[MOST_ROWS], count = 0, classes = s->forms->classes;
    ll_linear system;
    for (long j = 0; j < first->count; j++) {
        long row = first->columns[j].row;
        if (s->place[row] < 0) {
            rows[count] = row;
            s->place[row] = count++;
        }
    }
    long inside = 0;
    for (long l = 0; l < s->line_count; l++)
        inside += is_inside(s, &s->lines[l]);
    ll_status status = ll_linear_init(&system, count, classes, inside);
    if (status == LL_OK) {
        system.scores = 0;
        for (long l = 0; l < s->line_count; l++)
            if (is_inside(s, &s->lines[l]))
                add_line(s, &system, &s->lines[l]);
        for (long i = 0; i < count; i++)
            memcpy(system.allowed + i * classes, s->forms->candidates + rows[i] * classes, (size_t)classes);
        if (!was_tried(s, &system, rows))
            status = meet(s, &system, rows);
        ll_linear_clear(&system);
    }
    for (long i = 0; i < count; i++)
        s->place[rows[i]] = -1;
    return status;
}

/* Is some row of it still open? */
static int is_open(const isolation *s, const line *l)
{
    for (long j = 0; j < l->count; j++) {
        long left = 0;
        for (long k = 0; k < s->forms->classes; k++)
            left += s->forms->candidates[l->columns[j].row * s->forms->classes + k];
        if (left > 1)
            return 1;
    }
    return 0;
}

/* ---- one case ---- */

static ll_status try_order(isolation *s)
{
    double lines = (double)s->exact_count, cells = (double)(s->forms->rows * s->forms->classes);
    if (ll_clock() + STEP_SECONDS * (double)s->prime_count * lines * lines * cells > s->until)
        return LL_OK;
    ll_status status = read_lines(s);
    for (long l = 0; l < s->line_count && status == LL_OK && !s->is_none; l++)
        if (is_open(s, &s->lines[l]) && ll_clock() < s->until)
            status = solve(s, &s->lines[l]);
    for (long l = 0; l < s->line_count; l++)
        clear_line(&s->lines[l]);
    s->line_count = 0;
    return status;
}

static ll_status isolate(isolation *s)
{
    ll_status status = LL_OK;
    list_exact(s);
    const int has_lines = s->exact_count > 0 && list_primes(s);
    for (long stale = 0; stale < STALE && status == LL_OK; stale = s->changed ? 0 : stale + 1) {
        s->changed = 0;
        ll_forms_propagate(s->forms);
        s->is_none |= ll_forms_is_none(s->forms);
        if (s->is_none || !has_lines || ll_clock() > s->until)
            break;
        status = try_order(s);
    }
    return status;
}

/* What a case leaves joins *possible; *fits: it leaves something. */
static ll_status take_case(ll_forms *forms, unsigned char *joined, int *fits, double until)
{
    size_t rows = (size_t)forms->rows, cells = rows * (size_t)forms->classes, count = (size_t)forms->count;
    isolation s = {.forms = forms, .until = until, .modulus = {1}};
    s.exact = malloc(sizeof *s.exact * (count + 1));
    s.columns = malloc(sizeof *s.columns * cells);
    s.lines = calloc(count + 1, sizeof *s.lines);
    s.place = malloc(sizeof *s.place * rows);
    s.tried = malloc(sizeof *s.tried * MOST_TRIED);
    ll_status status = s.exact && s.columns && s.lines && s.place && s.tried ? LL_OK : LL_MEMORY;
    if (status == LL_OK) {
        memset(s.place, -1, sizeof *s.place * rows);
        status = isolate(&s);
    }
    *fits |= !s.is_none;
    for (size_t i = 0; i < cells && !s.is_none; i++)
        joined[i] |= forms->candidates[i];
    fmpz_clear(s.modulus);
    free(s.exact);
    free(s.columns);
    free(s.lines);
    free(s.place);
    free(s.tried);
    return status;
}

ll_status ll_linear_isolate(const ll_linear *system, unsigned char *possible, int *fits, double seconds)
{
    ll_forms forms, odd;
    double start = ll_clock();
    size_t cells = (size_t)(system->rows * system->classes);
    unsigned char *joined = calloc(cells, 1);
    *fits = 1;
    if (joined == NULL || ll_forms_init(&forms, system, possible) != LL_OK) {
        free(joined);
        return LL_MEMORY;
    }
    *fits = 0;
    ll_status status = ll_forms_copy(&odd, &forms);
    int is_split = status == LL_OK && ll_forms_split(&forms, 0);
    if (status == LL_OK)
        status = take_case(&forms, joined, fits, start + seconds / (is_split ? 2 : 1));
    if (status == LL_OK && is_split && ll_forms_split(&odd, 1))
        status = take_case(&odd, joined, fits, start + seconds);
    if (status == LL_OK)
        memcpy(possible, joined, cells);
    ll_forms_clear(&forms);
    ll_forms_clear(&odd);
    free(joined);
    return status;
}
