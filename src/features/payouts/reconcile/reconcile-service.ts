/**
 * Matches what a vendor or a bank has paid with the books, after the database came back from a backup or a replica.
 * Source: docs/specification/payouts.md#reconcile.
 */
import type { Frames } from '../../../db/frame.ts';
import { undone } from '../../../db/savepoint.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { VendorTransfer } from '../../../vendors/payments/payment-vendor.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { awaitPayouts, findHeld, lockMemberToHold, storeHold } from '../holds/payout-hold-queries.ts';
import type { PayoutBooks } from '../payouts/settle-payout.ts';
import { allowLongStatements } from '../runs/runs-queries.ts';
import type { PaymentSettingsReader } from '../settings/payment-settings.ts';
import type { PaymentVendors } from '../settings/payment-vendors.ts';
import type { BankRow } from './bank-file.ts';
import type { PayoutFreeze } from './freeze.ts';
import { type Freeze, freezeByHandStatement, thawStatement } from './freeze-queries.ts';
import { matchBankRow } from './match-bank-row.ts';
import { BY, type Finding, matchTransfer, OPERATOR, ownTransfer } from './match-transfer.ts';
import { countUnanswered, listSentElsewhere } from './reconcile-queries.ts';
import { readState, storeState } from './state-queries.ts';

export interface ReconcileInput {
  since: Date;
  /** False: everything is done and undone again, and the answer is what it would be. */
  apply: boolean;
  /** What the bank has paid; `none`: somebody says that it has paid nothing. Undefined: the bank is not asked about. */
  bank?: readonly BankRow[] | 'none' | undefined;
}

export interface Reconciliation extends Scope {
  findings: Finding[];
  /** Transfers of the tenant that the service did not make. */
  foreign: number;
  /** Begun, and no transfer is known: they go on by themselves. */
  unanswered: number;
  vendor: 'none' | 'matched' | 'unmatched' | 'unreachable';
  /** `to_ask`: members are paid by hand, and it is not known what the bank has paid. */
  bank: 'none' | 'matched' | 'unmatched' | 'to_ask';
}

export interface ReconcileService {
  /** One tenant and environment. With `apply` only while payouts are frozen. */
  reconcile(scope: Scope, freeze: Freeze | undefined, input: ReconcileInput): Promise<Reconciliation>;
  /** A person has judged what could not be matched: it does not keep payouts frozen, and its member is put on hold. */
  accept(scope: Scope, freeze: Freeze, id: string, memberId: string | null): Promise<void>;
  /** True: the server is remembered and payouts go on. False: it is another freeze by now. */
  thaw(freeze: Freeze, forcedReason: string | null): Promise<boolean>;
  freezeByHand(): Promise<void>;
  /** Nothing is left, or nobody is paid there. */
  isDone(reconciliation: Pick<Reconciliation, 'vendor' | 'bank'>): boolean;
  freeze: PayoutFreeze;
}

interface Deps {
  frames: Frames;
  books: PayoutBooks;
  settings: PaymentSettingsReader;
  vendors: PaymentVendors;
  freeze: PayoutFreeze;
}

type Run = <T>(fn: (db: WriteDb) => Promise<T>) => Promise<T>;

const HOLD_REASON = 'A payment could not be matched after the database was restored';

