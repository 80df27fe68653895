/**
 * Requests of a tenant that has one place beside others, and wants the same of them all: they share its turns
 * (docs/specification/events.md#coalescing).
 */
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { describe, expect, test } from 'vitest';
import { holding } from '../../../src/apart.ts';
import { createLanes, type LanesOptions, type Outcome } from '../../../src/features/events/purchases/coalesce/lanes.ts';
import { createTenantPlaces } from '../../../src/http/tenant-places.ts';

type Options = Partial<LanesOptions<string, string>>;

/** A tenant of one place that has company, and what its requests did in order. A batch of b and c is 'b+c'. */
async function openTenant(options: Options = {}, { atOnce = 1, longMs = 1_000_000, hasCompany = true } = {}) {
  const places = createTenantPlaces({ atOnce, inLine: 1_000, longMs });
  const did: string[] = [];
  let busy = 0;
  /** The most that were done at once, of whatever kind. */
  let most = 0;
  async function work<T>(name: string, result: T, ms = 2): Promise<T> {
    did.push(name);
    most = Math.max(most, ++busy);
    await sleep(ms);
    busy -= 1;
    return result;
  }
  const lanes = createLanes<string, string>({
    lanes: 2,
    most: 4,
    mostOfTurn: 3,
    keysOf: (item) => [item],
    work: (items) =>
      work(
        items.join('+'),
        items.map((item) => ({ result: `${item}!` })),
      ),
    ...options,
  });
  /** Whose key was revoked while it waited. */
  const revoked = new Set<string>();
  const inPlace = async (tenantId: string, item: string, run: () => Promise<string>): Promise<string> => {
    const place = await places.take({ tenantId, environment: 'LIVE' }, 'request', new EventEmitter() as unknown as Response);
    if (!place) throw new Error('the client is there');
    return new Promise((resolve, reject) => {
      const stillMay = (): Promise<void> =>
        revoked.has(item) ? Promise.reject(new Error(`${item} is revoked`)) : Promise.resolve();
      holding({ ...place, stillMay }, () => void run().finally(place.leave).then(resolve, reject));
    });
  };
  const buy = (item: string, ms?: number, before: Promise<unknown> = Promise.resolve()): Promise<string> =>
    inPlace('one', item, async () => {
      await before;
      return lanes.run('one', item, () => work(`${item} alone`, item, ms));
    });
  const read = (
    item: string,
    { tenantId = 'one', ms = 2, before = Promise.resolve() }: { tenantId?: string; ms?: number; before?: Promise<unknown> } = {},
  ): Promise<string> =>
    inPlace(tenantId, item, async () => {
      const done = work(item, item, ms);
      await before;
      return done;
    });
  if (hasCompany) await read('company', { tenantId: 'other' });
  did.length = 0;
  return { buy, read, did, places, revoked, most: () => most };
}

const free = { running: 0, waiting: 0, refused: 0 };
const buyAll = (buy: (item: string) => Promise<string>, items: string) => Promise.all(items.split('').map((item) => buy(item)));

