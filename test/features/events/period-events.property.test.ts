/** However a sale is taken back before and after it is topped up, once or more: in the end nothing is left of line and top-ups. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { accept, newMember } from '../../support/money/debts.ts';
import { refundOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { lineOf, PeriodShop, topUpOf } from './period-shop.ts';

let app: TestApp;
let shop: PeriodShop;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
  shop = await PeriodShop.open(app);
  member = await newMember(shop.client);
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const amount = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 90_000 }));
const step = fc.oneof(
  fc.record({ refund: fc.integer({ min: 1, max: 999 }) }),
  fc.record({ topUp: fc.tuple(amount, fc.boolean()).map(([minor, isCharge]) => (isCharge ? -minor : minor)) }),
);

/** What is left of an amount by the one rounding rule. */
const leftOf = (whole: number, refunded: number, gross: number): number => {
  const taken = Math.floor((2 * Math.abs(whole) * refunded + gross) / (2 * gross));
  return whole - Math.sign(whole) * taken;
};

test('at every point the shares of what was refunded in all, and nothing in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 10_000, max: 700_000 }),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (gross, steps) => {
        const sale = await shop.sell(member, { amount_minor: gross });
        const { amount_minor: paid } = lineOf(sale);
        const topUps: number[] = [];
        let refunded = 0;
        for (const one of steps) {
          if ('topUp' in one) {
            if (leftOf(paid, refunded, gross) === 0) continue;
            await shop.settle(member, [topUpOf(lineOf(sale), one.topUp)]);
            topUps.push(one.topUp);
          } else {
            const part = Math.floor(((gross - refunded) * one.refund) / 1_000);
            if (part === 0) continue;
            await accept(refundOf(shop.client, sale, { amount_minor: part }));
            refunded += part;
          }
          expect(await shop.left(sale)).toMatchObject({
            line: leftOf(paid, refunded, gross),
            topUp: topUps.reduce((sum, whole) => sum + leftOf(whole, refunded, gross), 0),
          });
        }
        await accept(refundOf(shop.client, sale, {}));
        expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
      },
    ),
    { numRuns: 25, interruptAfterTimeLimit: 120_000 },
  );
});
