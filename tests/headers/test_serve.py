"""examples/serve.c compiles without a warning, answers as `hcbr predict` does, from many threads at
once, listens on this machine alone and outlives whatever is sent to it."""
import csv
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading

ROOT = os.environ["HCBR_SOURCE"]
LIBRARY = os.environ["HCBR_LIBRARY"]
VOTES = os.path.join(ROOT, "examples", "votes.csv")
problems = []


def check(name, good, more=""):
    if not good:
        problems.append(f"{name}: {more}")


def talk(port, request):
    """What comes back for these bytes; they may be no request."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as s:
        try:
            s.sendall(request)
            s.shutdown(socket.SHUT_WR)
            answer = b""
            while part := s.recv(65536):
                answer += part
        except (ConnectionError, BrokenPipeError):
            return b""
    return answer


def request(body, host="127.0.0.1:80", kind="application/json", length=None, line="POST /decide"):
    body = body.encode()
    return (f"{line} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: "
            f"{len(body) if length is None else length}\r\n\r\n").encode() + body


def status(answer):
    return answer.split(b" ")[1].decode() if answer.startswith(b"HTTP/1.1 ") else ""


def content(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    size = int(re.search(rb"Content-Length: (\d+)", head).group(1))
    check("length", size == len(body), answer)
    return json.loads(body)


def answers(port, wanted, cases):
    def some(numbers):
        for n in numbers:
            indent = random.choice([None, 2])
            got = content(talk(port, request(json.dumps(cases[n], indent=indent))))
            same = {k: v for k, v in got.items() if k not in ("row", "given", "id")}
            check("answer", same == wanted[n], (n, got))
    threads = [threading.Thread(target=some, args=(range(k, len(cases), 8),)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def refusals(port):
    good = json.dumps({"immigration": "y"})
    for name, sent, expected in (
            ("path", request(good, line="POST /other"), "404"),
            ("method", request(good, line="GET /decide"), "404"),
            ("host", request(good, host="evil.example"), "403"),
            ("host prefix", request(good, host="127.0.0.1.evil.example"), "403"),
            ("form", request(good, kind="text/plain"), "415"),
            ("length", request(good, length="x"), "411"),
            ("negative", request(good, length="-1"), "411"),
            ("huge", request(good, length="99999999999999999999"), "413"),
            ("head", b"POST /decide HTTP/1.1\r\n" + b"A: b\r\n" * 3000, "431"),
            ("no json", request("{"), "400"),
            ("empty", request(""), "400"),
            ("large", request('{"a":' * 20000 + "1" + "}" * 20000), "413|"),  # it may hang up
            ("deep enough", request('{"a":' * 2000 + "1" + "}" * 2000), "400"),
            ("list", request("[1, 2]"), "400"),
            ("nul", request('{"a": "\\u0000"}'), "400"),
            ("short", request(good, length="500"), ""),
            ("nothing", b"", "")):
        got = talk(port, sent)
        check(name, status(got) in expected.split("|"), got[:200])
    for _ in range(100):
        talk(port, bytes(random.randrange(256) for _ in range(random.randrange(300))))
    check("still there", status(talk(port, request(good))) == "200")


def main():
    random.seed(1)
    program = os.environ["HCBR"]
    with tempfile.TemporaryDirectory() as folder:
        server = os.path.join(folder, "serve")
        model = os.path.join(folder, "m.hcbr")
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread",
                        "-I" + os.path.join(ROOT, "include"),
                        "-I" + os.path.join(os.environ["HCBR_BUILD"], "include"),
                        os.path.join(ROOT, "examples/serve.c"), "-o", server, LIBRARY,
                        "-Wl,-rpath," + os.path.dirname(LIBRARY)], check=True)
        subprocess.run([program, "train", VOTES, "-q", "-o", model], check=True)
        wanted = [json.loads(line) for line in subprocess.run(
            [program, "predict", model, VOTES, "-q", "--json"], check=True, capture_output=True,
            text=True).stdout.splitlines()]
        wanted = [{k: v for k, v in w.items() if k not in ("row", "given", "id")} for w in wanted]
        with open(VOTES, encoding="utf-8", newline="") as file:
            cases = [{k: v for k, v in row.items() if v and k != "class"}
                     for row in csv.DictReader(file)]
        run = subprocess.Popen([server, model, "0"], stdout=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/decide", run.stdout.readline()).group(1))
            answers(port, wanted, cases)
            refusals(port)
            with socket.socket() as other:  # another address of this machine
                check("loopback", other.connect_ex(("127.0.0.2", port)) != 0)
            check("alive", run.poll() is None, run.poll())
        finally:
            run.kill()
            run.wait()
    for problem in problems:
        print(problem)
    print(f"{len(cases)} cases, {len(problems)} problems")
    sys.exit(bool(problems))


main()
