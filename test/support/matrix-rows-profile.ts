/** The access matrix of the Profile group. */
import { type MatrixRow, type Reference, uuidReference } from './matrix-row.ts';

const member: Reference = {
  at: 'path.userId',
  object: (_world, side) => side.root.id,
  ...uuidReference,
  own: { status: 200, check: (body, side) => body['id'] === side.root.id },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
};

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
  // The matrix calls with keys alone; what bearer tokens reach is in test/api/profile.
  getMe: { request: () => ({}), status: 401, references: [] },
};
