/**
 * An event of the KYC vendor takes effect: the delivery, the record and the log in one transaction.
 * Source: docs/specification/webhooks.md#kyc-events.
 */
import type { Provenance } from '../../../actor.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { DigestIdentity } from '../../profile/open/profile.ts';
import { tellKyc } from '../kyc-events.ts';
import type { KycStatus } from '../open/kyc-states.ts';
import { changeStatus } from '../records/change-status.ts';
import type { KycRecord } from '../records/kyc-record-queries.ts';
import { type Asked, type Decision, decideEvent, type EventOutcome, isBeyondMemory } from './vendor-event.ts';
import { hasEvent, insertEvent, isMemberErased, learnApplicant, lockRecordOfEvent, noteEvent } from './vendor-events-queries.ts';
import type { VendorEvent } from './vendor-payload.ts';

export type AppliedEvent =
  /** The vendor has to be asked first, outside the transaction. Nothing was written. */
  | { outcome: 'ask_first'; record: KycRecord }
  | { outcome: 'repeated' | 'unmatched' }
  | { outcome: EventOutcome; record: KycRecord };

/** By whom it was told, and what the vendor said when it was asked. */
export interface Told {
  by: Provenance;
  asked?: Asked;
  digestIdentity: DigestIdentity;
}

const ACTIONS: Readonly<Record<KycStatus, string>> = {
  not_started: 'kyc_record.reset',
  pending: 'kyc_record.submitted',
  approved: 'kyc_record.approved',
  rejected: 'kyc_record.rejected',
  resubmit_required: 'kyc_record.resubmit_requested',
};

export async function applyVendorEvent(
  db: WriteDb,
  scope: Scope,
  event: VendorEvent,
  { by, asked, digestIdentity }: Told,
): Promise<AppliedEvent> {
  const told = { by, digestIdentity };
  const named = await lockRecordOfEvent(db, scope, event);
  if (!named) {
    const inserted = await insertEvent(db, scope, event, { recordId: null, outcome: 'unmatched' });
    return { outcome: inserted === undefined ? 'repeated' : 'unmatched' };
  }
  const { record } = named;
  if (await isMemberErased(db, scope, record.memberId)) {
    return keep(db, scope, record, { ...told, event: withoutPerson(event), decision: { outcome: 'held_by_staff' } });
  }
  // The member is not to be judged by somebody else's applicant.
  if (named.applicantIsAnothers) return keep(db, scope, record, { ...told, event, decision: { outcome: 'no_change' } });
  if (isBeyondMemory(event, Date.now())) return keep(db, scope, record, { ...told, event, decision: { outcome: 'older' } });
  const decision = decideEvent(record, event, asked);
  if (decision === 'ask_first') {
    return (await hasEvent(db, scope, event.digest)) ? { outcome: 'repeated' } : { outcome: 'ask_first', record };
  }
  return keep(db, scope, record, { ...told, event, decision });
}

/** Of an erased member that something came, and when, is kept: no reset brings back what was forgotten. */
function withoutPerson(event: VendorEvent): VendorEvent {
  return { ...event, applicantId: null, correlationId: null, reviewResult: null, body: '{}' };
}

async function keep(
  db: WriteDb,
  scope: Scope,
  record: KycRecord,
  { event, decision, ...told }: Omit<Carried, 'eventId'>,
): Promise<AppliedEvent> {
  const { outcome } = decision;
  const eventId = await insertEvent(db, scope, event, { recordId: record.id, outcome });
  if (eventId === undefined) return { outcome: 'repeated' };
  return { outcome, record: await carryOut(db, scope, record, { ...told, event, eventId, decision }) };
}

interface Carried extends Omit<Told, 'asked'> {
  event: VendorEvent;
  eventId: string;
  decision: Decision;
}

async function carryOut(
  db: WriteDb,
  scope: Scope,
  record: KycRecord,
  { by, digestIdentity, event, eventId, decision }: Carried,
): Promise<KycRecord> {
  const { change, outcome, askInSeconds, counts, learn, forget = false } = decision;
  const lastEventAt = counts ? (event.createdAt ?? undefined) : undefined;
  const details = { eventId, ...detailsOf(event) };
  const learned = learn && event.applicantId !== null && (await learnApplicant(db, scope, record.id, event.applicantId));
  if (change) {
    return changeStatus(db, scope, record, {
      to: change.status,
      reason: change.reason,
      by,
      action: event.type === 'applicantReset' ? 'kyc_record.reset' : ACTIONS[change.status],
      decidedBy: isDecision(change.status) && event.type !== 'applicantReset' ? 'vendor' : null,
      lastEventAt,
      approval: { digestIdentity, seen: false },
      ...(askInSeconds === undefined ? {} : { nextCheckSeconds: askInSeconds }),
      details,
    });
  }
  const noted = lastEventAt !== undefined || askInSeconds !== undefined || forget;
  if (learned || noted) tellKyc(db, by, record);
  await Promise.all([
    noted && noteEvent(db, scope, record.id, { lastEventAt, askInSeconds: askInSeconds ?? null, forget }),
    recordAudit(db, scope, {
      action: 'kyc_record.vendor_event',
      by,
      objectKind: 'kyc_record',
      objectId: record.id,
      details: { ...details, outcome },
    }),
  ]);
  return record;
}

function isDecision(status: KycStatus): boolean {
  return status === 'approved' || status === 'rejected' || status === 'resubmit_required';
}

const MAX_LABELS = 20;
const MAX_LABEL = 100;

/** For the log: what the vendor has a name for, never what somebody wrote. */
function detailsOf({ type, reviewStatus, reviewResult }: VendorEvent): Record<string, unknown> {
  const { reviewAnswer, reviewRejectType, rejectLabels } = reviewResult ?? {};
  const labels = (rejectLabels ?? []).slice(0, MAX_LABELS).map((label) => label.slice(0, MAX_LABEL).toWellFormed());
  return {
    type,
    ...(reviewStatus === null ? {} : { providerStatus: reviewStatus }),
    ...(labels.length === 0 ? {} : { labels }),
    // Taken for one that can be mended: worth a look.
    ...(reviewAnswer === 'RED' && reviewRejectType == null ? { rejectTypeMissing: true } : {}),
    ...(type === 'applicantOnHold' ? { providerStatus: 'onHold' } : {}),
    ...(type === 'applicantDeactivated' ? { providerDeactivated: true } : {}),
  };
}
