/** Bad input of every kind to every operation: never a 5xx, never HTML, nothing half-written, nothing in the log. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../support/app/test-app.ts';
import { describeHostileInput } from '../support/hostile/hostile-input.ts';
import { tryHostile } from '../support/hostile/hostile-run.ts';
import { assetRequests, findFramingFaults, pipeline, strayRequests } from '../support/hostile/hostile-strays.ts';
import { plantWorld, type World } from '../support/matrix/matrix-world.ts';

let world: World;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
});
afterAll(() => world.app.close());

describe('around the operations', () => {
  test('broken URLs, headers and framing', async () => {
    const [side] = world.sides;
    expect(side && (await tryHostile(world, strayRequests(side)))).toEqual([]);
  });

  test('what is hardly HTTP', async () => {
    expect(await findFramingFaults(world.app.baseUrl)).toEqual([]);
  });

  test('more requests on one connection than it is good for', async () => {
    const statuses = await pipeline(world.app.baseUrl, 1_100);
    expect(statuses.length).toBeGreaterThanOrEqual(1_000);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });

  test('the files of the docs page', async () => {
    expect(await tryHostile(world, assetRequests())).toEqual([]);
  });
});

describeHostileInput(() => world);
