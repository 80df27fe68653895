/** Commissions of a member, as they are exported, and what is owed of them, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { byId, type ExportList, exportList, type OwedSum, ofMember, type Person, utc } from '../../house/personal.ts';
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
