/** Roles that approve payments wait for a second pair of hands. Source: docs/specification/two-hands.md#waiting. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { byOperator } from '../../../src/actor.ts';
import {
  confirmPendingChange,
  getPendingChange,
  listPendingChanges,
} from '../../../src/features/pending-changes/pending-changes-operations.ts';
import {
  getStaffMember,
  inviteStaff,
  listStaffTies,
  revokeStaffInvite,
  updateStaffMember,
} from '../../../src/features/staff/staff-operations.ts';
import { newToken } from '../../../src/features/staff/tokens.ts';
import { pendingChanges } from '../../../src/features.ts';
import type { Caller } from '../../../src/http/operation.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import {
  invokeAs,
  plantFactor,
  plantPerson,
  plantSignedIn,
  refusalOf,
  type SignedIn,
  signIn,
  staffOf,
} from '../../support/app/test-people.ts';

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

const FINANCE = { email: 'Fin@example.com', role: 'finance' };
const VISITOR = { ip: '203.0.113.9', agent: 'a test', requestId: 'of-a-test' };

/** Uses the link: the id of who has joined. */
async function join(link: string | null | undefined): Promise<string> {
  const token = link?.split('/').at(-1) ?? '';
  const joined = await staffOf(app).links.accept(token, { name: 'Fin', password: 'four words for a door' }, VISITOR);
  if (joined.kind !== 'signed_in') throw new Error(`nobody has joined: ${joined.kind}`);
  return joined.session.staffId;
}

const invite = (who: SignedIn, body: { email: string; role: string } = FINANCE) => invokeAs(app, who, inviteStaff, { body });

/** Asked for by the first, confirmed by the second. */
async function inviteByTwo(): Promise<void> {
  expect((await confirm(second, idOf((await invite(first)).waiting))).status).toBe(200);
}

async function confirmAsOperator(id: string): Promise<void> {
  const scope: Caller = {
    tenantId: first.tenantId,
    environment: 'LIVE',
    rights: ['*', 'admin:staff'],
    root: 'operator',
    provenance: byOperator('pending-changes confirm'),
  };
  const origin = { ip: '', userAgent: null };
  const { changes } = app.composition.offer(pendingChanges);
  expect((await changes.confirm({ scope, origin, guard: undefined, shape: undefined }, id)).status).toBe('confirmed');
}

/** As whom the person counts. */
async function countsAs(staffId: string): Promise<string[]> {
  const { body } = await invokeAs(app, first, listStaffTies, { query: { limit: '100' } });
  return (body?.data ?? []).flatMap(({ subject, countsAs }) => (subject.id === staffId ? [countsAs.id ?? ''] : [])).toSorted();
}
const both = () => [first.staffId, second.staffId].toSorted();

describe('whoever confirms an invitation', () => {
  test('sees the address while it waits, which is nowhere in the clear and gone once it is decided', async () => {
    const { waiting } = await invite(first);
    const id = idOf(waiting);
    const shown = [{ direction: 'weakens', from: null, to: 'finance, Fin@example.com' }];
    expect(waiting).toMatchObject({ pendingChange: { fields: shown } });
    expect((await invokeAs(app, second, getPendingChange, { params: { pendingChangeId: id } })).body).toMatchObject({
      fields: shown,
    });
    const listed = await invokeAs(app, second, listPendingChanges, { query: { limit: '10' } });
    expect(listed.body?.data).toMatchObject([{ id, fields: shown }]);
    const stored = await app.database.asSuperuser<{ fields: unknown }>('select fields from pending_change where tenant_id = $1', [
      first.tenantId,
    ]);
    expect(stored).toMatchObject([{ fields: [{ from: null, to: 'finance' }] }]);
    expect(JSON.stringify(stored).toLowerCase()).not.toContain('fin@');
    expect((await confirm(second, id)).body).toMatchObject({ fields: [{ to: 'finance' }] });
    const after = await invokeAs(app, second, getPendingChange, { params: { pendingChangeId: id } });
    expect(after.body).toMatchObject({ status: 'confirmed', fields: [{ to: 'finance' }] });
  });

  test('is shown to nobody who may not see people', async () => {
    const id = idOf((await invite(first)).waiting);
    const admin = await plantSignedIn(app, first.tenantId, { role: 'admin' });
    expect((await invokeAs(app, admin, listPendingChanges, { query: { limit: '10' } })).body?.data).toEqual([]);
    expect(await refusalOf(invokeAs(app, admin, getPendingChange, { params: { pendingChangeId: id } }))).toBe('FORBIDDEN');
  });
});

