/** The whole access matrix with every wall in place. */
import { afterAll, beforeAll } from 'vitest';
import { describeAccessMatrix } from '../support/access-matrix.ts';
import { plantWorld, type World } from '../support/matrix-world.ts';
import { startTestApp } from '../support/test-app.ts';

let world: World;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
});
afterAll(() => world.app.close());

describeAccessMatrix(() => world);
