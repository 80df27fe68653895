/** Who approves a payout run: docs/specification/two-hands.md#runs. */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Environment, Scope } from '../../../src/db/scope.ts';
import { payouts } from '../../../src/features.ts';
import type { Caller } from '../../../src/http/operation.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { testCaller } from '../../support/app/test-caller.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { settle } from '../../support/payments/books-of-payouts.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { act, draft, payable, payoutOf, runOf, startPayouts } from '../../support/payments/payout-world.ts';

const KEYS = '/api/v1/admin/api-keys';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
/** Two roots. */
let one: ApiClient;
let other: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  [one, other] = [await root(), await root()];
  await rule('keys');
  await payable(app, scope, one, 6_000);
});

/** Of the clients of this file, the ids of their keys. */
const ids = new WeakMap<ApiClient, string>();
const idOf = (client: ApiClient): string => ids.get(client) ?? '';

function clientOf(keyId: string, apiKey: string): ApiClient {
  const client = apiClient(app, apiKey);
  ids.set(client, keyId);
  return client;
}

async function root(environment: Environment = 'LIVE'): Promise<ApiClient> {
  const { keyId, apiKey } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment });
  return clientOf(keyId, apiKey);
}

const rule = (asks: 'none' | 'keys' | 'persons', of: Scope = scope) =>
  plantPaymentSettings(app, of, {
    provider: 'manual',
    dualControl: asks !== 'none',
    ...(asks !== 'none' && { dualControlBy: asks }),
  });

async function made(answer: Promise<Response>): Promise<ApiClient> {
  const { status, text, body } = await answer;
  expect(status, text).toBe(201);
  return clientOf(body.id, body.apiKey);
}
const childOf = (client: ApiClient, fields: object = { preset: 'full' }) => made(client.post(KEYS, fields));
const roll = (by: ApiClient, key: ApiClient) => made(by.post(`${KEYS}/${idOf(key)}/roll`, { overlapSeconds: 3600 }));

const expectSecond = (answer: Response): void => {
  expect([answer.status, answer.body.code], answer.text).toEqual([403, 'SECOND_PERSON_REQUIRED']);
};
const expectDone = (answer: Response): void => expect(answer.status, answer.text).toBe(200);

test('a run shows who drafted and approved it, and the rule that it was drafted under', async () => {
  const run = await draft(one);
  expect(run).toMatchObject({ dualControl: 'keys', createdBy: { kind: 'api_key' }, approvedBy: null });
  expectSecond(await act(one, run.id, 'approve'));
  expect(await runOf(one, run.id)).toMatchObject({ status: 'draft', approvedBy: null });
  expectDone(await act(other, run.id, 'approve'));
  const shown = await runOf(one, run.id);
  expect(shown).toMatchObject({ status: 'approved', dualControl: 'keys', approvedBy: { id: idOf(other) } });
  // Whoever has the right executes, the drafter too.
  expectDone(await act(one, run.id, 'execute'));
});

test('without dual control whoever drafted may approve, and the run says so', async () => {
  await rule('none');
  const run = await draft(one);
  expect(run).toMatchObject({ dualControl: 'none' });
  expectDone(await act(one, run.id, 'approve'));
});

