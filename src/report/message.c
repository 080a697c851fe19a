#include "report/message.h"

#include "io/files/printable.h"
#include <stdio.h>
#include <string.h>

static void write_line(const char *kind, const char *text)
{
    char line[4 * sizeof(((ll_error *)0)->text)];
    ll_io_printable(line, sizeof line, text, strlen(text));
    (void)fprintf(stderr, "lossleak: %s%s\n", kind, line);
}

void ll_report_error(const ll_error *error)
{
    write_line("", error->text[0] ? error->text : "failed for a reason that was not given");
}

void ll_report_warning(const char *text)
{
    write_line("warning: ", text);
}

void ll_report_note(const char *text)
{
    write_line("", text);
}
