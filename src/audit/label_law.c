#include "audit/label_law.h"

#include "number/random.h"
#include "number/text_number.h"

#include <math.h>
#include <stdlib.h>

double ll_label_share(const ll_scorer *s, long classes, long label)
{
    if (s->counts != NULL)
        return (double)s->counts[label] / (double)s->rows;
    return s->prior != NULL && s->prior_count == classes ? s->prior[label] : 1 / (double)classes;
}

ll_status ll_labels_vary(ll_scorer **out, const ll_scorer *s, ll_error *error)
{
    enum { ENTRY = 32 };
    if (s->counts == NULL)
        return ll_scorer_vary(out, s, error, (char *)NULL);
    size_t size = (size_t)s->classes * ENTRY, used = 0;
    char *text = malloc(size);
    if (text == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for shares of classes");
    for (long k = 0; k < s->classes; k++)
        used +=
            (size_t)ll_print(text + used, size - used, "%s%.17g", k == 0 ? "" : ",", ll_label_share(s, s->classes, k));
    ll_status status = ll_scorer_vary(out, s, error, ll_setting_name(LL_SET_PRIOR), text, (char *)NULL);
    free(text);
    return status;
}

static int32_t draw_one(const ll_scorer *s, long classes, double at)
{
    long k = 0;
    if (s->prior == NULL)
        return (int32_t)fmin((double)classes - 1, floor(at * (double)classes));
    for (; k < classes - 1 && at >= s->prior[k]; k++)
        at -= s->prior[k];
    return (int32_t)k;
}

/* Each class as often as was told, then a shuffle. */
static void draw_known(int32_t *labels, const ll_scorer *s, long rows, uint64_t seed, uint64_t stream)
{
    long row = 0;
    for (int32_t k = 0; row < rows; k++)
        for (int64_t n = 0; n < s->counts[k]; n++)
            labels[row++] = k;
    for (long i = rows - 1; i > 0; i--) {
        long j = (long)ll_random_below(seed, stream, (uint64_t)i, (uint64_t)i + 1);
        int32_t label = labels[i];
        labels[i] = labels[j];
        labels[j] = label;
    }
}

void ll_labels_draw(int32_t *labels, const ll_scorer *s, long rows, long classes, uint64_t seed, uint64_t stream)
{
    if (s->counts != NULL) {
        draw_known(labels, s, rows, seed, stream);
        return;
    }
    for (long i = 0; i < rows; i++)
        labels[i] = draw_one(s, classes, ll_random_uniform(seed, stream, (uint64_t)i));
}
