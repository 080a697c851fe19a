/* A simulated competition through a real ledger: TEAMS teams of SUBMISSIONS submissions each, ROWS rows, accuracy around
 * 0.8 by levels between 0.70 and 0.95, teams that improve now and then (8 submissions in 100 have an idea that works).
 * Prints what was spent, how many were refused, and whether the order of teams is that of their best scores to within
 * a level. usage: competition LEDGER TEAMS SUBMISSIONS ROWS LEVELS SHARE [ATTACKERS]
 *
 * ATTACKERS of the teams know nothing of the labels and attack together: they flip blocks of one common guess, and keep
 * a flip that shows an improvement. Levels then begin at 0.45, where they can see them. What they get right is compared
 * with the promised share. */
#include <lossleak/guard.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 200000, MOST_TEAMS = 200 };

static int32_t labels[MOST_ROWS];
static double given[MOST_ROWS], skill[MOST_TEAMS], best[MOST_TEAMS];
static ll_error error;
static long rows;

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *unused)
{
    (void)self;
    (void)unused;
    double *to = ll_block_reserve_doubles(out, count, 1);
    memcpy(to, given + first, (size_t)count * sizeof *to);
    return LL_OK;
}

static double uniform(void)
{
    return ((double)rand() + 0.5) / ((double)RAND_MAX + 1);
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* A model that is right with this probability; what its accuracy is. */
static double draw_model(double accuracy)
{
    long right = 0;
    for (long i = 0; i < rows; i++) {
        int is_right = uniform() < accuracy;
        given[i] = is_right ? labels[i] : 1 - labels[i];
        right += is_right;
    }
    return (double)right / (double)rows;
}

static int attackers;
static double guess[MOST_ROWS];

/* The common guess with some rows flipped. */
static double draw_attack(void)
{
    long right = 0, from = (long)(uniform() * (double)rows), length = 1 + (long)(uniform() * (double)rows / 20);
    for (long i = 0; i < rows; i++) {
        given[i] = (i - from + rows) % rows < length ? 1 - guess[i] : guess[i];
        right += given[i] == labels[i];
    }
    return (double)right / (double)rows;
}

static double share_of_guess(void)
{
    long right = 0;
    for (long i = 0; i < rows; i++)
        right += guess[i] == labels[i];
    return (double)right / (double)rows;
}

static ll_guard *make(const char *path, int teams, const char *levels, const char *share)
{
    char json[300], name[16];
    ll_policy *policy = NULL;
    ll_guard *guard = NULL;
    (void)snprintf(json, sizeof json,
                   "{\"scorer\":{\"metric\":\"accuracy\",\"rows\":%ld,\"release\":\"levels:%s:0.95:%s\"},\"promise\":{"
                   "\"share\":%s}}",
                   rows, attackers > 0 ? "0.45" : "0.70", levels, share);
    if (ll_policy_read(&policy, json, strlen(json), &error) != LL_OK ||
        ll_guard_create(&guard, path, policy, labels, rows, NULL, &error) != LL_OK)
        return NULL;
    for (int t = 0; t < teams; t++) {
        (void)snprintf(name, sizeof name, "team-%d", t);
        if (ll_guard_add_account(guard, NULL, name, LL_ROLE_PARTICIPANT, &error) != LL_OK)
            return NULL;
    }
    ll_policy_destroy(policy);
    return guard;
}

static int refused, answered;

static int play(ll_guard *guard, int team)
{
    const ll_predictions predictions = {.rows = rows, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get};
    char name[16];
    ll_guard_answer answer;
    (void)snprintf(name, sizeof name, "team-%d", team);
    if (uniform() < 0.08)
        skill[team] += fabs(0.006 * normal());
    double accuracy = team < attackers ? draw_attack() : draw_model(skill[team] - fabs(0.01 * normal()));
    ll_guard_answer_init(&answer);
    ll_status status = ll_guard_submit(guard, &answer, name, &predictions, &error);
    answered += status == LL_OK && answer.outcome == LL_GUARD_ACCEPTED;
    refused += status == LL_OK && answer.outcome == LL_GUARD_REFUSED;
    if (team < attackers && answer.outcome == LL_GUARD_ACCEPTED && answer.improved)
        memcpy(guess, given, sizeof guess);
    if (status == LL_OK && answer.outcome == LL_GUARD_ACCEPTED)
        best[team] = fmax(best[team], accuracy);
    ll_guard_answer_clear(&answer);
    return status == LL_OK;
}

/* Is what a team is shown within a level of its best score? */
typedef struct {
    double step;
    long wrong;
} check;

static int compare(void *self, const ll_guard_place *place)
{
    check *c = self;
    double shown = strtod(place->shown, NULL), own = best[atoi(place->account + 5)];
    c->wrong += !(own >= shown - 1e-9 && own < shown + c->step + 1e-9) && own > 0.7 && own < 0.95;
    return 0;
}

int main(int count, char **arguments)
{
    int teams = count >= 7 ? atoi(arguments[2]) : 0, each = teams ? atoi(arguments[3]) : 0;
    rows = teams ? atol(arguments[4]) : 0;
    if (teams < 1 || teams > MOST_TEAMS || rows < 1 || rows > MOST_ROWS)
        return 2;
    attackers = count > 7 ? atoi(arguments[7]) : 0;
    srand(1);
    for (long i = 0; i < rows; i++)
        labels[i] = rand() % 2;
    for (long i = 0; i < rows; i++)
        guess[i] = rand() % 2;
    for (int t = 0; t < teams; t++)
        skill[t] = 0.80 + 0.02 * normal();
    ll_guard *guard = make(arguments[1], teams, arguments[5], arguments[6]);
    for (long i = 0; guard != NULL && i < (long)teams * each; i++)
        if (!play(guard, rand() % teams))
            break;
    ll_guard_status told;
    check c = {(attackers > 0 ? 0.5 : 0.25) / atof(arguments[5]), 0};
    if (guard == NULL || ll_guard_get_status(guard, &told, &error) != LL_OK ||
        ll_guard_leaderboard(guard, compare, &c, &error) != LL_OK || ll_guard_verify(guard, NULL, &error) != LL_OK) {
        (void)fprintf(stderr, "competition: %s\n", error.text);
        return 1;
    }
    printf(
        "%d teams, %d answered, %d refused, %ld improvements shown, %.0f of %.0f bits spent, proved share %.1f%%; %ld "
        "teams not within a level of their best\n",
        teams, answered, refused, told.improvements, told.spent, told.budget, 100 * told.share_spent, c.wrong);
    if (attackers > 0)
        printf("%d attackers together have %.1f%% of the labels right; promised: at most %.1f%%\n", attackers,
               100 * share_of_guess(), 100 * told.share_promised);
    ll_guard_close(guard);
    return c.wrong > 0 || told.spent > told.budget || (attackers > 0 && share_of_guess() > told.share_promised);
}
