/** The public contract of a tenant's settings: api-decisions §1 (Tenant settings), §6. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { currency, timestamp } from '../../http/schemas.ts';
import { kycSettings, kycSettingsPatch } from '../kyc/kyc-settings-schemas.ts';
import { paymentSettings, paymentSettingsPatch } from '../payouts/payment-settings-schemas.ts';
import { referralSettings, referralSettingsPatch } from '../referrals/referral-settings-schemas.ts';

const settings = z
  .object({
    defaultCurrency: currency.meta({ description: "Of members' status and of summaries that name no other" }),
    reportingTimeZone: z.string().meta({ description: 'IANA; days and months of summaries, plans and holding begin by it' }),
    updatedAt: timestamp.meta({ description: 'Of what both environments share' }),
    kyc: kycSettings,
    payments: paymentSettings,
    referrals: referralSettings,
  })
  .meta({ id: 'Settings' });

/** A part without a field in it, however deep, sets nothing. */
function setsSomething(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value !== undefined;
  return Object.values(value).some(setsSomething);
}

export const getSettings = defineOperation({
  method: 'get',
  path: '/api/v1/admin/settings',
  operationId: 'getSettings',
  group: 'Admin',
  summary: "The tenant's settings",
  description:
    "Currency and time zone are the same in both environments; `kyc`, `payments` and `referrals` are the key's environment's. Secrets are not shown.",
  scope: 'admin:settings',
  success: [{ status: 200, meaning: 'The settings' }],
  response: settings,
  errors: [],
});

export const updateSettings = defineOperation({
  method: 'patch',
  path: '/api/v1/admin/settings',
  operationId: 'updateSettings',
  group: 'Admin',
  summary: "Change the tenant's settings",
  description:
    'Currency and time zone change in both environments together, so only a LIVE key may do it; `kyc`, `payments` and `referrals` change in the environment of the key. Summaries follow a new time zone at once. What was recorded stays: the currency of a member or a commission, and when a commission clears. A verification keeps its provider until it starts anew, a payout account for good.',
  scope: 'admin:settings',
  body: z
    .strictObject({
      defaultCurrency: currency.optional(),
      reportingTimeZone: z.string().min(1).max(100).optional().meta({ description: 'IANA, as `Europe/Berlin`' }),
      kyc: kycSettingsPatch.optional(),
      payments: paymentSettingsPatch.optional(),
      referrals: referralSettingsPatch.optional(),
    })
    .refine(setsSomething, {
      message: 'must set something',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ example: { reportingTimeZone: 'Europe/Berlin' } }),
  success: [{ status: 200, meaning: 'The settings as they are now' }],
  response: settings,
  errors: ['ENVIRONMENT_MISMATCH'],
});
