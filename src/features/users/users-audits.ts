/** What the doctor asks of members: that they are a tree, and that the tree and each member agree with their history. */
import { sameTenant } from '../../db/tenant-condition.ts';
import type { Audit } from '../../doctor/audit.ts';

export const usersAudits: readonly Audit[] = [
  {
    id: 'I-8',
    title: 'the tree has no cycle',
    sql: `with recursive reached as (
            select tenant_id, environment, id from member where parent_id is null
            union
            select m.tenant_id, m.environment, m.id from reached r
            join member m on ${sameTenant('m', 'r')} and m.parent_id = r.id)
          select tenant_id, environment, id as member_id from member
          except select tenant_id, environment, id from reached`,
  },
  {
    id: 'H-1',
    title: "a member's tier, activity, sponsor, group and standing are the latest of its history",
    sql: `select m.tenant_id, m.environment, m.id as member_id from member m
          where m.membership_tier is distinct from coalesce((select h.membership_tier from member_tier_history h
              where ${sameTenant('h', 'm')} and h.member_id = m.id
              order by h.valid_from desc, h.id desc limit 1), m.membership_tier)
             or m.is_active is distinct from coalesce((select h.is_active from member_activity_history h
              where ${sameTenant('h', 'm')} and h.member_id = m.id
              order by h.valid_from desc, h.id desc limit 1), m.is_active)
             or m.group_key is distinct from coalesce((select h.group_key from member_group_history h
              where ${sameTenant('h', 'm')} and h.member_id = m.id
              order by h.valid_from desc, h.id desc limit 1), m.group_key)
             or m.standing is distinct from coalesce((select h.standing from member_standing_history h
              where ${sameTenant('h', 'm')} and h.member_id = m.id
              order by h.valid_from desc, h.id desc limit 1), m.standing)
             or exists (select from (select h.sponsor_id from member_sponsor_history h
                 where ${sameTenant('h', 'm')} and h.member_id = m.id
                 order by h.valid_from desc, h.id desc limit 1) latest where latest.sponsor_id is distinct from m.parent_id)`,
  },
  {
    // As sales are paid: only who has has_history set is asked for its history. A minute's grace, for
    // a move may be committed between this transaction's begin, which now() is, and its first read.
    id: 'H-2',
    title: 'as of now the upline by history is the tree',
    sql: `with scope as (
            select s.tenant_id, s.environment, scope_now(s.tenant_id, s.environment) + interval '1 minute' as now
            from (select distinct tenant_id, environment from member_sponsor_history) s)
          select m.tenant_id, m.environment, m.id as member_id, m.parent_id, h.sponsor_id as sponsor_by_history
          from scope join member m on ${sameTenant('m', 'scope')}
          join lateral (
            select s.sponsor_id from member_sponsor_history s
            where ${sameTenant('s', 'm')} and s.member_id = m.id and s.valid_from <= scope.now
            order by s.valid_from desc, s.id desc limit 1) h on true
          where h.sponsor_id is distinct from m.parent_id or not m.has_history`,
  },
];
