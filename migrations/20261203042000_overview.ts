import type { Knex } from 'knex';

/** What the overview tells of a tenant as a whole, without reading its members or lines. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- All commissions of a local day by their status, folded with the rollups of the members.
create table commission_total (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  currency text not null,
  day date not null,
  status text not null,
  amount_minor bigint not null,
  lines int not null,
  primary key (tenant_id, environment, currency, day, status)
);
alter table commission_rollup no force row level security;
insert into commission_total (tenant_id, environment, currency, day, status, amount_minor, lines)
select r.tenant_id, r.environment, r.currency, r.bucket, r.status, sum(r.amount_minor)::bigint, sum(r.lines)::int
from commission_rollup r where r.grain = 'day'
group by 1, 2, 3, 4, 5 having sum(r.amount_minor) <> 0 or sum(r.lines) <> 0;
alter table commission_rollup force row level security;
call raise_tenant_wall('commission_total');
grant select, insert, update, delete on commission_total to svc_app, svc_worker;

-- The few among many that somebody has to look at.
create index commission_line_held_idx on commission_line (tenant_id, environment, id) where status = 'held';
create index payout_failed_idx on payout (tenant_id, environment, id) where status = 'failed';
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index payout_failed_idx;
drop index commission_line_held_idx;
drop table commission_total;
`);
}
