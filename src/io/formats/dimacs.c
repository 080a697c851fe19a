/* Words, with the line that each stands on, go to one of three readers: that of the problem line, that of clauses and
 * that of what follows the end marker. Pieces of text may end inside a word, so the word is kept in the reader. */
#include "io/formats/dimacs.h"

#include "io/files/io_fail.h"
#include "io/files/text_stream.h"

#include <stdlib.h>
#include <string.h>

/* No word that means anything is longer than a 64-bit number. */
enum { WORD = 40 };

typedef enum { IN_PROBLEM, IN_CLAUSES, AFTER_MARK } phase;

typedef struct {
    const char *path;
    size_t held, limit; /* bytes; limit 0: none */
    char word[WORD + 1];
    size_t length; /* of the word; characters beyond WORD are counted, not kept */
    int in_comment;
    phase now;
    int problem_words; /* read so far */
    long problem_line;
    int zero_after_mark;
    long clause_line; /* where the open clause began; 0: none is open */
    long declared;    /* clauses of the problem line */
    ll_io_formula formula;
    size_t literals, literal_room, start_room;
    ll_status trouble; /* why there is no room */
} reader;

static ll_status fail_at(const reader *r, long line, ll_error *error, const char *reason)
{
    return ll_io_fail(error, LL_DOMAIN, r->path, line, "%s", reason);
}

/* "'word' WHY" */
static ll_status fail_word(const reader *r, long line, ll_error *error, const char *why)
{
    char quoted[LL_IO_QUOTE_SIZE];
    int cut = r->length > WORD;
    ll_io_quote(quoted, r->word, cut ? WORD : r->length);
    return ll_io_fail(error, LL_DOMAIN, r->path, line, "%s%s %s", quoted, cut ? "..." : "", why);
}

/* ------------------------------------------------------------------ storage */

/* The array with room for one more entry of `size` bytes; NULL, and the reason in r->trouble, where there is none. */
static void *make_room(reader *r, void *array, size_t *room, size_t used, size_t size, ll_error *error)
{
    if (array && used < *room)
        return array;
    size_t more = *room ? 2 * *room : 1024;
    r->held += (more - *room) * size;
    if (r->limit > 0 && r->held > r->limit) {
        r->trouble = ll_io_fail_budget(error, r->path, r->limit);
        return NULL;
    }
    void *grown = realloc(array, more * size);
    if (grown)
        *room = more;
    else
        r->trouble = ll_io_fail(error, LL_MEMORY, r->path, 0, "out of memory");
    return grown;
}

static ll_status add_literal(reader *r, int32_t literal, ll_error *error)
{
    int32_t *array = make_room(r, r->formula.literals, &r->literal_room, r->literals, sizeof literal, error);
    if (!array)
        return r->trouble;
    array[r->literals++] = literal;
    r->formula.literals = array;
    return LL_OK;
}

/* starts[clauses] = where the next clause begins. */
static ll_status add_start(reader *r, ll_error *error)
{
    size_t clauses = (size_t)r->formula.cnf.clauses;
    size_t *array = make_room(r, r->formula.starts, &r->start_room, clauses, sizeof *array, error);
    if (!array)
        return r->trouble;
    array[clauses] = r->literals;
    r->formula.starts = array;
    return LL_OK;
}

/* ------------------------------------------------------------------ words */

/* Digits only; numbers beyond `most` are no number here. */
static int read_count(long *out, const char *digits, size_t length, long most)
{
    long value = 0;
    if (length == 0 || length > WORD)
        return 0;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return 0;
        value = 10 * value + (digits[i] - '0');
        if (value > most)
            return 0;
    }
    *out = value;
    return 1;
}

static int is_word(const reader *r, const char *text)
{
    return r->length == strlen(text) && memcmp(r->word, text, r->length) == 0;
}

static ll_status take_problem(reader *r, long line, ll_error *error)
{
    static const char wanted[] = "the first line must be 'p cnf VARIABLES CLAUSES'";
    long most = (long)1 << 40; /* of clauses: no file holds more */
    if (r->problem_words > 0 && line != r->problem_line)
        return fail_at(r, r->problem_line, error, wanted);
    switch (r->problem_words++) {
    case 0:
        r->problem_line = line;
        return is_word(r, "p") ? LL_OK : fail_word(r, line, error, "comes before the line 'p cnf VARIABLES CLAUSES'");
    case 1:
        return is_word(r, "cnf") ? LL_OK : fail_word(r, line, error, "is not the format 'cnf'");
    case 2:
        return read_count(&r->formula.cnf.variables, r->word, r->length, LL_CNF_VARIABLES)
                   ? LL_OK
                   : fail_word(r, line, error, "is no number of variables (0 .. 2147483646)");
    default:
        if (!read_count(&r->declared, r->word, r->length, most))
            return fail_word(r, line, error, "is no number of clauses");
        r->now = IN_CLAUSES;
        return LL_OK;
    }
}

static ll_status end_clause(reader *r, ll_error *error)
{
    r->clause_line = 0;
    r->formula.cnf.clauses++;
    return add_start(r, error);
}

