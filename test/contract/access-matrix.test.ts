/** A sample of the access matrix; all of it, as it is and with each wall away, is in `npm run test:security`. */
import { afterAll, beforeAll } from 'vitest';
import { describeAccessMatrix } from '../support/access-matrix.ts';
import { plantWorld, type World } from '../support/matrix-world.ts';
import { startTestApp } from '../support/test-app.ts';

let world: World;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
});
afterAll(() => world.app.close());

describeAccessMatrix(() => world, { sampled: true });
