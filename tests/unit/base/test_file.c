// Reading and writing of files, with the system made to refuse every call in turn.
#include "base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/hcbr-test-file-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[4][300];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int make_folder(void **context) {
    (void)context;
    umask(022);
    return mkdtemp(folder) == NULL;
}

/** Remove everything; returns how many files there were. */
static int empty_folder(void) {
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.') {
            count++;
            remove(in_folder(entry->d_name));
        }
    closedir(dir);
    return count;
}

static int remove_folder(void **context) {
    (void)context;
    empty_folder();
    return rmdir(folder);
}

static void write_plain(const char *path, const char *text) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void assert_content(const char *path, const char *text, size_t length) {
    void *bytes;
    size_t size;
    hcbr_error err;
    if (hcbr_i_file_load(&bytes, &size, path, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    assert_int_equal(size, length);
    assert_memory_equal(bytes, text, length);
    hcbr_i_free(bytes);
}

static void open__says_what_is_wrong(void **context) {
    (void)context;
    hcbr_error err;
    hcbr_i_file *file = (hcbr_i_file *)&err;
    assert_int_equal(hcbr_i_file_open(&file, in_folder("none"), &err), HCBR_EIO);
    assert_null(file);
    assert_string_equal(err.file, in_folder("none"));
    assert_string_equal(err.message, "cannot open: No such file or directory");
    assert_int_equal(hcbr_i_file_open(&file, folder, &err), HCBR_EIO);
    assert_string_equal(err.message, "is a directory, expected a file");
    assert_int_equal(hcbr_i_file_open(&file, in_folder("none"), NULL), HCBR_EIO);
    hcbr_i_file_close(NULL);
}

static void read__gives_all_bytes_then_none(void **context) {
    (void)context;
    hcbr_i_file *file;
    char buffer[4];
    size_t got;
    write_plain(in_folder("a"), "abcdef");
    assert_int_equal(hcbr_i_file_open(&file, in_folder("a"), NULL), HCBR_OK);
    assert_string_equal(hcbr_i_file_name(file), in_folder("a"));
    assert_int_equal(hcbr_i_file_size(file), 6);
    assert_int_equal(hcbr_i_file_read(file, buffer, 4, &got, NULL), HCBR_OK);
    assert_int_equal(got, 4);
    assert_memory_equal(buffer, "abcd", 4);
    assert_int_equal(hcbr_i_file_read(file, buffer, 4, &got, NULL), HCBR_OK);
    assert_int_equal(got, 2);
    assert_int_equal(hcbr_i_file_read(file, buffer, 4, &got, NULL), HCBR_OK);
    assert_int_equal(got, 0);
    hcbr_i_fault_arm(HCBR_I_FAULT_IO, 1, false);
    hcbr_error err;
    assert_int_equal(hcbr_i_file_read(file, buffer, 4, &got, &err), HCBR_EIO);
    hcbr_i_fault_arm(HCBR_I_FAULT_IO, 0, false);
    assert_int_equal(got, 0);
    assert_string_equal(err.message, "cannot read: Input/output error");
    assert_string_equal(err.file, in_folder("a"));
    hcbr_i_file_close(file);
}

static void open__takes_standard_input(void **context) {
    (void)context;
    int ends[2], saved = dup(STDIN_FILENO);
    hcbr_i_file *file;
    char buffer[8];
    size_t got;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "xyz", 3), 3);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(hcbr_i_file_open(&file, "-", NULL), HCBR_OK);
    assert_string_equal(hcbr_i_file_name(file), "<stdin>");
    assert_int_equal(hcbr_i_file_size(file), 0);
    assert_int_equal(hcbr_i_file_read(file, buffer, 8, &got, NULL), HCBR_OK);
    assert_int_equal(got, 3);
    hcbr_i_file_close(file);
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); // not closed
    dup2(saved, STDIN_FILENO);
    close(saved);
}

enum { LARGE = 300000 };

static void *feed(void *argument) {
    char *bytes = malloc(LARGE);
    int descriptor = open(argument, O_WRONLY);
    for (int i = 0; i < LARGE; i++)
        bytes[i] = (char)(i * 31);
    for (ssize_t done = 0, n = 0; done < LARGE && n >= 0; done += n)
        n = write(descriptor, bytes + done, (size_t)(LARGE - done));
    close(descriptor);
    free(bytes);
    return NULL;
}

