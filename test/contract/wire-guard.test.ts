/** A sample of the hostile-input suite; the whole of it runs in `npm run test:security`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeHostileInput } from '../support/hostile-input.ts';
import { tryHostile } from '../support/hostile-run.ts';
import { strayRequests } from '../support/hostile-strays.ts';
import { plantWorld, type World } from '../support/matrix-world.ts';
import { startTestApp } from '../support/test-app.ts';

let world: World;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
});
afterAll(() => world.app.close());

test('broken URLs, headers and framing', async () => {
  const [side] = world.sides;
  expect(side && (await tryHostile(world, strayRequests(side)))).toEqual([]);
});

describeHostileInput(() => world, ['captureLead', 'listUsers']);
