/** The access matrix of statements, tax documents, a run's export, and the payment vendor's webhook. */
import { type MatrixRow, type Reference, uuidReference } from './matrix-row.ts';
import type { Side, World } from './matrix-world.ts';

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

async function newRun({ app }: World, { tenantId, environment }: Side): Promise<string> {
  const [run] = await app.database.asSuperuser<{ id: string }>(
    `insert into payout_run (tenant_id, environment, currency, cutoff_at, status, created_by, created_at, updated_at)
     values ($1, $2, 'USD', now(), 'draft', gen_random_uuid()::text, now(), now()) returning id`,
    [tenantId, environment],
  );
  return run?.id ?? '';
}

export const paymentFileRows: Record<string, MatrixRow> = {
  listTaxDocuments: { request: (side) => ({ path: { userId: side.root.id } }), status: 200, references: [memberOf(200)] },
  getTaxDocumentPdf: taxFile,
  getTaxDocumentCsv: taxFile,
  getMemberStatement: statement,
  getMemberStatementPdf: statement,
  getMemberStatementCsv: statement,
  exportPayoutRun: {
    request: (side) => ({ path: { runId: side.payout.runId } }),
    status: 200,
    neverByChance: true,
    references: [
      { at: 'path.runId', object: newRun, ...uuidReference, own: { status: 200 }, foreign: { status: 404, code: 'NOT_FOUND' } },
    ],
  },
  receivePaymentEvent: {
    request: (side) => ({ query: { tenant_id: side.tenantId }, body: { type: 'account.updated' } }),
    status: 401,
    open: true,
    rawBody: true,
    references: [],
    inert: { 'query.tenant_id': 'whose it is follows from the signature (payment-receiver.test.ts)' },
  },
};
