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
  failingEndpoints: 1,
};
const overview = { from: '2026-01', to: '2026-11', currency: 'EUR', timeZone: 'Europe/Berlin', commissions: null, members: null };

function drawn(opens: (path: string) => boolean, blockedRuns: OverviewFacts['blockedRuns'] = []): string {
  const facts = {
    overview: { ...overview, waiting },
    sales: undefined,
    hasKeys: undefined,
    blockedRuns,
  } as unknown as OverviewFacts;
  return html`${drawOverview(viewContext({ opens }), facts).body}`.text;
}

test('what waits is a link to its page, and without a page says which operation lists it', () => {
  const none = drawn((path) => path === '/commissions');
  expect(none.match(/There is no page of them yet/g)).toHaveLength(5);
  for (const path of ['admin/kyc', 'payout-runs', 'payouts?status=failed', 'payout-runs/{runId}/blocked'])
    expect(none).toContain(`<code class="break">GET /api/v1/${path}</code>`);
  expect(none).toContain('/commissions?status=held">commission is on hold</a>');
  expect(none).toContain('<span>webhook endpoint fails, or was disabled for that</span>');
  const all = drawn(() => true);
  expect(all).not.toContain('There is no page');
  expect(all).toContain('/verification">members wait for verification</a>');
});

test('who could not be paid is a link to who the last run left out, or that of each currency', () => {
  const [euro, dollar] = ['EUR', 'USD'].map((currency) => ({ id: `r-${currency}`, currency, blockedCount: 2 }));
  if (!euro || !dollar) throw new Error('two runs');
  expect(drawn(() => true)).toContain('/payouts">members could not be paid in the last run</a>');
  expect(drawn(() => true, [euro])).toContain('/payouts/runs/r-EUR#blocked">members could not be paid in the last run</a>');
  const both = drawn(() => true, [euro, dollar]);
  for (const { id, currency } of [euro, dollar]) expect(both).toContain(`/payouts/runs/${id}#blocked">2 in ${currency}</a>`);
});

test('an empty LIVE says where the data of a demo is, and nothing else does', () => {
  const shown = (environment: 'LIVE' | 'SANDBOX', joined: number) => {
    const members = { joined, months: [] };
    const facts = {
      overview: { ...overview, members, waiting: {} },
      sales: [],
      hasKeys: undefined,
      blockedRuns: [],
    } as unknown as OverviewFacts;
    return html`${drawOverview(viewContext({ environment }), facts).body}`.text;
  };
  const toSandbox = 'href="/dashboard/acme/sandbox">Open the SANDBOX</a>';
  expect(shown('LIVE', 0)).toContain(toSandbox);
  expect(shown('LIVE', 1)).not.toContain(toSandbox);
  expect(shown('SANDBOX', 0)).not.toContain(toSandbox);
  // What nobody may see is not said to be empty.
  expect(drawn(() => true)).not.toContain(toSandbox);
});

test('a sum leads to its parts: those who joined to who joined then, each month of money to its lines', () => {
  const sums = { pending: 2, cleared: 0, processing: 0, paid: 0 };
  const commissions = { ...sums, months: [{ month: '2026-11', ...sums }] };
  const members = { joined: 3, months: [{ month: '2026-11', joined: 3 }] };
  const facts = {
    overview: { ...overview, to: '2026-02', commissions, members, waiting: {} },
    sales: undefined,
    hasKeys: undefined,
    blockedRuns: [],
  } as unknown as OverviewFacts;
  const { text } = html`${drawOverview(viewContext(), facts).body}`;
  expect(text).toContain('/members?joinedFrom=2026-01-01&amp;joinedTo=2026-02-28&amp;sort=-joined">3</a>');
  expect(text).toContain('<a href="/dashboard/acme/live/commissions?period=2026-11&amp;currency=EUR">Nov 2026</a>');
  expect(text).not.toContain('status=pending');
});
