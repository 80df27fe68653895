/** The settings of vendors in words. */
import { KYC_PROVIDERS } from '../../kyc/open/kyc-states.ts';
import { PAYMENT_PROVIDERS } from '../../payouts/open/payout-states.ts';
import { ANOTHER, choice, type SettingGroup } from './setting-groups.ts';

export const PAYVENDOR: SettingGroup = {
  key: 'payvendor',
  title: 'Payment vendor',
  lead: 'Who pays to accounts that members add from now on.',
  fields: [
    {
      path: 'payments.provider',
      label: 'Paid by',
      kind: choice(PAYMENT_PROVIDERS, {
        manual: { label: 'You, by hand', hint: 'Runs are files, and you say what was paid.' },
        payvendor: { label: 'The payment vendor' },
      }),
      waits: 'A change waits for a second person.',
    },
    {
      path: 'payments.payvendor.secretKey',
      label: 'Secret key',
      kind: { as: 'secret' },
      hint: 'sk_live_ or rk_live_ in LIVE, sk_test_ or rk_test_ in the SANDBOX.',
      waits: ANOTHER,
    },
    {
      path: 'payments.payvendor.webhookSecrets',
      label: 'Webhook secrets',
      kind: { as: 'secrets' },
      hint: 'All of them, with spaces between: one for each endpoint, and both while one is rolled.',
      waits: ANOTHER,
    },
    {
      path: 'payments.payvendor.platformCountry',
      label: 'Country of your account',
      kind: { as: 'code' },
      hint: 'ISO 3166-1, as DE.',
      clears: true,
      waits: ANOTHER,
    },
    {
      path: 'payments.payvendor.capabilities',
      label: 'Asked for with each account',
      kind: {
        as: 'choices',
        choices: [
          { value: 'transfers', label: 'Transfers' },
          { value: 'card_payments', label: 'Card payments' },
        ],
      },
      waits: 'One more waits for a second person.',
    },
    {
      path: 'payments.payvendor.approvedRecipientCountries',
      label: 'Countries beyond its own region',
      kind: { as: 'list' },
      hint: 'ISO 3166-1, one a line. Where the vendor lets you pay to.',
      waits: 'One more waits for a second person.',
    },
    {
      path: 'payments.payvendor.baseUrl',
      label: 'Address of its API',
      kind: { as: 'text' },
      hint: "Empty: the vendor's own.",
      clears: true,
      waits: 'A change waits for a second person.',
    },
  ],
};

export const KYC: SettingGroup = {
  key: 'kyc',
  title: 'Verification',
  lead: 'Who verifies members that start from now on.',
  fields: [
    {
      path: 'kyc.provider',
      label: 'Verified by',
      kind: choice(KYC_PROVIDERS, {
        manual: { label: 'Your reviewers', hint: 'They look at the documents here.' },
        kycvendor: { label: 'The verification vendor' },
      }),
      waits: 'A change waits for a second person.',
    },
    {
      path: 'kyc.approvalValidDays',
      label: 'Days that an approval is good for',
      kind: { as: 'number' },
      hint: '1 to 3,650. Empty: for good. Approvals that there are end as was said when they were given.',
      clears: true,
      waits: 'A longer time, and none, wait for a second person.',
    },
    {
      path: 'kyc.kycvendor.appToken',
      label: 'App token',
      kind: { as: 'secret' },
      hint: "One of the vendor's sandbox begins with sbx: and is for the SANDBOX.",
      waits: ANOTHER,
    },
    { path: 'kyc.kycvendor.secretKey', label: 'Secret key', kind: { as: 'secret' }, waits: ANOTHER },
    {
      path: 'kyc.kycvendor.webhookSecret',
      label: 'Webhook secret',
      kind: { as: 'secret' },
      hint: 'A new one keeps the former as the previous one, which goes on being accepted.',
      waits: ANOTHER,
    },
    {
      path: 'kyc.kycvendor.previousWebhookSecret',
      label: 'Previous webhook secret',
      kind: { as: 'secret' },
      hint: 'Taking it away ends a change of the secret.',
      waits: 'A new one waits for a second person.',
    },
    {
      path: 'kyc.kycvendor.levelName',
      label: 'Level',
      kind: { as: 'text' },
      hint: "The vendor's name of the checks.",
      clears: true,
      waits: ANOTHER,
    },
    {
      path: 'kyc.kycvendor.clientId',
      label: 'Client',
      kind: { as: 'text' },
      hint: 'When set, events of another client of the vendor are refused.',
      clears: true,
      waits: 'Another one, and none, wait for a second person.',
    },
    {
      path: 'kyc.kycvendor.allowedDigestAlgs',
      label: 'Signatures of its events',
      kind: {
        as: 'choices',
        choices: [
          { value: 'HMAC_SHA256_HEX', label: 'HMAC SHA-256' },
          { value: 'HMAC_SHA512_HEX', label: 'HMAC SHA-512' },
          { value: 'HMAC_SHA1_HEX', label: 'HMAC SHA-1', hint: 'Of old webhooks only.' },
        ],
      },
      waits: 'One more waits for a second person.',
    },
    {
      path: 'kyc.kycvendor.ttlInSecs',
      label: 'Seconds that a token of its SDK is good for',
      kind: { as: 'number' },
      hint: '60 to 86,400.',
      waits: 'A longer time waits for a second person.',
    },
    {
      path: 'kyc.kycvendor.baseUrl',
      label: 'Address of its API',
      kind: { as: 'text' },
      hint: "Empty: the vendor's own.",
      clears: true,
      waits: 'A change waits for a second person.',
    },
  ],
};
