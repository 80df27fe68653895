/** The daily check begins where the last one ended, and is of the whole once a week: docs/specification/commissions.md#sealing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { createLedgerCheck } from '../../../src/features/ledger/check-ledger.ts';
import { noteCheck } from '../../../src/features/ledger/last-check-queries.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { tamper } from '../../support/money/ledger-books.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Books {
  scope: Scope;
  client: ApiClient;
  /** Records a purchase and seals it into the next block. */
  addBlock(): Promise<void>;
  /** One attempt of the job. */
  check(): Promise<void>;
  verify(
    query?: string,
  ): Promise<{ ok: boolean; fromSeq: number | null; blocks: number; faults: { kind: string }[]; lastCheck: unknown }>;
  /** Adds one unit to the first posting of a block. */
  alter(block: number): Promise<void>;
  /** The last check of the whole was so long ago. */
  age(days: number): Promise<void>;
}

async function newBooks(): Promise<Books> {
  const { tenantId, liveKey } = await app.newTenant();
  const scope: Scope = { tenantId, environment: 'LIVE' };
  const client = apiClient(app, liveKey);
  const { id } = await client.newMember();
  const { frames } = app.composition.background;
  return {
    scope,
    client,
    async addBlock() {
      await purchaseOf(client, { attribution: { user_id: id } });
      await app.runSweep('seal-ledger', scope);
    },
    async check() {
      const job = { scope, attempt: 1 } as Parameters<ReturnType<typeof createLedgerCheck>['run']>[1];
      await createLedgerCheck(createLogger('silent')).run(frames, job, new AbortController().signal);
    },
    async verify(query = '') {
      const answer = await client.get(`/api/v1/admin/ledger/verify${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    alter: (block) =>
      tamper(
        app,
        `update posting set amount_minor = amount_minor + 1 where tenant_id = '${tenantId}' and seq = 0 and journal_id in (
           select journal_id from ledger_block_entry where tenant_id = '${tenantId}' and block_seq = ${block})`,
      ),
    age: (days) =>
      tamper(app, `update ledger_check set whole_at = whole_at - interval '${days} days' where tenant_id = '${tenantId}'`),
  };
}

test('the first check is of the whole, the next begin at the last sound block, and the whole is due after a week', async () => {
  const books = await newBooks();
  await books.addBlock();
  await books.addBlock();
  expect((await books.verify('?mode=routine')).fromSeq).toBeNull();
  await books.check();
  const first = await books.verify();
  expect(first).toMatchObject({ ok: true, fromSeq: null, blocks: 2, lastCheck: { seq: 2 } });
  await books.addBlock();
  expect(await books.verify('?mode=routine')).toMatchObject({ ok: true, fromSeq: 2, blocks: 2, lastCheck: { seq: 2 } });
  await books.check();
  expect(await books.verify('?mode=routine')).toMatchObject({ fromSeq: 3, blocks: 1, lastCheck: { seq: 3 } });

  // Behind the last sound block only the whole looks.
  await books.alter(1);
  await books.check();
  expect((await books.verify('?mode=routine')).ok).toBe(true);
  await books.age(6);
  await books.check();
  await books.age(1);
  await expect(books.check()).rejects.toThrow('JOURNAL_ALTERED');
  expect((await books.verify()).faults).toMatchObject([{ kind: 'JOURNAL_ALTERED' }, { kind: 'UNBALANCED' }]);
});

test('a fault in what is new is found, moves nothing on, and is found again', async () => {
  const books = await newBooks();
  await books.addBlock();
  await books.check();
  await books.addBlock();
  await books.alter(2);
  await books.addBlock();
  for (const _twice of [1, 2]) {
    await expect(books.check()).rejects.toThrow('JOURNAL_ALTERED');
    const found = await books.verify('?mode=routine');
    expect(found).toMatchObject({ ok: false, fromSeq: 1, lastCheck: { seq: 1 } });
  }
});

test('a chain that is written anew from some block on is found by the hash that was kept', async () => {
  const books = await newBooks();
  await books.addBlock();
  await books.addBlock();
  await books.check();
  await tamper(app, `update ledger_check set block_hash = sha256('other') where tenant_id = '${books.scope.tenantId}'`);
  await expect(books.check()).rejects.toThrow('CHAIN_BROKEN');
  expect((await books.verify('?mode=routine')).faults).toMatchObject([{ kind: 'CHAIN_BROKEN' }]);
});

test('a check that ends after a later one changes nothing', async () => {
  const books = await newBooks();
  await books.addBlock();
  await books.addBlock();
  await books.check();
  const { frames } = app.composition.background;
  await frames.write(books.scope, (db) => noteCheck(db, books.scope, { seq: 1, hash: 'ab'.repeat(32), isWhole: true }));
  expect((await books.verify()).lastCheck).toMatchObject({ seq: 2 });
});

test('another tenant and another environment have their own; an empty ledger has none', async () => {
  const [one, other] = [await newBooks(), await newBooks()];
  await one.addBlock();
  await one.check();
  await other.check();
  expect((await other.verify()).lastCheck).toBeNull();
  expect((await one.verify()).lastCheck).toMatchObject({ seq: 1 });
});

test('a routine cannot be asked for from a block', async () => {
  const { client } = await newBooks();
  const answer = await client.get('/api/v1/admin/ledger/verify?mode=routine&fromSeq=1');
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('must be whole where fromSeq is given');
});
