/** People in the hands of owners, and the ways that sessions end. Source: docs/specification/people.md. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAtLink } from '../../../src/features/staff/links-queries.ts';
import { ROLES, rightsOf } from '../../../src/features/staff/open/roles.ts';
import { peopleOf } from '../../../src/features/staff/sessions.ts';
import {
  changeOwnPassword,
  endOwnSessions,
  inviteStaff,
  listStaff,
  resetStaffPassword,
  updateStaffMember,
} from '../../../src/features/staff/staff-operations.ts';
import { house } from '../../../src/features.ts';
import { allScopesOf, scopesOf } from '../../../src/house/house.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import {
  invokeAs,
  PASSWORD,
  plantPerson,
  plantSignedIn,
  refusalOf,
  type SignedIn,
  staffOf,
} from '../../support/app/test-people.ts';

const VISITOR = { ip: '203.0.113.7', agent: 'Browser/1', requestId: 'of-a-test' };
let app: TestApp;
let tenant: TestTenant;
let owner: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  owner = await plantSignedIn(app, tenant.tenantId);
});
afterAll(() => app.close());

const tokenOf = (link: string | null): string => link?.split('/').at(-1) ?? '';

test('no role has a scope that there is not, and only an owner has that of people', () => {
  const all = allScopesOf(house);
  for (const ofPeople of ['admin:staff', 'audit:kyc']) expect(scopesOf(house)).not.toContain(ofPeople);
  for (const role of ROLES) {
    for (const environment of ['LIVE', 'SANDBOX'] as const) {
      const rights = rightsOf(role, environment, all);
      expect(
        rights.filter((scope) => scope !== '*' && !all.includes(scope)),
        role,
      ).toEqual([]);
      expect(rights.includes('admin:staff'), role).toBe(role === 'owner');
    }
  }
});

test('an invitation makes a person, once; whoever joined counts as the inviter for seven days', async () => {
  const made = await invokeAs(app, owner, inviteStaff, { body: { email: 'Dana@Example.com', role: 'reviewer' } });
  if (made.status !== 201) throw new Error(String(made.status));
  const token = tokenOf(made.body?.link ?? null);
  expect(await staffOf(app).links.look(token)).toMatchObject({ kind: 'invite', email: 'Dana@Example.com', role: 'reviewer' });
  const joined = await staffOf(app).links.accept(token, { name: 'Dana', password: 'four words for a door' }, VISITOR);
  if (joined.kind !== 'signed_in') throw new Error(joined.kind);
  expect(joined.session).toMatchObject({ role: 'reviewer', name: 'Dana', tenantId: tenant.tenantId });
  expect(await refusalOf(staffOf(app).links.accept(token, { name: 'Eve', password: 'four words for a door' }, VISITOR))).toBe(
    'NOT_FOUND',
  );
  const ties = await app.database.asSuperuser<{ counts_as: string; reason: string }>(
    'select counts_as, reason from approval_tie where tenant_id = $1 and subject = $2',
    [tenant.tenantId, `staff:${joined.session.staffId}`],
  );
  expect(ties).toEqual([{ counts_as: `staff:${owner.staffId}`, reason: 'invited' }]);
});

test('no key reaches people, and neither does a weaker role, SANDBOX, or an old second factor', async () => {
  expect((await apiClient(app, tenant.liveKey).get('/api/v1/admin/staff')).status).toBe(403);
  const admin = await plantSignedIn(app, tenant.tenantId, { role: 'admin' });
  expect(await refusalOf(invokeAs(app, admin, listStaff))).toBe('FORBIDDEN');
  expect(await refusalOf(invokeAs(app, owner, listStaff, {}, { environment: 'SANDBOX' }))).toBe('ENVIRONMENT_MISMATCH');
  const stale = await plantSignedIn(app, tenant.tenantId, { fresh: false });
  const body = { email: 'x@example.com', role: 'reviewer' };
  expect(await refusalOf(invokeAs(app, stale, inviteStaff, { body }))).toBe('STEP_UP_REQUIRED');
  const bare = await plantSignedIn(app, tenant.tenantId, { factor: false });
  expect(await refusalOf(invokeAs(app, bare, inviteStaff, { body }))).toBe('SECOND_FACTOR_REQUIRED');
});

test('the last owner stays', async () => {
  const { tenantId } = await app.newTenant();
  const only = await plantSignedIn(app, tenantId);
  const demote = { params: { staffId: only.staffId }, body: { role: 'admin' } };
  expect(await refusalOf(invokeAs(app, only, updateStaffMember, demote))).toBe('LAST_OWNER');
  await plantPerson(app, tenantId);
  expect((await invokeAs(app, only, updateStaffMember, demote)).status).toBe(200);
});

test('disabling ends the sessions within a second', async () => {
  const other = await plantSignedIn(app, tenant.tenantId, { role: 'developer' });
  await other.session();
  await invokeAs(app, owner, updateStaffMember, { params: { staffId: other.staffId }, body: { disabled: true } });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await staffOf(app).sessions.resolve(other.cookie)).toBeUndefined();
});

const slugOf = async (): Promise<string> => {
  const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [tenant.tenantId]);
  return row?.slug ?? '';
};
const byPassword = async ({ email }: SignedIn, password = PASSWORD) =>
  staffOf(app).signIn.signIn({ tenantSlug: await slugOf(), email, password }, VISITOR);
const another = 'seven brown boots 9';

test('"this was not me" ends all sessions and the password, and leads the browser at hand to another', async () => {
  const person = await plantSignedIn(app, tenant.tenantId, { role: 'reviewer', factor: false });
  const done = await invokeAs(app, person, endOwnSessions, { body: { which: 'not_me' } });
  expect(done.body).toEqual({ ended: 1, link: expect.stringContaining('/dashboard/welcome/') });
  expect(await byPassword(person)).toEqual({ kind: 'refused' });
  const chosen = await staffOf(app).links.accept(tokenOf(done.body?.link ?? null), { password: another }, VISITOR);
  expect(chosen.kind).toBe('signed_in');
  expect((await byPassword(person, another)).kind).toBe('signed_in');
  const audit = await app.database.asSuperuser<{ details: object }>(
    `select details from audit_log where action = 'staff.not_me' and object_id = $1`,
    [person.staffId],
  );
  expect(audit).toEqual([{ details: { sessionId: person.sessionId, ended: 1 } }]);
});

test('a session alone is worth no password: behind ten minutes "this was not me" takes a factor or a new sign-in', async () => {
  const person = await plantSignedIn(app, tenant.tenantId, { role: 'reviewer', factor: false, fresh: false });
  await app.database.asSuperuser(`update staff_session set created_at = now() - interval '11 minutes' where id = $1`, [
    person.sessionId,
  ]);
  expect(await refusalOf(invokeAs(app, person, endOwnSessions, { body: { which: 'not_me' } }))).toBe('UNAUTHORIZED');
  expect((await byPassword(person)).kind).toBe('signed_in');
  expect((await invokeAs(app, person, endOwnSessions, { body: { which: 'all' } })).body).toEqual({ ended: 2, link: null });
});

/** A sign-in that waits for its second step, and a link to a new password. */
async function openWays(person: SignedIn): Promise<{ isClosed(): Promise<boolean> }> {
  const begun = await byPassword(person);
  if (begun.kind !== 'factor_needed') throw new Error(begun.kind);
  const made = await invokeAs(app, owner, resetStaffPassword, { params: { staffId: person.staffId } });
  const token = tokenOf(made.body?.link ?? null);
  const ways = async (): Promise<boolean[]> => [
    (await staffOf(app).links.look(token)) !== undefined,
    (await staffOf(app).challenges.find(begun.challenge, 'sign_in')) !== undefined,
  ];
  expect(await ways()).toEqual([true, true]);
  return { isClosed: async () => (await ways()).every((open) => !open) };
}

