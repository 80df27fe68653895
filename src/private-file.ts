/** Small JSON files that only their owner may read: generated secrets and logins. */
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The content of `file`, made by `make` (mode 0600) when there is none. The file appears whole or
 * not at all, and of several processes that make it at once the first wins.
 */
export function readOrCreatePrivateJson(file: string, make: () => unknown): unknown {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    const draft = writeDraft(file, make());
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Replaces the content of `file`; a reader sees the old or the new. The caller keeps other writers away. */
export function replacePrivateJson(file: string, content: unknown): void {
  renameSync(writeDraft(file, content), file);
}

function writeDraft(file: string, content: unknown): string {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  return draft;
}
