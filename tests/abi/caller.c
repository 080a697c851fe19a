/* A program that does not know what later versions add: every struct that may grow, on the heap, where a byte written
 * behind it is found. */
#include "lossleak-0.3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8 };

static const int32_t labels[ROWS] = {1, 0, 0, 1, 1, 0, 1, 0};

static void expect(ll_status status, const ll_error *error, const char *what)
{
    if (status == LL_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, error->text);
    exit(1);
}

static void *get_memory(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        exit(1);
    return memory;
}

static ll_status get_rows(void *self, ll_block *out, long first, long count, ll_error *error)
{
    double *entries = ll_block_reserve_doubles(out, count, 1);
    (void)self;
    if (entries == NULL)
        return ll_fail(error, LL_MEMORY, "no memory");
    for (long i = 0; i < count; i++)
        entries[i] = 1 / (3.0 + (double)((first + i) * (first + i)));
    return LL_OK;
}

static const ll_predictions honest = {NULL, ROWS, 1, LL_ENTRIES_DOUBLE, get_rows, NULL};

static ll_scorer *make_scorer(const char *noise)
{
    ll_error error;
    ll_scorer *scorer = NULL;
    expect(ll_scorer_create(&scorer, &error), &error, "create");
    expect(ll_scorer_set(scorer, "rows", "8", &error), &error, "rows");
    expect(ll_scorer_set(scorer, "classes", "2", &error), &error, "classes");
    expect(ll_scorer_set(scorer, "noise", noise, &error), &error, "noise");
    expect(ll_scorer_resolve(scorer, NULL, &error), &error, "resolve");
    return scorer;
}

static void score(const ll_scorer *scorer)
{
    ll_error error;
    ll_curator *curator = NULL;
    ll_score *answer = get_memory(sizeof *answer);
    ll_score_init(answer);
    expect(ll_curator_create(&curator, scorer, labels, ROWS, &error), &error, "curator");
    expect(ll_curator_score(curator, answer, &honest, &error), &error, "score");
    printf("score %s in %s .. %s\n", answer->text, answer->lower, answer->upper);
    ll_score_clear(answer);
    ll_curator_destroy(curator);
    free(answer);
}

static void print_verdict(const ll_verdict *v)
{
    printf("kind %d certain %ld queries %ld gap %.6g = %s labels", (int)v->kind, v->certain, v->queries, v->gap.value,
           v->gap.text != NULL ? v->gap.text : "none");
    for (long i = 0; i < v->rows; i++)
        printf(" %d", (int)v->labels[i]);
    printf("\n");
}

static int stop_never(void *self)
{
    ++*(int *)self;
    return 0;
}

static void attack(const ll_scorer *scorer)
{
    ll_error error;
    int asked = 0;
    ll_plan *plan = NULL;
    ll_curator *curator = NULL;
    ll_budget *budget = get_memory(sizeof *budget);
    ll_plan_request *request = get_memory(sizeof *request);
    ll_plan_info *info = get_memory(sizeof *info);
    ll_verdict *verdict = get_memory(sizeof *verdict);
    ll_budget_init(budget);
    budget->stop = stop_never;
    budget->self = &asked;
    ll_plan_request_init(request);
    request->budget = budget;
    ll_verdict_init(verdict);
    expect(ll_plan_create(&plan, scorer, request, &error), &error, "plan");
    ll_plan_get_info(plan, info);
    printf("plan %s, %ld queries, %g bits\n", info->code, info->queries, info->score_bits);
    expect(ll_curator_create(&curator, scorer, labels, ROWS, &error), &error, "curator");
    ll_oracle oracle = ll_curator_oracle(curator);
    expect(ll_attack_run(plan, verdict, &oracle, budget, &error), &error, "attack");
    print_verdict(verdict);
    printf("asked to stop %d times\n", asked);
    ll_verdict_clear(verdict);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
    free(budget);
    free(request);
    free(info);
    free(verdict);
}

static void compare(const ll_scorer *scorer)
{
    ll_error error;
    long count = ll_code_count();
    ll_plan_request *request = get_memory(sizeof *request);
    ll_plan_choice *choices = get_memory((size_t)count * sizeof *choices);
    ll_plan_request_init(request);
    expect(ll_plan_compare(choices, scorer, request, &error), &error, "compare");
    for (long i = 0; i < count; i++)
        printf("code %s: %d, %ld queries\n", choices[i].code, (int)choices[i].status, choices[i].queries);
    printf("best %ld\n", ll_plan_choose(choices, count));
    free(choices);
    free(request);
}

static void infer(const ll_scorer *scorer)
{
    ll_error error;
    ll_evidence *evidence = NULL;
    ll_curator *curator = NULL;
    ll_score answer;
    ll_inference *inference = get_memory(sizeof *inference);
    ll_inference_init(inference);
    ll_score_init(&answer);
    expect(ll_curator_create(&curator, scorer, labels, ROWS, &error), &error, "curator");
    expect(ll_curator_score(curator, &answer, &honest, &error), &error, "score");
    expect(ll_evidence_create(&evidence, scorer, &error), &error, "evidence");
    expect(ll_evidence_add(evidence, &honest, answer.text, &error), &error, "add");
    expect(ll_evidence_infer(evidence, inference, LL_METHOD_AUTO, NULL, &error), &error, "infer");
    printf("%s labellings fit: ", inference->count);
    print_verdict(inference->verdict);
    ll_inference_clear(inference);
    ll_score_clear(&answer);
    ll_evidence_destroy(evidence);
    ll_curator_destroy(curator);
    free(inference);
}

static void separate(const ll_scorer *scorer)
{
    ll_error error;
    ll_separation *separation = get_memory(sizeof *separation);
    ll_inspection *inspection = get_memory(sizeof *inspection);
    ll_separation_init(separation);
    ll_inspection_init(inspection);
    expect(ll_separate(separation, scorer, &honest, NULL, &error), &error, "separate");
    expect(ll_inspect_predictions(inspection, scorer, &honest, NULL, &error), &error, "inspect");
    printf("gap %s, separable %d; %g bits, mark %s\n", separation->gap.text, (int)separation->separable,
           inspection->bits, inspection->mark);
    ll_separation_clear(separation);
    ll_inspection_clear(inspection);
    free(separation);
    free(inspection);
}

static void audit(const ll_scorer *scorer)
{
    ll_error error;
    ll_audit *a = get_memory(sizeof *a);
    ll_audit_bound *bound = get_memory(sizeof *bound);
    ll_audit_request *request = get_memory(sizeof *request);
    ll_audit_init(a);
    ll_audit_request_init(request);
    request->without_defences = 0;
    expect(ll_audit_run(a, scorer, request, &error), &error, "audit");
    expect(ll_audit_limit(bound, scorer, 10, &error), &error, "limit");
    printf("share %.6g, bits %.6g %.6g\n%s\n", a->share, a->bound->bits_per_query, bound->label_bits, a->verdict);
    for (long i = 0; i < a->choice_count; i++)
        printf("choice %s\n", ll_audit_get_choice(a, i)->code);
    for (long i = 0; i < a->defence_count; i++)
        printf("defence %s\n", ll_audit_get_defence(a, i)->kind);
    ll_audit_clear(a);
    free(a);
    free(bound);
    free(request);
}

int main(void)
{
    ll_scorer *plain = make_scorer("none"), *noisy = make_scorer("bounded:0.01");
    score(noisy);
    attack(noisy);
    compare(plain);
    infer(plain);
    separate(plain);
    audit(noisy);
    ll_scorer_destroy(plain);
    ll_scorer_destroy(noisy);
    return 0;
}
