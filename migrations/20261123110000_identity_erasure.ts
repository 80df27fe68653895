import type { Knex } from 'knex';

/** The erasure of a SANDBOX takes members' identities, tokens and profiles; providers stay, as API keys do. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
do $$
declare
  opened text;
begin
  foreach opened in array array['refresh_token', 'token_family', 'member_identity', 'member_profile']
  loop
    call open_sandbox_to_eraser(opened);
  end loop;
end $$;
grant create on schema public to svc_eraser;
set local role svc_eraser;
create or replace function erase_sandbox() returns table (events bigint, members bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  erased_tenant constant uuid := nullif(current_setting('app.tenant_id', true), '');
begin
  if erased_tenant is null or coalesce(current_setting('app.environment', true), '') <> 'SANDBOX' then
    raise exception 'only a SANDBOX can be erased' using errcode = 'insufficient_privilege';
  end if;
  delete from ledger_block_entry where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from ledger_block where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from ledger_unsealed where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from posting where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from journal_entry where tenant_id = erased_tenant and environment = 'SANDBOX';
  -- Lines and the actions on them name each other: one statement, checked at its end.
  with actions as (delete from commission_action where tenant_id = erased_tenant and environment = 'SANDBOX')
  delete from commission_line where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from event_detail where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from event where tenant_id = erased_tenant and environment = 'SANDBOX';
  get diagnostics events = row_count;
  delete from lead where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from customer where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_pending where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_count where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_month where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_pending where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_rollup where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_leg where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from rollup_state where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from refresh_token where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from token_family where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_identity where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_profile where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_tier_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_activity_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_sponsor_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from referral_code where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member where tenant_id = erased_tenant and environment = 'SANDBOX';
  get diagnostics members = row_count;
  delete from commission_plan_version where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_plan where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from exchange_rate where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from sandbox_clock where tenant_id = erased_tenant and environment = 'SANDBOX';
  return next;
end $$;
reset role;
revoke create on schema public from svc_eraser;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
grant create on schema public to svc_eraser;
set local role svc_eraser;
create or replace function erase_sandbox() returns table (events bigint, members bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  erased_tenant constant uuid := nullif(current_setting('app.tenant_id', true), '');
begin
  if erased_tenant is null or coalesce(current_setting('app.environment', true), '') <> 'SANDBOX' then
    raise exception 'only a SANDBOX can be erased' using errcode = 'insufficient_privilege';
  end if;
  delete from ledger_block_entry where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from ledger_block where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from ledger_unsealed where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from posting where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from journal_entry where tenant_id = erased_tenant and environment = 'SANDBOX';
  -- Lines and the actions on them name each other: one statement, checked at its end.
  with actions as (delete from commission_action where tenant_id = erased_tenant and environment = 'SANDBOX')
  delete from commission_line where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from event_detail where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from event where tenant_id = erased_tenant and environment = 'SANDBOX';
  get diagnostics events = row_count;
  delete from lead where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from customer where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_pending where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_count where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_month where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_pending where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_rollup where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_leg where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from rollup_state where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_tier_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_activity_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_sponsor_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from referral_code where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member where tenant_id = erased_tenant and environment = 'SANDBOX';
  get diagnostics members = row_count;
  delete from commission_plan_version where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_plan where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from exchange_rate where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from sandbox_clock where tenant_id = erased_tenant and environment = 'SANDBOX';
  return next;
end $$;
reset role;
revoke create on schema public from svc_eraser;
do $$
declare
  opened text;
begin
  foreach opened in array array['refresh_token', 'token_family', 'member_identity', 'member_profile']
  loop
    execute format('drop policy sandbox_erasure on %I', opened);
    execute format('revoke select, delete on %I from svc_eraser', opened);
  end loop;
end $$;
`);
}
