/** The sums of commissions as a view alone: where each leads, and that together those are its parts. */
import { expect, test } from 'vitest';
import type { CommissionsFacts } from '../../../src/features/dashboard/commissions/commissions-facts.ts';
import { drawStates } from '../../../src/features/dashboard/commissions/sums-view.ts';
import { html } from '../../../src/pages/html.ts';
import { viewContext } from '../../support/pages/view-context.ts';

const sums = { pending: 12.5, cleared: 3, processing: 0, paid: null, paidExact: '90071992547409.93' };
const none = { pending: 0, cleared: 0, processing: 0, paid: 0 };
const months = [
  { month: '2026-10', ...none },
  { month: '2026-11', ...sums },
];
const overview = { from: '2026-10', to: '2026-11', currency: 'EUR', commissions: { ...sums, months } };

function drawn(period: string | undefined): string {
  const facts = { overview, filters: { userId: undefined, period } } as unknown as CommissionsFacts;
  return html`${drawStates(viewContext(), facts)}`.text;
}

test('of a month each sum leads to its lines, and what is pending to those on hold as well', () => {
  const text = drawn('2026-11');
  const to = '/dashboard/acme/live/commissions?period=2026-11&amp;currency=EUR&amp;status=';
  expect(text).toContain(
    `<span class="amount">€12.50</span><p class="hint"><a href="${to}pending">Pending</a> and <a href="${to}held">on hold</a></p>`,
  );
  expect(text).toContain(`<a class="amount" href="${to}cleared">€3.00</a>`);
  expect(text).toContain('€90,071,992,547,409.93');
  expect(text).not.toContain('By month');
});

test.each([undefined, ''])('of several months it leads to each month that has some: %o', (period) => {
  const text = drawn(period);
  expect(text).toContain('<span class="amount">€3.00</span>');
  expect(text).toContain('By month: <a href="/dashboard/acme/live/commissions?period=2026-11&amp;currency=EUR">Nov 2026</a></p>');
  expect(text).not.toContain('period=2026-10');
});
