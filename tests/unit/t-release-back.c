/* From text back to number: whatever the release did, the interval of the text holds the program's number, it is no
 * wider than the bound that was promised before the text was seen, and for linear releases hardly wider than noise,
 * grid and roundoff make it. Every composition of up to two steps, every rounding, noise and arithmetic; numbers at
 * ties, at powers of ten, at 0. The texts are the simulated curator's, and those of a program in C as one writes it. */
#include "curator_tools.h"
#include "release/release.h"

static const char *const transforms[] = {
    "identity",       "negate",      "root",      "percent",         "negate,negate",        "negate,root",
    "negate,percent", "root,negate", "root,root", "root,percent",    "percent,root",         "percent,percent",
    "percent,negate", "offset:1",    "scale:-3",  "negate,offset:1", "offset:-0.25,percent", "scale:0.5,offset:2",
    "root,offset:-1",
};
static const char *const roundings[] = {"none",     "decimals:0", "decimals:1", "decimals:2", "decimals:3",
                                        "digits:1", "digits:2",   "digits:3",   "digits:4"};
static const char *const draws[] = {"none", "plus", "minus", "uniform"};
static const char *const sizes[] = {"0.01", "0.3", "3e-5"};

typedef enum { EXACT, FP64, FP32, TINY, ARITHMETICS } arithmetic;

enum { TRANSFORMS = 19, ROUNDINGS = 9, DRAWS = 4, PREC = 256, BITS = 80 };

static long tried, refused, short_texts;

typedef struct {
    ll_release r;
    const char *transform, *rounding, *draw;
    arithmetic how;
    double scale; /* of all steps, where they are linear */
    double shift; /* what offsets add, after the steps */
    double tau;
} setting;

static void set(setting *s, long transform, long rounding, int cut, long draw, arithmetic how)
{
    static const ll_format formats[] = {{11, 52}, {11, 52}, {8, 23}, {5, 6}};
    char text[60];
    const char *size = sizes[below(3)], *places = strchr(roundings[rounding], ':');
    *s =
        (setting){.transform = transforms[transform], .rounding = roundings[rounding], .draw = draws[draw], .how = how};
    ll_release_init(&s->r);
    assert_int_equal(ll_release_set_transform(&s->r, s->transform, NULL), LL_OK);
    if (rounding > 0 && roundings[rounding][1] == 'e')
        assert_int_equal(ll_release_set_decimals(&s->r, places + 1, NULL), LL_OK);
    else if (rounding > 0)
        assert_int_equal(ll_release_set_digits(&s->r, places + 1, NULL), LL_OK);
    (void)snprintf(text, sizeof text, "bounded:%s,%s", size, s->draw);
    assert_int_equal(ll_release_set_noise(&s->r, draw ? text : "none", NULL), LL_OK);
    s->tau = draw ? strtod(size, NULL) : 0;
    s->r.truncate = cut;
    s->r.is_float = how != EXACT;
    s->r.is_native = how == FP64 || how == FP32;
    s->r.format = formats[how];
    s->scale = fabs(ll_release_scale(&s->r));
    for (int i = 0; i < s->r.step_count; i++) {
        double own = fabs(ll_exact_get_d(&s->r.steps[i].own));
        s->shift = s->r.steps[i].row->shifts ? s->shift + own : s->r.steps[i].row->scales ? s->shift * own : s->shift;
    }
}

/* ---- numbers ---- */

static double own_of(const setting *s, int step)
{
    return ll_exact_get_d(&s->r.steps[step].own);
}

/* What the steps take to y, or about. */
static double unstep(const setting *s, double y)
{
    for (int i = s->r.step_count - 1; i >= 0; i--)
        y = s->r.steps[i].row->shifts ? y - own_of(s, i) : s->r.steps[i].row->scales ? y / own_of(s, i) : y * fabs(y);
    return y;
}

/* A released number that is hard: at a tie of the rounding or beside it, at a power of ten, at 0, or any. */
static double hard(const setting *s)
{
    static const double beside[] = {0, 1e-15, -1e-15, 1e-7, -1e-7, 1e-3, -1e-3};
    double places = s->r.rounding == LL_ROUND_DECIMALS ? s->r.places : (double)below(4);
    double side = 1 + beside[below(7)];
    switch (below(6)) {
    case 0:
        return ((double)below(2000) + 0.5) * pow(10, -places) * side;
    case 1:
        return (double)below(2000) * pow(10, -places) * side;
    case 2:
        return pow(10, (double)below(8) - 4) * side;
    case 3:
        return below(2) ? 0 : ldexp(uniform(), -(int)below(20));
    case 4: /* rounds up to a power of ten */
        return pow(10, (double)below(6) - 3) * (1 - 0.6 * pow(10, -(double)s->r.places) * uniform());
    default:
        return pow(10, 6 * uniform() - 3);
    }
}

