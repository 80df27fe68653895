/** The OpenAPI document: whole, consistent with itself and the code, and true to the service description. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { house } from '../../src/features.ts';
import { errorsOf } from '../../src/house/house.ts';
import { errorCodesOf } from '../../src/http/document/error-answers.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { checkerOf } from '../support/openapi/openapi-ajv.ts';
import {
  type FoundOperation,
  type JsonSchema,
  listOperations,
  type OpenApiDocument,
  resolve,
  withoutNull,
} from '../support/openapi/openapi-document.ts';

const ERROR_CODES = errorsOf(house);

/** What operations without a key go by. */
const OPEN_HEADERS: Record<string, string[]> = {
  exchangeToken: ['X-Tenant-ID'],
  receiveKycEvent: ['x-payload-digest', 'x-payload-digest-alg'],
  receivePaymentEvent: ['payvendor-signature'],
};

let app: TestApp;
let document: OpenApiDocument & { security: object[]; components: { securitySchemes: object } };
let operations: FoundOperation[];

beforeAll(async () => {
  app = await startTestApp();
  const answer = await app.http.get('/api/v1/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['x-environment']).toBe('LIVE');
  document = answer.body as typeof document;
  operations = listOperations(document);
});
afterAll(() => app.close());

interface FoundSchema {
  /** The way to it from the root of the document. */
  steps: string[];
  schema: JsonSchema;
}

const SCHEMA_STEPS = new Set(['schema', 'items', 'additionalProperties']);
const SCHEMA_PARENTS = new Set(['schemas', 'properties', 'anyOf', 'oneOf', 'allOf']);

function* schemasOf(value: unknown, steps: string[]): Generator<FoundSchema> {
  if (typeof value !== 'object' || value === null) return;
  const isSchema = SCHEMA_STEPS.has(steps.at(-1) ?? '') || SCHEMA_PARENTS.has(steps.at(-2) ?? '');
  if (isSchema && !Array.isArray(value)) yield { steps, schema: value };
  for (const [key, inner] of Object.entries(value)) yield* schemasOf(inner, [...steps, key]);
}

function* refsOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string') yield inner;
    else yield* refsOf(inner);
  }
}

describe('the document', () => {
  test('is OpenAPI 3.1 with a key on every operation, save those that need none', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.security).toEqual([{ tenantApiKey: [] }]);
    expect(document.components.securitySchemes).toMatchObject({
      tenantApiKey: { type: 'apiKey', in: 'header', name: 'x-tenant-api-key' },
      memberToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      staffSession: { type: 'apiKey', in: 'cookie', name: '__Host-mcr' },
    });
  });

  test('has every mounted operation and no other', () => {
    const mounted = app.composition.app.operations.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`);
    expect(operations.map(({ operation, method, path }) => `${operation.operationId} ${method} ${path}`).toSorted()).toEqual(
      [...mounted].toSorted(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  test('has paths below /api/v1 whose parameters are declared, and no others', () => {
    for (const { path, operation } of operations) {
      expect(path).toMatch(/^\/api\/v1\//);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(
        declared.map(({ name }) => name),
        path,
      ).toEqual(inPath);
      expect(
        declared.every(({ required }) => required === true),
        path,
      ).toBe(true);
    }
  });

  test('resolves each of its references', () => {
    const refs = [...new Set(refsOf(document))];
    expect(refs.length).toBeGreaterThan(5);
    const at = (ref: string): unknown =>
      ref
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([]);
  });

  test('has schemas that compile', () => {
    const checker = checkerOf(document);
    const found = [...schemasOf(document, [])];
    expect(found.length).toBeGreaterThan(100);
    for (const { steps } of found) expect(() => checker.at(...steps), steps.join(' > ')).not.toThrow();
  });

  test('has no schema that contradicts itself', () => {
    const faults = [...schemasOf(document, [])].flatMap(({ steps, schema }) =>
      contradictionsOf(schema).map((fault) => `${steps.join(' > ')}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});

const KEYWORDS: Record<string, string> = {
  pattern: 'string',
  format: 'string',
  minLength: 'string',
  maxLength: 'string',
  minimum: 'number',
  maximum: 'number',
  items: 'array',
  maxItems: 'array',
  properties: 'object',
};

