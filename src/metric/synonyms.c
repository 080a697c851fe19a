/* The one table of the words that people type for a metric, and what each means: a metric of the table, and steps that
 * come before those of the setting transform. */
#include "metric/metric.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word, *metric, *transform; /* transform NULL: none */
} words[] = {
    {"log_loss", "log-loss", NULL},
    {"logloss", "log-loss", NULL},
    {"cross-entropy", "log-loss", NULL},
    {"cross_entropy", "log-loss", NULL},
    {"neg_log_loss", "log-loss", "negate"},
    {"brier", "squared", NULL},
    {"brier_score", "squared", NULL},
    {"brier_score_loss", "squared", NULL},
    {"neg_brier_score", "squared", "negate"},
    {"accuracy_score", "accuracy", NULL},
    {"zero_one_loss", "zero-one", NULL},
    {"mean_squared_error", "mse", NULL},
    {"neg_mean_squared_error", "mse", "negate"},
    {"rmse", "mse", "root"},
    {"root_mean_squared_error", "mse", "root"},
    {"root-mean-squared-error", "mse", "root"},
    {"neg_root_mean_squared_error", "mse", "root,negate"},
    {"mean_absolute_error", "mae", NULL},
    {"neg_mean_absolute_error", "mae", "negate"},
    {"mean_absolute_percentage_error", "mape", NULL},
    {"neg_mean_absolute_percentage_error", "mape", "negate"},
    {"mean_squared_log_error", "msle", NULL},
    {"neg_mean_squared_log_error", "msle", "negate"},
    {"rmsle", "msle", "root"},
    {"root_mean_squared_log_error", "msle", "root"},
    {"r2_score", "r2", NULL},
    {"r-squared", "r2", NULL},
    {"explained_variance", "explained-variance", NULL},
    {"explained_variance_score", "explained-variance", NULL},
    {"pearsonr", "pearson", NULL},
    {"corrcoef", "pearson", NULL},
    {"spearmanr", "spearman", NULL},
    {"mean_pinball_loss", "quantile", NULL},
    {"pinball", "quantile", NULL},
    {"hinge_loss", "hinge", NULL},
    {"top_k_accuracy", "top-k", NULL},
    {"top_k_accuracy_score", "top-k", NULL},
    {"ndcg_score", "ndcg", NULL},
    {"label_ranking_average_precision_score", "mrr", NULL},
    {"error", "zero-one", NULL},
    {"f1_score", "f1", NULL},
    {"f1-score", "f1", NULL},
    {"dice", "f1", NULL},
    {"dice_score", "f1", NULL},
    {"jaccard_score", "jaccard", NULL},
    {"iou", "jaccard", NULL},
    {"precision_score", "precision", NULL},
    {"ppv", "precision", NULL},
    {"recall_score", "recall", NULL},
    {"sensitivity", "recall", NULL},
    {"tpr", "recall", NULL},
    {"tnr", "specificity", NULL},
    {"balanced_accuracy", "balanced-accuracy", NULL},
    {"balanced_accuracy_score", "balanced-accuracy", NULL},
    {"informedness", "youden", NULL},
    {"matthews", "mcc", NULL},
    {"matthews_corrcoef", "mcc", NULL},
    {"cohen-kappa", "kappa", NULL},
    {"cohen_kappa", "kappa", NULL},
    {"cohen_kappa_score", "kappa", NULL},
    {"qwk", "quadratic-kappa", NULL},
    {"quadratic_weighted_kappa", "quadratic-kappa", NULL},
    {"f1_macro", "macro-f1", NULL},
    {"f1_micro", "micro-f1", NULL},
    {"f1_weighted", "weighted-f1", NULL},
    {"precision_macro", "macro-precision", NULL},
    {"precision_micro", "micro-precision", NULL},
    {"precision_weighted", "weighted-precision", NULL},
    {"recall_macro", "macro-recall", NULL},
    {"recall_micro", "micro-recall", NULL},
    {"recall_weighted", "weighted-recall", NULL},
    {"jaccard_macro", "macro-jaccard", NULL},
    {"jaccard_micro", "micro-jaccard", NULL},
    {"jaccard_weighted", "weighted-jaccard", NULL},
    {"mean-iou", "macro-jaccard", NULL},
    {"miou", "macro-jaccard", NULL},
    {"confusion_matrix", "confusion-matrix", NULL},
    {"classification_report", "classification-report", NULL},
    {"roc-auc", "auc", NULL},
    {"roc_auc", "auc", NULL},
    {"roc_auc_score", "auc", NULL},
    {"auroc", "auc", NULL},
    {"roc_auc_ovr", "macro-auc", NULL},
    {"roc-auc-ovr", "macro-auc", NULL},
    {"auc_ovr", "macro-auc", NULL},
    {"auc-ovr", "macro-auc", NULL},
    {"macro_auc", "macro-auc", NULL},
    {"roc_auc_macro", "macro-auc", NULL},
    {"average_precision", "average-precision", NULL},
    {"average_precision_score", "average-precision", NULL},
    {"ap", "average-precision", NULL},
    {"aucpr", "average-precision", NULL},
    {"pr_auc", "average-precision", NULL},
    {"kolmogorov-smirnov", "ks", NULL},
};

/* Its place among the words, -1: it is none. A parameter after a colon is no part of a word. */
static long find(const char *name)
{
    size_t length = strcspn(name, ":");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == length && memcmp(words[i].word, name, length) == 0)
            return (long)i;
    return -1;
}

const char *ll_metric_plain_name(char *text, size_t size, const char *name)
{
    long i = find(name);
    if (i < 0)
        return name;
    (void)snprintf(text, size, "%s%s", words[i].metric, name + strcspn(name, ":"));
    return text;
}

const char *ll_metric_own_transform(const char *name)
{
    long i = find(name);
    return i >= 0 ? words[i].transform : NULL;
}
