/** The access matrix of the KYC vendor's events, real and simulated. */
import { call } from '../../support/app/http-call.ts';
import { freshEmail, type MatrixRow, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

/** The automated provider verifies the member. */
async function plantRecord({ app }: World, { tenantId, environment }: Side, memberId: string): Promise<void> {
  await app.database.asSuperuser(
    `insert into kyc_record (tenant_id, environment, member_id, provider, status_since, created_at, updated_at)
     values ($1, $2, $3, 'kycvendor', now(), now(), now())
     on conflict (tenant_id, environment, member_id) do update set provider = 'kycvendor', decided_by = null`,
    [tenantId, environment, memberId],
  );
}

/** A member on whom no other row depends. */
async function newMember(world: World, side: Side): Promise<string> {
  const { json } = await call(world.app.baseUrl, {
    method: 'POST',
    target: '/api/v1/users',
    headers: { 'x-tenant-api-key': side.key },
    body: { email: freshEmail() },
  });
  const { id } = json as { id: string };
  await plantRecord(world, side, id);
  return id;
}

const pending = (userId: string) => ({ body: { kind: 'kyc', userId, outcome: 'pending' } });

export const kycEventRows: Record<string, MatrixRow> = {
  receiveKycEvent: {
    request: (side) => ({ query: { tenant_id: side.tenantId }, body: { type: 'applicantPending' } }),
    status: 401,
    open: true,
    rawBody: true,
    references: [],
    inert: { 'query.tenant_id': 'whose it is follows from the signature (event-signatures.test.ts)' },
  },
  sendVendorEvent: {
    request: (side) => pending(side.grandchild.id),
    fresh: async (side, world) => pending(await newMember(world, side)),
    restore: (world, side) => plantRecord(world, side, side.grandchild.id),
    status: 200,
    sandboxOnly: true,
    neverByChance: true,
    inert: {
      'body.payoutId': 'of another kind; whose it may be is in sandbox-payouts.test.ts',
      'body.accountId': 'of another kind; whose it may be is in simulated-events.test.ts',
    },
    references: [
      {
        at: 'body.userId',
        object: newMember,
        ...uuidReference,
        own: { status: 200, check: (body) => body['status'] === 'pending' },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
};
