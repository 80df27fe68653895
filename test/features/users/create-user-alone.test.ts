/**
 * POST /users as one group of messages: its locks are held before its insert reads, what was lost is found again, and who
 * hears of members is told. Source: docs/decisions/0002-pipelined-frame.md.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { LOCK_CLASSES } from '../../../src/db/lock-classes.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const fresh = () => `${randomUUID()}@shop.example`;
const create = (body: object, headers: Record<string, string> = {}) =>
  client.post('/api/v1/users', { email: fresh(), ...body }, headers);

/** Somebody in a transaction of its own that holds the tree's lock alone, as a move of a sponsor does. */
async function holdTree(): Promise<pg.Client> {
  const url = new URL(inject('cluster').superuserUrl);
  url.pathname = `/${app.database.name}`;
  const holder = new pg.Client({ connectionString: url.href });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select pg_advisory_xact_lock(hashtextextended($1 || ':LIVE', ${LOCK_CLASSES.members}))`, [tenant.tenantId]);
  return holder;
}

/** The processes that wait for an advisory lock, once there are so many. */
async function waiting(count: number): Promise<number[]> {
  return vi.waitFor(
    async () => {
      const rows = await app.database.asSuperuser<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
      );
      expect(rows).toHaveLength(count);
      return rows.map(({ pid }) => pid);
    },
    { timeout: 1_500, interval: 5 },
  );
}

const membersWith = async (email: string) =>
  (await app.database.asSuperuser('select from member where tenant_id = $1 and email = $2', [tenant.tenantId, email])).length;

describe('beside a change of the sponsor that is under way', () => {
  test('two wait, and both see that it may not recruit any more', async () => {
    const sponsor = await client.newMember();
    const holder = await holdTree();
    try {
      await holder.query('update member set can_recruit = false where id = $1', [sponsor.id]);
      const both = Promise.all([create({ parent_id: sponsor.id }), create({ referral_code: sponsor.referral_code })]);
      await waiting(2);
      await holder.query('commit');
      for (const answer of await both) expectRefusal(answer, 403, 'RECRUITING_DISABLED');
    } finally {
      await holder.end();
    }
  });

  test.each([
    ['without a key', {}],
    ['with an Idempotency-Key', { 'idempotency-key': 'k' }],
  ])('it waits, and is counted for the upline that the sponsor has then: %s', async (_how, headers) => {
    const [sponsor, above] = [await client.newMember(), await client.newMember()];
    const holder = await holdTree();
    try {
      await holder.query('update member set parent_id = $2 where id = $1', [sponsor.id, above.id]);
      const created = create({ parent_id: sponsor.id }, headers);
      await waiting(1);
      await holder.query('rollback');
      const { body } = await created;
      const counted = () =>
        app.database.asSuperuser('select ancestor_ids from downline_pending where tenant_id = $1 and member_id = $2', [
          tenant.tenantId,
          body.id,
        ]);
      expect(await counted()).toEqual([{ ancestor_ids: [sponsor.id] }]);
    } finally {
      await holder.end();
    }
    expect((await client.post(`/api/v1/members/${sponsor.id}/sponsor`, { sponsorId: above.id })).status).toBe(200);
    const { body: second } = await create({ parent_id: sponsor.id });
    const [row] = await app.database.asSuperuser('select ancestor_ids from downline_pending where member_id = $1', [second.id]);
    expect(row).toEqual({ ancestor_ids: [sponsor.id, above.id] });
  });

  test('another tenant does not wait', async () => {
    const other = apiClient(app, (await app.newTenant()).liveKey);
    const sponsor = await client.newMember();
    const holder = await holdTree();
    try {
      expect((await other.post('/api/v1/users', { email: fresh() })).status).toBe(201);
      const answer = await other.post('/api/v1/users', { email: fresh(), parent_id: sponsor.id });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
    } finally {
      await holder.end();
    }
  });

  test('a repeat by its Idempotency-Key does not wait, whatever it says', async () => {
    const body = { email: fresh() };
    const first = await create(body, { 'idempotency-key': 'k' });
    const holder = await holdTree();
    try {
      const repeat = await create(body, { 'idempotency-key': 'k' });
      expect([repeat.status, repeat.text, repeat.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
      expectRefusal(await create({}, { 'idempotency-key': 'k' }), 422, 'IDEMPOTENCY_KEY_REUSED');
    } finally {
      await holder.end();
    }
  });
});

test('ten at once under one sponsor are all made and counted once', async () => {
  const sponsor = await client.newMember();
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ parent_id: sponsor.id })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  const [row] = await app.database.asSuperuser(
    'select sum(delta)::int as delta, count(*)::int as rows from downline_pending where ancestor_ids = array[$1::uuid]',
    [sponsor.id],
  );
  expect(row).toEqual({ delta: 10, rows: 10 });
});

test.each([
  ['without a key', undefined],
  ['with one Idempotency-Key', 'k'],
])('twice at once %s: one member', async (_how, key) => {
  const body = { email: fresh() };
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const answers = await Promise.all([create(body, headers), create(body, headers)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual(key === undefined ? [201, 409] : [201, 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(key === undefined ? 2 : 1);
  expect(await membersWith(body.email)).toBe(1);
});

describe('a lost connection', () => {
  test.each([
    ['without a key', {}],
    ['with an Idempotency-Key', { 'idempotency-key': 'k' }],
  ])('while it waits for the lock: it is run again, %s', async (_how, headers) => {
    const holder = await holdTree();
    const email = fresh();
    try {
      const created = create({ email }, headers);
      const [pid] = await waiting(1);
      await app.database.asSuperuser('select pg_terminate_backend($1)', [pid]);
      await holder.query('commit');
      expect((await created).status).toBe(201);
    } finally {
      await holder.end();
    }
    expect(await membersWith(email)).toBe(1);
  });

  /** The answer of the first group that ends in the insert does not arrive; what it did stands. */
  function loseFirstAnswer(): void {
    type Group = { name?: string; opening?: string; callback?: (error: Error | null, result: unknown) => void };
    const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;
    let lost = false;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      const group = args[0] as Group;
      const { callback } = group;
      if (!lost && group.name === 'users_insert' && group.opening !== undefined && callback) {
        lost = true;
        group.callback = () => callback(new Error('Connection terminated unexpectedly'), undefined);
      }
      return original.apply(this, args) as never;
    });
  }

  test('behind the commit: it is run again and answers with the member that is there', async () => {
    const sponsor = await client.newMember();
    const body = { email: fresh(), external_id: randomUUID(), parent_id: sponsor.id };
    loseFirstAnswer();
    const answer = await create(body);
    expect(answer.status).toBe(201);
    expect((await client.get(`/api/v1/users/${answer.body.id}`)).body).toEqual(answer.body);
    expect(await membersWith(body.email)).toBe(1);
  });

  test('does not make a member of before the answer', async () => {
    const { email } = await client.newMember();
    loseFirstAnswer();
    expectRefusal(await create({ email }), 409, 'EMAIL_EXISTS');
    expect(await membersWith(email)).toBe(1);
  });
});

describe('who hears of members', () => {
  const hear = (...patterns: string[]) =>
    app.database.asSuperuser(
      `insert into webhook_hearing (tenant_id, environment, patterns) values ($1, 'LIVE', $2)
       on conflict (tenant_id, environment) do update set patterns = excluded.patterns`,
      [tenant.tenantId, patterns],
    );
  const told = async (id: string) =>
    (
      await app.database.asSuperuser<{ type: string }>('select type from outgoing_event where object_id = $1 order by type', [id])
    ).map(({ type }) => type);

  test.each(['*', 'member.*', 'member.created'])('by %s is told of the first and of the next', async (pattern) => {
    await create({});
    await hear(pattern);
    for (let i = 0; i < 2; i++) expect(await told((await create({})).body.id)).toEqual(['member.created']);
  });

  test('of leads alone is told of a lead that became a member, and of no member', async () => {
    await hear('lead.converted');
    const email = fresh();
    const { body: lead } = await client.post('/api/v1/leads/capture', { email });
    const { body } = await create({ email });
    expect([await told(lead.id), await told(body.id)]).toEqual([['lead.converted'], []]);
  });

  test('a refusal is told to nobody, and is the same', async () => {
    await hear('*');
    const sponsor = await client.newMember({ can_recruit: false });
    expectRefusal(await create({ parent_id: sponsor.id }), 403, 'RECRUITING_DISABLED');
  });
});
