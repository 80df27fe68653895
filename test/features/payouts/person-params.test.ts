/** What the vendor is told of a member and a bank account. Source: docs/specification/payouts.md#connected-person. */
import { describe, expect, test } from 'vitest';
import { toConnectedPerson } from '../../../src/features/payouts/accounts/connected-person.ts';
import type { Identity } from '../../../src/features/profile/open/profile.ts';
import type { ConnectedPerson } from '../../../src/vendors/payments/payment-vendor.ts';
import { accountParams, bankAccountParams } from '../../../src/vendors/payments/person-params.ts';
import { vendorAmount } from '../../../src/vendors/payments/vendor-amount.ts';

const scope = { tenantId: 't', environment: 'LIVE' } as const;
const tos = { acceptedAt: '2026-01-02T03:04:05.678Z', ip: '203.0.113.7', userAgent: null };
const identity: Identity = {
  email: 'a@example.com',
  erasedAt: null,
  givenName: 'Ada',
  surname: 'L',
  dateOfBirth: '1990-02-01',
  countryCode: 'USA',
  idNumber: null,
  address: { addressLine1: '1 Main Street', city: 'Austin' },
};

function personOf(fields: Partial<Identity> = {}, country = 'US'): ConnectedPerson {
  const person = toConnectedPerson({ scope, memberId: 'm', country, identity: { ...identity, ...fields }, tosAcceptance: tos });
  if (Array.isArray(person)) throw new Error(`it lacks ${person.join()}`);
  return person;
}
const platform = { platformCountry: 'US', capabilities: ['transfers'] };

describe('a person', () => {
  test('nothing that is not there is sent, not even empty', () => {
    const params = accountParams(personOf(), platform);
    expect(params.individual).toEqual({
      first_name: 'Ada',
      last_name: 'L',
      email: 'a@example.com',
      dob: { day: 1, month: 2, year: 1990 },
      address: { line1: '1 Main Street', city: 'Austin', country: 'US' },
    });
    expect(params.tos_acceptance).toEqual({ date: 1_767_323_045, ip: '203.0.113.7' });
    expect(JSON.stringify(params)).not.toMatch(/""|null/);
  });

  test.each([
    ['US', 'USA', '1234', { ssn_last_4: '1234' }],
    ['US', 'USA', '123-45-6789', { id_number: '123456789' }],
    ['HK', 'HKG', 'A123456(3)', { id_number: 'A123456(3)' }],
  ])('an ID number in %s', (country, countryCode, idNumber, sent) => {
    expect(accountParams(personOf({ countryCode, idNumber }, country), platform).individual).toMatchObject(sent);
  });

  test('district and neighbourhood go to the second line; the country of the address has either form', () => {
    const address = { ...identity.address, addressLine2: 'Flat 2', district: 'D', neighborhood: 'N', countryCode: 'GBR' };
    expect(personOf({ address }).address).toMatchObject({ line2: 'Flat 2, D, N', country: 'GB' });
    expect(personOf({ address: { ...address, countryCode: 'GB' } }).address.country).toBe('GB');
  });

  test('under the recipient agreement there are transfers alone', () => {
    const both = { platformCountry: 'US', capabilities: ['transfers', 'card_payments'] };
    const abroad = accountParams(personOf({ countryCode: 'HKG' }, 'HK'), both);
    expect(abroad.capabilities).toEqual({ transfers: { requested: true } });
    expect(abroad.tos_acceptance).toMatchObject({ service_agreement: 'recipient' });
    expect(Object.keys(accountParams(personOf(), both).capabilities ?? {})).toEqual(['transfers', 'card_payments']);
  });

  test('all that is missing is named, and a country that is not the one of the account', () => {
    const bare = { ...identity, givenName: null, surname: null, dateOfBirth: null, countryCode: 'GBR', address: null };
    expect(toConnectedPerson({ scope, memberId: 'm', country: 'US', identity: bare, tosAcceptance: null })).toEqual([
      'givenName',
      'surname',
      'dateOfBirth',
      'address.addressLine1',
      'address.city',
      'tosAcceptance',
      'countryCode',
    ]);
  });
});

test('a bank account without a routing number has none', () => {
  const params = bankAccountParams({
    country: 'DE',
    currency: 'EUR',
    accountHolderName: 'Ada L',
    accountNumber: 'DE89370400440532013000',
    routingNumber: null,
    fields: { accountNumber: ['iban'], routingNumber: [] },
    metadata: { payout_account_id: 'p' },
  });
  expect(params.external_account).not.toHaveProperty('routing_number');
  expect(params).toMatchObject({ external_account: { currency: 'eur' }, metadata: { payout_account_id: 'p' } });
});

describe('amounts', () => {
  test.each([
    [1234n, 'USD', 1234],
    [1234n, 'JPY', 1234],
    [5n, 'ISK', 500],
    [5n, 'UGX', 500],
    [1200n, 'HUF', 1200],
    [1230n, 'KWD', 1230],
  ])('%s %s', (minor, currency, sent) => {
    expect(vendorAmount(minor, currency)).toBe(sent);
  });

  test.each([
    [1234n, 'HUF'],
    [150n, 'TWD'],
    [1234n, 'KWD'],
    [0n, 'USD'],
    [-1n, 'USD'],
    [2n ** 53n, 'USD'],
  ])('%s %s is refused before anything moves', (minor, currency) => {
    expect(() => vendorAmount(minor, currency)).toThrow(expect.objectContaining({ details: { reason: 'amount_not_payable' } }));
  });
});
