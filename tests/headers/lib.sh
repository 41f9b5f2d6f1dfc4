# Sourced by the scripts of this folder: where things are, and a place to work that goes away.
set -euo pipefail
source_dir=${HCBR_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
# Below the build, so that a cache of compilations knows copies of the tree (tools/test).
work=$(mktemp -d ${HCBR_BUILD:+-p "$HCBR_BUILD"})
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# copy_source DIR: the tree without what is built. Other tests may write beside it meanwhile, which
# tar says with 1.
copy_source() {
    (
        cd "$source_dir" || exit
        tar cf - --warning=no-file-changed --exclude=./build --exclude=./.git . || [ $? -eq 1 ]
    ) | tar xf - -C "$1"
}
