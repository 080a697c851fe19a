/* What the platform's own configuration says of a challenge: how many submissions there are, and what of an answer is
 * shown. It stands beside the program: EvalAI's challenge_config.yaml, Codabench's competition.yaml. */
#ifndef LL_PROGRAMS_PLATFORM_H
#define LL_PROGRAMS_PLATFORM_H

#include <lossleak/identify.h>

typedef struct {
    char path[1024];     /* of the file; "": there is none, and nothing below is set */
    char phase[120];     /* that was read */
    long per_day, total; /* submissions of one account; 0: not said */
    long days;           /* that the phase lasts; 0: not said */
    long decimals;       /* of the leaderboard, the most of its columns; -1: not said */
    int hides_files;     /* participants see the leaderboard and not the files and logs of a run */
    char hidden[400];    /* columns that the leaderboard does not show, separated by commas */
    char words[1600];    /* all of it in a sentence */
} ll_platform;

/* Looks in the program's folder and in the three above it. LL_DOMAIN: the file is no YAML, or has no phases. */
LL_CHECK ll_status ll_platform_read(ll_platform *out, const char *interface, const char *program, const char *phase,
                                    ll_error *error);

#endif
