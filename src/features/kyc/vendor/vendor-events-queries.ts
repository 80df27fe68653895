/** The vendor's events in SQL: each delivery once, until it is forgotten; and what they do to a record beside its status. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { type KycRecord, recordColumns } from '../records/kyc-record-queries.ts';
import type { VendorEvent } from './vendor-payload.ts';

const kycEvent = tenantTable('kyc_event');
const member = tenantTable('member');

const find = statement<{ id: string }, { digest: Buffer }>('kyc_find_event', ({ digest }) =>
  kycEvent().where({ provider: 'kycvendor', body_digest: digest }).select('id'),
);

export async function hasEvent(db: Db, scope: Scope, digest: Buffer): Promise<boolean> {
  return (await db.row(find(scope, { digest }))) !== undefined;
}

/** Two lookups, each in an index of its own: for an `or` of both the planner may read all records of the tenant. */
const lockNamed = statement<KycRecord, { memberId: string | null; applicantId: string | null }>(
  'kyc_lock_records_of_event',
  ({ memberId, applicantId }) =>
    raw(
      `select ${recordColumns} from kyc_record k
   where ${ofTenant('k')} and k.id = any (array[
     (select m.id from kyc_record m where ${ofTenant('m')} and m.member_id = :memberId),
     (select a.id from kyc_record a where ${ofTenant('a')} and a.provider_applicant_id = :applicantId)])
   order by k.id for no key update`,
      { memberId, applicantId },
    ),
);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface NamedRecord {
  record: KycRecord;
  /** The event names the member of this record and the applicant of another one. */
  applicantIsAnothers: boolean;
}

/** The record that an event is about, its member's or else its applicant's, locked. */
export async function lockRecordOfEvent(
  db: Db,
  scope: Scope,
  { externalUserId, applicantId }: VendorEvent,
): Promise<NamedRecord | undefined> {
  const memberId = externalUserId !== null && UUID.test(externalUserId) ? externalUserId.toLowerCase() : null;
  const rows = await db.rows(lockNamed(scope, { memberId, applicantId }));
  const record = rows.find((row) => row.memberId === memberId) ?? rows[0];
  return record && { record, applicantIsAnothers: rows.length > 1 };
}

const erased = statement<{ erased: boolean }, { memberId: string }>('kyc_member_erased', ({ memberId }) =>
  member().where({ id: memberId }).select(raw('erased_at is not null as erased')),
);

/** Asked when the record is locked, which an erasure locks first. */
export async function isMemberErased(db: Db, scope: Scope, memberId: string): Promise<boolean> {
  return (await db.row(erased(scope, { memberId })))?.erased === true;
}

type NewEvent = VendorEvent & { recordId: string | null; outcome: string };

const insert = statement<{ id: string }, NewEvent>('kyc_insert_event', (event) =>
  kycEvent()
    .insert({
      provider: 'kycvendor',
      body_digest: event.digest,
      type: event.type,
      applicant_id: event.applicantId,
      external_user_id: event.externalUserId,
      correlation_id: event.correlationId,
      vendor_created_at: event.createdAt,
      kyc_record_id: event.recordId,
      outcome: event.outcome,
      body: event.body,
    })
    .onConflict(['provider', 'body_digest'])
    .ignore()
    .returning('id'),
);

/** Undefined when it is there already. */
export async function insertEvent(
  db: Db,
  scope: Scope,
  event: VendorEvent,
  { recordId, outcome }: { recordId: string | null; outcome: string },
): Promise<string | undefined> {
  const row = await db.row(insert(scope, { ...event, recordId, outcome }));
  return row?.id;
}

export interface EventNote {
  /** Of the event, where it counts. */
  lastEventAt: Date | undefined;
  /** Null: not sooner than it would be anyway. */
  askInSeconds: number | null;
  forget: boolean;
}

const note = statement<unknown, { id: string; eventAt: Date | null; seconds: number | null; forget: boolean }>(
  'kyc_note_event',
  ({ id, eventAt, seconds, forget }) =>
    raw(
      `update kyc_record set last_event_at = coalesce(:eventAt, last_event_at),
          check_at = case when :seconds::integer is null then check_at
                          else least(coalesce(check_at, 'infinity'),
                                     scope_now(:tenantId, :environment) + make_interval(secs => :seconds)) end,
          provider_applicant_id = case when not :forget then provider_applicant_id end,
          updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('kyc_record')} and id = :id`,
      { id, eventAt, seconds, forget },
    ),
);

/** What an event does to its record, which is locked, without changing its status. */
export async function noteEvent(db: Db, scope: Scope, id: string, change: EventNote): Promise<void> {
  const { lastEventAt, askInSeconds, forget } = change;
  await db.rows(note(scope, { id, eventAt: lastEventAt ?? null, seconds: askInSeconds, forget }));
}

const learn = statement<{ id: string }, { id: string; applicantId: string }>('kyc_learn_applicant', ({ id, applicantId }) =>
  raw(
    `update kyc_record k set provider_applicant_id = :applicantId, updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('k')} and k.id = :id and k.provider_applicant_id is null
     and not exists (select from kyc_event e
                     where ${ofTenant('e')} and e.applicant_id = :applicantId
                       and e.type in ('applicantDeleted', 'applicantPersonalDataDeleted'))
     and not exists (select from kyc_record o
                     where ${ofTenant('o')} and o.provider_applicant_id = :applicantId)
   returning k.id`,
    { id, applicantId },
  ),
);

/** Unless the applicant was deleted, whichever event came first, or is another record's: false then, or when it was known. */
export async function learnApplicant(db: Db, scope: Scope, id: string, applicantId: string): Promise<boolean> {
  return (await db.row(learn(scope, { id, applicantId }))) !== undefined;
}

const forget = statement<{ count: number }, { days: number; limit: number }>('kyc_forget_old_events', ({ days, limit }) =>
  raw(
    `with gone as (
     delete from kyc_event e where ${ofTenant('e')} and e.ctid = any (array(
       select o.ctid from kyc_event o
       where ${ofTenant('o')} and o.outcome <> 'unmatched' and o.vendor_created_at is not null
         and greatest(o.received_at, o.vendor_created_at) < now() - make_interval(days => :days)
       order by greatest(o.received_at, o.vendor_created_at) limit :limit for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
    { days, limit },
  ),
);

/** Those that nobody waits for, and whose age tells them apart when they come again. */
export async function forgetOldEvents(db: Db, scope: Scope, days: number, limit: number): Promise<number> {
  return (await db.row(forget(scope, { days, limit })))?.count ?? 0;
}