/* A number of the arithmetic whose release is hard; it is negative only where the release does not rule that out. */
static double any_number(setting *s)
{
    double x = unstep(s, below(2) ? hard(s) : -hard(s) + (s->tau > 0 && below(2) ? s->tau : 0));
    s->r.is_nonnegative = (int)below(2);
    if (s->r.is_nonnegative || strncmp(s->transform, "root", 4) == 0 || strcmp(s->transform, "percent,root") == 0)
        x = fabs(x);
    if (strcmp(s->transform, "negate,root") == 0) {
        s->r.is_nonnegative = 0;
        x = -fabs(x);
    }
    if (s->how == FP32)
        return (double)(float)x;
    if (s->how != TINY)
        return x;
    mpfr_t value;
    ll_format_init(&s->r.format, value);
    ll_format_set_d(&s->r.format, value, x);
    x = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return x;
}

/* ---- the promise ---- */

/* The roundings that the release allows for, each of at most `size`; those of the noise are of its own. */
static double roundoff(const setting *s, double size)
{
    if (s->how == EXACT)
        return ldexp(1, -(int)s->r.precision);
    double u = ldexp(1, -(int)s->r.format.fraction_bits - 1);
    double units = (s->r.rounding != LL_ROUND_NONE) + (s->tau > 0) + s->r.step_count;
    return (units * u * size + 2 * u * s->tau) / (1 - 8 * u);
}

/* Half of what a text of this release allows, in units of the number; linear releases only. */
static double expected(const setting *s, const char *text)
{
    double y = fabs(strtod(text, NULL)), unit = 0;
    if (s->r.rounding == LL_ROUND_DECIMALS)
        unit = pow(10, -s->r.places);
    else if (s->r.rounding == LL_ROUND_DIGITS && y > 0)
        unit = pow(10, floor(log10(y) + 1e-9) + 1 - s->r.places);
    int both = s->r.truncate && y == 0 && !(s->r.is_nonnegative && s->tau == 0 && ll_release_keeps_sign(&s->r));
    double half = both ? unit : unit / 2;
    double least = ldexp(1, 2 - (1 << (s->r.format.exponent_bits - 1)) - (int)s->r.format.fraction_bits);
    return (half + s->tau + roundoff(s, y + 2 * half + s->tau + s->shift)) / s->scale + 3 * least;
}

static int is_linear(const setting *s)
{
    return strstr(s->transform, "root") == NULL;
}

/* Few digits where many are promised: such a text is as good as its last digit, and no bound was promised for it. */
static int is_short(const setting *s, const char *text)
{
    long digits = 0;
    for (const char *c = text; *c && *c != 'e'; c++)
        digits += *c >= '0' && *c <= '9' && (digits > 0 || *c != '0');
    int bits = s->tau > 0 && s->how != TINY ? 53 : (int)s->r.format.fraction_bits + 1;
    return s->how != EXACT && s->r.rounding == LL_ROUND_NONE && bits - 3.32 * (double)digits > 19;
}

static void complain(const setting *s, const char *what, double x, const char *text, const arb_t got)
{
    char *ball = arb_get_str(got, 20, ARB_STR_MORE);
    fail_msg("%s: %s, %s%s, noise %s %g, arithmetic %d, nonnegative %d: %.17g is released as %s, read as %s", what,
             s->transform, s->rounding, s->r.truncate ? " cut" : "", s->draw, s->tau, s->how, s->r.is_nonnegative, x,
             text, ball);
}

static void check_width(const setting *s, double x, const char *text, const arb_t got)
{
    arb_t bound, most;
    arb_init(bound);
    arb_init(most);
    arb_set_d(most, fabs(x));
    ll_release_get_bound(&s->r, bound, most, 0, LL_STATED_AND_OWN);
    double half = mag_get_d(arb_radref(got)), promised = arf_get_d(arb_midref(bound), ARF_RND_UP);
    if (!(half <= promised * (1 + 1e-6) + 1e-300)) /* radii have 30 bits */
        complain(s, "wider than its bound", x, text, got);
    if (is_linear(s) && !(half <= 1.01 * expected(s, text) + 1e-300))
        complain(s, "wider than it needs to be", x, text, got);
    int cancels =
        s->shift > 0 && s->how == TINY; /* a bound is for any sign: there roundoff of what was cancelled is all */
    if (is_linear(s) && s->r.rounding == LL_ROUND_DECIMALS && !cancels && !(promised <= 2.5 * expected(s, text)))
        complain(s, "its bound is absurd", x, text, bound);
    arb_clear(bound);
    arb_clear(most);
}

