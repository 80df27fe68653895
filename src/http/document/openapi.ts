/** The OpenAPI 3.1 document, made from the operations and the error table. */
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { errorResponse } from '../error-handler.ts';
import { type Operation, takesIdempotencyKey } from '../operation.ts';
import { createScopeOf, type ScopeOf } from '../rights.ts';
import { describeCommonFields } from './common-fields.ts';
import { createErrorAnswers, type Errors } from './error-answers.ts';
import { type DescribedEvent, eventPaths, settleEvents } from './events.ts';
import { type Exchanges, illustrate, refusalOf } from './examples.ts';
import type { JsonObject } from './objects.ts';
import { type Draft, shareParts } from './shared.ts';
import { slim } from './slim.ts';

export const API_VERSION = '1.0.0';

/** The headers of answers, which all operations share. */
const HEADERS: Readonly<Record<string, JsonObject>> = {
  'X-Environment': header('`LIVE` or `SANDBOX`: where the request ran', { type: 'string', enum: ['LIVE', 'SANDBOX'] }),
  'X-Request-Id': header('Quote it when you report a problem', { type: 'string' }),
  'X-RateLimit-Limit': header('Requests per window', { type: 'integer' }),
  'X-RateLimit-Remaining': header('Requests left in this window', { type: 'integer' }),
  'X-RateLimit-Reset': header('Unix time, in seconds, when the window ends', { type: 'integer' }),
  'Retry-After': header('Seconds to wait before the same request is sent again', { type: 'integer' }),
};

/** What is left of the limits is on every answer to a key; the overview says so once. */
const SUCCESS_HEADERS = Object.fromEntries(
  Object.keys(HEADERS)
    .filter((name) => name === 'X-Environment' || name === 'X-Request-Id')
    .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function header(description: string, schema: JsonObject): JsonObject {
  return { description, schema };
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'A repeat with this key within 24 hours gets the first answer and has no second effect' }),
});

/** Beside JSON, of lists whose rows are answered as CSV, too. */
const CSV = { 'text/csv': { schema: z.string().meta({ description: 'All rows as CSV, for `Accept: text/csv`' }) } };

const overview = `Members under sponsors, leads with referral attribution, purchases paid as multi-level commissions; members' identity verified, and their money paid out.

- **Key**: send \`x-tenant-api-key\`. Its prefix tells the environment: \`svc_live_\` or \`svc_sandbox_\`. Answers name it in \`X-Environment\`.
- **Member**: an \`Authorization: Bearer\` access token beside the key narrows the call to that member, where the operation says so; elsewhere it is refused.
- **Errors** are \`{error, code, details}\`; \`details.fields\` names each faulty field. The codes are listed with each operation, with an example of each.
- **Repeats**: an \`Idempotency-Key\` on a POST, PUT, PATCH or DELETE makes it safe to send again; \`external_event_id\` does so for events, for ever.
- **Money** is integer minor units with a currency (\`amount_minor\`), except the summaries' number fields, which are decimal major units.
- **Lists** take \`limit\` and \`cursor\`. Some answer all their rows as CSV for \`Accept: text/csv\`.
- **Limits**: each key has a number of requests in a window of time, and so have all keys of a tenant's environment together; the headers are of the nearer limit. \`X-RateLimit-Limit\` is that number, \`X-RateLimit-Remaining\` what is left of it, \`X-RateLimit-Reset\` the Unix time in seconds when the window ends. Past it the answer is 429 \`RATE_LIMITED\`, and \`details.limit\` says whose limit it was, or \`concurrency\` where too many requests of the tenant's environment were under way at once: wait as many seconds as \`Retry-After\` says, then send the same request again.`;

const SECURITY_SCHEMES = {
  tenantApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-tenant-api-key',
    description: "The tenant's key: `svc_live_…` or `svc_sandbox_…`",
  },
  memberToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "A member's access token, beside the key: it narrows the call to that member",
  },
  staffSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-mcr',
    description: "The session of a person of the tenant's staff, from the dashboard; `mcr` without https",
  },
} as const;

export interface DocumentParts {
  /** The sections, each with what it is about, in order. */
  groups: Readonly<Record<string, string>>;
  errors: Errors;
  events: readonly DescribedEvent[];
  /** Real exchanges, for the examples. */
  exchanges: Exchanges;
}

/** The document as it is served, but for `servers`, which says where: `atAddress`. */
export function buildOpenApiDocument(operations: readonly Operation[], parts: DocumentParts): JsonObject {
  const { groups, errors, events, exchanges } = parts;
  const paths: ZodOpenApiPathsObject = {};
  const scopeOf = createScopeOf(operations);
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, scopeOf) };
  }
  const document = createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Member Commission and Referral Service',
      version: API_VERSION,
      description: overview,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [],
    security: [{ tenantApiKey: [] }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...eventPaths(events) },
    components: { schemas: { ErrorResponse: errorResponse }, securitySchemes: SECURITY_SCHEMES },
  }) as unknown as Draft & JsonObject;
  const { components } = document;
  Object.assign(components, { headers: HEADERS, responses: {}, examples: {}, parameters: components.parameters ?? {} });
  listCodes(components.schemas['ErrorResponse'], Object.keys(errors));
  settleEvents(document, events, 'Webhooks');
  const answers = createErrorAnswers(errors, components, (code) => refusalOf(exchanges, code));
  for (const operation of operations) {
    const described = document.paths[operation.path]?.[operation.method];
    if (!described) throw new Error(`${operation.operationId} was not rendered`);
    illustrate(described, exchanges[operation.operationId]);
    Object.assign(described.responses, answers.of(operation));
  }
  slim(document);
  describeCommonFields(document);
  shareParts(document);
  return document;
}

