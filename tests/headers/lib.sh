# Sourced by the scripts of this folder: where things are, and a place to work that goes away.
set -euo pipefail
source_dir=${HCBR_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}
