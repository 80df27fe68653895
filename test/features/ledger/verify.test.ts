/** The verification finds and names whatever was done to the rows behind the service's back. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { newTenantWithEmptyLog } from '../../support/app/empty-log.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { credit, plantJournals, postJournals, seal, sealAll, tamper } from '../../support/money/ledger-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';

interface Fault {
  kind: string;
  journalId?: string;
  blockSeq?: number;
  message: string;
}

interface Verification {
  ok: boolean;
  blocks: number;
  journals: number;
  postings: number;
  unsealed: number;
  head: { seq: number; hash: string } | null;
  faults: Fault[];
  faultsTruncated: boolean;
}

const TABLES = [
  'journal_entry',
  'posting',
  'ledger_block',
  'ledger_block_entry',
  'ledger_unsealed',
  'commission_line',
  'commission_action',
];

let app: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let scope: Scope;
let client: ApiClient;
let chain: MemberBody[];
/** By age: 0 and 1 are in block 1, 2 and 3 in block 2, 4 in block 3, 5 waits. Purchases but for 1, 3 and 5. */
let journals: string[];
let events: string[];

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  [tenant, other] = [await newTenantWithEmptyLog(app), await newTenantWithEmptyLog(app)];
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  chain = await newUpline(client, 'D D D');
  events = [];
  const buy = async (): Promise<void> => {
    const { body } = await client.post(
      '/api/v1/events/purchase',
      client.purchaseBody({ attribution: { user_id: chain[0]?.id } }),
    );
    events.push(body.event_id);
  };
  const clear = (amountMinor: number) =>
    postJournals(app, scope, [{ postings: [account('member:pending', -amountMinor), account('member:cleared', amountMinor)] }]);
  const account = (name: string, amountMinor: number) => ({ account: name, memberId: member(0), amountMinor });
  await buy();
  await clear(1_000);
  await seal(app, scope);
  await buy();
  await clear(900);
  await seal(app, scope);
  await buy();
  await seal(app, scope);
  await clear(100);
  const rows = await app.database.asSuperuser<{ id: string }>('select id from journal_entry order by id');
  journals = rows.map(({ id }) => id);
  await app.database.asSuperuser('create schema kept');
  for (const table of TABLES) await app.database.asSuperuser(`create table kept.${table} as select * from ${table}`);
});
afterAll(() => app.close());

const member = (index: number): string => chain[index]?.id ?? '';
const journal = (index: number): string => `'${journals[index]}'`;

async function restore(): Promise<void> {
  await tamper(app, TABLES.map((table) => `delete from ${table}; insert into ${table} select * from kept.${table}`).join('; '));
}

