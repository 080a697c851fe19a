/* Against the grown header: was everything added? */
#include <lossleak.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    int setting = 0, metric = 0;
    for (long i = 0; i < ll_setting_count(); i++)
        setting |= strcmp(ll_setting_get_info(i)->name, "later") == 0;
    for (long i = 0; i < ll_metric_count(); i++)
        metric |= strcmp(ll_metric_get_info(i)->name, "later-loss") == 0;
    printf("setting %d, metric %d, field %zu\n", setting, metric, sizeof((ll_verdict *)0)->later);
    return 0;
}