/* The text of x, read back, holds it: with every allowance, and without where nothing rounds but the release; alone,
 * and after a long text that vouches for short ones. */
static void check_text(const setting *s, double x, const char *text)
{
    arb_t got;
    arf_t number;
    arb_init(got);
    arf_init(number);
    arf_set_d(number, x);
    for (int way = s->how == EXACT ? 0 : 2; way < 4; way++) {
        static const ll_release_texts before = {.count = 1, .most = 1000};
        ll_allowance allowance = way < 2 ? LL_STATED : LL_STATED_AND_OWN;
        assert_int_equal(ll_release_read(&s->r, got, text, way % 2 ? &before : NULL, allowance, PREC, NULL), LL_OK);
        if (ll_release_undo(&s->r, got, 0, allowance, PREC) != LL_OK || !arb_contains_arf(got, number))
            complain(s, "lost", x, text, got);
    }
    if (is_short(s, text))
        short_texts++;
    else
        check_width(s, x, text, got);
    tried++;
    arf_clear(number);
    arb_clear(got);
}

/* ---- the simulated curator ---- */

/* An exact number is known as a ball: x lies anywhere in it, often at its end, and it is as wide as may be. */
static void set_raw(ll_unreleased *unreleased, const setting *s, double x)
{
    unreleased->is_float = s->r.is_float;
    unreleased->format = s->r.format;
    arb_set_d(unreleased->number, x);
    if (s->how == EXACT && below(2)) {
        double wide = ldexp(below(2) ? 1 : uniform(), -(int)s->r.precision - (below(3) > 0)) / s->scale;
        int exponent;
        arf_t off;
        arf_init(off);
        arf_set_d(off, below(2) ? wide : -wide);
        arf_add(arb_midref(unreleased->number), arb_midref(unreleased->number), off, ARF_PREC_EXACT, ARF_RND_DOWN);
        mag_set_d(arb_radref(unreleased->number), wide);
        if (frexp(wide, &exponent) == 0.5) /* mag_set_d rounds up */
            mag_set_ui_2exp_si(arb_radref(unreleased->number), 1, exponent - 1);
        arf_clear(off);
    }
    ll_unreleased_ends(unreleased->lower, unreleased->upper, unreleased->number);
}

/* A score of the one number that there is lies within the range of such scores. */
static void check_range(const setting *s, double x, const char *text)
{
    double low, high, y = strtod(text, NULL);
    ll_release_get_range(&s->r, &low, &high, x, x);
    if (!(low <= y && y <= high))
        fail_msg("%s, %s, noise %s %g: %.17g is released as %s, outside of %g .. %g", s->transform, s->rounding,
                 s->draw, s->tau, x, text, low, high);
}

static void release_number(setting *s)
{
    double x = any_number(s);
    ll_release_state state = {.seed = (uint64_t)below(1000)};
    ll_score score;
    ll_unreleased unreleased;
    int undecided;
    ll_score_init(&score);
    ll_unreleased_init(&unreleased);
    set_raw(&unreleased, s, x);
    if (ll_release_forward(&s->r, &state, &score, &unreleased, BITS, &undecided, NULL) == LL_OK) {
        check_text(s, x, score.text);
        check_range(s, x, score.text);
    } else {
        refused++; /* too near a tie, or it overflows */
    }
    ll_unreleased_clear(&unreleased);
    ll_score_clear(&score);
}

typedef void (*visit)(setting *s);

static void each_setting(visit f, arithmetic first, arithmetic last, long times)
{
    setting s;
    for (long t = 0; t < TRANSFORMS; t++)
        for (long r = 0; r < ROUNDINGS; r++)
            for (int cut = 0; cut < (r > 0 ? 2 : 1); cut++)
                for (long d = 0; d < DRAWS; d++)
                    for (arithmetic how = first; how <= last; how++)
                        for (long i = 0; i < times * multiplier; i++) {
                            set(&s, t, r, cut, d, how);
                            f(&s);
                            ll_release_clear(&s.r);
                        }
}

static void test_curator(void **state)
{
    (void)state;
    tried = refused = short_texts = 0;
    each_setting(release_number, EXACT, TINY, 14);
    print_message("%ld texts of the curator read back, %ld of them short; %ld refused\n", tried, short_texts, refused);
    assert_true(tried > 4 * refused);
}

