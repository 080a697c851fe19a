#include "strategy/ranks/ranks.h"

#include "code/rows.h"
#include "code/spread_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A design counts rows of every level in every query, and has tables of queries times rows; places are 16 bits. */
enum { MOST_ROWS = 12000 };

/* ---- how a query's levels are laid out ---- */

/* counts[0 .. width-1] rows a level. Known rows go between, and one joins a tie whose rank would be half off. The ranks
 * that it takes in all; -1: neighbours are too near. sizes, unless NULL: of each tie; gaps: known rows below it. */
static int64_t lay_out(const int32_t *counts, int64_t width, int64_t step, int32_t *sizes, int32_t *gaps)
{
    int64_t used = 0, first = -1, base = 0;
    for (int64_t v = 0; v < width; v++) {
        if (counts[v] == 0)
            continue;
        if (first < 0) {
            first = v;
            base = counts[v] + 1;
        }
        /* 2 (used + gap) + size + 1 = base + step (v - first) */
        int64_t twice = base + step * (v - first) - 1 - counts[v] - 2 * used, odd = twice & 1;
        if (twice - odd < 0)
            return -1;
        if (sizes != NULL) {
            sizes[v] = counts[v] + (int32_t)odd;
            gaps[v] = (int32_t)((twice - odd) / 2);
        }
        used += (twice - odd) / 2 + counts[v] + odd;
    }
    return used;
}

/* The least step at which neighbours are far enough apart, if that fits into `room` ranks; else 0. */
static int64_t find_step(const int32_t *counts, int64_t width, int64_t least, int64_t room)
{
    int64_t last = -1, step = least;
    for (int64_t v = 0; v < width; v++) {
        if (counts[v] == 0)
            continue;
        if (last >= 0 && counts[v] + counts[last] > step * (v - last))
            step = (counts[v] + counts[last] + v - last - 1) / (v - last);
        last = v;
    }
    for (int64_t more = 0; more <= 2; more++) {
        int64_t used = lay_out(counts, width, step + more, NULL, NULL);
        if (used >= 0)
            return used <= room ? step + more : 0;
    }
    return 0;
}

static int64_t find_query_step(const ll_rank_stages *s, const ll_rank_stage *stage, long query)
{
    return find_step(ll_spread_counts(stage->levels, query), 2 * stage->levels->levels + 1, s->least_step,
                     stage->known + stage->asked);
}

static int fits(const ll_rank_stages *s, const ll_rank_stage *stage)
{
    for (long q = 0; q < stage->queries; q++)
        if (find_query_step(s, stage, q) == 0)
            return 0;
    return 1;
}

/* ---- choosing levels ---- */

/* stage->levels for `spread` if it is better than what is there and fits. LL_MEMORY. */
static ll_status try_levels(const ll_rank_stages *s, ll_rank_stage *stage, const ll_spread *spread, int *fitted)
{
    ll_rank_stage one = *stage;
    *fitted = 0;
    one.queries = ll_spread_queries(spread);
    if (one.queries == 0 || (stage->levels != NULL && one.queries >= stage->queries))
        return LL_OK;
    ll_status status = ll_spread_create(&one.levels, spread, NULL);
    if (status != LL_OK)
        return status;
    *fitted = fits(s, &one);
    ll_code *worse = *fitted ? stage->levels : one.levels;
    if (*fitted)
        *stage = one;
    ll_code_destroy(worse);
    return LL_OK;
}

/* More levels than this were never seen to fit: A steps of room / A take all ranks, and of asked / A rows, as many as
 * two neighbouring levels have in the mean, some query has more by a little over the root. */
static int64_t most_levels(const ll_rank_stages *s, const ll_rank_stage *stage)
{
    double room = (double)(stage->known + stage->asked), most = room / (double)s->least_step + 1;
    double mean = (double)stage->asked / most;
    while (most * mean > 200 && room / most < mean + 1.5 * sqrt(mean)) {
        most -= most / 32;
        mean = (double)stage->asked / most;
    }
    return (int64_t)most;
}

