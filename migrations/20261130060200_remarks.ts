import type { Knex } from 'knex';

/**
 * What reviewers write of a person lies beside the log, where an erasure reaches it; entries name the remark by its id. So
 * does the reason of an erasure, which lies with the member.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table kyc_remark (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  kyc_record_id uuid not null,
  reason text check (length(reason) between 1 and 2000),
  note text check (length(note) between 1 and 500),
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint kyc_remark_some_check check (coalesce(reason, note) is not null),
  constraint kyc_remark_record_fkey foreign key (tenant_id, environment, kyc_record_id) references kyc_record
);
create index kyc_remark_record_idx on kyc_remark (tenant_id, environment, kyc_record_id, id);
call raise_tenant_wall('kyc_remark');
grant select, insert, delete on kyc_remark to svc_app;

alter table member add column erasure_reason text;
alter table member add constraint member_erasure_reason_check check (length(erasure_reason) between 1 and 500) not valid;
grant update (erasure_reason) on member to svc_app;

-- Entries of before: the texts move, but for those on members that were erased. The owner is behind the walls too.
alter table audit_log no force row level security;
alter table kyc_record no force row level security;
alter table kyc_remark no force row level security;
alter table member no force row level security;
insert into kyc_remark (tenant_id, environment, id, kyc_record_id, reason, note, created_at)
select a.tenant_id, a.environment, a.id, k.id, a.details->>'reason', a.details->>'note', a.recorded_at
from audit_log a
join kyc_record k on k.tenant_id = a.tenant_id and k.environment = a.environment and k.id::text = a.object_id
join member m on m.tenant_id = k.tenant_id and m.environment = k.environment and m.id = k.member_id
where a.object_kind = 'kyc_record' and coalesce(a.details->>'reason', a.details->>'note') is not null and m.erased_at is null;
update member m set erasure_reason = a.details->>'reason'
from audit_log a
where a.tenant_id = m.tenant_id and a.environment = m.environment and a.action = 'member.erased' and a.object_id = m.id::text
  and a.details->>'reason' is not null;
alter table audit_log disable trigger append_only;
update audit_log a set details = a.details - 'reason' - 'note' || case when exists (
  select from kyc_remark r where r.tenant_id = a.tenant_id and r.environment = a.environment and r.id = a.id)
  then jsonb_build_object('remarkId', a.id) else '{}' end
where (a.object_kind = 'kyc_record' or a.action = 'member.erased') and coalesce(a.details->>'reason', a.details->>'note') is not null;
alter table audit_log enable trigger append_only;
alter table audit_log force row level security;
alter table kyc_record force row level security;
alter table kyc_remark force row level security;
alter table member force row level security;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table audit_log no force row level security;
alter table kyc_record no force row level security;
alter table kyc_remark no force row level security;
alter table member no force row level security;
alter table audit_log disable trigger append_only;
update audit_log a set details = a.details - 'remarkId' || jsonb_strip_nulls(jsonb_build_object('reason', r.reason, 'note', r.note))
from kyc_remark r
where r.tenant_id = a.tenant_id and r.environment = a.environment and a.details->>'remarkId' = r.id::text;
update audit_log a set details = a.details || jsonb_build_object('reason', m.erasure_reason)
from member m
where m.tenant_id = a.tenant_id and m.environment = a.environment and a.action = 'member.erased' and a.object_id = m.id::text
  and m.erasure_reason is not null;
alter table audit_log enable trigger append_only;
alter table audit_log force row level security;
alter table kyc_record force row level security;
alter table kyc_remark force row level security;
alter table member force row level security;
alter table member drop column erasure_reason;
drop table kyc_remark;
`);
}
