/** Leads in SQL. Rows never leave this file unmapped. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export interface Lead {
  id: string;
  email: string;
  name: string | null;
  phone: string | null;
  referrerUserId: string | null;
  conversionStatus: 'captured' | 'qualified' | 'converted' | 'disqualified' | 'expired';
  source: string | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  clickId: string | null;
  createdAt: Date;
}

interface LeadRow {
  id: string;
  email: string;
  name: string | null;
  phone: string | null;
  referrer_user_id: string | null;
  conversion_status: Lead['conversionStatus'];
  source: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  click_id: string | null;
  created_at: Date;
  inserted: boolean;
}

/** What a capture says; absent values are null. */
export interface Capture {
  /** Lower case, NFC. */
  email: string;
  name: string | null;
  phone: string | null;
  referralCode: string | null;
  source: string | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  clickId: string | null;
}

/**
 * One statement, so that a thousand captures of one email make one lead. A later capture fills
 * blanks only; the referrer is a blank too until a known code has set it. `xmax = 0` tells an
 * insert from an update. An already captured email of a member stays as it is.
 */
const upsert = prepared<LeadRow, [string, string, ...(string | null)[]]>(
  'leads_upsert',
  `with referrer as (
     select c.member_id, c.code from referral_code c
     where c.tenant_id = $1 and c.environment = $2 and c.code = upper($6) and c.status = 'active')
   insert into lead (tenant_id, environment, email, name, phone, referrer_user_id, referral_code,
                     source, utm_source, utm_medium, utm_campaign, click_id)
   values ($1, $2, $3, $4, $5, (select member_id from referrer), (select code from referrer), $7, $8, $9, $10, $11)
   on conflict (tenant_id, environment, email) do update set
     name = coalesce(lead.name, excluded.name),
     phone = coalesce(lead.phone, excluded.phone),
     referral_code = case when lead.referrer_user_id is null then excluded.referral_code else lead.referral_code end,
     referrer_user_id = coalesce(lead.referrer_user_id, excluded.referrer_user_id),
     source = coalesce(lead.source, excluded.source),
     utm_source = coalesce(lead.utm_source, excluded.utm_source),
     utm_medium = coalesce(lead.utm_medium, excluded.utm_medium),
     utm_campaign = coalesce(lead.utm_campaign, excluded.utm_campaign),
     click_id = coalesce(lead.click_id, excluded.click_id),
     updated_at = now()
   returning *, xmax = 0 as inserted`,
);

/** Inserts the lead or fills the blanks of the one there is. */
export async function upsertLead(db: Db, scope: Scope, capture: Capture): Promise<{ lead: Lead; created: boolean }> {
  const row = await db.row(
    upsert(
      scope.tenantId,
      scope.environment,
      capture.email,
      capture.name,
      capture.phone,
      capture.referralCode,
      capture.source,
      capture.utmSource,
      capture.utmMedium,
      capture.utmCampaign,
      capture.clickId,
    ),
  );
  if (!row) throw new Error('the upsert of a lead returned no row');
  return { lead: toLead(row), created: row.inserted };
}

function toLead(row: LeadRow): Lead {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    phone: row.phone,
    referrerUserId: row.referrer_user_id,
    conversionStatus: row.conversion_status,
    source: row.source,
    utmSource: row.utm_source,
    utmMedium: row.utm_medium,
    utmCampaign: row.utm_campaign,
    clickId: row.click_id,
    createdAt: row.created_at,
  };
}