/** Enum values that the type forbids, and keywords that say nothing about the type. */
function contradictionsOf(schema: JsonSchema): string[] {
  if (schema.type === undefined) return [];
  const types = [schema.type].flat().map((type) => (type === 'integer' ? 'number' : type));
  const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
  const strangers = (schema.enum ?? []).filter((value) => !types.includes(typeOf(value)));
  const idle = Object.keys(KEYWORDS).filter((keyword) => keyword in schema && !types.includes(KEYWORDS[keyword] ?? ''));
  return [
    ...strangers.map((value) => `enum has ${JSON.stringify(value)}, type is ${types.join(' or ')}`),
    ...idle.map((keyword) => `${keyword} means nothing for ${types.join(' or ')}`),
  ];
}

/** Their answers are secrets: tokens and signed addresses. */
const WITHOUT_STORED_ANSWER = [
  'refreshTokens',
  'startKyc',
  'createKycUpload',
  'createExportDownloadUrl',
  'createEventSnapshotDownloadUrl',
  'changeOwnPassword',
  'endOwnSessions',
  'askForPasskey',
  'beginAuthenticator',
  'createWidgetToken',
  'refreshWidgetToken',
];

describe('each operation', () => {
  test('documents its successes and every error it can answer, with ErrorResponse', () => {
    for (const { operation } of operations) {
      const code = app.composition.app.operations.find(({ operationId }) => operationId === operation.operationId);
      if (!code) throw new Error(`no operation ${operation.operationId}`);
      const statuses = new Set([
        ...code.success.map(({ status }) => status),
        ...errorCodesOf(code, ERROR_CODES).map((error) => ERROR_CODES[error]?.status),
      ]);
      expect(new Set(Object.keys(operation.responses).map(Number)), operation.operationId).toEqual(statuses);
      for (const always of ['400', '401', '403', '429', '500', '503']) expect(Object.keys(operation.responses)).toContain(always);
      for (const [status, response] of Object.entries(operation.responses)) {
        const type = Number(status) < 400 ? (code.produces ?? 'application/json') : 'application/json';
        const schema = response.content?.[type]?.schema;
        expect(schema, `${operation.operationId} ${status}`).toBeDefined();
        if (Number(status) >= 400) expect(schema).toEqual({ $ref: '#/components/schemas/ErrorResponse' });
        expect(Object.keys(response.headers ?? {}), `${operation.operationId} ${status}`).toContain('X-Environment');
      }
      for (const error of errorCodesOf(code, ERROR_CODES)) {
        expect(operation.responses[String(ERROR_CODES[error]?.status)]?.description, error).toContain(`\`${error}\``);
      }
    }
  });

  test('that writes takes an Idempotency-Key, hands out secrets anew, or says by which headers it goes without a key', () => {
    for (const { method, operation } of operations) {
      const names = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header').map(({ name }) => name);
      const open = operation.security?.length === 0;
      const repeated = method === 'get' || WITHOUT_STORED_ANSWER.includes(operation.operationId) ? [] : ['Idempotency-Key'];
      expect(names, operation.operationId).toEqual(open ? OPEN_HEADERS[operation.operationId] : repeated);
    }
  });

  test('takes strict bodies and says so, save for what vendors send', () => {
    for (const { operation } of operations.filter(({ path }) => !path.startsWith('/api/v1/webhooks/'))) {
      const body = operation.requestBody?.content['application/json']?.schema;
      if (!body) continue;
      const whole = resolve(document, body);
      // One of several, or the one there is.
      for (const one of whole.oneOf ?? whole.anyOf ?? [whole]) {
        expect(resolve(document, one).additionalProperties, operation.operationId).toBe(false);
      }
    }
  });

  test('GET /users/status documents its errors', () => {
    const status = operations.find(({ path, method }) => path === '/api/v1/users/status' && method === 'get');
    expect(Object.keys(status?.operation.responses ?? {})).toEqual(expect.arrayContaining(['200', '400', '401', '404', '500']));
  });
});

/**
 * Field names and types of the described resources (docs/specification/conventions.md#described-fields); `?`
 * marks what may be null.
 */
/** A sum past the limit of amounts is null, with its digits beside it (docs/specification/conventions.md#sums). */
const SUM = 'number?';