describe('no key of the drafter’s root approves', () => {
  test('one that it makes, one that this makes, and one that rolls itself', async () => {
    const child = await childOf(one);
    const grandchild = await childOf(child);
    const run = await draft(child);
    const rolled = await roll(grandchild, grandchild);
    for (const key of [one, child, grandchild, rolled]) expectSecond(await act(key, run.id, 'approve'));
    expectDone(await act(await childOf(other), run.id, 'approve'));
  });

  test('another root’s key that it rolls', async () => {
    const run = await draft(one);
    expectSecond(await act(await roll(one, other), run.id, 'approve'));
    expectDone(await act(other, run.id, 'approve'));
  });

  test('its own key that it has widened, or made for approving alone', async () => {
    const run = await draft(one);
    expectSecond(await act(await childOf(one, { scopes: ['payouts:approve'] }), run.id, 'approve'));
    const narrow = await childOf(one, { scopes: ['payouts:read'] });
    expectDone(await one.patch(`${KEYS}/${idOf(narrow)}`, { scopes: ['payouts:approve'] }));
    expectSecond(await act(narrow, run.id, 'approve'));
  });

  test('and the one that drafted, after the other root has rolled it: that is in the other’s hands, and may', async () => {
    const drafter = await childOf(one);
    const run = await draft(drafter);
    const rolled = await roll(other, drafter);
    expectSecond(await act(drafter, run.id, 'approve'));
    expectDone(await act(rolled, run.id, 'approve'));
  });

  test('a root that was revoked or disabled, and its keys go on', async () => {
    const [first, second] = [await childOf(one), await childOf(one)];
    const run = await draft(first);
    expectDone(await second.delete(`${KEYS}/${idOf(one)}`));
    expectSecond(await act(second, run.id, 'approve'));
    expectDone(await act(other, run.id, 'approve'));
  });
});

describe('an answer that is repeated', () => {
  const repeat = (client: ApiClient, path: string, body: object, key: string) =>
    client.post(path, body, { 'Idempotency-Key': key });

  test('is no second approval: the same Idempotency-Key of another root is another request, and a refusal is not stored', async () => {
    const run = await draft(one);
    const [path, key] = [`/api/v1/payout-runs/${run.id}/approve`, randomUUID()];
    expectSecond(await repeat(one, path, {}, key));
    expect((await repeat(other, path, {}, key)).status).toBe(200);
    // The drafter gets no approval of its own out of it, nor does the family that approved do so twice.
    const late = await repeat(one, path, {}, key);
    expect([late.status, late.body.code]).not.toEqual([200, undefined]);
    expect((await repeat(other, path, {}, key)).headers['idempotent-replayed']).toBe('true');
  });

  test('to a key that the drafter’s root has rolled is the same answer, and approves nothing', async () => {
    const first = await draft(one);
    const key = randomUUID();
    expect((await repeat(other, `/api/v1/payout-runs/${first.id}/approve`, {}, key)).status).toBe(200);
    const taken = await roll(one, other);
    expectDone(await act(one, first.id, 'cancel'));
    const replayed = await repeat(taken, `/api/v1/payout-runs/${first.id}/approve`, {}, key);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect((await runOf(one, first.id)).status).toBe('cancelled');
    const second = await draft(one);
    expect((await repeat(taken, `/api/v1/payout-runs/${second.id}/approve`, {}, key)).status).toBe(422);
    expectSecond(await act(taken, second.id, 'approve'));
  });
});

