/** Some random histories of sales with every run; sales-sums.property.test.ts has more. */
import { afterAll, beforeAll, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectSumsOfHistories } from './sales-histories.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('the sums of sales equal a plain fold, and a rebuild', () => expectSumsOfHistories(app, { numRuns: 3, seed: 2 }));
