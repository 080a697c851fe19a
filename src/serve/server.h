/* What the files of this room share.
 *
 * One thread runs the event loop and all callbacks of libmicrohttpd. It never waits for a ledger: a request that needs
 * one is suspended and put into a queue. Workers take requests from it, each with a guard of its own, write the reply
 * into the request and resume it. While a request is suspended it is its worker's; otherwise it is the loop's. */
#ifndef LL_SERVE_SERVER_H
#define LL_SERVE_SERVER_H

#include "serve/serve.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

typedef struct ll_server ll_server;
typedef struct ll_request ll_request;

/* ---- routes ---- */

typedef enum {
    LL_SERVE_ANYBODY,
    LL_SERVE_ACCOUNTS,     /* any account */
    LL_SERVE_PARTICIPANTS, /* those who submit */
    LL_SERVE_HOST,
    LL_SERVE_BOARD /* anybody or the host, as the policy says of its leaderboard */
} ll_serve_who;

/* A row of the table in routes.c. Where `file` is set the route is an embedded file and needs no worker. */
typedef struct {
    const char *method, *path;
    ll_serve_who who;
    int has_body;
    ll_status (*answer)(ll_request *request, ll_guard *guard, ll_error *error);
    const unsigned char *file;
    const size_t *file_size;
    const char *type;
} ll_route;

/* NULL: *status is 404 or 405, and *allowed the method that is allowed. */
const ll_route *ll_serve_find_route(const char *method, const char *path, int *status, const char **allowed);

/* ---- connections: the loop's ---- */

typedef struct ll_connection {
    struct ll_connection *before, *after; /* least recently used first */
    int file;
    double deadline; /* on ll_report_clock(); infinity: none */
    int is_busy;     /* a request's head has arrived, and it is worth waiting for */
} ll_connection;

typedef struct {
    ll_connection *first, *last;
    long count, most;
    long evicted, late; /* closed to make room, and for being slow */
    double swept;
} ll_connections;

LL_CHECK ll_connection *ll_connections_add(ll_connections *all, int file, double deadline);
void ll_connections_remove(ll_connections *all, ll_connection *connection);
/* It becomes the most recently used one. */
void ll_connections_use(ll_connections *all, ll_connection *connection, int is_busy, double deadline);
/* Once a second: end those whose time is up. */
void ll_connections_sweep(ll_connections *all);
void ll_connections_end_idle(ll_connections *all);

/* ---- requests ---- */

typedef struct {
    unsigned status; /* 0: there is none yet */
    char *text;      /* allocated; NULL where `file` is */
    const unsigned char *file;
    size_t size;
    const char *type;
    int must_close; /* the connection cannot be used for another request */
    const char *allowed;
} ll_reply;

struct ll_request {
    ll_server *server;
    struct MHD_Connection *connection;
    const ll_route *route;
    ll_request *next; /* in the queue */
    char token[LL_GUARD_TOKEN + 20], account[LL_GUARD_NAME];
    ll_guard_role role;
    int is_checked;  /* whether it may be answered has been decided */
    int is_expected; /* it was decided that its body is received */
    int has_arrived; /* the body is complete */
    unsigned char *body;
    size_t body_size, body_room, reserved;
    size_t body_allocated; /* at least body_room */
    size_t received;       /* bytes of the body, kept or not */
    long after;            /* ?after=N */
    ll_reply reply;
    double begun;
    /* For the log. */
    long submission;
    const char *outcome;
};

/* The handler of libmicrohttpd, and what it calls when a request has ended. */
enum MHD_Result ll_serve_handle(void *self, struct MHD_Connection *connection, const char *url, const char *method,
                                const char *version, const char *upload, size_t *upload_size, void **context);
void ll_serve_completed(void *self, struct MHD_Connection *connection, void **context,
                        enum MHD_RequestTerminationCode how);

/* ---- replies ---- */

