/* A scorer with so few rows that the scores of every labelling are known: for targets that read scores. A line `@c...'
 * of an input begins with the score that labelling number c gets. Whatever else stands there, a labelling that gets
 * just the scores that were read must never be excluded. */
#ifndef LL_FUZZ_SMALL_WORLD_H
#define LL_FUZZ_SMALL_WORLD_H

#include "../unit/scorer_tools.h"
#include "fuzz.h"

enum { MOST_LABELLINGS = 729, MOST_QUERIES = 64 };

typedef struct {
    ll_scorer *scorer;
    long rows, classes, labellings;
    char *texts[MOST_QUERIES][MOST_LABELLINGS]; /* NULL: these labels have no score */
    char fits[MOST_LABELLINGS];                 /* labellings that get all scores that were read */
} small_world;

static inline void must(ll_status status, const ll_error *error)
{
    if (status != LL_OK)
        ll_fuzz_fail(error->text, status, "a world");
}

static inline int32_t label_of(const small_world *w, long labelling, long row)
{
    while (row-- > 0)
        labelling /= w->classes;
    return (int32_t)(labelling % w->classes);
}

static inline void world_open(small_world *w, const char *settings)
{
    long classes;
    w->scorer = scorer_of_text("%s", settings);
    w->rows = ll_scorer_get_count(w->scorer, "rows");
    classes = ll_scorer_get_count(w->scorer, "classes");
    w->classes = classes > 0 ? classes : 2;
    w->labellings = 1;
    for (long row = 0; row < w->rows; row++)
        w->labellings *= w->classes;
    LL_FUZZ_CHECK(w->labellings <= MOST_LABELLINGS);
}

static inline char *score_of(const small_world *w, long labelling, const ll_predictions *predictions)
{
    int32_t labels[16];
    ll_curator *curator = NULL;
    ll_score score;
    ll_error error;
    for (long row = 0; row < w->rows; row++)
        labels[row] = label_of(w, labelling, row);
    ll_score_init(&score);
    must(ll_curator_create(&curator, w->scorer, labels, w->rows, &error), &error);
    char *text = ll_curator_score(curator, &score, predictions, &error) == LL_OK ? strdup(score.text) : NULL;
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    return text;
}

static inline void world_add(small_world *w, long query, const ll_predictions *predictions)
{
    LL_FUZZ_CHECK(query < MOST_QUERIES);
    for (long l = 0; l < w->labellings; l++)
        w->texts[query][l] = score_of(w, l, predictions);
}

/* The line as a score; free it. */
static inline char *world_score(const small_world *w, const char *line, long query)
{
    const char *known = NULL;
    if (line[0] == '@' && line[1] != '\0')
        known = w->texts[query][(unsigned char)line[1] % w->labellings];
    char *text = malloc(strlen(line) + (known ? strlen(known) : 0) + 1);
    strcpy(text, known ? known : "");
    return strcat(text, known ? line + 2 : line);
}

static inline void world_read(small_world *w, const char *text, long query)
{
    for (long l = 0; l < w->labellings; l++)
        w->fits[l] = w->fits[l] && w->texts[query][l] != NULL && strcmp(text, w->texts[query][l]) == 0;
}

/* Labels that are certain are those of every labelling that fits. */
static inline void world_check(const small_world *w, const ll_verdict *v)
{
    for (long l = 0; l < w->labellings; l++)
        for (long row = 0; row < v->rows && w->fits[l]; row++) {
            LL_FUZZ_CHECK(v->kind != LL_NONE);
            LL_FUZZ_CHECK(v->labels[row] == -1 || v->labels[row] == label_of(w, l, row) ||
                          (v->absent > 0 && v->labels[row] == v->absent));
        }
}

#endif
