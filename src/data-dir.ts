/** Whether a process may write where it is to keep data, told before it serves: the first upload would find out else. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, ConfigError } from './config.ts';

/** A full disk refuses what is written, and all else goes on. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Throws a ConfigError that names DATA_DIR unless this process may write below it, where it has to. Leaves nothing there. */
export function refuseUnwritableData({ DATA_DIR, OBJECT_STORAGE, embedded }: Config): void {
  if (embedded) refuseUnwritable(path.resolve(DATA_DIR), 'the embedded database and its secrets are kept there');
  if (OBJECT_STORAGE === 'disk')
    refuseUnwritable(path.resolve(DATA_DIR, 'objects'), 'documents are kept there unless OBJECT_STORAGE=s3');
}

function refuseUnwritable(folder: string, why: string): void {
  let place = folder;
  while (!existsSync(place)) place = path.dirname(place);
  const probe = path.join(place, `.probe-${process.pid}`);
  try {
    writeFileSync(probe, '', { mode: 0o600 });
    rmSync(probe);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (!FULL.has(code)) throw new ConfigError([unwritable(folder, code, why)]);
    rmSync(probe, { force: true });
  }
}

function unwritable(folder: string, code: string, why: string): string {
  return `DATA_DIR: ${folder} cannot be written by this user (${code}); ${why}`;
}
