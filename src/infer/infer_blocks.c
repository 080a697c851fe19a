/* Connected blocks of rows. A row takes part in a score where its candidates weigh differently there; rows that share
 * no score, directly or by others, are separate questions. A block that meet in the middle decides quickly is decided;
 * in a larger one systems of fewer rows come first, each with all scores that see no other row. Every label that
 * becomes certain is substituted, which may take blocks apart. What is left in the end gets every other method. */
#include "infer/blocks.h"

#include "number/budget.h"
#include "number/value.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 16 };
/* Systems inside blocks that are tried, and scores x rows that are looked at for it. */
enum { MOST_SYSTEMS = 2000 };
#define MOST_WORK 3e8

/* Rows and the scores that see none but these. */
typedef struct {
    long *rows, *scores;
    long row_count, score_count;
    unsigned char *inside; /* [row] */
} part;

typedef struct {
    ll_blocks *out;
    const ll_evidence *evidence;
    const ll_linear *system;
    int is_quick; /* all rows at once are decided quickly */
    const ll_budget *budget;
    double seconds;         /* left for blocks, by prediction */
    unsigned char *decided; /* [row]: its block was decided completely */
    unsigned char *seen;    /* [score * rows + row]: does the row take part in the score? */
    uint64_t *tried;        /* systems inside blocks, by their hash */
    long tried_count;
    double work;
    long open_blocks; /* that were not decided quickly */
    part block, inner;
    ll_error *error;
} finder;

/* ---- which rows take part ---- */

static int is_open(const finder *f, long row)
{
    long left = 0;
    for (long k = 0; k < f->out->classes; k++)
        left += f->out->candidates[row * f->out->classes + k];
    return left > 1 && !f->decided[row];
}

static int takes_part(const finder *f, long score, long row)
{
    const fmpz *first = NULL;
    for (long k = 0; k < f->out->classes; k++) {
        const fmpz *weight = ll_linear_weight(f->system, score, row, k);
        if (!f->out->candidates[row * f->out->classes + k])
            continue;
        if (first != NULL && !fmpz_equal(first, weight))
            return 1;
        first = weight;
    }
    return 0;
}

static void find_seen(const finder *f)
{
    for (long q = 0; q < f->system->scores; q++)
        for (long i = 0; i < f->out->rows; i++)
            f->seen[q * f->out->rows + i] = is_open(f, i) && takes_part(f, q, i);
}

/* Rows of score q that are not inside; -1: none of its rows is. */
static long count_new(const finder *f, const part *p, long q)
{
    long outside = 0, within = 0;
    for (long i = 0; i < f->out->rows; i++)
        if (f->seen[q * f->out->rows + i]) {
            outside += !p->inside[i];
            within += p->inside[i];
        }
    return within > 0 ? outside : -1;
}

static void add_score(const finder *f, part *p, long q)
{
    for (long i = 0; i < f->out->rows; i++)
        p->inside[i] |= f->seen[q * f->out->rows + i];
}

/* Lists of what is inside. */
static void list_part(const finder *f, part *p)
{
    p->row_count = p->score_count = 0;
    for (long i = 0; i < f->out->rows; i++)
        if (p->inside[i])
            p->rows[p->row_count++] = i;
    for (long q = 0; q < f->system->scores; q++)
        if (count_new(f, p, q) == 0)
            p->scores[p->score_count++] = q;
}

/* The block of a row: scores are added as long as one sees rows on both sides. 0: no score sees the row. */
static int find_block(finder *f, long row)
{
    int grows = 1;
    memset(f->block.inside, 0, (size_t)f->out->rows);
    f->block.inside[row] = 1;
    while (grows) {
        grows = 0;
        for (long q = 0; q < f->system->scores; q++)
            if (count_new(f, &f->block, q) > 0) {
                add_score(f, &f->block, q);
                grows = 1;
            }
    }
    list_part(f, &f->block);
    return f->block.score_count > 0;
}

/* Is the block all there is, and nothing known of it? Then it was refused already. */
static int is_whole(const finder *f)
{
    size_t cells = (size_t)(f->out->rows * f->out->classes);
    return f->block.row_count == f->out->rows && f->block.score_count == f->system->scores &&
           memcmp(f->out->candidates, f->system->allowed, cells) == 0;
}

/* ---- from a part's inference to all rows ---- */

