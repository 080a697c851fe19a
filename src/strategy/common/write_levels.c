/* Codes over bounded integers for scorers in floats: rows looked up by their kind, written and counted. */
#include "strategy/common/row_kinds.h"
#include "strategy/common/writers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PREC = LL_FLOATS_PREC,
    SUM_PREC = 128, /* of a sum of kinds' terms, which have 64 bits */
    CHUNK = 4096
};

/* The kinds of all rows of a plan. known[0] is for the code of a full block, known[1] for that of a shorter last one:
 * the kind of each of the code's numbers, or of each row where it has none; -1 where no row has that number. */
typedef struct {
    ll_row_kinds kinds;
    int32_t *known[2];
    int32_t neutral; /* the kind of weight 0 */
} state;

static int suits(const ll_plan *plan)
{
    return ll_code_has_levels(plan->state->code) && !ll_code_has_labels(plan->state->code);
}

static void clear(ll_plan *plan)
{
    state *s = plan->state->data;
    if (s == NULL)
        return;
    ll_row_kinds_clear(&s->kinds);
    free(s->known[0]);
    free(s->known[1]);
    free(s);
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    state *s = plan->state->data = calloc(1, sizeof *s);
    if (s != NULL)
        s->kinds.key = malloc(sizeof *s->kinds.key * (size_t)plan->classes);
    plan->entries = ll_floats_is_double(plan) ? LL_ENTRIES_DOUBLE : LL_ENTRIES_EXACT;
    return s != NULL && s->kinds.key != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a plan");
}

/* ---- every kind of row, once ---- */

/* What rows are seen with. */
typedef struct {
    const ll_plan *plan;
    state *state;
    ll_code view;
    int32_t *known;
    ll_error *error;
} finder;

/* The kind of a row of the view; -1: of one outside of its block. */
static ll_status find_kind(finder *f, int32_t *out, long row)
{
    ll_row_kinds *m = &f->state->kinds;
    ll_row_kind *k;
    const ll_code *code = row >= 0 ? &f->view : f->plan->state->code;
    for (long c = 0; c < f->plan->classes; c++)
        m->key[c] = code->row->bounded.level(code, row, c);
    ll_status status = ll_row_kinds_find(f->plan, m, &k, f->error);
    *out = status == LL_OK ? (int32_t)(k - m->kinds) : -1;
    return status;
}

static ll_status see_rows(void *self, long query, long first, long count)
{
    finder *f = self;
    ll_status status = LL_OK;
    f->view.query = query;
    for (long row = first; row < first + count && status == LL_OK; row++) {
        int32_t number = (int32_t)row;
        if (f->view.row->bounded.get_kinds != NULL)
            f->view.row->bounded.get_kinds(&f->view, &number, row, 1);
        if (f->known[number] < 0)
            status = find_kind(f, &f->known[number], row);
    }
    return status;
}

static ll_status find_all(finder *f, const ll_code *code, int32_t **known)
{
    long numbers = code->row->bounded.get_kinds != NULL ? code->kinds : code->rows;
    f->view = *code;
    f->known = *known = malloc(sizeof **known * (size_t)numbers);
    if (f->known == NULL)
        return ll_fail(f->error, LL_MEMORY, "no memory for the kinds of %ld rows", code->rows);
    memset(f->known, -1, sizeof *f->known * (size_t)numbers);
    return code->row->bounded.show_kinds != NULL ? code->row->bounded.show_kinds(code, see_rows, f)
                                                 : see_rows(f, 0, 0, code->rows);
}

static ll_status finish(ll_plan *plan, ll_error *error)
{
    state *s = plan->state->data;
    finder f = {.plan = plan, .state = s, .error = error};
    ll_status status = find_kind(&f, &s->neutral, -1);
    if (status == LL_OK)
        status = find_all(&f, plan->state->code, &s->known[0]);
    if (status == LL_OK && plan->state->last_code != NULL)
        status = find_all(&f, plan->state->last_code, &s->known[1]);
    return status;
}

/* ---- rows ---- */

/* The kinds of `rows` <= CHUNK rows of the block. */
static void kinds_of(const ll_plan *plan, const ll_code *code, int32_t *out, long row, long rows)
{
    const state *s = plan->state->data;
    const int32_t *known = s->known[plan->state->last_code != NULL && code->data == plan->state->last_code->data];
    for (long i = 0; i < rows && code->row->bounded.get_kinds == NULL; i++)
        out[i] = (int32_t)(row + i);
    if (code->row->bounded.get_kinds != NULL)
        code->row->bounded.get_kinds(code, out, row, rows);
    for (long i = 0; i < rows; i++)
        out[i] = known[out[i]];
}

