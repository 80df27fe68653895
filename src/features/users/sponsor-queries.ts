/** Moves in the tree in SQL. All of it runs behind the tree's lock, so what is read here still holds when it is written. */
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

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
 * Undated, a move counts from now, or from the latest change where that is later (a transaction that
 * began later may have been quicker to the lock): it always becomes the present one.
 *
 * `above` walks up from the sponsor through time: each row is a member that is above at some interval,
 * narrowed on the way to when each sponsor held. So it is cut where sponsors changed, and as no
 * instant has had a cycle so far, the move closes one exactly if it comes upon the moved member.
 * `union` ends the walk even if there were one.
 */
const moveFacts = prepared<MoveFacts, [string, string, memberId: string, sponsorId: string | null, effectiveAt: string | null]>(
  'sponsor_move_facts',
  `with recursive latest as (
     select h.valid_from, h.reason from member_sponsor_history h
     where h.tenant_id = $1 and h.environment = $2 and h.member_id = $3
     order by h.valid_from desc, h.id desc limit 1),
   clock as (
     select c.now, coalesce($5::timestamptz, greatest(c.now, (select valid_from from latest))) as effective_at
     from scope_now($1, $2) c(now)),
   above as (
     select $4::uuid as id, clock.effective_at as held_from, coalesce((
       select min(h.valid_from) from member_sponsor_history h
       where h.tenant_id = $1 and h.environment = $2 and h.member_id = $3 and h.valid_from > clock.effective_at), 'infinity') as held_to
     from clock where $4::uuid is not null
     union
     select s.sponsor_id, greatest(above.held_from, s.valid_from), least(above.held_to, s.valid_to)
     from above
     cross join lateral (
       select h.sponsor_id, h.valid_from, lead(h.valid_from, 1, 'infinity') over (order by h.valid_from, h.id) as valid_to
       from member_sponsor_history h where h.tenant_id = $1 and h.environment = $2 and h.member_id = above.id
       union all
       select m.parent_id, '-infinity', 'infinity' from member m
       where m.tenant_id = $1 and m.environment = $2 and m.id = above.id
         and not exists (select from member_sponsor_history h
                         where h.tenant_id = $1 and h.environment = $2 and h.member_id = above.id)) s
     where above.id <> $3 and s.sponsor_id is not null
       and greatest(above.held_from, s.valid_from) < least(above.held_to, s.valid_to))
   select clock.now, clock.effective_at as "effectiveAt", clock.effective_at::text as "effectiveAtText",
          m.id is not null as "memberFound", m.parent_id as "parentId",
          case when former.found then former.sponsor_id else m.parent_id end as "formerSponsorId",
          latest.valid_from as "latestAt", latest.reason as "latestReason",
          s.id is not null as "sponsorFound", s.can_recruit as "sponsorCanRecruit",
          exists (select from above where above.id = $3) as "closesCycle"
   from clock
   left join latest on true
   left join member m on m.tenant_id = $1 and m.environment = $2 and m.id = $3
   left join member s on s.tenant_id = $1 and s.environment = $2 and s.id = $4
   left join lateral (
     select true as found, h.sponsor_id from member_sponsor_history h
     where h.tenant_id = $1 and h.environment = $2 and h.member_id = $3 and h.valid_from <= clock.effective_at
     order by h.valid_from desc, h.id desc limit 1) former on true`,
);

export async function readMoveFacts(
  db: Db,
  scope: Scope,
  move: { memberId: string; sponsorId: string | null; effectiveAt: string | undefined },
): Promise<MoveFacts> {
  const row = await db.row(moveFacts(scope.tenantId, scope.environment, move.memberId, move.sponsorId, move.effectiveAt ?? null));
  if (!row) throw new Error('a move has no facts');
  return row;
}

/**
 * Sets the member's sponsor to the latest of its history. When that moves it, the ancestors that it
 * leaves lose its size and those it joins gain it, as pending rows (decisions/0004); who is above it
 * before and after counts it already.
 */
const applyMove = prepared<{ moved: number }, [string, string, memberId: string]>(
  'sponsor_apply_move',
  `with recursive moved as (
     select m.id, m.parent_id as former_id, h.sponsor_id as next_id
     from member m
     cross join lateral (
       select s.sponsor_id from member_sponsor_history s
       where s.tenant_id = $1 and s.environment = $2 and s.member_id = m.id
       order by s.valid_from desc, s.id desc limit 1) h
     where m.tenant_id = $1 and m.environment = $2 and m.id = $3),
   down as (
     select id from moved where former_id is distinct from next_id
     union all
     select m.id from down join member m on m.tenant_id = $1 and m.environment = $2 and m.parent_id = down.id),
   size as (select count(*)::int as members from down),
   up as (
     select side.is_next, side.id, 1 as depth
     from moved cross join lateral (values (false, former_id), (true, next_id)) side(is_next, id)
     where former_id is distinct from next_id and side.id is not null
     union all
     select up.is_next, m.parent_id, up.depth + 1 from up
     join member m on m.tenant_id = $1 and m.environment = $2 and m.id = up.id
     where m.parent_id is not null),
   changed as (
     select is_next, array_agg(id order by depth) as ids
     from (select up.*, count(*) over (partition by id) as sides from up) counted where sides = 1 group by is_next),
   pending as (
     insert into downline_pending (tenant_id, environment, member_id, ancestor_ids, delta)
     select $1, $2, $3, changed.ids, case when changed.is_next then size.members else -size.members end from changed, size),
   applied as (
     update member m set parent_id = moved.next_id, has_history = true, updated_at = now()
     from moved where m.tenant_id = $1 and m.environment = $2 and m.id = moved.id)
   select members as moved from size`,
);

/** The frame's last statement. Returns how many members changed their place: the moved one and its downline, or none. */
export async function applySponsorMove(db: WriteDb, scope: Scope, memberId: string): Promise<number> {
  const row = await db.lastRow(applyMove(scope.tenantId, scope.environment, memberId));
  if (!row) throw new Error('a move has no size');
  return row.moved;
}
