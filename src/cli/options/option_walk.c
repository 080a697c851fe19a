#include "cli/options/option_walk.h"

#include <ctype.h>

static int is_end(const struct argp_option *o)
{
    return !o->name && !o->key && !o->doc && !o->group;
}

void ll_cli_walk_options(const struct argp *argp, ll_option_visit visit, void *self)
{
    for (const struct argp_option *o = argp->options; o && !is_end(o); o++) {
        int letter = o->key > 0 && o->key < 128 && isalnum(o->key) ? o->key : 0;
        ll_option option = {.name = o->name, .letter = letter, .value = o->arg, .doc = o->doc};
        visit(self, &option);
    }
    for (const struct argp_child *c = argp->children; c && c->argp; c++)
        ll_cli_walk_options(c->argp, visit, self);
}
