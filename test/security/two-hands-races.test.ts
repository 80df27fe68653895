/**
 * Two pairs of hands at the same moment. Each race is run many times, with now the one and now the other sent first; where
 * both may win, both must have been seen to.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ApiClient, MemberBody } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { expectSoundBooks } from '../support/money/sound-books.ts';
import { createPayoutVendorDouble } from '../support/payments/payout-vendor-double.ts';
import { act, approveKyc, checkAll, draft, earn, plantAccount, runOf } from '../support/payments/payout-world.ts';
import {
  changeSettings,
  goneOf,
  type HandsWorld,
  letMoneyGo,
  newRoot,
  openHands,
  pass,
} from '../support/two-hands/hands-world.ts';

const CHANGES = '/api/v1/admin/pending-changes';
const ROUNDS = 12;

let app: TestApp;
let world: Pick<HandsWorld, 'app' | 'scope' | 'first' | 'firstsOwn' | 'second'>;
let first: ApiClient;
let second: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});
beforeEach(async () => {
  world = await openHands(app);
  first = world.first.client;
  second = world.second.client;
});

interface Told {
  status: number;
  body: { code?: string };
  text: string;
}

/**
 * Both at once, round for round: who is sent first changes, and by how much. Returns how often each pair of statuses came.
 */
async function race(
  round: (
    index: number,
  ) => Promise<{ one: () => Promise<Told>; other: () => Promise<Told>; after?: (one: Told, other: Told) => Promise<void> }>,
) {
  const seen = new Map<string, number>();
  for (let index = 0; index < ROUNDS; index += 1) {
    const { one, other, after } = await round(index);
    const late = (index % 6) * 2;
    const delayed = async (fn: () => Promise<Told>, isLate: boolean): Promise<Told> => {
      if (isLate && late > 0) await new Promise((resolve) => setTimeout(resolve, late));
      return fn();
    };
    const [a, b] = await Promise.all([delayed(one, index % 2 === 0), delayed(other, index % 2 === 1)]);
    const pair = `${a.status} ${b.status}`;
    seen.set(pair, (seen.get(pair) ?? 0) + 1);
    expect(Math.max(a.status, b.status), `${a.text} ${b.text}`).toBeLessThan(500);
    await after?.(a, b);
  }
  return seen;
}

const stored = async () => {
  const [row] = await app.database.asSuperuser<{ dual_control: boolean; require_kyc: boolean; hours: number }>(
    'select dual_control, require_kyc, account_cooldown_hours as hours from payment_settings where tenant_id = $1',
    [world.scope.tenantId],
  );
  if (!row) throw new Error('there are no settings');
  return row;
};

async function ask(payments: object): Promise<string> {
  const { status, body } = await changeSettings(first, payments);
  expect(status).toBe(202);
  return body.pendingChange.id as string;
}
const confirm = (id: string, client = second) => client.post(`${CHANGES}/${id}/confirm`, {});
const reject = (id: string, client = second) => client.post(`${CHANGES}/${id}/reject`, {});
const statusOf = async (id: string) => (await second.get(`${CHANGES}/${id}`)).body.status as string;

/** Whom nothing keeps from being paid, with an account at the vendor. */
async function payee(): Promise<MemberBody & { accountId: string }> {
  const member = await first.newMember();
  await approveKyc(app, member.id);
  return { ...member, accountId: await plantAccount(app, world.scope, member.id, { provider: 'payvendor' }) };
}

async function draftOf(member: MemberBody): Promise<{ runId: string; payoutId: string }> {
  await earn(app, world.scope, first, member, 10_000);
  const { id, payouts } = await draft(first);
  return { runId: id, payoutId: payouts[0]?.id ?? '' };
}

test('two approvals by two roots: one of them', async () => {
  const third = await newRoot(app, world.scope);
  const member = await payee();
  const seen = await race(async () => {
    const { runId } = await draftOf(member);
    return {
      one: () => act(second, runId, 'approve'),
      other: () => act(third.client, runId, 'approve'),
      async after(one) {
        const approvedBy = (await first.get(`/api/v1/payout-runs/${runId}`)).body.approvedBy.id;
        expect(approvedBy).toBe(one.status === 200 ? world.second.keyId : third.keyId);
        const entries = (await first.get(`/api/v1/admin/audit-logs?objectId=${runId}&action=payout_run.approved`)).body.data;
        if (Array.isArray(entries)) expect(entries).toHaveLength(1);
      },
    };
  });
  expect([...seen.keys()].toSorted()).toEqual(['200 409', '409 200']);
});

