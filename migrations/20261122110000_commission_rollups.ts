import type { Knex } from 'knex';

/** Rollups of commission lines for the member summaries: folded, with what is not yet folded beside them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Through which direct recruit of its beneficiary a sale came, as the tree stood at the sale: null at
-- level 1 and 0, which lie below nobody.
alter table commission_line add column leg_id uuid;

-- Of the lines so far. A purchase names everybody it considered, level 1 first; older ones are looked up
-- in the tree as it is. What is linked to a line follows it.
alter table commission_line no force row level security;
alter table event no force row level security;
alter table member no force row level security;
update commission_line l set leg_id = (e.evaluation -> 'upline' -> (l.level - 2) ->> 'id')::uuid
from event e
where e.tenant_id = l.tenant_id and e.environment = l.environment and e.id = l.event_id
  and l.kind = 'commission' and l.level >= 2;
with recursive up as (
  select l.tenant_id, l.environment, l.id, l.level, e.attributed_member_id as leg_id, 2 as above
  from commission_line l
  join event e on e.tenant_id = l.tenant_id and e.environment = l.environment and e.id = l.event_id
  where l.kind = 'commission' and l.level >= 2 and l.leg_id is null
  union all
  select up.tenant_id, up.environment, up.id, up.level, m.parent_id, up.above + 1
  from up join member m on m.tenant_id = up.tenant_id and m.environment = up.environment and m.id = up.leg_id
  where up.above < up.level)
update commission_line l set leg_id = up.leg_id
from up where up.tenant_id = l.tenant_id and up.environment = l.environment and up.id = l.id and up.above = up.level;
update commission_line l set leg_id = o.leg_id
from commission_line o
where o.tenant_id = l.tenant_id and o.environment = l.environment and o.id = l.reverses_line_id and o.leg_id is not null;
alter table member force row level security;
alter table event force row level security;
alter table commission_line force row level security;

-- What lines add to and take from the rollups: one row a line, and two when it changes its status.
-- Held lines count as pending, reversed ones nowhere (docs/specification/hierarchy.md#breakdown).
create table commission_pending (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  id uuid not null default uuidv7(),
  currency text not null,
  occurred_at timestamptz not null,
  source text not null,
  status text not null check (status in ('pending', 'cleared', 'processing', 'paid')),
  level smallint not null,
  leg_id uuid,
  amount_minor bigint not null,
  lines smallint not null check (lines in (-1, 1)),
  primary key (tenant_id, environment, member_id, id)
);
call raise_tenant_wall('commission_pending');
grant select, insert, delete on commission_pending to svc_app, svc_worker;

-- The lines so far, which wait to be folded like any other.
alter table commission_line no force row level security;
alter table commission_pending no force row level security;
insert into commission_pending (tenant_id, environment, member_id, currency, occurred_at, source, status, level, leg_id,
                                amount_minor, lines)
select l.tenant_id, l.environment, l.beneficiary_id, l.currency, l.occurred_at, l.source,
       case l.status when 'held' then 'pending' else l.status end, l.level, l.leg_id, l.amount_minor, 1
from commission_line l where l.status <> 'reversed';
alter table commission_pending force row level security;
alter table commission_line force row level security;

create function note_commission_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into commission_pending (tenant_id, environment, member_id, currency, occurred_at, source, status, level, leg_id,
                                    amount_minor, lines)
    select n.tenant_id, n.environment, n.beneficiary_id, n.currency, n.occurred_at, n.source,
           case n.status when 'held' then 'pending' else n.status end, n.level, n.leg_id, n.amount_minor, 1
    from new_lines n where n.status <> 'reversed';
  else
    insert into commission_pending (tenant_id, environment, member_id, currency, occurred_at, source, status, level, leg_id,
                                    amount_minor, lines)
    select n.tenant_id, n.environment, n.beneficiary_id, n.currency, n.occurred_at, n.source,
           side.status, n.level, n.leg_id, side.sign * n.amount_minor, side.sign
    from new_lines n
    join old_lines o on o.tenant_id = n.tenant_id and o.environment = n.environment and o.id = n.id
    cross join lateral (values (case o.status when 'held' then 'pending' else o.status end, -1),
                               (case n.status when 'held' then 'pending' else n.status end, 1)) side(status, sign)
    where side.status <> 'reversed'
      and case o.status when 'held' then 'pending' else o.status end <> case n.status when 'held' then 'pending' else n.status end;
  end if;
  return null;
end $$;
create trigger note_commission after insert on commission_line referencing new table as new_lines
  for each statement execute function note_commission_change();
create trigger note_commission_status after update on commission_line referencing old table as old_lines new table as new_lines
  for each statement execute function note_commission_change();

-- By the local day and by the local month of the sale.
create table commission_rollup (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  currency text not null,
  grain text not null check (grain in ('day', 'month')),
  bucket date not null,
  source text not null,
  status text not null,
  level smallint not null,
  amount_minor bigint not null,
  lines int not null,
  primary key (tenant_id, environment, member_id, currency, grain, bucket, source, status, level)
);
call raise_tenant_wall('commission_rollup');
grant select, insert, update, delete on commission_rollup to svc_app, svc_worker;

-- What a member earned through each of its direct recruits, reversals netted.
create table commission_leg (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  currency text not null,
  leg_id uuid not null,
  amount_minor bigint not null,
  primary key (tenant_id, environment, member_id, currency, leg_id)
);
-- The best of many recruits, without reading them all.
create index commission_leg_rank_idx on commission_leg (tenant_id, environment, member_id, currency, amount_minor desc, leg_id);
call raise_tenant_wall('commission_leg');
grant select, insert, update, delete on commission_leg to svc_app, svc_worker;

-- What was paid out to a member, without its other postings.
create index posting_paid_out_idx on posting (tenant_id, environment, member_id, currency, journal_id) include (amount_minor)
  where account = 'member:paid_out';
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index posting_paid_out_idx;
drop table commission_leg;
drop table commission_rollup;
drop trigger note_commission_status on commission_line;
drop trigger note_commission on commission_line;
drop function note_commission_change();
drop table commission_pending;
alter table commission_line drop column leg_id;
`);
}
