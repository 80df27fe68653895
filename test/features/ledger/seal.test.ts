/** Sealing: every journal in exactly one block, the chain never forked, nobody kept waiting. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { sealJournals } from '../../../src/features/ledger/ledger-service.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import {
  credit,
  type JournalInput,
  plantJournals,
  postJournals,
  seal,
  sealAll,
  tamper,
} from '../../support/money/ledger-books.ts';

let app: TestApp;
let client: ApiClient;
let scope: Scope;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '12' });
});
afterAll(() => app.close());

beforeEach(async () => {
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  member = await client.newMember();
});

const journals = (count: number): JournalInput[] =>
  Array.from({ length: count }, (_, i) => ({ postings: credit(member.id, i + 1) }));

interface Block {
  seq: bigint;
  prev_hash: Buffer;
  hash: Buffer;
  entry_count: number;
  sealed: string;
  entries: { position: number; journal_id: string; hash: string }[];
}

const blocksOf = ({ tenantId, environment }: Scope): Promise<Block[]> =>
  app.database.asSuperuser<Block & Record<string, unknown>>(
    `select b.seq, b.prev_hash, b.hash, b.entry_count, (extract(epoch from b.sealed_at) * 1000000)::bigint as sealed,
            (select json_agg(json_build_object('position', e.position, 'journal_id', e.journal_id, 'hash', encode(e.hash, 'hex')) order by e.position)
             from ledger_block_entry e where (e.tenant_id, e.environment, e.block_seq) = (b.tenant_id, b.environment, b.seq)) as entries
     from ledger_block b where b.tenant_id = $1 and b.environment = $2 order by b.seq`,
    [tenantId, environment],
  );

/** Journals of the scope by how often they are in a block and in the queue: `1/0` is sealed, `0/1` waits. */
async function placesOf({ tenantId, environment }: Scope): Promise<Record<string, number>> {
  const rows = await app.database.asSuperuser<{ place: string; journals: number }>(
    `select e.n || '/' || u.n as place, count(*)::int as journals from journal_entry j
     cross join lateral (select count(*) as n from ledger_block_entry e where (e.tenant_id, e.environment, e.journal_id) = (j.tenant_id, j.environment, j.id)) e
     cross join lateral (select count(*) as n from ledger_unsealed u where (u.tenant_id, u.environment, u.journal_id) = (j.tenant_id, j.environment, j.id)) u
     where j.tenant_id = $1 and j.environment = $2 group by 1`,
    [tenantId, environment],
  );
  return Object.fromEntries(rows.map(({ place, journals: count }) => [place, count]));
}

/** Each block follows the one before, from 1 and from zeros, and holds positions 1 to entry_count. */
async function expectChain(of: Scope): Promise<Block[]> {
  const blocks = await blocksOf(of);
  let previous = Buffer.alloc(32);
  for (const [index, block] of blocks.entries()) {
    expect(Number(block.seq)).toBe(index + 1);
    expect(block.prev_hash.equals(previous)).toBe(true);
    expect(block.entries.map(({ position }) => position)).toEqual(Array.from({ length: block.entry_count }, (_, i) => i + 1));
    previous = Buffer.from(block.hash);
  }
  return blocks;
}

/** PostgreSQL's binary record: the number of fields, then for each its type, its length (-1 for null) and its bytes. */
function record(...fields: [type: number, bytes: Buffer | null][]): Buffer {
  const parts = fields.flatMap(([type, bytes]) => [
    int4(type),
    int4(bytes === null ? -1 : bytes.length),
    bytes ?? Buffer.alloc(0),
  ]);
  return Buffer.concat([int4(fields.length), ...parts]);
}

const uuidField = (id: string | null): [number, Buffer | null] => [
  2950,
  id === null ? null : Buffer.from(id.replaceAll('-', ''), 'hex'),
];
const textField = (text: string): [number, Buffer] => [25, Buffer.from(text)];
const int8 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const int4 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
/** Microseconds from 2000-01-01 UTC, given those from 1970. */
const since2000 = (micros: string): bigint => BigInt(micros) - 946_684_800_000_000n;
const instantField = (micros: string): [number, Buffer] => [1184, int8(since2000(micros))];

