/* A curator over the library's public header, for `lossleak attack --oracle` in mode each: exact log-loss, with noise
 * of up to 1 on every score.
 *
 *     cc -Iinclude examples/oracle.c -Lbuild -llossleak -Wl,-rpath,"$PWD/build" -o oracle
 *     printf '0\n1\n1\n0\n1\n' >labels.txt
 *     build/lossleak attack --rows 5 --arithmetic exact --noise bounded:1 --oracle './oracle labels.txt'
 */
#define _POSIX_C_SOURCE 200809L /* getline, strndup */
#include <lossleak.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Predictions that are all in memory. */
static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    ll_exact *to = ll_block_reserve_exacts(out, count, 1);
    char **texts = self;
    for (long i = 0; to && i < count; i++)
        if (ll_exact_read(to, i, texts[first + i], strlen(texts[first + i])) != LL_OK)
            return ll_fail(error, LL_DOMAIN, "row %ld: '%.40s' is not a number", first + i, texts[first + i]);
    return to ? LL_OK : ll_fail(error, LL_MEMORY, "out of memory");
}

/* The lines of "row,p", without the header and the row: texts[0 .. rows-1]. Returns how many there are. */
static long read_predictions(char **texts, long rows, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    long count = -1; /* the header */
    while (count < rows && getline(&line, &room, file) > 0) {
        const char *comma = strchr(line, ',');
        if (count >= 0 && !(texts[count] = strndup(comma ? comma + 1 : "", comma ? strcspn(comma + 1, "\r\n") : 0)))
            break;
        count++;
    }
    free(line);
    return count;
}

/* The labels of a file, one a line; returns how many. */
static long read_labels(int32_t *labels, long most, const char *path)
{
    char line[32];
    long count = 0;
    FILE *file = fopen(path, "r");
    while (file && count < most && fgets(line, sizeof line, file))
        labels[count++] = (int32_t)strtol(line, NULL, 10);
    if (file)
        (void)fclose(file);
    return count;
}

static ll_status make_scorer(ll_scorer **out, const char *seed, ll_error *error)
{
    ll_status status = ll_scorer_create(out, error);
    if (status == LL_OK)
        status = ll_scorer_set(*out, "arithmetic", "exact", error);
    if (status == LL_OK)
        status = ll_scorer_set(*out, "noise", "bounded:1", error);
    if (status == LL_OK)
        status = ll_scorer_set(*out, "seed", seed, error);
    return status == LL_OK ? ll_scorer_resolve(*out, NULL, error) : status;
}

/* The score of one query, on a line; the noise of each is another. */
static ll_status print_score(const int32_t *labels, char **texts, long rows)
{
    const char *query = getenv("LOSSLEAK_QUERY");
    ll_scorer *scorer = NULL;
    ll_curator *curator = NULL;
    ll_score score;
    ll_error error = {0};
    ll_score_init(&score);
    ll_predictions predictions = {texts, rows, 1, LL_ENTRIES_EXACT, get, NULL};
    ll_status status = make_scorer(&scorer, query ? query : "0", &error);
    if (status == LL_OK)
        status = ll_curator_create(&curator, scorer, labels, rows, &error);
    if (status == LL_OK)
        status = ll_curator_score(curator, &score, &predictions, &error);
    if (status == LL_OK)
        puts(score.text);
    else
        (void)fprintf(stderr, "oracle: %s\n", error.text);
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
    return status;
}

int main(int argc, char **argv)
{
    const char *given = getenv("LOSSLEAK_ROWS");
    long rows = given ? strtol(given, NULL, 10) : 0;
    int32_t *labels = rows > 0 ? calloc((size_t)rows, sizeof *labels) : NULL;
    char **texts = rows > 0 ? calloc((size_t)rows, sizeof *texts) : NULL;
    ll_status status = LL_DOMAIN;
    if (argc > 1 && labels && texts && read_labels(labels, rows, argv[1]) == rows &&
        read_predictions(texts, rows, stdin) == rows)
        status = print_score(labels, texts, rows);
    else
        (void)fprintf(stderr, "oracle: no labels, or not as many as there are predictions\n");
    for (long i = 0; texts && i < rows; i++)
        free(texts[i]);
    free(texts);
    free(labels);
    return status == LL_OK ? 0 : 1;
}
