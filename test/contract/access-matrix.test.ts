/**
 * A sample of the access matrix. All of it, with each wall away in turn, is in `npm run test:security`; all of it with
 * both in place: `ACCESS_MATRIX=whole npx vitest run test/contract/access-matrix.test.ts`.
 */
import { afterAll, beforeAll } from 'vitest';
import { startTestApp } from '../support/app/test-app.ts';
import { describeAccessMatrix } from '../support/matrix/access-matrix.ts';
import { plantWorld, type World } from '../support/matrix/matrix-world.ts';

let world: World;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
});
afterAll(() => world.app.close());

describeAccessMatrix(() => world, process.env['ACCESS_MATRIX'] === 'whole' ? 'all' : 'sample');
