import type { Knex } from 'knex';

const ACTOR = `'^(api_key|staff|member|operator|vendor|system)(:.+|)$'`;

/** Rates that were agreed with members, what a line was paid by, and what rules ask of a purchase. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Append-only and dated: of rows of one series what was recorded last for an instant holds until the next one.
create table rate_override (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  -- Whom it was agreed with: the owner of the link or code, or the member itself.
  member_id uuid not null,
  target text not null check (target in ('link', 'code', 'member')),
  target_id uuid not null,
  -- Null: whatever the plan.
  plan_id uuid,
  level smallint not null check (level between 1 and 5),
  -- Null: all products.
  items jsonb,
  -- Rows of one series are of one target, plan, level and these products.
  items_key text not null check (length(items_key) <= 64),
  -- Null: what was agreed has ended.
  pay jsonb,
  valid_from timestamptz not null,
  recorded_at timestamptz not null default now(),
  reason text check (length(reason) <= 500),
  created_by text not null check (created_by ~ ${ACTOR}),
  primary key (tenant_id, environment, id),
  constraint rate_override_member_fkey foreign key (tenant_id, environment, member_id) references member,
  constraint rate_override_member_check check (target <> 'member' or target_id = member_id)
);
create index rate_override_member_idx on rate_override (tenant_id, environment, member_id, valid_from desc, id desc);
create index rate_override_target_idx on rate_override (tenant_id, environment, target_id, level, valid_from desc, id desc);
call raise_tenant_wall('rate_override');
call raise_member_wall('rate_override', $own$member_id = (select nullif(current_setting('app.member_id', true), '')::uuid)$own$);
grant select, insert, update (reason) on rate_override to svc_app, svc_worker;
alter table rate_override set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.01);

alter table member add column has_override boolean not null default false;
grant update (has_override) on member to svc_app, svc_worker;

-- What the line is paid by, of plans that have more than levels.
alter table commission_line add column pay_source text;
alter table commission_line add constraint commission_line_pay_source_check
  check (pay_source in ('final_rule', 'link', 'code', 'member', 'rule', 'ladder', 'level', 'mixed')) not valid;

alter table event_detail add column discount_code text;
alter table event_detail add column customer_country text;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table event_detail drop column customer_country;
alter table event_detail drop column discount_code;
alter table commission_line drop constraint commission_line_pay_source_check;
alter table commission_line drop column pay_source;
alter table member drop column has_override;
drop table rate_override;
`);
}
