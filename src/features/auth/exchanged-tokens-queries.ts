/** Tokens of providers that have begun a session, and from when on a member's must be new; in SQL. Times are the database's. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

const member = tenantTable('member');

export interface ClaimedToken {
  providerId: string;
  digest: Buffer;
  /** Seconds since 1970 after which nobody takes the token any more. */
  forgetAt: number;
  most: number;
}

type ClaimRow = { family_id: string; exchanges: number };

/**
 * Of many who exchange one token at once, one goes first and the others wait for its end. No row once the token has been
 * exchanged as often as it may.
 */
const claimStatement = statement<ClaimRow, ClaimedToken>('auth_claim_token', ({ providerId, digest, forgetAt, most }) =>
  raw(
    `insert into exchanged_token (tenant_id, environment, auth_provider_id, token_digest, expires_at)
   values (:tenantId, :environment, :providerId, :digest, to_timestamp(:forgetAt))
   on conflict (tenant_id, environment, auth_provider_id, token_digest) do update
     set exchanges = exchanged_token.exchanges + 1
     where exchanged_token.exchanges < :most
   returning family_id, exchanges`,
    { providerId, digest, forgetAt, most },
  ),
);

/** The session that the token begins, or goes on with; undefined when it was exchanged too often. */
export async function claimToken(
  db: Db,
  { tenantId, environment }: Scope,
  { providerId, digest, forgetAt, most }: ClaimedToken,
): Promise<{ familyId: string; isFirst: boolean } | undefined> {
  const row = await db.row(claimStatement({ tenantId, environment }, { providerId, digest, forgetAt, most }));
  return row && { familyId: row.family_id, isFirst: row.exchanges === 1 };
}

const shareMemberStatement = statement<{ id: string }, { memberId: string }>('auth_share_member', ({ memberId }) =>
  member('m').where('m.id', memberId).whereRaw('m.is_active and m.erased_at is null').select('m.id').forShare(),
);

const cutoffStatement = statement<{ cut: boolean }, { memberId: string; issuedAt: number }>(
  'auth_session_cutoff',
  ({ memberId, issuedAt }) =>
    raw(
      `select true as cut from session_cutoff c
   where ${ofTenant('c')} and c.member_id = :memberId and to_timestamp(:issuedAt) <= date_trunc('second', c.ended_at)`,
      { memberId, issuedAt },
    ),
);

/**
 * Whether the member may have a session by a token of that second. Its sessions are not ended all at once before the frame
 * ends: whoever does that waits, and then finds the session that is made here.
 */
export async function maySignIn(
  db: Db,
  { tenantId, environment }: Scope,
  { memberId, issuedAt }: { memberId: string; issuedAt: number },
): Promise<boolean> {
  const [alive, cutoff] = await Promise.all([
    db.row(shareMemberStatement({ tenantId, environment }, { memberId })),
    db.row(cutoffStatement({ tenantId, environment }, { memberId, issuedAt })),
  ]);
  return alive !== undefined && cutoff === undefined;
}

const cutOffStatement = statement<unknown, { memberId: string }>('auth_cut_off_sessions', ({ memberId }) =>
  raw(
    `insert into session_cutoff (tenant_id, environment, member_id, ended_at)
   values (:tenantId, :environment, :memberId, clock_timestamp())
   on conflict (tenant_id, environment, member_id) do update set ended_at = excluded.ended_at`,
    { memberId },
  ),
);

/** Of a member that is locked: from now on its tokens must have been issued in a later second. */
export async function cutOffSessions(db: Db, { tenantId, environment }: Scope, memberId: string): Promise<void> {
  await db.rows(cutOffStatement({ tenantId, environment }, { memberId }));
}

const addRefreshTokenStatement = statement<
  { id: string },
  { familyId: string; memberId: string; tokenHash: Buffer; slidingDays: number }
>('auth_add_refresh_token', ({ familyId, memberId, tokenHash, slidingDays }) =>
  raw(
    `insert into refresh_token (tenant_id, environment, family_id, token_hash, expires_at)
   select :tenantId, :environment, f.id, :tokenHash, least(now() + make_interval(days => :slidingDays), f.absolute_expires_at)
   from token_family f
   where ${ofTenant('f')} and f.id = :familyId and f.member_id = :memberId and f.revoked_at is null
     and f.absolute_expires_at > now()
   returning id`,
    { familyId, memberId, tokenHash, slidingDays },
  ),
);

/** One more refresh token of a session; false when the session was ended, or is another member's. */
export async function addRefreshToken(
  db: Db,
  { tenantId, environment }: Scope,
  token: { familyId: string; memberId: string; tokenHash: Buffer; slidingDays: number },
): Promise<boolean> {
  const { familyId, memberId, tokenHash, slidingDays } = token;
  const row = await db.row(addRefreshTokenStatement({ tenantId, environment }, { familyId, memberId, tokenHash, slidingDays }));
  return row !== undefined;
}

const forgetStatement = statement<{ count: number }, { limit: number }>('auth_forget_tokens', ({ limit }) =>
  raw(
    `with gone as (
     delete from exchanged_token where ${ofTenant('exchanged_token')} and ctid = any (array(
       select ctid from exchanged_token where ${ofTenant('exchanged_token')} and expires_at <= now()
       order by expires_at limit :limit for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
    { limit },
  ),
);

/** Forgets at most so many tokens that are good no more; how many. */
export async function forgetTokens(db: Db, { tenantId, environment }: Scope, limit: number): Promise<number> {
  return (await db.row(forgetStatement({ tenantId, environment }, { limit })))?.count ?? 0;
}
