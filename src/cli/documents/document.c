/* Man pages and completion, made from the tables that parse: `lossleak help --documents DIR', which the build runs. */
#include "cli/documents/document.h"

#include "io/files/io_fail.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void open_document(ll_document *d, const char *path, ll_error *error)
{
    *d = (ll_document){.error = error};
    d->status = ll_io_output_open(&d->output, path, error);
}

void ll_document_text(ll_document *d, const char *text)
{
    if (d->status == LL_OK)
        d->status = ll_io_output_write(d->output, text, strlen(text), d->error);
}

void ll_document_print(ll_document *d, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ll_document_text(d, text);
}

static ll_status close_document(ll_document *d)
{
    if (d->status == LL_OK)
        return ll_io_output_commit(d->output, d->error);
    ll_io_output_abandon(d->output);
    return d->status;
}

/* ------------------------------------------------------------------ all of them */

static ll_status make_folder(const char *path, ll_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ? LL_OK : ll_io_fail_errno(error, path, errno);
}

/* FOLDER/KIND/NAME, with the folder KIND. */
static ll_status open_in(ll_document *d, const char *folder, const char *kind, const char *name, ll_error *error)
{
    char path[1024];
    size_t length = (size_t)snprintf(path, sizeof path, "%s/%s", folder, kind);
    if (length + strlen(name) + 2 > sizeof path)
        return ll_io_fail(error, LL_DOMAIN, folder, 0, "too long a name");
    ll_status status = make_folder(path, error);
    (void)snprintf(path + length, sizeof path - length, "/%s", name);
    if (status == LL_OK)
        open_document(d, path, error);
    return status == LL_OK ? d->status : status;
}

static ll_status write_one(const char *folder, const char *kind, const char *name, ll_command_list commands,
                           void (*write)(ll_document *out, ll_command_list commands), ll_error *error)
{
    ll_document d;
    ll_status status = open_in(&d, folder, kind, name, error);
    if (status != LL_OK)
        return status;
    write(&d, commands);
    return close_document(&d);
}

static ll_status write_command(const char *folder, const ll_command *command, ll_error *error)
{
    ll_document d;
    char name[80];
    (void)snprintf(name, sizeof name, "lossleak-%s.1", command->syntax->command);
    ll_status status = open_in(&d, folder, "man1", name, error);
    if (status != LL_OK)
        return status;
    ll_cli_write_command_manual(&d, command);
    return close_document(&d);
}

ll_status ll_cli_write_documents(const char *folder, ll_command_list commands, ll_error *error)
{
    ll_status status = make_folder(folder, error);
    if (status == LL_OK)
        status = write_one(folder, "man1", "lossleak.1", commands, ll_cli_write_manual, error);
    if (status == LL_OK)
        status = write_one(folder, "bash", "lossleak", commands, ll_cli_write_bash, error);
    if (status == LL_OK)
        status = write_one(folder, "zsh", "_lossleak", commands, ll_cli_write_zsh, error);
    for (ll_command_list c = commands; *c && status == LL_OK; c++)
        status = write_command(folder, *c, error);
    return status;
}
