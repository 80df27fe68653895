/**
 * POST /events/{event_id}/reversal-preview: what it shows is what the event then does, and nothing is left of it
 * (docs/specification/events.md#reversal-preview).
 */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { disputeOf, type LineBody, purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { moveLines, payOut } from '../../support/money/pay-out.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let chain: MemberBody[];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  chain = await newUpline(client, 'D D D D D');
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

interface PreviewLine {
  commission_id: string;
  user_id: string;
  level: number;
  currency: string;
  amount_minor: number;
  taken_before_minor: number;
  change_minor: number;
  remaining_minor: number;
  written_off_minor: number;
  entry: string | null;
  status_before: string;
  status_after: string;
  is_void: boolean;
}

interface Balance {
  user_id: string;
  currency: string;
  pending_before_minor: number;
  pending_after_minor: number;
  cleared_before_minor: number;
  cleared_after_minor: number;
  becomes_negative: boolean;
}

interface Preview {
  amount_minor: number;
  currency: string;
  refunded_minor: number;
  remaining_minor: number;
  breakage_minor: number;
  lines: PreviewLine[];
  commissions: Omit<LineBody, 'id'>[];
  moved_commission_ids: string[];
  totals: {
    currency: string;
    before_minor: number;
    change_minor: number;
    remaining_minor: number;
    written_off_minor: number;
  }[];
  balances: Balance[] | null;
}

const preview = (sale: Sale, body: object, as: ApiClient = client): Promise<Response> =>
  as.post(`/api/v1/events/${sale.event_id}/reversal-preview`, body);

async function seen(sale: Sale, body: object, as: ApiClient = client): Promise<Preview> {
  const answer = await preview(sale, body, as);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Preview;
}

/** Everything that the database holds, table by table. */
async function contents(): Promise<Map<string, string>> {
  const { asSuperuser } = app.database;
  const tables = await asSuperuser<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'pgboss') and c.relname not in ('api_key')`,
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await asSuperuser<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from ${name} t`,
      );
      return [name, row?.sum ?? ''] as const;
    }),
  );
  return new Map(rows);
}

/** Where the members of the lines stand, by `member currency`. */
async function standings(lines: readonly { user_id: string; currency: string }[]): Promise<Record<string, [number, number]>> {
  const rows = await app.database.asSuperuser<{ who: string; pending: number; cleared: number }>(
    `select p.member_id || ' ' || p.currency as who,
            coalesce(sum(p.amount_minor) filter (where p.account = 'member:pending'), 0)::int as pending,
            coalesce(sum(p.amount_minor) filter (where p.account = 'member:cleared'), 0)::int as cleared
     from posting p where p.member_id = any ($1::uuid[]) group by 1`,
    [lines.map(({ user_id }) => user_id)],
  );
  return Object.fromEntries(rows.map((row) => [row.who, [row.pending, row.cleared]]));
}

interface StoredLine {
  id: string;
  reverses_commission_id: string | null;
  amount_minor: number;
  status: string;
}

/** The lines of a sale and all that are linked to them, also by hand. */
function familiesOf(sale: Sale): Promise<StoredLine[]> {
  return app.database.asSuperuser<StoredLine & Record<string, unknown>>(
    `select l.id, l.reverses_line_id as reverses_commission_id, l.amount_minor::int, l.status from commission_line l
     where l.event_id = $1 or l.reverses_line_id = any ($2::uuid[])`,
    [sale.event_id, sale.commissions.map(({ id }) => id)],
  );
}

const withoutIds = (lines: readonly LineBody[]) => lines.map(({ id: _id, clears_at: _at, ...line }) => line);
const withoutTimes = (lines: Preview['commissions']) => lines.map(({ clears_at: _at, ...line }) => line);

