/* Scores for the decoders: the first byte says which plan, the lines behind it are its scores. A line `@c...' begins
 * with the score that labelling number c gets. Whatever stands there, a labelling that gets just these scores is never
 * excluded. */
#include "../unit/scorer_tools.h"
#include "fuzz.h"

#include <flint/flint.h>

enum { MOST_LABELLINGS = 729, MOST_QUERIES = 64 };

static const struct {
    const char *scorer, *code;
} worlds[] = {
    {"scorer=sklearn-1.2/log_loss; rows=5", "auto"},
    {"scorer=sklearn-1.2/log_loss; rows=5; decimals=3", "auto"},
    {"scorer=torch/bce; rows=5; decimals=4", "auto"},
    {"rows=5; noise=bounded:0.5", "powers"},
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
    ll_scorer *scorer;
    ll_plan *plan;
    ll_plan_info info;
    long labellings;
    char *texts[MOST_QUERIES][MOST_LABELLINGS];
} world;

/* ---- the worlds, each made when it is first asked for */

static int32_t label_of(const world *w, long labelling, long row)
{
    long classes = ll_scorer_get_count(w->scorer, "classes");
    for (classes = classes ? classes : 2; row-- > 0;)
        labelling /= classes;
    return (int32_t)(labelling % classes);
}

static void must(ll_status status, const ll_error *error)
{
    if (status != LL_OK)
        ll_fuzz_fail(error->text, status, "a world");
}

/* NULL where these labels have no score. */
static char *score_of(const world *w, long labelling, const ll_predictions *predictions)
{
    int32_t labels[16];
    ll_curator *curator = NULL;
    ll_score score;
    ll_error error;
    for (long row = 0; row < w->info.rows; row++)
        labels[row] = label_of(w, labelling, row);
    ll_score_init(&score);
    must(ll_curator_create(&curator, w->scorer, labels, w->info.rows, &error), &error);
    char *text = ll_curator_score(curator, &score, predictions, &error) == LL_OK ? strdup(score.text) : NULL;
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    return text;
}

static world *open_world(long place)
{
    static world *made[WORLDS];
    if (made[place] != NULL)
        return made[place];
    world *w = made[place] = calloc(1, sizeof *w);
    ll_error error = {0};
    ll_plan_request request;
    ll_predictions predictions;
    ll_plan_request_init(&request);
    request.code = worlds[place].code;
    w->scorer = scorer_of_text("%s", worlds[place].scorer);
    must(ll_plan_create(&w->plan, w->scorer, &request, &error), &error);
    ll_plan_get_info(w->plan, &w->info);
    LL_FUZZ_CHECK(w->info.queries <= MOST_QUERIES);
    for (w->labellings = 1; label_of(w, w->labellings, w->info.rows) == 0;)
        w->labellings++;
    LL_FUZZ_CHECK(w->labellings <= MOST_LABELLINGS);
    for (long q = 0; q < w->info.queries; q++) {
        must(ll_plan_predictions(w->plan, &predictions, q, &error), &error);
        for (long l = 0; l < w->labellings; l++)
            w->texts[q][l] = score_of(w, l, &predictions);
    }
    return w;
}

/* ---- one input */

/* The line as a score; free it. */
static char *make_score(const world *w, const char *line, long query)
{
    const char *known = NULL;
    if (line[0] == '@' && line[1] != '\0')
        known = w->texts[query][(unsigned char)line[1] % w->labellings];
    char *text = malloc(strlen(line) + (known ? strlen(known) : 0) + 1);
    strcpy(text, known ? known : "");
    return strcat(text, known ? line + 2 : line);
}

/* Scores that are refused stay unanswered, as if they were not there; `fits` keeps the labellings that get the others.
 */
static void read_scores(const world *w, ll_decoder *decoder, char *lines, char *fits)
{
    ll_error error;
    ll_predictions stored, watched;
    for (long q = 0; q < w->info.queries && lines != NULL; q++) {
        char *text = make_score(w, strsep(&lines, "\n"), q);
        must(ll_plan_predictions(w->plan, &stored, q, &error), &error);
        must(ll_decoder_watch(decoder, &watched, &stored, q, &error), &error);
        int is_read = ll_fuzz_status(ll_decoder_score(decoder, text, &error), &error) == LL_OK;
        for (long l = 0; l < w->labellings && is_read; l++)
            fits[l] = fits[l] && w->texts[q][l] != NULL && strcmp(text, w->texts[q][l]) == 0;
        free(text);
    }
}

static void check_verdict(const world *w, const ll_verdict *v, long labelling)
{
    LL_FUZZ_CHECK(v->kind != LL_NONE);
    for (long row = 0; row < v->rows; row++)
        LL_FUZZ_CHECK(v->labels[row] == -1 || v->labels[row] == label_of(w, labelling, row) ||
                      (v->absent > 0 && v->labels[row] == v->absent));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const world *w = open_world(data[0] % WORLDS);
    char *lines = ll_fuzz_text(data + 1, size - 1), fits[MOST_LABELLINGS];
    ll_decoder *decoder = NULL;
    ll_verdict verdict;
    ll_error error;
    memset(fits, 1, sizeof fits);
    ll_verdict_init(&verdict);
    must(ll_decoder_create(&decoder, w->plan, &error), &error);
    read_scores(w, decoder, lines, fits);
    must(ll_decoder_verdict(decoder, &verdict, &error), &error);
    for (long l = 0; l < w->labellings; l++)
        if (fits[l])
            check_verdict(w, &verdict, l);
    ll_verdict_clear(&verdict);
    ll_decoder_destroy(decoder);
    free(lines);
    flint_cleanup();
    return 0;
}
