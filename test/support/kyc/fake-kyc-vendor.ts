/**
 * A KYC vendor that speaks the real one's wire format, keeps applicants and their reviews, and refuses
 * what the real one refuses. Source: docs/specification/verification.md#the-kyc-vendor.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildVendorEvent, type VendorDelivery, type VendorEventFields, type VendorEventOptions } from './fake-kyc-events.ts';

export interface FakeReview {
  reviewStatus: string;
  reviewResult?: Record<string, unknown> | null;
}

export interface FakeApplicant {
  id: string;
  externalUserId: string;
  levelName: string;
  email: string | null;
  fixedInfo: Record<string, unknown>;
  /** What it has read from the papers; null: nothing yet. */
  info: Record<string, unknown> | null;
  /** What it thinks of each step, by the step's name. */
  steps: Record<string, unknown>;
  review: FakeReview;
  /** False: made under another app token, so that it exists and cannot be read. */
  readable: boolean;
  resets: number;
}

/** What the next request meets in place of an answer, or, for `lost`, in place of the answer to what was done. */
export type FakeFault =
  | { status: number; headers?: Record<string, string>; description?: string }
  | { delayMs: number }
  | 'drop'
  | 'lost'
  | 'garbage';

export interface FakeKycVendor {
  url: string;
  /** `127.0.0.1:port`, as OUTGOING_ALLOWED_HOSTS has it. */
  host: string;
  /** For plantKycSettings. */
  account: { appToken: string; secretKey: string; webhookSecret: string; levelName: string; baseUrl: string };
  /** `METHOD /path?query` of every request so far, refused ones too. */
  requests: string[];
  /** By id. */
  applicants: Map<string, FakeApplicant>;
  /** Every SDK token it has given. */
  tokens: string[];
  applicantOf(externalUserId: string): FakeApplicant | undefined;
  /** An applicant that is there without having been asked for. */
  plantApplicant(externalUserId: string, fields?: Partial<FakeApplicant>): FakeApplicant;
  setReview(externalUserId: string, review: FakeReview): void;
  /** The next requests whose `METHOD /path` matches meet these, in order, one each. */
  failNext(matching: RegExp, ...faults: FakeFault[]): void;
  /** Nothing of that is left to come. */
  workAgain(): void;
  /** Added to its clock, in seconds. */
  clockOffset: number;
  /** Called before a request is answered: what happens meanwhile. */
  meanwhile: ((request: string) => Promise<unknown>) | undefined;
  /** A signed delivery to our receiver. */
  event(fields: VendorEventFields, options?: VendorEventOptions): VendorDelivery;
  close(): void;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, description: string) {
    super(description);
    this.status = status;
  }
}

interface Answer {
  status: number;
  body: unknown;
}

const LONGEST_SKEW_SECONDS = 60;
const FIXED_INFO_KEYS = new Set(
  'firstName lastName middleName firstNameEn lastNameEn legalName gender dob placeOfBirth countryOfBirth stateOfBirth country nationality phone tin addresses'.split(
    ' ',
  ),
);

