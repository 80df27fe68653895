/** The capture of a lead in SQL, with the receipt of what it was attributed by. */
import { type Actor, actorRef } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import type { NewReceipt } from '../attribution/open/receipt.ts';
import { insertReceiptsOfLeads } from '../attribution/open/receipt-sql.ts';
import { type Lead, type LeadRow, leadActors, toLead } from './leads-queries.ts';

/** What a capture says; absent values are null. */
export interface Capture {
  /** Lower case, NFC. */
  email: string;
  name: string | null;
  phone: string | null;
  source: string | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  clickId: string | null;
}

/** What follows from it. */
export interface CaptureOutcome {
  /** Null: the lead keeps the referrer it has, or none. */
  referrerUserId: string | null;
  /** The code that won. */
  referralCode: string | null;
  leadExpiryDays: number | null;
  /** Who has the email as a member already: the lead is converted. */
  memberId: string | null;
  /** Undefined when nobody was named. */
  receipt: (NewReceipt & { contentKey: Buffer }) | undefined;
}

const BLANKS = ['name', 'phone', 'source', 'utm_source', 'utm_medium', 'utm_campaign', 'click_id'];

/** A lead whose life is not over, at the time of the capture. */
const isOpen = (row: string, now: string): string =>
  `${row}.conversion_status in ('captured', 'qualified') and coalesce(${row}.expires_at > ${now}, true)`;

/** By what the lead is credited: the first capture that finds a referrer sets them all, while the lead is open. */
const creditedBy = (column: string): string =>
  `${column} = case when excluded.referrer_user_id is not null and ${isOpen('lead', 'excluded.created_at')}
                    then excluded.${column} else lead.${column} end`;

/** The person is a member already, and the lead was open still. */
const becomesMember = `(excluded.converted_member_id is not null and ${isOpen('lead', 'excluded.created_at')})`;

/** It fills a blank, or says of an open lead who referred it or what became of it. */
const changesLead = `(coalesce(excluded.referrer_user_id, excluded.converted_member_id) is not null and ${isOpen('lead', 'excluded.created_at')}
         or ${BLANKS.map((column) => `(lead.${column} is null and excluded.${column} is not null)`).join(' or ')})`;

type ReceiptValues = Pick<NewReceipt, 'rule' | 'winnerId' | 'model' | 'windowDays' | 'asOf' | 'selfId'> & { contentKey: Buffer };

type CaptureValues = Capture &
  Omit<CaptureOutcome, 'receipt'> & { [Name in keyof ReceiptValues]: ReceiptValues[Name] | null } & {
    candidates: string | null;
    actor: string;
  };

/**
 * One statement behind the email's lock. A later capture fills blanks only. The referrer is a blank too until one was
 * found, and stays one when the lead is over, which gets no receipt either. A member's lead is converted from the start. `xmax = 0` tells an insert from an update.
 * A receipt that says the same as one of the lead's is not stored; one by which a referrer is found says what none did
 * before.
 */
interface CaptureRow extends LeadRow {
  inserted: boolean;
  /** Whether the row says anything else than before. Its time does not tell: the clock of a SANDBOX may stand still. */
  changed: boolean;
  /** Whether it is converted that was not before. */
  turned: boolean;
}

