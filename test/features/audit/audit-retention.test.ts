/** What the audit log forgets, what stays of it, and that nothing else goes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { newTenantWithEmptyLog } from '../../support/app/empty-log.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { tamper } from '../../support/money/ledger-books.ts';
import { byKey, chainOf, idsOf, keep, plantOld, sealOnce, verifyLog, writeEntries, writeEntry } from './audit-books.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp({ AUDIT_RETENTION_DAYS: '365', AUDIT_IP_DAYS: '30' });
});
beforeEach(async () => {
  tenant = await newTenantWithEmptyLog(app);
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
});
afterAll(() => app.close());

const verify = (query = '') => verifyLog(app, tenant.liveKey, query);
const kinds = async (query = ''): Promise<string[]> => (await verify(query)).faults.map((fault) => fault.kind).toSorted();
const mine = () => `tenant_id = '${scope.tenantId}'`;

/** Blocks of so many entries, of so many days ago. */
async function plantBlocks(...blocks: [count: number, days: number][]): Promise<void> {
  for (const [count, days] of blocks) {
    await plantOld(app, scope, count, days);
    expect(await sealOnce(app, scope)).toBe(count);
  }
}

describe('what is older than the deployment keeps', () => {
  test('goes in whole blocks from the beginning, and leaves a head from which the verification goes on', async () => {
    await plantBlocks([3, 500], [2, 400], [2, 100]);
    const before = await chainOf(app, scope);
    await keep(app, scope);
    expect(await idsOf(app, scope)).toHaveLength(2);
    expect(await verify()).toMatchObject({
      ok: true,
      blocks: 1,
      entries: 2,
      head: { seq: 3, hash: before[2]?.hash.toString('hex') },
      dropped: { seq: 2, hash: before[1]?.hash.toString('hex'), entries: 5, until: expect.any(String) },
    });
    const rows = await app.database.asSuperuser(`select entry_id from audit_block_entry where ${mine()}`);
    expect(rows).toHaveLength(2);
    await writeEntries(app, scope, 1);
    await sealOnce(app, scope);
    expect(await verify()).toMatchObject({ ok: true, blocks: 2, entries: 3, head: { seq: 4 }, dropped: { seq: 2 } });
  });

  test('stays while a younger entry is in its block, or before it', async () => {
    await plantOld(app, scope, 1, 500);
    await plantOld(app, scope, 1, 10);
    await sealOnce(app, scope);
    await plantBlocks([2, 400]);
    await keep(app, scope);
    expect(await verify()).toMatchObject({ ok: true, blocks: 2, entries: 4, dropped: null });
  });

  test('stays while it is not sealed, and goes with its block later', async () => {
    await plantOld(app, scope, 2, 500);
    await app.runSweep('keep-audit-log', scope);
    expect(await verify()).toMatchObject({ ok: true, entries: 2, unsealed: 2 });
    await sealOnce(app, scope);
    await keep(app, scope);
    expect(await verify()).toMatchObject({ ok: true, blocks: 0, entries: 0, head: null, dropped: { seq: 1, entries: 2 } });
    await writeEntries(app, scope, 1);
    await sealOnce(app, scope);
    expect(await verify()).toMatchObject({ ok: true, blocks: 1, head: { seq: 2 }, dropped: { seq: 1 } });
  });

  test('goes in several steps, each counted', async () => {
    await plantBlocks(...Array.from({ length: 12 }, (_, n): [number, number] => [1, 500 - n]));
    await plantBlocks([2, 100]);
    await keep(app, scope);
    expect(await verify()).toMatchObject({ ok: true, blocks: 1, entries: 2, dropped: { seq: 12, entries: 12 } });
  });

  test('stays, with another tenant and environment, where only one is old', async () => {
    const sandbox: Scope = { tenantId: scope.tenantId, environment: 'SANDBOX' };
    await plantBlocks([2, 500]);
    await plantOld(app, sandbox, 2, 500);
    await sealOnce(app, sandbox);
    await keep(app, scope);
    expect([(await idsOf(app, scope)).length, (await idsOf(app, sandbox)).length]).toEqual([0, 2]);
    expect(await verifyLog(app, tenant.sandboxKey)).toMatchObject({ ok: true, entries: 2, dropped: null });
  });

  test('stays when it does not verify: it is told of and not washed away', async () => {
    await plantBlocks([2, 500], [1, 400]);
    const [id] = await idsOf(app, scope);
    await tamper(app, `update audit_log set action = 'thing.other' where id = '${id}'`);
    await keep(app, scope);
    expect(await idsOf(app, scope)).toHaveLength(3);
    expect(await kinds()).toEqual(['ENTRY_ALTERED']);
    const told = app.logLines.filter((line) => JSON.stringify(line).includes(scope.tenantId));
    expect(JSON.stringify(told)).toContain('audit blocks that do not verify are not dropped');
  });

  test('is looked for once a day, and by one at a time', async () => {
    await plantBlocks([1, 500], [1, 10]);
    await app.runSweep('keep-audit-log', scope);
    expect(await idsOf(app, scope)).toHaveLength(2);
    await Promise.all([keep(app, scope), keep(app, scope), keep(app, scope)]);
    await keep(app, scope);
    expect(await verify()).toMatchObject({ ok: true, dropped: { seq: 1, entries: 1 } });
    const [head] = await app.database.asSuperuser<{ later: boolean }>(
      `select look_at > now() + interval '23 hours' as later from audit_head where ${mine()}`,
    );
    expect(head?.later).toBe(true);
  });
});

