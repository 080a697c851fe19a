#include "metric/class_shares.h"

static void divide(const ll_computation *how, const ll_work *work, ll_worked *out, int64_t above, int64_t below)
{
    if (below != 0)
        ll_worked_ratio(work, out, above, below);
    else
        ll_worked_set(work, out, how->zero_division);
}

void ll_share_precision(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p)
{
    divide(how, work, out, p->hits, p->guessed);
}

void ll_share_recall(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p)
{
    divide(how, work, out, p->hits, p->truth);
}

void ll_share_jaccard(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_class_part *p)
{
    divide(how, work, out, p->hits, p->guessed + p->truth - p->hits);
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
    if (all->hits == 0 && !(how->zero_division && (all->guessed == 0 || all->truth == 0))) {
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
    return (ll_class_part){c->cells[k * c->classes + k], c->guesses[k], c->truth[k], c->rows};
}

int ll_no_precision(const ll_class_part *p)
{
    return p->guessed == 0;
}

int ll_no_recall(const ll_class_part *p)
{
    return p->truth == 0;
}

int ll_no_jaccard(const ll_class_part *p)
{
    return p->guessed + p->truth == p->hits;
}

/* 2pr / (p + r), as textbooks have it: without a hit p and r are 0, or are 0/0 themselves. */
int ll_no_f_score(const ll_class_part *p)
{
    return p->hits == 0;
}
