/* Which law of noise do numbers follow that should be one number? */
#ifndef LL_IDENTIFY_NOISE_LAW_H
#define LL_IDENTIFY_NOISE_LAW_H

typedef struct {
    const char *name; /* of the setting noise */
    double least;     /* kurtosis of samples that it is named for */
    double size;      /* what the setting takes, in standard deviations */
} ll_noise_law;

/* NULL: none that is known. */
const ll_noise_law *ll_noise_law_find(double kurtosis);

#endif
