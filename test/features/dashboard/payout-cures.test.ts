/** Why a member is left out, and where that is cured. */
import { expect, test } from 'vitest';
import { cureLink, REASONS } from '../../../src/features/dashboard/payouts/reasons.ts';
import { BLOCK_REASONS, type BlockReason } from '../../../src/features/payouts/open/payout-states.ts';
import { viewContext } from '../../support/pages/view-context.ts';

/** There is nothing to be done. */
const FINAL: readonly BlockReason[] = ['TEST_USER', 'INACTIVE'];

test.each(BLOCK_REASONS)('%s: says what cures it, and leads there', (reason) => {
  expect(REASONS[reason].cure).not.toBe('');
  const link = cureLink(viewContext({}), reason, 'EUR')?.text;
  if (FINAL.includes(reason)) expect(link).toBeUndefined();
  else expect(link).toMatch(/^<a href="\/dashboard\/acme\/live\/[a-z/]+(?:\?[a-zA-Z_=&;]+)?">[A-Z][a-z ]+<\/a>$/);
});

test.each([
  ['NO_ACCOUNT', '/payouts/accounts?status=action_required&amp;currency=EUR'],
  ['NEGATIVE_BALANCE', '/commissions?kind=clawback&amp;currency=EUR'],
  ['HELD', '/payouts/holds"'],
] as const)('%s leads to what is of the currency of the run', (reason, path) => {
  expect(cureLink(viewContext({}), reason, 'EUR')?.text).toContain(path);
});

test('who reads no papers is led to the members to remind', () => {
  const finance = { ...viewContext({}), opens: (path: string) => path !== '/verification' };
  expect(cureLink(finance, 'KYC_REQUIRED', 'EUR')?.text).toContain('?reason=KYC_REQUIRED">The members to remind</a>');
  expect(cureLink(viewContext({}), 'KYC_REQUIRED', 'EUR')?.text).toContain('/verification">');
});

test('nothing leads where the reader may not go', () => {
  const context = { ...viewContext({}), opens: () => false };
  for (const reason of BLOCK_REASONS) expect(cureLink(context, reason, 'EUR')).toBeUndefined();
});
