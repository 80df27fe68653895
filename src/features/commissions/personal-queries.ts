/** Commissions of a member, as they are erased and exported, and what is owed of them, in SQL. */
import { raw, replanned, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { byId, type ExportList, exportList, type OwedSum, ofMember, type Person, utc } from '../../house/personal.ts';
import { SELF_PURCHASE_REASON } from './open/commission-line.ts';
import { owedSums } from './open/owed-sql.ts';

const owed = statement<OwedSum, { memberId: string }>('erasure_owed', ({ memberId }) =>
  raw(
    `select owed.currency, owed.status, owed.amount_minor::bigint as "amountMinor" from (${owedSums(':memberId')}) owed
   order by owed.currency collate "C", array_position(array['pending', 'held', 'cleared', 'processing'], owed.status)`,
    { memberId },
  ),
);

export function owedToMember({ tenantId, environment }: Scope, { memberId }: Person): Statement<OwedSum> {
  return owed({ tenantId, environment }, { memberId });
}

const findLines = replanned<{ id: string }, { memberId: string; saleIds: readonly string[] }>(({ memberId, saleIds }) =>
  raw(
    `select o.id from commission_line o where ${ofTenant('o')} and o.beneficiary_id = :memberId
   union
   select o.id from commission_line o where ${ofTenant('o')} and o.event_id = any (:saleIds::uuid[])
   union
   select o.id from commission_line o where ${ofTenant('o')} and o.about_event_id = any (:saleIds::uuid[])`,
    { memberId, saleIds },
  ),
);

type OfLines = { lineIds: readonly string[] };

const lineReasons = replanned<unknown, OfLines>(({ lineIds }) =>
  raw(
    `update commission_line l set hold_reason = null
   where ${ofTenant('l')} and l.hold_reason <> '${SELF_PURCHASE_REASON}' and l.id = any (:lineIds::uuid[])`,
    { lineIds },
  ),
);

const actionReasons = replanned<unknown, OfLines>(({ lineIds }) =>
  raw(
    `update commission_action a set reason = null
   where ${ofTenant('a')} and a.reason is not null and a.line_id = any (:lineIds::uuid[])`,
    { lineIds },
  ),
);

/** What was written of the member's commissions, and of those that were paid for what it bought. */
export async function eraseReasons(db: Db, scope: Scope, { memberId, saleIds }: Person): Promise<void> {
  const lines = await db.rows(findLines(scope, { memberId, saleIds }));
  if (lines.length === 0) return;
  const lineIds = lines.map(({ id }) => id);
  await Promise.all([db.rows(lineReasons(scope, { lineIds })), db.rows(actionReasons(scope, { lineIds }))]);
}

export const commissionsOfMember: ExportList = exportList(
  'export_commissions',
  [['l.currency', 'text', ''], ['l.occurred_at', 'timestamptz', '-infinity'], ...byId('l')],
  {
    id: 'l.id',
    eventId: 'l.event_id',
    kind: 'l.kind',
    status: 'l.status',
    level: 'l.level',
    amountMinor: 'l.amount_minor',
    currency: 'l.currency',
    occurredAt: utc('l.occurred_at'),
  },
  `commission_line l ${ofMember('l', 'beneficiary_id')}`,
);
