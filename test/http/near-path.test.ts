/** A path that is not there is answered with the one that may have been meant, and with nothing that was sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNearPath } from '../../src/http/near-path.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test.each([
  ['/api/v1/users/', '/api/v1/users'],
  ['/api/v1/user', '/api/v1/users'],
  ['/users', '/api/v1/users'],
  ['/events/purchase', '/api/v1/events/purchase'],
  ['/api/v1/events/purchase/', '/api/v1/events/purchase'],
  ['/api/v1/payout_runs', '/api/v1/payout-runs'],
  ['/api/v1/payoutRuns', '/api/v1/payout-runs'],
  ['/api/v1/member/0197f2a0-0000-7000-8000-000000000001/genealogy', '/api/v1/members/{userId}/genealogy'],
])('%s', async (sent, meant) => {
  const answer = await fetch(app.baseUrl + sent);
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { error: `No such path; did you mean ${meant}?`, code: 'NOT_FOUND' },
  ]);
});

test.each(['/api/v1/purchases', '/wp-login.php', '/api/v2/users', '/api/v1/usr/x/y/z'])('%s is like none', async (sent) => {
  const answer = await fetch(app.baseUrl + sent);
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { error: 'No such path; all operations are listed at /docs', code: 'NOT_FOUND' },
  ]);
});

test('of two that fit, the one with fewer places for ids is named, and a long address is compared with none', () => {
  const near = createNearPath(['/api/v1/things/{id}', '/api/v1/things/search'], '/api/v1');
  expect(near('/api/v1/thing/search')).toBe('/api/v1/things/search');
  expect(near('/api/v1/things/serach')).toBe('/api/v1/things/{id}');
  expect(near(`/api/v1${'/things'.repeat(20)}`)).toBeUndefined();
});
