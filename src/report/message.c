#include "report/message.h"

#include <stdio.h>
#include <string.h>

static void write_line(const char *kind, const char *text)
{
    char line[sizeof(((ll_error *)0)->text) + 64];
    (void)snprintf(line, sizeof line, "lossleak: %s%s", kind, text);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    (void)fprintf(stderr, "%s\n", line);
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
