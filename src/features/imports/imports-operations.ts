/** The public contract of the Imports group. Source: docs/referrals.md#imports, docs/specification/identity.md#rights. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, camelPaging, pageQuery } from '../../http/pagination.ts';
import { namedActor, text, timestamp, uuid } from '../../http/schemas.ts';
import { EFFECT_OF, IMPORT_KINDS, IMPORT_MODES, IMPORT_STATUSES } from './import-run.ts';

const importKind = z
  .enum(IMPORT_KINDS)
  .meta({ id: 'ImportKind', description: 'What the rows are: `members`, `leads`, `purchases` or `rate_overrides`' });
const importStatus = z.enum(IMPORT_STATUSES).meta({
  id: 'ImportStatus',
  description:
    '`receiving`: while the file is being sent; `queued`: waits for its turn; `running`; `completed`: all rows were tried; `failed`: ended before; `cancelled`: by a request',
});

const importResource = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    kind: importKind,
    mode: z.enum(IMPORT_MODES).meta({ description: '`validate`: checks alone; `apply`: writes too' }),
    status: importStatus,
    fileName: z.string().nullable().meta({ description: 'Name of the file as it was sent; null: none' }),
    byteCount: z.int().meta({ description: 'Bytes of the file' }),
    rowCount: z.int().meta({ description: 'Without the header line' }),
    appliedCount: z.int().meta({ description: 'In mode `validate`: rows that would be applied' }),
    failedCount: z.int().meta({ description: 'Rows that failed' }),
    progress: z.number().min(0).max(1).meta({ description: 'Share of the rows that are decided' }),
    createdBy: namedActor.meta({ description: 'Whoever sent the file; what its rows make names the same' }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
    startedAt: timestamp.nullable().meta({ description: 'When the work began; null: not yet' }),
    finishedAt: timestamp.nullable().meta({ description: 'When it ended; null: not yet' }),
    failure: z.string().nullable().meta({ description: 'Why the import as a whole failed' }),
  })
  .meta({ id: 'Import' });

export type ImportAnswer = z.input<typeof importResource>;

export const createImport = {
  ...defineOperation({
    method: 'post',
    path: '/api/v1/imports',
    operationId: 'createImport',
    group: 'Imports',
    summary: 'Import members, leads, purchases or agreed rates from a CSV file',
    description: [
      'The body is the file: UTF-8, comma-separated, at most 1,000,000 rows of 64 kB, and 200 MB unless the deployment says otherwise. The first line names the columns, in any order; those that every row needs must be there. An empty cell is an absent value.',
      '`members`: `email` (required), `name`, `external_id`, `membership_tier`, `group`, `joined_at`, `is_active`, `can_recruit`, `pay_currency`, `referral_code` (the default code of the member itself, under the rules of `POST /referrals/codes`; without it one is drawn), and for the sponsor one of `sponsor_email`, `sponsor_external_id`, `sponsor_code`, `parent_id` a row. A sponsor named by email, external id or code may be in any row of the file, also a later one, or exist already.',
      '`leads`: `email` (required), `name`, `phone`, `referral_code`, `source`, `utm_source`, `utm_medium`, `utm_campaign`, `click_id`.',
      '`purchases`: `external_event_id`, `amount_minor`, `currency`, `customer_external_id` (required), `type`, `occurred_at`, `tax_minor`, `shipping_minor`, `discount_minor`, `discount_code`, `customer_email`, `customer_name`, `customer_country`, `buyer_user_id`, `attribution_user_id`, `attribution_referral_code`.',
      '`rate_overrides`: `target` (required), one of `target_id`, `email`, `external_id`, `referral_code`, and `plan_id`, `level`, `skus`, `categories` (several with `|`), `rate_bps`, or `flat_minor` with `currency` and `per`, `valid_from`, `reason`.',
      'Each row has the rules and effects of the operation that creates one: what that refuses is a fault of the row, and the other rows are applied. A file that is no CSV, or has other columns, is refused whole. The work begins when the file has arrived; read the import to follow it. With `mode=validate` nothing is applied and the report is the same.',
    ].join('\n\n'),
    scope: 'imports:write',
    effects: [
      ...IMPORT_KINDS.map((kind) => ({
        operationId: EFFECT_OF[kind],
        when: `with the kind \`${kind}\``,
        has: ({ query }: { query: { kind: string } }) => query.kind === kind,
      })),
      { operationId: 'createReferralCode', when: 'with the column `referral_code` of `members`', has: 'asked later' },
      { operationId: 'addGroupMembers', when: 'with the column `group` of `members`', has: 'asked later' },
    ],
    query: z.strictObject({
      kind: importKind,
      mode: z.enum(IMPORT_MODES).meta({ description: '`validate`: checks alone; `apply`: writes too' }),
      fileName: text(255).optional().meta({ description: 'To recognise it by' }),
    }),
    body: z.string().meta({
      description: 'A CSV file',
      example: 'email,sponsor_email\nada@shop.example,\nlee@shop.example,ada@shop.example\n',
    }),
    success: [{ status: 201, meaning: 'The file is stored and queued; `Location` names the import' }],
    response: importResource,
    errors: ['REQUEST_TIMEOUT', 'STATE_CONFLICT'],
  }),
  consumes: 'text/csv' as const,
};

export const listImports = defineOperation({
  method: 'get',
  path: '/api/v1/imports',
  operationId: 'listImports',
  group: 'Imports',
  summary: 'List imports, newest first',
  scope: 'imports:read',
  query: z.strictObject({
    kind: importKind.optional().meta({ description: 'Imports of this kind' }),
    status: importStatus.optional().meta({ description: 'Imports in this status' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(importResource),
  errors: [],
});

const params = z.strictObject({ importId: uuid });

export const getImport = defineOperation({
  method: 'get',
  path: '/api/v1/imports/{importId}',
  operationId: 'getImport',
  group: 'Imports',
  summary: 'Read an import, with how far it has come',
  scope: 'imports:read',
  params,
  success: [{ status: 200, meaning: 'The import' }],
  response: importResource,
  errors: ['NOT_FOUND'],
});

export const listImportErrors = defineOperation({
  method: 'get',
  path: '/api/v1/imports/{importId}/errors',
  operationId: 'listImportErrors',
  group: 'Imports',
  summary: 'List the rows of an import that failed, in the order of the file',
  description: 'Kept for 30 days. Also while the import is running.',
  scope: 'imports:read',
  params,
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({
    data: z.array(
      z.object({
        rowNumber: z.int().meta({ description: 'As a spreadsheet counts: the header is row 1, and blank lines count' }),
        faults: z.array(
          z.object({
            field: z.string().meta({ description: 'The column; empty for the row as a whole' }),
            code: z.string().optional().meta({
              description:
                'A code of the operation, such as EMAIL_EXISTS; SPONSOR_FAILED when the row of the sponsor has failed; absent for a malformed value',
            }),
            message: z.string().meta({ description: 'What is wrong' }),
          }),
        ),
      }),
    ),
    ...camelPaging,
  }),
  errors: ['NOT_FOUND'],
});

export const exportImportErrors = defineOperation({
  method: 'get',
  path: '/api/v1/imports/{importId}/errors.csv',
  operationId: 'exportImportErrors',
  group: 'Imports',
  summary: 'The rows of an import that failed, as CSV',
  description: 'UTF-8, a fault a line. Columns `rowNumber`, `field`, `code`, `message`.',
  scope: 'imports:read',
  params,
  success: [{ status: 200, meaning: 'The file' }],
  response: z.string().meta({ description: 'A CSV file' }),
  produces: 'text/csv',
  errors: ['NOT_FOUND'],
});

export const cancelImport = defineOperation({
  method: 'post',
  path: '/api/v1/imports/{importId}/cancel',
  operationId: 'cancelImport',
  group: 'Imports',
  summary: 'Stop an import',
  description: 'What was applied stays. An import that is not queued or running any more is 409 `STATE_CONFLICT`.',
  scope: 'imports:write',
  effects: IMPORT_KINDS.map((kind) => ({
    operationId: EFFECT_OF[kind],
    when: `for the kind \`${kind}\``,
    has: 'asked later' as const,
  })),
  params,
  body: z.strictObject({}).optional(),
  success: [{ status: 200, meaning: 'The import as it is now' }],
  response: importResource,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});
