/**
 * The bounded search: every sequence of moves, breadth first. A sequence goes on only where its last move changed what has
 * a bearing on money, and only from the first of those that stand equal. What was refused must have changed nothing.
 */
import { createDice } from '../../../seeds/demo-shop-dice.ts';
import type { Scope } from '../../../src/db/scope.ts';
import type { TestApp } from '../app/test-app.ts';
import { listTenantTables } from '../database/walls.ts';
import { plantDocument } from '../kyc/kyc-records.ts';
import { COMPLETE_PROFILE } from '../payments/payout-accounts.ts';
import type { PayoutVendorDouble } from '../payments/payout-vendor-double.ts';
import { startPayouts } from '../payments/payout-world.ts';
import { type HandsWorld, openHandsWorld, pass } from './hands-world.ts';
import { judge } from './judge.ts';
import { type Move, type Props, type Site, startsPayouts } from './moves.ts';
import { type HandsPeople, keyOfPerson, plantHandsPeople } from './people.ts';
import { type Copies, prepareCopies } from './world-copies.ts';
import { createStateReader, type Standing, type State, type StateReader } from './world-state.ts';

export interface Ground {
  world: HandsWorld;
  people: HandsPeople;
  props: Props;
  copies: Copies;
  reader: StateReader;
  /** What is made otherwise in each copy before anything is played: the statement has the tenant as $1. */
  altered?: string;
}

export interface Found {
  sequence: string[];
  what: string;
}

export interface SearchResult {
  /** By depth, from 1: sequences that were open, those of them that were played, and states that were met for the first time. */
  depths: { open: number; played: number; states: number }[];
  found: Found[];
  /** The statuses of each move's answers, over the whole search. */
  answers: Map<string, Set<number>>;
  /** Pairs of moves that do not commute. */
  interfering: number;
}

export async function prepareGround(app: TestApp, vendor: PayoutVendorDouble, settings: object = {}): Promise<Ground> {
  let people: HandsPeople | undefined;
  const world = await openHandsWorld(app, vendor, settings, async (_app, scopeOfWorld) => {
    people = await plantHandsPeople(app, scopeOfWorld);
    return keyOfPerson(app, people.first);
  });
  if (!people) throw new Error('there are no people');
  const { scope, bob, first } = world;
  const props = await plantProps(app, scope, world);
  await pass(first.client.patch(`/api/v1/members/${bob.id}/profile`, { ...COMPLETE_PROFILE, givenName: 'Bob' }));
  const copies = await prepareCopies(app, scope, [world.first.keyId, world.firstsOwn.keyId, world.second.keyId]);
  const tables = await listTenantTables(app.database);
  const known = new Set<string>();
  for (const table of tables) {
    const rows = await app.database.asSuperuser<{ row: string }>(`select t::text as row from ${table} t where tenant_id = $1`, [
      scope.tenantId,
    ]);
    for (const { row } of rows) for (const [id] of row.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)) known.add(id);
  }
  return {
    world,
    people,
    props,
    copies,
    reader: createStateReader(app, tables, known, world.second.keyId, people.first.staffId),
  };
}

async function plantProps(app: TestApp, scope: Scope, { first, bob }: HandsWorld): Promise<Props> {
  const sql = app.database.asSuperuser;
  const { tenantId } = scope;
  const plans = (await pass(first.client.get('/api/v1/commission-plans'))).body.data as { id: string }[];
  const [provider] = await sql<{ id: string }>(
    `insert into auth_provider (tenant_id, environment, provider_id, issuer_url, jwks_uri, allowed_audiences, auto_create_users, trust_email)
     values ($1, 'LIVE', 'known', $2, $3, '{app}', true, false) returning id`,
    [tenantId, app.issuer.issuerUrl, app.issuer.jwksUri],
  );
  const [identity] = await sql<{ id: string }>(
    `insert into member_identity (tenant_id, environment, auth_provider_id, subject, member_id)
     values ($1, 'LIVE', $2, 'bob', $3) returning id`,
    [tenantId, provider?.id, bob.id],
  );
  const [record] = await sql<{ id: string }>('select id from kyc_record where tenant_id = $1 and member_id = $2', [
    tenantId,
    bob.id,
  ]);
  const kycId = record?.id ?? '';
  return {
    planId: plans[0]?.id ?? '',
    authProviderId: provider?.id ?? '',
    identityId: identity?.id ?? '',
    kycId,
    documentId: (await plantDocument(app, scope, kycId, 'selfie')).id,
    rate: { source: 'EUR', target: 'USD' },
    issuerUrl: app.issuer.issuerUrl,
    vendorHost: app.issuer.server.host,
  };
}

const scopeOf = (site: Site): Scope => ({ tenantId: site.copy.tenantId, environment: 'LIVE' });

