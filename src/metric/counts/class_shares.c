#include "metric/counts/class_shares.h"

static int64_t rows_of(const ll_class_part *p, int amount)
{
    const int64_t rows[] = {p->tp, p->guessed, p->support, p->guessed + p->support - p->tp};
    return rows[amount];
}

void ll_class_amount(const ll_work *work, ll_worked *out, const ll_class_part *p, int amount)
{
    if (p->weighed != NULL)
        ll_worked_copy(out, &p->weighed[amount]);
    else
        ll_worked_set(work, out, rows_of(p, amount));
}

static void divide(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p, int below)
{
    ll_worked divisor;
    if (rows_of(p, below) == 0) {
        ll_worked_set(work, out, how->zero_division);
        return;
    }
    ll_worked_init(&divisor);
    ll_class_amount(work, out, p, LL_TP);
    ll_class_amount(work, &divisor, p, below);
    ll_worked_div(work, out, out, &divisor);
    ll_worked_clear(&divisor);
}

void ll_share_precision(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p)
{
    divide(how, work, out, p, LL_PREDICTED);
}

void ll_share_recall(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p)
{
    divide(how, work, out, p, LL_SUPPORT);
    const arb_struct *known = p->weighed != NULL ? p->weighed[LL_RECALL].ball : NULL;
    if (known != NULL && p->support > 0 && arb_is_finite(known))
        (void)arb_intersection(out->ball, out->ball, known, work->prec);
}

void ll_share_jaccard(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p)
{
    divide(how, work, out, p, LL_JOINT);
}

static void set_beta_squared(const ll_exact *beta, const ll_work *work, ll_worked *out)
{
    ll_worked_set(work, out, 1);
    if (beta == NULL)
        return;
    ll_worked_set_exact(work, out, beta);
    ll_worked_mul(work, out, out, out);
}

/* (1 + b^2) p r / (b^2 p + r), where p or r is not 0. */
static void join_shares(const ll_exact *beta, const ll_work *work, ll_worked *out, const ll_worked *p,
                        const ll_worked *r)
{
    ll_worked squared, below;
    ll_worked_init(&squared);
    ll_worked_init(&below);
    set_beta_squared(beta, work, &squared);
    ll_worked_mul(work, &below, &squared, p);
    ll_worked_add(work, &below, &below, r);
    ll_worked_set(work, out, 1);
    ll_worked_add(work, out, out, &squared);
    ll_worked_mul(work, out, out, p);
    ll_worked_mul(work, out, out, r);
    ll_worked_div(work, out, out, &below);
    ll_worked_clear(&squared);
    ll_worked_clear(&below);
}

static void join_all(const ll_computation *how, const ll_exact *beta, const ll_work *work, ll_worked *out,
                     const ll_class_part *all)
{
    ll_worked p, r;
    if (all->tp == 0 && !(how->zero_division && (all->guessed == 0 || all->support == 0))) {
        ll_worked_set(work, out, 0);
        return;
    }
    ll_worked_init(&p);
    ll_worked_init(&r);
    ll_share_precision(how, work, &p, all);
    ll_share_recall(how, work, &r, all);
    join_shares(beta, work, out, &p, &r);
    ll_worked_clear(&p);
    ll_worked_clear(&r);
}

void ll_share_f_score(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p)
{
    join_all(how, ll_metric_parameter(how->metric), work, out, p);
}

void ll_share_f1(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p)
{
    join_all(how, NULL, work, out, p);
}

ll_class_part ll_part_of(const ll_confusion *c, long k)
{
    const ll_worked *weighed = c->weighed != NULL ? &c->weighed->parts[k * LL_AMOUNTS] : NULL;
    return (ll_class_part){c->cells[k * c->classes + k], c->predicted[k], c->support[k], c->rows, weighed};
}

ll_class_part ll_part_of_matrix(const ll_confusion *c, long k)
{
    ll_class_part p = ll_part_of(c, k);
    p.weighed = c->weighed != NULL ? &c->weighed->sums[k * LL_AMOUNTS] : NULL;
    return p;
}

int ll_no_precision(const ll_class_part *p)
{
    return p->guessed == 0;
}

int ll_no_recall(const ll_class_part *p)
{
    return p->support == 0;
}

int ll_no_jaccard(const ll_class_part *p)
{
    return p->guessed + p->support == p->tp;
}

/* 2pr / (p + r), as textbooks have it: without a hit p and r are 0, or are 0/0 themselves. */
int ll_no_f_score(const ll_class_part *p)
{
    return p->tp == 0;
}
