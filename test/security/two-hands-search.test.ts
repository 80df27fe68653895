import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { testIssuer } from '../support/identity/test-issuer.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../support/payments/payout-vendor-double.ts';
import { isSearched, MOVES, TIME_PASSES } from '../support/two-hands/moves.ts';
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
  const t = Date.now();
  const r = await search(ground, [...MOVES, TIME_PASSES], { depth: 1, whole: 2, moneyAlone: true });
  console.log(Date.now() - t, r.depths, r.found, [...r.answers].map(([n, s]) => `${n}: ${[...s]}`).join('\n'));
  const t2 = Date.now();
  const r2 = await search(ground, [...MOVES, TIME_PASSES], { depth: 3, whole: 2, moneyAlone: true });
  console.log(Date.now() - t2, r2.depths, r2.interfering, r2.found.slice(0,5));
}, 300000);
