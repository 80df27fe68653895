/** What tenants are told of payouts, of their runs and of payout accounts: docs/specification/webhooks.md#types. */
import { z } from 'zod';
import { ACTOR_KINDS, type Actor, actorRef, type Provenance } from '../../actor.ts';
import type { Told, WriteDb } from '../../db/scope.ts';
import type { DeclaredEvents } from '../../house/events.ts';
import { uuid } from '../../http/schemas.ts';
import type { JobIds } from '../../jobs/job.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import type { AccountStatus } from './open/payout-states.ts';
import { type PayoutAnswer, payoutResource } from './payouts/payouts-operations.ts';

const run = (meaning: string) => ({ meaning, shows: 'getPayoutRun' });
const payout = (meaning: string) => ({ meaning, shows: 'getPayout' });
const account = (meaning: string) => ({ meaning, shows: 'getPayoutAccount' });

const manyPayouts = z
  .object({
    runId: uuid.nullable().meta({ description: 'Of the run; null of those of a member that was erased' }),
    payouts: z.array(payoutResource).meta({ description: 'As they stand when they are told of' }),
  })
  .meta({ id: 'ManyPayouts' });

const many = (meaning: string) => ({
  meaning: `${meaning} At most 100 are in one event. They come behind the event of what has happened, as they stand by then.`,
  schema: manyPayouts,
  scope: 'payouts:read' as const,
  parts: { of: 'payouts', items: 100 },
});

export const payoutsEvents = {
  'payout_run.drafted': run('A payout run was drafted.'),
  'payout_run.approved': run('A payout run was approved.'),
  'payout_run.executed': run('A payout run is executed: each of its payouts is told of when it begins.'),
  'payout_run.completed': run(
    'A payout run has come to its end: no payout of it is queued or processing, and its status says whether one has failed.',
  ),
  'payout_run.cancelled': run('A payout run was cancelled before it was executed.'),
  'payout_run.updated': run(
    'A payout run is executing again for a payout that is tried again, or has one more payout, which a reconciliation has found.',
  ),
  'payouts.drafted': many('The payouts of a run were drafted.'),
  'payouts.cancelled': many('Payouts of a run were cancelled together. All cancelled ones of the run are told.'),
  'payouts.updated': many(
    'The payouts of a run are due, for it is executed; or what was written of those of a member went, for it was erased.',
  ),
  'payout.processing': payout('A payout is carried out: its commissions are on their way.'),
  'payout.paid': payout('A payout was paid. A settlement is from the start.'),
  'payout.failed': payout('A payout has failed; its commissions are cleared again.'),
  'payout.returned': payout('A payout came back after it was paid; its commissions are cleared again.'),
  'payout.cancelled': payout('A payout was cancelled before it was carried out, by a person or for what had changed since.'),
  'payout.queued': payout('A payout that has failed is tried again.'),
  'payout.updated': payout('What holds up a payout in processing is another thing than before, or nothing any more.'),
  'payout_account.created': account('A member has another payout account.'),
  'payout_account.activated': account('A payout account can be paid to; one that is paid by hand can from the start.'),
  'payout_account.action_required': account('The payment provider wants to know more before it pays to an account.'),
  'payout_account.rejected': account('A payout account was rejected by the payment provider.'),
  'payout_account.primary_changed': account(
    'A payout account has become the primary one of its member in place of another, or is that no more: both are told.',
  ),
  'payout_account.deactivated': account('A payout account was deactivated, for good.'),
  'payout_account.updated': account('Something of a payout account changed that no other event tells of.'),
} as const satisfies DeclaredEvents;

type EventType = keyof typeof payoutsEvents;
type By = Pick<Provenance, 'actor'>;
type One<Of extends string> = EventType extends infer Type ? (Type extends `${Of}.${string}` ? Type : never) : never;

export function tellRun(db: WriteDb, by: By, type: One<'payout_run'>, runId: string): void {
  tell(db, by, type, runId);
}

export function tellPayout(
  db: WriteDb,
  by: By,
  type: One<'payout'>,
  payoutId: string,
  { heard }: Pick<Told, 'heard'> = {},
): void {
  tell(db, by, type, payoutId, heard && { heard });
}

export type PayoutsType = One<'payouts'>;

