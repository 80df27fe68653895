/**
 * A payment vendor that speaks the real one's wire format, keeps accounts, transfers, payouts and
 * balances, and refuses what the real one refuses. For the real client: `stripe` with host, port and
 * protocol of `account.baseUrl`. Source: docs/specification/payouts.md#the-payment-vendor.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  accountBody,
  addFakeBankAccount,
  createFakeAccount,
  type FakeAccount,
  type FakeBankAccount,
  type FakePlatform,
} from './fake-payment-accounts.ts';
import { createFakeEvents, type FakeEvents } from './fake-payment-events.ts';
import { createFakeMoney, type FakeMoney, isWithin, pageOf } from './fake-payment-money.ts';
import { KNOWN_PARAMS, type Params, Refusal, readParams, refuse, type VendorErrorBody } from './fake-payment-params.ts';

/**
 * What the next request meets. `lost`: done, and the answer lost. `twice`: done twice, as when something
 * between us and the vendor repeats it. `stored`: the vendor has kept the 500, and repeats it for the key.
 */
export type FakePaymentFault =
  | { status: number; headers?: Record<string, string>; error?: Partial<VendorErrorBody>; stored?: boolean }
  | { delayMs: number }
  | 'drop'
  | 'lost'
  | 'twice'
  | 'garbage';

export interface FakePaymentVendor extends FakeMoney, FakeEvents {
  url: string;
  /** `127.0.0.1:port`, as OUTGOING_ALLOWED_HOSTS has it. */
  host: string;
  /** For plantPaymentSettings; of the secrets the first signs the tenant's own events, the second those of connected accounts. */
  account: {
    secretKey: string;
    webhookSecrets: [string, string];
    platformCountry: string;
    capabilities: string[];
    approvedRecipientCountries: string[];
    baseUrl: string;
  };
  /** Other keys that are good, beside `account.secretKey`. */
  keys: Set<string>;
  platform: FakePlatform;
  /** `METHOD /path?query` of every request so far, refused ones too. */
  requests: string[];
  /** By id. */
  accounts: Map<string, FakeAccount>;
  accountOf(memberId: string): FakeAccount | undefined;
  /** What the vendor finds out about an account; it sends account.updated. */
  tellAccount(accountId: string, told: FakeAccount['told']): void;
  /** Whether the same bank account may be there twice. Default: it may. */
  duplicateBankAccounts: 'made' | 'refused';
  /** The next requests whose `METHOD /path` matches meet these, in order, one each. */
  failNext(matching: RegExp, ...faults: FakePaymentFault[]): void;
  /** Of answers to POSTs that are lost after the request was done, 0 to 1. Default 0. */
  lostRate: number;
  /** Every answer takes so long. Default 0. */
  delayMs: number;
  /** What was answered to idempotency keys is forgotten, as after a day. */
  forgetKeys(): void;
  /** Called before a request is answered: what happens meanwhile. */
  meanwhile: ((request: string) => Promise<unknown>) | undefined;
  close(): void;
}

export const VENDOR_API_VERSION = '2026-10-28.endive';

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Of one idempotency key. */
interface Kept {
  digest: string;
  /** Undefined while the request runs. */
  answer: Answer | undefined;
}

interface Request {
  name: string;
  method: string;
  path: string;
  text: string;
  /** Of the Stripe-Account header. */
  accountId: string | undefined;
}