test('without a retention everything stays', async () => {
  const forever = await startTestApp({ AUDIT_IP_DAYS: '36500' });
  try {
    await plantBlocks([2, 5_000]);
    await keep(forever, scope);
    expect(await verify()).toMatchObject({ ok: true, entries: 2, dropped: null });
  } finally {
    await forever.close();
  }
});

test('a retention of less than 30 days is refused', async () => {
  await expect(startTestApp({ AUDIT_RETENTION_DAYS: '29' })).rejects.toThrow('AUDIT_RETENTION_DAYS: must be 0 or at least 30');
});

describe('a head that was tampered with is found:', () => {
  const flip = (bytes: string): string => `set_byte(${bytes}, 31, get_byte(${bytes}, 31) # 1)`;

  test.each([
    ['its hash', `hash = ${flip('hash')}`, ['CHAIN_BROKEN', 'HEAD_FORGED']],
    ['its count', 'entry_count = entry_count - 1', ['HEAD_FORGED']],
    ['its time', "newest_at = newest_at + interval '1 microsecond'", ['HEAD_FORGED']],
    ['its signature', `signature = ${flip('signature')}`, ['HEAD_FORGED']],
    ['its block', 'seq = 3', ['CHAIN_BROKEN', 'CHAIN_BROKEN', 'CHAIN_BROKEN', 'HEAD_FORGED']],
    ['all of it taken away', 'seq = 0, hash = null, entry_count = 0, newest_at = null, signature = null', ['CHAIN_BROKEN']],
  ])('%s', async (_what, change, faults) => {
    await plantBlocks([3, 500], [2, 400], [2, 100], [1, 90]);
    await keep(app, scope);
    expect(await kinds()).toEqual([]);
    await tamper(app, `update audit_head set ${change} where ${mine()}`);
    expect(await kinds()).toEqual(faults);
  });

  test('put back to an earlier one, or taken from another tenant', async () => {
    await plantBlocks([1, 500]);
    await keep(app, scope);
    const [early] = await app.database.asSuperuser<{ row: string }>(
      `select to_jsonb(h)::text as row from audit_head h where ${mine()}`,
    );
    await plantBlocks([1, 400], [1, 100]);
    await keep(app, scope);
    const put = (row = '', tenantId = scope.tenantId) =>
      tamper(
        app,
        `update audit_head h set seq = e.seq, hash = e.hash, entry_count = e.entry_count, newest_at = e.newest_at, signature = e.signature
         from jsonb_populate_record(null::audit_head, '${row}') e where h.tenant_id = '${tenantId}' and h.environment = 'LIVE'`,
      );
    await put(early?.row);
    expect(await kinds()).toEqual(['CHAIN_BROKEN']);
    const other = await newTenantWithEmptyLog(app);
    const theirs: Scope = { tenantId: other.tenantId, environment: 'LIVE' };
    await plantOld(app, theirs, 1, 100);
    await sealOnce(app, theirs);
    await put(early?.row, other.tenantId);
    expect((await verifyLog(app, other.liveKey)).faults.map((fault) => fault.kind).toSorted()).toContain('HEAD_FORGED');
  });

  test('of a deployment with another pepper', async () => {
    await plantBlocks([1, 500], [1, 100]);
    await keep(app, scope);
    const hash = (await verify()).dropped?.hash;
    expect(await kinds(`?auditFromSeq=1&auditExpectedHash=${hash}`)).toEqual([]);
    expect(await kinds(`?auditFromSeq=1&auditExpectedHash=${'ab'.repeat(32)}`)).toEqual(['CHAIN_BROKEN']);
    const { createHeadSigner } = await import('../../../src/features/audit/audit-head.ts');
    const { verifyAuditLog } = await import('../../../src/features/audit/verify-audit-log.ts');
    const { faults } = await app.composition.frames.read(scope, (db) =>
      verifyAuditLog(db, scope, createHeadSigner(Buffer.alloc(32, 7))),
    );
    expect(faults.map((fault) => fault.kind)).toEqual(['HEAD_FORGED']);
  });
});

