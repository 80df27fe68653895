import type { Knex } from 'knex';

/** Leads, and the customers' personal data: mutable, apart from the books, which hold ids only. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table lead (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  email text not null check (length(email) <= 254),
  name text check (length(name) <= 255),
  phone text check (length(phone) <= 32),
  referrer_user_id uuid,
  referral_code text,
  source text check (length(source) <= 100),
  utm_source text check (length(utm_source) <= 255),
  utm_medium text check (length(utm_medium) <= 255),
  utm_campaign text check (length(utm_campaign) <= 255),
  click_id text,
  conversion_status text not null default 'captured'
    check (conversion_status in ('captured', 'qualified', 'converted', 'disqualified', 'expired')),
  converted_member_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint lead_email_key unique (tenant_id, environment, email),
  constraint lead_referrer_fkey foreign key (tenant_id, environment, referrer_user_id) references member,
  constraint lead_member_fkey foreign key (tenant_id, environment, converted_member_id) references member,
  constraint lead_converted_check check ((conversion_status = 'converted') = (converted_member_id is not null))
);
create index lead_referrer_idx on lead (tenant_id, environment, referrer_user_id);
create index lead_member_idx on lead (tenant_id, environment, converted_member_id);
call raise_tenant_wall('lead');
grant select, insert, update on lead to svc_app, svc_worker;

create table customer (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  external_id text not null check (length(external_id) <= 255),
  email text check (length(email) <= 254),
  name text check (length(name) <= 255),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint customer_external_id_key unique (tenant_id, environment, external_id)
);
call raise_tenant_wall('customer');
grant select, insert, update on customer to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table customer;
drop table lead;
`);
}
