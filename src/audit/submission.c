/* Predictions from labels: what an attacker writes who has no code, only a guess of every row. */
#include "audit/trial.h"

#include <math.h>

/* Of the guessed target, drawn to the middle of the grid as the guess is not sure. */
static double number(const ll_submission *s, long row, long label)
{
    const ll_metric *metric = s->trial->scorer->computation.metric;
    double middle = ll_metric_of_share(metric, 0.5, 1);
    if (s->blurs)
        return ll_metric_of_share(metric, s->blurs[row * s->trial->channel->classes], 1);
    return middle + s->sure * (ll_metric_target_double(metric, label) - middle);
}

static double entry(const ll_submission *s, long row, long column, long columns)
{
    const ll_channel *c = s->trial->channel;
    long classes = c->classes, label = s->labels ? s->labels[row] : s->label;
    long of = columns == 1 ? 1 : column;
    if (c->is_numeric)
        return number(s, row, label);
    if (c->is_label)
        return s->blurs ? floor(s->blurs[row * classes] * (double)classes) : (double)label;
    double p = label == of ? s->sure : (1 - s->sure) / (double)(classes - 1);
    if (s->blurs) {
        double sum = 0;
        for (long k = 0; k < classes; k++)
            sum += s->blurs[row * classes + k];
        p = s->blurs[row * classes + of] / sum;
    }
    return c->is_logit ? 4 * p - 2 : p;
}

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const ll_submission *s = self;
    long columns = s->trial->channel->columns;
    double *x = ll_block_reserve_doubles(out, count, columns);
    if (x == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a submission");
    for (long i = 0; i < count; i++) {
        double rest = 1;
        for (long c = 0; c < columns; c++) {
            x[i * columns + c] = entry(s, first + i, c, columns);
            rest -= x[i * columns + c];
        }
        if (columns > 1 && !s->trial->channel->is_logit) /* rows that must sum to 1 do so as far as doubles can */
            x[i * columns + columns - 1] = fmax(0, x[i * columns + columns - 1] + rest);
    }
    return LL_OK;
}

void ll_submission_predictions(ll_submission *self, ll_predictions *out)
{
    const ll_channel *c = self->trial->channel;
    *out = (ll_predictions){
        .self = self, .rows = c->rows, .columns = c->columns, .entries = LL_ENTRIES_DOUBLE, .get = get};
}
