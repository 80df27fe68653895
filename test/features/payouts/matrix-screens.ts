/** The access matrix of what people look at before they approve a run, and of what they do with what failed. */
import {
  cursorOf,
  cursorReference,
  emptyList,
  type MatrixRow,
  type Reference,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { plantAccount } from '../../support/payments/payout-world.ts';
import { draftOf, plantPayout } from './matrix.ts';

const FAILED = ['partially_failed', 'failed'] as const;

const run = (object: Reference['object']): Reference => ({
  at: 'path.runId',
  object,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'NOT_FOUND' },
});

const ofDraft: MatrixRow = {
  request: (side) => ({ path: { runId: draftOf(side).runId } }),
  status: 200,
  references: [run((_world, side) => draftOf(side).runId)],
};

/** Lists have another page. */
const planted = new WeakMap<Side, Promise<unknown>>();
function second(world: World, side: Side): Promise<unknown> {
  const known = planted.get(side) ?? plantSecond(world, side);
  planted.set(side, known);
  return known;
}

async function plantSecond({ app }: World, side: Side): Promise<void> {
  await plantAccount(app, side, side.grandchild.id);
  await app.database.asSuperuser(
    `insert into payout_hold (tenant_id, environment, member_id, reason, created_by, created_at)
     select $1, $2, m.id, 'Planted', 'operator', now() from unnest(array[$3, $4]::uuid[]) m(id) on conflict do nothing`,
    [side.tenantId, side.environment, side.grandchild.id, side.payee.id],
  );
}

const listed = (target: string, filters: Reference[] = []): MatrixRow => ({
  request: () => ({ query: { limit: '1' } }),
  status: 200,
  references: [
    ...filters,
    {
      at: 'query.cursor',
      ...cursorReference,
      async object(world, side) {
        await second(world, side);
        return cursorOf(world, side, `${target}?limit=1`);
      },
      within: () => ({ query: { limit: '1' } }),
    },
  ],
});

export const payoutScreenRows: Record<string, MatrixRow> = {
  getBlockedReasons: ofDraft,
  reviewPayoutRun: ofDraft,
  retryPayoutRun: {
    request: (side) => ({ path: { runId: draftOf(side).runId }, body: {} }),
    fresh: async (side, world) => ({
      path: { runId: (await plantPayout(world.app, side, ...FAILED)).runId },
      body: {},
    }),
    status: 200,
    references: [run(async (world, side) => (await plantPayout(world.app, side, ...FAILED)).runId)],
    inert: { 'body.afterPayoutId': 'a place in the order of the ids of the run: whose payout it is does not count' },
  },
  listAllPayoutAccounts: listed('/api/v1/payout-accounts', [
    {
      at: 'query.userId',
      ...uuidReference,
      async object(world, side) {
        await second(world, side);
        return side.grandchild.id;
      },
      own: { status: 200 },
      foreign: { status: 200, check: emptyList },
    },
  ]),
  listPayoutHolds: listed('/api/v1/payout-holds'),
  getPayoutFreeze: { request: () => ({}), status: 200, references: [] },
  getPayoutSchedule: { request: () => ({}), status: 200, references: [] },
};
