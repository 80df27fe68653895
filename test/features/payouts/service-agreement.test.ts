/** Which agreement a connected account is made under. Source: docs/specification/payouts.md#service-agreement. */
import { expect, test } from 'vitest';
import { serviceAgreement } from '../../../src/vendors/payments/service-agreement.ts';

test.each([
  [null, 'HK', undefined],
  ['US', 'US', undefined],
  ['HK', 'HK', undefined],
  ['US', 'GB', undefined],
  ['GB', 'NO', undefined],
  ['DE', 'IS', undefined],
  ['LI', 'CA', undefined],
  ['US', 'HK', 'recipient'],
  ['HK', 'US', 'recipient'],
  ['SG', 'HK', 'recipient'],
  ['GB', 'GI', 'recipient'],
] as const)('a platform in %s and an account in %s: %s', (platform, account, agreement) => {
  expect(serviceAgreement(platform, account)).toBe(agreement);
});
