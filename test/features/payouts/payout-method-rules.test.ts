/** The catalogue: every placeholder passes its own rules, and nothing that is wrong in one place does. */
import { getCountrySpecifications, isSEPACountry } from 'ibantools';
import { describe, expect, test } from 'vitest';
import type { BankField } from '../../../src/features/payouts/methods/payout-method-rows.ts';
import {
  findMethod,
  isOffered,
  methodsOf,
  PAYOUT_COUNTRIES,
  type PayoutMethod,
  toVendorSlots,
} from '../../../src/features/payouts/methods/payout-methods.ts';
import { validateBankDetails } from '../../../src/features/payouts/methods/validate-bank-details.ts';
import { PAYMENT_DEFAULTS } from '../../../src/features/payouts/settings/payment-settings.ts';

const methods = PAYOUT_COUNTRIES.flatMap((country) => methodsOf(country));
const labelled = methods.map((method): [string, PayoutMethod] => [`${method.country} ${method.id}`, method]);
const placeholders = ({ fields }: PayoutMethod) => Object.fromEntries(fields.map(({ key, placeholder }) => [key, placeholder]));

function check(country: string, id: string, values: Record<string, string>, environment: 'LIVE' | 'SANDBOX' = 'LIVE') {
  const method = findMethod(country, id);
  if (!method) throw new Error(`no method ${id} in ${country}`);
  return validateBankDetails(method, { ...placeholders(method), ...values }, environment);
}
const messages = (...given: Parameters<typeof check>) =>
  check(...given).faults.map(({ field, message }) => `${field} ${message}`);

test('knows 53 countries; those of the SEPA with a currency of their own have two methods', () => {
  expect(PAYOUT_COUNTRIES).toHaveLength(53);
  const two = PAYOUT_COUNTRIES.filter((country) => methodsOf(country).length === 2);
  expect(two.toSorted()).toEqual(['CH', 'CZ', 'DK', 'GB', 'GI', 'HU', 'IS', 'LI', 'NO', 'PL', 'RO', 'SE']);
  expect(methodsOf('SE').map(({ id, currency }) => [id, currency])).toEqual([
    ['se_bank_transfer', 'SEK'],
    ['sepa_bank_transfer', 'EUR'],
  ]);
  expect(methodsOf('BG').map(({ id, currency }) => [id, currency])).toEqual([['sepa_bank_transfer', 'EUR']]);
});

test('a country takes part in the SEPA exactly when the registry of IBANs says so', () => {
  const registry = Object.keys(getCountrySpecifications()).filter((country) => isSEPACountry(country));
  const ours = PAYOUT_COUNTRIES.filter((country) => findMethod(country, 'sepa_bank_transfer'));
  // Of the United Kingdom, where the registry has codes of its parts too.
  expect(ours.toSorted()).toEqual(registry.filter((country) => country.length === 2).toSorted());
});

describe.each(labelled)('%s', (_label, method) => {
  test('the placeholders are good, and stay as they are', () => {
    const values = placeholders(method);
    expect(validateBankDetails(method, values, 'LIVE')).toEqual({ faults: [], details: values });
  });

  test('every field is missed, and named', () => {
    for (const { key } of method.fields) {
      const { [key]: _left, ...rest } = placeholders(method);
      for (const given of [rest, { ...rest, [key]: '  ' }]) {
        expect(validateBankDetails(method, given, 'LIVE').faults).toEqual([
          { field: `bankAccount.${key}`, message: 'is required' },
        ]);
      }
    }
  });

  test('what is wrong in one field is refused there alone, without being repeated', () => {
    for (const field of method.fields) {
      for (const wrong of wrongValues(field)) {
        const { faults } = validateBankDetails(method, { ...placeholders(method), [field.key]: wrong }, 'LIVE');
        expect(faults, wrong).toHaveLength(1);
        expect(faults[0]?.field).toBe(`bankAccount.${field.key}`);
        expect(faults[0]?.message).not.toContain(wrong);
      }
    }
  });

  test('spaces, hyphens and small letters in codes do not matter', () => {
    const loose = method.fields.map(({ key, placeholder, verbatim }) => [
      key,
      verbatim ? ` ${placeholder} ` : ` ${placeholder.toLowerCase().replace(/^(..)/, '$1\u00A0')}\u2009`,
    ]);
    expect(validateBankDetails(method, Object.fromEntries(loose), 'LIVE')).toEqual({ faults: [], details: placeholders(method) });
  });

  test('fills the slots of the vendor', () => {
    const { accountNumber, routingNumber, fields } = toVendorSlots({ ...method, methodType: method.id }, placeholders(method));
    expect(accountNumber).toMatch(/^[A-Z0-9]{5,34}$/);
    expect(routingNumber === null).toBe(method.fields.length === 2);
    // Of every field but the holder's name, which has a place of its own.
    expect([...fields.routingNumber, ...fields.accountNumber]).toEqual(method.fields.slice(1).map(({ key }) => key));
  });
});

