import type { Knex } from 'knex';

/** Downline counts: folded, with what is not yet folded beside them; and how they are built anew. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The zone that a scope's rollups fall into months and days by. While the tenant's is another one, its
-- answers come from the rows themselves, until the rollups are built anew.
create table rollup_state (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  rollup text not null check (rollup in ('downline', 'commissions')),
  time_zone text not null,
  rebuilt_at timestamptz,
  primary key (tenant_id, environment, rollup)
);
call raise_tenant_wall('rollup_state');
grant select, insert, update on rollup_state to svc_app, svc_worker;

-- Members without a downline have no row.
create table downline_count (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  -- The first level; the whole downline; of it the active ones.
  direct int not null,
  total int not null,
  active int not null,
  primary key (tenant_id, environment, member_id)
);
-- The largest first, for lists.
create index downline_count_total_idx on downline_count (tenant_id, environment, total, member_id) where total > 0;
call raise_tenant_wall('downline_count');
grant select, insert, update, delete on downline_count to svc_app, svc_worker;

-- The downline by the local month it joined in.
create table downline_month (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  month date not null check (extract(day from month) = 1),
  joined int not null,
  primary key (tenant_id, environment, member_id, month)
);
call raise_tenant_wall('downline_month');
grant select, insert, update, delete on downline_month to svc_app, svc_worker;

-- What a row adds to each of its ancestors: delta to the total, which joined at joined_at (null: nobody
-- joined), active_delta to the active; and sponsor_delta to the first level of its sponsor.
alter table downline_pending
  add column active_delta int not null default 0,
  add column sponsor_id uuid,
  add column sponsor_delta smallint not null default 0,
  add column joined_at timestamptz;
grant delete on downline_pending to svc_app;

-- Builds a scope's counts anew from the parent pointers; returns the number of members. Behind the lock
-- of folding, in which nobody else changes counts; members may go on joining: what the one statement
-- that reads the tree does not see is still pending when this is committed, and is folded afterwards.
-- Levels are summed from the deepest up, so the work grows with the members and not with the depth.
create function rebuild_downline(of_tenant uuid, of_environment text) returns bigint
  language plpgsql volatile set search_path = public, pg_temp set work_mem = '128MB'
as $$
declare
  zone text;
  of_level int;
  counted bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_tenant || ':' || of_environment, 5));
  select t.reporting_time_zone into zone from tenant t where t.id = of_tenant;
  if not found then raise exception 'there is no tenant %', of_tenant; end if;
  delete from downline_count c where c.tenant_id = of_tenant and c.environment = of_environment;
  delete from downline_month c where c.tenant_id = of_tenant and c.environment = of_environment;
  create temp table downline_work (id uuid, parent_id uuid, month date, active int) on commit drop;
  with gone as (delete from downline_pending p where p.tenant_id = of_tenant and p.environment = of_environment)
  insert into downline_work
    select m.id, m.parent_id, date_trunc('month', m.created_at at time zone zone)::date, m.is_active::int
    from member m where m.tenant_id = of_tenant and m.environment = of_environment;
  get diagnostics counted = row_count;
  -- Asked for each member's recruits, at whatever depth: without it each level would read the whole table.
  create index on downline_work (parent_id);
  analyze downline_work;
  create temp table downline_level on commit drop as
    with recursive d as (
      select w.*, 0 as depth from downline_work w where w.parent_id is null
      union all
      select w.*, d.depth + 1 from d join downline_work w on w.parent_id = d.id)
    select * from d;
  create index on downline_level (depth);
  analyze downline_level;
  create temp table downline_sum (depth int, member_id uuid, month date, joined int, active int) on commit drop;
  create index on downline_sum (depth);
  for of_level in reverse coalesce((select max(depth) from downline_level), 0)..1 loop
    insert into downline_sum
      select of_level - 1, x.parent_id, x.month, sum(x.joined), sum(x.active)
      from (select l.parent_id, l.month, 1 as joined, l.active from downline_level l where l.depth = of_level
            union all
            select l.parent_id, s.month, s.joined, s.active
            from downline_level l join downline_sum s on s.depth = of_level and s.member_id = l.id
            where l.depth = of_level) x
      group by x.parent_id, x.month;
  end loop;
  analyze downline_sum;
  -- In the order of their keys, which fills the indexes from left to right.
  insert into downline_month (tenant_id, environment, member_id, month, joined)
    select of_tenant, of_environment, s.member_id, s.month, s.joined from downline_sum s order by s.member_id, s.month;
  insert into downline_count (tenant_id, environment, member_id, direct, total, active)
    select of_tenant, of_environment, s.member_id, d.direct, s.total, s.active
    from (select member_id, sum(joined) as total, sum(active) as active from downline_sum group by member_id) s
    join (select w.parent_id, count(*) as direct from downline_work w group by w.parent_id) d on d.parent_id = s.member_id
    order by s.member_id;
  insert into rollup_state (tenant_id, environment, rollup, time_zone, rebuilt_at)
    values (of_tenant, of_environment, 'downline', zone, now())
    on conflict (tenant_id, environment, rollup) do update set time_zone = excluded.time_zone, rebuilt_at = excluded.rebuilt_at;
  drop table downline_work, downline_level, downline_sum;
  return counted;
end $$;
revoke all on function rebuild_downline(uuid, text) from public;
grant execute on function rebuild_downline(uuid, text) to svc_app, svc_worker;

-- The rows so far say nothing of sponsors, activity and months: the counts come from the tree itself.
do $$
declare
  opened text;
  tables constant text[] := array['member', 'downline_pending', 'downline_count', 'downline_month', 'rollup_state'];
begin
  foreach opened in array tables loop
    execute format('alter table %I no force row level security', opened);
  end loop;
  perform rebuild_downline(s.tenant_id, s.environment) from (select distinct tenant_id, environment from member) s;
  foreach opened in array tables loop
    execute format('alter table %I force row level security', opened);
  end loop;
end $$;

-- Members are found by the beginning of their email and name: in byte order, which an index serves
-- whatever the database's locale.
alter table member add column name_norm text collate "C" check (length(name_norm) <= 510);
alter table member no force row level security;
update member set name_norm = lower(normalize(name, nfc)) where name is not null;
alter table member force row level security;
create index member_name_idx on member (tenant_id, environment, name_norm, id) where name_norm is not null;
-- squawk-ignore changing-column-type
alter table member alter column email_norm type text collate "C";
create index member_joined_idx on member (tenant_id, environment, created_at, id);

-- How many of the leads credited to a member were converted, from the index alone.
drop index lead_referrer_idx;
create index lead_referrer_idx on lead (tenant_id, environment, referrer_user_id, conversion_status);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index lead_referrer_idx;
create index lead_referrer_idx on lead (tenant_id, environment, referrer_user_id);
drop index member_joined_idx;
alter table member alter column email_norm type text collate "default";
drop index member_name_idx;
alter table member drop column name_norm;
drop function rebuild_downline(uuid, text);
-- As one row a member, which the former release reads.
alter table member no force row level security;
alter table downline_pending no force row level security;
delete from downline_pending where true;
insert into downline_pending (tenant_id, environment, member_id, ancestor_ids, delta)
  with recursive up as (
    select tenant_id, environment, id, parent_id as ancestor_id, 1 as depth from member where parent_id is not null
    union all
    select up.tenant_id, up.environment, up.id, m.parent_id, up.depth + 1 from up
    join member m on m.tenant_id = up.tenant_id and m.environment = up.environment and m.id = up.ancestor_id
    where m.parent_id is not null)
  select tenant_id, environment, id, array_agg(ancestor_id order by depth), 1 from up group by 1, 2, 3;
alter table downline_pending force row level security;
alter table member force row level security;
revoke delete on downline_pending from svc_app;
alter table downline_pending drop column active_delta, drop column sponsor_id, drop column sponsor_delta, drop column joined_at;
drop table downline_month;
drop table downline_count;
drop table rollup_state;
`);
}
