/** Commissions of a member, as they are exported, in SQL. */
import { byId, type ExportList, exportList, ofMember, utc } from '../../house/personal.ts';

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
