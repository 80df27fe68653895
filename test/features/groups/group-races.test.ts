/** Groups at once: archiving beside moves and publications, moves beside moves and sales (docs/specification/groups.md#archive). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { addPlan } from '../../support/money/model-plan.ts';
import { purchaseOf, type Sale } from '../../support/money/money-calls.ts';
import { openEar } from '../../support/webhooks/told-events.ts';
import { importCsv } from '../imports/csv-imports.ts';
import { auditedOf, GROUPS, groupOf, groupsOf, move, newGroups, paying } from './group-calls.ts';

const PLANS = '/api/v1/commission-plans';
const USERS = '/api/v1/users';
const ROUNDS = 12;

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await expectCleanBooks(app); // H-1: each member is the latest of its history
  await app.close();
});

const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const email = () => `${randomUUID()}@shop.example`;
const archive = (key: string) => client.delete(`${GROUPS}/${key}`);
const inArchived = () =>
  app.database.asSuperuser(
    `select m.id from member m join member_group g on g.tenant_id = m.tenant_id and g.environment = m.environment and g.key = m.group_key
     where m.tenant_id = $1 and g.status = 'archived'`,
    [tenant.tenantId],
  );

describe('of a group', () => {
  test('that twelve make, one is made', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.post(GROUPS, { key: 'vip', name: 'VIP' })));
    expect(statuses(answers)).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(
      new Set(['GROUP_EXISTS']),
    );
    expect(await auditedOf(app, tenant.tenantId, 'vip')).toEqual([['member_group.created']]);
  });

  test('that is made under one Idempotency-Key twelve times, there is one answer', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => client.post(GROUPS, { key: 'vip', name: 'VIP' }, headers);
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    expect(new Set([...answers, await send()].map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await auditedOf(app, tenant.tenantId, 'vip')).toEqual([['member_group.created']]);
  });

  test('that is archived under one Idempotency-Key, it is archived once', async () => {
    await newGroups(client, 'vip');
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => client.delete(`${GROUPS}/vip`, headers);
    const answers = [...(await Promise.all([send(), send(), send(), send()])), await send()];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.body.status).toBe('archived');
    expect(await auditedOf(app, tenant.tenantId, 'vip')).toEqual([['member_group.created'], ['member_group.archived']]);
  });

  test('that is archived and brought back at once, the last one holds', async () => {
    await newGroups(client, 'vip');
    const calls = [0, 1, 2, 3].flatMap(() => [archive('vip'), client.patch(`${GROUPS}/vip`, { status: 'active' })]);
    expect(statuses(await Promise.all(calls))).toEqual(calls.map(() => 200));
    expect(['active', 'archived']).toContain((await client.get(`${GROUPS}/vip`)).body.status);
  });
});

describe('archiving', () => {
  const ways: Record<string, (key: string, member: MemberBody) => Promise<number>> = {
    'a move': async (key, member) => (await move(client, key, [member])).status,
    'a move that is dated back': async (key, member) =>
      (await move(client, key, [member], { effectiveAt: '2026-01-01T00:00:00Z' })).status,
    'PATCH of a member': async (key, member) => (await client.patch(`${USERS}/${member.id}`, { group: key })).status,
    'PUT of a member': async (key) => {
      const answer = await client.put(`${USERS}/by-external-id/${key}`, { email: email(), group: key });
      return answer.status === 201 ? 200 : answer.status;
    },
    'a new member': async (key) => {
      const answer = await client.post(USERS, { email: email(), group: key });
      return answer.status === 201 ? 200 : answer.status;
    },
    'a file of members': async (key) => {
      const { appliedCount } = await importCsv(app, tenant.liveKey, `email,group\n${email()},${key}\n`);
      return appliedCount === 1 ? 200 : 400;
    },
  };

  test.each(Object.keys(ways))('beside %s: one of them is refused, and nobody is in an archived group', async (name) => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = `g-${round}`;
      await newGroups(client, key);
      const member = await client.newMember();
      // What it comes across changes from round to round: a file takes longer.
      const later = name === 'a file of members' ? round * 12 : round % 3;
      const [came, archived] = await Promise.all([ways[name]?.(key, member), sleep(later).then(() => archive(key))]);
      expect(['200 409', '400 200']).toContain(`${came} ${archived.status}`);
      expect((await client.get(`${USERS}?group=${key}`)).body.data).toHaveLength(came === 200 ? 1 : 0);
      if (archived.status === 409) expect(archived.body.details).toEqual({ members: 1, planIds: [] });
    }
    expect(await inArchived()).toEqual([]);
  });

  test('beside a publication that names the group: one of them is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = `g-${round}`;
      await newGroups(client, key);
      const plan = await client.post(PLANS, { name: 'A plan', definition: paying(2000, { groups: [key] }) });
      const publish = client.post(`${PLANS}/${plan.body.id}/publish`, {});
      const [published, archived] = await Promise.all([publish, sleep(round % 3).then(() => archive(key))]);
      expect(['201 409', '422 200']).toContain(`${published.status} ${archived.status}`);
      if (archived.status === 409) expect(archived.body.details).toEqual({ members: 0, planIds: [plan.body.id] });
      else expect(published.body.details.reasons[0].rule).toBe('GROUP_UNKNOWN');
    }
  });
});

describe('moves', () => {
  test('of one member into several groups are all recorded, one behind the other, and the last one holds', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    await newGroups(client, ...keys);
    const member = await client.newMember();
    const answers = await Promise.all(
      keys.map((key, n) => (n % 2 === 0 ? move(client, key, [member]) : client.patch(`${USERS}/${member.id}`, { group: key }))),
    );
    expect(statuses(answers)).toEqual(keys.map(() => 200));
    const entries = await groupsOf(client, member);
    expect(entries[0]).toEqual(['default', null, null]);
    expect(entries.map(([group]) => group ?? '').toSorted()).toEqual([...keys, 'default'].toSorted());
    const times = entries.slice(1).map(([, from]) => from ?? '');
    expect(times).toEqual(times.toSorted());
    expect(await groupOf(client, member)).toBe(entries.at(-1)?.[0]);
  });

  test('of one member into one group at once are one move', async () => {
    await newGroups(client, 'vip');
    await client.patch('/api/v1/admin/settings', { webhooks: { eventLog: true } });
    const member = await client.newMember();
    const ear = openEar(app, scope);
    await ear.heard();
    const answers = await Promise.all(Array.from({ length: 8 }, () => move(client, 'vip', [member])));
    expect(answers.map(({ body }) => body.moved).filter((count) => count !== 0)).toEqual([1]);
    expect(statuses(answers)).toEqual(answers.map(() => 200));
    expect(await groupsOf(client, member)).toHaveLength(2);
    expect((await ear.heard()).map(({ type }) => type)).toEqual(['group.changed']);
    expect(await auditedOf(app, tenant.tenantId, member.id)).toHaveLength(1);
  });

  test('under one Idempotency-Key have one answer and are one, also dated', async () => {
    await newGroups(client, 'vip');
    const member = await client.newMember();
    const headers = { 'idempotency-key': randomUUID() };
    const body = { userIds: [member.id], effectiveAt: '2026-05-01T00:00:00Z' };
    const send = () => client.post(`${GROUPS}/vip/members`, body, headers);
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    expect(new Set([...answers, await send()].map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`200 ${JSON.stringify({ group: 'vip', moved: 1 })}`]),
    );
    expect(await groupsOf(client, member)).toHaveLength(2);
  });

  test('of the same members in another order wait for each other', async () => {
    await newGroups(client, 'vip', 'gold');
    const members: MemberBody[] = [];
    for (let n = 0; n < 10; n++) members.push(await client.newMember());
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_none, n) =>
        move(client, n % 3 === 0 ? 'gold' : 'vip', n % 2 === 0 ? members : members.toReversed()),
      ),
    );
    expect(statuses(answers)).toEqual(answers.map(() => 200));
    const groups = await Promise.all(members.map((member) => groupOf(client, member)));
    expect(new Set(groups).size).toBe(1);
  });
});

interface Sold {
  occurredAt: string;
  group: string;
  paid: number;
}

describe.each(['LIVE', 'SANDBOX'])('a sale beside moves, %s', (environment) => {
  test('is paid by the group that the member was in at its time', async () => {
    const by = apiClient(app, environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey);
    await newGroups(by, 'vip');
    for (const [rateBps, groups] of [
      [2000, ['vip']],
      [1000, ['default']],
    ] as const) {
      const plan = await by.post(PLANS, { name: 'A plan', definition: paying(rateBps, { groups: [...groups] }) });
      expect((await by.post(`${PLANS}/${plan.body.id}/publish`, {})).status).toBe(201);
    }
    const seller = await by.newMember();
    const sold: Sold[] = [];
    const credited = { attribution: { user_id: seller.id } };
    const note = async ({ event_id: id, commissions }: Sale) => {
      const { body } = await by.get(`/api/v1/events/${id}/explain`);
      sold.push({ occurredAt: body.occurred_at, group: body.plan_choice.group, paid: commissions[0]?.amount_minor ?? 0 });
    };
    const sell = async () => {
      for (let n = 0; n < 12; n++) await note(await purchaseOf(by, credited));
    };
    const sellInBatches = async () => {
      for (let n = 0; n < 4; n++) {
        const events = [0, 1, 2].map(() => ({ kind: 'purchase', ...by.purchaseBody(credited) }));
        const { body } = await by.post('/api/v1/events/batch', { events });
        for (const { body: sale } of body.results) await note(sale);
      }
    };
    const change = async () => {
      for (let n = 0; n < 20; n++) {
        const key = n % 2 === 0 ? 'vip' : 'default';
        const answer = n % 4 < 2 ? await move(by, key, [seller]) : await by.patch(`${USERS}/${seller.id}`, { group: key });
        if (answer.status !== 200) throw new Error(`not moved: ${answer.text}`);
      }
    };
    await Promise.all([change(), sell(), sell(), sell(), sell(), sellInBatches(), sellInBatches()]);
    const entries = (await groupsOf(by, seller)).map(([group, from]) => ({ group, from }));
    expect(entries).toHaveLength(21);
    const wrong = sold.filter(({ occurredAt, group, paid }) => {
      const held = entries.findLast(({ from }) => from == null || Date.parse(from) <= Date.parse(occurredAt))?.group;
      return group !== held || paid !== (held === 'vip' ? 2000 : 1000);
    });
    expect(wrong).toEqual([]);
    expect(sold).toHaveLength(72);
  });
});

test('all of it at once ends without a fault, and nobody is in an archived group', async () => {
  const keys = ['a', 'b', 'c'];
  await newGroups(client, ...keys);
  await addPlan(app, tenant, paying(2000, { groups: ['a', 'b'] }), { effectiveTo: '2020-01-01T00:00:00Z' });
  const members: MemberBody[] = [];
  for (let n = 0; n < 6; n++) members.push(await client.newMember({ group: keys[n % 3] }));
  const answers: Response[] = [];
  const chores: ((n: number) => Promise<Response>)[] = [
    (n) => move(client, keys[n % 3] ?? '', members),
    (n) => client.patch(`${USERS}/${members[n % 6]?.id}`, { group: keys[(n + 1) % 3], membership_tier: 'SENIOR' }),
    (n) => client.post(USERS, { email: email(), group: keys[n % 3], parent_id: members[0]?.id }),
    (n) => archive(keys[n % 3] ?? ''),
    (n) => client.patch(`${GROUPS}/${keys[n % 3]}`, { status: 'active' }),
    (n) => client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: members[n % 6]?.id } })),
    (n) => client.post(`/api/v1/members/${members[1]?.id}/sponsor`, { sponsorId: n % 2 === 0 ? members[2]?.id : null }),
  ];
  await Promise.all(
    chores.map(async (chore) => {
      for (let n = 0; n < 15; n++) answers.push(await chore(n));
    }),
  );
  expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
  expect(await inArchived()).toEqual([]);
});
