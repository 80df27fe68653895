/**
 * The worker's loop of the webhooks: it numbers what was told, and gives the places of senders to endpoints that something
 * is due for, fair among tenants. Nobody waits for another's receiver: docs/specification/webhooks.md#attempts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isLockTimeout } from '../../../db/constraints.ts';
import { webhooksDue } from '../../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Environment, Scope } from '../../../db/scope.ts';
import type { BackgroundLoop, OpenLoop } from '../../../jobs/background-loop.ts';
import { createTurns } from '../../../jobs/fair-turns.ts';
import { sealEvents } from '../log/seal-events.ts';
import type { SendingParts } from './attempt-delivery.ts';
import { takeTurn } from './send-turn.ts';
import { waitBriefly } from './sending-queries.ts';
import { createSlots, type Slots } from './slots.ts';
import type { WriteFrames } from './store-attempts.ts';

const PAUSE_MS = 200;
/** Endpoints that are sent to at once. A sender holds no connection to the database while it waits for an answer. */
const PLACES = 64;
const PLACES_OF_ONE_TENANT = PLACES / 2;
/** Endpoints that fail, or whose last turn was slow, have no more: places stay for the others. */
const PLACES_OF_SLOW = PLACES / 2;
/** An endpoint that another has, or whose row is locked, is left alone for so long. */
const EMPTY_MS = 50;
/** And for so long behind a frame that gave up waiting for a row: most of the time its slot is for others. */
const LOCKED_MS = 400;
const SLOW_FOR_MS = 60_000;
const MOST_DUE = 500;
/** A step waits no longer for what it seals: it goes on by itself. */
const SEAL_MS = 500;
/**
 * Frames at once. Those of a SANDBOX may wait while it is erased, and then only others of a SANDBOX wait with them; the
 * rest of the pool is for sweeps and jobs.
 */
const FRAMES: Readonly<Record<Environment, number>> = { LIVE: 2, SANDBOX: 1 };

export function createSendLoop(parts: SendingParts & { logger: Logger }): BackgroundLoop {
  return { name: 'webhooks', pauseMs: PAUSE_MS, open: (frames, wake) => openSendLoop(parts, frames, wake) };
}

interface Due {
  key: string;
  scope: Scope;
  /** Without one events wait for their numbers. */
  endpointId: string | null;
  /** By what is stored: who failed hours ago is not tried as if it were well. */
  isFailing: boolean;
}

interface Sender {
  tenantId: string;
  isSlow: boolean;
  ended: Promise<void>;
}