/** Previews, does it, and compares the two to the cent. */
async function compare(sale: Sale, kind: 'refund' | 'chargeback', fields: Record<string, unknown>): Promise<Preview> {
  const before = await standings(sale.commissions);
  const linesBefore = await familiesOf(sale);
  const shown = await seen(sale, { kind, ...fields });
  expect(await standings(sale.commissions)).toEqual(before);
  const { dispute_id: disputeId, stage, ...rest } = fields;
  const deed =
    kind === 'refund'
      ? await refundOf(client, sale, rest)
      : await disputeOf(client, sale, String(disputeId), String(stage), rest);
  expect(deed.status, deed.text).toBe(201);
  const after = await standings(sale.commissions);
  const linesAfter = await familiesOf(sale);

  expect(withoutTimes(shown.commissions)).toEqual(withoutIds(deed.body.commissions));
  expect(shown).toMatchObject({
    amount_minor: deed.body.amount_minor,
    currency: deed.body.currency,
    refunded_minor: deed.body.refunded_minor,
    remaining_minor: deed.body.remaining_minor,
  });
  expect(shown.moved_commission_ids.toSorted()).toEqual(deed.body.moved_commission_ids.toSorted());
  const event = (await client.get(`/api/v1/events/${deed.body.event_id}`)).body;
  expect(shown.breakage_minor).toBe(event.breakage_minor);

  // Line by line: what was left, what is left, and a status that a line of its family has.
  const sumOf = (lines: readonly StoredLine[], id: string): number =>
    lines
      .filter((line) => line.id === id || line.reverses_commission_id === id)
      .reduce((sum, line) => sum + line.amount_minor, 0);
  expect(shown.lines.map((line) => line.commission_id).toSorted()).toEqual(sale.commissions.map(({ id }) => id).toSorted());
  for (const line of shown.lines) {
    const [left, leaves] = [sumOf(linesBefore, line.commission_id), sumOf(linesAfter, line.commission_id)];
    expect(line.amount_minor - line.taken_before_minor).toBe(left);
    expect(line.change_minor).toBe(leaves - left);
    expect(line.remaining_minor).toBe(leaves);
    const statuses = (lines: readonly StoredLine[]) =>
      lines
        .filter((one) => one.id === line.commission_id || one.reverses_commission_id === line.commission_id)
        .map((one) => one.status);
    expect(statuses(linesBefore)).toContain(line.status_before);
    expect(statuses(linesAfter)).toContain(line.status_after);
  }
  for (const total of shown.totals) {
    const own = shown.lines.filter(({ currency }) => currency === total.currency);
    const sum = (of: (line: PreviewLine) => number) => own.reduce((all, line) => all + of(line), 0);
    expect(total).toMatchObject({
      change_minor: sum((line) => line.change_minor),
      remaining_minor: sum((line) => line.remaining_minor),
      before_minor: sum((line) => line.amount_minor - line.taken_before_minor),
      written_off_minor: sum((line) => line.written_off_minor),
    });
  }

  // The balances of those, and only those, that the event moves.
  const told: Record<string, [number, number]> = { ...before };
  for (const balance of shown.balances ?? []) {
    const who = `${balance.user_id} ${balance.currency}`;
    expect([balance.pending_before_minor, balance.cleared_before_minor]).toEqual(before[who] ?? [0, 0]);
    told[who] = [balance.pending_after_minor, balance.cleared_after_minor];
    expect(balance.becomes_negative).toBe(balance.cleared_before_minor >= 0 && balance.cleared_after_minor < 0);
  }
  expect(told).toEqual(after);
  return shown;
}

/** The same numbers each time. */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % most;
  };
}

