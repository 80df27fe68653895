/** The oracle of payouts: what lines, payouts, journals and the vendor say of each other. Each query returns what contradicts. */
import { expect } from 'vitest';
import type { TestApp } from '../app/test-app.ts';
import type { PayoutVendorDouble } from './payout-vendor-double.ts';

const CONTRADICTIONS: Record<string, string> = {
  'a line is in processing or paid without a payout that is, or the other way round': `
    select l.id, l.status, p.status as payout from commission_line l
    full join (select c.line_id, p.status from payout_line c join payout p on p.id = c.payout_id
               where c.live and p.status in ('processing', 'paid')) p on p.line_id = l.id
    where coalesce(l.status in ('processing', 'paid'), false) <> (p.line_id is not null)
       or (p.line_id is not null and l.status <> p.status)`,
  'a line is live in a payout that is over, or in none that is not': `
    select p.id, p.status from payout p join payout_line c on c.payout_id = p.id
    where c.live <> (p.status in ('queued', 'processing', 'paid'))`,
  'the lines of a payout are not its amount': `
    select p.id from payout p left join payout_line c on c.payout_id = p.id
    group by p.id, p.amount_minor, p.line_count having coalesce(sum(c.amount_minor), 0) <> p.amount_minor or count(*) <> p.line_count`,
  'a payout is open in a run that has ended, or a run is not ended without one': `
    select r.id, r.status, count(p.id) from payout_run r
    left join payout p on p.payout_run_id = r.id and p.status in ('queued', 'processing')
    group by r.id, r.status having (r.status in ('completed', 'partially_failed', 'cancelled')) and count(p.id) > 0
       or r.status = 'executing' and count(p.id) = 0`,
  'an attempt and its journals disagree': `
    select a.id, a.outcome, j.causes from payout_attempt a
    left join lateral (select array_agg(substr(j.cause_type, 8) order by j.id) as causes from journal_entry j where j.cause_id = a.id) j on true
    where j.causes is distinct from case a.outcome
      when 'paid' then array['processing', 'paid'] when 'failed' then array['processing', 'failed']
      when 'returned' then array['processing', 'paid', 'returned'] else array['processing'] end`,
  'a payout in processing by the vendor is asked about by nobody': `
    select id from payout where status = 'processing' and provider_type = 'payvendor' and check_at is null`,
};

export async function expectSoundPayouts(app: TestApp): Promise<void> {
  for (const [what, sql] of Object.entries(CONTRADICTIONS)) {
    expect(await app.database.asSuperuser(sql), what).toEqual([]);
  }
}

/** Of each payout that is paid the vendor has sent its amount, of any that is over otherwise nothing. */
export async function expectPaidByVendor(app: TestApp, tenantId: string, vendor: PayoutVendorDouble): Promise<void> {
  const payouts = await app.database.asSuperuser<{ id: string; status: string; amount: string }>(
    `select id, status, amount_minor::text as amount from payout
     where tenant_id = $1 and provider_type = 'payvendor' and status <> 'processing'`,
    [tenantId],
  );
  const wrong = payouts.filter(({ id, status, amount }) => vendor.netTo(id) !== (status === 'paid' ? BigInt(amount) : 0n));
  expect(wrong).toEqual([]);
}
