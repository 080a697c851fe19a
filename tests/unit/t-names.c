/* Names as people type them: every metric, word and profile is found whatever its case, hyphens, underscores and
 * spaces, and no spelling stands for two things. */
#include "metric/metric.h"
#include "number/name_distance.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* `name` before its parameter, its letters made capitals where `capital`, and every separator made `separator` (0: it
 * is left out). */
static void respell(char *out, const char *name, int capital, char separator)
{
    size_t used = 0;
    for (size_t i = 0; name[i] && name[i] != ':'; i++) {
        int is_separator = name[i] == '-' || name[i] == '_';
        char c = is_separator ? separator : (char)(capital ? toupper((unsigned char)name[i]) : name[i]);
        if (c)
            out[used++] = c;
    }
    out[used] = '\0';
}

static const char *plain(const char *name)
{
    static char text[120];
    return ll_metric_plain_name(text, sizeof text, name);
}

static void expect_all_spellings(const char *name, const char *meaning)
{
    for (int i = 0; i < 8; i++) {
        char other[120];
        respell(other, name, i & 1, "-_ "[i / 2 % 4]);
        if (strncmp(plain(other), meaning, strcspn(meaning, ":")) != 0)
            fail_msg("\"%s\" is taken for \"%s\", not for \"%s\"", other, plain(other), meaning);
    }
}

static void test_every_metric(void **state)
{
    (void)state;
    for (long i = 0; i < ll_metric_count(); i++)
        expect_all_spellings(ll_metric_get_info(i)->name, ll_metric_get_info(i)->name);
}

static void test_every_word(void **state)
{
    (void)state;
    char meaning[120];
    for (long i = 0; ll_metric_word(i); i++) {
        (void)snprintf(meaning, sizeof meaning, "%s", plain(ll_metric_word(i)));
        assert_string_not_equal(meaning, ll_metric_word(i)); /* it is not its own meaning: a metric has that name */
        expect_all_spellings(ll_metric_word(i), meaning);
        for (long j = 0; j < i; j++)
            assert_false(
                ll_name_is(ll_metric_word(i), strlen(ll_metric_word(i)), ll_metric_word(j), strlen(ll_metric_word(j))));
    }
}

/* What a word means is a metric that there is. */
static void test_meanings_exist(void **state)
{
    (void)state;
    for (long i = 0; ll_metric_word(i); i++) {
        const char *metric = plain(ll_metric_word(i));
        int found = 0;
        for (long j = 0; j < ll_metric_count() && !found; j++) {
            const char *own = ll_metric_get_info(j)->name;
            found = ll_name_is(own, strcspn(own, ":"), metric, strcspn(metric, ":"));
        }
        if (!found)
            fail_msg("%s means %s, which is not a metric", ll_metric_word(i), metric);
    }
}