/** The document's text with the address that callers know the service by. */
export function atAddress(document: JsonObject, url: string): string {
  const contact = { name: 'Whoever operates this service', url: `${url}/.well-known/security.txt` };
  return JSON.stringify({
    ...document,
    info: { ...(document['info'] as object), contact },
    servers: [{ url, description: 'This service' }],
  });
}

/** The schema of an error is made before all codes are known. */
function listCodes(schema: unknown, codes: string[]): void {
  const code = (schema as { properties?: { code?: { enum?: string[] } } } | undefined)?.properties?.code;
  if (code) code.enum = codes;
}

const REACH: Record<NonNullable<Operation['member']>, string> = {
  self: 'that member only',
  downline: 'that member and its downline',
  own: "that member's own only, whatever is named",
};

function accessOf({ scope, member, effects = [], reveals = [], narrower }: Operation, scopeOf: ScopeOf): string {
  if (scope === 'none') return 'Needs no key.';
  const further = effects.map(
    (effect) => ` and \`${scopeOf(effect.operationId)}\`${effect.when === '' ? '' : ` ${effect.when}`}`,
  );
  const shown = reveals.map((one) => ` With \`${one.scope}\`, too: ${one.what}.`);
  if (scope === 'any')
    return "Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.";
  const part = narrower && ` People with \`${narrower.scope}\` read ${narrower.what}.`;
  const key = `Scope \`${scope}\`${further.join(',')}.${shown.join('')}${part ?? ''}`;
  if (!member) return key;
  return `${key} With a member's bearer token beside the key: ${REACH[member]}.`;
}

function repeatsOf({ repeats, secrets = [] }: Operation): string | undefined {
  if (repeats === 'own') return 'Takes no `Idempotency-Key`: it may be sent again, and hands out anew.';
  if (secrets.length === 0) return undefined;
  return `A repeat with its \`Idempotency-Key\` has null as ${secrets.map((field) => `\`${field}\``).join(', ')}: secrets are not stored.`;
}

/** With a member's token beside the key, where one reaches; by the session of a person who is signed in, where no key does. */
function securityOf({ scope, member, people, session }: Operation): Record<string, string[]>[] | undefined {
  if (scope === 'none') return [];
  if (people) return [{ staffSession: [] }];
  if (!member && !session) return undefined;
  return [
    { tenantApiKey: [] },
    ...(member ? [{ tenantApiKey: [], memberToken: [] }] : []),
    ...(session ? [{ staffSession: [] }] : []),
  ];
}

/** What a key needs for every request of the operation. */
function requiredScopesOf({ scope, effects = [] }: Operation, scopeOf: ScopeOf): string[] {
  if (scope === 'none' || scope === 'any') return [];
  const always = effects.filter(({ when }) => when === '').map(({ operationId }) => scopeOf(operationId));
  return [...new Set([scope, ...always])];
}

function describe(operation: Operation, scopeOf: ScopeOf): ZodOpenApiOperationObject {
  const responses: ZodOpenApiOperationObject['responses'] = {};
  for (const success of operation.success) {
    const schema = success.response ?? operation.response;
    responses[`${success.status}` as '200'] = {
      description: success.meaning,
      headers: SUCCESS_HEADERS,
      content: {
        [operation.produces ?? 'application/json']: { schema },
        ...(operation.csv && success.status === 200 ? CSV : {}),
      },
    };
  }
  const security = securityOf(operation);
  const caller = operation.people ? 'people' : operation.calledBy;
  return {
    operationId: operation.operationId,
    tags: [operation.group],
    summary: operation.summary,
    description: [operation.description, accessOf(operation, scopeOf), repeatsOf(operation)].filter(Boolean).join('\n\n'),
    'x-required-scopes': requiredScopesOf(operation, scopeOf),
    ...(caller ? { 'x-called-by': caller } : {}),
    ...(security ? { security } : {}),
    requestParams: {
      ...(operation.params ? { path: operation.params as z.ZodObject } : {}),
      ...(operation.query ? { query: operation.query as z.ZodObject } : {}),
      ...(operation.headers ? { header: operation.headers } : {}),
      ...(takesIdempotencyKey(operation) ? { header: idempotencyHeader } : {}),
    },
    ...(operation.body
      ? {
          requestBody: {
            required: !operation.body.safeParse(undefined).success,
            content: { [operation.consumes ?? 'application/json']: { schema: operation.body } },
          },
        }
      : {}),
    responses,
  };
}
