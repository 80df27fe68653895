/**
 * The catalogue of bank accounts as data: what each country calls for, how it is written, and where the
 * payment vendor takes it. Source: docs/specification/payouts.md#methods.
 */

export type BankCheck = 'aba' | 'clabe' | 'iban' | 'bic';

export interface BankField {
  key: string;
  label: string;
  placeholder: string;
  /** Completes both `must be …` and the help text. */
  form: string;
  /** In JavaScript's syntax with the flag u, of the value as it is normalised. */
  pattern: string;
  minLength: number;
  maxLength: number;
  check?: BankCheck;
  /** Hyphens mean something here and are kept. */
  hyphens?: true;
  /** As it was written but for the space around it: case, hyphens and spaces are part of it. */
  verbatim?: true;
}

/** `recipient`: only on a platform that the vendor has approved for the country. */
export type ProviderSupport = 'full' | 'recipient' | 'none';

export interface BankAccountForm {
  currency: string;
  /** Beside the holder's name, which every form asks for. */
  fields: readonly BankField[];
  holder?: BankField;
  /** The keys that make up the vendor's routing number, and what stands between them. */
  routing?: { keys: readonly string[]; between: '' | '-' };
  /** The key of the vendor's account number. */
  account: string;
}

export const HOLDER: BankField = {
  key: 'accountHolderName',
  label: 'Account holder name',
  placeholder: 'Chan Tai Man',
  form: 'the name that the account is held under, of 1 to 140 characters',
  pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]{1,140}$',
  minLength: 1,
  maxLength: 140,
  verbatim: true,
};

const KATAKANA_HOLDER: BankField = {
  ...HOLDER,
  label: 'Account owner (katakana)',
  placeholder: 'ヤマダ ハナコ',
  form: 'the name that the account is held under, in katakana or capital letters, of 1 to 100 characters',
  pattern: '^[\\u30A0-\\u30FF\\uFF65-\\uFF9F\\u3000 A-Z0-9().\\-/]{1,100}$',
  maxLength: 100,
};

type More = Partial<Pick<BankField, 'check' | 'hyphens'>>;

function digits(key: string, label: string, [min, max]: [number, number], placeholder: string, more: More = {}): BankField {
  const form = min === max ? `${min} digits` : `${min} to ${max} digits`;
  const count = min === max ? `{${min}}` : `{${min},${max}}`;
  return { key, label, placeholder, form, pattern: `^[0-9]${count}$`, minLength: min, maxLength: max, ...more };
}

const accountNumber = (length: [number, number], placeholder: string): BankField =>
  digits('accountNumber', 'Account number', length, placeholder);

const swiftCode = (country: string, placeholder: string): BankField => ({
  key: 'swiftCode',
  label: 'SWIFT/BIC',
  placeholder,
  form: `the SWIFT/BIC of a bank in ${country}, of 8 or 11 characters`,
  pattern: `^[A-Z]{4}${country}[A-Z0-9]{2}([A-Z0-9]{3})?$`,
  minLength: 8,
  maxLength: 11,
  check: 'bic',
});

function ibanField(country: string, placeholder: string): BankField {
  const { length } = placeholder;
  return {
    key: 'iban',
    label: 'IBAN',
    placeholder,
    form: `an IBAN of ${length} characters that begins with ${country}`,
    pattern: `^${country}[0-9]{2}[A-Z0-9]{${length - 4}}$`,
    minLength: length,
    maxLength: length,
    check: 'iban',
  };
}

export function ibanForm(country: string, currency: string, placeholder: string): BankAccountForm {
  return { currency, fields: [ibanField(country, placeholder)], account: 'iban' };
}

const withRouting = (between: '' | '-', ...keys: string[]) => ({ account: 'accountNumber', routing: { keys, between } });