/* Metrics that are not modelled are said to be so, with the scores that are better, and never taken for another one. */
static void test_strangers(void **state)
{
    static const char *const cases[][2] = {{"CRPS", "better lower"},
                                           {"C-index", "better higher"},
                                           {"WER", "better lower"},
                                           {"BLEU", "better higher"},
                                           {"ROUGE-L", "better higher"},
                                           {"mean average precision", "better higher"},
                                           {"Kendall's tau", "better higher"},
                                           {"mAP@0.5", "better higher"},
                                           {"R1", "better higher or lower"},
                                           {"our own", "better higher or lower"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_error error = {0};
        ll_scorer *scorer = NULL;
        assert_int_equal(ll_scorer_create(&scorer, &error), LL_OK);
        assert_int_equal(ll_scorer_set(scorer, "metric", cases[i][0], &error), LL_DOMAIN);
        assert_non_null(strstr(error.text, "that does not mean it is safe"));
        assert_non_null(strstr(error.text, cases[i][1]));
        assert_null(strstr(error.text, "did you mean"));
        ll_scorer_destroy(scorer);
    }
}

static void test_guesses(void **state)
{
    static const char *const cases[][2] = {{"lgo_loss", "did you mean log-loss?"},
                                           {"Accuray Score", "did you mean accuracy_score?"},
                                           {"F1 scroe", "did you mean f1_score?"},
                                           {"Accuracy (%)", "accuracy with the transform percent"},
                                           {"mAP", "map:K (mean average precision at K"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ll_error error = {0};
        ll_metric *metric = NULL;
        assert_int_equal(ll_metric_create(&metric, cases[i][0], &error), LL_DOMAIN);
        if (strstr(error.text, cases[i][1]) == NULL)
            fail_msg("%s: %s", cases[i][0], error.text);
    }
}

/* As leaderboards and programs write them. */
static void test_people(void **state)
{
    static const struct {
        const char *typed, *metric, *transform;
    } cases[] = {
        {"MAP@7", "map:7", NULL},
        {"map:7", "map:7", NULL},
        {"NDCG@5", "ndcg:5", NULL},
        {"top-5", "top-k:5", NULL},
        {"Top-5 Accuracy", "top-k:5", NULL},
        {"top-5 error", "top-k:5", "negate,offset:1"},
        {"Acc@1", "top-k:1", NULL},
        {"Hits@10", "top-k:10", NULL},
        {"F2", "fbeta:2", NULL},
        {"F0.5 score", "fbeta:0.5", NULL},
        {"F1", "f1", NULL},
        {"F-measure", "f1", NULL},
        {"Dice", "f1", NULL},
        {"Macro F1", "macro-f1", NULL},
        {"F1 (macro)", "macro-f1", NULL},
        {"QWK", "quadratic-kappa", NULL},
        {"Quadratic Weighted Kappa", "quadratic-kappa", NULL},
        {"Cohen's kappa", "kappa", NULL},
        {"IoU", "jaccard", NULL},
        {"mIoU", "macro-jaccard", NULL},
        {"AUROC", "auc", NULL},
        {"ROC-AUC", "auc", NULL},
        {"AUC ROC", "auc", NULL},
        {"PR-AUC", "average-precision", NULL},
        {"AUPRC", "average-precision", NULL},
        {"BCE", "log-loss", NULL},
        {"NLL", "log-loss", NULL},
        {"Log Loss", "log-loss", NULL},
        {"LogLoss", "log-loss", NULL},
        {"Binary Cross-Entropy", "log-loss", NULL},
        {"neg_log_loss", "log-loss", "negate"},
        {"Brier score", "squared", NULL},
        {"RMSE", "mse", "root"},
        {"RMSLE", "msle", "root"},
        {"MSE", "mse", NULL},
        {"MAE", "mae", NULL},
        {"MAPE", "mape", NULL},
        {"R2", "r2", NULL},
        {"R^2", "r2", NULL},
        {"R\xc2\xb2", "r2", NULL},
        {"r2_score", "r2", NULL},
        {"Pearson correlation", "pearson", NULL},
        {"Spearman's rho", "spearman", NULL},
        {"Spearman rho", "spearman", NULL},
        {"MCC", "mcc", NULL},
        {"Matthews correlation coefficient", "mcc", NULL},
        {"Balanced Accuracy", "balanced-accuracy", NULL},
        {"error rate", "zero-one", NULL},
        {"0-1 loss", "zero-one", NULL},
        {"Accuracy", "accuracy", NULL},
        {"sensitivity", "recall", NULL},
        {"PPV", "precision", NULL},
        {"TNR", "specificity", NULL},
        {"Cross Entropy Loss", "log-loss", NULL},
        {"Multi-class Log Loss", "log-loss", NULL},
        {"UAR", "balanced-accuracy", NULL},
        {"PLCC", "pearson", NULL},
        {"SRCC", "spearman", NULL},
        {"Hit Rate@10", "top-k:10", NULL},
        {"HR@5", "top-k:5", NULL},
        {"EM", "accuracy", NULL},
        {"Hamming loss", "zero-one", NULL},
        {"Exact Match", "accuracy", NULL},
        {"nDCG@10", "ndcg:10", NULL},
        {"Normalized Gini", "gini", NULL},
        {"KS", "ks", NULL},
        {"Gini", "gini", NULL},
        {"MRR", "mrr", NULL},
        {"pinball loss:0.9", "quantile:0.9", NULL},
        {"Huber loss:1", "huber:1", NULL},
        {"hinge loss", "hinge", NULL},
        {"Youden's J", "youden", NULL},
        {"Kolmogorov-Smirnov", "ks", NULL},
        {"WER", NULL, NULL},
        {"BLEU", NULL, NULL},
        {"SMAPE", "smape", NULL},
        {"Symmetric Mean Absolute Percentage Error", "smape", NULL},
        {"Focal Loss:2", "focal:2", NULL},
        /* scorer strings of scikit-learn */
        {"neg_mean_squared_error", "mse", "negate"},
        {"neg_root_mean_squared_error", "mse", "root,negate"},
        {"neg_mean_absolute_error", "mae", "negate"},
        {"neg_median_absolute_error", NULL, NULL},
        {"neg_mean_absolute_percentage_error", "mape", "negate"},
        {"neg_mean_squared_log_error", "msle", "negate"},
        {"neg_root_mean_squared_log_error", "msle", "root,negate"},
        {"neg_brier_score", "squared", "negate"},
        {"f1_macro", "macro-f1", NULL},
        {"f1_micro", "micro-f1", NULL},
        {"f1_weighted", "weighted-f1", NULL},
        {"precision_macro", "macro-precision", NULL},
        {"recall_macro", "macro-recall", NULL},
        {"jaccard", "jaccard", NULL},
        {"jaccard_macro", "macro-jaccard", NULL},
        {"roc_auc_ovr", "macro-auc", NULL},
        {"top_k_accuracy:5", "top-k:5", NULL},
        {"matthews_corrcoef", "mcc", NULL},
        {"average_precision", "average-precision", NULL},
        {"balanced_accuracy", "balanced-accuracy", NULL},
        {"r2", "r2", NULL},
        {"explained_variance", "explained-variance", NULL},
        /* evaluation pages of competitions */
        {"Area Under Receiver Operating Characteristic Curve", "auc", NULL},
        {"Categorization Accuracy", "accuracy", NULL},
        {"Mean F1 Score", NULL, NULL},
        {"Root Mean Squared Logarithmic Error", "msle", "root"},
        {"Multiclass Loss", "log-loss", NULL},
        {"Logarithmic Loss", "log-loss", NULL},
        {"Mean Columnwise Log Loss", NULL, NULL},
        {"Mean Absolute Error", "mae", NULL},
        {"Normalized Gini Index", "gini", NULL},
        {"Quadratic Weighted Kappa score", "quadratic-kappa", NULL},
        {"Dice Coefficient", "f1", NULL},
        {"Macro F-Score", "macro-f1", NULL},
        {"Categorical Crossentropy", "log-loss", NULL},
        /* torchmetrics and evaluate */
        {"BinaryAccuracy", "accuracy", NULL},
        {"BinaryAUROC", "auc", NULL},
        {"BinaryF1Score", "f1", NULL},
        {"BinaryAveragePrecision", "average-precision", NULL},
        {"BinaryJaccardIndex", "jaccard", NULL},
        {"BinaryMatthewsCorrCoef", "mcc", NULL},
        {"BinaryCohenKappa", "kappa", NULL},
        {"BinarySpecificity", "specificity", NULL},
        {"MeanSquaredError", "mse", NULL},
        {"MeanAbsolutePercentageError", "mape", NULL},
        {"SymmetricMeanAbsolutePercentageError", "smape", NULL},
        {"PearsonCorrCoef", "pearson", NULL},
        {"SpearmanCorrCoef", "spearman", NULL},
        {"R2Score", "r2", NULL},
        {"MulticlassAccuracy", NULL, NULL}, /* macro by default in torchmetrics, micro in others */
        {"matthews_correlation", "mcc", NULL},
        {"pearsonr", "pearson", NULL},
        {"spearmanr", "spearman", NULL},
        {"roc_auc", "auc", NULL},
        {"exact_match", "accuracy", NULL},
        {"mean_iou", "macro-jaccard", NULL},
        {"brier_score", "squared", NULL},
        {"C-index", NULL, NULL},
        {"CRPS", NULL, NULL},
        {"word error rate", NULL, NULL},
        /* tables of papers and of platforms: points, dashes, Greek letters, what is one minus another, and a number behind an @ */
        {"Avg. Precision", "average-precision", NULL},
        {"Acc.", "accuracy", NULL},
        {"ROC\xe2\x80\x93"
         "AUC",
         "auc", NULL},
        {"S\xc3\xb8rensen\xe2\x80\x93"
         "Dice",
         "f1", NULL},
        {"Cohen\xe2\x80\x99s kappa", "kappa", NULL},
        {"\xce\xba", "kappa", NULL},
        {"F\xe2\x82\x81", "f1", NULL},
        {"F-beta (beta=2)", "fbeta:2", NULL},
        {"1 - AUC", "auc", "negate,offset:1"},
        {"Top-1 err.", "top-k:1", "negate,offset:1"},
        {"MRR@10", "map:10", NULL},
        {"MAP@{5}", "map:5", NULL},
        {"P@1", "top-k:1", NULL},
        {"Linearly weighted kappa", "linear-kappa", NULL},
        {"acc_norm", "accuracy", NULL},
        {"R@2", NULL, NULL}, /* recall among the first two, not R2 */
        {"Recall@5", NULL, NULL},
        {"mAP@0.5", NULL, NULL}, /* of detection */
        {"mAP@.5", NULL, NULL},
        {"mAP@[.5:.95]", NULL, NULL},
        {"FPR", NULL, NULL},
        {"multiclass AUC", NULL, NULL},
        {"Accuracy (%)", NULL, NULL},
    };
    int misses = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *wanted = cases[i].metric ? cases[i].metric : cases[i].typed,
                   *found = ll_metric_own_transform(cases[i].typed);
        if (strcmp(plain(cases[i].typed), wanted) != 0)
            print_error("%s is %s, not %s\n", cases[i].typed, plain(cases[i].typed), wanted), misses++;
        if (strcmp(found ? found : "", cases[i].transform ? cases[i].transform : "") != 0)
            print_error("%s has the steps %s\n", cases[i].typed, found ? found : "none"), misses++;
    }
    assert_int_equal(misses, 0);
}

/* A word that stands for more than a metric keeps its meaning through the spelling of the tables. */
static void test_spelling(void **state)
{
    (void)state;
    char text[120], expression[300] = "bregman:";
    assert_string_equal(ll_metric_spelling(text, sizeof text, "RMSE"), "rmse");
    assert_string_equal(ll_metric_spelling(text, sizeof text, "Root Mean Squared Error"), "root_mean_squared_error");
    assert_string_equal(ll_metric_spelling(text, sizeof text, "ROC AUC"), "auc");
    memset(expression + strlen(expression), 'x', 250);
    assert_ptr_equal(ll_metric_spelling(text, sizeof text, expression), expression); /* it would not fit the text */
    assert_string_equal(ll_metric_spelling(text, sizeof text, "Bregman:X*x"), "bregman:X*x");
}

static void test_profiles(void **state)
{
    (void)state;
    for (long i = 0; i < ll_profile_count(); i++) {
        const char *name = ll_profile_get_info(i)->name;
        for (int k = 0; k < 2; k++) {
            char other[120];
            respell(other, name, k, '_');
            ll_scorer *scorer = NULL;
            ll_error error = {0};
            assert_int_equal(ll_scorer_create(&scorer, &error), LL_OK);
            if (ll_scorer_set(scorer, "scorer", other, &error) != LL_OK)
                fail_msg("%s: %s", other, error.text);
            ll_scorer_destroy(scorer);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_metric), cmocka_unit_test(test_every_word), cmocka_unit_test(test_meanings_exist),
        cmocka_unit_test(test_strangers),    cmocka_unit_test(test_guesses),    cmocka_unit_test(test_people),
        cmocka_unit_test(test_spelling),     cmocka_unit_test(test_profiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
