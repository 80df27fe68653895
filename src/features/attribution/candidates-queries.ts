/** Whom a purchase or a lead could be credited to, in one statement. Nothing is left out here: why one cannot win is the rule's to say. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_FIXED_NOW } from '../../db/scope-clock.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { REFERRAL_DEFAULTS } from '../referrals/open/referral-settings.ts';
import type { AttributionModel, Candidate } from './open/decide-attribution.ts';

/** What was named, and where else to look. What is null is not looked for. */
export interface CandidatesQuery {
  subject: 'purchase' | 'lead';
  /** Null: the scope's clock. */
  asOf: string | null;
  explicitUserId: string | null;
  referralCode: string | null;
  linkId: string | null;
  /** The id inside a click id that is genuine. */
  clickId: string | null;
  leadId: string | null;
  customerExternalId: string | null;
  /** Of the customer or the lead, as emails are compared. */
  emailNorm: string | null;
}

export interface FoundCandidates {
  asOf: Date;
  model: AttributionModel;
  windowDays: number;
  /** Null: leads do not expire. */
  leadExpiryDays: number | null;
  /** The member that has the email of the customer or lead itself. */
  emailMemberId: string | null;
  /** Whether that one is a test member in LIVE. */
  isEmailOfTestUser: boolean;
  candidates: Candidate[];
}

interface CandidateRow extends Omit<Candidate, 'at'> {
  at: string | null;
}

interface FoundRow {
  as_of: Date;
  model: AttributionModel;
  window_days: number;
  lead_expiry_days: number | null;
  email_member: { id: string; test: boolean } | null;
  candidates: CandidateRow[] | null;
}

/** SQL for what the candidates are asked by. */
type CandidatesInputs = Readonly<Record<Exclude<keyof CandidatesQuery, 'subject'>, string>>;

/** Of a customer's clicks one a member is considered, and so many of them, on the side of the window that the model prefers. */
const MOST_CLICKS = 20;

/**
 * The row that has the value in a column of which each has its own. In that order, for by an equality alone all
 * indexes of the scope are one to a planner that has seen the table empty, and its plan then reads the scope whole.
 */
const probe = (table: string, column: string, value: string) =>
  `lateral (
       select p.* from ${table} p where ${ofTenant('p')}
         and p.${column} = any (array[${value}])
       order by p.${column} limit 1)`;

/** Clicks at one instant go as `rank` has them: in the direction of the model too. */
const ofCustomer = (
  of: CandidatesInputs,
  model: AttributionModel,
  direction: 'asc' | 'desc',
) => `select 'click', id::text, 'usable', member_id, clicked_at, false from (
       select distinct on (w.member_id) w.* from (
         select k.id, k.member_id, k.clicked_at from referral_click k
         where ${ofTenant('k')}
           and k.customer_external_id = any (array[${of.customerExternalId}::text])
           and k.clicked_at >= (select as_of from clock) - (select window_days from settings) * interval '24 hours'
           and k.clicked_at <= (select as_of from clock)
           and k.id is distinct from ${of.clickId}::uuid and (select model from settings) = '${model}'
         order by k.customer_external_id ${direction}, k.clicked_at ${direction} offset 0) w
       order by w.member_id, w.clicked_at ${direction}, w.id ${direction}) preferred
     order by clicked_at ${direction}, id ${direction} limit ${MOST_CLICKS}`;

/** A lead counts from when it got its referrer, which may be long after its first capture. */
const LEAD_AT = `coalesce((
       select r.as_of from attribution_receipt r
       where ${ofTenant('r')} and r.id = l.receipt_id), l.created_at)`;

/**
 * Activity is as of the sale or capture, as for everybody who is paid. The click that was named is found
 * whatever its age; of the customer's other clicks those within the window.
 */
