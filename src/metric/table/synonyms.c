/* The one table of the words that people type for a metric, and what each means: a metric of the table, and steps that
 * come before those of the setting transform. Case, spaces, hyphens, dashes, underscores, apostrophes, parentheses and
 * points do not count (number/name_distance.h), so that one row stands for "ROC AUC", "roc_auc" and "ROC-AUC". A function's name has the function's own parameter, if
 * none is given. */
#include "metric/metric.h"
#include "number/name_distance.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *word, *metric, *transform; /* transform NULL: none */
} row;

static const row words[] = {
    {"cross-entropy", "log-loss", NULL},
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
    {"neg_root_mean_squared_error", "mse", "root,negate"},
    {"mean_absolute_error", "mae", NULL},
    {"neg_mean_absolute_error", "mae", "negate"},
    {"mean_absolute_percentage_error", "mape", NULL},
    {"symmetric_mean_absolute_percentage_error", "smape", NULL},
    {"symmetric_mape", "smape", NULL},
    {"focal_loss", "focal", NULL},
    {"binary_focal_crossentropy", "focal", NULL},
    {"sigmoid_focal_loss", "focal", NULL},
    {"neg_mean_absolute_percentage_error", "mape", "negate"},
    {"mean_squared_log_error", "msle", NULL},
    {"neg_mean_squared_log_error", "msle", "negate"},
    {"rmsle", "msle", "root"},
    {"root_mean_squared_log_error", "msle", "root"},
    {"r2_score", "r2", NULL},
    {"r-squared", "r2", NULL},
    {"explained_variance_score", "explained-variance", NULL},
    {"pearsonr", "pearson", NULL},
    {"corrcoef", "pearson", NULL},
    {"spearmanr", "spearman", NULL},
    {"mean_pinball_loss", "quantile:0.5", NULL},
    {"pinball", "quantile", NULL},
    {"hinge_loss", "hinge", NULL},
    {"top_k_accuracy", "top-k:2", NULL},
    {"top_k_accuracy_score", "top-k:2", NULL},
    {"ndcg_score", "ndcg:1048576", NULL},
    {"label_ranking_average_precision_score", "mrr", NULL},
    {"error", "zero-one", NULL},
    {"f1_score", "f1", NULL},
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
    {"balanced_accuracy_score", "balanced-accuracy", NULL},
    {"informedness", "youden", NULL},
    {"matthews", "mcc", NULL},
    {"matthews_corrcoef", "mcc", NULL},
    {"cohen-kappa", "kappa", NULL},
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
    {"roc-auc", "auc", NULL},
    {"roc_auc_score", "auc", NULL},
    {"auroc", "auc", NULL},
    {"roc_auc_ovr", "macro-auc", NULL},
    {"auc_ovr", "macro-auc", NULL},
    {"roc_auc_macro", "macro-auc", NULL},
    {"average_precision_score", "average-precision", NULL},
    {"ap", "average-precision", NULL},
    {"aucpr", "average-precision", NULL},
    {"pr_auc", "average-precision", NULL},
    {"kolmogorov-smirnov", "ks", NULL},
    {"binary_cross_entropy", "log-loss", NULL},
    {"categorical_cross_entropy", "log-loss", NULL},
    {"bce", "log-loss", NULL},
    {"ce", "log-loss", NULL},
    {"nll", "log-loss", NULL},
    {"negative_log_likelihood", "log-loss", NULL},
    {"logistic_loss", "log-loss", NULL},
    {"binary_logloss", "log-loss", NULL},
    {"multi_logloss", "log-loss", NULL},
    {"mlogloss", "log-loss", NULL},
    {"log_loss_score", "log-loss", NULL},
    {"bce_with_logits", "sigmoid-ce", NULL},
    {"brier_loss", "squared", NULL},
    {"acc", "accuracy", NULL},
    {"exact_match", "accuracy", NULL},
    {"categorical_accuracy", "accuracy", NULL},
    {"01_loss", "zero-one", NULL},
    {"error_rate", "zero-one", NULL},
    {"misclassification_rate", "zero-one", NULL},
    {"classification_error", "zero-one", NULL},
    {"misclassification_error", "zero-one", NULL},
    {"l2", "mse", NULL},
    {"l1", "mae", NULL},
    {"mean_abs_error", "mae", NULL},
    {"mean_sq_error", "mse", NULL},
    {"r^2", "r2", NULL},
    {"r\xc2\xb2", "r2", NULL},
    {"coefficient_of_determination", "r2", NULL},
    {"pearson_correlation", "pearson", NULL},
    {"pcc", "pearson", NULL},
    {"pearson_correlation_coefficient", "pearson", NULL},
    {"spearman_correlation", "spearman", NULL},
    {"spearman_rho", "spearman", NULL},
    {"spearmans_rho", "spearman", NULL},
    {"spearman_rank_correlation", "spearman", NULL},
    {"pinball_loss", "quantile", NULL},
    {"quantile_loss", "quantile", NULL},
    {"huber_loss", "huber", NULL},
    {"f_measure", "f1", NULL},
    {"f_score", "f1", NULL},
    {"dice_coefficient", "f1", NULL},
    {"dsc", "f1", NULL},
    {"fbeta_score", "fbeta", NULL},
    {"f_beta", "fbeta", NULL},
    {"jaccard_index", "jaccard", NULL},
    {"intersection_over_union", "jaccard", NULL},
    {"positive_predictive_value", "precision", NULL},
    {"true_positive_rate", "recall", NULL},
    {"true_negative_rate", "specificity", NULL},
    {"bac", "balanced-accuracy", NULL},
    {"bacc", "balanced-accuracy", NULL},
    {"youden_j", "youden", NULL},
    {"youdens_j", "youden", NULL},
    {"matthews_correlation", "mcc", NULL},
    {"matthews_correlation_coefficient", "mcc", NULL},
    {"phi_coefficient", "mcc", NULL},
    {"cohens_kappa", "kappa", NULL},
    {"quadratic_weighted_cohens_kappa", "quadratic-kappa", NULL},
    {"quadratic_cohen_kappa", "quadratic-kappa", NULL},
    {"macro_averaged_f1", "macro-f1", NULL},
    {"macro_avg_f1", "macro-f1", NULL},
    {"macro_f1_score", "macro-f1", NULL},
    {"f1_score_macro", "macro-f1", NULL},
    {"micro_averaged_f1", "micro-f1", NULL},
    {"micro_f1_score", "micro-f1", NULL},
    {"weighted_f1_score", "weighted-f1", NULL},
    {"weighted_averaged_f1", "weighted-f1", NULL},
    {"mean_per_class_accuracy", "balanced-accuracy", NULL},
    {"auc_roc", "auc", NULL},
    {"roc", "auc", NULL},
    {"area_under_roc", "auc", NULL},
    {"area_under_the_curve", "auc", NULL},
    {"area_under_the_roc_curve", "auc", NULL},
    {"normalized_gini", "gini", NULL},
    {"gini_coefficient", "gini", NULL},
    {"somers_d", "gini", NULL},
    {"auprc", "average-precision", NULL},
    {"pr_auc_score", "average-precision", NULL},
    {"avg_precision", "average-precision", NULL},
    {"ks_statistic", "ks", NULL},
    {"mean_reciprocal_rank", "mrr", NULL},
    {"top_k_categorical_accuracy", "top-k", NULL},
    {"cross_entropy_loss", "log-loss", NULL},
    {"multi_class_log_loss", "log-loss", NULL},
    {"unweighted_average_recall", "balanced-accuracy", NULL},
    {"uar", "balanced-accuracy", NULL},
    {"lcc", "pearson", NULL},
    {"plcc", "pearson", NULL},
    {"srcc", "spearman", NULL},
    {"srocc", "spearman", NULL},
    {"em", "accuracy", NULL},
    {"hamming_loss", "zero-one", NULL},
    {"neg_root_mean_squared_log_error", "msle", "root,negate"},
    {"root_mean_squared_logarithmic_error", "msle", "root"},
    {"area_under_receiver_operating_characteristic_curve", "auc", NULL},
    {"area_under_the_receiver_operating_characteristic_curve", "auc", NULL},
    {"categorization_accuracy", "accuracy", NULL},
    {"multiclass_loss", "log-loss", NULL},
    {"logarithmic_loss", "log-loss", NULL},
    {"normalized_gini_index", "gini", NULL},
    {"quadratic_weighted_kappa_score", "quadratic-kappa", NULL},
    {"macro_f_score", "macro-f1", NULL},
    {"binary_accuracy", "accuracy", NULL},
    {"binary_auroc", "auc", NULL},
    {"binary_f1_score", "f1", NULL},
    {"binary_average_precision", "average-precision", NULL},
    {"binary_jaccard_index", "jaccard", NULL},
    {"binary_matthews_corr_coef", "mcc", NULL},
    {"binary_cohen_kappa", "kappa", NULL},
    {"binary_specificity", "specificity", NULL},
    {"pearson_corr_coef", "pearson", NULL},
    {"spearman_corr_coef", "spearman", NULL},
    {"bal_acc", "balanced-accuracy", NULL},
    {"balanced_acc", "balanced-accuracy", NULL},
    {"acc_norm", "accuracy", NULL},
    {"accuracy_rate", "accuracy", NULL},
    {"correct_classification_rate", "accuracy", NULL},
    {"1_accuracy", "zero-one", NULL},
    {"err", "zero-one", NULL},
    {"0/1_loss", "zero-one", NULL},
    {"xent", "log-loss", NULL},
    {"log_loss_multiclass", "log-loss", NULL},
    {"precision@1", "top-k:1", NULL},
    {"p@1", "top-k:1", NULL},
    {"prec", "precision", NULL},
    {"sens", "recall", NULL},
    {"spec", "specificity", NULL},
    {"selectivity", "specificity", NULL},
    {"1_auc", "auc", "negate,offset:1"},
    {"auc_score", "auc", NULL},
    {"auc_roc_score", "auc", NULL},
    {"roc_auc_ovr_macro", "macro-auc", NULL},
    {"f\xe2\x82\x81", "f1", NULL},
    {"f1_measure", "f1", NULL},
    {"sorensen_dice", "f1", NULL},
    {"s\xc3\xb8rensen_dice", "f1", NULL},
    {"s\xc3\xb8rensen_dice_coefficient", "f1", NULL},
    {"dice_similarity_coefficient", "f1", NULL},
    {"threat_score", "jaccard", NULL},
    {"critical_success_index", "jaccard", NULL},
    {"macro_avg_precision", "macro-precision", NULL},
    {"macro_avg_recall", "macro-recall", NULL},
    {"f1_weighted_avg", "weighted-f1", NULL},
    {"weighted_avg_f1", "weighted-f1", NULL},
    {"mcc_score", "mcc", NULL},
    {"matthews_correlation_coef", "mcc", NULL},
    {"linear_weighted_kappa", "linear-kappa", NULL},
    {"linearly_weighted_kappa", "linear-kappa", NULL},
    {"quadratically_weighted_kappa", "quadratic-kappa", NULL},
    {"quadratic_weighted_cohen_kappa", "quadratic-kappa", NULL},
    {"mean_squared_logarithmic_error", "msle", NULL},
    {"root_mean_square_error", "mse", "root"},
    {"rmsd", "mse", "root"},
    {"mse_loss", "mse", NULL},
    {"l1_loss", "mae", NULL},
    {"mean_absolute_percent_error", "mape", NULL},
    {"symmetric_mean_absolute_percent_error", "smape", NULL},
    {"pearsons_r", "pearson", NULL},
    {"spearmans_rank_correlation_coefficient", "spearman", NULL},
    {"spearman_correlation_coefficient", "spearman", NULL},
    {"\xce\xba", "kappa", NULL},
    {"\xcf\x81", "spearman", NULL},
};