/* As many levels as fit, `most` or fewer, for one share of values. */
static ll_status search_levels(const ll_rank_stages *s, ll_rank_stage *stage, double share, int64_t most)
{
    ll_spread spread = {stage->asked, most, share};
    ll_status status = LL_OK;
    for (int fitted = 0; spread.levels >= 1 && !fitted && status == LL_OK;) {
        if (stage->levels != NULL && ll_spread_queries(&spread) >= stage->queries)
            break;
        status = try_levels(s, stage, &spread, &fitted);
        stage->share = fitted ? share : stage->share;
        spread.levels -= spread.levels / 16 + 1;
    }
    return status;
}

/* like: a stage of more rows after the same ones, whose share of values is good for fewer, and whose levels are so many
 * times as far apart as it has more ranks; NULL: everything is tried. */
static ll_status find_levels(const ll_rank_stages *s, ll_rank_stage *stage, const ll_rank_stage *like)
{
    static const double shares[] = {1, 0.85, 0.7, 0.6, 0.5};
    int64_t most = most_levels(s, stage), room = stage->known + stage->asked;
    ll_status status = LL_OK;
    if (like != NULL && like->share > 0) {
        int64_t scaled = like->levels->levels * (room + room / 8) / (like->known + like->asked) + 1;
        return search_levels(s, stage, like->share, scaled < most ? scaled : most);
    }
    for (size_t i = 0; i < sizeof shares / sizeof shares[0] && status == LL_OK; i++)
        status = search_levels(s, stage, shares[i], most);
    return status;
}

/* ---- stages ---- */

void ll_rank_stages_clear(ll_rank_stages *s)
{
    for (long k = 0; k < s->count; k++)
        ll_code_destroy(s->stages[k].levels);
    free(s->stages);
    free(s->parts);
    *s = (ll_rank_stages){0};
}

/* Of the rows from `known` to `end`. */
static ll_status make_stage(const ll_rank_stages *s, ll_rank_stage *stage, long known, long end,
                            const ll_rank_stage *like)
{
    *stage = (ll_rank_stage){.known = known, .asked = end - known, .is_last = end == s->rows};
    ll_status status =
        known > 0 ? find_levels(s, stage, like)
                  : ll_code_create(&stage->levels, &ll_code_detecting_labels, NULL, stage->asked, 2, NULL, 1, NULL);
    if (status != LL_OK || stage->levels == NULL)
        return status == LL_OK ? LL_DOMAIN : status;
    stage->queries = stage->levels->queries;
    return LL_OK;
}

/* The next stage ends with row `end`. */
static ll_status add_stage(ll_rank_stages *s, long end, const ll_rank_stage *like)
{
    ll_rank_stage *stage = &s->stages[s->count];
    ll_status status = make_stage(s, stage, s->count > 0 ? stage[-1].known + stage[-1].asked : 0, end, like);
    if (status != LL_OK)
        return status;
    stage->first_query = s->queries;
    s->queries = ll_rank_stage_end(stage);
    s->count++;
    return LL_OK;
}

enum { MOST_STAGES = 64 }; /* and one of the checks */

/* ends[count-1] < .. < ends[0] = rows. LL_DOMAIN: some stage has no levels. */
static ll_status add_stages(ll_rank_stages *out, const long *ends, long count, int64_t least_step)
{
    *out = (ll_rank_stages){.rows = ends[0], .least_step = least_step};
    out->stages = calloc(MOST_STAGES + 1, sizeof *out->stages);
    ll_status status = out->stages != NULL ? LL_OK : LL_MEMORY;
    while (count > 0 && status == LL_OK)
        status = add_stage(out, ends[--count], NULL);
    if (status != LL_OK)
        ll_rank_stages_clear(out);
    return status;
}

