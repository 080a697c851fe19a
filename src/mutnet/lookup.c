/* A table read through ReLUs, exact to the bit.
 *
 *     t   = x w                             the projection
 *     L_g = ReLU( a_g t + b_g)              0 up to the end of group g, at least 1 from the beginning of the next
 *     R_g = ReLU(-c_g t + d_g)              0 from the beginning of group g, at least 1 up to the end of the one before
 *     h_g = ReLU(1 - (L_g + R_g))           1 for the rows of group g, 0 for all others: both exactly
 *     y   = h T                             row g of the table: 1 * T_g + 0 + 0 + ..., exact in any order of adding
 *
 * A group is a run of neighbours with the same targets. Ramps lie inside the gap between groups and rise from 0 to more
 * than 1, with room for the rounding of a t + b; the inequality is checked on the stored numbers. */
#include "mutnet/mutnet.h"
#include "number/random.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    long groups;
    long *row;                  /* [group]: a row of the table */
    double *low, *high;         /* [group]: its projections */
    double *slope[2], *bias[2]; /* [group]: of L and R */
    double *table;
    long *place; /* [group]: the unit that it gets */
} units;

static void clear(units *u)
{
    free(u->row);
    free(u->low);
    free(u->high);
    free(u->table);
    free(u->place);
    for (int side = 0; side < 2; side++) {
        free(u->slope[side]);
        free(u->bias[side]);
    }
}

static int allocate(units *u, long rows, long columns)
{
    size_t n = (size_t)rows;
    u->row = calloc(n, sizeof *u->row);
    u->low = calloc(n, sizeof *u->low);
    u->high = calloc(n, sizeof *u->high);
    u->place = calloc(n, sizeof *u->place);
    u->table = calloc(n * (size_t)columns, sizeof *u->table);
    for (int side = 0; side < 2; side++) {
        u->slope[side] = calloc(n, sizeof(double));
        u->bias[side] = calloc(n, sizeof(double));
    }
    return u->row && u->low && u->high && u->place && u->table && u->slope[0] && u->slope[1] && u->bias[0] &&
           u->bias[1];
}

/* Neighbours with the same row of the table become one group. */
static void group_rows(units *u, const ll_projection *p, const ll_matrix *table)
{
    for (long i = 0; i < table->rows; i++) {
        long row = p->order[i], g = u->groups - 1;
        if (g >= 0 && ll_matrix_same_rows(table, u->row[g], row)) {
            u->high[g] = fmax(u->high[g], p->high[row]);
            continue;
        }
        u->row[u->groups] = row;
        u->low[u->groups] = p->low[row];
        u->high[u->groups++] = p->high[row];
    }
}

/* A ramp z = a t + b with z <= 0 at t = off and z >= 1 at t = on, on all of the other side of each, in floats. The
 * rounding of z is at most 4 u (|a t| + |b|), here with the largest |t|; twice that is asked for. */
static int ramp(double *a, double *b, double off, double on, double largest, double draw, int type)
{
    double foot = off + (on - off) * (0.3 + 0.1 * draw);
    *a = ll_mutnet_round((2.5 + draw) / (on - off), type);
    *b = ll_mutnet_round(-*a * foot, type);
    double slack = 8 * ll_mutnet_unit(type) * (fabs(*a) * largest + fabs(*b));
    return isfinite(*a) && isfinite(*b) && *a * off + *b + slack <= 0 && *a * on + *b - slack >= 1;
}

/* -1, or the first group whose ramps do not fit. */
static long make_ramps(units *u, double largest, uint64_t seed, int type)
{
    for (long g = 0; g < u->groups; g++) {
        double one = ll_random_uniform(seed, LL_DRAW_SLOPES, 2 * (uint64_t)g),
               other = ll_random_uniform(seed, LL_DRAW_SLOPES, 2 * (uint64_t)g + 1);
        if (g + 1 < u->groups && !ramp(&u->slope[0][g], &u->bias[0][g], u->high[g], u->low[g + 1], largest, one, type))
            return g;
        if (g > 0 && !ramp(&u->slope[1][g], &u->bias[1][g], u->low[g], u->high[g - 1], largest, other, type))
            return g;
    }
    return -1;
}

