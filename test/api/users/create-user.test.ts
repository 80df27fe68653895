import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  client = apiClient(app, (await app.newTenant()).liveKey);
});
afterAll(() => app.close());

describe('POST /users', () => {
  test('creates a root member with the described defaults', async () => {
    const answer = await client.post('/api/v1/users', { email: 'Root@Example.com' });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-environment']).toBe('LIVE');
    expect(answer.headers['location']).toBe(`/api/v1/users/status?user_id=${answer.body.id}`);
    expect(answer.body).toMatchObject({
      email: 'Root@Example.com',
      membership_tier: 'ORDINARY',
      parent_id: null,
      is_active: true,
      can_recruit: true,
      is_test_user: false,
      pay_currency: 'USD',
      name: null,
      external_id: null,
    });
  });
});
