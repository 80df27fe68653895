/** /admin/auth/providers: docs/specification/identity.md#providers, docs/specification/reliability.md#a-10. */

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auth } from '../../../src/features.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import type { TlsServer } from '../../support/identity/tls-server.ts';

const path = '/api/v1/admin/auth/providers';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let server: TlsServer;
let usual: RequestListener;

beforeAll(async () => {
  app = await startTestApp();
  server = app.issuer.server;
  usual = server.handle;
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  server.requests.splice(0);
});
afterEach(() => {
  server.handle = usual;
});
afterAll(() => app.close());

const provider = (fields: object = {}) => ({
  providerId: `p-${randomUUID()}`,
  issuerUrl: app.issuer.issuerUrl,
  allowedAudiences: ['app'],
  ...fields,
});
const add = (fields: object = {}, headers = {}) => client.post(path, provider(fields), headers);
async function newProvider(fields: object = {}): Promise<{ id: string; providerId: string; updatedAt: string }> {
  const answer = await add(fields);
  if (answer.status !== 201) throw new Error(`no provider: ${answer.status} ${answer.text}`);
  server.requests.splice(0);
  return answer.body;
}
const remove = (id: string) => app.http.delete(`${path}/${id}`).set('x-tenant-api-key', tenant.liveKey);

const publicJwk = (key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey) => key.export({ format: 'jwk' });
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });

/** Answers the discovery document and the key set, or what replaces one of them. */
function serve({ document = {}, keys = [publicJwk()], jwks }: { document?: object; keys?: object[]; jwks?: object } = {}): void {
  server.handle = (req, res) => {
    const isDiscovery = req.url?.endsWith('/openid-configuration') === true;
    const body = isDiscovery ? { issuer: server.url, jwks_uri: `${server.url}/jwks`, ...document } : (jwks ?? { keys });
    res.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  };
}

const auditOf = (id: string) =>
  app.database.asSuperuser<{ action: string; actor_kind: string; details: object }>(
    'select action, actor_kind, details from audit_log where object_id = $1 order by id',
    [id],
  );

