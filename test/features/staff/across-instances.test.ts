/** A session that is ended through one instance opens nothing on another a second later. Source: docs/specification/people.md#sessions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endStaffSessions, updateStaffMember } from '../../../src/features/staff/staff-operations.ts';
import { call } from '../../support/app/http-call.ts';
import { type ApiProcess, startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { invokeAs, plantSignedIn, type SignedIn } from '../../support/app/test-people.ts';

/** How long an ended session may go on working. */
const BOUND_MS = 1_000;

let app: TestApp;
let tenant: TestTenant;
let slug: string;
let owner: SignedIn;
let instances: ApiProcess[];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  owner = await plantSignedIn(app, tenant.tenantId);
  const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [tenant.tenantId]);
  slug = row?.slug ?? '';
  // Whoever is signed out asks on and on, and is to be told so each time.
  const env = { RATE_LIMIT_ADDRESS: '1000000' };
  instances = await Promise.all([startApiProcess(app, env), startApiProcess(app, env)]);
});
afterAll(async () => {
  await Promise.all((instances ?? []).map((instance) => instance.stop()));
  await app.close();
});

/** What an instance answers to whoever opens the overview with this cookie: 200, or 303 to the sign-in. */
async function opens(instance: ApiProcess | undefined, cookie: string): Promise<number> {
  const headers = { cookie: `mcr=${cookie}`, 'sec-fetch-site': 'same-origin' };
  return (await call(instance?.baseUrl ?? '', { method: 'GET', target: `/dashboard/${slug}/live/account`, headers })).status;
}

test.each([
  ['ended', (staffId: string) => invokeAs(app, owner, endStaffSessions, { params: { staffId } })],
  [
    'of somebody disabled',
    (staffId: string) => invokeAs(app, owner, updateStaffMember, { params: { staffId }, body: { disabled: true } }),
  ],
  [
    'of somebody demoted',
    (staffId: string) => invokeAs(app, owner, updateStaffMember, { params: { staffId }, body: { role: 'read-only' } }),
  ],
])('a session that was %s', async (_name, end) => {
  const person = await plantSignedIn(app, tenant.tenantId, { role: 'admin' });
  const before = await Promise.all(instances.map((one) => opens(one, person.cookie)));
  expect(before.every((status) => status !== 303)).toBe(true);
  const asked = { stopped: false };
  const late: number[] = [];
  let endedAt = Number.POSITIVE_INFINITY;
  // Asked all the time, so that each instance remembers it as long as it may.
  const asking = instances.map(async (one) => {
    while (!asked.stopped) {
      const sentAt = performance.now();
      const status = await opens(one, person.cookie);
      if (status !== 303 && sentAt > endedAt + BOUND_MS) late.push(sentAt - endedAt);
    }
  });
  await sleep(300);
  await end(person.staffId);
  endedAt = performance.now();
  await sleep(BOUND_MS + 700);
  asked.stopped = true;
  await Promise.all(asking);
  expect(late).toEqual([]);
  expect(await Promise.all(instances.map((one) => opens(one, person.cookie)))).toEqual([303, 303]);
});
