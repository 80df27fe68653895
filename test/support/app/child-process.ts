/** Processes that tests start: what they inherit, and that they do not outlive a run that is killed. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';

/** A run of any tests with PURCHASE_COALESCING=always or =off: purchases that are recorded together give the same as each alone. */
export const RUN_ENV =
  process.env['PURCHASE_COALESCING'] === undefined ? {} : { PURCHASE_COALESCING: process.env['PURCHASE_COALESCING'] };

/** Little, so that a test says itself what its process is set to. Compiled code of one is there for the next. */
export const CHILD_ENV = {
  ...RUN_ENV,
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

/** Tells the run's watchdog of a process that goes on until it is stopped. */
export function noteChild(child: ChildProcess): void {
  const folder = path.join(inject('cluster').directory, 'children');
  const file = path.join(folder, String(child.pid));
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, '');
  child.once('exit', () => rmSync(file, { force: true }));
}
