/* Threads with a guard each. A guard whose ledger failed is closed, and opened again for the next request: a database
 * server that was restarted is found again. */
#include "serve/server.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- the queue ---- */

void ll_workers_put(ll_server *server, ll_request *request)
{
    ll_queue *q = &server->queue;
    request->next = NULL;
    pthread_mutex_lock(&q->lock);
    *(q->last != NULL ? &q->last->next : &q->first) = request;
    q->last = request;
    q->waiting++;
    pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->lock);
}

/* NULL: the queue is closed. */
static ll_request *take(ll_queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (q->first == NULL && !q->is_closed)
        pthread_cond_wait(&q->filled, &q->lock);
    ll_request *r = q->is_closed ? NULL : q->first;
    if (r != NULL) {
        q->first = r->next;
        q->last = q->first != NULL ? q->last : NULL;
        q->waiting--;
        q->working++;
    }
    pthread_mutex_unlock(&q->lock);
    return r;
}

static void give_back(ll_server *server, ll_request *r)
{
    ll_queue *q = &server->queue;
    struct MHD_Connection *connection = r->connection;
    pthread_mutex_lock(&q->lock);
    q->working--;
    pthread_mutex_unlock(&q->lock);
    MHD_resume_connection(connection);
    (void)eventfd_write(server->woken, 1);
}

/* ---- memory for bodies ---- */

enum { SLOTS = sizeof((ll_server *)0)->submitting / sizeof(ll_request *), PER_ACCOUNT = 8 };

/* Under the lock: a place for this request, or why there is none. */
static const char *find_slot(ll_server *server, const ll_request *r, int *slot)
{
    int same = 0;
    *slot = -1;
    for (int i = 0; i < SLOTS; i++) {
        const ll_request *other = server->submitting[i];
        if (other == NULL)
            *slot = i;
        else
            same += strcmp(other->account, r->account) == 0;
    }
    if (same >= PER_ACCOUNT)
        return "this account is submitting too much at once; try again";
    if (*slot < 0 || r->body_room > server->settings->max_bodies - server->reserved)
        return "too many submissions at once; try again";
    return NULL;
}

/* Under the lock: a spare that is large enough, or NULL. */
static unsigned char *take_spare(ll_server *server, size_t *room)
{
    for (int i = 0; i < LL_SERVE_SPARES; i++) {
        ll_spare spare = server->spare[i];
        if (spare.bytes == NULL || spare.room < *room)
            continue;
        server->spare[i] = (ll_spare){0};
        *room = spare.room;
        return spare.bytes;
    }
    return NULL;
}

/* Under the lock: it is kept in place of the smallest spare, which is returned to be freed. */
static unsigned char *exchange_spare(ll_server *server, unsigned char *bytes, size_t room)
{
    ll_spare *smallest = &server->spare[0];
    for (int i = 1; i < LL_SERVE_SPARES; i++)
        if (server->spare[i].room < smallest->room)
            smallest = &server->spare[i];
    if (bytes == NULL || room <= smallest->room)
        return bytes;
    unsigned char *other = smallest->bytes;
    *smallest = (ll_spare){bytes, room};
    return other;
}

void ll_serve_free_spares(ll_server *server)
{
    for (int i = 0; i < LL_SERVE_SPARES; i++)
        free(server->spare[i].bytes);
}

/* Room for a body, or a refusal in request->reply. */
static void reserve(ll_request *r)
{
    ll_server *server = r->server;
    int slot;
    pthread_mutex_lock(&server->queue.lock);
    const char *why = find_slot(server, r, &slot);
    if (why == NULL) {
        server->submitting[slot] = r;
        server->reserved += r->body_room;
        r->reserved = r->body_allocated = r->body_room;
        r->body = take_spare(server, &r->body_allocated);
    }
    pthread_mutex_unlock(&server->queue.lock);
    if (why == NULL && r->body == NULL)
        r->body = malloc(r->body_room);
    if (r->body == NULL)
        ll_serve_refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE, "%s", why != NULL ? why : "no memory; try again");
}

void ll_serve_release(ll_request *r)
{
    ll_server *server = r->server;
    pthread_mutex_lock(&server->queue.lock);
    for (int i = 0; i < SLOTS; i++)
        if (server->submitting[i] == r)
            server->submitting[i] = NULL;
    server->reserved -= r->reserved;
    r->reserved = 0;
    unsigned char *unused = exchange_spare(server, r->body, r->body_allocated);
    pthread_mutex_unlock(&server->queue.lock);
    free(unused);
    r->body = NULL;
}

/* ---- who may ask ---- */

