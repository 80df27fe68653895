/** The hostile-input suite, made from our own OpenAPI document. Source: docs/specification/reliability.md#hostile-input. */
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../app/http-call.ts';
import type { MatrixRow } from '../matrix/matrix-row.ts';
import { matrixRows, sideOf, worldOf } from '../matrix/matrix-rows.ts';
import type { Side, World } from '../matrix/matrix-world.ts';
import {
  bodySchemaOf,
  type FoundOperation,
  listOperations,
  listRequestFields,
  type OpenApiDocument,
} from '../openapi/openapi-document.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { bodyDeeds, fieldDeeds, type PersonSuite, parameterDeeds, tryAsOwner } from './hostile-people.ts';
import { bodyWith, findLogFaults, type HostileRequest, keyedHeaders, targetOf, tryHostile } from './hostile-run.ts';
import { hostileJson, hostileParameters } from './hostile-values.ts';

interface Suite {
  world: World;
  side: Side;
  document: OpenApiDocument;
}

/** `only` names the operations to try; all of them when it is left out. */
export function describeHostileInput(world: () => World, only?: readonly string[]): void {
  const rows = Object.entries(matrixRows).filter(([operationId]) => only?.includes(operationId) ?? true);
  const byRequest = rows.filter(([, { people }]) => people !== true);
  const byPeople = rows.filter(([, { people }]) => people === true);

  test.runIf(only === undefined)('every operation is tried, by request or by a person', () => {
    const tried = [...byRequest, ...byPeople].map(([operationId]) => operationId);
    const { operations } = world().app.composition.app;
    expect(tried.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
    const ofPeople = operations.filter(({ people }) => people === true).map(({ operationId }) => operationId);
    expect(byPeople.map(([operationId]) => operationId).toSorted()).toEqual(ofPeople.toSorted());
  });

  describe.each(byRequest)('%s', (operationId, row) => {
    let ground: World;
    beforeAll(async () => {
      ground = await worldOf(row, world());
    });
    const open = async (): Promise<Suite> => ({
      world: ground,
      side: sideOf(row, ground),
      document: await readDocument(ground),
    });
    test.runIf(hasBody(row))('each field of the body', async () => {
      const suite = await open();
      expect(await tryHostile(suite.world, fieldRequests(suite, findOperation(suite, operationId), row))).toEqual([]);
    });
    test.runIf(hasBody(row))('the whole body and its headers', async () => {
      const suite = await open();
      expect(await tryHostile(suite.world, bodyRequests(suite, findOperation(suite, operationId), row))).toEqual([]);
    });
    test('each parameter', async () => {
      const suite = await open();
      expect(await tryHostile(suite.world, parameterRequests(suite, findOperation(suite, operationId), row))).toEqual([]);
    });
    test('other methods', async () => {
      const suite = await open();
      const { path } = findOperation(suite, operationId);
      expect(await tryHostile(suite.world, methodRequests(suite, path, row))).toEqual([]);
    });
  });

  describe.each(byPeople)('%s, by a person', (operationId, row) => {
    let suite: PersonSuite;
    beforeAll(async () => {
      const ground = await worldOf(row, world());
      const opened = { world: ground, side: sideOf(row, ground), document: await readDocument(ground) };
      const operation = ground.app.composition.app.operations.find((candidate) => candidate.operationId === operationId);
      if (!operation) throw new Error(`no operation ${operationId}`);
      suite = { ...opened, row, operation, found: findOperation(opened, operationId) };
    });
    test.runIf(hasBody(row))('each field of the body', async () => {
      expect(await tryAsOwner(suite, fieldDeeds(suite))).toEqual([]);
    });
    test('the whole body and its key', async () => {
      expect(await tryAsOwner(suite, bodyDeeds(suite))).toEqual([]);
    });
    test('each parameter', async () => {
      const deeds = parameterDeeds(suite);
      expect(deeds.length).toBeGreaterThan(0);
      expect(await tryAsOwner(suite, deeds)).toEqual([]);
    });
    test('other methods', async () => {
      expect(await tryHostile(suite.world, methodRequests(suite, suite.found.path, row))).toEqual([]);
    });
  });

  test('the log holds one JSON object a line, no secret and no address', () => {
    expect(world().app.logLines.length).toBeGreaterThan(100);
    expect(findLogFaults(world())).toEqual([]);
  });
}

/** Whether the row sends a body, on whatever side. */
function hasBody(row: MatrixRow): boolean {
  const member = { id: '', email: '', referralCode: '' };
  const nobody: Side = {
    name: '',
    tenantId: '',
    environment: 'LIVE',
    key: '',
    root: member,
    child: member,
    grandchild: member,
    sibling: member,
    lead: { id: '', receiptId: '' },
    purchase: { eventId: '', externalEventId: '', customerExternalId: '', commissionId: '' },
    keyIds: { toRevoke: '', toRoll: '' },
    cursor: '',
    eventCursor: '',
    commissionCursor: '',
    downlineCursor: '',
    uplineCursor: '',
    planId: '',
    spareRefreshToken: '',
    sparePlanIds: [],
    authProvider: { providerId: 'idp', id: '', issuerUrl: '' },
    spareAuthProviderIds: [],
    kycReview: { kycId: '', documentId: '' },
    payee: { id: '', accountId: '', cursor: '' },
    canaries: [],
  };
  return row.request(nobody).body !== undefined;
}

async function readDocument({ app }: World): Promise<OpenApiDocument> {
  return (await call(app.baseUrl, { method: 'GET', target: '/api/v1/openapi.json' })).json as OpenApiDocument;
}

function findOperation({ document }: Suite, operationId: string): FoundOperation {
  const found = listOperations(document).find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`the document has no ${operationId}`);
  return found;
}

