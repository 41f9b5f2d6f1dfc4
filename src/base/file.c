/*
 * All file input and output of the library. A file is written completely or not at all: under a
 * temporary name in the same folder, synced, renamed. Every call to the system is checked, and in
 * builds for tests each can be made to fail.
 */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/** Most bytes asked of one read() or write(); systems refuse more than INT_MAX. */
#define MOST ((size_t)1 << 30)

struct hcbr_i_file {
    int descriptor;
    bool owned; /**< false for standard input */
    mode_t mode;
    uint64_t size; /**< of a regular file when it was opened */
    uint64_t done; /**< bytes read so far */
    char name[];
};

/** Report what the system refused, from errno. */
static hcbr_status refused(hcbr_error *err, const char *path, const char *what) {
    char words[128];
    if (strerror_r(errno, words, sizeof words) != 0)
        snprintf(words, sizeof words, "error %d", errno);
    return hcbr_i_fail_at(err, HCBR_EIO, path, 0, 0, "%s: %s", what, words);
}

/* ---- system calls, which tests can make fail; each sets errno -------------------------------- */

static bool io_fault(void) {
    if (!hcbr_i_fault_now(HCBR_I_FAULT_IO))
        return false;
    errno = EIO;
    return true;
}

static int io_open(const char *path, int flags, mode_t mode) {
    int descriptor;
    if (io_fault())
        return -1;
    do
        descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

static ssize_t io_read(int descriptor, void *buffer, size_t size) {
    ssize_t got;
    if (io_fault())
        return -1;
    do
        got = read(descriptor, buffer, size < MOST ? size : MOST);
    while (got < 0 && errno == EINTR);
    return got;
}

static bool io_write_all(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        if (io_fault())
            return false;
        ssize_t put = write(descriptor, bytes, size < MOST ? size : MOST);
        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0) {
            bytes += put;
            size -= (size_t)put;
        }
    }
    return true;
}

static bool io_sync(int descriptor) {
    int done;
    if (io_fault())
        return false;
    do
        done = fsync(descriptor);
    while (done != 0 && errno == EINTR); // any other failure is final: the data may be gone
    return done == 0;
}

/** Close always, also when told to fail. An interrupted close has closed. */
static bool io_close(int descriptor) {
    bool fault = io_fault();
    if (close(descriptor) != 0 && errno != EINTR && !fault)
        return false;
    if (fault)
        errno = EIO;
    return !fault;
}

static bool io_rename(const char *from, const char *to) {
    return !io_fault() && rename(from, to) == 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

/** Note what kind of file it is; a directory is refused. */
static hcbr_status look_at(hcbr_i_file *file, hcbr_error *err) {
    struct stat about;
    if (fstat(file->descriptor, &about) != 0)
        return refused(err, file->name, "cannot open");
    if (S_ISDIR(about.st_mode))
        return hcbr_i_fail_at(err, HCBR_EIO, file->name, 0, 0, "is a directory, expected a file");
    file->mode = about.st_mode;
    file->size = S_ISREG(about.st_mode) && about.st_size > 0 ? (uint64_t)about.st_size : 0;
    file->done = 0;
    return HCBR_OK;
}

/** At the end: a file that was truncated meanwhile must not pass for the whole. */
static hcbr_status check_whole(const hcbr_i_file *file, hcbr_error *err) {
    struct stat about;
    if (file->done >= file->size || fstat(file->descriptor, &about) != 0 ||
        (uint64_t)about.st_size >= file->size)
        return HCBR_OK;
    return hcbr_i_fail_at(err, HCBR_EIO, file->name, 0, 0,
                          "became shorter while it was read: found %llu bytes, expected %llu",
                          (unsigned long long)file->done, (unsigned long long)file->size);
}

hcbr_status hcbr_i_file_open(hcbr_i_file **out, const char *path, hcbr_error *err) {
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "<stdin>" : *path == 0 ? "''" : path;
    size_t length = strlen(name) + 1;
    *out = NULL;
    hcbr_i_file *file = hcbr_i_alloc(1, sizeof *file + length);
    if (file == NULL)
        return hcbr_i_no_memory(err);
    memcpy(file->name, name, length);
    file->owned = !standard;
    file->descriptor = standard ? STDIN_FILENO : io_open(path, O_RDONLY, 0);
    hcbr_status st = file->descriptor < 0 ? refused(err, name, "cannot open") : look_at(file, err);
    if (st != HCBR_OK) {
        hcbr_i_file_close(file);
        return st;
    }
    *out = file;
    return HCBR_OK;
}

hcbr_status hcbr_i_file_read(hcbr_i_file *file, void *buffer, size_t size, size_t *got,
                             hcbr_error *err) {
    ssize_t n = io_read(file->descriptor, buffer, size);
    *got = n > 0 ? (size_t)n : 0;
    file->done += *got;
    if (n == 0 && size > 0)
        return check_whole(file, err);
    return n < 0 ? refused(err, file->name, "cannot read") : HCBR_OK;
}

const char *hcbr_i_file_name(const hcbr_i_file *file) {
    return file->name;
}

uint64_t hcbr_i_file_size(const hcbr_i_file *file) {
    return file->size;
}

uint64_t hcbr_i_file_size_at(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size < 0)
        return 0;
    return (uint64_t)about.st_size;
}