/* Metrics that leaderboards show and that are not modelled, with the scores that are better: none of them is a
 * misspelling of one that is. */
static const struct {
    const char *word, *better;
} strangers[] = {
    {"crps", "lower"},
    {"continuous_ranked_probability_score", "lower"},
    {"c_index", "higher"},
    {"concordance_index", "higher"},
    {"harrells_c", "higher"},
    {"wer", "lower"},
    {"word_error_rate", "lower"},
    {"cer", "lower"},
    {"character_error_rate", "lower"},
    {"bleu", "higher"},
    {"sacrebleu", "higher"},
    {"rouge", "higher"},
    {"rouge_l", "higher"},
    {"meteor", "higher"},
    {"chrf", "higher"},
    {"bertscore", "higher"},
    {"perplexity", "lower"},
    {"fid", "lower"},
    {"mean_average_precision", "higher"},
    {"detection_map", "higher"},
    {"coco_map", "higher"},
    {"kendall_tau", "higher"},
    {"kendalls_tau", "higher"},
    {"word_perplexity", "lower"},
    {"byte_perplexity", "lower"},
    {"ppl", "lower"},
    {"bits_per_byte", "lower"},
    {"bpb", "lower"},
    {"bits_per_character", "lower"},
    {"bpc", "lower"},
    {"wmape", "lower"},
    {"wape", "lower"},
    {"mcrmse", "lower"},
    {"rmspe", "lower"},
    {"nrmse", "lower"},
    {"mase", "lower"},
    {"eer", "lower"},
    {"equal_error_rate", "lower"},
    {"hter", "lower"},
    {"ece", "lower"},
    {"expected_calibration_error", "lower"},
    {"log_cosh", "lower"},
    {"poisson_deviance", "lower"},
    {"tweedie_deviance", "lower"},
    {"gamma_deviance", "lower"},
    {"levenshtein", "lower"},
    {"levenshtein_distance", "lower"},
    {"edit_distance", "lower"},
    {"mean_columnwise_log_loss", "lower"},
    {"mean_columnwise_auc", "higher"},
    {"mean_f1", "higher"},
    {"mean_f1_score", "higher"},
    {"subset_accuracy", "higher"},
    {"g_mean", "higher"},
    {"geometric_mean", "higher"},
    {"lwlrap", "higher"},
    {"lrap", "higher"},
    {"ccc", "higher"},
    {"concordance_correlation_coefficient", "higher"},
    {"c_statistic", "higher"},
    {"pauc", "higher"},
    {"tau", "higher"},
    {"mc1", "higher"},
    {"mc2", "higher"},
    {"win_rate", "higher"},
    {"multiclass_auc", "higher"},
    {"hit_rate", "higher"},
    {"\xcf\x84", "higher"},
    {"map@#", "higher"},
    {"pass@#", "higher"},
    {"recall@#", "higher"},
    {"r@#", "higher"},
    {"precision@#", "higher"},
    {"p@#", "higher"},
    {"f1@#", "higher"},
    {"auc@#", "higher"},
    {"rouge#", "higher"},
    {"bleu#", "higher"},
    {"fpr", "lower"},
    {"false_positive_rate", "lower"},
    {"fnr", "lower"},
    {"false_negative_rate", "lower"},
    {"miss_rate", "lower"},
    {"false_discovery_rate", "lower"},
    {"balanced_error_rate", "lower"},
    {"psnr", "higher"},
    {"ssim", "higher"},
};