/**
 * Without a key nothing is told of what is wrong with a token, and an Idempotency-Key means nothing. What is
 * signed as it is sent must not be compressed.
 */
function refusalOf(row: MatrixRow): number[] {
  return row.open ? [row.status, ...(row.rawBody ? [415] : [])] : [];
}

/** What has to run before each request of a row, if anything. */
function restoring({ world, side }: Suite, { restore }: MatrixRow): (() => Promise<void>) | undefined {
  return restore && (() => restore(world, side));
}

function fieldRequests(suite: Suite, { method, path, operation }: FoundOperation, row: MatrixRow): HostileRequest[] {
  const { document, side } = suite;
  const schema = bodySchemaOf(operation);
  if (!schema) return [];
  const fields = listRequestFields(document, operation).filter((field) => field.path.startsWith('body.'));
  return fields.flatMap((field) =>
    hostileJson(field.schema).map((value) => {
      const request = row.request(side);
      return {
        label: `${field.path}, ${value.label}`,
        method: method.toUpperCase(),
        target: targetOf(path, request),
        headers: { ...keyedHeaders(side), 'content-type': 'application/json' },
        body: bodyWith(document, schema, request.body, field.path.split('.').slice(1), value.json),
        statuses: value.refused ? [400, ...refusalOf(row)] : undefined,
        before: restoring(suite, row),
      };
    }),
  );
}

function parameterRequests(
  { document, side }: Suite,
  { method, path, operation }: FoundOperation,
  row: MatrixRow,
): HostileRequest[] {
  const request = row.request(side);
  const base = {
    method: method.toUpperCase(),
    headers: {
      ...keyedHeaders(side),
      ...(request.body || request.csv ? { 'content-type': request.csv ? 'text/csv' : 'application/json' } : {}),
    },
    body: request.csv ?? (request.body ? JSON.stringify(request.body) : undefined),
  };
  const parameters = listRequestFields(document, operation).filter((field) => !field.path.startsWith('body.'));
  const each = parameters.flatMap((field) =>
    hostileParameters(field.schema).map(({ label, encoded, refused }) => ({
      ...base,
      label: `${field.path}, ${label}`,
      target: targetOf(path, request, { path: field.path, encoded }),
      statuses: refused ? [400] : undefined,
    })),
  );
  const repeated = parameters
    .filter((field) => field.path.startsWith('query.'))
    .flatMap((field) => {
      const name = field.path.slice(6);
      const target = targetOf(path, request);
      const mark = target.includes('?') ? '&' : '?';
      return [`${name}=1&${name}=1`, `${name}[]=1`, `${name}[a]=1`, `${name}.a=1`].map((pairs) => ({
        ...base,
        label: `query ${pairs}`,
        target: `${target}${mark}${pairs}`,
        statuses: [400],
      }));
    });
  const strangers = [
    'no_such_parameter=1',
    '__proto__=1',
    '__proto__[polluted]=1',
    'constructor.prototype.polluted=1',
    'toString=1',
    '=1',
  ];
  const unknown = strangers.map((pairs) => {
    const target = targetOf(path, request);
    return { ...base, label: `query ${pairs}`, target: `${target}${target.includes('?') ? '&' : '?'}${pairs}`, statuses: [400] };
  });
  return [...each, ...repeated, ...unknown];
}

function bodyRequests(suite: Suite, { method, path, operation }: FoundOperation, row: MatrixRow): HostileRequest[] {
  const { side } = suite;
  const valid = () => row.request(side).body ?? {};
  const optional = operation.requestBody?.required === false;
  const takesKey = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true;
  return hostileBodies(valid, { optional, takesKey }).map(({ label, body, headers, statuses }) => ({
    label,
    method: method.toUpperCase(),
    target: targetOf(path, row.request(side)),
    headers: { ...keyedHeaders(side), ...headers },
    body,
    statuses: statuses
      .map((status) => (status === 'success' ? row.status : status))
      .concat(row.repeatedStatus ?? [], refusalOf(row), row.largeBody && label === '200 kB' ? 400 : []),
    before: restoring(suite, row),
  }));
}

function methodRequests({ side, document }: Suite, path: string, row: MatrixRow): HostileRequest[] {
  const target = targetOf(path, row.request(side));
  // A path may also be an instance of another one that ends in a parameter.
  const answering = Object.keys(document.paths).filter(
    (other) => other === path || new RegExp(`^${other.replace(/\{\w+\}/g, '[^/?]+')}$`).test(path),
  );
  const mounted = answering.flatMap((other) => Object.keys(document.paths[other] ?? {}).map((method) => method.toUpperCase()));
  const others = ['TRACE', 'PUT', 'OPTIONS', 'DELETE', 'PROPFIND', 'QUERY'].filter((method) => !mounted.includes(method));
  const headers = keyedHeaders(side);
  // HEAD answers as GET does, whichever operation of the path this row is of.
  const reading = matrixRows[document.paths[path]?.['get']?.operationId ?? ''];
  // What people alone may do no key may.
  const headed = reading?.people === true ? 403 : reading?.status;
  const heads =
    reading && headed
      ? [{ label: 'HEAD', method: 'HEAD', target: targetOf(path, reading.request(side)), headers, statuses: [headed] }]
      : [];
  return [...heads, ...others.map((method) => ({ label: method, method, target, headers, statuses: [405] }))];
}
