/*
 * serve.c: decide cases that come as JSON over HTTP, by several threads, with libhcbr.
 *
 *     cc -pthread serve.c -o serve $(pkg-config --cflags --libs hcbr)
 *     hcbr train votes.csv -o votes.hcbr
 *     ./serve votes.hcbr 8080 &
 *     curl -H 'Content-Type: application/json' -d '{"immigration": "y"}' \
 *         http://127.0.0.1:8080/decide
 *
 * One object is one case; the answer is what `hcbr predict --to jsonl` writes (hcbr.predict/1). The
 * model is shared, each thread has a decider and a writer of its own.
 *
 * Only programs of this machine are served: it listens on 127.0.0.1, and a request must name that
 * host, so that no web page can send one by a name of its own. Requests are small and must be
 * complete within a short time. There is no encryption and no authentication: put a real server in
 * front before other machines may reach it.
 */
#define _GNU_SOURCE
#include <hcbr/hcbr.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, MOST_HEAD = 8192, MOST_BODY = 65536, SECONDS = 5 };

typedef struct server {
    const hcbr_model *model;
    int listener;
} server;

/* What one thread works with. */
typedef struct worker {
    const hcbr_model *model;
    hcbr_decider *decider;
    hcbr_writer *writer;
    char text[MOST_HEAD + MOST_BODY + 1]; /* the request */
    const char *body;
    size_t length, given; /* of the body, and how much of it was read */
} worker;

/* ---- a case of a body ------------------------------------------------------------------------ */

static hcbr_status give(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    worker *w = context;
    (void)err;
    *got = w->length - w->given < room ? w->length - w->given : room;
    memcpy(to, w->body + w->given, *got);
    w->given += *got;
    return HCBR_OK;
}

static void done(void *context) {
    (void)context;
}

static hcbr_status open_body(void *context, const char *path, hcbr_input *input, hcbr_error *err) {
    worker *w = context;
    (void)path, (void)err;
    w->given = 0;
    input->read = give;
    input->close = done;
    input->context = w;
    input->format = HCBR_FORMAT_JSONL;
    return HCBR_OK;
}

/* Decide the object in the body, as a line of a file of JSON Lines would be. */
static hcbr_status decide(worker *w, hcbr_error *err) {
    const char *path = "request";
    hcbr_decision decision = {.size = sizeof decision};
    hcbr_read_options options;
    hcbr_stream *stream = NULL;
    int more = 0;
    hcbr_model_get_read_options(w->model, &options);
    options.open = open_body;
    options.open_context = w;
    options.bad_rows = HCBR_BAD_ROWS_STOP;
    hcbr_status st = hcbr_stream_create(&stream, w->decider, &path, 1, &options, err);
    if (st == HCBR_OK)
        st = hcbr_stream_next(stream, &decision, &more, err);
    if (st == HCBR_OK && !more) {
        st = HCBR_EDATA;
        snprintf(err->message, sizeof err->message, "found nothing, expected an object");
    }
    if (st == HCBR_OK)
        st = hcbr_write_decision(w->writer, HCBR_JSON, w->model, &decision, err);
    hcbr_stream_free(stream);
    return st;
}

/* ---- HTTP ------------------------------------------------------------------------------------ */

static void answer(worker *w, int client, const char *status) {
    char head[200];
    size_t length = 0;
    const char *body = hcbr_writer_get(w->writer, &length);
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
                        "Connection: close\r\n\r\n",
                        status, body ? length : 0);
    if (send(client, head, (size_t)size, MSG_NOSIGNAL | MSG_MORE) < 0)
        return;
    for (size_t sent = 0; body && sent < length;) {
        ssize_t n = send(client, body + sent, length - sent, MSG_NOSIGNAL);
        if (n <= 0)
            return;
        sent += (size_t)n;
    }
}

static void refuse(worker *w, int client, const char *status, const char *why) {
    hcbr_error err;
    hcbr_writer_clear(w->writer);
    HCBR_PUT(w->writer, hcbr_item_open(NULL, '{'), hcbr_item_string("error", why));
    if (hcbr_write_end(w->writer, HCBR_JSON, &err) == HCBR_OK)
        answer(w, client, status);
}

/* The value of a header; NULL: it is not there. The head ends with an empty line. */
static const char *header(const char *head, const char *name, size_t *length) {
    const size_t size = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line && line[2] != '\r';
         line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, size) != 0 || line[2 + size] != ':')
            continue;
        const char *value = line + 3 + size;
        value += strspn(value, " \t");
        *length = strcspn(value, "\r");
        return value;
    }
    return NULL;
}

static int is_local(const char *host, size_t length) {
    static const char *const LOCAL[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; host && i < 2; i++) {
        const size_t size = strlen(LOCAL[i]);
        if (length >= size && strncasecmp(host, LOCAL[i], size) == 0 &&
            (length == size || host[size] == ':'))
            return 1;
    }
    return 0;
}

