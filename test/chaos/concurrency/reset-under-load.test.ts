/**
 * Resets of a SANDBOX while two processes write to it: members, leads, moves, purchases. Each write is
 * wholly before a reset or wholly behind it. No write is a 5xx, and no row is left that refers to what is gone.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { countStatuses, type Load, openLoad, type RawAnswer } from '../../support/app/model-load.ts';
import { type ApiProcess, startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { digestRows } from '../../support/database/walls.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes its time

const ROUNDS = 5;
const WRITES = 60;
const RESETS = 4;

let app: TestApp;
let processes: ApiProcess[] = [];
let load: Load;

beforeAll(async () => {
  app = await startTestApp();
  // Held between what a purchase is decided on and its insert: room for a reset to fall into.
  const env = { DATABASE_POOL_SIZE: '10', FAULT_POINTS: 'purchase:decided=hold:10' };
  processes = await Promise.all([1, 2].map(() => startApiProcess(app, env)));
  load = openLoad();
});
afterAll(async () => {
  load.close();
  await Promise.all(processes.map((process) => process.stop()));
  await app.close();
});

/** Every answer is a success, or the refusal of a name that is no longer known. */
function expectSettled(answers: readonly RawAnswer[], successes: readonly number[], refusals: readonly number[] = [400]): void {
  const odd = answers.filter(({ status }) => !successes.includes(status) && !refusals.includes(status));
  expect(odd.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
}

test('resets among writes', async () => {
  const { tenantId, sandboxKey: key, liveKey } = await app.newTenant();
  await apiClient(app, liveKey).newMember();
  const untouched = await digestRows(app.database, { tenantId, environment: 'SANDBOX' });
  const client = apiClient(app, key);
  const post = (index: number, path: string, body: object) =>
    load.send({ baseUrl: processes[index % 2]?.baseUrl ?? '', key, path, body });

  for (let round = 0; round < ROUNDS; round++) {
    const sponsors: MemberBody[] = [];
    for (let i = 0; i < 3; i++)
      sponsors.push(await client.newMember({ membership_tier: 'DIRECTOR', parent_id: sponsors[i - 1]?.id }));
    const [first, second, third] = sponsors;
    const many = (send: (index: number) => Promise<RawAnswer>) => Array.from({ length: WRITES }, (_, index) => send(index));
    const purchases = many((index) =>
      post(index, '/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: sponsors[index % 3]?.id } })),
    );
    const members = many((index) =>
      post(index, '/api/v1/users', { email: `${randomUUID()}@shop.example`, parent_id: sponsors[index % 3]?.id }),
    );
    const leads = many((index) =>
      post(index, '/api/v1/leads/capture', { email: `${randomUUID()}@lead.example`, referral_code: first?.referral_code }),
    );
    const moves = [second, third].map((sponsor, index) =>
      post(index, `/api/v1/members/${third?.id}/sponsor`, { sponsorId: sponsor?.id, effectiveAt: '2026-03-01T00:00:00Z' }),
    );
    const resets = Array.from({ length: RESETS }, (_, index) => post(index, '/api/v1/sandbox/reset', {}));
    expectSettled(await Promise.all(purchases), [201]);
    expectSettled(await Promise.all(members), [201]);
    expectSettled(await Promise.all(leads), [201], []);
    expectSettled(await Promise.all(moves), [200], [400, 404, 409]);
    expect(countStatuses(await Promise.all(resets))).toEqual({ 200: RESETS });
    await expectCleanBooks(app);
  }
  const orphans = await app.database.asSuperuser(
    `select 'event' as kind from event e where e.tenant_id = $1 and e.attributed_member_id is not null
       and not exists (select from member m where m.tenant_id = e.tenant_id and m.environment = e.environment and m.id = e.attributed_member_id)
     union all select 'pending' from downline_pending p cross join unnest(p.ancestor_ids) as a(id) where p.tenant_id = $1
       and not exists (select from member m where m.tenant_id = p.tenant_id and m.environment = p.environment and m.id = a.id)
     union all select 'journal' from journal_entry j where j.tenant_id = $1 and j.cause_type = 'event'
       and not exists (select from event e where e.tenant_id = j.tenant_id and e.environment = j.environment and e.id = j.cause_id)`,
    [tenantId],
  );
  expect(orphans).toEqual([]);
  expect(await digestRows(app.database, { tenantId, environment: 'SANDBOX' })).toBe(untouched);
  expect((await client.post('/api/v1/sandbox/reset', {})).status).toBe(200);
  expect((await client.get('/api/v1/users')).body.data).toEqual([]);
});