export function createReconcileService({ frames, books, settings, vendors, freeze: payoutFreeze }: Deps): ReconcileService {
  /** Outside any transaction. Undefined: the tenant has no account there. */
  async function listTransfers(scope: Scope, since: Date): Promise<VendorTransfer[] | 'unreachable' | undefined> {
    const { account } = await settings.readSettings(scope);
    if (!account) return undefined;
    try {
      const vendor = await vendors.of(scope);
      return await vendor.listTransfers({ since });
    } catch (error) {
      if (!(error instanceof AppError) || !/^PROVIDER_|^SERVICE_/.test(error.code)) throw error;
      return 'unreachable';
    }
  }

  async function matchVendor(
    run: Run,
    scope: Scope,
    { since, listed, accepted }: { since: Date; listed: VendorTransfer[]; accepted: ReadonlySet<string> },
  ) {
    const own = listed.flatMap((transfer) => ownTransfer(scope, transfer) ?? []);
    // The executions of a payout in their order.
    own.sort((a, b) => a.attempt - b.attempt || a.createdAt.getTime() - b.createdAt.getTime());
    const sentIds = [...new Set(own.map(({ payoutId }) => payoutId))];
    const findings: Finding[] = [];
    for (const transfer of own) findings.push(await run((db) => matchTransfer(books, db, scope, transfer, sentIds)));
    const transferIds = listed.map(({ id }) => id);
    const elsewhere = await run((db) => listSentElsewhere(db, scope, since, transferIds));
    for (const { transferId, ...payout } of elsewhere) {
      findings.push({ ...payout, verdict: 'unmatched', why: 'unknown_to_vendor', id: transferId, at: null });
    }
    return { findings: findings.map((one) => judged(one, accepted)), foreign: listed.length - own.length };
  }

  async function match(
    run: Run,
    scope: Scope,
    freeze: Freeze | undefined,
    input: ReconcileInput,
    listed: Awaited<ReturnType<typeof listTransfers>>,
  ): Promise<Reconciliation> {
    const freezeId = freeze?.freezeId ?? '';
    const state = await run((db) => readState(db, scope, freezeId));
    const accepted = new Set(state.accepted);
    const result: Reconciliation = { ...scope, findings: [], foreign: 0, unanswered: 0, vendor: 'none', bank: 'none' };
    result.unanswered = await run((db) => countUnanswered(db, scope));
    if (listed === 'unreachable') result.vendor = listed;
    else if (listed) {
      const { findings, foreign } = await matchVendor(run, scope, { since: input.since, listed, accepted });
      Object.assign(result, { findings, foreign, vendor: isAllMatched(findings) ? 'matched' : 'unmatched' });
    }
    // Of test data no bank knows anything.
    if (scope.environment === 'LIVE' && (state.paysByHand || input.bank !== undefined)) {
      result.bank = state.bankDone ? 'matched' : 'to_ask';
      if (input.bank !== undefined) {
        const rows = input.bank === 'none' ? [] : input.bank;
        const findings: Finding[] = [];
        for (const row of rows) findings.push(judged(await run((db) => matchBankRow(books, db, scope, row)), accepted));
        result.findings.push(...findings);
        result.bank = isAllMatched(findings) ? 'matched' : 'unmatched';
      }
    }
    if (freeze) {
      const vendor = result.vendor === 'matched' || result.vendor === 'none';
      const bank = input.bank === undefined ? null : result.bank === 'matched';
      await run((db) => storeState(db, scope, freezeId, { vendor, bank }));
    }
    return result;
  }

  return {
    freeze: payoutFreeze,

    async reconcile(scope, freeze, input) {
      const listed = await listTransfers(scope, input.since);
      // Each in a commit of its own: stopped anywhere, the command is run again, and finds what it has done.
      if (input.apply) return match((fn) => frames.write(scope, fn), scope, freeze, input, listed);
      return frames.write(scope, async (db) => {
        await allowLongStatements(db);
        return undone(db, () => match((fn) => fn(db), scope, freeze, input, listed));
      });
    },

    accept: (scope, { freezeId }, id, memberId) =>
      frames.write(scope, async (db) => {
        await storeState(db, scope, freezeId, { accepted: [id] });
        const held = memberId !== null && (await holdMember(db, scope, memberId));
        await recordAudit(db, scope, {
          action: 'payout.reconciliation_accepted',
          by: OPERATOR,
          objectKind: 'payout_reconciliation',
          objectId: scope.tenantId,
          details: { id, ...(held ? { heldMemberId: memberId } : {}) },
        });
      }),

    async thaw({ freezeId }, forcedReason) {
      const [row] = await frames.unscoped(thawStatement({ freezeId, reason: forcedReason }));
      await payoutFreeze.read();
      return row?.thawed === true;
    },

    async freezeByHand() {
      await frames.unscoped(freezeByHandStatement());
      await payoutFreeze.read();
    },

    isDone: ({ vendor, bank }) => (vendor === 'matched' || vendor === 'none') && (bank === 'matched' || bank === 'none'),
  };
}

/** False: there is no such member, it was erased, or it is on hold already. */
async function holdMember(db: Db, scope: Scope, memberId: string): Promise<boolean> {
  const member = await lockMemberToHold(db, scope, memberId);
  if (!member || member.erasedAt || (await findHeld(db, scope, [memberId])).size > 0) return false;
  await storeHold(db, scope, memberId, { reason: HOLD_REASON, until: null, createdBy: BY, now: member.now });
  await awaitPayouts(db, scope, memberId);
  return true;
}

const isAllMatched = (findings: readonly Finding[]): boolean => findings.every(({ verdict }) => verdict !== 'unmatched');

const judged = (finding: Finding, accepted: ReadonlySet<string>): Finding =>
  finding.verdict === 'unmatched' && accepted.has(finding.id) ? { ...finding, verdict: 'accepted' } : finding;
