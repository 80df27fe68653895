/** Token families, refresh tokens and the state of sessions in SQL. Times are the database's. */
import { type Actor, actorRef } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

const tokenFamily = tenantTable('token_family');
const refreshToken = tenantTable('refresh_token');

/**
 * A family and its first refresh token. Both live by the database's clock, a SANDBOX's too: whoever
 * moves a sandbox's time means sales, not sessions.
 */
const insertFamilyStatement = statement<{ id: string }, NewFamily>(
  'auth_insert_family',
  ({ id, memberId, providerId, tokenHash, slidingDays, absoluteDays }) =>
    raw(
      `with family as (
     insert into token_family (tenant_id, environment, id, member_id, auth_provider_id, absolute_expires_at)
     values (:tenantId, :environment, :id, :memberId, :providerId, now() + make_interval(days => :absoluteDays))
     returning id, absolute_expires_at),
   token as (
     insert into refresh_token (tenant_id, environment, family_id, token_hash, created_by, expires_at)
     select :tenantId, :environment, family.id, :tokenHash, 'member:' || :memberId::uuid,
            least(now() + make_interval(days => :slidingDays), family.absolute_expires_at)
     from family)
   select id from family`,
      { id, memberId, providerId, tokenHash, slidingDays, absoluteDays },
    ),
);

export interface NewFamily {
  /** What `sid` says. */
  id: string;
  memberId: string;
  providerId: string;
  tokenHash: Buffer;
  slidingDays: number;
  absoluteDays: number;
}

export async function insertFamily(db: Db, scope: Scope, family: NewFamily): Promise<void> {
  const { id, memberId, providerId, tokenHash, slidingDays, absoluteDays } = family;
  await db.rows(insertFamilyStatement(scope, { id, memberId, providerId, tokenHash, slidingDays, absoluteDays }));
}

export interface RefreshTokenState {
  id: string;
  familyId: string;
  memberId: string;
  issuedAt: Date;
  /** The earlier of its own end and the family's. */
  expiresAt: Date;
  expired: boolean;
  /** Not revoked, and its member is active and not erased. */
  alive: boolean;
  revoked: boolean;
  used: boolean;
  usedByKeyId: string | null;
  /** Used within the last seconds, in which its sender may ask again. */
  justUsed: boolean;
}

interface RefreshTokenRow {
  id: string;
  family_id: string;
  member_id: string;
  issued_at: Date;
  expires_at: Date;
  expired: boolean;
  alive: boolean;
  revoked: boolean;
  used: boolean;
  used_by_key_id: string | null;
  just_used: boolean;
}

const refreshTokenText = `
  select r.id, r.family_id, f.member_id, r.issued_at, least(r.expires_at, f.absolute_expires_at) as expires_at,
         least(r.expires_at, f.absolute_expires_at) <= now() as expired,
         f.revoked_at is null and m.is_active and m.erased_at is null as alive,
         f.revoked_at is not null as revoked, r.used_at is not null as used, r.used_by_key_id,
         coalesce(r.used_at > now() - make_interval(secs => :graceSeconds), false) as just_used
  from refresh_token r
  join token_family f on ${sameTenant('f', 'r')} and f.id = r.family_id
  join member m on ${sameTenant('m', 'f')} and m.id = f.member_id
  where ${ofTenant('r')} and r.token_hash = :tokenHash`;

const findTokenStatement = statement<RefreshTokenRow, { tokenHash: Buffer; graceSeconds: number }>(
  'auth_find_refresh_token',
  ({ tokenHash, graceSeconds }) => raw(refreshTokenText, { tokenHash, graceSeconds }),
);

/** Of many who use one token at once, one goes first and the others see that it did. */
const lockTokenStatement = statement<RefreshTokenRow, { tokenHash: Buffer; graceSeconds: number }>(
  'auth_lock_refresh_token',
  ({ tokenHash, graceSeconds }) => raw(`${refreshTokenText} for no key update of r`, { tokenHash, graceSeconds }),
);

export async function findRefreshToken(
  db: Db,
  scope: Scope,
  tokenHash: Buffer,
  graceSeconds: number,
  { lock }: { lock: boolean },
): Promise<RefreshTokenState | undefined> {
  const statement = lock ? lockTokenStatement : findTokenStatement;
  const row = await db.row(statement(scope, { tokenHash, graceSeconds }));
  return (
    row && {
      id: row.id,
      familyId: row.family_id,
      memberId: row.member_id,
      issuedAt: row.issued_at,
      expiresAt: row.expires_at,
      expired: row.expired,
      alive: row.alive,
      revoked: row.revoked,
      used: row.used,
      usedByKeyId: row.used_by_key_id,
      justUsed: row.just_used,
    }
  );
}