test("the drafter's approval beside the confirmation that dual control is off: never", async () => {
  const member = await payee();
  const seen = await race(async (index) => {
    if (index > 0) await pass(changeSettings(second, { dualControl: true }));
    const { runId } = await draftOf(member);
    const id = await ask({ dualControl: false });
    return {
      one: () => act(world.firstsOwn.client, runId, 'approve'),
      other: () => confirm(id),
      async after() {
        expect((await runOf(first, runId)).status).toBe('draft');
        expect((await act(first, runId, 'approve')).status).toBe(403);
        await pass(act(first, runId, 'cancel'));
      },
    };
  });
  expect([...seen.keys()]).toEqual(['403 200']);
});

test('a confirmation beside a tightening: what is tightened stays', async () => {
  const seen = await race(async (index) => {
    const hours = 100 + index;
    const id = await ask({ accountCooldownHours: 10 });
    return {
      one: () => confirm(id),
      other: () => changeSettings(first, { accountCooldownHours: hours }),
      async after(one, other) {
        expect(other.status, other.text).toBe(200);
        expect(await stored()).toMatchObject({ hours });
        expect(await statusOf(id)).toBe(one.status === 200 ? 'confirmed' : 'cancelled');
      },
    };
  });
  expect([...seen.keys()].toSorted()).toEqual(['200 200', '409 200']);
});

test('a confirmation beside the same one: one of them', async () => {
  const third = await newRoot(app, world.scope);
  const seen = await race(async (index) => {
    if (index > 0) await pass(changeSettings(second, { requireKyc: true }));
    const id = await ask({ requireKyc: false });
    return { one: () => confirm(id), other: () => confirm(id, third.client) };
  });
  expect([...seen.keys()].toSorted()).toEqual(['200 409', '409 200']);
});

test('a confirmation beside a rejection: one of them, and the setting is as the change is', async () => {
  const third = await newRoot(app, world.scope);
  const seen = await race(async () => {
    await pass(changeSettings(second, { requireKyc: true }));
    const id = await ask({ requireKyc: false });
    return {
      one: () => confirm(id),
      other: () => reject(id, third.client),
      async after(one) {
        expect(await statusOf(id)).toBe(one.status === 200 ? 'confirmed' : 'rejected');
        expect((await stored()).require_kyc).toBe(one.status !== 200);
      },
    };
  });
  expect([...seen.keys()].toSorted()).toEqual(['200 409', '409 200']);
});

test('two requests for the same weakening: one waits', async () => {
  const seen = await race(async () => ({
    one: () => changeSettings(first, { dualControl: false }),
    other: () => changeSettings(second, { dualControl: false }),
    async after(one, other) {
      const waiting = (one.status === 202 ? one : other) as { body: { pendingChange?: { id: string } } };
      await pass(reject(waiting.body.pendingChange?.id ?? ''));
      expect((await stored()).dual_control).toBe(true);
    },
  }));
  expect([...seen.keys()].toSorted()).toEqual(['202 409', '409 202']);
});

test("an approval beside the end of the approver's key: who is through is through, and nobody later", async () => {
  const member = await payee();
  const seen = await race(async () => {
    const approver = await newRoot(app, world.scope);
    const { runId } = await draftOf(member);
    return {
      one: () => act(approver.client, runId, 'approve'),
      other: () => second.delete(`/api/v1/admin/api-keys/${approver.keyId}`),
      async after(one, other) {
        expect(other.status).toBe(200);
        expect((await runOf(first, runId)).status).toBe(one.status === 200 ? 'approved' : 'draft');
        await pass(act(first, runId, 'cancel'));
      },
    };
  });
  for (const pair of seen.keys()) expect(['200 200', '401 200']).toContain(pair);
});

test("a confirmation beside the end of the proposer's key: a key that is no more asks for nothing", async () => {
  const seen = await race(async () => {
    await pass(changeSettings(second, { requireKyc: true }));
    const asking = await newRoot(app, world.scope);
    const { body } = await changeSettings(asking.client, { requireKyc: false });
    const id = body.pendingChange.id as string;
    return {
      one: () => confirm(id),
      other: () => first.delete(`/api/v1/admin/api-keys/${asking.keyId}`),
      async after(one) {
        expect((await stored()).require_kyc).toBe(one.status !== 200);
        if (one.status !== 200) await pass(reject(id));
      },
    };
  });
  for (const pair of seen.keys()) expect(['200 200', '409 200']).toContain(pair);
});

