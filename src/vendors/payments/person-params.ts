/** A member as the payment vendor wants to know them. Source: docs/specification/payouts.md#connected-person. */
import type { Stripe } from 'stripe';
import type { BankAccount, ConnectedPerson } from './payment-vendor.ts';
import { serviceAgreement } from './service-agreement.ts';

interface Platform {
  platformCountry: string | null;
  capabilities: readonly string[];
}

export function accountParams(person: ConnectedPerson, platform: Platform): Stripe.AccountCreateParams {
  const { country, email, tosAcceptance } = person;
  const agreement = serviceAgreement(platform.platformCountry, country);
  // Cards cannot be had under the recipient agreement.
  const capabilities = agreement === 'recipient' ? ['transfers'] : platform.capabilities;
  return {
    country,
    email,
    business_type: 'individual',
    controller: {
      stripe_dashboard: { type: 'none' },
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      requirement_collection: 'application',
    },
    capabilities: Object.fromEntries(capabilities.map((name) => [name, { requested: true }])),
    business_profile: { product_description: 'Receives commissions' },
    individual: individualParams(person),
    tos_acceptance: {
      // Milliseconds are refused, and so is the future, by the vendor's clock.
      date: Math.floor(tosAcceptance.acceptedAt.getTime() / 1000),
      ip: tosAcceptance.ip,
      ...(tosAcceptance.userAgent ? { user_agent: tosAcceptance.userAgent } : {}),
      ...(agreement ? { service_agreement: agreement } : {}),
    },
    // A payout is made for each transfer: left to the vendor's own rhythm, ours would find nothing to send.
    settings: { payouts: { schedule: { interval: 'manual' }, debit_negative_balances: false } },
    metadata: person.metadata,
  };
}

/** An empty value clears at the vendor: what is not there is left out. */
function individualParams({ country, email, givenName, surname, dateOfBirth, idNumber, address }: ConnectedPerson) {
  const [year, month, day] = dateOfBirth.split('-').map(Number);
  const { line1, line2, city, state, postalCode } = address;
  return {
    first_name: givenName,
    last_name: surname,
    email,
    ...(year && month && day ? { dob: { day, month, year } } : {}),
    ...idNumberParams(country, idNumber),
    address: {
      line1,
      city,
      country: address.country,
      ...(line2 ? { line2 } : {}),
      ...(state ? { state } : {}),
      ...(postalCode ? { postal_code: postalCode } : {}),
    },
  };
}

/** In the US the last four digits have a place of their own. */
function idNumberParams(country: string, idNumber: string | null): { id_number?: string; ssn_last_4?: string } {
  if (!idNumber) return {};
  if (country !== 'US') return { id_number: idNumber };
  const digits = idNumber.replace(/[\s-]/g, '');
  return digits.length === 4 ? { ssn_last_4: digits } : { id_number: digits };
}

export function bankAccountParams(bank: BankAccount): Stripe.AccountCreateExternalAccountParams {
  return {
    external_account: {
      object: 'bank_account',
      country: bank.country,
      currency: bank.currency.toLowerCase(),
      account_number: bank.accountNumber,
      account_holder_name: bank.accountHolderName,
      account_holder_type: 'individual',
      ...(bank.routingNumber ? { routing_number: bank.routingNumber } : {}),
    },
    metadata: bank.metadata,
  };
}
