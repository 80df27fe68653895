/** A commission is held and released with everything linked to it, whichever of its lines is named. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { newMember } from '../support/money/debts.ts';
import { linesOf, purchaseOf, refundOf } from '../support/money/money-calls.ts';
import { expectSoundBooks } from '../support/money/sound-books.ts';

let app: TestApp;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  client = apiClient(app, (await app.newTenant()).liveKey);
});
afterAll(() => app.close());

test.each([
  [0, 1],
  [1, 0],
])('held by its line %i and released by its line %i, the books are sound', async (held, released) => {
  const member = await newMember(client);
  const sale = await purchaseOf(client, { attribution: { user_id: member.id } });
  await refundOf(client, sale, { amount_minor: 1_000 });
  const ids = (await linesOf(client, sale.event_id)).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  const act = (deed: 'hold' | 'release', index: number) => client.post(`/api/v1/commissions/${ids[index]}/${deed}`, {});
  expect((await act('hold', held)).status).toBe(200);
  await expectSoundBooks(app);
  expect((await act('release', released)).status).toBe(200);
  await expectSoundBooks(app);
});