describe('adding a provider', () => {
  test('is 201 with what was said, the defaults, and the keys where the discovery document says', async () => {
    const answer = await add({ providerId: 'main' });
    expect(answer.status).toBe(201);
    expect(answer.headers['location']).toBe(`${path}/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      providerId: 'main',
      issuerUrl: app.issuer.issuerUrl,
      jwksUri: app.issuer.jwksUri,
      allowedAudiences: ['app'],
      autoCreateUsers: true,
      trustEmail: false,
      acceptUnverifiedEmail: false,
      environment: 'LIVE',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: answer.body.createdAt,
    });
    expect((await client.get(`${path}/${answer.body.id}`)).body).toEqual(answer.body);
    expect(server.requests).toEqual(['/.well-known/openid-configuration', '/jwks']);
    expect(await auditOf(answer.body.id)).toEqual([
      {
        action: 'auth_provider.created',
        actor_kind: 'api_key',
        details: { providerId: 'main', weakens: ['authProviders.main'] },
      },
    ]);
  });

  test('takes a jwksUri of its own, and an issuer with a path or a final slash', async () => {
    const jwksUri = `${server.url}/other/keys?v=1`;
    for (const issuerUrl of [`${server.url}/realms/shop`, `${server.url}/`]) {
      serve({ document: { issuer: issuerUrl } });
      const answer = await add({ issuerUrl, jwksUri, autoCreateUsers: false, trustEmail: true, acceptUnverifiedEmail: true });
      expect([answer.status, answer.body]).toEqual([
        201,
        expect.objectContaining({ issuerUrl, jwksUri, autoCreateUsers: false, trustEmail: true, acceptUnverifiedEmail: true }),
      ]);
    }
    expect(server.requests.slice(0, 3)).toEqual([
      '/realms/shop/.well-known/openid-configuration',
      '/other/keys?v=1',
      '/.well-known/openid-configuration',
    ]);
  });

  test('with a providerId of the tenant, in whatever environment, is a 409; another tenant may have it', async () => {
    await newProvider({ providerId: 'main' });
    expectRefusal(await add({ providerId: 'main' }), 409, 'STATE_CONFLICT');
    const sandbox = apiClient(app, tenant.sandboxKey);
    expectRefusal(await sandbox.post(path, provider({ providerId: 'main' })), 409, 'STATE_CONFLICT');
    expect((await sandbox.post(path, provider({ providerId: 'MAIN' }))).body.environment).toBe('SANDBOX');
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    expect((await stranger.post(path, provider({ providerId: 'main' }))).status).toBe(201);
  });

  test('twenty times at once makes one', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add({ providerId: 'main' })));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', ...Array.from({ length: 19 }, () => '409')]);
  });

  test('with an Idempotency-Key is done once, and a repeat asks nobody, not even when the provider is gone', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = provider();
    const first = await client.post(path, body, headers);
    server.requests.splice(0);
    server.handle = (_req, res) => void res.writeHead(500).end();
    const again = await client.post(path, body, headers);
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([201, first.body, 'true']);
    expect(server.requests).toEqual([]);
    expectRefusal(await client.post(path, provider(), headers), 422, 'IDEMPOTENCY_KEY_REUSED');
  });
});

describe('an address of bad form is a 400 before anything is fetched', () => {
  test.each([
    'http://idp.example',
    'https://10.1.2.3',
    'https://169.254.169.254/latest',
    'https://[::1]',
    'https://2130706433',
    'https://idp.example:8443',
    'https://user:secret@idp.example',
    'https://idp.example/#x',
    'idp.example',
  ])('%s', async (address) => {
    expectRefusal(await add({ issuerUrl: address }), 400, 'VALIDATION_ERROR', ['issuerUrl']);
    expectRefusal(await add({ jwksUri: address }), 400, 'VALIDATION_ERROR', ['jwksUri']);
    expect(server.requests).toEqual([]);
  });

  test('an issuer with a query', async () => {
    expectRefusal(await add({ issuerUrl: `${server.url}/?a=b` }), 400, 'VALIDATION_ERROR', ['issuerUrl']);
  });

  test.each<[field: string, value: unknown]>([
    ['providerId', ''],
    ['providerId', 'a b'],
    ['providerId', `p${'x'.repeat(64)}`],
    ['allowedAudiences', []],
    ['allowedAudiences', Array.from({ length: 21 }, (_, i) => `a${i}`)],
    ['autoCreateUsers', 'yes'],
    ['environment', 'SANDBOX'],
  ])('so is %s %j', async (field, value) => {
    expectRefusal(await add({ [field]: value }), 400, 'VALIDATION_ERROR', [field]);
  });
});

describe('a provider that cannot be used is a 502 with the reason, and is not kept', () => {
  async function expectUnusable(reason: string, at: string, code = 'PROVIDER_CONFIGURATION', fields = {}): Promise<void> {
    const answer = await add(fields);
    expect([answer.status, answer.body.code, answer.body.details]).toEqual([502, code, { reason, at }]);
    expect((await client.get(path)).body.data).toEqual([]);
  }

  test.each<[what: string, document: object, reason: string]>([
    ['another issuer', { issuer: 'https://evil.example' }, 'other_issuer'],
    ['an issuer with a final slash more', { issuer: 'SLASH' }, 'other_issuer'],
    ['no issuer', { issuer: undefined }, 'not_a_discovery_document'],
    ['no key set', { jwks_uri: undefined }, 'not_a_discovery_document'],
    ['an issuer that is no text', { issuer: ['x'] }, 'not_a_discovery_document'],
  ])('a discovery document with %s', async (_what, document, reason) => {
    serve({
      document: { ...document, ...('issuer' in document && document.issuer === 'SLASH' ? { issuer: `${server.url}/` } : {}) },
    });
    await expectUnusable(reason, 'discovery');
  });

  test.each(['http://idp.example/jwks', 'https://10.0.0.1/jwks', 'https://169.254.169.254/', 'file:///etc/passwd', 'x'])(
    'a discovery document that leads to %s',
    async (jwksUri) => {
      serve({ document: { jwks_uri: jwksUri } });
      await expectUnusable('blocked_address', 'jwks');
    },
  );

  test.each<[what: string, jwks: object, reason: string]>([
    ['no list', {}, 'not_a_key_set'],
    ['an empty list', { keys: [] }, 'no_usable_key'],
    ['a list of other things', { keys: ['a'] }, 'not_a_key_set'],
    ['10,000 keys', { keys: Array.from({ length: 10_000 }, () => ({ kty: 'EC' })) }, 'too_many_keys'],
    ['101 keys', { keys: Array.from({ length: 101 }, () => publicJwk()) }, 'too_many_keys'],
    ['a symmetric key', { keys: [publicJwk(), { kty: 'oct', k: 'c2VjcmV0' }] }, 'symmetric_key'],
    [
      'a private key among the public ones',
      { keys: [publicJwk(), generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })] },
      'private_key',
    ],
    ['RSA of 1024 bits only', { keys: [publicJwk(rsa(1024).publicKey)] }, 'no_usable_key'],
    ['keys for encryption only', { keys: [{ ...publicJwk(), use: 'enc' }] }, 'no_usable_key'],
    ['keys for another algorithm only', { keys: [{ ...publicJwk(), alg: 'ECDH-ES' }] }, 'no_usable_key'],
    [
      'a curve that is not taken',
      { keys: [publicJwk(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey)] },
      'no_usable_key',
    ],
    ['no key but something like it', { keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }] }, 'no_usable_key'],
  ])('a key set with %s', async (_what, jwks, reason) => {
    serve({ jwks });
    await expectUnusable(reason, 'jwks');
  });

  test.each<[what: string, answer: RequestListener, reason: string, code?: string]>([
    ['redirects', (_req, res) => void res.writeHead(302, { location: '/' }).end(), 'redirect'],
    ['answers HTML', (_req, res) => void res.setHeader('content-type', 'text/html').end('{}'), 'content_type'],
    ['answers 404', (_req, res) => void res.writeHead(404).end(), 'status'],
    ['answers 500', (_req, res) => void res.writeHead(500).end(), 'server_error', 'PROVIDER_UNAVAILABLE'],
    ['hangs up', (req) => void req.socket.destroy(), 'connection', 'PROVIDER_UNAVAILABLE'],
    [
      'answers more than 256 KiB',
      (_req, res) => void res.setHeader('content-type', 'application/json').end(JSON.stringify('x'.repeat(300_000))),
      'too_large',
    ],
  ])('one that %s', async (_what, answer, reason, code) => {
    server.handle = answer;
    await expectUnusable(reason, 'discovery', code);
  });

  test('a host that does not exist', async () => {
    const answer = await add({ issuerUrl: 'https://no-such-host.invalid' });
    expect([answer.status, answer.body.code]).toEqual([502, 'PROVIDER_UNAVAILABLE']);
  });

  test('a name that leads into our own network', async () => {
    const answer = await add({ issuerUrl: 'https://localhost' });
    expect([answer.status, answer.body.code, answer.body.details.reason]).toEqual([
      502,
      'PROVIDER_CONFIGURATION',
      'blocked_address',
    ]);
  });

  test('nothing of it is in the log but the one line of the request', async () => {
    server.handle = (_req, res) => void res.writeHead(500).end();
    const before = app.logLines.length;
    await add();
    const lines = app.logLines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    // A tenant's slip of the pen calls no operator.
    expect(lines.map(({ level, msg, code }) => [level, msg, code])).toEqual([['warn', 'request', 'PROVIDER_UNAVAILABLE']]);
  });
});

describe('a key that may sign is found among others', () => {
  test.each<[what: string, key: object]>([
    ['RSA of 2048 bits', publicJwk(rsa(2048).publicKey)],
    ['P-384', publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey)],
    ['Ed25519', publicJwk(generateKeyPairSync('ed25519').publicKey)],
    ['one with its use and algorithm', { ...publicJwk(), use: 'sig', alg: 'ES256', kid: 'a' }],
  ])('%s', async (_what, key) => {
    serve({ keys: [{ kty: 'EC' }, { ...publicJwk(), use: 'enc' }, key] });
    const { id } = await newProvider();
    const answer = await client.post(`${path}/${id}/test`, {});
    expect([answer.status, answer.body]).toEqual([
      200,
      { id, usable: true, keys: [expect.objectContaining({ keyType: expect.any(String) })] },
    ]);
  });
});

describe('a change', () => {
  test('of anything but the addresses asks nobody', async () => {
    const { id, updatedAt } = await newProvider();
    const change = { allowedAudiences: ['a', 'b'], autoCreateUsers: false, trustEmail: true, acceptUnverifiedEmail: true };
    const answer = await client.patch(`${path}/${id}`, change);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ id, jwksUri: app.issuer.jwksUri, ...change })]);
    expect(Date.parse(answer.body.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
    expect(server.requests).toEqual([]);
    expect((await auditOf(id)).at(-1)).toEqual({
      action: 'auth_provider.updated',
      actor_kind: 'api_key',
      details: {
        fields: ['allowedAudiences', 'autoCreateUsers', 'trustEmail', 'acceptUnverifiedEmail'],
        tightens: [`authProviders.${answer.body.providerId}.autoCreateUsers`],
        weakens: ['allowedAudiences', 'trustEmail', 'acceptUnverifiedEmail'].map(
          (field) => `authProviders.${answer.body.providerId}.${field}`,
        ),
      },
    });
  });

  test('of the keys is checked like a new provider; null leads back to the discovery document', async () => {
    const { id } = await newProvider();
    const jwksUri = `${server.url}/others`;
    expect((await client.patch(`${path}/${id}`, { jwksUri })).body.jwksUri).toBe(jwksUri);
    expect((await client.patch(`${path}/${id}`, { jwksUri: null })).body.jwksUri).toBe(app.issuer.jwksUri);
    expectRefusal(await client.patch(`${path}/${id}`, { jwksUri: 'https://10.0.0.1/' }), 400, 'VALIDATION_ERROR', ['jwksUri']);
    serve({ keys: [] });
    const refused = await client.patch(`${path}/${id}`, { jwksUri });
    expect([refused.status, refused.body.code]).toEqual([502, 'PROVIDER_CONFIGURATION']);
    expect((await client.get(`${path}/${id}`)).body.jwksUri).toBe(app.issuer.jwksUri);
  });

  test('of the issuer takes the new one’s keys, and is refused once members have come from the present one', async () => {
    const { id } = await newProvider({ jwksUri: `${server.url}/own-keys` });
    const issuerUrl = `${server.url}/realms/new`;
    const moved = await client.patch(`${path}/${id}`, { issuerUrl });
    expect([moved.status, moved.body]).toEqual([200, expect.objectContaining({ issuerUrl, jwksUri: app.issuer.jwksUri })]);
    await linkMember(id);
    expectRefusal(await client.patch(`${path}/${id}`, { issuerUrl: server.url }), 409, 'STATE_CONFLICT');
    expect((await client.patch(`${path}/${id}`, { issuerUrl, trustEmail: true })).status).toBe(200);
  });

  test('of nothing is a 400', async () => {
    const { id } = await newProvider();
    expectRefusal(await client.patch(`${path}/${id}`, {}), 400, 'VALIDATION_ERROR');
  });

  test.each([{ providerId: 'other' }, { environment: 'SANDBOX' }, { allowedAudiences: [] }, { issuerUrl: null }])(
    'to %j is a 400',
    async (change) => {
      const { id } = await newProvider();
      expectRefusal(await client.patch(`${path}/${id}`, change), 400, 'VALIDATION_ERROR', Object.keys(change));
    },
  );
});

/** A member who has come through the provider, with a session. */
async function linkMember(providerId: string): Promise<string> {
  const member = await client.newMember();
  const values = [tenant.tenantId, providerId, member.id];
  await app.database.asSuperuser(
    `insert into member_identity (tenant_id, environment, auth_provider_id, subject, member_id) values ($1, 'LIVE', $2, 's', $3)`,
    values,
  );
  await app.database.asSuperuser(
    `insert into token_family (tenant_id, environment, auth_provider_id, member_id, absolute_expires_at)
     values ($1, 'LIVE', $2, $3, now() + interval '90 days')`,
    values,
  );
  return member.id;
}

describe('deleting a provider', () => {
  test('unlinks its members and revokes their tokens, and leaves those of another provider alone', async () => {
    const [gone, kept] = [await newProvider(), await newProvider()];
    const member = await linkMember(gone.id);
    const other = await linkMember(kept.id);
    const answer = await remove(gone.id);
    expect([answer.status, answer.body]).toEqual([200, { id: gone.id, deleted: true }]);
    expect(server.requests).toEqual([]);
    const families = await app.database.asSuperuser(
      'select member_id, revoke_reason, revoked_at is null as alive from token_family where tenant_id = $1 order by id',
      [tenant.tenantId],
    );
    expect(families).toEqual([
      { member_id: member, revoke_reason: 'provider_deleted', alive: false },
      { member_id: other, revoke_reason: null, alive: true },
    ]);
    const links = await app.database.asSuperuser('select member_id from member_identity where tenant_id = $1', [tenant.tenantId]);
    expect(links).toEqual([{ member_id: other }]);
    expect((await auditOf(gone.id)).at(-1)).toMatchObject({
      action: 'auth_provider.deleted',
      details: { providerId: gone.providerId },
    });
    expectRefusal(await remove(gone.id), 404, 'NOT_FOUND');
    expectRefusal(await client.get(`${path}/${gone.id}`), 404, 'NOT_FOUND');
    expect((await add({ providerId: gone.providerId })).status).toBe(201);
  });

  test('keeps what an earlier revocation said', async () => {
    const { id } = await newProvider();
    await linkMember(id);
    await app.database.asSuperuser(
      "update token_family set revoked_at = '2026-01-01', revoke_reason = 'reuse' where auth_provider_id = $1",
      [id],
    );
    await remove(id);
    const [family] = await app.database.asSuperuser<{ revoke_reason: string }>(
      'select revoke_reason from token_family where auth_provider_id = $1',
      [id],
    );
    expect(family?.revoke_reason).toBe('reuse');
  });

  test('waits for who holds it, and whoever holds it later finds it gone', async () => {
    const { id } = await newProvider();
    const { frames, offer } = app.composition;
    const { providers } = offer(auth);
    const scope = { tenantId: tenant.tenantId, environment: 'LIVE' as const };
    const steps: string[] = [];
    let removal: Promise<unknown> = Promise.resolve();
    await frames.write(scope, async (db) => {
      expect(await providers.holdProvider(db, scope, id)).toBe(true);
      removal = remove(id).then(() => steps.push('deleted'));
      await new Promise((resolve) => setTimeout(resolve, 200));
      steps.push('held');
    });
    await removal;
    expect(steps).toEqual(['held', 'deleted']);
    await frames.write(scope, async (db) => expect(await providers.holdProvider(db, scope, id)).toBe(false));
  });
});

describe('testing a provider', () => {
  test('says which keys may sign now, and changes nothing', async () => {
    const { id } = await newProvider();
    const answer = await client.post(`${path}/${id}/test`, {});
    expect([answer.status, answer.body]).toEqual([
      200,
      { id, usable: true, keys: [{ kid: app.issuer.kid, keyType: 'EC', algorithm: 'ES256' }] },
    ]);
    expect(await auditOf(id)).toHaveLength(1);
  });

  test('is a 502 when it can no longer be used', async () => {
    const { id } = await newProvider();
    serve({ document: { issuer: 'https://moved.example' } });
    const answer = await client.post(`${path}/${id}/test`, {});
    expect([answer.status, answer.body.details]).toEqual([502, { reason: 'other_issuer', at: 'discovery' }]);
    server.handle = usual;
    expect((await client.post(`${path}/${id}/test`, {}, { 'idempotency-key': randomUUID() })).status).toBe(200);
  });
});

test('the list has a page at a time, in the order they were added, of one environment only', async () => {
  const ids = [];
  for (let i = 0; i < 3; i++) ids.push((await newProvider()).id);
  await apiClient(app, tenant.sandboxKey).post(path, provider());
  const first = (await client.get(`${path}?limit=2`)).body;
  expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
  const second = (await client.get(`${path}?limit=2&cursor=${first.nextCursor}`)).body;
  expect([second.data.map(({ id }: { id: string }) => id), second.hasMore, second.nextCursor]).toEqual([
    ids.slice(2),
    false,
    null,
  ]);
});
