/** The KYC part of a tenant's settings, as it is shown and as it is changed. */
import { z } from 'zod';
import { declareSettings, guardsOnceSet, guardsWhenLow, guardsWhenNarrow, guardsWhenShort } from '../../../house/settings.ts';
import { text, vendorBaseUrl } from '../../../http/schemas.ts';
import { kycProvider } from '../open/kyc-schemas.ts';
import { DIGEST_ALGS, KYC_DEFAULTS } from './kyc-settings.ts';

const set = z
  .object({ set: z.boolean().meta({ description: 'False: none' }) })
  .meta({ id: 'SecretState', description: 'Whether a secret is stored; it is never shown' });
const digestAlgs = z.array(z.enum(DIGEST_ALGS));

export const kycSettings = z
  .object({
    provider: kycProvider.meta({ description: 'Who verifies members that start from now on' }),
    approvalValidDays: z.int().nullable().meta({ description: 'For so many days an approval is good; null: for good' }),
    kycvendor: z
      .object({
        appToken: set,
        secretKey: set,
        webhookSecret: set,
        previousWebhookSecret: set,
        levelName: z.string().nullable().meta({ description: "The vendor's name of the checks to be made; null: not set" }),
        clientId: z.string().nullable().meta({ description: 'The client whose events alone are taken; null: any' }),
        allowedDigestAlgs: digestAlgs.meta({
          description:
            'How the vendor may sign its events, as `HMAC_SHA256_HEX`, `HMAC_SHA512_HEX` or the weaker `HMAC_SHA1_HEX`',
        }),
        ttlInSecs: z.int().meta({ description: "Seconds that the token of the vendor's SDK is good for" }),
        baseUrl: z.string().nullable().meta({ description: "null: the vendor's own address" }),
      })
      .meta({ description: 'The account at the KYC vendor' }),
  })
  .meta({ id: 'KycSettings', description: "Of the key's environment alone" });

export type KycSettingsAnswer = z.input<typeof kycSettings>;

/** Of any length that a vendor may give out: its own rules are not ours. */
const secret = text(500);
const clears = '`null` clears it';

export const kycSettingsPatch = z
  .strictObject({
    provider: kycProvider.optional().meta({ description: 'Who verifies members that start from now on; default `manual`' }),
    approvalValidDays: z.int().min(1, 'must be from 1 to 3650').max(3_650, 'must be from 1 to 3650').nullish().meta({
      description:
        'For so many days an approval is good; `null`: for good, as without it. Of approvals from now on: those that there are end as was said when they were given',
    }),
    kycvendor: z
      .strictObject({
        // It is sent as a header.
        appToken: secret
          .regex(/^[!-~]+$/, 'must be of printable ASCII characters without spaces')
          .nullish()
          .meta({
            description: `Write-only; ${clears}. One of the vendor's sandbox begins with \`sbx:\` and is for SANDBOX alone`,
          }),
        secretKey: secret.nullish().meta({ description: `Write-only; what requests to the vendor are signed with. ${clears}` }),
        webhookSecret: secret.nullish().meta({
          description:
            'Write-only; what the vendor signs its events with. A new one without `previousWebhookSecret` beside it keeps the former as the previous one, which goes on being accepted. `null` clears it, and the previous one with it unless that is given too',
        }),
        previousWebhookSecret: secret.nullish().meta({ description: `Write-only; ${clears}, which ends a change of the secret` }),
        levelName: text(255).nullish().meta({ description: "The vendor's name of the checks to be made" }),
        clientId: text(255).nullish().meta({ description: 'When set, events of another client of the vendor are refused' }),
        allowedDigestAlgs: digestAlgs
          .min(1, 'must name at least one')
          .max(DIGEST_ALGS.length, 'must not name one twice')
          .refine((algs) => new Set(algs).size === algs.length, 'must not name one twice')
          .optional()
          .meta({
            description: `How the vendor may sign its events; default ${KYC_DEFAULTS.allowedDigestAlgs.map((one) => `\`${one}\``).join(', ')}`,
          }),
        ttlInSecs: z
          .int()
          .min(60, 'must be from 60 to 86400')
          .max(86_400, 'must be from 60 to 86400')
          .optional()
          .meta({ description: `How long the token of the vendor's SDK is good for; default ${KYC_DEFAULTS.ttlInSecs}` }),
        baseUrl: vendorBaseUrl,
      })
      .optional()
      .meta({ description: 'Only the fields that are sent change' }),
  })
  .meta({ description: "Of the key's environment alone", example: { kycvendor: { levelName: 'basic-kyc-level' } } });

export type KycSettingsPatch = z.output<typeof kycSettingsPatch>;

export const kycSettingsDeclaration = declareSettings({
  name: 'kyc',
  shown: kycSettings,
  patch: kycSettingsPatch,
  hands: {
    provider: 'weakens',
    approvalValidDays: guardsWhenShort,
    kycvendor: {
      appToken: guardsOnceSet,
      secretKey: guardsOnceSet,
      webhookSecret: guardsOnceSet,
      // One more that events may be signed with.
      previousWebhookSecret: (_before, after) => (after === null ? 'tightens' : 'weakens'),
      levelName: guardsOnceSet,
      clientId: (before, after) => (before === null && after !== null ? 'tightens' : 'weakens'),
      allowedDigestAlgs: guardsWhenNarrow,
      ttlInSecs: guardsWhenLow,
      baseUrl: 'weakens',
    },
  },
});