/* {"error": format...} */
void ll_serve_refuse(ll_request *request, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct MHD_Response *ll_serve_response(const ll_reply *reply);

/* ---- routes that need the ledger; each sets request->reply ---- */

LL_CHECK ll_status ll_serve_submit(ll_request *request, ll_guard *guard, ll_error *error);
LL_CHECK ll_status ll_serve_leaderboard(ll_request *request, ll_guard *guard, ll_error *error);
LL_CHECK ll_status ll_serve_ledger(ll_request *request, ll_guard *guard, ll_error *error);
LL_CHECK ll_status ll_serve_policy(ll_request *request, ll_guard *guard, ll_error *error);
LL_CHECK ll_status ll_serve_account(ll_request *request, ll_guard *guard, ll_error *error);
LL_CHECK ll_status ll_serve_health(ll_request *request, ll_guard *guard, ll_error *error);
LL_CHECK ll_status ll_serve_metrics(ll_request *request, ll_guard *guard, ll_error *error);

/* ---- counters, for /metrics; any thread may count ---- */

enum { LL_SERVE_STATUSES = 16, LL_SERVE_BUCKETS = 12 };

typedef struct {
    unsigned statuses[LL_SERVE_STATUSES];
    long requests[LL_SERVE_STATUSES]; /* of each status */
    long outcomes[4];                 /* of ll_guard_outcome */
    long aborted;
    long seconds[LL_SERVE_BUCKETS + 1]; /* submissions that took at most so long */
    double seconds_sum;
    pthread_mutex_t lock;
} ll_counters;

void ll_counters_request(ll_counters *counters, unsigned status);
void ll_counters_submission(ll_counters *counters, ll_guard_outcome outcome, double seconds);
/* The text of Prometheus, allocated; NULL where memory ended. */
char *ll_serve_metrics_text(ll_server *server, const ll_guard_status *status);

/* ---- workers ---- */

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    ll_request *first, *last;
    long waiting, working;
    int is_closed;
    pthread_t *threads;
    long count;
} ll_queue;

/* Start the workers; LL_DOMAIN where the ledger does not open. */
LL_CHECK ll_status ll_workers_start(ll_server *server, ll_error *error);
void ll_workers_put(ll_server *server, ll_request *request);
/* Wait for the end of what workers have begun; what is in the queue is refused. The loop's. */
void ll_workers_stop(ll_server *server);
void ll_serve_refuse_stopping(ll_request *request);

/* ---- the server ---- */

/* Memory of a body that has ended, for the next one: fresh pages cost as much as reading what is in them. */
typedef struct {
    unsigned char *bytes; /* NULL: none */
    size_t room;
} ll_spare;

enum { LL_SERVE_SPARES = 4 };

/* What the best known attack gets (forecast.c). */
typedef struct {
    long submissions, accounts; /* with so many; 0: not computed yet */
    double share;               /* NAN: not known */
    double due;                 /* when it may be computed again, on ll_report_clock() */
} ll_forecast;

struct ll_server {
    const ll_serve_settings *settings;
    struct MHD_Daemon *daemon;
    ll_connections connections;
    ll_queue queue;
    ll_counters counters;
    size_t max_body;
    size_t reserved;                     /* of settings->max_bodies; under the lock of the queue */
    ll_request *submitting[256];         /* requests that have reserved memory; the same */
    ll_spare spare[LL_SERVE_SPARES];     /* the same */
    ll_forecast forecast;                /* the same */
    int is_forecasting;                  /* the same */
    int is_board_public, has_own_metric; /* of the policy */
    int woken;                           /* an eventfd: a worker has resumed a request */
    double started;
};

void ll_serve_release(ll_request *request);
void ll_serve_free_spares(ll_server *server);

/* ---- copies of submissions ---- */

/* Make the folder and its list, where they are not there; NULL: nothing is kept. */
LL_CHECK ll_status ll_serve_keep_begin(const char *folder, ll_error *error);
void ll_serve_keep(const ll_request *request, const ll_guard_answer *answer);

/* ---- the log: one JSON object per line on stderr, never a label or a score ---- */

void ll_serve_log_request(const ll_request *request, const char *from, int is_complete);
void ll_serve_log_event(const char *event, const char *key, const char *text);
/* An event with numbers that are known when the server starts. */
void ll_serve_log_start(const ll_server *server, const char *address);

/* ---- listening ---- */

/* A socket that listens on ADDRESS:PORT; address[size] gets where it is, as people type it behind http://. */
LL_CHECK ll_status ll_serve_listen(int *file, char *address, size_t size, const char *where, ll_error *error);

/* ---- embedded files (made by the build from page/) ---- */

extern const unsigned char ll_page_html[], ll_page_css[], ll_page_js[];
extern const size_t ll_page_html_size, ll_page_css_size, ll_page_js_size;

#endif