/* Candidates of a part's rows. 1: some are fewer now. */
static int narrow(unsigned char *candidates, const part *p, const unsigned char *found, long classes)
{
    int changed = 0;
    for (long i = 0; i < p->row_count * classes; i++) {
        unsigned char *to = &candidates[p->rows[i / classes] * classes + i % classes];
        changed |= *to && !found[i];
        *to = *to && found[i];
    }
    return changed;
}

/* Examples of a block beside those of the blocks before: the shorter list is gone through again and again. */
static void add_examples(finder *f, const part *p, const ll_inference *found)
{
    ll_blocks *b = f->out;
    long kept = found->kept > b->kept ? found->kept : b->kept;
    kept = kept > SHOWN ? SHOWN : kept;
    for (long j = b->kept; j < kept; j++)
        memcpy(b->labellings + j * b->rows, b->labellings + j % b->kept * b->rows, sizeof(int32_t) * (size_t)b->rows);
    for (long j = 0; j < kept && found->kept > 0; j++)
        for (long i = 0; i < p->row_count; i++)
            b->labellings[j * b->rows + p->rows[i]] = found->labellings[j % found->kept * p->row_count + i];
    b->kept = kept;
}

static void multiply_count(finder *f, const ll_inference *found)
{
    fmpz_t count;
    fmpz_init(count);
    if (found->count != NULL && fmpz_set_str(count, found->count, 10) == 0)
        fmpz_mul(f->out->count, f->out->count, count);
    else
        f->out->is_counted = 0;
    fmpz_clear(count);
}

/* A block of which every labelling that fits is known. */
static void decide(finder *f, const part *p, const ll_inference *found, long *largest)
{
    ll_blocks *b = f->out;
    multiply_count(f, found);
    add_examples(f, p, found);
    for (long i = 0; i < p->row_count; i++)
        f->decided[p->rows[i]] = 1;
    if (p->row_count > *largest)
        b->method = found->method;
    *largest = p->row_count > *largest ? p->row_count : *largest;
}

/* LL_UNABLE: too large for this. */
static ll_status infer_part(finder *f, ll_inference *found, const part *p, int quick, double *cost)
{
    ll_evidence some;
    ll_budget share;
    ll_budget_init(&share);
    ll_status status = f->budget != NULL ? ll_value_read(&share, sizeof share, f->budget, "budget", f->error) : LL_OK;
    if (status != LL_OK)
        return status;
    share.seconds = quick ? f->seconds : f->seconds / (double)f->open_blocks;
    if (!(share.seconds > 0))
        return LL_UNABLE;
    if (ll_evidence_restrict(&some, f->evidence, f->out->candidates, p->rows, p->row_count, p->scores,
                             p->score_count) != LL_OK)
        return ll_fail(f->error, LL_MEMORY, "no memory for a block of %ld rows", p->row_count);
    status = ll_evidence_infer_block(&some, found, quick, cost, &share, &f->out->refusal);
    ll_evidence_free_part(&some);
    if (status == LL_MEMORY)
        return ll_fail(f->error, status, "%s", f->out->refusal.text);
    return status == LL_OK ? LL_OK : LL_UNABLE;
}

/* ---- quickly ---- */

/* *changed: rows have fewer candidates now. A block is decided completely; what is no block has no `largest` (NULL).
 * LL_UNABLE: too large. */
static ll_status meet_part(finder *f, const part *p, int *changed, long *largest)
{
    ll_inference found;
    double cost = 0;
    ll_inference_init(&found);
    ll_status status = infer_part(f, &found, p, 1, &cost);
    if (status == LL_OK) {
        f->seconds -= cost;
        f->out->is_none |= found.verdict->kind == LL_NONE;
        *changed |= narrow(f->out->candidates, p, found.verdict->candidates, f->out->classes);
        if (largest != NULL && !f->out->is_none)
            decide(f, p, &found, largest);
    }
    ll_inference_clear(&found);
    return status;
}

static uint64_t hash_part(const finder *f, const part *p)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (long i = 0; i < p->row_count * f->out->classes; i++) {
        long cell = p->rows[i / f->out->classes] * f->out->classes + i % f->out->classes;
        hash = (hash ^ ((uint64_t)cell * 2 + f->out->candidates[cell])) * 0x100000001b3u;
    }
    return hash;
}

