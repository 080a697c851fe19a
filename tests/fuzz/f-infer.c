/* Scores of honest predictions for `infer': the first byte says which scorer, the second which method, the lines behind
 * them are the scores of three sets of predictions (small_world.h). */
#include "small_world.h"

enum { SETS = 3, ROWS = 6, MOST_COLUMNS = 3 };

static const struct {
    const char *scorer;
    long columns;
    int is_label; /* predictions are labels */
} worlds[] = {
    {"scorer=sklearn-1.2/log_loss; rows=6; classes=2", 1, 0},
    {"scorer=sklearn-1.2/log_loss; rows=6; classes=2; decimals=4", 1, 0},
    {"scorer=sklearn-1.2/log_loss; rows=6; classes=3; decimals=5", 3, 0},
    {"rows=6; classes=2; digits=9", 1, 0},
    {"scorer=sklearn/brier; rows=6; classes=2; noise=bounded:0.001", 1, 0},
    {"scorer=torch/bce_logits; rows=6; classes=2; digits=7", 1, 0},
    {"scorer=sklearn/accuracy; rows=6; classes=3; decimals=2", 1, 1},
    {"scorer=sklearn/roc_auc; rows=6; classes=2; decimals=5", 1, 0},
    {"scorer=sklearn/f1; rows=6; classes=2; decimals=4", 1, 1},
    {"metric=mcc; rows=6; classes=2; decimals=4", 1, 1},
    {"metric=squared; transform=root; rows=6; classes=2; decimals=6", 1, 0},
    {"scorer=sklearn-1.2/log_loss; rows=6; classes=2; decimals=3; also=sklearn/brier:decimals=3", 1, 0},
};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

typedef struct {
    long columns;
    double entries[ROWS * MOST_COLUMNS];
} set;

typedef struct {
    small_world world;
    set sets[SETS];
    ll_predictions predictions[SETS];
} honest;

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    (void)error;
    const set *s = self;
    out->entries = LL_ENTRIES_DOUBLE;
    out->rows = count;
    out->columns = s->columns;
    out->doubles = s->entries + first * s->columns;
    return LL_OK;
}

/* Parts of 17 and what is left of 1, or labels; of no meaning. */
static double entry(const honest *h, int is_label, long place, long row, long column)
{
    double p = (double)((row * (place + 2) + 3 * place + 1) % 7 + 1) / 17;
    if (is_label)
        return (double)((row * (place + 1) + place) % h->world.classes);
    return column == 0 ? p : (1 - p) / 2;
}

/* Made when it is first asked for. */
static honest *open_honest(long place)
{
    static honest *made[WORLDS];
    if (made[place] != NULL)
        return made[place];
    honest *h = made[place] = calloc(1, sizeof *h);
    long columns = worlds[place].columns;
    world_open(&h->world, worlds[place].scorer);
    for (long s = 0; s < SETS; s++) {
        h->sets[s].columns = columns;
        for (long i = 0; i < ROWS * columns; i++)
            h->sets[s].entries[i] = entry(h, worlds[place].is_label, s, i / columns, i % columns);
        h->predictions[s] = (ll_predictions){&h->sets[s], ROWS, columns, LL_ENTRIES_DOUBLE, get, NULL};
        world_add(&h->world, s, &h->predictions[s]);
    }
    return h;
}

/* Scores that are refused are left out. */
static long read_scores(honest *h, ll_evidence *evidence, char *lines)
{
    ll_error error;
    long count = 0;
    for (long s = 0; s < SETS && lines != NULL; s++) {
        char *text = world_score(&h->world, strsep(&lines, "\n"), s);
        if (ll_fuzz_status(ll_evidence_add(evidence, &h->predictions[s], text, &error), &error) == LL_OK) {
            world_read(&h->world, text, s);
            count++;
        }
        free(text);
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    honest *h = open_honest(data[0] % WORLDS);
    char *lines = ll_fuzz_text(data + 2, size - 2);
    ll_evidence *evidence = NULL;
    ll_inference inference;
    ll_error error;
    memset(h->world.fits, 1, sizeof h->world.fits);
    ll_inference_init(&inference);
    must(ll_evidence_create(&evidence, h->world.scorer, &error), &error);
    if (read_scores(h, evidence, lines) > 0 &&
        ll_fuzz_status(ll_evidence_infer(evidence, &inference, data[1] % (LL_METHOD_STATES + 1),
                                         LL_BUDGET(.memory = LL_FUZZ_MEMORY, .seconds = 1, .threads = 1), &error),
                       &error) == LL_OK &&
        !inference.is_likely)
        world_check(&h->world, inference.verdict);
    ll_inference_clear(&inference);
    ll_evidence_destroy(evidence);
    free(lines);
    return 0;
}
