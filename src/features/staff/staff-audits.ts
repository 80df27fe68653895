/** What the doctor asks of people. */
import type { Audit } from '../../doctor/audit.ts';

const SAME = 'p.tenant_id = s.tenant_id and p.environment = s.environment and p.id = s.staff_id';

export const staffAudits: readonly Audit[] = [
  {
    id: 'ST-1',
    title: 'a tenant with people who have joined has an active owner',
    sql: `select p.tenant_id, p.environment, count(*)::int as people from staff p where p.state in ('active', 'disabled')
          group by p.tenant_id, p.environment having count(*) filter (where p.role = 'owner' and p.state = 'active') = 0`,
  },
  {
    id: 'ST-2',
    title: 'nobody who is disabled, removed or only invited has a session that is not ended',
    sql: `select s.tenant_id, s.environment, s.id as staff_session_id, p.state from staff_session s
          join staff p on ${SAME} where s.ended_at is null and p.state <> 'active'`,
  },
  {
    id: 'ST-3',
    title: 'nobody who is removed can sign in: no password, second factor or link is left',
    sql: `select p.tenant_id, p.environment, p.id as staff_id from staff p where p.state = 'removed' and (
            exists (select from staff_passkey s where ${SAME}) or exists (select from staff_totp s where ${SAME})
            or exists (select from staff_recovery_code s where ${SAME})
            or exists (select from staff_invite s where ${SAME} and s.used_at is null and s.revoked_at is null))`,
  },
];