const capture = statement<CaptureRow, CaptureValues>('leads_capture', (places) =>
  raw(
    `with clock as materialized (
     select ${SCOPE_NOW} as now,
            uuidv7() as receipt_id),
   stored as (
     insert into lead (tenant_id, environment, email, name, phone, source, utm_source, utm_medium, utm_campaign, click_id,
                       referrer_user_id, referral_code, attribution_rule, receipt_id, expires_at, created_at, updated_at,
                       conversion_status, converted_member_id, created_by)
     select :tenantId, :environment, :email, :name, :phone, :source, :utmSource, :utmMedium, :utmCampaign, :clickId,
            :referrerUserId::uuid, :referralCode, case when :referrerUserId is not null then :rule::text end,
            case when :referrerUserId is not null then clock.receipt_id end,
            case when :leadExpiryDays::int is not null
                 then least(clock.now + :leadExpiryDays * interval '24 hours', '9999-12-31T23:59:59Z') end,
            clock.now, clock.now, case when :memberId::uuid is null then 'captured' else 'converted' end, :memberId::uuid,
            :actor
     from clock
     on conflict (tenant_id, environment, email) do update set
       ${BLANKS.map((column) => `${column} = coalesce(lead.${column}, excluded.${column})`).join(', ')},
       ${['referrer_user_id', 'referral_code', 'attribution_rule', 'receipt_id'].map(creditedBy).join(',\n       ')},
       conversion_status = case when ${becomesMember} then 'converted' else lead.conversion_status end,
       converted_member_id = case when ${becomesMember} then excluded.converted_member_id else lead.converted_member_id end,
       updated_at = case when ${changesLead} then excluded.updated_at else lead.updated_at end,
       updated_by = case when ${changesLead} then excluded.created_by else lead.updated_by end
     returning new.*, xmax = 0 as inserted, (old.*) is distinct from (new.*) as changed,
               new.conversion_status = 'converted' and old.conversion_status is distinct from 'converted' as turned),
   receipt as (
     ${insertReceiptsOfLeads(`(
       select clock.receipt_id as id, stored.id as lead_id, :rule::text as rule, :winnerId::uuid as winner_id,
              :model::text as model, :windowDays::int as window_days, :asOf::timestamptz as as_of, :selfId::uuid as self_id,
              :candidates::jsonb as candidates, :contentKey::bytea as content_key, clock.now as created_at
       from stored cross join clock
       where :rule::text is not null and (stored.inserted or ${isOpen('stored', 'clock.now')}))`)})
   select stored.*, ${leadActors('stored')} from stored`,
    {
      email: places.email,
      name: places.name,
      phone: places.phone,
      source: places.source,
      utmSource: places.utmSource,
      utmMedium: places.utmMedium,
      utmCampaign: places.utmCampaign,
      clickId: places.clickId,
      referrerUserId: places.referrerUserId,
      referralCode: places.referralCode,
      leadExpiryDays: places.leadExpiryDays,
      memberId: places.memberId,
      rule: places.rule,
      winnerId: places.winnerId,
      model: places.model,
      windowDays: places.windowDays,
      asOf: places.asOf,
      selfId: places.selfId,
      candidates: places.candidates,
      contentKey: places.contentKey,
      actor: places.actor,
    },
  ),
);

export interface StoredCapture {
  lead: Lead;
  created: boolean;
  /** What tenants are told of it; null where nothing is other than before. */
  type: 'lead.captured' | 'lead.updated' | 'lead.converted' | null;
}

/** Inserts the lead or fills the blanks of the one there is. */
export async function storeCapture(
  db: Db,
  scope: Scope,
  said: Capture,
  { receipt, ...outcome }: CaptureOutcome,
  actor: Actor,
): Promise<StoredCapture> {
  const row = await db.row(
    capture(scope, {
      ...said,
      ...outcome,
      rule: receipt?.rule ?? null,
      winnerId: receipt?.winnerId ?? null,
      model: receipt?.model ?? null,
      windowDays: receipt?.windowDays ?? null,
      asOf: receipt?.asOf ?? null,
      selfId: receipt?.selfId ?? null,
      candidates: receipt ? JSON.stringify(receipt.candidates) : null,
      contentKey: receipt?.contentKey ?? null,
      actor: actorRef(actor),
    }),
  );
  if (!row) throw new Error('the capture of a lead returned no row');
  return { lead: toLead(row), created: row.inserted && outcome.memberId === null, type: typeOf(row) };
}

/** A member's lead is converted by the capture that finds it open. */
function typeOf({ inserted, changed, turned }: CaptureRow): StoredCapture['type'] {
  if (turned) return 'lead.converted';
  if (inserted) return 'lead.captured';
  return changed ? 'lead.updated' : null;
}
