/**
 * Coalescing of concurrent requests: most of what a statement costs PostgreSQL it costs once, for one row as for sixteen,
 * so what has to wait anyway is done together. Each name has a few lanes. A lane that is free takes who comes first, alone;
 * while none is free those who come wait, and the next free lane takes them as a batch. No lane waits for company. Where
 * others wait for the place that a request has, it shares a turn with those of them who want the same.
 * Source: docs/decisions/0037-coalesced-purchases.md.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { apart, currentHolder, type Holder } from '../../../../apart.ts';

/** What became of one of a batch: its result, a refusal of its own, or that it has to be done alone. */
export type Outcome<Result> = { result: Result } | { refused: unknown } | 'alone';

export interface Lanes<Item, Result> {
  /** Does the item in a batch, or by `alone`. Throws what either throws. */
  run(name: string, item: Item, alone: () => Promise<Result>): Promise<Result>;
}

export interface LanesOptions<Item, Result> {
  /** Of one name. */
  lanes: number;
  /** So many are the most of a batch. */
  most: number;
  /** So many are the most of a batch in a turn of the tenant's places. */
  mostOfTurn: number;
  /** No two of a batch have one in common. Who comes while another has one goes alone at once: it does not wait for a lane. */
  keysOf(item: Item): readonly string[];
  /** Does all of them in one; outcomes in their order. When it throws, each is done alone. */
  work(items: readonly Item[]): Promise<readonly Outcome<Result>[]>;
  /** In tests: a lane waits so long for company, and one alone is a batch, too. */
  lingerMs?: number | undefined;
  /** How long a name goes without batches behind one of which all had to be done alone. */
  restMs?: number;
  longMs?: number;
}

/** So many of those who wait for a place go ahead of a turn. One for those whom the turn before left lets by no more than it holds. */
const LET_BY = 16;
const REST_MS = 5_000;
/** Who takes longer alone, as one that waits for a lock, leaves its lane to the next, while there are few such. */
const LONG_MS = 200;

type Settled<Result> = Outcome<Result> | 'alone in the lane';

interface Waiting<Item, Result> {
  item: Item;
  /** What its request holds, or held until it began to wait for a turn. */
  holder: Holder | undefined;
  /** Holds it while it waits: it must not wait for a turn, which may wait for what it holds. */
  keeps: boolean;
  settle(outcome: Settled<Result>): void;
}

interface Line<Item, Result> {
  /** Lanes that are taken. */
  taken: number;
  /** So many are done alone for long, and have left their lanes. */
  long: number;
  /** Those who wait share the tenant's turns. No lane takes them, but where one of them keeps its place. */
  sharesTurns: boolean;
  waiting: Waiting<Item, Result>[];
  /** Of all that wait or are being done. */
  keys: Set<string>;
  restsUntil: number;
}