static ll_status take_number(reader *r, long line, ll_error *error)
{
    int negative = r->word[0] == '-';
    long value;
    if (!read_count(&value, r->word + negative, r->length - (size_t)negative, LL_CNF_VARIABLES))
        return fail_word(r, line, error, "is no literal");
    if (negative && value == 0)
        return fail_word(r, line, error, "is no literal");
    if (value > r->formula.cnf.variables)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "variable %ld, but the formula has %ld", value,
                          r->formula.cnf.variables);
    if (!r->clause_line && r->formula.cnf.clauses == r->declared)
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "a clause too many: line %ld says %ld", r->problem_line,
                          r->declared);
    if (value == 0)
        return end_clause(r, error);
    if (!r->clause_line)
        r->clause_line = line;
    return add_literal(r, (int32_t)(negative ? -value : value), error);
}

static ll_status check_closed(const reader *r, ll_error *error)
{
    return r->clause_line ? fail_at(r, r->clause_line, error, "the clause that begins here has no 0 at its end")
                          : LL_OK;
}

static ll_status take_clause_word(reader *r, long line, ll_error *error)
{
    if (line == r->problem_line)
        return fail_word(r, line, error, "is too much: 'p cnf VARIABLES CLAUSES' is all of this line");
    if (is_word(r, "p"))
        return ll_io_fail(error, LL_DOMAIN, r->path, line, "a second problem line; the first is line %ld",
                          r->problem_line);
    if (!is_word(r, "%"))
        return take_number(r, line, error);
    r->now = AFTER_MARK;
    return check_closed(r, error);
}

static ll_status take_word(reader *r, long line, ll_error *error)
{
    if (r->now == IN_PROBLEM)
        return take_problem(r, line, error);
    if (r->now == IN_CLAUSES)
        return take_clause_word(r, line, error);
    if (!is_word(r, "0") || r->zero_after_mark++)
        return fail_word(r, line, error, "after the end marker %");
    return LL_OK;
}

/* ------------------------------------------------------------------ text */

static ll_status end_word(reader *r, long line, ll_error *error)
{
    ll_status status = r->length > 0 ? take_word(r, line, error) : LL_OK;
    r->length = 0;
    return status;
}

static ll_status take_character(reader *r, char c, long line, ll_error *error)
{
    /* `c' begins a comment where a word may begin, but for the `cnf' of the problem line. */
    int may_comment = r->length == 0 && !(r->now == IN_PROBLEM && r->problem_words == 1);
    if (c == ' ' || c == '\t' || c == '\n') {
        r->in_comment &= c != '\n';
        return end_word(r, line, error);
    }
    r->in_comment |= c == 'c' && may_comment;
    if (!r->in_comment) {
        if (r->length < WORD)
            r->word[r->length] = c;
        r->length++;
    }
    return LL_OK;
}

static ll_status read_text(reader *r, ll_io_text *text, ll_error *error)
{
    for (;;) {
        const char *piece;
        size_t size;
        long line = text->line;
        ll_status status = ll_io_text_next(text, &piece, &size, error);
        if (status != LL_OK || size == 0)
            return status == LL_OK ? end_word(r, line, error) : status;
        for (size_t i = 0; i < size && status == LL_OK; i++)
            status = take_character(r, piece[i], line, error);
        if (status != LL_OK)
            return status;
    }
}

static ll_status check_end(const reader *r, ll_error *error)
{
    if (r->now == IN_PROBLEM)
        return fail_at(r, r->problem_line, error, "no whole line 'p cnf VARIABLES CLAUSES'");
    ll_status status = check_closed(r, error);
    if (status == LL_OK && r->formula.cnf.clauses < r->declared)
        return ll_io_fail(error, LL_DOMAIN, r->path, 0, "too few clauses: %ld, but line %ld says %ld",
                          r->formula.cnf.clauses, r->problem_line, r->declared);
    return status;
}

ll_status ll_io_read_formula(ll_io_formula *out, const char *path, size_t max_memory, ll_error *error)
{
    reader r = {.path = ll_io_name(path), .limit = max_memory};
    ll_io_bytes *bytes;
    ll_io_text text;
    ll_status status = ll_io_bytes_open(&bytes, path, error);
    if (status == LL_OK)
        status = ll_io_text_open(&text, bytes, error);
    if (status != LL_OK)
        return status;
    status = add_start(&r, error);
    if (status == LL_OK)
        status = read_text(&r, &text, error);
    ll_io_text_close(&text);
    if (status == LL_OK)
        status = check_end(&r, error);
    if (status != LL_OK) {
        ll_io_clear_formula(&r.formula);
        return status;
    }
    r.formula.cnf.starts = r.formula.starts;
    r.formula.cnf.literals = r.formula.literals;
    *out = r.formula;
    return LL_OK;
}

void ll_io_clear_formula(ll_io_formula *formula)
{
    free(formula->starts);
    free(formula->literals);
    *formula = (ll_io_formula){0};
}
