/** The hostile-input suite, made from our own OpenAPI document. Source: reliability §3.5. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call } from './http-call.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { bodyWith, findLogFaults, type HostileRequest, keyedHeaders, targetOf, tryHostile } from './hostile-run.ts';
import { hostileJson, hostileParameters, NASTY_STRINGS } from './hostile-values.ts';
import { type MatrixRow, matrixRows } from './matrix-rows.ts';
import type { Side, World } from './matrix-world.ts';
import { bodySchemaOf, type FoundOperation, listOperations, listRequestFields, type OpenApiDocument } from './openapi-document.ts';

interface Suite {
  world: World;
  side: Side;
  document: OpenApiDocument;
}

/** `only` names the operations to try; all of them when it is left out. */
export function describeHostileInput(world: () => World, only?: readonly string[]): void {
  const rows = Object.entries(matrixRows).filter(([operationId]) => only?.includes(operationId) ?? true);
  const open = async (): Promise<Suite> => {
    const side = world().sides[0];
    if (!side) throw new Error('the world has no sides');
    const document = (await call(world().app.baseUrl, { method: 'GET', target: '/api/v1/openapi.json' })).json as OpenApiDocument;
    return { world: world(), side, document };
  };

  describe.each(rows)('%s', (operationId, row) => {
    test('each field of the body', async () => {
      const suite = await open();
      expect(await tryHostile(suite.world, fieldRequests(suite, findOperation(suite, operationId), row))).toEqual([]);
    });
    test('each parameter', async () => {
      const suite = await open();
      expect(await tryHostile(suite.world, parameterRequests(suite, findOperation(suite, operationId), row))).toEqual([]);
    });
    test('the whole body and its headers', async () => {
      const suite = await open();
      expect(await tryHostile(suite.world, bodyRequests(suite, findOperation(suite, operationId), row))).toEqual([]);
    });
    test('other methods', async () => {
      const suite = await open();
      const { path } = findOperation(suite, operationId);
      expect(await tryHostile(suite.world, methodRequests(suite, path, row))).toEqual([]);
    });
  });

  test('the log holds one JSON object a line, no secret and no address', () => {
    expect(world().app.logLines.length).toBeGreaterThan(100);
    expect(findLogFaults(world())).toEqual([]);
  });
}

function findOperation({ document }: Suite, operationId: string): FoundOperation {
  const found = listOperations(document).find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`the document has no ${operationId}`);
  return found;
}

function fieldRequests({ document, side }: Suite, { method, path, operation }: FoundOperation, row: MatrixRow): HostileRequest[] {
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
        statuses: value.refused ? [400] : undefined,
      };
    }),
  );
}