describe('a request of a tenant that has one place', () => {
  test('is done in it at once, and alone, while nobody waits', async () => {
    const { buy, did, places } = await openTenant();
    await buy('a');
    await buy('b');
    expect(did).toEqual(['a alone', 'b alone']);
    expect(places.stats()).toEqual(free);
  });

  test('shares a turn with those who wait and want the same, one turn behind the other', async () => {
    const { buy, did, most, places } = await openTenant();
    expect(await buyAll(buy, 'abcde')).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
    expect(did).toEqual(['a+b+c', 'd+e']);
    expect(most()).toBe(1);
    expect(places.stats()).toEqual(free);
    await buy('f');
    expect(did.at(-1)).toBe('f alone');
  });

  test('lets by what else waits, sixteen at most, and is alone where nobody wants the same', async () => {
    const { buy, read, did, most } = await openTenant();
    const reads = Array.from({ length: 20 }, (_, n) => `read ${n}`);
    await Promise.all([buy('a'), ...reads.map((name) => read(name))]);
    expect(did).toEqual([...reads.slice(0, 16), 'a alone', ...reads.slice(16)]);
    expect(most()).toBe(1);
  });

  test('does not keep waiting what came meanwhile', async () => {
    const { buy, read, did } = await openTenant();
    const bought = buyAll(buy, 'abcdefgh');
    await Promise.all([bought, read('read')]);
    expect(did).toEqual(['read', 'a+b+c', 'd+e+f', 'g+h']);
  });

  test('does a turn of the others first where too many wait, so few are without a place and none is left behind', async () => {
    let under = 0;
    let mostUnder = 0;
    const { buy, did, most, places } = await openTenant({
      keysOf(item) {
        under += 1;
        mostUnder = Math.max(mostUnder, under);
        return [item];
      },
    });
    const items = 'abcdefghijklmnopqrstuvwxyz'.split('');
    const answers = items.map(async (item) => {
      const answer = await buy(item);
      under -= 1;
      return answer;
    });
    expect(await Promise.all(answers)).toEqual(items.map((item) => `${item}!`));
    expect(did.join('+').split('+')).toEqual(items);
    expect(most()).toBe(1);
    // Two batches of four, a turn of three, and who has the place.
    expect(mostUnder).toBeLessThanOrEqual(8 + 3 + 1);
    expect(places.stats()).toEqual(free);
  });

  test('has a place where it has to be done alone behind a turn, and a refusal is its own', async () => {
    const outcomes: Outcome<string>[] = ['alone', { refused: new Error('of b') }, { result: 'c!' }];
    const { buy, did, most } = await openTenant({ work: async () => outcomes });
    const [a, b, c] = await Promise.allSettled('abc'.split('').map((item) => buy(item)));
    expect([a, b, c]).toMatchObject([{ value: 'a' }, { reason: new Error('of b') }, { value: 'c!' }]);
    expect([did, most()]).toEqual([['a alone'], 1]);
  });

  test('is refused when its turn comes where it may not go on by then', async () => {
    const { buy, did, revoked } = await openTenant();
    const asked = 'abcde'.split('').map((item) => buy(item));
    for (const item of 'bde') revoked.add(item);
    const [a, b, c, d, e] = await Promise.allSettled(asked);
    expect([a, c]).toMatchObject([{ value: 'a!' }, { value: 'c!' }]);
    for (const one of [b, d, e]) expect(one).toMatchObject({ status: 'rejected' });
    expect(did).toEqual(['a+c']);
  });

  test('is done alone, each in its own turn, where the turn fails', async () => {
    const { buy, did, most, places } = await openTenant({ work: () => Promise.reject(new Error('the database')) });
    expect(await buyAll(buy, 'abcd')).toEqual('abcd'.split(''));
    expect(did.toSorted()).toEqual(['a alone', 'b alone', 'c alone', 'd alone']);
    expect(most()).toBe(1);
    expect(places.stats()).toEqual(free);
  });

  test('waits for its turn also where a lane comes free meanwhile', async () => {
    const { buy, read, did } = await openTenant({ longMs: 1_000_000 }, { longMs: 50 });
    // The first leaves its place, and then its lane.
    const first = buy('a', 300);
    await nextTurn();
    await Promise.all([first, buy('b'), buy('c'), read('first', { ms: 600 }), read('second', { ms: 100 })]);
    expect(did).toEqual(['a alone', 'first', 'second', 'b+c']);
  });

  test('lets by no more than a turn holds where one was left by the turn before', async () => {
    const { buy, read, did } = await openTenant();
    const bought = buyAll(buy, 'abcd');
    const reads = Array.from({ length: 30 }, (_, n) => read(String(n)));
    await Promise.all([bought, ...reads]);
    const turns = did.filter((what) => /[a-z]/.test(what));
    expect(turns).toEqual(['a+b+c', 'd alone']);
    expect(did.indexOf('d alone') - did.indexOf('a+b+c')).toBe(4);
  });

  test('takes its turn behind a reading that has the place, and ahead of who comes later', async () => {
    const { buy, read, did, places } = await openTenant();
    const reading = Promise.withResolvers<void>();
    const requests = [buy('a'), read('read', { before: reading.promise })];
    while (did.length === 0) await nextTurn();
    // The reading has the place, and nothing but the turn waits for it.
    expect(places.stats()).toEqual({ running: 1, waiting: 1, refused: 0 });
    requests.push(buy('b'));
    reading.resolve();
    await Promise.all(requests);
    expect(did).toEqual(['read', 'a alone', 'b alone']);
    expect(places.stats()).toEqual(free);
  });

  test('stops no line where the tenant has had the process for itself, and more waited than may without their places', async () => {
    const { buy, read, did, places } = await openTenant({}, { hasCompany: false });
    const gate = Promise.withResolvers<void>();
    // Two have the lanes, eight wait for them without places, three more with theirs, and one has come no further yet.
    const bought = Array.from({ length: 13 }, (_, n) => buy(`a${n}`, 20));
    bought.push(buy('late', 20, gate.promise), buy('in line', 20));
    while (did.length < 2) await nextTurn();
    expect(places.stats()).toEqual({ running: 6, waiting: 1, refused: 0 });
    await read('company', { tenantId: 'other' });
    gate.resolve();
    expect(await Promise.all(bought)).toHaveLength(15);
    expect(places.stats()).toEqual(free);
  });
});

test('a tenant of several places does no more at once than those and two batches', async () => {
  const { buy, read, most, places } = await openTenant({}, { atOnce: 3 });
  const items = Array.from({ length: 60 }, (_, n) => String(n));
  const answers = await Promise.all(items.map((item) => (Number(item) % 4 === 0 ? read(item) : buy(item))));
  expect(answers).toHaveLength(60);
  expect(most()).toBeLessThanOrEqual(3 + 2);
  expect(places.stats()).toEqual(free);
});
