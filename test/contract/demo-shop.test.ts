import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommissionAnswer, EventAnswer, MemberAnswer } from '../../seeds/demo-shop-answers.ts';
import { createShopApi, forEachBounded } from '../../seeds/demo-shop-api.ts';
import { checkBreakdowns, checkMembers } from '../../seeds/demo-shop-checks.ts';
import { createDice } from '../../seeds/demo-shop-dice.ts';
import { explainPurchase } from '../../seeds/demo-shop-explain.ts';
import { finalStates, generateShop, levelWidths } from '../../seeds/demo-shop-generate.ts';
import { DAY_MS, DAYS } from '../../seeds/demo-shop-model.ts';
import { drawTree } from '../../seeds/demo-shop-picture.ts';
import type { ShopRun } from '../../seeds/demo-shop-run.ts';
import { formatAmount, formatRate } from '../../seeds/demo-shop-text.ts';
import { examineBooks } from '../support/app/examine-books.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const script = path.join(import.meta.dirname, '../../seeds/demo-shop.ts');
const TODAY = new Date('2026-11-20T15:00:00Z');
const WHOLE = { seed: 3, members: 300, leads: 40, purchases: 2_000, today: TODAY };
const SMALL = ['--members', '30', '--purchases', '60'];

interface Outcome {
  code: number;
  out: string;
  err: string;
}

function runDemo(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env: { ...process.env, ...env } }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}

