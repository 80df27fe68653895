/** Tenants and their API keys, for operators' commands. Source: docs/specification/tenancy.md#stored-keys. */
import { actorRef, byOperator } from '../../actor.ts';
import { violates } from '../../db/constraints.ts';
import { locateApiKey, newId } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import type { Environment, Scope } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import { normalRange } from '../../http/ip-ranges.ts';
import { instant } from '../../http/schemas.ts';
import { isCurrency } from '../../money.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { MOST_RANGES } from './api-keys-operations.ts';
import { disableApiKey, enableApiKey, insertApiKey, lockApiKeys, revokeApiKey } from './api-keys-queries.ts';
import { PRESETS, scopesOfPreset } from './key-presets.ts';
import { newApiKey } from './new-api-key.ts';
import { listTenants } from './operator-queries.ts';
import { insertTenant, isKnownTimeZone, setTenantDisabled, setTenantSlug, tenantExists } from './tenants-queries.ts';

export interface TenantInput {
  name: string;
  defaultCurrency: string;
  reportingTimeZone: string;
}

export interface ApiKeyInput {
  tenantId: string;
  environment: Environment;
  name?: string | undefined;
  /** Default `['*']`: everything, also what is added later. */
  scopes?: readonly string[] | undefined;
  /** The name of a set of scopes, in place of them. */
  preset?: string | undefined;
  /** Addresses and ranges; default anywhere. */
  allowedIps?: readonly string[] | undefined;
  /** Requests per window; default the deployment's. */
  rateLimit?: number | undefined;
  /** ISO 8601; default never. */
  expiresAt?: string | undefined;
}

export interface CreatedKey {
  keyId: string;
  /** Shown once; only its keyed hash is stored. */
  apiKey: string;
}

export interface TenantsService {
  /** Creates a tenant; returns its id. */
  createTenant(input: TenantInput): Promise<string>;
  exists(tenantId: string): Promise<boolean>;
  /**
   * Lets all keys of a tenant fail, and its links lead nowhere, on every instance within a second; or undoes that. Nothing
   * of the tenant's is changed or lost. NOT_FOUND.
   */
  setDisabled(tenantId: string, disabled: boolean): Promise<void>;
  /** The tenant's name in addresses. 400; NOT_FOUND; STATE_CONFLICT when another tenant has it. */
  setSlug(tenantId: string, slug: string): Promise<void>;
  /** Of all tenants, as svc_admin. */
  listIds(admin: Frames): Promise<string[]>;
  /** Creates a key; an environment gets its default plan with its first key. NOT_FOUND on an unknown tenant. */
  createKey(input: ApiKeyInput): Promise<CreatedKey>;
  /** A revoked or disabled key fails on every instance within a second. NOT_FOUND. */
  stopKey(keyId: string, how: 'revoke' | 'disable'): Promise<void>;
  /** Undoes a disabling, whoever did it. NOT_FOUND; STATE_CONFLICT for a key that is revoked. */
  enableKey(keyId: string): Promise<void>;
}

/** As `tenant_slug_check` has it. */
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface Deps {
  frames: Frames;
  plans: CommissionsOffers['plans'];
  pepper: Buffer;
  /** All that a key may have, but `*`. */
  scopes: readonly string[];
}

/** So many tenants of one name may be made at the same time. */
const MOST_NAMESAKES = 20;

/** Again while somebody else was given the same slug at the same time: then another one is free. */
async function untilNamed(make: () => Promise<void>): Promise<void> {
  for (let run = 1; ; run += 1) {
    try {
      return await make();
    } catch (error) {
      if (run === MOST_NAMESAKES || !violates(error, 'tenant_slug_key')) throw error;
    }
  }
}

