/* The paper's losses in doubles, operation by operation as its formulas stand: where a formula overflows or cancels, so
 * does this. What a careful program would do instead is the business of src/loss and src/scorer. */
#include "experiment/experiment.h"

#include <math.h>

/* eq:IS */
double ll_paper_itakura_saito(const double *row, long classes, long label)
{
    (void)classes;
    double x = label ? row[0] : 1 - row[0];
    return 1 / x + log(x) - 1;
}

double ll_paper_binary_entropy(const double *row, long classes, long label)
{
    (void)classes;
    return -log(label ? row[0] : 1 - row[0]);
}

/* eq:multi_class_log_loss */
double ll_paper_cross_entropy(const double *row, long classes, long label)
{
    (void)classes;
    return -log(row[label]);
}

/* eq:softmax */
double ll_paper_softmax(const double *row, long classes, long label)
{
    double sum = 0;
    for (long k = 0; k < classes; k++)
        sum += exp(row[k]);
    return -log(exp(row[label]) / sum);
}

double ll_paper_log_sum_exp(const double *row, long classes, long label)
{
    double most = row[0];
    for (long k = 1; k < classes; k++)
        most = row[k] > most ? row[k] : most;
    double sum = exp(row[0] - most);
    for (long k = 1; k < classes; k++)
        sum += exp(row[k] - most);
    return log(sum) - (row[label] - most);
}

/* eq:sigmoid_definition */
double ll_paper_sigmoid(const double *row, long classes, long label)
{
    (void)classes;
    double p = 1 / (1 + exp(-row[0]));
    return -log(label ? p : 1 - p);
}
