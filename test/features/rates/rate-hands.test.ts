/** Agreed rates under dual control, and at once with each other and with sales: docs/specification/rates.md#weakens. createRateOverride */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { type ChangesShop, openChangesShop, SETTINGS } from '../pending-changes/changes-shop.ts';
import { agree, EARLY, endOf, explained, OVERRIDES, openRateShop, person, propose, type Wire } from './support/rate-shop.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe('with dual control in LIVE', () => {
  let changes: ChangesShop;
  let member: MemberBody;
  const shopOf = (client = changes.first) => ({ client });
  const send = (rateBps: number, fields: object = {}, client = changes.first) =>
    propose(shopOf(client), { target: 'member', targetId: member.id, pay: { rateBps }, reason: 'VIP partner', ...fields });
  const recorded = async () => (await changes.first.get(OVERRIDES)).body.data.map(({ pay }: Wire) => pay.rateBps);
  async function waiting(answer: Response): Promise<string> {
    expect(answer.status, answer.text).toBe(202);
    return answer.body.pendingChange.id as string;
  }

  beforeEach(async () => {
    changes = await openChangesShop(app);
    member = await changes.first.newMember();
  });

  test('what is new waits, shows what it would be, and counts once another confirms it', async () => {
    const answer = await send(1500);
    const id = await waiting(answer);
    expect(answer.body.pendingChange).toMatchObject({
      operationId: 'createRateOverride',
      fields: [
        {
          field: `rateOverrides.member.${member.id}.1.any.`,
          direction: 'weakens',
          from: null,
          to: { pay: { rateBps: 1500 }, items: null, validFrom: null },
        },
      ],
    });
    const own = await changes.confirm(id, changes.first);
    expect([own.status, own.body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
    expect(await recorded()).toEqual([]);
    const sold = await purchaseOf(changes.first, { attribution: { user_id: member.id } });
    expect(sold.commissions[0]?.amount_minor).toBe(1000);
    expect((await changes.confirm(id)).body).toMatchObject({ id, status: 'confirmed' });
    expect(await recorded()).toEqual([1500]);
    const later = await purchaseOf(changes.first, { attribution: { user_id: member.id } });
    expect(later.commissions[0]?.amount_minor).toBe(1500);
    const [entry] = await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where tenant_id = $1 and action = 'rate_override.agreed'",
      [changes.tenant.tenantId],
    );
    expect(entry?.details).toMatchObject({
      pay: { rateBps: 1500 },
      weakens: [`rateOverrides.member.${member.id}.1.any.`],
      pendingChangeId: id,
      proposedBy: expect.stringMatching(/^api_key:/),
    });
    expect(JSON.stringify(entry)).not.toContain('VIP');
  });

  test('what is less or the same, and an end, do not wait; what is more does, once', async () => {
    await changes.confirm(await waiting(await send(1500, { validFrom: EARLY })));
    expect((await send(1200)).status).toBe(201);
    expect((await send(1200)).status).toBe(201);
    const id = await waiting(await send(1201));
    const again = await send(1400);
    expect([again.status, again.body.code, again.body.details.pendingChangeId]).toEqual([409, 'CHANGE_PENDING', id]);
    // Before the start of what is less there is more, which may be said again.
    expect((await send(1500, { validFrom: '2026-02-01T00:00:00Z' }, changes.second)).status).toBe(201);
    const { data } = (await changes.first.get(OVERRIDES)).body;
    expect((await endOf(shopOf(), data.findLast(({ validTo }: Wire) => validTo === null).id)).status).toBe(200);
  });

  test('another kind of pay, another level, plan or product, and what comes behind an end, wait', async () => {
    await changes.confirm(await waiting(await send(1500, { validFrom: EARLY })));
    const [only] = (await changes.first.get(OVERRIDES)).body.data;
    await waiting(await send(0, { pay: { flatMinor: { USD: 1 } } }));
    await waiting(await send(100, { level: 2 }));
    await waiting(await send(100, { items: { skus: ['A'] } }));
    expect((await endOf(shopOf(), only.id)).status).toBe(200);
    const other = await changes.first.newMember();
    await waiting(await send(100, { targetId: other.id }));
    expect(await recorded()).toEqual([1500]);
  });

  test('what waits is over when what it is compared with has changed', async () => {
    await changes.confirm(await waiting(await send(1500, { validFrom: EARLY })));
    const id = await waiting(await send(2000));
    const [only] = (await changes.first.get(OVERRIDES)).body.data;
    expect((await endOf(shopOf(changes.second), only.id)).status).toBe(200);
    const answer = await changes.confirm(id);
    expect([answer.status, answer.body.code]).toEqual([409, 'STATE_CONFLICT']);
    expect(await recorded()).toEqual([1500]);
  });

  test('nothing waits in a SANDBOX', async () => {
    const sandbox = apiClient(app, changes.tenant.sandboxKey);
    expect((await sandbox.patch(SETTINGS, { payments: { dualControl: true } })).status).toBe(200);
    const twin = await sandbox.newMember();
    expect((await send(5000, { targetId: twin.id }, sandbox)).status).toBe(201);
  });

  test('of two at once that lower, one is judged by the other: the last of them is not the higher', async () => {
    await changes.confirm(await waiting(await send(2000, { validFrom: EARLY })));
    for (let round = 0; round < 8; round++) {
      const [top, low] = [1900 - round * 200, 1800 - round * 200];
      const answers = await Promise.all([send(low), send(top, {}, changes.second), send(low), send(top, {}, changes.second)]);
      const counting = (await changes.first.get(`${OVERRIDES}?userId=${member.id}`)).body.data.find(
        ({ validTo }: Wire) => validTo === null,
      );
      expect([round, counting.pay.rateBps, statuses(answers).filter((status) => status > 202 && status !== 409)]).toEqual([
        round,
        low,
        [],
      ]);
      for (const { body } of answers) if (body.pendingChange) await changes.first.post(rejectOf(body.pendingChange.id), {});
    }
  });
});