describe('the rule', () => {
  test('is the stricter one of then and now', async () => {
    const strict = await draft(one);
    await rule('none');
    expectSecond(await act(one, strict.id, 'approve'));
    await rule('persons');
    expectSecond(await act(other, strict.id, 'approve'));
    await rule('keys');
    expectDone(await act(other, strict.id, 'approve'));
  });

  test('binds drafts of before at once, and a draft for persons stays one', async () => {
    await rule('none');
    const lax = await draft(one);
    await rule('persons');
    for (const key of [one, other]) expectSecond(await act(key, lax.id, 'approve'));
    expectDone(await act(one, lax.id, 'cancel'));
    const persons = await draft(one);
    expect(persons).toMatchObject({ dualControl: 'persons' });
    await rule('keys');
    const refused = await act(other, persons.id, 'approve');
    expectSecond(refused);
    expect(refused.body.error).toContain('person');
  });

  test('is of the environment', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const inSandbox: Scope = { ...scope, environment: 'SANDBOX' };
    await payable(app, inSandbox, sandbox, 6_000);
    const free = await draft(sandbox);
    expect(free).toMatchObject({ dualControl: 'none' });
    expectDone(await act(sandbox, free.id, 'cancel'));
    await rule('keys', inSandbox);
    const bound = await draft(sandbox);
    expectSecond(await act(sandbox, bound.id, 'approve'));
    expect((await act(other, bound.id, 'approve')).status).toBe(404);
    expectDone(await act(await root('SANDBOX'), bound.id, 'approve'));
  });

  test('leaves no run out that was past drafting when it came: those show null, and the present rule is asked', async () => {
    const run = await draft(one);
    await app.database.asSuperuser('update payout_run set dual_control = null, drafter_root = null where id = $1', [run.id]);
    expectSecond(await act(await childOf(one), run.id, 'approve'));
    expectDone(await act(other, run.id, 'approve'));
    expect(await runOf(one, run.id)).toMatchObject({ dualControl: null });
  });

  test('has a person approve what a key drafted, but not the person of that key', async () => {
    const { runs } = app.composition.offer(payouts);
    const personal = (name: string): Caller => {
      const caller = testCaller(scope);
      const actor = { kind: 'staff', id: name } as const;
      return { ...caller, root: `staff:${name}`, hasFreshFactor: true, provenance: { ...caller.provenance, actor } };
    };
    await rule('persons');
    const keyOfX: Caller = { ...testCaller(scope), root: 'staff:x' };
    const { run } = await runs.draft({ scope: keyOfX, guard: undefined }, { currency: 'USD', dryRun: false });
    const approve = (by: Caller) => runs.approve({ scope: by, guard: undefined }, run.id);
    for (const by of [personal('x'), keyOfX, testCaller(scope), { ...personal('y'), hasFreshFactor: false }]) {
      await expect(approve(by)).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
    }
    expect(await approve(personal('y'))).toMatchObject({ status: 'approved', approvedBy: { kind: 'staff', id: 'y' } });
  });
});

describe('a run that one root approved before dual control was on', () => {
  async function approvedAlone(): Promise<{ id: string; payoutId: string }> {
    await rule('none');
    const run = await draft(one);
    expectDone(await act(one, run.id, 'approve'));
    return { id: run.id, payoutId: run.payouts[0]?.id ?? '' };
  }

  test('is executed by nobody, and its commissions are drafted again', async () => {
    const { id } = await approvedAlone();
    await rule('keys');
    for (const key of [one, other, await childOf(one)]) expectSecond(await act(key, id, 'execute'));
    expectDone(await act(one, id, 'cancel'));
    const again = await draft(one);
    expect(again.payoutCount).toBe(1);
    expectDone(await act(other, again.id, 'approve'));
    expectDone(await act(one, again.id, 'execute'));
  });

  test('is executed where two roots were at it, or the rule is off again', async () => {
    await rule('none');
    const run = await draft(one);
    expectDone(await act(other, run.id, 'approve'));
    await rule('keys');
    expectDone(await act(one, run.id, 'execute'));
  });

  test('has no failed payout tried again', async () => {
    const { id, payoutId } = await approvedAlone();
    expectDone(await act(one, id, 'execute'));
    await startPayouts(app, scope);
    expectDone(await one.post(`/api/v1/payouts/${payoutId}/return`, { reason: 'No such account' }));
    await rule('keys');
    for (const key of [one, other]) expectSecond(await key.post(`/api/v1/payouts/${payoutId}/retry`, {}));
    expect(await payoutOf(one, payoutId)).toMatchObject({ status: 'failed' });
    await rule('none');
    expectDone(await one.post(`/api/v1/payouts/${payoutId}/retry`, {}));
  });
});

