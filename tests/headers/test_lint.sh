# clang-tidy has nothing to say (tools/lint, .clang-tidy). Its analyzer goes less deep here than in
# `make lint` and in the long tests.
. "$(dirname "$0")/lib.sh"
[ -n "${HCBR_LONG:-}" ] || export HCBR_LINT_NODES=20000
"$source_dir/tools/lint" || fail "clang-tidy"
