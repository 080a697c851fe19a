/* plan.json. The bytes as they are; and, since no fuzzer finds a check sum, the scorer, the code and the counts in them
 * as a plan that is written and read again. A scorer that could be read is resolved. */
#include "fuzz.h"
#include "io/formats/plan_file.h"
#include "report/scorer_text.h"

static void read_scorer(json_t *object)
{
    ll_scorer *scorer = NULL;
    ll_error error, warning;
    (void)ll_fuzz_status(ll_report_read_scorer(&scorer, object, &warning, &error), &error);
    ll_scorer_destroy(scorer);
}

static long count_of(const json_t *object, const char *key)
{
    return (long)json_integer_value(json_object_get(object, key));
}

/* A refusal is fine; what is read must be what was written. */
static void write_and_read(json_t *object)
{
    json_t *scorer = json_object_get(object, "scorer");
    const char *code = json_string_value(json_object_get(object, "code"));
    ll_io_plan plan = {.scorer = scorer,
                       .code = (char *)code,
                       .rows = count_of(object, "rows"),
                       .classes = count_of(object, "classes"),
                       .columns = count_of(object, "columns"),
                       .block = count_of(object, "block"),
                       .queries = count_of(object, "queries"),
                       .exact = json_is_true(json_object_get(object, "exact"))},
               again = {0};
    ll_error error;
    if (!json_is_object(scorer) || !code)
        return;
    memset(plan.digest, 'a', LL_IO_DIGEST);
    const char *path = ll_fuzz_file(1, NULL, 0);
    LL_FUZZ_CHECK(ll_io_write_plan(path, &plan, &error) == LL_OK);
    if (ll_fuzz_status(ll_io_read_plan(&again, path, &error), &error) != LL_OK)
        return;
    LL_FUZZ_CHECK(json_equal(again.scorer, scorer) && strcmp(again.code, code) == 0);
    LL_FUZZ_CHECK(again.rows == plan.rows && again.classes == plan.classes && again.columns == plan.columns);
    LL_FUZZ_CHECK(again.block == plan.block && again.queries == plan.queries && again.exact == plan.exact);
    read_scorer(again.scorer);
    ll_io_clear_plan(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_io_plan plan = {0};
    ll_error error;
    if (ll_fuzz_status(ll_io_read_plan(&plan, ll_fuzz_file(0, data, size), &error), &error) == LL_OK) {
        read_scorer(plan.scorer);
        ll_io_clear_plan(&plan);
    }
    json_t *object = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(object))
        write_and_read(object);
    json_decref(object);
    return 0;
}
