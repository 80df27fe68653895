/** The access matrix of members' identities at the providers. */
import { randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import { plantProvider } from '../../support/identity/stand-in-providers.ts';
import { emptyList, invalid, type MatrixRow, type Reference, tooLong, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const pathOf = (memberId: string) => `/api/v1/members/${memberId}/identities`;

async function send(world: World, side: Side, method: string, target: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await call(world.app.baseUrl, {
    method,
    target,
    headers: { 'x-tenant-api-key': side.key },
    ...(body && { body }),
  });
  return answer.json as Record<string, unknown>;
}

/** One of the child, at a provider of its own: a member has one at each. */
async function newIdentity(world: World, side: Side): Promise<string> {
  const body = { providerId: await plantProvider(world.app, side), subject: randomUUID() };
  return String((await send(world, side, 'POST', pathOf(side.child.id), body))['id']);
}

/** Behind the first of two. */
async function identityCursor(world: World, side: Side): Promise<string> {
  await newIdentity(world, side);
  await newIdentity(world, side);
  return String((await send(world, side, 'GET', `${pathOf(side.child.id)}?limit=1`))['nextCursor']);
}

const member = (own: Reference['own']): Reference => ({
  at: 'path.userId',
  object: (_world, side) => side.root.id,
  ...uuidReference,
  own,
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
});

export const identityRows: Record<string, MatrixRow> = {
  linkIdentity: {
    request: (side) => ({
      path: { userId: side.root.id },
      body: { providerId: side.authProvider.providerId, subject: side.root.id },
    }),
    fresh: async (side, world) => ({
      path: { userId: side.root.id },
      body: { providerId: await plantProvider(world.app, side), subject: side.root.id },
    }),
    status: 201,
    repeatedStatus: 200,
    // Nobody guesses what the tenant calls its provider.
    neverByChance: true,
    references: [
      member({ status: 201 }),
      {
        at: 'body.providerId',
        object: (world, side) => plantProvider(world.app, side),
        absent: () => randomUUID(),
        malformed: tooLong(64),
        own: { status: 201 },
        foreign: invalid,
      },
    ],
    async restore({ app }, { tenantId, environment, root }) {
      await app.database.asSuperuser('delete from member_identity where tenant_id = $1 and environment = $2 and member_id = $3', [
        tenantId,
        environment,
        root.id,
      ]);
    },
  },
  listIdentities: {
    request: (side) => ({ path: { userId: side.child.id }, query: { limit: '1' } }),
    status: 200,
    references: [
      { ...member({ status: 200 }), object: (_world, side) => side.child.id },
      {
        at: 'query.cursor',
        object: identityCursor,
        absent: () => Buffer.from(crypto.getRandomValues(new Uint8Array(52))).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: invalid,
      },
    ],
  },
  unlinkIdentity: {
    request: (side) => ({ path: { userId: side.child.id, identityId: randomUUID() } }),
    neverByChance: true,
    fresh: async (side, world) => ({ path: { userId: side.child.id, identityId: await newIdentity(world, side) } }),
    status: 200,
    references: [
      {
        at: 'path.identityId',
        object: newIdentity,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'NOT_FOUND' },
      },
    ],
    inert: { 'path.userId': 'whose identity it is; of another the identity is a 404 (identities.test.ts)' },
  },
};
