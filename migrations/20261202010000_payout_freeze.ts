import type { Knex } from 'knex';

/**
 * Which database server the payouts were made on: on another one, or on another timeline of it, they are frozen until they
 * have been matched with what the banks and the vendors know.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Where the host of the database does not tell, both are the same everywhere: then nothing is frozen by itself.
create function cluster_identity() returns table (system_identifier text, timeline integer)
language plpgsql volatile set search_path = pg_catalog as $$
begin
  return query select s.system_identifier::text,
                      -- Not of the control file: that has the former timeline until the first checkpoint behind a promotion.
                      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer
               from pg_control_system() s;
exception when insufficient_privilege or feature_not_supported or undefined_function or object_not_in_prerequisite_state then
  return query select 'hidden'::text, 0;
end $$;

create table payout_freeze (
  single boolean primary key default true check (single),
  system_identifier text not null check (length(system_identifier) <= 40),
  timeline integer not null,
  remembered_at timestamptz not null default now(),
  -- By an operator, for what the server cannot know: a volume that was put back.
  frozen_at timestamptz,
  -- Why the payouts went on although something was not matched.
  forced_reason text check (length(forced_reason) <= 500)
);
insert into payout_freeze (system_identifier, timeline) select c.system_identifier, c.timeline from cluster_identity() c;
grant select on payout_freeze to svc_app, svc_worker, svc_admin;
grant update (system_identifier, timeline, remembered_at, frozen_at, forced_reason) on payout_freeze to svc_app, svc_worker;

-- No row: not frozen. What was matched counts for one freeze alone, which freeze_id names.
create function payout_freeze_state() returns table (reason text, freeze_id text)
language sql volatile set search_path = pg_catalog, public as $$
  select case when f.frozen_at is not null then 'by_hand'
              when f.system_identifier <> c.system_identifier then 'other_server'
              else 'other_timeline' end,
         concat_ws(':', c.system_identifier, c.timeline, extract(epoch from f.frozen_at))
  from payout_freeze f cross join cluster_identity() c
  where f.frozen_at is not null or f.system_identifier <> c.system_identifier or f.timeline <> c.timeline
$$;

create table payout_reconciliation (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  -- Which freeze it was matched in, as payout_freeze_state() names it.
  freeze_id text not null check (length(freeze_id) <= 100),
  -- When nothing was left to match with the vendor, and with the bank.
  vendor_at timestamptz,
  bank_at timestamptz,
  -- Ids at the vendor that a person has judged.
  accepted text[] not null default '{}' check (cardinality(accepted) <= 10000),
  primary key (tenant_id, environment)
);
call raise_tenant_wall('payout_reconciliation');
grant select, insert, update on payout_reconciliation to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table payout_reconciliation;
drop function payout_freeze_state();
drop table payout_freeze;
drop function cluster_identity();
`);
}
