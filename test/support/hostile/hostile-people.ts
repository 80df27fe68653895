/**
 * Hostile input to what people alone may do. No request reaches that, so an owner who is signed in calls it in the process,
 * as pages do: texts for path and query, a JSON value for the body, and the Idempotency-Key of a form.
 * Sources: docs/specification/reliability.md#hostile-input, docs/specification/people.md#one-door.
 */
import { randomUUID } from 'node:crypto';
import type { Said } from '../../../src/http/invoke.ts';
import { type Operation, takesIdempotencyKey } from '../../../src/http/operation.ts';
import type { CallAnswer } from '../app/http-call.ts';
import { countRows } from '../database/walls.ts';
import type { MatrixRequest, MatrixRow } from '../matrix/matrix-row.ts';
import type { Side, World } from '../matrix/matrix-world.ts';
import { sayAsOwner } from '../matrix/person-call.ts';
import {
  bodySchemaOf,
  type FoundOperation,
  type JsonSchema,
  listRequestFields,
  type OpenApiDocument,
} from '../openapi/openapi-document.ts';
import { bodyWith, hostileTally, isErrorResponse } from './hostile-run.ts';
import { hostileJson, hostileParameters } from './hostile-values.ts';

export interface PersonSuite {
  world: World;
  side: Side;
  document: OpenApiDocument;
  row: MatrixRow;
  operation: Operation;
  found: FoundOperation;
}

export interface HostileDeed {
  label: string;
  /** Makes it of a valid request, which is another each time. */
  said(valid: MatrixRequest): Said;
  idempotencyKey?: string;
  /** Whether the answer must be a 400; otherwise anything but a fault. */
  refused: boolean;
}

/** Their guesses are counted, wrong ones too, and the audit log has those. Source: docs/specification/people.md#guessing. */
const COUNTING_GUESSES = new Set(['changeOwnPassword', 'confirmAuthenticator']);
const OF_GUESSES = / (?:staff_failure|audit_log|audit_origin|audit_unsealed) \d+,/g;

/** A password is what was typed, blanks too. */
const MAY_BE_BLANK = new Set(['body.password']);

/** Does each in turn, as an owner. A refused one must not have written anything, and none writes to the log. Returns the faults. */
export async function tryAsOwner(suite: PersonSuite, deeds: readonly HostileDeed[]): Promise<string[]> {
  const { world, side, row, operation } = suite;
  const faults: string[] = [];
  // A form always has one.
  const newKey = (): string | undefined => (takesIdempotencyKey(operation) ? randomUUID() : undefined);
  for (const { label, said, idempotencyKey = newKey(), refused } of deeds) {
    await row.restore?.(world, side);
    const asked = said((await row.fresh?.(side, world)) ?? row.request(side));
    const before = await countRows(world.app.database);
    const logged = world.app.logLines.length;
    const answer = await sayAsOwner(world.app, side, operation, asked, { idempotencyKey }).catch(
      (fault: unknown) => fault as Error,
    );
    hostileTally.cases += 1;
    if (answer instanceof Error) {
      faults.push(`${label}: a fault: ${answer.message}`);
      continue;
    }
    const told = `${answer.status} ${answer.text.slice(0, 200)}`;
    faults.push(...findAnswerFaults(answer, refused).map((fault) => `${label}: ${fault}: ${told}`));
    const after = await countRows(world.app.database);
    const kept = (counts: string): string =>
      answer.status !== 400 && COUNTING_GUESSES.has(operation.operationId) ? counts.replace(OF_GUESSES, '') : counts;
    if (answer.status >= 400 && kept(after) !== kept(before))
      faults.push(`${label}: refused, and yet something was written: ${told} ${before} ${after}`);
    faults.push(...world.app.logLines.slice(logged).map((line) => `${label}: in the log: ${line.slice(0, 300)}`));
  }
  if (Object.hasOwn(Object.prototype, 'polluted')) faults.push('Object.prototype is polluted');
  return faults;
}

function findAnswerFaults({ status, text, json }: CallAnswer, refused: boolean): string[] {
  const faults: string[] = [];
  if (status >= 500) faults.push('a 5xx');
  if (refused && (status !== 400 || (json as { code?: string }).code !== 'VALIDATION_ERROR')) faults.push('expected a 400');
  if (status >= 400 && !isErrorResponse(text)) faults.push('no ErrorResponse');
  return faults;
}

/** Each field of the body. */
export function fieldDeeds({ document, found }: PersonSuite): HostileDeed[] {
  const schema = bodySchemaOf(found.operation);
  if (!schema) return [];
  const fields = listRequestFields(document, found.operation).filter(({ path }) => path.startsWith('body.'));
  return fields.flatMap(({ path, schema: known }) =>
    hostileJson(known).map(({ label, json, refused }) => ({
      label: `${path}, ${label}`,
      said: (valid) => saidOf(valid, JSON.parse(bodyWith(document, schema, valid.body, path.split('.').slice(1), json))),
      refused: refused && !(label === 'blank' && MAY_BE_BLANK.has(path)),
    })),
  );
}

