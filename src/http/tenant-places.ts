/**
 * How many requests of a tenant a process works on at once. Who is above it waits in a line of its own tenant, so a
 * flood of one tenant takes neither the event loop nor the database connections from the others.
 * Source: docs/specification/conventions.md#places.
 */
import type { Response } from 'express';
import type { Holder } from '../apart.ts';
import type { Environment } from '../db/scope.ts';
import { AppError } from '../errors.ts';

/**
 * Uploads, which go on for as long as their senders do, have places of their own: requests never wait for one. So do
 * pages, and widgets: a person does not wait behind a flood of the tenant's own keys or of its members.
 */
export type PlaceKind = 'request' | 'upload' | 'page' | 'widget';

export interface Place extends Holder {
  /** Whether it was waited for. */
  readonly waited: boolean;
  /** Gives the place to the next in line; again it does nothing. Who is apart comes back ahead of the line. */
  leave(): void;
}

export interface TenantPlaces {
  /**
   * Resolves when there is a place, first come, first served within the tenant's environment; undefined when the client
   * has gone by then. RATE_LIMITED when too many wait already, and after ten seconds in line.
   */
  take(scope: { tenantId: string; environment: Environment }, kind: PlaceKind, res: Response): Promise<Place | undefined>;
  /** What of all tenants is worked on and waits now, and how many were turned away since the start. */
  stats(): { running: number; waiting: number; refused: number };
}

const LONGEST_WAIT_MS = 10_000;
/** A request that takes longer leaves its place to a quick one, while there are few such. */
const LONG_MS = 200;
/** A tenant beside which nobody else has asked for so long has the process for itself. */
const ALONE_MS = 60_000;
/** The places of such a tenant: more made no more answers a second. */
const ALONE_FACTOR = 6;

type Admit = () => void;

interface Line {
  tenantId: string;
  running: number;
  /** Of those that take long, which have no place of `running`. */
  long: number;
  /** Who had a place before, ahead of the others. */
  returning: Admit[];
  waiting: Admit[];
}

export interface PlacesOptions {
  /** Requests of a tenant's environment that are worked on at once. */
  atOnce: number;
  /** How many more wait. */
  inLine: number;
  longestWaitMs?: number;
  longMs?: number;
  aloneMs?: number;
}

