import type { Knex } from 'knex';

/** The erasure of a SANDBOX names tenant and environment, as every statement does: neither wall stands alone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
drop function erase_sandbox();
grant create on schema public to svc_eraser;
-- Everything of the frame's SANDBOX but its API keys and Idempotency-Keys. Returns the number of events
-- and members it erased.
create function erase_sandbox() returns table (events bigint, members bigint)
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
revoke all on function erase_sandbox() from public;
grant execute on function erase_sandbox() to svc_app;
alter function erase_sandbox() owner to svc_eraser;
revoke create on schema public from svc_eraser;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop function erase_sandbox();
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
