/* The host's own program in a policy: texts for whoever runs it. What they mean is said in docs/guard.md; the library runs
 * nothing. */
#include "guard/policy.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *accepted[4]; /* one of these; none: any text */
} members[LL_POLICY_PROGRAM] = {
    {"command", {NULL}}, {"interface", {NULL}}, {"score", {NULL}}, {"format", {"csv", "npy", "jsonl", NULL}},
    {"phase", {NULL}},   {"examples", {NULL}},  {"field", {NULL}}, {"sandbox", {"needed", "none", NULL}},
};

static int find(const char *name)
{
    int i = 0;
    while (i < LL_POLICY_PROGRAM && strcmp(members[i].name, name) != 0)
        i++;
    return i;
}

static int is_accepted(int member, const char *text)
{
    const char *const *accepted = members[member].accepted;
    int i = 0;
    while (accepted[i] != NULL && strcmp(accepted[i], text) != 0)
        i++;
    return accepted[0] == NULL || accepted[i] != NULL;
}

static ll_status read_member(ll_policy *p, const char *name, const char *text, ll_error *error)
{
    int i = find(name);
    if (i == LL_POLICY_PROGRAM)
        return ll_fail(error, LL_DOMAIN, "policy: program has a member %s, which is not known", name);
    if (text == NULL || text[0] == '\0')
        return ll_fail(error, LL_DOMAIN, "policy: %s must be a text", name);
    if (!is_accepted(i, text))
        return ll_fail(error, LL_DOMAIN, "policy: %s must be one of those that docs/guard.md lists, the first \"%s\"",
                       name, members[i].accepted[0]);
    free(p->program[i]);
    p->program[i] = strdup(text);
    return p->program[i] != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for a policy");
}

ll_status ll_policy_read_program(ll_policy *p, const char *name, const json_t *object, ll_error *error)
{
    const char *member = NULL;
    json_t *value = NULL;
    ll_status status = json_is_object(object) ? LL_OK : ll_fail(error, LL_DOMAIN, "policy: %s must be an object", name);
    if (status != LL_OK)
        return status;
    json_object_foreach((json_t *)(uintptr_t)object, member, value)
    {
        status = read_member(p, member, json_string_value(value), error);
        if (status != LL_OK)
            return status;
    }
    return p->program[0] != NULL || p->program[1] != NULL
               ? LL_OK
               : ll_fail(error, LL_DOMAIN, "policy: program: the command is missing");
}

static int has_program(const ll_policy *p)
{
    for (int i = 0; i < LL_POLICY_PROGRAM; i++)
        if (p->program[i] != NULL)
            return 1;
    return 0;
}

ll_status ll_policy_check_program(const ll_policy *p, ll_error *error)
{
    return !has_program(p) || p->better != NULL
               ? LL_OK
               : ll_fail(error, LL_DOMAIN,
                         "policy: program: which of its scores are better, \"higher\" or \"lower\"? Add better");
}

json_t *ll_policy_program_json(const ll_policy *p)
{
    json_t *object = has_program(p) ? json_object() : NULL;
    for (int i = 0; i < LL_POLICY_PROGRAM && object != NULL; i++)
        if (p->program[i] != NULL)
            (void)json_object_set_new(object, members[i].name, json_string(p->program[i]));
    return object;
}

const char *ll_policy_get_program(const ll_policy *p, const char *member)
{
    int i = find(member);
    return i < LL_POLICY_PROGRAM ? p->program[i] : NULL;
}
