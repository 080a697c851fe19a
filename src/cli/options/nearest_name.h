/* Which known word was meant? */
#ifndef LL_CLI_NEAREST_NAME_H
#define LL_CLI_NEAREST_NAME_H

/* The better guess for `word` of a best one so far (NULL: none) and one more name; start with NULL and feed all
 * names. Names further than half the word away are no guess. */
const char *ll_cli_nearer(const char *word, const char *best, const char *name);

#endif
