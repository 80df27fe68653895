/** Sends hostile requests and says what is wrong with the answers. */
import { house } from '../../../src/features.ts';
import { errorsOf } from '../../../src/house/house.ts';
import { type RawAnswer, sendWire, type WireRequest } from '../app/raw-http.ts';
import { countRows } from '../database/walls.ts';
import type { MatrixRequest } from '../matrix/matrix-row.ts';
import type { Side, World } from '../matrix/matrix-world.ts';
import { type JsonSchema, type OpenApiDocument, withoutNull } from '../openapi/openapi-document.ts';

const ERROR_CODES = errorsOf(house);

export interface HostileRequest extends WireRequest {
  label: string;
  /** Statuses that are right; none given: anything below 500. */
  statuses?: number[] | undefined;
  /** Runs first. */
  before?: (() => Promise<void>) | undefined;
}

/** Cases sent by this process, for the report. */
export const hostileTally = { cases: 0 };

export function keyedHeaders(side: Side): Record<string, string> {
  return { 'x-tenant-api-key': side.key };
}

/** Sends each in turn. A refused one must not have written anything. Returns the faults, one a line. */
export async function tryHostile(world: World, requests: readonly HostileRequest[]): Promise<string[]> {
  const faults: string[] = [];
  let rows = await countRows(world.app.database);
  for (const request of requests) {
    if (request.before) {
      await request.before();
      rows = await countRows(world.app.database);
    }
    const answer = await sendWire(world.app.baseUrl, request).catch((error: unknown) => String(error));
    hostileTally.cases += 1;
    if (typeof answer === 'string') {
      faults.push(`${request.label}: no answer: ${answer}`);
      continue;
    }
    faults.push(
      ...findFaults(request, answer).map((fault) => `${request.label}: ${fault}: ${answer.status} ${answer.body.slice(0, 200)}`),
    );
    const after = await countRows(world.app.database);
    if (answer.status >= 400 && after !== rows)
      faults.push(`${request.label}: refused, and yet something was written: ${rows} ${after}`);
    rows = after;
  }
  if (Object.hasOwn(Object.prototype, 'polluted')) faults.push('Object.prototype is polluted');
  return faults;
}

/** What holds of every answer, however bad the request. */
export function findFaults(
  request: Pick<HostileRequest, 'statuses' | 'method' | 'target'>,
  { status, headers, body }: RawAnswer,
): string[] {
  const faults: string[] = [];
  if (status >= 500) faults.push('a 5xx');
  if (request.statuses && !request.statuses.includes(status)) faults.push(`expected ${request.statuses.join(' or ')}`);
  if (!/^(LIVE|SANDBOX)$/.test(headers['x-environment'] ?? '')) faults.push('no X-Environment');
  if (!/^[\w.-]{8,128}$/.test(headers['x-request-id'] ?? '')) faults.push('no X-Request-Id');
  faults.push(...findHeaderFaults(headers));
  const isPage = request.target.startsWith('/docs') && status === 200;
  const isFile = status === 200 && /^(text\/csv|application\/pdf|image\/svg\+xml)/.test(headers['content-type'] ?? '');
  if (!isPage && !isFile && !(headers['content-type'] ?? '').startsWith('application/json'))
    faults.push(`content type ${headers['content-type']}`);
  if (status === 405 && !/^[A-Z]+(, [A-Z]+)*$/.test(headers['allow'] ?? '')) faults.push('no Allow');
  if (request.method === 'HEAD' && body !== '') faults.push('a body');
  if (status >= 400 && request.method !== 'HEAD' && !isErrorResponse(body)) faults.push('no ErrorResponse');
  return faults;
}

/** What every answer says to browsers, also one that no handler makes. */
function findHeaderFaults(headers: RawAnswer['headers']): string[] {
  const policy = (headers['content-security-policy'] ?? '').split(/;\s*/);
  const lacking = ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"].filter((part) => !policy.includes(part));
  const faults = lacking.map((part) => `a policy without ${part}`);
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('no nosniff');
  if (headers['strict-transport-security'] !== 'max-age=31536000; includeSubDomains') faults.push('no HSTS');
  if (headers['referrer-policy'] !== 'no-referrer') faults.push('no Referrer-Policy');
  if (headers['access-control-allow-origin'] !== undefined) faults.push('read by other origins');
  return faults;
}

export function isErrorResponse(body: string): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return false;
  }
  const { error, code, details = {}, ...rest } = parsed as Record<string, unknown>;
  return (
    typeof error === 'string' &&
    error !== '' &&
    typeof code === 'string' &&
    Object.hasOwn(ERROR_CODES, code) &&
    typeof details === 'object' &&
    details !== null &&
    Object.keys(rest).length === 0
  );
}

/** What the log says wrong: a line that is not one JSON object, or a secret or personal datum in it. */
export function findLogFaults(world: World): string[] {
  const secrets = world.sides.flatMap((side) => [side.key, side.canaries[0] ?? '', side.root.email]);
  return world.app.logLines.flatMap((line) => {
    const secret = secrets.find((value) => line.includes(value));
    if (secret !== undefined) return [`shows ${secret}: ${line.slice(0, 300)}`];
    try {
      const entry = JSON.parse(line) as Record<string, unknown>;
      return entry['forged'] === undefined && typeof entry['level'] === 'string' ? [] : [`forged: ${line.slice(0, 300)}`];
    } catch {
      return [`not JSON: ${line.slice(0, 300)}`];
    }
  });
}

/** The path and query of a valid request, with one parameter replaced by text that is encoded already. */
export function targetOf(template: string, request: MatrixRequest, replaced?: { path: string; encoded: string }): string {
  const value = (path: string, plain: string): string => (replaced?.path === path ? replaced.encoded : encodeURIComponent(plain));
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => value(`path.${name}`, request.path?.[name] ?? ''));
  const query = { ...request.query };
  if (replaced?.path.startsWith('query.')) query[replaced.path.slice(6)] = '';
  const pairs = Object.entries(query).map(([name, plain]) => `${name}=${value(`query.${name}`, plain)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

const PLACE = '@@hostile@@';

/** The body with one field replaced by JSON text; containers on the way get what they require. */
export function bodyWith(document: OpenApiDocument, schema: JsonSchema, body: unknown, path: string[], json: string): string {
  return JSON.stringify(placed(document, schema, body, path)).replace(JSON.stringify(PLACE), () => json);
}

function placed(document: OpenApiDocument, schema: JsonSchema, current: unknown, [head, ...rest]: string[]): unknown {
  if (head === undefined) return PLACE;
  const known = withoutNull(document, schema);
  if (known.items) return [placed(document, known.items, (current as unknown[] | undefined)?.[0], rest)];
  const object = { ...((current as Record<string, unknown> | null | undefined) ?? requiredOf(document, known)) };
  object[head] = placed(document, known.properties?.[head] ?? {}, object[head], rest);
  return object;
}

/** The least that an object of this schema may be. */
function requiredOf(document: OpenApiDocument, schema: JsonSchema): Record<string, unknown> {
  const entries = (schema.required ?? []).map((name): [string, unknown] => {
    const { type } = withoutNull(document, schema.properties?.[name] ?? {});
    return [name, type === 'integer' ? 1 : 'x'];
  });
  return Object.fromEntries(entries);
}
