/** The payments part of a tenant's settings, as it is shown and as it is changed. */

import { z } from 'zod';
import { countries } from '../../../countries.ts';
import { declareSettings, guardsOnceSet, guardsWhenHigh, guardsWhenNarrow, guardsWhenOn } from '../../../house/settings.ts';
import type { Direction } from '../../../http/held-back.ts';
import { letterCode, text, vendorBaseUrl } from '../../../http/schemas.ts';
import { DUAL_CONTROL_BY, PAYMENT_PROVIDERS } from '../open/payout-states.ts';
import { expectedSchedule, scheduledDrafts, schedulePatch } from '../schedule/schedule-schemas.ts';
import { PAYMENT_DEFAULTS } from './payment-settings.ts';

const provider = z.enum(PAYMENT_PROVIDERS);
const dualControlBy = z.enum(DUAL_CONTROL_BY);
const CAPABILITIES = ['transfers', 'card_payments'] as const;

export const paymentSettings = z
  .object({
    provider: provider.meta({
      description:
        'Who pays to accounts that members add from now on: `manual`: the tenant by itself; `payvendor`: the payment vendor',
    }),
    payvendor: z
      .object({
        secretKey: z
          .object({ set: z.boolean().meta({ description: 'Whether one is stored' }) })
          .meta({ description: 'The key for the vendor; never shown' }),
        webhookSecrets: z
          .object({ count: z.int().meta({ description: 'How many are stored' }) })
          .meta({ description: 'What the vendor signs events with; never shown' }),
        platformCountry: z
          .string()
          .nullable()
          .meta({ description: "ISO 3166-1 alpha-2, of the tenant's account at the vendor; null: not set" }),
        capabilities: z.array(z.string()).meta({ description: "What is asked for with a member's account" }),
        approvedRecipientCountries: z
          .array(z.string())
          .meta({ description: 'ISO 3166-1 alpha-2: where else the vendor lets the tenant pay to' }),
        baseUrl: z.string().nullable().meta({ description: "null: the vendor's own address" }),
      })
      .meta({ description: 'The account at the payment vendor' }),
    requireKyc: z.boolean().meta({ description: 'Whether only members with an approved verification are paid' }),
    dualControl: z
      .boolean()
      .meta({ description: 'Whether a run is approved, and what weakens a safeguard confirmed, by another pair of hands' }),
    dualControlBy: dualControlBy.meta({
      description: "Who the other pair of hands is: `keys`, a key of another root; `persons`, a person of the tenant's staff",
    }),
    accountCooldownHours: z.int().meta({ description: 'For so long nothing is paid to a new account' }),
    schedule: z
      .array(scheduledDrafts)
      .nullable()
      .meta({ description: 'When runs are drafted by themselves, one for a currency; null: never' }),
  })
  .meta({ id: 'PaymentSettings', description: "Of the key's environment alone" });

export type PaymentSettingsAnswer = z.input<typeof paymentSettings>;

const country = letterCode(2, (code) => /^[A-Z]{2}$/.test(code) && countries.isValid(code), {
  fault: 'must be an ISO 3166-1 alpha-2 country code',
  description: 'ISO 3166-1 alpha-2',
});

/** A list that stands for a set. */
function distinct<T extends z.ZodType>(item: T, max: number) {
  return z
    .array(item)
    .max(max, `must have at most ${max}`)
    .refine((values) => new Set(values).size === values.length, 'must not name one twice');
}

const MOST_SECRETS = 10;
const MOST_COUNTRIES = 250;

export const paymentSettingsPatch = z
  .strictObject({
    provider: provider.optional().meta({
      description: 'Who pays to accounts added from now on. `manual`: the tenant by itself; `payvendor`: the payment vendor',
    }),
    payvendor: z
      .strictObject({
        // It is sent as a header.
        secretKey: text(500)
          .regex(/^[!-~]+$/, 'must be of printable ASCII characters without spaces')
          .nullish()
          .meta({
            description:
              'Write-only; `null` clears it. One of test mode (`sk_test_`, `rk_test_`) is for SANDBOX alone, one of live mode (`sk_live_`, `rk_live_`) for LIVE. In a SANDBOX without one the vendor is simulated',
          }),
        webhookSecrets: distinct(text(500), MOST_SECRETS).nullish().meta({
          description:
            'Write-only, as a whole; `null` or an empty list clears them. One for each endpoint at the vendor, and both of an endpoint while its secret is rolled',
        }),
        platformCountry: country.nullish().meta({ description: "Of the tenant's account at the vendor" }),
        capabilities: distinct(z.enum(CAPABILITIES), CAPABILITIES.length)
          .refine((values) => values.includes('transfers'), 'must have transfers')
          .optional()
          .meta({
            description: `Asked for with a member's account, of ${CAPABILITIES.map((one) => `\`${one}\``).join(', ')}; default ${PAYMENT_DEFAULTS.capabilities.join(', ')}`,
          }),
        approvedRecipientCountries: distinct(country, MOST_COUNTRIES)
          .optional()
          .meta({ description: 'Beyond its own region, where the vendor lets the tenant pay to' }),
        baseUrl: vendorBaseUrl,
      })
      .optional()
      .meta({ description: 'Only the fields that are sent change' }),
    requireKyc: z
      .boolean()
      .optional()
      .meta({ description: 'Whether only members with an approved verification are paid; default `true`' }),
    dualControl: z
      .boolean()
      .optional()
      .meta({ description: 'Whether runs, and what weakens a safeguard, need another pair of hands; default `false`' }),
    dualControlBy: dualControlBy.optional().meta({
      description: `\`keys\`: a key of another root; \`persons\`: another person. Default ${PAYMENT_DEFAULTS.dualControlBy}`,
    }),
    accountCooldownHours: z
      .int()
      .min(0, 'must be from 0 to 720')
      .max(720, 'must be from 0 to 720')
      .optional()
      .meta({ description: 'Hours in which nothing is paid to a new account; default 24' }),
    schedule: schedulePatch,
    expectedSchedule,
  })
  .meta({ description: "Of the key's environment alone", example: { requireKyc: true, dualControl: false } });

export type PaymentSettingsPatch = z.output<typeof paymentSettingsPatch>;

/** Whoever knows one can send events in the vendor's name; without any, nobody's events arrive. */
function guardsOfSecrets(before: string[] | null, after: string[] | null): Direction {
  if (before === null || before.length === 0) return 'neutral';
  return after === null || after.length === 0 ? 'weakens' : guardsWhenNarrow(before, after);
}

export const paymentSettingsDeclaration = declareSettings({
  name: 'payments',
  shown: paymentSettings,
  patch: paymentSettingsPatch,
  hands: {
    provider: 'weakens',
    payvendor: {
      secretKey: guardsOnceSet,
      webhookSecrets: guardsOfSecrets,
      // Where money may go without a country of its own being named.
      platformCountry: guardsOnceSet,
      capabilities: guardsWhenNarrow,
      approvedRecipientCountries: guardsWhenNarrow,
      baseUrl: 'weakens',
    },
    requireKyc: guardsWhenOn,
    dualControl: guardsWhenOn,
    dualControlBy: (_before, after) => (after === 'keys' ? 'weakens' : 'tightens'),
    accountCooldownHours: guardsWhenHigh,
    // It only drafts.
    schedule: 'neutral',
    expectedSchedule: 'neutral',
  },
});