/* Words with a number in them: # stands for it in the word, and then for the parameter of the metric. An @ may be left
 * out, and none may be added: R@2 is not R2. */
static const row numbered[] = {
    {"top#", "top-k:#", NULL},
    {"top#accuracy", "top-k:#", NULL},
    {"top#acc", "top-k:#", NULL},
    {"acc@#", "top-k:#", NULL},
    {"accuracy@#", "top-k:#", NULL},
    {"hit@#", "top-k:#", NULL},
    {"hits@#", "top-k:#", NULL},
    {"top#error", "top-k:#", "negate,offset:1"},
    {"top#err", "top-k:#", "negate,offset:1"},
    {"top#errorrate", "top-k:#", "negate,offset:1"},
    {"f#", "fbeta:#", NULL},
    {"f#score", "fbeta:#", NULL},
    {"f#measure", "fbeta:#", NULL},
    {"fbeta#", "fbeta:#", NULL},
    {"fbetabeta=#", "fbeta:#", NULL},
    {"map@#", "map:#", NULL},
    {"ndcg@#", "ndcg:#", NULL},
    {"hitrate@#", "top-k:#", NULL},
    {"hr@#", "top-k:#", NULL},
    {"mrr@#", "map:#", NULL},
    {"rr@#", "map:#", NULL},
    {"top#categoricalaccuracy", "top-k:#", NULL},
};

