/** The verification finds and names whatever was done to the audit log behind the service's back. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { newTenantWithEmptyLog } from '../../support/app/empty-log.ts';
import { runCli } from '../../support/app/run-cli.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { tamper } from '../../support/money/ledger-books.ts';
import { idsOf, sealOnce, verifyLog, writeEntries, writeEntry } from './audit-books.ts';

let app: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let scope: Scope;
/** By age: 0 and 1 are in block 1, 2 and 3 in block 2, 4 in block 3, 5 waits. */
let ids: string[];

beforeAll(async () => {
  app = await startTestApp();
  other = await app.newTenant();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await newTenantWithEmptyLog(app);
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  for (const count of [2, 2, 1]) {
    await writeEntries(app, scope, count);
    await sealOnce(app, scope);
  }
  await writeEntries(app, scope, 1);
  ids = await idsOf(app, scope);
});

const verify = (query = '') => verifyLog(app, tenant.liveKey, query);

/** `ENTRY_ALTERED 0` or `BLOCK_ALTERED b1`, in order of the alphabet. */
async function found(query = ''): Promise<string[]> {
  const { faults, ok } = await verify(query);
  expect(ok).toBe(faults.length === 0);
  return faults
    .map(({ kind, entryId, blockSeq }) => {
      const index = ids.indexOf(entryId ?? '');
      return `${kind} ${entryId === undefined ? `b${blockSeq}` : index < 0 ? 'stranger' : index}`;
    })
    .toSorted();
}

test('a whole log is ok, with everything in it counted', async () => {
  const answer = await verify();
  expect(answer).toMatchObject({ ok: true, blocks: 3, entries: 6, unsealed: 1, dropped: null, faults: [], head: { seq: 3 } });
  expect(answer.head?.hash).toMatch(/^[0-9a-f]{64}$/);
});

const mine = () => `tenant_id = '${scope.tenantId}'`;
const id = (index: number) => `'${ids[index]}'`;
const flip = (bytes: string): string => `set_byte(${bytes}, 31, get_byte(${bytes}, 31) # 1)`;

describe('an entry that is sealed has another', () => {
  test.each([
    ['action', "'thing.other'"],
    ['actor_kind', "'staff'"],
    ['actor_id', "'other'"],
    ['actor_id', 'null'],
    ['operation_id', "'other'"],
    ['operation_id', 'null'],
    ['request_id', "'other'"],
    ['object_kind', "'other'"],
    ['object_id', "''"],
    ['details', `'{"fields": ["a"]}'`],
    ['recorded_at', "recorded_at + interval '1 microsecond'"],
    ['recorded_at', "'infinity'"],
  ])('%s: %s', async (column, value) => {
    await tamper(app, `update audit_log set ${column} = ${value} where id = ${id(0)}`);
    expect(await found()).toEqual(['ENTRY_ALTERED 0']);
  });

  test('id, tenant or environment', async () => {
    await tamper(app, `update audit_log set id = '${randomUUID()}' where id = ${id(0)}`);
    expect(await found()).toEqual(['ENTRY_MISSING 0', 'ENTRY_UNSEALED_LOST stranger']);
    await tamper(app, `update audit_log set environment = 'SANDBOX' where id = ${id(1)}`);
    expect(await found()).toEqual(['ENTRY_MISSING 0', 'ENTRY_MISSING 1', 'ENTRY_UNSEALED_LOST stranger']);
    await tamper(app, `update audit_log set tenant_id = '${(await app.newTenant()).tenantId}' where id = ${id(2)}`);
    expect((await found()).filter((fault) => fault.startsWith('ENTRY_MISSING'))).toHaveLength(3);
  });
});

interface Tampering {
  what: string;
  sql: () => string;
  /** Every fault, and no other. */
  faults: string[];
}

const insert = () =>
  `insert into audit_log (tenant_id, environment, action, actor_kind) values ('${scope.tenantId}', 'LIVE', 'thing.forged', 'operator')`;

