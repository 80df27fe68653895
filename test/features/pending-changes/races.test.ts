/** Of two that decide a change at once, one does. docs/specification/two-hands.md#confirming */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { CHANGES, type ChangesShop, openChangesShop, SETTINGS } from './changes-shop.ts';

let app: TestApp;
let shop: ChangesShop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await openChangesShop(app);
});
afterAll(() => app.close());

const ROUNDS = 6;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
const decided = async () => (await shop.log()).filter(({ action }) => /confirmed|rejected|cancelled|expired/.test(action));
const held = () => app.database.asSuperuser('select 1 from pending_change_field where tenant_id = $1', [shop.tenant.tenantId]);

describe.each(rounds)('round %i', (round) => {
  test('two confirmations: one is made, the effect is there once', async () => {
    const third = (await shop.newRoot()).client;
    const id = await shop.propose({ accountCooldownHours: 12 });
    const answers = await Promise.all([shop.confirm(id), shop.confirm(id, third), shop.confirm(id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await decided()).toHaveLength(1);
    expect((await shop.log('settings.updated')).filter(({ details }) => details['pendingChangeId'] === id)).toHaveLength(1);
    expect(await held()).toEqual([]);
  });

  test('a confirmation beside a rejection: what the one did not do did not happen', async () => {
    const id = await shop.propose({ accountCooldownHours: 12 });
    const order = [() => shop.confirm(id), () => shop.first.post(`${CHANGES}/${id}/reject`, {})];
    const answers = await Promise.all((round % 2 === 0 ? order : order.toReversed()).map((send) => send()));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200)?.body.status;
    expect((await shop.payments())['accountCooldownHours']).toBe(won === 'confirmed' ? 12 : 24);
    expect((await decided()).map(({ action }) => action)).toEqual([`pending_change.${won}`]);
  });

  test('a confirmation beside a tightening: the safeguard ends tightened, or the change was made first', async () => {
    const id = await shop.propose({ accountCooldownHours: 12 });
    const tighten = () => shop.first.patch(SETTINGS, { payments: { accountCooldownHours: 30 } });
    const order = [() => shop.confirm(id), tighten];
    const answers = await Promise.all((round % 2 === 0 ? order : order.toReversed()).map((send) => send()));
    const [confirmation, tightening] = round % 2 === 0 ? answers : answers.toReversed();
    expect(tightening?.status).toBe(200);
    expect([200, 409]).toContain(confirmation?.status);
    expect((await shop.payments())['accountCooldownHours']).toBe(30);
    const status = (await shop.first.get(`${CHANGES}/${id}`)).body.status;
    expect(status).toBe(confirmation?.status === 200 ? 'confirmed' : 'cancelled');
    expect(await held()).toEqual([]);
  });

  test('a confirmation beside its end: it is made in time, or has no effect', async () => {
    const id = await shop.propose({ accountCooldownHours: 12 });
    await app.database.asSuperuser("update pending_change set expires_at = now() + interval '40 ms' where id = $1", [id]);
    const scope = { tenantId: shop.tenant.tenantId, environment: 'LIVE' as const };
    const sweeps = (async () => {
      for (let swept = 0, tries = 0; swept === 0 && tries < 30; tries++)
        swept = await app.runSweep('expire-pending-changes', scope);
    })();
    await new Promise((resolve) => setTimeout(resolve, round * 12));
    const [answer] = await Promise.all([shop.confirm(id), sweeps]);
    expect([200, 409]).toContain(answer.status);
    expect((await shop.payments())['accountCooldownHours']).toBe(answer.status === 200 ? 12 : 24);
    expect((await decided()).length).toBeLessThanOrEqual(1);
  });
});

test('a confirmation beside another that turns dual control off', async () => {
  const off = await shop.propose({ dualControl: false });
  const lower = await shop.propose({ accountCooldownHours: 1 });
  const answers = await Promise.all([shop.confirm(off), shop.confirm(lower, shop.first), shop.confirm(lower, shop.first)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
  expect((await shop.payments())['accountCooldownHours']).toBe(24);
});
