/** The OpenAPI 3.1 document, made from the operations and the error table. */
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type CodeRow, codeOf } from '../errors.ts';
import { type DescribedEvent, eventPaths, settleEvents } from './document-events.ts';
import { errorResponse } from './error-handler.ts';
import { COMMON_ERRORS, IDEMPOTENCY_ERRORS, type Operation, takesIdempotencyKey, WRITE_ERRORS } from './operation.ts';
import { createScopeOf, type ScopeOf } from './rights.ts';

export const API_VERSION = '1.0.0';

const rateLimitHeaders = z.object({
  'X-Environment': z.enum(['LIVE', 'SANDBOX']).meta({ description: 'Environment the request ran in' }),
  'X-Request-Id': z.string().meta({ description: 'Quote it when you report a problem' }),
  'X-RateLimit-Limit': z.int().meta({ description: 'Requests per window' }),
  'X-RateLimit-Remaining': z.int().meta({ description: 'Requests left in this window' }),
  'X-RateLimit-Reset': z.int().meta({ description: 'Unix time, in seconds, when the window ends' }),
});

const plainHeaders = rateLimitHeaders.pick({ 'X-Environment': true, 'X-Request-Id': true });

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
- **Member**: an \`Authorization: Bearer\` access token beside the key narrows the call to that member.
- **Errors** are \`{error, code, details}\`; \`details.fields\` names each faulty field. The codes are listed with each operation.
- **Repeats**: an \`Idempotency-Key\` on a POST, PUT, PATCH or DELETE makes it safe to send again; \`external_event_id\` does so for events, for ever.
- **Money** is integer minor units with a currency (\`amount_minor\`), except the summaries' number fields, which are decimal major units.
- **Lists** take \`limit\` and \`cursor\`. Some answer all their rows as CSV for \`Accept: text/csv\`.
- **Limits**: each key has a number of requests in a window of time, and so have all keys of a tenant's environment together; the headers are of the nearer limit. \`X-RateLimit-Limit\` is that number, \`X-RateLimit-Remaining\` what is left of it, \`X-RateLimit-Reset\` the Unix time in seconds when the window ends. Past it the answer is 429 \`RATE_LIMITED\`, and \`details.limit\` says whose limit it was, or \`concurrency\` where too many requests of the tenant's environment were under way at once: wait as many seconds as \`Retry-After\` says, then send the same request again.`;

/** Every code with its row, in the order of the document. */
type Errors = Readonly<Record<string, CodeRow>>;

/** Every code in one table, for the front of the docs page. */
function errorTable(errors: Errors): string {
  const rows = Object.entries(errors).map(([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`);
  return ['### Error codes', '', '| Status | Code | Meaning |', '|---|---|---|', ...rows].join('\n');
}

export function buildOpenApiDocument(
  operations: readonly Operation[],
  { groups, errors, events }: { groups: readonly string[]; errors: Errors; events: readonly DescribedEvent[] },
): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  const scopeOf = createScopeOf(operations);
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, errors, scopeOf) };
  }
  const document = createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Member Commission and Referral Service',
      version: API_VERSION,
      description: `${overview}\n\n${errorTable(errors)}`,
    },
    servers: [{ url: '/' }],
    security: [{ tenantApiKey: [] }],
    tags: groups.map((name) => ({ name })),
    paths: { ...paths, ...eventPaths(events) },
    components: {
      securitySchemes: {
        tenantApiKey: { type: 'apiKey', in: 'header', name: 'x-tenant-api-key' },
        memberToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  });
  listCodes(document.components?.schemas?.['ErrorResponse'], Object.keys(errors));
  return settleEvents(document, events, 'Webhooks');
}

/** The schema of an error is made before all codes are known. */
function listCodes(schema: unknown, codes: string[]): void {
  const code = (schema as { properties?: { code?: { enum?: string[] } } } | undefined)?.properties?.code;
  if (code) code.enum = codes;
}

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
  const key = `Needs the key scope \`${scope}\`${further.join(',')}.${shown.join('')}${part ?? ''}`;
  if (!member) return `${key} Members' bearer tokens are refused.`;
  return `${key} With a member's bearer token beside the key: ${REACH[member]}.`;
}

function repeatsOf({ repeats, secrets = [] }: Operation): string | undefined {
  if (repeats === 'own') return 'Takes no `Idempotency-Key`: it may be sent again, and hands out anew.';
  if (secrets.length === 0) return undefined;
  return `A repeat with its \`Idempotency-Key\` has null as ${secrets.map((field) => `\`${field}\``).join(', ')}: secrets are not stored.`;
}

function describe(operation: Operation, errors: Errors, scopeOf: ScopeOf): ZodOpenApiOperationObject {
  const responses: ZodOpenApiOperationObject['responses'] = {};
  for (const success of operation.success) {
    const schema = success.status === 202 ? success.response : operation.response;
    responses[`${success.status}`] = {
      description: success.meaning,
      headers: rateLimitHeaders,
      content: { [operation.produces ?? 'application/json']: { schema }, ...(operation.csv ? CSV : {}) },
    };
  }
  for (const [status, codes] of byStatus(errorCodesOf(operation, errors), errors)) {
    responses[`${status}` as '400'] = {
      description: codes.map((code) => `\`${code}\`: ${errors[code]?.meaning}`).join('\n\n'),
      headers: plainHeaders,
      content: { 'application/json': { schema: errorResponse } },
    };
  }
  return {
    operationId: operation.operationId,
    tags: [operation.group],
    summary: operation.summary,
    description: [operation.description, accessOf(operation, scopeOf), repeatsOf(operation)].filter(Boolean).join('\n\n'),
    ...(operation.scope === 'none' ? { security: [] } : {}),
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

function byStatus(codes: string[], errors: Errors): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const code of codes) {
    const status = errors[code]?.status ?? 500;
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}