const tamperings: Tampering[] = [
  { what: 'a sealed entry removed', sql: () => `delete from audit_log where id = ${id(1)}`, faults: ['ENTRY_MISSING 1'] },
  { what: 'a waiting entry removed', sql: () => `delete from audit_log where id = ${id(5)}`, faults: ['ENTRY_MISSING 5'] },
  {
    what: 'an entry removed with its place in the block',
    sql: () => `delete from audit_log where id = ${id(1)}; delete from audit_block_entry where entry_id = ${id(1)}`,
    faults: ['BLOCK_ALTERED b1', 'BLOCK_INCOMPLETE b1'],
  },
  { what: 'an entry put in past the queue', sql: insert, faults: ['ENTRY_UNSEALED_LOST stranger'] },
  {
    what: 'an entry put in with a place in a block',
    sql: () =>
      `${insert()}; insert into audit_block_entry
       select a.tenant_id, a.environment, 2, 3, a.id, sha256('x') from audit_log a where ${mine()} and action = 'thing.forged'`,
    faults: ['BLOCK_ALTERED b2', 'BLOCK_INCOMPLETE b2', 'ENTRY_ALTERED stranger'],
  },
  {
    what: 'two entries of a block exchanged',
    sql: () =>
      `update audit_block_entry set position = 9 where entry_id = ${id(0)};
       update audit_block_entry set position = 1 where entry_id = ${id(1)};
       update audit_block_entry set position = 2 where entry_id = ${id(0)}`,
    faults: ['BLOCK_ALTERED b1'],
  },
  {
    what: 'what two entries say exchanged',
    sql: () =>
      `update audit_log a set actor_id = b.actor_id, request_id = b.request_id, object_id = b.object_id from audit_log b
       where (a.id, b.id) in ((${id(2)}, ${id(3)}), (${id(3)}, ${id(2)}))`,
    faults: ['ENTRY_ALTERED 2', 'ENTRY_ALTERED 3'],
  },
  {
    what: 'an entry changed with its hash',
    sql: () => `update audit_block_entry set hash = sha256('x') where entry_id = ${id(4)}`,
    faults: ['BLOCK_ALTERED b3', 'ENTRY_ALTERED 4'],
  },
  {
    what: 'an entry neither sealed nor waiting',
    sql: () => `delete from audit_unsealed where ${mine()}`,
    faults: ['ENTRY_UNSEALED_LOST 5'],
  },
  {
    what: 'a sealed entry waiting as well',
    sql: () => `insert into audit_unsealed values ('${scope.tenantId}', 'LIVE', ${id(3)})`,
    faults: ['ENTRY_UNSEALED_LOST 3'],
  },
  {
    what: 'the hash of a block',
    sql: () => `update audit_block set hash = ${flip('hash')} where ${mine()} and seq = 2`,
    faults: ['BLOCK_ALTERED b2', 'CHAIN_BROKEN b3'],
  },
  {
    what: 'the hash that a block follows',
    sql: () => `update audit_block set prev_hash = ${flip('prev_hash')} where ${mine()} and seq = 1`,
    faults: ['BLOCK_ALTERED b1', 'CHAIN_BROKEN b1'],
  },
  {
    what: 'the time of a block',
    sql: () => `update audit_block set sealed_at = sealed_at - interval '1 microsecond' where ${mine()} and seq = 3`,
    faults: ['BLOCK_ALTERED b3'],
  },
  {
    what: 'the age of a block',
    sql: () => `update audit_block set newest_at = newest_at - interval '400 days' where ${mine()} and seq = 1`,
    faults: ['BLOCK_ALTERED b1'],
  },
  {
    what: 'the head cut: the first block with its entries',
    sql: () =>
      `delete from audit_log where id in (${id(0)}, ${id(1)}); delete from audit_block where ${mine()} and seq = 1;
       delete from audit_block_entry where ${mine()} and block_seq = 1`,
    faults: ['CHAIN_BROKEN b2'],
  },
  {
    what: 'a block cut out of the middle with its entries',
    sql: () =>
      `delete from audit_log where id in (${id(2)}, ${id(3)}); delete from audit_block where ${mine()} and seq = 2;
       delete from audit_block_entry where ${mine()} and block_seq = 2`,
    faults: ['CHAIN_BROKEN b3'],
  },
  {
    what: 'a block removed and its entries left',
    sql: () => `delete from audit_block where ${mine()} and seq = 2`,
    faults: ['CHAIN_BROKEN b2', 'CHAIN_BROKEN b3'],
  },
  {
    what: 'the tail cut and its entries left',
    sql: () =>
      `delete from audit_block where ${mine()} and seq = 3; delete from audit_block_entry where ${mine()} and block_seq = 3`,
    faults: ['ENTRY_UNSEALED_LOST 4'],
  },
  {
    what: 'a head that nobody signed',
    sql: () =>
      `update audit_head set seq = 1, hash = b.hash, entry_count = 2, newest_at = b.newest_at, signature = sha256('x')
         from audit_block b where b.tenant_id = audit_head.tenant_id and b.seq = 1 and audit_head.${mine()};
       delete from audit_log where id in (${id(0)}, ${id(1)}); delete from audit_block where ${mine()} and seq = 1;
       delete from audit_block_entry where ${mine()} and block_seq = 1`,
    faults: ['HEAD_FORGED b1'],
  },
];

describe('whatever was done is found and named:', () => {
  test.each(tamperings)('$what', async ({ sql, faults }) => {
    expect(await found()).toEqual([]);
    await tamper(app, sql());
    expect(await found()).toEqual(faults);
    expect((await verifyLog(app, other.liveKey)).ok).toBe(true);
  });
});

