/** Roles that approve payments wait for a second pair of hands. Source: docs/specification/two-hands.md#waiting. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { confirmPendingChange } from '../../../src/features/pending-changes/pending-changes-operations.ts';
import { getStaffMember, inviteStaff, updateStaffMember } from '../../../src/features/staff/staff-operations.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { invokeAs, plantPerson, plantSignedIn, refusalOf, type SignedIn } from '../../support/app/test-people.ts';

let app: TestApp;
let first: SignedIn;
let second: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const { tenantId, liveKey } = await app.newTenant();
  [first, second] = [await plantSignedIn(app, tenantId), await plantSignedIn(app, tenantId)];
  const set = await apiClient(app, liveKey).patch('/api/v1/admin/settings', { payments: { dualControl: true } });
  expect(set.status, set.text).toBe(200);
});

const idOf = (waiting: unknown): string => (waiting as { pendingChange: { id: string } }).pendingChange.id;
const confirm = (who: SignedIn, pendingChangeId: string) =>
  invokeAs(app, who, confirmPendingChange, { params: { pendingChangeId }, body: {} });

test('inviteStaff of an approver waits, and the same request answers with the link once another owner has confirmed', async () => {
  const body = { email: 'fin@example.com', role: 'finance' };
  const waits = await invokeAs(app, first, inviteStaff, { body });
  expect(waits.status).toBe(202);
  const id = idOf(waits.waiting);
  expect(await refusalOf(confirm(first, id))).toBe('SECOND_PERSON_REQUIRED');
  expect((await confirm(second, id)).status).toBe(200);
  const made = await invokeAs(app, first, inviteStaff, { body });
  expect(made.status).toBe(201);
  expect(made.body?.link).toMatch(/^https?:/);
});

test('inviteStaff of somebody who approves nothing does not wait', async () => {
  expect((await invokeAs(app, first, inviteStaff, { body: { email: 'rev@example.com', role: 'reviewer' } })).status).toBe(201);
});

test('updateStaffMember to a role that approves waits; from one it does not', async () => {
  const { staffId } = await plantPerson(app, first.tenantId, { role: 'reviewer' });
  const params = { staffId };
  const waits = await invokeAs(app, first, updateStaffMember, { params, body: { role: 'finance' } });
  expect(waits.status).toBe(202);
  expect((await invokeAs(app, first, getStaffMember, { params })).body).toMatchObject({ role: 'reviewer' });
  const again = { params, body: { role: 'finance' } };
  expect(await refusalOf(invokeAs(app, second, updateStaffMember, again))).toBe('CHANGE_PENDING');
  expect((await confirm(second, idOf(waits.waiting))).status).toBe(200);
  expect((await invokeAs(app, first, getStaffMember, { params })).body).toMatchObject({ role: 'finance' });
  const back = await invokeAs(app, first, updateStaffMember, { params, body: { role: 'reviewer' } });
  expect(back.status).toBe(200);
});