/* Stages that end with rows, rows / growth, rows / growth^2 ... down to `first` or less, or as far down as there are
 * ranks enough. */
static ll_status make_stages(ll_rank_stages *out, long rows, int64_t least_step, double growth, long first)
{
    long ends[MOST_STAGES], count = 0;
    double end = (double)rows;
    do {
        ends[count++] = (long)end;
        end /= growth;
    } while (ends[count - 1] > first && count < MOST_STAGES);
    ll_status status = LL_DOMAIN;
    for (; count > 0 && status == LL_DOMAIN; count--)
        status = add_stages(out, ends, count, least_step);
    return status;
}

/* Keeps the one with fewer queries in *best. */
static void keep_better(ll_rank_stages *best, ll_rank_stages *other)
{
    if (best->stages == NULL || other->queries <= best->queries) {
        ll_rank_stages worse = *best;
        *best = *other;
        *other = worse;
    }
    ll_rank_stages_clear(other);
}

/* The fewest queries of some ways to cut stages; fewer are compared where that takes long. */
static ll_status find_stages(ll_rank_stages *out, long rows, int64_t least_step)
{
    static const struct {
        double growth;
        long first;  /* rows of the first stage at most */
        long within; /* compared for so many rows */
    } ways[] = {{3.5, 16, MOST_ROWS}, {2.25, 6, 1500}, {2, 16, 1500}, {2.5, 16, 3000}, {2.5, 2, 100}, {2, 2, 100}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        ll_rank_stages one;
        ll_status status =
            rows <= ways[i].within ? make_stages(&one, rows, least_step, ways[i].growth, ways[i].first) : LL_DOMAIN;
        if (status == LL_MEMORY)
            return status;
        if (status == LL_OK)
            keep_better(out, &one);
    }
    return out->stages != NULL ? LL_OK : LL_DOMAIN;
}

/* ---- checks ---- */

int ll_rank_is_check(const ll_rank_stage *stage)
{
    return stage->asked == 0;
}

long ll_rank_checks(const ll_rank_stages *s, long read)
{
    return s->check_rows > 0 ? (read - 1) / s->check_rows + 1 : 0;
}

static void add_checks(ll_rank_stages *s, long read)
{
    long checks = ll_rank_checks(s, read);
    if (checks == 0)
        return;
    s->stages[s->count++] = (ll_rank_stage){.known = read, .first_query = s->queries, .queries = checks, .is_last = 1};
    s->queries += checks;
}

/* ---- a part of the rows ---- */

/* A stage of many rows takes long to design. */
enum { PARTS = 8, FEW_PARTS = 4, FEW_FROM = 5000 };

/* The stages up to that row: the one that it belongs to asks about fewer, with the levels that fit then. */
static ll_status cut_stages(ll_rank_stages *s, long read)
{
    while (s->stages[s->count - 1].known >= read)
        ll_code_destroy(s->stages[--s->count].levels);
    ll_rank_stage whole = s->stages[s->count - 1];
    s->queries = ll_rank_stage_end(&whole);
    if (whole.known + whole.asked == read)
        return LL_OK;
    s->queries = whole.first_query;
    s->count--;
    ll_status status = add_stage(s, read, &whole);
    ll_code_destroy(whole.levels);
    return status;
}

/* Parts with no more queries than the new one are worse. */
static void add_part(ll_rank_stages *s, ll_rank_part part)
{
    while (s->part_count > 0 && s->parts[s->part_count - 1].queries >= part.queries)
        s->part_count--;
    s->parts[s->part_count++] = part;
}

