/* The paper's five data sets as class counts. Only the counts are real: no attack depends on the order of rows, so a
 * seeded shuffle of the counted labels stands for the labels themselves. */
#include "lossleak.h"
#include "number/random.h"

#include <string.h>

static const long titanic[] = {1490, 711};
static const long imdb[] = {12500, 12500};
static const long satellite[] = {1531, 703, 1356, 625, 707, 1508};
static const long mnist[] = {6903, 7877, 6990, 7141, 6824, 6313, 6876, 7293, 6825, 6958};
static const long cifar10[] = {6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000};

static const ll_dataset_info datasets[] = {
    {"titanic", 2201, 2, titanic, "survival on the Titanic (Dawson 1995; KEEL's titanic.dat, R's datasets::Titanic)"},
    {"imdb", 25000, 2, imdb, "the test half of the Large Movie Review Dataset (Maas et al. 2011), rating >= 7"},
    {"satellite", 6430, 6, satellite, "Statlog Landsat Satellite, the 6430-row version; classes 1,2,3,4,5,7 are 0..5"},
    {"mnist", 70000, 10, mnist, "MNIST (LeCun et al. 1998), training and test set"},
    {"cifar10", 60000, 10, cifar10, "CIFAR-10 (Krizhevsky 2009), training and test set"},
};

#define COUNT ((long)(sizeof datasets / sizeof *datasets))
#define SHUFFLE_STREAM UINT64_C(0x64617461) /* apart from the streams of queries, which count from 0 */

long ll_dataset_count(void)
{
    return COUNT;
}

const ll_dataset_info *ll_dataset_get_info(long index)
{
    return index >= 0 && index < COUNT ? &datasets[index] : NULL;
}

static const ll_dataset_info *find(const char *name)
{
    for (long i = 0; i < COUNT; ++i)
        if (strcmp(datasets[i].name, name) == 0)
            return &datasets[i];
    return NULL;
}

static void count_out(int32_t *labels, const ll_dataset_info *info)
{
    for (long k = 0; k < info->classes; ++k)
        for (long i = 0; i < info->counts[k]; ++i)
            *labels++ = (int32_t)k;
}

/* Fisher and Yates: every order is equally likely, as far as 64 bits of seed can say so. */
static void shuffle(int32_t *labels, long n, uint64_t seed)
{
    for (long i = n - 1; i > 0; --i) {
        long j = (long)ll_random_below(seed, SHUFFLE_STREAM, (uint64_t)i, (uint64_t)i + 1);
        int32_t kept = labels[i];
        labels[i] = labels[j];
        labels[j] = kept;
    }
}

ll_status ll_dataset_labels(int32_t *labels, long rows, const char *name, uint64_t seed, ll_error *error)
{
    const ll_dataset_info *info = find(name);
    if (!info)
        return ll_fail(error, LL_DOMAIN, "unknown data set '%.60s': there are titanic, imdb, satellite, mnist, cifar10",
                       name);
    if (rows != info->rows)
        return ll_fail(error, LL_DOMAIN, "data set %s has %ld rows, not %ld", name, info->rows, rows);
    count_out(labels, info);
    shuffle(labels, rows, seed);
    return LL_OK;
}