static void load__reads_files_and_pipes(void **context) {
    (void)context;
    write_plain(in_folder("empty"), "");
    assert_content(in_folder("empty"), "", 0);
    char path[200];
    strcpy(path, in_folder("pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, feed, path), 0);
    void *bytes;
    size_t size;
    assert_int_equal(hcbr_i_file_load(&bytes, &size, path, NULL), HCBR_OK);
    pthread_join(thread, NULL);
    assert_int_equal(size, LARGE);
    for (int i = 0; i < LARGE; i++)
        if (((char *)bytes)[i] != (char)(i * 31))
            fail_msg("byte %d differs", i);
    hcbr_i_free(bytes);
    hcbr_error err;
    assert_int_equal(hcbr_i_file_load(&bytes, &size, "/dev/zero", &err), HCBR_EIO);
    assert_null(bytes);
    assert_string_equal(err.message, "is a device, expected a file");
}

static void load__survives_every_failure(void **context) {
    (void)context;
    char path[200];
    void *bytes;
    size_t size;
    strcpy(path, in_folder("b"));
    write_plain(path, "some text");
    for (int kind = 0; kind < 2; kind++)
        for (uint64_t n = 1;; n++) {
            assert_in_range(n, 1, 20);
            hcbr_i_fault_arm((hcbr_i_fault_kind)kind, n, false);
            hcbr_status st = hcbr_i_file_load(&bytes, &size, path, NULL);
            uint64_t calls = hcbr_i_fault_count((hcbr_i_fault_kind)kind);
            hcbr_i_fault_arm((hcbr_i_fault_kind)kind, 0, false);
            if (calls < n) {
                assert_int_equal(st, HCBR_OK);
                assert_int_equal(size, 9);
                hcbr_i_free(bytes);
                assert_true(n > 2);
                break;
            }
            assert_int_equal(st, kind == 0 ? HCBR_ENOMEM : HCBR_EIO);
            assert_null(bytes);
            assert_int_equal(size, 0);
        }
}

static unsigned mode_of(const char *path) {
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 0777;
}

static void save__writes_and_replaces(void **context) {
    (void)context;
    empty_folder();
    hcbr_error err;
    char *large = malloc(LARGE);
    memset(large, 'L', LARGE);
    assert_int_equal(hcbr_i_file_save(in_folder("m"), large, LARGE, &err), HCBR_OK);
    assert_content(in_folder("m"), large, LARGE);
    assert_int_equal(mode_of(in_folder("m")), 0644);
    assert_int_equal(hcbr_i_file_save(in_folder("m"), "", 0, &err), HCBR_OK);
    assert_content(in_folder("m"), "", 0);
    chmod(in_folder("m"), 0600);
    assert_int_equal(hcbr_i_file_save(in_folder("m"), "x", 1, &err), HCBR_OK);
    assert_int_equal(mode_of(in_folder("m")), 0600); // stays private
    assert_int_equal(symlink("m", in_folder("link")), 0);
    assert_int_equal(hcbr_i_file_save(in_folder("link"), "yz", 2, &err), HCBR_OK);
    assert_content(in_folder("m"), "yz", 2);
    struct stat about;
    assert_int_equal(lstat(in_folder("link"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(empty_folder(), 2); // no temporary file
    free(large);
}

static void save__takes_a_path_without_folder(void **context) {
    (void)context;
    char before[4096];
    empty_folder();
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(hcbr_i_file_save("plain", "p", 1, NULL), HCBR_OK);
    assert_content("plain", "p", 1);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(empty_folder(), 1);
}

static void save__writes_into_devices(void **context) {
    (void)context;
    hcbr_error err;
    assert_int_equal(hcbr_i_file_save("/dev/null", "x", 1, &err), HCBR_OK);
    struct stat about;
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode)); // not replaced
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(hcbr_i_file_save("/dev/full", "x", 1, &err), HCBR_EIO);
        assert_string_equal(err.file, "/dev/full");
        assert_string_equal(err.message, "cannot write: No space left on device");
    }
}

static void save__says_what_is_wrong(void **context) {
    (void)context;
    hcbr_error err;
    assert_int_equal(hcbr_i_file_save(folder, "x", 1, &err), HCBR_EIO);
    assert_string_equal(err.message, "is a directory, expected a file");
    assert_int_equal(hcbr_i_file_save(in_folder("no/such"), "x", 1, &err), HCBR_EIO);
    assert_string_equal(err.file, in_folder("no/such"));
    assert_string_equal(err.message,
                        "cannot create a file in its folder: No such file or directory");
    assert_int_equal(symlink("nothing", in_folder("dangling")), 0);
    assert_int_equal(hcbr_i_file_save(in_folder("dangling"), "x", 1, &err), HCBR_EIO);
    assert_string_equal(err.message, "cannot follow this link: No such file or directory");
    empty_folder();
}

/** One save with a failure; afterwards the old or the new content stands there, whole and alone. */
static bool save_with_fault(const char *path, hcbr_i_fault_kind kind, uint64_t n, bool on) {
    hcbr_error err;
    empty_folder();
    write_plain(path, "old content");
    hcbr_i_fault_arm(kind, n, on);
    hcbr_status st = hcbr_i_file_save(path, "new", 3, &err);
    uint64_t calls = hcbr_i_fault_count(kind);
    hcbr_i_fault_arm(kind, 0, false);
    void *bytes;
    size_t size;
    assert_int_equal(hcbr_i_file_load(&bytes, &size, path, NULL), HCBR_OK);
    bool renewed = size == 3 && memcmp(bytes, "new", 3) == 0;
    if (!renewed) {
        assert_int_equal(size, 11);
        assert_memory_equal(bytes, "old content", 11);
    }
    hcbr_i_free(bytes);
    assert_int_equal(empty_folder(), 1);
    if (calls < n) {
        assert_int_equal(st, HCBR_OK);
        assert_true(renewed);
        return false;
    }
    assert_int_equal(st, kind == HCBR_I_FAULT_ALLOC ? HCBR_ENOMEM : HCBR_EIO);
    assert_int_equal(err.status, st);
    if (kind == HCBR_I_FAULT_IO) {
        assert_string_equal(err.file, path);
        assert_non_null(strstr(err.message, "Input/output error"));
        // open, write, fsync, close and rename come before the change, three calls after it
        assert_int_equal(renewed, n > 5);
    }
    return true;
}

static void save__is_complete_or_absent_whatever_fails(void **context) {
    (void)context;
    char path[200];
    strcpy(path, in_folder("model"));
    for (int kind = 0; kind < 2; kind++)
        for (int on = 0; on < 2; on++) {
            uint64_t n = 1;
            while (save_with_fault(path, (hcbr_i_fault_kind)kind, n, on))
                n++;
            assert_int_equal(n - 1, kind == HCBR_I_FAULT_ALLOC ? 1 : 8);
        }
}

static void save__leaves_nothing_where_nothing_was(void **context) {
    (void)context;
    char path[200];
    strcpy(path, in_folder("model"));
    for (uint64_t n = 1; n <= 5; n++) {
        empty_folder();
        hcbr_i_fault_arm(HCBR_I_FAULT_IO, n, true);
        assert_int_equal(hcbr_i_file_save(path, "new", 3, NULL), HCBR_EIO);
        hcbr_i_fault_arm(HCBR_I_FAULT_IO, 0, false);
        assert_int_equal(empty_folder(), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open__says_what_is_wrong),
        cmocka_unit_test(read__gives_all_bytes_then_none),
        cmocka_unit_test(open__takes_standard_input),
        cmocka_unit_test(load__reads_files_and_pipes),
        cmocka_unit_test(load__survives_every_failure),
        cmocka_unit_test(save__writes_and_replaces),
        cmocka_unit_test(save__takes_a_path_without_folder),
        cmocka_unit_test(save__writes_into_devices),
        cmocka_unit_test(save__says_what_is_wrong),
        cmocka_unit_test(save__is_complete_or_absent_whatever_fails),
        cmocka_unit_test(save__leaves_nothing_where_nothing_was),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
