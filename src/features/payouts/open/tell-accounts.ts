/** Telling of a member's payout accounts where something else has changed what they show. */
import type { Provenance } from '../../../actor.ts';
import { raw, statement } from '../../../db/query.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { matchesTypeSql } from '../../webhooks/open/event-types.ts';
import { HEARD } from '../../webhooks/open/hearing-sql.ts';
import { tell } from '../../webhooks/webhooks-service.ts';

const heardOf = statement<{ id: string }, { memberId: string }>('accounts_heard_of', ({ memberId }) =>
  raw(
    `select a.id from payout_account a
   where ${ofTenant('a')} and a.member_id = :memberId and a.status <> 'deactivated'
     and ${matchesTypeSql(HEARD, "'payout_account.updated'")}
   order by a.id`,
    { memberId },
  ),
);

/** The verified name of the member is another, or there is one now or none any more: `nameMatch` follows. */
export async function tellNameMatch(db: WriteDb, scope: Scope, by: Pick<Provenance, 'actor'>, memberId: string): Promise<void> {
  for (const { id } of await db.rows(heardOf(scope, { memberId }))) {
    tell(db, by, 'payout_account.updated', id, { params: { userId: memberId, accountId: id }, heard: true });
  }
}