const rotateStatement = statement<
  unknown,
  { tokenId: string; successorHash: Buffer; keyId: string; slidingDays: number; createdBy: string }
>('auth_rotate_refresh_token', ({ tokenId, successorHash, keyId, slidingDays, createdBy }) =>
  raw(
    `with used as (
     update refresh_token set used_at = now(), used_by_key_id = :keyId
     where ${ofTenant('refresh_token')} and id = :tokenId returning family_id)
   insert into refresh_token (tenant_id, environment, family_id, token_hash, expires_at, created_by)
   select :tenantId, :environment, f.id, :successorHash, least(now() + make_interval(days => :slidingDays), f.absolute_expires_at),
          :createdBy
   from used join token_family f on ${ofTenant('f')} and f.id = used.family_id`,
    { tokenId, successorHash, keyId, slidingDays, createdBy },
  ),
);

/** Marks the locked token as used and inserts its successor. */
export async function rotateRefreshToken(
  db: Db,
  scope: Scope,
  rotation: { tokenId: string; successorHash: Buffer; keyId: string; slidingDays: number; actor: Actor },
): Promise<void> {
  const { tokenId, successorHash, keyId, slidingDays, actor } = rotation;
  const createdBy = actorRef(actor);
  await db.rows(rotateStatement(scope, { tokenId, successorHash, keyId, slidingDays, createdBy }));
}

const tokenUsedStatement = statement<{ used: boolean }, { tokenHash: Buffer }>('auth_refresh_token_used', ({ tokenHash }) =>
  refreshToken().where({ token_hash: tokenHash }).select(raw('used_at is not null as used')),
);

/** True also for a token that is not there. */
export async function isRefreshTokenUsed(db: Db, scope: Scope, tokenHash: Buffer): Promise<boolean> {
  return (await db.row(tokenUsedStatement(scope, { tokenHash })))?.used ?? true;
}

/** Why a family is no more, of those reasons that are this feature's. */
export type RevokeReason = 'reuse' | 'revoked';

interface RevokedFamily {
  id: string;
  memberId: string;
}

type RevokedRow = { id: string; member_id: string };

const revokeFamilyStatement = statement<RevokedRow, { familyId: string; reason: RevokeReason }>(
  'auth_revoke_family',
  ({ familyId, reason }) =>
    tokenFamily()
      .where({ id: familyId, revoked_at: null })
      .update({ revoked_at: raw('now()'), revoke_reason: reason })
      .returning(['id', 'member_id']),
);

/** The family it was, or undefined when there was none to revoke. */
export async function revokeFamily(
  db: Db,
  scope: Scope,
  familyId: string,
  reason: RevokeReason,
): Promise<RevokedFamily | undefined> {
  const row = await db.row(revokeFamilyStatement(scope, { familyId, reason }));
  return row && { id: row.id, memberId: row.member_id };
}

const revokeByMemberStatement = statement<{ revoked: number }, { memberId: string }>('auth_revoke_by_member', ({ memberId }) =>
  raw(
    `with gone as (
     update token_family set revoked_at = now(), revoke_reason = 'revoked'
     where ${ofTenant('token_family')} and member_id = :memberId and revoked_at is null returning id)
   select count(*)::int as revoked from gone`,
    { memberId },
  ),
);

/** How many families of the member were revoked. */
export async function revokeFamiliesOf(db: Db, scope: Scope, memberId: string): Promise<number> {
  return (await db.row(revokeByMemberStatement(scope, { memberId })))?.revoked ?? 0;
}

/** A row when the session still is: not revoked, not at its end, of a member who is active and not erased. */
export const sessionStatement = statement<{ member_id: string }, { sessionId: string }>('auth_session', ({ sessionId }) =>
  tokenFamily('f')
    .join('member as m', 'm.id', 'f.member_id')
    .where({ 'f.id': sessionId, 'f.revoked_at': null, 'm.is_active': true, 'm.erased_at': null })
    .where('f.absolute_expires_at', '>', raw('now()'))
    .select('f.member_id'),
);
