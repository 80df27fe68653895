import type { Knex } from 'knex';

const LOCATORS = ['locate_widget_token(bytea)', 'locate_widget_session(uuid)'] as const;

/** Sessions of the widget: one member on one page of the tenant's; and the tokens that open them, each for minutes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table widget_session (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  member_id uuid not null,
  -- The pages that it shows.
  scopes text[] not null check (cardinality(scopes) between 1 and 4 and scopes <@ array['summary', 'links', 'earnings', 'team']),
  -- Where it may be embedded, as browsers write origins.
  allowed_origins text[] not null check (cardinality(allowed_origins) between 1 and 10),
  theme jsonb not null check (jsonb_typeof(theme) = 'object'),
  created_by text not null check (created_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$'),
  created_at timestamptz not null default now(),
  -- No token of it is good for longer, however often it is refreshed.
  ends_at timestamptz not null,
  ended_at timestamptz,
  check (ends_at > created_at),
  primary key (tenant_id, environment, id),
  constraint widget_session_member_fkey foreign key (tenant_id, environment, member_id) references member
);
create unique index widget_session_id_key on widget_session (id);
create index widget_session_member_idx on widget_session (tenant_id, environment, member_id);
create index widget_session_ends_at_idx on widget_session (tenant_id, environment, ends_at);
create index widget_session_any_ends_at_idx on widget_session ((ends_at at time zone 'UTC'));

create table widget_token (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  session_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32),
  created_by text not null check (created_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$'),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, environment, id),
  constraint widget_token_session_fkey foreign key (tenant_id, environment, session_id) references widget_session
);
create unique index widget_token_hash_key on widget_token (token_hash);
create index widget_token_session_idx on widget_token (tenant_id, environment, session_id);
create index widget_token_expires_at_idx on widget_token (tenant_id, environment, expires_at);
create index widget_token_any_expires_at_idx on widget_token ((expires_at at time zone 'UTC'));

-- One a view of a page: they grow with the tenants' visitors.
${['widget_session', 'widget_token']
  .map(
    (table) =>
      `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.01);`,
  )
  .join('\n')}

call raise_tenant_wall('widget_session');
call raise_tenant_wall('widget_token');
call open_sandbox_to_eraser('widget_session');
call open_sandbox_to_eraser('widget_token');
grant select, insert, delete on widget_session, widget_token to svc_app;
grant select, delete on widget_session, widget_token to svc_worker;
-- What the sweep takes it locks first.
grant update (ended_at) on widget_session to svc_app, svc_worker;
grant update (expires_at) on widget_token to svc_app, svc_worker;

create policy resolver_reads on widget_session for select to svc_auth using (true);
create policy resolver_reads on widget_token for select to svc_auth using (true);
grant select (tenant_id, environment, id) on widget_session to svc_auth;
grant select (tenant_id, environment, session_id, token_hash, expires_at) on widget_token to svc_auth;

grant create on schema public to svc_auth;
-- Whose a token is that has not expired, of a tenant that is not disabled. What else must hold is read in the tenant's frame.
create function locate_widget_token(hash bytea)
  returns table (tenant_id uuid, environment text, session_id uuid, expires_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select k.tenant_id, k.environment, k.session_id, k.expires_at
  from widget_token k cross join lateral open_tenant(k.tenant_id) t
  where k.token_hash = hash and k.expires_at > now()
$$;
create function locate_widget_session(session_id uuid)
  returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, s.environment
  from widget_session s cross join lateral open_tenant(s.tenant_id) t
  where s.id = session_id
$$;
${LOCATORS.map(
  (name) => `revoke all on function ${name} from public;
grant execute on function ${name} to svc_app;
alter function ${name} owner to svc_auth;`,
).join('\n')}
revoke create on schema public from svc_auth;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
${LOCATORS.map((name) => `drop function ${name};`).join('\n')}
drop table widget_token;
drop table widget_session;
`);
}
