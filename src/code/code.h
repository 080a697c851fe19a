/* Codes: which weight each label of each row adds, so that different labellings have different sums.
 *
 * A code knows nothing of losses, noise or files. It is built for a block of `rows` rows with `classes`
 * labels each, in units of its own: weight(j, k) is what label k of row j adds, and the sums of two
 * different labellings of the block differ by at least gap. The plan chooses the unit so that gap * unit
 * exceeds the noise. Each code is a row of a table, in a file of its own. */
#ifndef LL_CODE_CODE_H
#define LL_CODE_CODE_H

#include "number/exact.h"

typedef struct ll_code ll_code;

/* All labellings of a block whose sum of weights may lie in an interval. Sound, not always sharp: a labelling
 * that fits is never missing. */
typedef struct {
    int count;                 /* 0: none fits; 1: just one; 2: two or more (or too many to list) */
    int32_t *labels;           /* rows of them: the label, or -1 where the row is open */
    unsigned char *candidates; /* rows * classes: 1 where some fitting labelling may give row j label k */
} ll_decoded;

/* The variant of a level code whose levels are halves, where it has one. */
#define LL_HALF_VARIANT "odd"

/* A code whose weights are the digits of one large number (src/code/positional.c). */
typedef enum {
    LL_DIGITS_NONE,    /* it is not */
    LL_DIGITS_PLAIN,   /* the digit of label k is k, base 2 */
    LL_DIGITS_ONE_HOT, /* the digit of label k is 2^k, base 2^K */
    LL_DIGITS_RADIX    /* the digit of label k is k, base K */
} ll_digits_kind;

typedef struct {
    ll_digits_kind kind;
    int sign; /* of the weights: +1, or -1 where the paper's construction lowers the loss */
} ll_digits;

typedef ll_status ll_see_rows(void *self, long query, long first, long count);

/* Codes over bounded integers ("levels"), in one query or several; all NULL for the others. row -1: a row outside
 * the block. */
typedef struct {
    int64_t (*level)(const ll_code *code, long row, long label);
    /* the labels that have exactly these sums; NULL: sums alone do not determine labels */
    ll_status (*decode)(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error);
    int one_sign;       /* levels are never below 0 */
    int starts_at_zero; /* label 0 adds 0, in every row and query */
    /* A number from 0 to code->kinds - 1 for each of the rows first .. first + count - 1: rows with the same number
     * have the same levels, in any query. NULL, with one query: every row is a kind of its own. */
    void (*get_kinds)(const ll_code *code, int32_t *out, long first, long count);
    /* Shows every kind that some row of some query has at least once: see(self, query, first, count) until it fails. */
    ll_status (*show_kinds)(const ll_code *code, ll_see_rows *see, void *self);
} ll_bounded_code;

typedef struct ll_code_row {
    ll_code_info info; /* for people, and its name */
    int binary_only;
    int fixed_unit; /* the loss must add the weights themselves: the unit is 1 */

    ll_digits digits;

    double (*predict_bits)(long rows, long classes); /* NULL: a bit for each bit of a positional sum */

    /* The code's functions; NULL if levels, labels or digits are enough. Contracts: ll_code_weight and so on below. A
     * code without any of these has weights of 0: the strategy knows what its rows add. */
    size_t state_size;                                   /* of code->data, zeros at first; 0: no data */
    ll_status (*create)(ll_code *code, ll_error *error); /* rows, classes, variant, step and data are set */
    void (*clear)(ll_code *code);                        /* free what data holds, even if unfinished; not data itself */
    /* Optional: prepare for fast access to the weights of all rows, to `prec` bits. Results do not depend on it. */
    void (*prepare)(ll_code *code, slong prec);
    void (*weight)(const ll_code *code, arb_t out, long row, long label, slong prec);
    void (*sum_labelling)(const ll_code *code, arb_t out, const int32_t *labels, slong prec);
    void (*get_gap)(const ll_code *code, arb_t out, slong prec);  /* NULL: 1 */
    void (*get_span)(const ll_code *code, arb_t out, slong prec); /* NULL without digits: a level, or 1, a row */
    ll_status (*decode)(const ll_code *code, ll_decoded *out, const arb_t sum, ll_error *error);

    ll_bounded_code bounded; /* of codes over bounded integers */

    /* For codes whose predictions are labels: the predicted label, which has weight 1; all others have weight 0. Else
     * NULL. */
    int32_t (*predict)(const ll_code *code, long row);

    /* Labels that the first `queries` queries of a block determine, 1 .. code->queries; NULL: all or none. */
    long (*labels_in)(const ll_code *code, long queries);
} ll_code_row;

struct ll_code {
    const ll_code_row *row;
    long rows, classes;
    long queries;        /* how many queries one block takes, 1 for most */
    long query;          /* the one that this view is about */
    int64_t levels;      /* level codes: the largest size of a weight */
    long others;         /* rows outside the block, if each of them adds what row -1 does */
    long counted;        /* rows at the end that have the same prediction in all queries: they are not asked about */
    long kinds;          /* number of kinds of rows, if get_kinds is set */
    const char *variant; /* points into row->info.variants */
    ll_exact step;       /* N * tau, for codes with a fixed unit that depends on it */
    void *data;          /* of the code itself, by malloc */
};

/* The decoded labelling represents all labellings with its sums. This opens the rows that are not asked about (labels
 * of -1 among them), unless all of them have one label. Call it before the labelling is used. */
