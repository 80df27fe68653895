/** What waits on the overview, as a view alone. */
import { expect, test } from 'vitest';
import { drawOverview, type OverviewFacts } from '../../../src/features/dashboard/overview/overview-view.ts';
import { html } from '../../../src/pages/html.ts';
import { viewContext } from '../../support/pages/view-context.ts';

const waiting = {
  pendingChanges: 0,
  kycReviews: 2,
  runsToApprove: 1,
  runsToExecute: 1,
  failedPayouts: 3,
  blockedPayouts: 4,
  heldCommissions: 1,
};
const overview = { from: '2026-01', to: '2026-11', currency: 'EUR', timeZone: 'Europe/Berlin', commissions: null, members: null };

function drawn(opens: (path: string) => boolean): string {
  const facts = { overview: { ...overview, waiting }, sales: undefined, hasKeys: undefined } as unknown as OverviewFacts;
  return html`${drawOverview(viewContext({ opens }), facts).body}`.text;
}

test('what waits is a link to its page, and without a page says which operation lists it', () => {
  const none = drawn((path) => path === '/commissions');
  expect(none.match(/There is no page of them yet/g)).toHaveLength(5);
  for (const path of ['admin/kyc', 'payout-runs', 'payouts?status=failed', 'payout-runs/{runId}/blocked'])
    expect(none).toContain(`<code class="break">GET /api/v1/${path}</code>`);
  expect(none).toContain('/commissions?status=held">commission is on hold</a>');
  const all = drawn(() => true);
  expect(all).not.toContain('There is no page');
  expect(all).toContain('/verification">members wait for verification</a>');
});
