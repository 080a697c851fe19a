/* Replies in JSON. */
#ifndef LL_SERVE_RESOURCES_H
#define LL_SERVE_RESOURCES_H

#include "report/guard_json.h"
#include "serve/server.h"

/* Takes the object. LL_MEMORY where a part of it is missing. */
LL_CHECK ll_status ll_serve_reply_json(ll_request *request, unsigned status, ll_json *json, ll_error *error);
/* {"share", "submissions", "accounts"} of the best known attack, or null where that is not known. */
json_t *ll_serve_forecast(ll_server *server, const ll_guard_status *status, const ll_policy *policy);

#endif
