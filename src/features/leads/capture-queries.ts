/** The capture of a lead in SQL, with the receipt of what it was attributed by. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { NewReceipt } from '../attribution/receipt.ts';
import { type Lead, type LeadRow, toLead } from './leads-queries.ts';

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

/**
 * One statement behind the email's lock. A later capture fills blanks only. The referrer is a blank too until one was
 * found, and stays one when the lead is over, which gets no receipt either. `xmax = 0` tells an insert from an update.
 * A receipt that says the same as one of the lead's is not stored; one by which a referrer is found says what none did
 * before.
 */
const capture = prepared<LeadRow & { inserted: boolean }, [string, string, ...unknown[]]>(
  'leads_capture',
  `with clock as materialized (
     select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now, uuidv7() as receipt_id),
   stored as (
     insert into lead (tenant_id, environment, email, name, phone, source, utm_source, utm_medium, utm_campaign, click_id,
                       referrer_user_id, referral_code, attribution_rule, receipt_id, expires_at, created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::uuid, $12,
            case when $11 is not null then $14::text end, case when $11 is not null then clock.receipt_id end,
            case when $13::int is not null then least(clock.now + $13 * interval '24 hours', '9999-12-31T23:59:59Z') end,
            clock.now, clock.now
     from clock
     on conflict (tenant_id, environment, email) do update set
       ${BLANKS.map((column) => `${column} = coalesce(lead.${column}, excluded.${column})`).join(', ')},
       ${['referrer_user_id', 'referral_code', 'attribution_rule', 'receipt_id'].map(creditedBy).join(',\n       ')},
       updated_at = case when (excluded.referrer_user_id is not null and ${isOpen('lead', 'excluded.created_at')})
         or ${BLANKS.map((column) => `(lead.${column} is null and excluded.${column} is not null)`).join(' or ')}
         then excluded.updated_at else lead.updated_at end
     returning *, xmax = 0 as inserted),
   receipt as (
     insert into attribution_receipt (tenant_id, environment, id, lead_id, rule, winner_id, model, window_days, as_of, self_id,
                                      candidates, content_key, created_at)
     select $1, $2, clock.receipt_id, stored.id, $14, $15, $16, $17, $18, $19, $20, $21, clock.now
     from stored cross join clock
     where $14::text is not null and (stored.inserted or ${isOpen('stored', 'clock.now')})
     on conflict (tenant_id, environment, lead_id, content_key) where lead_id is not null do nothing)
   select * from stored`,
);

/** Inserts the lead or fills the blanks of the one there is. The frame's last statement. */
export async function storeCapture(
  db: { lastRow: Db['row'] },
  scope: Scope,
  said: Capture,
  { receipt, ...outcome }: CaptureOutcome,
): Promise<{ lead: Lead; created: boolean }> {
  const row = await db.lastRow(
    capture(
      scope.tenantId,
      scope.environment,
      said.email,
      said.name,
      said.phone,
      said.source,
      said.utmSource,
      said.utmMedium,
      said.utmCampaign,
      said.clickId,
      outcome.referrerUserId,
      outcome.referralCode,
      outcome.leadExpiryDays,
      receipt?.rule ?? null,
      receipt?.winnerId ?? null,
      receipt?.model ?? null,
      receipt?.windowDays ?? null,
      receipt?.asOf ?? null,
      receipt?.selfId ?? null,
      receipt ? JSON.stringify(receipt.candidates) : null,
      receipt?.contentKey ?? null,
    ),
  );
  if (!row) throw new Error('the capture of a lead returned no row');
  return { lead: toLead(row), created: row.inserted };
}
