/**
 * The shops of a trial: clients that buy, refund, join, move and read, as many a second as they are told; each write has an
 * Idempotency-Key and is sent again until it is answered. They keep what was acknowledged, to be looked for afterwards.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.ts';

export interface Tenant {
  tenantId: string;
  liveKey: string;
  sandboxKey: string;
}

export type Acknowledged =
  | { kind: 'member' | 'lead' | 'link' | 'refund'; tenantId: string; name: string; id: string }
  | { kind: 'purchase'; tenantId: string; name: string; id: string; lines: number }
  /** All moves of one member; `id` is the sponsor it was moved to last. */
  | { kind: 'moves'; tenantId: string; name: string; id: string; moves: number };

interface Member {
  id: string;
  referral_code: string;
}

export interface Shop {
  /** Since the last call, and what was refused that should not have been. */
  take(): { acknowledged: Acknowledged[]; odd: string[] };
  /** One action, whichever comes up, until it is answered. */
  act(): Promise<void>;
  /** Whether every write that was sent has been answered. */
  open(): number;
}

const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];
const RECENT = 400;

export async function openShop(caller: Caller, tenant: Tenant, clientName: string): Promise<Shop> {
  const { tenantId, liveKey: key } = tenant;
  const members: Member[] = [];
  const movable: { id: string; under: string; moves: number }[] = [];
  const purchases: { name: string; amountMinor: number; id: string }[] = [];
  let acknowledged: Acknowledged[] = [];
  let moved = new Map<string, Acknowledged & { kind: 'moves' }>();
  let odd: string[] = [];
  let open = 0;
  let count = 0;
  const fresh = (kind: string): string => `${kind}-${clientName}-${++count}-${randomUUID().slice(0, 8)}`;

  async function write<Body>(path: string, body: object, good: readonly number[]): Promise<Body | undefined> {
    open++;
    try {
      const { status, json, text } = await caller.send({ method: 'POST', path, key, body, idempotencyKey: randomUUID() });
      if (good.includes(status)) return json as Body;
      odd.push(`POST ${path} ${status} ${text.slice(0, 200)}`);
      return undefined;
    } finally {
      open--;
    }
  }

  async function read(path: string): Promise<void> {
    const { status, text } = await caller.send({ method: 'GET', path, key });
    if (status !== 200) odd.push(`GET ${path} ${status} ${text.slice(0, 200)}`);
  }

  /** Those who joined first stay and sponsor; every other later one may be moved under another of them. */
  async function join(): Promise<void> {
    const sponsor = members.length < 12 ? members.at(-1) : pick(members);
    const name = fresh('member');
    const body = {
      email: `${name}@trial.example`,
      external_id: name,
      membership_tier: 'DIRECTOR',
      ...(sponsor && { parent_id: sponsor.id }),
    };
    const member = await write<Member>('/api/v1/users', body, [201]);
    if (!member) return;
    acknowledged.push({ kind: 'member', tenantId, name, id: member.id });
    if (members.length < 12) members.push(member);
    else if (sponsor) {
      movable.push({ id: member.id, under: sponsor.id, moves: 0 });
      if (movable.length > RECENT) movable.shift();
    }
  }

  /** Nobody else moves the member meanwhile, for it is taken out of the list. */
  async function move(): Promise<void> {
    const member = movable.shift();
    const sponsor = pick(members.filter(({ id }) => id !== member?.under));
    if (!member || !sponsor) return join();
    const done = await write(`/api/v1/members/${member.id}/sponsor`, { sponsorId: sponsor.id }, [200]);
    if (done === undefined) return;
    const next = { id: member.id, under: sponsor.id, moves: member.moves + 1 };
    movable.push(next);
    moved.set(member.id, { kind: 'moves', tenantId, name: member.id, id: sponsor.id, moves: next.moves });
  }

  async function buy(): Promise<void> {
    const name = fresh('order');
    const amountMinor = 1_000 + Math.floor(Math.random() * 90_000);
    const seller = pick(members);
    const attribution = Math.random() < 0.5 ? { user_id: seller?.id } : { referral_code: seller?.referral_code };
    const body = {
      external_event_id: name,
      amount_minor: amountMinor,
      currency: 'USD',
      customer: { external_id: `by-${name}` },
      attribution,
    };
    const receipt = await write<{ event_id: string; commissions: unknown[] }>('/api/v1/events/purchase', body, [201]);
    if (!receipt) return;
    acknowledged.push({ kind: 'purchase', tenantId, name, id: receipt.event_id, lines: receipt.commissions.length });
    purchases.push({ name, amountMinor, id: receipt.event_id });
    if (purchases.length > RECENT) purchases.shift();
  }

  async function refund(): Promise<void> {
    const purchase = purchases.shift();
    if (!purchase) return buy();
    const name = fresh('refund');
    const body = {
      external_event_id: name,
      purchase_external_event_id: purchase.name,
      amount_minor: Math.ceil(purchase.amountMinor / 2),
    };
    const receipt = await write<{ event_id: string }>('/api/v1/events/refund', body, [201]);
    if (receipt) acknowledged.push({ kind: 'refund', tenantId, name, id: receipt.event_id });
  }

  async function capture(): Promise<void> {
    const name = fresh('lead');
    const body = { email: `${name}@trial.example`, referral_code: pick(members)?.referral_code };
    const lead = await write<{ id: string }>('/api/v1/leads/capture', body, [201]);
    if (lead) acknowledged.push({ kind: 'lead', tenantId, name: `${name}@trial.example`, id: lead.id });
  }

  async function link(): Promise<void> {
    const name = `https://shop.example/${fresh('link')}`;
    const made = await write<{ id: string }>(
      '/api/v1/referrals/links',
      { user_id: pick(members)?.id, destination_url: name },
      [201],
    );
    if (made) acknowledged.push({ kind: 'link', tenantId, name, id: made.id });
  }

  /** What was acknowledged must be there: a 404 is a loss. */
  async function look(): Promise<void> {
    const member = pick(members)?.id;
    const purchase = pick(purchases)?.id;
    const paths = [
      `/api/v1/users/status?user_id=${member}`,
      `/api/v1/members/${member}/genealogy?depth=1`,
      `/api/v1/users?limit=20`,
      ...(purchase === undefined ? [] : [`/api/v1/events/${purchase}`]),
      `/api/v1/members/${member}/upline`,
    ];
    await read(pick(paths) ?? '');
  }

  const MIX: [share: number, run: () => Promise<void>][] = [
    [35, buy],
    [8, refund],
    [10, join],
    [8, capture],
    [5, move],
    [2, link],
    [32, look],
  ];
  const total = MIX.reduce((sum, [share]) => sum + share, 0);

  while (members.length < 12) await join();

  return {
    async act() {
      let drawn = Math.random() * total;
      const drawnOf = MIX.find(([share]) => {
        drawn -= share;
        return drawn < 0;
      });
      await drawnOf?.[1]();
    },
    take() {
      const taken = { acknowledged: [...acknowledged, ...moved.values()], odd };
      acknowledged = [];
      moved = new Map();
      odd = [];
      return taken;
    },
    open: () => open,
  };
}

