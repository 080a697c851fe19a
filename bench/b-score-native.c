/* The fp64 log-loss of rows in .npy files (or the number of another profile) as scikit-learn computes it, whole: map
 * labels and predictions, make a curator, score, interval and text. Prints seconds (the least of several runs), the
 * score, its interval, and the peak memory in MB beyond the two files. bench/native.py calls this in turn with
 * scikit-learn and NumPy.
 *
 *     b-score-native LABELS.npy PREDICTIONS.npy [PROFILE] */
#include "../tests/unit/scorer_tools.h"
#include "bench.h"
#include "io/formats/labels.h"
#include "io/formats/predictions.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { RUNS = 5 };

static ll_status score_files(ll_score *out, const char *profile, char *labels_path, char *predictions_path,
                             ll_error *error)
{
    ll_io_labels labels;
    ll_io_predictions *file = NULL;
    ll_predictions predictions;
    ll_curator *curator = NULL;
    ll_status status = ll_io_read_labels(&labels, labels_path, 0, 2, 0, error);
    if (status != LL_OK)
        return status;
    ll_scorer *scorer = scorer_of_text("scorer=%s", profile);
    status = ll_curator_create(&curator, scorer, labels.labels, labels.rows, error);
    if (status == LL_OK)
        status = ll_io_open_predictions(&file, &predictions, predictions_path, labels.rows, 0, 0, error);
    if (status == LL_OK)
        status = ll_curator_score(curator, out, &predictions, error);
    ll_io_close_predictions(file);
    ll_curator_destroy(curator);
    ll_scorer_destroy(scorer);
    ll_io_clear_labels(&labels);
    return status;
}

static double megabytes(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? (double)file.st_size / (1 << 20) : 0;
}

int main(int argc, char **argv)
{
    ll_score score;
    ll_error error;
    double best = 1e300;
    if (argc != 3 && argc != 4)
        return 2;
    ll_score_init(&score);
    for (int run = 0; run < RUNS; run++) {
        double start = bench_now();
        if (score_files(&score, argc > 3 ? argv[3] : "sklearn-1.2/log_loss", argv[1], argv[2], &error) != LL_OK) {
            fprintf(stderr, "b-score-native: %s\n", error.text);
            return 1;
        }
        double spent = bench_now() - start;
        best = spent < best ? spent : best;
    }
    printf("%.6g %s %s %s %.1f\n", best, score.text, score.lower, score.upper,
           bench_peak_megabytes() - megabytes(argv[2])); /* the labels' is closed by then */
    ll_score_clear(&score);
    return 0;
}
