#include "io/files/json_text.h"
#include "report/json.h"
#include "serve/server.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything is made for this answer alone: nothing may be kept, framed, or read as anything else. */
static const char *const headers[][2] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Cache-Control", "no-store"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                                "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
};

void ll_serve_refuse(ll_request *request, unsigned status, const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ll_json json;
    ll_report_json_begin(&json, "serve");
    ll_report_json_add(&json, "error", ll_report_json_string(text));
    free(request->reply.text);
    request->reply.status = status;
    request->reply.type = "application/json";
    request->reply.text = json.failed ? NULL : ll_io_json_text(json.object, JSON_COMPACT);
    request->reply.size = request->reply.text != NULL ? strlen(request->reply.text) : 0;
    json_decref(json.object);
}

static struct MHD_Response *make(const ll_reply *reply)
{
    if (reply->file != NULL)
        return MHD_create_response_from_buffer(reply->size, (void *)(uintptr_t)reply->file, MHD_RESPMEM_PERSISTENT);
    return MHD_create_response_from_buffer(reply->size, reply->text != NULL ? reply->text : "", MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *ll_serve_response(const ll_reply *reply)
{
    struct MHD_Response *response = make(reply);
    if (response == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        (void)MHD_add_response_header(response, headers[i][0], headers[i][1]);
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->type);
    if (reply->status == MHD_HTTP_UNAUTHORIZED)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    if (reply->status == MHD_HTTP_SERVICE_UNAVAILABLE)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "2");
    if (reply->allowed != NULL)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, reply->allowed);
    if (reply->must_close)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    return response;
}