function openSendLoop(parts: SendingParts & { logger: Logger }, frames: Frames, wake: () => void): OpenLoop {
  const { logger } = parts;
  const turns = createTurns();
  const slots: Record<Environment, Slots> = { LIVE: createSlots(FRAMES.LIVE), SANDBOX: createSlots(FRAMES.SANDBOX) };
  const shared: WriteFrames = {
    write: (scope, fn, options) =>
      slots[scope.environment].run(scope.tenantId, () =>
        frames.write(scope, async (db) => (await Promise.all([db.rows(waitBriefly()), fn(db)]))[1], options),
      ),
  };
  const senders = new Map<string, Sender>();
  const sealing = new Map<string, Promise<boolean>>();
  /** Until when endpoints count as slow, or as another's, and scopes as locked. */
  const slowUntil = new Map<string, number>();
  const emptyUntil = new Map<string, number>();
  const cut = new AbortController();
  /** The last scope that was named as one with something to seal: the next look begins behind it. */
  let lastNamed: Scope | undefined;
  let isCrowded = false;
  let isEnding = false;

  async function listDue(): Promise<Due[]> {
    forgetPast(slowUntil);
    forgetPast(emptyUntil);
    const behind = { tenantId: lastNamed?.tenantId ?? null, environment: lastNamed?.environment ?? null };
    const rows = await frames.unscoped(webhooksDue({ most: MOST_DUE, ...behind }));
    const due = rows.map((row): Due => {
      const scope = { tenantId: row.tenant_id, environment: row.environment };
      return { key: sealKey(scope) + (row.endpoint_id ?? ''), scope, endpointId: row.endpoint_id, isFailing: row.failing };
    });
    lastNamed = due.findLast(({ endpointId }) => endpointId === null)?.scope;
    const byKey = new Map(due.filter(({ key }) => !emptyUntil.has(key)).map((one) => [one.key, one]));
    const inTurn = turns.order([...byKey.keys()], (key) => byKey.get(key)?.scope.tenantId ?? '');
    return inTurn.flatMap((key) => byKey.get(key) ?? []);
  }

  /** Whether it sealed something. Never rejects. */
  async function seal({ key, scope }: Due): Promise<boolean> {
    try {
      const sealed = await shared.write(scope, (db) => sealEvents(db, scope));
      turns.succeeded(key, scope.tenantId);
      return sealed > 0;
    } catch (error) {
      if (failed({ key, scope }, error)) logger.error({ ...scope, err: error }, 'events are not numbered');
      return false;
    }
  }

  /** Whether that is to be logged. A row that somebody holds for long, as a large replay does, is no fault: it is tried again. */
  function failed({ key, scope: { tenantId } }: Pick<Due, 'key' | 'scope'>, error: unknown): boolean {
    if (!isLockTimeout(error)) return turns.failed(key, tenantId);
    turns.succeeded(key, tenantId);
    emptyUntil.set(key, performance.now() + LOCKED_MS);
    return false;
  }

  /** Whether any of them sealed something in time. */
  async function sealAll(due: readonly Due[]): Promise<boolean> {
    const begun = due.filter(({ key, endpointId }) => endpointId === null && !sealing.has(key)).map(beginSeal);
    if (begun.length === 0) return false;
    const late = new AbortController();
    const all = Promise.all(begun).then((sealed) => sealed.includes(true));
    const inTime = await Promise.race([all, sleep(SEAL_MS, false, { signal: late.signal }).catch(() => false)]);
    late.abort();
    return inTime;
  }

  function beginSeal(one: Due): Promise<boolean> {
    const sealed = seal(one).finally(() => {
      sealing.delete(one.key);
      wake();
    });
    sealing.set(one.key, sealed);
    return sealed;
  }

  const isSlow = ({ key, isFailing }: Due): boolean => isFailing || slowUntil.has(key);

  function hasPlace(due: Due): boolean {
    const { tenantId } = due.scope;
    const own = [...senders.values()].filter((one) => one.tenantId === tenantId).length;
    const slow = [...senders.values()].filter((one) => one.isSlow).length;
    if (isSlow(due) && slow >= PLACES_OF_SLOW) return false;
    // The last place is for a tenant that has none.
    return own === 0 ? senders.size < PLACES : own < PLACES_OF_ONE_TENANT && senders.size < PLACES - 1;
  }

  function start(one: Due, endpointId: string): void {
    const ended = send(one, endpointId).finally(() => {
      senders.delete(one.key);
      wake();
    });
    senders.set(one.key, { tenantId: one.scope.tenantId, isSlow: isSlow(one), ended });
  }

  /** Whether there was a place for one, and none for another. */
  function startAll(due: readonly Due[], isStopping: () => boolean): { started: boolean; left: boolean } {
    const told = { started: false, left: false };
    for (const one of due) {
      if (one.endpointId === null || senders.has(one.key) || emptyUntil.has(one.key) || isStopping()) continue;
      if (hasPlace(one)) {
        start(one, one.endpointId);
        told.started = true;
      } else told.left = true;
    }
    return told;
  }

  async function send({ key, scope }: Due, endpointId: string): Promise<void> {
    const started = performance.now();
    const life = { isCrowded: () => isCrowded, isEnding: () => isEnding, signal: cut.signal };
    try {
      const turn = await takeTurn({ ...parts, frames: shared, life }, scope, endpointId);
      turns.succeeded(key, scope.tenantId);
      slowUntil.delete(key);
      if (!turn) emptyUntil.set(key, performance.now() + EMPTY_MS);
      else {
        if (turn.isSlow) slowUntil.set(key, performance.now() + SLOW_FOR_MS);
        const { delivered, failed } = turn;
        const ms = Math.round(performance.now() - started);
        logger.info({ ...scope, endpointId, delivered, failed, ms }, 'webhooks sent');
      }
    } catch (error) {
      if (failed({ key, scope }, error)) logger.error({ ...scope, endpointId, err: error }, 'webhooks cannot be sent');
    }
  }

  return {
    async step(isStopping) {
      const due = await listDue();
      const sealed = sealAll(due);
      // While a scope is sealed the rows of its endpoints are locked, and whoever would take one goes away with nothing.
      const isSealed = ({ scope }: Due): boolean => sealing.has(sealKey(scope));
      const now = startAll(
        due.filter((one) => !isSealed(one)),
        isStopping,
      );
      const hasSealed = await sealed;
      const behind = startAll(
        due.filter((one) => !senders.has(one.key)),
        isStopping,
      );
      isCrowded = behind.left;
      return hasSealed || now.started || behind.started;
    },
    async idle() {
      isEnding = true;
      while (senders.size + sealing.size > 0) {
        await Promise.all([...[...senders.values()].map(({ ended }) => ended), ...sealing.values()]);
      }
    },
    abort: () => cut.abort(new Error('the worker was stopped before the turn was done')),
  };
}

/** The key of an endpoint without the endpoint. */
function sealKey({ tenantId, environment }: Scope): string {
  return `${tenantId} ${environment} `;
}

function forgetPast(until: Map<string, number>): void {
  for (const [key, at] of until) if (at <= performance.now()) until.delete(key);
}