/** Does not keep the process alive. */
export async function startFakePaymentVendor(): Promise<FakePaymentVendor> {
  const secret = (): string => randomBytes(16).toString('hex');
  const faults: { matching: RegExp; fault: FakePaymentFault }[] = [];
  const kept = new Map<string, Kept>();
  const server = createServer((req, res) => void serve(req, res));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account: FakePaymentVendor['account'] = {
    secretKey: `sk_test_${secret()}`,
    webhookSecrets: [`whsec_${secret()}`, `whsec_${secret()}`],
    platformCountry: 'US',
    capabilities: ['transfers'],
    approvedRecipientCountries: ['HK'],
    baseUrl: `http://${host}`,
  };
  const accounts = new Map<string, FakeAccount>();
  const platform: FakePlatform = { country: 'US', transfersOnly: true, recipientCountries: ['HK', 'SG', 'JP', 'AU', 'NZ', 'MX'] };
  const events = createFakeEvents(account.webhookSecrets);
  const money = createFakeMoney({ accounts, platform, record: events.record });
  const vendor: FakePaymentVendor = Object.assign(events, money, {
    url: account.baseUrl,
    host,
    account,
    keys: new Set<string>(),
    platform,
    requests: [],
    accounts,
    accountOf: (memberId: string) => [...accounts.values()].find(({ metadata }) => metadata['user_id'] === memberId),
    tellAccount(accountId: string, told: FakeAccount['told']) {
      const present = requireAccount(accountId);
      Object.assign(present.told, told);
      events.record('account.updated', accountBody(present), accountId);
    },
    duplicateBankAccounts: 'made' as const,
    failNext: (matching: RegExp, ...next: FakePaymentFault[]) => void faults.push(...next.map((fault) => ({ matching, fault }))),
    lostRate: 0,
    delayMs: 0,
    forgetKeys: () => kept.clear(),
    meanwhile: undefined,
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return vendor;

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of req) chunks.push(chunk as Buffer);
    } catch {
      return; // the client has gone
    }
    const request = `${req.method} ${req.url}`;
    vendor.requests.push(request);
    await vendor.meanwhile?.(request);
    const at = faults.findIndex(({ matching }) => matching.test(request));
    const fault = at === -1 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (fault === 'drop') return void req.socket.destroy();
    if (fault === 'garbage') return void res.writeHead(200, { 'content-type': 'application/json' }).end('{"id":');
    const answer = await answerTo(req, Buffer.concat(chunks).toString(), fault);
    const isLost = fault === 'lost' || (req.method === 'POST' && Math.random() < vendor.lostRate);
    if (isLost) return void req.socket.destroy();
    send(res, fault === 'twice' ? await answerTo(req, Buffer.concat(chunks).toString(), undefined) : answer);
  }

  async function answerTo(req: IncomingMessage, text: string, fault: FakePaymentFault | undefined): Promise<Answer> {
    const url = new URL(req.url ?? '', 'http://vendor');
    const header = (name: string): string | undefined => req.headers[name]?.toString();
    const method = req.method ?? '';
    const isPost = method === 'POST';
    const request = {
      name: `${method} ${url.pathname}`,
      method,
      path: url.pathname,
      text: isPost ? text : url.search.slice(1),
      accountId: header('stripe-account'),
    };
    const key = isPost ? header('idempotency-key') : undefined;
    try {
      authenticate(req, request);
      if (key === undefined) return await perform(request, fault);
      if (key.length > 255) throw new Refusal(400, { message: 'Idempotency-Key must be at most 255 characters' });
      return await performOnce(`${header('authorization')} ${request.accountId ?? ''} ${key}`, request, fault);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return errorAnswer(error);
    }
  }

  async function performOnce(key: string, request: Request, fault: FakePaymentFault | undefined): Promise<Answer> {
    const digest = createHash('sha256').update(`${request.name}\n${request.text}`).digest('hex');
    const before = kept.get(key);
    if (before) {
      if (before.digest !== digest) {
        throw new Refusal(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        });
      }
      if (!before.answer) {
        throw new Refusal(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: 'There is currently another in-progress request using this Idempotency-Key.',
        });
      }
      return { ...before.answer, headers: { 'idempotent-replayed': 'true', 'original-request': 'req_fake' } };
    }
    const mine: Kept = { digest, answer: undefined };
    kept.set(key, mine);
    try {
      mine.answer = await perform(request, fault);
      return mine.answer;
    } catch (error) {
      // What is refused before it is begun is not kept.
      const begun = error instanceof Refusal && error.body.code?.startsWith('parameter_') !== true && error.status === 400;
      const isStored = typeof fault === 'object' && 'stored' in fault && fault.stored;
      if (error instanceof Refusal && (begun || isStored)) mine.answer = errorAnswer(error);
      else kept.delete(key);
      throw error;
    }
  }

  async function perform(request: Request, fault: FakePaymentFault | undefined): Promise<Answer> {
    const delayMs = typeof fault === 'object' && 'delayMs' in fault ? fault.delayMs : vendor.delayMs;
    if (delayMs > 0) await sleep(delayMs);
    if (typeof fault === 'object' && 'status' in fault) {
      const refusal = new Refusal(fault.status, { type: 'api_error', message: 'told to', ...fault.error });
      throw Object.assign(refusal, { headers: fault.headers });
    }
    return { status: 200, body: route(request) };
  }

  function authenticate(req: IncomingMessage, { accountId }: Request): void {
    const given = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    if (given !== account.secretKey && !vendor.keys.has(given)) {
      throw new Refusal(401, { message: `Invalid API Key provided: ${given.slice(0, 8)}****` });
    }
    if (req.headers['stripe-version'] !== VENDOR_API_VERSION) {
      throw new Refusal(400, { message: `Invalid Stripe API version: ${String(req.headers['stripe-version'])}` });
    }
    if (accountId !== undefined && !accounts.has(accountId)) throw noAccess(accountId);
  }

  function requireAccount(id: string): FakeAccount {
    const present = accounts.get(id);
    if (!present) throw noAccess(id);
    return present;
  }

  function route({ name, text, accountId }: Request): unknown {
    const read = (known: readonly string[]): Params => readParams(text, known);
    const [, id = '', what] = /^\w+ \/v1\/(?:accounts|transfers|payouts)\/([^/]+)(?:\/(\w+))?$/.exec(name) ?? [];
    const pattern = id === '' ? name : name.replace(`/${id}`, '/:id');
    if (pattern === 'POST /v1/accounts') return createAccount(read(KNOWN_PARAMS.createAccount));
    if (pattern === 'GET /v1/accounts') {
      const params = read(KNOWN_PARAMS.listAccounts);
      const made = [...accounts.values()].filter(({ created }) => isWithin(created, params));
      return pageOf(made.map(accountBody), params, '/v1/accounts');
    }
    if (pattern === 'GET /v1/accounts/:id') {
      read(KNOWN_PARAMS.none);
      return accountBody(requireAccount(id));
    }
    if (what === 'external_accounts') return bankAccounts(pattern, requireAccount(id), text);
    if (pattern === 'POST /v1/transfers') return money.createTransfer(read(KNOWN_PARAMS.createTransfer));
    if (pattern === 'GET /v1/transfers') return money.listTransfers(read(KNOWN_PARAMS.listTransfers));
    if (pattern === 'GET /v1/transfers/:id') return money.readTransfer(id);
    if (pattern === 'POST /v1/transfers/:id/reversals') return money.createReversal(id, read(KNOWN_PARAMS.createReversal));
    if (accountId === undefined) throw refuse('resource_missing', `Unrecognized request URL (${name})`, undefined, 404);
    const connected = requireAccount(accountId);
    if (pattern === 'POST /v1/payouts') return money.createPayout(connected, read(KNOWN_PARAMS.createPayout));
    if (pattern === 'GET /v1/payouts') return money.listPayouts(connected, read(KNOWN_PARAMS.listPayouts));
    if (pattern === 'GET /v1/payouts/:id') return money.readPayout(connected, id);
    throw refuse('resource_missing', `Unrecognized request URL (${name})`, undefined, 404);
  }

  function createAccount(params: Params): unknown {
    const created = createFakeAccount(params, platform);
    accounts.set(created.id, created);
    return accountBody(created);
  }

  function bankAccounts(pattern: string, of: FakeAccount, text: string): unknown {
    if (pattern === 'POST /v1/accounts/:id/external_accounts') {
      const bank: FakeBankAccount = addFakeBankAccount(
        of,
        readParams(text, KNOWN_PARAMS.addBankAccount),
        vendor.duplicateBankAccounts,
      );
      events.record('account.external_account.created', bank, of.id);
      events.record('account.updated', accountBody(of), of.id);
      return bank;
    }
    readParams(text, KNOWN_PARAMS.listBankAccounts);
    return {
      object: 'list',
      data: of.bankAccounts.toReversed(),
      has_more: false,
      url: `/v1/accounts/${of.id}/external_accounts`,
    };
  }
}

function noAccess(id: string): Refusal {
  return refuse(
    'account_invalid',
    `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
    undefined,
    403,
  );
}

function errorAnswer(error: Refusal & { headers?: Record<string, string> | undefined }): Answer {
  return { status: error.status, body: { error: error.body }, ...(error.headers ? { headers: error.headers } : {}) };
}

function send(res: ServerResponse, { status, body, headers = {} }: Answer): void {
  res
    .writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_${randomBytes(7).toString('hex')}`,
      'stripe-version': VENDOR_API_VERSION,
      ...headers,
    })
    .end(JSON.stringify(body));
}
