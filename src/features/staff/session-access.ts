/**
 * A session in place of a key, where an operation takes one: from the service's own pages alone.
 * Source: docs/specification/people.md#session-reads.
 */
import type { Frames } from '../../db/frame.ts';
import { raw, statement } from '../../db/query.ts';
import type { Environment } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { SessionAccess } from '../../http/keyed-steps.ts';
import type { OwnAddress } from '../../own-address.ts';
import { isSecure, readCookie } from './open/session-cookie.ts';
import type { Sessions } from './sessions.ts';

const member = tenantTable('member');

const hasMember = statement<{ found: boolean }, { memberId: string }>('staff_has_member', ({ memberId }) =>
  member('m').where('m.id', memberId).limit(1).select(raw('true as found')),
);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Deps {
  frames: Frames;
  sessions: Pick<Sessions, 'resolve' | 'callerOf'>;
  ownAddress: OwnAddress;
}

export function createSessionAccess({ frames, sessions, ownAddress }: Deps): SessionAccess {
  /** Ids of members are unique across both; of nobody's LIVE is told, where there is no such member either. */
  async function environmentOf(tenantId: string, memberId: unknown): Promise<Environment> {
    if (typeof memberId !== 'string' || !UUID.test(memberId)) return 'LIVE';
    const scope = { tenantId, environment: 'SANDBOX' } as const;
    const [found] = await frames.readOnce(scope, hasMember(scope, { memberId }));
    return found ? 'SANDBOX' : 'LIVE';
  }

  return {
    async callerOf(req, { operationId }, requestId) {
      // A browser says where a request comes from, and no page of another origin can make it say otherwise.
      if (req.get('sec-fetch-site') !== 'same-origin') return undefined;
      const cookie = readCookie(req.get('cookie'), isSecure(ownAddress.url()));
      const session = cookie === undefined ? undefined : await sessions.resolve(cookie);
      if (!session) return undefined;
      const environment = await environmentOf(session.tenantId, req.params['userId']);
      return sessions.callerOf(session, environment, { operationId, requestId, ip: req.ip ?? null });
    },
  };
}
