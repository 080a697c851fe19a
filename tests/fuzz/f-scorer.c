/* The texts of a scorer, one a line: loss, arithmetic, arithmetic of sum and loss, clip, noise, Ladder; the first byte
 * is its clip mode and noise. The library's check of the whole must end with a verdict. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ll_scorer scorer;
    ll_error error, warning;
    if (size < 2)
        return 0;
    char *text = ll_fuzz_text(data + 1, size - 1), *rest = text;
    ll_scorer_init(&scorer);
    const char **parts[] = {&scorer.loss, &scorer.arithmetic, &scorer.sum_arithmetic, &scorer.loss_arithmetic,
                            &scorer.clip, &scorer.noise_size, &scorer.ladder};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *line = strsep(&rest, "\n");
        if (line && *line)
            *parts[i] = line;
    }
    scorer.clip_mode = (ll_clip_mode)(data[0] % 6);
    scorer.noise = (ll_noise)(data[0] / 6 % 4);
    scorer.rows = 10;
    scorer.classes = data[0] & 64 ? 3 : 2;
    (void)ll_fuzz_status(ll_scorer_check(&scorer, &warning, &error), &error);
    free(text);
    return 0;
}
