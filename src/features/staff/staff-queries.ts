/** People of a tenant, in SQL. Their rows are of LIVE, whatever the environment of what they do. */
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import type { Role } from './open/roles.ts';

export type StaffState = 'invited' | 'active' | 'disabled' | 'removed';

export interface Person {
  id: string;
  /** As it was typed. Null once the person is removed. */
  email: string | null;
  name: string | null;
  role: Role;
  state: StaffState;
  createdAt: Date;
  createdBy: NamedActor;
  joinedAt: Date | null;
  lastSignedInAt: Date | null;
  hasPassword: boolean;
  /** The kinds of second factors that the person has. */
  factors: ('passkey' | 'totp')[];
}

const staff = tenantTable('staff');

const own = (table: string) => `${ofTenant('f')} and f.staff_id = p.id`.replaceAll('f.', `${table}.`);

/** In SQL: whether the person has a passkey, and whether one has the codes of an authenticator. */
const HAS_PASSKEY = `exists (select from staff_passkey k where ${own('k')})`;
const HAS_TOTP = `exists (select from staff_totp o where ${own('o')} and o.confirmed_at is not null)`;

const COLUMNS = `p.id, p.email_typed as email, p.name, p.role, p.state, p.created_at as "createdAt",
  ${namedActor('p.created_by')} as "createdBy", p.joined_at as "joinedAt", p.last_signed_in_at as "lastSignedInAt",
  p.password_hash is not null as "hasPassword",
  array_remove(array[case when ${HAS_PASSKEY} then 'passkey' end, case when ${HAS_TOTP} then 'totp' end], null) as factors`;

const find = statement<Person, { staffId: string }>('staff_find', ({ staffId }) =>
  staff('p').where('p.id', staffId).select(raw(COLUMNS)),
);

export function findPerson(db: Db, scope: Scope, staffId: string): Promise<Person | undefined> {
  return db.row(find(scope, { staffId }));
}

const list = statement<Person, { afterId: string | null; count: number }>('staff_list', ({ afterId, count }) =>
  staff('p')
    .whereRaw('(:afterId::uuid is null or p.id > :afterId)', { afterId })
    .orderBy('p.id')
    .limit(count)
    .select(raw(COLUMNS)),
);

/** Oldest first, those who are gone too. */
export function listPeople(db: Db, scope: Scope, afterId: string | undefined, count: number): Promise<Person[]> {
  return db.rows(list(scope, { afterId: afterId ?? null, count }));
}

export interface LockedPerson {
  id: string;
  email: string | null;
  name: string | null;
  role: Role;
  state: StaffState;
  passwordHash: string | null;
  hasPasskey: boolean;
  hasTotp: boolean;
  /** Whose hands have invited it, as `actorRef`s: all, however often it was invited. */
  invitedBy: string[];
}

const LOCKED = `p.id, p.email_typed as email, p.name, p.role, p.state, p.password_hash as "passwordHash",
  p.invited_by as "invitedBy", ${HAS_PASSKEY} as "hasPasskey", ${HAS_TOTP} as "hasTotp"`;

const lock = statement<LockedPerson, { staffId: string }>('staff_lock', ({ staffId }) =>
  staff('p').where('p.id', staffId).select(raw(LOCKED)).forUpdate(),
);

export function lockPerson(db: Db, scope: Scope, staffId: string): Promise<LockedPerson | undefined> {
  return db.row(lock(scope, { staffId }));
}

const secrets = statement<LockedPerson, { staffId: string }>('staff_secrets', ({ staffId }) =>
  staff('p').where('p.id', staffId).select(raw(LOCKED)),
);

/** The same, not locked. */
export function findSecrets(db: Db, scope: Scope, staffId: string): Promise<LockedPerson | undefined> {
  return db.row(secrets(scope, { staffId }));
}

const byEmail = statement<LockedPerson, { email: string }>('staff_by_email', ({ email }) =>
  staff('p').where('p.email', email).select(raw(LOCKED)),
);

/** By the normalised address. Not locked. */
export function findByEmail(db: Db, scope: Scope, email: string): Promise<LockedPerson | undefined> {
  return db.row(byEmail(scope, { email }));
}

const owners = statement<{ id: string }>('staff_lock_owners', () =>
  staff('p').where({ role: 'owner', state: 'active' }).orderBy('p.id').select('p.id').forUpdate(),
);

/** The active owners; they stay so until the end of the transaction. */
export async function lockOwners(db: Db, scope: Scope): Promise<string[]> {
  return (await db.rows(owners(scope))).map(({ id }) => id);
}

const hasPeople = statement<{ found: boolean }>('staff_has_owner', () =>
  staff('p').where({ role: 'owner', state: 'active' }).limit(1).select(raw('true as found')),
);

export async function hasOwner(db: Db, scope: Scope): Promise<boolean> {
  return (await db.row(hasPeople(scope)))?.found === true;
}

