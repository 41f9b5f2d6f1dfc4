# clang-tidy has nothing to say (tools/lint, .clang-tidy). Its analyzer of paths, which takes most
# of the time, runs in `make lint` and in the long tests.
. "$(dirname "$0")/lib.sh"
[ -n "${HCBR_LONG:-}" ] || export HCBR_LINT_NODES=0
"$source_dir/tools/lint" || fail "clang-tidy"
