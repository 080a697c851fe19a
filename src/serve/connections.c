/* Who is connected, least recently used first. Slow and idle connections cost a little memory and end in time; where
 * there are too many, the one that has been idle longest makes room, so nobody can keep others out by opening
 * connections and leaving them. */
#include "report/progress.h"
#include "serve/server.h"

#include <stdlib.h>

static void unlink_it(ll_connections *all, ll_connection *c)
{
    *(c->before != NULL ? &c->before->after : &all->first) = c->after;
    *(c->after != NULL ? &c->after->before : &all->last) = c->before;
}

static void append(ll_connections *all, ll_connection *c)
{
    c->before = all->last;
    c->after = NULL;
    *(all->last != NULL ? &all->last->after : &all->first) = c;
    all->last = c;
}

/* libmicrohttpd closes it when it sees the end of the stream. */
static void end(ll_connection *c)
{
    (void)shutdown(c->file, SHUT_RDWR);
    c->is_busy = 1; /* once is enough */
}

static void make_room(ll_connections *all)
{
    for (ll_connection *c = all->first; c != NULL; c = c->after)
        if (!c->is_busy) {
            end(c);
            all->evicted++;
            return;
        }
}

ll_connection *ll_connections_add(ll_connections *all, int file, double deadline)
{
    ll_connection *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->file = file;
    c->deadline = deadline;
    if (all->count >= all->most)
        make_room(all);
    append(all, c);
    all->count++;
    return c;
}

void ll_connections_remove(ll_connections *all, ll_connection *c)
{
    unlink_it(all, c);
    all->count--;
    free(c);
}

void ll_connections_use(ll_connections *all, ll_connection *c, int is_busy, double deadline)
{
    unlink_it(all, c);
    append(all, c);
    c->is_busy = is_busy;
    c->deadline = deadline;
}

void ll_connections_sweep(ll_connections *all)
{
    double now = ll_report_clock();
    if (now < all->swept + 1)
        return;
    all->swept = now;
    for (ll_connection *c = all->first; c != NULL; c = c->after)
        if (now > c->deadline) {
            end(c);
            c->deadline = now + 60;
            all->late++;
        }
}

void ll_connections_end_idle(ll_connections *all)
{
    for (ll_connection *c = all->first; c != NULL; c = c->after)
        if (!c->is_busy)
            end(c);
}
