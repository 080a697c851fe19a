/* From text to a postfix program, by operator precedence over two bounded stacks: what is still open, here, and
 * the operands read so far, in the builder. Nothing recurses, so hostile nesting ends at LL_EXPRESSION_DEPTH.
 *
 * Each step comes from a character of its own, so steps fit in `length` places; a ^ and its literal exponent
 * give two numbers, so numbers fit in 2 * length places and the fixed ones. */
#include "number/expression_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The two signs: -a*b is -(a*b), which rounds like (-a)*b and lets -x*log(x) contain x*log(x); but
 * 2*-x*y is (2*(-x))*y, where the order of the products counts. */
typedef enum {
    LEVEL_OPEN, /* ( and a function's ( */
    LEVEL_SUM,
    LEVEL_SIGN_OF_TERM,
    LEVEL_PRODUCT,
    LEVEL_SIGN_OF_FACTOR,
    LEVEL_POWER
} level;

typedef struct {
    int kind; /* ll_step_kind, or PARENTHESIS */
    level level;
    size_t column;
} pending;

enum { PARENTHESIS = -1, END = 0 };

typedef struct {
    const char *text;
    size_t length, at;
    ll_builder builder;
    pending pendings[LL_EXPRESSION_DEPTH];
    long pending_count;
    ll_error *error;
} parser;

/* ---- text ---- */

static char look(const parser *p)
{
    return p->at < p->length ? p->text[p->at] : END;
}

