/** Entries of the audit log on a member and on its verification, as they are exported, in SQL. */
import { ofTenant } from '../../db/tenant-condition.ts';
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
    details: 'a.details',
    createdAt: utc('a.recorded_at'),
  },
  `audit_log a where ${ofTenant('a')}
   and (a.object_kind, a.object_id) in (('member', :memberId::uuid::text), ('kyc_record', ${MY_RECORD}::text))`,
);
