/** The access matrix of statements and tax documents. */
import { type MatrixRow, type Reference, uuidReference } from '../../support/matrix/matrix-row.ts';

const memberOf = (status: number): Reference => ({
  at: 'path.userId',
  object: (_world, side) => side.root.id,
  ...uuidReference,
  own: { status },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
});

const PERIOD = '2026-01';

const statement: MatrixRow = {
  request: (side) => ({ path: { userId: side.root.id, period: PERIOD } }),
  status: 200,
  references: [memberOf(200)],
};

/** Nobody in this world was ever paid: what there is to see is tested where somebody was. */
const taxFile: MatrixRow = {
  request: (side) => ({ path: { userId: side.root.id, year: '2025' } }),
  status: 404,
  references: [memberOf(404)],
};

export const statementRows: Record<string, MatrixRow> = {
  listTaxDocuments: { request: (side) => ({ path: { userId: side.root.id } }), status: 200, references: [memberOf(200)] },
  getTaxDocumentPdf: taxFile,
  getTaxDocumentCsv: taxFile,
  getMemberStatement: statement,
  getMemberStatementPdf: statement,
  getMemberStatementCsv: statement,
};
