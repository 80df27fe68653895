import type { Knex } from 'knex';
import { up as lastErasure } from './20261126100000_referrals.ts';
import { up as lastDueScopes } from './20261127100000_forget_vendor_events.ts';

/** What tells due_scopes() whose rows are due without a look at every tenant. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- On an expression, so that no other statement is planned with them: given an index on the bare column, the planner took
-- it for the rows of one scope, and read those of all.
drop index kyc_record_any_check_idx;
drop index payout_any_execute_idx;
drop index payout_any_check_idx;
drop index payout_account_any_check_idx;
drop index payment_event_any_retry_idx;
drop index lead_any_expires_idx;
drop index import_run_any_tidy_idx;
create index kyc_record_any_check_idx on kyc_record ((check_at at time zone 'UTC')) where check_at is not null;
create index payout_any_execute_idx on payout ((execute_at at time zone 'UTC')) where execute_at is not null;
create index payout_any_check_idx on payout ((check_at at time zone 'UTC')) where check_at is not null;
create index payout_account_any_check_idx on payout_account ((check_at at time zone 'UTC')) where check_at is not null;
create index payment_event_any_retry_idx on payment_event ((retry_at at time zone 'UTC')) where retry_at is not null;
create index lead_any_expires_idx on lead ((expires_at at time zone 'UTC'))
  where expires_at is not null and conversion_status in ('captured', 'qualified');
create index import_run_any_tidy_idx on import_run ((tidy_at at time zone 'UTC')) where tidy_at is not null;

create index commission_line_any_due_idx on commission_line ((clears_at at time zone 'UTC')) where status = 'pending';
create index commission_line_any_debt_due_idx on commission_line ((write_off_at at time zone 'UTC'))
  where write_off_at is not null and status = 'cleared';
create index referral_click_any_id_idx on referral_click ((uuid_extract_timestamp(id) at time zone 'UTC'));
create index kyc_event_any_settled_idx on kyc_event ((greatest(received_at, vendor_created_at) at time zone 'UTC'))
  where outcome <> 'unmatched' and vendor_created_at is not null;
create index payment_event_any_settled_idx on payment_event ((received_at at time zone 'UTC')) where outcome <> 'parked';

-- The tenants whose zone may be another than that of their rollups.
create index tenant_changed_idx on tenant (updated_at) where updated_at <> created_at;
create function note_zone_change() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
create trigger zone_changed before update of reporting_time_zone on tenant for each row
  when (old.reporting_time_zone <> new.reporting_time_zone) execute function note_zone_change();
`);
}

/**
 * The release before this one does not install the functions of all features' parts: they get the text back that its
 * migrations gave them.
 */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop trigger zone_changed on tenant;
drop function note_zone_change();
drop index tenant_changed_idx;
drop index payment_event_any_settled_idx;
drop index kyc_event_any_settled_idx;
drop index referral_click_any_id_idx;
drop index commission_line_any_debt_due_idx;
drop index commission_line_any_due_idx;
drop index import_run_any_tidy_idx;
drop index lead_any_expires_idx;
drop index payment_event_any_retry_idx;
drop index payout_account_any_check_idx;
drop index payout_any_check_idx;
drop index payout_any_execute_idx;
drop index kyc_record_any_check_idx;
create index kyc_record_any_check_idx on kyc_record (check_at) where check_at is not null;
create index payout_any_execute_idx on payout (execute_at) where execute_at is not null;
create index payout_any_check_idx on payout (check_at) where check_at is not null;
create index payout_account_any_check_idx on payout_account (check_at) where check_at is not null;
create index payment_event_any_retry_idx on payment_event (retry_at) where retry_at is not null;
create index lead_any_expires_idx on lead (expires_at)
  where expires_at is not null and conversion_status in ('captured', 'qualified');
create index import_run_any_tidy_idx on import_run (tidy_at) where tidy_at is not null;
grant create on schema public to svc_auth, svc_eraser;
set local role svc_auth;
${await textOf('due_scopes', lastDueScopes)}
set local role svc_eraser;
${await textOf('erase_sandbox', lastErasure)}
reset role;
revoke create on schema public from svc_auth, svc_eraser;
`);
}

/** The function as a migration created it. */
async function textOf(name: string, migrate: (knex: Knex) => Promise<void>): Promise<string> {
  const texts: string[] = [];
  await migrate({ raw: async (text: string) => texts.push(text) } as unknown as Knex);
  const found = new RegExp(`create or replace function ${name}\\(\\)[\\s\\S]*?\\n(end )?\\$\\$;`).exec(texts.join('\n'));
  if (!found) throw new Error(`the migration does not create ${name}()`);
  return found[0];
}
