/* The defence as code. Noise is drawn in integers by the exact sampler of Canonne, Kamath and Steinke (2020), so that
 * no rounding of floats gives it away; tests/real/r-release.py runs what is printed here. */
#include "report/defence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char code[] =
    "from math import ceil\n"
    "from secrets import randbelow\n"
    "\n"
    "def chance(a, b):  # true with probability exp(-a/b), 0 <= a <= b, exactly\n"
    "    k = 1\n"
    "    while randbelow(b * k) < a:\n"
    "        k += 1\n"
    "    return k %% 2 == 1\n"
    "\n"
    "def laplace(scale):  # an integer n with probability proportional to exp(-|n|/scale), exactly\n"
    "    while True:\n"
    "        n, sign = randbelow(scale), randbelow(2)\n"
    "        if chance(n, scale):\n"
    "            while chance(1, 1):\n"
    "                n += scale\n"
    "            if n or sign:\n"
    "                return n if sign else -n\n"
    "\n"
    "def release(losses, most=%.4g, epsilon=%.3g, answers=%ld, decimals=%d):\n"
    "    unit = 2**20  # the sum is one of integers: no order, no rounding tells anything\n"
    "    total = sum(round(unit * min(max(float(loss), 0.0), most)) for loss in losses)\n"
    "    total += laplace(ceil(answers * (unit * most + 1) / epsilon))\n"
    "    return round(total / (unit * len(losses)), decimals)\n";

void ll_report_write_python(char *text, size_t size, const ll_scorer *scorer, long rows, const ll_audit_bound *bound)
{
    double clipped = -log(0.01);
    long limit = ll_scorer_get_count(scorer, "queries"), answers = limit > 0 ? limit : 100;
    /* The most that a row's loss may be: what its scorer gives it, where that is known and less. */
    double most = bound->reach < clipped ? bound->reach : clipped, epsilon = 1;
    double noise = (double)answers * most / (epsilon * (double)rows);
    int decimals = (int)fmax(0, fmin(9, ceil(-log10(noise)))); /* finer ones show noise only */
    (void)snprintf(text, size, code, most, epsilon, answers, decimals);
}
