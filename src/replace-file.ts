/** Writing a file that somebody may read at any time. */
import { rename, rm, writeFile } from 'node:fs/promises';

/** A reader sees the former text or the new one, never a part; anybody may read it. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(beside, text, { mode: 0o644 });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