bool hcbr_i_file_is_same(const char *a, const char *b) {
    struct stat x, y;
    return strcmp(a, b) == 0 ||
           (stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

void hcbr_i_file_close(hcbr_i_file *file) {
    if (file != NULL && file->owned && file->descriptor >= 0)
        close(file->descriptor); // nothing was written: nothing can be lost
    hcbr_i_free(file);
}

/** Read to the end. The size is a hint only: pipes have none, and a file may grow meanwhile. */
static hcbr_status load_all(hcbr_i_file *file, char **bytes, size_t *size, hcbr_error *err) {
    uint64_t hint = file->size < SIZE_MAX / 2 ? file->size + 1 : 0;
    size_t capacity = hint > 65536 ? (size_t)hint : 65536, got;
    if ((*bytes = hcbr_i_alloc(capacity, 1)) == NULL) // in large pages, if it is large
        return hcbr_i_no_memory(err);
    for (;;) {
        if (*size == capacity && !hcbr_i_grow(bytes, &capacity, capacity + 1, 1))
            return hcbr_i_no_memory(err);
        hcbr_status st = hcbr_i_file_read(file, *bytes + *size, capacity - *size, &got, err);
        if (st != HCBR_OK || got == 0)
            return st;
        *size += got;
    }
}

hcbr_status hcbr_i_file_load(void **bytes, size_t *size, const char *path, hcbr_error *err) {
    hcbr_i_file *file;
    char *block = NULL;
    size_t length = 0;
    *bytes = NULL;
    *size = 0;
    hcbr_status st = hcbr_i_file_open(&file, path, err);
    if (st != HCBR_OK)
        return st;
    if (S_ISCHR(file->mode)) // may well have no end
        st = hcbr_i_fail_at(err, HCBR_EIO, file->name, 0, 0, "is a device, expected a file");
    else
        st = load_all(file, &block, &length, err);
    hcbr_i_file_close(file);
    if (st != HCBR_OK) {
        hcbr_i_free(block);
        return st;
    }
    *bytes = block;
    *size = length;
    return HCBR_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool io_write_parts(int descriptor, const hcbr_i_part *parts, size_t count) {
    for (size_t n = 0; n < count; n++)
        if (!io_write_all(descriptor, parts[n].bytes, parts[n].size))
            return false;
    return true;
}

/** Write to what cannot be replaced: a device, a pipe. */
static hcbr_status save_directly(const char *path, const hcbr_i_part *parts, size_t count,
                                 hcbr_error *err) {
    int descriptor = io_open(path, O_WRONLY, 0);
    if (descriptor < 0)
        return refused(err, path, "cannot open for writing");
    if (!io_write_parts(descriptor, parts, count)) {
        hcbr_status st = refused(err, path, "cannot write");
        io_close(descriptor);
        return st;
    }
    return io_close(descriptor) ? HCBR_OK : refused(err, path, "cannot write");
}

/** Create `<path>.tmpXXXXXX`, a name not in use; temporary has room for it. */
static int create_beside(char *temporary, const char *path, mode_t mode) {
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    size_t length = strlen(path);
    memcpy(temporary, path, length);
    memcpy(temporary + length, ".tmp", 4);
    temporary[length + 10] = 0;
    for (int attempt = 0;; attempt++) {
        uint64_t random = hcbr_i_hash_key_make(0).a;
        for (int i = 0; i < 6; i++, random /= 36)
            temporary[length + 4 + (size_t)i] = letters[random % 36];
        int descriptor = io_open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
        if (descriptor >= 0 || errno != EEXIST || attempt == 100)
            return descriptor;
    }
}

/** Make the new name permanent: without this a crash may bring the old file back. */
static bool sync_folder(char *path) {
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        slash[slash == path] = 0; // "/file" lies in "/"
    int descriptor = io_open(slash == NULL ? "." : path, O_RDONLY | O_DIRECTORY, 0);
    if (descriptor < 0)
        return errno == EACCES; // writing may be allowed where listing is not
    bool done = io_sync(descriptor) || errno == EINVAL || errno == ENOTSUP;
    return io_close(descriptor) && done;
}

/** Where to write, and the name for messages. */
typedef struct place {
    const char *name; /**< as it was given */
    const char *path; /**< after following links */
    char *temporary;  /**< room for the path and 11 bytes */
    mode_t mode;
} place;

/** Write, sync, close and rename; NULL, or what failed, with errno. Leaves no temporary file. */
static const char *save_beside(const place *to, const hcbr_i_part *parts, size_t count) {
    const char *failed = NULL;
    int reason, descriptor = create_beside(to->temporary, to->path, to->mode);
    if (descriptor < 0)
        return "cannot create a file in its folder";
    if (!io_write_parts(descriptor, parts, count))
        failed = "cannot write";
    else if (!io_sync(descriptor))
        failed = "cannot sync";
    reason = errno;
    if (!io_close(descriptor) && failed == NULL) {
        failed = "cannot close";
        reason = errno;
    }
    if (failed == NULL && !io_rename(to->temporary, to->path)) {
        failed = "cannot rename a file to it";
        reason = errno;
    }
    if (failed != NULL)
        unlink(to->temporary);
    errno = reason;
    return failed;
}

static hcbr_status save_atomically(place *to, const hcbr_i_part *parts, size_t count,
                                   hcbr_error *err) {
    size_t length = strlen(to->path);
    to->temporary = hcbr_i_alloc(length + 11, 1);
    if (to->temporary == NULL)
        return hcbr_i_no_memory(err);
    const char *failed = save_beside(to, parts, count);
    if (failed == NULL) {
        memcpy(to->temporary, to->path, length + 1);
        if (!sync_folder(to->temporary))
            failed = "cannot sync its folder";
    }
    hcbr_status st = failed == NULL ? HCBR_OK : refused(err, to->name, failed);
    hcbr_i_free(to->temporary);
    return st;
}

hcbr_status hcbr_i_file_save(const char *path, const void *bytes, size_t size, hcbr_error *err) {
    const hcbr_i_part all = {bytes, size};
    return hcbr_i_file_save_parts(path, &all, 1, err);
}

hcbr_status hcbr_i_file_save_parts(const char *path, const hcbr_i_part *parts, size_t count,
                                   hcbr_error *err) {
    struct stat about;
    place to = {path, path, NULL, 0666}; // less the umask
    char *target = NULL;
    if (stat(path, &about) == 0) {
        if (S_ISDIR(about.st_mode))
            return hcbr_i_fail_at(err, HCBR_EIO, path, 0, 0, "is a directory, expected a file");
        if (!S_ISREG(about.st_mode))
            return save_directly(path, parts, count, err);
        to.mode = about.st_mode & 0777; // rights that were withheld stay withheld
    }
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode)) {
        // A link stays a link; its target is replaced.
        if ((target = hcbr_i_alloc(PATH_MAX, 1)) == NULL)
            return hcbr_i_no_memory(err);
        if (realpath(path, target) == NULL) {
            hcbr_status st = refused(err, path, "cannot follow this link");
            hcbr_i_free(target);
            return st;
        }
        to.path = target;
    }
    hcbr_status st = save_atomically(&to, parts, count, err);
    hcbr_i_free(target);
    return st;
}
