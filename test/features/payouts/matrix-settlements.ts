/** The access matrix of settlements. */
import { randomBytes, randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import {
  cursorOf,
  freshEmail,
  invalid,
  type MatrixRow,
  post,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const AMOUNT = 100;
const path = (memberId: string): string => `/api/v1/members/${memberId}/settlements`;
const body = (reference: string) => ({ currency: 'USD', amountMinor: AMOUNT, reference });

/** A member of the side to whom the amount is owed, and cleared. */
async function newCreditor(world: World, side: Side): Promise<string> {
  const headers = { 'x-tenant-api-key': side.key };
  const made = await call(world.app.baseUrl, { method: 'POST', target: '/api/v1/users', headers, body: { email: freshEmail() } });
  const { id } = made.json as { id: string };
  await post(world, side, '/api/v1/events/commission', {
    external_event_id: randomUUID(),
    user_id: id,
    type: 'adjustment',
    amount_minor: AMOUNT,
    currency: 'USD',
    description: 'To be settled',
    actor: 'matrix',
  });
  await world.app.database.asSuperuser(
    `update commission_line set status = 'cleared', clears_at = least(clears_at, now()) where beneficiary_id = $1`,
    [id],
  );
  return id;
}

/** Two of the child: no money stands behind them. */
const planted = new WeakMap<Side, Promise<unknown>>();
function plantTwo({ app }: World, side: Side): Promise<unknown> {
  const values = [side.tenantId, side.environment, side.child.id];
  const known =
    planted.get(side) ??
    app.database.asSuperuser(
      `insert into payout (tenant_id, environment, member_id, provider_type, currency, amount_minor, line_count, status, attempt, paid_at,
                           created_at, updated_at)
       select $1, $2, $3::uuid, 'manual', 'USD', 1, 1, 'returned', 1, now(), now(), now() from generate_series(1, 2)`,
      values,
    );
  planted.set(side, known);
  return known;
}

const child: Reference = {
  at: 'path.userId',
  object: (_world, side) => side.child.id,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
};

export const settlementRows: Record<string, MatrixRow> = {
  createSettlement: {
    request: (side) => ({ path: { userId: side.child.id }, body: body('WIRE-1') }),
    fresh: async (side, world) => ({ path: { userId: await newCreditor(world, side) }, body: body('WIRE-1') }),
    status: 201,
    // Nothing is owed to the child of a side.
    repeatedStatus: 422,
    neverByChance: true,
    readBack: (answer) => `/api/v1/payouts/${String(answer['id'])}`,
    references: [{ ...child, object: newCreditor, own: { status: 201 } }],
  },
  listSettlements: {
    request: (side) => ({ path: { userId: side.child.id }, query: { limit: '1' } }),
    status: 200,
    references: [
      child,
      {
        at: 'query.cursor',
        async object(world, side) {
          await plantTwo(world, side);
          return cursorOf(world, side, `${path(side.child.id)}?limit=1`);
        },
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200 },
        foreign: invalid,
      },
    ],
  },
};
