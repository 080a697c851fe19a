/* Start, the event loop, and the end. */
#include "serve/server.h"
#include "report/progress.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

enum { HEAD = 32 << 10, GRACE = 10, SPARE = 64 };

/* ---- what is known of the ledger before the first request ---- */

/* CSV of 25 digits a number and an id, or a header of .npy. */
static size_t usual_body(const ll_scorer *scorer)
{
    long rows = ll_scorer_get_count(scorer, "rows"), classes = ll_scorer_get_count(scorer, "classes");
    return ((size_t)1 << 20) + (size_t)rows * (32 + 28 * (size_t)(classes > 2 ? classes : 2));
}

static void look_at_policy(ll_server *server, const ll_policy *policy)
{
    const char *text = ll_policy_get_json(policy), *who;
    json_t *json = json_loadb(text, strlen(text), 0, NULL);
    who = json_string_value(json_object_get(json, "leaderboard"));
    server->is_board_public = who != NULL && strcmp(who, "public") == 0;
    server->has_own_metric = json_object_get(json, "better") != NULL;
    json_decref(json);
}

static ll_status look_at_ledger(ll_server *server, ll_error *error)
{
    const ll_serve_settings *s = server->settings;
    ll_guard *guard = NULL;
    void *own = NULL;
    ll_status status = ll_guard_open(&guard, s->ledger, s->key, error);
    if (status != LL_OK)
        return status;
    const ll_policy *policy = ll_guard_get_policy(guard);
    look_at_policy(server, policy);
    server->max_body = s->max_body > 0 ? s->max_body : usual_body(ll_policy_get_scorer(policy));
    if (s->equip != NULL)
        status = s->equip(&own, guard, error);
    ll_guard_close(guard);
    if (s->unequip != NULL)
        s->unequip(own);
    if (status != LL_OK)
        return status;
    if (server->max_body > s->max_bodies)
        return ll_fail(error, LL_DOMAIN, "--max-bodies %zu: one body may have %zu bytes; give more", s->max_bodies,
                       server->max_body);
    return LL_OK;
}

/* ---- callbacks of libmicrohttpd ---- */

static void notice(void *self, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode what)
{
    ll_server *server = self;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    double deadline = ll_report_clock() + server->settings->timeout;
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        *context = ll_connections_add(&server->connections, info != NULL ? info->connect_fd : -1, deadline);
    else if (*context != NULL) {
        ll_connections_remove(&server->connections, *context);
        *context = NULL;
    }
}

/* Paths are compared as they were sent: %2e and %00 are not taken for what they could mean. */
static size_t leave_escaped(void *self, struct MHD_Connection *connection, char *text)
{
    (void)self;
    (void)connection;
    return strlen(text);
}

/* What clients do wrong is no news. */
static void ignore(void *self, const char *format, va_list list)
{
    (void)self;
    (void)format;
    (void)list;
}

static void allow_files(long wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= (rlim_t)wanted)
        return;
    limit.rlim_cur = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static long allowed_connections(long wanted)
{
    struct rlimit limit;
    allow_files(wanted + 4 * SPARE);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)(wanted + 4 * SPARE))
        return limit.rlim_cur > 8 * SPARE ? (long)limit.rlim_cur - 4 * SPARE : SPARE;
    return wanted;
}

static ll_status start_daemon(ll_server *server, int file, ll_error *error)
{
    const ll_serve_settings *s = server->settings;
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem tls[] = {{MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)s->certificate},
                                   {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)s->certificate_key},
                                   {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem *more = s->certificate != NULL ? tls : tls + 2;
    flags |= s->certificate != NULL ? MHD_USE_TLS : 0;
    server->connections.most = allowed_connections(s->max_connections);
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, ll_serve_handle, server, MHD_OPTION_EXTERNAL_LOGGER, ignore, NULL,
        MHD_OPTION_LISTEN_SOCKET, file, MHD_OPTION_CONNECTION_LIMIT, (unsigned)(server->connections.most + SPARE),
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)ceil(s->timeout), MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD,
        MHD_OPTION_NOTIFY_COMPLETED, ll_serve_completed, server, MHD_OPTION_NOTIFY_CONNECTION, notice, server,
        MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_ARRAY, more, MHD_OPTION_END);
    if (server->daemon != NULL)
        return LL_OK;
    (void)close(file);
    return ll_fail(error, LL_DOMAIN, "the server does not start%s",
                   s->certificate != NULL ? ": look at the certificate and its key" : "");
}