describe('an address', () => {
  const ipsOf = async (): Promise<unknown[]> =>
    (await apiClient(app, tenant.liveKey).get('/api/v1/admin/audit-logs')).body.data.map((row: { ip: string | null }) => row.ip);

  test('is shown while it is kept, and forgotten before its entry', async () => {
    await plantOld(app, scope, 2, 31);
    await plantOld(app, scope, 1, 29);
    await writeEntry(app, scope, { by: byKey('192.0.2.9') });
    await writeEntry(app, scope, { by: byKey(null) });
    await sealOnce(app, scope);
    expect(await ipsOf()).toEqual([null, '192.0.2.9', '192.0.2.1', '192.0.2.1', '192.0.2.1']);
    await keep(app, scope);
    expect(await ipsOf()).toEqual([null, '192.0.2.9', '192.0.2.1', null, null]);
    expect(await verify()).toMatchObject({ ok: true, entries: 5, dropped: null });
  });

  test('is that of the caller', async () => {
    await apiClient(app, tenant.liveKey).post('/api/v1/admin/api-keys', { name: 'one', scopes: ['members:read'] });
    expect(await ipsOf()).toEqual([expect.stringMatching(/127\.0\.0\.1|::1/)]);
  });

  test('of a member is exported with its data, and goes with an erasure; those of others stay', async () => {
    const client = apiClient(app, tenant.liveKey);
    const [member, another] = [await client.newMember(), await client.newMember()];
    const of = (id: string, ip: string) => ({ ...byKey(ip), actor: { kind: 'member' as const, id } });
    await writeEntry(app, scope, { action: 'thing.mine', by: of(member.id, '192.0.2.10') });
    await writeEntry(app, scope, { action: 'thing.theirs', by: of(another.id, '192.0.2.11') });
    await writeEntry(app, scope, { action: 'thing.keys', by: byKey('192.0.2.12'), objectKind: 'member', objectId: member.id });
    const { body } = await client.get(`/api/v1/members/${member.id}/data-export`);
    expect(body.auditAddresses).toEqual([
      { entryId: expect.any(String), action: 'thing.mine', ip: '192.0.2.10', createdAt: expect.any(String) },
    ]);
    expect(body.auditEntries).toMatchObject([
      { action: 'thing.keys', operationId: 'changeThing' },
      { action: 'member_data.exported', operationId: 'exportMemberData' },
    ]);
    await sealOnce(app, scope);
    expect((await client.post(`/api/v1/members/${member.id}/erasure`, {})).status).toBe(200);
    const ips = await ipsOf();
    expect(ips).not.toContain('192.0.2.10');
    expect(ips).toEqual(expect.arrayContaining(['192.0.2.11', '192.0.2.12']));
    expect(await verify()).toMatchObject({ ok: true });
  });
});
