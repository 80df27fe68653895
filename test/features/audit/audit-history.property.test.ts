/** Random histories of an audit log: whole whatever happens, and one change anywhere in what is sealed is found. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { newTenantWithEmptyLog } from '../../support/app/empty-log.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { tamper } from '../../support/money/ledger-books.ts';
import { idsOf, keep, plantOld, sealOnce, verifyLog, writeEntries } from './audit-books.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ AUDIT_RETENTION_DAYS: '365' });
});
afterAll(() => app.close());

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('age' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('seal' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('keep' as const) }) },
);

/** By the place of a row among those that are sealed, as a share of them. */
const crime = fc.record({
  where: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  what: fc.constantFrom('change', 'remove', 'remove with its place', 'remove its block', 'reorder'),
});

const CRIMES: Record<string, (of: string, id: string) => string> = {
  change: (of, id) => `update audit_log set request_id = coalesce(request_id, '') || 'x' where ${of} and id = '${id}'`,
  remove: (of, id) => `delete from audit_log where ${of} and id = '${id}'`,
  'remove with its place': (of, id) =>
    `delete from audit_log where ${of} and id = '${id}'; delete from audit_block_entry where ${of} and entry_id = '${id}'`,
  'remove its block': (of, id) =>
    `delete from audit_block where ${of} and seq = (select block_seq from audit_block_entry where ${of} and entry_id = '${id}')`,
  reorder: (of, id) => `update audit_block_entry set position = position + 100 where ${of} and entry_id = '${id}'`,
};

test('a history is whole, and a crime is found', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), crime, async (steps, { where, what }) => {
      const tenant = await newTenantWithEmptyLog(app);
      const scope: Scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
      let written = 0;
      for (const one of [...steps, { do: 'write' as const, count: 1 }, { do: 'seal' as const }]) {
        if (one.do === 'write') await writeEntries(app, scope, one.count);
        if (one.do === 'age') await plantOld(app, scope, one.count, 400);
        if (one.do === 'seal') await sealOnce(app, scope);
        if (one.do === 'keep') await keep(app, scope);
        written += 'count' in one ? one.count : 0;
        const found = await verifyLog(app, tenant.liveKey);
        expect(found.faults).toEqual([]);
        expect(found.entries + (found.dropped?.entries ?? 0)).toBe(written);
      }
      const ids = await idsOf(app, scope);
      const id = ids[Math.floor(where * ids.length)] ?? '';
      await tamper(app, (CRIMES[what] as (of: string, id: string) => string)(`tenant_id = '${scope.tenantId}'`, id));
      expect((await verifyLog(app, tenant.liveKey)).faults, `${what} ${id}`).not.toEqual([]);
    }),
    { numRuns: 25, seed: 20_261_130 },
  );
});
