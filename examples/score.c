/* What would a submission that says the same of everybody score on the Titanic? The library in one page: labels, a
 * scorer, predictions of one's own, a score with the interval where the real program's must lie.
 *
 *     cc score.c $(pkg-config --cflags --libs lossleak) -o score && ./score
 */
#include <lossleak.h>
#include <stdio.h>

enum { ROWS = 2201 };

/* Predictions are a function: some rows at a time, never all in memory. This one gives the same number for each. */
static ll_status get_constant(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const double *p = self;
    double *entries = ll_block_reserve_doubles(out, count, 1);
    (void)first;
    if (entries == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", count);
    for (long i = 0; i < count; i++)
        entries[i] = *p;
    return LL_OK;
}

/* scikit-learn's log_loss, rounded to five decimals. */
static ll_status make_scorer(ll_scorer **out, ll_error *error)
{
    ll_status status = ll_scorer_create(out, error);
    if (status == LL_OK)
        status = ll_scorer_set(*out, "scorer", "sklearn-1.2/log_loss", error);
    if (status == LL_OK)
        status = ll_scorer_set(*out, "decimals", "5", error);
    return status == LL_OK ? ll_scorer_resolve(*out, NULL, error) : status;
}

static ll_status print_score(ll_curator *curator, double p, ll_error *error)
{
    ll_predictions predictions = {
        .self = &p, .rows = ROWS, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get_constant};
    ll_score score;
    ll_score_init(&score);
    ll_status status = ll_curator_score(curator, &score, &predictions, error);
    if (status == LL_OK)
        printf("everybody %.2f: log-loss %s, the real one in [%s, %s]\n", p, score.text, score.lower, score.upper);
    ll_score_clear(&score);
    return status;
}

int main(void)
{
    static int32_t labels[ROWS];
    ll_curator *curator = NULL;
    ll_scorer *scorer = NULL;
    ll_error error;
    ll_status status = make_scorer(&scorer, &error);
    if (status == LL_OK)
        status = ll_dataset_labels(labels, ROWS, "titanic", 1, &error);
    if (status == LL_OK)
        status = ll_curator_create(&curator, scorer, labels, ROWS, &error);
    if (status == LL_OK)
        status = print_score(curator, 0.5, &error);
    if (status == LL_OK)
        status = print_score(curator, 0.32, &error);
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
    if (status != LL_OK)
        (void)fprintf(stderr, "%s\n", error.text);
    return status == LL_OK ? 0 : 1;
}
