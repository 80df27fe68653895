/**
 * The examples of the document: answers are made anew by real requests and must look as the committed ones do.
 * `UPDATE_EXAMPLES=1 npx vitest run test/contract/exchanges.test.ts` writes them; what takes more than a request or two is
 * taken from the calls of all tests by tools/harvest-examples.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { house } from '../../src/features.ts';
import { errorsOf } from '../../src/house/house.ts';
import { errorCodesOf } from '../../src/http/document/error-answers.ts';
import type { Operation } from '../../src/http/operation.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { type ExamplesOfFeature, readExamples, writeExamples } from '../support/exchanges/examples-file.ts';
import { type Recorded, recordMatrix, recordRows } from '../support/exchanges/record.ts';
import { plantWorld, type World } from '../support/matrix/matrix-world.ts';
import { checkerOf, type SchemaChecker } from '../support/openapi/openapi-ajv.ts';
import type { OpenApiDocument } from '../support/openapi/openapi-document.ts';

/** What an answer may weigh, for the document is read whole. */
const LARGEST_BYTES = 4_000;

/** They need a second pair of hands, a provider, a vendor's signature or an authenticator app, or what is made once a year. */
const GIVEN = [
  'recordClick 200',
  'publishCommissionPlan 202',
  'createExchangeRate 202',
  'recordManualCommission 202',
  'createRateOverride 202',
  'getMe 200',
  'receiveKycEvent 200',
  'createPayoutRun 200',
  'receivePaymentEvent 200',
  'getTaxDocumentPdf 200',
  'getTaxDocumentCsv 200',
  'createAuthProvider 202',
  'updateAuthProvider 202',
  'exchangeToken 200',
  'updateStaffMember 202',
  'confirmAuthenticator 200',
  'removeAuthenticator 200',
  'updateSettings 202',
];

/** The same of refusals: a vendor that fails, a race, a limit that others raise, people's factors. */
const GIVEN_CODES = [
  'ACCOUNT_LINK_REQUIRED',
  'BODY_TOO_LARGE',
  'CHANGE_PENDING',
  'EVENTS_FORGOTTEN',
  'FACTOR_REFUSED',
  'INTERNAL_ERROR',
  'INVALID_SIGNATURE',
  'IP_NOT_ALLOWED',
  'LAST_FACTOR',
  'LAST_OWNER',
  'LIMIT_REACHED',
  'PAYOUTS_FROZEN',
  'PROVIDER_CONFIGURATION',
  'PROVIDER_UNAVAILABLE',
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'SECOND_PERSON_REQUIRED',
  'SERVICE_UNAVAILABLE',
  'STAFF_EXISTS',
  'STEP_UP_REQUIRED',
  'TOO_MANY_EVENTS',
  'USER_NOT_PROVISIONED',
  'WRONG_PASSWORD',
];

let world: World;
let recorded: Recorded[];
let document: OpenApiDocument;
let checker: SchemaChecker;
let operations: readonly Operation[];
const examples = new Map<string, ExamplesOfFeature>();

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
  recorded = [...(await recordMatrix(world)), ...(await recordRows(world))];
  const { app } = world.app.composition;
  operations = app.operations;
  const update = process.env['UPDATE_EXAMPLES'] !== undefined;
  const refused = new Map(
    recorded.flatMap(({ operationId, code }) => (code === undefined ? [] : [[code, operationId] as const])),
  );
  for (const { feature, operations: own } of app.features) {
    const known = readExamples(feature);
    if (update) writeExamples(feature, withRecorded(withoutOthers(known, refused), own));
    examples.set(feature, update ? readExamples(feature) : known);
  }
  document = (await world.app.http.get('/api/v1/openapi.json')).body as OpenApiDocument;
  checker = checkerOf(document);
});
afterAll(() => world.app.close());

function withRecorded(known: ExamplesOfFeature, own: readonly Operation[]): ExamplesOfFeature {
  const result: ExamplesOfFeature = { ...known };
  for (const { operationId, status, code, exchange } of recorded) {
    if (!own.some((operation) => operation.operationId === operationId)) continue;
    const before = result[operationId] ?? {};
    if (code !== undefined) {
      result[operationId] = { ...before, refusals: { ...before.refusals, [code]: exchange.answer as never } };
    } else {
      const first = own.find((operation) => operation.operationId === operationId)?.success[0]?.status === status;
      const request = first || before.request === undefined ? exchange.request : before.request;
      result[operationId] = { ...before, request, answers: { ...before.answers, [String(status)]: exchange.answer } };
    }
  }
  return result;
}

