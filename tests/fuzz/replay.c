/* Run the inputs of corpus files through a target, without libFuzzer: replay FILE...
 *
 * A line is an input: \n, \r, \t, \0, \\ and \xHH stand for bytes, every other byte for itself. Lines that begin with #
 * are for people. The bytes lie in memory of just their size, so that a sanitizer sees a read beyond them. */
#include "fuzz.h"

static uint8_t digit(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* The byte that begins at *text, which moves on. */
static uint8_t take(const char **text)
{
    static const char letters[] = "nrt0\\", bytes[] = "\n\r\t\0\\";
    const char *t = *text;
    if (*t != '\\') {
        ++*text;
        return (uint8_t)*t;
    }
    if (t[1] == 'x') {
        LL_FUZZ_CHECK(strspn(t + 2, "0123456789abcdef") >= 2);
        *text += 4;
        return (uint8_t)(digit(t[2]) << 4 | digit(t[3]));
    }
    const char *letter = strchr(letters, t[1]);
    LL_FUZZ_CHECK(t[1] && letter);
    *text += 2;
    return (uint8_t)bytes[letter - letters];
}

static void run_line(const char *line)
{
    uint8_t *room = malloc(strlen(line) + 1);
    size_t size = 0;
    LL_FUZZ_CHECK(room);
    while (*line)
        room[size++] = take(&line);
    uint8_t *exact = malloc(size ? size : 1);
    LL_FUZZ_CHECK(exact);
    memcpy(exact, room, size);
    free(room);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static long run_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    long count = 0;
    LL_FUZZ_CHECK(file);
    while ((length = getline(&line, &room, file)) > 0) {
        line[length - (line[length - 1] == '\n')] = '\0';
        if (*line == '#')
            continue;
        run_line(line);
        count++;
    }
    free(line);
    fclose(file);
    return count;
}

int main(int argc, char **argv)
{
    long count = 0;
    for (int i = 1; i < argc; i++)
        count += run_file(argv[i]);
    printf("%ld inputs, every promise held\n", count);
    return count == 0;
}