export function createLanes<Item, Result>({
  lanes,
  most,
  mostOfTurn,
  keysOf,
  work,
  lingerMs,
  restMs = REST_MS,
  longMs = LONG_MS,
}: LanesOptions<Item, Result>): Lanes<Item, Result> {
  const lines = new Map<string, Line<Item, Result>>();
  // A batch is of several requests: it must not run as a part of the one that happens to begin it.
  const outside = AsyncLocalStorage.snapshot();

  function lineOf(name: string): Line<Item, Result> {
    const known = lines.get(name);
    if (known) return known;
    const line: Line<Item, Result> = { taken: 0, long: 0, sharesTurns: false, waiting: [], keys: new Set(), restsUntil: 0 };
    lines.set(name, line);
    return line;
  }

  function drop(name: string, line: Line<Item, Result>): void {
    const isIdle = line.taken === 0 && line.keys.size === 0 && line.restsUntil < performance.now();
    if (isIdle && lines.get(name) === line) lines.delete(name);
  }

  /** Gives the lanes that are free to those who wait. */
  function fill(name: string, line: Line<Item, Result>): void {
    const mayTake = (): boolean => !line.sharesTurns || line.waiting.some(({ keeps }) => keeps);
    while (line.taken < lanes && line.waiting.length > 0 && mayTake()) {
      line.taken += 1;
      const [first, second] = line.waiting;
      if (first && !second && lingerMs === undefined) {
        line.waiting = [];
        first.settle('alone in the lane');
      } else {
        outside(() => void run(name, line));
        if (lingerMs !== undefined) break;
      }
    }
  }

  async function run(name: string, line: Line<Item, Result>): Promise<void> {
    if (lingerMs !== undefined) await sleep(lingerMs);
    const batch = line.waiting.splice(0, most);
    if (batch.length > 0) await settleAll(line, batch);
    free(name, line);
  }

  /** A batch of so many at least that has to be done alone altogether gives the name a rest. */
  async function settleAll(line: Line<Item, Result>, batch: readonly Waiting<Item, Result>[], tells = 1): Promise<void> {
    const outcomes = await work(batch.map(({ item }) => item)).catch(() => undefined);
    const isVain = batch.length >= tells && outcomes?.every((outcome) => outcome === 'alone');
    if (isVain) line.restsUntil = performance.now() + restMs;
    for (const [n, { settle }] of batch.entries()) settle(outcomes?.[n] ?? 'alone');
  }

  /** One behind the other, until nobody waits. */
  async function shareTurns(name: string, line: Line<Item, Result>, holder: Holder): Promise<void> {
    if (line.sharesTurns) return;
    line.sharesTurns = true;
    for (let first = true; line.waiting.length > 0; first = false) {
      await holder.inTurn(first ? LET_BY : mostOfTurn, () => doTurn(line));
    }
    line.sharesTurns = false;
    drop(name, line);
  }

  async function doTurn(line: Line<Item, Result>): Promise<void> {
    const batch: Waiting<Item, Result>[] = [];
    await Promise.all(
      line.waiting.splice(0, mostOfTurn).map(async (one) => {
        try {
          await one.holder?.stillMay?.();
          batch.push(one);
        } catch (refused) {
          one.settle({ refused });
        }
      }),
    );
    const [first, second] = batch;
    if (first && !second) first.settle('alone');
    else if (first) await settleAll(line, batch, mostOfTurn);
  }

  function free(name: string, line: Line<Item, Result>): void {
    line.taken -= 1;
    fill(name, line);
    drop(name, line);
  }

  /** The lane of one that is done alone; to be called once it is. */
  function held(name: string, line: Line<Item, Result>): () => void {
    let isLong = false;
    const timer = setTimeout(() => {
      if (line.long >= lanes) return;
      isLong = true;
      line.long += 1;
      free(name, line);
    }, longMs).unref();
    return () => {
      clearTimeout(timer);
      if (isLong) line.long -= 1;
      else free(name, line);
    };
  }

  return {
    async run(name, item, alone) {
      const line = lineOf(name);
      const keys = keysOf(item);
      const rests = lingerMs === undefined && line.restsUntil > performance.now();
      if (rests || keys.some((key) => line.keys.has(key))) return alone();
      for (const key of keys) line.keys.add(key);
      const holder = currentHolder();
      const joins = (keeps: boolean): Promise<Settled<Result>> =>
        new Promise((settle) => line.waiting.push({ item, holder, keeps, settle }));
      const waits = (keeps: boolean): Promise<Settled<Result>> => {
        const settled = joins(keeps);
        fill(name, line);
        return settled;
      };
      const isFull = (): boolean => line.waiting.length >= lanes * most;
      const isShort = (): boolean => lingerMs === undefined && (line.sharesTurns || holder?.isContested() === true);
      // Who waits for a lane holds no place meanwhile, unless too many wait; who is done alone has one, as ever.
      const takesLane = (): Promise<Settled<Result>> =>
        line.taken < lanes || isFull() ? waits(true) : apart(() => waits(false));
      const takesTurn = async (): Promise<Settled<Result>> => {
        // Where too many wait, the place of who comes is a turn of theirs first.
        while (isFull()) await outside(doTurn, line);
        if (!isShort()) return takesLane();
        const settled = joins(false);
        if (holder) void outside(shareTurns, name, line, holder);
        return apart(() => settled);
      };
      try {
        const outcome = await (isShort() ? takesTurn() : takesLane());
        if (outcome === 'alone') return await alone();
        if (outcome === 'alone in the lane') return await alone().finally(held(name, line));
        if ('refused' in outcome) throw outcome.refused;
        return outcome.result;
      } finally {
        for (const key of keys) line.keys.delete(key);
        drop(name, line);
      }
    },
  };
}