static ll_status add_parts_of(ll_rank_stages *s, const ll_rank_stage *stage)
{
    const long parts = s->rows < FEW_FROM ? PARTS : FEW_PARTS;
    ll_status status = LL_OK;
    for (long i = 1; i < parts && status != LL_MEMORY; i++) {
        ll_rank_stage one;
        ll_rank_part part = {.rows = stage->known + stage->asked * i / parts};
        if (part.rows == stage->known)
            continue;
        status = make_stage(s, &one, stage->known, part.rows, stage);
        one.first_query = stage->first_query;
        part.queries = ll_rank_stage_end(&one) + ll_rank_checks(s, part.rows);
        if (status == LL_OK)
            add_part(s, part);
        ll_code_destroy(one.levels);
    }
    long read = stage->known + stage->asked;
    add_part(s, (ll_rank_part){read, ll_rank_stage_end(stage) + ll_rank_checks(s, read)});
    return status == LL_MEMORY ? status : LL_OK;
}

static ll_status add_parts(ll_rank_stages *s)
{
    s->parts = calloc((size_t)(s->count * PARTS), sizeof *s->parts);
    ll_status status = s->parts != NULL ? LL_OK : LL_MEMORY;
    for (long k = 0; k < s->count && status == LL_OK; k++)
        status = add_parts_of(s, &s->stages[k]);
    return status;
}

ll_status ll_rank_stages_init(ll_rank_stages *out, const ll_rank_design *design, ll_error *error)
{
    const long rows = design->rows;
    *out = (ll_rank_stages){0};
    if (rows > MOST_ROWS)
        return ll_fail(error, LL_DOMAIN,
                       "%ld rows: the code ranks is worked out for up to %d; more are not safe for that", rows,
                       MOST_ROWS);
    if (design->least_step > rows)
        return ll_fail(error, LL_DOMAIN,
                       "two ties of %ld rows are not far enough apart: use less noise or more decimals", rows);
    ll_status status = find_stages(out, rows, design->least_step);
    out->check_rows = design->check_rows;
    if (status == LL_OK)
        status = design->read < rows ? cut_stages(out, design->read) : add_parts(out);
    if (status == LL_OK) {
        add_checks(out, design->read);
        return LL_OK;
    }
    ll_rank_stages_clear(out);
    return status == LL_MEMORY ? ll_fail(error, status, "no memory for %ld rows", rows)
                               : ll_fail(error, LL_DOMAIN, "%ld rows have too few ranks for levels", rows);
}

const ll_rank_stage *ll_rank_stage_of(const ll_rank_stages *s, long query)
{
    long k = s->count - 1;
    while (query < s->stages[k].first_query)
        k--;
    return &s->stages[k];
}

long ll_rank_stage_end(const ll_rank_stage *stage)
{
    return stage->first_query + stage->queries + !stage->is_last;
}

int ll_rank_is_total(const ll_rank_stage *stage, long query)
{
    return query - stage->first_query == stage->queries;
}

int64_t ll_rank_level(const ll_rank_stage *stage, long query, long row)
{
    ll_code view = *stage->levels;
    view.query = query - stage->first_query;
    return ll_code_has_labels(&view) ? view.row->predict(&view, row) : view.row->bounded.level(&view, row, 1);
}

/* ---- places ---- */

/* Levels 0 and 1 alone: level 0 is tied with the rows that come later. */
static void place_labels(const ll_rank_stage *stage, long query, uint16_t *places, ll_rank_query *out)
{
    for (long i = 0; i < stage->asked; i++)
        places[i] = (uint16_t)ll_rank_level(stage, query, i);
    *out = (ll_rank_query){.ties = 2};
}

/* The rows that a check puts on top; all others are one tie. */
static void place_check(const ll_rank_stage *stage, long query, uint16_t *places, ll_rank_query *out)
{
    for (long i = 0; i < stage->known; i++)
        places[i] = (uint16_t)(i * stage->queries / stage->known == query - stage->first_query);
    *out = (ll_rank_query){.ties = 2};
}

/* Rows that come later, known ones, the stage's: each a tie. */
static void place_total(const ll_rank_stage *stage, uint16_t *places, ll_rank_query *out)
{
    for (long i = 0; i < stage->known + stage->asked; i++)
        places[i] = (uint16_t)(i < stage->known ? 1 : 2);
    *out = (ll_rank_query){.ties = 3};
}

