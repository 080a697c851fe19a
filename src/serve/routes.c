/* What can be asked for, a row each. */
#include "serve/server.h"

#include <string.h>

static const ll_route routes[] = {
    {"POST", "/v1/submissions", LL_SERVE_PARTICIPANTS, 1, ll_serve_submit, NULL, NULL, NULL},
    {"GET", "/v1/leaderboard", LL_SERVE_BOARD, 0, ll_serve_leaderboard, NULL, NULL, NULL},
    {"GET", "/v1/account", LL_SERVE_ACCOUNTS, 0, ll_serve_account, NULL, NULL, NULL},
    {"GET", "/v1/ledger", LL_SERVE_HOST, 0, ll_serve_ledger, NULL, NULL, NULL},
    {"GET", "/v1/policy", LL_SERVE_ANYBODY, 0, ll_serve_policy, NULL, NULL, NULL},
    {"GET", "/healthz", LL_SERVE_ANYBODY, 0, ll_serve_health, NULL, NULL, NULL},
    {"GET", "/metrics", LL_SERVE_ANYBODY, 0, ll_serve_metrics, NULL, NULL, NULL},
    {"GET", "/", LL_SERVE_ANYBODY, 0, NULL, ll_page_html, &ll_page_html_size, "text/html; charset=utf-8"},
    {"GET", "/page.css", LL_SERVE_ANYBODY, 0, NULL, ll_page_css, &ll_page_css_size, "text/css; charset=utf-8"},
    {"GET", "/page.js", LL_SERVE_ANYBODY, 0, NULL, ll_page_js, &ll_page_js_size, "text/javascript; charset=utf-8"},
};

enum { ROUTES = sizeof routes / sizeof *routes };

static int fits(const ll_route *route, const char *method)
{
    const char *meant = strcmp(method, "HEAD") == 0 ? "GET" : method;
    return strcmp(route->method, meant) == 0;
}

const ll_route *ll_serve_find_route(const char *method, const char *path, int *status, const char **allowed)
{
    *status = MHD_HTTP_NOT_FOUND;
    *allowed = NULL;
    for (int i = 0; i < ROUTES; i++)
        if (strcmp(routes[i].path, path) == 0) {
            if (fits(&routes[i], method))
                return &routes[i];
            *status = MHD_HTTP_METHOD_NOT_ALLOWED;
            *allowed = routes[i].method;
        }
    return NULL;
}
