/** Error answers of the document: one component for each set of codes that operations answer with one status. */
import type { CodeRow } from '../../errors.ts';
import { codeOf } from '../../errors.ts';
import { COMMON_ERRORS, IDEMPOTENCY_ERRORS, type Operation, takesIdempotencyKey, WRITE_ERRORS } from '../operation.ts';
import type { ExampleError } from './examples.ts';
import { bodyNamesOf, nameOfCode, nounOf } from './names.ts';
import type { Components, JsonObject, ResponseObject } from './objects.ts';

/** Every code with its row, in the order of the document. */
export type Errors = Readonly<Record<string, CodeRow>>;

/** Every code an operation can answer, in the order of the table. */
export function errorCodesOf(operation: Operation, errors: Errors): string[] {
  const kinds = [
    ...COMMON_ERRORS,
    ...(operation.method === 'get' ? [] : WRITE_ERRORS),
    ...(takesIdempotencyKey(operation) ? IDEMPOTENCY_ERRORS : []),
    ...operation.errors,
  ];
  const codes = new Set(kinds.map(codeOf));
  return Object.keys(errors).filter((code) => codes.has(code));
}

/** What the codes that many operations share are called together, by status. */
const PHRASES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'Unavailable',
};

const SHARED_CODES = new Set<string>([...COMMON_ERRORS, ...WRITE_ERRORS, ...IDEMPOTENCY_ERRORS]);

export interface ErrorAnswers {
  /** The answers of an operation, by status. */
  of(operation: Operation): Record<string, ResponseObject>;
}

/** Adds to the components what operations refer to. `exampleOf`: the body of a real refusal. */
export function createErrorAnswers(
  errors: Errors,
  components: Pick<Components, 'responses' | 'examples'>,
  exampleOf: (code: string) => ExampleError | undefined,
): ErrorAnswers {
  const nameByCodes = new Map<string, string>();

  function nameOf(status: number, codes: readonly string[], { operationId }: Operation): string {
    const key = `${status} ${codes.join(' ')}`;
    const known = nameByCodes.get(key);
    if (known !== undefined) return known;
    const own = codes.filter((code) => !SHARED_CODES.has(code));
    const phrase = codes.length > own.length ? [PHRASES[status] ?? `Status${status}`] : [];
    // More than two are called after the first operation that has them: nobody would choose a name of four words.
    const name =
      own.length > 2
        ? `${bodyNamesOf(operationId)[0]}${PHRASES[status] ?? status}`
        : [...phrase, ...own.map(nameOfCode)].join('Or');
    const free = [name, `${name}Of${nounOf(operationId)}`].find((one) => components.responses[one] === undefined);
    if (free === undefined) throw new Error(`another set of codes is called ${name}`);
    nameByCodes.set(key, free);
    for (const code of codes) components.examples[code] ??= illustrated(code);
    components.responses[free] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: headersOf(status),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ErrorResponse' },
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    };
    return free;
  }

  function illustrated(code: string): JsonObject {
    const meaning = errors[code]?.meaning ?? '';
    return { summary: meaning, value: exampleOf(code) ?? { error: meaning, code } };
  }

  return {
    of(operation) {
      const byStatus = new Map<number, string[]>();
      for (const code of errorCodesOf(operation, errors)) {
        const status = errors[code]?.status ?? 500;
        byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
      }
      return Object.fromEntries(
        [...byStatus].map(([status, codes]) => [
          `${status}`,
          { $ref: `#/components/responses/${nameOf(status, codes, operation)}` },
        ]),
      );
    },
  };
}

function headersOf(status: number): Record<string, JsonObject> {
  const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  const names = [
    'X-Environment',
    'X-Request-Id',
    ...(status === 429 ? limits : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