export const TELL_PAYOUTS = 'tell-payouts';
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Those of a run, or of an erased member; of a run cancelled ones alone where that is what happened. There may be any
 * number: a job tells of them behind the commit.
 */
export function tellPayouts(
  db: WriteDb,
  by: By,
  type: One<'payouts'>,
  of: { runId: string; userId?: undefined } | { userId: string; runId?: undefined },
): void {
  const { runId, userId } = of;
  const objectId = runId ?? userId;
  const ids = { [type]: objectId, [runId === undefined ? 'userId' : 'runId']: objectId, ...idsOf(by.actor) };
  tell(db, by, type, objectId, { job: { name: TELL_PAYOUTS, ids } });
}

export interface PayoutsToTell {
  type: PayoutsType;
  of: { runId?: string | undefined; userId?: string | undefined };
  by: By;
}

/** What the job of `tellPayouts` is about; undefined where its ids are none of it. */
export function payoutsToTell(ids: JobIds): PayoutsToTell | undefined {
  const type = (['payouts.drafted', 'payouts.updated', 'payouts.cancelled'] as const).find((one) => ids[one] !== undefined);
  const actor = actorOf(ids);
  return type && actor && { type, of: { runId: ids['runId'], userId: ids['userId'] }, by: { actor } };
}

const VENDORS = ['kycvendor', 'payvendor'] as const;

/** An actor among the ids of a job, which are all that it carries. A vendor is named by the key. */
function idsOf({ kind, id }: Actor): JobIds {
  return kind === 'vendor' ? { [actorRef({ kind, id })]: NOBODY } : { [kind]: id ?? NOBODY };
}

function actorOf(ids: JobIds): Actor | undefined {
  const vendor = VENDORS.find((id) => ids[actorRef({ kind: 'vendor', id })] !== undefined);
  if (vendor) return { kind: 'vendor', id: vendor };
  const kind = ACTOR_KINDS.find((one) => ids[one] !== undefined);
  return kind && { kind, id: ids[kind] === NOBODY ? null : (ids[kind] ?? null) };
}

/** So many at a time, as they are locked. */
export function tellSomePayouts(db: WriteDb, { type, of, by }: PayoutsToTell, payouts: readonly PayoutAnswer[]): void {
  tell(db, by, type, of.runId ?? of.userId ?? '', { data: { runId: of.runId ?? null, payouts } });
}

interface ToldAccount {
  id: string;
  memberId: string;
}

export function tellAccount(
  db: WriteDb,
  by: By,
  type: One<'payout_account'>,
  { id, memberId }: ToldAccount,
  heard: Pick<Told, 'heard'> = {},
): void {
  tell(db, by, type, id, { params: { userId: memberId, accountId: id }, ...heard });
}

export const TELL_ACCOUNTS = 'tell-accounts';

/** Those of a member, of which something changed that is none of theirs: a job tells of them behind the commit. */
export function tellAccounts(db: WriteDb, by: By, memberId: string): void {
  const ids = { userId: memberId, ...idsOf(by.actor) };
  tell(db, by, 'payout_account.updated', memberId, { job: { name: TELL_ACCOUNTS, ids } });
}

/** What the job of `tellAccounts` is about; undefined where its ids are none of it. */
export function accountsToTell(ids: JobIds): { memberId: string; by: By } | undefined {
  const { userId: memberId } = ids;
  const actor = actorOf(ids);
  return memberId !== undefined && actor ? { memberId, by: { actor } } : undefined;
}

/** That an account is primary now, in place of `before` where another was. */
export function tellPrimary(db: WriteDb, by: By, account: ToldAccount, before: string | undefined): void {
  tellAccount(db, by, 'payout_account.primary_changed', account);
  if (before !== undefined) tellAccount(db, by, 'payout_account.primary_changed', { ...account, id: before });
}

const ACCOUNT_TYPES: Readonly<Record<AccountStatus, One<'payout_account'>>> = {
  provisioning: 'payout_account.updated',
  active: 'payout_account.activated',
  action_required: 'payout_account.action_required',
  rejected: 'payout_account.rejected',
  deactivated: 'payout_account.deactivated',
};

/** That an account's status, or its reason alone, is another. */
export function tellAccountStatus(db: WriteDb, by: By, account: ToldAccount, from: string, to: AccountStatus): void {
  tellAccount(db, by, from === to ? 'payout_account.updated' : ACCOUNT_TYPES[to], account);
}