describe('a retry', () => {
  test('pays to the account that was approved and to no other, whatever became primary meanwhile', async () => {
    const run = await draft(one);
    expectDone(await act(other, run.id, 'approve'));
    expectDone(await act(one, run.id, 'execute'));
    await startPayouts(app, scope);
    const payoutId = run.payouts[0]?.id ?? '';
    const account = (await payoutOf(one, payoutId)).payoutAccountId;
    expectDone(await one.post(`/api/v1/payouts/${payoutId}/return`, { reason: 'No such account' }));
    const member = run.payouts[0]?.userId ?? '';
    await app.database.asSuperuser('update payout_account set is_primary = false where member_id = $1', [member]);
    await app.database.asSuperuser(
      `insert into payout_account (tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency,
                                   is_primary, status, fingerprint, activated_at, created_at, updated_at)
       select tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency, true, 'active',
              sha256('another'), now(), now(), now() from payout_account where id = $1`,
      [account],
    );
    expectDone(await one.post(`/api/v1/payouts/${payoutId}/retry`, {}));
    await startPayouts(app, scope);
    expect(await payoutOf(one, payoutId)).toMatchObject({ status: 'processing', payoutAccountId: account, attempt: 2 });
    await app.composition.frames.write(scope, (db) =>
      settle(db, scope, { payoutId, outcome: 'paid', by: testCaller(scope).provenance }),
    );
  });

  test('does not pay where the account was given up', async () => {
    const run = await draft(one);
    expectDone(await act(other, run.id, 'approve'));
    expectDone(await act(one, run.id, 'execute'));
    await startPayouts(app, scope);
    const payoutId = run.payouts[0]?.id ?? '';
    expectDone(await one.post(`/api/v1/payouts/${payoutId}/return`, { reason: 'No such account' }));
    await app.database.asSuperuser("update payout_account set status = 'deactivated', is_primary = false where tenant_id = $1", [
      tenant.tenantId,
    ]);
    expectDone(await one.post(`/api/v1/payouts/${payoutId}/retry`, {}));
    await startPayouts(app, scope);
    expect(await payoutOf(one, payoutId)).toMatchObject({ status: 'cancelled', failureCode: 'NO_ACCOUNT' });
  });
});

describe('at once', () => {
  test('the drafter and the other root: the other has approved', async () => {
    for (let time = 0; time < 5; time++) {
      const run = await draft(one);
      const [mine, theirs] = await Promise.all([act(one, run.id, 'approve'), act(other, run.id, 'approve')]);
      expectDone(theirs);
      expect([403, 409]).toContain(mine.status);
      expect(await runOf(one, run.id)).toMatchObject({ approvedBy: { id: idOf(other) } });
      expectDone(await act(one, run.id, 'cancel'));
    }
  });

  test('two approvals of others: one of them', async () => {
    const run = await draft(one);
    const answers = await Promise.all([other, await root(), await root()].map((key) => act(key, run.id, 'approve')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test('an approval beside a tightening: a run that is approved alone is not executed', async () => {
    for (let time = 0; time < 5; time++) {
      await rule('none');
      const run = await draft(one);
      const [approval] = await Promise.all([act(one, run.id, 'approve'), rule('keys')]);
      if (approval.status === 200) expectSecond(await act(one, run.id, 'execute'));
      else expectSecond(approval);
      expectDone(await act(one, run.id, 'cancel'));
    }
  });

  test('an approval beside a weakening: the drafter is refused all the same', async () => {
    for (let time = 0; time < 5; time++) {
      await rule('keys');
      const run = await draft(one);
      const [approval] = await Promise.all([act(one, run.id, 'approve'), rule('none')]);
      expectSecond(approval);
      expectSecond(await act(one, run.id, 'approve'));
      expectDone(await act(one, run.id, 'cancel'));
    }
  });

  test('drafts at once of both roots: each is approved by the other alone', async () => {
    const drafts = await Promise.all([draft(one), draft(other)]);
    const [mine, theirs] = drafts.map(({ id }) => id);
    expectSecond(await act(one, mine ?? '', 'approve'));
    expectSecond(await act(other, theirs ?? '', 'approve'));
    expectDone(await act(other, mine ?? '', 'approve'));
    expectDone(await act(one, theirs ?? '', 'approve'));
  });
});
