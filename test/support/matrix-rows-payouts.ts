/** The access matrix of payout runs and payouts. */
import { randomBytes } from 'node:crypto';
import { call } from './http-call.ts';
import { emptyList, invalid, type MatrixRequest, type MatrixRow, type Reference, tooLong, uuidReference } from './matrix-row.ts';
import type { Side, World } from './matrix-world.ts';
import { plantAccount } from './payout-world.ts';
import type { TestApp } from './test-app.ts';

const unknown = { status: 404, code: 'NOT_FOUND' };
const accounts = new WeakMap<Side, Promise<string>>();

interface Planted {
  runId: string;
  payoutId: string;
}

/** A run with one payout to the sibling, each in a status; no money stands behind it. */
export async function plantPayout(app: TestApp, side: Side, runStatus: string, payoutStatus = 'queued'): Promise<Planted> {
  const account = accounts.get(side) ?? plantAccount(app, side, side.sibling.id);
  accounts.set(side, account);
  const [row] = await app.database.asSuperuser<Planted>(
    `with run as (
       insert into payout_run (tenant_id, environment, currency, cutoff_at, status, payout_count, total_minor, created_by, created_at, updated_at)
       values ($1::uuid, $2, 'USD', now(), $5, 1, 1, $1::uuid::text, now(), now()) returning id),
     blocked as (
       insert into payout_block (tenant_id, environment, payout_run_id, member_id, reason, amount_minor)
       select $1::uuid, $2, run.id, m.id, 'NO_ACCOUNT', 1 from run, unnest(array[$6, $7]::uuid[]) m(id)),
     made as (
       insert into payout (tenant_id, environment, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                           line_count, status, attempt, paid_at, created_at, updated_at)
       select $1::uuid, $2, run.id, $3::uuid, $4::uuid, 'manual', 'USD', 1, 1, $8, case when $8 = 'queued' then 0 else 1 end,
              case when $8 = 'paid' then now() end, now(), now()
       from run returning *),
     tried as (
       insert into payout_attempt (tenant_id, environment, payout_id, attempt, started_at)
       select $1::uuid, $2, made.id, 1, now() from made where made.attempt = 1)
     select made.payout_run_id as "runId", made.id as "payoutId" from made`,
    [side.tenantId, side.environment, side.sibling.id, await account, runStatus, side.root.id, side.child.id, payoutStatus],
  );
  if (!row) throw new Error('no run was planted');
  side.canaries.push(row.runId, row.payoutId);
  return row;
}

/** Of the side; a second is planted beside it, for lists to have another page. */
const seconds = new WeakMap<Side, Promise<Planted>>();
async function known(world: World, side: Side): Promise<Planted> {
  const second = seconds.get(side) ?? plantPayout(world.app, side, 'draft');
  seconds.set(side, second);
  await second;
  return side.payout;
}

const runId = (object: Reference['object'], own: Reference['own'] = { status: 200 }): Reference => ({
  at: 'path.runId',
  object,
  ...uuidReference,
  own,
  foreign: unknown,
});
const payoutId = (object: Reference['object']): Reference => ({
  at: 'path.payoutId',
  object,
  ...uuidReference,
  own: { status: 200 },
  foreign: unknown,
});

const cursor = (target: (planted: Planted) => string): Reference => ({
  at: 'query.cursor',
  async object(world, side) {
    const headers = { 'x-tenant-api-key': side.key };
    const answer = await call(world.app.baseUrl, { method: 'GET', target: target(await known(world, side)), headers });
    return String((answer.json as Record<string, unknown>)['nextCursor']);
  },
  absent: () => randomBytes(52).toString('base64url'),
  malformed: tooLong(1000),
  own: { status: 200 },
  foreign: invalid,
});

const listFilter = (at: string, object: Reference['object']): Reference => ({
  at,
  object,
  ...uuidReference,
  own: { status: 200, check: (body) => !emptyList(body) },
  foreign: { status: 200, check: emptyList },
});

const onRun = (status: string): MatrixRow => ({
  request: (side) => ({ path: { runId: side.payout.runId } }),
  fresh: async (side, world) => ({ path: { runId: (await plantPayout(world.app, side, status)).runId } }),
  status: 200,
  repeatedStatus: 409,
  readBack: (body) => `/api/v1/payout-runs/${String(body['id'])}`,
  references: [runId(async (world, side) => (await plantPayout(world.app, side, status)).runId)],
});

const onPayout = (runStatus: string, status: string, body?: Record<string, unknown>): MatrixRow => ({
  request: (side) => ({ path: { payoutId: side.payout.payoutId }, ...(body && { body }) }),
  fresh: async (side, world) => ({
    path: { payoutId: (await plantPayout(world.app, side, runStatus, status)).payoutId },
    ...(body && { body }),
  }),
  status: 200,
  repeatedStatus: 409,
  readBack: (answer) => `/api/v1/payouts/${String(answer['id'])}`,
  references: [payoutId(async (world, side) => (await plantPayout(world.app, side, runStatus, status)).payoutId)],
});

const reads = (request: (planted: Planted) => MatrixRequest, references: Reference[]): MatrixRow => ({
  request: (side) => request(side.payout),
  fresh: async (side, world) => request(await known(world, side)),
  status: 200,
  references,
});

const knownRun = runId(async (world, side) => (await known(world, side)).runId);
const knownPayout = payoutId(async (world, side) => (await known(world, side)).payoutId);

export const payoutRows: Record<string, MatrixRow> = {
  createPayoutRun: {
    request: () => ({ body: { currency: 'USD' } }),
    status: 201,
    readBack: (body) => `/api/v1/payout-runs/${String(body['id'])}`,
    references: [],
  },
  listPayoutRuns: reads(() => ({ query: { limit: '1' } }), [cursor(() => '/api/v1/payout-runs?limit=1')]),
  getPayoutRun: reads((planted) => ({ path: { runId: planted.runId } }), [knownRun]),
  listBlockedMembers: reads(
    (planted) => ({ path: { runId: planted.runId }, query: { limit: '1' } }),
    [knownRun, cursor((planted) => `/api/v1/payout-runs/${planted.runId}/blocked?limit=1`)],
  ),
  approvePayoutRun: onRun('draft'),
  executePayoutRun: onRun('approved'),
  cancelPayoutRun: onRun('approved'),
  listPayouts: reads(
    () => ({ query: { limit: '1' } }),
    [
      listFilter('query.runId', async (world, side) => (await known(world, side)).runId),
      listFilter('query.userId', async (world, side) => {
        await known(world, side);
        return side.sibling.id;
      }),
      cursor(() => '/api/v1/payouts?limit=1'),
    ],
  ),
  getPayout: reads((planted) => ({ path: { payoutId: planted.payoutId } }), [knownPayout]),
  listPayoutCommissions: {
    ...reads((planted) => ({ path: { payoutId: planted.payoutId } }), [knownPayout]),
    inert: { 'query.cursor': 'no money stands behind the payout, so it has no page to turn' },
  },
  cancelPayout: onPayout('draft', 'queued'),
  retryPayout: onPayout('partially_failed', 'failed'),
  settlePayout: onPayout('executing', 'processing', { reference: 'BANK-1' }),
  returnPayout: onPayout('executing', 'paid', { reason: 'Account closed' }),
};
