import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { testIssuer } from '../support/identity/test-issuer.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../support/payments/payout-vendor-double.ts';
import { isSearched, matters, movesOf, TIME_PASSES } from '../support/two-hands/moves.ts';
import { type Ground, prepareGround, search } from '../support/two-hands/search.ts';

let app: TestApp;
let vendor: PayoutVendorDouble;
let ground: Ground;
beforeAll(async () => {
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: (await testIssuer()).server.host }, 'own');
  vendor = createPayoutVendorDouble();
  ground = await prepareGround(app, vendor);
});
afterAll(() => app.close());

test('search', async () => {
  const { operations } = app.composition.app;
  const MOVES = movesOf(operations);
  const played = new Set(MOVES.map(({ operationId }) => operationId));
  console.log(operations.filter(isSearched).map(({ operationId }) => operationId).filter((id) => !played.has(id)));
  const t = Date.now();
  const depth = Number(process.env.DEPTH ?? 1);
  const r = await search(ground, [...MOVES, TIME_PASSES], { depth, whole: 2, matters, ...(process.env.MONEY ? { moneyAlone: true } : {}) });
  console.log(Date.now() - t, r.depths, r.interfering, JSON.stringify(r.found.slice(0, 30), null, 1), [...r.answers].map(([n, s]) => `${n}: ${[...s]}`).join('\n'));
}, 600000);