static const struct {
    int participant, host;
    const char *why;
} allowed[] = {
    [LL_SERVE_ANYBODY] = {1, 1, ""},
    [LL_SERVE_ACCOUNTS] = {1, 1, ""},
    [LL_SERVE_PARTICIPANTS] = {1, 0, "a host's account does not submit"},
    [LL_SERVE_HOST] = {0, 1, "this is for the host"},
    [LL_SERVE_BOARD] = {0, 1, "the leaderboard is for the host"},
};

static ll_status check(ll_request *r, ll_guard *guard, ll_error *error)
{
    ll_serve_who who = r->route->who;
    r->is_checked = 1;
    if (r->token[0] == '\0')
        return LL_OK;
    ll_status status = ll_guard_check_token(guard, r->account, &r->role, r->token, error);
    memset(r->token, 0, sizeof r->token);
    if (status != LL_OK)
        return status;
    if (r->role == LL_ROLE_NONE)
        ll_serve_refuse(r, MHD_HTTP_UNAUTHORIZED, "no account has this token");
    else if (!(r->role == LL_ROLE_HOST ? allowed[who].host : allowed[who].participant))
        ll_serve_refuse(r, MHD_HTTP_FORBIDDEN, "%s", allowed[who].why);
    return LL_OK;
}

/* ---- a worker ---- */

static ll_status work(ll_request *r, ll_guard *guard, ll_error *error)
{
    ll_status status = r->is_checked ? LL_OK : check(r, guard, error);
    if (status != LL_OK || r->reply.status != 0)
        return status;
    if (!r->route->has_body || r->has_arrived)
        return r->route->answer(r, guard, error);
    reserve(r);
    return LL_OK;
}

/* What failed is the host's business: whoever asked is told to try again. */
static void fail(ll_request *r, const ll_error *error)
{
    ll_serve_log_event("error", "text", error->text);
    ll_serve_refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE,
                    "the ledger cannot be used now; try again: the same submission is charged once");
}

void ll_serve_refuse_stopping(ll_request *r)
{
    ll_serve_refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is stopping; try again");
}

/* A guard, and what the settings add to it. */
typedef struct {
    ll_guard *guard; /* NULL: it is to be opened */
    void *own;
} equipped;

static void close_equipped(equipped *e, const ll_serve_settings *s)
{
    ll_guard_close(e->guard);
    if (s->unequip != NULL)
        s->unequip(e->own);
    *e = (equipped){0};
}

static ll_status open_equipped(equipped *e, const ll_serve_settings *s, ll_error *error)
{
    ll_status status = e->guard == NULL ? ll_guard_open(&e->guard, s->ledger, s->key, error) : LL_OK;
    if (status == LL_OK && e->own == NULL && s->equip != NULL)
        status = s->equip(&e->own, e->guard, error);
    return status;
}

static void *run_worker(void *self)
{
    ll_server *server = self;
    const ll_serve_settings *s = server->settings;
    equipped e = {0};
#ifdef _OPENMP
    omp_set_num_threads(1);
#endif
    for (ll_request *r = take(&server->queue); r != NULL; r = take(&server->queue)) {
        ll_error error = {0};
        ll_status status = open_equipped(&e, s, &error);
        if (status == LL_OK)
            status = work(r, e.guard, &error);
        if (status != LL_OK) {
            fail(r, &error);
            close_equipped(&e, s);
        }
        give_back(server, r);
    }
    close_equipped(&e, s);
    return NULL;
}

/* Signals are the loop's. */
static int start_thread(pthread_t *thread, ll_server *server)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int why = pthread_create(thread, NULL, run_worker, server);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return why;
}

ll_status ll_workers_start(ll_server *server, ll_error *error)
{
    ll_queue *q = &server->queue;
    q->threads = calloc((size_t)server->settings->workers, sizeof *q->threads);
    if (q->threads == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for the workers");
    for (; q->count < server->settings->workers; q->count++) {
        int why = start_thread(&q->threads[q->count], server);
        if (why != 0 && q->count == 0)
            return ll_fail(error, LL_SYSTEM, "no thread can be started: %s", strerror(why));
        if (why != 0)
            return LL_OK;
    }
    return LL_OK;
}

void ll_workers_stop(ll_server *server)
{
    ll_queue *q = &server->queue;
    pthread_mutex_lock(&q->lock);
    q->is_closed = 1;
    pthread_cond_broadcast(&q->filled);
    pthread_mutex_unlock(&q->lock);
    for (long i = 0; i < q->count; i++)
        (void)pthread_join(q->threads[i], NULL);
    free(q->threads);
    q->threads = NULL;
    q->count = 0;
    for (ll_request *r = q->first; r != NULL; r = q->first) {
        q->first = r->next;
        ll_serve_refuse_stopping(r);
        MHD_resume_connection(r->connection);
    }
    q->last = NULL;
    q->waiting = 0;
}
