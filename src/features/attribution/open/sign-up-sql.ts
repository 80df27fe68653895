/**
 * Whom a new member is placed under, as common table expressions of the statement that makes it: one look, and the
 * receipt of just what it saw. The rule is that of decide-attribution.ts, by which each receipt can be decided again.
 * Source: docs/specification/attribution.md#sign-up.
 */
import { ofTenant } from '../../../db/tenant-condition.ts';
import { openLeadOf } from '../../leads/open/lead-sql.ts';
import { REFERRAL_DEFAULTS } from '../../referrals/open/referral-settings.ts';
import { insertReceiptsOfMembers } from './receipt-sql.ts';

/** The parameters that `sponsorChoice` takes. */
export interface SponsorChoice {
  sponsorId: string | null;
  sponsorCode: string | null;
  /** The code as a receipt may keep it. */
  codeReference: string | null;
  /** The id inside a click id that is genuine. */
  clickId: string | null;
  /** Why it is not; null of one that is. */
  clickState: 'invalid' | 'other_environment' | null;
  /** The click as a receipt may keep it; null where none was named. */
  clickReference: string | null;
  /** No lead is asked: the member is to be a root unless a sponsor was named. */
  asRoot: boolean;
  /** Whether the person is known to have the email: a lead is found, and converted, by that alone. */
  takesLead: boolean;
  /** Sources that are refused, and not passed over, when they cannot sponsor; `{a,b}`. */
  refusing: string;
}

const clickAge = 'make_interval(hours => 24 * settings.window_days)';

/**
 * `clock`, `settings`, `ranked` with every candidate, `sponsor` with the one that won, `refused` with the one for which
 * nobody is made. A member is looked up by a value of its own: under row-level security a bare coalesce would not be
 * looked up in the index. `now` is the scope's clock. Times are compared to the millisecond, as receipts keep them.
 */
export const sponsorChoice = (now: string): string => `
   clock as materialized (select ${now} as now),
   settings as (
     select coalesce(s.attribution_model, '${REFERRAL_DEFAULTS.attributionModel}') as model,
            coalesce(s.attribution_window_days, ${REFERRAL_DEFAULTS.attributionWindowDays}) as window_days,
            date_trunc('milliseconds', clock.now) as as_of
     from clock left join referral_settings s on ${ofTenant('s')}),
   found as (
     select 1 as rank, 'explicit_user' as source, :sponsorId::text as reference, 'usable' as state,
            :sponsorId::uuid as member_id, null::timestamptz as at, true as named
     where :sponsorId::uuid is not null
     union all
     select 2, 'referral_code', :codeReference::text,
            case when c.id is null then 'unknown' when c.status <> 'active' then 'retired' else 'usable' end, c.member_id, null, true
     from (values (1)) one left join lateral (
       select p.id, p.status, p.member_id from referral_code p
       where ${ofTenant('p')} and p.code = any (array[upper(:sponsorCode::text)]) order by p.code limit 1) c on true
     where :sponsorCode::text is not null
     union all
     select 3, 'click', :clickReference::text,
            coalesce(:clickState::text, case when k.id is null then 'unknown' else 'usable' end), k.member_id,
            date_trunc('milliseconds', k.clicked_at), true
     from (values (1)) one left join lateral (
       select p.id, p.member_id, p.clicked_at from referral_click p
       where ${ofTenant('p')} and p.id = any (array[:clickId::uuid]) order by p.id limit 1) k on true
     where :clickReference::text is not null
     union all
     select 4, 'lead', l.id::text, case when :asRoot::boolean then 'set_aside' else 'usable' end, l.referrer_user_id,
            date_trunc('milliseconds', coalesce((
              select r.as_of from attribution_receipt r where ${ofTenant('r')} and r.id = l.receipt_id), l.created_at)), false
     from clock cross join lateral (${openLeadOf('case when :takesLead::boolean then :emailNorm::text end', 'clock.now')}) l
     where l.referrer_user_id is not null),
   judged as (
     select f.rank, f.source, f.reference, f.at, f.named, m.id, m.parent_id, m.is_active,
            case when f.state <> 'usable' then f.state when m.id is null then 'unknown'
                 when not m.can_recruit then 'not_recruiting' else 'usable' end as state
     from found f left join lateral (
       select p.id, p.parent_id, p.is_active, p.can_recruit from member p
       where ${ofTenant('p')} and p.id = any (array[f.member_id]) order by p.id limit 1) m on true),
   ranked as materialized (
     select j.*, case when j.state <> 'usable' then upper(j.state)
                      when j.source in ('click', 'lead') and j.at > settings.as_of then 'AFTER'
                      when j.source = 'click' and j.at < settings.as_of - ${clickAge} then 'OUTSIDE_WINDOW' end as unfit
     from judged j cross join settings),
   sponsor as materialized (select id, parent_id, rank, source from ranked where unfit is null order by rank limit 1),
   refused as (
     select r.source, r.state from ranked r
     where r.unfit is not null and r.source = any (:refusing::text[])
       and (r.source <> 'click' or r.state in ('unknown', 'invalid', 'other_environment'))
       and r.rank < coalesce((select s.rank from sponsor s), 5)
     order by r.rank limit 1)`;

/**
 * The receipt of the member in the CTE that is named, where anything had to be found out: a sponsor whom the tenant names
 * by its id, with no lead beside it, needs no explanation.
 */
export const insertSignUpReceipt = (member: string): string =>
  insertReceiptsOfMembers(`(
       select uuidv7() as id, ${member}.id as placed_member_id, coalesce(s.source, 'none') as rule, s.id as winner_id,
              settings.model, settings.window_days, settings.as_of, c.candidates, ${member}.created_at
       from ${member} cross join settings left join sponsor s on true
       cross join (
         select jsonb_agg(jsonb_build_object(
                  'source', r.source, 'reference', r.reference, 'state', r.state, 'memberId', r.id, 'memberActive', r.is_active,
                  'at', r.at, 'named', r.named,
                  'lost', case when r.rank is distinct from (select w.rank from sponsor w) then coalesce(r.unfit, 'OUTRANKED') end)
                  order by r.rank) as candidates
         from ranked r having bool_or(r.source <> 'explicit_user')) c)`);
