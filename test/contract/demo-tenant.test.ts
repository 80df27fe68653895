/** The demo tenant of a first start: its staff has something to work on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Demo, seedDemo } from '../../seeds/demo.ts';
import { apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { expectSoundBooks } from '../support/money/sound-books.ts';

let app: TestApp;
let demo: Demo;
beforeAll(async () => {
  app = await startTestApp();
  demo = await seedDemo(app.composition);
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

test('two members wait for a review, with papers that can be fetched', async () => {
  const client = apiClient(app, demo.sandboxKey);
  const { body: queue } = await client.get('/api/v1/admin/kyc?status=pending');
  expect(queue.data).toHaveLength(2);
  for (const { id } of queue.data) {
    const { body: review } = await client.get(`/api/v1/admin/kyc/${id}`);
    expect(review.documents.map(({ documentType }: { documentType: string }) => documentType)).toEqual([
      'government_id_front',
      'government_id_back',
      'selfie',
    ]);
    expect(review.user).toMatchObject({ givenName: expect.any(String), dateOfBirth: expect.stringMatching(/^19/) });
    const [front] = review.documents;
    const { body: content } = await client.get(`/api/v1/admin/kyc/${id}/documents/${front.id}/content-url`);
    const file = await fetch(content.url);
    expect(file.status).toBe(200);
    expect((await file.bytes()).length).toBe(front.fileSize);
  }
});

test('a run would pay some members and says of the others why not', async () => {
  const client = apiClient(app, demo.sandboxKey);
  const scope = { tenantId: demo.tenantId, environment: 'SANDBOX' } as const;
  await app.runSweep('clear-commissions', scope);
  const { status, body } = await client.post('/api/v1/payout-runs', { currency: 'USD', dryRun: true });
  expect(status).toBe(200);
  expect(body.payoutCount).toBeGreaterThan(0);
  expect(body.blocked.map(({ reason }: { reason: string }) => reason)).toContain('KYC_REQUIRED');
});

test('LIVE is empty', async () => {
  const client = apiClient(app, demo.liveKey);
  expect((await client.get('/api/v1/admin/kyc')).body.data).toEqual([]);
  expect((await client.get('/api/v1/users')).body.data).toEqual([]);
});
