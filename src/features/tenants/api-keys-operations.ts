/** The public contract of API keys: docs/specification/identity.md#api-keys. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { instant, text, timestamp, uuid } from '../../http/schemas.ts';

const LONGEST_OVERLAP_SECONDS = 7 * 86_400;
export const DEFAULT_OVERLAP_SECONDS = 86_400;

const apiKey = z
  .object({
    id: uuid,
    name: z.string().nullable(),
    lastFour: z.string().meta({ description: 'The last four characters of the key' }),
    scopes: z.array(z.string()).meta({ description: '`*` stands for all, also for those added later' }),
    rateLimit: z.int().nullable().meta({ description: "Requests per window; null for the deployment's limit" }),
    createdAt: timestamp,
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: 'To a minute or two; null when it was never used' }),
    revokedAt: timestamp.nullable(),
    disabledAt: timestamp.nullable(),
    replacesKeyId: uuid.nullable().meta({ description: 'The key this one was rolled from' }),
    status: z.enum(['active', 'expired', 'disabled', 'revoked']),
  })
  .meta({ id: 'ApiKey' });

const secret = z.string().nullable().meta({
  description:
    'The key itself. It is stored as a hash and never shown again: null in the repeat of a request with an Idempotency-Key',
});

/** An end in the year 9999 could be rounded into a year that a date-time cannot be written with. */
const expiry = instant
  .refine((value) => Date.parse(value) < Date.parse('9999-01-01T00:00:00Z'), 'must be before the year 9999')
  .nullish()
  .meta({ description: 'In the future; default never' });

const params = z.strictObject({ keyId: uuid });

/** `scopes` are all that there are. */
export const createApiKeyOperation = (scopes: readonly string[]) =>
  defineOperation({
    method: 'post',
    path: '/api/v1/admin/api-keys',
    operationId: 'createApiKey',
    group: 'Admin',
    summary: 'Create an API key',
    description: 'Of the environment of the calling key, which cannot grant scopes or a rate limit beyond its own.',
    scope: 'admin:keys',
    body: z
      .strictObject({
        name: text(200).nullish().meta({ description: 'To tell keys apart' }),
        scopes: z
          .array(z.enum([...scopes, '*']))
          .min(1)
          .max(scopes.length + 1)
          .nullish()
          .meta({ description: 'Default those of the calling key' }),
        expiresAt: expiry,
        rateLimit: z
          .int()
          .min(1)
          .max(1_000_000_000)
          .nullish()
          .meta({ description: 'Requests per window; default that of the calling key, and at most that' }),
      })
      .meta({ example: { name: 'Shop server', scopes: ['events:write', 'users:read'] } }),
    success: [{ status: 201, meaning: 'Created; `apiKey` is shown this once' }],
    response: apiKey.extend({ apiKey: secret }).meta({ id: 'CreatedApiKey' }),
    secrets: ['apiKey'],
    errors: [],
  });

export const listApiKeys = defineOperation({
  method: 'get',
  path: '/api/v1/admin/api-keys',
  operationId: 'listApiKeys',
  group: 'Admin',
  summary: 'List the API keys of this environment, oldest first',
  description: 'Expired, disabled and revoked ones too; the keys themselves are not shown.',
  scope: 'admin:keys',
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(apiKey),
  errors: [],
});

export const revokeApiKey = defineOperation({
  method: 'delete',
  path: '/api/v1/admin/api-keys/{keyId}',
  operationId: 'revokeApiKey',
  group: 'Admin',
  summary: 'Revoke an API key',
  description:
    'It stops working on every instance within a second, for good; revoking it again changes nothing. A key cannot revoke itself: roll it with no overlap, or use another key.',
  scope: 'admin:keys',
  params,
  success: [{ status: 200, meaning: 'The key as it is now' }],
  response: apiKey,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const rollApiKey = defineOperation({
  method: 'post',
  path: '/api/v1/admin/api-keys/{keyId}/roll',
  operationId: 'rollApiKey',
  group: 'Admin',
  summary: 'Replace an API key by a new one, with a time in which both work',
  description:
    'The new key has the name, scopes and rate limit of the old one, which expires after the overlap, or earlier if it would have anyway. A key may roll itself, and any other whose scopes it has. Until the old one has expired it can be rolled again.',
  scope: 'admin:keys',
  params,
  body: z
    .strictObject({
      overlapSeconds: z
        .int()
        .min(0)
        .max(LONGEST_OVERLAP_SECONDS)
        .nullish()
        .meta({ description: `How long the old key goes on working; default ${DEFAULT_OVERLAP_SECONDS}, a day` }),
      expiresAt: expiry,
    })
    .optional()
    .meta({ example: { overlapSeconds: 3600 } }),
  success: [{ status: 201, meaning: 'Created; `apiKey` is shown this once' }],
  response: apiKey
    .extend({ apiKey: secret, replacedKeyExpiresAt: timestamp.meta({ description: 'When the old key stops working' }) })
    .meta({ id: 'RolledApiKey' }),
  secrets: ['apiKey'],
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});
