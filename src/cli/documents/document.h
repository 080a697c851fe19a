/* A text file that is made bit by bit: after a failure nothing more happens, and the end tells. */
#ifndef LL_CLI_DOCUMENT_H
#define LL_CLI_DOCUMENT_H

#include "cli/command.h"
#include "io/files/write_file.h"

typedef struct {
    ll_io_output *output;
    ll_status status;
    ll_error *error;
} ll_document;

void ll_document_text(ll_document *document, const char *text);
/* At most 511 characters. */
void ll_document_print(ll_document *document, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* manual.c: a page of section 1 for the program, and one for a command. */
void ll_cli_write_manual(ll_document *out, ll_command_list commands);
void ll_cli_write_command_manual(ll_document *out, const ll_command *command);

/* completion.c */
void ll_cli_write_bash(ll_document *out, ll_command_list commands);
void ll_cli_write_zsh(ll_document *out, ll_command_list commands);

/* All of them below a folder: man1/lossleak.1, man1/lossleak-COMMAND.1, bash/lossleak, zsh/_lossleak. Folders that are
 * not there are made. */
LL_CHECK ll_status ll_cli_write_documents(const char *folder, ll_command_list commands, ll_error *error);

#endif
