/* What all codes share: making one, asking it, and the container of decoded labels. */
#include "code/positional.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ll_code_find_variant(const ll_code_row *row, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = row->info.variants; *at != '\0' && length > 0; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && memcmp(at, name, length) == 0)
            return at;
    return NULL;
}

int ll_code_is_variant(const ll_code *code, const char *name)
{
    size_t length = strlen(name);
    return strcspn(code->variant, " ") == length && memcmp(code->variant, name, length) == 0;
}

static ll_status check(const ll_code_row *row, long rows, long classes, ll_error *error)
{
    if (rows < 1)
        return ll_fail(error, LL_DOMAIN, "a code needs at least 1 row, not %ld", rows);
    if (classes < 2)
        return ll_fail(error, LL_DOMAIN, "a code needs at least 2 classes, not %ld", classes);
    if (row->binary_only && classes > 2)
        return ll_fail(error, LL_DOMAIN, "the code %s is for 2 classes, not %ld; paper-multiclass takes any number",
                       row->info.name, classes);
    return LL_OK;
}

ll_status ll_code_create(ll_code **out, const ll_code_row *row, const char *variant, long rows, long classes,
                         const ll_exact *step, int64_t levels, ll_error *error)
{
    ll_status status = check(row, rows, classes, error);
    if (status != LL_OK)
        return status;
    ll_code *code = calloc(1, sizeof *code);
    if (code == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a code");
    *code = (ll_code){.row = row, .rows = rows, .classes = classes, .queries = 1, .levels = levels};
    code->variant = variant != NULL ? ll_code_find_variant(row, variant) : row->info.variants;
    assert(code->variant != NULL);
    ll_exact_init(&code->step);
    if (step != NULL)
        ll_exact_set(&code->step, step);
    code->data = row->state_size > 0 ? calloc(1, row->state_size) : NULL;
    if (row->state_size > 0 && code->data == NULL)
        status = ll_fail(error, LL_MEMORY, "no memory for a code");
    else if (row->create != NULL)
        status = row->create(code, error);
    if (status != LL_OK) {
        ll_code_destroy(code);
        return status;
    }
    *out = code;
    return LL_OK;
}

void ll_code_destroy(ll_code *code)
{
    if (code == NULL)
        return;
    if (code->row->clear != NULL && code->data != NULL)
        code->row->clear(code);
    free(code->data);
    ll_exact_clear(&code->step);
    free(code);
}

void ll_code_prepare(ll_code *code, slong prec)
{
    if (code->row->prepare != NULL)
        code->row->prepare(code, prec);
}

void ll_code_write_name(char *text, size_t size, const ll_code_row *row, const char *variant)
{
    (void)snprintf(text, size, "%s%s%s", row->info.name, variant != NULL ? ":" : "", variant != NULL ? variant : "");
}

double ll_code_predict_bits(const ll_code_row *row, long rows, long classes)
{
    if (row->predict_bits != NULL)
        return row->predict_bits(rows, classes);
    if (row->bounded.level != NULL)
        return 64;
    if (row->digits.kind == LL_DIGITS_RADIX)
        return (double)rows * log2((double)classes);
    return (double)rows * (row->digits.kind == LL_DIGITS_ONE_HOT ? (double)classes : 1);
}

int ll_code_has_levels(const ll_code *code)
{
    return code->row->bounded.level != NULL;
}

int ll_code_has_labels(const ll_code *code)
{
    return code->row->predict != NULL;
}

/* [x = l] = 1 + x + l mod 2 */
int ll_code_parity(const ll_code *code)
{
    long sum = code->rows;
    if (ll_code_is_variant(code, LL_HALF_VARIANT))
        return 0;
    if (!ll_code_has_labels(code) || code->classes != 2)
        return -1;
    for (long row = 0; row < code->rows; row++)
        sum += code->row->predict(code, row);
    return (int)(sum % 2);
}

ll_status ll_code_decode_levels(const ll_code *code, ll_decoded *out, const int64_t *sums, ll_error *error)
{
    if (code->row->bounded.decode != NULL)
        return code->row->bounded.decode(code, out, sums, error);
    ll_decoded_set_open(out, code->rows, code->classes);
    return LL_OK;
}

long ll_code_labels_in(const ll_code *code, long queries)
{
    if (code->row->labels_in == NULL)
        return queries >= code->queries ? code->rows : 0;
    return queries > 0 ? code->row->labels_in(code, queries) : 0;
}

int ll_code_has_fixed_unit(const ll_code *code)
{
    return code->row->fixed_unit || ll_code_is_variant(code, "closed");
}

int ll_code_is_integral(const ll_code *code)
{
    return code->row->digits.kind != LL_DIGITS_NONE && !ll_code_is_variant(code, "closed");
}

static void get_weight(const ll_code *code, arb_t out, long row, long label, slong prec, ll_code_power *last)
{
    if (code->row->weight != NULL) {
        code->row->weight(code, out, row, label, prec);
        return;
    }
    if (ll_code_has_levels(code)) {
        arb_set_si(out, code->row->bounded.level(code, row, label));
        return;
    }
    if (ll_code_has_labels(code)) {
        arb_set_si(out, code->row->predict(code, row) == label);
        return;
    }
    if (code->row->digits.kind == LL_DIGITS_NONE) {
        arb_zero(out);
        return;
    }
    fmpz_t digit;
    fmpz_init(digit);
    ll_code_digit(code, digit, label);
    ll_code_scale(code, digit, digit, row, last);
    arb_set_fmpz(out, digit);
    fmpz_clear(digit);
}

void ll_code_weight(const ll_code *code, arb_t out, long row, long label, slong prec)
{
    get_weight(code, out, row, label, prec, NULL);
}

void ll_code_weights(const ll_code *code, arb_ptr out, long row, slong prec)
{
    ll_code_power last = {0};
    for (long k = 0; k < code->classes; k++)
        get_weight(code, out + k, row, k, prec, &last);
    fmpz_clear(last.power);
}

/* digits do not overlap: each sets a bit of its own */
static void sum_bits(const ll_code *code, arb_t out, const int32_t *labels)
{
    int one_hot = code->row->digits.kind == LL_DIGITS_ONE_HOT;
    fmpz_t sum;
    fmpz_init(sum);
    for (long row = code->rows - 1; row >= 0; row--)
        if (one_hot || labels[row] == 1)
            fmpz_setbit(sum, ll_code_shift(code, row) + (ulong)(one_hot ? labels[row] : 0));
    arb_set_fmpz(out, sum);
    if (code->row->digits.sign < 0)
        arb_neg(out, out);
    fmpz_clear(sum);
}

void ll_code_sum_labelling(const ll_code *code, arb_t out, const int32_t *labels, slong prec)
{
    const long rows = code->rows;
    if (code->row->sum_labelling != NULL) {
        code->row->sum_labelling(code, out, labels, prec);
        return;
    }
    if (ll_code_has_levels(code)) {
        int64_t sum = 0;
        for (long row = 0; row < rows; row++)
            sum += code->row->bounded.level(code, row, labels[row]);
        arb_set_si(out, sum);
        return;
    }
    if (code->row->digits.kind == LL_DIGITS_RADIX) {
        ll_positional_sum(code, out, labels);
        return;
    }
    if (ll_code_is_integral(code)) {
        sum_bits(code, out, labels);
        return;
    }
    arb_t weight;
    arb_init(weight);
    arb_zero(out);
    for (long row = 0; row < rows; row++) {
        ll_code_weight(code, weight, row, labels[row], prec);
        arb_add(out, out, weight, prec);
    }
    arb_clear(weight);
}

ll_status ll_code_sum_label(const ll_code *code, arb_t out, long label, slong prec)
{
    if (label == 0 && code->row->bounded.starts_at_zero) {
        arb_zero(out);
        return LL_OK;
    }
    int32_t *labels = malloc(sizeof *labels * (size_t)code->rows);
    if (labels == NULL)
        return LL_MEMORY;
    for (long row = 0; row < code->rows; row++)
        labels[row] = (int32_t)label;
    ll_code_sum_labelling(code, out, labels, prec);
    free(labels);
    return LL_OK;
}

void ll_code_gap(const ll_code *code, arb_t out, slong prec)
{
    arb_one(out);
    if (code->row->get_gap != NULL)
        code->row->get_gap(code, out, prec);
}

void ll_code_span(const ll_code *code, arb_t out, slong prec)
{
    if (code->row->get_span != NULL) {
        code->row->get_span(code, out, prec);
    } else if (code->row->digits.kind != LL_DIGITS_NONE) {
        ll_positional_span(code, out);
    } else {
        arb_set_si(out, code->rows);
        arb_mul_si(out, out, ll_code_has_levels(code) ? code->levels : 1, prec);
    }
}

ll_status ll_code_decode(const ll_code *code, ll_decoded *out, const arb_t sum, ll_error *error)
{
    if (!arb_is_finite(sum))
        return ll_fail(error, LL_DOMAIN, "the sum of weights is not finite");
    if (code->row->decode != NULL)
        return code->row->decode(code, out, sum, error);
    return ll_positional_decode(code, out, sum, error);
}

ll_status ll_decoded_init(ll_decoded *decoded, long rows, long classes)
{
    memset(decoded, 0, sizeof *decoded);
    decoded->labels = calloc((size_t)rows, sizeof *decoded->labels);
    decoded->candidates = classes <= LL_LISTED_CLASSES ? calloc((size_t)rows, (size_t)classes) : NULL;
    if (decoded->labels == NULL || (decoded->candidates == NULL && classes <= LL_LISTED_CLASSES)) {
        ll_decoded_clear(decoded);
        return LL_MEMORY;
    }
    return LL_OK;
}

void ll_decoded_clear(ll_decoded *decoded)
{
    free(decoded->labels);
    free(decoded->candidates);
    memset(decoded, 0, sizeof *decoded);
}

static void fill(ll_decoded *decoded, long rows, long classes, int count, int candidate)
{
    decoded->count = count;
    if (decoded->candidates != NULL)
        memset(decoded->candidates, candidate, (size_t)rows * (size_t)classes);
    for (long i = 0; i < rows; i++)
        decoded->labels[i] = -1;
}

void ll_decoded_set_none(ll_decoded *decoded, long rows, long classes)
{
    fill(decoded, rows, classes, 0, 0);
}

void ll_decoded_set_open(ll_decoded *decoded, long rows, long classes)
{
    fill(decoded, rows, classes, 2, 1);
}

void ll_decoded_set_unique(ll_decoded *decoded, long rows, long classes)
{
    decoded->count = 1;
    if (decoded->candidates == NULL)
        return;
    memset(decoded->candidates, 0, (size_t)rows * (size_t)classes);
    for (long row = 0; row < rows; row++)
        if (decoded->labels[row] >= 0)
            decoded->candidates[row * classes + decoded->labels[row]] = 1;
}

/* Of two classes, no match of class 0 means that all have label 1. */
static int are_alike(const ll_code *code, const int32_t *labels, long first)
{
    return labels[first] >= 0 && labels[first] == labels[code->rows - 1] && (labels[first] == 0 || code->classes == 2);
}

void ll_decoded_open_counted(const ll_code *code, ll_decoded *decoded)
{
    long first = code->rows - code->counted;
    if (code->counted == 0 || decoded->count != 1 || are_alike(code, decoded->labels, first))
        return;
    int32_t other = decoded->labels[first]; /* 1: none of them has label 0; -1: nothing is known of them */
    for (long row = first; row < code->rows; row++) {
        decoded->labels[row] = -1;
        for (long k = 0; k < code->classes; k++)
            decoded->candidates[row * code->classes + k] = !(k == 0 && other == 1);
    }
    decoded->count = 2;
}

void ll_decoded_join(ll_decoded *out, const ll_decoded *one, long rows, long classes)
{
    int same = 1;
    if (out->count == 0) {
        memcpy(out->labels, one->labels, sizeof *out->labels * (size_t)rows);
        memcpy(out->candidates, one->candidates, (size_t)rows * (size_t)classes);
        out->count = one->count;
        return;
    }
    for (long row = 0; row < rows; row++) {
        for (long k = 0; k < classes; k++)
            out->candidates[row * classes + k] |=
                one->labels[row] < 0 ? one->candidates[row * classes + k] : k == one->labels[row];
        if (out->labels[row] != one->labels[row] || one->labels[row] < 0) {
            out->labels[row] = -1;
            same = 0;
        }
    }
    out->count = same ? out->count : 2;
}
