#!/usr/bin/env bash
# The servers of `npm run test:servers`, from Debian or Ubuntu: Swift with its S3 API, and ClamAV's daemon.
set -euo pipefail
if command -v swift-proxy-server swift-account-server swift-container-server swift-object-server clamd >/dev/null; then exit 0; fi

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
export DEBIAN_FRONTEND=noninteractive
as_root apt-get update -qq
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  swift-proxy swift-account swift-container swift-object clamav-daemon >/dev/null