function wrongValues(field: BankField): string[] {
  const { placeholder, maxLength, verbatim, check: kind } = field;
  if (verbatim) return ['x'.repeat(maxLength + 1), `${placeholder}\u0000`, 'A\nB'];
  const last = placeholder.at(-1) ?? '';
  const changed = placeholder.slice(0, -1) + (/\d/.test(last) ? String((Number(last) + 1) % 10) : last === 'A' ? 'B' : 'A');
  return [
    `${placeholder}${'1'.repeat(maxLength)}`,
    placeholder.slice(0, field.minLength - 1),
    `${placeholder.slice(0, -1)}§`,
    ...(kind !== undefined && kind !== 'bic' ? [changed] : []),
    ...(kind === 'iban' ? [`ZZ${placeholder.slice(2)}`] : []),
    ...(kind === 'bic' ? [`${placeholder.slice(0, 4)}DE${placeholder.slice(6)}`] : []),
  ];
}

describe('checks', () => {
  test('ABA: the check digit, and the districts that exist', () => {
    const faults = (routingNumber: string) => check('US', 'us_bank_transfer', { routingNumber }).faults.length;
    expect(['021000021', '011401533', '322271627', '800000010'].map(faults)).toEqual([0, 0, 0, 1]);
    // Right by their check digits, of districts that there are none of.
    expect(['130000006', '999999992', '500000003'].map(faults)).toEqual([1, 1, 1]);
    expect(['111000000', '021000022'].map(faults)).toEqual([1, 1]);
  });

  test('CLABE: any other check digit is refused', () => {
    for (let digit = 0; digit < 10; digit++) {
      expect(check('MX', 'mx_bank_transfer', { clabe: `03218000011835971${digit}` }).faults.length === 0).toBe(digit === 9);
    }
  });

  test('an IBAN of another country is refused, however good', () => {
    expect(messages('DE', 'sepa_bank_transfer', { iban: 'FR1420041010050500013M02606' })).toEqual([
      'bankAccount.iban must be an IBAN of 22 characters that begins with DE',
    ]);
  });

  test('two digits of an IBAN that were swapped are noticed', () => {
    expect(messages('DE', 'sepa_bank_transfer', { iban: 'DE89370400440532031000' })).toEqual([
      'bankAccount.iban is no IBAN: its check digits are wrong',
    ]);
  });

  test('hyphens stay where they mean something', () => {
    const given = { branchCode: '0000\u20131', accountNumber: '1234567-x' };
    expect(check('BR', 'br_bank_transfer', given).details).toMatchObject({ branchCode: '0000-1', accountNumber: '1234567-X' });
    expect(check('GB', 'gb_bank_transfer', { sortCode: '10-88-00' }).details).toMatchObject({ sortCode: '108800' });
  });

  test('digits of other scripts do not pass for ours, full-width ones are ours', () => {
    expect(check('JP', 'jp_bank_transfer', { accountNumber: '１２３４５６７' }).details['accountNumber']).toBe('1234567');
    expect(messages('JP', 'jp_bank_transfer', { accountNumber: '١٢٣٤٥٦٧' })).toEqual([
      'bankAccount.accountNumber must be 6 to 8 digits',
    ]);
  });

  test('a field of another method is named, as is what objects inherit', () => {
    expect(messages('DE', 'sepa_bank_transfer', { sortCode: '108800', constructor: 'x' })).toEqual([
      'bankAccount.sortCode is not a field of this method',
      'bankAccount.constructor is not a field of this method',
    ]);
  });

  test('the length of a name is counted in characters', () => {
    expect(check('DE', 'sepa_bank_transfer', { accountHolderName: '𝒜'.repeat(140) }).faults).toEqual([]);
    expect(check('DE', 'sepa_bank_transfer', { accountHolderName: '𝒜'.repeat(141) }).faults).toHaveLength(1);
  });
});

