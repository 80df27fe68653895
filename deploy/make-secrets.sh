#!/bin/sh
# Makes the secrets that docker-compose.yml hands to its services, in SECRETS_DIR (./secrets): random, unless a variable of
# the name in capitals has a value, as POSTGRES_PASSWORD. Those that are there stay as they are.
set -eu
cd "$(dirname "$0")/.."
umask 077
directory="${SECRETS_DIR:-./secrets}"
mkdir -p "$directory"
# The folder keeps everybody else of this machine out. The files are for all, since each is mounted alone into containers
# whose users have other numbers.
chmod 700 "$directory"

hex24() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
key32() { head -c 32 /dev/urandom | base64; }

keep() { # name, the value that was given, what makes one
  file="$directory/$1"
  if [ -d "$file" ]; then
    echo "$file is a folder, made by Docker where the file was missing: remove it (rmdir) and run this again" >&2
    exit 1
  fi
  if [ -e "$file" ]; then
    echo "kept $1"
    return
  fi
  value="${2:-$($3)}"
  printf '%s\n' "$value" >"$file.new"
  chmod 444 "$file.new"
  mv "$file.new" "$file"
  echo "made $1"
}
ring() { echo "k1:$(key32)"; }

keep postgres_password "${POSTGRES_PASSWORD:-}" hex24
keep svc_app_password "${SVC_APP_PASSWORD:-}" hex24
keep svc_worker_password "${SVC_WORKER_PASSWORD:-}" hex24
keep svc_admin_password "${SVC_ADMIN_PASSWORD:-}" hex24
keep redis_password "${REDIS_PASSWORD:-}" hex24
keep api_key_pepper "${API_KEY_PEPPER:-}" key32
keep data_keys "${DATA_KEYS:-}" ring
