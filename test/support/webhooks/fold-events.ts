/**
 * State as a receiver keeps it: a snapshot, and the events behind it in their order. Of the state follows what each member
 * has, by status. As docs/webhooks.md says, under "A copy of everything" and "Balances".
 */

/** A line of a snapshot’s file. */
export interface Line {
  kind: string;
  objectId: string;
  data: Shown;
}

// biome-ignore lint/suspicious/noExplicitAny: the object of each kind is another.
export type Shown = Record<string, any>;

/** Objects by `kind id`. */
export type State = Map<string, Shown>;

export interface FoldedEvent {
  type: string;
  objectId: string;
  /** Null once its member was erased. */
  data: Shown | null;
}

export function stateOf(lines: readonly Line[]): State {
  return new Map(lines.map(({ kind, objectId, data }) => [`${kind} ${objectId}`, data]));
}

/** By the first word of a type: events of one object each. */
const KINDS: Readonly<Record<string, string>> = {
  member: 'members',
  lead: 'leads',
  event: 'events',
  commission: 'commissions',
  payout: 'payouts',
  payout_run: 'payoutRuns',
  payout_account: 'payoutAccounts',
  kyc: 'kyc',
};

/** And of many: the kind is also the name of their list. */
const LISTS = new Set(['commissions', 'payouts']);

/** In place of the id of an object: the event was made to test an endpoint, and nothing has happened. */
const TEST = 'test';

export function foldEvent(state: State, { type, objectId, data }: FoldedEvent): void {
  if (data === null || objectId === TEST) return;
  const put = (kind: string, id: string, object: Shown): void => {
    const key = `${kind} ${id}`;
    state.set(key, { ...state.get(key), ...object });
  };
  const [noun = ''] = type.split('.');
  if (type === 'commissions.cleared') {
    for (const id of data['commissionIds'] as string[]) put('commissions', id, { status: 'cleared' });
  } else if (LISTS.has(noun)) {
    for (const object of data[noun] as Shown[]) put(noun, String(object['id']), object);
  } else if (KINDS[noun]) {
    put(KINDS[noun], objectId, data);
  }
}

/** A copy that events are given to as they come: twice, and in any order. All events of the log must come, tests too. */
export interface Copy {
  state: State;
  /** Of the last event in it. */
  sequence(): number;
  take(event: FoldedEvent & { sequence: number }): void;
}

/**
 * Numbers are dense in the log: what is behind a gap waits until it is filled. What an endpoint does not hear leaves gaps
 * that are never filled by what it receives; whoever has such an endpoint fills them from the log.
 */
export function openCopy(snapshot: { sequence: number; lines: readonly Line[] }): Copy {
  const state = stateOf(snapshot.lines);
  const waiting = new Map<number, FoldedEvent>();
  let { sequence } = snapshot;
  return {
    state,
    sequence: () => sequence,
    take(event) {
      if (event.sequence > sequence) waiting.set(event.sequence, event);
      for (let next = waiting.get(sequence + 1); next; next = waiting.get(sequence + 1)) {
        foldEvent(state, next);
        sequence += 1;
        waiting.delete(sequence);
      }
    },
  };
}

/** Of a member in a currency, in minor units. */
export interface Balance {
  pending: number;
  held: number;
  cleared: number;
  processing: number;
  paid: number;
}

/** By `userId currency`. */
export function balancesOf(state: State): Map<string, Balance> {
  const balances = new Map<string, Balance>();
  const add = (of: Shown, status: keyof Balance, amountMinor: number): void => {
    const key = `${of['userId']} ${of['currency']}`;
    const balance = balances.get(key) ?? { pending: 0, held: 0, cleared: 0, processing: 0, paid: 0 };
    balance[status] += amountMinor;
    balances.set(key, balance);
  };
  for (const [key, object] of state) {
    const [kind] = key.split(' ');
    const { status, amountMinor } = object;
    if (kind === 'commissions') {
      if (status === 'pending' || status === 'held') add(object, status, amountMinor);
      // Whether it is on its way or paid, its payout knows.
      else if (status !== 'reversed') add(object, 'cleared', amountMinor);
    }
    if (kind === 'payouts' && (status === 'processing' || status === 'paid')) {
      add(object, status, amountMinor);
      add(object, 'cleared', -amountMinor);
    }
  }
  return balances;
}
