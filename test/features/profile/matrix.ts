/** The access matrix of the Profile group. */

import { call } from '../../support/app/http-call.ts';
import { freshEmail, type MatrixRow, type Reference, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const member: Reference = {
  at: 'path.userId',
  object: (_world, side) => side.root.id,
  ...uuidReference,
  own: { status: 200, check: (body, side) => body['id'] === side.root.id },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
};

async function newMember(world: World, side: Side): Promise<string> {
  const headers = { 'x-tenant-api-key': side.key };
  const body = { email: freshEmail() };
  const answer = await call(world.app.baseUrl, { method: 'POST', target: '/api/v1/users', headers, body });
  return (answer.json as { id: string }).id;
}

export const profileRows: Record<string, MatrixRow> = {
  getProfile: { request: (side) => ({ path: { userId: side.root.id } }), status: 200, references: [member] },
  updateProfile: {
    request: (side) => ({
      path: { userId: side.root.id },
      // The first of a side's canaries: shown to another side it would be seen.
      body: {
        givenName: side.canaries[0],
        idNumber: `${side.canaries[0]}`,
        countryCode: 'DEU',
        address: { city: side.canaries[0] },
      },
    }),
    status: 200,
    references: [member],
    readBack: (body) => `/api/v1/members/${String(body['id'])}/profile`,
  },
  exportMemberData: {
    request: (side) => ({ path: { userId: side.root.id } }),
    status: 200,
    references: [
      { ...member, own: { status: 200, check: (body, side) => (body['member'] as { id: string }).id === side.root.id } },
    ],
  },
  // The matrix calls with keys alone; what bearer tokens reach is in test/features/profile.
  getMe: { request: () => ({}), status: 401, memberStatus: 200, references: [] },
  eraseMember: {
    request: (side) => ({ path: { userId: side.grandchild.id } }),
    fresh: async (side, world) => ({ path: { userId: await newMember(world, side) } }),
    status: 200,
    references: [{ ...member, object: (world, side) => newMember(world, side), own: { status: 200 } }],
    last: true,
  },
};
