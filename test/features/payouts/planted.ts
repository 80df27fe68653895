/** Bank accounts, and what the payment vendor knows us by. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { PlantSecrets } from '../../support/database/planted-secrets.ts';
import { accountsPath, COMPLETE_PROFILE } from '../../support/payments/payout-accounts.ts';

export const plantSecrets: PlantSecrets = async ({ client, member }) => {
  await client.patch(`/api/v1/members/${member.id}/profile`, { ...COMPLETE_PROFILE, countryCode: 'USA' });
  const accountNumber = String(randomInt(1e12, 1e13));
  const holder = `Holder${randomBytes(6).toString('hex')}`;
  const bankAccount = { accountHolderName: holder, routingNumber: '110000000', accountNumber };
  const method = { methodType: 'us_bank_transfer', currency: 'USD' };
  const payoutAccount = { ...method, bankAccount };
  const accountAnswer = await client.post(accountsPath(member.id), payoutAccount, { 'idempotency-key': randomUUID() });
  expect(accountAnswer.body.displayName).toBe(`•••• ${accountNumber.slice(-4)}`);
  await client.post(accountsPath(member.id), { ...payoutAccount, currency: 'EUR' });
  const check = { country: 'US', bankAccount };
  await client.post('/api/v1/payout-methods/us_bank_transfer/validate', check, { 'idempotency-key': randomUUID() });
  await client.post('/api/v1/payout-methods/us_bank_transfer/validate', {
    ...check,
    bankAccount: { ...bankAccount, bsb: accountNumber },
  });
  const payvendor = {
    secretKey: `sk_live_${randomBytes(12).toString('hex')}`,
    webhookSecrets: [`whsec_${randomBytes(12).toString('hex')}`],
  };
  const settings = '/api/v1/admin/settings';
  // With a key, so that request and answer are remembered; one is refused, which says why.
  const kept = await client.patch(settings, { payments: { payvendor } }, { 'idempotency-key': randomUUID() });
  const refused = await client.patch(settings, { payments: { payvendor: { ...payvendor, platformCountry: 'XX' } } });
  expect([kept.status, refused.status]).toEqual([200, 400]);
  return {
    secrets: { 'the number of a bank account': accountNumber, 'its holder': holder },
    vendorSecrets: { paymentKey: payvendor.secretKey, paymentWebhooks: payvendor.webhookSecrets[0] ?? '' },
    tables: ['payout_account', 'payment_settings'],
    answers: [kept.text, refused.text],
    answered: ['payments.payvendor.secretKey'],
  };
};