/* Known rows in order: `count` of them to that place. */
static void put_known(uint16_t *places, long *next, int32_t count, uint16_t place)
{
    for (int32_t k = 0; k < count; k++)
        places[(*next)++] = place;
}

/* Ties from below: known rows of a gap, then the level's own, with a known one among them where their rank would be
 * half off; known rows that are left over on top. */
static ll_status place_levels(const ll_rank_stages *s, const ll_rank_stage *stage, long query, uint16_t *places,
                              ll_rank_query *out)
{
    const long width = (long)(2 * stage->levels->levels + 1), asked = query - stage->first_query;
    const int32_t *counts = ll_spread_counts(stage->levels, asked);
    int32_t *sizes = calloc((size_t)width * 3, sizeof *sizes);
    long next = 0, ends = 1;
    if (sizes == NULL)
        return LL_MEMORY;
    int32_t *gaps = sizes + width, *ties = gaps + width;
    out->step = find_query_step(s, stage, asked);
    (void)lay_out(counts, width, out->step, sizes, gaps);
    for (long v = 0; v < width; v++) {
        if (counts[v] == 0)
            continue;
        put_known(places, &next, gaps[v], (uint16_t)ends);
        ends += gaps[v] > 0;
        ties[v] = (int32_t)ends;
        put_known(places, &next, sizes[v] - counts[v], (uint16_t)ends++);
    }
    put_known(places, &next, (int32_t)(stage->known - next), (uint16_t)ends);
    for (long i = 0; i < stage->asked; i++)
        places[stage->known + i] = (uint16_t)ties[ll_rank_level(stage, query, i) + stage->levels->levels];
    out->ties = ends + 1;
    free(sizes);
    return LL_OK;
}

void ll_rank_double(int64_t *ranks, long ties, const uint16_t *places, long rows)
{
    int64_t below = 0;
    memset(ranks, 0, sizeof *ranks * (size_t)ties);
    for (long i = 0; i < rows; i++)
        ranks[places[i]]++;
    for (long t = 0; t < ties; t++) {
        int64_t size = ranks[t];
        ranks[t] = 2 * below + size + 1;
        below += size;
    }
}

/* Twice the ranks of levels, from those of two rows that differ, or of one. A check has no levels: its T is 0, in steps
 * of 1. */
static ll_status measure(const ll_rank_stages *s, const ll_rank_stage *stage, long query, const uint16_t *places,
                         ll_rank_query *out)
{
    int64_t *ranks = malloc(sizeof *ranks * (size_t)out->ties);
    if (ranks == NULL)
        return LL_MEMORY;
    ll_rank_double(ranks, out->ties, places, s->rows);
    out->rest = ranks[0];
    if (ll_rank_is_check(stage)) {
        out->step = 1;
        free(ranks);
        return LL_OK;
    }
    int64_t level = ll_rank_is_total(stage, query) ? 0 : ll_rank_level(stage, query, 0);
    if (stage->known == 0 && !ll_rank_is_total(stage, query))
        out->step = s->rows;
    out->centre = ranks[places[stage->known]] - out->step * level;
    free(ranks);
    return LL_OK;
}

ll_status ll_rank_places(const ll_rank_stages *s, long query, uint16_t *places, ll_rank_query *out)
{
    const ll_rank_stage *stage = ll_rank_stage_of(s, query);
    ll_status status = LL_OK;
    memset(places, 0, sizeof *places * (size_t)s->rows);
    if (ll_rank_is_check(stage))
        place_check(stage, query, places, out);
    else if (ll_rank_is_total(stage, query))
        place_total(stage, places, out);
    else if (stage->known == 0)
        place_labels(stage, query, places, out);
    else
        status = place_levels(s, stage, query, places, out);
    return status == LL_OK ? measure(s, stage, query, places, out) : status;
}
