/** Leads of a person, as they are erased and exported, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { byId, type ExportList, exportList, jsonListOf, ofMember, type Person, utc } from '../../house/personal.ts';
import { formerEmailsOf } from '../users/open/member-sql.ts';

type OfPerson = Pick<Person, 'memberId' | 'emailsNorm'>;

const OF_PERSON = `${ofTenant('l')} and (l.email = any (:emailsNorm) or l.converted_member_id = :memberId)`;

const lock = statement<unknown, OfPerson>('erasure_lock_leads', ({ memberId, emailsNorm }) =>
  raw(`select l.id from lead l where ${OF_PERSON} order by l.id for update`, { memberId, emailsNorm }),
);

/** Whoever changes a lead, and the sweep that lets them expire, lock its row alone. It comes behind the tree's lock, as where a lead becomes a member. */
export function lockLeads({ tenantId, environment }: Scope, { memberId, emailsNorm }: Person): Statement<unknown> {
  return lock({ tenantId, environment }, { memberId, emailsNorm });
}

const erase = statement<unknown, OfPerson>('erasure_leads', ({ memberId, emailsNorm }) =>
  raw(
    `update lead l set email = 'erased-' || gen_random_uuid() || '@erased.invalid', name = null, phone = null, click_id = null, source = null,
          utm_source = null, utm_medium = null, utm_campaign = null, referral_code = null,
          conversion_status = case when l.conversion_status in ('captured', 'qualified') then 'disqualified' else l.conversion_status end,
          updated_at = scope_now(:tenantId, :environment)
   where ${OF_PERSON}`,
    { memberId, emailsNorm },
  ),
);

/**
 * Those with the email, and the one that became the member, whatever its email. Who referred it stays. One that is still open is pursued no more: nobody is at the address that stands in its place.
 */
export function eraseLeads({ tenantId, environment }: Scope, { memberId, emailsNorm }: Person): Statement<unknown> {
  return erase({ tenantId, environment }, { memberId, emailsNorm });
}

const codes = statement<unknown, { memberId: string }>('erasure_lead_codes', ({ memberId }) =>
  raw(
    `update lead l set referral_code = null
   where ${ofTenant('l')} and l.referrer_user_id = :memberId and l.referral_code is not null`,
    { memberId },
  ),
);

/** The member's code on the leads that it referred: it may be a name. Whom they were referred by stays. */
export function eraseCodesOfLeads({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return codes({ tenantId, environment }, { memberId });
}

export const leadsOfPersonJson: string = jsonListOf(
  {
    id: 'l.id',
    email: 'l.email',
    name: 'l.name',
    phone: 'l.phone',
    source: 'l.source',
    utmSource: 'l.utm_source',
    utmMedium: 'l.utm_medium',
    utmCampaign: 'l.utm_campaign',
    clickId: 'l.click_id',
    conversionStatus: 'l.conversion_status',
    createdAt: utc('l.created_at'),
  },
  `lead l where ${ofTenant('l')} and (l.email = m.email_norm or l.converted_member_id = m.id or l.email in (${formerEmailsOf('m.id')}))`,
  'l.id',
);

export const leadsReferred: ExportList = exportList(
  'export_leads_referred',
  byId('l'),
  { id: 'l.id', createdAt: utc('l.created_at') },
  `lead l ${ofMember('l', 'referrer_user_id')}`,
);
