/**
 * Connected accounts and their bank accounts as the fake payment vendor keeps them, with the walls of the real
 * one. Source: docs/specification/payouts.md#the-payment-vendor.
 */
import { randomBytes } from 'node:crypto';
import { currencyOf, metadataAt, type Params, paramAt, Refusal, refuse, requireParam } from './fake-payment-params.ts';

export interface FakeBankAccount {
  id: string;
  object: 'bank_account';
  account: string;
  account_holder_name: string | null;
  bank_name: string;
  country: string;
  currency: string;
  default_for_currency: boolean;
  fingerprint: string;
  last4: string;
  metadata: Record<string, string>;
  routing_number: string | null;
  status: string;
}

export interface FakeAccount {
  id: string;
  country: string;
  email: string;
  agreement: 'full' | 'recipient';
  /** As they were sent. */
  individual: Params;
  tosDate: number;
  metadata: Record<string, string>;
  bankAccounts: FakeBankAccount[];
  /** By bank account, in full: what decides how a payout to it ends. */
  numbers: Map<string, string>;
  /** Available, by currency in lower case. */
  balance: Map<string, number>;
  /** What a test says in place of what follows from the details. */
  told: { transfers?: string; disabled_reason?: string | null; currently_due?: string[] };
  created: number;
}

/** What the tenant's own account may do at the vendor. */
export interface FakePlatform {
  country: string;
  /** Transfers without card payments. */
  transfersOnly: boolean;
  /** Beyond the region where it needs no approval. */
  recipientCountries: string[];
}

const EEA = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO'.split(' ');
const REGION = new Set([...EEA, 'US', 'CA', 'GB', 'CH']);
/** Where the vendor has connected accounts at all. */
const COUNTRIES = new Set([...REGION, ...'HK SG JP AU NZ MX BR TH IN PH ID MY ZA AE GI CO CL PA'.split(' ')]);

const id = (prefix: string): string => `${prefix}_${randomBytes(12).toString('base64url').replace(/[-_]/g, 'x')}`;
export const newId = id;
export const seconds = (): number => Math.floor(Date.now() / 1000);

export function createFakeAccount(params: Params, platform: FakePlatform): FakeAccount {
  const country = requireParam(params, 'country');
  if (!COUNTRIES.has(country))
    throw refuse('country_unsupported', `${country} is not currently supported by the vendor.`, 'country');
  const recipient = checkAgreement(params, country, platform);
  if (paramAt(params, 'controller[requirement_collection]') !== 'application') {
    throw refuse('parameter_missing', 'Missing required param: controller[requirement_collection].', 'controller');
  }
  const email = requireParam(params, 'email');
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) throw refuse('email_invalid', `Invalid email address: ${email}`, 'email');
  checkBirthday(params);
  checkIdNumber(params, country);
  const tosDate = checkTos(params);
  return {
    id: id('acct'),
    country,
    email,
    agreement: recipient ? 'recipient' : 'full',
    individual: (params['individual'] as Params | undefined) ?? {},
    tosDate,
    metadata: metadataAt(params),
    bankAccounts: [],
    numbers: new Map(),
    balance: new Map(),
    told: {},
    created: seconds(),
  };
}

/** Both walls, and what lies beyond the region. True: under the recipient agreement. */
function checkAgreement(params: Params, country: string, platform: FakePlatform): boolean {
  const agreement = paramAt(params, 'tos_acceptance[service_agreement]') ?? 'full';
  const cards = paramAt(params, 'capabilities[card_payments][requested]') === 'true';
  const transfers = paramAt(params, 'capabilities[transfers][requested]') === 'true';
  if (agreement === 'recipient' && country === platform.country) {
    throw new Refusal(400, {
      message: `The recipient ToS agreement is not supported for platforms in ${platform.country} creating accounts in ${country}.`,
      param: 'tos_acceptance[service_agreement]',
    });
  }
  if (agreement === 'recipient' && cards) {
    throw new Refusal(400, { message: 'The `card_payments` capability is not supported under the `recipient` agreement.' });
  }
  if (transfers && !cards && agreement !== 'recipient' && !platform.transfersOnly) {
    throw new Refusal(400, {
      message:
        'Your platform needs approval for accounts to have requested the `transfers` capability without the `card_payments` capability. If you would like to request `transfers` without `card_payments` please contact us.',
    });
  }
  const inRegion = REGION.has(country) && REGION.has(platform.country);
  if (country !== platform.country && !inRegion && !platform.recipientCountries.includes(country)) {
    throw refuse('country_unsupported', `Your platform cannot create accounts in ${country}.`, 'country');
  }
  return agreement === 'recipient';
}

function checkBirthday(params: Params): void {
  if (paramAt(params, 'individual[dob][year]') === undefined) return;
  const part = (name: string): number => Number(requireParam(params, `individual[dob][${name}]`));
  const [year, month, day] = [part('year'), part('month'), part('day')];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    throw new Refusal(400, { message: 'Invalid date of birth', param: 'individual[dob][day]' });
  }
  const age = (Date.now() - date.getTime()) / (365.2425 * 86_400_000);
  if (year < 1900 || age < 13)
    throw new Refusal(400, { message: 'Must be at least 13 years of age', param: 'individual[dob][year]' });
}

function checkIdNumber(params: Params, country: string): void {
  const number = paramAt(params, 'individual[id_number]');
  const lastFour = paramAt(params, 'individual[ssn_last_4]');
  if (lastFour !== undefined && (country !== 'US' || !/^\d{4}$/.test(lastFour))) {
    throw refuse('tax_id_invalid', 'Invalid last 4 digits of the SSN', 'individual[ssn_last_4]');
  }
  if (number !== undefined && country === 'US' && !/^\d{9}$/.test(number)) {
    throw refuse('tax_id_invalid', 'US ID numbers must have 9 digits', 'individual[id_number]');
  }
}

