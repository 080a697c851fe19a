/* Labellings next to one that fits: those that differ in one row or in two. */
#include "search/linear.h"

#include <stdlib.h>

typedef struct {
    long row, label;
} change;

typedef struct {
    const ll_linear *system;
    change *changes;
    long count;
    fmpz *differences; /* [change * scores + score]: what the change adds */
    fmpz *residuals;   /* of the labelling, one a score */
    fmpz_t sum;
} problem;

static void list_changes(problem *p, const int32_t *labels)
{
    const ll_linear *s = p->system;
    for (long i = 0; i < s->rows; i++)
        for (long k = 0; k < s->classes; k++) {
            if (k == labels[i] || !s->allowed[i * s->classes + k])
                continue;
            for (long q = 0; q < s->scores; q++)
                fmpz_sub(p->differences + p->count * s->scores + q, ll_linear_weight(s, q, i, k),
                         ll_linear_weight(s, q, i, labels[i]));
            p->changes[p->count++] = (change){i, k};
        }
    for (long q = 0; q < s->scores; q++)
        ll_linear_residual(p->residuals + q, s, labels, q);
}

/* b -1: a alone */
static int fits_with(problem *p, long a, long b)
{
    long scores = p->system->scores;
    for (long q = 0; q < scores; q++) {
        fmpz_add(p->sum, p->residuals + q, p->differences + a * scores + q);
        if (b >= 0)
            fmpz_add(p->sum, p->sum, p->differences + b * scores + q);
        if (fmpz_cmpabs(p->sum, p->system->tolerances + q) > 0)
            return 0;
    }
    return 1;
}

static void mark(const problem *p, unsigned char *possible, long a)
{
    possible[p->changes[a].row * p->system->classes + p->changes[a].label] = 1;
}

static long search(problem *p, unsigned char *possible)
{
    long found = 0;
    for (long a = 0; a < p->count; a++) {
        if (fits_with(p, a, -1)) {
            mark(p, possible, a);
            found++;
        }
        for (long b = a + 1; b < p->count; b++)
            if (p->changes[b].row != p->changes[a].row && fits_with(p, a, b)) {
                mark(p, possible, a);
                mark(p, possible, b);
                found++;
            }
    }
    return found;
}

ll_status ll_linear_near(const ll_linear *s, unsigned char *possible, long *count, const int32_t *labels)
{
    enum { MOST = 4000 };
    long most = s->rows * (s->classes - 1);
    problem p = {.system = s};
    *count = 0;
    for (long i = 0; i < s->rows; i++)
        possible[i * s->classes + labels[i]] = 1;
    if (most > MOST)
        return LL_UNABLE;
    p.changes = malloc(sizeof *p.changes * (size_t)(most > 0 ? most : 1));
    p.differences = calloc((size_t)(most * s->scores + 1), sizeof(fmpz));
    p.residuals = calloc((size_t)s->scores, sizeof(fmpz));
    ll_status status = p.changes && p.differences && p.residuals ? LL_OK : LL_MEMORY;
    fmpz_init(p.sum);
    if (status == LL_OK) {
        list_changes(&p, labels);
        *count = search(&p, possible);
    }
    for (long i = 0; p.differences && i < most * s->scores; i++)
        fmpz_clear(p.differences + i);
    for (long q = 0; p.residuals && q < s->scores; q++)
        fmpz_clear(p.residuals + q);
    fmpz_clear(p.sum);
    free(p.changes);
    free(p.differences);
    free(p.residuals);
    return status;
}
