/**
 * What the payment vendor knows of each request: the names of its parameters, and the errors it answers with.
 * Source: docs/specification/payouts.md#the-payment-vendor.
 */
import { parse } from 'qs';

export type Params = Record<string, unknown>;

export interface VendorErrorBody {
  type: string;
  message: string;
  code?: string;
  param?: string;
}

/** An error as the vendor answers it. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: VendorErrorBody;

  constructor(status: number, body: Partial<VendorErrorBody> & { message: string }) {
    super(body.message);
    this.status = status;
    this.body = { type: 'invalid_request_error', ...body };
  }
}

export function refuse(code: string, message: string, param?: string, status = 400): Refusal {
  return new Refusal(status, { code, message, ...(param === undefined ? {} : { param }) });
}

const PAGE = ['limit', 'starting_after', 'ending_before'];
const ADDRESS = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'];

/** `[*]` stands for any key. */
export const KNOWN_PARAMS = {
  createAccount: [
    'country',
    'email',
    'business_type',
    'controller[stripe_dashboard][type]',
    'controller[fees][payer]',
    'controller[losses][payments]',
    'controller[requirement_collection]',
    'capabilities[transfers][requested]',
    'capabilities[card_payments][requested]',
    ...['product_description', 'url', 'mcc'].map((name) => `business_profile[${name}]`),
    ...['first_name', 'last_name', 'email', 'phone', 'id_number', 'ssn_last_4'].map((name) => `individual[${name}]`),
    ...['day', 'month', 'year'].map((name) => `individual[dob][${name}]`),
    ...ADDRESS.map((name) => `individual[address][${name}]`),
    ...['date', 'ip', 'user_agent', 'service_agreement'].map((name) => `tos_acceptance[${name}]`),
    'settings[payouts][schedule][interval]',
    'settings[payouts][debit_negative_balances]',
    'metadata[*]',
  ],
  addBankAccount: [
    ...['object', 'country', 'currency', 'account_number', 'routing_number', 'account_holder_name', 'account_holder_type'].map(
      (name) => `external_account[${name}]`,
    ),
    'external_account[metadata][*]',
    'default_for_currency',
    'metadata[*]',
  ],
  listBankAccounts: ['object', ...PAGE],
  createTransfer: ['amount', 'currency', 'destination', 'transfer_group', 'description', 'metadata[*]'],
  listTransfers: ['destination', 'transfer_group', 'created[gte]', 'created[lte]', 'created[gt]', 'created[lt]', ...PAGE],
  createReversal: ['amount', 'description', 'metadata[*]'],
  createPayout: ['amount', 'currency', 'destination', 'description', 'statement_descriptor', 'method', 'metadata[*]'],
  listPayouts: ['destination', 'status', 'created[gte]', 'created[lte]', 'created[gt]', 'created[lt]', ...PAGE],
  listAccounts: ['created[gte]', 'created[lte]', 'created[gt]', 'created[lt]', ...PAGE],
  none: [],
} as const satisfies Record<string, readonly string[]>;

/** Parsed; throws for a name that the request does not have, and for values that no parameter takes. */
export function readParams(text: string, known: readonly string[]): Params {
  const params = parse(text, { depth: 6, parameterLimit: 200, strictDepth: true }) as Params;
  for (const [path, value] of leavesOf(params)) {
    if (!known.includes(path) && !known.includes(path.replace(/\[[^\]]*\]$/, '[*]'))) {
      throw refuse('parameter_unknown', `Received unknown parameter: ${path}`, path);
    }
    if (value === '') throw refuse('parameter_invalid_empty', `You passed an empty string for '${path}'.`, path);
    if (path.includes('metadata[') && value.length > 500) {
      throw new Refusal(400, { message: 'Metadata values can have up to 500 characters', param: path });
    }
  }
  return params;
}

function leavesOf(value: unknown, path = ''): [path: string, value: string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}[${key}]`));
}

/** `individual[dob][day]`, as text; undefined when it was not sent. */
export function paramAt(params: Params, path: string): string | undefined {
  let value: unknown = params;
  for (const key of path.split(/[[\]]+/).filter(Boolean)) value = (value as Params | undefined)?.[key];
  return typeof value === 'string' ? value : undefined;
}

export function requireParam(params: Params, path: string): string {
  const value = paramAt(params, path);
  if (value === undefined) throw refuse('parameter_missing', `Missing required param: ${path}.`, path);
  return value;
}

export function metadataAt(params: Params, path = 'metadata'): Record<string, string> {
  let value: unknown = params;
  for (const key of path.split(/[[\]]+/).filter(Boolean)) value = (value as Params | undefined)?.[key];
  return { ...(value as Record<string, string> | undefined) };
}

/** In the smallest unit. */
export function amountOf(params: Params): number {
  const given = requireParam(params, 'amount');
  if (!/^\d+$/.test(given)) throw refuse('parameter_invalid_integer', `Invalid integer: ${given}`, 'amount');
  const amount = Number(given);
  if (amount < 1) throw refuse('parameter_invalid_integer', 'This value must be greater than or equal to 1.', 'amount');
  if (amount > 99_999_999_99) throw refuse('amount_too_large', 'Amount must be no more than 9999999999', 'amount');
  return amount;
}

export function currencyOf(params: Params, path = 'currency'): string {
  const currency = requireParam(params, path);
  if (!/^[a-z]{3}$/.test(currency)) throw new Refusal(400, { message: `Invalid currency: ${currency}`, param: path });
  return currency;
}