test('a changed password, and being disabled, close the ways in that were open before', async () => {
  const changed = await plantSignedIn(app, tenant.tenantId, { role: 'reviewer' });
  const before = await openWays(changed);
  await invokeAs(app, changed, changeOwnPassword, { body: { password: PASSWORD, newPassword: another } });
  expect(await before.isClosed()).toBe(true);

  const disabled = await plantSignedIn(app, tenant.tenantId, { role: 'reviewer' });
  const ways = await openWays(disabled);
  const params = { staffId: disabled.staffId };
  await invokeAs(app, owner, updateStaffMember, { params, body: { disabled: true } });
  // They stay closed for whoever is enabled again.
  await invokeAs(app, owner, updateStaffMember, { params, body: { disabled: false } });
  expect(await ways.isClosed()).toBe(true);

  const off = await plantSignedIn(app, tenant.tenantId, { role: 'reviewer' });
  const waysOff = await openWays(off);
  await staffOf(app).operator.disable(tenant.tenantId, off.email);
  expect(await waysOff.isClosed()).toBe(true);
});

test('a developer reads no audit log', () => {
  for (const environment of ['LIVE', 'SANDBOX'] as const)
    expect(rightsOf('developer', environment, allScopesOf(house))).not.toContain('admin:audit');
});

test('a changed password needs the old one and ends the other sessions', async () => {
  const person = await plantSignedIn(app, tenant.tenantId, { role: 'reviewer', factor: false });
  const change = (password: string) => invokeAs(app, person, changeOwnPassword, { body: { password, newPassword: another } });
  expect(await refusalOf(change('not it'))).toBe('WRONG_PASSWORD');
  const audit = await app.database.asSuperuser<{ actor: string }>(
    `select actor_kind || ':' || actor_id as actor from audit_log where action = 'staff.password_refused' and object_id = $1`,
    [person.staffId],
  );
  expect(audit).toEqual([{ actor: `staff:${person.staffId}` }]);
  expect((await change(PASSWORD)).body).toEqual({ ended: 0 });
});

test('a profile is read by a session from the own pages alone', async () => {
  const { id } = await apiClient(app, tenant.sandboxKey).newMember();
  const read = (site: string, path = `/api/v1/members/${id}/profile`) =>
    app.http.get(path).set('cookie', `mcr=${owner.cookie}`).set('sec-fetch-site', site);
  const own = await read('same-origin');
  expect([own.status, own.headers['x-environment']]).toEqual([200, 'SANDBOX']);
  expect((await read('cross-site')).status).toBe(401);
  expect((await read('same-origin', `/api/v1/users/${id}`)).status).toBe(401);
});

test('a used link is not looked at with the email of whoever used it', async () => {
  const { tenantId } = await app.newTenant();
  const { token } = await staffOf(app).operator.invite(tenantId, { role: 'owner' });
  const scope = peopleOf({ tenantId });
  const look = async () => {
    const [link] = await app.database.asSuperuser<{ id: string }>('select id from staff_invite where tenant_id = $1', [tenantId]);
    return app.composition.frames.read(scope, (db) => lookAtLink(db, scope, link?.id ?? ''));
  };
  expect(await look()).toMatchObject({ kind: 'welcome', email: null });
  const typed = { name: 'Olga', email: 'olga@people.example', password: 'four words for a door' };
  await staffOf(app).links.accept(token, typed, VISITOR);
  expect(await look()).toBeUndefined();
});
