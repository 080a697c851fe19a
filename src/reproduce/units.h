/* The work units of the experiments. */
#ifndef LL_REPRODUCE_UNITS_H
#define LL_REPRODUCE_UNITS_H

#include "lossleak.h"

/* What is asked for; the same for all units, and what a journal belongs to. */
typedef struct {
    uint64_t seed;
    long runs; /* label sets of each length */
    int quick;
} ll_settings;

typedef enum {
    LL_UNIT_SINGLE,     /* the paper's attack on `runs` label sets */
    LL_UNIT_BLOCKS,     /* the same on a whole data set, block by block */
    LL_UNIT_OWN_SINGLE, /* most labels of this library's certified one-query plans */
    LL_UNIT_OWN_BLOCKS, /* that plan on a whole data set, block by block */
    LL_UNIT_OWN_ALL,    /* its plan for a whole data set, all rows in every score */
    LL_UNIT_EXACT,      /* its plan in exact arithmetic: a whole data set in one query */
    LL_UNIT_NEAREST,    /* LabelInf by the search that prunes */
    LL_UNIT_SLICE       /* LabelInf by looking at a slice of all labellings */
} ll_unit_kind;

enum { LL_UNIT_VALUES = 6, LL_UNIT_KEY = 96, LL_UNIT_NOTE = 40 };

typedef struct {
    long values[LL_UNIT_VALUES]; /* see the LL_VALUE_ names */
    double number;               /* bits of score; a distance */
    double seconds;              /* of one core, for the unit; not in the CSV files */
    double longest;              /* of its longest attack */
    char note[LL_UNIT_NOTE];     /* a code's name */
} ll_unit_result;

/* values of SINGLE and BLOCKS; OWN_SINGLE and OWN_BLOCKS have the first four, and their length as the last */
enum {
    LL_VALUE_ATTACKS,
    LL_VALUE_ATTACKS_RIGHT,
    LL_VALUE_LABELS,
    LL_VALUE_LABELS_RIGHT,
    LL_VALUE_SILENT,
    LL_VALUE_LENGTH
};
/* values of OWN_ALL and EXACT; queries 0: no plan; was_run 0: planned only, since running it takes too long */
enum { LL_VALUE_QUERIES, LL_VALUE_WAS_RUN, LL_VALUE_ROWS, LL_VALUE_ROWS_RIGHT, LL_VALUE_ROWS_CERTAIN };
/* values of NEAREST and SLICE; number is the distance */
enum { LL_VALUE_FOUND, LL_VALUE_LABELLING, LL_VALUE_TRUTH };

typedef struct {
    ll_unit_kind kind;
    const char *what;    /* a construction; of the library's own plans, a loss */
    const char *dataset; /* its name */
    const char *tau;
    long length; /* rows a query; 0: does not apply */
    int all_rows;
    long slice, slices;
    double cost; /* seconds, a guess for the time left */
    char key[LL_UNIT_KEY];
    int is_done;
    ll_unit_result result;
} ll_unit;

typedef struct {
    ll_unit *list;
    long count, room;
    double cost; /* of all */
} ll_units;

void ll_units_init(ll_units *units);
void ll_units_clear(ll_units *units);
/* Add a unit, its key made here, unless one with that key is there. */
LL_CHECK ll_status ll_units_add(ll_units *units, const ll_unit *unit, ll_error *error);
/* Make the list ready to be searched; no more adding. */
void ll_units_sort(ll_units *units);
ll_unit *ll_units_find(const ll_units *units, const char *key);
/* The unit like this one (its key is made anew), NULL where there is none. */
const ll_unit *ll_units_get(const ll_units *units, const ll_unit *like);

/* The data set's rows and classes, as published. */
const ll_dataset_info *ll_units_dataset(const char *name);

/* unit_work.c: do one. Draws come from seed and key alone. */
LL_CHECK ll_status ll_unit_work(ll_unit_result *out, const ll_unit *unit, const ll_settings *settings, ll_error *error);

#endif
