import type { Knex } from 'knex';

/** Journals that cannot grow, sealed into blocks chained by hash; and the erasure of a SANDBOX. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table journal_entry drop constraint journal_entry_cause_type_check;
alter table journal_entry
  -- The transaction that made the journal, the only one that may post to it.
  add column made_by xid8 not null default pg_current_xact_id(),
  add constraint journal_entry_cause_type_check check (cause_type in ('event', 'clearing', 'hold', 'release', 'void', 'write_off')) not valid;

-- One check a journal at commit, however many statements posted to it. (One a posting would read a
-- journal of n postings n times.)
drop trigger journal_balanced on posting;
create or replace function assert_journal_balanced() returns trigger language plpgsql as $$
begin
  if not exists (
    select from posting p
    where p.tenant_id = new.tenant_id and p.environment = new.environment and p.journal_id = new.id
  ) or exists (
    select from posting p
    where p.tenant_id = new.tenant_id and p.environment = new.environment and p.journal_id = new.id
    group by p.currency having sum(p.amount_minor) <> 0
  ) then
    raise exception 'journal % does not balance', new.id using errcode = 'check_violation', constraint = 'journal_balanced';
  end if;
  return null;
end $$;
create constraint trigger journal_balanced after insert on journal_entry
  deferrable initially deferred for each row execute function assert_journal_balanced();

create function assert_journal_open() returns trigger language plpgsql as $$
declare
  closed uuid;
begin
  select n.journal_id into closed from (select distinct tenant_id, environment, journal_id from new_postings) n
    join journal_entry j on j.tenant_id = n.tenant_id and j.environment = n.environment and j.id = n.journal_id
    where j.made_by <> pg_current_xact_id() limit 1;
  if found then
    raise exception 'journal % takes no more postings', closed using errcode = 'restrict_violation', constraint = 'journal_open';
  end if;
  return null;
end $$;
create trigger journal_open after insert on posting referencing new table as new_postings
  for each statement execute function assert_journal_open();

-- Journals that no block holds yet. Sealing consumes the rows: no watermark could tell a journal
-- that was committed late from one that is sealed.
create table ledger_unsealed (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  journal_id uuid not null,
  primary key (tenant_id, environment, journal_id)
);
alter table journal_entry no force row level security;
insert into ledger_unsealed select tenant_id, environment, id from journal_entry;
alter table journal_entry force row level security;
call raise_tenant_wall('ledger_unsealed');
grant select, insert, delete on ledger_unsealed to svc_app, svc_worker;

create function note_unsealed_journal() returns trigger language plpgsql as $$
begin
  insert into ledger_unsealed (tenant_id, environment, journal_id) select tenant_id, environment, id from new_journals;
  return null;
end $$;
create trigger note_unsealed after insert on journal_entry referencing new table as new_journals
  for each statement execute function note_unsealed_journal();

create table ledger_block (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  seq bigint not null check (seq > 0),
  prev_hash bytea not null check (length(prev_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  entry_count int not null check (entry_count > 0),
  sealed_at timestamptz not null default now(),
  primary key (tenant_id, environment, seq)
);
create trigger append_only before update or delete on ledger_block for each statement execute function refuse_change();
call raise_tenant_wall('ledger_block');
grant select, insert on ledger_block to svc_app, svc_worker;

create table ledger_block_entry (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  block_seq bigint not null,
  position int not null check (position > 0),
  journal_id uuid not null,
  hash bytea not null check (length(hash) = 32),
  primary key (tenant_id, environment, block_seq, position),
  constraint ledger_block_entry_journal_key unique (tenant_id, environment, journal_id),
  constraint ledger_block_entry_block_fkey foreign key (tenant_id, environment, block_seq) references ledger_block,
  constraint ledger_block_entry_journal_fkey foreign key (tenant_id, environment, journal_id) references journal_entry
);
create trigger append_only before update or delete on ledger_block_entry for each statement execute function refuse_change();
call raise_tenant_wall('ledger_block_entry');
grant select, insert on ledger_block_entry to svc_app, svc_worker;

-- A member's postings in the order they were made: balances and the running balance from one index.
drop index posting_member_idx;
create index posting_member_idx on posting (tenant_id, environment, member_id, currency, journal_id, seq)
  include (account, amount_minor) where member_id is not null;

do $$
declare
  opened text;
begin
  foreach opened in array array['ledger_block_entry', 'ledger_block', 'ledger_unsealed', 'posting', 'journal_entry', 'commission_action',
    'commission_line', 'event_detail', 'event', 'customer', 'lead', 'downline_pending', 'member_tier_history',
    'member_activity_history', 'member_sponsor_history', 'referral_code', 'member', 'commission_plan_version', 'commission_plan',
    'exchange_rate', 'sandbox_clock']
  loop
    call open_sandbox_to_eraser(opened);
  end loop;
end $$;

-- Everything of the frame's SANDBOX but its API keys and Idempotency-Keys. The policies of svc_eraser
-- let it see nothing else. Returns the number of events and members it erased.
grant create on schema public to svc_eraser;
create function erase_sandbox() returns table (events bigint, members bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp
as $$
begin
  if coalesce(current_setting('app.environment', true), '') <> 'SANDBOX' then
    raise exception 'only a SANDBOX can be erased' using errcode = 'insufficient_privilege';
  end if;
  delete from ledger_block_entry where true;
  delete from ledger_block where true;
  delete from ledger_unsealed where true;
  delete from posting where true;
  delete from journal_entry where true;
  -- Lines and the actions on them name each other: one statement, checked at its end.
  with actions as (delete from commission_action where true)
  delete from commission_line where true;
  delete from event_detail where true;
  delete from event where true;
  get diagnostics events = row_count;
  delete from lead where true;
  delete from customer where true;
  delete from downline_pending where true;
  delete from member_tier_history where true;
  delete from member_activity_history where true;
  delete from member_sponsor_history where true;
  delete from referral_code where true;
  delete from member where true;
  get diagnostics members = row_count;
  delete from commission_plan_version where true;
  delete from commission_plan where true;
  delete from exchange_rate where true;
  delete from sandbox_clock where true;
  return next;
end $$;
revoke all on function erase_sandbox() from public;
grant execute on function erase_sandbox() to svc_app;
alter function erase_sandbox() owner to svc_eraser;
revoke create on schema public from svc_eraser;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop function erase_sandbox();
do $$
declare
  opened text;
begin
  foreach opened in array array['posting', 'journal_entry', 'commission_action', 'commission_line', 'event_detail', 'event', 'customer',
    'lead', 'downline_pending', 'member_tier_history', 'member_activity_history', 'member_sponsor_history', 'referral_code', 'member',
    'commission_plan_version', 'commission_plan', 'exchange_rate', 'sandbox_clock']
  loop
    execute format('drop policy sandbox_erasure on %I', opened);
    execute format('revoke select, delete on %I from svc_eraser', opened);
  end loop;
end $$;
drop index posting_member_idx;
create index posting_member_idx on posting (tenant_id, environment, member_id, currency, account) include (amount_minor)
  where member_id is not null;
drop table ledger_block_entry;
drop table ledger_block;
drop trigger note_unsealed on journal_entry;
drop function note_unsealed_journal();
drop table ledger_unsealed;
drop trigger journal_open on posting;
drop function assert_journal_open();
drop trigger journal_balanced on journal_entry;
create or replace function assert_journal_balanced() returns trigger language plpgsql as $$
begin
  if exists (
    select from posting p
    where p.tenant_id = new.tenant_id and p.environment = new.environment and p.journal_id = new.journal_id
    group by p.currency having sum(p.amount_minor) <> 0
  ) then
    raise exception 'journal % does not balance', new.journal_id using errcode = 'check_violation', constraint = 'journal_balanced';
  end if;
  return null;
end $$;
create constraint trigger journal_balanced after insert on posting
  deferrable initially deferred for each row execute function assert_journal_balanced();
alter table journal_entry drop constraint journal_entry_cause_type_check, drop column made_by;
alter table journal_entry add constraint journal_entry_cause_type_check check (cause_type in ('event'));
`);
}
