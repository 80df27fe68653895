/**
 * From a verified identity to a member: who is found, linked, created or refused.
 * Source: docs/specification/identity.md#linking, docs/specification/reliability.md#a-7.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { ExternalIdentity } from '../../../src/features/auth/open/external-token.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { personOf, plantProvider, standInProviders, tokenOf } from '../../support/identity/stand-in-providers.ts';
import { plantClick } from '../referrals/plant-click.ts';

let database: TestDatabase;
let app: TestApp;
let tenant: TestTenant;
let live: Scope;
let client: ApiClient;
let provider: string;

/** Of all instances on the database: signing keys are sealed under them. */
const SECRETS = {
  API_KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
  DATA_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
};

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(SECRETS, database, standInProviders(database));
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
/** Opens all connections, or the first of many at once would be through before the others have one. */
const openConnections = () => Promise.all(Array.from({ length: 50 }, () => client.get('/api/v1/users?limit=1')));

beforeEach(async () => {
  tenant = await app.newTenant();
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  provider = await plantProvider(app, live);
});

const exchange = (
  identity: ExternalIdentity | string,
  {
    as = provider,
    of = tenant.tenantId,
    ...referral
  }: { as?: string; of?: string; referralCode?: string; clickId?: string } = {},
) =>
  app.http
    .post('/api/v1/auth/exchange')
    .set('x-tenant-id', of)
    .send({ provider: as, token: typeof identity === 'string' ? identity : tokenOf(identity), ...referral });
const memberOf = async (accessToken: string, by = client) =>
  (await by.post('/api/v1/auth/validate', { token: accessToken })).body as { sub: string; environment: string };
const membersWith = async (email: string, by = client) =>
  (await by.get(`/api/v1/users?email=${encodeURIComponent(email)}`)).body.data as Record<string, unknown>[];
const countMembers = async () =>
  (
    await database.asSuperuser<{ count: number }>('select count(*)::int as count from member where tenant_id = $1', [
      tenant.tenantId,
    ])
  )[0]?.count;

