/** What is sent of an event, and shown in the log. Source: docs/specification/webhooks.md#events. */
import { z } from 'zod';
import { ACTOR_KINDS, type ActorKind } from '../../../actor.ts';
import type { Environment } from '../../../db/scope.ts';
import { holdsRight } from '../../../http/rights.ts';
import { environment, timestamp, uuid } from '../../../http/schemas.ts';
import type { ScopeOfType } from './event-rights.ts';

/** A stored event with its number. */
export interface SealedEvent {
  id: string;
  type: string;
  sequence: bigint;
  occurredAt: Date;
  environment: Environment;
  objectId: string;
  objectVersion: bigint;
  /** An `actorRef`. */
  actor: string;
  /** As it is stored: JSON, or null. */
  data: unknown;
  leftOut: readonly string[];
  /** Made on request to test an endpoint: its object is the type's example. */
  isExample: boolean;
}

/** The same with its data as the text that is stored. */
export type UnreadEvent = Omit<SealedEvent, 'data'> & { dataText: string };

export const eventActor = z.object({
  kind: z
    .enum(ACTOR_KINDS)
    .meta({ description: '`staff`: a person of the tenant; `operator`: of the deployment; `system`: the service by itself' }),
  id: z.string().nullable().meta({ description: 'Of the key, the person or the member; null where nobody in particular did it' }),
});

/** The fields of every event beside its `data`. */
export const eventFields = {
  id: uuid.meta({ description: 'The same as the header webhook-id, in every attempt' }),
  type: z.string().meta({ description: 'What has happened, as `member.created`' }),
  sequence: z.int().meta({ description: 'Its number among the events of the environment: dense, in the order of commits' }),
  occurredAt: timestamp.meta({ description: "When it happened, by the environment's clock" }),
  environment: environment.meta({ description: 'Where it happened' }),
  objectId: z.string().meta({ description: 'Of the object that it happened to' }),
  objectVersion: z
    .int()
    .meta({ description: 'Of two states of one object the later has the larger; nothing else is told by it' }),
  actor: eventActor.meta({ description: 'Who did it' }),
  leftOut: z.array(z.string()).optional().meta({
    description:
      'Fields of `data` that were too large, or `data` itself, where a person in it was erased or where the right to read it is missing; absent where nothing is missing',
  }),
};

export const eventBodySchema = z
  .object({ ...eventFields, data: z.unknown().meta({ description: 'The object as the API shows it; the type says which' }) })
  .meta({ id: 'WebhookEvent' });

export type EventBody = z.input<typeof eventBodySchema>;

/** The members in the order in which they are sent; `data` is the last. */
export function eventBody(event: SealedEvent): EventBody {
  return { ...around(event), data: event.data };
}

function around(event: Omit<SealedEvent, 'data'>): Omit<EventBody, 'data'> {
  const [kind = '', ...id] = event.actor.split(':');
  return {
    id: event.id,
    type: event.type,
    sequence: Number(event.sequence),
    occurredAt: event.occurredAt,
    environment: event.environment,
    objectId: event.objectId,
    objectVersion: Number(event.objectVersion),
    actor: { kind: kind as ActorKind, id: id.length === 0 ? null : id.join(':') },
    ...(event.leftOut.length > 0 && { leftOut: [...event.leftOut] }),
  };
}

/** Whether these rights read the object of the event. What is in an example, anybody may know. */
export function readsObject(
  { type, isExample }: Pick<SealedEvent, 'type' | 'isExample'>,
  holder: { rights: readonly string[] },
  scopeOfType: ScopeOfType,
): boolean {
  return isExample || holdsRight(holder, scopeOfType(type));
}

/** The event as it is shown or sent under these rights: without an object that they do not read. */
export function eventFor(event: SealedEvent, holder: { rights: readonly string[] }, scopeOfType: ScopeOfType): SealedEvent {
  return readsObject(event, holder, scopeOfType) ? event : { ...event, data: null, leftOut: ['data'] };
}

/** The same of one whose object was not read into memory. */
export function unreadFor(event: UnreadEvent, holder: { rights: readonly string[] }, scopeOfType: ScopeOfType): UnreadEvent {
  return readsObject(event, holder, scopeOfType) ? event : emptied(event);
}

/** As an erasure leaves it. */
export function emptied(event: UnreadEvent): UnreadEvent {
  return { ...event, dataText: 'null', leftOut: ['data'] };
}

/** What is signed and sent, byte for byte. */
export function eventBodyText({ dataText, ...event }: UnreadEvent): string {
  return `${JSON.stringify(around(event)).slice(0, -1)},"data":${dataText}}`;
}
