/** Signing keys: one at first use, published, rotated without a refused token, useless to whoever has the database alone. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCipher } from '../../../src/encryption.ts';
import { createAccessTokens } from '../../../src/features/auth/access-tokens.ts';
import { createSigningKeys } from '../../../src/features/auth/signing-keys.ts';
import { CHILD_ENV } from '../../support/app/child-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { issuerOf, plantSession, signingKeysOf } from '../../support/identity/sessions.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
afterAll(() => app.close());

const newInstance = () =>
  createSigningKeys({ frames: app.composition.frames, cipher: createCipher(app.config.secrets.dataKeys) });
const published = async () => (await app.http.get('/.well-known/jwks.json')).body as { keys: Record<string, string>[] };
const countKeys = async () =>
  (await app.database.asSuperuser<{ count: number }>('select count(*)::int as count from signing_key'))[0]?.count;

test('many instances that are the first at once agree on one key', async () => {
  const kids = await Promise.all(Array.from({ length: 10 }, async () => (await newInstance().signer()).kid));
  expect(new Set(kids).size).toBe(1);
  expect(await countKeys()).toBe(1);
});

test('the public key is published, cacheable, and nothing of the private one', async () => {
  const answer = await app.http.get('/.well-known/jwks.json');
  expect(answer.status).toBe(200);
  expect(answer.headers['cache-control']).toBe('public, max-age=300');
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.body.keys).toHaveLength(1);
  expect(Object.keys(answer.body.keys[0]).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  expect(answer.body.keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
});

test('a stranger can check an access token by the published keys', async () => {
  const { tenantId } = await app.newTenant();
  const [{ id }] = (await app.database.asSuperuser<{ id: string }>('select uuidv7() as id')) as [{ id: string }];
  const scope = { tenantId, environment: 'LIVE' as const };
  const tokens = createAccessTokens({ keys: newInstance(), issuer: issuerOf(app) });
  const accessToken = await (await tokens.signer())({ ...scope, memberId: id, sessionId: id });
  const { payload, protectedHeader } = await jwtVerify(accessToken, createLocalJWKSet(await published()), {
    issuer: issuerOf(app),
    audience: issuerOf(app),
    typ: 'at+jwt',
  });
  expect(protectedHeader.alg).toBe('EdDSA');
  expect(payload).toMatchObject({ sub: id, sid: id, tid: tenantId, env: 'LIVE' });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
});

describe('a rotation', () => {
  test('signs with the new key at once; tokens of the former stay good, and both are published', async () => {
    const { tenantId, liveKey } = await app.newTenant();
    const member = (await app.http.post('/api/v1/users').set('x-tenant-api-key', liveKey).send({ email: 'a@b.example' })).body;
    const session = await plantSession(app, { tenantId, environment: 'LIVE' }, member.id);
    const check = () =>
      app.http
        .get(`/api/v1/members/${member.id}/balances`)
        .set({ 'x-tenant-api-key': liveKey, authorization: `Bearer ${session.accessToken}` });
    expect((await check()).status).toBe(200);

    const operator = newInstance();
    const former = (await operator.signer()).kid;
    const kid = await operator.rotate();
    expect(kid).not.toBe(former);
    expect((await newInstance().signer()).kid).toBe(kid);
    expect((await newInstance().list()).map((key) => key.kid)).toEqual([kid, former]);
    expect((await check()).status).toBe(200);
  });

  test('is believed by an instance that knows the former key only', async () => {
    const slow = newInstance();
    const tokens = createAccessTokens({ keys: slow, issuer: 'urn:test' });
    await slow.signer();
    const other = newInstance();
    await other.rotate();
    const sign = await createAccessTokens({ keys: other, issuer: 'urn:test' }).signer();
    const id = crypto.randomUUID();
    const token = await sign({ tenantId: id, environment: 'LIVE', memberId: id, sessionId: id });
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await tokens.read(token)).memberId).toBe(id);
  });

  test('is what an operator commands, and prints one JSON value', async () => {
    const keys = app.config.secrets.dataKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
    const env = {
      ...CHILD_ENV,
      NODE_ENV: 'test',
      DATABASE_URL: app.database.appUrl,
      API_KEY_PEPPER: app.config.secrets.apiKeyPepper.toString('base64'),
      DATA_KEYS: keys,
    };
    const { stdout } = await promisify(execFile)(process.execPath, ['src/cli.ts', 'keys', 'rotate-signing', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual({ kid: (await newInstance().signer()).kid });
    expect(stdout).not.toContain(keys);
  });

  test('of several operators at once leaves one key that signs', async () => {
    const kids = await Promise.all(Array.from({ length: 5 }, () => newInstance().rotate()));
    const active = await app.database.asSuperuser<{ kid: string }>('select kid from signing_key where retired_at is null');
    expect(active).toHaveLength(1);
    expect(kids).toContain(active[0]?.kid);
  });

  test('takes a key back a day after it', async () => {
    const [before] = (await published()).keys.slice(-1);
    await app.database.asSuperuser("update signing_key set retired_at = now() - interval '25 hours' where kid = $1", [
      before?.['kid'],
    ]);
    expect((await newInstance().list()).map((key) => key.kid)).not.toContain(before?.['kid']);
    expect(await newInstance().find(before?.['kid'] ?? '')).toBeUndefined();
  });
});

test('the private half is sealed, and bound to its row', async () => {
  await signingKeysOf(app).signer();
  const rows = await app.database.asSuperuser<{ kid: string; private_sealed: Buffer }>(
    'select kid, private_sealed from signing_key order by created_at desc limit 2',
  );
  const cipher = createCipher(app.config.secrets.dataKeys);
  const [one, two] = rows;
  if (!one || !two) throw new Error('two keys are needed');
  const plain = cipher.decrypt(one.private_sealed, ['signing_key', one.kid]);
  expect(one.private_sealed.includes(plain.subarray(-32))).toBe(false);
  expect(() => cipher.decrypt(one.private_sealed, ['signing_key', two.kid])).toThrow();
  const stranger = createSigningKeys({
    frames: app.composition.frames,
    cipher: createCipher([{ id: 'test', key: randomBytes(32) }]),
  });
  await expect(stranger.signer()).rejects.toThrow();
});
