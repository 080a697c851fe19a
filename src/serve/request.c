/* The way of a request: its head is checked (nobody who may not ask gets any further), then its body is received, then
 * it is answered. The last two need a worker, which may wait for the ledger. */
#include "report/progress.h"
#include "serve/server.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOWEST = 32 << 10 }; /* bytes of a body per second, on average, once the timeout has passed */

static ll_connection *connection_of(const ll_request *r)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static void expect(const ll_request *r, int is_busy, double bytes)
{
    ll_connection *c = connection_of(r);
    double deadline = ll_report_clock() + r->server->settings->timeout + bytes / SLOWEST;
    if (c != NULL)
        ll_connections_use(&r->server->connections, c, is_busy, deadline);
}

static const char *header(const ll_request *r, const char *name)
{
    return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, name);
}

/* Programs differ in where a chunk ends: what follows chunks is no further request. */
static int must_end(const ll_request *r)
{
    int is_unread = r->route != NULL && r->route->has_body && !r->has_arrived;
    return !r->reply.must_close && (is_unread || header(r, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL);
}

static enum MHD_Result reply(ll_request *r)
{
    struct MHD_Response *response = ll_serve_response(&r->reply);
    if (response == NULL)
        return MHD_NO;
    expect(r, 1, (double)r->reply.size);
    if (must_end(r))
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    enum MHD_Result result = MHD_queue_response(r->connection, r->reply.status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result hand_over(ll_request *r)
{
    ll_connection *c = connection_of(r);
    if (r->server->queue.is_closed) {
        ll_serve_refuse_stopping(r);
        return reply(r);
    }
    if (c != NULL)
        ll_connections_use(&r->server->connections, c, 1, INFINITY);
    MHD_suspend_connection(r->connection);
    ll_workers_put(r->server, r);
    return MHD_YES;
}

/* ---- the head ---- */

typedef struct {
    int lengths, encodings, hosts, authorizations;
    int has_strange; /* a transfer coding other than chunked, a length that is not digits, or a control character */
} head;

static int has_control(const char *text)
{
    while ((unsigned char)*text >= ' ' ? *text != 0x7f : *text == '\t')
        text++;
    return *text != '\0';
}

static enum MHD_Result count_header(void *self, enum MHD_ValueKind kind, const char *key, const char *value)
{
    head *h = self;
    (void)kind;
    value = value != NULL ? value : "";
    h->has_strange |= has_control(key) || has_control(value);
    if (strcasecmp(key, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0) {
        h->lengths++;
        h->has_strange |= value[0] == '\0' || strspn(value, "0123456789") != strlen(value);
    }
    if (strcasecmp(key, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0) {
        h->encodings++;
        h->has_strange |= strcasecmp(value, "chunked") != 0;
    }
    h->hosts += strcasecmp(key, MHD_HTTP_HEADER_HOST) == 0;
    h->authorizations += strcasecmp(key, MHD_HTTP_HEADER_AUTHORIZATION) == 0;
    return MHD_YES;
}

/* What two programs could read differently is refused: whoever stands before this server may have read the other way
 * (request smuggling). */
static int is_ambiguous(const ll_request *r)
{
    head h = {0};
    (void)MHD_get_connection_values(r->connection, MHD_HEADER_KIND, count_header, &h);
    return h.has_strange || h.lengths + h.encodings > 1 || h.hosts > 1 || h.authorizations > 1;
}

static int read_token(ll_request *r)
{
    static const char scheme[] = "Bearer ";
    const char *value = header(r, MHD_HTTP_HEADER_AUTHORIZATION);
    if (value == NULL || strncasecmp(value, scheme, sizeof scheme - 1) != 0)
        return 0;
    value += sizeof scheme - 1;
    size_t length = strlen(value);
    if (length == 0 || length >= sizeof r->token)
        return 0;
    memcpy(r->token, value, length + 1);
    return 1;
}

static int needs_token(const ll_request *r)
{
    ll_serve_who who = r->route->who;
    return who != LL_SERVE_ANYBODY && (who != LL_SERVE_BOARD || !r->server->is_board_public);
}

/* The declared size of the body, or the most that it may have where that is not declared. */
static size_t declared(const ll_request *r)
{
    const char *length = header(r, MHD_HTTP_HEADER_CONTENT_LENGTH);
    size_t most = r->server->max_body;
    if (header(r, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL)
        return most;
    if (length == NULL)
        return 0;
    return strlen(length) > 15 ? SIZE_MAX : (size_t)strtoull(length, NULL, 10);
}

static long read_after(const ll_request *r)
{
    const char *after = MHD_lookup_connection_value(r->connection, MHD_GET_ARGUMENT_KIND, "after");
    return after != NULL && after[0] != '\0' && strlen(after) < 15 && strspn(after, "0123456789") == strlen(after)
               ? strtol(after, NULL, 10)
               : 0;
}

static void check_body(ll_request *r)
{
    size_t size = declared(r);
    r->reply.must_close = !r->route->has_body && size > 0;
    if (r->reply.must_close)
        ll_serve_refuse(r, MHD_HTTP_BAD_REQUEST, "this path takes no body");
    else if (size > r->server->max_body)
        ll_serve_refuse(r, MHD_HTTP_CONTENT_TOO_LARGE, "the body has more than the %zu bytes allowed",
                        r->server->max_body);
    else if (r->route->has_body && size == 0)
        ll_serve_refuse(r, MHD_HTTP_BAD_REQUEST, "no body: send predictions as CSV or .npy");
}

/* Most clients send all of a body before they listen: then they must be let, or they see a broken connection and not why.
 */
static int should_drop_body(const ll_request *r)
{
    return r->route != NULL && r->route->has_body && !r->reply.must_close && !r->has_arrived && r->body_room > 0 &&
           r->body_room <= 2 * r->server->max_body && header(r, MHD_HTTP_HEADER_EXPECT) == NULL;
}

static enum MHD_Result reply_or_drop(ll_request *r)
{
    if (!should_drop_body(r))
        return reply(r);
    expect(r, 0, (double)r->body_room);
    r->is_expected = 1;
    return MHD_YES;
}

static void check_head(ll_request *r, const char *method, const char *path)
{
    int status;
    const char *allowed;
    r->route = ll_serve_find_route(method, path, &status, &allowed);
    if (is_ambiguous(r)) {
        ll_serve_refuse(r, MHD_HTTP_BAD_REQUEST, "headers that can be read in two ways");
        r->reply.must_close = 1;
    } else if (r->route == NULL) {
        ll_serve_refuse(r, (unsigned)status, allowed != NULL ? "use the method %s" : "there is nothing here%s",
                        allowed != NULL ? allowed : "");
        r->reply.allowed = allowed;
        r->reply.must_close = 1;
    } else if (needs_token(r) && !read_token(r))
        ll_serve_refuse(r, MHD_HTTP_UNAUTHORIZED, "a token is needed: Authorization: Bearer TOKEN");
    else
        check_body(r);
    r->body_room = r->route != NULL && r->route->has_body ? declared(r) : 0;
}

static enum MHD_Result begin(ll_server *server, struct MHD_Connection *connection, const char *path, const char *method,
                             void **context)
{
    ll_request *r = calloc(1, sizeof *r);
    if (r == NULL)
        return MHD_NO;
    *r = (ll_request){.server = server, .connection = connection, .begun = ll_report_clock()};
    *context = r;
    check_head(r, method, path);
    if (r->reply.status != 0)
        return reply_or_drop(r);
    if (r->route->file != NULL) {
        r->reply = (ll_reply){
            .status = MHD_HTTP_OK, .file = r->route->file, .size = *r->route->file_size, .type = r->route->type};
        return reply(r);
    }
    r->after = read_after(r);
    return hand_over(r);
}

/* ---- the body ---- */

/* Of a request that is refused already the body is dropped: libmicrohttpd takes no answer before its end. */
static enum MHD_Result receive(ll_request *r, const char *data, size_t *size)
{
    size_t most = r->server->max_body;
    r->received += *size;
    if (r->received > most && r->reply.status == 0)
        ll_serve_refuse(r, MHD_HTTP_CONTENT_TOO_LARGE, "the body has more than the %zu bytes allowed", most);
    if (r->received > 2 * most)
        return MHD_NO;
    if (r->reply.status == 0 && r->body != NULL && *size <= r->body_room - r->body_size) {
        memcpy(r->body + r->body_size, data, *size);
        r->body_size += *size;
    }
    *size = 0;
    return MHD_YES;
}

/* After the first suspension libmicrohttpd calls once more without data, before the body: the last moment at which it
 * need not be sent. */
static enum MHD_Result expect_body(ll_request *r)
{
    r->is_expected = 1;
    if (r->reply.status != 0)
        return reply_or_drop(r);
    expect(r, 1, (double)r->body_room);
    return MHD_YES;
}

static enum MHD_Result go_on(ll_request *r, const char *data, size_t *size)
{
    if (*size > 0)
        return receive(r, data, size);
    if (r->route->has_body && !r->is_expected)
        return expect_body(r);
    r->has_arrived = 1;
    return r->reply.status != 0 ? reply(r) : hand_over(r);
}

enum MHD_Result ll_serve_handle(void *self, struct MHD_Connection *connection, const char *url, const char *method,
                                const char *version, const char *upload, size_t *upload_size, void **context)
{
    (void)version;
    return *context == NULL ? begin(self, connection, url, method, context) : go_on(*context, upload, upload_size);
}

/* ---- the end ---- */

static void write_from(char *out, size_t size, const ll_request *r)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *at = info != NULL ? info->client_addr : NULL;
    out[0] = '\0';
    if (at != NULL && at->sa_family == AF_INET)
        (void)inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)at)->sin_addr, out, (socklen_t)size);
    if (at != NULL && at->sa_family == AF_INET6)
        (void)inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)at)->sin6_addr, out, (socklen_t)size);
}

void ll_serve_completed(void *self, struct MHD_Connection *connection, void **context,
                        enum MHD_RequestTerminationCode how)
{
    ll_request *r = *context;
    char from[INET6_ADDRSTRLEN];
    int is_complete = how == MHD_REQUEST_TERMINATED_COMPLETED_OK;
    (void)self;
    (void)connection;
    if (r == NULL)
        return;
    write_from(from, sizeof from, r);
    ll_counters_request(&r->server->counters, is_complete ? r->reply.status : 0);
    ll_serve_log_request(r, from, is_complete);
    expect(r, 0, 0);
    ll_serve_release(r);
    free(r->reply.text);
    free(r);
    *context = NULL;
}
