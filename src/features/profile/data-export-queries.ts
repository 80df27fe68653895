/** What is held on a member, in SQL: one row of what there is little of, and lists page by page as JSON. */
import type { Environment } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { MembershipTier } from '../../http/schemas.ts';
import type { Address } from './profile-queries.ts';

const utc = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export interface ExportHead {
  id: string;
  email: string;
  name: string | null;
  externalId: string | null;
  membershipTier: MembershipTier;
  parentId: string | null;
  isActive: boolean;
  canRecruit: boolean;
  isTestUser: boolean;
  payCurrency: string;
  createdAt: Date;
  updatedAt: Date;
  erasedAt: Date | null;
  givenName: string | null;
  surname: string | null;
  dateOfBirth: string | null;
  idNumberSealed: Buffer | null;
  countryCode: string | null;
  address: Address | null;
  referralCodes: object[];
  leads: object[];
  kyc: object | null;
}

/** No row: no such member. */
export const exportHead = prepared<ExportHead, [string, string, memberId: string]>(
  'export_head',
  `select m.id, m.email, m.name, m.external_id as "externalId", m.membership_tier as "membershipTier", m.parent_id as "parentId",
          m.is_active as "isActive", m.can_recruit as "canRecruit", m.is_test_user as "isTestUser", m.pay_currency as "payCurrency",
          m.created_at as "createdAt", m.updated_at as "updatedAt", m.erased_at as "erasedAt",
          p.given_name as "givenName", p.surname, p.date_of_birth::text as "dateOfBirth", p.id_number_sealed as "idNumberSealed",
          p.country_code as "countryCode", p.address,
          (select coalesce(json_agg(json_build_object('code', c.code, 'status', c.status, 'createdAt', ${utc('c.created_at')})
                                    order by c.id), '[]')
           from referral_code c
           where c.tenant_id = $1 and c.environment = $2 and c.member_id = m.id) as "referralCodes",
          (select coalesce(json_agg(json_build_object('id', l.id, 'email', l.email, 'name', l.name, 'phone', l.phone,
                                                      'source', l.source, 'utmSource', l.utm_source, 'utmMedium', l.utm_medium,
                                                      'utmCampaign', l.utm_campaign, 'clickId', l.click_id,
                                                      'conversionStatus', l.conversion_status,
                                                      'createdAt', ${utc('l.created_at')}) order by l.id), '[]')
           from lead l
           where l.tenant_id = $1 and l.environment = $2 and (l.email = m.email_norm or l.converted_member_id = m.id)) as leads,
          (select json_build_object('id', k.id, 'provider', k.provider, 'providerApplicantId', k.provider_applicant_id,
                                    'status', k.status, 'rejectionReason', k.rejection_reason, 'verifiedAt', ${utc('k.verified_at')},
                                    'createdAt', ${utc('k.created_at')}, 'updatedAt', ${utc('k.updated_at')})
           from kyc_record k where k.tenant_id = $1 and k.environment = $2 and k.member_id = m.id) as kyc
   from member m
   left join member_profile p on p.tenant_id = $1 and p.environment = $2 and p.member_id = m.id
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3`,
);

export interface ListedRow {
  /** Its place in the list, after which the next page begins. */
  at: readonly string[];
  json: string;
}

export interface ExportList {
  name: string;
  start: readonly string[];
  page(
    tenantId: string,
    environment: Environment,
    memberId: string,
    after: readonly string[],
    count: number,
  ): Statement<ListedRow>;
}

type PageValues = [string, Environment, memberId: string, after: readonly string[], count: number];

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** `order` has the columns of the place with their types; `from` ends with the conditions on whose rows they are. */
function list(
  name: string,
  statementName: string,
  order: [column: string, type: string, lowest: string][],
  fields: Record<string, string>,
  from: string,
): ExportList {
  const columns = order.map(([column]) => column).join(', ');
  const after = order.map(([, type], index) => `($4::text[])[${index + 1}]::${type}`).join(', ');
  const json = Object.entries(fields).map(([field, column]) => `'${field}', ${column}`);
  return {
    name,
    start: order.map(([, , lowest]) => lowest),
    page: prepared<ListedRow, PageValues>(
      statementName,
      `select array[${order.map(([column]) => `${column}::text`).join(', ')}] as at, json_build_object(${json.join(', ')})::text as json
       from ${from} and (${columns}) > (${after}) order by ${columns} limit $5`,
    ),
  };
}

const byId = (alias: string): [string, string, string][] => [[`${alias}.id`, 'uuid', LOWEST_ID]];
const mine = (alias: string, column: string): string =>
  `where ${alias}.tenant_id = $1 and ${alias}.environment = $2 and ${alias}.${column} = $3`;

const MY_RECORD = '(select k.id from kyc_record k where k.tenant_id = $1 and k.environment = $2 and k.member_id = $3)';

