/*
 * A main() for fuzz targets without libFuzzer: gives every input of the archives (tar) and files
 * named on the command line to the target once, in their order, from a block of exactly its size so
 * that a sanitizer sees the first byte read beyond it. Fails if there was no input.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 512     /* of an archive: a header, the bytes, zeros to the next block */
#define NAME_LIMIT 99 /* longer names would need a second field */
#define SIZE_AT 124
#define SIZE_LENGTH 12
#define TYPE_AT 156

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t replayed;

/* Exactly `size` bytes of a file. */
static uint8_t *read_bytes(FILE *in, size_t size, const char *path) {
    uint8_t *data = malloc(size == 0 ? 1 : size);
    if (data == NULL || fread(data, 1, size, in) != size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    return data;
}

static void replay_bytes(FILE *in, size_t size, const char *path, const char *name) {
    uint8_t *data = read_bytes(in, size, path);
    // Named before the call, so that a crash says which input it was.
    fprintf(stderr, "%s %s (%zu bytes)\n", path, name, size);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    replayed++;
}

/* Regular files only: an archive of tests/fuzz/run has no others. A block of zeros ends it. */
static void replay_archive(FILE *in, const char *path) {
    char header[BLOCK], name[NAME_LIMIT + 1], digits[SIZE_LENGTH + 1];
    while (fread(header, 1, BLOCK, in) == BLOCK && header[0] != '\0') {
        memcpy(name, header, NAME_LIMIT);
        name[NAME_LIMIT] = '\0';
        memcpy(digits, header + SIZE_AT, SIZE_LENGTH);
        digits[SIZE_LENGTH] = '\0';
        if (header[TYPE_AT] != '0') {
            fprintf(stderr, "%s: %s is not a regular file\n", path, name);
            exit(1);
        }
        size_t size = (size_t)strtoull(digits, NULL, 8);
        replay_bytes(in, size, path, name);
        fseek(in, (long)((BLOCK - size % BLOCK) % BLOCK), SEEK_CUR);
    }
}

static void replay(const char *path) {
    const char *ending = strrchr(path, '.');
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        perror(path);
        exit(1);
    }
    if (ending != NULL && strcmp(ending, ".tar") == 0) {
        replay_archive(in, path);
    } else {
        fseek(in, 0, SEEK_END);
        size_t size = (size_t)ftell(in);
        rewind(in);
        replay_bytes(in, size, path, "");
    }
    fclose(in);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        replay(argv[i]);
    }
    printf("%zu inputs replayed\n", replayed);
    return replayed == 0;
}
