/** Moves in the tree in SQL. All of it runs behind the tree's lock, so what is read here still holds when it is written. */
import { shareLock } from '../../db/lock-classes.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_CLOCK_BEHIND } from '../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { memberStep } from '../../db/upline-step-sql.ts';
import { beginRollup, followSponsors, insertPendingCounts } from '../genealogy/open/downline-sql.ts';

/** What a move is decided on. */
export interface MoveFacts {
  now: Date;
  /** When the move begins to count. */
  effectiveAt: Date;
  /** The same to the microsecond, for the database. */
  effectiveAtText: string;
  memberFound: boolean;
  /** The present sponsor. */
  parentId: string | null;
  /** The sponsor that holds at effectiveAt so far. */
  formerSponsorId: string | null;
  /** The latest change so far; both null when the sponsor has held since always. */
  latestAt: Date | null;
  latestReason: string | null;
  sponsorFound: boolean;
  sponsorCanRecruit: boolean | null;
  /** The sponsor is the member or below it at some instant from effectiveAt to the member's next change. */
  closesCycle: boolean;
}

/**
 * Undated, a move counts from now, behind the lock of the history, or from the latest change where that is
 * later (the clock may have gone back): it always becomes the present one.
 *
 * `above` walks up from the sponsor through time: each row is a member that is above at some interval,
 * narrowed on the way to when each sponsor held. So it is cut where sponsors changed, and as no
 * instant has had a cycle so far, the move closes one exactly if it comes upon the moved member.
 * `union` ends the walk even if there were one.
 */
const moveFacts = statement<MoveFacts, { memberId: string; sponsorId: string | null; effectiveAt: string | null }>(
  'sponsor_move_facts',
  ({ memberId, sponsorId, effectiveAt }) =>
    raw(
      `with recursive latest as (
     select h.valid_from, h.reason from member_sponsor_history h
     where ${ofTenant('h')} and h.member_id = :memberId
     order by h.valid_from desc, h.id desc limit 1),
   clock as (
     select scope_now(:tenantId, :environment) as now,
            coalesce(:effectiveAt::timestamptz, greatest(${SCOPE_CLOCK_BEHIND}, (select valid_from from latest))) as effective_at),
   above as (
     select :sponsorId::uuid as id, clock.effective_at as held_from, coalesce((
       select min(h.valid_from) from member_sponsor_history h
       where ${ofTenant('h')} and h.member_id = :memberId and h.valid_from > clock.effective_at), 'infinity') as held_to
     from clock where :sponsorId::uuid is not null
     union
     select s.sponsor_id, greatest(above.held_from, s.valid_from), least(above.held_to, s.valid_to)
     from above
     cross join lateral (
       select h.sponsor_id, h.valid_from, lead(h.valid_from, 1, 'infinity') over (order by h.valid_from, h.id) as valid_to
       from member_sponsor_history h where ${ofTenant('h')} and h.member_id = above.id
       union all
       select m.parent_id, '-infinity', 'infinity' from member m
       where ${ofTenant('m')} and m.id = above.id
         and not exists (select from member_sponsor_history h
                         where ${ofTenant('h')} and h.member_id = above.id)) s
     where above.id <> :memberId and s.sponsor_id is not null
       and greatest(above.held_from, s.valid_from) < least(above.held_to, s.valid_to))
   select clock.now, clock.effective_at as "effectiveAt", clock.effective_at::text as "effectiveAtText",
          m.id is not null as "memberFound", m.parent_id as "parentId",
          case when former.found then former.sponsor_id else m.parent_id end as "formerSponsorId",
          latest.valid_from as "latestAt", latest.reason as "latestReason",
          s.id is not null as "sponsorFound", s.can_recruit as "sponsorCanRecruit",
          exists (select from above where above.id = :memberId) as "closesCycle"
   from clock
   left join latest on true
   left join member m on ${ofTenant('m')} and m.id = :memberId
   left join member s on ${ofTenant('s')} and s.id = :sponsorId
   left join lateral (
     select true as found, h.sponsor_id from member_sponsor_history h
     where ${ofTenant('h')} and h.member_id = :memberId and h.valid_from <= clock.effective_at
     order by h.valid_from desc, h.id desc limit 1) former on true`,
      { memberId, sponsorId, effectiveAt },
    ),
);

export async function readMoveFacts(
  db: Db,
  scope: Scope,
  move: { memberId: string; sponsorId: string | null; effectiveAt: string | undefined },
): Promise<MoveFacts> {
  const row = await db.row(
    moveFacts(scope, { memberId: move.memberId, sponsorId: move.sponsorId, effectiveAt: move.effectiveAt ?? null }),
  );
  if (!row) throw new Error('a move has no facts');
  return row;
}