void ll_decoded_open_counted(const ll_code *code, ll_decoded *decoded);
/* Add the labellings of `one` to those of out: only rows in which all agree stay known. */
void ll_decoded_join(ll_decoded *out, const ll_decoded *one, long rows, long classes);

/* The variant's text in the row's list, by which a code knows it; NULL: the row has no such variant. */
const char *ll_code_find_variant(const ll_code_row *row, const char *name);
/* "detecting:odd" of a row and a variant (NULL: its name alone). */
void ll_code_write_name(char *text, size_t size, const ll_code_row *row, const char *variant);

/* About how many bits the largest number of the code will have, before it is made. */
double ll_code_predict_bits(const ll_code_row *row, long rows, long classes);

/* A code of that row. variant: one of its list, NULL: the first. step may be NULL (0). levels: for codes over bounded
 * integers, the largest weight allowed; hadamard: the number of queries; ranks: the least step; detecting:labels
 * and ordered: 1 and the number of rows that are asked about, the first ones (1: all); cells: ll_cells_levels; else
 * ignored.
 * LL_DOMAIN: rows < 1, classes < 2, a binary code with more classes. */
LL_CHECK ll_status ll_code_create(ll_code **out, const ll_code_row *row, const char *variant, long rows, long classes,
                                  const ll_exact *step, int64_t levels, ll_error *error);
void ll_code_destroy(ll_code *code);
/* Prepare for fast access to weights of up to `prec` bits. A code is constant afterwards. */
void ll_code_prepare(ll_code *code, slong prec);

/* Are the weights integers of at most code->levels in size? Then each query has an integer sum, and
 * ll_code_decode_levels computes the labels from the exact sums of all queries. */
int ll_code_has_levels(const ll_code *code);
/* sums[0 .. queries-1]; out->count is 0 where no labelling has these sums. */
LL_CHECK ll_status ll_code_decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error);

/* Are its predictions labels, so that a sum is the number of rows whose label was predicted? */
int ll_code_has_labels(const ll_code *code);
/* Two classes and such predictions: every label changes every sum by 1, so the sums of all queries less this (0 or 1)
 * are even together or odd together. So they are with detecting:odd, whose rows' levels are odd in all queries or even
 * in all. -1 for other codes. */
int ll_code_parity(const ll_code *code);
/* Labels that the first `queries` queries of a block determine, 0 .. code->queries; it never falls as queries grow. */
long ll_code_labels_in(const ll_code *code, long queries);

/* Must the unit be 1? (A variant may differ from its row.) */
int ll_code_has_fixed_unit(const ll_code *code);
/* Are the weights integers, digit(label) * base^row? (A variant may differ from its row.) */
int ll_code_is_integral(const ll_code *code);
void ll_code_digit(const ll_code *code, fmpz_t out, long label);
ulong ll_code_shift(const ll_code *code, long row); /* not radix: base^row = 2^shift */
/* The last power that was computed; the caller keeps it, zeros at first. Rows are mostly requested in order, so that
 * the next power is one multiplication by K instead of many by large numbers. */
typedef struct {
    long row;
    fmpz_t power; /* base^row; 0: none yet */
} ll_code_power;
/* x * base^row; last may be NULL. */
void ll_code_scale(const ll_code *code, fmpz_t out, const fmpz_t x, long row, ll_code_power *last);
/* What label `label` of row `row` adds, with relative error 2^-prec (0 for integers). */
void ll_code_weight(const ll_code *code, arb_t out, long row, long label, slong prec);
/* The weights of all labels: out[0 .. classes-1]. */
void ll_code_weights(const ll_code *code, arb_ptr out, long row, slong prec);
/* A proved lower bound, > 0, of the least difference between the sums of two labellings; and largest minus least sum.
 * The base-2 logarithm of span / gap is the number of bits that a score must carry. */
void ll_code_gap(const ll_code *code, arb_t out, slong prec);
void ll_code_span(const ll_code *code, arb_t out, slong prec);
/* Every labelling whose sum lies in the ball; out as from ll_decoded_init. LL_DOMAIN where the ball is not finite. */
LL_CHECK ll_status ll_code_decode(const ll_code *code, ll_decoded *out, const arb_t sum, ll_error *error);

/* Sum over all rows of the weight of the row's label. */
void ll_code_sum_labelling(const ll_code *code, arb_t out, const int32_t *labels, slong prec);
/* The same where every row has label `label`; LL_MEMORY. */
LL_CHECK ll_status ll_code_sum_label(const ll_code *code, arb_t out, long label, slong prec);

/* The prime of entry (row, label) of the code prime-rows. */
mp_limb_t ll_prime_rows_prime(const ll_code *code, long row, long label);

LL_CHECK ll_status ll_decoded_init(ll_decoded *decoded, long rows, long classes); /* LL_MEMORY */
void ll_decoded_clear(ll_decoded *decoded);
void ll_decoded_set_none(ll_decoded *decoded, long rows, long classes);
void ll_decoded_set_open(ll_decoded *decoded, long rows, long classes);   /* every label of every row */
void ll_decoded_set_unique(ll_decoded *decoded, long rows, long classes); /* exactly its labels; -1: none */

/* Is variant `name` the one this code was made with? */
int ll_code_is_variant(const ll_code *code, const char *name);

#endif