static int32_t kind_of(const ll_plan *plan, const ll_code *code, long row)
{
    int32_t kind = ((const state *)plan->state->data)->neutral;
    if (row >= 0)
        kinds_of(plan, code, &kind, row, 1);
    return kind;
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    const state *s = plan->state->data;
    (void)error;
    ll_floats_copy(plan, to, 0, &s->kinds.kinds[kind_of(plan, code, row)].row);
    return LL_OK;
}

static ll_status write_rows(const ll_plan *plan, const ll_code *code, void *to, long row, long rows, ll_error *error)
{
    const state *s = plan->state->data;
    int32_t kinds[CHUNK];
    (void)error;
    for (long done = 0; done < rows; done += CHUNK) {
        long count = rows - done < CHUNK ? rows - done : CHUNK;
        kinds_of(plan, code, kinds, row + done, count);
        for (long i = 0; i < count; i++)
            ll_floats_copy(plan, to, (done + i) * plan->columns, &s->kinds.kinds[kinds[i]].row);
    }
    return LL_OK;
}

static int reserve_counts(ll_stored_error *stored_error, long kinds)
{
    if (stored_error->counts == NULL) {
        stored_error->counts = calloc((size_t)kinds, sizeof *stored_error->counts);
        stored_error->counts_size = stored_error->counts != NULL ? kinds : 0;
    }
    return stored_error->counts != NULL;
}

static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    const ll_row_kinds *m = &((const state *)plan->state->data)->kinds;
    int32_t kind = kind_of(plan, code, row);
    if (ll_floats_is_stored(plan, &m->kinds[kind].row, block, index)) {
        if (!reserve_counts(stored_error, m->count))
            return ll_fail(error, LL_MEMORY, "no memory to count rows");
        stored_error->counts[kind]++;
        return LL_OK;
    }
    return ll_floats_measure(plan, code, stored_error, block, index, row, error);
}

static ll_status measure_rows(const ll_plan *plan, const ll_code *code, ll_stored_error *to, const ll_block *block,
                              long index, long row, long rows, ll_error *error)
{
    const ll_row_kinds *m = &((const state *)plan->state->data)->kinds;
    const size_t bytes = sizeof(double) * (size_t)plan->columns;
    int32_t kinds[CHUNK];
    if (!reserve_counts(to, m->count))
        return ll_fail(error, LL_MEMORY, "no memory to count rows");
    for (long done = 0; done < rows; done += CHUNK) {
        long count = rows - done < CHUNK ? rows - done : CHUNK;
        ll_status status = LL_OK;
        kinds_of(plan, code, kinds, row + done, count);
        for (long i = 0; i < count && status == LL_OK; i++) {
            long at = index + done + i;
            int same = ll_floats_is_double(plan) &&
                       memcmp(block->doubles + at * plan->columns, m->kinds[kinds[i]].row.doubles, bytes) == 0;
            if (same)
                to->counts[kinds[i]]++;
            else
                status = measure(plan, code, to, block, at, row + done + i, error);
        }
        if (status != LL_OK)
            return status;
    }
    return LL_OK;
}

/* At least |x| in size, where x was added up from `kinds` products of one sign in doubles: each is off by half an ulp,
 * each addition too. */
static double enlarge(double x, long kinds)
{
    return x == 0 ? 0 : x * (1 + (double)(kinds + 4) * 0x1p-52) + copysign(DBL_MIN, x);
}

/* Counted rows times what their kinds add. */
static void close_stored_error(const ll_plan *plan, ll_stored_error *stored_error)
{
    const ll_row_kinds *m = &((const state *)plan->state->data)->kinds;
    const long kinds = stored_error->counts_size; /* all of them, or none where no row was as stored */
    double low = 0, high = 0, magnitude = 0;
    arb_dot_si(stored_error->offset, stored_error->offset, 0, m->bases, 1, stored_error->counts, 1, kinds, SUM_PREC);
    for (long i = 0; i < kinds; i++) {
        double rows = (double)stored_error->counts[i];
        low += rows * m->kinds[i].low;
        high += rows * m->kinds[i].high;
        magnitude += rows * m->kinds[i].magnitude;
        stored_error->counts[i] = 0;
    }
    ll_row_kinds_add_double(stored_error->low, enlarge(low, kinds));
    ll_row_kinds_add_double(stored_error->high, enlarge(high, kinds));
    mag_t part;
    mag_init(part);
    mag_set_d(part, enlarge(magnitude, kinds));
    mag_add(stored_error->magnitude, stored_error->magnitude, part);
    mag_clear(part);
}

const ll_writer ll_writer_levels = {
    .name = "levels of the scorer",
    .suits = suits,
    .prepare = prepare,
    .clear = clear,
    .finish = finish,
    .write = write_row,
    .measure = measure,
    .write_rows = write_rows,
    .measure_rows = measure_rows,
    .close = close_stored_error,
};
