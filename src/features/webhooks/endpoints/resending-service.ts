/** What an endpoint is sent because somebody asks: an example, or events of the log again. */
import type { z } from 'zod';
import { actorRef } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError, invalidField } from '../../../errors.ts';
import type { ActingContext } from '../../../http/operation.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { insertOutgoing } from '../log/outbox-queries.ts';
import { exampleOf } from '../open/event-examples.ts';
import { isPattern, matchesType } from '../open/event-types.ts';
import { webhooksErrors } from '../open/webhooks-errors.ts';
import { MAX_REPLAYED, type replayWebhookEvents } from './endpoints-operations.ts';
import { type Endpoint, lockEndpoint } from './endpoints-queries.ts';
import { noSuchEndpoint } from './endpoints-service.ts';
import { replayEvents } from './resending-queries.ts';
import { waitsForMore } from './waiting-queries.ts';

type Replay = z.output<(typeof replayWebhookEvents)['body'] & {}>;

/** What stands in the place of an object's id in an example. */
export const TEST_OBJECT = 'test';

export interface ResendingService {
  /** NOT_FOUND, ENDPOINT_DISABLED; 400 for a type that there is not. */
  test(context: ActingContext, endpointId: string, type: string): Promise<{ eventId: string }>;
  /** NOT_FOUND, ENDPOINT_DISABLED, TOO_MANY_EVENTS. */
  replay(context: ActingContext, endpointId: string, input: Replay): Promise<{ count: number }>;
}

export function createResendingService({
  frames,
  types,
}: {
  frames: Frames;
  types: Iterable<string> & { has(type: string): boolean };
}): ResendingService {
  return {
    async test({ scope, guard, shape }, endpointId, type) {
      if (!types.has(type)) throw invalidField('type', 'is no type of event');
      return frames.write(
        scope,
        async (db) => {
          await requireEnabled(db, scope, endpointId);
          const data = JSON.stringify(exampleOf(type));
          const event = { type, objectId: TEST_OBJECT, actor: actorRef(scope.provenance.actor), data, leftOut: [] };
          const [eventId] = await insertOutgoing(db, scope, [event], endpointId);
          if (eventId === undefined) throw new Error('an event was not written');
          await audit(db, scope, endpointId, 'tested', { type });
          return { eventId };
        },
        { guard, shape },
      );
    },

    async replay({ scope, guard, shape }, endpointId, { from, to, types: wanted, onlyFailed }) {
      for (const [index, type] of (wanted ?? []).entries()) {
        if (!isPattern(type, types)) throw invalidField(`types.${index}`, 'is no type of event, nor the first word of one');
      }
      return frames.write(
        scope,
        async (db) => {
          const { eventTypes } = await requireEnabled(db, scope, endpointId);
          // Behind the lock on the endpoint: replays at once are counted one behind the other.
          if (await waitsForMore(db, scope, endpointId, MAX_REPLAYED)) {
            throw new AppError(webhooksErrors.TOO_MANY_EVENTS, `More than ${MAX_REPLAYED} events wait for the endpoint already`);
          }
          const named = [...types].filter((type) => matchesType(eventTypes, type) && matchesType(wanted ?? ['*'], type));
          const asked = { endpointId, from, to, types: named, onlyFailed: onlyFailed === true };
          const count = await replayEvents(db, scope, asked, MAX_REPLAYED);
          if (count > MAX_REPLAYED) {
            throw new AppError(webhooksErrors.TOO_MANY_EVENTS, `More than ${MAX_REPLAYED} events happened between the two`);
          }
          await audit(db, scope, endpointId, 'replayed', {
            from,
            to,
            types: wanted ?? null,
            onlyFailed: onlyFailed === true,
            count,
          });
          return { count };
        },
        { guard, shape },
      );
    },
  };
}

async function requireEnabled(db: Db, scope: Scope, endpointId: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(db, scope, endpointId);
  if (!endpoint) throw noSuchEndpoint();
  if (!endpoint.enabled) throw new AppError(webhooksErrors.ENDPOINT_DISABLED, 'The endpoint is disabled');
  return endpoint;
}

function audit(
  db: Db,
  scope: ActingContext['scope'],
  objectId: string,
  deed: 'tested' | 'replayed',
  details: Record<string, unknown>,
): Promise<void> {
  const action = `webhook_endpoint.${deed}`;
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'webhook_endpoint', objectId, details });
}
