/** PATCH /users/{user_id} on what was recorded wrongly (docs/specification/hierarchy.md#corrections). */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { listTenantTables } from '../../support/database/walls.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let mark: string;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  mark = randomUUID().slice(0, 13);
  member = await client.newMember({ email: `${mark}-old@shop.example`, name: `${mark} Ann` });
});
afterAll(() => app.close());

const patch = (body: object, id = member.id, by = client) => by.patch(`/api/v1/users/${id}`, body);
const read = async (id = member.id) => (await client.get(`/api/v1/users/${id}`)).body;
const erase = (id = member.id) => client.post(`/api/v1/members/${id}/erasure`, {});

async function auditOf(id = member.id): Promise<{ action: string; actor: object; details: object }[]> {
  const { data } = (await client.get(`/api/v1/admin/audit-logs?objectId=${id}`)).body;
  return data.map(({ action, actor, details }: { action: string; actor: object; details: object }) => ({
    action,
    actor,
    details,
  }));
}

/** Tables in which the text is still found, in any row of any tenant. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await listTenantTables(app.database)) {
    const rows = await app.database.asSuperuser(`select from ${table} t where t::text ilike '%' || $1 || '%'`, [text]);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

test('changes what is sent, answers with the whole member, and names the fields in the audit log', async () => {
  const sent = {
    email: `${mark}-New@shop.example`,
    name: `${mark} Anna`,
    external_id: `${mark}-crm`,
    pay_currency: 'EUR',
    is_test_user: true,
  };
  const answer = await patch(sent);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({ ...member, ...sent, updated_at: expect.any(String) });
  expect(Date.parse(answer.body.updated_at)).toBeGreaterThan(
    Date.parse((member as unknown as { updated_at: string }).updated_at),
  );
  expect(await read()).toEqual(answer.body);
  expect(await auditOf()).toEqual([
    {
      action: 'member.updated',
      actor: { kind: 'api_key', id: expect.any(String), name: null },
      details: { fields: ['email', 'name', 'external_id', 'pay_currency', 'is_test_user'] },
    },
  ]);
  expect(JSON.stringify(await auditOf())).not.toContain(mark);
});

test('what is as it was is not written: no entry, no later time of change', async () => {
  const before = (await patch({ name: `${mark} Anna`, is_test_user: true })).body;
  const again = await patch({ name: `${mark} Anna`, is_test_user: true, email: member.email, external_id: null });
  expect([again.status, again.body]).toEqual([200, before]);
  expect(await auditOf()).toHaveLength(1);
});

test('null clears the name and the external id, and nothing else', async () => {
  await patch({ external_id: `${mark}-crm` });
  expect((await patch({ name: null, external_id: null })).body).toMatchObject({ name: null, external_id: null });
  const other = await client.newMember();
  expect((await patch({ external_id: `${mark}-crm` }, other.id)).status).toBe(200);
  for (const body of [{ email: null }, { pay_currency: null }, { is_test_user: null }]) {
    expectRefusal(await patch(body), 400, 'VALIDATION_ERROR', Object.keys(body));
  }
});

test('a new name is found in the list of members, the old one is not', async () => {
  await patch({ name: 'Ωmega ΟΔΟΣ' });
  const found = async (name: string) => (await client.get(`/api/v1/members?name=${encodeURIComponent(name)}`)).body.data.length;
  expect([await found('ωmega οδοσ'), await found(mark)]).toEqual([1, 0]);
});

test('together with a tier: the tier from its date on, the rest now', async () => {
  const answer = await patch({
    membership_tier: 'SENIOR',
    effective_at: '2026-03-01T00:00:00Z',
    email: `${mark}-2@shop.example`,
  });
  expect(answer.body).toMatchObject({ membership_tier: 'SENIOR', email: `${mark}-2@shop.example` });
  const clash = await client.newMember();
  const refused = await patch({ membership_tier: 'DIRECTOR', email: clash.email });
  expectRefusal(refused, 409, 'EMAIL_EXISTS');
  expect(await read()).toEqual(answer.body);
});

test('a flag of tests goes on and off again, and each change has its entry', async () => {
  for (const is_test_user of [true, false]) expect((await patch({ is_test_user })).body.is_test_user).toBe(is_test_user);
  expect((await auditOf()).map(({ details }) => details)).toEqual([{ fields: ['is_test_user'] }, { fields: ['is_test_user'] }]);
});

test('the currency counts for the lines of later sales', async () => {
  await publishPlan(app, tenant, { fx: { payCurrency: 'member' } });
  const rate = {
    sourceCurrency: 'USD',
    targetCurrency: 'EUR',
    numerator: 1,
    denominator: 2,
    effectiveAt: '2026-01-01T00:00:00Z',
    source: 'Central bank',
  };
  expect((await client.post('/api/v1/admin/exchange-rates', rate)).status).toBe(201);
  const currenciesOf = (sale: { commissions: { currency: string }[] }) => sale.commissions.map(({ currency }) => currency);
  const sell = () => purchaseOf(client, { attribution: { user_id: member.id } });
  const before = await sell();
  expect((await patch({ pay_currency: 'EUR' })).body.pay_currency).toBe('EUR');
  expect([currenciesOf(before), currenciesOf(await sell())]).toEqual([['USD'], ['EUR']]);
  expect(currenciesOf((await client.get(`/api/v1/events/${before.event_id}`)).body)).toEqual(['USD']);
});

describe('an email', () => {
  test('that somebody has is a 409 that names them, whatever the case; elsewhere it is free', async () => {
    const holder = await client.newMember({ email: `${mark}-Ä@shop.example`, external_id: `${mark}-crm` });
    const answer = await patch({ email: `${mark}-A\u0308@SHOP.example`.toUpperCase() });
    expectRefusal(answer, 409, 'EMAIL_EXISTS');
    expect(answer.body.details).toEqual({ existing_id: holder.id });
    const external = await patch({ external_id: `${mark}-crm`, name: 'No' });
    expectRefusal(external, 409, 'EXTERNAL_ID_EXISTS');
    expect(external.body.details).toEqual({ existing_id: holder.id });
    expect(await read()).toEqual({ ...member });
    const sandbox = apiClient(app, tenant.sandboxKey);
    const twin = await sandbox.newMember();
    expect((await patch({ email: holder.email }, twin.id, sandbox)).status).toBe(200);
    expectRefusal(await patch({ name: 'No' }, twin.id), 404, 'USER_NOT_FOUND');
  });

  test('of its own in another case is taken as it is written', async () => {
    expect((await patch({ email: member.email.toUpperCase() })).body.email).toBe(member.email.toUpperCase());
    expectRefusal(await client.post('/api/v1/users', { email: member.email }), 409, 'EMAIL_EXISTS');
  });

  test('that is given up is free at once', async () => {
    await patch({ email: `${mark}-new@shop.example` });
    expect((await client.post('/api/v1/users', { email: member.email })).status).toBe(201);
  });

  test('wanted by many at once is got by one', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => client.newMember()));
    const email = `${mark}-wanted@shop.example`;
    const answers = await Promise.all([
      ...others.map(({ id }) => patch({ email }, id)),
      client.post('/api/v1/users', { email }),
      client.post('/api/v1/users', { email: email.toUpperCase() }),
    ]);
    const won = answers.filter(({ status }) => status < 300);
    expect(won).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer !== won[0])) {
      expect([status, body.code, body.details]).toEqual([409, 'EMAIL_EXISTS', { existing_id: won[0]?.body.id }]);
    }
  });

  test('two that change places at once: one way or the other, never both in one', async () => {
    const other = await client.newMember();
    for (let i = 0; i < 5; i++) {
      const [a, b] = [(await read()).email, (await read(other.id)).email];
      const answers = await Promise.all([patch({ email: b }), patch({ email: a }, other.id)]);
      expect(answers.map(({ status }) => status)).toEqual([409, 409]);
      expect([(await read()).email, (await read(other.id)).email]).toEqual([a, b]);
    }
  });
});

describe('beside a sign-in', () => {
  const audience = 'shop-app';

  async function newProvider(): Promise<string> {
    const body = {
      providerId: `idp-${randomUUID()}`,
      issuerUrl: app.issuer.issuerUrl,
      allowedAudiences: [audience],
      trustEmail: true,
    };
    const answer = await client.post('/api/v1/admin/auth/providers', body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.providerId;
  }

  async function signIn(provider: string, email: string, subject: string) {
    const token = await new SignJWT({ email, email_verified: true })
      .setProtectedHeader({ alg: 'ES256', kid: app.issuer.kid })
      .setIssuer(app.issuer.issuerUrl)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(app.issuer.privateKey);
    return app.http.post('/api/v1/auth/exchange').set('x-tenant-id', tenant.tenantId).send({ provider, token });
  }

  const meOf = async (accessToken: string) =>
    app.http.get('/api/v1/members/me').set({ 'x-tenant-api-key': tenant.liveKey, authorization: `Bearer ${accessToken}` });

  test('its sessions go on, and its later sign-ins are the same member', async () => {
    const provider = await newProvider();
    const first = await signIn(provider, member.email, mark);
    const email = `${mark}-new@shop.example`;
    expect((await patch({ email })).status).toBe(200);
    expect((await meOf(first.body.accessToken)).body).toMatchObject({ id: member.id, email });
    expect((await client.post('/api/v1/auth/refresh', { refreshToken: first.body.refreshToken })).status).toBe(200);
    const again = await signIn(provider, member.email, mark);
    expect((await meOf(again.body.accessToken)).body).toMatchObject({ id: member.id, email });
  });

  test('at the same moment with the new email: the member, or one made before the email was taken', async () => {
    const provider = await newProvider();
    for (let i = 0; i < 6; i++) {
      const one = await client.newMember();
      const email = `${mark}-${i}@shop.example`;
      const [changed, signed] = await Promise.all([patch({ email }, one.id), signIn(provider, email, `${mark}-${i}`)]);
      expect(signed.status, signed.text).toBe(200);
      const me = (await meOf(signed.body.accessToken)).body;
      expect(me.email).toBe(email);
      if (changed.status === 200) expect(me.id).toBe(one.id);
      else expect([changed.status, changed.body.details]).toEqual([409, { existing_id: me.id }]);
    }
  });

  test('at the same moment with the former email: that member, or a new one, and nobody twice', async () => {
    const provider = await newProvider();
    for (let i = 0; i < 6; i++) {
      const one = await client.newMember({ email: `${mark}-${i}@shop.example` });
      const [changed, signed] = await Promise.all([
        patch({ email: `${mark}-${i}-new@shop.example` }, one.id),
        signIn(provider, one.email, `${mark}-${i}`),
      ]);
      expect([changed.status, signed.status]).toEqual([200, 200]);
      const me = (await meOf(signed.body.accessToken)).body;
      expect(me.email).toBe(me.id === one.id ? `${mark}-${i}-new@shop.example` : one.email);
    }
  });
});

describe('beside an erasure', () => {
  const customerOf = (email: string) =>
    client.post('/api/v1/events/purchase', client.purchaseBody({ customer: { external_id: randomUUID(), email } }));

  test('of an erased member nothing is corrected', async () => {
    await erase();
    const erased = await read();
    for (const body of [
      { email: 'a@shop.example' },
      { name: 'Ann' },
      { external_id: 'crm' },
      { pay_currency: 'EUR' },
      { is_test_user: true },
    ]) {
      expectRefusal(await patch(body), 409, 'STATE_CONFLICT');
    }
    expect(await read()).toEqual(erased);
  });

  test('what was stored under a former email goes too, unless it is another member’s now', async () => {
    await client.post('/api/v1/leads/capture', { email: member.email });
    await customerOf(member.email.toUpperCase());
    await patch({ email: `${mark}-between@shop.example` });
    await customerOf(`${mark}-between@shop.example`);
    await patch({ email: `${mark}-new@shop.example`, name: null });
    const exported = (await client.get(`/api/v1/members/${member.id}/data-export`)).body;
    expect(exported.formerEmails.map(({ email }: { email: string }) => email)).toEqual([
      member.email,
      `${mark}-between@shop.example`,
    ]);
    expect(exported.customers).toHaveLength(2);
    expect(exported.leads.map(({ email }: { email: string }) => email)).toEqual([member.email]);
    const other = await client.newMember({ email: `${mark}-between@shop.example` });
    expect((await erase()).status).toBe(200);
    expect(await tablesWith(`${mark}-old`)).toEqual([]);
    expect(await tablesWith(`${mark}-new`)).toEqual([]);
    expect(await tablesWith(`${mark}-between`)).toEqual(['customer', 'member']);
    expect((await erase(other.id)).status).toBe(200);
    expect(await tablesWith(mark)).toEqual([]);
  });

  test('at the same moment: the change comes first or is refused, and nothing of the person is left', async () => {
    for (let i = 0; i < 10; i++) {
      const one = await client.newMember({ email: `${mark}-${i}-a@shop.example` });
      await customerOf(`${mark}-${i}-a@shop.example`);
      await customerOf(`${mark}-${i}-b@shop.example`);
      const [changed, erased] = await Promise.all([patch({ email: `${mark}-${i}-b@shop.example` }, one.id), erase(one.id)]);
      expect(erased.status, erased.text).toBe(200);
      expect([200, 409]).toContain(changed.status);
      expect((await read(one.id)).email).toBe(erased.body.email);
      expect(await tablesWith(`${mark}-${i}-a`)).toEqual([]);
      expect(await tablesWith(`${mark}-${i}-b`)).toEqual(changed.status === 200 ? [] : ['customer']);
    }
  });

  test('an erasure that meets a new email begins anew with it', async () => {
    await customerOf(member.email);
    await customerOf(`${mark}-new@shop.example`);
    // Holds the erasure back between its look at the email and its lock of the member.
    const held = app.database.asSuperuser("select pg_advisory_xact_lock(hashtextextended($1 || ':LIVE', 1)), pg_sleep(1.5)", [
      tenant.tenantId,
    ]);
    const erasing = erase();
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
    await expect.poll(async () => (await app.database.asSuperuser(waiting)).length).toBe(1);
    const changed = await patch({ email: `${mark}-new@shop.example` });
    await held;
    expect([changed.status, (await erasing).status]).toEqual([200, 200]);
    expect(await tablesWith(mark)).toEqual([]);
  });
});
