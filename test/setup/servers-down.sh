#!/usr/bin/env bash
# Ends what swift-up.sh or clamd-up.sh has started:  servers-down.sh DIR
set -euo pipefail
while read -r pid; do kill "$pid" 2>/dev/null || true; done <"$1/pids"
