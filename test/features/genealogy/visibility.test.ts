/** What bearer tokens see of other members, by the tenant's setting (docs/specification/hierarchy.md#visibility). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DownlineVisibility, maskFor } from '../../../src/features/genealogy/open/mask-person.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let root: MemberBody;
let child: MemberBody;
let grandchild: MemberBody;
let authorization: string;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  root = await client.newMember({ name: 'Ada King Lovelace' });
  child = await client.newMember({ name: 'Grace Brewster Hopper', parent_id: root.id });
  grandchild = await client.newMember({ name: 'Edsger Dijkstra', parent_id: child.id });
  const profile = await client.patch(`/api/v1/members/${grandchild.id}/profile`, {
    givenName: 'Edsger Wybe',
    surname: 'Dijkstra',
  });
  expect(profile.status).toBe(200);
  await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: grandchild.id } }));
  const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, root.id);
  authorization = `Bearer ${accessToken}`;
});
afterAll(() => app.close());

async function setTo(downlineVisibility: DownlineVisibility): Promise<void> {
  const answer = await client.patch('/api/v1/admin/settings', { members: { downlineVisibility } });
  expect([answer.status, answer.body.members]).toEqual([200, { downlineVisibility }]);
}

const asRoot = (path: string) => client.get(path, { authorization });
const OF_ROOT = () => [
  `/api/v1/members/${root.id}/genealogy`,
  `/api/v1/members/${root.id}/downline`,
  `/api/v1/members/${root.id}/relationship/${grandchild.id}`,
  `/api/v1/members/${root.id}/referral-stats`,
  `/api/v1/members/${root.id}/team-stats`,
];
const OF_CHILD = () => [`/api/v1/members/${child.id}/genealogy`, `/api/v1/members/${child.id}/downline`];
const SECRETS = () => [child.email, grandchild.email, 'Brewster', 'Hopper', 'Dijkstra', 'Wybe'];

describe('masked, which is the default', () => {
  test('shows the first name and an initial of others, and all of oneself', async () => {
    expect((await client.get('/api/v1/admin/settings')).body.members).toEqual({ downlineVisibility: 'masked' });
    const { tree } = (await asRoot(`/api/v1/members/${root.id}/genealogy`)).body;
    expect(tree).toMatchObject({ userId: root.id, email: root.email, name: 'Ada King Lovelace', totalDownline: 2 });
    const [below] = tree.children;
    expect(below).toMatchObject({ userId: child.id, email: null, name: 'Grace H.', givenName: null, surname: null });
    expect(below.children[0]).toMatchObject({ userId: grandchild.id, name: 'Edsger D.', depth: 2, isActive: true });
    const { topPerformers } = (await asRoot(`/api/v1/members/${root.id}/referral-stats`)).body;
    expect(topPerformers).toMatchObject([{ userId: child.id, email: null, name: 'Grace H.', referralCount: 1 }]);
    const { data } = (await asRoot(`/api/v1/members/${root.id}/downline`)).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Grace H.', 'Edsger D.']);
    const { path } = (await asRoot(`/api/v1/members/${root.id}/relationship/${grandchild.id}`)).body;
    expect(path.map(({ name }: { name: string }) => name)).toEqual(['Ada King Lovelace', 'Grace H.', 'Edsger D.']);
  });

  test('shows no address and no full name of others anywhere', async () => {
    for (const path of [...OF_ROOT(), ...OF_CHILD()]) {
      const answer = await asRoot(path);
      expect([path, answer.status]).toEqual([path, 200]);
      for (const secret of SECRETS()) expect(answer.text, path).not.toContain(secret);
    }
  });

  test('binds no key', async () => {
    const { text } = await client.get(`/api/v1/members/${root.id}/genealogy`);
    for (const secret of SECRETS()) expect(text).toContain(secret);
  });
});

test('full shows everything', async () => {
  await setTo('full');
  const [byKey, byToken] = [await client.get(OF_ROOT()[0] ?? ''), await asRoot(OF_ROOT()[0] ?? '')];
  expect(byToken.text).toBe(byKey.text);
  expect((await asRoot(`/api/v1/members/${root.id}/referral-stats`)).body.topPerformers).toMatchObject([{ email: child.email }]);
});

describe('counts', () => {
  beforeAll(() => setTo('counts'));

  test('shows numbers, and nobody else', async () => {
    const { tree, meta } = (await asRoot(`/api/v1/members/${root.id}/genealogy`)).body;
    expect(tree).toMatchObject({ userId: root.id, email: root.email, directReferrals: 1, totalDownline: 2, children: [] });
    expect(meta).toMatchObject({ totalNodes: 1, truncated: true });
    expect((await asRoot(`/api/v1/members/${root.id}/downline`)).body).toEqual({
      data: [],
      hasMore: false,
      nextCursor: null,
      truncated: true,
    });
    expect((await asRoot(`/api/v1/members/${root.id}/relationship/${grandchild.id}`)).body).toEqual({
      connected: true,
      relationship: 'downline',
      distance: 2,
      path: [],
    });
    const stats = (await asRoot(`/api/v1/members/${root.id}/referral-stats`)).body;
    expect(stats).toMatchObject({ totalReferrals: 2, topPerformers: [] });
    for (const path of OF_ROOT()) {
      const { text } = await asRoot(path);
      for (const secret of [...SECRETS(), child.id, grandchild.id, 'Grace', 'Edsger']) expect(text, path).not.toContain(secret);
    }
  });

  test('refuses whoever names another, below or not there', async () => {
    for (const path of OF_CHILD()) expectRefusal(await asRoot(path), 403, 'FORBIDDEN');
  });

  test('is of one environment of one tenant', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    expect((await sandbox.get('/api/v1/admin/settings')).body.members).toEqual({ downlineVisibility: 'masked' });
    const other = apiClient(app, (await app.newTenant()).liveKey);
    expect((await other.get('/api/v1/admin/settings')).body.members).toEqual({ downlineVisibility: 'masked' });
  });

  test('is audited by its name', async () => {
    const { data } = (await client.get('/api/v1/admin/audit-logs?limit=1')).body;
    expect(JSON.stringify(data)).toContain('members.downlineVisibility');
  });
});

test.each([
  [{ name: 'Ada Lovelace' }, 'Ada L.'],
  [{ name: '  Ada   King  lovelace ' }, 'Ada L.'],
  [{ name: 'Ada' }, 'Ada'],
  [{ name: 'ada@example.com' }, null],
  [{ name: null }, null],
  [{ name: 'Ada Lovelace', givenName: 'Grace', surname: 'Hopper' }, 'Grace H.'],
  [{ name: 'Ada Lovelace', givenName: 'Grace' }, 'Grace'],
  [{ name: 'Ada Lovelace', surname: 'Hopper' }, 'Ada H.'],
  [{ name: '李 小龍' }, '李 小.'],
  [{ name: 'Ana Ñandú' }, 'Ana Ñ.'],
  [{ name: 'Ana 👩🏽‍🚀x' }, 'Ana 👩🏽‍🚀.'],
])('%j is %s to others', (person, name) => {
  const whole = { id: 'a', email: 'a@b.example', givenName: null, surname: null, ...person };
  const masked = { ...whole, email: null, name, givenName: null, surname: null };
  expect(maskFor({ memberId: 'b', visibility: 'masked' }, whole)).toEqual(masked);
  expect(maskFor({ memberId: 'a', visibility: 'counts' }, whole)).toBe(whole);
  expect(maskFor({ memberId: undefined, visibility: 'full' }, whole)).toBe(whole);
});