static int was_tried(finder *f, const part *p)
{
    uint64_t hash = hash_part(f, p);
    for (long i = 0; i < f->tried_count; i++)
        if (f->tried[i] == hash)
            return 1;
    if (f->tried_count < MOST_SYSTEMS)
        f->tried[f->tried_count++] = hash;
    return 0;
}

/* The score that sees rows inside and the fewest outside; -1: none. */
static long next_score(const finder *f)
{
    long best = -1, fewest = 0;
    for (long j = 0; j < f->block.score_count; j++) {
        long added = count_new(f, &f->inner, f->block.scores[j]);
        if (added > 0 && (best < 0 || added < fewest)) {
            best = f->block.scores[j];
            fewest = added;
        }
    }
    return best;
}

/* Systems inside the block that begin with a score, each with one more, until one is too large or tells something. */
static ll_status grow_from(finder *f, long score, int *changed)
{
    memset(f->inner.inside, 0, (size_t)f->out->rows);
    for (long q = score; q >= 0 && !*changed && f->tried_count < MOST_SYSTEMS && f->work < MOST_WORK;
         q = next_score(f)) {
        add_score(f, &f->inner, q);
        list_part(f, &f->inner);
        f->work += 2 * (double)f->system->scores * (double)f->out->rows;
        if (f->inner.row_count == 0 || f->inner.row_count == f->block.row_count || was_tried(f, &f->inner))
            continue;
        ll_status status = meet_part(f, &f->inner, changed, NULL);
        if (status != LL_OK)
            return status == LL_UNABLE ? LL_OK : status;
    }
    return LL_OK;
}

static ll_status search_inside(finder *f, int *changed)
{
    ll_status status = LL_OK;
    for (long j = 0; j < f->block.score_count && !*changed && !f->out->is_none && status == LL_OK; j++)
        status = grow_from(f, f->block.scores[j], changed);
    return status;
}

/* Every block once. *changed: blocks may be others now. */
static ll_status look_at_blocks(finder *f, unsigned char *visited, int *changed, long *largest)
{
    memset(visited, 0, (size_t)f->out->rows);
    find_seen(f);
    f->open_blocks = 0;
    for (long i = 0; i < f->out->rows && !*changed && !f->out->is_none; i++) {
        int decided = 0;
        if (visited[i] || !is_open(f, i) || !find_block(f, i))
            continue;
        for (long j = 0; j < f->block.row_count; j++)
            visited[f->block.rows[j]] = 1;
        ll_status status = is_whole(f) ? LL_UNABLE : meet_part(f, &f->block, &decided, largest);
        f->open_blocks += status == LL_UNABLE;
        if (status == LL_UNABLE)
            status = f->is_quick && is_whole(f) ? LL_OK : search_inside(f, changed);
        if (status != LL_OK)
            return status;
    }
    return LL_OK;
}

/* ---- slowly ---- */

/* Likely labels are kept beside the candidates. */
static void take_likely(finder *f, const part *p, const ll_inference *found)
{
    f->out->is_likely = 1;
    f->out->probability *= found->probability;
    (void)narrow(f->out->likely, p, found->verdict->candidates, f->out->classes);
}

static ll_status finish_block(finder *f, long *largest)
{
    ll_inference found;
    double cost;
    ll_inference_init(&found);
    ll_status status = infer_part(f, &found, &f->block, 0, &cost);
    if (status == LL_OK && found.is_likely) {
        take_likely(f, &f->block, &found);
        f->out->is_counted = 0;
    } else if (status == LL_OK) {
        f->out->is_none |= found.verdict->kind == LL_NONE;
        (void)narrow(f->out->candidates, &f->block, found.verdict->candidates, f->out->classes);
        decide(f, &f->block, &found, largest);
    } else if (status == LL_UNABLE) {
        f->out->is_counted = 0;
        status = LL_OK;
    }
    ll_inference_clear(&found);
    return status;
}

static ll_status finish_blocks(finder *f, unsigned char *visited, long *largest)
{
    memset(visited, 0, (size_t)f->out->rows);
    find_seen(f);
    for (long i = 0; i < f->out->rows && !f->out->is_none; i++) {
        if (visited[i] || !is_open(f, i) || !find_block(f, i))
            continue;
        for (long j = 0; j < f->block.row_count; j++)
            visited[f->block.rows[j]] = 1;
        f->out->is_whole = is_whole(f);
        ll_status status = f->out->is_whole ? LL_OK : finish_block(f, largest);
        if (status != LL_OK || f->out->is_whole)
            return status;
    }
    return LL_OK;
}

