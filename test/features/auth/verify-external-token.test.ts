/**
 * Tokens of external providers, good and hostile (docs/specification/identity.md#external-token,
 * docs/specification/reliability.md#a-5, docs/specification/reliability.md#a-6).
 */
import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { VerifyExternalToken } from '../../../src/features/auth/open/external-token.ts';
import { createProviderKeys } from '../../../src/features/auth/provider-keys.ts';
import type { AuthProvider } from '../../../src/features/auth/providers-queries.ts';
import { createTokenVerifier } from '../../../src/features/auth/verify-external-token.ts';
import { createOutgoingClient } from '../../../src/outgoing/outgoing-client.ts';
import { startTlsServer, type TlsServer } from '../../support/identity/tls-server.ts';
import { base64url, mintToken, newSigningKey } from '../../support/identity/token-mint.ts';

const AUDIENCE = 'shop-app';
const signer = newSigningKey('k1');
const other = newSigningKey('k1');

let server: TlsServer;
let keys: object[];
let clock: number;
let verify: VerifyExternalToken;
let provider: AuthProvider;

beforeAll(async () => {
  server = await startTlsServer(() => undefined);
});
beforeEach(() => {
  keys = [signer.publicJwk];
  server.handle = (_req, res) => void res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  server.requests.splice(0);
  clock = Date.parse('2026-06-01T12:00:00Z');
  verify = createTokenVerifier(createOutgoingClient([server.host], { ca: server.cert }), () => clock);
  provider = newProvider();
});
afterAll(() => server.close());

const newProvider = (fields: Partial<AuthProvider> = {}): AuthProvider => ({
  tenantId: randomUUID(),
  environment: 'LIVE',
  id: randomUUID(),
  providerId: 'main',
  issuerUrl: 'https://idp.example',
  jwksUri: `${server.url}/jwks`,
  allowedAudiences: [AUDIENCE],
  autoCreateUsers: true,
  trustEmail: false,
  acceptUnverifiedEmail: false,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...fields,
});

const header = (fields: object = {}) => ({ alg: 'ES256', kid: 'k1', ...fields });
const seconds = (offset = 0) => Math.floor(clock / 1000) + offset;
const claims = (fields: object = {}) => ({
  iss: 'https://idp.example',
  aud: AUDIENCE,
  sub: 'u1',
  iat: seconds(),
  exp: seconds(300),
  ...fields,
});
const token = (fields: object = {}, headers: object = {}) => mintToken(header(headers), claims(fields), signer);

const REFUSAL = { code: 'INVALID_TOKEN', message: 'The token is not valid', details: undefined };
const expectRefused = (refused: string) => expect(verify(provider, refused)).rejects.toMatchObject(REFUSAL);

