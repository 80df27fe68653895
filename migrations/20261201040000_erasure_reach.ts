import type { Knex } from 'knex';

/** What lets an erasure reach texts that lie in rows of the books, and codes of a member's own choice. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Append-only but for one thing: the text in the column that is named may be taken away, and nothing put in its place.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_user = 'svc_eraser' then return old; end if;
  elsif to_jsonb(new) -> tg_argv[0] = 'null' and to_jsonb(new) - tg_argv[0] = to_jsonb(old) - tg_argv[0] then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- A receipt's candidates may lose what they were named by, and nothing else: it is decided again without.
create function refuse_change_but_reference() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_user = 'svc_eraser' then return old; end if;
  elsif to_jsonb(new) - 'candidates' = to_jsonb(old) - 'candidates'
    and jsonb_array_length(new.candidates) = jsonb_array_length(old.candidates)
    and not exists (
      select from jsonb_array_elements(old.candidates) with ordinality o(value, place)
      join jsonb_array_elements(new.candidates) with ordinality n(value, place) using (place)
      where o.value <> n.value and n.value <> o.value || '{"reference": "(erased)"}') then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

${['event', 'commission_action'].map((table) => replaceTrigger(table, `for each row execute function refuse_change_but_erasure('reason')`)).join('\n')}
${replaceTrigger('attribution_receipt', 'for each row execute function refuse_change_but_reference()')}

grant update (reason) on event to svc_app;
grant update (reason) on commission_action to svc_app;
grant update (candidates) on attribution_receipt to svc_app;
grant update (reason) on member_tier_history to svc_app;
grant update (reason) on member_activity_history to svc_app;
grant update (reason) on member_sponsor_history to svc_app;
grant update (code) on referral_code to svc_app;
grant update (ip_hash, referrer_host) on referral_click to svc_app;

-- A code may be a person's name, and must lead to nobody else after an erasure: what is left of it is a digest.
create table erased_code (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  code_digest bytea not null check (length(code_digest) = 32),
  primary key (tenant_id, environment, code_digest)
);
call raise_tenant_wall('erased_code');
grant select, insert on erased_code to svc_app;
grant select on erased_code to svc_worker;
call open_sandbox_to_eraser('erased_code');

-- By tenant and environment, so that digests of two scopes are not compared.
create function code_digest(of_tenant uuid, of_environment text, of_code text) returns bytea
  language sql immutable parallel safe
as $$
  select sha256(convert_to(of_tenant || ':' || of_environment || ':' || of_code, 'UTF8'))
$$;

-- Behind the insert, which has waited for whoever erases the code: what that one has committed is seen here.
create function refuse_erased_code() returns trigger language plpgsql as $$
begin
  if exists (
    select from erased_code e
    where e.tenant_id = new.tenant_id and e.environment = new.environment
      and e.code_digest = code_digest(new.tenant_id, new.environment, new.code)) then
    raise exception 'the referral code was erased' using errcode = 'unique_violation', constraint = 'erased_code_pkey',
      table = 'referral_code', schema = 'public';
  end if;
  return null;
end $$;
create trigger erased_code after insert on referral_code for each row execute function refuse_erased_code();
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop trigger erased_code on referral_code;
drop function refuse_erased_code();
drop table erased_code;
drop function code_digest(uuid, text, text);

revoke update (ip_hash, referrer_host) on referral_click from svc_app;
revoke update (code) on referral_code from svc_app;
revoke update (reason) on member_sponsor_history from svc_app;
revoke update (reason) on member_activity_history from svc_app;
revoke update (reason) on member_tier_history from svc_app;
revoke update (candidates) on attribution_receipt from svc_app;
revoke update (reason) on commission_action from svc_app;
revoke update (reason) on event from svc_app;

${['event', 'commission_action', 'attribution_receipt'].map((table) => replaceTrigger(table, 'for each statement execute function refuse_change()')).join('\n')}
drop function refuse_change_but_reference();
drop function refuse_change_but_erasure();
`);
}

const replaceTrigger = (table: string, action: string): string => `drop trigger append_only on ${table};
create trigger append_only before update or delete on ${table} ${action};`;
