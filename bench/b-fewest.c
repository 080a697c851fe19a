/* One try of the lattice on scores out of files: is this number of scores enough? bench/infer_curve.py asks it.
 *
 *     b-fewest PROFILE DECIMALS PASSES SECONDS SCORES FILE...
 *
 * DECIMALS -1: as released, no rounding. PASSES of block reduction; 0: LLL alone; -1: no try. SECONDS are of the clock.
 * Prints the log2 of the expected number of wrong labellings, seconds of processor time, what was found (proved: one
 * labelling, and no other fits; found: one; several; none: proved that nothing fits; -: nothing), and its labels. */
#include "../tests/unit/scorer_tools.h"
#include "bench.h"
#include "infer/evidence.h"
#include "io/formats/predictions.h"
#include "io/formats/scores_file.h"
#include "search/lattice.h"

#include <stdlib.h>

enum { LIMIT = 10 };

static ll_status add_file(ll_evidence **evidence, const ll_scorer *scorer, const char *path, const char *score,
                          ll_error *error)
{
    ll_io_predictions *file;
    ll_predictions source;
    ll_status status = ll_io_open_predictions(&file, &source, path, 0, 0, 0, error);
    if (status != LL_OK)
        return status;
    if (*evidence == NULL) {
        ll_scorer *sized = vary_scorer(scorer, "rows=%ld", source.rows);
        status = ll_evidence_create(evidence, sized, error);
        ll_scorer_destroy(sized);
    }
    if (status == LL_OK)
        status = ll_evidence_add(*evidence, &source, score, error);
    ll_io_close_predictions(file);
    return status;
}

static ll_status read_system(ll_linear *out, const ll_scorer *scorer, const char *scores, char **paths, long count,
                             ll_error *error)
{
    ll_io_scores texts = {0};
    ll_evidence *evidence = NULL;
    ll_status status = ll_io_read_scores(&texts, scores, count, 1, 0, error);
    for (long i = 0; i < count && status == LL_OK; i++)
        status = add_file(&evidence, scorer, paths[i], texts.texts[i], error);
    if (status == LL_OK)
        status = ll_evidence_equations(evidence, out, error);
    ll_evidence_destroy(evidence);
    ll_io_clear_scores(&texts);
    return status;
}

static const char *answer_of(const ll_search_set *set, int proved)
{
    if (set->kept == 0)
        return proved ? "none" : "-";
    return set->kept > 1 ? "several" : proved ? "proved" : "found";
}

static void print_labels(const ll_search_set *set)
{
    for (long i = 0; i < set->rows && set->kept > 0; i++)
        putchar((int)('0' + set->labellings[i]));
    puts(set->kept > 0 ? "" : "-");
}

static ll_status try(const ll_linear *system, long passes, double seconds, ll_error *error)
{
    ll_search_set set;
    int proved = 0;
    if (ll_search_set_init(&set, system->rows, system->classes, LIMIT) != LL_OK)
        return LL_MEMORY;
    double start = bench_now();
    ll_status status = LL_OK;
    if (passes >= 0)
        status = ll_search_lattice(&set, &proved, system, LIMIT, passes, seconds, error);
    double spent = bench_now() - start;
    if (status == LL_OK) {
        printf("%.1f %.3f %s ", ll_linear_spurious_bits(system), spent, answer_of(&set, proved));
        print_labels(&set);
    }
    ll_search_set_clear(&set);
    return status;
}

int main(int argc, char **argv)
{
    ll_linear system;
    ll_error error = {0};
    if (argc < 7)
        return 2;
    ll_scorer *scorer =
        scorer_of_text("scorer=%s; classes=2; decimals=%s", argv[1], atoi(argv[2]) >= 0 ? argv[2] : "none");
    ll_status status = read_system(&system, scorer, argv[5], argv + 6, argc - 6, &error);
    if (status == LL_OK) {
        status = try(&system, atol(argv[3]), strtod(argv[4], NULL), &error);
        ll_linear_clear(&system);
    }
    if (status != LL_OK)
        fprintf(stderr, "b-fewest: %s\n", error.text);
    ll_scorer_destroy(scorer);
    flint_cleanup();
    return status == LL_OK ? 0 : 1;
}
