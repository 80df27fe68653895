/** State as a tenant keeps it: a snapshot, and the events behind it in their order. */
import type { SnapshotLine } from '../../features/webhooks/snapshot-calls.ts';

// biome-ignore lint/suspicious/noExplicitAny: the object of each kind is another.
export type Shown = Record<string, any>;

/** Objects by `kind id`. */
export type State = Map<string, Shown>;

export interface FoldedEvent {
  type: string;
  objectId: string;
  data: Shown;
}

export function stateOf(lines: readonly SnapshotLine[]): State {
  return new Map(lines.map(({ kind, objectId, data }) => [`${kind} ${objectId}`, data]));
}

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

/** As docs/webhooks.md says, under "A copy of everything". */
export function foldEvent(state: State, { type, objectId, data }: FoldedEvent): void {
  const put = (kind: string, id: string, object: Shown): void => {
    const key = `${kind} ${id}`;
    state.set(key, { ...state.get(key), ...object });
  };
  const [noun = ''] = type.split('.');
  const lists: Readonly<Record<string, string>> = { commissions: 'commissions', payouts: 'payouts' };
  const list = lists[noun];
  if (type === 'commissions.cleared') {
    for (const id of data['commissionIds'] as string[]) put('commissions', id, { status: 'cleared' });
  } else if (list) {
    for (const object of data[list] as Shown[]) put(list, String(object['id']), object);
  } else if (KINDS[noun]) {
    put(KINDS[noun], objectId, data);
  }
}
