/** The vendor's events in SQL: each delivery once, until it is forgotten; and what they do to a record beside its status. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import { type KycRecord, recordColumns } from './kyc-record-queries.ts';
import type { VendorEvent } from './vendor-payload.ts';

const find = prepared<{ id: string }, [string, string, digest: Buffer]>(
  'kyc_find_event',
  `select e.id from kyc_event e
   where e.tenant_id = $1 and e.environment = $2 and e.provider = 'kycvendor' and e.body_digest = $3`,
);

export async function hasEvent(db: Db, scope: Scope, digest: Buffer): Promise<boolean> {
  return (await db.row(find(scope.tenantId, scope.environment, digest))) !== undefined;
}

type Naming = [string, string, memberId: string | null, applicantId: string | null];

/** Two lookups, each in an index of its own: for an `or` of both the planner may read all records of the tenant. */
const lockNamed = prepared<KycRecord, Naming>(
  'kyc_lock_records_of_event',
  `select ${recordColumns} from kyc_record k
   where k.tenant_id = $1 and k.environment = $2 and k.id = any (array[
     (select m.id from kyc_record m where m.tenant_id = $1 and m.environment = $2 and m.member_id = $3),
     (select a.id from kyc_record a where a.tenant_id = $1 and a.environment = $2 and a.provider_applicant_id = $4)])
   order by k.id for no key update`,
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
  const rows = await db.rows(lockNamed(scope.tenantId, scope.environment, memberId, applicantId));
  const record = rows.find((row) => row.memberId === memberId) ?? rows[0];
  return record && { record, applicantIsAnothers: rows.length > 1 };
}

const erased = prepared<{ erased: boolean }, [string, string, memberId: string]>(
  'kyc_member_erased',
  `select m.erased_at is not null as erased from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $3`,
);

/** Asked when the record is locked, which an erasure locks first. */
export async function isMemberErased(db: Db, scope: Scope, memberId: string): Promise<boolean> {
  return (await db.row(erased(scope.tenantId, scope.environment, memberId)))?.erased === true;
}

const insert = prepared<
  { id: string },
  [
    string,
    string,
    digest: Buffer,
    type: string,
    applicantId: string | null,
    externalUserId: string | null,
    correlationId: string | null,
    createdAt: Date | null,
    recordId: string | null,
    outcome: string,
    body: string,
  ]
>(
  'kyc_insert_event',
  `insert into kyc_event (tenant_id, environment, provider, body_digest, type, applicant_id, external_user_id, correlation_id,
                          vendor_created_at, kyc_record_id, outcome, body)
   values ($1, $2, 'kycvendor', $3, $4, $5, $6, $7, $8, $9, $10, $11)
   on conflict (tenant_id, environment, provider, body_digest) do nothing
   returning id`,
);

/** Undefined when it is there already. */
export async function insertEvent(
  db: Db,
  scope: Scope,
  event: VendorEvent,
  { recordId, outcome }: { recordId: string | null; outcome: string },
): Promise<string | undefined> {
  const { digest, type, applicantId, externalUserId, correlationId, createdAt, body } = event;
  const { tenantId, environment } = scope;
  const row = await db.row(
    insert(tenantId, environment, digest, type, applicantId, externalUserId, correlationId, createdAt, recordId, outcome, body),
  );
  return row?.id;
}

export interface EventNote {
  /** Of the event, where it counts. */
  lastEventAt: Date | undefined;
  /** Null: not sooner than it would be anyway. */
  askInSeconds: number | null;
  forget: boolean;
}

const note = prepared<unknown, [string, string, id: string, eventAt: Date | null, seconds: number | null, forget: boolean]>(
  'kyc_note_event',
  `update kyc_record set last_event_at = coalesce($4, last_event_at),
          check_at = case when $5::integer is null then check_at
                          else least(coalesce(check_at, 'infinity'), scope_now($1, $2) + make_interval(secs => $5)) end,
          provider_applicant_id = case when not $6 then provider_applicant_id end, updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3`,
);

/** What an event does to its record, which is locked, without changing its status. */
export async function noteEvent(db: Db, scope: Scope, id: string, change: EventNote): Promise<void> {
  const { lastEventAt, askInSeconds, forget } = change;
  await db.rows(note(scope.tenantId, scope.environment, id, lastEventAt ?? null, askInSeconds, forget));
}

const learn = prepared<unknown, [string, string, id: string, applicantId: string]>(
  'kyc_learn_applicant',
  `update kyc_record k set provider_applicant_id = $4, updated_at = scope_now($1, $2)
   where k.tenant_id = $1 and k.environment = $2 and k.id = $3 and k.provider_applicant_id is null
     and not exists (select from kyc_event e
                     where e.tenant_id = $1 and e.environment = $2 and e.applicant_id = $4
                       and e.type in ('applicantDeleted', 'applicantPersonalDataDeleted'))
     and not exists (select from kyc_record o
                     where o.tenant_id = $1 and o.environment = $2 and o.provider_applicant_id = $4)`,
);

/** Unless the applicant was deleted, whichever event came first, or is another record's. */
export async function learnApplicant(db: Db, scope: Scope, id: string, applicantId: string): Promise<void> {
  await db.rows(learn(scope.tenantId, scope.environment, id, applicantId));
}

const forget = prepared<{ count: number }, [string, string, days: number, limit: number]>(
  'kyc_forget_old_events',
  `with gone as (
     delete from kyc_event e where e.tenant_id = $1 and e.environment = $2 and e.ctid = any (array(
       select o.ctid from kyc_event o
       where o.tenant_id = $1 and o.environment = $2 and o.outcome <> 'unmatched' and o.vendor_created_at is not null
         and greatest(o.received_at, o.vendor_created_at) < now() - make_interval(days => $3)
       order by greatest(o.received_at, o.vendor_created_at) limit $4 for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
);

/** Those that nobody waits for, and whose age tells them apart when they come again. */
export async function forgetOldEvents(db: Db, scope: Scope, days: number, limit: number): Promise<number> {
  return (await db.row(forget(scope.tenantId, scope.environment, days, limit)))?.count ?? 0;
}
