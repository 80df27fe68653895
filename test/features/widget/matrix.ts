/** The access matrix of the widget's sessions. */
import { randomUUID } from 'node:crypto';
import { apiClient } from '../../support/app/api-client.ts';
import { type MatrixRow, type PlantOnSide, type Reference, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { beginWidget, ORIGIN } from '../../support/widget/widget-session.ts';

const plantSession = async ({ app }: World, side: Side): Promise<string> =>
  (await beginWidget(apiClient(app, side.key), side.root.id)).sessionId;

/** Of each side one that is renewed again and again. */
const renewed = new WeakMap<Side, string>();
export const plantOnSide: PlantOnSide = async (app, side) => {
  renewed.set(side, (await beginWidget(apiClient(app, side.key), side.root.id)).sessionId);
};

const notFound = { status: 404, code: 'NOT_FOUND' };
const forbidden = { status: 403, code: 'FORBIDDEN' };

const member = (foreign: Reference['foreign']): Omit<Reference, 'at'> => ({
  object: (_world, side) => side.root.id,
  ...uuidReference,
  own: { status: 201 },
  foreign,
  member: forbidden,
});

const sessionAt = (at: string): Reference => ({
  at,
  object: plantSession,
  ...uuidReference,
  own: { status: 200 },
  foreign: notFound,
  member: forbidden,
});

export const widgetRows: Record<string, MatrixRow> = {
  createWidgetToken: {
    request: (side) => ({ body: { userId: side.root.id, allowedOrigins: [ORIGIN] } }),
    status: 201,
    // No origin is.
    neverByChance: true,
    references: [{ at: 'body.userId', ...member({ status: 404, code: 'USER_NOT_FOUND' }) }],
    inert: { 'response.sessionId': 'is made by the call' },
  },
  refreshWidgetToken: {
    request: (side) => ({ body: { sessionId: renewed.get(side) ?? '' } }),
    fresh: async (side, world) => ({ body: { sessionId: await plantSession(world, side) } }),
    status: 200,
    neverByChance: true,
    references: [
      sessionAt('body.sessionId'),
      {
        at: 'body.userId',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: notFound,
        member: forbidden,
      },
    ],
  },
  endWidgetSession: {
    request: () => ({ path: { sessionId: randomUUID() } }),
    fresh: async (side, world) => ({ path: { sessionId: await plantSession(world, side) } }),
    status: 200,
    neverByChance: true,
    references: [sessionAt('path.sessionId')],
  },
};
