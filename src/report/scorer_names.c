#include "report/scorer_names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const ll_report_transforms[] = {"identity", "negate", "root", "percent", NULL};
const char *const ll_report_clip_modes[] = {"none", "clip", "clip-renormalise", "log-clamp", "log-plus", "floor", NULL};
const char *const ll_report_orders[] = {"naive", "pairwise", "cascade", "compensated", "exact", NULL};
const char *const ll_report_noises[] = {"none", "bounded", "gaussian", "laplace", NULL};
const char *const ll_report_draws[] = {"uniform", "plus", "minus", NULL};

_Static_assert(LL_PERCENT == 3 && LL_FLOOR == 5 && LL_SUM_EXACT == 4 && LL_NOISE_LAPLACE == 3 && LL_DRAW_MINUS == 2,
               "the names stand in the order of the enums");

int ll_report_find_name(ll_names names, const char *word, size_t length)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0)
            return i;
    return -1;
}

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void ll_report_list_names(char *text, size_t size, ll_names names)
{
    text[0] = '\0';
    for (int i = 0; names[i]; i++)
        append(text, size, "%s%s", i ? "|" : "", names[i]);
}

void ll_report_write_noise(char *text, size_t size, const ll_scorer *scorer)
{
    (void)snprintf(text, size, "%s", ll_report_noises[scorer->noise]);
    if (scorer->noise != LL_NOISE_NONE)
        append(text, size, ":%s", scorer->noise_size);
    if (scorer->noise == LL_NOISE_BOUNDED)
        append(text, size, ",%s", ll_report_draws[scorer->draw]);
}

void ll_report_write_release(char *text, size_t size, const ll_scorer *scorer)
{
    if (scorer->ladder)
        (void)snprintf(text, size, "ladder:%s", scorer->ladder);
    else
        (void)snprintf(text, size, "plain");
}

static void append_computation(char *text, size_t size, const ll_scorer *scorer)
{
    append(text, size, "%s", scorer->loss);
    if (scorer->transform != LL_IDENTITY)
        append(text, size, ", %s", ll_report_transforms[scorer->transform]);
    if (scorer->clip_mode != LL_CLIP_NONE)
        append(text, size, ", %s %s", ll_report_clip_modes[scorer->clip_mode], scorer->clip);
    append(text, size, ", %s", scorer->arithmetic);
    if (strcmp(scorer->arithmetic, "exact") == 0)
        return;
    if (scorer->loss_arithmetic && strcmp(scorer->loss_arithmetic, "rows") != 0)
        append(text, size, ", loss in %s", scorer->loss_arithmetic);
    append(text, size, ", %s sum", ll_report_orders[scorer->order]);
    if (scorer->sum_arithmetic && strcmp(scorer->sum_arithmetic, scorer->arithmetic) != 0)
        append(text, size, " in %s", scorer->sum_arithmetic);
}

static void append_release(char *text, size_t size, const ll_scorer *scorer)
{
    char part[256];
    if (scorer->rounding != LL_ROUND_NONE)
        append(text, size, ", %s to %d %s", scorer->truncate ? "cut" : "rounded", scorer->places,
               scorer->rounding == LL_ROUND_DECIMALS ? "decimals" : "digits");
    if (scorer->noise != LL_NOISE_NONE) {
        ll_report_write_noise(part, sizeof part, scorer);
        append(text, size, ", noise %s", part);
    }
    if (scorer->ladder)
        append(text, size, ", ladder %s", scorer->ladder);
    if (scorer->queries)
        append(text, size, ", at most %ld queries", scorer->queries);
}

void ll_report_write_scorer(char *text, size_t size, const ll_scorer *scorer)
{
    text[0] = '\0';
    if (scorer->profile)
        append(text, size, "%s: ", scorer->profile);
    append_computation(text, size, scorer);
    append_release(text, size, scorer);
}
