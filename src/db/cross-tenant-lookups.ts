/** The statements that look across tenants. Each calls a function owned by the role svc_auth. */
import { knex, raw, unscopedStatement } from './query.ts';
import type { Environment } from './scope.ts';

export interface ResolvedKeyRow {
  tenant_id: string;
  environment: Environment;
  id: string;
  /** The first of the keys that it was rolled from, or the key itself. */
  family_id: string;
  scopes: string[];
  rate_limit: number | null;
  allowed_ips: string[] | null;
  /** An `actorRef`: of the key or the person that it comes from. */
  root: string;
}

/** The usable key with this hash: not revoked, disabled or expired. */
export const resolveApiKey = unscopedStatement<ResolvedKeyRow, { hash: Buffer }>('resolve_api_key', ({ hash }) =>
  knex(raw('resolve_api_key(:hash)', { hash })).select(
    'tenant_id',
    'environment',
    'id',
    'family_id',
    'scopes',
    'rate_limit',
    'allowed_ips',
    'root',
  ),
);

/** Tenant and environment of a key id, usable or not. For operators' commands. */
export const locateApiKey = unscopedStatement<{ tenant_id: string; environment: Environment }, { keyId: string }>(
  'locate_api_key',
  ({ keyId }) => knex(raw('locate_api_key(:keyId)', { keyId })).select('tenant_id', 'environment'),
);

/** The environment and row of a tenant's external provider; ids of providers are unique across both environments. */
export const locateAuthProvider = unscopedStatement<
  { environment: Environment; id: string },
  { tenantId: string; providerId: string }
>('locate_auth_provider', ({ tenantId, providerId }) =>
  knex(raw('locate_auth_provider(:tenantId, :providerId)', { tenantId, providerId })).select('environment', 'id'),
);

export interface KycSecretsRow {
  environment: Environment;
  webhookSecretSealed: Buffer | null;
  previousWebhookSecretSealed: Buffer | null;
  allowedDigestAlgs: string[];
  clientId: string | null;
}

/** What the KYC vendor may have signed a tenant's events with, in each environment that has settings. */
export const locateKycSecrets = unscopedStatement<KycSecretsRow, { tenantId: string }>('locate_kyc_secrets', ({ tenantId }) =>
  knex(raw('locate_kyc_secrets(:tenantId)', { tenantId })).select({
    environment: 'environment',
    webhookSecretSealed: 'webhook_secret_sealed',
    previousWebhookSecretSealed: 'previous_webhook_secret_sealed',
    allowedDigestAlgs: 'allowed_digest_algs',
    clientId: 'client_id',
  }),
);

/** What the payment vendor may have signed a tenant's events with, in each environment that has some. */
export const locatePaymentSecrets = unscopedStatement<
  { environment: Environment; webhookSecretsSealed: Buffer },
  { tenantId: string }
>('locate_payment_secrets', ({ tenantId }) =>
  knex(raw('locate_payment_secrets(:tenantId)', { tenantId })).select({
    environment: 'environment',
    webhookSecretsSealed: 'webhook_secrets_sealed',
  }),
);

/** Whose an account at the payment vendor is. */
export const locateProviderAccount = unscopedStatement<{ tenant_id: string; environment: Environment }, { accountId: string }>(
  'locate_provider_account',
  ({ accountId }) => knex(raw('locate_provider_account(:accountId)', { accountId })).select('tenant_id', 'environment'),
);

/** Whose the slugs are that begin with this tag. */
export const locateLinkTag = unscopedStatement<{ tenant_id: string; environment: Environment }, { tag: string }>(
  'locate_link_tag',
  ({ tag }) => knex(raw('locate_link_tag(:tag)', { tag })).select('tenant_id', 'environment'),
);

/** Whose the slug is that its tenant has chosen. */
export const locateLinkSlug = unscopedStatement<{ tenant_id: string; environment: Environment }, { digest: Buffer }>(
  'locate_link_slug',
  ({ digest }) => knex(raw('locate_link_slug(:digest)', { digest })).select('tenant_id', 'environment'),
);

export interface ResolvedStaffRow {
  tenant_id: string;
  slug: string;
  tenant_name: string;
  id: string;
  staff_id: string;
  name: string;
  email: string;
  role: string;
  factor_at: Date | null;
  has_factor: boolean;
  /** Whether a second factor was given within the time that a step-up holds. */
  fresh: boolean;
  /** Whether it is time to note that the session is used. */
  to_note: boolean;
}

