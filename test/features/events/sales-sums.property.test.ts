/** Whatever is sold and taken back, in whatever zone, however much of it is folded: the sums of sales equal a plain fold. */
import { afterAll, beforeAll, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { expectSumsOfHistories } from './sales-histories.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('the sums of sales equal a plain fold, and a rebuild', async () => {
  await expectSumsOfHistories(app, { numRuns: 12, interruptAfterTimeLimit: 120_000 });
  await expectCleanBooks(app);
});
