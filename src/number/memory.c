/* The way back for memory of the library: a caller's free need not be the one that goes with its malloc. */
#include "lossleak.h"

#include <stdlib.h>

void ll_free(void *memory)
{
    free(memory);
}
