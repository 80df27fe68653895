/** A run that is stopped, by a signal or for good, leaves no process and no file of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { eventually } from '../support/jobs/test-jobs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');

// The workers of a run stand on its directory by their environment, its servers by their command line.
async function listProcesses(below: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await read(pid, 'cmdline');
      // A zombie has no command line any more.
      return line !== '' && (line + (await read(pid, 'environ'))).includes(below) ? line.replaceAll('\0', ' ') : undefined;
    }),
  );
  return found.filter((line) => line !== undefined);
}

// A directory that is removed while it is listed ends the listing; whoever asks again sees what is left.
async function listFiles(directory: string): Promise<string[]> {
  try {
    return await readdir(directory, { recursive: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

test.skipIf(process.platform !== 'linux').each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('by %s', async (signal) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'cancelled-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const run = spawn(process.execPath, [vitest, 'run', 'test/jobs/crash.test.ts'], {
    cwd: root,
    env: { ...CHILD_ENV, TMPDIR: directory },
    stdio: 'ignore',
  });
  noteChild(run);
  // Until the server runs and a test has started a process.
  const hasChild = async () => (await listFiles(directory)).some((file) => /\/children\/\d+$/.test(file));
  await eventually(hasChild, 120_000);
  expect((await listProcesses(directory)).join('\n')).toMatch(/postgres -D/);

  run.kill(signal);
  await once(run, 'exit');

  await eventually(async () => (await listProcesses(directory)).length === 0, 30_000);
  await eventually(async () => (await readdir(directory)).length === 0, 30_000);
});