async function verify(query = '', by: ApiClient = client): Promise<Verification> {
  const answer = await by.get(`/api/v1/admin/ledger/verify${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Verification;
}

/** `JOURNAL_ALTERED j0` or `BLOCK_ALTERED b1`, in order of the alphabet. */
function named({ faults }: Verification): string[] {
  return faults
    .map(({ kind, journalId, blockSeq }) => {
      const index = journals.indexOf(journalId ?? '');
      if (journalId !== undefined) return `${kind} ${index < 0 ? 'stranger' : `j${index}`}`;
      return blockSeq === undefined ? kind : `${kind} b${blockSeq}`;
    })
    .toSorted();
}

test('a whole ledger is ok, with everything in it counted', async () => {
  const answer = await verify();
  expect(answer).toMatchObject({
    ok: true,
    blocks: 3,
    journals: 6,
    postings: 18,
    unsealed: 1,
    faults: [],
    faultsTruncated: false,
  });
  const [last] = await app.database.asSuperuser<{ hash: string }>(
    "select encode(hash, 'hex') as hash from ledger_block where seq = 3",
  );
  expect(answer.head).toEqual({ seq: 3, hash: last?.hash });
});

test('an empty ledger is ok, and so are those of the other environment and another tenant', async () => {
  for (const key of [tenant.sandboxKey, other.liveKey]) {
    expect(await verify('', apiClient(app, key))).toEqual({
      ok: true,
      fromSeq: null,
      lastCheck: null,
      blocks: 0,
      journals: 0,
      postings: 0,
      unsealed: 0,
      head: null,
      faults: [],
      faultsTruncated: false,
      auditLog: { ok: true, blocks: 0, entries: 0, unsealed: 0, head: null, dropped: null, faults: [], faultsTruncated: false },
    });
  }
});

interface Tampering {
  what: string;
  sql: () => string;
  /** Every fault, and no other. */
  found: string[];
}

const flip = (bytes: string): string => `set_byte(${bytes}, 31, get_byte(${bytes}, 31) # 1)`;
const elsewhere = () => `'${other.tenantId}'`;
const fresh = () => `'${randomUUID()}'`;

/** A row of journal_entry changed for a journal that is sealed (0). */
const ofJournal: Tampering[] = [
  ['cause_type', () => "'clearing'", ['JOURNAL_ALTERED j0', 'LINES_DISAGREE', 'LINES_DISAGREE', 'LINES_DISAGREE']] as const,
  ['cause_id', fresh, [...Array(3).fill('LINES_DISAGREE'), 'JOURNAL_ALTERED j0', ...Array(3).fill('LINES_DISAGREE j0')]] as const,
  ['occurred_at', () => "occurred_at + interval '1 microsecond'", ['JOURNAL_ALTERED j0']] as const,
  ['recorded_at', () => "recorded_at + interval '1 microsecond'", ['JOURNAL_ALTERED j0']] as const,
  ['recorded_at', () => "'infinity'", ['JOURNAL_ALTERED j0']] as const,
  ['tenant_id', elsewhere, ['JOURNAL_MISSING j0', ...Array(3).fill('LINES_DISAGREE')]] as const,
  ['environment', () => "'SANDBOX'", ['JOURNAL_MISSING j0', ...Array(3).fill('LINES_DISAGREE')]] as const,
  [
    'id',
    fresh,
    ['JOURNAL_MISSING j0', 'JOURNAL_UNSEALED_LOST stranger', ...Array(3).fill('LINES_DISAGREE stranger'), 'UNBALANCED stranger'],
  ] as const,
].map(([column, value, found]) => ({
  what: `journal_entry.${column}`,
  sql: () => `update journal_entry set ${column} = ${value()} where id = ${journal(0)}`,
  found: [...found],
}));

/** One posting of a sealed journal (0) to a member; the journal then balances no more unless it says otherwise. */
const ofPosting: Tampering[] = [
  ['amount_minor', () => 'amount_minor + 1', ['JOURNAL_ALTERED j0', 'LINES_DISAGREE j0', 'UNBALANCED j0']] as const,
  [
    'currency',
    () => "'EUR'",
    ['JOURNAL_ALTERED j0', 'LINES_DISAGREE j0', 'LINES_DISAGREE j0', 'UNBALANCED j0', 'UNBALANCED j0'],
  ] as const,
  ['member_id', () => `'${member(1)}'`, ['JOURNAL_ALTERED j0', 'LINES_DISAGREE j0', 'LINES_DISAGREE j0']] as const,
  ['account', () => "'member:cleared'", ['JOURNAL_ALTERED j0']] as const,
  ['seq', () => '77', ['JOURNAL_ALTERED j0']] as const,
  [
    'journal_id',
    () => `${journal(1)}, seq = 50`,
    ['JOURNAL_ALTERED j0', 'JOURNAL_ALTERED j1', 'LINES_DISAGREE j0', 'UNBALANCED j0', 'UNBALANCED j1'],
  ] as const,
  ['tenant_id', elsewhere, ['JOURNAL_ALTERED j0', 'LINES_DISAGREE j0', 'UNBALANCED j0']] as const,
  ['environment', () => "'SANDBOX'", ['JOURNAL_ALTERED j0', 'LINES_DISAGREE j0', 'UNBALANCED j0']] as const,
].map(([column, value, found]) => ({
  what: `posting.${column}`,
  sql: () => `update posting set ${column} = ${value()} where journal_id = ${journal(0)} and member_id = '${member(0)}'`,
  found: [...found],
}));

/** The second of three blocks; 3 follows it. */
const ofBlock: Tampering[] = [
  ['hash', () => flip('hash'), ['BLOCK_ALTERED b2', 'CHAIN_BROKEN b3']] as const,
  ['prev_hash', () => flip('prev_hash'), ['BLOCK_ALTERED b2', 'CHAIN_BROKEN b2']] as const,
  ['entry_count', () => '3', ['BLOCK_ALTERED b2', 'ENTRY_MISSING b2']] as const,
  ['sealed_at', () => "sealed_at - interval '1 microsecond'", ['BLOCK_ALTERED b2']] as const,
  ['seq', () => '9', ['BLOCK_ALTERED b9', 'CHAIN_BROKEN b2', 'CHAIN_BROKEN b3', 'CHAIN_BROKEN b9', 'ENTRY_MISSING b9']] as const,
  ['tenant_id', elsewhere, ['CHAIN_BROKEN b2', 'CHAIN_BROKEN b3']] as const,
  ['environment', () => "'SANDBOX'", ['CHAIN_BROKEN b2', 'CHAIN_BROKEN b3']] as const,
].map(([column, value, found]) => ({
  what: `ledger_block.${column}`,
  sql: () => `update ledger_block set ${column} = ${value()} where seq = 2`,
  found: [...found],
}));

/** Journal 2's entry, the first of two in block 2. */
const ofEntry: Tampering[] = [
  ['hash', () => flip('hash'), ['BLOCK_ALTERED b2', 'JOURNAL_ALTERED j2']] as const,
  ['position', () => '3', ['BLOCK_ALTERED b2', 'ENTRY_MISSING b2']] as const,
  ['journal_id', fresh, ['JOURNAL_MISSING stranger', 'JOURNAL_UNSEALED_LOST j2']] as const,
  ['journal_id', () => journal(5), ['JOURNAL_ALTERED j5', 'JOURNAL_UNSEALED_LOST j2', 'JOURNAL_UNSEALED_LOST j5']] as const,
  [
    'block_seq',
    () => '3, position = 2',
    ['BLOCK_ALTERED b2', 'BLOCK_ALTERED b3', 'ENTRY_MISSING b2', 'ENTRY_MISSING b3'],
  ] as const,
  ['block_seq', () => '7', ['BLOCK_ALTERED b2', 'CHAIN_BROKEN b7', 'ENTRY_MISSING b2']] as const,
  ['tenant_id', elsewhere, ['BLOCK_ALTERED b2', 'ENTRY_MISSING b2', 'JOURNAL_UNSEALED_LOST j2']] as const,
  ['environment', () => "'SANDBOX'", ['BLOCK_ALTERED b2', 'ENTRY_MISSING b2', 'JOURNAL_UNSEALED_LOST j2']] as const,
].map(([column, value, found]) => ({
  what: `ledger_block_entry.${column}`,
  sql: () => `update ledger_block_entry set ${column} = ${value()} where journal_id = ${journal(2)}`,
  found: [...found],
}));

const ofLine: Tampering[] = [
  ['amount_minor', () => 'amount_minor - 1', ['LINES_DISAGREE j0']] as const,
  ['beneficiary_id', () => `'${member(2)}'`, ['LINES_DISAGREE j0', 'LINES_DISAGREE j0']] as const,
  ['currency', () => "'EUR'", ['LINES_DISAGREE j0', 'LINES_DISAGREE j0']] as const,
  ['event_id', () => `'${events[1]}'`, ['LINES_DISAGREE j0', 'LINES_DISAGREE j2']] as const,
  ['tenant_id', elsewhere, ['LINES_DISAGREE j0']] as const,
].map(([column, value, found]) => ({
  what: `commission_line.${column}`,
  sql: () =>
    `update commission_line set ${column} = ${value()} where event_id = '${events[0]}' and beneficiary_id = '${member(0)}'`,
  found: [...found],
}));

const queued = (id: () => string) => () => `insert into ledger_unsealed values ('${tenant.tenantId}', 'LIVE', ${id()})`;
const posting = (index: number, seq: number, account: string, amount: number) =>
  `insert into posting values ('${tenant.tenantId}', 'LIVE', ${journal(index)}, ${seq}, '${account}', null, 'USD', ${amount})`;

const rowsAddedAndRemoved: Tampering[] = [
  {
    what: 'a posting removed',
    sql: () => `delete from posting where journal_id = ${journal(1)} and seq = 1`,
    found: ['JOURNAL_ALTERED j1', 'UNBALANCED j1'],
  },
  {
    what: 'all postings of a sealed journal removed',
    sql: () => `delete from posting where journal_id = ${journal(1)}`,
    found: ['JOURNAL_ALTERED j1', 'UNBALANCED j1'],
  },
  {
    what: 'all postings of a waiting journal removed',
    sql: () => `delete from posting where journal_id = ${journal(5)}`,
    found: ['UNBALANCED j5'],
  },
  {
    what: 'a balanced pair of postings added',
    sql: () => `${posting(3, 60, 'company:breakage', 5)}; ${posting(3, 61, 'company:write_off', -5)}`,
    found: ['JOURNAL_ALTERED j3'],
  },
  {
    what: 'a posting added to a waiting journal',
    sql: () => posting(5, 60, 'company:breakage', 5),
    found: ['UNBALANCED j5'],
  },
  {
    what: 'a sealed journal removed with its postings',
    sql: () => `delete from journal_entry where id = ${journal(1)}; delete from posting where journal_id = ${journal(1)}`,
    found: ['JOURNAL_MISSING j1'],
  },
  {
    what: 'a journal removed with its postings and its entry',
    sql: () =>
      ['journal_entry where id', 'posting where journal_id', 'ledger_block_entry where journal_id']
        .map((rest) => `delete from ${rest} = ${journal(1)}`)
        .join('; '),
    found: ['BLOCK_ALTERED b1', 'ENTRY_MISSING b1'],
  },
  {
    what: 'a waiting journal removed but for its postings and its place in the queue',
    sql: () => `delete from journal_entry where id = ${journal(5)}`,
    found: ['JOURNAL_MISSING j5'],
  },
  {
    what: 'postings of a journal that never was',
    sql: () => `create table kept.p as select * from posting where journal_id = ${journal(1)}; update kept.p set journal_id = ${fresh()};
      insert into posting select * from kept.p; drop table kept.p`,
    found: ['JOURNAL_MISSING stranger'],
  },
  {
    what: 'a journal neither sealed nor waiting',
    sql: () => 'delete from ledger_unsealed',
    found: ['JOURNAL_UNSEALED_LOST j5'],
  },
  { what: 'a sealed journal waiting as well', sql: queued(() => journal(3)), found: ['JOURNAL_UNSEALED_LOST j3'] },
  { what: 'a place in the queue for a journal that is not there', sql: queued(fresh), found: ['JOURNAL_MISSING stranger'] },
  {
    what: 'an entry removed',
    sql: () => `delete from ledger_block_entry where journal_id = ${journal(3)}`,
    found: ['BLOCK_ALTERED b2', 'ENTRY_MISSING b2', 'JOURNAL_UNSEALED_LOST j3'],
  },
  {
    what: 'an entry added',
    sql: () =>
      `insert into ledger_block_entry select tenant_id, environment, 2, 3, ${journal(5)}, hash from ledger_block_entry where journal_id = ${journal(3)}`,
    found: ['BLOCK_ALTERED b2', 'ENTRY_MISSING b2', 'JOURNAL_ALTERED j5', 'JOURNAL_UNSEALED_LOST j5'],
  },
  {
    what: 'the entries of two journals exchanged',
    sql: () => `update ledger_block_entry set hash = (select hash from ledger_block_entry e where e.journal_id = case ledger_block_entry.journal_id
      when ${journal(2)} then ${journal(3)}::uuid else ${journal(2)}::uuid end) where block_seq = 2`,
    found: ['BLOCK_ALTERED b2', 'JOURNAL_ALTERED j2', 'JOURNAL_ALTERED j3'],
  },
  {
    what: 'a block removed and its entries left',
    sql: () => 'delete from ledger_block where seq = 2',
    found: ['CHAIN_BROKEN b2', 'CHAIN_BROKEN b3'],
  },
  {
    what: 'a block removed with its entries',
    sql: () => 'delete from ledger_block where seq = 2; delete from ledger_block_entry where block_seq = 2',
    found: ['CHAIN_BROKEN b3', 'JOURNAL_UNSEALED_LOST j2', 'JOURNAL_UNSEALED_LOST j3'],
  },
  {
    what: 'the last block removed with its entries',
    sql: () => 'delete from ledger_block where seq = 3; delete from ledger_block_entry where block_seq = 3',
    found: ['JOURNAL_UNSEALED_LOST j4'],
  },
  {
    what: 'a commission line removed',
    sql: () => `delete from commission_line where event_id = '${events[2]}' and level = 2`,
    found: ['LINES_DISAGREE j4'],
  },
  {
    what: 'all lines of an event removed',
    sql: () => `delete from commission_line where event_id = '${events[2]}'`,
    found: Array(3).fill('LINES_DISAGREE j4'),
  },
  {
    what: 'a line of an event that has no journal',
    sql: () => `create table kept.l as select * from commission_line where event_id = '${events[0]}' and level = 1;
      update kept.l set id = ${fresh()}, event_id = ${fresh()}; insert into commission_line select * from kept.l; drop table kept.l`,
    found: ['LINES_DISAGREE'],
  },
  {
    what: 'two lines that exchange their members, so that digests of members alone would not tell',
    sql: () => `update commission_line set beneficiary_id = case level when 1 then '${member(1)}'::uuid else '${member(0)}'::uuid end
      where event_id = '${events[0]}' and level <= 2`,
    found: ['LINES_DISAGREE j0', 'LINES_DISAGREE j0'],
  },
];

describe('found and named:', () => {
  const all = [...ofJournal, ...ofPosting, ...ofBlock, ...ofEntry, ...ofLine, ...rowsAddedAndRemoved];
  test.each(all)('$what', async ({ sql, found }) => {
    await tamper(app, sql());
    try {
      const answer = await verify();
      expect(named(answer)).toEqual(found.toSorted());
      expect(answer.ok).toBe(false);
    } finally {
      await restore();
    }
    expect((await verify()).ok).toBe(true);
  });
});

test('lines may be several for one posting, and events and journals may have ids far apart', async () => {
  await tamper(
    app,
    `update commission_line set amount_minor = amount_minor - 1 where event_id = '${events[0]}' and level = 1;
     create table kept.l as select * from commission_line where event_id = '${events[0]}' and level = 1;
     update kept.l set id = gen_random_uuid(), amount_minor = 1; insert into commission_line select * from kept.l; drop table kept.l;
     update commission_line set event_id = 'ffffffff-0000-4000-8000-000000000000' where event_id = '${events[0]}';
     update journal_entry set cause_id = 'ffffffff-0000-4000-8000-000000000000' where id = ${journal(0)};
     update commission_line set event_id = '00000000-0000-4000-8000-000000000001' where event_id = '${events[1]}';
     update journal_entry set cause_id = '00000000-0000-4000-8000-000000000001' where id = ${journal(2)}`,
  );
  try {
    expect(named(await verify())).toEqual(['JOURNAL_ALTERED j0', 'JOURNAL_ALTERED j2']);
  } finally {
    await restore();
  }
});

describe('a void', () => {
  const action = '01900000-0000-7000-8000-000000000001';
  const plant = (amount: number) =>
    `insert into commission_action (tenant_id, environment, id, line_id, action, from_status, to_status)
       select tenant_id, environment, '${action}', id, 'void', 'pending', 'reversed' from commission_line where event_id = '${events[0]}' and level = 1;
     create table kept.l as select * from commission_line where event_id = '${events[0]}' and level = 1;
     update kept.l set id = gen_random_uuid(), amount_minor = ${amount}, kind = 'reversal', action_id = '${action}';
     insert into commission_line select * from kept.l; drop table kept.l`;

  async function judge(sql: string, post: boolean): Promise<string[]> {
    let id = '';
    if (post)
      [id = ''] = await postJournals(app, scope, [{ causeType: 'void', causeId: action, postings: credit(member(0), -1_000) }]);
    await tamper(app, sql);
    try {
      return named(await verify()).map((fault) => (id === '' ? fault : fault.replace('stranger', 'void')));
    } finally {
      await restore();
    }
  }

  test('has lines that agree with its own journal, not with that of the event', async () => {
    expect(await judge(plant(-1_000), true)).toEqual([]);
  });
  test('is found when they do not', async () => {
    expect(await judge(plant(-999), true)).toEqual(['LINES_DISAGREE void']);
  });
  test('is found when it has no journal', async () => {
    expect(await judge(plant(-1_000), false)).toEqual(['LINES_DISAGREE']);
  });
  test('is found when it has no lines', async () => {
    expect(await judge('select 1', true)).toEqual(['LINES_DISAGREE void']);
  });
});

describe('a journal in several currencies', () => {
  const post = (amounts: [string, number][]) =>
    postJournals(app, scope, [
      { postings: amounts.map(([currency, amountMinor]) => ({ account: 'fx_rounding', currency, amountMinor })) },
    ]);

  test('balances in each', async () => {
    await post([
      ['USD', 5],
      ['USD', -5],
      ['EUR', 7],
      ['EUR', -7],
    ]);
    try {
      expect(named(await verify())).toEqual([]);
    } finally {
      await restore();
    }
  });

  test('is unbalanced though its amounts sum to zero', async () => {
    const [id] = await post([
      ['USD', 5],
      ['USD', -5],
    ]);
    await tamper(app, `update posting set currency = 'EUR' where journal_id = '${id}' and seq = 1`);
    try {
      const { faults } = await verify();
      expect(faults.map(({ kind, journalId }) => [kind, journalId])).toEqual([
        ['UNBALANCED', id],
        ['UNBALANCED', id],
      ]);
      expect(faults.map(({ message }) => message).toSorted()).toEqual([
        'The postings in EUR sum to -5 and not to 0',
        'The postings in USD sum to 5 and not to 0',
      ]);
      // Once it is sealed the hash is that of the rows, and still they do not balance.
      await seal(app, scope);
      expect((await verify()).faults.map(({ kind }) => kind)).toEqual(['UNBALANCED', 'UNBALANCED']);
    } finally {
      await restore();
    }
  });
});

describe('from a block whose hash was kept', () => {
  const hashOf = async (seq: number): Promise<string> => {
    const [row] = await app.database.asSuperuser<{ hash: string }>(
      "select encode(hash, 'hex') as hash from ledger_block where tenant_id = $1 and seq = $2",
      [tenant.tenantId, seq],
    );
    return row?.hash ?? '';
  };

  test('the ledger continues it: that block, those after it and their journals are checked', async () => {
    const hash = await hashOf(2);
    for (const expected of [hash, hash.toUpperCase()]) {
      expect(await verify(`?fromSeq=2&expectedHash=${expected}`)).toMatchObject({
        ok: true,
        blocks: 2,
        journals: 4,
        unsealed: 1,
      });
    }
    expect(await verify('?fromSeq=3')).toMatchObject({ ok: true, blocks: 1, journals: 2 });
    expect(await verify('?fromSeq=1')).toMatchObject({ ok: true, blocks: 3, journals: 6 });
  });

  test('what lies before it is not looked at', async () => {
    await tamper(app, `update posting set amount_minor = amount_minor + 1 where journal_id = ${journal(0)}`);
    try {
      expect(await verify('?fromSeq=2')).toMatchObject({ ok: true });
      expect((await verify('?fromSeq=1')).ok).toBe(false);
    } finally {
      await restore();
    }
  });

  test('another hash than the expected one is a broken chain', async () => {
    const answer = await verify(`?fromSeq=2&expectedHash=${'ab'.repeat(32)}`);
    expect(named(answer)).toEqual(['CHAIN_BROKEN b2']);
    expect(answer.faults[0]?.message).toContain(await hashOf(2));
  });

  test('a ledger written anew from that block on, consistent in itself, is found by the hash alone', async () => {
    const kept = await hashOf(3);
    await tamper(
      app,
      `update posting set amount_minor = amount_minor * 2 where journal_id = ${journal(4)};
       update commission_line set amount_minor = amount_minor * 2 where event_id = '${events[2]}';
       delete from ledger_block where seq = 3; delete from ledger_block_entry where block_seq = 3; delete from ledger_unsealed;
       insert into ledger_unsealed select tenant_id, environment, id from journal_entry where id in (${journal(4)}, ${journal(5)})`,
    );
    try {
      await sealAll(app, scope);
      expect(await verify()).toMatchObject({ ok: true, blocks: 3 });
      expect(named(await verify(`?fromSeq=3&expectedHash=${kept}`))).toEqual(['CHAIN_BROKEN b3']);
    } finally {
      await restore();
    }
  });

  test('a block that is not there is a broken chain, in an empty ledger too', async () => {
    expect(named(await verify(`?fromSeq=4&expectedHash=${await hashOf(3)}`))).toEqual(['CHAIN_BROKEN b4']);
    expect(named(await verify('?fromSeq=1', apiClient(app, other.liveKey)))).toEqual(['CHAIN_BROKEN b1']);
  });

  test('a hash without its block is refused', async () => {
    const answer = await client.get(`/api/v1/admin/ledger/verify?expectedHash=${'ab'.repeat(32)}`);
    expect(answer.status).toBe(400);
    expect(answer.body.details.fields).toEqual([{ field: 'fromSeq', message: 'must name the block of expectedHash' }]);
  });
});

test('at most a hundred faults are shown, and it is said that there are more', async () => {
  await postJournals(
    app,
    scope,
    Array.from({ length: 101 }, () => ({ postings: credit(member(0), 1) })),
  );
  await seal(app, scope);
  try {
    await tamper(app, "update posting set account = 'member:cleared' where account = 'member:pending' and amount_minor = 1");
    const answer = await verify();
    expect(answer.faults).toHaveLength(100);
    expect(answer.faultsTruncated).toBe(true);
    await tamper(
      app,
      `update posting set account = 'member:pending' where ctid in (select ctid from posting where amount_minor = 1 limit 1)`,
    );
    expect(await verify()).toMatchObject({ faultsTruncated: false, faults: { length: 100 } });
  } finally {
    await restore();
  }
});

test('a ledger of many ranges is verified whole, each journal once', async () => {
  const large = await app.newTenant();
  const of: Scope = { tenantId: large.tenantId, environment: 'LIVE' };
  const byLarge = apiClient(app, large.liveKey);
  const ids = await plantJournals(app, of, [20_000, 25_000, 26_000, 10, 30_000, 24_998, 2, 2, 30_000]);
  expect(await verify('', byLarge)).toMatchObject({ ok: true, journals: 9, unsealed: 9, postings: 156_012 });
  await sealAll(app, of);
  expect(await verify('', byLarge)).toMatchObject({ ok: true, journals: 9, unsealed: 0, postings: 156_012 });
  await tamper(app, `update posting set amount_minor = 4 where tenant_id = '${of.tenantId}' and seq = 0`);
  const { faults } = await verify('', byLarge);
  expect(faults.map(({ kind, journalId }) => `${kind} ${journalId}`).toSorted()).toEqual(
    ids.flatMap((id) => [`JOURNAL_ALTERED ${id}`, `UNBALANCED ${id}`]).toSorted(),
  );
});

test('verifying while others write and seal sees one state and finds nothing', async () => {
  const busy = await app.newTenant();
  const of: Scope = { tenantId: busy.tenantId, environment: 'LIVE' };
  const byBusy = apiClient(app, busy.liveKey);
  const [seller] = await newUpline(byBusy, 'D D D');
  let writing = true;
  const isWriting = (): boolean => writing;
  const write = async (): Promise<void> => {
    for (let i = 0; i < 15; i++) {
      const answer = await byBusy.post('/api/v1/events/purchase', byBusy.purchaseBody({ attribution: { user_id: seller?.id } }));
      expect(answer.status).toBe(201);
    }
  };
  const sealing = (async () => {
    while (isWriting()) await seal(app, of);
  })();
  const verifying = (async () => {
    while (isWriting()) expect((await verify('', byBusy)).faults).toEqual([]);
  })();
  await Promise.all([write(), write(), write()]);
  writing = false;
  await Promise.all([sealing, verifying]);
  await sealAll(app, of);
  expect(await verify('', byBusy)).toMatchObject({ ok: true, journals: 45, postings: 180, unsealed: 0 });
});
