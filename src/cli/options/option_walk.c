#include "cli/options/option_walk.h"

#include <ctype.h>

static int is_end(const struct argp_option *o)
{
    return !o->name && !o->key && !o->doc && !o->group;
}

static void walk_table(const struct argp_option *table, ll_option_visit visit, void *self)
{
    const struct argp_option *named = NULL; /* that an alias stands for */
    for (const struct argp_option *o = table; o && !is_end(o); o++) {
        if (named != NULL && o->flags & OPTION_ALIAS) {
            ll_option alias = {.name = o->name, .value = named->arg, .doc = "The same, by its older name"};
            visit(self, &alias);
            continue;
        }
        named = o;
        int letter = o->key > 0 && o->key < 128 && isalnum(o->key) ? o->key : 0;
        ll_option option = {.name = o->name, .letter = letter, .value = o->arg, .doc = o->doc};
        visit(self, &option);
    }
}

void ll_cli_walk_options(const ll_syntax *syntax, ll_option_visit visit, void *self)
{
    walk_table(syntax->options, visit, self);
    for (const ll_part *part = syntax->parts; part->group; part++)
        walk_table(part->group->argp.options, visit, self);
}