export function createTenantsService({ frames, plans, pepper, scopes: knownScopes }: Deps): TenantsService {
  return {
    async createTenant({ name, defaultCurrency, reportingTimeZone }) {
      if (name.trim() === '' || name.length > 200) throw invalidField('name', 'must have 1 to 200 characters');
      if (!isCurrency(defaultCurrency))
        throw invalidField('currency', 'is not a known currency; send an ISO 4217 code such as EUR or USD');
      const [fresh] = await frames.unscoped(newId());
      if (!fresh) throw new Error('the database made no id');
      const { id } = fresh;
      const scope: Scope = { tenantId: id, environment: 'LIVE' };
      await untilNamed(() =>
        frames.write(scope, async (db) => {
          if (!(await isKnownTimeZone(db, reportingTimeZone)))
            throw invalidField('time-zone', 'must be an IANA time zone such as Europe/Berlin');
          await insertTenant(db, { id, name, defaultCurrency, reportingTimeZone });
          await recordAudit(db, scope, {
            action: 'tenant.created',
            by: byOperator('tenant create'),
            objectKind: 'tenant',
            objectId: id,
            details: { defaultCurrency, reportingTimeZone },
          });
        }),
      );
      return id;
    },

    async exists(tenantId) {
      if (!UUID.test(tenantId)) return false;
      return frames.read({ tenantId, environment: 'LIVE' }, (db) => tenantExists(db, tenantId));
    },

    async setDisabled(tenantId, disabled) {
      const scope: Scope = { tenantId, environment: 'LIVE' };
      if (!UUID.test(tenantId)) throw new AppError('NOT_FOUND', 'No such tenant');
      await frames.write(scope, async (db) => {
        if (!(await tenantExists(db, tenantId))) throw new AppError('NOT_FOUND', 'No such tenant');
        if (!(await setTenantDisabled(db, tenantId, disabled))) return;
        const done = disabled ? 'disable' : 'enable';
        await recordAudit(db, scope, {
          action: `tenant.${done}d`,
          by: byOperator(`tenant ${done}`),
          objectKind: 'tenant',
          objectId: tenantId,
        });
      });
    },

    async setSlug(tenantId, slug) {
      const scope: Scope = { tenantId, environment: 'LIVE' };
      if (!SLUG.test(slug) || slug.length < 3 || slug.length > 50) {
        throw invalidField('slug', 'must have 3 to 50 letters a to z, digits and single hyphens between them');
      }
      if (!UUID.test(tenantId)) throw new AppError('NOT_FOUND', 'No such tenant');
      await frames.write(scope, async (db) => {
        if (!(await tenantExists(db, tenantId))) throw new AppError('NOT_FOUND', 'No such tenant');
        if (!(await setTenantSlug(db, tenantId, slug))) return;
        await recordAudit(db, scope, {
          action: 'tenant.slug_changed',
          by: byOperator('tenant slug'),
          objectKind: 'tenant',
          objectId: tenantId,
          details: { slug },
        });
      });
    },

    async listIds(admin) {
      return (await admin.unscoped(listTenants())).map(({ tenantId }) => tenantId);
    },

    async createKey({ tenantId, environment, name, rateLimit, expiresAt, ...wish }) {
      if (!UUID.test(tenantId)) throw invalidField('tenant', 'must be a UUID');
      const scopes = scopesOf(wish, knownScopes);
      const allowedIps = rangesOf(wish.allowedIps);
      if (expiresAt !== undefined && !instant.safeParse(expiresAt).success) {
        throw invalidField('expires-at', 'must be a date-time with a zone, such as 2027-01-31T12:00:00Z');
      }
      const { apiKey, ...secret } = newApiKey(pepper, environment);
      const scope: Scope = { tenantId, environment };
      const by = byOperator('key create');
      const keyId = await frames.write(scope, async (db) => {
        if (!(await tenantExists(db, tenantId))) throw new AppError('NOT_FOUND', 'No such tenant');
        await plans.ensureDefaultPlan(db, scope);
        const key = await insertApiKey(db, scope, {
          ...secret,
          name: name ?? null,
          scopes,
          rateLimit: rateLimit ?? null,
          expiresAt: expiresAt ?? null,
          replacesKeyId: null,
          familyId: null,
          allowedIps,
          createdBy: actorRef(by.actor),
        });
        if (!key) throw invalidField('expires-at', 'must be in the future');
        tell(db, by, 'api_key.created', key.id, { data: key });
        await recordAudit(db, scope, {
          action: 'api_key.created',
          by,
          objectKind: 'api_key',
          objectId: key.id,
          details: { scopes, rateLimit: key.rateLimit, expiresAt: key.expiresAt, boundToAddresses: allowedIps !== null },
        });
        return key.id;
      });
      return { keyId, apiKey };
    },

    async stopKey(keyId, how) {
      const scope = await scopeOf(keyId);
      await frames.write(scope, async (db) => {
        const by = byOperator(`key ${how}`);
        const stopped =
          how === 'revoke' ? await revokeApiKey(db, scope, keyId) : await disableApiKey(db, scope, keyId, actorRef(by.actor));
        if (!stopped) return;
        if (how === 'revoke') tell(db, by, 'api_key.revoked', keyId, { data: stopped });
        await recordAudit(db, scope, {
          action: `api_key.${how}d`,
          by,
          objectKind: 'api_key',
          objectId: keyId,
        });
      });
    },

    async enableKey(keyId) {
      const scope = await scopeOf(keyId);
      await frames.write(scope, async (db) => {
        const [key] = await lockApiKeys(db, scope, [keyId]);
        if (key?.revokedAt) throw new AppError('STATE_CONFLICT', 'The key is revoked, which is for good; create another');
        if (!(await enableApiKey(db, scope, keyId))) return;
        await recordAudit(db, scope, {
          action: 'api_key.enabled',
          by: byOperator('key enable'),
          objectKind: 'api_key',
          objectId: keyId,
        });
      });
    },
  };

  async function scopeOf(keyId: string): Promise<Scope> {
    const [owner] = UUID.test(keyId) ? await frames.unscoped(locateApiKey({ keyId })) : [];
    if (!owner) throw new AppError('NOT_FOUND', 'No such key');
    return { tenantId: owner.tenant_id, environment: owner.environment };
  }
}

/** The scopes that an operator gives: by name, by preset, or all. */
function scopesOf({ scopes, preset }: Pick<ApiKeyInput, 'scopes' | 'preset'>, known: readonly string[]): readonly string[] {
  if (preset === undefined) {
    const unknown = scopes?.find((scope) => scope !== '*' && !known.includes(scope));
    if (unknown !== undefined) throw invalidField('scopes', `${unknown} is not one of: ${known.join(', ')}`);
    return scopes ?? ['*'];
  }
  if (scopes !== undefined) throw invalidField('preset', 'must not be sent together with scopes');
  const named = PRESETS.find((one) => one === preset);
  if (named === undefined) throw invalidField('preset', `must be one of: ${PRESETS.join(', ')}`);
  return scopesOfPreset(named, known);
}

function rangesOf(allowedIps: readonly string[] | undefined): string[] | null {
  if (allowedIps === undefined) return null;
  const ranges = allowedIps.map((text) => {
    const range = normalRange(text);
    if (range === undefined) throw invalidField('allowed-ips', `${text} is not an IP address or a range such as 203.0.113.0/24`);
    return range;
  });
  if (ranges.length > MOST_RANGES) throw invalidField('allowed-ips', `must have at most ${MOST_RANGES} ranges`);
  return [...new Set(ranges)];
}