/* Why the head is not one that is answered; NULL: it is, and *size is that of the body. */
static const char *check_head(const char *head, size_t *size) {
    size_t length;
    const char *value;
    if (strncmp(head, "POST /decide HTTP/1.", 20) != 0)
        return "404 Not Found";
    value = header(head, "Host", &length);
    if (!is_local(value, length))
        return "403 Forbidden";
    value = header(head, "Content-Type", &length);
    if (!value || strncasecmp(value, "application/json", 16) != 0)
        return "415 Unsupported Media Type";
    value = header(head, "Content-Length", &length);
    if (!value || length == 0 || strspn(value, "0123456789") != length ||
        header(head, "Transfer-Encoding", &(size_t){0}))
        return "411 Length Required";
    *size = length < 8 ? strtoul(value, NULL, 10) : MOST_BODY + 1;
    return *size > MOST_BODY ? "413 Content Too Large" : NULL;
}

/* Read a whole request. Returns the status it is refused with; NULL: it is there; "": it is gone.
 */
static const char *receive(worker *w, int client) {
    const time_t end = time(NULL) + SECONDS;
    size_t have = 0, size = 0;
    char *head_end = NULL;
    while (!head_end || have < (size_t)(w->body - w->text) + size) {
        ssize_t n = recv(client, w->text + have, sizeof w->text - 1 - have, 0);
        if (n <= 0 || time(NULL) > end)
            return "";
        have += (size_t)n;
        w->text[have] = '\0';
        if (head_end)
            continue;
        if (!(head_end = strstr(w->text, "\r\n\r\n"))) {
            if (have > MOST_HEAD)
                return "431 Request Header Fields Too Large";
            continue;
        }
        const char *wrong = check_head(w->text, &size);
        if (wrong)
            return wrong;
        w->body = head_end + 4;
    }
    w->length = size;
    for (size_t i = 0; i < size; i++) // one record, whatever its lines
        if (w->body[i] == '\n' || w->body[i] == '\r')
            w->text[w->body - w->text + (ptrdiff_t)i] = ' ';
    return NULL;
}

static void serve_one(worker *w, int client) {
    const struct timeval wait = {.tv_sec = SECONDS};
    hcbr_error err = {0};
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    const char *wrong = receive(w, client);
    if (wrong) {
        if (wrong[0])
            refuse(w, client, wrong, wrong + 4);
        return;
    }
    hcbr_writer_clear(w->writer);
    hcbr_status st = decide(w, &err);
    if (st == HCBR_OK)
        answer(w, client, "200 OK");
    else
        refuse(w, client, st == HCBR_EDATA ? "400 Bad Request" : "500 Internal Server Error",
               err.message);
}

/* What was sent and not read would take the answer with it. */
static void hang_up(worker *w, int client) {
    const time_t end = time(NULL) + SECONDS;
    shutdown(client, SHUT_WR);
    for (size_t n = 0; n < MOST_BODY && time(NULL) <= end; n += 512)
        if (recv(client, w->text, sizeof w->text, 0) <= 0)
            break;
    close(client);
}

static void *serve(void *context) {
    const server *s = context;
    worker *w = calloc(1, sizeof *w);
    hcbr_error err;
    if (w && (w->model = s->model) != NULL &&
        hcbr_decider_create(&w->decider, s->model, NULL, &err) == HCBR_OK &&
        hcbr_writer_create(&w->writer, NULL, NULL, &err) == HCBR_OK)
        for (;;) {
            int client = accept(s->listener, NULL, NULL);
            if (client < 0)
                continue;
            serve_one(w, client);
            hang_up(w, client);
        }
    fprintf(stderr, "no memory for a thread\n");
    exit(1);
}

/* Listen on 127.0.0.1 alone; port 0 is any that is free. */
static int listen_on(unsigned port, int *listener) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*listener < 0 ||
        setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) != 0 ||
        bind(*listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(*listener, 64) != 0 ||
        getsockname(*listener, (struct sockaddr *)&at, &size) != 0)
        return 0;
    printf("http://127.0.0.1:%u/decide\n", (unsigned)ntohs(at.sin_port));
    fflush(stdout);
    return 1;
}

int main(int argc, char **argv) {
    hcbr_error err = {0};
    hcbr_model *model = NULL;
    server s;
    char *end = NULL;
    const unsigned long port = argc > 2 ? strtoul(argv[2], &end, 10) : 8080;
    if (argc < 2 || argc > 3 || (end && *end) || port > 65535) {
        fprintf(stderr, "usage: serve MODEL [PORT]\n");
        return 2;
    }
    if (hcbr_model_load(&model, argv[1], &err) != HCBR_OK) {
        fprintf(stderr, "%s: %s\n", err.file, err.message);
        return 1;
    }
    s.model = model;
    if (!listen_on((unsigned)port, &s.listener)) {
        perror("listen");
        return 1;
    }
    for (int i = 1; i < THREADS; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, &s) != 0)
            return 1;
    }
    serve(&s);
    return 0;
}