enum { MOST = LL_NAME_MOST };

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static const row *find_in(const row *table, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (ll_name_is(table[i].word, strlen(table[i].word), name, length))
            return &table[i];
    return NULL;
}

/* The length of the name before its parameter. */
static size_t stem(const char *name)
{
    return strcspn(name, ":");
}

/* The spelling in the table of metrics, NULL where the name is not one of them. */
static const char *find_metric(const char *name)
{
    for (long i = 0; i < ll_metric_count(); i++) {
        const char *own = ll_metric_get_info(i)->name;
        if (ll_name_is(own, stem(own), name, stem(name)))
            return own;
    }
    return NULL;
}

/* "top5" becomes "top#" in `pattern` and "5" in `number`. Returns 0 where there is no number, or more than one, or too
 * long a name. */
static int split_number(char pattern[MOST + 2], char number[MOST + 1], const char *name, size_t length)
{
    size_t first = strcspn(name, "0123456789"), digits = strspn(name + first, "0123456789.");
    if (first > 0 && name[first] && name[first - 1] == '.') { /* .5 */
        first--;
        digits++;
    }
    if (length > MOST || first + digits > length || digits == 0)
        return 0;
    if (strcspn(name + first + digits, "0123456789") < length - first - digits)
        return 0;
    (void)snprintf(number, MOST + 1, "%.*s", (int)digits, name + first);
    (void)snprintf(pattern, MOST + 2, "%.*s#%.*s", (int)first, name, (int)(length - first - digits),
                   name + first + digits);
    return 1;
}