test('an erasure beside an execution: paid once to the account that was approved, or not at all', async () => {
  const vendor = createPayoutVendorDouble();
  const owed = app.composition.app.operations.some(({ operationId }) => operationId === 'createSettlement');
  const seen = await race(async () => {
    const member = await payee();
    const { runId, payoutId } = await draftOf(member);
    await pass(act(second, runId, 'approve'));
    return {
      one: () => act(first, runId, 'execute'),
      other: () => first.post(`/api/v1/members/${member.id}/erasure`, owed ? { acknowledgeOwed: true } : {}),
      async after(one, other) {
        expect([one.status, other.status]).toEqual([200, 200]);
        await letMoneyGo(world, vendor);
        const gone = (await goneOf(world)).filter((payout) => payout.payoutId === payoutId);
        const sent = [...vendor.transfers.values()].filter(({ metadata }) => metadata['payout_id'] === payoutId);
        expect(sent).toHaveLength(gone.length);
        for (const payout of gone) expect(payout).toMatchObject({ accountId: member.accountId, amountMinor: 10_000 });
      },
    };
  });
  expect([...seen.keys()]).toEqual(['200 200']);
});

test('an erasure beside the worker: paid once to the account that was approved, or not at all', async () => {
  const vendor = createPayoutVendorDouble();
  const owed = app.composition.app.operations.some(({ operationId }) => operationId === 'createSettlement');
  for (let index = 0; index < ROUNDS; index += 1) {
    const member = await payee();
    const { runId, payoutId } = await draftOf(member);
    await pass(act(second, runId, 'approve'));
    await pass(act(first, runId, 'execute'));
    const erase = () => pass(first.post(`/api/v1/members/${member.id}/erasure`, owed ? { acknowledgeOwed: true } : {}));
    await Promise.all(index % 2 ? [erase(), letMoneyGo(world, vendor)] : [letMoneyGo(world, vendor), erase()]);
    await letMoneyGo(world, vendor);
    // A job passes over a payout that the erasure has locked at the moment: it is looked after within minutes, by a sweep.
    const [row] = await app.database.asSuperuser<{ status: string; looked_after: boolean; text: string }>(
      `select p.status, coalesce(p.check_at <= now() + interval '5 minutes', false) as looked_after, p::text as text
       from payout p where p.id = $1`,
      [payoutId],
    );
    if (row?.status === 'processing') expect(row.looked_after, row.text).toBe(true);
    await checkAll(app, world.scope, vendor);
    const gone = (await goneOf(world)).filter((payout) => payout.payoutId === payoutId);
    const sent = [...vendor.transfers.values()].filter(({ metadata }) => metadata['payout_id'] === payoutId);
    expect(sent, row?.text).toHaveLength(gone.length);
    for (const payout of gone) expect(payout).toMatchObject({ accountId: member.accountId, amountMinor: 10_000 });
  }
});

test('a change of primary beside a draft: nothing is drafted to an account that has just become the one', async () => {
  const seen = await race(async () => {
    const member = await payee();
    const readyId = await plantAccount(app, world.scope, member.id, { provider: 'payvendor', isPrimary: false });
    await app.database.asSuperuser("update payout_account set activated_at = now() - interval '30 days' where id = $1", [
      readyId,
    ]);
    await earn(app, world.scope, first, member, 10_000);
    return {
      one: () => first.post('/api/v1/payout-runs', { currency: 'USD' }),
      other: () => first.patch(`/api/v1/members/${member.id}/payout-accounts/${readyId}`, { isPrimary: true }),
      async after(one) {
        const run = one.body as { id?: string; payouts?: { payoutAccountId: string }[]; blocked?: { reason: string }[] };
        expect(run.payouts?.map(({ payoutAccountId }) => payoutAccountId)).not.toContain(readyId);
        expect([...(run.payouts ?? []), ...(run.blocked ?? [])]).toHaveLength(1);
        await pass(act(first, run.id ?? '', 'cancel'));
        // Of the next draft this member is none.
        await pass(first.put(`/api/v1/members/${member.id}/payout-hold`, { reason: randomUUID() }));
        const { body } = await first.get(`/api/v1/commissions?userId=${member.id}`);
        for (const { id } of body.data as { id: string }[])
          await first.post(`/api/v1/commissions/${id}/void`, { reason: 'done' });
      },
    };
  });
  expect([...seen.keys()]).toEqual(['201 200']);
});