/* ---- a program as one writes it ---- */

static double in_format(const setting *s, double x)
{
    return s->how == FP32 ? (double)(float)x : x;
}

static double steps_in_c(const setting *s, double y)
{
    for (int i = 0; i < s->r.step_count; i++)
        y = in_format(s, s->r.steps[i].row->shifts   ? y + own_of(s, i)
                         : s->r.steps[i].row->scales ? own_of(s, i) * y
                                                     : sqrt(y));
    return y;
}

/* round(y * 10^d) / 10^d, as programs do it, in the format of the number that is rounded. */
static void print_in_c(const setting *s, char *text, size_t size, double y)
{
    int places = s->r.places, narrow = s->how == FP32 && s->tau == 0;
    double power = pow(10, places), scaled = narrow ? (double)((float)y * (float)power) : y * power;
    if (s->r.rounding == LL_ROUND_NONE)
        (void)snprintf(text, size, narrow ? "%.9g" : "%.17g", y);
    else if (s->r.rounding == LL_ROUND_DECIMALS)
        (void)snprintf(text, size, "%.*f", places, (s->r.truncate ? trunc(scaled) : rint(scaled)) / power);
    else
        (void)snprintf(text, size, "%.*e", places - 1, y);
}

/* The text alone holds the number that was written, noise included: means are taken of such intervals. */
static void check_noised(const setting *s, double y, const char *text)
{
    arb_t got;
    arf_t number;
    arb_init(got);
    arf_init(number);
    arf_set_d(number, y);
    assert_int_equal(ll_release_read(&s->r, got, text, NULL, LL_STATED_AND_OWN, PREC, NULL), LL_OK);
    if (!arb_contains_arf(got, number))
        complain(s, "not the number that was written", y, text, got);
    arf_clear(number);
    arb_clear(got);
}

static void run_program(setting *s)
{
    char text[400];
    double x = any_number(s), y = steps_in_c(s, x), draw = 2 * uniform() - 1;
    if (s->r.rounding == LL_ROUND_DIGITS && s->r.truncate) /* printf does not cut */
        return;
    y += s->tau * (s->draw[0] == 'p' ? 1 : s->draw[0] == 'm' ? -1 : draw);
    if (!isfinite(y) || fabs(y) > 1e12) {
        refused++;
        return;
    }
    print_in_c(s, text, sizeof text, y);
    check_noised(s, y, text);
    check_text(s, x, text);
}

/* Two numbers are as far apart after the steps as was promised, and the promise is no more than 2.1 times too small for
 * numbers that are near each other and near their limit. */
static void keep_apart(setting *s)
{
    double most = in_format(s, hard(s) + 1e-3), b = in_format(s, most * (below(2) ? 1 - 0.01 * uniform() : uniform()));
    double a = in_format(s, b * (1 - uniform() / 2));
    double far = fabs(steps_in_c(s, most) - steps_in_c(s, b));
    arb_t difference, limit;
    if (s->transform[0] == 'n' && strstr(s->transform, "root") != NULL)
        return; /* there is none of a number below 0 */
    arb_init(difference);
    arb_init(limit);
    for (int near = 0; near < 2; near++) {
        double x = near ? most : a;
        arb_set_d(difference, fabs(x - b));
        arb_set_d(limit, most);
        ll_release_least_difference(&s->r, difference, limit);
        double least = arf_get_d(arb_midref(difference), ARF_RND_UP);
        if (!(least <= fabs(steps_in_c(s, x) - steps_in_c(s, b)) + 1e-12))
            fail_msg("%s: %g and %g, at most %g: promised %g", s->transform, x, b, most, least);
        if (near && b > 0.9 * most && far > 1e-3 && s->how != FP32 && !(least * 2.1 >= far))
            fail_msg("%s: %g and %g are %g apart, promised only %g", s->transform, x, b, far, least);
    }
    arb_clear(difference);
    arb_clear(limit);
    tried++;
}

static void test_differences(void **state)
{
    (void)state;
    tried = 0;
    each_setting(keep_apart, FP64, FP32, 4);
    print_message("%ld pairs of numbers\n", tried);
}

static void test_program(void **state)
{
    (void)state;
    tried = refused = short_texts = 0;
    each_setting(run_program, FP64, FP32, 16);
    print_message("%ld texts of a C program read back, %ld of them short; %ld refused\n", tried, short_texts, refused);
    assert_true(tried > 4 * refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_curator), cmocka_unit_test(test_program),
                                       cmocka_unit_test(test_differences)};
    read_environment("t-release-back");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