/* Only the parameter of fbeta may be a fraction: mAP@0.5 is no map:K. */
static const row *find_numbered(char number[MOST + 1], const char *name)
{
    char pattern[MOST + 2], with_at[MOST + 3];
    if (name[stem(name)] == ':' || !split_number(pattern, number, name, stem(name)))
        return NULL;
    const row *found = find_in(numbered, COUNT(numbered), pattern, strlen(pattern));
    if (found == NULL && strchr(pattern, '@') == NULL) {
        size_t first = strcspn(pattern, "#");
        (void)snprintf(with_at, sizeof with_at, "%.*s@%s", (int)first, pattern, pattern + first);
        found = find_in(numbered, COUNT(numbered), with_at, strlen(with_at));
    }
    return found != NULL && strchr(number, '.') != NULL && stem(found->metric) != strlen("fbeta") ? NULL : found;
}

const char *ll_metric_better_unmodelled(const char *name)
{
    char number[MOST + 1], pattern[MOST + 2];
    int has_number = split_number(pattern, number, name, strlen(name));
    for (size_t i = 0; i < COUNT(strangers); i++) {
        size_t length = strlen(strangers[i].word);
        if (ll_name_is(strangers[i].word, length, name, strlen(name)) ||
            (has_number && ll_name_is(strangers[i].word, length, pattern, strlen(pattern))))
            return strangers[i].better;
    }
    return NULL;
}

/* `name`, where the new spelling has no room in text: a long parameter. */
static const char *spell(char *text, size_t size, const char *start, size_t length, const char *parameter,
                         const char *name)
{
    int written = snprintf(text, size, "%.*s%s", (int)length, start, parameter);
    return written >= 0 && (size_t)written < size ? text : name;
}

const char *ll_metric_plain_name(char *text, size_t size, const char *name)
{
    char number[MOST + 1];
    const char *parameter = name + stem(name), *own = find_metric(name);
    if (own && memcmp(own, name, stem(own)) == 0 && stem(own) == stem(name))
        return name;
    if (own)
        return spell(text, size, own, stem(own), parameter, name);
    const row *word = find_in(words, COUNT(words), name, stem(name));
    if (word)
        return spell(text, size, word->metric, *parameter ? stem(word->metric) : strlen(word->metric), parameter, name);
    word = find_numbered(number, name);
    return word ? spell(text, size, word->metric, strcspn(word->metric, "#"), number, name) : name;
}

static const row *find_transformed(char number[MOST + 1], const char *name)
{
    if (find_metric(name))
        return NULL;
    const row *word = find_in(words, COUNT(words), name, stem(name));
    return word ? word : find_numbered(number, name);
}

const char *ll_metric_own_transform(const char *name)
{
    char number[MOST + 1];
    const row *word = find_transformed(number, name);
    return word ? word->transform : NULL;
}

const char *ll_metric_spelling(char *text, size_t size, const char *name)
{
    if (ll_metric_own_transform(name) == NULL)
        return ll_metric_plain_name(text, size, name);
    const row *word = find_in(words, COUNT(words), name, stem(name));
    return word ? spell(text, size, word->word, strlen(word->word), name + stem(name), name) : name;
}

const char *ll_metric_word(long index)
{
    return index >= 0 && (size_t)index < COUNT(words) ? words[index].word : NULL;
}