describe('the generator', () => {
  const shop = generateShop(WHOLE);

  test('gives the same shop for the same seed and day, to the byte', () => {
    const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
    const laterThatDay = generateShop({ ...WHOLE, today: new Date('2026-11-20T23:59:59Z') });
    expect(digest(laterThatDay)).toBe(digest(shop));
    // Pinned: another figure means that everybody's demo changes.
    expect(digest(shop)).toBe('200d0f0445bbe8fa');
    expect(digest(generateShop({ ...WHOLE, seed: 4 }))).not.toBe(digest(shop));
  });

  test('keeps tree and amounts and moves only the dates on another day', () => {
    const nextWeek = generateShop({ ...WHOLE, today: new Date(TODAY.getTime() + 7 * DAY_MS) });
    expect(nextWeek.members).toEqual(shop.members);
    expect(
      nextWeek.purchases.map(({ occurredAt, ...rest }) => ({ ...rest, at: Date.parse(occurredAt ?? '') - 7 * DAY_MS })),
    ).toEqual(shop.purchases.map(({ occurredAt, ...rest }) => ({ ...rest, at: Date.parse(occurredAt ?? '') })));
  });

  test('keeps the members when only the number of purchases changes', () => {
    const fewer = generateShop({ ...WHOLE, purchases: 50 });
    expect(fewer.members).toEqual(shop.members);
    expect(fewer.changes).toEqual(shop.changes);
  });

  test('draws numbers by mulberry32', () => {
    const dice = createDice(0);
    expect([dice.next(), dice.next()]).toEqual([0.26642920868471265, 0.0003297457005828619]);
  });

  test('makes the shop that the README promises', () => {
    expect(shop.members).toHaveLength(300);
    expect(new Set(shop.members.map(({ level }) => level))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
    expect(shop.leads).toHaveLength(40);
    expect(shop.members.filter(({ fromLead }) => fromLead)).toHaveLength(15);
    expect(shop.leads.filter(({ referrer }) => referrer === undefined).length).toBeGreaterThan(5);
    expect(shop.purchases).toHaveLength(2_000);
    const kinds = <Kind>(read: (purchase: (typeof shop.purchases)[number]) => Kind) => new Set(shop.purchases.map(read));
    expect(kinds(({ currency }) => currency)).toEqual(new Set(['USD', 'EUR']));
    expect(kinds(({ type }) => type)).toEqual(new Set(['one_time', 'subscription_initial', 'subscription_renewal']));
    expect(kinds(({ credit }) => credit.by)).toEqual(new Set(['referral_code', 'user_id', 'buyer', 'unknown_code', 'nobody']));
    const months = kinds(({ occurredAt }) => occurredAt?.slice(0, 7));
    expect(months.size).toBe(7); // six whole months begin and end inside a month
    expect(shop.changes.some(({ set }) => 'membership_tier' in set)).toBe(true);
    expect(shop.changes.some(({ set }) => 'is_active' in set && !set.is_active)).toBe(true);
    expect(shop.changes.some(({ set }) => 'is_active' in set && set.is_active)).toBe(true);
  });

  test('property: any seed and size make a consistent shop', () => {
    const sizes = fc.record({
      seed: fc.nat(),
      members: fc.integer({ min: 1, max: 120 }),
      leads: fc.integer({ min: 0, max: 40 }),
      purchases: fc.integer({ min: 0, max: 150 }),
    });
    fc.assert(
      fc.property(sizes, (size) => {
        const { members, leads, changes, purchases, focus, lastPurchase } = generateShop({ ...size, today: TODAY });
        const midnight = Math.floor(TODAY.getTime() / DAY_MS) * DAY_MS;
        expect([members.length, leads.length, purchases.length]).toEqual([size.members, size.leads, size.purchases]);
        for (const [position, { level, sponsor }] of members.entries()) {
          expect(sponsor === undefined ? 0 : members[sponsor]?.level).toBe(level - 1);
          expect(sponsor ?? -1).toBeLessThan(position);
          expect(members[sponsor ?? 0]?.fromLead && sponsor !== undefined).toBeFalsy();
        }
        expect(new Set([...members, ...leads].map(({ email }) => email)).size).toBe(
          size.members + leads.length - members.filter(({ fromLead }) => fromLead).length,
        );
        for (const { email, sponsor } of members.filter(({ fromLead }) => fromLead)) {
          expect(leads.find((lead) => lead.email === email)?.referrer).toBe(sponsor);
        }
        for (const { effectiveAt } of changes) expect(Date.parse(effectiveAt)).toBeLessThan(midnight);
        for (const one of purchases) {
          const goods = one.lineItems.reduce((sum, item) => sum + item.amount_minor, 0);
          expect(one.amountMinor).toBe(goods - one.discountMinor + one.taxMinor + one.shippingMinor);
          const at = Date.parse(one.occurredAt ?? '');
          expect(at >= midnight - DAYS * DAY_MS && at < midnight).toBe(true);
          expect(Object.values(one).every((value) => typeof value !== 'number' || Number.isSafeInteger(value))).toBe(true);
        }
        expect(purchases.map(({ externalEventId }) => externalEventId)).toEqual(
          purchases.map(({ externalEventId }) => externalEventId).toSorted(),
        );
        expect(members[focus]).toBeDefined();
        expect('member' in lastPurchase.credit && members[lastPurchase.credit.member]).toBeTruthy();
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [300, [2, 7, 23, 60, 86, 76, 46]],
    [8, [1, 1, 1, 1, 2, 1, 1]],
    [3, [1, 1, 1]],
    [1, [1]],
  ])('spreads %i members over the levels', (count, widths) => {
    expect(levelWidths(count)).toEqual(widths);
  });
});

describe('the client', () => {
  async function serve(listener: RequestListener) {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => server.close().closeAllConnections(),
    };
  }

  test('sends again after 503, 429 and a lost connection, with the same key, and counts it', async () => {
    const seen: IncomingMessage[] = [];
    const { baseUrl, close } = await serve((req, res) => {
      seen.push(req);
      if (seen.length === 1) res.writeHead(503, { 'Retry-After': '0' }).end('{"error":"busy","code":"SERVICE_UNAVAILABLE"}');
      else if (seen.length === 2) res.writeHead(429, { 'Retry-After': '1' }).end('{"error":"slow down","code":"RATE_LIMITED"}');
      else if (seen.length === 3) req.socket.destroy();
      else res.writeHead(201, { 'Idempotent-Replayed': 'true' }).end('{"id":"x"}');
    });
    const waits: [number, string][] = [];
    const api = createShopApi({ baseUrl, key: 'k', onWait: (...wait) => waits.push(wait) });
    const started = performance.now();
    const answer = await api.send('POST', '/things', { body: { a: 1 }, idempotencyKey: 'once' });
    expect(answer).toEqual({ status: 201, body: { id: 'x' }, replayed: true });
    expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);
    expect(waits).toEqual([[1, 'rate limit']]);
    expect(api.retries()).toBe(3);
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once', 'once', 'once']);
    close();
  });

  test('does not send a refused request again', async () => {
    let count = 0;
    const { baseUrl, close } = await serve((_req, res) => {
      count++;
      res.writeHead(400).end('{"error":"email: is required","code":"VALIDATION_ERROR"}');
    });
    const api = createShopApi({ baseUrl, key: 'k', onWait: () => undefined });
    await expect(api.get('/things')).rejects.toThrow('GET /things answered 400: email: is required (VALIDATION_ERROR)');
    expect(count).toBe(1);
    close();
  });

  test('works on every item, never on more than the limit at once, and stops after a failure', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await forEachBounded([1, 2, 3, 4, 5, 6, 7], 3, async (item, index) => {
      expect(index).toBe(item - 1);
      most = Math.max(most, ++running);
      await sleep(5);
      running--;
      done.push(item);
    });
    expect(most).toBe(3);
    expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const begun: number[] = [];
    const failing = forEachBounded([1, 2, 3, 4, 5, 6, 7], 2, async (item) => {
      begun.push(item);
      await sleep(5);
      if (item === 2) throw new Error('two');
    });
    await expect(failing).rejects.toThrow('two');
    await sleep(20);
    expect(begun.length).toBeLessThanOrEqual(3);
  });
});

describe('the picture', () => {
  const person = (id: string, parent: string | null, tier: MemberAnswer['membership_tier'], isActive = true): MemberAnswer => ({
    id,
    parent_id: parent,
    email: `${id}@shop.example`,
    name: id.toUpperCase(),
    membership_tier: tier,
    is_active: isActive,
    referral_code: '',
  });
  const members = new Map(
    [
      person('top', null, 'DIRECTOR'),
      person('mid', 'top', 'SENIOR'),
      person('right', 'mid', 'ORDINARY'),
      person('left', 'mid', 'SENIOR', false),
      person('deep', 'left', 'ORDINARY'),
    ].map((member) => [member.id, member]),
  );
  const line = (fields: Partial<CommissionAnswer>): CommissionAnswer => ({
    user_id: 'deep',
    level: 1,
    paid_level: 1,
    rate_bps: 1000,
    multiplier_milli: 1000,
    base_minor: 6184,
    amount_minor: 618,
    currency: 'USD',
    status: 'pending',
    clears_at: '2026-12-20T23:00:00.000Z',
    ...fields,
  });
  const event: EventAnswer = {
    event_id: 'e',
    external_event_id: 'order-1',
    status: 'accepted',
    occurred_at: '2026-11-20T12:00:00.000Z',
    amount_minor: 7289,
    tax_minor: 510,
    shipping_minor: 595,
    base_minor: 6184,
    currency: 'USD',
    customer: { name: 'Nora Last' },
    attribution: { user_id: 'deep', rule: 'referral_code' },
    commissions: [
      line({}),
      line({ user_id: 'mid', level: 3, paid_level: 2, rate_bps: 500, amount_minor: 309 }),
      line({ user_id: 'top', level: 4, paid_level: 3, rate_bps: 300, multiplier_milli: 1250, amount_minor: 232 }),
    ],
  };

  test('draws upline and downline with tier and activity, recruits by name', () => {
    expect(drawTree(members, 'mid')).toEqual([
      'TOP            DIRECTOR  active',
      '`- MID  <==    SENIOR    active',
      '   +- LEFT     SENIOR    NOT ACTIVE',
      '   |  `- DEEP  ORDINARY  active',
      '   `- RIGHT    ORDINARY  active',
    ]);
  });

  test('cuts a tree that is too big for a screen, and says so', () => {
    const many = new Map(
      [person('top', null, 'DIRECTOR'), ...Array.from({ length: 60 }, (_, index) => person(`m${index}`, 'top', 'ORDINARY'))].map(
        (one) => [one.id, one],
      ),
    );
    const lines = drawTree(many, 'top');
    expect(lines).toHaveLength(42);
    expect(lines.at(-1)).toBe('... and 20 more with their downlines');
  });

  test('explains a purchase line by line, with who was passed over and why', () => {
    const { lines, problems } = explainPurchase(event, members, 'Europe/Berlin');
    expect(problems).toEqual([]);
    expect(lines).toEqual([
      'Nora Last paid 72.89 USD with the referral code of DEEP.',
      'Commission is paid on the goods, without tax and shipping:',
      '  72.89 - 5.10 tax - 5.95 shipping = 61.84 USD',
      '',
      'level 1  DEEP  ORDINARY  paid as level 1: 61.84 x 10 % = 6.184, rounded 6.18 USD',
      'level 2  LEFT  SENIOR    passed over: not active',
      'level 3  MID   SENIOR    paid as level 2: 61.84 x 5 % = 3.092, rounded 3.09 USD',
      'level 4  TOP   DIRECTOR  paid as level 3: 61.84 x 3 % x 1.25 = 2.319, rounded 2.32 USD',
      'Nobody is left above: level 4 of the plan is not paid.',
      '',
      'Together 11.59 USD, each line rounded once, half up.',
      'All of it stays pending until 21 December 2026 at 00:00 (Europe/Berlin).',
    ]);
  });

  test('finds a wrong amount, a wrong base, a wrong place in the tree and a breakdown that does not add up', async () => {
    const off = { ...event, base_minor: 6185, commissions: [line({ amount_minor: 619 })] };
    expect(explainPurchase(off, members, 'UTC').problems).toEqual(['the base is 6185, not 6184', 'level 1 got 619, not 618']);

    const shop = generateShop({ ...WHOLE, members: 10, leads: 0, purchases: 0 });
    const states = finalStates(shop);
    const answers = shop.members.map(({ sponsor, email }, position) => ({
      ...person(`m${position}`, sponsor === undefined ? null : `m${sponsor}`, states[position]?.tier ?? 'ORDINARY'),
      is_active: states[position]?.isActive ?? true,
      email,
    }));
    const run: ShopRun = { members: answers, receipts: [event], repeated: { members: 0, leads: 0, purchases: 0 }, problems: [] };
    const listed = (changed: Partial<MemberAnswer>) =>
      new Map(answers.map((one, position) => [one.id, position === 9 ? { ...one, ...changed } : one]));
    expect(checkMembers(shop, run, listed({}))).toEqual([]);
    expect(checkMembers(shop, run, listed({ parent_id: 'm0' }))).toHaveLength(1);
    expect(checkMembers(shop, run, listed({ membership_tier: 'DIRECTOR' }))).toHaveLength(1);
    expect(checkMembers(shop, run, listed({ is_active: !answers[9]?.is_active }))).toHaveLength(1);

    const breakdown = (months: number) => async (path: string) => {
      const amount = path.endsWith('USD') ? 6.18 : 0;
      const byLevel = [{ level: 1, amount, count: 1, percentage: 100 }];
      return {
        totalAmount: amount,
        bySource: { sales: amount, subscription: 0, manual: 0 },
        byLevel,
        trend: [{ amount: amount * months }],
        currency: path.slice(-3),
      };
    };
    const check = async (months: number) =>
      (
        await checkBreakdowns(
          { get: breakdown(months), send: () => Promise.reject(new Error('no')), retries: () => 0 } as never,
          run,
          'deep',
        )
      ).problems;
    expect(await check(1)).toEqual([]);
    expect(await check(2)).toEqual(['the months of the breakdown come to 12.36 USD; the receipts say 6.18 USD']);
  });

  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-123_456, '-1,234.56'],
    [100_000_000, '1,000,000.00'],
  ])('writes %i as %s', (minor, text) => {
    expect(formatAmount(minor)).toBe(text);
  });

  test('writes rates in per cent', () => {
    expect([250, 1000, 1].map(formatRate)).toEqual(['2.5 %', '10 %', '0.01 %']);
  });
});

