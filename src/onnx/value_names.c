#include "onnx/value_names.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const ll_value_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(a, ((const ll_value_name *)b)->name);
}

static void add(ll_value_names *names, const char *name, long number)
{
    if (ll_onnx_text(name)[0] != '\0')
        names->sorted[names->count++] = (ll_value_name){name, number};
}

static void fill(ll_value_names *names, const Onnx__GraphProto *graph)
{
    long number = 0;
    for (size_t i = 0; i < graph->n_input; i++)
        add(names, graph->input[i]->name, number++);
    for (size_t i = 0; i < graph->n_initializer; i++)
        add(names, graph->initializer[i]->name, number++);
    for (size_t n = 0; n < graph->n_node; n++)
        for (size_t i = 0; i < graph->node[n]->n_output; i++)
            add(names, graph->node[n]->output[i], number++);
}

/* Of an input and its default the default stays; nothing else may have two makers. Values from `made` on are nodes'. */
static ll_status unite(ll_value_names *names, long inputs, long made, ll_error *error)
{
    long kept = 0;
    for (long i = 0; i < names->count; i++) {
        const ll_value_name *last = kept ? &names->sorted[kept - 1] : NULL;
        if (!last || strcmp(last->name, names->sorted[i].name) != 0)
            names->sorted[kept++] = names->sorted[i];
        else if (last->number < inputs && names->sorted[i].number < made && names->sorted[i].number >= inputs)
            names->sorted[kept - 1] = names->sorted[i];
        else
            return ll_fail(error, LL_DOMAIN, "the value %.100s is made twice", last->name);
    }
    names->count = kept;
    return LL_OK;
}

ll_status ll_value_names_create(ll_value_names *out, const Onnx__GraphProto *graph, ll_error *error)
{
    size_t count = graph->n_input + graph->n_initializer + 1;
    for (size_t n = 0; n < graph->n_node; n++)
        count += graph->node[n]->n_output;
    out->count = 0;
    out->sorted = calloc(count, sizeof *out->sorted);
    if (!out->sorted)
        return ll_fail(error, LL_MEMORY, "no memory for %zu names", count);
    fill(out, graph);
    qsort(out->sorted, (size_t)out->count, sizeof *out->sorted, compare);
    ll_status status = unite(out, (long)graph->n_input, (long)(graph->n_input + graph->n_initializer), error);
    if (status != LL_OK)
        ll_value_names_clear(out);
    return status;
}

void ll_value_names_clear(ll_value_names *names)
{
    free(names->sorted);
    names->sorted = NULL;
}

long ll_value_names_find(const ll_value_names *names, const char *name)
{
    const ll_value_name *found =
        bsearch(name, names->sorted, (size_t)names->count, sizeof *names->sorted, compare_text);
    return found ? found->number : -1;
}
