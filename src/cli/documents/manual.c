/* Man pages in the language of man(7). */
#include "cli/documents/document.h"
#include "cli/documents/overview.h"
#include "cli/options/option_walk.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A character that the formatter would take for something else, as it wants it; NULL: as it is. */
static const char *escape(char c, int starts_line)
{
    switch (c) {
    case '\\':
        return "\\e";
    case '-':
        return "\\-";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    case '.':
        return starts_line ? "\\&." : NULL;
    default:
        return NULL;
    }
}

static void write_escaped(ll_document *out, const char *text, size_t length)
{
    char one[2] = "";
    for (size_t i = 0; i < length; i++) {
        const char *escaped = escape(text[i], i == 0 || text[i - 1] == '\n');
        one[0] = text[i];
        ll_document_text(out, escaped ? escaped : one);
    }
}

/* Lines that begin with blanks stay lines; an empty line ends a paragraph. */
static void write_text(ll_document *out, const char *text)
{
    int is_verbatim = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        int indented = text[0] == ' ', is_empty = length == 0;
        if (indented != is_verbatim && !is_empty)
            ll_document_text(out, indented ? ".PP\n.nf\n" : ".fi\n");
        is_verbatim = is_empty ? is_verbatim : indented;
        if (is_empty)
            ll_document_text(out, is_verbatim ? "\n" : ".PP\n");
        else {
            write_escaped(out, text, length);
            ll_document_text(out, "\n");
        }
        text += length + (text[length] == '\n');
    }
    if (is_verbatim)
        ll_document_text(out, ".fi\n");
}

static void write_heading(ll_document *out, const char *command, const char *summary)
{
    char title[64] = "LOSSLEAK";
    (void)snprintf(title, sizeof title, command ? "LOSSLEAK\\-%s" : "LOSSLEAK", command);
    for (char *c = title; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    ll_document_print(out, ".TH %s 1 \"\" \"lossleak %s\" \"lossleak\"\n.SH NAME\nlossleak%s%s \\- ", title,
                      ll_version(), command ? "\\-" : "", command ? command : "");
    write_escaped(out, summary, strlen(summary));
    ll_document_text(out, "\n");
}

/* ------------------------------------------------------------------ a command */

static void write_option(void *self, const ll_option *o)
{
    ll_document *out = self;
    const char *doc = o->doc ? o->doc : "";
    if (!o->name) {
        size_t length = strlen(doc);
        ll_document_text(out, ".SS ");
        write_escaped(out, doc, length > 0 && doc[length - 1] == ':' ? length - 1 : length);
        ll_document_text(out, "\n");
        return;
    }
    ll_document_text(out, ".TP\n");
    if (o->letter)
        ll_document_print(out, "\\fB\\-%c\\fR, ", o->letter);
    ll_document_text(out, "\\fB\\-\\-");
    write_escaped(out, o->name, strlen(o->name));
    ll_document_text(out, "\\fR");
    if (o->value) {
        ll_document_text(out, "=\\fI");
        write_escaped(out, o->value, strlen(o->value));
        ll_document_text(out, "\\fR");
    }
    ll_document_text(out, "\n");
    write_text(out, doc);
}

static void write_page(ll_document *out, const ll_syntax *syntax)
{
    const char *doc = syntax->doc, *rest = strchr(doc, '\v');
    ll_document_print(out, ".SH SYNOPSIS\n\\fBlossleak %s\\fR [\\fIOPTION\\fR...]", syntax->command);
    if (syntax->arguments) {
        ll_document_text(out, " ");
        write_escaped(out, syntax->arguments, strlen(syntax->arguments));
    }
    ll_document_text(out, "\n.SH DESCRIPTION\n");
    write_escaped(out, doc, rest ? (size_t)(rest - doc) : strlen(doc));
    ll_document_text(out, "\n.SH OPTIONS\n");
    ll_cli_walk_options(syntax, write_option, out);
    if (rest) {
        ll_document_text(out, ".SH NOTES\n");
        write_text(out, rest + 1);
    }
}

void ll_cli_write_command_manual(ll_document *out, const ll_command *command)
{
    write_heading(out, command->syntax->command, command->summary);
    write_page(out, command->syntax);
    ll_document_text(out, ".SH \"SEE ALSO\"\n.BR lossleak (1)\n");
}

/* ------------------------------------------------------------------ the program */

void ll_cli_write_manual(ll_document *out, ll_command_list commands)
{
    write_heading(out, NULL, ll_cli_question);
    ll_document_text(out, ".SH SYNOPSIS\n\\fBlossleak\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH COMMANDS\n");
    for (ll_command_list c = commands; *c; c++) {
        ll_document_print(out, ".TP\n.BR lossleak\\-%s (1)\n", (*c)->syntax->command);
        write_escaped(out, (*c)->summary, strlen((*c)->summary));
        ll_document_text(out, "\n");
    }
    ll_document_text(out, ".TP\n.B lossleak help\n");
    write_text(out, ll_cli_help_summary);
    ll_document_text(out, ".SH NOTES\n");
    write_text(out, ll_cli_every_command);
    ll_document_text(out, ".PP\n");
    write_text(out, ll_cli_exit_statuses);
}
