import type { Knex } from 'knex';

const PART = "check (part in ('credited', 'own', 'test'))";

/** Sums of the sales credited to members, by local day and year, with what is not folded yet beside them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- A rollup that is begun while what it sums goes on is not ready until all of that is in it: nothing is read from it
-- before. since_xid is a transaction that began when the row was seen by others: behind it everybody notes down what
-- the rollup sums.
alter table rollup_state add column ready boolean not null default true;
alter table rollup_state add column since_xid xid8;
alter table rollup_state drop constraint rollup_state_rollup_check;
alter table rollup_state add constraint rollup_state_rollup_check check (rollup in ('downline', 'commissions', 'sales')) not valid;
-- Few rows at any time, and looked for every second.
create index rollup_state_unready_idx on rollup_state (tenant_id, environment) where not ready;

-- What a purchase adds and what takes it back, in the time of the sale.
create table sales_pending (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  id uuid not null default uuidv7(),
  occurred_at timestamptz not null,
  currency text not null,
  part text not null ${PART},
  base_minor bigint not null,
  amount_minor bigint not null,
  sales smallint not null check (sales in (-1, 0, 1)),
  primary key (tenant_id, environment, member_id, id)
);
call raise_tenant_wall('sales_pending');
call open_sandbox_to_eraser('sales_pending');
grant select, insert, delete on sales_pending to svc_app, svc_worker;
create policy resolver_reads on sales_pending for select to svc_auth using (true);
grant select (tenant_id, environment, member_id, id) on sales_pending to svc_auth;
alter table sales_pending set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The part stands behind the day: the days of a period are one range of the key.
create table sales_day (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  currency text not null,
  day date not null,
  part text not null ${PART},
  base_minor bigint not null,
  amount_minor bigint not null,
  sales int not null,
  primary key (tenant_id, environment, member_id, currency, day, part)
);
create table sales_year (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  currency text not null,
  year smallint not null,
  part text not null ${PART},
  base_minor bigint not null,
  amount_minor bigint not null,
  sales int not null,
  primary key (tenant_id, environment, member_id, currency, year, part)
);
${['sales_day', 'sales_year']
  .map(
    (table) => `
call raise_tenant_wall('${table}');
call open_sandbox_to_eraser('${table}');
grant select, insert, update, delete on ${table} to svc_app, svc_worker;
alter table ${table} set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.01);`,
  )
  .join('\n')}

-- Whether sales of the scope are noted down, asked behind the insert of the sale. It is volatile and so looks anew, when
-- the transaction has its number: one that does not see the row has a lower number than any that begins once it is seen.
create function records_sales(of_tenant uuid, of_environment text) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from public.rollup_state s
    where s.tenant_id = of_tenant and s.environment = of_environment and s.rollup = 'sales');
end $$;
revoke all on function records_sales(uuid, text) from public;
grant execute on function records_sales(uuid, text) to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop function records_sales(uuid, text);
drop table sales_year;
drop table sales_day;
drop table sales_pending;
drop index rollup_state_unready_idx;
alter table rollup_state no force row level security;
delete from rollup_state where rollup = 'sales';
alter table rollup_state force row level security;
alter table rollup_state drop constraint rollup_state_rollup_check;
alter table rollup_state add constraint rollup_state_rollup_check check (rollup in ('downline', 'commissions')) not valid;
alter table rollup_state validate constraint rollup_state_rollup_check;
alter table rollup_state drop column since_xid;
alter table rollup_state drop column ready;
`);
}
