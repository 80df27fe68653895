/** Token families, refresh tokens and the state of sessions in SQL. Times are the database's. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

/**
 * A family and its first refresh token. Both live by the database's clock, a SANDBOX's too: whoever
 * moves a sandbox's time means sales, not sessions.
 */
const insertFamilyStatement = prepared<
  { id: string },
  [string, string, memberId: string, providerId: string, tokenHash: Buffer, slidingDays: number, absoluteDays: number]
>(
  'auth_insert_family',
  `with family as (
     insert into token_family (tenant_id, environment, member_id, auth_provider_id, absolute_expires_at)
     values ($1, $2, $3, $4, now() + make_interval(days => $7)) returning id, absolute_expires_at),
   token as (
     insert into refresh_token (tenant_id, environment, family_id, token_hash, expires_at)
     select $1, $2, family.id, $5, least(now() + make_interval(days => $6), family.absolute_expires_at) from family)
   select id from family`,
);

export interface NewFamily {
  memberId: string;
  providerId: string;
  tokenHash: Buffer;
  slidingDays: number;
  absoluteDays: number;
}

/** Returns the family's id: what `sid` says. */
export async function insertFamily(db: Db, scope: Scope, family: NewFamily): Promise<string> {
  const { memberId, providerId, tokenHash, slidingDays, absoluteDays } = family;
  const row = await db.row(
    insertFamilyStatement(scope.tenantId, scope.environment, memberId, providerId, tokenHash, slidingDays, absoluteDays),
  );
  if (!row) throw new Error('the insert of a token family returned no row');
  return row.id;
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
         coalesce(r.used_at > now() - make_interval(secs => $4), false) as just_used
  from refresh_token r
  join token_family f on f.tenant_id = r.tenant_id and f.environment = r.environment and f.id = r.family_id
  join member m on m.tenant_id = f.tenant_id and m.environment = f.environment and m.id = f.member_id
  where r.tenant_id = $1 and r.environment = $2 and r.token_hash = $3`;

type FindToken = [string, string, tokenHash: Buffer, graceSeconds: number];

const findTokenStatement = prepared<RefreshTokenRow, FindToken>('auth_find_refresh_token', refreshTokenText);

/** Of many who use one token at once, one goes first and the others see that it did. */
const lockTokenStatement = prepared<RefreshTokenRow, FindToken>(
  'auth_lock_refresh_token',
  `${refreshTokenText} for no key update of r`,
);

export async function findRefreshToken(
  db: Db,
  scope: Scope,
  tokenHash: Buffer,
  graceSeconds: number,
  { lock }: { lock: boolean },
): Promise<RefreshTokenState | undefined> {
  const statement = lock ? lockTokenStatement : findTokenStatement;
  const row = await db.row(statement(scope.tenantId, scope.environment, tokenHash, graceSeconds));
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

const rotateStatement = prepared<
  unknown,
  [string, string, tokenId: string, successorHash: Buffer, keyId: string, slidingDays: number]
>(
  'auth_rotate_refresh_token',
  `with used as (
     update refresh_token set used_at = now(), used_by_key_id = $5
     where tenant_id = $1 and environment = $2 and id = $3 returning family_id)
   insert into refresh_token (tenant_id, environment, family_id, token_hash, expires_at)
   select $1, $2, f.id, $4, least(now() + make_interval(days => $6), f.absolute_expires_at)
   from used join token_family f on f.tenant_id = $1 and f.environment = $2 and f.id = used.family_id`,
);

/** Marks the locked token as used and inserts its successor. */
export async function rotateRefreshToken(
  db: Db,
  scope: Scope,
  rotation: { tokenId: string; successorHash: Buffer; keyId: string; slidingDays: number },
): Promise<void> {
  const { tokenId, successorHash, keyId, slidingDays } = rotation;
  await db.rows(rotateStatement(scope.tenantId, scope.environment, tokenId, successorHash, keyId, slidingDays));
}

const tokenUsedStatement = prepared<{ used: boolean }, [string, string, tokenHash: Buffer]>(
  'auth_refresh_token_used',
  'select used_at is not null as used from refresh_token where tenant_id = $1 and environment = $2 and token_hash = $3',
);

/** True also for a token that is not there. */
export async function isRefreshTokenUsed(db: Db, scope: Scope, tokenHash: Buffer): Promise<boolean> {
  return (await db.row(tokenUsedStatement(scope.tenantId, scope.environment, tokenHash)))?.used ?? true;
}

/** Why a family is no more, of those reasons that are this feature's. */
export type RevokeReason = 'reuse' | 'revoked';

interface RevokedFamily {
  id: string;
  memberId: string;
}

type RevokedRow = { id: string; member_id: string };

const revokeFamilyStatement = prepared<RevokedRow, [string, string, familyId: string, RevokeReason]>(
  'auth_revoke_family',
  `update token_family set revoked_at = now(), revoke_reason = $4
   where tenant_id = $1 and environment = $2 and id = $3 and revoked_at is null returning id, member_id`,
);

/** The family it was, or undefined when there was none to revoke. */
export async function revokeFamily(
  db: Db,
  scope: Scope,
  familyId: string,
  reason: RevokeReason,
): Promise<RevokedFamily | undefined> {
  const row = await db.row(revokeFamilyStatement(scope.tenantId, scope.environment, familyId, reason));
  return row && { id: row.id, memberId: row.member_id };
}

const revokeByMemberStatement = prepared<{ found: boolean; revoked: number }, [string, string, memberId: string]>(
  'auth_revoke_by_member',
  `with gone as (
     update token_family set revoked_at = now(), revoke_reason = 'revoked'
     where tenant_id = $1 and environment = $2 and member_id = $3 and revoked_at is null returning id)
   select exists (select from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $3) as found,
          (select count(*)::int from gone) as revoked`,
);

/** How many families of the member were revoked; undefined when there is no such member. */
export async function revokeFamiliesOf(db: Db, scope: Scope, memberId: string): Promise<number | undefined> {
  const row = await db.row(revokeByMemberStatement(scope.tenantId, scope.environment, memberId));
  return row?.found === true ? row.revoked : undefined;
}

/** A row when the session still is: not revoked, not at its end, of a member who is active and not erased. */
export const sessionStatement = prepared<{ member_id: string }, [string, string, sessionId: string]>(
  'auth_session',
  `select f.member_id from token_family f
   join member m on m.tenant_id = f.tenant_id and m.environment = f.environment and m.id = f.member_id
   where f.tenant_id = $1 and f.environment = $2 and f.id = $3
     and f.revoked_at is null and f.absolute_expires_at > now() and m.is_active and m.erased_at is null`,
);