test('an independent reading of docs/decisions/0011-sealed-blocks.md computes the same hashes', async () => {
  const other = await client.newMember();
  await postJournals(app, scope, [
    { postings: credit(member.id, 1_000) },
    {
      causeType: 'hold',
      recordedAt: '1999-12-31T23:59:59.999999Z',
      postings: [
        ...credit(member.id, -7),
        ...credit(other.id, 999_999_999_999_999, 'member:cleared', 'KWD'),
        { account: 'fx_rounding', amountMinor: 3 },
        { account: 'company:breakage', amountMinor: -3 },
      ],
    },
  ]);
  expect(await seal(app, scope)).toBe(2);
  const [block] = await expectChain(scope);
  const rows = await app.database.asSuperuser<{
    id: string;
    cause_type: string;
    cause_id: string;
    occurred: string;
    recorded: string;
    postings: { seq: number; account: string; member_id: string | null; currency: string; amount_minor: string }[];
  }>(
    `select j.id, j.cause_type, j.cause_id, (extract(epoch from j.occurred_at) * 1000000)::bigint as occurred,
            (extract(epoch from j.recorded_at) * 1000000)::bigint as recorded,
            (select json_agg(json_build_object('seq', p.seq, 'account', p.account, 'member_id', p.member_id, 'currency', p.currency,
               'amount_minor', p.amount_minor::text) order by p.seq) from posting p where p.journal_id = j.id) as postings
     from journal_entry j where j.tenant_id = $1 order by j.id`,
    [scope.tenantId],
  );
  const hashes = rows.map((row) =>
    createHash('sha256')
      .update(
        record(
          uuidField(scope.tenantId),
          textField('LIVE'),
          uuidField(row.id),
          textField(row.cause_type),
          uuidField(row.cause_id),
          instantField(row.occurred),
          instantField(row.recorded),
        ),
      )
      .update(
        Buffer.concat(
          row.postings.flatMap((p) => [
            int4(2 * p.seq + (p.member_id === null ? 1 : 0)),
            int8(BigInt(p.amount_minor)),
            int4(p.account.length),
            int4(p.currency.length),
            Buffer.from(p.account + p.currency),
            Buffer.from((p.member_id ?? '').replaceAll('-', ''), 'hex'),
          ]),
        ),
      )
      .digest(),
  );
  expect(block?.entries.map((entry) => entry.hash)).toEqual(hashes.map((hash) => hash.toString('hex')));
  const count = Buffer.from([0, 0, 0, 2]);
  const expected = createHash('sha256')
    .update(Buffer.alloc(32))
    .update(int8(1n))
    .update(count)
    .update(int8(since2000(block?.sealed ?? '')))
    .update(Buffer.concat(hashes))
    .digest('hex');
  expect(block?.hash.toString('hex')).toBe(expected);
});

test('nothing to seal makes no block', async () => {
  expect(await seal(app, scope)).toBe(0);
  await postJournals(app, scope, journals(1));
  expect(await seal(app, scope)).toBe(1);
  expect(await seal(app, scope)).toBe(0);
  expect(await expectChain(scope)).toHaveLength(1);
});

test('a block holds a thousand journals, in the order of their ids', async () => {
  await plantJournals(app, scope, Array(1_001).fill(2));
  expect(await seal(app, scope)).toBe(1_000);
  expect(await seal(app, scope)).toBe(1);
  const blocks = await expectChain(scope);
  expect(blocks.map((block) => block.entry_count)).toEqual([1_000, 1]);
  const ids = blocks.flatMap((block) => block.entries.map((entry) => entry.journal_id));
  expect(ids).toEqual(ids.toSorted());
});

test('a block is full with fifty thousand postings, so that sealing it and verifying it is one short statement', async () => {
  await plantJournals(app, scope, [30_000, 30_000, 2, 2, 2]);
  expect([await seal(app, scope), await seal(app, scope)]).toEqual([2, 3]);
  await expectChain(scope);
});

test("each tenant and environment has a chain of its own, and sealing one leaves the other's queue alone", async () => {
  const sandbox: Scope = { tenantId: scope.tenantId, environment: 'SANDBOX' };
  const other: Scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
  const breakage = { postings: [5, -5].map((amountMinor) => ({ account: 'company:breakage', amountMinor })) };
  for (const of of [scope, sandbox, other]) await postJournals(app, of, [breakage, breakage]);
  expect(await seal(app, scope)).toBe(2);
  expect(await placesOf(sandbox)).toEqual({ '0/1': 2 });
  expect(await placesOf(other)).toEqual({ '0/1': 2 });
  expect(await seal(app, sandbox)).toBe(2);
  expect(await expectChain(sandbox)).toHaveLength(1);
  expect((await blocksOf(sandbox))[0]?.hash).not.toEqual((await blocksOf(scope))[0]?.hash);
});