const inviters = statement<unknown, { staffId: string; invitedBy: readonly string[] }>(
  'staff_note_inviters',
  ({ staffId, invitedBy }) =>
    raw(
      `update staff p set invited_by = array(select distinct unnest(p.invited_by || :invitedBy::text[]) order by 1)
       where ${ofTenant('p')} and p.id = :staffId`,
      { staffId, invitedBy },
    ),
);

/** More hands that somebody who is invited owes the invitation to. */
export async function noteInviters(
  db: Db,
  scope: Scope,
  person: { staffId: string; invitedBy: readonly string[] },
): Promise<void> {
  await db.rows(inviters(scope, person));
}

export interface NewPerson {
  email: string;
  emailTyped: string;
  name: string | null;
  role: Role;
  createdBy: string;
  /** Whose hands invite it, as `actorRef`s. */
  invitedBy: readonly string[];
}

const insert = statement<{ id: string }, NewPerson>('staff_insert', ({ email, emailTyped, name, role, createdBy, invitedBy }) =>
  raw(
    `insert into staff (tenant_id, environment, email, email_typed, name, role, state, created_by, invited_by)
     values (:tenantId, :environment, :email, :emailTyped, :name, :role, 'invited', :createdBy, :invitedBy::text[]) returning id`,
    { email, emailTyped, name, role, createdBy, invitedBy },
  ),
);

/** Somebody who is invited. Throws the constraint's error when another has the address. */
export async function insertPerson(db: Db, scope: Scope, person: NewPerson): Promise<string> {
  const row = await db.row(insert(scope, person));
  if (!row) throw new Error('a person was not written');
  return row.id;
}

const join = statement<unknown, { staffId: string; name: string; role: Role; passwordHash: string | null }>(
  'staff_join',
  ({ staffId, name, role, passwordHash }) =>
    staff('p')
      .where('p.id', staffId)
      .update({
        name,
        role,
        state: 'active',
        password_hash: passwordHash,
        password_changed_at: raw('case when :passwordHash::text is not null then now() end', { passwordHash }),
        joined_at: raw('now()'),
      }),
);

export async function joinPerson(
  db: Db,
  scope: Scope,
  person: { staffId: string; name: string; role: Role; passwordHash: string | null },
): Promise<void> {
  await db.rows(join(scope, person));
}

const setPassword = statement<unknown, { staffId: string; passwordHash: string }>(
  'staff_set_password',
  ({ staffId, passwordHash }) =>
    staff('p')
      .where('p.id', staffId)
      .update({ password_hash: passwordHash, password_changed_at: raw('now()') }),
);

export async function storePassword(db: Db, scope: Scope, staffId: string, passwordHash: string): Promise<void> {
  await db.rows(setPassword(scope, { staffId, passwordHash }));
}

const rehash = statement<unknown, { staffId: string; before: string; passwordHash: string }>(
  'staff_rehash',
  ({ staffId, before, passwordHash }) =>
    staff('p').where({ id: staffId, password_hash: before }).update({ password_hash: passwordHash }),
);

/** The same password under other parameters, unless it was changed meanwhile. */
export async function storeRehashed(
  db: Db,
  scope: Scope,
  change: { staffId: string; before: string; passwordHash: string },
): Promise<void> {
  await db.rows(rehash(scope, change));
}

const signedIn = statement<unknown, { staffId: string }>('staff_signed_in', ({ staffId }) =>
  staff('p')
    .where('p.id', staffId)
    .update({ last_signed_in_at: raw('now()') }),
);

export async function noteSignIn(db: Db, scope: Scope, staffId: string): Promise<void> {
  await db.rows(signedIn(scope, { staffId }));
}

const change = statement<unknown, { staffId: string; name: string | null; role: Role; state: StaffState }>(
  'staff_change',
  ({ staffId, name, role, state }) => staff('p').where('p.id', staffId).update({ name, role, state }),
);

export async function storePerson(
  db: Db,
  scope: Scope,
  person: { staffId: string; name: string | null; role: Role; state: StaffState },
): Promise<void> {
  await db.rows(change(scope, person));
}

const remove = statement<unknown, { staffId: string }>('staff_remove', ({ staffId }) =>
  raw(
    `with passkeys as (delete from staff_passkey k where ${ofTenant('k')} and k.staff_id = :staffId),
          codes as (delete from staff_totp o where ${ofTenant('o')} and o.staff_id = :staffId),
          recovery as (delete from staff_recovery_code r where ${ofTenant('r')} and r.staff_id = :staffId)
     update staff p set state = 'removed', email = null, email_typed = null, password_hash = null,
       provider_issuer = null, provider_subject = null
     where ${ofTenant('p')} and p.id = :staffId`,
    { staffId },
  ),
);

/** Takes away how the person is reached and signs in. The name stays, beside what was done under it. */
export async function removePerson(db: Db, scope: Scope, staffId: string): Promise<void> {
  await db.rows(remove(scope, { staffId }));
}
