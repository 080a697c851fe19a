/* The bytes of a model, before protobuf-c reads them.
 *
 * protobuf-c calls itself for every nested message and knows no limit, so a small file of messages in messages would
 * end the stack; and it says of bad bytes only that they are bad. This walk over tags and lengths finds both, at the
 * byte where it is. */
#include "onnx/onnx.h"

typedef struct {
    const uint8_t *begin, *at, *end;
    ll_error *error;
} cursor;

static ll_status bad(const cursor *c, const char *what)
{
    return ll_fail(c->error, LL_DOMAIN, "byte %zu: %s", (size_t)(c->at - c->begin), what);
}

static ll_status read_varint(cursor *c, uint64_t *out)
{
    *out = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        if (c->at == c->end)
            return bad(c, "the file ends inside a number");
        uint8_t byte = *c->at++;
        *out |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (!(byte & 0x80))
            return LL_OK;
    }
    return bad(c, "a number of more than ten bytes");
}

static ll_status skip(cursor *c, uint64_t size)
{
    if (size > (uint64_t)(c->end - c->at))
        return bad(c, "a field that is longer than what holds it");
    c->at += size;
    return LL_OK;
}

static ll_status check_message(cursor *c, const ProtobufCMessageDescriptor *type, int depth);

/* The message of a field, or its bytes. */
static ll_status check_bytes(cursor *c, const ProtobufCFieldDescriptor *field, int depth)
{
    uint64_t size;
    ll_status status = read_varint(c, &size);
    cursor inside = *c;
    if (status == LL_OK)
        status = skip(c, size);
    if (status != LL_OK || !field || field->type != PROTOBUF_C_TYPE_MESSAGE)
        return status;
    if (depth == 0)
        return bad(&inside, "messages nested too deep for a model");
    inside.end = c->at;
    return check_message(&inside, field->descriptor, depth - 1);
}

static ll_status check_field(cursor *c, const ProtobufCMessageDescriptor *type, int depth)
{
    uint64_t tag, value;
    ll_status status = read_varint(c, &tag);
    if (status != LL_OK)
        return status;
    if (tag >> 3 == 0 || tag >> 32)
        return bad(c, "no field has this number");
    switch (tag & 7) {
    case PROTOBUF_C_WIRE_TYPE_VARINT:
        return read_varint(c, &value);
    case PROTOBUF_C_WIRE_TYPE_64BIT:
        return skip(c, 8);
    case PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED:
        return check_bytes(c, protobuf_c_message_descriptor_get_field(type, (unsigned)(tag >> 3)), depth);
    case PROTOBUF_C_WIRE_TYPE_32BIT:
        return skip(c, 4);
    default:
        return bad(c, "no such kind of field");
    }
}

static ll_status check_message(cursor *c, const ProtobufCMessageDescriptor *type, int depth)
{
    ll_status status = LL_OK;
    while (status == LL_OK && c->at < c->end)
        status = check_field(c, type, depth);
    return status;
}

ll_status ll_onnx_check_bytes(const ProtobufCMessageDescriptor *type, const uint8_t *data, size_t size, ll_error *error)
{
    cursor c = {data, data, data + size, error};
    return check_message(&c, type, LL_ONNX_NESTING);
}