describe('a hash that was kept', () => {
  const hashOf = async (): Promise<string> => (await verify()).head?.hash ?? '';

  test('is found again while the chain goes on, and not when the tail was cut with all its entries', async () => {
    const query = `?auditFromSeq=3&auditExpectedHash=${(await hashOf()).toUpperCase()}`;
    await sealOnce(app, scope);
    expect(await verify(query)).toMatchObject({ ok: true, blocks: 2, entries: 2 });
    await tamper(
      app,
      `delete from audit_log where id in (${id(4)}, ${id(5)}); delete from audit_block where ${mine()} and seq >= 3;
       delete from audit_block_entry where ${mine()} and block_seq >= 3`,
    );
    // Nothing of what was cut is left to tell of it.
    expect(await found()).toEqual([]);
    expect(await found(query)).toEqual(['CHAIN_BROKEN b3']);
    await writeEntries(app, scope, 1);
    await sealOnce(app, scope);
    expect(await found(query)).toEqual(['CHAIN_BROKEN b3']);
  });

  test('is refused without its block', async () => {
    const answer = await apiClient(app, tenant.liveKey).get(`/api/v1/admin/ledger/verify?auditExpectedHash=${'ab'.repeat(32)}`);
    expect(answer.status).toBe(400);
    expect(answer.body.details.fields).toEqual([{ field: 'auditFromSeq', message: 'must name the block of auditExpectedHash' }]);
  });
});

test('the doctor sees a chain that is cut and an entry that is lost', async () => {
  const audits = async (): Promise<string[]> => {
    const { stdout } = await runCli(app, 'doctor', '--json');
    const told = JSON.parse(stdout) as { audits: { id: string; breaches: { tenant_id: string }[] }[] };
    return told.audits
      .filter(({ breaches }) => breaches.some((breach) => breach.tenant_id === scope.tenantId))
      .map((audit) => audit.id);
  };
  expect(await audits()).toEqual([]);
  await tamper(app, `delete from audit_unsealed where ${mine()}; delete from audit_block where ${mine()} and seq = 1`);
  expect(await audits()).toEqual(['L-5', 'L-6']);
});

test('`ledger verify` tells of ledger and log, and ends with 1 when something is wrong', async () => {
  const run = () => runCli(app, 'ledger', 'verify', '--tenant', scope.tenantId, '--environment', 'live');
  const whole = await run();
  expect(whole.code, whole.stderr).toBe(0);
  expect(whole.stdout).toContain(`ok     ${scope.tenantId} LIVE ledger: 0 journals, 0 blocks`);
  expect(whole.stdout).toContain(`ok     ${scope.tenantId} LIVE audit log: 6 entries, 3 blocks`);
  await tamper(app, `update audit_log set action = 'thing.other' where id = ${id(0)}`);
  const broken = await run();
  expect(broken.code).toBe(1);
  expect(broken.stdout).toContain(`BROKEN ${scope.tenantId} LIVE audit log`);
  expect(broken.stdout).toContain('ENTRY_ALTERED');
});

test('the daily check becomes a dead letter when the log does not verify', async () => {
  await tamper(app, `delete from audit_log where id = ${id(0)}`);
  const { queue, frames } = app.composition;
  await frames.write(scope, (db) => queue.enqueue(db, scope, 'check-audit-log', {}));
  await runJobs(app, 'check-audit-log');
  const told = app.logLines.filter((line) => JSON.stringify(line).includes('the audit log does not verify'));
  expect(JSON.stringify(told)).toContain('ENTRY_MISSING');
});

test('at most a hundred faults are shown, and it is said that there are more', async () => {
  await app.composition.frames.write(scope, async (db) => {
    for (let i = 0; i < 101; i++) {
      await db.rows({
        text: `insert into audit_log (tenant_id, environment, action, actor_kind) values ($1, 'LIVE', 'thing.many', 'system')`,
        values: [scope.tenantId],
      });
    }
  });
  await tamper(app, `delete from audit_unsealed where ${mine()}`);
  expect(await verify()).toMatchObject({ faultsTruncated: true, faults: { length: 100 } });
});

test('a log of several ranges is verified whole, while others write and seal', async () => {
  await app.database.asSuperuser(
    `insert into audit_log (tenant_id, environment, action, actor_kind) select $1, 'LIVE', 'thing.many', 'system' from generate_series(1, 10500)`,
    [scope.tenantId],
  );
  const sealing = (async () => {
    for (let sealed = 1; sealed > 0; ) sealed = await sealOnce(app, scope);
  })();
  const [first] = await Promise.all([verify(), writeEntry(app, scope), sealing]);
  expect(first.faults).toEqual([]);
  await sealOnce(app, scope);
  expect(await verify()).toMatchObject({ ok: true, entries: 10_507, unsealed: 0 });
  const [twentieth] = await app.database.asSuperuser<{ id: string }>(
    'select id from audit_log where tenant_id = $1 order by id offset 5004 limit 1',
    [scope.tenantId],
  );
  await tamper(app, `update audit_log set actor_id = 'x' where id = '${twentieth?.id}'`);
  expect((await verify()).faults).toMatchObject([{ kind: 'ENTRY_ALTERED', entryId: twentieth?.id }]);
});