static void skip_blanks(parser *p)
{
    while (p->at < p->length && strchr(" \t\r\n", p->text[p->at]))
        p->at++;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_hex_digit(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t word_length(const char *text)
{
    size_t n = 0;
    while (is_letter(text[n]) || is_digit(text[n]))
        n++;
    return n;
}

static size_t digits_length(const char *text, int (*is)(char))
{
    size_t n = 0;
    while (is(text[n]))
        n++;
    return n;
}

/* "12", "1.5", ".5", "5.", "1e-3", "0x1.8p-3"; an exponent without digits is not part of the number. */
static size_t number_length(const char *text)
{
    int hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
              (is_hex_digit(text[2]) || (text[2] == '.' && is_hex_digit(text[3])));
    int (*is)(char) = hex ? is_hex_digit : is_digit;
    size_t n = hex ? 2 : 0;
    n += digits_length(text + n, is);
    if (text[n] == '.')
        n += 1 + digits_length(text + n + 1, is);
    if (text[n] == (hex ? 'p' : 'e') || text[n] == (hex ? 'P' : 'E')) {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
        size_t digits = digits_length(text + n + 1 + sign, is_digit);
        n += digits ? 1 + sign + digits : 0;
    }
    return n;
}

static ll_status fail_expected(const parser *p, const char *expected)
{
    const char *at = p->text + p->at;
    size_t column = p->at + 1, n = word_length(at);
    if (p->at >= p->length)
        return ll_fail(p->error, LL_DOMAIN, "column %zu: expected %s, found the end", column, expected);
    if (*at < ' ' || *at > '~')
        return ll_fail(p->error, LL_DOMAIN, "column %zu: expected %s, found byte 0x%02X", column, expected,
                       (unsigned char)*at);
    n = n == 0 ? 1 : n;
    return ll_fail(p->error, LL_DOMAIN, "column %zu: expected %s, found '%.*s%s'", column, expected,
                   (int)(n > 20 ? 20 : n), at, n > 20 ? "..." : "");
}

static ll_status fail_operator(const parser *p)
{
    for (long i = p->pending_count - 1; i >= 0; i--)
        if (p->pendings[i].level == LEVEL_OPEN) {
            char expected[80];
            (void)snprintf(expected, sizeof expected, "an operator or the ')' of the '(' in column %zu",
                           p->pendings[i].column);
            return fail_expected(p, expected);
        }
    return fail_expected(p, "an operator or the end");
}

/* ---- reading ---- */

static ll_status push_pending(parser *p, int kind, level binds)
{
    if (p->pending_count == LL_EXPRESSION_DEPTH)
        return ll_fail(
            p->error, LL_DOMAIN,
            "column %zu: expected less nesting (at most %d operators and parentheses may be open), found '%c'",
            p->at + 1, LL_EXPRESSION_DEPTH, look(p));
    p->pendings[p->pending_count++] = (pending){.kind = kind, .level = binds, .column = p->at + 1};
    p->at++;
    return LL_OK;
}

static ll_status read_number(parser *p)
{
    size_t n = number_length(p->text + p->at);
    long index = ll_builder_push_number(&p->builder);
    ll_status status = ll_exact_set_text(&p->builder.out->numbers[index], p->text + p->at, n);
    if (status == LL_DOMAIN)
        return fail_expected(p, "a number");
    if (status != LL_OK)
        return ll_fail(p->error, status, "column %zu: no memory for a number", p->at + 1);
    ll_builder_push(&p->builder, LL_STEP_NUMBER, index, LL_CONSTANT);
    p->at += n;
    return LL_OK;
}

static const struct {
    const char *name;
    ll_step_kind kind;
} words[] = {
    {"x", LL_STEP_X}, {"alpha", LL_STEP_ALPHA}, {"log", LL_STEP_LOG}, {"exp", LL_STEP_EXP}, {"sqrt", LL_STEP_SQRT}};

static const char operand_text[] = "a number, x, alpha, log, exp, sqrt, '-' or '('";

static ll_status read_function(parser *p, ll_step_kind kind, const char *name)
{
    skip_blanks(p);
    if (look(p) != '(') {
        char expected[20];
        (void)snprintf(expected, sizeof expected, "'(' after %s", name);
        return fail_expected(p, expected);
    }
    return push_pending(p, kind, LEVEL_OPEN);
}

static ll_status read_word(parser *p, int *have_operand)
{
    size_t n = word_length(p->text + p->at), i = 0, count = sizeof words / sizeof *words;
    while (i < count && (strlen(words[i].name) != n || memcmp(words[i].name, p->text + p->at, n) != 0))
        i++;
    if (i == count)
        return fail_expected(p, operand_text);
    p->at += n;
    if (words[i].kind != LL_STEP_X && words[i].kind != LL_STEP_ALPHA)
        return read_function(p, words[i].kind, words[i].name);
    ll_builder_push(&p->builder, words[i].kind, 0, words[i].kind == LL_STEP_X ? LL_AFFINE : LL_CONSTANT);
    p->builder.out->uses_alpha |= words[i].kind == LL_STEP_ALPHA;
    *have_operand = 1;
    return LL_OK;
}

static ll_status read_operand(parser *p, int *have_operand)
{
    char c = look(p);
    level top = p->pending_count ? p->pendings[p->pending_count - 1].level : LEVEL_OPEN;
    if (c == '(')
        return push_pending(p, PARENTHESIS, LEVEL_OPEN);
    if (c == '-')
        return push_pending(p, LL_STEP_NEG, top < LEVEL_PRODUCT ? LEVEL_SIGN_OF_TERM : LEVEL_SIGN_OF_FACTOR);
    if (is_letter(c))
        return read_word(p, have_operand);
    if (!is_digit(c) && !(c == '.' && is_digit(p->text[p->at + 1])))
        return fail_expected(p, operand_text);
    *have_operand = 1;
    return read_number(p);
}

/* Emit what is open down to the last '(', down to and including level `least`. */
static void close_to(parser *p, level least)
{
    while (p->pending_count && p->pendings[p->pending_count - 1].level >= least)
        ll_builder_apply(&p->builder, (ll_step_kind)p->pendings[--p->pending_count].kind);
}

static ll_status read_close(parser *p)
{
    close_to(p, LEVEL_SUM);
    if (p->pending_count == 0)
        return fail_operator(p);
    int kind = p->pendings[--p->pending_count].kind;
    if (kind != PARENTHESIS)
        ll_builder_apply(&p->builder, (ll_step_kind)kind);
    p->at++;
    return LL_OK;
}

static ll_status read_operator(parser *p, int *have_operand)
{
    static const char symbols[] = "+-*/^";
    static const struct {
        ll_step_kind kind;
        level level, closes; /* ^ is right associative: it closes nothing */
    } operators[] = {{LL_STEP_ADD, LEVEL_SUM, LEVEL_SUM},
                     {LL_STEP_SUB, LEVEL_SUM, LEVEL_SUM},
                     {LL_STEP_MUL, LEVEL_PRODUCT, LEVEL_PRODUCT},
                     {LL_STEP_DIV, LEVEL_PRODUCT, LEVEL_PRODUCT},
                     {LL_STEP_POW, LEVEL_POWER, LEVEL_POWER + 1}};
    if (look(p) == ')')
        return read_close(p);
    const char *symbol = look(p) == END ? NULL : strchr(symbols, look(p));
    if (!symbol)
        return fail_operator(p);
    close_to(p, operators[symbol - symbols].closes);
    *have_operand = 0;
    return push_pending(p, operators[symbol - symbols].kind, operators[symbol - symbols].level);
}

static ll_status read_all(parser *p)
{
    int have_operand = 0;
    for (;;) {
        skip_blanks(p);
        if (p->at == p->length && have_operand)
            break;
        ll_status status = have_operand ? read_operator(p, &have_operand) : read_operand(p, &have_operand);
        if (status != LL_OK)
            return status;
    }
    close_to(p, LEVEL_SUM);
    if (p->pending_count)
        return fail_operator(p);
    p->builder.out->shape = p->builder.operands[0].shape;
    return LL_OK;
}

static ll_expression *allocate(size_t length)
{
    ll_expression *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->steps = calloc(length + 1, sizeof *e->steps);
    e->numbers = calloc(2 * length + LL_NUMBERS_FIXED, sizeof *e->numbers);
    if (!e->steps || !e->numbers) {
        ll_expression_destroy(e);
        return NULL;
    }
    ll_exact_init(&e->numbers[LL_NUMBER_ZERO]);
    ll_exact_init(&e->numbers[LL_NUMBER_ONE]);
    ll_exact_set_si(&e->numbers[LL_NUMBER_ONE], 1);
    e->number_count = LL_NUMBERS_FIXED;
    return e;
}

ll_status ll_expression_create(ll_expression **out, const char *text, ll_error *error)
{
    size_t length = strnlen(text, LL_EXPRESSION_LENGTH + 1);
    if (length > LL_EXPRESSION_LENGTH)
        return ll_fail(error, LL_DOMAIN, "column %d: expected the end (an expression has at most %d characters)",
                       LL_EXPRESSION_LENGTH + 1, LL_EXPRESSION_LENGTH);
    parser p = {.text = text, .length = length, .error = error};
    p.builder.out = allocate(length);
    if (!p.builder.out)
        return ll_fail(error, LL_MEMORY, "no memory for an expression of %zu characters", length);
    ll_status status = read_all(&p);
    if (status == LL_OK)
        *out = p.builder.out;
    else
        ll_expression_destroy(p.builder.out);
    return status;
}

void ll_expression_destroy(ll_expression *expression)
{
    if (!expression)
        return;
    ll_exact_free(expression->numbers, expression->number_count);
    free(expression->steps);
    free(expression);
}

int ll_expression_uses_alpha(const ll_expression *expression)
{
    return expression->uses_alpha;
}

long ll_expression_steps(const ll_expression *expression)
{
    return expression->step_count;
}
