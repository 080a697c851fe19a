/* Words that people use for a metric: scikit-learn's functions and scorers, and what papers say. */
#include "metric/metric.h"

#include <string.h>

static const struct {
    const char *word, *name;
} synonyms[] = {
    {"log_loss", "log-loss"},
    {"logloss", "log-loss"},
    {"cross-entropy", "log-loss"},
    {"cross_entropy", "log-loss"},
    {"brier", "squared"},
    {"brier_score_loss", "squared"},
    {"accuracy_score", "accuracy"},
    {"zero_one_loss", "zero-one"},
    {"error", "zero-one"},
    {"f1_score", "f1"},
    {"f1-score", "f1"},
    {"dice", "f1"},
    {"dice_score", "f1"},
    {"jaccard_score", "jaccard"},
    {"iou", "jaccard"},
    {"precision_score", "precision"},
    {"ppv", "precision"},
    {"recall_score", "recall"},
    {"sensitivity", "recall"},
    {"tpr", "recall"},
    {"tnr", "specificity"},
    {"balanced_accuracy", "balanced-accuracy"},
    {"balanced_accuracy_score", "balanced-accuracy"},
    {"informedness", "youden"},
    {"matthews", "mcc"},
    {"matthews_corrcoef", "mcc"},
    {"cohen-kappa", "kappa"},
    {"cohen_kappa", "kappa"},
    {"cohen_kappa_score", "kappa"},
    {"qwk", "quadratic-kappa"},
    {"quadratic_weighted_kappa", "quadratic-kappa"},
    {"f1_macro", "macro-f1"},
    {"f1_micro", "micro-f1"},
    {"f1_weighted", "weighted-f1"},
    {"precision_macro", "macro-precision"},
    {"precision_micro", "micro-precision"},
    {"precision_weighted", "weighted-precision"},
    {"recall_macro", "macro-recall"},
    {"recall_micro", "micro-recall"},
    {"recall_weighted", "weighted-recall"},
    {"jaccard_macro", "macro-jaccard"},
    {"jaccard_micro", "micro-jaccard"},
    {"jaccard_weighted", "weighted-jaccard"},
    {"mean-iou", "macro-jaccard"},
    {"miou", "macro-jaccard"},
    {"roc-auc", "auc"},
    {"roc_auc", "auc"},
    {"roc_auc_score", "auc"},
    {"auroc", "auc"},
    {"average_precision", "average-precision"},
    {"average_precision_score", "average-precision"},
    {"ap", "average-precision"},
    {"aucpr", "average-precision"},
    {"pr_auc", "average-precision"},
    {"kolmogorov-smirnov", "ks"},
};

const char *ll_metric_canonical(const char *name)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
        if (strcmp(synonyms[i].word, name) == 0)
            return synonyms[i].name;
    return name;
}
