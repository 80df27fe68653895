/**
 * Fuzzes every operation with requests made from our own document: half of them as it allows, half
 * with one thing wrong. `FUZZ_RUNS=10000 npx vitest run test/contract/openapi-fuzz.test.ts` for more.
 * Source: docs/specification/reliability.md#fuzz.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallAnswer, call } from '../support/app/http-call.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { bodyWith } from '../support/hostile/hostile-run.ts';
import { hostileJson, hostileParameters } from '../support/hostile/hostile-values.ts';
import { matrixRows, sideOf, worldOf } from '../support/matrix/matrix-rows.ts';
import { findLeak, plantWorld, type Side, type World } from '../support/matrix/matrix-world.ts';
import { plantSeeds } from '../support/openapi/feature-seeds.ts';
import { checkerOf, type SchemaChecker } from '../support/openapi/openapi-ajv.ts';
import {
  bodySchemaOf,
  type FoundOperation,
  type JsonSchema,
  listOperations,
  listRequestFields,
  type OpenApiDocument,
} from '../support/openapi/openapi-document.ts';
import { type Seeds, valuesOf } from '../support/openapi/schema-arbitrary.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40);
/** How many valid requests an operation gets, beyond the runs, before none of them succeeding is a fault. */
const MOST_TRIES = 400;

let world: World;
let side: Side;
let document: OpenApiDocument;
let checker: SchemaChecker;
let seeds: Seeds;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
  const [first] = world.sides;
  if (!first) throw new Error('the world has no sides');
  side = first;
  document = (await call(world.app.baseUrl, { method: 'GET', target: '/api/v1/openapi.json' })).json as OpenApiDocument;
  checker = checkerOf(document);
  const idsOf = ({ root, child, purchase }: Side): string[] => [root.id, child.id, purchase.eventId];
  seeds = {
    named: await plantSeeds({ world, side, runs: RUNS }),
    ids: [...world.sides.flatMap(idsOf), ...Array.from({ length: 6 }, () => idsOf(side)).flat()],
    memberIds: [
      ...world.sides.map(({ root }) => root.id),
      ...Array.from({ length: 6 }, () => [side.root.id, side.child.id]).flat(),
      // Whom an operation of the SANDBOX alone finds.
      ...Array.from({ length: 6 }, () => world.sides.find(({ environment }) => environment === 'SANDBOX')?.grandchild.id ?? ''),
    ],
    payeeIds: [...world.sides.map(({ payee }) => payee.id), ...Array.from({ length: 12 }, () => side.payee.id)],
    addresses: [world.app.issuer.issuerUrl],
    emails: [side.root.email, side.child.email, side.root.email.toUpperCase()],
    codes: [side.root.referralCode, side.root.referralCode.toLowerCase()],
    cursors: world.sides.map(({ cursor }) => cursor),
    tokens: world.sides.map(({ spareRefreshToken }) => spareRefreshToken),
  };
});
afterAll(() => world.app.close());

/** Where an operation is tried. */
interface Ground {
  world: World;
  side: Side;
}

interface FuzzRequest {
  target: string;
  /** JSON text. */
  body: string | undefined;
  idempotencyKey: string | undefined;
  /** What was done to it; undefined when it is as the document allows. */
  mutation: string | undefined;
}

/** Requests as the document allows them. */
function validRequests({ path, operation }: FoundOperation): fc.Arbitrary<FuzzRequest> {
  const named = path.includes('/payout-accounts') ? { ...seeds, memberIds: seeds.payeeIds } : seeds;
  const parametersIn = (place: string) => (operation.parameters ?? []).filter((parameter) => parameter.in === place);
  const recordOf = (place: string) => {
    const parameters = parametersIn(place);
    const model = Object.fromEntries(
      parameters.map(({ name, schema }) => [name, valuesOf(document, schema, named, name).map(String)]),
    );
    return fc.record(model, { requiredKeys: parameters.filter(({ required }) => required === true).map(({ name }) => name) });
  };
  const schema = bodySchemaOf(operation);
  return fc
    .record({
      path: recordOf('path'),
      query: seldomWithCursor(recordOf('query')),
      body: bodies(operation, schema),
      idempotencyKey: operation.requestBody
        ? fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, fc.constantFrom('k1', 'k2', 'k3')) // a key used again is mostly a 422
        : fc.constant(undefined),
    })
    .map(({ path: values, query, body, idempotencyKey }) => ({
      target: targetWith(path, values, new URLSearchParams(query as Record<string, string>).toString()),
      body: body === undefined ? undefined : JSON.stringify(body),
      idempotencyKey,
      mutation: undefined,
    }));
}

