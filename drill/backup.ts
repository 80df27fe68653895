/** Base backups and archived WAL by SQL and copies of files: what pg_basebackup does, where there is no such program. */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { copyDirectory, copyPassword, type DrillCluster, openCluster } from './cluster.ts';
import type { DrillKit } from './kit.ts';

/** The settings of a server whose WAL is kept in `directory`, with at most `seconds` of it not there yet. */
export async function archiveInto(directory: string, seconds: number): Promise<Record<string, string>> {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o777); // the server may run as another user
  return {
    archive_mode: 'on',
    archive_command: `test ! -f ${directory}/%f && cp %p ${directory}/%f.part && mv ${directory}/%f.part ${directory}/%f`,
    archive_timeout: `${seconds}`,
  };
}

/** Copies the data directory of a running server between pg_backup_start and pg_backup_stop. */
export async function takeBaseBackup(kit: DrillKit, cluster: DrillCluster, into: string): Promise<void> {
  kit.ran('psql -c "select pg_backup_start(\'base\', fast => true)"');
  kit.ran('cp -a <> <>');
  kit.ran('psql -c "select * from pg_backup_stop()"');
  const client = new pg.Client({ connectionString: cluster.superuserUrl });
  await client.connect(); // one session for both: the backup ends with it
  try {
    await client.query("select pg_backup_start('base', fast => true)");
    await copyDirectory(cluster.pgdata, into);
    const { rows } = await client.query<{ labelfile: string; spcmapfile: string }>('select * from pg_backup_stop()');
    await rm(path.join(into, 'postmaster.pid'), { force: true });
    await rm(path.join(into, 'pg_wal'), { recursive: true, force: true });
    await copyDirectory(path.join(cluster.pgdata, 'pg_wal', 'archive_status'), path.join(into, 'pg_wal', 'archive_status'));
    await writeFile(path.join(into, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** Puts a base backup into a server of its own, and replays the archive to its end or to a time. */
export async function restore(
  kit: DrillKit,
  from: DrillCluster,
  name: string,
  { base, archive, until }: { base: string; archive: string; until?: Date },
): Promise<DrillCluster> {
  const directory = path.join(kit.directory, name);
  await copyDirectory(base, path.join(directory, 'pgdata'));
  await copyPassword(from.directory, directory);
  const pgdata = path.join(directory, 'pgdata');
  const target = until
    ? `recovery_target_time = '${until.toISOString().replace('T', ' ').replace('Z', '+00')}'\nrecovery_target_action = 'promote'\n`
    : '';
  const lines = `restore_command = 'cp ${archive}/%f %p'\n${target}`;
  await writeFile(path.join(pgdata, 'postgresql.auto.conf'), lines, { flag: 'a' });
  await writeFile(path.join(pgdata, 'recovery.signal'), '');
  await takeOwner(pgdata);
  const restored = await openCluster(directory, {}, from.logins);
  kit.onEnd(() => restored.stop());
  await kit.until('the server is up to the end of its recovery', async () => {
    const [row] = await restored.query<{ replaying: boolean }>('select pg_is_in_recovery() as replaying');
    return row?.replaying === false;
  });
  return restored;
}

/** Files that this process has written belong to the server's user. */
async function takeOwner(pgdata: string): Promise<void> {
  const { stat, chown } = await import('node:fs/promises');
  const { uid, gid } = await stat(path.join(pgdata, 'PG_VERSION'));
  for (const file of ['recovery.signal', 'backup_label', 'postgresql.auto.conf', 'pg_wal', 'pg_wal/archive_status']) {
    await chown(path.join(pgdata, file), uid, gid).catch(() => undefined);
  }
}
