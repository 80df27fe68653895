/** Entries of the audit log on a member and on its verification, as they are exported, in SQL. */
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { byId, type ExportList, exportList, utc } from '../../house/personal.ts';

const MY_RECORD = `(select k.id from kyc_record k where ${ofTenant('k')} and k.member_id = :memberId)`;

export const entriesOnMember: ExportList = exportList(
  'export_audit_entries',
  byId('a'),
  {
    id: 'a.id',
    action: 'a.action',
    // The document is the member's: of others it has the kind alone.
    actor: "json_build_object('kind', a.actor_kind, 'id', case when a.actor_id = :memberId::uuid::text then a.actor_id end)",
    operationId: 'a.operation_id',
    details: 'a.details',
    createdAt: utc('a.recorded_at'),
  },
  `audit_log a where ${ofTenant('a')}
   and (a.object_kind, a.object_id) in (('member', :memberId::uuid::text), ('kyc_record', ${MY_RECORD}::text))`,
);

/** Where the member's own calls came from, while it is kept. */
export const addressesOfMember: ExportList = exportList(
  'export_audit_addresses',
  byId('a'),
  { entryId: 'a.id', action: 'a.action', ip: 'o.ip', createdAt: utc('a.recorded_at') },
  `audit_log a join audit_origin o on ${sameTenant('o', 'a')} and o.entry_id = a.id
   where ${ofTenant('a')} and ${ofTenant('o')} and a.actor_id = :memberId::uuid::text and a.actor_kind = 'member'`,
);
