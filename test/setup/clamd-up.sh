#!/usr/bin/env bash
# ClamAV's daemon with two signatures, of the EICAR test file and of its text in any other:  clamd-up.sh DIR PORT
# Ends with servers-down.sh DIR.
set -euo pipefail
dir=$1 port=$2
mkdir -p "$dir/db"
echo '44d88612fea8a8f36de82e1278abb02f:68:Eicar-Test-Signature' >"$dir/db/test.hdb"
eicar=58354f2150254041505b345c505a58353428505e2937434329377d2445494341522d5354414e444152442d414e544956495255532d544553542d46494c452124482b482a
echo "Eicar-Test-Text:0:*:$eicar" >"$dir/db/test.ndb"
cat >"$dir/clamd.conf" <<E2
DatabaseDirectory $dir/db
TCPSocket $port
TCPAddr 127.0.0.1
LogFile $dir/clamd.log
Foreground yes
StreamMaxLength 12M
User $(id -un)
E2
clamd -c "$dir/clamd.conf" >"$dir/screen.txt" 2>&1 </dev/null &
echo $! >"$dir/pids"
for _ in $(seq 300); do
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then exit 0; fi
  sleep 0.1
done
cat "$dir/screen.txt" >&2
echo 'clamd did not start within 30 seconds' >&2
exit 1
