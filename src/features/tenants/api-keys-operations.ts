/** The public contract of API keys: docs/specification/identity.md#api-keys. */
import { z } from 'zod';
import { normalRange } from '../../http/ip-ranges.ts';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { instant, namedActor, text, timestamp, uuid } from '../../http/schemas.ts';
import { PRESETS } from './key-presets.ts';

const LONGEST_OVERLAP_SECONDS = 7 * 86_400;
export const DEFAULT_OVERLAP_SECONDS = 86_400;

export const apiKey = z
  .object({
    id: uuid.meta({ description: 'Of the key, which is no secret' }),
    name: z.string().nullable().meta({ description: 'To tell keys apart; null: none' }),
    lastFour: z.string().meta({ description: 'The last four characters of the key' }),
    scopes: z.array(z.string()).meta({ description: '`*` stands for all, also for those added later' }),
    rateLimit: z.int().nullable().meta({ description: "Requests per window; null for the deployment's limit" }),
    allowedIps: z
      .array(z.string())
      .nullable()
      .meta({ description: 'From where it may be used, as ranges of addresses; null: from anywhere' }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
    createdBy: namedActor.nullable().meta({ description: 'Null of keys made before this was kept' }),
    root: namedActor.meta({
      description:
        'In whose hands it is: the key that the operator made and this one comes from, by creating and rolling, or the person who made it. Under dual control keys of one root count as one',
    }),
    expiresAt: timestamp.nullable().meta({ description: 'When it stops working; null: never' }),
    lastUsedAt: timestamp.nullable().meta({ description: 'To a minute or two; null when it was never used' }),
    revokedAt: timestamp.nullable().meta({ description: 'When it was revoked, for good; null: it was not' }),
    disabledAt: timestamp.nullable().meta({ description: 'Since when it is disabled; null: it is not' }),
    replacesKeyId: uuid.nullable().meta({ description: 'The key this one was rolled from; null: it was made anew' }),
    status: z
      .enum(['active', 'expired', 'disabled', 'revoked'])
      .meta({ description: 'Only an `active` key works; a `disabled` one can be enabled again' }),
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

const params = z.strictObject({ keyId: uuid.meta({ description: 'Id of the key' }) });

export const MOST_RANGES = 50;

const allowedIps = z
  .array(
    z
      .string()
      .max(64)
      .transform((value, context) => {
        const range = normalRange(value);
        if (range === undefined) {
          context.addIssue({ code: 'custom', message: 'must be an IP address or a range, such as 203.0.113.7 or 2001:db8::/32' });
          return z.NEVER;
        }
        return range;
      })
      .meta({ override: { type: 'string', maxLength: 64 } }),
  )
  .min(1, 'must have at least one range; null stands for anywhere')
  .max(MOST_RANGES)
  .transform((ranges) => [...new Set(ranges)])
  .meta({ override: { type: 'array', items: { type: 'string', maxLength: 64 }, minItems: 1, maxItems: MOST_RANGES } });

const scopesFrom = (scopes: readonly string[]) =>
  z
    .array(z.enum([...scopes, '*']).meta({ description: 'What it allows: the page on scopes. `*` stands for all' }))
    .min(1)
    .max(scopes.length + 1);

const STANDS_FOR_ALL = '`*` stands for all, also for those added later';

/** `scopes` are all that there are. */
export const createApiKeyOperation = (scopes: readonly string[]) =>
  defineOperation({
    method: 'post',
    path: '/api/v1/admin/api-keys',
    operationId: 'createApiKey',
    group: 'Admin',
    summary: 'Create an API key',
    description:
      'Of the environment of the calling key. No key grants a scope, an address or a rate limit beyond its own: 403 `FORBIDDEN` names the scopes that are missing.',
    scope: 'admin:keys',
    stepUp: 'always',
    hands: 'neutral',
    body: z
      .strictObject({
        name: text(200).nullish().meta({ description: 'To tell keys apart' }),
        preset: z.enum(PRESETS).nullish().meta({
          description:
            "A set of scopes by its name, in place of `scopes`. `backend`: what a shop's server needs; `reporting`: reading alone; `full`: `*`. Default `backend`, cut to what the calling key has",
        }),
        scopes: scopesFrom(scopes).nullish().meta({ description: STANDS_FOR_ALL }),
        allowedIps: allowedIps.nullish().meta({
          description:
            'From where the key may be used: IPv4 and IPv6 addresses and ranges (CIDR). Null: from anywhere; default those of the calling key',
        }),
        expiresAt: expiry,
        rateLimit: z
          .int()
          .min(1)
          .max(1_000_000_000)
          .nullish()
          .meta({ description: 'Requests per window; default that of the calling key, and at most that' }),
      })
      .refine(({ preset, scopes: named }) => preset == null || named == null, {
        path: ['preset'],
        message: 'must not be sent together with scopes',
      })
      .meta({ example: { name: 'Shop server', scopes: ['events:write', 'users:read'], allowedIps: ['203.0.113.0/24'] } }),
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

/** `scopes` are all that there are. */
export const updateApiKeyOperation = (scopes: readonly string[]) =>
  defineOperation({
    method: 'patch',
    path: '/api/v1/admin/api-keys/{keyId}',
    operationId: 'updateApiKey',
    group: 'Admin',
    summary: 'Change an API key',
    description:
      'What is not sent stays. It holds on every instance within a second. Only a key that has all scopes of the other may change it, and it grants no scope or address beyond its own: else 403 `FORBIDDEN`. 409 `STATE_CONFLICT` for a revoked key, for a key that would disable itself or shut out the address that it calls from, and for enabling a key that the operator has disabled.',
    scope: 'admin:keys',
    stepUp: 'always',
    hands: 'neutral',
    params,
    body: z
      .strictObject({
        name: text(200).nullish().meta({ description: 'To tell keys apart; `null` clears it' }),
        scopes: scopesFrom(scopes).optional().meta({ description: STANDS_FOR_ALL }),
        allowedIps: allowedIps.nullish().meta({ description: 'All ranges anew; null: from anywhere' }),
        disabled: z.boolean().optional().meta({ description: 'A disabled key does not work until it is enabled again' }),
      })
      .refine((body) => Object.values(body).some((value) => value !== undefined), 'must set a field')
      .meta({ example: { allowedIps: ['203.0.113.0/24', '2001:db8::/32'] } }),
    success: [{ status: 200, meaning: 'The key as it is now' }],
    response: apiKey,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  });

export const revokeApiKey = defineOperation({
  method: 'delete',
  path: '/api/v1/admin/api-keys/{keyId}',
  operationId: 'revokeApiKey',
  group: 'Admin',
  summary: 'Revoke an API key',
  description:
    'It stops working on every instance within a second, for good; revoking it again changes nothing. Only a key that has all scopes of the other may revoke it: else 403 `FORBIDDEN`. A key cannot revoke itself: roll it with no overlap, or use another key.',
  scope: 'admin:keys',
  stepUp: 'always',
  hands: 'tightens',
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
    'The new key has the name, scopes, rate limit and addresses of the old one, which expires after the overlap, or earlier if it would have anyway. A key may roll itself, and any other whose scopes it has and which is bound to the same addresses or fewer: else 403 `FORBIDDEN`. Until the old one has expired it can be rolled again.',
  scope: 'admin:keys',
  stepUp: 'always',
  hands: 'neutral',
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