function bodies(
  { operationId, requestBody }: FoundOperation['operation'],
  schema: JsonSchema | undefined,
): fc.Arbitrary<unknown> {
  if (!schema) return fc.constant(undefined);
  // What an example names may exist once only: it is sent where it is taken back each time.
  const restores = matrixRows[operationId]?.restore !== undefined;
  const random = valuesOf(document, schema, seeds, '', restores ? 1 : 0);
  const example = (requestBody?.content['application/json'] as { example?: unknown } | undefined)?.example;
  const present = restores && example !== undefined ? fc.oneof({ weight: 4, arbitrary: random }, fc.constant(example)) : random;
  return requestBody?.required !== false ? present : fc.option(present, { nil: undefined });
}

/** A cursor is good for one list with the same filters only, so with one there are few successes. */
function seldomWithCursor(queries: fc.Arbitrary<Partial<Record<string, string>>>): fc.Arbitrary<Partial<Record<string, string>>> {
  return fc
    .tuple(queries, fc.nat(2))
    .map(([{ cursor, ...rest }, dice]) => (cursor === undefined || dice > 0 ? rest : { ...rest, cursor }));
}

function targetWith(path: string, values: Partial<Record<string, string>>, query: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''));
  return query === '' ? filled : `${filled}?${query}`;
}

/** The same with one thing wrong, or at least hostile: a field, a parameter, a missing or an unknown one. */
function mutatedRequests(found: FoundOperation): fc.Arbitrary<FuzzRequest> {
  const fields = listRequestFields(document, found.operation);
  const schema = bodySchemaOf(found.operation);
  const inBody = fields
    .filter(({ path }) => path.startsWith('body.'))
    .flatMap((field) => hostileJson(field.schema).map((value) => ({ field, value })));
  const inQuery = fields
    .filter(({ path }) => path.startsWith('query.'))
    .flatMap((field) => hostileParameters(field.schema).map((value) => ({ field, value })));
  const mutations: ((request: FuzzRequest) => FuzzRequest)[] = [
    (request) => ({ ...request, target: `${request.target}${mark(request.target)}stranger=1`, mutation: 'an unknown parameter' }),
    ...inQuery.map(({ field, value }) => (request: FuzzRequest) => {
      const target = without(request.target, field.path.slice(6));
      return {
        ...request,
        target: `${target}${mark(target)}${field.path.slice(6)}=${value.encoded}`,
        mutation: `${field.path}, ${value.label}`,
      };
    }),
    ...(schema?.required ?? []).map((name) => (request: FuzzRequest) => {
      const { [name]: _gone, ...rest } = JSON.parse(request.body ?? '{}') as Record<string, unknown>;
      return { ...request, body: JSON.stringify(rest), mutation: `without ${name}` };
    }),
    ...(schema ? inBody : []).map(({ field, value }) => (request: FuzzRequest) => ({
      ...request,
      body: bodyWith(document, schema ?? {}, JSON.parse(request.body ?? '{}'), field.path.split('.').slice(1), value.json),
      mutation: `${field.path}, ${value.label}`,
    })),
  ];
  return fc
    .tuple(validRequests(found), fc.nat(mutations.length - 1))
    .map(([request, index]) => mutations[index]?.(request) ?? request);
}

const mark = (target: string): string => (target.includes('?') ? '&' : '?');

