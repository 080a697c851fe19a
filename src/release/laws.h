/* The one list of the laws, one per file, and what they share. */
#ifndef LL_RELEASE_LAWS_H
#define LL_RELEASE_LAWS_H

#include "release/law.h"

/* The name, how texts write what follows its colon, and a sentence for the help where the name does not say it all. The
 * table, the help and the messages are made from these lines. */
#define LL_LAWS(law)                                                                                                           \
    law(bounded, "TAU[,uniform|plus|minus]",                                                                                   \
        " The suffix of bounded says how it is simulated: uniform or the worst case.") law(gaussian, "SIGMA",                  \
                                                                                           "") law(laplace, "B", "")           \
        law(proportional, "C",                                                                                                 \
            " Proportional noise is Gaussian; its standard deviation is C/2 times the root of the sum of squares of the most " \
            "that each label can move the score of this submission.")

#define LL_LAW_DECLARED(name, size, sentence) extern const ll_law ll_law_##name;
LL_LAWS(LL_LAW_DECLARED)
#undef LL_LAW_DECLARED

/* "bounded:TAU[,uniform|plus|minus], gaussian:SIGMA, " and so on, a comma and a blank after each; and the sentences. */
#define LL_LAW_FORM(name, size, sentence) #name ":" size ", "
#define LL_LAW_SENTENCE(name, size, sentence) sentence
#define LL_LAW_FORMS LL_LAWS(LL_LAW_FORM)
#define LL_LAW_SENTENCES LL_LAWS(LL_LAW_SENTENCE)

double ll_gaussian_draw(ll_draw draw, uint64_t seed, uint64_t stream);
double ll_gaussian_tail(double x, long repeats);

#endif