describe('a person nobody knows', () => {
  test('becomes a root member of the ordinary tier, from the claims', async () => {
    const person = personOf({ email: 'Ada@Person.Example' });
    const answer = await exchange(person);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-environment']).toBe('LIVE');
    expect(answer.body).toEqual({
      accessToken: expect.stringMatching(/^eyJ/),
      refreshToken: expect.stringMatching(/^svcr_[\w-]{43}$/),
      expiresIn: 900,
    });
    const [member] = await membersWith('ada@person.example');
    expect(member).toMatchObject({
      email: 'Ada@Person.Example',
      name: 'Ada Example',
      external_id: person.subject,
      membership_tier: 'ORDINARY',
      parent_id: null,
      is_active: true,
    });
    expect((await memberOf(answer.body.accessToken)).sub).toBe(member?.['id']);
    expect((await client.post('/api/v1/auth/refresh', { refreshToken: answer.body.refreshToken })).status).toBe(200);
    const audit = await database.asSuperuser<{ action: string; actor_kind: string; text: string }>(
      'select action, actor_kind, t::text as text from audit_log t where tenant_id = $1 and object_id = $2 order by id limit 1',
      [tenant.tenantId, member?.['id']],
    );
    expect(audit[0]).toMatchObject({ action: 'member_identity.created', actor_kind: 'member' });
    expect(audit[0]?.text).not.toMatch(/ada example|person\.example/i);
  });

  test('is the same one the next time, whatever the email says then', async () => {
    const person = personOf();
    const first = await memberOf((await exchange(person)).body.accessToken);
    const again = await exchange({ ...person, email: 'other@person.example' });
    expect((await memberOf(again.body.accessToken)).sub).toBe(first.sub);
    expect(await membersWith('other@person.example')).toEqual([]);
    expect(await countMembers()).toBe(1);
  });

  test('a hundred times at once becomes one member (A-7)', async () => {
    const person = personOf();
    await openConnections();
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(person)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const members = await Promise.all(answers.slice(0, 10).map(({ body }) => memberOf(body.accessToken)));
    expect(new Set(members.map(({ sub }) => sub)).size).toBe(1);
    expect(await countMembers()).toBe(1);
  });

  test('in two tenants and both environments is somebody else each time', async () => {
    const person = personOf();
    const sandbox = await plantProvider(app, { ...live, environment: 'SANDBOX' });
    const other = await app.newTenant();
    const elsewhere = await plantProvider(app, { tenantId: other.tenantId, environment: 'LIVE' });
    const inSandbox = await exchange(person, { as: sandbox });
    expect(inSandbox.headers['x-environment']).toBe('SANDBOX');
    const subs = [
      (await memberOf((await exchange(person)).body.accessToken)).sub,
      (await memberOf(inSandbox.body.accessToken, apiClient(app, tenant.sandboxKey))).sub,
      (
        await memberOf(
          (
            await exchange(person, { as: elsewhere, of: other.tenantId })
          ).body.accessToken,
          apiClient(app, other.liveKey),
        )
      ).sub,
    ];
    expect(new Set(subs).size).toBe(3);
    expect((await memberOf(inSandbox.body.accessToken)).sub).toBeUndefined();
  });

  test('is told apart from another by every byte of the subject', async () => {
    const subjects = ['Ada', 'ada', 'ada ', 'a\u0308da', 'äda'];
    const subs = new Set<string>();
    for (const subject of subjects) subs.add((await memberOf((await exchange(personOf({ subject }))).body.accessToken)).sub);
    expect(subs.size).toBe(subjects.length);
  });

  test('goes without an external id that another member has', async () => {
    const person = personOf();
    await client.newMember({ external_id: person.subject });
    expect((await exchange(person)).status).toBe(200);
    expect((await membersWith(person.email ?? ''))[0]?.['external_id']).toBeNull();
  });

  test('is counted as the lead it was', async () => {
    const person = personOf();
    await client.post('/api/v1/leads/capture', { email: person.email });
    await exchange(person);
    const rows = await database.asSuperuser<{ conversion_status: string }>(
      'select conversion_status from lead where tenant_id = $1',
      [tenant.tenantId],
    );
    expect(rows).toEqual([{ conversion_status: 'converted' }]);
  });

  test('is not created where the provider creates none (A-9)', async () => {
    const strict = await plantProvider(app, live, { autoCreateUsers: false, trustEmail: true });
    const known = await client.newMember();
    for (const person of [personOf(), personOf({ email: known.email })]) {
      const answer = await exchange(person, { as: strict });
      expect([answer.status, answer.body.code]).toEqual([403, 'USER_NOT_PROVISIONED']);
    }
    expect(await countMembers()).toBe(1);
  });

  test.each<[string, Partial<ExternalIdentity>, string]>([
    ['no email', { email: null }, 'email'],
    ['an email that is none', { email: 'ada' }, 'email'],
    ['an email of 300 characters', { email: `${'a'.repeat(290)}@b.example` }, 'email'],
    ['a name of 10 kB', { name: 'x'.repeat(10_000) }, 'name'],
    ['a name with a NUL', { name: 'Ada\u0000' }, 'name'],
  ])('with %s is a fault of the request, and nothing is created (A-9)', async (_what, claims, field) => {
    const answer = await exchange(personOf(claims));
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.details.fields[0].field).toBe(field);
    expect(await countMembers()).toBe(0);
  });

  test('may be without a name', async () => {
    const person = personOf({ name: null });
    expect((await exchange(person)).status).toBe(200);
    expect((await membersWith(person.email ?? ''))[0]?.['name']).toBeNull();
  });
});

