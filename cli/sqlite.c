/*
 * SQLite files as data. A row becomes a line of JSON, an object of its columns: NULL is null, whole
 * numbers keep every digit, other numbers are written in their shortest form, text as it is. Blobs,
 * infinite numbers and invalid UTF-8 are errors with their row.
 *
 * The file is opened for reading only and only one SELECT is run on it, so data is never changed,
 * whatever the query is. Rows come in the order of the query.
 */
#include "sqlite.h"

#include "json_line.h"
#include "term.h"

#include <hcbr/number.h>
#include <hcbr/text.h>

#include <sqlite3.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_MILLISECONDS = 5000 };

/** A statement that is being read, and the line of its current row. */
typedef struct rows {
    sqlite3 *db;
    sqlite3_stmt *statement;
    char *path;
    json_line line;
    uint64_t row;
    bool ended;
    bool queried; /* by --query */
} rows;

__attribute__((format(printf, 4, 5))) static hcbr_status
fail(hcbr_error *err, hcbr_status status, const char *path, const char *format, ...) {
    size_t length = strlen(path);
    va_list list;
    if (!err)
        return status;
    *err = (hcbr_error){.status = status};
    if (length >= sizeof err->file)
        path += length - (sizeof err->file - 1);
    snprintf(err->file, sizeof err->file, "%s", path);
    va_start(list, format);
    vsnprintf(err->message, sizeof err->message, format, list);
    va_end(list);
    for (char *at = err->message; *at; at++)
        if (*at == '\n')
            *at = ' ';
    return status;
}

static hcbr_status no_memory(hcbr_error *err, const char *path) {
    return fail(err, HCBR_ENOMEM, path, "out of memory");
}

/* A failure of SQLite while it reads. */
static hcbr_status fail_sqlite(hcbr_error *err, const char *path, sqlite3 *db, int code) {
    hcbr_status status = code == SQLITE_NOMEM                              ? HCBR_ENOMEM
                         : code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? HCBR_EDATA
                                                                           : HCBR_EIO;
    return fail(err, status, path, "SQLite: %s", db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool is_text(const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t used;
        if (hcbr_text_code(text + at, length - at, &used) <= 0)
            return false;
        at += used;
    }
    return true;
}

static hcbr_status fail_value(const rows *r, int column, const char *found, hcbr_error *err) {
    return fail(err, HCBR_EDATA, r->path,
                "row %llu: found %s in column '%.80s', expected text, a number or NULL",
                (unsigned long long)r->row, found, sqlite3_column_name(r->statement, column));
}

static hcbr_status put_value(rows *r, int column, hcbr_error *err) {
    sqlite3_stmt *s = r->statement;
    char number[HCBR_NUMBER_SIZE];
    bool good = true;
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_INTEGER:
        good = json_line_put(&r->line, number,
                             (size_t)snprintf(number, sizeof number, "%lld",
                                              (long long)sqlite3_column_int64(s, column)));
        break;
    case SQLITE_FLOAT: {
        double value = sqlite3_column_double(s, column);
        if (!(value - value == 0))
            return fail_value(r, column, "an infinite number", err);
        good = json_line_put(&r->line, number, hcbr_number_format(number, value == 0 ? 0 : value));
        break;
    }
    case SQLITE_TEXT: {
        const char *text = (const char *)sqlite3_column_text(s, column);
        size_t length = (size_t)sqlite3_column_bytes(s, column);
        if (!text)
            return no_memory(err, r->path);
        if (!is_text(text, length))
            return fail_value(r, column, "text that is not UTF-8 or holds NUL", err);
        good = json_line_text(&r->line, text, length);
        break;
    }
    case SQLITE_BLOB:
        return fail_value(r, column, "a blob", err);
    default:
        good = json_line_put(&r->line, "null", 4);
    }
    return good ? HCBR_OK : no_memory(err, r->path);
}

/* The next row as a line, or the end. */
static hcbr_status next_line(rows *r, hcbr_error *err) {
    int code = sqlite3_step(r->statement), columns = sqlite3_column_count(r->statement);
    r->line.size = r->line.given = 0;
    r->ended = code == SQLITE_DONE;
    if (r->ended && r->row == 0)
        return fail(err, HCBR_EDATA, r->path,
                    "the %s has no row, expected at least one: is it the right one?",
                    r->queried ? "result of --query" : "table");
    if (r->ended)
        return HCBR_OK;
    if (code != SQLITE_ROW)
        return fail_sqlite(err, r->path, r->db, code);
    r->row++;
    for (int c = 0; c < columns; c++) {
        const char *name = sqlite3_column_name(r->statement, c);
        hcbr_status status;
        if (!name || !json_line_put(&r->line, c == 0 ? "{" : ",", 1) ||
            !json_line_text(&r->line, name, strlen(name)) || !json_line_put(&r->line, ":", 1))
            return no_memory(err, r->path);
        if ((status = put_value(r, c, err)) != HCBR_OK)
            return status;
    }
    return json_line_put(&r->line, "}\n", 2) ? HCBR_OK : no_memory(err, r->path);
}