/** Of the country's own currency. */
export const LOCAL_FORMS: Readonly<Record<string, BankAccountForm>> = {
  HK: {
    currency: 'HKD',
    fields: [
      digits('bankCode', 'Bank (clearing) code', [3, 3], '004'),
      digits('branchCode', 'Branch code', [3, 3], '001'),
      accountNumber([6, 12], '123456789'),
    ],
    ...withRouting('-', 'bankCode', 'branchCode'),
  },
  US: {
    currency: 'USD',
    fields: [
      digits('routingNumber', 'Routing number (ABA, ACH)', [9, 9], '110000000', { check: 'aba' }),
      accountNumber([4, 17], '000123456789'),
    ],
    ...withRouting('', 'routingNumber'),
  },
  GB: {
    currency: 'GBP',
    fields: [digits('sortCode', 'Sort code', [6, 6], '108800'), accountNumber([8, 8], '00012345')],
    ...withRouting('', 'sortCode'),
  },
  AU: {
    currency: 'AUD',
    fields: [digits('bsb', 'BSB', [6, 6], '110000'), accountNumber([5, 9], '000123456')],
    ...withRouting('', 'bsb'),
  },
  NZ: { currency: 'NZD', fields: [accountNumber([15, 16], '1100000000000010')], account: 'accountNumber' },
  CA: {
    currency: 'CAD',
    fields: [
      digits('transitNumber', 'Transit number', [5, 5], '11000'),
      digits('institutionNumber', 'Institution number', [3, 3], '000'),
      accountNumber([5, 12], '000123456789'),
    ],
    ...withRouting('-', 'transitNumber', 'institutionNumber'),
  },
  SG: {
    currency: 'SGD',
    fields: [
      digits('bankCode', 'Bank code', [4, 4], '1100'),
      digits('branchCode', 'Branch code', [3, 3], '000'),
      accountNumber([6, 12], '000123456'),
    ],
    ...withRouting('-', 'bankCode', 'branchCode'),
  },
  JP: {
    currency: 'JPY',
    holder: KATAKANA_HOLDER,
    fields: [
      digits('bankCode', 'Bank code', [4, 4], '1100'),
      digits('branchCode', 'Branch code', [3, 3], '000'),
      accountNumber([6, 8], '0001234'),
    ],
    ...withRouting('', 'bankCode', 'branchCode'),
  },
  IN: {
    currency: 'INR',
    fields: [
      {
        key: 'ifsc',
        label: 'IFSC',
        placeholder: 'HDFC0004051',
        form: 'an IFSC: 4 letters, a zero, and 6 letters or digits',
        pattern: '^[A-Z]{4}0[A-Z0-9]{6}$',
        minLength: 11,
        maxLength: 11,
      },
      accountNumber([9, 18], '000123456789'),
    ],
    ...withRouting('', 'ifsc'),
  },
  MX: {
    currency: 'MXN',
    fields: [digits('clabe', 'CLABE', [18, 18], '000000001234567897', { check: 'clabe' })],
    account: 'clabe',
  },
  BR: {
    currency: 'BRL',
    fields: [
      digits('bankCode', 'Bank code', [3, 3], '110'),
      {
        key: 'branchCode',
        label: 'Branch (agência)',
        placeholder: '0000',
        form: '4 digits, and the check digit if there is one',
        pattern: '^[0-9]{4}-?[0-9Xx]?$',
        minLength: 4,
        maxLength: 6,
        hyphens: true,
      },
      {
        key: 'accountNumber',
        label: 'Account number incl. check digit',
        placeholder: '0001234',
        form: '4 to 13 digits and the check digit',
        pattern: '^[0-9]{4,13}-?[0-9Xx]?$',
        minLength: 4,
        maxLength: 15,
        hyphens: true,
      },
    ],
    ...withRouting('-', 'bankCode', 'branchCode'),
  },
  PH: {
    currency: 'PHP',
    fields: [swiftCode('PH', 'BOPIPHMM'), accountNumber([6, 17], '0001234567890')],
    ...withRouting('', 'swiftCode'),
  },
  ID: {
    currency: 'IDR',
    fields: [digits('bankCode', 'Bank code', [3, 3], '014'), accountNumber([10, 16], '000123456789')],
    ...withRouting('', 'bankCode'),
  },
  TH: {
    currency: 'THB',
    fields: [digits('bankCode', 'Bank code', [3, 3], '004'), accountNumber([10, 15], '000123456789')],
    ...withRouting('', 'bankCode'),
  },
  MY: {
    currency: 'MYR',
    fields: [swiftCode('MY', 'MBBEMYKL'), accountNumber([5, 17], '000123456000')],
    ...withRouting('', 'swiftCode'),
  },
  ZA: {
    currency: 'ZAR',
    fields: [swiftCode('ZA', 'FIRNZAJJ'), accountNumber([6, 13], '000001234')],
    ...withRouting('', 'swiftCode'),
  },
  CH: ibanForm('CH', 'CHF', 'CH9300762011623852957'),
  SE: ibanForm('SE', 'SEK', 'SE3550000000054910000003'),
  NO: ibanForm('NO', 'NOK', 'NO9386011117947'),
  DK: ibanForm('DK', 'DKK', 'DK5000400440116243'),
  PL: ibanForm('PL', 'PLN', 'PL61109010140000071219812874'),
  AE: ibanForm('AE', 'AED', 'AE070331234567890123456'),
  CZ: ibanForm('CZ', 'CZK', 'CZ6508000000192000145399'),
  HU: ibanForm('HU', 'HUF', 'HU42117730161111101800000000'),
  RO: ibanForm('RO', 'RON', 'RO49AAAA1B31007593840000'),
  IS: ibanForm('IS', 'ISK', 'IS140159260076545510730339'),
  LI: ibanForm('LI', 'CHF', 'LI21088100002324013AA'),
  GI: ibanForm('GI', 'GBP', 'GI75NWBK000000007099453'),
};