function without(target: string, name: string): string {
  const [path = '', query = ''] = target.split('?');
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

/** Without its parameters. */
function typeOf(headers: Headers): string {
  return headers.get('content-type')?.split(';')[0] ?? '';
}

async function send({ world, side }: Ground, { method }: FoundOperation, request: FuzzRequest): Promise<CallAnswer> {
  const answer = await fetch(world.app.baseUrl + request.target, {
    method: method.toUpperCase(),
    headers: {
      'x-tenant-api-key': side.key,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
    },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const text = await answer.text();
  const isJson = typeOf(answer.headers) === 'application/json';
  return { status: answer.status, headers: answer.headers, text, json: isJson ? (JSON.parse(text) as unknown) : text };
}

/** Whether the document itself forbids the body. */
function isForbidden({ method, path, operation }: FoundOperation, body: string | undefined): boolean {
  if (body === undefined || !bodySchemaOf(operation)) return false;
  const allows = checker.at('paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
  return !allows(JSON.parse(body));
}

/** The bodies that were sent, by operation. */
const said = new Map<string, string[]>();

/** Fails unless the answer is one that the document promises. */
async function judge(ground: Ground, found: FoundOperation, request: FuzzRequest): Promise<number> {
  const { method, path, operation } = found;
  said.set(operation.operationId, [...(said.get(operation.operationId) ?? []), request.body ?? '']);
  const shown = matrixRows[operation.operationId]?.showsRequestsOf ?? [];
  const saidBefore = shown.flatMap((id) => said.get(id) ?? []).join('\n');
  const { world, side } = ground;
  const answer = await send(ground, found, request);
  const seen = `${request.mutation ?? 'as documented'}: ${answer.status} ${answer.text.slice(0, 400)}`;
  expect(answer.status, seen).toBeLessThan(500);
  expect(Object.keys(operation.responses), seen).toContain(String(answer.status));
  const type = typeOf(answer.headers);
  const promised = checker.at('paths', path, method, 'responses', String(answer.status), 'content', type, 'schema');
  expect(promised(answer.json) ? [] : promised.errors, seen).toEqual([]);
  expect(answer.headers.get('x-environment')).toBe(side.environment);
  expect(
    findLeak(
      world,
      side,
      decodeURI(request.target.replaceAll(/%(?![2-7][0-9A-F])/gi, '%25')) + (request.body ?? '') + saidBefore,
      answer.text,
    ),
    seen,
  ).toBeUndefined();
  if (isForbidden(found, request.body)) expect(answer.status, `the document forbids it: ${seen}`).toBe(400);
  return answer.status;
}

describe.each(Object.entries(matrixRows).filter(([, row]) => row.people !== true))('%s', (operationId, row) => {
  test('answers as documented', { timeout: 300_000 + RUNS * 500 }, async () => {
    const found = listOperations(document).find(({ operation }) => operation.operationId === operationId);
    if (!found) throw new Error(`the document has no ${operationId}`);
    const arena = await worldOf(row, world);
    const ground = { world: arena, side: sideOf(row, arena) };
    const statuses: number[] = [];
    const tryOne = async (request: FuzzRequest): Promise<void> => {
      await row.restore?.(ground.world, ground.side);
      statuses.push(await judge(ground, found, request));
    };
    const wasSuccess = (): boolean => statuses.some((status) => status < 300);
    await fc.assert(fc.asyncProperty(fc.oneof({ weight: 2, arbitrary: validRequests(found) }, mutatedRequests(found)), tryOne), {
      numRuns: RUNS,
    });
    // What is called without a key, or needs a bearer token, cannot succeed here.
    if (row.open || row.neverByChance || row.status >= 300) return;
    // A few dozen runs may all miss by chance, a few hundred of the valid ones do not.
    for (let tries = 0; !wasSuccess() && tries < MOST_TRIES; tries += 1)
      for (const request of fc.sample(validRequests(found), 1)) await tryOne(request);
    expect(wasSuccess(), 'the fuzzer must get past the validation now and then').toBe(true);
  });
});
