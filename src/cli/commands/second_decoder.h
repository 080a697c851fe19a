/* --decoder exhaustive: LabelInf reads the same scores as the code's own decoder, knowing nothing of the code, and its
 * verdict is the one that counts. */
#ifndef LL_CLI_SECOND_DECODER_H
#define LL_CLI_SECOND_DECODER_H

#include "lossleak.h"

typedef struct {
    const ll_plan *plan;
    ll_evidence *evidence; /* NULL: not asked for */
    ll_oracle inner;
} ll_second_decoder;

/* name: as given, NULL for auto. LL_DOMAIN: no such decoder, labels that are only likely, or more labellings than can
 * be looked at. *plan must outlive it. */
LL_CHECK ll_status ll_cli_second_open(ll_second_decoder *decoder, const char *name, const ll_plan *plan,
                                      const ll_scorer *scorer, ll_error *error);
void ll_cli_second_close(ll_second_decoder *decoder);

/* The same oracle, overheard; `inner` itself where --decoder was not asked for. */
ll_oracle ll_cli_second_listen(ll_second_decoder *decoder, ll_oracle inner);

/* Put LabelInf's verdict in the place of the other, where it was asked for. LL_UNABLE where the two contradict each
 * other. */
LL_CHECK ll_status ll_cli_second_decide(const ll_second_decoder *decoder, ll_verdict *verdict, const ll_budget *budget,
                                        ll_error *error);

#endif