/* ---- the loop ---- */

/* Wait for a client or a worker, at most so long; then let libmicrohttpd do what there is to do. */
static void turn(ll_server *server, int milliseconds)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd files[] = {{.fd = info->epoll_fd, .events = POLLIN}, {.fd = server->woken, .events = POLLIN}};
    MHD_UNSIGNED_LONG_LONG wanted = 0;
    eventfd_t ignored;
    if (MHD_get_timeout(server->daemon, &wanted) == MHD_YES && wanted < (unsigned)milliseconds)
        milliseconds = (int)wanted;
    if (milliseconds > 0 && poll(files, 2, milliseconds) > 0 && files[1].revents != 0)
        (void)eventfd_read(server->woken, &ignored);
    (void)MHD_run(server->daemon);
    ll_connections_sweep(&server->connections);
}

static int has_busy(const ll_server *server)
{
    for (const ll_connection *c = server->connections.first; c != NULL; c = c->after)
        if (c->is_busy)
            return 1;
    return 0;
}

/* No new connections; those with a request get their answer. */
static void finish(ll_server *server)
{
    double end = ll_report_clock() + GRACE;
    int listening = MHD_quiesce_daemon(server->daemon);
    if (listening >= 0)
        (void)close(listening);
    ll_connections_end_idle(&server->connections);
    while (has_busy(server) && ll_report_clock() < end && *server->settings->stop < 2)
        turn(server, 50);
    ll_workers_stop(server);
    for (int i = 0; i < 10 && has_busy(server); i++)
        turn(server, 20);
    MHD_stop_daemon(server->daemon);
}

static ll_status serve(ll_server *server, ll_error *error)
{
    const ll_serve_settings *s = server->settings;
    char at[128], address[160];
    int file = -1;
    ll_status status = ll_serve_listen(&file, at, sizeof at, s->listen, error);
    if (status == LL_OK)
        status = start_daemon(server, file, error);
    if (status != LL_OK)
        return status;
    (void)snprintf(address, sizeof address, "%s://%s/", s->certificate != NULL ? "https" : "http", at);
    ll_serve_log_start(server, address);
    if (s->listens != NULL)
        s->listens(s->self, address);
    while (*s->stop == 0 && ll_report_clock() < server->started + s->seconds)
        turn(server, 250);
    finish(server);
    ll_serve_log_event("stop", "address", address);
    return LL_OK;
}

ll_status ll_serve_run(const ll_serve_settings *settings, ll_error *error)
{
    ll_server *server = calloc(1, sizeof *server);
    if (server == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for the server");
    server->settings = settings;
    server->started = ll_report_clock();
    server->woken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&server->queue.lock, NULL);
    pthread_mutex_init(&server->counters.lock, NULL);
    pthread_cond_init(&server->queue.filled, NULL);
    ll_status status = server->woken >= 0 ? look_at_ledger(server, error)
                                          : ll_fail(error, LL_SYSTEM, "no eventfd: %s", strerror(errno));
    if (status == LL_OK)
        status = ll_serve_keep_begin(settings->keep, error);
    if (status == LL_OK)
        status = ll_workers_start(server, error);
    if (status == LL_OK)
        status = serve(server, error);
    ll_workers_stop(server);
    ll_serve_free_spares(server);
    (void)close(server->woken);
    pthread_cond_destroy(&server->queue.filled);
    pthread_mutex_destroy(&server->queue.lock);
    pthread_mutex_destroy(&server->counters.lock);
    free(server);
    return status;
}
