#include "serve/server.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 256, BACKLOG = 1024 };

/* ADDRESS:PORT or [ADDRESS]:PORT; an empty address is every one of this machine. */
static ll_status split(char *host, char *port, const char *where, ll_error *error)
{
    const char *colon = strrchr(where, ':');
    size_t length = colon != NULL ? (size_t)(colon - where) : 0;
    int is_bracketed = length >= 2 && where[0] == '[' && where[length - 1] == ']';
    if (colon == NULL || colon[1] == '\0' || strspn(colon + 1, "0123456789") != strlen(colon + 1) ||
        strlen(colon + 1) > 5 || strtol(colon + 1, NULL, 10) > 65535 || strlen(where) >= LONGEST)
        return ll_fail(error, LL_DOMAIN, "--listen %.80s: give ADDRESS:PORT, as 127.0.0.1:8080 or [::1]:8080", where);
    (void)snprintf(host, LONGEST, "%.*s", (int)(is_bracketed ? length - 2 : length), where + is_bracketed);
    (void)snprintf(port, LONGEST, "%s", colon + 1);
    return LL_OK;
}

static int open_socket(const struct addrinfo *a)
{
    int on = 1, file = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
    if (file < 0)
        return -1;
    (void)setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(file, a->ai_addr, a->ai_addrlen) == 0 && listen(file, BACKLOG) == 0)
        return file;
    int why = errno;
    (void)close(file);
    errno = why;
    return -1;
}

static void name_socket(char *address, size_t size, int file)
{
    struct sockaddr_storage at;
    socklen_t length = sizeof at;
    char host[LONGEST] = "", port[32] = "";
    if (getsockname(file, (struct sockaddr *)&at, &length) == 0)
        (void)getnameinfo((struct sockaddr *)&at, length, host, sizeof host, port, sizeof port,
                          NI_NUMERICHOST | NI_NUMERICSERV);
    (void)snprintf(address, size, strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
}

ll_status ll_serve_listen(int *file, char *address, size_t size, const char *where, ll_error *error)
{
    char host[LONGEST], port[LONGEST];
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
    ll_status status = split(host, port, where, error);
    if (status != LL_OK)
        return status;
    int why = getaddrinfo(host[0] ? host : NULL, port, &hints, &found);
    if (why != 0)
        return ll_fail(error, LL_DOMAIN, "--listen %.80s: %s", where, gai_strerror(why));
    *file = open_socket(found);
    why = errno;
    freeaddrinfo(found);
    if (*file < 0)
        return ll_fail(error, LL_SYSTEM, "--listen %.80s: %s", where, strerror(why));
    name_socket(address, size, *file);
    return LL_OK;
}
