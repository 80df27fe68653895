/** The access matrix of rates that are agreed with members. */
import { randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import {
  cursorOf,
  cursorReference,
  emptyList,
  invalid,
  type MatrixRow,
  type Reference,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const RATES = '/api/v1/rate-overrides';
const agreed = (side: Side) => ({ target: 'member', targetId: side.child.id, pay: { rateBps: 1200 } });

async function plantOverride({ app }: World, side: Side): Promise<string> {
  // Of a product of its own: none replaces another.
  const body = { ...agreed(side), items: { skus: [randomUUID()] }, reason: side.canaries[0] };
  const answer = await call(app.baseUrl, { method: 'POST', target: RATES, headers: { 'x-tenant-api-key': side.key }, body });
  return (answer.json as { id: string }).id;
}

const overrideReference = (own: number): Reference => ({
  at: 'path.overrideId',
  object: plantOverride,
  ...uuidReference,
  own: { status: own },
  foreign: { status: 404, code: 'NOT_FOUND' },
});

const filter = (at: string, object: Reference['object']): Reference => ({
  at,
  object,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 200, check: emptyList },
});

export const rateRows: Record<string, MatrixRow> = {
  createRateOverride: {
    request: (side) => ({ body: agreed(side) }),
    status: 201,
    readBack: (body) => `${RATES}/${String(body['id'])}`,
    references: [
      {
        at: 'body.targetId',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 201 },
        foreign: invalid,
      },
      {
        at: 'body.planId',
        object: (_world, side) => side.planId,
        ...uuidReference,
        own: { status: 201 },
        foreign: invalid,
      },
    ],
  },
  listRateOverrides: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      filter('query.userId', (_world, side) => side.child.id),
      filter('query.targetId', (_world, side) => side.child.id),
      filter('query.planId', (_world, side) => side.planId),
      {
        at: 'query.cursor',
        async object(world, side) {
          for (let i = 0; i < 2; i++) await plantOverride(world, side);
          return cursorOf(world, side, `${RATES}?limit=1`);
        },
        ...cursorReference,
      },
    ],
  },
  getRateOverride: {
    request: () => ({ path: { overrideId: randomUUID() } }),
    fresh: async (side, world) => ({ path: { overrideId: await plantOverride(world, side) } }),
    status: 200,
    references: [overrideReference(200)],
  },
  endRateOverride: {
    request: () => ({ path: { overrideId: randomUUID() }, body: {} }),
    fresh: async (side, world) => ({ path: { overrideId: await plantOverride(world, side) }, body: {} }),
    status: 200,
    references: [overrideReference(200)],
  },
  getMemberRates: {
    request: (side) => ({ path: { userId: side.child.id } }),
    status: 200,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
      { at: 'query.planId', object: (_world, side) => side.planId, ...uuidReference, own: invalid, foreign: invalid },
    ],
  },
};