/** A code has one example, and what is made here comes before what other tests have given. */
function withoutOthers(known: ExamplesOfFeature, refused: ReadonlyMap<string, string>): ExamplesOfFeature {
  return Object.fromEntries(
    Object.entries(known).map(([operationId, { refusals = {}, ...rest }]) => {
      const kept = Object.entries(refusals).filter(([code]) => (refused.get(code) ?? operationId) === operationId);
      return [operationId, { ...rest, ...(kept.length > 0 && { refusals: Object.fromEntries(kept) }) }];
    }),
  );
}

const all = (): ExamplesOfFeature => Object.assign({}, ...examples.values()) as ExamplesOfFeature;

/** What a value looks like: its fields and their kinds, not what varies from run to run. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

test('each answer that is made here looks as its example does', () => {
  const now = withRecorded({}, operations);
  for (const [operationId, { answers = {}, request, refusals = {} }] of Object.entries(now)) {
    const example = all()[operationId];
    if (request !== undefined) expect(shapeOf(example?.request), operationId).toEqual(shapeOf(request));
    // What a refusal says stands in no schema: its words are compared, too.
    for (const [code, answer] of Object.entries(refusals)) expect(example?.refusals?.[code], code).toEqual(answer);
    for (const [status, answer] of Object.entries(answers)) {
      expect(shapeOf(example?.answers?.[status]), `${operationId} ${status}`).toEqual(shapeOf(answer));
    }
  }
});

test('all answers are made here but these, which the calls of other tests have given', () => {
  const made = new Set(recorded.map(({ operationId, status }) => `${operationId} ${status}`));
  const successes = operations.flatMap(({ operationId, success }) => success.map(({ status }) => `${operationId} ${status}`));
  expect(successes.filter((one) => !made.has(one))).toEqual(GIVEN);
  const refused = new Set(recorded.map(({ code }) => code));
  const codes = Object.values(all()).flatMap(({ refusals = {} }) => Object.keys(refusals));
  expect(codes.filter((code) => !refused.has(code)).toSorted()).toEqual(GIVEN_CODES);
});

test('every success of every operation has an example, which is no larger than a reader wants', () => {
  const missing = operations.flatMap(({ operationId, success }) =>
    success
      .filter(({ status }) => all()[operationId]?.answers?.[status] === undefined)
      .map(({ status }) => `${operationId} ${status}`),
  );
  expect(missing).toEqual([]);
  for (const [operationId, { answers = {} }] of Object.entries(all())) {
    for (const answer of Object.values(answers)) expect(JSON.stringify(answer).length, operationId).toBeLessThan(LARGEST_BYTES);
  }
});

describe('in the document', () => {
  test('every example of an answer and of a request is as its schema wants it', () => {
    for (const [route, item] of Object.entries(document.paths)) {
      for (const [method, { operationId, responses, requestBody }] of Object.entries(item)) {
        for (const [status, { content = {} }] of Object.entries(responses)) {
          const { example } = (content['application/json'] ?? {}) as { example?: unknown };
          if (example === undefined) continue;
          const valid = checker.at('paths', route, method, 'responses', status, 'content', 'application/json', 'schema');
          expect(valid(example) ? [] : valid.errors, `${operationId} ${status}`).toEqual([]);
        }
        const { example } = (requestBody?.content['application/json'] ?? {}) as { example?: unknown };
        if (example === undefined) continue;
        const valid = checker.at('paths', route, method, 'requestBody', 'content', 'application/json', 'schema');
        expect(valid(example) ? [] : valid.errors, operationId).toEqual([]);
      }
    }
  });

  test('every code that an operation can answer has the example of a real refusal', () => {
    const errors = errorsOf(house);
    const answered = new Set(operations.flatMap((operation) => errorCodesOf(operation, errors)));
    // The document shows the first of each code, which the map is to hold.
    const refused = new Map(
      Object.values(all())
        .flatMap(({ refusals = {} }) => Object.entries(refusals))
        .toReversed(),
    );
    expect([...answered].filter((code) => !refused.has(code))).toEqual([]);
    for (const [code, { value }] of Object.entries(document.components.examples)) expect(value, code).toEqual(refused.get(code));
    for (const [operationId, { refusals = {} }] of Object.entries(all())) {
      const operation = operations.find((one) => one.operationId === operationId);
      const own = operation ? errorCodesOf(operation, errors) : [];
      expect(
        Object.keys(refusals).filter((code) => !own.includes(code)),
        operationId,
      ).toEqual([]);
    }
  });
});

test('no example holds a secret that works', () => {
  const text = JSON.stringify(all());
  for (const { key } of world.sides) expect(text).not.toContain(key);
  expect(text).not.toMatch(/canary[0-9a-f]{6}/i);
});