describe("the vendor's test numbers", () => {
  const series = ['CH', 'SE', 'NO', 'DK', 'PL', 'CZ', 'HU', 'RO', 'IS', 'LI', 'GI'];

  test.each(series)('of %s are good in a SANDBOX alone', (country) => {
    const iban = `${country}89370400440532013000`;
    for (const { id } of methodsOf(country)) {
      expect(check(country, id, { iban }, 'SANDBOX').faults).toEqual([]);
      expect(check(country, id, { iban }, 'LIVE').faults).toHaveLength(1);
    }
  });

  test('are a list, not a check that is switched off', () => {
    const refused: [country: string, iban: string][] = [
      ['CH', 'CH89370400440532013001'],
      ['CH', 'SE89370400440532013000'],
      ['FR', 'FR89370400440532013000'],
    ];
    for (const [country, iban] of refused) {
      expect(check(country, 'sepa_bank_transfer', { iban }, 'SANDBOX').faults, iban).toHaveLength(1);
    }
  });

  test.each<[string, Record<string, string>, routing: string | null, account: string]>([
    ['HK', { bankCode: '110', branchCode: '000', accountNumber: '000123456' }, '110-000', '000123456'],
    ['US', {}, '110000000', '000123456789'],
    ['GB', {}, '108800', '00012345'],
    ['AU', {}, '110000', '000123456'],
    ['NZ', {}, null, '1100000000000010'],
    ['CA', {}, '11000-000', '000123456789'],
    ['SG', {}, '1100-000', '000123456'],
    ['JP', {}, '1100000', '0001234'],
    ['IN', {}, 'HDFC0004051', '000123456789'],
    ['MX', {}, null, '000000001234567897'],
    ['BR', {}, '110-0000', '0001234'],
    ['ID', { bankCode: '000' }, '000', '000123456789'],
    ['TH', { bankCode: '999' }, '999', '000123456789'],
    ['MY', { swiftCode: 'TESTMYKL' }, 'TESTMYKL', '000123456000'],
    ['ZA', {}, 'FIRNZAJJ', '000001234'],
    ['AE', {}, null, 'AE070331234567890123456'],
  ])('of %s pass its rules and come out in its slots', (country, values, routingNumber, accountNumber) => {
    const [method] = methodsOf(country);
    if (!method) throw new Error('no method');
    const { faults, details } = check(country, method.id, values);
    expect(faults).toEqual([]);
    expect(toVendorSlots({ country, methodType: method.id }, details)).toMatchObject({ routingNumber, accountNumber });
  });
});

describe('offered', () => {
  const account = { secretKey: 'sk_live_x', platformCountry: 'US', capabilities: ['transfers'], baseUrl: null };
  const vendor = { ...PAYMENT_DEFAULTS, provider: 'payvendor' as const, account, platformCountry: 'US' };

  test('by hand: everywhere', () => {
    const manual = { ...PAYMENT_DEFAULTS, account: undefined };
    expect(PAYOUT_COUNTRIES.filter((country) => !isOffered(country, manual, 'LIVE'))).toEqual([]);
  });

  test('by the vendor: where it holds accounts', () => {
    const not = PAYOUT_COUNTRIES.filter((country) => !isOffered(country, vendor, 'LIVE'));
    expect(not.toSorted()).toEqual(['AD', 'ID', 'IN', 'IS', 'MC', 'PH', 'SM', 'VA', 'ZA']);
  });

  test('to recipients across borders: where the platform is approved for it', () => {
    const approved = { ...vendor, approvedRecipientCountries: ['PH', 'AD'] };
    expect(isOffered('PH', approved, 'LIVE')).toBe(true);
    expect(isOffered('ZA', approved, 'LIVE')).toBe(false);
    expect(isOffered('AD', approved, 'LIVE')).toBe(false);
  });

  test('with card payments: not where only the recipient agreement is possible', () => {
    const both = { ...vendor, capabilities: ['transfers', 'card_payments'] };
    expect(['US', 'DE', 'GB'].map((country) => isOffered(country, both, 'LIVE'))).toEqual([true, true, true]);
    expect(['HK', 'JP', 'GI'].map((country) => isOffered(country, both, 'LIVE'))).toEqual([false, false, false]);
    expect(isOffered('HK', { ...both, platformCountry: 'HK' }, 'LIVE')).toBe(true);
    expect(isOffered('HK', { ...both, platformCountry: null }, 'LIVE')).toBe(true);
  });

  test('without an account at the vendor: in a SANDBOX, which simulates it', () => {
    const none = { ...vendor, account: undefined };
    expect([isOffered('US', none, 'LIVE'), isOffered('US', none, 'SANDBOX')]).toEqual([false, true]);
  });
});
