/*
 * jansson_lines FILE: parse each line of a file of JSON Lines with jansson, and nothing else;
 * prints how many lines there were. The file is in memory before the first line is parsed, so that
 * what is measured is parsing.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long length;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0 ||
        fseek(file, 0, SEEK_SET) != 0 || (bytes = malloc((size_t)length + 1)) == NULL ||
        fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        perror(path);
        exit(1);
    }
    fclose(file);
    *size = (size_t)length;
    return bytes;
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    size_t size, lines = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: jansson_lines FILE\n");
        return 2;
    }
    char *bytes = load(argv[1], &size);
    double start = cpu_seconds();
    for (const char *at = bytes, *end = bytes + size; at < end; lines++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline != NULL ? newline : end;
        json_error_t error;
        json_t *value = json_loadb(at, (size_t)(stop - at), 0, &error);
        if (value == NULL) {
            fprintf(stderr, "%s:%zu: %s\n", argv[1], lines + 1, error.text);
            return 1;
        }
        json_decref(value);
        at = stop + 1;
    }
    printf("{\"lines\": %zu, \"seconds\": %.6f}\n", lines, cpu_seconds() - start);
    free(bytes);
    return 0;
}
