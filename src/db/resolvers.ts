/** The statements that look across tenants. Each calls a function owned by the role svc_auth. */
import type { Environment } from './frame.ts';
import { prepared } from './statement.ts';

export interface ResolvedKeyRow {
  tenant_id: string;
  environment: Environment;
  id: string;
  scopes: string[];
  rate_limit: number | null;
}

/** The usable key with this hash: not revoked, disabled or expired. */
export const resolveApiKey = prepared<ResolvedKeyRow, [hash: Buffer]>(
  'resolve_api_key',
  'select tenant_id, environment, id, scopes, rate_limit from resolve_api_key($1)',
);

/** Tenant and environment of a key id, usable or not. For operators' commands. */
export const locateApiKey = prepared<{ tenant_id: string; environment: Environment }, [keyId: string]>(
  'locate_api_key',
  'select tenant_id, environment from locate_api_key($1)',
);

/** The environment and row of a tenant's external provider; ids of providers are unique across both environments. */
export const locateAuthProvider = prepared<{ environment: Environment; id: string }, [tenantId: string, providerId: string]>(
  'locate_auth_provider',
  'select environment, id from locate_auth_provider($1, $2)',
);

export interface KycSecretsRow {
  environment: Environment;
  webhookSecretSealed: Buffer | null;
  previousWebhookSecretSealed: Buffer | null;
  allowedDigestAlgs: string[];
  clientId: string | null;
}

/** What the KYC vendor may have signed a tenant's events with, in each environment that has settings. */
export const locateKycSecrets = prepared<KycSecretsRow, [tenantId: string]>(
  'locate_kyc_secrets',
  `select environment, webhook_secret_sealed as "webhookSecretSealed",
          previous_webhook_secret_sealed as "previousWebhookSecretSealed", allowed_digest_algs as "allowedDigestAlgs",
          client_id as "clientId"
   from locate_kyc_secrets($1)`,
);

/** What the payment vendor may have signed a tenant's events with, in each environment that has some. */
export const locatePaymentSecrets = prepared<{ environment: Environment; webhookSecretsSealed: Buffer }, [tenantId: string]>(
  'locate_payment_secrets',
  'select environment, webhook_secrets_sealed as "webhookSecretsSealed" from locate_payment_secrets($1)',
);

/** Whose an account at the payment vendor is. */
export const locateProviderAccount = prepared<{ tenant_id: string; environment: Environment }, [accountId: string]>(
  'locate_provider_account',
  'select tenant_id, environment from locate_provider_account($1)',
);

/** Whose the slugs are that begin with this tag. */
export const locateLinkTag = prepared<{ tenant_id: string; environment: Environment }, [tag: string]>(
  'locate_link_tag',
  'select tenant_id, environment from locate_link_tag($1)',
);

/** Where a scheduled sweep has work: its name, and whose rows it would handle. */
export const dueScopes = prepared<{ sweep: string; tenant_id: string; environment: Environment }, []>(
  'due_scopes',
  'select sweep, tenant_id, environment from due_scopes()',
);

/** A new UUIDv7, for a row whose id must be known before its frame can be opened. */
export const newId = prepared<{ id: string }, []>('new_id', 'select uuidv7() as id');

/** Answers when the database does. */
export const ping = prepared<{ ok: number }, []>('ping', 'select 1 as ok');
