#!/usr/bin/env bash
# A throw-away OpenStack Swift of one node with its S3 API, which checks every signature.
#   swift-up.sh DIR PROXY_PORT ACCOUNT_PORT CONTAINER_PORT OBJECT_PORT
# User test:tester, key testing, region us-east-1, path style. Ends with servers-down.sh DIR.
set -euo pipefail
dir=$1 proxy_port=$2 account_port=$3 container_port=$4 object_port=$5
mkdir -p "$dir/etc" "$dir/node/sdb1" "$dir/log"
cd "$dir/etc"
user=$(id -un)

cat >swift.conf <<E2
[swift-hash]
swift_hash_path_suffix = testsuffix
swift_hash_path_prefix = testprefix
[storage-policy:0]
name = default
default = yes
E2

for server in "account $account_port" "container $container_port" "object $object_port"; do
  read -r name port <<<"$server"
  swift-ring-builder "$name.builder" create 4 1 1 >/dev/null
  swift-ring-builder "$name.builder" add "r1z1-127.0.0.1:$port/sdb1" 1 >/dev/null
  swift-ring-builder "$name.builder" rebalance >/dev/null
  cat >"$name-server.conf" <<E2
[DEFAULT]
devices = $dir/node
mount_check = false
disable_fallocate = true
bind_ip = 127.0.0.1
bind_port = $port
workers = 0
user = $user
swift_dir = $dir/etc
log_level = WARNING
[pipeline:main]
pipeline = $name-server
[app:$name-server]
use = egg:swift#$name
E2
done

cat >proxy-server.conf <<E2
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $proxy_port
workers = 0
user = $user
swift_dir = $dir/etc
[pipeline:main]
pipeline = catch_errors gatekeeper cache s3api tempauth bulk slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
# Nobody listens there: nothing is cached.
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
s3_acl = no
location = us-east-1
allow_no_owner = true
check_bucket_owner = no
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
E2

export SWIFT_DIR=$dir/etc
for name in account container object proxy; do
  SWIFT_CONF_DIR=$dir/etc "swift-$name-server" "$dir/etc/$name-server.conf" >"$dir/log/$name.log" 2>&1 </dev/null &
  echo $! >>"$dir/pids"
done

for _ in $(seq 300); do
  if curl -s -o /dev/null "http://127.0.0.1:$proxy_port/info"; then exit 0; fi
  sleep 0.1
done
tail -n 20 "$dir"/log/*.log >&2
echo 'Swift did not start within 30 seconds' >&2
exit 1
