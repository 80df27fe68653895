/** The access matrix of the KYC group, but for the documents. */
import { type MatrixRow, type Reference, uuidReference } from '../../support/matrix/matrix-row.ts';

const started: Reference = {
  at: 'path.userId',
  object: (_world, side) => side.root.id,
  ...uuidReference,
  own: { status: 200, check: (body, side) => body['userId'] === side.root.id },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
};

export const kycRows: Record<string, MatrixRow> = {
  startKyc: {
    request: (side) => ({ path: { userId: side.root.id }, body: {} }),
    status: 200,
    references: [{ ...started, own: { status: 200, check: (body, side) => String(body['uploadUrl']).includes(side.root.id) } }],
  },
  getKyc: { request: (side) => ({ path: { userId: side.root.id } }), status: 200, references: [started] },
};
