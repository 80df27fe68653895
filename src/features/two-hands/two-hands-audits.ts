/** What the doctor asks of roots and of approvals by two. */
import type { Audit } from '../../doctor/audit.ts';

const KEY = (a: string, b: string): string => `${a}.tenant_id = ${b}.tenant_id and ${a}.environment = ${b}.environment`;

export const twoHandsAudits: readonly Audit[] = [
  {
    id: 'TH-1',
    title: "a key has the root of the key or the person that made it, and an operator's key is its own",
    sql: `select k.tenant_id, k.environment, k.id as key_id, k.created_by, k.root
          from api_key k
          left join api_key maker on ${KEY('maker', 'k')} and 'api_key:' || maker.id = k.created_by
          where case
              when k.created_by like 'staff:%' then k.root <> k.created_by
              when k.created_by like 'api\\_key:%' then k.root <> maker.root
              -- Of keys of before it was told otherwise who made them.
              when k.created_by is not null then k.root <> 'api_key:' || k.id end`,
  },
  {
    id: 'TH-2',
    title: 'a run that was drafted under dual control was approved by other hands, and by a person where it asked for one',
    sql: `select r.tenant_id, r.environment, r.id as payout_run_id, r.dual_control, r.drafter_root, r.approved_by
          from payout_run r
          left join api_key k on ${KEY('k', 'r')} and 'api_key:' || k.id = r.approved_by
          where r.dual_control in ('keys', 'persons') and r.approved_by is not null
            and (coalesce(k.root, r.approved_by) in (r.drafter_root, r.created_by)
                 or (r.dual_control = 'persons' and r.approved_by not like 'staff:%'))`,
  },
];
