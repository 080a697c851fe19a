/* Reading labels off the digits of an integer, or of all integers of a range.
 *
 * The integers that labellings can give are called admissible. The least admissible integer >= low and the greatest <=
 * high bracket every labelling that fits: equal, it is the only one; crossed, there is none; else the rows above the
 * highest digit in which they differ are the same in all of them, and the rows below are open. */
#include "code/positional.h"

#include "number/ball_bits.h"

#include <stdlib.h>
#include <string.h>

static int is_one_hot(const ll_code *code)
{
    return code->row->digits.kind == LL_DIGITS_ONE_HOT;
}

static int is_radix(const ll_code *code)
{
    return code->row->digits.kind == LL_DIGITS_RADIX;
}

static long group_bits(const ll_code *code)
{
    return is_one_hot(code) ? code->classes : 1;
}

void ll_code_digit(const ll_code *code, fmpz_t out, long label)
{
    fmpz_set_si(out, code->row->digits.sign * (is_one_hot(code) ? 1 : label));
    fmpz_mul_2exp(out, out, is_one_hot(code) ? (ulong)label : 0);
}

ulong ll_code_shift(const ll_code *code, long row)
{
    return (ulong)row * (ulong)group_bits(code);
}

static void set_power(fmpz_t out, long classes, long exponent)
{
    fmpz_set_si(out, classes);
    fmpz_pow_ui(out, out, (ulong)exponent);
}

static void move_power(ll_code_power *last, long classes, long row)
{
    if (!fmpz_is_zero(last->power) && last->row + 1 == row)
        fmpz_mul_si(last->power, last->power, classes);
    else if (fmpz_is_zero(last->power) || last->row != row)
        set_power(last->power, classes, row);
    last->row = row;
}

void ll_code_scale(const ll_code *code, fmpz_t out, const fmpz_t x, long row, ll_code_power *last)
{
    if (!is_radix(code)) {
        fmpz_mul_2exp(out, x, ll_code_shift(code, row));
        return;
    }
    ll_code_power own = {0};
    ll_code_power *power = last != NULL ? last : &own;
    move_power(power, code->classes, row);
    fmpz_mul(out, x, power->power);
    fmpz_clear(own.power);
}

/* All rows at their greatest digit minus all at their least is below base^rows. */
void ll_positional_span(const ll_code *code, arb_t out)
{
    arb_one(out);
    if (is_radix(code)) {
        arb_set_si(out, code->classes);
        arb_pow_ui(out, out, (ulong)code->rows, 64);
    } else {
        arb_mul_2exp_si(out, out, code->rows * group_bits(code));
    }
}

/* ---- digits in base K: halves, by one division of that size a level */

static void split_digits(int32_t *labels, const fmpz_t value, long rows, long classes)
{
    if (rows == 1 || fmpz_abs_fits_ui(value)) {
        ulong rest = fmpz_get_ui(value);
        for (long i = 0; i < rows; i++, rest /= (ulong)classes)
            labels[i] = (int32_t)(rest % (ulong)classes);
        return;
    }
    long low = rows / 2;
    fmpz_t power, high, rest;
    fmpz_init(power);
    fmpz_init(high);
    fmpz_init(rest);
    set_power(power, classes, low);
    fmpz_fdiv_qr(high, rest, value, power);
    fmpz_clear(power);
    split_digits(labels, rest, low, classes);
    split_digits(labels + low, high, rows - low, classes);
    fmpz_clear(high);
    fmpz_clear(rest);
}

static void join_digits(fmpz_t out, const int32_t *labels, long rows, long classes)
{
    if (rows == 1) {
        fmpz_set_si(out, labels[0]);
        return;
    }
    long low = rows / 2;
    fmpz_t high, power;
    fmpz_init(high);
    fmpz_init(power);
    join_digits(out, labels, low, classes);
    join_digits(high, labels + low, rows - low, classes);
    set_power(power, classes, low);
    fmpz_addmul(out, high, power);
    fmpz_clear(high);
    fmpz_clear(power);
}

void ll_positional_sum(const ll_code *code, arb_t out, const int32_t *labels)
{
    fmpz_t sum;
    fmpz_init(sum);
    join_digits(sum, labels, code->rows, code->classes);
    arb_set_fmpz(out, sum);
    if (code->row->digits.sign < 0)
        arb_neg(out, out);
    fmpz_clear(sum);
}

static void set_end(fmpz_t out, const arf_t end, slong bits, arf_rnd_t rounding)
{
    if (arf_cmpabs_2exp_si(end, bits) < 0) {
        arf_get_fmpz(out, end, rounding);
    } else {
        fmpz_set_si(out, arf_sgn(end));
        fmpz_mul_2exp(out, out, (ulong)bits);
    }
}

ll_status ll_code_integers(fmpz_t low, fmpz_t high, const arb_t ball, slong bits)
{
    if (!arb_is_finite(ball))
        return LL_DOMAIN;
    arf_t least, greatest;
    arf_init(least);
    arf_init(greatest);
    arb_get_interval_arf(least, greatest, ball, bits + 64); /* ends below 2^bits are kept to 2^-64 */
    set_end(low, least, bits, ARF_RND_CEIL);
    set_end(high, greatest, bits, ARF_RND_FLOOR);
    arf_clear(least);
    arf_clear(greatest);
    return LL_OK;
}

