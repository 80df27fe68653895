/** What the doctor asks of verifications. */
import { sameTenant } from '../../db/tenant-condition.ts';
import type { Audit } from '../../doctor/audit.ts';
import { KYC_STATUSES, MANUAL_TRANSITIONS } from './open/kyc-states.ts';

const statuses = KYC_STATUSES.map((status) => `'${status}'`).join(', ');
const transitions = KYC_STATUSES.flatMap((from) => MANUAL_TRANSITIONS[from].map((to) => `('${from}', '${to}')`)).join(', ');

/** What the vendor says is not bound by the table, nor is a reset there. */
const BY_THE_VENDOR = `(a.actor_kind in ('vendor', 'system') and a.actor_id is not distinct from 'kycvendor')`;

const statesAudit: Audit = {
  id: 'I-11',
  title:
    'verifications are approved with a time and rejected with a reason, members know of it, and nobody left the table of states',
  sql: `select 'approved without a time' as fault, k.tenant_id, k.environment, k.id as kyc_record_id, k.status as found
        from kyc_record k where k.status = 'approved' and k.verified_at is null
        union all
        select 'rejected without a reason', k.tenant_id, k.environment, k.id, k.status
        from kyc_record k where k.status = 'rejected' and coalesce(k.rejection_reason, '') !~ '\\S'
        union all
        select 'the member is approved as of another time', m.tenant_id, m.environment, k.id, m.kyc_approved_at::text
        from member m
        left join kyc_record k on ${sameTenant('k', 'm')} and k.member_id = m.id
        where m.kyc_approved_at is distinct from case when k.status = 'approved' then k.verified_at end
        union all
        select 'a transition that is not in the table', a.tenant_id, a.environment, a.object_id::uuid,
               concat(a.details->>'from', ' -> ', a.details->>'to')
        from audit_log a
        where a.object_kind = 'kyc_record' and starts_with(a.action, 'kyc_record.') and not ${BY_THE_VENDOR}
          and (a.details->>'from' in (${statuses}) or a.details->>'to' in (${statuses}))
          and a.details->>'from' is distinct from a.details->>'to'
          and not exists (select from (values ${transitions}) t(earlier, later)
                          where t.earlier = a.details->>'from' and t.later = a.details->>'to')`,
};

export const kycAudits: readonly Audit[] = [statesAudit];
