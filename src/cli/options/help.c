#include "cli/options/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 79, MARGIN = 29 };

/* ---- lines ---- */

/* Words of `length` characters of text, wrapped before WIDTH; `column` is where the line stands, and further lines
 * begin at `indent`. Ends the line. */
static void wrap(const char *text, size_t length, int column, int indent)
{
    for (size_t i = 0; i < length;) {
        size_t word = strcspn(text + i, " \n");
        word = word < length - i ? word : length - i;
        int is_first = column == indent;
        if (!is_first && column + 1 + (int)word > WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
            is_first = 1;
        }
        printf("%s%.*s", is_first ? "" : " ", (int)word, text + i);
        column += (int)word + !is_first;
        i += word + strspn(text + i + word, " ");
    }
    printf("\n");
}

/* Paragraphs, one a line of the text; one that begins with a blank is an example and is not wrapped. */
static void show_paragraphs(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t line = strcspn(text + i, "\n");
        line = line < length - i ? line : length - i;
        if (text[i] == ' ')
            printf("%.*s\n", (int)line, text + i);
        else
            wrap(text + i, line, 0, 0);
        i += line + 1;
    }
}

/* ---- options ---- */

const char *ll_cli_brief_clause(const char *name)
{
    (void)name;
    return "";
}

/* The length of the first clause: up to punctuation before a blank, or a parenthesis. */
static size_t clause(const char *text)
{
    size_t i = 0;
    while (text[i] && !(strchr(".:;,", text[i]) && text[i + 1] == ' ' && i > 12) && strncmp(text + i, " (", 2) != 0)
        i++;
    return i;
}

static int is_end(const struct argp_option *o)
{
    return !o->name && !o->key && !o->doc && !o->group;
}

static int put_name(const struct argp_option *o, const char *value)
{
    return printf("--%s%s%s", o->name, value ? "=" : "", value ? value : "");
}

/* The option with the aliases that follow it, and `length` characters of text. */
static void show_option(const struct argp_option *o, const char *text, size_t length)
{
    int has_letter = o->key > 0 && o->key < 128 && isalnum(o->key);
    int column = has_letter ? printf("  -%c, ", o->key) : printf("      ");
    column += put_name(o, o->arg);
    for (const struct argp_option *alias = o + 1; !is_end(alias) && alias->flags & OPTION_ALIAS; alias++)
        column += printf(", ") + put_name(alias, o->arg);
    if (column > MARGIN - 2) {
        printf("\n");
        column = 0;
    }
    printf("%*s", MARGIN - column, "");
    wrap(text, length, MARGIN, MARGIN);
}

/* What is shown of an option's text; NULL: the option is left out. */
static const char *choose_text(size_t *length, const struct argp_option *o, const char *(*brief)(const char *name))
{
    const char *doc = o->doc ? o->doc : "", *text = brief ? brief(o->name) : doc;
    if (text == NULL)
        return NULL;
    if (brief != NULL && strcmp(text, ".") == 0) {
        const char *end = strstr(doc, ". ");
        *length = end != NULL ? (size_t)(end - doc) : strlen(doc);
        return doc;
    }
    *length = brief == NULL ? strlen(doc) : text[0] ? strlen(text) : clause(doc);
    return text[0] ? text : doc;
}

/* Is it one of the names, with a blank after each, of the command's first screen? NULL: every name is. */
static int is_first(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; at != NULL && at[0]; at += strcspn(at, " ") + 1)
        if (strcspn(at, " ") == length && strncmp(at, name, length) == 0)
            return 1;
    return names == NULL;
}

/* Returns how many were left out. A heading is printed before the first option below it that is shown. */
static long show_table(const struct argp_option *table, const char *(*brief)(const char *name), const char *names)
{
    const char *heading = "";
    long hidden = 0;
    for (const struct argp_option *o = table; o && !is_end(o); o++) {
        size_t length;
        if (!o->name)
            heading = o->doc;
        if (!o->name || o->flags & OPTION_ALIAS)
            continue;
        const char *text = is_first(names, o->name) ? choose_text(&length, o, brief) : NULL;
        hidden += text == NULL;
        if (text == NULL)
            continue;
        if (heading)
            printf(heading[0] ? "\n %s\n" : "\n", heading);
        heading = NULL;
        show_option(o, text, length);
    }
    return hidden;
}

/* ---- all of it ---- */

/* One line for each form of the arguments, which a newline separates. */
static void show_usage(const char *command, const char *arguments)
{
    const char *word = "Usage:";
    do {
        size_t length = strcspn(arguments, "\n");
        printf("%s lossleak %s [OPTION...]%s%.*s\n", word, command, length > 0 ? " " : "", (int)length, arguments);
        arguments += length + (arguments[length] != '\0');
        word = "  or: ";
    } while (arguments[0]);
}

/* What stands below the options; on a first screen that is chosen name by name, the examples alone. */
static void show_end(const ll_syntax *syntax, size_t before, int is_chosen)
{
    if (!syntax->doc[before])
        return;
    const char *text = syntax->doc + before + 1, *examples = strstr(text, "Examples:\n");
    text = is_chosen && examples ? examples : text;
    printf("\n");
    show_paragraphs(text, strlen(text));
}

void ll_cli_show_help(const ll_syntax *syntax, int all)
{
    size_t before = strcspn(syntax->doc, "\v");
    long hidden = 0;
    show_usage(syntax->command, syntax->arguments ? syntax->arguments : "");
    show_paragraphs(syntax->doc, before);
    const char *names = all ? NULL : syntax->first;
    hidden += show_table(syntax->options, names ? ll_cli_brief_clause : NULL, names);
    for (const ll_part *part = syntax->parts; part->group; part++)
        hidden += show_table(part->group->argp.options, all ? NULL : part->group->brief, names);
    show_end(syntax, before, names != NULL);
    if (hidden > 0)
        printf("\n%ld more options, and the whole text of these: lossleak %s --help-all\n", hidden, syntax->command);
}