/** The session with this hash while it works, with the person as it is now. */
export const resolveStaffSession = unscopedStatement<ResolvedStaffRow, { hash: Buffer }>('resolve_staff_session', ({ hash }) =>
  knex(raw('resolve_staff_session(:hash)', { hash })).select(
    'tenant_id',
    'slug',
    'tenant_name',
    'id',
    'staff_id',
    'name',
    'email',
    'role',
    'factor_at',
    'has_factor',
    raw("coalesce(factor_at > now() - interval '10 minutes', false) as fresh"),
    raw("last_seen_at < now() - interval '1 minute' as to_note"),
  ),
);

/** Whose a link for one person is, while it can be used. */
export const locateStaffInvite = unscopedStatement<{ tenant_id: string; id: string }, { hash: Buffer }>(
  'locate_staff_invite',
  ({ hash }) => knex(raw('locate_staff_invite(:hash)', { hash })).select('tenant_id', 'id'),
);

/** Whose a question to a browser is, while it can be answered. */
export const locateStaffChallenge = unscopedStatement<{ tenant_id: string; id: string }, { hash: Buffer }>(
  'locate_staff_challenge',
  ({ hash }) => knex(raw('locate_staff_challenge(:hash)', { hash })).select('tenant_id', 'id'),
);

/** The tenant that addresses name so. None that is disabled. */
export const locateTenantSlug = unscopedStatement<{ tenant_id: string; name: string }, { slug: string }>(
  'locate_tenant_slug',
  ({ slug }) => knex(raw('locate_tenant_slug(:slug)', { slug })).select('tenant_id', 'name'),
);

/** The slug of the only tenant; no row where there are several. */
export const soleTenantSlug = unscopedStatement<{ slug: string }>('sole_tenant_slug', () =>
  knex(raw('sole_tenant_slug()')).select('slug'),
);

/**
 * Where a scheduled sweep has work: its name, and whose rows it would handle. `keptDays`: of the sweeps that are set to
 * another number of days than their feature says. The function reads it as a setting of this statement alone, which
 * `offset 0` keeps ahead of the call.
 */
export const dueScopes = unscopedStatement<
  { sweep: string; tenant_id: string; environment: Environment },
  { keptDays: Readonly<Record<string, number>> }
>('due_scopes', ({ keptDays }) =>
  raw(
    `select (due).sweep, (due).tenant_id, (due).environment
     from (select due_scopes() as due
           from (select set_config('app.kept_days', :keptDays::jsonb::text, true) as set offset 0) settings) asked`,
    { keptDays },
  ),
);

/**
 * Scopes with events that have no number yet, without an endpoint, and endpoints that something is due for and nobody sends
 * to: at most `most` of each. Scopes begin behind the one that is given.
 */
export const webhooksDue = unscopedStatement<
  { tenant_id: string; environment: Environment; endpoint_id: string | null; failing: boolean },
  { most: number; tenantId: string | null; environment: Environment | null }
>('webhooks_due', ({ most, tenantId, environment }) =>
  knex(raw('webhooks_due(:most::int, :tenantId::uuid, :environment::text)', { most, tenantId, environment })).select(
    'tenant_id',
    'environment',
    'endpoint_id',
    'failing',
  ),
);

/** A new UUIDv7, for a row whose id must be known before its frame can be opened. */
export const newId = unscopedStatement<{ id: string }>('new_id', () => raw('select uuidv7() as id'));

/** Answers when the database does. */
export const ping = unscopedStatement<{ ok: number }>('ping', () => raw('select 1 as ok'));

/** Whose a token of the widget is that has not expired, and its session's id. */
export const locateWidgetToken = unscopedStatement<
  { tenant_id: string; environment: Environment; session_id: string; expires_at: Date },
  { hash: Buffer }
>('locate_widget_token', ({ hash }) =>
  knex(raw('locate_widget_token(:hash)', { hash })).select('tenant_id', 'environment', 'session_id', 'expires_at'),
);

/** Whose a session of the widget is, ended or not. */
export const locateWidgetSession = unscopedStatement<{ tenant_id: string; environment: Environment }, { sessionId: string }>(
  'locate_widget_session',
  ({ sessionId }) => knex(raw('locate_widget_session(:sessionId)', { sessionId })).select('tenant_id', 'environment'),
);