describe('a good token', () => {
  test('says who it is about', async () => {
    const about = { email: 'A@x.example', email_verified: true, name: 'Ann Lee', given_name: 'Ann', family_name: 'Lee' };
    expect(await verify(provider, token({ sub: 'U-1', jti: 'T-1', ...about }))).toEqual({
      mark: 'id T-1',
      issuedAt: seconds(),
      expiresAt: seconds(300),
      subject: 'U-1',
      email: 'A@x.example',
      emailVerified: true,
      name: 'Ann Lee',
      givenName: 'Ann',
      surname: 'Lee',
    });
  });

  test('may say nothing but the subject, and what is not text is not believed', async () => {
    const nothing = { email: null, emailVerified: false, name: null, givenName: null, surname: null };
    expect(await verify(provider, token())).toMatchObject({ subject: 'u1', ...nothing, emailVerified: null });
    const odd = { email: ['a@x.example'], email_verified: 1, name: ' ', given_name: 'a\u0000b', family_name: { a: 1 } };
    expect(await verify(provider, token(odd))).toMatchObject({ subject: 'u1', ...nothing });
  });

  test('is known again by its id, or else by what was signed, however the signature is written', async () => {
    const marks = new Set<string>();
    for (const one of [token(), token(), token({ jti: '' }), token({ jti: 7 })]) marks.add((await verify(provider, one)).mark);
    expect(marks.size).toBe(3);
    expect((await verify(provider, token({ jti: 'a', name: 'x' }))).mark).toBe(
      (await verify(provider, token({ jti: 'a' }))).mark,
    );
  });

  test.each<[claim: unknown, verified: boolean]>([
    [true, true],
    ['true', true],
    ['True', false],
    [false, false],
    ['false', false],
    [1, false],
  ])('with email_verified %j: %s', async (claim, verified) => {
    expect((await verify(provider, token({ email: 'a@x.example', email_verified: claim }))).emailVerified).toBe(verified);
  });

  test.each<[what: string, fields: () => object, headers?: object]>([
    ['typ JWT', () => ({}), { typ: 'JWT' }],
    ['typ application/jwt', () => ({}), { typ: 'application/jwt' }],
    ['no kid, of one key', () => ({}), { kid: undefined }],
    ['a list of one audience', () => ({ aud: [AUDIENCE] })],
    ['azp of somebody, beside one audience', () => ({ azp: 'mobile' })],
    ['an x5t header', () => ({}), { x5t: 'abc' }],
    ['10 seconds past its end', () => ({ iat: seconds(-100), exp: seconds(-10) })],
    ['issued in 20 seconds', () => ({ iat: seconds(20) })],
    ['issued 10 minutes ago', () => ({ iat: seconds(-600) })],
    ['good for a day', () => ({ exp: seconds(86_400) })],
    ['a field of one name in two objects', () => ({ a: { b: 1 }, c: { b: 2 }, d: [{ b: 1 }, { b: 2 }] })],
  ])('%s', async (_what, fields, headers = {}) => {
    expect(await verify(provider, token(fields(), headers))).toMatchObject({ subject: 'u1' });
  });

  test('may have several audiences when the tenant knows them all, and azp among them', async () => {
    provider = newProvider({ allowedAudiences: ['a', 'b'] });
    expect(await verify(provider, token({ aud: ['a', 'b'] }))).toMatchObject({ subject: 'u1' });
    expect(await verify(provider, token({ aud: ['a', 'b'], azp: 'b' }))).toMatchObject({ subject: 'u1' });
    await expectRefused(token({ aud: ['a', 'b'], azp: 'c' }));
    await expectRefused(token({ aud: ['a', 'b'], azp: ['a'] }));
  });

  test('is found by trying where no key of the set has a name', async () => {
    const { kid: _kid, ...nameless } = signer.publicJwk as Record<string, unknown>;
    const { kid: _other, ...stranger } = newSigningKey('x').publicJwk as Record<string, unknown>;
    keys = [stranger, nameless];
    expect(await verify(provider, token({}, { kid: undefined }))).toMatchObject({ subject: 'u1' });
    await expectRefused(mintToken(header({ kid: undefined }), claims(), other));
  });
});

