/* The one table of scorer profiles. A row says what a real program computes, read in its source; `verified` names the
 * version that tests/real/ compares with, and is empty where the program was only read.
 *
 * clip "auto" is the epsilon of the dtype, so that overriding the arithmetic with fp32 gives what the program does with
 * float32 predictions. An order that depends on threads is given as naive: its bound holds for every order. */
#include "number/name_distance.h"
#include "scorer/scorer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_profile_info info;
    const char *texts[LL_SETTINGS];
} profile;

static const char sklearn_classification[] = "sklearn/metrics/_classification.py";
static const char sklearn_ranking[] = "sklearn/metrics/_ranking.py";
static const char sklearn_regression[] = "sklearn/metrics/_regression.py";
static const char torch_loss[] = "aten/src/ATen/native/Loss.cpp";
static const char torchmetrics_classification[] = "torchmetrics/functional/classification";
static const char torchmetrics_regression[] = "torchmetrics/functional/regression";
static const char catboost_metric[] = "catboost/libs/metrics/metric.cpp";

static const profile profiles[] = {
    /* sklearn/metrics/_classification.py, tags 0.16 to 1.1: np.clip(y_pred, eps, 1-eps), append 1-p, divide by the row
     * sum, -(labels * np.log(p)).sum(1), np.average: the logarithm in the dtype of the predictions. Version 1.2.1
     * called with eps=1e-15 takes the same steps. */
    {{"sklearn-1.1/log_loss", "scikit-learn 1.2.1 with eps=1e-15",
      "log_loss up to 1.1: clip at 1e-15, 1-p, divide by the row sum", sklearn_classification},
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "1e-15",
     .texts[LL_SET_CLIP_MODE] = "clip-renormalise",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM_ARITHMETIC] = "fp64",
     .texts[LL_SET_LOSS_ARITHMETIC] = "rows",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file, tags 1.2.0 to 1.4: eps = finfo(y_pred.dtype).eps, xlogy; integer labels promote float32 to
     * float64 at the logarithm. */
    {{"sklearn-1.2/log_loss", "scikit-learn 1.2.1 to 1.4.2",
      "log_loss of 1.2 to 1.4: clip at the dtype's epsilon, 1-p, divide by the row sum", sklearn_classification},
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "auto",
     .texts[LL_SET_CLIP_MODE] = "clip-renormalise",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file, tags 1.5.0 to 1.8: 1-p is appended before the clip (the same numbers: with the dtype's epsilon
     * both orders agree), rows that do not sum to 1 only raise a warning. */
    {{"sklearn-1.5/log_loss", "scikit-learn 1.5.2 to 1.8.0",
      "log_loss of 1.5 to 1.8: clip at the dtype's epsilon, rows are not renormalised", sklearn_classification},
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "auto",
     .texts[LL_SET_CLIP_MODE] = "clip",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file, tag 1.9: labels take the dtype of the predictions, so that float32 stays float32, sums included.
     */
    {{"sklearn-1.9/log_loss", "scikit-learn 1.9.1", "log_loss of 1.9: as 1.5, float32 predictions stay float32",
      sklearn_classification},
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "auto",
     .texts[LL_SET_CLIP_MODE] = "clip",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file, up to 1.6: np.average((y_true - y_prob) ** 2); integer labels promote float32. From 1.7 on half
     * the sum over the columns p and 1-p, whose rounded 1-p moves the score: docs/scorers.md. */
    {{"sklearn/brier", "scikit-learn 1.2.1 to 1.6.1", "brier_score_loss: mean of (y-p)^2", sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "squared",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file: np.average(y_true == y_pred); a sum of ones is exact. */
    {{"sklearn/accuracy", "scikit-learn 1.2.1 to 1.9.1", "accuracy_score: the share of right labels",
      sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "accuracy",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file: precision_recall_fscore_support, jaccard_score, balanced_accuracy_score, matthews_corrcoef,
     * cohen_kappa_score, steps as in src/metric/counts/count_metrics.c; zero_division "warn" is 0. */
    {{"sklearn/f1", "scikit-learn 1.2.1 to 1.9.1", "f1_score of two classes: F1 of class 1", sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "f1",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/jaccard", "scikit-learn 1.2.1 to 1.9.1", "jaccard_score of two classes", sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "jaccard",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/precision", "scikit-learn 1.2.1 to 1.9.1", "precision_score of two classes", sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "precision",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/recall", "scikit-learn 1.2.1 to 1.9.1", "recall_score of two classes", sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "recall",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/balanced_accuracy", "scikit-learn 1.2.1 to 1.9.1",
      "balanced_accuracy_score: the mean recall of the classes", sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "balanced-accuracy",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/mcc", "scikit-learn 1.2.1 to 1.9.1", "matthews_corrcoef", sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "mcc",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/kappa", "scikit-learn 1.2.1 to 1.9.1", "cohen_kappa_score", sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "kappa",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/quadratic_kappa", "scikit-learn 1.2.1 to 1.9.1", "cohen_kappa_score(weights='quadratic')",
      sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "quadratic-kappa",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/linear_kappa", "scikit-learn 1.2.1 to 1.9.1", "cohen_kappa_score(weights='linear')",
      sklearn_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "linear-kappa",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* sklearn/metrics/_ranking.py: trapezoids of roc_curve by numpy.trapz; the sum of -diff(recall) * precision. */
    {{"sklearn/roc_auc", "scikit-learn 1.2.1 to 1.9.1", "roc_auc_score of two classes: ties count one half",
      sklearn_ranking},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "auc",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/roc_auc_ovr", "scikit-learn 1.2.1 to 1.9.1",
      "roc_auc_score(multi_class=\"ovr\") of three classes or more, average=\"macro\": rows sum to 1", sklearn_ranking},
     .texts[LL_SET_METRIC] = "macro-auc",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/average_precision", "scikit-learn 1.2.1 to 1.9.1", "average_precision_score of two classes",
      sklearn_ranking},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "average-precision",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* sklearn/metrics/_regression.py: np.average((y_true - y_pred) ** 2, axis=0), then np.average over the one output;
     * squared=False takes np.sqrt between the two. Numbers given as float32 are promoted by float64 targets. */
    {{"sklearn/mse", "scikit-learn 1.2.1 to 1.9.1", "mean_squared_error: mean of (y-p)^2, numeric targets",
      sklearn_regression},
     .texts[LL_SET_METRIC] = "mse",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/rmse", "scikit-learn 1.2.1 to 1.9.1", "mean_squared_error(squared=False): the root of sklearn/mse",
      sklearn_regression},
     .texts[LL_SET_METRIC] = "rmse",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file: np.average(np.abs(y_pred - y_true)). */
    {{"sklearn/mae", "scikit-learn 1.2.1 to 1.9.1", "mean_absolute_error: mean of |y-p|, numeric targets",
      sklearn_regression},
     .texts[LL_SET_METRIC] = "mae",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file: np.abs(y_pred - y_true) / np.maximum(np.abs(y_true), finfo(float64).eps). */
    {{"sklearn/mape", "scikit-learn 1.2.1 to 1.9.1",
      "mean_absolute_percentage_error: mean of |y-p|/|y|, numeric targets", sklearn_regression},
     .texts[LL_SET_METRIC] = "mape",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file: mean_squared_error(np.log1p(y_true), np.log1p(y_pred)); negative numbers are refused. */
    {{"sklearn/msle", "scikit-learn 1.2.1 to 1.9.1",
      "mean_squared_log_error: mean of (ln(1+y)-ln(1+p))^2, numeric targets", sklearn_regression},
     .texts[LL_SET_METRIC] = "msle",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/rmsle", "scikit-learn 1.2.1 to 1.9.1", "mean_squared_log_error(squared=False): the root of sklearn/msle",
      sklearn_regression},
     .texts[LL_SET_METRIC] = "rmsle",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file: sums of squares of y - p and of y - its mean. Of targets that are all the same 1.2.1 gives 0, or 1
     * without an error (force_finite), or what rounding errors make of 0/0: the default of the setting undefined. */
    {{"sklearn/r2", "scikit-learn 1.2.1 to 1.9.1", "r2_score: 1 - sum (y-p)^2 / sum (y-mean)^2, numeric targets",
      sklearn_regression},
     .texts[LL_SET_METRIC] = "r2",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    {{"sklearn/explained_variance", "scikit-learn 1.2.1 to 1.9.1",
      "explained_variance_score: 1 - var(y-p) / var(y), numeric targets", sklearn_regression},
     .texts[LL_SET_METRIC] = "explained-variance",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* scipy/stats/_stats_py.py: np.dot of the centred vectors, each divided by its norm; np.corrcoef of midranks. */
    {{"scipy/pearsonr", "SciPy 1.10.1 to 1.18.1", "pearsonr: the correlation of predictions and numeric targets",
      "scipy/stats/_stats_py.py"},
     .texts[LL_SET_METRIC] = "pearson",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
    {{"scipy/spearmanr", "SciPy 1.10.1 to 1.18.1", "spearmanr: the correlation of their midranks",
      "scipy/stats/_stats_py.py"},
     .texts[LL_SET_METRIC] = "spearman",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
    /* sklearn/metrics/_ranking.py: a stable argsort of the scores, read backwards; np.average of the hits. Two classes
     * are scored otherwise there. */
    {{"sklearn/top_k_accuracy", "scikit-learn 1.2.1 to 1.9.1", "top_k_accuracy_score of three classes or more, k = 2",
      sklearn_ranking},
     .texts[LL_SET_COLUMNS] = "all",
     .texts[LL_SET_METRIC] = "top-k:2",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* The same file: discounts 1 / (np.log(i + 2) / np.log(2)), summed by np.cumsum, their mean over equal scores. */
    {{"sklearn/ndcg", "scikit-learn 1.2.1 to 1.9.1", "ndcg_score of one relevant class a row, ties averaged",
      sklearn_ranking},
     .texts[LL_SET_COLUMNS] = "all",
     .texts[LL_SET_METRIC] = "ndcg:1048576",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "pairwise"},
    /* kaggle.com/wiki/MultiClassLogLoss: rows rescaled to sum 1, clip at 1e-15; which comes first, and whether the
     * shown digits are rounded or cut, is not published. Five decimals are usual (scoreTruncationNumDecimals). */
    {{"kaggle/log_loss", "", "Kaggle's log-loss: clip at 1e-15, rows rescaled, shown to 5 decimals",
      "kaggle.com/wiki/MultiClassLogLoss, a description"},
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "1e-15",
     .texts[LL_SET_CLIP_MODE] = "clip-renormalise",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive",
     .texts[LL_SET_DECIMALS] = "5"},
    /* ATen/native/Loss.cpp: (y-1) * max(log(1-p), -100) - y * max(log p, -100), later log1p(-p); mean by cascade sum.
     */
    {{"torch/bce", "PyTorch 1.13 to 2.15", "BCELoss: each logarithm at least -100, all in float32", torch_loss},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "100",
     .texts[LL_SET_CLIP_MODE] = "log-clamp",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "cascade"},
    /* The same file: 1.13 computes (1-y)x + m + log(exp(-m) + exp(-x-m)), m = max(-x, 0); later versions
     * (1-y)x - log_sigmoid(x). The error model covers both. */
    {{"torch/bce_logits", "PyTorch 1.13 to 2.15", "BCEWithLogitsLoss: logits, float32", torch_loss},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "sigmoid-ce",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "cascade"},
    /* ATen/native/cpu/SoftMaxKernel.cpp, LossNLL.cpp: x - max - log(sum exp(x - max)), then the mean by an 8-level
     * cascade. */
    {{"torch/cross_entropy", "PyTorch 1.13 to 2.15", "CrossEntropyLoss: a row of logits, float32",
      "aten/src/ATen/native/LossNLL.cpp, cpu/SoftMaxKernel.cpp"},
     .texts[LL_SET_COLUMNS] = "all",
     .texts[LL_SET_METRIC] = "softmax-ce",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "cascade"},
    /* ATen/native/Loss.cpp: (y-p)^2 and |y-p| in float32, the mean by cascade sum. */
    {{"torch/mse", "PyTorch 1.13 to 2.15", "MSELoss: mean of (y-p)^2, numeric targets, float32", torch_loss},
     .texts[LL_SET_METRIC] = "mse",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "cascade"},
    {{"torch/mae", "PyTorch 1.13 to 2.15", "L1Loss: mean of |y-p|, numeric targets, float32", torch_loss},
     .texts[LL_SET_METRIC] = "mae",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "cascade"},
    /* torchmetrics/functional/classification/accuracy.py and its neighbours: counts below 2^24 are exact, and there is
     * one division, in float32. A quotient of at most 1 changes by at most 2^-25 there: the noise of the rows that the
     * library computes in float64. */
    {{"torchmetrics/accuracy", "torchmetrics 1.4.3 to 1.9.0",
      "BinaryAccuracy, MulticlassAccuracy(average=\"micro\"): the share of right labels, float32",
      torchmetrics_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "accuracy",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "naive"},
    {{"torchmetrics/hamming_distance", "torchmetrics 1.4.3 to 1.9.0",
      "BinaryHammingDistance: the share of wrong labels, float32", torchmetrics_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "zero-one",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "naive"},
    {{"torchmetrics/f1", "torchmetrics 1.4.3 to 1.9.0", "BinaryF1Score: F1 of class 1, rounded to float32",
      torchmetrics_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "f1",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive",
     .texts[LL_SET_NOISE] = "bounded:6e-8"},
    {{"torchmetrics/precision", "torchmetrics 1.4.3 to 1.9.0", "BinaryPrecision, rounded to float32",
      torchmetrics_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "precision",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive",
     .texts[LL_SET_NOISE] = "bounded:6e-8"},
    {{"torchmetrics/recall", "torchmetrics 1.4.3 to 1.9.0", "BinaryRecall, rounded to float32",
      torchmetrics_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "recall",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive",
     .texts[LL_SET_NOISE] = "bounded:6e-8"},
    {{"torchmetrics/specificity", "torchmetrics 1.4.3 to 1.9.0", "BinarySpecificity, rounded to float32",
      torchmetrics_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "specificity",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive",
     .texts[LL_SET_NOISE] = "bounded:6e-8"},
    {{"torchmetrics/jaccard", "torchmetrics 1.4.3 to 1.9.0", "BinaryJaccardIndex, rounded to float32",
      torchmetrics_classification},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "jaccard",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive",
     .texts[LL_SET_NOISE] = "bounded:6e-8"},
    /* torchmetrics/functional/regression: sums over each update, then over updates, divided by the count, in float32.
     */
    {{"torchmetrics/mse", "torchmetrics 1.4.3 to 1.9.0", "MeanSquaredError: mean of (y-p)^2, numeric targets, float32",
      torchmetrics_regression},
     .texts[LL_SET_METRIC] = "mse",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "naive"},
    {{"torchmetrics/mae", "torchmetrics 1.4.3 to 1.9.0", "MeanAbsoluteError: mean of |y-p|, numeric targets, float32",
      torchmetrics_regression},
     .texts[LL_SET_METRIC] = "mae",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "naive"},
    {{"torchmetrics/msle", "torchmetrics 1.4.3 to 1.9.0",
      "MeanSquaredLogError: mean of (ln(1+y)-ln(1+p))^2, numeric targets, float32", torchmetrics_regression},
     .texts[LL_SET_METRIC] = "msle",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "naive"},
    /* keras/src/backend (each backend's nn.py), v3: clip at 1e-7 in float32, y log p + (1-y) log(1-p). */
    {{"keras3/bce", "Keras 3.6.0 to 3.15.1", "Keras 3 BinaryCrossentropy: clip at 1e-7, float32",
      "keras/src/backend, nn.py of each backend"},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "1e-7",
     .texts[LL_SET_CLIP_MODE] = "clip",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "naive"},
    /* keras/src/backend.py v2.15.0: the clip, and 1e-7 added again inside each logarithm. */
    {{"keras2/bce", "", "Keras 2 binary_crossentropy: clip at 1e-7 and 1e-7 inside the logarithm, float32",
      "keras/src/backend.py of 2.15"},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "1e-7",
     .texts[LL_SET_CLIP_MODE] = "log-plus",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "naive"},
    /* src/metric/elementwise_metric.cu, 1.7: floats p and 1-p, each at least 1e-16f, logf; double sums a thread. */
    {{"xgboost/logloss", "XGBoost 1.7.4 to 3.4.1",
      "eval_metric logloss: p and 1-p in float32, each at least 1e-16, summed in float64",
      "src/metric/elementwise_metric.cu"},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "1e-16",
     .texts[LL_SET_CLIP_MODE] = "floor",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM_ARITHMETIC] = "fp64",
     .texts[LL_SET_LOSS_ARITHMETIC] = "rows",
     .texts[LL_SET_SUM] = "naive"},
    /* src/metric/elementwise_metric.cu: p > 0.5 is class 1, misses summed in double; src/metric/auc.cc: trapezoids of
     * counts over the pairs. Labels of one class alone get 0.5 there with a warning; the library refuses them. */
    {{"xgboost/error", "XGBoost 1.7.4 to 3.4.1", "eval_metric error: the share of wrong labels, predictions 0 and 1",
      "src/metric/elementwise_metric.cu"},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "zero-one",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
    {{"xgboost/auc", "XGBoost 1.7.4 to 3.4.1", "eval_metric auc of two classes: ties count one half",
      "src/metric/auc.cc"},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "auc",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM] = "naive"},
    /* src/metric/rank_metric.cc: a stable sort of float scores, gains and their sum in double. A row is a group of one
     * relevant item; map@K and ndcg@K are the metrics map-first:K and ndcg-first:K. */
    {{"xgboost/map", "XGBoost 1.7.4 to 3.4.1", "eval_metric map of groups of one relevant item each: 1 / rank",
      "src/metric/rank_metric.cc"},
     .texts[LL_SET_METRIC] = "map-first:1048576",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
    {{"xgboost/ndcg", "XGBoost 1.7.4 to 3.4.1",
      "eval_metric ndcg of groups of one relevant item each: 1 / log2(1 + rank)", "src/metric/rank_metric.cc"},
     .texts[LL_SET_METRIC] = "ndcg-first:1048576",
     .texts[LL_SET_ARITHMETIC] = "fp32",
     .texts[LL_SET_SUM_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
    /* src/metric/binary_metric.hpp, meta.h: -log of p or 1-p in double where above kEpsilon = 1e-15f, else
     * -log(kEpsilon), which is a float: 34.538776397705078125, 2.8e-9 more than that of the double. Between exp of
     * minus that and kEpsilon (1e-15 itself lies there) the program gives the float and the clamp the logarithm, up
     * to 6.5e-9 less. */
    {{"lightgbm/binary_logloss", "LightGBM 3.3.5 to 4.7.0",
      "metric binary_logloss: each logarithm at least -34.5387764; p = 1e-15 is off by 3e-9",
      "src/metric/binary_metric.hpp"},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "log-loss",
     .texts[LL_SET_CLIP] = "34.538776397705078125",
     .texts[LL_SET_CLIP_MODE] = "log-clamp",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
    /* src/metric/binary_metric.hpp: one class alone gets 1 there; the library refuses it. */
    {{"lightgbm/auc", "LightGBM 3.3.5 to 4.7.0", "metric auc of two classes: ties count one half",
      "src/metric/binary_metric.hpp"},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "auc",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
    /* catboost/libs/metrics/metric.cpp: approximations in double, targets in float32. */
    {{"catboost/logloss", "CatBoost 1.2.2 to 1.2.10", "eval_metric Logloss: raw values (logits), float64",
      catboost_metric},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "sigmoid-ce",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
    {{"catboost/rmse", "CatBoost 1.2.2 to 1.2.10", "eval_metric RMSE: numeric targets that float32 holds, float64",
      catboost_metric},
     .texts[LL_SET_METRIC] = "rmse",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
    {{"catboost/auc", "CatBoost 1.2.2 to 1.2.10", "eval_metric AUC of two classes: ties count one half",
      catboost_metric},
     .texts[LL_SET_COLUMNS] = "1",
     .texts[LL_SET_METRIC] = "auc",
     .texts[LL_SET_ARITHMETIC] = "fp64",
     .texts[LL_SET_SUM] = "naive"},
};

#define COUNT ((long)(sizeof profiles / sizeof *profiles))

long ll_profile_count(void)
{
    return COUNT;
}

const ll_profile_info *ll_profile_get_info(long index)
{
    return index >= 0 && index < COUNT ? &profiles[index].info : NULL;
}

static long distance(const char *a, const char *b)
{
    return ll_name_distance(a, strlen(a), b, strlen(b));
}

/* The names as far from `name` as the nearest one, or within 2 of it. */
static ll_status fail_unknown(const char *name, ll_error *error)
{
    char near[320] = "";
    long best = 1000;
    for (long i = 0; i < COUNT; ++i)
        best = ll_least(best, distance(name, profiles[i].info.name));
    for (long i = 0; i < COUNT; ++i) {
        size_t used = strlen(near);
        if (distance(name, profiles[i].info.name) <= best + 1)
            (void)snprintf(near + used, sizeof near - used, "%s%s", used ? ", " : "", profiles[i].info.name);
    }
    return ll_fail(error, LL_DOMAIN, "unknown scorer '%.60s'; the nearest: %s", name, near);
}

/* Is `full`, "sklearn-1.5/log_loss", a version of `name`, "sklearn/log_loss"? */
static int is_version(const char *full, const char *name)
{
    size_t package = strcspn(name, "/"), versioned = strcspn(full, "/"), own = strcspn(full, "-/");
    return full[own] == '-' && ll_name_is(full, own, name, package) &&
           ll_name_is(full + versioned, strlen(full + versioned), name + package, strlen(name + package));
}

/* The row of this name; of a name without a version the last verified one, since rows of one function stand in the
 * order of versions. Names are asked for again and again as they stand in the table: those are found first. */
static const profile *find(const char *name)
{
    const profile *newest = NULL;
    for (long i = 0; i < COUNT; ++i)
        if (strcmp(profiles[i].info.name, name) == 0)
            return &profiles[i];
    for (long i = 0; i < COUNT; ++i) {
        const ll_profile_info *info = &profiles[i].info;
        if (ll_name_is(info->name, strlen(info->name), name, strlen(name)))
            return &profiles[i];
        if (info->verified[0] != '\0' && is_version(info->name, name))
            newest = &profiles[i];
    }
    return newest;
}

const char *ll_profile_full_name(const char *name)
{
    const profile *row = find(name);
    return row ? row->info.name : name;
}

ll_status ll_profile_check(const char *name, ll_error *error)
{
    if (find(name))
        return LL_OK;
    return strlen(name) > LL_NAME_MOST ? ll_fail(error, LL_DOMAIN, "unknown scorer '%.60s...'", name)
                                       : fail_unknown(name, error);
}

const char *ll_profile_text(const char *name, ll_setting setting)
{
    const profile *row = find(name);
    return row ? row->texts[setting] : NULL;
}

/* ---- what a metric's name stands for ---- */

static int is_of(const profile *row, const char *package, const char *metric)
{
    const char *name = row->info.name, *own = row->texts[LL_SET_METRIC];
    size_t length = strlen(package), stem = strcspn(own, ":");
    return strncmp(name, package, length) == 0 && (name[length] == '/' || name[length] == '-') &&
           strcspn(metric, ":") == stem && memcmp(own, metric, stem) == 0;
}

const char *ll_profile_of_metric(const char *metric)
{
    static const char *const packages[] = {"sklearn", "scipy"};
    char room[120];
    const char *plain = ll_metric_plain_name(room, sizeof room, metric), *found = NULL;
    for (size_t p = 0; p < sizeof packages / sizeof *packages && found == NULL; p++)
        for (long i = 0; i < COUNT; ++i) /* rows of one function stand in the order of versions */
            if (is_of(&profiles[i], packages[p], plain))
                found = profiles[i].info.name;
    return found;
}
