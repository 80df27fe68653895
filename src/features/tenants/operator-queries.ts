/** What operators list across tenants; runs as svc_admin. */
import { prepared } from '../../db/statement.ts';

export const listTenants = prepared<
  { tenantId: string; name: string; defaultCurrency: string; reportingTimeZone: string; createdAt: Date },
  []
>(
  'operator_list_tenants',
  `select id as "tenantId", name, default_currency as "defaultCurrency", reporting_time_zone as "reportingTimeZone",
          created_at as "createdAt"
   from tenant order by id`,
);

export const listApiKeys = prepared<
  {
    keyId: string;
    tenantId: string;
    environment: string;
    name: string | null;
    lastFour: string;
    scopes: string[];
    status: string;
    createdAt: Date;
    expiresAt: Date | null;
    lastUsedAt: Date | null;
  },
  [tenantId: string | null]
>(
  'operator_list_keys',
  `select id as "keyId", tenant_id as "tenantId", environment, name, last_four as "lastFour", scopes,
          case when revoked_at is not null then 'revoked' when disabled_at is not null then 'disabled'
               when expires_at <= now() then 'expired' else 'active' end as status, created_at as "createdAt",
          expires_at as "expiresAt", last_used_at as "lastUsedAt"
   from api_key where $1::uuid is null or tenant_id = $1 order by tenant_id, id`,
);
