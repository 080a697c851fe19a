/* Completion for bash and zsh. Options and their values' names come from the tables that parse; the names that a value
 * can have come from the library's tables. */
#include "cli/documents/document.h"
#include "cli/options/option_walk.h"
#include <string.h>

/* ------------------------------------------------------------------ values */

static const char *profile_name(long i)
{
    return ll_profile_get_info(i)->name;
}

static const char *metric_name(long i)
{
    return ll_metric_get_info(i)->name;
}

static const char *code_name(long i)
{
    return ll_code_get_info(i)->name;
}

static const char *dataset_name(long i)
{
    return ll_dataset_get_info(i)->name;
}

/* Options whose values are names of a table. */
static const struct {
    const char *option;
    long (*count)(void);
    const char *(*name)(long index);
} tables[] = {{"scorer", ll_profile_count, profile_name},
              {"metric", ll_metric_count, metric_name},
              {"loss", ll_metric_count, metric_name},
              {"code", ll_code_count, code_name},
              {"dataset", ll_dataset_count, dataset_name}};

enum { TABLES = sizeof tables / sizeof tables[0] };

/* The place in `tables`, or -1. */
static int find_table(const ll_option *o)
{
    for (int i = 0; o->value && i < TABLES; i++)
        if (strcmp(tables[i].option, o->name) == 0)
            return i;
    return -1;
}

/* Blank-separated; norm:ALPHA is offered as norm: for the rest is the user's. */
static void write_names(ll_document *out, int table)
{
    for (long i = 0; i < tables[table].count(); i++) {
        const char *name = tables[table].name(i), *colon = strchr(name, ':');
        ll_document_print(out, "%s%.*s", i ? " " : "", colon ? (int)(colon - name) + 1 : (int)strlen(name), name);
    }
}

static int is_file(const ll_option *o)
{
    return o->value && (strstr(o->value, "FILE") || strstr(o->value, "DIR"));
}

typedef struct {
    ll_document *out;
    const ll_syntax *syntax;
} writer;

/* ------------------------------------------------------------------ bash */

static void write_bash_word(void *self, const ll_option *o)
{
    const writer *w = self;
    if (o->name)
        ll_document_print(w->out, " --%s", o->name);
}

static void write_bash_value(void *self, const ll_option *o)
{
    const writer *w = self;
    int table = o->name ? find_table(o) : -1;
    if (!o->name || !o->value)
        return;
    ll_document_print(w->out, "    \"%s --%s\"", w->syntax->command, o->name);
    if (o->letter)
        ll_document_print(w->out, " | \"%s -%c\"", w->syntax->command, o->letter);
    ll_document_text(w->out, ")");
    if (table >= 0) {
        ll_document_text(w->out, " COMPREPLY=($(compgen -W \"");
        write_names(w->out, table);
        ll_document_text(w->out, "\" -- \"$current\"))");
    } else if (is_file(o))
        ll_document_text(w->out, " compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\"))");
    ll_document_text(w->out, table >= 0 || is_file(o) ? "; return ;;\n" : " return ;;\n");
}

static void write_bash_values(writer *w)
{
    ll_cli_walk_options(w->syntax, write_bash_value, w);
}

static void write_bash_words(writer *w)
{
    ll_document_print(w->out, "    %s) options=\"", w->syntax->command);
    ll_cli_walk_options(w->syntax, write_bash_word, w);
    ll_document_text(w->out, "\" ;;\n");
}

static void write_command_names(ll_document *out, ll_command_list commands)
{
    for (ll_command_list c = commands; *c; c++)
        ll_document_print(out, "%s ", (*c)->syntax->command);
    ll_document_text(out, "help");
}

static void each_command(ll_document *out, ll_command_list commands, void (*write)(writer *w))
{
    for (ll_command_list c = commands; *c; c++) {
        writer w = {out, (*c)->syntax};
        write(&w);
    }
}

