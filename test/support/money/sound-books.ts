/**
 * The oracle of the money scenarios: the doctor's audits, and of every commission exactly the part
 * that docs/specification/commissions.md#reversal leaves of it, worked out here in SQL from the events alone.
 */

import { expect } from 'vitest';
import { examineBooks } from '../app/examine-books.ts';
import type { TestApp } from '../app/test-app.ts';

export async function expectSoundBooks(app: TestApp): Promise<void> {
  const audits = await examineBooks(app.database.adminUrl);
  expect(audits.length).toBeGreaterThan(0);
  expect(audits.filter((audit) => audit.breaches.length > 0)).toEqual([]);
  expect(await findUnevenCommissions(app)).toEqual([]);
}

/**
 * Commissions whose lines do not come to what is left of them (nothing, once void), whose reversed
 * lines do not cancel out, or that are on hold in part.
 */
function findUnevenCommissions(app: TestApp): Promise<object[]> {
  return app.database.asSuperuser(
    `with refunded as (
       select r.purchase_id, sum(case
                when r.kind = 'refund' or r.stage = 'lost' then r.amount_minor
                when r.stage = 'won' and exists (select from event x where x.purchase_id = r.purchase_id
                  and x.dispute_id = r.dispute_id and x.stage = 'lost') then -r.amount_minor else 0 end) as minor
       from event r where r.purchase_id is not null group by 1),
     family as (
       select o.id, o.about_event_id, o.beneficiary_id, o.level, o.paid_level, coalesce(o.about_event_id, o.event_id) as event_id,
              o.amount_minor as whole, sum(l.amount_minor) as net, bool_or(l.action_id is not null) as void,
              coalesce(sum(l.amount_minor) filter (where l.status = 'reversed'), 0) as reversed,
              count(distinct l.status = 'held') filter (where l.status in ('held', 'pending', 'cleared')
                and l.kind <> 'clawback' and o.status not in ('paid', 'processing')) as hold_states
       from commission_line o join commission_line l on l.id = o.id or l.reverses_line_id = o.id
       where o.reverses_line_id is null group by o.tenant_id, o.environment, o.id),
     -- Of what topped up a line that is void nothing comes back, once nothing is left of it.
     gone as (
       select f.id from family f
       join commission_line o on o.event_id = f.about_event_id and o.beneficiary_id = f.beneficiary_id and o.level = f.level
         and o.paid_level = f.paid_level
       join commission_line v on v.reverses_line_id = o.id and v.action_id is not null
       where f.net = 0)
     select f.id, f.whole::text, f.net::text, f.reversed::text, f.hold_states, f.void, r.minor::text as refunded
     from family f join event e on e.id = f.event_id left join refunded r on r.purchase_id = f.event_id
     where f.reversed <> 0 or f.hold_states > 1
        or f.net <> case when f.void or f.id in (select gone.id from gone) then 0
                         when r.minor is null then f.whole
                         else f.whole - round(f.whole::numeric * r.minor / e.amount_minor) end
     limit 10`,
  );
}