/* Units in a random order. */
static void shuffle(units *u, uint64_t seed)
{
    for (long g = 0; g < u->groups; g++)
        u->place[g] = g;
    for (long g = u->groups - 1; g > 0; g--) {
        long k = (long)ll_random_below(seed, LL_DRAW_ORDER, (uint64_t)g, (uint64_t)g + 1), kept = u->place[g];
        u->place[g] = u->place[k];
        u->place[k] = kept;
    }
}

static void arrange(double *x, double *scratch, const units *u)
{
    for (long g = 0; g < u->groups; g++)
        scratch[u->place[g]] = x[g];
    for (long g = 0; g < u->groups; g++)
        x[g] = scratch[g];
}

static int finish(units *u, const ll_matrix *table, uint64_t seed)
{
    double *scratch = calloc((size_t)u->groups, sizeof *scratch);
    if (!scratch)
        return 0;
    shuffle(u, seed);
    for (int side = 0; side < 2; side++) {
        arrange(u->slope[side], scratch, u);
        arrange(u->bias[side], scratch, u);
    }
    for (long g = 0; g < u->groups; g++)
        for (long k = 0; k < table->columns; k++)
            u->table[u->place[g] * table->columns + k] = table->x[u->row[g] * table->columns + k];
    free(scratch);
    return 1;
}

static const char *dense(ll_onnx_builder *builder, const char *t, const double *slope, const double *bias, long width)
{
    t = ll_onnx_node(builder, "Gemm", NULL, t, ll_onnx_numbers(builder, "weight", slope, 1, width),
                     ll_onnx_numbers(builder, "bias", bias, width, 0));
    return ll_onnx_node(builder, "Relu", NULL, t, NULL, NULL);
}

static const char *build(ll_onnx_builder *builder, const units *u, const char *x, const double *direction,
                         long features, long columns)
{
    const double one[1] = {1};
    const char *t =
        ll_onnx_node(builder, "MatMul", NULL, x, ll_onnx_numbers(builder, "weight", direction, features, 1), NULL);
    const char *left = dense(builder, t, u->slope[0], u->bias[0], u->groups),
               *right = dense(builder, t, u->slope[1], u->bias[1], u->groups);
    t = ll_onnx_node(builder, "Add", NULL, left, right, NULL);
    t = ll_onnx_node(builder, "Sub", NULL, ll_onnx_numbers(builder, "one", one, 1, 0), t, NULL);
    t = ll_onnx_node(builder, "Relu", NULL, t, NULL, NULL);
    return ll_onnx_node(builder, "MatMul", NULL, t, ll_onnx_numbers(builder, "weight", u->table, u->groups, columns),
                        NULL);
}

ll_status ll_lookup_build(ll_onnx_builder *builder, const char **out, long *hidden, const char *x,
                          const ll_projection *projection, const ll_matrix *table, long features, uint64_t seed,
                          ll_error *error)
{
    units u = {0};
    int complete = allocate(&u, table->rows, table->columns);
    long bad = -1;
    if (complete) {
        group_rows(&u, projection, table);
        bad = make_ramps(&u, projection->largest, seed, builder->type);
        complete = finish(&u, table, seed);
    }
    if (complete && bad < 0) {
        *out = build(builder, &u, x, projection->direction, features, table->columns);
        *hidden = u.groups;
    }
    ll_status status = LL_OK;
    if (!complete)
        status = ll_fail(error, LL_MEMORY, "no memory for a table of %ld rows", table->rows);
    else if (bad >= 0)
        status = ll_fail(error, LL_DOMAIN, "row %ld is too close to another one for the network's numbers", u.row[bad]);
    clear(&u);
    return status;
}