test('two sealers at once: one seals, the other says 0 at once and waits for nobody', async () => {
  await postJournals(app, scope, journals(3));
  const { frames } = app.composition;
  let second: number | undefined;
  const first = await frames.write(scope, async (db) => {
    const sealed = await sealJournals(db, scope);
    second = await seal(app, scope);
    return sealed;
  });
  expect([first, second]).toEqual([3, 0]);
  await expectChain(scope);
});

test('a sealing that is rolled back leaves everything in the queue', async () => {
  await postJournals(app, scope, journals(3));
  const failing = app.composition.frames.write(scope, async (db) => {
    await sealJournals(db, scope);
    throw new Error('planted');
  });
  await expect(failing).rejects.toThrow('planted');
  expect(await placesOf(scope)).toEqual({ '0/1': 3 });
  expect(await seal(app, scope)).toBe(3);
});

test('a writer posts and commits while a sealer is at work, and its journal is sealed next', async () => {
  await postJournals(app, scope, journals(2));
  await app.composition.frames.write(scope, async (db) => {
    expect(await sealJournals(db, scope)).toBe(2);
    await postJournals(app, scope, journals(1));
  });
  expect(await placesOf(scope)).toEqual({ '1/0': 2, '0/1': 1 });
  expect(await seal(app, scope)).toBe(1);
  expect(await expectChain(scope)).toHaveLength(2);
});

test('a journal that commits after later ones were sealed is sealed after them', async () => {
  const { frames } = app.composition;
  let late = '';
  await frames.write(scope, async (db) => {
    const row = await db.row<{ id: string }>({
      text: `insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at) values ($1, $2, 'clearing', uuidv7(), now()) returning id`,
      values: [scope.tenantId, scope.environment],
    });
    late = row?.id ?? '';
    await db.rows({
      text: `insert into posting select $1, $2, $3, n, 'company:breakage', null, 'USD', n from unnest(array[-1, 1]) n`,
      values: [scope.tenantId, scope.environment, late],
    });
    await postJournals(app, scope, journals(2));
    expect(await seal(app, scope)).toBe(2);
  });
  expect(await seal(app, scope)).toBe(1);
  const [first, second] = await expectChain(scope);
  expect(second?.entries[0]?.journal_id).toBe(late);
  expect(late < (first?.entries[0]?.journal_id ?? '')).toBe(true);
});

test('many writers and many sealers: every journal in exactly one block', async () => {
  let writing = true;
  const isWriting = (): boolean => writing;
  const writer = async (): Promise<void> => {
    for (let i = 0; i < 25; i++) await postJournals(app, scope, journals(1 + (i % 3)));
  };
  const sealer = async (): Promise<void> => {
    while (isWriting()) await seal(app, scope);
  };
  const sealers = Array.from({ length: 3 }, sealer);
  await Promise.all(Array.from({ length: 6 }, writer));
  writing = false;
  await Promise.all(sealers);
  await sealAll(app, scope);
  const expected = 6 * Array.from({ length: 25 }, (_, i) => 1 + (i % 3)).reduce((a, b) => a + b);
  expect(await placesOf(scope)).toEqual({ '1/0': expected });
  expect((await expectChain(scope)).length).toBeGreaterThan(1);
});

test('rows of the queue that make no sense stop nobody and stay for the verification', async () => {
  const [sealed] = await postJournals(app, scope, journals(1));
  await seal(app, scope);
  const insert = (id: string) => `insert into ledger_unsealed values ('${scope.tenantId}', 'LIVE', '${id}')`;
  await tamper(app, `${insert(sealed ?? '')}; ${insert('00000000-0000-7000-8000-000000000001')}`);
  await postJournals(app, scope, journals(2));
  expect(await sealAll(app, scope)).toBe(2);
  await expectChain(scope);
  expect(await placesOf(scope)).toEqual({ '1/0': 2, '1/1': 1 });
});

test('what is sealed can be neither changed nor unsealed by the service', async () => {
  await postJournals(app, scope, journals(1));
  await seal(app, scope);
  for (const text of ['update ledger_block set entry_count = 2', 'delete from ledger_block_entry', 'delete from ledger_block']) {
    await expect(
      app.composition.frames.write(scope, (db) => db.rows({ text, values: [] })),
      text,
    ).rejects.toThrow(/permission denied|append-only/);
  }
});