const rejectOf = (id: string): string => `/api/v1/admin/pending-changes/${id}/reject`;

describe('at once', () => {
  test('of twelve ends one ends it', async () => {
    const shop = await openRateShop(app);
    for (let round = 0; round < 4; round++) {
      const { id } = await agree(shop, { pay: { rateBps: 1000 + round }, validFrom: undefined });
      const answers = await Promise.all(Array.from({ length: 12 }, () => endOf(shop, id)));
      expect(statuses(answers)).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
    }
  });

  test('an end ends what it names, and not what replaces that meanwhile', async () => {
    const shop = await openRateShop(app);
    const target = { target: 'member', targetId: person(shop).id };
    let current = (await agree(shop, { pay: { rateBps: 1000 }, validFrom: undefined })).id as string;
    for (let round = 0; round < 12; round++) {
      const ended = sleep(round % 4).then(() => endOf(shop, current));
      const [made] = await Promise.all([propose(shop, { ...target, pay: { rateBps: 1001 + round } }), ended]);
      expect(made.status).toBe(201);
      const after = (await shop.client.get(`${OVERRIDES}/${made.body.id}`)).body;
      const { body: former } = await shop.client.get(`${OVERRIDES}/${current}`);
      expect([200, 409]).toContain((await ended).status);
      expect([round, former.validTo === null, after.validTo]).toEqual([round, false, null]);
      current = made.body.id;
    }
  });

  test('sales beside agreeing and ending are paid by what counted at their time, and say so from what they kept', async () => {
    const shop = await openRateShop(app);
    const seller = person(shop);
    const agreed: Wire[] = [];
    const changes = async () => {
      for (let round = 0; round < 12; round++) {
        const answer = await propose(shop, { target: 'member', targetId: seller.id, pay: { rateBps: 1100 + round } });
        expect(answer.status, answer.text).toBe(201);
        await sleep(round % 3);
        if (round % 2 === 1) expect((await endOf(shop, answer.body.id)).status).toBe(200);
        agreed.push(answer.body.id);
      }
    };
    const sell = async () => {
      const sold: string[] = [];
      for (let count = 0; count < 12; count++) {
        sold.push((await purchaseOf(shop.client, { attribution: { user_id: seller.id } })).event_id);
      }
      return sold;
    };
    const [, ...sold] = await Promise.all([changes(), sell(), sell(), sell(), sell()]);
    const rows: Wire[] = await Promise.all(agreed.map(async (id) => (await shop.client.get(`${OVERRIDES}/${id}`)).body));
    const countedAt = (at: string): Wire =>
      rows.findLast(({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo));
    const rates = new Set<number | undefined>();
    for (const eventId of sold.flat()) {
      const { why, paid, chosen } = await explained(shop.client, eventId);
      const counted = countedAt(why.occurred_at);
      expect([why.occurred_at, paid[0]]).toEqual([why.occurred_at, counted?.pay.rateBps ?? 1000]);
      if (counted) expect(chosen[0]).toBe(counted.id);
      rates.add(paid[0]);
    }
    expect(rates.size).toBeGreaterThan(1);
  });
});
