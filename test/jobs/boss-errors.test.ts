/** What pg-boss reports is readable in the log: it emits plain objects as often as errors. */
import { expect, test } from 'vitest';
import type { Frames } from '../../src/db/frame.ts';
import { createLogger } from '../../src/http/request-log.ts';
import { createBoss } from '../../src/jobs/boss.ts';

function logged(emitted: unknown): Record<string, unknown> | undefined {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  createBoss({} as Frames, logger).emit('error', emitted as Error);
  return lines[0];
}

test('an error that became a plain object keeps its message, code and queue', () => {
  // As manager.js of pg-boss emits it.
  const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  const line = logged({ code: error.code, message: error.message, stack: error.stack, queue: 'run-import', worker: 'w' });
  expect(line).toMatchObject({
    level: 'warn',
    queue: 'run-import',
    err: { message: 'connect ECONNREFUSED 127.0.0.1:5432', code: 'ECONNREFUSED', stack: expect.stringContaining('boss-errors') },
  });
});

test('an error stays as it is', () => {
  expect(logged(new TypeError('no'))).toMatchObject({ err: { type: 'TypeError', message: 'no' } });
});

test('an object without a message is told by its fields, never by their values', () => {
  const line = logged({ secretive: 'alice@shop.example' });
  expect(line).toMatchObject({ err: { message: 'no error, but an object with the fields secretive' } });
  expect(JSON.stringify(line)).not.toContain('alice');
});
