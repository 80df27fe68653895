/** A line of level `error` calls an operator: nothing that a tenant can cause may write one (docs/operations.md#log-levels). */
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { levelOf } from '../../../src/log-level.ts';
import { readSources } from './source-files.ts';

/** What an operator does about each. */
const CALLS: Readonly<Record<string, string>> = {
  'src/db/lost-statements.ts': 'takes the pooler away, or sets it',
  'src/features/audit/check-audit-log.ts': 'looks who has changed the audit log',
  'src/features/audit/keep-audit-log.ts': 'looks who has changed the audit log',
  'src/features/ledger/check-ledger.ts': 'looks why the books do not add up',
  'src/features/payouts/reconcile/freeze.ts': 'reconciles the payouts with what was paid',
  'src/features/webhooks/log/outbox.ts': 'reports a fault of the program',
  'src/features/webhooks/sending/send-loop.ts': 'looks why the database or the data keys fail the senders',
  'src/http/error-handler.ts': 'reports a fault of the program',
  'src/http/request-log.ts': 'reports a fault of the program',
  'src/jobs/dispatch.ts': 'looks why the queues cannot be read',
  'src/jobs/loop.ts': 'looks why the database cannot be asked',
  'src/jobs/schedule.ts': 'reports a fault of the program',
  'src/metrics/examine-regularly.ts': 'looks why the books do not add up',
  'src/metrics/metrics-server.ts': 'reports a fault of the program',
  'src/metrics/metrics.ts': 'reports a fault of the program',
  'src/run-process.ts': 'looks what hangs: the database, or a vendor',
  'src/vendors/payments/map-error.ts': 'reports a fault of the program: a key of ours was used twice',
};

test('each file that writes one is known with what an operator does about it; others go by levelOf', () => {
  const writing = readSources()
    .filter(({ text }) => /\blogger\??\.(?:error|fatal)\(/.test(text))
    .map(({ name }) => name);
  expect(
    writing,
    'If a tenant can cause it, use logger.warn, or logger[levelOf(error)] where it depends; else add the file with what to do.',
  ).toEqual(Object.keys(CALLS).toSorted());
});

describe('the level of a failure', () => {
  test.each(['PROVIDER_CONFIGURATION', 'PROVIDER_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'VALIDATION_ERROR'] as const)(
    '%s is warn',
    (code) => {
      expect(levelOf(new AppError(code, 'as foreseen'))).toBe('warn');
    },
  );

  test('a fault of the program is error', () => {
    expect(levelOf(new AppError('INTERNAL_ERROR', 'unforeseen'))).toBe('error');
    expect(levelOf(new TypeError('undefined is not a function'))).toBe('error');
    expect(levelOf(Object.assign(new Error('syntax error'), { code: '42601' }))).toBe('error');
  });
});
