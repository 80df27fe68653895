import type { Knex } from 'knex';

const TABLES = [
  'outgoing_event',
  'outgoing_unsealed',
  'outgoing_head',
  'outgoing_sequence',
  'webhook_endpoint',
  'webhook_hearing',
  'webhook_settings',
  'webhook_delivery',
  'webhook_attempt',
  'webhook_hour',
  'event_snapshot',
] as const;

/** Part of webhooks_due: scopes with unsealed events that lie behind the given one, or ahead of it, each found by a look at the index. */
function scopesThatWait(comparison: '>' | '<='): string {
  const name = comparison === '>' ? 'scopes_behind' : 'scopes_ahead';
  const given =
    comparison === '>'
      ? `(coalesce(behind_tenant, '00000000-0000-0000-0000-000000000000'), coalesce(behind_environment, ''))`
      : '(behind_tenant, behind_environment)';
  const first = `select u.tenant_id, u.environment from outgoing_unsealed u
      where (u.tenant_id, u.environment) ${comparison} ${given}`;
  return `${name} as (
     (${first}
      order by u.tenant_id, u.environment limit 1)
     union all
     select n.tenant_id, n.environment from ${name} s cross join lateral (
      ${first}
        and (u.tenant_id, u.environment) > (s.tenant_id, s.environment)
      order by u.tenant_id, u.environment limit 1) n)`;
}

