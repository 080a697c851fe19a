/* Scores for the decoders: the first byte says which plan, the lines behind it are its scores (small_world.h). */
#include "small_world.h"

static const struct {
    const char *scorer, *code;
} worlds[] = {
    {"scorer=sklearn-1.2/log_loss; rows=5", "auto"},
    {"scorer=sklearn-1.2/log_loss; rows=5; decimals=3", "auto"},
    {"scorer=torch/bce; rows=5; decimals=4", "auto"},
    {"clip=none; rows=5; noise=bounded:0.5", "powers"},
    {"rows=5", "primes"},
    {"rows=4; classes=3", "paper-multiclass"},
    {"rows=4; classes=3", "radix"},
    {"scorer=sklearn/brier; rows=5; decimals=4", "detecting"},
    {"scorer=sklearn-1.2/log_loss; rows=5; decimals=3", "sum-distinct"},
    {"scorer=sklearn/accuracy; rows=4; classes=3; decimals=2", "auto"},
    {"metric=accuracy; rows=5; transform=percent; digits=3", "auto"},
    {"scorer=sklearn/roc_auc; rows=5; decimals=5", "auto"},
    {"scorer=sklearn/f1; rows=5; decimals=4", "auto"},
    {"metric=macro-auc; rows=4; classes=3; decimals=5", "auto"},
    {"metric=quadratic-kappa; rows=6; classes=3; decimals=4", "auto"},
    {"metric=kappa; rows=4; classes=3; decimals=4", "auto"},
    {"metric=confusion-matrix; rows=4; classes=3", "auto"},
    {"metric=r2; arithmetic=fp64; targets=0:2:1; rows=4; decimals=5", "auto"},
    {"metric=mape; arithmetic=fp64; targets=1:3:1; rows=4; decimals=5", "auto"},
    {"scorer=sklearn-1.2/log_loss; rows=5; decimals=4; also=accuracy:decimals=2", "auto"},
    {"scorer=sklearn-1.2/log_loss; rows=5; decimals=5; public=unknown", "auto"},
};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

typedef struct {
    small_world world;
    ll_plan *plan;
    long queries;
} planned;

/* Made when it is first asked for. */
static planned *open_plan(long place)
{
    static planned *made[WORLDS];
    if (made[place] != NULL)
        return made[place];
    planned *p = made[place] = calloc(1, sizeof *p);
    ll_error error = {0};
    ll_plan_info info;
    ll_plan_request request;
    ll_predictions predictions;
    ll_plan_request_init(&request);
    request.code = worlds[place].code;
    world_open(&p->world, worlds[place].scorer);
    must(ll_plan_create(&p->plan, p->world.scorer, &request, &error), &error);
    ll_plan_get_info(p->plan, &info);
    p->queries = info.queries;
    for (long q = 0; q < p->queries; q++) {
        must(ll_plan_predictions(p->plan, &predictions, q, &error), &error);
        world_add(&p->world, q, &predictions);
    }
    return p;
}

/* Scores that are refused stay unanswered, as if they were not there. */
static void read_scores(planned *p, ll_decoder *decoder, char *lines)
{
    ll_error error;
    ll_predictions stored, watched;
    for (long q = 0; q < p->queries && lines != NULL; q++) {
        char *text = world_score(&p->world, strsep(&lines, "\n"), q);
        must(ll_plan_predictions(p->plan, &stored, q, &error), &error);
        must(ll_decoder_watch(decoder, &watched, &stored, q, &error), &error);
        if (ll_fuzz_status(ll_decoder_score(decoder, text, &error), &error) == LL_OK)
            world_read(&p->world, text, q);
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    planned *p = open_plan(data[0] % WORLDS);
    char *lines = ll_fuzz_text(data + 1, size - 1);
    ll_decoder *decoder = NULL;
    ll_verdict verdict;
    ll_error error;
    memset(p->world.fits, 1, sizeof p->world.fits);
    ll_verdict_init(&verdict);
    must(ll_decoder_create(&decoder, p->plan, &error), &error);
    read_scores(p, decoder, lines);
    must(ll_decoder_verdict(decoder, &verdict, &error), &error);
    world_check(&p->world, &verdict);
    ll_verdict_clear(&verdict);
    ll_decoder_destroy(decoder);
    free(lines);
    return 0;
}