describe('the demo against a running service', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({}, 'own');
  });
  afterAll(() => app.close());

  /** From the summary on: before it stand addresses, progress and times. */
  const picture = ({ out }: Outcome) => out.slice(out.indexOf('What happened'));
  const counts = async (tenantId: string) => {
    const [row] = await app.database.asSuperuser(
      `select (select count(*)::int from member where tenant_id = $1) as members,
              (select count(*)::int from lead where tenant_id = $1) as leads,
              (select count(*)::int from lead where tenant_id = $1 and conversion_status = 'converted') as converted,
              (select count(*)::int from event where tenant_id = $1) as events,
              (select count(distinct environment)::int from event where tenant_id = $1) as environments,
              (select sum(amount_minor)::text from commission_line where tenant_id = $1 and currency = 'USD') as usd,
              (select sum(amount_minor)::text from commission_line where tenant_id = $1 and currency = 'EUR') as eur`,
      [tenantId],
    );
    return row as Record<'usd' | 'eur', string>;
  };

  test('plays a small shop, ends green, and does the same again for another tenant', async () => {
    const tenants = [
      await app.newTenant({ timeZone: 'Europe/Berlin' }),
      await app.newTenant({ timeZone: 'Europe/Berlin' }),
    ] as const;
    const play = (key: string) => runDemo({ BASE_URL: app.baseUrl }, ...SMALL, '--key', key, '--no-doctor');
    const first = await play(tenants[0].liveKey);
    expect(first.err).toBe('');
    expect(first.code).toBe(0);
    expect(first.out.trimEnd().endsWith('All is well.')).toBe(true);
    expect(first.out).not.toContain('FAILED');
    expect(first.out).toContain('  100 %');
    expect(first.out).not.toContain('\r');

    const stored = await counts(tenants[0].tenantId);
    expect(stored).toMatchObject({ members: 32, leads: 4, converted: 1, events: 66, environments: 1 });
    const { members, changes } = generateShop({ ...WHOLE, members: 30, leads: 4, purchases: 60, today: new Date() });
    expect(members).toHaveLength(30);
    expect(first.out).toMatch(/ members +30 {2}on 7 levels; 1 created twice/);
    expect(first.out).toMatch(new RegExp(` changes +${changes.length} `));
    expect(first.out).toMatch(/ purchases +61 {2}worth .* USD and .* EUR; 2 sent twice/);
    expect(first.out).toContain(`worth ${formatAmount(Number(stored.usd))} USD and ${formatAmount(Number(stored.eur))} EUR\n`);
    const partners = first.out.slice(first.out.indexOf('Partners: groups'), first.out.indexOf('Checked'));
    expect(
      partners
        .split('\n')
        .slice(1, 6)
        .map((line) => line.trim()),
    ).toEqual([
      'Pia   3,000.00 CHF  10 %  300.00 CHF  the ladder, 0.00 CHF before',
      'Pia   2,500.00 CHF  10 %  250.00 CHF  the ladder, 3,000.00 CHF before',
      'Pia   6,000.00 CHF  12 %  720.00 CHF  the ladder, 5,500.00 CHF before',
      'Vera  1,000.00 CHF  18 %  180.00 CHF  what was agreed with the member',
      'Vera    100.00 CHF   0 %    0.00 CHF  the rule gift-cards',
    ]);
    expect(first.out).toContain('the balances of all 30 equal the commission lines of 61 receipts');

    const second = await play(tenants[1].liveKey);
    expect(second.code).toBe(0);
    expect(await counts(tenants[1].tenantId)).toEqual(stored);
    expect(picture(second)).toBe(picture(first));

    const audits = await examineBooks(app.database.adminUrl);
    expect(audits.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
    expect(audits.length).toBeGreaterThan(8);
  });

  test('ends red with one line for a key the service does not know, and for a bad option', async () => {
    const wrong = await runDemo({ BASE_URL: app.baseUrl }, ...SMALL, '--key', `svc_live_${'x'.repeat(43)}`, '--no-doctor');
    expect(wrong).toMatchObject({ code: 1, err: `\nthe demo failed: the service at ${app.baseUrl} does not know the key\n` });
    const bad = await runDemo({ BASE_URL: app.baseUrl }, '--members', '0');
    expect(bad).toMatchObject({ code: 1, err: '\nthe demo failed: --members must be a whole number from 1 to 5,000\n' });
  });

  test('ends red when nobody, or another program, answers at BASE_URL', async () => {
    const other = createServer((_req, res) => res.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await runDemo({ BASE_URL: url }, '--key', 'k')).toMatchObject({
      code: 1,
      err: `\nthe demo failed: another program answers at ${url}\n`,
    });
    other.close().closeAllConnections();
    await once(other, 'close');
    expect(await runDemo({ BASE_URL: url }, '--key', 'k')).toMatchObject({
      code: 1,
      err: `\nthe demo failed: nobody answers at ${url}\n`,
    });
  });

  test('ends red when the service lost a line of the ledger on the way', async () => {
    const { tenantId, liveKey } = await app.newTenant();
    // Takes one cent from every posting to a member and gives it to the company: balanced, and wrong.
    await app.database.asSuperuser(`
      create function steal() returns trigger language plpgsql as $$ begin
        if new.tenant_id = '${tenantId}' and abs(new.amount_minor) > 5 then
          new.amount_minor := new.amount_minor - sign(new.amount_minor);
        end if;
        return new; end $$`);
    await app.database.asSuperuser(
      'create trigger steal before insert on posting for each row when (new.member_id is not null) execute function steal()',
    );
    try {
      await app.database.asSuperuser('alter table journal_entry disable trigger journal_balanced');
      await app.database.asSuperuser('alter table posting disable trigger all');
      await app.database.asSuperuser('alter table posting enable trigger steal');
      const { code, out } = await runDemo({ BASE_URL: app.baseUrl }, ...SMALL, '--key', liveKey, '--no-doctor');
      expect(code).toBe(1);
      expect(out).toMatch(/FAILED {2}the balances of all 30 equal/);
      expect(out).toMatch(/@shop\.example has [\d.,]+ USD; the receipts say [\d.,]+ USD/);
    } finally {
      await app.database.asSuperuser('alter table posting enable trigger all');
      await app.database.asSuperuser('alter table journal_entry enable trigger journal_balanced');
      await app.database.asSuperuser('drop trigger steal on posting');
    }
  });
});

describe('the demo against a strict rate limit', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ RATE_LIMIT_LIVE: '20', RATE_LIMIT_WINDOW_SECONDS: '3' });
  });
  afterAll(() => app.close());

  test('waits as it is told, finishes green and says so', async () => {
    const { liveKey } = await app.newTenant();
    const tiny = ['--members', '10', '--purchases', '20'];
    const { code, out, err } = await runDemo({ BASE_URL: app.baseUrl }, ...tiny, '--key', liveKey, '--no-doctor');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/waiting [123] s: rate limit/);
    expect(out).toMatch(/ retries +\d+ {2}after a rate limit/);
  });
});
