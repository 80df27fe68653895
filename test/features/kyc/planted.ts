/** What the verification vendor knows us by. */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { PlantSecrets } from '../../support/database/planted-secrets.ts';

export const plantSecrets: PlantSecrets = async ({ client }) => {
  const kycvendor = Object.fromEntries(
    ['appToken', 'secretKey', 'webhookSecret', 'previousWebhookSecret'].map((name) => [
      name,
      `${name}-${randomBytes(12).toString('hex')}`,
    ]),
  );
  const settings = '/api/v1/admin/settings';
  // With a key, so that request and answer are remembered; one is refused, which says why.
  const kept = await client.patch(settings, { kyc: { kycvendor } }, { 'idempotency-key': randomUUID() });
  const refused = await client.patch(settings, { kyc: { kycvendor: { ...kycvendor, levelName: '' } } });
  expect([kept.status, refused.status]).toEqual([200, 400]);
  return {
    secrets: {},
    vendorSecrets: kycvendor,
    tables: ['kyc_settings'],
    answers: [kept.text, refused.text],
    answered: ['kyc.kycvendor.appToken'],
  };
};
