import type { Knex } from 'knex';

/** Refunds, chargebacks, manual commission events; reversals, holds, caps and conversions of lines. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Only new kinds of events and lines leave these columns out, and they come with their readers.
-- squawk-ignore-file ban-drop-not-null
alter table event
  drop constraint event_kind_check,
  drop constraint event_type_check,
  drop constraint event_status_check;
alter table event
  alter column type drop not null,
  alter column customer_id drop not null,
  alter column attribution_rule drop not null,
  alter column plan_version_id drop not null,
  -- Of a refund or chargeback: the purchase it takes back.
  add column purchase_id uuid,
  add column dispute_id text check (length(dispute_id) between 1 and 200),
  add column stage text check (stage in ('opened', 'won', 'lost')),
  add column reason text check (length(reason) <= 500),
  -- Levels that nobody qualified for, kept by the company; negative on what takes a purchase back.
  add column breakage_minor bigint not null default 0,
  -- What the lines were calculated from, as it was read then: explain evaluates it again.
  add column evaluation jsonb,
  add constraint event_kind_check check (kind in ('purchase', 'refund', 'chargeback', 'commission')) not valid,
  add constraint event_type_check check (case kind
    when 'purchase' then type in ('one_time', 'subscription_initial', 'subscription_renewal')
    when 'commission' then type in ('bonus', 'adjustment', 'correction', 'write_off')
    else type is null end) not valid,
  add constraint event_status_check check (status in ('accepted', 'unattributed', 'held')) not valid,
  add constraint event_purchase_check check ((kind in ('refund', 'chargeback')) = (purchase_id is not null)) not valid,
  add constraint event_dispute_check check ((kind = 'chargeback') = (dispute_id is not null and stage is not null)) not valid,
  add constraint event_customer_check check (kind <> 'purchase' or customer_id is not null) not valid,
  add constraint event_reversed_purchase_fkey foreign key (tenant_id, environment, purchase_id) references event not valid;
create index event_purchase_idx on event (tenant_id, environment, purchase_id) where purchase_id is not null;
-- Each stage of a dispute once, however often and wherever at once it is reported.
create unique index event_dispute_stage_key on event (tenant_id, environment, dispute_id, stage) where dispute_id is not null;
drop index event_attributed_idx;
create index event_attributed_idx on event (tenant_id, environment, attributed_member_id, occurred_at);

alter table event_detail
  add column description text check (length(description) <= 500),
  add column actor text check (length(actor) <= 200);

-- When the member was verified; commissions that need it look at the sale's time.
alter table member add column kyc_approved_at timestamptz;

-- Who held, released or voided a line, and why.
create table commission_action (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  line_id uuid not null,
  action text not null check (action in ('hold', 'release', 'void')),
  from_status text not null,
  to_status text not null,
  reason text check (length(reason) <= 500),
  key_id uuid,
  recorded_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint commission_action_line_fkey foreign key (tenant_id, environment, line_id) references commission_line
);
create index commission_action_line_idx on commission_action (tenant_id, environment, line_id);
create trigger append_only before update or delete on commission_action for each statement execute function refuse_change();
call raise_tenant_wall('commission_action');
grant select, insert on commission_action to svc_app, svc_worker;

alter table commission_line
  drop constraint commission_line_kind_check,
  drop constraint commission_line_source_check,
  drop constraint commission_line_level_check,
  drop constraint commission_line_paid_level_check;
alter table commission_line
  alter column plan_version_id drop not null,
  -- The line this one takes back, claws back or reinstates.
  add column reverses_line_id uuid,
  -- The void that made the line; a line of an event has none.
  add column action_id uuid,
  -- Before conversion; null when the line is paid in the currency of the purchase.
  add column source_amount_minor bigint,
  add column source_currency text check (source_currency ~ '^[A-Z]{3}$'),
  add column exchange_rate_id uuid,
  add column flat_minor bigint,
  -- What a member's or customer's cap took off, in the currency of the purchase, and which.
  add column capped_minor bigint not null default 0,
  add column cap text check (cap in ('member_period', 'customer_lifetime', 'member_period+customer_lifetime')),
  -- Who holds a held line: an operator, or an open dispute.
  add column hold_cause text check (hold_cause in ('manual', 'dispute')),
  add column hold_reason text check (length(hold_reason) <= 500),
  add column cleared_journal_id uuid,
  add column status_changed_at timestamptz,
  add constraint commission_line_kind_check check (kind in ('commission', 'reversal', 'clawback', 'reinstatement', 'bonus',
    'adjustment', 'correction', 'write_off')) not valid,
  add constraint commission_line_source_check check (source in ('sales', 'subscription', 'manual')) not valid,
  add constraint commission_line_level_check check (level between 0 and 256) not valid,
  add constraint commission_line_paid_level_check check (paid_level >= 0) not valid,
  add constraint commission_line_hold_check check ((status = 'held') = (hold_cause is not null)) not valid,
  add constraint commission_line_conversion_check check ((source_currency is null) = (source_amount_minor is null)
    and (source_currency is null) = (exchange_rate_id is null)) not valid,
  add constraint commission_line_reverses_fkey foreign key (tenant_id, environment, reverses_line_id) references commission_line not valid,
  add constraint commission_line_action_fkey foreign key (tenant_id, environment, action_id) references commission_action not valid;
create index commission_line_reverses_idx on commission_line (tenant_id, environment, reverses_line_id) where reverses_line_id is not null;
create index commission_line_action_idx on commission_line (tenant_id, environment, action_id) where action_id is not null;
create unique index commission_line_reversal_key on commission_line (tenant_id, environment, event_id, reverses_line_id)
  where reverses_line_id is not null and action_id is null;
-- What the clearing sweep looks for, and nothing else.
create index commission_line_due_idx on commission_line (tenant_id, environment, clears_at) where status = 'pending';
grant update (status, hold_cause, hold_reason, cleared_journal_id, status_changed_at) on commission_line to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
revoke update (status, hold_cause, hold_reason, cleared_journal_id, status_changed_at) on commission_line from svc_app, svc_worker;
drop index commission_line_due_idx;
drop index commission_line_reversal_key;
alter table commission_line
  drop constraint commission_line_kind_check,
  drop constraint commission_line_source_check,
  drop constraint commission_line_level_check,
  drop constraint commission_line_paid_level_check,
  drop constraint commission_line_hold_check,
  drop constraint commission_line_conversion_check,
  drop column reverses_line_id, drop column action_id, drop column source_amount_minor, drop column source_currency,
  drop column exchange_rate_id, drop column flat_minor, drop column capped_minor, drop column cap, drop column hold_cause,
  drop column hold_reason, drop column cleared_journal_id, drop column status_changed_at,
  alter column plan_version_id set not null,
  add constraint commission_line_kind_check check (kind in ('commission')),
  add constraint commission_line_source_check check (source in ('sales', 'subscription')),
  add constraint commission_line_level_check check (level between 1 and 256),
  add constraint commission_line_paid_level_check check (paid_level >= 1);
drop table commission_action;
alter table member drop column kyc_approved_at;
alter table event_detail drop column description, drop column actor;
drop index event_attributed_idx;
create index event_attributed_idx on event (tenant_id, environment, attributed_member_id);
drop index event_dispute_stage_key;
alter table event
  drop constraint event_kind_check,
  drop constraint event_type_check,
  drop constraint event_status_check,
  drop constraint event_purchase_check,
  drop constraint event_dispute_check,
  drop constraint event_customer_check,
  drop column purchase_id, drop column dispute_id, drop column stage, drop column reason, drop column breakage_minor,
  drop column evaluation,
  alter column type set not null,
  alter column customer_id set not null,
  alter column attribution_rule set not null,
  alter column plan_version_id set not null,
  add constraint event_kind_check check (kind in ('purchase')),
  add constraint event_type_check check (type in ('one_time', 'subscription_initial', 'subscription_renewal')),
  add constraint event_status_check check (status in ('accepted', 'unattributed', 'held'));
`);
}
