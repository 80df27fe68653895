import type { Knex } from 'knex';

/** Mail that waits to be sent. What it says is sealed, and gone once it is sent. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table outgoing_mail (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('invite', 'new_password', 'new_device', 'email_changed', 'payout_account_changed',
    'payout_paid', 'payout_failed')),
  recipient text not null check (recipient ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$'),
  state text not null default 'queued' check (state in ('queued', 'sent', 'refused')),
  -- The address and what the text is filled with.
  content_sealed bytea,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  -- What the mail server answered to a mail that it refused.
  smtp_code int check (smtp_code between 100 and 599),
  forget_at timestamptz not null default now() + interval '7 days',
  primary key (tenant_id, environment, id),
  constraint outgoing_mail_content_until_settled check ((state = 'queued') = (content_sealed is not null)),
  constraint outgoing_mail_settled check ((state = 'queued') = (settled_at is null))
);
create index outgoing_mail_recipient_idx on outgoing_mail (tenant_id, environment, recipient);
create index outgoing_mail_forget_idx on outgoing_mail (tenant_id, environment, forget_at);
create index outgoing_mail_any_forget_idx on outgoing_mail ((forget_at at time zone 'UTC'));
alter table outgoing_mail set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
call raise_tenant_wall('outgoing_mail');
call open_sandbox_to_eraser('outgoing_mail');
grant select, insert, update, delete on outgoing_mail to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table outgoing_mail');
}
