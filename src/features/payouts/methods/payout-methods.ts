/**
 * The methods of a country, whether a tenant offers them, and how the payment vendor takes them.
 * Source: docs/specification/payouts.md#methods, docs/specification/payouts.md#service-agreement.
 */
import { countries } from '../../../countries.ts';
import type { Environment } from '../../../db/scope.ts';
import { serviceAgreement } from '../../../vendors/payments/service-agreement.ts';
import type { PaymentSettings } from '../settings/payment-settings.ts';
import {
  type BankAccountForm,
  type BankField,
  HOLDER,
  ibanForm,
  LOCAL_FORMS,
  PROVIDER_SUPPORT,
  SEPA_IBANS,
} from './payout-method-rows.ts';

export interface PayoutMethod {
  id: string;
  name: string;
  /** ISO 3166-1 alpha-2, of the bank. */
  country: string;
  currency: string;
  /** The holder's name first. */
  fields: readonly BankField[];
  /** Of the field that says which account it is. */
  accountKey: string;
  routing: BankAccountForm['routing'];
}

/** Normalised values by the fields' keys. */
export type BankDetails = Readonly<Record<string, string>>;

const SEPA_METHOD = 'sepa_bank_transfer';

function methodOf(id: string, name: string, country: string, form: BankAccountForm): PayoutMethod {
  const { currency, fields, holder = HOLDER, account, routing } = form;
  return { id, name, country, currency, fields: [holder, ...fields], accountKey: account, routing };
}

const METHODS: ReadonlyMap<string, readonly PayoutMethod[]> = new Map(
  [...new Set([...Object.keys(LOCAL_FORMS), ...Object.keys(SEPA_IBANS)])].map((country) => {
    const local = LOCAL_FORMS[country];
    const iban = SEPA_IBANS[country];
    const name = countries.getName(country, 'en') ?? country;
    return [
      country,
      [
        ...(local ? [methodOf(`${country.toLowerCase()}_bank_transfer`, `Bank transfer, ${name}`, country, local)] : []),
        ...(iban === undefined
          ? []
          : [methodOf(SEPA_METHOD, `SEPA bank transfer, ${name}`, country, ibanForm(country, 'EUR', iban))]),
      ],
    ];
  }),
);

export const PAYOUT_COUNTRIES: readonly string[] = [...METHODS.keys()];

const METHOD_IDS: ReadonlySet<string> = new Set([...METHODS.values()].flat().map(({ id }) => id));

/** Whether any country has a method by this id. */
export function isMethodId(id: string): boolean {
  return METHOD_IDS.has(id);
}

/** Of a country by its ISO 3166-1 alpha-2 code; empty where no method is known. */
export function methodsOf(country: string): readonly PayoutMethod[] {
  return METHODS.get(country) ?? [];
}

export function findMethod(country: string, id: string): PayoutMethod | undefined {
  return methodsOf(country).find((method) => method.id === id);
}

/** Undefined for what is no ISO 3166-1 alpha-3 code. */
export function toAlpha2(alpha3: string): string | undefined {
  return countries.alpha3ToAlpha2(alpha3);
}

type Offer = Pick<PaymentSettings, 'provider' | 'account' | 'platformCountry' | 'capabilities' | 'approvedRecipientCountries'>;

/**
 * Whether members may have an account in the country. A tenant that pays by itself pays everywhere. The
 * vendor does where it holds accounts; under the recipient agreement an account cannot have card payments.
 */
export function isOffered(country: string, settings: Offer, environment: Environment): boolean {
  if (settings.provider === 'manual') return true;
  if (settings.account === undefined && environment === 'LIVE') return false;
  const support = PROVIDER_SUPPORT[country] ?? 'none';
  if (support === 'none') return false;
  if (support === 'recipient' && !settings.approvedRecipientCountries.includes(country)) return false;
  return serviceAgreement(settings.platformCountry, country) !== 'recipient' || !settings.capabilities.includes('card_payments');
}

export interface VendorSlots {
  accountNumber: string;
  routingNumber: string | null;
  /** Which of the method's fields each was made of. */
  fields: { accountNumber: readonly string[]; routingNumber: readonly string[] };
}

/** The bank account in the vendor's two slots. Source: docs/specification/payouts.md#vendor-slots. */
export function toVendorSlots(account: { methodType: string; country: string }, details: BankDetails): VendorSlots {
  const method = findMethod(account.country, account.methodType);
  if (!method) throw new Error(`there is no method ${account.methodType} in ${account.country}`);
  const { routing, accountKey } = method;
  return {
    accountNumber: details[accountKey] ?? '',
    routingNumber: routing ? routing.keys.map((key) => details[key] ?? '').join(routing.between) : null,
    fields: { accountNumber: [accountKey], routingNumber: routing?.keys ?? [] },
  };
}
