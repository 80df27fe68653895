import type { Knex } from 'knex';

const ACTOR = `~ '^(api_key|staff|member|operator|vendor|system)(:.+|$)'`;
/** Of a month, or of a week. */
const DAYS = [...Array.from({ length: 28 }, (_, index) => index + 1), 'last'].map((day) => `'${day}'`).join(', ');

/** What the people of a tenant look at before they approve a run, found without reading its history. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Drafted and not executed yet: few among all that were ever paid.
create index payout_queued_idx on payout (tenant_id, environment, currency) include (payout_run_id, amount_minor)
  where status = 'queued';
-- Commissions that were taken away, by when: a payout that has one is not what was drafted any more.
create index commission_line_left_idx on commission_line (tenant_id, environment, status_changed_at)
  where status in ('held', 'reversed');
create index payout_account_status_idx on payout_account (tenant_id, environment, status, id);
create index payout_account_mismatch_idx on payout_account (tenant_id, environment, id) where name_match = 'mismatch';
create index payout_hold_created_idx on payout_hold (tenant_id, environment, created_at, member_id);

-- When runs are drafted by themselves.
create table payout_schedule (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  cadence text not null check (cadence in ('weekly', 'twice_a_month', 'monthly')),
  -- Of a week from Monday, 1; of a month, or 'last'.
  days text[] not null check (cardinality(days) between 1 and 2 and days <@ array[${DAYS}]),
  local_time text not null check (local_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  cutoff text not null check (cutoff in ('now', 'end_of_previous_month')),
  -- In whose hands it was set: they are the first pair of what it drafts.
  set_root text not null check (set_root ${ACTOR}),
  -- Nothing that was due by then is drafted.
  after_at timestamptz not null,
  due_at timestamptz not null,
  -- That due_at was reckoned in.
  time_zone text not null check (length(time_zone) <= 100),
  primary key (tenant_id, environment, currency)
);
create index payout_schedule_due_idx on payout_schedule (tenant_id, environment, due_at);
create index payout_schedule_any_due_idx on payout_schedule ((due_at at time zone 'UTC'));
call raise_tenant_wall('payout_schedule');
call open_sandbox_to_eraser('payout_schedule');
grant select, insert, update, delete on payout_schedule to svc_app;
grant update (after_at, due_at) on payout_schedule to svc_eraser;
grant select, update on payout_schedule to svc_worker;
create policy resolver_reads on payout_schedule for select to svc_auth using (true);
grant select (tenant_id, environment, due_at, time_zone) on payout_schedule to svc_auth;

-- What came of each date that a schedule was due: once for a currency and a local date.
create table payout_schedule_run (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  local_date date not null,
  outcome text not null check (outcome in ('DRAFTED', 'SKIPPED_OPEN_DRAFT', 'NOTHING_DUE')),
  run_id uuid,
  recorded_at timestamptz not null,
  primary key (tenant_id, environment, currency, local_date),
  constraint payout_schedule_run_run_fkey foreign key (tenant_id, environment, run_id) references payout_run,
  constraint payout_schedule_run_made_check check ((outcome = 'DRAFTED') = (run_id is not null))
);
create index payout_schedule_run_run_idx on payout_schedule_run (tenant_id, environment, run_id) where run_id is not null;
call raise_tenant_wall('payout_schedule_run');
call open_sandbox_to_eraser('payout_schedule_run');
grant select, insert on payout_schedule_run to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table payout_schedule_run;
drop table payout_schedule;
drop index payout_hold_created_idx;
drop index payout_account_mismatch_idx;
drop index payout_account_status_idx;
drop index commission_line_left_idx;
drop index payout_queued_idx;
`);
}
