/** The access matrix of members as the API of users shows them, and of their places in the tree. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  emptyList,
  freshEmail,
  invalid,
  type MatrixRequest,
  type MatrixRow,
  post,
  type Reference,
  referralCode,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { plantClick } from '../referrals/plant-click.ts';

async function takenEmail(world: World, side: Side): Promise<string> {
  const email = freshEmail();
  await post(world, side, '/api/v1/users', { email, name: `${side.canaries[0]} taken` });
  return email;
}

async function takenExternalId(world: World, side: Side): Promise<string> {
  const externalId = randomUUID();
  await post(world, side, '/api/v1/users', { email: freshEmail(), external_id: externalId });
  return externalId;
}

/** By whose email nobody looks for it. */
const ofSibling = (side: Side): MatrixRequest => ({ path: { user_id: side.sibling.id }, body: {} });

const click: Reference = {
  at: 'body.click_id',
  object: async (world, side) => (await plantClick(world.app, side, side.root.id)).clickId,
  absent: () => `ck_${randomBytes(32).toString('base64url')}`,
  malformed: tooLong(255),
  own: { status: 201, check: (body, side) => body['parent_id'] === side.root.id },
  foreign: invalid,
};

export const userRows: Record<string, MatrixRow> = {
  getUserStatus: {
    request: (side) => ({ query: { user_id: side.root.id } }),
    status: 200,
    references: [
      {
        at: 'query.user_id',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
  createUser: {
    request: () => ({ body: { email: freshEmail() } }),
    status: 201,
    readBack: (body) => `/api/v1/users/status?user_id=${String(body['id'])}`,
    references: [
      { at: 'body.parent_id', object: (_world, side) => side.root.id, ...uuidReference, own: { status: 201 }, foreign: invalid },
      { at: 'body.referral_code', ...referralCode, own: { status: 201 }, foreign: invalid },
      click,
      {
        at: 'body.email',
        object: takenEmail,
        absent: freshEmail,
        malformed: 'no address',
        own: { status: 409, code: 'EMAIL_EXISTS' },
        foreign: { status: 201, check: (body, side) => body['tenant_id'] === side.tenantId },
      },
      {
        at: 'body.external_id',
        object: takenExternalId,
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 409, code: 'EXTERNAL_ID_EXISTS' },
        foreign: { status: 201 },
      },
    ],
  },
  listUsers: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.parent_id',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.email',
        object: (_world, side) => side.child.email,
        absent: freshEmail,
        malformed: 'no address',
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.external_id',
        object: takenExternalId,
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.ids',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.cursor',
        object: (_world, side) => side.cursor,
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200 },
        foreign: invalid,
      },
    ],
  },
  getUser: {
    request: (side) => ({ path: { user_id: side.root.id } }),
    status: 200,
    references: [
      {
        at: 'path.user_id',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200, check: (body, side) => body['tenant_id'] === side.tenantId },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
  putUser: {
    request: () => ({ path: { external_id: randomUUID() }, body: { email: freshEmail() } }),
    status: 201,
    readBack: (body) => `/api/v1/users/${String(body['id'])}`,
    references: [
      {
        // What another side has by this id is not found: a member of one's own is made.
        at: 'path.external_id',
        object: takenExternalId,
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 200 },
        foreign: { status: 201, check: (body, side) => body['tenant_id'] === side.tenantId },
      },
      { at: 'body.parent_id', object: (_world, side) => side.root.id, ...uuidReference, own: { status: 201 }, foreign: invalid },
      { at: 'body.referral_code', ...referralCode, own: { status: 201 }, foreign: invalid },
      click,
      {
        at: 'body.email',
        object: takenEmail,
        absent: freshEmail,
        malformed: 'no address',
        own: { status: 409, code: 'EMAIL_EXISTS' },
        foreign: { status: 201, check: (body, side) => body['tenant_id'] === side.tenantId },
      },
    ],
    inert: { 'body.external_id': 'only the one of the path is taken' },
  },
  updateUser: {
    request: (side) => ({ path: { user_id: side.child.id }, body: { is_active: true, can_recruit: true } }),
    status: 200,
    references: [
      {
        at: 'path.user_id',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
      {
        at: 'body.email',
        within: ofSibling,
        object: takenEmail,
        absent: freshEmail,
        malformed: 'no address',
        own: { status: 409, code: 'EMAIL_EXISTS' },
        foreign: { status: 200 },
      },
      {
        at: 'body.external_id',
        within: ofSibling,
        object: takenExternalId,
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 409, code: 'EXTERNAL_ID_EXISTS' },
        foreign: { status: 200 },
      },
    ],
  },
  moveMember: {
    request: (side) => ({ path: { userId: side.child.id }, body: { sponsorId: side.root.id } }),
    status: 200,
    readBack: (body) => `/api/v1/members/${String(body['userId'])}/history`,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
      { at: 'body.sponsorId', object: (_world, side) => side.root.id, ...uuidReference, own: { status: 200 }, foreign: invalid },
    ],
  },
  getMemberHistory: {
    request: (side) => ({ path: { userId: side.child.id } }),
    status: 200,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200, check: (body, side) => JSON.stringify(body['sponsor']).includes(side.root.id) },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
};
