/** The end of a process that does not wait for the engine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CHILD_ENV } from '../support/app/child-process.ts';

const MODULE = path.resolve('src/exit-process.ts');

/** Compiles functions on other threads all the while, and ends when it has begun to. */
const BUSY = `
  import { exitProcess } from ${JSON.stringify(MODULE)};
  const kept = [];
  for (let n = 0; n < 200; n++) {
    const sum = new Function('list', 'let all = ' + n + '; for (const one of list) all += one * ' + n + '; return { all };');
    for (let turn = 0; turn < 300; turn++) kept.push(sum([turn, n, turn + n]));
  }
  setInterval(() => {}, 1_000);
  process.exitCode = kept.length === 60_000 ? 7 : 1;
  await exitProcess();`;

test('a process that compiles and has timers ends with its code', async () => {
  const child = spawn('node', ['--max-semi-space-size=1', '--input-type=module', '--eval', BUSY], {
    env: CHILD_ENV,
    stdio: 'inherit',
  });
  expect(await once(child, 'exit')).toEqual([7, null]);
});