/** Seconds, after 2009, not in the future. */
function checkTos(params: Params): number {
  const date = Number(requireParam(params, 'tos_acceptance[date]'));
  if (!Number.isInteger(date) || date < Date.UTC(2009, 0, 1) / 1000 || date > seconds() + 60) {
    throw new Refusal(400, {
      message:
        'ToS acceptance date is not valid. Dates are expected to be integers, measured in seconds, not in the future, and after 2009.',
      param: 'tos_acceptance[date]',
    });
  }
  const ip = requireParam(params, 'tos_acceptance[ip]');
  if (!/^[\d.]{7,15}$|^[0-9a-f:]{2,39}$/i.test(ip))
    throw new Refusal(400, { message: 'Invalid IP', param: 'tos_acceptance[ip]' });
  return date;
}

export function addFakeBankAccount(account: FakeAccount, params: Params, duplicates: 'made' | 'refused'): FakeBankAccount {
  const at = (name: string): string => `external_account[${name}]`;
  if (requireParam(params, at('object')) !== 'bank_account')
    throw new Refusal(400, { message: 'Invalid object', param: at('object') });
  const country = requireParam(params, at('country'));
  const currency = currencyOf(params, at('currency'));
  const number = requireParam(params, at('account_number'));
  const routing = paramAt(params, at('routing_number'));
  if (!/^[A-Z0-9]{4,34}$/.test(number) || number.endsWith('0000000000000')) {
    throw refuse('account_number_invalid', 'Invalid account number', at('account_number'));
  }
  if (country === 'US' && routing === undefined)
    throw refuse('parameter_missing', `Missing required param: ${at('routing_number')}.`, at('routing_number'));
  if (country === 'US' && !/^\d{9}$/.test(routing ?? ''))
    throw refuse('routing_number_invalid', 'Invalid routing number', at('routing_number'));
  const fingerprint = `${country} ${currency} ${routing ?? ''} ${number}`;
  if (duplicates === 'refused' && account.bankAccounts.some((one) => one.fingerprint === fingerprint)) {
    throw refuse(
      'bank_account_exists',
      'A bank account with that routing number and account number already exists for this account.',
    );
  }
  const first = !account.bankAccounts.some((one) => one.currency === currency);
  const isDefault = first || paramAt(params, 'default_for_currency') === 'true';
  if (isDefault) for (const one of account.bankAccounts) if (one.currency === currency) one.default_for_currency = false;
  const bank: FakeBankAccount = {
    id: id('ba'),
    object: 'bank_account',
    account: account.id,
    account_holder_name: paramAt(params, at('account_holder_name')) ?? null,
    bank_name: 'FAKE TEST BANK',
    country,
    currency,
    default_for_currency: isDefault,
    fingerprint,
    last4: number.slice(-4),
    metadata: { ...metadataAt(params), ...metadataAt(params, 'external_account[metadata]') },
    routing_number: routing ?? null,
    status: 'new',
  };
  account.bankAccounts.push(bank);
  account.numbers.set(bank.id, number);
  return bank;
}

/** As the vendor answers it; what it needs to know follows from the details. */
export function accountBody(account: FakeAccount): Record<string, unknown> & { id: string } {
  const { individual, told } = account;
  const missing = ['first_name', 'last_name']
    .filter((name) => individual[name] === undefined)
    .map((name) => `individual.${name}`);
  if (paramAt(individual, 'dob[year]') === undefined)
    missing.push('individual.dob.day', 'individual.dob.month', 'individual.dob.year');
  if (paramAt(individual, 'address[line1]') === undefined) missing.push('individual.address.line1');
  if (account.country === 'US' && individual['id_number'] === undefined && individual['ssn_last_4'] === undefined) {
    missing.push('individual.ssn_last_4');
  }
  const mismatched =
    individual['id_number'] === '111111111' ||
    paramAt(individual, 'address[line1]') === 'address_no_match' ||
    (paramAt(individual, 'dob[year]') === '1902' &&
      paramAt(individual, 'dob[month]') === '1' &&
      paramAt(individual, 'dob[day]') === '1');
  if (mismatched) missing.push('individual.verification.document');
  if (account.bankAccounts.length === 0) missing.push('external_account');
  const due = told.currently_due ?? missing;
  const transfers = told.transfers ?? (due.length === 0 ? 'active' : 'inactive');
  const disabled = told.disabled_reason !== undefined ? told.disabled_reason : due.length === 0 ? null : 'requirements.past_due';
  return {
    id: account.id,
    object: 'account',
    business_type: 'individual',
    capabilities: { transfers },
    charges_enabled: false,
    country: account.country,
    created: account.created,
    details_submitted: true,
    email: account.email,
    external_accounts: {
      object: 'list',
      data: account.bankAccounts,
      has_more: false,
      url: `/v1/accounts/${account.id}/external_accounts`,
    },
    metadata: account.metadata,
    payouts_enabled: transfers === 'active' && disabled === null,
    requirements: {
      alternatives: [],
      current_deadline: null,
      currently_due: due,
      disabled_reason: disabled,
      errors: [],
      eventually_due: due,
      past_due: disabled === 'requirements.past_due' ? due : [],
      pending_verification: [],
    },
    tos_acceptance: {
      date: account.tosDate,
      ...(account.agreement === 'recipient' ? { service_agreement: 'recipient' } : {}),
    },
    type: 'none',
  };
}

/** Where money under the full agreement goes. */
export function isInRegion(country: string): boolean {
  return REGION.has(country);
}