const DESCRIBED: Record<string, Record<string, string>> = {
  Member: {
    id: 'uuid',
    tenant_id: 'uuid',
    email: 'email',
    membership_tier: 'MembershipTier',
    parent_id: 'uuid?',
    is_active: 'boolean',
    can_recruit: 'boolean',
    is_test_user: 'boolean',
    created_at: 'date-time',
    updated_at: 'date-time',
  },
  UserStatusResponse: {
    user_id: 'uuid',
    email: 'email',
    membership_tier: 'MembershipTier',
    is_active: 'boolean',
    can_recruit: 'boolean',
    'commission_balance.pending': SUM,
    'commission_balance.cleared': SUM,
    'commission_balance.paid': SUM,
    'commission_balance.total': SUM,
    currency: 'Currency',
  },
  TokenPair: { accessToken: 'string', refreshToken: 'string', expiresIn: 'integer' },
  Lead: {
    id: 'uuid',
    email: 'email',
    name: 'string?',
    referrer_user_id: 'uuid?',
    conversion_status: 'LeadStatus',
    created_at: 'date-time',
  },
  MemberProfile: {
    id: 'uuid',
    name: 'string?',
    givenName: 'string?',
    surname: 'string?',
    dateOfBirth: 'date?',
    idNumber: 'string?',
    email: 'email',
    countryCode: 'string?',
    address: 'object?',
    createdAt: 'date-time',
    updatedAt: 'date-time',
  },
  Address: {
    countryCode: 'string?',
    addressLine1: 'string?',
    addressLine2: 'string?',
    city: 'string?',
    state: 'string?',
    postalCode: 'string?',
    district: 'string?',
    neighborhood: 'string?',
    addressType: 'string?',
  },
  CommissionBreakdown: {
    totalAmount: SUM,
    'bySource.sales': SUM,
    'bySource.subscription': SUM,
    'bySource.manual': SUM,
    'byStatus.pending': SUM,
    'byStatus.cleared': SUM,
    'byStatus.processing': SUM,
    'byStatus.paid': SUM,
    'byLevel.level': 'integer',
    'byLevel.amount': SUM,
    'byLevel.count': 'integer',
    'byLevel.percentage': 'number',
    'trend.period': 'string',
    'trend.amount': SUM,
    'trend.count': 'integer',
  },
  ReferralStatistics: {
    totalReferrals: 'integer',
    directReferrals: 'integer',
    referralsThisMonth: 'integer',
    conversionRate: 'number',
    totalCommissionFromReferrals: SUM,
    'topPerformers.userId': 'uuid',
    'topPerformers.email': 'email?',
    'topPerformers.name': 'string?',
    'topPerformers.givenName': 'string?',
    'topPerformers.surname': 'string?',
    'topPerformers.referralCount': 'integer',
    'topPerformers.commissionGenerated': SUM,
  },
  TaxSummary: {
    year: 'integer',
    totalPaid: SUM,
    totalPending: SUM,
    taxDocumentsAvailable: 'boolean',
    'monthlyBreakdown.month': 'integer',
    'monthlyBreakdown.amount': SUM,
    'monthlyBreakdown.transactionCount': 'integer',
  },
};

describe('each described resource keeps its fields', () => {
  test.each(Object.entries(DESCRIBED))('%s', (name, fields) => {
    for (const [path, type] of Object.entries(fields)) {
      const found = fieldAt(name, path.split('.'));
      expect(found, `${name}.${path}`).toBeDefined();
      expect(found && describeType(found), `${name}.${path}`).toBe(type);
    }
  });

  test('MembershipTier', () => {
    expect(document.components.schemas['MembershipTier']?.enum).toEqual(['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR']);
  });

  test('ErrorResponse', () => {
    const schema = document.components.schemas['ErrorResponse'];
    expect(Object.keys(schema?.properties ?? {})).toEqual(['error', 'code', 'details']);
    expect(schema?.required).toContain('error');
    expect(schema?.properties?.['code']?.enum).toEqual(Object.keys(ERROR_CODES));
  });
});

/** The schema of a required field, through objects and the items of arrays. */
function fieldAt(component: string, path: string[]): JsonSchema | undefined {
  let schema: JsonSchema | undefined = document.components.schemas[component];
  for (const step of path) {
    const known: JsonSchema = resolve(document, schema ?? {});
    const object: JsonSchema = known.items ? resolve(document, known.items) : known;
    if (object.required?.includes(step) !== true) return undefined;
    schema = object.properties?.[step];
  }
  return schema;
}

function describeType(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  const isNullable = [schema.type].flat().includes('null') || schema.anyOf?.some((option) => option.type === 'null') === true;
  const { format, type } = withoutNull(document, schema);
  return `${format ?? String(type)}${isNullable ? '?' : ''}`;
}