/**
 * Kept by a move while it reads counts: what folds or rebuilds them stays away
 * (docs/decisions/0004-pending-downline-counts.md).
 */
export const lockFoldsForMove = statement<unknown>('sponsor_lock_folds', () => raw(`select ${shareLock('tree')}`));

/**
 * Sets the member's sponsor to the latest of its history. When that moves it, the ancestors that it
 * leaves lose its counts and those it joins gain them, as pending rows
 * (docs/decisions/0004-pending-downline-counts.md): by month, as the counts are kept, then the active ones,
 * then the first level of both sponsors. Who is above it before and after counts it already. The size is that
 * of its counts, not of a walk down. The months are those of the counts' zone, which is settled by then: in
 * another zone they would be other months.
 */
const applyMove = statement<{ moved: number }, { memberId: string }>('sponsor_apply_move', ({ memberId }) =>
  raw(
    `with recursive moved as (
     select m.id, m.parent_id as former_id, h.sponsor_id as next_id, m.is_active, m.created_at
     from member m
     cross join lateral (
       select s.sponsor_id from member_sponsor_history s
       where ${ofTenant('s')} and s.member_id = m.id
       order by s.valid_from desc, s.id desc limit 1) h
     where ${ofTenant('m')} and m.id = :memberId and m.parent_id is distinct from h.sponsor_id),
   zone as (
     select coalesce((select r.time_zone from rollup_state r
                      where ${ofTenant('r')} and r.rollup = 'downline'), t.reporting_time_zone) as name
     from tenant t where ${theTenant('t')}),
   unfolded as (
     select p.delta, p.active_delta, p.joined_at from downline_pending p
     where ${ofTenant('p')} and p.ancestor_ids @> array[:memberId::uuid]),
   joined as (
     select x.month, sum(x.members)::int as members
     from (select d.month, d.joined as members from downline_month d
           where ${ofTenant('d')} and d.member_id = :memberId
           union all
           select date_trunc('month', u.joined_at at time zone zone.name)::date, u.delta from unfolded u, zone where u.joined_at is not null
           union all
           select date_trunc('month', moved.created_at at time zone zone.name)::date, 1 from moved, zone) x
     group by x.month),
   active as (
     select moved.is_active::int
            + coalesce((select c.active from downline_count c where ${ofTenant('c')} and c.member_id = :memberId), 0)
            + coalesce((select sum(u.active_delta) from unfolded u), 0)::int as members
     from moved),
   up as (
     select side.is_next, side.id, 1 as depth
     from moved cross join lateral (values (false, former_id), (true, next_id)) side(is_next, id)
     where side.id is not null
     union all
     select up.is_next, m.parent_id, up.depth + 1 from up
     ${memberStep('up.id', ['parent_id'])}
     where m.parent_id is not null),
   changed as (
     select is_next, case when is_next then 1 else -1 end as sign, array_agg(id order by depth) as ids
     from (select up.*, count(*) over (partition by id) as sides from up) counted where sides = 1 group by is_next),
   pending as (
     ${insertPendingCounts(`(
       select :memberId::uuid as member_id, changed.ids as ancestor_ids, changed.sign * joined.members as delta, 0 as active_delta,
              start_of_local_day(joined.month, zone.name) as joined_at, null::uuid as sponsor_id, 0 as sponsor_delta
       from changed, joined, zone where joined.members <> 0
       union all
       select :memberId, changed.ids, 0, changed.sign * active.members, null::timestamptz, null::uuid, 0
       from changed, active where active.members <> 0
       union all
       select :memberId, '{}'::uuid[], 0, 0, null::timestamptz, side.id, side.sign
       from moved cross join lateral (values (former_id, -1), (next_id, 1)) side(id, sign) where side.id is not null)`)}),
   begun as (
     ${beginRollup('downline', '(select zone.name from zone where exists (select from moved))')}),
   applied as (
     update member m set parent_id = moved.next_id, has_history = true, updated_at = scope_now(:tenantId, :environment)
     from moved where ${ofTenant('m')} and m.id = moved.id),
   followed as (
     ${followSponsors('(select moved.id as member_id, moved.next_id as sponsor_id from moved)')}),
   noted as (
     update member m set has_history = true
     where ${ofTenant('m')} and m.id = :memberId and not exists (select from moved))
   select case when exists (select from moved) then coalesce(sum(members), 0)::int else 0 end as moved from joined`,
    { memberId },
  ),
);

/** Returns how many members changed their place: the moved one and its downline, or none. */
export async function applySponsorMove(db: Db, scope: Scope, memberId: string): Promise<number> {
  const row = await db.row(applyMove(scope, { memberId }));
  if (!row) throw new Error('a move has no size');
  return row.moved;
}