describe('a member with this email', () => {
  test.each<[string, { trustEmail: boolean; acceptUnverifiedEmail?: boolean }, boolean]>([
    ['an unverified email', { trustEmail: true, acceptUnverifiedEmail: true }, false],
    ['a provider whose emails are not trusted', { trustEmail: false }, true],
  ])('is never attached by %s (A-8)', async (_by, rules, emailVerified) => {
    const idp = await plantProvider(app, live, rules);
    const known = await client.newMember();
    const answer = await exchange(personOf({ email: known.email.toUpperCase(), emailVerified }), { as: idp });
    expect([answer.status, answer.body.code]).toEqual([409, 'ACCOUNT_LINK_REQUIRED']);
    expect(await countMembers()).toBe(1);
    expect(await database.asSuperuser('select 1 from member_identity where tenant_id = $1', [tenant.tenantId])).toEqual([]);
  });

  test('is linked by a verified email of a trusted provider, once and with its names as they are', async () => {
    const idp = await plantProvider(app, live, { trustEmail: true });
    const known = await client.newMember({ name: 'Known' });
    const person = personOf({ email: known.email });
    const answer = await exchange(person, { as: idp });
    expect((await memberOf(answer.body.accessToken)).sub).toBe(known.id);
    expect(await countMembers()).toBe(1);
    const thief = await exchange(personOf({ email: known.email }), { as: idp });
    expect([thief.status, thief.body.code]).toEqual([409, 'ACCOUNT_LINK_REQUIRED']);
  });

  test('is linked once by many at once', async () => {
    const idp = await plantProvider(app, live, { trustEmail: true });
    const known = await client.newMember();
    await openConnections();
    const people = Array.from({ length: 20 }, () => personOf({ email: known.email }));
    const answers = await Promise.all(people.map((person) => exchange(person, { as: idp })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  test('who is inactive stays unlinked', async () => {
    const idp = await plantProvider(app, live, { trustEmail: true });
    const known = await client.newMember({ is_active: false });
    expect((await exchange(personOf({ email: known.email }), { as: idp })).body.code).toBe('INVALID_TOKEN');
    expect(await database.asSuperuser('select 1 from member_identity where tenant_id = $1', [tenant.tenantId])).toEqual([]);
  });
});

describe('a member that was made with an address nobody had verified', () => {
  test.each([
    ['false', false, true],
    ['absent, of a provider that is not trusted', null, false],
  ])('is joined to nobody by it: email_verified %s', async (_claim, emailVerified, trustEmail) => {
    const taker = await plantProvider(app, live, { trustEmail, acceptUnverifiedEmail: true });
    const owner = await plantProvider(app, live, { trustEmail: true });
    const person = personOf({ emailVerified });
    expect((await exchange(person, { as: taker })).status).toBe(200);
    const answer = await exchange(personOf({ email: person.email }), { as: owner });
    expect([answer.status, answer.body.code]).toEqual([409, 'ACCOUNT_LINK_REQUIRED']);
    expect(await countMembers()).toBe(1);
  });

  test.each([
    ['true', true, false],
    ['absent, of a trusted provider', null, true],
  ])('is another than one whose address was: %s', async (_claim, emailVerified, trustEmail) => {
    const first = await plantProvider(app, live, { trustEmail });
    const second = await plantProvider(app, live, { trustEmail: true });
    const person = personOf({ emailVerified });
    const { sub } = await memberOf((await exchange(person, { as: first })).body.accessToken);
    const answer = await exchange(personOf({ email: person.email }), { as: second });
    expect((await memberOf(answer.body.accessToken)).sub).toBe(sub);
  });
});

describe('the sponsor of a person who becomes a member', () => {
  const signUp = async (person: ExternalIdentity, how: Parameters<typeof exchange>[1] = {}) => {
    const answer = await exchange(person, how);
    expect(answer.status).toBe(200);
    const [member] = await membersWith(person.email ?? '');
    const { data } = (await client.get(`/api/v1/referrals/attributions?placed_user_id=${String(member?.['id'])}`)).body;
    const [receipt] = data as { candidates: { source: string; reason: string | null }[]; decided_again: boolean }[];
    return {
      parentId: member?.['parent_id'],
      candidates: receipt?.candidates.map(({ source, reason }) => [source, reason]),
      again: receipt?.decided_again,
    };
  };
  const capture = async (email: string | null, code: string) =>
    (await client.post('/api/v1/leads/capture', { email, referral_code: code })).body;

  test('is the owner of the code, else of the click, else the referrer of the lead', async () => {
    const [coded, clicked, referrer] = [await client.newMember(), await client.newMember(), await client.newMember()];
    const { clickId } = await plantClick(app, live, clicked.id);
    const people = [personOf(), personOf(), personOf()];
    for (const { email } of people) await capture(email, referrer.referral_code);
    const [one, two, three] = people as [ExternalIdentity, ExternalIdentity, ExternalIdentity];
    expect(await signUp(one, { referralCode: coded.referral_code, clickId })).toEqual({
      parentId: coded.id,
      candidates: [
        ['referral_code', null],
        ['click', 'OUTRANKED'],
        ['lead', 'OUTRANKED'],
      ],
      again: true,
    });
    expect((await signUp(two, { clickId })).parentId).toBe(clicked.id);
    expect((await signUp(three)).parentId).toBe(referrer.id);
  });

  test('is looked for further when a code or click leads nowhere, which keeps nobody out', async () => {
    const [referrer, stopped] = [await client.newMember(), await client.newMember({ can_recruit: false })];
    const other = await app.newTenant();
    const stranger = await apiClient(app, other.liveKey).newMember();
    const foreign = await plantClick(app, { tenantId: other.tenantId, environment: 'LIVE' }, stranger.id);
    const person = personOf();
    await capture(person.email, referrer.referral_code);
    expect(await signUp(person, { referralCode: 'NOBODY-HAS-IT', clickId: foreign.clickId })).toEqual({
      parentId: referrer.id,
      candidates: [
        ['referral_code', 'UNKNOWN'],
        ['click', 'INVALID'],
        ['lead', null],
      ],
      again: true,
    });
    expect(await signUp(personOf(), { referralCode: stopped.referral_code })).toEqual({
      parentId: null,
      candidates: [['referral_code', 'NOT_RECRUITING']],
      again: true,
    });
  });

  test('stays who it was at a later login', async () => {
    const [first, second] = [await client.newMember(), await client.newMember()];
    const person = personOf();
    await signUp(person, { referralCode: first.referral_code });
    expect((await signUp(person, { referralCode: second.referral_code })).parentId).toBe(first.id);
  });

  test.each([
    ['false', false, true, false],
    ['absent, of a provider that is not trusted', null, false, false],
    ['absent, of a trusted one', null, true, true],
    ['true, of a provider that is not trusted', true, false, true],
  ])('is taken from a lead by a verified address only: email_verified %s', async (_claim, emailVerified, trustEmail, taken) => {
    const [referrer, coded] = [await client.newMember(), await client.newMember()];
    const idp = await plantProvider(app, live, { trustEmail, acceptUnverifiedEmail: true });
    const [person, other] = [personOf({ emailVerified }), personOf({ emailVerified })];
    const lead = await capture(person.email, referrer.referral_code);
    expect((await signUp(person, { as: idp })).parentId).toBe(taken ? referrer.id : null);
    expect((await client.get(`/api/v1/leads/${lead.id}`)).body.conversion_status).toBe(taken ? 'converted' : 'captured');
    expect((await signUp(other, { as: idp, referralCode: coded.referral_code })).parentId).toBe(coded.id);
  });
});

describe('a later login', () => {
  test('updates the names, of the profile too where there is one, and not the email', async () => {
    const person = personOf();
    const { sub } = await memberOf((await exchange(person)).body.accessToken);
    await exchange({ ...person, name: 'Ada Again', givenName: 'Ada', surname: 'Again' });
    expect((await membersWith(person.email ?? ''))[0]?.['name']).toBe('Ada Again');
    const profiles = () => database.asSuperuser('select given_name, surname from member_profile where member_id = $1', [sub]);
    expect(await profiles()).toEqual([]);
    await database.asSuperuser(
      "insert into member_profile (tenant_id, environment, member_id, given_name) values ($1, 'LIVE', $2, 'Old')",
      [tenant.tenantId, sub],
    );
    await exchange({ ...person, name: null, givenName: null, surname: 'Third' });
    expect(await profiles()).toEqual([{ given_name: 'Old', surname: 'Third' }]);
    expect((await membersWith(person.email ?? ''))[0]?.['name']).toBe('Ada Again');
    expect((await client.get('/api/v1/members?name=ada+again')).body.data).toHaveLength(1);
  });

  test('does not fail on a name that cannot be stored', async () => {
    const person = personOf();
    await exchange(person);
    expect((await exchange({ ...person, name: 'x'.repeat(10_000), surname: '\u0000' })).status).toBe(200);
    expect((await membersWith(person.email ?? ''))[0]?.['name']).toBe('Ada Example');
  });

  test.each([
    ['inactive', async (id: string) => client.patch(`/api/v1/users/${id}`, { is_active: false })],
    ['erased', async (id: string) => database.asSuperuser('update member set erased_at = now() where id = $1', [id])],
  ])('of a member who is %s is refused', async (_state, become) => {
    const person = personOf();
    const { sub } = await memberOf((await exchange(person)).body.accessToken);
    await become(sub);
    expect((await exchange(person)).body.code).toBe('INVALID_TOKEN');
  });
});

test('what names nothing gets one answer, whatever is wrong with it', async () => {
  const token = tokenOf(personOf());
  const other = await app.newTenant();
  const post = (headers: Record<string, string>, body: object) => app.http.post('/api/v1/auth/exchange').set(headers).send(body);
  const answers = [
    await post({}, { provider, token }),
    await post({ 'x-tenant-id': '' }, { provider, token }),
    await post({ 'x-tenant-id': "' or 1=1--" }, { provider, token }),
    await post({ 'x-tenant-id': randomUUID() }, { provider, token }),
    await post({ 'x-tenant-id': other.tenantId }, { provider, token }),
    await post({ 'x-tenant-id': tenant.tenantId }, { provider: 'unknown', token }),
    await post({ 'x-tenant-id': tenant.tenantId }, { provider: '', token }),
    await post({ 'x-tenant-id': tenant.tenantId }, { provider: 'x'.repeat(1_000), token }),
    await post({ 'x-tenant-id': tenant.tenantId }, { provider: provider.toUpperCase(), token }),
    await post({ 'x-tenant-id': tenant.tenantId }, { provider, token: '' }),
    await post({ 'x-tenant-id': tenant.tenantId }, { provider, token: 'a.b.c' }),
    await post({ 'x-tenant-id': tenant.tenantId }, { provider, token: 'x'.repeat(16_385) }),
    await exchange(personOf({ subject: '' })),
    await exchange(personOf({ subject: 'x'.repeat(256) })),
    await exchange(personOf({ subject: 'a\u0000b' })),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: 'The token is not valid', code: 'INVALID_TOKEN' });
  }
  expect(await countMembers()).toBe(0);
});

test('a provider that is deleted while its token is verified begins no session', async () => {
  const deleting = await startTestApp(
    SECRETS,
    database,
    standInProviders(database, () => database.asSuperuser('delete from auth_provider where provider_id = $1', [provider])),
  );
  try {
    const answer = await deleting.http
      .post('/api/v1/auth/exchange')
      .set('x-tenant-id', tenant.tenantId)
      .send({ provider, token: tokenOf(personOf()) });
    expect(answer.body).toEqual({ error: 'The token is not valid', code: 'INVALID_TOKEN' });
    expect(await countMembers()).toBe(0);
  } finally {
    await deleting.close();
  }
});

test('the tenant may be named in capitals', async () => {
  expect((await exchange(personOf(), { of: tenant.tenantId.toUpperCase() })).status).toBe(200);
});

test('refused tokens count by address', async () => {
  const limited = await startTestApp(
    { RATE_LIMIT_EXCHANGE_FAILURES: '3', RATE_LIMIT_BAD_KEYS: '1' },
    database,
    standInProviders(database),
  );
  try {
    const statuses = [];
    for (let i = 0; i < 5; i++) {
      const answer = await limited.http
        .post('/api/v1/auth/exchange')
        .set('x-tenant-id', tenant.tenantId)
        .send({ provider, token: 'a.b.c' });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  } finally {
    await limited.close();
  }
});

test('exchanges of good tokens count by tenant and environment, and one too many makes nobody a member', async () => {
  const secrets = {
    API_KEY_PEPPER: app.config.secrets.apiKeyPepper.toString('base64'),
    DATA_KEYS: app.config.secrets.dataKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  };
  const limited = await startTestApp({ ...secrets, RATE_LIMIT_EXCHANGES: '2' }, database, standInProviders(database));
  try {
    const send = async (token: string) =>
      limited.http.post('/api/v1/auth/exchange').set('x-tenant-id', tenant.tenantId).send({ provider, token });
    const before = await countMembers();
    const answers = [];
    for (let sent = 0; sent < 3; sent++) answers.push(await send(tokenOf(personOf())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.body).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 'tenant' } });
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await countMembers()).toBe((before ?? 0) + 2);
    // What is refused for another reason is not counted for the tenant.
    expect((await send('a.b.c')).status).toBe(401);
  } finally {
    await limited.close();
  }
});
