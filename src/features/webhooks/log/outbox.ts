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
import type { JobQueue } from '../../../jobs/queue.ts';
import { matchesType } from '../open/event-types.ts';
import { readHeard } from './hearing-queries.ts';
import { insertOutgoing, type NewOutgoing, portionsOf, widenToTenant } from './outbox-queries.ts';

/** Of the body that is sent; some of it is for the fields around `data`. */
const MOST_BYTES = 256 * 1024 - 1_024;

/** So many objects are read at once, and their events written behind that. */
const AT_ONCE = 50;

/** What tenants fill as they like, in the order in which it is left out of an event that is too large. */
const FREE_FIELDS = ['metadata', 'line_items', 'lineItems'];

export interface OutboxParts {
  logger: Logger;
  events: ReadonlyMap<string, DeclaredEvent>;
  routeOf(operationId: string): KeyedRoute;
  enqueue: JobQueue['enqueue'];
}

export function createOutbox({ logger, events, routeOf, enqueue }: OutboxParts): Outbox {
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

  async function outgoingOf(scope: Scope, told: Told, faults: Fault[]): Promise<NewOutgoing[]> {
    const { type, objectId, actor } = told;
    try {
      const data = await dataOf(scope, told);
      return partsOf(data, events.get(type)).map((part) => ({ type, objectId, actor, ...shortened(part) }));
    } catch (error) {
      if (isOfDatabase(error)) throw error;
      return [untold(told, error, faults)];
    }
  }

  /** What they ask for travels together. Behind an error of the database each is shown behind a savepoint of its own. */
  async function shown(db: Db, scope: Scope, some: readonly Told[], faults: Fault[]): Promise<NewOutgoing[]> {
    const found: Fault[] = [];
    try {
      const show = () => withinFrame(db, scope, () => settled(some.map((one) => outgoingOf(scope, one, found))));
      const parts = await (some.some(mustBeRead) ? withReadSavepoint(db, show) : show());
      faults.push(...found);
      return parts.flat();
    } catch (error) {
      if (isTransient(error)) throw error;
      const [only] = some;
      if (only && some.length === 1) return [untold(only, error, faults)];
      const parts: NewOutgoing[] = [];
      for (const one of some) parts.push(...(await shown(db, scope, [one], faults)));
      return parts;
    }
  }

  return {
    ask: readHeard,

    async write(db, { tenantId, environment, member }, told, heard) {
      const scope = { tenantId, environment };
      const wanted = told.filter(({ type, heard: known }) => known === true || matchesType(heard, type));
      if (wanted.length === 0) return undefined;
      if (member) await widenToTenant(db, scope);
      for (const { job } of wanted) if (job) await enqueue(db, scope, job.name, job.ids);
      const faults: Fault[] = [];
      const now = wanted.filter(({ job }) => !job);
      let written: NewOutgoing[] = [];
      for (let at = 0; at < now.length; at += AT_ONCE) {
        if (written.length > 0) await insertOutgoing(db, scope, written);
        written = await shown(db, scope, now.slice(at, at + AT_ONCE), faults);
      }
      const [first] = faults;
      if (first) logger.error({ ...scope, ...first, count: faults.length }, 'the objects of events could not be shown');
      await faultPoint('event:told');
      const portions = [...portionsOf(written)];
      const last = portions.pop();
      if (!last) return undefined;
      for (const portion of portions) await insertOutgoing(db, scope, portion);
      const done = insertOutgoing(db, scope, last).then(() => undefined);
      done.catch(() => undefined); // who commits awaits it
      return { done };
    },
  };
}

/** Whether the database is asked for the object. */
function mustBeRead({ data }: Told): boolean {
  return data === undefined || typeof data === 'function';
}

/** Of an object that could not be shown. */
interface Fault {
  type: string;
  objectId: string;
  err: unknown;
}

/** An object that cannot be shown is no reason to refuse what has happened to it: it is told without. */
function untold({ type, objectId, actor }: Told, err: unknown, faults: Fault[]): NewOutgoing {
  faults.push({ type, objectId, err });
  return { type, objectId, actor, data: null, leftOut: ['data'] };
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