describe('a token is refused, always with the same words,', () => {
  test.each<[what: string, fields: () => object]>([
    ['no exp', () => ({ exp: undefined })],
    ['exp in ten years', () => ({ exp: seconds(10 * 365 * 86_400) })],
    ['exp a second past a day', () => ({ exp: seconds(86_401) })],
    ['exp that is no number', () => ({ exp: '9999999999' })],
    ['expired 31 seconds ago', () => ({ iat: seconds(-100), exp: seconds(-31) })],
    ['older than ten minutes', () => ({ iat: seconds(-631) })],
    ['no iat', () => ({ iat: undefined })],
    ['iat ahead', () => ({ iat: seconds(120) })],
    ['nbf ahead', () => ({ nbf: seconds(120) })],
    ['another audience', () => ({ aud: 'x' })],
    ['a stranger among the audiences', () => ({ aud: [AUDIENCE, 'x'] })],
    ['no audience', () => ({ aud: undefined })],
    ['an empty list of audiences', () => ({ aud: [] })],
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['an issuer with a final slash', () => ({ iss: 'https://idp.example/' })],
    ['an issuer in other case', () => ({ iss: 'https://IDP.example' })],
    ['no issuer', () => ({ iss: undefined })],
    ['no subject', () => ({ sub: undefined })],
    ['an empty subject', () => ({ sub: '' })],
    ['a subject that is no text', () => ({ sub: 7 })],
    ['a subject with NUL', () => ({ sub: 'a\u0000' })],
    ['a subject of 256 characters', () => ({ sub: 'x'.repeat(256) })],
  ])('for %s', async (_what, fields) => {
    await expectRefused(token(fields()));
  });

  test.each<[what: string, headers: object]>([
    ['crit', { crit: ['x'], x: 1 }],
    ['crit and b64', { crit: ['b64'], b64: false }],
    ['b64 alone', { b64: false }],
    ['jku', { jku: 'https://evil.example/jwks' }],
    ['x5u', { x5u: 'http://169.254.169.254/' }],
    ['x5c', { x5c: ['abc'] }],
    ['jwk', { jwk: other.publicJwk }],
    ['cty', { cty: 'JWT' }],
    ['typ of a logout token', { typ: 'logout+jwt' }],
    ['typ of an access token', { typ: 'at+jwt' }],
    ['typ of an access token in capitals', { typ: 'AT+JWT' }],
    ['typ of an access token as a media type', { typ: 'application/at+jwt' }],
    ['typ of an access token as a media type, in any case', { typ: 'Application/At+Jwt' }],
    ['typ that is no text', { typ: ['JWT'] }],
    ['kid that is no text', { kid: 1 }],
    ['kid that is a path', { kid: '../../etc/passwd' }],
    ['kid that is SQL', { kid: "' or 1=1--" }],
    ['an algorithm that the key is not for', { alg: 'RS256' }],
    ['no algorithm', { alg: undefined }],
  ])('for the header %s', async (_what, headers) => {
    await expectRefused(token({}, headers));
  });

  test('signed by another key, or by nobody', async () => {
    await expectRefused(mintToken(header(), claims(), other));
    await expectRefused(mintToken(header({ jwk: other.publicJwk }), claims(), other));
    for (const alg of ['none', 'None', 'NONE']) {
      await expectRefused(`${base64url(JSON.stringify({ alg }))}.${base64url(JSON.stringify(claims()))}.`);
      await expectRefused(`${base64url(JSON.stringify({ alg }))}.${base64url(JSON.stringify(claims()))}.AAAA`);
    }
    const [head, body] = token().split('.');
    await expectRefused(`${head}.${base64url(JSON.stringify(claims({ sub: 'u2' })))}.${token().split('.')[2]}`);
    await expectRefused(`${head}.${body}.${Buffer.alloc(64).toString('base64url')}`);
  });

  test('signed with the public key as if it were a shared secret', async () => {
    const secrets = [
      createPublicKey({ key: signer.publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
      JSON.stringify(signer.publicJwk),
    ];
    for (const secret of secrets) {
      const input = `${base64url(JSON.stringify({ alg: 'HS256', kid: 'k1' }))}.${base64url(JSON.stringify(claims()))}`;
      await expectRefused(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
    }
  });

  test('signed by a key of the set that may not sign: RSA of 1024 bits', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    keys = [signer.publicJwk, { ...publicKey.export({ format: 'jwk' }), kid: 'small' }];
    const input = `${base64url(JSON.stringify({ alg: 'RS256', kid: 'small' }))}.${base64url(JSON.stringify(claims()))}`;
    await expectRefused(`${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`);
  });

  test('with a claim or a header said twice, also in other spelling', async () => {
    const twice = JSON.stringify(claims()).replace('"sub":"u1"', '"sub":"u1","sub":"u2"');
    await expectRefused(mintToken(header(), twice, signer));
    await expectRefused(mintToken(header(), twice.replace('"sub":"u2"', '"s\\u0075b":"u2"'), signer));
    await expectRefused(mintToken(header(), JSON.stringify(claims({ a: [{ b: 1 }] })).replace('"b":1', '"b":1,"b" : 2'), signer));
    await expectRefused(mintToken('{"alg":"ES256","kid":"k1","alg":"ES256"}', claims(), signer));
  });

  test('of another form altogether', async () => {
    const encrypted = await new CompactEncrypt(Buffer.from(token()))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', cty: 'JWT' })
      .encrypt(createPublicKey({ key: signer.publicJwk, format: 'jwk' }));
    const nested = mintToken(header(), token(), signer);
    const odd = ['', 'a', '..', 'a.b.c', `${token()}.`, ` ${token()}`, `${token()}\n`, `${token()}=`, 'null', encrypted, nested];
    for (const one of odd) await expectRefused(one);
    for (const payload of ['', 'null', '[]', '"x"', '{', '{"sub":']) await expectRefused(mintToken(header(), payload, signer));
    for (const head of ['', 'null', '[]', '{']) await expectRefused(mintToken(head, claims(), signer));
  });

  test('when it is larger than 16 KiB, before any key is asked for', async () => {
    await expectRefused(token({ filler: 'x'.repeat(100_000) }));
    expect(server.requests).toEqual([]);
    expect(await verify(provider, token({ filler: 'x'.repeat(11_000) }))).toMatchObject({ subject: 'u1' });
  });

  test('of another provider, also one with the same id at another tenant', async () => {
    const mine = provider;
    const theirs = newProvider({ issuerUrl: 'https://their.example', id: mine.id, jwksUri: `${server.url}/theirs` });
    await verify(mine, token());
    await expect(verify(theirs, token())).rejects.toMatchObject(REFUSAL);
    await expectRefused(token({ iss: 'https://their.example' }));
    keys = [newSigningKey('k1').publicJwk];
    const sameIssuer = newProvider({ id: mine.id, jwksUri: `${server.url}/theirs` });
    await expect(verify(sameIssuer, token())).rejects.toMatchObject(REFUSAL);
  });
});

const MINUTE = 60_000;

describe('the keys', () => {
  test('are read once in ten minutes, also by many at once', async () => {
    await Promise.all(Array.from({ length: 50 }, () => verify(provider, token())));
    clock += 10 * MINUTE - 1;
    await verify(provider, token());
    expect(server.requests).toHaveLength(1);
    clock += 1;
    await verify(provider, token());
    expect(server.requests).toHaveLength(2);
  });

  test('that are new are taken after 30 seconds; one that is gone is refused after ten minutes', async () => {
    await verify(provider, token());
    const next = newSigningKey('k2');
    keys = [next.publicJwk];
    const ofNext = () => mintToken(header({ kid: 'k2' }), claims(), next);
    await expectRefused(ofNext());
    clock += 30_000;
    expect(await verify(provider, ofNext())).toMatchObject({ subject: 'u1' });
    await expectRefused(token());
    keys = [signer.publicJwk];
    clock += 10 * MINUTE;
    await expectRefused(ofNext());
  });

  test('that are new are taken by many at once, for one request', async () => {
    await verify(provider, token());
    const next = newSigningKey('k2');
    keys = [next.publicJwk];
    clock += 30_000;
    const tokens = Array.from({ length: 50 }, () => mintToken(header({ kid: 'k2' }), claims(), next));
    await Promise.all(tokens.map((one) => verify(provider, one)));
    expect(server.requests).toHaveLength(2);
  });

  test('that were read meanwhile are there for who tried the old ones, also when it is too early to ask again', async () => {
    const kept = createProviderKeys(createOutgoingClient([server.host], { ca: server.cert }), () => clock);
    const tried = await kept.current(provider);
    expect(await kept.newer(provider, tried)).toBeUndefined();
    clock += 30_000;
    const newer = await kept.newer(provider, tried);
    expect(newer).not.toBe(tried);
    expect(await kept.newer(provider, tried)).toBe(newer);
    expect(server.requests).toHaveLength(2);
  });

  test('of unknown name cost the provider one request in 30 seconds', async () => {
    await verify(provider, token());
    for (let i = 0; i < 20; i++) await expectRefused(token({}, { kid: `unknown-${i}` }));
    clock += 30_000;
    for (let i = 0; i < 20; i++) await expectRefused(token({}, { kid: `unknown-${i}` }));
    expect(server.requests).toHaveLength(2);
    await verify(provider, token());
  });

  test('that cannot be read are a PROVIDER_UNAVAILABLE without the reason, asked for once in 30 seconds', async () => {
    const usual = server.handle;
    server.handle = (_req, res) => void res.writeHead(500).end();
    for (let i = 0; i < 5; i++) {
      await expect(verify(provider, token())).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE', details: undefined });
    }
    expect(server.requests).toHaveLength(1);
    server.handle = usual;
    clock += 30_000;
    expect(await verify(provider, token())).toMatchObject({ subject: 'u1' });
  });

  test('are not used for ever when the provider is gone', async () => {
    await verify(provider, token());
    server.handle = (req) => void req.socket.destroy();
    clock += 10 * MINUTE - 1;
    expect(await verify(provider, token())).toMatchObject({ subject: 'u1' });
    clock += 1;
    await expect(verify(provider, token())).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  });

  test('stay in use when newer ones cannot be read', async () => {
    await verify(provider, token());
    server.handle = (_req, res) => void res.writeHead(500).end();
    clock += MINUTE;
    await expect(verify(provider, token({}, { kid: 'unknown' }))).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
    expect(await verify(provider, token())).toMatchObject({ subject: 'u1' });
  });

  test('of a set that shows a private key are not used', async () => {
    keys = [signer.publicJwk, newSigningKey('leak').privateKey.export({ format: 'jwk' })];
    await expect(verify(provider, token())).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  });

  test('are read anew once the provider’s row has changed', async () => {
    await verify(provider, token());
    keys = [newSigningKey('k1').publicJwk];
    provider = { ...provider, updatedAt: new Date(1) };
    await expectRefused(token());
    expect(server.requests).toHaveLength(2);
  });

  test('of many providers do not fill the memory: the one used least recently is read anew', async () => {
    await verify(provider, token());
    for (let i = 0; i < 500; i++) await verify(newProvider(), token());
    server.requests.splice(0);
    await verify(provider, token());
    expect(server.requests).toHaveLength(1);
  });
});