async function openSite({ world, people, props, copies, altered }: Ground): Promise<Site> {
  const made: Site['made'] = {
    keys: [],
    runs: [],
    payouts: [],
    accounts: [],
    pending: [],
    plans: [],
    views: [],
    joined: [],
    taken: [],
  };
  const copy = await copies.make();
  if (altered !== undefined) await world.app.database.asSuperuser(altered, [copy.tenantId]);
  return { baseUrl: world.app.baseUrl, world, people, props, copies, copy, made };
}

/** What stands when all that is due was carried out. */
async function settled(ground: Ground, site: Site): Promise<State> {
  const state = await ground.reader.read(site.copy.tenantId);
  const executing = new Set((state['payout_run'] ?? []).filter((run) => run['status'] === 'executing').map((run) => run['id']));
  const due = (state['payout'] ?? []).some((one) => one['status'] === 'queued' && executing.has(one['payout_run_id']));
  const again = (state['payout'] ?? []).some((one) => one['status'] === 'queued' && one['execute_at'] !== null);
  if (!due && !again) return state;
  await startPayouts(ground.world.app, scopeOf(site));
  return ground.reader.read(site.copy.tenantId);
}

export interface SearchOptions {
  /** Sequences up to so many moves. */
  depth: number;
  /** Up to this length all moves are tried behind each sequence; behind longer ones those that hang together with it. */
  whole: number;
  /** What sequences longer than `whole` are made of; all unless it is given. */
  matters?: (move: Move) => boolean;
  moneyAlone?: boolean;
  /** By length: that of this length not all sequences are tried, but so many at most, drawn by the seed. */
  drawn?: { atMost: Readonly<Record<number, number>>; seed: number };
  /** Told after each length. */
  tell?: (line: string) => void;
}

interface Node {
  sequence: readonly Move[];
  standing: Standing;
}

/** What a move did behind a sequence. */
interface Outcome {
  move: Move;
  /** Status and the fields that it changed, as text. */
  effect: string;
}

interface Expansion {
  played: number;
  children: Node[];
  found: Found[];
  outcomes: Outcome[];
}

const LANES = 4;

export async function search(ground: Ground, moves: readonly Move[], options: SearchOptions): Promise<SearchResult> {
  const { depth, whole, matters = () => true, moneyAlone = false, drawn, tell = () => undefined } = options;
  const answers = new Map<string, Set<number>>();
  const result: SearchResult = { depths: [], found: [], answers, interfering: 0 };

  async function reach(sequence: readonly Move[]): Promise<Site> {
    const site = await openSite(ground);
    for (const [index, move] of sequence.entries()) {
      const answer = await move.play(site);
      if (answer === undefined || answer.status >= 400) {
        const names = namesOf(sequence.slice(0, index + 1)).join(', ');
        throw new Error(`${names}: not as the first time: ${answer?.status} ${answer?.text}`);
      }
      if (startsPayouts(move)) await settled(ground, site);
    }
    return site;
  }

  async function expand({ sequence, standing }: Node, tried: readonly Move[]): Promise<Expansion> {
    const expansion: Expansion = { played: 0, children: [], found: [], outcomes: [] };
    if (tried.length === 0) return expansion;
    let site = await reach(sequence);
    let untouched = true;
    const fail = (what: string, ...last: Move[]) => expansion.found.push({ sequence: namesOf([...sequence, ...last]), what });
    for (const move of tried) {
      const answer = await move.play(site);
      if (answer === undefined) continue;
      const { status, text } = answer;
      expansion.played += 1;
      answers.set(move.name, (answers.get(move.name) ?? new Set()).add(status));
      if (status >= 500) fail(`answered ${status} ${text}`, move);
      if (status >= 400) {
        untouched = false;
        expansion.outcomes.push({ move, effect: `${status}` });
        continue;
      }
      const state = await settled(ground, site);
      const after = ground.reader.standing(state);
      expansion.outcomes.push({ move, effect: `${status} ${difference(standing.lines, after.lines)}` });
      if (after.digest === standing.digest) continue;
      const what = judge(ground, site, state, { moneyAlone });
      if (what !== undefined) fail(what, move);
      else expansion.children.push({ sequence: [...sequence, move], standing: after });
      untouched = true;
      // Nothing is played behind the last.
      if (move === tried.at(-1)) return expansion;
      site = await reach(sequence);
    }
    if (!untouched && ground.reader.standing(await settled(ground, site)).digest !== standing.digest) {
      fail('something that was refused behind it changed something');
    }
    return expansion;
  }

  const start = await openSite(ground);
  const standing = ground.reader.standing(await settled(ground, start));
  const met = new Set([standing.digest]);
  const hang = new Interference();
  let level: Node[] = [{ sequence: [], standing }];
  for (let length = 1; length <= depth; length += 1) {
    const open = length <= whole ? moves : moves.filter(matters);
    const tasks = level.map((node) => ({
      node,
      tried: open.filter((move) => length <= whole || hang.joins(node.sequence, move)),
    }));
    const tried = drawn === undefined ? tasks : draw(tasks, drawn.atMost[length], drawn.seed);
    const expansions = await inLanes(tried, LANES, (task) => expand(task.node, task.tried));
    const next: Node[] = [];
    let states = 0;
    for (const [index, { children, found, outcomes }] of expansions.entries()) {
      result.found.push(...found);
      if (length <= 2) hang.learn(tried[index]?.node.sequence[0], outcomes);
      for (const child of children) {
        if (met.has(child.standing.digest)) continue;
        met.add(child.standing.digest);
        states += 1;
        if (length < whole || child.sequence.every(matters)) next.push(child);
      }
    }
    if (length === 2) result.interfering = hang.settle();
    const played = expansions.reduce((sum, one) => sum + one.played, 0);
    result.depths.push({ open: sizeOf(tasks), played, states });
    tell(
      `${length}: of ${sizeOf(tasks)} ${sizeOf(tried)} tried, ${played} played, ${states} new; ${Math.round(performance.now() / 1000)} s, ${Math.round(process.cpuUsage().user / 1e6)} s of the processor so far`,
    );
    level = next;
  }
  return result;
}

