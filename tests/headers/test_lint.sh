# clang-tidy has nothing to say (tools/lint, .clang-tidy).
. "$(dirname "$0")/lib.sh"
"$source_dir/tools/lint" || fail "clang-tidy"
