/** What the doctor asks of the platform: of every row, of idempotency keys and jobs, of row-level security. */
import type { Audit } from './audit.ts';

export const platformAudits: readonly Audit[] = [
  {
    id: 'I-10',
    title: 'every row belongs to a tenant, and its members and plan to the same tenant and environment',
    sql: `select 'member' as kind, m.tenant_id, m.environment, m.id from member m
            where not exists (select from tenant t where t.id = m.tenant_id)
               or (m.parent_id is not null and not exists (select from member p
                   where p.tenant_id = m.tenant_id and p.environment = m.environment and p.id = m.parent_id))
          union all
          select 'event', e.tenant_id, e.environment, e.id from event e
            where not exists (select from tenant t where t.id = e.tenant_id)
               or (e.plan_version_id is not null and not exists (select from commission_plan_version v
                  where v.tenant_id = e.tenant_id and v.environment = e.environment and v.id = e.plan_version_id))
          union all
          select 'line', l.tenant_id, l.environment, l.id from commission_line l
            where not exists (select from event e where e.tenant_id = l.tenant_id and e.environment = l.environment and e.id = l.event_id)
               or not exists (select from member m where m.tenant_id = l.tenant_id and m.environment = l.environment and m.id = l.beneficiary_id)
          union all
          select 'posting', p.tenant_id, p.environment, p.journal_id from posting p
            where p.member_id is not null and not exists (select from member m
                  where m.tenant_id = p.tenant_id and m.environment = p.environment and m.id = p.member_id)`,
  },
  {
    id: 'I-13',
    title: 'no idempotency key is without its answer for two minutes, no job past its lease, none failed without a dead letter',
    sql: `select 'key without its answer' as fault, tenant_id::text, environment, operation as name, created_at as since from idempotency_key
            where status is null and created_at < now() - interval '2 minutes'
          union all
          select 'active past its lease', data->>'tenantId', data->>'environment', name, started_on from pgboss.job
            where state = 'active' and least(heartbeat_on + heartbeat_seconds * interval '1 second',
                                             started_on + expire_seconds * interval '1 second') < now() - interval '1 minute'
          union all
          select 'failed without a dead letter', data->>'tenantId', data->>'environment', name, completed_on from pgboss.job j
            where state = 'failed' and name <> 'dead-letters'
              and not exists (select from pgboss.job d where d.name = 'dead-letters' and d.source_id = j.id)`,
  },
  {
    id: 'I-15',
    title: 'row-level security is forced on every tenant table',
    sql: `select c.relname as table_name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'public' and c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)
            and (c.relname = 'tenant' or exists (select from pg_attribute a
                 where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))`,
  },
];
