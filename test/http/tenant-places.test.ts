/** Places of a tenant: docs/specification/conventions.md#places. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { describe, expect, test } from 'vitest';
import { apart, holding } from '../../src/apart.ts';
import { createTenantPlaces, type Place, type PlaceKind, type TenantPlaces } from '../../src/http/tenant-places.ts';

const BIG = 1_000_000;

const ONE = { tenantId: 'one', environment: 'LIVE' } as const;
const OTHER = { tenantId: 'other', environment: 'LIVE' } as const;

function setUp(options: Partial<Parameters<typeof createTenantPlaces>[0]> = {}) {
  const places = createTenantPlaces({ atOnce: 2, inLine: 10, longMs: BIG, ...options });
  const clients: EventEmitter[] = [];
  const take = (scope: { tenantId: string; environment: 'LIVE' | 'SANDBOX' } = ONE, kind: PlaceKind = 'request') => {
    const client = new EventEmitter();
    clients.push(client);
    const taken = places.take(scope, kind, client as unknown as Response);
    // A test may end with a line that nobody leaves; ten seconds later it is refused.
    taken.catch(() => undefined);
    return taken;
  };
  return { places, take, clients };
}

/** Another tenant asks too, so nobody has the process for itself. */
async function withCompany(options: Parameters<typeof setUp>[0] = {}) {
  const made = setUp(options);
  (await made.take(OTHER))?.leave();
  return made;
}

async function settled<T>(promise: Promise<T>): Promise<T | 'waits'> {
  return Promise.race([promise, sleep(20).then(() => 'waits' as const)]);
}

const placeOf = async (promise: Promise<Place | undefined>): Promise<Place> => {
  const place = await settled(promise);
  if (place === 'waits' || place === undefined) throw new Error('there is no place');
  return place;
};

const empty = (places: TenantPlaces, refused = 0) => expect(places.stats()).toEqual({ running: 0, waiting: 0, refused });

describe('a tenant', () => {
  test('has a few places, and who comes later waits, first come, first served', async () => {
    const { places, take } = await withCompany();
    const running = [await placeOf(take()), await placeOf(take())];
    const order: string[] = [];
    const takeAs = async (name: string): Promise<Place | undefined> => {
      const place = await take();
      order.push(name);
      return place;
    };
    const third = takeAs('third');
    const fourth = takeAs('fourth');
    expect(await settled(third)).toBe('waits');
    expect(places.stats()).toEqual({ running: 2, waiting: 2, refused: 0 });
    running[0]?.leave();
    running[0]?.leave(); // again does nothing
    const place = await placeOf(third);
    expect([place.waited, running[1]?.waited]).toEqual([true, false]);
    expect(await settled(fourth)).toBe('waits');
    place.leave();
    (await placeOf(fourth)).leave();
    running[1]?.leave();
    expect(order).toEqual(['third', 'fourth']);
    empty(places);
  });

  test('takes none from another tenant, its other environment, or its uploads', async () => {
    const { take } = await withCompany();
    await take();
    await take();
    expect(await settled(take())).toBe('waits');
    await placeOf(take(OTHER));
    await placeOf(take({ ...ONE, environment: 'SANDBOX' }));
    await placeOf(take(ONE, 'upload'));
  });

  test('has six times as many while nobody else has asked for a while', async () => {
    const { take } = setUp({ aloneMs: 200, atOnce: 1 });
    const held = [];
    for (let taken = 0; taken < 6; taken++) held.push(await placeOf(take()));
    expect(await settled(take())).toBe('waits');
    await placeOf(take(OTHER));
    for (const place of held.slice(0, 5)) place.leave();
    // Six less five is one, and one waits already: who has company has one place.
    const last = take();
    expect(await settled(last)).toBe('waits');
    await sleep(250);
    held[5]?.leave();
    await placeOf(last);
    await placeOf(take());
  });
});

describe('the line', () => {
  test('ends where the setting says: one more is RATE_LIMITED, and says why', async () => {
    const { places, take } = await withCompany({ inLine: 1 });
    await take();
    await take();
    void take();
    await expect(take()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 1,
      details: { limit: 'concurrency' },
      message: expect.stringContaining("of the tenant's keys of this environment at once"),
    });
    expect(places.stats()).toEqual({ running: 2, waiting: 1, refused: 1 });
    await placeOf(take(OTHER));
  });

  test('is not waited in for ever', async () => {
    const { places, take } = await withCompany({ atOnce: 1, longestWaitMs: 50 });
    const first = await placeOf(take());
    await expect(take()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    first.leave();
    empty(places, 1);
  });

  test('is left by who goes away', async () => {
    const { places, take, clients } = await withCompany({ atOnce: 1 });
    const first = await placeOf(take());
    const gone = take();
    const next = take();
    clients.at(-2)?.emit('close');
    expect(await gone).toBeUndefined();
    first.leave();
    (await placeOf(next)).leave();
    expect(clients.every((client) => client.listenerCount('close') === 0)).toBe(true);
    empty(places);
  });
});

