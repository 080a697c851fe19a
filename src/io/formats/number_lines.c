#include "io/formats/number_lines.h"

#include "io/files/io_fail.h"
#include "io/formats/number_text.h"
#include "io/formats/score_line.h"
#include "io/formats/text_lines.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    ll_io_number_lines *lines;
    long blank; /* the first empty line that no number has followed yet, or 0 */
} reader;

ll_status ll_io_number_lines_charge(ll_io_number_lines *l, size_t bytes, ll_error *error)
{
    l->held += bytes;
    return l->limit > 0 && l->held > l->limit ? ll_io_fail_budget(error, l->path, l->limit) : LL_OK;
}

static ll_status take_number(const reader *r, const char *text, size_t length, long line, ll_error *error)
{
    char quoted[LL_IO_QUOTE_SIZE];
    ll_io_number_lines *l = r->lines;
    if (r->blank)
        return ll_io_fail(error, LL_DOMAIN, l->path, r->blank, "an empty line where a %s is expected", l->what);
    if (l->numbers > 1) {
        char complaint[LL_IO_COMPLAINT_SIZE];
        const char *wrong = ll_io_answer_complain(complaint, text, length, l->numbers);
        return wrong != NULL ? ll_io_fail(error, LL_DOMAIN, l->path, line, "the %s %s", l->what, wrong)
                             : l->take(l, text, length, line, error);
    }
    ll_io_number_kind kind = ll_io_number_scan(text, length);
    if (kind == LL_IO_NUMBER)
        return l->take(l, text, length, line, error);
    return ll_io_fail(error, LL_DOMAIN, l->path, line, "%s is not %s", ll_io_quote(quoted, text, length),
                      kind == LL_IO_NO_NUMBER ? "a number" : "finite");
}

/* A number, or an empty line. */
static ll_status take_line(void *self, const char *text, size_t length, long line, ll_error *error)
{
    reader *r = self;
    if (length > 0)
        return take_number(r, text, length, line, error);
    if (!r->blank)
        r->blank = line;
    return LL_OK;
}

ll_status ll_io_number_lines_read(ll_io_number_lines *lines, const char *path, ll_error *error)
{
    reader r = {.lines = lines};
    lines->path = ll_io_name(path);
    const ll_io_text_lines text = {lines->path, &lines->held, lines->limit, take_line, &r};
    return ll_io_text_lines_read(&text, path, error);
}
