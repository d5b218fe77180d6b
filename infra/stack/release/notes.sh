#!/usr/bin/env bash
# Prints what CHANGELOG.md says of a version: notes.sh 0.2.0
set -euo pipefail
cd "$(dirname "$0")/../../.."
awk -v version="## $1" '$0 == version || index($0, version " ") == 1 { found = 1; next } /^## / { found = 0 } found' CHANGELOG.md
