/** Sessions of members as an exchange makes them, without one; and tokens of every kind that must not be good. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose';
import type { Scope } from '../../../src/db/scope.ts';
import { createCipher } from '../../../src/encryption.ts';
import { createAccessTokens } from '../../../src/features/auth/access-tokens.ts';
import { createRefreshTokens, hashRefreshToken } from '../../../src/features/auth/refresh-tokens.ts';
import { createSigningKeys, type SigningKeys } from '../../../src/features/auth/signing-keys.ts';
import type { TestApp } from '../app/test-app.ts';

export interface PlantedSession {
  sessionId: string;
  accessToken: string;
  refreshToken: string;
}

const keysOf = new WeakMap<TestApp, SigningKeys>();

/** The app's own signing keys. */
export function signingKeysOf(app: TestApp): SigningKeys {
  const known =
    keysOf.get(app) ?? createSigningKeys({ frames: app.composition.frames, cipher: createCipher(app.config.secrets.dataKeys) });
  keysOf.set(app, known);
  return known;
}

export async function plantSession(app: TestApp, { tenantId, environment }: Scope, memberId: string): Promise<PlantedSession> {
  const refreshToken = createRefreshTokens(Buffer.alloc(32)).draw();
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `with family as (
       insert into token_family (tenant_id, environment, member_id, auth_provider_id, absolute_expires_at)
       select m.tenant_id, m.environment, m.id, $4::uuid, now() + interval '90 days' from member m
       where m.tenant_id = $1 and m.environment = $2 and m.id = $3 returning id),
     token as (
       insert into refresh_token (tenant_id, environment, family_id, token_hash, expires_at)
       select $1, $2, id, $5, now() + interval '30 days' from family)
     select id from family`,
    [tenantId, environment, memberId, randomUUID(), hashRefreshToken(refreshToken)],
  );
  // Of a member that a reset has taken away: a session that never was.
  const sessionId = row?.id ?? randomUUID();
  const tokens = createAccessTokens({ keys: signingKeysOf(app), issuer: issuerOf(app) });
  const sign = await tokens.signer();
  return { sessionId, refreshToken, accessToken: await sign({ tenantId, environment, memberId, sessionId }) };
}

/** What access tokens name as their issuer and audience. */
export function issuerOf({ config }: TestApp): string {
  return String(config.features['AUTH_ISSUER']);
}

interface Forgery {
  header?: Partial<JWTHeaderParameters>;
  claims?: Record<string, unknown>;
  /** Claims to leave out. */
  without?: string[];
  /** Signed with a key of one's own, under the kid of ours. */
  ownKey?: boolean;
}

/** An access token of the session, with something about it changed. */
export async function forgeAccessToken(
  app: TestApp,
  { tenantId, environment }: Scope,
  owner: { memberId: string; sessionId: string },
  { header, claims, without = [], ownKey = false }: Forgery,
): Promise<string> {
  const { kid, key } = await signingKeysOf(app).signer();
  const now = Math.floor(Date.now() / 1000);
  const all: Record<string, unknown> = {
    iss: issuerOf(app),
    aud: issuerOf(app),
    sub: owner.memberId,
    tid: tenantId,
    env: environment,
    sid: owner.sessionId,
    jti: randomUUID(),
    iat: now,
    exp: now + 900,
    ...claims,
  };
  const kept = Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)));
  if (header?.alg === 'none') return new UnsecuredJWT(kept).encode();
  return new SignJWT(kept)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header })
    .sign(ownKey ? generateKeyPairSync('ed25519').privateKey : key);
}