/** In the order of the document. */
export const EXPORT_LISTS: readonly ExportList[] = [
  list(
    'customers',
    'export_customers',
    byId('c'),
    { id: 'c.id', externalId: 'c.external_id', email: 'c.email', name: 'c.name', createdAt: utc('c.created_at') },
    `member m join customer c on c.tenant_id = $1 and c.environment = $2 and (lower(c.email) = m.email_norm or c.email = m.email)
     ${mine('m', 'id')}`,
  ),
  list(
    'leadsReferred',
    'export_leads_referred',
    byId('l'),
    { id: 'l.id', createdAt: utc('l.created_at') },
    `lead l ${mine('l', 'referrer_user_id')}`,
  ),
  list(
    'referralLinks',
    'export_referral_links',
    byId('l'),
    {
      id: 'l.id',
      slug: 'l.slug',
      destinationUrl: 'l.destination_url',
      name: 'l.name',
      status: 'l.status',
      expiresAt: utc('l.expires_at'),
      createdAt: utc('l.created_at'),
    },
    `referral_link l ${mine('l', 'member_id')}`,
  ),
  list(
    'commissions',
    'export_commissions',
    [['l.currency', 'text', ''], ['l.occurred_at', 'timestamptz', '-infinity'], ...byId('l')],
    {
      id: 'l.id',
      eventId: 'l.event_id',
      kind: 'l.kind',
      status: 'l.status',
      level: 'l.level',
      amountMinor: 'l.amount_minor',
      currency: 'l.currency',
      occurredAt: utc('l.occurred_at'),
    },
    `commission_line l ${mine('l', 'beneficiary_id')}`,
  ),
  list(
    'ledgerEntries',
    'export_ledger_entries',
    [
      ['p.currency', 'text', ''],
      ['p.journal_id', 'uuid', LOWEST_ID],
      ['p.seq', 'smallint', '-1'],
    ],
    {
      journalId: 'p.journal_id',
      seq: 'p.seq',
      account: 'p.account',
      amountMinor: 'p.amount_minor',
      currency: 'p.currency',
      causeType: 'j.cause_type',
      causeId: 'j.cause_id',
      recordedAt: utc('j.recorded_at'),
    },
    `posting p cross join lateral (
       select j.cause_type, j.cause_id, j.recorded_at from journal_entry j
       where j.tenant_id = $1 and j.environment = $2 and j.id = p.journal_id offset 0) j
     ${mine('p', 'member_id')}`,
  ),
  list(
    'payoutAccounts',
    'export_payout_accounts',
    byId('a'),
    {
      id: 'a.id',
      providerType: 'a.provider_type',
      methodType: 'a.method_type',
      displayName: 'a.display_name',
      bankName: 'a.bank_name',
      country: 'a.country',
      currency: 'a.currency',
      isPrimary: 'a.is_primary',
      status: 'a.status',
      statusReason: 'a.status_reason',
      tosAcceptance: 'a.tos_acceptance',
      createdAt: utc('a.created_at'),
    },
    `payout_account a ${mine('a', 'member_id')}`,
  ),
  list(
    'identities',
    'export_identities',
    byId('i'),
    { id: 'i.id', providerId: 'a.provider_id', subject: 'i.subject', createdAt: utc('i.created_at') },
    `member_identity i
     join auth_provider a on a.tenant_id = $1 and a.environment = $2 and a.id = i.auth_provider_id ${mine('i', 'member_id')}`,
  ),
  list(
    'sessions',
    'export_sessions',
    byId('s'),
    { id: 's.id', createdAt: utc('s.created_at'), revokedAt: utc('s.revoked_at') },
    `token_family s ${mine('s', 'member_id')}`,
  ),
  list(
    'kycDocuments',
    'export_kyc_documents',
    byId('d'),
    {
      id: 'd.id',
      documentType: 'd.document_type',
      fileName: 'd.file_name',
      mimeType: 'd.mime_type',
      fileSize: 'd.file_size',
      status: 'd.status',
      rejectionReason: 'd.rejection_reason',
      reviewedAt: utc('d.reviewed_at'),
      createdAt: utc('d.created_at'),
    },
    `kyc_document d where d.tenant_id = $1 and d.environment = $2 and d.kyc_record_id = ${MY_RECORD}`,
  ),
  list(
    'kycEvents',
    'export_kyc_events',
    byId('e'),
    { id: 'e.id', type: 'e.type', vendorCreatedAt: utc('e.vendor_created_at'), receivedAt: utc('e.received_at') },
    `kyc_event e where e.tenant_id = $1 and e.environment = $2 and e.kyc_record_id = ${MY_RECORD}`,
  ),
  list(
    'auditEntries',
    'export_audit_entries',
    byId('a'),
    {
      id: 'a.id',
      action: 'a.action',
      actor: "json_build_object('kind', a.actor_kind, 'id', a.actor_id)",
      details: 'a.details',
      createdAt: utc('a.recorded_at'),
    },
    `audit_log a where a.tenant_id = $1 and a.environment = $2 and (a.object_kind, a.object_id) in (('member', $3::uuid::text), ('kyc_record', ${MY_RECORD}::text))`,
  ),
];