int ll_code_count_integers(int64_t *least, const arb_t ball)
{
    fmpz_t low, high;
    fmpz_init(low);
    fmpz_init(high);
    int count = 3;
    if (ll_code_integers(low, high, ball, 64) == LL_OK) {
        const int fits = fmpz_bits(low) <= 62; /* and so does the next one */
        fmpz_sub(high, high, low);
        count = fmpz_sgn(high) < 0 ? 0 : fmpz_cmp_si(high, 2) >= 0 ? 3 : fits ? (int)fmpz_get_si(high) + 1 : 0;
    }
    *least = count == 1 || count == 2 ? fmpz_get_si(low) : 0;
    fmpz_clear(low);
    fmpz_clear(high);
    return count;
}

/* The greatest label whose digit is at most the group's value, -1 where there is none; *exact: is it equal? */
static int32_t group_label(const ll_code *code, const fmpz_t value, long row, int *exact)
{
    *exact = 1;
    if (!is_one_hot(code))
        return fmpz_tstbit(value, (ulong)row);
    ulong base = (ulong)row * (ulong)code->classes;
    int32_t highest = -1;
    for (long k = code->classes - 1; k >= 0; k--) {
        if (!fmpz_tstbit(value, base + (ulong)k))
            continue;
        if (highest >= 0) {
            *exact = 0;
            return highest;
        }
        highest = (int32_t)k;
    }
    *exact = highest >= 0;
    return highest;
}

/* Labels above `row` are set: make the least (step = 1) or greatest (step = -1) admissible number beyond them by moving
 * the lowest of them that can move one step, and everything below to its end. 0 where none can move. */
static int carry(int32_t *labels, long rows, long classes, long row, int step)
{
    int32_t stop = step > 0 ? (int32_t)classes - 1 : 0, start = step > 0 ? 0 : (int32_t)classes - 1;
    while (row < rows && labels[row] == stop)
        row++;
    if (row == rows)
        return 0;
    labels[row] += step;
    for (long i = 0; i < row; i++)
        labels[i] = start;
    return 1;
}

/* The least admissible number >= value (step = 1) or the greatest <= value (step = -1) as labels; 0 where there is
 * none. */
static int nearest_labels(const ll_code *code, int32_t *labels, const fmpz_t value, int step)
{
    long rows = code->rows, classes = code->classes;
    if (is_radix(code)) { /* every integer of the range is admissible */
        split_digits(labels, value, rows, classes);
        return 1;
    }
    for (long row = rows - 1; row >= 0; row--) {
        int exact;
        labels[row] = group_label(code, value, row, &exact);
        if (exact)
            continue;
        if (step > 0)
            labels[row]++;
        if (labels[row] < 0 || labels[row] >= classes)
            return carry(labels, rows, classes, row + 1, step);
        for (long i = 0; i < row; i++)
            labels[i] = step > 0 ? 0 : (int32_t)classes - 1;
        return 1;
    }
    return 1;
}

/* Clamp the range to 0 .. base^rows - 1, outside which no labelling lies; 0 where nothing is left. */
static int clamp(const ll_code *code, fmpz_t low, fmpz_t high)
{
    fmpz_t most;
    fmpz_init(most);
    fmpz_one(most);
    ll_code_scale(code, most, most, code->rows, NULL);
    fmpz_sub_ui(most, most, 1);
    if (fmpz_sgn(low) < 0)
        fmpz_zero(low);
    if (fmpz_cmp(high, most) > 0)
        fmpz_set(high, most);
    fmpz_clear(most);
    return fmpz_cmp(low, high) <= 0;
}

/* first <= last label by label from the top: what is common, what is open. */
static void bracket(const ll_code *code, ll_decoded *out, const int32_t *first, const int32_t *last)
{
    long row = code->rows - 1;
    while (row >= 0 && first[row] == last[row])
        row--;
    if (row >= 0 && first[row] > last[row]) {
        ll_decoded_set_none(out, code->rows, code->classes);
        return;
    }
    out->count = row < 0 ? 1 : 2;
    memset(out->candidates, 0, (size_t)code->rows * (size_t)code->classes);
    for (long i = 0; i < code->rows; i++) {
        int32_t from = i > row ? first[i] : i == row ? first[row] : 0;
        int32_t to = i > row ? first[i] : i == row ? last[row] : (int32_t)code->classes - 1;
        out->labels[i] = from == to ? from : -1;
        memset(out->candidates + i * code->classes + from, 1, (size_t)(to - from) + 1);
    }
}

static void decode_range(const ll_code *code, ll_decoded *out, fmpz_t low, fmpz_t high, int32_t *last)
{
    int32_t *first = out->labels;
    if (!clamp(code, low, high) || !nearest_labels(code, first, low, 1) || !nearest_labels(code, last, high, -1)) {
        ll_decoded_set_none(out, code->rows, code->classes);
        return;
    }
    bracket(code, out, first, last);
}

ll_status ll_positional_decode(const ll_code *code, ll_decoded *out, const arb_t sum, ll_error *error)
{
    int32_t *last = malloc(sizeof *last * (size_t)code->rows);
    if (last == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", code->rows);
    arb_t span;
    fmpz_t low, high;
    arb_init(span);
    fmpz_init(low);
    fmpz_init(high);
    ll_positional_span(code, span);
    ll_status status = ll_code_integers(low, high, sum, ll_ball_bits(span) + 1);
    if (status != LL_OK) {
        (void)ll_fail(error, status, "the sum of weights is not finite");
    } else {
        if (code->row->digits.sign < 0) {
            fmpz_swap(low, high);
            fmpz_neg(low, low);
            fmpz_neg(high, high);
        }
        decode_range(code, out, low, high, last);
    }
    arb_clear(span);
    fmpz_clear(low);
    fmpz_clear(high);
    free(last);
    return status;
}
