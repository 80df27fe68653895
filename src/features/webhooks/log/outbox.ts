/**
 * Where frames write what they tell, in the transaction of the change. An object is what the operation answers that
 * reads it, asked within that transaction. Source: docs/specification/webhooks.md#events.
 */
import type { Logger } from 'pino';
import { withinFrame } from '../../../db/ambient-frame.ts';
import { withReadSavepoint } from '../../../db/savepoint.ts';
import type { Db, Render, Scope, Told } from '../../../db/scope.ts';
import type { Outbox } from '../../../db/telling.ts';
import { isTransient } from '../../../db/transaction.ts';
import { AppError } from '../../../errors.ts';
import { faultPoint } from '../../../fault-points.ts';
import type { DeclaredEvent } from '../../../house/events.ts';
import { renderOperation } from '../../../http/render-operation.ts';
import type { KeyedRoute } from '../../../http/route.ts';
import { matchesType } from '../open/event-types.ts';
import { readHeard } from './hearing-queries.ts';
import { insertOutgoing, type NewOutgoing, widenToTenant } from './outbox-queries.ts';

/** Of the body that is sent; some of it is for the fields around `data`. */
const MOST_BYTES = 256 * 1024 - 1_024;

const AT_ONCE = 50;

/** What tenants fill as they like, in the order in which it is left out of an event that is too large. */
const FREE_FIELDS = ['metadata', 'line_items', 'lineItems'];

export interface OutboxParts {
  logger: Logger;
  events: ReadonlyMap<string, DeclaredEvent>;
  routeOf(operationId: string): KeyedRoute;
}

export function createOutbox({ logger, events, routeOf }: OutboxParts): Outbox {
  const renderIn =
    (scope: Scope): Render =>
    (operationId, input) =>
      renderOperation(routeOf(operationId), scope, input, 'tell-tenant');

  async function dataOf(scope: Scope, { type, objectId, params, data }: Told): Promise<unknown> {
    const declared = events.get(type);
    if (!declared) throw new Error(`no feature declares the event ${type}`);
    if ('schema' in declared) {
      // What is made of answers has their form already.
      return typeof data === 'function' ? data(renderIn(scope)) : declared.schema.parse(data);
    }
    // Who has just written the object need not read it anew: its form is the operation's all the same.
    if (data !== undefined && typeof data !== 'function') return routeOf(declared.shows).operation.response.parse(data);
    const [only = ''] = /(?<=\{)\w+/.exec(routeOf(declared.shows).operation.path) ?? [];
    return renderIn(scope)(declared.shows, { params: params ?? { [only]: objectId } });
  }

  /** An object that cannot be shown is no reason to refuse what has happened to it: it is told without. */
  function untold(scope: Scope, { type, objectId, actor }: Told, error: unknown): NewOutgoing {
    logger.error({ ...scope, type, objectId, err: error }, 'the object of an event could not be shown');
    return { type, objectId, actor, data: null, leftOut: ['data'] };
  }

  async function outgoingOf(scope: Scope, told: Told): Promise<NewOutgoing[]> {
    const { type, objectId, actor } = told;
    try {
      const data = await dataOf(scope, told);
      return partsOf(data, events.get(type)).map((part) => ({ type, objectId, actor, ...shortened(part) }));
    } catch (error) {
      if (isOfDatabase(error)) throw error;
      return [untold(scope, told, error)];
    }
  }

  /** So many are read at once: what they ask for travels together. */
  async function allOf(db: Db, scope: Scope, told: readonly Told[]): Promise<NewOutgoing[]> {
    const shown: NewOutgoing[] = [];
    for (let at = 0; at < told.length; at += AT_ONCE) {
      const some = told.slice(at, at + AT_ONCE);
      const parts = await withinFrame(db, scope, () => settled(some.map((one) => outgoingOf(scope, one))));
      shown.push(...parts.flat());
    }
    return shown;
  }

  return {
    ask: readHeard,

    async write(db, { tenantId, environment, member }, told, heard) {
      const scope = { tenantId, environment };
      const wanted = told.filter(({ type, heard: known }) => known === true || matchesType(heard, type));
      if (wanted.length === 0) return undefined;
      if (member) await widenToTenant(db, scope);
      const show = () => allOf(db, scope, wanted);
      const written = await (wanted.some(mustBeRead) ? withReadSavepoint(db, show) : show()).catch((error: unknown) => {
        if (isTransient(error)) throw error;
        return wanted.map((one) => untold(scope, one, error));
      });
      await faultPoint('event:told');
      const done = insertOutgoing(db, scope, written).then(() => undefined);
      done.catch(() => undefined); // who commits awaits it
      return { done };
    },
  };
}

/** Whether the database is asked for the object. */
function mustBeRead({ data }: Told): boolean {
  return data === undefined || typeof data === 'function';
}

/** All of them, or the first failure once none is running any more: nothing may be sent behind it. */
async function settled<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** Behind an error of the database the transaction is lost up to its savepoint. */
function isOfDatabase(error: unknown): boolean {
  return !(error instanceof AppError) && error instanceof Error && 'code' in error;
}

/** A long list is told in parts, each with all that stands beside it. */
function partsOf(data: unknown, declared: DeclaredEvent | undefined): unknown[] {
  const parts = declared && 'schema' in declared ? declared.parts : undefined;
  if (!parts) return [data];
  const whole = data as Record<string, unknown[]>;
  const items = whole[parts.of] ?? [];
  const count = Math.max(1, Math.ceil(items.length / parts.items));
  return Array.from({ length: count }, (_, n) => ({
    ...whole,
    [parts.of]: items.slice(n * parts.items, (n + 1) * parts.items),
  }));
}

/** JSON of the object, without what makes it too large. */
function shortened(object: unknown): Pick<NewOutgoing, 'data' | 'leftOut'> {
  const whole = JSON.stringify(object);
  if (Buffer.byteLength(whole) <= MOST_BYTES) return { data: whole, leftOut: [] };
  const shown = { ...(object as Record<string, unknown>) };
  const leftOut: string[] = [];
  for (const field of FREE_FIELDS) {
    if (shown[field] === undefined || shown[field] === null) continue;
    shown[field] = null;
    leftOut.push(field);
    const rest = JSON.stringify(shown);
    if (Buffer.byteLength(rest) <= MOST_BYTES) return { data: rest, leftOut };
  }
  return { data: null, leftOut: ['data'] };
}
