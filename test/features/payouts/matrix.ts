/** The access matrix of payout runs and payouts. */
import { randomBytes } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import {
  type Expected,
  emptyList,
  invalid,
  type MatrixRequest,
  type MatrixRow,
  ofOwner,
  type PlantOnSide,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { plantAccount } from '../../support/payments/payout-world.ts';

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
       values ($1::uuid, $2, 'USD', now(), $5, 1, 1, 'api_key:' || $1::uuid, now(), now()) returning id),
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

/** The draft of a run with one payout that a side has. */
const drafts = new WeakMap<Side, Planted>();
export const draftOf = (side: Side): Planted => drafts.get(side) ?? { runId: '', payoutId: '' };

export const plantOnSide: PlantOnSide = async (app, side) => {
  drafts.set(side, await plantPayout(app, side, 'draft'));
};

/** Of the side; a second is planted beside it, for lists to have another page. */
const seconds = new WeakMap<Side, Promise<Planted>>();
async function known(world: World, side: Side): Promise<Planted> {
  const second = seconds.get(side) ?? plantPayout(world.app, side, 'draft');
  seconds.set(side, second);
  await second;
  return draftOf(side);
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

const listFilter = (at: string, object: Reference['object'], others: Expected): Reference => ({
  at,
  object,
  ...uuidReference,
  own: { status: 200, check: (body) => !emptyList(body) },
  foreign: { status: 200, check: emptyList },
  member: ofOwner((side) => side.sibling.id, { status: 200, check: (body) => !emptyList(body) }, others),
});

const onRun = (status: string): MatrixRow => ({
  request: (side) => ({ path: { runId: draftOf(side).runId } }),
  fresh: async (side, world) => ({ path: { runId: (await plantPayout(world.app, side, status)).runId } }),
  status: 200,
  repeatedStatus: 409,
  readBack: (body) => `/api/v1/payout-runs/${String(body['id'])}`,
  references: [runId(async (world, side) => (await plantPayout(world.app, side, status)).runId)],
});

const onPayout = (runStatus: string, status: string, body?: Record<string, unknown>): MatrixRow => ({
  request: (side) => ({ path: { payoutId: draftOf(side).payoutId }, ...(body && { body }) }),
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
  request: (side) => request(draftOf(side)),
  fresh: async (side, world) => request(await known(world, side)),
  status: 200,
  references,
});

const knownRun = runId(async (world, side) => (await known(world, side)).runId);
const knownPayout = payoutId(async (world, side) => (await known(world, side)).payoutId);

const held: Reference = {
  at: 'path.userId',
  object: (_world, side) => side.child.id,
  ...uuidReference,
  own: { status: 200, check: (body, side) => body['userId'] === side.child.id },
  foreign: { status: 404, code: 'USER_NOT_FOUND' },
};
const ofChild = (side: Side) => ({ path: { userId: side.child.id } });

export const payoutRows: Record<string, MatrixRow> = {
  getPayoutHold: { request: ofChild, status: 200, references: [held] },
  setPayoutHold: {
    request: (side) => ({ ...ofChild(side), body: { reason: `${side.canaries[0]} asked for it` } }),
    status: 200,
    readBack: (body) => `/api/v1/members/${String(body['userId'])}/payout-hold`,
    references: [held],
  },
  liftPayoutHold: { request: ofChild, status: 200, references: [held] },
  getPayoutReadiness: { request: ofChild, status: 200, references: [held] },
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
      listFilter('query.runId', async (world, side) => (await known(world, side)).runId, { status: 200, check: emptyList }),
      listFilter(
        'query.userId',
        async (world, side) => {
          await known(world, side);
          return side.sibling.id;
        },
        { status: 403, code: 'FORBIDDEN' },
      ),
      { ...cursor(() => '/api/v1/payouts?limit=1'), member: invalid },
    ],
  ),
  getPayout: {
    ...reads(
      (planted) => ({ path: { payoutId: planted.payoutId } }),
      [{ ...knownPayout, member: ofOwner((side) => side.sibling.id, { status: 200 }, unknown) }],
    ),
    memberStatus: (side, memberId) => (memberId === side.sibling.id ? 200 : 404),
  },
  listPayoutCommissions: {
    ...reads((planted) => ({ path: { payoutId: planted.payoutId } }), [knownPayout]),
    inert: { 'query.cursor': 'no money stands behind the payout, so it has no page to turn' },
  },
  cancelPayout: onPayout('draft', 'queued'),
  retryPayout: onPayout('partially_failed', 'failed'),
  settlePayout: onPayout('executing', 'processing', { reference: 'BANK-1' }),
  returnPayout: onPayout('executing', 'paid', { reason: 'Account closed' }),
};
