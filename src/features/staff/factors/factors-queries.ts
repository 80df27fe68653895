/** Second factors of people, in SQL. The scope is the tenant's LIVE: people are of no environment. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { ownTenant, tenantTable } from '../../../db/tenant-table.ts';
import type { Role } from '../open/roles.ts';
import type { MadePasskey } from './passkey-checks.ts';

const staff = tenantTable('staff');
const passkey = tenantTable('staff_passkey');
const totp = tenantTable('staff_totp');
const recoveryCode = tenantTable('staff_recovery_code');

export interface FactorHolder {
  id: string;
  name: string;
  email: string;
  role: Role;
}

const lockHolderStatement = statement<FactorHolder, { staffId: string }>('staff_lock_factor_holder', ({ staffId }) =>
  staff().where({ id: staffId, state: 'active' }).select('id', 'name', 'role', raw('email_typed as email')).forUpdate(),
);

/** Somebody who is active, until the end of the transaction: factors of one person are changed one after the other. */
export async function lockHolder(db: Db, scope: Scope, staffId: string): Promise<FactorHolder | undefined> {
  return db.row(lockHolderStatement(scope, { staffId }));
}

export interface Passkey {
  id: string;
  name: string;
  transports: string[];
  backedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const PASSKEY = {
  id: 'id',
  name: 'name',
  transports: 'transports',
  backedUp: 'backed_up',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
} as const;

const passkeysStatement = statement<Passkey & { credentialId: Buffer }, { staffId: string }>('staff_passkeys', ({ staffId }) =>
  passkey()
    .where({ staff_id: staffId })
    .select({ ...PASSKEY, credentialId: 'credential_id' })
    .orderBy('id'),
);

export async function listPasskeys(db: Db, scope: Scope, staffId: string): Promise<(Passkey & { credentialId: Buffer })[]> {
  return db.rows(passkeysStatement(scope, { staffId }));
}

const ownerStatement = statement<{ staffId: string }, { credentialId: Buffer }>('staff_passkey_owner', ({ credentialId }) =>
  passkey().where({ credential_id: credentialId }).select({ staffId: 'staff_id' }),
);

/** Whose a passkey is, by what the authenticator calls it. */
export async function findOwner(db: Db, scope: Scope, credentialId: Buffer): Promise<string | undefined> {
  return (await db.row(ownerStatement(scope, { credentialId })))?.staffId;
}

export interface UsablePasskey {
  id: string;
  staffId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
}

const lockPasskeyStatement = statement<Omit<UsablePasskey, 'counter'> & { counter: string }, { credentialId: Buffer }>(
  'staff_lock_passkey',
  ({ credentialId }) =>
    passkey()
      .where({ credential_id: credentialId })
      .select({ id: 'id', staffId: 'staff_id', credentialId: 'credential_id', publicKey: 'public_key' }, raw('counter::text'))
      .forUpdate(),
);

/** By what the authenticator calls it. Locked: of two uses one sees the other's counter. */
export async function lockPasskey(db: Db, scope: Scope, credentialId: Buffer): Promise<UsablePasskey | undefined> {
  const row = await db.row(lockPasskeyStatement(scope, { credentialId }));
  return row && { ...row, counter: Number(row.counter) };
}

const insertPasskeyStatement = statement<
  Passkey,
  Omit<MadePasskey, 'credentialId'> & { staffId: string; name: string; credentialId: Buffer }
>('staff_insert_passkey', ({ staffId, name, credentialId, publicKey, counter, transports, aaguid, backedUp }) =>
  passkey()
    .insert({
      staff_id: staffId,
      name,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      transports,
      aaguid,
      backed_up: backedUp,
    })
    .returning(raw('id, name, transports, backed_up as "backedUp", created_at as "createdAt", last_used_at as "lastUsedAt"')),
);

/** Throws the constraint's error where the tenant has this passkey already. */
export async function insertPasskey(
  db: Db,
  scope: Scope,
  made: MadePasskey & { staffId: string; name: string },
): Promise<Passkey> {
  const row = await db.row(insertPasskeyStatement(scope, made));
  if (!row) throw new Error('a passkey was not written');
  return row;
}

const usedPasskeyStatement = statement<unknown, { id: string; counter: number; backedUp: boolean }>(
  'staff_passkey_used',
  ({ id, counter, backedUp }) =>
    passkey()
      .where({ id })
      .update({ counter, backed_up: backedUp, last_used_at: raw('now()') }),
);

/** Of a locked one. */
export async function storeUsed(db: Db, scope: Scope, used: { id: string; counter: number; backedUp: boolean }): Promise<void> {
  await db.rows(usedPasskeyStatement(scope, used));
}

const renamePasskeyStatement = statement<Passkey, { staffId: string; id: string; name: string }>(
  'staff_rename_passkey',
  ({ staffId, id, name }) =>
    passkey()
      .where({ staff_id: staffId, id })
      .update({ name })
      .returning(raw('id, name, transports, backed_up as "backedUp", created_at as "createdAt", last_used_at as "lastUsedAt"')),
);

export async function renamePasskey(
  db: Db,
  scope: Scope,
  named: { staffId: string; id: string; name: string },
): Promise<Passkey | undefined> {
  return db.row(renamePasskeyStatement(scope, named));
}

const deletePasskeyStatement = statement<{ id: string }, { staffId: string; id: string }>(
  'staff_delete_passkey',
  ({ staffId, id }) => passkey().where({ staff_id: staffId, id }).delete().returning('id'),
);

export async function deletePasskey(db: Db, scope: Scope, staffId: string, id: string): Promise<boolean> {
  return (await db.row(deletePasskeyStatement(scope, { staffId, id }))) !== undefined;
}

const deletePasskeysStatement = statement<{ id: string }, { staffId: string }>('staff_delete_passkeys', ({ staffId }) =>
  passkey().where({ staff_id: staffId }).delete().returning('id'),
);

/** How many there were. */
export async function deletePasskeys(db: Db, scope: Scope, staffId: string): Promise<number> {
  return (await db.rows(deletePasskeysStatement(scope, { staffId }))).length;
}

const tenantName = statement<{ name: string }>('staff_tenant_name', () => ownTenant().select('name'));

/** As people know the tenant. */
export async function readTenantName(db: Db, scope: Scope): Promise<string> {
  return (await db.row(tenantName(scope)))?.name ?? '';
}

export interface TotpRow {
  id: string;
  secretSealed: Buffer;
  confirmedAt: Date | null;
  lastStep: number | null;
}

const totpStatement = statement<Omit<TotpRow, 'lastStep'> & { lastStep: string | null }, { staffId: string }>(
  'staff_lock_totp',
  ({ staffId }) =>
    totp()
      .where({ staff_id: staffId })
      .select({ id: 'id', secretSealed: 'secret_sealed', confirmedAt: 'confirmed_at' }, raw('last_step::text as "lastStep"'))
      .forUpdate(),
);

/** Locked: of two that send one code, one sees that it was used. */
export async function lockTotp(db: Db, scope: Scope, staffId: string): Promise<TotpRow | undefined> {
  const row = await db.row(totpStatement(scope, { staffId }));
  return row && { ...row, lastStep: row.lastStep === null ? null : Number(row.lastStep) };
}

const insertTotpStatement = statement<unknown, { id: string; staffId: string; secretSealed: Buffer }>(
  'staff_insert_totp',
  ({ id, staffId, secretSealed }) => totp().insert({ id, staff_id: staffId, secret_sealed: secretSealed }),
);

export async function insertTotp(
  db: Db,
  scope: Scope,
  made: { id: string; staffId: string; secretSealed: Buffer },
): Promise<void> {
  await db.rows(insertTotpStatement(scope, made));
}

const stepStatement = statement<unknown, { id: string; step: number }>('staff_totp_step', ({ id, step }) =>
  totp()
    .where({ id })
    .update({ last_step: step, confirmed_at: raw('coalesce(confirmed_at, now())') }),
);

/** The code of that step was used, the first time as the proof that the app has the secret. */
export async function storeStep(db: Db, scope: Scope, id: string, step: number): Promise<void> {
  await db.rows(stepStatement(scope, { id, step }));
}

const deleteTotpStatement = statement<{ confirmed: boolean }, { staffId: string }>('staff_delete_totp', ({ staffId }) =>
  totp().where({ staff_id: staffId }).delete().returning(raw('confirmed_at is not null as confirmed')),
);

/** Whether there was one that was in use. */
export async function deleteTotp(db: Db, scope: Scope, staffId: string): Promise<boolean> {
  return (await db.row(deleteTotpStatement(scope, { staffId })))?.confirmed === true;
}

const insertCodesStatement = statement<unknown, { staffId: string; digests: Buffer[] }>(
  'staff_insert_recovery_codes',
  ({ staffId, digests }) =>
    raw(
      `insert into staff_recovery_code (tenant_id, environment, staff_id, digest)
       select :tenantId, :environment, :staffId, unnest(:digests::bytea[])`,
      { staffId, digests },
    ),
);

export async function insertCodes(db: Db, scope: Scope, staffId: string, digests: Buffer[]): Promise<void> {
  await db.rows(insertCodesStatement(scope, { staffId, digests }));
}

const deleteCodesStatement = statement<unknown, { staffId: string }>('staff_delete_recovery_codes', ({ staffId }) =>
  recoveryCode().where({ staff_id: staffId }).delete(),
);

export async function deleteCodes(db: Db, scope: Scope, staffId: string): Promise<void> {
  await db.rows(deleteCodesStatement(scope, { staffId }));
}

const useCodeStatement = statement<{ id: string }, { staffId: string; digest: Buffer }>(
  'staff_use_recovery_code',
  ({ staffId, digest }) =>
    recoveryCode()
      .where({ staff_id: staffId, digest })
      .whereNull('used_at')
      .update({ used_at: raw('now()') })
      .returning('id'),
);

/** Whether there was such a code that nobody had used; now it is used. */
export async function useCode(db: Db, scope: Scope, staffId: string, digest: Buffer): Promise<boolean> {
  return (await db.row(useCodeStatement(scope, { staffId, digest }))) !== undefined;
}

export interface FactorCounts {
  passkeys: number;
  /** Null: there is no app in use. */
  totpAt: Date | null;
  codesLeft: number;
}

const countsStatement = statement<FactorCounts, { staffId: string }>('staff_factor_counts', ({ staffId }) =>
  raw(
    `select
       (select count(*)::int from staff_passkey k
        where ${ofTenant('k')} and k.staff_id = :staffId) as passkeys,
       (select o.confirmed_at from staff_totp o
        where ${ofTenant('o')} and o.staff_id = :staffId) as "totpAt",
       (select count(*)::int from staff_recovery_code c
        where ${ofTenant('c')} and c.staff_id = :staffId
          and c.used_at is null) as "codesLeft"`,
    { staffId },
  ),
);

export async function countFactors(db: Db, scope: Scope, staffId: string): Promise<FactorCounts> {
  const row = await db.row(countsStatement(scope, { staffId }));
  if (!row) throw new Error('factors were not counted');
  return row;
}

/** Recovery codes are a way back and no factor of their own. */
export function hasFactor({ passkeys, totpAt }: Pick<FactorCounts, 'passkeys' | 'totpAt'>): boolean {
  return passkeys > 0 || totpAt !== null;
}