const candidatesText = (of: CandidatesInputs): string =>
  `with clock as (
     select coalesce(${of.asOf}::timestamptz,
            ${SCOPE_FIXED_NOW}) as as_of),
   settings as (
     select coalesce(s.attribution_model, '${REFERRAL_DEFAULTS.attributionModel}') as model,
            coalesce(s.attribution_window_days, ${REFERRAL_DEFAULTS.attributionWindowDays}) as window_days,
            case when s.tenant_id is null then ${REFERRAL_DEFAULTS.leadExpiryDays} else s.lead_expiry_days end as lead_expiry_days
     from (values (1)) one left join referral_settings s on ${ofTenant('s')}),
   known as (
     select c.id, c.email_norm, c.first_referrer_id, c.first_referrer_at
       from ${probe('customer', 'external_id', `${of.customerExternalId}::text`)} c),
   mail as (select coalesce(${of.emailNorm}::text, (select k.email_norm from known k)) as norm),
   found as (
     select 'explicit_user' as source, ${of.explicitUserId}::text as reference,
            case when m.id is null then 'unknown' else 'usable' end as state,
            m.id as member_id, null::timestamptz as at, true as named
     from (values (1)) one left join ${probe('member', 'id', `${of.explicitUserId}::uuid`)} m on true
     where ${of.explicitUserId}::uuid is not null
     union all
     select 'referral_code', upper(${of.referralCode}::text),
            case when c.id is null then 'unknown' when c.status <> 'active' then 'retired' else 'usable' end, c.member_id, null, true
     from (values (1)) one left join ${probe('referral_code', 'code', `upper(${of.referralCode}::text)`)} c on true
     where ${of.referralCode}::text is not null
     union all
     select 'link', ${of.linkId}::text,
            case when l.id is null or l.status = 'deleted' then 'unknown' when l.status = 'disabled' then 'disabled'
                 when l.expires_at <= clock.as_of then 'expired' else 'usable' end, l.member_id, null, true
     from clock left join ${probe('referral_link', 'id', `${of.linkId}::uuid`)} l on true
     where ${of.linkId}::uuid is not null
     union all
     select 'first_referrer', k.id::text, 'usable', k.first_referrer_id, k.first_referrer_at, false from known k
     where k.first_referrer_id is not null
     union all
     select 'lead', coalesce(l.id::text, ${of.leadId}::text),
            case when l.id is null then 'unknown' when l.conversion_status = 'disqualified' then 'disqualified'
                 when l.conversion_status <> 'converted' and l.expires_at <= clock.as_of then 'expired'
                 when l.referrer_user_id is null then 'unattributed' else 'usable' end, l.referrer_user_id, ${LEAD_AT}, true
     from clock left join ${probe('lead', 'id', `${of.leadId}::uuid`)} l on true
     where ${of.leadId}::uuid is not null
     union all
     select 'lead', l.id::text,
            case when l.conversion_status = 'disqualified' then 'disqualified'
                 when l.conversion_status <> 'converted' and l.expires_at <= clock.as_of then 'expired'
                 when l.referrer_user_id is null then 'unattributed' else 'usable' end, l.referrer_user_id, ${LEAD_AT}, false
     from clock cross join ${probe('lead', 'email', '(select norm from mail)')} l
     where :subject = 'purchase' and l.id is distinct from ${of.leadId}::uuid
     union all
     select 'standing', l.id::text, 'usable', l.referrer_user_id, l.created_at, false
     from ${probe('lead', 'email', `${of.emailNorm}::text`)} l
     where :subject = 'lead' and l.referrer_user_id is not null
     union all
     select 'click', ${of.clickId}::text, case when k.id is null then 'unknown' else 'usable' end, k.member_id, k.clicked_at, true
     from (values (1)) one left join ${probe('referral_click', 'id', `${of.clickId}::uuid`)} k on true
     where ${of.clickId}::uuid is not null
     union all
     (${ofCustomer(of, 'last_click', 'desc')})
     union all
     (${ofCustomer(of, 'first_click', 'asc')})),
   judged as (
     select f.*, (
       select case when m.has_history then coalesce((
                select h.is_active from member_activity_history h
                where ${ofTenant('h')} and h.member_id = m.id
                  and h.valid_from <= (select as_of from clock)
                order by h.valid_from desc, h.id desc limit 1), m.is_active) else m.is_active end
       from ${probe('member', 'id', 'f.member_id')} m) as active
     from found f)
   select clock.as_of, settings.model, settings.window_days, settings.lead_expiry_days,
          (select json_build_object('id', m.id, 'test', m.is_test_user and :environment = 'LIVE')
           from ${probe('member', 'email_norm', '(select norm from mail)')} m) as email_member,
          (select json_agg(json_build_object('source', j.source, 'reference', j.reference, 'state', j.state,
                                             'memberId', j.member_id, 'memberActive', j.active, 'at', j.at,
                                             'named', j.named)) from judged j) as candidates
   from clock cross join settings`;