interface Task {
  node: Node;
  tried: readonly Move[];
}

const sizeOf = (tasks: readonly Task[]): number => tasks.reduce((sum, { tried }) => sum + tried.length, 0);

/** Those that the seed draws, in their order: whole tasks, for what is refused costs no new world. */
function draw(tasks: readonly Task[], atMost = Number.POSITIVE_INFINITY, seed: number): readonly Task[] {
  if (sizeOf(tasks) <= atMost) return tasks;
  const dice = createDice(seed);
  const byChance = tasks.map((task, index) => ({ task, index, rank: dice.next() })).toSorted((a, b) => a.rank - b.rank);
  let left = atMost;
  const taken = byChance.filter(({ task }) => {
    if (task.tried.length > left) return false;
    left -= task.tried.length;
    return true;
  });
  return taken.toSorted((a, b) => a.index - b.index).map(({ task }) => task);
}

/**
 * Which moves do not commute: one answers otherwise behind the other, or does something else, than at the start. It is
 * learned from all sequences of two, but of a move that cannot be played behind one alone, which says what it uses; moves that commute there are taken to commute behind others, too.
 */
class Interference {
  readonly #alone = new Map<Move, string>();
  readonly #pairs = new Map<Move, Set<Move>>();
  readonly #behind: { first: Move; outcomes: Outcome[] }[] = [];

  learn(first: Move | undefined, outcomes: Outcome[]): void {
    if (first) this.#behind.push({ first, outcomes });
    else for (const { move, effect } of outcomes) this.#alone.set(move, effect);
  }

  /** Returns how many pairs interfere. */
  settle(): number {
    let pairs = 0;
    for (const { first, outcomes } of this.#behind) {
      for (const { move, effect } of outcomes) {
        if (this.#alone.get(move) === effect || this.interferes(first, move)) continue;
        pairs += 1;
        for (const [one, other] of [
          [first, move],
          [move, first],
        ] as const) {
          this.#pairs.set(one, (this.#pairs.get(one) ?? new Set()).add(other));
        }
      }
    }
    return pairs;
  }

  interferes(one: Move, other: Move): boolean {
    if (one === other || this.#pairs.get(one)?.has(other) === true) return true;
    return one.uses.includes(other.operationId ?? '') || other.uses.includes(one.operationId ?? '');
  }

  /** Whether a sequence hangs together with this as its last move: of parts that do not, each is a shorter sequence. */
  joins(sequence: readonly Move[], last: Move): boolean {
    const left = new Set(sequence);
    const reached = [last];
    for (let one = reached.pop(); one; one = reached.pop()) {
      for (const other of left) {
        if (!this.interferes(one, other)) continue;
        left.delete(other);
        reached.push(other);
      }
    }
    return left.size === 0;
  }
}

function difference(before: ReadonlySet<string>, after: ReadonlySet<string>): string {
  const gone = [...before].filter((line) => !after.has(line)).map((line) => `- ${line}`);
  const come = [...after].filter((line) => !before.has(line)).map((line) => `+ ${line}`);
  return [...gone, ...come].toSorted().join('\n');
}

const namesOf = (sequence: readonly Move[]): string[] => sequence.map(({ name }) => name);

/** The results are in the order of the items, however the lanes run. */
async function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      if (item !== undefined) results[at] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