/** Countries whose banks take payments in euro, with an IBAN of each; those with another currency have a form of their own too. */
export const SEPA_IBANS: Readonly<Record<string, string>> = {
  AT: 'AT611904300234573201',
  BE: 'BE68539007547034',
  BG: 'BG80BNBG96611020345678',
  HR: 'HR1210010051863000160',
  CY: 'CY17002001280000001200527600',
  EE: 'EE382200221020145685',
  FI: 'FI2112345600000785',
  FR: 'FR1420041010050500013M02606',
  DE: 'DE89370400440532013000',
  GR: 'GR1601101250000000012300695',
  IE: 'IE29AIBK93115212345678',
  IT: 'IT60X0542811101000000123456',
  LV: 'LV80BANK0000435195001',
  LT: 'LT121000011101001000',
  LU: 'LU280019400644750000',
  MT: 'MT84MALT011000012345MTLCAST001S',
  NL: 'NL91ABNA0417164300',
  PT: 'PT50000201231234567890154',
  SK: 'SK3112000000198742637541',
  SI: 'SI56263300012039086',
  ES: 'ES9121000418450200051332',
  AD: 'AD1200012030200359100100',
  MC: 'MC5811222000010123456789030',
  SM: 'SM86U0322509800000000270100',
  VA: 'VA59001123000012345678',
  CH: 'CH9300762011623852957',
  SE: 'SE3550000000054910000003',
  NO: 'NO9386011117947',
  DK: 'DK5000400440116243',
  PL: 'PL61109010140000071219812874',
  CZ: 'CZ6508000000192000145399',
  HU: 'HU42117730161111101800000000',
  RO: 'RO49AAAA1B31007593840000',
  IS: 'IS140159260076545510730339',
  LI: 'LI21088100002324013AA',
  GI: 'GI75NWBK000000007099453',
  GB: 'GB29NWBK60161331926819',
};

const FULL =
  'AU AT BE BR BG CA HR CY CZ DK EE FI FR DE GI GR HK HU IE IT JP LV LI LT LU MY MT MX NL NZ NO PL PT RO SG SK SI ES SE CH TH AE GB US';

/** IN is by invitation of the vendor. */
const RECIPIENT = 'PH ID ZA IN';

/** Where the payment vendor can hold an account of a member. */
export const PROVIDER_SUPPORT: Readonly<Record<string, ProviderSupport>> = {
  ...Object.fromEntries(FULL.split(' ').map((country) => [country, 'full' as const])),
  ...Object.fromEntries(RECIPIENT.split(' ').map((country) => [country, 'recipient' as const])),
};