const candidates = statement<FoundRow, CandidatesQuery>(
  'attribution_candidates',
  ({ asOf, explicitUserId, referralCode, linkId, clickId, leadId, customerExternalId, emailNorm, subject }) =>
    raw(
      candidatesText({
        asOf: ':asOf',
        explicitUserId: ':explicitUserId',
        referralCode: ':referralCode',
        linkId: ':linkId',
        clickId: ':clickId',
        leadId: ':leadId',
        customerExternalId: ':customerExternalId',
        emailNorm: ':emailNorm',
      }),
      { asOf, explicitUserId, referralCode, linkId, clickId, leadId, customerExternalId, emailNorm, subject },
    ),
);

const candidatesOfMany = statement<FoundRow, { queries: string; subject: CandidatesQuery['subject'] }>(
  'attribution_candidates_of_many',
  ({ queries, subject }) =>
    raw(
      `select f.* from jsonb_to_recordset(:queries::jsonb)
         as q(n int, as_of timestamptz, explicit_user_id uuid, referral_code text, link_id uuid, click_id uuid, lead_id uuid,
              customer_external_id text, email_norm text)
       cross join lateral (${candidatesText({
         asOf: 'q.as_of',
         explicitUserId: 'q.explicit_user_id',
         referralCode: 'q.referral_code',
         linkId: 'q.link_id',
         clickId: 'q.click_id',
         leadId: 'q.lead_id',
         customerExternalId: 'q.customer_external_id',
         emailNorm: 'q.email_norm',
       })}) f
       order by q.n`,
      { queries, subject },
    ),
);

export async function readCandidates(db: Db, scope: Scope, query: CandidatesQuery): Promise<FoundCandidates> {
  const row = await db.row(candidates(scope, query));
  if (!row) throw new Error('the candidates have no row');
  return foundOf(row);
}

/** The same of many purchases, in their order, by one statement. */
export async function readCandidatesOfMany(
  db: Db,
  scope: Scope,
  purchases: readonly Omit<CandidatesQuery, 'subject'>[],
): Promise<FoundCandidates[]> {
  const queries = purchases.map((query, n) => ({
    n,
    as_of: query.asOf,
    explicit_user_id: query.explicitUserId,
    referral_code: query.referralCode,
    link_id: query.linkId,
    click_id: query.clickId,
    lead_id: query.leadId,
    customer_external_id: query.customerExternalId,
    email_norm: query.emailNorm,
  }));
  const rows = await db.rows(candidatesOfMany(scope, { queries: JSON.stringify(queries), subject: 'purchase' }));
  if (rows.length !== purchases.length) throw new Error('the candidates lack rows');
  return rows.map(foundOf);
}

function foundOf(row: FoundRow): FoundCandidates {
  return {
    asOf: row.as_of,
    model: row.model,
    windowDays: row.window_days,
    leadExpiryDays: row.lead_expiry_days,
    emailMemberId: row.email_member?.id ?? null,
    isEmailOfTestUser: row.email_member?.test === true,
    candidates: (row.candidates ?? []).map(({ at, ...candidate }) => ({ ...candidate, at: at === null ? null : new Date(at) })),
  };
}