describe('who joins counts as who asked and as who confirmed', () => {
  test('by the link that the confirmation has mailed', async () => {
    await inviteByTwo();
    // The link of the mail is known to nobody here: another value of the same row stands for it.
    const { token, hash } = newToken();
    await app.database.asSuperuser('update staff_invite set token_hash = $2 where tenant_id = $1', [first.tenantId, hash]);
    expect(await countsAs(await join(`/${token}`))).toEqual(both());
  });

  test.each([
    ['who asked, once more', () => invite(first)],
    ['who confirmed, once more', () => invite(second)],
    ['a third owner', async () => invite(await plantSignedIn(app, first.tenantId))],
  ])('by a link of %s', async (who, again) => {
    await inviteByTwo();
    const staffId = await join((await again()).body?.link);
    const found = await countsAs(staffId);
    expect(found).toEqual(expect.arrayContaining(both()));
    expect(found).toHaveLength(who === 'a third owner' ? 3 : 2);
  });

  test("by a link of the operator's", async () => {
    await inviteByTwo();
    const { url } = await staffOf(app).operator.invite(first.tenantId, FINANCE);
    expect(await countsAs(await join(url))).toEqual(both());
  });

  test('by a role that two have given to somebody who was invited for less', async () => {
    expect((await invite(first, { ...FINANCE, role: 'reviewer' })).status).toBe(201);
    expect((await confirm(second, idOf((await invite(first)).waiting))).status).toBe(200);
    expect(await countsAs(await join((await invite(first)).body?.link))).toEqual(both());
  });

  test('by being made an approver, and by being enabled as one', async () => {
    const reviewer = await plantPerson(app, first.tenantId, { role: 'reviewer' });
    const params = { staffId: reviewer.staffId };
    const raised = await invokeAs(app, first, updateStaffMember, { params, body: { role: 'finance' } });
    expect((await confirm(second, idOf(raised.waiting))).status).toBe(200);
    expect(await countsAs(reviewer.staffId)).toEqual(both());

    const disabled = await plantPerson(app, first.tenantId, { role: 'finance' });
    await app.database.asSuperuser("update staff set state = 'disabled' where tenant_id = $1 and id = $2", [
      first.tenantId,
      disabled.staffId,
    ]);
    const enable = { params: { staffId: disabled.staffId }, body: { disabled: false } };
    const enabled = await invokeAs(app, first, updateStaffMember, enable);
    expect((await confirm(second, idOf(enabled.waiting))).status).toBe(200);
    expect(await countsAs(disabled.staffId)).toEqual(both());
  });

  test('and as who asked alone, where the operator has confirmed', async () => {
    const id = idOf((await invite(first)).waiting);
    await confirmAsOperator(id);
    const staffId = await join((await invite(second)).body?.link);
    expect(await countsAs(staffId)).toEqual(both());
    const other = { email: 'other@example.com', role: 'finance' };
    await confirmAsOperator(idOf((await invite(first, other)).waiting));
    const { url } = await staffOf(app).operator.invite(first.tenantId, other);
    expect(await countsAs(await join(url))).toEqual([first.staffId]);
  });

  test('so that it confirms nothing that either has asked for', async () => {
    await inviteByTwo();
    const staffId = await join((await invite(first, { ...FINANCE, role: 'owner' }).then((held) => ownerBy(held.waiting))).link);
    await plantFactor(app, { tenantId: first.tenantId, staffId });
    const newcomer = await signIn(app, { staffId, tenantId: first.tenantId, email: FINANCE.email, role: 'owner' });
    for (const asker of [first, second]) {
      const waits = await invite(asker, { email: `by-${asker.staffId}@example.com`, role: 'finance' });
      expect(await refusalOf(confirm(newcomer, idOf(waits.waiting)))).toBe('SECOND_PERSON_REQUIRED');
    }
  });
});

/** The change to an owner is confirmed, and the link is asked for again. */
async function ownerBy(waiting: unknown): Promise<{ link: string | null | undefined }> {
  expect((await confirm(second, idOf(waiting))).status).toBe(200);
  return { link: (await invite(first, { ...FINANCE, role: 'owner' })).body?.link };
}

describe('an invitation that waits', () => {
  test('is not ended by one of somebody else, whatever role that is for', async () => {
    const id = idOf((await invite(first)).waiting);
    expect((await invite(second, { email: 'rev@example.com', role: 'reviewer' })).status).toBe(201);
    const other = await invite(second, { email: 'other@example.com', role: 'owner' });
    expect(other.status).toBe(202);
    expect((await confirm(second, id)).status).toBe(200);
    expect((await confirm(first, idOf(other.waiting))).status).toBe(200);
  });

  test('is one for each address, however it is written', async () => {
    await invite(first);
    expect(await refusalOf(invite(second, { ...FINANCE, email: 'fIN@EXAMPLE.com' }))).toBe('CHANGE_PENDING');
  });

  test('cannot be confirmed once the address was invited otherwise, and is ended by an invitation that takes rights', async () => {
    const id = idOf((await invite(first)).waiting);
    const made = await invite(first, { ...FINANCE, role: 'reviewer' });
    expect(await refusalOf(confirm(second, id))).toBe('STATE_CONFLICT');
    expect((await invokeAs(app, first, revokeStaffInvite, { params: { inviteId: made.body?.id ?? '' } })).status).toBe(200);
    // As it was when the change was asked for.
    expect((await confirm(second, id)).status).toBe(200);

    const owner = idOf((await invite(first, { ...FINANCE, role: 'owner' })).waiting);
    expect((await invite(second, { ...FINANCE, role: 'reviewer' })).status).toBe(201);
    const ended = await invokeAs(app, first, getPendingChange, { params: { pendingChangeId: owner } });
    expect(ended.body?.status).toBe('cancelled');
  });
});
