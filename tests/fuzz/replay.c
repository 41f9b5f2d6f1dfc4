/*
 * A main() for fuzz targets without libFuzzer: gives every file of the folders (or the files) named
 * on the command line to the target once, in the order of their names, from a block of exactly
 * their size so that a sanitizer sees the first byte read beyond it. Fails if there was no file.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t replayed;

static void replay_file(const char *path) {
    FILE *in = fopen(path, "rb");
    struct stat st;
    if (in == NULL || stat(path, &st) != 0) {
        perror(path);
        exit(1);
    }
    size_t size = (size_t)st.st_size;
    uint8_t *data = malloc(size == 0 ? 1 : size);
    if (data == NULL || fread(data, 1, size, in) != size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(in);
    // Named before the call, so that a crash says which file it was.
    fprintf(stderr, "%s (%zu bytes)\n", path, size);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    replayed++;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static void replay(const char *path) {
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0) {
        replay_file(path);
        return;
    }
    for (int i = 0; i < count; i++) {
        size_t room = strlen(path) + strlen(entries[i]->d_name) + 2;
        char *inner = malloc(room);
        if (inner == NULL) {
            exit(1);
        }
        snprintf(inner, room, "%s/%s", path, entries[i]->d_name);
        replay(inner);
        free(inner);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        replay(argv[i]);
    }
    printf("%zu files replayed\n", replayed);
    return replayed == 0;
}
