/** What operators list across tenants; runs as svc_admin. */
import { knex, raw, unscopedStatement } from '../../db/query.ts';

export const listTenants = unscopedStatement<{
  tenantId: string;
  name: string;
  defaultCurrency: string;
  reportingTimeZone: string;
  createdAt: Date;
  /** Null of one that is not disabled. */
  disabledAt: Date | null;
}>('operator_list_tenants', () =>
  knex('tenant').orderBy('id').select({
    tenantId: 'id',
    name: 'name',
    defaultCurrency: 'default_currency',
    reportingTimeZone: 'reporting_time_zone',
    createdAt: 'created_at',
    disabledAt: 'disabled_at',
  }),
);

export const listApiKeys = unscopedStatement<
  {
    keyId: string;
    tenantId: string;
    environment: string;
    name: string | null;
    lastFour: string;
    scopes: string[];
    /** The key or the person that it comes from, as an `actorRef`. */
    root: string;
    status: string;
    createdAt: Date;
    expiresAt: Date | null;
    lastUsedAt: Date | null;
  },
  { tenantId: string | null }
>('operator_list_keys', ({ tenantId }) =>
  raw(
    `select id as "keyId", tenant_id as "tenantId", environment, name, last_four as "lastFour", scopes, root,
          case when revoked_at is not null then 'revoked' when disabled_at is not null then 'disabled'
               when expires_at <= now() then 'expired' else 'active' end as status, created_at as "createdAt",
          expires_at as "expiresAt", last_used_at as "lastUsedAt"
   from api_key where :tenantId::uuid is null or tenant_id = :tenantId order by tenant_id, id`,
    { tenantId },
  ),
);
