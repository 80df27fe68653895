/**
 * What stands between a member and its next payout. The rule of ownership ties a member's call to the member of the path;
 * row security shows it its own lines and payouts, and the tables of holds, accounts and verifications have no wall but
 * the tenant's: so a member's call reads what a key's call reads. Source: docs/specification/payouts.md#readiness.
 */
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { RequestContext } from '../../../http/operation.ts';
import type { MinimumPayout } from '../../commissions/open/minimum-payout.ts';
import type { NameJudge } from '../names/judge-names.ts';
import { type PresentReason, stepOf, toldReasons } from '../runs/block-rules.ts';
import { readCutoff } from '../runs/draft-queries.ts';
import { PAYMENT_DEFAULTS } from '../settings/payment-settings.ts';
import { paymentSettingsStatement } from '../settings/payment-settings-queries.ts';
import type { getPayoutReadiness, ReadinessState } from './readiness-operations.ts';
import {
  findLastPaid,
  findMembersDefaultCurrency,
  type Judged,
  judgeMember,
  type LastPaid,
  listDue,
  listOnTheirWay,
  type PayoutOnItsWay,
} from './readiness-queries.ts';

type Query = z.output<(typeof getPayoutReadiness)['query'] & {}>;

export interface Requirement {
  currency: string;
  dueMinor: bigint;
  minimumMinor: bigint | null;
  state: ReadinessState;
  missing: PresentReason[];
  payout: PayoutOnItsWay | null;
}

export interface Readiness {
  userId: string;
  asOf: Date;
  requirements: Requirement[];
  lastPaid: LastPaid | null;
}

export interface ReadinessService {
  /** USER_NOT_FOUND. */
  read(context: RequestContext, memberId: string, query: Query): Promise<Readiness>;
}

export interface ReadinessDeps {
  frames: Frames;
  readMinimumPayouts(db: Db, scope: Scope, at: Date): Promise<(currency: string) => MinimumPayout | undefined>;
  names: Pick<NameJudge, 'preview'>;
}

export function createReadinessService({ frames, readMinimumPayouts, names }: ReadinessDeps): ReadinessService {
  /** A draft compares names before it judges; this says what would come of it, and writes nothing. */
  async function withNamesCompared(db: Db, scope: Scope, memberId: string, judged: readonly Judged[]): Promise<Judged[]> {
    if (!judged.some(({ reasons }) => reasons.includes('NAME_MISMATCH'))) return [...judged];
    const matches = await names.preview(db, scope, memberId);
    const isFreed = (accountId: string | null): boolean => {
      const match = accountId === null ? undefined : matches.get(accountId);
      return match !== undefined && match !== 'mismatch';
    };
    return judged.map((one) =>
      isFreed(one.accountId) ? { ...one, reasons: one.reasons.filter((reason) => reason !== 'NAME_MISMATCH') } : one,
    );
  }

  return {
    read: ({ scope }, memberId, { currency }) =>
      frames.read(
        scope,
        async (db) => {
          const [[settings = PAYMENT_DEFAULTS], { now }, defaultCurrency, onTheirWay, lastPaid] = await Promise.all([
            db.rows(paymentSettingsStatement(scope)),
            readCutoff(db, scope, undefined),
            findMembersDefaultCurrency(db, scope, memberId),
            listOnTheirWay(db, scope, memberId, currency),
            findLastPaid(db, scope, memberId, currency),
          ]);
          if (defaultCurrency === undefined) throw new AppError('USER_NOT_FOUND', 'No such member');
          const [dueRows, minimumOf] = await Promise.all([
            listDue(db, scope, memberId, currency, now),
            readMinimumPayouts(db, scope, now),
          ]);
          const due = new Map(dueRows.map((row) => [row.currency, row.amountMinor]));
          const payouts = new Map(onTheirWay.map((payout) => [payout.currency, payout]));
          const currencies = new Set([currency ?? defaultCurrency, ...due.keys(), ...payouts.keys()]);
          const judging = [...currencies].map((one) => ({
            currency: one,
            amountMinor: due.get(one) ?? null,
            minimumMinor: minimumOf(one)?.amountMinor ?? null,
            payableStep: stepOf(settings.provider, one),
          }));
          const judged = await judgeMember(db, scope, memberId, judging, { ...settings, now });
          const requirements = (await withNamesCompared(db, scope, memberId, judged)).map(({ currency: one, reasons }) => {
            const amountMinor = due.get(one);
            const missing = toldReasons(reasons);
            const payout = payouts.get(one) ?? null;
            return {
              currency: one,
              dueMinor: amountMinor ?? 0n,
              minimumMinor: minimumOf(one)?.amountMinor ?? null,
              state: stateOf(amountMinor !== undefined, missing, payout),
              missing,
              payout,
            };
          });
          return { userId: memberId, asOf: now, requirements, lastPaid: lastPaid ?? null };
        },
        // What is due, what is on its way and what stops it are told of one moment.
        { snapshot: true },
      ),
  };
}

function stateOf(isDue: boolean, missing: readonly PresentReason[], payout: PayoutOnItsWay | null): ReadinessState {
  if (isDue) return missing.length > 0 ? 'blocked' : 'ready';
  return payout === null ? 'nothing_due' : 'in_payout';
}