describe('a request that takes long', () => {
  test('leaves its place to a quick one, while there are few such', async () => {
    const { places, take } = await withCompany({ atOnce: 1, longMs: 50 });
    const long = await placeOf(take());
    await sleep(100);
    const second = await placeOf(take());
    await sleep(100);
    // Two are too many: the second holds its place.
    const third = take();
    expect(await settled(third)).toBe('waits');
    expect(places.stats()).toMatchObject({ running: 2, waiting: 1 });
    // When the first has ended, the second takes long in its stead.
    long.leave();
    await sleep(100);
    const quick = await placeOf(third);
    quick.leave();
    second.leave();
    empty(places);
  });
});

describe('a request that waits for somebody outside', () => {
  const inPlace = <T>(place: Place, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => holding(place, () => void work().then(resolve, reject)));

  test('has no place meanwhile, and comes back ahead of the line', async () => {
    const { places, take } = await withCompany({ atOnce: 1 });
    const first = await placeOf(take());
    const outside = Promise.withResolvers<string>();
    const back = inPlace(first, () => apart(() => outside.promise));
    const second = await placeOf(take());
    const third = take();
    outside.resolve('answer');
    expect(await settled(back)).toBe('waits');
    second.leave();
    expect(await settled(back)).toBe('answer');
    expect(await settled(third)).toBe('waits');
    first.leave();
    (await placeOf(third)).leave();
    empty(places);
  });

  test('may wait twice at once, fail, and end before its wait does', async () => {
    const { places, take } = await withCompany({ atOnce: 1 });
    const place = await placeOf(take());
    await inPlace(place, () => Promise.all([apart(() => sleep(5)), apart(() => sleep(10))]));
    await expect(inPlace(place, () => apart(() => Promise.reject(new Error('away'))))).rejects.toThrow('away');
    expect(places.stats().running).toBe(1);
    const late = inPlace(place, () => apart(() => sleep(30)));
    place.leave();
    await late;
    empty(places);
  });

  test('outside of a request it is only the work', async () => {
    expect(await apart(() => Promise.resolve(1))).toBe(1);
  });
});

describe('a turn of a place that others wait for', () => {
  test('is behind as many of them as are let by, ahead of the others, and ends as a place does', async () => {
    const { places, take } = await withCompany({ atOnce: 1, inLine: 30 });
    const first = await placeOf(take());
    expect(first.isContested()).toBe(false);
    const order: string[] = [];
    const others = Array.from({ length: 20 }, async (_, n) => {
      const place = await take();
      order.push(String(n));
      place?.leave();
    });
    expect(first.isContested()).toBe(true);
    const failing = first.inTurn(16, () => {
      order.push('turn');
      expect(places.stats()).toEqual({ running: 1, waiting: 4, refused: 0 });
      return Promise.reject(new Error('of the turn'));
    });
    first.leave();
    expect(first.isContested()).toBe(false);
    await expect(failing).rejects.toThrow('of the turn');
    await Promise.all(others);
    const numbers = Array.from({ length: 20 }, (_, n) => String(n));
    expect(order).toEqual([...numbers.slice(0, 16), 'turn', ...numbers.slice(16)]);
    empty(places);
  });

  test('comes at once where nobody is in line any more', async () => {
    const { places, take } = await withCompany({ atOnce: 1 });
    const place = await placeOf(take());
    place.leave();
    empty(places);
    expect(await place.inTurn(16, async () => places.stats().running)).toBe(1);
    empty(places);
  });

  test('of a tenant that has the process for itself is asked for by nobody', async () => {
    const { take } = setUp({ atOnce: 1, aloneMs: 200 });
    const held = [];
    for (let taken = 0; taken < 6; taken++) held.push(await placeOf(take()));
    expect(await settled(take())).toBe('waits');
    expect(held.map((place) => place.isContested())).toEqual(Array.from({ length: 6 }, () => false));
    await placeOf(take(OTHER));
    expect(held[0]?.isContested()).toBe(true);
  });
});
