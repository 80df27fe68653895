/** The access matrix of payout methods and accounts. The payee of a side is nobody's downline, so no bearer token reaches it. */
import { randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import { invalid, type MatrixRow, type Reference, tooLong, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { accountsPath, COMPLETE_PROFILE, newIban, plantOtherName, sepaAccount } from '../../support/payments/payout-accounts.ts';

const payee: Reference = {
  at: 'path.userId',
  object: (_world, side) => side.payee.id,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
};

const account: Reference = {
  at: 'path.accountId',
  object: (_world, side) => side.payee.accountId,
  ...uuidReference,
  own: { status: 200, check: (body, side) => body['id'] === side.payee.accountId },
  foreign: { status: 404, code: 'NOT_FOUND' },
};

async function newAccountOf({ app }: World, side: Side): Promise<string> {
  const headers = { 'x-tenant-api-key': side.key };
  const target = accountsPath(side.payee.id);
  const answer = await call(app.baseUrl, { method: 'POST', target, headers, body: sepaAccount() });
  if (answer.status !== 201) throw new Error(`no account was made: ${answer.status} ${answer.text}`);
  return (answer.json as { id: string }).id;
}

async function otherNameOf(world: World, side: Side): Promise<string> {
  const id = await newAccountOf(world, side);
  await plantOtherName(world.app, id);
  return id;
}

/** The profile is complete again, and no account of the member is known by its details. */
async function restorePayee({ app }: World, { tenantId, environment, payee: { id } }: Side): Promise<void> {
  const values = [tenantId, environment, id];
  await app.database.asSuperuser(
    `update payout_account set fingerprint = sha256(uuid_send(gen_random_uuid()))
     where tenant_id = $1 and environment = $2 and member_id = $3`,
    values,
  );
  await app.database.asSuperuser(
    `update member_profile set country_code = 'DEU', address = $4::jsonb where tenant_id = $1 and environment = $2 and member_id = $3`,
    [...values, JSON.stringify(COMPLETE_PROFILE.address)],
  );
}

const ofAccount = (side: Side) => ({ path: { userId: side.payee.id, accountId: side.payee.accountId } });

export const payoutAccountRows: Record<string, MatrixRow> = {
  listPayoutMethods: { request: () => ({ query: { country: 'DE' } }), status: 200, references: [] },
  validateBankDetails: {
    request: () => ({
      path: { methodId: 'sepa_bank_transfer' },
      body: { country: 'DE', bankAccount: { accountHolderName: 'Ada Example', iban: newIban() } },
    }),
    status: 200,
    references: [],
    inert: { 'path.methodId': 'of the catalogue, which is the same for all' },
  },
  createPayoutAccount: {
    request: (side) => ({ path: { userId: side.payee.id }, body: sepaAccount() }),
    status: 201,
    // A member's own profile says too little.
    memberStatus: 422,
    references: [{ ...payee, own: { status: 201 } }],
    restore: restorePayee,
  },
  listPayoutAccounts: {
    request: (side) => ({ path: { userId: side.payee.id }, query: { limit: '1' } }),
    status: 200,
    references: [
      payee,
      {
        at: 'query.cursor',
        object: (_world, side) => side.payee.cursor,
        absent: () => randomUUID().repeat(2),
        malformed: tooLong(1000),
        own: { status: 200 },
        foreign: invalid,
      },
    ],
  },
  // Of a member's own accounts none has the id.
  getPayoutAccount: { request: ofAccount, status: 200, memberStatus: 404, references: [payee, account] },
  updatePayoutAccount: {
    request: (side) => ({ ...ofAccount(side), body: { displayName: `${side.canaries[0]} account`, isPrimary: true } }),
    status: 200,
    memberStatus: 404,
    references: [payee, account],
  },
  acceptAccountName: {
    request: ofAccount,
    fresh: async (side, world) => ({ path: { userId: side.payee.id, accountId: await otherNameOf(world, side) } }),
    status: 200,
    references: [payee, { ...account, object: otherNameOf, own: { status: 200 } }],
    neverByChance: true,
  },
  deactivatePayoutAccount: {
    request: ofAccount,
    fresh: async (side, world) => ({ path: { userId: side.payee.id, accountId: await newAccountOf(world, side) } }),
    status: 200,
    memberStatus: 404,
    references: [payee, { ...account, object: newAccountOf, own: { status: 200 } }],
  },
};
