/** Links for one person, each used once, in SQL. The one lookup by a link's value is in `db/cross-tenant-lookups.ts`. */
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import type { Role } from './open/roles.ts';

export type LinkKind = 'invite' | 'welcome' | 'reset';

export interface Link {
  id: string;
  kind: LinkKind;
  staffId: string | null;
  role: Role;
  email: string | null;
  createdAt: Date;
  createdBy: NamedActor;
  expiresAt: Date;
  usedAt: Date | null;
  revokedAt: Date | null;
  status: 'open' | 'used' | 'revoked' | 'expired';
}

/** A link by which somebody joins. */
export type Invitation = Link & { kind: 'invite' | 'welcome' };

export function isInvitation(link: Link): link is Invitation {
  return link.kind !== 'reset';
}

const COLUMNS = `i.id, i.kind, i.staff_id as "staffId", i.role, p.email_typed as email, i.created_at as "createdAt",
  ${namedActor('i.created_by')} as "createdBy", i.expires_at as "expiresAt", i.used_at as "usedAt", i.revoked_at as "revokedAt",
  case when i.used_at is not null then 'used' when i.revoked_at is not null then 'revoked'
       when i.expires_at <= now() then 'expired' else 'open' end as status`;

const invite = tenantTable('staff_invite');
const joined = () => invite('i').leftJoin('staff as p', 'p.id', 'i.staff_id');

interface NewLink {
  kind: LinkKind;
  hash: Buffer;
  staffId: string | null;
  role: Role;
  by: string;
  minutes: number;
}

const insert = statement<{ id: string; expiresAt: Date }, NewLink>(
  'staff_link_insert',
  ({ kind, hash, staffId, role, by, minutes }) =>
    raw(
      `insert into staff_invite (tenant_id, environment, kind, token_hash, staff_id, role, created_by, expires_at)
       values (:tenantId, :environment, :kind, :hash, :staffId, :role, :by, now() + make_interval(mins => :minutes))
       returning id, expires_at as "expiresAt"`,
      { kind, hash, staffId, role, by, minutes },
    ),
);

export async function insertLink(db: Db, scope: Scope, link: NewLink): Promise<{ id: string; expiresAt: Date }> {
  const row = await db.row(insert(scope, link));
  if (!row) throw new Error('a link was not written');
  return row;
}

export interface LockedLink {
  id: string;
  kind: LinkKind;
  staffId: string | null;
  role: Role;
  createdBy: string;
  expiresAt: Date;
  open: boolean;
}

/** By the clock, not as of the transaction: who waited for the lock must see that it was used meanwhile. */
const lock = statement<LockedLink, { linkId: string }>('staff_link_lock', ({ linkId }) =>
  invite('i')
    .where('i.id', linkId)
    .select(
      raw(`i.id, i.kind, i.staff_id as "staffId", i.role, i.created_by as "createdBy", i.expires_at as "expiresAt",
           i.used_at is null and i.revoked_at is null and i.expires_at > clock_timestamp() as open`),
    )
    .forUpdate(),
);

export function lockLink(db: Db, scope: Scope, linkId: string): Promise<LockedLink | undefined> {
  return db.row(lock(scope, { linkId }));
}

const use = statement<unknown, { linkId: string; staffId: string }>('staff_link_use', ({ linkId, staffId }) =>
  invite('i')
    .where('i.id', linkId)
    .update({ used_at: raw('now()'), staff_id: staffId }),
);

export async function useLink(db: Db, scope: Scope, linkId: string, staffId: string): Promise<void> {
  await db.rows(use(scope, { linkId, staffId }));
}

const revoke = statement<{ id: string }, { staffId: string | null; linkId: string | null }>(
  'staff_link_revoke',
  ({ staffId, linkId }) =>
    raw(
      `update staff_invite i set revoked_at = now()
       where ${ofTenant('i')} and i.used_at is null and i.revoked_at is null
         and (i.staff_id = :staffId::uuid or i.id = :linkId::uuid) returning i.id`,
      { staffId, linkId },
    ),
);

/** One link, or all of a person that can still be used. */
export async function revokeLinks(db: Db, scope: Scope, which: { staffId: string } | { linkId: string }): Promise<string[]> {
  const rows = await db.rows(revoke(scope, { staffId: null, linkId: null, ...which }));
  return rows.map(({ id }) => id);
}

const revokeOfMaker = statement<unknown, { by: string }>('staff_link_revoke_welcomes', ({ by }) =>
  invite('i')
    .where({ kind: 'welcome', created_by: by })
    .whereRaw('i.used_at is null and i.revoked_at is null')
    .update({ revoked_at: raw('now()') }),
);

/** The welcome links of one maker, an `actorRef`, that can still be used. */
export async function revokeWelcomes(db: Db, scope: Scope, by: string): Promise<void> {
  await db.rows(revokeOfMaker(scope, { by }));
}

const find = statement<Link, { linkId: string }>('staff_link_find', ({ linkId }) =>
  joined().where('i.id', linkId).select(raw(COLUMNS)),
);

export function findLink(db: Db, scope: Scope, linkId: string): Promise<Link | undefined> {
  return db.row(find(scope, { linkId }));
}

const openInvite = statement<{ id: string }, { staffId: string }>('staff_open_invite', ({ staffId }) =>
  invite('i')
    .where('i.staff_id', staffId)
    .where('i.kind', 'invite')
    .whereRaw('i.used_at is null and i.revoked_at is null and i.expires_at > now()')
    .orderBy('i.id', 'desc')
    .limit(1)
    .select('i.id'),
);

/** The invitation by which a person can still join. */
export function findOpenInvite(db: Db, scope: Scope, staffId: string): Promise<{ id: string } | undefined> {
  return db.row(openInvite(scope, { staffId }));
}

const list = statement<Invitation, { before: string | null; count: number }>('staff_link_list', ({ before, count }) =>
  joined()
    .whereNot('i.kind', 'reset')
    .whereRaw('(:before::uuid is null or i.id < :before)', { before })
    .orderBy('i.id', 'desc')
    .limit(count)
    .select(raw(COLUMNS)),
);

/** Invitations and welcome links, newest first. */
export function listLinks(db: Db, scope: Scope, before: string | undefined, count: number): Promise<Invitation[]> {
  return db.rows(list(scope, { before: before ?? null, count }));
}

interface Look {
  kind: LinkKind;
  tenantName: string;
  slug: string;
  role: Role;
  email: string | null;
  name: string | null;
  expiresAt: Date;
  /** An `actorRef`. */
  createdBy: string;
}

const look = statement<Look, { linkId: string }>('staff_link_look', ({ linkId }) =>
  joined()
    .joinRaw('join tenant t on t.id = i.tenant_id')
    .where('i.id', linkId)
    .whereRaw('i.used_at is null and i.revoked_at is null and i.expires_at > now()')
    .select(
      raw(`i.kind, t.name as "tenantName", t.slug, i.role, p.email_typed as email, p.name, i.expires_at as "expiresAt",
           i.created_by as "createdBy"`),
    ),
);

/**
 * What a link leads to that can still be used; it is as it was. One that was used would show the email of whoever used it.
 */
export function lookAtLink(db: Db, scope: Scope, linkId: string) {
  return db.row(look(scope, { linkId }));
}