/** Does not keep the process alive. */
export async function startFakeKycVendor(): Promise<FakeKycVendor> {
  const secret = (): string => randomBytes(16).toString('hex');
  const faults: { matching: RegExp; fault: FakeFault }[] = [];
  const server = createServer((req, res) => void serve(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account = {
    appToken: `sbx:${secret()}`,
    secretKey: secret(),
    webhookSecret: secret(),
    levelName: 'basic kyc+level@1',
    baseUrl: `http://${host}`,
  };
  const applicants = new Map<string, FakeApplicant>();
  const vendor: FakeKycVendor = {
    url: account.baseUrl,
    host,
    account,
    requests: [],
    applicants,
    tokens: [],
    applicantOf: (externalUserId) => [...applicants.values()].find((one) => one.externalUserId === externalUserId),
    plantApplicant(externalUserId, fields = {}) {
      const applicant: FakeApplicant = {
        id: randomBytes(12).toString('hex'),
        externalUserId,
        levelName: account.levelName,
        email: null,
        fixedInfo: {},
        info: null,
        steps: { IDENTITY: null, SELFIE: null },
        review: { reviewStatus: 'init' },
        readable: true,
        resets: 0,
        ...fields,
      };
      applicants.set(applicant.id, applicant);
      return applicant;
    },
    setReview(externalUserId, review) {
      const applicant = vendor.applicantOf(externalUserId);
      if (!applicant) throw new Error(`the vendor has no applicant of ${externalUserId}`);
      applicant.review = review;
    },
    failNext: (matching, ...next) => void faults.push(...next.map((fault) => ({ matching, fault }))),
    workAgain() {
      faults.length = 0;
      vendor.clockOffset = 0;
      vendor.meanwhile = undefined;
    },
    clockOffset: 0,
    meanwhile: undefined,
    event: (fields, options) => buildVendorEvent(fields, { secret: account.webhookSecret, ...options }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
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
    if (typeof fault === 'object' && 'delayMs' in fault) await sleep(fault.delayMs);
    if (typeof fault === 'object' && 'status' in fault) {
      return send(res, { status: fault.status, body: errorOf(fault.status, fault.description ?? 'told to') }, fault.headers);
    }
    const answer = answerTo(req, Buffer.concat(chunks));
    if (fault === 'lost') return void req.socket.destroy();
    send(res, answer);
  }

  function answerTo(req: IncomingMessage, body: Buffer): Answer {
    try {
      authenticate(req, body);
      const url = new URL(req.url ?? '', 'http://vendor');
      return route(`${req.method} ${url.pathname}`, url.searchParams, body.length === 0 ? undefined : jsonOf(req, body));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: errorOf(error.status, error.message) };
    }
  }

  function authenticate(req: IncomingMessage, body: Buffer): void {
    if (req.headers['x-app-token'] !== account.appToken) throw new Refusal(401, 'Invalid app token');
    const ts = String(req.headers['x-app-access-ts']);
    if (!/^\d{10}$/.test(ts)) throw new Refusal(401, 'Invalid timestamp');
    if (Math.abs(Date.now() / 1000 + vendor.clockOffset - Number(ts)) > LONGEST_SKEW_SECONDS) {
      throw new Refusal(401, 'The request timestamp is too old');
    }
    const wanted = createHmac('sha256', account.secretKey).update(`${ts}${req.method}${req.url}`).update(body).digest();
    const given = Buffer.from(String(req.headers['x-app-access-sig']), 'hex');
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Refusal(401, 'Request signature mismatch');
  }

  function route(request: string, query: URLSearchParams, body: Record<string, unknown> | undefined): Answer {
    if (request === 'POST /resources/applicants') return create(query.get('levelName'), body);
    if (request === 'POST /resources/accessTokens/sdk') return mintToken(body);
    const [, externalUserId] = /^GET \/resources\/applicants\/-;externalUserId=([^/]+)\/one$/.exec(request) ?? [];
    if (externalUserId !== undefined)
      return { status: 200, body: toWire(readable(vendor.applicantOf(decodeURIComponent(externalUserId)))) };
    const [, method, id = '', what] =
      /^(GET|POST) \/resources\/applicants\/([0-9a-f]{24})\/(one|status|reset|requiredIdDocsStatus)$/.exec(request) ?? [];
    if (method === 'GET' && what === 'one') return { status: 200, body: toWire(readable(applicants.get(id))) };
    if (method === 'GET' && what === 'status') return { status: 200, body: statusOf(readable(applicants.get(id))) };
    if (method === 'GET' && what === 'requiredIdDocsStatus') return { status: 200, body: readable(applicants.get(id)).steps };
    if (method !== 'POST' || what !== 'reset') throw new Refusal(404, 'Not found');
    const applicant = readable(applicants.get(id));
    applicant.review = { reviewStatus: 'init' };
    applicant.resets += 1;
    return { status: 200, body: { ok: 1 } };
  }

  function create(levelName: string | null, body: Record<string, unknown> | undefined): Answer {
    refuseLevel(levelName);
    const { externalUserId, email, fixedInfo = {} } = body ?? {};
    if (typeof externalUserId !== 'string' || externalUserId === '') throw new Refusal(400, 'externalUserId is required');
    checkFixedInfo(fixedInfo);
    const present = vendor.applicantOf(externalUserId);
    if (present) {
      throw new Refusal(409, `Applicant with external user id '${externalUserId}' already exists: ${present.id}`);
    }
    const applicant = vendor.plantApplicant(externalUserId, {
      levelName: levelName ?? '',
      email: typeof email === 'string' ? email : null,
      fixedInfo: fixedInfo as Record<string, unknown>,
    });
    return { status: 201, body: toWire(applicant) };
  }

  function mintToken(body: Record<string, unknown> | undefined): Answer {
    const { userId, levelName, ttlInSecs } = body ?? {};
    refuseLevel(levelName);
    if (typeof userId !== 'string') throw new Refusal(400, 'userId is required');
    if (!Number.isInteger(ttlInSecs)) throw new Refusal(400, 'ttlInSecs must be a number');
    const token = `_act-sbx-jwt-${randomBytes(24).toString('base64url')}`;
    vendor.tokens.push(token);
    return { status: 200, body: { token, userId } };
  }

  function refuseLevel(levelName: unknown): void {
    if (levelName !== account.levelName) throw new Refusal(404, `Level '${String(levelName)}' not found`);
  }
}

function readable(applicant: FakeApplicant | undefined): FakeApplicant {
  if (applicant?.readable !== true) throw new Refusal(404, 'Applicant not found');
  return applicant;
}

function checkFixedInfo(fixedInfo: unknown): void {
  if (typeof fixedInfo !== 'object' || fixedInfo === null) throw new Refusal(400, 'fixedInfo is not an object');
  for (const [key, value] of Object.entries(fixedInfo)) {
    if (!FIXED_INFO_KEYS.has(key)) throw new Refusal(400, `Unrecognized field "${key}"`);
    if (typeof value !== 'string' || value === '') throw new Refusal(400, `Invalid ${key}`);
    if (key === 'dob' && !/^\d{4}-\d\d-\d\d$/.test(value)) throw new Refusal(400, 'Invalid dob');
    if (key === 'country' && !/^[A-Z]{3}$/.test(value)) throw new Refusal(400, 'Invalid country');
  }
}

function jsonOf(req: IncomingMessage, body: Buffer): Record<string, unknown> {
  if (req.headers['content-type'] !== 'application/json') throw new Refusal(415, 'Unsupported media type');
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    throw new Refusal(400, 'Malformed JSON');
  }
}

/** Many keys come as null, as the real one's do. */
function toWire({ id, externalUserId, email, fixedInfo, info, levelName, review }: FakeApplicant): unknown {
  return {
    id,
    createdAt: '2026-11-20 10:00:00',
    clientId: 'fake',
    inspectionId: id.toUpperCase(),
    externalUserId,
    email,
    fixedInfo,
    info,
    review: { reviewId: 'r', attemptId: 'a', attemptCnt: 0, levelName, ...review },
    type: 'individual',
  };
}

function statusOf({ levelName, review }: FakeApplicant): unknown {
  return {
    reviewId: 'r',
    attemptId: 'a',
    attemptCnt: 0,
    levelName,
    createDate: null,
    reviewDate: null,
    reviewResult: null,
    ...review,
  };
}

function errorOf(code: number, description: string): unknown {
  return { code, description, correlationId: `req-${randomBytes(8).toString('hex')}` };
}

function send(res: ServerResponse, { status, body }: Answer, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