describe('is what the event then does, cent by cent', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('of refunds of random amounts, one after the other (%i)', async (seed) => {
    const roll = dice(seed);
    const amount = 101 + roll(99_000);
    const sale = await purchaseOf(client, { attribution: { user_id: chain[roll(5)]?.id }, amount_minor: amount });
    let left = amount;
    for (let round = 0; round < 3 && left > 0; round++) {
      const part = round === 2 ? left : 1 + roll(left);
      const shown = await compare(sale, 'refund', round === 2 ? {} : { amount_minor: part, reason: 'Returned' });
      left -= part;
      expect(shown.remaining_minor).toBe(left);
    }
  });

  test.each([11, 12, 13, 14])('of lines in any state (%i)', async (seed) => {
    const roll = dice(seed);
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id }, amount_minor: 1_000 + roll(90_000) });
    for (const { id } of sale.commissions) {
      const what = roll(6);
      if (what === 0) await client.post(`/api/v1/commissions/${id}/hold`, { reason: 'review' });
      if (what === 1) await client.post(`/api/v1/commissions/${id}/void`, { reason: 'wrong' });
      if (what === 2) await payOut(app, [id]);
      if (what === 3) await moveLines(app, [id], 'processing');
    }
    await compare(sale, 'refund', { amount_minor: 300 + roll(200) });
    const dispute = { dispute_id: randomUUID() };
    await compare(sale, 'chargeback', { ...dispute, stage: 'opened' });
    await compare(sale, 'refund', { amount_minor: 1 + roll(100) });
    await compare(sale, 'chargeback', { ...dispute, stage: 'lost' });
    await compare(sale, 'chargeback', { ...dispute, stage: 'won' });
    await compare(sale, 'refund', {});
  });

  test('of lines in the currency of each member', async () => {
    const own = await app.newTenant();
    await publishPlan(app, own, { fx: { payCurrency: 'member' } });
    const shop = apiClient(app, own.liveKey);
    for (const [targetCurrency, numerator, denominator] of [
      ['EUR', 9_137, 10_000],
      ['JPY', 149, 1],
    ] as const) {
      const rate = {
        sourceCurrency: 'USD',
        targetCurrency,
        numerator,
        denominator,
        effectiveAt: '2026-01-01T00:00:00Z',
        source: 'Bank',
      };
      expect((await shop.post('/api/v1/admin/exchange-rates', rate)).status).toBe(201);
    }
    const top = await shop.newMember({ membership_tier: 'DIRECTOR', pay_currency: 'JPY' });
    const middle = await shop.newMember({ membership_tier: 'DIRECTOR', pay_currency: 'EUR', parent_id: top.id });
    const low = await shop.newMember({ membership_tier: 'DIRECTOR', pay_currency: 'USD', parent_id: middle.id });
    const former = client;
    client = shop;
    try {
      const sale = await purchaseOf(shop, { attribution: { user_id: low.id }, amount_minor: 33_337 });
      expect(sale.commissions.map(({ currency }) => currency).toSorted()).toEqual(['EUR', 'JPY', 'USD']);
      await payOut(app, [sale.commissions[1]?.id ?? '']);
      const shown = await compare(sale, 'refund', { amount_minor: 11_111 });
      expect(shown.totals.map(({ currency }) => currency)).toEqual(['EUR', 'JPY', 'USD']);
      await compare(sale, 'refund', {});
    } finally {
      client = former;
    }
  });

  test('with what the plan forgives of a debt, and recovers before it reinstates', async () => {
    const own = await app.newTenant();
    await publishPlan(app, own, { reversal: { recoverAfterPayout: 'carry_forward', floorMinor: { USD: 300 } } });
    const shop = apiClient(app, own.liveKey);
    const former = client;
    client = shop;
    try {
      const [member] = await newUpline(shop, 'O');
      const sale = await purchaseOf(shop, { attribution: { user_id: member?.id } });
      await payOut(
        app,
        sale.commissions.map(({ id }) => id),
      );
      const dispute = { dispute_id: randomUUID() };
      const lost = await compare(sale, 'chargeback', { ...dispute, stage: 'lost' });
      expect(lost.lines).toMatchObject([{ change_minor: -1_000, written_off_minor: 700, entry: 'clawback' }]);
      expect(lost.balances).toMatchObject([{ cleared_before_minor: 0, cleared_after_minor: -300, becomes_negative: true }]);
      const won = await compare(sale, 'chargeback', { ...dispute, stage: 'won' });
      expect(won.lines).toMatchObject([{ change_minor: 1_000, written_off_minor: -700, entry: 'reinstatement' }]);
      expect(won.balances).toMatchObject([{ becomes_negative: false }]);
    } finally {
      client = former;
    }
  });
});

