/* A guard over HTTP. The one header of this room that others include. */
#ifndef LL_SERVE_SERVE_H
#define LL_SERVE_SERVE_H

#include <lossleak/guard.h>

typedef struct {
    const char *ledger;                        /* URL, as ll_guard_open takes it */
    const unsigned char *key;                  /* LL_GUARD_KEY bytes; NULL: none */
    const char *listen;                        /* ADDRESS:PORT, [ADDRESS]:PORT; port 0: any that is free */
    const char *certificate, *certificate_key; /* PEM text; NULL: no TLS */
    long workers;                              /* threads that score, each with a handle of its own */
    long max_connections;
    size_t max_body;   /* bytes of one submission, also when it is inflated; 0: from rows and classes of the policy */
    size_t max_bodies; /* bytes of all submissions that are being received or scored */
    double timeout;    /* seconds for a request's head, for a response, and between requests */
    double seconds;    /* the server ends after that; infinity: it does not */
    const char *keep;  /* a folder for copies of accepted submissions; NULL: none */
    int is_quiet;      /* no line for each request */
    /* Told the address once the server listens; NULL: nobody. */
    void (*listens)(void *self, const char *address);
    void *self;
    /* Called for each guard that is opened, and before it is closed: the metric of a host's own program. NULL: nothing. */
    ll_status (*equip)(void **own, ll_guard *guard, ll_error *error);
    void (*unequip)(void *own); /* takes NULL */
    volatile const int *stop;   /* set by a signal handler: not 0 ends the server when what was begun is answered */
} ll_serve_settings;

/* Serve until *stop, then finish what was begun, for at most 10 seconds. LL_DOMAIN: an address or certificate that
 * cannot be used, or the ledger does not open; LL_SYSTEM: the system refuses. */
LL_CHECK ll_status ll_serve_run(const ll_serve_settings *settings, ll_error *error);

#endif
