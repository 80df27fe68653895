/** The public contract of the Exports group. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { namedActor, timestamp, uuid } from '../../http/schemas.ts';
import type { KindsOfExport } from './export-kinds.ts';
import { EXPORT_FORMATS, EXPORT_KINDS, EXPORT_STATUSES, type ExportKind, type ExportRequest } from './export-run.ts';

const exportKind = z.enum(EXPORT_KINDS).meta({
  id: 'ExportKind',
  description:
    'The list that is exported: `members` and so on; `ledger`: all postings; `trialBalance`: all accounts; `auditLogs`: the audit log',
});
const exportStatus = z.enum(EXPORT_STATUSES).meta({
  id: 'ExportStatus',
  description:
    '`queued`: waits for its turn; `running`; `completed`: the file is there; `failed`; `cancelled`: by a request; `expired`: the file is gone, after 7 days or because a person in it was erased',
});

const exportResource = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    kind: exportKind,
    format: z.enum(EXPORT_FORMATS).meta({ description: '`csv`, or `ndjson`: an object a line' }),
    filters: z.record(z.string(), z.unknown()).meta({ description: 'As they were sent' }),
    status: exportStatus,
    rowCount: z.int().meta({ description: 'Rows written so far' }),
    byteCount: z.int().nullable().meta({ description: 'Of the file; null before it is complete' }),
    failure: z.string().nullable().meta({ description: 'Why there is no file' }),
    createdBy: namedActor.meta({ description: 'Who made it' }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
    startedAt: timestamp.nullable().meta({ description: 'What came into being later is not in the file' }),
    finishedAt: timestamp.nullable().meta({ description: 'When it ended; null: not yet' }),
    expiresAt: timestamp.nullable().meta({ description: 'Until then the file can be downloaded' }),
  })
  .meta({ id: 'Export' });

export type ExportAnswer = z.input<typeof exportResource>;

const scopesOf = (kinds: KindsOfExport): string =>
  Object.entries(kinds)
    .map(([kind, { readScope }]) => `\`${kind}\`: \`${readScope}\``)
    .join(', ');

export const createExportOf = (kinds: KindsOfExport) =>
  defineOperation({
    method: 'post',
    path: '/api/v1/exports',
    operationId: 'createExport',
    group: 'Exports',
    summary: 'Export a list as a file',
    description: [
      'The rows of a list that match the filters, all of them, as CSV or as a JSON object a line (`ndjson`). The filters of a kind are the parameters of its list; the rows are its items. `ledger` has the postings of all journals, `trialBalance` the balances of all accounts at one instant, `auditLogs` the audit log.',
      `The key needs the scope of the list, too: ${scopesOf(kinds)}.`,
      'The file is made in the background: read the export to follow it, and ask for a `download-url` once it is `completed`. At most 5 exports of an environment may be unfinished: one more is 409 `STATE_CONFLICT`.',
    ].join('\n\n'),
    scope: 'exports:write',
    body: requestOf(kinds).meta({ example: { kind: 'members', format: 'csv', filters: { isActive: true } } }),
    success: [{ status: 201, meaning: 'Queued; `Location` names the export' }],
    response: exportResource,
    errors: ['STATE_CONFLICT'],
  });

function requestOf(kinds: KindsOfExport): z.ZodType<ExportRequest> {
  const request = (kind: ExportKind) =>
    z.strictObject({
      kind: z.literal(kind).meta({ description: 'The list that is exported' }),
      format: z.enum(EXPORT_FORMATS).meta({ description: '`csv`, or `ndjson`: an object a line' }),
      filters: kinds[kind].filters.optional().meta({ description: 'Default none: every row' }),
    });
  const [first, ...others] = EXPORT_KINDS;
  return z.discriminatedUnion('kind', [request(first), ...others.map(request)]) as unknown as z.ZodType<ExportRequest>;
}

export const listExports = defineOperation({
  method: 'get',
  path: '/api/v1/exports',
  operationId: 'listExports',
  group: 'Exports',
  summary: 'List exports, newest first',
  description: 'Of the kinds that the key may read.',
  scope: 'exports:write',
  query: z.strictObject({
    kind: exportKind.optional().meta({ description: 'Exports of this kind' }),
    status: exportStatus.optional().meta({ description: 'Exports in this status' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(exportResource),
  errors: [],
});

const params = z.strictObject({ exportId: uuid });

export const getExport = defineOperation({
  method: 'get',
  path: '/api/v1/exports/{exportId}',
  operationId: 'getExport',
  group: 'Exports',
  summary: 'Read an export, with how far it has come',
  scope: 'exports:write',
  params,
  success: [{ status: 200, meaning: 'The export' }],
  response: exportResource,
  errors: ['NOT_FOUND'],
});

export const cancelExport = defineOperation({
  method: 'post',
  path: '/api/v1/exports/{exportId}/cancel',
  operationId: 'cancelExport',
  group: 'Exports',
  summary: 'Stop an export',
  description: 'There will be no file. An export that is not queued or running any more is 409 `STATE_CONFLICT`.',
  scope: 'exports:write',
  params,
  body: z.strictObject({}).optional(),
  success: [{ status: 200, meaning: 'The export as it is now' }],
  response: exportResource,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const createExportDownloadUrl = defineOperation({
  method: 'post',
  path: '/api/v1/exports/{exportId}/download-url',
  operationId: 'createExportDownloadUrl',
  group: 'Exports',
  summary: 'An address to download the file from',
  description:
    'Whoever has the address can download the file, without a key, until it expires. Each one is an entry in the audit log. An export that has no file yet, or none any more, is 409 `STATE_CONFLICT`.',
  scope: 'exports:write',
  repeats: 'own',
  params,
  body: z.strictObject({}).optional(),
  success: [{ status: 200, meaning: 'The address' }],
  response: z.object({
    url: z.string().meta({ description: 'Answers GET with the file' }),
    expiresAt: timestamp.meta({ description: 'Five minutes from now' }),
  }),
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});
