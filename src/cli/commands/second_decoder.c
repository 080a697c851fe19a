#include "cli/commands/second_decoder.h"

#include <math.h>
#include <string.h>

/* 2^30 labellings are some seconds of work, whatever the number of scores. */
#define MOST_BITS 30.0

ll_status ll_cli_second_open(ll_second_decoder *decoder, const char *name, const ll_plan *plan, const ll_scorer *scorer,
                             ll_error *error)
{
    ll_plan_info info;
    decoder->plan = plan;
    if (name == NULL || strcmp(name, "auto") == 0)
        return LL_OK;
    if (strcmp(name, "exhaustive") != 0)
        return ll_fail(error, LL_DOMAIN, "--decoder %.40s: it is auto or exhaustive", name);
    ll_plan_get_info(plan, &info);
    double bits = (double)info.rows * log2((double)info.classes);
    if (info.guarantee == LL_LIKELY)
        return ll_fail(error, LL_DOMAIN,
                       "--decoder exhaustive lists the labellings that a proof leaves; with --guarantee likely nothing "
                       "is excluded: use --decoder auto");
    if (bits > MOST_BITS)
        return ll_fail(error, LL_DOMAIN,
                       "--decoder exhaustive looks at every labelling, and %ld rows of %ld classes have 2^%.0f; up to "
                       "2^%.0f it takes seconds: use --decoder auto",
                       info.rows, info.classes, bits, MOST_BITS);
    return ll_evidence_create(&decoder->evidence, scorer, error);
}

void ll_cli_second_close(ll_second_decoder *decoder)
{
    ll_evidence_destroy(decoder->evidence);
    decoder->evidence = NULL;
}

static ll_status overhear(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    ll_second_decoder *decoder = self;
    ll_predictions again;
    ll_status status = decoder->inner.ask(decoder->inner.self, score, predictions, query, error);
    if (status != LL_OK)
        return status;
    status = ll_plan_predictions(decoder->plan, &again, query, error);
    if (status == LL_OK)
        status = ll_evidence_add(decoder->evidence, &again, *score, error);
    if (status != LL_OK) {
        ll_free(*score);
        *score = NULL;
    }
    return status;
}

ll_oracle ll_cli_second_listen(ll_second_decoder *decoder, ll_oracle inner)
{
    decoder->inner = inner;
    return decoder->evidence != NULL ? (ll_oracle){.self = decoder, .ask = overhear} : inner;
}

/* A label that one calls certain and the other excludes. */
static long find_contradiction(const ll_verdict *a, const ll_verdict *b)
{
    for (long i = 0; a->candidates && b->candidates && i < a->rows && a->kind != LL_NONE && b->kind != LL_NONE; i++)
        if ((a->labels[i] >= 0 && !b->candidates[i * b->classes + a->labels[i]]) ||
            (b->labels[i] >= 0 && !a->candidates[i * a->classes + b->labels[i]]))
            return i;
    return -1;
}

ll_status ll_cli_second_decide(const ll_second_decoder *decoder, ll_verdict *verdict, const ll_budget *budget,
                               ll_error *error)
{
    ll_inference inference;
    if (decoder->evidence == NULL)
        return LL_OK;
    ll_inference_init(&inference);
    ll_status status = ll_evidence_infer(decoder->evidence, &inference, LL_METHOD_EXHAUSTIVE, budget, error);
    long row = status == LL_OK ? find_contradiction(verdict, inference.verdict) : -1;
    if (row >= 0)
        status =
            ll_fail(error, LL_UNABLE,
                    "the code's own decoder and LabelInf contradict each other on row %ld: please report this", row);
    if (status == LL_OK) {
        ll_verdict own = *verdict;
        inference.verdict->probability = inference.verdict->kind == LL_NONE ? 0 : 1;
        *verdict = *inference.verdict;
        *inference.verdict = own;
    }
    ll_inference_clear(&inference);
    return status;
}
