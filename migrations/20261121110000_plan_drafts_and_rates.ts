import type { Knex } from 'knex';

/** Plans as drafts with published versions, and dated exchange rates. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table commission_plan
  -- What will be published next; a published version is a copy of it that never changes.
  add column draft jsonb,
  add column updated_at timestamptz not null default now();
grant update (name, draft, updated_at), delete on commission_plan to svc_app;

alter table commission_plan_version
  add column effective_to timestamptz,
  add column published_by uuid,
  add constraint commission_plan_version_period_check check (effective_to > effective_from) not valid;

-- A rate is a ratio of minor units: target = source x numerator / denominator. Of rates for one pair
-- the latest with effective_at not after the sale counts, the last recorded of equal ones.
create table exchange_rate (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  source_currency text not null check (source_currency ~ '^[A-Z]{3}$'),
  target_currency text not null check (target_currency ~ '^[A-Z]{3}$'),
  numerator bigint not null check (numerator > 0),
  denominator bigint not null check (denominator > 0),
  effective_at timestamptz not null,
  source text not null check (length(source) between 1 and 200),
  recorded_at timestamptz not null default now(),
  recorded_by uuid,
  primary key (tenant_id, environment, id),
  constraint exchange_rate_pair_check check (source_currency <> target_currency)
);
create index exchange_rate_pair_idx on exchange_rate (tenant_id, environment, source_currency, target_currency, effective_at desc, id desc);
create trigger append_only before update or delete on exchange_rate for each statement execute function refuse_change();
call raise_tenant_wall('exchange_rate');
grant select, insert on exchange_rate to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table exchange_rate;
alter table commission_plan_version
  drop constraint commission_plan_version_period_check, drop column effective_to, drop column published_by;
revoke update (name, draft, updated_at), delete on commission_plan from svc_app;
alter table commission_plan drop column draft, drop column updated_at;
`);
}
