/** The access matrix of a run's export and the payment vendor's webhook. */
import { type MatrixRow, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { draftOf } from './matrix.ts';

async function newRun({ app }: World, { tenantId, environment }: Side): Promise<string> {
  const [run] = await app.database.asSuperuser<{ id: string }>(
    `insert into payout_run (tenant_id, environment, currency, cutoff_at, status, created_by, created_at, updated_at)
     values ($1, $2, 'USD', now(), 'draft', 'api_key:' || gen_random_uuid(), now(), now()) returning id`,
    [tenantId, environment],
  );
  return run?.id ?? '';
}

export const paymentFileRows: Record<string, MatrixRow> = {
  exportPayoutRun: {
    request: (side) => ({ path: { runId: draftOf(side).runId } }),
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
