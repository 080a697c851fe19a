#include "strategy/common/label_moments.h"
#include "metric/counts/counting.h"

static int64_t f(const ll_moments *m, int64_t y)
{
    int64_t last = m->plan->classes - 1;
    if (!m->is_lines)
        return y * y;
    if (y == 0 || y == last)
        return last * (last - 1) / 2;
    return y * (y - 1) / 2 + (last - 1 - y) * (last - y) / 2;
}

/* f is convex: for a given A of so many rows its sum lies between neighbouring classes' and that of the first and the
 * last alone. */
static void get_range(const ll_moments *m, long rows, int64_t first, int64_t *least, int64_t *most)
{
    int64_t last = m->plan->classes - 1;
    int64_t k = first / rows < last ? first / rows : last - 1;
    *least = f(m, k) * rows + (f(m, k + 1) - f(m, k)) * (first - k * rows);
    *most = m->is_lines ? f(m, 0) * rows : last * first;
}

static void set_second(ll_moments *m)
{
    get_range(m, m->plan->rows, m->first, &m->second, &m->second_most);
    m->step = m->is_lines ? 1 : 2; /* y^2 = y mod 2 */
}

void ll_moments_first(ll_moments *m, const ll_plan *plan)
{
    *m = (ll_moments){
        .plan = plan, .is_lines = ll_counts_costs(plan->scoring.how) == LL_COSTS_LINES, .counts = plan->scorer->counts};
    for (long k = 0; m->counts != NULL && k < plan->classes; k++) {
        m->first += m->counts[k] * k;
        m->second += m->counts[k] * f(m, k);
    }
    if (m->counts == NULL)
        set_second(m);
}

int ll_moments_next(ll_moments *m)
{
    if (m->counts != NULL)
        return 0;
    m->second += m->step;
    if (m->second <= m->second_most)
        return 1;
    if (++m->first > m->plan->rows * (m->plan->classes - 1))
        return 0;
    set_second(m);
    return 1;
}

/* May `rest` more rows have these moments? */
static int is_possible(const ll_moments *m, long rest, int64_t first, int64_t second)
{
    int64_t least, most;
    if (rest == 0)
        return first == 0 && second == 0;
    if (first < 0 || first > rest * (m->plan->classes - 1))
        return 0;
    get_range(m, rest, first, &least, &most);
    return second >= least && second <= most;
}

int ll_moments_fit(const ll_moments *m, const int32_t *labels, long rows)
{
    int64_t first = 0, second = 0, rest = m->plan->rows - rows;
    for (long i = 0; i < rows; i++) {
        first += labels[i];
        second += f(m, labels[i]);
    }
    if (!is_possible(m, rest, m->first - first, m->second - second))
        return 0;
    for (long k = 0; m->counts != NULL && k < m->plan->classes; k++) {
        int64_t count = 0;
        for (long i = 0; i < rows; i++)
            count += labels[i] == k;
        if (count > m->counts[k] || count + rest < m->counts[k])
            return 0;
    }
    return 1;
}