/* bash breaks words at =, so that --loss=x is three of them. */
void ll_cli_write_bash(ll_document *out, ll_command_list commands)
{
    ll_document_text(out, "# bash completion for lossleak\n"
                          "_lossleak()\n{\n"
                          "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options=\n"
                          "    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                          "    [[ $current == = ]] && current=\n"
                          "    if ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == help ]]; then\n"
                          "        COMPREPLY=($(compgen -W \"");
    write_command_names(out, commands);
    ll_document_text(out, " --help --version\" -- \"$current\"))\n        return\n    fi\n"
                          "    case \"${COMP_WORDS[1]} $before\" in\n");
    each_command(out, commands, write_bash_values);
    ll_document_text(out, "    esac\n    case ${COMP_WORDS[1]} in\n");
    each_command(out, commands, write_bash_words);
    ll_document_text(out, "    esac\n"
                          "    if [[ $current == -* ]]; then\n"
                          "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
                          "    else\n"
                          "        compopt -o filenames\n"
                          "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
                          "    fi\n}\n"
                          "complete -F _lossleak lossleak\n");
}

/* ------------------------------------------------------------------ zsh */

/* Inside single quotes, with the characters of a specification escaped; up to the end of its first part. */
static void write_zsh_text(ll_document *out, const char *text)
{
    char one[2] = "";
    for (; *text && *text != '\n'; text++) {
        one[0] = *text;
        ll_document_text(out, *text == '\'' ? "'\\''" : strchr(":[]\\", *text) ? "\\" : "");
        ll_document_text(out, *text == '\'' ? "" : one);
    }
}

static void write_zsh_value(ll_document *out, const ll_option *o)
{
    int table = find_table(o);
    ll_document_text(out, ":");
    write_zsh_text(out, o->value);
    ll_document_text(out, ":");
    if (table >= 0) {
        ll_document_text(out, "(");
        for (long i = 0; i < tables[table].count(); i++) {
            const char *name = tables[table].name(i), *colon = strchr(name, ':');
            ll_document_print(out, "%s%.*s%s", i ? " " : "", colon ? (int)(colon - name) : (int)strlen(name), name,
                              colon ? "\\:" : "");
        }
        ll_document_text(out, ")");
    } else if (is_file(o))
        ll_document_text(out, "_files");
}

static void write_zsh_option(void *self, const ll_option *o)
{
    ll_document *out = ((const writer *)self)->out;
    if (!o->name)
        return;
    if (o->letter)
        ll_document_print(out, "            '(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter,
                          o->value ? "+" : "", o->name, o->value ? "=" : "");
    else
        ll_document_print(out, "            '--%s%s[", o->name, o->value ? "=" : "");
    write_zsh_text(out, o->doc ? o->doc : "");
    ll_document_text(out, "]");
    if (o->value)
        write_zsh_value(out, o);
    ll_document_text(out, "' \\\n");
}

static void write_zsh_command(writer *w)
{
    ll_document_print(w->out, "    %s)\n        _arguments -S \\\n", w->syntax->command);
    ll_cli_walk_options(w->syntax, write_zsh_option, w);
    ll_document_text(w->out, "            '*:file:_files' ;;\n");
}

void ll_cli_write_zsh(ll_document *out, ll_command_list commands)
{
    ll_document_text(out, "#compdef lossleak\n"
                          "_lossleak()\n{\n"
                          "    local -a commands=(\n");
    for (ll_command_list c = commands; *c; c++) {
        ll_document_print(out, "        '%s:", (*c)->syntax->command);
        write_zsh_text(out, (*c)->summary);
        ll_document_text(out, "'\n");
    }
    ll_document_text(out, "        'help:describe a command and its options'\n    )\n"
                          "    if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
                          "        _describe command commands\n        return\n    fi\n"
                          "    shift words\n    ((CURRENT--))\n"
                          "    case $words[1] in\n");
    each_command(out, commands, write_zsh_command);
    ll_document_text(out, "    esac\n}\n_lossleak \"$@\"\n");
}