static hcbr_status read_rows(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    rows *r = context;
    *got = 0;
    while (*got < room) {
        if (r->line.given == r->line.size) {
            hcbr_status status = r->ended ? HCBR_OK : next_line(r, err);
            if (status != HCBR_OK)
                return status;
            if (r->ended)
                return HCBR_OK;
        }
        *got += json_line_take(&r->line, to + *got, room - *got);
    }
    return HCBR_OK;
}

static void close_rows(void *context) {
    rows *r = context;
    sqlite3_finalize(r->statement);
    sqlite3_close(r->db);
    free(r->path);
    free(r->line.bytes);
    free(r);
}

/* ---- queries --------------------------------------------------------------------------------- */

/* After blanks and comments. */
static const char *skip_comments(const char *at) {
    for (;;) {
        while (isspace((unsigned char)*at) || *at == ';')
            at++;
        if (at[0] == '-' && at[1] == '-') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else {
            return at;
        }
    }
}

static bool is_word(const char *at, const char *word) {
    size_t i = 0;
    for (; word[i]; i++)
        if (toupper((unsigned char)at[i]) != word[i])
            return false;
    return !isalnum((unsigned char)at[i]) && at[i] != '_';
}

static hcbr_status check_columns(const rows *r, hcbr_error *err) {
    int columns = sqlite3_column_count(r->statement);
    for (int a = 0; a < columns; a++) {
        const char *name = sqlite3_column_name(r->statement, a);
        if (!name)
            return no_memory(err, r->path);
        if (!is_text(name, strlen(name)))
            return fail(err, HCBR_EDATA, r->path, "found the name of a column that is not UTF-8");
        for (int b = 0; b < a; b++)
            if (strcmp(name, sqlite3_column_name(r->statement, b)) == 0)
                return fail(err, HCBR_EDATA, r->path,
                            "found two columns '%.80s', expected every name once (SELECT ... AS)",
                            name);
    }
    return HCBR_OK;
}

static hcbr_status prepare(rows *r, const char *query, hcbr_error *err) {
    const char *first = skip_comments(query), *rest = NULL;
    if (!is_word(first, "SELECT") && !is_word(first, "WITH") && !is_word(first, "VALUES"))
        return fail(err, HCBR_EUSAGE, r->path,
                    "found the query '%.80s', expected a SELECT (--query)", query);
    if (sqlite3_prepare_v2(r->db, query, -1, &r->statement, &rest) != SQLITE_OK)
        return fail(err, HCBR_EUSAGE, r->path, "SQLite: %s (--query)", sqlite3_errmsg(r->db));
    if (*skip_comments(rest))
        return fail(err, HCBR_EUSAGE, r->path,
                    "found '%.80s' after a query, expected one SELECT only (--query)",
                    skip_comments(rest));
    if (!sqlite3_stmt_readonly(r->statement) || sqlite3_column_count(r->statement) == 0)
        return fail(err, HCBR_EUSAGE, r->path,
                    "found the query '%.80s', expected a SELECT (--query)", query);
    return check_columns(r, err);
}

/* SELECT * FROM a table. */
static hcbr_status prepare_table(rows *r, const char *table, hcbr_error *err) {
    char *query = sqlite3_mprintf("SELECT * FROM \"%w\"", table);
    if (!query)
        return no_memory(err, r->path);
    int code = sqlite3_prepare_v2(r->db, query, -1, &r->statement, NULL);
    sqlite3_free(query);
    if (code != SQLITE_OK)
        return fail(err, HCBR_EDATA, r->path, "SQLite: %s", sqlite3_errmsg(r->db));
    return check_columns(r, err);
}

