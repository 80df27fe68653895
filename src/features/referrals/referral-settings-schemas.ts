/** The referrals part of a tenant's settings, as it is shown and as it is changed. */

import { z } from 'zod';
import { declareSettings, guardsWhenNarrow } from '../../house/settings.ts';
import { attributionModel } from '../attribution/open/candidate-schemas.ts';
import { isDestinationHost } from './destination.ts';
import { REFERRAL_DEFAULTS } from './open/referral-settings.ts';

export const referralSettings = z
  .object({
    attributionModel: attributionModel.meta({ description: 'Which of several clicks counts' }),
    attributionWindowDays: z.int().meta({ description: 'An older click credits nobody' }),
    allowedDestinationHosts: z
      .array(z.string())
      .meta({ description: 'Where links may lead: host names, or `*.name` for every host below it' }),
    leadExpiryDays: z.int().nullable().meta({ description: 'After its capture, when a lead expires; null: never' }),
  })
  .meta({ id: 'ReferralSettings', description: "Of the key's environment alone" });

export type ReferralSettingsAnswer = z.input<typeof referralSettings>;

const MOST_HOSTS = 50;
const MOST_DAYS = 1825;

const host = z
  .string()
  .max(253)
  .transform((name) => name.toLowerCase())
  .refine(isDestinationHost, 'must be a host name such as shop.example, or *.shop.example')
  .meta({ override: { type: 'string', maxLength: 253 } });

export const referralSettingsPatch = z
  .strictObject({
    attributionModel: attributionModel.optional().meta({ description: `Default \`${REFERRAL_DEFAULTS.attributionModel}\`` }),
    attributionWindowDays: z
      .int()
      .min(1)
      .max(365)
      .optional()
      .meta({ description: `Default ${REFERRAL_DEFAULTS.attributionWindowDays}` }),
    allowedDestinationHosts: z
      .array(host)
      .max(MOST_HOSTS, `must have at most ${MOST_HOSTS}`)
      .refine((hosts) => new Set(hosts).size === hosts.length, 'must not name one twice')
      .optional()
      .meta({ description: 'As a whole. Links to a host that is taken away lead nowhere from then on' }),
    leadExpiryDays: z
      .int()
      .min(1)
      .max(MOST_DAYS)
      .nullable()
      .optional()
      .meta({ description: `Of leads captured from now on; default ${REFERRAL_DEFAULTS.leadExpiryDays}` }),
  })
  .meta({ example: { allowedDestinationHosts: ['shop.example'], attributionWindowDays: 30 } });

export type ReferralSettingsPatch = z.output<typeof referralSettingsPatch>;

export const referralSettingsDeclaration = declareSettings({
  name: 'referrals',
  shown: referralSettings,
  patch: referralSettingsPatch,
  hands: {
    attributionModel: 'neutral',
    attributionWindowDays: 'neutral',
    // Where links under the tenant's name lead people to.
    allowedDestinationHosts: guardsWhenNarrow,
    leadExpiryDays: 'neutral',
  },
});