/* ---- rows that no score sees, scores that see no open row ---- */

static void count_free_rows(finder *f)
{
    ll_blocks *b = f->out;
    for (long i = 0; i < b->rows; i++) {
        long left = 0;
        for (long k = b->classes - 1; k >= 0; k--) {
            left += b->candidates[i * b->classes + k];
            for (long j = 0; j < b->kept && !f->decided[i] && b->candidates[i * b->classes + k]; j++)
                b->labellings[j * b->rows + i] = (int32_t)k;
        }
        if (!f->decided[i])
            fmpz_mul_si(b->count, b->count, left);
    }
}

/* Can every score be what it is, with the rows as they are left? */
static ll_status check_scores(finder *f)
{
    for (long q = 0; q < f->system->scores && !f->out->is_none; q++) {
        ll_evidence none;
        if (ll_evidence_restrict(&none, f->evidence, f->out->candidates, NULL, 0, &q, 1) != LL_OK)
            return ll_fail(f->error, LL_MEMORY, "no memory for a score");
        f->out->is_none = !arb_contains_zero(none.observations[0].sum);
        ll_evidence_free_part(&none);
    }
    return LL_OK;
}

/* ---- all together ---- */

static ll_status run(finder *f, unsigned char *visited)
{
    ll_status status = LL_OK;
    long largest = 0;
    for (int changed = 1; changed && status == LL_OK && !f->out->is_none;) {
        changed = 0;
        status = look_at_blocks(f, visited, &changed, &largest);
    }
    if (status == LL_OK)
        status = finish_blocks(f, visited, &largest);
    if (status != LL_OK || f->out->is_whole)
        return status;
    count_free_rows(f);
    return check_scores(f);
}

static int reserve_part(part *p, size_t rows, size_t scores)
{
    p->rows = malloc(sizeof *p->rows * rows);
    p->scores = malloc(sizeof *p->scores * scores);
    p->inside = malloc(rows);
    return p->rows && p->scores && p->inside;
}

static void free_part(part *p)
{
    free(p->rows);
    free(p->scores);
    free(p->inside);
}

static int reserve(finder *f, unsigned char **visited)
{
    ll_blocks *b = f->out;
    size_t rows = (size_t)b->rows, cells = rows * (size_t)b->classes, scores = (size_t)f->system->scores;
    b->candidates = malloc(cells);
    b->likely = malloc(cells);
    b->labellings = malloc(sizeof *b->labellings * rows * SHOWN);
    f->decided = calloc(rows, 1);
    f->seen = malloc(rows * scores);
    f->tried = malloc(sizeof *f->tried * MOST_SYSTEMS);
    *visited = malloc(rows);
    int complete = reserve_part(&f->block, rows, scores);
    complete = reserve_part(&f->inner, rows, scores) && complete;
    return complete && b->candidates && b->likely && b->labellings && f->decided && f->seen && f->tried && *visited;
}

ll_status ll_blocks_find(ll_blocks *out, const ll_evidence *e, const ll_linear *system, int is_quick, double seconds,
                         const ll_budget *budget, ll_error *error)
{
    unsigned char *visited = NULL;
    *out = (ll_blocks){.rows = system->rows,
                       .classes = system->classes,
                       .probability = 1,
                       .is_counted = 1,
                       .kept = 1,
                       .method = LL_METHOD_MEET};
    fmpz_init_set_ui(out->count, 1);
    finder f = {.out = out,
                .evidence = e,
                .system = system,
                .is_quick = is_quick,
                .budget = budget,
                .seconds = seconds,
                .error = error};
    int complete = reserve(&f, &visited);
    ll_status status = complete ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for blocks of %ld rows", system->rows);
    if (complete) {
        size_t cells = (size_t)(out->rows * out->classes);
        memcpy(out->candidates, system->allowed, cells);
        memset(out->likely, 1, cells);
        status = run(&f, visited);
        for (size_t i = 0; i < cells; i++)
            out->likely[i] = out->likely[i] && out->candidates[i];
    }
    free(visited);
    free(f.decided);
    free(f.seen);
    free(f.tried);
    free_part(&f.block);
    free_part(&f.inner);
    return status;
}

void ll_blocks_clear(ll_blocks *b)
{
    free(b->candidates);
    free(b->likely);
    free(b->labellings);
    fmpz_clear(b->count);
}
