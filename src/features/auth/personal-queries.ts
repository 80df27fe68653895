/** Identities and sessions of a member, as they are erased and exported, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { byId, type ExportList, exportList, ofMember, type Person, utc } from '../../house/personal.ts';

const memberIdentity = tenantTable('member_identity');
const tokenFamily = tenantTable('token_family');
const sessionCutoff = tenantTable('session_cutoff');

const identities = statement<unknown, { memberId: string }>('erasure_identities', ({ memberId }) =>
  memberIdentity().where({ member_id: memberId }).delete(),
);

export function eraseIdentities({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return identities({ tenantId, environment }, { memberId });
}

const sessions = statement<unknown, { memberId: string }>('erasure_sessions', ({ memberId }) =>
  tokenFamily()
    .where({ member_id: memberId, revoked_at: null })
    .update({ revoked_at: raw('now()'), revoke_reason: 'member_erased' }),
);

export function endSessions({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return sessions({ tenantId, environment }, { memberId });
}

export const identitiesOfMember: ExportList = exportList(
  'export_identities',
  byId('i'),
  { id: 'i.id', providerId: 'a.provider_id', subject: 'i.subject', createdAt: utc('i.created_at') },
  `member_identity i
   join auth_provider a on ${ofTenant('a')} and a.id = i.auth_provider_id ${ofMember('i', 'member_id')}`,
);

export const sessionsOfMember: ExportList = exportList(
  'export_sessions',
  byId('s'),
  { id: 's.id', createdAt: utc('s.created_at'), revokedAt: utc('s.revoked_at') },
  `token_family s ${ofMember('s', 'member_id')}`,
);

const cutoff = statement<unknown, { memberId: string }>('erasure_session_cutoff', ({ memberId }) =>
  sessionCutoff().where({ member_id: memberId }).delete(),
);

export function eraseCutoff({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return cutoff({ tenantId, environment }, { memberId });
}

/** Those of which something is known still; by their sessions, for they name nobody. */
export const exchangedTokensOf: ExportList = exportList(
  'export_exchanged_tokens',
  byId('s'),
  { sessionId: 's.id', exchanges: 't.exchanges', expiresAt: utc('t.expires_at') },
  `token_family s join exchanged_token t on ${ofTenant('t')} and t.family_id = s.id ${ofMember('s', 'member_id')}`,
);

/** When all sessions of the member were ended at once. */
export const sessionsEndedAt = `(select ${utc('c.ended_at')} from session_cutoff c where ${ofTenant('c')} and c.member_id = m.id)`;
