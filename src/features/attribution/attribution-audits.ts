/** What the doctor asks of receipts of attribution. */
import type { Audit } from '../../doctor/audit.ts';

export const attributionAudits: readonly Audit[] = [
  {
    id: 'A-1',
    title: 'an event and its receipt name each other, and agree on whom it is credited to and by which rule',
    sql: `with known as (select tenant_id, environment, id, receipt_id, attributed_member_id, attribution_rule from event where receipt_id is not null),
          receipt as (select tenant_id, environment, id as receipt_id, event_id, winner_id, rule from attribution_receipt where event_id is not null)
          select tenant_id, environment, receipt_id, k.id as event_id, r.event_id as receipt_of, k.attributed_member_id, r.winner_id,
                 k.attribution_rule, r.rule
          from known k full join receipt r using (tenant_id, environment, receipt_id)
          where k.id is distinct from r.event_id or k.attributed_member_id is distinct from r.winner_id
             or k.attribution_rule is distinct from r.rule`,
  },
];