export function createTenantPlaces({
  atOnce,
  inLine,
  longestWaitMs = LONGEST_WAIT_MS,
  longMs = LONG_MS,
  aloneMs = ALONE_MS,
}: PlacesOptions): TenantPlaces {
  const lines = new Map<string, Line>();
  const company = watchCompany(aloneMs);
  let refused = 0;

  function lineOf(tenantId: string, name: string): Line {
    const known = lines.get(name);
    if (known) return known;
    const line: Line = { tenantId, running: 0, long: 0, returning: [], waiting: [] };
    lines.set(name, line);
    return line;
  }

  function isFree({ running, tenantId }: Line): boolean {
    return running < (company.isAlone(tenantId) ? ALONE_FACTOR * atOnce : atOnce);
  }

  function free(name: string, line: Line): void {
    line.running -= 1;
    while (isFree(line)) {
      const next = line.returning.shift() ?? line.waiting.shift();
      if (!next) break;
      line.running += 1;
      next();
    }
    drop(name, line);
  }

  function drop(name: string, line: Line): void {
    if (line.running === 0 && line.long === 0 && lines.get(name) === line) lines.delete(name);
  }

  function refusal(kind: PlaceKind): AppError {
    refused += 1;
    const what = kind === 'upload' ? 'uploads' : 'requests';
    return new AppError(
      'RATE_LIMITED',
      `Too many ${what} of the tenant's keys of this environment at once; retry after 1 second`,
      {
        retryAfterSeconds: 1,
        details: { limit: 'concurrency' },
      },
    );
  }

  /** False when the client has gone. */
  function wait(line: Line, kind: PlaceKind, res: Response): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const over = (): void => {
        clearTimeout(timer);
        res.off('close', gone);
      };
      const admit = (): void => {
        over();
        resolve(true);
      };
      const giveUp = (): void => {
        over();
        line.waiting.splice(line.waiting.indexOf(admit), 1);
      };
      const gone = (): void => {
        giveUp();
        resolve(false);
      };
      const timer = setTimeout(() => {
        giveUp();
        reject(refusal(kind));
      }, longestWaitMs).unref();
      res.once('close', gone);
      line.waiting.push(admit);
    });
  }

  function held(name: string, line: Line, waited: boolean): Place {
    let state: 'held' | 'long' | 'apart' | 'left' = 'held';
    let timer = watchLength();
    const hasLeft = (): boolean => state === 'left';

    function watchLength(): NodeJS.Timeout {
      return setTimeout(() => {
        if (line.long >= atOnce) {
          timer.refresh();
          return;
        }
        state = 'long';
        line.long += 1;
        free(name, line);
      }, longMs).unref();
    }

    /** Of either kind. */
    function giveUp(next: 'apart' | 'left'): void {
      clearTimeout(timer);
      const wasLong = state === 'long';
      state = next;
      if (wasLong) {
        line.long -= 1;
        drop(name, line);
      } else free(name, line);
    }

    async function comeBack(): Promise<void> {
      const { returning } = ownLine();
      if (isFree(line)) line.running += 1;
      else await new Promise<void>((admit) => returning.push(admit));
    }

    /** A line that nobody was in has been dropped, and perhaps begun anew. */
    function ownLine(): Line {
      lines.set(name, lines.get(name) ?? line);
      line = lines.get(name) ?? line;
      return line;
    }

    return {
      waited,
      leave() {
        if (state === 'held' || state === 'long') giveUp('left');
        state = 'left';
      },
      isContested: () => state === 'held' && line.waiting.length > 0 && !company.isAlone(line.tenantId),
      async inTurn(letBy, work) {
        const own = ownLine();
        if (own.waiting.length === 0 && isFree(own)) own.running += 1;
        else await new Promise<void>((admit) => own.waiting.splice(letBy, 0, admit));
        const place = held(name, own, true);
        try {
          return await work();
        } finally {
          place.leave();
        }
      },
      async apart(work) {
        if (state === 'apart' || state === 'left') return work();
        giveUp('apart');
        try {
          return await work();
        } finally {
          if (!hasLeft()) {
            await comeBack();
            if (hasLeft()) free(name, line);
            else {
              state = 'held';
              timer = watchLength();
            }
          }
        }
      },
    };
  }

  return {
    async take({ tenantId, environment }, kind, res) {
      const name = `${tenantId}:${environment}:${kind}`;
      const line = lineOf(tenantId, name);
      company.note(tenantId);
      if (line.waiting.length === 0 && isFree(line)) {
        line.running += 1;
        return held(name, line, false);
      }
      if (line.waiting.length >= inLine) throw refusal(kind);
      return (await wait(line, kind, res)) ? held(name, line, true) : undefined;
    },

    stats() {
      let running = 0;
      let waiting = 0;
      for (const line of lines.values()) {
        running += line.running + line.long;
        waiting += line.waiting.length + line.returning.length;
      }
      return { running, waiting, refused };
    },
  };
}

interface Company {
  note(tenantId: string): void;
  isAlone(tenantId: string): boolean;
}

/** The two tenants that asked last tell of each whether another did. */
function watchCompany(aloneMs: number): Company {
  let last = { tenantId: '', at: Number.NEGATIVE_INFINITY };
  let before = last;
  return {
    note(tenantId) {
      if (last.tenantId !== tenantId) before = last;
      last = { tenantId, at: performance.now() };
    },
    isAlone(tenantId) {
      const other = last.tenantId === tenantId ? before : last;
      return performance.now() - other.at > aloneMs;
    },
  };
}
