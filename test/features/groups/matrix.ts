/** The access matrix of groups of members. */
import { randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import {
  emptyList,
  invalid,
  type MatrixRow,
  post,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const GROUPS = '/api/v1/groups';
const freshKey = () => `g-${randomUUID()}`;

async function plantGroup(world: World, side: Side): Promise<string> {
  const key = freshKey();
  await post(world, side, GROUPS, { key, name: `${side.canaries[0]} group` });
  return key;
}

/** Of a list with more than one row. */
async function cursorOf(world: World, side: Side, target: string): Promise<string> {
  const answer = await call(world.app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': side.key } });
  return (answer.json as { nextCursor: string }).nextCursor;
}

const keyReference = (own: number): Reference => ({
  at: 'path.key',
  object: plantGroup,
  absent: freshKey,
  malformed: 'Not a key',
  own: { status: own },
  foreign: { status: 404, code: 'NOT_FOUND' },
});

const cursorReference = (object: Reference['object']): Reference => ({
  at: 'query.cursor',
  object,
  absent: () => Buffer.from(randomUUID() + randomUUID()).toString('base64url'),
  malformed: tooLong(1000),
  own: { status: 200 },
  foreign: invalid,
});

export const groupRows: Record<string, MatrixRow> = {
  createGroup: {
    request: () => ({ body: { key: freshKey(), name: 'Partners' } }),
    status: 201,
    readBack: (body) => `${GROUPS}/${String(body['key'])}`,
    references: [
      {
        at: 'body.key',
        object: plantGroup,
        absent: freshKey,
        malformed: 'Not a key',
        own: { status: 409, code: 'GROUP_EXISTS' },
        foreign: { status: 201 },
      },
    ],
  },
  listGroups: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      cursorReference(async (world, side) => {
        await plantGroup(world, side);
        return cursorOf(world, side, `${GROUPS}?limit=1`);
      }),
    ],
  },
  getGroup: { request: () => ({ path: { key: 'default' } }), status: 200, references: [keyReference(200)] },
  updateGroup: {
    request: () => ({ path: { key: freshKey() }, body: { name: 'Renamed' } }),
    fresh: async (side, world) => ({ path: { key: await plantGroup(world, side) }, body: { name: 'Renamed' } }),
    status: 200,
    neverByChance: true,
    references: [keyReference(200)],
  },
  archiveGroup: {
    request: () => ({ path: { key: freshKey() } }),
    fresh: async (side, world) => ({ path: { key: await plantGroup(world, side) } }),
    status: 200,
    neverByChance: true,
    references: [keyReference(200)],
  },
  addGroupMembers: {
    request: (side) => ({ path: { key: 'default' }, body: { userIds: [side.child.id] } }),
    status: 200,
    references: [
      keyReference(200),
      {
        at: 'body.userIds.0',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: invalid,
      },
    ],
  },
  listGroupMembers: {
    request: () => ({ path: { key: 'default' }, query: { limit: '1' } }),
    status: 200,
    references: [
      { ...keyReference(200), own: { status: 200, check: emptyList } },
      cursorReference((world, side) => cursorOf(world, side, `${GROUPS}/default/members?limit=1`)),
    ],
  },
  listMemberGroups: {
    request: (side) => ({ path: { userId: side.child.id } }),
    status: 200,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
};
