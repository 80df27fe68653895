/** Profiles: merged field by field, the ID number sealed and masked, a change in the audit log by names only. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCipher } from '../../../src/encryption.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  // Which tokens are good is not asked here: one is the id of its member.
  app.composition.members.authenticate = (token) => Promise.resolve({ memberId: token, sessionId: randomUUID() });
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  member = await client.newMember({ name: 'Ann Example' });
});
afterAll(() => app.close());

const pathOf = (id = member.id) => `/api/v1/members/${id}/profile`;
const as = (memberId: string) => ({ authorization: `Bearer ${memberId}` });

async function patch(body: object, id = member.id) {
  const answer = await client.patch(pathOf(id), body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Record<string, unknown>;
}
async function read(id = member.id) {
  const answer = await client.get(pathOf(id));
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Record<string, unknown>;
}
const refusal = async (body: object) => {
  const { status, body: answer } = await client.patch(pathOf(), body);
  return { status, fields: (answer.details?.fields as { field: string }[] | undefined)?.map(({ field }) => field) };
};
const audited = async () =>
  (await client.get(`/api/v1/admin/audit-logs?objectId=${member.id}`)).body.data as Record<string, unknown>[];
const stored = async () => {
  const [row] = await app.database.asSuperuser<{ id_number_sealed: Buffer | null }>(
    'select * from member_profile where member_id = $1',
    [member.id],
  );
  return row?.id_number_sealed ?? null;
};

describe('reading', () => {
  test('a member nothing was said of has a profile of blanks', async () => {
    expect(await read()).toEqual({
      id: member.id,
      name: 'Ann Example',
      givenName: null,
      surname: null,
      dateOfBirth: null,
      idNumber: null,
      email: member.email,
      countryCode: null,
      address: null,
      businessName: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('nobody of another tenant or environment, and nobody at all, is found', async () => {
    const other = await app.newTenant();
    for (const key of [other.liveKey, tenant.sandboxKey]) {
      expect((await apiClient(app, key).get(pathOf())).body.code).toBe('USER_NOT_FOUND');
      expect((await apiClient(app, key).patch(pathOf(), { name: 'Eve' })).body.code).toBe('USER_NOT_FOUND');
    }
    expect((await client.get(pathOf(randomUUID()))).body.code).toBe('USER_NOT_FOUND');
    expect((await read())['name']).toBe('Ann Example');
  });
});

describe('changing', () => {
  const whole = {
    name: 'Ann Q. Example',
    givenName: 'Ann',
    surname: 'Example',
    dateOfBirth: '1996-02-29',
    countryCode: 'DEU',
  };

  test('sets what is sent, leaves what is not, and clears with null', async () => {
    expect(await patch(whole)).toMatchObject(whole);
    expect(await patch({ surname: 'Sample', givenName: null })).toMatchObject({ ...whole, surname: 'Sample', givenName: null });
    expect(await read()).toMatchObject({ ...whole, surname: 'Sample', givenName: null });
  });

  test('merges the address field by field', async () => {
    const first = { countryCode: 'DEU', addressLine1: 'Lindenstr. 1', city: 'Berlin', addressType: 'residential' };
    const blank = { addressLine2: null, state: null, postalCode: null, district: null, neighborhood: null };
    expect((await patch({ address: first }))['address']).toEqual({ ...blank, ...first });
    const second = await patch({ address: { city: 'Bonn', addressLine1: null, postalCode: '53111' } });
    expect(second['address']).toEqual({ ...blank, ...first, city: 'Bonn', addressLine1: null, postalCode: '53111' });
    expect((await patch({ address: {} }))['address']).toEqual(second['address']);
    expect((await patch({ name: 'Other' }))['address']).toEqual(second['address']);
    expect((await patch({ address: null }))['address']).toBeNull();
    await patch({ address: { city: 'Bonn' } });
    expect((await patch({ address: { city: null } }))['address']).toBeNull();
  });

  test('moves updatedAt, and the name of the search with the name', async () => {
    const before = await read();
    const after = await patch({ name: 'Émile' });
    expect(Date.parse(String(after['updatedAt']))).toBeGreaterThan(Date.parse(String(before['updatedAt'])));
    const found = await client.get(`/api/v1/members?name=${encodeURIComponent('éMI')}`);
    expect(found.body.data.map((row: MemberBody) => row.id)).toEqual([member.id]);
    await patch({ name: null });
    expect((await client.get(`/api/v1/members?name=${encodeURIComponent('éMI')}`)).body.data).toEqual([]);
  });

  test('loses nothing when fields are set at once', async () => {
    const cities = { city: 'Bonn', state: 'NRW', postalCode: '53111', district: 'Mitte', neighborhood: 'Nord' };
    await Promise.all(Object.entries(cities).map(([name, value]) => patch({ address: { [name]: value } })));
    expect((await read())['address']).toMatchObject(cities);
  });

  test('shows given name and surname wherever the tree does', async () => {
    const recruit = await client.newMember({ parent_id: member.id });
    await patch({ givenName: 'Ann', surname: 'Example' });
    await patch({ givenName: 'Bo', surname: 'Below' }, recruit.id);
    const of = (id: string, rest: string) => client.get(`/api/v1/members/${id}/${rest}`);
    const names = { ann: { givenName: 'Ann', surname: 'Example' }, bo: { givenName: 'Bo', surname: 'Below' } };
    expect((await of(member.id, 'genealogy')).body.tree).toMatchObject({ ...names.ann, children: [names.bo] });
    expect((await of(member.id, 'downline')).body.data).toMatchObject([names.bo]);
    expect((await of(recruit.id, 'upline')).body.data).toMatchObject([names.ann]);
    expect((await of(recruit.id, `relationship/${member.id}`)).body.path).toMatchObject([names.bo, names.ann]);
    expect((await of(member.id, 'referral-stats')).body.topPerformers).toMatchObject([names.bo]);
  });

  test.each<[label: string, body: object, field: string]>([
    ['an email', { email: 'other@shop.example' }, ''],
    ['an unknown field', { nickname: 'A' }, ''],
    ['nothing', {}, ''],
    ['an unknown field of the address', { address: { planet: 'Earth' } }, 'address.planet'],
    ['a day that is not in the calendar', { dateOfBirth: '2025-02-29' }, 'dateOfBirth'],
    ['a date with a time', { dateOfBirth: '1990-01-01T00:00:00Z' }, 'dateOfBirth'],
    ['a birth before 1900', { dateOfBirth: '1899-12-31' }, 'dateOfBirth'],
    ['a birth to come', { dateOfBirth: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) }, 'dateOfBirth'],
    ['a country of two letters', { countryCode: 'DE' }, 'countryCode'],
    ['a country that there is not', { countryCode: 'qqq' }, 'countryCode'],
    ['a country there is not', { countryCode: 'QQQ' }, 'countryCode'],
    ['no country in the address', { address: { countryCode: '276' } }, 'address.countryCode'],
    ['another kind of address', { address: { addressType: 'holiday' } }, 'address.addressType'],
    ['a postal code too long', { address: { postalCode: 'x'.repeat(21) } }, 'address.postalCode'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a name too long', { surname: 'x'.repeat(256) }, 'surname'],
    ['an ID number too short', { idNumber: 'AB1' }, 'idNumber'],
    ['an ID number too long', { idNumber: '1'.repeat(65) }, 'idNumber'],
    ['the mask for an ID number', { idNumber: '•••• 6789' }, 'idNumber'],
  ])('refuses %s', async (_label, body, field) => {
    const answer = await refusal(body);
    expect(answer.status).toBe(400);
    if (field !== '') expect(answer.fields).toContain(field);
    expect((await read())['name']).toBe('Ann Example');
  });

  test('takes the first and the last day', async () => {
    expect((await patch({ dateOfBirth: '1900-01-01' }))['dateOfBirth']).toBe('1900-01-01');
    const today = new Date().toISOString().slice(0, 10);
    expect((await patch({ dateOfBirth: today }))['dateOfBirth']).toBe(today);
  });

  test('repeats with an Idempotency-Key, and not for another subject', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await client.patch(pathOf(), { surname: 'One' }, key);
    await patch({ surname: 'Two' });
    const again = await client.patch(pathOf(), { surname: 'One' }, key);
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body]);
    expect((await read())['surname']).toBe('Two');
    expect((await client.patch(pathOf(), { surname: 'One' }, { ...key, ...as(member.id) })).status).toBe(422);
  });
});

describe('the ID number', () => {
  test.each([
    ['AB-123456789', '•••• 6789'],
    ['1234567', '•••• 567'],
    ['1234', '•••• 34'],
    ['АБ 12/34.56', '•••• 4.56'],
  ])('%s is read as %s', async (idNumber, shown) => {
    expect((await patch({ idNumber }))['idNumber']).toBe(shown);
    expect((await read())['idNumber']).toBe(shown);
  });

  test('is kept by other changes and cleared with null', async () => {
    await patch({ idNumber: 'AB-123456789' });
    expect((await patch({ surname: 'Example' }))['idNumber']).toBe('•••• 6789');
    expect((await patch({ idNumber: null }))['idNumber']).toBeNull();
    expect(await stored()).toBeNull();
  });

  test('is sealed to its row, and opens in no other', async () => {
    const other = await client.newMember();
    await patch({ idNumber: 'AB-123456789' });
    const sealed = (await stored()) ?? Buffer.alloc(0);
    expect(sealed.includes('123456789')).toBe(false);
    const cipher = createCipher(app.config.secrets.dataKeys);
    const place = (tenantId: string, environment: string, id: string) => [
      'member_profile',
      tenantId,
      environment,
      id,
      'id_number',
    ];
    expect(cipher.decrypt(sealed, place(tenant.tenantId, 'LIVE', member.id)).toString()).toBe('AB-123456789');
    expect(() => cipher.decrypt(sealed, place(tenant.tenantId, 'LIVE', other.id))).toThrow();
    expect(() => cipher.decrypt(sealed, place(tenant.tenantId, 'SANDBOX', member.id))).toThrow();
    expect(() => cipher.decrypt(sealed, place(randomUUID(), 'LIVE', member.id))).toThrow();
  });
});

describe('the audit log', () => {
  test('names the fields that changed, and no value', async () => {
    await patch({ surname: 'Secretname', idNumber: 'AB-123456789', address: { city: 'Hiddentown' } });
    const [entry] = await audited();
    expect(entry).toMatchObject({
      action: 'member_profile.updated',
      actor: { kind: 'api_key' },
      objectKind: 'member',
      details: { fields: ['surname', 'idNumber', 'address.city'] },
    });
    expect(JSON.stringify(entry)).not.toMatch(/Secretname|6789|Hiddentown/);
  });

  test('has no entry for what changed nothing', async () => {
    await patch({ surname: 'Example' });
    const { updatedAt } = await patch({ surname: 'Example', idNumber: null, address: null });
    expect(await audited()).toHaveLength(1);
    expect((await read())['updatedAt']).toBe(updatedAt);
  });
});

describe('a bearer token', () => {
  const get = (path: string, memberId: string) => app.http.get(path).set('x-tenant-api-key', tenant.liveKey).set(as(memberId));

  test('reads and changes its own profile, and nobody else’s', async () => {
    const recruit = await client.newMember({ parent_id: member.id });
    expect((await get(pathOf(), member.id)).status).toBe(200);
    expect((await client.patch(pathOf(), { surname: 'Mine' }, as(member.id))).body.surname).toBe('Mine');
    expect((await audited())[0]).toMatchObject({ actor: { kind: 'member', id: member.id } });
    for (const id of [recruit.id, randomUUID()]) {
      expect((await get(pathOf(id), member.id)).body.code).toBe('FORBIDDEN');
      expect((await client.patch(pathOf(id), { surname: 'Not mine' }, as(member.id))).body.code).toBe('FORBIDDEN');
    }
  });

  test('is asked for by members/me, which says who it is of', async () => {
    const recruit = await client.newMember({ parent_id: member.id, membership_tier: 'MANAGER' });
    const me = await get('/api/v1/members/me', recruit.id);
    expect(me.status).toBe(200);
    expect(me.body).toEqual({
      ...(await read(recruit.id)),
      membershipTier: 'MANAGER',
      isActive: true,
      parentId: member.id,
      environment: 'LIVE',
    });
    const without = await client.get('/api/v1/members/me');
    expect([without.status, without.body.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});