export interface Load {
  /** Lets every client finish what it has begun; throws when one is not answered in time. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

/** So many clients, each with an action every `everyMs`, or as fast as they are answered when that takes longer. */
export function startLoad(shops: readonly Shop[], { clients, everyMs }: { clients: number; everyMs: number }): Load {
  let running = true;
  let paused = false;
  const busy = new Set<number>();

  async function client(number: number): Promise<void> {
    const shop = shops[number % shops.length];
    await sleep((everyMs * number) / clients);
    // oxlint-disable-next-line no-unmodified-loop-condition -- it is set elsewhere
    for (let next = performance.now(); running; ) {
      if (!paused) {
        busy.add(number);
        await shop?.act();
        busy.delete(number);
      }
      next = Math.max(next + everyMs, performance.now());
      await sleep(Math.max(1, next - performance.now()));
    }
  }

  const all = Array.from({ length: clients }, (_, number) => client(number));
  return {
    async pause() {
      paused = true;
      for (const until = Date.now() + 30_000; busy.size > 0; await sleep(20)) {
        if (Date.now() > until) throw new Error(`${busy.size} clients were not answered within 30 s`);
      }
    },
    resume() {
      paused = false;
    },
    async stop() {
      running = false;
      await Promise.all(all);
    },
  };
}