function parameterRequests({ document, side }: Suite, { method, path, operation }: FoundOperation, row: MatrixRow): HostileRequest[] {
  const request = row.request(side);
  const base = {
    method: method.toUpperCase(),
    headers: { ...keyedHeaders(side), ...(request.body ? { 'content-type': 'application/json' } : {}) },
    body: request.body ? JSON.stringify(request.body) : undefined,
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
  const strangers = ['no_such_parameter=1', '__proto__=1', '__proto__[polluted]=1', 'constructor.prototype.polluted=1', 'toString=1', '=1'];
  const unknown = strangers.map((pairs) => {
    const target = targetOf(path, request);
    return { ...base, label: `query ${pairs}`, target: `${target}${target.includes('?') ? '&' : '?'}${pairs}`, statuses: [400] };
  });
  return [...each, ...repeated, ...unknown];
}

function bodyRequests({ side }: Suite, { method, path }: FoundOperation, row: MatrixRow): HostileRequest[] {
  if (!row.request(side).body) return [];
  const valid = () => row.request(side).body ?? {};
  return hostileBodies(valid).map(({ label, body, headers, statuses }) => ({
    label,
    method: method.toUpperCase(),
    target: targetOf(path, row.request(side)),
    headers: { ...keyedHeaders(side), ...headers },
    body,
    statuses: statuses.map((status) => (status === 'success' ? row.status : status)),
  }));
}

function methodRequests({ side, document }: Suite, path: string, row: MatrixRow): HostileRequest[] {
  const mounted = Object.keys(document.paths[path] ?? {}).map((method) => method.toUpperCase());
  const target = targetOf(path, row.request(side));
  const others = ['TRACE', 'PUT', 'OPTIONS', 'DELETE', 'PROPFIND', 'QUERY'].filter((method) => !mounted.includes(method));
  const headers = keyedHeaders(side);
  const heads = mounted.includes('GET') ? [{ label: 'HEAD', method: 'HEAD', target, headers, statuses: [200] }] : [];
  return [...heads, ...others.map((method) => ({ label: method, method, target, headers, statuses: [405] }))];
}

/** Requests that no operation answers: broken URLs, headers and framing. */
export function strayRequests(side: Side): HostileRequest[] {
  const headers = keyedHeaders(side);
  const get = (label: string, target: string, ...statuses: number[]): HostileRequest => ({ label, method: 'GET', target, headers, statuses });
  const post = (label: string, framing: Record<string, string>, body: string, ...statuses: number[]): HostileRequest => ({
    label,
    method: 'POST',
    target: '/api/v1/leads/capture',
    headers: { ...headers, 'content-type': 'application/json', ...framing },
    body,
    statuses,
  });
  return [
    get('an unknown path', '/api/v1/nothing', 404),
    get('an unknown path with a key', `/api/v1/nothing/${randomUUID()}`, 404),
    get('another version', '/api/v2/users', 404),
    get('a trailing slash', '/api/v1/users/', 404),
    get('capitals', '/API/V1/USERS', 404),
    get('a doubled slash', '//api/v1/users', 404),
    get('a path up', '/api/v1/../../etc/passwd', 404),
    get('an escaped path up', '/api/v1/%2e%2e/%2e%2e/etc/passwd', 404),
    get('a backslash', '/api\\v1\\users', 404),
    get('a path of escapes', `/${'%41'.repeat(3_000)}`, 404),
    get('a broken escape in the path', '/api/v1/%E0%A4%A', 400),
    get('a NUL in the path', '/api/v1/users%00.json', 400),
    get('nothing but a question mark', '/?', 404),
    get('an address without a host', 'http://', 400, 404),
    get('an address elsewhere', 'http://elsewhere.example/api/v1/nothing', 404),
    get('a URL of 20 kB', `/api/v1/users?email=${'x'.repeat(20_000)}`, 431),
    ...Object.entries(NASTY_STRINGS).map(([label, value]) => get(`${label} in the path`, `/api/v1/${encodeURIComponent(value)}`, 400, 404)),
    { ...get('a header of 20 kB', '/api/v1/users', 431), headers: { ...headers, 'x-long': 'x'.repeat(20_000) } },
    { ...get('an escape character in a header', '/api/v1/users', 400), headers: { ...headers, 'x-request-id': '\x1b[31m' } },
    { ...get('a NUL in a header', '/api/v1/users', 400), headers: { ...headers, 'x-request-id': 'a\0b' } },
    { ...get('high bytes in the key', '/api/v1/users', 401), headers: { 'x-tenant-api-key': 'svc_live_\xff\xfe' } },
    { ...get('two keys', '/api/v1/users', 401), headers: { 'x-tenant-api-key': `${side.key}, ${side.key}` } },
    { ...get('a forged log line in a header', '/api/v1/users', 200), headers: { ...headers, 'x-request-id': '{"forged":true}' } },
    { ...get('an expectation nobody knows', '/api/v1/users', 417), headers: { ...headers, expect: 'miracles' } },
    { ...get('an upgrade', '/api/v1/nothing', 404), headers: { ...headers, connection: 'upgrade', upgrade: 'websocket' } },
    { label: 'OPTIONS of everything', method: 'OPTIONS', target: '*', headers, statuses: [404] },
    { label: 'OPTIONS of nothing', method: 'OPTIONS', target: '/api/v1/nothing', headers, statuses: [404] },
    { label: 'TRACE of nothing', method: 'TRACE', target: '/api/v1/nothing', headers, statuses: [404] },
    post('length and chunks', { 'content-length': '4', 'transfer-encoding': 'chunked' }, '0\r\n\r\n', 400),
    post('chunks of gzip', { 'transfer-encoding': 'gzip, chunked' }, '0\r\n\r\n', 400),
    post('chunks spelled otherwise', { 'transfer-encoding': 'xchunked' }, '0\r\n\r\n', 400),
    post('a chunk of no size', { 'transfer-encoding': 'chunked' }, 'zz\r\n\r\n', 400),
    post('a negative length', { 'content-length': '-1' }, '', 400),
    post('a length that is no number', { 'content-length': '0x10' }, '', 400),
    { ...post('two lengths', { 'content-length': '4', 'Content-Length': '5' }, '{"a":', 400) },
    { ...get('a body on a GET', '/api/v1/users', 200), body: '{"polluted":true}' },
  ];
}
