/* Found by simulated annealing on the number of equal sums; t-matches adds up every sum. */
#include "code/match_seeds.h"

/* clang-format off */
static const int16_t seed_3_4[] = {-7, 0, 7,
    -8, 0, 8,
    -5, 0, 5};
static const int16_t seed_3_7[] = {-40, 0, 40,
    -64, 0, 64,
    -56, 0, 56,
    -45, -16, 61,
    -63, 0, 63};
static const int16_t seed_4_4[] = {-4, -3, 0, 7,
    -7, -1, 1, 7};
static const int16_t seed_4_6[] = {-27, -3, 3, 27,
    -18, -10, -2, 30,
    -20, -11, 1, 30};
static const int16_t seed_4_8[] = {-108, -6, 6, 108,
    -63, -32, -19, 114,
    -81, -27, 9, 99,
    -95, -21, -7, 123};
static const int16_t seed_6_6[] = {-16, -9, -7, 7, 9, 16,
    -23, -6, -2, -1, 4, 28};
static const int16_t seed_6_8[] = {-108, -12, 12, 15, 18, 75,
    -64, -44, -18, 20, 40, 66,
    -112, -10, 5, 23, 38, 56};
static const int16_t seed_7_6[] = {-16, -10, -5, 0, 5, 10, 16,
    -29, -2, -1, 0, 1, 2, 29};
static const int16_t seed_8_7[] = {-26, -19, -12, -3, 4, 10, 17, 29,
    -62, -1, 0, 1, 2, 3, 4, 53};
static const int16_t seed_10_8[] = {-48, -37, -30, -9, -2, 2, 9, 30, 37, 48,
    -57, -24, -21, -19, -4, -2, 12, 32, 34, 49};
/* clang-format on */

const ll_match_seed ll_match_seeds[] = {
    {3, 4, 3, seed_3_4}, {3, 7, 5, seed_3_7}, {4, 4, 2, seed_4_4}, {4, 6, 3, seed_4_6}, {4, 8, 4, seed_4_8},
    {6, 6, 2, seed_6_6}, {6, 8, 3, seed_6_8}, {7, 6, 2, seed_7_6}, {8, 7, 2, seed_8_7}, {10, 8, 2, seed_10_8},
};

const int ll_match_seed_count = sizeof ll_match_seeds / sizeof ll_match_seeds[0];
