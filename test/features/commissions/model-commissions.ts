/**
 * What becomes of the commissions of one sale, plain and small, from
 * docs/specification/commissions.md#reversal and docs/specification/commissions.md#states alone.
 */
type Fate = { hold: '' | 'manual' | 'dispute'; fate: 'unpaid' | 'paid' | 'void' };
export type ModelShare = Fate & { member: string } & Record<'whole' | 'taken' | 'pending' | 'cleared' | 'paid', number>;

const AFTER: Record<string, string[]> = { none: ['opened', 'lost'], opened: ['won', 'lost'], lost: ['won'] };
const unpaid = (share: ModelShare) => share.pending + share.cleared;
const put = (share: ModelShare, account: 'pending' | 'cleared', hold: Fate['hold']) =>
  Object.assign(share, { pending: 0, cleared: 0, [account]: unpaid(share), hold });

/** `due`: whether its commissions may clear by now. What an event or an action is answered with is its status. */
export function modelSale(amount: number, due: boolean, lines: readonly { member: string; amount: number }[]) {
  const fresh = { taken: 0, cleared: 0, paid: 0, hold: '', fate: 'unpaid' } as const;
  const shares = lines.map((line): ModelShare => ({ ...fresh, member: line.member, whole: line.amount, pending: line.amount }));
  const disputes = new Map<string, { stage: string; disputed: number; lost: number }>();
  let refunded = 0;
  const release = (share: ModelShare) => put(share, due || share.fate === 'paid' ? 'cleared' : 'pending', '');
  /** Brings every share to its part of what is refunded in all, rounded half up on the total. */
  function take(minor: number, inDispute: boolean): number {
    refunded += minor;
    for (const share of shares.filter(({ fate }) => fate !== 'void')) {
      const change = share.taken - Math.floor((2 * share.whole * refunded + amount) / (2 * amount));
      share.taken -= change;
      const anew = share.fate === 'unpaid' && unpaid(share) === 0 && change !== 0;
      if (anew && inDispute && share.hold === '') share.hold = 'dispute';
      share[share.fate === 'paid' || share.cleared > 0 || (anew && due && share.hold === '') ? 'cleared' : 'pending'] += change;
      if (share.fate === 'unpaid' && unpaid(share) === 0 && share.hold === 'dispute') share.hold = ''; // a hold by hand stays
    }
    return 201;
  }
  return {
    shares,
    refund: (wanted = amount - refunded) => (wanted <= 0 || wanted > amount - refunded ? 422 : take(wanted, false)),
    dispute(id: string, stage: string, wanted: number | undefined): number {
      const own = disputes.get(id) ?? { stage: 'none', disputed: amount, lost: 0 };
      if (!AFTER[own.stage]?.includes(stage)) return 409;
      const disputed = wanted ?? Math.min(own.disputed, amount - refunded);
      if (stage !== 'won' && (disputed <= 0 || disputed > amount - refunded)) return 422;
      disputes.set(id, { stage, disputed, lost: stage === 'lost' ? disputed : 0 });
      const open = [...disputes.values()].some((one) => one.stage === 'opened');
      for (const share of shares) {
        const toCome = share.fate === 'paid' ? share.cleared : share.hold ? 0 : unpaid(share);
        if (stage === 'opened' && toCome > 0) put(share, 'pending', 'dispute');
        else if (!open && share.hold === 'dispute') release(share);
      }
      return take(stage === 'lost' ? disputed : stage === 'won' ? -own.lost : 0, open && stage !== 'opened');
    },
    act(share: ModelShare, action: string): number {
      const standing = share.hold === '' ? ['hold', 'void'] : ['release', 'void'];
      if (share.fate !== 'unpaid' || unpaid(share) === 0 || !standing.includes(action)) return 409;
      const open = [...disputes.values()].some((one) => one.stage === 'opened');
      if (action === 'release' && open && share.hold === 'manual') put(share, 'pending', 'dispute');
      else if (action === 'release') release(share);
      else put(share, 'pending', action === 'hold' ? 'manual' : '');
      return Object.assign(share, action === 'void' && { pending: 0, fate: 'void' }) && 200;
    },
    /** What is due and not on hold clears. */
    sweep: () => shares.filter(({ fate, hold }) => due && fate === 'unpaid' && hold === '').forEach(release),
    payOut(share: ModelShare): void {
      if (share.cleared !== 0) Object.assign(share, { paid: share.paid + share.cleared, cleared: 0, fate: 'paid' });
    },
  };
}