/** Events to tenants: the log and its sequence, who hears what, and the deliveries with their attempts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- What happened, written in the transaction that did it. Ids are not in the order of commits: outgoing_sequence is.
create table outgoing_event (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  type text not null check (type ~ '^[a-z_]+\\.[a-z_]+$'),
  occurred_at timestamptz not null,
  object_id text not null,
  -- Microseconds of the real clock behind the lock on the object: of two states of one object the later has the larger.
  object_version bigint not null,
  actor text not null check (actor ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$'),
  -- The object as the API shows it, as the text that is sent. Null once a person in it was erased.
  data json,
  left_out text[] not null default '{}',
  -- The one endpoint that a test event is for.
  only_for uuid
);
create index outgoing_event_object_idx on outgoing_event (tenant_id, environment, object_id);
create index outgoing_event_type_idx on outgoing_event (tenant_id, environment, type, occurred_at);
-- Its key is made last: among indexes that seem equally good, as all do of a table that was never analyzed, the planner takes the newest.
create unique index outgoing_event_pkey on outgoing_event (tenant_id, environment, id);
alter table outgoing_event add constraint outgoing_event_pkey primary key using index outgoing_event_pkey;

create table outgoing_unsealed (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  -- Written with its event by one statement, and gone before it: a foreign key would only lock each event once more.
  event_id uuid not null,
  primary key (tenant_id, environment, event_id)
);

-- The last number that was given. Its row is the sealer's lock.
create table outgoing_head (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  sequence bigint not null default 0 check (sequence >= 0),
  -- Events up to this number were forgotten.
  forgotten bigint not null default 0 check (forgotten >= 0 and forgotten <= sequence),
  primary key (tenant_id, environment)
);

create table outgoing_sequence (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  sequence bigint not null check (sequence > 0),
  event_id uuid not null,
  sealed_at timestamptz not null default now(),
  constraint outgoing_sequence_event_fkey foreign key (tenant_id, environment, event_id) references outgoing_event
);
create index outgoing_sequence_sealed_at_idx on outgoing_sequence (tenant_id, environment, sealed_at);
create index outgoing_sequence_any_sealed_at_idx on outgoing_sequence ((sealed_at at time zone 'UTC'));
create unique index outgoing_sequence_event_key on outgoing_sequence (tenant_id, environment, event_id);
create unique index outgoing_sequence_pkey on outgoing_sequence (tenant_id, environment, sequence);
alter table outgoing_sequence
  add constraint outgoing_sequence_event_key unique using index outgoing_sequence_event_key,
  add constraint outgoing_sequence_pkey primary key using index outgoing_sequence_pkey;

create table webhook_endpoint (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  url text not null check (length(url) between 9 and 2000),
  event_types text[] not null check (cardinality(event_types) between 1 and 100),
  description text check (length(description) between 1 and 500),
  enabled boolean not null default true,
  -- Why it is not enabled: somebody said so, it answered 410, or it failed for days.
  disabled_reason text check (disabled_reason in ('by_hand', 'gone', 'failing')),
  disabled_at timestamptz,
  header_names text[] not null default '{}' check (cardinality(header_names) <= 5),
  headers_sealed bytea,
  -- Scopes of who made it, or last changed what it is sent and where, or enabled it. Of types beyond them it is not sent the object.
  rights text[] not null,
  -- Whose they are.
  rights_of text not null check (rights_of ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$'),
  secret_sealed bytea,
  -- Signs beside the new one until then.
  old_secret_sealed bytea,
  old_secret_until timestamptz,
  -- The first failure since the last success, by the scope's clock.
  failing_since timestamptz,
  -- The last one, by the same clock.
  last_failed_at timestamptz,
  created_by text not null check (created_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- Behind its deletion: when nothing waited for it any more.
  cancelled_at timestamptz,
  -- What its sender goes by: when the first of its deliveries is due, by the scope's clock, and whose turn it is, by the real one.
  next_at timestamptz,
  leased_by uuid,
  leased_until timestamptz,
  primary key (tenant_id, environment, id),
  constraint webhook_endpoint_enabled check (enabled = (disabled_reason is null and deleted_at is null)),
  constraint webhook_endpoint_secret check ((deleted_at is null) = (secret_sealed is not null)),
  constraint webhook_endpoint_old_secret check ((old_secret_sealed is null) = (old_secret_until is null)),
  constraint webhook_endpoint_headers check ((headers_sealed is null) = (cardinality(header_names) = 0)),
  constraint webhook_endpoint_cancelled check (cancelled_at is null or deleted_at is not null),
  constraint webhook_endpoint_lease check ((leased_by is null) = (leased_until is null))
);
-- Those that were deleted are kept for a while, and may be many: nobody who looks for the others walks them.
create index webhook_endpoint_live_idx on webhook_endpoint (tenant_id, environment, id) where deleted_at is null;
-- What waits for one that is deleted is cancelled little by little.
create index webhook_endpoint_deleted_idx on webhook_endpoint (tenant_id, environment) where deleted_at is not null and cancelled_at is null;
create index webhook_endpoint_cancelled_at_idx on webhook_endpoint (tenant_id, environment, cancelled_at) where cancelled_at is not null;
create index webhook_endpoint_any_cancelled_at_idx on webhook_endpoint ((cancelled_at at time zone 'UTC')) where cancelled_at is not null;
create index webhook_endpoint_old_secret_idx on webhook_endpoint (tenant_id, environment, old_secret_until)
  where old_secret_until is not null;
create index webhook_endpoint_any_old_secret_idx on webhook_endpoint ((old_secret_until at time zone 'UTC'))
  where old_secret_until is not null;
create index webhook_endpoint_next_at_idx on webhook_endpoint (environment, next_at) where next_at is not null and enabled;

-- Patterns of types that are written down at all: of the enabled endpoints, or all where the log is on. Without a row: in SANDBOX all, in LIVE none.
create table webhook_hearing (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  patterns text[] not null,
  primary key (tenant_id, environment)
);

create table webhook_settings (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  event_log boolean not null,
  primary key (tenant_id, environment)
);

-- One event for one endpoint.
create table webhook_delivery (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  endpoint_id uuid not null,
  event_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed', 'cancelled')),
  -- In all, and since it was last asked for: the second finds the gap to the next.
  attempt_count int not null default 0 check (attempt_count >= 0),
  tries int not null default 0 check (tries >= 0 and tries <= attempt_count),
  -- By the scope's clock.
  next_at timestamptz,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint webhook_delivery_endpoint_fkey foreign key (tenant_id, environment, endpoint_id) references webhook_endpoint,
  constraint webhook_delivery_event_fkey foreign key (tenant_id, environment, event_id) references outgoing_event,
  constraint webhook_delivery_waits check ((status = 'waiting') = (next_at is not null)),
  constraint webhook_delivery_settled check ((status = 'waiting') = (settled_at is null))
);
create index webhook_delivery_waiting_idx on webhook_delivery (tenant_id, environment, endpoint_id, next_at) where status = 'waiting';
create index webhook_delivery_tried_idx on webhook_delivery (tenant_id, environment, endpoint_id, event_id)
  where status in ('waiting', 'failed') and tries > 0;
create index webhook_delivery_undelivered_idx on webhook_delivery (tenant_id, environment, id) where status <> 'delivered';
create index webhook_delivery_endpoint_idx on webhook_delivery (tenant_id, environment, endpoint_id, id);
create index webhook_delivery_created_at_idx on webhook_delivery (tenant_id, environment, created_at);
create unique index webhook_delivery_once on webhook_delivery (tenant_id, environment, event_id, endpoint_id);
create unique index webhook_delivery_pkey on webhook_delivery (tenant_id, environment, id);
alter table webhook_delivery
  add constraint webhook_delivery_once unique using index webhook_delivery_once,
  add constraint webhook_delivery_pkey primary key using index webhook_delivery_pkey;

create table webhook_attempt (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  delivery_id uuid not null,
  number int not null check (number > 0),
  -- By the real clock.
  at timestamptz not null,
  ms int not null check (ms >= 0),
  status int check (status between 100 and 999),
  -- Why there was no answer, or the answer was none that counts.
  fault text,
  -- The beginning of the answer.
  answer text check (octet_length(answer) <= 4096),
  primary key (tenant_id, environment, delivery_id, number),
  constraint webhook_attempt_delivery_fkey foreign key (tenant_id, environment, delivery_id) references webhook_delivery,
  constraint webhook_attempt_ended check (status is not null or fault is not null)
);

-- How the attempts of an hour ended, by the real clock: what the bars of an endpoint show.
create table webhook_hour (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  endpoint_id uuid not null,
  starts_at timestamptz not null,
  delivered int not null check (delivered >= 0),
  failed int not null check (failed >= 0),
  primary key (tenant_id, environment, endpoint_id, starts_at),
  constraint webhook_hour_endpoint_fkey foreign key (tenant_id, environment, endpoint_id) references webhook_endpoint
);

create index webhook_hour_starts_at_idx on webhook_hour (tenant_id, environment, starts_at);
create index webhook_hour_any_starts_at_idx on webhook_hour ((starts_at at time zone 'UTC'));

-- A file with the state as of one number of the sequence.
create table event_snapshot (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  kinds text[] not null check (cardinality(kinds) > 0),
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'expired')),
  sequence bigint,
  row_count bigint not null default 0,
  byte_count bigint,
  storage_key text,
  failure text,
  created_by text not null check (created_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$'),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz not null default now() + interval '1 day',
  -- When its file goes, or is asked to go once more; null where there is none.
  remove_at timestamptz default now() + interval '1 day',
  primary key (tenant_id, environment, id),
  constraint event_snapshot_completed check (status <> 'completed' or (storage_key is not null and sequence is not null))
);
create index event_snapshot_remove_at_idx on event_snapshot (tenant_id, environment, remove_at) where remove_at is not null;
create index event_snapshot_any_remove_at_idx on event_snapshot ((remove_at at time zone 'UTC')) where remove_at is not null;

-- They grow with what the tenants do.
${['outgoing_event', 'outgoing_sequence', 'webhook_delivery', 'webhook_attempt']
  .map(
    (table) =>
      `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.01);`,
  )
  .join('\n')}
-- Queues: emptied as fast as they are filled.
alter table outgoing_unsealed set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

${TABLES.map((table) => `call raise_tenant_wall('${table}');\ncall open_sandbox_to_eraser('${table}');`).join('\n')}
grant select, insert, update, delete on ${TABLES.join(', ')} to svc_app, svc_worker;

-- Jobs tell of verifications as the API shows them: with their documents, save for where these are kept.
grant select (tenant_id, environment, id, kyc_record_id, document_type, file_name, mime_type, file_size, status, rejection_reason,
              reviewed_at, created_at) on kyc_document to svc_worker;

-- The erasure of a SANDBOX lets the numbers go on.
grant update (forgotten) on outgoing_head to svc_eraser;
-- Files of snapshots go behind it.
grant update (status, remove_at) on event_snapshot to svc_eraser;

create policy resolver_reads on outgoing_unsealed for select to svc_auth using (true);
create policy resolver_reads on webhook_endpoint for select to svc_auth using (true);
grant select (tenant_id, environment) on outgoing_unsealed to svc_auth;
grant select (tenant_id, environment, id, enabled, failing_since, next_at, leased_until) on webhook_endpoint to svc_auth;

grant create on schema public to svc_auth;
-- What there is to do: scopes with events that have no number yet, and endpoints with something due that nobody sends to,
-- with whether they fail.
-- Rows of a SANDBOX are due by its own clock. Each tenant's first comes before anybody's second.
-- Scopes begin behind the one that is given, so that with more of them than \`most\` each is named in turn.
create function webhooks_due(most int, behind_tenant uuid default null, behind_environment text default null)
  returns table (tenant_id uuid, environment text, endpoint_id uuid, failing boolean)
  language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = off
as $$
  (with recursive ${scopesThatWait('>')},
   ${scopesThatWait('<=')}
   select s.tenant_id, s.environment, null::uuid, false
   from (select * from scopes_behind union all select * from scopes_ahead) s limit most)
  union all
  (select l.tenant_id, l.environment, l.id, l.failing from (
     select o.*, row_number() over (partition by o.tenant_id order by o.next_at) as turn from (
       select e.tenant_id, e.environment, e.id, e.next_at, e.failing_since is not null as failing from webhook_endpoint e
       where e.environment = 'LIVE' and e.next_at is not null and e.enabled and e.next_at <= now()
         and (e.leased_until is null or e.leased_until < now())
       order by e.next_at limit most * 20) o) l
   order by l.turn, l.next_at limit most)
  union all
  (select l.tenant_id, l.environment, l.id, l.failing from (
     select o.tenant_id, o.environment, o.id, o.failing, clock.now - o.next_at as late,
       row_number() over (partition by o.tenant_id order by o.next_at) as turn
     from (
       select e.tenant_id, e.environment, e.id, e.next_at, e.failing_since is not null as failing from webhook_endpoint e
       where e.environment = 'SANDBOX' and e.next_at is not null and e.enabled
         and (e.leased_until is null or e.leased_until < now())
       order by e.next_at limit most * 20) o
       cross join lateral (select scope_now(o.tenant_id, o.environment) as now) clock
     where o.next_at <= clock.now) l
   order by l.turn, l.late desc limit most)
$$;
revoke all on function webhooks_due(int, uuid, text) from public;
grant execute on function webhooks_due(int, uuid, text) to svc_app, svc_worker;
alter function webhooks_due(int, uuid, text) owner to svc_auth;
revoke create on schema public from svc_auth;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop function webhooks_due(int, uuid, text);
revoke select (tenant_id, environment, id, kyc_record_id, document_type, file_name, mime_type, file_size, status, rejection_reason,
               reviewed_at, created_at) on kyc_document from svc_worker;
drop table event_snapshot;
drop table webhook_hour;
drop table webhook_attempt;
drop table webhook_delivery;
drop table webhook_settings;
drop table webhook_hearing;
drop table webhook_endpoint;
drop table outgoing_sequence;
drop table outgoing_head;
drop table outgoing_unsealed;
drop table outgoing_event;
`);
}