/* The only table, its name to be freed with sqlite3_free(). */
static hcbr_status only_table(rows *r, char **table, hcbr_error *err) {
    char names[400] = "";
    size_t count = 0, used = 0;
    sqlite3_stmt *s;
    int code = sqlite3_prepare_v2(r->db,
                                  "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                                  "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
                                  -1, &s, NULL);
    *table = NULL;
    if (code != SQLITE_OK)
        return fail_sqlite(err, r->path, r->db, code);
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        if (count++ == 0)
            *table = sqlite3_mprintf("%s", name);
        if (used < 300)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s'%.60s'",
                                     used ? ", " : "", name ? name : "");
    }
    sqlite3_finalize(s);
    if (code == SQLITE_DONE && count == 1 && *table)
        return HCBR_OK;
    sqlite3_free(*table);
    *table = NULL;
    if (code != SQLITE_DONE)
        return fail_sqlite(err, r->path, r->db, code);
    if (count == 1)
        return no_memory(err, r->path);
    if (count == 0)
        return fail(err, HCBR_EDATA, r->path, "found no table, expected one");
    return fail(err, HCBR_EUSAGE, r->path,
                "found the tables %s, expected to be told which: FILE#TABLE, or --query for DATA",
                names);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Whether it is a file of SQLite. Only a regular file is read: a pipe would lose its bytes. */
static bool is_sqlite(const char *path) {
    static const char MAGIC[16] = "SQLite format 3";
    char first[sizeof MAGIC];
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got = read(fd, first, sizeof first);
    close(fd);
    return got == (ssize_t)sizeof first && memcmp(first, MAGIC, sizeof MAGIC) == 0;
}

static bool exists(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

/* Open the file at path; with "./" before it, no name has a special meaning to SQLite. */
static hcbr_status open_file(rows *r, const char *file, hcbr_error *err) {
    char *name = sqlite3_mprintf("%s%s", file[0] == '/' ? "" : "./", file);
    if (!name)
        return no_memory(err, r->path);
    int code = sqlite3_open_v2(name, &r->db, SQLITE_OPEN_READONLY, NULL);
    sqlite3_free(name);
    if (code != SQLITE_OK)
        return fail_sqlite(err, r->path, r->db, code);
    sqlite3_busy_timeout(r->db, BUSY_MILLISECONDS);
    return HCBR_OK;
}

/* Choose the rows. table NULL: none was named. */
static hcbr_status choose(rows *r, const sqlite_context *c, bool data, const char *table,
                          hcbr_error *err) {
    const char *query = data ? args_get(c->given, "query") : NULL;
    char *only = NULL;
    hcbr_status status;
    if (query && table)
        return fail(err, HCBR_EUSAGE, r->path, "found a table and --query, expected one of them");
    if (query)
        return prepare(r, query, err);
    if (table)
        return prepare_table(r, table, err);
    if ((status = only_table(r, &only, err)) != HCBR_OK)
        return status;
    status = prepare_table(r, only, err);
    if (status == HCBR_OK && !args_has(c->given, "quiet"))
        say_note(c->given->command->name, "%s: read its table %s", r->path, only);
    sqlite3_free(only);
    return status;
}

/* Whether the path is one of DATA. */
static bool is_data(const args *given, const char *path) {
    for (size_t i = 0; i < given->operand_count; i++)
        if (strcmp(given->operands[i], path) == 0)
            return true;
    return false;
}

/* The file of FILE#TABLE, to be freed, if the path is one; *table points into path. */
static char *cut_table(const char *path, const char **table) {
    const char *mark = strrchr(path, '#');
    char *file = mark && mark > path && mark[1] && !exists(path)
                     ? strndup(path, (size_t)(mark - path))
                     : NULL;
    if (file && is_sqlite(file)) {
        *table = mark + 1;
        return file;
    }
    free(file);
    return NULL;
}

char *sqlite_file(const char *path) {
    const char *table;
    char *file = cut_table(path, &table);
    return file || !is_sqlite(path) ? file : strdup(path);
}

hcbr_status sqlite_open(void *context, const char *path, hcbr_input *input, hcbr_error *err) {
    const sqlite_context *c = context;
    const char *table = NULL;
    bool data = is_data(c->given, path);
    char *file = strcmp(path, "-") == 0 ? NULL : cut_table(path, &table);
    if (!file && (strcmp(path, "-") == 0 || !is_sqlite(path)))
        return data && args_has(c->given, "query") && exists(path)
                   ? fail(err, HCBR_EUSAGE, path, "is no SQLite file, expected one for --query")
                   : HCBR_OK;
    rows *r = calloc(1, sizeof *r);
    hcbr_status status = HCBR_OK;
    if (!r || !(r->path = strdup(path)))
        status = no_memory(err, path);
    else if (r->queried = data && args_has(c->given, "query"),
             (status = open_file(r, file ? file : path, err)) == HCBR_OK)
        status = choose(r, c, data, table, err);
    free(file);
    if (status != HCBR_OK) {
        if (r)
            close_rows(r);
        return status;
    }
    *input = (hcbr_input){read_rows, close_rows, r, HCBR_FORMAT_JSONL};
    return HCBR_OK;
}
