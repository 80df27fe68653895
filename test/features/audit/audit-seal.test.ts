/** Sealing the audit log: every entry in exactly one block, hashed as the paper says, nobody kept waiting. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { sealAuditLog } from '../../../src/features/audit/seal-audit-log.ts';
import { newTenantWithEmptyLog } from '../../support/app/empty-log.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { chainOf, plantOld, sealOnce, verifyLog, writeEntries, writeEntry } from './audit-books.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '12' });
});
beforeEach(async () => {
  tenant = await newTenantWithEmptyLog(app);
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
});
afterAll(() => app.close());

/** Each follows the one before, from 1 and from zeros, and has the hash that is computed here. */
async function expectChain(of = scope): Promise<number[]> {
  const chain = await chainOf(app, of);
  for (const [index, block] of chain.entries()) {
    expect(Number(block.seq)).toBe(index + 1);
    expect(block.prev_hash).toEqual(chain[index - 1]?.hash ?? Buffer.alloc(32));
    expect(block.hash).toEqual(block.computed);
  }
  return chain.map((block) => block.entry_count);
}

test('blocks have the hashes of the paper, whatever an entry is made of', async () => {
  await writeEntry(app, scope, { details: { z: 1, a: 'ä "quoted" \\ \u2028 ☃', list: [1.5, null, { deep: true }] } });
  await writeEntry(app, scope, { objectKind: null, objectId: null, details: {} });
  expect(await sealOnce(app, scope)).toBe(2);
  await plantOld(app, scope, 3, 400);
  expect(await sealOnce(app, scope)).toBe(3);
  expect(await expectChain()).toEqual([2, 3]);
  expect(await sealOnce(app, scope)).toBe(0);
});

test('an address is no part of what is sealed', async () => {
  const ip = '192.0.2.200';
  await writeEntry(app, scope, {
    by: { actor: { kind: 'member', id: null }, operationId: 'doIt', requestId: null, ip },
  });
  await sealOnce(app, scope);
  const [row] = await app.database.asSuperuser<{ row: string }>(
    'select to_jsonb(a)::text as row from audit_log a where tenant_id = $1',
    [scope.tenantId],
  );
  expect(row?.row).not.toContain(ip);
  await app.database.asSuperuser('delete from audit_origin where tenant_id = $1', [scope.tenantId]);
  expect(await verifyLog(app, tenant.liveKey)).toMatchObject({ ok: true, entries: 1, unsealed: 0 });
});

test('a block holds a thousand entries', async () => {
  await plantOld(app, scope, 1_001, 1);
  expect([await sealOnce(app, scope), await sealOnce(app, scope), await sealOnce(app, scope)]).toEqual([1_000, 1, 0]);
  expect(await expectChain()).toEqual([1_000, 1]);
});

test('each tenant and environment has a chain of its own', async () => {
  const sandbox: Scope = { tenantId: scope.tenantId, environment: 'SANDBOX' };
  const other: Scope = { tenantId: (await newTenantWithEmptyLog(app)).tenantId, environment: 'LIVE' };
  for (const of of [scope, sandbox, other]) await writeEntries(app, of, 2);
  expect(await sealOnce(app, scope)).toBe(2);
  expect([await chainOf(app, sandbox), await chainOf(app, other)]).toEqual([[], []]);
  expect([await sealOnce(app, sandbox), await sealOnce(app, other)]).toEqual([2, 2]);
  for (const of of [scope, sandbox, other]) expect(await expectChain(of)).toEqual([2]);
});

test('two sealers at once: one seals, the other says 0 at once; a sealing rolled back leaves everything waiting', async () => {
  await writeEntries(app, scope, 3);
  const { frames } = app.composition;
  let second: number | undefined;
  const failing = frames.write(scope, async (db) => {
    expect(await sealAuditLog(db, scope)).toBe(3);
    second = await sealOnce(app, scope);
    throw new Error('planted');
  });
  await expect(failing).rejects.toThrow('planted');
  expect(second).toBe(0);
  expect(await sealOnce(app, scope)).toBe(3);
  expect(await expectChain()).toEqual([3]);
});

test('an entry that commits after later ones were sealed is sealed after them', async () => {
  await app.composition.frames.write(scope, async (db) => {
    await db.rows({
      text: `insert into audit_log (tenant_id, environment, action, actor_kind) values ($1, 'LIVE', 'thing.late', 'system')`,
      values: [scope.tenantId],
    });
    await writeEntries(app, scope, 2);
    expect(await sealOnce(app, scope)).toBe(2);
  });
  expect(await sealOnce(app, scope)).toBe(1);
  expect(await expectChain()).toEqual([2, 1]);
  expect(await verifyLog(app, tenant.liveKey)).toMatchObject({ ok: true, blocks: 2, entries: 3, unsealed: 0 });
});

test('many writers and many sealers: every entry in exactly one block', async () => {
  let writing = true;
  const isWriting = (): boolean => writing;
  const sealer = async (): Promise<void> => {
    while (isWriting()) await sealOnce(app, scope);
  };
  const sealers = Array.from({ length: 3 }, sealer);
  await Promise.all(Array.from({ length: 6 }, () => writeEntries(app, scope, 20)));
  writing = false;
  await Promise.all(sealers);
  await sealOnce(app, scope);
  expect((await expectChain()).reduce((a, b) => a + b)).toBe(120);
  expect(await verifyLog(app, tenant.liveKey)).toMatchObject({ ok: true, entries: 120, unsealed: 0 });
});

test('the sweep seals what waits and asks for a check once a day', async () => {
  await writeEntries(app, scope, 2);
  await app.runSweep('seal-audit-log', scope);
  await writeEntries(app, scope, 1);
  await app.runSweep('seal-audit-log', scope);
  expect(await expectChain()).toEqual([2, 1]);
  const checks = await app.database.asSuperuser(
    `select id from pgboss.job where name = 'check-audit-log' and data ->> 'tenantId' = $1`,
    [scope.tenantId],
  );
  // Two where midnight lies between the two blocks.
  expect([1, 2]).toContain(checks.length);
});

test('the service can neither change nor unseal what is sealed, nor forge a head', async () => {
  await writeEntries(app, scope, 1);
  await sealOnce(app, scope);
  for (const text of [
    "update audit_log set action = 'other.thing'",
    'delete from audit_log',
    'update audit_block set entry_count = 2',
    'delete from audit_block',
    'delete from audit_block_entry',
    'delete from audit_head',
    'update audit_head set seq = 1',
    `insert into audit_head (tenant_id, environment, look_at, seq) values ('${scope.tenantId}', 'LIVE', now(), 3)`,
    `select drop_audit_blocks(1, decode(repeat('00', 32), 'hex'))`,
    `select drop_audit_blocks(9, decode(repeat('00', 32), 'hex'))`,
  ]) {
    await expect(
      app.composition.frames.write(scope, (db) => db.rows({ text, values: [] })),
      text,
    ).rejects.toThrow(/permission denied|append-only|not to be dropped/);
  }
  expect(await verifyLog(app, tenant.liveKey)).toMatchObject({ ok: true, entries: 1 });
});
