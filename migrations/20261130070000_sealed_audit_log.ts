import type { Knex } from 'knex';

/** The audit log: sealed into blocks chained by hash, dropped from its beginning only, with addresses beside it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Each serves one filter in the order of the list. Times are found by the ids.
drop index audit_log_object_idx;
create index audit_log_object_idx on audit_log (tenant_id, environment, object_id, id);
create index audit_log_object_kind_idx on audit_log (tenant_id, environment, object_kind, id);
create index audit_log_actor_idx on audit_log (tenant_id, environment, actor_id, id);
create index audit_log_actor_kind_idx on audit_log (tenant_id, environment, actor_kind, id);
create index audit_log_operation_idx on audit_log (tenant_id, environment, operation_id, id);

-- Entries that no block holds yet. Sealing consumes the rows: no watermark could tell an entry that was committed late
-- from one that is sealed.
create table audit_unsealed (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  entry_id uuid not null,
  primary key (tenant_id, environment, entry_id)
);
alter table audit_log no force row level security;
insert into audit_unsealed select tenant_id, environment, id from audit_log;
alter table audit_log force row level security;
call raise_tenant_wall('audit_unsealed');
grant select, insert, delete on audit_unsealed to svc_app, svc_worker;

create function note_unsealed_entry() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (tenant_id, environment, entry_id) select tenant_id, environment, id from new_entries;
  return null;
end $$;
create trigger note_unsealed after insert on audit_log referencing new table as new_entries
  for each statement execute function note_unsealed_entry();

create table audit_block (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  seq bigint not null check (seq > 0),
  prev_hash bytea not null check (length(prev_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  entry_count int not null check (entry_count > 0),
  -- When the newest of its entries was written.
  newest_at timestamptz not null,
  sealed_at timestamptz not null default now(),
  primary key (tenant_id, environment, seq)
);
create trigger append_only before update or delete on audit_block for each statement execute function refuse_change();
call raise_tenant_wall('audit_block');
grant select, insert on audit_block to svc_app, svc_worker;

create table audit_block_entry (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  block_seq bigint not null,
  position int not null check (position > 0),
  entry_id uuid not null,
  hash bytea not null check (length(hash) = 32),
  primary key (tenant_id, environment, block_seq, position),
  constraint audit_block_entry_entry_key unique (tenant_id, environment, entry_id),
  constraint audit_block_entry_block_fkey foreign key (tenant_id, environment, block_seq) references audit_block,
  constraint audit_block_entry_entry_fkey foreign key (tenant_id, environment, entry_id) references audit_log
);
create trigger append_only before update or delete on audit_block_entry for each statement execute function refuse_change();
call raise_tenant_wall('audit_block_entry');
grant select, insert on audit_block_entry to svc_app, svc_worker;

-- Where a chain begins, and when its age is looked at next. Before anything was dropped it says no more than that.
create table audit_head (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  look_at timestamptz not null default now(),
  -- The last block that was dropped, and how many entries went with it and those before it.
  seq bigint not null default 0,
  hash bytea check (length(hash) = 32),
  entry_count bigint not null default 0,
  newest_at timestamptz,
  signature bytea check (length(signature) = 32),
  primary key (tenant_id, environment),
  constraint audit_head_whole_check check (
    case when seq = 0 then hash is null and entry_count = 0 and newest_at is null and signature is null
         else seq > 0 and hash is not null and entry_count > 0 and newest_at is not null and signature is not null end)
);
create index audit_head_look_idx on audit_head (tenant_id, environment, look_at);
create index audit_head_any_look_idx on audit_head ((look_at at time zone 'UTC'));
call raise_tenant_wall('audit_head');
grant select, insert (tenant_id, environment, look_at), update (look_at) on audit_head to svc_app, svc_worker;

-- Personal data, which is forgotten while its entry stays. No foreign key: an entry is never removed before it.
create table audit_origin (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  entry_id uuid not null,
  ip text not null check (length(ip) between 1 and 100),
  recorded_at timestamptz not null default now(),
  primary key (tenant_id, environment, entry_id)
);
create index audit_origin_recorded_idx on audit_origin (tenant_id, environment, recorded_at);
call raise_tenant_wall('audit_origin');
grant select, insert, delete on audit_origin to svc_app, svc_worker;

-- The eraser reaches rows of LIVE in these tables alone, and only inside drop_audit_blocks().
do $$
declare
  opened text;
begin
  foreach opened in array array['audit_log', 'audit_block', 'audit_block_entry', 'audit_origin', 'audit_head']
  loop
    execute format($policy$create policy retention on %I to svc_eraser
      using (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)
             and environment = (select nullif(current_setting('app.environment', true), ''))
             and (select current_setting('app.audit_retention', true)) = 'on')$policy$, opened);
    execute format('grant select, delete on %I to svc_eraser', opened);
  end loop;
end $$;
grant update (seq, hash, entry_count, newest_at, signature) on audit_head to svc_eraser;

-- Drops the blocks up to one, whole and from the beginning only, and says so in the head. Returns the number of entries.
-- What is younger than 30 days stays, whatever the settings say.
grant create on schema public to svc_eraser;
create function drop_audit_blocks(last_seq bigint, signed bytea) returns bigint
  language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  of_tenant constant uuid := nullif(current_setting('app.tenant_id', true), '');
  of_environment constant text := nullif(current_setting('app.environment', true), '');
  ending audit_block;
  counted bigint;
  dropped bigint;
begin
  perform set_config('app.audit_retention', 'on', true);
  select b.* into ending from audit_block b
  where b.tenant_id = of_tenant and b.environment = of_environment and b.seq = last_seq;
  select sum(b.entry_count) into counted from audit_block b
  where b.tenant_id = of_tenant and b.environment = of_environment and b.seq <= last_seq;
  if ending.seq is null or exists (
    select from audit_block b where b.tenant_id = of_tenant and b.environment = of_environment and b.seq <= last_seq
      and b.newest_at > now() - interval '30 days'
  ) then
    raise exception 'audit block % is not to be dropped', last_seq using errcode = 'restrict_violation';
  end if;
  with entry as (
    delete from audit_block_entry e where e.tenant_id = of_tenant and e.environment = of_environment and e.block_seq <= last_seq
    returning e.entry_id),
  origin as (
    delete from audit_origin o where o.tenant_id = of_tenant and o.environment = of_environment
      and o.entry_id in (select entry.entry_id from entry)),
  written as (
    delete from audit_log a where a.tenant_id = of_tenant and a.environment = of_environment
      and a.id in (select entry.entry_id from entry)
    returning 1),
  block as (
    delete from audit_block b where b.tenant_id = of_tenant and b.environment = of_environment and b.seq <= last_seq)
  select count(*) into dropped from written;
  if dropped <> counted then
    raise exception 'the audit blocks up to % do not hold the entries they say', last_seq using errcode = 'restrict_violation';
  end if;
  update audit_head h
  set seq = ending.seq, hash = ending.hash, entry_count = h.entry_count + dropped, newest_at = ending.newest_at, signature = signed
  where h.tenant_id = of_tenant and h.environment = of_environment;
  if not found then
    raise exception 'the audit log has no head' using errcode = 'restrict_violation';
  end if;
  perform set_config('app.audit_retention', '', true);
  return dropped;
end $$;
revoke all on function drop_audit_blocks(bigint, bytea) from public;
grant execute on function drop_audit_blocks(bigint, bytea) to svc_app, svc_worker;
alter function drop_audit_blocks(bigint, bytea) owner to svc_eraser;
revoke create on schema public from svc_eraser;
`);
}

/** What was dropped stays dropped. The chain is lost; another migration forward seals what there is anew. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop function drop_audit_blocks(bigint, bytea);
drop table audit_origin;
drop table audit_head;
drop table audit_block_entry;
drop table audit_block;
drop trigger note_unsealed on audit_log;
drop function note_unsealed_entry();
drop table audit_unsealed;
drop policy retention on audit_log;
drop policy if exists sandbox_erasure on audit_log;
revoke select, delete on audit_log from svc_eraser;
drop index audit_log_object_kind_idx;
drop index audit_log_actor_idx;
drop index audit_log_actor_kind_idx;
drop index audit_log_operation_idx;
drop index audit_log_object_idx;
create index audit_log_object_idx on audit_log (tenant_id, environment, object_kind, object_id, id);
`);
}
