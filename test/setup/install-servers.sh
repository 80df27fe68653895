#!/usr/bin/env bash
# What `npm run test:servers` and `npm run test:chaos` need besides npm's packages, from Debian or Ubuntu: Swift with its S3
# API, ClamAV's daemon, Redis, PgBouncer, Caddy and Prometheus' promtool.
set -euo pipefail
needed=(swift-proxy-server swift-account-server swift-container-server swift-object-server clamd redis-server pgbouncer caddy promtool)
if command -v "${needed[@]}" >/dev/null && [ "$(command -v "${needed[@]}" | wc -l)" = "${#needed[@]}" ]; then exit 0; fi

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
# The tests start their own servers: none is to be started by its package.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
  as_root chmod 755 "$policy"
  trap 'as_root rm -f "$policy"' EXIT
fi
as_root apt-get update -qq
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  swift-proxy swift-account swift-container swift-object clamav-daemon redis-server pgbouncer caddy prometheus >/dev/null
