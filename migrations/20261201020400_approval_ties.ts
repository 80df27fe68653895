import type { Knex } from 'knex';

/** Who counts as whom where a second pair of hands is asked for. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table approval_tie (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  -- Both as actors are kept, kind:id; the second is a person, or the root of a key.
  subject text not null check (subject ~ '^(api_key|staff):.+$'),
  counts_as text not null check (counts_as ~ '^(api_key|staff):.+$'),
  reason text not null check (reason in ('invited', 'made_approver', 'factor_given')),
  created_at timestamptz not null default now(),
  until timestamptz not null,
  confirmed_by text check (confirmed_by ~ '^(api_key|staff):.+$'),
  confirmed_at timestamptz,
  primary key (tenant_id, environment, id),
  constraint approval_tie_to_another check (subject <> counts_as),
  constraint approval_tie_confirmed check ((confirmed_by is null) = (confirmed_at is null))
);
create index approval_tie_subject_idx on approval_tie (tenant_id, environment, subject);
call raise_tenant_wall('approval_tie');
grant select, insert on approval_tie to svc_app;
grant update (confirmed_by, confirmed_at) on approval_tie to svc_app;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table approval_tie');
}
