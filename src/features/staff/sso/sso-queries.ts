/** The provider that a tenant's people sign in by, in SQL. Its row is of LIVE. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ownTenant, tenantTable } from '../../../db/tenant-table.ts';

export interface ProviderRow {
  isOn: boolean;
  issuerUrl: string | null;
  clientId: string | null;
  clientSecretSealed: Buffer | null;
  ssoOnly: boolean;
  updatedAt: Date;
}

export const PROVIDER_DEFAULTS: Omit<ProviderRow, 'updatedAt'> = {
  isOn: false,
  issuerUrl: null,
  clientId: null,
  clientSecretSealed: null,
  ssoOnly: false,
};

const provider = tenantTable('staff_provider');

const COLUMNS = {
  isOn: 'p.is_on',
  issuerUrl: 'p.issuer_url',
  clientId: 'p.client_id',
  clientSecretSealed: 'p.client_secret_sealed',
  ssoOnly: 'p.sso_only',
  updatedAt: 'p.updated_at',
};

const read = statement<ProviderRow>('staff_provider_read', () => provider('p').select(COLUMNS));

/** Undefined: never set up. */
export function readProvider(db: Db, scope: Scope): Promise<ProviderRow | undefined> {
  return db.row(read(scope));
}

const store = statement<unknown, Omit<ProviderRow, 'updatedAt'>>(
  'staff_provider_store',
  ({ isOn, issuerUrl, clientId, clientSecretSealed, ssoOnly }) =>
    provider('p')
      .insert({
        is_on: isOn,
        issuer_url: issuerUrl,
        client_id: clientId,
        client_secret_sealed: clientSecretSealed,
        sso_only: ssoOnly,
        updated_at: raw('now()'),
      })
      // One row a tenant.
      .onConflict([])
      .merge(['is_on', 'issuer_url', 'client_id', 'client_secret_sealed', 'sso_only', 'updated_at']),
);

/** Whoever changes it holds a lock on the tenant's row. */
export async function storeProvider(db: Db, scope: Scope, row: Omit<ProviderRow, 'updatedAt'>): Promise<void> {
  await db.rows(store(scope, row));
}

const only = statement<{ found: boolean }>('staff_provider_only', () =>
  provider('p').where({ sso_only: true }).limit(1).select(raw('true as found')),
);

/** Whether the tenant's people sign in by the provider alone. */
export async function isSsoOnly(db: Db, scope: Scope): Promise<boolean> {
  return (await db.row(only(scope)))?.found === true;
}

const staff = tenantTable('staff');

const bySubject = statement<{ id: string }, { issuer: string; subject: string }>('staff_by_subject', ({ issuer, subject }) =>
  staff('p').where({ provider_issuer: issuer, provider_subject: subject }).select('p.id'),
);

/** Whom the provider means by a subject. */
export async function findBySubject(
  db: Db,
  scope: Scope,
  whom: { issuer: string; subject: string },
): Promise<string | undefined> {
  return (await db.row(bySubject(scope, whom)))?.id;
}

const byEmail = statement<{ id: string }, { issuer: string; email: string }>('staff_by_provider_email', ({ issuer, email }) =>
  staff('p')
    .where('p.email', email)
    // Somebody whom this provider knows as another: the address was given to a second person there.
    .whereRaw('p.provider_issuer is distinct from :issuer', { issuer })
    .select('p.id'),
);

/** By the normalised address: a person whom this provider has not signed in before. */
export async function findUnlinked(db: Db, scope: Scope, whom: { issuer: string; email: string }): Promise<string | undefined> {
  return (await db.row(byEmail(scope, whom)))?.id;
}

const link = statement<unknown, { staffId: string; issuer: string; subject: string }>(
  'staff_link_subject',
  ({ staffId, issuer, subject }) =>
    staff('p').where('p.id', staffId).update({ provider_issuer: issuer, provider_subject: subject }),
);

export async function linkSubject(
  db: Db,
  scope: Scope,
  whom: { staffId: string; issuer: string; subject: string },
): Promise<void> {
  await db.rows(link(scope, whom));
}

const tenantName = statement<{ name: string }>('staff_sso_tenant_name', () => ownTenant().select('name'));

export async function readTenantName(db: Db, scope: Scope): Promise<string> {
  return (await db.row(tenantName(scope)))?.name ?? '';
}
