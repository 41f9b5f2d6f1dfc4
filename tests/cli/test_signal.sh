# Stopped by the user: exit status 128 and the signal, quickly, and nothing half-written.
source "$(dirname "$0")/lib.sh"
write_colours
run train -q colours.csv -o colours.hcbr # the default model
exits 0
mkdir place

until_watching() { # PID: the program has said which signals it takes (bit 14 is SIGTERM)
    local tries=0 caught=0
    while [ $((0x$caught & 0x4000)) -eq 0 ] && [ $tries -lt 200 ]; do
        caught=$(awk '/^SigCgt/ { print $2 }' "/proc/$1/status" 2>/dev/null)
        caught=${caught:-0}
        tries=$((tries + 1))
        sleep 0.05
    done
}

stop_while_waiting() { # SIGNAL ARGUMENTS...: the program waits for a pipe that gives no more
    local signal=$1
    shift
    last="hcbr $* stopped by $signal"
    rm -f pipe
    mkfifo pipe
    # Job control off means background jobs ignore SIGINT, so the program is started with it reset.
    python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$hcbr" "$@" <pipe >stdout 2>stderr &
    local pid=$!
    exec 3>pipe
    printf 'label,colour\nyes,red\n' >&3
    until_watching "$pid"
    sleep 0.3 # it reads what there is, and waits
    kill "-$signal" "$pid"
    ( sleep 20; kill -KILL "$pid" ) 2>/dev/null &
    local guard=$!
    wait "$pid"
    code=$?
    kill "$guard" 2>/dev/null
    exec 3>&-
    exits $((128 + $(kill -l "$signal")))
    contains stderr "stopped by SIG$signal"
}

stop_while_waiting INT train - --format csv -o place/model
stop_while_waiting TERM train - --format csv -o place/model
stop_while_waiting INT predict -q colours.hcbr - --format csv -o place/answers
stop_while_waiting TERM predict -q colours.hcbr - --format csv
answers '1|yes|1/1|'
only_files place

# In the middle of the work the program says that it was cancelled.
awk 'BEGIN { print "label,x,y"
    for (i = 0; i < 1000000; i++) print i % 2 ",a" i % 97 ",b" i % 89 }' >large.csv
# interrupt AFTER WITHIN COMMAND...: after AFTER seconds; the program ends within WITHIN more. A run
# that ended by itself on a fast machine is made again and interrupted in half the time.
interrupt() {
    python3 - "$hcbr" "$@" <<'END'
import os, signal, subprocess, sys, time
after, within = map(float, sys.argv[2:4])
code = 0
while code == 0 and after > 0.05:
    for name in os.listdir("place"):
        os.remove(f"place/{name}")
    run = subprocess.Popen([sys.argv[1], *sys.argv[4:]], stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(after)
    run.send_signal(signal.SIGINT)
    try:
        words = run.communicate(timeout=within)[1].decode()
    except subprocess.TimeoutExpired:
        run.kill()
        sys.exit(f"not stopped after {within:g} seconds")
    code = run.returncode
    after /= 2
sys.exit(0 if code == 130 else f"exit status {code}: {words}")
END
    code=$?
    exits 0
    only_files place
}
last="train stopped while it reads"
interrupt 1 20 train --model plain large.csv --passes 1000000 -o place/model

# Likewise while a rich model is trained or evaluated, soon.
awk 'BEGIN { srand(1); print "label,x,y,z"
    for (i = 0; i < 8e5; i++) print int(2 * rand()) "," rand() "," rand() "," rand() }' >noise.csv
for command in "train -o place/model" "evaluate --predictions place/answers" \
    "tune -o place/tuned"; do
    last="rich $command stopped"
    # shellcheck disable=SC2086 # several words
    interrupt 1.5 3 $command --model rich --effort max noise.csv
done

# A long run says before it begins what it will take, where it is asked to say more.
head -n 2000 noise.csv >short.csv
run train --model rich --effort lite short.csv -v -o said.hcbr
exits 0
contains stderr "MB of memory; Ctrl-C stops"
run train --model rich --effort lite short.csv -o said.hcbr
exits 0
holds "a short run does not" bash -c '! grep -q Ctrl-C stderr'