describe('leaves nothing behind', () => {
  test('no row anywhere, and the id of the event is free', async () => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    const before = await contents();
    const id = `refund-${randomUUID()}`;
    for (let i = 0; i < 2; i++) await seen(sale, { kind: 'refund', external_event_id: id, amount_minor: 4_000 });
    await seen(sale, { kind: 'chargeback', dispute_id: 'd', stage: 'opened' });
    expect((await preview(sale, { kind: 'refund', amount_minor: 10_001 })).status).toBe(422);
    expect(await contents()).toEqual(before);
    expect((await refundOf(client, sale, { external_event_id: id, amount_minor: 4_000 })).status).toBe(201);
  });

  test('also when many look and one acts at once', async () => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => preview(sale, { kind: 'refund', amount_minor: 6_000 })),
      refundOf(client, sale, { amount_minor: 6_000 }),
      ...Array.from({ length: 3 }, () => preview(sale, { kind: 'refund', amount_minor: 6_000 })),
    ]);
    expect(answers[3]?.status).toBe(201);
    for (const { status, body } of answers.filter((_, i) => i !== 3)) {
      // Either it looked ahead of the refund, or found too little left behind it.
      if (status === 200) expect(body.remaining_minor).toBe(4_000);
      else expect([status, body.code]).toEqual([422, 'REFUND_EXCEEDS_PURCHASE']);
    }
    const back = await client.get(`/api/v1/events?purchase_event_id=${sale.event_id}`);
    expect(back.body.data).toHaveLength(1);
  });

  test('a repeat by its Idempotency-Key shows what was shown first', async () => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/api/v1/events/${sale.event_id}/reversal-preview`;
    const first = await client.post(path, { kind: 'refund' }, headers);
    await refundOf(client, sale, {});
    const again = await client.post(path, { kind: 'refund' }, headers);
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true']);
  });
});

describe('refuses what the event would be refused for', () => {
  let sale: Sale;
  beforeAll(async () => {
    sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
  });

  test.each<[string, object, number, string]>([
    ['too much', { kind: 'refund', amount_minor: 10_001 }, 422, 'REFUND_EXCEEDS_PURCHASE'],
    ['another currency', { kind: 'refund', currency: 'EUR' }, 422, 'CURRENCY_MISMATCH'],
    ['a time before the sale', { kind: 'refund', occurred_at: '2001-01-01T00:00:00Z' }, 400, 'VALIDATION_ERROR'],
    ['a dispute that begins at its end', { kind: 'chargeback', dispute_id: 'x', stage: 'won' }, 409, 'STATE_CONFLICT'],
    ['a dispute without its id', { kind: 'chargeback', stage: 'opened' }, 400, 'VALIDATION_ERROR'],
    ['a refund with a stage', { kind: 'refund', stage: 'lost' }, 400, 'VALIDATION_ERROR'],
    ['another kind', { kind: 'purchase' }, 400, 'VALIDATION_ERROR'],
  ])('%s', async (_what, body, status, code) => {
    expectRefusal(await preview(sale, body), status, code);
  });

  test('an id that is recorded already, with the same content or other', async () => {
    const { body } = await refundOf(client, sale, { amount_minor: 5 });
    for (const amount_minor of [5, 6]) {
      const answer = await preview(sale, { kind: 'refund', external_event_id: body.external_event_id, amount_minor });
      expectRefusal(answer, 409, 'EVENT_ID_REUSED');
    }
  });

  test('an event that is no purchase, and those of another tenant or environment', async () => {
    const { body } = await refundOf(client, sale, { amount_minor: 7 });
    const other = await app.newTenant();
    for (const [as, eventId] of [
      [client, body.event_id],
      [client, randomUUID()],
      [apiClient(app, other.liveKey), sale.event_id],
      [apiClient(app, tenant.sandboxKey), sale.event_id],
    ] as const) {
      expectRefusal(await preview({ ...sale, event_id: eventId }, { kind: 'refund' }, as), 404, 'NOT_FOUND');
    }
  });

  test('a key without events:read; balances need ledger:read', async () => {
    const keyWith = async (scopes: string[]) => {
      const { apiKey } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes });
      return apiClient(app, apiKey);
    };
    expectRefusal(await preview(sale, { kind: 'refund' }, await keyWith(['events:write'])), 403, 'FORBIDDEN');
    expect((await seen(sale, { kind: 'refund' }, await keyWith(['events:read']))).balances).toBeNull();
    expect((await seen(sale, { kind: 'refund' }, await keyWith(['events:read', 'ledger:read']))).balances).toHaveLength(5);
  });
});
