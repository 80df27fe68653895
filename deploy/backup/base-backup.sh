#!/bin/sh
# A base backup of the Compose deployment's database, into the folder that is given. Not run by the drills, which have no
# pg_basebackup and do the same by SQL (docs/coming-back.md). For point-in-time recovery give the server these settings:
#   archive_mode=on
#   archive_command=test ! -f /backup/wal/%f && cp %p /backup/wal/%f.part && mv /backup/wal/%f.part /backup/wal/%f
#   archive_timeout=60
set -eu
into="${1:?where to: base-backup.sh FOLDER}"
name="base-$(date -u +%Y%m%dT%H%M%SZ)"
mkdir -p "$into"
docker compose exec -T postgres pg_basebackup --username=postgres --pgdata=- --format=tar --wal-method=fetch --checkpoint=fast \
  > "$into/$name.tar.part"
mv "$into/$name.tar.part" "$into/$name.tar"
echo "$into/$name.tar"
