/** A sample of the hostile-input suite; the whole of it runs in `npm run test:security`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app/test-app.ts';
import { describeHostileInput } from '../support/hostile/hostile-input.ts';
import { tryHostile } from '../support/hostile/hostile-run.ts';
import { strayRequests } from '../support/hostile/hostile-strays.ts';
import { plantWorld, type World } from '../support/matrix/matrix-world.ts';

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
