/** The columns of the access matrix: who calls. */
import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../src/db/scope.ts';
import { spellApiKey } from '../../../src/http/api-key-form.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { forgeAccessToken, type PlantedSession, plantSession } from '../identity/sessions.ts';
import type { Side, World } from './matrix-world.ts';

/** A caller: with a usable key it stands on a side, with any other it gets one answer to everything. */
export interface Principal {
  name: string;
  side?: (world: World) => Side | undefined;
  key?: (world: World, operation: Operation) => string;
  /** The bearer token beside the key; made for it. */
  token?: (world: World) => Promise<string>;
  /** The member whose good token that is. */
  member?: (side: Side) => string;
  refusal?: { status: number; code: string; environment: string };
  /** Sent as X-Environment, which selects nothing (docs/specification/reliability.md#a-4). */
  claims?: 'LIVE' | 'SANDBOX';
}

const guess = (environment: Environment) => () => spellApiKey(environment, randomBytes(32));
const invalidKey = (environment: string) => ({ status: 401, code: 'INVALID_API_KEY', environment });
const usable = (name: string, index: number, claims?: 'LIVE' | 'SANDBOX'): Principal => ({
  name,
  side: (world) => world.sides[index],
  ...(claims ? { claims } : {}),
});

type Forgery = Parameters<typeof forgeAccessToken>[3];
type Role = 'root' | 'child' | 'grandchild' | 'sibling';

const first = (world: World, index = 0): Side => {
  const side = world.sides[index];
  if (!side) throw new Error('the world has no such side');
  return side;
};
const sessionOn = (world: World, index = 0, role: Role = 'root'): Promise<PlantedSession> =>
  plantSession(world.app, first(world, index), first(world, index)[role].id);

/** A key of tenant A, LIVE, with everything allowed, and a token that is good for nothing. */
const refused = (name: string, token: (world: World) => Promise<string>): Principal => ({
  name,
  key: (world) => first(world).key,
  token,
  refusal: { status: 401, code: 'INVALID_TOKEN', environment: 'LIVE' },
});

const forged = (name: string, forgery: () => Forgery): Principal =>
  refused(name, async (world) => {
    const side = first(world);
    const { sessionId } = await sessionOn(world);
    return forgeAccessToken(world.app, side, { memberId: side.root.id, sessionId }, forgery());
  });

/** The same key with the token of one of the side's members. */
const withMember = (name: string, role: Role): Principal => ({
  ...usable(name, 0),
  member: (side) => side[role].id,
  token: async (world) => (await sessionOn(world, 0, role)).accessToken,
});

async function revokedToken(world: World): Promise<string> {
  const { accessToken, sessionId } = await sessionOn(world);
  await world.app.database.asSuperuser("update token_family set revoked_at = now(), revoke_reason = 'revoked' where id = $1", [
    sessionId,
  ]);
  return accessToken;
}

export const WITHOUT_SCOPE = 'key without the scope';

export const principals: Principal[] = [
  { name: 'no key', refusal: { status: 401, code: 'UNAUTHORIZED', environment: 'LIVE' } },
  { name: 'malformed key', key: () => "svc_live_' or 1=1--", refusal: invalidKey('LIVE') },
  {
    name: 'key without its checksum',
    key: () => `svc_live_${randomBytes(32).toString('base64url')}`,
    refusal: invalidKey('LIVE'),
  },
  {
    name: 'key with a wrong checksum',
    key: () => `svc_live_${randomBytes(32).toString('base64url')}000000`,
    refusal: invalidKey('LIVE'),
  },
  { name: 'unknown LIVE key', key: guess('LIVE'), refusal: invalidKey('LIVE') },
  { name: 'unknown SANDBOX key', key: guess('SANDBOX'), refusal: invalidKey('SANDBOX') },
  { name: 'revoked key', key: (world) => world.badKeys.revoked, refusal: invalidKey('LIVE') },
  { name: 'disabled key', key: (world) => world.badKeys.disabled, refusal: invalidKey('LIVE') },
  { name: 'expired key', key: (world) => world.badKeys.expired, refusal: invalidKey('LIVE') },
  {
    name: WITHOUT_SCOPE,
    // What no key can have, a key with everything else lacks.
    key: (world, { scope, people }) => (scope === 'none' ? '' : (world.keysWithout[scope] ?? (people ? first(world).key : ''))),
    refusal: { status: 403, code: 'FORBIDDEN', environment: 'LIVE' },
  },
  usable('tenant A, LIVE', 0),
  usable('tenant A, LIVE, claiming SANDBOX', 0, 'SANDBOX'),
  usable('tenant A, SANDBOX', 1),
  usable('tenant B, LIVE', 2),
  usable('tenant B, SANDBOX, claiming LIVE', 3, 'LIVE'),
  withMember('member at the top', 'root'),
  withMember('member in the middle', 'child'),
  withMember('member at the bottom', 'grandchild'),
  withMember('member beside', 'sibling'),
  refused("member of another tenant, with this tenant's key", async (world) => (await sessionOn(world, 2)).accessToken),
  refused("member of the other environment, with this one's key", async (world) => (await sessionOn(world, 1)).accessToken),
  refused('member whose session was revoked', revokedToken),
  refused('refresh token as access token', async (world) => (await sessionOn(world)).refreshToken),
  refused('token that is none', () => Promise.resolve('garbage')),
  forged('expired token', () => ({ claims: { exp: Math.floor(Date.now() / 1000) - 1 } })),
  forged('token for another audience', () => ({ claims: { aud: 'urn:other' } })),
  forged('unsigned token', () => ({ header: { alg: 'none' } })),
  forged('token signed with another key', () => ({ ownKey: true })),
];