/** The body as a whole, and the Idempotency-Key. */
export function bodyDeeds({ found, row, side, operation }: PersonSuite): HostileDeed[] {
  const whole = (label: string, make: (valid: Record<string, unknown>) => unknown, refused = true): HostileDeed => ({
    label,
    said: (valid) => saidOf(valid, make(valid.body ?? {})),
    refused,
  });
  const more = (label: string, member: string): HostileDeed =>
    whole(label, (valid) => JSON.parse(JSON.stringify(valid).replace(/(\{?)\}$/, (_end, empty) => `${empty || ','}${member}}`)));
  const bodies = [
    whole('a number', () => 1),
    whole('a string', () => 'x'),
    whole('null', () => null),
    whole('an empty array', () => []),
    whole('an array of the right thing', (valid) => [valid]),
    more('an unknown field', '"no_such_field":1'),
    more('an empty key', '"":1'),
    more('NUL in a key', '"a\\u0000":1'),
    more('a lone surrogate in a key', '"\\ud800":1'),
    more('__proto__', '"__proto__":{"polluted":true}'),
    more('constructor', '"constructor":{"prototype":{"polluted":true}}'),
    more('prototype', '"prototype":{"polluted":true}'),
    more('hasOwnProperty', '"hasOwnProperty":1'),
    more('a list of 5,000', `"a":[${'1,'.repeat(4_999)}1]`),
    more('2,000 keys', Array.from({ length: 2_000 }, (_none, index) => `"k${index}":1`).join(',')),
    whole('nested 40,000 deep', () => JSON.parse(`{"a":${DEEP}}`)),
    // An object within may drop what it does not know; it must not stumble over it either.
    ...namesOfObjects(row.request(side).body).flatMap((name) => [
      whole(`${name}, nested 40,000 deep`, (valid) => withinOf(valid, name, DEEP), false),
      whole(`${name}, a lone surrogate in a key`, (valid) => withinOf(valid, name, '{"\\ud800":"\\u0000"}'), false),
    ]),
  ];
  const key = (label: string, idempotencyKey: string, refused: boolean): HostileDeed => ({
    label: `an Idempotency-Key ${label}`,
    said: (valid) => saidOf(valid, valid.body),
    idempotencyKey,
    refused,
  });
  const keys = [
    key('of 256 characters', 'x'.repeat(256), true),
    key('that is empty', '', true),
    key('that is not ASCII', 'k\xff', true),
    key('with a NUL', 'k\0', true),
    key('of SQL', "'; drop table idempotency_key; --", false),
  ];
  return [...(bodySchemaOf(found.operation) ? bodies : []), ...(takesIdempotencyKey(operation) ? keys : [])];
}

/** Each parameter of the path and the query, and some that there are not. */
export function parameterDeeds({ document, found }: PersonSuite): HostileDeed[] {
  const parameters = listRequestFields(document, found.operation).filter(({ path }) => !path.startsWith('body.'));
  const each = parameters.flatMap(({ path, schema }) =>
    hostileTexts(schema).map(({ label, text, refused }) => ({
      label: `${path}, ${label}`,
      said: (valid: MatrixRequest) => withText(valid, path, text),
      refused,
    })),
  );
  const strangers = ['no_such_parameter', '__proto__', '__proto__[polluted]', 'constructor.prototype.polluted', 'toString'];
  return [
    ...each,
    ...strangers.map((name) => ({
      label: `query ${name}`,
      said: (valid: MatrixRequest) => withText(valid, `query.${name}`, '1'),
      refused: true,
    })),
  ];
}

const DEEP = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;

/** What of a URL can be read at all, as a page has it, and what no URL holds. */
function hostileTexts(schema: JsonSchema): { label: string; text: string; refused: boolean }[] {
  const readable = hostileParameters(schema).flatMap(({ label, encoded, refused }) => {
    try {
      return [{ label, text: decodeURIComponent(encoded), refused }];
    } catch {
      return [];
    }
  });
  return [...readable, { label: 'a lone surrogate', text: 'a\ud800', refused: true }];
}

function saidOf({ path = {}, query = {} }: MatrixRequest, body: unknown): Said {
  return { params: path, query, body };
}

/** The request with one text of path or query in place; a name such as `__proto__` is a name like any other. */
function withText({ path = {}, query = {}, body }: MatrixRequest, at: string, text: string): Said {
  const [where, name] = [at.slice(0, at.indexOf('.')), at.slice(at.indexOf('.') + 1)];
  const put = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries([...Object.entries(texts).filter(([known]) => known !== name), [name, text]]);
  return where === 'path' ? { params: put(path), query, body } : { params: path, query: put(query), body };
}

function namesOfObjects(body: Record<string, unknown> = {}): string[] {
  return Object.entries(body).flatMap(([name, value]) => (typeof value === 'object' && value !== null ? [name] : []));
}

function withinOf(valid: Record<string, unknown>, name: string, json: string): unknown {
  return { ...valid, [name]: { ...(valid[name] as object), no_such_field: JSON.parse(json) as unknown } };
}
